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
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// soup is a mesh for tests.
type soup struct {
	vertices []geom.Vec
	faces    [][3]int32
}

func (m *soup) shape(t testing.TB) footprint.Shape {
	t.Helper()
	return must[footprint.Shape](t)(footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces, geom.Vec{}, 0))
}

func (m *soup) add(o soup) {
	first := int32(len(m.vertices))
	m.vertices = append(m.vertices, o.vertices...)
	for _, f := range o.faces {
		m.faces = append(m.faces, [3]int32{f[0] + first, f[1] + first, f[2] + first})
	}
}

// turned returns the mesh inside out.
func (m soup) turned() soup {
	m.faces = slices.Clone(m.faces)
	for i, f := range m.faces {
		m.faces[i] = [3]int32{f[0], f[2], f[1]}
	}
	return m
}

// boxMesh returns a closed box between two corners.
func boxMesh(low, high geom.Vec) soup {
	var m soup
	for i := range 8 {
		v := low
		if i&1 != 0 {
			v.X = high.X
		}
		if i&2 != 0 {
			v.Y = high.Y
		}
		if i&4 != 0 {
			v.Z = high.Z
		}
		m.vertices = append(m.vertices, v)
	}
	for _, q := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		m.faces = append(m.faces, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// potato returns a closed mesh of a random form around a place.
func potato(r *rand.Rand, at geom.Vec, size float64) soup {
	const rings, around = 3, 6
	m := soup{vertices: []geom.Vec{at.Add(geom.Vec{Y: -size * (0.3 + r.Float64())}), at.Add(geom.Vec{Y: size * (0.3 + r.Float64())})}}
	number := func(ring, k int) int32 {
		switch {
		case ring < 0:
			return 0
		case ring >= rings:
			return 1
		}
		return int32(2 + ring*around + k%around)
	}
	for ring := range rings {
		for k := range around {
			far := size * (0.2 + r.Float64()) * math.Sin(math.Pi*(float64(ring)+1)/(rings+1))
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.8*r.Float64()) / around)
			up := size * (2*(float64(ring)+0.5+0.5*r.Float64())/(rings+1) - 1) * 0.3
			m.vertices = append(m.vertices, at.Add(geom.Vec{X: far * cos, Y: up, Z: far * sin}))
		}
	}
	for ring := range rings + 1 {
		for k := range around {
			a, b, c, d := number(ring-1, k), number(ring-1, k+1), number(ring, k+1), number(ring, k)
			for _, f := range [2][3]int32{{a, c, b}, {a, d, c}} {
				if f[0] != f[1] && f[1] != f[2] && f[0] != f[2] {
					m.faces = append(m.faces, f)
				}
			}
		}
	}
	return m
}

// randomMesh returns a mesh of a few metres: closed ones, ones turned inside out, hollow ones, loose triangles, and faults.
func randomMesh(r *rand.Rand) soup {
	at := geom.Vec{X: r.Float64(), Y: r.Float64() - 0.5, Z: r.Float64()}
	corner := func() geom.Vec { return geom.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}.Scale(2) }
	var m soup
	switch r.IntN(5) {
	case 0:
		m = potato(r, at, 0.3+r.Float64())
	case 1:
		m = potato(r, at, 0.3+r.Float64()).turned()
	case 2:
		size := corner().Add(geom.Vec{X: 0.5, Y: 0.5, Z: 0.5})
		m = boxMesh(at, at.Add(size))
		m.add(boxMesh(at.Add(size.Scale(0.2)), at.Add(size.Scale(0.8))).turned())
	case 3:
		m = potato(r, at, 0.3+r.Float64())
		m.add(potato(r, at.Add(corner().Scale(0.3)), 0.3+r.Float64()))
	default:
		for range 1 + r.IntN(6) {
			a := at.Add(corner())
			up := a.Add(geom.Vec{Y: corner().Y})
			m.add(soup{[]geom.Vec{a, at.Add(corner()), [2]geom.Vec{up, at.Add(corner())}[r.IntN(2)]}, [][3]int32{{0, 1, 2}}})
		}
	}
	switch r.IntN(4) {
	case 0: // triangles without an area, and repeated ones
		n := int32(len(m.vertices))
		m.faces = append(m.faces, m.faces[0], m.faces[len(m.faces)/2], [3]int32{0, 0, 0}, [3]int32{0, 1, 1}, [3]int32{0, n, 1})
		m.vertices = append(m.vertices, m.vertices[0].Lerp(m.vertices[1], 0.5))
	case 1: // a hole
		m.faces = m.faces[1:]
	}
	if len(m.faces) == 0 {
		return randomMesh(r)
	}
	return m
}

// winding returns how often the mesh winds around a place, by solid angles: A. van Oosterom and J. Strackee, IEEE
// Transactions on Biomedical Engineering 30 (1983).
func (m *soup) winding(at geom.Vec) float64 {
	sum := 0.0
	for _, f := range m.faces {
		a, b, c := m.vertices[f[0]].Sub(at), m.vertices[f[1]].Sub(at), m.vertices[f[2]].Sub(at)
		la, lb, lc := a.Norm(), b.Norm(), c.Norm()
		sum += 2 * math.Atan2(a.Dot(b.Cross(c)), la*lb*lc+a.Dot(b)*lc+a.Dot(c)*lb+b.Dot(c)*la)
	}
	return sum / (4 * math.Pi)
}

// far returns the distance from above of a place and the samples of the surface between two heights.
func (m *soup) far(x, z, low, high float64) float64 {
	least := math.Inf(1)
	const n = 60
	for _, f := range m.faces {
		a, b, c := m.vertices[f[0]], m.vertices[f[1]], m.vertices[f[2]]
		for i := range n + 1 {
			for k := range n + 1 - i {
				u, v := float64(i)/n, float64(k)/n
				p := a.Scale(1 - u - v).Add(b.Scale(u)).Add(c.Scale(v))
				if p.Y > low && p.Y < high {
					least = min(least, math.Hypot(p.X-x, p.Z-z))
				}
			}
		}
	}
	return least
}

// snapped returns the mesh on the lattice.
func (m soup) snapped() soup {
	m.vertices = slices.Clone(m.vertices)
	for i, v := range m.vertices {
		p, h, _ := lattice.Frame{}.FromWorld(v)
		m.vertices[i] = lattice.Frame{}.ToWorld(p, h)
	}
	return m
}

// TestMeshBlocksAgainstSampling compares the definition with samples of closed meshes, of their inside by solid angles.
func TestMeshBlocksAgainstSampling(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(11, 12))
	blocked, free := 0, 0
	for range slow.Count(25, 300) {
		m := potato(r, geom.Vec{}, 0.3+r.Float64()).snapped()
		if r.IntN(2) == 0 {
			m = m.turned()
		}
		a := geom.Agent{Radius: []float64{0, 0.3, 1}[r.IntN(3)], Height: 0.5 + r.Float64(), MaxClimb: r.Float64() / 3}
		s := m.shape(t)
		f := must[*footprint.Footprint](t)(footprint.Obstacle(s, a))
		volume := must[*footprint.Footprint](t)(footprint.Volume(s))
		for _, p := range places(r, f.Box, 10) {
			h := float64(f.Low)/metre - 0.1 + r.Float64()*(float64(f.High-f.Low)/metre+0.2)
			x, z := float64(p.X)/metre, -float64(p.Y)/metre
			low, high := h+a.MaxClimb, h+a.Height
			d, wide := m.far(x, z, low+0.001, high-0.001), m.far(x, z, low-0.03, high+0.03)
			inside := false
			for k := range 20 {
				inside = inside || math.Abs(m.winding(geom.Vec{X: x, Y: low + (high-low)*(float64(k)+0.5)/20, Z: z})) > 0.5
			}
			got := f.Blocks(p, h*metre)
			if inside && !got || d < a.Radius-0.002 && !got || got && !inside && wide > a.Radius+0.04 {
				t.Fatalf("place (%.3f, %.3f) at %.3f m, %.3f m from the surface, inside %t: %t", x, z, h, d, inside, got)
			}
			if got {
				blocked++
			} else {
				free++
			}
			w := math.Abs(m.winding(geom.Vec{X: x, Y: h, Z: z})) > 0.5
			if w != volume.Blocks(p, h*metre) {
				t.Fatalf("place (%.3f, %.3f) at %.3f m: inside %t", x, z, h, w)
			}
		}
	}
	if blocked < 50 || free < 50 {
		t.Errorf("%d blocked places and %d free are too few", blocked, free)
	}
}

// meshTolerance is how far the outline of a mesh may be beyond the blocked places, in lattice units: around corners, and by
// simplification and rounding.
const meshTolerance = footprint.Tolerance*metre + 16

// TestMeshLevelAgainstBlocks compares outlines of meshes of all kinds with the definition.
func TestMeshLevelAgainstBlocks(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(13, 14))
	inside, outside := 0, 0
	for n := range slow.Count(150, 5000) {
		f := randomMeshFootprint(t, r)
		for range 3 {
			h := f.Low - 3 + r.Int32N(f.High-f.Low+7)
			rings, ok := f.Level(h, h)
			if !ok {
				t.Fatalf("the outline at one height is unknown")
			}
			for _, p := range places(r, f.Box, 30) {
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
				if got && d > meshTolerance || want && d > 2 {
					t.Fatalf("mesh %d, place %v at %d: the outline says %t, the definition %t, %.1f units from the border", n, p, h, got, want, d)
				}
			}
		}
	}
	if inside < 500 || outside < 500 {
		t.Errorf("%d places inside and %d outside are too few", inside, outside)
	}
}

func randomMeshFootprint(t testing.TB, r *rand.Rand) *footprint.Footprint {
	t.Helper()
	m := randomMesh(r)
	s := m.shape(t)
	if r.IntN(3) == 0 {
		if f, err := footprint.Volume(s); err == nil {
			return f
		}
	}
	return must[*footprint.Footprint](t)(footprint.Obstacle(s, walker([]float64{0, 0.1, 0.4, 0.6}[r.IntN(4)])))
}

// TestMeshUnevenAgainstBlocks compares outlines of meshes on floors of random triangles with the definition: no blocked
// place is missed, and no other is taken unless an agent blocks there that is a step higher and climbs a step less.
func TestMeshUnevenAgainstBlocks(t *testing.T) {
	race.Skip(t)
	r := rand.New(rand.NewPCG(15, 16))
	inside, outside := 0, 0
	for n := range slow.Count(100, 3000) {
		f := randomMeshFootprint(t, r)
		floor, height := randomFloor(r, f)
		rings := f.Uneven(floorOf(floor))
		const step = 256 // the band is at most 8 m high here
		for _, p := range places(r, f.Box, 40) {
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
			if want && d > 2 && f.Blocks(p, z-2*slope-1) && f.Blocks(p, z+2*slope+1) {
				t.Fatalf("mesh %d, place %v at %g: blocked, and %.1f units from the outline", n, p, z, d)
			}
			if got && d > meshTolerance && !blocksWithin(f, p, z-step, z+step) {
				t.Fatalf("mesh %d, place %v at %g: free, and %.1f units inside the outline", n, p, z, d)
			}
		}
	}
	if inside < 500 || outside < 500 {
		t.Errorf("%d places inside and %d outside are too few", inside, outside)
	}
}

// blocksWithin reports whether a place is blocked at a height of a range.
func blocksWithin(f *footprint.Footprint, p lattice.Point, low, high float64) bool {
	for z := low; z <= high; z += 16 {
		if f.Blocks(p, z) {
			return true
		}
	}
	return false
}

// TestRangesOfMeshes asks for the outlines of ranges of heights: those that are known are those of every height.
func TestRangesOfMeshes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	known := 0
	for n := range slow.Count(150, 5000) {
		var f *footprint.Footprint
		if n%2 == 0 {
			m := boxMesh(geom.Vec{}, geom.Vec{X: 1 + r.Float64(), Y: 1 + r.Float64(), Z: 1})
			f = must[*footprint.Footprint](t)(footprint.Obstacle(must[footprint.Shape](t)(footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces, geom.Vec{}, r.Float64())), walker(0.4)))
		} else {
			f = randomMeshFootprint(t, r)
		}
		low := f.Low + 1 + r.Int32N(f.High-f.Low-1)
		high := low + r.Int32N(400)
		rings, ok := f.Level(low, high)
		if !ok {
			continue
		}
		known++
		for range 3 {
			h := low + r.Int32N(high-low+1)
			at, _ := f.Level(h, h)
			for _, p := range places(r, f.Box, 20) {
				a, _ := taken(rings, p)
				b, _ := taken(at, p)
				if a != b && min(gap(rings, p), gap(at, p)) > 2 {
					t.Fatalf("place %v: taken %t for heights %d to %d, %t for %d", p, a, low, high, b, h)
				}
			}
		}
	}
	if known < 50 {
		t.Errorf("%d ranges with a single outline are too few", known)
	}
}

// TestCrowds refuses meshes of very many triangles over each other, whose outlines would cost too much.
func TestCrowds(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	var m soup
	for i := range int32(5000) {
		for range 3 {
			m.vertices = append(m.vertices, geom.Vec{X: r.Float64(), Y: r.Float64(), Z: r.Float64()}.Scale(50))
		}
		m.faces = append(m.faces, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	if _, err := footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces[:300], geom.Vec{}, 0); err != nil {
		t.Error(err)
	}
	if _, err := footprint.NewMesh(lattice.Frame{}, m.vertices, m.faces, geom.Vec{}, 0); err == nil || !strings.Contains(err.Error(), "cross about") {
		t.Errorf("5000 triangles over each other: %v", err)
	}
}
