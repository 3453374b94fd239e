package markers

import (
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// heightAt returns the height of the floor of a domain at a point in or near it.
func (w *work) heightAt(layer int32, d *plan.Domain, p lattice.Point) int32 {
	return w.heights.At(layer, d, p)
}

// holds reports whether someone who stands at a height is in the volume: it begins below the head, and
// reaches higher than a step, or is as thin as one and not lower than the feet by more than a step.
func (w *work) holds(v *volume, z int32) bool {
	low, high := float64(v.low), float64(v.high)
	top := max(high-w.agent.climb, low+w.agent.climb)
	return float64(z) > low-w.agent.height && float64(z) <= top
}
