//go:build peers

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level/levelgen"
	meshfile "github.com/meadow-nav/meadow/navmesh/detour"
)

// detour runs the program that loads files with Detour.
func detour(t *testing.T, args ...string) []byte {
	t.Helper()
	return peer(t, "detour", args...)
}

// peer runs one of the programs that build with Recast and Detour.
func peer(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	program := filepath.Join("recast", "build", name)
	if _, err := os.Stat(program); err != nil {
		t.Skip("the program is not built: make -C lab/bench/peers/recast")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v: %s", name, args, err, &stderr)
	}
	return out
}

// answer is Detour's answer for a pair of places.
type answer struct {
	polys, whole int
	length, cost float64
}

// answers asks Detour for the paths of a file of pairs.
func answers(t *testing.T, mesh, pairs string) []answer {
	t.Helper()
	var out []answer
	in := bytes.NewReader(detour(t, "ask", mesh, pairs))
	for {
		var a answer
		if _, err := fmt.Fscan(in, &a.polys, &a.whole, &a.length, &a.cost); err != nil {
			return out
		}
		out = append(out, a)
	}
}

// TestAgainstDetour saves meshes of RecastDemo's levels with Recast, in one tile and in many, with connections, areas and flags;
// Meadow reads each file, stores the mesh and writes Detour's file again. Detour finds 10,000 paths of equal cost on both files.
func TestAgainstDetour(t *testing.T) {
	const pairs = 10000
	dir := t.TempDir()
	links := filepath.Join(dir, "links")
	if err := os.WriteFile(links, []byte("20 -2 -10 28 -1 -35 1 1\n-15 -2 0 -15 8 0 2 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, level := range []string{"nav_test", "dungeon", "undulating"} {
		obj := reallevels.Path(t, level+".obj")
		for _, how := range [][]string{nil, {"--tile", "48"}, {"--links", links}} {
			name := fmt.Sprintf("%s %.7s", level, append(how, "one tile")[0])
			original, stored, back, places := filepath.Join(dir, "a.mset"), filepath.Join(dir, "b.mesh"), filepath.Join(dir, "c.mset"), filepath.Join(dir, "places")
			detour(t, append(append([]string{"save"}, how...), obj, original)...)
			m, err := meadow.Load(original)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if faults := m.Validate(); len(faults) > 0 {
				t.Errorf("%s: %d faults, the first: %v", name, len(faults), faults[0])
			}
			if err := m.Save(stored); err != nil {
				t.Fatal(err)
			}
			if m, err = meadow.Load(stored); err != nil {
				t.Fatal(err)
			}
			if err := m.Save(back); err != nil {
				t.Fatal(err)
			}
			worst, whole := compareFiles(t, name, original, back, places, pairs)
			t.Logf("%s: %d regions, %d links, %d of %d paths complete, largest relative difference %g", name, m.RegionCount(), len(m.Links), whole, pairs, worst)
			if worst > 1e-5 || whole < pairs/20 {
				t.Errorf("%s: costs differ by up to %g, %d paths are complete", name, worst, whole)
			}
		}
	}
}

// compareFiles asks Detour for paths between random places on two files of the same mesh, and returns the largest relative
// difference of lengths and costs and the number of complete paths. Corridors must have as many polygons.
func compareFiles(t *testing.T, name, original, back, places string, pairs int) (worst float64, whole int) {
	t.Helper()
	if err := os.WriteFile(places, detour(t, "places", original, fmt.Sprint(pairs)), 0o600); err != nil {
		t.Fatal(err)
	}
	a, b := answers(t, original, places), answers(t, back, places)
	if len(a) != pairs || len(b) != pairs {
		t.Fatalf("%s: %d and %d answers", name, len(a), len(b))
	}
	for i := range a {
		if a[i].polys != b[i].polys || a[i].whole != b[i].whole {
			t.Fatalf("%s: pair %d: %+v, on the original %+v", name, i, b[i], a[i])
		}
		whole += a[i].whole
		worst = max(worst, math.Abs(a[i].length-b[i].length)/max(1, a[i].length), math.Abs(a[i].cost-b[i].cost)/max(1, a[i].cost))
	}
	return worst, whole
}

// TestCacheAgainstDetour saves tile caches of RecastDemo's levels with areas, and the meshes that Detour's tile cache makes of them.
// Meadow reads each cache and writes a set. Detour finds 10,000 paths of equal cost on both meshes.
func TestCacheAgainstDetour(t *testing.T) {
	const pairs = 10000
	dir := t.TempDir()
	for _, level := range []string{"nav_test", "dungeon", "undulating"} {
		obj := reallevels.Path(t, level+".obj")
		for _, tile := range []string{"24", "48", "96"} {
			name := level + " in tiles of " + tile + " cells"
			cache, theirs, ours := filepath.Join(dir, "a.tset"), filepath.Join(dir, "a.mset"), filepath.Join(dir, "b.mset")
			peer(t, "tilecache", "--tile", tile, "--save", cache, "--mesh", theirs, obj)
			m, err := meadow.Load(cache)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if err := m.Save(ours); err != nil {
				t.Fatal(err)
			}
			worst, whole := compareFiles(t, name, theirs, ours, filepath.Join(dir, "places"), pairs)
			t.Logf("%s: %d regions, %d of %d paths complete, largest relative difference %g", name, m.RegionCount(), whole, pairs, worst)
			if worst > 1e-5 || whole < pairs/20 {
				t.Errorf("%s: costs differ by up to %g, %d paths are complete", name, worst, whole)
			}
		}
	}
}

// TestDetourLoadsOurs builds generated levels with Meadow, in one tile and in tiles of 9 m; Detour loads the files and finds every path, none shorter than ours.
func TestDetourLoadsOurs(t *testing.T) {
	dir := t.TempDir()
	for _, kind := range levelgen.Kinds() {
		kind := kind.Name
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		m, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		file, places := filepath.Join(dir, "ours.mset"), filepath.Join(dir, "places")
		if err := m.Save(file); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		loadsOurs(t, m, kind, file, places)
		var tiles bytes.Buffer
		if err := meshfile.WriteTiles(&tiles, m.Mesh, 9); err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if err := os.WriteFile(file, tiles.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		loadsOurs(t, m, kind+" in tiles", file, places)
	}
}

// loadsOurs compares paths of Detour on a file with those of Meadow on the mesh.
func loadsOurs(t *testing.T, m *meadow.Mesh, kind, file, places string) {
	t.Helper()
	if err := os.WriteFile(places, detour(t, "places", file, "300"), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(places)
	if err != nil {
		t.Fatal(err)
	}
	in, q := bytes.NewReader(text), m.NewQuery()
	far, missing := 0, 0
	for _, a := range answers(t, file, places) {
		var p [2][3]float64
		var n [2][4]int
		for k := range p {
			if _, err := fmt.Fscan(in, &p[k][0], &p[k][1], &p[k][2], &n[k][0], &n[k][1], &n[k][2], &n[k][3]); err != nil {
				t.Fatal(err)
			}
		}
		path, err := q.Path(t.Context(), meadow.Vec{X: p[0][0], Y: p[0][1], Z: p[0][2]}, meadow.Vec{X: p[1][0], Y: p[1][1], Z: p[1][2]})
		if err != nil {
			continue // beside the floor by rounding
		}
		if path.Complete != (a.whole == 1) {
			missing++
		}
		// Links of Meadow cost what the level says, Detour's their length.
		if path.Complete && len(m.Links) == 0 && a.length < path.Length*(1-1e-4)-0.01 {
			far++
		}
	}
	t.Logf("%s: %d regions, %d complete on one side only", kind, m.RegionCount(), missing)
	if far > 0 || missing > 3 {
		t.Errorf("%s: %d paths of Detour are shorter than the shortest, %d complete on one side only", kind, far, missing)
	}
}
