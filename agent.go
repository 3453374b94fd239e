package meadow

import "github.com/meadow-nav/meadow/geom"

// Vec is a point in world space: metres, Y up.
type Vec = geom.Vec

// Agent is who walks: see [geom.Agent]. A zero field means its default.
type Agent = geom.Agent

// PointRadius, NoClimb and NoGap stand for a zero where a plain 0 would ask for the default.
const (
	PointRadius = geom.PointRadius
	NoClimb     = geom.NoClimb
	NoGap       = geom.NoGap
)

// Degrees returns an angle of d degrees in radians.
func Degrees(d float64) float64 { return geom.Degrees(d) }
