// Package experiment repeats published experiments. It makes worlds with the statistics of the source's, decomposes
// them by every method of the source, measures the meshes, tests the differences, and puts the published figures
// beside ours, with the reason for each difference.
//
// Sources: H is D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation,
// University of North Carolina at Charlotte, 2011, whose table and theorem numbers the experiments bear. W is
// D. H. Hale, G. M. Youngblood, Creating High-Order Navigation Meshes through Iterative Wavefront Edge
// Expansions, section 19.5. B is S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes,
// thesis, Delft University of Technology, 2009, whose figure numbers the experiments on searches and groups bear. O is R. Oliva,
// ANavMG: Automatic generation of suboptimal NavMeshes for 3D virtual environments, MSc thesis, UPC Barcelona, 2012, chapters 4 to 8.
//
// Guarantees:
//  1. worlds have the statistics that their rules name, and a seed gives the same world on every machine
//     (TestWorldStatistics, TestWorldsAreTheSameAgain);
//  2. every report is the same for any number of goroutines (TestJobsDoNotMatter), but for B's, which have times and
//     searches on several goroutines: counts on one or two goroutines are the same again
//     (TestBrandCountsAreTheSameAgain). Times of hale-5.4, hale-5.5 and hale-d3 to hale-d6 differ, and their counts are the same again
//     (TestRepairCountsAreTheSameAgain, TestAppendixDByWork);
//  3. the F-test is that of tables and of worked examples (TestBetaAgainstClosedForms, TestFTables, TestRepeatedMeasures);
//  4. published figures are the source's, digit by digit (TestPublishedFigures).
//
// Departures: the sources' worlds were not published, so ours share their statistics and not their corners;
// worlds.go lists the known facts. Paths of table 3.1 join the same places in every decomposition, where the
// source paired regions of about the same place and size by a table.
package experiment
