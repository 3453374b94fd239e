package crowd_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// rounding in metres bounds the distance between a place and its lattice point, from both ends of a move.
const rounding = 0.0006

// drivers compares each step of vehicles with the step before.
type drivers struct {
	was    map[crowd.ID]crowd.Agent
	turn   map[crowd.ID]float64
	moved  float64
	turned float64 // radians in all
}

func (d *drivers) look(t *testing.T, c *crowd.Crowd) {
	t.Helper()
	for a := range c.Agents() {
		radius, ok := d.turn[a.ID]
		if !ok {
			continue
		}
		was := d.was[a.ID]
		d.was[a.ID] = a
		if was.Heading == (geom.Vec{}) {
			continue
		}
		move := a.At.Sub(was.At)
		move.Y = 0
		along := math.Abs(move.Dot(was.Heading))
		across := math.Abs(move.X*was.Heading.Z - move.Z*was.Heading.X)
		angle := math.Asin(min(1, math.Abs(a.Heading.X*was.Heading.Z-a.Heading.Z*was.Heading.X)))
		if across > rounding {
			t.Fatalf("step %d: vehicle %d slides %v m to a side", c.Steps(), a.ID, across)
		}
		if angle > (along+rounding)/radius || a.Heading.Dot(was.Heading) <= 0 {
			t.Fatalf("step %d: vehicle %d turns by %v rad on %v m, its circle has %v m", c.Steps(), a.ID, angle, along, radius)
		}
		if l := a.Heading.Norm(); math.Abs(l-1) > 1e-12 {
			t.Fatalf("step %d: a heading of length %v", c.Steps(), l)
		}
		d.moved, d.turned = d.moved+along, d.turned+angle
	}
}

// TestTurningCircle drives vehicles of several circles anywhere in a maze of pillars and in a city: none turns tighter than its circle, none
// leaves the floor, none overlaps. A saved crowd goes on with the same bits, and so does another number of goroutines.
func TestTurningCircle(t *testing.T) {
	race.Skip(t)
	for _, ix := range []*query.Index{generated(t, "pillars", levelgen.Options{Seed: 1, Size: 40}, 0.5), generated(t, "city", levelgen.Options{Seed: 4, Size: 60}, 0.5)} {
		s, twin := newSceneWith(t, ix, crowd.Options{Jobs: 1}), newSceneWith(t, ix, crowd.Options{Jobs: 3})
		d := drivers{was: map[crowd.ID]crowd.Agent{}, turn: map[crowd.ID]float64{}}
		rng := rand.New(rand.NewPCG(1, 2))
		q := ix.NewQuery()
		arrived := 0
		again := func(id crowd.ID) {
			pos, _ := q.RandomPoint(rng)
			for _, c := range []*scene{s, twin} {
				if err := c.Goal(id, pos.Point); err != nil {
					t.Fatal(err)
				}
			}
		}
		var at []geom.Vec
		for len(at) < 20 {
			pos, _ := q.RandomPoint(rng)
			free := true
			for _, o := range at {
				free = free && o.DistXZ(pos.Point) > 1.1
			}
			if !free {
				continue
			}
			id := crowd.ID(len(at))
			at = append(at, pos.Point)
			d.turn[id] = 0.5 + 3*rng.Float64()
			for _, c := range []*scene{s, twin} {
				if err := c.Add(crowd.Spec{ID: id, At: pos.Point, Radius: 0.5, Speed: 2.5, Acceleration: 2, TurnRadius: d.turn[id]}); err != nil {
					t.Fatal(err)
				}
			}
			again(id)
		}
		for i := range 400 {
			s.step(t, 0.05)
			d.look(t, s.Crowd)
			twin.step(t, 0.05)
			if i%200 == 0 {
				var saved bytes.Buffer
				if s.Hash() != twin.Hash() {
					t.Fatalf("step %d differs", i)
				}
				if err := s.Save(&saved); err != nil {
					t.Fatal(err)
				}
				if err := twin.Restore(&saved); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range s.Events() {
				if e.Kind == crowd.EventArrived {
					arrived++
				}
				again(e.ID)
			}
		}
		t.Logf("%d arrivals, %.0f m, %.0f turns", arrived, d.moved, d.turned/(2*math.Pi))
		if arrived < 3 || d.moved < 250 || d.turned < 40 {
			t.Errorf("%d arrivals, %.0f m, %.0f turns", arrived, d.moved, d.turned/(2*math.Pi))
		}
	}
}

// TestVehicleBrakes drives at a wall, to a goal behind, and into a group that stands: the speed changes by no more than the acceleration.
func TestVehicleBrakes(t *testing.T) {
	const push, most = 1.5, 5.0
	s := newScene(t, ofBoxes(t, 0.5, box{-40, -1, -15, 40, 0, 15}, box{10, 0, -6, 11, 2, 6}))
	d := drivers{was: map[crowd.ID]crowd.Agent{}, turn: map[crowd.ID]float64{0: 4}}
	if err := s.Add(crowd.Spec{ID: 0, At: geom.Vec{X: -30}, Radius: 0.5, Speed: most, Acceleration: push, TurnRadius: 4, Heading: geom.Vec{X: -1}}); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if err := s.Add(crowd.Spec{ID: crowd.ID(i + 1), At: geom.Vec{X: -5, Z: float64(i) - 2}, Radius: 0.4, Unyielding: true}); err != nil {
			t.Fatal(err)
		}
	}
	fastest := 0.0
	for _, goal := range []geom.Vec{{X: 30}, {X: -30, Z: 5}, {X: 8}} {
		if err := s.Goal(0, goal); err != nil {
			t.Fatal(err)
		}
		was, _ := s.Agent(0)
		there := false
		for range 1600 {
			s.step(t, 0.05)
			d.look(t, s.Crowd)
			a, _ := s.Agent(0)
			if change := a.Velocity.Sub(was.Velocity).Dot(was.Heading); was.Heading != (geom.Vec{}) && math.Abs(change) > push*0.05+2*rounding/0.05+most*most*0.05*0.05/16 {
				t.Fatalf("to %v: the speed changes by %v m/s in a step, from %v to %v at %v", goal, change, was.Velocity, a.Velocity, a.At)
			}
			was = a
			fastest = max(fastest, a.Velocity.Norm())
			if there = a.State == crowd.Arrived; there && a.Velocity == (geom.Vec{}) {
				break
			}
		}
		if a, _ := s.Agent(0); !there || a.At.DistXZ(goal) > 4.0/4+most*most/(2*push) {
			t.Errorf("to %v: %v at %v", goal, a.State, a.At)
		}
	}
	if fastest < 0.95*most {
		t.Errorf("%v m/s at most", fastest)
	}
	for _, spec := range []crowd.Spec{{ID: 9, TurnRadius: -1}, {ID: 9, TurnRadius: math.NaN()}, {ID: 9, TurnRadius: 1, Heading: geom.Vec{X: math.Inf(1)}}} {
		if err := s.Add(spec); err == nil {
			t.Errorf("%+v: no error", spec)
		}
	}
}

// TestVehiclesAmongWalkers drives two carts through forty walkers who come the other way: all arrive.
func TestVehiclesAmongWalkers(t *testing.T) {
	s := newScene(t, ofBoxes(t, 0.5, box{-25, -1, -6, 25, 0, 6}))
	d := drivers{was: map[crowd.ID]crowd.Agent{}, turn: map[crowd.ID]float64{40: 2, 41: 2}}
	for i := range 40 {
		x, z := 8+1.2*float64(i/8), -4.2+1.2*float64(i%8)
		s.send(t, geom.Vec{X: x, Z: z}, geom.Vec{X: x - 28, Z: z}, 0.3, 1.3)
	}
	for i := range 2 {
		id := crowd.ID(40 + i)
		if err := s.Add(crowd.Spec{ID: id, At: geom.Vec{X: -18, Z: 4*float64(i) - 2}, Radius: 0.5, Speed: 2, Acceleration: 2, TurnRadius: 2}); err != nil {
			t.Fatal(err)
		}
		if err := s.Goal(id, geom.Vec{X: 20, Z: 4*float64(i) - 2}); err != nil {
			t.Fatal(err)
		}
	}
	for s.now < 60 && s.ended+s.stuck < 42 {
		s.step(t, 0.05)
		d.look(t, s.Crowd)
	}
	if s.ended != 42 {
		t.Errorf("%d arrived, %d gave up after %.1f s", s.ended, s.stuck, s.now)
	}
}
