package brep

import (
	"context"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Extractor unites the solids of a level, and cuts the triangles of the union: see [Extract].
type Extractor struct {
	// Tolerance is how far, in metres, a corner of a solid may be from the planes that it should be on, where solids are
	// recognised from triangles; 0 is [DefaultTolerance], and 1 is the most.
	Tolerance float64
}

var _ floorplan.Extractor = Extractor{}

// Name returns "brep".
func (Extractor) Name() string { return "brep" }

// Extract calls the function [Extract] with the options of x.
func (x Extractor) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	return x.extract(ctx, lvl, agent, opt)
}
