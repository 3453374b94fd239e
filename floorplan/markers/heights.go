package markers

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

// heightAt returns the height of the floor of a domain at a point in or near it. The domain says how high
// it is at its border, and the layer's floor, which may have other storeys at the same place, is
// looked at below what can be reached from there.
func (w *work) heightAt(layer int32, d *plan.Domain, p lattice.Point) int32 {
	if d.Heights == nil {
		return 0
	}
	near, known := uint64(math.MaxUint64), int32(0)
	for r, ring := range d.Rings {
		for i, q := range ring {
			if at := p.Distance2(q); at < near {
				near, known = at, d.Heights[r][i]
			}
		}
	}
	if near == 0 {
		return known
	}
	floor := w.sampler(layer)
	limit := float64(known) + w.agent.height/2 + math.Sqrt(float64(near))
	for reach := 0.0; reach <= 2*lattice.UnitsPerMetre; reach = 4 * max(reach, 1) {
		if z, ok := floor.HeightBelow(float64(p.X), float64(p.Y), limit, reach); ok {
			return int32(math.Floor(z + 0.5))
		}
	}
	return known
}

// sampler returns the sampler of a layer's floor, made when first asked for.
func (w *work) sampler(layer int32) *lattice.Sampler {
	if w.samplers == nil {
		w.samplers = make([]*lattice.Sampler, len(w.old.Layers))
	}
	if w.samplers[layer] == nil {
		w.samplers[layer] = lattice.NewSampler(&w.old.Layers[layer].Floor)
	}
	return w.samplers[layer]
}

// holds reports whether someone who stands at a height is in the volume: it begins below the head, and
// reaches higher than a step, or is as thin as one and not lower than the feet by more than a step.
func (w *work) holds(v *volume, z int32) bool {
	low, high := float64(v.low), float64(v.high)
	top := max(high-w.agent.climb, low+w.agent.climb)
	return float64(z) > low-w.agent.height && float64(z) <= top
}
