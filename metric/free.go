package metric

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Free is the free space that a mesh should cover.
type Free struct {
	// Area in square metres, projected.
	Area float64
	// Edges is the number of edges of the surrounding obstructions.
	Edges int
}

// FreeOf measures the free space of a plan. An edge of an obstruction is a straight stretch of wall; corners in its
// middle do not divide the edge, chains to other domains do. Time O(size of p).
func FreeOf(p *plan.Plan) Free {
	var f Free
	var area2 float64
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			area2 += float64(domain.Area2())
			for r, ring := range domain.Rings {
				for i := range ring {
					if isWall(domain, r, i) && beginsEdge(domain, r, i) {
						f.Edges++
					}
				}
			}
		}
	}
	f.Area = lattice.SquareMetres(area2)
	return f
}

// isWall reports whether the edge from point i of ring r is wall. All edges of a domain without chain numbers are wall.
func isWall(d *plan.Domain, r, i int) bool {
	return r >= len(d.Edges) || i >= len(d.Edges[r]) || d.Edges[r][i] == plan.Wall
}

// beginsEdge reports whether the border turns at point i of ring r or was no wall before the point.
func beginsEdge(d *plan.Domain, r, i int) bool {
	ring := d.Rings[r]
	n := len(ring)
	before := (i + n - 1) % n
	return !isWall(d, r, before) || turns(ring[before], ring[i], ring[(i+1)%n])
}

// turns reports whether the way from a over b to c is not straight.
func turns(a, b, c lattice.Point) bool {
	return lattice.Orient(a, b, c) != 0 || lattice.Dot(b, a, c) > 0
}
