package optimal

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// solve finds the fewest cells of p.
func (p *part) solve(ctx context.Context, opt Options) error {
	if n := len(p.passes); n > opt.Points {
		return fmt.Errorf("optimal: %w: %d points around %v, the limit is %d", ErrTooLarge, n, p.point(0), opt.Points)
	}
	if p.holes > opt.Holes {
		return fmt.Errorf("optimal: %w: %d holes in the part at %v, the limit is %d", ErrTooLarge, p.holes, p.point(0), opt.Holes)
	}
	s := search{part: p, ctx: ctx, effort: opt.Effort}
	p.best = impossible
	return s.branch(p.diagonals, p.holes)
}

// search is the branch and bound over the ways of joining the holes.
type search struct {
	*part
	ctx    context.Context
	cuts   int // diagonals that join rings at the moment
	effort int // the rest of Options.Effort
	fold   fold
	ring   []int32 // the pass at every place of the ring
	place  []int32 // and back

	// Data of needed: both ends of every diagonal, the same by pass, and for every pass the first of its ends,
	// the worth of its best diagonal, and its price.
	both, around        [][2]end
	first, worth, price []int32
}

// end is a diagonal seen from one end.
type end struct {
	at    int32 // the pass at this end
	saves int32 // 2 where it leaves no more than 180° on either side, 1 where it divides a notch, else 0
}

// ends returns both ends of d.
func (s *search) ends(d diagonal) (u, v end) { return s.end(d.u, d.v), s.end(d.v, d.u) }

func (s *search) end(u, v int32) end {
	q := s.at[v]
	i := s.passOf(u, q)
	if !s.reflex(i) {
		return end{i, 0}
	}
	k := s.passes[i]
	if lattice.Orient(s.point(k.prev), s.at[u], q) >= 0 && lattice.Orient(q, s.at[u], s.point(k.next)) >= 0 {
		return end{i, 2}
	}
	return end{i, 1}
}

// branch searches decompositions with the cuts made so far and further cuts from diagonals; none of diagonals
// crosses a cut. apart is the number of rings still to be joined.
func (s *search) branch(diagonals []diagonal, apart int) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	s.steps++
	if s.effort -= len(diagonals); s.effort < 0 && apart+s.cuts > 0 {
		return fmt.Errorf("optimal: %w: the %d holes in the part at %v cannot be joined with the given effort, not in %d steps", ErrTooLarge, s.holes, s.point(0), s.steps)
	}
	// Every diagonal adds a cell, unless it joins rings.
	if needed := s.needed(diagonals); needed == impossible || 1-apart+needed >= s.best {
		return nil
	}
	if apart == 0 {
		s.solveRing(diagonals)
		return nil
	}
	choices := s.choices(diagonals)
	rest := slices.Clone(diagonals)
	for _, d := range choices {
		// Later choices do without this one.
		rest = slices.DeleteFunc(rest, func(e diagonal) bool { return e == d })
		var free []diagonal
		for _, e := range rest {
			if lattice.SegmentContact(s.at[d.u], s.at[d.v], s.at[e.u], s.at[e.v]) != lattice.ProperCrossing {
				free = append(free, e)
			}
		}
		s.cut(d)
		err := s.branch(free, apart-1)
		s.uncut()
		if err != nil {
			return err
		}
	}
	return nil
}

// choices returns diagonals between rings, one of which every decomposition has: the diagonals on the outer
// side of the outermost vertex of a ring. Of the outermost vertices in four directions it takes the vertex
// with the fewest diagonals, and returns the best diagonals first.
func (s *search) choices(diagonals []diagonal) []diagonal {
	ring := s.rings()
	var best []diagonal
	found := false
	for _, order := range [...]func(p, q lattice.Point) int{
		lattice.Point.Compare,
		func(p, q lattice.Point) int { return q.Compare(p) },
		func(p, q lattice.Point) int { return turned(p).Compare(turned(q)) },
		func(p, q lattice.Point) int { return turned(q).Compare(turned(p)) },
	} {
		// The outermost pass of every ring; of all rings the outermost is the outer ring.
		outer := int32(0)
		most := map[int32]int32{}
		for i := range s.passes {
			i := int32(i)
			if m, ok := most[ring[i]]; !ok || order(s.point(i), s.point(m)) < 0 {
				most[ring[i]] = i
			}
			if order(s.point(i), s.point(outer)) < 0 {
				outer = i
			}
		}
		for i := range s.passes {
			i := int32(i)
			if most[ring[i]] != i || ring[i] == ring[outer] {
				continue
			}
			var all []diagonal
			v := s.passes[i].vertex
			for _, d := range diagonals {
				if d.u == v && order(s.at[d.v], s.at[v]) < 0 || d.v == v && order(s.at[d.u], s.at[v]) < 0 {
					all = append(all, d)
				}
			}
			if !found || len(all) < len(best) {
				best, found = all, true
			}
		}
	}
	slices.SortStableFunc(best, func(d, e diagonal) int { return int(s.value(e) - s.value(d)) })
	return best
}

func turned(p lattice.Point) lattice.Point { return lattice.Point{X: p.Y, Y: -p.X} }

// value is the worth of a diagonal at its two ends.
func (s *search) value(d diagonal) int32 {
	u, v := s.ends(d)
	return u.saves + v.saves
}

// rings returns for every pass the first pass of its ring.
func (s *search) rings() []int32 {
	of := make([]int32, len(s.passes))
	for i := range of {
		of[i] = -1
	}
	for i := range of {
		for k := int32(i); of[k] < 0; k = s.passes[k].next {
			of[k] = int32(i)
		}
	}
	return of
}

// cut joins two rings by a walk along d and back: both ends get a second pass.
func (s *search) cut(d diagonal) {
	a, b := s.passOf(d.u, s.at[d.v]), s.passOf(d.v, s.at[d.u])
	a2, b2 := int32(len(s.passes)), int32(len(s.passes)+1)
	s.passes = append(s.passes, pass{d.u, b, s.passes[a].next}, pass{d.v, a, s.passes[b].next})
	s.passes[s.passes[a].next].prev = a2
	s.passes[s.passes[b].next].prev = b2
	s.passes[a].next, s.passes[b].next = b2, a2
	s.here[d.u], s.here[d.v] = append(s.here[d.u], a2), append(s.here[d.v], b2)
	s.cuts++
}

// uncut takes the last cut back.
func (s *search) uncut() {
	a2, b2 := int32(len(s.passes)-2), int32(len(s.passes)-1)
	x, y := s.passes[a2], s.passes[b2]
	a, b := y.prev, x.prev
	s.passes[a].next, s.passes[b].next = x.next, y.next
	s.passes[x.next].prev, s.passes[y.next].prev = a, b
	s.here[x.vertex] = s.here[x.vertex][:len(s.here[x.vertex])-1]
	s.here[y.vertex] = s.here[y.vertex][:len(s.here[y.vertex])-1]
	s.passes = s.passes[:a2]
	s.cuts--
}

// solveRing decomposes the single ring of all passes, and keeps the result if it is the best.
func (s *search) solveRing(diagonals []diagonal) {
	n := int32(len(s.passes))
	s.ring, s.place = s.ring[:0], resized(s.place, int(n))
	at := make([]lattice.Point, 0, n)
	for i := int32(0); len(at) == 0 || i != 0; i = s.passes[i].next {
		s.place[i] = int32(len(at))
		s.ring = append(s.ring, i)
		at = append(at, s.point(i))
	}
	edges := make([]edge, 0, len(diagonals))
	for _, d := range diagonals {
		u, v := s.ends(d)
		if u.saves+v.saves > 0 {
			i, j := s.place[u.at], s.place[v.at]
			edges = append(edges, edge{from: min(i, j), to: max(i, j)})
		}
	}
	s.fold.load(at, edges)
	if cost := s.fold.solve(); int(cost) < s.best {
		s.best = int(cost)
		s.cells = s.fold.cells()
		for _, c := range s.cells {
			for k, place := range c {
				c[k] = s.passes[s.ring[place]].vertex
			}
		}
	}
}
