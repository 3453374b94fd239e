// Package floorplan holds the common options of all extractors: a level and an agent go in, the walkable
// floor as a plan comes out. All extractors share one definition of walkable.
package floorplan

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Extractor finds the walkable floor of a level for an agent.
//
// The same level, agent and options give the same plan, whatever Jobs says. An Extractor does not change the level, and is
// safe for concurrent use.
type Extractor interface {
	// Name is the word that selects the extractor on the command line.
	Name() string
	Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt Options) (*plan.Plan, error)
}

// Options say which parts of the floor to keep and how to work. The zero value keeps the largest
// component and uses all cores.
type Options struct {
	// Keep lists places that must be reachable: the components at or directly below them are kept,
	// all others dropped. A place without floor within the agent's height is an error.
	Keep []geom.Vec
	// Starts are places where agents may begin, such as a level's own: without Keep, KeepAll and KeepArea
	// the components at or directly below them are kept. Starts without a floor say nothing.
	Starts []geom.Vec
	// KeepAll keeps every component; KeepArea above 0 keeps components larger than KeepArea, in square
	// metres. Without them, Keep and Starts with a floor the largest component is kept.
	KeepAll  bool
	KeepArea float64
	// Simplify is the tolerance of border simplification in metres, 0 for the extractor's own
	// rule, negative for none.
	Simplify float64
	// Detail is how far heights may be from the level's in metres, 0 for DefaultDetail, negative for
	// none: then the surfaces are the level's own triangles.
	Detail float64
	// Jobs is the number of goroutines, 0 for one per core. The plan is the same for every number.
	Jobs int
	// Progress, when not nil, is called now and then from any goroutine with the name of the
	// stage and how far it is.
	Progress func(stage string, done, total int)
}

// Validate returns all faults of o: numbers that are not finite, and a negative KeepArea or Jobs.
func (o *Options) Validate() error {
	var faults []error
	for i, at := range o.Keep {
		if !at.IsFinite() {
			faults = append(faults, fmt.Errorf("floorplan: Keep[%d] is %v, must be finite", i, at))
		}
	}
	for _, f := range []struct {
		name  string
		value float64
		least float64
	}{{"KeepArea", o.KeepArea, 0}, {"Simplify", o.Simplify, -math.MaxFloat64}, {"Detail", o.Detail, -math.MaxFloat64}} {
		if !(f.value >= f.least && f.value <= math.MaxFloat64) {
			faults = append(faults, fmt.Errorf("floorplan: %s is %g, must be finite and not below %g", f.name, f.value, f.least))
		}
	}
	if o.Jobs < 0 {
		faults = append(faults, fmt.Errorf("floorplan: Jobs is %d, must be 0 or more", o.Jobs))
	}
	return errors.Join(faults...)
}
