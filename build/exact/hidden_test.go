package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestHidden compares whether covers hide a ring with what an overlay leaves of the ring.
func TestHidden(t *testing.T) {
	race.Skip(t)
	hidden, together, free := 0, 0, 0
	var m remainder
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 7))
		point := func(size int32) lattice.Point { return lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)} }
		triangle := func(size int32) lattice.Ring {
			for {
				if r := (lattice.Ring{point(size), point(size), point(size)}); r.Area2() > int64(size)*100 {
					return r
				}
			}
		}
		ring := triangle(2000)
		var covers []lattice.Ring
		for range 1 + rng.IntN(30) {
			c := triangle(3000)
			for k := range c {
				c[k].X, c[k].Y = c[k].X-500, c[k].Y-500
			}
			covers = append(covers, c)
		}
		if seed%3 == 0 { // three triangles around a place in the ring have edges in common
			in := lattice.Point{X: (ring[0].X + ring[1].X + ring[2].X) / 3, Y: (ring[0].Y + ring[1].Y + ring[2].Y) / 3}
			covers = covers[:rng.IntN(len(covers))]
			for k, p := range ring {
				covers = append(covers, lattice.Ring{p, ring[(k+1)%3], in})
			}
		}
		left, err := overlay.Difference([]lattice.Ring{ring}, covers)
		if err != nil {
			t.Fatal(err)
		}
		shows := false // more than rounding leaves
		for _, p := range left {
			shows = shows || meanWidth(p) > touching
		}
		got := m.hidden(ring, covers)
		if got && shows || !got && len(left) == 0 {
			t.Errorf("seed %d: %d covers hide the ring: %v, and an overlay leaves %d parts", seed, len(covers), got, len(left))
		}
		switch {
		case !got:
			free++
		case len(outermost([]lattice.Ring{ring}, covers)) > 0:
			together++
		default:
			hidden++
		}
	}
	if hidden < 20 || together < 150 || free < 150 {
		t.Errorf("of the rings %d are hidden by one cover, %d by several, and %d not", hidden, together, free)
	}
}
