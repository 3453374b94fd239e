package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// tally counts the paths of a test of bounds, and their nodes with bounds and without.
type tally struct{ paths, aimed, with, without int }

// compareBounds compares paths with bounds by landmarks from the first node on with paths without: the lengths, and the bound
// of every corner that the search finds.
func (c *tally) compareBounds(t *testing.T, rng *rand.Rand, ix *Index, n int) error {
	q, plain, rests := ix.NewQuery(), withoutLandmarks(ix), withoutLandmarks(ix)
	for range n {
		a, ok := plain.RandomPoint(rng)
		b, _ := plain.RandomPoint(rng)
		if !ok {
			return nil
		}
		from, err := stand(ix.geo, a)
		if err != nil {
			return err
		}
		to, err := stand(ix.geo, b)
		if err != nil {
			return err
		}
		want, err := plain.PathBetween(t.Context(), a, b)
		if err != nil {
			return err
		}
		if !want.Complete || want.Expanded == 0 {
			continue
		}
		got, err := q.PathBetween(t.Context(), a, b)
		if err != nil || math.Abs(got.Cost-want.Cost) > 1e-9*(1+want.Cost) {
			return fmt.Errorf("%v to %v: cost %v, %v, without landmarks %v", a, b, got.Cost, err, want.Cost)
		}
		c.paths++
		if q.way.Direct(from.Region); q.one.Begin(q.ix, &q.own.landmarks, &q.way, from, to) {
			return fmt.Errorf("%v to %v: no search", a, b)
		}
		q.one.AimByLandmarks()
		nodes := 0
		for done := false; !done; {
			var more int
			more, done = q.one.Advance(route.SliceNodes)
			nodes += more
		}
		if got := q.one.Best * lattice.Unit * ix.geo.Ground.Metre; math.Abs(got-want.Cost) > 1e-9*(1+want.Cost) {
			return fmt.Errorf("%v to %v: cost %v, without landmarks %v", a, b, got, want.Cost)
		}
		if !q.one.Aimed() {
			continue
		}
		c.aimed++
		c.with += nodes
		c.without += want.Expanded
		roots := q.one.Rests()
		for range min(len(roots), 8) {
			r := roots[rng.IntN(len(roots))]
			truth := math.Inf(1)
			if ix.geo.Connected(r.At.Region, to.Region) {
				rest, err := rests.between(t.Context(), r.At, to, (*Query).findShortest)
				if err != nil {
					return err
				}
				truth = rest.Cost / ix.geo.Ground.Metre * lattice.UnitsPerMetre
			}
			if r.Rest > truth {
				return fmt.Errorf("from %v to %v: at least %v, the path has %v", r.At, to, r.Rest, truth)
			}
		}
	}
	return nil
}

// TestEditedBounds changes meshes with landmarks, whether useful or not: edits, links and filters.
func TestEditedBounds(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(91, 1))
	kinds := [4]tally{} // by edits only, with links, with filters, with both
	for i, base := range landmarkWorlds(t, 102, 12, 28) {
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		var links []navmesh.Link
		for step := range 6 {
			var change []index.Replacement
			for range 1 + rng.IntN(12) {
				for _, c := range drawChange(rng, base.geo, numbers, changed) {
					change = slices.DeleteFunc(change, func(o index.Replacement) bool { return o.Base == c.Base })
					change = append(change, c)
				}
			}
			if links = nil; step%2 == 1 {
				links = drawLinks(rng, base)
			}
			for k := range change {
				for c := range change[k].Cells {
					change[k].Cells[c].Flags = uint32(rng.IntN(3) + 1)
				}
			}
			now, _, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatal(err)
			}
			kind := 0
			if len(links) > 0 {
				kind = 1
			}
			if err := kinds[kind].compareBounds(t, rng, now, 20); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			mesh, _ := compose(base.geo, changed, links)
			if err := sameAnswers(t, rng, now, NewIndex(mesh), 4); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			narrower, err := now.With(Filter{Exclude: 2})
			if err != nil {
				t.Fatal(err)
			}
			if err := kinds[kind+2].compareBounds(t, rng, narrower, 20); err != nil {
				t.Fatalf("world %d, step %d, filter: %v", i, step, err)
			}
		}
	}
	for k, c := range kinds {
		if c.aimed < 40 || c.with >= c.without {
			t.Errorf("kind %d: of %d paths %d have bounds, with %d nodes in place of %d", k, c.paths, c.aimed, c.with, c.without)
		}
	}
}

// hallAndRoom returns a mesh of a hall of 2 by 1 m, and a room behind a door at the right of its far side.
func hallAndRoom() *navmesh.Mesh {
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	const m = 4096
	tile := navmesh.Tile{
		Generation: 1,
		Vertices:   []lattice.Vertex{at(0, 0), at(2*m, 0), at(2*m, m), at(m, m), at(0, m), at(2*m, 2*m), at(m, 2*m)},
		Corners:    []uint32{0, 1, 2, 3, 4, 3, 2, 5, 6},
		Regions:    []navmesh.Region{{First: 0, Count: 5, PortalCount: 1}, {First: 5, Count: 4, FirstPortal: 1, PortalCount: 1}},
		Portals:    []navmesh.Portal{{Edge: 2, Right: 2, Left: 3, To: 1, Back: 1}, {Edge: 0, Right: 3, Left: 2, To: 0, Back: 0}},
		Layers:     []navmesh.Layer{{Floor: lattice.TIN{}}},
	}
	tile.Derive()
	mesh := &navmesh.Mesh{Tiles: []navmesh.Tile{tile}}
	mesh.Connect()
	return mesh
}

// TestRoughPortals moves a corner of a portal by a unit: past the end of the portal, where a way around the end becomes shorter, and
// within the portal.
func TestRoughPortals(t *testing.T) {
	const m = 4096
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	base := NewIndex(hallAndRoom())
	const wall = index.SideWall
	for _, c := range []struct {
		name  string
		hall  index.Cell
		room  index.Cell
		rough int
	}{
		{
			"past the end",
			index.Cell{Ring: []lattice.Vertex{at(0, 0), at(2*m, 0), at(2*m, m), at(m-1, m+1), at(0, m)}, Sides: []int32{wall, wall, 0, wall, wall}},
			index.Cell{Ring: []lattice.Vertex{at(m-1, m+1), at(2*m, m), at(2*m, 2*m), at(m, 2*m)}, Sides: []int32{1, wall, wall, wall}},
			1,
		},
		{
			"within the portal",
			index.Cell{Ring: []lattice.Vertex{at(0, 0), at(2*m, 0), at(2*m, m), at(m+m/2, m+1), at(m, m), at(0, m-4)}, Sides: []int32{wall, wall, 0, wall, wall, wall}},
			index.Cell{Ring: []lattice.Vertex{at(m+m/2, m+1), at(2*m, m), at(2*m, 2*m), at(m, 2*m)}, Sides: []int32{1, wall, wall, wall}},
			0,
		},
	} {
		e := NewEditor(base)
		now, _, err := e.Apply([]Replacement{{Base: 0, Cells: []index.Cell{c.hall}}, {Base: 1, Cells: []index.Cell{c.room}}})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		from, to := index.Place{Region: 0, At: lattice.Point{X: 0, Y: m}}, index.Place{Region: 1, At: lattice.Point{X: m, Y: 2 * m}}
		if c.rough == 0 {
			from.At.Y -= 4
		}
		before := walk(t, base.NewQuery(), from, to)
		r, _ := now.geo.PieceAt(0, float64(from.At.X), float64(from.At.Y))
		s, _ := now.geo.PieceAt(1, float64(to.At.X), float64(to.At.Y))
		from.Region, to.Region = r, s
		after := walk(t, now.NewQuery(), from, to)
		if len(now.geo.Rough) != c.rough || before-after > float64(c.rough*index.RoughLoss) || (after < before) != (c.rough > 0) {
			t.Errorf("%s: %d rough portals; %v units, on the base %v", c.name, len(now.geo.Rough), after, before)
		}
		c.hall.Sides = slices.Repeat([]int32{wall}, len(c.hall.Sides))
		c.room.Sides = slices.Repeat([]int32{wall}, len(c.room.Sides))
		shut, _, err := e.Apply([]Replacement{{Base: 0, Cells: []index.Cell{c.hall}}, {Base: 1, Cells: []index.Cell{c.room}}})
		if err != nil || len(shut.geo.Rough) != 0 {
			t.Errorf("%s: shut, with %d rough portals, %v", c.name, len(shut.geo.Rough), err)
		}
		back, _, err := e.Apply([]Replacement{{Base: 0, Whole: true}, {Base: 1, Whole: true}})
		if err != nil || len(back.geo.Rough) != 0 {
			t.Errorf("%s: whole again, with %d rough portals, %v", c.name, len(back.geo.Rough), err)
		}
	}
}
