package wavefront

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
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

// BenchmarkScatter has 10³ to 10⁶ vertices of obstacles of every kind, about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{11, 19, 34, 60, 107, 190, 343} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, Generator{}, d) })
	}
}

// BenchmarkOrders compares the orders of seeds.
func BenchmarkOrders(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 30, 4096, gentest.Mixed)
	for order := range LargestRegion + 1 {
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

// BenchmarkRound has a round obstacle or a star of n notches that all see the same corners.
func BenchmarkRound(b *testing.B) {
	const half = 1 << 29
	for n := 1000; n <= 64000; n *= 4 {
		var ring lattice.Ring
		for i := range n {
			a := -2 * math.Pi * float64(i) / float64(n)
			ring = append(ring, lattice.Point{X: int32(float64(half) / 2 * math.Cos(a)), Y: int32(float64(half) / 2 * math.Sin(a))})
		}
		room := gentest.Ring(-half, -half, half, -half, half, half, -half, half)
		b.Run(fmt.Sprint("circle ", n), func(b *testing.B) { benchmark(b, Generator{}, gentest.Domain(room, ring)) })
		b.Run(fmt.Sprint("star ", n), func(b *testing.B) { benchmark(b, Generator{}, gentest.Star(n/2, half)) })
	}
}
