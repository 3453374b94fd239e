package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestRun plays a second in a small city, and a second in a world that changes. The program itself fails where a budget is
// not kept or a request has no answer.
func TestRun(t *testing.T) {
	for _, args := range []string{"", "-changes 2 -jobs 2", "-alone -units 1000"} {
		var out bytes.Buffer
		all := append(strings.Fields("-size 60 -seconds 1 -rate 600 -ticks 20"), strings.Fields(args)...)
		if err := run(t.Context(), all, &out, io.Discard); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != 13 || !strings.HasPrefix(lines[3], "| requests, a second | 600, 600 |") {
			t.Fatalf("%s: got\n%s", args, out.String())
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-common 2", "a share of 2 common requests"},
		{"-rate 0", "at least a second, a request"},
		{"-kind moon", "moon"},
		{"-slots 5000", "Slots is 5000"},
	} {
		if err := run(t.Context(), strings.Fields(c.args+" -size 60"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
}
