package exact

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Regions finds all regions within reach of a place, see tree.go. Nodes wait with the distance from the start to
// their portal, as in Dijkstra's algorithm.
type Regions struct {
	Tree
	Found  []Reached
	Number []int32 // index in found of a region whose mark is the stamp
	marks  []uint32
	round  uint32
	rank   int
}

type Reached struct {
	Region uint32
	Number int32
	Before uint32  // the previous region on the way
	G      float64 // the least length of a way to the region
	Rank   int     // of the meeting that set g
}

// Find fills s.found with the regions within reach, in lattice units. The error is the error of ctx, or
// index.ErrTooLarge.
func (s *Regions) Find(ctx context.Context, ix *index.Index, from index.Place, reach float64) error {
	s.reset(ix, from)
	s.mask, s.behind, s.Best = 0, math.Inf(1), reach
	s.round++
	if n := ix.RegionLimit(); len(s.marks) < n || s.round == 0 {
		s.marks, s.Number = make([]uint32, roomFor(n)), make([]int32, roomFor(n))
		s.round = 1
	}
	s.Found = s.Found[:0]
	s.start(from.At)
	s.arrive()
	s.lookFrom(s.from, s.startSet)
	s.queueByDistance()
	for n := 0; s.useful(); {
		if n%route.SliceNodes == 0 {
			if err := route.Cancelled(ctx); err != nil {
				return err
			}
		}
		if s.step() {
			n++
			s.arrive()
			s.queueByDistance()
		}
	}
	if s.Over {
		return index.ErrTooLarge
	}
	return nil
}

// arrive records ways to the regions that the last step has entered.
func (s *Regions) arrive() {
	for _, e := range s.entered {
		s.meet(e.in, e.before)
	}
}

// meet records a way to region in from region before.
func (s *Regions) meet(in, before uint32) {
	g := s.Roots[s.from].g
	if s.through != index.None {
		g += s.toPortal(&s.Views[s.through])
	}
	if in != before {
		if s.marks[before] != s.round {
			return // before is too far away, and in even farther
		}
		// Rounding must not put a region before its predecessor.
		g = max(g, s.Found[s.Number[before]].G)
	}
	if g > s.Best {
		return
	}
	if s.marks[in] != s.round {
		s.marks[in], s.Number[in] = s.round, int32(len(s.Found))
		s.Found = append(s.Found, Reached{Region: in, Number: int32(len(s.Found)), G: math.Inf(1)})
	}
	if r := &s.Found[s.Number[in]]; g < r.G {
		s.rank++
		r.Before, r.G, r.Rank = before, g, s.rank
	}
}

// DistancesFrom fills a list with the distances of all corners from a place. The search reads the lists of sights
// before [Sights.Forget], if any.
func (s *Regions) DistancesFrom(ctx context.Context, ix *index.Index, l *Sights, from index.Place, list []float64) ([]float64, error) {
	s.reset(ix, from)
	s.mask, s.behind = 0, math.Inf(1)
	for c := range list {
		list[c] = math.Inf(1)
	}
	if l != nil && l.first != nil {
		s.sights, s.ends = l, list
	}
	s.lookFrom(s.plant(from.At), s.startSet)
	s.queueByDistance()
	for n := 0; s.useful(); {
		if n%route.SliceNodes == 0 {
			if err := route.Cancelled(ctx); err != nil {
				return nil, err
			}
		}
		if s.step() {
			n++
			s.queueByDistance()
		}
	}
	if s.Over {
		return nil, index.ErrTooLarge
	}
	for c := range list {
		list[c] = min(list[c], s.visit(int32(c)).least())
	}
	// The place sees all corners of its own regions, and a corner sees the other end of its portals. The search skips
	// these corners, as no path turns there next.
	for _, r := range s.startSet {
		eachCorner(ix, r, func(c int32, at lattice.Point) { list[c] = min(list[c], index.Distance(from.At, at)) })
	}
	for k := range uint32(ix.PortalLimit()) {
		if p := ix.Portal(k); p.LeftTurn != index.NoTurn && p.RightTurn != index.NoTurn {
			along := index.Distance(p.Left, p.Right)
			list[p.LeftTurn] = min(list[p.LeftTurn], list[p.RightTurn]+along)
			list[p.RightTurn] = min(list[p.RightTurn], list[p.LeftTurn]+along)
		}
	}
	return list, nil
}
