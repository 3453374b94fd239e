// Package randlevel makes random levels as people model them: shells of triangles through each other, curved stairs of
// blocks, tunnels that cross, fences of pickets, faces drawn twice. No truth is known beforehand; the laws of
// internal/levelcheck judge their meshes.
//
// Source: the project's own kinds. Each shows a habit of level makers that a generator with a known floor avoids:
// shells that are open or inside out, parts that end within each other, steps cut from rings, rounded numbers.
//
// Guarantees: a kind and a seed give the same triangles on every machine (TestSameEverywhere). Every level has floor
// (TestRandomKinds of internal/levelcheck).
//
// Cost: O(triangles); a level has 500 to 20,000 triangles.
package randlevel

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// Kinds lists the names of the kinds of level.
func Kinds() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.name)
	}
	return names
}

// kinds are all kinds in the order of their names' first use.
var kinds = []struct {
	name string
	make func(*maker)
}{
	{"village", (*maker).village},
	{"helix", (*maker).helix},
	{"stadium", (*maker).stadium},
	{"mine", (*maker).mine},
	{"voxels", (*maker).voxels},
	{"junk", (*maker).junk},
	{"stairs", (*maker).curvedStairs},
	{"fences", (*maker).fences},
	{"skatepark", (*maker).skatepark},
	{"warehouse", (*maker).warehouse},
	{"castle", (*maker).castle},
	{"canyon", (*maker).canyon},
	{"cave", (*maker).cave},
	{"slabs", (*maker).slabs},
	{"modules", (*maker).modules},
	{"house", (*maker).house},
	{"office", (*maker).office},
	{"roofs", (*maker).roofs},
	{"decks", (*maker).decks},
	{"scaffold", (*maker).scaffold},
	{"station", (*maker).station},
	{"market", (*maker).market},
	{"hexagons", (*maker).hexagons},
	{"domes", (*maker).domes},
	{"wedges", (*maker).wedges},
	{"trench", (*maker).trench},
	{"patchwork", (*maker).patchwork},
	{"tiles", (*maker).tiles},
	{"treads", (*maker).treads},
	{"grates", (*maker).grates},
	{"ropebridge", (*maker).ropebridge},
	{"logs", (*maker).logs},
	{"terraces", (*maker).terraces},
	{"pyramid", (*maker).pyramid},
	{"mall", (*maker).mall},
	{"street", (*maker).street},
	{"ship", (*maker).ship},
	{"crawl", (*maker).crawl},
	{"cafe", (*maker).cafe},
	{"sewer", (*maker).sewer},
	{"boulders", (*maker).boulders},
	{"escalators", (*maker).escalators},
	{"docks", (*maker).docks},
	{"girders", (*maker).girders},
	{"ruins", (*maker).ruins},
	{"roads", (*maker).roads},
	{"greebles", (*maker).greebles},
	{"corrugated", (*maker).corrugated},
	{"limits", (*maker).limits},
	{"scan", (*maker).scan},
	{"detail", (*maker).detail},
	{"hollows", (*maker).hollows},
	{"decals", (*maker).decals},
	{"maze", (*maker).maze},
	{"pipes", (*maker).pipes},
	{"plan", (*maker).plan},
	{"vaults", (*maker).vaults},
	{"garage", (*maker).garage},
	{"foliage", (*maker).foliage},
	{"askew", (*maker).askew},
	{"curves", (*maker).curves},
	{"cuts", (*maker).cuts},
	{"statues", (*maker).statues},
	{"gratings", (*maker).gratings},
	{"weave", (*maker).weave},
	{"cobbles", (*maker).cobbles},
	{"pebbles", (*maker).pebbles},
	{"shelves", (*maker).shelves},
	{"pipework", (*maker).pipework},
	{"hedges", (*maker).hedges},
	{"rocks", (*maker).rocks},
	{"bowl", (*maker).bowl},
	{"helicoid", (*maker).helicoid},
	{"playground", (*maker).playground},
	{"tracks", (*maker).tracks},
	{"bleachers", (*maker).bleachers},
	{"shingles", (*maker).shingles},
	{"cabins", (*maker).cabins},
	{"raised", (*maker).raised},
	{"winders", (*maker).winders},
	{"bim", (*maker).bim},
	{"nets", (*maker).nets},
	{"brushes", (*maker).brushes},
	{"machined", (*maker).machined},
	{"instances", (*maker).instances},
	{"displaced", (*maker).displaced},
}

// Make returns the level of a kind and a seed. It panics if no kind has the name.
func Make(kind string, seed uint64) *level.Level {
	for i, k := range kinds {
		if k.name == kind {
			m := maker{rng: rand.New(rand.NewPCG(seed, uint64(i))), lvl: &level.Level{Name: fmt.Sprintf("%s %d", kind, seed)}}
			k.make(&m)
			return m.lvl
		}
	}
	panic("randlevel: no kind " + kind)
}

// maker adds shapes to a level. Lengths are metres, angles radians.
type maker struct {
	rng    *rand.Rand
	lvl    *level.Level
	factor int // how much more detail, for dense kinds; 0 means 1
}

// between draws a number from low to high.
func (m *maker) between(low, high float64) float64 { return low + (high-low)*m.rng.Float64() }

// count draws a whole number from low to high.
func (m *maker) count(low, high int) int { return low + m.rng.IntN(high-low+1) }

// angle draws a direction.
func (m *maker) angle() float64 { return m.between(0, 2*math.Pi) }

// of draws one of the values.
func of[T any](m *maker, values ...T) T { return values[m.rng.IntN(len(values))] }

// turn turns (a, b) by an angle.
func turn(a, b, angle float64) (float64, float64) {
	sin, cos := geom.Sincos(angle)
	return a*cos - b*sin, a*sin + b*cos
}

// polar returns the place at a height, a distance and a direction from a centre.
func polar(centre geom.Vec, radius, direction, height float64) geom.Vec {
	sin, cos := geom.Sincos(direction)
	return geom.Vec{X: centre.X + radius*cos, Y: centre.Y + height, Z: centre.Z + radius*sin}
}

// add adds faces between new vertices; a face of four corners becomes two triangles. Vertices are whole
// micrometres, so that the last bits of a machine's arithmetic do not show.
func (m *maker) add(vertices []geom.Vec, faces ...[]int) {
	const micrometres = 1e6
	round := func(v float64) float64 { return math.Round(v*micrometres)/micrometres + 0 } // no negative zero
	base := len(m.lvl.Vertices)
	for _, v := range vertices {
		m.lvl.Vertices = append(m.lvl.Vertices, geom.Vec{X: round(v.X), Y: round(v.Y), Z: round(v.Z)})
	}
	for _, f := range faces {
		for i := 2; i < len(f); i++ {
			m.lvl.Triangles = append(m.lvl.Triangles, level.Triangle{
				A: uint32(base + f[0]), B: uint32(base + f[i-1]), C: uint32(base + f[i]), Material: level.NoMaterial,
			})
		}
	}
}

// block adds a solid between a lower and an upper quadrangle, both counter-clockwise from above.
func (m *maker) block(lower, upper [4]geom.Vec) {
	m.add(append(lower[:], upper[:]...), []int{0, 3, 2, 1}, []int{4, 5, 6, 7},
		[]int{0, 1, 5, 4}, []int{1, 2, 6, 5}, []int{2, 3, 7, 6}, []int{3, 0, 4, 7})
}

// lean is how a box stands: yaw about the vertical, then pitch about its z and roll about its x.
type lean struct{ yaw, pitch, roll float64 }

// box adds a box that stands on a place: the middle of its lower face.
func (m *maker) box(at, size geom.Vec, by lean) {
	var corner [2][4]geom.Vec
	for level := range 2 {
		for i, s := range [4][2]float64{{-0.5, 0.5}, {0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}} {
			x, y, z := s[0]*size.X, float64(level)*size.Y, s[1]*size.Z
			x, y = turn(x, y, by.pitch)
			y, z = turn(y, z, by.roll)
			z, x = turn(z, x, by.yaw)
			corner[level][i] = at.Add(geom.Vec{X: x, Y: y, Z: z})
		}
	}
	m.block(corner[0], corner[1])
}

// sheet adds nu·nv quadrangles, two triangles each, over the unit square. It faces up where f maps u to X and v
// to Z.
func (m *maker) sheet(nu, nv int, f func(u, v float64) geom.Vec) {
	var vertices []geom.Vec
	var faces [][]int
	for j := range nv + 1 {
		for i := range nu + 1 {
			vertices = append(vertices, f(float64(i)/float64(nu), float64(j)/float64(nv)))
			if i > 0 && j > 0 {
				d := j*(nu+1) + i
				a, b, c := d-nu-2, d-nu-1, d-1
				faces = append(faces, []int{a, c, b}, []int{b, c, d})
			}
		}
	}
	m.add(vertices, faces...)
}

// back turns a sheet's front to its other side.
func back(f func(u, v float64) geom.Vec) func(u, v float64) geom.Vec {
	return func(u, v float64) geom.Vec { return f(1-u, v) }
}

// ball adds a rough ball, star-shaped around its centre.
func (m *maker) ball(centre geom.Vec, radius float64, around, rings int) {
	var vertices []geom.Vec
	for ring := range rings + 1 {
		t := math.Pi * float64(ring) / float64(rings)
		level, out := turn(radius, 0, t)
		for i := range around {
			f := m.between(0.7, 1)
			v := polar(centre, out*f, 2*math.Pi*float64(i)/float64(around), level*f)
			if ring == 0 || ring == rings {
				v = geom.Vec{X: centre.X, Y: centre.Y + level, Z: centre.Z}
			}
			vertices = append(vertices, v)
		}
	}
	var faces [][]int
	for ring := range rings {
		for i := range around {
			a, b := ring*around+i, ring*around+(i+1)%around
			if ring > 0 {
				faces = append(faces, []int{a, b, a + around})
			}
			if ring < rings-1 {
				faces = append(faces, []int{b, b + around, a + around})
			}
		}
	}
	m.add(vertices, faces...)
}

// drum adds an upright cylinder on a place; every second corner of a fluted one stands back by a part of the radius.
func (m *maker) drum(at geom.Vec, radius, height float64, sides int, flutes float64) {
	var vertices []geom.Vec
	var faces [][]int
	for i := range sides {
		r, t := radius, 2*math.Pi*float64(i)/float64(sides)
		if i%2 == 1 {
			r -= radius * flutes
		}
		vertices = append(vertices, polar(at, r, t, 0), polar(at, r, t, height))
		j := (i + 1) % sides
		faces = append(faces, []int{2 * i, 2*i + 1, 2*j + 1, 2 * j}, []int{2 * sides, 2 * i, 2 * j}, []int{2*sides + 1, 2*j + 1, 2*i + 1})
	}
	m.add(append(vertices, at, at.Add(geom.Vec{Y: height})), faces...)
}

// hills draws a smooth height field: a sum of waves of 6 m and longer, within ± the amplitude.
func (m *maker) hills(waves int, amplitude float64) func(x, z float64) float64 {
	type wave struct{ u, v, phase, height float64 }
	all := make([]wave, waves)
	for i := range all {
		all[i] = wave{m.between(-0.5, 0.5), m.between(-0.5, 0.5), m.angle(), m.between(0.2, 1) * amplitude / float64(waves)}
	}
	return func(x, z float64) float64 {
		y := 0.0
		for _, w := range all {
			sin, _ := geom.Sincos(w.u*x + w.v*z + w.phase)
			y += w.height * sin
		}
		return y
	}
}

// ground adds a height field over a square around the origin.
func (m *maker) ground(side float64, nu, nv int, height func(x, z float64) float64) {
	m.sheet(nu, nv, func(u, v float64) geom.Vec {
		x, z := (u-0.5)*side, (v-0.5)*side
		return geom.Vec{X: x, Y: height(x, z), Z: z}
	})
}

// placed returns a function that adds boxes in a frame of their own: turned by yaw about a place.
func (m *maker) placed(at geom.Vec, yaw float64) func(where, size geom.Vec, by lean) {
	return func(where, size geom.Vec, by lean) {
		where.Z, where.X = turn(where.Z, where.X, yaw)
		by.yaw += yaw
		m.box(at.Add(where), size, by)
	}
}
