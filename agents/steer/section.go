package steer

// The moving section of a corridor.
//
// Source: S. Brand, thesis, 2009, section 2.4 and figure 6, after C. Reynolds.
//
// Idea: A group travels in one corridor. Attractors pull the group into a section of the corridor that moves on. The area of the
// section is constant: what the members need side by side, times a factor for room. So the section is short where the
// corridor is wide, and long at a choke-point. Attractors pull harder as they near a choke-point, so members fall in line.
//
// Guarantees:
//  1. The section has the constant area at every place, up to the step of the measure, and is longer at choke-points
//     (TestSection).
//  2. The pull grows as the corridor ahead narrows, up to its bound (TestPull).
//
// Degenerate cases: a section that would begin before the corridor begins at 0. A width that is not above 0 counts as no
// area.
//
// Cost: O(l) for a section of l metres.
//
// Departures: the source gives no numbers: the pull grows with the open width over the least width ahead. [9] of the source
// builds corridors by themselves; ours are paths with the widths beside them.

// sectionStep in metres is the step of the measure of a section.
const sectionStep = 0.125

// Section returns the place along a corridor where a section of an area in square metres begins, for the end of the section
// at head metres along. Width returns the corridor's width in metres at a place along it.
func Section(width func(along float64) float64, head, area float64) (tail float64) {
	for tail = head; tail > 0; {
		step := min(sectionStep, tail)
		strip := max((width(tail)+width(tail-step))/2, 0) * step
		if strip >= area {
			if area > 0 {
				tail -= float64(step * (area / strip))
			}
			return tail
		}
		area -= strip
		tail -= step
	}
	return max(tail, 0)
}

// Pull returns the strength of an attractor at head metres along a corridor: the given strength where the corridor ahead is
// as wide as the open width or wider, and more by the ratio of the widths where the corridor narrows within a look-ahead
// distance, up to most times.
func Pull(width func(along float64) float64, head, ahead, open, strength, most float64) float64 {
	least := open
	for d := 0.0; d <= ahead; d += sectionStep {
		least = min(least, width(head+d))
	}
	if !(least > open/most) {
		return strength * most
	}
	return strength * (open / least)
}
