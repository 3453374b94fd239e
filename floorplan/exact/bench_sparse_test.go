package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/floorplan"
	"github.com/meadow-nav/meadow/floorplan/internal/floortest"
)

// BenchmarkSparse extracts a square of 200 m with 25 boxes, 100 corners of obstacles, and the same
// boxes on a plain of 20 km: what is empty costs nothing.
func BenchmarkSparse(b *testing.B) {
	for _, c := range []struct {
		name string
		size float64
	}{{"200m", 200}, {"20km", 20000}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 3))
			s := &floortest.Scene{}
			s.Floor(0, 0, c.size, c.size, 0)
			for i := range 25 {
				// One box in each square of a grid, so that none meets another.
				x, y := 5+40*float64(i%5)+20*r.Float64(), 5+40*float64(i/5)+20*r.Float64()
				s.Turned(x, y, 0, x+1+9*r.Float64(), y+1+9*r.Float64(), 3, 0.8, 0.6)
			}
			points := 0
			for b.Loop() {
				p, err := Extract(b.Context(), &s.Level, recastAgent, floorplan.Options{Simplify: math.Inf(-1)})
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
