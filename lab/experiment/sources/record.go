package sources

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/metric"
)

// Result is the outcome of an experiment in a file.
type Result struct {
	Experiment string `json:"experiment"`
	// Program and Options tell whether a later run may take the result over: the program is a hash of its bytes, and
	// the options are "" for the experiment's own size.
	Program string             `json:"program"`
	Options string             `json:"options"`
	Seconds float64            `json:"seconds"`
	Rows    []Figures          `json:"rows"`
	Claims  []experiment.Claim `json:"claims"`
}

// Figures are the two figures of a row; nil is unknown, or infinite.
type Figures struct {
	Method    string   `json:"method"`
	Metric    string   `json:"metric"`
	Published *float64 `json:"published"`
	Ours      *float64 `json:"ours"`
}

// ResultOf returns a report as a result.
func ResultOf(r *experiment.Report, program, options string, seconds float64) Result {
	out := Result{Experiment: r.Name, Program: program, Options: options, Seconds: seconds, Claims: r.Claims}
	number := func(n metric.Number) *float64 {
		v := float64(n)
		if v-v != 0 { // infinite, or not a number
			return nil
		}
		return &v
	}
	for _, row := range r.Rows {
		out.Rows = append(out.Rows, Figures{row.Method, row.Metric, number(row.Published), number(row.Ours)})
	}
	return out
}

// Row returns the figures of a method and metric.
func (r *Result) Row(method, name string) (Figures, bool) {
	for _, row := range r.Rows {
		if row.Method == method && row.Metric == name {
			return row, true
		}
	}
	return Figures{}, false
}

// Record holds one result for each experiment that ran, in the order of [experiment.Names].
type Record []Result

// ReadRecord reads a record, a JSON object a line. The error names the line.
func ReadRecord(in io.Reader) (Record, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	var rec Record
	for n := 1; lines.Scan(); n++ {
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		var r Result
		if err := d.Decode(&r); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := rec.Find(r.Experiment); twice || r.Experiment == "" {
			return nil, fmt.Errorf("line %d: experiment %q is absent or there twice", n, r.Experiment)
		}
		rec = append(rec, r)
	}
	return rec, lines.Err()
}

// Write writes the record.
func (rec Record) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range rec {
		if err := e.Encode(&rec[i]); err != nil {
			return err
		}
	}
	return nil
}

// Find returns the result of an experiment.
func (rec Record) Find(name string) (*Result, bool) {
	for i := range rec {
		if rec[i].Experiment == name {
			return &rec[i], true
		}
	}
	return nil, false
}

// With returns the record with a result, which replaces an older one of the same experiment. Results of unknown
// experiments go.
func (rec Record) With(r Result) Record {
	var out Record
	for _, name := range experiment.Names() {
		if name == r.Experiment {
			out = append(out, r)
		} else if old, ok := rec.Find(name); ok {
			out = append(out, *old)
		}
	}
	return out
}
