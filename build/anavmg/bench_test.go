package anavmg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

func benchmark(b *testing.B, d *plan.Domain) {
	var res gen.Result
	var err error
	b.ReportAllocs()
	for b.Loop() {
		if res, err = (Generator{}).Decompose(context.Background(), gen.Input{Domain: d}); err != nil {
			b.Fatal(err)
		}
	}
	var area int64
	for _, c := range res.Cells {
		area += area2(c)
	}
	if area+res.Report.Lost != d.Area2() || res.Report.Lost > d.Area2()/1e4 {
		b.Fatalf("twice the area is %d, %d of it lost, want %d", area, res.Report.Lost, d.Area2())
	}
	n := float64(d.Len())
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/vertex")
	b.ReportMetric(n, "vertices")
	b.ReportMetric(float64(res.Report.Counts["notches"]), "notches")
	b.ReportMetric(float64(len(res.Cells)), "cells")
}

// BenchmarkScatter doubles the number of obstacles of every kind: about 9 vertices each.
func BenchmarkScatter(b *testing.B) {
	for _, side := range []int{10, 15, 21, 30, 42, 60, 85, 120, 170} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 4096, gentest.Mixed)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, d) })
	}
}

// BenchmarkComb has all its notches on a line, each with all others in view.
func BenchmarkComb(b *testing.B) {
	for n := 256; n <= 65536; n *= 4 {
		d := gentest.Comb(n, 600, 1<<20)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, d) })
	}
}

// BenchmarkBlocks has all its edges parallel to the axes.
func BenchmarkBlocks(b *testing.B) {
	for _, side := range []int{32, 64, 128, 256, 512} {
		d := gentest.Blocks(rand.New(rand.NewPCG(1, 2)), side, 1024, 0.35, false)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, d) })
	}
}

// BenchmarkCluster has all obstacles in one corner of an otherwise empty square of 262 km.
func BenchmarkCluster(b *testing.B) {
	for _, side := range []int{15, 30, 60, 120} {
		d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), side, 200, gentest.Mixed)
		d.Rings[0] = gentest.Ring(0, 0, lattice.MaxCoord, 0, lattice.MaxCoord, lattice.MaxCoord, 0, lattice.MaxCoord)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, d) })
	}
}

// BenchmarkDiagonals has long thin parallel obstacles across the whole square.
func BenchmarkDiagonals(b *testing.B) {
	for n := int32(256); n <= 65536; n *= 4 {
		d := diagonals(n)
		b.Run(fmt.Sprint(d.Len()), func(b *testing.B) { benchmark(b, d) })
	}
}

// diagonals returns a square with n thin obstacles from its lower left to its upper right.
func diagonals(n int32) *plan.Domain {
	const w = 1 << 28
	rings := []lattice.Ring{gentest.Ring(0, 0, w, 0, w, w, 0, w)}
	step := int32(w/2) / n
	for i := range n {
		x := step/2 + i*step
		y := w/2 - x
		rings = append(rings, gentest.Ring(x, y, x+w/2-step, y+w/2-step/2, x+step/3, y))
	}
	return gentest.Domain(rings...)
}

// BenchmarkRelaxed thins out round obstacles: the time of relaxation is more than made up for by
// the notches that are gone.
func BenchmarkRelaxed(b *testing.B) {
	d := gentest.Scatter(rand.New(rand.NewPCG(1, 2)), 60, 40960, gentest.Circles)
	for _, distance := range []float64{0, 0.05, 0.2, 0.8} {
		b.Run(fmt.Sprint(distance), func(b *testing.B) {
			var res gen.Result
			var err error
			g := Generator{Options{ConvexDistance: distance}}
			for b.Loop() {
				if res, err = g.Decompose(context.Background(), gen.Input{Domain: d}); err != nil {
					b.Fatal(err)
				}
			}
			area := res.Report.Lost
			for _, c := range res.Cells {
				area += area2(c)
			}
			if area != d.Area2() {
				b.Fatalf("twice the area is %d, want %d", area, d.Area2())
			}
			b.ReportMetric(float64(len(res.Cells)), "cells")
			b.ReportMetric(float64(res.Report.Lost)/float64(d.Area2())*1e6, "ppm-lost")
		})
	}
}
