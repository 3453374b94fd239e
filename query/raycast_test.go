package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestRaycastAgainstOracle compares rays with the visibility oracles, and hits with the first piece of the border
// crossed.
func TestRaycastAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	hits, clear, measured := 0, 0, 0
	for i := range 200 {
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		borders := bordersOf(w)
		for range 40 {
			a, ok := w.draw(rng)
			b, ok2 := w.draw(rng)
			if !ok || !ok2 {
				break
			}
			from := mustLocate(t, q, w.point(a))
			ray, err := q.Raycast(from, w.point(b))
			if err != nil {
				t.Fatal(err)
			}
			if want := sees(w, a, b); ray.Hit == want {
				t.Fatalf("world %d, %v to %v: hit is %v, but seen is %v: %+v", i, a, b, ray.Hit, want, ray)
			}
			checkRay(t, q, ray, from, w.point(b))
			if !ray.Hit {
				clear++
				continue
			}
			hits++
			if want, ok := firstCrossing(borders, inMesh(w, a), inMesh(w, b)); ok {
				measured++
				if math.Abs(ray.Fraction-want) > 1e-9 {
					t.Fatalf("world %d, %v to %v: hit at %v, the border is crossed at %v", i, a, b, ray.Fraction, want)
				}
			}
		}
	}
	t.Logf("%d hits, %d of them measured, %d clear", hits, measured, clear)
	if clear < 1000 || hits < 1000 || measured < 500 {
		t.Error("too few rays of a kind")
	}
}

// firstCrossing returns where the segment from a to b first crosses the border from inside; ok is
// false where it touches the border in any other way.
func firstCrossing(borders []index.Wall, a, b lattice.Point) (t float64, ok bool) {
	t = math.Inf(1)
	for _, w := range borders {
		switch lattice.SegmentContact(a, b, w.From, w.To) {
		case lattice.Disjoint:
		case lattice.ProperCrossing:
			da, db := float64(lattice.Orient(w.From, w.To, a)), float64(lattice.Orient(w.From, w.To, b))
			if da > 0 {
				t = min(t, da/(da-db))
			}
		default:
			return 0, false
		}
	}
	return t, !math.IsInf(t, 1)
}

// checkRay checks the promises of every ray.
func checkRay(tb testing.TB, q *Query, ray Ray, from Position, to geom.Vec) {
	tb.Helper()
	checkCorridor(tb, q.own, ray.Regions, from.Ref, ray.End.Ref)
	if _, err := stand(q.ix, ray.End); err != nil {
		tb.Fatal(err)
	}
	x0, y0 := geom.Ground(from.Point)
	x1, y1 := geom.Ground(to)
	x, y := geom.Ground(ray.End.Point)
	if math.Hypot(x0+ray.Fraction*(x1-x0)-x, y0+ray.Fraction*(y1-y0)-y) > 2*lattice.Unit {
		tb.Fatalf("the ray from %v to %v ends at %v after %v of the way", from, to, ray.End, ray.Fraction)
	}
	if !ray.Hit {
		if ray.Fraction != 1 || ray.Normal != (geom.Vec{}) {
			tb.Fatalf("nothing is hit, but fraction is %v, normal %v", ray.Fraction, ray.Normal)
		}
		return
	}
	nx, ny := geom.Ground(ray.Normal)
	if math.Abs(math.Hypot(nx, ny)-1) > 1e-12 || ray.Normal.Y != 0 || nx*(x1-x0)+ny*(y1-y0) >= 0 {
		tb.Fatalf("the ray from %v to %v hits a wall with normal %v", from, to, ray.Normal)
	}
}

// FuzzRaycast compares rays between lattice points near corners with the oracle.
func FuzzRaycast(f *testing.F) {
	f.Add(uint64(1), uint64(3))
	f.Add(uint64(7), uint64(0xfedcba9876543210))
	f.Fuzz(func(t *testing.T, seed, more uint64) {
		rng := rand.New(rand.NewPCG(seed, more))
		w := randomWorld(t, rng)
		q := NewIndex(w.theMesh()).NewQuery()
		for range 20 {
			a, ok := w.draw(rng)
			b, ok2 := w.draw(rng)
			if !ok || !ok2 {
				return
			}
			from := mustLocate(t, q, w.point(a))
			ray, err := q.Raycast(from, w.point(b))
			if err != nil || ray.Hit == sees(w, a, b) {
				t.Fatalf("%v to %v: %+v, %v", a, b, ray, err)
			}
			checkRay(t, q, ray, from, w.point(b))
		}
	})
}

// TestRaycastCases asks on the bridge, whose deck is from (2, 9) to (18, 11) over a road. The space below its ramps,
// lower than 2 m, is closed.
func TestRaycastCases(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	tests := []struct {
		name     string
		from, to geom.Vec
		fraction float64
		normal   geom.Vec // on the ground
	}{
		{"to itself", geom.FromGround(1, 1, 0), geom.FromGround(1, 1, 0), 1, geom.Vec{}},
		{"under the bridge", geom.FromGround(10, 1, 0), geom.FromGround(10, 19, 0), 1, geom.Vec{}},
		{"off the deck", geom.FromGround(10, 10, 3), geom.FromGround(10, 20, 3), 0.1, geom.FromGround(0, -1, 0)},
		{"over the bridge", geom.FromGround(1, 10, 0), geom.FromGround(19, 10, 0), 1, geom.Vec{}},
		{"out of the level", geom.FromGround(10, 5, 0), geom.FromGround(10, -5, 0), 0.5, geom.FromGround(0, 1, 0)},
		{"along the outer wall", geom.FromGround(0, 1, 0), geom.FromGround(0, 19, 0), 1, geom.Vec{}},
		{"into a corner of the level, first wall", geom.FromGround(2, 2, 0), geom.FromGround(-2, -2, 0), 0.5, geom.FromGround(0, 1, 0)},
		{"into the side of a ramp", geom.FromGround(4, 5, 0), geom.FromGround(4, 13, 0), 0.5, geom.FromGround(0, -1, 0)},
		{"away from the wall it stands at", geom.FromGround(0, 5, 0), geom.FromGround(20, 5, 0), 1, geom.Vec{}},
		{"into the wall it stands at", geom.FromGround(0, 5, 0), geom.FromGround(-1, 5, 0), 0, geom.FromGround(1, 0, 0)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ray, err := q.Raycast(mustLocate(t, q, tt.from), tt.to)
			if err != nil || ray.Hit != (tt.fraction < 1) || math.Abs(ray.Fraction-tt.fraction) > 1e-12 || ray.Normal.Distance(tt.normal) > 1e-12 {
				t.Errorf("%+v, %v", ray, err)
			}
		})
	}
}

// TestRaycastKeepsTheStorey checks that rays from the deck of the bridge end on the deck, and rays from below end
// below.
func TestRaycastKeepsTheStorey(t *testing.T) {
	q := NewIndex(bridge(t, lattice.Frame{})).NewQuery()
	rng := rand.New(rand.NewPCG(42, 1))
	for range 500 {
		x, y := 8.1+3.8*rng.Float64(), 9.1+1.8*rng.Float64()
		to := geom.FromGround(8.1+3.8*rng.Float64(), 9.1+1.8*rng.Float64(), 7)
		for _, height := range []float64{0, 3} {
			ray, err := q.Raycast(mustLocate(t, q, geom.FromGround(x, y, height)), to)
			if err != nil || ray.Hit || ray.End.Point.Y != height {
				t.Fatalf("from height %v: %+v, %v", height, ray, err)
			}
		}
	}
}

// A ray ends at the wall, a move slides along it.
func ExampleQuery_MoveAlongSurface() {
	floor := navmesh.Tile{
		Generation: 1,
		Vertices:   []lattice.Vertex{at(0, 0, 0), at(4, 0, 0), at(4, 4, 0), at(0, 4, 0)},
		Corners:    []uint32{0, 1, 2, 3},
		Regions:    []navmesh.Region{{Count: 4, Flags: navmesh.DefaultFlags}},
	}
	q := NewIndex(&navmesh.Mesh{Agent: testAgent, Tiles: []navmesh.Tile{floor}}).NewQuery()
	here, _ := q.Locate(geom.FromGround(1, 1, 0))
	ray, _ := q.Raycast(here, geom.FromGround(1, -2, 0))
	fmt.Printf("a wall after %.2f of the way\n", ray.Fraction)
	move, _ := q.MoveAlongSurface(here, geom.FromGround(3, -1, 0))
	fmt.Println("slid to", move.End.Point)
	wall, _ := q.DistanceToWall(here, 5)
	fmt.Printf("%.1f m to the wall\n", wall.Distance)
	// Output:
	// a wall after 0.33 of the way
	// slid to (3.000, 0.000, 0.000)
	// 1.0 m to the wall
}
