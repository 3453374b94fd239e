package exact

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// TestOriginContains compares contains, which looks at edges on the way to the right, with the islands themselves: at
// corners, beside corners, on edges, and anywhere.
func TestOriginContains(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 2))
		united, err := overlay.Union(append(corpus.Polygon(seed, 40, 3).Rings, corpus.Polygon(seed+100, 30, 2).Rings...))
		if err != nil {
			t.Fatal(err)
		}
		var islands []island
		var places []lattice.Point
		for _, p := range united {
			islands = append(islands, island{Outline: overlay.Outline{Polygon: p}, from: 1, box: p.Box()})
			for _, r := range p.Rings {
				for k, a := range r {
					b := r[(k+1)%len(r)]
					places = append(places, a, lattice.Point{X: a.X + rng.Int32N(5) - 2, Y: a.Y + rng.Int32N(5) - 2},
						lattice.Point{X: b.X, Y: a.Y}, lattice.Point{X: a.X + (b.X-a.X)/2, Y: a.Y + (b.Y-a.Y)/2})
				}
			}
		}
		// A single origin would have no tree of edges.
		islands = append(islands, island{Outline: overlay.Outline{Polygon: united[0]}, from: 2, box: united[0].Box()})
		o := &originsByLayer(1, islands)[0][0]
		inside := 0
		for _, p := range places {
			want := false
			for _, q := range united {
				want = want || q.Contains(p)
			}
			if got := o.contains(p); got != want {
				t.Errorf("seed %d: %v inside is %v, want %v", seed, p, got, want)
			}
			if want {
				inside++
			}
		}
		if inside == 0 || inside == len(places) {
			t.Errorf("seed %d: %d of %d places inside", seed, inside, len(places))
		}
	}
}
