package build

import (
	"testing"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

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
