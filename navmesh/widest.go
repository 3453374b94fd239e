package navmesh

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// widestMargin is the maximum shortfall of the search below the widest disc, in lattice units.
const widestMargin = 1.0 / 16

// widest finds the widest discs on portals. Its memory serves one goroutine, portal after portal.
//
// The distance to a wall, a segment, is convex along the portal: between two places the distance is at most the larger
// of the distances at the two places. The smallest of these bounds over all walls limits the distance of every place in
// between. Stretches whose limit is above the best place so far are halved. Most portals end at walls on both sides
// without other walls nearby; the middle is then the answer at once. A wall along the whole portal ends the search as
// soon.
//
// Between two places the distance to a wall changes at most by the distance of the places. Hence, on a stretch, most
// walls are everywhere farther than the nearest wall, and the halves of the stretch can ignore them.
type widest struct {
	a            lattice.Point
	dx, dy       float64
	length, best float64
	walls        []sight
	open         []openStretch
	seen, parent []seenWall // of the open stretches, in order; of the stretch being halved
	middle       []float64  // squared distances of the walls in parent from the middle
}

// sight is a wall prepared for distances: start, direction, and squared length.
type sight struct{ x, y, dx, dy, length2 float64 }

// openStretch is the part of a portal between two shares of its length. Its walls are in widest.seen, from first up to
// the first of the next stretch. No place on the stretch is farther from all walls than limit.
type openStretch struct {
	from, to, limit float64
	first           int
}

// seenWall is a wall that may be the nearest somewhere on a stretch, with its squared distances from both ends.
type seenWall struct {
	wall     int32
	from, to float64
}

// on returns the radius of the widest disc that is centred on the segment from a to b and keeps clear of the given
// walls. The result is never above the true value and less than two lattice units below; without walls the result is
// Unbounded.
func (w *widest) on(a, b lattice.Point, sides ...[]gap) int32 {
	w.walls = w.walls[:0]
	for _, gaps := range sides {
		for _, g := range gaps {
			for i := range g.sides() {
				w.walls = append(w.walls, sightOf(g[i], g[min(i+1, len(g)-1)]))
			}
		}
	}
	if len(w.walls) == 0 {
		return Unbounded
	}
	dx, dy := b.Sub(a)
	w.a, w.dx, w.dy, w.length = a, float64(dx), float64(dy), a.Distance(b)
	w.open, w.seen = w.open[:0], w.seen[:0]
	atFrom, atTo := math.Inf(1), math.Inf(1)
	for i := range w.walls {
		s := seenWall{int32(i), w.distance2(i, 0), w.distance2(i, 1)}
		w.seen = append(w.seen, s)
		atFrom, atTo = min(atFrom, s.from), min(atTo, s.to)
	}
	w.best = math.Sqrt(max(atFrom, atTo))
	w.halve(0, 1, 0)
	for len(w.open) > 0 {
		s := w.open[len(w.open)-1]
		w.open = w.open[:len(w.open)-1]
		if s.limit <= w.best+widestMargin {
			w.seen = w.seen[:s.first]
			continue
		}
		w.halve(s.from, s.to, s.first)
	}
	// The distances above are good to about 2⁻²⁰ units. The larger term added here keeps discs of an integer radius,
	// the common case of a portal between two walls, from losing a unit.
	return int32(min(math.Floor(w.best+0x1p-16), float64(Unbounded)))
}

// halve tests the middle of the last stretch, which has the walls w.seen[first:], and opens its halves.
func (w *widest) halve(from, to float64, first int) {
	half := (from + to) / 2
	w.parent = append(w.parent[:0], w.seen[first:]...)
	w.seen, w.middle = w.seen[:first], w.middle[:0]
	nearest := math.Inf(1)
	limits := [2]float64{math.Inf(1), math.Inf(1)} // squared limits of both halves
	for i := range w.parent {
		s := &w.parent[i]
		d := w.distance2(int(s.wall), half)
		w.middle = append(w.middle, d)
		nearest, limits[0], limits[1] = min(nearest, d), min(limits[0], max(s.from, d)), min(limits[1], max(d, s.to))
	}
	w.best = max(w.best, math.Sqrt(nearest))
	if limit := math.Sqrt(limits[0]); limit > w.best+widestMargin {
		w.open = append(w.open, openStretch{from, half, limit, len(w.seen)})
		near := w.reach2(limit, half-from)
		for i, d := range w.middle {
			if s := &w.parent[i]; min(s.from, d) <= near {
				w.seen = append(w.seen, seenWall{s.wall, s.from, d})
			}
		}
	}
	if limit := math.Sqrt(limits[1]); limit > w.best+widestMargin {
		w.open = append(w.open, openStretch{half, to, limit, len(w.seen)})
		near := w.reach2(limit, to-half)
		for i, d := range w.middle {
			if s := &w.parent[i]; min(d, s.to) <= near {
				w.seen = append(w.seen, seenWall{s.wall, d, s.to})
			}
		}
	}
}

// reach2 returns the squared distance from both ends of a stretch beyond which a wall is nowhere the nearest: every
// place is at most half of the stretch from an end, and no farther than limit from some wall. The result includes a
// small allowance for rounding.
func (w *widest) reach2(limit, share float64) float64 {
	d := limit + float64(share*w.length)/2
	d += 1e-9*d + 1e-3
	return d * d
}

func sightOf(a, b lattice.Point) sight {
	dx, dy := b.Sub(a)
	x, y := float64(dx), float64(dy)
	return sight{float64(a.X), float64(a.Y), x, y, float64(x*x) + float64(y*y)}
}

// distance2 returns the squared distance of a wall from the place at a share of the portal.
func (w *widest) distance2(wall int, share float64) float64 {
	return w.walls[wall].distance2(float64(w.a.X)+float64(share*w.dx), float64(w.a.Y)+float64(share*w.dy))
}

// distance2 returns the squared distance of a place.
func (s *sight) distance2(x, y float64) float64 {
	px, py := x-s.x, y-s.y
	if along := float64(px*s.dx) + float64(py*s.dy); along > 0 {
		if along < s.length2 {
			cross := float64(px*s.dy) - float64(py*s.dx)
			return float64(cross*cross) / s.length2
		}
		px, py = px-s.dx, py-s.dy
	}
	return float64(px*px) + float64(py*py)
}
