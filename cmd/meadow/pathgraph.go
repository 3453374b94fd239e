package main

import (
	"fmt"
	"io"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navgraph"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/smooth"
)

// graphFlags say how else than exactly a path is found, and how it is smoothed.
type graphFlags struct {
	Graph  string `default:"none" enum:"none,centroids,midpoints,both,enhanced" placeholder:"KIND" help:"Search a graph of points in place of the mesh: centroids of regions, midpoints of portals, both, or enhanced, centroids but for large regions; none is the exact search (default ${default})." group:"Other ways"`
	Smooth string `default:"" enum:",funnel,brand,none" placeholder:"HOW" help:"What becomes of the way along a graph: funnel, the shortest through its regions; brand, Brand's smoother; or none (default funnel)." group:"Other ways"`
	Spline string `default:"none" enum:"none,catmull-rom,b-spline" placeholder:"KIND" help:"Lay a curve through the path: catmull-rom, b-spline or none; where it would leave the mesh the path stays sharp (default ${default})." group:"Other ways"`
	Large  number `default:"8" placeholder:"M" help:"Extent from which on enhanced enhances a region, in metres (default ${default})." group:"Other ways"`
}

// graphReport is what --json prints of the way along a graph. Lengths are horizontal, in metres.
type graphReport struct {
	Kind     string  `json:"kind"`
	Nodes    int     `json:"nodes"`
	Edges    int     `json:"edges"`
	Expanded int     `json:"expanded"`
	Raw      float64 `json:"length_raw"` // along the nodes, links at their cost
	Smooth   string  `json:"smooth"`
}

// otherWay is a path that was found or smoothed as the flags say, and the exact one.
type otherWay struct {
	path, exact query.Path
	graph       *graphReport // nil for the exact search
	spline      string       // none for none
}

// plain reports whether the flags ask for the exact path as it is.
func (f graphFlags) plain() bool { return f.Graph == "none" && f.Spline == "none" }

// find finds a path as the flags say.
func (f graphFlags) find(e *env, q *query.Query, ix *query.Index, from, to geom.Vec) (otherWay, error) {
	if f.Graph == "none" && f.Smooth != "" {
		return otherWay{}, fmt.Errorf("--smooth is for ways along a graph, say which with --graph")
	}
	q.OnlyBends = f.Spline != "none" && f.Graph == "none" // the curve is put on the floor anyway
	path, err := q.Path(e.ctx, from, to)
	if err != nil {
		return otherWay{}, err
	}
	w := otherWay{path: path.Clone(), spline: f.Spline}
	w.exact = w.path
	if !path.Complete {
		return w, nil
	}
	if f.Graph != "none" {
		if err := f.onGraph(e, q, ix, &w); err != nil {
			return w, err
		}
	}
	if f.Spline != "none" {
		err = f.curve(q, ix, &w)
	}
	return w, err
}

// onGraph searches the graph and smooths what it finds.
func (f graphFlags) onGraph(e *env, q *query.Query, ix *query.Index, w *otherWay) error {
	kind, err := navgraph.ParseKind(f.Graph)
	if err != nil {
		return err
	}
	g, err := navgraph.New(ix, navgraph.Options{Kind: kind, Large: float64(f.Large)})
	if err != nil {
		return err
	}
	last := len(w.exact.Regions) - 1
	start := query.Position{Ref: w.exact.Regions[0], Point: w.exact.Points[0]}
	goal := query.Position{Ref: w.exact.Regions[last], Point: w.exact.Points[len(w.exact.Points)-1]}
	finder := g.NewFinder()
	route, err := finder.Path(e.ctx, start, goal)
	if err != nil {
		return err
	}
	if !route.Found {
		return fmt.Errorf("the graph of %v does not join regions that the mesh joins", kind)
	}
	w.graph = &graphReport{
		Kind: f.Graph, Nodes: g.Search().Nodes(), Edges: g.Search().Edges(), Expanded: route.Expanded, Raw: route.Cost, Smooth: f.Smooth,
	}
	if f.Smooth == "" {
		w.graph.Smooth = "funnel"
	}
	path, err := q.Through(start, goal, route.Exits)
	if err != nil {
		return err
	}
	w.path = path.Clone()
	w.path.Expanded = route.Expanded
	switch w.graph.Smooth {
	case "none":
		w.path.Points = route.Points
	case "brand":
		frame := ix.Mesh().Frame
		vertex := func(p geom.Vec) lattice.Vertex {
			at, z, _ := frame.FromWorld(p)
			return lattice.Vertex{Point: at, Z: z}
		}
		var s smooth.Smoother
		w.path.Points = nil
		for _, p := range s.Smooth(vertex(start.Point), vertex(goal.Point), finder.Edges(nil, route.Exits), smooth.Options{}) {
			w.path.Points = append(w.path.Points, frame.FromLocal(p.X, p.Y, p.Z))
		}
	default:
		return nil
	}
	w.measure()
	return nil
}

// curve lays a curve through the points.
func (f graphFlags) curve(q *query.Query, ix *query.Index, w *otherWay) error {
	kind, err := smooth.ParseSplineKind(f.Spline)
	if err != nil {
		return err
	}
	opt := smooth.SplineOptions{Kind: kind}
	opt.Free, opt.Floor = navgraph.OnMesh(q, ix.Mesh())
	var s smooth.Spline
	samples, err := s.Through(w.path.Points, opt)
	if err != nil {
		return err
	}
	w.path.Points = nil
	for _, p := range samples {
		w.path.Points = append(w.path.Points, p.Curve)
	}
	w.measure()
	return nil
}

// measure measures the points again. Links count as long as they are, and at their cost.
func (w *otherWay) measure() {
	links := w.path.Cost - w.path.Length
	w.path.Length, w.path.SurfaceLength = 0, 0
	for i := 1; i < len(w.path.Points); i++ {
		a, b := w.path.Points[i-1], w.path.Points[i]
		w.path.Length += math.Hypot(b.X-a.X, b.Z-a.Z)
		w.path.SurfaceLength += a.Distance(b)
	}
	w.path.Cost = w.path.Length + links
}

// print says in words how the path was found, and how much longer than the exact one it is, with links at their cost.
func (w *otherWay) print(out io.Writer) {
	if w.graph != nil {
		fmt.Fprintf(out, "  graph of %s: %s and %s, %d expanded; %.3f m along its nodes, smoothed by %s\n",
			w.graph.Kind, count(w.graph.Nodes, "node"), count(w.graph.Edges, "edge"), w.graph.Expanded, w.graph.Raw, w.graph.Smooth)
	}
	if w.spline != "none" {
		fmt.Fprintf(out, "  curve: %s\n", w.spline)
	}
	if w.exact.Cost > 0 {
		fmt.Fprintf(out, "  exact: %.3f m, this is %+.2f %%\n", w.exact.Cost, 100*(w.path.Cost/w.exact.Cost-1))
	}
}
