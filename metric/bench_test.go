package metric

import (
	"context"
	"strconv"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/corpus"
)

// BenchmarkMeasure takes all measures, against the floor, for doubling numbers of vertices.
func BenchmarkMeasure(b *testing.B) {
	for _, n := range []int{500, 1000, 2000} {
		p := &plan.Plan{Components: 1, Layers: []plan.Layer{{Domains: []plan.Domain{{Polygon: corpus.Polygon(1, n, n/20)}}}}}
		results, err := gen.DecomposePlan(b.Context(), hertelmehlhorn.Generator{}, p, 0, 1)
		if err != nil {
			b.Fatal(err)
		}
		mesh, _, err := join.Build(b.Context(), p, [][][]plan.Cell{{results[0][0].Cells}}, join.Options{})
		if err != nil {
			b.Fatal(err)
		}
		opt := Options{Plan: p, Places: PlacesOn(p, 40, 1)}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				r, err := Measure(context.Background(), mesh, opt)
				if err != nil || r.Regions.Value != mesh.RegionCount() || r.Extras.Border.Value > 1e-9 {
					b.Fatalf("%d regions, border error %v, %v", r.Regions.Value, r.Extras.Border.Value, err)
				}
				b.ReportMetric(float64(r.Regions.Value), "regions")
			}
		})
	}
}
