package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/bent"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// labBentCmd makes, keeps, asks and draws regions that bend inwards a little.
type labBentCmd struct {
	Concavity *number `placeholder:"M" help:"Depth to which regions may bend inwards, in metres (default: the depth of the regions kept in the file, else 0.1)." group:"Regions"`
	Mesh      string  `placeholder:"FILE" help:"Mesh to write, with the bent regions in its record; other commands read the convex regions." group:"Regions"`
	From      *point  `and:"way" placeholder:"X,Y,Z" help:"Start of a path; then only this path is asked for." group:"Pairs"`
	To        *point  `and:"way" placeholder:"X,Y,Z" help:"Goal of the path." group:"Pairs"`

	labPairs
	labInput
}

// bentReport is the output of --json.
type bentReport struct {
	Bound  float64 `json:"bound_m"`
	Kept   bool    `json:"from_file"`
	Convex int     `json:"convex_regions"`
	// Regions are bent or convex, Bent those that are not convex.
	Regions int       `json:"regions"`
	Bent    int       `json:"bent"`
	Deepest float64   `json:"deepest_m"`
	Pairs   int       `json:"pairs"`
	Graphs  []bentRow `json:"graphs"`
	Path    *bentPath `json:"path,omitempty"`
}

// bentRow is a graph of portals in the table: of the bent regions, and of the convex ones.
type bentRow struct {
	Graph    string  `json:"graph"`
	Nodes    int     `json:"nodes"`
	Edges    int     `json:"edges"`
	Expanded float64 `json:"expanded_mean"`
	Raw      float64 `json:"longer_on_graph_percent"`
	Longer   float64 `json:"longer_percent"`
	Micros   float64 `json:"us_mean"`
}

// bentPath is the path of --from and --to.
type bentPath struct {
	Length  float64 `json:"length"`
	Exact   float64 `json:"exact"`
	Regions []int   `json:"regions"`
	Points  []place `json:"points"`
}

// Run makes or reads the regions, asks for paths, writes and draws.
func (c *labBentCmd) Run(e *env) error {
	if err := c.labPairs.validate(); err != nil {
		return err
	}
	if c.Mesh != "" {
		if err := writable(c.Mesh, c.Input, c.Out); err != nil {
			return err
		}
	}
	mesh, err := c.mesh(e)
	if err != nil {
		return err
	}
	regions, kept, err := c.regions(e, mesh)
	if err != nil {
		return inFile(c.Input, err)
	}
	report := bentReport{Bound: regions.Bound, Kept: kept, Convex: mesh.RegionCount(), Regions: len(regions.Regions), Bent: regions.Bent()}
	for i := range regions.Regions {
		report.Deepest = max(report.Deepest, regions.Regions[i].Concavity())
	}
	over := bentList(regions)
	if err := c.ask(e, mesh, regions, &report, over); err != nil {
		return inFile(c.Input, err)
	}
	if c.Mesh != "" {
		stored, err := regions.Store()
		if err != nil {
			return err
		}
		if _, err := e.writeMesh(c.Mesh, meadow.Wrap(stored)); err != nil {
			return err
		}
	}
	if err := c.draw(e, mesh, noRegions, over); err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, report)
	}
	c.print(e, &report)
	return nil
}

// regions reads the regions of the file or merges the mesh's.
func (c *labBentCmd) regions(e *env, mesh *meadow.Mesh) (m *bent.Mesh, kept bool, err error) {
	if c.Concavity == nil {
		if m, err = bent.Restore(mesh.Mesh); err == nil || !errors.Is(err, bent.ErrNone) {
			return m, true, err
		}
	}
	bound := 0.1
	if c.Concavity != nil {
		bound = float64(*c.Concavity)
	}
	if !(bound >= 0) {
		return nil, false, fmt.Errorf("--concavity is %g, must be 0 or more metres", bound)
	}
	m, err = bent.Merge(e.ctx, mesh.Mesh, bound)
	return m, false, err
}

// ask asks the graph of bent regions, and the graph of midpoints on the convex ones, for the same pairs.
func (c *labBentCmd) ask(e *env, mesh *meadow.Mesh, regions *bent.Mesh, report *bentReport, over *draw.List) error {
	// Bent regions know no links, so all answers are for the mesh without them.
	plain := *mesh.Mesh
	plain.Links, plain.Tiles = nil, append([]navmesh.Tile(nil), mesh.Tiles...)
	plain.Connect()
	ix, err := query.NewIndexWith(e.ctx, &plain)
	if err != nil {
		return err
	}
	q := ix.NewQuery()
	pairs := []pair{{}}
	if c.From != nil {
		pairs[0], err = askedPair(e, q, geom.Vec(*c.From), geom.Vec(*c.To))
	} else {
		pairs, err = c.sample(e, q)
	}
	if err != nil {
		return err
	}
	f, err := bent.NewFinder(e.ctx, regions)
	if err != nil {
		return err
	}
	g, err := navgraph.New(ix, navgraph.Options{Kind: navgraph.Midpoints})
	if err != nil {
		return err
	}
	row := bentRow{Graph: "bent", Nodes: f.Nodes(), Edges: f.Edges()}
	begin, exact, raw, length := time.Now(), 0.0, 0.0, 0.0
	for _, p := range pairs {
		path, err := f.Between(e.ctx, p.from, p.to)
		if err != nil {
			return err
		}
		if !path.Found {
			return fmt.Errorf("bent regions do not join %v and %v", p.from.Point, p.to.Point)
		}
		row.Expanded += float64(path.Expanded)
		exact, raw, length = exact+p.exact, raw+path.Raw, length+path.Length
		if c.From != nil {
			report.Path = &bentPath{path.Length, p.exact, path.Regions, places(path.Points)}
			drawn := draw.Path(path.Points, draw.PathOptions{})
			over.Append(&drawn)
		}
	}
	n := float64(len(pairs))
	row.Micros = float64(time.Since(begin).Nanoseconds()) / 1000 / n
	row.Expanded, row.Raw, row.Longer = row.Expanded/n, percentOver(raw, exact), percentOver(length, exact)
	begin = time.Now()
	other, err := askGraph(e, g, ix, q, pairs)
	if err != nil {
		return err
	}
	report.Pairs = len(pairs)
	report.Graphs = []bentRow{row, {
		Graph: "convex", Nodes: other.Nodes, Edges: other.Edges, Expanded: other.Expanded, Raw: other.Raw, Longer: other.Funnel,
		Micros: float64(time.Since(begin).Nanoseconds()) / 1000 / n,
	}}
	return nil
}

// print prints a report for people.
func (c *labBentCmd) print(e *env, r *bentReport) {
	source := "merged"
	if r.Kept {
		source = "kept in the file"
	}
	fmt.Fprintf(e.stdout, "%s: %s, %s up to %g m, of these %d bent, at most %.3f m; %s: %s\n", c.Input, count(r.Convex, "convex region"), count(r.Regions, "region"), r.Bound, r.Bent, r.Deepest, source, count(r.Pairs, "path"))
	rows := r.Graphs
	printTable(e.stdout, len(rows), []tableColumn{
		{"portals of regions", func(k int) string { return rows[k].Graph }},
		{"nodes", func(k int) string { return fmt.Sprint(rows[k].Nodes) }},
		{"edges", func(k int) string { return fmt.Sprint(rows[k].Edges) }},
		{"expanded", func(k int) string { return fixed(rows[k].Expanded, 1) }},
		{"on the graph, %", func(k int) string { return fixed(rows[k].Raw, 2) }},
		{"path, %", func(k int) string { return fixed(rows[k].Longer, 2) }},
		{"µs", func(k int) string { return fixed(rows[k].Micros, 1) }},
	})
	if p := r.Path; p != nil {
		fmt.Fprintf(e.stdout, "  path: %.3f m through %s, the shortest is %.3f m\n", p.Length, count(len(p.Regions), "region"), p.Exact)
	}
}

// bentList draws bent regions in colours that differ between neighbours.
func bentList(m *bent.Mesh) *draw.List {
	near := make([][]int, len(m.Regions))
	for t := range m.Base.Tiles {
		tile := &m.Base.Tiles[t]
		for r := range tile.Regions {
			a, _ := m.Of(navmesh.MakeRef(t, r, tile.Generation))
			for _, p := range tile.RegionPortals(r) {
				if b, _ := m.Of(navmesh.MakeRef(t, int(p.To), tile.Generation)); a != b {
					near[a] = append(near[a], b)
				}
			}
		}
	}
	var l draw.List
	paint := make([]int, len(m.Regions))
	for i := range m.Regions {
		taken := map[int]bool{}
		for _, b := range near[i] {
			if b < i {
				taken[paint[b]] = true
			}
		}
		for taken[paint[i]] {
			paint[i]++
		}
		r := &m.Regions[i]
		fill := wayColors[paint[i]%len(wayColors)]
		fill.A = 80
		tile := &m.Base.Tiles[r.Tile]
		local := func(v uint32) geom.Vec {
			p := tile.Vertices[v]
			return lifted(m.Base.Frame.FromLocal(float64(p.X), float64(p.Y), float64(p.Z)))[0]
		}
		for _, c := range r.Convex {
			corners := tile.RegionCorners(c)
			for k := 2; k < len(corners); k++ {
				l.Triangles = append(l.Triangles, draw.Triangle{P: [3]geom.Vec{local(corners[0]), local(corners[k-1]), local(corners[k])}, Fill: fill})
			}
		}
	}
	return &l
}
