package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

var program = filepath.Join("..", "peers", "recast", "build", "tilecache")

func needProgram(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(program); err != nil {
		t.Skip("the program is not built: make -C lab/bench/peers/recast")
	}
}

// TestTileCacheTakesFloor lets obstacles come, move and go in a hall; each takes its place and gives the place back.
func TestTileCacheTakesFloor(t *testing.T) {
	needProgram(t)
	mesh, file := hall(t, 0)
	places, err := drawPlaces(mesh.NewQuery(), agent.Radius, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, tile := range peerTiles {
		p := startPeer(t.Context(), program, file, agent, tile, len(places), false)
		got, err := p.ones(t.Context(), places)
		if err != nil {
			t.Fatal(err)
		}
		if p.small.mesh.Tiles < 1 || p.small.mesh.Layers < p.small.mesh.Tiles || p.small.mesh.Polys < p.small.mesh.Tiles {
			t.Errorf("mesh %+v", p.small.mesh)
		}
		s := summarize(got)
		// Cells of 0.3 m lose floor beside walls.
		if s.Free < 80 || s.Lost > 1 || s.Ghosts > 0 || s.In.Found < 80 || s.In.Found > s.Out.Found {
			t.Errorf("tiles of %d: %+v", tile, s)
		}
		for i, o := range got {
			for k := range 3 {
				if !(o.change[k] > 0) || !(o.path[k] > 0) {
					t.Errorf("tiles of %d, obstacle %d: %+v", tile, i, o)
				}
			}
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	}
}

// TestTileCacheLosesObstacles spreads obstacles over many tiles. The queue takes 64 requests, and an update takes 64
// tiles and forgets the others.
func TestTileCacheLosesObstacles(t *testing.T) {
	needProgram(t)
	mesh, file := hall(t, 60)
	places, err := drawPlaces(mesh.NewQuery(), agent.Radius, 128, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := startPeer(t.Context(), program, file, agent, 16, len(places), true)
	got, err := p.ones(t.Context(), places)
	if err != nil {
		t.Fatal(err)
	}
	var block []place
	for i, o := range got {
		if o.free && o.blocked {
			block = append(block, places[i])
		}
	}
	few, err := batches(t.Context(), p, block[:10], 10)
	if err != nil || few.Lost != 0 || few.Ghosts != 0 || few.Refused != 0 {
		t.Errorf("ten obstacles: %+v, error %v", few, err)
	}
	many, err := batches(t.Context(), p, block, smallBatch)
	if err != nil || many.Lost == 0 || many.Refused != 0 {
		t.Errorf("batches of 64: %+v, error %v", many, err)
	}
	again, err := batches(t.Context(), p, block[:10], 10)
	if err != nil || again.Lost != 0 {
		t.Errorf("ten obstacles after a loss: %+v, error %v", again, err)
	}
	all, err := batches(t.Context(), p, block, len(block))
	if err != nil || all.Refused == 0 {
		t.Errorf("%d obstacles: %+v, error %v", len(block), all, err)
	}
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// TestTileCacheFailsWithALine gives levels that nobody can build, and commands that nobody knows.
func TestTileCacheFailsWithALine(t *testing.T) {
	needProgram(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty.obj": "", "thin.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "steep.obj": "v 0 0 0\nv 9 0 0\nv 0 30 9\nf 1 3 2\n",
		"huge.obj": "v 0 0 0\nv 900000 0 0\nv 0 0 900000\nf 1 3 2\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p := startPeer(t.Context(), program, path, agent, 48, 1, false)
		_, err := p.ones(t.Context(), make([]place, 1))
		if err == nil || !strings.HasPrefix(err.Error(), "tilecache: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
		if err := p.stop(); err != nil {
			t.Errorf("%s: stop: %v", name, err)
		}
	}
	_, file := hall(t, 0)
	r, err := startRival(t.Context(), program, file, agent, 48, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	r.write("dance", geom.Vec{})
	if err := r.in.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := r.answer(&rivalOne{}); err == nil || err.Error() != "tilecache: no command dance" {
		t.Errorf("error %v", err)
	}
	if _, err := startRival(t.Context(), filepath.Join(dir, "gone"), file, agent, 48, 1, false); err == nil {
		t.Error("a missing program: no error")
	}
}
