package query

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// ratDistance2 returns the squared distance of a point from a segment, as a fraction.
func ratDistance2(p, a, b lattice.Point) *big.Rat {
	dot := func(o, u, v lattice.Point) *big.Rat {
		return big.NewRat((int64(u.X)-int64(o.X))*(int64(v.X)-int64(o.X))+(int64(u.Y)-int64(o.Y))*(int64(v.Y)-int64(o.Y)), 1)
	}
	t := new(big.Rat)
	if a != b {
		t.Quo(dot(a, p, b), dot(a, b, b))
	}
	if t.Sign() < 0 {
		t.SetInt64(0)
	} else if t.Cmp(big.NewRat(1, 1)) > 0 {
		t.SetInt64(1)
	}
	// |ap|² - 2t·ap·ab + t²·|ab|²
	sum := new(big.Rat).Mul(new(big.Rat).Mul(t, t), dot(a, b, b))
	sum.Sub(sum, new(big.Rat).Mul(new(big.Rat).Mul(big.NewRat(2, 1), t), dot(a, p, b)))
	return sum.Add(sum, dot(a, p, p))
}

// floodThrough returns the regions that can be reached through portals accepted by a test.
func floodThrough(m *navmesh.Mesh, from navmesh.Ref, through func(left, right lattice.Point) bool) map[navmesh.Ref]bool {
	t := &m.Tiles[0]
	reached := map[navmesh.Ref]bool{from: true}
	for changed := true; changed; {
		changed = false
		for i := range t.Regions {
			for _, p := range t.RegionPortals(i) {
				a, b := navmesh.MakeRef(0, i, t.Generation), navmesh.MakeRef(0, int(p.To), t.Generation)
				if reached[a] && !reached[b] && through(t.Vertices[p.Left].Point, t.Vertices[p.Right].Point) {
					reached[b], changed = true, true
				}
			}
		}
	}
	return reached
}

// checkNearby checks a list of regions: each region of the set once, entered from an earlier region through a portal,
// with the distance of its polygon.
func checkNearby(t *testing.T, q *Query, from Position, list []Nearby, want map[navmesh.Ref]bool) {
	t.Helper()
	if len(list) != len(want) || list[0].Ref != from.Ref || list[0].From != -1 || list[0].Distance != 0 {
		t.Fatalf("%d regions around %v, want %d: %v", len(list), from, len(want), list)
	}
	x, y, _ := q.ix.Mesh.Frame.Local(from.Point)
	seen := map[navmesh.Ref]bool{}
	for i, n := range list {
		if seen[n.Ref] || !want[n.Ref] {
			t.Fatalf("region %v does not belong there, or is there twice", n.Ref)
		}
		seen[n.Ref] = true
		if i > 0 && (n.From < 0 || n.From >= i || !joins(&navmesh.Mesh{Tiles: q.ix.Mesh.Tiles}, list[n.From].Ref, n.Ref)) {
			t.Fatalf("region %d is entered from %d: %v", i, n.From, list)
		}
		if d := ringDistance(q.ix.Ring(q.ix.Number(n.Ref)), math.Round(x), math.Round(y)) / metre; math.Abs(d-n.Distance) > 1e-9*(1+d) {
			t.Fatalf("region %v is %v away, want %v", n.Ref, n.Distance, d)
		}
	}
}

// TestRegionsInCircleAgainstBruteForce compares with floods through portals by their distance as fractions. Many radii
// just meet a portal.
func TestRegionsInCircleAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(81, 1))
	for range 60 {
		w := randomWorld(t, rng)
		m := w.theMesh()
		q := NewIndex(m).NewQuery()
		for range 10 {
			a, ok := w.draw(rng)
			if !ok {
				break
			}
			from := mustLocate(t, q, w.point(a))
			at, _ := stand(q.ix, from)
			radius := 4 * rng.Float64()
			if n := q.ix.PortalLimit(); n > 0 && rng.IntN(2) == 0 {
				p := q.ix.Portal(rng.Uint32N(uint32(n)))
				radius = index.Distance(at.At, p.Left) * lattice.Unit
			}
			limit := new(big.Rat).SetInt(new(big.Int).SetUint64(squareUnits(radius)))
			list, err := q.RegionsInCircle(from, radius)
			if err != nil {
				t.Fatal(err)
			}
			checkNearby(t, q, from, list, floodThrough(m, from.Ref, func(l, r lattice.Point) bool { return ratDistance2(at.At, l, r).Cmp(limit) <= 0 }))
		}
	}
}

// TestRegionsInShapeAgainstBruteForce compares with floods through portals that cross or touch an edge of the shape, or
// have an end inside.
func TestRegionsInShapeAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(82, 1))
	several := 0
	for range 60 {
		w := randomWorld(t, rng)
		m := w.theMesh()
		q := NewIndex(m).NewQuery()
		for range 10 {
			a, ok := w.draw(rng)
			if !ok {
				break
			}
			from := mustLocate(t, q, w.point(a))
			at, _ := stand(q.ix, from)
			// Boxes and triangles in either order, often at corners of the world.
			dx, dy := int32(1+rng.IntN(4*metre)), int32(1+rng.IntN(4*metre))
			if rng.IntN(2) == 0 {
				dx, dy = metre*int32(1+rng.IntN(3)), metre*int32(1+rng.IntN(3))
			}
			x, y := at.At.X-rng.Int32N(dx+1), at.At.Y-rng.Int32N(dy+1)
			ring := []lattice.Point{{X: x, Y: y}, {X: x + dx, Y: y}, {X: x + dx, Y: y + dy}, {X: x, Y: y + dy}}[:3+rng.IntN(2)]
			var shape []geom.Vec
			for _, p := range ring {
				shape = append(shape, m.Frame.ToWorld(p, 0))
			}
			if rng.IntN(2) == 0 {
				slices.Reverse(shape)
			}
			list, err := q.RegionsInShape(from, shape)
			if err != nil {
				t.Fatal(err)
			}
			checkNearby(t, q, from, list, floodThrough(m, from.Ref, func(l, r lattice.Point) bool {
				inside := true
				for k, p := range ring {
					next := ring[(k+1)%len(ring)]
					if lattice.SegmentsDistance2(p, next, l, r).IsZero() {
						return true
					}
					inside = inside && lattice.Orient(p, next, l) >= 0
				}
				return inside
			}))
			if len(list) > 1 {
				several++
			}
		}
	}
	if several < 100 {
		t.Errorf("only %d shapes meet portals", several)
	}
}

// TestShapes covers invalid polygons, and positions and radii that are invalid.
func TestShapes(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	from, _ := q.Locate(geom.FromGround(10, 1, 0))
	v := func(xy ...float64) (shape []geom.Vec) {
		for i := 0; i < len(xy); i += 2 {
			shape = append(shape, geom.FromGround(xy[i], xy[i+1], float64(i)))
		}
		return shape
	}
	for _, tt := range []struct {
		name  string
		shape []geom.Vec
		want  string // "" for no error
	}{
		{"a square", v(0, 0, 1, 0, 1, 1, 0, 1), ""},
		{"with a corner on an edge, and one twice", v(0, 0, 1, 0, 1, 0, 2, 0, 2, 2, 0, 2, 0, 0), ""},
		{"none", nil, "its 0 corners have no area"},
		{"on a line", v(0, 0, 1, 1, 2, 2), "its 3 corners have no area"},
		{"an arrow", v(0, 0, 4, 0, 1, 1, 0, 4), "it is not convex at (1.000, 1.000)"},
		{"back along an edge", v(0, 0, 4, 0, 2, 0, 2, 4), "it is not convex at (4.000, "},
		{"a star", v(0, 3, -2, -3, 3, 1, -3, 1, 2, -3), "it goes around 2 times"},
		{"not a number", v(0, 0, math.NaN(), 0, 1, 1), "corner 1: query: off the mesh"},
		{"beyond the frame", v(0, 0, 1e7, 0, 1, 1), "corner 1: query: off the mesh"},
	} {
		list, err := q.RegionsInShape(from, tt.shape)
		if tt.want == "" && (err != nil || len(list) == 0) || tt.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "query: shape: "+tt.want)) {
			t.Errorf("%s: %v, %v", tt.name, list, err)
		}
	}
	stale := Position{navmesh.MakeRef(0, 0, 77), from.Point}
	if _, err := q.RegionsInShape(stale, v(0, 0, 1, 0, 1, 1)); !errors.Is(err, ErrOffMesh) {
		t.Errorf("stale: %v", err)
	}
	for name, ask := range map[string]func(Position, float64) error{
		"RegionsInCircle": func(p Position, r float64) error { _, err := q.RegionsInCircle(p, r); return err },
		"Neighbourhood":   func(p Position, r float64) error { _, err := q.Neighbourhood(p, r); return err },
		"WallsAround":     func(p Position, r float64) error { _, err := q.WallsAround(p, r); return err },
	} {
		if err := ask(stale, 1); !errors.Is(err, ErrOffMesh) {
			t.Errorf("%s, stale: %v", name, err)
		}
		for _, r := range []float64{-1, math.NaN()} {
			if err := ask(from, r); err == nil || !strings.Contains(err.Error(), "is not a length") {
				t.Errorf("%s within %v: %v", name, r, err)
			}
		}
		if err := ask(from, math.Inf(1)); err != nil {
			t.Errorf("%s of everything: %v", name, err)
		}
	}
}

// TestNeighbourhood compares with RegionsInCircle on flat worlds, and checks on storeys that no two regions overlap.
func TestNeighbourhood(t *testing.T) {
	rng := rand.New(rand.NewPCG(83, 1))
	for range 20 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		a, ok := w.draw(rng)
		if !ok {
			continue
		}
		from := mustLocate(t, q, w.point(a))
		circle, _ := q.RegionsInCircle(from, 3)
		all := slices.Clone(circle)
		if flat, err := q.Neighbourhood(from, 3); err != nil || !slices.Equal(flat, all) {
			t.Fatalf("%v, %v, want %v", flat, err, all)
		}
	}
	left := 0
	for _, m := range []*navmesh.Mesh{bridge(t, lattice.Frame{}), spiral(t, lattice.Frame{})} {
		q := NewIndex(m).NewQuery()
		area := func(r navmesh.Ref, s navmesh.Ref) bool { // by samples: whether their insides meet
			a, b := q.ix.Ring(q.ix.Number(r)), q.ix.Ring(q.ix.Number(s))
			for range 500 {
				x, y := q.ix.DrawIn(q.ix.Number(r), rng)
				if math.Abs(ringDistance(a, x, y))+ringDistance(b, x, y) == 0 && edgeDistance(b, x, y) > 3 {
					return true
				}
			}
			return false
		}
		for range 12 {
			from, _ := q.RandomPoint(rng)
			circle, _ := q.RegionsInCircle(from, 60)
			all := len(circle)
			flat, err := q.Neighbourhood(from, 60)
			if err != nil {
				t.Fatal(err)
			}
			left += all - len(flat)
			for i := range flat {
				for k := range i {
					if area(flat[i].Ref, flat[k].Ref) {
						t.Fatalf("%v and %v overlap", flat[i].Ref, flat[k].Ref)
					}
				}
			}
		}
	}
	if left == 0 {
		t.Error("no storey was left out")
	}
}

// edgeDistance returns the distance of a point from the border of a ring.
func edgeDistance(ring []lattice.Vertex, x, y float64) float64 {
	least := math.Inf(1)
	for i, v := range ring {
		u := ring[(i+1)%len(ring)]
		wx, wy := nearestOn(index.Wall{From: v.Point, To: u.Point}, x, y)
		least = min(least, math.Hypot(x-wx, y-wy))
	}
	return least
}

// TestWallsAroundAgainstBruteForce compares with all walls of the neighbourhood's regions within the radius, on one
// storey, and checks the order.
func TestWallsAroundAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(84, 1))
	total := 0
	for i := range 60 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		for range 5 {
			a, ok := w.draw(rng)
			if !ok {
				break
			}
			from := mustLocate(t, q, w.point(a))
			at, _ := stand(q.ix, from)
			radius := 3 * rng.Float64()
			list, err := q.RegionsInCircle(from, radius)
			if err != nil {
				t.Fatal(err)
			}
			near := map[navmesh.Ref]bool{}
			for _, n := range list {
				near[n.Ref] = true
			}
			want := 0
			for ref := range near {
				all, err := q.WallsOf(ref)
				if err != nil {
					t.Fatal(err)
				}
				for _, v := range all {
					x, y := wallEnds(q, v)
					if lattice.SegmentDistance2(at.At, x, y).CompareInt(squareUnits(radius)) <= 0 {
						want++
					}
				}
			}
			got, err := q.WallsAround(from, radius)
			if err != nil || len(got) != want {
				t.Fatalf("world %d: %d walls, want %d, %v", i, len(got), want, err)
			}
			total += want
			for k, v := range got {
				x, y := wallEnds(q, v)
				if !near[v.Ref] || k > 0 && v.Distance < got[k-1].Distance {
					t.Fatalf("world %d: wall %d, %+v, does not belong there", i, k, v)
				}
				d, _ := ratDistance2(at.At, x, y).Float64()
				if math.Abs(v.Distance-math.Sqrt(d)*lattice.Unit) > 1e-9 {
					t.Fatalf("world %d: wall %+v is %v away", i, v, math.Sqrt(d)*lattice.Unit)
				}
			}
			if nearest, _ := q.DistanceToWall(from, radius); nearest.Found != (len(got) > 0) || nearest.Found && got[0].Distance != nearest.Distance {
				t.Fatalf("world %d: the nearest wall is %+v, of all around %+v", i, nearest, got[0])
			}
		}
	}
	if total < 500 {
		t.Errorf("only %d walls", total)
	}
}

// wallEnds returns the ends of a wall on the lattice.
func wallEnds(q *Query, w Wall) (from, to lattice.Point) {
	from, _, _ = q.ix.Mesh.Frame.FromWorld(w.From)
	to, _, _ = q.ix.Mesh.Frame.FromWorld(w.To)
	return from, to
}

// TestWallsOf checks a region with a doorway in an edge, and invalid Refs.
func TestWallsOf(t *testing.T) {
	patches := []patch{slab(0, 0, 0, 4, 4, 0, 4), slab(0, 4, 1, 6, 2, 4, 4)}
	q := NewIndex(stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})).NewQuery()
	walls, err := q.WallsOf(navmesh.MakeRef(0, 0, 1))
	if err != nil || len(walls) != 5 {
		t.Fatal(walls, err)
	}
	for i, want := range [][2]geom.Vec{
		{geom.FromGround(0, 0, 0), geom.FromGround(4, 0, 4)},
		{geom.FromGround(4, 0, 4), geom.FromGround(4, 1, 4)},
		{geom.FromGround(4, 2, 4), geom.FromGround(4, 4, 4)},
	} {
		if walls[i].From.Distance(want[0]) > 0.001 || walls[i].To.Distance(want[1]) > 0.001 || walls[i].Ref != navmesh.MakeRef(0, 0, 1) {
			t.Errorf("wall %d is %+v, want %v", i, walls[i], want)
		}
	}
	for _, r := range []navmesh.Ref{0, navmesh.MakeRef(0, 0, 2), navmesh.MakeRef(0, 2, 1), navmesh.MakeRef(5, 0, 1)} {
		if _, err := q.WallsOf(r); !errors.Is(err, ErrOffMesh) {
			t.Errorf("%v: %v", r, err)
		}
		if _, err := q.NearestIn(r, geom.Vec{}); !errors.Is(err, ErrOffMesh) {
			t.Errorf("%v: %v", r, err)
		}
	}
	for _, tt := range []struct{ p, want geom.Vec }{
		{geom.FromGround(1, 1, 50), geom.FromGround(1, 1, 1)},
		{geom.FromGround(9, 2, 0), geom.FromGround(4, 2, 4)},
		{geom.FromGround(-1, -1, 0), geom.FromGround(0, 0, 0)},
	} {
		if pos, err := q.NearestIn(navmesh.MakeRef(0, 0, 1), tt.p); err != nil || pos.Point.Distance(tt.want) > 0.001 {
			t.Errorf("near %v: %v, %v, want %v", tt.p, pos, err, tt.want)
		}
	}
	for _, p := range []geom.Vec{{X: math.NaN()}, {Z: math.Inf(1)}} {
		if _, err := q.NearestIn(navmesh.MakeRef(0, 0, 1), p); !errors.Is(err, ErrOffMesh) {
			t.Errorf("near %v: %v", p, err)
		}
	}
}

// TestRegionsInBoxAgainstBruteForce compares with a test of all regions: a corner is in the box, an edge meets an edge
// of the box, or the region contains a corner of the box.
func TestRegionsInBoxAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(85, 1))
	total := 0
	for i := range 100 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		var want []navmesh.Ref
		a, ok := w.draw(rng)
		if !ok {
			continue
		}
		p := w.point(a)
		b := geom.EmptyBox().Extend(p).Extend(p.Add(geom.FromGround(6*rng.Float64()-3, 6*rng.Float64()-3, 1)))
		low, _, _ := q.ix.Mesh.Frame.FromWorld(geom.Vec{X: b.Min.X, Z: b.Max.Z})
		high, _, _ := q.ix.Mesh.Frame.FromWorld(geom.Vec{X: b.Max.X, Z: b.Min.Z})
		corners := []lattice.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
		for r := range uint32(q.ix.RegionLimit()) {
			ring, in := q.ix.Ring(uint32(r)), false
			for k, v := range ring {
				u := ring[(k+1)%len(ring)]
				for c := range corners {
					in = in || lattice.SegmentsDistance2(v.Point, u.Point, corners[c], corners[(c+1)%4]).IsZero() || q.ix.Contains(uint32(r), corners[c])
				}
				in = in || v.X >= low.X && v.X <= high.X && v.Y >= low.Y && v.Y <= high.Y
			}
			if in {
				want = append(want, q.ix.Region(r).Ref)
			}
		}
		if got := q.RegionsInBox(b); !slices.Equal(got, want) {
			t.Fatalf("world %d, %v: %v, want %v", i, b, got, want)
		}
		total += len(want)
		above := geom.Box{Min: b.Min.Add(geom.Vec{Y: 2}), Max: b.Max.Add(geom.Vec{Y: 2})}
		for _, none := range []geom.Box{geom.EmptyBox(), above, {Min: geom.Vec{X: math.NaN()}}, {Max: geom.Vec{X: math.Inf(1)}}} {
			if got := q.RegionsInBox(none); len(got) != 0 {
				t.Fatalf("world %d, %v: %v", i, none, got)
			}
		}
	}
	if total < 200 {
		t.Errorf("only %d regions", total)
	}
}
