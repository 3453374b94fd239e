package crowd_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// TestWorldChanges lets crates come, move and go under walkers. Nobody is lost: everybody stands on the floor as it is, and in
// the end everybody has arrived, or is told why not. The long form walks 2,000 agents through a city for ten minutes.
func TestWorldChanges(t *testing.T) {
	kind, size, walkers, steps := "halls", 0.0, 40, 400
	if slow.Enabled() {
		kind, size, walkers, steps = "city", 150, 2000, 12000
	}
	l, err := levelgen.Generate(kind, levelgen.Options{Seed: 1, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), l, geom.Agent{Radius: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	w, err := meadow.NewWorld(t.Context(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := crowd.New(crowd.Options{}, w.Now().Index())
	if err != nil {
		t.Fatal(err)
	}
	floor, rng := m.Index().NewQuery(), rand.New(rand.NewPCG(1, 7))
	fill(t, c, floor, walkers, 0.4, rng)
	crate := func() world.Solid {
		at, _ := floor.RandomPoint(rng)
		return world.Box{Base: at.Point, Size: geom.Vec{X: 1 + rng.Float64(), Y: 1, Z: 0.5}, Yaw: 3 * rng.Float64()}
	}
	// caught are the steps in which a change moved agents: they part from others within a second.
	caught := map[crowd.ID]int{}
	moved, standing := 0, map[world.ID]bool{}
	q := w.Now().NewQuery()
	for step := range steps {
		if step%10 == 0 && step < steps*3/4 {
			id := world.ID(fmt.Sprint(rng.IntN(walkers / 4)))
			var edit world.Edit = world.Put{ID: id, Solid: crate()}
			if standing[id] {
				if edit = (world.Move{ID: id, Solid: crate()}); rng.IntN(3) == 0 {
					edit = world.Take{ID: id}
				}
			}
			_, gone := edit.(world.Take)
			standing[id] = !gone
			change, err := w.Apply(t.Context(), edit)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Use(change.Boxes, w.Now().Index()); err != nil {
				t.Fatal(err)
			}
			q.Use(w.Now().Index())
		}
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Events() {
			if e.Kind == crowd.EventMoved {
				moved++
				caught[e.ID] = step
				continue
			}
			if e.Kind == crowd.EventStuck && e.Reason == crowd.NoReason {
				t.Fatalf("step %d: agent %d is stuck without a reason", step, e.ID)
			}
			if step < steps/2 {
				goal, _ := floor.RandomPoint(rng)
				if err := c.Goal(e.ID, goal.Point); err != nil {
					t.Fatal(err)
				}
			}
		}
		apart(t, c, q, step, caught)
	}
	if c.Len() != walkers {
		t.Fatalf("%d of %d agents are left", c.Len(), walkers)
	}
	if moved == 0 {
		t.Error("no crate came down on anybody: too few for a test")
	}
	// The world rests now: everybody comes to an end.
	const rest = 12000
	for range rest {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
	}
	for a := range c.Agents() {
		if a.State != crowd.Arrived && (a.State != crowd.Stuck || a.Reason == crowd.NoReason) {
			t.Errorf("agent %d is %v at %v after %v s of rest", a.ID, a.State, a.At, rest*0.05)
		}
	}
}

// apart fails for agents off the floor and for bodies that overlap. A pair with an agent that a change moved in the last
// second may overlap.
func apart(t *testing.T, c *crowd.Crowd, q *query.Query, step int, caught map[crowd.ID]int) {
	t.Helper()
	var all []crowd.Agent
	for a := range c.Agents() {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b crowd.Agent) int { return cmp.Compare(a.At.X, b.At.X) })
	fresh := func(a crowd.Agent) bool {
		at, ok := caught[a.ID]
		return ok && step-at <= 20
	}
	for i, a := range all {
		if a.State == crowd.OnLink {
			continue
		}
		if pos, ok := q.Locate(a.At); (!ok || pos.Point != a.At) && (a.State != crowd.Stuck || a.Reason != crowd.FloorGone) {
			t.Fatalf("step %d: agent %d is off the floor at %v", step, a.ID, a.At)
		}
		for _, b := range all[i+1:] {
			if b.At.X > a.At.X+0.8 {
				break
			}
			over := a.Radius + b.Radius - a.At.DistXZ(b.At)
			if b.State != crowd.OnLink && over > 0.01 && abs(a.At.Y-b.At.Y) < 1.9 && !fresh(a) && !fresh(b) {
				t.Fatalf("step %d: agents %d and %d overlap by %v m at %v", step, a.ID, b.ID, over, a.At)
			}
		}
	}
}
