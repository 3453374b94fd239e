package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/level"
)

// sparse is a square of floor with 25 boxes on its first 200 m.
func sparse(size float64) *level.Level {
	r := rand.New(rand.NewPCG(1, 3))
	s := &floortest.Scene{}
	s.Floor(0, 0, size, size, 0)
	for i := range 25 {
		// One box in each square of a grid, so no boxes meet.
		x, y := 5+40*float64(i%5)+20*r.Float64(), 5+40*float64(i/5)+20*r.Float64()
		s.Turned(x, y, 0, x+1+9*r.Float64(), y+1+9*r.Float64(), 3, 0.8, 0.6)
	}
	return &s.Level
}

// BenchmarkSparse extracts a square of 200 m with 25 boxes, 100 corners of obstacles, and the same boxes on a plain of
// 20 km: empty floor costs nothing.
func BenchmarkSparse(b *testing.B) {
	for _, c := range []struct {
		name string
		size float64
	}{{"200m", 200}, {"20km", 20000}} {
		b.Run(c.name, func(b *testing.B) {
			lvl := sparse(c.size)
			points := 0
			for b.Loop() {
				p, err := Extract(b.Context(), lvl, recastAgent, floorplan.Options{Simplify: math.Inf(-1)})
				if err != nil {
					b.Fatal(err)
				}
				points = p.Layers[0].Domains[0].Len()
			}
			if points < 100 {
				b.Errorf("only %d vertices", points)
			}
			b.ReportMetric(float64(points), "vertices")
		})
	}
}

// BenchmarkSparseMesh makes the mesh of the square of 200 m: the floor, its cells, and the joined cells.
func BenchmarkSparseMesh(b *testing.B) {
	lvl := sparse(200)
	regions := 0
	for b.Loop() {
		p, err := Extract(b.Context(), lvl, recastAgent, floorplan.Options{Simplify: math.Inf(-1), Jobs: 1})
		if err != nil {
			b.Fatal(err)
		}
		cells, err := gen.DecomposePlan(b.Context(), anavmg.Generator{}, p, 0, 1)
		if err != nil {
			b.Fatal(err)
		}
		mesh, _, err := join.Build(b.Context(), p, gen.CellsOf(cells), join.Options{Jobs: 1})
		if err != nil {
			b.Fatal(err)
		}
		regions = mesh.RegionCount()
	}
	if regions < 26 {
		b.Errorf("only %d regions", regions)
	}
	b.ReportMetric(float64(regions), "regions")
}
