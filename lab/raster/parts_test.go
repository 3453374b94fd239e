package raster

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

func vertex(x, y, z int32) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z}
}

// TestSlabsPartition cuts triangles into slabs: the parts' areas sum to the whole, and every part is
// within its slab.
func TestSlabsPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		tri := [3]lattice.Vertex{}
		for k := range tri {
			tri[k] = vertex(r.Int32N(1000), r.Int32N(1000), r.Int32N(1000))
		}
		p := polygonOf(&tri)
		sum := 0.0
		for x := 0.0; x < 1000; x += 125 {
			part := p.slab(0, x, x+125)
			if part.n == 0 {
				continue
			}
			if lo, hi := part.span(0); lo < x || hi > x+125 {
				t.Fatalf("%v: part from %g to %g in the slab at %g", tri, lo, hi, x)
			}
			sum += part.area()
		}
		if want := p.area(); math.Abs(sum-want) > 1e-6*1e6 {
			t.Fatalf("%v: parts sum to %g, the whole is %g", tri, sum, want)
		}
	}
}

func TestUprightTriangleIsInBothSidesOfItsLine(t *testing.T) {
	tri := [3]lattice.Vertex{vertex(100, 0, 0), vertex(100, 100, 0), vertex(100, 100, 50)}
	p := polygonOf(&tri)
	left, right := p.slab(0, 0, 100), p.slab(0, 100, 200)
	if left.n == 0 || right.n == 0 {
		t.Errorf("%d vertices on the left, %d on the right", left.n, right.n)
	}
	a, b := p.planEnds()
	if a[1] != 0 || b[1] != 100 {
		t.Errorf("seen from above it goes from %v to %v", a, b)
	}
}

func TestLowestFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var h lowestFirst
	var want []heapItem
	for i := range int32(300) {
		item := heapItem{r.Int32N(50), i}
		want = append(want, item)
		h.push(item.z, item.patch)
	}
	slices.SortFunc(want, func(a, b heapItem) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	for i, w := range want {
		if got := h.pop(); got != w.patch {
			t.Fatalf("pop %d is patch %d, want %d", i, got, w.patch)
		}
	}
}

// TestSharpen gives a square room's contour, cut at its corners as interpolation does, back its
// corners, and leaves an arc alone.
func TestSharpen(t *testing.T) {
	const cell, n = 100, 12
	var square []lattice.Point
	turn := func(x, y int32, k int) lattice.Point {
		for range k {
			x, y = n*cell-y, x
		}
		return lattice.Point{X: x, Y: y}
	}
	for k := range 4 {
		for i := range int32(n) {
			square = append(square, turn(i*cell+cell/2, 0, k))
		}
	}
	sharp := sharpen(square, true, cell)
	if len(sharp) != len(square)+4 {
		t.Fatalf("%d points of %d", len(sharp), len(square))
	}
	for k := range 4 {
		if c := turn(n*cell, 0, k); !slices.Contains(sharp, c) {
			t.Errorf("no corner at %v", c)
		}
	}
	var arc []lattice.Point
	for i := range 60 {
		s, c := math.Sincos(float64(i) * math.Pi / 30)
		arc = append(arc, planar{700 * c, 700 * s}.round())
	}
	if got := sharpen(arc, true, cell); !slices.Equal(got, arc) {
		t.Error("an arc got corners")
	}
	if got := sharpen(square[:6], false, cell); !slices.Equal(got, square[:6]) {
		t.Error("too few points for a corner, and yet one was found")
	}
}

func TestBorderSegmentDistance(t *testing.T) {
	s := borderSegment{planar{0, 0}, planar{10, 0}}
	point := borderSegment{planar{1, 1}, planar{1, 1}}
	for _, c := range []struct {
		s    borderSegment
		p    planar
		want float64
	}{
		{s, planar{5, 3}, 3}, {s, planar{-3, 4}, 5}, {s, planar{13, -4}, 5}, {s, planar{10, 0}, 0}, {point, planar{4, 5}, 5},
	} {
		if got := c.s.distance(c.p); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v to %v: %g, want %g", c.p, c.s, got, c.want)
		}
	}
}

// TestCircumscribe simplifies a circle and checks that no point is beyond the chords, and that a square's
// sides stay.
func TestCircumscribe(t *testing.T) {
	const radius, limit = 2000, 250
	var circle []lattice.Point
	for i := range 120 {
		s, c := math.Sincos(-float64(i) * math.Pi / 60) // clockwise: a hole, its outside on the left
		circle = append(circle, planar{radius * c, radius * s}.round())
	}
	simple := lattice.Simplify([]lattice.Line{{Points: circle, Closed: true}}, limit)[0]
	moved := circumscribe(circle, simple.Kept, true, limit)
	if len(moved) >= 20 {
		t.Errorf("%d points", len(moved))
	}
	for i, a := range moved {
		b := moved[(i+1)%len(moved)]
		for _, p := range circle {
			if d := lattice.Orient(a, b, p); d > 0 && offLine(a, b, p) > cornerSlack+2 {
				t.Fatalf("%v is %.1f units beyond the chord from %v to %v", p, offLine(a, b, p), a, b)
			}
		}
		if d := math.Hypot(float64(a.X), float64(a.Y)); d > radius+2*limit {
			t.Errorf("%v is %.0f units from the centre", a, d)
		}
	}
	square := []lattice.Point{{X: 0, Y: 0}, {X: 500, Y: 0}, {X: 1000, Y: 0}, {X: 1000, Y: 1000}, {X: 0, Y: 1000}}
	kept := []int{0, 2, 3, 4}
	got := circumscribe(square, kept, true, limit)
	for i, k := range kept {
		if got[i] != square[k] {
			t.Errorf("corner %d moved to %v", k, got[i])
		}
	}
}

func TestStraightEnds(t *testing.T) {
	const cell = 100
	var border []lattice.Point
	for i := range int32(40) { // a wall with rounding, then an arc
		border = append(border, lattice.Point{X: 97 * i, Y: i % 3})
	}
	for i := range 30 {
		s, c := math.Sincos(float64(i+1) * math.Pi / 60)
		border = append(border, planar{97*39 + 700*s, 700 - 700*c}.round())
	}
	keep := straightEnds(border, false, cell)
	if !keep[0] {
		t.Error("the start of the wall is not kept")
	}
	for i := 1; i < 39; i++ {
		if keep[i] {
			t.Errorf("point %d inside of the wall is kept", i)
		}
	}
	ends := 0
	for i := 39; i < len(keep); i++ {
		if keep[i] {
			ends++
		}
	}
	if ends != 1 {
		t.Errorf("%d points are kept beyond the wall's end, want its end alone", ends)
	}
}
