package repair

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// BenchmarkCut cuts round footprints of 1.6 m out of a square of 400 m.
func BenchmarkCut(b *testing.B) {
	for _, n := range []int{1, 4, 16, 64, 256, 1024} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			const size = 400 << 12
			r := Region{
				Ring:  []lattice.Point{{X: 0, Y: 0}, {X: size, Y: 0}, {X: size, Y: size}, {X: 0, Y: size}},
				Label: []int32{Wall, Wall, Wall, Wall},
			}
			rng := rand.New(rand.NewPCG(1, 1))
			var outlines []Outline
			for range n {
				x, y := float64(rng.IntN(size)), float64(rng.IntN(size))
				var ring lattice.Ring
				for k := range 13 {
					a := float64(k) / 13 * 2 * math.Pi
					ring = append(ring, lattice.Point{X: int32(x + 6500*math.Cos(a)), Y: int32(y + 6500*math.Sin(a))})
				}
				outlines = append(outlines, Outline{Rings: []lattice.Ring{ring}, Kind: Obstacle})
			}
			var c Cutter
			cells := 0
			for b.Loop() {
				list, err := c.Cut(&r, outlines)
				if err != nil {
					b.Fatal(err)
				}
				cells = len(list)
			}
			b.ReportMetric(float64(cells), "cells")
		})
	}
}
