package footprint

import (
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Floor is a floor of triangles that footprints fall on: the surface, and its borders. A Floor never changes, and any number
// of goroutines may ask it.
type Floor struct {
	surface *lattice.Sampler
	borders []uint8 // of each triangle: bit k tells that no other triangle is beyond the side from corner k
}

// NewFloor prepares a floor, whose triangles are counter-clockwise and of positive area, and must not change any more. The
// surface is that of the same floor. Time O(n log n).
func NewFloor(t *lattice.TIN, surface *lattice.Sampler) *Floor {
	f := &Floor{surface: surface, borders: make([]uint8, len(t.Triangles))}
	f.findBorders(t)
	return f
}

// findBorders finds the sides that belong to one triangle only, as seen from above.
func (f *Floor) findBorders(tin *lattice.TIN) {
	number, count := numbered(tin.Vertices)
	// Each side is in the list of the lesser of its ends: the other end, and the place of its bit.
	first := make([]uint32, count+1)
	each := func(is func(low, high, place uint32)) {
		for i, t := range tin.Triangles {
			for k := range uint32(3) {
				a, b := number[t[k]], number[t[(k+1)%3]]
				is(min(a, b), max(a, b), 4*uint32(i)+k)
			}
		}
	}
	each(func(low, _, _ uint32) { first[low+1]++ })
	for n := 1; n < len(first); n++ {
		first[n] += first[n-1]
	}
	sides := make([]uint64, first[len(first)-1])
	next := slices.Clone(first)
	each(func(low, high, place uint32) {
		sides[next[low]] = uint64(high)<<32 | uint64(place)
		next[low]++
	})
	for n := range count {
		list := sides[first[n]:first[n+1]]
		slices.Sort(list)
		for i := 0; i < len(list); {
			end := i + 1
			for end < len(list) && list[end]>>32 == list[i]>>32 {
				end++
			}
			if place := uint32(list[i]); end == i+1 {
				f.borders[place/4] |= 1 << (place % 4)
			}
			i = end
		}
	}
}

// numbered numbers the points of vertices: vertices above each other have one number. The table of points has a free slot
// behind each run of taken ones.
func numbered(vertices []lattice.Vertex) (number []uint32, count int) {
	number = make([]uint32, len(vertices))
	slots := make([]uint32, 1<<bits.Len(uint(2*len(vertices)))) // the first vertex of a point, from 1 on
	for i, v := range vertices {
		h := (uint64(uint32(v.X))<<32 | uint64(uint32(v.Y))) * 0x9e3779b97f4a7c15
		at := int(h >> 32)
		for {
			at &= len(slots) - 1
			if slots[at] == 0 {
				slots[at] = uint32(i) + 1
				number[i] = uint32(count)
				count++
				break
			}
			if other := slots[at] - 1; vertices[other].Point == v.Point {
				number[i] = number[other]
				break
			}
			at++
		}
	}
	return number, count
}

// near appends the triangles that touch a box, and some beside the box, in the order of the floor.
func (f *Floor) near(ground []face, box lattice.Box) []face {
	var room [64]uint32
	for _, i := range f.surface.Near(box, room[:0]) {
		g := face{corners: f.surface.Triangle(i), border: f.borders[i]}
		g.low, g.high = heightsOf(&g.corners)
		ground = append(ground, g)
	}
	return ground
}

// face is a triangle of a floor, counter-clockwise from above.
type face struct {
	corners   [3]lattice.Vertex
	low, high int32 // the range of its heights that matters
	border    uint8 // bit k: no other triangle is beyond the side from corner k
}

// strays reports whether a strip beside one of two faces is over the other face.
func (g *face) strays(h *face) bool {
	if g.border|h.border == 0 || !g.box().Grown(margin).Overlaps(h.box()) {
		return false
	}
	a, b := g.ring(), h.ring()
	return !apart(a[:], b[:], margin) && !apart(b[:], a[:], margin) && (g.isOver(b[:]) || h.isOver(a[:]))
}

// isOver reports whether a strip beside a face is over another face.
func (g *face) isOver(ring []lattice.Point) bool {
	for k := range g.corners {
		if g.border>>k&1 == 0 {
			continue
		}
		a, b := g.corners[k].Point, g.corners[(k+1)%3].Point
		s := floorSide{a: a, b: b, from: a, to: b}
		if strip := s.strip(); !apart(ring, strip[:], 0) && !apart(strip[:], ring, 0) {
			return true
		}
	}
	return false
}

// apart reports whether all of a convex ring is beyond a side of another, as far as a distance or farther.
func apart(ring, other []lattice.Point, distance int64) bool {
	a := ring[len(ring)-1]
	for _, b := range ring {
		dx, dy := b.Sub(a)
		limit := -distance * (max(dx, -dx) + max(dy, -dy))
		if !slices.ContainsFunc(other, func(p lattice.Point) bool { return lattice.Orient(a, b, p) > limit }) {
			return true
		}
		a = b
	}
	return false
}

func (g *face) ring() [3]lattice.Point {
	return [3]lattice.Point{g.corners[0].Point, g.corners[1].Point, g.corners[2].Point}
}

func (g *face) box() lattice.Box {
	a, b, c := &g.corners[0], &g.corners[1], &g.corners[2]
	return lattice.Box{
		Min: lattice.Point{X: min(a.X, b.X, c.X), Y: min(a.Y, b.Y, c.Y)},
		Max: lattice.Point{X: max(a.X, b.X, c.X), Y: max(a.Y, b.Y, c.Y)},
	}
}

// spot is a place that is not rounded, from the first corner of a triangle.
type spot struct{ x, y float64 }

// margin is how far beyond a ring a triangle still counts as within, in lattice units: a strip along its side, and rounding.
const margin = beyond + 4

// narrow bounds the range of heights to those within a convex ring, and reports whether the face comes within the ring. The
// face is clipped side by side, after I. E. Sutherland and G. W. Hodgman, Reentrant polygon clipping, CACM 17 (1974). Time
// O(n) for n sides.
func (g *face) narrow(ring lattice.Ring) bool {
	var room, spare [12]spot
	part, next := room[:0], spare[:0]
	from := g.corners[0].Point
	for i := range g.corners {
		x, y := g.corners[i].Sub(from)
		part = append(part, spot{float64(x), float64(y)})
	}
	b := ring[len(ring)-1]
	for _, c := range ring {
		// The part on the left of the side from b to c.
		a := b
		b = c
		ix, iy := b.Sub(a)
		dx, dy := float64(ix), float64(iy)
		ix, iy = from.Sub(a)
		x, y := float64(ix), float64(iy)
		limit := -margin * (math.Abs(dx) + math.Abs(dy))
		next = next[:0]
		p := part[len(part)-1]
		off := float64(dx*(p.y+y)) - float64(dy*(p.x+x)) - limit
		for _, q := range part {
			before, old := off, p
			off, p = float64(dx*(q.y+y))-float64(dy*(q.x+x))-limit, q
			if (before < 0) != (off < 0) {
				share := before / (before - off)
				next = append(next, spot{old.x + float64(share*(p.x-old.x)), old.y + float64(share*(p.y-old.y))})
			}
			if off >= 0 {
				next = append(next, p)
			}
		}
		if len(next) == 0 {
			return false
		}
		part, next = next, part
	}
	plane := planeOf(&g.corners)
	least, most := math.Inf(1), math.Inf(-1)
	for _, p := range part {
		z := float64(plane.gx*p.x) + float64(plane.gy*p.y)
		least, most = min(least, z), max(most, z)
	}
	z := float64(g.corners[0].Z)
	g.low = max(g.low, int32(max(math.Floor(z+least)-1, math.MinInt32)))
	g.high = min(g.high, int32(min(math.Ceil(z+most)+1, math.MaxInt32)))
	return true
}
