package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/query"
)

// graphFlags say how else than exactly a path is found, and how it is smoothed.
type graphFlags struct {
	Graph  string `default:"none" enum:"none,centroids,midpoints,both,enhanced" placeholder:"KIND" help:"Search a graph of points in place of the mesh: centroids of regions, midpoints of portals, both, or enhanced, centroids but for large regions; none is the exact search (default ${default})." group:"Other ways"`
	Smooth string `default:"" enum:",funnel,brand,none" placeholder:"HOW" help:"Path made of a graph's way: funnel, the shortest through the regions of the way; brand, Brand's smoother; or none (default funnel)." group:"Other ways" rare:""`
	Spline string `default:"none" enum:"none,catmull-rom,b-spline" placeholder:"KIND" help:"Lay a curve through the path: catmull-rom, b-spline or none; the path stays sharp where the curve would leave the mesh (default ${default})." group:"Other ways" rare:""`
	Follow string `default:"none" enum:"none,magnet" placeholder:"HOW" help:"Show the track of a follower of the path: magnet, pulled by a magnet ahead, or none (default ${default})." group:"Other ways" rare:""`
	Large  number `default:"8" placeholder:"M" help:"Least extent of an enhanced region, in metres (default ${default})." group:"Other ways" rare:""`
}

// graphReport is the output of --json about the way along a graph. Lengths are horizontal, in metres.
type graphReport struct {
	Kind     string  `json:"kind"`
	Nodes    int     `json:"nodes"`
	Edges    int     `json:"edges"`
	Expanded int     `json:"expanded"`
	Raw      float64 `json:"length_raw"` // along the nodes, links at their cost
	Smooth   string  `json:"smooth" rare:""`
}

// followReport is the output of --json about a traveller behind a magnet.
type followReport struct {
	Seconds float64 `json:"seconds"`
	Beside  float64 `json:"beside"` // metres, seen from above, at most
}

// otherWay is a path found or smoothed by the flags, and the exact path.
type otherWay struct {
	path, exact query.Path
	points      []geom.Vec   // on the floor
	surface     float64      // length along the points
	graph       *graphReport // nil for the exact search
	spline      string       // none for none
	follow      *followReport
}

// plain reports whether the flags ask for the exact path as it is.
func (f graphFlags) plain() bool {
	return f.Graph == "none" && f.Spline == "none" && f.Follow == "none"
}

// find finds a path by the flags, for a method of moving if given.
func (f graphFlags) find(e *env, method string, q *query.Query, ix *query.Index, from, to geom.Vec) (otherWay, error) {
	switch lengths := f.Smooth == "brand" || f.Smooth == "none" || f.Spline != "none" || f.Follow != "none"; {
	case f.Graph == "none" && f.Smooth != "":
		return otherWay{}, errors.New("--smooth needs a way along a graph: --graph")
	case method != "" && lengths:
		return otherWay{}, errors.New("--method needs costs of ground; --smooth brand and none, --spline and --follow know only lengths")
	}
	path, err := q.Path(e.ctx, from, to)
	if err != nil {
		return otherWay{}, err
	}
	w := otherWay{spline: f.Spline}
	w.take(path)
	w.exact = w.path
	if f.Spline != "none" {
		w.points = w.path.Points // the curve is put on the floor anyway
	}
	if !path.Complete {
		return w, nil
	}
	if f.Graph != "none" {
		if err := f.onGraph(e, q, ix, &w); err != nil {
			return w, err
		}
	}
	if f.Spline != "none" {
		if err := f.curve(q, ix, &w); err != nil {
			return w, err
		}
	}
	if f.Follow != "none" {
		err = w.pull(e.ctx, q)
	}
	return w, err
}

// wayOf returns a path as it is.
func wayOf(path query.Path) *otherWay {
	w := &otherWay{spline: "none"}
	w.take(path)
	return w
}

// take makes a path of a query the way.
func (w *otherWay) take(path query.Path) {
	w.path = path.Clone()
	w.points, w.surface = w.path.Surface(), w.path.SurfaceLength()
}

// onGraph searches the graph and smooths the path.
func (f graphFlags) onGraph(e *env, q *query.Query, ix *query.Index, w *otherWay) error {
	kind, err := navgraph.ParseKind(f.Graph)
	if err != nil {
		return err
	}
	g, err := navgraph.New(ix, navgraph.Options{Kind: kind, Large: float64(f.Large)})
	if err != nil {
		return err
	}
	regions := w.exact.Regions()
	start := query.Position{Ref: regions[0], Point: w.exact.Points[0]}
	goal := query.Position{Ref: regions[len(regions)-1], Point: w.exact.Points[len(w.exact.Points)-1]}
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
	w.take(path)
	w.path.Expanded = route.Expanded
	switch w.graph.Smooth {
	case "none":
		w.points = route.Points
	case "brand":
		w.points = brandWay(ix, finder, start, goal, route.Exits)
	default:
		return nil
	}
	w.measure()
	return nil
}

// brandWay smooths a way along exits as Brand does.
func brandWay(ix *query.Index, finder *navgraph.Finder, start, goal query.Position, exits []int32) []geom.Vec {
	frame := ix.Mesh().Frame
	vertex := func(p geom.Vec) lattice.Vertex {
		at, z, _ := frame.FromWorld(p)
		return lattice.Vertex{Point: at, Z: z}
	}
	var s smooth.Smoother
	var points []geom.Vec
	for _, p := range s.Smooth(vertex(start.Point), vertex(goal.Point), finder.Edges(nil, exits), smooth.Options{}) {
		points = append(points, frame.FromLocal(p.X, p.Y, p.Z))
	}
	return points
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
	samples, err := s.Through(w.points, opt)
	if err != nil {
		return err
	}
	w.points = nil
	for _, p := range samples {
		w.points = append(w.points, p.Curve)
	}
	w.measure()
	return nil
}

// pull lets a magnet pull a traveller along the path and records its track, ten points a second. The traveller slides
// along walls, except on paths over links, where nothing holds it.
func (w *otherWay) pull(ctx context.Context, q *query.Query) error {
	var route steer.Route
	if err := route.Set(w.points); err != nil {
		return err
	}
	held := !slices.ContainsFunc(w.path.Crossings, func(c query.Crossing) bool { return c.Link >= 0 })
	const perSecond, shown = 60, 6
	m := steer.Magnet{Route: &route}
	at := query.Position{Ref: w.path.Regions()[0], Point: route.At(0)}
	var velocity geom.Vec
	track := []geom.Vec{at.Point}
	w.follow = &followReport{}
	// Who does not get there at a tenth of the usual speed never does.
	last := int(perSecond * (10*route.Length()/3 + 10))
	for step := 1; !m.Done(at.Point, 0.1); step++ {
		if step%perSecond == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if step > last {
			return fmt.Errorf("the traveller is at %v after %.0f s and does not reach the goal", at.Point, w.follow.Seconds)
		}
		velocity = velocity.Add(m.Pull(at.Point, velocity).Scale(1.0 / perSecond))
		to := at.Point.Add(velocity.Scale(1.0 / perSecond))
		on := route.At(m.Along)
		if held {
			move, err := q.MoveAlongSurface(at, to)
			if err != nil {
				return err
			}
			velocity = move.End.Point.Sub(at.Point).Scale(perSecond)
			velocity.Y = 0
			at = move.End
		} else {
			at.Point = geom.Vec{X: to.X, Y: on.Y, Z: to.Z}
		}
		w.follow.Seconds = float64(step) / perSecond
		w.follow.Beside = max(w.follow.Beside, math.Hypot(at.Point.X-on.X, at.Point.Z-on.Z))
		if step%shown == 0 {
			track = append(track, at.Point)
		}
	}
	w.points = append(track, route.At(route.Length()))
	w.measure()
	return nil
}

// measure measures the points again. Links count with their length and their cost.
func (w *otherWay) measure() {
	links := w.path.Cost - w.path.Length
	w.path.Length, w.surface = 0, 0
	for i := 1; i < len(w.points); i++ {
		a, b := w.points[i-1], w.points[i]
		w.path.Length += math.Hypot(b.X-a.X, b.Z-a.Z)
		w.surface += a.Distance(b)
	}
	w.path.Cost, w.path.Grounds = w.path.Length+links, nil
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
	if w.follow != nil {
		fmt.Fprintf(out, "  pulled by a magnet: %.1f s, up to %.2f m beside the path\n", w.follow.Seconds, w.follow.Beside)
	}
	if w.exact.Cost > 0 {
		fmt.Fprintf(out, "  exact: %.3f m, this is %+.2f %%\n", w.exact.Cost, 100*(w.path.Cost/w.exact.Cost-1))
	}
}
