// Package waypoint builds graphs of points to walk along, where package gen builds cells to walk in:
// what characters used before navigation meshes, to compare paths with.
//
// A [Graph] has nodes in the free space of one domain and straight edges that are proven free, by
// exact predicates: the inside of an edge neither crosses nor touches a wall. [Roadmap] draws its
// nodes at random, [PathNodes] puts them into the triangles of the floor. Chains count as walls.
package waypoint
