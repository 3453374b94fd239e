package cdt

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// curves are heights over a wall from 0 to 1<<20, of both of its sides.
var curves = map[string]func(rng *rand.Rand, x int32) int32{
	"parabola": func(_ *rand.Rand, x int32) int32 { return 10 + int32(int64(x)*int64(1<<20-x)>>20) },
	"cup": func(_ *rand.Rand, x int32) int32 {
		d := int64(x) - 1<<19
		return 10 + int32(d*d>>20)
	},
	"stairs": func(_ *rand.Rand, x int32) int32 { return 10 + x>>10*100 },
	"teeth":  func(rng *rand.Rand, x int32) int32 { return 10 + x&0x3FFF + rng.Int32N(3) },
	"random": func(rng *rand.Rand, _ int32) int32 { return 10 + rng.Int32N(1<<20) },
	"needle": func(*rand.Rand, int32) int32 { return 1 },
}

// TestLongWall constrains one segment through many points on either side, some already joined by constraints,
// and verifies the triangles that fill the gap.
func TestLongWall(t *testing.T) {
	for name, height := range curves {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				rng := rand.New(rand.NewPCG(seed, 1))
				points := []lattice.Point{{X: -1, Y: 0}, {X: 1<<20 + 1, Y: 0}}
				n := int32(1) << (3 + 2*rng.IntN(4))
				for i := range n {
					x := i << 20 / n
					points = append(points, lattice.Point{X: x, Y: height(rng, x)}, lattice.Point{X: x, Y: -height(rng, x)})
				}
				tri, ids := New(points)
				halves := 0 // of the constraints that are there before
				for i := 2; i+2 < len(ids); i++ {
					// A few chains, and edges with ends in the middle of the gap.
					if seed%2 == 1 && rng.IntN(3) == 0 && ids[i] != ids[i+2] && tri.Connect(ids[i], ids[i+2], 1) == Clear {
						halves += 2
					}
				}
				if b := tri.Connect(ids[0], ids[1], 2); b != Clear {
					t.Fatalf("seed %d: %v stops the wall", seed, b)
				}
				tri.validate(t)
				for e := range tri.H {
					if tri.illegal(int32(e)) {
						t.Fatalf("seed %d: edge %d is not Delaunay", seed, e)
					}
					if tri.H[e].Mark == 1 {
						halves--
					}
				}
				if halves != 0 {
					t.Errorf("seed %d: %d halves of constraints are lost", seed, halves)
				}
			}
		})
	}
}
