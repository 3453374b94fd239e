package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestReplay walks the crowd on one goroutine and on three, with another order of agents, and from saved states: the hashes are equal, and
// another hash is an error.
func TestReplay(t *testing.T) {
	race.Skip(t)
	var out, log bytes.Buffer
	args := []string{"-steps", "160", "-agents", "40", "-jobs", "1,3"}
	if err := run(t.Context(), args, &out, &log); err != nil {
		t.Fatalf("%v\n%s", err, &log)
	}
	for _, want := range []string{"3 goroutines", "another order", "restored on the way"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("no run %q in\n%s", want, &log)
		}
	}
	if strings.Count(log.String(), " 0 restored") != 3 {
		t.Errorf("the states were not restored:\n%s", &log)
	}
	if err := run(t.Context(), append(args, "-runs", "", "-jobs", "1", "-want", strings.Repeat("0", 16)), io.Discard, io.Discard); err == nil {
		t.Error("no error for another hash")
	}
}

// TestHashSees: an agent that stands, another speed of a led agent and a group that stays have other hashes.
func TestHashSees(t *testing.T) {
	race.Skip(t)
	mesh, err := floor(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	hashes := map[uint64]bool{}
	for _, change := range []func(p *play){
		func(*play) {},
		func(p *play) { _ = p.crowd.Pause(30, true) },
		func(p *play) { p.movers[0].Speed++; _ = p.crowd.SetSpeed(0, 0.5) },
		func(p *play) { _ = p.groups.Stay(1) },
	} {
		p, err := begin(t.Context(), mesh, 40, kind{jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		change(p)
		for range hashEvery {
			if err := p.step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		hashes[p.hash] = true
	}
	if len(hashes) != 4 {
		t.Errorf("%d hashes of 4 plays", len(hashes))
	}
}

// TestBadFlags: faults of flags are errors.
func TestBadFlags(t *testing.T) {
	for args, want := range map[string]string{"-steps 0": "1 or more steps", "-agents 3": "20 to 1000", "-jobs 0": "not a number from 1", "-runs all": `no run "all"`} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
}
