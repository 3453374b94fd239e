package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/lab/experiment"
	"github.com/meadow-nav/meadow/lab/experiment/sources"
)

// TestFailedClaims: a claim that fails at full size is an answer of no, and the summary names the claim. A known
// difference and a smaller run are none.
func TestFailedClaims(t *testing.T) {
	fails := sources.Result{Experiment: "hale-7.1", Claims: []experiment.Claim{{Text: "one", Holds: true}, {Text: "two"}}}
	known := sources.Result{Experiment: "hale-6.12", Claims: []experiment.Claim{{Text: "PASFV has more points than Hertel-Mehlhorn"}}}
	var c reproduceCmd
	if err := c.judge(sources.Record{known}); err != nil {
		t.Errorf("a known difference: %v", err)
	}
	if err := c.judge(sources.Record{known, fails}); !errors.As(err, new(noError)) || !strings.Contains(err.Error(), "hale-7.1: two") {
		t.Errorf("a failed claim: %v", err)
	}
	if err := (&reproduceCmd{Worlds: 2}).judge(sources.Record{fails}); err != nil {
		t.Errorf("a small run: %v", err)
	}
	var out bytes.Buffer
	summarize(&out, sources.Record{known, fails})
	for _, want := range []string{"fails: hale-7.1: two", "differs: hale-6.12: PASFV", "2 experiments; 3 claims: 1 hold, 1 differ for a known reason, 1 fail; 0 published"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the summary lacks %q:\n%s", want, out.String())
		}
	}
}

// TestSourcesPage: docs/sources.md is what the command prints from the lists and from docs/reproduced.jsonl. The test of
// pages looks at the commands on the page, and the test of names at its tests.
func TestSourcesPage(t *testing.T) {
	have, err := os.ReadFile(filepath.Join("..", "..", "docs", "sources.md"))
	if err != nil {
		t.Fatal(err)
	}
	var out, bad bytes.Buffer
	if code := run(t.Context(), []string{"reproduce", "--sources", "--state", filepath.Join("..", "..", "docs", "reproduced.jsonl")}, &out, &bad); code != exitDone {
		t.Fatalf("exit %d: %s", code, bad.String())
	}
	if out.String() != string(have) {
		t.Error("docs/sources.md is stale: meadow reproduce --sources --state docs/reproduced.jsonl > docs/sources.md")
	}
}

// stopper cancels at the first output.
type stopper struct{ stop func() }

func (s stopper) Write(b []byte) (int, error) {
	s.stop()
	return len(b), nil
}

// TestStoppedReproduce: a run that is stopped after its first experiment keeps that result, and the next run goes on from there.
func TestStoppedReproduce(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.jsonl")
	args := []string{"reproduce", "theorem-7.1", "brand-57", "--worlds", "1", "--paths", "1", "--state", state}
	ctx, stop := context.WithCancel(t.Context())
	if code := run(ctx, args, stopper{stop}, io.Discard); code != exitInterrupted {
		t.Fatalf("exit %d", code)
	}
	rec, err := readRecord(state)
	if err != nil || len(rec) != 1 || rec[0].Experiment != "theorem-7.1" {
		t.Fatalf("%+v: %v", rec, err)
	}
	var out, bad bytes.Buffer
	if code := run(t.Context(), args, &out, &bad); code != exitDone {
		t.Fatalf("exit %d: %s", code, bad.String())
	}
	if !strings.Contains(out.String(), "theorem-7.1  done before") || !strings.Contains(out.String(), "brand-57  B figure 57") {
		t.Errorf("the second run prints\n%s", out.String())
	}
	if rec, err = readRecord(state); err != nil || len(rec) != 2 {
		t.Fatalf("%d results: %v", len(rec), err)
	}
	// Another program made the results: nothing is taken over.
	other := strings.ReplaceAll(recordText(t, state), rec[0].Program, "0123456789abcdef")
	if err := os.WriteFile(state, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	if code := run(t.Context(), args, &out, &bad); code != exitDone || strings.Contains(out.String(), "done before") {
		t.Errorf("exit %d with results of another program:\n%s", code, out.String())
	}
}

// recordText returns the text of a file of results.
func recordText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
