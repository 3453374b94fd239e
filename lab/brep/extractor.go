package brep

import (
	"context"
	"fmt"
	"strings"

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
	// Avoid names objects, materials and markers that nobody stands on or in: water, glass, railings (section 3.3.3). Of a
	// marker, the name or the kind counts. Objects count where solids are recognised from triangles. A name without a thing
	// is an error.
	Avoid []string
}

var _ floorplan.Extractor = Extractor{}

// Name returns "brep".
func (Extractor) Name() string { return "brep" }

// Settings returns the options that change the plan, for reports; empty for the defaults.
func (x Extractor) Settings() string {
	var words []string
	if x.Tolerance != 0 {
		words = append(words, fmt.Sprintf("tolerance %g m", x.Tolerance))
	}
	if len(x.Avoid) > 0 {
		words = append(words, fmt.Sprintf("avoid %q", x.Avoid))
	}
	return strings.Join(words, ", ")
}

// Extract calls the function [Extract] with the options of x.
func (x Extractor) Extract(ctx context.Context, lvl *level.Level, agent geom.Agent, opt floorplan.Options) (*plan.Plan, error) {
	return x.extract(ctx, lvl, agent, opt)
}
