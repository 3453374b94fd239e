package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/pasfv"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/sfv"
)

// edges is the seeding with a seed beside every edge.
const edges = "edges"

// growthFlags are the options of the generators that grow all regions at once, pasfv and sfv.
type growthFlags struct {
	Seeding    string `default:"" enum:",grid,edges" placeholder:"KIND" help:"First seeds of pasfv: a grid, or edges, with a seed beside every edge (default: grid)." group:"Growth" rare:""`
	Spacing    number `placeholder:"M" help:"Metres between the seeds of the grid of pasfv or sfv (default: by the number of vertices)." group:"Growth" rare:""`
	Rate       number `placeholder:"M" help:"Metres of a step by which pasfv grows; larger steps leave more and narrower regions (default: from event to event)." group:"Growth" rare:""`
	Resolution number `placeholder:"M" help:"Least step of pasfv: where steps fail, they halve down to it; --rate over a power of two (default: --rate)." group:"Growth" rare:""`
}

// Spacings and steps are longer than a lattice unit, and no level is larger than the longest.
const (
	leastStep   = 0.00025 // metres
	longestStep = 262000
)

// validate checks the ranges, and that one of the generators, by name, takes the flags that are set.
func (f growthFlags) validate(generators []string) error {
	for _, x := range []struct {
		flag  string
		value number
	}{{"--spacing", f.Spacing}, {"--rate", f.Rate}, {"--resolution", f.Resolution}} {
		if v := float64(x.value); v != 0 && !(v >= leastStep && v <= longestStep) {
			return fmt.Errorf("%s is %g, must be %g to %g metres", x.flag, v, leastStep, float64(longestStep))
		}
	}
	if f.Resolution > 0 {
		halvings := math.Log2(float64(f.Rate / f.Resolution))
		if f.Rate == 0 || halvings < 0 || math.Abs(halvings-math.Round(halvings)) > 1e-9 {
			return fmt.Errorf("--rate %g is not --resolution %g times a power of two", float64(f.Rate), float64(f.Resolution))
		}
	}
	grows := slices.Contains(generators, pasfv.Generator{}.Name())
	onGrid := slices.Contains(generators, sfv.Generator{}.Name()) || grows && f.Seeding != edges
	switch {
	case f.Seeding != "" && !grows:
		return fmt.Errorf("--seeding needs the generator pasfv")
	case f.Spacing > 0 && grows && !onGrid:
		return fmt.Errorf("--spacing is of a grid, and --seeding edges has none")
	case f.Spacing > 0 && !onGrid:
		return fmt.Errorf("--spacing needs the generator pasfv or sfv")
	case f.Rate > 0 && !grows:
		return fmt.Errorf("--rate needs the generator pasfv")
	}
	return nil
}

// apply returns the generator with the options of the flags, or as it is where it has none.
func (f growthFlags) apply(g gen.Generator) gen.Generator {
	switch g := g.(type) {
	case pasfv.Generator:
		g.Spacing, g.Rate = inUnits(float64(f.Spacing)), inUnits(float64(f.Rate))
		if f.Seeding == edges {
			g.Seeding, g.Spacing = pasfv.Obstructions, 0
		}
		if f.Resolution > 0 {
			g.Resolution = inUnits(float64(f.Resolution))
			g.Rate = g.Resolution << int(math.Round(math.Log2(float64(f.Rate/f.Resolution))))
		}
		return g
	case sfv.Generator:
		g.Spacing = inUnits(float64(f.Spacing))
		return g
	}
	return g
}

// inUnits returns the lattice units nearest to metres.
func inUnits(metres float64) int64 { return int64(math.Floor(metres*lattice.UnitsPerMetre + 0.5)) }
