package crowd_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// halls returns a crowd on generated halls: two rooms with a door between them, a gallery with a ladder, a tower.
func halls(t *testing.T) *crowd.Crowd {
	t.Helper()
	c, err := crowd.New(crowd.Options{}, generated(t, "halls", levelgen.Options{Seed: 1}, 0.4))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func add(t *testing.T, c *crowd.Crowd, specs ...crowd.Spec) {
	t.Helper()
	for _, s := range specs {
		if err := c.Add(s); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, c *crowd.Crowd, seconds float64, each func()) {
	t.Helper()
	for range int(seconds / 0.05) {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		if each != nil {
			each()
		}
	}
}

func get(t *testing.T, c *crowd.Crowd, id crowd.ID) crowd.Agent {
	t.Helper()
	a, err := c.Agent(id)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestFollow lets an agent follow another one through a door, and end beside it.
func TestFollow(t *testing.T) {
	c := halls(t)
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -6}}, crowd.Spec{ID: 2, At: geom.Vec{X: -9, Z: 3}, Speed: 1.6})
	if err := c.Goal(1, geom.Vec{X: 8, Z: 2}); err != nil {
		t.Fatal(err)
	}
	if err := c.Follow(2, 1, 0.5); err != nil {
		t.Fatal(err)
	}
	run(t, c, 25, nil)
	a, b := get(t, c, 1), get(t, c, 2)
	if d := a.At.DistXZ(b.At) - 0.8; a.State != crowd.Arrived || b.State != crowd.Arrived || d > 0.55 {
		t.Fatalf("leader %v, follower %v, %v m apart", a.State, b.State, d)
	}
	// The leader goes on: the follower wakes.
	if err := c.Goal(1, geom.Vec{X: -8, Z: 2}); err != nil {
		t.Fatal(err)
	}
	run(t, c, 25, nil)
	if d := get(t, c, 1).At.DistXZ(get(t, c, 2).At) - 0.8; d > 0.55 {
		t.Errorf("the follower stayed behind, %v m", d)
	}
	if err := c.Remove(1); err != nil {
		t.Fatal(err)
	}
	run(t, c, 0.1, nil)
	if b := get(t, c, 2); b.State != crowd.Stuck || b.Reason != crowd.GoalGone {
		t.Errorf("the leader is gone, the follower is %v: %v", b.State, b.Reason)
	}
}

// TestGoalNearest chooses by the way, not by the straight distance: the nearest place in a straight line is behind the wall.
func TestGoalNearest(t *testing.T) {
	c := halls(t)
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -1.5, Z: 6}})
	behind, here := geom.Vec{X: 1.5, Z: 6}, geom.Vec{X: -9, Z: 6}
	if err := c.GoalNearest(1, []geom.Vec{behind, here}); err != nil {
		t.Fatal(err)
	}
	run(t, c, 12, nil)
	if a := get(t, c, 1); a.State != crowd.Arrived || a.Goal != here {
		t.Errorf("%v at %v, goal %v", a.State, a.At, a.Goal)
	}
}

// TestGoalsThatFail sends agents to places that no way leads to.
func TestGoalsThatFail(t *testing.T) {
	c := halls(t)
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -6}}, crowd.Spec{ID: 2, At: geom.Vec{X: -8}})
	if err := c.Goal(1, geom.Vec{X: 500}); err != nil {
		t.Fatal(err)
	}
	f, err := crowdRule(t, c)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.SetRule(2, f); err != nil {
		t.Fatal(err)
	}
	if err := c.Goal(2, geom.Vec{X: 8}); err != nil {
		t.Fatal(err)
	}
	run(t, c, 20, nil)
	if a := get(t, c, 1); a.State != crowd.Stuck || a.Reason != crowd.OffGoal {
		t.Errorf("beyond the mesh: %v, %v", a.State, a.Reason)
	}
	if a := get(t, c, 2); a.State != crowd.Stuck || a.Reason != crowd.NoWay || a.At.X > 0 {
		t.Errorf("doors closed: %v, %v at %v", a.State, a.Reason, a.At)
	}
	if err := c.SetRule(2, 0); err != nil {
		t.Fatal(err)
	}
	run(t, c, 20, nil)
	if a := get(t, c, 2); a.State != crowd.Arrived {
		t.Errorf("doors open: %v, %v at %v", a.State, a.Reason, a.At)
	}
}

// crowdRule makes a rule that closes the door between the rooms: no link, and no portal narrower than 1.5 m.
func crowdRule(t *testing.T, c *crowd.Crowd) (crowd.Rule, error) {
	t.Helper()
	return c.Allow(query.Filter{Radius: 1.2, Exclude: ^uint32(0) &^ 1})
}

// TestPush knocks an agent back, against a wall: it stays on the floor and walks on to its goal.
func TestPush(t *testing.T) {
	c := halls(t)
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -6, Z: 2}})
	goal := geom.Vec{X: -2, Z: 2}
	if err := c.Goal(1, goal); err != nil {
		t.Fatal(err)
	}
	run(t, c, 0.5, nil)
	if err := c.Push(1, geom.Vec{X: -8}); err != nil {
		t.Fatal(err)
	}
	west := 0.0
	run(t, c, 10, func() { west = min(west, get(t, c, 1).At.X) })
	if a := get(t, c, 1); west > -7.5 || a.State != crowd.Arrived {
		t.Errorf("pushed to x = %v, then %v at %v", west, a.State, a.At)
	}
	if err := c.Push(1, geom.Vec{Z: 90}); err != nil {
		t.Fatal(err)
	}
	q := floorOf(t)
	run(t, c, 3, func() {
		if at := get(t, c, 1).At; !on(q, at) {
			t.Fatalf("pushed off the mesh, to %v", at)
		}
	})
}

func floorOf(t *testing.T) *query.Query {
	return generated(t, "halls", levelgen.Options{Seed: 1}, 0.4).NewQuery()
}

func on(q *query.Query, at geom.Vec) bool {
	pos, ok := q.Locate(at)
	return ok && pos.Point == at
}

// TestPauseAndTeleport stops an agent, and puts it elsewhere on the way to its goal.
func TestPauseAndTeleport(t *testing.T) {
	c := halls(t)
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -9, Z: 2}}, crowd.Spec{ID: 2, At: geom.Vec{X: -6, Z: 2}})
	if err := c.Goal(1, geom.Vec{X: -3, Z: 2}); err != nil {
		t.Fatal(err)
	}
	if err := c.Pause(2, true); err != nil {
		t.Fatal(err)
	}
	run(t, c, 8, nil)
	if a, b := get(t, c, 1), get(t, c, 2); a.State != crowd.Arrived || b.State != crowd.Paused || b.At.X != -6 {
		t.Fatalf("the walker is %v at %v, the paused one %v at %v", a.State, a.At, b.State, b.At)
	}
	if err := c.Pause(2, false); err != nil {
		t.Fatal(err)
	}
	if err := c.Goal(2, geom.Vec{X: 9, Z: 2}); err != nil {
		t.Fatal(err)
	}
	run(t, c, 1, nil)
	if err := c.Teleport(2, geom.Vec{X: 7, Z: 2}); err != nil {
		t.Fatal(err)
	}
	run(t, c, 2.5, nil)
	if b := get(t, c, 2); b.State != crowd.Arrived {
		t.Errorf("after the teleport: %v at %v", b.State, b.At)
	}
}

// TestLink lets two agents take one ladder from both ends: one after the other.
func TestLink(t *testing.T) {
	c := halls(t)
	_, _, gallery, _ := levelgen.HallsWalks()
	floor := geom.Vec{X: -6, Z: -2}
	add(t, c, crowd.Spec{ID: 1, At: floor}, crowd.Spec{ID: 2, At: gallery})
	if err := c.Goal(1, gallery.Add(geom.Vec{X: 0.9})); err != nil {
		t.Fatal(err)
	}
	if err := c.Goal(2, geom.Vec{X: -7, Z: 0}); err != nil {
		t.Fatal(err)
	}
	links, landed := 0, 0
	run(t, c, 40, func() {
		if get(t, c, 1).State == crowd.OnLink && get(t, c, 2).State == crowd.OnLink {
			t.Fatal("two agents on one ladder")
		}
		for _, e := range c.Events() {
			switch e.Kind {
			case crowd.EventLink:
				links++
			case crowd.EventLanded:
				landed++
			}
		}
	})
	a, b := get(t, c, 1), get(t, c, 2)
	if a.State != crowd.Arrived || b.State != crowd.Arrived || links != 2 || landed != 2 {
		t.Errorf("up: %v at %v; down: %v at %v; %d links begun, %d ended", a.State, a.At, b.State, b.At, links, landed)
	}
}

// TestRadii walks agents of two radii on two meshes: the wide one keeps off walls as its mesh does.
func TestRadii(t *testing.T) {
	l, err := levelgen.Generate("halls", levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := meadow.Build(t.Context(), l, geom.Agent{Radius: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := meadow.Build(t.Context(), l, geom.Agent{Radius: 0.6})
	if err != nil {
		t.Fatal(err)
	}
	c, err := crowd.New(crowd.Options{}, wide.Index(), narrow.Index())
	if err != nil {
		t.Fatal(err)
	}
	add(t, c, crowd.Spec{ID: 1, At: geom.Vec{X: -8}, Radius: 0.3}, crowd.Spec{ID: 2, At: geom.Vec{X: 8}, Radius: 0.6}, crowd.Spec{ID: 3, At: geom.Vec{X: -6, Z: 3}, Radius: 0.2})
	for id, x := range map[crowd.ID]float64{1: 8, 2: -8, 3: 6} {
		if err := c.Goal(id, geom.Vec{X: x, Z: 1}); err != nil {
			t.Fatal(err)
		}
	}
	q := wide.NewQuery()
	least := math.Inf(1)
	run(t, c, 30, func() {
		a, b := get(t, c, 1), get(t, c, 2)
		least = min(least, a.At.DistXZ(b.At)-0.9)
		if !on(q, b.At) {
			t.Fatalf("the wide agent is off its mesh at %v", b.At)
		}
	})
	for id := range crowd.ID(3) {
		if a := get(t, c, id+1); a.State != crowd.Arrived {
			t.Errorf("agent %d: %v at %v", a.ID, a.State, a.At)
		}
	}
	if least < -0.01 {
		t.Errorf("bodies of different radii overlap by %v m", -least)
	}
	if err := c.SetRadius(1, 0.5); err != nil {
		t.Fatal(err)
	}
	if a := get(t, c, 1); !on(q, a.At) {
		t.Errorf("agent 1 has grown, and is off the wider mesh at %v", a.At)
	}
	if err := c.SetRadius(1, 0.7); err == nil {
		t.Error("an agent has grown beyond all meshes")
	}
}

// TestPriority lets agents meet head-on: the one of higher priority goes straighter, an unyielding one straight on.
func TestPriority(t *testing.T) {
	for name, spec := range map[string]crowd.Spec{"priority": {Priority: 5}, "unyielding": {Unyielding: true}} {
		c := halls(t)
		spec.ID, spec.At = 1, geom.Vec{X: -11, Z: 2}
		add(t, c, spec, crowd.Spec{ID: 2, At: geom.Vec{X: -1, Z: 2}})
		if err := c.Goal(1, geom.Vec{X: -1, Z: 2}); err != nil {
			t.Fatal(err)
		}
		if err := c.Goal(2, geom.Vec{X: -11, Z: 2}); err != nil {
			t.Fatal(err)
		}
		high, low := 0.0, 0.0
		run(t, c, 10, func() {
			high = max(high, abs(get(t, c, 1).At.Z-2))
			low = max(low, abs(get(t, c, 2).At.Z-2))
		})
		if high >= low/2 || get(t, c, 2).State != crowd.Arrived {
			t.Errorf("%s: aside by %v m, the other by %v m", name, high, low)
		}
	}
}
