package meadow_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/anavmg"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/level/terrain"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// square is a level floor of the given side around (x, 0, z).
func square(x, z, side float64) *level.Level {
	h := side / 2
	return &level.Level{
		Name: "square",
		Vertices: []geom.Vec{
			{X: x - h, Z: z + h},
			{X: x + h, Z: z + h},
			{X: x + h, Z: z - h},
			{X: x - h, Z: z - h},
		},
		Triangles: []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}},
	}
}

func generate(t testing.TB, kind string) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return lvl
}

// refOf names region i of the only tile.
func refOf(m *meadow.Mesh, i int) navmesh.Ref {
	return navmesh.MakeRef(0, i, m.Tiles[0].Generation)
}

func encode(t testing.TB, m *meadow.Mesh) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBuildOfASquare(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), square(0, 0, 10), meadow.Agent{Radius: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	r := mesh.Report()
	// The border is inset by the radius: a square of 9 m is left. The extractor samples it with
	// cells of a seventh of the radius, so each of the 36 m of border is off by less than 7.2 cm.
	if math.Abs(r.Area-81) > 36*0.072 {
		t.Errorf("area %g m², want about 81", r.Area)
	}
	if r.Layers != 1 || r.Components != 1 || r.Seams != 0 || r.Triangles != 2 || len(r.Dropped) != 0 {
		t.Errorf("got %+v", r)
	}
	if r.Regions != mesh.RegionCount() || r.Regions < 1 {
		t.Errorf("report has %d regions, the mesh %d", r.Regions, mesh.RegionCount())
	}
	if r.Agent.Height != 1.8 || r.Generator != catalog.Default || r.Extractor != catalog.DefaultExtractor {
		t.Errorf("defaults are not in the report: %+v", r)
	}
	path, err := mesh.NewQuery().Path(t.Context(), meadow.Vec{X: -4, Z: -4}, meadow.Vec{X: 4, Z: 2})
	if err != nil {
		t.Fatal(err)
	}
	if want := 10.0; !path.Complete || math.Abs(path.Length-want) > 0.001 {
		t.Errorf("path %+v, want length %g", path, want)
	}
}

func TestEveryMethodBuilds(t *testing.T) {
	race.Skip(t)
	lvl := generate(t, "rooms")
	for _, extract := range catalog.Extractors() {
		if race.Enabled && extract != catalog.DefaultExtractor {
			continue // methods are the same on all floors
		}
		floor, err := meadow.FindFloor(t.Context(), lvl, meadow.FloorOptions{Extractor: extractor(t, extract)})
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range catalog.Names() {
			mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{Generator: generator(t, method)})
			if err != nil {
				t.Errorf("%s on %s: %v", method, extract, err)
				continue
			}
			if faults := mesh.Validate(); len(faults) > 0 {
				t.Errorf("%s on %s: %d faults, the first is %v", method, extract, len(faults), faults[0])
			}
		}
	}
}

func TestConvexDistanceSavesRegions(t *testing.T) {
	race.Skip(t)
	lvl := generate(t, "random")
	exact, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	relaxed, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{}, meadow.MeshOptions{ConvexDistance: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	a, b := exact.Report(), relaxed.Report()
	if b.Regions >= a.Regions || b.Area > a.Area || b.Lost < a.Lost {
		t.Errorf("exact: %d regions, %g m², lost %g; relaxed: %d, %g, %g", a.Regions, a.Area, a.Lost, b.Regions, b.Area, b.Lost)
	}
	if faults := relaxed.Validate(); len(faults) > 0 {
		t.Errorf("%d faults, the first is %v", len(faults), faults[0])
	}
}

func TestBytesDoNotDependOnJobs(t *testing.T) {
	for _, kind := range []string{"stairs", "halls"} {
		lvl := generate(t, kind)
		var first []byte
		for _, jobs := range []int{1, 2, 8} {
			mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Jobs: jobs}, meadow.MeshOptions{Jobs: jobs})
			if err != nil {
				t.Fatal(err)
			}
			if b := encode(t, mesh); first == nil {
				first = b
			} else if !bytes.Equal(b, first) {
				t.Errorf("%s: jobs %d: another mesh than with 1", kind, jobs)
			}
		}
	}
}

func TestSaveAndLoad(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), generate(t, "stairs"), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "stairs.mesh")
	if err := mesh.Save(name); err != nil {
		t.Fatal(err)
	}
	loaded, err := meadow.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, mesh), encode(t, loaded)) {
		t.Error("the loaded mesh is another one")
	}
}

func TestLoadFaults(t *testing.T) {
	dir := t.TempDir()
	mesh, err := meadow.Build(t.Context(), square(0, 0, 10), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	good := encode(t, mesh)
	bad := bytes.Clone(good)
	bad[len(bad)/2] ^= 0x40
	for name, content := range map[string][]byte{
		"empty":     nil,
		"garbage":   []byte("v 1 2 3\n"),
		"truncated": good[:len(good)-7],
		"longer":    append(bytes.Clone(good), 0),
		"flipped":   bad,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := meadow.Load(file)
		if err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: error %v does not name the file", name, err)
		}
	}
	if _, err := meadow.Load(filepath.Join(dir, "missing")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := meadow.Load(dir); err == nil {
		t.Error("loaded a folder")
	}
}

func TestOpenFaultsNameThePath(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.obj")
	if err := os.WriteFile(bad, []byte("v 0 0 0\nf 1 2 3\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{bad, filepath.Join(dir, "missing.obj"), dir, filepath.Join(bad, "below.obj")} {
		_, err := meadow.Open(path)
		if err == nil || strings.Count(err.Error(), path) != 1 {
			t.Errorf("%s: error %v does not name the path once", path, err)
		}
	}
	if _, err := meadow.OpenFS(os.DirFS(dir), "bad.obj"); err == nil || !strings.HasPrefix(err.Error(), "bad.obj: ") {
		t.Errorf("in a file system: %v", err)
	}
}

func TestSaveLevelAndOpen(t *testing.T) {
	lvl := generate(t, "arch")
	for _, name := range []string{"arch.obj", "arch.glb", "arch.stl", "arch.ply"} {
		path := filepath.Join(t.TempDir(), name)
		if err := meadow.SaveLevel(path, lvl); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := meadow.Open(path)
		if err != nil || len(again.Triangles) != len(lvl.Triangles) || again.Bounds() != lvl.Bounds() {
			t.Errorf("%s: another level, or %v", name, err)
		}
	}
}

func TestOptionFaults(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	far := meadow.Agent{Radius: -2}
	delaunay := generator(t, "delaunay")
	floors := map[string]meadow.FloorOptions{
		"radius is -2":         {Agent: far},
		"radius is NaN":        {Agent: meadow.Agent{Radius: nan}},
		"climb is 1":           {Agent: meadow.Agent{Height: 1, MaxClimb: 1}},
		"slope is 90":          {Agent: meadow.Agent{MaxSlope: math.Pi / 2}},
		"Keep[1] is (NaN":      {Keep: []meadow.Vec{{}, {X: nan}}},
		"KeepArea is -1":       {KeepArea: -1},
		"KeepArea is NaN":      {KeepArea: nan},
		"KeepArea is +Inf":     {KeepArea: inf},
		"Simplify is NaN":      {Simplify: nan},
		"Simplify is -Inf":     {Simplify: -inf},
		"Detail is NaN":        {Detail: nan},
		"Detail is +Inf":       {Detail: inf},
		"Terrain: no rules":    {Terrain: &meadow.Terrain{}},
		"Terrain: terrain: ":   {Terrain: &meadow.Terrain{Rules: &terrain.Rules{Guess: nan}}},
		"Jobs is -1":           {Jobs: -1},
		"cell size is NaN":     {Extractor: raster.Extractor{CellSize: nan}},
		"cell size is -1 m":    {Extractor: raster.Extractor{CellSize: -1}},
		"KeepArea is -1, must": {Agent: far, KeepArea: -1}, // behind the fault of the agent
	}
	for want, opt := range floors {
		if _, err := meadow.FindFloor(t.Context(), square(0, 0, 10), opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if _, err := meadow.BuildWith(t.Context(), square(0, 0, 10), opt, meadow.MeshOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("built: error %v, want one with %q", err, want)
		}
	}
	floor, err := meadow.FindFloor(t.Context(), square(0, 0, 10), meadow.FloorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := floor.Mesh(t.Context(), meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for want, opt := range map[string]meadow.MeshOptions{
		"ConvexDistance is NaN":                           {ConvexDistance: nan},
		"ConvexDistance is -1":                            {ConvexDistance: -1},
		"ConvexDistance is +Inf":                          {ConvexDistance: inf},
		"ConvexDistance is 1, but the generator delaunay": {Generator: delaunay, ConvexDistance: 1},
		"Generator makes nearly convex cells":             {Generator: anavmg.Generator{Options: anavmg.Options{Published: true}}},
		"Jobs is -1":                                      {Jobs: -1},
	} {
		if _, err := floor.Mesh(t.Context(), opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		wide := meadow.WidenOptions{Generator: opt.Generator, ConvexDistance: opt.ConvexDistance, Jobs: opt.Jobs}
		if _, err := mesh.Widen(t.Context(), 0.5, wide); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("widened: error %v, want one with %q", err, want)
		}
	}
	for want, simplify := range map[string]float64{"Simplify is NaN": nan, "Simplify is -1": -1, "Simplify is +Inf": inf} {
		// The mesh's own radius takes no shortcut around the check.
		if _, err := mesh.Widen(t.Context(), mesh.Agent.Radius, meadow.WidenOptions{Simplify: simplify}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestAllOptionFaultsAreListed(t *testing.T) {
	_, err := meadow.BuildWith(t.Context(), square(0, 0, 10),
		meadow.FloorOptions{Agent: meadow.Agent{Radius: -2}, Detail: math.NaN(), KeepArea: -1}, meadow.MeshOptions{ConvexDistance: -3})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"meadow: options: ", "radius is -2", "Detail is NaN", "KeepArea is -1", "ConvexDistance is -3"} {
		if strings.Count(err.Error(), want) != 1 {
			t.Errorf("%q is not in %q once", want, err)
		}
	}
}

func TestLevelFaults(t *testing.T) {
	bad := square(0, 0, 10)
	bad.Triangles[1].C = 99
	for name, lvl := range map[string]*level.Level{"nil": nil, "empty": {Name: "empty"}, "index": bad} {
		if _, err := meadow.Build(t.Context(), lvl, meadow.Agent{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestNoFloor(t *testing.T) {
	tests := []struct {
		name  string
		lvl   *level.Level
		agent meadow.Agent
	}{
		{"agent wider than the level", square(0, 0, 1), meadow.Agent{Radius: 2}},
		{"floor upside down", upsideDown(square(0, 0, 10)), meadow.Agent{}},
	}
	for _, tt := range tests {
		mesh, err := meadow.Build(t.Context(), tt.lvl, tt.agent)
		if err == nil {
			t.Errorf("%s: built a mesh of %d regions", tt.name, mesh.RegionCount())
		}
	}
}

func upsideDown(lvl *level.Level) *level.Level {
	for i := range lvl.Triangles {
		tri := &lvl.Triangles[i]
		tri.B, tri.C = tri.C, tri.B
	}
	return lvl
}

func TestCancelledBuild(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := meadow.Build(ctx, generate(t, "rooms"), meadow.Agent{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestProgressNamesTheStages(t *testing.T) {
	var mu sync.Mutex
	stages := map[string]int{}
	tell := func(stage string, done, total int) {
		mu.Lock()
		defer mu.Unlock()
		stages[stage]++
		if done < 0 || done > total {
			t.Errorf("%s: %d of %d", stage, done, total)
		}
	}
	_, err := meadow.BuildWith(t.Context(), generate(t, "stairs"), meadow.FloorOptions{Progress: tell}, meadow.MeshOptions{Progress: tell})
	if err != nil {
		t.Fatal(err)
	}
	if stages["decompose"] == 0 || len(stages) < 2 {
		t.Errorf("stages told: %v", stages)
	}
}

func TestQueriesShareAMesh(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), generate(t, "rooms"), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	from, _ := mesh.Center(refOf(mesh, 0))
	lengths := make([]float64, 8)
	var wg sync.WaitGroup
	for i := range lengths {
		wg.Go(func() {
			q := mesh.NewQuery()
			for r := range mesh.RegionCount() {
				to, _ := mesh.Center(refOf(mesh, r))
				path, err := q.Path(t.Context(), from, to)
				if err != nil {
					t.Error(err)
					return
				}
				lengths[i] += path.Length
			}
		})
	}
	wg.Wait()
	for i, l := range lengths {
		if l != lengths[0] || l == 0 {
			t.Errorf("goroutine %d walked %g m, the first %g m", i, l, lengths[0])
		}
	}
}

func TestOffMesh(t *testing.T) {
	mesh, err := meadow.Build(t.Context(), square(0, 0, 10), meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = mesh.NewQuery().Path(t.Context(), meadow.Vec{}, meadow.Vec{X: 50})
	if !errors.Is(err, query.ErrOffMesh) {
		t.Errorf("got %v", err)
	}
}
