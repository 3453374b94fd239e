package footprint

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// Floor is a floor of triangles that footprints fall on: an order for questions, and the borders of the floor. A Floor never
// changes, and any number of goroutines may ask it.
type Floor struct {
	tin     *lattice.TIN
	tree    *boxtree.Tree[int32] // of the triangles with an area from above
	borders []uint8              // of each triangle: bit k tells that no other triangle is beyond the side from corner k
}

// NewFloor prepares a floor, which must not change any more. Triangles may face either way; upright ones are no floor.
// Time O(n log n).
func NewFloor(t *lattice.TIN) *Floor {
	f := &Floor{tin: t, borders: make([]uint8, len(t.Triangles))}
	boxes := make([]boxtree.Box[int32], len(t.Triangles))
	for i := range boxes {
		c := f.corners(int32(i))
		boxes[i] = boxtree.Box[int32]{
			Low:  [3]int32{min(c[0].X, c[1].X, c[2].X), min(c[0].Y, c[1].Y, c[2].Y), 0},
			High: [3]int32{max(c[0].X, c[1].X, c[2].X), max(c[0].Y, c[1].Y, c[2].Y), 0},
		}
	}
	f.tree = boxtree.New(boxes, func(i int) bool { return f.isFloor(int32(i)) })
	f.findBorders()
	return f
}

func (f *Floor) corners(i int32) (c [3]lattice.Vertex) {
	for k, v := range f.tin.Triangles[i] {
		c[k] = f.tin.Vertices[v]
	}
	return c
}

func (f *Floor) isFloor(i int32) bool {
	c := f.corners(i)
	return lattice.Orient(c[0].Point, c[1].Point, c[2].Point) != 0
}

// findBorders finds the sides that belong to one triangle only, as seen from above.
func (f *Floor) findBorders() {
	// Vertices above each other have one number.
	number := make([]uint32, len(f.tin.Vertices))
	known := make(map[lattice.Point]uint32, len(number))
	for i, v := range f.tin.Vertices {
		n, ok := known[v.Point]
		if !ok {
			n = uint32(len(known))
			known[v.Point] = n
		}
		number[i] = n
	}
	// Each side is in the list of the lesser of its ends: the other end, and the place of its bit.
	first := make([]uint32, len(known)+1)
	each := func(is func(low, high, place uint32)) {
		for i, t := range f.tin.Triangles {
			if !f.isFloor(int32(i)) {
				continue
			}
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
	for n := range len(known) {
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

// near appends the triangles whose boxes touch a box, in the order of the floor.
func (f *Floor) near(ground []face, box lattice.Box) []face {
	if box.IsEmpty() {
		return ground
	}
	var room [64]int32
	b := boxtree.Box[int32]{Low: [3]int32{box.Min.X, box.Min.Y, 0}, High: [3]int32{box.Max.X, box.Max.Y, 0}}
	for _, i := range f.tree.IDs(&b, room[:0]) {
		g := face{corners: f.corners(i), border: f.borders[i]}
		if c := &g.corners; lattice.Orient(c[0].Point, c[1].Point, c[2].Point) < 0 {
			// Of the sides 0, 1 and 2 the turned triangle has 2, 1 and 0.
			c[1], c[2] = c[2], c[1]
			g.border = g.border&2 | g.border&1<<2 | g.border>>2
		}
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

// spot is a place that is not rounded, from the first corner of a triangle.
type spot struct{ x, y float64 }

// margin is how far beyond a ring a triangle still counts as within, in lattice units: a strip along its side, and rounding.
const margin = beyond + 4

// narrow bounds the range of heights to those within a convex ring, and reports whether the face comes within the ring.
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
