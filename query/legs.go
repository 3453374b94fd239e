package query

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// leg is a walked part of a path.
type leg struct {
	hop        int32  // the hop before the leg, none for the first leg
	first      uint32 // first region of the leg
	begin, end int    // portals of the leg: q.crossed[begin:end]
	taken      hop    // the hop as taken: for a wide link, moved along the link
	bent       bool   // q.bends has the start and the corners of the leg
}

// turnLegs reverses q.crossed and q.legs, which were found from goal to start. Until then the begin of a leg is the
// number of portals crossed since the goal.
func (q *Query) turnLegs() {
	slices.Reverse(q.crossed)
	slices.Reverse(q.legs)
	end := len(q.crossed)
	for i := range slices.Backward(q.legs) {
		q.legs[i].begin, q.legs[i].end = len(q.crossed)-q.legs[i].begin, end
		end = q.legs[i].begin
	}
}

// last returns the last region of a leg.
func (q *Query) last(l *leg) uint32 {
	if l.begin == l.end {
		return l.first
	}
	return q.ix.portals[q.crossed[l.end-1]].to
}

// maxSlides bounds the rounds of moving the hops of a path over several wide links.
const maxSlides = 4

// settle finds the places where the path takes the hops of q.legs.
func (q *Query) settle(from, to lattice.Point) {
	ix := q.ix
	wide := 0
	for i := range q.legs {
		l := &q.legs[i]
		if l.hop == none {
			continue
		}
		l.taken = ix.hops[l.hop]
		// If the way enters or leaves a hop through a region beside the hop's own, only the hop's original point is
		// known to work.
		if l.taken.from != q.last(&q.legs[i-1]) || l.taken.to != l.first {
			l.taken.step = 0
		}
		if l.taken.step > 0 {
			wide++
		}
	}
	for range min(wide, maxSlides) {
		for i := range q.legs {
			if q.legs[i].taken.step > 0 {
				q.slide(i, from, to)
			}
		}
	}
}

// slide moves the hop before leg i to the place that makes the way between the neighbouring hops the shortest. The cost
// is convex along the link, and golden sections find its minimum.
func (q *Query) slide(i int, from, to lattice.Point) {
	ix, l := q.ix, &q.legs[i]
	if i > 1 {
		from = q.legs[i-1].taken.end
	}
	if i+1 < len(q.legs) {
		to = q.legs[i+1].taken.start
	}
	cost := func(h *hop) float64 {
		return q.legLength(&q.legs[i-1], from, h.start) + h.cost + q.legLength(l, h.end, to)
	}
	best := cost(&l.taken)
	try := func(t float64) float64 {
		h := ix.hopAt(l.taken.link, t)
		h.step = l.taken.step
		c := cost(&h)
		if c < best {
			best, l.taken = c, h
		}
		return c
	}
	const section = 0.6180339887498949
	a, b := max(l.taken.t-l.taken.step, 0), min(l.taken.t+l.taken.step, 1)
	x, y := b-float64(section*(b-a)), a+float64(section*(b-a))
	cx, cy := try(x), try(y)
	for range 12 { // to a thousandth of the initial interval
		if cx < cy {
			b, y, cy = y, x, cx
			x = b - float64(section*(b-a))
			cx = try(x)
		} else {
			a, x, cx = x, y, cy
			y = a + float64(section*(b-a))
			cy = try(y)
		}
	}
}

// legLength returns the length of the shortest way through the portals of a leg, in lattice units.
func (q *Query) legLength(l *leg, from, to lattice.Point) (sum float64) {
	bends := q.legFunnel(l, from, to)
	for i := 1; i < len(bends); i++ {
		sum += distance(bends[i-1].Point, bends[i].Point)
	}
	return sum
}

// legFunnel returns the shortest way through the portals of a leg.
func (q *Query) legFunnel(l *leg, from, to lattice.Point) []Bend {
	q.gates = q.gates[:0]
	for _, p := range q.crossed[l.begin:l.end] {
		q.gates = append(q.gates, Gate{q.ix.portals[p].left, q.ix.portals[p].right})
	}
	return q.Funnel(from, to, q.gates)
}

// legBends returns the shortest way through the portals of a leg, reusing known bends.
func (q *Query) legBends(l *leg, from, to lattice.Point) []Bend {
	if !l.bent {
		return q.legFunnel(l, from, to)
	}
	l.bent = false
	if last := len(q.bends) - 1; q.bends[last].Point == to {
		q.bends[last].Gate = l.end
	} else {
		q.bends = append(q.bends, Bend{to, l.end})
	}
	return q.bends
}
