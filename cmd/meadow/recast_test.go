package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestRecastProgram runs an experiment with programs in Recast's place: one that answers, and all kinds that do not.
func TestRecastProgram(t *testing.T) {
	race.Skip(t)
	if runtime.GOOS == "windows" {
		t.Skip("the programs are shell scripts")
	}
	dir := t.TempDir()
	program := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	answer := `grep -c '^f ' > /dev/null && echo "$@" >&2 && echo '{"total_ms":[3,2],"all":{"polys":9,"area_m2":500},"largest":{"polys":7,"area_m2":360}}'`
	for _, c := range []struct {
		program, want string
		status        int
	}{
		{program("good", answer), "recast", 0},
		{filepath.Join(dir, "missing"), "make -C lab/bench/peers/recast", 2},
		{program("fails", "echo out of luck >&2; exit 1"), "out of luck", 2},
		{program("silent", "exit 3"), "exit status 3", 2},
		{program("words", "echo hello"), "invalid character", 2},
		{program("empty", "echo '{}'"), "no times or no area", 2},
		{program("larger", `echo '{"total_ms":[1],"all":{"area_m2":1},"largest":{"area_m2":2}}'`), "no times or no area", 2},
	} {
		var out, fault bytes.Buffer
		status := run(t.Context(), []string{"reproduce", "oliva-45", "--recast", c.program}, &out, &fault)
		if text := out.String() + fault.String(); status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, %s", filepath.Base(c.program), status, text)
		}
		if c.status == 0 {
			for _, want := range []string{"unreachable_m2 .*140 ", "unreachable_cells .*2 ", "holds: Recast keeps"} {
				if !regexp.MustCompile(want).MatchString(out.String()) {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
		}
	}
	// The other half is a failure of a claim: equal areas leave nothing beyond the largest part.
	var out, fault bytes.Buffer
	equal := program("equal", `echo '{"total_ms":[1],"all":{"polys":3,"area_m2":400},"largest":{"polys":3,"area_m2":400}}'`)
	if status := run(t.Context(), []string{"reproduce", "oliva-45", "--recast", equal}, &out, &fault); status != 1 || !strings.Contains(out.String(), "fails: Recast keeps") {
		t.Errorf("status %d: %s%s", status, &out, &fault)
	}
}
