package sources

// The reasons of several differences.
const (
	busyMachine       = "a time: it belongs to the machine and to its other work"
	treeFaster        = "our tree makes a sixth of the tests of the mesh as published: docs/algorithms/presence.md"
	gridFaster        = "a grid knows no regions and no storeys; presence pays for exact places: docs/algorithms/presence.md"
	centreOnly        = "the source looks at centres; every 40th object touches a static object while its centre is free"
	hashFaster        = "the source's hash had an upkeep that hid its tests; ours has none"
	fewerUnexplained  = "not explained: none of our worlds has fewer, and section 3.2 of the source has the reverse as well: docs/algorithms/experiments.md"
	slivers           = "two notches nearly in line leave a sliver, in 3 of 100 worlds: docs/algorithms/wavefront.md"
	moreThanPublished = "faster than published, by a little; A* pays for its heap where no path exists: docs/algorithms/search.md"
	wideMissed        = "objects wider than a region reach beyond its neighbours: docs/algorithms/presence.md"
)

var differences = []Difference{
	{"hale-5.4", "seeds of the neighbours come to all", "where no neighbour is left, nobody seeds; PASFV's first seeds follow: docs/algorithms/dasfv.md"},
	{"hale-5.4", "and less time", busyMachine},
	{"hale-5.5", "repair is always desirable", "nothing undoes the cuts of changes that are gone: docs/algorithms/dasfv.md"},
	{"hale-5.5", "and less time", busyMachine},
	{"hale-5.5", "and as much time", busyMachine},
	{"hale-6.1", "table 6.1: PASFV has fewer", fewerUnexplained},
	{"hale-6.1", "table 6.1, walls in line", fewerUnexplained},
	{"hale-6.12", "PASFV has more points", "points follow the other tables; PASFV has twice the published regions here: docs/algorithms/experiments.md"},
	{"hale-7.2", "on 100 worlds Wavefront's homogeneity", slivers},
	{"hale-7.2", "on 100 worlds no region of Wavefront", slivers},
	{"hale-d1", "leaves of the same node", "no leaves of one node are apart on this level"},
	{"hale-d3", "time: the mesh as published is faster than kd-tree", treeFaster},
	{"hale-d3", "time: it is faster than the spatial hash", hashFaster},
	{"hale-d3", "time: presence is faster than a modern grid", gridFaster},
	{"hale-d3", "and every pair of", wideMissed},
	{"hale-d4", "time: the mesh as published is faster than kd-tree", treeFaster},
	{"hale-d4", "time: it is faster than the spatial hash", hashFaster},
	{"hale-d4", "time: presence is faster than a modern grid", gridFaster},
	{"hale-d4", "work: and fewer than a modern grid", gridFaster},
	{"hale-d4", "and every pair of", wideMissed},
	{"hale-d5", "an object in free space touches no static", centreOnly},
	{"hale-d6", "an object in free space touches no static", centreOnly},
	{"brand-57", "a relaxation of 5 is the fastest", "long detours leave little to the estimate where each wall has one passage; 5 to 10 is best on maps with ways around: docs/algorithms/search.md"},
	{"brand-57", "with it fringe search is 1.5 to 2.5", moreThanPublished},
	{"brand-57", "and 1.5 to 2.5 times as fast", moreThanPublished},
	{"brand-69", "cyclic reseeding makes", busyMachine},
	{"brand-76", "parallel bidirectional search is the fastest", busyMachine},
	{"brand-76", "distributed fringe search is faster", "four goroutines on fewer cores wait for each other at every pass: docs/algorithms/search.md"},
	{"brand-76", "parallel hierarchy search is slower than fringe", "its searches are short, not parallel: the fastest published form on long paths here: docs/algorithms/search.md"},
	{"brand-76", "parallel hierarchy search is slower than A*", busyMachine},
	{"brand-77", "parallel hierarchy search has paths 20 to 45", "closed doors that the overview shows as open explain most of it, and not the range of every class: docs/algorithms/search.md"},
	{"brand-77", "parallel hierarchy search has the longest paths with one passage", "not explained: 1 to 2 % longer on our maps, 4 to 12 % on maps with ways around, 20 to 45 % published: docs/algorithms/search.md"},
	{"brand-8.2", "as cut, the mesh takes 49 kB", "the source gives no layout; 16 kB are vertices, kinds and travellers: docs/algorithms/brep.md"},
	{"brand-83", "loaded, the mesh as cut takes fewer bytes", "a plain layout of our mesh as cut takes more than the grid's four bytes a node: docs/algorithms/brep.md"},
	{"brand-83", "smoothing is about the same work", "the mesh as cut has half as many items to smooth as the grid: docs/algorithms/brep.md"},
	{"brand-84", "divided, the mesh has far fewer nodes than the grid, if", "divisions that stay add up: docs/algorithms/footprints.md"},
	{"brand-84", "divided, the mesh takes less memory", "a plain layout with corners, lines, edges and locks: docs/algorithms/footprints.md"},
	{"brand-84", "larger polygons make divisions cheaper", "a polygon of 20 m needs two or three more depths than one of 3 m: docs/algorithms/footprints.md"},
	{"theorem-4.1", "theorem 4.1:", "a region may cover edges of several obstacles: docs/algorithms/experiments.md"},
}
