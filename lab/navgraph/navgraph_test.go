package navgraph_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/search"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// TestGraphIsSymmetric: without one-way links the way back is as long.
func TestGraphIsSymmetric(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		if len(w.mesh.Links) > 0 {
			return
		}
		for _, g := range w.graphs {
			f := g.NewFinder()
			for range 4 {
				a, b := w.draw(t, rng), w.draw(t, rng)
				there, err := f.Path(t.Context(), a, b)
				if err != nil {
					t.Fatal(err)
				}
				cost := there.Cost
				back, err := f.Path(t.Context(), b, a)
				if err != nil || back.Found != there.Found || math.Abs(back.Cost-cost) > 1e-9*(1+cost) {
					t.Errorf("%s, %v: %v from %v to %v, %v back: %v", w.name, g.Kind(), cost, a, b, back.Cost, err)
				}
			}
		}
	})
}

// TestGraphMovesWithTheFrame: far from the origin of the world everything is the same, bit by bit.
func TestGraphMovesWithTheFrame(t *testing.T) {
	far := lattice.Frame{East: 1 << 40, North: -3 << 38, Up: 1 << 20}
	for i := range uint64(12) {
		d := gentest.Scatter(rand.New(rand.NewPCG(i, 3)), 4, 2000, gentest.Mixed)
		near, moved := newWorld(t, "near", query.NewIndex(meshOf(t, d, lattice.Frame{}, "best"))), newWorld(t, "far", query.NewIndex(meshOf(t, d, far, "best")))
		rng := rand.New(rand.NewPCG(i, 4))
		for k := range near.graphs {
			f, o := near.graphs[k].NewFinder(), moved.graphs[k].NewFinder()
			for range 6 {
				start, goal := near.draw(t, rng), near.draw(t, rng)
				there := func(p query.Position) query.Position {
					v := vertex(near, p)
					return query.Position{Ref: p.Ref, Point: far.ToWorld(v.Point, v.Z)}
				}
				a, err := f.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				b, err := o.Path(t.Context(), there(start), there(goal))
				if err != nil || a.Cost != b.Cost || !slices.Equal(a.Nodes, b.Nodes) || !slices.Equal(a.Exits, b.Exits) {
					t.Fatalf("%v: %v by %v near, %v by %v far: %v", near.graphs[k].Kind(), a.Cost, a.Nodes, b.Cost, b.Nodes, err)
				}
			}
		}
	}
}

// TestRoutes: a route starts and ends at its places, its nodes belong to the graph, and each region is entered from the one
// before. A place to itself, and a place in the same region, is straight.
func TestRoutes(t *testing.T) {
	same := 0
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		for _, g := range w.graphs {
			f := g.NewFinder()
			for k := range 5 {
				start, goal := w.draw(t, rng), w.draw(t, rng)
				if k == 0 {
					goal = start
				}
				r, err := f.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Found {
					continue
				}
				if r.Points[0] != start.Point || r.Points[len(r.Points)-1] != goal.Point || len(r.Points) != len(r.Nodes)+2 {
					t.Fatalf("%s, %v from %v to %v: points %v", w.name, g.Kind(), start, goal, r.Points)
				}
				sum := 0.0
				for i := 1; i < len(r.Points); i++ {
					sum += math.Hypot(r.Points[i].X-r.Points[i-1].X, r.Points[i].Z-r.Points[i-1].Z)
				}
				links := false
				for i, n := range r.Nodes {
					node, ok := g.Node(n)
					if d := node.Point.Distance(r.Points[i+1]); !ok || d > w.mesh.Agent.Height {
						t.Fatalf("node %d is at %v, the route at %v", n, node.Point, r.Points[i+1])
					}
					links = links || node.Kind == navgraph.AtLinkStart
				}
				if !links && math.Abs(sum-r.Cost) > 1e-6*(1+sum) {
					t.Errorf("%s, %v: points are %v m long, the cost is %v", w.name, g.Kind(), sum, r.Cost)
				}
				if r.Regions[0] != start.Ref || r.Regions[len(r.Regions)-1] != goal.Ref || len(r.Regions) != len(r.Exits)+1 {
					t.Errorf("%s, %v: regions %v by exits %v", w.name, g.Kind(), r.Regions, r.Exits)
				}
				if start.Ref == goal.Ref && len(w.mesh.Links) == 0 {
					same++
					if len(r.Exits) != 0 || len(r.Nodes) != 0 || r.Expanded != 0 {
						t.Errorf("%s, %v: %+v in one region", w.name, g.Kind(), r)
					}
				}
			}
		}
	})
	if same < 300 {
		t.Errorf("only %d routes in one region", same)
	}
}

// TestClosedDoors: the graph omits closed parts: routes are found exactly where the filtered mesh has paths.
func TestClosedDoors(t *testing.T) {
	mesh := levelMesh(t, "halls")
	filter, err := mesh.Index().Names(nil, []string{"door", "lift"})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := mesh.Index().With(filter)
	if err != nil {
		t.Fatal(err)
	}
	if ix == mesh.Index() {
		t.Fatal("nothing is closed")
	}
	w := newWorld(t, "halls, closed", ix)
	rng := rand.New(rand.NewPCG(1, 5))
	apart := 0
	for range 150 {
		start, goal := w.draw(t, rng), w.draw(t, rng)
		path, err := w.q.PathBetween(t.Context(), start, goal)
		if err != nil {
			t.Fatal(err)
		}
		if !path.Complete {
			apart++
		}
		for _, g := range w.graphs {
			f := g.NewFinder()
			r, err := f.Path(t.Context(), start, goal)
			if err != nil || r.Found != path.Complete {
				t.Fatalf("%v from %v to %v: found %v, complete %v, %v", g.Kind(), start, goal, r.Found, path.Complete, err)
			}
			if r.Found {
				if _, err := w.q.Through(start, goal, r.Exits); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if apart == 0 {
		t.Error("no pair is parted")
	}
}

// TestLinks: with the door closed the way leads up the ladder and down again by the drop, and not back; a smoothed way turns at both ends
// of both.
func TestLinks(t *testing.T) {
	mesh := levelMesh(t, "halls")
	filter, err := mesh.Index().Names(nil, []string{"door"})
	if err != nil {
		t.Fatal(err)
	}
	ix, err := mesh.Index().With(filter)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "halls without a door", ix)
	a, b, _, _ := levelgen.HallsWalks()
	west, ok := w.q.Locate(a)
	east, ok2 := w.q.Locate(b)
	if !ok || !ok2 {
		t.Fatal("no floor")
	}
	for _, g := range w.graphs {
		f := g.NewFinder()
		if r, err := f.Path(t.Context(), east, west); err != nil || r.Found || r.Points != nil {
			t.Errorf("%v: back by %v, %v", g.Kind(), r.Points, err)
		}
		r, err := f.Path(t.Context(), west, east)
		if err != nil || !r.Found {
			t.Fatalf("%v: %v, %v", g.Kind(), r.Found, err)
		}
		path, err := w.q.Through(west, east, r.Exits)
		if err != nil || len(path.Crossings) < 2 || path.Cost > r.Cost {
			t.Fatalf("%v: %v, %v m by %v m", g.Kind(), err, path.Cost, r.Cost)
		}
		var s smooth.Smoother
		points := s.Smooth(vertex(w, west), vertex(w, east), f.Edges(nil, r.Exits), smooth.Options{})
		for _, id := range r.Exits {
			for _, ref := range r.Regions {
				for _, e := range ix.Exits(nil, ref) {
					if e.ID != id || e.Link < 0 {
						continue
					}
					for _, end := range []lattice.Vertex{e.Left, e.End} {
						if !slices.ContainsFunc(points, func(p smooth.Waypoint) bool {
							return p.Corner && p.X == float64(end.X) && p.Y == float64(end.Y) && p.Z == float64(end.Z)
						}) {
							t.Errorf("%v: the way %v does not turn at %v", g.Kind(), points, end)
						}
					}
				}
			}
		}
	}
}

// TestSearchersAgree: other searchers accept the graph unchanged.
func TestSearchersAgree(t *testing.T) {
	w := newWorld(t, "carpark", levelMesh(t, "carpark").Index())
	for _, g := range w.graphs {
		n := int32(g.Search().Nodes())
		a, d := search.NewAStar(g.Search(), nil), search.NewDijkstra(g.Search())
		for k := range min(n, 20) {
			from, to := k*7919%n, k*104729%n
			x, err := a.Path(t.Context(), from, to)
			if err != nil {
				t.Fatal(err)
			}
			y, err := d.Path(t.Context(), from, to)
			if err != nil || x.Cost != y.Cost && math.Abs(x.Cost-y.Cost) > 1e-9 {
				t.Errorf("%v from %d to %d: %v and %v, %v", g.Kind(), from, to, x.Cost, y.Cost, err)
			}
		}
	}
}

// TestRefuses lists invalid options, positions and kinds.
func TestRefuses(t *testing.T) {
	w := newWorld(t, "rooms", levelMesh(t, "rooms").Index())
	for _, c := range []struct {
		opt  navgraph.Options
		want string
	}{
		{navgraph.Options{Kind: 9}, "unknown kind"},
		{navgraph.Options{Large: -1}, "large is -1"},
		{navgraph.Options{Large: math.NaN()}, "large is NaN"},
		{navgraph.Options{Spacing: -2}, "spacing is -2"},
		{navgraph.Options{Spacing: math.NaN()}, "spacing is NaN"},
	} {
		if _, err := navgraph.New(w.ix, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.opt, err, c.want)
		}
	}
	if _, err := navgraph.ParseKind("corners"); err == nil {
		t.Error("corners are a kind")
	}
	for _, k := range navgraph.Kinds() {
		if got, err := navgraph.ParseKind(k.String()); err != nil || got != k {
			t.Errorf("%v is %v: %v", k, got, err)
		}
	}
	if got := navgraph.Kind(200).String(); got != "Kind(200)" {
		t.Error(got)
	}
	f := w.graphs[0].NewFinder()
	ok := w.draw(t, rand.New(rand.NewPCG(1, 1)))
	for _, bad := range []query.Position{
		{},
		{Ref: navmesh.MakeRef(7, 0, 1), Point: ok.Point},
		{Ref: ok.Ref + 1, Point: ok.Point}, // of another generation
		{Ref: ok.Ref, Point: geom.Vec{X: math.NaN()}},
		{Ref: ok.Ref, Point: geom.Vec{X: math.Inf(1)}},
		{Ref: ok.Ref, Point: geom.Vec{X: 1e12}},
	} {
		if _, err := f.Path(t.Context(), bad, ok); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("from %v: %v", bad, err)
		}
		if _, err := f.Path(t.Context(), ok, bad); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("to %v: %v", bad, err)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := f.Path(stopped, ok, ok); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if edges := f.Edges(nil, []int32{-1, math.MaxInt32}); edges != nil {
		t.Errorf("edges %v of no exits", edges)
	}
	if _, ok := w.graphs[0].Node(-1); ok {
		t.Error("there is a node -1")
	}
	if g, err := navgraph.New(query.NewIndex(&navmesh.Mesh{}), navgraph.Options{}); err != nil || g.Search().Nodes() != 0 {
		t.Errorf("an empty mesh: %v", err)
	}
}

// TestNoAllocations: after the first few answers neither the search nor smoothing nor the funnel allocates.
func TestNoAllocations(t *testing.T) {
	w := newWorld(t, "rooms", levelMesh(t, "rooms").Index())
	rng := rand.New(rand.NewPCG(3, 3))
	var places [16]query.Position
	for i := range places {
		places[i] = w.draw(t, rng)
	}
	var s smooth.Smoother
	var sp smooth.Spline
	var edges []smooth.Edge
	var points []geom.Vec
	opt := smooth.SplineOptions{Step: 1}
	opt.Free, opt.Floor = navgraph.OnMesh(w.q, w.mesh)
	ctx := context.Background()
	for _, g := range w.graphs {
		f := g.NewFinder()
		round := func() {
			for i := range places {
				start, goal := places[i], places[(i+5)%len(places)]
				r, err := f.Path(ctx, start, goal)
				if err != nil {
					t.Fatal(err)
				}
				if !r.Found {
					continue
				}
				edges = f.Edges(edges[:0], r.Exits)
				points = points[:0]
				for _, p := range s.Smooth(vertex(w, start), vertex(w, goal), edges, smooth.Options{}) {
					points = append(points, w.mesh.Frame.FromLocal(p.X, p.Y, p.Z))
				}
				if _, err := sp.Through(points, opt); err != nil {
					t.Fatal(err)
				}
				if _, err := w.q.Through(start, goal, r.Exits); err != nil {
					t.Fatal(err)
				}
			}
		}
		if n := testing.AllocsPerRun(3, round); n != 0 {
			t.Errorf("%v: %v allocations in 16 routes", g.Kind(), n)
		}
	}
}

// TestSplinesStayOnTheMesh: no way between two samples of a curve meets a wall, as rays between them say; made sharp
// where need be, many curves remain curves.
func TestSplinesStayOnTheMesh(t *testing.T) {
	curved := 0
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		var s smooth.Smoother
		var sp smooth.Spline
		free, floor := navgraph.OnMesh(w.q, w.mesh)
		box := w.mesh.Bounds()
		step := max(box.Max.X-box.Min.X, 1e-3) / 100
		for range 3 {
			start, goal := w.draw(t, rng), w.draw(t, rng)
			f := w.graphs[navgraph.Midpoints].NewFinder()
			r, err := f.Path(t.Context(), start, goal)
			if err != nil {
				t.Fatal(err)
			}
			edges := f.Edges(nil, r.Exits)
			if !r.Found || slices.ContainsFunc(edges, func(e smooth.Edge) bool { return e.Left.Point == e.Right.Point }) {
				continue
			}
			var points []geom.Vec
			for _, p := range s.Smooth(vertex(w, start), vertex(w, goal), edges, smooth.Options{}) {
				points = append(points, w.mesh.Frame.FromLocal(p.X, p.Y, p.Z))
			}
			for _, kind := range []smooth.SplineKind{smooth.CatmullRom, smooth.BSpline} {
				samples, err := sp.Through(points, smooth.SplineOptions{Kind: kind, Step: step, Free: free, Floor: floor})
				if err != nil {
					t.Fatal(err)
				}
				if len(samples) > len(points) {
					curved++
				}
				for i := 1; i < len(samples); i++ {
					a, b := samples[i-1].Curve, samples[i].Curve
					if slices.Contains(points, a) && slices.Contains(points, b) {
						continue // a straight piece of the way itself
					}
					if !free(a, b) {
						t.Fatalf("%s, %v: the way from %v to %v is not free", w.name, kind, a, b)
					}
				}
			}
		}
	})
	if curved < 50 {
		t.Errorf("only %d curves", curved)
	}
}

// TestRealLevels asks real levels, whose floors lie above each other: all graphs have the connections of the mesh, lengths are in
// order, and smoothed paths stay on the mesh.
func TestRealLevels(t *testing.T) {
	for _, file := range []string{"nav_test.obj", "dungeon.obj"} {
		t.Run(file, func(t *testing.T) {
			w := newWorld(t, file, realLevel(t, file).Index())
			rng := rand.New(rand.NewPCG(6, 6))
			var s smooth.Smoother
			for range 60 {
				start, goal := w.draw(t, rng), w.draw(t, rng)
				shortest, err := w.q.PathBetween(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				least := shortest.Cost
				for _, g := range w.graphs {
					f := g.NewFinder()
					r, err := f.Path(t.Context(), start, goal)
					if err != nil || r.Found != shortest.Complete {
						t.Fatalf("%v: found %v, %v", g.Kind(), r.Found, err)
					}
					if err := w.walkSmoothed(&s, f, r, start, goal, smooth.Options{}); err != nil {
						t.Errorf("%v from %v to %v: %v", g.Kind(), start, goal, err)
					}
					tight, err := w.q.Through(start, goal, r.Exits)
					if err != nil || tight.Cost < least-1e-9*(1+least) {
						t.Errorf("%v from %v to %v: %v, shortest %v: %v", g.Kind(), start, goal, tight.Cost, least, err)
					}
				}
			}
		})
	}
}

// TestAlong: the nodes of a route give the same route; the nodes found by another searcher from centroid to centroid give a
// corridor of the same length.
func TestAlong(t *testing.T) {
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		for _, g := range w.graphs {
			f, o := g.NewFinder(), g.NewFinder()
			for range 3 {
				start, goal := w.draw(t, rng), w.draw(t, rng)
				want, err := f.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				if !want.Found {
					continue
				}
				got, err := o.Along(start, goal, want.Nodes)
				if err != nil || !slices.Equal(got.Exits, want.Exits) || !slices.Equal(got.Regions, want.Regions) || !slices.Equal(got.Points, want.Points) ||
					math.Abs(got.Cost-want.Cost) > 1e-9*(1+want.Cost) {
					t.Fatalf("%s, %v: %+v, want %+v: %v", w.name, g.Kind(), got, want, err)
				}
			}
		}
	})
	w := newWorld(t, "rooms", levelMesh(t, "rooms").Index())
	for _, kind := range []navgraph.Kind{navgraph.Centroids, navgraph.Both} {
		g := w.graphs[kind]
		s, f := search.NewBidirectional(g.Search(), nil), g.NewFinder()
		refs := w.mesh.RegionCount()
		for k := range 40 {
			from, to := int32(k*7919%refs), int32(k*104729%refs)
			r, err := s.Path(t.Context(), from, to)
			if err != nil || !r.Found() {
				continue
			}
			a, _ := g.Node(from)
			b, _ := g.Node(to)
			start, goal := query.Position{Ref: a.Region, Point: a.Point}, query.Position{Ref: b.Region, Point: b.Point}
			route, err := f.Along(start, goal, r.Nodes)
			if err != nil || math.Abs(route.Cost-r.Cost) > 1e-3 {
				t.Fatalf("%v from region %d to %d: %v by %v m, the graph says %v: %v", kind, from, to, route.Exits, route.Cost, r.Cost, err)
			}
			if _, err := w.q.Through(start, goal, route.Exits); err != nil {
				t.Fatal(err)
			}
		}
		// Nodes without an edge between them, and invalid nodes.
		start, _ := g.Node(0)
		at := query.Position{Ref: start.Region, Point: start.Point}
		far := int32(refs - 1)
		if _, err := f.Along(at, at, []int32{far, 0}); err == nil || !strings.Contains(err.Error(), "point 0") {
			t.Errorf("over a far node: %v", err)
		}
		for _, bad := range []int32{-1, int32(g.Search().Nodes())} {
			if _, err := f.Along(at, at, []int32{0, bad}); err == nil || !strings.Contains(err.Error(), "node 1 of the way") {
				t.Errorf("over node %d: %v", bad, err)
			}
		}
		if _, err := f.Along(query.Position{}, at, nil); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("from nowhere: %v", err)
		}
		if _, err := f.Along(at, query.Position{}, nil); !errors.Is(err, query.ErrOffMesh) {
			t.Errorf("to nowhere: %v", err)
		}
	}
}

// TestPulledTravellersArrive: a traveller that a magnet pulls along the shortest path, and that slides along walls, comes to the goal, on
// every level, and keeps to the mesh by construction.
func TestPulledTravellersArrive(t *testing.T) {
	const dt = 1.0 / 30
	for _, level := range []string{"rooms", "bridge", "carpark"} {
		w := newWorld(t, level, levelMesh(t, level).Index())
		rng := rand.New(rand.NewPCG(8, 8))
		var route steer.Route
		for range 25 {
			start, _ := w.q.RandomPoint(rng)
			goal, _ := w.q.RandomPoint(rng)
			path, err := w.q.PathBetween(t.Context(), start, goal)
			if err != nil || !path.Complete {
				continue
			}
			if err := route.Set(path.Surface()); err != nil {
				t.Fatal(err)
			}
			m, at, velocity := steer.Magnet{Route: &route}, start, geom.Vec{}
			for seconds := 0.0; !m.Done(at.Point, 0.1); seconds += dt {
				velocity = velocity.Add(m.Pull(at.Point, velocity).Scale(dt))
				move, err := w.q.MoveAlongSurface(at, at.Point.Add(velocity.Scale(dt)))
				if err != nil {
					t.Fatal(err)
				}
				velocity = move.End.Point.Sub(at.Point).Scale(1 / dt)
				at = move.End
				if seconds > 10+path.Length {
					t.Fatalf("%s: at %v after %g s, %g of %g m along, from %v to %v", level, at.Point, seconds, m.Along, route.Length(), start, goal)
				}
			}
		}
	}
}
