// Package navgraph searches navigation meshes as it was done before paths on them were exact: by graphs of points, the
// centroids of regions and the middles of portals. Its paths are longer than those of package query, and here to be
// compared with, and for who needs a small graph to run other searches on.
//
// A [Graph] is made once for an Index and shared; a [Finder] owns the memory that searches need and belongs to one
// goroutine. What it finds is a [Route]: the points of the graph, and the corridor of exits that they lead through.
// [query.Query.Through] pulls a path tight in that corridor, and package smooth smooths it as Brand does:
//
//	g, err := navgraph.New(ix, navgraph.Options{Kind: navgraph.Both})
//	f := g.NewFinder()
//	route, err := f.Path(ctx, start, goal)            // Positions that queries of ix returned
//	path, err := q.Through(start, goal, route.Exits)  // the shortest in the corridor
//	edges := f.Edges(nil, route.Exits)                // what smooth.Smoother takes
//
// Other searchers run on [Graph.Search]; [Finder.Along] makes a route of the nodes that they find.
package navgraph
