package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/level"
)

// rooms makes a folder with an archive of two maps and a level of triangles: two floors a hand apart, and a wall.
func rooms(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	room, err := os.ReadFile("../../../level/bsp/testdata/room.bsp")
	if err != nil {
		t.Fatal(err)
	}
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, content := range map[string][]byte{"maps/one.bsp": room, "maps/two.bsp": room, "readme.txt": nil} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	wall := "v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\nv 2.75 0 2.5\nv 2.625 0 2.0\nv 2.75 2 2.5\nv 9 -9 9\nv 8 -9 9\nv 9 -9 8\nf 1 4 3\nf 1 3 2\nf 5 6 7\nf 8 9 10\n"
	for name, content := range map[string][]byte{"a.pk3": archive.Bytes(), "wall.obj": []byte(wall), "wall.mtl": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestRealLevels judges the levels of a folder. A second run judges only the levels that its state lacks, and levels come
// in the order of their sizes.
func TestRealLevels(t *testing.T) {
	dir := rooms(t)
	state := filepath.Join(t.TempDir(), "state")
	var log, first, second strings.Builder
	args := []string{"-levels", dir, "-state", state, "-places", "20", "-jobs", "1"}
	if err := run(t.Context(), append(args, "-radii", "0.3"), &first, &log); err != nil {
		t.Fatal(err)
	}
	if want := "3 of 3 meshes without a fault, 0 without an answer; 0 faults.\n"; first.String() != want {
		t.Errorf("table %q, want %q", first.String(), want)
	}
	said := log.String()
	if wall, one := strings.Index(said, "wall, radius 0.3 m: 4 triangles"), strings.Index(said, "a/one, radius 0.3 m"); wall < 0 || one < wall {
		t.Errorf("log %q", said)
	}
	log.Reset()
	if err := run(t.Context(), append(args, "-radii", "0.3,0", "-only", "a/"), &second, &log); err != nil {
		t.Fatal(err)
	}
	if said := log.String(); strings.Count(said, "radius 0 m") != 2 || strings.Contains(said, "0.3 m") {
		t.Errorf("log of the second run %q", said)
	}
	if want := "4 of 4 meshes without a fault, 0 without an answer; 0 faults.\n"; second.String() != want {
		t.Errorf("table %q, want %q", second.String(), want)
	}
	for args, want := range map[string]string{
		"-levels " + dir + " -only nothing":             `no level "nothing"`,
		"-levels " + dir + " -radii 1,x":                `radius "x"`,
		"-levels " + dir + " -places -1":                "-1 places",
		"-levels " + dir + " -slope 95":                 "slope is 95",
		"-levels " + dir + " -places 3 -state " + state: "the state of another run",
	} {
		if err := run(t.Context(), strings.Fields(args), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}

// TestRealFaultsAreFound judges borders by samples, which come nearer to walls than exact ones may, and shrinks a fault: the floor
// far below goes away, and the wall and a floor stay.
func TestRealFaultsAreFound(t *testing.T) {
	dump := t.TempDir()
	var out, log strings.Builder
	err := run(t.Context(), []string{
		"-levels", rooms(t), "-only", "wall", "-radii", "0.6", "-places", "60", "-jobs", "1", "-extractor", "raster", "-shrink", "-dump", dump,
	}, &out, &log)
	if err == nil || !strings.Contains(err.Error(), "fault") {
		t.Fatalf("no fault: %v\n%s", err, log.String())
	}
	if !strings.Contains(out.String(), "| wall | 0.6 | 4 |") || !strings.Contains(out.String(), "near border |") {
		t.Errorf("table %q", out.String())
	}
	small, err := meadow.Open(filepath.Join(dump, "wall-near-border-0.6.obj"))
	if err != nil {
		t.Fatal(err, log.String())
	}
	if n := len(small.Triangles); n < 2 || n > 3 {
		t.Errorf("%d triangles are left of 4:\n%s", n, log.String())
	}
}

// TestErrorsOfRealLevels checks that a level that does not end has no answer, and a level without a floor no fault.
func TestErrorsOfRealLevels(t *testing.T) {
	s, err := parse([]string{"-levels", rooms(t), "-limit", "1ns"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	levels, err := s.real.sources(0)
	if err != nil {
		t.Fatal(err)
	}
	lvl, err := levels[0].open()
	if err != nil {
		t.Fatal(err)
	}
	late := s.limitedReal(t.Context(), lvl, 0.3, 1)
	none := judgeReal(t.Context(), &level.Level{Vertices: lvl.Vertices, Triangles: lvl.Triangles[2:3]}, 0.3, 1, s.opt)
	if late.Error == "" || none.Error != "" || len(none.Faults) > 0 {
		t.Errorf("late %q, without a floor %+v", late.Error, none)
	}
	var table strings.Builder
	if err := errors.Join(realTable(&table, []judged{late, none})); err != nil || !strings.HasPrefix(table.String(), "1 of 2 meshes without a fault, 1 without an answer; 0 faults.\n") {
		t.Errorf("table %q, %v", table.String(), err)
	}
}
