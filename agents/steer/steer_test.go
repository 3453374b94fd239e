package steer

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

var north, west, east = geom.Vec{Z: -1}, geom.Vec{X: -1}, geom.Vec{X: 1}

// walker is a mover at the origin that walks north.
func walker() Mover {
	return Mover{ID: 1, Velocity: geom.Vec{Z: -1}, Radius: 0.3, Speed: 2, Push: 8}
}

func near(t *testing.T, what string, got, want geom.Vec) {
	t.Helper()
	if got.Distance(want) > 1e-9 {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

var bad = []geom.Vec{{X: math.NaN()}, {Z: math.Inf(1)}}

// TestCombined: a sum is the weighted one up to its limit, and what is not finite does not count.
func TestCombined(t *testing.T) {
	near(t, "sum", Sum(10, Part{east, 2}, Part{north, 3}, Part{bad[0], 1}, Part{bad[1], 1}), geom.Vec{X: 2, Z: -3})
	near(t, "long sum", Sum(1, Part{east, 2}, Part{east, 3}), east)
	near(t, "overflow", Sum(1, Part{east, math.MaxFloat64}, Part{east, math.MaxFloat64}), geom.Vec{})
	for _, limit := range []float64{0, -1, math.NaN()} {
		near(t, "no limit", Sum(limit, Part{east, 1}), geom.Vec{})
		near(t, "no budget", Priority(limit, east), geom.Vec{})
	}
}

// TestPriority: the first forces have what they want, the rest gets what is left.
func TestPriority(t *testing.T) {
	near(t, "room for all", Priority(3, east, north), geom.Vec{X: 1, Z: -1})
	near(t, "half of the second", Priority(1.5, east, north), geom.Vec{X: 1, Z: -0.5})
	near(t, "nothing left", Priority(1, east.Scale(5), north), east)
	near(t, "spent by opposites", Priority(2, east, west, north), geom.Vec{})
	near(t, "bad ones", Priority(2, bad[0], bad[1], north), north)
}

// TestSeekAndFlee: a mover that seeks walks straight to its goal; who flees leaves the reach.
func TestSeekAndFlee(t *testing.T) {
	m := walker()
	m.Velocity = geom.Vec{}
	goal := geom.Vec{X: 3, Y: 7, Z: -4}
	near(t, "seek", flat(Seek(&m, goal)), geom.Vec{X: 0.6, Z: -0.8})
	near(t, "flee", flat(Flee(&m, goal, 6)), geom.Vec{X: -0.6, Z: 0.8})
	near(t, "flee from afar", Flee(&m, goal, 5), geom.Vec{})
	near(t, "flee from here", flat(Flee(&m, m.At, 5)), east)
	for range 200 {
		m.Velocity = m.Drive(Flee(&m, goal, 9), 0.05)
		m.At = m.At.Add(m.Velocity.Scale(0.05))
	}
	if d := m.At.DistXZ(goal); d < 9 {
		t.Errorf("%g m away after fleeing", d)
	}
	for _, v := range bad {
		near(t, "nowhere", Seek(&Mover{Speed: 1, Push: 1}, v), geom.Vec{})
	}
}

// TestArrive: movers of any speed and brakes come to rest at their goals, and do not pass them.
func TestArrive(t *testing.T) {
	for _, speed := range []float64{0.5, 1.4, 6, 20} {
		for _, push := range []float64{1, 4, 12} {
			m := Mover{Speed: speed, Push: push}
			goal := geom.Vec{X: 30}
			const dt = 1.0 / 60
			seconds, past := 0.0, 0.0
			for ; seconds < 200 && (m.At.DistXZ(goal) > 0.01 || m.Velocity.Norm() > 0.05); seconds += dt {
				m.Velocity = m.Drive(Arrive(&m, goal), dt)
				m.At = m.At.Add(m.Velocity.Scale(dt))
				past = max(past, m.At.X-goal.X)
			}
			if past > 0.01 || seconds > 30/speed+4*speed/push+4 {
				t.Errorf("speed %g, push %g: %g m past the goal, %g s", speed, push, past, seconds)
			}
		}
	}
}

// TestView: sectors and reaches.
func TestView(t *testing.T) {
	m := walker()
	v := NewView(math.Pi/2, 5)
	for _, c := range []struct {
		at     geom.Vec
		radius float64
		want   bool
	}{
		{geom.Vec{Z: -5}, 0, true},
		{geom.Vec{Z: -5.1}, 0, false},
		{geom.Vec{Z: -5.1}, 0.2, true},
		{geom.Vec{X: 3, Z: -3}, 0, true},
		{geom.Vec{X: 3, Z: -2.9}, 0, false},
		{geom.Vec{X: -2.9, Z: -3}, 0, true},
		{geom.Vec{Z: 1}, 0, false},
		{geom.Vec{Z: -5, Y: 90}, 0, true},
	} {
		if got := v.Sees(&m, c.at, c.radius); got != c.want {
			t.Errorf("%v of radius %g: %v", c.at, c.radius, got)
		}
	}
	behind := geom.Vec{Z: 2}
	around := NewView(2*math.Pi, 5)
	if !around.Sees(&m, behind, 0) || (View{}).Sees(&m, north, 1) {
		t.Error("all around, or nothing")
	}
	m.Velocity = geom.Vec{}
	if !v.Sees(&m, behind, 0) {
		t.Error("who faces nothing looks all around")
	}
	if m.Facing = north; v.Sees(&m, behind, 0) {
		t.Error("who stands sees ahead only")
	}
	seen := v.Seen(nil, &m, []Mate{{ID: 1, At: geom.Vec{Z: -1}}, {ID: 2, At: geom.Vec{Z: 1}}, {ID: 3, At: geom.Vec{Z: -1}}})
	if len(seen) != 1 || seen[0].ID != 3 {
		t.Errorf("sees %v", seen)
	}
}

// TestSeparation: away from mates, more from nearer ones, none beyond the reach.
func TestSeparation(t *testing.T) {
	m := walker()
	mate := func(x float64) []Mate { return []Mate{{ID: 2, At: geom.Vec{X: x}, Radius: 0.2}} }
	near(t, "half", Separation(&m, mate(1), 1, 4), west.Scale(2))
	near(t, "beyond", Separation(&m, mate(1.5), 1, 4), geom.Vec{})
	near(t, "contact", Separation(&m, mate(0.4), 1, 4), west.Scale(4))
	near(t, "both sides", Separation(&m, []Mate{{ID: 2, At: geom.Vec{X: 1}}, {ID: 3, At: geom.Vec{X: -1}}}, 1, 4), geom.Vec{})
	last := math.Inf(1)
	for d := 0.5; d < 1.5; d += 0.01 {
		f := Separation(&m, mate(d), 1, 4).Norm()
		if f > last {
			t.Fatalf("more force at %g m than nearer", d)
		}
		last = f
	}
	// At one place: by the order of ids, and opposite.
	o := m
	o.ID = 2
	near(t, "one place", Separation(&m, []Mate{{ID: 2}}, 1, 4), Separation(&o, []Mate{{ID: 1}}, 1, 4).Scale(-1))
	if Separation(&m, []Mate{{ID: 2}}, 1, 4) != west.Scale(4) {
		t.Error("movers at one place do not part")
	}
}

// TestAlignment: to the mean direction; a leader outweighs others.
func TestAlignment(t *testing.T) {
	m := walker()
	east2 := Mate{ID: 2, Velocity: geom.Vec{X: 2}}
	near(t, "to the east", Alignment(&m, []Mate{east2}, 2), geom.Vec{X: 1, Z: 1})
	near(t, "no difference", Alignment(&m, []Mate{{ID: 2, Velocity: geom.Vec{Z: -9}}}, 2), geom.Vec{})
	near(t, "opposite", Alignment(&m, []Mate{{ID: 2, Velocity: geom.Vec{Z: 9}}}, 2), geom.Vec{Z: 2})
	near(t, "alone", Alignment(&m, nil, 2), geom.Vec{})
	leader := Mate{ID: 3, Velocity: geom.Vec{X: -1}, Weight: 5}
	if f := Alignment(&m, []Mate{east2, east2, leader}, 2); !(f.X < 0) {
		t.Errorf("the leader does not turn the others: %v", f)
	}
}

// TestCohesion: to the weighted mean place.
func TestCohesion(t *testing.T) {
	m := walker()
	near(t, "mean", Cohesion(&m, []Mate{{At: geom.Vec{X: 2}}, {At: geom.Vec{X: 2, Z: -2}}}, 10, 5), geom.Vec{X: 1, Z: -0.5})
	near(t, "leader", Cohesion(&m, []Mate{{At: geom.Vec{X: 2}}, {At: geom.Vec{X: -2}, Weight: 3}}, 10, 5), geom.Vec{X: -0.5})
	near(t, "far", Cohesion(&m, []Mate{{At: geom.Vec{X: 200}}}, 10, 5), east.Scale(5))
	near(t, "alone", Cohesion(&m, nil, 10, 5), geom.Vec{})
}

// TestNaturalDistance: two movers under separation and cohesion settle at the distance where both cancel out, from afar and
// from near.
func TestNaturalDistance(t *testing.T) {
	for _, start := range []float64{0.1, 0.8, 3} {
		a := Mover{ID: 1, Radius: 0.25, Speed: 1, Push: 8}
		b := Mover{ID: 2, At: geom.Vec{X: start}, Radius: 0.25, Speed: 1, Push: 8}
		for range 3000 {
			fa := Sum(8, Part{Separation(&a, []Mate{{ID: 2, At: b.At, Radius: 0.25}}, 1, 2), 1}, Part{Cohesion(&a, []Mate{{At: b.At}}, 4, 2), 1}, Part{a.Velocity, -2})
			fb := Sum(8, Part{Separation(&b, []Mate{{ID: 1, At: a.At, Radius: 0.25}}, 1, 2), 1}, Part{Cohesion(&b, []Mate{{At: a.At}}, 4, 2), 1}, Part{b.Velocity, -2})
			a.Velocity, b.Velocity = a.Drive(fa, 0.02), b.Drive(fb, 0.02)
			a.At, b.At = a.At.Add(a.Velocity.Scale(0.02)), b.At.Add(b.Velocity.Scale(0.02))
		}
		// 1 - (d - 0.5) = d/4
		if d := a.At.DistXZ(b.At); math.Abs(d-1.2) > 1e-3 {
			t.Errorf("from %g m they settle at %g m, want 1.2", start, d)
		}
	}
}

// TestSlowest: the slowest sets the speed.
func TestSlowest(t *testing.T) {
	m := walker()
	if v := Slowest(&m, []Mate{{Speed: 3}, {Speed: 0.7}, {Speed: 1}}); v != 0.7 {
		t.Errorf("%g m/s", v)
	}
	if v := Slowest(&m, []Mate{{Speed: 3}}); v != 2 {
		t.Errorf("%g m/s", v)
	}
}

// TestRepulsors: away, within reach, more when nearer, and hazards win.
func TestRepulsors(t *testing.T) {
	m := walker()
	near(t, "half", Repel(&m, []Repulsor{{geom.Vec{X: 1.8}, 0.5, 2, 6}}), west.Scale(3))
	near(t, "beyond", Repel(&m, []Repulsor{{geom.Vec{X: 2.8}, 0.5, 2, 6}}), geom.Vec{})
	near(t, "contact", Repel(&m, []Repulsor{{geom.Vec{X: 0.5}, 0.5, 2, 6}}), west.Scale(6))
	near(t, "on its middle", Repel(&m, []Repulsor{{geom.Vec{}, 0.5, 2, 6}}), north.Scale(6))
	p := Defaults()
	f := Repel(&m, []Repulsor{{geom.Vec{X: 1}, 0.2, 1, p.Hazard}, {geom.Vec{X: -1}, 0.2, 1, p.Traveller}})
	if !(f.X < 0) || !(p.Hazard > p.Obstacle && p.Obstacle > p.Traveller) {
		t.Errorf("into the hazard: %v", f)
	}
}

// TestAttractors: towards, within reach, less at the place.
func TestAttractors(t *testing.T) {
	m := walker()
	near(t, "full", Attract(&m, []Attractor{{At: geom.Vec{X: 4}, Reach: 5, Brake: 2, Strength: 3}}), east.Scale(3))
	near(t, "beyond", Attract(&m, []Attractor{{At: geom.Vec{X: 6}, Reach: 5, Brake: 2, Strength: 3}}), geom.Vec{})
	near(t, "braking", Attract(&m, []Attractor{{At: geom.Vec{X: 1}, Reach: 5, Brake: 2, Strength: 3}}), east.Scale(1.5))
	near(t, "there", Attract(&m, []Attractor{{Reach: 5, Brake: 2, Strength: 3}}), geom.Vec{})
}

// screen is a wall along x at a z, between two xs.
type screen struct{ z, from, to float64 }

func (s screen) Ray(from, to geom.Vec) (float64, geom.Vec) {
	if (from.Z-s.z)*(to.Z-s.z) >= 0 {
		return 1, geom.Vec{}
	}
	t := (s.z - from.Z) / (to.Z - from.Z)
	if x := from.X + float64(t*(to.X-from.X)); x < s.from || x > s.to {
		return 1, geom.Vec{}
	}
	n := geom.Vec{Z: 1}
	if from.Z < s.z {
		n.Z = -1
	}
	return t, n
}

// TestHiding: the nearest spot that no enemy sees.
func TestHiding(t *testing.T) {
	m := walker()
	wall := screen{z: -4, from: -1, to: 1}
	enemy := []geom.Vec{{Z: -8}}
	spots := []geom.Vec{{X: 2, Z: -1}, {Z: -3}, {Z: -1.5}, {X: 30, Z: 30}}
	if k := Hide(&m, spots, enemy, 20, wall); k != 2 {
		t.Errorf("hides at %d", k)
	}
	if k := Hide(&m, spots[:1], enemy, 20, wall); k != -1 {
		t.Errorf("hides in the open at %d", k)
	}
	if k := Hide(&m, spots, enemy, 20, nil); k != 3 {
		t.Errorf("without walls only distance hides: %d", k)
	}
	if k := Hide(&m, spots, append(enemy, geom.Vec{Z: 3}), 200, wall); k != -1 {
		t.Errorf("hides from one enemy only: %d", k)
	}
}

// layouts are those of figure 3.
var layouts = map[string][]Whisker{
	"fan":       Fan(5, math.Pi/2, 3),
	"parallel":  Parallel(3, 0.6, 3),
	"oneAndTwo": OneAndTwo(3, 1.8, math.Pi/5),
}

// TestWhiskers: across the heading, to the free side, more when nearer, merged up to the strength.
func TestWhiskers(t *testing.T) {
	m := walker()
	for name, w := range layouts {
		feel := func(mates ...Mate) geom.Vec { return Avoid(Feel(nil, &m, w, nil, mates), 4) }
		near(t, name+": nothing", feel(), geom.Vec{})
		for _, side := range []float64{-1, 1} {
			last := 0.0
			for z := 3.5; z > 0.8; z -= 0.1 {
				f := feel(Mate{ID: 2, At: geom.Vec{X: 0.2 * side, Z: -z}, Radius: 0.3})
				if math.Abs(f.Z) > 1e-9 || f.X*side > 0 || f.Norm() < last-1e-9 || f.Norm() > 4+1e-9 {
					t.Errorf("%s: %v for a mate at %g, %g", name, f, 0.2*side, -z)
				}
				last = f.Norm()
			}
			if last < 1 {
				t.Errorf("%s: only %g at contact", name, last)
			}
		}
		if f := feel(Mate{ID: 2, At: geom.Vec{Z: -2}, Radius: 0.3}); !(f.X > 0) {
			t.Errorf("%s: straight ahead %v, want to the right", name, f)
		}
		near(t, name+": behind", feel(Mate{ID: 2, At: geom.Vec{Z: 1}, Radius: 0.3}), geom.Vec{})
		near(t, name+": itself", feel(Mate{ID: 1, At: geom.Vec{Z: -1}, Radius: 0.3}), geom.Vec{})
	}
	// Merged: equal ones on both sides cancel out; the nearer one wins.
	w := layouts["fan"]
	l, r := Mate{ID: 2, At: geom.Vec{X: -1, Z: -1.5}, Radius: 0.3}, Mate{ID: 3, At: geom.Vec{X: 1, Z: -1.5}, Radius: 0.3}
	near(t, "both sides", Avoid(Feel(nil, &m, w, nil, []Mate{l, r}), 4), geom.Vec{})
	r.At = geom.Vec{X: 0.8, Z: -1.2}
	if f := Avoid(Feel(nil, &m, w, nil, []Mate{l, r}), 4); !(f.X < 0) {
		t.Errorf("between two mates: %v", f)
	}
	// Walls: a wall on the left half, and one all across.
	if f := Avoid(Feel(nil, &m, w, screen{-1, -9, 0.01}, nil), 4); !(f.X > 0) || f.Z != 0 {
		t.Errorf("a wall to the left: %v", f)
	}
	if f := Avoid(Feel(nil, &m, w, screen{-1, -0.01, 9}, nil), 4); !(f.X < 0) || f.Z != 0 {
		t.Errorf("a wall to the right: %v", f)
	}
	if f := Avoid(Feel(nil, &m, w, screen{-1, -9, 9}, nil), 4); !(f.X > 0) {
		t.Errorf("a wall across: %v", f)
	}
	m.Velocity = geom.Vec{}
	if s := Feel(nil, &m, w, nil, []Mate{l}); s != nil {
		t.Error("whiskers without a heading")
	}
}

// TestWhiskersPass: with each layout a mover passes discs at all places beside its way, does not touch them, and comes back.
func TestWhiskersPass(t *testing.T) {
	const dt = 1.0 / 30
	for name, w := range layouts {
		for x := -0.8; x <= 0.8; x += 0.1 {
			m := walker()
			goal := geom.Vec{Z: -12}
			stone := []Mate{{ID: 2, At: geom.Vec{X: x, Z: -5}, Radius: 0.3}}
			gap := math.Inf(1)
			var feel []Sample
			for range 400 {
				feel = Feel(feel[:0], &m, w, nil, stone)
				m.Velocity = m.Drive(Priority(m.Push, Avoid(feel, 8), Arrive(&m, goal)), dt)
				m.At = m.At.Add(m.Velocity.Scale(dt))
				gap = min(gap, m.At.DistXZ(stone[0].At)-0.6)
			}
			if gap < 0 || m.At.DistXZ(goal) > 0.05 {
				t.Errorf("%s, a stone at %.1f: gap %g, %g m from the goal", name, x, gap, m.At.DistXZ(goal))
			}
		}
	}
}

// TestBrake: vehicles stop before walls, and what appears brakes harder.
func TestBrake(t *testing.T) {
	for _, speed := range []float64{1, 3, 8} {
		m := Mover{Velocity: north.Scale(speed), Speed: speed, Push: 6, Radius: 1}
		const dt, reach = 1.0 / 60, 12.0
		wall := screen{-15, -9, 9}
		before := reach
		for range 2400 {
			clear := Clear(Feel(nil, &m, Parallel(3, 2, reach), wall, nil), reach)
			was := m.Velocity
			m.Velocity = m.Drive(Brake(&m, clear, before, reach, dt), dt)
			if was.Dot(m.Velocity) < 0 {
				t.Fatalf("reversed from %v to %v", was, m.Velocity)
			}
			m.At = m.At.Add(m.Velocity.Scale(dt))
			before = clear
		}
		if m.At.Z <= -15 || m.Velocity.Norm() > 0.2 || m.At.Z > -14.5 {
			t.Errorf("from %g m/s it is at %v with %v", speed, m.At, m.Velocity)
		}
	}
	m := Mover{Velocity: north.Scale(8), Push: 20}
	known, sudden := Brake(&m, 4, 4.4, 10, 0.05), Brake(&m, 4, 10, 10, 0.05)
	if !(sudden.Z > known.Z && known.Z > 0) {
		t.Errorf("known %v, sudden %v", known, sudden)
	}
	last := 0.0
	for clear := 6.0; clear > 2; clear -= 0.5 {
		f := Brake(&m, clear, clear+0.4, 10, 0.05).Norm()
		if f <= last {
			t.Errorf("%g at %g m, %g before", f, clear, last)
		}
		last = f
	}
	near(t, "contact", Brake(&m, 0, 0, 10, 0.05), geom.Vec{Z: 20})
	near(t, "free", Brake(&m, 10, 10, 10, 0.05), geom.Vec{})
	near(t, "not yet", Brake(&m, 8, 8.4, 10, 0.05), geom.Vec{})
	near(t, "standing", Brake(&Mover{Push: 9}, 0, 5, 10, 0.05), geom.Vec{})
	// Only what is in the way of the body counts.
	m.Radius = 0.3
	if c := Clear(Feel(nil, &m, Fan(3, math.Pi/2, 3), nil, []Mate{{ID: 9, At: geom.Vec{X: -1.5, Z: -1.5}, Radius: 0.3}}), 3); c != 3 {
		t.Errorf("%g m clear beside a mate", c)
	}
	if c := Clear(Feel(nil, &m, Fan(3, math.Pi/2, 3), nil, []Mate{{ID: 9, At: geom.Vec{Z: -2}, Radius: 0.3}}), 3); math.Abs(c-1.4) > 1e-9 {
		t.Errorf("%g m clear before a mate", c)
	}
}

// TestPush: overlapping spheres touch after the push, by their masses.
func TestPush(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		a, b Ball
		da   float64 // along x
		db   float64
	}{
		{"equal", Ball{Radius: 0.5}, Ball{At: geom.Vec{X: 0.6}, Radius: 0.5}, -0.2, 0.2},
		{"heavy", Ball{Radius: 0.5, Mass: 3}, Ball{At: geom.Vec{X: 0.6}, Radius: 0.5, Mass: 1}, -0.1, 0.3},
		{"fixed", Ball{Radius: 0.5, Mass: inf}, Ball{At: geom.Vec{X: 0.6}, Radius: 0.5, Mass: 1}, 0, 0.4},
		{"other fixed", Ball{Radius: 0.5}, Ball{At: geom.Vec{X: 0.6}, Radius: 0.5, Mass: inf}, -0.4, 0},
		{"both fixed", Ball{Radius: 0.5, Mass: inf}, Ball{Radius: 0.5, Mass: inf}, 0, 0},
		{"apart", Ball{Radius: 0.5}, Ball{At: geom.Vec{X: 1.1}, Radius: 0.5}, 0, 0},
		{"one place", Ball{ID: 1, Radius: 0.5}, Ball{ID: 2, Radius: 0.5}, -0.5, 0.5},
	} {
		a, b := Push(&c.a, &c.b)
		near(t, c.name, a, geom.Vec{X: c.da})
		near(t, c.name, b, geom.Vec{X: c.db})
	}
}

// TestPatience: noise for a while, another plan, delayed retries, panic.
func TestPatience(t *testing.T) {
	p := Patience{Blocked: 0.5, While: 0.3, Delay: 1, Attempts: 2}
	var tr Trouble
	var got []Remedy
	var at []float64
	note := func(r Remedy, k int) {
		if len(got) == 0 || got[len(got)-1] != r {
			got, at = append(got, r), append(at, float64(k)/10)
		}
	}
	for k := 1; k <= 40; k++ {
		var r Remedy
		tr, r = p.Next(tr, true, 0.1)
		if note(r, k); r == Replan {
			tr, r = p.Planned(tr, false)
			note(r, k)
		}
	}
	want := []Remedy{GoOn, Jitter, GoOn, Replan, Wait, Replan, Panic}
	times := []float64{0.1, 0.5, 0.8, 1.3, 1.3, 2.3, 2.3}
	if len(got) != len(want) {
		t.Fatalf("%v at %v", got, at)
	}
	for i := range want {
		if got[i] != want[i] || math.Abs(at[i]-times[i]) > 0.11 {
			t.Errorf("%v at %v, want %v at %v", got, at, want, times)
			break
		}
	}
	// Who comes on has no trouble; a way found ends it.
	tr = Trouble{}
	for range 30 {
		var r Remedy
		tr, _ = p.Next(tr, true, 0.1)
		if tr, r = p.Next(tr, false, 0.3); r != GoOn {
			t.Fatalf("%v while it comes on", r)
		}
	}
	// After noise, the way back to the obstacle is no progress, but a longer way is.
	for _, c := range []struct {
		free float64
		want Remedy
	}{{0.3, Replan}, {1.2, Jitter}} {
		tr = Trouble{}
		var r Remedy
		for range 8 {
			tr, r = p.Next(tr, true, 0.1)
		}
		for range int(c.free * 10) {
			tr, r = p.Next(tr, false, 0.1)
		}
		for range 5 {
			tr, r = p.Next(tr, true, 0.1)
		}
		if r != c.want {
			t.Errorf("%v after noise, %g s on a free way, and a new obstacle; want %v", r, c.free, c.want)
		}
	}
	if tr, r := p.Planned(Trouble{Failed: 1}, true); r != GoOn || tr != (Trouble{}) {
		t.Errorf("%v, %v with a way", tr, r)
	}
	for _, dt := range []float64{0, -1, math.NaN()} {
		if after, r := p.Next(Trouble{Seconds: 0.4}, true, dt); after.Seconds != 0.4 || r != GoOn {
			t.Errorf("time passes in %g s", dt)
		}
	}
	if Panic.String() != "panic" || Remedy(9).String() != "unknown" {
		t.Error("names of remedies")
	}
}

// TestNoise: unit vectors, backwards, the same for one window, different between travellers; the bits are fixed.
func TestNoise(t *testing.T) {
	seen := map[geom.Vec]bool{}
	leftward, worst := 0, -1.0
	for id := range uint64(100) {
		for window := range uint64(10) {
			v := Noise(north, id, window)
			if math.Abs(v.Norm()-1) > 1e-12 || v.Dot(north) > 1e-12 || v != Noise(north, id, window) {
				t.Fatalf("noise %v", v)
			}
			if seen[v] = true; v.X < 0 {
				leftward++
			}
			worst = max(worst, v.Dot(north))
		}
	}
	if len(seen) < 1000 || leftward < 400 || leftward > 600 || worst < -0.05 {
		t.Errorf("%d different directions, %d to the left, at most %g ahead", len(seen), leftward, worst)
	}
	v := Noise(geom.Vec{X: 3, Z: 4}, 7, 19)
	if x, z := math.Float64bits(v.X), math.Float64bits(v.Z); x != noiseX || z != noiseZ {
		t.Errorf("bits %#x, %#x", x, z)
	}
	near(t, "no way", geom.Vec{X: math.Abs(Noise(geom.Vec{}, 1, 1).X)}, geom.Vec{X: -Noise(geom.Vec{}, 1, 1).X})
}

// The bits of one direction, on every machine.
const (
	noiseX = 0xbfed363a0699c33e
	noiseZ = 0xbfda20cb29b75b8e
)

// TestNewGoal: the nearest that did not fail.
func TestNewGoal(t *testing.T) {
	goals := []geom.Vec{{X: 5}, {X: 2}, {X: -2}, {X: 9}}
	for _, c := range []struct {
		failed []bool
		want   int
	}{{nil, 1}, {[]bool{false, true}, 2}, {[]bool{false, true, true}, 0}, {[]bool{true, true, true, true}, -1}} {
		if got := NewGoal(geom.Vec{}, goals, c.failed); got != c.want {
			t.Errorf("%v: %d", c.failed, got)
		}
	}
}

// bottle is a corridor 6 m wide with a choke-point of 1 m from 20 to 24 m.
func bottle(along float64) float64 {
	switch {
	case along < 16 || along > 28:
		return 6
	case along < 20:
		return 6 - 5*(along-16)/4
	case along > 24:
		return 1 + 5*(along-24)/4
	}
	return 1
}

// TestSection: constant area everywhere, short in the open, long at the choke-point.
func TestSection(t *testing.T) {
	const a = 18.0
	for head := 4.0; head < 45; head += 0.37 {
		tail := Section(bottle, head, a)
		sum := 0.0
		const n = 4000
		for k := range n {
			sum += bottle(tail+(head-tail)*(float64(k)+0.5)/n) * (head - tail) / n
		}
		if math.Abs(sum-a) > 0.05 {
			t.Errorf("at %g: from %g, %g m²", head, tail, sum)
		}
	}
	if open, choke := 12-Section(bottle, 12, a), 26-Section(bottle, 26, a); math.Abs(open-3) > 1e-9 || choke < 2*open {
		t.Errorf("%g m long in the open, %g m at the choke-point", open, choke)
	}
	if tail := Section(bottle, 2, a); tail != 0 {
		t.Errorf("the section begins at %g", tail)
	}
	if tail := Section(bottle, 12, 0); tail != 12 {
		t.Errorf("a section without area begins at %g", tail)
	}
}

// TestPull: harder as the corridor narrows ahead, up to the bound.
func TestPull(t *testing.T) {
	last := 0.0
	for head := 10.0; head < 20; head += 0.25 {
		f := Pull(bottle, head, 4, 6, 2, 3)
		if f < last {
			t.Errorf("%g at %g, less than before", f, head)
		}
		last = f
	}
	if a, b := Pull(bottle, 5, 4, 6, 2, 3), Pull(bottle, 20, 4, 6, 2, 3); a != 2 || b != 6 {
		t.Errorf("%g in the open, %g at the choke-point", a, b)
	}
	if f := Pull(bottle, 18.4, 0, 6, 2, 3); math.Abs(f-4) > 1e-9 {
		t.Errorf("%g where the corridor is half as wide, want twice the strength", f)
	}
	if f := Pull(func(float64) float64 { return math.NaN() }, 5, 4, 6, 2, 3); f != 6 {
		t.Errorf("%g where the width is no number", f)
	}
}

// TestDrive: force and speed are bounded, bad forces count as none.
func TestDrive(t *testing.T) {
	m := Mover{Speed: 2, Push: 4}
	near(t, "force", m.Drive(east.Scale(9), 0.1), east.Scale(0.4))
	near(t, "speed", m.Drive(east.Scale(9), 10), east.Scale(2))
	for _, v := range bad {
		near(t, "bad", m.Drive(v, 1), geom.Vec{})
	}
}

func TestBehavioursAllocateNothing(t *testing.T) {
	m := walker()
	mates := []Mate{{ID: 2, At: geom.Vec{X: 0.2, Z: -1}, Radius: 0.3}}
	w := layouts["fan"]
	feel := make([]Sample, 0, 8)
	seen := make([]Mate, 0, 8)
	v := NewView(math.Pi, 4)
	var sum geom.Vec
	if n := testing.AllocsPerRun(10, func() {
		seen = v.Seen(seen[:0], &m, mates)
		feel = Feel(feel[:0], &m, w, nil, seen)
		sum = Priority(m.Push, Avoid(feel, 8), Separation(&m, seen, 1, 5), Arrive(&m, north), Sum(2, Part{Cohesion(&m, seen, 2, 1), 1}, Part{Alignment(&m, seen, 1), 1}))
	}); n != 0 || sum == (geom.Vec{}) {
		t.Errorf("%v allocations, %v", n, sum)
	}
}

// TestSameBits: sixty travellers under all behaviours end at the same bits on every machine.
func TestSameBits(t *testing.T) {
	const dt = 1.0 / 20
	p := Defaults()
	list := make([]Mover, 60)
	troubles := make([]Trouble, len(list))
	remedies := make([]Remedy, len(list))
	for i := range list {
		at := Noise(east, uint64(i), 1).Scale(9 + Noise(east, uint64(i), 2).Z)
		if i%2 == 1 {
			at = at.Scale(-1)
		}
		list[i] = Mover{ID: uint64(i), At: at, Radius: 0.3, Speed: 1.5, Push: 8}
	}
	layout := [][]Whisker{layouts["fan"], layouts["parallel"], layouts["oneAndTwo"]}
	view := NewView(p.FieldOfView, 4)
	hazard := []Repulsor{{geom.Vec{X: 1, Z: 0.5}, 0.7, 1.5, p.Hazard}}
	var mates, seen []Mate
	var feel []Sample
	for step := range 600 {
		mates = mates[:0]
		for i := range list {
			m := &list[i]
			mates = append(mates, Mate{ID: m.ID, At: m.At, Velocity: m.Velocity, Radius: m.Radius, Speed: m.Speed, Weight: float64(i%3) + 1})
		}
		for i := range list {
			m := &list[i]
			goal := Noise(west, m.ID, 3).Scale(9)
			seen = view.Seen(seen[:0], m, mates)
			was := Clear(feel, 3)
			feel = Feel(feel[:0], m, layout[i%3], screen{2, -4, -1}, seen)
			pull := Arrive(m, goal)
			if remedies[i] == Jitter {
				pull = Noise(goal.Sub(m.At), m.ID, uint64(step/8)).Scale(p.Attractor)
			}
			flock := Sum(3, Part{Alignment(m, seen, p.Align), 0.5}, Part{Cohesion(m, seen, 6, p.Cohere), 0.3}, Part{Repel(m, hazard), 1})
			force := Priority(m.Push, Brake(m, Clear(feel, 3), was, 3, dt), Avoid(feel, p.Whiskers), Separation(m, seen, 0.5, p.Separate), flock, pull)
			from := m.At
			m.Velocity = m.Drive(force, dt)
			m.At = m.At.Add(m.Velocity.Scale(dt))
			troubles[i], remedies[i] = p.Patience.Next(troubles[i], m.At.DistXZ(from) < 0.01, dt)
			if remedies[i] == Replan {
				troubles[i], remedies[i] = p.Patience.Planned(troubles[i], step%2 == 0)
			}
		}
		for i := range list {
			for k := range i {
				a, b := Push(&Ball{list[i].ID, list[i].At, 0.3, 1}, &Ball{list[k].ID, list[k].At, 0.3, 2})
				list[i].At, list[k].At = list[i].At.Add(a), list[k].At.Add(b)
			}
		}
	}
	// A route and its followers.
	var r Route
	if err := r.Set([]geom.Vec{{}, {X: 7}, {X: 6.1, Y: 1, Z: -6}, {X: -3.3, Z: -5}}); err != nil {
		t.Fatal(err)
	}
	w, mag := Walker{Route: &r, Turn: 2}, Magnet{Route: &r}
	var at, v geom.Vec
	for range 100 {
		w.Step(0.07, 1.3)
		v = v.Add(mag.Pull(at, v).Scale(dt))
		at = at.Add(v.Scale(dt))
	}
	list = append(list, Mover{At: at, Velocity: w.Heading}, Mover{At: geom.Vec{X: Section(bottle, 27, 18), Z: Pull(bottle, 17, 4, 6, 2, 3)}})
	hash := uint64(14695981039346656037)
	for i := range list {
		for _, x := range []float64{list[i].At.X, list[i].At.Z, list[i].Velocity.X, list[i].Velocity.Z} {
			hash = (hash ^ math.Float64bits(x)) * 1099511628211
		}
	}
	if hash != sameBits {
		t.Errorf("hash %#x", hash)
	}
}

// sameBits is the hash of TestSameBits on every machine.
const sameBits = 0xc83a660c5effd048
