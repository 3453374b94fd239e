package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestGolden holds the bytes of meshes and the bits of paths to the table.
func TestGolden(t *testing.T) {
	race.Skip(t)
	var out bytes.Buffer
	if err := run(t.Context(), nil, &out); err != nil {
		t.Fatalf("%v\nA deliberate change: go run ./lab/bench/golden -update, and a line in CHANGELOG.md", err)
	}
	if !strings.Contains(out.String(), "have the bytes of the table") {
		t.Errorf("printed %q", out.String())
	}
}

// TestCompare plants differences: a changed line, a missing line, a line too many.
func TestCompare(t *testing.T) {
	want := []string{"a: 1", "b: 2"}
	if err := compare(want, []string{"a: 1", "b: 2"}); err != nil {
		t.Error(err)
	}
	for _, have := range [][]string{{"a: 1", "b: 3"}, {"a: 1"}, {"a: 1", "b: 2", "c: 3"}, nil} {
		if compare(want, have) == nil {
			t.Errorf("no difference from %q", have)
		}
	}
}
