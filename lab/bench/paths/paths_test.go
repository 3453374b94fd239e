package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
)

var (
	agent   = meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)}
	program = filepath.Join("..", "peers", "recast", "build", "recast")
)

func needProgram(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(program); err != nil {
		t.Skip("the program is not built: make -C lab/bench/peers/recast")
	}
}

// TestRunWithoutPeer measures a generated level, judges its paths, and prints both forms of the results.
func TestRunWithoutPeer(t *testing.T) {
	t.Setenv("MEADOW_LEVELS", t.TempDir())
	args := []string{"-recast", "", "-map-count", "0", "-generated", "stairs", "-pairs", "50", "-cold", "2", "-rounds", "2"}
	var out bytes.Buffer
	if err := run(t.Context(), append(args, "-json"), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var res Results
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		t.Fatal(err)
	}
	l := res.Levels[0]
	if l.Name != "stairs" || l.Failed != "" || l.Pairs != 50 || l.Regions < 5 || l.Solo.Polys != 0 {
		t.Errorf("%+v", l)
	}
	for name, m := range map[string]Micros{"between": l.Meadow.Between, "whole": l.Meadow.Whole, "cold": l.Meadow.Cold, "prepared": l.Ready} {
		if !(m.P50 > 0) || m.P99 < m.P50 {
			t.Errorf("%s: %+v", name, m)
		}
	}
	if l.Judged != (Judged{}) {
		t.Errorf("faults without a peer: %+v", l.Judged)
	}
	out.Reset()
	if err := run(t.Context(), args, &out, io.Discard); err != nil || !strings.Contains(out.String(), "| stairs | ") {
		t.Errorf("error %v, tables\n%s", err, out.String())
	}
}

// TestGoesOn stops a run behind its first level: the next run measures the second one only, and a run of another size both.
func TestGoesOn(t *testing.T) {
	t.Setenv("MEADOW_LEVELS", t.TempDir())
	state := filepath.Join(t.TempDir(), "state.jsonl")
	measured := func(pairs, levels string) string {
		t.Helper()
		var out, log bytes.Buffer
		args := []string{"-recast", "", "-map-count", "0", "-cold", "0", "-rounds", "1", "-json", "-state", state, "-pairs", pairs, "-generated", levels}
		if err := run(t.Context(), args, &out, &log); err != nil {
			t.Fatal(err)
		}
		var res Results
		if err := json.Unmarshal(out.Bytes(), &res); err != nil || len(res.Levels) != 1+strings.Count(levels, ",") {
			t.Errorf("error %v, levels %+v", err, res.Levels)
		}
		for _, l := range res.Levels {
			if l.Pairs == 0 || !(l.Meadow.Between.P50 > 0) {
				t.Errorf("no figures: %+v", l)
			}
		}
		var names []string
		for line := range strings.Lines(log.String()) {
			name, _, _ := strings.Cut(line, ":")
			names = append(names, name)
		}
		return strings.Join(names, " ")
	}
	for _, run := range [][3]string{{"20", "stairs", "stairs"}, {"20", "stairs,halls", "halls"}, {"20", "stairs,halls", ""}, {"30", "stairs", "stairs"}} {
		if got := measured(run[0], run[1]); got != run[2] {
			t.Errorf("%s pairs on %s: measured %q, want %q", run[0], run[1], got, run[2])
		}
	}
}

// TestPeerIsStopped gives the peer a program that never answers.
func TestPeerIsStopped(t *testing.T) {
	never := filepath.Join(t.TempDir(), "never")
	if err := os.WriteFile(never, []byte("#!/bin/sh\nexec sleep 60\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("/bin/sh"); err != nil {
		t.Skip("no shell")
	}
	var p Peer
	var r rounds
	rep, err := r.turn(t.Context(), detour{never, "level.obj", agent, 0, 0, 20 * time.Millisecond}, t.TempDir(), nil, &p)
	if rep != nil || err != nil || p.Failed != "no answer within 20ms" {
		t.Errorf("%+v, error %v", p, err)
	}
}

// TestRunWithPeer compares both systems on a level with tiles: both join the pairs, no path of the peer on the same floor is shorter.
func TestRunWithPeer(t *testing.T) {
	needProgram(t)
	t.Setenv("MEADOW_LEVELS", t.TempDir())
	var out bytes.Buffer
	args := []string{"-recast", program, "-map-count", "0", "-generated", "maze size=36", "-pairs", "200", "-cold", "3", "-rounds", "1", "-json"}
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	var res Results
	if err := json.Unmarshal(out.Bytes(), &res); err != nil {
		t.Fatal(err)
	}
	l := res.Levels[0]
	if l.Pairs < 100 || l.Solo.Polys < 10 || l.Tiled.Polys < l.Solo.Polys {
		t.Errorf("%d pairs, %d polygons in one tile, %d in tiles", l.Pairs, l.Solo.Polys, l.Tiled.Polys)
	}
	for name, times := range map[string]Times{"one tile": l.Solo.Times, "tiles": l.Tiled.Times, "meadow": l.Meadow} {
		if !(times.Between.P50 > 0) || !(times.Whole.P50 > 0) || !(times.Cold.P50 > 0) {
			t.Errorf("%s: %+v", name, times)
		}
	}
	if r := l.Judged.OurLength / l.Judged.TheirLength; r < 0.9 || r > 1 || l.Judged.OnOurFloor > 0 {
		t.Errorf("judged %+v", l.Judged)
	}
}

// TestPeerFailsWithALine gives the peer a level that it cannot build, and a program that is missing.
func TestPeerFailsWithALine(t *testing.T) {
	needProgram(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "steep.obj")
	if err := os.WriteFile(file, []byte("v 0 0 0\nv 9 0 0\nv 0 30 9\nf 1 3 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tile := range []int{0, 48} {
		var p Peer
		var r rounds
		rep, err := r.turn(t.Context(), detour{program, file, agent, tile, 0, 0}, dir, make([][2]geom.Vec, 1), &p)
		if rep != nil || err != nil || p.Failed != "recast: no polygons: nothing is walkable" {
			t.Errorf("tiles of %d: %+v, error %v", tile, p, err)
		}
		if rep, err := r.turn(t.Context(), detour{filepath.Join(dir, "gone"), file, agent, tile, 0, 0}, dir, nil, &p); rep != nil || err != nil {
			t.Errorf("a peer that has failed is asked again: %v", err)
		}
	}
	var r rounds
	if _, err := r.turn(t.Context(), detour{filepath.Join(dir, "gone"), file, agent, 0, 0, 0}, dir, nil, &Peer{}); err == nil {
		t.Error("a missing program: no error")
	}
}

// TestSummary takes the median of each pair over rounds, then the figures over pairs.
func TestSummary(t *testing.T) {
	got := summary([][]float64{{9, 1, 2}, {4, 4, 400}, nil, {1000}, {6, 6, 7}}, []int{0, 1, 2, 4})
	if want := (Micros{4, 4, 6}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := summary(nil, []int{0}); got != (Micros{}) {
		t.Errorf("no times: %+v", got)
	}
}

// TestTablesPutTheWorstFirst prints three levels, one of which failed.
func TestTablesPutTheWorstFirst(t *testing.T) {
	level := func(name string, ratio float64) Level {
		theirs := Micros{2, 4, 8}
		ours := Micros{2 * ratio, 4 * ratio, 8 * ratio}
		return Level{Name: name, Pairs: 1, Meadow: Times{ours, ours, ours}, Ready: ours, Solo: Peer{Polys: 1, Times: Times{theirs, theirs, theirs}}}
	}
	res := Results{Levels: []Level{level("good", 0.5), level("bad", 2), {Name: "broken", Failed: "no floor"}}}
	var b strings.Builder
	if err := res.markdown(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if bad, good := strings.Index(text, "| bad |"), strings.Index(text, "| good |"); bad < 0 || good < bad {
		t.Errorf("the worst level is not first:\n%s", text)
	}
	for _, want := range []string{"| geometric mean |  |  |  |  | 1.00 / 1.00 / 1.00 |", "broken: no floor.", "| — / — / — |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if err := res.faults(); err != nil {
		t.Errorf("no faults: %v", err)
	}
	for name, j := range map[string]Judged{"longer": {OnOurFloor: 1}, "unequal": {Unequal: 1}, "off": {Off: 0.02}} {
		if err := (&Results{Levels: []Level{{Name: name, Judged: j}}}).faults(); err == nil || !strings.HasPrefix(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestKeepsToTheFloor follows shortest paths over the floor, and lines that lead out of the level.
func TestKeepsToTheFloor(t *testing.T) {
	s := settings{agent: agent}
	s.Generated = []string{"rooms size=30"}
	t.Setenv("MEADOW_LEVELS", t.TempDir())
	all, err := s.List(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	lvl, _, err := all[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	ix := mesh.Index()
	m := &meadowSide{q: ix.NewQuery()}
	if m.asked, err = drawPairs(t.Context(), m.q, 50); err != nil {
		t.Fatal(err)
	}
	m.find(nil)
	keeps := 0
	for i, e := range m.ends {
		path, err := m.q.PathBetween(t.Context(), e[0], e[1])
		if err != nil || !path.Complete {
			t.Fatalf("pair %d: complete %v, error %v", i, path.Complete, err)
		}
		var corners []float64
		for _, p := range path.Points {
			corners = append(corners, p.X, p.Y, p.Z)
		}
		if ok, err := m.keepsTo(e[0], corners); err != nil {
			t.Fatal(err)
		} else if ok {
			keeps++
		}
		far := slices.Concat(corners[:3], []float64{corners[0] + 1000, corners[1], corners[2]})
		if ok, err := m.keepsTo(e[0], far); ok || err != nil {
			t.Errorf("pair %d: a kilometre outside keeps to the floor, error %v", i, err)
		}
	}
	if keeps < 25 {
		t.Errorf("only %d of 50 shortest paths keep to the floor", keeps)
	}
}

// TestWrongFlags refuses numbers that measure nothing.
func TestWrongFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-pairs 0": "at least 1", "-rounds 0": "at least 1", "-tile -1": "must not be negative", "-cold -1": "must not be negative", "-limit 0s": "above 0",
		"-radius -1": "adius", "-recast gone -generated stairs": "make -C",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", args, err, want)
		}
	}
}
