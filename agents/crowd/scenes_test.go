package crowd_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// box is a solid from a low to a high corner, in metres: x, y (up) and z.
type box struct{ x0, y0, z0, x1, y1, z1 float64 }

// ofBoxes returns the floor of a level of boxes, for agents of a radius.
func ofBoxes(tb testing.TB, radius float64, boxes ...box) *query.Index {
	tb.Helper()
	l := &level.Level{Name: "boxes", Materials: []level.Material{{Name: "stone"}}}
	for _, b := range boxes {
		first := len(l.Vertices)
		for i := range 8 {
			v := geom.Vec{X: b.x0, Y: b.y0, Z: b.z0}
			if i&1 != 0 {
				v.X = b.x1
			}
			if i&2 != 0 {
				v.Y = b.y1
			}
			if i&4 != 0 {
				v.Z = b.z1
			}
			l.Vertices = append(l.Vertices, v)
		}
		at := len(l.Triangles)
		for _, f := range [...][4]int{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}} {
			for _, t := range [...][3]int{{f[0], f[1], f[2]}, {f[0], f[2], f[3]}} {
				l.Triangles = append(l.Triangles, level.Triangle{A: uint32(first + t[0]), B: uint32(first + t[1]), C: uint32(first + t[2])})
			}
		}
		l.Objects = append(l.Objects, level.Object{Name: "box", First: at, Count: len(l.Triangles) - at})
	}
	l.TurnOutward()
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: radius})
	if err != nil {
		tb.Fatal(err)
	}
	return m.Index()
}

// scene is a crowd that is looked at in every step.
type scene struct {
	*crowd.Crowd
	judge
	now          float64 // seconds
	ended, stuck int
}

func newScene(tb testing.TB, ix *query.Index) *scene {
	tb.Helper()
	return newSceneWith(tb, ix, crowd.Options{})
}

func newSceneWith(tb testing.TB, ix *query.Index, opt crowd.Options) *scene {
	tb.Helper()
	c, err := crowd.New(opt, ix)
	if err != nil {
		tb.Fatal(err)
	}
	return &scene{Crowd: c, judge: judge{q: ix.NewQuery()}}
}

// send adds an agent with a goal. The ids count up from 0.
func (s *scene) send(tb testing.TB, from, to geom.Vec, radius, speed float64) {
	tb.Helper()
	id := crowd.ID(s.Len())
	if err := s.Add(crowd.Spec{ID: id, At: from, Radius: radius, Speed: speed}); err != nil {
		tb.Fatal(err)
	}
	if err := s.Goal(id, to); err != nil {
		tb.Fatal(err)
	}
}

// step moves the crowd on, and fails on overlaps and on places off the mesh.
func (s *scene) step(tb testing.TB, dt float64) {
	tb.Helper()
	if err := s.Step(dt); err != nil {
		tb.Fatal(err)
	}
	s.now += dt
	s.look(s.Crowd)
	if s.overlap > 0 || s.off > 0 {
		tb.Fatalf("after %.2f s: overlap of %v m, %d places off the mesh", s.now, s.overlap, s.off)
	}
	for _, e := range s.Events() {
		switch e.Kind {
		case crowd.EventArrived:
			s.ended++
		case crowd.EventStuck:
			s.stuck++
		}
	}
}

// runUntil steps until a number of agents have arrived or given up, for at most a number of seconds.
func (s *scene) runUntil(tb testing.TB, n int, most float64) {
	tb.Helper()
	for s.now < most && s.ended+s.stuck < n {
		s.step(tb, 0.05)
	}
}

// flowThrough returns the flow of 120 agents through an opening of a width, in persons a metre and second, between the first
// and the last fifth of them, and the number of those who gave up.
func flowThrough(t *testing.T, width, radius float64) (float64, int) {
	t.Helper()
	const n = 120
	s := newScene(t, ofBoxes(t, radius, box{-14, -1, -6, 8, 0, 6}, box{0, 0, -6, 0.4, 2.5, -width / 2}, box{0, 0, width / 2, 0.4, 2.5, 6}))
	for i := range n {
		f := float64(i)
		at := geom.Vec{X: -1.2 - 0.62*float64(i/18) + 0.02*math.Sin(7*f), Z: -5.4 + 0.62*float64(i%18) + 0.02*math.Cos(5*f)}
		s.send(t, at, geom.Vec{X: 7, Z: 5 * math.Sin(f)}, radius, 1.34)
	}
	var times []float64
	through := make([]bool, n)
	for s.now < 200 && s.Len() > 0 {
		s.step(t, 0.05)
		var gone []crowd.ID
		for a := range s.Agents() {
			if a.At.X > 0.2 && !through[a.ID] {
				through[a.ID] = true
				times = append(times, s.now)
			}
			if a.At.X > 5 || a.State == crowd.Stuck || a.State == crowd.Arrived {
				gone = append(gone, a.ID)
			}
		}
		for _, id := range gone {
			_ = s.Remove(id)
		}
	}
	if len(times) < n/2 {
		return 0, s.stuck
	}
	first, last := len(times)/5, len(times)*4/5
	return float64(last-first) / (times[last] - times[first]) / width, s.stuck
}

// TestBottleneck compares the flow through openings with that of people: 1.2 to 1.9 a metre and second.
func TestBottleneck(t *testing.T) {
	race.Skip(t)
	widths := []float64{0.8}
	if slow.Enabled() {
		widths = []float64{0.8, 1.2, 1.6, 2, 2.4}
	}
	for _, radius := range []float64{0.25, 0.2} {
		for _, width := range widths {
			flow, stuck := flowThrough(t, width, radius)
			t.Logf("%.1f m, bodies of %v m: %.2f a metre and second", width, radius, flow)
			if flow < 1.2 || flow > 1.9 || stuck > 1 {
				t.Errorf("%.1f m, bodies of %v m: a flow of %.2f a metre and second, %d gave up", width, radius, flow, stuck)
			}
		}
	}
}

// TestDensity compares the speed of a stream, by the number of its agents a square metre, with that of people.
func TestDensity(t *testing.T) {
	race.Skip(t)
	last := math.Inf(1)
	for i, c := range []struct{ density, low, high float64 }{{0.5, 1.2, 1.4}, {2, 0.6, 1.4}, {3, 0.3, 1}, {4, 0.2, 0.5}} {
		if !slow.Enabled() && i%3 != 0 {
			continue
		}
		const radius = 0.23
		s := newScene(t, ofBoxes(t, radius, box{-5, -1, -2, 60, 0, 2}))
		apart := math.Sqrt(2 / (math.Sqrt(3) * c.density))
		rng := rand.New(rand.NewPCG(1, 2))
		shake := max(0, min(0.1, (apart-2*radius-0.01)/2))
		var watched []crowd.ID
		for row, x := 0, 0.0; x < 30; row, x = row+1, x+apart*math.Sqrt(3)/2 {
			for z := -1.75 + float64(row%2)*apart/2; z <= 1.75; z += apart {
				if x > 3 && x < 12 {
					watched = append(watched, crowd.ID(s.Len()))
				}
				s.send(t, geom.Vec{X: x + shake*(rng.Float64()-0.5), Z: z + shake*(rng.Float64()-0.5)}, geom.Vec{X: 59, Z: z}, radius, 1.34)
			}
		}
		sum, n := 0.0, 0.0
		for s.now < 7 {
			s.step(t, 0.05)
			for _, id := range watched {
				if a, _ := s.Agent(id); s.now > 2 {
					sum += a.Velocity.X
					n++
				}
			}
		}
		speed := sum / n
		t.Logf("%.1f a square metre: %.2f m/s", c.density, speed)
		if speed < c.low || speed > c.high || speed > last+0.01 {
			t.Errorf("%.1f a square metre: %.2f m/s, want %v to %v", c.density, speed, c.low, c.high)
		}
		last = speed
	}
}

// TestLanes sends two streams through a corridor of 4 m: all arrive, and most agents near an agent in its lane go its way.
func TestLanes(t *testing.T) {
	race.Skip(t)
	streams := []int{80}
	if slow.Enabled() {
		streams = []int{40, 80}
	}
	for _, n := range streams {
		s := newScene(t, ofBoxes(t, 0.25, box{-25, -1, -2, 25, 0, 2}))
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range 2 * n {
			x := -24 + float64(i/10)*14/float64(n/5) + 0.1*rng.Float64()
			z := -1.6 + 0.75*float64(i/2%5) + 0.1*rng.Float64()
			to := 24 - 12*rng.Float64()
			if i%2 == 1 {
				x, to = -x, -to
			}
			s.send(t, geom.Vec{X: x, Z: z}, geom.Vec{X: to, Z: z}, 0.25, 1.2+0.2*rng.Float64())
		}
		same, all := 0, 0
		for s.now < 100 && s.Len() > 0 {
			s.step(t, 0.05)
			var now []crowd.Agent
			var gone []crowd.ID
			for a := range s.Agents() {
				now = append(now, a)
				if a.State != crowd.Walking || abs(a.At.X) > 12 && a.At.X*a.Goal.X > 0 {
					gone = append(gone, a.ID)
				}
			}
			for i, a := range now {
				for _, b := range now[:i] {
					if abs(a.At.X) < 6 && abs(a.At.X-b.At.X) < 3 && abs(a.At.Z-b.At.Z) < 0.4 {
						all++
						if a.ID%2 == b.ID%2 {
							same++
						}
					}
				}
			}
			for _, id := range gone {
				_ = s.Remove(id)
			}
		}
		share := float64(same) / float64(all)
		t.Logf("2 x %d: %.1f s, %.2f of one direction in a lane", n, s.now, share)
		if s.Len() > 0 || s.stuck > 0 || share < 0.75 {
			t.Errorf("2 x %d: %d are left, %d gave up, %.2f of one direction in a lane", n, s.Len(), s.stuck, share)
		}
	}
}

// corridor has room for one agent and leads from a room to another.
var corridor = []box{{-10, -1, -0.35, 10, 0, 0.35}, {-14, -1, -2, -9.9, 0, 2}, {9.9, -1, -2, 14, 0, 2}}

// TestSteering has small meetings after the cases of SteerBench. Everybody arrives in time.
func TestSteering(t *testing.T) {
	race.Skip(t)
	v := func(x, z float64) geom.Vec { return geom.Vec{X: x, Z: z} }
	var door []geom.Vec
	for i := range 15 {
		x, z := 5+1.2*float64(i%5), -3+1.5*float64(i/5)
		door = append(door, v(-x, z), v(x, z), v(x, z+0.2), v(-x, z+0.2))
	}
	for _, c := range []struct {
		name  string
		most  float64 // seconds
		boxes []box
		ways  []geom.Vec
	}{
		{"oncoming", 14, []box{{-10, -1, -5, 10, 0, 5}}, []geom.Vec{v(-8, 0), v(8, 0), v(8, 0), v(-8, 0)}},
		{"crossing", 14, []box{{-10, -1, -10, 10, 0, 10}}, []geom.Vec{v(-8, 0), v(8, 0), v(0, -8), v(0, 8)}},
		{"four ways", 15, []box{{-10, -1, -10, 10, 0, 10}}, []geom.Vec{v(-8, 0), v(8, 0), v(0, -8), v(0, 8), v(8, 0), v(-8, 0), v(0, 8), v(0, -8)}},
		{"one into four", 16, []box{{-10, -1, -5, 10, 0, 5}}, []geom.Vec{v(-8, 0), v(8, 0), v(8, 0), v(-8, 0), v(8, 1), v(-8, 1), v(8, -1), v(-8, -1), v(9, 0), v(-9, 0)}},
		{"surprise", 15, []box{{-10, -1, -10, 10, 0, 10}, {-10, 0, -10, -0.5, 2, -0.7}, {0.5, 0, -10, 10, 2, -0.7}}, []geom.Vec{v(-8, 0), v(8, 0), v(0, -8), v(0, 8), v(8, 0), v(-8, 0)}},
		{"squeeze", 45, corridor, []geom.Vec{v(-12, 0), v(12, 0), v(12, 0), v(-12, 0)}},
		{"bay", 30, append([]box{{-1, -1, -1.5, 1, 0, 0}}, corridor...), []geom.Vec{v(-12, 0), v(12, 0), v(12, 0), v(-12, 0)}},
		{"doorway", 70, []box{{-12, -1, -8, 12, 0, 8}, {-0.15, 0, -8, 0.15, 2.5, -0.4}, {-0.15, 0, 0.4, 0.15, 2.5, 8}}, door},
	} {
		s := newScene(t, ofBoxes(t, 0.25, c.boxes...))
		for i := 0; i < len(c.ways); i += 2 {
			s.send(t, c.ways[i], c.ways[i+1], 0.25, 1.3)
		}
		s.runUntil(t, s.Len(), c.most)
		t.Logf("%s: %.1f s", c.name, s.now)
		if s.ended != s.Len() {
			t.Errorf("%s: %d of %d arrived in %.1f s, %d gave up", c.name, s.ended, s.Len(), s.now, s.stuck)
		}
	}
}

// TestSqueeze has two agents in a corridor for one from the start: one goes back.
func TestSqueeze(t *testing.T) {
	race.Skip(t)
	s := newScene(t, ofBoxes(t, 0.25, corridor...))
	s.send(t, geom.Vec{X: -6}, geom.Vec{X: 12}, 0.25, 1.3)
	s.send(t, geom.Vec{X: 5}, geom.Vec{X: -12}, 0.25, 1.3)
	s.runUntil(t, 2, 60)
	if s.ended != 2 {
		t.Errorf("%d of 2 arrived in %.1f s", s.ended, s.now)
	}
}

// TestLongPassage sends two streams through a corridor ten metres long and one agent wide, with a constant supply on both sides. No wait is
// longer than three turns with the time it takes to empty the corridor.
func TestLongPassage(t *testing.T) {
	race.Skip(t)
	s := newScene(t, ofBoxes(t, 0.4, box{-14, -1, -6, 14, 0, 6}, box{-5, 0, -6, 5, 2.5, -0.6}, box{-5, 0, 0.6, 5, 2.5, 6}))
	const each = 12
	for i := range 2 * each {
		at := geom.Vec{X: -6.5 - 1.1*float64(i/2%4), Z: -3 + 2*float64(i/8)}
		if i%2 == 1 {
			at.X = -at.X
		}
		s.send(t, at, geom.Vec{X: -at.X, Z: at.Z}, 0.4, 1.4)
	}
	const most = 3 * (4 + 12/1.4)
	waits, longest := make([]float64, s.Len()), 0.0
	for s.now < 200 && s.ended+s.stuck < s.Len() {
		s.step(t, 0.05)
		for a := range s.Agents() {
			if a.Held {
				waits[a.ID] += 0.05
			} else {
				waits[a.ID] = 0
			}
			longest = max(longest, waits[a.ID])
		}
	}
	if s.ended != s.Len() || longest > most {
		t.Errorf("%d of %d arrived in %.1f s, %d gave up, and somebody waited for %.1f s", s.ended, s.Len(), s.now, s.stuck, longest)
	}
	t.Logf("the longest wait is %.1f s, and the last of %d arrives after %.1f s", longest, s.Len(), s.now)
}

// TestLetsThrough has an agent stand in the middle of a corridor that is too narrow for two unless both keep to the walls: it
// steps aside before the walker comes to a stop.
func TestLetsThrough(t *testing.T) {
	race.Skip(t)
	s := newScene(t, ofBoxes(t, 0.25, box{-10, -1, -0.6, 10, 0, 0.6}))
	s.send(t, geom.Vec{X: -8}, geom.Vec{X: 8}, 0.25, 1.3)
	if err := s.Add(crowd.Spec{ID: 1, Radius: 0.25}); err != nil {
		t.Fatal(err)
	}
	slowest := 2.0
	for s.now < 30 && s.ended == 0 {
		s.step(t, 0.05)
		if a, _ := s.Agent(0); s.now > 1 && a.At.X < 7 {
			slowest = min(slowest, a.Velocity.Norm())
		}
	}
	if s.ended != 1 || s.now > 13.5 || slowest < 0.5 {
		t.Errorf("%d arrived in %.2f s, the slowest step at %.2f m/s", s.ended, s.now, slowest)
	}
}

// TestEvacuation empties a storey by the stairs.
func TestEvacuation(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "stairs", levelgen.Options{Seed: 1}, 0.25)
	s := newScene(t, ix)
	q, rng, bounds := ix.NewQuery(), rand.New(rand.NewPCG(1, 1)), ix.Mesh().Bounds()
	var at []geom.Vec
	for len(at) < 60 {
		p, _ := q.RandomPoint(rng)
		free := p.Point.Y > bounds.Max.Y-0.3
		for _, o := range at {
			free = free && o.DistXZ(p.Point) > 0.52
		}
		if !free {
			continue
		}
		at = append(at, p.Point)
		goal := p
		for goal.Point.Y > bounds.Min.Y+0.1 {
			goal, _ = q.RandomPoint(rng)
		}
		s.send(t, p.Point, goal.Point, 0.25, 1.2)
	}
	s.runUntil(t, 60, 90)
	if s.ended != 60 {
		t.Errorf("%d of 60 arrived in %.1f s, %d gave up", s.ended, s.now, s.stuck)
	}
}

// TestJamDissolves fills a level with agents of all directions, who get no other goals. Nearly all arrive.
func TestJamDissolves(t *testing.T) {
	race.Skip(t)
	type jam struct {
		ix       *query.Index
		n        int
		most     float64
		radius   float64
		name     string
		givingUp int
	}
	jams := []jam{{name: "crates", n: 250, most: 150, radius: 0.4, givingUp: 5, ix: ofBoxes(t, 0.4, box{-15, -1, -15, 15, 0, 15},
		box{-9, 0, -9, -2, 2, -2}, box{2, 0, -9, 9, 2, -2}, box{-9, 0, 2, -2, 2, 9}, box{2, 0, 2, 9, 2, 9})}}
	if slow.Enabled() {
		jams = append(jams, jam{name: "nav_test.obj", n: 1000, most: 400, radius: 0.4, givingUp: 20, ix: real(t, "nav_test.obj", 0.4)})
	}
	for _, j := range jams {
		s := newScene(t, j.ix)
		fill(t, s.Crowd, j.ix.NewQuery(), j.n, j.radius, rand.New(rand.NewPCG(1, 1)))
		s.runUntil(t, j.n, j.most)
		t.Logf("%s: %d arrived, %d gave up in %.0f s", j.name, s.ended, s.stuck, s.now)
		if s.ended+s.stuck < j.n || s.stuck > j.givingUp {
			t.Errorf("%s: %d of %d arrived in %.0f s, %d gave up", j.name, s.ended, j.n, s.now, s.stuck)
		}
	}
}

// TestCircle sends agents on a circle to the places opposite, in the long form as the example of RVO2 does.
func TestCircle(t *testing.T) {
	race.Skip(t)
	n, most := 40, 2.6
	if slow.Enabled() {
		n, most = 250, 1.4
	}
	circle := float64(n) * 0.8
	s := newSceneWith(t, ofBoxes(t, 1.5, box{-circle - 60, -1, -circle - 60, circle + 60, 0, circle + 60}), crowd.Options{Patience: 60})
	for i := range n {
		sin, cos := geom.Sincos(2 * math.Pi * float64(i) / float64(n))
		p := geom.Vec{X: circle * cos, Z: circle * sin}
		s.send(t, p, p.Scale(-1), 1.5, 1)
	}
	ideal := 2 * circle
	for s.now < 3*ideal && s.ended+s.stuck < n {
		s.step(t, 0.25)
	}
	t.Logf("%d: %.0f s of ideally %.0f", n, s.now, ideal)
	if s.ended < n || s.now > most*ideal {
		t.Errorf("%d of %d arrived in %.0f s of ideally %.0f, %d gave up", s.ended, n, s.now, ideal, s.stuck)
	}
}
