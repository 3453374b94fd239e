package anavmg

import (
	"context"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/internal/mosaic"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/shape"
)

// limits are those of package metric, without narrow edges, as the generator does not know the agent.
var limits = shape.Limits{FanRegions: shape.FanRegions, FanAngle: shape.FanAngle, SliverRatio: shape.SliverRatio}

// WithoutThin returns the cells that Decompose makes of an input with a thin width, given the cells for the input without
// a thin width.
func (g Generator) WithoutThin(ctx context.Context, in gen.Input, cells []plan.Cell) ([]plan.Cell, error) {
	if g.Published && g.ConvexDistance > 0 {
		return cells, nil
	}
	wider, _, err := widen(ctx, in, cells)
	return wider, err
}

// widen removes the thin cells that a merge or another cut between corners removes, and counts the steps. New cuts end
// in corners, as all portals do, and make no T-junction. Domains without a thin cell cost nothing but a look at every cell.
func widen(ctx context.Context, in gen.Input, cells []plan.Cell) (wider []plan.Cell, steps int, err error) {
	if !mosaic.AnyThin(cells, in.Thin) {
		return cells, 0, nil
	}
	m := mosaic.New(in.Domain, cells, limits)
	m.Thin(in.Thin, true)
	made, err := m.Widen(ctx, false)
	if err != nil || made.Widened == 0 {
		return cells, 0, err
	}
	return m.Result(), made.Widened, nil
}
