// Package bent makes meshes of regions that may bend inwards a little, keeps them in files, and finds paths over them.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, 2011, section
// 8.2, proposes regions of limited concavity for curved obstacles, and leaves open how to make them and how to walk in them.
//
// Idea: package concave merges the convex regions of a mesh as far as a bound on the concavity allows. A bent region is the
// list of its convex regions, so the mesh beneath still answers every question exactly. The graph of bent regions has one node
// for each portal between two of them, and its edges are as long as the shortest way inside of a region. A path is found
// on the graph first, and is then the shortest way inside of the regions along the path.
//
// Input: a mesh without faults ([navmesh.Mesh.Validate]). Regions of different layers, areas, flags or marks are not merged, because filters
// tell them apart. Off-mesh links are not taken.
//
// Guarantees:
//  1. Every convex region is in exactly one bent region, whose convex regions have one layer, area, set of flags and marks
//     (TestMerge).
//  2. A bent region is a simple polygon whose concavity, computed exactly, is within the bound (TestMerge).
//  3. A mesh read from a file has the bent regions that were stored, and a file with other regions, or with regions beyond
//     the bound, is refused (TestStore, TestRestoreRefuses).
//  4. A path exists exactly if portals join start and goal. The path is the shortest inside of its regions, is not shorter than
//     the shortest path of the mesh, and not longer than the way on the graph, which is as long as the way back (TestPaths).
//  5. With a bound so large that a region of one part has no neighbour, paths are the shortest of the mesh where the floor
//     has no holes (TestOneRegion).
//
// Degenerate cases: start and goal in one bent region need no graph, although a shorter way may lead outside. A region with
// many portals has an edge for each pair of them.
//
// Cost: [Merge] as [concave.Merge]. [NewFinder] O(p²) paths for the p portals of a region, each over the convex regions
// of the bent one. A path costs a search on the graph, and O(n) for the n portals of the mesh to close all but those along
// the way.
//
// Departures: the source has no definition of its regions and no way to search them; both are ours.
package bent

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/concave"
	"github.com/meadow-nav/meadow/navmesh"
)

// Region is a bent region: convex regions of one layer of a tile.
type Region struct {
	Tile, Layer int
	// Ring is the border, simple and counter-clockwise, from the corner with the least x, and y, on.
	Ring lattice.Ring
	// Convex are the numbers of the convex regions in the tile, rising.
	Convex []int
	// Depth2 is the squared concavity in lattice units, 0 for a convex region.
	Depth2 lattice.Ratio
}

// Concavity returns the concavity in metres.
func (r *Region) Concavity() float64 { return r.Depth2.Sqrt() * lattice.Unit }

// setRing sets the border, from its first corner by place on, and the concavity.
func (r *Region) setRing(ring lattice.Ring) {
	first := 0
	for i, p := range ring {
		if p.Compare(ring[first]) < 0 {
			first = i
		}
	}
	r.Ring = slices.Concat(ring[first:], ring[:first])
	r.Depth2 = concave.Concavity2(r.Ring)
}

// Mesh is a mesh with its bent regions. A Mesh is immutable and safe for any number of goroutines.
type Mesh struct {
	Base *navmesh.Mesh
	// Bound is the largest concavity of a region, in metres.
	Bound float64
	// Regions are in the order of tiles, and of their first convex regions.
	Regions []Region

	of [][]int32 // by tile and convex region: the bent region
}

// Of returns the number of the bent region of a convex region; ok is false for a stale or foreign Ref.
func (m *Mesh) Of(r navmesh.Ref) (n int, ok bool) {
	if _, _, ok := m.Base.Region(r); !ok {
		return 0, false
	}
	return int(m.of[r.Slot()][r.Index()]), true
}

// Bent returns how many regions are not convex.
func (m *Mesh) Bent() int {
	n := 0
	for i := range m.Regions {
		if !m.Regions[i].Depth2.IsZero() {
			n++
		}
	}
	return n
}

// kind is the property that all convex regions of a bent one share.
type kind struct {
	layer uint16
	area  uint8
	flags uint32
	marks string
}

// kindOf returns the kind of a convex region.
func kindOf(t *navmesh.Tile, r int) kind {
	var marks []byte
	for _, m := range t.MarksOf(r) {
		marks = fmt.Append(marks, m.Mark, " ")
	}
	region := &t.Regions[r]
	return kind{region.Layer, region.Area, region.Flags, string(marks)}
}

// cellOf returns a convex region as a cell.
func cellOf(t *navmesh.Tile, r int) plan.Cell {
	var c plan.Cell
	for _, v := range t.RegionCorners(r) {
		c.Corners = append(c.Corners, plan.Corner{Point: t.Vertices[v].Point, On: plan.NoEdge})
	}
	return c
}

// Merge merges the regions of a mesh as far as a bound in metres allows. Errors: those of [concave.Merge], with the tile.
func Merge(ctx context.Context, base *navmesh.Mesh, bound float64) (*Mesh, error) {
	m := &Mesh{Base: base, Bound: bound}
	for t := range base.Tiles {
		tile := &base.Tiles[t]
		var order []kind
		members := map[kind][]int{}
		for r := range tile.Regions {
			k := kindOf(tile, r)
			if members[k] == nil {
				order = append(order, k)
			}
			members[k] = append(members[k], r)
		}
		var regions []Region
		for _, k := range order {
			var cells []plan.Cell
			for _, r := range members[k] {
				cells = append(cells, cellOf(tile, r))
			}
			merged, err := concave.Merge(ctx, cells, concave.Options{Bound: bound})
			if err != nil {
				return nil, fmt.Errorf("bent: tile %d, layer %d: %w", t, k.layer, err)
			}
			for _, r := range merged.Regions {
				region := Region{Tile: t, Layer: int(k.layer)}
				region.setRing(r.Ring)
				for _, c := range r.Cells {
					region.Convex = append(region.Convex, members[k][c])
				}
				regions = append(regions, region)
			}
		}
		slices.SortFunc(regions, func(a, b Region) int { return a.Convex[0] - b.Convex[0] })
		m.Regions = append(m.Regions, regions...)
	}
	m.number()
	return m, nil
}

// number fills the bent regions of convex ones.
func (m *Mesh) number() {
	m.of = make([][]int32, len(m.Base.Tiles))
	for t := range m.of {
		m.of[t] = make([]int32, len(m.Base.Tiles[t].Regions))
	}
	for i := range m.Regions {
		for _, c := range m.Regions[i].Convex {
			m.of[m.Regions[i].Tile][c] = int32(i)
		}
	}
}

// closed returns a mesh in which every portal between two bent regions is closed unless open allows both.
func (m *Mesh) closed(open func(a, b int32) bool) *navmesh.Mesh {
	out := *m.Base
	out.Links, out.Record = nil, nil
	out.Tiles = slices.Clone(m.Base.Tiles)
	for t := range out.Tiles {
		tile := &m.Base.Tiles[t]
		shut := make([]bool, len(tile.Portals))
		for r := range tile.Regions {
			first := tile.Regions[r].FirstPortal
			for k, p := range tile.RegionPortals(r) {
				a, b := m.of[t][r], m.of[t][p.To]
				shut[int(first)+k] = a != b && !open(a, b)
			}
		}
		out.Tiles[t] = tile.Without(shut)
	}
	out.Connect()
	return &out
}
