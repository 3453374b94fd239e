package exact

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestSpecksAlongWindows: a small outline that is cut by the window is no speck, and an outline elsewhere is.
func TestSpecksAlongWindows(t *testing.T) {
	e := &extraction{radius: 1000, arcs: OffsetTolerance * lattice.UnitsPerMetre, window: &window{lattice.Box{Max: lattice.Point{X: 4096, Y: 4096}}}}
	outline := func(x int32) overlay.Outline {
		return overlay.Outline{
			Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: x, Y: 50}, {X: x + 9, Y: 50}, {X: x + 9, Y: 59}, {X: x, Y: 59}}}},
			Labels:  [][]int32{{wall, wall, wall, wall}},
		}
	}
	if !e.isSpeck(outline(5)) || e.isSpeck(outline(0)) || e.isSpeck(outline(4096-9)) {
		t.Error("specks are not told by the window")
	}
	e.window = nil
	if !e.isSpeck(outline(0)) {
		t.Error("without a window an outline is no speck")
	}
}

// TestSpikesAlongWindows: a narrow dead end goes, unless it leads out of the window.
func TestSpikesAlongWindows(t *testing.T) {
	w := &window{lattice.Box{Max: lattice.Point{X: 4096, Y: 4096}}}
	made := func() []overlay.Outline {
		ring := lattice.Ring{{X: 3000, Y: 1000}, {X: 3500, Y: 1000}, {X: 4096, Y: 1298}, {X: 4096, Y: 1300}, {X: 3500, Y: 1003}, {X: 3500, Y: 2000}, {X: 3000, Y: 2000}}
		return []overlay.Outline{{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Labels: [][]int32{{wall, wall, wall, wall, wall, wall, wall}}}}
	}
	labelled := made()
	w.label(labelled, wall, beyond)
	if n := len(withoutSpikes(labelled[0]).Rings[0]); n != 7 {
		t.Errorf("%d corners of 7 are left of a way out of the window", n)
	}
	plain := made()
	if n := len(withoutSpikes(plain[0]).Rings[0]); n >= 7 {
		t.Errorf("%d corners of 7 are left of a dead end", n)
	}
}

// TestClipFloor cuts random surfaces at a window. Inside the heights stay within a unit, and nothing lies outside.
func TestClipFloor(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	w := &window{lattice.Box{Min: lattice.Point{X: 100, Y: 200}, Max: lattice.Point{X: 700, Y: 600}}}
	const n, step = 9, 100
	cut := 0
	for range 40 {
		var tin lattice.TIN
		for y := range int32(n) {
			for x := range int32(n) {
				tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: lattice.Point{X: x*step + rng.Int32N(30), Y: y*step + rng.Int32N(30)}, Z: rng.Int32N(60)})
			}
		}
		for y := range uint32(n - 1) {
			for x := range uint32(n - 1) {
				k := y*n + x
				tin.Triangles = append(tin.Triangles, [3]uint32{k, k + 1, k + n + 1}, [3]uint32{k, k + n + 1, k + n})
			}
		}
		whole := lattice.NewSampler(&tin)
		part := tin
		w.clipFloor(&part)
		if part.Error != tin.Error+1 {
			t.Errorf("the error is %d", part.Error)
		}
		for _, v := range part.Vertices {
			if !w.Contains(v.Point) {
				t.Fatalf("%v is outside of the window", v)
			}
			if v.X == 100 || v.X == 700 || v.Y == 200 || v.Y == 600 {
				cut++
			}
		}
		s := lattice.NewSampler(&part)
		for range 400 {
			x, y := 100+600*rng.Float64(), 200+400*rng.Float64()
			want, ok := whole.Height(x, y)
			got, has := s.Height(x, y)
			if ok != has || math.Abs(got-want) > 2 {
				t.Fatalf("height at (%.1f, %.1f): %.2f %v, want %.2f %v", x, y, got, has, want, ok)
			}
		}
	}
	if cut < 100 {
		t.Errorf("%d vertices on the border", cut)
	}
}

// TestInside compares the floor of windows with the whole floor in the same windows, away from borders.
func TestInside(t *testing.T) {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	agent := geom.Agent{Radius: 0.3}.WithDefaults()
	opt := floorplan.Options{KeepAll: true, Simplify: -1}
	whole, err := Extract(context.Background(), lvl, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	s, err := soup.Read(lvl, agent)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 2))
	halo := Halo(agent)
	for range 12 {
		low := lattice.Point{X: rng.Int32N(s.Size.X - 4096), Y: rng.Int32N(s.Size.Y - 4096)}
		w := lattice.Box{Min: low, Max: lattice.Point{X: low.X + 4096 + rng.Int32N(8192), Y: low.Y + 4096 + rng.Int32N(8192)}}
		var near []int32
		for i := range s.Triangles {
			v := &s.Triangles[i].V
			b := lattice.BoxOf(v[0].Point, v[1].Point, v[2].Point)
			if b.Min.X <= w.Max.X+halo && b.Max.X >= w.Min.X-halo && b.Min.Y <= w.Max.Y+halo && b.Max.Y >= w.Min.Y-halo {
				near = append(near, int32(i))
			}
		}
		part := s.Part(near)
		dx, dy := int32(part.Frame.East-s.Frame.East), int32(part.Frame.North-s.Frame.North)
		local := lattice.Box{Min: lattice.Point{X: w.Min.X - dx, Y: w.Min.Y - dy}, Max: lattice.Point{X: w.Max.X - dx, Y: w.Max.Y - dy}}
		p, err := Inside(context.Background(), part, agent, opt, local)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []lattice.Ring
		for l := range p.Layers {
			for _, d := range p.Layers[l].Domains {
				for _, ring := range d.Rings {
					moved := slices.Clone(ring)
					for i := range moved {
						moved[i].X, moved[i].Y = moved[i].X+dx, moved[i].Y+dy
						if !w.Contains(moved[i]) {
							t.Fatalf("%v is outside of the window %v", moved[i], w)
						}
					}
					got = append(got, moved)
				}
			}
		}
		for l := range whole.Layers {
			for _, d := range whole.Layers[l].Domains {
				want = append(want, d.Rings...)
			}
		}
		a, err := overlay.Arrange(got, want, []lattice.Ring{(&window{w}).ring()})
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range a.Polygons(func(v overlay.Winding) bool { return v[2] > 0 && (v[0] > 0) != (v[1] > 0) }) {
			if meanWidth(q) > floorReach {
				t.Errorf("window %v: %.4f m² differ around %v", w, lattice.SquareMetres(q.Area2()), q.Rings[0][0])
			}
		}
	}
	// No floor is no error.
	for _, w := range []lattice.Box{{Min: lattice.Point{X: -900, Y: -900}, Max: lattice.Point{X: -800, Y: -800}}, {Min: s.Size.Point, Max: s.Size.Point}} {
		if p, err := Inside(context.Background(), s, agent, opt, w); err != nil || len(p.Layers) != 0 {
			t.Errorf("window %v: %d layers, error %v", w, len(p.Layers), err)
		}
	}
}
