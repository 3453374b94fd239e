package draw

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

const metre = lattice.UnitsPerMetre

func vertex(x, y, z float64) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: int32(x * metre), Y: int32(y * metre)}, Z: int32(z * metre)}
}

// twoRooms is a mesh of two squares of 4 m that share the middle half of an edge. The floor of the
// second rises to the east from 0 to 2 m.
func twoRooms() *navmesh.Mesh {
	return &navmesh.Mesh{Tiles: []navmesh.Tile{{
		Vertices: []lattice.Vertex{
			vertex(0, 0, 0), vertex(4, 0, 0), vertex(4, 4, 0), vertex(0, 4, 0),
			vertex(8, 0, 2), vertex(8, 4, 2), vertex(4, 1, 0), vertex(4, 3, 0),
		},
		Corners: []uint32{0, 1, 2, 3, 1, 4, 5, 2},
		Regions: []navmesh.Region{
			{First: 0, Count: 4, FirstPortal: 0, PortalCount: 1},
			{First: 4, Count: 4, FirstPortal: 1, PortalCount: 1, Layer: 1, Component: 3},
		},
		Portals: []navmesh.Portal{
			{To: 1, Edge: 1, Left: 7, Right: 6, Back: 1},
			{To: 0, Edge: 3, Left: 6, Right: 7, Back: 0},
		},
		Layers: []navmesh.Layer{
			{Floor: lattice.TIN{
				Vertices:  []lattice.Vertex{vertex(-1, -1, 0), vertex(5, -1, 0), vertex(5, 5, 0), vertex(-1, 5, 0)},
				Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
			}},
			{Floor: lattice.TIN{
				Vertices:  []lattice.Vertex{vertex(4, -1, 0), vertex(8, -1, 2), vertex(8, 5, 2), vertex(4, 5, 0)},
				Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
			}},
		},
	}}}
}

// planArea is twice the sum of the areas in plan, positive for counter-clockwise triangles.
func planArea(triangles []Triangle) float64 {
	sum := 0.0
	for _, t := range triangles {
		n := t.P[1].Sub(t.P[0]).Cross(t.P[2].Sub(t.P[0]))
		sum += n.Y / 2
	}
	return sum
}

func TestMeshCoversItsRegionsOnTheFloor(t *testing.T) {
	list := Mesh(twoRooms(), MeshOptions{Lift: 0.25})
	if got := planArea(list.Triangles); math.Abs(got-32) > 1e-9 {
		t.Errorf("fills cover %g m², want 32", got)
	}
	for i, tri := range list.Triangles {
		if a := planArea(list.Triangles[i : i+1]); a <= 0 {
			t.Errorf("triangle %d has area %g", i, a)
		}
		if tri.Lit || tri.Fill.A == 0 || tri.Fill.A == 255 || tri.Bias <= 0 {
			t.Errorf("triangle %d: %+v", i, tri)
		}
		for _, p := range tri.P {
			if want := math.Max(0, (p.X-4)/2) + 0.25; math.Abs(p.Y-want) > 1e-9 {
				t.Errorf("%v is at height %g, want %g", p, p.Y, want)
			}
		}
	}
}

func TestMeshDrawsPortalsOnceAndBordersAround(t *testing.T) {
	list := Mesh(twoRooms(), MeshOptions{})
	length := map[Color]float64{}
	for _, l := range list.Lines {
		for i := 1; i < len(l.P); i++ {
			a, b := l.P[i-1], l.P[i]
			a.Y, b.Y = 0, 0
			length[l.Color] += a.Distance(b)
		}
	}
	// A portal of 2 m; borders of 3 sides each, and twice the two metres beside the portal.
	if math.Abs(length[portalColor]-2) > 1e-9 || math.Abs(length[borderColor]-28) > 1e-9 || len(length) != 2 {
		t.Errorf("lengths %v", length)
	}
	seams := Mesh(twoRooms(), MeshOptions{Seams: true})
	found := 0
	for _, l := range seams.Lines {
		if l.Color == seamColor {
			found++
		}
	}
	if found != 1 {
		t.Errorf("%d seams", found)
	}
}

// Only the given layers are drawn, and a portal to another layer is drawn from this side.
func TestMeshOfSomeLayers(t *testing.T) {
	whole := Mesh(twoRooms(), MeshOptions{})
	for layer := range 2 {
		list := Mesh(twoRooms(), MeshOptions{Layers: []int{layer}})
		portals := 0
		for _, l := range list.Lines {
			if l.Color == portalColor {
				portals++
			}
		}
		if portals != 1 || len(list.Triangles) == 0 || len(list.Triangles) >= len(whole.Triangles) {
			t.Errorf("layer %d: %d portals, %d triangles of %d", layer, portals, len(list.Triangles), len(whole.Triangles))
		}
	}
	if list := Mesh(twoRooms(), MeshOptions{Layers: []int{}}); len(list.Triangles)+len(list.Lines) != 0 {
		t.Errorf("of no layers: %+v", list)
	}
}

func TestMeshColors(t *testing.T) {
	m := twoRooms()
	first := func(opt MeshOptions) (a, b Color) {
		list := Mesh(m, opt)
		return list.Triangles[0].Fill, list.Triangles[len(list.Triangles)-1].Fill
	}
	if a, b := first(MeshOptions{}); a == b {
		t.Error("neighbours have the same colour")
	}
	if a, b := first(MeshOptions{ColorBy: ByArea}); a != b {
		t.Error("the same area has two colours")
	}
	if a, b := first(MeshOptions{ColorBy: ByLayer}); a == b {
		t.Error("two layers have one colour")
	}
	if a, b := first(MeshOptions{ColorBy: ByComponent, Opacity: 1}); a == b || a.A != 255 {
		t.Error("two components have one colour, or it is translucent")
	}
	if list := Mesh(m, MeshOptions{Opacity: -1}); len(list.Triangles) != 0 || len(list.Lines) == 0 {
		t.Error("a negative opacity fills")
	}
	if list := Mesh(m, MeshOptions{Labels: true}); len(list.Labels) != 2 || list.Labels[1].Text != "1" || math.Abs(list.Labels[1].P.X-6) > 1e-9 {
		t.Errorf("labels %+v", list.Labels)
	}
}

// On a chessboard of regions no two neighbours share a colour, and all hues are used.
func TestNeighboursDifferOnALargeMesh(t *testing.T) {
	const n = 20
	tile := navmesh.Tile{Layers: make([]navmesh.Layer, 1)}
	id := func(i, j int) uint32 { return uint32(j*n + i) }
	for j := range n {
		for i := range n {
			r := navmesh.Region{First: uint32(len(tile.Corners)), Count: 4, FirstPortal: uint32(len(tile.Portals))}
			base := uint32(len(tile.Vertices))
			x, y := float64(i), float64(j)
			tile.Vertices = append(tile.Vertices, vertex(x, y, 0), vertex(x+1, y, 0), vertex(x+1, y+1, 0), vertex(x, y+1, 0))
			tile.Corners = append(tile.Corners, base, base+1, base+2, base+3)
			for e, d := range [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}} {
				if u, v := i+d[0], j+d[1]; u >= 0 && v >= 0 && u < n && v < n {
					tile.Portals = append(tile.Portals, navmesh.Portal{To: id(u, v), Edge: uint32(e), Left: base + uint32(e+1)%4, Right: base + uint32(e)})
					r.PortalCount++
				}
			}
			tile.Regions = append(tile.Regions, r)
		}
	}
	d := meshDrawer{tile: &tile}
	colors := d.colors()
	used := map[int]int{}
	for i := range tile.Regions {
		used[colors[i]]++
		for _, p := range tile.RegionPortals(i) {
			if colors[i] == colors[p.To] {
				t.Fatalf("regions %d and %d are both %d", i, p.To, colors[i])
			}
		}
	}
	for c := range hues {
		if used[c] < n*n/len(hues)/3 {
			t.Errorf("hue %d is used %d times", c, used[c])
		}
	}
	list := Mesh(&navmesh.Mesh{Tiles: []navmesh.Tile{tile}}, MeshOptions{})
	if got := planArea(list.Triangles); math.Abs(got-n*n) > 1e-9 {
		t.Errorf("without a floor %g m² are covered, want %d", got, n*n)
	}
}

// A layer may hold the floor of the storey above over a seam; neither fills nor lines jump up to it.
func TestMeshStaysOnItsOwnFloor(t *testing.T) {
	m := twoRooms()
	tile := &m.Tiles[0]
	floor := &tile.Layers[0].Floor
	base := uint32(len(floor.Vertices))
	floor.Vertices = append(floor.Vertices, vertex(1, -1, 3), vertex(9, -1, 3), vertex(9, 9, 3), vertex(1, 9, 3))
	floor.Triangles = append(floor.Triangles, [3]uint32{base, base + 1, base + 2}, [3]uint32{base, base + 2, base + 3})
	list := Mesh(m, MeshOptions{Lift: -1})
	list.eachPosition(func(p geom.Vec) {
		if p.X < 4 && p.Y != 0 {
			t.Errorf("%v is not on the floor", p)
		}
	})
	if got := planArea(list.Triangles); math.Abs(got-32) > 1e-9 {
		t.Errorf("fills cover %g m², want 32", got)
	}
}

func TestMeshFollowsAHill(t *testing.T) {
	// A region over a ridge of 3 m: all its corners are low.
	tin := lattice.TIN{
		Vertices: []lattice.Vertex{
			vertex(0, 0, 0), vertex(5, 0, 3), vertex(10, 0, 0),
			vertex(0, 10, 0), vertex(5, 10, 3), vertex(10, 10, 0),
		},
		Triangles: [][3]uint32{{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}},
	}
	s := newSurface(lattice.Frame{}, &tin, 0)
	var got []Triangle
	s.fill([]lattice.Vertex{vertex(1, 2, 0.6), vertex(9, 2, 0.6), vertex(9, 8, 0.6), vertex(1, 8, 0.6)}, func(a, b, c geom.Vec) {
		got = append(got, Triangle{P: [3]geom.Vec{a, b, c}})
	})
	if a := planArea(got); math.Abs(a-48) > 1e-6 {
		t.Errorf("covers %g m², want 48", a)
	}
	top := 0.0
	for _, tri := range got {
		for _, p := range tri.P {
			top = math.Max(top, p.Y)
			if want := 3 - math.Abs(p.X-5)*0.6; math.Abs(p.Y-want) > 1e-3 {
				t.Errorf("%v, want height %g", p, want)
			}
		}
	}
	if top < 2.99 {
		t.Errorf("the ridge is at %g m, want 3 m", top)
	}
	// The same with a cellar at 0 under the ridge, and an attic above it: neither is taken for the floor.
	base := uint32(len(tin.Vertices))
	for _, h := range []float64{0, 6} {
		tin.Vertices = append(tin.Vertices, vertex(0, 0, h), vertex(10, 0, h), vertex(10, 10, h), vertex(0, 10, h))
	}
	tin.Triangles = append(tin.Triangles, [3]uint32{base, base + 1, base + 2}, [3]uint32{base, base + 2, base + 3},
		[3]uint32{base + 4, base + 5, base + 6}, [3]uint32{base + 4, base + 6, base + 7})
	house := newSurface(lattice.Frame{}, &tin, 0)
	top = 0.0
	area := 0.0
	house.fill([]lattice.Vertex{vertex(1, 2, 0.6), vertex(9, 2, 0.6), vertex(9, 8, 0.6), vertex(1, 8, 0.6)}, func(a, b, c geom.Vec) {
		area += planArea([]Triangle{{P: [3]geom.Vec{a, b, c}}})
		top = math.Max(top, math.Max(a.Y, math.Max(b.Y, c.Y)))
	})
	if top > 3.001 || top < 2.99 || area < 48-1e-6 {
		t.Errorf("in a house the ridge is at %g m, and %g m² are covered", top, area)
	}
	line := s.line(vertex(1, 5, 0.6), vertex(9, 5, 0.6))
	if len(line) < 3 || len(line) > 12 {
		t.Errorf("%d points along the ridge's section", len(line))
	}
	for _, p := range line {
		if want := 3 - math.Abs(p.X-5)*0.6; math.Abs(p.Y-want) > 0.03 {
			t.Errorf("line at %v, want height %g", p, want)
		}
	}
}

func TestLinesFollowTheFloor(t *testing.T) {
	// A floor at 0, a cliff of 3 m at x = 5, a plateau, and a storey over the eastern half of it.
	tin := lattice.TIN{
		Vertices: []lattice.Vertex{
			vertex(0, 0, 0), vertex(5, 0, 0), vertex(5, 10, 0), vertex(0, 10, 0),
			vertex(5, 0, 3), vertex(10, 0, 3), vertex(10, 10, 3), vertex(5, 10, 3),
			vertex(7, 0, 6), vertex(10, 0, 6), vertex(10, 10, 6), vertex(7, 10, 6),
		},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {8, 9, 10}, {8, 10, 11}},
	}
	s := newSurface(lattice.Frame{}, &tin, 0)
	outside := func(v lattice.Vertex) lattice.Vertex { v.Y -= 2; return v }
	for _, c := range []struct {
		name  string
		a, b  lattice.Vertex
		high  float64 // the highest point
		total float64 // metres climbed
	}{
		{"level", vertex(1, 5, 0), vertex(4, 5, 0), 0, 0},
		{"up the cliff and under the storey", vertex(1, 5, 0), vertex(9, 5, 3), 3, 3},
		{"down the cliff", vertex(9, 5, 3), vertex(1, 5, 0), 3, 0},
		{"on the storey", vertex(7.5, 5, 6), vertex(9, 5, 6), 6, 0},
		{"on the border, half a millimetre outside", outside(vertex(1, 0, 0)), outside(vertex(9, 0, 3)), 3, 3},
		{"off the floor", vertex(20, 0, 1), vertex(24, 0, 2), 2, 1},
	} {
		line := s.line(c.a, c.b)
		high, total := math.Inf(-1), 0.0
		for i, p := range line {
			high = math.Max(high, p.Y)
			if i > 0 {
				total += math.Max(0, p.Y-line[i-1].Y)
			}
		}
		if math.Abs(high-c.high) > 0.01 || math.Abs(total-c.total) > 0.01 {
			t.Errorf("%s: up to %g m, climbs %g m, want %g m and %g m: %v", c.name, high, total, c.high, c.total, line)
		}
		if first, last := line[0], line[len(line)-1]; first.X != float64(c.a.X)/metre || last.X != float64(c.b.X)/metre {
			t.Errorf("%s: from %v to %v", c.name, first, last)
		}
	}
}

// The buckets find every triangle: random polygons over a random floor are covered exactly as brute force says.
func TestCutAgreesWithBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var tin lattice.TIN
	for range 60 {
		x, y := 20*r.Float64()-10, 20*r.Float64()-10
		base := uint32(len(tin.Vertices))
		tin.Vertices = append(tin.Vertices, vertex(x, y, r.Float64()), vertex(x+4*r.Float64(), y, 0), vertex(x, y+0.1+4*r.Float64(), 1))
		tin.Triangles = append(tin.Triangles, [3]uint32{base, base + 1, base + 2})
	}
	tin.Triangles = append(tin.Triangles, [3]uint32{0, 1, 9999}) // a bad index is left out
	s := newSurface(lattice.Frame{}, &tin, 0)
	for range 200 {
		x, y, w, h := 20*r.Float64()-10, 20*r.Float64()-10, 5*r.Float64(), 5*r.Float64()
		box := []corner{{x * metre, y * metre}, {(x + w) * metre, y * metre}, {(x + w) * metre, (y + h) * metre}, {x * metre, (y + h) * metre}}
		want := 0.0
		for _, tri := range tin.Triangles[:60] {
			part := box
			for e := range 3 {
				p, q := tin.Vertices[tri[e]], tin.Vertices[tri[(e+1)%3]]
				part = clip(part, corner{float64(p.X), float64(p.Y)}, corner{float64(q.X), float64(q.Y)})
			}
			want += area2(part)
		}
		if _, got := s.cut(box); math.Abs(got-want) > 1e-6*(1+want) {
			t.Fatalf("box at (%g, %g): %g, want %g", x, y, got, want)
		}
	}
}

// Bad indices are left out; the sound part is still drawn.
func TestMeshWithFaults(t *testing.T) {
	for name, spoil := range map[string]func(*navmesh.Tile){
		"corners out of range":  func(t *navmesh.Tile) { t.Regions[0].Count = 99 },
		"first out of range":    func(t *navmesh.Tile) { t.Regions[0].First = math.MaxUint32 },
		"vertex out of range":   func(t *navmesh.Tile) { t.Corners[2] = 77 },
		"portals out of range":  func(t *navmesh.Tile) { t.Regions[1].PortalCount = 50 },
		"portal to nowhere":     func(t *navmesh.Tile) { t.Portals[0].To = 9 },
		"portal without vertex": func(t *navmesh.Tile) { t.Portals[0].Left = 99 },
		"portal on no edge":     func(t *navmesh.Tile) { t.Portals[0].Edge = 4 },
		"no such layer":         func(t *navmesh.Tile) { t.Regions[1].Layer = 7 },
		"no layers":             func(t *navmesh.Tile) { t.Layers = nil },
		"two corners":           func(t *navmesh.Tile) { t.Regions[0].Count = 2 },
		"point-like region":     func(t *navmesh.Tile) { t.Corners[1], t.Corners[2], t.Corners[3] = 0, 0, 0 },
	} {
		m := twoRooms()
		spoil(&m.Tiles[0])
		list := Mesh(m, MeshOptions{Labels: true, Seams: true})
		if len(list.Triangles) == 0 || len(list.Lines) == 0 {
			t.Errorf("%s: %d triangles, %d lines", name, len(list.Triangles), len(list.Lines))
		}
		list.eachPosition(func(p geom.Vec) {
			if !p.IsFinite() {
				t.Errorf("%s: %v", name, p)
			}
		})
	}
	if list := Mesh(&navmesh.Mesh{}, MeshOptions{}); len(list.Triangles)+len(list.Lines) != 0 {
		t.Error("an empty mesh draws something")
	}
}

func TestLinksAreArcs(t *testing.T) {
	m := &navmesh.Mesh{Links: []navmesh.Link{{
		Start: [2]lattice.Vertex{vertex(0, 0, 3), vertex(0, 2, 3)},
		End:   [2]lattice.Vertex{vertex(2, 0, 0), vertex(2, 2, 0)},
		Kind:  navmesh.Drop,
	}}}
	list := Mesh(m, MeshOptions{Lift: -1})
	if len(list.Lines) != 3 || len(list.Points) != 1 {
		t.Fatalf("%d lines, %d points", len(list.Lines), len(list.Points))
	}
	for i, s := range [2][2]lattice.Vertex{m.Links[0].Start, m.Links[0].End} {
		want := []geom.Vec{m.Frame.ToWorld(s[0].Point, s[0].Z), m.Frame.ToWorld(s[1].Point, s[1].Z)}
		if !slices.Equal(list.Lines[1+i].P, want) {
			t.Errorf("the wide end %d is drawn along %v, not %v", i, list.Lines[1+i].P, want)
		}
	}
	p := list.Lines[0].P
	if first, last := p[0], p[len(p)-1]; first.Distance(geom.FromGround(0, 1, 3)) > 1e-9 || last.Distance(geom.FromGround(2, 1, 0)) > 1e-9 {
		t.Errorf("from %v to %v", first, last)
	}
	if middle := p[len(p)/2]; middle.Y < 1.8 {
		t.Errorf("the middle of the arc is at %v", middle)
	}
}

func TestPlan(t *testing.T) {
	p := &plan.Plan{
		Layers: []plan.Layer{{
			Floor: lattice.TIN{
				Vertices:  []lattice.Vertex{vertex(-1, -1, 1), vertex(11, -1, 1), vertex(11, 11, 1), vertex(-1, 11, 1)},
				Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
			},
			Domains: []plan.Domain{{
				Polygon: lattice.Polygon{Rings: []lattice.Ring{
					{vertex(0, 0, 0).Point, vertex(10, 0, 0).Point, vertex(10, 10, 0).Point, vertex(0, 10, 0).Point},
					{vertex(2, 2, 0).Point, vertex(2, 4, 0).Point, vertex(5, 3, 0).Point},
				}},
				Edges: [][]plan.ChainID{{plan.Wall, 0, plan.Wall, 1}, {plan.Wall, plan.Wall, 9}},
			}},
		}},
		Chains: []plan.Chain{{Kind: plan.Seam}, {Kind: plan.Terrain}},
	}
	list := Plan(p, PlanOptions{Lift: -1})
	if got := planArea(list.Triangles); math.Abs(got-97) > 1e-6 {
		t.Errorf("fills cover %g m², want 97", got)
	}
	count := map[Color]int{}
	for _, l := range list.Lines {
		count[l.Color]++
		for _, q := range l.P {
			if math.Abs(q.Y-1) > 1e-9 {
				t.Errorf("%v is not on the floor", q)
			}
		}
	}
	if count[borderColor] != 4 || count[seamColor] != 1 || count[terrainColor] != 1 || count[faultColor] != 1 {
		t.Errorf("lines %v", count)
	}
	if bare := Plan(p, PlanOptions{Opacity: -1}); len(bare.Triangles) != 0 {
		t.Error("a negative opacity fills")
	}
}

// Trapezoids cover random star-shaped polygons with a hole exactly, and are convex.
func TestTrapezoidsCoverPolygons(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	star := func(cx, cy, least, most float64, n int) lattice.Ring {
		ring := make(lattice.Ring, n)
		for i := range ring {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			d := least + (most-least)*r.Float64()
			ring[i] = vertex(cx+d*cos, cy+d*sin, 0).Point
		}
		return ring
	}
	for range 100 {
		outer, hole := star(0, 0, 5, 9, 3+r.IntN(30)), star(0.2, 0.1, 0.5, 2, 3+r.IntN(10))
		if len(outer) < 6 {
			hole = nil // might stick out
		}
		for i, j := 0, len(hole)-1; i < j; i, j = i+1, j-1 {
			hole[i], hole[j] = hole[j], hole[i]
		}
		poly := lattice.Polygon{Rings: []lattice.Ring{outer}}
		if hole != nil {
			poly.Rings = append(poly.Rings, hole)
		}
		got := 0.0
		for _, z := range trapezoids(poly) {
			for i := range z {
				if turn(z[i], z[(i+1)%4], z[(i+2)%4]) < -1e-3 {
					t.Fatalf("%v is not convex", z)
				}
			}
			got += area2(z)
		}
		if want := float64(poly.Area2()); math.Abs(got-want) > 1e-6*want {
			t.Fatalf("area %g, want %g", got, want)
		}
	}
	if z := trapezoids(lattice.Polygon{}); len(z) != 0 {
		t.Error("nothing has trapezoids")
	}
}
