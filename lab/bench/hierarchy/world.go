package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"time"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/navmesh"
)

// worlds are the kinds of worlds, by about how many vertices they have.
var worlds = map[string]func(n int) (*plan.Domain, error){
	"rooms": func(n int) (*plan.Domain, error) {
		// Cells of an eighth of a metre; about every second cell gives a vertex.
		side := max(int(math.Round(math.Sqrt(float64(n)/0.43))), 20)
		c, err := search.RandomChambers(side, side, 2, 1)
		if err != nil {
			return nil, err
		}
		free := make([]bool, len(c.Blocked))
		for i, b := range c.Blocked {
			free[i] = !b
		}
		return gentest.Cells(free, side, 512, false), nil
	},
	"scatter": func(n int) (*plan.Domain, error) {
		return gentest.Scatter(rand.New(rand.NewPCG(1, 2)), int(math.Round(math.Sqrt(float64(n)/8.5))), 3072, gentest.Mixed), nil
	},
}

// meshOf decomposes a domain and builds the mesh.
func meshOf(ctx context.Context, d *plan.Domain, method string, log io.Writer) (*navmesh.Mesh, error) {
	g, err := catalog.Generator(method)
	if err != nil {
		return nil, err
	}
	p := &plan.Plan{
		Agent:      geom.Agent{Radius: geom.PointRadius}.WithDefaults(),
		Layers:     []plan.Layer{{Domains: []plan.Domain{*d}}},
		Components: 1,
	}
	begin := time.Now()
	results, err := gen.DecomposePlan(ctx, g, p, 1, 0)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(log, "%d vertices, %d cells in %.1f s\n", d.Len(), len(results[0][0].Cells), time.Since(begin).Seconds())
	begin = time.Now()
	m, _, err := join.Build(ctx, p, [][][]plan.Cell{{results[0][0].Cells}}, join.Options{})
	if err == nil {
		fmt.Fprintf(log, "mesh of %d regions in %.1f s\n", m.RegionCount(), time.Since(begin).Seconds())
	}
	return m, err
}

// portals is the graph of the portals of a tile.
type portals struct {
	tile *navmesh.Tile
	node []int32 // of each portal; both sides of one have the same
	side []int32 // a portal of each node
	x, y []float64
	*search.Graph
}

// portalGraph makes the graph of a mesh of one tile.
func portalGraph(m *navmesh.Mesh) (*portals, error) {
	t := &m.Tiles[0]
	g := &portals{tile: t, node: make([]int32, len(t.Portals))}
	for r := range t.Regions {
		for k := range t.RegionPortals(r) {
			i := t.Regions[r].FirstPortal + uint32(k)
			p := &t.Portals[i]
			if p.Back < i {
				g.node[i] = g.node[p.Back]
				continue
			}
			g.node[i] = int32(len(g.side))
			g.side = append(g.side, int32(i))
			a, b := t.Vertices[p.Left], t.Vertices[p.Right]
			g.x = append(g.x, (float64(a.X)+float64(b.X))/2)
			g.y = append(g.y, (float64(a.Y)+float64(b.Y))/2)
		}
	}
	distance := search.Euclid(g.x, g.y)
	var edges []search.Edge
	for r := range t.Regions {
		first, count := t.Regions[r].FirstPortal, t.Regions[r].PortalCount
		for i := first; i < first+count; i++ {
			for k := first; k < first+count; k++ {
				if a, b := g.node[i], g.node[k]; a != b {
					edges = append(edges, search.Edge{From: a, To: b, Cost: distance(a, b)})
				}
			}
		}
	}
	var err error
	g.Graph, err = search.NewGraph(len(g.side), edges)
	return g, err
}

// portal returns the portal of a node that leads out of a region, nil if it has none.
func (g *portals) portal(region uint32, node int32) *navmesh.Portal {
	p := &g.tile.Portals[g.side[node]]
	for range 2 {
		if back := &g.tile.Portals[p.Back]; back.To == region {
			return p
		}
		p = &g.tile.Portals[p.Back]
	}
	return nil
}

// ends returns the portals of a region with their distances from a point in it.
func (g *portals) ends(list []search.End, region int, p lattice.Point) []search.End {
	list = list[:0]
	r := &g.tile.Regions[region]
	for i := r.FirstPortal; i < r.FirstPortal+r.PortalCount; i++ {
		n := g.node[i]
		list = append(list, search.End{Node: n, Cost: math.Hypot(float64(p.X)-g.x[n], float64(p.Y)-g.y[n])})
	}
	return list
}
