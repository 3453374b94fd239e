package standings

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/draw/svg"
	"github.com/meadow-nav/meadow/geom"
)

// timed is a level with times of the reference and of ours; 0 is a failure.
func timed(name string, theirs, ours float64) Level {
	entry := func(name string, ms float64) Entry {
		if ms == 0 {
			return Entry{Name: name, Failed: "nothing is walkable"}
		}
		return Entry{Name: name, MS: ms, Regions: int(10 * ms), Bytes: 1000}
	}
	return Level{Name: name, Triangles: 12, Entries: []Entry{entry("Recast", theirs), entry("Meadow", ours)}}
}

// judged adds a quality to the entry of a level.
func judged(l Level, k int, floor float64, q Quality) Level {
	l.Floor, l.Parts = floor, 2
	l.Entries = slices.Clone(l.Entries)
	q.Lost = floor * (1 - q.Coverage)
	l.Entries[k].Quality = &q
	return l
}

func standingsOf(levels ...Level) *Standings {
	return &Standings{Reference: "Recast", Ours: []string{"Meadow"}, Levels: levels}
}

// rows returns the cells of a table behind a heading.
func rows(t *testing.T, s *Standings, heading string) [][]string {
	t.Helper()
	var b strings.Builder
	if err := s.Markdown(&b); err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(b.String(), "### "+heading)
	if !ok {
		t.Fatalf("no table %q in\n%s", heading, b.String())
	}
	text, _, _ = strings.Cut(text, "\n### ")
	var out [][]string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "| ") {
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if len(out) > 0 && len(cells) != len(out[0]) {
				t.Errorf("%d cells in a table of %d columns: %s", len(cells), len(out[0]), line)
			}
			out = append(out, cells)
		}
	}
	return out
}

// line returns the row of a table that begins with a word.
func line(t *testing.T, all [][]string, first string) []string {
	t.Helper()
	for _, row := range all {
		if row[0] == first {
			return row[1:]
		}
	}
	t.Fatalf("no row %q in %v", first, all)
	return nil
}

// TestWorstFirst reads the order of levels, the ratios, and the geometric mean over the levels that both have.
func TestWorstFirst(t *testing.T) {
	quick := timed("quick", 100, 50)
	quick.Entries[0].Unjudged = "too far apart"
	s := standingsOf(quick, timed("slow", 100, 400), timed("lost", 100, 0), timed("good", 100, 100), timed("theirs", 0, 30))
	all := rows(t, s, "Time by the time of Recast")
	var names []string
	for _, row := range all[1:] {
		names = append(names, row[0])
	}
	if want := []string{"lost", "slow", "good", "quick", "theirs"}; !slices.Equal(names, want) {
		t.Errorf("levels in the order %v, want %v", names, want)
	}
	for name, want := range map[string][]string{"slow": {"12", "100", "4.00"}, "lost": {"12", "100", nothing}, "theirs": {"12", nothing, "30.0 ms"}} {
		if got := line(t, all, name); !slices.Equal(got, want) {
			t.Errorf("%s: cells %q, want %q", name, got, want)
		}
	}
	all = rows(t, s, "All 5 levels")
	for name, want := range map[string][]string{
		"levels without a mesh": {"1", "1"}, "time / Recast, geometric mean": {"1.00", "1.26"}, "levels slower than that": {nothing, "1 of 3"},
		"bytes, geometric mean of ratios": {"1.00", "1.00"}, "regions, geometric mean of ratios": {"1.00", "1.26"},
	} {
		if got := line(t, all, name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	var b strings.Builder
	if err := s.Markdown(&b); err != nil || !strings.Contains(b.String(), "- lost, Meadow: nothing is walkable\n") || !strings.Contains(b.String(), "- theirs, Recast: ") ||
		!strings.Contains(b.String(), "- quick, Recast: not judged: too far apart\n") {
		t.Errorf("failures are missing, error %v:\n%s", err, b.String())
	}
}

// TestSums adds up qualities over the levels that everybody has a mesh of, and no others.
func TestSums(t *testing.T) {
	wide, near := 0.5, 0.02
	a := judged(timed("a", 10, 10), 0, 300, Quality{Coverage: 0.9, SplitParts: 2, Pairs: 50, Missing: 5, Longest: 1.5, BorderMean: &wide, Rise95: 0.3})
	a = judged(a, 1, 300, Quality{Coverage: 1, Pairs: 50, Longest: 1, BorderMean: &near, Rise95: 0.01})
	b := judged(timed("b", 10, 10), 0, 100, Quality{Coverage: 0.5, Outside: 7, Pairs: 50, Missing: 10, Short: 1, Longest: 1.1, Rise95: 0.1})
	b = judged(b, 1, 100, Quality{Coverage: 0.99, Pairs: 50, Longest: 1.002, BorderMean: &near, Rise95: 0.03})
	c := judged(timed("c", 10, 10), 0, 1e6, Quality{Coverage: 0.1, LostParts: 9}) // without ours
	s := standingsOf(a, b, c)
	all := rows(t, s, "All 3 levels")
	if got := all[6][0]; !strings.HasPrefix(got, "*2 levels with every mesh: 400 m², 4 parts*") {
		t.Errorf("the sums are over %q", got)
	}
	for name, want := range map[string][]string{
		"floor lost, % of all": {"20.00", "0.25"}, "floor lost, mean of levels, %": {"30.00", "0.50"}, "regions without floor, m²": {"7.0", "0.0"},
		"parts lost": {"0", "0"}, "parts split": {"2", "0"}, "paths missing, %": {"15.00", "0.00"}, "paths through what is no floor, %": {"1.00", "0.00"},
		"longest path / optimum, median of levels": {"1.300", "1.001"}, "border off in the mean, cm, median of levels": {"50.0", "2.0"},
		"border off at most, m, median of levels": {nothing, nothing}, "height off for 95 %, cm, median of levels": {"20.0", "2.0"},
	} {
		if got := line(t, all, name); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	all = rows(t, s, "Quality by the whole floor")
	if all[1][0] != "c" || all[2][0] != "b" || all[3][0] != "" || all[4][0] != "a" {
		t.Errorf("levels in the order %q, %q, %q, %q; want c without ours, then b, where ours loses more, then a", all[1][0], all[2][0], all[3][0], all[4][0])
	}
	if want := []string{"Recast", "100", "1000", "0.5000", "50.00", "7.00", "0, 0, 0, 0", "10, 1 of 50", "1.100, 0.000", "—, —", "0.000, 0.100"}; !slices.Equal(all[2][1:], want) {
		t.Errorf("b of Recast: %q, want %q", all[2][1:], want)
	}
}

// TestDisputes counts verdicts, and lists the places against the extractor, the largest first.
func TestDisputes(t *testing.T) {
	l := judged(timed("a", 10, 10), 0, 100, Quality{Coverage: 0.5})
	l.Entries[0].Disputes = []Dispute{
		{Lost: true, Side: Floor, Area: 3},
		{Lost: true, Side: Mesh, Area: 1, By: -0.2, At: geom.Vec{X: 1, Y: 2, Z: 3}},
		{Side: Mesh, Area: 2, By: 0.3},
		{Side: Open, Area: 9},
		{Side: Thin, Area: 9},
		{Side: Floor, Area: 9},
	}
	s := standingsOf(l)
	if got, want := line(t, rows(t, s, "Who is right"), "Recast"), []string{"1", "1", "0", "0", "1", "1", "1", "1"}; !slices.Equal(got, want) {
		t.Errorf("verdicts %q, want %q", got, want)
	}
	all := rows(t, s, "Places where the judge is against the extractor: 2")
	if len(all) != 3 || !slices.Equal(all[1], []string{"a", "Recast", "outside", "2.000", "0.000, 0.000, 0.000", "0.300"}) ||
		!slices.Equal(all[2], []string{"a", "Recast", "lost", "1.000", "1.000, 2.000, 3.000", "-0.200"}) {
		t.Errorf("places %q", all)
	}
}

// TestBox checks quartiles, whiskers and outliers of a distribution.
func TestBox(t *testing.T) {
	b := box("a", []float64{5, 1, 2, 3, 4, 100})
	if b.Q1 != 2.25 || b.Median != 3.5 || b.Q3 != 4.75 || b.Low != 1 || b.High != 5 || !slices.Equal(b.Outliers, []float64{100}) || math.Abs(b.Mean-115.0/6) > 1e-12 {
		t.Errorf("got %+v", b)
	}
	if b := box("one", []float64{7}); b.Low != 7 || b.Q1 != 7 || b.Median != 7 || b.High != 7 || b.Outliers != nil {
		t.Errorf("one value: %+v", b)
	}
}

// TestPlots draws all plots: with results, with a single one, and without any.
func TestPlots(t *testing.T) {
	near := 0.02
	full := judged(timed("a", 10, 20), 1, 100, Quality{Coverage: 0.9, BorderMean: &near, Rise95: 0.1})
	bare := judged(timed("b", 3, 2), 1, 100, Quality{Coverage: 0.9}) // a mesh without a border
	for name, s := range map[string]*Standings{"two": standingsOf(full, bare), "failure": standingsOf(timed("c", 0, 0)), "none": standingsOf()} {
		var b bytes.Buffer
		page := s.Page()
		if err := svg.Write(&b, page.List(), page.View()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, want := range []string{"Time", "Floor lost", "Height off"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: no plot %q", name, want)
			}
		}
		if got := strings.Contains(b.String(), "NaN"); got {
			t.Errorf("%s: a coordinate is no number", name)
		}
	}
}
