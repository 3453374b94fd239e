package flat

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestGridAgainstFlood compares the domains of random grids with the parts that a flood fill over the
// sides of cells finds.
func TestGridAgainstFlood(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 7))
	for range 1500 {
		g := &grid{width: 1 + rng.IntN(7), height: 1 + rng.IntN(7)}
		share := rng.Float64()
		for range g.width * g.height {
			g.open = append(g.open, rng.Float64() < share)
		}
		part := make([]int, len(g.open))
		parts, cells := 0, 0
		var flood func(x, y int)
		flood = func(x, y int) {
			if g.isOpen(x, y) && part[y*g.width+x] == 0 {
				part[y*g.width+x] = parts
				flood(x+1, y)
				flood(x-1, y)
				flood(x, y+1)
				flood(x, y-1)
			}
		}
		for i, open := range g.open {
			if open {
				cells++
			}
			if open && part[i] == 0 {
				parts++
				flood(i%g.width, i/g.width)
			}
		}
		const wide, high = 0.3, 1.7 // metres
		p, err := g.plan(wide, high)
		if parts == 0 {
			if err == nil {
				t.Fatal("no cell is open, and there is a plan")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		checkDomains(t, p)
		if p.Components != parts {
			t.Fatalf("%v: %d domains, %d parts", g, p.Components, parts)
		}
		domainOf := map[int]int{}
		for y := range g.height {
			for x := range g.width {
				i := y*g.width + x
				at := lattice.Point{
					X: int32((float64(x) + 0.5) * wide * lattice.UnitsPerMetre),
					Y: int32((float64(g.height-y) - 0.5) * high * lattice.UnitsPerMetre),
				}
				in := -1
				for k, d := range p.Layers[0].Domains {
					if d.Locate(at) == lattice.Inside {
						if in >= 0 {
							t.Fatalf("%v: cell %d, %d is in domains %d and %d", g, x, y, in, k)
						}
						in = k
					}
				}
				if (in >= 0) != g.open[i] {
					t.Fatalf("%v: cell %d, %d is in domain %d", g, x, y, in)
				}
				if in < 0 {
					continue
				}
				if known, ok := domainOf[part[i]]; ok && known != in {
					t.Fatalf("%v: part %d is in domains %d and %d", g, part[i], known, in)
				}
				domainOf[part[i]] = in
			}
		}
	}
}
