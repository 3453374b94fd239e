// Package planar holds what making and checking a mesh have in common: exact questions about
// convex polygons and their sides on the lattice, and an index of boxes.
package planar
