package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

// makeRough builds a height field with samples every metre from four octaves of value noise, down to waves of
// 2 m. It scales the heights until the steepest triangle has the given slope, within 0.05°.
//
// Known beforehand for ground that is nowhere steeper than the slope limit: all of the ground is floor and
// one component, a square eroded by the agent's radius. Layers: 1.
func makeRough(b *builder, opt Options, r *rand.Rand) {
	n := int(opt.Size)
	noise := newNoise(r)
	heights := make([]float64, (n+1)*(n+1))
	for j := range n + 1 {
		for i := range n + 1 {
			for octave, wave := range []float64{16, 8, 4, 2} {
				heights[j*(n+1)+i] += float64(noise.at(float64(i)/wave+float64(17*octave), float64(j)/wave) * wave)
			}
		}
	}
	// Snapping changes a slope by up to a lattice unit per metre to the east and to the north, 0.02°.
	scale := math.Tan(geom.Degrees(opt.Steepness-0.025)) / steepest(heights, n)
	low := 0.0
	for i := range heights {
		heights[i] = snap(heights[i] * scale)
		low = math.Min(low, heights[i])
	}
	half := snap(float64(n) / 2)
	b.object("ground")
	b.heightField(pt{-half, -half}, 1, n, n, heights, math.Floor(low)-2, skin{"grass", "rock"})
}

// steepest returns the greatest gradient of the triangles that [builder.sheet] makes of n·n cells of 1 m.
func steepest(heights []float64, n int) float64 {
	most := 0.0
	for j := range n {
		for i := range n {
			k := j*(n+1) + i
			sw, se, nw, ne := heights[k], heights[k+1], heights[k+n+1], heights[k+n+2]
			if math.Abs(sw-ne) <= math.Abs(se-nw) {
				most = max(most, math.Hypot(se-sw, ne-se), math.Hypot(ne-nw, nw-sw))
			} else {
				most = max(most, math.Hypot(se-sw, nw-sw), math.Hypot(ne-nw, ne-se))
			}
		}
	}
	return most
}

// roughFloor is the truth of default size and less than 45°: the square of 40 m.
func roughFloor(r, _ float64) (Floor, bool) {
	return Floor{Components: 1, Storeys: []Storey{rectangle(40, 40).storey(0, r)}}, r >= 0 && r < 10
}
