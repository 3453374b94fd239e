package levelgen

import "math/rand/v2"

const (
	cityStreet = 9.0
	cityBlock  = 33.0 // together with a street the pitch of the grid: 42 m
	cityKerb   = 0.15
	cityWalk   = 2.5 // width of the pavement between kerb and houses
)

// makeCity lays out a grid of blocks between streets. A block holds a row of houses around a yard
// with one or two gateways, or, for the middle block, a park. Streets are at 0, blocks a kerb higher.
func makeCity(b *builder, opt Options, r *rand.Rand) {
	n := max(int((opt.Size-cityStreet)/(cityBlock+cityStreet)), 1)
	side := float64(n)*(cityBlock+cityStreet) + cityStreet
	b.object("streets")
	b.box(0, 0, -0.5, side, side, 0, skin{"asphalt_road", "concrete"})
	for j := range n {
		for i := range n {
			x := cityStreet + float64(i)*(cityBlock+cityStreet)
			y := cityStreet + float64(j)*(cityBlock+cityStreet)
			b.object("pavement")
			b.prism(chamfered(x, y, x+cityBlock, y+cityBlock, 1.5), -0.25, cityKerb, skin{"paving", "stone"})
			if i == n/2 && j == n/2 {
				cityPark(b, x, y, r)
			} else {
				cityHouses(b, x, y, r)
			}
			cityCars(b, x, y, r)
		}
	}
}

// chamfered is a rectangle with its corners cut off.
func chamfered(x0, y0, x1, y1, c float64) []pt {
	return []pt{
		{x0 + c, y0},
		{x1 - c, y0},
		{x1, y0 + c},
		{x1, y1 - c},
		{x1 - c, y1},
		{x0 + c, y1},
		{x0, y1 - c},
		{x0, y0 + c},
	}
}

// cityHouses rings a yard with houses 9 m deep, three to a side with the corners shared, and leaves out one or two of
// the middle ones as gateways.
func cityHouses(b *builder, x, y float64, r *rand.Rand) {
	const deep = 9.0
	inner := cityBlock - 2*cityWalk
	x, y = x+cityWalk, y+cityWalk
	middle := inner - 2*deep
	lots := []room{
		{x, y, x + deep, y + deep},
		{x + deep, y, x + deep + middle, y + deep},
		{x + inner - deep, y, x + inner, y + deep},
		{x + inner - deep, y + deep, x + inner, y + deep + middle},
		{x + inner - deep, y + inner - deep, x + inner, y + inner},
		{x + deep, y + inner - deep, x + deep + middle, y + inner},
		{x, y + inner - deep, x + deep, y + inner},
		{x, y + deep, x + deep, y + deep + middle},
	}
	b.object("yard")
	b.box(x+deep, y+deep, 0, x+deep+middle, y+deep+middle, cityKerb+0.0625, skin{"grass", "stone"})
	open := r.IntN(4)
	second := r.IntN(4)
	for k, lot := range lots {
		if k%2 == 1 && (k/2 == open || k/2 == second) {
			continue
		}
		b.object("house")
		house(b, lot, k, r)
	}
	b.object("tree")
	tree(b, pt{x + inner/2 + r.Float64() - 0.5, y + inner/2 + r.Float64() - 0.5}, cityKerb, 5+2*r.Float64(), r)
}

// house adds walls and a flat roof with a parapet, or a gable along the longer side for the lots
// between two corners.
func house(b *builder, lot room, k int, r *rand.Rand) {
	coats := []string{"plaster", "plaster_rose", "plaster_yellow", "brick_red", "concrete", "wall"}
	coat := coats[r.IntN(len(coats))]
	eaves := 6 + 3*float64(r.IntN(4)) // floors of 3 m
	b.box(lot.x0, lot.y0, 0, lot.x1, lot.y1, eaves, skin{"roof_flat", coat})
	if k%2 == 0 {
		const thick, high = 0.25, 0.75
		b.box(lot.x0, lot.y0, eaves, lot.x1, lot.y0+thick, eaves+high, plain(coat))
		b.box(lot.x0, lot.y1-thick, eaves, lot.x1, lot.y1, eaves+high, plain(coat))
		b.box(lot.x0, lot.y0+thick, eaves, lot.x0+thick, lot.y1-thick, eaves+high, plain(coat))
		b.box(lot.x1-thick, lot.y0+thick, eaves, lot.x1, lot.y1-thick, eaves+high, plain(coat))
		x, y := lot.x0+2+4*r.Float64(), lot.y0+2+4*r.Float64()
		b.box(x, y, eaves, x+2, y+2, eaves+2, plain("metal"))
		return
	}
	roof := []string{"brick_roof", "slate_roof"}[r.IntN(2)]
	rise := 2.5 + r.Float64()
	if (k/2)%2 == 0 { // south and north side: the ridge runs east
		b.northward([]pt{{lot.y0, eaves}, {lot.y1, eaves}, {(lot.y0 + lot.y1) / 2, eaves + rise}}, lot.x0, lot.x1, skin{roof, coat})
	} else {
		b.eastward([]pt{{lot.x0, eaves}, {lot.x1, eaves}, {(lot.x0 + lot.x1) / 2, eaves + rise}}, lot.y0, lot.y1, skin{roof, coat})
	}
}

// cityPark adds a lawn with trees, a round basin in the middle and benches around it.
func cityPark(b *builder, x, y float64, r *rand.Rand) {
	b.object("lawn")
	for _, q := range [4]pt{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
		x0, y0 := x+2+q.x*15.5, y+2+q.y*15.5
		b.box(x0, y0, 0, x0+13.5, y0+13.5, cityKerb+0.0625, skin{"grass", "stone"})
	}
	c := pt{x + cityBlock/2, y + cityBlock/2}
	b.object("basin")
	b.turned(c, 24, []pt{{4, 0}, {4, 0.75}, {3.5, 0.75}, {3.5, 0.5}}, skin{"water", "stone"})
	b.object("fountain")
	b.turned(c, 12, []pt{{0.5, 0.25}, {0.25, 1.5}, {1, 2}, {0.125, 2}, {0.0625, 2.5}}, plain("stone"))
	b.object("benches")
	for k := range 4 {
		p := arc(c, 6, float64(k)/4+0.125, 1, 1)[0]
		b.slanted(vec{p.x, p.y, cityKerb + 0.25}, vec{0.5, 2, 0.5}, 0.785398+1.570796*float64(k), 0, 0, plain("wood"))
	}
	for k := range 20 {
		b.object("tree")
		p := pt{x + 3 + 27*r.Float64(), y + 3 + 27*r.Float64()}
		if d := (p.x-c.x)*(p.x-c.x) + (p.y-c.y)*(p.y-c.y); d < 64 {
			p = pt{x + 3.5 + 6.5*float64(k%5), y + 3.5}
		}
		tree(b, p, cityKerb, 4+3*r.Float64(), r)
	}
}

// cityCars parks cars along the southern and the western kerb of a block.
func cityCars(b *builder, x, y float64, r *rand.Rand) {
	paints := []string{"paint_blue", "paint_red", "paint_white", "paint_yellow", "metal"}
	for k := range 5 {
		along := 3 + 6*float64(k)
		if r.IntN(3) > 0 {
			b.object("car")
			b.car(room{x + along, y - 2.125, x + along + 4.25, y - 0.25}, paints[r.IntN(len(paints))])
		}
		if r.IntN(3) > 0 {
			b.object("car")
			b.car(room{x - 2.125, y + along, x - 0.25, y + along + 4.25}, paints[r.IntN(len(paints))])
		}
	}
}

// car adds a body and a cabin over its middle.
func (b *builder) car(at room, paint string) {
	b.prism(chamfered(at.x0, at.y0, at.x1, at.y1, 0.25), 0.25, 0.875, plain(paint))
	b.box(at.x0+0.25, at.y0+0.25, 0, at.x1-0.25, at.y1-0.25, 0.25, plain("metal"))
	const lean = 0.25
	dx, dy := 0.125, 0.875
	if at.width() > at.height() {
		dx, dy = dy, dx
	}
	var rings [2][]vec
	for k := range rings {
		in := lean * float64(k)
		for _, p := range rect(at.x0+dx+in, at.y0+dy+in, at.x1-dx-in, at.y1-dy-in) {
			rings[k] = append(rings[k], vec{p.x, p.y, 0.875 + 0.5625*float64(k)})
		}
	}
	b.loft(rings[:], fan(4), skin{paint, "glass_car"})
}

// tree adds a trunk from a little below the ground and a crown of two blunt cones.
func tree(b *builder, at pt, ground, height float64, r *rand.Rand) {
	leaves := []string{"foliage", "foliage_dark"}[r.IntN(2)]
	w := height * (0.2 + 0.08*r.Float64())
	b.turned(at, 8, []pt{{0.25, ground - 0.5}, {0.1875, ground + 0.4*height}}, plain("wood_dark"))
	b.turned(at, 10, []pt{
		{0.35 * w, ground + 0.32*height},
		{w, ground + 0.45*height},
		{0.9 * w, ground + 0.62*height},
		{0.5 * w, ground + 0.85*height},
		{0.1 * w, ground + height},
	}, plain(leaves))
}
