package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/lab/delaunay"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/metric"
)

// failing is a generator without results.
type failing struct{}

func (failing) Name() string { return "failing" }

func (failing) Decompose(context.Context, gen.Input) (gen.Result, error) {
	return gen.Result{}, errors.New("no cells")
}

// A generator that refuses has a line with the reason, and no panel; the others are compared.
func TestRefusals(t *testing.T) {
	lvl, err := levelgen.Generate("stairs", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	floor, err := meadow.FindFloor(t.Context(), lvl, meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := &compareCmd{Pool: 1, Patience: time.Minute, Level: "stairs.obj"}
	var measuring metric.Options
	if err := measureOn(t.Context(), &measuring, floor); err != nil {
		t.Fatal(err)
	}
	made, err := c.choose(t.Context(), floor, meadow.MeshOptions{Generator: delaunay.Generator{}}, measuring)
	if err != nil || made.refused != nil || made.pool != 1 {
		t.Fatalf("%+v, %v", made, err)
	}
	// The error of a single generator is a refusal, and the comparison goes on.
	failed, err := c.choose(t.Context(), floor, meadow.MeshOptions{Generator: failing{}}, measuring)
	if err != nil || failed.refused == nil {
		t.Fatalf("%+v, %v", failed, err)
	}
	all := []*candidate{{generator: "slow", refused: errors.New("too many notches\n12 of 10")}, made, failed}
	best, err := c.rank(all)
	if err != nil || best != 1 || made.points != metric.Kinds { // alone it wins everything
		t.Fatalf("best %d, %g points, %v", best, made.points, err)
	}
	var out bytes.Buffer
	c.print(&out, all, best)
	for _, want := range []string{"\n  delaunay", "\n  slow: too many notches; 12 of 10\n", "most points: delaunay\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	r := c.report(floor, all, best)
	if len(r.Generators) != 3 || r.Generators[0].Refused == "" || r.Generators[0].Metrics != nil || r.Generators[1].Metrics == nil || r.Winner != "delaunay" {
		t.Errorf("%+v", r)
	}
	if s := c.sheet(floor, all); len(s.Panels) != 1 || s.Panels[0].Title != "delaunay" {
		t.Errorf("%d panels", len(s.Panels))
	}
	if err := failures(all); !strings.Contains(err.Error(), "slow: too many notches") {
		t.Error(err)
	}
	if best, err := c.rank(all[:1]); err != nil || best != -1 {
		t.Errorf("the best of a refusal is %d, %v", best, err)
	}
}

func TestStars(t *testing.T) {
	values := map[string]float64{"a": 2, "b": 1.001, "c": 1, "d": math.NaN()}
	col := column{"x", func(k *candidate) float64 { return values[k.generator] }, "%.2f", -1}
	of := func(names ...string) (all []*candidate) {
		for _, n := range names {
			all = append(all, &candidate{generator: n})
		}
		return all
	}
	if got := col.cells([]*candidate{{generator: "c", out: true}, {generator: "a"}, {generator: "b", out: true}}); !slices.Equal(got, []string{"1.00 ", "2.00*", "1.00 "}) {
		t.Errorf("with meshes that cover too little: %q", got)
	}
	for _, test := range []struct {
		better int
		names  []string
		want   []string
	}{
		{-1, []string{"a", "b", "c", "d"}, []string{"2.00 ", "1.00*", "1.00*", "- "}}, // as it is written
		{1, []string{"a", "b", "d"}, []string{"2.00*", "1.00 ", "- "}},
		{0, []string{"a", "b"}, []string{"2.00 ", "1.00 "}},
		{-1, []string{"b", "c"}, []string{"1.00 ", "1.00 "}}, // where all are best, none is
		{1, []string{"d"}, []string{"- "}},
		{1, nil, []string{}},
	} {
		col.better = test.better
		if got := col.cells(of(test.names...)); !slices.Equal(got, test.want) {
			t.Errorf("%d %v: %q, want %q", test.better, test.names, got, test.want)
		}
	}
}

func TestWeights(t *testing.T) {
	for _, test := range []struct {
		text string
		want map[metric.Kind]float64 // all others are 1
	}{
		{"", nil},
		{"regions=2", map[metric.Kind]float64{metric.KindRegions: 2}},
		{" regions = 2 , diameter=0.5,", map[metric.Kind]float64{metric.KindRegions: 2, metric.KindDiameter: 0.5}},
		{"# none\nregions=3 # many\n\ndegree=0\n", map[metric.Kind]float64{metric.KindRegions: 3, metric.KindDegree: 0}},
	} {
		w, err := parseWeights(test.text)
		if err != nil {
			t.Fatalf("%q: %v", test.text, err)
		}
		for k, got := range w.list {
			want, ok := test.want[metric.Kind(k)]
			if !ok {
				want = 1
			}
			if got != want {
				t.Errorf("%q: %v is %g, want %g", test.text, metric.Kind(k), got, want)
			}
		}
	}
	if w, err := parseWeights("regions=5,all=0,coverage=2"); err != nil || w.list[metric.KindRegions] != 0 || w.list[metric.KindCoverage] != 2 {
		t.Errorf("%v, %v", w, err)
	}
	for _, text := range []string{"regions", "regions=x", "regions=-1", "regions=NaN", "=1", "speed=1"} {
		if w, err := parseWeights(text); err == nil {
			t.Errorf("%q is taken as %v", text, w)
		}
	}
}

// On real levels, one of several storeys and one grid, complete methods cover the whole floor and keep its border, and
// the pictures are written.
func TestCompareRealLevels(t *testing.T) {
	race.Skip(t)
	for _, test := range []struct {
		file   string
		layers int
	}{{"oa_shouse.obj", 3}, {"grid/arena.map", 1}} {
		path := reallevels.Path(t, test.file)
		picture := filepath.Join(t.TempDir(), "sheet.svg")
		var stdout, stderr bytes.Buffer
		args := []string{"compare", path, "-o", picture, "--width", "800", "--generators", "anavmg,delaunay,trapezoid", "--json"}
		if code := run(t.Context(), args, &stdout, &stderr); code != exitDone {
			t.Fatalf("%s: exit %d: %s", test.file, code, &stderr)
		}
		var r struct {
			Layers     int
			Generators []struct {
				Metrics struct {
					Coverage struct{ Value float64 }
					Extras   struct {
						Border struct {
							Value float64 `json:"value_m"`
						} `json:"border_error"`
						Paths struct{ Pairs int } `json:"path_efficiency"`
						Ratio float64             `json:"regions_per_bound"`
					}
				}
			}
		}
		if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Layers != test.layers || len(r.Generators) != 3 {
			t.Errorf("%s: %d layers, %d generators", test.file, r.Layers, len(r.Generators))
		}
		for i, m := range r.Generators {
			x := m.Metrics.Extras
			if math.Abs(m.Metrics.Coverage.Value-1) > 1e-4 || x.Border.Value > 0.01 || x.Ratio < 1 || x.Paths.Pairs < 90 {
				t.Errorf("%s: generator %d: %+v", test.file, i, m.Metrics)
			}
		}
		if info, err := os.Stat(picture); err != nil || info.Size() < 10000 {
			t.Errorf("%s: the picture: %v", test.file, err)
		}
	}
}
