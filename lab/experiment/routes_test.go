package experiment

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/navgraph"
	"github.com/meadow-nav/meadow/metric"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// stripsMesh is the mesh of two obstacles in a row: below, above, and three columns from west to east.
func stripsMesh(t *testing.T) *navmesh.Mesh {
	t.Helper()
	w, cells := stripsWorld(2)
	mesh, _, err := join.Build(t.Context(), w.Plan(), [][][]plan.Cell{{cells}}, join.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return mesh
}

// TestRoute walks from the region below a row of obstacles to the one above, by each kind of graph; lengths by hand, in
// sides of a square of 4 m. Centroids are (2.5, 0.5) and (2.5, 2.5) below and above and (0.5, 1.5), (2.5, 1.5),
// (4.5, 1.5) of the columns, middles of portals (0.5, 1), (2.5, 1) and so on.
func TestRoute(t *testing.T) {
	mesh := stripsMesh(t)
	w, err := newWalks(mesh)
	if err != nil {
		t.Fatal(err)
	}
	if n := w.graphs[navgraph.Both].Search().Nodes(); n != 5+6 {
		t.Fatalf("%d nodes", n)
	}
	const side = 1 << 14
	at := func(region int, x, y float64) query.Position {
		return query.Position{Ref: navmesh.MakeRef(0, region, mesh.Tiles[0].Generation), Point: geom.FromGround(x*side*lattice.Unit, y*side*lattice.Unit, 0)}
	}
	diagonal := math.Sqrt(2) / 2
	for _, c := range []struct {
		name        string
		start, goal query.Position
		by          navgraph.Kind
		want        float64 // sides
		turns       int
	}{
		{"straight on", at(0, 2.5, 0.5), at(1, 2.5, 2.5), navgraph.Both, 2, 0},
		{"in one region", at(0, 0.25, 0.5), at(0, 3.25, 0.5), navgraph.Centroids, 3, 0},
		{"from the west, by all", at(0, 0, 0.5), at(1, 0, 2.5), navgraph.Both, 2*diagonal + 1, 0},
		{"from the west, by middles", at(0, 0, 0.5), at(1, 0, 2.5), navgraph.Midpoints, 2*diagonal + 1, 0},
		{"from the west, by centroids", at(0, 0, 0.5), at(1, 0, 2.5), navgraph.Centroids, 2 * math.Hypot(0.5, 1), 0},
		// From column to column through the region below: through its centroid, or past it.
		{"across, by all", at(2, 0.5, 1.5), at(4, 4.5, 1.5), navgraph.Both, 1 + 2*math.Hypot(2, 0.5), 0},
		{"across, by middles", at(2, 0.5, 1.5), at(4, 4.5, 1.5), navgraph.Midpoints, 1 + 4, 0},
		{"across, by centroids", at(2, 0.5, 1.5), at(4, 4.5, 1.5), navgraph.Centroids, 2 * math.Hypot(2, 1), 0},
		// The regions below and above are 20 m long, their portals of 4 m have nodes every 2 m: at (1 ± 0.25, 1) and so on.
		{"across, enhanced", at(2, 0.5, 1.5), at(4, 4.5, 1.5), navgraph.Enhanced, 3.5 + 2*math.Hypot(0.25, 0.5), 0},
	} {
		route, err := w.graphs[c.by].NewFinder().Path(t.Context(), c.start, c.goal)
		if err != nil {
			t.Fatal(err)
		}
		path := flat(route.Points)
		want := c.want * side * lattice.Unit
		if got := length(path); math.Abs(got-want) > 1e-9 || sharpTurns(path) != c.turns {
			t.Errorf("%s: %g m with %d sharp turns by %v, want %g m with %d", c.name, got, sharpTurns(path), path, want, c.turns)
		}
	}
}

// TestSharpTurns: exactly 90 degrees is not sharp, and neither is standing still.
func TestSharpTurns(t *testing.T) {
	for _, c := range []struct {
		path []vec
		want int
	}{
		{nil, 0},
		{[]vec{{0, 0}, {1, 0}}, 0},
		{[]vec{{0, 0}, {1, 0}, {1, 1}}, 0},
		{[]vec{{0, 0}, {1, 0}, {0.9, 1}}, 1},
		{[]vec{{0, 0}, {1, 0}, {0, 0}, {1, 0}}, 2},
		{[]vec{{0, 0}, {1, 0}, {1, 0}, {2, 0}}, 0},
	} {
		if got := sharpTurns(c.path); got != c.want {
			t.Errorf("%v: %d, want %d", c.path, got, c.want)
		}
	}
}

// TestPathsAreLongerThanTheShortest: no path through a navigation map is shorter than the shortest path, except by centroids,
// whose edges may leave the floor, and adding the centroids to the middles helps nobody.
func TestPathsAreLongerThanTheShortest(t *testing.T) {
	worlds, err := MapsWorlds(2)
	if err != nil {
		t.Fatal(err)
	}
	list, err := methods([]string{delaunay, hm, wavefront}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	trials, err := runTrials(t.Context(), worlds, list, 0, metric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for w := range worlds {
		var on []walks
		for m := range list {
			k, err := newWalks(trials[m][w].mesh)
			if err != nil {
				t.Fatal(err)
			}
			on = append(on, k)
		}
		journeys, err := journeysOn(t.Context(), worlds[w], w+1, on, nil)
		if err != nil || len(journeys) != pathsPerWorld {
			t.Fatal(len(journeys), err)
		}
		for m := range on {
			if err := on[m].walk(t.Context(), journeys); err != nil {
				t.Fatal(err)
			}
			for j := range journeys {
				l := func(name string) float64 { return on[m].lengths[name][j] }
				shortest := l(shortestLine) / unitsPerMetre
				if shortest < leastPath-0.01 || shortest > mostPath+0.01 {
					t.Errorf("journey %d is %g m", j, shortest)
				}
				if math.Abs(l(shortestLine)-on[0].lengths[shortestLine][j]) > 0.01 {
					t.Errorf("journey %d is %g on one mesh and %g on another", j, l(shortestLine), on[0].lengths[shortestLine][j])
				}
				for _, longer := range []string{corridorLine, distanceLine + midpointsLine, distanceLine, distanceLine + funnelLine, distanceLine + brandLine} {
					if l(longer) < l(shortestLine)-1e-6 {
						t.Errorf("%s is %g, the shortest path %g", longer, l(longer), l(shortestLine))
					}
				}
				for _, longer := range []string{distanceLine, distanceLine + brandLine} {
					if l(longer) < l(distanceLine+funnelLine)-1e-6 {
						t.Errorf("%s is %g, the funnel %g", longer, l(longer), l(distanceLine+funnelLine))
					}
				}
				if l(distanceLine) < l(distanceLine+midpointsLine)-1e-6 {
					t.Errorf("%g by centroids and middles, %g by middles", l(distanceLine), l(distanceLine+midpointsLine))
				}
			}
		}
	}
}
