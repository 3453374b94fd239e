package metric

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

func planOf(frame lattice.Frame, polygons ...lattice.Polygon) *plan.Plan {
	p := &plan.Plan{Frame: frame, Agent: geom.Agent{}.WithDefaults(), Layers: make([]plan.Layer, 1)}
	for _, q := range polygons {
		p.Layers[0].Domains = append(p.Layers[0].Domains, plan.Domain{Polygon: q})
	}
	return p
}

func within(t *testing.T, name string, got Number, want, slack float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= slack) {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// TestBorderError has a floor of 4 by 2 metres whose last metre no region covers. Of the mesh's border only the new
// east side, 2 m of 10, is away, by up to 1 m in its middle and 0.5 m on average. Of the plan's border the east side, 2
// m of 12, is away by 1 m, and the metres north and south by half a metre on average.
func TestBorderError(t *testing.T) {
	floor := lattice.Polygon{Rings: []lattice.Ring{box(0, 0, 4, 2)}}
	mesh := one(t, floor.Rings[0], box(0, 0, 1, 2), box(1, 0, 3, 2))
	e := measure(t, mesh, Options{Plan: planOf(lattice.Frame{}, floor)}).Extras.Border
	const slack = 0.002
	within(t, "Hausdorff", e.Value, 1, slack)
	within(t, "mesh to plan, length", e.MeshToPlan.Length, 10, 1e-9)
	within(t, "mesh to plan, mean", e.MeshToPlan.Mean, 0.1, slack)
	within(t, "mesh to plan, max", e.MeshToPlan.Max, 1, slack)
	within(t, "mesh to plan, at x", e.MeshToPlan.At[0], 3, slack)
	within(t, "mesh to plan, at z", e.MeshToPlan.At[2], -1, slack)
	within(t, "plan to mesh, length", e.PlanToMesh.Length, 12, 1e-9)
	within(t, "plan to mesh, mean", e.PlanToMesh.Mean, 3.0/12, slack)
	within(t, "plan to mesh, max", e.PlanToMesh.Max, 1, slack)
}

// TestBorderErrorOneSided checks three cases. A mesh that covers its plan has no border error. A hole only in the plan
// is missed from the plan's side only. Without a plan the error is unknown.
func TestBorderErrorOneSided(t *testing.T) {
	floor := lattice.Polygon{Rings: []lattice.Ring{box(0, 0, 9, 9)}}
	mesh := one(t, floor.Rings[0], floor.Rings[0])
	if e := measure(t, mesh, Options{Plan: planOf(lattice.Frame{}, floor)}).Extras.Border; e.Value != 0 || !near(e.MeshToPlan.Mean, 0) || !near(e.PlanToMesh.Mean, 0) {
		t.Errorf("of a complete mesh: %+v", e)
	}
	floor.Rings = append(floor.Rings, reversed(box(4, 4, 5, 5)))
	e := measure(t, mesh, Options{Plan: planOf(lattice.Frame{}, floor)}).Extras.Border
	if e.MeshToPlan.Max != 0 {
		t.Errorf("the mesh has no border of its own: %+v", e.MeshToPlan)
	}
	within(t, "the pillar", e.PlanToMesh.Max, 4, 0.002)
	if e := measure(t, mesh, Options{}).Extras.Border; e.Value.Known() || e.MeshToPlan.Max.Known() {
		t.Errorf("without a plan: %+v", e)
	}
	// In another frame the same places are equal.
	moved := lattice.Polygon{Rings: []lattice.Ring{box(-10, 20, -1, 29)}}
	p := planOf(lattice.Frame{East: 10 * m, North: -20 * m}, moved)
	if e := measure(t, mesh, Options{Plan: p}).Extras.Border; e.Value != 0 {
		t.Errorf("in another frame: %+v", e)
	}
}

// TestNearestSpan compares the grid with a loop over all spans.
func TestNearestSpan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for trial := range 200 {
		size := math.Pow(10, 1+4*rng.Float64())
		point := func() spot {
			return spot{math.Round(size * rng.Float64()), math.Round(size * rng.Float64() * rng.Float64())}
		}
		var list []span
		for range 1 + rng.IntN(40) {
			a, b := point(), point()
			if rng.IntN(2) == 0 {
				b = a.at(b, 0.02)
			}
			list = append(list, span{a, b})
		}
		index := newSpans(list)
		for range 50 {
			p := point()
			p = spot{3*p.x - size, 3*p.y - size}
			want := math.Inf(1)
			for _, s := range list {
				want = min(want, s.distance(p))
			}
			if i, got := index.nearest(p); got != want || list[i].distance(p) != want {
				t.Fatalf("trial %d: %v is %g from span %d, want %g", trial, p, got, i, want)
			}
		}
	}
	if i, d := newSpans(nil).nearest(spot{}); i != -1 || !math.IsInf(d, 1) {
		t.Errorf("of none: %d, %g", i, d)
	}
}

// TestFarthestPoint checks that the maximum is not below any sample, and that some sample is not far below the maximum.
func TestFarthestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 100 {
		point := func() spot { return spot{float64(rng.IntN(4000)), float64(rng.IntN(4000))} }
		var to []span
		for range 1 + rng.IntN(12) {
			to = append(to, span{point(), point()})
		}
		from := span{point(), point()}
		a := newApart()
		a.measure([]span{from}, to)
		most := 0.0
		const samples = 4000
		for k := range samples + 1 {
			p, least := from.a.at(from.b, float64(k)/samples), math.Inf(1)
			for _, s := range to {
				least = min(least, s.distance(p))
			}
			most = max(most, least)
		}
		if a.most < most-maxSlack || a.most > most+from.a.to(from.b)/samples+1e-6 {
			t.Errorf("trial %d: %g, samples reach %g", trial, a.most, most)
		}
	}
}
