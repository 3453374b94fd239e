package group

import (
	"context"
	"math"
	"sort"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// The corridor of a group.
//
// Source: S. Brand, thesis, 2009, section 2.4, after A. Kamphuis, M. Overmars, Finding Paths for Coherent Groups using
// Clearance, 2004.
//
// Idea: A group walks by one path, on the mesh of its largest member. Of the paths for several clearances the group takes the
// path of the least time: the length, and the area of the group over the width of the narrowest door, because the whole group
// flows through that door. Cross-sections at every quarter of a metre, from wall to wall, make the path a corridor.
//
// Input: a path, and the floor of the largest member.
//
// Guarantees:
//  1. No portal on the way is too narrow for the largest member (TestLargestFirst).
//  2. A wider way is taken where the way saves the group more time than it costs (TestWideWay).
//  3. Cross-sections lie on the floor, in sight of the path (TestSection).
//
// Degenerate cases: a bound on the width keeps a section on open ground from becoming a thin line. A link
// is as wide as a member. Before its start the corridor goes on straight back, to the first wall.
//
// Cost: a search for each clearance, and O(l) for l metres of the section: each cross-section is measured once, when the group
// comes near, and again after a change of the floor.
//
// Departures: the source asks for larger dimensions first and gives no rule for longer ways; ours is the time of the group.

const (
	// pitch in metres is the distance between cross-sections.
	pitch = 0.25
	// leastRadius in metres is the least radius of a member that counts.
	leastRadius = 0.05
	// slope is how much wider each side of a corridor becomes for each metre from a choke.
	slope = 1.0
	// bendReach in metres is how far before and behind a place its direction is measured.
	bendReach = 1.0
	// storey in metres is the difference of heights up to which a sight ends on its target's floor.
	storey = 0.5
)

// floor is the floor of a member, and a query for it.
type floor struct {
	ix     *query.Index
	q      *query.Query
	radius float64
}

// sees reports whether a straight way leads from a position to a place, on the floor.
func (f *floor) sees(from query.Position, to geom.Vec) bool {
	ray, err := f.q.Raycast(from, to)
	return err == nil && !ray.Hit && math.Abs(ray.End.Point.Y-to.Y) <= storey
}

// locate returns the position at a place, or near it.
func (f *floor) locate(at geom.Vec) (query.Position, bool) {
	if pos, ok := f.q.Locate(at); ok {
		return pos, true
	}
	return f.q.Nearest(at, 2*f.radius+1)
}

// cut is a cross-section of a corridor.
type cut struct {
	at    query.Position
	right geom.Vec // the horizontal unit vector to the right of the way
	// left and wide are the ends of the cross-section: metres to the right of the way, left at most 0, wide at least 0.
	left, wide float64
	// low and high are the ends after the corridor has closed in before chokes.
	low, high float64
	known, ok bool // ok: not on a link, and on the floor
	closedIn  bool
}

// corridor is a path with cross-sections.
type corridor struct {
	points []geom.Vec
	leaps  []bool // whether a link leads from a point to the next
	whole  bool   // whether the path leads to the goal
	bound  float64
	// along are the distances of the points from the start, seen from above. cuts are by number of pitches.
	along []float64
	cuts  []cut
}

// lay sets the path of a corridor.
func (c *corridor) lay(points []geom.Vec, leaps []bool, whole bool, bound float64) {
	c.points, c.leaps, c.whole, c.bound = points, leaps, whole, bound
	c.measure()
}

// measure derives all that follows from the path.
func (c *corridor) measure() {
	c.along = make([]float64, len(c.points))
	for i := 1; i < len(c.points); i++ {
		c.along[i] = c.along[i-1] + c.points[i-1].DistXZ(c.points[i])
	}
	c.cuts = nil
	if len(c.points) > 0 {
		c.cuts = make([]cut, int(c.length()/pitch)+2)
	}
}

// forget makes all cross-sections be measured again.
func (c *corridor) forget() { clear(c.cuts) }

func (c *corridor) length() float64 {
	if len(c.along) == 0 {
		return 0
	}
	return c.along[len(c.along)-1]
}

// leg returns the number of the piece of the path at a distance along it.
func (c *corridor) leg(s float64) int {
	i := sort.SearchFloat64s(c.along, s)
	return min(max(i-1, 0), max(len(c.points)-2, 0))
}

// point returns the place of the path at a distance along it.
func (c *corridor) point(s float64) geom.Vec {
	if len(c.points) == 1 {
		return c.points[0]
	}
	i := c.leg(s)
	length := c.along[i+1] - c.along[i]
	if length == 0 {
		return c.points[i+1]
	}
	return c.points[i].Lerp(c.points[i+1], min(max((s-c.along[i])/length, 0), 1))
}

// direction returns the horizontal unit vector of the way around a place.
func (c *corridor) direction(s float64) geom.Vec {
	d := c.point(min(s+bendReach, c.length())).Sub(c.point(max(s-bendReach, 0)))
	d.Y = 0
	if d = d.Unit(); d == (geom.Vec{}) {
		return geom.Vec{X: 1}
	}
	return d
}

// cut returns a cross-section by its number.
func (c *corridor) cut(f *floor, k int) *cut {
	x := &c.cuts[k]
	if x.known {
		return x
	}
	s := min(float64(k)*pitch, c.length())
	dir := c.direction(s)
	*x = cut{known: true, right: geom.Vec{X: -dir.Z, Z: dir.X}}
	x.at.Point = c.point(s)
	i := c.leg(s)
	if len(c.points) > 1 && c.leaps[i] {
		return x
	}
	pos, ok := f.locate(c.points[i])
	if !ok {
		return x
	}
	ray, err := f.q.Raycast(pos, x.at.Point)
	if err != nil {
		return x
	}
	x.at, x.ok = ray.End, true
	if ray.Hit {
		// Something stands on the way behind, or on the way ahead.
		if x.at, x.ok = f.q.Locate(c.point(s)); !x.ok {
			x.at.Point = c.point(s)
			return x
		}
	}
	left, right := c.free(f, x.at, x.right.Scale(-1)), c.free(f, x.at, x.right)
	if left+right > c.bound {
		left = min(left, max(c.bound/2, c.bound-right))
		right = min(right, c.bound-left)
	}
	x.left, x.wide = -left, right
	return x
}

// closeIn returns a cross-section after the corridor has closed in: from both sides of a choke it opens by slope.
func (c *corridor) closeIn(f *floor, k int) *cut {
	x := c.cut(f, k)
	if x.closedIn {
		return x
	}
	x.low, x.high, x.closedIn = x.left, x.wide, true
	for n := 1; ; n++ {
		d := float64(slope * pitch * float64(n))
		if d >= -x.low && d >= x.high {
			return x
		}
		for _, i := range [...]int{k - n, k + n} {
			if i >= 0 && i < len(c.cuts) {
				o := c.cut(f, i)
				x.low, x.high = max(x.low, o.left-d), min(x.high, o.wide+d)
			}
		}
	}
}

// free returns how far the floor reaches from a place in a direction, up to the bound.
func (c *corridor) free(f *floor, at query.Position, dir geom.Vec) float64 {
	ray, err := f.q.Raycast(at, at.Point.Add(dir.Scale(c.bound)))
	if err != nil {
		return 0
	}
	return c.bound * ray.Fraction
}

// place is a cross-section between two measured ones.
type place struct {
	from       query.Position // a position at or just before the place
	at, right  geom.Vec
	left, wide float64
	ok         bool
}

// between returns the number of the cross-section before a place, and the part of the way to the next one.
func (c *corridor) between(s float64) (k int, t float64) {
	s = min(max(s, 0), c.length())
	k = min(int(s/pitch), len(c.cuts)-2)
	return k, min(max((s-float64(float64(k)*pitch))/pitch, 0), 1)
}

func (c *corridor) place(f *floor, s float64) place {
	k, t := c.between(s)
	a, b := c.closeIn(f, k), c.closeIn(f, k+1)
	dir := a.right.Lerp(b.right, t).Unit()
	if dir == (geom.Vec{}) {
		dir = a.right
	}
	p := place{
		from: a.at, at: c.point(min(max(s, 0), c.length())), right: dir,
		left: a.low + float64((b.low-a.low)*t), wide: a.high + float64((b.high-a.high)*t), ok: a.ok || b.ok,
	}
	if !a.ok {
		p.from = b.at
	}
	return p
}

// width returns the width of the floor for bodies at a place along the corridor. It is linear from cross-section to
// cross-section.
func (c *corridor) width(f *floor, s float64) float64 {
	k, t := c.between(s)
	a, b := c.closeIn(f, k), c.closeIn(f, k+1)
	here, next := a.high-a.low, b.high-b.low
	return here + float64((next-here)*t) + f.body()
}

// body returns the width of a body on the floor.
func (f *floor) body() float64 { return 2 * max(f.radius, leastRadius) }

// back returns the place from which on the corridor has an area up to a place, and the area that the corridor lacks.
func (c *corridor) back(f *floor, s, area float64) (from, missing float64) {
	for area > 0 && s > 0 {
		low := math.Floor(s/pitch) * pitch
		if low >= s {
			low = s - pitch
		}
		low = max(low, 0)
		near, far := c.width(f, s), c.width(f, low)
		strip := (near + far) / 2 * (s - low)
		if strip >= area {
			// The width is linear within the strip: t metres back from s the area is near·t + grow·t²/2.
			grow := (far - near) / (s - low)
			t := 2 * area / (near + math.Sqrt(max(float64(near*near)+float64(2*area*grow), 0)))
			return max(s-t, low), 0
		}
		area -= strip
		s = low
	}
	return max(s, 0), max(area, 0)
}

// narrowest returns the least width between two places.
func (c *corridor) narrowest(f *floor, from, to float64) float64 {
	from, to = max(from, 0), min(to, c.length())
	least := min(c.width(f, from), c.width(f, to))
	for k := int(from/pitch) + 1; float64(k)*pitch < to; k++ {
		x := c.closeIn(f, k)
		least = min(least, x.high-x.low+f.body())
	}
	return least
}

// nearest returns the place along the corridor, between two places, that is nearest to a point.
func (c *corridor) nearest(at geom.Vec, from, to float64) float64 {
	best, least := min(max(from, 0), c.length()), math.Inf(1)
	for i := 0; i+1 < len(c.points); i++ {
		if c.along[i+1] < from || c.along[i] > to {
			continue
		}
		a, b := c.points[i], c.points[i+1]
		length := c.along[i+1] - c.along[i]
		d := b.Sub(a)
		t := 0.0
		if n2 := float64(d.X*d.X) + float64(d.Z*d.Z); n2 > 0 {
			t = (float64((at.X-a.X)*d.X) + float64((at.Z-a.Z)*d.Z)) / n2
		}
		if length > 0 {
			t = min(max(t, (from-c.along[i])/length), (to-c.along[i])/length)
		}
		t = min(max(t, 0), 1)
		p := a.Lerp(b, t)
		if far := p.Distance(at); far < least {
			best, least = c.along[i]+float64(length*t), far
		}
	}
	return best
}

// cutOff reports whether the floor between two places of the corridor is gone.
func (c *corridor) cutOff(f *floor, from, to float64) bool {
	at, ok := f.locate(c.point(from))
	for i := c.leg(from); i+1 < len(c.points) && c.along[i] <= to; i++ {
		if c.leaps[i] {
			at, ok = f.locate(c.points[i+1])
			continue
		}
		if !ok {
			return true
		}
		ray, err := f.q.Raycast(at, c.points[i+1])
		if err != nil || ray.Hit || math.Abs(ray.End.Point.Y-c.points[i+1].Y) > storey {
			return true
		}
		at = ray.End
	}
	return !ok
}

// wider is the factor between two clearances that a plan tries.
const wider = 2.0

// widths returns the indexes of a floor for wider and wider agents, with their radii, up to a radius.
func (s *Groups) widths(f *floor, upTo float64) []clearance {
	if s.wideOf != f.ix {
		s.wideOf, s.wide = f.ix, nil
	}
	least := max(f.radius, leastRadius) * wider
	for k := 0; least <= upTo && k < 12; k++ {
		if k == len(s.wide) {
			x := clearance{radius: least}
			if ix, err := f.ix.With(query.Filter{Radius: least}); err == nil {
				x.q = ix.NewQuery()
			}
			s.wide = append(s.wide, x)
		}
		least *= wider
	}
	n := 0
	for n < len(s.wide) && s.wide[n].radius <= upTo {
		n++
	}
	return s.wide[:n]
}

// clearance is a floor without the doors that are too narrow for a radius.
type clearance struct {
	radius float64
	q      *query.Query
}

// search returns the path of a group of an area from a place, of the least time, and the clearance of the path.
func (s *Groups) search(f *floor, from, to geom.Vec, area float64) (query.Path, float64, error) {
	path, err := f.q.Path(context.Background(), from, to)
	if err == nil && !path.Complete || err != nil {
		path, err = f.q.PartialPath(context.Background(), from, to)
		return path, f.radius, err
	}
	best, clear := path, f.radius
	least := path.Cost + area/f.body()
	for _, x := range s.widths(f, math.Sqrt(area)/2) {
		if x.q == nil {
			continue
		}
		p, err := x.q.Path(context.Background(), from, to)
		if err != nil || !p.Complete {
			break // a wider way neither
		}
		if time := p.Cost + area/(2*x.radius); time < least {
			best, clear, least = p, x.radius, time
		}
	}
	return best, clear, nil
}

// follow makes a path the way of a corridor. The corridor begins up to some metres before the path.
func (c *corridor) follow(f *floor, path query.Path, before, bound float64) {
	points := append([]geom.Vec(nil), path.Points...)
	leaps := make([]bool, len(points))
	bend := 0
	for _, x := range path.Crossings {
		if x.Link < 0 {
			continue
		}
		for bend+1 < len(points) && (points[bend] != x.From || points[bend+1] != x.To) {
			bend++
		}
		if bend+1 < len(points) {
			leaps[bend] = true
			bend++
		}
	}
	if pos, ok := f.locate(points[0]); ok && len(points) > 1 && !leaps[0] {
		back := points[0].Sub(points[1])
		back.Y = 0
		if back = back.Unit(); back != (geom.Vec{}) {
			if ray, err := f.q.Raycast(pos, points[0].Add(back.Scale(before))); err == nil && ray.End.Point.DistXZ(points[0]) > pitch {
				points = append([]geom.Vec{ray.End.Point}, points...)
				leaps = append([]bool{false}, leaps...)
			}
		}
	}
	c.lay(points, leaps, path.Complete, bound)
}

// area returns the area of the corridor between two places.
func (c *corridor) area(f *floor, from, to float64) float64 {
	sum := 0.0
	for s := to; s > from; {
		low := math.Floor(s/pitch) * pitch
		if low >= s {
			low = s - pitch
		}
		low = max(low, from)
		sum += float64((c.width(f, s) + c.width(f, low)) / 2 * (s - low))
		s = low
	}
	return sum
}
