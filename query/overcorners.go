package query

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// cornerSearch is the memory of searches for prepared paths.
type cornerSearch struct {
	regions [2][]uint32 // around the start and the goal
	seen    [2][]seenFrom
	best    float64
	ends    [2]seenFrom // the first and last corners of the best way
	hops    []cornerHop // the corners of the best way, with edges to the next corner

	// Without a table: the goal and the corners reached from the start.
	goal  lattice.Point
	over  []float64 // for each corner that the start sees, the least length of a way over the corner
	heap  waiting
	ways  []cornerWay
	stamp uint32
}

// seenFrom is a corner that an end sees, with the beam that contains the end.
type seenFrom struct {
	turn     int32
	beam     uint32
	distance float64
}

// cornerHop is a corner of a way, with the edge to the next corner.
type cornerHop struct{ turn, edge int32 }

// cornerWay is the shortest known way from the start to a corner.
type cornerWay struct {
	g, rest      float64  // rest is the distance to the goal, +Inf for a corner hidden from the goal
	parent, edge int32    // the previous corner, or none, and its edge to this corner
	seen         [2]int32 // index in cornerSearch.seen, for a corner that an end sees
	stamp        uint32
	closed       bool
}

// findPrepared fills q.way with a shortest path between two places over prepared corners. found
// is false if only the ordinary search can answer.
func (q *Query) findPrepared(ctx context.Context, from, to index.Place) (expanded int, found bool, err error) {
	ix, w, s := q.ix, q.own.prepared, &q.corners
	if err := route.Cancelled(ctx); err != nil {
		return 0, false, err
	}
	s.regions[0] = regionsAt(ix, s.regions[0][:0], from)
	s.regions[1] = regionsAt(ix, s.regions[1][:0], to)
	for _, r := range s.regions[0] {
		if slices.Contains(s.regions[1], r) {
			q.way.Direct(r)
			return 0, true, nil
		}
	}
	if !q.ray.Cast(q.ix, from, to.At).Hit && slices.Contains(s.regions[1], q.ray.Trail[len(q.ray.Trail)-1]) {
		q.way.Crossed = append(q.way.Crossed[:0], q.ray.Passed...)
		q.way.Bends = append(q.way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
		q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(q.way.Crossed), Bent: true})
		return 0, true, nil
	}
	s.best = math.Inf(1)
	s.look(w, 0, from.At)
	s.look(w, 1, to.At)
	expanded = len(s.seen[0]) + len(s.seen[1])
	if w.table != nil {
		s.joinByTable(w, to.At)
	} else {
		more, err := s.joinBySearch(ctx, w, from.At, to.At)
		if expanded += more; err != nil {
			return expanded, false, err
		}
	}
	if math.IsInf(s.best, 1) {
		return expanded, false, nil
	}
	s.hops = s.hops[:0]
	s.appendHops(w)
	return expanded, q.walkCorners(from, to), nil
}

// regionsAt is regionsAround, faster for places inside a region's core.
func regionsAt(ix *index.Index, list []uint32, p index.Place) []uint32 {
	if c := &ix.Regions[p.Region].Core; c.Min.X < p.At.X && p.At.X < c.Max.X && c.Min.Y < p.At.Y && p.At.Y < c.Max.Y {
		return append(list, p.Region)
	}
	return ix.RegionsAround(list, p)
}

// look finds the visible corners of an end that a shortest path may turn around.
func (s *cornerSearch) look(w *prepared, end int, at lattice.Point) {
	b := &w.beams
	list := s.seen[end][:0]
	for _, r := range s.regions[end] {
		cell := b.cells[r].at(at)
		for _, k := range b.meets[b.first[cell]:b.first[cell+1]] {
			in := &b.list[k]
			if way := plane.Towards(in.from, at); in.lights(way) {
				list = append(list, seenFrom{in.turn, k, way.Norm()})
			}
		}
	}
	s.seen[end] = list
}

// joinByTable finds the best way over a corner that the start sees and a corner that the goal sees.
func (s *cornerSearch) joinByTable(w *prepared, goal lattice.Point) {
	n := len(w.at)
	best, first, last := math.Inf(1), 0, 0
	for i := range s.seen[0] {
		a := &s.seen[0][i]
		rest := best - a.distance
		if plane.Distance(w.at[a.turn], goal) >= rest {
			continue
		}
		row := w.table[int(a.turn)*n : int(a.turn+1)*n]
		for k := range s.seen[1] {
			b := &s.seen[1][k]
			if way := row[b.turn] + b.distance; way < rest {
				rest, first, last = way, i, k
			}
		}
		best = min(best, a.distance+rest)
	}
	if s.best = best; !math.IsInf(best, 1) {
		s.ends = [2]seenFrom{s.seen[0][first], s.seen[1][last]}
	}
}

// joinBySearch is joinByTable by A* from corner to corner; expanded is the number of expanded corners.
func (s *cornerSearch) joinBySearch(ctx context.Context, p *prepared, from, to lattice.Point) (expanded int, err error) {
	s.goal = to
	s.heap.reset()
	s.stamp++
	if len(s.ways) != len(p.at) || s.stamp == 0 {
		s.ways = make([]cornerWay, len(p.at))
		s.stamp = 1
	}
	for i, b := range s.seen[1] {
		if w := s.way(b.turn); b.distance < w.rest {
			w.rest, w.seen[1] = b.distance, int32(i)
		}
	}
	s.over = s.over[:0]
	for _, a := range s.seen[0] {
		s.over = append(s.over, a.distance+plane.Distance(p.at[a.turn], to))
	}
	for seed := s.nextSeed(); ; {
		if seed != index.None && s.over[seed] <= s.heap.least() && s.over[seed] < s.best {
			a := &s.seen[0][seed]
			if w := s.way(a.turn); s.offer(p, a.turn, index.None, 0, a.distance) {
				w.seen[0] = int32(seed)
			}
			s.over[seed] = math.Inf(1)
			seed = s.nextSeed()
			continue
		}
		if s.heap.least() >= s.best {
			return expanded, nil
		}
		if expanded%route.SliceNodes == 0 {
			if err := route.Cancelled(ctx); err != nil {
				return expanded, err
			}
		}
		expanded++
		s.goOn(p, s.heap.take(), from)
	}
}

// nextSeed returns the index of the unused start corner with the least possible way, or none. Start corners are few,
// and most are never used.
func (s *cornerSearch) nextSeed() int {
	next, least := index.None, math.Inf(1)
	for i, over := range s.over {
		if over < least {
			next, least = i, over
		}
	}
	return next
}

// way returns the record of a corner.
func (s *cornerSearch) way(turn int32) *cornerWay {
	w := &s.ways[turn]
	if w.stamp != s.stamp {
		*w = cornerWay{g: math.Inf(1), rest: math.Inf(1), parent: index.None, stamp: s.stamp}
	}
	return w
}

// offer records a way to a corner, if the way is the shortest so far and may lead to a shortest path.
func (s *cornerSearch) offer(p *prepared, turn, parent, edge int32, g float64) bool {
	w := s.way(turn)
	if w.closed || w.g <= g {
		return false
	}
	key := g + plane.Distance(p.at[turn], s.goal)
	if key >= s.best {
		return false
	}
	w.g, w.parent, w.edge = g, parent, edge
	s.heap.add(key, turn)
	if way := g + w.rest; way < s.best {
		s.best, s.ends[1].turn = way, turn
	}
	return true
}

// goOn expands a corner: its way is the shortest, by the argument of A*. Continuations that do not turn around the
// corner are left out, since shorter ways avoid the corner.
func (s *cornerSearch) goOn(p *prepared, turn int32, start lattice.Point) {
	w := s.way(turn)
	if w.closed {
		return
	}
	w.closed = true
	g, before := w.g, start
	if w.parent != index.None {
		before = p.at[w.parent]
	}
	at := p.at[turn]
	in := plane.Towards(before, at)
	inSide := p.walls[turn].side(in)
	targets, costs := p.graph.From(turn)
	sides := p.ways.sides[p.ways.first[turn]:p.ways.first[turn+1]]
	for i, v := range targets {
		if w := &s.ways[v]; w.stamp == s.stamp && (w.closed || w.g <= g+costs[i]) {
			continue
		}
		if mayTurn(in, inSide, plane.Towards(at, p.at[v]), int(sides[i])) {
			s.offer(p, v, turn, int32(i), g+costs[i])
		}
	}
}

// appendHops appends the corners of the best way to s.hops.
func (s *cornerSearch) appendHops(w *prepared) {
	if w.table == nil {
		turn, edge := s.ends[1].turn, int32(0)
		s.ends[1] = s.seen[1][s.ways[turn].seen[1]]
		for {
			s.hops = append(s.hops, cornerHop{turn, edge})
			at := &s.ways[turn]
			if at.parent == index.None {
				s.ends[0] = s.seen[0][at.seen[0]]
				slices.Reverse(s.hops)
				return
			}
			turn, edge = at.parent, at.edge
		}
	}
	// The next corner is the corner with the shortest way over it; every edge is longer than zero.
	a, b, n := s.ends[0].turn, s.ends[1].turn, len(w.at)
	row := w.table[int(b)*n : int(b+1)*n]
	for ; a != b && len(s.hops) <= n; a = next(w, a, s.hops[len(s.hops)-1].edge) {
		edge, least := int32(index.None), math.Inf(1)
		targets, costs := w.graph.From(a)
		for i, v := range targets {
			if way := costs[i] + row[v]; way < least {
				edge, least = int32(i), way
			}
		}
		s.hops = append(s.hops, cornerHop{a, edge})
	}
	s.hops = append(s.hops, cornerHop{b, 0})
}

// next returns the corner at the far end of an edge.
func next(w *prepared, turn, edge int32) int32 {
	targets, _ := w.graph.From(turn)
	return targets[edge]
}

// walkCorners fills q.way with the best way; the result is false if a part of the way is
// unknown.
func (q *Query) walkCorners(from, to index.Place) bool {
	ix, s := q.ix, &q.corners
	w := q.own.prepared
	if len(s.regions[0])+len(s.regions[1]) > 2 {
		return q.castCorners(from, to)
	}
	q.way.Crossed = q.way.Crossed[:0]
	q.way.Bends = append(q.way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	in, ok := from.Region, true // the current region of the way
	for k := w.beams.list[s.ends[0].beam].way; k != index.None; k = w.beams.ways[k].before {
		back := ix.Portals[w.beams.ways[k].portal].Back
		q.way.Crossed = append(q.way.Crossed, back)
		in = ix.Portals[back].To
	}
	for _, h := range s.hops[:len(s.hops)-1] {
		q.bendAt(w.at[h.turn])
		first, portals, back := w.ways.of(ix, h.turn, int(h.edge))
		if q.way.Crossed, ok = w.fans.turn(ix, q.way.Crossed, h.turn, in, first); !ok {
			return q.castCorners(from, to)
		}
		in = first
		if !back {
			q.way.Crossed = append(q.way.Crossed, portals...)
		} else {
			for _, p := range slices.Backward(portals) {
				q.way.Crossed = append(q.way.Crossed, ix.Portals[p].Back)
			}
		}
		if len(portals) > 0 {
			in = ix.Portals[q.way.Crossed[len(q.way.Crossed)-1]].To
		}
	}
	last := s.hops[len(s.hops)-1].turn
	q.bendAt(w.at[last])
	q.ray.Passed = q.ray.Passed[:0]
	first := to.Region
	for k := w.beams.list[s.ends[1].beam].way; k != index.None; k = w.beams.ways[k].before {
		p := w.beams.ways[k].portal
		q.ray.Passed = append(q.ray.Passed, p)
		first = ix.Portals[ix.Portals[p].Back].To
	}
	if q.way.Crossed, ok = w.fans.turn(ix, q.way.Crossed, last, in, first); !ok {
		return q.castCorners(from, to)
	}
	for _, p := range slices.Backward(q.ray.Passed) {
		q.way.Crossed = append(q.way.Crossed, p)
	}
	q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(q.way.Crossed), Bent: true})
	return true
}

// bendAt records a bend of the way, unless the last bend is the same point.
func (q *Query) bendAt(at lattice.Point) {
	if q.way.Bends[len(q.way.Bends)-1].Point != at {
		q.way.Bends = append(q.way.Bends, route.Bend{Point: at, Gate: len(q.way.Crossed) - 1})
	}
}

// castCorners is walkCorners by casting from corner to corner: for ends on borders between regions, whose beam may
// belong to a region beside, and for ways around corners without exactly two walls.
func (q *Query) castCorners(from, to index.Place) bool {
	s := &q.corners
	q.way.Crossed = q.way.Crossed[:0]
	q.way.Bends = append(q.way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	at := from
	for i := range len(s.hops) + 1 {
		next := to.At
		if i < len(s.hops) {
			next = q.own.prepared.at[s.hops[i].turn]
		}
		if q.ray.Cast(q.ix, at, next).Hit {
			return false
		}
		q.way.Crossed = append(q.way.Crossed, q.ray.Passed...)
		at = index.Place{Region: q.ray.Trail[len(q.ray.Trail)-1], At: next}
		if i < len(s.hops) {
			q.bendAt(next)
		}
	}
	q.way.Legs = append(q.way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(q.way.Crossed), Bent: true})
	return slices.Contains(s.regions[1], at.Region)
}
