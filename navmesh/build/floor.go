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

// inset is how far inside of a piece, in lattice units, the height at its border is taken. It is
// less than what rounding does, and keeps the floor on the other side of the border out of it.
const inset = 1.0 / 64

// height returns the height of the floor at point p on the border of a convex piece, rounded: that
// of the highest triangle on the piece's side, or at the nearest point of the floor where there is
// none, or 0 where there is no floor at all.
func (f floor) height(p lattice.Point, piece []lattice.Point) int32 {
	if f.empty {
		return 0
	}
	var sx, sy int64
	for _, q := range piece {
		sx, sy = sx+int64(q.X), sy+int64(q.Y)
	}
	n := float64(len(piece))
	x, y := float64(p.X), float64(p.Y)
	dx, dy := float64(sx)/n-x, float64(sy)/n-y
	s := inset / max(dx, -dx, dy, -dy)
	x, y = x+float64(s*dx), y+float64(s*dy)
	z, ok := f.sampler.Height(x, y)
	for i := 0; !ok && i < len(reaches); i++ {
		z, ok = f.sampler.HeightBelow(x, y, math.Inf(1), reaches[i])
	}
	return int32(math.Floor(z + 0.5))
}
