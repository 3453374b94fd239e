package wavefront

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen"
	"github.com/meadow-nav/meadow/gen/gentest"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

func benchmark(b *testing.B, g Generator, d *plan.Domain) {
	var res gen.Result
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if res, err = g.Decompose(context.Background(), gen.Input{Domain: d}); err != nil {
			b.Fatal(err)
		}
	}
	var area int64
	for _, c := range res.Cells {
		for i := 2; i < len(c.Corners); i++ {
			area += lattice.Orient(c.Corners[0].Point, c.Corners[i-1].Point, c.Corners[i].Point)
		}
	}
	if area+res.Report.Lost != d.Area2() || res.Report.Lost > d.Area2()/1e4 {
		b.Fatalf("twice the area is %d, %d of it lost, want %d", area, res.Report.Lost, d.Area2())
	}
	n := float64(d.Len())
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vertex")
	b.ReportMetric(n, "vertices")
	b.ReportMetric(float64(len(res.Cells)), "cells")
}

// BenchmarkScatter doubles the number of obstacles of every kind: about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, Generator{}, d) })
	}
}

// BenchmarkOrders compares the orders of seeds.
func BenchmarkOrders(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 30, 4096, gentest.Mixed)
	for order := range LongestEdge + 1 {
		b.Run(order.String(), func(b *testing.B) { benchmark(b, Generator{Options{Order: order}}, d) })
	}
}

// BenchmarkEmpty has one room with a pillar, a thousand times larger every time: the size of the
// world must not matter.
func BenchmarkEmpty(b *testing.B) {
	for _, size := range []int32{1 << 10, 1 << 20, 1 << 29} {
		d := gentest.Domain(gentest.Ring(-size, -size, size, -size, size, size, -size, size), gentest.Ring(-300, 0, 0, 300, 300, 0, 0, -300))
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmark(b, Generator{}, d) })
	}
}

// BenchmarkComb has all its notches on a line, each with all others in view.
func BenchmarkComb(b *testing.B) {
	for n := 256; n <= 16384; n *= 4 {
		d := gentest.Comb(n, 600, 1<<20)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, Generator{}, d) })
	}
}

// BenchmarkBlocks has all its edges parallel to the axes.
func BenchmarkBlocks(b *testing.B) {
	for _, side := range []int{32, 64, 128, 256} {
		d := gentest.Blocks(rand.New(rand.NewPCG(1, 2)), side, 1024, 0.35, false)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, Generator{}, d) })
	}
}
