package join

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
)

// BenchmarkBuild builds bricks with many T-junctions, twice as many each time.
func BenchmarkBuild(b *testing.B) {
	for _, size := range []int32{64, 90, 128, 181, 256} {
		cells := bricks(rand.New(rand.NewPCG(1, uint64(size))), size, 1, 8)
		w := single(plan.Domain{}, cells...)
		b.Run(fmt.Sprintf("bricks=%d", len(cells)), func(b *testing.B) {
			b.ReportAllocs()
			var report Report
			for b.Loop() {
				_, report = w.build(b, Options{Jobs: 1})
			}
			if report.Regions != len(cells) || report.Portals < len(cells) {
				b.Errorf("%+v", report)
			}
			b.ReportMetric(float64(report.Portals), "portals")
		})
	}
}

func BenchmarkValidate(b *testing.B) {
	for _, size := range []int32{64, 128, 256} {
		w := single(plan.Domain{}, bricks(rand.New(rand.NewPCG(1, uint64(size))), size, 1, 8)...)
		m, _ := w.build(b, Options{})
		b.Run(fmt.Sprintf("regions=%d", m.RegionCount()), func(b *testing.B) {
			for b.Loop() {
				if f := m.Validate(); f != nil {
					b.Fatal(f[0])
				}
			}
		})
	}
}
