package presence_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/presence"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/reallevels"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// generated builds the mesh of a generated level.
func generated(t testing.TB, kind string, seed uint64) *meadow.Mesh {
	return generatedFor(t, kind, seed, meadow.Agent{Radius: 0.3})
}

// tall is an agent whose air reaches up to the next storey, and climbs into it.
var tall = meadow.Agent{Radius: 0.3, Height: 2.6, MaxClimb: 1.4}

func generatedFor(t testing.TB, kind string, seed uint64, agent meadow.Agent) *meadow.Mesh {
	t.Helper()
	key := fmt.Sprint(kind, seed, agent)
	if m, ok := built[key]; ok {
		return m
	}
	l, err := levelgen.Generate(kind, levelgen.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	m, err := meadow.Build(context.Background(), l, agent)
	if err != nil {
		t.Fatal(err)
	}
	built[key] = m
	return m
}

// oneGoroutine skips a test without other goroutines under the race detector, which finds nothing there and takes long.
func oneGoroutine(t *testing.T) {
	t.Helper()
	if race.Enabled {
		t.Skip("has one goroutine")
	}
}

// built are the meshes of tests, which run one after the other.
var built = map[string]*meadow.Mesh{}

// random draws an object on the mesh: most are small, some are wide or tall, many stand near an earlier one.
func random(rng *rand.Rand, q *query.Query, id presence.ID, near []presence.Object) presence.Object {
	at, _ := q.RandomPoint(rng)
	if len(near) > 0 && rng.IntN(2) == 0 {
		o := near[rng.IntN(len(near))]
		p := o.At.Add(geom.Vec{X: 3 * (rng.Float64() - 0.5), Z: 3 * (rng.Float64() - 0.5)})
		if pos, ok := q.Nearest(p, 3); ok {
			at = pos
		}
	}
	o := presence.Object{ID: id, At: at.Point, Radius: 0.1 + 0.4*rng.Float64(), Height: 0.5 + 1.5*rng.Float64()}
	switch rng.IntN(12) {
	case 0:
		o.Radius = 20 * rng.Float64()
	case 1:
		o.Height = 12 * rng.Float64()
	case 2:
		o.Radius, o.Height = 0, 0
	case 3:
		o.Radius = 1 + 3*rng.Float64()
	case 4:
		o.At.Y += rng.Float64() // a jump
	}
	return o
}

// cylinder is an object in lattice units, rounded as documented.
type cylinder struct {
	at                lattice.Point
	radius, low, high int64
}

func round(metres float64) int64 { return int64(math.Floor(metres*lattice.UnitsPerMetre + 0.5)) }

func cylinderOf(frame lattice.Frame, o presence.Object) cylinder {
	at, z, _ := frame.FromWorld(o.At)
	return cylinder{at, round(o.Radius), int64(z), int64(z) + round(o.Height)}
}

func (c cylinder) collides(d cylinder) bool {
	r := uint64(c.radius + d.radius)
	return c.low <= d.high && d.low <= c.high && c.at.Distance2(d.at) <= r*r
}

func (c cylinder) boxMeets(d cylinder) bool {
	apart := func(a, b int32) bool {
		n := int64(a) - int64(b)
		return max(n, -n) > c.radius+d.radius
	}
	return c.low <= d.high && d.low <= c.high && !apart(c.at.X, d.at.X) && !apart(c.at.Y, d.at.Y)
}

// allPairs is the oracle: every pair is tested.
func allPairs(frame lattice.Frame, objects []presence.Object) (collide, candidates []presence.Pair) {
	list := make([]cylinder, len(objects))
	for i, o := range objects {
		list[i] = cylinderOf(frame, o)
	}
	for i := range list {
		for j := range i {
			p := presence.Pair{A: min(objects[i].ID, objects[j].ID), B: max(objects[i].ID, objects[j].ID)}
			if list[i].collides(list[j]) {
				collide = append(collide, p)
			}
			if list[i].boxMeets(list[j]) {
				candidates = append(candidates, p)
			}
		}
	}
	order := func(a, b presence.Pair) int {
		if a.A != b.A {
			return int(int64(a.A) - int64(b.A))
		}
		return int(int64(a.B) - int64(b.B))
	}
	slices.SortFunc(collide, order)
	slices.SortFunc(candidates, order)
	return collide, candidates
}

// judge compares all answers about collisions with the oracle. It returns the number of collisions.
func judge(t *testing.T, v *presence.View) int {
	t.Helper()
	r := v.NewReader()
	objects := make([]presence.Object, v.Len())
	for i := range objects {
		objects[i], _ = v.At(i)
	}
	collide, candidates := allPairs(v.Index().Mesh().Frame, objects)
	if got := r.Collisions(); !slices.Equal(got, collide) {
		t.Fatalf("%d collisions, all pairs have %d: %v", len(got), len(collide), difference(got, collide))
	}
	// A candidate is a pair of boxes that meet in a region or a strip: at least the collisions, at most the boxes that meet.
	got := slices.Clone(r.Candidates())
	for _, p := range got {
		if _, ok := slices.BinarySearchFunc(candidates, p, comparePairs); !ok {
			t.Fatalf("%v is a candidate, and the boxes do not meet", p)
		}
	}
	for _, p := range collide {
		if _, ok := slices.BinarySearchFunc(got, p, comparePairs); !ok {
			t.Fatalf("%v collides and is no candidate", p)
		}
	}
	for _, o := range objects {
		var want []presence.ID
		for _, p := range collide {
			if p.A == o.ID {
				want = append(want, p.B)
			} else if p.B == o.ID {
				want = append(want, p.A)
			}
		}
		slices.Sort(want)
		if got, err := r.CollisionsOf(o.ID); err != nil || !slices.Equal(got, want) {
			t.Fatalf("object %d collides with %v, error %v, want %v", o.ID, got, err, want)
		}
	}
	return len(collide)
}

func comparePairs(a, b presence.Pair) int {
	if a.A != b.A {
		return int(int64(a.A) - int64(b.A))
	}
	return int(int64(a.B) - int64(b.B))
}

// difference lists the pairs of one list only.
func difference(a, b []presence.Pair) (out []presence.Pair) {
	for _, l := range [2][2][]presence.Pair{{a, b}, {b, a}} {
		for _, p := range l[0] {
			if !slices.Contains(l[1], p) {
				out = append(out, p)
			}
		}
	}
	return out
}

// crowd fills a Set with random objects, which then move, come and go.
func crowd(t *testing.T, ix *query.Index, seed uint64, objects, steps int) *presence.Set {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 19))
	q := ix.NewQuery()
	s := presence.New(ix)
	var list []presence.Object
	next := presence.ID(0)
	add := func() {
		next++
		o := random(rng, q, next*7919%100003, list)
		var err error
		switch rng.IntN(3) {
		case 0:
			err = s.Add(o)
		case 1:
			pos, _ := q.RandomPoint(rng)
			err = s.AddIn(o, pos.Ref)
		default:
			if len(list) == 0 {
				return
			}
			err = s.AddNear(o, list[rng.IntN(len(list))].ID)
		}
		if err == nil {
			list = append(list, o)
		} else if !errors.Is(err, presence.ErrNotFree) {
			t.Fatal(err)
		}
	}
	for range objects {
		add()
	}
	for range steps {
		if len(list) == 0 {
			add()
			continue
		}
		i := rng.IntN(len(list))
		switch rng.IntN(8) {
		case 0:
			if err := s.Remove(list[i].ID); err != nil {
				t.Fatal(err)
			}
			list = slices.Delete(list, i, i+1)
			add()
		case 1: // far
			o := random(rng, q, list[i].ID, list)
			if s.Update(o) == nil {
				list[i] = o
			}
		default: // near
			to := list[i].At.Add(geom.Vec{X: rng.Float64() - 0.5, Z: rng.Float64() - 0.5})
			if pos, ok := q.Nearest(to, 1); ok {
				to = pos.Point
			}
			if s.Move(list[i].ID, to) == nil {
				list[i].At = to
			}
		}
	}
	if s.Len() != len(list) {
		t.Fatalf("the set has %d objects, want %d", s.Len(), len(list))
	}
	return s
}

// TestGeneratedLevels holds the pairs of all generated kinds of level: halls, storeys, stairs, rough ground.
func TestGeneratedLevels(t *testing.T) {
	oneGoroutine(t)
	kinds := []string{"demo", "stairs", "tower", "rooms", "catwalks", "spiral"}
	if slow.Enabled() {
		kinds = nil
		for _, k := range levelgen.Kinds() {
			kinds = append(kinds, k.Name)
		}
	}
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			for seed := range slow.Count(1, 4) {
				s := crowd(t, generated(t, kind, uint64(seed+1)).Index(), uint64(seed), 250, 600)
				if n := judge(t, s.Publish()); n < 100 {
					t.Errorf("only %d collisions, the test looks at too few", n)
				}
			}
		})
	}
}

func TestRealLevels(t *testing.T) {
	oneGoroutine(t)
	files := reallevels.Glob(t, "*.obj")
	for _, f := range files[:min(len(files), slow.Count(1, len(files)))] {
		l, err := meadow.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		m, err := meadow.Build(t.Context(), l, meadow.Agent{})
		if err != nil {
			t.Fatal(err)
		}
		s := crowd(t, m.Index(), 3, 300, 900)
		if n := judge(t, s.Publish()); n < 20 {
			t.Errorf("%s: only %d collisions", f, n)
		}
	}
}

// TestLivesWhereItTouches compares the regions of objects with a look at all regions of the mesh.
func TestLivesWhereItTouches(t *testing.T) {
	oneGoroutine(t)
	for k, kind := range []string{"demo", "tower", "rooms", "tower", "stairs"} {
		agent := meadow.Agent{Radius: 0.3}
		if k > 2 {
			agent = tall
		}
		ix := generatedFor(t, kind, 2, agent).Index()
		v := crowd(t, ix, 5, 200, 300).Publish()
		several := 0
		for i := range v.Len() {
			o, _ := v.At(i)
			c := cylinderOf(ix.Mesh().Frame, o)
			var want []navmesh.Ref
			for slot, tile := range ix.Mesh().Tiles {
				for k := range tile.Regions {
					ref := navmesh.MakeRef(slot, k, tile.Generation)
					if meets(ix, &tile, k, ref, c) {
						want = append(want, ref)
					}
				}
			}
			got := v.Regions(nil, o.ID)
			for _, ref := range got {
				if !slices.Contains(want, ref) {
					t.Fatalf("%s: %+v lives in %v, and touches only %v", kind, o, got, want)
				}
				if !slices.Contains(v.In(nil, ref), o.ID) {
					t.Fatalf("%s: region %v does not list object %d", kind, ref, o.ID)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("%s: %+v lives in %v, want %v", kind, o, got, want)
			}
			if len(got) > 1 {
				several++
			}
		}
		if several < 20 {
			t.Errorf("%s: only %d objects are in several regions", kind, several)
		}
	}
}

// meets reports whether a cylinder and the prism over a region have a common point.
func meets(ix *query.Index, tile *navmesh.Tile, k int, ref navmesh.Ref, c cylinder) bool {
	low, high, _ := ix.HeightRange(ref)
	a := ix.Mesh().Agent
	if c.high < int64(low)-round(a.MaxClimb) || c.low > int64(high)+round(a.Height)+round(a.MaxClimb) {
		return false
	}
	var ring lattice.Ring
	for _, v := range tile.RegionCorners(k) {
		ring = append(ring, tile.Vertices[v].Point)
	}
	if ring.Locate(c.at) != lattice.Outside {
		return true
	}
	for i, p := range ring {
		if lattice.SegmentDistance2(c.at, p, ring[(i+1)%len(ring)]).CompareInt(uint64(c.radius*c.radius)) <= 0 {
			return true
		}
	}
	return false
}

// TestHistoryDoesNotMatter: a Set after any changes is as one made from scratch, and the region is that of Locate.
func TestHistoryDoesNotMatter(t *testing.T) {
	oneGoroutine(t)
	for k, kind := range []string{"demo", "stairs", "tower", "catwalks", "tower", "catwalks"} {
		agent := meadow.Agent{Radius: 0.3}
		if k > 3 {
			agent = tall
		}
		ix := generatedFor(t, kind, 1, agent).Index()
		v := crowd(t, ix, 9, 200, 800).Publish()
		same(t, v, ix, nil)
		q := ix.NewQuery()
		for i := range v.Len() {
			o, p := v.At(i)
			if at, ok := q.Locate(o.At); !ok || at.Ref != p.Region || !p.Free {
				t.Fatalf("%s: object %d is in %+v, Locate finds %v, %v", kind, o.ID, p, at, ok)
			}
		}
	}
}

// TestHintsOverStoreys: whatever floor above or below a place is the hint, and however high an object jumps, the region is that
// of Locate.
func TestHintsOverStoreys(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range []string{"carpark"} {
		ix := generatedFor(t, kind, 1, meadow.Agent{Radius: 0.3, Height: 2.4, MaxClimb: 2}).Index()
		q := ix.NewQuery()
		rng := rand.New(rand.NewPCG(4, 4))
		s := presence.New(ix)
		stacked := 0
		for range 150 {
			pos, _ := q.RandomPoint(rng)
			at := pos.Point.Add(geom.Vec{Y: 8 * (rng.Float64() - 0.5)})
			want, ok := q.Locate(at)
			column := geom.Box{Min: geom.Vec{X: at.X, Y: -100, Z: at.Z}, Max: geom.Vec{X: at.X, Y: 100, Z: at.Z}}
			hints := slices.Clone(q.RegionsInBox(column))
			if len(hints) > 2 {
				stacked++
			}
			for _, hint := range hints {
				err := s.AddIn(presence.Object{ID: 1, At: at}, hint)
				if (err == nil) != ok {
					t.Fatalf("%s: at %v with hint %v: error %v, Locate %v", kind, at, hint, err, ok)
				}
				if p, _ := s.Where(1); ok && p.Region != want.Ref {
					t.Fatalf("%s: at %v with hint %v: region %v, Locate finds %v", kind, at, hint, p.Region, want.Ref)
				}
				if ok {
					if err := s.Remove(1); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if stacked < 20 {
			t.Errorf("%s: only %d places have three floors", kind, stacked)
		}
	}
}

// TestStripsHoldTheRest: every point of an object that no strip lists is in a prism over one of its regions. So two objects
// that meet share a region or a strip.
func TestStripsHoldTheRest(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range []string{"demo", "ramps", "terrain", "rough", "stairs"} {
		ix := generated(t, kind, 1).Index()
		frame := ix.Mesh().Frame
		rng := rand.New(rand.NewPCG(7, 7))
		q := ix.NewQuery()
		s := presence.New(ix)
		for id := range presence.ID(400) {
			at, _ := q.RandomPoint(rng)
			o := presence.Object{ID: id, At: at.Point, Radius: 4 * rng.Float64() * rng.Float64(), Height: 2.2 * rng.Float64()}
			if err := s.Add(o); err != nil {
				t.Fatal(err)
			}
		}
		v := s.Publish()
		held := 0
		for i := range v.Len() {
			o, _ := v.At(i)
			if v.Loose(o.ID) {
				continue
			}
			held++
			c := cylinderOf(frame, o)
			regions := v.Regions(nil, o.ID)
			for range 40 {
				sin, cos := math.Sincos(rng.Float64() * 2 * math.Pi)
				r := math.Sqrt(rng.Float64()) * float64(max(c.radius-1, 0))
				p := cylinder{at: lattice.Point{X: c.at.X + int32(r*cos), Y: c.at.Y + int32(r*sin)}}
				p.low = c.low + rng.Int64N(c.high-c.low+1)
				p.high = p.low
				if !slices.ContainsFunc(regions, func(ref navmesh.Ref) bool {
					return meets(ix, &ix.Mesh().Tiles[ref.Slot()], ref.Index(), ref, p)
				}) {
					t.Fatalf("%s: %+v is in no strip, and (%v, %d) is over none of %v", kind, o, p.at, p.low, regions)
				}
			}
		}
		if held < 20 {
			t.Errorf("%s: only %d objects are in no strip", kind, held)
		}
	}
}

// TestOverTheFootOfASlope: a wide object on a slope meets another one over level ground that lies far below the first. No
// wall is near, and no region lists both.
func TestOverTheFootOfASlope(t *testing.T) {
	oneGoroutine(t)
	// The slope is narrower than the ground, so that a border of regions follows its foot.
	l := &level.Level{Vertices: []geom.Vec{
		{X: -50, Z: 50},
		{X: 0, Z: 50},
		{X: 0, Z: -50},
		{X: -50, Z: -50},
		{X: 0, Z: 40},
		{X: 40, Y: 20, Z: 40},
		{X: 40, Y: 20, Z: -40},
		{X: 0, Z: -40},
	}}
	for i := uint32(0); i < 8; i += 4 {
		l.Triangles = append(l.Triangles,
			level.Triangle{A: i, B: i + 1, C: i + 2, Material: level.NoMaterial},
			level.Triangle{A: i, B: i + 2, C: i + 3, Material: level.NoMaterial})
	}
	m, err := meadow.Build(t.Context(), l, meadow.Agent{Radius: 0.3})
	if err != nil {
		t.Fatal(err)
	}
	s := presence.New(m.Index())
	for _, o := range []presence.Object{
		{ID: 1, At: geom.Vec{X: 6, Y: 3}, Radius: 14, Height: 1.8},
		{ID: 2, At: geom.Vec{X: -6.5}, Radius: 1, Height: 4},
	} {
		if err := s.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	v := s.Publish()
	if a, b := v.Regions(nil, 1), v.Regions(nil, 2); len(a) == 0 || len(b) == 0 || slices.ContainsFunc(a, func(r navmesh.Ref) bool { return slices.Contains(b, r) }) {
		t.Fatalf("regions %v and %v, the scene is wrong", a, b)
	}
	if got := v.NewReader().Collisions(); !slices.Equal(got, []presence.Pair{{A: 1, B: 2}}) {
		t.Errorf("%v, want the pair", got)
	}
}

// TestRegionThatReturns: an obstacle covers a whole region and no more, so that its neighbours keep their names, and goes.
func TestRegionThatReturns(t *testing.T) {
	oneGoroutine(t)
	m := generatedFor(t, "demo", 1, meadow.Agent{Radius: meadow.PointRadius})
	w, err := meadow.NewWorld(t.Context(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := presence.New(w.Now().Index())
	q := m.NewQuery()
	rng := rand.New(rand.NewPCG(2, 2))
	for id := range presence.ID(150) {
		at, _ := q.RandomPoint(rng)
		if err := s.Add(presence.Object{ID: id, At: at.Point, Radius: 2 * rng.Float64(), Height: 1}); err != nil {
			t.Fatal(err)
		}
	}
	for slot, tile := range m.Mesh.Tiles {
		for k := range min(len(tile.Regions), slow.Count(20, 1000)) {
			var outline []geom.Vec
			for _, v := range tile.RegionCorners(k) {
				outline = append(outline, m.Mesh.Frame.ToWorld(tile.Vertices[v].Point, 0))
			}
			low, high, _ := m.Index().HeightRange(navmesh.MakeRef(slot, k, tile.Generation))
			bottom := m.Mesh.Frame.ToWorld(lattice.Point{}, low).Y
			prism := world.Prism{Outline: outline, Bottom: bottom - 0.1, Top: bottom + float64(high-low)*lattice.Unit + 1.5}
			for _, e := range []world.Edit{world.Put{ID: "lid", Solid: prism}, world.Take{ID: "lid"}} {
				change, err := w.Apply(t.Context(), e)
				if err != nil {
					t.Fatal(err)
				}
				lost := s.Use(w.Now().Index(), change.Boxes...)
				for i, v := 0, s.Publish(); i < v.Len(); i++ {
					if o, p := v.At(i); p.Free {
						if err := s.Move(o.ID, o.At); err != nil {
							t.Fatal(err)
						}
					}
				}
				same(t, s.Publish(), w.Now().Index(), lost)
			}
		}
	}
}

// same compares a View with a Set made from scratch, but for lost objects, which are in no free space.
func same(t *testing.T, v *presence.View, ix *query.Index, lost []presence.ID) {
	t.Helper()
	fresh := presence.New(ix)
	for i := v.Len() - 1; i >= 0; i-- {
		o, p := v.At(i)
		err := fresh.Add(o)
		if slices.Contains(lost, o.ID) {
			if !errors.Is(err, presence.ErrNotFree) || p.Free {
				t.Fatalf("object %d is lost at %+v, a new one: %v", o.ID, p, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("object %d is at %+v, a new one: %v", o.ID, p, err)
		}
	}
	w := fresh.Publish()
	for i := range v.Len() {
		o, p := v.At(i)
		if slices.Contains(lost, o.ID) {
			continue
		}
		_, p2, _ := w.Object(o.ID)
		a, b := v.Regions(nil, o.ID), w.Regions(nil, o.ID)
		if p != p2 || !slices.Equal(a, b) || v.Loose(o.ID) != w.Loose(o.ID) {
			t.Fatalf("object %d at %v: %+v in %v, loose %v, a new one %+v in %v, loose %v", o.ID, o.At, p, a, v.Loose(o.ID), p2, b, w.Loose(o.ID))
		}
	}
}

// TestWorldThatChanges: obstacles and doors come and go under a crowd.
func TestWorldThatChanges(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range []string{"demo", "stairs", "tower"} {
		m := generated(t, kind, 1)
		w, err := meadow.NewWorld(t.Context(), m, meadow.WorldOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s := crowd(t, w.Now().Index(), 4, 150, 100)
		rng := rand.New(rand.NewPCG(8, 8))
		q := m.NewQuery()
		var ids []world.ID
		displaced, closed := 0, false
		for step := range slow.Count(40, 200) {
			var e world.Edit
			switch marks := m.Mesh.Marks; {
			case len(marks) > 0 && step%10 == 9:
				if e = (world.Close{Mark: marks[0].Kind}); closed {
					e = world.Open{Mark: marks[0].Kind}
				}
				closed = !closed
			case len(ids) > 8 || len(ids) > 0 && rng.IntN(3) == 0:
				e = world.Take{ID: ids[0]}
				ids = ids[1:]
			default:
				at, _ := q.RandomPoint(rng)
				id := world.ID(fmt.Sprint("box ", step))
				wide := 3.0
				if step%4 == 0 {
					wide = 12 // over whole regions
				}
				ids = append(ids, id)
				e = world.Put{ID: id, Solid: world.Box{Base: at.Point, Size: geom.Vec{X: 0.5 + wide*rng.Float64(), Y: 2, Z: 0.5 + wide*rng.Float64()}, Yaw: rng.Float64()}}
			}
			change, err := w.Apply(t.Context(), e)
			if err != nil {
				t.Fatal(err)
			}
			lost := s.Use(w.Now().Index(), change.Boxes...)
			displaced += len(lost)
			same(t, s.Publish(), w.Now().Index(), lost)
			// And objects that go on over the new floor.
			for i, v := 0, s.Now(); i < v.Len(); i++ {
				if o, p := v.At(i); p.Free {
					if err := s.Move(o.ID, o.At); err != nil {
						t.Fatal(err)
					}
				}
			}
			same(t, s.Publish(), w.Now().Index(), lost)
			if step%8 == 0 {
				judge(t, s.Now())
			}
		}
		if displaced == 0 {
			t.Errorf("%s: no object was displaced", kind)
		}
	}
}

// TestStandsOverWall: two wide objects meet only where no floor is.
func TestStandsOverWall(t *testing.T) {
	oneGoroutine(t)
	ix := generated(t, "demo", 1).Index()
	s := presence.New(ix)
	m := ix.Mesh().Bounds()
	q := ix.NewQuery()
	a, _ := q.Nearest(geom.Vec{X: m.Min.X, Z: m.Min.Z}, 10)
	for i, o := range []presence.Object{
		{At: a.Point, Radius: 1e9, Height: 1}, // all of the mesh, and more than a frame
		{At: a.Point, Radius: 0.5, Height: 1e12},
		{At: a.Point.Add(geom.Vec{Y: 1}), Radius: 0, Height: 0},
	} {
		o.ID = presence.ID(i)
		if err := s.Add(o); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Publish().NewReader().Collisions(); len(got) != 3 {
		t.Errorf("%v, want all pairs", got)
	}
}

func TestRefusals(t *testing.T) {
	race.Skip(t)
	ix := generated(t, "demo", 1).Index()
	q := ix.NewQuery()
	at, ok := q.RandomPoint(rand.New(rand.NewPCG(1, 1)))
	if !ok {
		t.Fatal("no place")
	}
	s := presence.New(ix)
	good := presence.Object{ID: 1, At: at.Point, Radius: 0.3, Height: 1.8}
	if err := s.Add(good); err != nil {
		t.Fatal(err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		o    presence.Object
		want string
	}{
		{presence.Object{ID: 1, At: at.Point}, "object 1 is there already"},
		{presence.Object{ID: 2, At: geom.Vec{X: nan}}, "object 2 is at (NaN"},
		{presence.Object{ID: 3, At: geom.Vec{Y: inf}}, "object 3 is at"},
		{presence.Object{ID: 4, At: geom.Vec{X: 1e9}}, "object 4 is at"},
		{presence.Object{ID: 5, At: at.Point, Radius: nan}, "object 5 at"},
		{presence.Object{ID: 6, At: at.Point, Radius: -1}, "its radius is -1"},
		{presence.Object{ID: 7, At: at.Point, Radius: inf}, "its radius is +Inf"},
		{presence.Object{ID: 8, At: at.Point, Height: -1}, "its height is -1"},
		{presence.Object{ID: 9, At: at.Point, View: nan}, "its view is NaN"},
		{presence.Object{ID: 10, At: at.Point, Sight: -1}, "its sight is -1"},
		{presence.Object{ID: 11, At: at.Point, Hearing: nan}, "its hearing is NaN"},
		{presence.Object{ID: 12, At: at.Point, Heading: geom.Vec{X: inf}}, "its heading is"},
		{presence.Object{ID: 13, At: at.Point.Add(geom.Vec{Y: 50})}, "in no free space: object 13 at"},
	} {
		if err := s.Add(tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.o, err, tt.want)
		}
		bad := tt.o
		if bad.ID = 1; tt.want != "object 1 is there already" {
			if err := s.Update(bad); err == nil {
				t.Errorf("update to %+v: no error", bad)
			}
		}
	}
	if o, _ := s.Object(1); s.Len() != 1 || o != good {
		t.Errorf("after errors: %d objects, %+v", s.Len(), o)
	}
	for _, err := range []error{s.Move(77, at.Point), s.Remove(77), s.AddNear(presence.Object{ID: 5}, 77), s.Update(presence.Object{ID: 77})} {
		if !errors.Is(err, presence.ErrUnknown) || !strings.Contains(err.Error(), "77") {
			t.Errorf("error %v, want an unknown object 77", err)
		}
	}
	if p, err := s.Test(presence.Object{At: at.Point, Radius: 100}, 1); err != nil || !p.Free || !p.Blocked {
		t.Errorf("a disc of 100 m: %+v, %v", p, err)
	}
	if p, err := s.Test(presence.Object{At: at.Point.Add(geom.Vec{Y: 50})}, 1); err != nil || p.Free {
		t.Errorf("in the air: %+v, %v", p, err)
	}
	if p, err := s.Test(presence.Object{At: at.Point, Radius: 0.3}, 1); err != nil || !p.Free || p.Blocked {
		t.Errorf("the agent of the mesh on its mesh: %+v, %v", p, err)
	}
	r := s.Publish().NewReader()
	if _, err := r.CollisionsOf(77); !errors.Is(err, presence.ErrUnknown) {
		t.Error(err)
	}
	if _, err := r.Within(at.Point, nan); err == nil {
		t.Error("a reach of NaN is no error")
	}
	if _, err := r.Look(presence.Gaze{At: at.Point, View: nan}); err == nil {
		t.Error("a view of NaN is no error")
	}
	if _, err := r.Notice(t.Context(), presence.Event{At: at.Point, Sound: nan}); err == nil {
		t.Error("a sound of NaN is no error")
	}
	if _, err := r.Notice(t.Context(), presence.Event{At: geom.Vec{Y: 99}, Sound: 1}); !errors.Is(err, presence.ErrNotFree) {
		t.Errorf("an event in the air: %v", err)
	}
	none := presence.New(nil)
	if err := none.Add(good); !errors.Is(err, presence.ErrNotFree) {
		t.Errorf("a nil index: %v", err)
	}
	if got := none.Publish().NewReader().Collisions(); len(got) != 0 {
		t.Error(got)
	}
}

// TestNearestAgainstAll compares with all distances.
func TestNearestAgainstAll(t *testing.T) {
	oneGoroutine(t)
	for _, kind := range []string{"tower", "rooms"} {
		ix := generated(t, kind, 1).Index()
		v := crowd(t, ix, 2, 150, 100).Publish()
		r := v.NewReader()
		frame := ix.Mesh().Frame
		rng := rand.New(rand.NewPCG(3, 3))
		q := ix.NewQuery()
		for range 60 {
			pos, _ := q.RandomPoint(rng)
			at := pos.Point.Add(geom.Vec{Y: 3 * rng.Float64()})
			p, z, _ := frame.FromWorld(at)
			var all []presence.Near
			for i := range v.Len() {
				o, _ := v.At(i)
				c := cylinderOf(frame, o)
				across := max(0, p.Distance(c.at)-float64(c.radius))
				up := float64(max(0, c.low-int64(z), int64(z)-c.high))
				all = append(all, presence.Near{ID: o.ID, Distance: math.Sqrt(across*across+up*up) * lattice.Unit})
			}
			slices.SortFunc(all, func(a, b presence.Near) int {
				if a.Distance != b.Distance {
					return int(math.Copysign(1, a.Distance-b.Distance))
				}
				return int(a.ID) - int(b.ID)
			})
			k := rng.IntN(12)
			if got, err := r.Nearest(at, k, math.Inf(1)); err != nil || !equalNear(got, all[:k]) {
				t.Fatalf("%s: nearest %d of %v: %v, error %v, want %v", kind, k, at, got, err, all[:k])
			}
			reach := 8 * rng.Float64()
			n := 0
			for n < len(all) && all[n].Distance <= reach {
				n++
			}
			if got, err := r.Within(at, reach); err != nil || !equalNear(got, all[:n]) {
				t.Fatalf("%s: within %v of %v: %v, error %v, want %v", kind, reach, at, got, err, all[:n])
			}
		}
	}
}

func equalNear(a, b []presence.Near) bool {
	return slices.EqualFunc(a, b, func(x, y presence.Near) bool {
		return x.ID == y.ID && math.Abs(x.Distance-y.Distance) < 1e-9
	})
}

// TestReadersWhileWriting: goroutines read views while the next one is made; the race detector looks on.
func TestReadersWhileWriting(t *testing.T) {
	ix := generated(t, "rooms", 1).Index()
	s := crowd(t, ix, 1, 120, 0)
	s.Publish()
	var ids []presence.ID
	for i := range s.Now().Len() {
		o, _ := s.Now().At(i)
		ids = append(ids, o.ID)
	}
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			r := s.Now().NewReader()
			for {
				select {
				case <-stop:
					return
				default:
				}
				v := s.Now()
				r.Use(v)
				before := slices.Clone(r.Collisions())
				o, _ := v.At(v.Len() / 2)
				if _, err := r.Notice(context.Background(), presence.Event{At: o.At, Sound: 10, Light: 5}); err != nil {
					t.Error(err)
					return
				}
				if _, err := r.Look(presence.Gaze{At: o.At, Range: 20}); err != nil {
					t.Error(err)
					return
				}
				if _, _, err := r.Known(o.ID); err != nil {
					t.Error(err)
					return
				}
				if after := r.Collisions(); !slices.Equal(before, after) {
					t.Errorf("a view changed: %d collisions, then %d", len(before), len(after))
					return
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(6, 6))
	q := ix.NewQuery()
	for range 30 {
		for _, id := range ids {
			if pos, ok := q.RandomPoint(rng); ok {
				if err := s.Move(id, pos.Point); err != nil {
					t.Fatal(err)
				}
			}
		}
		s.Publish()
	}
	close(stop)
	group.Wait()
}

// TestViewsStay: a View does not follow the Set, and Publish without a change makes no new one.
func TestViewsStay(t *testing.T) {
	s := crowd(t, generated(t, "demo", 1).Index(), 1, 50, 0)
	v := s.Publish()
	if s.Publish() != v {
		t.Error("a new view without a change")
	}
	o, p := v.At(3)
	if err := s.Remove(o.ID); err != nil {
		t.Fatal(err)
	}
	o2, p2, ok := v.Object(o.ID)
	if !ok || !reflect.DeepEqual(o, o2) || p != p2 {
		t.Errorf("%+v, then %+v", o, o2)
	}
	if _, _, ok := s.Publish().Object(o.ID); ok || s.Now() == v {
		t.Error("the next view has the object that was removed")
	}
}
