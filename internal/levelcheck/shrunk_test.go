package levelcheck

import (
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// shrunk is a level of a few triangles, cut out of an arena map on whose mesh a law was broken.
type shrunk struct {
	name      string
	radius    float64
	climb     float64 // 0 for 0.9 m
	height    float64 // 0 for 2 m
	slope     float64 // degrees, 0 for 45
	triangles [][3]geom.Vec
}

// xyz makes a triangle of nine coordinates.
func xyz(c ...float64) [3]geom.Vec {
	return [3]geom.Vec{{X: c[0], Y: c[1], Z: c[2]}, {X: c[3], Y: c[4], Z: c[5]}, {X: c[6], Y: c[7], Z: c[8]}}
}

// shrunkLevels lists the levels, each with the cause of its fault.
var shrunkLevels = []shrunk{
	{
		// The edges of two treads cross at a small angle. A bridge fills the wedge between them but for a hairline at its tip,
		// and there the floor beneath, more than a step below the upper tread, showed.
		name: "hairline between treads",
		triangles: [][3]geom.Vec{
			xyz(23.5, -1, 1, -5.5, -1, -5, -5.5, -1, 1),
			xyz(-0.140625, -0.25, 0.140625, 1.03125, -0.25, 0.75, 3, -0.5, 1),
			xyz(1, 0, 1, 1, 0, 0.75, -0.125, 0, 0.125),
		},
	},
	{
		// The corner of a ramp before an edge: the judge had no floor in a pocket between bridges that cross.
		name: "bridges that cross", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0.375, 0.75, 0, 0.75, 0.75, -1, -0.5, 1, -1),
			xyz(0.375, 0, 0, 4, 0, -11, 3, 0, -11),
			xyz(11, 0, 1, -0.5, 0, 0, -1, 0, 1),
		},
	},
	{
		// An upper floor covers the edge of a ramp. The covered edge joined the two, and the seam so far from every border took the
		// storey beneath for its own.
		name: "edge deep under a floor", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(1, -1.5, 0.5, -6, -1.5, -3, -6, -1.5, 0.5),
			xyz(1, 0, 6.5, 1, 0, -2.5, 0.5, 0, -2.5),
			xyz(1, 0, 6.5, 0.5, 0, -2.5, 0.5, 0, 6.5),
			xyz(1, -1, 4, 1, -0.75, -1, -1, -1, -1),
			xyz(1, -1.5, 4, 1, -1.5, 0, -2, -1.5, 0),
			xyz(2, -2, 0, 2, -2, -4, -20, -2, -4),
		},
	},
	{
		// Two ramps lead down from a corner, at a hair less than a right angle: the whole corner between them was a bridge.
		name: "wedge of nearly 90 degrees", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-2.9375, -1.5, 2.859375, 0, 0.015625, -0.078125, -3, 0, -3),
			xyz(2.9375, -1.5, 2.86328125, 3, 0, -3, 0, 0.015625, -0.078125),
			xyz(0, 0.015625, -0.078125, 3, 0, -3, 0, 0, -6),
		},
	},
	{
		// A wall ends a millimetre beside a strip of floor: walks in the strip grazed the wall.
		name: "strip along a wall",
		triangles: [][3]geom.Vec{
			xyz(1.25, -2, 0.25, 1.5, -1.5, -1, 0.25, -1.5, -0.75),
			xyz(1.25, -2, 0.25, 0.25, -1.5, -0.75, 0.5, -2, 0.5),
			xyz(1, -1, -0.5, 0.375, -0.75, -1, 0.375, -0.75, -0.5),
			xyz(1, 0.5, -0.5, 0.375, 0.25, 0, 0.375, 0.25, -0.5),
			xyz(3, -2, 2, 3, -2, -8, -12, -2, -8),
			xyz(3, -2, 2, -12, -2, -8, -12, -2, 2),
		},
	},
	{
		// The tip of a high floor over the edge of a low one: the fill of the crack between both edges reached past the slits.
		name: "drop across the tip of a crack",
		triangles: [][3]geom.Vec{
			xyz(0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.296875, 0.1875, 0.28125),
			xyz(0.3125, -1.0625, 0.25, 0, -1, 0.5, 0.1875, -1, 0.34375),
			xyz(0.3125, -1.0625, 0.25, 0.1875, -1, 0.34375, 0.375, -1, 0.25),
		},
	},
	{
		// A floor shows from under a ramp in a strip narrower than a hair. The judge had no bridge from the strip, and the strip ended the
		// bridges to the ramp.
		name: "strip under a ramp", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(0.3333338464353153, 0.75, 0, 0.65625, 0.75, -1, -0.5, 1, -1),
			xyz(0.3333338464353153, 0, 0, 4, 0, -11, 3, 0, -11),
			xyz(0.3333338464353153, 0, 0, 3, 0, -11, -0.75, 0, 0),
			xyz(11, 0, 1, -0.5, 0, 0, -1, 0, 1),
		},
	},
	{
		// Small floors a centimetre above a ramp, a hairline apart: the ramp shows in the hairline, a step below both.
		name: "hairline over a ramp", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(3, 0, 2, 1, 0, -4, 1, 0, 2),
			xyz(1, 0, 2, 1, 0, -2, -3, -0.25, -2),
			xyz(0.82, 0, -1.02, 0.875, 0, -0.5, 0.921875, 0, -0.71875),
			xyz(0.9375, 0, -0.65625, 1, 0, -1, 0.8512396694214868, 0, -0.9421487603305785),
		},
	},
	{
		// The slanting edge of a face stands on the edge of a floor, a step above a ramp. Beside the ramp's own headroom the
		// whole edge was in the way.
		name: "slanting edge over a step", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0, 3, -3, -0.2, 2.6, -0.2, -0.8, 2, -0.2),
			xyz(14, 1, 1, 13.59375, 0.796875, -0.203125, -0.8, 0.8, -0.2),
			xyz(14, 2, 3, -1, -3, -6, -1, 2, 3),
		},
	},
	{
		// Around a corner of a kerb two bridges left a needle of 3 by 8 mm, too wide for a crack and too small for a pocket.
		name: "hole between bridges at a corner", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(6, 0, -5, -5, 0, -6, -5, 0, 6),
			xyz(1, 0, 0, 0.75, 0.25, 1, 1.5, 0.5, 0.5),
			xyz(1.25, 0.25, -0.125, 1, 0.25, 0.25, 1, 0, 1),
			xyz(1.25, 0.25, -0.125, 1, 0, 1, 1, 0, 0),
			xyz(1, 0.25, 0.25, 0.625, 0.25, 0.625, 0.25, 0.25, 1),
			xyz(1, 0.25, 0.25, 0.25, 0.25, 1, 1, 0, 1),
			xyz(0.625, 0.25, 0.625, 0.273278, 0.265625, 0.882972, -0.03125, 0.265625, 1.21875),
			xyz(0.625, 0.25, 0.625, -0.03125, 0.265625, 1.21875, 0.25, 0.25, 1),
			xyz(0.273278, 0.265625, 0.882972, -0.015625, 0.265625, 1.17188, -0.296875, 0.265625, 1.46875),
			xyz(0.273278, 0.265625, 0.882972, -0.296875, 0.265625, 1.46875, -0.03125, 0.265625, 1.21875),
			xyz(1, 0, 0, 1, 0, 1, 0, 0, 1),
			xyz(1, 0, 1, 0.25, 0.25, 1, 0, 0, 1),
			xyz(1, 0, 1, 0, 0, 1, 0, 0, 1),
		},
	},
	{
		// Two ramps rise beside each other, over a floor. The drop into the crack between them passes a step at two places: 12 mm earlier
		// beside the higher ramp, where no bridge began.
		name: "crack between ramps over a drop", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(4, -1, 4, 8, -1, -1, -1, -1, -1),
			xyz(1.328125, -1, 1, 3, 4, -6, -5, 4.25, -5.75),
			xyz(1.3125, -1, 1, -0.3125, 0.375, -0.75, -14, 0, -1),
		},
	},
	{
		// A floor covers all of a triangle but for the tip. No bridge began at the tip, which is thinner than the look for covers is deep.
		name: "tip of a thin triangle", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-0.0312, 0.5, 0.2482, 0.2188, 0.5, -0.6736, 0.2188, 0.5, -2.6541),
			xyz(-0.0312, 0.5, 0.2482, 0.2188, 0.5, -2.6541, -1.0173, 0.5, 1.9414),
			xyz(-3.0413, 0, 12.6875, 0.75, 0, 10.5062, 0.75, 0, -2.6177),
			xyz(-3.0413, 0, 12.6875, 0.75, 0, -2.6177, -3.3771, 0, 12.7779),
			xyz(-7.5938, 0, 13.9062, -3.3771, 0, 12.7773, -0.002, 0, 0.1865),
			xyz(-7.5938, 0, 13.9062, -0.002, 0, 0.1865, -7.9204, 0, 13.9062),
		},
	},
	{
		// The aisle of a stand is as wide as the agent. At a seam between two layers, a hair in the middle of the aisle led through the
		// upper layer to the ground under the stand.
		name: "aisle as wide as the agent", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-32, 0, -8, 32, 0, 44, 32, 0, -8),
			xyz(-0.625, 0.75, 3.125, 0.625, 0.75, 2.75, -0.625, 0.75, 2.75),
			xyz(-0.625, 0.75, 3.125, 0.5, 0.75, 3.25, 0.625, 0.75, 2.75),
			xyz(-0.6, 1.00560845, 2.8157682, 1, 1, 2, -1, 1, 2),
			xyz(-0.6, 1.00560845, 2.8157682, 1, 1, 3, 1, 1, 2),
			xyz(-0.6, 1.39985183, 2.1247787, 1, 1, 2, -1, 1, 2),
			xyz(-0.6, 1.39985183, 2.1247787, 1, 1, 2, 1, 1, 2),
			xyz(-0.6, 1.59697352, 1.7792839, 0.6, 1.59697352, 1.3837891, -0.6, 1.59697352, 1.3837891),
			xyz(-0.6, 1.59697352, 1.7792839, 0.625, 1.625, 1.75, 0.6, 1.59697352, 1.3837891),
			xyz(-1, 2, 1, 0.6, 1.99121691, 1.0882943, 1, 2, 1),
			xyz(-0.6, 2.1883386, 0.7427995, 0.6, 2.1883386, 0.7427995, 0.6, 2.1883386, 0.3473047),
			xyz(-0.625, 2.5625, 0.0625, 0.625, 2.5625, 0.0625, 1, 3, 0),
			xyz(-0.75, 2.75, 0.5, 0, 3, 0, -0.5, 3, 0),
		},
	},
	{
		// A splinter of floor lies in a gap, over the side of a bridge. The judge had no floor in the pocket beside the splinter, because the
		// loop around the pocket went along the splinter's edge, to a dead end.
		name: "splinter over a bridge", radius: 0.4,
		triangles: [][3]geom.Vec{
			xyz(-0.5, 0, 2, 1, 0, -1, 0.49102899, -0.21373368, -1.16907293),
			xyz(-0.5, 0, 2, -1, 0, 2, 1, 0, -1),
			xyz(0.45629329, 0.0167844, -0.82602562, 0, 0, -1, 0.01526408, 0.00662362, -0.96090479),
			xyz(-0.25, 0.5, -2.75, -3, -1, 0, 0, -0.5, 0.5),
		},
	},
	{
		// Two planks and ground whose edges cross at a small angle. Near the crossing either edge has the other floor within outward, so no brink
		// is there: the loop around the pocket between two bridges stayed open.
		name: "edges that cross at a small angle", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0, 0.5, -1.5, -0.75, 0.75, -0.75, 0, 0.75, -0.75),
			xyz(-1.08685, 0.466533, -0.74048, 0, 0.5, -0.75, 0.125, 0.625, -1.125),
			xyz(-1.08685, 0.466533, -0.74048, 0.125, 0.625, -1.125, -1, 1, -1),
			xyz(-1, 0, 0, 0, 0, 0, 0.25, 0.5, -0.75),
			xyz(-1, 0, 0, 0.25, 0.5, -0.75, -1, 0.5, -0.5),
		},
	},
	{
		// The side of a plank leans out by a millimetre and is a sliver seen from above, narrower than the look inwards of its own rim. The rim
		// counted as hidden, and the gap beside it had no bridge.
		name: "side of a plank that leans by a degree", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-1.25, 0, -0.75, 0, 0, -0.5, 0, 0, -1),
			xyz(-1.25, 0, -0.25, 0, 0, 0, 0.5, 0, -0.5),
			xyz(0.5, 0, -0.5, -1.1448, -0.01803, -0.53561, -1.1448, 0.041962, -0.53455),
			xyz(-1, 0, 0, 0, 0, 0, -1, 0, 0),
			xyz(0.2741, 1.113522, 0.39244, 0, 1, -1, 0, 1, -1),
		},
	},
	{
		// A wall stands on the edge of a floor, before a gap of 2 mm. The judge looked for walls only where the next floor begins.
		name: "wall before a narrow gap", radius: 0.4,
		triangles: [][3]geom.Vec{
			xyz(-2, 0, -6, -2, 0.3, -0.002, 4, 0, 0),
			xyz(-2, 0, 0, 4, 0, 6, 4, 0, 0),
			xyz(-2, 0, 0, 0, 3, 0, 0, 0, 0),
		},
	},
	{
		// A ramp falls along a gap to a level floor. The judge's bridge was two triangles, up to a quarter of a step above the ways across.
		name: "ramp along a gap", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-5, 0, 0, -0.5, -2, 2, -0.5, 0, 0),
			xyz(-0.25, 0, 1.75, 3, 0, 0, -0.25, 0, 0),
		},
	},
	{
		// A gap grows from a hand to a foot between floors at two heights: the triangles of bridges were off by 4 cm, each its own way.
		name: "gap that grows", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-4.5, 0, 0, 0.0625, -0.125, 0, 0, 0, -4),
			xyz(0.5, -0.5, 1, 2, -1, -1, 0.25, -0.5, -1),
			xyz(0, -1, 4, 2, -1, 4, 2, -1, 1),
			xyz(0, -1, 4, 2, -1, 1, 0.5, -0.5, 1),
		},
	},
	{
		// Four slabs meet at an angle. The way around the pocket crossed itself by 4 mm at a corner, and the pocket stayed a hole.
		name: "way around a pocket that crosses itself", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-2.5, 0, -0.5, 0.1875, 0.125, -0.9375, 0, 0, -4),
			xyz(-3, 0, 3, 0, 0, 3, 0.0625, 0, -0.8125),
			xyz(0.21875, 0.3125, 0.15625, 2, 0, 0, 2, 0, -2),
			xyz(0.21875, 0.3125, 0.15625, 2, 0, -2, 0.5, 0.25, -1.75),
		},
	},
	{
		// Two brinks beside a pocket share a stretch: the way around the pocket turned back along itself.
		name: "way around a pocket that turns back", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-3, 0, 0, 0.5625, 0, 0.4375, 0.5, 0, -1),
			xyz(-3, 0, 5, 0.5, 0, 0.5, -3, 0, 0),
			xyz(0.6738, 0.3, 0.60768, 5, 0, -3, 0.59179, 0.3, -2.77479),
			xyz(1, 0, 2, 4.796875, 0.296875, 0.578125, 0.625, 0.296875, 0.640625),
		},
	},
	{
		// A brink begins before the bridge beside it ends. The judge found no way around the pocket, and a hole in it.
		name: "brink that begins before a bridge ends", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-1.25, 0, -0.25, 0.75, 0, -0.5, 0, 0, -4),
			xyz(-1.5, 0.25, -0.25, 0, 1, 3, 0.375, 0.25, -0.125),
			xyz(0.5, 0, 4.5, 4, 0, -1, 0.5, 0, -0.5),
		},
	},
	{
		// A splinter of floor runs under a floor, a step below. Under the floor the splinter is thinner than the look for covers, and counted
		// as shown: its edge cut the floor above.
		name: "tip of a splinter under a floor", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0, 0, -1, -1, 0, 0, 0, 0, 0),
			xyz(0, 0, -1, 0, 0, 0, 1, 0, -1),
			xyz(-1, 0, 0, -1, 0, 1, 0, 0, 0),
			xyz(0, 0, 0, -1, 0, 1, 0, 0, 1),
			xyz(0, 0, 0, 0, 0, 1, 1, 0, -0.5),
			xyz(0, -1, 0, -2.066971, -1.046018, -2.481427, -2.0625, -0.75, -2.46875),
		},
	},
	{
		// A gap between the end of a splinter and the edge of a floor, which faces the splinter aslant. The two bridges between the edges have
		// other diagonals, and the judge took the upper one for a cover of the other's side: the pocket beside them stayed a hole.
		name: "side of two bridges between the same edges", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(0, 0, 0, -1, 0.5, 0.5, 0, 0.5, 0.5),
			xyz(0, 0, 0, 0, 0.5, 0.5, 0.75, 0.25, -0.25),
			xyz(0.75, 0.25, -0.25, 0, 0.5, 0.5, 0.75, 0.5, 0.5),
			xyz(0, 0.5, 0.5, -1, 1, 1, 0, 0.5, 1.5),
			xyz(0.75, 0.5, 0.5, 0, 0.5, 1.5, 0.75, 0.5, 1.25),
			xyz(1.5, 0.5, 0.5, 0.75, 0.5, 1.25, 2, 0, 1),
			xyz(1.0625, -0.265625, 0.359375, 3, 0, 0, 1.0625, -0.1875, 0.3125),
		},
	},
	{
		// The side of a plank leans out by 5 mm. The judge looked inwards past the tip of the side, under the top of the plank, and had no bridge
		// from the side.
		name: "tip of a plank's side", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-0.5, 0, -1, -2, 0, 1, -0.5, -0.25, 1),
			xyz(1.265625, 0.3125, 0.640625, 0, 1, -1, -0.75, 1, -0.25),
			xyz(-0.75, 0.75, -0.25, 1.21875, 0.125, 0.625, 1.265625, 0.3125, 0.640625),
			xyz(-0.75, 0.75, -0.25, 1.265625, 0.3125, 0.640625, -0.75, 1, -0.25),
		},
	},
	{
		// The side of a ramp leans out by a fraction of a millimetre and is a step on the way up. The judge took strips thinner than a millimetre
		// for no steps, also where the lenient judge was asked.
		name: "side of a ramp as a thin step", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(1, -1, -1, -0.25, -1, 0.5, 1, -1, 1),
			xyz(-1, 1, -1, 0.242275, 0.488703, -0.003298, 0.953125, 1.21875, -1.1875),
			xyz(-2, 0, 2, 2.75, 1, 1.25, -0.303906, 0.104704, -0.40554),
			xyz(2.75, 0.75, 1.25, -0.291544, 0.056258, -0.405941, -0.303906, 0.104704, -0.40554),
		},
	},
	{
		// The way around a pocket cut a corner by 6 mm, because stretches end early, and the judge found a ledge in the corner.
		name: "corner of a pocket", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-2, 0, 0, 0.25, 0.4375, -0.0625, 0.25, 0.5, -2),
			xyz(-2, 0.5, 0, 0.25, 4.5, 4.125, 0.25, 0.4375, 0),
			xyz(0.421875, 0.296875, -0.703125, 0.375, -2.125, 1.75, 3, -2, 2),
		},
	},
	{
		// Slabs at three heights around a pocket: a pocket is floor at any height between the lowest and the highest of its border. The judge
		// compared a path through the pocket with one height.
		name: "path through a pocket", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-1.981097, 0.85, -0.097407, 0.21875, 0.84375, -0.09375, 0.25, 0.75, -3),
			xyz(-1.981097, 0.85, -0.097407, 0.25, 0.75, -3, -2, 1, -3),
			xyz(-2.25, 0.25, 2.5, 0, 0.25, 2.75, 0.375, 0.25, 0.25),
			xyz(-2.25, 0.25, 2.5, 0.375, 0.25, 0.25, -1.75, 0.25, -0.25),
			xyz(0.5, 0, 1.5, 2.5, 0, 1.5, 2.5, 0, -2),
			xyz(0.5, 0, 1.5, 2.5, 0, -2, 0.375, 0.25, -1.875),
			xyz(0, 0, 4, 2.5, 0.5, 4.25, 2.5, 0.5, 1.75),
			xyz(0, 0, 4, 2.5, 0.5, 1.75, 0.421875, 0.453125, 1.765625),
		},
	},
	{
		// Blocks of an arch meet aslant: a face of the second leaves the first 1 mm beside its top, over the lower floor. The judge
		// took this part of a millimetre for a body of the lower floor, although the face is a step of the top.
		name: "face through the edge of a step", radius: 0.3, climb: 0.4,
		triangles: [][3]geom.Vec{
			xyz(-20, 0, -20, -20, 0, 20, 20, 0, 20),
			xyz(-12.99353, 0.3095206, -1.82489, -12.41071, 0.3204393, -1.242073, -12.82283, 0.3095206, -1.955875),
			xyz(-13.20686, 0.2775086, -2.621031, -12.82283, 0.3095206, -1.955875, -12.62404, 0.3095206, -2.038215),
			xyz(-12.82283, 0.3095206, -1.955875, -12.41071, 0.3204393, -1.242073, -12.62404, 0.3095206, -2.038215),
			xyz(-12.62404, 0.3095206, -2.038215, -12.41071, 0.3204393, -1.242073, -12.41071, 0.3095206, -2.0663),
			xyz(-12.41071, 0.3095206, -2.0663, -12.41071, 0.3204393, -1.242073, -12.19739, 0.3095206, -2.038215),
			xyz(-12.81275, 0.6733212, -1.951108, -12.78502, 0.5950055, -1.356888, -11.78611, 0.5950055, -1.403514),
			xyz(-12.81275, 0.6733212, -1.951108, -11.78611, 0.5950055, -1.403514, -11.81384, 0.6733212, -1.997734),
			xyz(-12.81701, -0.02069022, -2.042377, -12.81275, 0.6733212, -1.951108, -11.81384, 0.6733212, -1.997734),
			xyz(-12.81701, -0.02069022, -2.042377, -11.81384, 0.6733212, -1.997734, -11.8181, -0.02069022, -2.089003),
			xyz(-12.81388, 0.6333507, -1.975304, -12.80139, 1.280066, -1.707717, -11.80248, 1.280066, -1.754344),
		},
	},
	{
		// A steep splinter, narrower than a millimetre, leads under a floor. The middle of the splinter's edge shows, and the whole edge
		// divided the floor above.
		name: "splinter that leads under a floor", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(0.172607, -1.50301, -0.102715, -0.625, -0.875, 3, 0.179825, -1.304754, -0.128062),
			xyz(1, 0, 2, -0.5, 0, -3, -2, -1, 0),
		},
	},
	{
		// The edge of a ramp points at a place on the floor before the ramp, and is a ledge. No straight way from the place leads over the
		// ledge, and the judge missed floor there.
		name: "ledge along a way", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-13, -1, 11, 11, -1, 11, 11, -1, -13),
			xyz(0, -0.5, 0, -2, 0, 0, -0.5, -0.5, 0.5),
			xyz(0.0625, -0.1875, -0.1875, -1.125, -0.125, -1.25, -2, 0, -1),
			xyz(0.0625, -0.1875, -0.1875, -2, 0, -1, -0.25, -0.25, 0.25),
			xyz(0.375, 0, -0.5, -1, 0, -1, 0.054213, -0.035227, -0.188895),
		},
	},
	{
		// The tip of a floor under a bridge of another layer, where the agent cannot stand: the hole in the lower layer was filled as a
		// hole between the ends of bridges.
		name: "tip of a floor under a bridge", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-2, -0.25, -3.25, -1, 0, 3, 4, 0, 2),
			xyz(-0.5, 2.5, -3.5, 0.375, 2.5, 2.5, 4, 3, 2),
			xyz(-1, 2, 0, -0.211798, 1.754638, -0.224903, -0.25, 1.75, -0.5),
			xyz(0, 0, -1, -0.168555, -0.011698, -0.302838, 0.25, 0, 0),
		},
	},
	{
		// Two floors touch in a corner beside a pocket. The judge's way around the pocket went on around the other floor, and the pocket
		// stayed a hole.
		name: "floors that touch in a corner beside a pocket", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(2, 0, 3, 0.5, 0, 0, 0.5, 0, 2.5),
			xyz(0.25, 0, 0, 0, 0, 0, -0.0625, 0, 0.609375),
			xyz(0.25, 0, 0, -0.0625, 0, 0.609375, 0.1875, 0, 0.6875),
			xyz(0.5, 0, 1, 0.1875, 0, 0.6875, 0, 0, 1.5),
		},
	},
	{
		// A triangle that collapses in rounding has an edge in both directions. The judge took the edge of the floor beside it for shared, and
		// found no way around the pocket there.
		name: "collapsed triangle beside a pocket", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(4, 0, -1, 0.5, 0, -2.5, 0.5, 0, 0),
			xyz(0, 0, -1, 0, 0, 0, 0.5, 0, 0),
			xyz(0.484375, 0, -0.375, 0.5, 0, 0, 0.5000000000000004, 0, 0),
			xyz(0.484375, 0, -0.375, 0.5000000000000004, 0, 0, 0.5, 0, -0.5),
		},
	},
	{
		// Two ramps from one place leave a crack of a millimetre between them. A way that crossed the crack aslant went down to the floor beneath,
		// and the judge found a step up to the other ramp.
		name: "crack crossed aslant over a floor", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-1.06640625, -1, 1, 5.21875, 3.71875, -5.0625, 5, 4, -6),
			xyz(-1.06640625, -1, 1, 5, 4, -6, -2, -1, 1),
			xyz(-6.5, -1, 6, -1, -1, 1, 6, -1, -6),
			xyz(14, -1, 1, 0.75, 0.5, -0.75, -1.06640625, -1, 1),
		},
	},
	{
		// A thin wall with two free ends, for a point: its slit lost a corner, was taken for a hole that rounding leaves, and the wall was gone.
		name: "slit that loses a corner", radius: 0,
		triangles: [][3]geom.Vec{
			xyz(-7, -1, -6, -7, -1, 0, -1, -1, 0),
			xyz(-7, 0, 0, -1, 0, 6, -1, -0.5, 0),
			xyz(-1, -1, -6, -1, -1, 0, 5, -1, 0),
			xyz(1, -1, 0, 1, 2, 0, -1, 2, 0),
			xyz(1, -1, 0, -1, 2, 0, -1, -1, 0),
			xyz(-1, -1, 0, -1, -1, 6, 5, -1, 6),
			xyz(-1, -1, 0, 5, -1, 6, 5, -1, 0),
			xyz(0.25, 0, 1.5, 0, 0, 2, 0.5, 0, 1.5),
		},
	},
	{
		// Steps under a low ceiling, for a point: the floor beside them is a strip that runs along their edges. A walk in the strip grazes the
		// steps, on which there is no room.
		name: "strip along steps under a ceiling", radius: 0,
		triangles: [][3]geom.Vec{
			xyz(1.75, -2, -0.5, -2, -2, -2, -3, -2, 0),
			xyz(2, 0, -1, -2, 0, -2, -3, 0, 0),
			xyz(2, 0, -1, -3, 0, 0, 1, 0, 2),
			xyz(0.594965, -1.45, -0.525812, 1, -1, 1, 0.745412, -1.45, -0.580268),
			xyz(0.369293, -1.45, -0.444128, 1, -1, 1, 0.519741, -1.45, -0.498584),
			xyz(0.143621, -1.45, -0.362444, 1, -1, 1, 0.294069, -1.45, -0.4169),
		},
	},
	{
		// The sides of a thin board that leans: one side is a splinter, and rounding stood it upright. The next side became
		// a patch of its own, no higher than a step.
		name: "board whose side is a splinter", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-2, -1, 2, 1.017569, 0.643509, 0.471399, 0, 1, -3),
			xyz(-2.375, -0.875, 1.875, 1.034247, 0.596781, 0.465203, 1.017569, 0.643509, 0.471399),
			xyz(1.034247, 0.596781, 0.465203, 0, 1, -3, 1.017569, 0.643509, 0.471399),
		},
	},
	{
		// The side of a board is less than two millimetres wide, seen from above. The floor ended at its lower edge, a step above the
		// floor beneath; its upper edge is more than a step above.
		name: "board with sides of a hairline", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-1, 0, -1, -2, 0, 1, -1, 0, 1),
			xyz(-1, 0, -1, -1, 0, 1, 1, -0.25, -1),
			xyz(1.25, 0.25, 0.625, 0, 1, -1, -0.754629, 0.930052, -0.250057),
			xyz(-0.804746, 0.737606, -0.271338, 1.25, 0.25, 0.625, -0.754629, 0.930052, -0.250057),
		},
	},
	{
		// A wall stands on the edge of a lower floor, before a step up to a floor that covers the next one. The wall blocks only the covered
		// floor there, and took the step away.
		name: "covered floor before a step", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0, -1, 2, 0, -1, -4, -1, -1, -4),
			xyz(0, -1, 2, -1, -1, -4, -1, -1, 2),
			xyz(1, 0, 2, 0, -0.5, -3.5, 0, -0.5, 2),
			xyz(1, 0, 2, 0, -0.25, -0.25, 0, 0, 2),
			xyz(1, 2, 2, 0, 0, 0, 0, 2, 1.5),
		},
	},
	{
		// A wall between a ramp and a step up. The judge let the upper half of the wall pass, because the wall is no body over a floor under the ramp.
		// Nobody reaches this floor from there.
		name: "wall at a step over a hidden floor", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(1, -1, 1, 1, -1, -1, 0, -0.5, -1),
			xyz(1, -1, 1, 0, -0.5, -1, 0, -0.5, 1),
			xyz(0, 0.375, 0.375, 0, 0.375, -0.375, -2, 0, 0),
			xyz(0, 3, -3.5, 0, -1, -4, 0, -1, 3.5),
			xyz(0, 3, -3.5, 0, -1, 3.5, 0, 3, 4),
			xyz(1, 3, 4, 1, -1, 4, 1, -1, -4),
			xyz(1, 3, 4, 1, -1, -4, 1, 3, -4),
			xyz(0, -1.25, 3.5, 2, -1.5, 3.5, 2, -1.5, -3.5),
			xyz(0, -1.25, 3.5, 2, -1.5, -3.5, 0, -1.5, -3.5),
		},
	},
	{
		// A slit of 2 cm between slabs at three heights, the highest more than a step above the lowest. The judge took the middle of two ends for
		// the height of the border around the pocket, and filled the slit.
		name: "slit between three heights", radius: 0.3, climb: 0.4,
		triangles: [][3]geom.Vec{
			xyz(1.8, 0.6, 7.274613, 1.2, 0.6, 8.313844, 2.4, 0.6, 8.313844),
			xyz(1.8, 0.4, 9.353074, 2.976, 0.4, 9.353074, 2.388, 0.4, 8.334628),
			xyz(3.6, 0.9, 8.313844, 2.4, 0.9, 8.313844, 3, 0.9, 9.353074),
			xyz(3.6, 0.9, 8.313844, 3, 0.9, 9.353074, 4.2, 0.9, 9.353074),
			xyz(3.6, 0.9, 8.313844, 4.2, 0.9, 9.353074, 4.8, 0.9, 8.313844),
			xyz(3.6, 0.6, 10.3923, 4.2, 0.6, 9.353074, 3, 0.6, 9.353074),
			xyz(3.6, 0.6, 10.3923, 3, 0.6, 9.353074, 2.4, 0.6, 10.3923),
		},
	},
	{
		// Two roofs around a notch, a step above the ground but for their lower parts. Both brinks end where the ground is a step below, and the
		// way from one end to the other over the ground closed a pocket.
		name: "brinks that end over a lower floor", radius: 0.285,
		triangles: [][3]geom.Vec{
			xyz(0, -0.8125, 0.5, 0, -0.76742, 1.25, 0.75, -0.798686, 0.5),
			xyz(0.3125, 0.15625, 0.5625, 0, 0, 1, 0.5, -0.25, 1),
			xyz(0.3125, 0.15625, 0.5625, -0.5, 0, 0.5, 0, 0, 1),
			xyz(0.3125, 0.15625, 0.5625, 1, 0, 0, 0, 0, 0),
			xyz(0.3125, 0.15625, 0.5625, 0.78125, -0.3125, 0.546875, 1, 0, 0),
			xyz(0.5, -0.25, 1, 1, -1, 1, 1, -1, 1),
			xyz(0.5, -0.25, 1, 0, 0, 1, 1, -1, 1),
		},
	},
	{
		// Slabs beside two cracks that meet. The judge did not count the side of a bridge that begins early as a part of the way around the
		// pocket.
		name: "early bridge beside a pocket", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-3, 0, 0, 1, 0, 0, 1, 0, -3),
			xyz(-3, 0, 0, 0.5365539999999989, -0.772114, 2.7075180000000003, 0.53125, 0.09375, -0.1875),
			xyz(0.5386449999999989, 0, 0.1301009999999998, 3.375, 0, 0.125, 3, 0, -4),
			xyz(0.5386449999999989, 0, 0.1301009999999998, 3, 0, -4, 1, 0, -4),
			xyz(0.5625, 0.1875, 2, 3.375, 0.25, 0.125, 0.5625, 0.203125, 0.140625),
		},
	},
	{
		// A steep patch is a hand higher than a step. Rounding stood its lower triangle upright, the rest was no higher than a step, and floor.
		name: "steep patch with a splinter that stands upright", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-4, 0, 4, 0.5, -0.5, 0.5, -0.25, 0, 0),
			xyz(-4, 0, 4, -0.48900644439695995, 0.08984375, -0.11830078716045733, -0.5, 0.07194167596385626, -0.127960205078125),
			xyz(-0.48900644439695995, 0.08984375, -0.11830078716045733, 0.25, -0.875, 0.5, -0.5, 0.07194167596385626, -0.127960205078125),
		},
	},
	{
		// A bevel of two triangles beside a pocket. The judge looked a hair inwards from the lower edge, past the sharp corner of the lower
		// triangle and under the upper one, and had no brink at the corner.
		name: "rest of an edge in a sharp corner", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(1, 0, 1, 1, 0, -1, 0.25, -0.5, -0.25),
			xyz(1, 0, 1, 0.25, -0.5, -0.25, 0.25, -0.375, 0.125),
			xyz(0, 0, -1, 0, 0, 0.5, 0.25, -0.25, -0.5),
			xyz(0.734375, -0.453125, 0.421875, 0.71875, -0.5, 0.40625, 0.53125, -0.5, 0.515625),
			xyz(0.734375, -0.453125, 0.421875, 0.53125, -0.5, 0.515625, 0.531874999999971, -0.453125, 0.5225),
			xyz(0, 0, 1, 0.3125, -0.4375, 0.5, 0.25, -0.5, 0.5),
		},
	},
	{
		// The edge of a ceiling runs exactly above the side of a turned stair. Beside the stair the floor is a step lower, and the ceiling is in nobody's
		// way. The build cut the corners of the treads, where a tread touches the ceiling with no side.
		name: "ceiling along a stair", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-2.492024, 0, -0.19954, -1.690675, 0, 1.068466, 1.690675, 0, -1.068466),
			xyz(-2.492024, 0, -0.19954, 1.690675, 0, -1.068466, 0.889325, 0, -2.336472),
			xyz(-2.492024, 2.8, -0.19954, -1.690675, 2.8, 1.068466, 1.690675, 2.8, -1.068466),
			xyz(-2.492024, 2.8, -0.19954, 1.690675, 2.8, -1.068466, 0.889325, 2.8, -2.336472),
			xyz(-2.492024, 2.6, -0.19954, 1.690675, 2.6, -1.068466, -1.690675, 2.6, 1.068466),
			xyz(-2.492024, 2.6, -0.19954, 0.889325, 2.6, -2.336472, 1.690675, 2.6, -1.068466),
			xyz(-0.845337, 0.5, 0.534233, -0.150835, 0.5, 1.633171, 0.271834, 0.5, 1.366055),
			xyz(-0.845337, 0.5, 0.534233, 0.271834, 0.5, 1.366055, -0.422669, 0.5, 0.267116),
			xyz(-0.422669, 0.66, 0.267116, 0.271834, 0.66, 1.366055, 0.694503, 0.66, 1.098939),
			xyz(-0.422669, 0.66, 0.267116, 0.694503, 0.66, 1.098939, 0, 0.66, 0),
			xyz(0, 0.82, 0, 0.694503, 0.82, 1.098939, 1.117171, 0.82, 0.831822),
			xyz(0, 0.82, 0, 1.117171, 0.82, 0.831822, 0.422669, 0.82, -0.267116),
		},
	},
	{
		// The storey above ends exactly above the side of a tread, less than the agent's height above. The judge let no step pass beneath the storey's
		// floor, though the floor beside the tread has room.
		name: "storey along a tread", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-2.625, -0.375, 1.25, 2, -0.5, -1.5, 1, 0, -2),
			xyz(0, 0.5, 1.5, -0.401366, 0.438783, -0.09108, -0.84375, 0.4375, 0.1875),
			xyz(0, 1, 1, 0, 1, 0, -0.375, 0.625, -0.125),
			xyz(-2.620445, 2.419947, 1.311172, 1.944518, 2.419947, -1.573462, 1, 2, -2),
		},
	},
	{
		// A pocket between three heights has a splinter half a millimetre wide, which falls by three centimetres. The splinter's plane falls by more than a step
		// to the far end of a wall beneath the floor, and the wall counted as an obstacle.
		name: "wall beside a splinter of a pocket", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-2, 0, 1, 0.4375, 0.4375, 1.0625, 0.40625, 0.4375, -1.65625),
			xyz(0.848988, 0.1, -0.187117, 4.75, 0.125, -0.1875, 5, 0, -3),
			xyz(0.848988, 0.1, -0.187117, 5, 0, -3, 1, 0, -3),
			xyz(0.848988, -0.4, -0.187117, 4.75, 0.125, -0.1875, 0.848988, 0.1, -0.187117),
			xyz(1, 0, 5, 4.625, 0, -0.125, 0.75, 0, 0),
		},
	},
	{
		// A bridge a few millimetres wide crosses the side of another one, and goes up by a third of a metre there. The way around the pocket beside the
		// first continued at the nearest brink in space, on the wrong side of the crossing.
		name: "steep bridge through the side of a bridge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-2, 0, 1, 0.46875, 0.1875, 0.78125, 0.46875, 0.1875, -1.46875),
			xyz(0.487592, -0.2, -0.370889, 2.470155, -0.2, -0.228966, 3, 0, -3),
			xyz(1, 0, 3, 3, 0, 0, 0.625, -0.25, -0.125),
		},
	},
	{
		// Slabs at three heights: bridges that cross left a pocket open.
		name: "pocket between slabs", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-3, 0, 0, 0.3125, 0, 0.75, 0.59375, 0, -1.375),
			xyz(0.484375, -0.203125, -0.078125, 5, 0, 0, 5, 0, -3),
			xyz(0.484375, -0.203125, -0.078125, 5, 0, -3, 0, 0, -3),
			xyz(0, 1, 3, 5, 1, 0, 0.5, 0.875, -0.0625),
		},
	},
	{
		// A bridge three millimetres wide, along the normals of a short edge. The way around the pocket beside the bridge missed the bridge at the
		// long edge on the other side of the gap.
		name: "bridge from a short edge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(2.5, -0.5, -1.5, -3, 2, -4, -0.75, 0.5, 0.25),
			xyz(-4, 0, 2, 2, 0, 4, -0.277413, 0.367164, 0.13375),
			xyz(-0.28005, 0.317245, 0.132675, -4, 0, 2, -0.277413, 0.367164, 0.13375),
		},
	},
	{
		// A short edge again. Rounding turned the bridge along its normals by a centimetre.
		name: "turned bridge from a short edge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(2.42231, -0.446729, -1.655196, -2.794475, 1.90161, -3.779906, -0.724792, 0.516978, 0.278527),
			xyz(-3.501836, 0.493306, 2.18629, 2.222026, 0.150277, 4.073554, -0.277413, 0.367164, 0.13375),
			xyz(-0.28005, 0.317245, 0.132675, -3.501836, 0.493306, 2.18629, -0.277413, 0.367164, 0.13375),
		},
	},
	{
		// Where a gap gets too wide, a bridge three millimetres wide was left, and the pocket beside the bridge was floor. Rounding decides about such bridges.
		name: "bridge at the end of a gap", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0.296778, 0.024198, 0.432821, 0.296778, 0.024198, -0.267179, -0.003222, 0.024198, -0.267179),
			xyz(0.147204, 0.286686, -0.271668, 0.270811, 0.286686, 0.108755, 1.23971, 0.286686, -0.384924),
			xyz(-0.803222, 0.286686, -0.121135, 0.270811, 0.286686, 0.108755, 0.147204, 0.286686, -0.271668),
			xyz(-0.70488, 0.286686, -2.913355, 0.221386, 0.286686, -0.243844, 1.098267, 0.286686, -0.716056),
		},
	},
	{
		// The ground and the terrace were in one layer, and the bridge beside the terrace in another: nothing divided the ground from the terrace.
		name: "ground beside a terrace behind a narrow bridge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-23, 0, 23, 23, 0, -23, -23, 0, -23),
			xyz(-12.565632, 0.503831, 6.974495, -10.064742, 0.458473, 8.640298, -11.431899, 0.458473, 6.345222),
			xyz(-10.063286, 1.007662, 8.639047, -9.065137, 1.013776, 7.782165, -11.430245, 1.007662, 6.344304),
			xyz(-9.063681, 1.511493, 7.780915, -8.065533, 1.512914, 6.924033, -10.294858, 1.511493, 5.714112),
			xyz(-10.294858, 1.511493, 5.714112, -8.065533, 1.512914, 6.924033, -9.161125, 1.512914, 5.084839),
			xyz(-8.064077, 2.015324, 6.922783, -7.065928, 2.010832, 6.0659, -9.159471, 2.015324, 5.083921),
		},
	},
	{
		// A tread crosses the gap between two terraces. The hole beside the tread has steps and brinks around it, and was open.
		name: "tread across a gap", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-23, 0, 23, 23, 0, 23, 23, 0, -23),
			xyz(8.271471, 0.530398, 8.856583, 9.347907, 0.539575, 5.684588, 7.039054, 0.539575, 7.536986),
			xyz(9.312293, 1.060797, 5.662931, 7.675635, 1.053344, 4.667657, 7.012236, 1.060797, 7.508272),
			xyz(7.374069, 0.795598, 6.927773, 7.603558, 0.795598, 7.120997, 8.312043, 0.795598, 6.27954),
		},
	},
	{
		// The hole between a tread and a terrace is smaller than the corners that a pocket kept.
		name: "small hole beside a tread", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-23, 0, 23, 23, 0, 23, 23, 0, -23),
			xyz(6.282885, 0.503831, 16.964296, 8.212441, 0.458473, 13.175644, 5.716012, 0.458473, 15.433694),
			xyz(8.211253, 1.007662, 13.173737, 7.396803, 1.013776, 11.867072, 5.715185, 1.007662, 15.43146),
			xyz(6.908054, 0.881704, 14.311029, 8.021223, 0.881704, 14.064341, 7.881536, 0.881704, 13.798846),
		},
	},
	{
		// Two tiles cross at a small angle, with a hole of 2 mm beside the crossing and the ground a step below. The hole had no bridge beside it.
		name: "hole beside a crossing of tiles", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(11.549016, 0.622006, 10.184472, 11.54299, 0.622006, 8.828759, 11.514292, 0.650832, 8.857713),
			xyz(11.551022, 0.629607, 8.829551, 11.546587, 0.629607, 10.18527, 11.575508, 0.658433, 10.156538),
			xyz(-1, -0.15, 16, 16, -0.15, 16, 16, -0.15, -1),
			xyz(10.371274, 0.991225, 12.356074, 11.020881, 1.031225, 10.908798, 10.352501, 1.031225, 12.302712),
		},
	},
	{
		// The flange of a girder leans by 1.97 mm. The lattice called it wider than a hairline, and the agent climbed it from the ground.
		name: "flange as wide as a hairline", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-15, 0, 12, 15, 0, -12, -15, 0, -12),
			xyz(-6.320086, 0.959968, -5.504631, -3.59229, 0.976783, -1.118008, -4.459769, 0.986297, -5.845911),
			xyz(-3.590404, 0.835329, -1.118638, -4.459769, 0.986297, -5.845911, -3.59229, 0.976783, -1.118008),
		},
	},
	{
		// Four floors meet within 2 mm, and along 1.5 mm an upper floor lies a drop above the ground: less than corners may be off.
		name: "drop as short as corners are off", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(0, 0, 0, 19, 0, -19, 0, 0, -19),
			xyz(13.780537, 1.523438, -14.508782, 12.789775, 1.523438, -17.194343, 11.876454, 1.523438, -16.104585),
			xyz(15.798865, 0.816406, -15.846611, 14.353802, 0.816406, -16.777145, 13.021447, 0.816406, -14.708076),
			xyz(15.798865, 0.816406, -15.846611, 13.021447, 0.816406, -14.708076, 14.466511, 0.816406, -13.777543),
			xyz(12.244531, 0.898438, -14.274219, 14.069531, 0.898438, -15.642969, 13.310156, 0.898438, -16.655469),
		},
	},
	{
		// Two treads cross at a small angle, over a ceiling and a floor beneath. The floor showed in the tip of the crack, and the ceiling was in the
		// way there.
		name: "tip of a crack over a ceiling", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(5, 0, -1, -3, 0, 3, -3, 0, -1),
			xyz(5, 0, 3, 5, 0.5, -0.5, -3, 0.5, -0.5),
			xyz(-1, 0, -1, -0.6958618586017167, -0.25, -0.46356201171875, 0.0625, -0.25, -0.5625),
			xyz(11, -1, 11, 11, -1, -9, -9, -1, -9),
		},
	},
	{
		// A wall slants over a ramp and ends at a bridge. Rounding left half a millimetre of the wall beside the bridge.
		name: "crumb of a wall beside a bridge", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-0.5, 0, 13, -0.5, -1, -1, -0.5, 0, -2),
			xyz(-0.5, 0, 13, -0.5, 0, -2, -3, 0, -2),
			xyz(5, 0, 8, 5, 0, -12, -0.5, 0, -1),
			xyz(5, 0, 8, -0.5, 0, -1, -1, 0, 8),
			xyz(-25, 0, -2, -0.5, -1, -1, 2, 0, -2),
		},
	},
	{
		// A pocket ends 4 mm before the crossing of a ramp and an edge. In the hole there the floor a drop below the edge showed.
		name: "hole beside a pocket over a drop", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-1, 1, 1, 0.125, 0.5, 0.25, -0.4375, 0.5, -0.40625),
			xyz(-1, 1, 1, -0.4375, 0.5, -0.40625, -1, 1, 0),
			xyz(0, 1, 0, 0, 1, -1, -1, 1, -1),
			xyz(0, 1, 0, -1, 1, -1, -1, 1, 0),
			xyz(0.5, 1, 1, 0.53125, 1, -0.390625, -0.25, 1, 0.25),
			xyz(2, 0, 2, 2, 0, -2, -3, 0, -2),
		},
	},
	{
		// Two ramps cross, and an agent can walk between them on both sides of the line. The floor around the line lost the other storey on one side only.
		name: "ramps over each other twice", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(9, 2.5, 2, 9, -1.5, -2, -15, -1, -2),
			xyz(-10, 1, -2, 8, -4, 3, 8, 1, -2),
			xyz(-14, 3, 0.5, 9, 3, 1, 8.5, 3, 0.25),
		},
	},
	{
		// A rail before a shelf, both under ceilings too low for an agent. Their bridge was left out, and the floor beneath the bridge had room.
		name: "bridge between walled brinks", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-4, 0, -4, -4, 0, -0.125, 4, 0, -0.125),
			xyz(-4, 0, -4, 4, 0, -0.125, 4, 0, -4),
			xyz(-4, 0.75, -0.125, -4, 0.75, 0.5, 4, 0.75, 0.5),
			xyz(-4, 0.75, -0.125, 4, 0.75, 0.5, 4, 0.75, -0.125),
			xyz(-4, 0.75, 0.5, 4, 0.75, 0.5, 4, 2.5, 0.5),
			xyz(-4, 0.75, 0.5, 4, 2.5, 0.5, -4, 2.5, 0.5),
			xyz(-4, 2.5, 0.25, -4, 2.5, 1, 4, 2.5, 1),
			xyz(-4, 2.5, 0.25, 4, 2.5, 1, 4, 2.5, 0.25),
			xyz(-4, 3.75, 0.25, 4, 3.75, 1, -4, 3.75, 1),
			xyz(-4, 3.75, 0.25, 4, 3.75, 0.25, 4, 3.75, 1),
			xyz(-4, 2.625, -0.25, -4, 2.625, -0.125, 4, 2.625, -0.125),
			xyz(-4, 2.625, -0.25, 4, 2.625, -0.125, 4, 2.625, -0.25),
			xyz(-4, 3.75, -0.25, 4, 3.75, -0.125, -4, 3.75, -0.125),
			xyz(-4, 3.75, -0.25, 4, 3.75, -0.25, 4, 3.75, -0.125),
		},
	},
	{
		// A tread lies over the edge of another one, and a floor more than a step below ends at both edges. The judge stepped onto the hidden tread.
		name: "edge over a hidden tread", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0.265625, 1, 0, -2.46875, 1, -2, -5, 1, -2),
			xyz(-9, 1, 4, 1, 0.75, 0.5369573511329144, -2.46875, 0.75, -2),
			xyz(1, 0.25, 0.5, 0, 0, -2, 0, 0.5, 0),
			xyz(1, 0, 0.5369598865509033, 0, 0, -2, -0.25, 0, -0.3765041589348672),
		},
	},
	{
		// Bridges fill the wedge between two tiles but for the tip, which is no wider than a hairline. A wall stands in the tip on the ground beneath,
		// and was in the way of the floors above.
		name: "wall in the tip of a wedge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(12.701225, 0.499062, 7.874105, 13.359882, 0.499062, 7.870438, 13.356215, 0.499062, 7.211782),
			xyz(12.690972, 0.488752, 7.884472, 13.370249, 0.488752, 7.880691, 13.359882, 0.499062, 7.870438),
			xyz(12.690972, 0.488752, 7.884472, 13.359882, 0.499062, 7.870438, 12.701225, 0.499062, 7.874105),
			xyz(12.701068, 0.496326, 8.559671, 13.359726, 0.496326, 8.556318, 13.356372, 0.496326, 7.897659),
			xyz(12.701068, 0.496326, 8.559671, 13.356372, 0.496326, 7.897659, 12.697714, 0.496326, 7.901013),
			xyz(-1, -0.15, 16, 16, -0.15, 16, 16, -0.15, -1),
			xyz(14.296533, -0.1, 7.650885, 12.734865, 1.284569, 7.963989, 14.296533, 1.284569, 7.650885),
			xyz(14.296533, 1.284569, 7.650885, 12.734865, 1.284569, 7.963989, 12.781948, 1.324569, 7.995345),
		},
	},
	{
		// The edge of a handrail goes on over a landing, and the edge of the landing begins a hair beside it. The way around the hole before both went
		// on along the handrail, and the judge had no pocket.
		name: "handrail over a landing", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-10.085487, 1.414169, 6.092331, -9.326478, 1.414169, 6.675583, -9.235358, 1.414169, 6.471033),
			xyz(-8.590497, 1.028747, 4.863678, -10.020398, 3.680314, 8.196467, -8.544824, 1.028747, 4.884024),
			xyz(-7.836769, 2.056079, 6.328217, -9.239146, 2.056079, 5.949995, -9.284959, 2.056079, 6.495932),
			xyz(-7.839272, 2.261687, 6.355451, -9.287099, 2.261687, 6.471683, -9.146351, 2.261687, 7.001149),
		},
	},
	{
		// A hole beside a crossing of tiles has two corners 3 mm apart. The pocket had only one of the two, and left a hole.
		name: "corner of a pocket near another", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(3.142819, 0.154687, 11.496196, 3.803822, 0.182397, 11.461761, 3.170245, 0.182397, 11.468206),
			xyz(3.831812, 0.154687, 11.489187, 3.824803, 0.154687, 10.800195, 3.797377, 0.182397, 10.828185),
			xyz(3.831812, 0.154687, 11.489187, 3.797377, 0.182397, 10.828185, 3.803822, 0.182397, 11.461761),
			xyz(3.828234, 0.159975, 12.189563, 3.828417, 0.159975, 11.500535, 3.8007, 0.187684, 11.528237),
			xyz(3.828417, 0.159975, 11.500535, 3.16709, 0.187684, 11.528069, 3.8007, 0.187684, 11.528237),
			xyz(3.862161, 0.189726, 12.160146, 4.498986, 0.189726, 11.529769, 3.865385, 0.189726, 11.526545),
			xyz(-1, -0.15, 16, 16, -0.15, 16, 16, -0.15, -1),
			xyz(5.4573, 0.937282, 10.651988, 3.772718, 0.937282, 10.979211, 3.879459, 0.937282, 11.528727),
			xyz(5.4573, 0.937282, 10.651988, 3.879459, 0.937282, 11.528727, 5.564041, 0.937282, 11.201504),
		},
	},
	{
		// A tile crosses the joint between two others, over ground that is a step below them. The judge went around the hole beside the crossing without
		// the edge of the tile, because a brink began a centimetre away.
		name: "crossing over a joint", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(3.775429, 0.157899, 12.683379, 4.454714, 0.157899, 12.681902, 4.444382, 0.168209, 12.671614),
			xyz(3.784366, 0.171712, 13.357419, 4.444299, 0.171712, 12.700021, 3.785634, 0.171712, 12.698753),
			xyz(4.454629, 0.161402, 12.689731, 3.785634, 0.171712, 12.698753, 4.444299, 0.171712, 12.700021),
			xyz(-1, -0.15, 16, 16, -0.15, 16, 16, -0.15, -1),
			xyz(4.630646, 0.824394, 12.365432, 3.87933, 0.864394, 13.037889, 4.625279, 0.864394, 12.421746),
		},
	},
	{
		// A roof ends a millimetre beyond the edge of a floor that is more than a step above the ground, and the floor's edge is bent. The roof hid the
		// edge, and nothing divided the floor from the ground under the roof.
		name: "roof over the edge of a drop", radius: 0.25, climb: 0.25,
		triangles: [][3]geom.Vec{
			xyz(-1.75, 2.05, -0.25, 0.76, 2, 1.23, 0.24, 2, -0.7),
			xyz(0.76, 0.3, 1.23, 1.73, 0.3, 0.97, 0.5, 0.3, 0.27),
			xyz(0.5, 0.3, 0.27, 1.73, 0.3, 0.97, 1.47, 0.3, 0),
			xyz(0.5, 0.3, 0.27, 1.47, 0.3, 0, 0.24, 0.3, -0.7),
			xyz(0.24, 0.3, -0.7, 1.47, 0.3, 0, 1.21, 0.3, -0.96),
			xyz(1.73, 0.3, 0.97, 2.7, 0.3, 0.71, 1.47, 0.3, 0),
			xyz(1.47, 0.3, 0, 2.7, 0.3, 0.71, 2.43, 0.3, -0.26),
			xyz(1.47, 0.3, 0, 2.43, 0.3, -0.26, 1.21, 0.3, -0.96),
			xyz(1.21, 0.3, -0.96, 2.43, 0.3, -0.26, 2.17, 0.3, -1.22),
			xyz(2.7, 0.3, 0.71, 3.66, 0.3, 0.45, 2.43, 0.3, -0.26),
			xyz(2.43, 0.3, -0.26, 3.66, 0.3, 0.45, 3.4, 0.3, -0.52),
			xyz(2.43, 0.3, -0.26, 3.4, 0.3, -0.52, 2.17, 0.3, -1.22),
			xyz(-17, 0, 26, 15, 0, -6, -17, 0, -6),
		},
	},
	{
		// The same, where the bend of the edge is a sliver that the roof hides.
		name: "sliver between a roof and a drop", radius: 0.25, climb: 0.25,
		triangles: [][3]geom.Vec{
			xyz(-2.75, 2.05, -1.25, -0.24, 2, 0.23, -0.76, 2, -1.7),
			xyz(-0.24, 0.3, 0.23, 0.73, 0.3, -0.03, -0.5, 0.3, -0.73),
			xyz(-0.5, 0.3, -0.73, 0.73, 0.3, -0.03, 0.47, 0.3, -1),
			xyz(-0.5, 0.3, -0.73, 0.47, 0.3, -1, -0.76, 0.3, -1.7),
			xyz(-0.76, 0.3, -1.7, 0.47, 0.3, -1, 0.21, 0.3, -1.96),
			xyz(-0.76, 0.3, -1.7, 0.21, 0.3, -1.96, -1.02, 0.3, -2.66),
			xyz(-1.02, 0.3, -2.66, 0.21, 0.3, -1.96, -0.06, 0.3, -2.93),
			xyz(0.73, 0.3, -0.03, 1.7, 0.3, -0.29, 0.47, 0.3, -1),
			xyz(0.47, 0.3, -1, 1.7, 0.3, -0.29, 1.43, 0.3, -1.26),
			xyz(0.47, 0.3, -1, 1.43, 0.3, -1.26, 0.21, 0.3, -1.96),
			xyz(0.21, 0.3, -1.96, 1.43, 0.3, -1.26, 1.17, 0.3, -2.22),
			xyz(0.21, 0.3, -1.96, 1.17, 0.3, -2.22, -0.06, 0.3, -2.93),
			xyz(1.7, 0.3, -0.29, 2.66, 0.3, -0.55, 1.43, 0.3, -1.26),
			xyz(1.43, 0.3, -1.26, 2.66, 0.3, -0.55, 2.4, 0.3, -1.52),
			xyz(1.43, 0.3, -1.26, 2.4, 0.3, -1.52, 1.17, 0.3, -2.22),
			xyz(-18, 0, 25, 14, 0, -7, -18, 0, -7),
		},
	},
	{
		// Two corners of a pocket lie above each other, to a unit. Beside the triangle between them, its plane led far below the floor.
		name: "upright triangle of a pocket", radius: 0.3, climb: 0.4,
		triangles: [][3]geom.Vec{
			xyz(2.7109366521255898, 6.215595086125699, -2.5192346145059514, 1.0767419700150072, 6.215595086125699, -1.5667799811031529, 1.378343547678572, 6.215595086125699, -1.2500983245564101),
			xyz(0.9907955816270693, 6.443274365683746, 1.0403353607084227, 2.7109366521255898, 6.443274365683746, -2.5192346145059514, 0.0312676846108639, 6.443274365683746, 0.03283106884140709),
			xyz(1.360484691096708, 6.443274365683746, -1.2398501239673672, 1.0588831134331436, 6.443274365683746, -1.5565317805141097, -0.27370999101387467, 6.443274365683746, -0.2873954905645684),
			xyz(1.360484691096708, 6.443274365683746, -1.2398501239673672, -0.27370999101387467, 6.443274365683746, -0.2873954905645684, 0.027891586649689746, 6.443274365683746, 0.02928616598217423),
		},
	},
	{
		// A gap is wider than the widest by less than a millimetre. For the judge a bridge was in the way of the floor beneath, and more so for the
		// lenient judge, who steps over wider gaps.
		name: "gap of the greatest width", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-23, 0, 23, 23, 0, 23, 23, 0, -23),
			xyz(16.865977, 1.780942, -8.122226, 13.600073, 1.799407, -9.272373, 14.849134, 1.799407, -7.150966),
			xyz(13.351022, 2.671413, -9.102572, 11.503829, 2.691027, -7.843177, 14.577209, 2.671413, -7.020014),
		},
	},
	{
		// The edge of a ramp crosses the edge of a floor, over a girder. Beside the same two bridges lie a pocket between both edges and a pocket
		// along the girder's edge beneath. The judge had only one of the two.
		name: "two pockets beside the same bridges", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-5.724502, 5.602084, -9.998076, -5.59388, 5.602084, 10.001924, -5.004646, 5.602084, 9.998076),
			xyz(-6.66962, 5.785626, -0.050485, -7.067675, 5.88876, 4.637377, -5.192429, 5.875767, 4.796894),
			xyz(-6.832792, 5.489427, 6.272603, -2.530486, 8.089427, 3.797932, -7.127885, 5.489427, 5.452806),
		},
	},
	{
		// The side of a plank leans by a few millimetres. The way around a needle beside the corner of the plank led back along the side of a bridge,
		// and a pocket filled the needle.
		name: "needle beside a bridge", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0, -0.6, -1.5, 0, -0.6, 6, 10, -0.6, -1.5),
			xyz(-2.29479, 0.343926, 1.07193, 0.105043, 0.360472, 1.048965, 0.076091, 0.396439, -1.950679),
			xyz(0.108432, -0.139481, 1.042938, 0.07948, -0.103513, -1.956707, 0.076091, 0.396439, -1.950679),
			xyz(0.108432, -0.139481, 1.042938, 0.076091, 0.396439, -1.950679, 0.105043, 0.360472, 1.048965),
			xyz(-2.272135, 0.495431, 4.09525, 0.127833, 0.50405, 4.086167, 0.116621, 0.464751, 1.086445),
		},
	},
	{
		// The corner of a steep patch is 4 cm beside the corner of a ramp, and the ground is less than half a step beneath. The way around a hole
		// crossed from rim to rim over the ground, and a pocket hid it.
		name: "corners over the ground", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(0.5, -1, 0, -2, -1, -2, -4.5, -0.75, 0.75),
			xyz(0.5, -1, 0, -4.5, -0.75, 0.75, -2, -1, 3),
			xyz(-0.0625, -0.25, 0.1875, -2, 0, -2, -4, 0, 1),
			xyz(1, -1, -1, 0.75, -0.5, -0.875, -0.03125, -0.53125, 0.15625),
			xyz(1, 0, -1, -0.5, 0, 0, 0, 0, 0),
			xyz(0, 0, -1, -1, 0, 0, 0, 0, 0),
		},
	},
	{
		// Two floors are a millimetre apart, over the corner of a triangle more than a step beneath. A crumb of a wall beside the fill of the hairline
		// kept the agent away.
		name: "crumb at the end of a hairline", radius: 0.25, climb: 0.25, height: 1.2, slope: 30,
		triangles: [][3]geom.Vec{
			xyz(-15.125, -0.125, 10.4375, 15.25, 0, -10.5, -10, 0, -15),
			xyz(-6, 0, 0, 0, 0, 0, 0, 0, -6),
			xyz(-0.010184, 0.221793, -0.009266, 6, 0, 0, 6, 0, -6),
			xyz(-0.010184, 0.221793, -0.009266, 6, 0, -6, 0, 0, -6),
			xyz(-0.015625, -0.203125, -0.015625, 6, 0, 0, -0.010184, 0.221793, -0.009266),
			xyz(-6, 0, 6, 0, 0, 0, -6, 0, 0),
			xyz(0, 0, 6, 6, 0, 0, 0.00031, 0.235586, -0.007945),
		},
	},
	{
		// The back of a chair rises along its edge by a tenth, and so does the greatest rise beside a level edge. Rounding says whether there is a
		// bridge to the seat.
		name: "edge that rises by a tenth", radius: 0.5, climb: 0.5, height: 1.8, slope: 50,
		triangles: [][3]geom.Vec{
			xyz(-15, -1, 15, 9, -1, -1, -15, -1, -1),
			xyz(0.125, -0.25, 0.75, 0, 0, -1, -1, 0, 0),
			xyz(0.125, -0.25, 0.75, -1, 0, 0, -1, 0, 1),
			xyz(0.5, -0.5, 0.5, 0.255071, -0.53, 0.096178, -0.140363, -0.53, 0.237713),
			xyz(0.5, -0.5, 0.5, -0.140363, -0.53, 0.237713, 0, -1, 1),
			xyz(0.202306, -0.103746, -0.064103, 0, 0, -0.5, 0.173264, -0.100751, -0.057202),
		},
	},
	{
		// A wall begins over a corner of four floors, and has room beneath over the lowest. The judge took the wall for a body on the way over a floor
		// whose own edges end elsewhere.
		name: "wall that begins over a corner of steps", radius: 1, climb: 0.6, height: 3, slope: 35,
		triangles: [][3]geom.Vec{
			xyz(-2, 1, 0, -1, 1, 1, -1, 1, 0),
			xyz(-1, 1, -1, -1, 1, 0, 0, 0.5, 0),
			xyz(-1, 1, -1, 0, 0.5, 0, 0, 0.5, -1),
			xyz(-1, 1, 0, -1, 1, 1, 0, 1, 1),
			xyz(-1, 1, 0, 0, 1, 1, 0, 0.5, 0),
			xyz(-1, 1, 1, 0, 1, 2, 0, 1, 1),
			xyz(0, 0, -1, 0, 0, 0, 1, 0, 0),
			xyz(0, 0, -1, 1, 0, 0, 1, 0, -1),
			xyz(0, 0.5, 0, 0, 1, 1, 1, 1, 1),
			xyz(0, 0.5, 0, 1, 1, 1, 1, 0.5, 0),
			xyz(0, 1, 1, 1, 1, 2, 1, 1, 1),
			xyz(0, 3, 0, 1, 4, 0, 0, 4, 0),
		},
	},
	{
		// Four floors meet in a corner, a step apart. A way beside the way into the corner begins on no floor, and the judge took the corner for a
		// ledge.
		name: "way into a corner along an edge", radius: 1, climb: 0.6, height: 3, slope: 35,
		triangles: [][3]geom.Vec{
			xyz(-2, -2, -1, -1, -1.5, 0, -1, -1.5, -1),
			xyz(-2, -2, 0, -1, -2, 1, -1, -1.5, 0),
			xyz(-1, -1.5, 0, -1, -2, 1, 0, -1.5, 1),
			xyz(-1, -1.5, 0, 0, -1.5, 1, 0, -1.5, 0),
			xyz(-1, -1, -1, -1, -1, 0, 0, -1, 0),
			xyz(-1, -1, -1, 0, -1, 0, 0, -1, -1),
			xyz(-1, -1, -2, 0, -1, -1, 0, -1, -2),
			xyz(0, -1, 0, 0, -1, 1, 1, -1, 1),
			xyz(0, -1, 0, 1, -1, 1, 1, -1, 0),
			xyz(0, -1, -2, 0, -1, -1, 1, -1, -1),
			xyz(0, -1, -1, 0, -0.5, 0, 1, -1, 0),
			xyz(0, -1, -1, 1, -1, 0, 1, -1, -1),
		},
	},
	{
		// Four slabs meet but for a millimetre. The judge's pocket beside two bridges lay over the floor beneath, six millimetres beyond the bridges.
		name: "pocket over its corner", radius: 0.25, climb: 0.25, height: 1.2, slope: 30,
		triangles: [][3]geom.Vec{
			xyz(-3, 0, 22, 15, -0.125, -10, -10, -0.125, -3),
			xyz(-6, 0, 0, -0.012842, 0.05896, 0.004086, 0, 0, -6),
			xyz(0.011138, 0, 0.006294, 6, 0, -6, 0, 0, -6),
			xyz(-6, 0, 6, 0, 0.25, 0, -6, 0, 0),
			xyz(0, 0, 6, 6, 0, 0, 0.005519, 0.234874, -0.009006),
		},
	},
	{
		// A slot of a centimetre between two edges that rise apart, closed at both ends. The judge saw no pocket without a bridge beside it.
		name: "slot between a brink and a step", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(6.9375, -2.0625, -4, -2.5, -0.5, -0.5, 1, -0.5, 9),
			xyz(-0.125, -0.5625, -0.1875, -0.5, -0.5, 1, 0.125, -0.5625, 0.5),
			xyz(0.25, -0.5, -0.25, -0.5, 0, -0.5, -1, 0, 0),
			xyz(-0.34375, -0.59375, -0.8125, 0.6875, -0.125, 2, 1, 0, 2),
			xyz(0, -0.5, 0.5, 1, 0, 4, 0.25, -0.5, 0.25),
		},
	},
	{
		// Three edges cross around a hole of a centimetre. The judge had no pocket there.
		name: "hole between three edges", radius: 0.25, climb: 0.25, height: 1.2, slope: 30,
		triangles: [][3]geom.Vec{
			xyz(-6, 0, -6, 0, 0, 2, 8, 0, -5),
			xyz(0.274691, 0.346362, 0.249511, 1, 0.5, 0, 0.8125, 0.375, -0.1875),
			xyz(-1, 0, 0, 0, 0.25, 0.5, 0.75, 0.25, 0),
			xyz(-1, 0, 0, 0.75, 0.25, 0, 0, 0, -1),
			xyz(0.421875, 0.140625, -0.078125, 0.734375, 0.140625, -0.09375, 0.5, 0, -0.5),
		},
	},
	{
		// A bridge covers the half of a hole of two centimetres between three edges. Among so many ends so near each other the judge found no way
		// around the rest.
		name: "half a hole between three edges", radius: 0.35, climb: 0.3, height: 1.7, slope: 40,
		triangles: [][3]geom.Vec{
			xyz(1, 0.5, -0.5, -0.25, 0.375, -0.625, 0.875, 0.4375, -0.4375),
			xyz(1, 0, 0, 0.862758, 0.264265, -0.756355, 0, 0.25, -0.625),
			xyz(1, 0.125, 5, 5, 0, -9, -3.75, 0.25, -3.75),
			xyz(0.75, 0.5, -1, 1, 0, -1, 0, 0, -1),
			xyz(0.75, 0.5, -1, 0, 0, -1, 0.53125, 0.46875, -0.53125),
			xyz(0.75, 0.5, -0.5, 1, 0.5, -1.5, 0.4375, 0.5625, -1.125),
			xyz(0, 0, -1, 1, 0, -1, 1, 0, -2),
		},
	},
	{
		// A ceiling hangs over the side of a step by one and a half millimetres. The strict judges took the ceiling for a body over the step, with room
		// beneath.
		name: "ceiling over a sliver of a step", radius: 0.25, climb: 0.25, height: 1.2, slope: 30,
		triangles: [][3]geom.Vec{
			xyz(-0.25, -0.375, 0, -0.25, -0.25, 0.75, 0.5, -0.25, 0),
			xyz(0.5, -0.25, 0, -0.25, -0.25, 0.75, 1, 0, 1),
			xyz(0.013929, -0.100631, 0.208983, 2, 0, 0, 0.03125, -0.09375, -0.09375),
			xyz(0, 1, 0, 0.015625, 1, -1.375, 0.015625, 1, 0.28125),
		},
	},
	{
		// A centimetre of an edge is more than a step above the ground. From the place, the edge is seen almost from its end, and the judge took the
		// edge for a corner.
		name: "brink seen from its end", radius: 0.5, climb: 0.5, height: 1.8, slope: 50,
		triangles: [][3]geom.Vec{
			xyz(-0.75, -0.125, 1.5, 4.75, -0.25, -0.5, -1, 0, -1),
			xyz(-0.03125, 0.21875, 0.78125, 4, 0, 1, 4, 0, -1),
			xyz(0, 0, 2, 0.296875, 0.21875, 0.828125, -0.0625, 0.1875, 0.8125),
			xyz(0, 0, 2, 0.625, 0.375, 0.875, 0.25, 0.375, 0.8125),
			xyz(1, 1, 2, 1, 0.5, 1, 0.5, 0.5, 1),
		},
	},
	{
		// A steep patch narrows to nothing between a girder and the floor beside it. The judges who ease the least tread climbed the strip and the
		// girder behind at once.
		name: "strip of a steep patch", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-25, 0, 5, 5, 0, 5, 5, 0, -19),
			xyz(-2, 0, -1, -0.5625, 0.5, 0.5625, -0.419346, 0.521108, -0.4402),
			xyz(-0.5, 0.375, 0.625, -0.415972, 0.380933, -0.444047, -0.419346, 0.521108, -0.4402),
			xyz(-0.5, 0.375, 0.625, -0.419346, 0.521108, -0.4402, -0.5625, 0.5, 0.5625),
		},
	},
	{
		// Two floors with more than a step between are two millimetres apart, and a little more. The fill of the crack joined them, and the upper edge
		// saw no drop across.
		name: "crack of two millimetres over a drop", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(1.5, 0, -0.5, -0.088336, 0.045606, -0.722598, 0.13701, 0.045606, 0.224669),
			xyz(-0.090193, 0.53448, -0.721306, -4, 1, 2, 0.135046, 0.53448, 0.225512),
			xyz(0.25, 0.25, 0.5, 0.414525, 0.156607, 0.374763, -0.078125, 0.15625, -0.609375),
			xyz(0.25, 0.25, 0.5, -0.078125, 0.15625, -0.609375, -0.5, 0, -0.5),
		},
	},
	{
		// Pieces of a road are two millimetres apart over the ground. The pavements beside are more than a step above it, and their covers hid the
		// ground in all of the crack, but it still ended the bridges over the crack.
		name: "crack over a floor that covers hide in part", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-42, -0.125, 12, 18, -0.09375, 12, 18, -0.125, -48),
			xyz(1.803724, 0.28225, 0.278374, -0.25, 0.25, 0.75, -0.036009, 0.28225, 0.985043),
			xyz(1.803329, 0.285387, 0.280413, -0.036457, 0.285387, 0.986941, 2, 0.5, 0.5),
			xyz(2, 0.5, 0.5, -0.036457, 0.285387, 0.986941, 0.5, 0.5, 2),
			xyz(2.5, 0.5, 1, 0.5, 0.5, 2, 1, 0.5, 2.5),
			xyz(3, 1, 1, 1, 0.5, 2.5, 2, 1, 3),
			xyz(2, 1, 3, 1.5, 0.5, 3.5, 2.5, 0.5, 3.5),
			xyz(2.5, 0.5, 3.5, 2, 1, 4, 3, 1, 4),
			xyz(3, 1, 4, 2.5, 0.5, 4.5, 3.5, 0.5, 4.5),
			xyz(3.5, 0.5, 4.5, 3, 1, 5, 4, 0.5, 5.5),
			xyz(4, 1, 5, 3, 1, 6, 5, 1, 7),
			xyz(5, 1, 7, 4, 1, 7, 5.625, 0.875, 7.375),
			xyz(7, 1, 6, 5.5, 1, 7.5, 6, 1, 8),
			xyz(8, 1, 6, 6, 1, 8, 6, 0.75, 7.75),
			xyz(8, 1, 7, 6, 0.75, 7.75, 6.25, 0.5, 8),
			xyz(8, 1, 8, 6.25, 0.5, 8, 6.5, 0.5, 8.5),
			xyz(6, 1, 8, 6, 0.75, 8.5, 7, 1, 9),
			xyz(7, 1, 9, 6, 1, 9, 7, 1, 9),
			xyz(7, 1, 9, 6, 1, 9, 7, 1, 10),
			xyz(9, 1, 11, 7.5, 1.5, 12.5, 10, 2, 12),
			xyz(7, 1, 10, 6, 1, 10, 8, 2, 12),
		},
	},
	{
		// An edge crosses another edge, which lies over the side of a floor beneath. A wall fills the tip of the wedge in between, a millimetre wide,
		// and kept the agent away.
		name: "wall in the tip of a wedge", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(0.537, -1, 1, 1, -1, -2, 0.537, -1.311, -1.9),
			xyz(-5, 0, -3, 0.537, -0.474, 1, 0.537, -0.474, -2.341),
			xyz(1.125, -0.625, -2, 0.25, -0.5, 0.5, 1, -1, 1),
			xyz(1, -2, -2, 0.25, -0.5, 0.5, 1.125, -0.625, -2),
		},
	},
	{
		// A bar ends half a millimetre beyond the edge of a higher rail. The strip beyond the edge counted as floor to go along, and a pocket before
		// the end of the rail had no brink there.
		name: "floor of a unit beside a higher floor", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-0.5, 0.5, 0.5, 0, 0, -1, -0.5, 0.5, -1),
			xyz(-0.1875, 0.25, 0.625, 0, 0.5, 0.5, 0, 0, -1),
			xyz(-8, 0, 1, -0.15625, 0.28125, 0.65625, -0.160275, 0.272751, 0.587653),
			xyz(-8, 1, 1, -0.158201, 1.326512, 0.642613, -0.160086, 1.326512, 0.592649),
			xyz(0.0625, 0.25, 0.75, 0.25, 0.25, -1.25, 0.125, 0.25, -1.125),
			xyz(0.25, 0.25, 0.75, 0.5, 0.5, 1, 0, 0, -1),
		},
	},
	{
		// A pocket led from the side of one bridge to the side of another beside a third bridge, along floor that was more than a step below the
		// highest brink of the pocket.
		name: "pocket beside a bridge more than a step below", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(-0.75, 1, 1, -0.75, 0.75, 0, -1, 1, 0),
			xyz(-0.5, 0, 0, 1, 0, 0, -0.5, 0.25, -0.25),
			xyz(-0.4375, 0.1875, 0.1875, 1, 0, 0, -0.375, 0.125, -0.125),
			xyz(-0.5, 0.25, 0.5, 1, 0.5, 0.5, 1.125, 0.25, 0.1875),
			xyz(-0.5, 0.25, 0.5, 1.125, 0.25, 0.1875, -0.5, 0.25, 0.25),
			xyz(-0.5, 0.5, 1.25, 1.125, 0.375, 0.875, -0.5, 0.375, 0.875),
			xyz(-0.625, 1.1875, 0.4375, -0.625, 1, -0.625, -1, 1, -1),
		},
	},
	{
		// Two rails end on one line, and the second begins two centimetres before the first ends. The way around the pocket beside both went no
		// farther than the end of the first.
		name: "brinks of two floors that end on one line", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-0.5, 0.5, 0, 1, 0, 0, -0.5, 0.25, -0.25),
			xyz(-0.6875, 0.3125, 0.53125, 1.25, 0.25, 0.75, 1, 0, 0),
			xyz(-0.6875, 0.3125, 0.53125, 1, 0, 0, -0.625, 0.3125, 0.125),
			xyz(-0.8125, 1.25, 0.375, -0.769132, 1.24839, 0.369516, -0.75, 1.25, -0.75),
			xyz(-1, 1, 1, -0.75, 1.25, 1.25, -0.769132, 1.249588, 0.350526),
			xyz(-0.625, 0.875, 0.125, -0.5, 1, -1, -1, 1, -1),
			xyz(-0.5, 0.5, 1, -0.5, 1, 0, -0.625, 0.875, 0.125),
		},
	},
	{
		// A rail steps down onto a plank and onto a bridge beside the plank. The stretches above the two floors overlapped by eight millimetres, and
		// no way led from the end of one to the begin of the other.
		name: "step above two floors", radius: 0.3,
		triangles: [][3]geom.Vec{
			xyz(-0.583923, 0.472843, -0.409296, 1.083288, 0.520248, -0.824406, -0.590117, 0.520248, -0.79772),
			xyz(-0.698568, 0.428304, -0.076124, 1.172803, 0.428304, 0.037189, 1.196314, 0.471157, -0.351102),
			xyz(-0.698568, 0.428304, -0.076124, 1.196314, 0.471157, -0.351102, -0.675056, 0.471157, -0.464415),
			xyz(-0.662238, 0.38856, 0.373695, 1.126036, 0.38856, 0.395038, 1.130684, 0.426843, 0.005588),
			xyz(-0.662238, 0.38856, 0.373695, 1.130684, 0.426843, 0.005588, -0.65759, 0.426843, -0.015755),
			xyz(-0.809132, 1.326692, 0.369297, -0.769132, 1.326692, 0.369297, -0.769132, 1.436112, -0.644817),
			xyz(-0.809132, 1.24839, 1.369516, -0.769132, 1.328223, 0.352645, -0.809132, 1.328223, 0.352645),
			xyz(-0.609917, 1.125891, 0.101814, -0.569917, 1.125891, 0.101814, -0.569917, 1.45595, -0.863309),
			xyz(-0.609917, 1.125891, 0.101814, -0.569917, 1.45595, -0.863309, -0.609917, 1.45595, -0.863309),
			xyz(-0.609917, 0.858411, 1.10961, -0.569917, 1.118926, 0.12344, -0.609917, 1.118926, 0.12344),
			xyz(-0.569917, 1.080253, 0.113224, -0.609917, 1.080253, 0.113224, -0.609917, 1.118926, 0.12344),
		},
	},
	{
		// A plank crosses a plate over ground that rises along the plank. The judge took the ground below one side of a pocket to be as high as at the
		// far end of the plank, and had no pocket.
		name: "pocket over a floor that rises elsewhere", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-8, -2, 1, 6, 0.5, 2, 0, -2, -6),
			xyz(-0.25, -0.625, -0.375, 0.75, -0.375, 0.125, 0.25, -0.5, -0.5),
			xyz(-0.25, -0.75, 0.25, 1, -1, 0, 0.75, -0.75, -0.5),
			xyz(0, 0, -1, 0.4375, -0.375, -0.5, 0.6875, -0.375, -0.6875),
		},
	},
	{
		// The end of a rail lies over a tread, but for a strip of two millimetres along the edge. The judge had no bridge from the edge under the rail,
		// and the mesh had one.
		name: "rail two millimetres inside of an edge", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(0, 0, 1, 0.520855, 0.215148, 0.55518, -0.421875, 0.21875, 0.015625),
			xyz(0.50687, 1.215622, 0.549402, 0.463567, 1.215622, 0.524405, 0, 1, 1),
			xyz(1.5, 0, 1, 0, 0, -3, -1, 0, -0.5),
		},
	},
	{
		// The short edge of a sliver of three millimetres is a step above the ground. The judge took the edge for a brink, and bridges from the edge led
		// to a pocket.
		name: "short edge that is a step", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(1.5, -1.5, 9, 2.375, -0.125, -0.625, -7.625, -0.125, -1.5),
			xyz(-1, 0, 0, -0.074531, -0.155949, 0.411935, 0, 0, -1),
			xyz(-0.071944, -0.176882, 0.412954, 0, 0, -1, -0.074531, -0.155949, 0.411935),
			xyz(-0.5, 0, 1, -0.5, 0, 0, -1, 0, 0),
			xyz(-0.5, 0, 1, -1, 0, 0, -1, 0, 1),
			xyz(0, 0, 1, -0.25, 0.125, 0.375, -1, 0, 0),
			xyz(-0.0625, 0.15625, 0.5, -2, 0.5, 0.5, 0, 0, 1),
		},
	},
	{
		// A pocket of a centimetre lies between a bridge, the floor above and a floor below. Many long ways led away from the pocket, and the judge gave
		// up the search for the way around.
		name: "small pocket among many edges", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-2.172026, -0.094306, -4.643568, -3.71875, -0.09375, 5.25, 6.1875, -0.09375, 6.78125),
			xyz(-1, 0, 0, -1.25, 0.25, 0, -0.274009, 0.322457, 0.302552),
			xyz(-1, 0, 0, -0.274009, 0.322457, 0.302552, -0.234054, 0.322457, 0.132901),
			xyz(-1, 0, 1, 0.25, 0, 1, 0.16122, -0.061632, 0.274478),
			xyz(-1, 0, 1, 0.16122, -0.061632, 0.274478, -0.8807, -0.061632, 0.290185),
			xyz(1, 0, 1.5, 1, 0, 0, 0, 0, 0.5),
			xyz(-0.041716, 0.171259, -0.601783, -0.224958, 0.171259, 0.57617, 0.5, 0, 0.5),
		},
	},
	{
		// A bevelled tile lies over a lower tile behind a joint of two millimetres. Ways onto the bevel led over the corner of the first of its two
		// triangles, and the judge took this triangle alone for a tread too thin.
		name: "bevel of two triangles", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-1.25, 0.125, -0.125, -0.293694, 0.128646, -0.123171, -0.299761, 0.134742, -0.129295),
			xyz(-0.293694, 0.128646, -0.123171, 0, 0, -1, -0.299761, 0.134742, -0.129295),
			xyz(-1.1875, 0.25, 0.8125, 0, 0, 0, -1.198471, 0.273042, -0.116018),
			xyz(-0.291218, 0.266946, -0.121425, -1.204562, 0.266946, -0.122118, -1.198471, 0.273042, -0.116018),
			xyz(-0.291218, 0.266946, -0.121425, -1.198471, 0.273042, -0.116018, 0, 0, 0),
			xyz(-1.204562, 0.266946, -0.122118, -1, 0.5, 1, -1.1875, 0.25, 0.8125),
			xyz(0, 0, 0, 0.625, 0.125, -0.125, -0.3125, 0.125, -0.125),
			xyz(-0.5, 0.5, 1, 0.5, 0.5, 0, -0.3125, 0.25, -0.125),
			xyz(-10, -0.125, 9, 7, -0.25, 9, 7, -0.15625, -8),
			xyz(-10, -0.125, 9, 7, -0.15625, -8, -10, 0, -8),
		},
	},
	{
		// A stair between a beam and a drop just has room for the agent. A splinter of the strip went from one layer to the next, which has ground
		// beneath, and the mesh led down to the ground.
		name: "splinter over a lower storey", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-15, 0, 8, 11, 0, 8, 11, 0, -14),
			xyz(-1.25, 1.75, -0.25, 3.490681, 2.361796, -0.152813, -1.316825, 2.067993, -0.152813),
			xyz(-2, 0, 1, -2, 0, 0, -2.5, 0.25, -0.25),
			xyz(-2.15625, 0.40625, 0.65625, -2, 0.5, 0.5, -2, 0.5, -0.5),
			xyz(-2.15625, 0.40625, 0.65625, -2, 0.5, -0.5, -2.25, 0.5, -0.25),
			xyz(-2, 1, 1, -1.625, 0.625, 0.625, -1.5, 0.5, -0.5),
			xyz(-2, 1, 1, -1.5, 0.5, -0.5, -2, 1, 0),
			xyz(-1.625, 0.8125, 0.65625, -1, 1, 1, -1, 1, 0),
			xyz(-1.625, 0.8125, 0.65625, -1, 1, 0, -1.5, 1, -0.5),
			xyz(-1, 1, 1, -0.75, 1.25, -0.25, -1, 1, -0.5),
			xyz(-1, 1, 1, -0.5, 1.375, 0.625, -0.5, 1.5, -0.5),
			xyz(-1, 1, 1, -0.5, 1.5, -0.5, -1, 1, 0),
			xyz(-0.5, 1.625, 0.65625, -0.19, 1.6208, 0.65, -0.1875, 1.625, -0.25),
			xyz(-0.5, 1.625, 0.65625, -0.1875, 1.625, -0.25, -0.5, 1.5, -0.25),
			xyz(-0.21875, 1.8125, 0.65625, 0, 2, 1, 0, 2, -0.5),
			xyz(-0.21875, 1.8125, 0.65625, 0, 2, -0.5, -0.25, 1.75, -0.25),
			xyz(0, 2, 1, 0.5, 2, 0.5, 0.5, 2, -0.5),
			xyz(0, 2, 1, 0.5, 2, -0.5, 0, 2, 0),
		},
	},
	{
		// Two treads are up to two millimetres apart, and the landing above is a step from the upper tread only. The judge took the edge of the
		// upper tread for a step down, the mesh took it for a brink with a bridge to the landing.
		name: "edges a millimetre and a half apart", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-1.1875, 0.6875, -0.6875, 1.5, 0.5, -0.5, 2, 1, -4),
			xyz(-1.1875, 0.6875, -0.6875, 2, 1, -4, -1, 0.75, -3.75),
			xyz(-0.5, 0, -1, -1.015625, 0.125, -0.34375, -0.25, 0, -1),
			xyz(-0.25, 0.25, -1, -1.017697, 0.301039, -0.339146, -0.5, 0.5, 0),
			xyz(-0.5, 0.5, -1, -1, 0, 0, -0.375, 0.5, 0),
			xyz(-0.5, 0.5, -1, -0.375, 0.5, 0, -0.25, 0.5, -1),
			xyz(-0.25, 0.75, -1, -0.03125, 0.84375, 0, 0, 1, 0),
		},
	},
	{
		// The steep side of a slab is a third of a millimetre higher than a step. The judge with the eased limits took the side for floor, where bridges
		// end. The mesh had no floor there.
		name: "steep side just as high as a step", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(1.25, -0.5, -0.25, 1, -0.5, -0.5, 0.375, -0.5, 0.875),
			xyz(1, -0.5, -0.5, 0.666248, -0.28618, -0.466089, 0, -0.5, 1),
			xyz(0.5, -0.5, -0.5, 0.052814, -0.686505, 0.792258, 0, -0.5, 1),
			xyz(0.5, -0.5, -0.5, 0, -0.5, 1, 0.666248, -0.28618, -0.466089),
			xyz(0.75, 0, -0.5, 0, 0, -1, 0, 0, 0.5),
		},
	},
	{
		// A wall stands in a hairline of a millimetre between two floors, and touches neither. The hairline was filled, and the wall was in nobody's way.
		name: "wall in a hairline", radius: 0.5, climb: 0.75, height: 1.75,
		triangles: [][3]geom.Vec{
			xyz(10, 0, -3, -0.0208, 0.25, -0.6146, 11.78125, 0.25, 4.65625),
			xyz(21.46875, 0.25, 9, -1.0848, 0.25, -1.0898, -5, 0, 0),
			xyz(17, 0, 7, -2, 6, -1.5, -2, 0.5, -1.5),
		},
	},
	{
		// A ramp rises by one in eight beside a level floor, over sloping ground. The crack between them had no bridge, because the edges rise apart. Where
		// the ground was a step below one side only, the other side was in the way of the ground in the crack.
		name: "crack beside a ramp", radius: 0.6,
		triangles: [][3]geom.Vec{
			xyz(0.5, -0.25, -1, -0.5, -0.5, -0.5, 0.5, -0.5, -0.5),
			xyz(-0.5, -0.5, -0.5, -0.5, -1, 0.5, 0.5, -0.5, -0.5),
			xyz(-5, 0.25, 1.5, 0, 0.25, 1.5, 0, -0.125, -1.5),
			xyz(0.015625, 0.1875, 3.5, 5, 0.1875, -1.5, 0.015625, 0.1875, -1.5),
		},
	},
	{
		// The edges of a step and of a stage cross at two degrees, above a floor more than a step below the stage. The floor showed between them in a strip of a
		// millimetre, and the front of the stage stood in the strip.
		name: "strip between a step and a stage", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(-5.148425, 1.289872, -3.80536, -5.292955, 1.289872, -4.696882, -5.649304, 1.289872, -4.076627),
			xyz(-5.292955, 1.289872, -4.696882, -5.748886, 1.289872, -4.974282, -5.649304, 1.289872, -4.076627),
			xyz(-5.649304, 1.289872, -4.076627, -5.748886, 1.289872, -4.974282, -6.135931, 1.289872, -4.372702),
			xyz(-5.148425, 1.697627, -3.80536, -5.649304, 1.697627, -4.076627, -5.473179, 1.697627, -3.167993),
			xyz(-5.473179, 1.697627, -3.167993, -5.649304, 1.697627, -4.076627, -6.005654, 1.697627, -3.456371),
			xyz(-5.649304, 1.697627, -4.076627, -6.135931, 1.697627, -4.372702, -6.005654, 1.697627, -3.456371),
			xyz(-6.005654, 1.697627, -3.456371, -6.135931, 1.697627, -4.372702, -6.522976, 1.697627, -3.771122),
			xyz(-6.135931, 1.697627, -4.372702, -6.607076, 1.697627, -4.692839, -6.522976, 1.697627, -3.771122),
			xyz(-5.148425, 1.697627, -3.80536, -5.649304, 1.289872, -4.076627, -5.649304, 1.697627, -4.076627),
			xyz(-5.649304, 1.289872, -4.076627, -6.135931, 1.289872, -4.372702, -5.649304, 1.697627, -4.076627),
			xyz(-6.16399, 1.491749, -4.819871, -6.375954, 1.491749, -4.507295, -5.157504, 1.491749, -3.78754),
		},
	},
	{
		// The same at a smaller angle: the tip of the strip, a splinter of a hundredth of a millimetre, kept its obstacle.
		name: "tip of a strip", radius: 0.4, climb: 0.4, height: 1.8,
		triangles: [][3]geom.Vec{
			xyz(0, 4.646831, 5.129254, -0.939845, 4.646831, 4.193236, -0.984679, 4.646831, 5.10506),
			xyz(0, 5.079093, 5.129254, -0.984679, 5.079093, 5.10506, 0, 5.079093, 6.042179),
			xyz(0, 5.079093, 6.042179, -0.984679, 5.079093, 5.10506, -1.029512, 5.079093, 6.016884),
			xyz(-0.984679, 5.079093, 5.10506, -1.966981, 5.079093, 5.032539, -1.029512, 5.079093, 6.016884),
			xyz(-1.029512, 5.079093, 6.016884, -1.966981, 5.079093, 5.032539, -2.05654, 5.079093, 5.941061),
			xyz(0, 5.079093, 5.129254, -0.984679, 4.646831, 5.10506, -0.984679, 5.079093, 5.10506),
			xyz(-1.897748, 4.862962, 4.580673, -1.943895, 4.862962, 5.054896, 0, 4.862962, 5.149254),
		},
	},
}

// TestShrunkLevels builds levels of a few triangles, on each of which a build broke a law, and looks for faults.
func TestShrunkLevels(t *testing.T) {
	race.Skip(t)
	for _, s := range shrunkLevels {
		var lvl level.Level
		for _, v := range s.triangles {
			n := uint32(len(lvl.Vertices))
			lvl.Vertices = append(lvl.Vertices, v[:]...)
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial})
		}
		agent := meadow.Agent{Radius: s.radius, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
		if s.radius == 0 {
			agent.Radius = meadow.PointRadius
		}
		if s.climb != 0 {
			agent.MaxClimb = s.climb
		}
		if s.height != 0 {
			agent.Height = s.height
		}
		if s.slope != 0 {
			agent.MaxSlope = geom.Degrees(s.slope)
		}
		mesh, err := meadow.BuildWith(t.Context(), &lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		for _, f := range mesh.Validate() {
			t.Errorf("%s: %v", s.name, f)
		}
		faults, looked, err := Check(t.Context(), mesh.Mesh, &lvl, Options{Places: 100, Paths: 10, KeepAll: true, Near: DefaultNear, Simplify: DefaultSimplify})
		if err != nil {
			t.Fatal(err)
		}
		if looked.Regions == 0 {
			t.Errorf("%s: no region", s.name)
		}
		for _, f := range faults {
			t.Errorf("%s: %v", s.name, f)
		}
	}
}
