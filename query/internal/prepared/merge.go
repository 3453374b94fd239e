package prepared

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// viaHub is the best known way from the start to a hub: its length, the first corner and the label there.
type viaHub struct {
	length float64
	label  uint32
	turn   int32
}

// atLabel is a corner with one of its labels.
type atLabel struct {
	turn  int32
	label uint32
}

// joinByLabels is joinByTable for labels. The straightest corners in sight of both ends give a first way. Corners whose
// straight ways are no shorter are left out before their labels are read.
func (s *Search) joinByLabels(w *Corners, start, goal lattice.Point) {
	s.best = math.Inf(1)
	a, ok := s.lookAhead(w, 0, start, goal)
	if !ok {
		return
	}
	b, ok := s.lookAhead(w, 1, goal, start)
	if !ok {
		return
	}
	for len(s.byHub) < len(w.At) {
		s.byHub = append(s.byHub, viaHub{length: math.Inf(1)})
	}
	s.spread(w, &a)
	s.gather(w, &b)
	s.lookWithin(w, 0, start, goal, s.best)
	s.lookWithin(w, 1, goal, start, s.best)
	s.leaveOut(w, 0)
	s.leaveOut(w, 1)
	for i := range s.Seen[0] {
		if s.Seen[0][i] != a {
			s.spread(w, &s.Seen[0][i])
		}
	}
	for i := range s.Seen[1] {
		s.gather(w, &s.Seen[1][i])
	}
	s.collect(w, a.Turn)
	for i := range s.Seen[0] {
		s.collect(w, s.Seen[0][i].Turn)
	}
}

// collect drops the ways to the hubs of a corner.
func (s *Search) collect(w *Corners, turn int32) {
	_, hub := w.labels.of(turn)
	for _, h := range hub {
		s.byHub[h].length = math.Inf(1)
	}
}

// leaveOut removes corners in sight of an end that are on no shorter way than the best.
func (s *Search) leaveOut(w *Corners, end int) {
	others, list := s.Seen[1-end], s.Seen[end][:0]
	for _, a := range s.Seen[end] {
		at, rest := w.At[a.Turn], s.best-a.Distance
		for k := range others {
			if b := &others[k]; b.Distance+index.Distance(at, w.At[b.Turn]) < rest {
				list = append(list, a)
				break
			}
		}
	}
	s.Seen[end] = list
}

// spread offers the ways over a corner in sight of the start to its hubs.
func (s *Search) spread(w *Corners, a *seenFrom) {
	first := w.labels.first[a.Turn]
	distance, hub := w.labels.of(a.Turn)
	rest := s.best - a.Distance
	for k, d := range distance {
		if d >= rest {
			return
		}
		if v := &s.byHub[hub[k]]; a.Distance+d < v.length {
			*v = viaHub{a.Distance + d, first + uint32(k), a.Turn}
		}
	}
}

// gather finds the best way over a corner in sight of the goal.
func (s *Search) gather(w *Corners, b *seenFrom) {
	distance, hub := w.labels.of(b.Turn)
	rest, best := s.best-b.Distance, -1
	for i, d := range distance {
		if d >= rest {
			break
		}
		if way := s.byHub[hub[i]].length + d; way < rest {
			rest, best = way, i
		}
	}
	if best >= 0 {
		v := &s.byHub[hub[best]]
		s.best = rest + b.Distance
		s.via = [2]atLabel{{v.turn, v.label}, {b.Turn, w.labels.first[b.Turn] + uint32(best)}}
	}
}

// followLabels appends the corners of the best way to s.hops: to the hub, and from there backwards.
func (s *Search) followLabels(w *Corners) {
	s.hops = s.hops[:0]
	for c := s.via[0]; !w.labels.atHub(c); {
		next, passage := w.follow(c)
		s.hops = append(s.hops, cornerHop{c.turn, passage})
		c = next
	}
	half := len(s.hops)
	c := s.via[1]
	s.hops = append(s.hops, cornerHop{turn: c.turn})
	for !w.labels.atHub(c) {
		next, passage := w.follow(c)
		s.hops = append(s.hops, cornerHop{next.turn, passage ^ 1})
		c = next
	}
	slices.Reverse(s.hops[half:])
}

// follow returns the next corner on the way to a hub, and the passage to this corner.
func (w *Corners) follow(c atLabel) (next atLabel, passage uint32) {
	step := &w.labels.steps[c.label]
	edge := w.ways.first[c.turn] + uint32(step.edge)
	next.turn = int32(w.far[edge])
	next.label = w.labels.first[next.turn] + uint32(step.at)
	return next, w.ways.which[edge]
}
