package meadow_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/levelgen"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// walked says what is worst among random paths of a mesh.
type walked struct {
	paths   int
	off     footing.Report
	length  float64 // relative difference there and back
	surface float64 // relative difference there and back
	from    geom.Vec
	to      geom.Vec
}

// walkAtRandom asks for paths between random places there and back, and judges them.
func walkAtRandom(t *testing.T, m *navmesh.Mesh, n int) walked {
	t.Helper()
	ctx := context.Background()
	q := query.NewIndex(m).NewQuery()
	floor := footing.New(m)
	rng := rand.New(rand.NewPCG(5, 14))
	var w walked
	for range 4 * n {
		if w.paths == n {
			break
		}
		from, ok := q.RandomPoint(rng)
		to, _ := q.RandomPoint(rng)
		if !ok {
			t.Fatal("the mesh has no area")
		}
		there, err := q.PathBetween(ctx, from, to)
		if err != nil {
			t.Fatal(err)
		}
		if !there.Complete {
			continue
		}
		w.paths++
		r := floor.Check(there.Points, query.HeightError)
		if r.Off > w.off.Off {
			w.off.Off, w.off.OffAt, w.from, w.to = r.Off, r.OffAt, from.Point, to.Point
		}
		if r.Bridged > w.off.Bridged {
			w.off.Bridged, w.off.BridgedAt = r.Bridged, r.BridgedAt
		}
		if r.Step > w.off.Step {
			w.off.Step, w.off.StepAt = r.Step, r.StepAt
		}
		length, surface := there.Length, there.SurfaceLength
		back, err := q.PathBetween(ctx, to, from)
		if err != nil {
			t.Fatal(err)
		}
		w.length = max(w.length, math.Abs(back.Length-length)/max(length, 1))
		w.surface = max(w.surface, math.Abs(back.SurfaceLength-surface)/max(surface, 1))
	}
	return w
}

var _ = race.Enabled
var _ = level.Level{}
var _ = lattice.Unit

func TestPathsLieOnTheFloor(t *testing.T) {
	n := 200
	if s := os.Getenv("MEADOW_PATHS"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	agent := meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: meadow.Degrees(45)}
	run := func(name string, lvl *level.Level, agent meadow.Agent, keep bool) {
		t.Run(name, func(t *testing.T) {
			opt := meadow.Options{Agent: agent}
			opt.KeepAll = keep
			mesh, err := meadow.BuildWith(t.Context(), lvl, opt)
			if err != nil {
				t.Fatal(err)
			}
			w := walkAtRandom(t, mesh.Mesh, n)
			t.Logf("%d paths: off %.3f m at %v; bridged %.3f m at %v; step %.3f m at %v; length %.2g, surface %.2g; %v to %v", w.paths,
				w.off.Off, w.off.OffAt, w.off.Bridged, w.off.BridgedAt, w.off.Step, w.off.StepAt, w.length, w.surface, w.from, w.to)
		})
	}
	for _, kind := range []string{"carpark", "spiral", "stairs", "demo", "terrain", "bridge", "arch", "city"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(kind, lvl, meadow.Agent{}, false)
	}
	for _, name := range []string{"S1", "S6c", "S2a", "S2b", "S5"} {
		for _, radius := range []float64{0.6, .3, -1} {
			lvl, err := meadow.Open(filepath.Join("testdata", "scenes", name+".obj"))
			if err != nil {
				t.Fatal(err)
			}
			a := agent
			a.Radius = radius
			run(name, lvl, a, true)
		}
	}
	for _, name := range []string{"dungeon", "nav_test", "oa_shouse", "undulating", "sthelens"} {
		lvl, err := meadow.Open(filepath.Join("../shared/levels", name+".obj"))
		if err != nil {
			continue
		}
		run(name, lvl, agent, false)
	}
}
