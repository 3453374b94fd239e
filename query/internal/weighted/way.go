package weighted

import (
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
	s.g = g
	s.tried = g.of(w, s.tried[:0])
	s.pullGates(s.tried, w.Legs[0].First, index.Floats(from.At), index.Floats(to.At))
	// Places on wide links are rounded to the lattice; the rest of the way is then pulled tight again.
	wide := false
	for i, k := 1, 0; i < len(w.Legs); i++ {
		for g.linkOf(s.tried[k]) == nil {
			k++
		}
		l, t := g.linkOf(s.tried[k]), &s.taut.Gates[k]
		h := &w.Legs[i].Taken
		*h = g.ix.HopAt(g.ix.Hops[l.hop].Link, t.T)
		h.Cost = l.cost
		wide = wide || t.free()
		t.In, t.Out = SegmentBetween(index.Floats(h.Start), index.Floats(h.Start)), SegmentBetween(index.Floats(h.End), index.Floats(h.End))
		k++
	}
	if wide {
		s.taut.Pull()
	}
	return s.taut.Gates
}
