package waypoint

// Source: Kavraki, Švestka, Latombe and Overmars, Probabilistic roadmaps for path planning in
// high-dimensional configuration spaces, IEEE Transactions on Robotics and Automation 12 (1996); as
// D. H. Hale describes it in A Growth-Based Approach to the Automatic Generation of Navigation
// Meshes, dissertation, University of North Carolina at Charlotte (2011), section 2.3.
//
// Idea: points drawn at random in the free space are the nodes. Nodes that see each other are
// joined, the shortest edges first, until a node has as many edges as it may have.
//
// Input: a domain without crossing edges.
//
// Guarantees:
//  1. every node is inside of the free space and the inside of every edge touches no wall
//     (TestGraphsAreFree);
//  2. no node has more edges than allowed, and each pair of candidates in sight of each other is joined
//     unless one of them already has all its edges, all shorter (TestRoadmap);
//  3. the same domain and seed give the same graph, and moving the domain moves it (TestGraphsAreFree).
//
// Degenerate cases: free space without room for a lattice point inside of a triangle has fewer
// nodes than asked for, at worst none; nodes at the same place occur once.
//
// Cost: O(n log n) for the triangulation, and for N nodes of k edges O(N k log N) and the triangles on 8 N k
// segments.
//
// Departures: the source tries every pair of nodes, here a node tries its 8 k nearest. Points are drawn
// inside triangles in proportion to their area, equivalent to drawing from the whole world and rejecting
// obstructed points.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// RoadmapOptions say how a roadmap is made. Zero means the default.
type RoadmapOptions struct {
	Nodes int // that are drawn, default 200
	Edges int // that a node has at most, default 6
	Seed  uint64
}

// candidatesPerEdge is how many of the nearest nodes are tried for each edge that a node may have.
const candidatesPerEdge = 8

// Roadmap returns a probabilistic roadmap of d. Errors: negative options, a domain with a fault.
func Roadmap(ctx context.Context, d *plan.Domain, opt RoadmapOptions) (*Graph, error) {
	if opt.Nodes < 0 || opt.Edges < 0 || opt.Nodes > math.MaxInt32/2 {
		return nil, fmt.Errorf("waypoint: a roadmap of %d nodes with %d edges each", opt.Nodes, opt.Edges)
	}
	if opt.Nodes == 0 {
		opt.Nodes = 200
	}
	if opt.Edges == 0 {
		opt.Edges = 6
	}
	s, err := newSpace(ctx, d)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, 0x9E3779B97F4A7C15))
	var nodes []spot
	taken := make(map[lattice.Point]bool, opt.Nodes)
	// Some triangles have no room, and all places may be taken.
	for range 4 * opt.Nodes {
		if len(nodes) == opt.Nodes {
			break
		}
		if p, ok := s.draw(rng); ok && !taken[p.Point] {
			taken[p.Point] = true
			nodes = append(nodes, p)
		}
	}
	edges := make([][2]int32, 0, len(nodes)*opt.Edges/2)
	degree := make([]int, len(nodes))
	for _, c := range candidates(nodes, candidatesPerEdge*opt.Edges) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		i, j := c.pair[0], c.pair[1]
		if degree[i] < opt.Edges && degree[j] < opt.Edges && s.sees(nodes[i], nodes[j].Point) {
			degree[i]++
			degree[j]++
			edges = append(edges, c.pair)
		}
	}
	return newGraph(s, nodes, edges), nil
}

// candidate is a pair of nodes that may be joined.
type candidate struct {
	length2 uint64
	pair    [2]int32 // the lower number first
}

// candidates returns the pairs of every node with the most nearest other ones, each pair once, the
// shortest first.
func candidates(nodes []spot, most int) []candidate {
	buckets := newBuckets(nodes)
	var all []candidate
	for i := range int32(len(nodes)) {
		all = append(all, buckets.nearest(i, most)...)
	}
	sortCandidates(all)
	return slices.Compact(all)
}
