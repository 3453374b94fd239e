package join

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestRidge verifies that a corner made on a long wall has the height of the floor there, even far above both ends of
// the wall.
func TestRidge(t *testing.T) {
	const m = lattice.UnitsPerMetre
	at := func(x, y int32) lattice.Point { return lattice.Point{X: x * m, Y: y * m} }
	v := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: at(x, y), Z: z * m} }
	corner := func(x, y, edge int32) plan.Corner {
		on := plan.NoEdge
		if edge >= 0 {
			on = plan.EdgeID{Ring: 0, Index: edge}
		}
		return plan.Corner{Point: at(x, y), On: on}
	}
	p := &plan.Plan{Components: 1, Layers: []plan.Layer{{
		Floor: lattice.TIN{
			Vertices:  []lattice.Vertex{v(-1, -1, 0), v(10, -1, 7), v(21, -1, 0), v(-1, 11, 0), v(10, 11, 7), v(21, 11, 0)},
			Triangles: [][3]uint32{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}},
		},
		Domains: []plan.Domain{{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{{at(0, 0), at(20, 0), at(20, 10), at(0, 10)}}},
			Edges:   [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}},
			Heights: [][]int32{{7 * m / 11, 7 * m / 11, 7 * m / 11, 7 * m / 11}},
		}},
	}}}
	p.Agent.Height = 2
	cells := [][][]plan.Cell{{{
		{Corners: []plan.Corner{corner(0, 0, -1), corner(10, 0, 0), corner(10, 10, 2), corner(0, 10, -1)}},
		{Corners: []plan.Corner{corner(10, 0, 0), corner(20, 0, -1), corner(20, 10, -1), corner(10, 10, 2)}},
	}}}
	mesh, _, err := Build(t.Context(), p, cells, Options{KeepSeams: true})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, v := range mesh.Tiles[0].Vertices {
		if v.X == 10*m {
			found++
			if v.Z != 7*m {
				t.Errorf("%v is at %.2f m, want 7", v.Point, float64(v.Z)*lattice.Unit)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d vertices on the ridge, want 2", found)
	}
}

// TestBesideMadeCorner has a wall along a floor that is level and then falls. A generator makes a corner on the level part of the wall
// and another a unit beside it, inside the floor. The plan's bounds there must hold the level height, which is far above the middle between
// the ends of the wall.
func TestBesideMadeCorner(t *testing.T) {
	const m = lattice.UnitsPerMetre
	at := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	inner := func(x, y int32) plan.Corner { return plan.Corner{Point: at(x, y), On: plan.NoEdge} }
	onWall := plan.Corner{Point: at(10*m, 0), On: plan.EdgeID{Ring: 0, Index: 0}}
	p := &plan.Plan{Components: 1, Layers: []plan.Layer{{
		Domains: []plan.Domain{{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{{at(0, 0), at(20*m, 0), at(20*m, 10*m), at(0, 10*m)}}},
			Edges:   [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, plan.Wall}},
			Heights: [][]int32{{7 * m, 0, 0, 7 * m}},
		}},
	}}}
	cells := [][][]plan.Cell{{{
		{Corners: []plan.Corner{inner(0, 0), onWall, inner(10*m, 1), inner(0, 10*m)}},
		{Corners: []plan.Corner{onWall, inner(20*m, 0), inner(20*m, 10*m), inner(10*m, 1)}},
		{Corners: []plan.Corner{inner(10*m, 1), inner(20*m, 10*m), inner(0, 10*m)}},
	}}}
	j, err := newJoin(p, cells)
	if err != nil {
		t.Fatal(err)
	}
	e := newExpectations(j.domains, nil, 2)
	for i := range j.pieces {
		x := e.of(at(10*m, 1), &j.pieces[i])
		if x.low > 7*m || x.high < 7*m {
			t.Errorf("piece %d: heights from %.2f m to %.2f m, and the floor is at 7 m", i, x.low/m, x.high/m)
		}
	}
}

// TestFloorNearPlaces asks a fine floor with holes for heights at a few places, also in holes and beside the floor. The
// answers by the triangles near the places and by all triangles must be equal.
func TestFloorNearPlaces(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		const n = 40
		step := []int32{2, 300, lattice.MaxCoord / (n + 4)}[seed%3]
		tin := &lattice.TIN{Triangles: [][3]uint32{{0, 1, 1 << 30}}} // skipped by samplers
		for y := range int32(n + 1) {
			for x := range int32(n + 1) {
				tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: lattice.Point{X: 2*(x-n/2)*step + rng.Int32N(step), Y: 2*(y-n/2)*step + rng.Int32N(step)}, Z: rng.Int32N(5000)})
			}
		}
		for y := range uint32(n) {
			for x := range uint32(n) {
				if k := y*(n+1) + x; rng.IntN(8) > 0 {
					tin.Triangles = append(tin.Triangles, [3]uint32{k, k + 1, k + n + 2}, [3]uint32{k, k + n + 2, k + n + 1})
				}
			}
		}
		var places []lattice.Point
		for range 1 + rng.IntN(60) {
			p := tin.Vertices[rng.IntN(len(tin.Vertices))].Point
			if rng.IntN(2) == 0 {
				p = lattice.Point{X: p.X + rng.Int32N(2*step+1) - step, Y: p.Y + rng.Int32N(2*step+1) - step}
			}
			places = append(places, p)
		}
		near := newFloor(tin, places)
		all := floor{near: near.all(), all: near.all}
		for _, p := range places {
			piece := []lattice.Point{p, {X: p.X + 8, Y: p.Y + rng.Int32N(4)}, {X: p.X + 5, Y: p.Y + 8}}
			within := unbounded
			if rng.IntN(2) == 0 {
				within = bounds{float64(rng.IntN(2000)), float64(2000 + rng.IntN(3000))}
			}
			z, ok := near.height(p, piece, within)
			if want, wantOK := all.height(p, piece, within); ok != wantOK || ok && z != want {
				t.Fatalf("seed %d: at %v within %v: %d, %v, want %d, %v", seed, p, within, z, ok, want, wantOK)
			}
		}
	}
}
