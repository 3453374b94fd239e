package navgraph_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/query"
)

// BenchmarkRoutes times a thousand queries on a level by each graph, with the funnel through the result, beside the exact search.
// It reports the excess length in percent of all paths together: along the graph, through the funnel and by Brand's smoother.
func BenchmarkRoutes(b *testing.B) {
	for _, level := range []string{"rooms", "city", "nav_test.obj", "dungeon.obj", "undulating.obj"} {
		b.Run(level, func(b *testing.B) {
			var mesh *meadow.Mesh
			if level == "rooms" || level == "city" {
				mesh = levelMesh(b, level)
			} else {
				mesh = realLevel(b, level)
			}
			benchmarkLevel(b, mesh)
		})
	}
}

func benchmarkLevel(b *testing.B, mesh *meadow.Mesh) {
	ctx := context.Background()
	q := mesh.NewQuery()
	rng := rand.New(rand.NewPCG(1, 2))
	type pair struct{ start, goal query.Position }
	var pairs []pair
	exact := 0.0
	for len(pairs) < 1000 {
		start, _ := q.RandomPoint(rng)
		goal, _ := q.RandomPoint(rng)
		path, err := q.PathBetween(ctx, start, goal)
		if err != nil {
			b.Fatal(err)
		}
		if path.Complete {
			pairs = append(pairs, pair{start, goal})
			exact += path.Cost
		}
	}
	b.Run("exact", func(b *testing.B) {
		sum, expanded := 0.0, 0
		for b.Loop() {
			sum, expanded = 0, 0
			for _, p := range pairs {
				path, err := q.PathBetween(ctx, p.start, p.goal)
				if err != nil {
					b.Fatal(err)
				}
				sum, expanded = sum+path.Cost, expanded+path.Expanded
			}
		}
		if sum != exact {
			b.Errorf("%v m, first %v", sum, exact)
		}
		b.ReportMetric(float64(expanded)/float64(len(pairs)), "expanded/query")
	})
	for _, kind := range navgraph.Kinds() {
		b.Run(kind.String(), func(b *testing.B) {
			g, err := navgraph.New(mesh.Index(), navgraph.Options{Kind: kind})
			if err != nil {
				b.Fatal(err)
			}
			f := g.NewFinder()
			raw, tight, expanded := 0.0, 0.0, 0
			for b.Loop() {
				raw, tight, expanded = 0, 0, 0
				for _, p := range pairs {
					r, err := f.Path(ctx, p.start, p.goal)
					if err != nil {
						b.Fatal(err)
					}
					path, err := q.Through(p.start, p.goal, r.Exits)
					if err != nil {
						b.Fatal(err)
					}
					raw, tight, expanded = raw+r.Cost, tight+path.Cost, expanded+r.Expanded
				}
			}
			if tight < exact*(1-1e-9) {
				b.Errorf("%v m, the shortest are %v", tight, exact)
			}
			brand := 0.0
			var s smooth.Smoother
			var edges []smooth.Edge
			w := &world{mesh: mesh.Mesh}
			for _, p := range pairs {
				r, err := f.Path(ctx, p.start, p.goal)
				if err != nil {
					b.Fatal(err)
				}
				edges = f.Edges(edges[:0], r.Exits)
				brand += length(s.Smooth(vertex(w, p.start), vertex(w, p.goal), edges, smooth.Options{}))
			}
			b.ReportMetric(100*(raw/exact-1), "raw-%")
			b.ReportMetric(100*(tight/exact-1), "funnel-%")
			b.ReportMetric(100*(brand/exact-1), "brand-%")
			b.ReportMetric(float64(expanded)/float64(len(pairs)), "expanded/query")
			b.ReportMetric(float64(g.Search().Nodes()), "nodes")
			b.ReportMetric(float64(g.Search().Edges()), "edges")
		})
	}
}

// BenchmarkSmooth times the smoothing alone, of a thousand routes.
func BenchmarkSmooth(b *testing.B) {
	w := newWorld(b, "rooms", levelMesh(b, "rooms").Index())
	f := w.graphs[navgraph.Midpoints].NewFinder()
	rng := rand.New(rand.NewPCG(1, 2))
	type task struct {
		start, goal query.Position
		exits       []int32
		edges       []smooth.Edge
	}
	var tasks []task
	edges := 0
	for len(tasks) < 1000 {
		start, _ := w.q.RandomPoint(rng)
		goal, _ := w.q.RandomPoint(rng)
		r, err := f.Path(context.Background(), start, goal)
		if err != nil {
			b.Fatal(err)
		}
		if r.Found {
			tasks = append(tasks, task{start, goal, append([]int32(nil), r.Exits...), f.Edges(nil, r.Exits)})
			edges += len(tasks[len(tasks)-1].edges)
		}
	}
	b.Run("brand", func(b *testing.B) {
		var s smooth.Smoother
		for b.Loop() {
			for i := range tasks {
				t := &tasks[i]
				if n := len(s.Smooth(vertex(w, t.start), vertex(w, t.goal), t.edges, smooth.Options{})); n == 0 {
					b.Fatal("no points")
				}
			}
		}
		b.ReportMetric(float64(edges)/1000, "edges/route")
	})
	b.Run("funnel", func(b *testing.B) {
		for b.Loop() {
			for i := range tasks {
				t := &tasks[i]
				if p, err := w.q.Through(t.start, t.goal, t.exits); err != nil || !p.Complete {
					b.Fatal(err)
				}
			}
		}
	})
}

// BenchmarkCurves times curves through 300 ways on a level, and reports on how many of them the curve as published leaves the mesh, and how
// much of the length is curved once it does not.
func BenchmarkCurves(b *testing.B) {
	for _, level := range []string{"rooms", "city"} {
		w := newWorld(b, level, levelMesh(b, level).Index())
		free, floor := navgraph.OnMesh(w.q, w.mesh)
		ways := map[string][][]geom.Vec{}
		rng := rand.New(rand.NewPCG(1, 2))
		f := w.graphs[navgraph.Midpoints].NewFinder()
		var s smooth.Smoother
		for len(ways["brand"]) < 300 {
			start, _ := w.q.RandomPoint(rng)
			goal, _ := w.q.RandomPoint(rng)
			r, err := f.Path(context.Background(), start, goal)
			if err != nil {
				b.Fatal(err)
			}
			if !r.Found {
				continue
			}
			tight, err := w.q.Through(start, goal, r.Exits)
			if err != nil {
				b.Fatal(err)
			}
			ways["funnel"] = append(ways["funnel"], slices.Clone(tight.Points))
			var points []geom.Vec
			for _, p := range s.Smooth(vertex(w, start), vertex(w, goal), f.Edges(nil, r.Exits), smooth.Options{}) {
				points = append(points, w.mesh.Frame.FromLocal(p.X, p.Y, p.Z))
			}
			ways["brand"] = append(ways["brand"], points)
		}
		for _, how := range []string{"funnel", "brand"} {
			for _, kind := range []smooth.SplineKind{smooth.CatmullRom, smooth.BSpline} {
				b.Run(level+"/"+how+"/"+kind.String(), func(b *testing.B) {
					benchmarkCurves(b, ways[how], smooth.SplineOptions{Kind: kind, Free: free, Floor: floor})
				})
			}
		}
	}
}

func benchmarkCurves(b *testing.B, ways [][]geom.Vec, opt smooth.SplineOptions) {
	var s smooth.Spline
	leaves, curved, all := 0, 0.0, 0.0
	for b.Loop() {
		leaves, curved, all = 0, 0, 0
		for _, points := range ways {
			loose := opt
			loose.Free = nil
			samples, err := s.Through(points, loose)
			if err != nil {
				b.Fatal(err)
			}
			for i := 1; i < len(samples); i++ {
				if !opt.Free(samples[i-1].Curve, samples[i].Curve) {
					leaves++
					break
				}
			}
			if samples, err = s.Through(points, opt); err != nil {
				b.Fatal(err)
			}
			for i := 1; i < len(samples); i++ {
				x, y := samples[i-1], samples[i]
				d := x.Line.Distance(y.Line)
				if all += d; x.Curve != x.Line || y.Curve != y.Line {
					curved += d
				}
			}
		}
	}
	if curved > all {
		b.Errorf("%v of %v m are curved", curved, all)
	}
	b.ReportMetric(100*float64(leaves)/float64(len(ways)), "leave-%")
	b.ReportMetric(100*curved/all, "curved-%")
}
