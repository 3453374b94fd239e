//go:build peers

package main

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
)

// TestWorstFirst reads the order of the maps in both tables.
func TestWorstFirst(t *testing.T) {
	timed := func(name string, recast, all float64, failed string, faults ...int) Report {
		r := Report{Map: name, Measures: [3]Time{{MS: recast}, {MS: 2 * all}, {MS: all, Failed: failed}}}
		for _, n := range faults {
			r.Laws = append(r.Laws, Law{Method: "anavmg", Faults: n, First: "a step"})
		}
		return r
	}
	text := corpusTables([]Report{
		timed("quick", 100, 50, "", 0, 1),
		timed("slow", 100, 400, "", 0, 7),
		timed("endless", 100, 0, "takes long", 0, broken),
		timed("good", 100, 100, "", 0, 0),
	}, meadow.Agent{Radius: 0.6})
	times, faults, found := strings.Cut(text, "### Faults: 3 of 8 meshes")
	if !found {
		t.Fatalf("no count of faults in\n%s", text)
	}
	for _, c := range []struct {
		table string
		want  []string
	}{
		{times, []string{"endless", "slow", "good", "quick"}},
		{faults, []string{"endless", "slow", "quick"}},
	} {
		var got []string
		for line := range strings.Lines(c.table) {
			if cells := strings.Split(line, " | "); len(cells) > 3 && !strings.HasPrefix(line, "| map") {
				got = append(got, strings.TrimPrefix(cells[0], "| "))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("the maps are in the order %v, want %v", got, c.want)
		}
	}
	if want := "Geometric mean on all cores: 1.26 over 3 maps, 1 of them slower"; !strings.Contains(times, want) {
		t.Errorf("no %q in\n%s", want, times)
	}
}

// TestCorpusGoesOn keeps a report in a state file and finds it again, but not under other settings.
func TestCorpusGoesOn(t *testing.T) {
	c := corpus{settings: settings{state: filepath.Join(t.TempDir(), "state")}, radii: []float64{0}}
	r := Report{Map: "a/b", Revision: c.revision(), Triangles: 7, Laws: []Law{{Radius: 0, Faults: 2}}}
	if err := c.keep(r); err != nil {
		t.Fatal(err)
	}
	done, err := c.finished()
	if err != nil || len(done) != 1 || done["a/b"].Triangles != 7 || done["a/b"].Laws[0].Faults != 2 {
		t.Errorf("found %v, error %v", done, err)
	}
	c.radii = []float64{0, 0.4}
	if done, err = c.finished(); err != nil || len(done) != 0 {
		t.Errorf("found %v under other settings, error %v", done, err)
	}
}

func TestCorpusArguments(t *testing.T) {
	for args, want := range map[string]string{
		"-radii 0,x": `radius "x"`, "-radii -1": `radius "-1"`, "-radii NaN": `radius "NaN"`, "-limit 0s": "must be above 0",
	} {
		if _, err := parse(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", args, err, want)
		}
	}
	c := corpus{folder: t.TempDir()}
	if _, err := c.maps(); err == nil || !strings.Contains(err.Error(), "no map") {
		t.Errorf("an empty folder: error %v", err)
	}
}
