package floortest

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// Turned is a scene whose ground coordinates are turned about the origin.
type Turned struct {
	Scene
	cos, sin float64
}

// NewTurned returns an empty scene turned counter-clockwise by an angle in degrees.
func NewTurned(degrees float64) Turned {
	sin, cos := math.Sincos(geom.Degrees(degrees))
	return Turned{cos: cos, sin: sin}
}

// At returns the place at ground coordinates and a height, in metres.
func (s *Turned) At(x, y, h float64) geom.Vec {
	return geom.FromGround(x*s.cos-y*s.sin, x*s.sin+y*s.cos, h)
}
