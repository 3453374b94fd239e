package weighted

import (
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// Between the rounds of searches over uneven ground. See cheapest.go.

// fault returns by how much smaller cells would raise the bounds of a cell: at its ends by the tangent, in its middle
// by the two waves that meet there.
func (s *Search) fault(c *cell) float64 {
	in, out := s.g.sidesOf(c.gate)
	at, r, toll := in.part(c.lo, c.hi), s.g.before(c.gate), s.g.tollOf(c.gate)
	if s.backward {
		at, r, toll = out.part(c.lo, c.hi), s.g.after(c.gate), 0
	}
	mx, my := at.At(0.5)
	worst, middle := 0.0, math.Inf(1)
	for e := range 2 {
		w := s.rootWave(r)
		if c.from[e] != index.None {
			w, _ = s.waveFrom(&s.cells[c.from[e]/2])
		}
		x, y := at.At(float64(e))
		worst = max(worst, w.reach(x, y)+toll-c.low[e])
		middle = min(middle, w.reach(mx, my)+toll)
	}
	return max(worst, middle-0.5*(c.low[0]+c.low[1]))
}

// maxPieces bounds the pieces that a cell is cut into at once.
const maxPieces = 8

// refine keeps only cells that a way below the limit may go through, cuts the cells with the worst bounds, and reverses
// the search direction. gates is the number of gates on such a way.
func (s *Search) refine(gates int) {
	worst := 0.0
	for i := range s.cells {
		if c := &s.cells[i]; c.key < s.limit {
			c.fault = s.fault(c)
			worst = max(worst, c.fault)
		}
	}
	share := min(max(s.limit-s.reached, 0)/float64(gates+1), worst/2)
	s.old, s.cells = s.cells, s.old[:0]
	s.stamp++
	for i := range s.old {
		c := &s.old[i]
		if c.key >= s.limit {
			s.floor = min(s.floor, c.key)
			continue
		}
		if at := &s.spans[c.gate]; at.made != s.stamp {
			*at = span{first: int32(len(s.cells)), made: s.stamp}
		}
		// The error of a tangent grows with the square of the length of its cell.
		n := 1
		if c.fault > share {
			n = int(min(max(math.Ceil(math.Sqrt(c.fault/share)), 2), maxPieces))
		}
		for k := range n {
			a, b := float64(k)/float64(n), float64(k+1)/float64(n)
			rise, long := c.low[1]-c.low[0], c.hi-c.lo
			piece := newCell(c.gate, c.lo+float64(a*long), c.lo+float64(b*long))
			if k+1 == n {
				piece.hi = c.hi
			}
			piece.rest = [2]float64{c.low[0] + float64(a*rise), c.low[0] + float64(b*rise)}
			s.cells = append(s.cells, piece)
		}
		s.spans[c.gate].end = int32(len(s.cells))
	}
	s.rounds++
	s.backward = !s.backward
}
