package query

// The cheapest path over ground of different costs, up to a proved ratio.
//
// Source: the problem, and that ways are refracted at borders by Snell's law, are those of J. S. B. Mitchell and
// C. H. Papadimitriou, The weighted region problem, Journal of the ACM 38 (1991). Bounds from one end as estimates
// from the other, and back, as in G. Manzini, BIDA*, Artificial Intelligence 75 (1995), and H. Kaindl and
// G. Kainz, Bidirectional heuristic search reconsidered, JAIR 7 (1997). The bounds on cells are our own.
//
// Idea: Portals and links are gates, and pieces of gates are cells. For each cell a linear function is kept that is
// nowhere above the least cost of a way to there. What ways from one cell cost at another is convex along it, so that
// its tangent is such a function for the next cell; of several the least values at the two ends are taken, as the least
// of lines lies above the line between its ends. From cell to cell, as in Dijkstra's algorithm, that gives what no way
// to the goal costs less than. The gates that the bound came by are pulled tight (see taut.go), which gives a way that can
// be walked. Cells that no way can go through that is better than that by more than ε are dropped; of the others those whose
// tangents are the worst are cut, and a round in the other direction begins, with the bounds of this one as estimates.
// Tangents are wrong by the square of the length of a cell, so a few rounds do.
//
// Input: a mesh that Validate finds no fault in; costs that are positive; start and goal in parts that may be joined.
//
// Guarantees:
//  1. No way costs less than the bound, but for rounding; the path costs at most 1+ε times the bound, or the effort
//     was too little (TestAreaCostsAgainstSteinerPoints, TestEffort).
//  2. Between borders paths are straight, at borders they are refracted (TestSnell), also along them
//     (TestAlongTheBorder).
//  3. Where all ground costs the same the exact search answers (TestEvenGround), and where it nearly does the answers
//     agree (TestNearlyEvenGround).
//  4. Links are taken at their cost, wide ones where it is best (TestWideLinkOverUnevenGround).
//  5. The answer depends on nothing but mesh, filter, limits, start and goal (TestCheapestLaws).
//
// Degenerate cases: at a vertex gates meet, and ways from one to the next cost nothing there; since a line is never
// lower than what ways have cost when they leave, bounds do not sink as they go around. A way that goes out over a gate
// and comes back over it is looked at only where the ground behind is cheaper. A start or goal on a border belongs
// to all regions there. The bound may come by gates that go around in a circle while cells are coarse; the way of the round
// before stands then.
//
// Cost: a cell that is taken up is offered to all cells of the gates of a region that it can see. The number of
// cells that are needed grows with 1/√ε along the path; before that, all regions are entered that a way may go through
// for which costs are as low as the lowest.
//
// Departures: none to name, as no published algorithm is followed.

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// DefaultEpsilon is what Query.Epsilon of 0 stands for, DefaultEffort the same for Query.Effort.
const (
	DefaultEpsilon = 0.01
	DefaultEffort  = 1 << 18
)

// maxRounds bounds the rounds of a search. Each cuts the worst cells in two at least.
const maxRounds = 60

// findCheapest fills q.crossed and q.legs with a corridor that contains a way which costs at most 1+ε
// times as much as the cheapest, as far as the effort allows; found is false where no way leads from one to the other.
func (q *Query) findCheapest(ctx context.Context, from, to place) (expanded int, found bool, err error) {
	s := &q.cheap
	epsilon, effort, err := q.effort()
	if err != nil {
		return 0, false, err
	}
	expanded, found, err = q.findCorridor(ctx, from, to)
	if err != nil || !found {
		return expanded, found, err
	}
	q.beginCheapest(from, to, epsilon)
	for done := false; !done && effort > 0; {
		if err := cancelled(ctx); err != nil {
			return expanded, false, err
		}
		var n int
		n, done = q.advanceCheapest(min(sliceNodes, effort))
		expanded += n
		effort -= n
	}
	q.proved = q.boundCheapest()
	q.layGates(s.sequence, s.bestIn)
	return expanded, true, nil
}

// effort returns the limits that the query has.
func (q *Query) effort() (epsilon float64, effort int, err error) {
	epsilon, effort = q.Epsilon, q.Effort
	switch {
	case !(epsilon >= 0) || math.IsInf(epsilon, 1):
		return 0, 0, fmt.Errorf("query: path: an Epsilon of %g", epsilon)
	case effort < 0:
		return 0, 0, fmt.Errorf("query: path: an Effort of %d", effort)
	}
	if epsilon == 0 {
		epsilon = DefaultEpsilon
	}
	if effort == 0 {
		effort = DefaultEffort
	}
	return epsilon, effort, nil
}

// beginCheapest starts a search between two places that q.crossed and q.legs join.
func (q *Query) beginCheapest(from, to place, epsilon float64) {
	ix, s := q.ix, &q.cheap
	s.from, s.to, s.epsilon = from, to, epsilon
	s.starts = ix.regionsAround(s.starts[:0], from)
	s.goals = ix.regionsAround(s.goals[:0], to)
	goal := segmentBetween(floats(to.at), floats(to.at))
	s.toGoal = newWave(&goal, 0, 0, ix.ground.slack)
	if n := ix.gateCount(); len(s.spans) != n {
		s.spans = make([]span, n)
		s.stamp = 0
	}
	if s.stamp++; s.stamp > math.MaxUint32-maxRounds-2 {
		clear(s.spans)
		s.stamp = 1
	}
	s.cells, s.last = s.cells[:0], s.last[:0]
	s.backward, s.rounds, s.taken = false, 0, 0
	s.proved, s.floor, s.best = 0, math.Inf(1), math.Inf(1)
	s.tried, s.triedIn = q.gatesOf(s.tried[:0]), q.legs[0].first
	q.try()
	q.beginRound()
}

// gatesOf appends the gates of q.crossed and q.legs.
func (q *Query) gatesOf(gates []int32) []int32 {
	for i := range q.legs {
		l := &q.legs[i]
		if l.hop != none {
			gates = append(gates, int32(len(q.ix.portals))+q.ix.hops[l.hop].link)
		}
		for _, p := range q.crossed[l.begin:l.end] {
			gates = append(gates, int32(p))
		}
	}
	return gates
}

// try pulls the way through s.tried tight and keeps it if it is the best so far.
func (q *Query) try() {
	s := &q.cheap
	if s.rounds > 0 && slices.Equal(s.tried, s.last) {
		return
	}
	s.last = append(s.last[:0], s.tried...)
	if cost := q.pullGates(s.tried, s.triedIn, floats(s.from.at), floats(s.to.at)); cost < s.best {
		s.best, s.bestIn = cost, s.triedIn
		s.sequence = append(s.sequence[:0], s.tried...)
		s.limit = cost / (1 + s.epsilon)
	}
}

// pullGates pulls a way through gates tight that starts in region in, and returns its cost.
func (q *Query) pullGates(gates []int32, in uint32, from, to [2]float64) float64 {
	ix, t := q.ix, &q.cheap.taut
	t.x, t.y = from[0], from[1]
	t.gates = t.gates[:0]
	tolls := 0.0
	for _, g := range gates {
		enter, leave := ix.sidesOf(g)
		t.gates = append(t.gates, tautGate{in: *enter, out: *leave, weight: ix.weight(in)})
		tolls += ix.tollOf(g)
		in = ix.after(g)
	}
	goal := segmentBetween(to, to)
	t.gates = append(t.gates, tautGate{in: goal, out: goal, weight: ix.weight(in)})
	return tolls + t.pull()
}

// advanceCheapest takes up cells, at most budget of them, and returns how many. done says that the best
// way costs at most 1+ε times what is proved, or that the search has grown too large for a mesh that is not sound.
func (q *Query) advanceCheapest(budget int) (expanded int, done bool) {
	s := &q.cheap
	for expanded < budget {
		if s.heap.Len() == 0 {
			if q.endRound() {
				return expanded, true
			}
			q.beginRound()
			continue
		}
		if !q.ix.sound && s.taken >= q.ix.most {
			return expanded, true
		}
		item := s.heap.Pop()
		if c := &s.cells[item.ID]; c.queued && item.Key == c.least {
			q.expandCell(item.ID)
			s.taken++
			expanded++
		}
	}
	return expanded, false
}

// endRound takes stock of a round. done says that nothing is left to do.
func (q *Query) endRound() (done bool) {
	s := &q.cheap
	for i := range s.cells {
		if k := s.cells[i].key; k >= s.limit {
			s.floor = min(s.floor, k)
		}
	}
	s.proved = max(s.proved, min(s.floor, s.reached))
	if s.proved >= s.limit {
		return true
	}
	gates := len(s.sequence)
	if q.traceCells() {
		if s.triedIn = s.reachedIn; len(s.tried) > 0 {
			s.triedIn = q.ix.before(s.tried[0])
		}
		q.try()
		gates = len(s.tried)
	}
	if s.proved >= s.limit || s.rounds == maxRounds {
		return true
	}
	q.refine(gates)
	return false
}

// boundCheapest returns what no way costs less than, by what is known so far.
func (q *Query) boundCheapest() float64 {
	s := &q.cheap
	least := min(s.floor, s.reached, s.limit)
	for i := range s.cells {
		if c := &s.cells[i]; c.queued {
			least = min(least, c.key)
		}
	}
	return max(s.proved, least)
}
