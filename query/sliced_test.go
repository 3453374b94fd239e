package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// equal reports whether two paths are the same to the bit.
func equal(p, q Path) bool {
	return p.Complete == q.Complete && slices.Equal(p.Points, q.Points) && slices.Equal(p.Regions(), q.Regions()) && slices.Equal(p.Surface(), q.Surface()) &&
		slices.Equal(p.Crossings, q.Crossings) && p.Length == q.Length && p.SurfaceLength() == q.SurfaceLength() &&
		p.Cost == q.Cost && p.Expanded == q.Expanded
}

// TestSlicesDoNotMatter advances many searches on one Index by turns, in slices of random sizes: each ends with the
// path of PartialPath, to the bit. On the way, paths are valid and bounds hold.
func TestSlicesDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	far, between := 0, 0
	for i := range 60 {
		w := linkedOrNot(t, rng, i)
		ix := NewIndex(w.theMesh())
		q := ix.NewQuery()
		asked := pairs(rng, w, 8)
		type running struct {
			*Search
			end   float64 // distance from the end of its way so far to the goal
			bound float64
			seen  bool // the search is done
		}
		var all []running
		var want []Path
		for _, p := range asked {
			path, err := q.PartialPath(t.Context(), p.start, p.goal)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, path.Clone())
			s := ix.NewSearch()
			if err := s.Begin(p.start, p.goal); err != nil {
				t.Fatal(err)
			}
			all = append(all, running{s, math.Inf(1), 0, false})
		}
		for left := len(all); left > 0; {
			k := rng.IntN(len(all))
			s := &all[k]
			if s.seen {
				continue
			}
			if s.Advance(1 + rng.IntN(6)) {
				s.seen = true
				again := s.Path().Clone()
				if left--; !equal(s.Path(), want[k]) || !equal(again, want[k]) {
					t.Fatalf("world %d, %v: %+v, in one %+v", i, asked[k], s.Path(), want[k])
				}
				continue
			}
			between++
			bound := s.Bound()
			if bound < s.bound-1e-9*(1+bound) || bound > want[k].Cost*(1+1e-9)+1e-9 {
				t.Fatalf("world %d, %v: bound %v, before %v, the cost is %v", i, asked[k], bound, s.bound, want[k].Cost)
			}
			s.bound = bound
			path := s.Path().Clone()
			last := path.Points[len(path.Points)-1]
			checkWay(t, q, w, path, asked[k].start, last)
			if _, err := stand(ix.geo, Position{path.Regions()[len(path.Regions())-1], last}); err != nil {
				t.Fatalf("world %d: the end is no position: %v", i, err)
			}
			if path.Complete && path.Cost < want[k].Cost*(1-1e-9) {
				t.Fatalf("world %d, %v: cost %v, the least is %v", i, asked[k], path.Cost, want[k].Cost)
			}
			aim := want[k].Points[len(want[k].Points)-1]
			d := math.Hypot(last.X-aim.X, last.Z-aim.Z)
			if d > s.end+0.001 || path.Complete && d > 0.001 {
				t.Fatalf("world %d, %v: the way so far ends %v m from the goal, before %v; complete is %v", i, asked[k], d, s.end, path.Complete)
			}
			if s.end = d; d > 0.001 {
				far++
			}
		}
		for k := range all {
			if s := &all[k]; math.Abs(s.Bound()-want[k].Cost) > 1e-9*(1+want[k].Cost) || !s.Advance(5) {
				t.Fatalf("world %d: a search that is done says bound %v of %v", i, s.Bound(), want[k].Cost)
			}
		}
	}
	if between < 300 || far < 100 {
		t.Errorf("looked at %d ways so far, %d of them not at the goal", between, far)
	}
}

// TestSearchWithoutCorners has goals that only the corridor search finds.
func TestSearchWithoutCorners(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	for i := range m.Tiles[0].Portals {
		p := &m.Tiles[0].Portals[i]
		p.LeftCorner, p.RightCorner = false, false
	}
	ix := NewIndex(m)
	q, s := ix.NewQuery(), ix.NewSearch()
	start := ground(m, at(10, 10, 3))
	for _, goal := range []lattice.Vertex{at(10, 10, 0), at(1, 1, 0), at(19, 10, 0)} {
		want := mustPath(t, q, start, ground(m, goal)).Clone()
		if err := s.Begin(start, ground(m, goal)); err != nil {
			t.Fatal(err)
		}
		for !s.Advance(1) {
			if so := s.Path(); len(so.Points) == 0 {
				t.Fatalf("%v: so far %v", goal, so)
			}
		}
		if got := s.Path(); !equal(got, want) {
			t.Errorf("%v: %v, want %v", goal, got, want)
		}
	}
}

// TestSearchIsCancelled checks a search after Cancel, or after Begin with invalid ends.
func TestSearchIsCancelled(t *testing.T) {
	m := bridge(t, lattice.Frame{})
	ix := NewIndex(m)
	s := ix.NewSearch()
	none := func(when string) {
		t.Helper()
		if !s.Done() || !s.Advance(100) || s.Path().Points != nil || s.Path().Complete || s.Bound() != 0 {
			t.Errorf("%s: done is %v, path %v, bound %v", when, s.Done(), s.Path(), s.Bound())
		}
	}
	none("before")
	start, goal := ground(m, at(10, 10, 3)), ground(m, at(10, 10, 0))
	if err := s.Begin(start, goal); err != nil || s.Done() || s.Advance(0) {
		t.Fatal(s.Done(), err)
	}
	s.Advance(2)
	s.Cancel()
	none("cancelled")
	q := ix.NewQuery()
	pos, _ := q.Locate(start)
	if err := s.BeginAt(pos, goal); err != nil {
		t.Fatal(err)
	}
	for !s.Advance(3) {
	}
	if want := mustPath(t, q, start, goal).Clone(); !equal(s.Path(), want) {
		t.Errorf("after it was cancelled: %v, want %v", s.Path(), want)
	}
	if err := s.BeginAt(Position{navmesh.MakeRef(0, 0, 9), start}, goal); !errors.Is(err, ErrOffMesh) {
		t.Errorf("stale: %v", err)
	}
	none("stale")
	if err := s.BeginAt(Position{pos.Ref, geom.Vec{X: math.NaN()}}, goal); !errors.Is(err, ErrOffMesh) {
		t.Errorf("not a number: %v", err)
	}
}
