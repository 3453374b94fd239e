// Package route holds ways from place to place: portals and links in walking order. A* finds ways, and the funnel
// pulls a way tight.
package route

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Way is a corridor from start to goal: portals and links in walking order, without the floor between.
type Way struct {
	Crossed []uint32 // portals of the corridor, start to goal
	Legs    []Leg    // the parts of the corridor between links
	Bends   []Bend   // the bends of the first leg, where known
	Gates   []Gate   // the portals of a leg, as input of the funnel
	Funnel  funnel
}

// Direct sets the corridor to a single region.
func (w *Way) Direct(r uint32) {
	w.Crossed = w.Crossed[:0]
	w.Legs = append(w.Legs[:0], Leg{Hop: index.None, First: r})
}

// Leg is a walked part of a path.
type Leg struct {
	Hop        int32     // the hop before the leg, none for the first leg
	First      uint32    // first region of the leg
	Begin, End int       // portals of the leg: w.crossed[begin:end]
	Taken      index.Hop // the hop as taken: for a wide link, moved along the link
	Bent       bool      // w.bends has the start and the corners of the leg
}

// TurnLegs reverses w.crossed and w.legs, which were found from goal to start. Until then the begin of a leg is the
// number of portals crossed since the goal.
func (w *Way) TurnLegs() {
	slices.Reverse(w.Crossed)
	slices.Reverse(w.Legs)
	end := len(w.Crossed)
	for i := range slices.Backward(w.Legs) {
		w.Legs[i].Begin, w.Legs[i].End = len(w.Crossed)-w.Legs[i].Begin, end
		end = w.Legs[i].Begin
	}
}

// last returns the last region of a leg.
func (w *Way) last(ix *index.Index, l *Leg) uint32 {
	if l.Begin == l.End {
		return l.First
	}
	return ix.Portal(w.Crossed[l.End-1]).To
}

// maxSlides bounds the rounds of moving the hops of a path over several wide links.
const maxSlides = 4

// Settle finds the places where the path takes the hops of w.legs.
func (w *Way) Settle(ix *index.Index, from, to lattice.Point) {
	wide := 0
	for i := range w.Legs {
		l := &w.Legs[i]
		if l.Hop == index.None {
			continue
		}
		l.Taken = ix.Hops[l.Hop]
		// If the way enters or leaves a hop through a region beside the hop's own, only the hop's original point is
		// known to work.
		if l.Taken.From != w.last(ix, &w.Legs[i-1]) || l.Taken.To != l.First {
			l.Taken.Step = 0
		}
		if l.Taken.Step > 0 {
			wide++
		}
	}
	for range min(wide, maxSlides) {
		for i := range w.Legs {
			if w.Legs[i].Taken.Step > 0 {
				w.slide(ix, i, from, to)
			}
		}
	}
}

// slide moves the hop before leg i to the place that makes the way between the neighbouring hops the shortest. The cost
// is convex along the link, and golden sections find its minimum.
func (w *Way) slide(ix *index.Index, i int, from, to lattice.Point) {
	l := &w.Legs[i]
	if i > 1 {
		from = w.Legs[i-1].Taken.End
	}
	if i+1 < len(w.Legs) {
		to = w.Legs[i+1].Taken.Start
	}
	cost := func(h *index.Hop) float64 {
		return w.legLength(ix, &w.Legs[i-1], from, h.Start) + h.Cost + w.legLength(ix, l, h.End, to)
	}
	best := cost(&l.Taken)
	try := func(t float64) float64 {
		h := ix.HopAt(l.Taken.Link, t)
		h.Step = l.Taken.Step
		c := cost(&h)
		if c < best && h.From == l.Taken.From && h.To == l.Taken.To {
			best, l.Taken = c, h
		}
		return c
	}
	const section = 0.6180339887498949
	a, b := max(l.Taken.T-l.Taken.Step, 0), min(l.Taken.T+l.Taken.Step, 1)
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
func (w *Way) legLength(ix *index.Index, l *Leg, from, to lattice.Point) (sum float64) {
	bends := w.LegFunnel(ix, l, from, to)
	for i := 1; i < len(bends); i++ {
		sum += index.Distance(bends[i-1].Point, bends[i].Point)
	}
	return sum
}

// LegFunnel returns the shortest way through the portals of a leg.
func (w *Way) LegFunnel(ix *index.Index, l *Leg, from, to lattice.Point) []Bend {
	w.Gates = w.Gates[:0]
	for _, p := range w.Crossed[l.Begin:l.End] {
		w.Gates = append(w.Gates, Gate{ix.Portal(p).Left, ix.Portal(p).Right})
	}
	return w.Funnel.Pull(from, to, w.Gates)
}

// LegBends returns the shortest way through the portals of a leg, reusing known bends.
func (w *Way) LegBends(ix *index.Index, l *Leg, from, to lattice.Point) []Bend {
	if !l.Bent {
		return w.LegFunnel(ix, l, from, to)
	}
	l.Bent = false
	if last := len(w.Bends) - 1; w.Bends[last].Point == to {
		w.Bends[last].Gate = l.End
	} else {
		w.Bends = append(w.Bends, Bend{to, l.End})
	}
	return w.Bends
}

// TurnBends reverses the bends, which were found from goal to start, and adds the start. Each bend keeps its gate, now
// counted from the start. Paths of several legs keep no bends.
func (w *Way) TurnBends(start lattice.Point) {
	if w.Legs[0].Bent = len(w.Legs) == 1; !w.Legs[0].Bent {
		return
	}
	for i := range w.Bends {
		w.Bends[i].Gate = len(w.Crossed) - 1 - w.Bends[i].Gate
	}
	w.Bends = append(w.Bends, Bend{start, -1})
	slices.Reverse(w.Bends)
}

// Copy makes w equal to another way.
func (w *Way) Copy(o *Way) {
	w.Crossed, w.Legs, w.Bends = append(w.Crossed[:0], o.Crossed...), append(w.Legs[:0], o.Legs...), append(w.Bends[:0], o.Bends...)
}

// TurnAround makes a way of one leg the way back, whose first region is first. Bends are no longer known.
func (w *Way) TurnAround(ix *index.Index, first uint32) {
	slices.Reverse(w.Crossed)
	for i, p := range w.Crossed {
		w.Crossed[i] = ix.Portal(p).Back
	}
	w.Legs = append(w.Legs[:0], Leg{Hop: index.None, First: first, End: len(w.Crossed)})
}

// GateOf returns a portal as a gate.
func GateOf(ix *index.Index, portal uint32) Gate {
	p := ix.Portal(portal)
	return Gate{p.Left, p.Right}
}
