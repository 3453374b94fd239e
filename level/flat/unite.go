// Card of the walkable area of shapes whose borders cross:
//
// Source: snap rounding, see internal/overlay.
//
// Idea: every shape becomes polygons by the even-odd rule, alone. Free polygons unite, obstacles unite, and the
// difference of both is walkable.
//
// Input: as in border.go, and edges may cross.
//
// Guarantees:
//  1. a lattice point that is more than two units from all borders is inside of a domain iff it is inside of a free
//     shape and of no obstacle, by even-odd (TestCrossingShapesAgainstEvenOdd);
//  2. every domain is a valid polygon, and no two share more than points (TestCrossingShapesAgainstEvenOdd);
//  3. the order of shapes and rings does not matter (TestOrderDoesNotMatter).
//
// Degenerate cases: parts thinner than two units, half a millimetre, may vanish. Equal shapes are one.
//
// Cost: O((n + k) log n) for n edges with k crossings. A map of more crossings than it may have points is refused.
//
// Departures: none.

package flat

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// unite returns the domains of the walkable area from edges that may cross.
func unite(features []feature, edges []edge, of []int) ([]plan.Domain, error) {
	var areas [2][]lattice.Ring // of free shapes, and of obstacles
	for len(edges) > 0 {
		f, n := of[edges[0].ring], 1
		for n < len(edges) && of[edges[n].ring] == f {
			n++
		}
		polygons, err := evenOdd(circuits(oddEdges(edges[:n], of)))
		edges = edges[n:]
		if err != nil {
			return nil, fmt.Errorf("%s: %w", features[f].where, err)
		}
		kind := 0
		if features[f].obstacle {
			kind = 1
		}
		for _, p := range polygons {
			areas[kind] = append(areas[kind], p.Rings...)
		}
	}
	polygons, err := overlay.Difference(areas[0], areas[1])
	if err != nil {
		return nil, err
	}
	out := make([]plan.Domain, len(polygons))
	for i, p := range polygons {
		out[i] = plan.Domain{Polygon: p, Edges: plan.Walls(p), Component: int32(i)}
	}
	return out, nil
}

// circuits joins edges to closed walks. At every point an even number of edges ends.
func circuits(edges []edge) []lattice.Ring {
	type half struct {
		arc
		edge int32
	}
	halves := make([]half, 0, 2*len(edges))
	for i, e := range edges {
		halves = append(halves, half{e.arc, int32(i)}, half{arc{e.to, e.from}, int32(i)})
	}
	slices.SortFunc(halves, func(a, b half) int { return compareArcs(a.arc, b.arc) })
	next := map[lattice.Point]int{} // the first half at a point that may be unused; looked up only
	for i, h := range halves {
		if i == 0 || h.from != halves[i-1].from {
			next[h.from] = i
		}
	}
	used := make([]bool, len(edges))
	var rings []lattice.Ring
	for _, h := range halves {
		var ring lattice.Ring
		for at := h.from; !used[h.edge] || at != h.from; {
			for used[halves[next[at]].edge] {
				next[at]++
			}
			step := halves[next[at]]
			used[step.edge] = true
			ring, at = append(ring, at), step.to
		}
		if len(ring) > 0 {
			rings = append(rings, ring)
		}
	}
	return rings
}

// evenOdd returns the places inside of an odd number of rings.
func evenOdd(rings []lattice.Ring) ([]lattice.Polygon, error) {
	a, err := overlay.Arrange(rings)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	return a.Polygons(func(w overlay.Winding) bool { return w[0]%2 != 0 }), nil
}
