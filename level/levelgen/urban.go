package levelgen

import "math/rand/v2"

// The streets of an urban world, in metres.
const (
	urbanRoad  = 10.0 // between kerbs
	urbanKerb  = 0.25 // width of the stones
	urbanWalk  = 3.0  // width of a sidewalk behind them
	urbanHigh  = 0.15 // of the kerbs
	urbanLower = 0.0625
	urbanBlock = 44.0 // from kerb to kerb
	urbanPitch = urbanBlock + urbanRoad
)

// makeUrban lays out blocks between roads: sidewalks behind kerbs, crosswalks at the corners with lowered kerbs, houses,
// and in turns a park with paths and a pond, and a plaza with a car park. Surfaces of different use have different
// materials, with designers' names.
//
// Known beforehand: who keeps off the roads comes from block to block on crosswalks only.
func makeUrban(b *builder, opt Options, r *rand.Rand) {
	n := max(int((opt.Size-urbanRoad)/urbanPitch), 1)
	side := float64(n)*urbanPitch + urbanRoad
	b.object("roads")
	b.box(0, 0, -0.5, side, side, 0, skin{"road_asphalt_02", "concrete"})
	for j := range n {
		for i := range n {
			x, y := urbanRoad+float64(i)*urbanPitch, urbanRoad+float64(j)*urbanPitch
			urbanPavement(b, x, y)
			switch (i + 2*j) % 3 {
			case 0:
				urbanPark(b, x+urbanKerb+urbanWalk, y+urbanKerb+urbanWalk, r)
			case 1:
				urbanPlaza(b, x+urbanKerb+urbanWalk, y+urbanKerb+urbanWalk)
			default:
				urbanHouses(b, x+urbanKerb+urbanWalk, y+urbanKerb+urbanWalk, r)
			}
		}
	}
	// Crosswalks lead over every road beside every crossing of roads, between blocks.
	for j := range n {
		for i := range n {
			x, y := urbanRoad+float64(i)*urbanPitch, urbanRoad+float64(j)*urbanPitch
			for _, along := range [2]float64{0.5, urbanBlock - urbanWalk - 0.5} {
				if i > 0 {
					b.object("crosswalk")
					b.box(x-urbanRoad, y+along, -0.25, x, y+along+urbanWalk, 1.0/64, plain("crosswalk_zebra"))
				}
				if j > 0 {
					b.object("crosswalk")
					b.box(x+along, y-urbanRoad, -0.25, x+along+urbanWalk, y, 1.0/64, plain("crosswalk_zebra"))
				}
			}
		}
	}
}

// urbanPavement adds the kerb and the sidewalk around a block. At the crosswalks the kerb is lowered.
func urbanPavement(b *builder, x, y float64) {
	low, high := 0.5, urbanBlock-urbanWalk-0.5 // where crosswalks begin
	b.object("kerb")
	stone := func(x0, y0, x1, y1, h float64) { b.box(x0, y0, -0.25, x1, y1, h, plain("curb_granite")) }
	end := urbanBlock - urbanKerb
	for _, part := range [5][3]float64{
		{0, low, urbanHigh},
		{low, low + urbanWalk, urbanLower},
		{low + urbanWalk, high, urbanHigh},
		{high, high + urbanWalk, urbanLower},
		{high + urbanWalk, urbanBlock, urbanHigh},
	} {
		stone(x+part[0], y, x+part[1], y+urbanKerb, part[2])
		stone(x+part[0], y+end, x+part[1], y+urbanBlock, part[2])
		from, to := max(part[0], urbanKerb), min(part[1], end)
		stone(x, y+from, x+urbanKerb, y+to, part[2])
		stone(x+end, y+from, x+urbanBlock, y+to, part[2])
	}
	b.object("sidewalk")
	const in = urbanKerb + urbanWalk
	walk := skin{"sidewalk_concrete_tiles", "concrete"}
	b.box(x+urbanKerb, y+urbanKerb, -0.25, x+end, y+in, urbanHigh, walk)
	b.box(x+urbanKerb, y+urbanBlock-in, -0.25, x+end, y+end, urbanHigh, walk)
	b.box(x+urbanKerb, y+in, -0.25, x+in, y+urbanBlock-in, urbanHigh, walk)
	b.box(x+urbanBlock-in, y+in, -0.25, x+end, y+urbanBlock-in, urbanHigh, walk)
}

// urbanInner is the side of the area inside the sidewalks of a block.
const urbanInner = urbanBlock - 2*(urbanKerb+urbanWalk)

// urbanPark adds a lawn with two gravel paths that cross at a pond, and trees.
func urbanPark(b *builder, x, y float64, r *rand.Rand) {
	const half, wide = urbanInner / 2, 1.25
	b.object("park")
	path, lawn := skin{"path_gravel_fine", "dirt"}, skin{"grass_park_lawn", "dirt"}
	b.box(x+half-wide, y, -0.25, x+half+wide, y+urbanInner, urbanHigh, path)
	b.box(x, y+half-wide, -0.25, x+half-wide, y+half+wide, urbanHigh, path)
	b.box(x+half+wide, y+half-wide, -0.25, x+urbanInner, y+half+wide, urbanHigh, path)
	for _, q := range [4]pt{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		x0, y0 := x+q.x*(half+wide), y+q.y*(half+wide)
		b.box(x0, y0, -0.25, x0+half-wide, y0+half-wide, urbanHigh, lawn)
	}
	b.object("pond")
	b.turned(pt{x + half, y + half}, 20, []pt{{6, -0.25}, {6, urbanHigh + 1.0/64}}, skin{"water_pond_shallow", "stone"})
	for k := range 12 {
		b.object("tree")
		q := pt{x + 2 + (half-wide-6)*r.Float64(), y + 2 + (half-wide-6)*r.Float64()}
		if k&1 != 0 {
			q.x += half + wide + 2
		}
		if k&2 != 0 {
			q.y += half + wide + 2
		}
		tree(b, q, urbanHigh, 4+3*r.Float64(), r)
	}
}

// urbanPlaza adds a paved square and beside it a car park with a ramp from the road through the sidewalk.
func urbanPlaza(b *builder, x, y float64) {
	const half = urbanInner / 2
	b.object("plaza")
	b.box(x, y+half, -0.25, x+urbanInner, y+urbanInner, urbanHigh, skin{"plaza_paving_slabs", "stone"})
	b.object("car park")
	b.box(x, y, -0.25, x+urbanInner, y+half, urbanHigh, skin{"parking_asphalt_marked", "stone"})
	b.object("driveway")
	const deep = urbanKerb + urbanWalk
	b.box(x+half-3, y-deep, -0.25, x+half+3, y, urbanHigh+1.0/64, skin{"driveway_cobble", "stone"})
	for k := range 6 {
		b.object("car")
		at := x + 2 + 5.5*float64(k)
		b.box(at, y+half-5, urbanHigh, at+2, y+half-0.75, urbanHigh+1.5, plain([]string{"paint_blue", "paint_red", "paint_white"}[k%3]))
	}
}

// urbanHouses adds four houses around a crossing of two alleys.
func urbanHouses(b *builder, x, y float64, r *rand.Rand) {
	b.object("alleys")
	b.box(x, y, -0.25, x+urbanInner, y+urbanInner, urbanHigh, skin{"alley_cobblestone", "stone"})
	const house = (urbanInner - 4) / 2
	coats := []string{"plaster", "plaster_rose", "plaster_yellow", "brick_red"}
	for _, q := range [4]pt{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		b.object("house")
		x0, y0 := x+q.x*(house+4), y+q.y*(house+4)
		b.box(x0, y0, 0, x0+house, y0+house, 6+3*float64(r.IntN(3)), skin{"roof_flat", coats[r.IntN(len(coats))]})
	}
}
