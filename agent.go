package meadow

import "github.com/meadow-nav/meadow/geom"

// Vec is a point in world space: metres, Y up.
type Vec = geom.Vec

// Agent is the walker that a mesh is made for: see [geom.Agent]. A zero field means its default.
type Agent = geom.Agent

// PointRadius, NoClimb and NoGap mean zero in fields where 0 means the default.
const (
	PointRadius = geom.PointRadius
	NoClimb     = geom.NoClimb
	NoGap       = geom.NoGap
)

// Degrees returns an angle of d degrees in radians.
func Degrees(d float64) float64 { return geom.Degrees(d) }
