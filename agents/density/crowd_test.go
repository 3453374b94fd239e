package density_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/density"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/world"
)

// halls is two halls with a narrow door between them, and a wide one farther away that begins at a depth z.
func halls(t testing.TB, z float64) *world.World {
	t.Helper()
	return floorOf(t, [4]float64{0, 0, 14, 20}, [4]float64{15, 0, 30, 20}, [4]float64{14, 5, 15, 6.1}, [4]float64{14, z, 15, z + 3})
}

// evacuation is a crowd that leaves one hall for the other.
type evacuation struct {
	t testing.TB
	w *world.World
	c *crowd.Crowd
	m *density.Map // nil without density
}

func evacuate(t testing.TB, w *world.World, with bool, jobs int) *evacuation {
	t.Helper()
	e := &evacuation{t: t, w: w}
	var err error
	if e.c, err = crowd.New(crowd.Options{Jobs: jobs, Patience: 200}, w.Now().Index()); err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		e.must(e.c.Add(crowd.Spec{ID: crowd.ID(i), At: geom.Vec{X: 1 + 0.8*float64(i/9), Z: 1 + float64(i%9)}, Radius: 0.25}))
		e.must(e.c.Goal(crowd.ID(i), geom.Vec{X: 22 + float64(i/9)*0.7, Z: 1 + 0.5*float64(i%9)}))
	}
	if with {
		e.m = made(t, w, density.Options{Most: 24})
	}
	return e
}

func (e *evacuation) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

func (e *evacuation) step() {
	e.t.Helper()
	if e.m != nil && e.c.Steps()%20 == 0 {
		_, err := e.m.Watch(context.Background(), e.c)
		e.must(err)
	}
	e.must(e.c.Step(0.05))
}

// through returns the number of agents in the other hall.
func (e *evacuation) through() int {
	n := 0
	for a := range e.c.Agents() {
		if a.At.X > 15.5 {
			n++
		}
	}
	return n
}

// TestCrowdGoesRoundItsJam empties a hall with a near narrow door, and a wide door that is farther away. With density more agents take the
// wide door, and the last agent leaves earlier: over three places of the wide door by at least three quarters of the time that the narrow door takes for
// the agents that leave it to others. The bits are the same for any number of goroutines.
func TestCrowdGoesRoundItsJam(t *testing.T) {
	race.Skip(t)
	type result struct {
		seconds float64
		near    map[crowd.ID]bool // who took the narrow door
		hash    uint64
	}
	play := func(z float64, with bool, jobs int) result {
		e := evacuate(t, halls(t, z), with, jobs)
		r := result{near: map[crowd.ID]bool{}}
		for e.through() < e.c.Len() && e.c.Steps() < 4000 {
			e.step()
			for a := range e.c.Agents() {
				if a.At.X > 14 && a.At.X < 15 && a.At.Z < 8 {
					r.near[a.ID] = true
				}
			}
			if e.c.Steps()%100 == 0 {
				r.hash = r.hash*31 + e.c.Hash()
			}
		}
		r.seconds = float64(e.c.Steps()) * 0.05
		return r
	}
	gained, asked := 0.0, 0.0
	for _, z := range []float64{9, 11, 13} {
		without, with := play(z, false, 0), play(z, true, 1)
		each := without.seconds / float64(len(without.near)) // seconds of the narrow door for an agent
		fewer := len(without.near) - len(with.near)
		saved := without.seconds - with.seconds
		t.Logf("wide door at %v m: %.1f s with density, %.1f s without; %d fewer of %d take the narrow door", z, with.seconds, without.seconds, fewer, len(without.near))
		if fewer < 5 || saved <= 0 || without.seconds > 150 {
			t.Errorf("wide door at %v m: %.1f s saved of %.1f, %d fewer take the narrow door, which takes %.2f s for each", z, saved, without.seconds, fewer, each)
		}
		gained, asked = gained+saved, asked+float64(float64(fewer)*each)
		if z == 9 {
			if again := play(z, true, 3); again.seconds != with.seconds || again.hash != with.hash {
				t.Error("other bits with three goroutines")
			}
		}
	}
	if gained < 0.75*asked {
		t.Errorf("%.1f s saved at three places of the wide door, the narrow door takes %.1f s for those who do not use it any more", gained, asked)
	}
}

// TestRestore saves map and crowd in the middle, and restores both on a world that has had the same changes: both go on with the same
// bits. Faults in a saved map are errors.
func TestRestore(t *testing.T) {
	race.Skip(t)
	a, twin := evacuate(t, halls(t, 13), true, 1), evacuate(t, halls(t, 13), true, 2)
	for range 130 {
		a.step()
		twin.step()
	}
	if len(a.m.Cells()) < 5 {
		t.Fatalf("only %d cells cost more", len(a.m.Cells()))
	}
	var cells, agents bytes.Buffer
	a.must(a.m.Save(&cells))
	a.must(a.c.Save(&agents))
	b := &evacuation{t: t, w: twin.w, m: made(t, twin.w, density.Options{Most: 24})}
	var err error
	b.c, err = crowd.New(crowd.Options{Jobs: 2}, twin.w.Now().Index())
	a.must(err)
	b.must(b.c.Restore(bytes.NewReader(agents.Bytes())))
	b.must(b.m.Restore(bytes.NewReader(cells.Bytes())))
	for i := range 120 {
		a.step()
		b.step()
		if a.c.Hash() != b.c.Hash() || a.m.Hash() != b.m.Hash() {
			t.Fatalf("differs %d steps after the restored state", i)
		}
	}
	before := b.m.Hash()
	for i := 0; i < cells.Len(); i += 1 + cells.Len()/60 {
		bad := bytes.Clone(cells.Bytes())
		bad[i] ^= 0x10
		if b.m.Restore(bytes.NewReader(bad)) == nil || b.m.Restore(bytes.NewReader(cells.Bytes()[:i])) == nil || b.m.Hash() != before {
			t.Errorf("restored with a fault at byte %d", i)
		}
	}
}

// TestBoundedUpdates paints random places with and without a bound on the cells of an update: no update changes more, and after
// enough updates the cells are equal.
func TestBoundedUpdates(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	all, few := made(t, ring(t), density.Options{}), made(t, ring(t), density.Options{Most: 3})
	for range 6 {
		var places []density.Place
		for range 150 {
			places = append(places, density.Place{At: geom.Vec{X: 30 * rng.Float64(), Z: 20 * rng.Float64()}, Radius: 0.3 + 0.4*rng.Float64()})
		}
		if _, err := all.Update(t.Context(), places); err != nil {
			t.Fatal(err)
		}
		updates := 0
		for few.Hash() != all.Hash() && updates < 100 {
			was := map[geom.Box]float64{}
			for _, c := range few.Cells() {
				was[c.Box] = c.Cost
			}
			if _, err := few.Update(t.Context(), places); err != nil {
				t.Fatal(err)
			}
			changed := 0
			for _, c := range few.Cells() {
				if was[c.Box] != c.Cost {
					changed++
				}
				delete(was, c.Box)
			}
			if changed += len(was); changed > 2*3 {
				t.Fatalf("%d cells changed in an update", changed)
			}
			updates++
		}
		if updates < 3 || updates == 100 {
			t.Errorf("%d updates", updates)
		}
	}
	if _, err := density.New(ring(t), density.Options{Most: -1}); err == nil {
		t.Error("no error for a bound below 0")
	}
}
