package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/lab/experiment"
)

// TestNothingIsAbsent counts the entries as the sources count their figures and tables, without a gap.
func TestNothingIsAbsent(t *testing.T) {
	var want []string
	count := func(letter, kind, chapter string, most int) {
		for n := 1; n <= most; n++ {
			want = append(want, fmt.Sprintf("%s %s %s%d", letter, kind, chapter, n))
		}
	}
	for _, c := range []struct {
		chapter         string
		figures, tables int
	}{
		{"1.", 3, 0},
		{"2.", 7, 0},
		{"3.", 2, 1},
		{"4.", 4, 1},
		{"5.", 5, 0},
		{"6.", 8, 12},
		{"7.", 6, 2},
		{"A.", 4, 0},
		{"B.", 2, 1},
		{"C.", 4, 0},
		{"D.", 6, 1},
	} {
		count("H", "figure", c.chapter, c.figures)
		count("H", "table", c.chapter, c.tables)
	}
	want = append(want, "H theorem 4.1", "H lemma 4.2", "H theorem 7.1", "H theorem 7.2", "H appendix C", "H section 8.2", "W section 19.5", "T use case", "B section 8.2")
	count("W", "figure", "19.", 3)
	count("T", "figure", "", 1)
	count("A", "figure", "", 45)
	want = append(want, "A figure 9", "A figure 14", "A figure 15") // the thesis counts them twice
	count("B", "figure", "", 91)
	var have []string
	for _, e := range Entries() {
		have = append(have, e.Source+" "+e.Number)
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(have, want) {
		for _, w := range want {
			if !slices.Contains(have, w) {
				t.Errorf("%s is absent", w)
			}
		}
		t.Errorf("%d entries, the sources have %d", len(have), len(want))
	}
}

// TestEntriesAndExperiments: every registered experiment repeats an entry, entries name only registered experiments, and the title of an experiment names an entry that it repeats.
func TestEntriesAndExperiments(t *testing.T) {
	titled := map[string]bool{}
	for _, e := range Entries() {
		id := e.Experiment()
		if id == "" {
			continue
		}
		title := experiment.Title(id)
		if title == "" {
			t.Errorf("%s %s: no experiment %s", e.Source, e.Number, id)
			continue
		}
		if e.State() != Done {
			t.Errorf("%s %s is %v", e.Source, e.Number, e)
		}
		number := strings.Fields(e.Number)
		titled[id] = titled[id] || strings.HasPrefix(title, e.Source+" ") && strings.Contains(title, number[len(number)-1])
	}
	for _, id := range experiment.Names() {
		named, ok := titled[id]
		switch {
		case !ok:
			t.Errorf("%s repeats no entry", id)
		case !named:
			t.Errorf("%s: the title %q names none of its entries", id, experiment.Title(id))
		}
	}
}

// TestEntriesAreWhole: no field is empty that a state needs, rows are rows of work, and files exist. Commands are
// tested by TestSourcesCommands in cmd/meadow.
func TestEntriesAreWhole(t *testing.T) {
	rows := map[string]bool{}
	for _, r := range Rows() {
		rows[r.ID] = true
	}
	seen := map[string]bool{}
	for _, e := range Entries() {
		name := e.Source + " " + e.Number + " of " + e.Section
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		if e.Subject == "" || e.Section == "" || e.Key() == "" || !rows[e.Row] {
			t.Errorf("%s: %+v", name, e)
		}
		if needs := e.state == Done || e.state == Drawn || e.state == Differs; needs != (e.of != "") {
			t.Errorf("%s: %v", name, e)
		}
		if place := e.Place(); place != "" && !strings.HasPrefix(place, "meadow ") {
			if _, err := os.Stat(filepath.Join("..", "..", "..", filepath.FromSlash(place))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestSelect: keys of sources, names of experiments and of groups.
func TestSelect(t *testing.T) {
	for _, c := range []struct {
		name  string
		count int
	}{{"texture", 2}, {"hale-6.1", 1}, {"hale-6", 12}, {"theorem-7.1", 2}, {"all", len(Entries())}} {
		found, err := Select(c.name)
		if err != nil || len(found) != c.count {
			t.Errorf("%s: %d entries, want %d: %v", c.name, len(found), c.count, err)
		}
	}
	if _, err := Select("hale-9"); err == nil || !strings.Contains(err.Error(), `"hale-9"`) {
		t.Errorf("hale-9: %v", err)
	}
}

// TestDifferences: every difference belongs to a registered experiment, and excuses its own claim only.
func TestDifferences(t *testing.T) {
	for _, d := range Differences() {
		if experiment.Title(d.Experiment) == "" || d.Why == "" || len(d.Claim) < 10 {
			t.Errorf("%+v", d)
		}
		if v, why := Judge(d.Experiment, experiment.Claim{Text: d.Claim + " and so on"}); v != Known || why != d.Why {
			t.Errorf("%s %q is judged %d, %q", d.Experiment, d.Claim, v, why)
		}
		if v, _ := Judge("hale-7.1", experiment.Claim{Text: d.Claim}); v != Fails {
			t.Errorf("%q is excused for another experiment", d.Claim)
		}
	}
	if v, _ := Judge("hale-7.1", experiment.Claim{Text: "anything", Holds: true}); v != Holds {
		t.Errorf("a claim that holds is judged %d", v)
	}
}
