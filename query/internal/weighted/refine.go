package weighted

import (
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// Between the rounds of searches over uneven ground. See cheapest.go.

// fault returns by how much smaller cells would have raised the bounds of a cell in the previous round: at its ends by
// the tangent, in its middle by the two waves that meet there.
func (s *Search) fault(c *cell) float64 {
	in, out := s.g.sidesOf(c.gate)
	at, r, toll := in, s.g.before(c.gate), s.g.tollOf(c.gate)
	backward := !s.backward
	if backward {
		at, r, toll = out, s.g.after(c.gate), 0
	}
	mx, my := at.At(0.5 * (c.lo + c.hi))
	worst, middle := 0.0, math.Inf(1)
	var w wave
	for e := range 2 {
		switch {
		case e > 0 && c.from[0] == c.from[1]:
		case c.from[e] == index.None:
			w = s.rootWave(r, backward)
		default:
			w, _ = s.waveFrom(&s.old[s.past[c.from[e]/2].cell], backward)
		}
		x, y := at.At([2]float64{c.lo, c.hi}[e])
		worst = max(worst, w.reach(x, y)+toll-c.low[e])
		middle = min(middle, w.reach(mx, my)+toll)
	}
	return max(worst, middle-0.5*(c.low[0]+c.low[1]))
}

// maxPieces bounds the pieces that a cell is cut into at once, and the pieces of a gate in the first round.
const maxPieces = 8

// reverse begins a round in the other direction. gates is the number of gates of the bound.
func (s *Search) reverse(gates int) {
	s.share = min((s.limit-s.reached)/float64(gates+1), s.share/2)
	s.old, s.cells = s.cells, s.old[:0]
	s.past, s.steps = s.steps, s.past[:0]
	s.stamp++
	s.rounds++
	s.backward = !s.backward
}

// refine adds the cells of a gate: of its cells in the previous round those that a way below the limit may go through.
// Cells with poor bounds are cut.
func (s *Search) refine(at span) {
	for i := at.first; i < at.end; i++ {
		c := &s.old[i]
		if c.key >= s.limit {
			s.floor = min(s.floor, c.key)
			continue
		}
		// The error of a tangent grows with the square of the length of its cell.
		n := 1
		if fault := s.fault(c); fault > s.share {
			n = int(min(max(math.Ceil(math.Sqrt(fault/s.share)), 2), maxPieces))
		} else if c.held {
			n = 2 // only shorter cells have waves above the known bounds
		}
		for k := range n {
			a, b := float64(k)/float64(n), float64(k+1)/float64(n)
			long := c.hi - c.lo
			piece := newCell(c.gate, c.lo+float64(a*long), c.lo+float64(b*long))
			if k+1 == n {
				piece.hi = c.hi
			}
			piece.rest, piece.known = between(c.low, a, b), between(c.rest, a, b)
			s.cells = append(s.cells, piece)
		}
	}
}

// Held counts the cells of the last round whose bounds are the known bounds. The second count has the cells of the round before with known
// bounds, without the cells that the last round cut.
func (s *Search) Held() (held, whole int) {
	type piece struct {
		gate   int32
		lo, hi float64
	}
	now := map[piece]bool{}
	for i := range s.cells {
		c := &s.cells[i]
		now[piece{c.gate, c.lo, c.hi}] = true
		if c.held {
			held++
		}
	}
	for i := range s.old {
		if c := &s.old[i]; s.rounds > 0 && c.held && now[piece{c.gate, c.lo, c.hi}] {
			whole++
		}
	}
	return held, whole
}

// between returns the values of a line at two parts of its way.
func between(line [2]float64, a, b float64) [2]float64 {
	rise := line[1] - line[0]
	return [2]float64{line[0] + float64(a*rise), line[0] + float64(b*rise)}
}
