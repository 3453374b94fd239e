package exact

import (
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// joinedConvex returns convex rings that cover the same places. Two rings with a common edge become one ring if the
// union is convex, as the two triangles of a square, or the fan of triangles of a round top. The result reuses the slice.
// Few rings are compared in pairs. Many take linear time for results of few corners.
func joinedConvex(rings []lattice.Ring) []lattice.Ring {
	const few = 64
	if len(rings) > few {
		return joinedAlong(rings)
	}
	for i := 0; i < len(rings); i++ {
		for k := i + 1; k < len(rings); {
			both := glued(rings[i], rings[k])
			if both == nil {
				k++
				continue
			}
			rings[i] = both
			rings = slices.Delete(rings, k, k+1)
		}
	}
	return rings
}

// joinedAlong is joinedConvex for many rings: a table of the edges leads from each ring to its neighbours.
func joinedAlong(rings []lattice.Ring) []lattice.Ring {
	n := 0
	for _, r := range rings {
		n += len(r)
	}
	left := newEdgeTable(n + 2*len(rings)) // each union makes two edges at most, where borders go on straight
	enter := func(i int32) {
		r := rings[i]
		for k, p := range r {
			*left.at(p, r[(k+1)%len(r)]) = i + 1
		}
	}
	for i := range rings {
		enter(int32(i))
	}
	for i := range int32(len(rings)) {
		for at := 0; at < len(rings[i]); {
			r := rings[i]
			k := *left.at(r[(at+1)%len(r)], r[at]) - 1
			if k < 0 || k == i || rings[k] == nil {
				at++
				continue
			}
			both := glued(r, rings[k])
			if both == nil {
				at++
				continue
			}
			rings[i], rings[k] = both, nil
			enter(i)
			at = 0
		}
	}
	return slices.DeleteFunc(rings, func(r lattice.Ring) bool { return r == nil })
}

// edgeTable leads from edges to the rings on their left, the last one where several are: a hash table with open addresses.
type edgeTable struct {
	slots []edgeSlot
	shift int // how far the hash goes down to a slot
}

// edgeSlot holds an edge and one more than the number of a ring, 0 for a free slot.
type edgeSlot struct {
	from, to lattice.Point
	ring     int32
}

// newEdgeTable returns a table for up to n edges, which fill two thirds of the slots at most.
func newEdgeTable(n int) edgeTable {
	size := bits.Len(uint(n + n/2))
	return edgeTable{make([]edgeSlot, 1<<size), 64 - size}
}

// at returns where the ring of an edge is. The result is 0 for an edge without a ring, and setting it enters the edge.
func (t *edgeTable) at(from, to lattice.Point) *int32 {
	const golden, other = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F // multiplicative hashes spread evenly
	h := (uint64(uint32(from.X))<<32|uint64(uint32(from.Y)))*other ^ (uint64(uint32(to.X))<<32 | uint64(uint32(to.Y)))
	h ^= h >> 32
	for i := h * golden >> t.shift; ; i = (i + 1) & uint64(len(t.slots)-1) {
		s := &t.slots[i]
		if s.ring == 0 {
			s.from, s.to = from, to
			return &s.ring
		}
		if s.from == from && s.to == to {
			return &s.ring
		}
	}
}

// glued returns the convex union of two rings on the two sides of a common edge, nil if none exists.
func glued(a, b lattice.Ring) lattice.Ring {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		k := slices.Index(b, q)
		if k < 0 || b[(k+1)%len(b)] != p {
			continue
		}
		// The rest of the first ring is on the left of the edge, the rest of the second on the right. The union may
		// turn back at the two ends of the edge.
		atP := lattice.Orient(a[(i+len(a)-1)%len(a)], p, b[(k+2)%len(b)])
		atQ := lattice.Orient(b[(k+len(b)-1)%len(b)], q, a[(i+2)%len(a)])
		if atP < 0 || atQ < 0 {
			return nil
		}
		ring := make(lattice.Ring, 0, len(a)+len(b)-2)
		if atQ > 0 {
			ring = append(ring, q)
		}
		for n := 2; n < len(a); n++ {
			ring = append(ring, a[(i+n)%len(a)])
		}
		if atP > 0 {
			ring = append(ring, p)
		}
		for n := 2; n < len(b); n++ {
			ring = append(ring, b[(k+n)%len(b)])
		}
		return ring
	}
	return nil
}
