package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

// journal holds the sums of finished chunks, and perhaps a file of them: one line of JSON each; an incomplete
// last line is computed again.
type journal struct {
	settings settings
	chunks   []sums
	file     *os.File
}

func newJournal(s settings) *journal { return &journal{settings: s} }

// open reads the file at path, if present, and appends to the file from now on.
func (j *journal) open(path string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := j.read(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if j.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o666); err != nil {
		return err
	}
	for _, c := range j.chunks {
		if err := j.write(c); err != nil {
			return err
		}
	}
	return nil
}

// read takes the complete lines.
func (j *journal) read(data []byte) error {
	for len(data) > 0 {
		n, line, err := bufio.ScanLines(data, false)
		if err != nil || n == 0 {
			return err
		}
		var c sums
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if err := j.fits(c); err != nil {
			return err
		}
		j.chunks = append(j.chunks, c)
		data = data[n:]
	}
	return nil
}

// fits verifies that a chunk belongs to this campaign.
func (j *journal) fits(c sums) error {
	same := len(c.Kinds) == len(kinds) && len(c.Methods) == len(j.settings.methods)
	for i := 0; same && i < len(c.Methods); i++ {
		same = c.Methods[i].Name == j.settings.methods[i].Name()
	}
	first, end := j.settings.first, j.settings.first+uint64(j.settings.worlds)
	if !same || c.First < first || (c.First-first)%chunk != 0 || c.First+uint64(c.Worlds) > end || j.has(c.First) {
		return fmt.Errorf("worlds %d to %d are of another campaign: take another file", c.First, c.First+uint64(c.Worlds)-1)
	}
	return nil
}

// has tells whether the chunk that starts with a world is done.
func (j *journal) has(first uint64) bool {
	return slices.ContainsFunc(j.chunks, func(c sums) bool { return c.First == first })
}

// add takes a finished chunk.
func (j *journal) add(c sums) error {
	j.chunks = append(j.chunks, c)
	if j.file == nil {
		return nil
	}
	return j.write(c)
}

func (j *journal) write(c sums) error {
	line, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

func (j *journal) close() { j.file.Close() }

// sums adds up all chunks, in the order of their worlds: the result is the same whether or not the
// campaign was interrupted.
func (j *journal) sums() *sums {
	slices.SortFunc(j.chunks, func(a, b sums) int { return cmp.Compare(a.First, b.First) })
	all := sums{Kinds: make([]kindSum, len(kinds)), Methods: make([]methodSum, len(j.settings.methods))}
	for i, g := range j.settings.methods {
		all.Methods[i].Name = g.Name()
	}
	for _, c := range j.chunks {
		all.merge(c)
	}
	return &all
}
