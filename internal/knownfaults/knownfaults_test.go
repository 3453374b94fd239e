package knownfaults

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// report keeps what a test is told.
type report struct{ errors, logs []string }

func (r *report) Helper() {}
func (r *report) Errorf(format string, a ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, a...))
}

func (r *report) Logf(format string, a ...any) { r.logs = append(r.logs, fmt.Sprintf(format, a...)) }

// Judge tells of faults that are not listed and of listed cases that hold, and of nothing else.
func TestJudge(t *testing.T) {
	faults = append(faults, fault{level: "a level", extract: "exact", radii: []float64{0, 0.5}, law: "area", reason: "a reason"})
	defer func() { faults = faults[:len(faults)-1] }()
	listed := Case{Level: "a level", Extract: "exact", Radius: 0.5, Law: "area"}
	other := listed
	other.Radius = 0.3
	fault := errors.New("too small")
	for _, c := range []struct {
		of    Case
		found error
		want  string
	}{
		{listed, nil, "take it off the list"},
		{listed, fault, ""},
		{other, nil, ""},
		{other, fault, "radius 0.3: area: too small"},
		{Case{Level: "a level", Extract: "exact", Method: "best", Radius: 0.5, Law: "area"}, fault, "exact, best, radius 0.5"},
	} {
		var r report
		Judge(&r, c.of, c.found)
		if got := strings.Join(r.errors, "\n"); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v, found %v: told %q, want %q", c.of, c.found, got, c.want)
		}
	}
}

// Every line of the list is complete, and no case is listed twice.
func TestListIsComplete(t *testing.T) {
	seen := map[Case]bool{}
	for _, f := range faults {
		if f.level == "" || f.extract == "" || f.law == "" || len(f.radii) == 0 || len(f.reason) < 20 {
			t.Errorf("incomplete: %+v", f)
		}
		for _, r := range f.radii {
			c := Case{f.level, f.extract, f.method, r, f.law}
			if seen[c] || !f.holds(c) || Reason(c) == "" {
				t.Errorf("%v: listed twice or not found", c)
			}
			seen[c] = true
		}
	}
}
