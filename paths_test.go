package meadow_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// unlikeLength is the most by which a path and its way back may differ, as a part of their length: the rounding of sums of
// float64.
const unlikeLength = 1e-12

// worstPath is the worst among random paths of a mesh, by each law.
type worstPath struct {
	paths, others   int // others: the way back turns at other points
	report          footing.Report
	length, surface float64 // difference of there and back, as a part of the length
	// The ends of the path that is farthest off the floor, and of the one that is most unlike its way back.
	astray, unlike [2]geom.Vec
}

// faults lists the laws that are broken.
func (w *worstPath) faults(m *navmesh.Mesh) (list []string) {
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if w.report.Off > 0 {
		add("a path from %v to %v is %.3f m off the floor at %v", w.astray[0], w.astray[1], w.report.Off, w.report.OffAt)
	}
	if w.report.Bridged > 0.01 {
		add("a path goes %.3f m without a floor at %v", w.report.Bridged, w.report.BridgedAt)
	}
	// Both floors at a step may be off by their error, and heights are rounded.
	climb, off := m.Agent.MaxClimb, int32(0)
	for i := range m.Tiles {
		for l := range m.Tiles[i].Layers {
			off = max(off, m.Tiles[i].Layers[l].Floor.Error)
		}
	}
	if w.report.Step > climb+float64(2*off+4)*lattice.Unit {
		add("a path has a step of %.3f m at %v", w.report.Step, w.report.StepAt)
	}
	if w.length > unlikeLength || w.surface > unlikeLength {
		add("the path from %v to %v and its way back differ by %.2g of their length, and %.2g over the floor",
			w.unlike[0], w.unlike[1], w.length, w.surface)
	}
	if 20*w.others > w.paths {
		add("of %d paths %d have another way back", w.paths, w.others)
	}
	return list
}

// sameBack reports whether points are other points in reverse, give or take some metres.
func sameBack(points, back []geom.Vec, slack float64) bool {
	back = slices.Clone(back)
	slices.Reverse(back)
	return slices.EqualFunc(points, back, func(a, b geom.Vec) bool { return a.Distance(b) <= slack })
}

// walkAtRandom asks for paths between random places there and back, and judges them.
func walkAtRandom(t *testing.T, m *navmesh.Mesh, n int) (w worstPath) {
	t.Helper()
	q := query.NewIndex(m).NewQuery()
	floor := footing.New(m)
	rng := rand.New(rand.NewPCG(5, 14))
	for range 10 * n {
		if w.paths == n {
			break
		}
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			t.Fatal("the mesh has no area")
		}
		there, err := q.PathBetween(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		if !there.Complete {
			continue
		}
		w.paths++
		there = there.Clone()
		off := w.report.Off
		w.report.Worse(floor.Check(there.Surface(), query.HeightError))
		if w.report.Off > off {
			w.astray = [2]geom.Vec{from.Point, to.Point}
		}
		back, err := q.PathBetween(t.Context(), to, from)
		if err != nil {
			t.Fatal(err)
		}
		byLength, bySurface := math.Abs(back.Length-there.Length)/max(there.Length, 1), 0.0
		if sameBack(there.Points, back.Points, lattice.Unit) {
			bySurface = math.Abs(back.SurfaceLength()-there.SurfaceLength()) / max(there.SurfaceLength(), 1)
			if !sameBack(there.Surface(), back.Surface(), 0) {
				bySurface = math.Inf(1)
			}
		} else {
			w.others++ // another way is as short
		}
		if bySurface > w.surface || byLength > w.length {
			w.unlike = [2]geom.Vec{from.Point, to.Point}
		}
		w.length, w.surface = max(w.length, byLength), max(w.surface, bySurface)
	}
	if w.paths < n {
		t.Fatalf("only %d of %d random pairs of places are joined", w.paths, 10*n)
	}
	return w
}

// TestPathsLieOnTheFloor walks between random places of levels with storeys over each other, of the scenes in
// testdata, and of real levels. No place of a path is farther than query.HeightError from a floor triangle, by a judge
// that shares no code with queries. The way back has the same points, and is as long, also over the floor. MEADOW_PATHS is the number of paths on
// each level.
func TestPathsLieOnTheFloor(t *testing.T) {
	race.Skip(t)
	paths, asked := 60, false
	if s := os.Getenv("MEADOW_PATHS"); s != "" {
		asked = true
		var err error
		if paths, err = strconv.Atoi(s); err != nil || paths < 1 {
			t.Fatalf("MEADOW_PATHS is %q, must be a number of paths", s)
		}
	}
	climber := func(radius float64) meadow.Agent {
		return meadow.Agent{Radius: radius, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)}
	}
	generated := func(kind string) func(t *testing.T) (*level.Level, error) {
		return func(*testing.T) (*level.Level, error) { return levelgen.Generate(kind, levelgen.Options{}) }
	}
	scene := func(name string) func(t *testing.T) (*level.Level, error) {
		return func(*testing.T) (*level.Level, error) {
			return meadow.Open(filepath.Join("testdata", "scenes", name+".obj"))
		}
	}
	real := func(name string) func(t *testing.T) (*level.Level, error) {
		return func(t *testing.T) (*level.Level, error) { return meadow.Open(reallevels.Path(t, name+".obj")) }
	}
	for _, tt := range []struct {
		name  string
		open  func(t *testing.T) (*level.Level, error)
		agent meadow.Agent
		all   bool // keep every part of the floor
		large bool // too large for the race detector
		long  bool // only where MEADOW_PATHS asks for it
	}{
		{name: "carpark", open: generated("carpark")},
		{name: "spiral", open: generated("spiral")},
		{name: "stairs", open: generated("stairs")},
		{name: "demo", open: generated("demo")},
		{name: "bridge", open: generated("bridge")},
		{name: "arch", open: generated("arch")},
		{name: "terrain", open: generated("terrain"), large: true},
		{name: "city", open: generated("city")},
		{name: "tower", open: generated("tower")},
		{name: "highrise", open: generated("highrise"), large: true},
		{name: "ramps", open: generated("ramps"), large: true},
		{name: "rough", open: generated("rough")},
		{name: "rts", open: generated("rts")},
		{name: "urban", open: generated("urban")},
		{name: "S1 at 0.6", open: scene("S1"), agent: climber(0.6), all: true},
		{name: "S1 at 0.3", open: scene("S1"), agent: climber(0.3), all: true},
		{name: "S1 at 0", open: scene("S1"), agent: climber(meadow.PointRadius), all: true},
		{name: "S2a at 0", open: scene("S2a"), agent: climber(meadow.PointRadius), all: true},
		{name: "S2b at 0.6", open: scene("S2b"), agent: climber(0.6), all: true},
		{name: "S2b at 0.3", open: scene("S2b"), agent: climber(0.3), all: true},
		{name: "S2b at 0", open: scene("S2b"), agent: climber(meadow.PointRadius), all: true},
		{name: "S6c at 0.6", open: scene("S6c"), agent: climber(0.6), all: true},
		{name: "S6c at 0.3", open: scene("S6c"), agent: climber(0.3), all: true},
		{name: "S6c at 0", open: scene("S6c"), agent: climber(meadow.PointRadius), all: true},
		{name: "nav_test", open: real("nav_test"), agent: climber(0.6)},
		{name: "dungeon", open: real("dungeon"), agent: climber(0.6)},
		{name: "oa_shouse", open: real("oa_shouse"), agent: climber(0.6), large: true},
		{name: "undulating", open: real("undulating"), agent: climber(0.6), large: true},
		{name: "sthelens", open: real("sthelens"), agent: climber(0.6), long: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.large && (race.Enabled || testing.Short()) {
				t.Skip("takes long with the race detector")
			}
			if tt.long && !asked {
				t.Skip("takes long: ask for it with MEADOW_PATHS")
			}
			lvl, err := tt.open(t)
			if err != nil {
				t.Fatal(err)
			}
			mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: tt.agent, KeepAll: tt.all}, meadow.MeshOptions{})
			if err != nil {
				t.Fatal(err)
			}
			w := walkAtRandom(t, mesh.Mesh, paths)
			t.Logf("%d paths: %.3f m off the floor, %.3f m bridged, steps of %.3f m; there and back differ by %.2g, over the floor by %.2g",
				w.paths, w.report.Off, w.report.Bridged, w.report.Step, w.length, w.surface)
			for _, f := range w.faults(mesh.Mesh) {
				t.Error(f)
			}
		})
	}
}
