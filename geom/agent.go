package geom

import (
	"errors"
	"fmt"
	"math"
)

// Agent is the upright cylinder for which a mesh is made, with its climbing limits. A zero field means its
// default; [Agent.WithDefaults] fills in defaults.
type Agent struct {
	// Radius in metres, 0 to 100. A mesh for a point agent asks for [PointRadius], because 0 means
	// the default of 0.4.
	Radius float64 `json:"radius"`
	// Height in metres, above 0 to 1000. Default 1.8.
	Height float64 `json:"height"`
	// MaxClimb is the highest step in metres, below Height. Default 0.4. For an agent that cannot climb, use
	// [NoClimb].
	MaxClimb float64 `json:"climb"`
	// MaxSlope is the steepest walkable slope in radians, 0 to just below π/2. Default 45°. A floor may be steeper by
	// [SlopeTolerance], see [Agent.SlopeLimit].
	MaxSlope float64 `json:"slope"`
	// MaxGap is the widest gap between two floors that the agent steps over, in metres, 0 to 10. Default half of MaxClimb,
	// at most Radius and at least [LeastGap]. For an agent that steps over no gap, use [NoGap].
	MaxGap float64 `json:"gap"`
}

// LeastGap is the least default of [Agent.MaxGap], in metres: levels have cracks of a few centimetres between their parts.
const LeastGap = 0.05

// NoGap asks for an agent that steps over no gap, where a plain 0 would ask for the default.
const NoGap = -1

// PointRadius asks for an agent without extent, where a plain 0 would ask for the default.
const PointRadius = -1

// NoClimb asks for an agent that climbs no step, where a plain 0 would ask for the default.
const NoClimb = -1

// Degrees returns an angle of d degrees in radians.
func Degrees(d float64) float64 { return d * math.Pi / 180 }

// WithDefaults returns a with every zero field set to its default, and with [PointRadius], [NoClimb] and
// [NoGap] replaced by zero. The front door applies it once; all other code takes the fields as they are.
func (a Agent) WithDefaults() Agent {
	a.Radius = defaulted(a.Radius, 0.4, PointRadius)
	a.Height = defaulted(a.Height, 1.8, math.NaN())
	a.MaxClimb = defaulted(a.MaxClimb, 0.4, NoClimb)
	a.MaxSlope = defaulted(a.MaxSlope, math.Pi/4, math.NaN())
	a.MaxGap = defaulted(a.MaxGap, max(min(a.MaxClimb/2, a.Radius), LeastGap), NoGap)
	return a
}

// Literal returns a with every zero replaced by the value that [Agent.WithDefaults] turns into the zero.
// Agents from files and flags state all fields, and a zero in them means zero.
// WithDefaults has no word for a slope of zero: Literal makes a slope far below [SlopeTolerance] of a zero.
func (a Agent) Literal() Agent {
	a.Radius = defaulted(a.Radius, PointRadius, math.NaN())
	a.MaxClimb = defaulted(a.MaxClimb, NoClimb, math.NaN())
	a.MaxSlope = defaulted(a.MaxSlope, 1e-9, math.NaN())
	a.MaxGap = defaulted(a.MaxGap, NoGap, math.NaN())
	return a
}

func defaulted(v, def, zero float64) float64 {
	switch v {
	case 0:
		return def
	case zero:
		return 0
	}
	return v
}

// Validate lists every field out of its range.
func (a Agent) Validate() error {
	var faults []error
	fault := func(name string, v float64, rule string) {
		faults = append(faults, fmt.Errorf("agent: %s is %g, must be %s", name, v, rule))
	}
	if !(a.Radius >= 0 && a.Radius <= 100) {
		fault("radius", a.Radius, "0 to 100 m")
	}
	if !(a.Height > 0 && a.Height <= 1000) {
		fault("height", a.Height, "above 0 to 1000 m")
	}
	if !(a.MaxClimb >= 0 && a.MaxClimb < a.Height) {
		fault("climb", a.MaxClimb, "0 to below the height")
	}
	if !(a.MaxSlope >= 0 && a.MaxSlope < Degrees(89.9)) {
		fault("slope", a.MaxSlope/Degrees(1), "0 to 89.9 degrees")
	}
	if !(a.MaxGap >= 0 && a.MaxGap <= 10) {
		fault("gap", a.MaxGap, "0 to 10 m")
	}
	return errors.Join(faults...)
}
