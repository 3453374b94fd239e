package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/lab/internal/bench"
)

// state is the file of a campaign: a first line with its settings, then a line for every finished level.
// Lines are appended, so a stopped campaign loses at most the levels at work.
type state struct {
	records []record     // of the file when it was opened
	lines   *bench.Lines // nil without a state
}

// header is the first line: the settings that must be the same when a campaign continues.
type header struct {
	First           uint64
	Extract, Method string
}

// openState reads the state of a campaign, or begins one. An incomplete last line is removed.
func openState(s *settings) (*state, error) {
	if s.state == "" {
		return &state{}, nil
	}
	st := &state{}
	want, begun := header{s.first, s.opt.extract, s.opt.method}, false
	var err error
	st.lines, err = bench.OpenLines(s.state, func(n int, line []byte) error {
		if n == 0 {
			begun = true
			return want.check(line)
		}
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("level %d: %w", len(st.records), err)
		}
		st.records = append(st.records, r)
		return nil
	})
	if err == nil && !begun {
		err = st.lines.Append(want)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.state, err), st.lines.Close())
	}
	return st, nil
}

// check returns an error unless a line is the same header.
func (h header) check(line []byte) error {
	var got header
	if err := json.Unmarshal(line, &got); err != nil {
		return fmt.Errorf("no state of a campaign: %w", err)
	}
	if got != h {
		return fmt.Errorf("the state of another campaign: %+v, not %+v", got, h)
	}
	return nil
}

// next returns the number after the last level of a class that is done.
func (s *state) next(c class) uint64 {
	var n uint64
	for _, r := range s.records {
		if r.Class == c {
			n = max(n, r.Number+1)
		}
	}
	return n
}

// keep appends a finished level.
func (s *state) keep(r record) error { return s.lines.Append(r) }

func (s *state) close() error { return s.lines.Close() }
