package world_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// worldOf returns a world over a generated level.
func worldOf(t *testing.T, kind string, radii ...float64) *world.World {
	t.Helper()
	l, err := levelgen.Generate(kind, levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := meadow.NewWorld(context.Background(), build(t, l, 0.3), meadow.WorldOptions{Radii: radii})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// apply makes a change that must succeed.
func apply(t *testing.T, w *world.World, edits ...world.Edit) world.Change {
	t.Helper()
	c, err := w.Apply(context.Background(), edits...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// pathLength returns the length of a path in a snapshot, +Inf without a path.
func pathLength(t *testing.T, s *world.Snapshot, from, to geom.Vec) float64 {
	t.Helper()
	p, err := s.NewQuery().Path(context.Background(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Complete {
		return math.Inf(1)
	}
	return p.Cost
}

// A link joins the two ends while floor is at both.
func TestConnect(t *testing.T) {
	race.Skip(t)
	w := worldOf(t, "demo")
	from, to := levelgen.DemoWalk()
	before := pathLength(t, w.Now(), from, to)
	apply(t, w, world.Connect{ID: "gate", From: from, To: to, Kind: navmesh.Teleport, Cost: 1, BothWays: true})
	if got := pathLength(t, w.Now(), from, to); math.Abs(got-1) > 1e-6 {
		t.Errorf("through the gate the path costs %g, want 1", got)
	}
	if got := pathLength(t, w.Now(), to, from); math.Abs(got-1) > 1e-6 {
		t.Errorf("back through the gate the path costs %g, want 1", got)
	}
	apply(t, w, world.Put{ID: "stone", Solid: world.Cylinder{Base: to, Radius: 0.1, Height: 1}})
	beside := to.Add(geom.Vec{X: 0.5})
	if got := pathLength(t, w.Now(), from, beside); got < 2 {
		t.Errorf("with a stone on its end the gate still leads there, at a cost of %g", got)
	}
	apply(t, w, world.Take{ID: "stone"}, world.Take{ID: "gate"})
	if got := pathLength(t, w.Now(), from, to); got != before {
		t.Errorf("without the gate the path costs %g, before %g", got, before)
	}
}

// A modifier changes the cost, the flags and the name of the floor, by the greatest priority.
func TestPaint(t *testing.T) {
	race.Skip(t)
	w := worldOf(t, "pillars")
	q := w.Now().NewQuery()
	at, ok := q.Nearest(geom.Vec{}, 100)
	if !ok {
		t.Fatal("no floor")
	}
	mud := world.Prism{Outline: []geom.Vec{{X: -50, Z: -50}, {X: 50, Z: -50}, {X: 50, Z: 50}, {X: -50, Z: 50}}, Bottom: -1, Top: 1}
	apply(t, w, world.Paint{ID: "mud", Solid: mud, Brush: world.Brush{Area: "mud", Cost: 3, Set: 1 << 12}})
	m := w.Now().Mesh()
	k := slices.Index(m.Areas, "mud, cost 3")
	if k < 1 {
		t.Fatalf("areas %q", m.Areas)
	}
	pos, ok := w.Now().NewQuery().Locate(at.Point)
	if !ok {
		t.Fatal("the mud is no floor")
	}
	r := func(m *navmesh.Mesh) *navmesh.Region {
		for i := range m.Tiles[0].Regions {
			ring := make([]geom.Vec, 0)
			for _, v := range m.Tiles[0].RegionCorners(i) {
				ring = append(ring, m.Frame.ToWorld(m.Tiles[0].Vertices[v].Point, 0))
			}
			inside := true
			for j, a := range ring {
				b := ring[(j+1)%len(ring)]
				inside = inside && (b.X-a.X)*(a.Z-pos.Point.Z)+(b.Z-a.Z)*(pos.Point.X-a.X) >= -1e-9
			}
			if inside {
				return &m.Tiles[0].Regions[i]
			}
		}
		return nil
	}
	if got := r(m); got == nil || int(got.Area) != k || got.Flags&(1<<12) == 0 {
		t.Errorf("the region is %+v, want area %d", got, k)
	}
	to := at.Point.Add(geom.Vec{X: 0.01})
	plain := 0.01
	if got := pathLength(t, w.Now(), at.Point, to); math.Abs(got-3*plain) > 1e-3 {
		t.Errorf("a step in mud costs %g, want %g", got, 3*plain)
	}
	apply(t, w, world.Paint{ID: "road", Solid: mud, Brush: world.Brush{Cost: 2, Priority: 1}})
	if got := pathLength(t, w.Now(), at.Point, to); math.Abs(got-2*plain) > 1e-3 {
		t.Errorf("a step on the road costs %g, want %g", got, 2*plain)
	}
	apply(t, w, world.Repaint{ID: "road", Solid: mud, Brush: world.Brush{Cost: math.Inf(1)}})
	if w.Now().Mesh().RegionCount() != 0 {
		t.Errorf("closed floor has %d regions", w.Now().Mesh().RegionCount())
	}
	apply(t, w, world.Take{ID: "road"}, world.Take{ID: "mud"})
	if got := pathLength(t, w.Now(), at.Point, to); math.Abs(got-plain) > 1e-3 {
		t.Errorf("a step on plain floor costs %g, want %g", got, plain)
	}
}

// Wrong edits are one error that names them, and nothing has changed.
func TestWrongEdits(t *testing.T) {
	w := worldOf(t, "stairs")
	apply(t, w, world.Put{ID: "box", Solid: world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}}})
	before := w.Now()
	nan := math.NaN()
	box := world.Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}}
	for _, c := range []struct {
		edit world.Edit
		want string
	}{
		{nil, "nil"},
		{world.Put{ID: "", Solid: box}, "the id is empty"},
		{world.Put{ID: world.ID(strings.Repeat("x", 201)), Solid: box}, "201 bytes"},
		{world.Put{ID: "a\x00", Solid: box}, "control character"},
		{world.Put{ID: "box", Solid: box}, `"box" is taken`},
		{world.Put{ID: "new"}, `"new" has no solid`},
		{world.Put{ID: "new", Solid: world.Box{Base: geom.Vec{X: nan}, Size: geom.Vec{X: 1, Y: 1, Z: 1}}}, "Base"},
		{world.Put{ID: "new", Solid: world.Prism{}}, `"new"`},
		{world.Put{ID: "new", Solid: world.Box{Base: geom.Vec{X: 1e4}, Size: geom.Vec{X: 1, Y: 1, Z: 1}}}, "outside"},
		{world.Move{ID: "ghost", Solid: box}, `"ghost"`},
		{world.Take{ID: "ghost"}, `"ghost"`},
		{world.Repaint{ID: "box", Solid: box}, "no modifier"},
		{world.Paint{ID: "new", Solid: box, Brush: world.Brush{Cost: -1}}, "cost -1"},
		{world.Close{Mark: "ghost"}, "ghost"},
		{world.Connect{ID: "new", From: geom.Vec{X: nan}}, "From"},
		{world.Connect{ID: "new", From: geom.Vec{X: 1e3}}, "From"},
	} {
		_, err := w.Apply(context.Background(), world.Put{ID: "first", Solid: box}, c.edit)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "world: edit 1: ") {
			t.Errorf("%#v: error %v, want %q", c.edit, err, c.want)
		}
		if w.Now() != before {
			t.Fatalf("%#v changed the world", c.edit)
		}
	}
}

// A door closes for all radii at once.
func TestDoors(t *testing.T) {
	w := worldOf(t, "halls", 0.4)
	west, east, _, _ := levelgen.HallsWalks()
	open := pathLength(t, w.Now(), west, east)
	apply(t, w, world.Close{Mark: "door"})
	for _, radius := range []float64{0.3, 0.4} {
		s, err := w.Now().For(radius)
		if err != nil {
			t.Fatal(err)
		}
		if got := pathLength(t, s, west, east); got <= open+1 {
			t.Errorf("radius %g: behind the closed door the path has %g m, with the door open %g", radius, got, open)
		}
	}
	if len(w.Now().Closed()) == 0 {
		t.Error("no mark is closed")
	}
	apply(t, w, world.Open{Mark: "door"})
	if got := pathLength(t, w.Now(), west, east); got != open {
		t.Errorf("after opening the path has %g m, before closing %g", got, open)
	}
}

// Obstacles are named where they block, and nowhere else.
func TestBlockedBy(t *testing.T) {
	race.Skip(t)
	w := worldOf(t, "demo")
	q := w.Now().NewQuery()
	rng := rand.New(rand.NewPCG(1, 1))
	var at query.Position
	most := 0.0
	for range 300 {
		pos, _ := q.RandomPoint(rng)
		if wall, err := q.DistanceToWall(pos, 5); err == nil && wall.Distance > most {
			at, most = pos, wall.Distance
		}
	}
	if most < 2 {
		t.Fatalf("no place is far from walls: %.2f m", most)
	}
	apply(t, w,
		world.Put{ID: "b", Solid: world.Cylinder{Base: at.Point, Radius: 0.5, Height: 2}},
		world.Put{ID: "a", Solid: world.Cylinder{Base: at.Point.Add(geom.Vec{X: 0.7}), Radius: 0.1, Height: 2}},
		world.Paint{ID: "c", Solid: world.Cylinder{Base: at.Point, Radius: 0.5, Height: 2}, Brush: world.Brush{Cost: 2}})
	s := w.Now()
	if got := s.BlockedBy(at.Point.Add(geom.Vec{X: 0.6})); !slices.Equal(got, []world.ID{"a", "b"}) {
		t.Errorf("both block: %q", got)
	}
	if got := s.BlockedBy(at.Point.Add(geom.Vec{X: -0.75})); !slices.Equal(got, []world.ID{"b"}) {
		t.Errorf("b blocks: %q", got)
	}
	if got := s.BlockedBy(at.Point.Add(geom.Vec{X: -0.85})); len(got) != 0 {
		t.Errorf("nothing blocks: %q", got)
	}
	way := []geom.Vec{at.Point.Add(geom.Vec{X: 1.5}), at.Point.Add(geom.Vec{X: -0.5})}
	if got := s.OnWay(way); !slices.Equal(got, []world.ID{"a", "b"}) {
		t.Errorf("on the way: %q", got)
	}
	free, ok := s.Free(at.Point, 3)
	if !ok || len(s.BlockedBy(free.Point)) != 0 || free.Point.Distance(at.Point) > 1 {
		t.Errorf("free is %v, %v, %.3f m from the middle, blocked by %q", free, ok, free.Point.Distance(at.Point), s.BlockedBy(free.Point))
	}
}
