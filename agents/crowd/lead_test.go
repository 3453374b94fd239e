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

// TestLedTakeTurns leads two streams straight at each other through a door that one can pass: with the doors of their ways
// all get through, and never two of opposite directions hold the door. A saved crowd goes on with the same bits.
func TestLedTakeTurns(t *testing.T) {
	ix := ofBoxes(t, 0.4, box{-15, -1, -6, 15, 0, 6}, box{-0.25, 0, -6, 0.25, 2.5, -0.6}, box{-0.25, 0, 0.6, 0.25, 2.5, 6})
	const n = 6
	run := func(turns bool) (passed int, hash uint64) {
		s := newScene(t, ix)
		ways := [2][]geom.Vec{{{X: -14}, {X: 14}}, {{X: 14}, {X: -14}}}
		for i := range 2 * n {
			side := float64(1 - 2*(i%2))
			at := geom.Vec{X: -side * (2 + float64(i/2/2)), Z: float64(i/2%2) - 0.5}
			if err := s.Add(crowd.Spec{ID: crowd.ID(i), At: at}); err != nil {
				t.Fatal(err)
			}
		}
		var doors [2]crowd.Doors
		for k := range doors {
			var err error
			if doors[k], err = s.Doors(crowd.ID(k), ways[k]); err != nil {
				t.Fatal(err)
			}
		}
		through := map[crowd.ID]bool{}
		for s.now < 60 && len(through) < 2*n {
			for a := range s.Agents() {
				k := int(a.ID % 2)
				side := float64(1 - 2*k)
				if a.At.X*side > 1.5 {
					through[a.ID] = true
				}
				to := geom.Vec{X: 14 * side}
				if a.At.X*side < -0.5 {
					to = geom.Vec{X: 0.5 * side} // to the door first
				} else {
					to.Z = 5 - float64(a.ID)
				}
				v := to.Sub(a.At).Unit().Scale(1.4)
				var err error
				if turns {
					err = s.LeadOn(a.ID, v, 14-a.At.X*side)
				} else {
					err = s.Lead(a.ID, v)
				}
				if err == nil && turns && s.now == 0 {
					err = s.Meet(a.ID, doors[k], 0)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			s.step(t, 0.05)
			inside := [2]bool{}
			for a := range s.Agents() {
				if a.At.X > -0.25 && a.At.X < 0.25 {
					inside[a.ID%2] = true
				}
			}
			if turns && inside[0] && inside[1] {
				t.Fatalf("%.2f s: two of opposite directions are in the door", s.now)
			}
		}
		return len(through), s.Hash()
	}
	with, hash := run(true)
	if _, again := run(true); with < 2*n || again != hash {
		t.Errorf("%d of %d are through, hashes %x and %x", with, 2*n, hash, again)
	}
	c, _ := crowd.New(crowd.Options{}, ix)
	if err := c.Add(crowd.Spec{ID: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Doors(2, nil); err == nil {
		t.Error("doors for an unknown agent")
	}
	if c.Meet(1, crowd.Doors{}, 0) == nil || c.Meet(2, crowd.Doors{}, 0) == nil || c.LeadOn(1, geom.Vec{}, math.NaN()) == nil || c.LeadOn(2, geom.Vec{}, 1) == nil {
		t.Error("an agent that is not led, an unknown agent or a NaN is accepted")
	}
}
