// Package query answers questions on a navigation mesh: the floor below a point, the nearest place on the mesh, the
// shortest path between two places.
//
// An [Index] is made once for a mesh and shared by all goroutines. A [Query] owns the memory of its searches and
// belongs to one goroutine; after its first few answers a Query allocates nothing.
//
//	ix := query.NewIndex(mesh)
//	q := ix.NewQuery()
//	path, err := q.Path(ctx, start, goal)
//
// Paths take the links of the mesh, at their cost. For agents that may not pass every door, link or area, [Index.With]
// derives another Index by a [Filter].
//
// For unreachable goals use [Query.PartialPath]. A [Search] runs in slices, and [Query.ToMany] finds the paths to many
// goals at once. A [Corridor] follows a moving agent and a moving goal. docs/algorithms/query.md has a table for
// readers who know Detour.
//
// No argument makes a question panic. A zero or nil Index, Query or Search asks a mesh without regions; a nil context,
// a number that is not finite and a Ref of another mesh are errors or find nothing. The mesh itself must pass
// [navmesh.Mesh.Check].
//
// Places are snapped to the lattice, which moves them by at most 0.18 mm. In return every decision, from point location
// to the funnel, is the sign of an integer.
package query
