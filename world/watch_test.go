package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
)

// randomBox returns a box within a few hundred metres; sizes spread over four powers of ten.
func randomBox(rng *rand.Rand) geom.Box {
	size := func() float64 { return math.Pow(10, 4*rng.Float64()-1.5) }
	at := geom.Vec{X: 400*rng.Float64() - 200, Y: 20 * rng.Float64(), Z: 400*rng.Float64() - 200}
	b := geom.Box{Min: at, Max: at.Add(geom.Vec{X: size(), Y: size() / 10, Z: size()})}
	if rng.IntN(10) == 0 {
		b.Max = b.Min // a point
	}
	if rng.IntN(40) == 0 {
		b.Max.X = math.Inf(1)
	}
	return b
}

// received returns the notice in the channel of a watcher.
func received(v *Watcher) (n Notice, ok bool) {
	select {
	case n, ok = <-v.C():
	default:
	}
	return n, ok
}

// meet is boxesMeet by axes, for the oracle.
func meet(a, b geom.Box) bool {
	axes := func(b geom.Box) [3][2]float64 {
		return [3][2]float64{{b.Min.X, b.Max.X}, {b.Min.Y, b.Max.Y}, {b.Min.Z, b.Max.Z}}
	}
	p, q := axes(a), axes(b)
	for k := range 3 {
		if max(p[k][0], q[k][0]) > min(p[k][1], q[k][1]) {
			return false
		}
	}
	return true
}

// union is the box around two boxes.
func union(a, b geom.Box) geom.Box { return a.Extend(b.Min).Extend(b.Max) }

// TestWatchAgainstBruteForce lets watchers come and go between random changes, and compares the notices with a loop over all watched
// boxes.
func TestWatchAgainstBruteForce(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		w := &World{}
		type watched struct {
			v   *Watcher
			box geom.Box
		}
		var all []watched
		for sequence := uint64(1); sequence <= 60; sequence++ {
			for range rng.IntN(20) {
				box := randomBox(rng)
				v, err := w.Watch(box)
				if err != nil {
					t.Fatal(err)
				}
				if v.Since() != sequence-1 {
					t.Errorf("since %d, want %d", v.Since(), sequence-1)
				}
				all = append(all, watched{v, box})
			}
			for len(all) > 0 && rng.IntN(3) == 0 {
				k := rng.IntN(len(all))
				all[k].v.Close()
				all[k] = all[len(all)-1]
				all = all[:len(all)-1]
			}
			c := Change{Sequence: sequence}
			for range rng.IntN(4) {
				c.Boxes = append(c.Boxes, randomBox(rng))
			}
			w.watchers.tell(c)
			for _, a := range all {
				near, want := geom.EmptyBox(), false
				for _, b := range c.Boxes {
					if meet(a.box, b) {
						near, want = union(near, b), true
					}
				}
				n, ok := received(a.v)
				if ok != want || ok && n != (Notice{sequence, sequence, near}) {
					t.Fatalf("seed %d, change %d, box %v: notice %v %v, want %v %v", seed, sequence, a.box, n, ok, near, want)
				}
			}
		}
	}
}

// TestWatchPathAgainstBruteForce compares notices with the distances of many points of the way and the box. Changes whose
// distance is too near to the radius for the points decide nothing.
func TestWatchPathAgainstBruteForce(t *testing.T) {
	const steps, doubt = 500, 0.1
	rng := rand.New(rand.NewPCG(3, 1))
	heard, silent := 0, 0
	for range 2000 {
		w := &World{}
		at := geom.Vec{X: 20 * rng.Float64(), Y: 3 * rng.Float64(), Z: 20 * rng.Float64()}
		points := []geom.Vec{at}
		for range rng.IntN(4) {
			at = at.Add(geom.Vec{X: 20*rng.Float64() - 10, Y: 4*rng.Float64() - 2, Z: 20*rng.Float64() - 10})
			if rng.IntN(4) == 0 {
				at.X = points[len(points)-1].X
			}
			points = append(points, at)
		}
		radius := 2 * rng.Float64()
		v, err := w.WatchPath(points, radius)
		if err != nil {
			t.Fatal(err)
		}
		low := points[rng.IntN(len(points))].Add(geom.Vec{X: 12*rng.Float64() - 8, Y: 6*rng.Float64() - 4, Z: 12*rng.Float64() - 8})
		box := geom.Box{Min: low, Max: low.Add(geom.Vec{X: 6 * rng.Float64(), Y: 2 * rng.Float64(), Z: 6 * rng.Float64()})}
		w.watchers.tell(Change{Sequence: 1, Boxes: []geom.Box{box}})
		_, ok := received(v)

		least := math.Inf(1)
		for i := range max(1, len(points)-1) {
			from, to := points[i], points[min(i+1, len(points)-1)]
			if box.Min.Y > max(from.Y, to.Y)+radius || box.Max.Y < min(from.Y, to.Y)-radius {
				continue
			}
			for k := range steps + 1 {
				p := from.Add(to.Sub(from).Scale(float64(k) / steps))
				least = min(least, math.Hypot(p.X-min(max(p.X, box.Min.X), box.Max.X), p.Z-min(max(p.Z, box.Min.Z), box.Max.Z)))
			}
		}
		switch {
		case math.Abs(least-radius) < doubt:
		case ok != (least < radius):
			t.Fatalf("way %v, radius %v, box %v: heard %v, distance %v", points, radius, box, ok, least)
		case ok:
			heard++
		default:
			silent++
		}
	}
	if heard < 100 || silent < 100 {
		t.Errorf("%d heard, %d silent: too few of a kind", heard, silent)
	}
}

// TestWatchBorders checks that borders belong to the watched place.
func TestWatchBorders(t *testing.T) {
	w := &World{}
	box := func(v ...float64) geom.Box {
		return geom.Box{Min: geom.Vec{X: v[0], Y: v[1], Z: v[2]}, Max: geom.Vec{X: v[3], Y: v[4], Z: v[5]}}
	}
	v, err := w.Watch(box(0, 0, 0, 1, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.WatchPath([]geom.Vec{{}, {X: 1}}, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		box         geom.Box
		inBox, near bool
	}{
		{box(1, 1, 1, 2, 2, 2), true, false},
		{box(1, 0, 0, 1, 0, 0), true, true},
		{box(-1, 0, -1, 0, 0, 0), true, true},
		{box(1.001, 0, 0, 2, 1, 1), false, true},
		{box(1.5, 0, 0, 2, 1, 1), false, true},
		{box(1.501, 0, 0, 2, 1, 1), false, false},
		{box(1.4, 0, 0.4, 2, 1, 1), false, false}, // beyond the round end
		{box(0, 0.5, 0.5, 1, 1, 1), true, true},
		{box(0, 0.51, 0, 1, 1, 1), true, false},
		{box(0, 0, 0.51, 1, 1, 1), true, false},
		{box(-9, -9, -9, 9, 9, 9), true, true},
	} {
		w.watchers.tell(Change{Sequence: uint64(i), Boxes: []geom.Box{c.box}})
		if _, ok := received(v); ok != c.inBox {
			t.Errorf("box %v: heard %v in the box", c.box, ok)
		}
		if _, ok := received(p); ok != c.near {
			t.Errorf("box %v: heard %v on the way", c.box, ok)
		}
	}
}

// TestWatchMerges leaves notices unread.
func TestWatchMerges(t *testing.T) {
	w := &World{}
	v, err := w.Watch(geom.Box{Max: geom.Vec{X: 10, Y: 10, Z: 10}})
	if err != nil {
		t.Fatal(err)
	}
	want := Notice{First: 1, Box: geom.EmptyBox()}
	for sequence := uint64(1); sequence <= 1000; sequence++ {
		x := float64(sequence % 7)
		box := geom.Box{Min: geom.Vec{X: x}, Max: geom.Vec{X: x + 1}}
		w.watchers.tell(Change{Sequence: sequence, Boxes: []geom.Box{box, {Min: geom.Vec{X: 99}, Max: geom.Vec{X: 99}}}})
		want.Last, want.Box = sequence, union(want.Box, box)
	}
	if n, ok := received(v); !ok || n != want {
		t.Errorf("notice %v %v, want %v", n, ok, want)
	}
	if n, ok := received(v); ok {
		t.Errorf("a second notice %v", n)
	}
	w.watchers.tell(Change{Sequence: 1001, Boxes: []geom.Box{{}}})
	if n, ok := received(v); !ok || n.First != 1001 || n.Last != 1001 {
		t.Errorf("after reading: %v %v", n, ok)
	}
	w.watchers.tell(Change{Sequence: 1002})
	if n, ok := received(v); ok {
		t.Errorf("a change without boxes: %v", n)
	}
}

// TestWatchClosed checks that closed watchers hear nothing, keep their last notice, and leave an empty grid.
func TestWatchClosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	w := &World{}
	var all []*Watcher
	for range 300 {
		v, err := w.Watch(randomBox(rng))
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.WatchPath([]geom.Vec{randomBox(rng).Min, randomBox(rng).Min, randomBox(rng).Min}, 1)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v, p)
	}
	everywhere := geom.Box{Min: geom.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}, Max: geom.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}}
	w.watchers.tell(Change{Sequence: 1, Boxes: []geom.Box{everywhere}})
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, v := range all {
		v.Close()
		v.Close()
	}
	w.watchers.tell(Change{Sequence: 2, Boxes: []geom.Box{everywhere}})
	for i, v := range all {
		if n, ok := <-v.C(); !ok || n.Last != 1 {
			t.Fatalf("watcher %d: notice %v %v", i, n, ok)
		}
		if n, ok := <-v.C(); ok {
			t.Fatalf("watcher %d hears %v after its end", i, n)
		}
	}
	g := &w.watchers.grid
	for level, cells := range g.cells {
		if cells != nil {
			t.Errorf("level %d has %d cells left", level, len(cells))
		}
	}
	if g.some != 0 || len(g.wide) != 0 {
		t.Errorf("levels %b, %d wide boxes left", g.some, len(g.wide))
	}
}

// TestTellVisitsFew watches small boxes all over a square kilometre, and counts how many of them a change of a few metres visits.
func TestTellVisitsFew(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	w := &World{}
	const watched, changes = 10000, 200
	for range watched {
		at := geom.Vec{X: 1000 * rng.Float64(), Z: 1000 * rng.Float64()}
		if _, err := w.Watch(geom.Box{Min: at, Max: at.Add(geom.Vec{X: 10, Y: 3, Z: 10})}); err != nil {
			t.Fatal(err)
		}
	}
	visits := 0
	for range changes {
		at := geom.Vec{X: 1000 * rng.Float64(), Z: 1000 * rng.Float64()}
		w.watchers.grid.near(geom.Box{Min: at, Max: at.Add(geom.Vec{X: 4, Y: 2, Z: 4})}, func(*watchPart) { visits++ })
	}
	// Two or four cells of 16 m under a change hold the boxes that begin up to 10 m before them: about 12 boxes, some twice.
	if most := 40 * changes; visits > most {
		t.Errorf("%d changes visit %d boxes, want at most %d", changes, visits, most)
	}
	// A change of the whole square visits every box in each of its cells, once for a box and cell.
	visits = 0
	w.watchers.grid.near(geom.Box{Max: geom.Vec{X: 1e9, Y: 9, Z: 1e9}}, func(*watchPart) { visits++ })
	if visits < watched || visits > 4*watched {
		t.Errorf("a change of everything visits %d boxes of %d", visits, watched)
	}
}

// TestTellAllocatesNothing tells changes to watchers that read and to watchers that do not.
func TestTellAllocatesNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	w := &World{}
	var all []*Watcher
	for range 100 {
		v, err := w.Watch(geom.Box{Max: geom.Vec{X: 5, Y: 5, Z: 5}})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	c := Change{Boxes: []geom.Box{{Max: geom.Vec{X: 1, Y: 1, Z: 1}}, {Min: geom.Vec{X: 90}, Max: geom.Vec{X: 95}}}}
	if n := testing.AllocsPerRun(100, func() {
		c.Sequence++
		w.watchers.tell(c)
		for _, v := range all[:50] {
			<-v.C()
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestWatchersAtOnce lets goroutines watch, read and close while changes come. Every watcher hears of the last change unless
// it was closed.
func TestWatchersAtOnce(t *testing.T) {
	const goroutines, rounds, changes = 16, 50, 2000
	w := &World{}
	var group sync.WaitGroup
	kept := make([]*Watcher, goroutines)
	for g := range goroutines {
		group.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range rounds {
				v, err := w.Watch(randomBox(rng))
				if err != nil {
					t.Error(err)
					return
				}
				last := v.Since()
				for range rng.IntN(4) {
					if n, ok := received(v); ok {
						if n.First <= last || n.Last < n.First {
							t.Errorf("notice %v after change %d", n, last)
						}
						last = n.Last
					}
				}
				v.Close()
			}
			v, err := w.Watch(geom.Box{Max: geom.Vec{X: 1, Y: 1, Z: 1}})
			if err != nil {
				t.Error(err)
			}
			kept[g] = v
		})
	}
	rng := rand.New(rand.NewPCG(99, 1))
	for sequence := uint64(1); sequence <= changes; sequence++ {
		w.watchers.tell(Change{Sequence: sequence, Boxes: []geom.Box{randomBox(rng), randomBox(rng)}})
	}
	group.Wait()
	w.watchers.tell(Change{Sequence: changes + 1, Boxes: []geom.Box{{}}})
	for g, v := range kept {
		n := <-v.C()
		for n.Last != changes+1 {
			n = <-v.C()
		}
		if n.First <= v.Since() {
			t.Errorf("goroutine %d: %v since %d", g, n, v.Since())
		}
	}
}

// TestWatchRefuses gives places that nobody can watch.
func TestWatchRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	w := &World{}
	for want, box := range map[string]geom.Box{
		"from 1 to 0 along x":   {Min: geom.Vec{X: 1}},
		"from 0 to NaN along y": {Max: geom.Vec{Y: nan}},
		"from NaN to 0 along z": {Min: geom.Vec{Z: nan}},
		"along x":               geom.EmptyBox(),
	} {
		if v, err := w.Watch(box); v != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("box %v: error %v, want %s", box, err, want)
		}
	}
	for want, c := range map[string]struct {
		points []geom.Vec
		radius float64
	}{
		"without points":  {nil, 1},
		"radius -1 m":     {[]geom.Vec{{}}, -1},
		"radius NaN m":    {[]geom.Vec{{}}, nan},
		"radius +Inf m":   {[]geom.Vec{{}}, inf},
		"point 1 at":      {[]geom.Vec{{}, {Y: inf}}, 1},
		"point 0 at (NaN": {[]geom.Vec{{X: nan}}, 1},
	} {
		if v, err := w.WatchPath(c.points, c.radius); v != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v: error %v, want %s", c.points, c.radius, err, want)
		}
	}
	if w.watchers.grid.some != 0 {
		t.Error("a refused watcher is in the grid")
	}
}

// TestWatchFar watches places of all sizes far away.
func TestWatchFar(t *testing.T) {
	for _, far := range []float64{1e3, 1e6, 1e9, 1e12, 1e300} {
		for _, size := range []float64{0, 1, 1e3, 1e7, 1e301} {
			for _, sign := range []float64{-1, 1} {
				w := &World{}
				at := geom.Vec{X: sign * far, Z: far}
				v, err := w.Watch(geom.Box{Min: at, Max: at.Add(geom.Vec{X: size, Z: size})})
				if err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%v m wide at %v", size, at)
				w.watchers.tell(Change{Sequence: 1, Boxes: []geom.Box{{Min: at, Max: at}}})
				if _, ok := received(v); !ok {
					t.Errorf("%s: a change within is not heard", name)
				}
				w.watchers.tell(Change{Sequence: 2, Boxes: []geom.Box{{}}})
				if _, ok := received(v); ok {
					t.Errorf("%s: a change at the origin is heard", name)
				}
				v.Close()
			}
		}
	}
}

func BenchmarkTell(b *testing.B) {
	for _, watched := range []int{0, 100, 10000} {
		b.Run(fmt.Sprint(watched), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(6, 1))
			w := &World{}
			for range watched {
				at := geom.Vec{X: 1000 * rng.Float64(), Z: 1000 * rng.Float64()}
				if _, err := w.Watch(geom.Box{Min: at, Max: at.Add(geom.Vec{X: 10, Y: 3, Z: 10})}); err != nil {
					b.Fatal(err)
				}
			}
			heard := uint64(0)
			c := Change{Boxes: make([]geom.Box, 1)}
			for b.Loop() {
				at := geom.Vec{X: 1000 * rng.Float64(), Z: 1000 * rng.Float64()}
				c.Boxes[0] = geom.Box{Min: at, Max: at.Add(geom.Vec{X: 4, Y: 2, Z: 4})}
				c.Sequence++
				w.watchers.tell(c)
				heard += uint64(len(w.watchers.hits))
			}
			if watched == 0 && heard > 0 || watched == 10000 && heard == 0 {
				b.Errorf("%d heard", heard)
			}
		})
	}
}
