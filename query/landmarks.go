package query

// How far corners are from landmarks, and what that says of the way to the goal.
//
// Source: A. V. Goldberg and C. Harrelson, Computing the shortest path: A* search meets graph theory, SODA 2005.
//
// Idea: The distances of two places from a third one differ by no more than the way between them is long. So from a
// corner it is at least as far to the goal as the distances of both from a landmark differ: indoors, where the way leads
// to the stairs first, that says far more than the straight line. The distances of all corners from a few landmarks
// at the rim are measured when an Index is made. The goal is no corner: its distance is bounded by those of the corners of
// its region.
//
// Input: an Index without links, which may lead one way only, whose ground costs the same everywhere.
//
// Guarantees:
//  1. Distances are those of shortest paths (TestLandmarksAgainstPaths).
//  2. No bound is above the truth (TestLandmarksBound), so that paths stay the shortest
//     (TestLandmarksLeavePaths).
//
// Degenerate cases: a corner in another part of the mesh is infinitely far away, and nothing follows from that. A goal in
// a region without corners has no bounds.
//
// Cost: time O(m·s) for m landmarks and s for a search that goes everywhere, and 8·m bytes for a corner. A search looks at
// them only when it has taken up as many nodes as easy paths need.
//
// Departures: none of note.

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

const (
	// landmarkCount is how many landmarks there are. With eight, searches indoors took up a quarter more nodes.
	landmarkCount = 16
	// These are the fewest and the most corners that landmarks are chosen for: with fewer, paths are found sooner without
	// them, and with more, making an Index would take seconds.
	fewestLandmarkCorners, mostLandmarkCorners = 32, 8192
	// landmarkDetour is how much longer walks have to be than straight lines: on open ground those say more.
	landmarkDetour = 1.25
	// landmarkNodes is how many nodes a search takes up without landmarks.
	landmarkNodes = 32
	// activeLandmarks is how many of them a search looks at: those that tell most of its start and goal.
	activeLandmarks = 4
)

// landmarks are the distances of corners from some of them. The zero value has none.
type landmarks struct {
	from []float64 // that of corner c from landmark k is from[c·landmarkCount+k], +Inf where no way leads
}

// choose finds landmarks where they say more than straight lines.
func (l *landmarks) choose(ctx context.Context, ix *Index) error {
	if !ix.sound || ix.turns < fewestLandmarkCorners || ix.turns > mostLandmarkCorners || len(ix.hops) > 0 || ix.ground.uneven {
		return nil
	}
	q := ix.NewQuery()
	at, middle := ix.cornerPlaces()
	far, err := q.distancesFrom(ctx, at[middle], make([]float64, ix.turns))
	if err != nil {
		return landmarksEnded(err)
	}
	walks, lines := 0.0, 0.0
	for c, d := range far {
		if !math.IsInf(d, 1) {
			walks, lines = walks+d, lines+distance(at[middle].at, at[c].at)
		}
	}
	if walks >= landmarkDetour*lines {
		return l.measure(ctx, q, at, far)
	}
	return nil
}

// landmarksEnded returns the error of a search that ended early. Searches that grow too large are no error: the
// Index does without landmarks.
func landmarksEnded(err error) error {
	if errors.Is(err, ErrTooLarge) {
		return nil
	}
	return fmt.Errorf("query: index: %w", err)
}

// cornerPlaces returns the places of all corners, and a corner in the part that most of them are in.
func (ix *Index) cornerPlaces() (at []place, one int) {
	at = make([]place, ix.turns)
	for i := range ix.regions {
		ix.eachCorner(uint32(i), func(c int32, end lattice.Point) { at[c] = place{region: uint32(i), at: end} })
	}
	count := map[uint32]int{}
	for t := range at {
		part := ix.regions[at[t].region].part
		if count[part]++; count[part] > count[ix.regions[at[one].region].part] {
			one = t
		}
	}
	return at, one
}

// measure takes the corners as landmarks that are far from each other, the first one far from the corner that far has the
// distances from, and fills in the distances.
func (l *landmarks) measure(ctx context.Context, q *Query, at []place, far []float64) error {
	from := make([]float64, len(at)*landmarkCount)
	row := make([]float64, len(at))
	for k := range landmarkCount {
		next := 0
		for c, d := range far {
			if !math.IsInf(d, 1) && (math.IsInf(far[next], 1) || d > far[next]) {
				next = c
			}
		}
		distances, err := q.distancesFrom(ctx, at[next], row)
		if err != nil {
			return landmarksEnded(err)
		}
		for c, d := range distances {
			from[c*landmarkCount+k] = d
			if k == 0 {
				far[c] = d
			}
			far[c] = min(far[c], d)
		}
	}
	l.from = from
	return nil
}

// distancesFrom fills a list with the distances of all corners from a place.
func (q *Query) distancesFrom(ctx context.Context, from place, list []float64) ([]float64, error) {
	ix, s := q.ix, &q.interval
	q.many.begin(len(ix.regions))
	q.within.begin(len(ix.regions))
	q.many.within = &q.within
	if _, err := q.searchMany(ctx, from, math.Inf(1)); err != nil {
		return nil, err
	}
	for c := range list {
		list[c] = s.visit(int32(c)).least()
	}
	// The place sees all of its own regions, and a corner the other end of its portals; no path turns there next.
	for _, r := range s.startSet {
		ix.eachCorner(r, func(c int32, at lattice.Point) { list[c] = min(list[c], distance(from.at, at)) })
	}
	for k := range ix.portals {
		if p := &ix.portals[k]; p.leftTurn != noTurn && p.rightTurn != noTurn {
			along := distance(p.left, p.right)
			list[p.leftTurn] = min(list[p.leftTurn], list[p.rightTurn]+along)
			list[p.rightTurn] = min(list[p.rightTurn], list[p.leftTurn]+along)
		}
	}
	return list, nil
}

// eachCorner calls f for the corners among the ends of the portals of a region, for those of two portals twice.
func (ix *Index) eachCorner(r uint32, f func(c int32, at lattice.Point)) {
	for k := ix.regions[r].firstPortal; k < ix.regions[r].endPortal; k++ {
		p := &ix.portals[k]
		if p.leftTurn != noTurn {
			f(p.leftTurn, p.left)
		}
		if p.rightTurn != noTurn {
			f(p.rightTurn, p.right)
		}
	}
}

// bounds lie around the distances of a place from the landmarks.
type bounds struct{ low, high [landmarkCount]float64 }

// bound returns the bounds of a place in some regions.
func (ix *Index) bound(at lattice.Point, regions []uint32) (b bounds) {
	for k := range b.high {
		b.high[k] = math.Inf(1)
	}
	for _, r := range regions {
		ix.eachCorner(r, func(c int32, end lattice.Point) {
			d := distance(at, end)
			for k, way := range ix.landmarks.of(c) {
				b.low[k] = max(b.low[k], way-d)
				b.high[k] = min(b.high[k], way+d)
			}
		})
	}
	return b
}

// of returns the distances of a corner.
func (l *landmarks) of(c int32) *[landmarkCount]float64 {
	return (*[landmarkCount]float64)(l.from[int(c)*landmarkCount:])
}

// landmarkAim is a landmark that a search looks at, with bounds of the distance of the goal from it.
type landmarkAim struct {
	landmark  int
	low, high float64
}

// rest returns a length that no way from a corner to the goal is below.
func (l *landmarks) rest(c int32, aims []landmarkAim) (least float64) {
	from := l.of(c)
	for i := range aims {
		a := &aims[i]
		d := from[a.landmark]
		least = max(least, a.low-d, d-a.high)
	}
	return max(least-outdoneBy, 0)
}

// aimByLandmarks makes the nodes of a search, those that wait and those to come, wait by what the landmarks say, too.
func (q *Query) aimByLandmarks() {
	ix, s := q.ix, &q.interval
	s.aimed, s.aims = true, s.aims[:0]
	from, to := ix.bound(s.roots[0].at, s.startSet), ix.bound(s.goal, s.around)
	for range activeLandmarks {
		most, best := 0.0, none
		for k := range to.high {
			if d := max(to.low[k]-from.high[k], from.low[k]-to.high[k]); d > most && !math.IsInf(d, 1) {
				most, best = d, k
			}
		}
		if best == none {
			break
		}
		if len(s.aims) == 0 && most < distance(s.roots[0].at, s.goal) {
			return // the straight line says more
		}
		s.aims = append(s.aims, landmarkAim{best, to.low[best], to.high[best]})
		s.roots[0].rest = max(s.roots[0].rest, most-outdoneBy)
		from.high[best], to.high[best] = math.Inf(1), math.Inf(1) // it is taken
	}
	if len(s.aims) == 0 {
		return // the goal is in another part than the landmarks, or its region has no corner
	}
	for i := range s.roots[1:] {
		r := &s.roots[1+i]
		r.rest = ix.landmarks.rest(r.visit, s.aims)
	}
	s.waited = s.waited[:0]
	for s.heap.least() < s.best {
		s.waited = append(s.waited, s.heap.take())
	}
	s.heap.reset()
	for _, id := range s.waited {
		if id%2 == 0 {
			s.wait(q.key(id/2), id)
			continue
		}
		r := &s.roots[id/2]
		s.wait(r.g+max(r.rest, q.toGoal(r.at)), id)
	}
}
