package brep

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/internal/floortest"
)

// BenchmarkScattered makes Brand's mesh of scattered boxes, as many on every square metre. The time for a box hardly grows
// with their number.
func BenchmarkScattered(b *testing.B) {
	for _, boxes := range []int{250, 500, 1000, 2000, 4000} {
		b.Run(fmt.Sprintf("boxes=%d", boxes), func(b *testing.B) {
			s := scattered(1, boxes)
			regions := 0
			for b.Loop() {
				m, err := NewMesh(b.Context(), &s.Level, floortest.Agent, MeshOptions{Jobs: 1})
				if err != nil {
					b.Fatal(err)
				}
				regions = len(m.Regions)
			}
			if regions < boxes {
				b.Errorf("%d regions", regions)
			}
			b.ReportMetric(float64(regions), "regions")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*boxes), "µs/box")
		})
	}
}
