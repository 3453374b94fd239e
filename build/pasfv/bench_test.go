package pasfv

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// BenchmarkScatter doubles the number of obstacles of every kind: about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for seeding := range Obstructions + 1 {
		for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
			d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
			b.Run(fmt.Sprint(seeding, d.Len()), func(b *testing.B) {
				gentest.Benchmark(b, Generator{Options{Seeding: seeding}}, d)
			})
		}
	}
}

// BenchmarkEmpty has one room with a pillar, a thousand times larger every time: the size of the
// world must not matter.
func BenchmarkEmpty(b *testing.B) {
	for _, size := range []int32{1 << 10, 1 << 20, 1 << 29} {
		d := gentest.Domain(gentest.Ring(-size, -size, size, -size, size, size, -size, size), gentest.Ring(-300, 0, 0, 300, 300, 0, 0, -300))
		b.Run(fmt.Sprint(size), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkComb has narrow pockets, all in a row.
func BenchmarkComb(b *testing.B) {
	for n := 256; n <= 16384; n *= 4 {
		d := gentest.Comb(n, 600, 1<<13)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// BenchmarkSpiral has a corridor with few seeds: growth goes on from round to round.
func BenchmarkSpiral(b *testing.B) {
	for n := 10; n <= 320; n *= 2 {
		d := gentest.Spiral(n, 1000)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { gentest.Benchmark(b, Generator{}, d) })
	}
}

// counted measures as gentest.Benchmark does and adds counts of the work.
func counted(b *testing.B, o Options, d *plan.Domain) {
	gentest.Benchmark(b, Generator{o}, d)
	counts := decompose(b, o, d).Report.Counts
	for _, name := range []string{"seeds", "rounds", "regions", "steps"} {
		b.ReportMetric(float64(counts[name]), name)
	}
}

// BenchmarkSteps has the same world grown by larger steps, and by a dynamic rate that ends at the
// smallest of them.
func BenchmarkSteps(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 4, 4096, gentest.Mixed)
	for _, o := range []Options{
		{},
		{Rate: 1},
		{Rate: 8},
		{Rate: 32},
		{Rate: 128},
		{Rate: 512},
		{Rate: 512, Resolution: 1},
		{Rate: 512, Resolution: 8},
		{Rate: 512, Resolution: 32},
	} {
		b.Run(fmt.Sprintf("%d/%d", o.Rate, o.Resolution), func(b *testing.B) { counted(b, o, d) })
	}
}

// BenchmarkSeeding compares grids of different spacing with obstruction-informed seeding.
func BenchmarkSeeding(b *testing.B) {
	for name, d := range map[string]*plan.Domain{
		"scatter": gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 15, 4096, gentest.Mixed),
		"blocks":  gentest.Blocks(rand.New(rand.NewPCG(1, 2)), 64, 1024, 0.35, false),
	} {
		b.Run(name+"/obstructions", func(b *testing.B) { counted(b, Options{Seeding: Obstructions}, d) })
		for _, spacing := range []int64{512, 1024, 2048, 3000, 6000} {
			b.Run(fmt.Sprintf("%s/%d", name, spacing), func(b *testing.B) { counted(b, Options{Spacing: spacing}, d) })
		}
	}
}
