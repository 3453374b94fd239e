package query

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

func mustPath(tb testing.TB, q *Query, start, goal geom.Vec) Path {
	tb.Helper()
	path, err := q.Path(context.Background(), start, goal)
	if err != nil || !path.Complete {
		tb.Fatalf("path from %v to %v: complete is %v, %v", start, goal, path.Complete, err)
	}
	checkPath(tb, q, path, start, goal)
	return path
}

// TestKnownLengths asks for paths of known length, on levels with several floors, near the origin and a million metres
// away.
func TestKnownLengths(t *testing.T) {
	chord := 2 * 2 * math.Sin(math.Pi/spiralSides)
	const all = spiralSides * spiralTurns
	tests := []struct {
		name        string
		level       func(testing.TB, lattice.Frame) *navmesh.Mesh
		start, goal lattice.Vertex
		want        float64
	}{
		{"straight under the bridge", bridge, at(10, 1, 0), at(10, 19, 0), 18},
		{"straight over the bridge", bridge, at(1, 10, 0), at(19, 10, 0), 18},
		{"from the deck to the road below it", bridge, at(10, 10, 3), at(10, 10, 0), math.Hypot(8, 1) + 4 + math.Hypot(4, 1)},
		{"around the foot of the ramp", bridge, at(4, 8.5, 0), at(4, 11.5, 0), 2*math.Hypot(2, 0.5) + 2},
		{"up the spiral along the column", spiral, spiralPoint(0, 2), spiralPoint(all, 2), all * chord},
		{"down the spiral along the column", spiral, spiralPoint(all, 2), spiralPoint(0, 2), all * chord},
		{"one turn of the spiral", spiral, spiralPoint(7, 2), spiralPoint(7+spiralSides, 2), spiralSides * chord},
		{"from the outside of the spiral to the outside", spiral, spiralPoint(3, 5), spiralPoint(3+spiralSides, 5), spiralOuter(spiralSides)},
	}
	for _, tt := range tests {
		for _, frame := range []lattice.Frame{{}, {East: 1e6 * metre, North: -1e6*metre + 1, Up: 12345}} {
			m := tt.level(t, frame)
			q := NewIndex(m).NewQuery()
			path := mustPath(t, q, ground(m, tt.start), ground(m, tt.goal))
			// Vertices of the levels are rounded to a lattice unit each.
			if math.Abs(path.Length-tt.want) > 40*lattice.Unit {
				t.Errorf("%s: length %v, want %v", tt.name, path.Length, tt.want)
			}
		}
	}
}

// spiralOuter returns the length of the shortest way from spoke 0 to spoke n of the spiral, both at 5 m. spiralOuter
// tries all first and last corners of the column.
func spiralOuter(n int) float64 {
	out := func(k int) float64 {
		a := 2 * math.Pi * float64(k) / spiralSides
		return math.Hypot(5*math.Cos(a)-2, 5*math.Sin(a))
	}
	best := math.Inf(1)
	// The corner 60 degrees away is still in sight, the next corner is hidden.
	for i := range 3 {
		for j := range 3 {
			best = min(best, out(i)+float64(n-i-j)*4*math.Sin(math.Pi/spiralSides)+out(j))
		}
	}
	return best
}

// TestHeightsOnSlopes checks that a path over the bridge has points exactly where the slopes begin and end. Its surface
// length must be the length of the slopes.
func TestHeightsOnSlopes(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	q := NewIndex(m).NewQuery()
	path := mustPath(t, q, ground(m, at(1, 10, 0)), ground(m, at(19, 10, 0)))
	want := []lattice.Vertex{at(1, 10, 0), at(2, 10, 0), at(8, 10, 3), at(12, 10, 3), at(18, 10, 0), at(19, 10, 0)}
	if len(path.Surface()) != len(want) {
		t.Fatalf("points %v, want %v", path.Surface(), want)
	}
	for i := range want {
		if path.Surface()[i].Distance(ground(m, want[i])) > 1e-9 {
			t.Errorf("point %d is %v, want %v", i, path.Surface()[i], want[i])
		}
	}
	if surface := 1 + 4 + 1 + 2*math.Hypot(6, 3); math.Abs(path.SurfaceLength()-surface) > 1e-9 {
		t.Errorf("length on the surface %v, want %v", path.SurfaceLength(), surface)
	}
}

// TestHeightsOnStairs checks that a path up a flight of stairs has points at its foot and its head and follows the
// steps.
func TestHeightsOnStairs(t *testing.T) {
	m := stairs(t)
	q := NewIndex(m).NewQuery()
	path := mustPath(t, q, ground(m, at(-2, 1, 0)), ground(m, at(7, 1, 17*0.17)))
	foot, head := ground(m, at(0, 1, 0)), ground(m, at(16*0.3, 1, 17*0.17))
	if n := len(path.Surface()); n > 2*17+2 || path.Surface()[1].Distance(foot) > 0.01 || path.Surface()[n-2].Distance(head) > 0.01 {
		t.Errorf("%d points: %v; the foot is at %v, the head at %v", n, path.Surface(), foot, head)
	}
	checkHeights(t, q, path, HeightError+0.001)
}

// checkHeights checks that dense samples of a path are at most slack metres above or below the
// floor somewhere within a centimetre. Pieces up and down steps are left out.
func checkHeights(t *testing.T, q *Query, path Path, slack float64) {
	t.Helper()
	points := slices.Clone(path.Surface())
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		if math.Hypot(b.X-a.X, b.Z-a.Z) < 0.001 {
			continue
		}
		ahead := geom.Vec{X: b.X - a.X, Z: b.Z - a.Z}.Unit().Scale(0.01)
		for j := range 101 {
			p := a.Add(b.Sub(a).Scale(float64(j) / 100))
			best := math.Inf(1)
			for _, near := range []geom.Vec{p, p.Add(ahead), p.Sub(ahead)} {
				near.Y = p.Y
				if pos, ok := q.Locate(near); ok {
					best = min(best, math.Abs(pos.Point.Y-p.Y))
				}
			}
			if best > slack {
				t.Fatalf("the path is at %v, %v m from the floor", p, best)
			}
		}
	}
}

// TestHeightsOnHills checks the promised error on a rough floor.
func TestHeightsOnHills(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 8))
	m := hills(t, rng)
	q := NewIndex(m).NewQuery()
	for range 40 {
		start := geom.FromGround(rng.Float64()*10, rng.Float64()*30, 1)
		goal := geom.FromGround(20+rng.Float64()*10, rng.Float64()*30, 1)
		s, ok := q.Nearest(start, 3)
		g, ok2 := q.Nearest(goal, 3)
		if !ok || !ok2 {
			t.Fatalf("no floor at %v or %v", start, goal)
		}
		path := mustPath(t, q, s.Point, g.Point)
		checkHeights(t, q, path, HeightError)
		if len(path.Surface()) < 5 {
			t.Errorf("only %d points over the hills", len(path.Surface()))
		}
	}
}

// TestHeightsWithoutAFloor checks that regions without a floor take the heights of their corners.
func TestHeightsWithoutAFloor(t *testing.T) {
	m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 4, 4, 0, 2), slab(0, 4, 0, 8, 4, 2, 2)}, nil)
	q := NewIndex(m).NewQuery()
	path := mustPath(t, q, ground(m, at(1, 1, 0.5)), ground(m, at(7, 3, 2)))
	if math.Abs(path.SurfaceLength()-(math.Hypot(math.Hypot(3, 1), 1.5)+math.Hypot(3, 1))) > 1e-3 || len(path.Surface()) != 3 {
		t.Errorf("points %v, length on the surface %v", path.Surface(), path.SurfaceLength())
	}
}

// TestStepAtASeam checks that a step between two regions is in the path as two points above each
// other when it is higher than the error.
func TestStepAtASeam(t *testing.T) {
	for _, step := range []float64{0.04, 0.3} {
		patches := []patch{slab(0, 0, 0, 4, 4, 0, 0), slab(1, 4, 0, 8, 4, step, step)}
		m := stitch(t, lattice.Frame{}, testAgent, patches, []lattice.TIN{floorOf(patches, 0), floorOf(patches, 1)})
		q := NewIndex(m).NewQuery()
		path := mustPath(t, q, ground(m, at(1, 2, 0)), ground(m, at(7, 2, step)))
		want := 6 + float64(at(0, 0, step).Z)*lattice.Unit
		if math.Abs(path.SurfaceLength()-want) > 1e-9 || path.Length != 6 || (len(path.Surface()) == 4) != (step > HeightError) {
			t.Errorf("step %v: lengths %v, %v, want 6, %v; points %v", step, path.Length, path.SurfaceLength(), want, path.Surface())
		}
	}
}

// TestHeightsInCracks checks that gaps between the triangles of a floor take the height of the floor beside them:
// narrow gaps of the higher side, wide gaps of the nearer side.
func TestHeightsInCracks(t *testing.T) {
	for _, gap := range []float64{lattice.Unit, 0.1} {
		floor := floorOf([]patch{slab(0, 0, 0, 4, 4, 1, 1), slab(0, 4+gap, 0, 8, 4, 1.25, 1.25)}, 0)
		m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 8, 4, 0.5, 0.5)}, []lattice.TIN{floor})
		ix := NewIndex(m)
		for _, tt := range []struct{ x, want float64 }{
			{4 - 0.01, 1},
			{4 + gap + 0.01, 1.25},
			{4 + gap*0.7, 1.25},
			{4 + gap*0.3, map[bool]float64{true: 1.25, false: 1}[gap == lattice.Unit]},
		} {
			if z := ix.geo.HeightAt(0, tt.x*metre, 2*metre) / metre; z != tt.want {
				t.Errorf("gap %v: at x = %v the height is %v, want %v", gap, tt.x, z, tt.want)
			}
		}
	}
}

// TestFloorEndsBesideTheBorder has triangles that end a unit beside the border of their region, as rounding leaves them. A path
// along the border steps where the floor steps.
func TestFloorEndsBesideTheBorder(t *testing.T) {
	for _, side := range []float64{0, 4} {
		low, high := lattice.Unit, 4-lattice.Unit
		floor := floorOf([]patch{slab(0, 0, low, 4, high, 1, 1), slab(0, 4, low, 8, high, 1.25, 1.25)}, 0)
		m := stitch(t, lattice.Frame{}, testAgent, []patch{slab(0, 0, 0, 8, 4, 1, 1)}, []lattice.TIN{floor})
		q := NewIndex(m).NewQuery()
		path, err := q.Path(t.Context(), ground(m, at(3.8, side, 1)), ground(m, at(7, side, 1.25)))
		if err != nil || !path.Complete {
			t.Fatalf("no path along y = %v: %v", side, err)
		}
		want := []lattice.Vertex{at(3.8, side, 1), at(4, side, 1), at(4, side, 1.25), at(7, side, 1.25)}
		surface := path.Surface()
		if len(surface) != len(want) {
			t.Fatalf("points %v, want %v", surface, want)
		}
		for i := range want {
			if surface[i].Distance(ground(m, want[i])) > 0.001 {
				t.Errorf("point %d is %v, want %v", i, surface[i], want[i])
			}
		}
		if math.Abs(path.SurfaceLength()-3.45) > 0.001 {
			t.Errorf("length on the surface %v, want 3.45", path.SurfaceLength())
		}
	}
}

// TestLayerThatTouchesItself checks that a floor keeps its height where the same layer comes back on the storey above,
// like a turn of a spiral.
func TestLayerThatTouchesItself(t *testing.T) {
	m := spiral(t, lattice.Frame{})
	ix := NewIndex(m)
	for i := range spiralSides * spiralTurns {
		for _, spoke := range []int{i, i + 1} {
			in, out := spiralPoint(spoke, 2), spiralPoint(spoke, 5)
			z := ix.geo.HeightAt(uint32(i), float64(in.X+(out.X-in.X)/2), float64(in.Y+(out.Y-in.Y)/2))
			if math.Abs(z-float64(in.Z)) > 4 {
				t.Errorf("region %d is at %v on spoke %d, want %v", i, z/metre, spoke, float64(in.Z)/metre)
			}
		}
	}
}
