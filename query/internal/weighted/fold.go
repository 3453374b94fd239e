package weighted

import "math"

// Rows of equal gates: a way that dips into cheaper ground and comes back walks along a gate there, and crosses the gate twice.
//
// Law: A way through a row of equal gates costs least in one of two forms. All crossings are in one place, or the way walks along the
// gate once, over the cheapest ground between the crossings (TestTautRepeats). The cost of walking along is the length at the cost
// of the ground, so all of the length may be over the cheapest. Ground as costly as the ground before or behind the row saves nothing: the
// region there has the gate on its border.
//
// Newton's method fails on pieces along gates, whose cost has an edge where their length is zero: of 20,000 random ways with such rows it left
// 369 at a higher cost, and 15 without a number.

// folded is the place of a gate in s.rows: a gate there, in the same direction or turned.
type folded struct {
	row    int
	turned bool
}

// repeats reports whether a gate is equal to the gate before.
func (s *Taut) repeats() bool {
	for i := 1; i < len(s.Gates); i++ {
		if g, before := &s.Gates[i], &s.Gates[i-1].Out; before.length > 0 && g.In.length == before.length {
			if back := before.turned(); g.In.is(before) || g.In.is(&back) {
				return true
			}
		}
	}
	return false
}

// fold fills s.rows with the gates: of a row of equal gates two, beside the cheapest ground, or one where this ground saves nothing.
func (s *Taut) fold() {
	s.rows, s.folds = s.rows[:0], s.folds[:0]
	for i := 0; i < len(s.Gates); {
		row, out := s.Gates[i], s.Gates[i].Out // of the last gate of the row, in the direction of the first
		s.folds = append(s.folds, folded{row: len(s.rows)})
		cheapest, least, middle := 0, math.Inf(1), out
		end := i + 1
		for ; end < len(s.Gates) && out.length > 0; end++ {
			g, back := &s.Gates[end], out.turned()
			turned := g.In.is(&back)
			if !turned && !g.In.is(&out) {
				break
			}
			if g.Weight < least {
				cheapest, least, middle = end, g.Weight, out
			}
			if out = g.Out; turned {
				out = g.Out.turned()
			}
			s.folds = append(s.folds, folded{len(s.rows), turned})
		}
		if end < len(s.Gates) && least < min(row.Weight, s.Gates[end].Weight) {
			row.Out = middle
			s.rows = append(s.rows, row)
			row.In, row.Weight = middle, least
			for k := cheapest; k < end; k++ {
				s.folds[k].row++
			}
		}
		row.Out = out
		s.rows = append(s.rows, row)
		i = end
	}
}

// unfold gives the gates the places of their rows.
func (s *Taut) unfold(gates []Crossing) {
	for i, f := range s.folds {
		if gates[i].T = s.Gates[f.row].T; f.turned {
			gates[i].T = 1 - gates[i].T
		}
	}
	s.Gates = gates
}

// turned returns the segment in the other direction.
func (s *Segment) turned() Segment {
	x, y := s.end()
	return Segment{x, y, -s.ux, -s.uy, s.length}
}

// is reports whether two segments are equal. The ends of gates are lattice points, so starts nearer than half a unit are equal.
func (s *Segment) is(o *Segment) bool {
	const half = 0.5 // lattice units
	return s.length == o.length && s.ux == o.ux && s.uy == o.uy && math.Abs(s.x-o.x) < half && math.Abs(s.y-o.y) < half
}
