package overlay

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// Polygons returns what a rule holds for, as polygons without faults, in the order of their smallest
// points; rings start at theirs. Vertices in the middle of a straight run are left out, except where
// rings of the result touch.
func (a *Arrangement) Polygons(holds Rule) []lattice.Polygon {
	outlines := a.Outlines(holds, nil)
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
	b := a.border(holds, s)
	b.rings(s)
	if label != nil {
		b.label(label)
	}
	outlines := b.assemble(s)
	s.release()
	return outlines
}

// label asks for the labels of all edges of the border.
func (b *border) label(label func(from, to lattice.Point, right Winding) int32) {
	a := b.a
	b.labels = make([]int32, len(b.side))
	above := make(Winding, a.inputs)
	for e, s := range b.side {
		right := a.Beneath(int32(e))
		switch s {
		case 0:
			continue
		case -1:
			for k, x := range a.across[e*a.inputs:][:a.inputs] {
				above[k] = right[k] + x
			}
			right = above
		}
		b.labels[e] = label(a.points[b.from(int32(e))], a.points[b.to(int32(e))], right)
	}
}

// border is the border of a result: the edges that have it on one side.
type border struct {
	a *Arrangement
	// side tells for every edge where the result is: +1 above, -1 beneath, 0 for edges that are not
	// in the border.
	side []int8
	// out lists the edges of the border by the vertex that they leave, with the result on their left:
	// those of vertex v are out[first[v]:first[v+1]].
	out, first []int32
	ring       []int32 // the ring of each edge
	labels     []int32 // of each edge, nil where nobody labels
}

func (a *Arrangement) border(holds Rule, s *borderScratch) *border {
	s.side, s.first, s.ring = zeros(s.side, len(a.edges)), zeros(s.first, len(a.points)+1), sized(s.ring, len(a.edges))
	b := &border{a: a, side: s.side, first: s.first, ring: s.ring}
	above := make(Winding, a.inputs)
	for e := range a.edges {
		below := a.Beneath(int32(e))
		for k, x := range a.across[e*a.inputs:][:a.inputs] {
			above[k] = below[k] + x
		}
		switch under, over := holds(below), holds(above); {
		case over && !under:
			b.side[e] = 1
		case under && !over:
			b.side[e] = -1
		default:
			continue
		}
		b.first[b.from(int32(e))+1]++
	}
	for v := range a.points {
		b.first[v+1] += b.first[v]
	}
	s.out = sized(s.out, int(b.first[len(a.points)]))
	b.out = s.out
	s.next = append(s.next[:0], b.first[:len(a.points)]...)
	next := s.next
	for e, s := range b.side {
		if s != 0 {
			v := b.from(int32(e))
			b.out[next[v]] = int32(e)
			next[v]++
		}
	}
	return b
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

// next returns the edge that follows e around the piece of the result on its left: of the edges that
// leave the end of e the first clockwise from e.
func (b *border) next(e int32) int32 {
	v := b.to(e)
	out := b.out[b.first[v]:b.first[v+1]]
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

// rings walks along the border and cuts every walk where it comes back to a vertex, which makes the
// rings simple. Rings are in the order of their smallest points, of those in one point from the lowest up,
// and start there.
func (b *border) rings(s *borderScratch) {
	rings, loops := s.rings[:0], s.loops[:0]
	s.done, s.place = zeros(s.done, len(b.side)), zeros(s.place, len(b.a.points))
	done, place := s.done, s.place // place: one more than where in the walk a vertex was left
	walk := s.walk[:0]
	for e, s := range b.side {
		if s == 0 || done[e] {
			continue
		}
		for at := int32(e); !done[at]; at = b.next(at) {
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

// lowest returns the lower edge of a ring at its smallest point. Edges are numbered from the lowest up
// where they start in one point.
func lowest(r []int32) int32 { return min(r[0], r[len(r)-1]) }

// rotate makes element i the first.
func rotate(r []int32, i int) {
	slices.Reverse(r[:i])
	slices.Reverse(r[i:])
	slices.Reverse(r)
}

// assemble gives every hole to the outer ring around it. Beneath the smallest point of a hole is the
// polygon that it is a hole of, and beneath that is one of the polygon's edges.
func (b *border) assemble(s *borderScratch) []Outline {
	// The edge of the border next beneath each edge.
	s.beneath = sized(s.beneath, len(b.side))
	beneath := s.beneath
	for e, u := range b.a.under {
		if u >= 0 && b.side[u] == 0 {
			u = beneath[u]
		}
		beneath[e] = u
	}
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
			of[i] = of[b.ring[beneath[last]]] // an earlier ring: it starts further left or lower
		}
		p := &polygons[of[i]]
		p.Rings = append(p.Rings, points)
		if b.labels != nil {
			p.Labels = append(p.Labels, labels)
		}
	}
	return polygons
}

// points returns the points of a ring, without those in the middle of straight runs that no other
// ring of the border visits, and the labels of its edges.
func (b *border) points(r []int32) (ring lattice.Ring, labels []int32) {
	ring = make(lattice.Ring, 0, len(r))
	for i, e := range r {
		before := r[(i+len(r)-1)%len(r)]
		v := b.from(e)
		same := b.labels == nil || b.labels[e] == b.labels[before]
		if same && b.first[v+1]-b.first[v] == 1 &&
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
