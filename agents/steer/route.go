package steer

import (
	"errors"
	"fmt"
	"sort"

	"github.com/meadow-nav/meadow/geom"
)

// Route is a path to follow: points with their distances along the path. The zero Route has no points. It may be shared
// after Set.
type Route struct {
	points []geom.Vec
	along  []float64 // metres in space from the first point
}

var errNoPoints = errors.New("steer: a route without points")

// farthest is the bound of coordinates in metres: beyond it sums of squares lose too much precision.
const farthest = 1e12

// Set makes r the route along points, which are copied; memory is used again. The error reports an empty list, or a
// coordinate that is NaN or beyond a million kilometres; r is as before then. Time O(n).
func (r *Route) Set(points []geom.Vec) error {
	if len(points) == 0 {
		return errNoPoints
	}
	for i, p := range points {
		if !(p.Norm() <= farthest) {
			return fmt.Errorf("steer: point %d of %d is %v, must be within %g m", i, len(points), p, farthest)
		}
	}
	r.points = append(r.points[:0], points...)
	r.along = append(r.along[:0], 0)
	for i := 1; i < len(points); i++ {
		r.along = append(r.along, r.along[i-1]+points[i-1].Distance(points[i]))
	}
	return nil
}

// Length returns the length of the route in metres, in space.
func (r *Route) Length() float64 {
	if len(r.along) == 0 {
		return 0
	}
	return r.along[len(r.along)-1]
}

// Segment returns the piece of the route at a place along it, by its first point, and the passed part of the piece: callers
// can interpolate any other values of the points with it. Places before the start count as the start, places behind the goal
// and NaN as the goal. Time O(log n).
func (r *Route) Segment(along float64) (point int, part float64) {
	n := len(r.points)
	if n < 2 {
		return 0, 0
	}
	if !(along < r.Length()) {
		return n - 2, 1
	}
	// The last point at or before the place.
	i := max(sort.Search(n, func(k int) bool { return r.along[k] > along })-1, 0)
	return i, max(along-r.along[i], 0) / (r.along[i+1] - r.along[i])
}

// At returns the place along the route, as for Segment; the origin where the route has no points.
func (r *Route) At(along float64) geom.Vec {
	if len(r.points) == 0 {
		return geom.Vec{}
	}
	i, t := r.Segment(along)
	a := r.points[i]
	if t == 0 {
		return a
	}
	b := r.points[i+1]
	if t == 1 {
		return b
	}
	return a.Add(b.Sub(a).Scale(t))
}

// Direction returns the horizontal unit vector of the route's direction at a place along it; at the goal, the direction of
// arrival, and zero for a route without horizontal extent.
func (r *Route) Direction(along float64) geom.Vec {
	if len(r.points) < 2 {
		return geom.Vec{}
	}
	at, _ := r.Segment(along)
	for i := at; i+1 < len(r.points); i++ {
		if d := flat(r.points[i+1].Sub(r.points[i])); d != (geom.Vec{}) {
			return d
		}
	}
	for i := at; i > 0; i-- {
		if d := flat(r.points[i].Sub(r.points[i-1])); d != (geom.Vec{}) {
			return d
		}
	}
	return geom.Vec{}
}

// flat returns the horizontal unit vector along v, zero if there is none.
func flat(v geom.Vec) geom.Vec {
	v.Y = 0
	if l := v.Norm(); l > 0 {
		return v.Scale(1 / l)
	}
	return geom.Vec{}
}

// Nearest returns the place on the route, between two places along it, nearest to p seen from above, the first of equally near
// ones. Heights do not count, because a walker in the middle of a step is neither above it nor below it. Time O(log n + k) for k
// pieces between them.
func (r *Route) Nearest(p geom.Vec, from, to float64) float64 {
	from = min(max(from, 0), r.Length())
	to = min(max(to, from), r.Length())
	beside := func(along float64) float64 {
		at := r.At(along)
		return at.DistXZ(p)
	}
	best, least := from, beside(from)
	for i, _ := r.Segment(from); i+1 < len(r.points) && r.along[i] <= to; i++ {
		a, d := r.points[i], r.points[i+1].Sub(r.points[i])
		run2 := float64(d.X*d.X) + float64(d.Z*d.Z)
		if run2 == 0 {
			continue
		}
		t := (float64((p.X-a.X)*d.X) + float64((p.Z-a.Z)*d.Z)) / run2
		along := min(max(r.along[i]+float64(t*(r.along[i+1]-r.along[i])), r.along[i], from), r.along[i+1], to)
		if q := beside(along); q < least {
			best, least = along, q
		}
	}
	return best
}

// ahead returns the place along the route that is farther by a distance seen from above, beyond any vertical piece
// there, or the goal.
func (r *Route) ahead(along, d float64) float64 {
	if len(r.points) == 0 {
		return 0
	}
	i, _ := r.Segment(along)
	at := r.At(along)
	for ; i+1 < len(r.points); i++ {
		next := r.points[i+1]
		run := next.DistXZ(at)
		if run > d {
			from := max(along, r.along[i])
			return from + float64((r.along[i+1]-from)*(d/run))
		}
		d -= run
		at = next
	}
	return r.Length()
}

// sharpest returns the cosine of the sharpest turn, seen from above, between two places along the route; 1 where
// there is none.
func (r *Route) sharpest(from, to float64) float64 {
	least := 1.0
	i, _ := r.Segment(from)
	before := r.Direction(from)
	for i++; i+1 < len(r.points) && r.along[i] <= to; i++ {
		if next := flat(r.points[i+1].Sub(r.points[i])); next != (geom.Vec{}) {
			least = min(least, before.Dot(next))
			before = next
		}
	}
	return least
}
