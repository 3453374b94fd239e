package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/world"
)

// BenchmarkDoors closes and opens random doors of the house, and a crate moves between. Only the doors are measured, after the first
// closes and opens of each door.
func BenchmarkDoors(b *testing.B) {
	for _, n := range []int{0, 5, 30, 200} {
		b.Run(fmt.Sprintf("%d crates", n), func(b *testing.B) {
			s, err := newServer(b.Context(), options{})
			if err != nil {
				b.Fatal(err)
			}
			apply := func(e world.Edit) time.Duration {
				begin := time.Now()
				if _, err := s.world.Apply(b.Context(), e); err != nil {
					b.Fatal(err)
				}
				return time.Since(begin)
			}
			rng, floor := rand.New(rand.NewPCG(3, 1)), s.floor.NewQuery()
			crates := make([]crate, n)
			for i := range crates {
				at, _ := floor.RandomPoint(rng)
				crates[i] = crate{world.ID(fmt.Sprintf("crate %d", i)), at.Point, 2 * math.Pi * rng.Float64()}
				apply(world.Put{ID: crates[i].id, Solid: crates[i].solid()})
			}
			closed := map[string]bool{}
			var times []float64
			for i := 0; b.Loop(); i++ {
				if n > 0 {
					c := &crates[rng.IntN(n)]
					sin, cos := math.Sincos(c.yaw)
					if at, ok := floor.Nearest(c.at.Add(geom.Vec{X: 0.5 * cos, Z: -0.5 * sin}), 1); ok {
						c.at = at.Point
					}
					apply(world.Move{ID: c.id, Solid: c.solid()})
				}
				mark := s.doors[rng.IntN(len(s.doors))]
				door := world.Edit(world.Close{Mark: mark})
				if closed[mark] {
					door = world.Open{Mark: mark}
				}
				closed[mark] = !closed[mark]
				if took := apply(door); i >= 6*len(s.doors) {
					times = append(times, float64(took.Nanoseconds()))
				}
			}
			if slices.Sort(times); len(times) > 0 {
				b.ReportMetric(times[len(times)/2], "median-ns")
			}
		})
	}
}
