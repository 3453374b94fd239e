// Package geom holds the plain float64 geometry that every model shares: vectors, boxes,
// rigid and affine maps, and the agent that a mesh is made for.
//
// Conventions, stated once for the whole project: right-handed axes, Y up, metres, radians, polygons
// counter-clockwise seen from above. The ground plane is (x, -z), because plain (x, z) mirrors the plane and
// turns every polygon inside out; only [Ground] and [FromGround] know the rule.
package geom
