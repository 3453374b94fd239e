package overlay

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// segment is an edge of an input from a point to a greater one: weight is the increase of the input's winding
// number from beneath it to above it.
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

// unite sorts segments, adds the weights of equal segments and drops segments of weight 0.
func (s *scratch) unite(segs []segment) []segment {
	order := sized(s.order, len(segs))
	for i := range segs {
		order[i] = keyed{keyOf(segs[i].a), int32(i)}
	}
	order, s.spare = sortKeyed(order, s.spare)
	s.order = order
	sorted := sized(s.united, len(segs))
	s.united = sorted
	for i, o := range order {
		sorted[i] = segs[o.item]
	}
	shed(&s.order)
	shed(&s.spare)
	kept := sorted[:0]
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].a == sorted[0].a {
			n++
		}
		from := sorted[:n] // all with one start
		sorted = sorted[n:]
		if n == 1 {
			kept = append(kept, from[0])
			continue
		}
		slices.SortFunc(from, func(s, t segment) int {
			if s.b != t.b {
				return s.b.Compare(t.b)
			}
			return cmp.Compare(s.input, t.input)
		})
		for i := 0; i < len(from); {
			s := from[i]
			for i++; i < len(from) && from[i].b == s.b && from[i].input == s.input; i++ {
				s.weight += from[i].weight
			}
			if s.weight != 0 {
				kept = append(kept, s)
			}
		}
	}
	return kept
}

// visit is a passage of a segment through a hot square.
type visit struct{ seg, point int32 }

// piece is an edge that a segment is led along.
type piece struct {
	edge
	input, weight int32
}

// node makes the vertices and edges of the arrangement: it rounds all crossings, leads every segment through
// the hot squares in its way, and adds up coincident pieces.
func (a *Arrangement) node(segs []segment, s *scratch, jobs int) {
	cells := s.divider.run(segs, jobs)
	a.points = s.hot(segs, cells, a.points[:0], jobs)
	shed(&s.keys)
	shed(&s.spareKeys)
	pieces, first := a.route(segs, cells, s, jobs)
	shed(&s.united)
	shed(&s.passed)
	a.edges = slices.Grow(a.edges[:0], len(pieces))
	a.across = slices.Grow(a.across[:0], len(pieces)*a.inputs)
	sum := make([]int32, a.inputs)
	for v := range a.points {
		from := pieces[first[v]:first[v+1]]
		if len(from) > 1 {
			a.sortAround(from)
		}
		for len(from) > 0 {
			e := from[0].edge
			clear(sum)
			for ; len(from) > 0 && from[0].to == e.to; from = from[1:] {
				sum[from[0].input] += from[0].weight
			}
			if !vanishes(sum) {
				a.edges = append(a.edges, e)
				a.across = append(a.across, sum...)
			}
		}
	}
	shed(&s.pieces)
	shed(&s.first)
	shed(&s.begin)
	shed(&s.next)
}

// route returns the pieces of all segments from hot square to hot square, by the vertex that they
// start in: those of vertex v are pieces[first[v]:first[v+1]].
func (a *Arrangement) route(segs []segment, cells *cells, s *scratch, jobs int) (pieces []piece, first []int32) {
	// Visits are found by square and then listed by segment, so a segment's visits are in the order of the
	// points.
	all := inParts(jobs, len(a.points), s, func(from, to int, s *scratch) []visit {
		visits := slices.Grow(s.visits[:0], 2*len(segs)*(to-from)/max(1, len(a.points))+to-from)
		visits = cells.appendVisits(visits, segs, a.points[from:to], int32(from), s)
		s.visits = visits
		return visits
	})
	s.divider.shed()
	s.begin = zeros(s.begin, len(segs)+1)
	begin := s.begin
	n := 0
	for _, visits := range all {
		for _, v := range visits {
			begin[v.seg+1]++
		}
		n += len(visits)
	}
	for k := range segs {
		begin[k+1] += begin[k]
	}
	s.passed = sized(s.passed, n)
	passed := s.passed
	next := append(s.next[:0], begin[:len(segs)]...)
	for _, visits := range all {
		for _, v := range visits {
			passed[next[v.seg]] = v.point
			next[v.seg]++
		}
	}
	shed(&s.visits)
	s.first = zeros(s.first, len(a.points)+1)
	first = s.first
	for i := range segs {
		p := passed[begin[i]:begin[i+1]]
		if segs[i].b.Y < segs[i].a.Y {
			a.lower(p)
		}
		for k := 1; k < len(p); k++ {
			first[min(p[k-1], p[k])+1]++
		}
	}
	for v := range a.points {
		first[v+1] += first[v]
	}
	s.pieces = sized(s.pieces, int(first[len(a.points)]))
	pieces = s.pieces
	next = append(next[:0], first[:len(a.points)]...)
	s.next = next
	for i := range segs {
		p := passed[begin[i]:begin[i+1]]
		for k := 1; k < len(p); k++ {
			e := piece{edge{p[k-1], p[k]}, segs[i].input, segs[i].weight}
			if e.to < e.from {
				// A steep falling piece became vertical. Read upwards, its sides are exchanged.
				e.from, e.to, e.weight = e.to, e.from, -e.weight
			}
			pieces[next[e.from]] = e
			next[e.from]++
		}
	}
	return pieces, first
}

// lower turns the order of vertices above each other round: along a falling segment neither coordinate turns
// back.
func (a *Arrangement) lower(vertices []int32) {
	for i := 0; i < len(vertices); {
		start := i
		for i++; i < len(vertices) && a.points[vertices[i]].X == a.points[vertices[start]].X; i++ {
		}
		slices.Reverse(vertices[start:i])
	}
}

// vanishes reports whether nothing is left of a sum.
func vanishes(sum []int32) bool {
	left := int32(0)
	for _, w := range sum {
		left |= w
	}
	return left == 0
}

// sortAround sorts pieces with the same left end counter-clockwise, from straight down. Most points start few
// pieces.
func (a *Arrangement) sortAround(pieces []piece) {
	const few = 8
	if len(pieces) > few {
		slices.SortFunc(pieces, a.turn)
		return
	}
	for i := 1; i < len(pieces); i++ {
		for k := i; k > 0 && a.turn(pieces[k-1], pieces[k]) > 0; k-- {
			pieces[k-1], pieces[k] = pieces[k], pieces[k-1]
		}
	}
}

// turn orders two pieces with the same left end counter-clockwise, from straight down, those in one direction by
// their lengths.
func (a *Arrangement) turn(p, q piece) int {
	if p.to == q.to {
		return 0
	}
	if o := lattice.Orient(a.points[p.from], a.points[p.to], a.points[q.to]); o != 0 {
		return -cmp.Compare(o, 0)
	}
	return cmp.Compare(p.to, q.to)
}

// hot appends the centres of the hot squares: all ends of segments and all crossings, rounded.
func (s *scratch) hot(segs []segment, cells *cells, points []lattice.Point, jobs int) []lattice.Point {
	all := inParts(jobs, len(cells.nodes), s, func(from, to int, s *scratch) []uint64 {
		keys := s.keys[:0]
		for i := from; i < to; i++ {
			near, boxes := cells.leaf(&cells.nodes[i])
			s.found = sized(s.found, len(boxes))
			for k := range boxes {
				for _, l := range s.found[:meeting(boxes, k, s.found)] {
					if p, ok := segs[near[k]].crossing(&segs[near[l]]); ok {
						keys = append(keys, keyOf(p))
					}
				}
			}
		}
		s.keys = keys
		return keys
	})
	// Segments come in the order of their smaller ends, so that only the other points have to be sorted.
	keys := all[0]
	for _, more := range all[1:] {
		keys = append(keys, more...)
	}
	for i := range segs {
		keys = append(keys, keyOf(segs[i].b))
	}
	keys, s.spareKeys = sortKeys(keys, s.spareKeys)
	s.keys = keys
	points = slices.Grow(points, len(segs)/2+len(keys))
	for len(segs) > 0 || len(keys) > 0 {
		var p lattice.Point
		if len(segs) > 0 && (len(keys) == 0 || keyOf(segs[0].a) <= keys[0]) {
			p, segs = segs[0].a, segs[1:]
		} else {
			p, keys = pointOf(keys[0]), keys[1:]
		}
		if n := len(points); n == 0 || points[n-1] != p {
			points = append(points, p)
		}
	}
	return points
}

// crossing returns where two segments cross inside of both, rounded.
func (s *segment) crossing(t *segment) (p lattice.Point, ok bool) {
	if !s.parts(t) || !t.parts(s) {
		return p, false
	}
	return lattice.LineIntersection(s.a, s.b, t.a, t.b)
}

// parts reports whether the ends of t are on two sides of the line through s.
func (s *segment) parts(t *segment) bool {
	a, b := lattice.Orient(s.a, s.b, t.a), lattice.Orient(s.a, s.b, t.b)
	return a&-b|b&-a < 0
}

// passes reports whether s, whose box contains p, passes through the square of size 1 around p, closed on the left
// and below: the square of all places that round to p.
//
// The centre of the square is at distance |o| / length from the line, its corners in the direction across the
// line at (|dx| + |dy|) / 2 / length. A line that meets only the square's border meets a corner, and only the
// lower left corner belongs to the square. The ends of s are centres of squares, so a line through the square
// passes it within s exactly if p is in the box of s.
func (s *segment) passes(p lattice.Point) bool {
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
