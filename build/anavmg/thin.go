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

// widen removes the thin cells that a merge or another cut between corners removes. New cuts end in corners, as all
// portals do, and make no T-junction. Domains without a thin cell cost nothing but a look at every cell.
func (w *work) widen(ctx context.Context, in gen.Input, cells []plan.Cell) ([]plan.Cell, error) {
	if !mosaic.AnyThin(cells, in.Thin) {
		return cells, nil
	}
	m := mosaic.New(in.Domain, cells, limits)
	m.Thin(in.Thin, true)
	steps, err := m.Widen(ctx, false)
	if err != nil || steps.Widened == 0 {
		return cells, err
	}
	// Every cell less is a portal less.
	w.counts["portals"] -= len(cells) - m.Cells()
	w.counts["widened"] = steps.Widened
	return m.Result(), nil
}
