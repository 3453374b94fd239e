package workbench

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/lab/waypoint"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/view/ask"
)

var searchRequests = map[string]handler{"ways": ways, "ray": ray, "grounds": listGrounds, "costs": setCosts}

// searching is the state of questions about rival searches, made when first asked for.
type searching struct {
	graphs   map[navgraph.Kind]*navgraph.Graph
	roadmaps map[plan.DomainID]*waypoint.Graph
	costs    map[uint8]float64
	index    *query.Index // with the costs, nil for the mesh's own
}

// index is that of the mesh with the costs of the bench.
func (b *Bench) index() *query.Index {
	if b.searching.index != nil {
		return b.searching.index
	}
	return b.mesh.Index()
}

// Way is a path by one method.
type Way struct {
	Name  string `json:"name"`
	About string `json:"about"`
	Found bool   `json:"found"`
	// Length is in metres, Milliseconds the time of the search alone, Expanded its nodes, -1 where nobody counts.
	Length       float64   `json:"length"`
	Milliseconds float64   `json:"milliseconds"`
	Expanded     int       `json:"expanded"`
	Points       []float64 `json:"points"` // x, y, z
	// Nodes are the places that a search has looked at; empty where nobody knows.
	Nodes []float64 `json:"nodes"`
}

// mostNodes bounds the places of nodes in an answer.
const mostNodes = 5000

// ways finds a path by several methods between the same places.
func ways(b *Bench, ctx context.Context, r Request, _ Tell) (Reply, error) {
	p, err := b.asking(r)
	if err != nil {
		return Reply{}, err
	}
	q := b.index().NewQuery()
	start, ok := q.Nearest(vec(p.From), p.Reach)
	goal, also := q.Nearest(vec(p.To), p.Reach)
	list := []Way{}
	if !ok || !also {
		return Reply{Answer: list}, nil
	}
	add := func(name, about string, find func(w *Way) error) error {
		w := Way{Name: name, About: about, Expanded: -1, Points: []float64{}, Nodes: []float64{}}
		began := time.Now()
		if err := find(&w); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if w.Milliseconds == 0 {
			w.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
		}
		list = append(list, w)
		return nil
	}
	var corridor navgraph.Route
	for _, m := range []struct {
		name, about string
		find        func(w *Way) error
	}{
		{"shortest", "Meadow's own search: the shortest path, exactly", func(w *Way) error {
			path, err := q.Path(ctx, start.Point, goal.Point)
			w.take(path)
			return err
		}},
		{"portals, funnel", "A* from portal to portal, then the shortest way in its corridor, as Detour and most engines do", func(w *Way) error {
			path, err := q.AStarPath(ctx, start.Point, goal.Point)
			w.take(path)
			return err
		}},
		{"portal middles", "a graph of the middles of portals, as it is", func(w *Way) error {
			return b.route(ctx, w, navgraph.Midpoints, start, goal, nil)
		}},
		{"centroids", "a graph of the middles of regions, whose edges may cut corners", func(w *Way) error {
			return b.route(ctx, w, navgraph.Centroids, start, goal, nil)
		}},
		{"both, tight", "a graph of middles of regions and portals, then the shortest way in its corridor", func(w *Way) error {
			if err := b.route(ctx, w, navgraph.Both, start, goal, &corridor); err != nil || !w.Found {
				return err
			}
			path, err := q.Through(start, goal, corridor.Exits)
			expanded := w.Expanded
			w.take(path)
			w.Expanded = expanded
			return err
		}},
		{"both, smooth", "the same corridor by Brand's smoother", func(w *Way) error {
			finder, err := b.finder(navgraph.Both)
			if err != nil {
				return err
			}
			route, err := finder.Path(ctx, start, goal)
			if err != nil || !route.Found {
				return err
			}
			from, _, _ := b.mesh.Frame.FromWorld(start.Point)
			to, _, _ := b.mesh.Frame.FromWorld(goal.Point)
			var smoother smooth.Smoother
			var points []geom.Vec
			points = append(points, start.Point)
			bends := smoother.Smooth(lattice.Vertex{Point: from}, lattice.Vertex{Point: to}, finder.Edges(nil, route.Exits), smooth.Options{})
			for i := 1; i < len(bends)-1; i++ {
				points = append(points, b.mesh.Frame.FromLocal(bends[i].X, bends[i].Y, bends[i].Z))
			}
			w.line(append(points, goal.Point))
			w.Expanded = route.Expanded
			return nil
		}},
		{"curve", "a curve through the bends of the shortest path, where it stays on the floor", func(w *Way) error {
			path, err := q.Path(ctx, start.Point, goal.Point)
			if err != nil || !path.Complete {
				return err
			}
			points, expanded := append([]geom.Vec{}, path.Points...), path.Expanded
			free, floor := navgraph.OnMesh(q, b.mesh.Mesh)
			var spline smooth.Spline
			samples, err := spline.Through(points, smooth.SplineOptions{Free: free, Floor: floor})
			if err != nil {
				return err
			}
			var curve []geom.Vec
			for _, s := range samples {
				curve = append(curve, s.Curve)
			}
			w.line(curve)
			w.Expanded = expanded
			return nil
		}},
		{"roadmap", "200 random points in each part of the floor, joined where they see each other", func(w *Way) error {
			return b.roadmap(ctx, w, start, goal)
		}},
	} {
		if err := add(m.name, m.about, m.find); err != nil {
			return Reply{}, err
		}
	}
	if err := b.searchers(ctx, start, goal, add); err != nil {
		return Reply{}, err
	}
	return Reply{Answer: list}, nil
}

func vec(p ask.Point) geom.Vec { return geom.Vec{X: p[0], Y: p[1], Z: p[2]} }

// take fills in a path of package query.
func (w *Way) take(path query.Path) {
	w.Found, w.Length, w.Expanded, w.Points = path.Complete, path.Length, path.Expanded, []float64{}
	for _, p := range path.Surface() {
		w.Points = append(w.Points, p.X, p.Y, p.Z)
	}
}

// line fills in a way of straight pieces.
func (w *Way) line(points []geom.Vec) {
	w.Found, w.Length, w.Points = len(points) > 0, 0, []float64{}
	for i, p := range points {
		w.Points = append(w.Points, p.X, p.Y, p.Z)
		if i > 0 {
			w.Length += math.Hypot(p.X-points[i-1].X, p.Z-points[i-1].Z)
		}
	}
}

func (b *Bench) graph(kind navgraph.Kind) (*navgraph.Graph, error) {
	if g := b.searching.graphs[kind]; g != nil {
		return g, nil
	}
	g, err := navgraph.New(b.index(), navgraph.Options{Kind: kind})
	if err != nil {
		return nil, err
	}
	if b.searching.graphs == nil {
		b.searching.graphs = map[navgraph.Kind]*navgraph.Graph{}
	}
	b.searching.graphs[kind] = g
	return g, nil
}

func (b *Bench) finder(kind navgraph.Kind) (*navgraph.Finder, error) {
	g, err := b.graph(kind)
	if err != nil {
		return nil, err
	}
	return g.NewFinder(), nil
}

// route fills in the way along a graph of points, and keeps its corridor.
func (b *Bench) route(ctx context.Context, w *Way, kind navgraph.Kind, start, goal query.Position, keep *navgraph.Route) error {
	finder, err := b.finder(kind)
	if err != nil {
		return err
	}
	began := time.Now()
	route, err := finder.Path(ctx, start, goal)
	if err != nil {
		return err
	}
	w.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
	w.line(route.Points)
	w.Found, w.Expanded = route.Found, route.Expanded
	if keep != nil {
		*keep = route
	}
	return nil
}

// roadmap fills in the way along random points of the domain that has both ends.
func (b *Bench) roadmap(ctx context.Context, w *Way, start, goal query.Position) error {
	if b.floor == nil {
		return nil
	}
	p := b.floor.Plan
	at := func(v geom.Vec, l, d int) (lattice.Point, bool) {
		point, height, ok := p.Frame.FromWorld(v)
		domain := &p.Layers[l].Domains[d]
		if !ok || !domain.Contains(point) {
			return point, false
		}
		h := heightAt(lattice.NewSampler(&p.Layers[l].Floor), point)
		return point, math.IsInf(h, -1) || math.Abs(h-float64(height)) < lattice.UnitsPerMetre
	}
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			from, ok := at(start.Point, l, d)
			to, also := at(goal.Point, l, d)
			if !ok || !also {
				continue
			}
			id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
			g := b.searching.roadmaps[id]
			if g == nil {
				var err error
				if g, err = waypoint.Roadmap(ctx, &p.Layers[l].Domains[d], waypoint.RoadmapOptions{Seed: 1}); err != nil {
					return err
				}
				if b.searching.roadmaps == nil {
					b.searching.roadmaps = map[plan.DomainID]*waypoint.Graph{}
				}
				b.searching.roadmaps[id] = g
			}
			began := time.Now()
			path, found := g.Path(from, to, 4, true)
			w.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
			if !found {
				return nil
			}
			var points []geom.Vec
			heights := lattice.NewSampler(&p.Layers[l].Floor)
			for _, point := range path.Points {
				h := heightAt(heights, point)
				if math.IsInf(h, -1) {
					h = 0
				}
				points = append(points, p.Frame.ToWorld(point, int32(h)))
			}
			w.line(points)
			return nil
		}
	}
	return nil
}

// searchers adds the searches of lab/search on one graph, from the middle of the first region to that of the last.
func (b *Bench) searchers(ctx context.Context, start, goal query.Position, add func(name, about string, find func(w *Way) error) error) error {
	g, err := b.graph(navgraph.Both)
	if err != nil {
		return err
	}
	graph := g.Search()
	from, to := int32(-1), int32(-1)
	x, y := make([]float64, graph.Nodes()), make([]float64, graph.Nodes())
	for n := range int32(graph.Nodes()) {
		node, _ := g.Node(n)
		x[n], y[n] = node.Point.X, node.Point.Z
		if node.Kind == navgraph.AtCentroid && node.Region == start.Ref {
			from = n
		}
		if node.Kind == navgraph.AtCentroid && node.Region == goal.Ref {
			to = n
		}
	}
	if from < 0 || to < 0 {
		return nil
	}
	looked := map[int32]bool{}
	flight := search.Euclid(x, y)
	estimate := func(n, goal int32) float64 {
		looked[n] = true
		return flight(n, goal)
	}
	zero := func(n, _ int32) float64 {
		looked[n] = true
		return 0
	}
	for _, s := range []struct {
		name, about string
		searcher    search.Search
	}{
		{"Dijkstra", "no estimate; on the graph of middles, from region to region", search.NewAStar(graph, zero)},
		{"A*", "drawn to the goal; on the same graph", search.NewAStar(graph, estimate)},
		{"Fringe", "two lists and a threshold in place of a heap; on the same graph", search.NewFringe(graph, estimate, search.FringeOptions{})},
		{"two-way A*", "from both ends; on the same graph", search.NewBidirectional(graph, estimate)},
	} {
		if err := add(s.name, s.about, func(w *Way) error {
			clear(looked)
			began := time.Now()
			result, err := s.searcher.Path(ctx, from, to)
			if err != nil {
				return err
			}
			w.Milliseconds = float64(time.Since(began)) / float64(time.Millisecond)
			var points []geom.Vec
			for _, n := range result.Nodes {
				node, _ := g.Node(n)
				points = append(points, node.Point)
			}
			w.line(points)
			w.Expanded = result.Expanded
			for n := range int32(graph.Nodes()) {
				if looked[n] && len(w.Nodes) < 3*mostNodes {
					node, _ := g.Node(n)
					w.Nodes = append(w.Nodes, node.Point.X, node.Point.Y, node.Point.Z)
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// Ray is the answer to ray: a straight walk from a place towards another, and the wall nearest to its end.
type Ray struct {
	Found    bool       `json:"found"` // floor at the start
	Hit      bool       `json:"hit"`
	Start    [3]float64 `json:"start"`
	End      [3]float64 `json:"end"`
	Length   float64    `json:"length"` // metres, seen from above
	Regions  []int      `json:"regions"`
	Wall     [3]float64 `json:"wall"`     // the place of the wall nearest to the goal
	Distance float64    `json:"distance"` // of it, metres; -1 without one
	Goal     [3]float64 `json:"goal"`     // the place on the floor nearest to the goal
}

func ray(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	p, err := b.asking(r)
	if err != nil {
		return Reply{}, err
	}
	answer := Ray{Regions: []int{}, Distance: -1}
	q := b.index().NewQuery()
	start, ok := q.Nearest(vec(p.From), p.Reach)
	goal, also := q.Nearest(vec(p.To), p.Reach)
	if !ok || !also {
		return Reply{Answer: answer}, nil
	}
	hit, err := q.Raycast(start, goal.Point)
	if err != nil {
		return Reply{}, err
	}
	xyz := func(v geom.Vec) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }
	answer.Found, answer.Hit, answer.Start, answer.End, answer.Goal = true, hit.Hit, xyz(start.Point), xyz(hit.End.Point), xyz(goal.Point)
	answer.Length = math.Hypot(hit.End.Point.X-start.Point.X, hit.End.Point.Z-start.Point.Z)
	for _, ref := range hit.Regions {
		number, _ := regionOf(b.mesh.Mesh, ref)
		answer.Regions = append(answer.Regions, number)
	}
	if wall, err := q.DistanceToWall(goal, ask.WallReach); err == nil && wall.Found {
		answer.Wall, answer.Distance = xyz(wall.Nearest.Point), wall.Distance
	}
	return Reply{Answer: answer}, nil
}

// GroundCost is a kind of ground with its cost of a metre.
type GroundCost struct {
	Area uint8   `json:"area"`
	Name string  `json:"name"`
	Size float64 `json:"size"` // m²
	Cost float64 `json:"cost"`
}

// listGrounds lists the kinds of ground in the mesh.
func listGrounds(b *Bench, _ context.Context, _ Request, _ Tell) (Reply, error) {
	list := []GroundCost{}
	if b.mesh != nil {
		sizes := map[uint8]float64{}
		for i := range b.mesh.Tiles {
			t := &b.mesh.Tiles[i]
			for r := range t.Regions {
				var ring lattice.Ring
				for _, c := range t.RegionCorners(r) {
					ring = append(ring, t.Vertices[c].Point)
				}
				sizes[t.Regions[r].Area] += lattice.SquareMetres(ring.Area2())
			}
		}
		for area := range 256 {
			if size, ok := sizes[uint8(area)]; ok {
				cost, given := b.searching.costs[uint8(area)]
				if !given {
					cost = 1
				}
				list = append(list, GroundCost{uint8(area), b.mesh.AreaName(uint8(area)), size, cost})
			}
		}
	}
	return Reply{Answer: list}, nil
}

// setCosts makes kinds of ground dearer or cheaper for all later questions.
func setCosts(b *Bench, _ context.Context, r Request, _ Tell) (Reply, error) {
	var o struct {
		Costs []GroundCost `json:"costs"`
	}
	if err := read(r, &o); err != nil {
		return Reply{}, err
	}
	if b.mesh == nil {
		return Reply{}, errNoMesh
	}
	costs := map[uint8]float64{}
	for _, c := range o.Costs {
		costs[c.Area] = c.Cost
	}
	ix, err := b.mesh.Index().With(query.Filter{AreaCosts: costs})
	if err != nil {
		return Reply{}, err
	}
	b.searching.costs, b.searching.index, b.searching.graphs = costs, ix, nil
	b.asked = ask.NewOn(b.mesh.Mesh, ix)
	return Reply{}, nil
}
