package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

// DemoWalk returns a start on the southern bank of the demo level and a goal on top of its tower. The
// way leads over the bridge, through the gate, up the stairs of the house, along the wall and up
// the spiral stair.
func DemoWalk() (start, goal geom.Vec) {
	return geom.FromGround(15, -16, 0.0625), geom.FromGround(4.25, 8.25, 9)
}

// The demo's tower: a drum of masonry, and on it a spiral stair of two turns around a mast.
var demoTower = pt{6, 10}

const (
	demoDrum     = 3.25
	demoTerrace  = 3.0 // height of the terrace, the wall walk and the drum
	demoTurns    = 2
	demoTop      = demoTerrace + 3*demoTurns
	demoMast     = 0.75
	demoStair    = 2.5 // outer radius
	demoParapet  = 1.0
	demoThick    = 0.25
	demoWalkLow  = 8.875 // the wall walk runs east between these
	demoWalkHigh = 11.125
)

// makeDemo builds a small walled court by a canal, 40 m by 40 m, that shows everything that a mesh
// has to cope with: overlapping floors, straight and spiral stairs, a ramp, a humpbacked bridge,
// doors, an arcade to pass under, round columns, slopes, and plenty in the way.
// The plan is fixed: hills and plants are drawn by the same lots for every seed.
func makeDemo(b *builder, _ Options, _ *rand.Rand) {
	r := rand.New(rand.NewPCG(5, 11))
	n := newNoise(r)
	demoGround(b, n)
	demoCanal(b)
	demoBridge(b)
	demoCourt(b)
	demoHouse(b)
	demoWall(b)
	demoLookout(b)
	demoRuin(b)
	demoPlants(b, n, r)
}

// demoHeight is the height of the meadow: level where things are built, rising to hills in the north, in the
// west and at the south-western corner.
func demoHeight(n noise, x, y float64) float64 {
	rise := func(d, over float64) float64 { return ease(math.Max(0, math.Min(1, d/over))) }
	hills := 2.6*rise(y-14.5, 6) + 1.9*rise(-15-x, 6)
	if y < 0 {
		hills = 2.2 * rise(-7-x, 12) * rise(-12-y, 7)
	}
	hills *= 1 + 0.35*n.at(x/5, y/5)
	return snap(hills)
}

func demoGround(b *builder, n noise) {
	meadow := skin{"grass", "dirt"}
	bank := func(name string, south, north int) {
		var heights []float64
		for y := south; y <= north; y++ {
			for x := -20; x <= 20; x++ {
				heights = append(heights, demoHeight(n, float64(x), float64(y)))
			}
		}
		b.object(name)
		b.heightField(pt{-20, float64(south)}, 1, 40, north-south, heights, -3, meadow)
	}
	bank("northern bank", -6, 20)
	bank("southern bank", -20, -10)

	b.object("paths")
	paving := skin{"gravel", "dirt"}
	b.prism([]pt{{2, -6}, {5, -6}, {5, -2}, {2, -2}}, -0.5, 0.0625, paving)
	b.prism([]pt{{5, -6}, {20, -6}, {20, -4.25}, {5, -4.25}}, -0.5, 0.0625, paving)
	b.prism([]pt{{2.25, -13}, {4.75, -13}, {6, -14.5}, {20, -15}, {20, -17.25}, {5, -16.75}, {2.25, -14.75}}, -0.5, 0.0625, paving)
	b.box(2, -13, -0.5, 5, -10, 0.0625, paving)
}

// demoCanal lays a bed with water between the banks, and a kerb of stone on both of them.
func demoCanal(b *builder) {
	b.object("canal bed")
	b.box(-20, -10, -3, 20, -6, -2, skin{"sand", "dirt"})
	b.object("water")
	b.box(-20, -9.5, -2, 20, -6.5, -1.125, skin{"water", "water"})
	b.object("quays")
	for _, x := range [][2]float64{{-20, 1.75}, {5.25, 20}} {
		b.box(x[0], -10, -2, x[1], -9.5, 0.125, skin{"stone_floor", "stone"})
		b.box(x[0], -6.5, -2, x[1], -6, 0.125, skin{"stone_floor", "stone"})
	}
	b.box(1.75, -10, -2, 5.25, -9.5, -0.125, plain("stone"))
	b.box(1.75, -6.5, -2, 5.25, -6, -0.125, plain("stone"))
}

// demoBridge spans the canal from south to north with a hump and a vault.
func demoBridge(b *builder) {
	const middle, reach, top = -8.0, 5.0, 1.5
	hump := func(y float64) float64 { return top * (1 - (y-middle)*(y-middle)/(reach*reach)) }
	var over, rail []pt
	for k := 20; k >= 0; k-- {
		y := middle - reach + float64(k)/2
		over = append(over, pt{y, hump(y) + 0.0625})
		rail = append(rail, pt{y, hump(y) + 0.0625 + demoParapet})
	}
	profile := []pt{{middle - reach, -0.25}, {-9.75, -0.25}, {-9.75, -2}, {-9.5, -2}}
	for _, p := range arc(pt{}, 1, 0.5, 0, 12) {
		profile = append(profile, pt{middle + 1.5*p.x, -1.25 + 2*p.y})
	}
	profile = append(profile, pt{-6.5, -2}, pt{-6.25, -2}, pt{-6.25, -0.25}, pt{middle + reach, -0.25})
	b.object("bridge")
	b.northward(append(profile, over...), 2, 5, skin{"stone_floor", "stone"})
	side := append([]pt(nil), rail...)
	for k := len(over) - 1; k >= 0; k-- {
		side = append(side, pt{over[k].x, over[k].y - 0.5})
	}
	b.object("bridge parapets")
	b.northward(side, 1.75, 2, plain("stone"))
	b.northward(side, 5, 5.25, plain("stone"))
}

// demoCourt paves the court, walls it in with a gate towards the bridge, and furnishes it.
func demoCourt(b *builder) {
	b.object("court")
	b.box(-13.625, -1.625, -0.5, 8, 8.875, 0.0625, skin{"paving", "stone"})

	wall := skin{"stone_floor", "plaster"}
	b.object("court walls")
	const high, out = 2.25, 0.375
	b.box(-14, -2, -0.5, 1.5, -2+out, high, wall)
	b.box(5.5, -2, -0.5, 8.375, -2+out, high, wall)
	b.box(-14, -2+out, -0.5, -14+out, 5.5, high, wall)
	b.box(8, -2+out, -0.5, 8.375, 7.75, high, wall)
	b.object("gate")
	b.box(1.25, -2.25, -0.5, 2, -1.375, 3.25, plain("stone"))
	b.box(5, -2.25, -0.5, 5.75, -1.375, 3.25, plain("stone"))
	lintel := []pt{{1.25, 3.25}}
	lintel = append(lintel, pt{2, 3.25})
	for _, p := range arc(pt{3.5, 2.25}, 1, 0.4, 0.1, 8) {
		lintel = append(lintel, pt{3.5 + 1.5/0.809*(p.x-3.5), 2.6 + 0.8*(p.y-2.25)})
	}
	lintel = append(lintel, pt{5, 3.25}, pt{5.75, 3.25}, pt{5.75, 3.75}, pt{3.5, 4.25}, pt{1.25, 3.75})
	b.eastward(lintel, -2.125, -1.5, skin{"brick_roof", "stone"})

	b.object("fountain")
	c := pt{-1, 3}
	b.turned(c, 20, []pt{{1.625, 0}, {1.625, 0.625}, {1.375, 0.625}, {1.375, 0.4375}}, skin{"water", "stone"})
	b.turned(c, 10, []pt{{0.25, 0.25}, {0.1875, 1.25}, {0.625, 1.5}, {0.5, 1.625}, {0.125, 1.5625}, {0.125, 1.875}}, plain("stone"))

	b.object("pergola")
	for _, x := range []float64{-12.5, -10, -7.5} {
		for _, y := range []float64{-0.75, 1.5} {
			b.turned(pt{x, y}, 12, []pt{{0.25, 0}, {0.25, 0.125}, {0.1875, 0.1875}, {0.15625, 2.25}, {0.25, 2.375}}, plain("stone"))
		}
		b.box(x-0.125, -1.25, 2.375, x+0.125, 2, 2.5625, plain("wood"))
	}
	for _, y := range []float64{-0.75, 0, 0.75, 1.5} {
		b.box(-13, y-0.0625, 2.5625, -7, y+0.0625, 2.6875, plain("wood_light"))
	}
	b.box(-11.5, 0.125, 0, -8.5, 0.625, 0.5, plain("wood"))

	b.object("crates")
	b.slanted(vec{6.75, -0.5, 0.5}, vec{1, 1, 0.875}, 0.2, 0, 0, plain("wood_light"))
	b.slanted(vec{5.5, 6.5, 0.5}, vec{0.875, 0.875, 0.875}, 0.7, 0, 0, plain("wood"))
	b.slanted(vec{6.75, 0.75, 0.375}, vec{0.75, 0.75, 0.625}, 0.9, 0, 0, plain("wood"))
	b.turned(pt{7.25, 2}, 12, []pt{{0.3125, 0}, {0.4375, 0.5}, {0.3125, 1}}, plain("wood_dark"))
	b.turned(pt{7.125, 3}, 12, []pt{{0.3125, 0}, {0.4375, 0.5}, {0.3125, 1}}, plain("wood_dark"))
	b.object("flower beds")
	b.box(-5.5, -1.125, 0, -0.5, -0.375, 0.5625, skin{"foliage", "brick_red"})
	b.box(-13.125, 3, 0, -12.5, 5, 0.5625, skin{"foliage", "brick_red"})
}

// opening is a hole in a facade: a span along the facade and a span in height.
type opening struct{ from, to, low, high float64 }

// facade adds a wall along x (at y0 to y1) or along y (at x0 to x1) with openings in order. The wall is
// closed, because it consists of whole boxes: one beside, one below and one above every opening.
func (b *builder) facade(alongX bool, at, thick, from, to, low, high float64, holes []opening, s skin) {
	piece := func(f, t, l, h float64) {
		switch {
		case t <= f || h <= l:
		case alongX:
			b.box(f, at, l, t, at+thick, h, s)
		default:
			b.box(at, f, l, at+thick, t, h, s)
		}
	}
	next := from
	for _, o := range holes {
		piece(next, o.from, low, high)
		piece(o.from, o.to, low, o.low)
		piece(o.from, o.to, o.high, high)
		next = o.to
	}
	piece(next, to, low, high)
}

// demoHouse builds a ground floor with a terrace on top, a room with a gable on the terrace, and
// stairs along the southern front.
func demoHouse(b *builder) {
	const thick = 0.375
	front := skin{"stone_floor", "plaster_yellow"}
	window := func(from float64) opening { return opening{from, from + 1.25, 1, 2.125} }
	b.object("house floor")
	b.box(-14, 5.5, -0.5, -4, 14, 0.09375, skin{"tile_floor", "stone"})
	b.object("ground floor walls")
	b.facade(true, 5.5, thick, -14, -4, 0, 2.75, []opening{window(-13.5), {-12, -10.5, 0, 2.25}, window(-7.5)}, front)
	b.facade(true, 14-thick, thick, -14, -4, 0, 2.75, []opening{window(-12), window(-8)}, front)
	b.facade(false, -14, thick, 5.5+thick, 14-thick, 0, 2.75, []opening{window(7), window(11)}, front)
	b.facade(false, -4-thick, thick, 5.5+thick, 14-thick, 0, 2.75, []opening{window(6.5), {12, 13.25, 0, 2.25}}, front)
	b.object("terrace")
	b.box(-14.125, 5.375, 2.75, -4, 14.125, demoTerrace, skin{"tile_floor", "stone"})

	rail := skin{"stone_floor", "plaster_yellow"}
	up := demoTerrace + demoParapet
	b.object("terrace parapets")
	b.box(-14, 5.5, demoTerrace, -10.25, 5.75, up, rail)
	b.box(-8.6875, 5.5, demoTerrace, -4, 5.75, up, rail)
	b.box(-4.25, 5.75, demoTerrace, -4, demoWalkLow+demoThick, up, rail)
	b.box(-4.25, demoWalkHigh-demoThick, demoTerrace, -4, 14, up, rail)
	b.box(-8, 13.75, demoTerrace, -4.25, 14, up, rail)
	b.box(-14, 5.75, demoTerrace, -13.75, 8, up, rail)

	b.object("upper room")
	coat := skin{"plaster", "plaster_rose"}
	high := func(from float64) opening { return opening{from, from + 1, 4, 5} }
	b.facade(true, 8, thick, -14, -8, demoTerrace, 5.5, []opening{high(-12.5), high(-10.5)}, coat)
	b.facade(true, 14-thick, thick, -14, -8, demoTerrace, 5.5, []opening{high(-11.5)}, coat)
	b.facade(false, -14, thick, 8+thick, 14-thick, demoTerrace, 5.5, []opening{high(10.5)}, coat)
	b.facade(false, -8-thick, thick, 8+thick, 14-thick, demoTerrace, 5.5, []opening{{9.5, 11, demoTerrace, 5.25}, high(12)}, coat)
	b.object("roof")
	b.northward([]pt{{7.625, 5.375}, {11, 7.5}, {14.375, 5.375}, {14.375, 5.625}, {11, 7.75}, {7.625, 5.625}}, -14.375, -7.625, skin{"brick_roof", "wood_dark"})
	b.object("gables")
	gable := []pt{{8, 5.5}, {14, 5.5}, {11, 7.4375}}
	b.northward(gable, -14, -14+thick, coat)
	b.northward(gable, -8-thick, -8, coat)
	b.object("chimney")
	b.box(-12.5, 12, 5.5, -11.875, 12.625, 8.25, plain("brick_red"))

	// The stairs rise to the west in front of the house: fifteen treads and a landing.
	const rise, tread = 0.1875, 0.3125
	steps := skin{"concrete_steps", "stone"}
	b.object("stairs")
	for k := range 15 {
		x := -4 - float64(k)*tread
		b.box(x-tread, 3.75, -0.25, x, 5.5, float64(k+1)*rise, steps)
	}
	b.object("landing")
	b.box(-10.25, 3.75, -0.25, -8.6875, 5.5, demoTerrace, steps)
	b.object("stair parapets")
	b.eastward([]pt{{-8.6875, -0.25}, {-4, -0.25}, {-4, 1}, {-8.6875, 3.8125}}, 3.5, 3.75, skin{"stone_floor", "plaster_yellow"})
	b.box(-10.5, 3.5, -0.25, -8.6875, 3.75, up, rail)
	b.box(-10.5, 3.75, -0.25, -10.25, 5.5, up, rail)
}

// demoWall carries the walk from the terrace to the tower over an arcade.
func demoWall(b *builder) {
	const west, east = -4.0, 3.25
	profile := []pt{{west, -0.25}}
	for _, middle := range []float64{-2, 1.25} {
		const half = 1.25
		profile = append(profile, pt{middle - half, -0.25})
		for _, p := range arc(pt{}, 1, 0.5, 0, 12) {
			profile = append(profile, pt{middle + half*p.x, 1.25 + half*p.y})
		}
		profile = append(profile, pt{middle + half, -0.25})
	}
	profile = append(profile, pt{east, -0.25}, pt{east, demoTerrace}, pt{west, demoTerrace})
	b.object("arcade")
	b.eastward(profile, demoWalkLow, demoWalkHigh, skin{"stone_floor", "stone"})
	b.object("walk parapets")
	b.box(west, demoWalkLow, demoTerrace, east, demoWalkLow+demoThick, demoTerrace+demoParapet, plain("stone"))
	b.box(west, demoWalkHigh-demoThick, demoTerrace, east, demoWalkHigh, demoTerrace+demoParapet, plain("stone"))
}

// demoSector is the plan of a step of the tower's stair between two radii; steps are counted from the west.
func demoSector(k int, inner, outer float64) []pt {
	from, to := 0.5+float64(k)/spiralTreads, 0.5+float64(k+1)/spiralTreads
	return append(arc(demoTower, outer, from, to, 1), arc(demoTower, inner, to, from, 1)...)
}

// demoLookout builds the drum, the stair and the platform over the stair's first quarter.
func demoLookout(b *builder) {
	b.object("drum")
	b.turned(demoTower, 2*spiralTreads, []pt{{demoDrum + 0.375, -1}, {demoDrum, 0.75}, {demoDrum, demoTerrace}}, skin{"stone_floor", "stone"})
	b.object("drum parapet")
	for k := range 2 * spiralTreads {
		// The walk arrives in the west.
		if k < 3 || k >= 2*spiralTreads-3 {
			continue
		}
		from, to := 0.5+float64(k)/(2*spiralTreads), 0.5+float64(k+1)/(2*spiralTreads)
		ring := append(arc(demoTower, demoDrum, from, to, 1), arc(demoTower, demoDrum-demoThick, to, from, 1)...)
		b.prism(ring, demoTerrace, demoTerrace+demoParapet, plain("stone"))
	}
	b.object("mast")
	b.turned(demoTower, spiralTreads, []pt{{demoMast, demoTerrace - 0.25}, {demoMast, demoTop + 2.75}}, plain("plaster"))
	b.turned(demoTower, spiralTreads, []pt{{1.5, demoTop + 2.75}, {0.0625, demoTop + 5}}, plain("slate_roof"))

	b.object("spiral treads")
	for k := range demoTurns * spiralTreads {
		h := demoTerrace + float64(k+1)*spiralRise
		b.prism(demoSector(k, demoMast, demoStair), max(h-spiralSlab, demoTerrace-0.25), h, skin{"concrete_steps", "stone"})
	}
	b.object("spiral railing")
	for k := range demoTurns * spiralTreads {
		h := demoTerrace + float64(k+1)*spiralRise
		b.prism(demoSector(k, demoStair-0.125, demoStair), max(h-spiralSlab, demoTerrace), h+0.875, plain("metal"))
	}

	b.object("lookout")
	quarter := spiralTreads / 4
	ring := func(inner, outer float64) []pt {
		return append(arc(demoTower, outer, 0.5, 0.75, quarter), arc(demoTower, inner, 0.75, 0.5, quarter)...)
	}
	b.prism(ring(demoMast, demoDrum), demoTop-0.25, demoTop, skin{"wood_floor", "wood"})
	b.object("lookout railing")
	for k := range quarter {
		b.prism(demoSector(k, demoDrum-0.125, demoDrum), demoTop, demoTop+demoParapet, plain("metal"))
	}
	c := demoTower
	b.box(c.x-0.125, c.y-demoDrum+0.125, demoTop, c.x, c.y-demoMast, demoTop+demoParapet, plain("metal"))
	b.box(c.x-demoDrum+0.125, c.y-0.125, demoTop, c.x-demoStair, c.y, demoTop+demoParapet, plain("metal"))
}

// demoRuin builds a terrace with a ramp, a ring of columns and the rest of their beams.
func demoRuin(b *builder) {
	const high = 1.25
	b.object("ruin")
	b.prism(chamfered(11, 1, 19, 9, 2), -0.5, high, skin{"stone_floor", "stone"})
	b.object("ruin ramp")
	b.northward([]pt{{-3.75, -0.25}, {1.5, -0.25}, {1.5, high}, {1, high}, {-3.75, 0}}, 13.75, 16.25, skin{"concrete_ramp", "stone"})
	b.object("ruin columns")
	c := pt{15, 5}
	for k, h := range []float64{3.5, 3.5, 3.5, 2, 3.5, 0.875, 3.5, 1.25} {
		at := arc(c, 2.875, (float64(k)+0.5)/8, 1, 1)[0]
		sections := []pt{{0.4375, high}, {0.4375, high + 0.1875}, {0.3125, high + 0.25}, {0.25, high + h}}
		if h == 3.5 {
			sections = append(sections, pt{0.4375, high + h + 0.1875}, pt{0.4375, high + h + 0.25})
		}
		b.turned(at, 16, sections, plain("plaster"))
	}
	b.object("ruin beams")
	for k := range 2 {
		from, to := arc(c, 2.875, (float64(k)+0.5)/8, 1, 1)[0], arc(c, 2.875, (float64(k)+1.5)/8, 1, 1)[0]
		dx, dy := to.x-from.x, to.y-from.y
		b.slanted(vec{(from.x + to.x) / 2, (from.y + to.y) / 2, high + 4}, vec{math.Hypot(dx, dy) + 0.5, 0.625, 0.5}, math.Atan2(dy, dx), 0, 0, plain("stone"))
	}
	b.object("fallen column")
	b.slanted(vec{16.25, 5.25, high + 0.25}, vec{2.25, 0.5, 0.5}, 0.5, 0, 0.4, plain("plaster"))
	b.object("altar")
	b.turned(c, 8, []pt{{0.875, high}, {0.875, high + 0.1875}, {0.625, high + 0.25}, {0.625, high + 0.875}, {0.75, high + 1}}, plain("stone"))
}

// demoPlants scatters trees, rocks and hedges in free spots. Only their sizes are random; their places are
// fixed, so the ways stay free.
func demoPlants(b *builder, n noise, r *rand.Rand) {
	trees := []pt{
		{-18, 17.5},
		{-15.5, 18.5},
		{-12, 17},
		{-8.5, 18.25},
		{-3.5, 17},
		{0.5, 18.5},
		{5, 17.5},
		{10.5, 18},
		{13.5, 15.5},
		{17.5, 17.5},
		{18, 12.5},
		{12.5, 12},
		{-18.25, 12},
		{-17.5, 7},
		{-18.5, 2},
		{-17, -3},
		{10.5, -2.5},
		{-0.5, 14.5},
		{-18.5, -12.5},
		{-15, -17.5},
		{-11.5, -13},
		{-9, -18},
		{-4.5, -16.5},
		{-2, -12.25},
		{9, -12},
		{17.75, -12},
		{12, -18.75},
		{0, -18.5},
		{-3.5, 6.75},
	}
	for _, at := range trees {
		b.object("tree")
		tree(b, at, demoHeight(n, at.x, at.y), 3.25+1.75*r.Float64(), r)
	}
	for _, at := range []pt{{-19, 15}, {-16, 14}, {2, 16}, {8.5, 15}, {15.5, 13.5}, {-16.5, -14.5}, {-6.5, -12}, {7, -18.5}, {16, -18.5}, {10.25, 10.5}, {-17, 4.5}, {18.75, -1.5}} {
		b.object("rock")
		rock(b, at, demoHeight(n, at.x, at.y), 0.5+0.7*r.Float64(), r)
	}
	b.object("hedges")
	for _, q := range []room{{9.25, 0, 10, 6}, {-13, -4.25, 0.5, -3.5}, {6.5, -3.75, 11.5, -3.125}} {
		b.prism(chamfered(q.x0, q.y0, q.x1, q.y1, 0.125), -0.25, 0.875, skin{"hedge", "foliage_dark"})
	}
}

// rock adds a boulder: a squashed and dented ball of five rings.
func rock(b *builder, at pt, ground, size float64, r *rand.Rand) {
	const sides = 7
	var rings [][]vec
	for _, level := range []pt{{0.7, -0.5}, {1, 0}, {0.9, 0.45}, {0.55, 0.8}, {0.15, 0.9}} {
		ring := make([]vec, sides)
		for i, p := range circle(pt{}, 1, sides) {
			dent := size * level.x * (0.8 + 0.35*r.Float64())
			ring[i] = vec{at.x + dent*p.x, at.y + dent*p.y, ground + size*level.y}
		}
		rings = append(rings, ring)
	}
	b.loft(rings, fan(sides), plain("rock"))
}
