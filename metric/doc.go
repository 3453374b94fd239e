// Package metric measures navigation meshes: the twelve metrics of Hale's dissertation, shapes that trouble characters,
// and the scheme that chooses the best of a pool of meshes.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation,
// University of North Carolina at Charlotte, 2011, chapter 6; the near-degenerate regions are from D. H. Hale, G. M.
// Youngblood, Creating High-Order Navigation Meshes through Iterative Wavefront Edge Expansions, section 19.5, which
// defines them in words only.
//
// All measures are taken in plan, over all layers. All decisions (bins, regions, paths) use integers; measures are
// float64, sums are in the order of the regions, and the same mesh and options give the same Result.
//
// With Options.Plan and Options.Places meshes are also measured against their floor: coverage, the distance of the
// borders, the quality of unsmoothed paths.
//
// Guarantees:
//  1. a mesh measures the same wherever it lies (TestTranslation);
//  2. no complete mesh has fewer regions than the bound; no flow of the published procedure is above the true flow; the
//     true flow is equal in both directions (TestLaws) and equals the narrowest of all cuts (TestFlowAgainstAllCuts);
//  3. the objects placed are exactly the objects of the grid that fit (TestObjectsAgainstOneByOne);
//  4. the largest distance of two borders is right to a lattice unit (TestFarthestPoint);
//  5. points agree with the source's table 6.12 (TestPublishedPoints).
//
// A vertex here is a corner where a region turns. A mesh may have corners in the middle of a straight side, at the end
// of a neighbour; no metric counts them.
package metric
