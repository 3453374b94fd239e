package gen

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/par"
)

// DecomposePlan decomposes every domain of p with g on up to jobs goroutines (0: one per core).
// Cells are thin below a tenth of the radius of the plan's agent. The results are indexed by layer and by domain and do not depend on jobs.
func DecomposePlan(ctx context.Context, g Generator, p *plan.Plan, seed uint64, jobs int) ([][]Result, error) {
	results := make([][]Result, len(p.Layers))
	var all []plan.DomainID
	for l := range p.Layers {
		results[l] = make([]Result, len(p.Layers[l].Domains))
		for d := range p.Layers[l].Domains {
			all = append(all, plan.DomainID{Layer: int32(l), Domain: int32(d)})
		}
	}
	thin := ThinFor(p.Agent)
	err := par.For(ctx, jobs, len(all), func(i int) error {
		id := all[i]
		res, err := g.Decompose(ctx, Input{Domain: &p.Layers[id.Layer].Domains[id.Domain], Seed: seed, Thin: thin})
		if err != nil {
			return fmt.Errorf("%s: layer %d, domain %d: %w", g.Name(), id.Layer, id.Domain, err)
		}
		results[id.Layer][id.Domain] = res
		return nil
	})
	if err != nil {
		return nil, err
	}
	return results, nil
}

// CellsOf returns the cells of results, indexed like these by layer and by domain.
func CellsOf(results [][]Result) [][][]plan.Cell {
	cells := make([][][]plan.Cell, len(results))
	for l := range results {
		cells[l] = make([][]plan.Cell, len(results[l]))
		for d := range results[l] {
			cells[l][d] = results[l][d].Cells
		}
	}
	return cells
}
