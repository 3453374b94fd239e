package sources

// Row is a row of work that the sources make, or, for N, that none of them has.
type Row struct {
	ID      string
	Subject string
	Chapter string // of the source; "" for N
	Command string // a command that shows the row, "" for a row without
	Tests   string // names of tests that fail without the row, with blanks between; "" for a row without
	Figures []Figure
	Why     string // the reason of a difference, or the state of a row without tests
}

// Figure names a figure of an experiment.
type Figure struct{ Experiment, Method, Metric string }

// Rows returns all rows of work, source by source.
func Rows() []Row { return rows }

var rows = []Row{
	{
		"H1", "PASFV: boxes on a grid grow, stop or split at obstacles, and are seeded again", "3.1", "meadow build LEVEL --generator pasfv", "TestLaws TestUnitSteps TestOptions",
		[]Figure{{"hale-3.1", "pasfv", "distance"}, {"hale-6.1", "pasfv", "regions"}, {"hale-6.6", "pasfv", "minimum_angle_mean"}},
		"worlds of ours; the source's texts contradict each other on the number of regions: docs/algorithms/experiments.md",
	},
	{"H2", "VASFV: growth of cubes in space", "4.1", "", "", nil, "waits: growth in the plane only so far"},
	{
		"H3", "Wavefront: one region at a time grows from event to event", "7", "meadow build LEVEL --generator wavefront", "TestLaws TestCellsAtAPoint TestSidesAreAxisParallel",
		[]Figure{{"hale-7.1", "wavefront", "regions"}, {"hale-7.2", "wavefront", "regions"}, {"hale-7.2", "wavefront", "minimum_angle"}},
		"the plane only; worlds of ours",
	},
	{
		"H4", "DASFV: a decomposition is repaired where obstacles come and go", "5", "meadow reproduce hale-5.4", "TestOnlyWhatMeets TestManyChanges TestKeepNeighbours",
		[]Figure{{"hale-5.3", "neighbours-removed", "regions"}, {"hale-5.3", "neighbours-kept", "regions"}},
		"",
	},
	{
		"H5", "twelve metrics, histograms, points, the best of a pool", "6", "meadow metrics MESH --level LEVEL", "TestThreeSquares TestFlowAgainstAllCuts TestPublishedPoints TestFigure68",
		[]Figure{{"hale-6.4", "hertelmehlhorn", "degree_mean"}, {"hale-6.8", "hertelmehlhorn", "efficiency"}, {"hale-6.12", "pasfv", "points"}, {"hale-6.12", "hertelmehlhorn", "points"}},
		"points follow the number of regions, see H1",
	},
	{
		"H6", "the rivals: volumes, triangles, trapezoids, trees, watershed, medial axis, roadmaps, path nodes", "2", "meadow lab roadmap LEVEL", "TestGeneratorsOnLevels TestRoadmap TestReduction",
		[]Figure{{"hale-7.1", "trapezoid", "regions"}, {"hale-7.2", "delaunay", "regions"}, {"hale-6.4", "sfv", "degree_mean"}},
		"extruded and three-dimensional forms wait for H2; render-generate is described only: docs/algorithms/render-generate.md",
	},
	{"H7", "agents that discover the mesh", "A", "", "", nil, "waits"},
	{"H8", "attackers and defenders that change the mesh", "B", "", "", nil, "waits"},
	{"H9", "growth at a rate that halves; seeds beside obstacles", "C", "meadow build LEVEL --generator pasfv --seeding edges --rate 1 --resolution 0.0625", "TestDynamicRate TestObstructionInformedSeeding", nil, "no table in the source; hale-c1 counts regions by rate"},
	{
		"H10", "collisions by the regions of a mesh, beside trees and hashes", "D", "meadow reproduce hale-d3", "TestRivalsAgainstAllPairs TestPublishedMesh TestStripsHoldTheRest", nil,
		"times are drawn, not printed; the mesh as published misses pairs: docs/algorithms/presence.md",
	},
	{"H11", "knowledge by region: who notices what", "8.2", "meadow reproduce hale-8.2", "TestKnown TestSightIsARay TestReasoning", nil, "no figure in the source"},
	{"H12", "the tables, figures and theorems again", "all", "meadow reproduce all", "TestNothingIsAbsent TestPublishedFigures TestTheorem71", nil, "meadow reproduce --list has the state of each"},
	{"H13", "regions that bend inwards a little, around curves", "8.2", "meadow lab bent LEVEL --concavity 0.1 --mesh MESH", "TestMaximal TestConcavity TestMerge TestStore TestPaths", nil, "the source leaves open how such regions are found and searched: docs/algorithms/rivals.md"},
	{
		"W1", "25 worlds like arena levels, by four methods", "19.4, 19.5", "meadow reproduce wavefront-25", "TestOrderings TestCellsAtAPoint", nil,
		"the source prints no figure; the claim on Hertel-Mehlhorn's number of regions holds within a tenth",
	},
	{"T1", "regions of one ground each, ground by rules or by names of materials", "algorithm 1", "meadow lab passes LEVEL", "TestTextureAware TestPlacesAreOfTheirArea TestGuess", nil, "one pass over divided domains, in place of a pass for each ground: docs/algorithms/terrain.md"},
	{"T2", "crossings between kinds of ground", "algorithm 1", "meadow build LEVEL --terrain RULES", "TestTraverse TestCrossingsForNothing", nil, ""},
	{"T3", "paths by method of moving", "use case", "meadow path MESH --method wheels --from 0,0,0 --to 9,0,0", "TestMethods TestAreaCostsAgainstSteinerPoints", nil, ""},
	{"T4", "growth that keeps to the ground below the seed", "H C", "meadow build LEVEL --terrain auto --generator wavefront", "TestTextureAware", nil, "domains of one ground each bound the growth"},
	{"A1", "portals from notches to the nearest vertex, edge or portal", "4", "meadow build LEVEL --generator anavmg", "TestFiveCandidates TestVertexPortal TestNoTJunctions", nil, ""},
	{"A2", "the nearest element by rendering", "4.1", "", "", nil, "waits for a machine with a graphics card"},
	{"A3", "relaxation of convexity", "4.3", "meadow compare LEVEL --generators anavmg --convex-distance 0.4", "TestRelaxedPillars TestRelaxedCellsStayInside", []Figure{{"oliva-15", "published", "cells_6_of_8_corners_0.8_to_2_m"}}, ""},
	{"A4", "one storey from above: pixels, contours, polygons", "5", "meadow build LEVEL --extractor topview", "TestAngleBetweenNormals TestHidesWhatIsBelow TestSmallObstacles", nil, "sides of pixels are walked in place of sorted contours: docs/algorithms/topview.md"},
	{"A5", "storeys by voxels and flooding", "6.1 to 6.2.3", "meadow build LEVEL --extractor raster", "TestLayersDoNotOverlap TestThinWallsSeparate", nil, "intervals and pieces in place of images: docs/algorithms/raster.md"},
	{"A6", "storeys joined to one mesh", "6.2.4", "meadow build LEVEL --extractor raster", "TestManyLayersMeet TestLayeredWorlds", nil, "seams are made before cells, so nothing is repaired"},
	{"A7", "cells by relaxation, time by vertices, Recast beside us", "8", "meadow reproduce --list oliva", "TestConvexDistanceSavesRegions", []Figure{{"oliva-39", "0.8", "cells_published_form"}}, "docs/peers.md has Recast beside us on many levels"},
	{"A8", "moving obstacles; jumps, crouching, climbing", "9", "meadow world MESH --script SCRIPT", "TestRandomChanges TestLinksAgainstOracle", nil, "links for jumps come from markers"},
	{"B1", "the surface of the union of solids", "3.3, 4, A", "meadow build LEVEL --extractor brep", "TestSurfaceIsClosed TestNoFaceIsLost TestFilesOfEveryKind", nil, "no snapping: docs/algorithms/brep.md"},
	{"B2", "walkable faces, welded gaps, jumps", "3.3.3 to 3.3.5", "meadow build LEVEL --extractor brand --jump 1.5,0.5 --avoid lava", "TestWelding TestSurfaceJumps TestAvoid", nil, ""},
	{"B3", "room for the radius; several radii on one mesh", "3.4, 4.4.2", "meadow reproduce brand-8.2", "TestRules TestSeveralRadii TestDoorwayByRadius", nil, "three rules; the published one widens walls by 1.41 radii"},
	{
		"B4", "fewer polygons by merging and by leaving out small ones", "4.4.1", "meadow reproduce brand-8.2", "TestMergeThree TestMergedRegionsAreConvex TestCull",
		[]Figure{{"brand-8.2", "uniform grid", "nodes"}, {"brand-8.2", "as cut", "nodes"}, {"brand-8.2", "merged", "fewer_percent"}},
		"a map of ours of the same size",
	},
	{"B5", "doors, ladders, lifts from markers", "4.4.3", "meadow build LEVEL", "TestDirections TestHalls TestCutPlansAreValid TestOneWayDoor", nil, ""},
	{"B6", "hierarchies over the graph; no way known at once", "4.4.4", "meadow lab search MESH", "TestClusteringsAreValid TestContractionEndsEarly", nil, "no figure in the source"},
	{"B7", "cells of empty space for flying", "4.4.5", "", "TestCellsFillTheBox TestCellsOfRooms", nil, "beginnings; no figure in the source"},
	{"B8", "graphs of points, the corridor smoother, curves, magnets", "5", "meadow lab smooth MESH", "TestPathPassesItsEdges TestSmoothedPathsStayOnTheMesh TestMagnetLeadsToTheGoal", nil, "no figure in the source"},
	{"B9", "whiskers, flocks, repulsors, groups in one corridor", "2.3, 2.4, 6.1", "meadow reproduce brand-5 brand-6", "TestWhiskersPass TestSection TestPull", nil, "no figure in the source"},
	{"B10", "footprints of travellers on divided polygons, and on sectors", "6.2, 8.3.2", "meadow reproduce brand-84", "TestDividesUnderFootprints TestSectorWays TestLocks", nil, "times are drawn, not printed"},
	{
		"B11", "fringe search and searches on several cores", "7", "meadow lab search MESH", "TestAllAgree TestDistributedComplete TestFringePublishedBound",
		[]Figure{{"brand-77", "parallel", "longer_percent_most"}, {"brand-77", "hierarchy", "longer_percent_most"}},
		"maps of ours; docs/algorithms/search.md has readings of what the text leaves open",
	},
	{
		"B12", "time and cost by length of path; mesh beside grid", "7.4, 8.2", "meadow reproduce brand-76 brand-77 brand-8.2", "TestBrandExactForms TestBrandTravellers TestUniformGrid",
		[]Figure{{"brand-76", "parallel", "saved_percent_most"}, {"brand-76", "distributed", "saved_percent_most"}, {"brand-76", "hierarchy", "saved_percent_most"}},
		"another machine, and maps of ours",
	},
	{"N1", "exact borders from any triangles, many storeys", "", "meadow build LEVEL", "TestBorderDistance TestExtractValidPlans", nil, ""},
	{"N2", "the shortest path, held against an oracle", "", "meadow path MESH --from 0,0,0 --to 9,0,0", "TestAgainstOracle TestPublishedLengths", nil, ""},
	{"N3", "any radius asked of one mesh", "", "meadow path MESH --from 0,0,0 --to 9,0,0 --radius 0.6", "TestFilterRadius TestWidenAgrees", nil, "any radius above the mesh's; any height waits"},
	{"N4", "a report with every build, and a judge of other systems' meshes", "", "meadow verify MESH --level LEVEL -o report.html", "TestBorderTooNear TestOwnMesh TestComponents TestShortcut", nil, ""},
	{"N5", "the same bytes on every machine", "", "", "TestBytesDoNotDependOnJobs TestMeshDoesNotDependOn", nil, "make golden holds the table of hashes on five processors"},
	{"N6", "changes as snapshots", "", "meadow world MESH --script SCRIPT", "TestRandomChanges TestCrowdCosts", nil, ""},
	{"N7", "generated links with a proof of the trajectory", "", "", "", nil, "waits"},
	{"N8", "errors with their place", "", "", "TestErrorsNameThePlace TestFaultsNameLineAndWord", nil, "errors are drawn by no viewer yet"},
	{"N9", "the files that people have", "", "meadow convert MESH OUT.mset", "TestReadPublished TestArchive TestCacheAgainstDetour TestRoundTrip TestSplitAndJoin", nil, "no server kit yet"},
	{"N10", "worlds in tiles, read when needed", "", "meadow build LEVEL --tiles 32", "TestPathsAgainstWhole TestTilesAgainstWhole", nil, "built on one machine so far"},
}
