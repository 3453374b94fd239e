package query

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// cornerSearch is the memory of paths that are prepared.
type cornerSearch struct {
	ends   [2]sight
	taken  [2]int // corners of each end that have been taken up
	best   float64
	bent   bool     // the best way turns around corners,
	corner [2]int32 // those next to the ends
	nodes  []int32
	bends  []lattice.Point

	// Where there is no table, the corners on the way from the start, and the distance from the goal of those that
	// it sees.
	heap  waiting
	ways  []cornerWay
	stamp uint32
}

// cornerWay is the shortest way known from the start to a corner.
type cornerWay struct {
	g, rest float64 // rest is the distance of the goal, +Inf unless it has seen the corner
	parent  int32   // the corner before, or none
	stamp   uint32
	closed  bool
}

// findPrepared fills q.crossed, q.legs and q.bends with a shortest path between two places over the corners that are
// prepared. found is false where it has not, and the search has to.
func (q *Query) findPrepared(ctx context.Context, from, to place) (expanded int, found bool, err error) {
	ix, s := q.ix, &q.corners
	a, b := &s.ends[0], &s.ends[1]
	a.begin(ix, from)
	b.begin(ix, to)
	for _, r := range a.from {
		if slices.Contains(b.from, r) {
			q.direct(r)
			return 0, true, nil
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
		if expanded%sliceNodes == 0 {
			if err := cancelled(ctx); err != nil {
				return expanded, false, err
			}
		}
		k, least := 0, a.heap.least()
		if l := b.heap.least(); l < least {
			k, least = 1, l
		}
		corner := s.heap.least()
		if min(least, corner) >= s.best {
			break
		}
		expanded++
		if corner <= least {
			s.goOn(ix, s.heap.take(), to.at)
			continue
		}
		end := &s.ends[k]
		end.limit = s.best
		end.expand(ix, end.heap.take())
		if end.direct {
			s.best, s.bent = distance(from.at, to.at), false
			break
		}
		s.join(ix, k)
	}
	return expanded, !math.IsInf(s.best, 1) && q.walkCorners(from, to), nil
}

// begin forgets the search before.
func (s *cornerSearch) begin(ix *Index) {
	s.taken, s.best, s.bent = [2]int{}, math.Inf(1), false
	s.heap.reset()
	if ix.prepared.table != nil {
		return
	}
	s.stamp++
	if len(s.ways) != ix.turns || s.stamp == 0 {
		s.ways = make([]cornerWay, ix.turns)
		s.stamp = 1
	}
}

// join looks for ways over the corners that an end has just seen.
func (s *cornerSearch) join(ix *Index, k int) {
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
			s.joinBySearch(ix, k, c)
		}
	}
	end.seen = end.seen[:s.taken[k]]
}

// joinByTable looks for ways over a corner and all that the other end has seen.
func (s *cornerSearch) joinByTable(ix *Index, k int, c seenCorner) {
	n := len(ix.prepared.at)
	row := ix.prepared.table[int(c.turn)*n : int(c.turn+1)*n]
	for _, o := range s.ends[1-k].seen[:s.taken[1-k]] {
		if way := c.distance + row[o.turn] + o.distance; way < s.best {
			s.best, s.bent = way, true
			s.corner[k], s.corner[1-k] = c.turn, o.turn
		}
	}
}

// joinBySearch puts a corner that the start sees into the queue, or looks for the way over one that the goal sees.
func (s *cornerSearch) joinBySearch(ix *Index, k int, c seenCorner) {
	if k == 0 {
		s.offer(c.turn, none, c.distance, distance(ix.prepared.at[c.turn], s.ends[0].goal))
		return
	}
	w := s.way(c.turn)
	w.rest = c.distance
	s.meet(c.turn, w)
}

// way returns the record of a corner.
func (s *cornerSearch) way(turn int32) *cornerWay {
	w := &s.ways[turn]
	if w.stamp != s.stamp {
		*w = cornerWay{g: math.Inf(1), rest: math.Inf(1), parent: none, stamp: s.stamp}
	}
	return w
}

// offer notes a way to a corner, if it is the shortest so far. rest is the distance of the goal.
func (s *cornerSearch) offer(turn, parent int32, g, rest float64) {
	w := s.way(turn)
	if w.closed || w.g <= g || g+rest >= s.best {
		return
	}
	w.g, w.parent = g, parent
	s.heap.add(g+rest, turn)
	s.meet(turn, w)
}

// meet takes the way over a corner if it is the best one.
func (s *cornerSearch) meet(turn int32, w *cornerWay) {
	if way := w.g + w.rest; way < s.best {
		s.best, s.bent, s.corner[1] = way, true, turn
	}
}

// goOn takes up a corner: the way to it is the shortest, by the argument that A* rests on. Ways on that do not turn
// around the corner are left out: there are shorter ones without it.
func (s *cornerSearch) goOn(ix *Index, turn int32, goal lattice.Point) {
	w := s.way(turn)
	if w.closed {
		return
	}
	w.closed = true
	g, before := w.g, s.ends[0].at
	if w.parent != none {
		before = ix.prepared.at[w.parent]
	}
	at, walls := ix.prepared.at[turn], ix.prepared.walls[turn]
	in := towards(before, at)
	side := walls.side(in)
	targets, costs := ix.prepared.graph.From(turn)
	for i, v := range targets {
		next := ix.prepared.at[v]
		if walls.taut(in, side, towards(at, next)) {
			s.offer(v, turn, g+costs[i], distance(next, goal))
		}
	}
}

// appendCorners appends the corners of the best way to s.nodes.
func (s *cornerSearch) appendCorners(w *prepared) {
	a, b := s.corner[0], s.corner[1]
	if w.table == nil {
		for ; b != none; b = s.ways[b].parent {
			s.nodes = append(s.nodes, b)
		}
		slices.Reverse(s.nodes)
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
	s := &q.corners
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
