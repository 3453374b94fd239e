// Package planar holds the geometry used both for making and for checking a mesh: exact predicates on convex polygons
// and their sides on the lattice, and an index of boxes.
package planar
