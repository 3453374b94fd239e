package join

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// halves is a floor of 200 by 100 units in two layers, with one region each.
func halves(t testing.TB) world {
	w := twoLayers(walled(pts(0, 0, 100, 0, 100, 100, 0, 100)), walled(pts(100, 0, 200, 0, 200, 100, 100, 100)),
		[]plan.Cell{cell(0, 0, 100, 0, 100, 100, 0, 100)}, []plan.Cell{cell(100, 0, 200, 0, 200, 100, 100, 100)})
	w.plan.Layers[0].Floor = flat(0, 0, 100, 100, 10)
	w.plan.Layers[1].Floor = slope(100, 0, 200, 100, 10, 60)
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 100))
	return w
}

// twoLayers is a world of one domain in each of two layers without floors.
func twoLayers(a, b plan.Domain, cellsA, cellsB []plan.Cell) world {
	w := single(a, cellsA...)
	w.plan.Layers[0].Floor = lattice.TIN{}
	w.plan.Layers = append(w.plan.Layers, plan.Layer{Domains: []plan.Domain{b}})
	w.cells = append(w.cells, [][]plan.Cell{cellsB})
	return w
}

// add puts another floor into a layer.
func add(tin *lattice.TIN, more lattice.TIN) {
	n := uint32(len(tin.Vertices))
	for _, tri := range more.Triangles {
		tin.Triangles = append(tin.Triangles, [3]uint32{tri[0] + n, tri[1] + n, tri[2] + n})
	}
	tin.Vertices = append(tin.Vertices, more.Vertices...)
}

func TestMergeHalves(t *testing.T) {
	w := halves(t)
	before := len(w.plan.Layers[0].Floor.Triangles)
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if want := (Report{Regions: 1, Vertices: 4, MergedSeams: 1}); report != want {
		t.Fatalf("%+v, want %+v", report, want)
	}
	if len(w.plan.Layers[0].Floor.Triangles) != before {
		t.Error("the plan was changed")
	}
	r := m.Tiles[0].Regions[0]
	if r.Layer != 0 || r.Count != 4 {
		t.Errorf("%+v", r)
	}
	s := lattice.NewSampler(&m.Tiles[0].Layers[0].Floor)
	for _, p := range []struct{ x, y, z float64 }{{50, 50, 10}, {100, 3, 10}, {150, 50, 35}, {200, 100, 60}, {190, 1, 55}} {
		if z, ok := s.Height(p.x, p.y); !ok || z < p.z-1 || z > p.z+1 {
			t.Errorf("floor at (%g, %g) is %g, %v, want %g", p.x, p.y, z, ok, p.z)
		}
	}
	kept, report := w.build(t, Options{KeepSeams: true})
	checkValid(t, kept)
	if report.Regions != 2 || report.SeamPortals != 1 || report.MergedSeams != 0 {
		t.Errorf("with seams kept: %+v", report)
	}
}

// TestMergeNotSafe lists reasons that keep two halves apart despite a convex union.
func TestMergeNotSafe(t *testing.T) {
	other := func(w *world, d plan.Domain, c plan.Cell) {
		for l := range w.plan.Layers {
			w.plan.Layers[l].Domains = append(w.plan.Layers[l].Domains, d)
			w.cells[l] = append(w.cells[l], []plan.Cell{c})
		}
	}
	// Both layers get the obstacle under or over the half that would move there.
	tests := []struct {
		name   string
		change func(w *world)
	}{
		{"other ground", func(w *world) { w.plan.Layers[1].Domains[0].Area = 1 }},
		{"a region below", func(w *world) {
			w.plan.Layers[0].Domains = append(w.plan.Layers[0].Domains, plan.Domain{})
			w.cells[0] = append(w.cells[0], []plan.Cell{cell(150, 20, 170, 20, 170, 40, 150, 40)})
			w.plan.Layers[1].Domains = append(w.plan.Layers[1].Domains, plan.Domain{})
			w.cells[1] = append(w.cells[1], []plan.Cell{cell(50, 20, 70, 20, 70, 40, 50, 40)})
		}},
		{"a region that touches it", func(w *world) {
			other(w, plan.Domain{}, cell(0, 101, 200, 101, 200, 120, 0, 120))
			for l := range w.plan.Layers {
				add(&w.plan.Layers[l].Floor, flat(0, 101, 200, 120, 5000))
			}
		}},
		{"a floor above", func(w *world) {
			add(&w.plan.Layers[0].Floor, flat(180, 80, 300, 300, 5000))
			add(&w.plan.Layers[1].Floor, flat(-50, -50, 20, 20, 5000))
		}},
		{"a floor below", func(w *world) {
			add(&w.plan.Layers[0].Floor, flat(180, 80, 300, 300, -5000))
			add(&w.plan.Layers[1].Floor, flat(-50, -50, 20, 20, -5000))
		}},
		{"no floor of its own", func(w *world) {
			w.plan.Layers[0].Floor = flat(0, 0, 100, 90, 10)
			w.plan.Layers[1].Floor = slope(100, 0, 200, 90, 10, 60)
		}},
		{"two floors of its own", func(w *world) {
			add(&w.plan.Layers[0].Floor, flat(0, 0, 100, 100, 8))
			add(&w.plan.Layers[1].Floor, flat(100, 0, 200, 100, 8))
		}},
		{"terrain, not a seam", func(w *world) { w.plan.Chains[0].Kind = plan.Terrain }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := halves(t)
			test.change(&w)
			_, report := w.build(t, Options{})
			if report.MergedSeams != 0 || report.SeamPortals != 1 {
				t.Errorf("%+v", report)
			}
		})
	}
}

// TestMergeWithCommonFloor has the same floor in both layers, as from extractors that cut no triangles: the floor is no
// obstacle.
func TestMergeWithCommonFloor(t *testing.T) {
	w := halves(t)
	floor := slope(-100, -100, 300, 300, 0, 400)
	w.plan.Layers[0].Floor, w.plan.Layers[1].Floor = floor, floor
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.MergedSeams != 1 || report.Regions != 1 {
		t.Errorf("%+v", report)
	}
}

// TestMergeNotConvex has a piece whose side is longer than the other's: the union is not convex.
func TestMergeNotConvex(t *testing.T) {
	w := twoLayers(walled(pts(0, 0, 100, 0, 100, 60, 100, 100, 0, 100)), walled(pts(100, 0, 200, 0, 200, 60, 100, 60)),
		[]plan.Cell{cell(0, 0, 100, 0, 100, 100, 0, 100)}, []plan.Cell{cell(100, 0, 200, 0, 200, 60, 100, 60)})
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 60))
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.MergedSeams != 0 || report.SeamPortals != 1 {
		t.Errorf("%+v", report)
	}
}

// TestMergeRow merges three layers in a row to one region, for any order of the seams.
func TestMergeRow(t *testing.T) {
	for _, order := range [][2]int{{0, 1}, {1, 0}} {
		w := halves(t)
		w.plan.Layers[1].Domains[0] = walled(pts(100, 0, 200, 0, 200, 100, 100, 100))
		w.plan.Chains = nil
		w.plan.Layers[0].Domains[0] = walled(pts(0, 0, 100, 0, 100, 100, 0, 100))
		w.plan.Layers = append(w.plan.Layers, plan.Layer{
			Domains: []plan.Domain{walled(pts(200, 0, 300, 0, 300, 100, 200, 100))}, Floor: flat(200, 0, 300, 100, 60),
		})
		w.cells = append(w.cells, [][]plan.Cell{{cell(200, 0, 300, 0, 300, 100, 200, 100)}})
		for _, k := range order {
			x := int32(100 * (k + 1))
			w.chain(t, plan.Seam, id(int32(k), 0), id(int32(k+1), 0), pts(x, 0, x, 100))
		}
		m, report := w.build(t, Options{})
		checkValid(t, m)
		if want := (Report{Regions: 1, Vertices: 4, MergedSeams: 2}); report != want {
			t.Errorf("%+v, want %+v", report, want)
		}
	}
}

// TestMergeKeepsInnerPortals has two collinear seams side by side: each pair is merged, but the two unions stay apart,
// because the generator's portal between them must stay.
func TestMergeKeepsInnerPortals(t *testing.T) {
	w := twoLayers(walled(pts(0, 0, 100, 0, 100, 50, 100, 100, 0, 100)), walled(pts(100, 0, 200, 0, 200, 100, 100, 100, 100, 50)),
		[]plan.Cell{cell(0, 0, 100, 0, 100, 50, 0, 50), cell(0, 50, 100, 50, 100, 100, 0, 100)},
		[]plan.Cell{cell(100, 0, 200, 0, 200, 50, 100, 50), cell(100, 50, 200, 50, 200, 100, 100, 100)})
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 50, 100, 100))
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if report.Regions != 2 || report.MergedSeams != 2 || report.SeamPortals != 0 || report.Portals != 2 {
		t.Errorf("%+v", report)
	}
}

// TestStraighten has a T-joint: the seam has a vertex in the middle, which is a corner of both regions and divides
// their portal. No region needs the vertex.
func TestStraighten(t *testing.T) {
	w := twoLayers(walled(pts(0, 0, 100, 0, 100, 40, 100, 100, 0, 100)), walled(pts(100, 0, 200, 0, 200, 100, 100, 100, 100, 40)),
		[]plan.Cell{cell(0, 0, 100, 0, 100, 40, 100, 100, 0, 100)}, []plan.Cell{cell(100, 0, 200, 0, 200, 100, 100, 100, 100, 40)})
	w.plan.Layers[1].Domains[0].Area = 7 // no merging
	w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 40, 100, 100))
	m, report := w.build(t, Options{})
	checkValid(t, m)
	if want := (Report{Regions: 2, Vertices: 8, Portals: 1, SeamPortals: 1}); report != want {
		t.Errorf("%+v, want %+v", report, want)
	}
	_, report = w.build(t, Options{KeepSeams: true})
	if report.Portals != 2 || report.Vertices != 10 {
		t.Errorf("with seams kept: %+v", report)
	}
}

// TestThreeLayersAtAPoint has three layers that meet at a point with free space all around: the point is no corner for
// any of them.
func TestThreeLayersAtAPoint(t *testing.T) {
	o := pts(0, 0)[0]
	rim := [][]lattice.Point{pts(-100, -100, 100, -100, 100, 30), pts(100, 30, 100, 100, -100, 100), pts(-100, 100, -100, -100)}
	w := world{plan: plan.Plan{Layers: make([]plan.Layer, 3)}, cells: make([][][]plan.Cell, 3)}
	for l, r := range rim {
		sector := append(slices.Clone(r), o)
		w.plan.Layers[l] = plan.Layer{Domains: []plan.Domain{walled(sector)}, Floor: flat(-100, -100, 100, 100, int32(10*l))}
		w.cells[l] = [][]plan.Cell{{cellOf(o, r[0], r[1])}}
		if len(r) == 3 {
			w.cells[l][0] = append(w.cells[l][0], cellOf(o, r[1], r[2]))
		}
	}
	for l := range rim {
		next := (l + 1) % 3
		w.chain(t, plan.Seam, id(int32(l), 0), id(int32(next), 0), []lattice.Point{rim[next][0], o})
	}
	m, report := w.build(t, Options{KeepSeams: true})
	w.plan.Agent.MaxClimb = 1
	if report.SeamPortals != 3 || m.Components != 1 {
		t.Fatalf("%+v, %d components", report, m.Components)
	}
	heights := map[int32]bool{}
	tile := &m.Tiles[0]
	for i, p := range tile.Portals {
		for _, end := range []struct {
			v      uint32
			corner bool
		}{{p.Left, p.LeftCorner}, {p.Right, p.RightCorner}} {
			if tile.Vertices[end.v].Point != o {
				continue
			}
			heights[tile.Vertices[end.v].Z] = true
			if end.corner {
				t.Errorf("portal %d bends at the middle of the floor", i)
			}
		}
	}
	if len(heights) != 3 {
		t.Errorf("heights of the middle: %v, want one for each layer", heights)
	}
	m, report = w.build(t, Options{})
	for _, f := range m.Validate() {
		if f.Kind != navmesh.PortalStep {
			t.Error(f)
		}
	}
	if report.LostArea != 0 {
		t.Errorf("lost %g", report.LostArea)
	}
}

// TestMergeAcrossARoundedWall has a seam's end rounded to the lattice, where a straight wall may bend inwards by a
// unit.
func TestMergeAcrossARoundedWall(t *testing.T) {
	for _, c := range []struct{ inwards, regions int32 }{{0, 1}, {1, 1}, {2, 2}} {
		y := c.inwards
		w := twoLayers(
			walled(pts(0, 0, 100, y, 100, 100, 0, 100)), walled(pts(100, y, 200, 0, 200, 100, 100, 100)),
			[]plan.Cell{cell(0, 0, 100, y, 100, 100, 0, 100)}, []plan.Cell{cell(100, y, 200, 0, 200, 100, 100, 100)})
		w.plan.Layers[0].Floor, w.plan.Layers[1].Floor = flat(0, 0, 100, 100, 0), flat(100, 0, 200, 100, 0)
		w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, y, 100, 100))
		m, report := w.build(t, Options{})
		checkValid(t, m)
		if report.Regions != int(c.regions) {
			t.Errorf("bent by %d: %+v", c.inwards, report)
		}
		plan := w.plan.Layers[0].Domains[0].Area2() + w.plan.Layers[1].Domains[0].Area2()
		if lost := lattice.SquareMetres(plan - area2(m)); report.LostArea != lost {
			t.Errorf("bent by %d: lost %g, not %g", c.inwards, report.LostArea, lost)
		}
	}
}

// TestMergeLeavesPortalsOnTheirEdges bends random walls at the end of a seam; a third region has its portal somewhere
// along the wall. Merging across the seam never moves the wall's edge off the portal. TestMergeAcrossARoundedWall has
// the walls without portals.
func TestMergeLeavesPortalsOnTheirEdges(t *testing.T) {
	merged, kept := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 39))
		// The wall below the two halves is level on the left and falls by a few units on the right. A third region lies
		// below some of the level part, at either end or in the middle.
		fall, from, to := rng.Int32N(5), rng.Int32N(100), rng.Int32N(101)
		from, to = min(from, to), max(from, to)
		rings := [][]lattice.Point{pts(0, 0, 100, 0, 100, 100, 0, 100), pts(100, 0, 200, -fall, 200, 100, 100, 100)}
		outer := rings[0]
		cells := []plan.Cell{cellOf(rings[0]...)}
		if from < to {
			cells = append(cells, cell(from, -50, to, -50, to, 0, from, 0))
			outer = slices.Compact(pts(0, 0, from, 0, from, -50, to, -50, to, 0, 100, 0, 100, 100, 0, 100))
		}
		w := twoLayers(walled(outer), walled(rings[1]), cells, []plan.Cell{cellOf(rings[1]...)})
		w.plan.Layers[0].Floor, w.plan.Layers[1].Floor = flat(0, -50, 100, 100, 0), flat(100, -50, 200, 100, 0)
		w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(100, 0, 100, 100))
		m, report := w.build(t, Options{})
		checkValid(t, m)
		if t.Failed() {
			t.Fatalf("seed %d: a wall that falls by %d, a region below it from %d to %d", seed, fall, from, to)
		}
		if report.MergedSeams == 1 {
			merged++
		} else {
			kept++
		}
	}
	if merged < 30 || kept < 100 {
		t.Errorf("%d merged, %d kept", merged, kept)
	}
}

// TestMergeGainsNothingOfOthers has a region of another floor near the half that stays in its layer. The region may
// reach into the sliver between a bend and the straight line.
func TestMergeGainsNothingOfOthers(t *testing.T) {
	west, east := pts(0, 0, 99, 33, 99, 133, 0, 100), pts(99, 33, 198, 65, 198, 165, 99, 133)
	for _, c := range []struct {
		name    string
		apex    lattice.Point
		regions int
	}{{"in the sliver", pts(97, 32)[0], 4}, {"beside it", pts(97, 28)[0], 3}} {
		w := twoLayers(walled(west), walled(east), []plan.Cell{cellOf(west...)}, []plan.Cell{cellOf(east...)})
		w.plan.Layers[0].Floor, w.plan.Layers[1].Floor = flat(0, 0, 198, 165, 0), flat(0, 0, 198, 165, 0)
		w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(99, 33, 99, 133))
		for l := range w.plan.Layers {
			other := append(pts(87, 0, 107, 0), c.apex)
			w.plan.Layers[l].Domains = append(w.plan.Layers[l].Domains, walled(other))
			w.cells[l] = append(w.cells[l], []plan.Cell{cellOf(other...)})
		}
		m, report := w.build(t, Options{})
		checkValid(t, m)
		if report.Regions != c.regions {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

// TestCellsAtAPoint asks a merged piece for the cells with a point on their border.
func TestCellsAtAPoint(t *testing.T) {
	west, east := part{3, pts(0, 0, 10, 0, 10, 10, 0, 10)}, part{5, pts(10, 0, 20, 0, 20, 10, 10, 10)}
	merged := piece{domain: 3, points: pts(0, 0, 20, 0, 20, 10, 0, 10), parts: []part{west, east}}
	single := piece{domain: 7, points: west.points}
	for _, c := range []struct {
		name  string
		of    *piece
		point lattice.Point
		want  []int32
	}{
		{"a corner", &merged, lattice.Point{X: 0, Y: 10}, []int32{3}},
		{"a place on an edge", &merged, lattice.Point{X: 15, Y: 10}, []int32{5}},
		{"the end of the old seam", &merged, lattice.Point{X: 10, Y: 0}, []int32{3, 5}},
		{"a place on no border", &merged, lattice.Point{X: 11, Y: -1}, []int32{3, 5}},
		{"a corner of a single cell", &single, lattice.Point{X: 0, Y: 10}, []int32{7}},
	} {
		var got []int32
		for _, p := range c.of.at(c.point) {
			got = append(got, p.domain)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: cells of domains %v, want %v", c.name, got, c.want)
		}
	}
}

// TestMergeKeepsTips cuts a triangle of 1.5 by 0.7 m at a seam through one corner, which leaves a needle in the other
// layer. The needle may change its layer where its floor is one triangle, and the merged region has floor at all
// corners. Where an edge of the floor crosses the needle near the tip, rounding closes the part in the tip, and the
// needle keeps its layer.
func TestMergeKeepsTips(t *testing.T) {
	const long, wide, high = 6000, 10, 3000
	needle, rest := pts(0, 0, long, 0, 0, wide), pts(0, wide, long, 0, 0, high)
	for _, c := range []struct {
		name   string
		floors []lattice.TIN // of the needle
		merged int
	}{
		{"one floor", []lattice.TIN{flat(-10, -10, long+10, wide+10, 5)}, 1},
		{"two floors", []lattice.TIN{flat(-10, -10, long-100, wide+10, 5), flat(long-100, -10, long+10, wide+10, 5)}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := twoLayers(walled(rest), walled(needle), []plan.Cell{cell(0, wide, long, 0, 0, high)}, []plan.Cell{cell(0, 0, long, 0, 0, wide)})
			w.plan.Layers[0].Floor = lattice.TIN{
				Vertices:  []lattice.Vertex{{Point: lattice.Point{X: 0, Y: wide}, Z: 5}, {Point: lattice.Point{X: long}, Z: 5}, {Point: lattice.Point{Y: high}, Z: 5}},
				Triangles: [][3]uint32{{0, 1, 2}},
			}
			for _, f := range append(c.floors, flat(100, 1000, 200, 1100, -5000)) { // the last floor keeps the other part in its layer
				add(&w.plan.Layers[1].Floor, f)
			}
			w.chain(t, plan.Seam, id(0, 0), id(1, 0), pts(0, wide, long, 0))
			m, report := w.build(t, Options{})
			checkValid(t, m)
			if report.MergedSeams != c.merged {
				t.Errorf("%+v, want %d seams merged", report, c.merged)
			}
		})
	}
}
