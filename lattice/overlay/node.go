package overlay

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// segment is an edge of an input from a point to a greater one: weight is what it adds to the winding
// number of its input from beneath it to above it.
type segment struct {
	a, b          lattice.Point
	input, weight int32
}

// appendSegment appends the directed edge from p to q. The inside of a counter-clockwise ring is on
// the left, which for an edge to the right is above.
func appendSegment(segs []segment, input int32, p, q lattice.Point) []segment {
	switch p.Compare(q) {
	case -1:
		return append(segs, segment{p, q, input, 1})
	case 1:
		return append(segs, segment{q, p, input, -1})
	}
	return segs
}

// unite sorts segments, adds the weights of equal ones and leaves out those whose weights cancel.
func unite(segs []segment) []segment {
	slices.SortFunc(segs, func(s, t segment) int {
		return cmp.Or(s.a.Compare(t.a), s.b.Compare(t.b), cmp.Compare(s.input, t.input))
	})
	kept := segs[:0]
	for _, s := range segs {
		if n := len(kept); n > 0 && kept[n-1].a == s.a && kept[n-1].b == s.b && kept[n-1].input == s.input {
			kept[n-1].weight += s.weight
			continue
		}
		if n := len(kept); n > 0 && kept[n-1].weight == 0 {
			kept = kept[:n-1]
		}
		kept = append(kept, s)
	}
	if n := len(kept); n > 0 && kept[n-1].weight == 0 {
		kept = kept[:n-1]
	}
	return kept
}

// node makes the vertices and edges of the arrangement: it rounds all crossings, leads every segment
// through the hot squares that it passes, and adds up the pieces that cover each other.
func (a *Arrangement) node(segs []segment) {
	cells := divide(segs)
	a.points = hot(segs, cells)

	// A visit is a hot square that a segment passes.
	type visit struct{ seg, point int32 }
	var visits []visit
	for i, p := range a.points {
		for _, s := range cells.at(p) {
			if segs[s].passes(p) {
				visits = append(visits, visit{s, int32(i)})
			}
		}
	}
	slices.SortFunc(visits, func(v, w visit) int {
		if v.seg != w.seg {
			return cmp.Compare(v.seg, w.seg)
		}
		p, q := a.points[v.point], a.points[w.point]
		// Along a segment neither coordinate turns back, and X never falls.
		if p.X == q.X && segs[v.seg].b.Y < segs[v.seg].a.Y {
			return cmp.Compare(q.Y, p.Y)
		}
		return cmp.Compare(v.point, w.point)
	})

	type piece struct {
		edge
		input, weight int32
	}
	var pieces []piece
	for i := 1; i < len(visits); i++ {
		v, w := visits[i-1], visits[i]
		if v.seg != w.seg {
			continue
		}
		s := segs[v.seg]
		if v.point < w.point {
			pieces = append(pieces, piece{edge{v.point, w.point}, s.input, s.weight})
		} else {
			// A steep piece that falls became vertical. Read upwards, it has its two sides exchanged.
			pieces = append(pieces, piece{edge{w.point, v.point}, s.input, -s.weight})
		}
	}
	slices.SortFunc(pieces, func(p, q piece) int {
		return cmp.Or(cmp.Compare(p.from, q.from), a.turn(p.edge, q.edge), cmp.Compare(p.to, q.to))
	})
	for i := 0; i < len(pieces); {
		e := pieces[i].edge
		start := len(a.across)
		a.across = append(a.across, make([]int32, a.inputs)...)
		any := false
		sum := a.across[start:]
		for ; i < len(pieces) && pieces[i].edge == e; i++ {
			sum[pieces[i].input] += pieces[i].weight
		}
		for _, w := range sum {
			any = any || w != 0
		}
		if !any {
			a.across = a.across[:start]
			continue
		}
		a.edges = append(a.edges, e)
	}
}

// turn orders two edges with the same left end counter-clockwise, from straight down.
func (a *Arrangement) turn(e, f edge) int {
	return -cmp.Compare(lattice.Orient(a.points[e.from], a.points[e.to], a.points[f.to]), 0)
}

// hot returns the centres of the hot squares: all ends of segments and all crossings, rounded.
func hot(segs []segment, cells *cells) []lattice.Point {
	points := make([]lattice.Point, 0, 2*len(segs))
	for _, s := range segs {
		points = append(points, s.a, s.b)
	}
	for _, leaf := range cells.leaves {
		for i, s := range leaf {
			for _, t := range leaf[:i] {
				if p, ok := segs[s].crossing(segs[t]); ok {
					points = append(points, p)
				}
			}
		}
	}
	slices.SortFunc(points, lattice.Point.Compare)
	return slices.Compact(points)
}

// crossing returns where two segments cross inside of both, rounded.
func (s segment) crossing(t segment) (p lattice.Point, ok bool) {
	if s.b.X < t.a.X || t.b.X < s.a.X || s.a == t.a || s.b == t.b ||
		lattice.SegmentContact(s.a, s.b, t.a, t.b) != lattice.ProperCrossing {
		return p, false
	}
	return lattice.LineIntersection(s.a, s.b, t.a, t.b)
}

// passes reports whether s goes through the square of size 1 around p, whose left and lower sides
// belong to it: the square of all places that round to p.
//
// The centre of the square is at distance |o| / length from the line, its corners in the direction
// across the line at (|dx| + |dy|) / 2 / length. A line that meets the square's border only, meets
// it in a corner, and only the lower left one belongs to the square. The ends of s are centres of
// squares, so that a line that passes the square does so within s exactly when p is in the box of s.
func (s segment) passes(p lattice.Point) bool {
	if p.X < s.a.X || p.X > s.b.X || p.Y < min(s.a.Y, s.b.Y) || p.Y > max(s.a.Y, s.b.Y) {
		return false
	}
	dx, dy := s.b.Sub(s.a)
	o := lattice.Orient(s.a, s.b, p)
	across := max(dy, -dy) + dx
	if o > across || -o > across {
		return false // far away, and twice o might not fit
	}
	if twice := 2 * o; twice < across && -twice < across {
		return true
	}
	return 2*o == across && dy <= 0 // through the lower left corner
}
