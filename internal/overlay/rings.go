package overlay

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Polygons returns the area of a rule, as polygons without faults, in the order of their smallest points;
// rings start at theirs. Vertices in the middle of a straight run are left out, except where rings of the
// result touch.
func (a *Arrangement) Polygons(holds Rule) []lattice.Polygon {
	return polygonsOf(a.Outlines(holds, nil))
}

// polygonsOf returns the polygons of outlines, nil for none.
func polygonsOf(outlines []Outline) []lattice.Polygon {
	if len(outlines) == 0 {
		return nil
	}
	polygons := make([]lattice.Polygon, len(outlines))
	for i, o := range outlines {
		polygons[i] = o.Polygon
	}
	return polygons
}

// Outline is a polygon of a result and a label for each of its edges: Labels[r][i] is that of the edge
// from point i of ring r to the next. Labels is nil where nobody labels.
type Outline struct {
	lattice.Polygon
	Labels [][]int32
}

// Outlines is [Arrangement.Polygons] with labels: label gets every edge, walked with the result on the
// left, and the winding numbers on its right. Vertices between edges with different labels stay.
func (a *Arrangement) Outlines(holds Rule, label func(from, to lattice.Point, right Winding) int32) []Outline {
	s := borders.Get().(*borderScratch)
	s.all = s.all[:0]
	for e := range int32(len(a.edges)) {
		s.all = append(s.all, e)
	}
	outlines := a.outlinesAmong(s.all, holds, label, s)
	s.release()
	return outlines
}

// outlinesAmong is Outlines for a result whose whole border is among some edges, in ascending order. The other edges are not
// visited, except beneath holes.
func (a *Arrangement) outlinesAmong(edges []int32, holds Rule, label func(from, to lattice.Point, right Winding) int32, s *borderScratch) []Outline {
	b := a.border(edges, holds, s)
	b.rings(s)
	if label != nil {
		b.label(label, s)
	}
	outlines := b.assemble(s)
	b.forget(s)
	return outlines
}

// label asks for the labels of all edges of the border.
func (b *border) label(label func(from, to lattice.Point, right Winding) int32, s *borderScratch) {
	a := b.a
	s.labels = sized(s.labels, len(a.edges))
	b.labels = s.labels
	above := make(Winding, a.inputs)
	for _, e := range b.edges {
		right := a.Beneath(e)
		if b.side[e] < 0 {
			a.above(above, e)
			right = above
		}
		b.labels[e] = label(a.points[b.from(e)], a.points[b.to(e)], right)
	}
}

// border is the border of a result: the edges with the result on one side. Its slices by edge and by vertex are as long as the
// arrangement's, and only hold something for edges of the border and their ends.
type border struct {
	a     *Arrangement
	edges []int32 // ascending
	// side tells where the result is: +1 above an edge, -1 beneath, 0 for edges that are not in the border.
	side []int8
	// out lists the edges of the border by the vertex that they leave, with the result on their left:
	// those of vertex v are out[end[v]-count[v]:end[v]].
	out, end, count []int32
	ring            []int32 // the ring of each edge
	labels          []int32 // of each edge, nil where nobody labels
}

// border returns the border of a result among some edges.
func (a *Arrangement) border(among []int32, holds Rule, s *borderScratch) *border {
	s.grow(len(a.edges), len(a.points))
	b := &border{a: a, edges: s.edges[:0], side: s.side, end: s.end, count: s.count, ring: s.ring}
	above := make(Winding, a.inputs)
	nowhere := holds(above)
	whole := len(among) == len(a.edges) // then the places beneath an edge are those above an earlier edge
	for _, e := range among {
		under := nowhere
		if u := a.under[e]; !whole {
			under = holds(a.Beneath(e))
		} else if u >= 0 {
			under = s.over[u]
		}
		a.above(above, e)
		over := holds(above)
		s.over[e] = over
		switch {
		case over && !under:
			b.side[e] = 1
		case under && !over:
			b.side[e] = -1
		default:
			continue
		}
		b.count[b.from(e)]++
		b.edges = append(b.edges, e)
	}
	s.edges = b.edges
	s.out = sized(s.out, len(b.edges))
	b.out = s.out
	// The edges of a vertex get their room when the first of them comes.
	room := int32(0)
	for _, e := range b.edges {
		if v := b.from(e); s.place[v] == 0 {
			s.place[v] = 1
			b.end[v] = room
			room += b.count[v]
		}
	}
	for _, e := range b.edges {
		v := b.from(e)
		s.place[v] = 0
		b.out[b.end[v]] = e
		b.end[v]++
	}
	return b
}

// leaving lists the border edges that start at a vertex.
func (b *border) leaving(v int32) []int32 { return b.out[b.end[v]-b.count[v] : b.end[v]] }

// forget sets the scratch back to zero.
func (b *border) forget(s *borderScratch) {
	for _, e := range b.edges {
		b.count[b.from(e)] = 0
		s.done[e] = false
	}
	for _, e := range b.edges {
		b.side[e] = 0
	}
	for _, e := range s.visited {
		s.beneath[e] = 0
	}
	s.visited = s.visited[:0]
}

// from and to are the ends of an edge of the border, walked with the result on the left.
func (b *border) from(e int32) int32 {
	if b.side[e] < 0 {
		return b.a.edges[e].to
	}
	return b.a.edges[e].from
}

func (b *border) to(e int32) int32 {
	if b.side[e] < 0 {
		return b.a.edges[e].from
	}
	return b.a.edges[e].to
}

// next returns the edge after e around the piece of the result on e's left: the first edge clockwise from e
// at the end of e.
func (b *border) next(e int32) int32 {
	v := b.to(e)
	out := b.leaving(v)
	best := out[0]
	for _, o := range out[1:] {
		if b.sooner(v, b.from(e), b.to(o), b.to(best)) {
			best = o
		}
	}
	return best
}

// sooner reports whether, turning clockwise at v from the direction to u, one meets the direction to
// p before that to q.
func (b *border) sooner(v, u, p, q int32) bool {
	at := func(i int32) lattice.Point { return b.a.points[i] }
	half := func(w int32) bool { // within the first half turn clockwise
		o := lattice.Orient(at(v), at(u), at(w))
		return o < 0
	}
	if hp, hq := half(p), half(q); hp != hq {
		return hp
	}
	return lattice.Orient(at(v), at(p), at(q)) < 0
}

// rings walks along the border and cuts every walk where it comes back to a vertex, which makes the rings
// simple. Rings start at their smallest points and are in the order of these, at a common point from the
// lowest up.
func (b *border) rings(s *borderScratch) {
	rings, loops := s.rings[:0], s.loops[:0]
	done, place := s.done, s.place // place: one more than where in the walk a vertex was left
	walk := s.walk[:0]
	for _, e := range b.edges {
		for at := e; !done[at]; at = b.next(at) {
			done[at] = true
			place[b.from(at)] = int32(len(walk)) + 1
			walk = append(walk, at)
			if back := place[b.to(at)]; back > 0 {
				first := int32(len(loops))
				loops = append(loops, walk[back-1:]...)
				for _, l := range walk[back-1:] {
					place[b.from(l)] = 0
				}
				walk = walk[:back-1]
				rings = append(rings, loop{first, int32(len(loops))})
			}
		}
	}
	s.walk, s.rings, s.loops = walk, rings, loops
	for _, l := range rings {
		r := s.edgesOf(l)
		least := 0
		for i, e := range r {
			if b.from(e) < b.from(r[least]) {
				least = i
			}
		}
		rotate(r, least)
	}
	slices.SortFunc(rings, func(l, m loop) int {
		return cmp.Or(cmp.Compare(b.from(loops[l.first]), b.from(loops[m.first])), cmp.Compare(lowest(s.edgesOf(l)), lowest(s.edgesOf(m))))
	})
	for i, l := range rings {
		for _, e := range s.edgesOf(l) {
			b.ring[e] = int32(i)
		}
	}
}

// edgesOf returns the edges of a ring.
func (s *borderScratch) edgesOf(l loop) []int32 { return s.loops[l.first:l.end] }

// lowest returns the lower edge of a ring at its smallest point. Edges with the same start are numbered from
// the lowest up.
func lowest(r []int32) int32 { return min(r[0], r[len(r)-1]) }

// rotate makes element i the first.
func rotate(r []int32, i int) {
	slices.Reverse(r[:i])
	slices.Reverse(r[i:])
	slices.Reverse(r)
}

// assemble gives every hole to the outer ring around it. Beneath the smallest point of a hole is its polygon,
// and further beneath one of the polygon's edges.
func (b *border) assemble(s *borderScratch) []Outline {
	var polygons []Outline
	s.of = sized(s.of, len(s.rings)) // the polygon of each ring
	of := s.of
	for i, l := range s.rings {
		r := s.edgesOf(l)
		points, labels := b.points(r)
		// At its smallest point a ring has two edges to the right. Walking with the result on the left,
		// one leaves an outer ring's smallest point by the lower, a hole's by the upper.
		first, last := r[0], r[len(r)-1]
		if first < last {
			of[i] = int32(len(polygons))
			polygons = append(polygons, Outline{})
		} else {
			of[i] = of[b.ring[b.beneath(last, s)]] // an earlier ring: it starts further left or lower
		}
		p := &polygons[of[i]]
		p.Rings = append(p.Rings, points)
		if b.labels != nil {
			p.Labels = append(p.Labels, labels)
		}
	}
	return polygons
}

// beneath returns the border's edge next beneath an edge of the border. The scratch caches every edge on the way, so no edge is
// passed twice.
func (b *border) beneath(e int32, s *borderScratch) int32 {
	first := len(s.visited)
	u := b.a.under[e]
	for b.side[u] == 0 {
		if known := s.beneath[u]; known != 0 {
			u = known - 1
			break
		}
		s.visited = append(s.visited, u)
		u = b.a.under[u]
	}
	for _, v := range s.visited[first:] {
		s.beneath[v] = u + 1
	}
	return u
}

// points returns the points of a ring, without points inside straight runs that no other ring of the border
// visits, and the labels of its edges.
func (b *border) points(r []int32) (ring lattice.Ring, labels []int32) {
	ring = make(lattice.Ring, 0, len(r))
	for i, e := range r {
		before := r[(i+len(r)-1)%len(r)]
		v := b.from(e)
		same := b.labels == nil || b.labels[e] == b.labels[before]
		if same && b.count[v] == 1 &&
			lattice.Orient(b.a.points[b.from(before)], b.a.points[v], b.a.points[b.to(e)]) == 0 {
			continue
		}
		ring = append(ring, b.a.points[v])
		if b.labels != nil {
			labels = append(labels, b.labels[e])
		}
	}
	return ring, labels
}
