// Package metric measures navigation meshes: the twelve metrics of Hale's dissertation, what
// characters have trouble with, and the scheme that chooses the best of a pool of meshes.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes,
// dissertation, University of North Carolina at Charlotte, 2011, chapter 6; the near-degenerate
// regions are those of D. H. Hale, G. M. Youngblood, Creating High-Order Navigation Meshes through
// Iterative Wavefront Edge Expansions, section 19.5, which gives them in words only.
//
// Everything is measured in plan, over all layers. What decides (which bin, which region, which
// path) is decided on integers; measures are float64, sums are taken in the order of the regions,
// and the same mesh and options give the same Result.
//
// A vertex here is a corner of a region at which it turns: a corner in the middle of a straight
// side, which a mesh may have where a neighbour ends, counts for none of the metrics.
package metric
