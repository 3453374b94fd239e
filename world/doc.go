// Package world is a navigation mesh that changes: obstacles, modifiers, doors and links come and go, while any number of
// goroutines ask snapshots.
//
//	w, err := meadow.NewWorld(ctx, mesh, meadow.WorldOptions{})
//	change, err := w.Apply(ctx, world.Put{ID: "crate 7", Solid: world.Box{Base: at, Size: size}})
//	path, err := w.Now().NewQuery().Path(ctx, start, goal)
//
// Source: our own; docs/decisions/world.md compares the repair of J. Hale, growth-based decompositions, chapter 5, which is
// in lab/dasfv.
//
// Idea: the truth has no history. A world is a base mesh and the set of things that stand in it, and its mesh is a function
// of both: every region of the base that footprints reach is cut anew from the region and all its footprints, and every other
// region stays as it is. A snapshot shares all that a change does not touch with the snapshot before.
//
// Input: a mesh that passes navmesh.Mesh.Check.
//
// Guarantees:
//  1. The mesh of a snapshot has no fault by navmesh.Mesh.Validate, if its base has none, and is the same for every
//     order of changes that leads to the same things (TestRandomChanges).
//  2. A change is made whole or not at all, and one error names the edit (TestWrongEdits).
//  3. Without things the mesh is the base (TestRandomChanges).
//  4. An obstacle takes exactly the floor where it blocks the agent, up to the tolerance of round corners, see package
//     footprint (TestBlockedBy).
//  5. Doors act on all radii at once (TestDoors).
//
// Degenerate cases: obstacles may overlap, touch, cover whole regions or reach no floor. An obstacle that is nowhere near
// the base, seen from above, is an error. Obstacles only take floor: for floor that comes, such as a bridge that is
// lowered, build the base with the bridge and put an obstacle over it while the bridge is up.
//
// Cost: a change takes time for the regions that its footprints reach, not for the level. A new world prepares all regions of its
// base, in O(n) time for n corners and sides near others.
package world
