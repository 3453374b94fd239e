package navmesh

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// widestMargin is how far below the widest disc the search may stop, in lattice units.
const widestMargin = 1.0 / 16

// widestOn returns the radius of the widest disc that is centred on the segment from a to b and
// keeps clear of the given walls: not above the true value and less than two lattice units below.
// It is Unbounded where there are no walls.
//
// The distance to one wall, a segment, is convex along the way: between two places it is at most
// the larger of the distances there. So no place between the two is farther from all walls than
// the smallest, over the walls, of these larger distances. Stretches that could hold more than the
// best place so far are halved. Most portals end at walls on both sides and nothing else is near,
// where the middle is the answer at once, and a wall along the whole portal settles it as soon.
func widestOn(a, b lattice.Point, sides ...[]gap) int32 {
	var walls [][2]lattice.Point
	for _, gaps := range sides {
		for _, g := range gaps {
			for i := range g.sides() {
				walls = append(walls, [2]lattice.Point{g[i], g[min(i+1, len(g)-1)]})
			}
		}
	}
	if len(walls) == 0 {
		return Unbounded
	}
	dx, dy := b.Sub(a)
	at := func(s float64) (x, y float64) { // the place at s of the way, in [0, 1]
		return float64(a.X) + float64(s*float64(dx)), float64(a.Y) + float64(s*float64(dy))
	}
	distance := func(s float64) float64 {
		x, y := at(s)
		d := math.Inf(1)
		for _, w := range walls {
			d = min(d, distance2(x, y, w))
		}
		return math.Sqrt(d)
	}
	limit := func(s, e float64) float64 { // of all places from s to e
		sx, sy := at(s)
		ex, ey := at(e)
		d := math.Inf(1)
		for _, w := range walls {
			d = min(d, max(distance2(sx, sy, w), distance2(ex, ey, w)))
		}
		return math.Sqrt(d)
	}
	best := max(distance(0), distance(0.5), distance(1))
	open := [][2]float64{{0, 0.5}, {0.5, 1}}
	for len(open) > 0 {
		s, e := open[len(open)-1][0], open[len(open)-1][1]
		open = open[:len(open)-1]
		if limit(s, e) <= best+widestMargin {
			continue
		}
		middle := (s + e) / 2
		best = max(best, distance(middle))
		open = append(open, [2]float64{s, middle}, [2]float64{middle, e})
	}
	// The distances above are good to about 2⁻²⁰ units; adding more than that keeps a disc of just
	// an integer radius, the common case of a portal between two walls, from falling one short.
	return int32(min(math.Floor(best+0x1p-16), float64(Unbounded)))
}

// distance2 returns the squared distance of (x, y) to the segment w.
func distance2(x, y float64, w [2]lattice.Point) float64 {
	px, py := x-float64(w[0].X), y-float64(w[0].Y)
	dx, dy := w[1].Sub(w[0])
	sx, sy := float64(dx), float64(dy)
	along := float64(px*sx) + float64(py*sy)
	if along > 0 {
		l := float64(sx*sx) + float64(sy*sy)
		if along >= l {
			px, py = px-sx, py-sy
		} else {
			cross := float64(px*sy) - float64(py*sx)
			return float64(cross*cross) / l
		}
	}
	return float64(px*px) + float64(py*py)
}
