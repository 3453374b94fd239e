// Package query answers questions on a navigation mesh: what is below this point, what is the
// nearest place on the mesh, which way leads from here to there.
//
// An [Index] is made once for a mesh and shared by everybody. A [Query] owns the memory that
// searches need and belongs to one goroutine; after its first few answers it allocates nothing.
//
//	ix := query.NewIndex(mesh)
//	q := ix.NewQuery()
//	path, err := q.Path(ctx, start, goal)
//
// Paths take the links of the mesh, at their cost. For those who may not pass every door, link or area,
// [Index.With] makes another Index by a [Filter].
//
// Goals that cannot be reached have [Query.PartialPath]; a [Search] goes on in slices, [Query.ToMany] finds the
// way to many goals at once, and a [Corridor] follows an agent and a goal that move. docs/algorithms/query.md has
// a table for those who know Detour.
//
// Places are snapped to the lattice, which moves them by at most 0.18 mm. In exchange every
// decision, from point location to the funnel, is the sign of an integer.
package query
