// Package waypoint builds graphs of points to walk along, in contrast to the cells of package gen. Characters
// used such graphs before navigation meshes; here they serve for comparisons of paths.
//
// A [Graph] has nodes in the free space of one domain and straight edges that are proven free, by exact
// predicates: the inside of an edge neither crosses nor touches a wall. [Roadmap] draws its nodes at random,
// [PathNodes] puts nodes into the triangles of the floor. Chains count as walls.
package waypoint
