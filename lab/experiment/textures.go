package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/navmesh"
)

// Texture-aware decomposition, as published.
//
// Source: D. H. Hale and G. M. Youngblood, Generating texture-aware spatial decompositions, AIIDE workshops 2011,
// algorithm 1; appendix C of Hale's thesis (2011).
//
// Idea: for one group of textures after the other, all else is obstructed, any generator decomposes the rest, and its
// regions are appended. Regions are combined only within a group. Then links are made: gateways within a group,
// boundaries between groups.
//
// Input: a plan with domains of one area each; together they cover the floor. The existing division is not used: the
// floor is put together again, and obstructed anew for every group.
//
// Guarantees:
//  1. Every region has a single area, and all floor of an area is covered if the generator covers its input
//     (TestTextureAware).
//  2. One pass over divided domains covers the same floor and has the same boundaries; best and anavmg make no more
//     regions (TestTextureAware). Generators that use every vertex, such as delaunay and pasfv, make some more: where
//     three areas meet, the domain on the straight side has a vertex that its separate pass lacks.
//
// Degenerate cases: a group without floor has no pass. Passes are independent, so corners that two of them make on a
// common border may be a unit beside it, and may differ.
//
// Cost: a pass for each group, each with the overlay of all that is obstructed; links compare all edges that are
// walls within their pass, O(n²) for n edges.
//
// Departures: the source obstructs by walls extruded from the triangles; here they are taken off the floor, which
// comes to the same, because borders of terrain are not moved in by the agent's radius.

// Textured is the result of the passes.
type Textured struct {
	Regions []TexturedRegion
	// Gateways counts the links within a group, Boundaries those between two, Shared is the length of the latter
	// in metres.
	Gateways, Boundaries int
	Shared               float64
}

// TexturedRegion is a region of a pass.
type TexturedRegion struct {
	Area  uint8
	Layer int
	Ring  []lattice.Vertex // counter-clockwise
}

// M2 returns the square metres of each area.
func (t *Textured) M2() (m2 [256]float64) {
	for i := range t.Regions {
		ring := t.Regions[i].Ring
		for k := 2; k < len(ring); k++ {
			m2[t.Regions[i].Area] += lattice.SquareMetres(lattice.Orient(ring[0].Point, ring[k-1].Point, ring[k].Point))
		}
	}
	return m2
}

// TextureAware decomposes a floor in a pass for each of its areas.
func TextureAware(ctx context.Context, g gen.Generator, p *plan.Plan, jobs int) (Textured, error) {
	var t Textured
	for area := range 256 {
		pass, any, err := obstructed(p, uint8(area))
		if err != nil {
			return t, fmt.Errorf("experiment: area %d: %w", area, err)
		}
		if !any {
			continue
		}
		m, err := decomposed(ctx, g, pass, jobs)
		if err != nil {
			return t, fmt.Errorf("experiment: area %d: %w", area, err)
		}
		t.append(uint8(area), m)
	}
	t.link(p.Agent.Height / 2 * lattice.UnitsPerMetre)
	return t, nil
}

// decomposed makes a mesh of a plan.
func decomposed(ctx context.Context, g gen.Generator, p *plan.Plan, jobs int) (*navmesh.Mesh, error) {
	results, err := gen.DecomposePlan(ctx, g, p, 0, jobs)
	if err != nil {
		return nil, err
	}
	m, _, err := join.Build(ctx, p, gen.CellsOf(results), join.Options{Jobs: jobs})
	return m, err
}

// obstructed returns the floor of a plan as it is for one area while all others are walls; any is false where nothing is
// left of it.
func obstructed(p *plan.Plan, area uint8) (pass *plan.Plan, any bool, err error) {
	pass = &plan.Plan{Frame: p.Frame, Agent: p.Agent, Components: p.Components}
	for l := range p.Layers {
		var floor, walls []lattice.Ring
		heights := map[lattice.Point]int32{} // looked up only
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			floor = append(floor, domain.Rings...)
			if domain.Area != area {
				walls = append(walls, domain.Rings...)
			}
			for r, hs := range domain.Heights {
				for k, z := range hs {
					heights[domain.Rings[r][k]] = z
				}
			}
		}
		whole, err := overlay.Union(floor)
		if err != nil {
			return nil, false, err
		}
		floor = floor[:0]
		for _, w := range whole {
			floor = append(floor, w.Rings...)
		}
		free, err := overlay.Difference(floor, walls)
		if err != nil {
			return nil, false, err
		}
		layer := plan.Layer{Floor: p.Layers[l].Floor}
		for _, f := range free {
			d := plan.Domain{Polygon: f}
			for _, ring := range f.Rings {
				edges, hs := make([]plan.ChainID, len(ring)), make([]int32, len(ring))
				for k, q := range ring {
					edges[k], hs[k] = plan.Wall, heights[q]
				}
				d.Edges, d.Heights = append(d.Edges, edges), append(d.Heights, hs)
			}
			layer.Domains, any = append(layer.Domains, d), true
		}
		pass.Layers = append(pass.Layers, layer)
	}
	return pass, any, nil
}

// append adds the regions of a pass, and counts its gateways.
func (t *Textured) append(area uint8, m *navmesh.Mesh) {
	for i := range m.Tiles {
		tile := &m.Tiles[i]
		for r := range tile.Regions {
			region := TexturedRegion{Area: area, Layer: int(tile.Regions[r].Layer)}
			for _, v := range tile.RegionCorners(r) {
				region.Ring = append(region.Ring, tile.Vertices[v])
			}
			t.Regions = append(t.Regions, region)
		}
		t.Gateways += len(tile.Portals) / 2
	}
}

// link finds the links between the regions of different passes, and between layers. Opposite edges at most two units
// apart are one; edges of two layers only within one storey.
func (t *Textured) link(storey float64) {
	type edge struct {
		region int
		a, b   lattice.Vertex
		box    lattice.Box
	}
	var edges []edge
	for i := range t.Regions {
		ring := t.Regions[i].Ring
		for k, a := range ring {
			b := ring[(k+1)%len(ring)]
			edges = append(edges, edge{i, a, b, lattice.BoxOf(a.Point, b.Point)})
		}
	}
	slices.SortStableFunc(edges, func(e, f edge) int { return int(e.box.Min.X) - int(f.box.Min.X) })
	const apart = 2
	for i := range edges {
		e := &edges[i]
		for k := i + 1; k < len(edges) && edges[k].box.Min.X <= e.box.Max.X+apart; k++ {
			f := &edges[k]
			r, s := &t.Regions[e.region], &t.Regions[f.region]
			if r.Area == s.Area && r.Layer == s.Layer || f.box.Min.Y > e.box.Max.Y+apart || e.box.Min.Y > f.box.Max.Y+apart {
				continue
			}
			reach := storey
			if r.Layer == s.Layer {
				reach = math.Inf(1)
			}
			length := facing(e.a, e.b, f.a, f.b, apart, reach)
			switch {
			case length <= 4*apart: // corners meet
			case r.Area == s.Area:
				t.Gateways++
			default:
				t.Boundaries++
				t.Shared += length * lattice.Unit
			}
		}
	}
}

// facing returns how far two edges run along each other in opposite directions, no more than a distance apart and, in
// their middle, no more than a storey, in units.
func facing(a, b, c, d lattice.Vertex, apart, storey float64) float64 {
	ux, uy := float64(b.X)-float64(a.X), float64(b.Y)-float64(a.Y)
	length := math.Hypot(ux, uy)
	if length == 0 {
		return 0
	}
	ux, uy = ux/length, uy/length
	along := func(p lattice.Vertex) (t, off float64) {
		x, y := float64(p.X)-float64(a.X), float64(p.Y)-float64(a.Y)
		return float64(x*ux) + float64(y*uy), float64(x*uy) - float64(y*ux)
	}
	tc, oc := along(c)
	td, od := along(d)
	if td >= tc {
		return 0
	}
	low, high := math.Max(0, td), math.Min(length, tc)
	if high <= low {
		return 0
	}
	at := func(t, from, to, x, y float64) float64 { return x + (y-x)*(t-from)/(to-from) }
	middle := (low + high) / 2
	for _, t := range [2]float64{low, high} {
		if math.Abs(at(t, tc, td, oc, od)) > apart {
			return 0
		}
	}
	if math.Abs(at(middle, 0, length, float64(a.Z), float64(b.Z))-at(middle, tc, td, float64(c.Z), float64(d.Z))) > storey {
		return 0
	}
	return high - low
}

// InOnePass decomposes a floor with domains of one area each, domain by domain, and returns the same data.
func InOnePass(ctx context.Context, g gen.Generator, p *plan.Plan, jobs int) (Textured, error) {
	m, err := decomposed(ctx, g, p, jobs)
	if err != nil {
		return Textured{}, fmt.Errorf("experiment: %w", err)
	}
	var t Textured
	for i := range m.Tiles {
		tile := &m.Tiles[i]
		for r := range tile.Regions {
			region := TexturedRegion{Area: tile.Regions[r].Area, Layer: int(tile.Regions[r].Layer)}
			for _, v := range tile.RegionCorners(r) {
				region.Ring = append(region.Ring, tile.Vertices[v])
			}
			t.Regions = append(t.Regions, region)
			for _, x := range tile.RegionPortals(r) {
				if int(x.To) < r {
					continue
				}
				if tile.Regions[x.To].Area == region.Area {
					t.Gateways++
				} else {
					t.Boundaries++
					t.Shared += tile.Vertices[x.Left].Distance(tile.Vertices[x.Right].Point) * lattice.Unit
				}
			}
		}
	}
	return t, nil
}
