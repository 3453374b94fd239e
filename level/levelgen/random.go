package levelgen

import (
	"math"
	"math/rand/v2"
)

// makeRandom scatters boxes of all sizes, turned and tilted, over a square: one box for every 25 m². A third
// of the boxes float, and some leave room below.
func makeRandom(b *builder, opt Options, r *rand.Rand) {
	half := snap(opt.Size / 2)
	b.object("ground")
	b.box(-half, -half, -0.5, half, half, 0, skin{"grass", "dirt"})

	coats := []string{"brick_red", "concrete", "paint_blue", "paint_yellow", "plaster", "wood"}
	for range int(opt.Size * opt.Size / 25) {
		size := vec{0.3 + 2.7*r.Float64(), 0.3 + 2.7*r.Float64(), 0.3 + 2.2*r.Float64()}
		at := vec{(2*r.Float64() - 1) * (half - 2), (2*r.Float64() - 1) * (half - 2), 0.4 * size.h}
		if r.IntN(3) == 0 {
			at.h += 3 * r.Float64()
		}
		yaw, lean, roll := 2*math.Pi*r.Float64(), 0.5*r.NormFloat64(), 0.3*r.NormFloat64()
		b.object("box")
		b.slanted(at, size, yaw, lean, roll, plain(coats[r.IntN(len(coats))]))
	}
}

// slanted adds a box of the given size around its middle, rolled about its length, then leaned
// about its width, then turned about the vertical.
func (b *builder) slanted(at, size vec, yaw, lean, roll float64, s skin) {
	sy, cy := math.Sincos(yaw)
	sl, cl := math.Sincos(lean)
	sr, cr := math.Sincos(roll)
	place := func(x, y, h float64) vec {
		y, h = y*cr-h*sr, y*sr+h*cr
		x, h = x*cl-h*sl, x*sl+h*cl
		x, y = x*cy-y*sy, x*sy+y*cy
		return vec{at.x + x, at.y + y, at.h + h}
	}
	var rings [2][]vec
	for k := range rings {
		h := (float64(k) - 0.5) * size.h
		for _, p := range rect(-size.x/2, -size.y/2, size.x/2, size.y/2) {
			rings[k] = append(rings[k], place(p.x, p.y, h))
		}
	}
	b.loft(rings[:], fan(4), s)
}
