package levelgen

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

const (
	rampDirections = 64
	rampPitch      = 6.0
	rampRow        = 16 // ramps in a row and rows
	rampsSide      = rampPitch * rampRow
	rampRun        = 1.5 // about, in metres
)

// The ramps of a direction: 45° less a tenth of a degree, 45°, a lattice unit higher (within the 0.05°
// tolerance of slope decisions), and 45° plus a tenth of a degree.
const (
	rampBelow = iota
	rampAt
	rampHair
	rampAbove
	rampVariants
)

// ramp is the shape of a ramp in lattice units.
type ramp struct {
	run, aside   lattice.Point // from foot to head, and from the middle to the left border
	length, rise int32         // of the run
}

// newRamp returns a ramp in a direction. Its run is a multiple of the nearest Pythagorean direction with
// hypotenuse at most 800: the length is a whole number of units, so 45° are exact.
func newRamp(direction, variant int) ramp {
	sin, cos := math.Sincos(2 * math.Pi * float64(direction) / rampDirections)
	a, b, c := int32(1), int32(0), int32(1)
	nearest := -1.0
	try := func(x, y, hypotenuse int32) {
		if dot := (float64(cos*float64(x)) + float64(sin*float64(y))) / float64(hypotenuse); dot > nearest+1e-12 {
			nearest, a, b, c = dot, x, y, hypotenuse
		}
	}
	for m := int32(1); m*m <= 800; m++ {
		for n := int32(0); n < m && m*m+n*n <= 800; n++ {
			x, y, hypotenuse := m*m-n*n, 2*m*n, m*m+n*n
			for _, sx := range []int32{1, -1} {
				for _, sy := range []int32{1, -1} {
					try(sx*x, sy*y, hypotenuse)
					try(sx*y, sy*x, hypotenuse)
				}
			}
		}
	}
	times := int32(rampRun * lattice.UnitsPerMetre / float64(c))
	wide := times * 2 / 3
	r := ramp{run: lattice.Point{X: a * times, Y: b * times}, aside: lattice.Point{X: -b * wide, Y: a * wide}, length: times * c}
	slope := func(degrees float64) int32 {
		return int32(math.Round(float64(r.length) * math.Tan(geom.Degrees(degrees))))
	}
	switch variant {
	case rampBelow:
		r.rise = slope(44.9)
	case rampAt:
		r.rise = r.length
	case rampHair:
		r.rise = r.length + 1
	case rampAbove:
		r.rise = slope(45.1)
	}
	return r
}

// rampMiddle is where the ramp ends and its platform begins, in the middle of a place of 6 m by 6 m.
func rampMiddle(direction, variant int) pt {
	k := direction*rampVariants + variant
	return pt{(float64(k%rampRow) + 0.5) * rampPitch, (float64(k/rampRow) + 0.5) * rampPitch}
}

// makeRamps builds 64 directions of 4 ramps, about 2 m wide and 1.5 m high, each with a platform as
// long as the ramp behind it. Ramps and platforms are solid down to the ground.
//
// Known beforehand with the agent's radius r below 0.7 m and gaps below 0.9 m: ramps of at most 45.05° join
// their platforms with the ground, the platforms behind the other 64 ramps are a component each. In every
// direction the way up the ramp of 45° is straight.
// Layers: 1.
func makeRamps(b *builder, _ Options, _ *rand.Rand) {
	b.object("ground")
	b.box(0, 0, -0.25, rampsSide, rampsSide, 0, skin{"paving", "dirt"})
	for direction := range rampDirections {
		for variant := range rampVariants {
			r := newRamp(direction, variant)
			c := rampMiddle(direction, variant)
			top := float64(r.rise) * lattice.Unit
			profile := []pt{{-1, -0.25}, {1, -0.25}, {1, top}, {0, top}, {-1, 0}}
			rings := make([][]vec, 2)
			for side := range rings {
				aside := float64(2*side - 1)
				for _, p := range profile {
					x := float64(float64(r.run.X)*p.x) + float64(float64(r.aside.X)*aside)
					y := float64(float64(r.run.Y)*p.x) + float64(float64(r.aside.Y)*aside)
					rings[side] = append(rings[side], vec{c.x + float64(x*lattice.Unit), c.y + float64(y*lattice.Unit), p.y})
				}
			}
			b.object("ramp")
			b.loft(rings, triangulate(profile), skin{"concrete_ramp", "concrete"})
		}
	}
}

// rampsFloor is the truth of ramps that lie far (m) to the east and to the south.
func rampsFloor(far float64) func(r, gap float64) (Floor, bool) {
	return func(r, gap float64) (Floor, bool) {
		f := Floor{Components: 1 + rampDirections}
		for direction := range rampDirections {
			ramp := newRamp(direction, rampAt)
			c := rampMiddle(direction, rampAt)
			at := func(along, h float64) geom.Vec {
				along *= lattice.Unit
				return geom.FromGround(far+c.x+float64(float64(ramp.run.X)*along), -far+c.y+float64(float64(ramp.run.Y)*along), h)
			}
			f.Routes = append(f.Routes, Route{
				Name: "up", Radius: r, Start: at(-1.75, 0), Goal: at(0.5, float64(ramp.rise)*lattice.Unit), Length: 2.25 * float64(ramp.length) * lattice.Unit,
			})
		}
		return f, r >= 0 && r < 0.7 && gap < 0.9
	}
}
