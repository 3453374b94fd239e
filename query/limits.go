package query

// Limits that keep every search small, whatever the mesh.
//
// Idea: A mesh from a file may have any geometry, and searches that rest on convex regions could then go
// around in circles and grow for ever. On a sound mesh, see [navmesh.Mesh.IsSound], every region is convex
// and every portal is a stretch of its own edge. Seen from above, a region is then a convex set of the
// plane and a portal is a segment of it. A straight line crosses a segment once, so that a line of sight
// enters each region at most once, also where regions overlap. The number of views of a root is finite,
// and a corner becomes a root at most twice. On other meshes nothing of this holds, and a count takes its
// place.
//
// Input: a mesh that passes [navmesh.Mesh.Check].
//
// Guarantees:
//  1. A search holds at most Index.most nodes, and as many again for the node that it takes up
//     (TestSearchesAreBounded).
//  2. A ray crosses at most raysOver·n+rayStart regions of a mesh with n regions (TestRaysAreBounded).
//  3. A path compares about maxCompared spans of the floor at most (TestFloorWalkIsBounded).
//  4. On a mesh that is not sound, a search over uneven ground takes up at most Index.most cells
//     (TestUnsoundCellsAreBounded).
//  5. No valid mesh of the tests comes near a limit (TestLimitsAreGenerous).
//
// Degenerate cases: a search for one goal that reaches the limit returns the best way that it has found,
// else the way of the corridor search, with a LowerBound of 0. A search for many goals does the same for
// each goal. A search for regions has no such answer and fails with [ErrTooLarge].
//
// Cost: one comparison for each node that is taken up, and [navmesh.Mesh.IsSound] for each Index.

import "errors"

// ErrTooLarge is the error of a search that reached the limit of its nodes. On a mesh in which
// [navmesh.Mesh.Validate] finds no fault, only meshes of many millions of portals come near the limit.
var ErrTooLarge = errors.New("query: the search has grown too large for the mesh")

const (
	// maxNodes bounds the nodes of a search on a sound mesh: about 1 GB. No search of the tests has more than
	// a 500th.
	maxNodes = 1 << 24
	// Searches on other meshes have at most unsoundNodes nodes, and as many for each element as unsoundOver.
	// Searches of the tests on sound meshes need at most a fifth of this limit.
	unsoundNodes, unsoundOver = 1 << 12, 64
	// Rays cross at most raysOver times as many regions as there are, and rayStart more: once along the way, and once
	// for each region around a point that they pass.
	raysOver, rayStart = 4, 16
	// maxCompared bounds the comparisons of spans of the floor on a path: millions of triangles on the way. Beyond the
	// limit only the floor at portals counts.
	maxCompared = 1 << 24
	// maxSpan bounds the samples that are simplified together, which takes the square of their number at worst.
	maxSpan = 1 << 12
	// The hops of n wide links are at most hopStart and hopsOver·n, and one more for each: links of 1 km in all, and 16 m
	// for each. Hops of wider links are farther apart.
	hopStart, hopsOver = 1 << 12, 1 << 6
)

// limit sets the most nodes of a search.
func (ix *Index) limit() {
	ix.most = maxNodes
	if !ix.sound {
		ix.most = min(maxNodes, unsoundNodes+unsoundOver*(len(ix.regions)+len(ix.portals)+len(ix.hops)))
	}
}

// nodes returns the number of nodes that the search has made since it began anew.
func (s *intervalSearch) nodes() int { return len(s.views) + len(s.roots) - s.earlier }

// full reports whether the search holds as many nodes as it may, and remembers that it did.
func (q *Query) full() bool {
	s := &q.interval
	s.over = s.over || s.nodes() > q.ix.most || len(s.views) > maxID || len(s.roots) > maxID
	return s.over
}

// maxID bounds the views and the roots of a search: nodes are numbered by twice as many.
const maxID = 1<<30 - 1<<24

// rayLimit returns the most regions that a ray crosses.
func (ix *Index) rayLimit() int { return raysOver*len(ix.regions) + rayStart }
