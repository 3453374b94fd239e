package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// measure runs the queries on one world.
func measure(ctx context.Context, s settings, name string, log io.Writer) (column, error) {
	c := column{world: name}
	d, err := worlds[name](s.vertices)
	if err != nil {
		return c, err
	}
	m, err := meshOf(ctx, d, s.method, log)
	if err != nil {
		return c, err
	}
	g, err := portalGraph(m)
	if err != nil {
		return c, err
	}
	begin := time.Now()
	h, err := search.NewContraction(ctx, g.Graph)
	if err != nil {
		return c, err
	}
	c.prepared = time.Since(begin)
	fmt.Fprintf(log, "hierarchy with %d shortcuts in %.1f s\n", h.Shortcuts(), c.prepared.Seconds())
	c.regions, c.portals, c.edges = m.RegionCount(), g.Nodes(), g.Edges()
	c.graph = 4*(g.Nodes()+1) + 12*g.Edges()
	c.hierarchy = h.Bytes()
	c.scratch = 2 * 24 * g.Nodes()
	straight := search.Euclid(g.x, g.y)
	begin = time.Now()
	marks, err := search.NewLandmarks(ctx, g.Graph, s.landmarks)
	if err != nil {
		return c, err
	}
	c.marked, c.marks = time.Since(begin), marks.Bytes()
	w := walker{
		mesh: m, graph: g, climber: h.NewClimber(), astar: search.NewAStar(g.Graph, straight),
		helped: search.NewAStar(g.Graph, marks.Estimate(straight)),
		query:  query.NewIndex(m).NewQuery(),
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i := range s.queries {
		from, to := r.IntN(c.regions), r.IntN(c.regions)
		if err := w.walk(ctx, &c, from, to, i < s.slow); err != nil {
			return c, err
		}
	}
	for _, list := range [][]time.Duration{c.astar, c.helped, c.climb, c.tight, c.exact} {
		slices.Sort(list)
	}
	slices.Sort(c.onGraph)
	slices.Sort(c.pulled)
	return c, nil
}

// walker asks all methods.
type walker struct {
	mesh     *navmesh.Mesh
	graph    *portals
	climber  *search.Climber
	astar    *search.AStar
	helped   *search.AStar // by landmarks
	query    *query.Query
	from, to []search.End
	gates    []query.Gate
}

// walk asks for the way between the middles of two regions; A* and the exact path only if slow.
func (w *walker) walk(ctx context.Context, c *column, from, to int, slow bool) error {
	if from == to {
		return nil
	}
	t := w.graph.tile
	start, goal := w.middle(from), w.middle(to)
	w.from, w.to = w.graph.ends(w.from, from, start), w.graph.ends(w.to, to, goal)
	begin := time.Now()
	r, err := w.climber.Between(ctx, w.from, w.to)
	took := time.Since(begin)
	if err != nil {
		return err
	}
	if !r.Found() {
		return nil // of different components
	}
	nodes, cost := r.Nodes, r.Cost
	c.climb = append(c.climb, took)
	c.expanded += r.Expanded
	gates, err := w.corridor(from, to, nodes)
	if err != nil {
		return err
	}
	bends := w.query.Funnel(start, goal, gates)
	length := 0.0
	for i := 1; i < len(bends); i++ {
		length += bends[i-1].Distance(bends[i].Point)
	}
	c.tight = append(c.tight, time.Since(begin))
	if !slow {
		return nil
	}

	a, b := nodes[0], nodes[len(nodes)-1]
	between := cost - costAt(w.from, a) - costAt(w.to, b)
	for _, m := range []struct {
		search   *search.AStar
		times    *[]time.Duration
		expanded *int
	}{{w.astar, &c.astar, &c.flooded}, {w.helped, &c.helped, &c.led}} {
		begin = time.Now()
		r, err := m.search.Path(ctx, a, b)
		if err != nil {
			return err
		}
		*m.times = append(*m.times, time.Since(begin))
		*m.expanded += r.Expanded
		if over := between - r.Cost; over > 1e-6*r.Cost || -over > 1e-6*r.Cost {
			return fmt.Errorf("from region %d to %d: %v on the graph, A* has %v", from, to, between, r.Cost)
		}
	}
	v, u := w.mesh.Frame.ToWorld(start, t.Vertices[t.RegionCorners(from)[0]].Z), w.mesh.Frame.ToWorld(goal, t.Vertices[t.RegionCorners(to)[0]].Z)
	begin = time.Now()
	p, err := w.query.Path(ctx, v, u)
	if err != nil {
		return err
	}
	c.exact = append(c.exact, time.Since(begin))
	exact := p.Length / lattice.Unit
	if exact <= 0 {
		return fmt.Errorf("from region %d to %d: no exact path", from, to)
	}
	c.onGraph = append(c.onGraph, cost/exact)
	c.pulled = append(c.pulled, length/exact)
	if length < exact*(1-1e-9) {
		return fmt.Errorf("from region %d to %d: the exact path has %v, another %v", from, to, exact, length)
	}
	return nil
}

// costAt is the cost of an end.
func costAt(ends []search.End, node int32) float64 {
	i := slices.IndexFunc(ends, func(e search.End) bool { return e.Node == node })
	return ends[i].Cost
}

// middle is a lattice point inside of a region.
func (w *walker) middle(region int) lattice.Point {
	var x, y, n int64
	for _, v := range w.graph.tile.RegionCorners(region) {
		x += int64(w.graph.tile.Vertices[v].X)
		y += int64(w.graph.tile.Vertices[v].Y)
		n++
	}
	return lattice.Point{X: int32(x / n), Y: int32(y / n)}
}

// corridor returns the portals on a path of nodes as gates, each seen from the side that it is come from.
func (w *walker) corridor(from, to int, nodes []int32) ([]query.Gate, error) {
	w.gates = w.gates[:0]
	region := uint32(from)
	for k, n := range nodes {
		p := w.graph.portal(region, n)
		if p == nil {
			return nil, fmt.Errorf("from region %d to %d: region %d has no portal of node %d", from, to, region, n)
		}
		if k+1 < len(nodes) && w.graph.portal(p.To, nodes[k+1]) == nil || k+1 == len(nodes) && p.To != uint32(to) {
			continue // the path comes by this portal and does not go through
		}
		t := w.graph.tile
		w.gates = append(w.gates, query.Gate{Left: t.Vertices[p.Left].Point, Right: t.Vertices[p.Right].Point})
		region = p.To
	}
	if region != uint32(to) {
		return nil, fmt.Errorf("from region %d to %d: the way ends in region %d", from, to, region)
	}
	return w.gates, nil
}
