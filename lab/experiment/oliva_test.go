package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// claimed checks that the claims of a report hold. Claims with the beginning of an exception must fail.
func claimed(t *testing.T, r *Report, exceptions ...string) {
	t.Helper()
	for _, c := range r.Claims {
		fails := slices.ContainsFunc(exceptions, func(begin string) bool { return strings.HasPrefix(c.Text, begin) })
		if c.Holds == fails {
			t.Errorf("%s: holds is %v: %s", r.Name, c.Holds, c.Text)
		}
	}
	for _, begin := range exceptions {
		if !slices.ContainsFunc(r.Claims, func(c Claim) bool { return strings.HasPrefix(c.Text, begin) }) {
			t.Errorf("%s does not claim %q", r.Name, begin)
		}
	}
}

// TestRoundObjects: figure 15 on scenes of the source's number of cells. The published form comes near its figure, with cells that are
// deeper than the distance.
func TestRoundObjects(t *testing.T) {
	race.Skip(t) // a test of results
	r := mustRun(t, "oliva-15", 0)
	claimed(t, &r)
	for _, kind := range roundKinds {
		name := "cells_" + kind.name
		if v := r.value(t, strictForm, name); v != oliva15Strict {
			t.Errorf("%s: %g cells without relaxation, not %d", name, v, oliva15Strict)
		}
	}
	if v := r.value(t, publishedForm, "cells_"+roundKinds[0].name); !(v >= 20 && v <= 23) {
		t.Errorf("%g cells by the published form on %s, not 20 to 23", v, roundKinds[0].name)
	}
	if deepest := r.value(t, publishedForm, "deepest_concavity_m"); !(deepest > oliva15Distance && deepest < oliva15Side/2) {
		t.Errorf("published cells are up to %g m deep", deepest)
	}
	again, err := Run(t.Context(), "oliva-15", Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := fmt.Sprintf("%+v %+v", r.Rows, r.Drawing.List), fmt.Sprintf("%+v %+v", again.Rows, again.Drawing.List); a != b {
		t.Error("a second run differs")
	}
	if _, err := Run(t.Context(), "oliva-15", Options{Worlds: 1, Show: 2}); err == nil {
		t.Error("a scene that is not there is shown")
	}
}

// TestRelax: cells, notches and depths on a square with one disc of twelve corners, counted by hand. At 0.4 m the thesis' form leaves a
// triangle or a square of real notches.
func TestRelax(t *testing.T) {
	race.Skip(t) // a test of results
	const side = 20 * lattice.UnitsPerMetre
	w := World{Domain: domainOf([]lattice.Ring{{{}, {X: side}, {X: side, Y: side}, {Y: side}}, disc(10, 10, 1, 12, 0)})}
	r, err := Relax(t.Context(), w.Plan(), 0.4, 1)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Strict; s.Cells != 12 || s.Passed != 0 || s.Concave != 0 || s.Deepest != 0 || s.Lost > 0.01 {
		t.Errorf("strict: %+v", s)
	}
	if p := r.Published; p.Cells < 2 || p.Cells > 4 || p.Passed < 8 || p.Concave == 0 || !(p.Deepest > 0 && p.Deepest <= 1) || p.Lost > 0.01 {
		t.Errorf("published: %+v", p)
	}
	if m := r.Moved; m.Cells < 3 || m.Cells >= 12 || m.Concave != 0 || m.Deepest != 0 || !(m.Lost > 0.1 && m.Lost < 2) {
		t.Errorf("moved: %+v", m)
	}
	if _, err := Relax(t.Context(), w.Plan(), -1, 1); err == nil {
		t.Error("a negative distance")
	}
}

// TestAllEdges: the search of the CPU form on a scene that is known on paper, and against portals: the first portal of every notch is
// no shorter than the way to the closest element.
func TestAllEdges(t *testing.T) {
	race.Skip(t) // a test of results
	m := func(x, y float64) lattice.Point {
		return lattice.Point{X: int32(x * lattice.UnitsPerMetre), Y: int32(y * lattice.UnitsPerMetre)}
	}
	// An L: the notch at (4, 4) sees the wall below, 4 m away, the wall to the left, 4 m away, and the corner at the origin.
	ell := domainOf([]lattice.Ring{{m(0, 0), m(10, 0), m(10, 4), m(4, 4), m(4, 12), m(0, 12)}})
	a := newAllEdges(ell)
	if d := a.closest(0, nil); len(a.walls) != 6 || len(a.notches) != 1 || d != 4 || a.tests != 6 {
		t.Errorf("%d walls, %d notches, %g m, %d tests", len(a.walls), len(a.notches), d, a.tests)
	}
	if d := a.closest(0, [][2]lattice.Point{{m(3, 0), m(0, 3)}, {m(9, 4), m(9, 5)}}); math.Abs(d-5/math.Sqrt2) > 1e-6 {
		t.Errorf("%g m to a portal in the area of interest, want %g", d, 5/math.Sqrt2)
	}
	// A notch between two slanted edges: only the meeting of a side of the area with the wall is left of the five candidates.
	slanted := domainOf([]lattice.Ring{{m(-20, 0), m(20, 0), m(20, 10), m(3, 10), m(2, 4), m(1, 10), m(-20, 10)}})
	a = newAllEdges(slanted)
	if len(a.notches) != 1 || a.closest(0, nil) != 4 {
		t.Errorf("%d notches, %g m", len(a.notches), a.closest(0, nil))
	}
	w, err := oliva32World(4)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := w.Domain.Len(), oliva32Vertices(4); got != want {
		t.Errorf("%d vertices, want %d", got, want)
	}
	a = newAllEdges(w.Domain)
	var portals madePortals
	if _, err := (anavmg.Generator{}).Decompose(t.Context(), gen.Input{Domain: w.Domain, Watch: &portals}); err != nil {
		t.Fatal(err)
	}
	near := 0
	for i, n := range a.notches {
		d := a.closest(i, nil)
		for _, p := range portals.list {
			if length := p[0].Distance(p[1]) * lattice.Unit; p[0] == n.at || p[1] == n.at {
				if length < d*(1-1e-3)-0.01 && n.candidate(p) < math.Inf(1) {
					t.Errorf("the portal %v of the notch at %v is %g m long, all elements are %g m away", p, n.at, length, d)
				}
				if math.Abs(length-d) < 0.01 {
					near++
				}
			}
		}
	}
	if near*2 < len(a.notches) {
		t.Errorf("%d of %d notches have a portal to the closest edge", near, len(a.notches))
	}
}

// TestTimeByVertices: the scenes of figure 32 have the source's numbers of vertices, and the tests of the CPU form are counted exactly.
func TestTimeByVertices(t *testing.T) {
	race.Skip(t) // a test of results
	r := mustRun(t, "oliva-32", 0)
	claimed(t, &r)
	for _, c := range []struct {
		scene    string
		vertices float64
	}{{"scene_1", 23}, {"scene_10", 965}} {
		row, _ := r.Row(c.scene, "vertices")
		if float64(row.Published) != c.vertices || float64(row.Ours) != c.vertices {
			t.Errorf("%s: %+v", c.scene, row)
		}
	}
	if v := r.value(t, "scene_10", "all_edges_tests"); v < 965*961 || v > 965*961*2 {
		t.Errorf("%g tests of 961 notches among 965 edges and the portals before them", v)
	}
	if v := r.value(t, "scene_1", "all_edges_tests"); v < 23*19 || v > 23*19*2 {
		t.Errorf("%g tests of 19 notches", v)
	}
}

// TestTestMaps: figures 39 to 43 on generated levels. Both forms save cells, the published one at a depth that is told.
func TestTestMaps(t *testing.T) {
	race.Skip(t)
	for i, strict := range []float64{17, 110, 111, 597} {
		r := mustRun(t, fmt.Sprintf("oliva-%d", 39+i), 2)
		claimed(t, &r)
		last := math.Inf(1)
		for _, distance := range oliva39Distances {
			column := fmt.Sprintf("%g", distance)
			form, moved := r.value(t, column, "cells_published_form"), r.value(t, column, "cells_border_moved")
			if deepest := r.value(t, column, "deepest_published_m"); form > 1.1*moved || moved > last || (deepest > 0) != (distance > 0) {
				t.Errorf("%s at %s m: %g cells as published, up to %g m deep, %g with moved borders", r.Name, column, form, deepest, moved)
			}
			last = moved
		}
		if v := r.value(t, "0", "cells_published_form"); math.Abs(v-strict) > 0.05*strict {
			t.Errorf("%s has %g strict cells, not about %g", r.Name, v, strict)
		}
	}
	// The third map has the most floor; only the plainest two are measured here.
	r := mustRun(t, "oliva-43", 2)
	for _, c := range []struct {
		name              string
		area, border, lay float64
	}{{"map0_bridge", 2443, 428, 2}, {"map1_spiral", 310, 203, 3}} {
		if a, b, l := r.value(t, c.name, "walkable_m2"), r.value(t, c.name, "border_m"), r.value(t, c.name, "layers"); math.Abs(a-c.area) > 3 || math.Abs(b-c.border) > 4 || l != c.lay {
			t.Errorf("%s: %g m² in %g layers with %g m of border", c.name, a, l, b)
		}
	}
}

// TestPlains: more and more floor with the same posts, of which the view from above has as many pixels as there is area.
func TestPlains(t *testing.T) {
	race.Skip(t) // a test of results
	r := mustRun(t, "oliva-43", 2)
	for _, f := range plains[:2] {
		inner := (f.side - 2*olivaAgent.Radius) * (f.side - 2*olivaAgent.Radius)
		posts := 9 * (0.6*0.6 + 4*0.6*olivaAgent.Radius + math.Pi*olivaAgent.Radius*olivaAgent.Radius)
		if area := r.value(t, f.name, "walkable_m2"); math.Abs(area-(inner-posts)) > 0.5 {
			t.Errorf("%s: %g m², want about %g", f.name, area, inner-posts)
		}
		if ms := r.value(t, f.name, "view_from_above_ms"); !(ms > 0) {
			t.Errorf("%s took %g ms", f.name, ms)
		}
	}
	// The rim alone is longer: four sides, each by the difference of the sides.
	if a, b := r.value(t, plains[0].name, "border_m"), r.value(t, plains[1].name, "border_m"); math.Abs(b-a-4*(plains[1].side-plains[0].side)) > 0.5 {
		t.Errorf("borders of %g and %g m", a, b)
	}
}

// TestBesideRecast: figures 44 and 45 with a rival in Recast's place, and without.
func TestBesideRecast(t *testing.T) {
	race.Skip(t)
	r := mustRun(t, "oliva-44", 2)
	if _, ok := r.Row("recast", "map0_bridge_ms"); ok || len(r.Claims) != 0 || !slices.Contains(r.Reasons, Reason{"recast", waitsForRecast}) {
		t.Errorf("without Recast: %v, %v", r.Claims, r.Reasons)
	}
	for _, c := range []struct {
		seconds float64
		holds   bool
	}{{1e6, true}, {1e-9, false}} {
		var asked []string
		rival := func(_ context.Context, lvl *level.Level, agent geom.Agent, cell float64) (Rival, error) {
			if asked = append(asked, lvl.Name); agent != olivaAgent || cell != olivaCell {
				t.Errorf("asked for %+v, cells of %g m", agent, cell)
			}
			return Rival{Seconds: []float64{2 * c.seconds, c.seconds}, Polygons: 7, Area: 300, Largest: 5, LargestArea: 200}, nil
		}
		r, err := Run(t.Context(), "oliva-44", Options{Worlds: 1, Recast: rival})
		if err != nil {
			t.Fatal(err)
		}
		if len(asked) != 1 || len(r.Claims) != 2 || r.Claims[0].Holds != c.holds || r.Claims[1].Holds != c.holds {
			t.Errorf("%v: %+v", asked, r.Claims)
		}
		if ms, cells := r.value(t, "recast", "map0_bridge_ms"), r.value(t, "recast", "map0_bridge_cells"); ms != c.seconds*1000 || cells != 7 {
			t.Errorf("%g ms, %g cells", ms, cells)
		}
		r, err = Run(t.Context(), "oliva-45", Options{Recast: rival})
		if err != nil {
			t.Fatal(err)
		}
		claimed(t, &r)
		if area, cells := r.value(t, "recast", "unreachable_m2"), r.value(t, "recast", "unreachable_cells"); area != 100 || cells != 2 {
			t.Errorf("Recast keeps %g m² in %g polygons", area, cells)
		}
	}
	fault := errors.New("no program")
	for _, name := range []string{"oliva-44", "oliva-45"} {
		_, err := Run(t.Context(), name, Options{Worlds: 1, Recast: func(context.Context, *level.Level, geom.Agent, float64) (Rival, error) { return Rival{}, fault }})
		if !errors.Is(err, fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestUnreachableStorey: the storey of 12 m, less the agent's radius at its rim, is in the mesh by area only.
func TestUnreachableStorey(t *testing.T) {
	race.Skip(t) // a test of results
	r := mustRun(t, "oliva-45", 0)
	claimed(t, &r)
	for _, c := range []struct {
		method string
		area   float64
	}{{"raster", 0}, {"exact", 0}, {"exact_by_area", 11.2 * 11.2}} {
		if area := r.value(t, c.method, "unreachable_m2"); math.Abs(area-c.area) > 0.1 {
			t.Errorf("%s: %g m², want %g", c.method, area, c.area)
		}
	}
	row, _ := r.Row("exact", "unreachable_storeys")
	if row.Published != 0 || row.Ours != 0 {
		t.Errorf("%+v", row)
	}
	if n := len(r.Drawing.List.Triangles); n < 50 {
		t.Errorf("%d triangles drawn", n)
	}
}
