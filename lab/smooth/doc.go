// Package smooth makes ways over a mesh that were found on a graph into ways to walk: [Smoother] is Brand's corridor
// smoother with its way-point reduction, [Spline] lays curves through way-points. It knows edges and points only, and
// no mesh.
package smooth
