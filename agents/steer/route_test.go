package steer

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// routes calls f with random routes, some of one point, some with points twice in a row, some with steps straight up.
func routes(t *testing.T, f func(t *testing.T, r *Route, rng *rand.Rand)) {
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 5))
		points := []geom.Vec{{X: 100 * rng.Float64(), Y: 3, Z: 100 * rng.Float64()}}
		for range rng.IntN(12) {
			p := points[len(points)-1]
			switch rng.IntN(6) {
			case 0:
			case 1:
				p.Y += 0.3
			default:
				p.X, p.Z = p.X+20*rng.Float64()-10, p.Z+20*rng.Float64()-10
			}
			points = append(points, p)
		}
		var r Route
		if err := r.Set(points); err != nil {
			t.Fatal(err)
		}
		f(t, &r, rng)
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, points)
		}
	}
}

// onRoute returns the distance of p from the route, by every piece.
func onRoute(r *Route, p geom.Vec) float64 {
	least := math.Inf(1)
	for i := range r.points {
		least = min(least, r.points[i].Distance(p))
		if i > 0 {
			a, b := r.points[i-1], r.points[i]
			d := b.Sub(a)
			if l := d.Dot(d); l > 0 {
				if t := p.Sub(a).Dot(d) / l; t > 0 && t < 1 {
					least = min(least, a.Add(d.Scale(t)).Distance(p))
				}
			}
		}
	}
	return least
}

// TestWalkerKeepsToTheRoute: every place is on the route, as far along as was walked, until the goal is reached.
func TestWalkerKeepsToTheRoute(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, rng *rand.Rand) {
		w := Walker{Route: r}
		walked, steps := 0.0, 0
		for ; !w.Done(); steps++ {
			dt, speed := rng.Float64(), 4*rng.Float64()
			before := w.Step(0, speed)
			if at := w.Step(-1, speed); at != before {
				t.Errorf("back in time from %v to %v", before, at)
			}
			at := w.Step(dt, speed)
			walked += dt * speed
			if d := onRoute(r, at); d > 1e-9 {
				t.Errorf("%v is %g m beside the route", at, d)
			}
			if want := min(walked, r.Length()); math.Abs(w.Along-want) > 1e-9 || before.Distance(at) > dt*speed+1e-9 {
				t.Errorf("%g m along, walked %g", w.Along, want)
			}
			if steps > 10_000 {
				t.Fatal("never done")
			}
		}
		if last := r.points[len(r.points)-1]; w.Step(1, 1) != last {
			t.Errorf("done, but not at %v", last)
		}
	})
}

// TestWalkerTurns: a figure turns the short way around, no faster than its limit, until it faces its direction.
func TestWalkerTurns(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, _ *rand.Rand) {
		w := Walker{Route: r, Turn: 2}
		for !w.Done() {
			before := w.Heading
			w.Step(0.1, 1)
			if before == (geom.Vec{}) {
				continue
			}
			if a := math.Acos(min(max(before.Dot(w.Heading), -1), 1)); a > 0.2+1e-6 || math.Abs(w.Heading.Norm()-1) > 1e-9 {
				t.Errorf("turned by %g from %v to %v", a, before, w.Heading)
			}
			want := r.Direction(w.Along)
			if before.Dot(want) > w.Heading.Dot(want)+1e-9 {
				t.Errorf("turned from %v to %v, away from %v", before, w.Heading, want)
			}
		}
		for range 40 {
			w.Step(0.1, 1)
		}
		if want := r.Direction(r.Length()); w.Heading.Distance(want) > 1e-9 {
			t.Errorf("faces %v at last, the way came by %v", w.Heading, want)
		}
	})
	// West of north is to the left.
	north, west := geom.Vec{Z: -1}, geom.Vec{X: -1}
	if got, want := turned(north, west, math.Pi/4), (geom.Vec{X: -math.Sqrt2 / 2, Z: -math.Sqrt2 / 2}); got.Distance(want) > 1e-12 {
		t.Errorf("half a turn from north to west is %v", got)
	}
	if got := turned(north, geom.Vec{Z: 1}, math.Pi/2); got.Distance(west) > 1e-9 {
		t.Errorf("from north to south by %v", got)
	}
}

// TestSegmentsMix: interpolating by Segment gives the place of At.
func TestSegmentsMix(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, rng *rand.Rand) {
		for range 20 {
			along := (1.4*rng.Float64() - 0.2) * (r.Length() + 1)
			i, part := r.Segment(along)
			if part < 0 || part > 1 || i < 0 || i >= len(r.points) {
				t.Fatalf("piece %d, part %g at %g of %g", i, part, along, r.Length())
			}
			at := r.points[i]
			if part > 0 {
				at = at.Add(r.points[i+1].Sub(at).Scale(part))
			}
			if at.Distance(r.At(along)) > 1e-9 {
				t.Errorf("%v and %v at %g", at, r.At(along), along)
			}
		}
	})
}

// beside returns the distance of two points seen from above.
func beside(a, b geom.Vec) float64 { return math.Hypot(a.X-b.X, a.Z-b.Z) }

// TestNearest compares with all places of the part, closely sampled.
func TestNearest(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, rng *rand.Rand) {
		for range 10 {
			p := r.At(rng.Float64() * r.Length()).Add(geom.Vec{X: 6*rng.Float64() - 3, Z: 6*rng.Float64() - 3})
			from := rng.Float64() * r.Length()
			to := from + rng.Float64()*10
			got := r.Nearest(p, from, to)
			if got < from-1e-9 || got > max(from, min(to, r.Length()))+1e-9 {
				t.Fatalf("%g is not between %g and %g", got, from, to)
			}
			for k := range 101 {
				along := min(from+(to-from)*float64(k)/100, r.Length())
				if beside(r.At(along), p) < beside(r.At(got), p)-1e-9 {
					t.Fatalf("%v is nearer to the place at %g than at %g", p, along, got)
				}
			}
		}
	})
}

// TestMagnetRunsAhead: wherever travellers are and how fast, the magnet is ahead within its bounds.
func TestMagnetRunsAhead(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, rng *rand.Rand) {
		m := Magnet{Route: r, Least: 0.2, Most: 3}
		for range 8 {
			before := m.Along
			p := r.At(before + 2*rng.Float64()).Add(geom.Vec{X: rng.Float64(), Z: rng.Float64()})
			speed := 10 * rng.Float64()
			at := m.Point(p, speed)
			if m.Along < before || m.Along > r.ahead(before, 3)+1e-9 {
				t.Fatalf("the traveller went from %g to %g along", before, m.Along)
			}
			ok := false
			// It is on the route between Least and Most ahead.
			for k := range 2001 {
				ok = ok || r.At(r.ahead(m.Along, 0.2+2.8*float64(k)/2000)).Distance(at) < 2e-3
			}
			if !ok {
				t.Fatalf("the magnet of one at %g is %v", m.Along, at)
			}
		}
	})
}

// TestAhead: the place ahead is at the given distance, seen from above, or the goal.
func TestAhead(t *testing.T) {
	routes(t, func(t *testing.T, r *Route, rng *rand.Rand) {
		for range 10 {
			from, d := rng.Float64()*r.Length(), 5*rng.Float64()
			to := r.ahead(from, d)
			if to < from-1e-9 {
				t.Fatalf("%g ahead of %g is %g", d, from, to)
			}
			run := 0.0
			const steps = 1000
			for k := range steps {
				a, b := r.At(from+(to-from)*float64(k)/steps), r.At(from+(to-from)*float64(k+1)/steps)
				run += beside(a, b)
			}
			if run > d+1e-6 || to < r.Length() && run < d-0.2 {
				t.Fatalf("from %g to %g is %g, not %g", from, to, run, d)
			}
		}
	})
}

// TestMagnetOfTheBlocked: who does not move is pulled from near by, also around a corner; who is fast from farther, but not around a
// sharp corner.
func TestMagnetOfTheBlocked(t *testing.T) {
	var r Route
	if err := r.Set([]geom.Vec{{}, {X: 10}, {X: 10, Z: 10}, {X: 0, Z: 10.5}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		along, speed float64
		want         float64 // ahead
	}{
		{"standing", 2, 0, 0.5},
		{"standing at the corner", 9.8, 0, 0.5},
		{"walking", 2, 2, 2},
		{"running", 2, 100, 4},
		{"before a right angle", 9, 2, 1},
		{"before the next", 19, 2, 1 + 0.0499376},
		{"no number", 2, math.NaN(), 0.5},
		{"backwards", 2, -5, 0.5},
		{"at the goal", r.Length(), 2, 0},
	} {
		m := Magnet{Route: &r, Look: 1, Least: 0.5, Most: 4, Along: c.along}
		at := m.Point(r.At(c.along), c.speed)
		if want := r.At(c.along + c.want); at.Distance(want) > 1e-6 {
			t.Errorf("%s: the magnet is at %v, want %v", c.name, at, want)
		}
	}
}

// walked lets a traveller of the given settings follow a route, and returns its time and its largest distance beside the
// route.
func walked(t *testing.T, m Magnet) (seconds, beside float64) {
	t.Helper()
	const dt = 1.0 / 60
	p, v := m.Route.At(0), geom.Vec{}
	for !m.Done(p, 0.1) {
		v = v.Add(m.Pull(p, v).Scale(dt))
		p = p.Add(v.Scale(dt))
		p.Y = m.Route.At(m.Along).Y // the floor
		beside = max(beside, onRoute(m.Route, p))
		if seconds += dt; seconds > 60+3*m.Route.Length() {
			t.Fatalf("at %v after %g s, %g of %g m along", p, seconds, m.Along, m.Route.Length())
		}
	}
	return seconds, beside
}

// TestMagnetLeadsToTheGoal: travellers come to the goal, no farther beside the route than the magnet may be ahead; a nearer
// magnet keeps a traveller closer to the route.
func TestMagnetLeadsToTheGoal(t *testing.T) {
	var near, far float64
	routes(t, func(t *testing.T, r *Route, _ *rand.Rand) {
		_, a := walked(t, Magnet{Route: r})
		_, b := walked(t, Magnet{Route: r, Look: 0.15, Most: 1})
		near, far = near+b, far+a
		if a > 4 || b > 1 {
			t.Errorf("%g and %g m beside the route", a, b)
		}
	})
	if near >= far {
		t.Errorf("%g m beside in all with the magnet near, %g with the magnet far", near, far)
	}
}

func TestRouteRefuses(t *testing.T) {
	var r Route
	for _, c := range []struct {
		points []geom.Vec
		want   string
	}{
		{nil, "without points"},
		{[]geom.Vec{{}, {X: math.NaN()}}, "point 1 of 2"},
		{[]geom.Vec{{Y: math.Inf(1)}}, "point 0 of 1"},
		{[]geom.Vec{{Y: 1e200}}, "point 0 of 1"},
	} {
		if err := r.Set(c.points); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.points, err, c.want)
		}
	}
	// A route that was never set leads nowhere, and nobody stumbles.
	w, m := Walker{Route: &r}, Magnet{Route: &r}
	if !w.Done() || w.Step(1, 1) != (geom.Vec{}) || m.Pull(geom.Vec{}, geom.Vec{}) != (geom.Vec{}) || r.Nearest(geom.Vec{X: 5}, 0, 9) != 0 {
		t.Error("a route of no points leads somewhere")
	}
	if p := m.Point(geom.Vec{X: math.NaN()}, math.Inf(1)); p != (geom.Vec{}) {
		t.Errorf("the magnet is at %v", p)
	}
}

func TestFollowersAllocateNothing(t *testing.T) {
	points := []geom.Vec{{}, {X: 10}, {X: 10, Z: 10}}
	var r Route
	if n := testing.AllocsPerRun(5, func() {
		if err := r.Set(points); err != nil {
			t.Error(err)
		}
		w, m := Walker{Route: &r, Turn: 1}, Magnet{Route: &r}
		for range 50 {
			m.Pull(w.Step(0.1, 3), geom.Vec{X: 1})
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
