package query

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// fewChanges draws replacements of some regions, such that most regions are as on the base most of the time.
func fewChanges(rng *rand.Rand, ix *index.Index, numbers map[uint32]int32, changed floors) []index.Replacement {
	list := drawChange(rng, ix, numbers, changed)
	for r := range uint32(ix.RegionLimit()) {
		_, is := changed[r]
		if is && len(changed) > 6 && !slices.ContainsFunc(list, func(c index.Replacement) bool { return c.Base == r }) {
			delete(changed, r)
			list = append(list, index.Replacement{Base: r, Whole: true})
		}
	}
	return list
}

// changingMeshes returns meshes for tests of lists on changed Indexes: random worlds of all styles, levels of several storeys, half
// of them with links.
func changingMeshes(t *testing.T, seed uint64, rounds, side int) (list []*navmesh.Mesh) {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i, ix := range sightWorlds(t, seed, rounds, side) {
		m := ix.geo.Mesh
		if i%2 == 1 {
			withLinks := *m
			withLinks.Links = drawLinks(rng, ix)
			withLinks.Connect()
			m = &withLinks
		}
		list = append(list, m)
	}
	return list
}

// TestSightsOfChanges compares paths on changed Indexes, over the lists that hold, with paths on meshes made from scratch. Floor,
// links of the mesh and further links change.
func TestSightsOfChanges(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(18, 1))
	with, without := 0, 0
	for i, m := range changingMeshes(t, 91, 16, 12) {
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		q := base.NewQuery()
		changed := floors{}
		var links []navmesh.Link
		shut := make([]bool, len(m.Links))
		for step := range 16 {
			change := fewChanges(rng, base.geo, numbers, changed)
			if step%4 == 3 {
				links = drawLinks(rng, base)
			}
			if len(shut) > 0 && step%3 == 1 {
				shut[rng.IntN(len(shut))] = rng.IntN(2) == 0
				e.CloseLinks(shut)
			}
			now, _, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			open := *base.geo
			whole := *m
			whole.Links = nil
			for k, l := range m.Links {
				if !shut[k] {
					whole.Links = append(whole.Links, l)
				}
			}
			open.Mesh = &whole
			mesh, _ := compose(&open, changed, links)
			want, plain := NewIndex(mesh).NewQuery(), withoutSights(now)
			q.Use(now)
			asked := []*Query{q}
			if step%8 == 5 && len(now.geo.Hops) > 0 {
				listed, err := now.PrepareWithin(t.Context(), 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				asked = append(asked, listed.NewQuery())
			}
			for range 40 {
				from, _ := want.RandomPoint(rng)
				to, ok := want.RandomPoint(rng)
				if !ok {
					break
				}
				right, err := want.Path(t.Context(), from.Point, to.Point)
				if err != nil {
					t.Fatal(err)
				}
				for k, a := range asked {
					got, err := a.Path(t.Context(), from.Point, to.Point)
					if err != nil || got.Complete != right.Complete || math.Abs(got.Cost-right.Cost) > 1e-9*max(1, right.Cost) {
						t.Fatalf("world %d, step %d, query %d, %v to %v: %v %v %v, want %v %v", i, step, k, from.Point, to.Point, got.Complete, got.Cost, err, right.Complete, right.Cost)
					}
					if k > 0 {
						continue
					}
					with += got.Expanded
					if p, ok := strayPortal(now.geo, &q.way); got.Complete && got.Expanded > 0 && !ok {
						t.Fatalf("world %d, step %d, %v to %v: portal %d is not on the way", i, step, from.Point, to.Point, p)
					}
				}
				got, err := plain.Path(t.Context(), from.Point, to.Point)
				if err != nil {
					t.Fatal(err)
				}
				without += got.Expanded
			}
		}
	}
	if 20*with > 19*without {
		t.Errorf("%d nodes expanded, %d without sights", with, without)
	}
}

// strayPortal looks for a portal on a way that does not leave the region that the way has reached; ok says that there is none.
func strayPortal(ix *index.Index, w *route.Way) (portal uint32, ok bool) {
	for _, l := range w.Legs {
		in := l.First
		for _, p := range w.Crossed[l.Begin:l.End] {
			if r := ix.Region(in); p < r.FirstPortal || p >= r.EndPortal {
				return p, false
			}
			in = ix.Portal(p).To
		}
	}
	return 0, true
}

// TestListsOfChanges compares the lists that hold on changed Indexes with the lists of meshes made from scratch, and checks that
// most lists hold while few regions are changed.
func TestListsOfChanges(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(18, 2))
	lists, held := 0, 0
	for i, m := range changingMeshes(t, 92, 12, 10) {
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		at, _ := exact.CornerPlaces(base.geo)
		changed := floors{}
		for step := range 12 {
			now, _, err := e.Apply(fewChanges(rng, base.geo, numbers, changed))
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			mesh, _ := compose(base.geo, changed, nil)
			scratch := NewIndex(mesh)
			places, _ := exact.CornerPlaces(scratch.geo)
			for c := range 2 * int32(len(at)) {
				if _, ok := base.sights.Of(c/2, c%2 == 1); !ok {
					continue
				}
				lists++
				list, ok := now.sights.Of(c/2, c%2 == 1)
				if !ok {
					continue
				}
				held++
				got, known, found := pointsOf(at, list), false, false
				for o := range int32(len(places)) {
					if places[o].At == at[c/2].At {
						other, ok := scratch.sights.Of(o, c%2 == 1)
						known = known || ok
						found = found || ok && slices.Equal(pointsOf(places, other), got)
					}
				}
				if known && !found {
					t.Fatalf("world %d, step %d: the list of corner %v on side %d does not hold", i, step, at[c/2], c%2)
				}
			}
		}
	}
	if 4*held < lists || held < 1000 {
		t.Errorf("%d of %d lists hold", held, lists)
	}
}

// pointsOf returns the places of corners, in order.
func pointsOf(at []index.Place, corners []int32) (list []lattice.Point) {
	for _, c := range corners {
		list = append(list, at[c].At)
	}
	slices.SortFunc(list, lattice.Point.Compare)
	return list
}

// TestCornersOfBase checks that the numbers of the base belong to corners of the base, between regions as on the base. A corner has
// its number again when all regions around the corner are as on the base again.
func TestCornersOfBase(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(18, 3))
	again := 0
	for i, m := range changingMeshes(t, 93, 8, 10) {
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		base := NewIndex(m).geo
		numbers := portalNumbers(base)
		e := index.NewEditor(base)
		at, _ := exact.CornerPlaces(base)
		changed := floors{}
		for step := range 30 {
			change := fewChanges(rng, base, numbers, changed)
			if step%10 == 9 {
				change = change[:0]
				for r := range uint32(base.RegionLimit()) {
					if e.Now().Region(r).Split {
						change = append(change, index.Replacement{Base: r, Whole: true})
					}
				}
				clear(changed)
			}
			now, _, err := e.Apply(change)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			for r := range uint32(now.RegionLimit()) {
				for _, p := range now.PortalsOf(now.Region(r)) {
					for left, turn := range [2]int32{p.RightTurn, p.LeftTurn} {
						end := p.Right
						if left == 1 {
							end = p.Left
						}
						if turn >= 0 && int(turn) < base.Turns && (at[turn].At != end || int(r) >= base.RegionLimit() || int(p.To) >= base.RegionLimit()) {
							t.Fatalf("world %d, step %d: corner %d at %v of regions %d and %d, on the base at %v", i, step, turn, end, r, p.To, at[turn])
						}
					}
				}
			}
			if len(changed) > 0 {
				continue
			}
			for r := range uint32(base.RegionLimit()) {
				for _, p := range now.PortalsOf(now.Region(r)) {
					for _, o := range base.PortalsOf(base.Region(r)) {
						if o.To != p.To || o.Left != p.Left {
							continue
						}
						if again++; o.LeftTurn != p.LeftTurn || o.RightTurn != p.RightTurn {
							t.Fatalf("world %d, step %d: portal %+v, on the base %+v", i, step, p, o)
						}
					}
				}
			}
		}
	}
	if again < 1000 {
		t.Errorf("%d portals are as on the base again", again)
	}
}

// TestOldSightsStay asks Indexes for the same paths again and again while an editor goes on: their lists of corners in sight
// stay as they are.
func TestOldSightsStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 4))
	for i, m := range changingMeshes(t, 94, 4, 10) {
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		var wait sync.WaitGroup
		for range 12 {
			now, _, err := e.Apply(fewChanges(rng, base.geo, numbers, changed))
			if err != nil {
				t.Fatal(err)
			}
			seed := rng.Uint64()
			want := nodesOf(now, seed)
			wait.Go(func() {
				for range 3 {
					if got := nodesOf(now, seed); got != want {
						t.Errorf("world %d: %d nodes, before %d", i, got, want)
					}
				}
			})
		}
		wait.Wait()
	}
}

// nodesOf returns the number of nodes that some paths expand.
func nodesOf(ix *Index, seed uint64) (nodes int) {
	rng, q := rand.New(rand.NewPCG(seed, 5)), ix.NewQuery()
	for range 10 {
		from, _ := q.RandomPoint(rng)
		to, ok := q.RandomPoint(rng)
		if !ok {
			break
		}
		path, err := q.PathBetween(context.Background(), from, to)
		if err != nil {
			return -1
		}
		nodes += path.Expanded
	}
	return nodes
}
