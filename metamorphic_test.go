package meadow_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestMeshDoesNotDependOn changes what must not matter about a level, and compares whole meshes.
func TestMeshDoesNotDependOn(t *testing.T) {
	for _, kind := range []string{"carpark", "spiral", "random"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		build := func(l *level.Level, jobs int) *meadow.Mesh {
			t.Helper()
			m, err := meadow.BuildWith(t.Context(), l, meadow.FloorOptions{Jobs: jobs}, meadow.MeshOptions{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		file := func(m *meadow.Mesh) []byte {
			var b bytes.Buffer
			if err := m.Write(&b); err != nil {
				t.Fatal(err)
			}
			return b.Bytes()
		}
		want := build(lvl, 1)
		t.Run(kind+" jobs", func(t *testing.T) {
			if !bytes.Equal(file(build(lvl, 8)), file(want)) {
				t.Error("another mesh with 8 jobs than with 1")
			}
		})
		t.Run(kind+" shuffled", func(t *testing.T) {
			race.Skip(t)
			l := *lvl
			l.Triangles = append([]level.Triangle(nil), lvl.Triangles...)
			r := rand.New(rand.NewPCG(1, 2))
			r.Shuffle(len(l.Triangles), func(i, j int) { l.Triangles[i], l.Triangles[j] = l.Triangles[j], l.Triangles[i] })
			l.Objects = nil
			if !bytes.Equal(file(build(&l, 0)), file(want)) {
				t.Error("another mesh with the triangles in another order")
			}
		})
		t.Run(kind+" moved", func(t *testing.T) {
			race.Skip(t)
			l := *lvl
			l.Vertices = nil
			for _, v := range lvl.Vertices {
				l.Vertices = append(l.Vertices, v.Add(geom.Vec{X: 1e6, Y: 1e6, Z: -1e6}))
			}
			got := build(&l, 0)
			const million = 1e6 * lattice.UnitsPerMetre
			frame := want.Frame
			frame.East, frame.North, frame.Up = frame.East+million, frame.North+million, frame.Up+million
			if got.Frame != frame {
				t.Errorf("frame %v, want %v", got.Frame, frame)
			}
			if d := cmp.Diff(want.Tiles, got.Tiles); d != "" {
				t.Error(d)
			}
			onlyFrameDiffers(t, file(want), file(got))
		})
	}
}

// onlyFrameDiffers compares the files of a mesh and of the same mesh elsewhere. Three offsets of the frame may differ, and
// three checksums: of the mesh section, of the directory, and of the header. docs/formats/navmesh.md has the places.
func onlyFrameDiffers(t *testing.T, a, b []byte) {
	t.Helper()
	if len(a) != len(b) {
		t.Fatalf("files of %d and %d bytes", len(a), len(b))
	}
	frame := int(binary.LittleEndian.Uint64(a[32+8:])) // the mesh section is the first of the directory
	for i := range a {
		header, entry, offset := 24 <= i && i < 32, 32+24 <= i && i < 32+28, frame <= i && i < frame+24
		if a[i] != b[i] && !header && !entry && !offset {
			t.Errorf("byte %d differs", i)
		}
	}
}
