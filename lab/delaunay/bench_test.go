package delaunay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// BenchmarkScatter doubles the number of obstacles of every kind: about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 106, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkBlocks has all its edges parallel to the axes.
func BenchmarkBlocks(b *testing.B) {
	for _, side := range []int{32, 64, 128, 256} {
		d := gentest.Blocks(rand.New(rand.NewPCG(1, 2)), side, 1024, 0.35, false)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkFaults is the time for refusing a wrongly wound domain.
func BenchmarkFaults(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 60, 4096, gentest.Mixed)
	d.Rings[0][0], d.Rings[0][1] = d.Rings[0][1], d.Rings[0][0]
	for b.Loop() {
		if _, err := (Generator{}).Decompose(context.Background(), gen.Input{Domain: d}); err == nil {
			b.Fatal("no error")
		}
	}
}
