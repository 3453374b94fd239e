package join

import (
	"context"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestErrors checks that every error names the fault and its place.
func TestErrors(t *testing.T) {
	tests := []struct {
		name   string
		change func(w *world)
		want   string
	}{
		{"layers", func(w *world) { w.cells = w.cells[:1] }, "build: cells for 1 layers, the plan has 2"},
		{"domains", func(w *world) { w.cells[0] = w.cells[0][:1] }, "build: layer 0: cells for 1 domains, the plan has 2"},
		{"no corners", func(w *world) { w.cells[1][0][1].Corners = nil }, "build: layer 1, domain 0, cell 1: no corners"},
		{
			"reflex cell", func(w *world) { w.cells[1][0][1] = cell(0, 3, 10, 5, 30, 3, 30, 10, 0, 10) },
			"build: layer 1, domain 0, cell 1: not convex at corner 1, (0.002, 0.001)",
		},
		{"clockwise cell", func(w *world) { w.cells[0][1][0] = cell(10, 40, 20, 40, 20, -30, 10, -30) }, "not convex"},
		{"overlapping cells", func(w *world) { w.cells[1][0][1] = cell(0, 0, 30, 0, 30, 10, 0, 10) }, "layer 1, domain 0: cells 0 and 1 overlap at an edge near (0.000, 0.000)"},
		{
			"cells that overlap in part", func(w *world) { w.cells[1][0][1] = cell(0, 2, 30, 3, 30, 10, 0, 10) },
			"layer 1, domain 0: cells 0 and 1 overlap at an edge near (0.000, 0.000)",
		},
		{"far corner", func(w *world) { w.cells[1][0][1].Corners[2].X = lattice.MaxCoord + 1 }, "is outside of the frame"},
		{"edge that is not there", func(w *world) { w.cells[1][0][1].Corners[0].On = plan.EdgeID{Ring: 0, Index: 4} }, "on edge 4 of ring 0, which does not exist"},
		{"ring that is not there", func(w *world) { w.cells[1][0][1].Corners[0].On = plan.EdgeID{Ring: 1} }, "of ring 1, which does not exist"},
		{"corner off its chain", func(w *world) {
			w.cells[1][0][1].Corners[0] = plan.Corner{Point: lattice.Point{X: 1, Y: 3}, On: plan.EdgeID{Index: 3}}
		}, "layer 1, domain 0, cell 1: corner 0 at (0.000, 0.001) is not exactly on the edge (0.000, 0.002) to (0.000, 0.000) of chain 0"},
		{"corner off its wall", func(w *world) {
			w.cells[1][0][1].Corners[1] = plan.Corner{Point: lattice.Point{X: 27, Y: 3}, On: plan.EdgeID{Index: 1}}
		}, "is more than 2 units from its wall"},
		{"edges of a ring", func(w *world) { w.plan.Layers[0].Domains[1].Edges[0] = nil }, "layer 0, domain 1: ring 0 has 4 points and 0 edges"},
		{"edges of a domain", func(w *world) { w.plan.Layers[0].Domains[1].Edges = make([][]plan.ChainID, 2) }, "layer 0, domain 1: 1 rings, edges of 2"},
		{"chain that is not there", func(w *world) { w.plan.Layers[0].Domains[1].Edges[0][2] = 1 }, "of chain 1, which does not exist"},
		{"negative chain", func(w *world) { w.plan.Layers[0].Domains[1].Edges[0][2] = -2 }, "of chain -2, which does not exist"},
		{
			"edge of another chain", func(w *world) { w.plan.Layers[0].Domains[1].Edges[0][2] = 0 },
			"layer 0, domain 1: the edge from (0.005, 0.010) to (0.002, 0.010) is not one of chain 0",
		},
		{
			"chain without its left", func(w *world) { w.plan.Layers[0].Domains[0].Edges[0][1] = plan.Wall },
			"chain 0: edge 0 from (0.000, 0.000) to (0.000, 0.002) is not an edge of layer 0, domain 0",
		},
		{"chain without its right", func(w *world) { w.plan.Layers[1].Domains[0].Edges[0][3] = plan.Wall }, "is not an edge of layer 1, domain 0"},
		{"chain with other points", func(w *world) { w.plan.Chains[0].Points = pts(0, 0, 0, 5, 0, 10) }, "is not one of chain 0"},
		{"chain with an edge twice", func(w *world) { w.plan.Chains[0].Points = pts(0, 0, 0, 10, 0, 0, 0, 10) }, "is there twice"},
		{"chain edge without length", func(w *world) { w.plan.Chains[0].Points = pts(0, 0, 0, 0, 0, 10) }, "has no length"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := bridge(t)
			test.change(&w)
			m, _, err := Build(context.Background(), &w.plan, w.cells, Options{})
			if err == nil {
				t.Fatalf("no error, %d regions", m.RegionCount())
			}
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q does not contain %q", err, test.want)
			}
		})
	}
}

// TestRoundedCorner checks that a corner constructed on a wall and rounded may lie up to two units beside the wall.
func TestRoundedCorner(t *testing.T) {
	w := splitSquare()
	w.cells[0][0] = []plan.Cell{cell(0, 0, 5, 0, 5, 8, 0, 10), cell(5, 0, 10, 0, 10, 10, 5, 8)}
	for i := range w.cells[0][0] {
		for k := range w.cells[0][0][i].Corners {
			if c := &w.cells[0][0][i].Corners[k]; c.Y == 8 {
				c.On = plan.EdgeID{Index: 2}
			}
		}
	}
	m, report := w.build(t, Options{})
	if report.Portals != 1 || m.Tiles[0].Portals[0].LeftCorner != true {
		t.Errorf("%+v, %+v", report, m.Tiles[0].Portals)
	}
	if got, want := report.LostArea, 10*lattice.Unit*lattice.Unit; got != want {
		t.Errorf("lost area %g, want %g", got, want)
	}
}

// TestWallWithoutWidth checks that two domains of a layer with a wall of zero width between them share no portal,
// vertex or height.
func TestWallWithoutWidth(t *testing.T) {
	w := single(walled(pts(0, 0, 10, 0, 10, 10, 0, 10)), cell(0, 0, 10, 0, 10, 10, 0, 10))
	l := &w.plan.Layers[0]
	l.Floor = flat(0, 0, 10, 10, 1000)
	add(&l.Floor, flat(10, 0, 20, 10, 0))
	l.Domains = append(l.Domains, walled(pts(10, 0, 20, 0, 20, 10, 10, 10)))
	w.cells[0] = append(w.cells[0], []plan.Cell{cell(10, 0, 20, 0, 20, 10, 10, 10)})
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.Portals != 0 || report.Vertices != 8 || m.Components != 2 {
		t.Errorf("%+v, %d components", report, m.Components)
	}
	for i, want := range []int32{1000, 0} {
		for _, c := range m.Tiles[0].RegionCorners(i) {
			if v := m.Tiles[0].Vertices[c]; v.Z != want {
				t.Errorf("region %d has height %d at %v, want %d", i, v.Z, v.Point, want)
			}
		}
	}
}

// TestTerrain checks that terrain chains join domains of one layer, and that both kinds of ground stay.
func TestTerrain(t *testing.T) {
	w := single(walled(pts(0, 0, 10, 0, 10, 10, 0, 10)), cell(0, 0, 10, 0, 10, 10, 0, 10))
	l := &w.plan.Layers[0]
	l.Domains = append(l.Domains, walled(pts(10, 0, 20, 0, 20, 10, 10, 10)))
	l.Domains[1].Area = 4
	w.cells[0] = append(w.cells[0], []plan.Cell{cell(10, 0, 20, 0, 20, 10, 10, 10)})
	w.chain(t, plan.Terrain, id(0, 0), id(0, 1), pts(10, 0, 10, 10))
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.Portals != 1 || report.SeamPortals != 0 || m.Components != 1 {
		t.Errorf("%+v, %d components", report, m.Components)
	}
	r := m.Tiles[0].Regions
	if r[0].Area != 0 || r[1].Area != 4 || r[0].Flags != navmesh.DefaultFlags {
		t.Errorf("%+v", r)
	}
}

// TestHeights checks that heights come from the highest floor on the side of the region, rounded, else from the nearest
// floor.
func TestHeights(t *testing.T) {
	w := splitSquare()
	l := &w.plan.Layers[0]
	l.Floor = slope(0, 0, 10, 10, 0, 5)
	add(&l.Floor, flat(-20, 0, 4, 10, -1000)) // hidden below the slope
	m, _ := w.build(t, Options{})
	for _, v := range m.Tiles[0].Vertices {
		if want := (v.X + 1) / 2; v.Z != want && v.Z != v.X/2 {
			t.Errorf("%v has height %d, want %d", v.Point, v.Z, want)
		}
	}
	l.Floor = flat(0, 0, 5, 10, 30)
	m, _ = w.build(t, Options{})
	for _, v := range m.Tiles[0].Vertices {
		if v.Z != 30 {
			t.Errorf("%v has height %d, the nearest floor has 30", v.Point, v.Z)
		}
	}
	l.Floor = lattice.TIN{}
	m, _ = w.build(t, Options{})
	for _, v := range m.Tiles[0].Vertices {
		if v.Z != 0 {
			t.Errorf("%v has height %d without a floor", v.Point, v.Z)
		}
	}
}
