package exact

import (
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/level"
)

// TestLeftOut verifies that triangles left out do not matter. The eroded floors and the claims of crossings are the
// same without these triangles, up to the chords around corners.
func TestLeftOut(t *testing.T) {
	race.Skip(t)
	left := 0
	for seed := range uint64(12) {
		s := floortest.RandomScene(seed, 20, 25)
		if seed%3 == 2 { // small triangles, too
			quarter(&s.Level)
			quarter(&s.Level)
		}
		read, err := soup.Read(&s.Level, floortest.Agent)
		if err != nil {
			t.Fatal(err)
		}
		// Two equal extractions: the first finds all obstacles, the second only obstacles that matter.
		whole, e := layered(t, read, floortest.Agent), layered(t, read, floortest.Agent)
		whole.left, whole.looked = make([]bool, len(e.layer)), make([]int32, len(e.layer))
		if err := whole.block(t.Context(), 1, make([]bool, len(e.layer))); err != nil {
			t.Fatal(err)
		}
		if err := whole.complete(t.Context(), 1, everything); err != nil {
			t.Fatal(err)
		}
		if err := e.leaveOut(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		want, got := freeOf(t, whole), freeOf(t, e)
		for i := range e.left {
			if e.left[i] {
				left++
			}
		}
		for k := range want {
			for _, pair := range [2][2][]lattice.Ring{{want[k], got[k]}, {got[k], want[k]}} {
				differ, err := overlay.Difference(pair[0], pair[1])
				if err != nil {
					t.Fatal(err)
				}
				differ, err = overlay.Offset{Distance: -e.arcs / 2, Join: overlay.Mitre}.Polygons(differ)
				if err != nil {
					t.Fatal(err)
				}
				if len(differ) > 0 {
					t.Errorf("seed %d, floor %d: differ around %v", seed, k, differ[0].Rings[0])
				}
			}
		}
	}
	if left < 40 {
		t.Errorf("only %d triangles are left out", left)
	}
}

// layered extracts as far as layers.
func layered(t *testing.T, s *soup.Soup, agent geom.Agent) *extraction {
	t.Helper()
	e := newExtraction(s, agent)
	if err := e.plant(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if err := e.findLayers(t.Context(), 2, func(int, string) {}); err != nil {
		t.Fatal(err)
	}
	return e
}

// freeOf returns, by layer, the eroded floors and the claims of crossings.
func freeOf(t *testing.T, e *extraction) [][]lattice.Ring {
	t.Helper()
	floors, claims, err := e.erode(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]lattice.Ring
	for l := range floors {
		out = append(out, ringsOf(floors[l].free), claims[l].free)
	}
	return out
}

// quarter divides all triangles of a level at the middles of their sides.
func quarter(lvl *level.Level) {
	type side struct{ a, b uint32 }
	middles := map[side]uint32{}
	middle := func(a, b uint32) uint32 {
		at := side{min(a, b), max(a, b)}
		m, ok := middles[at]
		if !ok {
			p, q := lvl.Vertices[a], lvl.Vertices[b]
			m = uint32(len(lvl.Vertices))
			lvl.Vertices = append(lvl.Vertices, geom.Vec{X: (p.X + q.X) / 2, Y: (p.Y + q.Y) / 2, Z: (p.Z + q.Z) / 2})
			middles[at] = m
		}
		return m
	}
	var out []level.Triangle
	for _, t := range lvl.Triangles {
		ab, bc, ca := middle(t.A, t.B), middle(t.B, t.C), middle(t.C, t.A)
		for _, c := range [4][3]uint32{{t.A, ab, ca}, {ab, t.B, bc}, {ca, bc, t.C}, {ab, bc, ca}} {
			t.A, t.B, t.C = c[0], c[1], c[2]
			out = append(out, t)
		}
	}
	lvl.Triangles = out
}

// TestAllNear verifies that a triangle is near to bars together, unless a place of the triangle is near to none.
func TestAllNear(t *testing.T) {
	triangle := [3]point3{{0, 0, 0}, {10, 0, 0}, {0, 10, 0}}
	bars := []bar{barOf(lattice.Point{X: -5, Y: 0}, lattice.Point{X: 15, Y: 0}), barOf(lattice.Point{X: 0, Y: 5}, lattice.Point{X: 0, Y: 20})}
	for _, c := range []struct {
		bars   []bar
		radius float64
		near   bool
	}{{bars, 6, true}, {bars, 4, false}, {bars[:1], 9, false}, {bars[:1], 11, true}, {bars[1:], 9, false}, {nil, 100, false}} {
		if got := allNear(&triangle, c.bars, c.radius*c.radius, 4); got != c.near {
			t.Errorf("%d bars, radius %g: near is %v", len(c.bars), c.radius, got)
		}
	}
}

// TestNeedlesDivide hangs a floor of a millimetre and a half over a floor, too low to walk under. No agent stands on
// the needle, and no agent comes nearer to the needle than the radius.
func TestNeedlesDivide(t *testing.T) {
	const width = 6 * lattice.Unit
	at := geom.FromGround
	s := &floortest.Scene{}
	s.Quad(at(0, 0, 0), at(8, 0, 0), at(8, 8, 0), at(0, 8, 0))
	s.Quad(at(2, 4, 1.2), at(6, 4, 1.2), at(6, 4+width, 1.2), at(2, 4+width, 1.2))
	agent := floortest.Agent
	agent.Radius = 0.1
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	inside := floortest.Inside(p)
	for x := 2.05; x < 6; x += 0.1 {
		for _, y := range []float64{-0.095, 0, 0.095} {
			if inside(at(x, 4+y, 0), 4) {
				t.Errorf("floor at x = %.2f m, %g m beside the needle", x, y)
			}
		}
		for _, y := range []float64{-0.105, 0.105} {
			if !inside(at(x, 4+width/2+y, 0), 4) {
				t.Errorf("no floor at x = %.2f m, %g m beside the needle", x, y)
			}
		}
	}
}
