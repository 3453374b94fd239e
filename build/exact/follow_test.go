package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestSliversEndAtTheirCorners has rims that go on in the line of a sliver, beyond its sharp corner, turned by less than a thousandth.
// Sides moved out by a unit meet up to metres beyond the corner, but no rim sees the sliver there.
func TestSliversEndAtTheirCorners(t *testing.T) {
	sliver := [3]lattice.Vertex{{Z: 40}, {Point: lattice.Point{X: 7000, Y: 3872}, Z: 40}, {Point: lattice.Point{X: 3500, Y: 1937}, Z: 40}}
	p := prismOf(&sliver, 1)
	if p.sharp != 2 {
		t.Fatalf("%d corners of the sliver are sharp, want 2", p.sharp)
	}
	for turned := int32(-4); turned <= 4; turned++ {
		r := rim{a: sliver[1], b: lattice.Vertex{Point: lattice.Point{X: 14000, Y: 7744 + turned}, Z: 40}}
		s := r.sight()
		if f := s.see(7, &p, outward); f.in.from < f.in.to && f.in.to*s.length > 2*outward {
			t.Errorf("a rim turned by %d units sees the sliver along %v of its %.0f units", turned, f.in, s.length)
		}
	}
}

// TestProfile verifies place by place how a rim sees a floor. Places some units out are over or under the floor, and
// some height above the floor's plane.
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
		s, p := r.sight(), prismOf(&v, 1)
		for _, out := range []float64{-outward, 100} {
			f := s.see(7, &p, out)
			in := f.in
			if in.from < in.to && in.to-in.from < 1 {
				clipped++
			}
			for at := 0.0; at <= 1; at += 1.0 / 64 {
				here := point3{
					s.a.x + at*(s.b.x-s.a.x) + out*s.ox,
					s.a.y + at*(s.b.y-s.a.y) + out*s.oy,
					s.a.z + at*(s.b.z-s.a.z),
				}
				depth := min(p.sides[0].side(&here), p.sides[1].side(&here), p.sides[2].side(&here))
				for i := range p.sharp {
					depth = min(depth, p.bevels[i].side(&here))
				}
				if math.Abs(depth) > 1e-6 && (depth > 0) != (in.from <= at && at <= in.to) {
					t.Fatalf("seed %d, %g units out: the place at %g is %g units inside, but %v is over the floor", seed, out, at, depth, in)
				}
				if depth > 0 {
					inside++
				}
				if got, want := f.over.at(at, out), here.z-p.height(here.x, here.y); math.Abs(got-want) > 1e-6 {
					t.Fatalf("seed %d, %g units out: the place at %g is %g above the plane, want %g", seed, out, at, got, want)
				}
			}
		}
		// The band holds the places between the lower and the upper bound.
		low, high, out := -200.0, 100.0, 100.0
		f := s.see(7, &p, out)
		within, ok := f.in.band(&f.over, out, low, high)
		for at := f.in.from; at <= f.in.to; at += 1.0 / 64 {
			if h := f.over.at(at, out); min(h-low, high-h) > 1e-6 != (ok && within.from <= at && at <= within.to) && math.Abs(h-low) > 1e-6 && math.Abs(h-high) > 1e-6 {
				t.Fatalf("seed %d: the place at %g is %g above the plane, but %v, %v is from %g to %g", seed, at, h, within, ok, low, high)
			}
		}
	}
	if inside < 1000 || clipped < 50 {
		t.Errorf("only %d places are inside, and %d stretches parts of an edge", inside, clipped)
	}
}

// TestHiddenFloorsJoinNothing has a table over a part of a lower floor. A floor beside the table and a ramp through the lower
// floor have links to the lower floor only where the lower floor shows.
func TestHiddenFloorsJoinNothing(t *testing.T) {
	s := &floortest.Scene{}
	s.Floor(4, 0, 8, 8, 0.25) // the lower floor
	s.Floor(4, 0, 8, 4, 0.5)  // the table
	s.Floor(0, 0, 4, 6, 0)    // beside both
	s.Quad(geom.FromGround(5, 1, 0.15), geom.FromGround(6, 1, 0.35), geom.FromGround(6, 7, 0.35), geom.FromGround(5, 7, 0.15))
	read, err := soup.Read(&s.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e := newExtraction(read, floortest.Agent)
	if err := e.plant(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := e.expose(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := e.findRims(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	lower := int32(math.Round(0.25 * lattice.UnitsPerMetre))
	isLower := func(i int32) bool {
		v := &e.soup.Triangles[i].V
		return v[0].Z == lower && v[1].Z == lower && v[2].Z == lower
	}
	edge := int32(0) // of the table, in Y
	for i := range e.soup.Triangles {
		if v := &e.soup.Triangles[i].V; e.soup.Triangles[i].Walkable && v[0].Z == 2*lower && v[1].Z == 2*lower {
			edge = max(edge, v[0].Y, v[1].Y, v[2].Y)
		}
	}
	shown := map[bool]float64{} // the length of links to the lower floor, of edges and through it
	for l := range e.allLinks() {
		if isLower(l.from) == isLower(l.to) || l.a.Z == 2*lower {
			continue
		}
		if min(l.a.Y, l.b.Y) < edge-2*outward {
			t.Errorf("a link under the table, from %v to %v", l.a, l.b)
		}
		shown[l.a.Z == 0] += lattice.Unit * l.a.Distance(l.b.Point)
	}
	if math.Abs(shown[true]-2) > 0.01 || shown[false] < 3 {
		t.Errorf("links of %g m beside the lower floor and of %g m through it, want 2 m and 3 m", shown[true], shown[false])
	}
}

// TestDropsAcrossHairlines has two floors a hairline apart. Hairlines are filled, yet floors more than a step apart in height stay apart,
// and floors within a step are one.
func TestDropsAcrossHairlines(t *testing.T) {
	race.Skip(t)
	for _, degrees := range []float64{0, 23} {
		for _, radius := range []float64{0, 0.3} {
			agent := stepper
			agent.Radius, agent.MaxGap = radius, 0
			for width := 0; width <= 12; width++ {
				for _, drop := range []float64{0.2, 1} {
					s := turnedBy(degrees)
					s.slab(0, 0, 2, 2, 0)
					s.slab(2+float64(width)*lattice.Unit, 0, 4, 2, -drop)
					p := s.extract(t, agent)
					if drop > agent.MaxClimb && p.Components != 2 {
						t.Errorf("turned by %g°, radius %g: a drop of %g m across %d units is floor", degrees, radius, drop, width)
					}
					if drop < agent.MaxClimb && p.Components != 1 && width <= hairs-touching {
						t.Errorf("turned by %g°, radius %g: a step of %g m across %d units divides", degrees, radius, drop, width)
					}
				}
			}
		}
	}
}
