package navmesh

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// widestOn returns the radius of the widest disc that is centred on the segment from a to b and
// keeps clear of the given walls: at most one lattice unit below the true value. It is Unbounded
// where there are no walls.
//
// The distance to the walls changes by at most one unit per unit along the segment, so a piece of
// length h around a place with distance d holds nothing above d + h/2. Pieces that could hold more
// than the best so far are halved. Most portals end at walls on both sides and nothing else is
// near, where the middle is the answer at once.
func widestOn(a, b lattice.Point, sides ...[]gap) int32 {
	var walls [][2]lattice.Point
	for _, gaps := range sides {
		for _, g := range gaps {
			for i := range max(len(g)-1, min(len(g), 1)) {
				walls = append(walls, [2]lattice.Point{g[i], g[min(i+1, len(g)-1)]})
			}
		}
	}
	if len(walls) == 0 {
		return Unbounded
	}
	dx, dy := b.Sub(a)
	length := math.Sqrt(float64(a.Distance2(b)))
	distance := func(s float64) float64 { // from the point at s of the way, in [0, 1]
		x := float64(a.X) + float64(s*float64(dx))
		y := float64(a.Y) + float64(s*float64(dy))
		best := math.Inf(1)
		for _, w := range walls {
			best = min(best, distance2(x, y, w))
		}
		return math.Sqrt(best)
	}
	type piece struct{ middle, half float64 } // as parts of the way
	best := max(distance(0), distance(1))
	open := []piece{{0.5, 0.5}}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		d := distance(p.middle)
		best = max(best, d)
		if reach := d + float64(p.half*length); reach > best+0.5 {
			open = append(open, piece{p.middle + p.half/2, p.half / 2}, piece{p.middle - p.half/2, p.half / 2})
		}
	}
	// The distances above are good to about 2⁻²⁰ units; the margin keeps a disc of just an integer
	// radius, the common case of a portal between two walls, from falling one short.
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
