// Package lattice is the integer plane for all decisions.
//
// World coordinates are multiples of a [Unit] of 2⁻¹² m (about 0.24 mm). A [Frame] is an integer offset into
// world coordinates; inside a frame a [Point] has two int32 coordinates below 2³⁰ in magnitude, so the
// orientation of three points is one exact int64 expression. Nothing here has a tolerance: a sign is never
// wrong, and the result of a predicate does not depend on the machine, on the order of its arguments or on
// the distance from the origin.
//
// Polygons are counter-clockwise outer rings with clockwise holes. Rings are open: the last point
// is not repeated.
package lattice
