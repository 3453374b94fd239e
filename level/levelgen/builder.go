package levelgen

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// pt is a point of a plan, in metres to the east and to the north. In profiles it is the distance
// along the section and the height.
type pt struct{ x, y float64 }

// vec is a point of a solid: east, north, up, in metres. The axes are right-handed like the world's, so
// outward faces stay outward.
type vec struct{ x, y, h float64 }

func (v vec) sub(w vec) vec { return vec{v.x - w.x, v.y - w.y, v.h - w.h} }

func (v vec) cross(w vec) vec {
	return vec{
		float64(v.y*w.h) - float64(v.h*w.y),
		float64(v.h*w.x) - float64(v.x*w.h),
		float64(v.x*w.y) - float64(v.y*w.x),
	}
}

// Products are rounded before addition, so no target fuses them.
func (v vec) dot(w vec) float64 { return float64(v.x*w.x) + float64(v.y*w.y) + float64(v.h*w.h) }

// snap returns the nearest multiple of the lattice unit. It also absorbs the last bits of sines and of fused
// operations, which differ between machines.
func snap(x float64) float64 { return math.Floor(x*lattice.UnitsPerMetre+0.5) * lattice.Unit }

// skin names the materials of a solid: top for faces that look up, side for the rest.
type skin struct{ top, side string }

// plain is a skin of one material.
func plain(material string) skin { return skin{material, material} }

// builder collects solids into a level.
type builder struct {
	lvl   *level.Level
	index map[string]int32 // material name to index; looked up only
	open  bool
}

func newBuilder(name string) *builder {
	return &builder{lvl: &level.Level{Name: name}, index: map[string]int32{}}
}

// object starts a new object: the following solids belong to it. An object without solids vanishes.
func (b *builder) object(name string) {
	b.closeObject()
	b.lvl.Objects = append(b.lvl.Objects, level.Object{Name: name, First: len(b.lvl.Triangles)})
	b.open = true
}

func (b *builder) closeObject() {
	if !b.open {
		return
	}
	last := &b.lvl.Objects[len(b.lvl.Objects)-1]
	last.Count = len(b.lvl.Triangles) - last.First
	if last.Count == 0 {
		b.lvl.Objects = b.lvl.Objects[:len(b.lvl.Objects)-1]
	}
	b.open = false
}

func (b *builder) finish() *level.Level {
	b.closeObject()
	return b.lvl
}

// material returns the index of the named material, and adds the material at its first use.
func (b *builder) material(name string) int32 {
	if i, ok := b.index[name]; ok {
		return i
	}
	i := int32(len(b.lvl.Materials))
	b.index[name] = i
	b.lvl.Materials = append(b.lvl.Materials, level.Material{Name: name, Color: linear(palette[name])})
	return i
}

// solid adds a closed surface: corners, and faces as indices into them. Faces must agree on their direction;
// if all face inwards, all are turned.
func (b *builder) solid(corners []vec, faces [][3]int, s skin) {
	b.patchwork(corners, faces, func(_ int, top bool) string {
		if top {
			return s.top
		}
		return s.side
	})
}

// patchwork is solid with a material for every face. top says that the face looks up, as far as 45° from level.
func (b *builder) patchwork(corners []vec, faces [][3]int, material func(face int, top bool) string) {
	for i := range corners {
		corners[i] = vec{snap(corners[i].x), snap(corners[i].y), snap(corners[i].h)}
	}
	var volume float64
	for _, f := range faces {
		o := corners[0]
		volume += corners[f[0]].sub(o).dot(corners[f[1]].sub(o).cross(corners[f[2]].sub(o)))
	}
	first := uint32(len(b.lvl.Vertices))
	for _, c := range corners {
		b.lvl.Vertices = append(b.lvl.Vertices, geom.FromGround(c.x, c.y, c.h))
	}
	for i, f := range faces {
		if volume < 0 {
			f[1], f[2] = f[2], f[1]
		}
		n := corners[f[1]].sub(corners[f[0]]).cross(corners[f[2]].sub(corners[f[0]]))
		top := n.h > 0 && float64(n.h*n.h) >= 0.5*n.dot(n)
		b.lvl.Triangles = append(b.lvl.Triangles, level.Triangle{
			A: first + uint32(f[0]), B: first + uint32(f[1]), C: first + uint32(f[2]), Material: b.material(material(i, top)),
		})
	}
}

// loft adds the solid between rings of equally many corners, stacked one over the other. end
// triangulates the first and the last ring.
func (b *builder) loft(rings [][]vec, end [][3]int, s skin) {
	n := len(rings[0])
	for _, r := range rings {
		for i := range r {
			r[i] = vec{snap(r[i].x), snap(r[i].y), snap(r[i].h)}
		}
	}
	var corners []vec
	var faces [][3]int
	for _, r := range rings {
		corners = append(corners, r...)
	}
	last := (len(rings) - 1) * n
	for _, t := range end {
		faces = append(faces, [3]int{t[0], t[2], t[1]}, [3]int{last + t[0], last + t[1], last + t[2]})
	}
	for k := 0; k < last; k += n {
		for i := range n {
			j := (i + 1) % n
			faces = append(faces, [3]int{k + i, k + j, k + n + j}, [3]int{k + i, k + n + j, k + n + i})
		}
	}
	b.solid(corners, faces, s)
	b.convexSolids(rings, end, s)
}

// prism adds the upright solid over the simple counter-clockwise plan between two heights.
func (b *builder) prism(plan []pt, low, high float64, s skin) {
	b.sheared(plan, func(pt) float64 { return low }, func(pt) float64 { return high }, s)
}

// sheared adds the upright solid over the simple counter-clockwise plan between two height functions.
func (b *builder) sheared(plan []pt, low, high func(pt) float64, s skin) {
	rings := [][]vec{make([]vec, len(plan)), make([]vec, len(plan))}
	for i, p := range plan {
		rings[0][i] = vec{p.x, p.y, low(p)}
		rings[1][i] = vec{p.x, p.y, high(p)}
	}
	b.loft(rings, triangulate(plan), s)
}

// box adds an axis-aligned box.
func (b *builder) box(x0, y0, h0, x1, y1, h1 float64, s skin) {
	b.prism(rect(x0, y0, x1, y1), h0, h1, s)
}

// eastward adds a profile over (x, h), simple and counter-clockwise with h up, drawn out from y0 to y1.
func (b *builder) eastward(profile []pt, y0, y1 float64, s skin) {
	rings := [][]vec{make([]vec, len(profile)), make([]vec, len(profile))}
	for i, p := range profile {
		rings[0][i] = vec{p.x, y0, p.y}
		rings[1][i] = vec{p.x, y1, p.y}
	}
	b.loft(rings, triangulate(profile), s)
}

// northward adds a profile over (y, h), simple and counter-clockwise with h up, drawn out from x0 to x1.
func (b *builder) northward(profile []pt, x0, x1 float64, s skin) {
	rings := [][]vec{make([]vec, len(profile)), make([]vec, len(profile))}
	for i, p := range profile {
		rings[0][i] = vec{x0, p.x, p.y}
		rings[1][i] = vec{x1, p.x, p.y}
	}
	b.loft(rings, triangulate(profile), s)
}

// turned adds the solid of a profile turned around the vertical through c: sections lists radius
// and height from bottom to top, n is the number of sides.
func (b *builder) turned(c pt, n int, sections []pt, s skin) {
	rings := make([][]vec, len(sections))
	for k, sec := range sections {
		for _, p := range circle(c, sec.x, n) {
			rings[k] = append(rings[k], vec{p.x, p.y, sec.y})
		}
	}
	b.loft(rings, fan(n), s)
}

// rect is the rectangle as a counter-clockwise ring.
func rect(x0, y0, x1, y1 float64) []pt { return []pt{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }

// circle is the regular n-gon with corners at distance r from c; the first corner lies to the east.
func circle(c pt, r float64, n int) []pt { return arc(c, r, 0, 1, n)[:n] }

// arc lists the n+1 points at distance r from c between two angles, given in turns.
func arc(c pt, r, from, to float64, n int) []pt {
	ring := make([]pt, n+1)
	for i := range ring {
		sin, cos := math.Sincos(2 * math.Pi * (from + (to-from)*float64(i)/float64(n)))
		ring[i] = pt{c.x + r*cos, c.y + r*sin}
	}
	return ring
}

// fan triangulates a convex ring of n corners.
func fan(n int) [][3]int {
	var out [][3]int
	for i := 1; i < n-1; i++ {
		out = append(out, [3]int{0, i, i + 1})
	}
	return out
}

// triangulate cuts ears off a simple counter-clockwise ring, in O(n³) for the small rings here. The
// decisions are made on the lattice, where they are exact.
func triangulate(ring []pt) [][3]int {
	at := make([]lattice.Point, len(ring))
	left := make([]int, len(ring))
	for i, p := range ring {
		at[i] = lattice.Point{X: int32(snap(p.x) * lattice.UnitsPerMetre), Y: int32(snap(p.y) * lattice.UnitsPerMetre)}
		left[i] = i
	}
	var out [][3]int
	for len(left) > 3 {
		ear := findEar(at, left)
		n := len(left)
		out = append(out, [3]int{left[(ear+n-1)%n], left[ear], left[(ear+1)%n]})
		left = append(left[:ear], left[ear+1:]...)
	}
	return append(out, [3]int{left[0], left[1], left[2]})
}

// findEar returns the place in left of a corner that can be cut off. Every simple polygon has two;
// a ring that snapping has folded may have none, then any corner serves to end.
func findEar(at []lattice.Point, left []int) int {
	n := len(left)
	for i := range n {
		a, b, c := at[left[(i+n-1)%n]], at[left[i]], at[left[(i+1)%n]]
		if lattice.Orient(a, b, c) <= 0 {
			continue
		}
		free := true
		for _, j := range left {
			p := at[j]
			if p == a || p == b || p == c {
				continue
			}
			if lattice.Orient(a, b, p) >= 0 && lattice.Orient(b, c, p) >= 0 && lattice.Orient(c, a, p) >= 0 {
				free = false
				break
			}
		}
		if free {
			return i
		}
	}
	return 0
}
