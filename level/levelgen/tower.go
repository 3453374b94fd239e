package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

// Dimensions of the tower in metres, around its middle. Walls are wallThick, floors and flights towerSlab
// thick; all multiples of 1/16 m.
const (
	towerSite    = 28.0 // side of the yard
	towerEast    = 10.0 // outer faces of the walls, to the east and to the north
	towerNorth   = 8.0
	storeyRise   = 3.0
	towerSlab    = 0.0625
	towerWall    = 0.25
	flightWest   = -1.0 // flights rise between these x
	flightEast   = 1.1875
	flightTreads = 7
	flightRise   = 0.1875
	spineHalf    = 0.125 // half the thickness of the wall between the flights
	shaftEast    = 3.75  // inner faces of the stairwell
	shaftNorth   = 1.75
)

// makeTower builds a tower in a yard of 28 m by 28 m.
//
// Known beforehand with the agent's radius r below 0.75 m, half a door: every storey has 8 rooms, a ring
// corridor of 2 m around the core, and a stairwell in the core. Two flights, a wall between the flights and a
// landing lead up to the next storey: the stairwells form a helix. The tower is one component, and its roof
// another. Function towerStorey derives the areas.
//
// The string from S = (-3, 0) on the lowest landing to G = (-3, 0) on the highest one runs counter-clockwise
// around the wall between the flights. With m storeys to climb the string has two tangents of √(d² - r²) for
// d = |S - (-1, -1/8)|, m eastern ends and m - 1 western ones of 0.25 m, 2m lengths of 2.1875 m, and r times
// the turn π + 2γ + 2π(m - 1), where γ = atan(1/16) + asin(r/d) is the angle of the first tangent to the
// axis. Layers: one per storey.
func makeTower(b *builder, opt Options, _ *rand.Rand) {
	b.object("yard")
	b.box(-towerSite/2, -towerSite/2, -0.25, towerSite/2, towerSite/2, 0, skin{"paving", "dirt"})
	b.tower(site{cos: 1}, towerPlan{storeys: opt.Storeys, slab: towerSlab}, plain("plaster"))
}

// towerPlan holds the variable parts of towers.
type towerPlan struct {
	storeys int
	slab    float64 // thickness of floors and flights in metres
	overlap float64 // of flights with the landings before and behind them, in metres
}

// tower adds a building over ground of height 0.
func (b *builder) tower(s site, p towerPlan, walls skin) {
	floor := skin{"concrete_floor", "concrete"}
	for k := range p.storeys {
		h := float64(k) * storeyRise
		if k > 0 {
			b.object("floor")
			low := h - p.slab
			s.box(b, -towerEast, -towerNorth, low, flightWest, towerNorth, h, floor)
			s.box(b, shaftEast, -towerNorth, low, towerEast, towerNorth, h, floor)
			s.box(b, flightWest, shaftNorth, low, shaftEast, towerNorth, h, floor)
			s.box(b, flightWest, -towerNorth, low, shaftEast, -shaftNorth, h, floor)
		}
		b.towerWalls(s, p, k, walls)
		if k < p.storeys-1 {
			b.towerStairs(s, p, k)
			continue
		}
		b.object("screen")
		s.box(b, flightWest, -shaftNorth, h-p.slab, flightWest+towerSlab, -spineHalf, h+storeyRise-p.slab, plain("glass_car"))
	}
	top := float64(p.storeys) * storeyRise
	b.object("spine")
	s.stack(b, flightWest, -spineHalf, 0, flightEast, spineHalf, top-p.slab, plain("concrete"))
	b.object("roof")
	s.box(b, -towerEast, -towerNorth, top-p.slab, towerEast, towerNorth, top, skin{"roof_flat", "concrete"})
}

// towerWalls adds the walls of storey k.
func (b *builder) towerWalls(s site, p towerPlan, k int, walls skin) {
	low, high := float64(k)*storeyRise, float64(k+1)*storeyRise-p.slab
	wall := func(x0, y0, x1, y1 float64, doors ...doorway) { s.wall(b, x0, y0, x1, y1, low, high, walls, doors...) }
	middle := doorway{-0.75, 0.75}
	var entrance []doorway
	if k == 0 {
		entrance = []doorway{middle}
	}
	b.object("outer walls")
	wall(-10, -8, 10, -7.75)
	wall(-10, 7.75, 10, 8)
	wall(-10, -7.75, -9.75, 7.75, entrance...)
	wall(9.75, -7.75, 10, 7.75)

	b.object("walls of the rooms")
	for _, y := range []float64{-4.25, 4} {
		wall(-9.75, y, 9.75, y+0.25, doorway{-5.25, -3.75}, middle, doorway{3.75, 5.25})
	}
	wall(-6.25, -4, -6, 4, middle)
	wall(6, -4, 6.25, 4, middle)
	for _, y := range []float64{-7.75, 4.25} {
		wall(-3, y, -2.75, y+3.5)
		wall(2.75, y, 3, y+3.5)
	}

	b.object("core")
	wall(-4, -2, 4, -1.75)
	wall(-4, 1.75, 4, 2)
	wall(-4, -1.75, -3.75, 1.75, middle)
	wall(3.75, -1.75, 4, 1.75)
}

// towerStairs adds the flights from storey k to the next one. The lowest flights are solid down to the ground
// and leave no low space beneath.
func (b *builder) towerStairs(s site, p towerPlan, k int) {
	steps := skin{"concrete_steps", "concrete"}
	h := float64(k) * storeyRise
	half := h + storeyRise/2
	b.object("flights")
	s.profile(b, p.flight(flightWest, flightEast, h, k == 0), -shaftNorth, -spineHalf, steps)
	s.profile(b, p.flight(flightEast, flightWest, half, k == 0), spineHalf, shaftNorth, steps)
	if k == 0 {
		s.box(b, flightWest, spineHalf, 0, flightEast, shaftNorth, half, steps)
	}
	b.object("landing")
	low := half - p.slab
	if k == 0 {
		low = 0
	}
	s.box(b, flightEast, -shaftNorth, low, shaftEast, shaftNorth, half, steps)
}

// flight is the profile of a flight between two x that starts to rise at height h. Its underside is parallel
// to the nosings, or level at h where the flight is solid. The first and the last tread reach into the
// landings as far as the plan says.
func (p towerPlan) flight(from, to, h float64, solid bool) []pt {
	tread := (to - from) / flightTreads
	beyond := math.Copysign(p.overlap, tread)
	first, last := from-beyond, to+beyond
	ring := []pt{{first, h - p.slab}, {last, h + flightTreads*flightRise - p.slab}}
	if solid {
		ring = []pt{{first, h}, {last, h}}
	}
	for i := flightTreads; i > 0; i-- {
		top := h + float64(i)*flightRise
		right, left := from+float64(i)*tread, from+float64(i-1)*tread
		if i == flightTreads {
			right = last
		}
		if i == 1 {
			left = first
		}
		ring = append(ring, pt{right, top}, pt{left, top})
	}
	return counterClockwise(ring)
}

// counterClockwise reverses a clockwise ring in place and returns it.
func counterClockwise(ring []pt) []pt {
	var twice float64
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		twice += float64(p.x*q.y) - float64(p.y*q.x)
	}
	if twice > 0 {
		return ring
	}
	for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
		ring[i], ring[j] = ring[j], ring[i]
	}
	return ring
}

// towerStorey returns the shape of storey k of a tower without the yard. A storey has 4 corner rooms
// of 6.75 by 3.5 m, 2 middle rooms of 5.5 by 3.5 m, 2 of 3.5 by 8 m, a corridor of 12 by 8 m around
// the core of 8 by 4 m, 9 doors of 1.5 m in walls of 0.25 m, and one turn of the helix: 7.5 by
// 3.5 m around the spine of 2.1875 by 0.25 m. A turn ends on the northern half of the line
// x = -1, where the upper flight arrives at the next landing.
//
// On the lowest storey no flight arrives from below: a wall of 1.625 m replaces it, without a corner of the
// spine and with a new convex corner. The highest storey has only the landing of 2.75 by 3.5 m. The screen
// and the spine close 1.875 m of it in the east, with a corner at the spine.
func towerStorey(k, storeys int) shape {
	sum := rectangle(6.75, 3.5).times(4).plus(rectangle(5.5, 3.5).times(2)).plus(rectangle(3.5, 8).times(2))
	sum = sum.plus(rectangle(12, 8)).plus(block(8, 4)).plus(door(1.5, towerWall).times(9))
	if k == storeys-1 {
		return sum.plus(shape{2.75 * 3.5, 3.5 + 2*2.75 + 1.875, 3, math.Pi / 2})
	}
	sum = sum.plus(rectangle(7.5, 3.5)).plus(block(2.1875, 2*spineHalf))
	if k == 0 {
		sum = sum.plus(shape{0, 1.625, 1, -math.Pi / 2})
	}
	return sum
}

// towersFloor returns the floor of towers with some numbers of storeys on a square of ground.
func towersFloor(side float64, towers []int, r float64) Floor {
	f := Floor{Components: 1 + len(towers)}
	shapes := []shape{rectangle(side, side)}
	for _, storeys := range towers {
		shapes[0] = shapes[0].plus(block(2*towerEast, 2*towerNorth)).plus(door(1.5, towerWall))
		for len(shapes) <= storeys {
			shapes = append(shapes, shape{})
		}
		for k := range storeys {
			shapes[k] = shapes[k].plus(towerStorey(k, storeys))
		}
		shapes[storeys] = shapes[storeys].plus(rectangle(2*towerEast, 2*towerNorth))
	}
	for k, s := range shapes {
		f.Storeys = append(f.Storeys, s.storey(float64(k)*storeyRise, r))
	}
	return f
}

// towerFloor is the truth of a tower; gaps do not matter: it has none.
func towerFloor(storeys int) func(r, gap float64) (Floor, bool) {
	return func(r, _ float64) (Floor, bool) {
		f := towersFloor(towerSite, []int{storeys}, r)
		m := float64(storeys - 1)
		d := math.Hypot(2, spineHalf)
		turn := math.Pi + 2*(math.Atan(spineHalf/2)+math.Asin(r/d)) + 2*math.Pi*(m-1)
		f.Routes = []Route{{
			Name: "to the top", Radius: r, Start: geom.FromGround(-3, 0, 0), Goal: geom.FromGround(-3, 0, m*storeyRise),
			Length: 2*math.Sqrt(d*d-r*r) + m*(2*2.1875+2*spineHalf) + (m-1)*2*spineHalf + r*turn, Turn: turn,
		}}
		return f, r >= 0 && r < 0.75
	}
}

// makeHighrise builds towers on square sites of 28 m, each somewhere on its site, turned by quarters and
// mirrored by lot.
//
// Known beforehand with the agent's radius r below 0.75 m: the tower on site (i, j) has 2 + (i + 2j + seed)
// mod (n - 1) storeys, where n is the greatest number. The ground is one component, and every roof another.
// Streets are at least 4 m wide, so the areas of the towers add up. Layers: as many as the highest tower has
// storeys.
func makeHighrise(b *builder, opt Options, r *rand.Rand) {
	n := int(opt.Size / towerSite)
	side := float64(n) * towerSite
	b.object("ground")
	b.box(0, 0, -0.25, side, side, 0, skin{"asphalt_road", "dirt"})
	coats := []string{"plaster", "plaster_rose", "plaster_yellow", "brick_red", "concrete", "wall"}
	for j := range n {
		for i := range n {
			quarter := [4]pt{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[r.IntN(4)]
			b.tower(site{
				at: pt{
					(float64(i)+0.5)*towerSite + float64(r.IntN(33)-16)/16,
					(float64(j)+0.5)*towerSite + float64(r.IntN(33)-16)/16,
				},
				cos: quarter.x, sin: quarter.y, mirror: r.IntN(2) == 0,
			}, towerPlan{storeys: highriseStoreys(i, j, opt.Storeys, opt.Seed), slab: towerSlab}, plain(coats[r.IntN(len(coats))]))
		}
	}
}

// highriseStoreys returns how many storeys the tower on a site has.
func highriseStoreys(i, j, most int, seed uint64) int {
	m := uint64(most - 1)
	return 2 + int((uint64(i)+2*uint64(j)+seed%m)%m)
}

// highriseFloor is the truth of the district of default size.
func highriseFloor(r, _ float64) (Floor, bool) {
	var towers []int
	for j := range 2 {
		for i := range 2 {
			towers = append(towers, highriseStoreys(i, j, 3, 0))
		}
	}
	return towersFloor(2*towerSite, towers, r), r >= 0 && r < 0.75
}
