package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Shape is the form of an obstacle, up to size and direction.
type Shape uint8

// The shapes. All but Ell are convex.
const (
	Box      Shape = iota // a rectangle 1 to 2.5 times as long as wide
	Slab                  // a rectangle 8 to 16 times as long as wide: a wall
	Ell                   // two boxes at a right angle, of six corners
	Triangle              // three corners on an ellipse, not near each other; the next four likewise
	Quad
	Pentagon
	Hexagon
	Heptagon
	Pillar // a regular octagon
	shapes
)

var shapeNames = [shapes]string{"box", "slab", "ell", "triangle", "quad", "pentagon", "hexagon", "heptagon", "pillar"}

// String returns the name of the shape.
func (s Shape) String() string {
	if s < shapes {
		return shapeNames[s]
	}
	return fmt.Sprintf("Shape(%d)", uint8(s))
}

// Turn is the direction of an obstacle.
type Turn uint8

// The directions.
const (
	Straight Turn = iota // parallel to the axes
	Along                // parallel to a common direction of its world
	Any                  // any direction
)

// direction returns the unit vector that the local x axis is turned to.
func (t Turn) direction(rng *rand.Rand, world vec) vec {
	switch t {
	case Straight:
		return vec{x: 1}
	case Along:
		return world
	}
	return direction(rng)
}

// vec is a point or direction of the plane in lattice units.
type vec struct{ x, y float64 }

// spoke is a direction with integer coordinates, for exact comparisons.
type spoke struct{ x, y int64 }

// spokes are drawn from a disc of this radius.
const spokeReach = 1 << 20

// drawSpoke returns a direction that is uniform up to rounding. It needs no trigonometry, whose last digits
// differ between machines.
func drawSpoke(rng *rand.Rand) spoke {
	for {
		s := spoke{rng.Int64N(2*spokeReach+1) - spokeReach, rng.Int64N(2*spokeReach+1) - spokeReach}
		if d := s.x*s.x + s.y*s.y; d <= spokeReach*spokeReach && d >= spokeReach*spokeReach/64 {
			return s
		}
	}
}

func (s spoke) unit() vec {
	norm := math.Sqrt(float64(s.x*s.x + s.y*s.y))
	return vec{float64(s.x) / norm, float64(s.y) / norm}
}

func direction(rng *rand.Rand) vec { return drawSpoke(rng).unit() }

// outline is a simple counter-clockwise polygon.
type outline []vec

// outline draws a polygon of the shape, of any size.
func (s Shape) outline(rng *rand.Rand) outline {
	switch s {
	case Box:
		return rectangle(1 + float64(1.5*rng.Float64()))
	case Slab:
		return rectangle(8 + 8*rng.Float64())
	case Ell:
		x, y := 0.3+float64(0.3*rng.Float64()), 0.3+float64(0.3*rng.Float64())
		return outline{{0, 0}, {1, 0}, {1, y}, {x, y}, {x, 1}, {0, 1}}
	case Pillar:
		a := math.Sqrt2 - 1
		return outline{{1, -a}, {1, a}, {a, 1}, {-a, 1}, {-1, a}, {-1, -a}, {-a, -1}, {a, -1}}
	}
	return inscribed(rng, int(s-Triangle)+3)
}

func rectangle(long float64) outline {
	return outline{{0, 0}, {long, 0}, {long, 1}, {0, 1}}
}

// leastChord is the distance that neighbouring corners on a circle of radius 1 keep: half the side of
// the regular polygon of 3, 4 … corners.
var leastChord = [...]float64{0.866, 0.707, 0.588, 0.5, 0.434}

// inscribed returns n random corners on an ellipse, with its middle inside of the polygon.
func inscribed(rng *rand.Rand, n int) outline {
	spokes := make([]spoke, n)
	for {
		for i := range spokes {
			spokes[i] = drawSpoke(rng)
		}
		slices.SortFunc(spokes, func(a, b spoke) int {
			if au, bu := a.upper(), b.upper(); au != bu {
				return bu - au
			}
			return -sign(a.cross(b))
		})
		if o, ok := around(spokes); ok {
			squeeze := 0.6 + float64(0.4*rng.Float64())
			for i := range o {
				o[i].y *= squeeze
			}
			return o
		}
	}
}

// upper is 1 for directions with an angle of 0° to below 180° and 0 for the others.
func (s spoke) upper() int {
	if s.y > 0 || s.y == 0 && s.x > 0 {
		return 1
	}
	return 0
}

func (s spoke) cross(t spoke) int64 { return s.x*t.y - s.y*t.x }

func sign(x int64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// around returns the ends of sorted spokes of length 1, if no two are near each other or half a turn apart.
func around(spokes []spoke) (outline, bool) {
	o := make(outline, len(spokes))
	for i, s := range spokes {
		next := spokes[(i+1)%len(spokes)]
		a, b := s.unit(), next.unit()
		if s.cross(next) <= 0 || math.Sqrt(float64((a.x-b.x)*(a.x-b.x))+float64((a.y-b.y)*(a.y-b.y))) < leastChord[len(spokes)-3] {
			return nil, false
		}
		o[i] = a
	}
	return o, true
}

// fit scales o to an area.
func (o outline) fit(area float64) {
	has := 0.0
	for i, a := range o {
		b := o[(i+1)%len(o)]
		has += (float64(a.x*b.y) - float64(a.y*b.x)) / 2
	}
	scale := math.Sqrt(area / has)
	for i := range o {
		o[i].x *= scale
		o[i].y *= scale
	}
}

// turn turns o, with its x axis to a direction.
func (o outline) turn(d vec) {
	for i, p := range o {
		o[i] = vec{float64(p.x*d.x) - float64(p.y*d.y), float64(p.x*d.y) + float64(p.y*d.x)}
	}
}

func (o outline) box() (low, high vec) {
	low, high = o[0], o[0]
	for _, p := range o {
		low = vec{min(low.x, p.x), min(low.y, p.y)}
		high = vec{max(high.x, p.x), max(high.y, p.y)}
	}
	return low, high
}

// hole returns o, moved and rounded to the lattice, clockwise.
func (o outline) hole(at vec) lattice.Ring {
	ring := make(lattice.Ring, len(o))
	for i, p := range o {
		ring[len(o)-1-i] = lattice.Point{X: int32(math.Floor(p.x + at.x + 0.5)), Y: int32(math.Floor(p.y + at.y + 0.5))}
	}
	return ring
}
