package main

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/lab/concave"
)

// limitedConcavity counts the regions of a mesh after merging neighbours whose union bends inwards by no more than
// a bound: the regions of section 8.2 of Hale's dissertation. A mesh has convex regions only, so the merged regions
// are counted but not kept.
type limitedConcavity struct {
	Bound   float64 `json:"bound_m"`
	Regions int     `json:"regions"`
	Concave int     `json:"concave"` // how many of them are not convex
}

// limitConcavity merges the regions of a mesh layer by layer.
func limitConcavity(ctx context.Context, m *meadow.Mesh, bound float64) (limitedConcavity, error) {
	out := limitedConcavity{Bound: bound}
	for t := range m.Tiles {
		tile := &m.Tiles[t]
		layers := make([][]plan.Cell, len(tile.Layers))
		for r := range tile.Regions {
			var c plan.Cell
			for _, v := range tile.RegionCorners(r) {
				c.Corners = append(c.Corners, plan.Corner{Point: tile.Vertices[v].Point, On: plan.NoEdge})
			}
			l := tile.Regions[r].Layer
			layers[l] = append(layers[l], c)
		}
		for l, cells := range layers {
			res, err := concave.Merge(ctx, cells, concave.Options{Bound: bound})
			if err != nil {
				return out, fmt.Errorf("layer %d: %w", l, err)
			}
			out.Regions += len(res.Regions)
			out.Concave += res.Concave
		}
	}
	return out, nil
}
