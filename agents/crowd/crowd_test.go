package crowd_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
)

// generated returns the index of a generated level, for agents of a radius.
func generated(tb testing.TB, kind string, opt levelgen.Options, radius float64) *query.Index {
	tb.Helper()
	l, err := levelgen.Generate(kind, opt)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: radius})
	if err != nil {
		tb.Fatal(err)
	}
	return m.Index()
}

// real returns the index of a level of the shared folder, or skips.
func real(tb testing.TB, name string, radius float64) *query.Index {
	tb.Helper()
	dir := os.Getenv("MEADOW_LEVELS")
	if dir == "" {
		dir = "../../../shared/levels"
	}
	l, err := meadow.Open(filepath.Join(dir, name))
	if err != nil {
		tb.Skip(err)
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: radius})
	if err != nil {
		tb.Fatal(err)
	}
	return m.Index()
}

// judge counts what must not happen in a crowd.
type judge struct {
	q       *query.Query
	overlap float64
	pairs   int
	off     int
}

func (j *judge) look(c *crowd.Crowd) {
	var all []crowd.Agent
	for a := range c.Agents() {
		all = append(all, a)
	}
	cells := map[[2]int][]int{}
	const size = 2.0
	for i, a := range all {
		if pos, ok := j.q.Locate(a.At); a.State != crowd.OnLink && (!ok || pos.Point != a.At) {
			j.off++
		}
		x, z := int(a.At.X/size+1e6), int(a.At.Z/size+1e6)
		for cx := x - 1; cx <= x+1; cx++ {
			for cz := z - 1; cz <= z+1; cz++ {
				for _, k := range cells[[2]int{cx, cz}] {
					b := all[k]
					height := 1.9
					if a.State == crowd.OnLink || b.State == crowd.OnLink {
						height = 1.8
					}
					if over := a.Radius + b.Radius - a.At.DistXZ(b.At); over > 0 && abs(a.At.Y-b.At.Y) < height {
						j.overlap = max(j.overlap, over)
						if over > 0.01 {
							j.pairs++
						}
					}
				}
			}
		}
		cells[[2]int{x, z}] = append(cells[[2]int{x, z}], i)
	}
}

// fill adds agents at random places apart from each other, with random goals.
func fill(tb testing.TB, c *crowd.Crowd, q *query.Query, n int, radius float64, rng *rand.Rand) {
	tb.Helper()
	var at []geom.Vec
	cells := map[[2]int][]geom.Vec{}
	for len(at) < n {
		var pos query.Position
		free := false
		for try := 0; try < 1000 && !free; try++ {
			pos, _ = q.RandomPoint(rng)
			free = true
			x, z := int(pos.Point.X/2+1e6), int(pos.Point.Z/2+1e6)
			for cx := x - 1; cx <= x+1; cx++ {
				for cz := z - 1; cz <= z+1; cz++ {
					for _, o := range cells[[2]int{cx, cz}] {
						free = free && (o.DistXZ(pos.Point) > 2*radius+0.01 || abs(o.Y-pos.Point.Y) > 3)
					}
				}
			}
			if free {
				k := [2]int{x, z}
				cells[k] = append(cells[k], pos.Point)
			}
		}
		if !free {
			tb.Fatalf("no room for agent %d", len(at))
		}
		if err := c.Add(crowd.Spec{ID: crowd.ID(len(at)), At: pos.Point, Radius: radius, Speed: 1.4}); err != nil {
			tb.Fatal(err)
		}
		at = append(at, pos.Point)
	}
	for i := range at {
		goal, _ := q.RandomPoint(rng)
		if err := c.Goal(crowd.ID(i), goal.Point); err != nil {
			tb.Fatal(err)
		}
	}
}

func abs(v float64) float64 {
	if v < 0 {
		return -v
	}
	return v
}

// again sends agents who have ended to new goals.
func again(c *crowd.Crowd, q *query.Query, rng *rand.Rand) (arrived, stuck int) {
	for _, e := range c.Events() {
		switch e.Kind {
		case crowd.EventArrived:
			arrived++
		case crowd.EventStuck:
			stuck++
		default:
			continue
		}
		goal, _ := q.RandomPoint(rng)
		_ = c.Goal(e.ID, goal.Point)
	}
	return arrived, stuck
}

// TestNobodyOverlaps and TestNobodyLeavesTheMesh walk crowds over levels of several kinds, and look at every step.
func TestNobodyOverlaps(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"halls", "pillars", "maze", "tower"} {
		j, arrived := walkAbout(t, kind, 60, 600)
		if j.overlap > 0.01 || j.pairs > 0 {
			t.Errorf("%s: bodies overlap by up to %v m, in %d pairs by more than 1 cm", kind, j.overlap, j.pairs)
		}
		if arrived == 0 {
			t.Errorf("%s: nobody arrived", kind)
		}
	}
}

func TestNobodyLeavesTheMesh(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"halls", "terrain"} {
		if j, _ := walkAbout(t, kind, 60, 400); j.off > 0 {
			t.Errorf("%s: %d places off the mesh", kind, j.off)
		}
	}
}

func walkAbout(t *testing.T, kind string, n, steps int) (judge, int) {
	t.Helper()
	ix := generated(t, kind, levelgen.Options{Seed: 1}, 0.4)
	q := ix.NewQuery()
	rng := rand.New(rand.NewPCG(1, 1))
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, q, n, 0.4, rng)
	j := judge{q: ix.NewQuery()}
	arrived := 0
	for range steps {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		j.look(c)
		a, _ := again(c, q, rng)
		arrived += a
	}
	return j, arrived
}

// TestOneAgentArrives compares the way of an agent alone with the shortest path.
func TestOneAgentArrives(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"maze", "pillars", "tower", "terrain"} {
		ix := generated(t, kind, levelgen.Options{Seed: 1}, 0.4)
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(1, 1))
		for range 20 {
			start, _ := q.RandomPoint(rng)
			goal, _ := q.RandomPoint(rng)
			path, err := q.Path(t.Context(), start.Point, goal.Point)
			if err != nil {
				t.Fatal(err)
			}
			if !path.Complete || len(path.Crossings) > 0 {
				continue
			}
			want := path.Length
			c, err := crowd.New(crowd.Options{}, ix)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Add(crowd.Spec{ID: 1, At: start.Point}); err != nil {
				t.Fatal(err)
			}
			if err := c.Goal(1, goal.Point); err != nil {
				t.Fatal(err)
			}
			walked, last := 0.0, start.Point
			var a crowd.Agent
			for range int(3*want/1.4/0.05) + 100 {
				if err := c.Step(0.05); err != nil {
					t.Fatal(err)
				}
				a, _ = c.Agent(1)
				walked += a.At.DistXZ(last)
				last = a.At
				if a.State != crowd.Walking {
					break
				}
			}
			if a.State != crowd.Arrived || walked > want*1.01+0.1 {
				t.Errorf("%s: from %v to %v: %v at %v, walked %.3f m of %.3f", kind, start.Point, goal.Point, a.State, a.At, walked, want)
			}
		}
	}
}

// TestHeadOn lets two agents meet exactly, on a free floor: both pass on the right, as mirror images.
func TestHeadOn(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	west, east := geom.Vec{X: -11, Z: 2}, geom.Vec{X: -1, Z: 2}
	for i, at := range []geom.Vec{west, east} {
		if err := c.Add(crowd.Spec{ID: crowd.ID(i), At: at}); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = c.Goal(0, east), c.Goal(1, west)
	south := 0.0
	for range 240 {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		a, _ := c.Agent(0)
		south = max(south, a.At.Z-2)
		b, _ := c.Agent(1)
		if abs(a.At.X+b.At.X+12) > 0.001 || abs(a.At.Z+b.At.Z-4) > 0.001 {
			t.Fatalf("not mirrored: %v and %v", a.At, b.At)
		}
	}
	a, _ := c.Agent(0)
	b, _ := c.Agent(1)
	if a.State != crowd.Arrived || b.State != crowd.Arrived || south < 0.3 {
		t.Errorf("%v and %v, %.3f m to the right", a.State, b.State, south)
	}
}

// TestDoorway sends two streams through a door one agent wide. Everybody gets to the other side.
func TestDoorway(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.6)
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 16 {
		west := geom.Vec{X: -4 - 1.3*float64(i/2%4), Z: -1 + 1.5*float64(i/8)}
		east := geom.Vec{X: -west.X, Z: west.Z}
		if i%2 == 1 {
			west, east = east, west
		}
		if err := c.Add(crowd.Spec{ID: crowd.ID(i), At: west}); err != nil {
			t.Fatal(err)
		}
		if err := c.Goal(crowd.ID(i), east); err != nil {
			t.Fatal(err)
		}
	}
	arrived := 0
	for step := 0; step < 2400 && arrived < 16; step++ {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		for _, e := range c.Events() {
			if e.Kind != crowd.EventArrived {
				t.Fatalf("step %d: agent %d: %v", step, e.ID, e.Reason)
			}
			arrived++
		}
	}
	if arrived < 16 {
		t.Errorf("%d of 16 arrived", arrived)
	}
}

// TestReplay asks for the same bits from any number of goroutines, and agents added in any order.
func TestReplay(t *testing.T) {
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	var want []uint64
	for run, jobs := range []int{1, 2, 7} {
		c, err := crowd.New(crowd.Options{Jobs: jobs}, ix)
		if err != nil {
			t.Fatal(err)
		}
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(5, 5))
		var at, to []geom.Vec
		for range 300 {
			p, _ := q.RandomPoint(rng)
			g, _ := q.RandomPoint(rng)
			at, to = append(at, p.Point), append(to, g.Point)
		}
		for _, i := range rand.New(rand.NewPCG(uint64(run), 9)).Perm(len(at)) {
			if err := c.Add(crowd.Spec{ID: crowd.ID(i), At: at[i]}); err != nil {
				t.Fatal(err)
			}
			if err := c.Goal(crowd.ID(i), to[i]); err != nil {
				t.Fatal(err)
			}
		}
		for step := range 200 {
			if err := c.Step(0.05); err != nil {
				t.Fatal(err)
			}
			if step%20 != 0 {
				continue
			}
			if run == 0 {
				want = append(want, c.Hash())
			} else if c.Hash() != want[step/20] {
				t.Fatalf("%d jobs: step %d differs", jobs, step)
			}
		}
	}
}

// TestRestore saves a crowd in the middle, and goes on from the saved form with the same bits.
func TestRestore(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "halls", levelgen.Options{Seed: 2}, 0.4)
	c, err := crowd.New(crowd.Options{Budget: 200}, ix)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, ix.NewQuery(), 80, 0.4, rand.New(rand.NewPCG(3, 3)))
	for range 100 {
		_ = c.Step(0.05)
	}
	var saved bytes.Buffer
	if err := c.Save(&saved); err != nil {
		t.Fatal(err)
	}
	d, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Restore(bytes.NewReader(saved.Bytes())); err != nil {
		t.Fatal(err)
	}
	for step := range 200 {
		if c.Hash() != d.Hash() {
			t.Fatalf("%d steps after the restart: differs", step)
		}
		_, _ = c.Step(0.05), d.Step(0.05)
	}
	for i := 0; i < saved.Len(); i += 1 + saved.Len()/97 {
		bad := bytes.Clone(saved.Bytes())
		bad[i] ^= 0x10
		if err := d.Restore(bytes.NewReader(bad)); err == nil {
			t.Errorf("byte %d changed: restored", i)
		}
		if err := d.Restore(bytes.NewReader(saved.Bytes()[:i])); err == nil {
			t.Errorf("cut at byte %d: restored", i)
		}
	}
}

// TestBudget asks for many paths with a budget of one node: at least one batch a step is served, and everybody in the end.
func TestBudget(t *testing.T) {
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{Budget: 1}, ix)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, ix.NewQuery(), 80, 0.4, rand.New(rand.NewPCG(3, 3)))
	before := 80
	for range 5 {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		waiting := 0
		for a := range c.Agents() {
			if a.Awaits {
				waiting++
			}
		}
		if before-waiting != 16 {
			t.Errorf("%d waited, then %d, want 16 fewer", before, waiting)
		}
		before = waiting
	}
}

// TestFirstLegs gives agents paths too slowly: those who see free floor towards their goals walk there, and stay on the floor; others
// wait. With costs that differ nobody walks without a path.
func TestFirstLegs(t *testing.T) {
	race.Skip(t)
	l, err := levelgen.Generate("pillars", levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(t.Context(), l, geom.Agent{Radius: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	for i := range m.Tiles {
		for k := range m.Tiles[i].Regions {
			m.Tiles[i].Regions[k].Area = uint8(k % 2)
		}
	}
	ix := m.Index()
	for _, even := range []bool{true, false} {
		c, err := crowd.New(crowd.Options{Budget: 1}, ix)
		if err != nil {
			t.Fatal(err)
		}
		fill(t, c, ix.NewQuery(), 300, 0.4, rand.New(rand.NewPCG(3, 3)))
		if !even {
			rule, err := c.Allow(query.Filter{AreaCosts: map[uint8]float64{1: 2}})
			if err != nil {
				t.Fatal(err)
			}
			for id := range crowd.ID(300) {
				if err := c.SetRule(id, rule); err != nil {
					t.Fatal(err)
				}
			}
		}
		j := judge{q: ix.NewQuery()}
		walked, stood := 0, 0
		for range 20 {
			if err := c.Step(0.05); err != nil {
				t.Fatal(err)
			}
			j.look(c)
			for a := range c.Agents() {
				switch {
				case !a.Awaits:
				case a.State == crowd.Waiting:
					stood++
				default:
					walked++
				}
			}
		}
		// Walkers may have asked for another path since.
		for a := range c.Agents() {
			if a.State == crowd.Waiting {
				t.Errorf("agent %d is %v after the last path", a.ID, a.State)
			}
		}
		if j.off > 0 || j.overlap > 0 || stood < 100 || even != (walked > 500) {
			t.Errorf("even costs %v: %d steps on first legs and %d at rest, %d off the mesh, overlap %v m", even, walked, stood, j.off, j.overlap)
		}
	}
}

// TestRiders lets a crowd go up and down ladders: riders touch nobody, on the way and where they land, and come to the other end.
func TestRiders(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	q, rng := ix.NewQuery(), rand.New(rand.NewPCG(1, 2))
	fill(t, c, q, 40, 0.4, rng)
	j := judge{q: ix.NewQuery()}
	began, landed := 0, 0
	for range 1200 {
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
		j.look(c)
		for _, e := range c.Events() {
			switch e.Kind {
			case crowd.EventLink:
				began++
			case crowd.EventLanded:
				landed++
			case crowd.EventArrived, crowd.EventStuck:
				to, _ := q.RandomPoint(rng)
				if err := c.Goal(e.ID, to.Point); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if j.overlap > 0.01 || j.off > 0 || began < 20 || landed < began-3 {
		t.Errorf("%d rides, %d ended: overlap %v m, %d off the mesh", began, landed, j.overlap, j.off)
	}
}

// TestFarGoals asks for a path to a far goal, and again and again for paths to near ones: the far one is answered in a few seconds.
func TestFarGoals(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "rooms", levelgen.Options{Size: 40, Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{Budget: 1}, ix)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, c, ix.NewQuery(), 100, 0.4, rand.New(rand.NewPCG(3, 3)))
	far, of := crowd.ID(0), 0.0
	for a := range c.Agents() {
		if d := a.At.Dist(a.Goal); d > of {
			far, of = a.ID, d
		}
	}
	steps := 0
	for ; get(t, c, far).Awaits && steps < 100; steps++ {
		for a := range c.Agents() {
			if a.ID != far {
				if err := c.Goal(a.ID, a.At); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := c.Step(0.05); err != nil {
			t.Fatal(err)
		}
	}
	// A hundred requests, 16 in a step, are answered in 0.35 s: so old are near ones.
	if seconds := float64(steps) * 0.05; seconds <= 0.1 || seconds > of/100+0.4 {
		t.Errorf("a path of %v m came after %v s", of, seconds)
	}
}

// TestErrands sends agents to one place each by itself, and together: their ways are as long.
func TestErrands(t *testing.T) {
	for _, kind := range []string{"maze", "tower"} {
		ix := generated(t, kind, levelgen.Options{Seed: 1}, 0.4)
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(4, 4))
		goal, _ := q.RandomPoint(rng)
		c, err := crowd.New(crowd.Options{}, ix)
		if err != nil {
			t.Fatal(err)
		}
		want := map[crowd.ID]float64{}
		for id := range crowd.ID(30) {
			at, _ := q.RandomPoint(rng)
			if err := c.Add(crowd.Spec{ID: id, At: at.Point}); err != nil {
				t.Fatal(err)
			}
			path, err := q.Path(t.Context(), at.Point, goal.Point)
			if err != nil || !path.Complete {
				t.Fatal(err, path.Complete)
			}
			if want[id] = path.Length; len(path.Crossings) > 0 {
				want[id] = math.NaN() // Remains tells no lengths of links
			}
			if err := c.Goal(id, goal.Point); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.Step(1e-6); err != nil {
			t.Fatal(err)
		}
		for a := range c.Agents() {
			if abs(a.Remains-want[a.ID]) > 1e-3 {
				t.Errorf("%s: agent %d has %v m to go, by its own path %v", kind, a.ID, a.Remains, want[a.ID])
			}
		}
	}
}

// TestBadCalls hands wrong values in: each is an error that names the agent, and changes nothing.
func TestBadCalls(t *testing.T) {
	ix := generated(t, "halls", levelgen.Options{Seed: 1}, 0.4)
	c, err := crowd.New(crowd.Options{}, ix)
	if err != nil {
		t.Fatal(err)
	}
	at, _ := ix.NewQuery().RandomPoint(rand.New(rand.NewPCG(1, 1)))
	if err := c.Add(crowd.Spec{ID: 7, At: at.Point}); err != nil {
		t.Fatal(err)
	}
	nan, before := math.NaN(), c.Hash()
	for name, err := range map[string]error{
		"taken id":      c.Add(crowd.Spec{ID: 7, At: at.Point}),
		"off the mesh":  c.Add(crowd.Spec{ID: 8, At: geom.Vec{X: 1e5}}),
		"NaN place":     c.Add(crowd.Spec{ID: 8, At: geom.Vec{X: nan}}),
		"NaN speed":     c.Add(crowd.Spec{ID: 8, At: at.Point, Speed: nan}),
		"wide":          c.Add(crowd.Spec{ID: 8, At: at.Point, Radius: 0.5}),
		"rule":          c.Add(crowd.Spec{ID: 8, At: at.Point, Rule: 1}),
		"unknown":       c.Goal(9, at.Point),
		"NaN goal":      c.Goal(7, geom.Vec{Y: nan}),
		"no places":     c.GoalNearest(7, nil),
		"itself":        c.Follow(7, 7, 1),
		"unknown other": c.Follow(7, 9, 1),
		"removed":       c.Remove(9),
		"teleport":      c.Teleport(7, geom.Vec{X: 1e5}),
		"push":          c.Push(7, geom.Vec{X: nan}),
		"speed":         c.SetSpeed(7, -1),
		"radius":        c.SetRadius(7, nan),
		"zero step":     c.Step(0),
		"NaN step":      c.Step(nan),
		"long step":     c.Step(2),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if c.Hash() != before {
		t.Error("an error has changed the crowd")
	}
}

func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"nav_test.obj", "undulating.obj", "sthelens.obj"} {
		ix := real(b, name, 0.4)
		for _, n := range []int{1000} {
			b.Run(name, func(b *testing.B) {
				q := ix.NewQuery()
				rng := rand.New(rand.NewPCG(1, 1))
				c, err := crowd.New(crowd.Options{Jobs: 1}, ix)
				if err != nil {
					b.Fatal(err)
				}
				fill(b, c, q, n, 0.4, rng)
				for range 100 {
					_ = c.Step(0.05)
					again(c, q, rng)
				}
				b.ResetTimer()
				for range b.N {
					if err := c.Step(0.05); err != nil {
						b.Fatal(err)
					}
					again(c, q, rng)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/agent")
			})
		}
	}
}
