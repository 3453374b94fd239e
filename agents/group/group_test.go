package group_test

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/crowd"
	"github.com/meadow-nav/meadow/agents/group"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

const dt = 0.05

// wall is a box on the floor, by its least and greatest x and z.
type wall struct{ x0, z0, x1, z1 float64 }

// hall returns the mesh of a floor from 0, 0 to a size, with walls, for agents of a radius.
func hall(tb testing.TB, radius, x, z float64, walls ...wall) *meadow.Mesh {
	tb.Helper()
	l := &level.Level{}
	box := func(lo, hi geom.Vec) {
		n := uint32(len(l.Vertices))
		for i := range 8 {
			v := lo
			if i&1 != 0 {
				v.X = hi.X
			}
			if i&2 != 0 {
				v.Y = hi.Y
			}
			if i&4 != 0 {
				v.Z = hi.Z
			}
			l.Vertices = append(l.Vertices, v)
		}
		for _, q := range [][4]uint32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}} {
			l.Triangles = append(l.Triangles,
				level.Triangle{A: n + q[0], B: n + q[1], C: n + q[2], Material: level.NoMaterial},
				level.Triangle{A: n + q[0], B: n + q[2], C: n + q[3], Material: level.NoMaterial})
		}
	}
	box(geom.Vec{Y: -1}, geom.Vec{X: x, Z: z})
	for _, w := range walls {
		box(geom.Vec{X: w.x0, Z: w.z0}, geom.Vec{X: w.x1, Y: 3, Z: w.z1})
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: radius})
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// door returns two halls, with a door of a width between them at x from 19.5 to 20.5.
func door(tb testing.TB, radius, width float64) *meadow.Mesh {
	tb.Helper()
	return hall(tb, radius, 40, 16, wall{19.5, 0, 20.5, 8 - width/2}, wall{19.5, 8 + width/2, 20.5, 16})
}

// scene is a crowd with groups on it.
type scene struct {
	tb     testing.TB
	c      *crowd.Crowd
	groups *group.Groups
	ids    []crowd.ID
	events []group.Event
}

func newScene(tb testing.TB, opt group.Options, floor ...*query.Index) *scene {
	tb.Helper()
	c, err := crowd.New(crowd.Options{Patience: 100}, floor...)
	if err != nil {
		tb.Fatal(err)
	}
	g, err := group.New(opt, c)
	if err != nil {
		tb.Fatal(err)
	}
	return &scene{tb: tb, c: c, groups: g}
}

// add adds agents in a block of rows, from a corner.
func (s *scene) add(n, across int, x, z, pitch, radius, speed float64) []crowd.ID {
	s.tb.Helper()
	var ids []crowd.ID
	for i := range n {
		id := crowd.ID(len(s.ids))
		at := geom.Vec{X: x + pitch*float64(i/across), Z: z + pitch*float64(i%across)}
		s.must(s.c.Add(crowd.Spec{ID: id, At: at, Radius: radius, Speed: speed}))
		ids, s.ids = append(ids, id), append(s.ids, id)
	}
	return ids
}

func (s *scene) must(err error) {
	s.tb.Helper()
	if err != nil {
		s.tb.Fatal(err)
	}
}

func (s *scene) step() {
	s.tb.Helper()
	s.must(s.groups.Step(dt))
	s.events = append(s.events, s.groups.Events()...)
	s.must(s.c.Step(dt))
}

func (s *scene) group(id group.ID) group.Group {
	s.tb.Helper()
	g, err := s.groups.Group(id)
	s.must(err)
	return g
}

// spread returns the greatest distance between two agents.
func (s *scene) spread() float64 {
	most := 0.0
	for _, i := range s.ids {
		for _, k := range s.ids {
			most = max(most, s.at(i).DistXZ(s.at(k)))
		}
	}
	return most
}

// until steps until a condition holds, for at most so many seconds, and returns the seconds.
func (s *scene) until(seconds float64, what string, done func() bool) float64 {
	s.tb.Helper()
	for i := range int(seconds / dt) {
		if done() {
			return float64(i) * dt
		}
		s.step()
	}
	if !done() {
		s.tb.Fatalf("after %v s: not %s", seconds, what)
	}
	return seconds
}

func (s *scene) at(id crowd.ID) geom.Vec {
	s.tb.Helper()
	a, err := s.c.Agent(id)
	s.must(err)
	return a.At
}

func (s *scene) arrived() bool { return s.group(1).State == group.Arrived }

// count returns the number of events of a kind.
func (s *scene) count(kind group.EventKind) int {
	n := 0
	for _, e := range s.events {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

// TestSection measures the section of a group that passes a door, from its cross-sections: its area is constant, and it is
// longer at the door. All cross-sections lie on the floor. The head goes slower where it is wider than the door.
func TestSection(t *testing.T) {
	m := door(t, 0.4, 1.2)
	s := newScene(t, group.Options{}, m.Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(20, 5, 4, 5, 1, 0.4, 1.4)}))
	s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
	q := m.NewQuery()
	const want = 20 * 0.64 * group.DefaultRoom
	open, choke, most, head := 0.0, 0.0, 2.0, 100.0
	s.until(90, "arrived", func() bool {
		g := s.group(1)
		if g.Length == 0 || s.arrived() {
			return s.arrived()
		}
		if math.Abs(g.Area-want) > 0.01*want {
			t.Fatalf("an area of %.3f m², want %.3f", g.Area, want)
		}
		cuts, err := s.groups.Section(1)
		s.must(err)
		if v := (g.Head - head) / dt; v > 1.2*most+0.01 {
			t.Fatalf("the head goes at %.2f m/s, want at most %.2f", v, most)
		}
		most, head = 1.4*g.Least/(cuts[0][0].DistXZ(cuts[0][1])+0.8), g.Head
		area := 0.0
		for i, c := range cuts {
			for _, end := range c {
				if pos, ok := q.Nearest(end, 0.3); !ok || pos.Point.DistXZ(end) > 0.05 {
					t.Fatalf("the cross-section from %v to %v is off the floor", c[0], c[1])
				}
			}
			if i > 0 {
				pitch := min(0.25, g.Head-g.Tail-0.25*float64(i-1))
				area += (c[0].DistXZ(c[1]) + cuts[i-1][0].DistXZ(cuts[i-1][1]) + 1.6) / 2 * pitch
			}
		}
		if math.Abs(area-want) > 0.05*want {
			t.Fatalf("cross-sections of %.3f m² from %.2f to %.2f m, want %.3f", area, g.Head, g.Tail, want)
		}
		if g.Least < 1.3 {
			choke = max(choke, g.Head-g.Tail)
		} else if g.Least > 7 {
			open = max(open, g.Head-g.Tail)
		}
		return false
	})
	if !(open > 3 && choke > 1.5*open) {
		t.Errorf("the section is %.2f m long on open floor and %.2f m at the door", open, choke)
	}
}

// TestPull compares the pull before a door with the pull on open floor.
func TestPull(t *testing.T) {
	s := newScene(t, group.Options{}, door(t, 0.4, 1.2).Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(20, 5, 4, 5, 1, 0.4, 1.4)}))
	s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
	s.step()
	list, err := s.groups.Members(1)
	s.must(err)
	for _, m := range list {
		if math.Abs(m.Pull-group.DefaultPull) > 0.02 {
			t.Errorf("member %d at %v: a pull of %v on open floor", m.ID, m.Slot, m.Pull)
		}
	}
	before := 0
	s.until(90, "arrived", func() bool {
		list, err := s.groups.Members(1)
		s.must(err)
		for _, m := range list {
			if d := 19.5 - m.Slot.X; d > 1.5 && d < 2.5 && s.group(1).State == group.Walking {
				before++
				if m.Pull < 2*group.DefaultPull {
					t.Fatalf("member %d at %v: a pull of %v before the door", m.ID, m.Slot, m.Pull)
				}
			}
		}
		return s.arrived()
	})
	if before == 0 {
		t.Error("nobody came to the door")
	}
}

// TestThroughADoor sends 20 through doors: soon after the first they are all behind the door, side by side, and no part of the
// group is left. Without a group the first are far away when the last come through.
func TestThroughADoor(t *testing.T) {
	for _, x := range []struct{ width, together float64 }{{1.2, 30}, {1.8, 20}, {2.6, 15}} {
		m := door(t, 0.4, x.width)
		passed := func(s *scene, together bool) (seconds, spread float64) {
			behind := func() int {
				n := 0
				for _, id := range s.ids {
					if s.at(id).X > 20.5 {
						n++
					}
				}
				return n
			}
			s.until(30, "at the door", func() bool { return behind() > 0 })
			seconds = s.until(100, "through", func() bool { return behind() == len(s.ids) && (!together || s.spread() < 7.5) })
			return seconds, s.spread()
		}
		s := newScene(t, group.Options{}, m.Index())
		s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(20, 5, 4, 5, 1, 0.4, 1.4)}))
		s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
		seconds, spread := passed(s, true)
		s.until(30, "arrived", s.arrived)
		if n := s.count(group.EventSplit); n > 0 || seconds > x.together {
			t.Errorf("a door of %v m: %d splits, together again %.1f s after the first, want %v", x.width, n, seconds, x.together)
		}
		single := newScene(t, group.Options{}, m.Index())
		for _, id := range single.add(20, 5, 4, 5, 1, 0.4, 1.4) {
			single.must(single.c.Goal(id, geom.Vec{X: 38, Z: 2 + 12*float64(id)/20}))
		}
		alone, strung := passed(single, false)
		if strung < 1.2*spread {
			t.Errorf("a door of %v m: %.1f m from end to end as a group, %.1f m singly", x.width, spread, strung)
		}
		t.Logf("a door of %v m: together after %.1f s, %.1f m from end to end; singly after %.1f s, %.1f m", x.width, seconds, spread, alone, strung)
	}
}

// TestWideWay offers a narrow door ahead and a wide door aside: a large group takes the wide door, a single member the
// narrow door, and both the narrow door where the wide door is far.
func TestWideWay(t *testing.T) {
	for _, x := range []struct {
		members int
		aside   float64
		wide    bool
	}{{20, 14, true}, {1, 14, false}, {20, 60, false}} {
		z := 8 + x.aside
		m := hall(t, 0.4, 40, z+10, wall{19.5, 0, 20.5, 7.5}, wall{19.5, 8.5, 20.5, z}, wall{19.5, z + 4, 20.5, z + 10})
		s := newScene(t, group.Options{}, m.Index())
		s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(x.members, 5, 12, 5, 1, 0.4, 1.4)}))
		s.must(s.groups.Goal(1, geom.Vec{X: 28, Z: 8}))
		s.step()
		wide := false
		for _, p := range s.group(1).Corridor {
			wide = wide || p.Z > z
		}
		if wide != x.wide {
			t.Errorf("%d members, a wide door %v m aside: takes it: %v, want %v, by %v", x.members, x.aside, wide, x.wide, s.group(1).Corridor)
		}
	}
}

// TestLargestFirst puts a large member into a group of small ones, which could all pass a nearer door: the group goes by the
// wide door, and the large member comes through no other.
func TestLargestFirst(t *testing.T) {
	walls := []wall{{19.5, 0, 20.5, 6.5}, {19.5, 7.5, 20.5, 22}, {19.5, 24.2, 20.5, 30}}
	narrow, wide := hall(t, 0.3, 40, 30, walls...), hall(t, 0.9, 40, 30, walls...)
	for _, with := range []bool{false, true} {
		s := newScene(t, group.Options{Room: 1}, narrow.Index(), wide.Index())
		ids := s.add(4, 2, 14, 5, 1, 0.3, 1.4)
		if with {
			ids = append(ids, s.add(1, 1, 12, 7, 1, 0.9, 1.4)...)
		}
		s.must(s.groups.Form(group.Spec{ID: 1, Members: ids}))
		s.must(s.groups.Goal(1, geom.Vec{X: 28, Z: 8}))
		near := false
		s.until(90, "arrived", func() bool {
			for _, id := range ids {
				at := s.at(id)
				if at.X > 19.5 && at.X < 20.5 && at.Z < 8 {
					near = true
				}
			}
			return s.arrived()
		})
		if near == with || s.count(group.EventSplit) > 0 {
			t.Errorf("with a large member %v: through the narrow door: %v, %v", with, near, s.events)
		}
		for _, id := range ids {
			if at := s.at(id); at.X < 21 {
				t.Errorf("member %d at %v", id, at)
			}
		}
	}
}

// TestFormations walks formations over open floor, and compares the places of the members with the figure.
func TestFormations(t *testing.T) {
	m := hall(t, 0.4, 60, 30)
	ring := 2 / (2 * math.Sin(math.Pi/6))
	for _, x := range []struct {
		spec group.Spec
		want [][2]float64 // back and right, in metres
	}{
		{group.Spec{Formation: group.Line, Spacing: 1.5}, [][2]float64{{0, -3}, {0, -1.5}, {0, 0}, {0, 1.5}, {0, 3}}},
		{group.Spec{Formation: group.Line, Leader: true}, [][2]float64{{0, 0}, {0, -1.2}, {0, 1.2}, {0, -2.4}, {0, 2.4}}},
		{group.Spec{Formation: group.Column}, [][2]float64{{0, 0}, {1.2, 0}, {2.4, 0}, {3.6, 0}}},
		{group.Spec{Formation: group.Wedge, Spacing: 2}, [][2]float64{{0, 0}, {2, -2}, {2, 2}, {4, -4}, {4, 4}}},
		{group.Spec{Formation: group.Circle, Leader: true, Spacing: 2}, [][2]float64{
			{ring, 0},
			{0, 0},
			{ring / 2, ring * math.Sqrt(0.75)},
			{ring * 1.5, ring * math.Sqrt(0.75)},
			{2 * ring, 0},
			{ring * 1.5, -ring * math.Sqrt(0.75)},
			{ring / 2, -ring * math.Sqrt(0.75)},
		}},
		{group.Spec{Formation: group.Own, Slots: []group.Slot{{Back: 0, Right: 2}, {Back: 3, Right: -1}}}, [][2]float64{{0, 2}, {3, -1}, {4.2, 0}}},
	} {
		s := newScene(t, group.Options{}, m.Index())
		x.spec.ID, x.spec.Members = 1, s.add(len(x.want), 3, 4, 12, 1.2, 0.4, 1.4)
		s.must(s.groups.Form(x.spec))
		s.must(s.groups.Goal(1, geom.Vec{X: 55, Z: 15}))
		for i := range 600 {
			s.step()
			g := s.group(1)
			if i < 360 {
				continue
			}
			if !g.InFormation || g.State != group.Walking {
				t.Fatalf("%v: step %d: %v, in formation: %v", x.spec.Formation, i, g.State, g.InFormation)
			}
			first := s.at(g.Members[0])
			n := len(g.Corridor)
			ahead := g.Corridor[n-1].Sub(g.Corridor[n-2]).Unit()
			for k, id := range g.Members {
				d := s.at(id).Sub(first)
				d = geom.Vec{X: ahead.X*d.X + ahead.Z*d.Z, Z: ahead.X*d.Z - ahead.Z*d.X}
				back, right := x.want[k][0]-x.want[0][0], x.want[k][1]-x.want[0][1]
				if math.Hypot(-d.X-back, d.Z-right) > 0.1 {
					t.Fatalf("%v: step %d: member %d is %.2f m behind and %.2f m right of the first, want %.2f and %.2f", x.spec.Formation, i, k, -d.X, d.Z, back, right)
				}
			}
		}
	}
}

// TestSlotsAreOnTheFloor leads a wedge between pillars and through a door: all slots are on the floor, and the wedge forms
// again behind the door.
func TestSlotsAreOnTheFloor(t *testing.T) {
	m := hall(t, 0.4, 60, 16, wall{9, 7.5, 10, 8.5}, wall{13, 4, 14, 5}, wall{13, 11, 14, 12}, wall{24, 0, 25, 7.4}, wall{24, 8.6, 25, 16})
	s := newScene(t, group.Options{}, m.Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(7, 3, 2, 6, 1.2, 0.4, 1.4), Formation: group.Wedge}))
	s.must(s.groups.Goal(1, geom.Vec{X: 56, Z: 8}))
	q := m.NewQuery()
	loose, formed := 0, 0
	s.until(90, "arrived", func() bool {
		list, err := s.groups.Members(1)
		s.must(err)
		for _, x := range list {
			if pos, ok := q.Locate(x.Slot); s.c.Steps() > 0 && (!ok || pos.Point.DistXZ(x.Slot) > 0.001) {
				t.Fatalf("the slot %v of member %d is off the floor", x.Slot, x.ID)
			}
		}
		if g := s.group(1); g.State == group.Walking && g.Head > 21 && g.Head < 27 && !g.InFormation {
			loose++
		} else if g.Tail > 32 && g.InFormation {
			formed++
		}
		return s.arrived()
	})
	if loose == 0 || formed == 0 {
		t.Errorf("%d steps in rows at the door, %d steps in formation behind it", loose, formed)
	}
}

// TestSlowestSetsTheSpeed walks three fast members and a slow one.
func TestSlowestSetsTheSpeed(t *testing.T) {
	s := newScene(t, group.Options{}, hall(t, 0.4, 60, 12).Index())
	ids := append(s.add(1, 1, 5.2, 5.2, 1, 0.4, 0.7), s.add(3, 3, 4, 4, 1.2, 0.4, 2)...)
	s.must(s.groups.Form(group.Spec{ID: 1, Members: ids}))
	s.must(s.groups.Goal(1, geom.Vec{X: 55, Z: 6}))
	s.until(5, "on the way", func() bool { return s.c.Steps() > 80 })
	from, head := s.at(ids[3]), s.group(1).Head
	for range 400 {
		before := s.group(1).Head
		s.step()
		if v := (s.group(1).Head - before) / dt; v > 0.7+1e-9 {
			t.Fatalf("the head goes at %v m/s", v)
		}
	}
	if g := s.group(1); g.Speed != 0.7 || g.Head-head < 13 {
		t.Errorf("a speed of %v m/s, and %.2f m in 20 s, want 0.7 and 14", g.Speed, g.Head-head)
	}
	if d := s.at(ids[3]).DistXZ(from); d < 13 || d > 15 {
		t.Errorf("a fast member has gone %.2f m in 20 s, want about 14", d)
	}
}

// shut puts a crate into a world, or takes it away, and hands the floor to the crowd.
func (s *scene) shut(w *world.World, edit world.Edit) {
	s.tb.Helper()
	change, err := w.Apply(context.Background(), edit)
	s.must(err)
	s.must(s.c.Use(change.Boxes, w.Now().Index()))
}

// TestSplitAndJoin closes the door behind half of a group: the other half goes on as a group of its own, by a longer way, or
// as near as it can. When the door opens, the groups join at their goal.
func TestSplitAndJoin(t *testing.T) {
	m := door(t, 0.4, 1.2)
	w, err := meadow.NewWorld(context.Background(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, group.Options{}, w.Now().Index())
	ids := s.add(12, 4, 10, 6, 1, 0.4, 1.4)
	s.must(s.groups.Form(group.Spec{ID: 1, Members: ids}))
	s.must(s.groups.Goal(1, geom.Vec{X: 34, Z: 8}))
	half := func() bool {
		n := 0
		for _, id := range ids {
			if s.at(id).X > 21.5 {
				n++
			}
		}
		return n >= 6
	}
	s.until(60, "half through", half)
	s.shut(w, world.Put{ID: "crate", Solid: world.Box{Base: geom.Vec{X: 20, Z: 8}, Size: geom.Vec{X: 1, Y: 2, Z: 3}}})
	s.until(10, "split", func() bool { return s.count(group.EventSplit) == 1 })
	east, west := s.group(1), s.group(2)
	if s.at(east.Members[0]).X < s.at(west.Members[0]).X {
		east, west = west, east
	}
	for _, id := range east.Members {
		if s.at(id).X < 20 {
			t.Errorf("member %d of the eastern group is at %v", id, s.at(id))
		}
	}
	for _, id := range west.Members {
		if s.at(id).X > 20 {
			t.Errorf("member %d of the western group is at %v", id, s.at(id))
		}
	}
	s.until(60, "arrived and stuck", func() bool {
		return s.group(east.ID).State == group.Arrived && s.group(west.ID).State == group.Stuck
	})
	s.shut(w, world.Take{ID: "crate"})
	s.until(60, "joined", func() bool { return s.count(group.EventJoined) == 1 })
	s.until(60, "arrived", s.arrived)
	if g := s.group(1); len(g.Members) != 12 || s.spread() > 8 {
		t.Errorf("%d members, up to %.2f m from each other", len(g.Members), s.spread())
	}
}

// TestTooFarBehind leaves a member that was put far behind: it goes on as a group of its own. The part of the leader keeps
// the number.
func TestTooFarBehind(t *testing.T) {
	s := newScene(t, group.Options{Behind: 10}, hall(t, 0.4, 60, 12).Index())
	ids := s.add(6, 3, 30, 4, 1.2, 0.4, 1.4)
	s.must(s.groups.Form(group.Spec{ID: 1, Members: ids, Leader: true}))
	s.must(s.groups.Goal(1, geom.Vec{X: 55, Z: 6}))
	s.until(2, "walking", func() bool { return s.c.Steps() > 20 })
	s.must(s.c.Teleport(4, geom.Vec{X: 5, Z: 6}))
	s.until(3, "split", func() bool { return s.count(group.EventSplit) == 1 })
	if g := s.group(2); len(g.Members) != 1 || g.Members[0] != 4 {
		t.Errorf("%v are left", g.Members)
	}
	s.until(60, "arrived together", func() bool { return s.arrived() && s.count(group.EventJoined) == 1 })
	s.must(s.groups.Goal(1, geom.Vec{X: 55, Z: 3}))
	s.must(s.c.Teleport(ids[0], geom.Vec{X: 5, Z: 6}))
	s.until(3, "split", func() bool { return s.count(group.EventSplit) == 2 })
	if g := s.group(1); len(g.Members) != 1 || g.Members[0] != ids[0] {
		t.Errorf("%v are the part of the leader", g.Members)
	}
}

// TestClosedDoor closes the door that a group walks to: the group takes the other one.
func TestClosedDoor(t *testing.T) {
	m := hall(t, 0.4, 40, 30, wall{19.5, 0, 20.5, 7}, wall{19.5, 9, 20.5, 22}, wall{19.5, 24, 20.5, 30})
	w, err := meadow.NewWorld(context.Background(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, group.Options{}, w.Now().Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(8, 4, 4, 6, 1, 0.4, 1.4)}))
	s.must(s.groups.Goal(1, geom.Vec{X: 34, Z: 8}))
	s.until(6, "on the way", func() bool { return s.c.Steps() > 100 })
	s.shut(w, world.Put{ID: "crate", Solid: world.Box{Base: geom.Vec{X: 20, Z: 8}, Size: geom.Vec{X: 1, Y: 2, Z: 3}}})
	s.step()
	other := false
	for _, p := range s.group(1).Corridor {
		other = other || p.Z > 20
	}
	if !other {
		t.Errorf("the corridor goes on by %v", s.group(1).Corridor)
	}
	s.until(90, "arrived", s.arrived)
	if s.count(group.EventSplit) > 0 {
		t.Error("the group has split")
	}
}

// TestObstacle puts a crate beside the way of a group, inside of its section: the section keeps off the crate.
func TestObstacle(t *testing.T) {
	m := hall(t, 0.4, 40, 12)
	w, err := meadow.NewWorld(context.Background(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := newScene(t, group.Options{}, w.Now().Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(12, 4, 4, 4, 1, 0.4, 1.4)}))
	s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 6}))
	s.until(6, "on the way", func() bool { return s.c.Steps() > 100 })
	before := s.group(1)
	at, err := s.groups.Section(1)
	s.must(err)
	s.shut(w, world.Put{ID: "crate", Solid: world.Box{Base: at[len(at)/2][0], Size: geom.Vec{X: 1, Y: 2, Z: 1}}})
	s.step()
	if after := s.group(1); after.Head-after.Tail < before.Head-before.Tail+0.1 {
		t.Errorf("the section was %.2f m long, and is %.2f m", before.Head-before.Tail, after.Head-after.Tail)
	}
	q := w.Now().Index().NewQuery()
	cuts, err := s.groups.Section(1)
	s.must(err)
	for _, c := range cuts {
		for _, end := range c {
			if pos, ok := q.Nearest(end, 0.5); !ok || pos.Point.DistXZ(end) > 0.3 {
				t.Errorf("the cross-section from %v to %v is off the floor", c[0], c[1])
			}
		}
	}
	s.until(60, "arrived", s.arrived)
}

// TestFollow lets a group follow an agent that is no member, through a door.
func TestFollow(t *testing.T) {
	s := newScene(t, group.Options{}, door(t, 0.4, 1.2).Index())
	leader := s.add(1, 1, 12, 8, 1, 0.4, 1.2)[0]
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(5, 3, 6, 7, 1, 0.4, 1.6), Formation: group.Column}))
	s.must(s.groups.Follow(1, leader, 1.5))
	s.must(s.c.Goal(leader, geom.Vec{X: 34, Z: 10}))
	s.until(90, "arrived", func() bool {
		a, _ := s.c.Agent(leader)
		return a.State == crowd.Arrived && s.arrived()
	})
	for _, id := range s.group(1).Members {
		if d := s.at(id).DistXZ(s.at(leader)); d > 9 || d < 0.8 {
			t.Errorf("member %d is %.2f m from the leader", id, d)
		}
	}
	s.must(s.c.Remove(leader))
	s.step()
	if g := s.group(1); g.State != group.Stuck {
		t.Errorf("%v without an agent to follow", g.State)
	}
}

// busy is a scene with three groups and single agents, which meet at a door; the order of agents and the number of jobs vary.
func busy(t *testing.T, m *meadow.Mesh, jobs int, back bool) *scene {
	t.Helper()
	c, err := crowd.New(crowd.Options{Jobs: jobs}, m.Index())
	if err != nil {
		t.Fatal(err)
	}
	g, err := group.New(group.Options{}, c)
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{tb: t, c: c, groups: g}
	for i := range 30 {
		if back {
			i = 29 - i
		}
		s.must(c.Add(crowd.Spec{ID: crowd.ID(i), At: geom.Vec{X: 3 + float64(i/6), Z: 5 + float64(i%6)}}))
	}
	ids := make([]crowd.ID, 30)
	for i := range ids {
		ids[i] = crowd.ID(i)
	}
	s.must(g.Form(group.Spec{ID: 7, Members: ids[:10], Formation: group.Wedge, Leader: true}))
	s.must(g.Form(group.Spec{ID: 3, Members: ids[10:22]}))
	s.must(g.Goal(7, geom.Vec{X: 34, Z: 4}))
	s.must(g.Goal(3, geom.Vec{X: 34, Z: 12}))
	for _, id := range ids[22:] {
		s.must(c.Goal(id, geom.Vec{X: 30, Z: 8}))
	}
	return s
}

// TestReplay asks for the same bits from any number of goroutines, and agents added in any order.
func TestReplay(t *testing.T) {
	m := door(t, 0.4, 2)
	a, b := busy(t, m, 1, false), busy(t, m, 3, true)
	for i := range 1400 {
		a.step()
		b.step()
		if i%20 == 0 && (a.groups.Hash() != b.groups.Hash() || a.c.Hash() != b.c.Hash()) {
			t.Fatalf("step %d differs", i)
		}
	}
	if a.group(7).State != group.Arrived || a.group(3).State != group.Arrived {
		t.Errorf("%v and %v", a.group(7).State, a.group(3).State)
	}
}

// TestRestore saves groups and crowd at several moments, and goes on from the saved forms with the same bits: on the way, and
// just before a wedge forms again behind a door.
func TestRestore(t *testing.T) {
	wedge := func(m *meadow.Mesh) *scene {
		s := newScene(t, group.Options{}, m.Index())
		s.must(s.groups.Form(group.Spec{ID: 7, Members: s.add(7, 3, 10, 7, 1.2, 0.4, 1.4), Formation: group.Wedge}))
		s.must(s.groups.Goal(7, geom.Vec{X: 38, Z: 8}))
		return s
	}
	m := door(t, 0.4, 1.2)
	forms := 0
	for s := wedge(m); forms == 0; {
		was := s.group(7).InFormation
		s.step()
		if now := s.group(7).InFormation; now && !was && s.c.Steps() > 100 {
			forms = int(s.c.Steps())
		}
	}
	for _, x := range []struct {
		make  func() *scene
		after int
	}{
		{func() *scene { return busy(t, m, 1, false) }, 0},
		{func() *scene { return busy(t, m, 1, false) }, 1},
		{func() *scene { return busy(t, m, 1, false) }, 150},
		{func() *scene { return busy(t, m, 1, false) }, 300},
		{func() *scene { return wedge(m) }, forms - 10},
		{func() *scene { return wedge(m) }, forms + 10},
	} {
		a := x.make()
		for range x.after {
			a.step()
		}
		var groups, agents bytes.Buffer
		a.must(a.groups.Save(&groups))
		a.must(a.c.Save(&agents))
		b := newScene(t, group.Options{Room: 5}, m.Index())
		b.must(b.c.Restore(bytes.NewReader(agents.Bytes())))
		b.must(b.groups.Restore(bytes.NewReader(groups.Bytes())))
		for i := range 150 {
			a.step()
			b.step()
			if a.groups.Hash() != b.groups.Hash() || a.c.Hash() != b.c.Hash() {
				t.Fatalf("saved after %d steps: differs after %d more", x.after, i)
			}
		}
		for i := 0; i < groups.Len(); i += 1 + groups.Len()/97 {
			bad := bytes.Clone(groups.Bytes())
			bad[i] ^= 0x10
			if b.groups.Restore(bytes.NewReader(bad)) == nil || b.groups.Restore(bytes.NewReader(groups.Bytes()[:i])) == nil {
				t.Errorf("restored with a fault at byte %d", i)
			}
		}
	}
}

// TestRestoreOften goes on from a saved form every 15 steps, and compares with a run without: groups are jammed at a door,
// one cannot stand at its goal, and one splits.
func TestRestoreOften(t *testing.T) {
	m := door(t, 0.4, 1.2)
	a := newScene(t, group.Options{}, m.Index())
	a.must(a.groups.Form(group.Spec{ID: 1, Members: a.add(6, 3, 10, 7, 1, 0.4, 1.4)}))
	a.must(a.groups.Form(group.Spec{ID: 2, Members: a.add(3, 3, 25, 2, 1, 0.4, 1.4)}))
	a.must(a.groups.Form(group.Spec{ID: 3, Members: a.add(3, 3, 25, 11, 1, 0.4, 1.4)}))
	a.must(a.c.Add(crowd.Spec{ID: 98, At: geom.Vec{X: 36, Z: 3}, Radius: 0.4, Unyielding: true}))
	a.must(a.c.Add(crowd.Spec{ID: 99, At: geom.Vec{X: 20, Z: 8}, Radius: 0.4, Unyielding: true}))
	a.must(a.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
	a.must(a.groups.Goal(2, geom.Vec{X: 36, Z: 3}))
	a.must(a.groups.Goal(3, geom.Vec{X: 38, Z: 12}))
	again := func(s *scene) *scene {
		var groups, agents bytes.Buffer
		s.must(s.groups.Save(&groups))
		s.must(s.c.Save(&agents))
		n := newScene(t, group.Options{}, m.Index())
		n.must(n.c.Restore(&agents))
		n.must(n.groups.Restore(&groups))
		return n
	}
	b := again(a)
	for i := range 2400 {
		if i == 60 {
			for _, s := range []*scene{a, b} {
				s.must(s.c.Teleport(11, geom.Vec{X: 2, Z: 2}))
			}
		}
		if i%15 == 0 {
			b = again(b)
		}
		a.step()
		b.step()
		if a.groups.Hash() != b.groups.Hash() || a.c.Hash() != b.c.Hash() {
			t.Fatalf("step %d differs", i)
		}
	}
	if a.count(group.EventStuck) == 0 || a.group(2).State != group.Arrived || a.count(group.EventSplit) == 0 {
		t.Errorf("%v, %v", a.group(2).State, a.events)
	}
}

// TestBadCalls hands wrong values in: each is an error, and changes nothing.
func TestBadCalls(t *testing.T) {
	nan := math.NaN()
	m := hall(t, 0.4, 20, 12)
	s := newScene(t, group.Options{}, m.Index())
	ids := s.add(3, 3, 4, 4, 1, 0.4, 1.4)
	s.must(s.groups.Form(group.Spec{ID: 1, Members: ids[:2]}))
	_, noCrowd := group.New(group.Options{}, nil)
	_, room := group.New(group.Options{Room: 0.5}, s.c)
	_, pull := group.New(group.Options{Pull: nan}, s.c)
	_, unknown := s.groups.Group(2)
	_, members := s.groups.Members(2)
	before := s.groups.Hash()
	for name, err := range map[string]error{
		"no crowd": noCrowd, "room": room, "pull": pull, "unknown": unknown, "members": members,
		"taken":         s.groups.Form(group.Spec{ID: 1, Members: ids[2:]}),
		"nobody":        s.groups.Form(group.Spec{ID: 2}),
		"greatest id":   s.groups.Form(group.Spec{ID: math.MaxUint64, Members: ids[2:]}),
		"two groups":    s.groups.Form(group.Spec{ID: 2, Members: ids[1:]}),
		"twice":         s.groups.Form(group.Spec{ID: 2, Members: []crowd.ID{2, 2}}),
		"unknown agent": s.groups.Form(group.Spec{ID: 2, Members: []crowd.ID{9}}),
		"formation":     s.groups.Form(group.Spec{ID: 2, Members: ids[2:], Formation: 99}),
		"slot":          s.groups.Form(group.Spec{ID: 2, Members: ids[2:], Slots: []group.Slot{{Back: -1}}}),
		"NaN slot":      s.groups.SetFormation(1, group.Own, group.Slot{Right: nan}),
		"spacing":       s.groups.Form(group.Spec{ID: 2, Members: ids[2:], Spacing: nan}),
		"goal":          s.groups.Goal(1, geom.Vec{X: nan}),
		"goal of none":  s.groups.Goal(2, geom.Vec{}),
		"follow":        s.groups.Follow(1, ids[0], 1),
		"follow none":   s.groups.Follow(1, 9, 1),
		"distance":      s.groups.Follow(1, ids[2], nan),
		"leave":         s.groups.Leave(ids[2]),
		"enter":         s.groups.Enter(1, ids[0]),
		"enter none":    s.groups.Enter(2, ids[2]),
		"disband":       s.groups.Disband(2),
		"stay":          s.groups.Stay(2),
		"zero step":     s.groups.Step(0),
		"NaN step":      s.groups.Step(nan),
		"long step":     s.groups.Step(2),
		"not saved":     s.groups.Restore(bytes.NewReader(nil)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if s.groups.Hash() != before {
		t.Error("an error has changed the groups")
	}
}

// TestMembersComeAndGo removes, adds and takes members on the way, and sends a group where no way leads.
func TestMembersComeAndGo(t *testing.T) {
	s := newScene(t, group.Options{}, hall(t, 0.4, 40, 12).Index())
	ids := s.add(5, 3, 4, 4, 1, 0.4, 1.4)
	s.must(s.groups.Form(group.Spec{ID: 1, Members: ids[:4], Formation: group.Column, Leader: true}))
	s.must(s.groups.Goal(1, geom.Vec{X: 30, Z: 6}))
	s.step()
	s.must(s.c.Remove(ids[0]))
	s.must(s.groups.Leave(ids[1]))
	s.must(s.groups.Enter(1, ids[4]))
	s.until(60, "arrived", s.arrived)
	if g := s.group(1); len(g.Members) != 3 || g.Members[2] != ids[4] {
		t.Errorf("the members are %v", g.Members)
	}
	if at := s.at(ids[1]); at.X > 8 {
		t.Errorf("the member that left walked to %v", at)
	}
	s.must(s.groups.Goal(1, geom.Vec{X: 30, Z: 500}))
	s.until(30, "stuck", func() bool { return s.group(1).State == group.Stuck })
	s.must(s.groups.Stay(1))
	if g := s.group(1); g.State != group.Idle || s.count(group.EventStuck) != 1 {
		t.Errorf("%v, %v", g.State, s.events)
	}
	for _, id := range ids[2:] {
		s.must(s.c.Remove(id))
	}
	s.step()
	if _, err := s.groups.Group(1); err == nil || s.count(group.EventEmpty) != 1 {
		t.Error("a group without members goes on")
	}
}

// TestLadder sends a group up a ladder, which carries one at a time: nobody is left below.
func TestLadder(t *testing.T) {
	l, err := levelgen.Generate("halls", levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), l, geom.Agent{Radius: 0.4})
	if err != nil {
		t.Fatal(err)
	}
	west, _, gallery, _ := levelgen.HallsWalks()
	s := newScene(t, group.Options{}, m.Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(5, 3, west.X, west.Z-2, 1, 0.4, 1.4)}))
	s.must(s.groups.Goal(1, gallery))
	s.until(120, "arrived together on the gallery", func() bool { return s.arrived() && len(s.group(1).Members) == 5 })
	for _, id := range s.group(1).Members {
		if at := s.at(id); at.Y < gallery.Y-0.5 {
			t.Errorf("member %d at %v", id, at)
		}
	}
}

// TestMeeting lets two groups meet in a passage where two agents pass each other, and at a door where one passes: both come to
// their goals.
func TestMeeting(t *testing.T) {
	passage := hall(t, 0.4, 40, 16, wall{10, 0, 30, 6.7}, wall{10, 9.3, 30, 16})
	for i, m := range []*meadow.Mesh{passage, door(t, 0.4, 1.2)} {
		s := newScene(t, group.Options{}, m.Index())
		s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(6, 3, 3, 7, 1, 0.4, 1.4)}))
		s.must(s.groups.Form(group.Spec{ID: 2, Members: s.add(6, 3, 35, 7, 1, 0.4, 1.4)}))
		s.must(s.groups.Goal(1, geom.Vec{X: 38, Z: 6}))
		s.must(s.groups.Goal(2, geom.Vec{X: 2, Z: 10}))
		took := s.until(150, "past each other", func() bool {
			return s.arrived() && s.group(2).State == group.Arrived && len(s.group(1).Members) == 6 && len(s.group(2).Members) == 6
		})
		t.Logf("mesh %d: %.1f s", i, took)
	}
}

// TestJam fills a door with agents that step aside for nobody: the group gives up, and goes on when the door is free and it
// gets its goal again.
func TestJam(t *testing.T) {
	s := newScene(t, group.Options{}, door(t, 0.4, 1.2).Index())
	s.must(s.groups.Form(group.Spec{ID: 1, Members: s.add(6, 3, 10, 7, 1, 0.4, 1.4)}))
	s.must(s.c.Add(crowd.Spec{ID: 99, At: geom.Vec{X: 20, Z: 8}, Radius: 0.4, Unyielding: true}))
	s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
	s.until(400, "stuck", func() bool { return s.group(1).State == group.Stuck && len(s.group(1).Members) == 6 })
	s.must(s.c.Remove(99))
	s.must(s.groups.Goal(1, geom.Vec{X: 36, Z: 8}))
	s.until(60, "arrived", s.arrived)
}

// BenchmarkStep leads ten groups of twenty through a field of pillars, and back again.
func BenchmarkStep(b *testing.B) {
	var walls []wall
	for i := range 36 {
		x, z := 8+12*float64(i%6), 8+12*float64(i/6)
		walls = append(walls, wall{x, z, x + 2, z + 2})
	}
	for _, f := range []group.Formation{group.Loose, group.Wedge} {
		b.Run(f.String(), func(b *testing.B) {
			s := newScene(b, group.Options{}, hall(b, 0.4, 80, 80, walls...).Index())
			for id := range group.ID(10) {
				ids := s.add(20, 5, 2, 1.5+7.5*float64(id), 1, 0.4, 1.4)
				s.must(s.groups.Form(group.Spec{ID: id, Members: ids, Formation: f}))
			}
			east := false
			b.ResetTimer()
			for i := range b.N {
				if i%600 == 0 {
					east = !east
					for id := range group.ID(10) {
						if at := (geom.Vec{X: 4, Z: 4 + 7.5*float64(id)}); east {
							s.must(s.groups.Goal(id, geom.Vec{X: 76, Z: at.Z}))
						} else {
							s.must(s.groups.Goal(id, at))
						}
					}
				}
				s.must(s.groups.Step(dt))
				b.StopTimer()
				s.must(s.c.Step(dt))
				b.StartTimer()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/200, "ns/member")
		})
	}
}
