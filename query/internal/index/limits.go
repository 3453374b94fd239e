package index

// Limits that keep every search small, whatever the mesh.
//
// Idea: A mesh from a file may have any geometry. Searches that rely on convex regions could then go around in circles
// and grow for ever. On a sound mesh, see [navmesh.Mesh.IsSound], every region is convex and every portal is a stretch
// of its own edge. Seen from above, a region is then a convex set of the plane and a portal is a segment of its border.
// A straight line crosses a segment once; hence a line of sight enters each region at most once, also where regions
// overlap. The number of views of a root is finite, and a corner becomes a root at most twice. On other meshes none of
// these facts holds, and a count bounds the search.
//
// Input: a mesh that passes [navmesh.Mesh.Check].
//
// Guarantees:
//  1. A search holds at most Index.Most nodes, and as many again for the node in expansion (TestSearchesAreBounded).
//  2. A ray crosses at most raysOver·n+rayStart regions of a mesh with n regions (TestRaysAreBounded).
//  3. A path compares about maxCompared spans of the floor at most (TestFloorWalkIsBounded).
//  4. On an unsound mesh, a search over uneven ground expands at most Index.Most cells (TestUnsoundCellsAreBounded).
//  5. No valid mesh of the tests comes near a limit (TestLimitsAreGenerous).
//
// Degenerate cases: a search for one goal that reaches the limit returns its best way, else the way of the corridor
// search, with a LowerBound of 0. A search for many goals does the same for each goal. A search for regions has no
// equivalent and fails with [ErrTooLarge].
//
// Cost: one comparison for each expanded node, and [navmesh.Mesh.IsSound] for each Index.

import "errors"

// ErrTooLarge is query.ErrTooLarge.
var ErrTooLarge = errors.New("query: the search has grown too large for the mesh")

const (
	// MaxNodes bounds the nodes of a search on a sound mesh: about 1 GB. No search of the tests needs more than a
	// 500th.
	MaxNodes = 1 << 24
	// Searches on other meshes have at most unsoundNodes nodes plus unsoundOver for each element. Searches of the tests
	// on sound meshes need at most a fifth of this limit.
	UnsoundNodes, UnsoundOver = 1 << 12, 64
	// Rays cross at most raysOver times the number of regions plus rayStart: each region once along the way, and once
	// around each point that the ray passes.
	raysOver, rayStart = 4, 16
	// MaxCompared bounds the comparisons of spans of the floor on a path: millions of triangles on the way. Beyond the
	// limit only the floor at portals counts.
	MaxCompared = 1 << 24
	// MaxSpan bounds the number of samples simplified together; in the worst case simplification takes the square of
	// their number.
	MaxSpan = 1 << 12
	// The hops of n wide links number at most hopStart plus hopsOver·n, and one more for each: enough for links of 1 km
	// in all, plus 16 m for each. Wider links have larger distances between hops.
	hopStart, hopsOver = 1 << 12, 1 << 6
)

func (ix *Index) limit() {
	ix.Most = MaxNodes
	if !ix.Sound {
		ix.Most = min(MaxNodes, UnsoundNodes+UnsoundOver*(ix.RegionLimit()+ix.PortalLimit()+len(ix.Hops)))
	}
}

// RayLimit returns the maximum number of regions on a ray.
func (ix *Index) RayLimit() int { return raysOver*ix.RegionLimit() + rayStart }
