// Package weighted finds the cheapest ways over ground of different costs, up to a proved ratio.
package weighted

// The cheapest path over ground of different costs, up to a proved ratio.
//
// Source: the problem, and Snell's law for ways at borders, are from J. S. B. Mitchell and C. H. Papadimitriou, The
// weighted region problem, Journal of the ACM 38 (1991). Bounds from one end as estimates from the other, and back, as
// in G. Manzini, BIDA*, Artificial Intelligence 75 (1995), and H. Kaindl and G. Kainz, Bidirectional heuristic search
// reconsidered, JAIR 7 (1997). The bounds on cells are our own.
//
// Idea: Portals and links are gates, and pieces of gates are cells. Each cell keeps a linear function nowhere above the
// least cost of a way to the cell. The least cost of ways from one cell is a convex function along the next cell. The
// function's tangent is a valid bound for the next cell. Of several tangents the cell keeps the least values at its two
// ends, because the minimum of lines lies above the line between its ends. A search from cell to cell, as in Dijkstra's
// algorithm, gives a lower bound for all ways to the goal. The gates of the bound are pulled tight (see taut.go) into a
// walkable way. Cells are dropped if no way through them beats the walkable way by more than ε. Of the other cells,
// those with poor tangents are cut when the next round first needs them. A round in the other direction then begins,
// with the bounds of the finished round as estimates; the bounds of the round before hold as well. The error of a
// tangent grows with the square of the cell length, and a few rounds suffice.
//
// Input: a mesh without faults by Validate; positive costs; start and goal in parts that may be joined.
//
// Guarantees:
//  1. No way costs less than the bound, but for rounding; the path costs at most 1+ε times the bound, or the effort was
//     too little (TestAreaCostsAgainstSteinerPoints, TestEffort).
//  2. Between borders paths are straight, at borders they are refracted (TestSnell), also along them
//     (TestAlongTheBorder).
//  3. Where all ground costs the same the exact search answers (TestEvenGround), and where costs are nearly the same
//     the answers agree (TestNearlyEvenGround).
//  4. Links are taken at their cost, wide links at their best place (TestWideLinkOverUnevenGround).
//  5. The answer depends only on mesh, filter, limits, start and goal (TestCheapestLaws).
//
// Degenerate cases: gates meet at a vertex, and ways between them cost nothing there. A cell's line is nowhere lower
// than the cost of ways as they leave the previous cell; hence bounds do not sink on the way around the vertex. A way
// out over a gate and back over the same gate is examined only where the ground behind the gate is cheaper. A start or
// goal on a border belongs to all adjacent regions. While cells are coarse, the bound may lead around a circle of gates;
// the way leaves the circle out.
//
// Cost: an expanded cell is offered to all visible cells on the gates of a region. The number of needed cells grows
// with 1/√ε along the path. Before that, the search enters all regions that a way may cross at the lowest of all costs.
//
// Departures: none, as the method follows no published algorithm.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// maxRounds bounds the rounds of a search. Each round cuts the worst cells into at least two pieces.
const maxRounds = 60

// Begin starts a search between two places that a way joins. Gates with bounds often lead to a first way; without one, ok is
// false, and the search goes on by BeginWith.
func (s *Search) Begin(g *Gates, from, to index.Place, epsilon float64) (ok bool) {
	s.g = g
	s.from, s.to, s.epsilon = from, to, epsilon
	s.starts = g.ix.RegionsAround(s.starts[:0], from)
	s.goals = g.ix.RegionsAround(s.goals[:0], to)
	goal := SegmentBetween(index.Floats(to.At), index.Floats(to.At))
	s.toGoal = newWave(&goal, 0, 0, s.g.slack)
	if n := s.g.count(); len(s.spans) != n {
		s.spans = make([]span, n)
		s.stamp = 0
	}
	if s.stamp++; s.stamp > math.MaxUint32-maxRounds-2 {
		clear(s.spans)
		s.stamp = 1
	}
	s.cells, s.last = s.cells[:0], s.last[:0]
	s.backward, s.rounds, s.Taken = false, 0, 0
	s.proved, s.floor, s.best = 0, math.Inf(1), math.Inf(1)
	s.reached, s.share = math.Inf(1), math.Inf(1)
	s.aimAt()
	ok = s.aim.on && s.follow()
	if !ok {
		return false
	}
	s.beginAlong()
	return true
}

// BeginWith continues from Begin with a first way.
func (s *Search) BeginWith(w *route.Way) {
	s.tried, s.triedIn = s.g.of(w, s.tried[:0]), w.Legs[0].First
	s.beginAlong()
}

// beginAlong pulls the first way tight, and begins the first round unless the bounds prove the way.
func (s *Search) beginAlong() {
	s.try()
	if s.proved >= s.limit {
		return
	}
	s.span = firstSpan * float64(s.taut.length()*math.Sqrt(s.epsilon))
	if s.aim.on {
		s.findPassages()
	}
	s.beginRound()
}

// try pulls the way through s.tried tight and keeps the best way so far.
func (s *Search) try() {
	if s.rounds > 0 && slices.Equal(s.tried, s.last) {
		return
	}
	s.last = append(s.last[:0], s.tried...)
	if cost := s.pullGates(s.tried, s.triedIn, index.Floats(s.from.At), index.Floats(s.to.At)); cost < s.best {
		s.best, s.bestIn = cost, s.triedIn
		s.sequence = append(s.sequence[:0], s.tried...)
		s.places = s.places[:0]
		for i := range s.taut.Gates {
			s.places = append(s.places, s.taut.Gates[i].T)
		}
		s.limit = cost / (1 + s.epsilon)
	}
}

// pullGates pulls tight a way through gates that starts in region in, and returns the way's cost.
func (s *Search) pullGates(gates []int32, in uint32, from, to [2]float64) float64 {
	tolls := s.layGates(gates, in, from, to)
	return tolls + s.taut.Pull()
}

// layGates fills s.taut with the gates of a way, and returns their tolls.
func (s *Search) layGates(gates []int32, in uint32, from, to [2]float64) (tolls float64) {
	t := &s.taut
	t.X, t.Y = from[0], from[1]
	t.Gates = t.Gates[:0]
	for _, g := range gates {
		enter, leave := s.g.sidesOf(g)
		t.Gates = append(t.Gates, Crossing{In: *enter, Out: *leave, Weight: s.g.ix.Weight(in)})
		tolls += s.g.tollOf(g)
		in = s.g.after(g)
	}
	goal := SegmentBetween(to, to)
	t.Gates = append(t.Gates, Crossing{In: goal, Out: goal, Weight: s.g.ix.Weight(in)})
	return tolls
}

// Advance expands at most budget cells and returns their number. done means that the best way costs at most 1+ε
// times the proved bound, or that the search on an unsound mesh has grown too large.
func (s *Search) Advance(budget int) (expanded int, done bool) {
	if s.proved >= s.limit {
		return 0, true
	}
	for expanded < budget {
		if s.heap.Len() == 0 {
			if s.endRound() {
				return expanded, true
			}
			s.beginRound()
			continue
		}
		if !s.g.ix.Sound && s.Taken >= s.g.ix.Most {
			return expanded, true
		}
		item := s.heap.Pop()
		if c := &s.cells[item.ID]; c.queued && item.Key == c.least {
			s.expandCell(item.ID)
			s.Taken++
			expanded++
		}
	}
	return expanded, false
}

// endRound updates the bounds after a round. done means that no work is left.
func (s *Search) endRound() (done bool) {
	for i := range s.cells {
		if k := s.cells[i].key; k >= s.limit {
			s.floor = min(s.floor, k)
		}
	}
	s.proved = max(s.proved, min(s.floor, s.reached))
	if s.proved >= s.limit {
		return true
	}
	s.trace()
	if s.triedIn = s.reachedIn; len(s.tried) > 0 {
		s.triedIn = s.g.before(s.tried[0])
	}
	s.try()
	gates := len(s.tried)
	if s.proved >= s.limit || s.rounds == maxRounds {
		return true
	}
	s.reverse(gates)
	return false
}

// Bound returns the lower bound of any way's cost by the search so far.
func (s *Search) Bound() float64 {
	least := min(s.floor, s.reached, s.limit)
	for i := range s.cells {
		if c := &s.cells[i]; c.queued {
			least = min(least, c.key)
		}
	}
	return max(s.proved, least)
}
