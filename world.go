package meadow

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// WorldOptions say how [NewWorld] works. The zero value is usable.
type WorldOptions struct {
	// Radii are the radii of wider agents, in metres, above the radius of the mesh. Every thing of the world acts on all of
	// them: see [world.Snapshot.For].
	Radii []float64
	// Widen says how the meshes of the wider agents are made.
	Widen WidenOptions
	// Generator divides changed floor into regions. Nil means the algorithm of Hertel and Mehlhorn, made to be fast: a few
	// microseconds a region. [best.Generator] makes fewer and better regions in ten times the time.
	Generator gen.Generator
	// Prepare prepares the world as [world.Options].Prepare does: paths away from things then mostly need no search.
	Prepare bool
}

// NewWorld returns a world over a mesh: obstacles, modifiers, doors and links come and go, and any number of goroutines
// ask snapshots meanwhile. See package world. Time as [Mesh.Index] and [Mesh.Widen] for every radius.
func NewWorld(ctx context.Context, base *Mesh, opt WorldOptions) (*world.World, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	if err := base.usable(); err != nil {
		return nil, err
	}
	wider := make([]*navmesh.Mesh, len(opt.Radii))
	for i, radius := range opt.Radii {
		m, err := base.Widen(ctx, radius, opt.Widen)
		if err != nil {
			return nil, fmt.Errorf("meadow: world: radius %g m: %w", radius, err)
		}
		wider[i] = m.Mesh
	}
	w, err := world.New(ctx, base.Mesh, world.Options{Wider: wider, Generator: divideBy(opt.Generator, base.Agent), Prepare: opt.Prepare})
	if err != nil {
		return nil, fmt.Errorf("meadow: %w", err)
	}
	return w, nil
}

// divideBy returns a generator as worlds call it.
func divideBy(g gen.Generator, agent Agent) world.Generator {
	if g == nil {
		return nil
	}
	thin := gen.ThinFor(agent)
	return func(f world.Floor) ([][]world.Corner, error) {
		d := plan.Domain{Polygon: lattice.Polygon{Rings: f.Rings}, Edges: make([][]plan.ChainID, len(f.Rings))}
		for r, shared := range f.Shared {
			d.Edges[r] = make([]plan.ChainID, len(shared))
			for i := range shared {
				d.Edges[r][i] = plan.Wall
				if shared[i] {
					d.Edges[r][i] = 0
				}
			}
		}
		res, err := g.Decompose(context.Background(), gen.Input{Domain: &d, Thin: thin})
		if err != nil {
			return nil, err
		}
		cells := make([][]world.Corner, len(res.Cells))
		for i, c := range res.Cells {
			for _, v := range c.Corners {
				cells[i] = append(cells[i], world.Corner{Point: v.Point, Ring: v.On.Ring, Side: v.On.Index})
			}
		}
		return cells, nil
	}
}
