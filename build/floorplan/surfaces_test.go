package floorplan_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// twoLayers is a plan of two layers of rolling land, 20 cells of 1 m each way, with a domain in the middle
// of each.
func twoLayers() *plan.Plan {
	r := rand.New(rand.NewPCG(1, 1))
	const m = lattice.UnitsPerMetre
	p := &plan.Plan{Layers: make([]plan.Layer, 2)}
	for l := range p.Layers {
		f := &p.Layers[l].Floor
		f.Error = 1
		for i := range int32(21) {
			for j := range int32(21) {
				z := int32(l)*5*m + int32(m*math.Sin(float64(i)/4)*math.Sin(float64(j)/5)) + r.Int32N(m/20)
				f.Vertices = append(f.Vertices, lattice.Vertex{Point: lattice.Point{X: i * m, Y: j * m}, Z: z})
			}
		}
		for i := range uint32(20) {
			for j := range uint32(20) {
				a, b := 21*i+j, 21*(i+1)+j
				f.Triangles = append(f.Triangles, [3]uint32{a, b, b + 1}, [3]uint32{a, b + 1, a + 1})
			}
		}
		p.Layers[l].Domains = []plan.Domain{{Polygon: lattice.Polygon{Rings: []lattice.Ring{
			{{X: 5 * m, Y: 6 * m}, {X: 15 * m, Y: 6 * m}, {X: 15 * m, Y: 14 * m}, {X: 5 * m, Y: 14 * m}},
		}}}}
	}
	return p
}

func TestSimplifyFloors(t *testing.T) {
	was := twoLayers()
	fewer := len(was.Layers[0].Floor.Triangles)
	for _, detail := range []float64{1e-9, 0.02, 0, 0.2} {
		p := twoLayers()
		opt := floorplan.Options{Detail: detail}
		if err := opt.SimplifyFloors(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		if detail == 0 {
			detail = floorplan.DefaultDetail
		}
		for l := range p.Layers {
			limit := detail*lattice.UnitsPerMetre + 0.5
			f := &p.Layers[l].Floor
			if float64(f.Error) > limit+1 {
				t.Errorf("detail %g: layer %d says %d units", detail, l, f.Error)
			}
			old, made := lattice.NewSampler(&was.Layers[l].Floor), lattice.NewSampler(f)
			for x := 5.0; x <= 15; x += 0.21 {
				for y := 6.0; y <= 14; y += 0.23 {
					a, _ := old.Height(x*lattice.UnitsPerMetre, y*lattice.UnitsPerMetre)
					b, ok := made.Height(x*lattice.UnitsPerMetre, y*lattice.UnitsPerMetre)
					if !ok || math.Abs(a-b) > limit {
						t.Fatalf("detail %g: layer %d has %g at (%g, %g), had %g", detail, l, b, x, y, a)
					}
				}
			}
			if _, ok := made.Height(0, 0); ok {
				t.Errorf("detail %g: layer %d has a height far from its domain", detail, l)
			}
		}
		if n := len(p.Layers[0].Floor.Triangles); n >= fewer {
			t.Errorf("detail %g leaves %d triangles, a finer one %d", detail, n, fewer)
		} else {
			fewer = n
		}
	}
	p := twoLayers()
	opt := floorplan.Options{Detail: -1}
	if err := opt.SimplifyFloors(t.Context(), p); err != nil || !reflect.DeepEqual(p, was) {
		t.Errorf("a negative detail changes something: %v", err)
	}
	opt.Detail = math.NaN()
	if err := opt.SimplifyFloors(t.Context(), p); err == nil {
		t.Error("no error for a detail that is no number")
	}
}
