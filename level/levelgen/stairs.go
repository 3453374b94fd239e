package levelgen

import "math/rand/v2"

// makeStairs builds two floors, one above the other at 3 m, and two flights of seven treads and
// eight risers (0.1875 m) that turn back around a wall of 0.25 m.
//
// Known beforehand, with the agent's radius r: the shortest way from (-4, -2) below to (-4, 2) above runs
// straight to the corner C = (2.625, -0.125) of the dividing wall, around it on an arc of radius r, 0.25 m
// north past the wall's end, around (2.625, 0.125), and straight on; the way is its own mirror image. With d
// = |S - C| the straight part is √(d² - r²), the arc turns by the angle from the tangent point, angle(S - C)
// + acos(r/d), to due east. Twice that, and 0.25. Layers: the upper floor lies over the lower, 2.
func makeStairs(b *builder, _ Options, _ *rand.Rand) {
	floor := skin{"wood_floor", "concrete"}
	b.object("lower floor")
	b.box(-8, -5, -0.25, 0, 5, 0, skin{"tile_floor", "concrete"})
	b.object("upper floor")
	b.box(-8, -5, 2.75, 0, 5, 3, floor)
	b.object("columns")
	for _, c := range []pt{{-7, -4}, {-7, 4}, {-1, -4}, {-1, 4}} {
		b.turned(c, 16, []pt{{0.25, 0}, {0.25, 2.75}}, plain("plaster"))
	}

	// Every step reaches down to the ground, so nobody can walk underneath.
	const rise, tread = 0.1875, 0.375
	steps := skin{"concrete_steps", "concrete"}
	for k := range 7 {
		x := float64(k) * tread
		b.object("lower flight")
		b.box(x, -2, -0.25, x+tread, -0.125, float64(k+1)*rise, steps)
		b.object("upper flight")
		b.box(x, 0.125, -0.25, x+tread, 2, 3-float64(k+1)*rise, steps)
	}
	b.object("landing")
	b.box(2.625, -2, -0.25, 5, 2, 1.5, steps)

	wall := plain("wall")
	b.object("dividing wall")
	b.box(0, -0.125, -0.25, 2.625, 0.125, 4, wall)
	b.object("shaft walls")
	b.box(0, -2.25, -0.25, 5.25, -2, 4.5, wall)
	b.box(0, 2, -0.25, 5.25, 2.25, 4.5, wall)
	b.box(5, -2, -0.25, 5.25, 2, 4.5, wall)
	b.object("parapets")
	b.box(-0.125, -5, 3, 0, -0.125, 4, wall)
	b.box(-0.125, 2, 3, 0, 5, 4, wall)
}
