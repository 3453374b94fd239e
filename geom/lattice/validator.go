package lattice

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/internal/unionfind"
)

// validator finds the faults of one polygon.
type validator struct {
	p       Polygon
	limit   int
	faults  []Fault
	touches [][]vertexRef // vertices of different rings at one position, in the order of points
}

func (v *validator) full() bool { return len(v.faults) >= v.limit }

func (v *validator) add(f Fault) {
	if !v.full() {
		v.faults = append(v.faults, f)
	}
}

// fault adds a fault at one point.
func (v *validator) fault(kind FaultKind, ring, point int, at Point) {
	v.add(Fault{Kind: kind, Ring: ring, Edge: point, OtherRing: -1, OtherEdge: -1, At: at})
}

// points looks for rings without points and coordinates out of range.
func (v *validator) points() {
	if len(v.p.Rings) == 0 {
		v.fault(NoRings, -1, -1, Point{})
	}
	for i, r := range v.p.Rings {
		if len(r) < 3 {
			at := Point{}
			if len(r) > 0 {
				at = r[0]
			}
			v.fault(TooFewPoints, i, -1, at)
		}
		for k, q := range r {
			if !inFrame(int64(q.X)) || !inFrame(int64(q.Y)) {
				v.fault(OutOfRange, i, k, q)
			}
		}
	}
}

// edge returns the ends of an edge.
func (v *validator) edge(e vertexRef) (a, b Point) {
	r := v.p.Rings[e.line]
	if e.index+1 == len(r) {
		return r[e.index], r[0]
	}
	return r[e.index], r[e.index+1]
}

// corner returns a vertex with its neighbours.
func (v *validator) corner(e vertexRef) (prev, at, next Point) {
	r := v.p.Rings[e.line]
	n := len(r)
	return r[(e.index+n-1)%n], r[e.index], r[(e.index+1)%n]
}

// meetings finds points that a ring visits twice, spikes, and rings that cross in a vertex of both; it notes
// where rings touch in vertices.
func (v *validator) meetings() {
	lines, base := make([]Line, len(v.p.Rings)), make([]int, len(v.p.Rings)+1)
	for i, r := range v.p.Rings {
		lines[i] = Line{Points: r, Closed: true}
		base[i+1] = base[i] + len(r)
		for k := range r {
			prev, at, next := v.corner(vertexRef{i, k})
			if Orient(prev, at, next) == 0 && Dot(at, prev, next) > 0 {
				v.fault(Spike, i, k, at)
			}
		}
	}
	for _, s := range findShared(lines, base) {
		distinct := s.vertices[:1:1]
		for k, a := range s.vertices[1:] {
			if b := s.vertices[k]; a.line == b.line {
				v.add(Fault{RepeatedPoint, a.line, b.index, a.line, a.index, s.at})
				continue
			}
			for _, b := range distinct {
				v.crossInVertex(b, a)
			}
			distinct = append(distinct, a)
		}
		if len(distinct) > 1 {
			v.touches = append(v.touches, distinct)
		}
		if v.full() {
			return
		}
	}
}

// crossInVertex adds a fault if the rings of a and b, vertices at one position, cross there.
func (v *validator) crossInVertex(a, b vertexRef) {
	prev, at, next := v.corner(a)
	from, _, to := v.corner(b)
	if InCone(from, prev, at, next) && !StrictlyInCone(from, prev, at, next) ||
		InCone(to, prev, at, next) && !StrictlyInCone(to, prev, at, next) {
		return // overlapping edges are found elsewhere
	}
	if InCone(from, prev, at, next) != InCone(to, prev, at, next) {
		v.add(Fault{Crossing, a.line, a.index, b.line, b.index, at})
	}
}

// fewEdges is the number of edges up to which comparing all pairs takes less time than a grid.
const fewEdges = 32

// contacts finds edges that cross, overlap or touch.
func (v *validator) contacts() {
	edges := make([]vertexRef, 0, v.p.Len())
	for i, r := range v.p.Rings {
		for k := range r {
			edges = append(edges, vertexRef{i, k})
		}
	}
	if len(edges) <= fewEdges {
		v.contactsOfPairs(edges)
	} else {
		v.contactsInGrid(edges)
	}
}

// contactsOfPairs is contacts for few edges.
func (v *validator) contactsOfPairs(edges []vertexRef) {
	for k := range edges {
		own := BoxOf(v.edge(edges[k]))
		for i := 0; i < k && !v.full(); i++ {
			if own.Overlaps(BoxOf(v.edge(edges[i]))) {
				v.contact(edges[i], edges[k])
			}
		}
	}
}

// contactsInGrid is contacts for any number of edges.
func (v *validator) contactsInGrid(edges []vertexRef) {
	box := func(i int) Box { return BoxOf(v.edge(edges[i])) }
	touches := func(i int, cell Box) bool {
		a, b := v.edge(edges[i])
		return touchesSegment(a, b, cell)
	}
	newGrid(len(edges), box, touches).forPairs(box, touches, func(i, k int) bool {
		v.contact(edges[min(i, k)], edges[max(i, k)])
		if v.full() {
			v.compact()
		}
		return !v.full()
	})
	v.compact()
}

// compact drops repeated faults: edges with several common cells meet several times.
func (v *validator) compact() {
	slices.SortFunc(v.faults, compareFaults)
	v.faults = slices.Compact(v.faults)
}

// contact adds a fault if the edges e and f meet and may not.
func (v *validator) contact(e, f vertexRef) {
	n := len(v.p.Rings[e.line])
	if e.line == f.line && (f.index-e.index == 1 || f.index-e.index == n-1) {
		return // neighbours can only form a spike
	}
	a, b := v.edge(e)
	c, d := v.edge(f)
	if a == b || c == d {
		return // a repeated point
	}
	switch SegmentContact(a, b, c, d) {
	case ProperCrossing:
		at, _ := LineIntersection(a, b, c, d)
		v.add(Fault{Crossing, e.line, e.index, f.line, f.index, at})
	case Overlap:
		v.add(Fault{Overlapping, e.line, e.index, f.line, f.index, higher(lower(a, b), lower(c, d))})
	case EndOnInterior:
		// The two edges of a vertex touch together: the fault has the edge that starts there.
		switch {
		case OnSegment(a, c, d):
			v.add(Fault{Touching, e.line, e.index, f.line, f.index, a})
		case OnSegment(c, a, b):
			v.add(Fault{Touching, f.line, f.index, e.line, e.index, c})
		}
	}
}

// orientations finds rings of the wrong orientation.
func (v *validator) orientations() {
	for i, r := range v.p.Rings {
		if (r.Area2() > 0) != (i == 0) {
			v.fault(WrongOrientation, i, -1, r[0])
		}
	}
}

// nesting finds holes outside the outer ring or inside another hole. No two edges meet here except in
// vertices, and orientations are right, so one point of a ring decides for all of it.
func (v *validator) nesting() {
	if len(v.p.Rings) == 1 {
		return
	}
	edges := make([]vertexRef, 0, v.p.Len())
	for i, r := range v.p.Rings {
		for k := range r {
			edges = append(edges, vertexRef{i, k})
		}
	}
	// The edges by their ranges of heights.
	index := newGrid(len(edges), func(i int) Box {
		a, b := v.edge(edges[i])
		return BoxOf(Point{0, a.Y}, Point{0, b.Y})
	}, nil)
	inside := make([]bool, len(v.p.Rings)) // by ring
	decided := make([]bool, len(v.p.Rings))
	var met []int // the rings for which either is set
	for h := 1; h < len(v.p.Rings) && !v.full(); h++ {
		at, next := v.p.Rings[h][0], v.p.Rings[h][1]
		for l, levels := uint(0), index.levels; levels != 0; l, levels = l+1, levels>>1 {
			if levels&1 == 0 {
				continue
			}
			bucket := index.at(l, 0, at.Y>>l)
			for k, i := range bucket {
				e := edges[i]
				// An edge with several cells in one bucket must count once.
				if e.line == h || decided[e.line] || uint(index.level[i]) != l || k > 0 && bucket[k-1] == i {
					continue
				}
				a, b := v.edge(e)
				switch crossesRay(at, a, b) {
				case rayCrossed:
					inside[e.line] = !inside[e.line]
				case rayOn:
					// A vertex of both rings: the first edge strictly on one side of the other ring decides. The left of a
					// hole is outside it.
					if b == at {
						e.index = (e.index + 1) % len(v.p.Rings[e.line])
					}
					from, _, to := v.corner(e)
					inside[e.line] = InCone(next, from, at, to) == (e.line == 0)
					decided[e.line] = true
				default:
					continue
				}
				met = append(met, e.line)
			}
		}
		if !inside[0] {
			v.fault(HoleOutside, h, -1, at)
		}
		slices.Sort(met)
		for _, other := range slices.Compact(met) {
			if inside[other] && inside[0] && other != 0 {
				v.add(Fault{NestedHole, h, -1, other, -1, at})
			}
		}
		for _, other := range met {
			inside[other], decided[other] = false, false
		}
		met = met[:0]
	}
}

// connection looks for rings that touch each other in a circle. Rings and the positions where they
// touch are the nodes of a graph; the inside is connected as long as it has no cycle.
func (v *validator) connection() {
	joined := unionfind.New(len(v.p.Rings) + len(v.touches))
	for i, touch := range v.touches {
		for _, e := range touch {
			if !joined.Union(int32(e.line), int32(len(v.p.Rings)+i)) {
				v.fault(Disconnected, e.line, e.index, v.p.Rings[e.line][e.index])
			}
		}
	}
}

func compareFaults(f, g Fault) int {
	return cmp.Or(cmp.Compare(f.Kind, g.Kind), cmp.Compare(f.Ring, g.Ring), cmp.Compare(f.Edge, g.Edge),
		cmp.Compare(f.OtherRing, g.OtherRing), cmp.Compare(f.OtherEdge, g.OtherEdge))
}
