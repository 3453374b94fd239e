package weighted

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Lay fills a way with the gates of the best way found.
func (s *Search) Lay(w *route.Way) {
	w.Direct(s.bestIn)
	for _, g := range s.sequence {
		if l := s.g.linkOf(g); l != nil {
			w.Legs = append(w.Legs, route.Leg{Hop: l.hop, First: l.to, Begin: len(w.Crossed), End: len(w.Crossed)})
			continue
		}
		w.Crossed = append(w.Crossed, uint32(g))
		w.Legs[len(w.Legs)-1].End = len(w.Crossed)
	}
}

// Pull pulls a way between two places tight. The result has the gates of the way in order, and the goal; hops get their
// places along wide links.
func (s *Search) Pull(g *Gates, w *route.Way, from, to index.Place) []Crossing {
	s.tried = g.of(w, s.tried[:0])
	known := s.g == g && from == s.from && to == s.to && w.Legs[0].First == s.bestIn && slices.Equal(s.tried, s.sequence)
	s.g = g
	if in, a, b := w.Legs[0].First, index.Floats(from.At), index.Floats(to.At); known {
		s.layGates(s.tried, in, a, b)
		for i, t := range s.places {
			s.taut.Gates[i].T = t
		}
	} else {
		s.pullGates(s.tried, in, a, b)
	}
	// Places on wide links are rounded to the lattice; the rest of the way is then pulled tight again.
	wide := false
	for i, k := 1, 0; i < len(w.Legs); i++ {
		for g.linkOf(s.tried[k]) == nil {
			k++
		}
		l, t := g.linkOf(s.tried[k]), &s.taut.Gates[k]
		h := &w.Legs[i].Taken
		*h = g.hopAt(l, t.T)
		wide = wide || t.free()
		t.In, t.Out = SegmentBetween(index.Floats(h.Start), index.Floats(h.Start)), SegmentBetween(index.Floats(h.End), index.Floats(h.End))
		k++
	}
	if wide {
		s.taut.Pull()
	}
	return s.taut.Gates
}

// hopAt returns the hop at relative position t along a stretch of a link. Where rounding leads off the regions of the
// stretch, the nearest of the link's hops is known to be on the floor.
func (g *Gates) hopAt(l *linkGate, t float64) index.Hop {
	first, last := &g.ix.Hops[l.hop], &g.ix.Hops[l.last]
	h := g.ix.HopAt(first.Link, first.T+float64(t*(last.T-first.T)))
	if h.From != l.from || h.To != l.to {
		h = g.ix.Hops[l.hop+int32(math.Floor(float64(t*float64(l.last-l.hop))+0.5))]
	}
	h.Cost = l.cost
	return h
}
