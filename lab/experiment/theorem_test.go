package experiment

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/metric"
)

// TestLemma42: no region covers two edges of a convex obstacle, and every edge has one, by every method on every kind
// of world; and the oracle sees it where cells break the lemma.
func TestLemma42(t *testing.T) {
	r := mustRun(t, "theorem-4.1", 3)
	for _, method := range []string{delaunay, hm, trapezoid, wavefront} {
		if most := r.value(t, method, "most_edges_of_an_obstacle_at_a_region"); most != 1 {
			t.Errorf("%s: a region covers %g edges of an obstacle", method, most)
		}
		if bare := r.value(t, method, "edges_that_no_region_covers"); bare != 0 {
			t.Errorf("%s: %g edges are covered by no region", method, bare)
		}
	}

	w, cells := stripsWorld(2)
	if got := exposureOf(w.Domain, cells); got != (exposure{most: 1}) {
		t.Errorf("strips: %+v", got)
	}
	// Without the region below the row two edges are bare.
	if got := exposureOf(w.Domain, cells[1:]); got != (exposure{most: 1, bare: 2}) {
		t.Errorf("strips without the lowest: %+v", got)
	}
	// A cell around a corner of an obstacle; no convex cell can be there.
	hole := w.Domain.Rings[1]
	var bent plan.Cell
	for _, p := range []lattice.Point{hole[0], hole[1], hole[2], {}} {
		bent.Corners = append(bent.Corners, plan.Corner{Point: p, On: plan.NoEdge})
	}
	if got := exposureOf(w.Domain, append(cells, bent)); got.most != 2 {
		t.Errorf("a cell at two edges: %+v", got)
	}
}

// TestCovers has the ways in which a side and an edge can lie.
func TestCovers(t *testing.T) {
	a, b := lattice.Point{X: 10, Y: 10}, lattice.Point{X: 20, Y: 10}
	edge := plan.EdgeID{Ring: 1, Index: 2}
	for _, c := range []struct {
		name         string
		x0, y0, x1   int32
		y1           int32
		on0, on1     plan.EdgeID
		want, either bool
	}{
		{"the edge itself", 10, 10, 20, 10, plan.NoEdge, plan.NoEdge, true, true},
		{"a part", 12, 10, 15, 10, plan.NoEdge, plan.NoEdge, true, true},
		{"more than the edge", 0, 10, 30, 10, plan.NoEdge, plan.NoEdge, true, true},
		{"over one end", 0, 10, 15, 10, plan.NoEdge, plan.NoEdge, true, true},
		{"touching an end", 0, 10, 10, 10, plan.NoEdge, plan.NoEdge, false, true},
		{"apart on the line", 0, 10, 9, 10, plan.NoEdge, plan.NoEdge, false, true},
		{"crossing", 15, 0, 15, 20, plan.NoEdge, plan.NoEdge, false, true},
		{"from the middle", 15, 10, 15, 20, plan.NoEdge, plan.NoEdge, false, true},
		{"rounded off the edge", 12, 11, 20, 10, edge, plan.NoEdge, true, true},
		{"rounded at both ends", 12, 11, 15, 11, edge, edge, true, true},
		{"on another edge", 12, 11, 15, 11, plan.EdgeID{Ring: 1, Index: 3}, edge, false, true},
	} {
		p := plan.Corner{Point: lattice.Point{X: c.x0, Y: c.y0}, On: c.on0}
		q := plan.Corner{Point: lattice.Point{X: c.x1, Y: c.y1}, On: c.on1}
		if covers(p, q, edge, a, b) != c.want || covers(q, p, edge, a, b) != c.want {
			t.Errorf("%s: want %v", c.name, c.want)
		}
	}
}

// TestTheorem41AcrossObstacles: around a row of k obstacles with 4k exposed edges k+3 regions are a whole decomposition,
// so that the theorem does not hold across obstacles.
func TestTheorem41AcrossObstacles(t *testing.T) {
	for k := 1; k <= 20; k++ {
		regions, err := strips(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		if regions != k+3 {
			t.Errorf("%d obstacles in a row: %d regions", k, regions)
		}
	}
	r := mustRun(t, "theorem-4.1", 1)
	// Every edge has a triangle of its own, whatever the obstacle; other regions have several.
	if got := r.value(t, hm, "worlds_with_fewer_regions_than_edges"); got < 1 {
		t.Errorf("Hertel-Mehlhorn has fewer regions than there are edges on %g of three worlds", got)
	}
	if got := r.value(t, delaunay, "worlds_with_fewer_regions_than_edges"); got != 0 {
		t.Errorf("there are fewer triangles than edges on %g worlds", got)
	}
	if last := r.Claims[len(r.Claims)-1]; last.Holds || !r.Claims[0].Holds {
		t.Errorf("claims %+v", r.Claims)
	}
}

// TestTheorem71: the Delaunay triangulation of a sector is the fan from its point, whatever the number of triangles.
func TestTheorem71(t *testing.T) {
	r := mustRun(t, "theorem-7.1", 0)
	for n := 8; n <= 128; n *= 2 {
		if got := r.value(t, delaunay, fmt.Sprintf("regions_at_the_point_of_%d", n)); got != float64(n) {
			t.Errorf("%g triangles meet at the point of a sector of %d edges", got, n)
		}
		if got := r.value(t, wavefront, fmt.Sprintf("regions_at_the_point_of_%d", n)); got > 5 {
			t.Errorf("%g regions of wavefront's meet there", got)
		}
	}
	// Any circle through four corners of the sector has another corner inside, so the triangulation is unique.
	ring := fanWorld(16).Domain.Rings[0]
	for i := 1; i+2 < len(ring); i++ {
		if lattice.InCircle(ring[i], ring[i+1], ring[i+2], ring[0]) != 1 {
			t.Errorf("the circle of corners %d to %d does not hold the point", i, i+2)
		}
		for j := 1; j < len(ring); j++ {
			if j != i && j != i+1 && lattice.InCircle(ring[0], ring[i], ring[i+1], ring[j]) != -1 {
				t.Errorf("triangle %d of the fan has corner %d in its circle", i, j)
			}
		}
	}
}

// TestTheorem72: the pigeonhole bound holds and grows without bound, and the obstacle is convex.
func TestTheorem72(t *testing.T) {
	r := mustRun(t, "theorem-7.2", 0)
	for _, p := range []int{5, 9, 17, 33, 65, 129} {
		if !convexHole(circleWorld(p).Domain.Rings[1]) || len(circleWorld(p).Domain.Rings[1]) != p {
			t.Errorf("the obstacle of %d edges is none", p)
		}
		if got := r.value(t, hm, fmt.Sprintf("regions_at_a_corner_of_%d", p)); got < float64((p+3)/4) {
			t.Errorf("%d edges: %g regions at a corner", p, got)
		}
		if got := r.value(t, wavefront, fmt.Sprintf("regions_at_a_corner_of_%d", p)); got > 5 {
			t.Errorf("%d edges: %g regions of wavefront's at a corner", p, got)
		}
	}
}

// TestAtPoint counts regions at corners, in the middle of sides, inside and outside of the strips around two obstacles.
func TestAtPoint(t *testing.T) {
	list, err := methods([]string{trapezoid}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, _ := stripsWorld(2)
	run, err := runTrial(t.Context(), list[0], w, 1, metric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const s = 1 << 14
	for _, c := range []struct {
		x, y int32
		want int
	}{
		{0, 0, 1}, {s / 2, s / 2, 1}, {s, s, 2}, {s, s / 2, 2}, {s + s/2, s, 1}, {s + s/2, s + s/2, 0}, {-1, 0, 0},
	} {
		if got := atPoint(run.mesh, lattice.Point{X: c.x, Y: c.y}); got != c.want {
			t.Errorf("%d regions at %d, %d, want %d", got, c.x, c.y, c.want)
		}
	}
	if got := mostAtPoint(run.mesh); got != 2 {
		t.Errorf("at most %d regions at a point", got)
	}
}
