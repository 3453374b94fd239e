package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
)

// TestMeshWarning: a mesh with a fault of geometry is used, with one line on standard error. A mesh with a fault of structure
// is bad input.
func TestMeshWarning(t *testing.T) {
	race.Skip(t)
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	for _, args := range []string{"gen rooms -o rooms.obj", "build rooms.obj -o rooms.mesh"} {
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != exitDone {
			t.Fatalf("%s: exit %d: %s", args, code, &errs)
		}
	}
	mesh, err := meadow.Load("rooms.mesh")
	if err != nil {
		t.Fatal(err)
	}
	tile := &mesh.Tiles[0]
	p, last := &tile.Portals[0], uint32(len(tile.Vertices)-1)
	p.Right, tile.Portals[p.Back].Left = last, last
	if len(mesh.Warnings()) == 0 {
		t.Fatal("the portal still fits")
	}
	if err := mesh.Save("bent.mesh"); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"path bent.mesh --from 2,0,-2 --to 20,0,-20", "metrics bent.mesh", "bench queries bent.mesh --count 20 --rounds 1",
		"render bent.mesh -o bent.svg", "widen bent.mesh -o wide.mesh --radius 0.5",
	} {
		out.Reset()
		errs.Reset()
		run(t.Context(), strings.Fields(args), &out, &errs)
		first, _, _ := strings.Cut(errs.String(), "\n")
		if !strings.HasPrefix(first, "warning: bent.mesh: ") || !strings.Contains(first, "portal off edge") || strings.Count(errs.String(), "warning") != 1 {
			t.Errorf("%s: %q", args, &errs)
		}
	}
	errs.Reset()
	if code := run(t.Context(), []string{"check", "bent.mesh"}, &out, &errs); code != exitNo {
		t.Errorf("check: exit %d: %s", code, &errs)
	}
}

// TestIndexIsStopped stops commands during the making of an index, as Ctrl-C would.
func TestIndexIsStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs bytes.Buffer
	for _, args := range []string{"gen rooms -o rooms.obj", "build rooms.obj -o rooms.mesh"} {
		if code := run(t.Context(), strings.Fields(args), &out, &errs); code != exitDone {
			t.Fatalf("%s: exit %d: %s", args, code, &errs)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{"path rooms.mesh --from 2,0,-2 --to 20,0,-20", "metrics rooms.mesh", "bench queries rooms.mesh --count 20 --rounds 1"} {
		errs.Reset()
		if code := run(ctx, strings.Fields(args), &out, &errs); code != exitInterrupted {
			t.Errorf("%s: exit %d: %s", args, code, &errs)
		}
	}
}
