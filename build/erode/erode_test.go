package erode_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/erode"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// ring makes a ring of pairs of numbers.
func ring(xy ...int32) lattice.Ring {
	var r lattice.Ring
	for i := 0; i < len(xy); i += 2 {
		r = append(r, lattice.Point{X: xy[i], Y: xy[i+1]})
	}
	return r
}

// layer is a domain at a height, with a floor of two triangles.
func layer(z int32, rings ...lattice.Ring) plan.Layer {
	b := rings[0].Box()
	d := plan.Domain{Polygon: lattice.Polygon{Rings: rings}}
	for _, r := range rings {
		edges, heights := make([]plan.ChainID, len(r)), make([]int32, len(r))
		for k := range r {
			edges[k], heights[k] = plan.Wall, z
		}
		d.Edges, d.Heights = append(d.Edges, edges), append(d.Heights, heights)
	}
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	return plan.Layer{Domains: []plan.Domain{d}, Floor: lattice.TIN{
		Vertices:  []lattice.Vertex{at(b.Min.X, b.Min.Y), at(b.Max.X, b.Min.Y), at(b.Max.X, b.Max.Y), at(b.Min.X, b.Max.Y)},
		Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}}
}

// meshOf decomposes a plan for a point agent.
func meshOf(t testing.TB, p *plan.Plan) *navmesh.Mesh {
	t.Helper()
	p.Agent = geom.Agent{Height: 1.8, MaxClimb: 0.4, MaxSlope: math.Pi / 4}
	m, _, err := join.Build(context.Background(), p, cellsOf(t, p), join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func cellsOf(t testing.TB, p *plan.Plan) [][][]plan.Cell {
	t.Helper()
	results, err := gen.DecomposePlan(context.Background(), anavmg.Generator{}, p, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	cells := make([][][]plan.Cell, len(results))
	for l := range results {
		for d := range results[l] {
			cells[l] = append(cells[l], results[l][d].Cells)
		}
	}
	return cells
}

// widened makes the mesh of a floor for a radius in lattice units, and checks it.
func widened(t testing.TB, m *navmesh.Mesh, units float64) *navmesh.Mesh {
	t.Helper()
	f, err := erode.Of(context.Background(), m, units*lattice.Unit, erode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for l := range f.Plan.Layers {
		for d := range f.Plan.Layers[l].Domains {
			if faults := f.Plan.Layers[l].Domains[d].Faults(1); len(faults) > 0 {
				t.Fatalf("layer %d, domain %d: %v", l, d, faults[0])
			}
		}
	}
	cells := cellsOf(t, f.Plan)
	out, _, err := join.Build(context.Background(), f.Plan, cells, join.Options{KeepSeams: f.KeepSeams})
	if err != nil {
		t.Fatal(err)
	}
	f.Restore(out, cells)
	if faults := out.Validate(); len(faults) > 0 {
		t.Fatal(faults[0])
	}
	return out
}

// TestBottlenecks checks that two halves of a room are joined exactly for agents that fit through the passage, for
// several kinds of narrow passage.
func TestBottlenecks(t *testing.T) {
	room := ring(0, 0, 40000, 0, 40000, 20000, 0, 20000)
	for _, test := range []struct {
		name  string
		rings []lattice.Ring
		wide  float64 // lattice units
	}{
		{"walls on both sides", []lattice.Ring{ring(0, 0, 19000, 0, 19000, 8000, 21000, 8000, 21000, 0, 40000, 0, 40000, 20000, 21000, 20000, 21000, 12000, 19000, 12000, 19000, 20000, 0, 20000)}, 4000},
		{"tips across", []lattice.Ring{ring(0, 0, 18000, 0, 20000, 8000, 22000, 0, 40000, 0, 40000, 20000, 22000, 20000, 20000, 13000, 18000, 20000, 0, 20000)}, 5000},
		{"tips that are not opposite", []lattice.Ring{ring(0, 0, 16000, 0, 18000, 8000, 20000, 0, 40000, 0, 40000, 20000, 23000, 20000, 21000, 12000, 19000, 20000, 0, 20000)}, 5000},
		{"a tip and a wall", []lattice.Ring{ring(0, 0, 40000, 0, 40000, 20000, 22000, 20000, 20000, 3000, 18000, 20000, 0, 20000)}, 3000},
		{"a pillar between walls", []lattice.Ring{room, ring(18000, 4000, 18000, 17000, 22000, 17000, 22000, 4000)}, 4000},
	} {
		m := meshOf(t, &plan.Plan{Layers: []plan.Layer{layer(0, test.rings...)}, Components: 1})
		for _, off := range []float64{-4, 4} {
			// Two units of rounding on both sides, and the unit of a point agent.
			got := widened(t, m, test.wide/2+off).Components
			if want := map[bool]int{true: 1, false: 2}[off < 0]; got != want {
				t.Errorf("%s, radius %g: %d parts, want %d", test.name, test.wide/2+off, got, want)
			}
		}
	}
}

// TestPlainFloorsAreOffsets checks on random worlds that the floor of one layer is the polygon's offset.
func TestPlainFloorsAreOffsets(t *testing.T) {
	for seed := range uint64(25) {
		p := corpus.Polygon(seed, 80, 4)
		m := meshOf(t, &plan.Plan{Layers: []plan.Layer{layer(0, p.Rings...)}, Components: 1})
		for _, units := range []float64{300, 2000} {
			f, err := erode.Of(context.Background(), m, units*lattice.Unit, erode.Options{})
			if err != nil {
				t.Fatal(err)
			}
			left, err := overlay.Offset{Distance: 1 - units, Tolerance: erode.ArcTolerance * lattice.UnitsPerMetre}.Polygons([]lattice.Polygon{p})
			if err != nil {
				t.Fatal(err)
			}
			got, want, border := 0.0, 0.0, 0.0
			for _, d := range f.Plan.Layers[0].Domains {
				got += float64(d.Area2())
			}
			for _, q := range left {
				want += float64(q.Area2())
				for _, r := range q.Rings {
					for i, v := range r {
						border += v.Distance(r[(i+1)%len(r)])
					}
				}
			}
			// Border and corners are rounded, and straightened by four units.
			if off := math.Abs(got-want) / 2; off > 6*border+100 || f.Divided > 0 {
				t.Errorf("seed %d, radius %g: %.0f square units, offset %.0f; %d divided", seed, units, got/2, want/2, f.Divided)
			}
		}
	}
}

// seams makes two rooms side by side on two layers, with a wall or a chain between them.
func seams(left, right lattice.Ring, z int32, chained bool) *plan.Plan {
	p := &plan.Plan{Layers: []plan.Layer{layer(0, left), layer(z, right)}, Components: 1}
	if chained {
		p.Chains = []plan.Chain{{Points: []lattice.Point{left[1], left[2]}, Left: plan.DomainID{Layer: 0}, Right: plan.DomainID{Layer: 1}}}
		p.Layers[0].Domains[0].Edges[0][1] = 0
		for k := range right {
			if right[k] == left[2] && right[(k+1)%len(right)] == left[1] {
				p.Layers[1].Domains[0].Edges[0][k] = 0
			}
		}
	}
	return p
}

// TestCracksAreHealed checks that a crack of a unit between two layers is no wall for a wide agent, up to a step.
func TestCracksAreHealed(t *testing.T) {
	left := ring(0, 0, 20000, 0, 20301, 20000, 0, 20000)
	const step = 2 * lattice.UnitsPerMetre / 5
	for _, test := range []struct {
		name  string
		right lattice.Ring
		z     int32
		parts int
	}{
		{"none", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000), 0, 1},
		{"a vertex beside the line", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000, 20151, 9967), 0, 1},
		{"two vertices", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000, 20201, 13321, 20101, 6650), 0, 1},
		{"a step", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000, 20151, 9967), step, 1},
		{"a ledge", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000, 20151, 9967), step + 10, 2},
		{"a gap", ring(20000, 0, 40000, 0, 40000, 20000, 20301, 20000, 20160, 9967), 0, 2},
	} {
		m := meshOf(t, seams(left, test.right, test.z, false))
		if m.Components != 2 {
			t.Fatalf("%s: %d parts before", test.name, m.Components)
		}
		if got := widened(t, m, 1000).Components; got != test.parts {
			t.Errorf("%s: %d parts, want %d", test.name, got, test.parts)
		}
	}
}

// TestThinWallsStay checks that an obstacle two units thick keeps two layers apart, and that walls of a layer are walls
// however thin.
func TestThinWallsStay(t *testing.T) {
	for name, p := range map[string]*plan.Plan{
		"two layers": seams(ring(0, 0, 20000, 0, 20000, 20000, 0, 20000), ring(20002, 0, 40000, 0, 40000, 20000, 20002, 20000), 0, false),
		"at a slant": seams(ring(0, 0, 20000, 0, 21000, 20000, 0, 20000), ring(20002, 0, 40000, 0, 40000, 20000, 21002, 20000), 0, false),
		"one layer":  {Layers: []plan.Layer{layer(0, ring(0, 0, 20000, 0, 20000, 19000, 20002, 19000, 20002, 0, 40000, 0, 40000, 20000, 0, 20000))}, Components: 1},
	} {
		if got := widened(t, meshOf(t, p), 1000).Components; got != 2 {
			t.Errorf("%s: %d parts", name, got)
		}
	}
}

// TestSeams checks that a wall takes its radius from the layer beyond a seam, too, and no floor from a storey above.
func TestSeams(t *testing.T) {
	left, right := ring(0, 0, 20000, 0, 20000, 20000, 0, 20000), ring(20000, 0, 40000, 0, 40000, 20000, 20000, 20000)
	whole := widened(t, meshOf(t, &plan.Plan{Layers: []plan.Layer{layer(0, ring(0, 0, 40000, 0, 40000, 20000, 0, 20000))}, Components: 1}), 3000)
	for _, z := range []int32{0, 1000} {
		m := widened(t, meshOf(t, seams(left, right, z, true)), 3000)
		if m.Components != 1 || math.Abs(m.Area()-whole.Area()) > 1e-4 {
			t.Errorf("at height %d: %d parts, %.6f m², in one %.6f", z, m.Components, m.Area(), whole.Area())
		}
	}
	// The wall of the pillar is near the seam, on the other side.
	p := seams(left, right, 0, true)
	pillar := ring(20500, 9000, 20500, 11000, 22500, 11000, 22500, 9000)
	p.Layers[1] = layer(0, right, pillar)
	p.Layers[1].Domains[0].Edges[0][3] = 0
	m := widened(t, meshOf(t, p), 3000)
	one := widened(t, meshOf(t, &plan.Plan{Layers: []plan.Layer{layer(0, ring(0, 0, 40000, 0, 40000, 20000, 0, 20000), pillar)}, Components: 1}), 3000)
	if math.Abs(m.Area()-one.Area()) > 1e-3 {
		t.Errorf("%.6f m², in one layer %.6f", m.Area(), one.Area())
	}
	// A gallery over the left room has a wall over the middle of the room.
	over := seams(left, right, 0, true)
	over.Layers = append(over.Layers, layer(20000, ring(5000, 5000, 15000, 5000, 15000, 15000, 5000, 15000)))
	m = widened(t, meshOf(t, over), 3000)
	if got, want := m.Area(), whole.Area()+4000*4000*lattice.Unit*lattice.Unit; math.Abs(got-want) > 0.01 {
		t.Errorf("%.4f m² with a gallery, want %.4f", got, want)
	}
}

// TestNothingLeft checks that an empty floor is a plan without domains.
func TestNothingLeft(t *testing.T) {
	m := meshOf(t, &plan.Plan{Layers: []plan.Layer{layer(0, ring(0, 0, 1000, 0, 1000, 1000, 0, 1000))}, Components: 1})
	f, err := erode.Of(context.Background(), m, 0.5, erode.Options{})
	if err != nil || len(f.Plan.Layers[0].Domains) > 0 {
		t.Errorf("%v, %+v", err, f)
	}
	if m := widened(t, &navmesh.Mesh{}, 100); m.RegionCount() != 0 {
		t.Error("regions of nothing")
	}
}

// TestErrors checks invalid radii.
func TestErrors(t *testing.T) {
	m := &navmesh.Mesh{Agent: geom.Agent{Radius: 0.4}}
	for _, r := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0.3, 101} {
		if _, err := erode.Of(context.Background(), m, r, erode.Options{}); err == nil || !strings.HasPrefix(err.Error(), "erode: a radius of") {
			t.Errorf("radius %g: %v", r, err)
		}
	}
	for _, s := range []float64{math.NaN(), math.Inf(1), -1} {
		if _, err := erode.Of(context.Background(), m, 1, erode.Options{Simplify: s}); err == nil {
			t.Errorf("simplified by %g", s)
		}
	}
}
