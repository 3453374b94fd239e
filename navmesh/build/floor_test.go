package build

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/lattice"
)

// TestOver verifies that a floor answers at its places as one with all triangles does: on them, at their corners,
// beside them and far away, with triangles of all sizes.
func TestOver(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const across, step = 60, 3000
	tin := &lattice.TIN{}
	for y := range int32(across) {
		for x := range int32(across) {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: lattice.Point{X: x*step - 90000, Y: y*step - 90000}, Z: rng.Int32N(4000)})
		}
	}
	for y := range uint32(across - 1) {
		for x := range uint32(across - 1) {
			a := y*across + x
			tin.Triangles = append(tin.Triangles, [3]uint32{a, a + 1, a + across}, [3]uint32{a + 1, a + across + 1, a + across})
		}
	}
	// A large one, and two that every sampler leaves out.
	tin.Triangles = append(tin.Triangles, [3]uint32{0, across - 1, across * (across - 1)}, [3]uint32{0, 1, across * across}, [3]uint32{0, across, 1})
	var places []lattice.Point
	for range 100 {
		places = append(places, lattice.Point{X: rng.Int32N(200000) - 100000, Y: rng.Int32N(200000) - 100000},
			tin.Vertices[rng.IntN(len(tin.Vertices))].Point)
	}
	part := over(tin, places)
	if len(part.Triangles) > len(tin.Triangles)/2 {
		t.Errorf("%d of %d triangles are over %d places", len(part.Triangles), len(tin.Triangles), len(places))
	}
	f := newFloor(tin, places)
	whole := floor{at: lattice.NewSampler(tin), all: f.all}
	found := 0
	for _, p := range places {
		piece := []lattice.Point{p, {X: p.X + rng.Int32N(2000) - 1000, Y: p.Y + 1500}, {X: p.X - 1500, Y: p.Y - rng.Int32N(1000)}}
		within := bounds{float64(rng.Int32N(2000)), float64(2000 + rng.Int32N(2000))}
		got, ok := f.height(p, piece, within)
		want, known := whole.height(p, piece, within)
		if got != want || ok != known {
			t.Fatalf("at %v: height %d, %v, of all triangles %d, %v", p, got, ok, want, known)
		}
		if ok {
			found++
		}
	}
	if found < 50 {
		t.Errorf("only %d of %d places have a height", found, len(places))
	}
}
