package crowd_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestLead leads an agent over free floor, past a standing agent and against a wall, and gives it a goal again.
func TestLead(t *testing.T) {
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	from := geom.Vec{X: -10, Z: 2}
	for i, at := range []geom.Vec{from, {X: -5, Z: 2.05}} {
		if err := c.Add(crowd.Spec{ID: crowd.ID(i), At: at, Unyielding: i == 1}); err != nil {
			t.Fatal(err)
		}
	}
	if c.Lead(2, geom.Vec{X: 1}) == nil || c.Lead(0, geom.Vec{X: math.NaN()}) == nil {
		t.Error("an unknown agent or a NaN is led")
	}
	if floor, err := c.Floor(0); err != nil || floor != ix {
		t.Errorf("the floor is %p, %v, want %p", floor, err, ix)
	}
	if _, err := c.Floor(2); err == nil {
		t.Error("an unknown agent has a floor")
	}
	j := judge{q: ix.NewQuery()}
	step := func() crowd.Agent {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		j.look(c)
		a, _ := c.Agent(0)
		return a
	}
	if err := c.Lead(0, geom.Vec{X: 0.8, Y: 5}); err != nil {
		t.Fatal(err)
	}
	var a crowd.Agent
	for range 40 {
		a = step()
	}
	if v := a.Velocity.Sub(geom.Vec{X: 0.8}).Norm(); v > 0.01 || a.At.DistXZ(from) < 1.3 || a.State != crowd.Walking || a.Goal != (geom.Vec{}) {
		t.Errorf("at %v with %v, %v to %v", a.At, a.Velocity, a.State, a.Goal)
	}
	// Faster than the agent can, past the standing agent, up to the wall beside the door.
	for range 400 {
		if err := c.Lead(0, geom.Vec{X: 9}); err != nil {
			t.Fatal(err)
		}
		a = step()
		if v := a.Velocity.Norm(); v > a.Speed+0.01 {
			t.Fatalf("%v m/s, the greatest speed is %v", v, a.Speed)
		}
	}
	if a.At.X < -1 || j.overlap > 0.001 || j.off > 0 || a.State != crowd.Walking {
		t.Errorf("at %v, %v, %v m of overlap, %d times off the floor", a.At, a.State, j.overlap, j.off)
	}
	// A led agent brakes from its own speed, however fast it should walk.
	for _, v := range []geom.Vec{{X: -9}, {}} {
		if err := c.Lead(0, v); err != nil {
			t.Fatal(err)
		}
		for range 6 + int(-v.X)*3 {
			a = step()
		}
	}
	if a.Velocity != (geom.Vec{}) {
		t.Errorf("%v m/s, 0.3 s after the end", a.Velocity)
	}
	if err := c.Goal(0, from); err != nil {
		t.Fatal(err)
	}
	for range 400 {
		a = step()
	}
	if a.State != crowd.Arrived {
		t.Errorf("%v at %v", a.State, a.At)
	}
}
