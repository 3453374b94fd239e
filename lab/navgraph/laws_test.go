package navgraph_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/lab/smooth"
	"github.com/meadow-nav/meadow/query"
)

// TestLengthsAreInOrder: on all worlds, the shortest path is not longer than the shortest in the corridor, which is not longer
// than Brand's smoothed path through it, nor than the way along the graph unless this leaves its regions.
func TestLengthsAreInOrder(t *testing.T) {
	asked, found, brandLonger := 0, 0, 0
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		var s smooth.Smoother
		finders := make([]*navgraph.Finder, len(w.graphs))
		for k, g := range w.graphs {
			finders[k] = g.NewFinder()
		}
		for range 30 {
			start, goal := w.draw(t, rng), w.draw(t, rng)
			shortest, err := w.q.PathBetween(t.Context(), start, goal)
			if err != nil {
				t.Fatal(err)
			}
			shortest = shortest.Clone()
			asked++
			for k, f := range finders {
				kind := navgraph.Kind(k)
				route, err := f.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				if route.Found != shortest.Complete {
					t.Fatalf("%s, %v from %v to %v: found %v, complete %v", w.name, kind, start, goal, route.Found, shortest.Complete)
				}
				if !route.Found {
					continue
				}
				found++
				tight, err := w.q.Through(start, goal, route.Exits)
				if err != nil {
					t.Fatalf("%s, %v from %v to %v: %v", w.name, kind, start, goal, err)
				}
				slack := 1e-9 * (1 + route.Cost)
				if shortest.Cost > tight.Cost+slack {
					t.Errorf("%s, %v from %v to %v: the shortest is %v, the corridor's %v", w.name, kind, start, goal, shortest.Cost, tight.Cost)
				}
				if (kind == navgraph.Midpoints || kind == navgraph.Both) && tight.Cost > route.Cost+slack {
					t.Errorf("%s, %v from %v to %v: the corridor's is %v, the graph's %v", w.name, kind, start, goal, tight.Cost, route.Cost)
				}
				if slices.ContainsFunc(tight.Crossings, func(c query.Crossing) bool { return c.Link >= 0 }) {
					continue // their costs are not lengths
				}
				edges := f.Edges(nil, route.Exits)
				brand := length(s.Smooth(vertex(w, start), vertex(w, goal), edges, smooth.Options{}))
				if tight.Length > brand+slack {
					t.Errorf("%s, %v from %v to %v: the corridor's is %v, Brand's %v", w.name, kind, start, goal, tight.Length, brand)
				}
				if kind == navgraph.Midpoints && brand > route.Cost+slack {
					brandLonger++
				}
			}
		}
	})
	if found < asked {
		t.Errorf("%d of %d found", found, 4*asked)
	}
	t.Logf("%d pairs, %d found, %d Brand longer than midpoints", asked, found, brandLonger)
}

// vertex returns the lattice vertex of a position.
func vertex(w *world, p query.Position) lattice.Vertex {
	at, z, _ := w.mesh.Frame.FromWorld(p.Point)
	return lattice.Vertex{Point: at, Z: z}
}

// length returns the horizontal length of a smoothed way in metres.
func length(points []smooth.Waypoint) float64 {
	sum := 0.0
	for i := 1; i < len(points); i++ {
		sum += math.Hypot(points[i].X-points[i-1].X, points[i].Y-points[i-1].Y)
	}
	return sum * lattice.Unit
}

// TestSmoothedPathsStayOnTheMesh casts a ray along every straight piece of Brand's smoothed paths, with and without bumps left
// out: none hits a wall, and the last ends at the goal. Links are skipped.
func TestSmoothedPathsStayOnTheMesh(t *testing.T) {
	cast := 0
	eachWorld(t, func(t *testing.T, w *world, rng *rand.Rand) {
		var s smooth.Smoother
		for range 6 {
			start, goal := w.draw(t, rng), w.draw(t, rng)
			for _, g := range w.graphs {
				f := g.NewFinder()
				route, err := f.Path(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				for _, opt := range []smooth.Options{{Rise: -1}, {}} {
					if err := w.walkSmoothed(&s, f, route, start, goal, opt); err != nil {
						t.Fatalf("%s, %v, %+v from %v to %v: %v", w.name, g.Kind(), opt, start, goal, err)
					}
					cast += len(route.Exits)
				}
			}
		}
	})
	if cast < 10_000 {
		t.Errorf("only %d exits", cast)
	}
}

// walkSmoothed walks along a smoothed path by rays and says where it leaves the mesh.
func (w *world) walkSmoothed(s *smooth.Smoother, f *navgraph.Finder, route navgraph.Route, start, goal query.Position, opt smooth.Options) error {
	edges := f.Edges(nil, route.Exits)
	if !route.Found || slices.ContainsFunc(edges, func(e smooth.Edge) bool { return e.Left.Point == e.Right.Point }) {
		return nil
	}
	at := start
	for i, p := range s.Smooth(vertex(w, start), vertex(w, goal), edges, opt) {
		if !p.Corner {
			continue
		}
		ray, err := w.q.Raycast(at, w.mesh.Frame.FromLocal(p.X, p.Y, p.Z))
		if err != nil || ray.Hit {
			return fmt.Errorf("the way to point %d, %+v, hits at %v: %w", i, p, ray.Fraction, err)
		}
		at = ray.End
	}
	if d := at.Point.Distance(goal.Point); d > 2*lattice.Unit+query.HeightError {
		return fmt.Errorf("it ends at %v", at.Point)
	}
	return nil
}
