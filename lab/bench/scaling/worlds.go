package main

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// smallest is the number of vertices of the smallest world; the others have √10 times more each.
const smallest = 1000

// sizes returns the numbers of vertices to measure.
func sizes(most int) (all []int) {
	for k := 0; ; k++ {
		n := int(math.Round(smallest * math.Pow(10, float64(k)/2)))
		if n > most {
			return all
		}
		all = append(all, n)
	}
}

// worlds are the kinds of worlds, by their approximate number of vertices.
var worlds = map[string]func(n int) *plan.Domain{
	// Obstacles of every kind beside each other.
	"scatter": func(n int) *plan.Domain {
		return gentest.Scatter(rng(), int(math.Round(math.Sqrt(float64(n)/8.5))), 3072, gentest.Mixed)
	},
	// All walls parallel to the axes, many collinear, and obstacles that touch at corners.
	"blocks": func(n int) *plan.Domain {
		return gentest.Blocks(rng(), int(math.Round(math.Sqrt(float64(n)/0.63))), 512, 0.3, false)
	},
	// A corridor with teeth on one side, each in view of many others.
	"comb": func(n int) *plan.Domain { return gentest.Comb(n/4, 600, 1<<20) },
	// Long walls that start close to each other.
	"staircase": func(n int) *plan.Domain { return gentest.Staircase(n / 3) },
	// A corridor where no straight line goes far.
	"spiral": func(n int) *plan.Domain { return gentest.Spiral(n/8, 100) },
}

func kindNames() []string { return slices.Sorted(maps.Keys(worlds)) }

func rng() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// emptyWorld is the numbered kind of nearly empty worlds.
const emptyWorld = "empty"

// empties are half the sides of the empty worlds, in lattice units: each a thousand times as large as
// the one before, from a quarter of a metre up to the frame.
var empties = []int32{1 << 10, 1 << 20, 1<<30 - 1}

// world returns the domain of a task.
func (t task) world() (*plan.Domain, error) {
	if t.Kind == emptyWorld && t.Size >= 0 && t.Size < len(empties) {
		side := empties[t.Size]
		return gentest.Domain(gentest.Ring(-side, -side, side, -side, side, side, -side, side),
			gentest.Ring(-300, 0, 0, 300, 300, 0, 0, -300)), nil
	}
	if worlds[t.Kind] == nil {
		return nil, fmt.Errorf("unknown worlds %q", t.Kind)
	}
	return worlds[t.Kind](t.Size), nil
}
