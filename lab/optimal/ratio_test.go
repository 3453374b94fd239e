package optimal_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/optimal"
)

// TestRatios measures the cells of other methods per necessary cell, on random small worlds: the table of
// docs/algorithms/rivals.md. No method without constructed corners may have fewer.
func TestRatios(t *testing.T) {
	worlds := []struct {
		name  string
		count int
		new   func(rng *rand.Rand) *plan.Domain
	}{
		{"tiny", 200, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 6, false) }},
		{"tiny and touching", 200, func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 12, true) }},
		{"four boxes", 50, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 2, 4096, gentest.Boxes) }},
		{"four turned squares", 50, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 2, 4096, gentest.Squares) }},
		{"four stars", 50, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 2, 4096, gentest.Stars) }},
		{"four circles", 10, func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 2, 4096, gentest.Circles) }},
		{"blocks", 60, func(rng *rand.Rand) *plan.Domain { return gentest.Blocks(rng, 8, 4096, 0.4, false) }},
	}
	methods := []string{"hertelmehlhorn", "anavmg", "best", "wavefront", "trapezoid", "delaunay"}
	t.Logf("%-20s %6s %8s %6s %v", "", "worlds", "optimal", "bound", methods)
	for k, w := range worlds {
		least, bound, solved := 0, 0, 0
		cells := map[string]int{}
		for seed := range uint64(w.count) {
			d := w.new(rand.New(rand.NewPCG(seed, uint64(k))))
			res, err := optimal.Generator{Options: optimal.Options{Effort: 200_000}}.Decompose(t.Context(), gen.Input{Domain: d})
			if errors.Is(err, optimal.ErrTooLarge) {
				continue
			}
			if err != nil {
				t.Fatalf("%s, seed %d: %v", w.name, seed, err)
			}
			n := len(res.Cells)
			least += n
			// A diagonal divides at most two notches, and every hole saves a cell. Where rings touch, holes are fewer
			// than counted here, and cells more.
			bound += max(1, (res.Report.Counts["notches"]+1)/2+2-len(d.Rings))
			solved++
			for _, m := range methods {
				g, err := catalog.Generator(m)
				if err != nil {
					t.Fatal(err)
				}
				res, err := g.Decompose(t.Context(), gen.Input{Domain: d})
				if err != nil {
					t.Fatalf("%s, seed %d: %v", w.name, seed, err)
				}
				cells[m] += len(res.Cells)
				plain := true
				for _, c := range res.Cells {
					for _, k := range c.Corners {
						plain = plain && k.On == plan.NoEdge
					}
				}
				if m == "delaunay" || m == "hertelmehlhorn" || m == "anavmg" && plain {
					if len(res.Cells) < n {
						t.Errorf("%s, seed %d: %s has %d cells, the minimum is %d", w.name, seed, m, len(res.Cells), n)
					}
				}
			}
		}
		if solved < w.count*2/3 {
			t.Errorf("%s: only %d solved of %d", w.name, solved, w.count)
		}
		var ratios []float64
		for _, m := range methods {
			ratios = append(ratios, float64(cells[m])/float64(least))
		}
		t.Logf("%-20s %6d %8.1f %6.3f %.3f", w.name, solved, float64(least)/float64(solved), float64(bound)/float64(least), ratios)
	}
}
