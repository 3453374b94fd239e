package levelgen

import (
	"math"
	"math/rand/v2"
)

// The ground of an RTS world, by height in metres.
const (
	rtsLand   = 2.5
	rtsBed    = -0.5  // of the river
	rtsFord   = -0.25 // of a ford
	rtsRoad   = 6.0   // width
	rtsWater  = 14.0  // width of the river
	rtsBank   = 0.5   // how far cliffs lean
	rtsSlope  = 9.0   // how far the banks of a ford slope down
	rtsPitch  = 64.0  // between crossings
	rtsColumn = 4.0   // width of a column of ground
)

// rtsRows are the lines from west to east in the ground of an RTS world, from south to north, by distance
// from the middle of the river. The first and the last belong to the border.
var rtsRows = []float64{0, -52, -36, -32, -26, -rtsWater/2 - rtsBank, -rtsWater / 2, rtsWater / 2, rtsWater/2 + rtsBank, 26, 32, 36, 52, 0}

// The cells between rows, by the number of the row south of them.
const (
	rtsFieldSouth = 1
	rtsRoadSouth  = 3
	rtsCliffSouth = 5
	rtsRiver      = 6
	rtsCliffNorth = 7
	rtsRoadNorth  = 9
	rtsFieldNorth = 11
)

// makeRTS lays out a river from west to east between cliffs, a road along either bank, and every 64 m a road from
// south to north, which crosses the river alternately on a bridge and through a ford. Mud lies beside the roads
// here and there, and trees stand on the rest.
//
// Known beforehand: who may neither swim nor ford crosses on bridges only, who may not swim crosses on
// bridges and in fords only, and no one climbs a cliff.
func makeRTS(b *builder, opt Options, r *rand.Rand) {
	side := opt.Size
	wave, phase := 40+20*r.Float64(), r.Float64()
	river := func(x float64) float64 {
		s := math.Sin(2 * math.Pi * (phase + x/(2.5*wave)))
		t := math.Sin(2 * math.Pi * (2*phase + x/(1.1*wave)))
		return side/2 + float64(9*s) + float64(3*t)
	}

	// The columns: a multiple of their width, and both sides of every road.
	var crossings []float64
	for x := rtsPitch / 2; x+rtsPitch/2 <= side+1; x += rtsPitch {
		crossings = append(crossings, x)
	}
	var xs []float64
	for x := 0.0; x < side-rtsColumn/2; x += rtsColumn {
		onRoad := false
		for _, c := range crossings {
			onRoad = onRoad || math.Abs(x-c) < rtsRoad/2+rtsColumn/2
		}
		if !onRoad {
			xs = append(xs, x)
			continue
		}
		for _, c := range crossings {
			if x < c+rtsColumn && x >= c { // the first multiple in or behind the middle
				xs = append(xs, c-rtsRoad/2, c+rtsRoad/2)
			}
		}
	}
	xs = append(xs, side)

	crossing := func(i int) int { // the road that column i is on, or -1
		for k, c := range crossings {
			if xs[i] >= c-rtsRoad/2 && i+1 < len(xs) && xs[i+1] <= c+rtsRoad/2 {
				return k
			}
		}
		return -1
	}
	fords := make([]bool, len(xs)) // lines from south to north that a ford is at
	for i := range xs {
		if k := crossing(i); k >= 0 && k%2 == 1 {
			fords[i], fords[i+1] = true, true
		}
	}
	var corners []vec
	for k, off := range rtsRows {
		for i, x := range xs {
			y, h := river(x)+off, rtsLand
			switch k {
			case 0:
				y = 0
			case len(rtsRows) - 1:
				y = side
			case rtsRiver, rtsRiver + 1:
				h = rtsBed
				if fords[i] {
					h = rtsFord
				}
			case rtsCliffSouth, rtsCliffNorth + 1:
				if fords[i] {
					y += math.Copysign(rtsSlope-rtsBank, off)
				}
			}
			corners = append(corners, vec{x, y, h})
		}
	}
	mud := make([]bool, 2*len(xs)) // by column, south and north
	for i := range mud {
		mud[i] = i/2%9 > 2 && (i/2)/9%2 == i%2
	}
	nx, ny := len(xs)-1, len(rtsRows)-1
	b.object("ground")
	b.sheet(corners, nx, ny, -4, func(i, j int, top bool) string {
		if i < 0 {
			return "rock"
		}
		k := crossing(i)
		switch {
		case j == rtsRiver && k >= 0 && k%2 == 1:
			return "river_ford_gravel"
		case j == rtsRiver:
			return "river_water"
		case (j == rtsCliffSouth || j == rtsCliffNorth) && k >= 0 && k%2 == 1:
			return "road_gravel_track"
		case !top:
			return "cliff_chalk_white"
		case k >= 0 || j == rtsRoadSouth || j == rtsRoadNorth:
			return "road_cobble_01"
		case (j == rtsFieldSouth && mud[2*i]) || (j == rtsFieldNorth && mud[2*i+1]):
			return "mud_field_wet"
		}
		return "grass_meadow_01"
	})

	for k, x := range crossings {
		if k%2 == 1 {
			continue
		}
		b.object("bridge")
		low, high := math.Min(river(x-rtsRoad/2), river(x+rtsRoad/2)), math.Max(river(x-rtsRoad/2), river(x+rtsRoad/2))
		y0, y1 := low-rtsWater/2-2, high+rtsWater/2+2
		b.box(x-rtsRoad/2, y0, rtsLand-0.25, x+rtsRoad/2, y1, rtsLand+0.0625, skin{"bridge_wood_planks", "wood_dark"})
		for _, at := range [2]float64{x - rtsRoad/2, x + rtsRoad/2 - 0.25} {
			b.object("parapet")
			b.box(at, y0, rtsLand, at+0.25, y1, rtsLand+1, plain("wood_dark"))
		}
	}
	// Trees and rocks on the grass between the roads and the border.
	for k := range int(side * side / 600) {
		p := pt{2 + (side-4)*r.Float64(), 2 + (side-4)*r.Float64()}
		off := p.y - river(p.x)
		clear := math.Abs(off) > 54
		for _, c := range crossings {
			clear = clear && math.Abs(p.x-c) > rtsRoad/2+2
		}
		if !clear {
			continue
		}
		if k%4 == 0 {
			b.object("rock")
			b.turned(p, 7, []pt{{1.25, rtsLand - 0.5}, {1.5, rtsLand + 0.5}, {0.75, rtsLand + 1.5}}, plain("rock"))
			continue
		}
		b.object("tree")
		tree(b, p, rtsLand, 4+3*r.Float64(), r)
	}
}
