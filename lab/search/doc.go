// Package search finds cheapest paths in directed graphs of mere numbers: nodes are 0..n-1, edges have a
// cost. It imports no model; callers number their regions, portals or cells.
//
// A [Graph] is immutable and may be shared. A searcher owns the memory of its searches, belongs to one
// goroutine at a time, and once grown allocates nothing. All searchers are a [Search]:
//
//	NewDijkstra              no estimate, cheapest paths                              exact
//	NewAStar                 estimate towards the goal                                exact
//	NewFringe                two unsorted lists and a threshold instead of a heap     exact or as published
//	NewBidirectional         two A* searches towards each other, one goroutine        exact
//	NewParallel              the same two searches on two goroutines                  exact
//	NewParallelFringe        two fringe searches on two goroutines                    exact
//	NewParallelPublished     the same, stopped where they first collide               as published
//	NewDistributed           one fringe search whose lists many goroutines share      as published
//	NewParallelHierarchy     short paths along the way through an overview, at once   as published
//	NewRipple                searches from start, goal and places between, at once    as published
//	Contraction.NewClimber   two small searches in a hierarchy prepared for a graph   exact
//
// "Exact" means that the path is a cheapest one; sums of float64 costs are rounded, so two searches may
// differ in the last bits where costs are not whole numbers. "As published" means that a path is found if one
// exists, and may be longer.
//
// Preparations for unchanging graphs: an [Overview] of its clusters, found by [GirvanNewman] or [Louvain];
// [Landmarks], for a better estimate; a [Contraction].
package search
