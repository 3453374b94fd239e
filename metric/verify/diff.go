package verify

import (
	"context"
	"errors"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// Difference tells how one mesh differs from another of the same level. Side 0 is the first mesh. Areas are in m².
type Difference struct {
	Area       [2]float64 `json:"area_m2"`
	Regions    [2]int     `json:"regions"`
	Portals    [2]int     `json:"portals"`
	Components [2]int     `json:"components"`
	Links      [2]int     `json:"links"`
	Only       Alone      `json:"only"` // what the second mesh has lost, and won
	Height     Heights    `json:"height"`
}

// Alone is the ground that only the first of two floors has, and that only the second has.
type Alone [2]Pieces

// Largest returns the largest piece of both sides, of the first side among equals; the zero Piece for none.
func (a *Alone) Largest() Piece {
	var most Piece
	for side := range a {
		if l := a[side].Largest; len(l) > 0 && l[0].Area > most.Area {
			most = l[0]
		}
	}
	return most
}

// Tolerance says how different two meshes may be and count as equal.
type Tolerance struct {
	Area   float64 // of the largest piece of ground in only one mesh, m²
	Height float64 // of the floors over common ground, m
}

// Equal reports whether meshes differ by no more than a tolerance: in ground and in height, and neither in components nor in links.
func (d *Difference) Equal(t Tolerance) bool {
	return d.Only.Largest().Area <= t.Area && d.Height.Max <= t.Height && d.Components[0] == d.Components[1] && d.Links[0] == d.Links[1]
}

// Diff returns the difference of two meshes. The error tells of floors that are too far apart for one frame, and of a context that ends. Cost: an
// overlay for each pair of parts whose boxes meet.
func Diff(ctx context.Context, a, b *navmesh.Mesh) (*Difference, error) {
	if a == nil || b == nil {
		return nil, errors.New("verify: a mesh is nil")
	}
	fa, err := floorOfMesh(a, a.Frame)
	if err != nil {
		return nil, err
	}
	fb, err := floorOfMesh(b, a.Frame)
	if err != nil {
		return nil, err
	}
	o, err := compare(ctx, fa, fb, math.Min(near(a.Agent), near(b.Agent)))
	if err != nil {
		return nil, err
	}
	d := &Difference{Area: [2]float64{fa.area(), fb.area()}, Only: o.only, Height: o.height}
	for side, m := range []*navmesh.Mesh{a, b} {
		d.Regions[side], d.Components[side], d.Links[side] = m.RegionCount(), m.Components, len(m.Links)
		for slot := range m.Tiles {
			d.Portals[side] += len(m.Tiles[slot].Portals) / 2
		}
	}
	return d, nil
}

// Floors returns the ground that only one of two plans of a level has. Polygons are in the frame of the first plan. The errors are as for [Diff].
func Floors(ctx context.Context, a, b *plan.Plan) (only Alone, err error) {
	if a == nil || b == nil {
		return only, errors.New("verify: a plan is nil")
	}
	fa, err := floorOfPlan(a, a.Frame)
	if err != nil {
		return only, err
	}
	fb, err := floorOfPlan(b, a.Frame)
	if err != nil {
		return only, err
	}
	o, err := compare(ctx, fa, fb, near(a.Agent))
	if err != nil {
		return only, err
	}
	return o.only, nil
}

// Outline returns the ground of a mesh as a plan with a layer for each layer of the mesh, for pictures: the regions are united, and all
// edges are walls.
func Outline(m *navmesh.Mesh) (*plan.Plan, error) {
	f, err := floorOfMesh(m, m.Frame)
	if err != nil {
		return nil, err
	}
	p := &plan.Plan{Frame: m.Frame, Agent: m.Agent, Components: m.Components}
	for slot := range m.Tiles {
		for l := range m.Tiles[slot].Layers {
			p.Layers = append(p.Layers, plan.Layer{Floor: m.Tiles[slot].Layers[l].Floor})
		}
	}
	for i := range f.parts {
		pieces, err := overlay.Union(f.parts[i].rings)
		if err != nil {
			return nil, err
		}
		layer := &p.Layers[f.parts[i].layer]
		for _, piece := range pieces {
			d := plan.Domain{Polygon: piece, Component: int32(f.parts[i].component)}
			for _, ring := range piece.Rings {
				edges := make([]plan.ChainID, len(ring))
				for k := range edges {
					edges[k] = plan.Wall
				}
				d.Edges = append(d.Edges, edges)
			}
			layer.Domains = append(layer.Domains, d)
		}
	}
	return p, nil
}
