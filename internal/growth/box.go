package growth

import "github.com/meadow-nav/meadow/geom/lattice"

// The four directions, counter-clockwise. A front is named by its direction of growth.
const (
	East = iota
	North
	West
	South
)

// Box is a rectangle by how far it reaches in every direction: to x = b[East], y = b[North],
// x = -b[West] and y = -b[South].
type Box [4]int64

// Turned returns p in the frame turned so that direction d points to the east.
func Turned(d int, p lattice.Point) (u, v int64) {
	x, y := int64(p.X), int64(p.Y)
	switch d {
	case East:
		return x, y
	case North:
		return y, -x
	case West:
		return -x, -y
	}
	return -y, x
}

// TurnedBack is the inverse of [Turned].
func TurnedBack(d int, u, v int64) lattice.Point {
	switch d {
	case East:
		return lattice.Point{X: int32(u), Y: int32(v)}
	case North:
		return lattice.Point{X: int32(-v), Y: int32(u)}
	case West:
		return lattice.Point{X: int32(-u), Y: int32(-v)}
	}
	return lattice.Point{X: int32(v), Y: int32(-u)}
}

// span is a box in a turned frame.
type span struct{ u0, u1, v0, v1 int64 }

func (b Box) span(d int) span {
	return span{u0: -b[(d+2)%4], u1: b[d], v0: -b[(d+3)%4], v1: b[(d+1)%4]}
}

// enters tells whether the segment from a to b has a point in the interior of s, and returns the
// least u, rounded down, of the part of it between v0 and v1.
//
// Differences are below 2³¹, so products fit 62 bits.
func (s span) enters(au, av, bu, bv int64) (least int64, ok bool) {
	if max(au, bu) <= s.u0 || min(au, bu) >= s.u1 || max(av, bv) <= s.v0 || min(av, bv) >= s.v1 || s.v0 >= s.v1 {
		return 0, false
	}
	if av > bv {
		au, av, bu, bv = bu, bv, au, av
	}
	// The ends of the part between v0 and v1, rounded away from each other.
	cu, du := au, bu
	if rise, run := bu-au, bv-av; run > 0 {
		if av < s.v0 {
			cu = toward(au, rise, s.v0-av, run)
		}
		if bv > s.v1 {
			du = toward(bu, -rise, bv-s.v1, run)
		}
	}
	least = min(cu, du)
	return least, max(cu, du) > s.u0 && least < s.u1
}

// toward returns u + rise·part/run rounded towards u, for part and run above 0.
func toward(u, rise, part, run int64) int64 {
	if rise >= 0 {
		return u + lattice.FloorDiv(rise*part, run)
	}
	return u - lattice.FloorDiv(-rise*part, run)
}

// corner returns the corner of b at the end of front d.
func (b Box) corner(d int) lattice.Point { return TurnedBack(d, b[d], b[(d+1)%4]) }

// crosses tells whether the front at a place lies strictly between p and q.
func crosses(d int, at int64, p, q lattice.Point) bool {
	pu, _ := Turned(d, p)
	qu, _ := Turned(d, q)
	return min(pu, qu) < at && at < max(pu, qu)
}

// Touches tells whether p lies on front d of b.
func (b Box) Touches(d int, p lattice.Point) bool {
	u, v := Turned(d, p)
	s := b.span(d)
	return u == s.u1 && s.v0 <= v && v <= s.v1
}

// meets reports whether the segment from p to q, with a point in the interior of b, leaves b over front d, or
// at a corner of b at its end.
func (b Box) meets(d int, p, q lattice.Point) bool {
	if !crosses(d, b[d], p, q) {
		return false
	}
	low, high := lattice.Orient(p, q, b.corner((d+3)%4)), lattice.Orient(p, q, b.corner(d))
	return low <= 0 && high >= 0 || low >= 0 && high <= 0
}

// crossing is where front d meets the line from p to q, p and q on different sides of it: the lattice point
// on the front nearest to the exact place on the left of the line.
func crossing(d int, at int64, p, q lattice.Point) (c lattice.Point, exact bool) {
	pu, pv := Turned(d, p)
	qu, qv := Turned(d, q)
	rise := qv - pv
	var v int64
	if du := qu - pu; du > 0 {
		v = pv - lattice.FloorDiv(-rise*(at-pu), du) // up, the free side
	} else {
		v = pv + lattice.FloorDiv(rise*(pu-at), -du)
	}
	c = TurnedBack(d, at, v)
	return c, lattice.Orient(p, q, c) == 0
}
