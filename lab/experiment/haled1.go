package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
)

// leaf is a cell of a k-d tree that divides a level, with the way from the root: a bit for each division.
type leaf struct {
	box   lattice.Box
	way   uint32
	depth int
}

// divide cuts a box at the middles of objects by turns, along X first, until a leaf has at most one object or the depth is
// reached. The cut goes through the median of the middles.
func divide(leaves []leaf, at leaf, objects []lattice.Box, depth int) []leaf {
	if depth == 0 || len(objects) < 2 {
		return append(leaves, at)
	}
	across := at.depth%2 == 1
	middle := func(b lattice.Box) int32 {
		if across {
			return b.Min.Y + (b.Max.Y-b.Min.Y)/2
		}
		return b.Min.X + (b.Max.X-b.Min.X)/2
	}
	order := slices.Clone(objects)
	slices.SortFunc(order, func(a, b lattice.Box) int { return int(middle(a)) - int(middle(b)) })
	cut := middle(order[len(order)/2])
	low, high := at, at
	low.depth, high.depth = at.depth+1, at.depth+1
	low.way, high.way = at.way<<1, at.way<<1|1
	if across {
		low.box.Max.Y, high.box.Min.Y = cut, cut
	} else {
		low.box.Max.X, high.box.Min.X = cut, cut
	}
	leaves = divide(leaves, low, order[:len(order)/2], depth-1)
	return divide(leaves, high, order[len(order)/2:], depth-1)
}

// shareEdge reports whether two boxes share more of their borders than a point.
func shareEdge(a, b lattice.Box) bool {
	x0, x1 := max(a.Min.X, b.Min.X), min(a.Max.X, b.Max.X)
	y0, y1 := max(a.Min.Y, b.Min.Y), min(a.Max.Y, b.Max.Y)
	return x0 == x1 && y0 < y1 || y0 == y1 && x0 < x1
}

// haled1 compares what a mesh and a k-d tree know about neighbours: "leaf nodes D and E both come of the same subnode but
// they might well be from completely different sides of the level, while the nodes E and A … might well share a common edge".
func haled1(ctx context.Context, _ Options) (Report, error) {
	b := captureTheFlag()
	l, err := b.level(ctx, "capture the flag")
	if err != nil {
		return Report{}, err
	}
	leaves := divide(nil, leaf{box: l.over}, l.statics, haleDepth)
	var adjacent, siblings, apart, steps, farthest int
	for i, a := range leaves {
		for _, c := range leaves[:i] {
			sameParent := a.depth == c.depth && a.way>>1 == c.way>>1
			if sameParent && !shareEdge(a.box, c.box) {
				apart++
			}
			if !shareEdge(a.box, c.box) {
				continue
			}
			adjacent++
			if sameParent {
				siblings++
			}
			// Up to the last common node, and down again.
			common := min(a.depth, c.depth)
			for a.way>>(a.depth-common) != c.way>>(c.depth-common) {
				common--
			}
			n := a.depth + c.depth - 2*common
			steps, farthest = steps+n, max(farthest, n)
		}
	}
	portals, shared := 0, 0
	for i := range l.mesh.Tiles {
		t := &l.mesh.Tiles[i]
		for r := range t.Regions {
			for _, p := range t.RegionPortals(r) {
				portals++
				if t.Vertices[p.Left].Point != t.Vertices[p.Right].Point {
					shared++
				}
			}
		}
	}
	const tree = "kd-tree"
	r := Report{
		Trials: fmt.Sprintf("%s, %d static objects", l.name, len(l.statics)),
		Rows: []Row{
			constructed(pasfv, "cells", float64(l.mesh.RegionCount())),
			constructed(tree, "cells", float64(len(leaves))),
			constructed(pasfv, "adjacent_pairs", float64(portals)/2),
			constructed(tree, "adjacent_pairs", float64(adjacent)),
			constructed(pasfv, "known_pairs", float64(portals)/2),
			constructed(tree, "known_pairs", float64(siblings)),
			constructed(pasfv, "steps_to_neighbour", 1),
			constructed(tree, "steps_to_neighbour", float64(steps)/float64(max(adjacent, 1))),
			constructed(pasfv, "most_steps", 1),
			constructed(tree, "most_steps", float64(farthest)),
		},
		Reasons: []Reason{{"known_pairs", "leaves under one node; all other neighbours are found by way of a common node above"}},
		Shown:   Shown{World: World{l.name, l.domain}, Methods: []string{pasfv}, Meshes: []*navmesh.Mesh{l.mesh}, Results: []metric.Result{l.result}},
	}
	r.claim("adjacent regions of the mesh share a common edge, all of them", shared == portals && portals > 0)
	r.claim(fmt.Sprintf("leaves on different sides of the tree share an edge (%d of %d pairs that share one have no common parent)", adjacent-siblings, adjacent), siblings < adjacent)
	r.Reasons = append(r.Reasons, Reason{"same node", "a tree that divides space leaves two leaves of one node on the two sides of its cut, where they share an edge; so the source's leaves D and E are farther apart in the tree"})
	r.claim(fmt.Sprintf("leaves of the same node may be from different sides of the level (%d pairs share no edge)", apart), apart > 0)
	return r, nil
}
