package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// landmarkWorlds returns indices of worlds with landmarks, whether useful or not; some worlds have many collinear
// points.
func landmarkWorlds(tb testing.TB, seed uint64, rounds, side int) (list []*Index) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range rounds {
		var m world = newGrid(tb, rng, side, side, 0.15+0.1*float64(round%3), style(round%int(styles)), lattice.Frame{})
		if round%4 == 3 {
			m = newSoup(tb, rng, side, side, 0.25, lattice.Frame{})
		}
		ix := NewIndex(m.theMesh())
		if round%2 == 1 { // distances are measured over lists
			if err := ix.sights.Choose(tb.Context(), ix.geo, exact.Usual()); err != nil {
				tb.Fatal(err)
			}
		}
		search := new(exact.Regions)
		at, first := exact.CornerPlaces(ix.geo)
		far, err := search.DistancesFrom(tb.Context(), ix.geo, nil, at[first], make([]float64, ix.geo.Turns))
		if err == nil {
			err = ix.landmarks.Measure(tb.Context(), search, ix.geo, &ix.sights, at, far, exact.LandmarkCount)
		}
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, ix)
	}
	return list
}

// walk returns the length of the shortest path in lattice units, found without landmarks.
func walk(tb testing.TB, q *Query, from, to index.Place) float64 {
	tb.Helper()
	path, err := q.between(tb.Context(), from, to, (*Query).findShortest)
	if err != nil {
		tb.Fatal(err)
	}
	if !path.Complete {
		return math.Inf(1)
	}
	return path.Length * lattice.UnitsPerMetre
}

// withoutLandmarks returns a query without landmarks.
func withoutLandmarks(ix *Index) *Query {
	plain := *ix
	plain.landmarks = exact.Landmarks{}
	return plain.NewQuery()
}

// TestLandmarksAgainstPaths compares the distances of all corners with paths.
func TestLandmarksAgainstPaths(t *testing.T) {
	compared := 0
	for i, ix := range landmarkWorlds(t, 71, 20, 12) {
		q := withoutLandmarks(ix)
		at, _ := exact.CornerPlaces(ix.geo)
		for k := range exact.LandmarkCount {
			own := index.None
			for c := range at {
				if ix.landmarks.Of(int32(c))[k] == 0 {
					own = c
				}
			}
			if own == index.None {
				t.Fatalf("world %d: no corner is landmark %d", i, k)
			}
			for c := range at {
				got, want := ix.landmarks.Of(int32(c))[k], walk(t, q, at[own], at[c])
				if math.Abs(got-want) > 1e-9*want {
					t.Fatalf("world %d: corner %v is %v away from landmark %v, want %v", i, at[c], got, at[own], want)
				}
				compared++
			}
		}
	}
	if compared < 10000 {
		t.Errorf("only %d distances compared", compared)
	}
}

// TestLandmarksBound checks for random places and all corners that bounds by landmarks are never above the truth.
func TestLandmarksBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(72, 1))
	says := 0
	for i, ix := range landmarkWorlds(t, 73, 12, 12) {
		q := withoutLandmarks(ix)
		at, _ := exact.CornerPlaces(ix.geo)
		for range 20 {
			pos, _ := q.RandomPoint(rng)
			goal, err := stand(ix.geo, pos)
			if err != nil {
				t.Fatal(err)
			}
			var aims []exact.LandmarkAim
			b := ix.landmarks.Bound(ix.geo, goal.At, ix.geo.RegionsAround(nil, goal))
			for k := range b.Low {
				if !math.IsInf(b.High[k], 1) {
					aims = append(aims, exact.LandmarkAim{Landmark: k, Low: b.Low[k], High: b.High[k]})
				}
			}
			for c := range at {
				want := walk(t, q, at[c], goal)
				got := ix.landmarks.Rest(int32(c), aims)
				if got > want || got < 0 {
					t.Fatalf("world %d: from corner %v to %v it is at least %v, the path has %v", i, at[c], goal, got, want)
				}
				if got > index.Distance(at[c].At, goal.At) {
					says++
				}
			}
		}
	}
	if says < 1000 {
		t.Errorf("landmarks said more than the straight line %d times only", says)
	}
}

// TestLandmarksBoundViews checks for the corners and the portals in sight of searches that bounds by landmarks are never above the truth.
func TestLandmarksBoundViews(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(77, 1))
	says := 0
	for i, ix := range landmarkWorlds(t, 78, 12, 12) {
		q, plain := ix.NewQuery(), withoutLandmarks(ix)
		for range 100 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			if path, err := q.PathBetween(t.Context(), a, b); err != nil {
				t.Fatal(err)
			} else if path.Expanded == 0 || !q.one.Aimed() {
				continue
			}
			goal, err := stand(ix.geo, b)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range q.one.Rests() {
				if want := walk(t, plain, r.At, goal); r.Rest > want {
					t.Fatalf("world %d: from %v to %v it is at least %v, the path has %v", i, r.At, goal, r.Rest, want)
				}
				if r.Rest > index.Distance(r.At.At, goal.At) {
					says++
				}
			}
		}
	}
	if says < 1000 {
		t.Errorf("landmarks said more than the straight line %d times only", says)
	}
}

// TestLandmarksLeavePaths compares paths with landmarks, from the first node on and as usual, with paths without
// landmarks, and compares the nodes expanded.
func TestLandmarksLeavePaths(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(74, 1))
	aimed, with, without := 0, 0, 0
	for i, ix := range landmarkWorlds(t, 75, 12, 24) {
		q, plain := ix.NewQuery(), withoutLandmarks(ix)
		for range 150 {
			a, _ := q.RandomPoint(rng)
			b, _ := q.RandomPoint(rng)
			from, err1 := stand(ix.geo, a)
			to, err2 := stand(ix.geo, b)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			want, err := plain.PathBetween(t.Context(), a, b)
			if err != nil || !want.Complete || want.Expanded == 0 {
				continue
			}
			got, err := q.PathBetween(t.Context(), a, b)
			if err != nil || math.Abs(got.Length-want.Length) > 1e-9*(1+want.Length) {
				t.Fatalf("world %d, %v to %v: %v m, %v, without landmarks %v m", i, a, b, got.Length, err, want.Length)
			}
			if q.way.Direct(from.Region); q.one.Begin(q.ix, &q.own.landmarks, &q.way, from, to) {
				t.Fatalf("world %d, %v to %v: no search", i, a, b)
			}
			q.one.AimByLandmarks()
			n := 0
			for done := false; !done; {
				var more int
				more, done = q.one.Advance(route.SliceNodes)
				n += more
			}
			if got := q.one.Best * lattice.Unit; math.Abs(got-want.Length) > 1e-9*(1+want.Length) {
				t.Fatalf("world %d, %v to %v: %v m, without landmarks %v m", i, a, b, got, want.Length)
			}
			if len(q.one.Aims) > 0 {
				aimed++
				with += n
				without += want.Expanded
			}
		}
	}
	if aimed < 50 || with >= without {
		t.Errorf("landmarks were looked at for %d paths, %d nodes in place of %d", aimed, with, without)
	}
}

// TestLandmarksByPreparation compares paths with the few landmarks of a large mesh, with all landmarks of its
// preparation, and without landmarks. Too little room leaves the landmarks as they are.
func TestLandmarksByPreparation(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(76, 1))
	ix := NewIndex(newGrid(t, rng, 160, 160, 0.38, rectangles, lattice.Frame{}).mesh)
	if ix.geo.Turns <= 8192 || ix.geo.Turns > 16384 {
		t.Fatalf("%d corners", ix.geo.Turns)
	}
	lists := ix.sights.Bytes()
	more, err := ix.PrepareWithin(t.Context(), lists+exact.LandmarkBytes(ix.geo))
	if err != nil {
		t.Fatal(err)
	}
	none, err := ix.PrepareWithin(t.Context(), lists+exact.LandmarkBytes(ix.geo)-1)
	if err != nil {
		t.Fatal(err)
	}
	few, _ := ix.landmarks.Size()
	what, ok := more.Prepared()
	if !ok || what.Table || !what.Whole || few >= what.Landmarks || what.Landmarks != exact.LandmarkCount || what.Bytes <= lists || what.Bytes > lists+exact.LandmarkBytes(ix.geo) {
		t.Fatalf("%d landmarks, then %+v", few, what)
	}
	if what, _ := none.Prepared(); what.Landmarks != few {
		t.Errorf("no room for landmarks: %+v", what)
	}
	// An Index without lists of its own comes from edits: its corners may be gone.
	if bare, err := (&Index{geo: ix.geo}).PrepareWithin(t.Context(), 2*lists+exact.LandmarkBytes(ix.geo)); err != nil {
		t.Fatal(err)
	} else if what, _ := bare.Prepared(); !what.Whole || what.Landmarks > 0 {
		t.Errorf("without lists before: %+v", what)
	}
	qs := []*Query{withoutLandmarks(ix), ix.NewQuery(), more.NewQuery()}
	nodes := make([]int, len(qs))
	for range 100 {
		a, _ := qs[0].RandomPoint(rng)
		b, _ := qs[0].RandomPoint(rng)
		want := 0.0
		for i, q := range qs {
			path, err := q.PathBetween(t.Context(), a, b)
			if err != nil {
				t.Fatal(err)
			}
			if nodes[i] += path.Expanded; i == 0 {
				want = path.Length
			} else if math.Abs(path.Length-want) > 1e-9*(1+want) {
				t.Fatalf("%v to %v: %v m with landmarks %d, without %v m", a, b, path.Length, i, want)
			}
		}
	}
	if 3*nodes[1] > 2*nodes[0] || 4*nodes[2] > 3*nodes[1] {
		t.Errorf("%d nodes expanded", nodes)
	}
}
