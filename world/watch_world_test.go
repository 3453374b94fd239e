package world_test

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world"
)

// TestApplyTells watches the way of a path and a place beside it while obstacles come and go.
func TestApplyTells(t *testing.T) {
	race.Skip(t)
	ctx := context.Background()
	l, err := levelgen.Generate("pillars", levelgen.Options{Seed: 1, Size: 40})
	if err != nil {
		t.Fatal(err)
	}
	m := build(t, l, 0.3)
	w, err := world.New(ctx, m.Mesh, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	box := m.Bounds()
	corner := func(s float64) geom.Vec {
		at, ok := m.NewQuery().Nearest(box.Min.Add(box.Size().Scale(s)), 5)
		if !ok {
			t.Fatalf("no floor at %v of the level", s)
		}
		return at.Point
	}
	path, err := w.Now().NewQuery().Path(ctx, corner(0.1), corner(0.4))
	if err != nil || !path.Complete {
		t.Fatalf("no path: %v", err)
	}
	apply := func(e world.Edit) world.Change {
		c, err := w.Apply(ctx, e)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	far := world.Cylinder{Base: corner(0.9), Radius: 0.5, Height: 2}
	apply(world.Put{ID: "before", Solid: far})
	v, err := w.WatchPath(path.Surface(), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	if v.Since() != 1 {
		t.Errorf("since %d", v.Since())
	}
	// heard returns the notice that has come.
	heard := func() (n world.Notice, ok bool) {
		select {
		case n, ok = <-v.C():
		default:
		}
		return n, ok
	}
	silent := func(when string) {
		if n, ok := heard(); ok {
			t.Errorf("%s: notice %+v", when, n)
		}
	}
	apply(world.Take{ID: "before"})
	silent("a change far away")
	middle := path.Surface()[len(path.Surface())/2]
	c := apply(world.Put{ID: "crate", Solid: world.Cylinder{Base: middle, Radius: 0.5, Height: 2}})
	n, ok := heard()
	inside := n.Box.Min.X <= middle.X && middle.X <= n.Box.Max.X && n.Box.Min.Z <= middle.Z && middle.Z <= n.Box.Max.Z
	if !ok || n.First != c.Sequence || n.Last != c.Sequence || !inside {
		t.Errorf("notice %+v %v of change %+v at %v", n, ok, c, middle)
	}
	if _, err := w.Apply(ctx, world.Put{ID: "crate", Solid: far}); err == nil {
		t.Error("an id twice: no error")
	}
	silent("a refused change")
	apply(world.Move{ID: "crate", Solid: far})
	if n, _ := heard(); n.Last != w.Now().Sequence() {
		t.Errorf("a crate moved away: %+v", n)
	}
	v.Close()
	apply(world.Move{ID: "crate", Solid: world.Cylinder{Base: middle, Radius: 0.5, Height: 2}})
	silent("a closed watcher")
}

// TestReadTells watches a world that was saved after some changes: watchers begin after the last of them.
func TestReadTells(t *testing.T) {
	l, err := levelgen.Generate("pillars", levelgen.Options{Seed: 1, Size: 12})
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(t.Context(), build(t, l, 0.3).Mesh, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at, ok := w.Now().NewQuery().Nearest(geom.Vec{}, 20)
	if !ok {
		t.Fatal("no floor")
	}
	crate := world.Cylinder{Base: at.Point, Radius: 0.5, Height: 2}
	for _, e := range []world.Edit{world.Put{ID: "crate", Solid: crate}, world.Take{ID: "crate"}} {
		if _, err := w.Apply(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	var file bytes.Buffer
	if err := w.Now().Save(&file); err != nil {
		t.Fatal(err)
	}
	if w, err = world.Read(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	everywhere := geom.Box{Min: geom.Vec{X: -1e9, Y: -1e9, Z: -1e9}, Max: geom.Vec{X: 1e9, Y: 1e9, Z: 1e9}}
	v, err := w.Watch(everywhere)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if got, want := v.Since(), w.Now().Sequence(); got != want || want != 2 {
		t.Errorf("the watcher begins after change %d, the world is at %d, saved after 2 changes", got, want)
	}
	if _, err := w.Apply(t.Context(), world.Put{ID: "crate", Solid: crate}); err != nil {
		t.Fatal(err)
	}
	if n := <-v.C(); n.First != 3 || n.Last != 3 {
		t.Errorf("the notice is of changes %d to %d, want 3", n.First, n.Last)
	}
}

// TestLinksTell closes and opens marks with links, and brings and takes a link: Change.Ends has both ends of the links that
// change, and a watcher of a path over a link hears of them.
func TestLinksTell(t *testing.T) {
	l, err := levelgen.Generate("halls", levelgen.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	m := build(t, l, 0.4)
	w, err := world.New(t.Context(), m.Mesh, world.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// links returns the ends of the links of a mark, and a point of each.
	links := func(mark int) (ends []geom.Box, at []geom.Vec) {
		for _, l := range m.Links {
			if int(l.Mark) != mark+1 {
				continue
			}
			for _, e := range [2][2]lattice.Vertex{l.Start, l.End} {
				a, b := m.Frame.ToWorld(e[0].Point, e[0].Z), m.Frame.ToWorld(e[1].Point, e[1].Z)
				ends, at = append(ends, geom.EmptyBox().Extend(a).Extend(b)), append(at, a)
			}
		}
		return ends, at
	}
	watched := 0
	for k := range m.Marks {
		name := m.Marks[k].Name
		ends, at := links(k)
		var v *world.Watcher
		if len(at) > 0 {
			if v, err = w.WatchPath(at[:2], 0.1); err != nil {
				t.Fatal(err)
			}
			watched++
		}
		for _, e := range []world.Edit{world.Close{Mark: name}, world.Open{Mark: name}} {
			c := apply(t, w, e)
			if !slices.Equal(c.Ends, ends) {
				t.Errorf("%#v: ends %v, want %v", e, c.Ends, ends)
			}
			if again := apply(t, w, e); len(again.Ends) > 0 {
				t.Errorf("%#v a second time: ends %v", e, again.Ends)
			}
			if v == nil {
				continue
			}
			select {
			case n := <-v.C():
				if n.First != c.Sequence {
					t.Errorf("%#v: the notice is of change %d, want %d", e, n.First, c.Sequence)
				}
			default:
				t.Errorf("%#v: the watcher of a way over the link has heard nothing", e)
			}
		}
	}
	if watched < 3 {
		t.Errorf("%d marks have links", watched)
	}
	from, to := m.Frame.ToWorld(m.Links[0].Start[0].Point, m.Links[0].Start[0].Z), m.Frame.ToWorld(m.Links[0].End[0].Point, m.Links[0].End[0].Z)
	for _, e := range []world.Edit{world.Connect{ID: "gate", From: from, To: to, Kind: navmesh.Teleport, BothWays: true}, world.Take{ID: "gate"}} {
		c := apply(t, w, e)
		if len(c.Ends) != 4 || c.Ends[0].Min.Sub(from).Len() > 0.1 || c.Ends[1].Min.Sub(to).Len() > 0.1 || c.Ends[2] != c.Ends[1] || c.Ends[3] != c.Ends[0] {
			t.Errorf("%#v from %v to %v: ends %v", e, from, to, c.Ends)
		}
	}
	both := []world.Edit{world.Connect{ID: "gate", From: from, To: to, Kind: navmesh.Teleport}, world.Take{ID: "gate"}}
	if c := apply(t, w, both...); len(c.Ends) > 0 {
		t.Errorf("a link that comes and goes in one change: ends %v", c.Ends)
	}
}
