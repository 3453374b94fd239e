package query

import (
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// lay fills a way with the gates of the best way found.
func (s *cellSearch) lay(w *way) {
	w.direct(s.bestIn)
	for _, g := range s.sequence {
		if l := s.g.linkOf(g); l != nil {
			w.legs = append(w.legs, leg{hop: l.hop, first: l.to, begin: len(w.crossed), end: len(w.crossed)})
			continue
		}
		w.crossed = append(w.crossed, uint32(g))
		w.legs[len(w.legs)-1].end = len(w.crossed)
	}
}

// pull pulls a way between two places tight. The result has the gates of the way in order, and the goal; hops get their
// places along wide links.
func (s *cellSearch) pull(g *gates, w *way, from, to index.Place) []tautGate {
	s.g = g
	s.tried = g.of(w, s.tried[:0])
	s.pullGates(s.tried, w.legs[0].first, plane.Floats(from.At), plane.Floats(to.At))
	// Places on wide links are rounded to the lattice; the rest of the way is then pulled tight again.
	wide := false
	for i, k := 1, 0; i < len(w.legs); i++ {
		for g.linkOf(s.tried[k]) == nil {
			k++
		}
		l, t := g.linkOf(s.tried[k]), &s.taut.gates[k]
		h := &w.legs[i].taken
		*h = g.ix.HopAt(g.ix.Hops[l.hop].Link, t.t)
		h.Cost = l.cost
		wide = wide || t.free()
		t.in, t.out = segmentBetween(plane.Floats(h.Start), plane.Floats(h.Start)), segmentBetween(plane.Floats(h.End), plane.Floats(h.End))
		k++
	}
	if wide {
		s.taut.pull()
	}
	return s.taut.gates
}
