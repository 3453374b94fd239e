package experiment

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/metric"
)

// mustRun runs an experiment on a few worlds.
//
// Tests share the report of equal arguments and must not change the report.
func mustRun(t *testing.T, name string, worlds int) Report {
	t.Helper()
	key := reportKey{name, worlds}
	r, ok := reports[key]
	if !ok {
		var err error
		if r, err = Run(t.Context(), name, Options{Worlds: worlds, Paths: 5}); err != nil {
			t.Fatal(err)
		}
		reports[key] = r
	}
	return r
}

type reportKey struct {
	name   string
	worlds int
}

var reports = map[reportKey]Report{}

// value is the result of a method.
func (r *Report) value(t *testing.T, method, name string) float64 {
	t.Helper()
	row, ok := r.Row(method, name)
	if !ok {
		t.Fatalf("%s has no row %s of %s", r.Name, name, method)
	}
	return float64(row.Ours)
}

// TestPublishedFigures compares the published figures with the source's tables, line by line as printed.
func TestPublishedFigures(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct{ name, methods, metric, figures string }{
		{"hale-3.1", "hertelmehlhorn sfv pasfv", "distance", "497.4 505.3 442.7"},
		{"hale-3.1", "hertelmehlhorn sfv pasfv", "turns", "5.2 3.97 4.12"},
		{"hale-3.1", "hertelmehlhorn sfv pasfv", "coverage", "1 0.9 1"},
		{"hale-5.3", "neighbours-removed neighbours-kept", "regions", "2 5"},
		{"hale-6.1", "sfv pasfv hertelmehlhorn", "regions", "31 35 41"},
		{"hale-6.1", "sfv pasfv hertelmehlhorn", "regions_by_section_3.2", "28 73 42"},
		{"hale-6.1", "sfv pasfv hertelmehlhorn", "regions_in_units", "31 35 41"},
		{"hale-6.2", "sfv pasfv hertelmehlhorn", "coverage", "0.75 1 1"},
		{"hale-6.3", "sfv pasfv hertelmehlhorn", "area_mean", "11.489 10.6 8.848"},
		{"hale-6.3", "sfv pasfv hertelmehlhorn", "area_sd", "9.35 13.24 9.53"},
		{"hale-6.4", "sfv pasfv hertelmehlhorn", "degree_mean", "2.96 3.43 2.488"},
		{"hale-6.4", "sfv pasfv hertelmehlhorn", "degree_sd", "1.179 1.53 0.588"},
		{"hale-6.5", "sfv pasfv hertelmehlhorn", "common_vertices_mean", "1.338 1.64 3.05"},
		{"hale-6.5", "sfv pasfv hertelmehlhorn", "common_vertices_sd", "0.477 0.48 1.42"},
		{"hale-6.6", "sfv pasfv hertelmehlhorn", "minimum_angle_mean", "90 86.47 34.864"},
		{"hale-6.6", "sfv pasfv hertelmehlhorn", "minimum_angle_sd", "0 11.77 23.99"},
		{"hale-6.7", "sfv pasfv hertelmehlhorn", "object_placement_mean", "13.68 10.06 8.79"},
		{"hale-6.7", "sfv pasfv hertelmehlhorn", "object_placement_sd", "6.36 6.69 6.88"},
		{"hale-6.7", "sfv pasfv hertelmehlhorn", "to_20_mean_in_units", "13.68 10.06 8.79"},
		{"hale-6.7", "sfv pasfv hertelmehlhorn", "to_20_sd_in_units", "6.36 6.69 6.88"},
		{"hale-6.8", "sfv pasfv hertelmehlhorn", "efficiency", "0.4 0.373 0.378"},
		{"hale-6.9", "sfv pasfv hertelmehlhorn", "diameter", "11 9 13"},
		{"hale-6.10", "sfv pasfv hertelmehlhorn", "bottleneck", "1.4 0.7 1.6"},
		{"hale-6.11", "sfv pasfv hertelmehlhorn", "maximum_flow_published", "3.3 6.7 25.5"},
		{"hale-6.12", "sfv pasfv hertelmehlhorn", "points", "NaN 8.5 3.5"},
		{"hale-6.12", "sfv pasfv hertelmehlhorn", "points_in_units", "NaN 8.5 3.5"},
		{"hale-7.1", "wavefront trapezoid", "regions", "22.4 31.4"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "regions", "31 16.8 17.8"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "coverage", "1 1 1"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "area_mean", "26233.08 49212.03 41020.92"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "degree", "2.96 2.48 3.13"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "homogeneity_mean", "0.477 0.564 0.2573"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "homogeneity_mean_of_100", "0.477 0.564 0.2573"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "diameter_of_100", "8.2 5.7 5.7"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "common_vertices", "3.43 1.985 0.59"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "minimum_angle", "19.683 69.39 83.59"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "inverse_efficiency", "4.04 2.78 3.78"},
		{"hale-7.2", "delaunay hertelmehlhorn wavefront", "diameter", "8.2 5.7 5.7"},
		{"brand-76", "parallel distributed hierarchy", "saved_percent_least", "60 40 15"},
		{"brand-76", "parallel distributed hierarchy", "saved_percent_most", "85 55 30"},
		{"brand-77", "parallel hierarchy", "longer_percent_least", "NaN 20"},
		{"brand-77", "parallel hierarchy", "longer_percent_most", "0.25 45"},
	} {
		r := mustRun(t, c.name, 2)
		var figures []string
		for method := range strings.FieldsSeq(c.methods) {
			row, ok := r.Row(method, c.metric)
			if !ok {
				t.Fatalf("%s has no %s of %s", c.name, c.metric, method)
			}
			figures = append(figures, fmt.Sprint(float64(row.Published)))
		}
		if got := strings.Join(figures, " "); got != c.figures {
			t.Errorf("%s, %s: %s, the source has %s", c.name, c.metric, got, c.figures)
		}
	}
}

// TestEveryExperiment runs a small version of each: every row is there once and has a value, and tests have a p-value.
func TestEveryExperiment(t *testing.T) {
	if race.Enabled {
		t.Skip("takes long with the race detector; see TestJobsDoNotMatter")
	}
	for _, name := range Names() {
		r := mustRun(t, name, 2)
		if r.Name != name || r.Title != Title(name) || r.Title == "" || r.Trials == "" || len(r.Rows) == 0 {
			t.Errorf("%s: %q, %q, %q, %d rows", name, r.Name, r.Title, r.Trials, len(r.Rows))
		}
		if drawn := r.Drawing != nil || len(r.Shown.Meshes) > 0; drawn != Draws(name) {
			t.Errorf("%s: a picture %t, promised %t", name, drawn, Draws(name))
		}
		seen := map[string]bool{}
		for _, row := range r.Rows {
			key := row.Method + " " + row.Metric
			if seen[key] {
				t.Errorf("%s has two rows %s", name, key)
			}
			seen[key] = true
			if math.IsNaN(float64(row.Ours)) {
				t.Errorf("%s: %s is not measured", name, key)
			}
		}
		for _, f := range r.Tests {
			if !(f.P >= 0 && f.P <= 1 && f.F >= 0) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestJobsDoNotMatter: the report is the same for any number of goroutines.
func TestJobsDoNotMatter(t *testing.T) {
	for _, name := range []string{"hale-3.1", "hale-7.2", "theorem-4.1", "theorem-7.2"} {
		var reports []string
		for _, jobs := range []int{1, 7} {
			r, err := Run(t.Context(), name, Options{Worlds: 3, Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			reports = append(reports, fmt.Sprintf("%+v", r.Rows)+fmt.Sprintf("%+v", r.Tests)+fmt.Sprintf("%+v", r.Claims))
		}
		if reports[0] != reports[1] {
			t.Errorf("%s differs:\n%s\n%s", name, reports[0], reports[1])
		}
	}
}

// TestRunRefuses lists invalid experiments.
func TestRunRefuses(t *testing.T) {
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for _, c := range []struct {
		ctx  context.Context
		name string
		opt  Options
		want string
	}{
		{t.Context(), "hale-7.3", Options{}, `none is named "hale-7.3"`},
		{t.Context(), "hale-7.2", Options{Worlds: -1}, "-1 worlds"},
		{t.Context(), "hale-7.2", Options{Worlds: maxWorlds + 1}, "worlds, must be"},
		{t.Context(), "brand-77", Options{Paths: -1}, "-1 paths"},
		{stopped, "brand-57", Options{}, context.Canceled.Error()},
		{t.Context(), "hale-7.2", Options{Show: -1}, "world -1 is to be shown"},
		{t.Context(), "hale-7.2", Options{Worlds: 2, Show: 3}, "world 3 is to be shown, there are 2"},
		{t.Context(), "hale-5.3", Options{Show: 2}, "world 2 is to be shown, there is 1"},
		{t.Context(), "hale-5.4", Options{Show: 11}, "world 11 is to be shown, there are 10"},
		{stopped, "hale-5.3", Options{}, context.Canceled.Error()},
		{stopped, "hale-5.5", Options{}, context.Canceled.Error()},
		{t.Context(), "hale-7.2", Options{Methods: []string{"magic"}}, `"magic"`},
		{stopped, "hale-7.2", Options{}, context.Canceled.Error()},
		{stopped, "hale-3.1", Options{}, context.Canceled.Error()},
		{stopped, "theorem-4.1", Options{}, context.Canceled.Error()},
	} {
		if _, err := Run(c.ctx, c.name, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: %v, want %q", c.name, c.opt, err, c.want)
		}
	}
}

// TestMoreMethods: methods that the source does not have get rows without a published figure, once each.
func TestMoreMethods(t *testing.T) {
	race.Skip(t)
	r, err := Run(t.Context(), "hale-7.2", Options{Worlds: 2, Methods: []string{"anavmg", "wavefront"}})
	if err != nil {
		t.Fatal(err)
	}
	row, ok := r.Row("anavmg", "regions")
	if !ok || row.Published.Known() || !(row.Ours > 1) {
		t.Errorf("anavmg: %+v, %v", row, ok)
	}
	// The claims are about the methods of the source: others beside them, even better ones, change none.
	other, err := Run(t.Context(), "hale-7.2", Options{Worlds: 10, Methods: []string{"best"}})
	if err != nil {
		t.Fatal(err)
	}
	if same := mustRun(t, "hale-7.2", 0); !slices.Equal(other.Claims, same.Claims) {
		t.Errorf("beside best: %+v, want %+v", other.Claims, same.Claims)
	}
	if got, want := r.Methods(), []string{"delaunay", "hertelmehlhorn", "wavefront", "anavmg"}; !slices.Equal(got, want) {
		t.Errorf("methods %v, want %v", got, want)
	}
}

// TestShown: the report keeps the meshes of the world that is asked for.
func TestShown(t *testing.T) {
	race.Skip(t)
	for _, name := range []string{"hale-3.1", "hale-6.12", "hale-7.1", "hale-7.2", "wavefront-25"} {
		r, err := Run(t.Context(), name, Options{Worlds: 2, Show: 2})
		if err != nil {
			t.Fatal(err)
		}
		shown := r.Shown
		if !strings.HasSuffix(shown.World.Name, " 2") || len(shown.Methods) == 0 || len(shown.Meshes) != len(shown.Methods) {
			t.Fatalf("%s shows %d meshes of %d methods on %s", name, len(shown.Meshes), len(shown.Methods), shown.World.Name)
		}
		for m, mesh := range shown.Meshes {
			if got := shown.Results[m].Regions.Value; got != mesh.RegionCount() || got == 0 {
				t.Errorf("%s, %s: %d regions, %d measured", name, shown.Methods[m], mesh.RegionCount(), got)
			}
		}
	}
}

// TestTrapezoidsOfTable71: with 1 + h + v trapezoids on every world, the mean is the source's exactly, in either direction.
func TestTrapezoidsOfTable71(t *testing.T) {
	r := mustRun(t, "hale-7.1", 0)
	for _, method := range []string{trapezoid, trapezoidH} {
		if got := r.value(t, method, "regions"); math.Abs(got-31.4) > 1e-9 {
			t.Errorf("%s needs %g regions, not 31.4", method, got)
		}
	}
	if w := r.value(t, wavefront, "regions"); !(w > 10 && w < 31.4) {
		t.Errorf("wavefront needs %g regions", w)
	}
}

// TestEulerOfTable72: Euler's formula for decompositions without new corners, world by world; the same sums gave the
// source's worlds.
func TestEulerOfTable72(t *testing.T) {
	race.Skip(t)
	worlds, err := PlannerWorlds(10)
	if err != nil {
		t.Fatal(err)
	}
	list, err := methods([]string{delaunay, hm}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	trials, err := runTrials(t.Context(), worlds, list, 0, metric.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for w := range worlds {
		h, n := len(worlds[w].Domain.Rings)-1, worlds[w].Domain.Len()
		if got := trials[0][w].result.Regions.Value; got != n+2*h-2 {
			t.Errorf("%s: %d triangles of %d corners and %d holes", worlds[w].Name, got, n, h)
		}
		for m, g := range list {
			r := &trials[m][w].result
			regions := float64(r.Regions.Value)
			if want := 2 * (regions + float64(h) - 1) / regions; math.Abs(float64(r.Degree.Value)-want) > 1e-9 {
				t.Errorf("%s, %s: degree %g, Euler gives %g", worlds[w].Name, g.Name(), r.Degree.Value, want)
			}
		}
	}
	r := mustRun(t, "hale-7.2", 0)
	if got := r.value(t, delaunay, "regions"); math.Abs(got-31) > 1e-9 {
		t.Errorf("Delaunay has %g triangles on average, the source 31", got)
	}
	if got := r.value(t, delaunay, "inverse_efficiency"); math.Abs(got-4.04) > 0.01 {
		t.Errorf("Delaunay has %g sides to an edge, the source 4.04", got)
	}
	if got := r.value(t, hm, "degree"); math.Abs(got-2.48) > 0.02 {
		t.Errorf("Hertel-Mehlhorn has a mean degree of %g, the source 2.48", got)
	}
}

// TestShapesOfTable72 judges homogeneity and diameter, on the ten worlds and on a hundred, where rare slivers of Wavefront
// may decide the mean: the claims say what the rows show, and the middle world keeps the order of the source.
func TestShapesOfTable72(t *testing.T) {
	race.Skip(t)
	r := mustRun(t, "hale-7.2", 0)
	for _, name := range []string{"homogeneity_mean", "homogeneity_middle_of_100", "diameter", "diameter_of_100"} {
		for _, rival := range []string{delaunay, hm} {
			if a, b := r.value(t, wavefront, name), r.value(t, rival, name); !(a <= b) {
				t.Errorf("%s: Wavefront has %g, %s %g", name, a, rival, b)
			}
		}
	}
	for _, method := range []string{delaunay, hm} {
		if longest, worlds := r.value(t, method, "longest_ratio_of_100"), r.value(t, method, "worlds_with_slivers_of_100"); longest > sliverRatio || worlds != 0 {
			t.Errorf("%s has a region %g times as long as wide, slivers in %g worlds", method, longest, worlds)
		}
	}
	longest, worlds := r.value(t, wavefront, "longest_ratio_of_100"), r.value(t, wavefront, "worlds_with_slivers_of_100")
	if worlds > 10 || (worlds > 0) != (longest > sliverRatio) {
		t.Errorf("Wavefront has a region %g times as long as wide, slivers in %g worlds", longest, worlds)
	}
	for _, c := range r.Claims {
		want, judged := true, true
		switch {
		case strings.HasPrefix(c.Text, "on 100 worlds Wavefront's homogeneity"):
			a := r.value(t, wavefront, "homogeneity_mean_of_100")
			want = a < r.value(t, delaunay, "homogeneity_mean_of_100") && a < r.value(t, hm, "homogeneity_mean_of_100")
		case strings.HasPrefix(c.Text, "on 100 worlds no region"):
			want = longest <= sliverRatio
		case !strings.Contains(c.Text, "homogeneity") && !strings.Contains(c.Text, "diameter"):
			judged = false
		}
		if judged && c.Holds != want {
			t.Errorf("%q holds: %v, the rows say %v", c.Text, c.Holds, want)
		}
	}
}

// TestOrderings of table 7.2 and of W that do not hang on a single world: which method is ahead.
func TestOrderings(t *testing.T) {
	r := mustRun(t, "hale-7.2", 0)
	for _, c := range []struct{ metric, less, more string }{
		{"regions", hm, delaunay},
		{"regions", wavefront, delaunay},
		{"degree", hm, wavefront},
		{"common_vertices", wavefront, hm},
		{"common_vertices", hm, delaunay},
		{"minimum_angle", delaunay, hm},
		{"minimum_angle", hm, wavefront},
	} {
		if a, b := r.value(t, c.less, c.metric), r.value(t, c.more, c.metric); !(a < b) {
			t.Errorf("%s: %s has %g, %s %g", c.metric, c.less, a, c.more, b)
		}
	}
	r = mustRun(t, "wavefront-25", 8)
	for _, rival := range []string{delaunay, hm, trapezoid} {
		if a, b := r.value(t, wavefront, "near_degenerate"), r.value(t, rival, "near_degenerate"); !(a < b) {
			t.Errorf("wavefront has %g near-degenerate regions, %s %g", a, rival, b)
		}
	}
	if most := r.value(t, wavefront, "most_at_a_point"); most > 5 {
		t.Errorf("%g regions of wavefront's meet at a point", most)
	}
}
