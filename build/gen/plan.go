package gen

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/par"
)

// DecomposePlan decomposes every domain of p with g on up to jobs goroutines (0: one per core).
// A domain with most of the corners takes all goroutines, before the others. Cells are thin below a tenth of the radius of the plan's agent. The results are indexed by layer and by domain and do not depend on jobs.
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
	decompose := func(id plan.DomainID, jobs int) error {
		res, err := g.Decompose(ctx, Input{Domain: &p.Layers[id.Layer].Domains[id.Domain], Seed: seed, Thin: thin, Jobs: jobs})
		if err != nil {
			return fmt.Errorf("%s: layer %d, domain %d: %w", g.Name(), id.Layer, id.Domain, err)
		}
		results[id.Layer][id.Domain] = res
		return nil
	}
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	if main, ok := mainDomain(p, all); ok {
		if err := decompose(all[main], jobs); err != nil {
			return nil, err
		}
		all = slices.Delete(all, main, main+1)
	}
	err := par.For(ctx, jobs, len(all), func(i int) error { return decompose(all[i], 1) })
	if err != nil {
		return nil, err
	}
	return results, nil
}

// mainDomain returns which domain has most corners of all together, ok is false if none has.
func mainDomain(p *plan.Plan, all []plan.DomainID) (main int, ok bool) {
	most, sum := 0, 0
	for i, id := range all {
		n := 0
		for _, r := range p.Layers[id.Layer].Domains[id.Domain].Rings {
			n += len(r)
		}
		if sum += n; n > most {
			main, most = i, n
		}
	}
	return main, 2*most > sum
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
