package floorplan

import (
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
)

// Choose selects the parts of a floor to keep, given largest first. part returns the number of the part at a
// place, or an error if there is none.
func (o *Options) Choose(parts []plan.Part, part func(place geom.Vec) (int, error)) (kept []bool, err error) {
	kept = make([]bool, len(parts))
	any := false
	for _, place := range o.Keep {
		k, err := part(place)
		if err != nil {
			return nil, err
		}
		kept[k], any = true, true
	}
	if o.KeepAll || o.KeepArea > 0 {
		for k := range parts {
			if o.KeepAll || parts[k].Area > o.KeepArea {
				kept[k], any = true, true
			}
		}
		if !any && len(parts) > 0 {
			return nil, fmt.Errorf("no part of the floor is larger than %g m², the largest has %.3g m² at %v", o.KeepArea, parts[0].Area, parts[0].At)
		}
		return kept, nil
	}
	if any {
		return kept, nil
	}
	for _, start := range o.Starts {
		if k, err := part(start); err == nil {
			kept[k], any = true, true
		}
	}
	if !any && len(parts) > 0 {
		kept[0] = true
	}
	return kept, nil
}
