package query

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// way is a corridor from start to goal: portals and links in walking order, without the floor between.
type way struct {
	crossed []uint32 // portals of the corridor, start to goal
	legs    []leg    // the parts of the corridor between links
	bends   []Bend   // the bends of the first leg, where known
	gates   []Gate   // the portals of a leg, as input of the funnel
	funnel  funnel
}

// direct sets the corridor to a single region.
func (w *way) direct(r uint32) {
	w.crossed = w.crossed[:0]
	w.legs = append(w.legs[:0], leg{hop: index.None, first: r})
}

// leg is a walked part of a path.
type leg struct {
	hop        int32     // the hop before the leg, none for the first leg
	first      uint32    // first region of the leg
	begin, end int       // portals of the leg: w.crossed[begin:end]
	taken      index.Hop // the hop as taken: for a wide link, moved along the link
	bent       bool      // w.bends has the start and the corners of the leg
}

// turnLegs reverses w.crossed and w.legs, which were found from goal to start. Until then the begin of a leg is the
// number of portals crossed since the goal.
func (w *way) turnLegs() {
	slices.Reverse(w.crossed)
	slices.Reverse(w.legs)
	end := len(w.crossed)
	for i := range slices.Backward(w.legs) {
		w.legs[i].begin, w.legs[i].end = len(w.crossed)-w.legs[i].begin, end
		end = w.legs[i].begin
	}
}

// last returns the last region of a leg.
func (w *way) last(ix *index.Index, l *leg) uint32 {
	if l.begin == l.end {
		return l.first
	}
	return ix.Portals[w.crossed[l.end-1]].To
}

// maxSlides bounds the rounds of moving the hops of a path over several wide links.
const maxSlides = 4

// settle finds the places where the path takes the hops of w.legs.
func (w *way) settle(ix *index.Index, from, to lattice.Point) {
	wide := 0
	for i := range w.legs {
		l := &w.legs[i]
		if l.hop == index.None {
			continue
		}
		l.taken = ix.Hops[l.hop]
		// If the way enters or leaves a hop through a region beside the hop's own, only the hop's original point is
		// known to work.
		if l.taken.From != w.last(ix, &w.legs[i-1]) || l.taken.To != l.first {
			l.taken.Step = 0
		}
		if l.taken.Step > 0 {
			wide++
		}
	}
	for range min(wide, maxSlides) {
		for i := range w.legs {
			if w.legs[i].taken.Step > 0 {
				w.slide(ix, i, from, to)
			}
		}
	}
}

// slide moves the hop before leg i to the place that makes the way between the neighbouring hops the shortest. The cost
// is convex along the link, and golden sections find its minimum.
func (w *way) slide(ix *index.Index, i int, from, to lattice.Point) {
	l := &w.legs[i]
	if i > 1 {
		from = w.legs[i-1].taken.End
	}
	if i+1 < len(w.legs) {
		to = w.legs[i+1].taken.Start
	}
	cost := func(h *index.Hop) float64 {
		return w.legLength(ix, &w.legs[i-1], from, h.Start) + h.Cost + w.legLength(ix, l, h.End, to)
	}
	best := cost(&l.taken)
	try := func(t float64) float64 {
		h := ix.HopAt(l.taken.Link, t)
		h.Step = l.taken.Step
		c := cost(&h)
		if c < best {
			best, l.taken = c, h
		}
		return c
	}
	const section = 0.6180339887498949
	a, b := max(l.taken.T-l.taken.Step, 0), min(l.taken.T+l.taken.Step, 1)
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
func (w *way) legLength(ix *index.Index, l *leg, from, to lattice.Point) (sum float64) {
	bends := w.legFunnel(ix, l, from, to)
	for i := 1; i < len(bends); i++ {
		sum += plane.Distance(bends[i-1].Point, bends[i].Point)
	}
	return sum
}

// legFunnel returns the shortest way through the portals of a leg.
func (w *way) legFunnel(ix *index.Index, l *leg, from, to lattice.Point) []Bend {
	w.gates = w.gates[:0]
	for _, p := range w.crossed[l.begin:l.end] {
		w.gates = append(w.gates, Gate{ix.Portals[p].Left, ix.Portals[p].Right})
	}
	return w.funnel.pull(from, to, w.gates)
}

// legBends returns the shortest way through the portals of a leg, reusing known bends.
func (w *way) legBends(ix *index.Index, l *leg, from, to lattice.Point) []Bend {
	if !l.bent {
		return w.legFunnel(ix, l, from, to)
	}
	l.bent = false
	if last := len(w.bends) - 1; w.bends[last].Point == to {
		w.bends[last].Gate = l.end
	} else {
		w.bends = append(w.bends, Bend{to, l.end})
	}
	return w.bends
}

// turnBends reverses the bends, which were found from goal to start, and adds the start. Each bend keeps its gate, now
// counted from the start. Paths of several legs keep no bends.
func (w *way) turnBends(start lattice.Point) {
	if w.legs[0].bent = len(w.legs) == 1; !w.legs[0].bent {
		return
	}
	for i := range w.bends {
		w.bends[i].Gate = len(w.crossed) - 1 - w.bends[i].Gate
	}
	w.bends = append(w.bends, Bend{start, -1})
	slices.Reverse(w.bends)
}
