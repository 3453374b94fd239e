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
// With Options.Plan and Options.Places meshes are also measured against the floor they were made for:
// coverage, the distance of the borders, what unsmoothed paths are worth.
//
// Guarantees:
//  1. a mesh measures the same wherever it lies (TestTranslation);
//  2. no complete mesh has fewer regions than the bound, no flow of the published procedure is above the
//     true one, and that is the same both ways (TestLaws) and the narrowest of all cuts (TestFlowAgainstAllCuts);
//  3. the objects placed are those that fit the grid, decided exactly (TestObjectsAgainstOneByOne);
//  4. the largest distance of two borders is right to a lattice unit (TestFarthestPoint);
//  5. points are those of the source's table 6.12 (TestPublishedPoints).
//
// A vertex here is a corner of a region at which it turns: a corner in the middle of a straight
// side, which a mesh may have where a neighbour ends, counts for none of the metrics.
package metric
