// Package gen defines the common interface of all decompositions: a generator takes one planar domain and
// returns convex cells. Every generator gets the same plan, so comparing generators compares decompositions
// and nothing else.
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
// Guarantees: every cell is strictly simple, convex, counter-clockwise and of positive area; no two overlap;
// a complete generator's cells sum to the area of the domain with its constructed corners. The same input
// gives the same cells. A Generator is safe for concurrent use.
type Generator interface {
	// Name is the word that selects the generator on the command line.
	Name() string
	Decompose(ctx context.Context, in Input) (Result, error)
}

// Input is one domain and settings for the generator.
type Input struct {
	Domain *plan.Domain
	Seed   uint64   // for generators with random choices
	Watch  Observer // nil: nobody looks
	// Thin is a width in lattice units, 0 for none. A narrower cell is thin. The generators anavmg and best leave no thin
	// cell where a merge with one or two neighbours, or another cut there, removes the cell. See [ThinFor].
	Thin int64
	// Jobs is on up to how many goroutines a generator may work, 1 for 0. The result does not depend on it.
	Jobs int
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

// Report tells about a generator's run.
type Report struct {
	// Lost is twice the area of the domain that no cell covers, in lattice units squared.
	Lost int64
	// Counts are named work counts, such as "portals" or "notches", for reports and benchmarks.
	Counts map[string]int
}

// Observer receives the typed snapshots of a generator's making, in order. The generator chooses the names
// and contents of snapshots; draw decides their look.
type Observer interface {
	Step(name string, segments [][2]lattice.Point)
}
