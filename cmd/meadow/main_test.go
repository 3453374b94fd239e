package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestStoppedBuildLeavesNothing cancels builds at many moments, as Ctrl-C would.
func TestStoppedBuildLeavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"gen", "rooms", "-o", "rooms.obj"}, &out, &errs); code != exitDone {
		t.Fatalf("exit %d: %s", code, &errs)
	}
	before := allFiles(t)
	stopped := 0
	for wait := time.Duration(0); wait < 200*time.Millisecond; wait = 2*wait + time.Microsecond {
		ctx, cancel := context.WithTimeoutCause(t.Context(), wait, nil)
		ctx = cancelled{ctx}
		errs.Reset()
		code := run(ctx, []string{"build", "rooms.obj", "-o", "rooms.mesh"}, &out, &errs)
		cancel()
		switch code {
		case exitDone:
			if err := os.Remove("rooms.mesh"); err != nil {
				t.Error(err)
			}
		case exitInterrupted:
			stopped++
			if got := errs.String(); got != "meadow build: stopped\n" {
				t.Errorf("after %v: %q", wait, got)
			}
		default:
			t.Errorf("after %v: exit %d: %s", wait, code, &errs)
		}
		if got := allFiles(t); !slices.Equal(got, before) {
			t.Errorf("after %v: there are %q, before there were %q", wait, got, before)
		}
	}
	if stopped == 0 {
		t.Error("no build was stopped")
	}
}

// TestStoppedCommandsWriteNothing: work without interruption checks before it writes.
func TestStoppedCommandsWriteNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	for _, args := range []string{"gen arch -o arch.obj", "build arch.obj -o arch.mesh"} {
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != exitDone {
			t.Fatalf("%s: exit %d: %s", args, code, &errs)
		}
	}
	before := allFiles(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{
		"demo",
		"gen arch -o out.glb",
		"convert arch.obj out.obj",
		"build arch.obj -o out.mesh --report out.json",
		"render arch.mesh -o out.svg --level arch.obj",
		"render arch.obj -o out.png",
		"view arch.mesh -o out.html --level arch.obj",
	} {
		errs.Reset()
		if code := run(ctx, strings.Fields(args), &out, &errs); code != exitInterrupted || !strings.HasSuffix(errs.String(), ": stopped\n") {
			t.Errorf("%s: exit %d: %s", args, code, &errs)
		}
		if got := allFiles(t); !slices.Equal(got, before) {
			t.Errorf("%s: there are %q, before there were %q", args, got, before)
		}
	}
}

// cancelled is a context that reports a timeout as a cancellation, like a signal.
type cancelled struct{ context.Context }

func (c cancelled) Err() error {
	if c.Context.Err() != nil {
		return context.Canceled
	}
	return nil
}

// full is a standard output without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestFullStandardOutputIsToldOfReports(t *testing.T) {
	race.Skip(t)
	t.Chdir(t.TempDir())
	var errs bytes.Buffer
	for _, args := range []string{
		"gen arch -o arch.obj --json", "gen arch -o arch.obj", "build arch.obj -o arch.mesh", "check arch.mesh", "metrics arch.mesh --require regions<=0",
		"compare arch.obj --generators delaunay", "reproduce --list", "reproduce theorem-7.1", "path arch.mesh --from 0,0,0 --to 0,0,0",
	} {
		errs.Reset()
		code := run(t.Context(), strings.Fields(args), full{}, &errs)
		name, _, _ := strings.Cut(args, " ")
		if code != exitBad || !strings.HasSuffix("\n"+errs.String(), "\nmeadow "+name+": standard output: no space left\n") {
			t.Errorf("%s: exit %d, %q", args, code, &errs)
		}
	}
}

func TestErrorsAreOneLine(t *testing.T) {
	var b strings.Builder
	code := report(&b, "meadow build", fmt.Errorf("a: %w", errors.Join(errors.New("one"), errors.New("two"))))
	if code != exitBad || b.String() != "meadow build: a: one; two\n" {
		t.Errorf("exit %d, %q", code, b.String())
	}
	b.Reset()
	if code := report(&b, "meadow path", no("%s: no path", "x.mesh")); code != exitNo || b.String() != "meadow path: x.mesh: no path\n" {
		t.Errorf("exit %d, %q", code, b.String())
	}
}

func TestCount(t *testing.T) {
	for want, got := range map[string]string{
		"0 regions":  count(0, "region"),
		"1 region":   count(1, "region"),
		"2 regions":  count(2, "region"),
		"1 vertex":   count(1, "vertex"),
		"3 vertices": count(3, "vertex"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestProgressIsQuietInAPipe: a pipe gets no progress.
func TestProgressIsQuietInAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if p := newProgress(w); p != nil || p.callback() != nil {
		t.Error("a pipe gets progress")
	}
	if p := newProgress(&bytes.Buffer{}); p != nil {
		t.Error("a buffer gets progress")
	}
}

// TestProgressDraws checks the output to a terminal.
func TestProgressDraws(t *testing.T) {
	var b bytes.Buffer
	p := &progress{out: &b, begun: time.Now()}
	show := p.callback()
	show("extract", 0, 10)
	show("extract", 10, 10)
	show("decompose", 1, 3)
	show("decompose", 5, 3) // more than there is: not a reason to fail
	p.stop()
	p.stop()
	for _, want := range []string{"running extract, 0s", "0/10", "cutting the floor into regions, 0s", "0/3"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not drawn: %q", want, b.String())
		}
	}
}

// TestStagesHaveWords: every stage that an extractor or a build reports has words in the table of the command.
func TestStagesHaveWords(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("stairs", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	tell := func(stage string, _, _ int) {
		mu.Lock()
		defer mu.Unlock()
		seen[stage] = true
	}
	for _, name := range catalog.Extractors() {
		x, err := catalog.Extractor(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Extractor: x, Progress: tell}, meadow.MeshOptions{Progress: tell}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if _, err := meadow.BuildTiled(t.Context(), lvl, 8, meadow.FloorOptions{Progress: tell}, meadow.MeshOptions{Progress: tell}); err != nil {
		t.Fatal(err)
	}
	for stage := range seen {
		if stages[stage] == "" {
			t.Errorf("stage %q has no words", stage)
		}
	}
	if len(seen) < 7 {
		t.Errorf("only the stages %v were reported", seen)
	}
}
