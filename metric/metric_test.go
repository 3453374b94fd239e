package metric

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// m is a metre.
const m = lattice.UnitsPerMetre

// ring makes a ring from pairs of metres.
func ring(xy ...float64) lattice.Ring {
	out := make(lattice.Ring, len(xy)/2)
	for i := range out {
		out[i] = lattice.Point{X: int32(xy[2*i] * m), Y: int32(xy[2*i+1] * m)}
	}
	return out
}

func box(x0, y0, x1, y1 float64) lattice.Ring { return ring(x0, y0, x1, y0, x1, y1, x0, y1) }

func reversed(r lattice.Ring) lattice.Ring {
	out := make(lattice.Ring, 0, len(r))
	for i := range r {
		out = append(out, r[len(r)-1-i])
	}
	return out
}

// floor builds the mesh of domains on level ground, each with its cells.
func floor(t testing.TB, frame lattice.Frame, domains []lattice.Polygon, rings [][]lattice.Ring) *navmesh.Mesh {
	t.Helper()
	p := plan.Plan{Frame: frame, Agent: geom.Agent{}.WithDefaults(), Layers: make([]plan.Layer, 1)}
	cells := [][][]plan.Cell{make([][]plan.Cell, len(domains))}
	for d, domain := range domains {
		p.Layers[0].Domains = append(p.Layers[0].Domains, plan.Domain{Polygon: domain})
		for _, r := range rings[d] {
			var c plan.Cell
			for _, q := range r {
				c.Corners = append(c.Corners, plan.Corner{Point: q, On: plan.NoEdge})
			}
			cells[0][d] = append(cells[0][d], c)
		}
	}
	mesh, _, err := join.Build(context.Background(), &p, cells, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

func one(t testing.TB, border lattice.Ring, cells ...lattice.Ring) *navmesh.Mesh {
	t.Helper()
	return floor(t, lattice.Frame{}, []lattice.Polygon{{Rings: []lattice.Ring{border}}}, [][]lattice.Ring{cells})
}

func measure(t testing.TB, mesh *navmesh.Mesh, opt Options) Result {
	t.Helper()
	r, err := Measure(context.Background(), mesh, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t testing.TB, r Result) string {
	t.Helper()
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func near(x Number, want float64) bool { return math.Abs(float64(x)-want) <= 1e-9 }

// wants compares the values of metrics.
func wants(t *testing.T, r Result, want map[Kind]float64) {
	t.Helper()
	for k := range Kind(Kinds) {
		if w, ok := want[k]; ok && !near(r.Value(k), w) {
			t.Errorf("%v is %v, want %v", k, r.Value(k), w)
		}
	}
}

func TestEmptyMesh(t *testing.T) {
	r := measure(t, &navmesh.Mesh{}, Options{Free: &Free{}})
	for k := range Kind(Kinds) {
		if k != KindRegions && r.Value(k).Known() {
			t.Errorf("%v of nothing is %v", k, r.Value(k))
		}
	}
	if r.Regions.Value != 0 || r.Extras.Bound != 0 || r.Extras.NearDegenerate != (NearDegenerate{}) {
		t.Errorf("there is something: %+v", r.Extras)
	}
	if !json.Valid([]byte(text(t, r))) {
		t.Error("not JSON")
	}
}

// TestOneRegion has a floor of 4 by 2 metres as one region: four sides for four edges, and no portals.
func TestOneRegion(t *testing.T) {
	r := measure(t, one(t, box(0, 0, 4, 2), box(0, 0, 4, 2)), Options{Free: &Free{Area: 16, Edges: 4}, ObjectRadius: 0.5})
	wants(t, r, map[Kind]float64{
		KindRegions: 1, KindCoverage: 0.5, KindAreaSizes: 8, KindDegree: 0, KindHomogeneity: 1,
		KindCommonVertices: 1, KindMinimumAngle: 90, KindPlacement: 8, KindEfficiency: 1, KindDiameter: 0,
	})
	if r.Bottleneck.Value.Known() || r.Flow.Value.Known() {
		t.Error("a way without a portal has a width")
	}
	if r.Extras.Bound != 1 || r.Extras.Notches != 0 || r.Extras.NearDegenerate.Regions != 0 {
		t.Errorf("extras %+v", r.Extras)
	}
}

// TestThreeSquares has three squares of 2 metres in an L: one notch, two regions at the least. The corner square has
// two neighbours; every inner place has two vertices, but the notch has three.
func TestThreeSquares(t *testing.T) {
	mesh := one(t, ring(0, 0, 4, 0, 4, 2, 2, 2, 2, 4, 0, 4), box(0, 0, 2, 2), box(2, 0, 4, 2), box(0, 2, 2, 4))
	r := measure(t, mesh, Options{Free: &Free{Area: 12, Edges: 6}, ObjectRadius: 0.5})
	wants(t, r, map[Kind]float64{
		KindRegions: 3, KindCoverage: 1, KindAreaSizes: 4, KindDegree: 4.0 / 3, KindHomogeneity: 0,
		// Places: (0,0) 1, (2,0) 2, (4,0) 1, (4,2) 1, (2,2) 3, (0,2) 2, (2,4) 1, (0,4) 1.
		KindCommonVertices: 12.0 / 8, KindMinimumAngle: 90, KindPlacement: 4, KindEfficiency: 0.5, KindDiameter: 2,
		KindBottleneck: 2, KindFlow: 2,
	})
	if notches, bound := NotchBound(mesh); notches != 1 || bound != 2 {
		t.Errorf("%d notches, bound %d", notches, bound)
	}
	if got := measure(t, mesh, Options{Bound: 1}).Extras; got.Bound != 1 || !near(got.Ratio, 3) {
		t.Errorf("with another bound: %+v", got)
	}
	if r.Extras.Notches != 1 || r.Extras.Bound != 2 || !near(r.Extras.Ratio, 1.5) || r.Extras.TJunctions != 0 {
		t.Errorf("extras %+v", r.Extras)
	}
	if r.Degree.DeadEnds != 2 || r.Degree.Isolated != 0 || len(r.Degree.Histogram) != 3 {
		t.Errorf("degree %+v", r.Degree)
	}
	if got := measure(t, mesh, Options{EdgeThreshold: 2.5}); got.Degree.Isolated != 3 {
		t.Errorf("with a threshold above all edges %d regions are isolated", got.Degree.Isolated)
	}
}

// TestHomogeneity has a wide region, a high one and a square: their mean cancels out, their root mean square does not.
func TestHomogeneity(t *testing.T) {
	for _, c := range []struct {
		border          lattice.Ring
		cells           []lattice.Ring
		value, mean     float64
		longest, median float64
	}{
		// 4 by 1 has 3, 1 by 3 has -2, 3 by 3 has 0.
		{box(0, 0, 4, 4), []lattice.Ring{box(0, 0, 4, 1), box(0, 1, 1, 4), box(1, 1, 4, 4)}, math.Sqrt(13.0 / 3), 1.0 / 3, 4, 0},
		// 4 by 2 has 1, 1 by 8 has -7.
		{ring(0, 0, 5, 0, 5, 8, 4, 8, 4, 2, 0, 2), []lattice.Ring{box(0, 0, 4, 2), box(4, 0, 5, 8)}, 5, -3, 8, -3},
	} {
		r := measure(t, one(t, c.border, c.cells...), Options{})
		h := &r.Homogeneity
		if !near(h.Value, c.value) || !near(h.Mean, c.mean) || !near(h.Longest, c.longest) || !near(h.Distribution.Median, c.median) {
			t.Errorf("root mean square %v, mean %v, longest %v, median %v, want %+v", h.Value, h.Mean, h.Longest, h.Distribution.Median, c)
		}
		for name, want := range map[string]Number{"homogeneity": h.Value, "homogeneity.mean": h.Mean, "homogeneity.longest": h.Longest} {
			if got, ok := r.Named(name); !ok || got != want {
				t.Errorf("%s is %v, %v, want %v", name, got, ok, want)
			}
		}
	}
}

// TestTJunctions has a hall along three rooms: the walls between the rooms divide the hall's edge at two T-junctions.
// The hall has no vertex where the portals of the rooms begin and end.
func TestTJunctions(t *testing.T) {
	r := measure(t, one(t, box(0, 0, 6, 3), box(0, 0, 6, 1), box(0, 1, 2, 3), box(2, 1, 4, 3), box(4, 1, 6, 3)), Options{})
	if r.Extras.TJunctions != 2 || r.Extras.Bound != 1 {
		t.Errorf("extras %+v", r.Extras)
	}
	// (0,1) and (6,1) have two, (2,1) and (4,1) two as well, and so on: the hall counts only at its corners.
	if got := r.CommonVertices.Histogram; len(got) != 3 || got[1] != 4 || got[2] != 6 {
		t.Errorf("common vertices %v", got)
	}
	if !near(r.Diameter.Value, 2) || !near(r.Homogeneity.Distribution.Max, 5) {
		t.Errorf("diameter %v, widest %v", r.Diameter.Value, r.Homogeneity.Distribution.Max)
	}
}

// TestDisconnected has two separate floors: the diameter is infinite, each floor has its bound, and the floor without a
// neighbour is disjoint.
func TestDisconnected(t *testing.T) {
	mesh := floor(t, lattice.Frame{},
		[]lattice.Polygon{{Rings: []lattice.Ring{box(0, 0, 4, 2)}}, {Rings: []lattice.Ring{box(10, 0, 11, 1)}}},
		[][]lattice.Ring{{box(0, 0, 2, 2), box(2, 0, 4, 2)}, {box(10, 0, 11, 1)}})
	r := measure(t, mesh, Options{})
	if !math.IsInf(float64(r.Diameter.Value), 1) || r.Diameter.Within != 1 || r.Diameter.Parts != 2 {
		t.Errorf("diameter %+v", r.Diameter)
	}
	if r.Extras.Bound != 2 || r.Extras.NearDegenerate != (NearDegenerate{Regions: 1, Disjoint: 1}) {
		t.Errorf("extras %+v", r.Extras)
	}
	away := geom.FromGround(10.5, 0.5, 0)
	if r := measure(t, mesh, Options{Goal: &away}); r.Bottleneck.Value.Known() || r.Flow.Value.Known() {
		t.Error("there is a flow to the other floor")
	}
}

// TestHole has a square with a square hole, as four rectangles: four notches and one hole give at least two regions;
// both ways around the hole carry a metre.
func TestHole(t *testing.T) {
	mesh := floor(t, lattice.Frame{},
		[]lattice.Polygon{{Rings: []lattice.Ring{box(0, 0, 3, 3), reversed(box(1, 1, 2, 2))}}},
		[][]lattice.Ring{{box(0, 0, 3, 1), box(0, 1, 1, 3), box(1, 2, 3, 3), box(2, 1, 3, 2)}})
	r := measure(t, mesh, Options{})
	if r.Extras.Notches != 4 || r.Extras.Bound != 2 || r.Efficiency.ObstructionEdges != 8 || r.Efficiency.RegionEdges != 16 {
		t.Errorf("extras %+v, efficiency %+v", r.Extras, r.Efficiency)
	}
	if !near(r.Flow.Value, 2) || !near(r.Flow.Published, 2) || r.Flow.Paths != 2 || r.Flow.Cut != 2 || !near(r.Bottleneck.Value, 1) {
		t.Errorf("flow %+v, bottleneck %v", r.Flow, r.Bottleneck.Value)
	}
}

// TestStandsInForAVertexOffTheFloor has a vertex with a wrong height, far off the floor of its layer: no path can start
// there.
func TestStandsInForAVertexOffTheFloor(t *testing.T) {
	mesh := one(t, box(0, 0, 4, 2), box(0, 0, 2, 2), box(2, 0, 4, 2))
	tile := &mesh.Tiles[0]
	corner := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x * m, Y: y * m}} }
	tile.Layers[0].Floor = lattice.TIN{
		Vertices:  []lattice.Vertex{corner(-1, -1), corner(5, -1), corner(5, 3), corner(-1, 3)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}
	for i, v := range tile.Vertices {
		if v.X == 0 && v.Y == 0 {
			tile.Vertices[i].Z = 100 * m
		}
	}
	r := measure(t, mesh, Options{})
	if !near(r.Bottleneck.Value, 2) || r.Bottleneck.Start[0] != 0 || r.Bottleneck.Start[2] != -2 {
		t.Errorf("%+v", r.Bottleneck)
	}
}

// TestInnerVertex checks that a vertex with floor all around is no border.
func TestInnerVertex(t *testing.T) {
	r := measure(t, one(t, box(0, 0, 2, 2), box(0, 0, 1, 1), box(1, 0, 2, 1), box(1, 1, 2, 2), box(0, 1, 1, 2)), Options{})
	if r.Extras.Bound != 1 || r.Efficiency.ObstructionEdges != 4 || r.CommonVertices.Histogram[4] != 1 {
		t.Errorf("bound %d, edges %d, places %v", r.Extras.Bound, r.Efficiency.ObstructionEdges, r.CommonVertices.Histogram)
	}
}

// TestNearDegenerate has eight thin triangles around the middle of one side of a strip: a fan, and slivers.
func TestNearDegenerate(t *testing.T) {
	var cells []lattice.Ring
	const n = 8
	for i := range n {
		x := 16 * float64(i) / n
		cells = append(cells, ring(8, 1, x, 0, x+2, 0))
	}
	cells = append(cells, ring(8, 1, 0, 1, 0, 0), ring(8, 1, 16, 0, 16, 1))
	for i := range cells {
		if cells[i].Area2() < 0 {
			cells[i] = reversed(cells[i])
		}
	}
	r := measure(t, one(t, ring(0, 0, 2, 0, 4, 0, 6, 0, 8, 0, 10, 0, 12, 0, 14, 0, 16, 0, 16, 1, 8, 1, 0, 1), cells...), Options{})
	// The two triangles below the tip have 63° there, two more have 18°, and all others less.
	if got := r.Extras.NearDegenerate; got.Fans != 8 || got.Disjoint != 0 || got.Slivers == 0 || got.Regions < got.Fans {
		t.Errorf("near-degenerate %+v", got)
	}
	if r.MinimumAngle.Acute == 0 {
		t.Error("no acute angle")
	}
	thin := measure(t, one(t, box(0, 0, 20, 1), box(0, 0, 20, 1)), Options{})
	if got := thin.Extras.NearDegenerate; got != (NearDegenerate{Regions: 1, Slivers: 1}) {
		t.Errorf("a strip of 20 by 1 is %+v", got)
	}
	slits := measure(t, one(t, ring(0, 0, 2, 0, 2, 0.25, 4, 0.25, 4, 2, 2, 2, 2, 0.5, 0, 0.5),
		ring(0, 0, 2, 0, 2, 0.25, 2, 0.5, 0, 0.5), ring(2, 0.25, 4, 0.25, 4, 2, 2, 2, 2, 0.5)), Options{})
	if got := slits.Extras.NearDegenerate; got.Narrow != 2 || !near(slits.Bottleneck.Value, 0.25) {
		t.Errorf("behind a slit of 0.25 m: %+v, bottleneck %v", got, slits.Bottleneck.Value)
	}
}

func TestAreaGroups(t *testing.T) {
	opt := Options{Alpha: 1, Delta: 1, Categories: 5}
	for _, test := range []struct {
		area float64
		want int
	}{{0, 0}, {0.99, 0}, {1, 1}, {1.01, 2}, {2, 2}, {2.01, 3}, {3, 3}, {3.01, 4}, {1e9, 4}} {
		if got := areaGroup(test.area, &opt); got != test.want {
			t.Errorf("%g m² is in group %d, want %d", test.area, got, test.want)
		}
	}
	// Every area is within the printed limits of its group.
	rng := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		opt := Options{Alpha: 0.1 + rng.Float64(), Delta: 0.2 + 2*rng.Float64(), Categories: 3 + rng.IntN(20)}
		area := 20 * rng.Float64()
		g := areaGroup(area, &opt)
		if b := areaBin(g, &opt); area < float64(b.Low) || area > float64(b.High) {
			t.Fatalf("%v: %g is in group %d, %+v", opt, area, g, b)
		}
	}
}

func TestDescribe(t *testing.T) {
	d := describe([]float64{4, 1, 3, 2, 100, 12})
	// Sorted 1 2 3 4 12 100: quartiles are 2.25 and 10; whiskers reach to 21.6 and extremes begin at 33.25.
	for _, test := range []struct {
		name      string
		got, want Number
	}{
		{"mean", d.Mean, 122.0 / 6},
		{"median", d.Median, 3.5},
		{"q1", d.Q1, 2.25},
		{"q3", d.Q3, 10},
		{"min", d.Min, 1},
		{"max", d.Max, 100},
		{"low whisker", d.Whiskers[0], 1},
		{"high whisker", d.Whiskers[1], 12},
	} {
		if !near(test.got, float64(test.want)) {
			t.Errorf("%s is %v, want %v", test.name, test.got, test.want)
		}
	}
	if len(d.Outliers) != 0 || len(d.Extremes) != 1 || d.Extremes[0] != 100 {
		t.Errorf("outliers %v, extremes %v", d.Outliers, d.Extremes)
	}
	if d := describe([]float64{7}); d.SD != 0 || d.Q1 != 7 || d.Max != 7 {
		t.Errorf("of one value: %+v", d)
	}
	if d := describe([]float64{2, 4, 4, 4, 5, 5, 7, 9, 5}); !near(d.SD, 2) {
		t.Errorf("SD %v", d.SD)
	}
}

// TestPublishedDeviation rests on table 6.5, which gives 1.338 ± 0.477 vertices a place for the 31 regions of SFV.
// Whole numbers from 1 on deviate least if they are ones and twos, and then by less than 0.4735 with divisor n; a
// single three raises the deviation above 0.48 for fewer than 300 places. With divisor n-1, 43 ones and 22 twos give
// 0.477.
func TestPublishedDeviation(t *testing.T) {
	places := make([]float64, 65)
	for i := range places {
		places[i] = 1
		if i < 22 {
			places[i] = 2
		}
	}
	d := describe(places)
	if math.Round(1000*float64(d.Mean)) != 1338 || math.Round(1000*float64(d.SD)) != 477 {
		t.Errorf("%v ± %v", d.Mean, d.SD)
	}
}

// oneByOne tries every centre of the grid.
func oneByOne(ring []lattice.Vertex, room func(p lattice.Point) bool, radius int64) int {
	b := lattice.EmptyBox()
	for _, c := range ring {
		b = b.Extend(c.Point)
	}
	count := 0
	for y := int64(b.Min.Y) + radius; y+radius <= int64(b.Max.Y); y += 2 * radius {
		for x := int64(b.Min.X) + radius; x+radius <= int64(b.Max.X); x += 2 * radius {
			if room(lattice.Point{X: int32(x), Y: int32(y)}) {
				count++
			}
		}
	}
	return count
}

func TestObjectsAgainstOneByOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for i := range 400 {
		var r []lattice.Vertex
		for len(r) < 3 {
			p := lattice.Point{X: rng.Int32N(40 * m), Y: rng.Int32N(40 * m)}
			r = append(r, lattice.Vertex{Point: p})
		}
		if lattice.Orient(r[0].Point, r[1].Point, r[2].Point) < 0 {
			r[0], r[1] = r[1], r[0]
		}
		radius := int64(rng.IntN(m)+m/4) + int64(i%2)
		disc := func(p lattice.Point) bool { return hasRoom(r, radius, p, false) }
		// All four corners of the square are in the region.
		square := func(p lattice.Point) bool {
			for _, d := range [4][2]int64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
				if !contains(r, lattice.Point{X: p.X + int32(d[0]*radius), Y: p.Y + int32(d[1]*radius)}) {
					return false
				}
			}
			return true
		}
		for k, room := range []func(lattice.Point) bool{disc, square} {
			got, want := objects(r, radius, k == 1), oneByOne(r, room, radius)
			if got != want {
				t.Fatalf("%v with objects of %d: %d, want %d, square %v", r, radius, got, want, k == 1)
			}
			found += got
		}
	}
	if found == 0 {
		t.Error("no object was placed")
	}
}

// world is the plan of a random polygon, moved, and a generator's mesh of the plan.
func world(t testing.TB, seed uint64, frame lattice.Frame) (*plan.Plan, *navmesh.Mesh) {
	t.Helper()
	p := &plan.Plan{Frame: frame, Agent: geom.Agent{}.WithDefaults(), Components: 1, Layers: []plan.Layer{{
		Domains: []plan.Domain{{Polygon: corpus.Polygon(seed, 40, 3)}},
	}}}
	results, err := gen.DecomposePlan(context.Background(), anavmg.Generator{}, p, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	mesh, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{results[0][0].Cells}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, mesh
}

// TestLaws checks the laws of every mesh. The covered area does not exceed the free space. The number of regions is at
// least the bound. The published flow is at most the true flow, and the true flow at least the bottleneck. The flow is
// equal in both directions. The diameter equals the diameter by searches from everywhere.
func TestLaws(t *testing.T) {
	for seed := range uint64(40) {
		p, mesh := world(t, seed, lattice.Frame{})
		free := FreeOf(p)
		opt := Options{Free: &free}
		r := measure(t, mesh, opt)
		if c := float64(r.Coverage.Value); !(c > 0.9 && c <= 1+1e-6) { // the worlds are so small that rounded corners lose percents
			t.Errorf("seed %d: coverage %v", seed, c)
		}
		if r.Regions.Value < r.Extras.Bound {
			t.Errorf("seed %d: %d regions, at least %d are needed", seed, r.Regions.Value, r.Extras.Bound)
		}
		if e := float64(r.Efficiency.Value); !(e > 0 && e <= 1) {
			t.Errorf("seed %d: efficiency %v", seed, e)
		}
		v := newView(mesh)
		if got := v.diameter().Within; got != diameterFromEverywhere(v) {
			t.Errorf("seed %d: diameter %d, want %d", seed, got, diameterFromEverywhere(v))
		}
		if !r.Flow.Value.Known() {
			continue
		}
		if r.Flow.Published > r.Flow.Value || r.Bottleneck.Value > r.Flow.Value {
			t.Errorf("seed %d: flow %+v, bottleneck %v", seed, r.Flow, r.Bottleneck.Value)
		}
		opt.Start, opt.Goal = position(r.Bottleneck.Goal), position(r.Bottleneck.Start)
		if back := measure(t, mesh, opt); back.Flow.Value != r.Flow.Value {
			t.Errorf("seed %d: %v there, %v back", seed, r.Flow.Value, back.Flow.Value)
		}
	}
}

func position(at [3]Number) *geom.Vec {
	return &geom.Vec{X: float64(at[0]), Y: float64(at[1]), Z: float64(at[2])}
}

func diameterFromEverywhere(v *view) int {
	b := breadth{distance: make([]int32, len(v.next))}
	for i := range b.distance {
		b.distance[i] = -1
	}
	most := int32(0)
	for r := range v.next {
		most = max(most, b.search(v, r))
	}
	return int(most)
}

// TestTranslation checks that a moved mesh has the same measures, except for places.
func TestTranslation(t *testing.T) {
	for seed := range uint64(8) {
		_, here := world(t, seed, lattice.Frame{})
		_, there := world(t, seed, lattice.Frame{East: 1 << 20, North: -12345, Up: 77})
		a, b := measure(t, here, Options{}), measure(t, there, Options{})
		a.Bottleneck.Start, a.Bottleneck.Goal = b.Bottleneck.Start, b.Bottleneck.Goal
		if x, y := text(t, a), text(t, b); x != y {
			t.Errorf("seed %d:\n%s\n%s", seed, x, y)
		}
		if x, y := text(t, measure(t, here, Options{})), text(t, measure(t, here, Options{})); x != y {
			t.Errorf("seed %d: measured twice:\n%s\n%s", seed, x, y)
		}
	}
}

// TestFlowAgainstAllCuts compares the true maximum with all cuts: on small meshes the test tries every set of regions
// with the source and without the sink.
func TestFlowAgainstAllCuts(t *testing.T) {
	tried := 0
	for seed := range uint64(30) {
		p := &plan.Plan{Layers: []plan.Layer{{Domains: []plan.Domain{{Polygon: corpus.Polygon(seed, 14, 1)}}}}}
		results, err := gen.DecomposePlan(context.Background(), anavmg.Generator{}, p, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		mesh, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{results[0][0].Cells}}, join.Options{})
		if err != nil {
			t.Fatal(err)
		}
		v := newView(mesh)
		n := len(v.rings)
		if n < 3 || n > 14 {
			continue
		}
		tried++
		sources, sinks := make([]bool, n), make([]bool, n)
		sources[0], sinks[n-1] = true, true
		least := int64(math.MaxInt64)
		for set := range 1 << n {
			if set&1 == 0 || set>>(n-1)&1 == 1 {
				continue
			}
			sum := int64(0)
			for r := range v.next {
				for _, a := range v.next[r] {
					if set>>r&1 == 1 && set>>a.to&1 == 0 {
						sum += a.width
					}
				}
			}
			least = min(least, sum)
		}
		if got := newNetwork(v, sources, sinks).maximum(); got != least {
			t.Errorf("seed %d: flow %d, narrowest cut %d", seed, got, least)
		}
		if got, _ := v.publishedFlow(sources, sinks, geom.Vec{}); got > least {
			t.Errorf("seed %d: published %d above the narrowest cut %d", seed, got, least)
		}
	}
	if tried < 5 {
		t.Errorf("only %d meshes were small enough", tried)
	}
}

func TestErrors(t *testing.T) {
	mesh := one(t, box(0, 0, 4, 2), box(0, 0, 4, 2))
	far := geom.Vec{X: 1000}
	nowhere := geom.Vec{X: math.NaN()}
	for name, opt := range map[string]Options{
		"object radius": {ObjectRadius: 0.001},
		"alpha":         {Alpha: -1},
		"delta":         {Delta: math.NaN()},
		"categories":    {Categories: 2},
		"angle step":    {AngleStep: 91},
		"edge":          {EdgeThreshold: -1},
		"start":         {Start: &nowhere},
		"free space":    {Free: &Free{Area: -1}},
	} {
		if _, err := Measure(context.Background(), mesh, opt); err == nil || !bytes.Contains([]byte(err.Error()), []byte(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Measure(context.Background(), mesh, Options{Start: &far}); !errors.Is(err, query.ErrOffMesh) {
		t.Errorf("a start beside the mesh: %v", err)
	}
	mesh.Tiles[0].Corners[0] = 99
	if _, err := Measure(context.Background(), mesh, Options{}); err == nil {
		t.Error("a bad index is measured")
	}
}
