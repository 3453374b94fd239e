package exact

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// plainCut is [piece.cut], corner by corner.
func plainCut(p piece, h *halfspace) piece {
	var out piece
	add := func(v point3) {
		if out.n < len(out.v) {
			out.v[out.n] = v
			out.n++
		}
	}
	for i := range p.n {
		a, b := &p.v[(i+p.n-1)%p.n], &p.v[i]
		d, e := h.side(a), h.side(b)
		if (d < 0) != (e < 0) {
			t := d / (d - e)
			add(point3{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y)), a.z + float64(t*(b.z-a.z))})
		}
		if e >= 0 {
			add(*b)
		}
	}
	return out
}

// TestCut compares cuts of random polygons with plain cuts: the corners are the same, in the same order, also where rounding has
// made a polygon concave, and where a polygon is full.
func TestCut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	concave, full := 0, 0
	for range 20000 {
		var p piece
		p.n = 3 + rng.IntN(len(p.v)-2)
		start := 2 * math.Pi * rng.Float64()
		rough := float64(rng.IntN(3)) // a convex polygon, a nearly convex one, a star
		for i := range p.n {
			turn, r := start+2*math.Pi*float64(i)/float64(p.n), 1000*(1-rough*0.3*rng.Float64())
			p.v[i] = point3{math.Round(r * math.Cos(turn)), math.Round(r * math.Sin(turn)), rng.Float64() * 100}
		}
		for p.n > 0 {
			turn := 2 * math.Pi * rng.Float64()
			h := halfspace{from: point3{float64(rng.IntN(200)), 0, 0}, a: math.Cos(turn), b: math.Sin(turn), d: -900 * rng.Float64()}
			if rng.IntN(4) == 0 {
				v := p.v[rng.IntN(p.n)] // through a corner
				h.from, h.d = v, 0
			}
			want, signs := plainCut(p, &h), 0
			for i := range p.n {
				if (h.side(&p.v[i]) < 0) != (h.side(&p.v[(i+1)%p.n]) < 0) {
					signs++
				}
			}
			if signs > 2 {
				concave++
			}
			if signs > 0 && p.n == len(p.v) {
				full++
			}
			got := p
			got.cut(&h)
			if got.n != want.n {
				t.Fatalf("%d corners, want %d", got.n, want.n)
			}
			for i := range got.n {
				if got.v[i] != want.v[i] {
					t.Fatalf("corner %d of %d is %v, want %v", i, got.n, got.v[i], want.v[i])
				}
			}
			if rng.IntN(4) == 0 {
				break
			}
			p = got
		}
	}
	if concave < 100 || full < 100 {
		t.Errorf("%d cuts of concave polygons and %d of full ones, too few", concave, full)
	}
}

// TestPrismOfSplinter moves the sides of triangles with one and with two sharp corners out. A face far beyond a sharp corner is not over
// the triangle, and a face beside the corner is.
func TestPrismOfSplinter(t *testing.T) {
	vertex := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	for _, v := range [][3]lattice.Vertex{
		{vertex(0, 0, 2458), vertex(8, 0, 0), vertex(0, 24560, 2458)},
		{vertex(-20000, 0, 0), vertex(20000, 0, 0), vertex(0, 8, 0)},
		{vertex(30000, 30000, 0), vertex(0, 10, 0), vertex(0, 0, 0)},
	} {
		p := prismOf(&v, 1)
		for i, at := range v {
			before, after := v[(i+2)%3], v[(i+1)%3]
			dx, dy := float64(2*at.X-before.X-after.X), float64(2*at.Y-before.Y-after.Y)
			length := math.Hypot(dx, dy)
			for _, beyond := range []float64{0.5, 12} {
				place := point3{float64(at.X) + beyond*dx/length, float64(at.Y) + beyond*dy/length, 0}
				if got, want := p.holds(&place), beyond < 1; got != want {
					t.Errorf("triangle %v: %g units beyond %v: over the triangle: %t, want %t", v, beyond, at, got, want)
				}
				x, y := int32(math.Round(place.x)), int32(math.Round(place.y))
				var q piece
				face := []lattice.Vertex{vertex(x, y, 9000), vertex(x+1, y, 9000), vertex(x, y+1, 9000)}
				if over := p.part(face, &q); over && beyond > 1 {
					t.Errorf("triangle %v: a face %g units beyond %v is over the triangle", v, beyond, at)
				}
			}
		}
	}
}
