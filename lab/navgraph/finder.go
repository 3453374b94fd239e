package navgraph

import (
	"context"
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// Route is a way along a Graph. Its slices belong to its Finder and are valid until the next query.
type Route struct {
	// Found says that the graph joins start and goal. All else but Expanded is empty if not.
	Found bool
	// Points are the start, the nodes in order, and the goal, all on the floor. The straight way between
	// two of them may leave the mesh where both are centroids.
	Points []geom.Vec
	// Nodes are the nodes between start and goal. They include nodes that the way only passes.
	Nodes []int32
	// Exits are the corridor: the portals and links that the route takes, by their ID in the Index.
	Exits []int32
	// Regions are the regions of the corridor, in order.
	Regions []navmesh.Ref
	// Cost is the horizontal length in metres, with links at their cost.
	Cost float64
	// Expanded counts the nodes that the search took up.
	Expanded int
}

// Finder asks a Graph for routes. It belongs to one goroutine at a time, and after the first few answers it
// allocates nothing.
type Finder struct {
	g     *Graph
	star  *search.AStar
	ends  [2][]search.End
	rest  func(int32) float64
	goal  [2]float64
	stops []stop
	route Route
}

// stop is a point of a route: a node, or the start or the goal.
type stop struct {
	x, y float64
	node int32 // -1 for start and goal
	hub  bool  // a way to another hub goes over a portal without nodes
	in   int32 // a region of the stop
}

// NewFinder returns a Finder with memory of its own.
func (g *Graph) NewFinder() *Finder {
	f := &Finder{g: g, star: search.NewAStar(g.graph, nil)}
	f.rest = func(n int32) float64 {
		return g.scale * between(g.nodes[n].x, g.nodes[n].y, f.goal[0], f.goal[1]) * lattice.Unit
	}
	return f
}

// stand returns the place of a position, rounded to the lattice as queries do.
func (g *Graph) stand(which string, p query.Position) (s stop, err error) {
	if _, _, ok := g.mesh.Region(p.Ref); !ok {
		return s, fmt.Errorf("navgraph: %w: the region %v of the %s does not exist", query.ErrOffMesh, p.Ref, which)
	}
	at, _, ok := g.mesh.Frame.FromWorld(p.Point)
	if !ok {
		return s, fmt.Errorf("navgraph: %w: the %s is at %v", query.ErrOffMesh, which, p.Point)
	}
	r := g.number(p.Ref)
	return stop{x: float64(at.X), y: float64(at.Y), node: -1, hub: g.hub[r] >= 0, in: r}, nil
}

// Path returns the shortest route of the graph from start to goal, positions that queries of the graph's Index have
// returned. They take the place of the centroids of their regions. In the same region the way is straight, unless a
// link is cheaper. A missing route is no error. Errors: [query.ErrOffMesh], and the error of ctx.
func (f *Finder) Path(ctx context.Context, start, goal query.Position) (Route, error) {
	g := f.g
	from, err := g.stand("start", start)
	if err != nil {
		return Route{}, err
	}
	to, err := g.stand("goal", goal)
	if err != nil {
		return Route{}, err
	}
	f.ends[0] = g.leave(f.ends[0][:0], from)
	f.ends[1] = g.arrive(f.ends[1][:0], to)
	f.goal = [2]float64{to.x, to.y}
	straight := math.Inf(1)
	if from.in == to.in || from.hub && to.hub && g.bestExit(from, to) >= 0 {
		straight = between(from.x, from.y, to.x, to.y) * lattice.Unit
	}
	var r search.Result
	r.Cost = math.Inf(1)
	if math.IsInf(straight, 1) || g.scale < 1 {
		if r, err = f.star.Between(ctx, f.ends[0], f.ends[1], f.rest); err != nil {
			return Route{}, fmt.Errorf("navgraph: %w", err)
		}
	} else if err := ctx.Err(); err != nil {
		return Route{}, fmt.Errorf("navgraph: %w", err)
	}
	if !r.Found() && math.IsInf(straight, 1) {
		return Route{Expanded: r.Expanded}, nil
	}
	if !(r.Cost < straight) {
		r.Nodes = nil
	}
	route, err := f.along(from, to, start, goal, r.Nodes)
	route.Expanded, route.Cost = r.Expanded, min(r.Cost, straight)
	return route, err
}

// Along returns the route from start to goal over given nodes, in order: the result of another searcher on [Graph.Search],
// say. Neighbours, and start and goal with theirs, must have a common region for the way between them, or be the centroids of
// regions joined by a portal, or the two ends of a link. The error names the first pair without one. Errors for start and goal
// are those of Path. Time O(n) for n nodes and exits of their regions.
func (f *Finder) Along(start, goal query.Position, nodes []int32) (Route, error) {
	from, err := f.g.stand("start", start)
	if err != nil {
		return Route{}, err
	}
	to, err := f.g.stand("goal", goal)
	if err != nil {
		return Route{}, err
	}
	for i, n := range nodes {
		if n < 0 || int(n) >= len(f.g.nodes) {
			return Route{}, fmt.Errorf("navgraph: node %d of the way is %d, the graph has %d", i, n, len(f.g.nodes))
		}
	}
	return f.along(from, to, start, goal, nodes)
}

// along makes the route over existing nodes.
func (f *Finder) along(from, to stop, start, goal query.Position, nodes []int32) (Route, error) {
	g, out := f.g, &f.route
	f.stops = append(f.stops[:0], from)
	out.Nodes = append(out.Nodes[:0], nodes...)
	out.Points = append(out.Points[:0], start.Point)
	for _, n := range nodes {
		o := &g.nodes[n]
		f.stops = append(f.stops, stop{x: o.x, y: o.y, node: n, hub: o.kind == AtCentroid, in: o.sides[0]})
		out.Points = append(out.Points, o.at)
	}
	f.stops = append(f.stops, to)
	out.Points = append(out.Points, goal.Point)
	out.Found, out.Expanded = true, 0
	if err := f.trace(); err != nil {
		return Route{}, err
	}
	return *out, nil
}

// leave lists the nodes that are next to a start.
func (g *Graph) leave(list []search.End, s stop) []search.End {
	for _, n := range g.out[s.in] {
		list = append(list, search.End{Node: n, Cost: g.to(s, n)})
	}
	return g.besides(list, s)
}

// arrive lists the nodes that are next to a goal.
func (g *Graph) arrive(list []search.End, s stop) []search.End {
	for _, n := range g.in[s.in] {
		list = append(list, search.End{Node: n, Cost: g.to(s, n)})
	}
	return g.besides(list, s)
}

// besides lists the centroids of the neighbours of a hub.
func (g *Graph) besides(list []search.End, s stop) []search.End {
	for i, e := range g.exitsOf(s.in) {
		if g.direct(&e) && g.firstTo(s.in, i) {
			n := g.hub[g.number(e.To)]
			list = append(list, search.End{Node: n, Cost: g.to(s, n)})
		}
	}
	return list
}

// to returns the distance of a stop from a node in metres.
func (g *Graph) to(s stop, n int32) float64 {
	return between(s.x, s.y, g.nodes[n].x, g.nodes[n].y) * lattice.Unit
}

// bestExit returns the portal without nodes between the regions of two stops with the shortest way over its middle, the
// lowest of equally good portals, and -1 for none.
func (g *Graph) bestExit(a, b stop) int32 {
	best, least := int32(-1), math.Inf(1)
	list := g.exitsOf(a.in)
	for i := range list {
		e := &list[i]
		if !g.direct(e) || g.number(e.To) != b.in {
			continue
		}
		x, y := (float64(e.Left.X)+float64(e.Right.X))/2, (float64(e.Left.Y)+float64(e.Right.Y))/2
		if d := between(a.x, a.y, x, y) + between(x, y, b.x, b.y); d < least {
			best, least = e.ID, d
		}
	}
	return best
}

// trace finds the exits that the stops lead through, and how long the way is.
func (f *Finder) trace() error {
	g, out := f.g, &f.route
	in := f.stops[0].in
	out.Cost, out.Exits = 0, out.Exits[:0]
	out.Regions = append(out.Regions[:0], g.regions[in])
	enter := func(exit, region int32) {
		out.Exits, out.Regions = append(out.Exits, exit), append(out.Regions, g.regions[region])
		in = region
	}
	for i := 1; i < len(f.stops); i++ {
		a, b := f.stops[i-1], f.stops[i]
		if a.node >= 0 && b.node == a.node+1 && g.nodes[a.node].kind == AtLinkStart {
			link := g.nodes[a.node].exits[0]
			out.Cost += g.exits[g.byID[link]].Cost
			enter(link, b.in)
			continue
		}
		out.Cost += between(a.x, a.y, b.x, b.y) * lattice.Unit
		runs := g.runsIn(a, b, in)
		if runs < 0 {
			exit := int32(-1)
			if a.hub && b.hub {
				exit = g.bestExit(a, b)
			}
			if exit < 0 {
				return fmt.Errorf("navgraph: nothing joins point %d of the way to the next", i-1)
			}
			enter(exit, b.in)
			continue
		}
		if runs != in {
			o := &g.nodes[a.node]
			if o.sides[0] == in {
				enter(o.exits[0], runs)
			} else {
				enter(o.exits[1], runs)
			}
		}
	}
	return nil
}

// runsIn returns the region of the way from a stop to the next, the present region if there is a choice; -1 for ways from hub
// to hub.
func (g *Graph) runsIn(a, b stop, now int32) int32 {
	of := func(s stop) [2]int32 {
		if s.node >= 0 {
			return g.nodes[s.node].sides
		}
		return [2]int32{s.in, s.in}
	}
	runs := int32(-1)
	for _, r := range of(a) {
		for _, o := range of(b) {
			if r == o && (runs < 0 || r == now) {
				runs = r
			}
		}
	}
	return runs
}
