package steer_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/steer"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// generated returns the index of a generated level.
func generated(tb testing.TB, kind string) *query.Index {
	tb.Helper()
	return built(tb, kind).Index()
}

func built(tb testing.TB, kind string) *meadow.Mesh {
	tb.Helper()
	l, err := levelgen.Generate(kind, levelgen.Options{Seed: 3})
	if err != nil {
		tb.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: 0.3})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// onMesh fails if a position is not a place of the mesh, to the last bit.
func onMesh(t *testing.T, q *query.Query, at query.Position) {
	t.Helper()
	if p, err := q.NearestIn(at.Ref, at.Point); err != nil || p.Point != at.Point {
		t.Fatalf("%v is off the mesh: %v, %v", at, p, err)
	}
}

// kinds are levels with stairs, slopes, doors and open ground.
var kinds = []string{"rooms", "bridge", "carpark", "terrain"}

// TestTrailStaysOnTheMesh: every place of followers is on the mesh, also of those that others push aside all the time, and who
// then find no bump where there is none; steps are no longer than asked for.
func TestTrailStaysOnTheMesh(t *testing.T) {
	for _, kind := range kinds {
		q := generated(t, kind).NewQuery()
		rng := rand.New(rand.NewPCG(5, 5))
		for k, j := range journeys(t, q, 20) {
			tr, at := steer.Trail{Bends: j.bends}, j.start
			for step := 0; ; step++ {
				was := at
				metres := 0.5 * rng.Float64()
				next, p, err := tr.Step(q, at, metres)
				if err != nil {
					t.Fatal(err)
				}
				onMesh(t, q, next)
				if d := next.Point.DistXZ(was.Point); d > metres+0.0025 || p.Walked > metres+0.001*float64(len(j.bends)) {
					t.Fatalf("%s %d: %g m by a step of %g", kind, k, d, metres)
				}
				if at = next; p.Arrived {
					break
				}
				if k%2 == 1 && step%5 == 0 {
					at, _, _, err = steer.Slide(q, at, geom.Vec{X: 4*rng.Float64() - 2, Z: 4*rng.Float64() - 2}, 0.1)
					if err != nil {
						t.Fatal(err)
					}
					onMesh(t, q, at)
				} else if p.Bumped && k%2 == 0 {
					t.Fatalf("%s %d: a bump on a free way at %v", kind, k, at)
				}
				if step > 2000 {
					if k%2 == 0 {
						t.Fatalf("%s %d: never arrives", kind, k)
					}
					break // pushed around a corner
				}
			}
		}
	}
}

// TestTrailIsAsLongAsThePath: the walk ends at the goal and is as long as the path.
func TestTrailIsAsLongAsThePath(t *testing.T) {
	for _, kind := range kinds {
		q := generated(t, kind).NewQuery()
		for k, j := range journeys(t, q, 20) {
			tr, at := steer.Trail{Bends: j.bends}, j.start
			walked, steps := 0.0, 0
			for {
				var p steer.Progress
				var err error
				if at, p, err = tr.Step(q, at, stride); err != nil {
					t.Fatal(err)
				}
				walked += p.Walked
				if steps++; p.Arrived {
					break
				}
				if steps > int(j.long/stride)+10 {
					t.Fatalf("%s %d: at %v after %d steps", kind, k, at, steps)
				}
			}
			// Rounding to the lattice moves a place by 0.18 mm.
			if d := walked - j.long; math.Abs(d) > 0.0004*float64(steps) || math.Abs(d) > 0.01 {
				t.Errorf("%s %d: walked %g m of %g", kind, k, walked, j.long)
			}
			if at.Point.DistXZ(j.goal) > 0.0005 {
				t.Errorf("%s %d: ends at %v, goal %v", kind, k, at, j.goal)
			}
		}
	}
}

// TestTrailDegenerate: no bends, points twice in a row, bad lengths, foreign positions.
func TestTrailDegenerate(t *testing.T) {
	q := generated(t, "rooms").NewQuery()
	j := journeys(t, q, 1)[0]
	if _, p, err := (&steer.Trail{}).Step(q, j.start, 1); err != nil || !p.Arrived || p.Walked != 0 {
		t.Errorf("no bends: %+v, %v", p, err)
	}
	for _, metres := range []float64{0, -1, math.NaN()} {
		tr := steer.Trail{Bends: j.bends}
		if at, p, err := tr.Step(q, j.start, metres); err != nil || at != j.start || p.Arrived || p.Walked != 0 {
			t.Errorf("%g m: %v, %+v, %v", metres, at, p, err)
		}
	}
	b := j.bends
	tr := steer.Trail{Bends: append([]geom.Vec{b[0], b[0]}, b[1], b[1])}
	if at, p, err := tr.Step(q, j.start, math.Inf(1)); err != nil || !p.Arrived || at.Point.DistXZ(b[1]) > 0.0005 {
		t.Errorf("points twice: %v, %+v, %v", at, p, err)
	}
	tr = steer.Trail{Bends: b}
	if _, _, err := tr.Step(q, query.Position{}, 1); err == nil || tr.Next > 1 {
		t.Errorf("from nowhere: %v, next %d", err, tr.Next)
	}
}

// door is a closed door on a way, with another way around.
type door struct {
	closed *query.Index
	journey
	around float64
}

// doors returns journeys with a box across the way at a bend, such as a doorway, and with a longer way around.
func doors(t *testing.T) []door {
	t.Helper()
	m := built(t, "rooms")
	w, err := meadow.NewWorld(t.Context(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var found []door
	for _, j := range journeys(t, m.Index().NewQuery(), 60) {
		if len(j.bends) < 3 {
			continue
		}
		box := world.Box{Base: j.bends[1], Size: geom.Vec{X: 2.4, Y: 2, Z: 2.4}}
		if _, err := w.Apply(t.Context(), world.Put{ID: "door", Solid: box}); err != nil {
			t.Fatal(err)
		}
		closed := w.Now().Index()
		q := closed.NewQuery()
		start, ok := q.Locate(j.start.Point)
		_, open := q.Locate(j.goal)
		path, err := q.Path(t.Context(), j.start.Point, j.goal)
		if ok && open && err == nil && path.Complete && path.Length > j.long+1 {
			j.start = start
			found = append(found, door{closed, j, path.Length})
		}
		if _, err := w.Apply(t.Context(), world.Take{ID: "door"}); err != nil {
			t.Fatal(err)
		}
	}
	if len(found) < 3 {
		t.Fatalf("%d doors on ways", len(found))
	}
	return found
}

// TestBump: a follower whose path leads through a door that is closed meanwhile bumps into it and does not pass.
func TestBump(t *testing.T) {
	for _, d := range doors(t) {
		q := d.closed.NewQuery()
		tr, at := steer.Trail{Bends: d.bends}, d.start
		bumps, steps := 0, int(2*d.long/stride)
		for range steps {
			next, p, err := tr.Step(q, at, stride)
			if err != nil {
				t.Fatal(err)
			}
			if at = next; p.Bumped {
				bumps++
			}
			onMesh(t, q, at)
			if p.Arrived {
				t.Fatalf("walked through the door from %v to %v", d.start, d.goal)
			}
		}
		if bumps < 10 {
			t.Errorf("%d bumps in %d steps before a closed door", bumps, steps)
		}
	}
}

// TestClosedDoor: a traveller that knows the open door only walks up to it, bumps, tries noise, plans again on what it has
// learned, and arrives by the way around. Nothing turns it back before the bump.
func TestClosedDoor(t *testing.T) {
	const dt = 0.05
	patience := steer.Defaults().Patience
	for _, d := range doors(t) {
		q := d.closed.NewQuery()
		tr, at := steer.Trail{Bends: d.bends}, d.start
		var trouble steer.Trouble
		remedy, remedies := steer.GoOn, map[steer.Remedy]int{}
		walked, seconds, arrived := 0.0, 0.0, false
		for ; !arrived; seconds += dt {
			if seconds > 120+2*d.around {
				t.Fatalf("at %v after %g s, %v", at, seconds, remedies)
			}
			var p steer.Progress
			var err error
			if remedy == steer.Jitter {
				way := tr.Bends[min(tr.Next, len(tr.Bends)-1)].Sub(at.Point)
				was := at.Point
				at, _, _, err = steer.Slide(q, at, steer.Noise(way, 7, uint64(seconds/patience.While)).Scale(1.4), dt)
				walked += at.Point.DistXZ(was)
			} else {
				at, p, err = tr.Step(q, at, 1.4*dt)
				walked += p.Walked
			}
			if err != nil {
				t.Fatal(err)
			}
			onMesh(t, q, at)
			arrived = p.Arrived
			trouble, remedy = patience.Next(trouble, p.Bumped, dt)
			remedies[remedy]++
			if remedy == steer.Replan {
				path, err := q.Path(context.Background(), at.Point, d.goal)
				if err != nil {
					t.Fatal(err)
				}
				tr = steer.Trail{Bends: append([]geom.Vec(nil), path.Points...)}
				trouble, remedy = patience.Planned(trouble, path.Complete)
			}
		}
		if remedies[steer.Replan] == 0 || remedies[steer.Jitter] == 0 || walked < d.around {
			t.Errorf("%v, walked %g m, around are %g", remedies, walked, d.around)
		}
	}
}

// TestPhysicsHolds: whatever the velocity, the centre stays on the mesh and off closed ground.
func TestPhysicsHolds(t *testing.T) {
	d := doors(t)[0]
	q := d.closed.NewQuery()
	rng := rand.New(rand.NewPCG(8, 8))
	slid := 0
	for range 60 {
		at, _ := q.RandomPoint(rng)
		for range 40 {
			v := geom.Vec{X: 60*rng.Float64() - 30, Y: 100, Z: 60*rng.Float64() - 30}
			next, real, hit, err := steer.Slide(q, at, v, 0.05)
			if err != nil {
				t.Fatal(err)
			}
			onMesh(t, q, next)
			if hit {
				slid++
			}
			if moved := next.Point.Sub(at.Point); real.Y != 0 || math.Abs(real.X*0.05-moved.X) > 0.001 || math.Abs(real.Z*0.05-moved.Z) > 0.001 {
				t.Fatalf("moved by %v with %v", moved, real)
			}
			at = next
		}
	}
	if slid < 100 {
		t.Errorf("%d steps into walls", slid)
	}
	at, _ := q.RandomPoint(rng)
	for _, v := range []geom.Vec{{X: math.NaN()}, {Z: math.Inf(-1)}, {}} {
		if next, real, hit, err := steer.Slide(q, at, v, 0.05); next != at || real != (geom.Vec{}) || hit || err != nil {
			t.Errorf("%v: %v, %v, %v, %v", v, next, real, hit, err)
		}
	}
	if _, _, _, err := steer.Slide(q, query.Position{}, geom.Vec{X: 1}, 1); err == nil {
		t.Error("a position of no mesh")
	}
}

// TestSlide: a mover that runs into a wall at a slant goes on along the wall.
func TestSlide(t *testing.T) {
	q := generated(t, "rooms").NewQuery()
	rng := rand.New(rand.NewPCG(2, 2))
	tested := 0
	for range 200 {
		at, _ := q.RandomPoint(rng)
		w, err := q.DistanceToWall(at, 3)
		if err != nil || !w.Found || w.Distance < 0.2 {
			continue
		}
		normal, on := w.Normal, w.Nearest
		along := geom.Vec{X: normal.Z, Z: -normal.X}
		// Only walls that go on: a little off the wall, the way along it is free, and it is blocked across all the way.
		off, err := q.Raycast(on, on.Point.Add(normal.Scale(0.01)))
		if err != nil {
			t.Fatal(err)
		}
		straight := true
		for _, d := range []float64{-0.5, 0.5} {
			end, err := q.Raycast(off.End, off.End.Point.Add(along.Scale(d)))
			if err != nil {
				t.Fatal(err)
			}
			across, err := q.Raycast(end.End, end.End.Point.Sub(normal.Scale(0.03)))
			if err != nil {
				t.Fatal(err)
			}
			straight = straight && !end.Hit && across.Hit
		}
		if !straight {
			continue
		}
		next, real, hit, err := steer.Slide(q, on, along.Sub(normal).Scale(2), 0.1)
		if err != nil {
			t.Fatal(err)
		}
		onMesh(t, q, next)
		if !hit || math.Abs(real.Dot(along)-2) > 0.1 || real.Dot(normal) < -0.1 {
			t.Errorf("slides with %v along %v, hit %v", real, along, hit)
		}
		tested++
	}
	if tested < 20 {
		t.Errorf("%d slides", tested)
	}
}

// TestWhiskersOnMesh: whiskers feel the walls of a mesh: a mover with no path but its heading walks about and seldom touches a
// wall; without whiskers it does most of the time.
func TestWhiskersOnMesh(t *testing.T) {
	const dt = 0.05
	q := generated(t, "rooms").NewQuery()
	touching := func(strength float64) (touched int) {
		rng := rand.New(rand.NewPCG(4, 4))
		whiskers := steer.Fan(5, math.Pi/2, 2)
		var feel []steer.Sample
		for range 20 {
			at, _ := q.RandomPoint(rng)
			facing := steer.Noise(geom.Vec{X: 1}, rng.Uint64(), 0)
			m := steer.Mover{ID: 1, Velocity: facing, Facing: facing, Speed: 1.2, Push: 8}
			for range 200 {
				m.At = at.Point
				feel = steer.Feel(feel[:0], &m, whiskers, &steer.OnMesh{Query: q, At: at}, nil)
				m.Velocity = m.Drive(steer.Priority(m.Push, steer.Avoid(feel, strength), m.Facing.Scale(4)), dt)
				next, real, hit, err := steer.Slide(q, at, m.Velocity, dt)
				if err != nil {
					t.Fatal(err)
				}
				if at = next; hit {
					touched++
				}
				if n := real.Norm(); n > 0.1 {
					m.Facing = real.Scale(1 / n)
				}
			}
		}
		return touched
	}
	with, without := touching(8), touching(0)
	t.Logf("%d of 4000 steps touch walls with whiskers, %d without", with, without)
	if with > 400 || without < 1200 {
		t.Errorf("%d of 4000 steps touch walls with whiskers, %d without", with, without)
	}
}

// TestOnMeshRay: a ray that begins beside the position, in the open and behind a wall.
func TestOnMeshRay(t *testing.T) {
	q := generated(t, "rooms").NewQuery()
	rng := rand.New(rand.NewPCG(6, 6))
	for range 300 {
		at, _ := q.RandomPoint(rng)
		side, tip := at.Point.Add(geom.Vec{X: rng.Float64() - 0.5, Z: rng.Float64() - 0.5}), at.Point.Add(geom.Vec{X: 9*rng.Float64() - 4.5, Z: 9*rng.Float64() - 4.5})
		o := steer.OnMesh{Query: q, At: at}
		free, normal := o.Ray(side, tip)
		first, err := q.Raycast(at, side)
		if err != nil {
			t.Fatal(err)
		}
		if first.Hit {
			if free != 0 {
				t.Errorf("%g of a ray that begins behind a wall", free)
			}
			continue
		}
		second, err := q.Raycast(first.End, tip)
		if err != nil {
			t.Fatal(err)
		}
		if free != second.Fraction || normal != second.Normal || (free < 1) != second.Hit {
			t.Errorf("%g, %v; want %+v", free, normal, second)
		}
	}
}
