package exact

import (
	"math"
	"slices"
)

// A long thin triangle has a tip that is thinner than the depth at which [extraction.hides] looks for covers. The tip may show
// where another floor hides the rest.

// shownTip returns the stretches of a rim in one end of the rim, longer than a pinhole, along which the free part of the rim's triangle
// reaches the rim.
func (e *extraction) shownTip(f *follower, t int32, s *sight, end stretch) []stretch {
	f.open = f.open[:0]
	if (end.to-end.from)*s.length <= pinhole {
		return f.open
	}
	for _, r := range e.rings(t) {
		before, from := s.place(r[len(r)-1])
		for _, p := range r {
			along, to := s.place(p)
			if math.Abs(from) <= touching && math.Abs(to) <= touching {
				if in := (stretch{max(min(before, along), end.from), min(max(before, along), end.to)}); in.from < in.to {
					f.open = append(f.open, in)
				}
			}
			before, from = along, to
		}
	}
	slices.SortFunc(f.open, stretch.compare)
	return f.open
}
