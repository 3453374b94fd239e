package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/search"
)

// labSearchCmd compares searchers on a graph of points.
type labSearchCmd struct {
	Graph   string `default:"both" enum:"centroids,midpoints,both,enhanced" placeholder:"KIND" help:"Graph of points to search: centroids, midpoints, both or enhanced (default ${default})." group:"Graph"`
	Large   number `default:"8" placeholder:"M" help:"Least extent of an enhanced region, in metres (default ${default})." group:"Graph"`
	Relax   number `default:"5" placeholder:"M" help:"Relaxation of fringe searches: the threshold rises by at least this much, in metres (default ${default})." group:"Searches"`
	Workers int    `default:"4" placeholder:"N" help:"Goroutines of distributed, hierarchy and ripple searches, 2 to 64 (default ${default})." group:"Searches"`

	labPairs
	labInput
}

// searchRow is a searcher in the table.
type searchRow struct {
	Searcher string  `json:"searcher"`
	Answer   string  `json:"answer"`
	Found    int     `json:"found"`
	Expanded float64 `json:"expanded_mean"`
	Busiest  float64 `json:"busiest_mean"`
	Longer   float64 `json:"longer_percent"`
	Micros   float64 `json:"us_mean"`
}

// Run asks all searchers for the same pairs of nodes. Only one search runs at a time.
func (c *labSearchCmd) Run(e *env) error {
	if err := c.labPairs.validate(); err != nil {
		return err
	}
	if !(c.Relax >= 0) {
		return fmt.Errorf("--relax is %g, must be 0 or more metres", float64(c.Relax))
	}
	if c.Workers < 2 || c.Workers > 64 {
		return fmt.Errorf("--workers is %d, must be 2 to 64", c.Workers)
	}
	mesh, err := c.mesh(e)
	if err != nil {
		return err
	}
	kind, err := navgraph.ParseKind(c.Graph)
	if err != nil {
		return err
	}
	g, err := navgraph.New(mesh.Index(), navgraph.Options{Kind: kind, Large: float64(c.Large)})
	if err != nil {
		return err
	}
	overview, err := search.NewOverview(g.Search(), search.Louvain(g.Search(), 1))
	if err != nil {
		return inFile(c.Input, err)
	}
	rows, pairs, shown, err := c.ask(e, g, overview)
	if err != nil {
		return inFile(c.Input, err)
	}
	over := []*draw.List{graphList(g, overview.Of), overviewList(g, overview), shown}
	if err := c.draw(e, mesh, paleRegions, over...); err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Graph     string      `json:"graph"`
			Nodes     int         `json:"nodes"`
			Edges     int         `json:"edges"`
			Clusters  int         `json:"clusters"`
			Pairs     int         `json:"pairs"`
			Searchers []searchRow `json:"searchers"`
		}{c.Graph, g.Search().Nodes(), g.Search().Edges(), len(overview.Anchor), pairs, rows})
	}
	fmt.Fprintf(e.stdout, "%s: graph of %s, %s, %s, %s; %s of nodes\n", c.Input, c.Graph,
		count(g.Search().Nodes(), "node"), count(g.Search().Edges(), "edge"), count(len(overview.Anchor), "cluster"), count(pairs, "pair"))
	printTable(e.stdout, len(rows), []tableColumn{
		{"searcher", func(r int) string { return rows[r].Searcher }},
		{"answer", func(r int) string { return rows[r].Answer }},
		{"found", func(r int) string { return fmt.Sprint(rows[r].Found) }},
		{"expanded", func(r int) string { return fixed(rows[r].Expanded, 1) }},
		{"busiest", func(r int) string { return fixed(rows[r].Busiest, 1) }},
		{"longer, %", func(r int) string { return fixed(rows[r].Longer, 2) }},
		{"µs", func(r int) string { return fixed(rows[r].Micros, 1) }},
	})
	return nil
}

// labSearcher is a searcher of the table.
type labSearcher struct {
	name, answer string
	search.Search
}

// searchers returns the searchers on a graph. Links may cost less than their length, so a mesh with links has no estimate.
func (c *labSearchCmd) searchers(e *env, g *navgraph.Graph, o *search.Overview) ([]labSearcher, error) {
	s := g.Search()
	x, y := make([]float64, s.Nodes()), make([]float64, s.Nodes())
	estimate := search.Euclid(x, y)
	for n := range int32(s.Nodes()) {
		node, _ := g.Node(n)
		x[n], y[n] = node.Point.X, node.Point.Z
		if node.Kind == navgraph.AtLinkStart || node.Kind == navgraph.AtLinkEnd {
			estimate = nil
		}
	}
	relax := float64(c.Relax)
	hierarchy, err := search.NewParallelHierarchy(s, estimate, o, search.HierarchyOptions{Workers: c.Workers, Relax: relax})
	if err != nil {
		return nil, err
	}
	contraction, err := search.NewContraction(e.ctx, s)
	if err != nil {
		return nil, err
	}
	all := []labSearcher{
		{"astar", "exact", search.NewAStar(s, estimate)},
		{"dijkstra", "exact", search.NewDijkstra(s)},
		{"bidirectional", "exact", search.NewBidirectional(s, estimate)},
		{"fringe", "exact", search.NewFringe(s, estimate, search.FringeOptions{Relax: relax})},
		{"fringe", "published", search.NewFringe(s, estimate, search.FringeOptions{Relax: relax, Published: true})},
		{"parallel", "exact", search.NewParallel(s, estimate)},
		{"parallel-fringe", "exact", search.NewParallelFringe(s, estimate, relax)},
		{"parallel", "published", search.NewParallelPublished(s, estimate, relax)},
		{"distributed", "published", search.NewDistributed(s, estimate, search.DistributedOptions{Workers: c.Workers, Relax: relax})},
		{"hierarchy", "published", hierarchy},
		{"contraction", "exact", contraction.NewClimber()},
	}
	// Ripples need edges in both directions: a graph with links in one direction has none.
	if ripple, err := search.NewRipple(s, estimate, o, search.RippleOptions{Ripples: c.Workers, Relax: relax}); err == nil {
		all = append(all, labSearcher{"ripple", "published", ripple})
	}
	return all, nil
}

// ask searches between random nodes. shown has the way of A* and the way of the hierarchy for the longest pair.
func (c *labSearchCmd) ask(e *env, g *navgraph.Graph, o *search.Overview) (rows []searchRow, pairs int, shown *draw.List, err error) {
	all, err := c.searchers(e, g, o)
	if err != nil {
		return nil, 0, nil, err
	}
	nodes := g.Search().Nodes()
	if nodes == 0 {
		return nil, 0, nil, errNoPairs
	}
	rows = make([]searchRow, len(all))
	for k, s := range all {
		rows[k].Searcher, rows[k].Answer = s.name, s.answer
	}
	sums := make([]float64, len(all))
	rng := rand.New(rand.NewPCG(c.Seed, 0))
	longest := -1.0
	for range c.Count {
		from, to := int32(rng.IntN(nodes)), int32(rng.IntN(nodes))
		var exact float64
		var list draw.List
		for k, s := range all {
			begin := time.Now()
			r, err := s.Path(e.ctx, from, to)
			rows[k].Micros += float64(time.Since(begin).Nanoseconds()) / 1000
			if err != nil {
				return nil, 0, nil, err
			}
			if k == 0 {
				exact = r.Cost
			}
			rows[k].Expanded += float64(r.Expanded)
			rows[k].Busiest += float64(r.Busiest)
			if !r.Found() {
				continue
			}
			rows[k].Found++
			sums[k] += r.Cost
			if s.name == "astar" || s.name == "hierarchy" {
				color, width := wayColors[1], 9.0
				if s.name == "hierarchy" {
					color, width = wayColors[0], 4
				}
				list.Lines = append(list.Lines, draw.Line{P: nodePoints(g, r.Nodes), Color: color, Width: width, OnTop: true})
			}
		}
		if !math.IsInf(exact, 1) && exact > longest {
			longest, shown = exact, &list
		}
	}
	for k := range rows {
		rows[k].Expanded /= float64(c.Count)
		rows[k].Busiest /= float64(c.Count)
		rows[k].Micros /= float64(c.Count)
		if sums[0] > 0 {
			rows[k].Longer = percentOver(sums[k], sums[0])
		}
	}
	return rows, c.Count, shown, nil
}

// nodePoints returns the places of nodes.
func nodePoints(g *navgraph.Graph, nodes []int32) []geom.Vec {
	var points []geom.Vec
	for _, n := range nodes {
		node, _ := g.Node(n)
		points = append(points, node.Point)
	}
	return lifted(points...)
}

// overviewList draws the graph of clusters.
func overviewList(g *navgraph.Graph, o *search.Overview) *draw.List {
	var l draw.List
	for n := range int32(o.Graph.Nodes()) {
		to, _ := o.Graph.From(n)
		for _, m := range to {
			if n < m {
				l.Lines = append(l.Lines, draw.Line{P: nodePoints(g, []int32{o.Anchor[n], o.Anchor[m]}), Color: edgeColor, Width: 3, OnTop: true})
			}
		}
	}
	for _, a := range o.Anchor {
		l.Points = append(l.Points, draw.Point{P: nodePoints(g, []int32{a})[0], Color: draw.Color{A: 255}, Radius: 7, OnTop: true})
	}
	return &l
}
