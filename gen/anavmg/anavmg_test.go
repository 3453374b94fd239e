package anavmg

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen"
	"github.com/meadow-nav/meadow/gen/gentest"
	"github.com/meadow-nav/meadow/plan"
)

func decompose(t testing.TB, g Generator, d *plan.Domain) gen.Result {
	t.Helper()
	res, err := g.Decompose(context.Background(), gen.Input{Domain: d})
	if err != nil {
		t.Fatalf("%v\n%v", err, d.Rings)
	}
	return res
}

func TestRandomWorlds(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	kinds := []struct {
		name  string
		world func(rng *rand.Rand) *plan.Domain
	}{
		{"tiny apart", func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 6, false) }},
		{"tiny touching", func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 12, 12, true) }},
		{"small", func(rng *rand.Rand) *plan.Domain { return gentest.Tiny(rng, 40, 20, true) }},
		{"mixed", func(rng *rand.Rand) *plan.Domain { return gentest.Scatter(rng, 3, 200, gentest.Mixed) }},
		{"blocks", func(rng *rand.Rand) *plan.Domain { return gentest.Blocks(rng, 8, 10, 0.4, rng.IntN(2) == 0) }},
	}
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			sum := map[string]int{}
			for seed := range uint64(n) {
				d := k.world(rand.New(rand.NewPCG(seed, 1)))
				res := decompose(t, Generator{}, d)
				if err := gentest.Check(d, res); err != nil {
					t.Fatalf("seed %d: %v\n%v", seed, err, d.Rings)
				}
				for name, c := range res.Report.Counts {
					sum[name] += c
				}
				sum["lost"] += int(res.Report.Lost)
			}
			t.Log(fmt.Sprint(sum))
		})
	}
}
