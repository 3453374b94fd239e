package pasfv

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen/gentest"
)

// BenchmarkScatter doubles the number of obstacles of every kind: about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		for seeding := range Obstructions + 1 {
			b.Run(fmt.Sprint(d.Len(), seeding), func(b *testing.B) { gentest.Benchmark(b, Generator{Options{Seeding: seeding}}, d) })
		}
	}
}
