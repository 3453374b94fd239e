package exact

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// withoutHairs takes the hairs off the eroded floor around a seam: the parts between two borders that face each other no more than blunt
// apart. A passage as wide as the agent, to a millimetre, leaves hairs, and rounding decides where. A hair of one layer would lead through
// the floor of another. Away from seams a hair is a passage for an agent that just fits.
func (e *extraction) withoutHairs(free []lattice.Polygon) ([]lattice.Polygon, error) {
	var sides []side
	for _, p := range free {
		for _, r := range p.Rings {
			for i, a := range r {
				sides = append(sides, edgeOf(r[(i+1)%len(r)], a))
			}
		}
	}
	hairs := appendFills(nil, sides, blunt, hairLength)
	if len(hairs) == 0 {
		return free, nil
	}
	return overlay.DifferenceOn(e.jobs, ringsOf(free), hairs)
}
