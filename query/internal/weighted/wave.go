package weighted

import (
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// Segments, and costs of ways that start on segments, for searches over uneven ground. See cheapest.go.

// Segment runs from a point in a direction, in lattice units.
type Segment struct {
	x, y, ux, uy, length float64
}

// SegmentBetween returns the segment from a to b. A segment of zero length has no direction.
func SegmentBetween(a, b [2]float64) Segment {
	dx, dy := b[0]-a[0], b[1]-a[1]
	s := Segment{x: a[0], y: a[1], length: index.Length(dx, dy)}
	if s.length > 0 {
		s.ux, s.uy = dx/s.length, dy/s.length
	}
	return s
}

// part returns the part of s between two places, 0 for its start and 1 for its end.
func (s *Segment) part(lo, hi float64) Segment {
	at := lo * s.length
	return Segment{s.x + float64(at*s.ux), s.y + float64(at*s.uy), s.ux, s.uy, (hi - lo) * s.length}
}

// At returns the point of a segment at a place.
func (s *Segment) At(t float64) (x, y float64) {
	along := t * s.length
	return s.x + float64(along*s.ux), s.y + float64(along*s.uy)
}

// Place returns the place of the point of s nearest to (x, y).
func (s *Segment) Place(x, y float64) float64 {
	if s.length == 0 {
		return 0
	}
	along := float64((x-s.x)*s.ux) + float64((y-s.y)*s.uy)
	return min(max(along/s.length, 0), 1)
}

// end returns the end of s.
func (s *Segment) end() (x, y float64) {
	return s.x + float64(s.length*s.ux), s.y + float64(s.length*s.uy)
}

// wave is the cost of ways that start on a segment with an initial cost: linear from first at the start of the segment
// to last at its end, plus weight for each unit of the way.
type wave struct {
	Segment
	first, slope, weight float64
	floor                float64 // the lower of first and last
	// Ways leave the segment, where possible, at an angle whose cosine is slope/weight; cotangent is the cotangent of
	// the angle. beyond is -1 or 1 where the slope is as steep as the weight and all ways leave from the end or the
	// start of the segment.
	cotangent float64
	beyond    int
}

func newWave(s *Segment, first, last, weight float64) wave {
	w := wave{Segment: *s, first: first, weight: weight, floor: min(first, last)}
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

// leave returns the distance along the segment where the cheapest way to (x, y) leaves the segment.
func (w *wave) leave(x, y float64) float64 {
	switch w.beyond {
	case 1:
		return 0
	case -1:
		return w.length
	}
	return min(max(w.leaveLine(x, y), 0), w.length)
}

// leaveLine returns the distance along the segment's line where the way to (x, y) in the wave's direction leaves the
// line.
func (w *wave) leaveLine(x, y float64) float64 {
	dx, dy := x-w.x, y-w.y
	along := float64(dx*w.ux) + float64(dy*w.uy)
	away := math.Abs(float64(dx*w.uy) - float64(dy*w.ux))
	return along - float64(away*w.cotangent)
}

// reach returns the cost of the cheapest way to (x, y).
func (w *wave) reach(x, y float64) float64 {
	at := w.leave(x, y)
	d := index.Length(x-w.x-float64(at*w.ux), y-w.y-float64(at*w.uy))
	return w.first + float64(at*w.slope) + float64(w.weight*d)
}

// touching is the distance in lattice units below which a direction is meaningless.
const touching = 1.0 / 1024

// tangent returns the tangent of the cost at a place of the segment to, by its values at the two ends. left is the
// distance along w where the way to the place leaves w. If to meets w at the place, the line is a lower bound of the
// cost, nowhere steeper than along w.
func (w *wave) tangent(to *Segment, place float64) (line [2]float64, left float64) {
	x, y := to.At(place)
	left = w.leave(x, y)
	dx, dy := x-w.x-float64(left*w.ux), y-w.y-float64(left*w.uy)
	d := index.Length(dx, dy)
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

// over returns a line on the segment to that is nowhere above the cost of the cheapest way there. As the cost is convex
// along a segment, the tangent in the middle would do. But beside a kink the tangent may fall below the cost of ways as
// they leave w. Bounds would then sink around a circle of gates; hence the line is nowhere lower than the floor of w.
// nearEnd is the end of w nearer to the departure of the way to the middle.
func (w *wave) over(to *Segment) (low [2]float64, nearEnd int) {
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
	// A weighted mean of two lines below the cost is also below the cost.
	other, _ := w.tangent(to, float64(e))
	if other[1-e] < other[e] {
		// The minimum is between the end and the middle, not lower than the intersection of the two tangents.
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

// above reports whether the cost of ways along the segment to, plus a toll, is nowhere below a line. The answer may be false for
// costs that touch the line nearly.
func (w *wave) above(to *Segment, line [2]float64, toll float64) bool {
	if to.length == 0 {
		return true
	}
	// The cost from a point grows like the line where the way meets the segment at the cosine slope/weight.
	cos := (line[1] - line[0]) / (to.length * w.weight)
	if cos >= 1 || cos <= -1 {
		return false
	}
	cot := cos / math.Sqrt(1-float64(cos*cos))
	for e := range 2 {
		dx, dy := w.x-to.x, w.y-to.y
		if e > 0 {
			dx, dy = dx+float64(w.length*w.ux), dy+float64(w.length*w.uy)
		}
		along := float64(dx*to.ux) + float64(dy*to.uy)
		away := math.Abs(float64(dx*to.uy) - float64(dy*to.ux))
		place := min(max((along+float64(away*cot))/to.length, 0), 1)
		low, _ := w.tangent(to, place)
		if low[0]+toll >= line[0] && low[1]+toll >= line[1] {
			return true
		}
	}
	return false
}
