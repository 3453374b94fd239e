// Package meadow turns a level into a navigation mesh and answers questions on it. It is the front
// door to the packages below it; five lines lead from a file to a path:
//
//	lvl, err := meadow.Open("level.glb")
//	mesh, err := meadow.Build(ctx, lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)})
//	q := mesh.NewQuery()
//	path, err := q.Path(ctx, meadow.Vec{X: 1, Y: 0, Z: 2}, meadow.Vec{X: 9, Y: 3, Z: -4})
//	err = mesh.Save("level.mesh")
//
// Lengths are metres, angles radians, axes right-handed with Y up. A [Mesh] is immutable and shared
// by any number of goroutines; a query belongs to one of them.
//
// [Build] uses the defaults. [BuildWith] takes [FloorOptions] and [MeshOptions]; their Extractor and Generator are interfaces,
// for the extractors and generators of the folder build and for your own. Zero fields mean defaults, and one error lists the
// faults of all fields.
//
// A nil context is an error. A context that has ended is an error before any work begins. Zero values and nil arguments
// are errors that say what is missing; a query on the zero Mesh finds nothing.
//
// A program that only loads meshes and asks them imports the packages navmesh/navfile and query
// instead, and links no extractor and no generator.
package meadow
