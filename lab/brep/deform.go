package brep

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// Rule is a rule for deforming solids, so that their inside is forbidden for the agent's centre.
type Rule uint8

// The rules.
const (
	// Published is Brand's rule of section 3.4: walkable faces move inwards by a step, others outwards by sin(α/2)·2R,
	// where α is the angle between the normal and straight up. For an upright wall the distance is √2·R.
	Published Rule = iota
	// Sphere has the square that Published lacks: sin²(α/2)·2R keeps a sphere of radius R that stands on the ground away
	// from a face, and is R for an upright wall, as Brand's first rule is.
	Sphere
	// Body keeps away an upright cylinder of the agent's radius that reaches from a step to its height above the ground.
	// Walkable faces need no rule of their own with it. Edges between faces that look up and down get an upright plane.
	Body
)

// String returns the name of the rule, or its number for an unknown rule.
func (r Rule) String() string {
	if r > Body {
		return fmt.Sprintf("Rule(%d)", uint8(r))
	}
	return [...]string{"published", "sphere", "body"}[r]
}

// deformed returns the bodies deformed for a radius, by a rule. New planes are added to the space. Every volume holds its
// required places, up to half a unit of rounding; none is smaller than by the rule.
func (w *world) deformed(rule Rule, radius float64, agent geom.Agent) []cutter {
	const unit = lattice.UnitsPerMetre
	out := make([]cutter, len(w.bodies))
	for i := range w.bodies {
		b := &w.bodies[i]
		var planes []int32
		for _, id := range b.planes {
			p := w.space.Plane(id)
			up := float64(p.N[2]) / solid.NormalScale
			planes = append(planes, w.space.Add(p.Moved(int64(math.Ceil(rule.shift(up, w.walkable(id, agent.SlopeLimit()), radius, agent)*unit)))))
		}
		if rule == Body {
			for _, id := range w.silhouette(b) {
				planes = append(planes, w.space.Add(w.space.Plane(id).Moved(int64(math.Ceil(radius*unit)))))
			}
			// The sum with a cylinder ends above and below in planes that no face may have.
			for _, side := range [2]float64{1, -1} {
				p := solid.Plane{N: [3]int32{0, 0, int32(side * solid.NormalScale)}}
				p.D = int64(math.Ceil(b.support(p.N) + rule.shift(side, false, radius, agent)*unit))
				planes = append(planes, w.space.Add(p))
			}
		}
		box := b.Box
		reach := 2*radius*unit + 1
		for k := range 3 {
			box.Low[k] -= reach
			box.High[k] += reach
		}
		box.Low[2] = min(box.Low[2], b.Box.Low[2]-agent.Height*unit-1)
		out[i] = w.volume(planes, box)
	}
	return out
}

// shift returns how far a face moves outwards, in metres; up is the upward component of its unit normal. An agent climbs
// its exact limit, also after rounding.
func (r Rule) shift(up float64, walkable bool, radius float64, agent geom.Agent) float64 {
	climb := agent.MaxClimb + lattice.Unit
	half := (1 - up) / 2 // sin²(α/2)
	switch {
	case r == Body:
		level := math.Sqrt(max(0, 1-float64(up*up)))
		return float64(radius*level) + max(-climb*up, -agent.Height*up)
	case walkable:
		return -climb
	case r == Sphere:
		return 2 * radius * half
	}
	return 2 * radius * math.Sqrt(max(0, half))
}
