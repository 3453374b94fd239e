package lattice

import (
	"math/big"

	"pgregory.net/rapid"
)

// The reference: every predicate once more in math/big, written from its definition and not from
// the code, as slow and as plain as possible.

type bigVec struct{ x, y *big.Rat }

func bigPoint(p Point) bigVec {
	return bigVec{new(big.Rat).SetInt64(int64(p.X)), new(big.Rat).SetInt64(int64(p.Y))}
}

func (v bigVec) sub(w bigVec) bigVec {
	return bigVec{new(big.Rat).Sub(v.x, w.x), new(big.Rat).Sub(v.y, w.y)}
}

// plus returns v + t·w.
func (v bigVec) plus(t *big.Rat, w bigVec) bigVec {
	return bigVec{
		new(big.Rat).Add(v.x, new(big.Rat).Mul(t, w.x)),
		new(big.Rat).Add(v.y, new(big.Rat).Mul(t, w.y)),
	}
}

func (v bigVec) cross(w bigVec) *big.Rat {
	return new(big.Rat).Sub(new(big.Rat).Mul(v.x, w.y), new(big.Rat).Mul(v.y, w.x))
}

func (v bigVec) dot(w bigVec) *big.Rat {
	return new(big.Rat).Add(new(big.Rat).Mul(v.x, w.x), new(big.Rat).Mul(v.y, w.y))
}

var (
	ratZero = new(big.Rat)
	ratHalf = big.NewRat(1, 2)
	ratOne  = big.NewRat(1, 1)
)

func refOrient(a, b, c Point) *big.Rat {
	return bigPoint(b).sub(bigPoint(a)).cross(bigPoint(c).sub(bigPoint(a)))
}

// refParameter returns t with p = a + t·(b-a) for different a and b, and whether p is on the line.
func refParameter(p, a, b Point) (t *big.Rat, on bool) {
	ab, ap := bigPoint(b).sub(bigPoint(a)), bigPoint(p).sub(bigPoint(a))
	return new(big.Rat).Quo(ap.dot(ab), ab.dot(ab)), ab.cross(ap).Sign() == 0
}

func within01(t *big.Rat) bool { return t.Sign() >= 0 && t.Cmp(ratOne) <= 0 }

func isEnd(t *big.Rat) bool { return t.Sign() == 0 || t.Cmp(ratOne) == 0 }

func refContact(a, b, c, d Point) Contact {
	switch {
	case a == b && c == d:
		if a == c {
			return SharedEnd
		}
		return Disjoint
	case a == b:
		t, on := refParameter(a, c, d)
		switch {
		case !on || !within01(t):
			return Disjoint
		case isEnd(t):
			return SharedEnd
		}
		return EndOnInterior
	case c == d:
		return refContact(c, d, a, b)
	}
	ab, cd, ac := bigPoint(b).sub(bigPoint(a)), bigPoint(d).sub(bigPoint(c)), bigPoint(c).sub(bigPoint(a))
	if den := ab.cross(cd); den.Sign() != 0 {
		t := new(big.Rat).Quo(ac.cross(cd), den)
		u := new(big.Rat).Quo(ac.cross(ab), den)
		switch {
		case !within01(t) || !within01(u):
			return Disjoint
		case isEnd(t) && isEnd(u):
			return SharedEnd
		case isEnd(t) || isEnd(u):
			return EndOnInterior
		}
		return ProperCrossing
	}
	from, on := refParameter(c, a, b)
	to, _ := refParameter(d, a, b)
	if !on {
		return Disjoint
	}
	if from.Cmp(to) > 0 {
		from, to = to, from
	}
	if from.Sign() < 0 {
		from = ratZero
	}
	if to.Cmp(ratOne) > 0 {
		to = ratOne
	}
	switch from.Cmp(to) {
	case 1:
		return Disjoint
	case 0:
		return SharedEnd
	}
	return Overlap
}

// refAngleLess reports whether the angle at v from next counter-clockwise to p is less than that to
// q, both in [0, 2π).
func refAngleLess(v, next, p, q Point) bool {
	n := bigPoint(next).sub(bigPoint(v))
	local := func(w Point) (half int, along, across *big.Rat) {
		u := bigPoint(w).sub(bigPoint(v))
		along, across = n.dot(u), n.cross(u)
		if across.Sign() < 0 || across.Sign() == 0 && along.Sign() < 0 {
			half = 1
		}
		return half, along, across
	}
	ph, pa, pc := local(p)
	qh, qa, qc := local(q)
	if ph != qh {
		return ph < qh
	}
	return new(big.Rat).Sub(new(big.Rat).Mul(pa, qc), new(big.Rat).Mul(pc, qa)).Sign() > 0
}

// refInCone measures angles at v counter-clockwise from next: closed means at most prev's.
func refInCone(p, prev, v, next Point, strictly bool) bool {
	if p == v || prev == v || next == v {
		return false
	}
	full := !refAngleLess(v, next, next, prev) // prev in the direction of next: the full turn
	if strictly {
		return refAngleLess(v, next, next, p) && (full || refAngleLess(v, next, p, prev))
	}
	return full || !refAngleLess(v, next, prev, p)
}

func refInCircle(a, b, c, d Point) int {
	row := func(p Point) (x, y, lift *big.Rat) {
		v := bigPoint(p).sub(bigPoint(d))
		return v.x, v.y, v.dot(v)
	}
	mul := func(x, y, z *big.Rat) *big.Rat { return new(big.Rat).Mul(x, new(big.Rat).Mul(y, z)) }
	ax, ay, al := row(a)
	bx, by, bl := row(b)
	cx, cy, cl := row(c)
	det := new(big.Rat)
	det.Add(det, mul(ax, by, cl))
	det.Add(det, mul(ay, bl, cx))
	det.Add(det, mul(al, bx, cy))
	det.Sub(det, mul(al, by, cx))
	det.Sub(det, mul(ay, bx, cl))
	det.Sub(det, mul(ax, bl, cy))
	return det.Sign()
}

// refNearest returns the point of the segment nearest to p, not rounded.
func refNearest(p, a, b Point) bigVec {
	if a == b {
		return bigPoint(a)
	}
	t, _ := refParameter(p, a, b)
	if t.Sign() < 0 {
		t = ratZero
	}
	if t.Cmp(ratOne) > 0 {
		t = ratOne
	}
	return bigPoint(a).plus(t, bigPoint(b).sub(bigPoint(a)))
}

func refSegmentDistance2(p, a, b Point) *big.Rat {
	v := refNearest(p, a, b).sub(bigPoint(p))
	return v.dot(v)
}

func refLineIntersection(a, b, c, d Point) (p bigVec, ok bool) {
	ab, cd := bigPoint(b).sub(bigPoint(a)), bigPoint(d).sub(bigPoint(c))
	den := ab.cross(cd)
	if den.Sign() == 0 {
		return bigVec{}, false
	}
	t := new(big.Rat).Quo(bigPoint(c).sub(bigPoint(a)).cross(cd), den)
	return bigPoint(a).plus(t, ab), true
}

// refRound returns the nearest lattice point, halves rounded up; ok reports whether the point is in a frame.
func refRound(v bigVec) (p Point, ok bool) {
	x, okX := refRoundCoord(v.x)
	y, okY := refRoundCoord(v.y)
	return Point{x, y}, okX && okY
}

func refRoundCoord(r *big.Rat) (c int32, ok bool) {
	r = new(big.Rat).Add(r, ratHalf)
	// Div rounds to the floor for a positive divisor.
	q := new(big.Int)
	q.DivMod(r.Num(), r.Denom(), new(big.Int))
	if !q.IsInt64() || !inFrame(q.Int64()) {
		return 0, false
	}
	return int32(q.Int64()), true
}

func ratOf(r Ratio) *big.Rat {
	num := new(big.Int).SetUint64(r.num.hi)
	num.Lsh(num, 64).Add(num, new(big.Int).SetUint64(r.num.lo))
	return new(big.Rat).SetFrac(num, new(big.Int).SetUint64(r.den()))
}

// anyPoint draws points that are often degenerate together: from a tiny square, for collinear and equal
// points, from the corners and sides of the frame, and from all of it.
func anyPoint() *rapid.Generator[Point] {
	coordinate := rapid.OneOf(
		rapid.Int32Range(-3, 3),
		rapid.SampledFrom([]int32{-MaxCoord, -MaxCoord + 1, -1, 0, 1, MaxCoord - 1, MaxCoord}),
		rapid.Int32Range(-MaxCoord, MaxCoord),
	)
	return rapid.Custom(func(t *rapid.T) Point {
		return Point{coordinate.Draw(t, "x"), coordinate.Draw(t, "y")}
	})
}

// somePoints draws n points, sometimes with the last one on the line of the first two.
func somePoints(t *rapid.T, n int) []Point {
	points := rapid.SliceOfN(anyPoint(), n, n).Draw(t, "points")
	if n >= 3 && rapid.Bool().Draw(t, "collinear") {
		k := rapid.Int64Range(-2, 3).Draw(t, "times")
		dx, dy := points[1].Sub(points[0])
		if x, y := int64(points[0].X)+k*dx, int64(points[0].Y)+k*dy; inFrame(x) && inFrame(y) {
			points[n-1] = Point{int32(x), int32(y)}
		}
	}
	return points
}

// gridPoints are the points of a 3 by 3 square: their quadruples have every combinatorial kind of degeneracy
// of four points.
func gridPoints() []Point {
	var all []Point
	for x := int32(-1); x <= 1; x++ {
		for y := int32(-1); y <= 1; y++ {
			all = append(all, Point{x, y})
		}
	}
	return all
}
