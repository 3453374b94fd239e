package navmesh

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// gap is the wall between a portal of a region and the next portal, as a polyline along the border. A gap may be a
// single point, or empty where the portals meet at a vertex inside the floor.
type gap []lattice.Point

// sides returns the number of segments of the polyline; a single point counts as a segment.
func (g gap) sides() int { return max(len(g)-1, min(len(g), 1)) }

// gaps returns the gap after every portal of region i, counter-clockwise.
func (t *Tile) gaps(i int, f fans) []gap {
	r := &t.Regions[i]
	k := r.PortalCount
	out := make([]gap, k)
	for j := range k {
		p := r.FirstPortal + j
		next := r.FirstPortal + (j+1)%k
		a, b := &t.Portals[p], &t.Portals[next]
		if a.Left == b.Right {
			if !f.closed[next] {
				out[j] = gap{t.Vertices[a.Left].Point}
			}
			continue
		}
		out[j] = t.border(i, a, b)
	}
	return out
}

// border returns the border of region i from the left end of portal a to the right end of b.
func (t *Tile) border(i int, a, b *Portal) gap {
	corners := t.RegionCorners(i)
	n := uint32(len(corners))
	g := gap{t.Vertices[a.Left].Point}
	// From the edge of a to the edge of b; all the way around if b lies before a on the same edge.
	steps := (b.Edge + n - a.Edge) % n
	if steps == 0 && t.before(corners[a.Edge], b.Right, a.Left) {
		steps = n
	}
	for s := uint32(1); s <= steps; s++ {
		if v := corners[(a.Edge+s)%n]; v != a.Left && v != b.Right {
			g = append(g, t.Vertices[v].Point)
		}
	}
	return append(g, t.Vertices[b.Right].Point)
}

// before reports whether u is nearer than v to the start of their common edge.
func (t *Tile) before(start, u, v uint32) bool {
	s := t.Vertices[start].Point
	return s.Distance2(t.Vertices[u].Point) < s.Distance2(t.Vertices[v].Point)
}

// passages appends the bottleneck tree of a region with the given gaps.
//
// A disc that moves from one portal to another inside a convex region has some gaps on its left and the others on its
// right. The disc fits through if and only if it fits between each left and each right gap. Between two gaps of
// distance D a disc of radius D/2 fits, because the middle of the shortest connection is inside the region too. Hence
// the pair of gaps with the smallest D is the bottleneck of all portals that the pair separates. The next pair is the
// bottleneck of the portals that it separates among portals still together, and so on: sorting the pairs gives the
// tree.
func (b *bottlenecks) passages(to []Passage, gaps []gap) []Passage {
	k := len(gaps)
	switch k {
	case 0, 1:
		return to
	case 2:
		return append(to, Passage{A: 0, B: 1, Clearance: halfDistance(gaps[0], gaps[1])})
	}
	b.cuts = b.cuts[:0]
	for i := range k {
		for j := i + 1; j < k; j++ {
			if c := halfDistance(gaps[i], gaps[j]); c != Unbounded {
				b.cuts = append(b.cuts, cut{int32(i), int32(j), c})
			}
		}
	}
	slices.SortStableFunc(b.cuts, func(x, y cut) int { return cmp.Compare(x.clearance, y.clearance) })

	// The sets of portals, set by set, and the ends of the sets; sets of one portal are done.
	b.portals, b.ends = b.portals[:0], append(b.ends[:0], k)
	for j := range k {
		b.portals = append(b.portals, uint32(j))
	}
	missing := k - 1
	for _, c := range b.cuts {
		if missing == 0 {
			break
		}
		first := 0
		b.next = b.next[:0]
		for _, end := range b.ends {
			set := b.portals[first:end]
			b.out = b.out[:0]
			in := 0
			for _, p := range set {
				if c.a < int32(p) && int32(p) <= c.b {
					set[in] = p
					in++
				} else {
					b.out = append(b.out, p)
				}
			}
			copy(set[in:], b.out)
			if in > 0 && len(b.out) > 0 {
				to = append(to, Passage{A: min(set[0], set[in]), B: max(set[0], set[in]), Clearance: c.clearance})
				b.next = append(b.next, first+in)
				missing--
			}
			b.next = append(b.next, end)
			first = end
		}
		b.ends, b.next = b.next, b.ends
	}
	first := 0
	for _, end := range b.ends {
		for j := first; j < end-1; j++ {
			to = append(to, Passage{A: b.portals[j], B: b.portals[j+1], Clearance: Unbounded})
		}
		first = end
	}
	return to
}

// bottlenecks is the memory for computing the trees of regions.
type bottlenecks struct {
	cuts         []cut
	portals, out []uint32
	ends, next   []int
}

// cut is a pair of gaps, with half of their distance.
type cut struct{ a, b, clearance int32 }

// halfDistance returns half the distance of two gaps, rounded down; Unbounded if one is empty.
func halfDistance(a, b gap) int32 {
	best := Unbounded
	for i := range a {
		for j := range b.sides() {
			best = halfToSegment(best, a[i], b[j], b[min(j+1, len(b)-1)])
		}
	}
	for j := range b {
		for i := range a.sides() {
			best = halfToSegment(best, b[j], a[i], a[min(i+1, len(a)-1)])
		}
	}
	return best
}

// halfToSegment returns half the distance of p to the segment from a to b, rounded down exactly, but at most best.
func halfToSegment(best int32, p, a, b lattice.Point) int32 {
	// A cheap test first: most distances are far above best and need no exact value.
	s := sightOf(a, b)
	if d, limit := s.distance2(float64(p.X), float64(p.Y)), 2*float64(best); d > float64(limit*limit)*(1+1e-9)+1 {
		return best
	}
	d2 := lattice.SegmentDistance2(p, a, b)
	return min(best, largest(int64(d2.Sqrt()/2), func(r int64) bool { return d2.CompareInt(uint64(4*r*r)) >= 0 }))
}

// largest returns the largest number that fits, starting from a guess within a few units.
func largest(guess int64, fits func(int64) bool) int32 {
	for guess > 0 && !fits(guess) {
		guess--
	}
	for fits(guess + 1) {
		guess++
	}
	return int32(guess)
}
