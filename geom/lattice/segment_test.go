package lattice

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/meadow-nav/meadow/internal/race"
)

func TestSegmentContactTable(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name       string
		a, b, c, d Point
		want       Contact
	}{
		{"apart", Point{0, 0}, Point{1, 0}, Point{0, 2}, Point{1, 3}, Disjoint},
		{"boxes overlap, segments do not", Point{0, 0}, Point{10, 10}, Point{5, 4}, Point{9, 0}, Disjoint},
		{"line of one crosses the other, not the segment", Point{0, 0}, Point{2, 2}, Point{0, 5}, Point{5, 0}, Disjoint},
		{"parallel", Point{0, 0}, Point{10, 10}, Point{1, 0}, Point{11, 10}, Disjoint},
		{"parallel horizontal", Point{0, 0}, Point{10, 0}, Point{0, 1}, Point{10, 1}, Disjoint},
		{"parallel vertical", Point{0, 0}, Point{0, 10}, Point{1, 0}, Point{1, 10}, Disjoint},
		{"collinear with a gap", Point{0, 0}, Point{2, 2}, Point{3, 3}, Point{9, 9}, Disjoint},
		{"collinear horizontal with a gap", Point{0, 0}, Point{2, 0}, Point{3, 0}, Point{4, 0}, Disjoint},
		{"collinear vertical with a gap", Point{0, 0}, Point{0, 2}, Point{0, 3}, Point{0, 4}, Disjoint},
		{"crossing", Point{0, 0}, Point{10, 10}, Point{0, 10}, Point{10, 0}, ProperCrossing},
		{"crossing, horizontal and vertical", Point{-5, 0}, Point{5, 0}, Point{0, -5}, Point{0, 5}, ProperCrossing},
		{"crossing between lattice points", Point{0, 0}, Point{1, 1}, Point{0, 1}, Point{1, 0}, ProperCrossing},
		{"crossing, diagonals of the frame", Point{-m, -m}, Point{m, m}, Point{-m, m}, Point{m, -m}, ProperCrossing},
		{"a unit from parallel over the frame", Point{-m, 0}, Point{m, 1}, Point{-m, 1}, Point{m, 0}, ProperCrossing},
		{"common end", Point{0, 0}, Point{5, 5}, Point{5, 5}, Point{9, 0}, SharedEnd},
		{"common end, straight on", Point{0, 0}, Point{5, 5}, Point{5, 5}, Point{9, 9}, SharedEnd},
		{"common end at the corner of the frame", Point{0, 0}, Point{m, m}, Point{m, m}, Point{m, 0}, SharedEnd},
		{"T", Point{0, 0}, Point{10, 0}, Point{5, 0}, Point{5, 5}, EndOnInterior},
		{"T on a slant", Point{0, 0}, Point{10, 20}, Point{5, 10}, Point{7, 0}, EndOnInterior},
		{"a unit short of a T", Point{0, 0}, Point{10, 0}, Point{5, 1}, Point{5, 5}, Disjoint},
		{"overlapping in part", Point{0, 0}, Point{5, 5}, Point{3, 3}, Point{9, 9}, Overlap},
		{"one in the other", Point{0, 0}, Point{9, 9}, Point{3, 3}, Point{5, 5}, Overlap},
		{"one in the other with a common end", Point{0, 0}, Point{9, 9}, Point{0, 0}, Point{5, 5}, Overlap},
		{"the same", Point{0, 0}, Point{9, 5}, Point{0, 0}, Point{9, 5}, Overlap},
		{"the same turned round", Point{0, 0}, Point{9, 5}, Point{9, 5}, Point{0, 0}, Overlap},
		{"overlapping, vertical", Point{3, 0}, Point{3, 9}, Point{3, 5}, Point{3, 12}, Overlap},
		{"point and segment apart", Point{0, 1}, Point{0, 1}, Point{-5, 0}, Point{5, 0}, Disjoint},
		{"point beyond the end of a segment", Point{7, 0}, Point{7, 0}, Point{-5, 0}, Point{5, 0}, Disjoint},
		{"point inside of a segment", Point{0, 0}, Point{0, 0}, Point{-5, 0}, Point{5, 0}, EndOnInterior},
		{"point on an end", Point{5, 0}, Point{5, 0}, Point{-5, 0}, Point{5, 0}, SharedEnd},
		{"equal points", Point{5, 5}, Point{5, 5}, Point{5, 5}, Point{5, 5}, SharedEnd},
		{"different points", Point{5, 5}, Point{5, 5}, Point{5, 6}, Point{5, 6}, Disjoint},
	} {
		if got := SegmentContact(c.a, c.b, c.c, c.d); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got := refContact(c.a, c.b, c.c, c.d); got != c.want {
			t.Errorf("%s: the reference says %v, want %v", c.name, got, c.want)
		}
	}
}

// checkContact compares an answer with the reference, and checks the laws.
func checkContact(t interface{ Fatalf(string, ...any) }, a, b, c, d Point) {
	want := refContact(a, b, c, d)
	for _, s := range [][4]Point{{a, b, c, d}, {b, a, c, d}, {a, b, d, c}, {c, d, a, b}, {d, c, b, a}} {
		if got := SegmentContact(s[0], s[1], s[2], s[3]); got != want {
			t.Fatalf("SegmentContact%v = %v, want %v", s, got, want)
		}
	}
	if got, on := OnSegment(c, a, b), refContact(a, b, c, c) != Disjoint; got != on {
		t.Fatalf("OnSegment(%v, %v, %v) = %v", c, a, b, got)
	}
}

func TestSegmentContactOnAllSmallQuadruples(t *testing.T) {
	race.Skip(t)
	all := gridPoints()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				for _, d := range all {
					if got, want := SegmentContact(a, b, c, d), refContact(a, b, c, d); got != want {
						t.Fatalf("SegmentContact(%v, %v, %v, %v) = %v, want %v", a, b, c, d, got, want)
					}
				}
			}
		}
	}
}

func TestSegmentContactEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		checkContact(t, p[0], p[1], p[2], p[3])
	})
}

func TestInConeTable(t *testing.T) {
	v := Point{0, 0}
	for _, c := range []struct {
		name             string
		prev, next, p    Point
		closed, strictly bool
	}{
		{"convex, inside", Point{0, 5}, Point{5, 0}, Point{3, 3}, true, true},
		{"convex, along the edge to next", Point{0, 5}, Point{5, 0}, Point{9, 0}, true, false},
		{"convex, along the edge to prev", Point{0, 5}, Point{5, 0}, Point{0, 1}, true, false},
		{"convex, behind next", Point{0, 5}, Point{5, 0}, Point{-9, 0}, false, false},
		{"convex, opposite", Point{0, 5}, Point{5, 0}, Point{-3, -3}, false, false},
		{"reflex, inside", Point{5, 0}, Point{0, 5}, Point{-3, -3}, true, true},
		{"reflex, behind next", Point{5, 0}, Point{0, 5}, Point{0, -1}, true, true},
		{"reflex, along the edge to next", Point{5, 0}, Point{0, 5}, Point{0, 2}, true, false},
		{"reflex, in the notch", Point{5, 0}, Point{0, 5}, Point{1, 1}, false, false},
		{"straight, on the left", Point{-5, 0}, Point{5, 0}, Point{1, 7}, true, true},
		{"straight, along", Point{-5, 0}, Point{5, 0}, Point{1, 0}, true, false},
		{"straight, on the right", Point{-5, 0}, Point{5, 0}, Point{1, -7}, false, false},
		{"tip of a wall, beside it", Point{5, 0}, Point{3, 0}, Point{1, -7}, true, true},
		{"tip of a wall, straight on", Point{5, 0}, Point{3, 0}, Point{-1, 0}, true, true},
		{"tip of a wall, along it", Point{5, 0}, Point{3, 0}, Point{9, 0}, true, false},
		{"the vertex itself", Point{0, 5}, Point{5, 0}, v, false, false},
	} {
		if got := InCone(c.p, c.prev, v, c.next); got != c.closed {
			t.Errorf("%s: closed %v, want %v", c.name, got, c.closed)
		}
		if got := StrictlyInCone(c.p, c.prev, v, c.next); got != c.strictly {
			t.Errorf("%s: strictly %v, want %v", c.name, got, c.strictly)
		}
	}
}

func checkInCone(t interface{ Fatalf(string, ...any) }, p, prev, v, next Point) {
	if prev == v || next == v {
		return // no angle
	}
	if got, want := InCone(p, prev, v, next), refInCone(p, prev, v, next, false); got != want {
		t.Fatalf("InCone(%v, %v, %v, %v) = %v, want %v", p, prev, v, next, got, want)
	}
	if got, want := StrictlyInCone(p, prev, v, next), refInCone(p, prev, v, next, true); got != want {
		t.Fatalf("StrictlyInCone(%v, %v, %v, %v) = %v, want %v", p, prev, v, next, got, want)
	}
}

func TestInConeOnAllSmallQuadruples(t *testing.T) {
	all := gridPoints()
	for _, p := range all {
		for _, prev := range all {
			for _, next := range all {
				checkInCone(t, p, prev, Point{}, next)
			}
		}
	}
}

func TestInConeEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		checkInCone(t, p[3], p[0], p[1], p[2])
	})
}

func TestInCircleTable(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name       string
		a, b, c, d Point
		want       int
	}{
		{"centre", Point{1, 0}, Point{0, 1}, Point{-1, 0}, Point{0, 0}, 1},
		{"on the circle", Point{1, 0}, Point{0, 1}, Point{-1, 0}, Point{0, -1}, 0},
		{"outside", Point{1, 0}, Point{0, 1}, Point{-1, 0}, Point{0, -2}, -1},
		{"one of the three", Point{1, 0}, Point{0, 1}, Point{-1, 0}, Point{0, 1}, 0},
		{"clockwise turns the sign", Point{-1, 0}, Point{0, 1}, Point{1, 0}, Point{0, 0}, -1},
		{"fourth corner of the frame", Point{-m, -m}, Point{m, -m}, Point{m, m}, Point{-m, m}, 0},
		{"a unit inside of the fourth corner", Point{-m, -m}, Point{m, -m}, Point{m, m}, Point{-m + 1, m}, 1},
		{"collinear in order", Point{0, 0}, Point{1, 0}, Point{2, 0}, Point{1, 1}, 1},
		{"collinear out of order", Point{1, 0}, Point{0, 0}, Point{2, 0}, Point{1, 1}, -1},
		{"four collinear", Point{0, 0}, Point{1, 0}, Point{2, 0}, Point{7, 0}, 0},
	} {
		if got := InCircle(c.a, c.b, c.c, c.d); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestInCircleEqualsReference(t *testing.T) {
	race.Skip(t)
	all := gridPoints()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				for _, d := range all {
					if got, want := InCircle(a, b, c, d), refInCircle(a, b, c, d); got != want {
						t.Fatalf("InCircle(%v, %v, %v, %v) = %d, want %d", a, b, c, d, got, want)
					}
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		if got, want := InCircle(p[0], p[1], p[2], p[3]), refInCircle(p[0], p[1], p[2], p[3]); got != want {
			t.Fatalf("InCircle(%v) = %d, want %d", p, got, want)
		}
	})
}

// TestInCircleIsExact takes points of one circle, all large, and points a unit beside it: floats cannot tell them apart.
func TestInCircleIsExact(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		x, y := rng.Int32N(MaxCoord/2), rng.Int32N(MaxCoord/2)
		on := []Point{{x, y}, {-y, x}, {y, x}, {x, -y}, {-x, y}, {y, -x}}
		rng.Shuffle(len(on), func(i, k int) { on[i], on[k] = on[k], on[i] })
		at := Point{rng.Int32N(MaxCoord) - MaxCoord/2, rng.Int32N(MaxCoord) - MaxCoord/2}
		for i := range on {
			on[i] = Point{on[i].X + at.X, on[i].Y + at.Y}
		}
		on[3].X += rng.Int32N(3) - 1
		if got, want := InCircle(on[0], on[1], on[2], on[3]), refInCircle(on[0], on[1], on[2], on[3]); got != want {
			t.Fatalf("InCircle(%v) = %d, want %d", on[:4], got, want)
		}
	}
}

func TestNearestTable(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name          string
		p, a, b, want Point
	}{
		{"before the start", Point{-5, 3}, Point{0, 0}, Point{10, 0}, Point{0, 0}},
		{"after the end", Point{15, 3}, Point{0, 0}, Point{10, 0}, Point{10, 0}},
		{"above", Point{4, 3}, Point{0, 0}, Point{10, 0}, Point{4, 0}},
		{"half rounds up", Point{0, 1}, Point{0, 0}, Point{1, 1}, Point{1, 1}},
		{"half rounds up, negative", Point{0, -1}, Point{0, 0}, Point{-1, -1}, Point{0, 0}},
		{"half rounds up, the ends swapped", Point{0, -1}, Point{-1, -1}, Point{0, 0}, Point{0, 0}},
		{"segment without length", Point{3, 3}, Point{7, 8}, Point{7, 8}, Point{7, 8}},
		{"over the whole frame", Point{m, -m}, Point{-m, -m}, Point{m, m}, Point{0, 0}},
	} {
		if got := Nearest(c.p, c.a, c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func checkNearest(t interface{ Fatalf(string, ...any) }, p, a, b Point) {
	want, _ := refRound(refNearest(p, a, b))
	if got := Nearest(p, a, b); got != want {
		t.Fatalf("Nearest(%v, %v, %v) = %v, want %v", p, a, b, got, want)
	}
	if got := Nearest(p, b, a); got != want {
		t.Fatalf("Nearest(%v, %v, %v) = %v depends on the order of the ends", p, a, b, got)
	}
}

func TestNearestEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 3)
		checkNearest(t, p[0], p[1], p[2])
	})
}

func TestLineIntersectionTable(t *testing.T) {
	const m = MaxCoord
	for _, c := range []struct {
		name       string
		a, b, c, d Point
		want       Point
		ok         bool
	}{
		{"axes", Point{-5, 0}, Point{5, 0}, Point{0, -5}, Point{0, 5}, Point{0, 0}, true},
		{"halves round up", Point{0, 0}, Point{1, 1}, Point{0, 1}, Point{1, 0}, Point{1, 1}, true},
		{"negative halves round up", Point{0, 0}, Point{-1, -1}, Point{0, -1}, Point{-1, 0}, Point{0, 0}, true},
		{"outside of both segments", Point{0, 0}, Point{1, 0}, Point{7, 5}, Point{7, 6}, Point{7, 0}, true},
		{"parallel", Point{0, 0}, Point{5, 5}, Point{1, 0}, Point{6, 5}, Point{}, false},
		{"the same line", Point{0, 0}, Point{5, 5}, Point{1, 1}, Point{6, 6}, Point{}, false},
		{"no line", Point{3, 3}, Point{3, 3}, Point{1, 1}, Point{6, 9}, Point{}, false},
		{"beyond the frame", Point{-m, 0}, Point{m, 1}, Point{0, 2}, Point{m, 2}, Point{}, false},
		{"far beyond the frame", Point{-m, 0}, Point{m, 1}, Point{-m, m}, Point{m, m}, Point{}, false},
		{"diagonals of the frame", Point{-m, -m}, Point{m, m}, Point{-m, m}, Point{m, -m}, Point{0, 0}, true},
		{"corner of the frame", Point{-m, m}, Point{0, m}, Point{m, -m}, Point{m, 0}, Point{m, m}, true},
	} {
		got, ok := LineIntersection(c.a, c.b, c.c, c.d)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

func checkLineIntersection(t interface{ Fatalf(string, ...any) }, a, b, c, d Point) {
	exact, ok := refLineIntersection(a, b, c, d)
	var want Point
	if ok {
		want, ok = refRound(exact)
	}
	if !ok {
		want = Point{}
	}
	for _, s := range [][4]Point{{a, b, c, d}, {b, a, c, d}, {c, d, a, b}} {
		got, gotOK := LineIntersection(s[0], s[1], s[2], s[3])
		if got != want || gotOK != ok {
			t.Fatalf("LineIntersection%v = %v, %v, want %v, %v", s, got, gotOK, want, ok)
		}
	}
	if SegmentContact(a, b, c, d) != ProperCrossing {
		return
	}
	if !ok {
		t.Fatalf("no intersection for the proper crossing of %v %v and %v %v", a, b, c, d)
	}
	// Off by at most half a unit in each coordinate.
	off := bigPoint(want).sub(exact)
	if off.x.Abs(off.x).Cmp(ratHalf) > 0 || off.y.Abs(off.y).Cmp(ratHalf) > 0 {
		t.Fatalf("LineIntersection(%v, %v, %v, %v) is off by %v, %v", a, b, c, d, off.x, off.y)
	}
}

func TestLineIntersectionEqualsReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		checkLineIntersection(t, p[0], p[1], p[2], p[3])
	})
}

func TestContactString(t *testing.T) {
	seen := map[string]bool{}
	for c := range Overlap + 2 {
		seen[c.String()] = true
	}
	if len(seen) != int(Overlap)+2 {
		t.Errorf("names are not different: %v", seen)
	}
}

func checkDistance(t interface{ Fatalf(string, ...any) }, p, q, a, b Point) {
	r, s := SegmentDistance2(p, a, b), SegmentDistance2(q, a, b)
	wantR, wantS := refSegmentDistance2(p, a, b), refSegmentDistance2(q, a, b)
	if ratOf(r).Cmp(wantR) != 0 {
		t.Fatalf("SegmentDistance2(%v, %v, %v) = %v, want %v", p, a, b, ratOf(r), wantR)
	}
	if got, want := r.Compare(s), wantR.Cmp(wantS); got != want || s.Compare(r) != -want {
		t.Fatalf("%v and %v from %v %v: compare %d, want %d", p, q, a, b, got, want)
	}
	if r.Compare(SegmentDistance2(p, b, a)) != 0 {
		t.Fatalf("the distance of %v and %v %v depends on the order of the ends", p, a, b)
	}
	if r.IsZero() != OnSegment(p, a, b) {
		t.Fatalf("IsZero of %v and %v %v", p, a, b)
	}
	n := q.Distance2(a)
	if got, want := r.CompareInt(n), wantR.Cmp(new(big.Rat).SetUint64(n)); got != want {
		t.Fatalf("%v compared with %d: %d, want %d", wantR, n, got, want)
	}
	want, _ := wantR.Float64()
	if got := r.Float(); got < want*(1-0x1p-51) || got > want*(1+0x1p-51) {
		t.Fatalf("Float() = %g, want %g", got, want)
	}
	if got := r.Sqrt(); got*got < want*(1-0x1p-50) || got*got > want*(1+0x1p-50) {
		t.Fatalf("Sqrt() = %g, want the root of %g", got, want)
	}
}

func TestSegmentDistanceEqualsReference(t *testing.T) {
	race.Skip(t)
	all := gridPoints()
	for _, p := range all {
		for _, q := range all[:3] {
			for _, a := range all {
				for _, b := range all {
					checkDistance(t, p, q, a, b)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		checkDistance(t, p[0], p[3], p[1], p[2])
	})
}

func TestSegmentsDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 4)
		got := ratOf(SegmentsDistance2(p[0], p[1], p[2], p[3]))
		want := new(big.Rat)
		if refContact(p[0], p[1], p[2], p[3]) == Disjoint {
			want = refSegmentDistance2(p[0], p[2], p[3])
			for _, d := range []*big.Rat{
				refSegmentDistance2(p[1], p[2], p[3]), refSegmentDistance2(p[2], p[0], p[1]), refSegmentDistance2(p[3], p[0], p[1]),
			} {
				if d.Cmp(want) < 0 {
					want = d
				}
			}
		}
		if got.Cmp(want) != 0 {
			t.Fatalf("SegmentsDistance2(%v) = %v, want %v", p, got, want)
		}
	})
}

func TestLineDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := somePoints(t, 3)
		var want *big.Rat
		if p[1] == p[2] {
			want = refSegmentDistance2(p[0], p[1], p[2])
		} else {
			area := refOrient(p[0], p[1], p[2])
			ab := bigPoint(p[2]).sub(bigPoint(p[1]))
			want = area.Mul(area, area)
			want.Quo(want, ab.dot(ab))
		}
		if got := ratOf(LineDistance2(p[0], p[1], p[2])); got.Cmp(want) != 0 {
			t.Fatalf("LineDistance2(%v) = %v, want %v", p, got, want)
		}
	})
}
