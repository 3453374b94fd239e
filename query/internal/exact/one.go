package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// One finds the shortest way to one goal, see tree.go.
type One struct {
	Tree
	Sights   *Sights // of the Index, or nil
	Goal     lattice.Point
	around   []uint32 // the regions of the goal
	goalIn   uint32   // the first region of around
	bestRoot int32    // the last root of the best way,
	bestView int32    // the view that contains the goal, none, or byRay,
	bestIn   uint32   // and the region where the best way ends

	shortcuts []index.Shortcut // shortcuts that may pay on the way to the goal
	scale     float64          // factor of estimates
	putsOff   bool             // estimates are straight lines, and sights beyond the horizon wait

	// Bounds by landmarks, unset until the search is aimed.
	landmarks *Landmarks
	taken     int // nodes taken out of the queue
	aimed     bool
	aiming    bool // roots have bounds by landmarks
	Aims      []LandmarkAim
	waited    []int32
	goalPart  uint32    // of the base
	hopRests  []float64 // lower bounds of the ways from the starts of the hops over them to the goal
}

// horizonGrowth is the ratio of the horizon to the least key. A corner that waits anew counts as a node again: on pillars 1/400 in
// place of 1/64 had a sixth more nodes, 1/1500 a third.
const horizonGrowth = 1 + 1.0/64

// Begin starts a search between two places. done means that no search is needed: the way holds the corridor. Landmarks
// may be nil.
func (s *One) Begin(ix *index.Index, l *Landmarks, w *route.Way, from, to index.Place) (done bool) {
	s.reset(ix, from)
	if s.Sights != nil && s.Sights.ix == ix {
		s.sights = s.Sights
	}
	s.landmarks, s.taken, s.aimed, s.aiming, s.Aims = l, 0, false, false, s.Aims[:0]
	s.Goal = to.At
	s.around = ix.RegionsAround(s.around[:0], to)
	s.goalIn = s.around[0]
	s.toward = ix.Region(s.goalIn).Branch
	for _, r := range s.around[1:] {
		s.others = append(s.others, ix.Region(r).Branch)
	}
	slices.Sort(s.others)
	s.plant(from.At)
	s.shortcuts, s.scale = ix.AimShortcuts(s.shortcuts[:0], to.At), ix.Scale
	s.putsOff = len(s.shortcuts) == 0 && s.scale == 1 && (l == nil || l.From == nil)
	s.ahead = to.At
	for _, r := range s.startSet {
		if !slices.Contains(s.around, r) {
			continue
		}
		if len(s.shortcuts) == 0 && s.scale == 1 {
			w.Legs = append(w.Legs[:0], route.Leg{Hop: index.None, First: r})
			return true
		}
		s.reach(index.Distance(from.At, to.At), 0, index.None, r)
	}
	if len(s.startSet) == 1 && len(ix.Hops) == 0 && s.onlyCorridor(w) {
		return true
	}
	w.Crossed = w.Crossed[:0]
	s.lookFrom(0, s.startSet)
	s.queue()
	return false
}

// Advance expands at most budget nodes and returns their number. done means that no waiting node can lead to a shorter
// way than the best, or that the search is full; s.best is infinite while no way is known.
func (s *One) Advance(budget int) (expanded int, done bool) {
	for expanded < budget {
		if s.taken++; s.taken > landmarkNodes && !s.aimed && s.landmarks != nil && s.landmarks.From != nil {
			s.AimByLandmarks()
		}
		if s.aiming && s.reopened > mostReopened+s.taken/8 {
			s.stopAiming()
		}
		if !s.useful() {
			return expanded, true
		}
		if s.putsOff {
			s.horizon = s.heap.Least() * horizonGrowth
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
func (s *One) arrive() {
	if s.followed {
		s.arriveFrom(s.from)
	}
	for _, e := range s.entered {
		if s.isGoal(e.in) {
			r := &s.Roots[s.from]
			if way := index.Towards(r.At, s.Goal); s.sees(s.through, way) {
				s.reach(r.g+way.Norm(), s.from, s.through, e.in)
			}
		}
	}
}

// arriveFrom looks for the goal from listed root i. A straight walk that goes over a vertex or along an edge may miss the
// goal on another storey; then the root looks through portals.
func (s *One) arriveFrom(i int32) {
	r := &s.Roots[i]
	straight := index.Distance(r.At, s.Goal)
	g := r.g + straight
	if g >= s.Best || r.rest > straight || !s.mayGoOn(r, index.Towards(r.At, s.Goal)) {
		return
	}
	hit := s.ray.Cast(s.ix, s.besides(r), s.Goal).Hit
	if in := s.ray.Trail[len(s.ray.Trail)-1]; !hit && s.isGoal(in) {
		s.reach(g, i, byRay, in)
	} else if s.ray.Touched {
		s.turn(i)
	}
}

// queue queues the nodes of the last step that can lead to a shorter way than the best.
func (s *One) queue() {
	for _, id := range s.fresh {
		key := 0.0
		if id%2 == 0 {
			key = s.key(id / 2)
		} else {
			r := &s.Roots[id/2]
			if s.aiming {
				s.aimRoot(r)
			}
			key = floats.Max(r.g+floats.Max(r.rest, s.ToGoal(r.At)), r.later)
		}
		s.wait(key, id)
	}
}

// wait queues a node, unless no way through the node can be shorter than the best way.
func (s *One) wait(key float64, id int32) {
	if key < s.Best {
		s.heap.Add(key, id)
	}
}

// isGoal reports whether a region is one of the goal's regions.
func (s *One) isGoal(r uint32) bool {
	return r == s.goalIn || len(s.around) > 1 && slices.Contains(s.around, r)
}

// key returns the queue key of a view: the least cost of a path through the view.
func (s *One) key(i int32) float64 {
	v := &s.Views[i]
	least := s.estimate(v, s.Goal)
	for _, c := range s.shortcuts {
		least = floats.Min(least, s.estimate(v, c.At)+c.Rest)
	}
	if s.aiming && s.landmarks.own {
		least = floats.Max(least, s.restBeyond(v))
	}
	return s.Roots[v.Root].g + floats.Max(s.Roots[v.Root].rest, float64(least*s.scale))
}

// ToGoal returns the least cost of a way from a point to the goal.
func (s *One) ToGoal(at lattice.Point) float64 {
	least := index.Distance(at, s.Goal)
	for _, c := range s.shortcuts {
		least = floats.Min(least, index.Distance(at, c.At)+c.Rest)
	}
	return least * s.scale
}

// reach records a way to the goal in region in, straight from a root or through a view.
func (s *One) reach(g float64, from, through int32, in uint32) {
	if g < s.Best {
		s.Best, s.bestRoot, s.bestView, s.bestIn = g, from, through, in
	}
}

// byRay stands for the straight way from a root to the goal.
const byRay = index.None - 1

// Trace fills a way with the best way.
func (s *One) Trace(w *route.Way) {
	if s.bestView != byRay {
		s.Tree.Trace(w, s.bestRoot, s.bestView, s.bestIn)
		return
	}
	at := s.besides(&s.Roots[s.bestRoot])
	s.ray.Cast(s.ix, at, s.Goal)
	w.Crossed, w.Legs, w.Bends = append(w.Crossed[:0], s.ray.Passed...), w.Legs[:0], w.Bends[:0]
	slices.Reverse(w.Crossed)
	s.traceOn(w, s.bestRoot, index.None, at.Region)
}

// Bound returns a lower bound of the ways to the goal, and whether a node waits or a way is known.
func (s *One) Bound() (least float64, ok bool) {
	least = floats.Min(s.Best, s.heap.Least())
	return least, !math.IsInf(least, 1)
}

// onlyCorridor fills w with the way from the start's region to the goal's region, if only one exists: every region on
// the way has a single useful portal. The shortest path then lies in the corridor. Time O(n) for n regions.
func (s *One) onlyCorridor(w *route.Way) bool {
	ix := s.ix
	w.Crossed = w.Crossed[:0]
	in, back := s.startSet[0], uint32(math.MaxUint32)
	for !s.isGoal(in) {
		next := back
		r := ix.Region(in)
		for k := r.FirstPortal; k < r.EndPortal; k++ {
			if p := ix.Portal(k); k == back || !s.leads(p) {
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
		in, back = ix.Portal(next).To, ix.Portal(next).Back
	}
	w.Legs = append(w.Legs[:0], route.Leg{Hop: index.None, First: s.startSet[0], End: len(w.Crossed)})
	return true
}

// TraceNearest fills a way with the way to a place and returns the place: of all places reached by the search, the
// nearest to the goal.
func (s *One) TraceNearest(w *route.Way) index.Place {
	ix := s.ix
	best := math.Inf(1)
	var end index.Place
	gx, gy := float64(s.Goal.X), float64(s.Goal.Y)
	for i := range s.Roots {
		r := &s.Roots[i]
		if d := index.Distance(r.At, s.Goal); d < best {
			best, s.bestRoot, s.bestView = d, int32(i), index.None
			switch {
			case r.hop != index.None:
				end = index.Place{Region: ix.Hops[r.hop].To, At: r.At}
			case r.portal != index.None:
				end = index.Place{Region: ix.Portal(uint32(r.portal)).To, At: r.At}
			default:
				end = index.Place{Region: s.startSet[0], At: r.At}
			}
		}
	}
	for i := range s.Views {
		v := &s.Views[i]
		x, y := s.nearestSeen(v, gx, gy)
		if d := index.Length(x-gx, y-gy); d < best {
			at := ix.RoundInto(ix.Portal(v.portal).To, x, y)
			best, s.bestRoot, s.bestView = d, v.Root, int32(i)
			end = index.Place{Region: ix.Portal(v.portal).To, At: at}
		}
	}
	end.Z = ix.HeightAt(end.Region, float64(end.At.X), float64(end.At.Y))
	s.bestIn = end.Region
	s.Trace(w)
	w.Legs[0].Bent = false // rounding may have moved the end out of sight
	return end
}
