package exact

import (
	"context"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Extractor cuts the triangles of a level: see [Extract].
type Extractor struct{}

var _ floorplan.Extractor = Extractor{}

// Name returns "exact".
func (Extractor) Name() string { return "exact" }

// Extract calls the function [Extract].
func (Extractor) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	return Extract(ctx, lvl, agent, opt)
}
