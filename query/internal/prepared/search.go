package prepared

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Search is the memory of searches for prepared paths.
type Search struct {
	w       *Corners
	ray     index.Caster
	Regions [2][]uint32 // around the start and the goal
	Seen    [2][]seenFrom
	Joined  int // ways put together from stored passages so far, not cast from corner to corner
	best    float64
	ends    [2]seenFrom      // the first and last corners of the best way
	hops    []cornerHop      // the corners of the best way
	ahead   [2][]ahead       // of labels: the blocks of cones in the regions of the start and of the goal,
	folded  [2][]ahead       // and groups whose blocks are not among them
	byHub   []viaHub         // the best ways from the start to hubs
	via     [2]atLabel       // of labels: the first and last corners of the best way
	looks   [2]sight         // of steps: from the start and from the goal,
	met     [2]int           // the corners of the looks that are in Seen or of no use,
	places  [2]lattice.Point // the start and the goal,
	behind  []cornerHop      // and the corners from the last corner of the best way backwards
}

// seenFrom is a corner that an end sees, with the beam that contains the end.
type seenFrom struct {
	Turn     int32
	beam     uint32 // of steps: the number in the look
	Distance float64
	least    float64 // a lower bound of the ways over the corner from the start to the goal
}

// cornerHop is a corner of a way, with the passage to the next corner, see cornerWays.which.
type cornerHop struct {
	turn    int32
	passage uint32
}

// Find fills a way with a shortest path between two places over prepared corners. found
// is false if only the ordinary search can answer.
func (s *Search) Find(ctx context.Context, w *Corners, way *route.Way, from, to index.Place) (expanded int, found bool, err error) {
	s.w = w
	ix := w.ix
	if err := route.Cancelled(ctx); err != nil {
		return 0, false, err
	}
	if ix.Region(from.Region).Part != ix.Region(to.Region).Part {
		return 0, false, nil
	}
	s.Regions[0] = RegionsAt(ix, s.Regions[0][:0], from)
	s.Regions[1] = RegionsAt(ix, s.Regions[1][:0], to)
	for _, r := range s.Regions[0] {
		if slices.Contains(s.Regions[1], r) {
			way.Direct(r)
			return 0, true, nil
		}
	}
	if !s.ray.Cast(ix, from, to.At).Hit && slices.Contains(s.Regions[1], s.ray.Trail[len(s.ray.Trail)-1]) {
		way.Crossed = append(way.Crossed[:0], s.ray.Passed...)
		way.Bends = append(way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
		way.Legs = append(way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(way.Crossed), Bent: true})
		return 0, true, nil
	}
	s.best = math.Inf(1)
	if w.steps != nil {
		s.joinBySteps(w, from, to)
		expanded = len(s.Seen[0]) + len(s.Seen[1])
		if math.IsInf(s.best, 1) {
			return expanded, false, nil
		}
		s.followSteps(w)
		return expanded, s.walkSteps(way, from, to), nil
	}
	if w.labels != nil {
		s.joinByLabels(w, from.At, to.At)
		if expanded = len(s.Seen[0]) + len(s.Seen[1]); math.IsInf(s.best, 1) {
			return expanded, false, nil
		}
		s.followLabels(w)
		return expanded, s.walkLabels(way, from, to), nil
	}
	s.Look(w, 0, from.At)
	s.Look(w, 1, to.At)
	expanded = len(s.Seen[0]) + len(s.Seen[1])
	s.joinByTable(w, to.At)
	if math.IsInf(s.best, 1) {
		return expanded, false, nil
	}
	s.hops = s.hops[:0]
	s.appendHops(w)
	return expanded, s.walk(way, from, to), nil
}

// RegionsAt is regionsAround, faster for places inside a region's core.
func RegionsAt(ix *index.Index, list []uint32, p index.Place) []uint32 {
	if c := &ix.Region(p.Region).Core; c.Min.X < p.At.X && p.At.X < c.Max.X && c.Min.Y < p.At.Y && p.At.Y < c.Max.Y {
		return append(list, p.Region)
	}
	return ix.RegionsAround(list, p)
}

// Look finds the visible corners of an end that a shortest path may turn around.
func (s *Search) Look(w *Corners, end int, at lattice.Point) {
	if w.cones != nil {
		s.face(w, end, at, at)
		s.lookWithin(w, end, at, at, math.Inf(1))
		return
	}
	b := &w.beams
	list := s.Seen[end][:0]
	for _, r := range s.Regions[end] {
		cell := b.cells[r].at(at)
		meets := b.meets[b.first[cell]:b.first[cell+1]]
		// Every beam takes the next place of the list, and only a beam that lights the end keeps the place: no branch to predict.
		n := len(list)
		list = slices.Grow(list, len(meets))[:n+len(meets)]
		for _, k := range meets {
			in := &b.list[k]
			way := index.Towards(in.from, at)
			o := &list[n]
			o.Turn, o.beam, o.Distance = in.turn, k, way.Norm()
			n += in.litBy(way)
		}
		list = list[:n]
	}
	s.Seen[end] = list
}

// walk fills a way with the best way; the result is false if a part of the way is
// unknown.
func (s *Search) walk(way *route.Way, from, to index.Place) bool {
	w := s.w
	ix := w.ix
	if len(s.Regions[0])+len(s.Regions[1]) > 2 {
		return s.cast(way, from, to)
	}
	way.Crossed = way.Crossed[:0]
	way.Bends = append(way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	in := from.Region // the current region of the way
	for k := w.beams.list[s.ends[0].beam].way; k != index.None; k = w.beams.ways[k].before {
		back := ix.Portal(w.beams.ways[k].portal).Back
		way.Crossed = append(way.Crossed, back)
		in = ix.Portal(back).To
	}
	in, ok := s.alongHops(way, in)
	if !ok {
		return s.cast(way, from, to)
	}
	last := s.hops[len(s.hops)-1].turn
	bendAt(way, w.At[last])
	s.ray.Passed = s.ray.Passed[:0]
	first := to.Region
	for k := w.beams.list[s.ends[1].beam].way; k != index.None; k = w.beams.ways[k].before {
		p := w.beams.ways[k].portal
		s.ray.Passed = append(s.ray.Passed, p)
		first = ix.Portal(ix.Portal(p).Back).To
	}
	if way.Crossed, ok = w.fans.turn(ix, way.Crossed, last, in, first); !ok {
		return s.cast(way, from, to)
	}
	for _, p := range slices.Backward(s.ray.Passed) {
		way.Crossed = append(way.Crossed, p)
	}
	s.Joined++
	way.Legs = append(way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(way.Crossed), Bent: true})
	return true
}

// alongHops continues a way that has come to the first corner in region in, up to the last corner, and returns the region there. ok
// is false for a corner without a fan.
func (s *Search) alongHops(way *route.Way, in uint32) (last uint32, ok bool) {
	w, ix := s.w, s.w.ix
	for _, h := range s.hops[:len(s.hops)-1] {
		bendAt(way, w.At[h.turn])
		first, portals, back := w.ways.of(ix, h.passage)
		if way.Crossed, ok = w.fans.turn(ix, way.Crossed, h.turn, in, first); !ok {
			return in, false
		}
		in = first
		if !back {
			way.Crossed = append(way.Crossed, portals...)
		} else {
			for _, p := range slices.Backward(portals) {
				way.Crossed = append(way.Crossed, ix.Portal(p).Back)
			}
		}
		if len(portals) > 0 {
			in = ix.Portal(way.Crossed[len(way.Crossed)-1]).To
		}
	}
	return in, true
}

// walkLabels is walk for a way over labels: the ends are cast to their corners.
func (s *Search) walkLabels(way *route.Way, from, to index.Place) bool {
	w, ix := s.w, s.w.ix
	way.Crossed = way.Crossed[:0]
	way.Bends = append(way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	if s.ray.Cast(ix, from, w.At[s.hops[0].turn]).Hit {
		return false
	}
	way.Crossed = append(way.Crossed, s.ray.Passed...)
	in, ok := s.alongHops(way, s.ray.Trail[len(s.ray.Trail)-1])
	if !ok {
		return s.cast(way, from, to)
	}
	last := w.At[s.hops[len(s.hops)-1].turn]
	bendAt(way, last)
	if s.ray.Cast(ix, index.Place{Region: in, At: last}, to.At).Hit {
		return false
	}
	way.Crossed = append(way.Crossed, s.ray.Passed...)
	way.Legs = append(way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(way.Crossed), Bent: true})
	s.Joined++
	return slices.Contains(s.Regions[1], s.ray.Trail[len(s.ray.Trail)-1])
}

// walkSteps is walk for a way over steps.
func (s *Search) walkSteps(way *route.Way, from, to index.Place) bool {
	w, ix := s.w, s.w.ix
	if len(s.Regions[0])+len(s.Regions[1]) > 2 {
		return s.cast(way, from, to)
	}
	a, b := &s.looks[0].seen[s.ends[0].beam], &s.looks[1].seen[s.ends[1].beam]
	way.Crossed = s.looks[0].crossed(way.Crossed[:0], a.through)
	way.Bends = append(way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	in, ok := s.alongHops(way, a.in)
	if !ok {
		return s.cast(way, from, to)
	}
	last := s.hops[len(s.hops)-1].turn
	bendAt(way, w.At[last])
	if way.Crossed, ok = w.fans.turn(ix, way.Crossed, last, in, b.in); !ok {
		return s.cast(way, from, to)
	}
	for v := b.through; v != index.None; v = s.looks[1].views[v].before {
		way.Crossed = append(way.Crossed, ix.Portal(s.looks[1].views[v].portal).Back)
	}
	s.Joined++
	way.Legs = append(way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(way.Crossed), Bent: true})
	return true
}

// bendAt records a bend of the way, unless the last bend is the same point.
func bendAt(way *route.Way, at lattice.Point) {
	if way.Bends[len(way.Bends)-1].Point != at {
		way.Bends = append(way.Bends, route.Bend{Point: at, Gate: len(way.Crossed) - 1})
	}
}

// cast is walk by casting from corner to corner: for ends on borders between regions, whose beam may
// belong to a region beside, and for ways around corners without exactly two walls.
func (s *Search) cast(way *route.Way, from, to index.Place) bool {
	way.Crossed = way.Crossed[:0]
	way.Bends = append(way.Bends[:0], route.Bend{Point: from.At, Gate: -1})
	at := from
	for i := range len(s.hops) + 1 {
		next := to.At
		if i < len(s.hops) {
			next = s.w.At[s.hops[i].turn]
		}
		if s.ray.Cast(s.w.ix, at, next).Hit {
			return false
		}
		way.Crossed = append(way.Crossed, s.ray.Passed...)
		at = index.Place{Region: s.ray.Trail[len(s.ray.Trail)-1], At: next}
		if i < len(s.hops) {
			bendAt(way, next)
		}
	}
	way.Legs = append(way.Legs[:0], route.Leg{Hop: index.None, First: from.Region, End: len(way.Crossed), Bent: true})
	return slices.Contains(s.Regions[1], at.Region)
}
