package levelgen

import "math/rand/v2"

// The spiral stair: 24 treads a turn, each 0.125 m higher than the one before, between a column
// with 24 corners at 1 m from the axis and a railing at 2.875 to 3 m.
const (
	spiralTreads  = 24
	spiralRise    = 0.125
	spiralColumn  = 1.0
	spiralRailing = 2.875
	spiralOuter   = 3.0
	spiralSlab    = 0.1875 // thickness of a tread
)

// makeSpiral builds two floors of 14 m by 14 m and a spiral stair between them with one turn per
// storey of 3 m. The first tread starts due east and the stair rises counter-clockwise. The upper
// floor is open over the stair except for the quarter north-east of the column, where it lands.
//
// Known beforehand for two turns, with the agent's radius r: the string from the start to the goal, pulled tight
// around the column grown by r. It first touches the grown column at the corner V whose tangent passes the start,
// and leaves it at the corner W whose tangent passes the goal. Its length is √(|S-V|² - r²), plus the sides of the
// column between V and W (0.2611 m each, going round almost twice), plus r times the angle turned, plus √(|G-W|² -
// r²). The railing and the edges of the opening are farther than r from it. Layers: north-east the two turns and
// the landing, elsewhere the ground and the two turns, 3.
func makeSpiral(b *builder, opt Options, _ *rand.Rand) {
	turns := opt.Storeys
	top := 3 * float64(turns)
	axis := pt{}

	// Floors leave out the column: a floor inside would be unreachable.
	b.object("lower floor")
	for q := range 4 {
		b.prism(quarter(q, spiralColumn, 7), -0.25, 0, skin{"stone_floor", "stone"})
	}
	b.object("upper floor")
	for q := range 4 {
		inner := spiralOuter
		if q == 0 {
			inner = spiralColumn
		}
		b.prism(quarter(q, inner, 7), top-0.25, top, skin{"wood_floor", "wood"})
	}
	b.object("column")
	b.turned(axis, spiralTreads, []pt{{spiralColumn, -0.25}, {spiralColumn, top + 1.5}}, plain("stone"))

	b.object("treads")
	for k := range turns * spiralTreads {
		h := float64(k+1) * spiralRise
		b.prism(sector(k, spiralColumn, spiralOuter), max(h-spiralSlab, -0.25), h, skin{"concrete_steps", "concrete"})
	}
	b.object("railing")
	for k := range turns * spiralTreads {
		h := float64(k+1) * spiralRise
		b.prism(sector(k, spiralRailing, spiralOuter), max(h-spiralSlab, 0), h+1.125, plain("metal"))
	}
	b.object("opening")
	b.box(-0.125, spiralColumn, top, 0, spiralOuter+0.125, top+1.125, plain("metal"))
	for k := spiralTreads / 4; k < spiralTreads; k++ {
		b.prism(sector(k, spiralOuter, spiralOuter+0.125), top, top+1.125, plain("metal"))
	}
	b.object("supports")
	for _, c := range []pt{{-6, -6}, {6, -6}, {6, 6}, {-6, 6}} {
		b.turned(c, 12, []pt{{0.25, 0}, {0.25, top - 0.25}}, plain("stone"))
	}
}

// sector is the plan of tread k between two radii.
func sector(k int, inner, outer float64) []pt {
	from, to := float64(k)/spiralTreads, float64(k+1)/spiralTreads
	return append(arc(pt{}, outer, from, to, 1), arc(pt{}, inner, to, from, 1)...)
}

// quarter is quarter q, counted from the north-east, of a square with the given half side around
// the axis, without the disc of the inner radius.
func quarter(q int, inner, half float64) []pt {
	sign := [4]pt{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}[q]
	corner := pt{sign.x * half, sign.y * half}
	from := float64(q) / 4
	ends := arc(pt{}, half, from, from+0.25, 1)
	ring := []pt{ends[0], corner, ends[1]}
	return append(ring, arc(pt{}, inner, from+0.25, from, spiralTreads/4)...)
}
