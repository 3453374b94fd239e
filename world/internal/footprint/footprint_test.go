package footprint_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

const metre = lattice.UnitsPerMetre

// walker is an agent of a radius, 1.8 m high, that climbs 0.4 m.
func walker(radius float64) geom.Agent {
	return geom.Agent{Radius: radius, Height: 1.8, MaxClimb: 0.4, MaxSlope: 0.8}
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// taken reports whether rings wind around a point; on is set on their edges.
func taken(rings []lattice.Ring, p lattice.Point) (in, on bool) {
	n := 0
	for _, r := range rings {
		switch r.Locate(p) {
		case lattice.OnBoundary:
			on = true
		case lattice.Inside:
			if r.Area2() > 0 {
				n++
			} else {
				n--
			}
		}
	}
	return n > 0, on
}

// gap returns the distance of a place and the nearest edge of rings.
func gap(rings []lattice.Ring, p lattice.Point) float64 {
	least := math.Inf(1)
	for _, r := range rings {
		for i, a := range r {
			least = min(least, lattice.SegmentDistance2(p, a, r[(i+1)%len(r)]).Sqrt())
		}
	}
	return least
}

// solid is a shape, and the solid that it was made from: a polygon seen from above, in metres east and north, and heights.
type solid struct {
	footprint.Shape
	plan        [][2]float64
	bottom, top float64
}

// randomPrism returns a box, a cylinder, or a prism over a star of any form, of a few metres around a place.
func randomPrism(t testing.TB, r *rand.Rand, frame lattice.Frame, at geom.Vec) solid {
	t.Helper()
	at = at.Add(geom.Vec{X: short(r.Float64()), Y: short(r.Float64() - 0.5), Z: short(r.Float64())})
	size := func() float64 { return short(math.Exp(r.Float64()*5 - 4)) }
	east, north := geom.Ground(at)
	s := solid{bottom: at.Y}
	switch r.IntN(3) {
	case 0:
		v, yaw := geom.Vec{X: size(), Y: size(), Z: size()}, r.Float64()*20-10
		s.Shape = must[footprint.Shape](t)(footprint.NewBox(frame, at, v, yaw))
		s.top = at.Y + v.Y
		sin, cos := math.Sincos(yaw)
		for _, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
			x, y := c[0]*v.X/2, c[1]*v.Z/2
			s.plan = append(s.plan, [2]float64{east + cos*x - sin*y, north + sin*x + cos*y})
		}
		return s
	case 1:
		radius, height := size(), size()
		s.Shape = must[footprint.Shape](t)(footprint.NewCylinder(frame, at, radius, height))
		s.top = at.Y + height
		for i := range 720 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 360)
			s.plan = append(s.plan, [2]float64{east + radius*cos, north + radius*sin})
		}
		return s
	}
	n := 3 + r.IntN(10)
	var outline []geom.Vec
	turn := 1.0
	if r.IntN(2) == 0 {
		turn = -1
	}
	for i := range n {
		far := 0.2 + 2*r.Float64()
		sin, cos := math.Sincos(turn * 2 * math.Pi * (float64(i) + 0.8*r.Float64()) / float64(n))
		v := at.Add(geom.Vec{X: short(far * cos), Y: r.Float64(), Z: short(far * sin)})
		outline = append(outline, v)
		s.plan = append(s.plan, [2]float64{v.X, -v.Z})
	}
	s.top = at.Y + size()
	s.Shape = must[footprint.Shape](t)(footprint.NewPrism(frame, outline, s.bottom, s.top))
	return s
}

// far returns the distance of a place from the plan of a solid, 0 inside, by samples of the border every centimetre.
func (s *solid) far(x, y float64) float64 {
	least, inside := math.Inf(1), false
	for i, a := range s.plan {
		b := s.plan[(i+1)%len(s.plan)]
		n := int(math.Hypot(b[0]-a[0], b[1]-a[1])/0.01) + 1
		for k := range n {
			u := float64(k) / float64(n)
			least = min(least, math.Hypot(a[0]+u*(b[0]-a[0])-x, a[1]+u*(b[1]-a[1])-y))
		}
		if (a[1] > y) != (b[1] > y) && x < a[0]+(y-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
			inside = !inside
		}
	}
	if inside {
		return 0
	}
	return least
}

// deep reports whether the places around a place, in four directions, are inside.
func (s *solid) deep(x, y, by float64) bool {
	return s.far(x+by, y) == 0 && s.far(x-by, y) == 0 && s.far(x, y+by) == 0 && s.far(x, y-by) == 0
}

// TestBlocksAgainstSampling compares the definition with samples of the solids, in metres.
func TestBlocksAgainstSampling(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(9, 10))
	blocked, free := 0, 0
	for range slow.Count(300, 20000) {
		s := randomPrism(t, r, lattice.Frame{}, geom.Vec{})
		a := geom.Agent{Radius: []float64{0, 0.3, 1}[r.IntN(3)], Height: 0.5 + r.Float64(), MaxClimb: r.Float64() / 3}
		f := must[*footprint.Footprint](t)(footprint.Obstacle(s.Shape, a))
		volume := must[*footprint.Footprint](t)(footprint.Volume(s.Shape))
		for _, p := range places(r, f.Box, 20) {
			h := s.bottom - a.Height - 0.2 + r.Float64()*(s.top-s.bottom+a.Height+0.4)
			d := s.far(float64(p.X)/metre, float64(p.Y)/metre)
			// Heights and corners are off by rounding, samples by their spacing.
			const off = 3.0 / metre
			over := min(h+a.Height-s.bottom, s.top-h-a.MaxClimb)
			got := f.Blocks(p, h*metre)
			deep := d == 0 && s.deep(float64(p.X)/metre, float64(p.Y)/metre, off)
			if got && (d > a.Radius+0.006+off || over < -off) || !got && (d < a.Radius-off || deep) && over > off {
				t.Fatalf("place %v at %.3f m, %.3f m from the solid, over %.3f m of the body: %t", p, h, d, over, got)
			}
			over = min(h-s.bottom, s.top-h)
			if got := volume.Blocks(p, h*metre); got && (d > 0.006+off || over < -off) || !got && deep && over > off {
				t.Fatalf("volume: place %v at %.3f m, %.3f m from the solid: %t", p, h, d, got)
			}
			if got {
				blocked++
			} else {
				free++
			}
		}
	}
	if blocked < 500 || free < 500 {
		t.Errorf("%d blocked places and %d free are too few", blocked, free)
	}
}

// short rounds a number to a few bits, which a translation keeps.
func short(x float64) float64 { return math.Floor(x*(1<<20)) / (1 << 20) }

// TestLevelAgainstBlocks compares outlines with the definition at random places of random solids.
func TestLevelAgainstBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	inside, outside := 0, 0
	for range slow.Count(300, 20000) {
		f := randomFootprint(t, r, randomPrism(t, r, lattice.Frame{}, geom.Vec{}).Shape)
		for range 3 {
			h := f.Low - 3 + r.Int32N(max(f.High-f.Low, 0)+7)
			rings, ok := f.Level(h, h)
			if !ok {
				t.Fatalf("the outline at one height is unknown")
			}
			for _, p := range places(r, f.Box, 40) {
				got, _ := taken(rings, p)
				want := f.Blocks(p, float64(h))
				if got == want {
					if got {
						inside++
					} else {
						outside++
					}
					continue
				}
				d := gap(rings, p)
				if got && d > f.Slack()+2 || want && d > 2 {
					t.Fatalf("place %v at %d: the outline says %t, the definition %t, %.1f units from the border", p, h, got, want, d)
				}
			}
		}
	}
	if inside < 1000 || outside < 1000 {
		t.Errorf("%d places inside and %d outside are too few", inside, outside)
	}
}

func randomFootprint(t testing.TB, r *rand.Rand, s footprint.Shape) *footprint.Footprint {
	t.Helper()
	if r.IntN(4) == 0 {
		return must[*footprint.Footprint](t)(footprint.Volume(s))
	}
	a := walker([]float64{0, 0.1, 0.4, 0.6, 2}[r.IntN(5)])
	return must[*footprint.Footprint](t)(footprint.Obstacle(s, a))
}

// places returns places in and around a box.
func places(r *rand.Rand, b lattice.Box, n int) []lattice.Point {
	if b.IsEmpty() {
		b = lattice.Box{}
	}
	w, h := b.Size()
	out := make([]lattice.Point, n)
	for i := range out {
		out[i] = lattice.Point{X: b.Min.X - 50 + r.Int32N(int32(w)+100), Y: b.Min.Y - 50 + r.Int32N(int32(h)+100)}
	}
	return out
}

// randomFloor returns triangles over a grid around a box with heights around the band of a footprint, and the height at a
// place.
func randomFloor(r *rand.Rand, f *footprint.Footprint) (floor [][3]lattice.Vertex, height func(lattice.Point) (float64, float64, bool)) {
	w, h := f.Box.Size()
	const n = 3
	var v [n + 1][n + 1]lattice.Vertex
	for i := range v {
		for k := range v[i] {
			v[i][k] = lattice.Vertex{
				Point: lattice.Point{
					X: f.Box.Min.X - 20 + int32(w+40)*int32(i)/n + r.Int32N(15), Y: f.Box.Min.Y - 20 + int32(h+40)*int32(k)/n + r.Int32N(15),
				},
				Z: f.Low - 300 + r.Int32N(f.High-f.Low+600),
			}
		}
	}
	for i := range n {
		for k := range n {
			floor = append(floor, [3]lattice.Vertex{v[i][k], v[i+1][k], v[i+1][k+1]}, [3]lattice.Vertex{v[i][k], v[i+1][k+1], v[i][k+1]})
		}
	}
	if r.IntN(2) == 0 {
		for i := range floor {
			floor[i][0], floor[i][1] = floor[i][1], floor[i][0]
		}
	}
	return floor, func(p lattice.Point) (float64, float64, bool) { return heightOn(floor, p) }
}

// floorOf makes triangles of either direction ready for footprints.
func floorOf(triangles [][3]lattice.Vertex) *footprint.Floor {
	var t lattice.TIN
	for _, c := range triangles {
		n := uint32(len(t.Vertices))
		t.Vertices = append(t.Vertices, c[0], c[1], c[2])
		switch o := lattice.Orient(c[0].Point, c[1].Point, c[2].Point); {
		case o > 0:
			t.Triangles = append(t.Triangles, [3]uint32{n, n + 1, n + 2})
		case o < 0:
			t.Triangles = append(t.Triangles, [3]uint32{n, n + 2, n + 1})
		}
	}
	return footprint.NewFloor(&t, lattice.NewSampler(&t))
}

// heightOn returns the height of a floor at a place and the rise of the triangle there per unit.
func heightOn(floor [][3]lattice.Vertex, p lattice.Point) (z, slope float64, ok bool) {
	for _, t := range floor {
		all := lattice.Orient(t[0].Point, t[1].Point, t[2].Point)
		if all == 0 {
			continue
		}
		share := func(a, b lattice.Point) float64 { return float64(lattice.Orient(a, b, p)) / float64(all) }
		a, b, c := share(t[1].Point, t[2].Point), share(t[2].Point, t[0].Point), share(t[0].Point, t[1].Point)
		if a >= 0 && b >= 0 && c >= 0 {
			z := a*float64(t[0].Z) + b*float64(t[1].Z) + c*float64(t[2].Z)
			ux, uy := t[1].Sub(t[0].Point)
			wx, wy := t[2].Sub(t[0].Point)
			uz, wz := float64(t[1].Z-t[0].Z), float64(t[2].Z-t[0].Z)
			gx := (uz*float64(wy) - wz*float64(uy)) / float64(all)
			gy := (wz*float64(ux) - uz*float64(wx)) / float64(all)
			return z, math.Hypot(gx, gy), true
		}
	}
	return 0, 0, false
}

// TestUnevenAgainstBlocks compares outlines on floors of random triangles with the definition.
func TestUnevenAgainstBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	inside, outside := 0, 0
	for range slow.Count(300, 20000) {
		f := randomFootprint(t, r, randomPrism(t, r, lattice.Frame{}, geom.Vec{}).Shape)
		if f.Box.IsEmpty() {
			continue
		}
		floor, height := randomFloor(r, f)
		rings := f.Uneven(floorOf(floor))
		for _, p := range places(r, f.Box, 60) {
			z, slope, ok := height(p)
			if !ok {
				continue
			}
			got, _ := taken(rings, p)
			want := f.Blocks(p, z)
			if got == want {
				if got {
					inside++
				} else {
					outside++
				}
				continue
			}
			d := gap(rings, p)
			// The height lines are exact but for rounding of their ends.
			if got && d > f.Slack()+2 || want && d > 2 && min(z-float64(f.Low), float64(f.High)-z) > 2*slope+1 {
				t.Fatalf("place %v at %g: the outline says %t, the definition %t, %.1f units from the border", p, z, got, want, d)
			}
		}
	}
	if inside < 1000 || outside < 1000 {
		t.Errorf("%d places inside and %d outside are too few", inside, outside)
	}
}

// TestLevelRange asks for ranges of heights: a range across an end of the band has no outline, any other has that of its
// heights.
func TestLevelRange(t *testing.T) {
	s := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{Y: 1}, geom.Vec{X: 1, Y: 2, Z: 1}, 0))
	f := must[*footprint.Footprint](t)(footprint.Obstacle(s, geom.Agent{Radius: 0.5, Height: 2, MaxClimb: 0.5}))
	if f.Low != -metre || f.High != 3*metre-metre/2 {
		t.Fatalf("the band is %d to %d", f.Low, f.High)
	}
	for _, c := range []struct {
		low, high int32
		n         int
		ok        bool
	}{
		{-2 * metre, -metre, 0, true},
		{-2 * metre, -metre + 1, 0, false},
		{-metre + 1, -metre + 1, 1, true},
		{-metre, -metre + 1, 0, false},
		{0, 2 * metre, 1, true},
		{2 * metre, 3*metre - metre/2, 0, false},
		{3*metre - metre/2, 4 * metre, 0, true},
	} {
		if rings, ok := f.Level(c.low, c.high); len(rings) != c.n || ok != c.ok {
			t.Errorf("heights %d to %d: %d rings, %t; want %d, %t", c.low, c.high, len(rings), ok, c.n, c.ok)
		}
	}
}

// TestCorners counts the corners of outlines, which later overlays pay for.
func TestCorners(t *testing.T) {
	for _, c := range []struct {
		shape  func() (footprint.Shape, error)
		radius float64
		want   int
	}{
		{func() (footprint.Shape, error) { return footprint.NewCylinder(lattice.Frame{}, geom.Vec{}, 1, 1) }, 0.6, 10},
		{func() (footprint.Shape, error) { return footprint.NewCylinder(lattice.Frame{}, geom.Vec{}, 1, 1) }, 0.4, 10},
		{func() (footprint.Shape, error) { return footprint.NewCylinder(lattice.Frame{}, geom.Vec{}, 0.3, 1) }, 0, 6},
		{func() (footprint.Shape, error) { return footprint.NewCylinder(lattice.Frame{}, geom.Vec{}, 5, 1) }, 0.6, 17},
		{func() (footprint.Shape, error) {
			return footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1}, 0.3)
		}, 0.6, 8},
		{func() (footprint.Shape, error) {
			return footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1}, 0.3)
		}, 0, 4},
		// A wall without thickness, and a wire.
		{func() (footprint.Shape, error) {
			return footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1e-5}, 0)
		}, 0.6, 8},
		{func() (footprint.Shape, error) {
			return footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1e-5, Y: 1, Z: 1e-5}, 0)
		}, 0.6, 8},
		{func() (footprint.Shape, error) {
			return footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1e-5}, 0)
		}, 0, 0},
	} {
		f := must[*footprint.Footprint](t)(footprint.Obstacle(must[footprint.Shape](t)(c.shape()), walker(c.radius)))
		rings, ok := f.Level(0, 0)
		n := 0
		for _, ring := range rings {
			n += len(ring)
		}
		if n != c.want || !ok {
			t.Errorf("radius %g: %d corners, want %d", c.radius, n, c.want)
		}
	}
}

// TestTouchingIsFree puts boxes exactly as high as the climb, or exactly as far up as the agent is high, on floors of all
// roundings.
func TestTouchingIsFree(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		a := geom.Agent{Radius: 0.3, Height: 0.5 + 2*r.Float64(), MaxClimb: 0.01 + 0.4*r.Float64(), MaxSlope: 0.8}
		at := r.Float64() * 3
		h := int32(math.Floor(at*metre + 0.5))
		for _, c := range []struct{ bottom, top float64 }{{at - 1, at + a.MaxClimb}, {at + a.Height, at + a.Height + 1}} {
			for _, more := range []float64{0, 3.0 / metre} {
				bottom, top := c.bottom-more, c.top+more
				f := must[*footprint.Footprint](t)(footprint.Obstacle(must[footprint.Shape](t)(
					footprint.NewPrism(lattice.Frame{}, []geom.Vec{{X: 1}, {Z: 1}, {X: -1}}, bottom, top)), a))
				rings, ok := f.Level(h, h)
				if !ok || (len(rings) > 0) != (more > 0) {
					t.Fatalf("floor at %g, agent %g to %g, solid %g to %g: %d rings", at, a.MaxClimb, a.Height, bottom, top, len(rings))
				}
			}
		}
	}
}

// TestFramesDoNotMatter moves solids with their frame, and makes them twice.
func TestFramesDoNotMatter(t *testing.T) {
	for seed := range uint64(200) {
		var first [][]lattice.Ring
		for _, frame := range []lattice.Frame{{}, {}, {East: 77 << 20, North: -3 << 24, Up: 5 << 12}} {
			r := rand.New(rand.NewPCG(seed, 8))
			by := geom.FromGround(float64(frame.East)*lattice.Unit, float64(frame.North)*lattice.Unit, float64(frame.Up)*lattice.Unit)
			f := must[*footprint.Footprint](t)(footprint.Obstacle(randomPrism(t, r, frame, by).Shape, walker(0.4)))
			rings, ok := f.Level(f.Low+1, f.High-1)
			if !ok {
				t.Fatal("no outline within the band")
			}
			first = append(first, rings)
		}
		for _, rings := range first[1:] {
			if !slices.EqualFunc(rings, first[0], slices.Equal[lattice.Ring]) {
				t.Fatalf("seed %d: %v and %v", seed, first[0], rings)
			}
		}
	}
}

func BenchmarkObstacle(b *testing.B) {
	box := must[footprint.Shape](b)(footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1}, 0.3))
	cylinder := must[footprint.Shape](b)(footprint.NewCylinder(lattice.Frame{}, geom.Vec{}, 1, 1))
	for _, c := range []struct {
		name  string
		shape footprint.Shape
	}{{"box", box}, {"cylinder", cylinder}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				f, err := footprint.Obstacle(c.shape, walker(0.6))
				if err != nil || f.Box.IsEmpty() {
					b.Fatal(fmt.Errorf("no footprint: %w", err))
				}
			}
		})
	}
}

// BenchmarkMesh makes the outlines of the mesh of a crate, and asks again.
func BenchmarkMesh(b *testing.B) {
	m := boxMesh(geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1})
	b.Run("crate", func(b *testing.B) {
		for b.Loop() {
			f := must[*footprint.Footprint](b)(footprint.Obstacle(m.shape(b), walker(0.6)))
			if rings, ok := f.Level(0, 0); !ok || len(rings) != 1 {
				b.Fatal(rings)
			}
		}
	})
	f := must[*footprint.Footprint](b)(footprint.Obstacle(m.shape(b), walker(0.6)))
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if rings, ok := f.Level(0, 0); !ok || len(rings) != 1 {
				b.Fatal(rings)
			}
		}
	})
}
