package footprints

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/smooth"
)

// neighbours is algorithm 12: it appends the deepest polygons in a polygon whose borders overlap the border of a target. Link is the link
// between their original polygons, -1 if they have the same.
func (f *Field) neighbours(list []int32, in, target, link int32) []int32 {
	f.stats.Visited++
	n := &f.nodes[in]
	if link < 0 && !n.beside(&f.nodes[target]) || link >= 0 && !f.overlap(target, in, link) {
		return list
	}
	if n.children != nil {
		for _, c := range n.children {
			list = f.neighbours(list, c, target, link)
		}
		return list
	}
	if in != target && f.overlap(target, in, link) {
		list = append(list, in)
	}
	return list
}

// beside reports whether the boxes of two polygons touch, seen from above. Middles of edges are rounded: one unit is nothing.
func (n *node) beside(o *node) bool {
	return n.low[0] <= o.high[0]+1 && o.low[0] <= n.high[0]+1 && n.low[1] <= o.high[1]+1 && o.low[1] <= n.high[1]+1
}

// overlap reports whether the borders of two polygons have a common part of positive length.
func (f *Field) overlap(a, b, link int32) bool {
	if link < 0 {
		_, _, ok := f.spoke(a, b)
		return ok
	}
	_, _, ok := f.opening(a, b, link)
	return ok
}

// spoke returns the common part of the borders of two sub-polygons of an original polygon, as a walker from a to b sees the ends.
func (f *Field) spoke(a, b int32) (left, right lattice.Vertex, ok bool) {
	n, o := &f.nodes[a], &f.nodes[b]
	edges := int32(len(f.nodes[n.root].ring))
	for i, s := range n.sides {
		if s.line < edges {
			continue
		}
		for k, t := range o.sides {
			if s.line != t.line || s.low >= t.to || t.low >= s.to {
				continue
			}
			// Halves of halves: one side holds the other.
			if s.to-s.low <= t.to-t.low {
				return n.ring[(i+1)%len(n.ring)], n.ring[i], true
			}
			return o.ring[k], o.ring[(k+1)%len(o.ring)], true
		}
	}
	return left, right, false
}

// opening returns the common part of the borders of two polygons on the sides of a link, in shares of the link from A's first vertex.
func (f *Field) opening(a, b, link int32) (low, high float64, ok bool) {
	l := &f.links[link]
	d := [2]int64{int64(l.At[1].X) - int64(l.At[0].X), int64(l.At[1].Y) - int64(l.At[0].Y)}
	whole := d[0]*d[0] + d[1]*d[1]
	from, to := int64(0), whole
	for _, id := range [2]int32{a, b} {
		n := &f.nodes[id]
		edge := f.borderAt(n.root, link)
		first, last, has := int64(math.MaxInt64), int64(math.MinInt64), false
		for k, s := range n.sides {
			if s.line != edge {
				continue
			}
			has = true
			for _, p := range [2]lattice.Vertex{n.ring[k], n.ring[(k+1)%len(n.ring)]} {
				at := (int64(p.X)-int64(l.At[0].X))*d[0] + (int64(p.Y)-int64(l.At[0].Y))*d[1]
				first, last = min(first, at), max(last, at)
			}
		}
		if !has {
			return 0, 0, false
		}
		if n.parent >= 0 {
			from, to = max(from, first), min(to, last)
		}
	}
	return float64(from) / float64(whole), float64(to) / float64(whole), from < to
}

// borderAt returns the edge of an original polygon on which a link's stretch is.
func (f *Field) borderAt(root, link int32) int32 {
	r := &f.roots[root]
	return r.borderOf[slices.Index(r.links, link)]
}

// door appends the edges to cross from a polygon to a neighbour: a second one where the link leads over a gap or a step.
func (f *Field) door(list []smooth.Edge, a int32, to *arc) []smooth.Edge {
	if to.link < 0 {
		left, right, _ := f.spoke(a, to.to)
		return append(list, smooth.Edge{Left: left, Right: right})
	}
	l := &f.links[to.link]
	low, high, _ := f.opening(a, to.to, to.link)
	here := smooth.Edge{Left: between(l.At[0], l.At[1], high), Right: between(l.At[0], l.At[1], low)}
	there := smooth.Edge{Left: between(l.Over[1], l.Over[0], high), Right: between(l.Over[1], l.Over[0], low)}
	if f.nodes[a].root != l.A {
		here, there = smooth.Edge{Left: there.Right, Right: there.Left}, smooth.Edge{Left: here.Right, Right: here.Left}
	}
	if list = append(list, here); here != there {
		list = append(list, there)
	}
	return list
}

// between returns the point at a share of the way from a to b.
func between(a, b lattice.Vertex, share float64) lattice.Vertex {
	at := func(p, q int32) int32 {
		return int32(math.Floor(float64(p) + float64(share*float64(int64(q)-int64(p))) + 0.5))
	}
	return lattice.Vertex{Point: lattice.Point{X: at(a.X, b.X), Y: at(a.Y, b.Y)}, Z: at(a.Z, b.Z)}
}

// join makes an edge between two polygons, unless there is one.
func (f *Field) join(a, b, link int32) {
	for i := range f.nodes[a].arcs {
		if f.nodes[a].arcs[i].to == b {
			return
		}
	}
	f.stats.Edges++
	f.nodes[a].arcs = append(f.nodes[a].arcs, arc{to: b, link: link})
	f.nodes[b].arcs = append(f.nodes[b].arcs, arc{to: a, link: link})
}

// mark makes a polygon internally dirty, and its neighbours externally dirty.
func (f *Field) mark(root int32, inside bool) {
	r := &f.roots[root]
	if !r.inside && !r.outside {
		f.dirty = append(f.dirty, root)
	}
	if inside {
		r.inside = true
	} else {
		r.outside = true
	}
}

// restructure is the end of algorithm 14: algorithms 15 and 16, and the flags are off again.
func (f *Field) restructure() {
	slices.Sort(f.dirty)
	f.inside()
	f.outside()
	for _, root := range f.dirty {
		f.roots[root].inside, f.roots[root].outside = false, false
	}
	f.dirty = f.dirty[:0]
}

// inside is algorithm 15: new deepest sub-polygons of dirty polygons get their edges to others of the same polygon.
func (f *Field) inside() {
	var list []int32
	for _, root := range f.dirty {
		if !f.roots[root].inside {
			continue
		}
		f.leaves(root, func(id int32) {
			if f.nodes[id].linked {
				return
			}
			f.nodes[id].linked = true
			list = f.neighbours(list[:0], root, id, -1)
			for _, n := range list {
				f.join(id, n, -1)
			}
		})
	}
}

// outside is algorithm 16: the deepest sub-polygons of dirty polygons get their edges across links.
func (f *Field) outside() {
	var list []int32
	for _, root := range f.dirty {
		r := &f.roots[root]
		if !r.outside {
			continue
		}
		for k, link := range r.links {
			other := f.links[link].A + f.links[link].B - root
			f.along(root, r.borderOf[k], func(id int32) {
				list = f.neighbours(list[:0], other, id, link)
				for _, n := range list {
					f.join(id, n, link)
				}
			})
		}
	}
}

// along calls visit for the deepest polygons along an edge of an original polygon.
func (f *Field) along(id, edge int32, visit func(id int32)) {
	n := &f.nodes[id]
	if !slices.ContainsFunc(n.sides, func(s side) bool { return s.line == edge }) {
		return
	}
	if n.children == nil {
		visit(id)
		return
	}
	for _, c := range n.children {
		f.along(c, edge, visit)
	}
}
