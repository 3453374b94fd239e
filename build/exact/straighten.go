package exact

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// straightened moves walls into the free floor where the move saves corners of more than 180°, each at the cost of a
// region. Borders with other layers stay.
func straightened(jobs int, outlines []overlay.Outline, tolerance float64) []overlay.Outline {
	var borders []lattice.Border
	for _, o := range outlines {
		for r, ring := range o.Rings {
			fixed := make([]bool, len(ring))
			for i, l := range o.Labels[r] {
				fixed[i] = l != wall
			}
			borders = append(borders, lattice.Border{Ring: ring, Fixed: fixed})
		}
	}
	straight := lattice.StraightenOn(jobs, borders, tolerance)
	out := make([]overlay.Outline, len(outlines))
	for i, o := range outlines {
		for r := range o.Rings {
			s := straight[0]
			straight = straight[1:]
			labels := make([]int32, len(s.Ring))
			for k, edge := range s.From {
				labels[k] = wall
				if edge >= 0 {
					labels[k] = o.Labels[r][edge]
				}
			}
			out[i].Rings, out[i].Labels = append(out[i].Rings, s.Ring), append(out[i].Labels, labels)
		}
	}
	return out
}
