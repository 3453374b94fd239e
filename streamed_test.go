package meadow_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query/streamed"
)

// TestStreamedFile saves a mesh in tiles, asks for a path over the file, and loads the mesh again.
func TestStreamedFile(t *testing.T) {
	race.Skip(t)
	lvl, err := levelgen.Generate("demo", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "demo.tiles")
	if err := m.SaveStreamed(path, streamfile.Options{Regions: 10}); err != nil {
		t.Fatal(err)
	}
	f, err := meadow.OpenStreamed(path, streamed.Options{})
	if err != nil {
		t.Fatal(err)
	}
	start, goal := levelgen.DemoWalk()
	got, _, err := f.Path(t.Context(), start, goal)
	want, err2 := m.NewQuery().Path(t.Context(), start, goal)
	if err != nil || err2 != nil || !got.Proved || !got.Complete || got.Length != want.Length {
		t.Errorf("%v, %v: proved %t, %g m, want %g m", err, err2, got.Proved, got.Length, want.Length)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := meadow.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m.Mesh, again.Mesh); diff != "" {
		t.Errorf("loaded as a whole: %.1000s", diff)
	}
	if err := m.Save(path); err != nil {
		t.Fatal(err)
	}
	if _, err := meadow.OpenStreamed(path, streamed.Options{}); err == nil || !strings.Contains(err.Error(), path+": streamfile: not a mesh in tiles") {
		t.Errorf("a mesh without tiles: %v", err)
	}
	if _, err := meadow.OpenStreamed(path+"2", streamed.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := new(meadow.Mesh).SaveStreamed(path, streamfile.Options{}); err == nil {
		t.Error("an empty mesh is saved")
	}
	if err := m.WriteStreamed(nil, streamfile.Options{}); err == nil {
		t.Error("a nil writer")
	}
}
