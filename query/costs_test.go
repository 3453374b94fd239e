package query

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// TestEditorCosts compares Indexes of an editor with area costs and Indexes of meshes made from scratch, with a filter of
// the same costs: some ground, or all of it, costs more or less than 1 a metre, and links come and go.
func TestEditorCosts(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(94, 1))
	uneven, scaled := 0, 0
	for i := range 24 {
		m := *editorMesh(t, rng, i)
		if i%3 > 0 {
			m = *newGrid(t, rng, 6+rng.IntN(8), 6+rng.IntN(8), 0.35, style(i%int(styles)), lattice.Frame{}).mesh
		}
		if i%2 == 1 {
			m.Links = drawLinks(rng, NewIndex(&m))
			m.Connect()
		}
		base := NewIndex(&m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		var links []navmesh.Link
		var costs map[uint8]float64
		for step := range 12 {
			change := drawChange(rng, base.geo, numbers, changed)
			for k := range change {
				for c := range change[k].Cells {
					change[k].Cells[c].Area = uint8(rng.IntN(3))
				}
			}
			if step%3 == 1 {
				links = drawLinks(rng, base)
			}
			switch c := 0.25 + 4*rng.Float64(); step {
			case 2:
				costs = map[uint8]float64{1: c}
			case 5:
				costs = map[uint8]float64{0: c, 1: c, 2: c}
			case 8:
				costs = map[uint8]float64{0: 1, 1: c, 2: 2}
			case 11:
				costs = nil
			}
			if err := e.SetCosts(costs); err != nil {
				t.Fatal(err)
			}
			got, _, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatal(err)
			}
			mesh, owner := compose(base.geo, changed, links)
			want, err := NewIndex(mesh).With(Filter{AreaCosts: costs})
			if err != nil {
				t.Fatal(err)
			}
			if g, w := got.geo.Ground, want.geo.Ground; g.Uneven != w.Uneven || g.Metre != w.Metre || g.Least != w.Least {
				t.Fatalf("world %d, step %d: uneven %v, %v and %v a metre, want %v, %v and %v", i, step, g.Uneven, g.Metre, g.Least, w.Uneven, w.Metre, w.Least)
			}
			if err := sameIndex(got.geo, want.geo, owner); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			if got.geo.Ground.Uneven {
				uneven++
				err = sameCheapest(t, rng, got, want)
			} else {
				if got.geo.Ground.Metre != 1 {
					scaled++
				}
				err = sameAnswers(t, rng, got, want, 30)
			}
			if err != nil {
				t.Fatalf("world %d, step %d, costs %v: %v", i, step, costs, err)
			}
		}
	}
	if uneven < 60 || scaled < 40 {
		t.Errorf("%d worlds of uneven ground, %d where all ground costs the same and not 1", uneven, scaled)
	}
	e := NewEditor(NewIndex(editorMesh(t, rng, 1)))
	for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), 2 * MaxAreaCost} {
		if err := e.SetCosts(map[uint8]float64{1: bad}); err == nil {
			t.Errorf("a cost of %v is no error", bad)
		}
	}
}

// TestCostsOfLonelyPieces cuts the floor of more and more regions down to pieces without portals, which take numbers that no portal
// has, on floor with costs.
func TestCostsOfLonelyPieces(t *testing.T) {
	m := newGrid(t, rand.New(rand.NewPCG(5, 5)), 12, 12, 0, style(0), lattice.Frame{}).mesh
	base := NewIndex(m)
	e := NewEditor(base)
	if err := e.SetCosts(map[uint8]float64{1: 3}); err != nil {
		t.Fatal(err)
	}
	pieces := 0
	for r := range uint32(base.geo.RegionLimit()) {
		ring := base.geo.Ring(r)
		a, b, c := ring[0], ring[1], ring[2]
		inside := func(p, q, o lattice.Vertex) lattice.Vertex {
			return lattice.Vertex{Point: lattice.Point{X: (2*p.X + q.X + o.X) / 4, Y: (2*p.Y + q.Y + o.Y) / 4}, Z: p.Z}
		}
		cell := index.Cell{
			Ring:  []lattice.Vertex{inside(a, b, c), inside(b, c, a), inside(c, a, b)},
			Sides: []int32{SideWall, SideWall, SideWall}, Area: 1,
		}
		got, _, err := e.Apply([]Replacement{{Base: r, Cells: []Cell{cell}}})
		if err != nil {
			t.Fatal(err)
		}
		q := got.NewQuery()
		at, ok := got.Center(got.geo.Region(uint32(base.geo.RegionLimit() + pieces)).Ref)
		if pieces++; !ok {
			t.Fatalf("piece %d is not there", pieces)
		}
		if path, err := q.PathBetween(t.Context(), at, at); err != nil || !path.Complete || path.Cost != 0 {
			t.Fatalf("piece %d: %+v, error %v", pieces, path, err)
		}
	}
	if pieces < 100 {
		t.Errorf("only %d pieces", pieces)
	}
}

// TestCostlyGround makes all ground cost four times as much: a link out of the room, dearer than its length before, is now a shortcut
// within the hall.
func TestCostlyGround(t *testing.T) {
	m := hallAndRoom()
	place := func(x, y int32) [2]lattice.Vertex {
		v := lattice.Vertex{Point: lattice.Point{X: x, Y: y}}
		return [2]lattice.Vertex{v, v}
	}
	link(m, navmesh.Jump, 1, 0, place(8100, 4200), place(10, 10), 3)
	base := NewIndex(m)
	e := NewEditor(base)
	from := index.Place{Region: 0, At: lattice.Point{X: 8150, Y: 4050}}
	to := index.Place{Region: 0, At: lattice.Point{X: 20, Y: 20}}
	for _, cost := range []float64{1, 4, 1} {
		if err := e.SetCosts(map[uint8]float64{0: cost}); err != nil {
			t.Fatal(err)
		}
		now, _, err := e.Apply(nil)
		if err != nil {
			t.Fatal(err)
		}
		path, err := now.NewQuery().between(t.Context(), from, to, (*Query).findShortest)
		if err != nil {
			t.Fatal(err)
		}
		straight := index.Distance(from.At, to.At) * lattice.Unit * cost
		if cost > 1 && (len(path.Crossings) != 1 || path.Cost > 3.3) || cost == 1 && math.Abs(path.Cost-straight) > 1e-9 {
			t.Errorf("at %v a metre: %v with %d crossings, straight %v", cost, path.Cost, len(path.Crossings), straight)
		}
	}
}

// sameCheapest compares paths over uneven ground: each cost is at least the proved bound of the other.
func sameCheapest(t *testing.T, rng *rand.Rand, got, want *Index) error {
	a, b := got.NewQuery(), want.NewQuery()
	a.Epsilon, b.Epsilon = 0.01, 0.01
	a.Effort, b.Effort = 2000, 2000
	for range 6 {
		from, ok := b.RandomPoint(rng)
		to, _ := b.RandomPoint(rng)
		if !ok {
			return nil
		}
		x, err := a.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			return err
		}
		y, err := b.Path(t.Context(), from.Point, to.Point)
		if err != nil {
			return err
		}
		if x.Complete != y.Complete || x.LowerBound > y.Cost*(1+1e-9) || y.LowerBound > x.Cost*(1+1e-9) {
			return fmt.Errorf("from %v to %v: %v at %v to %v, want %v at %v to %v", from.Point, to.Point, x.Complete, x.LowerBound, x.Cost, y.Complete, y.LowerBound, y.Cost)
		}
	}
	return nil
}
