package meadow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/meadow-nav/meadow/build/erode"
	"github.com/meadow-nav/meadow/build/join"
)

// ErrTooWide is the error of a radius for which a mesh has no room anywhere.
var ErrTooWide = errors.New("no room for the radius")

// Widen makes of the mesh the one for an agent of a larger radius, which answers as the mesh that [BuildWith] makes
// of the level for that agent: see [erode.Of]. It asks for no level. Of opt the fields count that say how regions are
// made, which are those of [Floor.Mesh], and Simplify, how far borders may move into the free floor (m) where that
// saves regions: the zero value moves them by a millimetre. For the radius that the mesh was made for it is the
// mesh itself. The error is ErrTooWide where nothing is left, and there is one for a radius below the mesh's own,
// because what its borders keep from walls cannot be given back.
// Gaps are stepped over as on the mesh: MaxGap stays, also where its default for the larger radius is another.
//
// Areas, flags, marks and heights are kept, and links that are wide enough; regions are others, so that no [navmesh.Ref]
// of one mesh is one of the other. The height of the agent stays: whoever is lower finds paths on the same mesh, but none
// where only someone lower fits.
func (m *Mesh) Widen(ctx context.Context, radius float64, opt Options) (*Mesh, error) {
	if radius == m.Agent.Radius {
		return m, nil
	}
	opt.Agent, opt.Extract = m.Agent, ""
	opt.Agent.Radius = radius
	opt.Agent = opt.Agent.Literal()
	simplify := max(opt.Simplify, 0)
	if opt.Method == "" {
		opt.Method = DefaultMethod
	}
	generator, err := opt.generator()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	floor, err := erode.Of(ctx, m.Mesh, radius, erode.Options{Simplify: simplify, Jobs: opt.Jobs})
	if err != nil {
		return nil, err
	}
	if !hasFloor(floor.Plan) {
		return nil, fmt.Errorf("meadow: %w of %g m on a mesh for %g m", ErrTooWide, radius, m.Agent.Radius)
	}
	report := Report{Level: m.report.Level, Triangles: m.report.Triangles, Extract: "mesh", Method: opt.Method, Agent: floor.Plan.Agent}
	report.Seconds.Extract = since(start)
	start = time.Now()
	cells, err := decompose(ctx, generator, floor.Plan, opt, &report)
	if err != nil {
		return nil, err
	}
	report.Seconds.Decompose = since(start)
	start = time.Now()
	mesh, built, err := join.Build(ctx, floor.Plan, cells, join.Options{
		Jobs: opt.Jobs, KeepSeams: floor.KeepSeams, Methods: m.Methods, Crossings: m.Crossings,
	})
	if err != nil {
		return nil, err
	}
	floor.Restore(mesh, cells)
	report.Seconds.Link = since(start)
	report.Seconds.Total = report.Seconds.Extract + report.Seconds.Decompose + report.Seconds.Link
	report.fill(floor.Plan, mesh, built)
	out := Wrap(mesh)
	out.report = report
	return out, nil
}
