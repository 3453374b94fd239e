package levelgen

import "math/rand/v2"

// makeCarpark builds storeys of 40 m by 20 m, 3 m apart, and between each two a ramp along the
// southern side that rises to the east from x = 8 m to x = 32 m. All ramps lie above each other. A
// parapet from (8, 4.75) to (32, 5) stands between ramps and decks on every storey.
//
// Known beforehand for four storeys, with the agent's radius r: from S = (20, 9) on the ground straight to an arc around
// the parapet's corner (8, 5), past its end, an arc around (8, 4.75), 24 m up the ramp, two quarter arcs and 0.25 m around
// the eastern end, 24 m back along the deck, and so on, until the last arc around (32, 5) ends in a tangent to G = (20, 9)
// on top. That is √(|S-C|² - r²) at the start and the same at the goal, by mirror symmetry; 3 ramps and 2 decks of 24 m; 6
// ends of 0.25 m; and r times the angle turned: 6 half turns, less the missing parts at the first and the last arc.
// Layers: one per storey, 4.
func makeCarpark(b *builder, opt Options, _ *rand.Rand) {
	const (
		storey, slab, rail = 3.0, 0.25, 1.125
		west, east         = 8.0, 32.0 // feet and heads of the ramps
	)
	floor := skin{"concrete_floor", "concrete"}
	wall := plain("concrete")
	top := opt.Storeys - 1

	for k := range opt.Storeys {
		h := float64(k) * storey
		b.object("deck")
		if k == 0 {
			b.box(0, 0, -slab, 40, 20, 0, floor)
		} else {
			b.box(0, 0, h-slab, west, 20, h, floor)
			b.box(west, 4.75, h-slab, east, 20, h, floor)
			b.box(east, 0, h-slab, 40, 20, h, floor)
		}

		b.object("parapets")
		b.box(0, 0, h, west, 0.25, h+rail, wall)
		b.box(east, 0, h, 40, 0.25, h+rail, wall)
		b.box(0, 19.75, h, 40, 20, h+rail, wall)
		b.box(0, 0.25, h, 0.25, 19.75, h+rail, wall)
		b.box(39.75, 0.25, h, 40, 19.75, h+rail, wall)
		b.box(west, 4.75, h, east, 5, h+rail, wall)
		if k == top {
			b.box(west-0.25, 0.25, h, west, 4.75, h+rail, wall)
			continue
		}

		b.object("ramp")
		under := []pt{{west, h - slab}, {east, h + storey - slab}}
		if k == 0 {
			under = []pt{{west, -slab}, {east, -slab}}
		}
		b.eastward(append(under, pt{east, h + storey}, pt{west, h}), 0, 4.75, skin{"concrete_ramp", "concrete"})
		b.object("ramp parapets")
		side := append(under[:2:2], pt{east, h + storey + rail}, pt{west, h + rail})
		b.eastward(side, 0, 0.25, wall)
		b.eastward(side, 4.75, 5, wall)

		b.object("columns")
		for _, x := range []float64{8, 16, 24, 32} {
			b.box(x-0.25, 12, h, x+0.25, 12.5, h+storey-slab, wall)
		}
	}
}
