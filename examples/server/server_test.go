package main

import (
	"strings"
	"testing"
	"time"
)

// TestServer runs the server for two seconds: agents walk while the world changes, and a line a second tells it.
func TestServer(t *testing.T) {
	var out strings.Builder
	sum, err := run(t.Context(), &out, options{duration: 2100 * time.Millisecond, walkers: 60, crates: 40, seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if sum.steps == 0 || sum.changes < 2 || sum.edits <= 40 {
		t.Errorf("nothing goes on: %v", sum)
	}
	if n := strings.Count(out.String(), "\n"); n != 2 || !strings.Contains(out.String(), "of 50 doors closed") {
		t.Errorf("%d lines, want 2:\n%s", n, out.String())
	}
}
