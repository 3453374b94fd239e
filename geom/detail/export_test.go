package detail

import (
	"context"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// InBlocks is Simplify with blocks of few triangles.
func InBlocks(ctx context.Context, t *lattice.TIN, opt Options, size int) (lattice.TIN, error) {
	return simplify(ctx, t, opt, size)
}

// Scaled is the conversion to fixed point.
func Scaled(a, b, c, d, den int64) (low, high int32, ok bool) {
	return scaled(product(a, b).plus(product(c, d)), den)
}

// FixedBits is the number of fractional bits of Scaled.
const FixedBits = fixedBits
