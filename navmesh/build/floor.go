package build

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// floor answers for the heights of one layer.
type floor struct {
	sampler *lattice.Sampler
	empty   bool
}

func newFloor(tin *lattice.TIN) floor {
	return floor{sampler: lattice.NewSampler(tin), empty: len(tin.Triangles) == 0}
}

// reaches are the distances, in lattice units, in which a point outside of the floor is looked
// for a height, one after the other: rounding, a millimetre, a metre, the whole frame.
var reaches = [...]float64{2, 4, lattice.UnitsPerMetre, 4 * lattice.MaxCoord}

// height returns the height of the floor at p, rounded: that of the highest triangle, or at the
// nearest point of the floor where there is none, or 0 where there is no floor at all.
func (f floor) height(p lattice.Point) int32 {
	if f.empty {
		return 0
	}
	x, y := float64(p.X), float64(p.Y)
	z, ok := f.sampler.Height(x, y)
	for i := 0; !ok && i < len(reaches); i++ {
		z, ok = f.sampler.HeightBelow(x, y, math.Inf(1), reaches[i])
	}
	return int32(math.Floor(z + 0.5))
}
