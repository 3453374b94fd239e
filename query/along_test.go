package query

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// terrace is a ramp below y = 4, a terrace above y = 4 from x = 2 to 8, and a landing beside the terrace. All rise by
// half a metre a metre, the terrace and the landing 0.3 m above the ramp. The stretch of y = 4 from x = 2 to 8 is the
// portal between ramp and terrace. The landing is beside the end at x = 8, or at x = 2 if mirrored. A path on y = 4
// from the ramp to the landing runs along the portal.
//
//	.     2______________8         .     2______________8
//	.     |   terrace    |landing      land|  terrace   |
//	-1----+==============+---12    -2------+============+------10
//	.         ramp       |                 |      ramp
//
// Both regions share one floor; only the region decides the height of a path on y = 4.
func terrace(tb testing.TB, mirrored bool) *navmesh.Mesh {
	tb.Helper()
	strip := func(x0, x1, y0, y1, lift float64) patch { return slab(0, x0, y0, x1, y1, x0/2+lift, x1/2+lift) }
	ramp, landing := strip(-1, 8, 0, 4, 0), strip(8, 12, 4, 8, 0.3)
	if mirrored {
		ramp, landing = strip(2, 11, 0, 4, 0), strip(-2, 2, 4, 8, 0.3)
	}
	patches := []patch{ramp, strip(2, 8, 4, 8, 0.3), landing}
	m := stitch(tb, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	for i := range m.Tiles[0].Regions {
		m.Tiles[0].Regions[i].Area = uint8(i)
	}
	m.Marks = []navmesh.Mark{{Name: "door", Kind: "door"}}
	m.Tiles[0].Marked = []navmesh.Marked{{Region: 1}}
	return m
}

// TestAlongAPortal walks along the portal of the terrace, there and back. Both ways cross and step at x = 2, the lesser
// end of the portal; marks and grounds begin and end there.
func TestAlongAPortal(t *testing.T) {
	// stretchOf is a stretch of ground as the path goes up.
	type stretchOf struct {
		area     uint8
		from, to float64 // x
	}
	for _, tt := range []struct {
		name     string
		mirrored bool
		from, to lattice.Vertex
		door     bool // whether the path is in the door for more than a point
		grounds  []stretchOf
	}{
		{"the path comes to the lesser end first", false, at(1, 4, 0.5), at(11, 4, 5.8), true, []stretchOf{{0, 1, 2}, {1, 2, 8}, {2, 8, 11}}},
		{"the path comes to the lesser end last", true, at(10, 4, 5), at(-1, 4, -0.2), false, []stretchOf{{0, 10, 2}, {2, 2, -1}}},
	} {
		m := terrace(t, tt.mirrored)
		q := NewIndex(m).NewQuery()
		near := func(p geom.Vec, x float64) bool {
			gx, gy := geom.Ground(p)
			return math.Abs(gx-x) < 1e-3 && math.Abs(gy-4) < 1e-3
		}
		for _, back := range []bool{false, true} {
			{
				start, goal, grounds := tt.from, tt.to, slices.Clone(tt.grounds)
				doorFrom, doorTo := 2.0, 8.0
				if back {
					start, goal, doorFrom, doorTo = goal, start, doorTo, doorFrom
					slices.Reverse(grounds)
					for i, g := range grounds {
						grounds[i].from, grounds[i].to = g.to, g.from
					}
				}
				path, err := q.Path(t.Context(), ground(m, start), ground(m, goal))
				if err != nil || len(path.Regions()) != 3 {
					t.Fatalf("%s: %+v, %v", tt.name, path, err)
				}
				if c := path.Crossings; (len(c) == 1) != tt.door || tt.door && (!near(c[0].From, doorFrom) || !near(c[0].To, doorTo)) {
					t.Errorf("%s, back %v: crossings %+v", tt.name, back, c)
				}
				if len(path.Grounds) != len(grounds) {
					t.Fatalf("%s, back %v: grounds %+v", tt.name, back, path.Grounds)
				}
				for i, g := range path.Grounds {
					want := grounds[i]
					if g.Area != want.area || !near(g.From, want.from) || !near(g.To, want.to) || math.Abs(g.Length-math.Abs(want.to-want.from)) > 1e-3 {
						t.Errorf("%s, back %v: ground %+v, want %+v", tt.name, back, g, want)
					}
				}
				if r := footing.New(m).Check(path.Surface(), HeightError); r.Off > 0 || r.Bridged > 0 || math.Abs(r.Step-0.3) > 1e-3 || !near(r.StepAt, 2) {
					t.Errorf("%s, back %v: %+v: %v", tt.name, back, r, path.Surface())
				}
				if want := path.Length*math.Hypot(1, 0.5) + 0.3; math.Abs(path.SurfaceLength()-want) > 2e-3 {
					t.Errorf("%s, back %v: %v m over the floor, want %v: %v", tt.name, back, path.SurfaceLength(), want, path.Surface())
				}
			}
		}
	}
}

// TestCrossedAt is a table of pieces and gates.
func TestCrossedAt(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	for _, tt := range []struct {
		name    string
		a, b    lattice.Point
		g, next route.Gate
		more    bool
		want    float64
	}{
		{"across", p(0, 0), p(10, 0), route.Gate{Left: p(4, 5), Right: p(4, -5)}, route.Gate{}, false, 0.4},
		{"over an end", p(0, 0), p(10, 0), route.Gate{Left: p(4, 5), Right: p(4, 0)}, route.Gate{}, false, 0.4},
		{"from the gate", p(0, 0), p(10, 0), route.Gate{Left: p(0, 5), Right: p(0, -5)}, route.Gate{}, false, 0},
		{"to the gate", p(0, 0), p(10, 0), route.Gate{Left: p(10, 5), Right: p(10, -5)}, route.Gate{}, false, 1},
		{"along, the lesser end is nearer", p(0, 0), p(10, 0), route.Gate{Left: p(2, 0), Right: p(8, 0)}, route.Gate{}, false, 0.2},
		{"along, the lesser end is farther", p(10, 0), p(0, 0), route.Gate{Left: p(8, 0), Right: p(2, 0)}, route.Gate{}, false, 0.8},
		{"along, the gate begins before the piece", p(5, 0), p(10, 0), route.Gate{Left: p(2, 0), Right: p(8, 0)}, route.Gate{}, false, 0},
		{"along, the gate ends behind the piece", p(10, 0), p(5, 0), route.Gate{Left: p(2, 0), Right: p(8, 0)}, route.Gate{}, false, 1},
		{"along, the next gate is behind", p(10, 0), p(0, 0), route.Gate{Left: p(8, 0), Right: p(4, 0)}, route.Gate{Left: p(2, 5), Right: p(2, -5)}, true, 0.6},
		{"along, the next gate comes first", p(10, 0), p(0, 0), route.Gate{Left: p(8, 0), Right: p(2, 0)}, route.Gate{Left: p(8, 5), Right: p(8, 0)}, true, 0.2},
		{"along, and the next gate too", p(10, 0), p(0, 0), route.Gate{Left: p(8, 0), Right: p(5, 0)}, route.Gate{Left: p(5, 0), Right: p(1, 0)}, true, 0.5},
		{"no way at all", p(5, 0), p(5, 0), route.Gate{Left: p(2, 0), Right: p(8, 0)}, route.Gate{}, false, 0},
	} {
		if got := crossedAt(tt.a, tt.b, tt.g, tt.next, tt.more); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestSurfaceLengthIsThatOfTheFloor compares the length over a rough floor with samples a millimetre apart, and with
// the length of the way back.
func TestSurfaceLengthIsThatOfTheFloor(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 14))
	m := hills(t, rng)
	ix := NewIndex(m)
	q := ix.NewQuery()
	for range 20 {
		from, to := at(rng.Float64()*9, rng.Float64()*9, 0), at(rng.Float64()*9, rng.Float64()*9, 0)
		a, _ := q.Nearest(ground(m, from), 5)
		b, _ := q.Nearest(ground(m, to), 5)
		path := mustPath(t, q, a.Point, b.Point)
		there := path.SurfaceLength()
		n := int(path.Length * 1000)
		want, before := 0.0, a.Point
		for i := 1; i <= n; i++ {
			p := a.Point.Add(b.Point.Sub(a.Point).Scale(float64(i) / float64(n)))
			x, y, _ := m.Frame.Local(p)
			z, ok := ix.geo.Floors[0].Height(x, y)
			if !ok {
				t.Fatalf("no floor at %v", p)
			}
			p = m.Frame.FromLocal(x, y, z)
			want, before = want+before.Distance(p), p
		}
		if math.Abs(there-want) > 1e-4*want {
			t.Errorf("from %v to %v: %v m over the floor, samples say %v", a.Point, b.Point, there, want)
		}
		if back := mustPath(t, q, b.Point, a.Point).SurfaceLength(); back != there {
			t.Errorf("from %v to %v: %v m over the floor, %v m back", a.Point, b.Point, there, back)
		}
	}
}

// TestNeedlesAreNoFloor walks over a floor with a needle above, as rounding leaves in cracks and at steps: one unit
// wide, half a metre high.
func TestNeedlesAreNoFloor(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 8, 4, 0, 0)}
	tin := floorOf(patches, 0)
	n := uint32(len(tin.Vertices))
	tin.Vertices = append(tin.Vertices, at(3, 0, 0.5), at(3+lattice.Unit, 0, 0.5), at(3, 4, 0.5))
	tin.Triangles = append(tin.Triangles, [3]uint32{n, n + 1, n + 2})
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{tin})
	q := NewIndex(m).NewQuery()
	path := mustPath(t, q, ground(m, at(1, 2, 0)), ground(m, at(7, 2, 0)))
	if len(path.Surface()) != 2 || path.SurfaceLength() != 6 {
		t.Errorf("%v, %v m over the floor", path.Surface(), path.SurfaceLength())
	}
}

// TestOverCracks walks over a crack of 0.1 m between floors at different heights, with another storey below: the
// path goes straight from edge to edge.
func TestOverCracks(t *testing.T) {
	top := []patch{slab(0, 0, 0, 4, 4, 3, 3), slab(0, 4.1, 0, 8, 4, 3.2, 3.2), slab(0, 3, 0, 5, 4, 0, 0)}
	m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 8, 4, 3, 3.2)}, []lattice.TIN{floorOf(top, 0)})
	q := NewIndex(m).NewQuery()
	for _, ends := range [][2]lattice.Vertex{{at(1, 2, 3), at(7, 2, 3.2)}, {at(7, 2, 3.2), at(1, 2, 3)}} {
		path, err := q.Path(t.Context(), ground(m, ends[0]), ground(m, ends[1]))
		if err != nil || len(path.Surface()) != 4 {
			t.Fatalf("%v, %v", path.Surface(), err)
		}
		if want := 5.9 + math.Hypot(0.1, 0.2); math.Abs(path.SurfaceLength()-want) > 1e-3 {
			t.Errorf("%v m over the floor, want %v: %v", path.SurfaceLength(), want, path.Surface())
		}
		if r := footing.New(m).Check(path.Surface(), HeightError); r.Off > 0 || math.Abs(r.Bridged-0.1) > 0.003 {
			t.Errorf("%+v: %v", r, path.Surface())
		}
	}
}

// TestFloorsThroughEachOther walks over a level floor that a ramp comes up through: the path is on the higher floor.
func TestFloorsThroughEachOther(t *testing.T) {
	floors := []patch{slab(0, 0, 0, 8, 4, 0, 0), slab(0, 2, 0, 6, 4, -0.5, 0.5)}
	m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 8, 4, 0, 0)}, []lattice.TIN{floorOf(floors, 0)})
	q := NewIndex(m).NewQuery()
	want := []geom.Vec{geom.FromGround(1, 2, 0), geom.FromGround(4, 2, 0), geom.FromGround(6, 2, 0.5), geom.FromGround(6, 2, 0), geom.FromGround(7, 2, 0)}
	for range 2 {
		path, err := q.Path(t.Context(), want[0], want[len(want)-1])
		if err != nil || !slices.EqualFunc(path.Surface(), want, func(a, b geom.Vec) bool { return a.Distance(b) < 1e-3 }) {
			t.Errorf("%v, want %v", path.Surface(), want)
		}
		if over := 4 + math.Hypot(2, 0.5) + 0.5; math.Abs(path.SurfaceLength()-over) > 1e-3 {
			t.Errorf("%v m over the floor, want %v", path.SurfaceLength(), over)
		}
		slices.Reverse(want)
	}
}

// TestBendsAreAtTheirFirstGate walks around a corner where two portals end. A search may name either portal for the bend, and the
// way over the floor is the same.
func TestBendsAreAtTheirFirstGate(t *testing.T) {
	strip := func(layer int, x0, x1, y0, y1, lift float64) patch {
		return slab(layer, x0, y0, x1, y1, x0/2+lift, x1/2+lift)
	}
	patches := []patch{strip(0, 0, 4, 0, 4, 0), strip(0, 4, 8, 0, 4, 0), strip(1, 4, 8, 4, 8, 4e-3)}
	m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0), floorOf(patches, 1)})
	q := NewIndex(m).NewQuery()
	low, high := ground(m, at(0.5, 3.9, 0.25)), ground(m, at(4.1, 7.5, 2.054))
	for _, ends := range [2][2]geom.Vec{{low, high}, {high, low}} {
		path := mustPath(t, q, ends[0], ends[1]).Clone()
		way := path.trail
		if len(way.bends) != 3 || len(way.crossed) != 2 {
			t.Fatalf("%d bends, %d portals", len(way.bends), len(way.crossed))
		}
		var surfaces [2][]geom.Vec
		for gate := range 2 {
			way.bends[1].Gate, way.surface, way.length = gate, nil, 0
			surfaces[gate] = slices.Clone(path.Surface())
			n := &lane{}
			n.take(way, 0)
			if n.settle(way.ix); n.bends[1].Gate != 0 {
				t.Errorf("from %v: the bend is at gate %d", ends[0], n.bends[1].Gate)
			}
		}
		if !slices.Equal(surfaces[0], surfaces[1]) || len(surfaces[0]) < 3 {
			t.Errorf("from %v: %v over the floor, or %v", ends[0], surfaces[0], surfaces[1])
		}
	}
}
