package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
)

const (
	pillarPitch  = 4.0
	pillarRadius = 0.5  // of the corners
	pillarDrum   = 1.25 // height of a drum, too low to stand in: readers of triangles see shells
	pillarDrums  = 2
	pillarSides  = 30 // numbers of sides: 6, 8 … 64
)

// makePillars builds a square of floor with a pillar in the middle of every 4 m by 4 m. Pillars have 6 to 64
// sides; the second pillar of the second row has 6; lots put the others in order and choose their stone. No
// roof covers the floor.
//
// Known beforehand: a pillar of n sides with corners at distance R takes the area n·R²·sin(2π/n)/2 and adds
// the border 2n·R·sin(π/n), and its corners turn by 2π. Its top is a regular polygon with n corners of kite
// tan(π/n). For an agent of radius r to 0.4 m every top is a component of its own, from 0.5 to 1 m none is
// floor; between these radii the tops vanish one by one. From S, 2 m to the west of the middle of the pillar
// with 6 sides, to G, 2 m to the east, the string touches the corners at 120° and at 60°: two tangents of
// √(d² - r²) for d = |S - V|, a side of 0.5 m, and r times twice the angle of the tangent to the axis.
// Layers: 1.
func makePillars(b *builder, opt Options, r *rand.Rand) {
	n := int(opt.Size / pillarPitch)
	side := float64(n) * pillarPitch
	b.object("floor")
	b.box(0, 0, -0.25, side, side, 0, skin{"stone_floor", "stone"})
	coats := []string{"stone", "concrete", "plaster", "plaster_rose", "plaster_yellow", "wood_light"}
	order := r.Perm(n*n - 1)
	for k := range n * n {
		sides := pillarCorners(0)
		if k != n+1 {
			sides = pillarCorners(1 + order[0])
			order = order[1:]
		}
		c := pt{(float64(k%n) + 0.5) * pillarPitch, (float64(k/n) + 0.5) * pillarPitch}
		b.object("pillar")
		coat := plain(coats[r.IntN(len(coats))])
		for k := range pillarDrums {
			low := pillarDrum * float64(k)
			b.turned(c, sides, []pt{{pillarRadius, low}, {pillarRadius, low + pillarDrum}}, coat)
		}
	}
}

// pillarCorners returns how many sides pillar k has before lots are drawn.
func pillarCorners(k int) int { return 6 + 2*(k%pillarSides) }

// pillarsFloor is the truth of the default hall of 6 by 6 pillars.
func pillarsFloor(r, _ float64) (Floor, bool) {
	const row = 6
	f := Floor{Components: 1}
	hall := rectangle(row*pillarPitch, row*pillarPitch)
	var tops shape
	for k := range row * row {
		n := float64(pillarCorners(k))
		around := 2 * n * math.Sin(math.Pi/n)
		disc := n * math.Sin(2*math.Pi/n) / 2
		hall = hall.plus(shape{-disc * pillarRadius * pillarRadius, around * pillarRadius, 0, 2 * math.Pi})
		tops = tops.plus(shape{disc * pillarRadius * pillarRadius, around * pillarRadius, n * math.Tan(math.Pi/n), 0})
	}
	f.Storeys = []Storey{hall.storey(0, r)}
	if r <= 0.4 {
		f.Components += row * row
		f.Storeys = append(f.Storeys, tops.storey(pillarDrum*pillarDrums, r))
	}
	x, y := 2-pillarRadius/2, pillarRadius*math.Sqrt(3)/2
	d := math.Hypot(x, y)
	turn := 2 * (math.Atan2(y, x) + math.Asin(r/d))
	f.Routes = []Route{{
		Name: "around a pillar", Radius: r, Start: geom.FromGround(4, 6, 0), Goal: geom.FromGround(8, 6, 0),
		Length: 2*math.Sqrt(d*d-r*r) + pillarRadius + r*turn, Turn: turn,
	}}
	return f, r >= 0 && (r <= 0.4 || r >= 0.5) && r < 1
}
