package join

import (
	"context"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// pts makes points from pairs of numbers.
func pts(xy ...int32) []lattice.Point {
	out := make([]lattice.Point, len(xy)/2)
	for i := range out {
		out[i] = lattice.Point{X: xy[2*i], Y: xy[2*i+1]}
	}
	return out
}

// cell makes a cell from pairs of numbers.
func cell(xy ...int32) plan.Cell {
	var c plan.Cell
	for _, p := range pts(xy...) {
		c.Corners = append(c.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	return c
}

// walled makes a domain surrounded only by walls.
func walled(rings ...[]lattice.Point) plan.Domain {
	var d plan.Domain
	for _, r := range rings {
		d.Rings = append(d.Rings, r)
		edges := make([]plan.ChainID, len(r))
		for i := range edges {
			edges[i] = plan.Wall
		}
		d.Edges = append(d.Edges, edges)
	}
	return d
}

// flat is a floor at height z under the box from (x0, y0) to (x1, y1).
func flat(x0, y0, x1, y1, z int32) lattice.TIN {
	return slope(x0, y0, x1, y1, z, z)
}

// slope is a floor under a box, at height z0 in the west and z1 in the east.
func slope(x0, y0, x1, y1, z0, z1 int32) lattice.TIN {
	v := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	return lattice.TIN{
		Vertices:  []lattice.Vertex{v(x0, y0, z0), v(x1, y0, z1), v(x1, y1, z1), v(x0, y1, z0)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}
}

// world is a plan with its cells.
type world struct {
	plan  plan.Plan
	cells [][][]plan.Cell
}

// single is a world of one layer and one domain on flat ground.
func single(d plan.Domain, cells ...plan.Cell) world {
	return world{
		plan: plan.Plan{
			Agent:  geom.Agent{}.WithDefaults(),
			Layers: []plan.Layer{{Domains: []plan.Domain{d}, Floor: flat(-1<<20, -1<<20, 1<<20, 1<<20, 0)}},
		},
		cells: [][][]plan.Cell{{cells}},
	}
}

// chain ties domain l to domain r along the points: every edge of theirs on the way gets the chain's id.
func (w *world) chain(t testing.TB, kind plan.ChainKind, l, r plan.DomainID, points []lattice.Point) {
	t.Helper()
	id := plan.ChainID(len(w.plan.Chains))
	w.plan.Chains = append(w.plan.Chains, plan.Chain{Kind: kind, Points: points, Left: l, Right: r})
	mark := func(d plan.DomainID, a, b lattice.Point) {
		dom := &w.plan.Layers[d.Layer].Domains[d.Domain]
		for ri, ring := range dom.Rings {
			for i := range ring {
				if ring[i] == a && ring[(i+1)%len(ring)] == b {
					dom.Edges[ri][i] = id
					return
				}
			}
		}
		t.Fatalf("%v has no edge from %v to %v", d, a, b)
	}
	for i := range len(points) - 1 {
		mark(l, points[i], points[i+1])
		mark(r, points[i+1], points[i])
	}
}

// build builds the mesh of w and fails the test on an error.
func (w *world) build(t testing.TB, opt Options) (*navmesh.Mesh, Report) {
	t.Helper()
	m, report, err := Build(context.Background(), &w.plan, w.cells, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m, report
}

// id names a domain.
func id(layer, domain int32) plan.DomainID { return plan.DomainID{Layer: layer, Domain: domain} }

// splitSquare is a square of 10 units in two halves.
func splitSquare() world {
	return single(walled(pts(0, 0, 10, 0, 10, 10, 0, 10)),
		cell(0, 0, 5, 0, 5, 10, 0, 10), cell(5, 0, 10, 0, 10, 10, 5, 10))
}

// corner is an L of three cells that meet in a T: one long edge against two short ones.
func corner() world {
	return single(walled(pts(0, 0, 30, 0, 30, 10, 20, 10, 20, 30, 0, 30)),
		cell(0, 0, 20, 0, 20, 30, 0, 30), cell(20, 0, 30, 0, 30, 4, 20, 4), cell(20, 4, 30, 4, 30, 10, 20, 10))
}

// ring is four cells around a square hole.
func ring() world {
	return single(walled(pts(0, 0, 30, 0, 30, 30, 0, 30), pts(10, 10, 10, 20, 20, 20, 20, 10)),
		cell(0, 0, 30, 0, 20, 10, 10, 10), cell(30, 0, 30, 30, 20, 20, 20, 10),
		cell(30, 30, 0, 30, 10, 20, 20, 20), cell(0, 30, 0, 0, 10, 10, 10, 20))
}

// bridge is a ramp up in layer 0, a bridge in layer 1, and below the bridge a separate road in layer 0.
func bridge(t testing.TB) world {
	ramp := walled(pts(-40, 0, 0, 0, 0, 10, -40, 10))
	road := walled(pts(10, -30, 20, -30, 20, 40, 10, 40))
	deck := walled(pts(0, 0, 30, 0, 30, 10, 0, 10))
	floor := slope(-40, 0, 0, 10, 0, 40)
	below := flat(10, -30, 20, 40, 0)
	for _, tri := range below.Triangles {
		n := uint32(len(floor.Vertices))
		floor.Triangles = append(floor.Triangles, [3]uint32{tri[0] + n, tri[1] + n, tri[2] + n})
	}
	floor.Vertices = append(floor.Vertices, below.Vertices...)
	w := world{
		plan: plan.Plan{
			Agent: geom.Agent{}.WithDefaults(),
			Layers: []plan.Layer{
				{Domains: []plan.Domain{ramp, road}, Floor: floor},
				{Domains: []plan.Domain{deck}, Floor: flat(0, 0, 30, 10, 40)},
			},
		},
		cells: [][][]plan.Cell{
			{
				{cell(-40, 0, 0, 0, 0, 6, -40, 6), cell(-40, 6, 0, 6, 0, 10, -40, 10)},
				{cell(10, -30, 20, -30, 20, 40, 10, 40)},
			},
			{{cell(0, 0, 30, 0, 30, 3, 0, 3), cell(0, 3, 30, 3, 30, 10, 0, 10)}},
		},
	}
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(0, 0, 0, 10))
	return w
}
