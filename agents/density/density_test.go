package density_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/agents/density"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
)

// ring is a floor of 30 by 20 m around a block of 24 by 10 m: two ways from west to east, the southern 4 m wide, the northern 6 m wide.
func ring(t testing.TB) *world.World {
	t.Helper()
	return floorOf(t, [4]float64{0, 0, 30, 4}, [4]float64{0, 4, 3, 14}, [4]float64{27, 4, 30, 14}, [4]float64{0, 14, 30, 20})
}

// floorOf is flat floor of rectangles: x and z of a corner, and of the one across.
func floorOf(t testing.TB, rectangles ...[4]float64) *world.World {
	t.Helper()
	l := &level.Level{}
	for _, r := range rectangles {
		n := uint32(len(l.Vertices))
		l.Vertices = append(l.Vertices, geom.Vec{X: r[0], Z: r[1]}, geom.Vec{X: r[2], Z: r[1]}, geom.Vec{X: r[2], Z: r[3]}, geom.Vec{X: r[0], Z: r[3]})
		l.Triangles = append(l.Triangles,
			level.Triangle{A: n, B: n + 2, C: n + 1, Material: level.NoMaterial}, level.Triangle{A: n, B: n + 3, C: n + 2, Material: level.NoMaterial})
	}
	return worldOf(t, l)
}

func worldOf(t testing.TB, l *level.Level) *world.World {
	t.Helper()
	m, err := meadow.BuildWith(context.Background(), l, meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.3}, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := meadow.NewWorld(context.Background(), m, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func made(t testing.TB, w *world.World, opt density.Options) *density.Map {
	t.Helper()
	m, err := density.New(w, opt)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// discs is n discs in rows of a box, as dense as is asked for.
func discs(x0, z0, x1, z1, each float64) (list []density.Place) {
	for x := x0 + each/2; x < x1; x += each {
		for z := z0 + each/2; z < z1; z += each {
			list = append(list, density.Place{At: geom.Vec{X: x, Z: z}, Radius: 0.25})
		}
	}
	return list
}

// way returns the length and cost of the path between two places now, and whether it goes south of the block.
func way(t testing.TB, w *world.World, from, to geom.Vec) (length, cost float64, south bool) {
	t.Helper()
	p, err := w.Now().NewQuery().Path(t.Context(), from, to)
	if err != nil || !p.Complete {
		t.Fatalf("%v: %t (%v)", p.Points, p.Complete, err)
	}
	south = true
	for _, v := range p.Points {
		south = south && v.Z < 9
	}
	return p.Length, p.Cost, south
}

// TestPathsGoRoundJams: the short way is taken while its jam costs less than the detour, and the detour from then on; the cost of the path rises
// with the jam, and the floor is plain again when the crowd has gone.
func TestPathsGoRoundJams(t *testing.T) {
	w := ring(t)
	m := made(t, w, density.Options{})
	from, to := geom.Vec{X: 1.5, Z: 5}, geom.Vec{X: 28.5, Z: 5}
	plain, _, south := way(t, w, from, to)
	if !south {
		t.Fatal("the short way goes north")
	}
	// The detour: 18 m more or less.
	block := world.Put{ID: "block", Solid: world.Box{Base: geom.Vec{X: 15, Z: 2}, Size: geom.Vec{X: 1, Y: 2, Z: 4}}}
	if _, err := w.Apply(t.Context(), block); err != nil {
		t.Fatal(err)
	}
	detour, _, south := way(t, w, from, to)
	if south {
		t.Fatal("the detour goes south")
	}
	if _, err := w.Apply(t.Context(), world.Take{ID: "block"}); err != nil {
		t.Fatal(err)
	}
	before, turned := plain, false
	for _, jam := range []struct {
		long, each float64
		round      bool
	}{{0, 0.5, false}, {6, 1.4, false}, {6, 0.9, false}, {6, 0.7, false}, {14, 0.65, true}, {20, 0.5, true}} {
		if _, err := m.Update(t.Context(), discs(15-jam.long/2, 0, 15+jam.long/2, 4, jam.each)); err != nil {
			t.Fatal(err)
		}
		length, cost, south := way(t, w, from, to)
		if south == jam.round {
			t.Errorf("a jam of %g m, a disc every %g m: south %t, cost %g, the detour %g m", jam.long, jam.each, south, cost, detour)
		}
		if cost < before-0.02*before || cost > detour*1.01 {
			t.Errorf("a jam of %g m, a disc every %g m: the cost falls from %g to %g, the detour is %g m", jam.long, jam.each, before, cost, detour)
		}
		if !south && math.Abs(length-detour) > 0.01*detour {
			t.Errorf("the detour is %g m, was %g m", length, detour)
		}
		before, turned = cost, turned || !south
	}
	if !turned {
		t.Error("no jam turns the path")
	}
	if _, err := m.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if length, cost, south := way(t, w, from, to); length != plain || cost != plain || !south || len(w.Now().Things()) != 0 {
		t.Errorf("after the crowd: %g m at %g, south %t, %d things", length, cost, south, len(w.Now().Things()))
	}
}

// costAt is the cost of the map at a place.
func costAt(m *density.Map, at geom.Vec) float64 {
	for _, c := range m.Cells() {
		if c.Box.Min.X <= at.X && at.X < c.Box.Max.X && c.Box.Min.Z <= at.Z && at.Z < c.Box.Max.Z && c.Box.Min.Y <= at.Y && at.Y <= c.Box.Max.Y {
			return c.Cost
		}
	}
	return 1
}

// TestMonotone: one disc more, or a wider disc, makes no cell cheaper; with hysteresis too, after the same updates.
func TestMonotone(t *testing.T) {
	for _, hysteresis := range []float64{0, 0.3} {
		w := ring(t)
		m := made(t, w, density.Options{Hysteresis: hysteresis})
		r := rand.New(rand.NewPCG(1, 1))
		var places []density.Place
		dearest := 1.0
		for step := range 150 {
			before := m.Cells()
			if step%5 == 4 {
				places[r.IntN(len(places))].Radius += 0.1
			} else {
				places = append(places, density.Place{At: geom.Vec{X: 8 * r.Float64(), Z: 4 * r.Float64()}, Radius: 0.1 + 0.2*r.Float64()})
			}
			if _, err := m.Update(t.Context(), places); err != nil {
				t.Fatal(err)
			}
			for _, c := range before {
				at := c.Box.Min.Add(c.Box.Max).Scale(0.5)
				now := costAt(m, at)
				if now < c.Cost {
					t.Fatalf("step %d: the cell at %v costs %g, then %g", step, at, c.Cost, now)
				}
				dearest = max(dearest, now)
			}
		}
		if dearest < 8 {
			t.Errorf("the dearest cell costs %g", dearest)
		}
	}
}

// TestDiscsKeepTheirArea: the covered shares of all cells sum up to the areas of the discs, in cells and across borders, far off and near.
func TestDiscsKeepTheirArea(t *testing.T) {
	w := ring(t)
	r := rand.New(rand.NewPCG(2, 2))
	for _, cell := range []float64{0.25, 1, 2, 7} {
		m := made(t, w, density.Options{Cell: cell, Levels: []density.Level{{Covered: 1e-12, Cost: 2}}})
		for range 20 {
			p := density.Place{At: geom.Vec{X: 8 + 14*r.Float64(), Z: 8 + 4*r.Float64()}, Radius: 0.1 + r.Float64()}
			if _, err := m.Update(t.Context(), []density.Place{p}); err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for _, c := range m.Cells() {
				sum += c.Covered * cell * cell
			}
			if want := math.Pi * p.Radius * p.Radius; math.Abs(sum-want) > 1e-9 {
				t.Errorf("cells of %g m: %v covers %g m², want %g", cell, p, sum, want)
			}
		}
	}
}

// TestOrderDoesNotMatter: the same places in another order give the same cells, bit by bit, and the same mesh; without hysteresis so do other updates
// before.
func TestOrderDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	places := discs(0, 0, 20, 4, 0.6)
	for k := range places {
		places[k].At.X += 0.3 * r.Float64()
	}
	w, v := ring(t), ring(t)
	m, n := made(t, w, density.Options{}), made(t, v, density.Options{})
	if _, err := m.Update(t.Context(), places); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Update(t.Context(), discs(10, 0, 30, 4, 0.5)); err != nil {
		t.Fatal(err)
	}
	r.Shuffle(len(places), func(i, k int) { places[i], places[k] = places[k], places[i] })
	if _, err := n.Update(t.Context(), places); err != nil {
		t.Fatal(err)
	}
	if a, b := m.Cells(), n.Cells(); len(a) == 0 || !reflect.DeepEqual(a, b) {
		t.Errorf("cells differ:\n%v\n%v", a, b)
	}
	if a, b := w.Now().Mesh(), v.Now().Mesh(); !reflect.DeepEqual(a.Tiles, b.Tiles) {
		t.Error("meshes differ")
	}
}

// TestQuietUpdates: steps that change no level change no world. With hysteresis a cell at a threshold changes less often.
func TestQuietUpdates(t *testing.T) {
	changes := func(hysteresis float64) (count int) {
		w := ring(t)
		m := made(t, w, density.Options{Hysteresis: hysteresis})
		r := rand.New(rand.NewPCG(4, 4))
		for step := range 60 {
			places := discs(4, 0, 6, 2, 1)[:3] // 0.147 of the cell
			if r.IntN(2) == 0 {
				places = append(places, density.Place{At: geom.Vec{X: 5, Z: 1}, Radius: 0.26})
			}
			before := w.Now().Sequence()
			c, err := m.Update(t.Context(), places)
			if err != nil {
				t.Fatal(err)
			}
			if (c.Sequence == 0) != (w.Now().Sequence() == before) {
				t.Fatalf("step %d: change %d of a world at %d", step, c.Sequence, w.Now().Sequence())
			}
			if c.Sequence > 0 {
				count++
			}
		}
		return count
	}
	if loose, firm := changes(0), changes(0.3); loose < 10 || firm != 1 {
		t.Errorf("%d changes without hysteresis, %d with", loose, firm)
	}
}

// TestStoreys: a crowd on a storey costs nothing above and below.
func TestStoreys(t *testing.T) {
	l := &level.Level{}
	for k := range 2 {
		y, n := 3*float64(k), uint32(4*k)
		l.Vertices = append(l.Vertices, geom.Vec{Y: y}, geom.Vec{X: 12, Y: y}, geom.Vec{X: 12, Y: y, Z: 12}, geom.Vec{Y: y, Z: 12})
		l.Triangles = append(l.Triangles,
			level.Triangle{A: n, B: n + 2, C: n + 1, Material: level.NoMaterial}, level.Triangle{A: n, B: n + 3, C: n + 2, Material: level.NoMaterial})
	}
	w := worldOf(t, l)
	m := made(t, w, density.Options{})
	dense, loose := discs(4, 4, 8, 8, 0.5), discs(4, 4, 8, 8, 2)
	costs := func(y float64) float64 {
		_, cost, _ := way(t, w, geom.Vec{X: 4.5, Y: y, Z: 6}, geom.Vec{X: 7.5, Y: y, Z: 6})
		return cost
	}
	for k := range 2 {
		var both []density.Place
		for _, p := range dense {
			p.At.Y = 3 * float64(k)
			both = append(both, p)
		}
		for _, p := range loose {
			p.At.Y = 3 * float64(1-k)
			both = append(both, p)
		}
		if _, err := m.Update(t.Context(), both); err != nil {
			t.Fatal(err)
		}
		full, free := costs(3*float64(k)), costs(3*float64(1-k))
		if full < 4*3 || free != 3 {
			t.Errorf("crowd on storey %d: a way of 3 m costs %g there, %g on the other storey", k, full, free)
		}
	}
}

// TestErrors: bad options and places give errors, and change nothing.
func TestErrors(t *testing.T) {
	w := ring(t)
	for k, opt := range []density.Options{
		{Cell: math.NaN()},
		{Cell: 0.1},
		{Cell: math.Inf(1)},
		{Hysteresis: 1},
		{Hysteresis: math.NaN()},
		{Name: fmt.Sprintf("%0200d", 1)},
		{Levels: []density.Level{{Covered: 0, Cost: 2}}},
		{Levels: []density.Level{{Covered: 0.1, Cost: 1}}},
		{Levels: []density.Level{{Covered: 0.2, Cost: 2}, {Covered: 0.1, Cost: 3}}},
		{Levels: []density.Level{{Covered: 0.1, Cost: math.Inf(1)}}},
		{Levels: []density.Level{{Covered: math.NaN(), Cost: 2}}},
	} {
		if m, err := density.New(w, opt); err == nil || m != nil {
			t.Errorf("options %d: no error", k)
		}
	}
	if _, err := density.New(nil, density.Options{}); err == nil {
		t.Error("no error for no world")
	}
	m := made(t, w, density.Options{})
	good := discs(4, 0, 8, 4, 0.5)
	if _, err := m.Update(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	cells, sequence := m.Cells(), w.Now().Sequence()
	for k, p := range []density.Place{
		{},
		{Radius: -1},
		{Radius: math.NaN()},
		{Radius: 100},
		{At: geom.Vec{X: math.Inf(1)}, Radius: 1},
		{At: geom.Vec{Y: math.NaN()}, Radius: 1},
		{At: geom.Vec{Z: 1e9}, Radius: 1},
	} {
		if _, err := m.Update(t.Context(), append(slices.Clone(good[3:]), p)); err == nil {
			t.Errorf("place %d: no error", k)
		}
	}
	fine := made(t, w, density.Options{Name: "fine", Cell: 0.25})
	if _, err := fine.Update(t.Context(), slices.Repeat([]density.Place{{Radius: 7}}, 1500)); err == nil {
		t.Error("no error for millions of covered cells")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Update(ended, discs(10, 0, 20, 4, 0.5)); err == nil {
		t.Error("no error for a context that has ended")
	}
	if !reflect.DeepEqual(m.Cells(), cells) || w.Now().Sequence() != sequence {
		t.Error("an error has changed the map or the world")
	}
	// Off the floor, near and far.
	far := []density.Place{{At: geom.Vec{X: -100, Z: 50}, Radius: 2}, {At: geom.Vec{X: 15, Z: 9}, Radius: 2}, {At: geom.Vec{X: 5, Y: 90, Z: 1}, Radius: 2}}
	if _, err := m.Update(t.Context(), far); err != nil {
		t.Errorf("discs off the floor: %v", err)
	}
}

// BenchmarkUpdate updates the density of a crowd on a city: steps that change no level, and jams that come and go on some cells.
func BenchmarkUpdate(b *testing.B) {
	l, err := levelgen.Generate("city", levelgen.Options{Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	scatter := func(w *world.World, n int) (places []density.Place) {
		r := rand.New(rand.NewPCG(5, 5))
		q := w.Now().NewQuery()
		for range n {
			at, _ := q.RandomPoint(r)
			places = append(places, density.Place{At: at.Point, Radius: 0.25})
		}
		return places
	}
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint("quiet/", n), func(b *testing.B) {
			w := worldOf(b, l)
			m := made(b, w, density.Options{Levels: []density.Level{{Covered: 100, Cost: 2}}})
			places := scatter(w, n)
			for b.Loop() {
				if _, err := m.Update(b.Context(), places); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/place")
		})
	}
	for _, n := range []int{1, 4, 16} {
		b.Run(fmt.Sprint("jams/", n), func(b *testing.B) {
			w := worldOf(b, l)
			m := made(b, w, density.Options{})
			var places []density.Place
			for _, p := range scatter(w, n) {
				// The middle of a cell, half covered.
				p.At.X, p.At.Z = 2*math.Floor(p.At.X/2)+1, 2*math.Floor(p.At.Z/2)+1
				p.Radius = 0.8
				places = append(places, p)
			}
			var took []time.Duration
			cells, on := 0, false
			for b.Loop() {
				list := places
				if on = !on; !on {
					list = nil
				}
				before := m.Cells()
				start := time.Now()
				if _, err := m.Update(b.Context(), list); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
				cells += differing(before, m.Cells())
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "µs/update")
			b.ReportMetric(float64(cells)/float64(len(took)), "cells/update")
		})
	}
}

// differing counts the cells with another box or cost.
func differing(a, b []density.Cell) (count int) {
	key := func(list []density.Cell) map[geom.Box]float64 {
		costs := map[geom.Box]float64{}
		for _, c := range list {
			costs[c.Box] = c.Cost
		}
		return costs
	}
	before, after := key(a), key(b)
	for box, cost := range after {
		if before[box] != cost {
			count++
		}
	}
	for box := range before {
		if _, ok := after[box]; !ok {
			count++
		}
	}
	return count
}
