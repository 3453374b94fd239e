package levelgen

import "math/rand/v2"

// makeBridge builds a road from south to north with verges 0.125 m higher, and over it from west to
// east a bridge: ramps with their feet at x = ±26 m, the deck at 5 m between x = ±6 m, 6 m wide
// with parapets of 0.25 m on both edges from foot to foot.
//
// Known beforehand: over the bridge and under it the way is straight, 60 m and 30 m. From
// S = (-2, -12) on the road up to G = (0, 0) on the deck it is shorter around the western foot, with the agent's
// radius r: straight to an arc around the parapet's outer corner A = (-26, -3), 0.25 m north past the parapet's end,
// an arc around its inner corner B = (-26, -2.75), and straight up the ramp. The straight parts are √(|S-A|² - r²)
// and √(|G-B|² - r²); the arcs end due west of A and start due west of B.
// Layers: the deck lies over the road, 2.
func makeBridge(b *builder, _ Options, _ *rand.Rand) {
	b.object("road")
	b.box(-3.5, -20, -0.5, 3.5, 20, 0, skin{"asphalt_road", "concrete"})
	b.object("verges")
	b.box(-32, -20, -0.5, -3.5, 20, 0.125, skin{"grass", "dirt"})
	b.box(3.5, -20, -0.5, 32, 20, 0.125, skin{"grass", "dirt"})

	ramp := skin{"concrete_ramp", "stone"}
	b.object("western ramp")
	b.eastward([]pt{{-26, -0.25}, {-6, -0.25}, {-6, 5}, {-26, 0.125}}, -3, 3, ramp)
	b.object("eastern ramp")
	b.eastward([]pt{{6, -0.25}, {26, -0.25}, {26, 0.125}, {6, 5}}, -3, 3, ramp)
	b.object("deck")
	b.box(-6, -3, 4.5, 6, 3, 5, ramp)

	b.object("parapets")
	profile := []pt{
		{-26, -0.25},
		{-6, 4.5},
		{6, 4.5},
		{26, -0.25},
		{26, 1.25},
		{6, 6.125},
		{-6, 6.125},
		{-26, 1.25},
	}
	b.eastward(profile, -3, -2.75, plain("stone"))
	b.eastward(profile, 2.75, 3, plain("stone"))
}
