package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRun asks on small worlds; measure compares all methods with each other, and fails where they disagree.
func TestRun(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-vertices", "1500", "-queries", "60", "-slow", "40"}, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) < 10 || lines[0] != "|  | rooms | scatter |" {
		t.Fatalf("got\n%s", out.String())
	}
	for _, l := range lines {
		if strings.Count(l, "|") != 4 {
			t.Errorf("line %q", l)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-worlds moon", `unknown worlds "moon"`},
		{"-generator magic", `unknown generator "magic"`},
		{"-vertices 3", "at least 100 vertices"},
		{"-queries 0", "a query"},
		{"-slow 5 -queries 4", "no more slow queries"},
	} {
		if err := run(t.Context(), strings.Fields(c.args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
}
