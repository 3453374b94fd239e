package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// labelSearch is the memory of paths from labels.
type labelSearch struct {
	ends   [2]sight
	hubs   [2][]hubWay // by rank
	taken  [2]int      // corners of each end whose labels have been taken
	stamp  uint32
	best   float64
	bent   bool     // the best way turns around corners,
	corner [2]int32 // those next to the ends
	rank   int32    // and a hub between them, if there are labels
	nodes  []int32
	bends  []lattice.Point
}

// hubWay is the shortest way known from an end to a hub.
type hubWay struct {
	cost   float64
	corner int32 // the first one on it
	stamp  uint32
}

// findPrepared fills q.crossed and q.legs with a corridor that contains a shortest path between two places
// from the labels of the Index. found is false where it has not, and the search has to.
func (q *Query) findPrepared(from, to place) (expanded int, found bool) {
	ix, s := q.ix, &q.labelled
	a, b := &s.ends[0], &s.ends[1]
	a.begin(ix, from)
	b.begin(ix, to)
	for _, r := range a.from {
		if slices.Contains(b.from, r) {
			q.direct(r)
			return 0, true
		}
	}
	s.begin(ix)
	a.aim(ix, to.at, b.from)
	b.aim(ix, from.at, a.from)
	for k := range s.ends {
		s.ends[k].lookAround(ix)
		s.join(ix, k)
	}
	for {
		k := 0
		if b.heap.least() < a.heap.least() {
			k = 1
		}
		end := &s.ends[k]
		if end.heap.least() >= s.best {
			break
		}
		end.limit = s.best
		end.expand(ix, end.heap.take())
		expanded++
		if end.direct {
			s.best, s.bent = distance(from.at, to.at), false
			break
		}
		s.join(ix, k)
	}
	return expanded, !math.IsInf(s.best, 1) && q.walkCorners(from, to)
}

// begin forgets the search before.
func (s *labelSearch) begin(ix *Index) {
	s.stamp++
	if corners := ix.turns; ix.prepared.labels != nil && len(s.hubs[0]) != corners || s.stamp == 0 {
		s.hubs = [2][]hubWay{make([]hubWay, corners), make([]hubWay, corners)}
		s.stamp = 1
	}
	s.taken, s.best, s.bent = [2]int{}, math.Inf(1), false
}

// join looks for ways over the corners that an end has just seen.
func (s *labelSearch) join(ix *Index, k int) {
	end := &s.ends[k]
	for i := s.taken[k]; i < len(end.seen); i++ {
		c := end.seen[i]
		if c.distance+distance(ix.prepared.at[c.turn], end.goal) >= s.best {
			continue
		}
		end.seen[s.taken[k]] = c // those that do not matter are left out
		s.taken[k]++
		if ix.prepared.table != nil {
			s.joinByTable(ix, k, c)
		} else {
			s.joinByLabels(ix, k, c)
		}
	}
	end.seen = end.seen[:s.taken[k]]
}

// joinByTable looks for ways over a corner and all that the other end has seen.
func (s *labelSearch) joinByTable(ix *Index, k int, c seenCorner) {
	n := len(ix.prepared.at)
	row := ix.prepared.table[int(c.turn)*n : int(c.turn+1)*n]
	for _, o := range s.ends[1-k].seen[:s.taken[1-k]] {
		if way := c.distance + row[o.turn] + o.distance; way < s.best {
			s.best, s.bent = way, true
			s.corner[k], s.corner[1-k] = c.turn, o.turn
		}
	}
}

// joinByLabels notes the hubs of a corner, and looks for ways over those that the other end has noted.
func (s *labelSearch) joinByLabels(ix *Index, k int, c seenCorner) {
	own, other := s.hubs[k], s.hubs[1-k]
	for _, e := range ix.prepared.labels.Of(c.turn) {
		h := &own[e.Rank]
		cost := c.distance + e.Cost
		if h.stamp == s.stamp && h.cost <= cost {
			continue
		}
		*h = hubWay{cost, c.turn, s.stamp}
		if o := &other[e.Rank]; o.stamp == s.stamp && cost+o.cost < s.best {
			s.best, s.bent, s.rank = cost+o.cost, true, e.Rank
			s.corner[k], s.corner[1-k] = c.turn, o.corner
		}
	}
}

// appendCorners appends the corners of the best way to s.nodes.
func (s *labelSearch) appendCorners(w *prepared) {
	a, b := s.corner[0], s.corner[1]
	if w.table == nil {
		s.nodes = w.labels.AppendToHub(s.nodes, a, s.rank)
		middle := len(s.nodes) - 1
		s.nodes = w.labels.AppendToHub(s.nodes[:middle], b, s.rank)
		slices.Reverse(s.nodes[middle:])
		return
	}
	// The next corner is the one over which the way is the shortest; all ways there are longer than none.
	n := len(w.at)
	for s.nodes = append(s.nodes, a); a != b && len(s.nodes) <= n; s.nodes = append(s.nodes, a) {
		next, least := b, math.Inf(1)
		targets, costs := w.graph.From(a)
		for i, v := range targets {
			if way := costs[i] + w.table[int(b)*n+int(v)]; way < least {
				next, least = v, way
			}
		}
		a = next
	}
}

// walkCorners fills q.crossed, q.legs and q.bends with the best way, and reports whether all of it is free.
func (q *Query) walkCorners(from, to place) bool {
	s := &q.labelled
	s.bends = s.bends[:0]
	if s.bent {
		s.nodes = s.nodes[:0]
		s.appendCorners(q.ix.prepared)
		for _, n := range s.nodes {
			s.bends = append(s.bends, q.ix.prepared.at[n])
		}
	}
	q.crossed = q.crossed[:0]
	q.bends = append(q.bends[:0], Bend{from.at, -1})
	at := from
	for i := range len(s.bends) + 1 {
		next := to.at
		if i < len(s.bends) {
			next = s.bends[i]
		}
		if q.cast(at, next).hit {
			return false
		}
		q.crossed = append(q.crossed, q.passed...)
		at = place{region: q.trail[len(q.trail)-1], at: next}
		if i < len(s.bends) && next != q.bends[len(q.bends)-1].Point {
			q.bends = append(q.bends, Bend{next, len(q.crossed) - 1})
		}
	}
	q.legs = append(q.legs[:0], leg{hop: none, first: from.region, end: len(q.crossed), bent: true})
	return true
}
