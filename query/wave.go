package query

import "math"

// Segments, and what ways cost that start on them, for searches over uneven ground. See cheapest.go.

// segment runs from a point in a direction, in lattice units.
type segment struct {
	x, y, ux, uy, length float64
}

// segmentBetween returns the segment from a to b. One of no length has no direction.
func segmentBetween(a, b [2]float64) segment {
	dx, dy := b[0]-a[0], b[1]-a[1]
	s := segment{x: a[0], y: a[1], length: length(dx, dy)}
	if s.length > 0 {
		s.ux, s.uy = dx/s.length, dy/s.length
	}
	return s
}

// part returns the part of s between two places, 0 for its start and 1 for its end.
func (s *segment) part(lo, hi float64) segment {
	at := lo * s.length
	return segment{s.x + float64(at*s.ux), s.y + float64(at*s.uy), s.ux, s.uy, (hi - lo) * s.length}
}

// at returns the point of a segment at a place.
func (s *segment) at(t float64) (x, y float64) {
	along := t * s.length
	return s.x + float64(along*s.ux), s.y + float64(along*s.uy)
}

// place returns the place of the point of s that is nearest to (x, y).
func (s *segment) place(x, y float64) float64 {
	if s.length == 0 {
		return 0
	}
	along := float64((x-s.x)*s.ux) + float64((y-s.y)*s.uy)
	return min(max(along/s.length, 0), 1)
}

// end returns the end of s.
func (s *segment) end() (x, y float64) {
	return s.x + float64(s.length*s.ux), s.y + float64(s.length*s.uy)
}

// wave is the cost of ways that start on a segment, where they have cost some already: from first at its start
// to last at its end, linearly, and weight for each unit from there.
type wave struct {
	segment
	first, slope, weight float64
	floor                float64 // the lower one of first and last
	// Ways leave the segment in the direction whose cosine with it is slope/weight, where they can; cotangent
	// is that of this direction. beyond is -1 or 1 where the slope is as steep as the weight, so that all
	// ways leave from its end or its start.
	cotangent float64
	beyond    int
}

func newWave(s *segment, first, last, weight float64) wave {
	w := wave{segment: *s, first: first, weight: weight, floor: min(first, last)}
	if s.length == 0 {
		w.first = w.floor
		return w
	}
	w.slope = (last - first) / s.length
	switch cos := w.slope / weight; {
	case cos >= 1:
		w.beyond = 1
	case cos <= -1:
		w.beyond = -1
	default:
		w.cotangent = cos / math.Sqrt(1-float64(cos*cos))
	}
	return w
}

// leave returns how far along the segment the cheapest way to (x, y) leaves it.
func (w *wave) leave(x, y float64) float64 {
	switch w.beyond {
	case 1:
		return 0
	case -1:
		return w.length
	}
	return min(max(w.leaveLine(x, y), 0), w.length)
}

// leaveLine returns how far along the line of the segment ways to (x, y) leave it in the direction that they leave
// it in.
func (w *wave) leaveLine(x, y float64) float64 {
	dx, dy := x-w.x, y-w.y
	along := float64(dx*w.ux) + float64(dy*w.uy)
	away := math.Abs(float64(dx*w.uy) - float64(dy*w.ux))
	return along - float64(away*w.cotangent)
}

// reach returns the cost of the cheapest way to (x, y).
func (w *wave) reach(x, y float64) float64 {
	at := w.leave(x, y)
	d := length(x-w.x-float64(at*w.ux), y-w.y-float64(at*w.uy))
	return w.first + float64(at*w.slope) + float64(w.weight*d)
}

// touching is the distance in lattice units below which a direction means nothing.
const touching = 1.0 / 1024

// tangent returns the tangent of the cost at a place of the segment to, by its values at the two ends, and how
// far along w the way to that place leaves it. Where to meets w there, it is a line below the cost: that rises or falls
// nowhere more steeply than along w.
func (w *wave) tangent(to *segment, place float64) (line [2]float64, left float64) {
	x, y := to.at(place)
	left = w.leave(x, y)
	dx, dy := x-w.x-float64(left*w.ux), y-w.y-float64(left*w.uy)
	d := length(dx, dy)
	cost, slope := w.first+float64(left*w.slope), 0.0
	if d > touching {
		cost += float64(w.weight * d)
		slope = float64(w.weight*to.length) * ((float64(dx*to.ux) + float64(dy*to.uy)) / d)
	} else if w.beyond == 0 {
		cost += float64(w.slope * (float64(dx*w.ux) + float64(dy*w.uy)))
		slope = float64(w.slope*to.length) * (float64(w.ux*to.ux) + float64(w.uy*to.uy))
	}
	return [2]float64{cost - float64(place*slope), cost + float64((1-place)*slope)}, left
}

// over returns a line on the segment to that is nowhere above the cost of the cheapest way there. As the cost is
// convex along a segment, the tangent in the middle would do. But beside a kink it may fall below all that the ways
// have cost when they leave w, and then bounds would sink as they go around in circles; so the line is not lower
// than that anywhere. nearEnd says which end of w the way to the middle leaves nearer to.
func (w *wave) over(to *segment) (low [2]float64, nearEnd int) {
	low, left := w.tangent(to, 0.5)
	if left > 0.5*w.length {
		nearEnd = 1
	}
	e := 0
	if low[1] < low[0] {
		e = 1
	}
	if low[e] >= w.floor {
		return low, nearEnd
	}
	// A mean of lines below the cost is below it, too.
	other, _ := w.tangent(to, float64(e))
	if other[1-e] < other[e] {
		// The least is between the end and the middle, not lower than where the two tangents meet.
		a, b := other[e]-low[e], low[1-e]-other[1-e]
		level := low[e]
		if a+b > 0 {
			level += float64((low[1-e] - low[e]) * (a / (a + b)))
		}
		level = max(level, w.floor)
		other = [2]float64{level, level}
	}
	part := 0.0
	if other[e] > low[e] {
		part = max(other[e]-w.floor, 0) / (other[e] - low[e])
	}
	for k := range low {
		low[k] = max(other[k]+float64(part*(low[k]-other[k])), w.floor)
	}
	return low, nearEnd
}
