package overlay

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// BenchmarkUnion unites scattered triangles, each in contact with about four others.
func BenchmarkUnion(b *testing.B) {
	for _, n := range []int{1000, 10000, 100000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			size := int32(1000)
			for int64(size)*int64(size) < int64(n)*1000000 {
				size += size / 8
			}
			rings := triangles(rng, n, size/2, 500)
			points := 0
			for b.Loop() {
				ps, err := Union(rings)
				if err != nil {
					b.Fatal(err)
				}
				points = 0
				for _, p := range ps {
					points += p.Len()
				}
			}
			b.ReportMetric(float64(points), "vertices")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/triangle")
		})
	}
}

// BenchmarkTiles unites a grid of squares that share their sides: everything cancels but the border.
func BenchmarkTiles(b *testing.B) {
	var rings []lattice.Ring
	for x := range int32(300) {
		for y := range int32(300) {
			rings = append(rings, square(10*x, 10*y, 10))
		}
	}
	for b.Loop() {
		ps, err := Union(rings)
		if err != nil || len(ps) != 1 || ps[0].Len() != 4 {
			b.Fatal(ps, err)
		}
	}
}
