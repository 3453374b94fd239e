package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/lattice"
)

// TestProfile verifies place by place what a rim sees of a floor: where it is over or under it, and how high above its
// plane, some units out.
func TestProfile(t *testing.T) {
	inside, clipped := 0, 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(seed, 3))
		vertex := func(size int32) lattice.Vertex {
			return lattice.Vertex{Point: lattice.Point{X: rng.Int32N(size), Y: rng.Int32N(size)}, Z: rng.Int32N(500)}
		}
		v := [3]lattice.Vertex{vertex(4000), vertex(4000), vertex(4000)}
		r := rim{a: vertex(4000), b: vertex(4000)}
		if lattice.Orient(v[0].Point, v[1].Point, v[2].Point) < 10_000 || r.a.Point == r.b.Point {
			continue
		}
		s, p, out := r.sight(), prismOf(&v, 1), outs{-outward, 100}
		f := s.see(7, &p, &out)
		for k, in := range f.in {
			if in.from < in.to && in.to-in.from < 1 {
				clipped++
			}
			for at := 0.0; at <= 1; at += 1.0 / 64 {
				here := point3{
					s.a.x + at*(s.b.x-s.a.x) + out[k]*s.ox,
					s.a.y + at*(s.b.y-s.a.y) + out[k]*s.oy,
					s.a.z + at*(s.b.z-s.a.z),
				}
				depth := min(p.sides[0].side(&here), p.sides[1].side(&here), p.sides[2].side(&here))
				if math.Abs(depth) > 1e-6 && (depth > 0) != (in.from <= at && at <= in.to) {
					t.Fatalf("seed %d, %g units out: at %g it is %g units inside, and %v is over it", seed, out[k], at, depth, in)
				}
				if depth > 0 {
					inside++
				}
				if got, want := f.over.at(at, out[k]), here.z-p.height(here.x, here.y); math.Abs(got-want) > 1e-6 {
					t.Fatalf("seed %d, %g units out: at %g it is %g above the plane, want %g", seed, out[k], at, got, want)
				}
			}
		}
		// What is in a band is what is above its lower bound and beneath its upper one.
		low, high := -200.0, 100.0
		within, ok := f.in[1].band(&f.over, out[1], low, high)
		for at := f.in[1].from; at <= f.in[1].to; at += 1.0 / 64 {
			if h := f.over.at(at, out[1]); min(h-low, high-h) > 1e-6 != (ok && within.from <= at && at <= within.to) && math.Abs(h-low) > 1e-6 && math.Abs(h-high) > 1e-6 {
				t.Fatalf("seed %d: at %g it is %g above the plane, and %v, %v is from %g to %g", seed, at, h, within, ok, low, high)
			}
		}
	}
	if inside < 1000 || clipped < 50 {
		t.Errorf("only %d places are inside, and %d stretches parts of an edge", inside, clipped)
	}
}
