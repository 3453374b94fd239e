// Package search finds cheapest paths in directed graphs that know nothing but numbers: nodes are
// 0..n-1, edges have a cost. It imports no model; whoever has regions, portals or cells numbers them.
//
// A [Graph] is immutable and may be shared. A searcher owns the memory that its searches need,
// belongs to one goroutine at a time, and allocates nothing once it has grown. All searchers are
// a [Search]:
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
// "Exact" means that no path is cheaper; sums of float64 costs are rounded, so two searches may
// differ in the last bits where costs are not whole numbers. "As published" means that a path is found
// if there is one, and may be longer.
//
// What can be prepared for a graph that does not change: an [Overview] of its clusters, which
// [GirvanNewman] and [Louvain] find; [Landmarks], for a better estimate; a [Contraction].
package search
