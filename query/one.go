package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// oneSearch finds the shortest way to one goal, see tree.go.
type oneSearch struct {
	tree
	goal     lattice.Point
	around   []uint32 // the regions of the goal
	goalIn   uint32   // the first region of around
	bestRoot int32    // the last root of the best way,
	bestView int32    // the view that contains the goal, or none,
	bestIn   uint32   // and the region where the best way ends

	shortcuts []index.Shortcut // shortcuts that may pay on the way to the goal
	scale     float64          // factor of estimates

	// Bounds by landmarks, unset until the search is aimed.
	landmarks *landmarks
	taken     int // nodes taken out of the queue
	aimed     bool
	aims      []landmarkAim
	waited    []int32
}

// begin starts a search between two places. done means that no search is needed: the way holds the corridor. Landmarks
// may be nil.
func (s *oneSearch) begin(ix *index.Index, l *landmarks, w *route.Way, from, to index.Place) (done bool) {
	s.reset(ix, from)
	s.landmarks, s.taken, s.aimed, s.aims = l, 0, false, s.aims[:0]
	s.goal = to.At
	s.around = ix.RegionsAround(s.around[:0], to)
	s.goalIn = s.around[0]
	s.toward = ix.Regions[s.goalIn].Branch
	for _, r := range s.around[1:] {
		s.others = append(s.others, ix.Regions[r].Branch)
	}
	slices.Sort(s.others)
	s.plant(from.At)
	s.shortcuts, s.scale = ix.AimShortcuts(s.shortcuts[:0], to.At), ix.Scale
	for _, r := range s.startSet {
		if !slices.Contains(s.around, r) {
			continue
		}
		if len(s.shortcuts) == 0 && s.scale == 1 {
			w.Legs = append(w.Legs[:0], route.Leg{Hop: index.None, First: r})
			return true
		}
		s.reach(plane.Distance(from.At, to.At), 0, index.None, r)
	}
	if len(s.startSet) == 1 && len(ix.Hops) == 0 && s.onlyCorridor(w) {
		return true
	}
	w.Crossed = w.Crossed[:0]
	s.lookFrom(0, s.startSet)
	s.queue()
	return false
}

// advance expands at most budget nodes and returns their number. done means that no waiting node can lead to a shorter
// way than the best, or that the search is full; s.best is infinite while no way is known.
func (s *oneSearch) advance(budget int) (expanded int, done bool) {
	for expanded < budget {
		if s.taken++; s.taken > landmarkNodes && !s.aimed && s.landmarks != nil && s.landmarks.from != nil {
			s.aimByLandmarks()
		}
		if !s.useful() {
			return expanded, true
		}
		if !s.step() {
			continue
		}
		expanded++
		s.arrive()
		s.queue()
	}
	return expanded, false
}

// arrive looks for the goal in the regions that the last step has entered.
func (s *oneSearch) arrive() {
	for _, e := range s.entered {
		if s.isGoal(e.in) {
			r := &s.roots[s.from]
			if way := plane.Towards(r.at, s.goal); s.sees(s.through, way) {
				s.reach(r.g+way.Norm(), s.from, s.through, e.in)
			}
		}
	}
}

// queue queues the nodes of the last step that can lead to a shorter way than the best.
func (s *oneSearch) queue() {
	for _, id := range s.fresh {
		key := 0.0
		if id%2 == 0 {
			key = s.key(id / 2)
		} else {
			r := &s.roots[id/2]
			if len(s.aims) > 0 {
				v := s.visit(r.visit)
				if v.rest < 0 {
					v.rest = s.landmarks.rest(r.visit, s.aims)
				}
				r.rest = v.rest
			}
			key = r.g + max(r.rest, s.toGoal(r.at))
		}
		s.wait(key, id)
	}
}

// wait queues a node, unless no way through the node can be shorter than the best way.
func (s *oneSearch) wait(key float64, id int32) {
	if key < s.best {
		s.heap.Add(key, id)
	}
}

// isGoal reports whether a region is one of the goal's regions.
func (s *oneSearch) isGoal(r uint32) bool {
	return r == s.goalIn || len(s.around) > 1 && slices.Contains(s.around, r)
}

// key returns the queue key of a view: the least cost of a path through the view.
func (s *oneSearch) key(i int32) float64 {
	v := &s.views[i]
	least := s.estimate(v, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, s.estimate(v, c.At)+c.Rest)
	}
	return s.roots[v.root].g + max(s.roots[v.root].rest, float64(least*s.scale))
}

// toGoal returns the least cost of a way from a point to the goal.
func (s *oneSearch) toGoal(at lattice.Point) float64 {
	least := plane.Distance(at, s.goal)
	for _, c := range s.shortcuts {
		least = min(least, plane.Distance(at, c.At)+c.Rest)
	}
	return least * s.scale
}

// reach records a way to the goal in region in, straight from a root or through a view.
func (s *oneSearch) reach(g float64, from, through int32, in uint32) {
	if g < s.best {
		s.best, s.bestRoot, s.bestView, s.bestIn = g, from, through, in
	}
}

// trace fills a way with the best way.
func (s *oneSearch) trace(w *route.Way) { s.tree.trace(w, s.bestRoot, s.bestView, s.bestIn) }

// bound returns a lower bound of the ways to the goal, and whether a node waits or a way is known.
func (s *oneSearch) bound() (least float64, ok bool) {
	least = min(s.best, s.heap.Least())
	return least, !math.IsInf(least, 1)
}

// onlyCorridor fills w with the way from the start's region to the goal's region, if only one exists: every region on the
// way has a single useful portal. The shortest path then lies in the corridor. Time O(n) for n regions.
func (s *oneSearch) onlyCorridor(w *route.Way) bool {
	ix := s.ix
	w.Crossed = w.Crossed[:0]
	in, back := s.startSet[0], uint32(math.MaxUint32)
	for !s.isGoal(in) {
		next := back
		r := &ix.Regions[in]
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			if p := &ix.Portals[k]; k == back || !s.leads(p) {
				continue
			}
			if next != back {
				return false
			}
			next = k
		}
		if next == back {
			return false
		}
		w.Crossed = append(w.Crossed, next)
		in, back = ix.Portals[next].To, ix.Portals[next].Back
	}
	w.Legs = append(w.Legs[:0], route.Leg{Hop: index.None, First: s.startSet[0], End: len(w.Crossed)})
	return true
}

// traceNearest fills a way with the way to a place and returns the place: of all places reached by the search, the nearest
// to the goal.
func (s *oneSearch) traceNearest(w *route.Way) index.Place {
	ix := s.ix
	best := math.Inf(1)
	var end index.Place
	gx, gy := float64(s.goal.X), float64(s.goal.Y)
	for i := range s.roots {
		r := &s.roots[i]
		if d := plane.Distance(r.at, s.goal); d < best {
			best, s.bestRoot, s.bestView = d, int32(i), index.None
			switch {
			case r.hop != index.None:
				end = index.Place{Region: ix.Hops[r.hop].To, At: r.at}
			case r.portal != index.None:
				end = index.Place{Region: ix.Portals[r.portal].To, At: r.at}
			default:
				end = index.Place{Region: s.startSet[0], At: r.at}
			}
		}
	}
	for i := range s.views {
		v := &s.views[i]
		x, y := s.nearestSeen(v, gx, gy)
		if d := plane.Length(x-gx, y-gy); d < best {
			at := ix.RoundInto(ix.Portals[v.portal].To, x, y)
			best, s.bestRoot, s.bestView = d, v.root, int32(i)
			end = index.Place{Region: ix.Portals[v.portal].To, At: at}
		}
	}
	end.Z = ix.HeightAt(end.Region, float64(end.At.X), float64(end.At.Y))
	s.bestIn = end.Region
	s.trace(w)
	w.Legs[0].Bent = false // rounding may have moved the end out of sight
	return end
}
