package build

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

// TestOver verifies that a floor answers at its places as one with all triangles does: on them, at their corners,
// beside them and far away, with triangles of all sizes.
func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const across, step = 60, 3000
	tin := &lattice.TIN{}
	for y := range int32(across) {
		for x := range int32(across) {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: lattice.Point{X: x*step - 90000, Y: y*step - 90000}, Z: rng.Int32N(4000)})
		}
	}
	for y := range uint32(across - 1) {
		for x := range uint32(across - 1) {
			a := y*across + x
			tin.Triangles = append(tin.Triangles, [3]uint32{a, a + 1, a + across}, [3]uint32{a + 1, a + across + 1, a + across})
		}
	}
	// A large one, and two that every sampler leaves out.
	tin.Triangles = append(tin.Triangles, [3]uint32{0, across - 1, across * (across - 1)}, [3]uint32{0, 1, across * across}, [3]uint32{0, across, 1})
	var places []lattice.Point
	for range 100 {
		places = append(places, lattice.Point{X: rng.Int32N(200000) - 100000, Y: rng.Int32N(200000) - 100000},
			tin.Vertices[rng.IntN(len(tin.Vertices))].Point)
	}
	part := over(tin, places)
	if len(part.Triangles) > len(tin.Triangles)/2 {
		t.Errorf("%d of %d triangles are over %d places", len(part.Triangles), len(tin.Triangles), len(places))
	}
	f := newFloor(tin, places)
	whole := floor{at: lattice.NewSampler(tin), all: f.all}
	found := 0
	for _, p := range places {
		piece := []lattice.Point{p, {X: p.X + rng.Int32N(2000) - 1000, Y: p.Y + 1500}, {X: p.X - 1500, Y: p.Y - rng.Int32N(1000)}}
		within := bounds{float64(rng.Int32N(2000)), float64(2000 + rng.Int32N(2000))}
		got, ok := f.height(p, piece, within)
		want, known := whole.height(p, piece, within)
		if got != want || ok != known {
			t.Fatalf("at %v: height %d, %v, of all triangles %d, %v", p, got, ok, want, known)
		}
		if ok {
			found++
		}
	}
	if found < 50 {
		t.Errorf("only %d of %d places have a height", found, len(places))
	}
}

// TestRidge verifies that a corner made on a long wall has the height of the floor there, be it far above both ends
// of the wall.
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
