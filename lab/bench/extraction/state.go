package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// state is the file of a campaign: a first line with its settings, then a line for every finished level.
// Lines are appended, so a stopped campaign loses at most the levels at work.
type state struct {
	records []record // of the file when it was opened
	file    *os.File // nil without a state
}

// header is the first line: the settings that must be the same when a campaign continues.
type header struct {
	First           uint64
	Extract, Method string
}

// openState reads the state of a campaign, or begins one. A last line that is cut off is taken off.
func openState(s *settings) (*state, error) {
	if s.state == "" {
		return &state{}, nil
	}
	file, err := os.OpenFile(s.state, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	st := &state{file: file}
	want := header{s.first, s.opt.extract, s.opt.method}
	whole, err := st.read(want)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err == nil && whole == 0 {
		err = st.line(want)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", s.state, err), file.Close())
	}
	return st, nil
}

// read takes in the whole lines of the file and returns their length in bytes.
func (s *state) read(want header) (whole int64, err error) {
	lines := bufio.NewReader(s.file)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return whole, nil
		}
		if err != nil {
			return 0, err
		}
		if whole == 0 {
			var got header
			if err := json.Unmarshal(line, &got); err != nil {
				return 0, fmt.Errorf("no state of a campaign: %w", err)
			}
			if got != want {
				return 0, fmt.Errorf("the state of another campaign: %+v, not %+v", got, want)
			}
		} else {
			var r record
			if err := json.Unmarshal(line, &r); err != nil {
				return 0, fmt.Errorf("level %d: %w", len(s.records), err)
			}
			s.records = append(s.records, r)
		}
		whole += int64(len(line))
	}
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
func (s *state) keep(r record) error {
	if s.file == nil {
		return nil
	}
	return s.line(r)
}

func (s *state) line(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.file.Write(append(data, '\n'))
	return err
}

func (s *state) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
