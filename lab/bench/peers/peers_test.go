//go:build peers

package main

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/meadow-nav/meadow/lab/internal/scenes"
)

var program = filepath.Join("recast", "build", "recast")

func needProgram(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(program); err != nil {
		t.Skip("the program is not built: make -C lab/bench/peers/recast")
	}
}

func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{7}, 7},
		{[]float64{9, 1}, 5},
		{[]float64{3, 9, 1}, 3},
		{[]float64{4, 1, 3, 2}, 2.5},
	} {
		before := append([]float64(nil), tt.values...)
		if got := median(tt.values); got != tt.want {
			t.Errorf("%v: got %v, want %v", before, got, tt.want)
		}
		if tt.values[0] != before[0] {
			t.Errorf("%v: changed to %v", before, tt.values)
		}
	}
}

func TestSummary(t *testing.T) {
	var m Measure
	m.summarize([]Turn{
		{TotalMS: []float64{5, 3, 4}, Stages: []Stage{{"a", 1}, {"b", 8}}},
		{TotalMS: []float64{9, 7}, Stages: []Stage{{"a", 3}, {"b", 2}}},
		{TotalMS: []float64{2}, Stages: []Stage{{"a", 2}, {"b", 6}}},
	})
	if m.MedianMS != 4 || m.BestMS != 2 || len(m.TotalMS) != 6 || m.Stages[0] != (Stage{"a", 2}) || m.Stages[1] != (Stage{"b", 6}) {
		t.Errorf("got %+v", m)
	}
}

// TestRecastReportsItsBorder compares the program's figures of the largest component with its printed border,
// and with known facts about the level.
func TestRecastReportsItsBorder(t *testing.T) {
	needProgram(t)
	w := prisms(agent)
	path := filepath.Join(t.TempDir(), "prisms.obj")
	if err := writeLevel(path, w); err != nil {
		t.Fatal(err)
	}
	rep, err := recast{program: program, level: path, agent: agent, grid: demoGrid, runs: 3, border: true}.report(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var length float64
	for _, s := range rep.segments() {
		length += s.length()
	}
	if got := math.Abs(enclosed(t, w.name, rep.segments())); math.Abs(got-rep.Largest.Area) > 1e-3 || math.Abs(length-rep.Largest.Border) > 1e-3 {
		t.Errorf("the border is %v m long around %v m², reported %+v", length, got, rep.Largest)
	}
	if off := math.Abs(rep.Largest.Area/w.area - 1); off > 0.2 {
		t.Errorf("area %v m², the free space has %v", rep.Largest.Area, w.area)
	}
	if len(rep.TotalMS) != 3 || rep.Components < 2 || rep.All.Polys <= rep.Largest.Polys || rep.Bare > rep.Bytes {
		t.Errorf("%d runs, %d components, all %+v, largest %+v, %d bytes, %d without heights",
			len(rep.TotalMS), rep.Components, rep.All, rep.Largest, rep.Bytes, rep.Bare)
	}
	sum := 0.0
	for _, name := range recastStages {
		sum += rep.MS[name]
	}
	if sum <= 0 || rep.MS["total"] <= 0 {
		t.Errorf("stages %v", rep.MS)
	}
}

func TestRecastFailsWithALine(t *testing.T) {
	needProgram(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty.obj":  "",
		"number.obj": "v 1 2 x\n",
		"index.obj":  "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 4\n",
		"thin.obj":   "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
		"steep.obj":  "v 0 0 0\nv 9 0 0\nv 0 30 9\nf 1 3 2\n",
		"huge.obj":   "v 0 0 0\nv 90000 0 0\nv 0 0 90000\nf 1 3 2\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := recast{program: program, level: path, agent: agent, grid: demoGrid, runs: 1}.turn(t.Context())
		if cannot := (unable{}); !errors.As(err, &cannot) || !strings.HasPrefix(err.Error(), "recast: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestLostProgramIsNoResult takes the program away: the result says nothing about the level.
func TestLostProgramIsNoResult(t *testing.T) {
	path := filepath.Join(t.TempDir(), "prisms.obj")
	if err := writeLevel(path, prisms(agent)); err != nil {
		t.Fatal(err)
	}
	s := settings{agent: agent, recast: filepath.Join(t.TempDir(), "gone"), rounds: 1, runs: 1, limit: time.Minute}
	cannot := unable{}
	lost := board{settings: s, time: true, Sources: scenes.Sources{Named: []string{path}}}
	if _, err := lost.measure(t.Context(), io.Discard); err == nil || errors.As(err, &cannot) {
		t.Errorf("time: got %v", err)
	}
	if _, err := measureFidelity(t.Context(), s, io.Discard); err == nil || errors.As(err, &cannot) {
		t.Errorf("border: got %v", err)
	}
}

// TestEverybodyGetsATurn runs the whole thing on a small level.
func TestEverybodyGetsATurn(t *testing.T) {
	needProgram(t)
	path := filepath.Join(t.TempDir(), "prisms.obj")
	if err := writeLevel(path, prisms(agent)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	folder := t.TempDir()
	args := []string{"-recast", program, "-port", filepath.Join("..", "..", "..", ".tools", "recast-js"), "-rounds", "2", "-runs", "1", "-part", "time,quality", "-paths", "20", "-o", folder}
	if err := run(t.Context(), append(args, path), &out, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"### All 1 levels", "### Time by the time of Recast", "### Quality by the whole floor", "### Who is right", "| prisms |", "| Recast, tiles |", "| Meadow |"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "### Without a mesh") {
		t.Errorf("somebody has no mesh:\n%s", out.String())
	}
	for _, name := range []string{"peers-levels.md", filepath.Join("images", "peers.svg")} {
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Size() < 1000 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	lines := strings.Split(out.String(), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "|---") && strings.Count(line, "|") != strings.Count(lines[i-1], "|") {
			t.Errorf("%d columns, %d names: %s", strings.Count(line, "|"), strings.Count(lines[i-1], "|"), lines[i-1])
		}
	}
}

func TestBadUsage(t *testing.T) {
	for _, args := range [][]string{
		{"-rounds", "0"},
		{"-runs", "-1"},
		{"-radius", "-2"},
		{"-slope", "95"},
		{"-nothing"},
		{"-part", "time,nothing"},
		{"-paths", "0"},
		{"-limit", "0s"},
		{"-only", "no such level"},
		{"-recast", "no such program"},
	} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
