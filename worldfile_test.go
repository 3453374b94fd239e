package meadow_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/world"
)

// hallsWorld is a world over two halls with doors.
func hallsWorld(t testing.TB) *world.World {
	t.Helper()
	lvl, err := levelgen.Generate("halls", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), lvl, meadow.Agent{Radius: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	w, err := meadow.NewWorld(context.Background(), m, meadow.WorldOptions{Radii: []float64{0.5}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// numbered is change number n of a world of hallsWorld: two obstacles come or go, and the doors close or open.
func numbered(n uint64) []world.Edit {
	west, east, gallery, _ := levelgen.HallsWalks()
	const names = 7
	rng := rand.New(rand.NewPCG(n, 3))
	id := world.ID(fmt.Sprint("crate ", n%names))
	door := world.Edit(world.Close{Mark: "door"})
	if n%2 == 0 {
		door = world.Open{Mark: "door"}
	}
	if n/names%2 == 1 {
		return []world.Edit{world.Take{ID: id}, door, world.Take{ID: id + " lid"}}
	}
	at := []geom.Vec{west, east, gallery}[rng.IntN(3)].Add(geom.Vec{X: 2*rng.Float64() - 1, Z: 2*rng.Float64() - 1})
	lid := world.Put{ID: id + " lid", Solid: world.Cylinder{Base: at, Radius: 0.2, Height: 1}}
	if n%5 == 0 {
		outline := make([]geom.Vec, 1000) // a large record
		for i := range outline {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(len(outline)))
			outline[i] = at.Add(geom.Vec{X: 0.5 * cos, Z: 0.5 * sin})
		}
		lid.Solid = world.Prism{Outline: outline, Bottom: at.Y, Top: at.Y + 1}
	}
	return []world.Edit{world.Put{ID: id, Solid: world.Box{Base: at, Size: geom.Vec{X: 1, Y: 1, Z: 0.5}, Yaw: float64(n)}}, door, lid}
}

// isAfter checks that a world has made the first n numbered changes and no others.
func isAfter(t *testing.T, w *world.World, n uint64) {
	t.Helper()
	want := map[world.ID]world.Thing{}
	for k := range n {
		for _, e := range numbered(k) {
			switch e := e.(type) {
			case world.Put:
				want[e.ID] = e
			case world.Take:
				delete(want, e.ID)
			}
		}
	}
	s := w.Now()
	if s.Sequence() != n || len(s.Things()) != len(want) {
		t.Fatalf("change %d with %d things, want change %d with %d", s.Sequence(), len(s.Things()), n, len(want))
	}
	for _, thing := range s.Things() {
		if put := thing.(world.Put); cmp.Diff(want[put.ID], thing) != "" {
			t.Fatalf("after change %d: %v, want %v", n, thing, want[put.ID])
		}
	}
	if n > 0 && (len(s.Closed()) > 0) != ((n-1)%2 == 1) {
		t.Fatalf("after change %d: %v are closed", n, s.Closed())
	}
}

func mustApply(t testing.TB, w *world.World, edits ...world.Edit) {
	t.Helper()
	if _, err := w.Apply(context.Background(), edits...); err != nil {
		t.Fatal(err)
	}
}

func openWorld(t testing.TB, path string) *meadow.WorldFile {
	t.Helper()
	f, err := meadow.OpenWorld(context.Background(), path, meadow.WorldFileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func closeWorld(t testing.TB, f *meadow.WorldFile) {
	t.Helper()
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestWorldFile creates a world in a file, changes, compacts and opens it.
func TestWorldFile(t *testing.T) {
	race.Skip(t)
	path := filepath.Join(t.TempDir(), "halls.world")
	f, err := meadow.CreateWorld(path, hallsWorld(t), meadow.WorldFileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(0)
	for round := range 4 {
		for range 9 {
			mustApply(t, f.World, numbered(n)...)
			n++
		}
		if round%2 == 1 {
			before := size(t, path+".log")
			if err := f.Compact(); err != nil {
				t.Fatal(err)
			}
			if after := size(t, path+".log"); after >= before || after > 100 {
				t.Errorf("compacted, the log has %d bytes, before %d", after, before)
			}
			mustApply(t, f.World, numbered(n)...)
			n++
		}
		meshes := meshesOf(t, f.World)
		closeWorld(t, f)
		if _, err := f.World.Apply(context.Background()); err == nil {
			t.Error("a world whose file is closed takes changes")
		}
		f = openWorld(t, path)
		isAfter(t, f.World, n)
		if want := []int{9, 1, 10, 1}[round]; f.Recovery.Changes != want || f.Recovery.Older+int(f.Recovery.Dropped) != 0 {
			t.Errorf("round %d: %+v", round, f.Recovery)
		}
		if !slices.Equal(meshesOf(t, f.World), meshes) {
			t.Errorf("round %d: other meshes", round)
		}
	}
	closeWorld(t, f)
	w, err := meadow.LoadWorld(context.Background(), path)
	if err != nil || w.Now().Sequence() > n {
		t.Errorf("loaded without the log: %v", err)
	}
}

func size(t testing.TB, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// meshesOf returns the mesh files of both radii of a world.
func meshesOf(t testing.TB, w *world.World) []string {
	t.Helper()
	var out []string
	for _, radius := range []float64{0.3, 0.5} {
		s, err := w.Now().For(radius)
		if err != nil {
			t.Fatal(err)
		}
		b, err := navfile.Encode(s.Mesh())
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

// TestWorldFileErrors opens what is no world file, and worlds in use.
func TestWorldFileErrors(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "halls.world")
	w := hallsWorld(t)
	if err := meadow.SaveWorld(path, w.Now()); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := meadow.CreateWorld(path, w, meadow.WorldFileOptions{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	f := openWorld(t, path) // a saved world without a log
	mustApply(t, f.World, numbered(0)...)
	if _, err := meadow.OpenWorld(context.Background(), path, meadow.WorldFileOptions{}); runtime.GOOS == "linux" && (err == nil || !strings.Contains(err.Error(), path+".lock: is held by another")) {
		t.Errorf("opened twice: %v", err)
	}
	if err := meadow.SaveWorld(path, w.Now()); err == nil || !strings.Contains(err.Error(), "has a log of changes") {
		t.Errorf("saved over a world with a log: %v", err)
	}
	closeWorld(t, f)
	log, err := os.ReadFile(path + ".log")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		world, log []byte
		want       string
	}{
		"a log as a world":   {log, log, path + ": world: not a saved world"},
		"a world as a log":   {first, first, path + ".log: journal: not a log of a world"},
		"half a world":       {first[:len(first)/2], log, path + ": world: mesh 0 at byte 32"},
		"a flipped bit":      {flip(first, 500), log, path + ": world: mesh 0 at byte 32: checksum"},
		"a log's header":     {first, flip(log, 14), path + ".log: journal: header: checksum"},
		"a record in a log":  {first, append(flip(log, 60), record(t, log)...), path + ".log: journal: the record at byte 32, behind record 0, is damaged"},
		"no world in a file": {nil, nil, path + ": world: not a saved world"},
	} {
		write(t, path, c.world)
		write(t, path+".log", c.log)
		if _, err := meadow.OpenWorld(context.Background(), path, meadow.WorldFileOptions{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if got, _ := os.ReadFile(path + ".log"); !bytes.Equal(got, c.log) {
			t.Errorf("%s: the log has changed", name)
		}
	}
	write(t, path, first)
	write(t, path+".log", log)
	f = openWorld(t, path) // all locks have gone
	isAfter(t, f.World, 1)
	closeWorld(t, f)
	missing := filepath.Join(dir, "missing")
	if _, err := meadow.OpenWorld(context.Background(), missing, meadow.WorldFileOptions{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := os.Stat(missing + ".lock"); err == nil {
		t.Error("a missing file has a lock")
	}
	if _, err := meadow.LoadWorld(context.Background(), dir); err == nil {
		t.Error("loaded a folder")
	}
	if _, err := meadow.CreateWorld(missing, nil, meadow.WorldFileOptions{}); err == nil {
		t.Error("a nil world")
	}
	if err := meadow.SaveWorld(missing, nil); err == nil {
		t.Error("a nil snapshot")
	}
	if _, err := meadow.Load(path); err == nil || !strings.Contains(err.Error(), "a saved world") {
		t.Errorf("a world loaded as a mesh: %v", err)
	}
}

func flip(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 1
	return b
}

// record is the first record of a log, which follows no record of its number.
func record(t testing.TB, log []byte) []byte {
	t.Helper()
	return log[32:]
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestCompactStoppedAnywhere compacts a world and puts the files back as a crash would leave them.
func TestCompactStoppedAnywhere(t *testing.T) {
	race.Skip(t)
	path := filepath.Join(t.TempDir(), "halls.world")
	f, err := meadow.CreateWorld(path, hallsWorld(t), meadow.WorldFileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for n := range uint64(10) {
		mustApply(t, f.World, numbered(n)...)
	}
	read := func(name string) []byte {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	oldLog := read(path + ".log")
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	closeWorld(t, f)
	// The crash came between the new world and the new log.
	write(t, path+".log", oldLog)
	f = openWorld(t, path)
	isAfter(t, f.World, 10)
	if f.Recovery.Older != 10 {
		t.Errorf("%+v", f.Recovery)
	}
	mustApply(t, f.World, numbered(10)...)
	closeWorld(t, f)
	f = openWorld(t, path)
	isAfter(t, f.World, 11)
	if err := f.Compact(); err != nil {
		t.Fatal(err)
	}
	closeWorld(t, f)
	// A power cut took changes from an unsynced log that the saved world has.
	write(t, path+".log", oldLog[:len(oldLog)-10])
	f = openWorld(t, path)
	isAfter(t, f.World, 11)
	if !f.Recovery.Ahead || f.Recovery.Dropped == 0 {
		t.Errorf("%+v", f.Recovery)
	}
	mustApply(t, f.World, numbered(11)...)
	closeWorld(t, f)
	// The crash came between the first world and its log.
	if err := os.Remove(path + ".log"); err != nil {
		t.Fatal(err)
	}
	f = openWorld(t, path)
	isAfter(t, f.World, 11)
	closeWorld(t, f)
}

// childWorld is set for child processes of TestKilledWorld: they change the world in the file until they are killed.
const childWorld = "MEADOW_WORLD_CHILD"

// TestKilledWorld kills processes that change a world, at random moments, also while they compact. Each time the world that is
// opened again has made all changes that were reported, and at most one more, and no part of any.
func TestKilledWorld(t *testing.T) {
	race.Skip(t)
	if path := os.Getenv(childWorld); path != "" {
		changeForever(t, path)
	}
	if runtime.GOOS == "js" || runtime.GOOS == "wasip1" {
		t.Skip("no processes here")
	}
	path := filepath.Join(t.TempDir(), "halls.world")
	f, err := meadow.CreateWorld(path, hallsWorld(t), meadow.WorldFileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	closeWorld(t, f)
	rng := rand.New(rand.NewPCG(1, 5))
	last, torn, unreported := uint64(0), 0, 0
	for range slow.Count(5, 200) {
		told := max(killedWorld(t, path, rng), last)
		f := openWorld(t, path)
		now := f.World.Now().Sequence()
		if now != told && now != told+1 {
			t.Fatalf("change %d was reported, the world is at change %d", told, now)
		}
		isAfter(t, f.World, now)
		if f.Recovery.Dropped > 0 {
			torn++
		}
		if now > told {
			unreported++
		}
		last = now
		closeWorld(t, f)
	}
	if last < 10 {
		t.Errorf("only %d changes", last)
	}
	t.Logf("%d changes, %d torn, %d whole and not reported", last, torn, unreported)
	// The last world is the world that never stopped.
	w := hallsWorld(t)
	for n := range last {
		mustApply(t, w, numbered(n)...)
	}
	f = openWorld(t, path)
	if !slices.Equal(meshesOf(t, f.World), meshesOf(t, w)) {
		t.Error("the meshes differ from those of a world without kills")
	}
	closeWorld(t, f)
}

// changeForever makes numbered changes, reports each, and compacts now and then.
func changeForever(t *testing.T, path string) {
	f := openWorld(t, path)
	for {
		n := f.World.Now().Sequence()
		mustApply(t, f.World, numbered(n)...)
		fmt.Println("\nchanged", n+1)
		if n%6 == 5 {
			if err := f.Compact(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// killedWorld runs a child until a random moment, and returns the number of changes that the child reported.
func killedWorld(t *testing.T, path string, rng *rand.Rand) (told uint64) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledWorld$")
	child.Env = append(os.Environ(), childWorld+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer child.Process.Kill()
	lines, wait := bufio.NewScanner(out), 1+rng.IntN(15)
	failed, said := false, []string(nil)
	for lines.Scan() {
		text := lines.Text()
		if _, err := fmt.Sscanf(text, "changed %d", &told); err != nil {
			failed = failed || strings.Contains(text, "FAIL")
			said = append(said, text)
			continue
		}
		if wait--; wait == 0 {
			time.AfterFunc(time.Duration(rng.IntN(4000))*time.Microsecond, func() { child.Process.Kill() })
		}
	}
	_ = child.Wait() // tells the kill
	if failed {
		t.Fatalf("the child said %q", said)
	}
	return told
}
