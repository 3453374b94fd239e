package crowd_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// TestWorldChanges lets crates come, move and go under walkers. Nobody is lost: everybody stands on the floor as it is, and in
// the end everybody has arrived, or is told why not. The long form walks 2,000 agents through a city for ten minutes of ticks;
// under the race detector for one minute, with goals within 25 m. The test goes on until all have come to an end, ten minutes at
// most. With a file named by MEADOW_STATE the test keeps its state there every ten seconds of ticks, and goes on from the state, with
// a new crowd at the same places.
func TestWorldChanges(t *testing.T) {
	kind, size, walkers, steps, near := "halls", 0.0, 40, 400, false
	if slow.Enabled() {
		kind, size, walkers, steps = "city", 150, 2000, 12000
		if race.Enabled {
			steps, near = steps/10, true // a step takes ten times as long
		}
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
	floor, source := m.Index().NewQuery(), rand.NewPCG(1, 7)
	rng := rand.New(source)
	var state walk
	kept := state.read(t, os.Getenv("MEADOW_STATE"), source)
	standing := map[world.ID]bool{}
	for _, data := range state.Things {
		edits, err := world.DecodeEdits(data)
		if err == nil {
			_, err = w.Apply(t.Context(), edits...)
		}
		if err != nil {
			t.Fatal(err)
		}
		standing[edits[0].(world.Put).ID] = true
	}
	c, err := crowd.New(crowd.Options{}, w.Now().Index())
	if err != nil {
		t.Fatal(err)
	}
	// caught are the steps in which a change moved agents: they part from others within a second.
	caught := map[crowd.ID]int{}
	// send gives an agent a new goal.
	send := func(id crowd.ID) {
		a, err := c.Agent(id)
		if err != nil {
			t.Fatal(err)
		}
		goal, ok := floor.RandomPoint(rng)
		if here, on := floor.Locate(a.At); on && near {
			goal, err = floor.RandomPointInCircle(here, 25, rng)
		}
		if err == nil && ok {
			err = c.Goal(id, goal.Point)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if kept {
		for i, at := range state.At {
			id := crowd.ID(i)
			pos, ok := w.Now().Free(at, 50) // some stand where the floor has gone
			if !ok {
				t.Fatalf("no floor for agent %d", i)
			}
			if err := c.Add(crowd.Spec{ID: id, At: pos.Point, Radius: 0.4, Speed: 1.4}); err != nil {
				t.Fatal(err)
			}
			if err := c.Goal(id, state.Goals[i]); err != nil {
				t.Fatal(err)
			}
			caught[id] = state.Step
		}
	} else {
		fill(t, c, floor, walkers, 0.4, rng)
		for id := range crowd.ID(walkers) {
			send(id)
		}
	}
	crate := func() world.Solid {
		at, _ := floor.RandomPoint(rng)
		return world.Box{Base: at.Point, Size: geom.Vec{X: 1 + rng.Float64(), Y: 1, Z: 0.5}, Yaw: 3 * rng.Float64()}
	}
	q := w.Now().NewQuery()
	// Looking at everybody takes as long as a step.
	look := 1
	if slow.Enabled() && race.Enabled {
		look = 10
	}
	step := func(n int) {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Events() {
			if e.Kind == crowd.EventMoved {
				state.Moved++
				caught[e.ID] = n
				continue
			}
			if e.Kind == crowd.EventStuck && e.Reason == crowd.NoReason {
				t.Fatalf("step %d: agent %d is stuck without a reason", n, e.ID)
			}
			if n < steps/2 {
				send(e.ID)
			}
		}
		if n%look == 0 {
			apart(t, c, q, n, caught)
		}
	}
	for n := state.Step; n < steps; n++ {
		if n%10 == 0 && n < steps*3/4 {
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
		step(n)
		state.keep(t, n+1, source, c, w)
	}
	if c.Len() != walkers {
		t.Fatalf("%d of %d agents are left", c.Len(), walkers)
	}
	if state.Moved == 0 {
		t.Error("no crate came down on anybody: too few for a test")
	}
	// The world rests now: everybody comes to an end.
	const rest = 12000
	walking := func() (list []crowd.Agent) {
		for a := range c.Agents() {
			if a.State != crowd.Arrived && (a.State != crowd.Stuck || a.Reason == crowd.NoReason) {
				list = append(list, a)
			}
		}
		return list
	}
	n := max(steps, state.Step)
	for ; n < steps+rest && (n%20 > 0 || len(walking()) > 0); n++ {
		step(n)
		state.keep(t, n+1, source, c, w)
	}
	for _, a := range walking() {
		t.Errorf("agent %d is %v at %v after %v s of rest", a.ID, a.State, a.At, rest*0.05)
	}
	t.Logf("%d agents moved by crates; all at an end %v s after the last change of goals", state.Moved, float64(n-steps/2)*0.05)
}

// walk is the state of a long walk in a file.
type walk struct {
	Step, Moved int
	Random      []byte
	At, Goals   []geom.Vec // of the agents, by ID; those who have ended have goals where they are
	Things      [][]byte   // by world.EncodeEdits
}

// read reads the state of a file, and reports whether there is one; an empty path stands for no file.
func (s *walk) read(t *testing.T, path string, source *rand.PCG) bool {
	t.Helper()
	data, err := os.ReadFile(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err == nil {
		err = json.Unmarshal(data, s)
	}
	if err == nil {
		err = source.UnmarshalBinary(s.Random)
	}
	if err != nil {
		t.Fatal(err)
	}
	return true
}

// keep writes the state after a number of steps to the file of MEADOW_STATE, now and then, whole or not at all.
func (s *walk) keep(t *testing.T, steps int, source *rand.PCG, c *crowd.Crowd, w *world.World) {
	t.Helper()
	path := os.Getenv("MEADOW_STATE")
	if s.Step = steps; path == "" || steps%200 > 0 {
		return
	}
	s.At, s.Goals, s.Things = make([]geom.Vec, c.Len()), make([]geom.Vec, c.Len()), nil
	for a := range c.Agents() {
		s.At[a.ID], s.Goals[a.ID] = a.At, a.Goal
		if a.State == crowd.Arrived || a.State == crowd.Stuck {
			s.Goals[a.ID] = a.At
		}
	}
	for _, thing := range w.Now().Things() {
		data, err := world.EncodeEdits(thing)
		if err != nil {
			t.Fatal(err)
		}
		s.Things = append(s.Things, data)
	}
	var err error
	if s.Random, err = source.MarshalBinary(); err == nil {
		var data []byte
		if data, err = json.Marshal(s); err == nil {
			if err = os.WriteFile(path+".new", data, 0o666); err == nil {
				err = os.Rename(path+".new", path)
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// apart fails for agents off the floor and for bodies that overlap. A pair with an agent a change moved in the last
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

// TestShorterWays takes a crate out of a door: walkers on the long way round turn back to the door where that is shorter, and those near their
// goals walk on.
func TestShorterWays(t *testing.T) {
	ix := ofBoxes(t, 0.25, box{-10, -1, -10, 10, 0, 10}, box{-0.2, 0, -8, 0.2, 2.5, -0.6}, box{-0.2, 0, 0.6, 0.2, 2.5, 8})
	w, err := world.New(t.Context(), ix.Mesh(), world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	change := func(c *crowd.Crowd, e world.Edit) {
		made, err := w.Apply(t.Context(), e)
		if err == nil && c != nil {
			err = c.Use(made.Boxes, w.Now().Index())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	crate := world.Put{ID: "crate", Solid: world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 2}}}
	change(nil, crate)
	c, err := crowd.New(crowd.Options{}, w.Now().Index())
	if err != nil {
		t.Fatal(err)
	}
	for id, at := range []geom.Vec{{X: -4}, {X: 3.4, Z: -8.5}} {
		if err := c.Add(crowd.Spec{ID: crowd.ID(id), At: at}); err != nil {
			t.Fatal(err)
		}
		if err := c.Goal(crowd.ID(id), geom.Vec{X: 4}); err != nil {
			t.Fatal(err)
		}
	}
	remains := func() [2]float64 {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		return [2]float64{get(t, c, 0).Remains, get(t, c, 1).Remains}
	}
	before := remains()
	change(c, world.Take{ID: crate.ID})
	after := remains()
	if before[0] < 17 || after[0] > 8.2 || abs(after[1]-before[1]) > 0.1 {
		t.Errorf("%.2f m to go with the crate and %.2f without", before, after)
	}
	change(c, crate)
	if again := remains(); again[0] < 17 {
		t.Errorf("%.2f m to go with the crate there again", again)
	}
}
