package exact

// Distances of corners from landmarks, as bounds of the way to the goal.
//
// Source: A. V. Goldberg and C. Harrelson, Computing the shortest path: A* search meets graph theory, SODA 2005.
//
// Idea: By the triangle inequality, the distances of two places from a landmark differ by at most the length of the way
// between the places. Hence the difference bounds the way from a corner to the goal. Indoors, where the way may lead to
// the stairs first, the bound is far above the straight line. NewIndex measures the distances of all corners from
// landmarks at the rim; the searches read lists of sights, see sights.go. Large meshes get a few landmarks, and the others
// by Prepare. The goal is no corner: the corners of its region bound its distances. Corners at the ends of a portal bound the
// ways through the portal.
//
// Input: an Index on ground of equal cost. Links, edits and filters: see elsewhere.go.
//
// Guarantees:
//  1. Distances are those of shortest paths (TestLandmarksAgainstPaths), also over lists (TestDistancesOverSights).
//  2. No bound is above the truth (TestLandmarksBound, TestLandmarksBoundViews); paths stay the shortest
//     (TestLandmarksLeavePaths, TestLandmarksByPreparation).
//
// Degenerate cases: a corner in another part of the mesh is infinitely far away and gives no bound. A goal in a region
// without corners has no bounds.
//
// Cost: time O(m·s) for m landmarks and s for a search of the whole mesh: O(e log c) for c corners with e sights. A corner
// takes 128 bytes for any m, and at most 12 for each region and side. A search uses landmarks only after as many nodes as
// easy paths need.
//
// Departures: none of note.

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
)

const (
	// LandmarkCount is the number of landmarks. With eight landmarks, searches indoors expanded a quarter more nodes.
	LandmarkCount = 16
	// fewestLandmarkCorners is the least number of corners of a mesh with landmarks: with fewer corners, paths are found
	// sooner without.
	fewestLandmarkCorners = 32
	// landmarkShare is the least share of corners with lists of sights for landmarks. On 14 levels, walks are far longer
	// than straight lines only where all corners have lists; where few have, the measurement would take long.
	landmarkShare = 0.75
	// landmarkDetour is the least ratio of walks to straight lines for landmarks: on open ground straight lines are
	// better bounds.
	landmarkDetour = 1.25
	// landmarkNodes is the number of nodes that a search expands before using landmarks. With 8, paths on three levels took up to
	// 1.08 times as long.
	landmarkNodes = 2
	// activeLandmarks is the number of landmarks per search: the landmarks with the best bounds for its start and goal. With 4, searches on
	// seven levels expanded up to 3 % fewer nodes and took 1 to 5 % longer; with 2, those on mazes took 1.2 times as long at 99 %.
	activeLandmarks = 3
	// mostLandmarkHops is the most hops of an Index with landmarks: each bound looks at every hop.
	mostLandmarkHops = 32
)

// Landmarks are the distances of corners of a base from landmarks, over the floor alone, for queries on the base or on an
// Index that comes from the base by edits and filters, see [Landmarks.On]. The zero value has no landmarks.
type Landmarks struct {
	From []float64    // distance of corner c from landmark k at from[c·landmarkCount+k], +Inf for an unreachable corner
	base *index.Index // has the corners
	// The corners of region r of the base are corners[first[r]:first[r+1]].
	corners []corner
	first   []uint32
	count   int         // of landmarks; absent landmarks are infinitely far away
	own     bool        // the Index in use is the base
	off     bool        // the bounds are of no use on the Index in use
	loss    float64     // a way may be shorter than on the base by this length
	hops    []hopBounds // of the Index in use
	legs    []float64   // at i·n+j for n hops: a lower bound of the ways from the end of hop i to the start of hop j
}

// UsualLandmarks returns the number of landmarks that every Index with a number of corners has: on large meshes, few
// landmarks save most nodes, and all landmarks would make up more than half of the time of NewIndex.
func UsualLandmarks(corners int) int {
	switch {
	case corners <= 8192:
		return LandmarkCount
	case corners <= 16384:
		return LandmarkCount / 4
	}
	return 0
}

// Choose finds a number of landmarks, at most LandmarkCount, on meshes where landmarks give better bounds than straight
// lines. The sights are those of the Index, before [Sights.Forget].
func (l *Landmarks) Choose(ctx context.Context, ix *index.Index, sights *Sights, count int) error {
	if !ix.Sound || count <= l.count || ix.Turns < fewestLandmarkCorners || len(ix.Hops) > mostLandmarkHops || ix.Ground.Uneven || sights.share() < landmarkShare {
		return nil
	}
	floor := ix.WithoutHops()
	search := new(Regions)
	at, middle := CornerPlaces(floor)
	far, err := search.DistancesFrom(ctx, floor, sights, at[middle], make([]float64, floor.Turns))
	if err != nil {
		return landmarksEnded(err)
	}
	walks, lines := 0.0, 0.0
	for c, d := range far {
		if !math.IsInf(d, 1) {
			walks, lines = walks+d, lines+index.Distance(at[middle].At, at[c].At)
		}
	}
	if walks < landmarkDetour*lines {
		return nil
	}
	if err := l.Measure(ctx, search, floor, sights, at, far, count); err != nil {
		return err
	}
	*l = l.On(ix, l)
	return nil
}

// landmarksEnded returns the error of a search that ended early. A search that grew too large is no error: the Index
// has no landmarks then.
func landmarksEnded(err error) error {
	if errors.Is(err, index.ErrTooLarge) {
		return nil
	}
	return fmt.Errorf("query: index: %w", err)
}

// CornerPlaces returns the places of all corners, and a corner in the part with the most corners.
func CornerPlaces(ix *index.Index) (at []index.Place, one int) {
	at = make([]index.Place, ix.Turns)
	for i := range uint32(ix.RegionLimit()) {
		eachCorner(ix, uint32(i), func(c int32, end lattice.Point) { at[c] = index.Place{Region: uint32(i), At: end} })
	}
	count := map[uint32]int{}
	for t := range at {
		part := ix.Region(at[t].Region).Part
		if count[part]++; count[part] > count[ix.Region(at[one].Region).Part] {
			one = t
		}
	}
	return at, one
}

// Measure chooses corners far from each other as landmarks and fills in the distances. far has the distances from a
// corner; the first landmark is far from this corner.
func (l *Landmarks) Measure(ctx context.Context, search *Regions, ix *index.Index, sights *Sights, at []index.Place, far []float64, count int) error {
	from := make([]float64, len(at)*LandmarkCount)
	for i := range from {
		from[i] = math.Inf(1)
	}
	row := make([]float64, len(at))
	for k := range count {
		next := 0
		for c, d := range far {
			if !math.IsInf(d, 1) && (math.IsInf(far[next], 1) || d > far[next]) {
				next = c
			}
		}
		distances, err := search.DistancesFrom(ctx, ix, sights, at[next], row)
		if err != nil {
			return landmarksEnded(err)
		}
		for c, d := range distances {
			from[c*LandmarkCount+k] = d
			if k == 0 {
				far[c] = d
			}
			far[c] = min(far[c], d)
		}
	}
	l.From, l.base, l.own, l.count = from, ix, true, count
	l.listCorners()
	return nil
}

// LandmarkBytes bounds the size of the landmarks of an Index: a corner is in the regions of its portals.
func LandmarkBytes(ix *index.Index) int {
	return 8*LandmarkCount*ix.Turns + 24*ix.PortalLimit() + 4*ix.RegionLimit()
}

// Size returns the number of landmarks and the size of their distances in bytes.
func (l *Landmarks) Size() (landmarks, bytes int) {
	return l.count, 8*len(l.From) + 12*len(l.corners) + 4*len(l.first)
}

// eachCorner calls f for the corners among the portal ends of a region, twice for a corner of two portals.
func eachCorner(ix *index.Index, r uint32, f func(c int32, at lattice.Point)) {
	for k := ix.Region(r).FirstPortal; k < ix.Region(r).EndPortal; k++ {
		p := ix.Portal(k)
		if p.LeftTurn != index.NoTurn {
			f(p.LeftTurn, p.Left)
		}
		if p.RightTurn != index.NoTurn {
			f(p.RightTurn, p.Right)
		}
	}
}

// bounds are lower and upper bounds of the distances of a place from the landmarks.
type bounds struct{ Low, High [LandmarkCount]float64 }

// Bound returns the bounds of a place in some regions.
func (l *Landmarks) Bound(ix *index.Index, at lattice.Point, regions []uint32) (b bounds) {
	for k := range b.High {
		b.High[k] = math.Inf(1)
	}
	for _, r := range regions {
		base, loss := l.regionOf(ix, r)
		for _, c := range l.cornersOf(base) {
			d := index.Distance(at, c.at) + loss
			for k, way := range l.Of(c.turn) {
				b.Low[k] = max(b.Low[k], way-d)
				b.High[k] = min(b.High[k], way+d)
			}
		}
	}
	return b
}

// Of returns the distances of a corner from the landmarks.
func (l *Landmarks) Of(c int32) *[LandmarkCount]float64 {
	return (*[LandmarkCount]float64)(l.From[int(c)*LandmarkCount:])
}

// LandmarkAim is a landmark in use by a search, with bounds of the goal's distance from the landmark.
type LandmarkAim struct {
	Landmark  int
	Low, High float64
}

// Rest returns a lower bound of the ways from a corner to the goal.
func (l *Landmarks) Rest(c int32, aims []LandmarkAim) (least float64) {
	from := l.Of(c)
	for i := range aims {
		// The distance of from[a.Landmark] from the range of Low and High, by one comparison in place of two. Rounding is far below
		// outdoneBy.
		a := &aims[i]
		least = floats.Max(least, math.Abs(from[a.Landmark]-(a.Low+a.High)/2)-(a.High-a.Low)/2)
	}
	return floats.Max(least-outdoneBy, 0)
}

// AimByLandmarks adds the bounds by landmarks to the keys of all nodes of a search, waiting nodes and later ones.
func (s *One) AimByLandmarks() {
	l := s.landmarks
	s.aimed, s.Aims = true, s.Aims[:0]
	if l.off {
		return
	}
	from, to := l.Bound(s.ix, s.Roots[0].At, s.startSet), l.Bound(s.ix, s.Goal, s.around)
	if !l.own {
		s.Roots[0].rest = s.aimElsewhere(&from, &to)
		if s.Roots[0].rest <= elsewhereGain*s.ToGoal(s.Roots[0].At) {
			s.Roots[0].rest = 0
			return // the straight line is the better bound
		}
	}
	for range activeLandmarks {
		most, best := 0.0, index.None
		for k := range to.High {
			if d := max(to.Low[k]-from.High[k], from.Low[k]-to.High[k]); d > most && !math.IsInf(d, 1) {
				most, best = d, k
			}
		}
		if best == index.None {
			break
		}
		if l.own && len(s.Aims) == 0 && most < index.Distance(s.Roots[0].At, s.Goal) {
			return // the straight line is the better bound
		}
		s.Aims = append(s.Aims, LandmarkAim{best, to.Low[best], to.High[best]})
		if l.own {
			s.Roots[0].rest = max(s.Roots[0].rest, most-outdoneBy)
		}
		from.High[best], to.High[best] = math.Inf(1), math.Inf(1) // landmark best is taken
	}
	if len(s.Aims) == 0 && l.own {
		return // the goal is in a part without landmarks, or its region has no corner
	}
	for i := 1; i < len(s.Roots); i++ {
		s.aimRoot(&s.Roots[i])
	}
	s.aiming = true
	s.queueAnew()
}

// restBeyond returns a lower bound by landmarks of the ways from the root of a view through the view to the goal, on the base. Let a
// way cross the portal in x, and let c be a corner at an end of the portal. A way from c leads along the portal to x and on. Hence
// the whole way is at least the straight way to x and the rest of c, less the length from c to x. The sum is least for x at the other end.
func (s *One) restBeyond(v *view) (least float64) {
	p, at := s.ix.Portal(v.portal), s.Roots[v.Root].At
	width := index.Distance(p.Left, p.Right)
	if p.LeftTurn != index.NoTurn {
		least = index.Distance(at, p.Right) + s.restOf(p.LeftTurn) - width
	}
	if p.RightTurn != index.NoTurn {
		least = floats.Max(least, index.Distance(at, p.Left)+s.restOf(p.RightTurn)-width)
	}
	return least - outdoneBy
}

// restOf returns the bound of a corner of the base by landmarks.
func (s *One) restOf(turn int32) float64 {
	v := s.visit(turn)
	if v.rest < 0 {
		v.rest = s.landmarks.Rest(turn, s.Aims)
	}
	return v.rest
}

// aimRoot sets the bound of a root by landmarks.
func (s *One) aimRoot(r *root) {
	if s.landmarks.own {
		r.rest = s.restOf(r.visit)
		return
	}
	v := s.visit(r.visit)
	if v.rest < 0 {
		v.rest = s.restElsewhere(r)
	}
	// The way from the parent on is at least the parent's rest.
	p := &s.Roots[r.parent]
	r.rest = max(v.rest, p.rest-(r.g-p.g))
}

// queueAnew gives all waiting nodes new keys.
func (s *One) queueAnew() {
	s.waited = s.waited[:0]
	for s.heap.Least() < s.Best {
		s.waited = append(s.waited, s.heap.Take())
	}
	s.heap.Reset()
	for _, id := range s.waited {
		if id%2 == 0 {
			s.wait(s.key(id/2), id)
			continue
		}
		r := &s.Roots[id/2]
		s.wait(floats.Max(r.g+floats.Max(r.rest, s.ToGoal(r.At)), r.later), id)
	}
}
