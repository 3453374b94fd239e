package levelgen

import "math/rand/v2"

// archTop is the height of the hump at x, exact on the lattice for integer x: a parabola from the
// feet at x = ±16 m to 4.5 m, nowhere steeper than 30°.
func archTop(x float64) float64 { return 4.5 - x*x*4.5/256 }

// makeArch builds a humpbacked bridge from west to east, 6 m wide with parapets of 0.25 m, with a
// vaulted way through it from south to north, 6 m wide and 3.25 m high in the middle.
//
// Known beforehand: the ways over and through the arch are straight, 40 m and 24 m. From S = (-2, -10) on the
// ground up to G = (0, 0) on the crest it leads around the western foot as at the bridge, with the corners A
// = (-16, -3) and B = (-16, -2.75). Layers: the crest lies over the way through, 2.
func makeArch(b *builder, _ Options, _ *rand.Rand) {
	b.object("ground")
	b.box(-24, -20, -0.5, 24, 20, 0, skin{"grass", "dirt"})

	var top, rail []pt
	for x := 16.0; x >= -16; x-- {
		top = append(top, pt{x, archTop(x)})
		rail = append(rail, pt{x, archTop(x) + 1.125})
	}
	// The profile runs along the ground, over the vault, to the eastern foot and back over the hump.
	hump := []pt{{-16, -0.25}, {-3, -0.25}}
	for _, p := range arc(pt{}, 1, 0.5, 0, 16) {
		hump = append(hump, pt{3 * p.x, 3.25 * p.y})
	}
	hump = append(hump, pt{3, -0.25}, pt{16, -0.25})
	b.object("hump")
	b.eastward(append(hump, top...), -3, 3, skin{"stone_floor", "stone"})

	side := rail
	for i := len(top) - 1; i >= 0; i-- {
		side = append(side, pt{top[i].x, top[i].y - 0.25})
	}
	b.object("parapets")
	b.eastward(side, -3, -2.75, plain("stone"))
	b.eastward(side, 2.75, 3, plain("stone"))
}
