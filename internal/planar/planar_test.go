package planar

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// pts makes points from pairs of numbers.
func pts(xy ...int32) []lattice.Point {
	out := make([]lattice.Point, len(xy)/2)
	for i := range out {
		out[i] = lattice.Point{X: xy[2*i], Y: xy[2*i+1]}
	}
	return out
}

const m = lattice.MaxCoord

func TestFault(t *testing.T) {
	tests := []struct {
		name string
		ring []lattice.Point
		want string
		at   int
	}{
		{"nothing", nil, "fewer than three corners", 0},
		{"two points", pts(0, 0, 1, 0), "fewer than three corners", 0},
		{"triangle", pts(0, 0, 1, 0, 0, 1), "", 0},
		{"widest square", pts(-m, -m, m, -m, m, m, -m, m), "", 0},
		{"corner in a straight side", pts(0, 0, 5, 0, 10, 0, 10, 10, 0, 10), "", 0},
		{"clockwise", pts(0, 0, 0, 1, 1, 0), "not convex", 1},
		{"reflex corner", pts(0, 0, 10, 0, 5, 4, 10, 10, 0, 10), "not convex", 2},
		{"repeated corner", pts(0, 0, 10, 0, 10, 0, 0, 10), "a repeated corner", 1},
		{"first corner again", pts(0, 0, 10, 0, 0, 10, 0, 0), "a repeated corner", 3},
		{"spike", pts(0, 0, 10, 0, 20, 0, 10, 0, 0, 10), "turns back on itself", 2},
		{"there and back", pts(0, 0, 10, 0, 5, 0), "turns back on itself", 1},
		{"star", pts(0, 100, -59, -81, 95, 31, -95, 31, 59, -81), "winds around itself more than once", 0},
		{"twice around", pts(0, 0, 10, 0, 10, 10, 0, 10, 0, 0, 10, 0, 10, 10, 0, 10), "winds around itself more than once", 0},
		{"curl", pts(0, 0, 10, 0, 10, 10, 2, 10, 2, 2, 8, 2, 8, 8, 0, 8), "winds around itself more than once", 0},
	}
	for _, test := range tests {
		if got, at := Fault(test.ring); got != test.want || got != "" && at != test.at {
			t.Errorf("%s: %q at %d, want %q at %d", test.name, got, at, test.want, test.at)
		}
	}
}

// TestFaultOfHulls checks that a hull of random points is convex from every start, and not convex when reversed or with
// two points swapped.
func TestFaultOfHulls(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 0))
		ring := convex(rng, 30)
		if len(ring) < 4 {
			continue
		}
		start := rng.IntN(len(ring))
		turned := append(slices.Clone(ring[start:]), ring[:start]...)
		if fault, at := Fault(turned); fault != "" {
			t.Errorf("seed %d: %s at %d of %v", seed, fault, at, turned)
		}
		slices.Reverse(turned)
		if fault, _ := Fault(turned); fault == "" {
			t.Errorf("seed %d: clockwise and no fault: %v", seed, turned)
		}
		ring[0], ring[1] = ring[1], ring[0]
		if fault, _ := Fault(ring); fault == "" {
			t.Errorf("seed %d: swapped and no fault: %v", seed, ring)
		}
	}
}

// convex returns a convex polygon: the hull of random points, by gift wrapping.
func convex(rng *rand.Rand, size int32) []lattice.Point {
	points := make([]lattice.Point, 3+rng.IntN(8))
	for i := range points {
		points[i] = lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}
	}
	start := slices.MinFunc(points, lattice.Point.Compare)
	var ring []lattice.Point
	for at := start; ; {
		ring = append(ring, at)
		next := at
		for _, p := range points {
			if p == at {
				continue
			}
			if o := lattice.Orient(at, next, p); next == at || o < 0 || o == 0 && at.Distance2(p) > at.Distance2(next) {
				next = p
			}
		}
		if at = next; at == start || len(ring) > len(points) {
			return ring
		}
	}
}

func TestOverlap(t *testing.T) {
	box := func(x0, y0, x1, y1 int32) []lattice.Point { return pts(x0, y0, x1, y0, x1, y1, x0, y1) }
	tests := []struct {
		name string
		p, q []lattice.Point
		want bool
	}{
		{"apart", box(0, 0, 10, 10), box(20, 0, 30, 10), false},
		{"a common side", box(0, 0, 10, 10), box(10, 0, 30, 10), false},
		{"a part of a side", box(0, 0, 10, 10), box(10, 3, 30, 50), false},
		{"a common corner", box(0, 0, 10, 10), box(10, 10, 30, 30), false},
		{"a corner on a side", box(0, 0, 10, 10), pts(10, 5, 20, 0, 20, 10), false},
		{"a corner inside", box(0, 0, 10, 10), pts(9, 5, 20, 0, 20, 10), true},
		{"crossed bars", box(0, 4, 10, 6), box(4, 0, 6, 10), true},
		{"one inside", box(0, 0, 10, 10), box(4, 4, 6, 6), true},
		{"the same", box(0, 0, 10, 10), box(0, 0, 10, 10), true},
		{"by less than a unit", pts(0, 0, m, 1, 0, m), pts(0, 0, m, 0, m, 2), true},
		{"along a slanted line", pts(-m, -m, m, m, -m, m), pts(-m, -m, m, -m, m, m), false},
	}
	for _, test := range tests {
		if Overlap(test.p, test.q) != test.want || Overlap(test.q, test.p) != test.want {
			t.Errorf("%s: %v", test.name, !test.want)
		}
	}
}

// TestOverlapAgainstDistance compares Overlap with the definition: two convex polygons overlap iff sides cross
// properly, or they have a common inner point, for example the middle of the common corners.
func TestOverlapAgainstDistance(t *testing.T) {
	near, overlapping := 0, 0
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p, q := convex(rng, 12), convex(rng, 12)
		dx := rng.Int32N(24)
		for i := range q {
			q[i].X += dx
		}
		if f, _ := Fault(p); f != "" {
			continue
		}
		if f, _ := Fault(q); f != "" {
			continue
		}
		want := false
		for i, a := range p {
			for k, c := range q {
				want = want || lattice.SegmentContact(a, p[(i+1)%len(p)], c, q[(k+1)%len(q)]) == lattice.ProperCrossing
			}
		}
		// When all coordinates are scaled by 6, every lattice triangle of twice the size has its centre on the lattice.
		want = want || commonInside(p, q)
		if got := Overlap(p, q); got != want {
			t.Errorf("seed %d: %v, want %v: %v %v", seed, got, want, p, q)
		}
		for _, d := range []uint64{0, 1, 3} {
			if Overlap(p, q) && !Near(p, q, d) {
				t.Errorf("seed %d: overlapping and not near", seed)
			}
			if Near(p, q, d) {
				near++
			} else if Near(p, q, d/2) {
				t.Errorf("seed %d: nearer than %d and not than %d", seed, d/2, d)
			}
		}
		if want {
			overlapping++
		}
	}
	if near == 0 || overlapping < 100 {
		t.Errorf("%d near, %d overlapping", near, overlapping)
	}
}

// commonInside looks for a common inner point at the centres of triangles. The corners of a triangle are corners of
// either polygon, in or on the border of the other.
func commonInside(p, q []lattice.Point) bool {
	scaled := func(r []lattice.Point) lattice.Ring {
		out := make(lattice.Ring, len(r))
		for i, v := range r {
			out[i] = lattice.Point{X: 6 * v.X, Y: 6 * v.Y}
		}
		return out
	}
	sp, sq := scaled(p), scaled(q)
	var common []lattice.Point
	for _, v := range append(slices.Clone(sp), sq...) {
		if sp.Locate(v) != lattice.Outside && sq.Locate(v) != lattice.Outside {
			common = append(common, v)
		}
	}
	for _, a := range common {
		for _, b := range common {
			for _, c := range common {
				centre := lattice.Point{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3}
				if sp.Locate(centre) == lattice.Inside && sq.Locate(centre) == lattice.Inside {
					return true
				}
			}
		}
	}
	return false
}

func TestNear(t *testing.T) {
	p := pts(0, 0, 10, 0, 10, 10, 0, 10)
	for _, test := range []struct {
		q    []lattice.Point
		d    uint64
		want bool
	}{
		{pts(13, 0, 20, 0, 20, 10), 2, false},
		{pts(12, 0, 20, 0, 20, 10), 2, true},
		{pts(13, 14, 20, 14, 20, 20), 4, false}, // 3 and 4 away: 5
		{pts(13, 14, 20, 14, 20, 20), 5, true},
		{pts(4, 4, 6, 4, 5, 6), 0, true}, // inside
		{pts(10, 10, 20, 10, 20, 20), 0, true},
	} {
		if Near(p, test.q, test.d) != test.want || Near(test.q, p, test.d) != test.want {
			t.Errorf("%v within %d: %v", test.q, test.d, !test.want)
		}
	}
}

// meeting is a call of Match's function, with the sides in order.
type meeting struct {
	i, j int
	a, b lattice.Point
}

func TestMatch(t *testing.T) {
	side := func(group int32, xy ...int32) Side {
		p := pts(xy...)
		return Side{A: p[0], B: p[1], Group: group}
	}
	tests := []struct {
		name  string
		sides []Side
		want  []meeting
	}{
		{"reversed", []Side{side(0, 0, 0, 10, 0), side(0, 10, 0, 0, 0)}, []meeting{{0, 1, pts(0, 0)[0], pts(10, 0)[0]}}},
		{"overlap in part", []Side{side(0, 7, 0, -3, 0), side(0, 0, 0, 10, 0)}, []meeting{{1, 0, pts(0, 0)[0], pts(7, 0)[0]}}},
		{"one inside of the other", []Side{side(0, 0, 9, 0, 0), side(0, 0, 2, 0, 5)}, []meeting{{1, 0, pts(0, 2)[0], pts(0, 5)[0]}}},
		{
			"one against many",
			[]Side{side(0, 0, 0, 30, 15), side(0, 10, 5, -10, -5), side(0, 30, 15, 10, 5)},
			[]meeting{{0, 1, pts(0, 0)[0], pts(10, 5)[0]}, {0, 2, pts(10, 5)[0], pts(30, 15)[0]}},
		},
		{"a common point only", []Side{side(0, 0, 0, 10, 0), side(0, 20, 0, 10, 0)}, nil},
		{"same direction", []Side{side(0, 0, 0, 10, 0), side(0, 5, 0, 20, 0)}, nil},
		{"parallel", []Side{side(0, 0, 0, 10, 0), side(0, 10, 1, 0, 1)}, nil},
		{"groups", []Side{side(0, 0, 0, 10, 0), side(1, 10, 0, 0, 0)}, nil},
		{"no length", []Side{side(0, 3, 0, 3, 0), side(0, 10, 0, 0, 0)}, nil},
		{"the whole frame", []Side{side(0, -m, -m, m, m), side(0, m, m, -m, -m)}, []meeting{{0, 1, pts(-m, -m)[0], pts(m, m)[0]}}},
		{"nearly parallel", []Side{side(0, -m, -m, m, m), side(0, m, m-1, -m, -m)}, nil},
		{"due north", []Side{side(0, 5, m, 5, -m), side(0, 5, -m, 5, m)}, []meeting{{1, 0, pts(5, -m)[0], pts(5, m)[0]}}},
	}
	for _, test := range tests {
		var got []meeting
		Match(test.sides, func(i, j int, a, b lattice.Point) { got = append(got, meeting{i, j, a, b}) }, nil)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestMatchClash(t *testing.T) {
	p := pts(0, 0, 10, 0, 5, 0, 20, 0, 20, 0, 30, 0)
	sides := []Side{{A: p[0], B: p[1]}, {A: p[2], B: p[3]}, {A: p[4], B: p[5]}}
	var at []lattice.Point
	Match(sides, func(i, j int, a, b lattice.Point) { t.Errorf("%d and %d meet", i, j) },
		func(i, j int, p lattice.Point) {
			if i != 0 || j != 1 {
				t.Errorf("%d and %d clash", i, j)
			}
			at = append(at, p)
		})
	if len(at) != 1 || at[0] != p[2] {
		t.Errorf("clashes at %v", at)
	}
}

// TestMatchAgainstBruteForce compares random stretches of a few lines with a comparison of all pairs.
func TestMatchAgainstBruteForce(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var sides []Side
		for range 4 {
			// Along one line, onward and backward sides without overlaps among themselves.
			dx, dy, x0, y0 := rng.Int32N(3), rng.Int32N(5)-2, rng.Int32N(3), rng.Int32N(3)
			if dx == 0 && dy <= 0 {
				dy = 1
			}
			for _, onward := range []bool{true, false} {
				for s := rng.Int32N(4); s < 30; {
					e := s + 1 + rng.Int32N(6)
					a, b := lattice.Point{X: x0 + s*dx, Y: y0 + s*dy}, lattice.Point{X: x0 + e*dx, Y: y0 + e*dy}
					if !onward {
						a, b = b, a
					}
					sides = append(sides, Side{A: a, B: b, Group: rng.Int32N(2)})
					s = e + rng.Int32N(3)
				}
			}
		}
		var got, want []meeting
		clashes := false
		Match(sides, func(i, j int, a, b lattice.Point) { got = append(got, meeting{i, j, a, b}) },
			func(i, j int, at lattice.Point) { clashes = true })
		if clashes {
			continue // two of the lines are equal
		}
		for i, s := range sides {
			for j, o := range sides {
				if s.Group != o.Group || s.A.Compare(s.B) > 0 || o.A.Compare(o.B) < 0 ||
					lattice.SegmentContact(s.A, s.B, o.A, o.B) != lattice.Overlap {
					continue
				}
				a, b := s.A, s.B
				if o.B.Compare(a) > 0 {
					a = o.B
				}
				if o.A.Compare(b) < 0 {
					b = o.A
				}
				want = append(want, meeting{i, j, a, b})
			}
		}
		order := func(x, y meeting) int {
			if x.i != y.i {
				return x.i - y.i
			}
			return x.j - y.j
		}
		slices.SortFunc(got, order)
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %v, want %v", seed, got, want)
		}
	}
}

func TestIndexAgainstBruteForce(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		boxes := make([]lattice.Box, rng.IntN(200))
		random := func() lattice.Box {
			size := int32(1) << rng.IntN(31)
			p := lattice.Point{X: rng.Int32N(2*m) - m, Y: rng.Int32N(2*m) - m}
			if rng.IntN(2) == 0 {
				p = lattice.Point{X: rng.Int32N(200) - 100, Y: rng.Int32N(200) - 100}
			}
			q := lattice.Point{X: p.X + rng.Int32N(size), Y: p.Y + rng.Int32N(size)}
			return lattice.BoxOf(p, lattice.Point{X: min(max(q.X, p.X), m), Y: min(max(q.Y, p.Y), m)})
		}
		for i := range boxes {
			if boxes[i] = random(); rng.IntN(20) == 0 {
				boxes[i] = lattice.EmptyBox()
			}
		}
		x := NewIndex(boxes)
		for range 20 {
			q := random()
			var got, want []int
			x.Each(q, func(i int) bool { got = append(got, i); return true })
			for i, b := range boxes {
				if b.Overlaps(q) {
					want = append(want, i)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %v touch %v, want %v", seed, got, q, want)
			}
		}
		pairs := map[[2]int]int{}
		x.Pairs(func(i, j int) bool { pairs[[2]int{i, j}]++; return true })
		for i, a := range boxes {
			for j := i + 1; j < len(boxes); j++ {
				want := 0
				if a.Overlaps(boxes[j]) {
					want = 1
				}
				if pairs[[2]int{i, j}] != want {
					t.Fatalf("seed %d: pair %d, %d found %d times, want %d", seed, i, j, pairs[[2]int{i, j}], want)
				}
			}
		}
	}
}

// TestAlongAgainstBruteForce holds the boxes along a segment against all boxes that the segment meets.
func TestAlongAgainstBruteForce(t *testing.T) {
	met := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		span := int32(1) << (2 + rng.IntN(28))
		boxes := make([]lattice.Box, rng.IntN(300))
		for i := range boxes {
			size := int32(1) << rng.IntN(31)
			p := lattice.Point{X: rng.Int32N(2*span) - span, Y: rng.Int32N(2*span) - span}
			q := lattice.Point{X: min(p.X, m-size) + rng.Int32N(size), Y: min(p.Y, m-size) + rng.Int32N(size)}
			if boxes[i] = lattice.BoxOf(p, q); rng.IntN(20) == 0 {
				boxes[i] = lattice.EmptyBox()
			}
		}
		x := NewIndex(boxes)
		for range 30 {
			end := func() float64 { return (2*rng.Float64() - 1) * float64(span) }
			x0, y0, x1, y1 := end(), end(), end(), end()
			switch rng.IntN(4) {
			case 0:
				x1 = x0
			case 1:
				y1 = y0
			}
			found := make([]int, len(boxes))
			x.Along(x0, y0, x1, y1, func(i int) { found[i]++ })
			for i, b := range boxes {
				if found[i] > 1 {
					t.Fatalf("seed %d: %v found %d times", seed, b, found[i])
				}
				if b.IsEmpty() {
					continue
				}
				from, to := 0.0, 1.0
				clip := func(at, step, low, high float64) {
					if step == 0 {
						if at < low || at > high {
							to = -1
						}
						return
					}
					a, b := (low-at)/step, (high-at)/step
					from, to = max(from, min(a, b)), min(to, max(a, b))
				}
				clip(x0, x1-x0, float64(b.Min.X)-0.99, float64(b.Max.X)+0.99)
				clip(y0, y1-y0, float64(b.Min.Y)-0.99, float64(b.Max.Y)+0.99)
				if from <= to {
					met++
					if found[i] == 0 {
						t.Fatalf("seed %d: %v not found along %v,%v to %v,%v", seed, b, x0, y0, x1, y1)
					}
				}
			}
		}
	}
	if met < 10000 {
		t.Errorf("the segments met %d boxes, too few", met)
	}
}

// TestIndexStops checks that both walks stop on request.
func TestIndexStops(t *testing.T) {
	boxes := make([]lattice.Box, 50)
	for i := range boxes {
		boxes[i] = lattice.BoxOf(lattice.Point{}, lattice.Point{X: 1 << (i % 20)})
	}
	x := NewIndex(boxes)
	n := 0
	x.Pairs(func(i, j int) bool { n++; return n < 7 })
	if n != 7 {
		t.Errorf("%d pairs after being told to stop at 7", n)
	}
	n = 0
	x.Each(boxes[0], func(i int) bool { n++; return n < 7 })
	if n != 7 {
		t.Errorf("%d boxes after being told to stop at 7", n)
	}
}
