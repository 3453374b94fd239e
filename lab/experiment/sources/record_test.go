package sources

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/metric"
)

// report is a small report with a figure of each kind.
func report(name string) experiment.Report {
	return experiment.Report{
		Name: name,
		Rows: []experiment.Row{
			{Method: "a", Metric: "x", Published: 2, Ours: 2.05},
			{Method: "b", Metric: "x", Published: metric.Number(math.NaN()), Ours: metric.Number(math.Inf(1))},
		},
		Claims: []experiment.Claim{{Text: "it <holds>", Holds: true}, {Text: "it does not"}},
	}
}

// TestRecordRoundTrip: a record is read as it was written, unknown figures stay unknown, and a newer result replaces an
// older one in the order of the experiments.
func TestRecordRoundTrip(t *testing.T) {
	var rec Record
	for _, name := range []string{"hale-7.2", "hale-3.1", "hale-7.2"} {
		r := report(name)
		rec = rec.With(ResultOf(&r, "p", "", 1.5))
	}
	if len(rec) != 2 || rec[0].Experiment != "hale-3.1" {
		t.Fatalf("%+v", rec)
	}
	var b bytes.Buffer
	if err := rec.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	again, err := ReadRecord(&b)
	if err != nil {
		t.Fatal(err)
	}
	row, ok := again[1].Row("b", "x")
	if !ok || row.Published != nil || row.Ours != nil || *again[1].Rows[0].Ours != 2.05 {
		t.Errorf("%+v", again[1].Rows)
	}
	b.Reset()
	if err := again.Write(&b); err != nil || b.String() != text || !strings.Contains(text, "it <holds>") {
		t.Errorf("read and written again: %v\n%s\n%s", err, text, b.String())
	}
	var all Tally
	all.Add(&again[0])
	if all.Published != 1 || all.Near != 1 || all.Verdicts != [...]int{1, 0, 1} {
		t.Errorf("%+v", all)
	}
}

// TestReadRecordRefuses names the line of a fault.
func TestReadRecordRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{\n", "line 1"},
		{"{\"experiment\":\"a\"}\n{\"experiment\":\"a\"}\n", "line 2"},
		{"{\"experiment\":\"a\",\"colour\":1}\n", "colour"},
		{"{}\n", "absent"},
		{strings.Repeat("x", 1<<24+1), "too long"},
	} {
		if _, err := ReadRecord(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.text, err, c.want)
		}
	}
}

// TestPageHasEverything: the page has each row, each entry and each difference, and figures of the record.
func TestPageHasEverything(t *testing.T) {
	r := experiment.Report{Name: "hale-7.2", Rows: []experiment.Row{{Method: "wavefront", Metric: "regions", Published: 17.8, Ours: 18.25}}}
	var b strings.Builder
	if err := WritePage(&b, Record{}.With(ResultOf(&r, "", "", 0))); err != nil {
		t.Fatal(err)
	}
	want := []string{"regions of wavefront: 17.8, 18.25"}
	for _, row := range Rows() {
		want = append(want, fmt.Sprintf("\n| %s | %s |", row.ID, row.Subject))
		for test := range strings.FieldsSeq(row.Tests) {
			want = append(want, "`"+test+"`")
		}
		if waits := strings.HasPrefix(row.Why, "waits"); waits != (row.Tests == "") {
			t.Errorf("%s has the tests %q and the reason %q", row.ID, row.Tests, row.Why)
		}
	}
	for _, e := range Entries() {
		want = append(want, fmt.Sprintf("\n| %s | %s | %s | %s |", e.Number, e.Section, e.Row, e.Subject))
	}
	for _, d := range Differences() {
		want = append(want, d.Claim)
	}
	for _, w := range want {
		if !strings.Contains(b.String(), w) {
			t.Errorf("the page lacks %q", w)
		}
	}
}

// kept is the record in docs.
func kept(t *testing.T) Record {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "docs", "reproduced.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rec, err := ReadRecord(f)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestRecordIsWhole: docs/reproduced.jsonl has every experiment at its own size, every known difference is about a claim
// there, and every figure of a row of work is there. `make sources SOURCES="…"` runs experiments that are absent.
func TestRecordIsWhole(t *testing.T) {
	rec := kept(t)
	for _, name := range experiment.Names() {
		if r, ok := rec.Find(name); !ok || r.Options != "" {
			t.Errorf("%s is not in the file at its own size", name)
		}
	}
	for _, d := range Differences() {
		r, ok := rec.Find(d.Experiment)
		if !ok || !slices.ContainsFunc(r.Claims, func(c experiment.Claim) bool { return strings.HasPrefix(c.Text, d.Claim) }) {
			t.Errorf("%s claims nothing like %q", d.Experiment, d.Claim)
		}
	}
	for _, row := range Rows() {
		for _, f := range row.Figures {
			if experiment.Title(f.Experiment) == "" {
				t.Errorf("row %s: no experiment %s", row.ID, f.Experiment)
				continue
			}
			if r, ok := rec.Find(f.Experiment); ok {
				if _, ok := r.Row(f.Method, f.Metric); !ok {
					t.Errorf("row %s: %s has no %s of %s", row.ID, f.Experiment, f.Metric, f.Method)
				}
			}
		}
	}
}

// TestRecordIsFresh runs the experiments of a few milliseconds again: docs/reproduced.jsonl has their figures and claims.
// `make sources` refreshes the file.
func TestRecordIsFresh(t *testing.T) {
	race.Skip(t)
	rec := kept(t)
	for _, name := range []string{"hale-5.3", "hale-6.1", "hale-6.4", "hale-6.8", "hale-6.12", "hale-7.1", "hale-7.2", "theorem-4.1", "theorem-7.1", "theorem-7.2"} {
		old, ok := rec.Find(name)
		if !ok || old.Options != "" {
			t.Errorf("%s is not in the file at its own size", name)
			continue
		}
		r, err := experiment.Run(t.Context(), name, experiment.Options{})
		if err != nil {
			t.Fatal(err)
		}
		now := ResultOf(&r, "", "", 0)
		if fmt.Sprint(now.Claims) != fmt.Sprint(old.Claims) {
			t.Errorf("%s: claims %v, the file has %v", name, now.Claims, old.Claims)
		}
		for _, row := range now.Rows {
			was, ok := old.Row(row.Method, row.Metric)
			if !ok || digits(row.Ours) != digits(was.Ours) || digits(row.Published) != digits(was.Published) {
				t.Errorf("%s: %s of %s is %s, the file has %s", name, row.Metric, row.Method, digits(row.Ours), digits(was.Ours))
			}
		}
	}
}
