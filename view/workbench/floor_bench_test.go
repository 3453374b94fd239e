package workbench_test

import (
	"testing"
	"time"

	"github.com/meadow-nav/meadow/view/workbench"
)

// BenchmarkFloor moves a crate in a city of 100,000 triangles, and reports the time of the change, and time and bytes of the floor that the page
// draws after it: the whole floor, however little has changed.
func BenchmarkFloor(b *testing.B) {
	w := workbench.New()
	do(b, w, "generate", map[string]any{"kind": "city", "size": 456}, nil, nil)
	do(b, w, "build", map[string]any{}, nil, nil)
	var change, floor time.Duration
	var bytes int
	i := 0
	for b.Loop() {
		i++
		began := time.Now()
		do(b, w, "change", workbench.Changing{Later: true, Things: []workbench.Thing{{ID: "a", At: [3]float64{0.3 * float64(i%7), 0, 0}, Size: [3]float64{1, 1, 1}}}}, nil, nil)
		changed := time.Now()
		bytes = len(do(b, w, "floor", map[string]any{}, nil, nil))
		change += changed.Sub(began)
		floor += time.Since(changed)
	}
	b.ReportMetric(float64(change.Microseconds())/1000/float64(i), "change-ms")
	b.ReportMetric(float64(floor.Microseconds())/1000/float64(i), "floor-ms")
	b.ReportMetric(float64(bytes), "floor-bytes")
	b.ReportMetric(0, "ns/op")
}
