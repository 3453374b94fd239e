package exact

import (
	"math"
	"slices"
)

// A long thin triangle has a tip that is thinner than the depth at which [extraction.hides] looks for covers. The tip may show
// where another floor hides the rest, and the other way round.

// withTip returns the hidden parts of a rim, corrected in one end of the rim, if that end is longer than a pinhole. So far the end counts
// as hidden or not.
func (e *extraction) withTip(f *follower, t int32, s *sight, end stretch, hidden bool) []stretch {
	switch {
	case (end.to-end.from)*s.length <= pinhole:
		return f.hidden
	case hidden:
		if tip := e.shownTip(f, t, s, end); len(tip) > 0 {
			return without(f.hidden, tip, touching/s.length)
		}
		return f.hidden
	}
	f.hidden = appendWithout(f.hidden, end, e.besideTip(f, t, s), touching/s.length)
	slices.SortFunc(f.hidden, stretch.compare)
	return f.hidden
}

// besideTip returns the stretches of a rim beside which the rim's triangle has a free part, however deep.
func (e *extraction) besideTip(f *follower, t int32, s *sight) []stretch {
	f.tips = f.tips[:0]
	for _, r := range e.rings(t) {
		in := stretch{math.Inf(1), math.Inf(-1)}
		for _, p := range r {
			along, _ := s.place(p)
			in.from, in.to = min(in.from, along), max(in.to, along)
		}
		f.tips = append(f.tips, in)
	}
	slices.SortFunc(f.tips, stretch.compare)
	return f.tips
}

// shownTip returns the stretches of a rim in one end of the rim along which the free part of the rim's triangle reaches the rim.
func (e *extraction) shownTip(f *follower, t int32, s *sight, end stretch) []stretch {
	f.tips = f.tips[:0]
	for _, r := range e.rings(t) {
		before, from := s.place(r[len(r)-1])
		for _, p := range r {
			along, to := s.place(p)
			if math.Abs(from) <= touching && math.Abs(to) <= touching {
				if in := (stretch{max(min(before, along), end.from), min(max(before, along), end.to)}); in.from < in.to {
					f.tips = append(f.tips, in)
				}
			}
			before, from = along, to
		}
	}
	slices.SortFunc(f.tips, stretch.compare)
	return f.tips
}
