package footprints

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// sphere is a Volume in lattice units.
type sphere struct {
	at       lattice.Vertex
	radius   int64
	solid    bool
	strength float64
}

// box returns the box around a sphere.
func (s *sphere) box() (b boxtree.Box[int32]) {
	clamp := func(c int64) int32 { return int32(min(max(c, math.MinInt32), math.MaxInt32)) }
	for a, c := range [3]int32{s.at.X, s.at.Y, s.at.Z} {
		b.Low[a], b.High[a] = clamp(int64(c)-s.radius), clamp(int64(c)+s.radius)
	}
	return b
}

// nearest16 is the part of a radius below which a distance counts as that part.
const nearest16 = 16

// weight returns the weight of a sphere at a centroid, and whether the centroid is in the sphere: the strength times radius over
// distance.
func (s *sphere) weight(at lattice.Vertex) (weight float64, in bool) {
	dz := int64(at.Z) - int64(s.at.Z)
	if away := int64(at.Distance2(s.at.Point)) + dz*dz; away >= 0 && away <= s.radius*s.radius {
		return float64(s.strength * (float64(s.radius) / max(math.Sqrt(float64(away)), float64(s.radius)/nearest16))), true
	}
	return 0, false
}

// touches reports whether a sphere meets the box of a polygon.
func (n *node) touches(s *sphere) bool {
	sum := int64(0)
	for a, c := range [3]int32{s.at.X, s.at.Y, s.at.Z} {
		d := max(int64(n.low[a])-int64(c), int64(c)-int64(n.high[a]), 0)
		if d > s.radius {
			return false
		}
		sum += d * d
	}
	return sum <= s.radius*s.radius
}

// small reports whether the longer side of a polygon's box, seen from above, is below the threshold.
func (n *node) small(threshold int64) bool {
	return max(int64(n.high[0])-int64(n.low[0]), int64(n.high[1])-int64(n.low[1])) < threshold
}

// subdivide is algorithm 11: it divides a polygon under a sphere, and the sub-polygons under the sphere, and reports whether there
// are new ones.
func (f *Field) subdivide(id int32, s *sphere) (bool, error) {
	if !f.nodes[id].touches(s) {
		return false, nil
	}
	if f.nodes[id].children == nil {
		if f.nodes[id].small(f.smallest) || !f.nodes[id].halves() {
			return false, nil
		}
		if len(f.nodes)-len(f.free)+len(f.nodes[id].ring) > f.most {
			return false, ErrTooLarge
		}
		f.split(id)
		for _, c := range f.nodes[id].children {
			if _, err := f.subdivide(c, s); err != nil {
				return true, err
			}
		}
		return true, nil
	}
	divided := false
	for _, c := range f.nodes[id].children {
		more, err := f.subdivide(c, s)
		divided = divided || more
		if err != nil {
			return divided, err
		}
	}
	return divided, nil
}

// halves reports whether all edges have a middle, and the quads of a division have area.
func (n *node) halves() bool {
	for k, p := range n.ring {
		q, before := n.ring[(k+1)%len(n.ring)], n.ring[(k+len(n.ring)-1)%len(n.ring)]
		m, l := half(p, q), half(before, p)
		if m.Point == p.Point || m.Point == q.Point || n.sides[k].to-n.sides[k].low < 2 ||
			lattice.Orient(p.Point, m.Point, n.middle.Point) <= 0 || lattice.Orient(n.middle.Point, l.Point, p.Point) <= 0 {
			return false
		}
	}
	return true
}

// split divides a polygon into a quad for each corner.
func (f *Field) split(id int32) {
	f.stats.Divided++
	ring, sides, c, root := f.nodes[id].ring, f.nodes[id].sides, f.nodes[id].middle, f.nodes[id].root
	n := len(ring)
	spoke := f.roots[root].lines // spoke k from the middle of edge k to the centroid
	f.roots[root].lines += int32(n)
	children := make([]int32, n)
	for k, v := range ring {
		before := (k + n - 1) % n
		quad := []lattice.Vertex{v, half(v, ring[(k+1)%n]), c, half(ring[before], v)}
		parts := []side{
			halved(sides[k], true),
			{line: spoke + int32(k), to: whole},
			{line: spoke + int32(before), to: whole, back: true},
			halved(sides[before], false),
		}
		children[k] = f.add(newNode(quad, parts, root, id))
	}
	f.nodes[id].children = children
}

// halved returns the half of a side at the start or at the end, in the direction of the ring.
func halved(s side, start bool) side {
	m := s.low + (s.to-s.low)/2
	if start != s.back {
		s.to = m
	} else {
		s.low = m
	}
	return s
}

// add gives a node an id.
func (f *Field) add(n node) int32 {
	f.stats.Made++
	if k := len(f.free) - 1; k >= 0 {
		id := f.free[k]
		f.free = f.free[:k]
		n.arcs = f.nodes[id].arcs[:0]
		f.nodes[id] = n
		return id
	}
	f.nodes = append(f.nodes, n)
	return int32(len(f.nodes) - 1)
}

// Locate is the source's FindHighDetailNode: the deepest polygon with a place, nearest in height; ok is false off the polygons. Of several
// polygons with the place on their borders the answer is the first.
func (f *Field) Locate(at lattice.Vertex) (id int32, ok bool) {
	over := column(at.Point)
	f.found = f.tree.IDs(&over, f.found[:0])
	best := int32(-1)
	least := int64(0)
	for _, root := range f.found {
		if !f.nodes[root].contains(at.Point) {
			continue
		}
		off := f.nodes[root].heightAt(at.Point) - int64(at.Z)
		if off = max(off, -off); best < 0 || off < least {
			best, least = root, off
		}
	}
	if best < 0 {
		return -1, false
	}
	return f.descend(best, at.Point), true
}

// heightAt returns the height of a polygon at a point, on the fan of triangles from the first corner.
func (n *node) heightAt(p lattice.Point) int64 {
	o := n.ring[0]
	for k := 2; k < len(n.ring); k++ {
		a, b := n.ring[k-1], n.ring[k]
		whole := lattice.Orient(o.Point, a.Point, b.Point)
		u, v := lattice.Orient(o.Point, p, b.Point), lattice.Orient(o.Point, a.Point, p)
		if whole > 0 && u >= 0 && v >= 0 && u+v <= whole {
			w := float64(whole)
			return int64(float64(o.Z) + float64(float64(u)/w*float64(int64(a.Z)-int64(o.Z))) + float64(float64(v)/w*float64(int64(b.Z)-int64(o.Z))))
		}
	}
	return int64(n.middle.Z)
}

// column is the box of all heights over a point.
func column(p lattice.Point) boxtree.Box[int32] {
	return boxtree.Box[int32]{Low: [3]int32{p.X, p.Y, math.MinInt32}, High: [3]int32{p.X, p.Y, math.MaxInt32}}
}

// descend walks down to the deepest polygon with a point. A rounded middle may leave a point of the polygon beside all quads; then
// the quad with the nearest centroid is taken.
func (f *Field) descend(id int32, p lattice.Point) int32 {
	for f.nodes[id].children != nil {
		next, near := int32(-1), int64(0)
		for _, c := range f.nodes[id].children {
			if f.nodes[c].contains(p) {
				next = c
				break
			}
			if d := f.nodes[c].middle.Distance2(p); next < 0 || int64(d) < near {
				next, near = c, int64(d)
			}
		}
		id = next
	}
	return id
}

// contains reports whether a point is in a polygon, seen from above, border included.
func (n *node) contains(p lattice.Point) bool {
	for k, a := range n.ring {
		if lattice.Orient(a.Point, n.ring[(k+1)%len(n.ring)].Point, p) < 0 {
			return false
		}
	}
	return true
}
