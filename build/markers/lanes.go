package markers

import (
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Jumps and drops are as wide as their volumes: from the edge of one floor, along its whole length, to the
// next. They are looked at in lanes, parallel lines in the direction of the jump; adjacent lanes with starts
// on one line and ends on one line form a single link from segment to segment.

const (
	// laneSpacing is the distance of lanes, in lattice units, and maxLanes bounds how many there are.
	laneSpacing = lattice.UnitsPerMetre / 4
	maxLanes    = 256
	// inset keeps the ends of a lane off the edges, so that rounding cannot put them outside.
	inset = 4
	// bent is the largest distance of lanes in one link from a straight line.
	bent = 3
)

// across returns the links of a jump: between the two parts of the floor that are the farthest from each
// other.
func (w *work) across(v *volume, places []place) []plan.Link {
	var a, b *place
	most := 0.0
	for i := range places {
		for k := range i {
			if d := middle(places[i].part).Distance(middle(places[k].part)); d > most {
				most, a, b = d, &places[k], &places[i]
			}
		}
	}
	if a == nil {
		return nil
	}
	return w.lanes(v, a, b)
}

// middle returns the mean of the corners of a polygon's outer ring.
func middle(p lattice.Polygon) lattice.Point {
	var x, y int64
	for _, q := range p.Rings[0] {
		x, y = x+int64(q.X), y+int64(q.Y)
	}
	n := int64(len(p.Rings[0]))
	return lattice.Point{X: int32(x / n), Y: int32(y / n)}
}

// vector is a direction of length 1, or a place in lattice units.
type vector struct{ x, y float64 }

func (u vector) dot(v vector) float64 { return float64(u.x*v.x) + float64(u.y*v.y) }

// lane is a line from one floor to another.
type lane struct {
	ok         bool
	start, end lattice.Vertex
}

// lanes returns the links from a to b, and back where allowed, in the direction from the middle of a to the
// middle of b. Where a lies above b there is a single place to fall.
func (w *work) lanes(v *volume, a, b *place) []plan.Link {
	from, to := middle(a.part), middle(b.part)
	away := from.Distance(to)
	if away < laneSpacing {
		return w.between(v, a, b)
	}
	dx, dy := to.Sub(from)
	u := vector{float64(dx) / away, float64(dy) / away}
	side := vector{-u.y, u.x}
	centre := vector{float64(v.middle.X), float64(v.middle.Y)}
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range v.points {
		s := side.dot(vector{float64(p.X) - centre.x, float64(p.Y) - centre.y})
		low, high = min(low, s), max(high, s)
	}
	// The agent's centre keeps its radius from the ends of the volume.
	if low, high = low+w.agent.radius, high-w.agent.radius; low > high {
		low = (low + high) / 2
		high = low
	}
	n := min(int(math.Ceil((high-low)/laneSpacing)), maxLanes-1)
	list := make([]lane, n+1)
	for i := range list {
		s := low
		if n > 0 {
			s += float64((high - low) * (float64(i) / float64(n)))
		}
		origin := vector{centre.x + float64(s*side.x), centre.y + float64(s*side.y)}
		list[i] = w.lane(origin, u, a, b)
	}
	var links []plan.Link
	for i := 0; i < len(list); i++ {
		if !list[i].ok {
			continue
		}
		k := i
		for k+1 < len(list) && list[k+1].ok && straight(list[i:k+2]) {
			k++
		}
		start := [2]lattice.Vertex{list[i].start, list[k].start}
		end := [2]lattice.Vertex{list[i].end, list[k].end}
		wide := min(start[0].Distance(start[1].Point), end[0].Distance(end[1].Point))
		links = append(links, w.allowed(v, a, b, start, end, int32(wide/2))...)
		if k > i && k+1 < len(list) && list[k+1].ok {
			k-- // the next lane crosses only one of the two
		}
		i = k
	}
	return links
}

// straight reports whether lanes side by side start and end along lines, evenly.
func straight(list []lane) bool {
	n := len(list) - 1
	near := func(a, b, c lattice.Vertex, t float64) bool {
		off := func(a, b, c int32) bool {
			return math.Abs(float64(a)+float64(t*float64(int64(c)-int64(a)))-float64(b)) <= bent
		}
		return off(a.X, b.X, c.X) && off(a.Y, b.Y, c.Y)
	}
	for i := 1; i < n; i++ {
		t := float64(i) / float64(n)
		if !near(list[0].start, list[i].start, list[n].start, t) || !near(list[0].end, list[i].end, list[n].end, t) {
			return false
		}
	}
	return true
}

// lane follows a line: it starts where the line last leaves the part of a, and ends where it next enters the
// part of b. Between floors of different height the agent has to get past the edge: its centre keeps the
// radius on one side, and its whole body on the other.
func (w *work) lane(origin, u vector, a, b *place) lane {
	_, last, ok := span(a.part, origin, u, math.Inf(-1))
	if !ok {
		return lane{}
	}
	past := last
	if math.Abs(float64(int64(a.at.Z)-int64(b.at.Z))) > w.agent.climb {
		past += 2 * w.agent.radius
	}
	first, _, ok := span(b.part, origin, u, past)
	if !ok {
		return lane{}
	}
	at := func(t float64) lattice.Point {
		return lattice.Point{
			X: int32(math.Floor(origin.x + float64(t*u.x) + 0.5)), Y: int32(math.Floor(origin.y + float64(t*u.y) + 0.5)),
		}
	}
	height := func(p *place, q lattice.Point) lattice.Vertex {
		return lattice.Vertex{Point: q, Z: w.heightAt(p.id.Layer, w.domain(w.owner(p, q)), q)}
	}
	return lane{true, height(a, at(last-inset)), height(b, at(max(first, past)+inset))}
}

// span returns where a line meets the border of a polygon for the first time from a place on, after which it
// is inside, and for the last time.
func span(p lattice.Polygon, origin, u vector, from float64) (first, last float64, ok bool) {
	first, last = math.Inf(1), math.Inf(-1)
	side := vector{-u.y, u.x}
	for _, ring := range p.Rings {
		for i, c := range ring {
			d := ring[(i+1)%len(ring)]
			pc := vector{float64(c.X) - origin.x, float64(c.Y) - origin.y}
			pd := vector{float64(d.X) - origin.x, float64(d.Y) - origin.y}
			sc, sd := side.dot(pc), side.dot(pd)
			if sc < 0 == (sd < 0) {
				continue
			}
			t := u.dot(pc) + float64((u.dot(pd)-u.dot(pc))*(sc/(sc-sd)))
			last = max(last, t)
			if t >= from && sc >= 0 { // the inside is on the left of c to d, where the line comes in
				first = min(first, t)
			}
		}
	}
	// From inside on, the line need not come in again before it leaves.
	if in := inside(p, origin, u, from); in {
		first = from
	}
	return first, last, first <= last || math.IsInf(from, -1) && !math.IsInf(last, -1)
}

// inside reports whether the place at t of a line is in a polygon, up to rounding.
func inside(p lattice.Polygon, origin, u vector, t float64) bool {
	if math.IsInf(t, 0) {
		return false
	}
	return p.Contains(lattice.Point{X: int32(math.Floor(origin.x + float64(t*u.x) + 0.5)), Y: int32(math.Floor(origin.y + float64(t*u.y) + 0.5))})
}
