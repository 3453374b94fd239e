// Package gen is what all decompositions have in common: a generator takes one planar domain and
// returns convex cells. Every generator sees the same plan, so that comparing generators compares
// decompositions and nothing else.
package gen

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Generator decomposes a domain into convex cells.
//
// What holds after: every cell is strictly simple, convex, counter-clockwise and of positive area;
// no two overlap; a complete generator's cells sum to the area of the domain with its constructed
// corners. The same input gives the same cells. A Generator is safe for concurrent use.
type Generator interface {
	// Name is the word that selects the generator on the command line.
	Name() string
	Decompose(ctx context.Context, in Input) (Result, error)
}

// Input is one domain and what a generator may be told about it.
type Input struct {
	Domain *plan.Domain
	Seed   uint64   // for generators that draw lots
	Watch  Observer // nil: nobody looks
	// Thin is a width in lattice units, 0 for none. A cell below this width is thin. The generators anavmg and best leave
	// no thin cell where a merge with one or two neighbours, or another cut there, removes the cell. See [ThinFor].
	Thin int64
}

// thinShare is how many times as wide as a thin cell the agent's radius is.
const thinShare = 10

// ThinFor returns the width in lattice units below which a cell is thin for an agent: a tenth of the agent's radius,
// and 0 for a point.
func ThinFor(agent geom.Agent) int64 {
	return int64(math.Round(max(agent.Radius, 0) * lattice.UnitsPerMetre / thinShare))
}

// Result is the decomposition of one domain.
type Result struct {
	Cells  []plan.Cell
	Report Report
}

// Report says what a generator did.
type Report struct {
	// Lost is twice the area of the domain that no cell covers, in lattice units squared.
	Lost int64
	// Counts are named work counts, such as "portals" or "notches", for reports and benchmarks.
	Counts map[string]int
}

// Observer receives the typed snapshots of a generator's making, in order. What a snapshot is
// called and holds is the generator's own business; draw decides how it looks.
type Observer interface {
	Step(name string, segments [][2]lattice.Point)
}
