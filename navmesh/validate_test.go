package navmesh_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// square returns the corners of a box.
func square(x0, y0, x1, y1 int32) lattice.Ring {
	return lattice.Ring{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// cells makes cells of rings.
func cells(rings ...lattice.Ring) []plan.Cell {
	out := make([]plan.Cell, len(rings))
	for i, r := range rings {
		for _, p := range r {
			out[i].Corners = append(out[i].Corners, plan.Corner{Point: p, On: plan.NoEdge})
		}
	}
	return out
}

// good is a mesh without a fault. Layer 0 has a row of three regions, the outer two with a side room around a reflex
// corner, and a domain of its own; layer 1 has a floor across a seam.
//
//	y 40 ┌────┐    ┌────┐
//	     │ 1  │    │ 3  │        layer 1
//	y 20 ├────┼────┼────┼ ─ ─ ─┐     ┌────┐
//	     │ 0  │ 2  │ 4  ┊ 6    │     │ 5  │
//	y  0 └────┴────┴────┴ ─ ─ ─┘     └────┘
//	     0    20   40   60     80   100  120
func good(t testing.TB) *navmesh.Mesh {
	t.Helper()
	flat := func(x0, y0, x1, y1, z int32) lattice.TIN {
		r := square(x0, y0, x1, y1)
		var tin lattice.TIN
		for _, p := range r {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: p, Z: z})
		}
		tin.Triangles = [][3]uint32{{0, 1, 2}, {0, 2, 3}}
		return tin
	}
	main := lattice.Ring{
		{X: 0, Y: 0},
		{X: 60, Y: 0},
		{X: 60, Y: 20},
		{X: 60, Y: 40},
		{X: 40, Y: 40},
		{X: 40, Y: 20},
		{X: 20, Y: 20},
		{X: 20, Y: 40},
		{X: 0, Y: 40},
	}
	edges := make([]plan.ChainID, len(main))
	for i := range edges {
		edges[i] = plan.Wall
	}
	edges[1] = 0
	wall := []plan.ChainID{plan.Wall, plan.Wall, plan.Wall, plan.Wall}
	p := &plan.Plan{
		Agent: geom.Agent{}.WithDefaults(),
		Layers: []plan.Layer{
			{
				Domains: []plan.Domain{
					{Polygon: lattice.Polygon{Rings: []lattice.Ring{main}}, Edges: [][]plan.ChainID{edges}},
					{Polygon: lattice.Polygon{Rings: []lattice.Ring{square(100, 0, 120, 20)}}, Edges: [][]plan.ChainID{wall}},
				},
				Floor: flat(0, 0, 120, 40, 0),
			},
			{
				Domains: []plan.Domain{{
					Polygon: lattice.Polygon{Rings: []lattice.Ring{square(60, 0, 80, 20)}},
					Edges:   [][]plan.ChainID{{plan.Wall, plan.Wall, plan.Wall, 0}},
				}},
				Floor: flat(60, 0, 80, 20, 100),
			},
		},
		Chains: []plan.Chain{{
			Points: []lattice.Point{{X: 60, Y: 0}, {X: 60, Y: 20}},
			Left:   plan.DomainID{}, Right: plan.DomainID{Layer: 1},
		}},
	}
	in := [][][]plan.Cell{
		{
			cells(square(0, 0, 20, 20), square(0, 20, 20, 40), square(20, 0, 40, 20), square(40, 20, 60, 40), square(40, 0, 60, 20)),
			cells(square(100, 0, 120, 20)),
		},
		{cells(square(60, 0, 80, 20))},
	}
	m, _, err := join.Build(context.Background(), p, in, join.Options{KeepSeams: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestValidateGood(t *testing.T) {
	for _, f := range good(t).Validate() {
		t.Error(f)
	}
	for name, m := range map[string]*navmesh.Mesh{"no tiles": {}, "empty tile": {Tiles: make([]navmesh.Tile, 2)}} {
		for _, f := range m.Validate() {
			t.Errorf("%s: %v", name, f)
		}
	}
}

// portal returns the number of the portal between two regions.
func portal(t testing.TB, m *navmesh.Mesh, from, to uint32) int {
	t.Helper()
	r := m.Tiles[0].Regions[from]
	for i := r.FirstPortal; i < r.FirstPortal+r.PortalCount; i++ {
		if m.Tiles[0].Portals[i].To == to {
			return int(i)
		}
	}
	t.Fatalf("no portal from %d to %d", from, to)
	return 0
}

// remove removes portal p and its back portal from the mesh, together with the passages.
func remove(m *navmesh.Mesh, p int) {
	t := &m.Tiles[0]
	gone := map[int]bool{p: true, int(t.Portals[p].Back): true}
	number := make([]uint32, len(t.Portals))
	var kept []navmesh.Portal
	for i, q := range t.Portals {
		number[i] = uint32(len(kept))
		if !gone[i] {
			kept = append(kept, q)
		}
	}
	for i := range t.Regions {
		r := &t.Regions[i]
		count := uint32(0)
		for q := r.FirstPortal; q < r.FirstPortal+r.PortalCount; q++ {
			if !gone[int(q)] {
				count++
			}
		}
		r.FirstPortal, r.PortalCount = number[r.FirstPortal], count
	}
	for i := range kept {
		kept[i].Back = number[kept[i].Back]
	}
	t.Portals = kept
	t.Derive()
	m.Connect()
}

// TestValidateFindsEveryFault makes every kind of fault alone: each case lists the expected kinds and the place of the
// first.
func TestValidateFindsEveryFault(t *testing.T) {
	at := func(m *navmesh.Mesh, v uint32) *lattice.Vertex { return &m.Tiles[0].Vertices[v] }
	corner := func(m *navmesh.Mesh, region, i int) *lattice.Vertex {
		return at(m, m.Tiles[0].RegionCorners(region)[i])
	}
	tests := []struct {
		name   string
		break_ func(m *navmesh.Mesh)
		kind   navmesh.FaultKind
		region navmesh.Ref
		detail string
	}{
		{"vertex number", func(m *navmesh.Mesh) { m.Tiles[0].Corners[3] = 99 }, navmesh.BadIndex, 0, "corner 3 is vertex 99"},
		{"portal to nowhere", func(m *navmesh.Mesh) { m.Tiles[0].Portals[1].To = 7 }, navmesh.BadIndex, 0, "portal 1 leads to region 7 of 7"},
		{"portal's edge", func(m *navmesh.Mesh) { m.Tiles[0].Portals[1].Edge = 4 }, navmesh.BadIndex, 0, "on edge 4 of 4"},
		{"portal's vertex", func(m *navmesh.Mesh) { m.Tiles[0].Portals[1].Left = 1 << 31 }, navmesh.BadIndex, 0, "between vertices"},
		{"foreign back", func(m *navmesh.Mesh) { m.Tiles[0].Portals[0].Back = 0 }, navmesh.BadIndex, 0, "not one of region"},
		{"layer number", func(m *navmesh.Mesh) { m.Tiles[0].Regions[2].Layer = 2 }, navmesh.BadIndex, 0, "region 2 is in layer 2 of 2"},
		{"component number", func(m *navmesh.Mesh) { m.Tiles[0].Regions[2].Component = 2 }, navmesh.BadIndex, 0, "component 2 of 2"},
		{"few corners", func(m *navmesh.Mesh) { m.Tiles[0].Regions[2].Count = 2 }, navmesh.BadShape, 0, "region 2 has 2 corners"},
		{"gap in the corners", func(m *navmesh.Mesh) { m.Tiles[0].Regions[2].First++ }, navmesh.BadIndex, 0, "region 2 does not begin"},
		{"corners left over", func(m *navmesh.Mesh) { m.Tiles[0].Corners = append(m.Tiles[0].Corners, 0) }, navmesh.BadIndex, 0, "the tile has 29"},
		{"portals left over", func(m *navmesh.Mesh) { m.Tiles[0].Regions[6].PortalCount = 0 }, navmesh.BadIndex, 0, "they have 28 corners, 9 portals"},
		{"passages left over", func(m *navmesh.Mesh) { m.Tiles[0].Passages = append(m.Tiles[0].Passages, navmesh.Passage{}) }, navmesh.BadIndex, 0, "passages"},
		{"passage's portal", func(m *navmesh.Mesh) { m.Tiles[0].Passages[0].B = 2 }, navmesh.BadIndex, 0, "from portal 0 to 2 of 2"},
		{"passage to itself", func(m *navmesh.Mesh) { m.Tiles[0].Passages[0].B = 0 }, navmesh.BadIndex, 0, "from portal 0 to 0"},
		{"generation", func(m *navmesh.Mesh) { m.Tiles[0].Generation = 0 }, navmesh.BadIndex, 0, "generation 0"},
		{"components", func(m *navmesh.Mesh) { m.Components = -1 }, navmesh.BadIndex, 0, "-1 components"},
		{"floor vertex number", func(m *navmesh.Mesh) { m.Tiles[0].Layers[1].Floor.Triangles[0][2] = 4 }, navmesh.BadIndex, 0, "layer 1: triangle 0 has vertex 4 of 4"},
		{"flat floor triangle", func(m *navmesh.Mesh) { m.Tiles[0].Layers[1].Floor.Triangles[0][2] = 1 }, navmesh.BadShape, 0, "no positive area"},
		{"far floor", func(m *navmesh.Mesh) { m.Tiles[0].Layers[0].Floor.Vertices[1].Z = math.MinInt32 }, navmesh.BadPosition, 0, "layer 0: vertex 1"},
		{"floor error", func(m *navmesh.Mesh) { m.Tiles[0].Layers[0].Floor.Error = -1 }, navmesh.BadPosition, 0, "error of -1"},
		{"far vertex", func(m *navmesh.Mesh) { m.Tiles[0].Vertices[2].X = math.MinInt32 }, navmesh.BadPosition, 0, "vertex 2"},
		{"far frame", func(m *navmesh.Mesh) { m.Frame.North = math.MinInt64 }, navmesh.BadPosition, 0, "offset"},
		{"agent", func(m *navmesh.Mesh) { m.Agent.Height = math.NaN() }, navmesh.BadPosition, 0, "NaN"},
		{"negative clearance", func(m *navmesh.Mesh) { m.Tiles[0].Portals[0].Clearance = -1 }, navmesh.BadPosition, 0, "clearance of -1"},
		{"negative passage", func(m *navmesh.Mesh) { m.Tiles[0].Passages[0].Clearance = -1 }, navmesh.BadPosition, 0, "clearance of -1"},
		{"link's cost", func(m *navmesh.Mesh) { m.Links = []navmesh.Link{{Cost: float32(math.Inf(1))}} }, navmesh.BadPosition, 0, "link 0 costs"},
		{"link's end", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{{End: [2]lattice.Vertex{{Z: math.MaxInt32}, {}}}}
		}, navmesh.BadPosition, 0, "link 0 ends at"},

		{"not convex", func(m *navmesh.Mesh) { corner(m, 5, 2).Point = lattice.Point{X: 105, Y: 5} }, navmesh.BadShape, ref(5), "not convex at its corner 2"},
		{"clockwise", func(m *navmesh.Mesh) {
			c := m.Tiles[0].RegionCorners(5)
			c[1], c[3] = c[3], c[1]
		}, navmesh.BadShape, ref(5), "not convex"},
		{"no area", func(m *navmesh.Mesh) {
			corner(m, 5, 2).Point = lattice.Point{X: 115}
			corner(m, 5, 3).Point = lattice.Point{X: 110}
		}, navmesh.BadShape, ref(5), "turns back"},
		{"repeated point", func(m *navmesh.Mesh) { corner(m, 5, 1).Point = corner(m, 5, 0).Point }, navmesh.BadShape, ref(5), "repeated corner"},
		{"overlap", func(m *navmesh.Mesh) {
			corner(m, 5, 0).Point, corner(m, 5, 3).Point = lattice.Point{X: 59}, lattice.Point{X: 59, Y: 20}
		}, navmesh.Overlapping, ref(4), "overlaps region 5"},
		{"portal in the middle of nowhere", func(m *navmesh.Mesh) {
			p := portal(t, m, 0, 2)
			m.Tiles[0].Portals[p].Edge = 0
		}, navmesh.PortalOffEdge, ref(0), "is not on edge 0"},
		{"portal backwards", func(m *navmesh.Mesh) {
			p := portal(t, m, 0, 2)
			q := &m.Tiles[0].Portals[p]
			b := &m.Tiles[0].Portals[q.Back]
			q.Left, q.Right, b.Left, b.Right = q.Right, q.Left, b.Right, b.Left
		}, navmesh.PortalOffEdge, ref(0), "from right to left"},
		{"portals out of order", func(m *navmesh.Mesh) {
			p, q := portal(t, m, 4, 2), portal(t, m, 4, 3)
			ports := m.Tiles[0].Portals
			ports[p], ports[q] = ports[q], ports[p]
			ports[ports[p].Back].Back, ports[ports[q].Back].Back = uint32(p), uint32(q)
		}, navmesh.PortalOverlap, ref(4), "comes after portal"},
		{"ends apart", func(m *navmesh.Mesh) {
			v := &m.Tiles[0].Vertices
			*v = append(*v, lattice.Vertex{Point: lattice.Point{X: 20, Y: 10}})
			m.Tiles[0].Portals[portal(t, m, 0, 2)].Left = uint32(len(*v) - 1)
		}, navmesh.PortalMismatch, ref(0), "on the other side"},
		{"back to another", func(m *navmesh.Mesh) {
			p := portal(t, m, 0, 2)
			m.Tiles[0].Portals[p].Back = uint32(portal(t, m, 2, 4))
		}, navmesh.PortalMismatch, ref(0), "leads to region 4"},
		{"a step too high", func(m *navmesh.Mesh) {
			corner(m, 6, 0).Z += 4000
		}, navmesh.PortalStep, ref(4), "has a step of -1.001 m, more than 0.400 m"},
		{"a step inside of a region", func(m *navmesh.Mesh) {
			f := &m.Tiles[0].Layers[0].Floor
			n := uint32(len(f.Vertices))
			for _, p := range []lattice.Point{{X: 101, Y: 5}, {X: 119, Y: 5}, {X: 110, Y: 18}} {
				f.Vertices = append(f.Vertices, lattice.Vertex{Point: p, Z: 4096})
			}
			f.Triangles = append(f.Triangles, [3]uint32{n, n + 1, n + 2})
		}, navmesh.FloorJump, ref(5), "a step of 1.000 m inside of it"},
		{"a region too steep", func(m *navmesh.Mesh) {
			f := &m.Tiles[0].Layers[1].Floor
			f.Vertices[1].Z, f.Vertices[2].Z = 5000, 5000
		}, navmesh.FloorSteep, ref(6), "the floor rises by 0.7"},
		{"missing portal", func(m *navmesh.Mesh) { remove(m, portal(t, m, 0, 2)) }, navmesh.PortalMissing, ref(0), "no portal to region 2"},
		{"corner flag", func(m *navmesh.Mesh) {
			p := portal(t, m, 2, 4)
			m.Tiles[0].Portals[p].RightCorner = true
		}, navmesh.BadCorner, ref(2), "the right end of portal"},
		{"lost corner flag", func(m *navmesh.Mesh) {
			p := portal(t, m, 2, 4)
			m.Tiles[0].Portals[p].LeftCorner = false
		}, navmesh.BadCorner, ref(2), "corner is false, must be true"},
		{"clearance", func(m *navmesh.Mesh) {
			ports := m.Tiles[0].Portals
			ports[0].Clearance++
			ports[ports[0].Back].Clearance++
		}, navmesh.BadClearance, ref(0), "the walls leave"},
		{"clearance of one side", func(m *navmesh.Mesh) { m.Tiles[0].Portals[0].Clearance++ }, navmesh.BadClearance, ref(0), "on the other side of"},
		{"portal to its own region", func(m *navmesh.Mesh) {
			p := portal(t, m, 0, 2)
			m.Tiles[0].Portals[p].To, m.Tiles[0].Portals[p].Back = 0, uint32(p)
		}, navmesh.PortalMismatch, ref(0), "leads to its own region"},
		{"passages in a circle", func(m *navmesh.Mesh) {
			r := &m.Tiles[0].Regions[4]
			passages := m.Tiles[0].Passages[r.FirstPassage:]
			passages[1].A, passages[1].B = passages[0].A, passages[0].B
		}, navmesh.BadPassages, 0, "which are joined already"},
		{"passages", func(m *navmesh.Mesh) { m.Tiles[0].Passages[0].Clearance++ }, navmesh.BadPassages, ref(0), "its passages are"},
		{"split component", func(m *navmesh.Mesh) { m.Tiles[0].Regions[6].Component = 1 }, navmesh.BadComponent, ref(6), "joined"},
		{"one component of two", func(m *navmesh.Mesh) { m.Tiles[0].Regions[5].Component = 0 }, navmesh.BadComponent, ref(5), "not joined"},
		{"component count", func(m *navmesh.Mesh) { m.Components = 3 }, navmesh.BadComponent, 0, "there are 2 components, the mesh says 3"},
		{"no floor", func(m *navmesh.Mesh) {
			corner(m, 5, 1).X, corner(m, 5, 2).X = 130, 130
		}, navmesh.NoFloor, ref(5), "layer 0 has no floor"},
		{"link from a region that is gone", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{link(m, ref(0), ref(1))}
			m.Links[0].From = navmesh.MakeRef(0, 0, 2)
		}, navmesh.StaleLink, navmesh.MakeRef(0, 0, 2), "link 0"},
		{"link to a tile that is not there", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{link(m, ref(0), ref(1))}
			m.Links[0].To = navmesh.MakeRef(1, 0, 1)
		}, navmesh.StaleLink, navmesh.MakeRef(1, 0, 1), "link 0"},
		{"link from beside its region", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{link(m, ref(0), ref(1))}
			m.Links[0].Start[1] = *corner(m, 4, 2)
		}, navmesh.LinkOffRegion, ref(0), "link 0, a jump"},
		{"links out of order", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{link(m, ref(1), ref(0)), link(m, ref(0), ref(1))}
		}, navmesh.LinkOrder, ref(0), "link 1 starts in a region before that of link 0"},
		{"link of no kind", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{{Kind: 77}}
		}, navmesh.BadIndex, 0, "link 0 is of kind 77 of 8"},
		{"link without its mark", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{{Mark: 1}}
		}, navmesh.BadIndex, 0, "link 0 has mark 0 of 0"},
		{"link's clearance", func(m *navmesh.Mesh) {
			m.Links = []navmesh.Link{{Clearance: -1}}
		}, navmesh.BadPosition, 0, "link 0 has a clearance of -1"},
		{"no mark", func(m *navmesh.Mesh) {
			m.Tiles[0].Marked = []navmesh.Marked{{Region: 2}}
		}, navmesh.BadIndex, 0, "region 2 of 7 in mark 0 of 0"},
		{"mark of no region", func(m *navmesh.Mesh) {
			m.Marks = []navmesh.Mark{{Name: "gate"}}
			m.Tiles[0].Marked = []navmesh.Marked{{Region: 7}}
		}, navmesh.BadIndex, 0, "region 7 of 7 in mark 0 of 1"},
		{"marked twice", func(m *navmesh.Mesh) {
			m.Marks = []navmesh.Mark{{Name: "gate"}}
			m.Tiles[0].Marked = []navmesh.Marked{{Region: 6}, {Region: 6}}
		}, navmesh.BadIndex, 0, "entry 1, region 6 in mark 0, is not in order"},
		{"a name that is no text", func(m *navmesh.Mesh) {
			m.Marks = []navmesh.Mark{{Name: "gate"}, {Kind: "\xff"}}
		}, navmesh.BadText, 0, "mark 1 has a name of 1 bytes"},
		{"a boundary link without its crossing", func(m *navmesh.Mesh) {
			p := m.Tiles[0].Portals[0]
			at := [2]lattice.Vertex{m.Tiles[0].Vertices[p.Right], m.Tiles[0].Vertices[p.Left]}
			m.Links = []navmesh.Link{{Kind: navmesh.Boundary, From: navmesh.MakeRef(0, 0, 1), To: navmesh.MakeRef(0, int(p.To), 1), Start: at, End: at}}
		}, navmesh.LinkOffRegion, navmesh.MakeRef(0, 0, 1), "link 0 leads over a boundary from area 0 to area 0, for which its mark has no crossing"},
		{"an area without name", func(m *navmesh.Mesh) {
			m.Areas = []string{"grass", ""}
		}, navmesh.BadText, 0, "areas: area 1 has a name of 0 bytes"},
		{"too many areas", func(m *navmesh.Mesh) {
			m.Areas = make([]string, 257)
		}, navmesh.BadIndex, 0, "areas: 257 names, at most 256"},
		{"a region of no area", func(m *navmesh.Mesh) {
			m.Areas = []string{"grass"}
			m.Tiles[0].Regions[2].Area = 1
		}, navmesh.BadIndex, 0, "regions: region 2 is of area 1 of 1"},
		{"a method without costs", func(m *navmesh.Mesh) {
			m.Areas, m.Methods = []string{"grass"}, []navmesh.Method{{Name: "walk"}}
		}, navmesh.BadIndex, 0, "methods: method 0 has 0 costs and 0 speeds for 1 areas"},
		{"a method that costs nothing", func(m *navmesh.Mesh) {
			m.Areas, m.Methods = []string{"grass"}, []navmesh.Method{{Name: "walk", Costs: []float32{0}, Speeds: []float32{1}}}
		}, navmesh.BadPosition, 0, "methods: method 0 costs 0 on area 0, at 1 m/s"},
		{"a method that is infinitely fast", func(m *navmesh.Mesh) {
			m.Areas, m.Methods = []string{"grass"}, []navmesh.Method{{Name: "walk", Costs: []float32{1}, Speeds: []float32{float32(math.Inf(1))}}}
		}, navmesh.BadPosition, 0, "methods: method 0 costs 1 on area 0, at +Inf m/s"},
		{"a method with an unknown crossing", func(m *navmesh.Mesh) {
			m.Areas, m.Methods = []string{"grass"}, []navmesh.Method{{Name: "walk", Costs: []float32{1}, Speeds: []float32{0}, Crossings: []uint32{0}}}
		}, navmesh.BadIndex, 0, "methods: method 0 has crossing 0 of 0"},
		{"a crossing that leads nowhere", func(m *navmesh.Mesh) {
			m.Areas, m.Crossings = []string{"grass", "road"}, []navmesh.Crossing{{Name: "hop", From: 1, To: 1}}
		}, navmesh.BadIndex, 0, "crossings: crossing 0 leads from area 1 to 1 of 2"},
		{"a crossing without a mark", func(m *navmesh.Mesh) {
			m.Areas, m.Crossings = []string{"grass", "road"}, []navmesh.Crossing{{Name: "hop", From: 1, To: 0}}
		}, navmesh.BadIndex, 0, "crossings: crossing 0 has mark 0 of 0"},
		{"a crossing of no cost", func(m *navmesh.Mesh) {
			m.Areas, m.Marks = []string{"grass", "road"}, []navmesh.Mark{{Name: "hop"}}
			m.Crossings = []navmesh.Crossing{{Name: "hop", From: 1, To: 0, Cost: -1}}
		}, navmesh.BadPosition, 0, "crossings: crossing 0 costs -1"},
	}
	kinds := map[navmesh.FaultKind]bool{}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := good(t)
			test.break_(m)
			faults := m.Validate()
			if len(faults) == 0 {
				t.Fatal("no fault")
			}
			if f := faults[0]; f.Kind != test.kind || f.Region != test.region || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%v, want %s of %v with %q", f, test.kind, test.region, test.detail)
			}
			for _, f := range faults {
				if f.Kind != test.kind {
					t.Errorf("besides: %v", f)
				}
				if !strings.Contains(f.Error(), string(f.Kind)) || !strings.Contains(f.Error(), f.Detail) {
					t.Errorf("the sentence %q does not say all", f.Error())
				}
			}
		})
		kinds[test.kind] = true
	}
	if len(kinds) != 20 {
		t.Errorf("%d kinds of fault, want all 20", len(kinds))
	}
}
