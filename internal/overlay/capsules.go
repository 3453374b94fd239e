package overlay

import (
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// A moved border crosses itself often where the border has details smaller than the distance, nearly always
// in places far from the border of the result. Such stretches are shortened before the arrangement.
//
// The points within the distance of an edge of the polygons, its capsule, are outside the result, and a
// capsule is convex. So a stretch of the moved border inside a capsule may be replaced by its chord: winding
// numbers change only inside the capsule, and keep their values in the result. Inside the capsule they may
// reach the value of the result, which makes false polygons: all their points are in capsules, which
// identifies them.

// inner is how far, in units, stretches that are replaced keep from the border of their capsule: far more
// than rounding moves anything.
const inner = 4

// roomy returns the polygons that may have room for a disc, by the width of their boxes and their areas. All
// points of other polygons are nearer to the border than the radius.
func roomy(polygons []lattice.Polygon, radius float64) []lattice.Polygon {
	return slices.DeleteFunc(slices.Clone(polygons), func(p lattice.Polygon) bool {
		w, h := p.Box().Size()
		return float64(min(w, h)) < 2*radius || float64(p.Area2()) < 2*math.Pi*float64(radius*radius)
	})
}

// capsules are the edges of polygons, long ones without their middle, in a table of square cells by their
// middles.
type capsules struct {
	radius float64
	edges  []capsule
	heads  []int32 // the first edge of each list, one more than its number
	shift  uint32  // cells are 1<<shift units wide
	found  []int32
}

// capsule is an edge by start, direction and length.
type capsule struct {
	x, y, dx, dy, length float64
	column, row          int32
	next                 int32 // in its list, its number plus one
}

func newCapsules(polygons []lattice.Polygon, radius float64) *capsules {
	// Edges are at most two radii long, so no middle is farther than a cell's width from a place in its capsule.
	c := &capsules{radius: radius, shift: uint32(bits.Len32(uint32(2 * radius)))}
	n := 0
	for _, p := range polygons {
		n += p.Len()
	}
	c.edges = make([]capsule, 0, n+n/2)
	for _, p := range polygons {
		for _, r := range p.Rings {
			for i, a := range r {
				c.add(a, r[(i+1)%len(r)])
			}
		}
	}
	c.heads = make([]int32, 2<<bits.Len(uint(len(c.edges))))
	for i := range c.edges {
		e := &c.edges[i]
		at := &c.heads[c.list(e.column, e.row)]
		e.next = *at
		*at = int32(i) + 1
	}
	return c
}

// add appends an edge, or its two ends. The part between is near few others.
func (c *capsules) add(a, b lattice.Point) {
	dx, dy := b.Sub(a)
	e := capsule{x: float64(a.X), y: float64(a.Y), dx: float64(dx), dy: float64(dy)}
	e.length = math.Sqrt(float64(e.dx*e.dx) + float64(e.dy*e.dy))
	e.dx /= e.length
	e.dy /= e.length
	if e.length <= 2*c.radius {
		c.append(e)
		return
	}
	first, last := e, e
	first.length = c.radius
	by := e.length - c.radius
	last.x += float64(by * e.dx)
	last.y += float64(by * e.dy)
	last.length = c.radius
	c.append(first)
	c.append(last)
}

func (c *capsules) append(e capsule) {
	e.column = c.cell(e.x + float64(e.dx*e.length/2))
	e.row = c.cell(e.y + float64(e.dy*e.length/2))
	c.edges = append(c.edges, e)
}

func (c *capsules) cell(x float64) int32 { return int32(math.Floor(x)) >> c.shift }

// list returns the list that a cell's edges are in, among others.
func (c *capsules) list(column, row int32) uint32 {
	h := uint32(column)*0x9e3779b1 ^ uint32(row)*0x85ebca6b
	return (h ^ h>>15) & uint32(len(c.heads)-1)
}

// holds reports whether a place is nearer to an edge than a radius.
func (e *capsule) holds(p lattice.Point, radius float64) bool {
	x, y := float64(p.X)-e.x, float64(p.Y)-e.y
	along := float64(x*e.dx) + float64(y*e.dy)
	across := float64(x*e.dy) - float64(y*e.dx)
	switch {
	case along < 0:
	case along > e.length:
		along -= e.length
	default:
		along = 0
	}
	return float64(along*along)+float64(across*across) < float64(radius*radius)
}

// around returns the edges that are nearer to a place than a radius. The slice is valid until the next call.
func (c *capsules) around(p lattice.Point, radius float64) []int32 {
	c.found = c.found[:0]
	column, row := p.X>>c.shift, p.Y>>c.shift
	for u := column - 1; u <= column+1; u++ {
		for v := row - 1; v <= row+1; v++ {
			for i := c.heads[c.list(u, v)]; i > 0; i = c.edges[i-1].next {
				if e := &c.edges[i-1]; e.column == u && e.row == v && e.holds(p, radius) {
					c.found = append(c.found, i-1)
				}
			}
		}
	}
	return c.found
}

// shorten replaces stretches of a moved ring by chords, each the longest from where the last one ends. It
// reuses the ring.
func (c *capsules) shorten(r lattice.Ring) lattice.Ring {
	radius := c.radius - inner
	out := r[:0]
	for i := 0; i < len(r); {
		out = append(out, r[i])
		in := c.around(r[i], radius) // and all points up to j
		j := i
		for j+1 < len(r) {
			kept := 0
			for _, e := range in {
				if c.edges[e].holds(r[j+1], radius) {
					in[kept] = e
					kept++
				}
			}
			if kept == 0 {
				break
			}
			in = in[:kept]
			j++
		}
		i = max(i+1, j)
	}
	return out
}

// outside returns the polygons outside all capsules.
func (c *capsules) outside(polygons []lattice.Polygon) []lattice.Polygon {
	out := polygons[:0]
	for _, p := range polygons {
		if len(c.around(p.Rings[0][0], c.radius-inner/2)) == 0 {
			out = append(out, p)
		}
	}
	return out
}
