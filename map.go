package meadow

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/level/flat"
)

// IsMap reports whether the extension of path is that of a two-dimensional map. The extensions .map, .yaml and .yml have other
// meanings too: of a regular file with one of them, the first bytes tell, see [flat.Holds].
func IsMap(path string) bool {
	format := flat.FormatOf(path)
	if format != flat.Octile && format != flat.Robot {
		return format != flat.Unknown
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return true
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 512))
	return err != nil || flat.Holds(path, head)
}

// OpenMap reads the two-dimensional map at path, a grid or shapes, in a format of docs/formats/maps.md.
func OpenMap(path string, opt flat.Options) (*flat.Map, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if opt.Files == nil {
		opt.Files = besides(path)
	}
	m, err := flat.Decode(f, filepath.Base(path), opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// BuildMap makes the mesh of a map, as [BuildWith] makes the mesh of a level. The floor is the drawn area without the places
// nearer to its border than the agent's radius; a radius of [PointRadius] keeps the drawn area exactly. The mesh for a point,
// widened by [Mesh.Widen], has the same floor. Simplify straightens borders by a millimetre at least where the radius moves
// them. Extractor, Detail and NoMarkers are for levels. Without Keep and KeepArea all parts stay, because someone has drawn
// each. The error of a map too narrow for the agent wraps [ErrNoFloor]. The map is not changed.
func BuildMap(ctx context.Context, m *flat.Map, floor FloorOptions, mesh MeshOptions) (*Mesh, error) {
	if err := checkBoth(ctx, floor, mesh); err != nil {
		return nil, err
	}
	f, err := FloorOfMap(ctx, m, floor)
	if err != nil {
		return nil, err
	}
	return f.Mesh(ctx, mesh)
}

// keepParts returns the plan of a map without the domains that opt leaves out. Every domain of a map is a part of its own.
func keepParts(p *plan.Plan, opt FloorOptions) (*plan.Plan, error) {
	kept := *p
	kept.Layers = slices.Clone(p.Layers)
	kept.Components, kept.Dropped = 0, slices.Clone(p.Dropped)
	all := opt.KeepAll || opt.KeepArea == 0 && len(opt.Keep) == 0
	for l := range p.Layers {
		domains := p.Layers[l].Domains
		keep := make([]bool, len(domains))
		for i := range domains {
			area := areaOf(domains[i].Polygon)
			keep[i] = all || opt.KeepArea > 0 && area > opt.KeepArea
		}
		for _, s := range opt.Keep {
			at, _, ok := p.Frame.FromWorld(geom.Vec{X: s.X, Y: float64(p.Frame.Up) * lattice.Unit, Z: s.Z})
			k := -1
			if ok {
				k = slices.IndexFunc(domains, func(d plan.Domain) bool { return d.Contains(at) })
			}
			if k < 0 {
				return nil, fmt.Errorf("no walkable area at %v, a place to keep", s)
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

// mapArcs is the largest distance of a border around a corner beyond the radius, in metres, as in build/exact.
const mapArcs = 0.05

// mapRounding is how far borders move into the floor where rounding bent them, in metres.
const mapRounding = 0.001

// narrowed returns the plan of a map for an agent of a radius: the places at least as far from all borders. A unit of the
// radius is left out, as in build/exact. tolerance straightens the borders, in metres.
func narrowed(p *plan.Plan, radius, tolerance float64, jobs int) (*plan.Plan, error) {
	by := radius*lattice.UnitsPerMetre - 1
	if by < 0.5 {
		return p, nil
	}
	if len(p.Chains) > 0 {
		return nil, fmt.Errorf("a plan with %d chains cannot be narrowed", len(p.Chains))
	}
	out := *p
	out.Layers = slices.Clone(p.Layers)
	out.Components = 0
	offset := overlay.Offset{Distance: -by, Join: overlay.Round, Tolerance: mapArcs * lattice.UnitsPerMetre}
	for l := range p.Layers {
		out.Layers[l].Domains = nil
		for i := range p.Layers[l].Domains {
			d := &p.Layers[l].Domains[i]
			left, err := offset.PolygonsOn(jobs, []lattice.Polygon{d.Polygon})
			if err != nil {
				return nil, err
			}
			for _, q := range left {
				q = q.Simplify(max(tolerance, mapRounding)*lattice.UnitsPerMetre, true)
				out.Layers[l].Domains = append(out.Layers[l].Domains, plan.Domain{
					Polygon: q, Edges: plan.Walls(q), Area: d.Area, Marks: d.Marks, Component: int32(out.Components),
				})
				out.Components++
			}
		}
	}
	return &out, nil
}

// areaOf returns the area of p in square metres.
func areaOf(p lattice.Polygon) float64 {
	return lattice.SquareMetres(p.Area2())
}
