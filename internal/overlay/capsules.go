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
//
// A hole whose whole moved border lies in capsules is left out altogether. Of dense holes, as of a grating, only those beside free
// floor are left, and the arrangement no longer has a crossing for each two holes near each other.

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
	last   int32 // the edge that covers found last
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
	// Edges next to each other enter far apart, so the head of each list has edges from all over the cell.
	stride := int(math.Sqrt(float64(len(c.edges)))) + 1
	for first := range stride {
		for i := first; i < len(c.edges); i += stride {
			e := &c.edges[i]
			at := &c.heads[c.list(e.column, e.row)]
			e.next = *at
			*at = int32(i) + 1
		}
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

// placeOf returns the place of a point.
func placeOf(p lattice.Point) vector { return vector{float64(p.X), float64(p.Y)} }

func (c *capsules) cell(x float64) int32 { return int32(math.Floor(x)) >> c.shift }

// list returns the list that a cell's edges are in, among others.
func (c *capsules) list(column, row int32) uint32 {
	h := uint32(column)*0x9e3779b1 ^ uint32(row)*0x85ebca6b
	return (h ^ h>>15) & uint32(len(c.heads)-1)
}

// holds reports whether a place is nearer to an edge than a radius.
func (e *capsule) holds(p vector, radius float64) bool {
	x, y := p.x-e.x, p.y-e.y
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
				if e := &c.edges[i-1]; e.column == u && e.row == v && e.holds(placeOf(p), radius) {
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
				if c.edges[e].holds(placeOf(r[j+1]), radius) {
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

// bury reports whether a moved hole may be left out. The moved border must lie in capsules, and so must all places whose winding
// number changes. The numbers change in the hole, beside its edges and around its corners:
//   - Places in the hole and beside its edges are in the capsules of the hole, if its edges are short and the hole is narrow.
//   - Around a convex corner, places beyond these capsules lie between the moved border and its tangents: each capsule that holds a
//     corner of the moved border and the ends of its tangents holds the places between.
//
// All capsules are smaller by twice the inner distance: places within this distance of the moved border are in such a capsule, too.
func (c *capsules) bury(hole, moved lattice.Ring) bool {
	if w, h := hole.Box().Size(); float64(min(w, h)) > 2*(c.radius-2*inner) {
		return false
	}
	for i, a := range hole {
		if a.Distance(hole[(i+1)%len(hole)]) > 2*c.radius {
			return false // only the ends have capsules
		}
	}
	n := len(moved)
	var behind vector // the end of the tangent behind the corner before
	for i := range n + 1 {
		at := placeOf(moved[i%n])
		before, after := at, at
		prev, next := placeOf(moved[(i+n-1)%n]), placeOf(moved[(i+1)%n])
		in, out := vector{at.x - prev.x, at.y - prev.y}, vector{next.x - at.x, next.y - at.y}
		if cross := float64(in.x*out.y) - float64(in.y*out.x); cross > 0 {
			inward, onward := math.Sqrt(in.dot(in)), math.Sqrt(out.dot(out))
			// The tangent of half the turn times the radius, and some more against rounding.
			tangent := float64(c.radius*cross)/(float64(inward*onward)+in.dot(out)) + inner
			before, after = at.along(prev, min(1, tangent/inward)), at.along(next, min(1, tangent/onward))
			if !c.covers(before, at, after) {
				return false
			}
		}
		if i > 0 && !c.coversAlong(behind, before) {
			return false
		}
		behind = after
	}
	return true
}

// coversAlong reports whether short pieces of a segment are each in a capsule that is smaller by twice the inner distance.
func (c *capsules) coversAlong(a, b vector) bool {
	d := vector{b.x - a.x, b.y - a.y}
	pieces := math.Ceil(math.Sqrt(d.dot(d)) / (c.radius / 2))
	for k := 0.0; k < pieces; k++ {
		from, to := a.along(b, k/pieces), a.along(b, (k+1)/pieces)
		if !c.covers(from, from, to) {
			return false
		}
	}
	return true
}

// around9 holds the steps from a cell to itself and to the cells beside.
var around9 = [9][2]int32{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}

// covers reports whether a capsule that is smaller by twice the inner distance holds three places. The capsule found last comes
// first: neighbours on a border mostly share one.
func (c *capsules) covers(p, q, r vector) bool {
	radius := c.radius - 2*inner
	holds := func(e *capsule) bool { return e.holds(p, radius) && e.holds(q, radius) && e.holds(r, radius) }
	if holds(&c.edges[c.last]) {
		return true
	}
	column, row := c.cell(p.x), c.cell(p.y)
	for _, step := range around9 {
		u, v := column+step[0], row+step[1]
		for i := c.heads[c.list(u, v)]; i > 0; i = c.edges[i-1].next {
			if e := &c.edges[i-1]; e.column == u && e.row == v && holds(e) {
				c.last = i - 1
				return true
			}
		}
	}
	return false
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
