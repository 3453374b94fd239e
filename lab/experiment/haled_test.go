package experiment

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestLevelsOfAppendixD: the levels have the source's numbers of objects, and the boxes fill the holes exactly.
func TestLevelsOfAppendixD(t *testing.T) {
	for _, c := range []struct {
		name    string
		blocks  *blocks
		objects int
	}{{"capture the flag", captureTheFlag(), 171}, {"cityscape", cityscape(), 51}} {
		l, err := c.blocks.level(t.Context(), c.name)
		if err != nil {
			t.Fatal(err)
		}
		if len(l.statics) != c.objects {
			t.Errorf("%s: %d objects, the source has %d", c.name, len(l.statics), c.objects)
		}
		if n := l.mesh.RegionCount(); n < 22 || n > 28 {
			t.Errorf("%s: %d regions, the source has 25", c.name, n)
		}
		var boxes, holes int64
		for i, b := range l.statics {
			w, h := b.Size()
			boxes += w * h
			for _, o := range l.statics[:i] {
				if b.Min.X < o.Max.X && o.Min.X < b.Max.X && b.Min.Y < o.Max.Y && o.Min.Y < b.Max.Y {
					t.Errorf("%s: boxes %v and %v overlap", c.name, b, o)
				}
			}
			middle := lattice.Point{X: b.Min.X + int32(w/2), Y: b.Min.Y + int32(h/2)}
			if l.domain.Contains(middle) {
				t.Errorf("%s: %v stands on free floor", c.name, b)
			}
		}
		for _, ring := range l.domain.Rings[1:] {
			holes -= ring.Area2() / 2
		}
		if boxes != holes {
			t.Errorf("%s: the boxes take %d square units, the holes %d", c.name, boxes, holes)
		}
	}
}

// TestAppendixDByWork holds figures D.3 to D.6 by tests and answers, which no machine changes. No time is judged.
func TestAppendixDByWork(t *testing.T) {
	race.Skip(t)
	for _, name := range []string{"hale-d3", "hale-d4", "hale-d5", "hale-d6"} {
		r := mustRun(t, name, 2)
		counts := movingCounts
		if name > "hale-d4" {
			counts = staticCounts
		}
		wrong := 0.0
		for _, n := range counts {
			at := func(method, measure string) float64 { return r.value(t, method, fmt.Sprintf("%s_%d", measure, n)) }
			for _, method := range []string{"all-pairs", "kd-tree", "spatial-hash", "grid", presenceWay} {
				if w := at(method, "wrong"); w != 0 {
					t.Errorf("%s, %d objects: %s has %g wrong answers", name, n, method, w)
				}
				if method != "all-pairs" && at(method, "tests") > at("all-pairs", "tests")/2 {
					t.Errorf("%s, %d objects: %s makes %g tests, all pairs %g", name, n, method, at(method, "tests"), at("all-pairs", "tests"))
				}
			}
			if !(at(presenceWay, "time_ms") > 0) {
				t.Errorf("%s, %d objects: no time", name, n)
			}
			wrong += at("mesh-published", "wrong")
			if counts[0] == 200 && name <= "hale-d4" {
				if a, b := at(presenceWay, "tests"), at("mesh-published", "tests"); 5*a > b {
					t.Errorf("%s, %d objects: presence makes %g tests, the mesh as published %g", name, n, a, b)
				}
			}
		}
		wide := r.value(t, "mesh-published", "wrong_wide")
		if moving := name <= "hale-d4"; moving != (wrong == 0) || wide == 0 || r.value(t, presenceWay, "wrong_wide") != 0 {
			t.Errorf("%s: the mesh as published has %g wrong answers, %g with wide objects", name, wrong, wide)
		}
		for _, c := range r.Claims {
			if strings.HasPrefix(c.Text, "presence finds") && !c.Holds {
				t.Errorf("%s: fails: %s", name, c.Text)
			}
		}
	}
}

func TestNeighboursInTrees(t *testing.T) {
	r := mustRun(t, "hale-d1", 0)
	if pairs, known := r.value(t, "kd-tree", "adjacent_pairs"), r.value(t, "kd-tree", "known_pairs"); known != 16 || pairs < 2*known {
		t.Errorf("%g pairs of leaves share an edge, %g are of one node", pairs, known)
	}
	// A box cut twice: four leaves around a point, of which four pairs share an edge.
	box := lattice.Box{Max: lattice.Point{X: 8, Y: 8}}
	objects := []lattice.Box{
		{Max: lattice.Point{X: 2, Y: 2}},
		{Min: lattice.Point{X: 6}, Max: lattice.Point{X: 8, Y: 2}},
		{Min: lattice.Point{Y: 6}, Max: lattice.Point{X: 2, Y: 8}},
		{Min: lattice.Point{X: 6, Y: 6}, Max: lattice.Point{X: 8, Y: 8}},
	}
	leaves := divide(nil, leaf{box: box}, objects, 2)
	edges := 0
	for i := range leaves {
		for k := range i {
			if shareEdge(leaves[i].box, leaves[k].box) {
				edges++
			}
		}
	}
	if len(leaves) != 4 || edges != 4 {
		t.Errorf("%d leaves with %d edges: %v", len(leaves), edges, leaves)
	}
}

// TestReasoning: all complete meshes show the same, triangles are touched most, and the coefficients are Pearson's.
func TestReasoning(t *testing.T) {
	race.Skip(t)
	r := mustRun(t, "hale-8.2", 2)
	seen := r.value(t, hm, "objects_seen")
	for _, method := range []string{pasfv, delaunay, trapezoid, wavefront} {
		if got := r.value(t, method, "objects_seen"); math.Abs(got-seen) > 0.2 {
			t.Errorf("%s: agents see %g percent, on %s %g", method, got, hm, seen)
		}
		if known := r.value(t, method, "regions_known"); math.Abs(known-1-r.value(t, method, "degree")) > 3 {
			t.Errorf("%s: agents know %g regions, of degree %g", method, known, r.value(t, method, "degree"))
		}
	}
	for _, c := range r.Claims {
		if !c.Holds && !strings.HasPrefix(c.Text, "and more objects") {
			t.Errorf("fails: %s", c.Text)
		}
	}
	if got := correlation([]float64{1, 2, 3}, []float64{2, 4, 6}); math.Abs(got-1) > 1e-15 {
		t.Errorf("correlation %g, want 1", got)
	}
	if got := correlation([]float64{1, 2, 3, 4}, []float64{1, -1, -1, 1}); math.Abs(got) > 1e-15 {
		t.Errorf("correlation %g, want 0", got)
	}
}
