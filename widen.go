package meadow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meadow-nav/meadow/build/erode"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/navmesh"
)

// ErrTooWide is the error of a radius for which a mesh has no room anywhere.
var ErrTooWide = errors.New("no room for the radius")

// Widen makes a mesh for an agent of a larger radius, without the level. The mesh answers as the mesh that [BuildWith] makes
// of the level for the larger radius: see [erode.Of]. For the mesh's own radius the result is the mesh itself. The error is
// ErrTooWide where no floor is left. A radius below the mesh's own is an error too, because the distance of borders from
// walls cannot be given back.
//
// Areas, flags, marks, heights and MaxGap stay, and so do links that are wide enough. Regions differ: no [navmesh.Ref] of one
// mesh belongs to the other. The agent's height stays too: paths that need a lower agent are not found.
func (m *Mesh) Widen(ctx context.Context, radius float64, opt WidenOptions) (*Mesh, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	how, faults := opt.settle(radius)
	if err := faults.join(); err != nil {
		return nil, err
	}
	if err := m.usable(); err != nil {
		return nil, err
	}
	if radius == m.Agent.Radius {
		return m, nil
	}
	start := time.Now()
	floor, err := erode.Of(ctx, m.Mesh, radius, erode.Options{Simplify: opt.Simplify, Jobs: opt.Jobs})
	if err != nil {
		return nil, err
	}
	if !hasFloor(floor.Plan) {
		return nil, fmt.Errorf("meadow: %w of %g m on a mesh for %g m", ErrTooWide, radius, m.Agent.Radius)
	}
	report := m.report
	report.Generator, report.Seconds = how.Generator.Name(), Seconds{Extract: since(start)}
	report.Seams = 0
	report.Settings.noteMesh(&how)
	report.Settings.WidenedFrom, report.Settings.WidenSimplify = m.Agent.Radius, opt.Simplify
	cells, err := decompose(ctx, floor.Plan, how, &report)
	if err != nil {
		return nil, err
	}
	joining := join.Options{Jobs: opt.Jobs, KeepSeams: floor.KeepSeams, Methods: m.Methods, Crossings: m.Crossings}
	return link(ctx, floor.Plan, cells, joining, report, func(mesh *navmesh.Mesh) { floor.Restore(mesh, cells) })
}
