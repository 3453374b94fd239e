package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/bench"
)

// journal holds the sums of finished chunks, and a file of the sums if the flags name a file.
type journal struct {
	settings settings
	chunks   []sums
	lines    *bench.Lines
}

func newJournal(s settings) *journal { return &journal{settings: s} }

// open reads the file at path, if there is one, and appends to the file from now on.
func (j *journal) open(path string) (err error) {
	j.lines, err = bench.OpenLines(path, func(_ int, line []byte) error {
		var c sums
		if err := json.Unmarshal(line, &c); err != nil {
			return err
		}
		if err := j.fits(c); err != nil {
			return err
		}
		j.chunks = append(j.chunks, c)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
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
	return j.lines.Append(c)
}

func (j *journal) close() { j.lines.Close() }

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
