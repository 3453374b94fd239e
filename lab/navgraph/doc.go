// Package navgraph searches navigation meshes in the manner before exact paths: by graphs of points, the centroids of
// regions and the middles of portals. Its paths are longer than those of package query. They serve for comparisons,
// and as a small graph for other searches.
//
// A [Graph] is made once for an Index and shared; a [Finder] owns the memory of its searches and belongs to one
// goroutine. It returns a [Route]: the points of the graph, and the corridor of exits along them.
// [query.Query.Through] pulls a path tight in that corridor, and package smooth smooths it as Brand does:
//
//	g, err := navgraph.New(ix, navgraph.Options{Kind: navgraph.Both})
//	f := g.NewFinder()
//	route, err := f.Path(ctx, start, goal)            // Positions that queries of ix returned
//	path, err := q.Through(start, goal, route.Exits)  // the shortest in the corridor
//	edges := f.Edges(nil, route.Exits)                // what smooth.Smoother takes
//
// Other searchers run on [Graph.Search]; [Finder.Along] makes a route of their nodes.
package navgraph
