package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/waypoint"
	"github.com/meadow-nav/meadow/query"
)

// labRoadmapCmd makes a probabilistic roadmap and automatic path nodes on every domain of a floor.
type labRoadmapCmd struct {
	Nodes int    `default:"200" placeholder:"N" help:"Number of random nodes of a roadmap, on each domain of the floor (default ${default})." group:"Graph"`
	Edges int    `default:"6" placeholder:"N" help:"Most edges of a node of a roadmap (default ${default})." group:"Graph"`
	Graph string `default:"roadmap" enum:"roadmap,nodes" placeholder:"KIND" help:"Graph of points to draw: roadmap or nodes, the automatic path nodes (default ${default})." group:"Graph"`
	From  *point `and:"way" placeholder:"X,Y,Z" help:"Start of a way; then only this way is asked for." group:"Pairs"`
	To    *point `and:"way" placeholder:"X,Y,Z" help:"Goal of the way." group:"Pairs"`

	labPairs
	labInput
}

// roadmapRow is a graph in the table. Seen and boxed are shares of the floor in per cent: places in sight of a node, and in a box of
// a path node.
type roadmapRow struct {
	Graph  string        `json:"graph"`
	Nodes  int           `json:"nodes"`
	Edges  int           `json:"edges"`
	Parts  int           `json:"parts"`
	Seen   float64       `json:"seen_percent"`
	Boxed  float64       `json:"boxed_percent"`
	Found  int           `json:"found"`
	Longer *float64      `json:"longer_percent"` // of the ways found; null for none
	Way    []place       `json:"way,omitempty"`  // of --from and --to
	Length float64       `json:"length,omitempty"`
	list   *draw.List    // the graph
	of     []domainGraph // by domain
}

// domainGraph is the graph of a domain of a layer.
type domainGraph struct {
	layer  int
	domain *plan.Domain
	graph  *waypoint.Graph
}

// Run makes both graphs and asks both for the same pairs, of which both places lie on one domain.
func (c *labRoadmapCmd) Run(e *env) error {
	if err := c.labPairs.validate(); err != nil {
		return err
	}
	if c.Nodes < 1 || c.Nodes > 100_000 || c.Edges < 1 || c.Edges > 1000 {
		return fmt.Errorf("--nodes is %d and --edges %d, must be 1 to 100000 and 1 to 1000", c.Nodes, c.Edges)
	}
	if err := picture(c.Out, c.Input); err != nil {
		return err
	}
	if isMesh, err := isMeshFile(c.Input); err != nil {
		return err
	} else if isMesh {
		return fmt.Errorf("%s: a roadmap needs a level or a map; a mesh has no plan of its floor", c.Input)
	}
	floor, err := e.floorOf(c.Input, c.agentFlags, c.levelFlags, c.floorFlags)
	if err != nil {
		return err
	}
	mesh, err := floor.Mesh(e.ctx, meadow.MeshOptions{})
	if err != nil {
		return inFile(c.Input, err)
	}
	rows, err := c.graphs(e, floor.Plan, mesh)
	if err != nil {
		return inFile(c.Input, err)
	}
	pairs, err := c.ask(e, floor.Plan, mesh, rows)
	if err != nil {
		return inFile(c.Input, err)
	}
	for i := range rows {
		if rows[i].Graph == c.Graph {
			if err := c.draw(e, mesh, paleRegions, rows[i].list); err != nil {
				return err
			}
		}
	}
	if c.JSON {
		return writeJSON(e.stdout, struct {
			Domains int          `json:"domains"`
			Pairs   int          `json:"pairs"`
			Graphs  []roadmapRow `json:"graphs"`
		}{len(rows[0].of), pairs, rows})
	}
	fmt.Fprintf(e.stdout, "%s: %s, a graph on each; %s on one domain\n", c.Input, count(len(rows[0].of), "domain"), count(pairs, "pair"))
	printTable(e.stdout, len(rows), []tableColumn{
		{"graph", func(r int) string { return rows[r].Graph }},
		{"nodes", func(r int) string { return fmt.Sprint(rows[r].Nodes) }},
		{"edges", func(r int) string { return fmt.Sprint(rows[r].Edges) }},
		{"parts", func(r int) string { return fmt.Sprint(rows[r].Parts) }},
		{"seen, %", func(r int) string { return fixed(rows[r].Seen, 1) }},
		{"boxed, %", func(r int) string { return fixed(rows[r].Boxed, 1) }},
		{"found", func(r int) string { return fmt.Sprint(rows[r].Found) }},
		{"longer, %", func(r int) string { return fixed(longerOf(rows[r].Longer), 2) }},
	})
	for _, r := range rows {
		if len(r.Way) > 0 {
			fmt.Fprintf(e.stdout, "  %s: %.3f m by %s:", r.Graph, r.Length, count(len(r.Way)-2, "node"))
			for _, p := range r.Way {
				fmt.Fprintf(e.stdout, " %v", p)
			}
			fmt.Fprintln(e.stdout)
		}
	}
	if c.From != nil && rows[0].Found == 0 && rows[1].Found == 0 {
		return no("%s: no way along a graph from %v to %v", c.Input, geom.Vec(*c.From), geom.Vec(*c.To))
	}
	return nil
}

// longerOf is the figure, or NaN for none.
func longerOf(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}

// coverageSamples is the number of random places by which the share of the floor in sight of a node is measured.
const coverageSamples = 2000

// graphs makes the graphs of all domains.
func (c *labRoadmapCmd) graphs(e *env, p *plan.Plan, mesh *meadow.Mesh) ([]roadmapRow, error) {
	rows := []roadmapRow{{Graph: "roadmap"}, {Graph: "nodes"}}
	for k := range rows {
		r, whole := &rows[k], 0.0
		r.list = &draw.List{}
		for l := range p.Layers {
			for d := range p.Layers[l].Domains {
				domain := &p.Layers[l].Domains[d]
				var g *waypoint.Graph
				var err error
				if k == 0 {
					g, err = waypoint.Roadmap(e.ctx, domain, waypoint.RoadmapOptions{Nodes: c.Nodes, Edges: c.Edges, Seed: c.Seed})
				} else {
					g, err = waypoint.PathNodes(e.ctx, domain, waypoint.PathNodesOptions{})
				}
				if err != nil {
					return nil, fmt.Errorf("layer %d, domain %d: %w", l, d, err)
				}
				area := lattice.SquareMetres(domain.Polygon.Area2())
				cover := g.Coverage(coverageSamples, c.Seed)
				whole += area
				r.Seen += 100 * cover.Seen * area
				r.Boxed += 100 * cover.Boxed * area
				r.Nodes += len(g.Nodes)
				r.Edges += len(g.Edges)
				r.Parts += g.Components()
				r.of = append(r.of, domainGraph{l, domain, g})
				waypointList(r.list, mesh, l, g)
			}
		}
		if whole > 0 {
			r.Seen /= whole
			r.Boxed /= whole
		}
	}
	if len(rows[0].of) == 0 {
		return nil, errors.New("the floor has no domain")
	}
	return rows, nil
}

// waypointList draws a graph of a layer at the height of the layer's floor.
func waypointList(l *draw.List, mesh *meadow.Mesh, layer int, g *waypoint.Graph) {
	points := make([]geom.Vec, len(g.Nodes))
	for i, n := range g.Nodes {
		points[i] = onLayer(mesh, layer, n)
	}
	for _, e := range g.Edges {
		l.Lines = append(l.Lines, draw.Line{P: lifted(points[e[0]], points[e[1]]), Color: edgeColor, Width: 1.2, OnTop: true})
	}
	for _, p := range points {
		l.Points = append(l.Points, draw.Point{P: lifted(p)[0], Color: nodeColor, Radius: 5, OnTop: true})
	}
}

// onLayer puts a lattice point on the floor of a layer, or at height 0 where the layer has no surface.
func onLayer(mesh *meadow.Mesh, layer int, p lattice.Point) geom.Vec {
	z := 0.0
	if s := mesh.Index().Surface(layer); s != nil {
		if h, ok := s.Height(float64(p.X), float64(p.Y)); ok {
			z = h
		}
	}
	return mesh.Frame.FromLocal(float64(p.X), float64(p.Y), z)
}

// ask asks both graphs for the given pair or for random pairs. Ways along a graph stay on one domain.
func (c *labRoadmapCmd) ask(e *env, p *plan.Plan, mesh *meadow.Mesh, rows []roadmapRow) (int, error) {
	q := mesh.NewQuery()
	var pairs []pair
	var err error
	if c.From != nil {
		var one pair
		one, err = askedPair(e, q, geom.Vec(*c.From), geom.Vec(*c.To))
		pairs = []pair{one}
	} else {
		pairs, err = c.sample(e, q)
	}
	if err != nil {
		return 0, err
	}
	asked := 0
	sums := make([]struct{ exact, length float64 }, len(rows))
	for _, at := range pairs {
		d, ok := domainOf(p, mesh, at.from, at.to)
		if !ok {
			continue
		}
		asked++
		from, _, _ := p.Frame.FromWorld(at.from.Point)
		to, _, _ := p.Frame.FromWorld(at.to.Point)
		for k := range rows {
			r := &rows[k]
			way, ok := r.of[d].graph.Path(from, to, 1, true)
			if !ok {
				continue
			}
			r.Found++
			sums[k].exact += at.exact
			sums[k].length += way.Length
			if c.From != nil {
				r.Length = way.Length
				var points []geom.Vec
				for _, n := range way.Points {
					points = append(points, onLayer(mesh, r.of[d].layer, n))
				}
				r.Way = places(points)
				drawn := draw.Path(points, draw.PathOptions{})
				r.list.Append(&drawn)
			}
		}
	}
	for k := range rows {
		if sums[k].exact > 0 {
			longer := percentOver(sums[k].length, sums[k].exact)
			rows[k].Longer = &longer
		}
	}
	if c.From != nil && asked == 0 {
		return 0, no("%v and %v lie on two domains of the floor, and a graph is on one", geom.Vec(*c.From), geom.Vec(*c.To))
	}
	return asked, nil
}

// domainOf returns the number of the domain that two places have in common.
func domainOf(p *plan.Plan, mesh *meadow.Mesh, a, b query.Position) (int, bool) {
	_, ra, ok := mesh.Region(a.Ref)
	_, rb, also := mesh.Region(b.Ref)
	if !ok || !also || ra.Layer != rb.Layer {
		return 0, false
	}
	n := 0
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			pa, _, _ := p.Frame.FromWorld(a.Point)
			pb, _, _ := p.Frame.FromWorld(b.Point)
			domain := &p.Layers[l].Domains[d]
			if l == int(ra.Layer) && domain.Locate(pa) != lattice.Outside && domain.Locate(pb) != lattice.Outside {
				return n, true
			}
			n++
		}
	}
	return 0, false
}
