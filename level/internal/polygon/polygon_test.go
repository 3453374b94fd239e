package polygon

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// floor makes a face in the ground plane, seen from above, counter-clockwise when xy is.
func floor(xy ...[2]float64) []geom.Vec {
	var face []geom.Vec
	for _, p := range xy {
		face = append(face, geom.FromGround(p[0], p[1], 1))
	}
	return face
}

// vectorArea is half the sum of the cross products: the area times the normal.
func vectorArea(face []geom.Vec) geom.Vec {
	var a geom.Vec
	for i, v := range face {
		a = a.Add(v.Sub(face[0]).Cross(face[(i+1)%len(face)].Sub(face[0])))
	}
	return a.Scale(0.5)
}

// checkCover fails unless the triangles have the face's corners, none is turned over, and their
// areas sum to the face's.
func checkCover(t *testing.T, face []geom.Vec) {
	t.Helper()
	var c Cutter
	tris, outcome := c.Cut(face)
	if outcome != Clean {
		t.Fatalf("outcome %d of a simple face %v", outcome, face)
	}
	if len(tris) != len(face)-2 {
		t.Fatalf("%d triangles of %d corners", len(tris), len(face))
	}
	total := vectorArea(face)
	normal := total.Unit()
	sum, used := 0.0, make([]bool, len(face))
	for _, tri := range tris {
		a := vectorArea([]geom.Vec{face[tri[0]], face[tri[1]], face[tri[2]]}).Dot(normal)
		if a < -1e-9*total.Norm() {
			t.Fatalf("triangle %v is turned over (%g of %g)", tri, a, total.Norm())
		}
		sum += math.Abs(a)
		for _, i := range tri {
			used[i] = true
		}
	}
	if math.Abs(sum-total.Norm()) > 1e-9*total.Norm() {
		t.Fatalf("areas sum to %g, the face has %g", sum, total.Norm())
	}
	if i := slices.Index(used, false); i >= 0 {
		t.Fatalf("corner %d is in no triangle", i)
	}
}

func TestTriangleCount(t *testing.T) {
	for _, c := range []struct {
		name string
		face []geom.Vec
		want int
	}{
		{"nothing", nil, 0},
		{"two corners", floor([2]float64{0, 0}, [2]float64{1, 0}), 0},
		{"triangle", floor([2]float64{0, 0}, [2]float64{1, 0}, [2]float64{0, 1}), 1},
		{"all at one place", make([]geom.Vec, 5), 3},
		{"all on a line", floor([2]float64{0, 0}, [2]float64{1, 1}, [2]float64{2, 2}, [2]float64{3, 3}), 2},
		{"there and back", floor([2]float64{0, 0}, [2]float64{2, 0}, [2]float64{1, 0}, [2]float64{3, 0}, [2]float64{1, 0}), 3},
		{"huge", floor([2]float64{-1e308, -1e308}, [2]float64{1e308, -1e308}, [2]float64{1e308, 1e308}, [2]float64{-1e308, 1e308}), 2},
		{"tiny", floor([2]float64{0, 0}, [2]float64{5e-324, 0}, [2]float64{5e-324, 5e-324}, [2]float64{0, 5e-324}), 2},
	} {
		var cutter Cutter
		if tris, _ := cutter.Cut(c.face); len(tris) != c.want {
			t.Errorf("%s: %d triangles, want %d", c.name, len(tris), c.want)
		}
	}
}

func TestCoversSimplePolygons(t *testing.T) {
	arrow := floor([2]float64{0, 0}, [2]float64{2, -1}, [2]float64{1, 0}, [2]float64{2, 1})
	for _, c := range []struct {
		name string
		face []geom.Vec
	}{
		{"square", floor([2]float64{0, 0}, [2]float64{1, 0}, [2]float64{1, 1}, [2]float64{0, 1})},
		{"arrow", arrow},
		{"arrow from its notch", append(slices.Clone(arrow[2:]), arrow[:2]...)},
		{"arrow from its tip wing", append(slices.Clone(arrow[1:]), arrow[:1]...)},
		{"corners on straight edges", floor([2]float64{0, 0}, [2]float64{1, 0}, [2]float64{2, 0}, [2]float64{2, 1}, [2]float64{2, 2}, [2]float64{0, 2}, [2]float64{0, 1})},
		{"L with a corner on its long edge", floor([2]float64{0, 0}, [2]float64{1, 0}, [2]float64{3, 0}, [2]float64{3, 1}, [2]float64{1, 1}, [2]float64{1, 3}, [2]float64{0, 3})},
		{"a notch that touches the opposite edge", floor([2]float64{0, 0}, [2]float64{4, 0}, [2]float64{4, 4}, [2]float64{2, 0}, [2]float64{0, 4})},
		{"a corner twice", floor([2]float64{0, 0}, [2]float64{3, 0}, [2]float64{3, 0}, [2]float64{3, 3}, [2]float64{1, 1}, [2]float64{0, 3})},
		{"a spike", floor([2]float64{0, 0}, [2]float64{3, 0}, [2]float64{5, 0}, [2]float64{3, 0}, [2]float64{3, 3}, [2]float64{0, 3})},
		{"a spiral", floor([2]float64{0, 0}, [2]float64{9, 0}, [2]float64{9, 9}, [2]float64{1, 9}, [2]float64{1, 3}, [2]float64{6, 3}, [2]float64{6, 6},
			[2]float64{4, 6}, [2]float64{4, 5}, [2]float64{5, 5}, [2]float64{5, 4}, [2]float64{2, 4}, [2]float64{2, 8}, [2]float64{8, 8}, [2]float64{8, 1}, [2]float64{0, 1})},
		{"upright", []geom.Vec{{Y: 0}, {X: 4, Y: 0}, {X: 4, Y: 3}, {X: 2, Y: 1}, {X: 0, Y: 3}}},
		{"upright the other way", []geom.Vec{{Y: 0}, {Z: 4, Y: 0}, {Z: 4, Y: 3}, {Z: 2, Y: 1}, {Z: 0, Y: 3}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkCover(t, c.face)
			slices.Reverse(c.face)
			checkCover(t, c.face)
		})
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		checkCover(t, star(rng, 4+rng.IntN(40)))
	}
}

// star returns a random star-shaped face, on a whole-number grid so that corners on edges and
// straight runs happen, in a random upright or level plane.
func star(rng *rand.Rand, n int) []geom.Vec {
	angles := make([]float64, n)
	for i := range angles {
		angles[i] = (float64(i) + 0.9*rng.Float64()) / float64(n) * 2 * math.Pi
	}
	kind := rng.IntN(3)
	var face []geom.Vec
	for _, a := range angles {
		r := 2000 + 8000*rng.Float64()
		x, y := math.Round(r*math.Cos(a)), math.Round(r*math.Sin(a))
		v := [3]geom.Vec{{X: x, Y: y}, {Y: x, Z: y}, {Z: x, X: y}}[kind]
		face = append(face, v)
	}
	return face
}

// TestSeam cuts a square with holes that are reached over seams, the way mesh formats write holes.
func TestSeam(t *testing.T) {
	one := floor(
		[2]float64{0, 0}, [2]float64{9, 0}, [2]float64{9, 9}, [2]float64{0, 9}, [2]float64{0, 0},
		[2]float64{3, 3}, [2]float64{3, 6}, [2]float64{6, 6}, [2]float64{6, 3}, [2]float64{3, 3},
	)
	checkCover(t, one)
	two := floor(
		[2]float64{0, 0}, [2]float64{9, 0}, [2]float64{9, 9}, [2]float64{0, 9}, [2]float64{0, 0},
		[2]float64{1, 1}, [2]float64{1, 3}, [2]float64{3, 3},
		[2]float64{5, 5}, [2]float64{5, 7}, [2]float64{7, 7}, [2]float64{7, 5}, [2]float64{5, 5},
		[2]float64{3, 3}, [2]float64{3, 1}, [2]float64{1, 1},
	)
	for shift := range two {
		face := append(slices.Clone(two[shift:]), two[:shift]...)
		checkCover(t, face)
		slices.Reverse(face)
		checkCover(t, face)
	}
}

func TestCrossing(t *testing.T) {
	var c Cutter
	bow := floor([2]float64{0, 0}, [2]float64{4, 0}, [2]float64{1, 3}, [2]float64{3, 4})
	if tris, outcome := c.Cut(bow); outcome != Crossed || len(tris) != 2 {
		t.Errorf("bow tie: %d triangles, outcome %d", len(tris), outcome)
	}
	var comb []geom.Vec
	for i := range MaxConcave {
		comb = append(comb, geom.FromGround(float64(i), float64(i%2), 0))
	}
	comb = append(comb, geom.FromGround(MaxConcave, 10, 0))
	if tris, outcome := c.Cut(comb); outcome != TooMany || tris != nil {
		t.Errorf("comb of %d corners: %d triangles, outcome %d", len(comb), len(tris), outcome)
	}
	// Whatever the corners are, the count holds.
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		face := make([]geom.Vec, 3+rng.IntN(12))
		for i := range face {
			face[i] = geom.Vec{X: float64(rng.IntN(4)), Y: float64(rng.IntN(4)), Z: float64(rng.IntN(4))}
		}
		if tris, _ := c.Cut(face); len(tris) != len(face)-2 {
			t.Fatalf("%d triangles of %v", len(tris), face)
		}
	}
}

func TestMoveAndScale(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var c, d Cutter
	for range 200 {
		face := star(rng, 5+rng.IntN(20))
		want, _ := c.Cut(face)
		moved := slices.Clone(face)
		for i := range moved {
			moved[i] = moved[i].Add(geom.Vec{X: 1e6, Y: -3e5, Z: 12}).Scale(0x1p-12)
		}
		if got, _ := d.Cut(moved); !slices.Equal(got, want) {
			t.Fatalf("moved and scaled: %v, want %v", got, want)
		}
	}
}

func BenchmarkCut(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 10))
	comb := make([]geom.Vec, 0, MaxConcave)
	for i := range MaxConcave - 2 {
		comb = append(comb, geom.FromGround(float64(i), float64(i%2), 0))
	}
	comb = append(comb, geom.FromGround(MaxConcave, 10, 0), geom.FromGround(0, 10, 0))
	for _, c := range []struct {
		name string
		face []geom.Vec
	}{
		{"quad", floor([2]float64{0, 0}, [2]float64{1, 0}, [2]float64{1, 1}, [2]float64{0, 1})},
		{"star of 40", star(rng, 40)},
		{"comb of the largest size", comb},
	} {
		b.Run(c.name, func(b *testing.B) {
			var cutter Cutter
			for b.Loop() {
				if tris, _ := cutter.Cut(c.face); len(tris) != len(c.face)-2 {
					b.Fatal(len(tris))
				}
			}
		})
	}
}

// TestWorkIsBounded cuts non-convex faces after much work: small ones are always cut properly, large ones no longer.
func TestWorkIsBounded(t *testing.T) {
	comb := func(teeth int) []geom.Vec {
		corners := []geom.Vec{{X: float64(teeth)}, {}}
		for i := range teeth {
			corners = append(corners, geom.Vec{X: float64(i), Z: 2}, geom.Vec{X: float64(i) + 0.5, Z: 1})
		}
		return corners
	}
	cutter := Cutter{work: freeWork - 1}
	for range 3 {
		if _, outcome := cutter.Cut(comb(120)); outcome != Clean {
			t.Errorf("a comb of 120 teeth: outcome %d", outcome)
		}
	}
	if _, outcome := cutter.Cut(comb(1000)); outcome != TooLong {
		t.Errorf("a comb of 1000 teeth: outcome %d", outcome)
	}
	var fresh Cutter
	if _, outcome := fresh.Cut(comb(1000)); outcome != Clean {
		t.Errorf("a first comb of 1000 teeth: outcome %d", outcome)
	}
}
