package meadow

import (
	"context"
	"fmt"

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
	w, err := world.New(ctx, base.Mesh, world.Options{Wider: wider})
	if err != nil {
		return nil, fmt.Errorf("meadow: %w", err)
	}
	return w, nil
}
