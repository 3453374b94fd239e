package verify

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// ground is a piece with the floor under it.
type ground struct {
	floor   *floor
	layer   int
	polygon lattice.Polygon
}

// middleGrid is the number of places in each direction that Middle tries.
const middleGrid = 48

// Middle returns a place inside of the piece on its own floor, and the distance of the place from the border of the piece, seen from
// above, in metres. The place is the best of a grid over the piece. The result is false for pieces too thin for the grid, and for
// the pieces of [Components]. Time O(n) for n corners of the piece.
func (p Piece) Middle() (at geom.Vec, inside float64, ok bool) {
	if p.ground == nil {
		return geom.Vec{}, 0, false
	}
	polygon, box := &p.ground.polygon, p.ground.polygon.Box()
	along := func(low, high int32, k int) int32 {
		return low + int32((int64(high)-int64(low))*int64(2*k+1)/(2*middleGrid))
	}
	var best lattice.Point
	for k := range middleGrid * middleGrid {
		q := lattice.Point{X: along(box.Min.X, box.Max.X, k%middleGrid), Y: along(box.Min.Y, box.Max.Y, k/middleGrid)}
		if !polygon.Contains(q) {
			continue
		}
		if d := depth(polygon, q); d > inside {
			best, inside = q, d
		}
	}
	if inside == 0 {
		return geom.Vec{}, 0, false
	}
	z, _ := p.ground.floor.height(p.ground.layer, float64(best.X), float64(best.Y))
	return p.ground.floor.frame.ToWorld(best, int32(math.Round(z))), inside / lattice.UnitsPerMetre, true
}

// depth returns the distance of a point from the border of a polygon, in lattice units.
func depth(p *lattice.Polygon, q lattice.Point) float64 {
	least := uint64(math.MaxUint64)
	for _, ring := range p.Rings {
		for i, a := range ring {
			least = min(least, q.Distance2(lattice.Nearest(q, a, ring[(i+1)%len(ring)])))
		}
	}
	return math.Sqrt(float64(least))
}
