package brep

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/internal/solid"
	"github.com/meadow-nav/meadow/level"
)

// loft adds a closed body of rings over each other, with flat ends around their middles.
func loft(s *floortest.Scene, rings [][]geom.Vec) {
	n := uint32(len(s.Vertices))
	sides := uint32(len(rings[0]))
	for _, r := range rings {
		s.Vertices = append(s.Vertices, r...)
	}
	add := func(a, b, c uint32) {
		s.Triangles = append(s.Triangles, level.Triangle{A: n + a, B: n + b, C: n + c, Material: level.NoMaterial})
	}
	last := uint32(len(rings)-1) * sides
	for i := range sides {
		j := (i + 1) % sides
		for k := uint32(0); k < last; k += sides {
			add(k+i, k+j, k+sides+j)
			add(k+i, k+sides+j, k+sides+i)
		}
	}
	middle := func(r []geom.Vec) uint32 {
		var sum geom.Vec
		for _, v := range r {
			sum = sum.Add(v)
		}
		s.Vertices = append(s.Vertices, sum.Scale(1/float64(len(r))))
		return uint32(len(s.Vertices)) - 1 - n
	}
	low, high := middle(rings[0]), middle(rings[len(rings)-1])
	for i := range sides {
		j := (i + 1) % sides
		add(low, j, i)
		add(high, last+i, last+j)
	}
}

// ring returns corners around a place, at radii that r gives in turn.
func ring(sides int, x, y, h float64, radius func(i int) float64) []geom.Vec {
	var out []geom.Vec
	for i := range sides {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(sides))
		out = append(out, geom.FromGround(x+float64(cos*radius(i)), y+float64(sin*radius(i)), h))
	}
	return out
}

// bodies that are not convex: a star, an hourglass, a boulder of random radii, a cup, each once outwards and once inwards.
func bodies(seed uint64) map[string]*floortest.Scene {
	r := rand.New(rand.NewPCG(seed, 20))
	same := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	star := func(i int) float64 { return 1 + float64(i%2) }
	random := func(int) float64 { return 1 + r.Float64() }
	rings := map[string][][]geom.Vec{
		"star":      {ring(10, 0, 0, 0, star), ring(10, 0, 0, 1, star)},
		"turned":    {ring(10, 0, 0, 0, star), ring(10, 0.2, 0.1, 1, func(i int) float64 { return star(i) / 2 })},
		"hourglass": {ring(8, 0, 0, 0, same(2)), ring(8, 0, 0, 1, same(1)), ring(8, 0, 0, 2, same(2))},
		"boulder":   {ring(9, 0, 0, 0, random), ring(9, 0, 0, 0.7, random), ring(9, 0, 0, 1.5, random)},
		"cup":       {ring(12, 0, 0, 0, same(2)), ring(12, 0, 0, 2, same(2)), ring(12, 0, 0, 2, same(1.5)), ring(12, 0, 0, 0.5, same(1.5))},
	}
	out := make(map[string]*floortest.Scene)
	for name, list := range rings {
		for _, inwards := range []bool{false, true} {
			s := &floortest.Scene{Level: level.Level{Name: name}}
			loft(s, list)
			if inwards {
				name += " inwards"
				for i, tri := range s.Triangles {
					s.Triangles[i].B, s.Triangles[i].C = tri.C, tri.B
				}
				s.Name = name
			}
			out[name] = s
		}
	}
	return out
}

// recognised returns the solids of a scene, and their recogniser.
func recognised(t *testing.T, s *floortest.Scene) (*recogniser, []solid.Solid) {
	t.Helper()
	frame, err := frameOf(&s.Level)
	if err != nil {
		t.Fatal(err)
	}
	r := newRecogniser(&s.Level, frame, DefaultTolerance)
	shapes, err := r.all(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []solid.Solid
	space := solid.NewSpace()
	for _, sh := range shapes {
		var ids []int32
		for _, p := range sh.planes {
			ids = append(ids, space.Add(p))
		}
		found, err := space.Solid(ids)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		out = append(out, found)
	}
	return r, out
}

// The solids of a body have the body's volume, and hold the places that are in the body, each place once. The judge counts
// the triangles over a place, as decompose does not.
func TestDecompose(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 3)) {
		for name, s := range bodies(seed) {
			r, parts := recognised(t, s)
			if len(parts) < 2 {
				t.Errorf("%s: %d solids", name, len(parts))
			}
			g := make([]int, len(s.Triangles))
			for i := range g {
				g[i] = i
			}
			sum := 0.0
			for i := range parts {
				sum += parts[i].Volume()
			}
			if want := r.volume(g) / 6; math.Abs(sum/want-1) > 2e-3 {
				t.Errorf("%s: solids of %.4f of the volume", name, sum/want)
			}
			space := rand.New(rand.NewPCG(seed, 21))
			box := solid.EmptyBox()
			for _, v := range r.at {
				box = box.Union(solid.Box{Low: v, High: v})
			}
			near := 4 * r.tolerance
			for range 300 {
				var at [3]float64
				for k := range at {
					at[k] = box.Low[k] + float64(space.Float64()*(box.High[k]-box.Low[k]))
				}
				in, border := 0, false
				for i := range parts {
					depth := math.Inf(1)
					for _, f := range parts[i].Faces {
						depth = min(depth, -planeAbove(f, at))
					}
					border = border || math.Abs(depth) < near
					if depth > 0 {
						in++
					}
				}
				if want := r.crossings(g, at); !border && in != want {
					t.Fatalf("%s: %v is in %d solids, want %d", name, at, in, want)
				}
			}
		}
	}
}

// planeAbove returns how far a place is in front of a face.
func planeAbove(f solid.Polygon, at [3]float64) float64 {
	c := f.Corners
	var n [3]float64
	for k := 2; k < len(c); k++ {
		m := cross(sub(c[k-1].At, c[0].At), sub(c[k].At, c[0].At))
		for a := range n {
			n[a] += m[a]
		}
	}
	return dot(n, sub(at, c[0].At)) / math.Sqrt(dot(n, n))
}

// crossings returns 1 for a place in the body and 0 outside: an odd number of triangles is over the place, or an even one.
func (r *recogniser) crossings(g []int, at [3]float64) int {
	n := 0
	for _, t := range g {
		c := r.corners(t)
		p := [3][3]float64{r.at[c[0]], r.at[c[1]], r.at[c[2]]}
		side := func(a, b [3]float64) float64 {
			return float64((b[0]-a[0])*(at[1]-a[1])) - float64((b[1]-a[1])*(at[0]-a[0]))
		}
		x, y, z := side(p[0], p[1]), side(p[1], p[2]), side(p[2], p[0])
		if !(x > 0 && y > 0 && z > 0 || x < 0 && y < 0 && z < 0) {
			continue
		}
		w := x + y + z
		if (float64(y*p[0][2])+float64(z*p[1][2])+float64(x*p[2][2]))/w > at[2] {
			n++
		}
	}
	return n % 2
}

// A corner may be off by the tolerance, and no farther: a dented box is one solid, a more dented box is several.
func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		dent float64
		want bool // one solid
	}{{0, true}, {0.5 * DefaultTolerance, true}, {3 * DefaultTolerance, false}} {
		s := &floortest.Scene{Level: level.Level{Name: "dented"}}
		s.Box(0, 0, 0, 2, 2, 2)
		for i, v := range s.Vertices {
			if (v == geom.Vec{X: 2, Y: 2}) {
				s.Vertices[i] = v.Add(geom.Vec{X: -c.dent, Y: -c.dent, Z: -c.dent})
			}
		}
		if _, parts := recognised(t, s); (len(parts) == 1) != c.want {
			t.Errorf("a dent of %g m: %d solids", c.dent, len(parts))
		}
		if _, err := (Extractor{Tolerance: 1e-4}).Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{}); err != nil {
			t.Error(err)
		}
	}
	s := &floortest.Scene{}
	s.Box(0, 0, 0, 2, 2, 2)
	for _, bad := range []float64{-1, 2, math.NaN()} {
		_, err := Extractor{Tolerance: bad}.Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
		if err == nil || !strings.Contains(err.Error(), "tolerance") {
			t.Errorf("tolerance %g: %v", bad, err)
		}
	}
}

// Repeated triangles and triangles without area close a body; a missing triangle does not.
func TestSpareTriangles(t *testing.T) {
	twice := &floortest.Scene{Level: level.Level{Name: "twice"}}
	twice.Box(0, 0, 0, 4, 4, 1)
	twice.Box(0, 4, 0, 4, 8, 1)
	twice.Box(0, 0, 0, 4, 4, 2) // shares its bottom with the first
	if _, parts := recognised(t, twice); len(parts) != 3 {
		t.Errorf("%d solids, want 3", len(parts))
	}
	sliver := &floortest.Scene{Level: level.Level{Name: "sliver"}}
	sliver.Box(0, 0, 0, 4, 4, 1)
	// A corner in the middle of an edge, with a sliver where the other face does not know the corner.
	tri := sliver.Triangles[0]
	n := uint32(len(sliver.Vertices))
	a, b := sliver.Vertices[tri.A], sliver.Vertices[tri.B]
	sliver.Vertices = append(sliver.Vertices, a.Add(b).Scale(0.5))
	sliver.Triangles[0] = level.Triangle{A: tri.A, B: n, C: tri.C, Material: tri.Material}
	sliver.Triangles = append(sliver.Triangles, level.Triangle{A: n, B: tri.B, C: tri.C, Material: tri.Material})
	if _, err := Extract(t.Context(), &sliver.Level, floortest.Agent, floorplan.Options{}); err == nil || !strings.Contains(err.Error(), "has an edge") {
		t.Errorf("without the sliver: %v", err)
	}
	sliver.Triangles = append(sliver.Triangles, level.Triangle{A: tri.A, B: tri.B, C: n, Material: tri.Material})
	if _, parts := recognised(t, sliver); len(parts) != 1 {
		t.Errorf("%d solids with the sliver, want 1", len(parts))
	}
}

// A closed body of many triangles is an error, and a body that falls into too many solids as well.
func TestDecomposeIsBounded(t *testing.T) {
	big := &floortest.Scene{Level: level.Level{Name: "big"}}
	same := func(v float64) func(int) float64 { return func(int) float64 { return v } }
	loft(big, [][]geom.Vec{ring(1024, 0, 0, 0, same(100)), ring(1024, 0, 0, 1, same(50)), ring(1024, 0, 0, 2, same(100))})
	_, err := Extract(t.Context(), &big.Level, floortest.Agent, floorplan.Options{})
	if err == nil || !strings.Contains(err.Error(), "6144 triangles that is not convex, more than 4096") {
		t.Errorf("got %v", err)
	}
	// Thin fins across each other, joined nowhere: every plane of one cuts all others.
	comb := &floortest.Scene{Level: level.Level{Name: "comb"}}
	const fins = 40
	wave := func(i int) float64 { return 10 + 3*float64(i%2) }
	loft(comb, [][]geom.Vec{ring(fins, 0, 0, 0, wave), ring(fins, 0, 0, 10, func(i int) float64 { return wave(i + 1) }), ring(fins, 0, 0, 20, wave)})
	if r, parts := recognised(t, comb); len(parts) < fins || len(parts) > mostCells*len(r.tris) {
		t.Errorf("%d solids of %d triangles", len(parts), len(r.tris))
	}
}
