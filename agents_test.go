package meadow_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// agentLevels are levels for agents to walk on: one with doors and links, one with storeys, and a real one,
// where there are any.
func agentLevels(t *testing.T) map[string]*level.Level {
	t.Helper()
	out := map[string]*level.Level{}
	for _, kind := range []string{"halls", "spiral"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		out[kind] = lvl
	}
	if lvl, err := meadow.Open(filepath.Join(reallevels.Dir(), "dungeon.obj")); err == nil {
		out["dungeon"] = lvl
	}
	return out
}

// TestAgentsOnLevels walks along corridors on meshes that were built: what is walked is what the path costs;
// searches in slices and for many goals give the same, and partial paths end below goals in the air.
func TestAgentsOnLevels(t *testing.T) {
	race.Skip(t)
	for name, lvl := range agentLevels(t) {
		t.Run(name, func(t *testing.T) {
			mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.5, MaxSlope: meadow.Degrees(45)})
			if err != nil {
				t.Fatal(err)
			}
			ix := mesh.Index()
			q, s := ix.NewQuery(), ix.NewSearch()
			rng := rand.New(rand.NewPCG(7, 7))
			links := 0
			for range 40 {
				start, ok := q.RandomPoint(rng)
				goal, ok2 := q.RandomPoint(rng)
				if !ok || !ok2 {
					t.Fatal("no floor")
				}
				path, err := q.PathBetween(t.Context(), start, goal)
				if err != nil {
					t.Fatal(err)
				}
				want := path.Clone()
				if !want.Complete {
					continue
				}
				slack := 1e-9 * (1 + want.Cost)
				fan, err := q.ToMany(t.Context(), start.Point, []geom.Vec{goal.Point, start.Point})
				if err != nil || math.Abs(fan.Costs[0]-want.Cost) > slack+0.25*float64(len(want.Crossings)) || fan.Costs[1] != 0 {
					t.Fatalf("costs %v, %v, the path costs %v", fan.Costs, err, want.Cost)
				}
				if err := s.Begin(start.Point, goal.Point); err != nil {
					t.Fatal(err)
				}
				for !s.Advance(16) {
				}
				if got := s.Path(); math.Abs(got.Cost-want.Cost) > slack {
					t.Fatalf("in slices %v, the path costs %v", got.Cost, want.Cost)
				}
				air := goal.Point.Add(geom.Vec{Y: 100})
				if got, err := q.PartialPath(t.Context(), start.Point, air); err != nil || got.Complete || len(got.Points) == 0 {
					t.Fatalf("to a goal in the air: %v, %v", got, err)
				}
				cost, taken := follow(t, mesh, q, start, goal.Point)
				if links += taken; math.Abs(cost-want.Cost) > 0.01*(1+want.Cost) {
					t.Fatalf("from %v to %v: walked %v, the path costs %v", start, goal, cost, want.Cost)
				}
			}
			if name == "halls" && links == 0 {
				t.Error("no link was taken")
			}
		})
	}
}

// follow leads an agent along a corridor by steps of a quarter of a metre, and returns what that costs and how many
// links it takes.
func follow(t *testing.T, mesh *meadow.Mesh, q *query.Query, start query.Position, goal geom.Vec) (cost float64, links int) {
	t.Helper()
	var c query.Corridor
	c.Reset(start)
	if err := c.Plan(t.Context(), q, goal); err != nil || !c.Complete() {
		t.Fatal(c.Complete(), err)
	}
	var corners []query.Corner
	for range 20000 {
		var err error
		if corners, err = c.Corners(q, corners[:0], 2); err != nil {
			t.Fatal(err)
		}
		at, next := c.Position().Point, corners[0]
		dx, dz := next.Point.X-at.X, next.Point.Z-at.Z
		l := math.Hypot(dx, dz)
		switch {
		case next.Target && l < 0.01:
			return cost, links
		case next.Link >= 0 && l < 0.001:
			crossing, err := c.TakeLink(q)
			if err != nil || crossing.Link != next.Link {
				t.Fatal(crossing, err)
			}
			cost += float64(mesh.Links[next.Link].Cost)
			links++
			continue
		}
		part := min(1, 0.25/l)
		if err := c.MovePosition(q, at.Add(geom.Vec{X: part * dx, Z: part * dz})); err != nil {
			t.Fatal(err)
		}
		cost += math.Hypot(c.Position().Point.X-at.X, c.Position().Point.Z-at.Z)
		if !c.Valid(q, 1<<20) {
			t.Fatalf("the corridor does not hold at %v", c.Position())
		}
	}
	t.Fatalf("from %v to %v: no end of the walk, at %v", start, goal, c.Position())
	return 0, 0
}
