package meadow

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level/flat"
)

// IsMap reports whether the extension of path is that of a two-dimensional map.
func IsMap(path string) bool { return flat.FormatOf(path) != flat.Unknown }

// OpenMap reads the two-dimensional map at path: a grid, or shapes; docs/formats/maps.md says which
// formats there are and what of them is walkable.
func OpenMap(path string, opt flat.Options) (*flat.Map, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := flat.Decode(f, filepath.Base(path), opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// BuildMap makes the mesh of a map as [BuildWith] does that of a level. The walkable area is as it is
// drawn: it is not made narrower by the agent's radius, and the agent is only recorded. Without Seeds
// and KeepArea all parts are kept, because someone has drawn each. The map is not changed.
func BuildMap(ctx context.Context, m *flat.Map, opt Options) (*Mesh, error) {
	if _, err := opt.generator(); err != nil {
		return nil, err
	}
	floor, err := FloorOfMap(m, opt)
	if err != nil {
		return nil, err
	}
	return floor.Mesh(ctx, opt)
}

// keepParts returns the plan of a map without the domains that opt does not ask for. Every domain of a
// map is a part of its own.
func keepParts(p *plan.Plan, opt Options) (*plan.Plan, error) {
	kept := *p
	kept.Layers = slices.Clone(p.Layers)
	kept.Components, kept.Dropped = 0, slices.Clone(p.Dropped)
	for l := range p.Layers {
		domains := p.Layers[l].Domains
		keep := make([]bool, len(domains))
		for i := range domains {
			area := areaOf(domains[i].Polygon)
			keep[i] = len(opt.Seeds) == 0 && (opt.KeepAll || area > opt.KeepArea)
		}
		for i, s := range opt.Seeds {
			at, _, ok := p.Frame.FromWorld(geom.Vec{X: s.X, Y: float64(p.Frame.Up) * lattice.Unit, Z: s.Z})
			k := -1
			if ok {
				k = slices.IndexFunc(domains, func(d plan.Domain) bool { return d.Contains(at) })
			}
			if k < 0 {
				return nil, fmt.Errorf("seed %d at %v is not on the walkable area", i, s)
			}
			keep[k] = true
		}
		kept.Layers[l].Domains = nil
		for i, d := range domains {
			if !keep[i] {
				corner := d.Rings[0][0]
				kept.Dropped = append(kept.Dropped, plan.Part{Area: areaOf(d.Polygon), At: p.Frame.ToWorld(corner, 0)})
				continue
			}
			d.Component = int32(kept.Components)
			kept.Components++
			kept.Layers[l].Domains = append(kept.Layers[l].Domains, d)
		}
	}
	if kept.Components == 0 {
		return nil, fmt.Errorf("%w: no part is larger than %g m²", ErrNoFloor, opt.KeepArea)
	}
	slices.SortStableFunc(kept.Dropped, func(a, b plan.Part) int {
		switch {
		case a.Area > b.Area:
			return -1
		case a.Area < b.Area:
			return 1
		}
		return 0
	})
	return &kept, nil
}

// areaOf returns the area of p in square metres.
func areaOf(p lattice.Polygon) float64 {
	return float64(p.Area2()) * (0.5 * lattice.Unit * lattice.Unit)
}
