package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// quick are the flags of a short campaign.
func quick(more ...string) []string {
	return append([]string{"-worlds", "4", "-changes", "20", "-every", "10", "-places", "20", "-paths", "5"}, more...)
}

// TestRun runs a short campaign from the command line down.
func TestRun(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), quick(), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| random | 1 | 20 |", "| halls | 1 | 20 |", "| all | 4 | 80 |", " 0 |\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range [][]string{{"-worlds", "-1"}, {"-every", "0"}, {"-limit", "0s"}, {"-state", "/"}, {"-levels", "/none"}, {"-levels", t.TempDir()}, {"x"}} {
		if err := run(t.Context(), quick(bad...), io.Discard, io.Discard); err == nil {
			t.Errorf("%v is accepted", bad)
		}
	}
}

// TestStateGoesOn stops a campaign in the middle of a line and runs it on: no world is judged twice, and the table equals the
// table of the whole campaign but for times and readers. A state of other settings is refused.
func TestStateGoesOn(t *testing.T) {
	race.Skip(t)
	path := filepath.Join(t.TempDir(), "state.jsonl")
	var whole, again, log strings.Builder
	if err := run(t.Context(), quick("-state", path), &whole, io.Discard); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Count(string(data), "\n") != 5 {
		t.Fatalf("%v, state\n%s", err, data)
	}
	cut := strings.LastIndex(strings.TrimSpace(string(data)), "\n") + 5
	if err := os.WriteFile(path, data[:cut], 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), quick("-state", path), &again, &log); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "worlds to 3:") || strings.Contains(log.String(), "worlds to 2:") {
		t.Errorf("not only the last world is judged again:\n%s", log.String())
	}
	columns := func(line string) []string { // level, worlds, changes, edits, refused, checks
		parts := strings.Split(line, "|")
		return parts[:min(7, len(parts))]
	}
	for i, line := range strings.Split(whole.String(), "\n") {
		got, want := columns(strings.Split(again.String(), "\n")[i]), columns(line)
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q, before %q", got, want)
		}
	}
	if err := run(t.Context(), quick("-state", path, "-changes", "30"), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "another campaign") {
		t.Errorf("the state of other settings: %v", err)
	}
}

// TestFaultsAreKept runs out of time on purpose: the fault stops the campaign, and its script names the level.
func TestFaultsAreKept(t *testing.T) {
	folder := t.TempDir()
	s, err := parse(quick("-dump", folder, "-limit", "1ns", "-jobs", "1"), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	v := s.limited(t.Context(), 3)
	if v.record.Law == "" || v.record.Level != "halls" {
		t.Fatalf("a world without time: %+v", v.record)
	}
	v.made.note = s.sites[3].note(7)
	path, err := s.keep(v)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "# \n# folder halls-7\n# a world comes to an end: ") {
		t.Errorf("%v\n%s", err, text)
	}
	var log strings.Builder
	if err := run(t.Context(), quick("-dump", folder, "-limit", "1ns"), io.Discard, &log); err == nil || !strings.Contains(err.Error(), "-first 0 -worlds 1") {
		t.Errorf("%v\n%s", err, log.String())
	}
}

// TestLevels builds every generated level for its first agents.
func TestLevels(t *testing.T) {
	race.Skip(t)
	sites, err := sitesOf("")
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sites {
		m, err := s.make(t.Context(), uint64(i%len(agents)))
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if m.base.RegionCount() < 3 || len(m.options.Wider) != len(agents[i%len(agents)].wider) {
			t.Errorf("%s: %d regions, %d wider meshes", m.note, m.base.RegionCount(), len(m.options.Wider))
		}
	}
}
