package query

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/prepared"
)

// sightWorlds returns indices of random worlds of all styles, many with collinear points, and of levels with storeys.
func sightWorlds(tb testing.TB, seed uint64, rounds, side int) (list []*Index) {
	tb.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	for round := range rounds {
		var m world = newGrid(tb, rng, side, side, 0.1+0.1*float64(round%3), style(round%int(styles)), lattice.Frame{})
		if round%4 == 3 {
			m = newSoup(tb, rng, side, side, 0.25, lattice.Frame{})
		}
		list = append(list, NewIndex(m.theMesh()))
	}
	b, s := NewIndex(bridge(tb, lattice.Frame{})), NewIndex(spiral(tb, lattice.Frame{}))
	return append(list, b, b, b, b, s)
}

// withoutSights returns a query that looks through portals only.
func withoutSights(ix *Index) *Query {
	plain := *ix
	plain.sights = exact.Sights{}
	return plain.NewQuery()
}

// TestSightsLeavePaths compares paths over lists of sights with paths without, and walks their corridors. In every third
// world a third of the corners have no lists.
func TestSightsLeavePaths(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(81, 1))
	with, without := 0, 0
	for i, ix := range sightWorlds(t, 82, 24, 20) {
		if i%3 == 0 {
			if err := ix.sights.Choose(t.Context(), ix.geo, exact.Limits{Look: 12}); err != nil {
				t.Fatal(err)
			}
			if n, whole := ix.sights.Size(); i < 24 && (whole || n == 0) {
				t.Fatalf("world %d: %d sights, whole: %v", i, n, whole)
			}
		}
		q, plain := ix.NewQuery(), withoutSights(ix)
		at, _ := exact.CornerPlaces(ix.geo)
		place := func() index.Place {
			pos, _ := q.RandomPoint(rng)
			p, err := stand(ix.geo, pos)
			if err != nil {
				t.Fatal(err)
			}
			switch ring := ix.geo.Ring(p.Region); rng.IntN(4) {
			case 0: // at a corner
				if len(at) > 0 {
					p = at[rng.IntN(len(at))]
				}
			case 1: // on an edge
				k := rng.IntN(len(ring))
				a, b := ring[k].Point, ring[(k+1)%len(ring)].Point
				if on := (lattice.Point{X: a.X + (b.X-a.X)/4, Y: a.Y + (b.Y-a.Y)/4}); lattice.OnSegment(on, a, b) {
					p.At = on
				}
			}
			return p
		}
		for range 200 {
			from, to := place(), place()
			want, err := plain.between(t.Context(), from, to, (*Query).findShortest)
			if err != nil {
				t.Fatal(err)
			}
			got, err := q.between(t.Context(), from, to, (*Query).findShortest)
			if err != nil || got.Complete != want.Complete || math.Abs(got.Length-want.Length) > 1e-9*(1+want.Length) {
				t.Fatalf("world %d, %v to %v: %v m, %v, without sights %v m", i, from, to, got.Length, err, want.Length)
			}
			if with, without = with+got.Expanded, without+want.Expanded; got.Expanded == 0 || !got.Complete {
				continue
			}
			in := q.way.Legs[0].First
			for _, p := range q.way.Crossed {
				if r := ix.geo.Region(in); p < r.FirstPortal || p >= r.EndPortal {
					t.Fatalf("world %d, %v to %v: portal %d does not leave region %d", i, from, to, p, in)
				}
				in = ix.geo.Portal(p).To
			}
			if !ix.geo.Contains(in, to.At) {
				t.Fatalf("world %d, %v to %v: the way ends in region %d", i, from, to, in)
			}
			pulled := 0.0
			bends := q.way.LegFunnel(ix.geo, &q.way.Legs[0], from.At, to.At)
			for k := 1; k < len(bends); k++ {
				pulled += index.Distance(bends[k-1].Point, bends[k].Point) * lattice.Unit
			}
			if math.Abs(pulled-want.Length) > 1e-9*(1+want.Length) {
				t.Fatalf("world %d, %v to %v: the corridor has a way of %v m, want %v m", i, from, to, pulled, want.Length)
			}
		}
	}
	if 3*with > 2*without { // a start looks through portals
		t.Errorf("%d nodes expanded, %d without sights", with, without)
	}
}

// TestSightsAgainstRays compares lists with straight walks from corner to corner and the walls at both ends.
func TestSightsAgainstRays(t *testing.T) {
	pairs, seen := 0, 0
	var ray index.Caster
	for i, ix := range sightWorlds(t, 83, 12, 10) {
		w, err := prepared.Prepare(t.Context(), ix.geo, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		at, _ := exact.CornerPlaces(ix.geo)
		for a := range int32(len(at)) {
			left, ok1 := ix.sights.Of(a, true)
			right, ok2 := ix.sights.Of(a, false)
			if !ok1 || !ok2 {
				continue
			}
			listed := append(left, right...)
			for b := range int32(len(at)) {
				way := index.Towards(at[a].At, at[b].At)
				if a == b || at[a].At == at[b].At {
					continue
				}
				pairs++
				hit := ray.Cast(ix.geo, at[a], at[b].At).Hit
				in := ray.Trail[len(ray.Trail)-1]
				want := !hit && slices.Contains(ix.geo.RegionsAround(nil, at[b]), in) && !w.Walls[w.Number[a]].Hides(way) && !w.Walls[w.Number[b]].Hides(way.Back())
				got := slices.Contains(listed, b)
				if got == want {
					if got {
						seen++
					}
					continue
				}
				if got && ray.Touched {
					continue // to another storey
				}
				if got {
					t.Fatalf("world %d: corner %v does not see corner %v", i, at[a], at[b])
				}
				// Corners between may hide the farther corner, and see it themselves. Along a wall before the corner, no way
				// turns, and the corner before sees the farther corner.
				if !w.Walls[w.Number[a]].Along(way) && !slices.ContainsFunc(at, func(c index.Place) bool {
					return c.At != at[a].At && c.At != at[b].At && lattice.OnSegment(c.At, at[a].At, at[b].At)
				}) {
					t.Fatalf("world %d: corner %v sees corner %v, which is not in its lists", i, at[a], at[b])
				}
			}
		}
	}
	if pairs < 10000 || seen < 1000 {
		t.Errorf("%d pairs compared, %d see each other", pairs, seen)
	}
}

// TestSightsLimits fills lists up to each limit.
func TestSightsLimits(t *testing.T) {
	ix := sightWorlds(t, 84, 1, 24)[0]
	var every exact.Sights
	if err := every.Choose(t.Context(), ix.geo, exact.Limits{}); err != nil {
		t.Fatal(err)
	}
	all, whole := every.Size()
	if bytes := every.Bytes(); !whole || all < 100 || bytes < 12*all {
		t.Fatalf("%d sights, %d bytes, whole: %v", all, bytes, whole)
	}
	for _, most := range []exact.Limits{{Look: 8}, {Mean: 4}, {Bytes: every.Bytes() / 2}, exact.Usual()} {
		var some exact.Sights
		if err := some.Choose(t.Context(), ix.geo, most); err != nil {
			t.Fatal(err)
		}
		n, whole := some.Size()
		if whole != (n == all) || n == 0 || n >= all && most != exact.Usual() {
			t.Errorf("%+v: %d sights of %d, whole: %v", most, n, all, whole)
		}
		// The last look may go beyond the limit.
		if most.Bytes > 0 && some.Bytes() > most.Bytes+most.Bytes/4 {
			t.Errorf("%+v: %d bytes", most, some.Bytes())
		}
	}
}

// TestSightsForAnyJobs compares lists made on one core with those made on several: all lists, and those within limits.
func TestSightsForAnyJobs(t *testing.T) {
	ix := sightWorlds(t, 85, 1, 40)[0]
	if ix.geo.Turns < 300 {
		t.Fatalf("%d corners, too few for looks side by side", ix.geo.Turns)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var every exact.Sights
	if err := every.Choose(t.Context(), ix.geo, exact.Limits{}); err != nil {
		t.Fatal(err)
	}
	for _, most := range []exact.Limits{{}, {Look: 8}, {Mean: 4}, {Bytes: every.Bytes() / 2}} {
		var lists [2]exact.Sights
		for i, jobs := range []int{1, 5} {
			runtime.GOMAXPROCS(jobs)
			if err := lists[i].Choose(t.Context(), ix.geo, most); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := lists[0].Bytes(), lists[1].Bytes(); a != b {
			t.Errorf("%+v: %d bytes on one core, %d on five", most, a, b)
		}
		for c := range int32(ix.geo.Turns) {
			for _, left := range []bool{false, true} {
				a, okA := lists[0].Of(c, left)
				b, okB := lists[1].Of(c, left)
				if okA != okB || !slices.Equal(a, b) {
					t.Fatalf("%+v: corner %d sees %v, %v on one core, %v, %v on five", most, c, a, okA, b, okB)
				}
			}
		}
	}
}

// TestDistancesOverSights compares distances of corners, measured over lists, with distances by the search through
// portals. In every third world a part of the corners have no lists.
func TestDistancesOverSights(t *testing.T) {
	race.Skip(t)
	compared := 0
	search := new(exact.Regions)
	for i, ix := range sightWorlds(t, 85, 24, 12) {
		most := exact.Limits{}
		if i%3 == 0 {
			most.Look = 12
		}
		if err := ix.sights.Choose(t.Context(), ix.geo, most); err != nil {
			t.Fatal(err)
		}
		at, _ := exact.CornerPlaces(ix.geo)
		got, want := make([]float64, len(at)), make([]float64, len(at))
		for a := range at {
			_, err1 := search.DistancesFrom(t.Context(), ix.geo, &ix.sights, at[a], got)
			over := search.Nodes()
			_, err2 := search.DistancesFrom(t.Context(), ix.geo, nil, at[a], want)
			if err1 != nil || err2 != nil {
				t.Fatal(err1, err2)
			}
			if over >= search.Nodes() && len(at) > 100 {
				t.Fatalf("world %d, from corner %v: %d nodes over lists, %d without", i, at[a], over, search.Nodes())
			}
			for b := range at {
				compared++
				if got[b] != want[b] && !(math.Abs(got[b]-want[b]) <= 1e-9*want[b]) {
					t.Fatalf("world %d: corner %v is %v from corner %v, want %v", i, at[b], got[b], at[a], want[b])
				}
			}
		}
	}
	if compared < 50000 {
		t.Errorf("only %d distances compared", compared)
	}
}
