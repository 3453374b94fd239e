package navmesh

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// gap is the part of a region's border between a portal and the next one: what is wall there.
// It is a polyline, or a single point, or empty when the portals meet at a vertex inside the floor.
type gap []lattice.Point

// sides returns the number of segments of the polyline; a single point is a segment too.
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
	// From the edge of a to that of b; all the way around when b lies before a on the same edge.
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

// before reports whether u is nearer than v to the start of the edge that both lie on.
func (t *Tile) before(start, u, v uint32) bool {
	s := t.Vertices[start].Point
	return s.Distance2(t.Vertices[u].Point) < s.Distance2(t.Vertices[v].Point)
}

// passages returns the bottleneck tree of a region with the given gaps.
//
// A disc that moves from one portal to another inside a convex region has some gaps on its left
// and the others on its right. It fits through iff it fits between each left and each right gap:
// where the distance of the two is D, a disc of radius D/2 does, because the middle of the
// shortest connection is inside the region too. So the pair of gaps with the smallest D is the
// bottleneck of all portals that it separates; the next smallest is that of the portals that it
// separates among those still together, and so on: the tree falls out of sorting the pairs.
func passages(gaps []gap) []Passage {
	k := len(gaps)
	if k < 2 {
		return nil
	}
	type cut struct {
		a, b      int
		clearance int32
	}
	var cuts []cut
	for a := range k {
		for b := a + 1; b < k; b++ {
			if c := halfDistance(gaps[a], gaps[b]); c != Unbounded {
				cuts = append(cuts, cut{a, b, c})
			}
		}
	}
	slices.SortStableFunc(cuts, func(x, y cut) int { return cmp.Compare(x.clearance, y.clearance) })

	tree := make([]Passage, 0, k-1)
	all := make([]uint32, k)
	for j := range all {
		all[j] = uint32(j)
	}
	together := [][]uint32{all} // the sets of at least two portals that nothing has separated yet
	for _, c := range cuts {
		if len(together) == 0 {
			break
		}
		var next [][]uint32
		for _, set := range together {
			var in, out []uint32
			for _, p := range set {
				if c.a < int(p) && int(p) <= c.b {
					in = append(in, p)
				} else {
					out = append(out, p)
				}
			}
			if len(in) == 0 || len(out) == 0 {
				next = append(next, set)
				continue
			}
			tree = append(tree, Passage{A: min(in[0], out[0]), B: max(in[0], out[0]), Clearance: c.clearance})
			for _, s := range [][]uint32{in, out} {
				if len(s) > 1 {
					next = append(next, s)
				}
			}
		}
		together = next
	}
	for _, set := range together {
		for j := range len(set) - 1 {
			tree = append(tree, Passage{A: set[j], B: set[j+1], Clearance: Unbounded})
		}
	}
	return tree
}

// halfDistance returns half the distance of two gaps, rounded down; Unbounded when one is empty.
func halfDistance(a, b gap) int32 {
	best := Unbounded
	for i := range a {
		for j := range b.sides() {
			best = min(best, halfToSegment(a[i], b[j], b[min(j+1, len(b)-1)]))
		}
	}
	for j := range b {
		for i := range a.sides() {
			best = min(best, halfToSegment(b[j], a[i], a[min(i+1, len(a)-1)]))
		}
	}
	return best
}

// halfToSegment returns half the distance of p to the segment from a to b, rounded down exactly.
func halfToSegment(p, a, b lattice.Point) int32 {
	d2 := lattice.SegmentDistance2(p, a, b)
	return largest(int64(d2.Sqrt()/2), func(r int64) bool { return d2.CompareInt(uint64(4*r*r)) >= 0 })
}

// largest returns the largest number that fits, beginning at a guess that is wrong by a few units.
func largest(guess int64, fits func(int64) bool) int32 {
	for guess > 0 && !fits(guess) {
		guess--
	}
	for fits(guess + 1) {
		guess++
	}
	return int32(guess)
}
