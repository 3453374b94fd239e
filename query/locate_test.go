package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestLocateAgainstBruteForce compares Locate and Nearest with loops over all regions. The points are on, beside, above
// and below the floors of level worlds and of the bridge.
func TestLocateAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	for i := range 60 {
		var m *navmesh.Mesh
		if i%3 == 0 {
			m = bridge(t, lattice.Frame{})
		} else {
			m = randomWorld(t, rng).theMesh()
		}
		ix := NewIndex(m)
		q := ix.NewQuery()
		for range 100 {
			p := geom.FromGround(rng.Float64()*24-2, rng.Float64()*24-2, rng.Float64()*7-2)
			if rng.IntN(3) == 0 && ix.geo.RegionLimit() > 0 {
				// A corner of a region, seen from above.
				ring := ix.geo.Ring(rng.Uint32N(uint32(ix.geo.RegionLimit())))
				v := ring[rng.IntN(len(ring))]
				p = m.Frame.ToWorld(v.Point, v.Z+rng.Int32N(3*metre)-metre)
			}
			checkLocate(t, q, p)
			checkNearest(t, q, p, rng.Float64()*4)
		}
	}
}

func checkLocate(t *testing.T, q *Query, p geom.Vec) {
	t.Helper()
	ix := q.ix
	at, _, _ := ix.Mesh.Frame.FromWorld(p)
	_, _, z := ix.Mesh.Frame.Local(p)
	best, found := math.Inf(1), false
	for r := range uint32(ix.RegionLimit()) {
		if !ix.Contains(uint32(r), at) {
			continue
		}
		h := ix.HeightAt(uint32(r), float64(at.X), float64(at.Y))
		if h >= z-ix.Height-1 && h <= z+ix.Climb+1 {
			best, found = min(best, math.Abs(h-z)), true
		}
	}
	pos, ok := q.Locate(p)
	if ok != found {
		t.Fatalf("Locate(%v): %v, a loop over all regions says %v", p, ok, found)
	}
	if !ok {
		return
	}
	if d := math.Abs(pos.Point.Y-p.Y) * metre; math.Abs(d-best) > 1e-6 {
		t.Fatalf("Locate(%v) is %v units away, the nearest floor %v", p, d, best)
	}
	got, _, _ := ix.Mesh.Frame.FromWorld(pos.Point)
	if _, _, ok := ix.Mesh.Region(pos.Ref); !ok || got != at {
		t.Fatalf("Locate(%v) is region %v at %v", p, pos.Ref, pos.Point)
	}
}

func checkNearest(t *testing.T, q *Query, p geom.Vec, reach float64) {
	t.Helper()
	ix := q.ix
	x, y, z := ix.Mesh.Frame.Local(p)
	best := math.Inf(1)
	for r := range uint32(ix.RegionLimit()) {
		// The distance to a convex polygon in the plane, by its edges.
		ring := ix.Ring(r)
		inside, d, nx, ny := true, math.Inf(1), x, y
		for i := range ring {
			a, b := ring[i], ring[(i+1)%len(ring)]
			ax, ay, bx, by := float64(a.X), float64(a.Y), float64(b.X), float64(b.Y)
			inside = inside && (bx-ax)*(y-ay)-(by-ay)*(x-ax) >= 0
			s := ((x-ax)*(bx-ax) + (y-ay)*(by-ay)) / ((bx-ax)*(bx-ax) + (by-ay)*(by-ay))
			s = min(max(s, 0), 1)
			if e := math.Hypot(ax+s*(bx-ax)-x, ay+s*(by-ay)-y); e < d {
				d, nx, ny = e, ax+s*(bx-ax), ay+s*(by-ay)
			}
		}
		if inside {
			d, nx, ny = 0, x, y
		}
		best = min(best, math.Hypot(d, ix.HeightAt(uint32(r), nx, ny)-z))
	}
	pos, ok := q.Nearest(p, reach)
	// Rounding moves the answer by a few units.
	const slack = 4
	if ok && best > reach*metre+slack || !ok && best < reach*metre-slack {
		t.Fatalf("Nearest(%v, %v) is %v, but the mesh is %v m away", p, reach, ok, best/metre)
	}
	if ok && math.Abs(pos.Point.Distance(p)*metre-best) > slack {
		t.Fatalf("Nearest(%v) is %v, %v m away, but the mesh is %v m away", p, pos.Point, pos.Point.Distance(p), best/metre)
	}
	if at, _, _ := ix.Mesh.Frame.FromWorld(pos.Point); ok && !ix.Contains(refRegion(ix, pos.Ref), at) {
		t.Fatalf("Nearest(%v) is %v, which is not in its region", p, pos.Point)
	}
}

// refRegion returns the number of the region that r names, in a mesh of one tile.
func refRegion(_ *index.Index, r navmesh.Ref) uint32 { return uint32(r.Index()) }

// TestLocateChoosesTheFloor asks in the middle of the bridge, with two floors: the road at 0 and the deck at 3 m. The
// agent is 1.8 m high and climbs 0.4 m.
func TestLocateChoosesTheFloor(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	tests := []struct {
		height float64
		want   float64 // of the floor, NaN for no floor
	}{
		{-0.5, math.NaN()},
		{-0.4, 0},
		{0, 0},
		{0.1, 0},
		{1.8, 0},
		{1.9, math.NaN()},
		{2.5, math.NaN()},
		{2.6, 3},
		{3, 3},
		{4.8, 3},
		{4.9, math.NaN()},
	}
	for _, tt := range tests {
		pos, ok := q.Locate(geom.FromGround(10, 10, tt.height))
		if ok == math.IsNaN(tt.want) || ok && pos.Point.Y != tt.want {
			t.Errorf("at height %v: %v %v, want %v", tt.height, pos.Point, ok, tt.want)
		}
	}
}

// TestLocateDegenerate covers points that are not finite or outside the frame, and an empty mesh.
func TestLocateDegenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	full := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	empty := NewIndex(&navmesh.Mesh{}).NewQuery()
	for _, p := range []geom.Vec{{X: nan}, {Y: nan}, {Z: nan}, {X: inf}, {Y: -inf}, {X: 1e300}, {X: 1e12}, {X: 3e5}, {Y: 3e5}} {
		for _, q := range []*Query{full, empty} {
			if pos, ok := q.Locate(p); ok {
				t.Errorf("Locate(%v) is %v", p, pos)
			}
			if pos, ok := q.Nearest(p, 100); ok {
				t.Errorf("Nearest(%v) is %v", p, pos)
			}
		}
	}
	in := geom.FromGround(10, 10, 0)
	for _, reach := range []float64{-1, nan} {
		if pos, ok := full.Nearest(in, reach); ok {
			t.Errorf("Nearest with reach %v is %v", reach, pos)
		}
	}
	if _, ok := empty.Locate(in); ok {
		t.Error("an empty mesh has a floor")
	}
	if _, ok := full.Nearest(in, 0); !ok {
		t.Error("a point on the floor is not within 0 m of it")
	}
	if _, ok := full.Nearest(geom.FromGround(1000, 10, 0), inf); !ok {
		t.Error("nothing is within any distance")
	}
}

// TestCenter checks that the middle of every region is in the region and on its floor, and that invalid Refs have no
// center.
func TestCenter(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, m := range []*navmesh.Mesh{bridge(t, lattice.Frame{}), hills(t, rng), newSoup(t, rng, 9, 9, 0.2, lattice.Frame{}).mesh} {
		ix := NewIndex(m)
		q := ix.NewQuery()
		for i := range uint32(ix.geo.RegionLimit()) {
			pos, ok := ix.Center(ix.geo.Region(i).Ref)
			if !ok || pos.Ref != ix.geo.Region(i).Ref {
				t.Fatalf("the middle of region %d is %v", i, pos)
			}
			if found, ok := q.Locate(pos.Point); !ok || found != pos {
				t.Errorf("the middle of region %d is %v, where Locate finds %v", i, pos, found)
			}
		}
		for _, r := range []navmesh.Ref{0, navmesh.MakeRef(0, ix.geo.RegionLimit(), 1), navmesh.MakeRef(0, 0, 2), navmesh.MakeRef(1, 0, 1)} {
			if pos, ok := ix.Center(r); ok {
				t.Errorf("Ref %v is at %v", r, pos)
			}
		}
	}
}

// TestNearestInSlivers asks in regions without a lattice point inside: the answer is on the sliver.
func TestNearestInSlivers(t *testing.T) {
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	patches := []patch{{ring: []lattice.Vertex{at(0, 0), at(30001, 10000), at(3, 2)}}}
	m := stitch(t, lattice.Frame{}, testAgent, patches, nil)
	q := NewIndex(m).NewQuery()
	for i := range 30 {
		p := m.Frame.ToWorld(lattice.Point{X: int32(1000 * i), Y: int32(333*i) + 5}, 7)
		pos, ok := q.Nearest(p, 20)
		if !ok {
			t.Fatalf("Nearest(%v) found nothing", p)
		}
		if got, _, _ := m.Frame.FromWorld(pos.Point); !q.ix.Contains(0, got) {
			t.Errorf("Nearest(%v) is %v, not in the region", p, got)
		}
	}
}
