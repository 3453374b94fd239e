package footprint_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// at returns the lattice point and height of a place in metres.
func at(x, y, z float64) (lattice.Point, float64) {
	p, h, _ := lattice.Frame{}.FromWorld(geom.Vec{X: x, Y: y, Z: z})
	return p, float64(h)
}

// agrees checks that the definition and the outline at one height both say whether a place is taken.
func agrees(t *testing.T, name string, f *footprint.Footprint, x, y, z float64, want bool) {
	t.Helper()
	p, h := at(x, y, z)
	rings, ok := f.Level(int32(h), int32(h))
	in, _ := taken(rings, p)
	flat := [3]lattice.Vertex{
		{Point: lattice.Point{X: p.X - 9, Y: p.Y - 9}, Z: int32(h)},
		{Point: lattice.Point{X: p.X + 30, Y: p.Y - 9}, Z: int32(h)},
		{Point: lattice.Point{X: p.X - 9, Y: p.Y + 30}, Z: int32(h)},
	}
	on, _ := taken(f.Uneven(floorOf([][3]lattice.Vertex{flat})), p)
	if b := f.Blocks(p, h); b != want || !ok || in != want || on != want {
		t.Errorf("%s: (%g, %g, %g) is blocked %t, inside the outline %t, on a floor %t; want %t", name, x, y, z, b, in, on, want)
	}
}

// TestTable: an agent that is lower than the table passes beneath, between the legs; one that is higher does not.
func TestTable(t *testing.T) {
	m := boxMesh(geom.Vec{X: -2, Y: 1, Z: -1}, geom.Vec{X: 2, Y: 1.1, Z: 1})
	for _, x := range []float64{-1.9, 1.8} {
		for _, z := range []float64{-0.9, 0.8} {
			m.add(boxMesh(geom.Vec{X: x, Z: z}, geom.Vec{X: x + 0.1, Y: 1, Z: z + 0.1}))
		}
	}
	table := m.shape(t)
	small, tall := walker(0.3), walker(0.3)
	small.Height = 0.9
	low := must[*footprint.Footprint](t)(footprint.Obstacle(table, small))
	high := must[*footprint.Footprint](t)(footprint.Obstacle(table, tall))
	for _, c := range []struct {
		name       string
		x, y, z    float64
		small, big bool
	}{
		{"under the middle", 0, 0, 0, false, true},
		{"beside a leg", -1.85, 0, -0.85, true, true},
		{"near a leg", -1.5, 0, -0.85, false, true},
		{"in front", 0, 0, 1.5, false, false},
		{"at the edge", 0, 0, 1.2, false, true},
		{"on the table", 0, 1.1, 0, false, false},
		{"on a board below the top", 0, 0.6, 0, true, true},
	} {
		agrees(t, "small, "+c.name, low, c.x, c.y, c.z, c.small)
		agrees(t, "tall, "+c.name, high, c.x, c.y, c.z, c.big)
	}
}

// TestCrouching lowers a beam over a floor: it takes the floor exactly from those who are higher.
func TestCrouching(t *testing.T) {
	for _, c := range []struct {
		bottom, height float64
		want           bool
	}{{1.2, 1.8, true}, {1.2, 1.2, false}, {1.2, 1.25, true}, {1.8, 1.8, false}, {1.79, 1.8, true}} {
		a := walker(0.4)
		a.Height = c.height
		beam := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{Y: c.bottom}, geom.Vec{X: 4, Y: 0.3, Z: 0.2}, 0))
		m := boxMesh(geom.Vec{X: -2, Y: c.bottom, Z: -0.1}, geom.Vec{X: 2, Y: c.bottom + 0.3, Z: 0.1})
		for name, s := range map[string]footprint.Shape{"box": beam, "mesh": m.shape(t)} {
			f := must[*footprint.Footprint](t)(footprint.Obstacle(s, a))
			agrees(t, name, f, 1, 0, 0.3, c.want)
			agrees(t, name, f, 1, 0, 0.6, false)
		}
	}
}

// TestKerb: a solid no higher than the climb takes nothing from the floor that it stands on, but does from a deeper floor.
func TestKerb(t *testing.T) {
	m := boxMesh(geom.Vec{}, geom.Vec{X: 1, Y: 0.4, Z: 1})
	kerb := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{X: 0.5, Z: 0.5}, geom.Vec{X: 1, Y: 0.4, Z: 1}, 0))
	for name, s := range map[string]footprint.Shape{"box": kerb, "mesh": m.shape(t)} {
		f := must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0.4)))
		agrees(t, name, f, 0.5, 0, 0.5, false)
		agrees(t, name, f, 0.5, -0.1, 0.5, true)
		agrees(t, name, f, 0.5, -1.3, 0.5, true)
		agrees(t, name, f, 0.5, -1.8, 0.5, false)
		// Rounding makes steps of two units.
		none := must[*footprint.Footprint](t)(footprint.Obstacle(s, geom.Agent{Radius: 0.3, Height: 1}))
		agrees(t, name+", no climb", none, 0.5, 0.4-2.0/metre, 0.5, false)
		agrees(t, name+", no climb", none, 0.5, 0.4-3.0/metre, 0.5, true)
	}
}

// TestHollowBox puts a closed box with thick walls over a floor: the floor inside is free where the lid is above the
// agent.
func TestHollowBox(t *testing.T) {
	hollow := boxMesh(geom.Vec{X: -3, Z: -3, Y: -1}, geom.Vec{X: 3, Y: 3, Z: 3})
	hollow.add(boxMesh(geom.Vec{X: -2.5, Y: -0.5, Z: -2.5}, geom.Vec{X: 2.5, Y: 2.5, Z: 2.5}).turned())
	for name, m := range map[string]soup{"hollow": hollow, "inside out": hollow.turned()} {
		f := must[*footprint.Footprint](t)(footprint.Obstacle(m.shape(t), walker(0.4)))
		agrees(t, name+", in the middle", f, 0, 0, 0, false)
		agrees(t, name+", near the wall", f, 2.3, 0, 0, true)
		agrees(t, name+", in the wall", f, 2.75, 0, 0, true)
		agrees(t, name+", under the lid", f, 0, 1, 0, true)
		agrees(t, name+", at the bottom", f, 0, -0.5, 0, false)
		agrees(t, name+", in the bottom", f, 0, -0.95, 0, true)
		agrees(t, name+", outside", f, 3.5, 0, 0, false)
		v := must[*footprint.Footprint](t)(footprint.Volume(m.shape(t)))
		agrees(t, name+", volume in the middle", v, 0, 0, 0, false)
		agrees(t, name+", volume in the wall", v, 2.75, 0, 0, true)
		agrees(t, name+", volume on the bottom", v, 0, -0.5, 0, true)
		agrees(t, name+", volume from beneath", v, 0, -1, 0, true)
		agrees(t, name+", volume above the bottom", v, 0, -0.5+1.0/metre, 0, false)
		agrees(t, name+", volume outside", v, 3.1, 0, 0, false)
	}
}

// TestSheets: upright triangles, wires and single points block agents with a radius, and nobody else.
func TestSheets(t *testing.T) {
	for _, c := range []struct {
		name string
		m    soup
	}{
		{"wall", soup{[]geom.Vec{{X: -2}, {X: 2}, {X: 2, Y: 2}, {X: -2, Y: 2}}, [][3]int32{{0, 1, 2}, {0, 2, 3}}}},
		{"wall from both sides", soup{[]geom.Vec{{X: -2}, {X: 2}, {X: 2, Y: 2}, {X: -2, Y: 2}}, [][3]int32{{0, 1, 2}, {0, 2, 3}, {0, 2, 1}, {0, 3, 2}}}},
		{"wall of other triangles behind", soup{[]geom.Vec{{X: -2}, {X: 2}, {X: 2, Y: 2}, {X: -2, Y: 2}}, [][3]int32{{0, 1, 2}, {0, 2, 3}, {1, 0, 3}, {1, 3, 2}}}},
		{"walls on a line", soup{
			[]geom.Vec{{X: -2}, {X: 2}, {X: 2, Y: 2}, {X: -2, Y: 2}, {X: -1}, {X: -0.7}, {X: -0.7, Y: 2}},
			[][3]int32{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}},
		}},
		{"wire", soup{[]geom.Vec{{X: -2, Y: 1}, {X: 2, Y: 1}}, [][3]int32{{0, 1, 1}}}},
		{"thin board", boxMesh(geom.Vec{X: -2}, geom.Vec{X: 2, Y: 1, Z: 1e-5})},
		{"post", soup{[]geom.Vec{{Y: 0}, {Y: 1}, {Y: 2}}, [][3]int32{{0, 1, 2}}}},
		{"point", soup{[]geom.Vec{{Y: 1}}, [][3]int32{{0, 0, 0}}}},
	} {
		s := c.m.shape(t)
		agrees(t, c.name, must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0.4))), 0, 0, 0.35, true)
		agrees(t, c.name, must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0.4))), 0, 0, -0.5, false)
		agrees(t, c.name, must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0))), 0, 0, 0, false)
	}
}

// TestMeshOfABox: the mesh of a box has the outline of the box, with as few corners, up to the unit that meshes move out
// by.
func TestMeshOfABox(t *testing.T) {
	m := boxMesh(geom.Vec{X: -1, Z: -0.5}, geom.Vec{X: 1, Y: 1, Z: 0.5})
	for _, yaw := range []float64{0, 0.3, 1, 2.5} {
		for _, radius := range []float64{0, 0.4, 0.6} {
			s := must[footprint.Shape](t)(footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces, geom.Vec{X: 5, Y: 0.1}, yaw))
			b := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{X: 5, Y: 0.1}, geom.Vec{X: 2, Y: 1, Z: 1}, yaw))
			f := must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(radius)))
			g := must[*footprint.Footprint](t)(footprint.Obstacle(b, walker(radius)))
			mesh, ok := f.Level(-50, 400)
			box, _ := g.Level(-50, 400)
			if !ok || len(mesh) != 1 || len(mesh[0]) != len(box[0]) {
				t.Errorf("yaw %g, radius %g: mesh %v, box %v", yaw, radius, mesh, box)
				continue
			}
			for _, p := range mesh[0] {
				if d := gap(box, p); d > 3 {
					t.Errorf("yaw %g, radius %g: %v is %.1f units off the outline of the box", yaw, radius, p, d)
				}
			}
			for _, any := range []*footprint.Footprint{f, g} {
				if r, ok := any.Level(math.MinInt32, math.MaxInt32); ok {
					t.Errorf("yaw %g, radius %g: all heights have %v", yaw, radius, r)
				}
			}
			if f.Low != g.Low || f.High != g.High {
				t.Errorf("heights %d to %d, of the box %d to %d", f.Low, f.High, g.Low, g.High)
			}
		}
	}
}

// TestBall grows a ball of many triangles: the outline is between the circle and the tolerance.
func TestBall(t *testing.T) {
	race.Skip(t)
	const n = 60
	m := soup{vertices: []geom.Vec{{Y: 2}, {Y: -2}}}
	for i := 1; i < n; i++ {
		for k := range 2 * n {
			sin, cos := math.Sincos(math.Pi * float64(i) / n)
			z, x := math.Sincos(math.Pi * float64(k) / n)
			m.vertices = append(m.vertices, geom.Vec{X: 2 * sin * x, Y: 2 * cos, Z: 2 * sin * z})
		}
	}
	number := func(i, k int) int32 {
		switch i {
		case 0:
			return 0
		case n:
			return 1
		}
		return int32(2 + (i-1)*2*n + k%(2*n))
	}
	for i := range n {
		for k := range 2 * n {
			m.faces = append(m.faces, [3]int32{number(i, k), number(i, k+1), number(i+1, k+1)}, [3]int32{number(i, k), number(i+1, k+1), number(i+1, k)})
		}
	}
	s := m.shape(t)
	for _, c := range []struct{ h, widest float64 }{
		{-1, 2},
		{1, math.Sqrt(4 - 1.4*1.4)},
		{-3, math.Sqrt(4 - 1.2*1.2)},
	} {
		_, h := at(0, c.h, 0)
		rings, ok := must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0.5))).Level(int32(h), int32(h))
		if !ok || len(rings) != 1 {
			t.Fatalf("at %g: %d rings", c.h, len(rings))
		}
		if holes, _ := must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0))).Level(int32(h), int32(h)); len(holes) != 1 {
			t.Errorf("at %g: %d rings without a radius", c.h, len(holes))
		}
		// Chords of the ball are 3 mm inside of it at most.
		for i, p := range rings[0] {
			q := rings[0][(i+1)%len(rings[0])]
			near := lattice.SegmentDistance2(lattice.Point{}, p, q).Sqrt() / metre
			if far := p.Distance(lattice.Point{}) / metre; near < c.widest+0.5-0.006 || far > c.widest+0.5+footprint.Tolerance+0.005 {
				t.Errorf("at %g: the outline is %.4f to %.4f from the middle, want %.4f", c.h, near, far, c.widest+0.5)
			}
		}
	}
}

// TestOpenMeshHasNoInside asks for the inside of an open mesh.
func TestOpenMeshHasNoInside(t *testing.T) {
	m := boxMesh(geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: 1})
	m.faces = m.faces[1:]
	s := m.shape(t)
	if _, err := footprint.Volume(s); err == nil || !strings.Contains(err.Error(), "open") {
		t.Errorf("the inside of an open mesh: %v", err)
	}
	agrees(t, "open box", must[*footprint.Footprint](t)(footprint.Obstacle(s, walker(0.2))), 0.5, 0, 0.5, true)
	agrees(t, "open box, top above", must[*footprint.Footprint](t)(footprint.Obstacle(s, geom.Agent{Radius: 0.2, Height: 0.8})), 0.5, 0, 0.5, false)
}

// TestBorderOfTheFloor: places beside taken floor are taken, and floor that is too high is free up to a few units beyond its border. The
// height line is not moved.
func TestBorderOfTheFloor(t *testing.T) {
	s := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 20, Y: 2, Z: 20}, 0))
	f := must[*footprint.Footprint](t)(footprint.Obstacle(s, geom.Agent{Radius: 0.5, Height: 1, MaxClimb: 0.5}))
	// A ramp that rises to the east from 0 to 4 m over 8 m; its floor is blocked up to 1.5 m, where x is -1 m.
	v := func(x, y, z float64) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: int32(x * metre), Y: int32(y * metre)}, Z: int32(z * metre)}
	}
	floor := [][3]lattice.Vertex{{v(-4, -1, 0), v(4, -1, 4), v(4, 1, 4)}, {v(-4, -1, 0), v(4, 1, 4), v(-4, 1, 0)}}
	rings := f.Uneven(floorOf(floor))
	for _, c := range []struct {
		x, y int32
		want bool
	}{
		{-metre - 1, 0, true},
		{-metre + 1, 0, false},
		{-metre - 1, metre + 3, true},
		{-metre + 1, metre + 3, false},
		{-metre + 1, metre - 1, false},
		{-2 * metre, -metre - 3, true},
		{-2 * metre, -metre - 5, true},
		{2 * metre, -metre - 3, false},
		{-4*metre - 3, 0, true},
		{-4*metre - 3, metre + 3, true},
		{-4*metre - 5, 0, true},
		{4*metre + 3, metre + 3, false},
	} {
		if in, _ := taken(rings, lattice.Point{X: c.x, Y: c.y}); in != c.want {
			t.Errorf("(%d, %d): taken %t, want %t", c.x, c.y, in, c.want)
		}
	}
}

// TestCrackBesideFreeFloor: taken floor beside a crack is taken up to its border, although the floor beyond the crack is too high.
func TestCrackBesideFreeFloor(t *testing.T) {
	s := must[footprint.Shape](t)(footprint.NewBox(lattice.Frame{}, geom.Vec{}, geom.Vec{X: 20, Y: 2, Z: 20}, 0))
	f := must[*footprint.Footprint](t)(footprint.Obstacle(s, geom.Agent{Radius: 0.5, Height: 1, MaxClimb: 0.5}))
	floor := func(from, to, z int32) [][3]lattice.Vertex {
		v := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
		return [][3]lattice.Vertex{{v(from, -metre), v(to, -metre), v(to, metre)}, {v(from, -metre), v(to, metre), v(from, metre)}}
	}
	for crack := int32(1); crack < 4; crack++ {
		rings := f.Uneven(floorOf(append(floor(-4*metre, 0, 0), floor(crack, 4*metre, 3*metre)...)))
		for x := int32(-20); x <= 20; x++ {
			// The strip along the lower floor is 4 units wide, and taken.
			if in, _ := taken(rings, lattice.Point{X: x}); in != (x < 4) && x != 4 {
				t.Fatalf("a crack of %d units, place %d: taken %t", crack, x, in)
			}
		}
	}
}

// TestCornerAtTheEnd: a triangle with a corner exactly as high as the end of the body blocks an agent without a radius beneath.
func TestCornerAtTheEnd(t *testing.T) {
	a := geom.Agent{Height: 2, MaxClimb: 0.5}
	for y, beyond := range map[float64]float64{0.5: 0, 2: 3} {
		m := soup{[]geom.Vec{{Y: y}, {X: 1, Y: 1}, {Z: 1, Y: beyond}}, [][3]int32{{0, 1, 2}}}
		f := must[*footprint.Footprint](t)(footprint.Obstacle(m.shape(t), a))
		agrees(t, "inside", f, 0.5, 0, 0.2, true)
		agrees(t, "outside", f, 0.2, 0, 0.5, false)
	}
}

// TestLevelSidesAtTheEnds: boxes whose tops and bottoms are exactly at the ends of the body block an agent without a radius
// who stands inside.
func TestLevelSidesAtTheEnds(t *testing.T) {
	a := geom.Agent{Height: 2, MaxClimb: 0.5}
	m := boxMesh(geom.Vec{}, geom.Vec{X: 1, Y: 2, Z: 1})
	agrees(t, "top at the upper end", must[*footprint.Footprint](t)(footprint.Obstacle(m.shape(t), a)), 0.5, 0, 0.5, true)
	m = boxMesh(geom.Vec{Y: 0.5}, geom.Vec{X: 1, Y: 3, Z: 1})
	m.add(boxMesh(geom.Vec{X: 5, Y: 2.5}, geom.Vec{X: 6, Y: 3, Z: 1}))
	f := must[*footprint.Footprint](t)(footprint.Obstacle(m.shape(t), a))
	agrees(t, "bottom at the lower end", f, 0.5, 0, 0.5, true)
	agrees(t, "below the other box", f, 5.5, 0, 0.5, false)
}

// TestRepeatedTriangles: a closed mesh whose triangles come twice, from other corners, is closed.
func TestRepeatedTriangles(t *testing.T) {
	m := boxMesh(geom.Vec{}, geom.Vec{X: 1, Y: 2, Z: 1})
	for _, f := range m.faces[:5] {
		m.faces = append(m.faces, [3]int32{f[1], f[2], f[0]})
	}
	agrees(t, "inside", must[*footprint.Footprint](t)(footprint.Volume(m.shape(t))), 0.5, 1, 0.5, true)
}

// TestBeamOverARamp hangs a mesh over a long steep ramp, a little higher than the agent: the ramp stays free, although its
// triangles rise far above the mesh.
func TestBeamOverARamp(t *testing.T) {
	v := func(x, y, z float64) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: int32(x * metre), Y: int32(y * metre)}, Z: int32(z * metre)}
	}
	floor := [][3]lattice.Vertex{{v(-40, -9, -20), v(40, -9, 20), v(40, 9, 20)}, {v(-40, -9, -20), v(40, 9, 20), v(-40, 9, -20)}}
	for bottom, free := range map[float64]bool{2.35: true, 1.9: false} {
		// The beam is 0.4 m wide, so the highest floor beneath it and the agent's radius around is 0.3 m up.
		m := boxMesh(geom.Vec{X: -0.2, Y: bottom, Z: -2}, geom.Vec{X: 0.2, Y: bottom + 20, Z: 2})
		f := must[*footprint.Footprint](t)(footprint.Obstacle(m.shape(t), walker(0.4)))
		if rings := f.Uneven(floorOf(floor)); (len(rings) == 0) != free {
			t.Errorf("a beam %g m up takes %v", bottom, rings)
		}
	}
}

// TestFramesOfMeshes moves meshes with their frame, and makes them of other corners first.
func TestFramesOfMeshes(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 20 {
		m := potato(r, geom.Vec{}, 2)
		frame := lattice.Frame{East: 77 << 20, North: -3 << 24, Up: 5 << 12}
		by := geom.FromGround(float64(frame.East)*lattice.Unit, float64(frame.North)*lattice.Unit, float64(frame.Up)*lattice.Unit)
		faces := slices.Clone(m.faces)
		slices.Reverse(faces)
		for i, f := range faces {
			faces[i] = [3]int32{f[2], f[0], f[1]}
		}
		here := must[footprint.Shape](t)(footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces, geom.Vec{}, 0.7))
		there := must[footprint.Shape](t)(footprint.NewMesh(frame, m.vertices, faces, by, 0.7))
		a, _ := must[*footprint.Footprint](t)(footprint.Obstacle(here, walker(0.4))).Level(-99, -99)
		b, _ := must[*footprint.Footprint](t)(footprint.Obstacle(there, walker(0.4))).Level(-99, -99)
		if len(a) == 0 || !slices.EqualFunc(a, b, slices.Equal[lattice.Ring]) {
			t.Fatalf("%v and %v", a, b)
		}
	}
}
