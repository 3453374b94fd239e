package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestSharedAgainstPath advances shared searches in random slices and compares the path of every start with Path. Slices
// keep their budgets, and change neither a path nor the sum of the work.
func TestSharedAgainstPath(t *testing.T) {
	rng := rand.New(rand.NewPCG(75, 1))
	reached, missed, same, off, rekeyed := 0, 0, 0, 0, 0
	for i := range 120 {
		w := randomWorld(t, rng)
		ix := NewIndex(w.theMesh())
		n := 1 + rng.IntN(12)
		if i%3 == 0 {
			n += 60
		}
		goal, starts := goalsOf(rng, w, n)
		if len(starts) == 0 {
			continue
		}
		starts = append(starts, geom.Vec{X: 1e6})
		whole, s, q, in := ix.NewSharedSearch(), ix.NewSharedSearch(), ix.NewQuery(), ix.NewQuery()
		for _, s := range []*SharedSearch{whole, s} {
			if err := s.Begin(goal); err != nil {
				t.Fatal(err)
			}
			for k, start := range starts {
				if n := s.Add(start); n != k {
					t.Fatalf("start %d has the index %d", k, n)
				}
			}
		}
		all, done := whole.Advance(math.MaxInt)
		if !done {
			t.Fatalf("world %d: the search is not done", i)
		}
		if all > whole.Expanded() {
			rekeyed++
		}
		if whole.Add(goal) >= 0 {
			t.Fatalf("world %d: a search that has begun takes a start", i)
		}
		for k := range starts {
			if path, err := s.PathIn(in, k); err == nil && len(path.Points) > 0 {
				t.Fatalf("world %d: a path before the search", i)
			}
		}
		sum := 0
		for done = false; !done; {
			budget, work := 1+rng.IntN(6), 0
			if work, done = s.Advance(budget); work > budget || work < budget && !done {
				t.Fatalf("world %d: %d units of work, the budget is %d, done is %v", i, work, budget, done)
			}
			sum += work
			if !done {
				if path, err := s.PathIn(in, rng.IntN(len(starts))); err == nil && path.LowerBound != 0 {
					t.Fatalf("world %d: a path of %v m is proved before the end", i, path.Cost)
				}
			}
		}
		if sum != all {
			t.Fatalf("world %d: %d units of work in slices, %d in one", i, sum, all)
		}
		for k, start := range starts {
			want, wantErr := q.Path(t.Context(), start, goal)
			path, err := whole.PathIn(in, k)
			path = path.Clone()
			if gates := whole.Gates(k); err == nil && gates != max(len(path.Regions())-1, 0) {
				t.Fatalf("world %d, start %d: %d gates, %d regions", i, k, gates, len(path.Regions()))
			}
			sliced, _ := s.PathIn(in, k)
			switch {
			case wantErr != nil:
				if off++; err == nil || err.Error() != wantErr.Error() {
					t.Fatalf("world %d, start %d: %v, alone %v", i, k, err, wantErr)
				}
				continue
			case err != nil || path.Complete != want.Complete || !equal(path, sliced):
				t.Fatalf("world %d, start %d: %+v, in slices %+v, alone %+v, %v", i, k, path, sliced, want, err)
			case !path.Complete:
				if missed++; len(path.Points) > 0 {
					t.Fatalf("world %d, start %d: no way, but %v", i, k, path.Points)
				}
				continue
			}
			if reached++; math.Abs(path.Cost-want.Cost) > 1e-12*(1+want.Cost) || path.LowerBound != path.Cost {
				t.Fatalf("world %d, start %d: cost %v, proved %v, alone %v", i, k, path.Cost, path.LowerBound, want.Cost)
			}
			if path.Cost == want.Cost {
				same++
			}
			checkWay(t, q, w, path, start, goal)
		}
	}
	t.Logf("%d paths, %d with the very cost of Path; %d unreachable, %d off the mesh", reached, same, missed, off)
	if reached < 400 || missed < 80 || off < 80 || same < reached*9/10 || rekeyed < 10 {
		t.Errorf("only %d reached, %d with equal bits, %d not reached, %d off the mesh", reached, same, missed, off)
	}
}

// TestSharedNeedsWaysBack asks indexes whose ways back differ, then the index of a mesh with wrong corner flags.
func TestSharedNeedsWaysBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(76, 1))
	g := newGrid(t, rng, 8, 8, 0.2, rectangles, lattice.Frame{})
	ps := pairs(rng, g, 1)
	linked := NewIndex(newLinked(t, rng, newGrid(t, rng, 8, 8, 0.2, rectangles, lattice.Frame{}), 4, false).theMesh())
	if err := linked.NewSharedSearch().Begin(ps[0].goal); linked.Shares() || !errors.Is(err, ErrNotShared) {
		t.Errorf("with links: shares is %v, %v", linked.Shares(), err)
	}
	ix := NewIndex(g.theMesh())
	s := ix.NewSharedSearch()
	if err := s.Begin(geom.Vec{X: 1e6}); !ix.Shares() || !errors.Is(err, ErrOffMesh) {
		t.Errorf("a goal off the mesh: shares is %v, %v", ix.Shares(), err)
	}
	if _, err := s.PathIn(ix.NewQuery(), 0); err == nil {
		t.Error("a search without starts has a path")
	}
	for i := range g.mesh.Tiles[0].Portals {
		p := &g.mesh.Tiles[0].Portals[i]
		p.LeftCorner, p.RightCorner = false, false
	}
	ix = NewIndex(g.mesh)
	s, q := ix.NewSharedSearch(), ix.NewQuery()
	hidden := 0
	for _, p := range pairs(rng, g, 40) {
		if err := s.Begin(p.goal); err != nil {
			t.Fatal(err)
		}
		s.Add(p.start)
		s.Advance(math.MaxInt)
		path, err := s.PathIn(q, 0)
		if err != nil || !path.Complete {
			t.Fatalf("%v: %+v, %v", p, path, err)
		}
		if path.LowerBound == 0 && path.Cost > 0 {
			hidden++
		}
	}
	if hidden == 0 {
		t.Error("no start was hidden from the search")
	}
}

// TestPathInLasts keeps the paths of many searches in Queries of their own, while the searches go on, and compares them
// with Path. One Search serves two Indexes, and looks for whole ways only.
func TestPathInLasts(t *testing.T) {
	rng := rand.New(rand.NewPCG(77, 1))
	var s *Search
	unreachable := 0
	for i := range 20 {
		w := linkedOrNot(t, rng, i)
		ix := NewIndex(w.theMesh())
		if s == nil {
			s = ix.NewSearch()
			s.Whole = true
		}
		s.Use(ix)
		q := ix.NewQuery()
		type kept struct{ path, want Path }
		var all []kept
		for _, p := range pairs(rng, w, 12) {
			if err := s.Begin(p.start, p.goal); err != nil {
				t.Fatal(err)
			}
			for !s.Advance(5) {
			}
			want, err := q.Path(t.Context(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			if gates := s.Gates(); len(w.theMesh().Links) == 0 && gates != max(len(want.Regions())-1, 0) {
				t.Fatalf("world %d, %v: %d gates, %d regions", i, p, gates, len(want.Regions()))
			}
			all = append(all, kept{s.PathIn(new(Query)), want.Clone()})
			if again := s.Path(); !equal(again, want) {
				t.Fatalf("world %d, %v: again %+v, want %+v", i, p, again, want)
			}
			if !want.Complete {
				unreachable++
			}
		}
		for _, k := range all {
			if !equal(k.path, k.want) {
				t.Fatalf("world %d: kept %+v, want %+v", i, k.path, k.want)
			}
		}
		if err := s.Begin(geom.Vec{}, geom.Vec{X: 1e6}); !errors.Is(err, ErrOffMesh) {
			t.Fatalf("world %d: a goal off the mesh: %v", i, err)
		}
	}
	if unreachable < 20 {
		t.Errorf("only %d goals out of reach", unreachable)
	}
}
