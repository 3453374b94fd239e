package main

import (
	"fmt"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/query"
)

// labGraphCmd compares the graphs of points of package navgraph.
type labGraphCmd struct {
	Graph string `default:"midpoints" enum:"centroids,midpoints,both,enhanced" placeholder:"KIND" help:"Graph of points to draw: centroids, midpoints, both or enhanced (default ${default})." group:"Graph"`
	Large number `default:"8" placeholder:"M" help:"Least extent of an enhanced region, in metres (default ${default})." group:"Graph"`

	labPairs
	labInput
}

// graphRow is a graph in the table. Lengths are in per cent over the shortest paths.
type graphRow struct {
	Graph    string  `json:"graph"`
	Nodes    int     `json:"nodes"`
	Edges    int     `json:"edges"`
	Expanded float64 `json:"expanded_mean"`
	Raw      float64 `json:"longer_along_nodes_percent"`
	Funnel   float64 `json:"longer_funnel_percent"`
	Brand    float64 `json:"longer_brand_percent"`
}

// Run asks all graphs for the same pairs.
func (c *labGraphCmd) Run(e *env) error {
	if err := c.labPairs.validate(); err != nil {
		return err
	}
	mesh, err := c.mesh(e)
	if err != nil {
		return err
	}
	ix, q := mesh.Index(), mesh.NewQuery()
	pairs, err := c.sample(e, q)
	if err != nil {
		return inFile(c.Input, err)
	}
	var rows []graphRow
	for _, kind := range navgraph.Kinds() {
		g, err := navgraph.New(ix, navgraph.Options{Kind: kind, Large: float64(c.Large)})
		if err != nil {
			return err
		}
		row, err := askGraph(e, g, ix, q, pairs)
		if err != nil {
			return inFile(c.Input, err)
		}
		rows = append(rows, row)
		if kind.String() == c.Graph {
			if err := c.draw(e, mesh, paleRegions, graphList(g, nil)); err != nil {
				return err
			}
		}
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Pairs  int        `json:"pairs"`
			Graphs []graphRow `json:"graphs"`
		}{len(pairs), rows})
	}
	fmt.Fprintf(e.stdout, "%s: %s; lengths in per cent over the shortest paths\n", c.Input, count(len(pairs), "pair"))
	printTable(e.stdout, len(rows), []tableColumn{
		{"graph", func(r int) string { return rows[r].Graph }},
		{"nodes", func(r int) string { return fmt.Sprint(rows[r].Nodes) }},
		{"edges", func(r int) string { return fmt.Sprint(rows[r].Edges) }},
		{"expanded", func(r int) string { return fixed(rows[r].Expanded, 1) }},
		{"along nodes", func(r int) string { return fixed(rows[r].Raw, 2) }},
		{"funnel", func(r int) string { return fixed(rows[r].Funnel, 2) }},
		{"brand", func(r int) string { return fixed(rows[r].Brand, 2) }},
	})
	return nil
}

// askGraph finds a way along a graph for every pair and smooths the way in two manners.
func askGraph(e *env, g *navgraph.Graph, ix *query.Index, q *query.Query, pairs []pair) (graphRow, error) {
	row := graphRow{Graph: g.Kind().String(), Nodes: g.Search().Nodes(), Edges: g.Search().Edges()}
	finder := g.NewFinder()
	var exact, raw, funnel, brand, expanded float64
	for _, p := range pairs {
		route, err := finder.Path(e.ctx, p.from, p.to)
		if err != nil {
			return row, err
		}
		if !route.Found {
			return row, fmt.Errorf("the graph of %v does not join %v and %v", g.Kind(), p.from.Point, p.to.Point)
		}
		path, err := q.Through(p.from, p.to, route.Exits)
		if err != nil {
			return row, err
		}
		links := path.Cost - path.Length
		exact += p.exact
		expanded += float64(route.Expanded)
		raw += route.Cost
		funnel += path.Cost
		brand += lengthOf(brandWay(ix, finder, p.from, p.to, route.Exits)) + links
	}
	row.Expanded = expanded / float64(len(pairs))
	row.Raw, row.Funnel, row.Brand = percentOver(raw, exact), percentOver(funnel, exact), percentOver(brand, exact)
	return row, nil
}

// graphList draws the nodes and edges of a graph. Nodes take the colour of their cluster, if clusters are given.
func graphList(g *navgraph.Graph, of []int32) *draw.List {
	var l draw.List
	s := g.Search()
	at := func(n int32) geom.Vec {
		node, _ := g.Node(n)
		return node.Point
	}
	for n := range int32(s.Nodes()) {
		to, _ := s.From(n)
		for _, m := range to {
			if n < m {
				l.Lines = append(l.Lines, draw.Line{P: lifted(at(n), at(m)), Color: edgeColor, Width: 1.2, OnTop: true})
			}
		}
	}
	for n := range int32(s.Nodes()) {
		fill := nodeColor
		if of != nil && of[n] >= 0 {
			fill = wayColors[int(of[n])%len(wayColors)]
		}
		l.Points = append(l.Points, draw.Point{P: lifted(at(n))[0], Color: fill, Radius: 4, OnTop: true})
	}
	return &l
}

// labSmoothCmd compares smoothers and curves.
type labSmoothCmd struct {
	Graph string `default:"midpoints" enum:"centroids,midpoints,both,enhanced" placeholder:"KIND" help:"Graph of points whose ways are smoothed: centroids, midpoints, both or enhanced (default ${default})." group:"Graph"`
	Large number `default:"8" placeholder:"M" help:"Least extent of an enhanced region, in metres (default ${default})." group:"Graph"`
	From  *point `and:"way" placeholder:"X,Y,Z" help:"Start of the way to draw (default: the longest pair)." group:"Pairs"`
	To    *point `and:"way" placeholder:"X,Y,Z" help:"Goal of the way to draw." group:"Pairs"`

	labPairs
	labInput
}

// smoothRow is a smoother in the table.
type smoothRow struct {
	Smoother string  `json:"smoother"`
	Curve    string  `json:"curve"`
	Points   float64 `json:"points_mean"`
	Longer   float64 `json:"longer_percent"`
	// Off is the share of ways with a piece that leaves the mesh.
	Off float64 `json:"leaves_mesh_percent"`
}

// smoothers are the rows: what is made of a way along nodes.
var smoothers = []struct {
	smoother, curve string
	kind            smooth.SplineKind
	free            bool // the curve is kept on the floor
}{
	{smoother: "none"},
	{smoother: "funnel"},
	{smoother: "brand"},
	{"funnel", "catmull-rom", smooth.CatmullRom, false},
	{"brand", "catmull-rom", smooth.CatmullRom, false},
	{"brand", "catmull-rom, on the floor", smooth.CatmullRom, true},
	{"brand", "b-spline", smooth.BSpline, false},
}

// Run smooths the ways of all pairs.
func (c *labSmoothCmd) Run(e *env) error {
	if err := c.labPairs.validate(); err != nil {
		return err
	}
	mesh, err := c.mesh(e)
	if err != nil {
		return err
	}
	ix, q := mesh.Index(), mesh.NewQuery()
	pairs, err := c.pairs(e, q)
	if err != nil {
		return inFile(c.Input, err)
	}
	kind, err := navgraph.ParseKind(c.Graph)
	if err != nil {
		return err
	}
	g, err := navgraph.New(ix, navgraph.Options{Kind: kind, Large: float64(c.Large)})
	if err != nil {
		return err
	}
	shown := 0
	for i := range pairs {
		if pairs[i].exact > pairs[shown].exact {
			shown = i
		}
	}
	rows := make([]smoothRow, len(smoothers))
	sums := make([]struct{ length, points, off float64 }, len(smoothers))
	exact := 0.0
	var over draw.List
	finder, ways := g.NewFinder(), make([][]geom.Vec, len(smoothers))
	for i, p := range pairs {
		off, links, err := smoothWays(e, ix, q, finder, p, ways)
		if err != nil {
			return inFile(c.Input, err)
		}
		exact += p.exact
		for k, w := range ways {
			sums[k].length += lengthOf(w) + links
			sums[k].points += float64(len(w))
			if off[k] {
				sums[k].off++
			}
			if i == shown && k < len(wayColors) {
				l := draw.Path(w, draw.PathOptions{Color: wayColors[k], Width: 3})
				over.Append(&l)
			}
		}
	}
	for k, s := range smoothers {
		rows[k] = smoothRow{s.smoother, s.curve, sums[k].points / float64(len(pairs)), percentOver(sums[k].length, exact), 100 * sums[k].off / float64(len(pairs))}
	}
	if err := c.draw(e, mesh, paleRegions, &over); err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Pairs     int         `json:"pairs"`
			Graph     string      `json:"graph"`
			Smoothers []smoothRow `json:"smoothers"`
		}{len(pairs), c.Graph, rows})
	}
	fmt.Fprintf(e.stdout, "%s: %s along the graph of %s; lengths over the shortest paths\n", c.Input, count(len(pairs), "way"), c.Graph)
	printTable(e.stdout, len(rows), []tableColumn{
		{"smoother", func(r int) string { return rows[r].Smoother }},
		{"curve", func(r int) string { return rows[r].Curve }},
		{"points", func(r int) string { return fixed(rows[r].Points, 1) }},
		{"longer, %", func(r int) string { return fixed(rows[r].Longer, 2) }},
		{"leaves the mesh, % of ways", func(r int) string { return fixed(rows[r].Off, 1) }},
	})
	return nil
}

// pairs returns the given pair or random ones.
func (c *labSmoothCmd) pairs(e *env, q *query.Query) ([]pair, error) {
	if c.From == nil {
		return c.sample(e, q)
	}
	p, err := askedPair(e, q, geom.Vec(*c.From), geom.Vec(*c.To))
	return []pair{p}, err
}

// askedPair finds the shortest path between two given places.
func askedPair(e *env, q *query.Query, from, to geom.Vec) (pair, error) {
	path, err := q.Path(e.ctx, from, to)
	if err != nil {
		return pair{}, err
	}
	if !path.Complete {
		return pair{}, no("no path from %v to %v", from, to)
	}
	regions := path.Regions()
	start := query.Position{Ref: regions[0], Point: path.Points[0]}
	goal := query.Position{Ref: regions[len(regions)-1], Point: path.Points[len(path.Points)-1]}
	return pair{start, goal, path.Cost}, nil
}

// smoothWays fills ways with the way of a pair by each smoother, and tells which leave the mesh and what links cost.
func smoothWays(e *env, ix *query.Index, q *query.Query, finder *navgraph.Finder, p pair, ways [][]geom.Vec) (off []bool, links float64, err error) {
	route, err := finder.Path(e.ctx, p.from, p.to)
	if err != nil {
		return nil, 0, err
	}
	if !route.Found {
		return nil, 0, fmt.Errorf("the graph does not join %v and %v", p.from.Point, p.to.Point)
	}
	path, err := q.Through(p.from, p.to, route.Exits)
	if err != nil {
		return nil, 0, err
	}
	links = path.Cost - path.Length
	bends := map[string][]geom.Vec{
		"none":   append([]geom.Vec(nil), route.Points...),
		"funnel": append([]geom.Vec(nil), path.Points...),
		"brand":  brandWay(ix, finder, p.from, p.to, route.Exits),
	}
	free, floor := navgraph.OnMesh(q, ix.Mesh())
	off = make([]bool, len(smoothers))
	for k, s := range smoothers {
		ways[k] = bends[s.smoother]
		if s.curve != "" {
			opt := smooth.SplineOptions{Kind: s.kind}
			if s.free {
				opt.Free, opt.Floor = free, floor
			}
			var spline smooth.Spline
			samples, err := spline.Through(ways[k], opt)
			if err != nil {
				return nil, 0, err
			}
			ways[k] = nil
			for _, at := range samples {
				ways[k] = append(ways[k], at.Curve)
			}
		}
		off[k] = len(path.Crossings) == 0 && leaves(ways[k], free, floor)
	}
	return off, links, nil
}

// leaves tells whether a piece of a way is free in neither direction. A piece along a wall may be free in one direction only,
// because rays start and end on the lattice.
func leaves(way []geom.Vec, free func(a, b geom.Vec) bool, floor func(p geom.Vec) geom.Vec) bool {
	for i := 1; i < len(way); i++ {
		a, b := floor(way[i-1]), floor(way[i])
		if !free(a, b) && !free(b, a) {
			return true
		}
	}
	return false
}
