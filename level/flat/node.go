package flat

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
)

// edge is an edge of a ring of a feature.
type edge struct {
	arc
	ring int32 // in sketch order
}

// node cuts edges at inner points where other edges end, so that edges meet only in their ends or are equal.
// The cuts are exact. Edges that cross cannot be cut exactly: their crossings are counted, and nothing is cut.
//
// Pairs of edges are found by a tree of boxes that is joined with itself: about O(n log n), more where the
// boxes of many edges overlap. Above [maxPairs] pairs, nothing is cut and ok is false.
func node(edges []edge) (cut []edge, crossings int, ok bool) {
	boxes := make([]boxtree.Box[int32], len(edges))
	for i, e := range edges {
		b := lattice.BoxOf(e.from, e.to)
		boxes[i] = boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}
	}
	inside := make([][]lattice.Point, len(edges)) // points to cut each edge at
	left := maxPairs(len(edges))
	boxtree.New(boxes, nil).Pairs(&left, func(e, f int32) {
		i, k := int(e), int(f)
		a, b := edges[i], edges[k]
		switch lattice.SegmentContact(a.from, a.to, b.from, b.to) {
		case lattice.ProperCrossing:
			crossings++
		case lattice.Overlap, lattice.EndOnInterior:
			for _, p := range [2]lattice.Point{a.from, a.to} {
				if isInside(p, b.arc) {
					inside[k] = append(inside[k], p)
				}
			}
			for _, p := range [2]lattice.Point{b.from, b.to} {
				if isInside(p, a.arc) {
					inside[i] = append(inside[i], p)
				}
			}
		}
	})
	if left < 0 {
		return nil, 0, false
	}
	if crossings > 0 {
		return nil, crossings, true
	}
	for i, e := range edges {
		points := inside[i]
		slices.SortFunc(points, func(p, q lattice.Point) int {
			return cmp.Compare(p.Distance2(e.from), q.Distance2(e.from))
		})
		from := e.from
		for _, p := range append(slices.Compact(points), e.to) {
			cut = append(cut, edge{arc{from, p}, e.ring})
			from = p
		}
	}
	return cut, 0, true
}

// isInside reports whether p lies on a and is none of its ends.
func isInside(p lattice.Point, a arc) bool {
	return p != a.from && p != a.to && lattice.OnSegment(p, a.from, a.to)
}

// maxPairs is how many pairs of n edges are looked at: far more than maps that people draw have.
func maxPairs(n int) int { return 1<<25 + 64*n }
