package overlay

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Triangulate cuts disjoint polygons, such as one result, into counter-clockwise triangles of positive area.
// Rings may be given in any order; corners are numbered through all rings. Of corners at the same place any
// may be a triangle's. A corner on the straight side of a triangle does not divide it. Rings that cross give
// meaningless triangles.
//
// A line sweeps over the corners. Between two adjacent sides across the line, inside a polygon, the area
// behind the line is cut up as far as possible: the rest is bordered by a chain of corners that turns away
// from the line at each. The next corner cuts off the part of the chain in its view (after S. Hertel, K.
// Mehlhorn, Fast triangulation of simple polygons, Foundations of Computation Theory 1983). Time O(n log n)
// for n corners, plus n for every side that the line crosses.
func Triangulate(rings []lattice.Ring) [][3]int32 { return new(Triangulator).Triangulate(rings) }

// Triangulator is the memory of triangulations, for one goroutine at a time.
type Triangulator struct{ sweeper }

// Triangulate is the function [Triangulate]. The triangles are valid until the next call.
func (t *Triangulator) Triangulate(rings []lattice.Ring) [][3]int32 {
	s := &t.sweeper
	s.points, s.sides, s.crossed, s.triangles = s.points[:0], s.sides[:0], s.crossed[:0], s.triangles[:0]
	s.links = append(s.links[:0], link{})
	events := s.events[:0]
	for _, r := range rings {
		first := int32(len(s.points))
		s.points = append(s.points, r...)
		for k := range r {
			a, b := first+int32(k), first+int32((k+1)%len(r))
			x := side{a, b, true}
			switch c := r[k].Compare(s.points[b]); {
			case c == 0:
				continue
			case c > 0:
				x = side{b, a, false}
			}
			events = append(events, x.from, x.to)
			s.sides = append(s.sides, x)
		}
	}
	slices.SortFunc(s.sides, func(x, y side) int {
		p, q := s.points[x.from], s.points[y.from]
		if c := p.Compare(q); c != 0 {
			return c
		}
		// From straight down counter-clockwise: all lead to greater points.
		switch o := lattice.Orient(p, s.points[x.to], s.points[y.to]); {
		case o > 0:
			return -1
		case o < 0:
			return 1
		}
		return 0
	})
	slices.SortFunc(events, func(a, b int32) int { return s.points[a].Compare(s.points[b]) })
	events = slices.CompactFunc(events, func(a, b int32) bool { return s.points[a] == s.points[b] })
	s.events = events
	s.triangles = slices.Grow(s.triangles, len(s.points))
	started := 0
	for _, v := range events {
		first := started
		for started < len(s.sides) && s.points[s.sides[started].from] == s.points[v] {
			started++
		}
		s.pass(v, s.sides[first:started])
	}
	return s.triangles
}

// Side is a directed side of a polygon on its left, between two points by their numbers.
type Side struct{ From, To int32 }

// Sides is [Triangulator.Triangulate] for polygons between points that are different and in ascending order. The triangles
// have the numbers of the points. Time O(n) for n sides and points, plus n for every side that the line crosses, where few
// sides start at each point.
func (t *Triangulator) Sides(points []lattice.Point, sides []Side) [][3]int32 {
	s := &t.sweeper
	s.crossed, s.triangles, s.links = s.crossed[:0], s.triangles[:0], append(s.links[:0], link{})
	own := s.points
	s.points = points
	defer func() { s.points = own }()
	// The sides in the order of their lesser ends: those of point v are s.sides[s.begin[v]:s.begin[v+1]].
	s.begin, s.ends = zeros(s.begin, len(points)+2), zeros(s.ends, len(points))
	for _, x := range sides {
		s.begin[min(x.From, x.To)+2]++
		s.ends[max(x.From, x.To)] = true
	}
	for v := range points {
		s.begin[v+2] += s.begin[v+1]
	}
	s.sides = sized(s.sides, len(sides))
	for _, x := range sides {
		y := side{min(x.From, x.To), max(x.From, x.To), x.From < x.To}
		s.sides[s.begin[y.from+1]] = y
		s.begin[y.from+1]++
	}
	for v := range points {
		starts := s.sides[s.begin[v]:s.begin[v+1]]
		if len(starts) == 0 && !s.ends[v] {
			continue
		}
		for i := 1; i < len(starts); i++ {
			// From straight down counter-clockwise: all lead to greater points.
			for k := i; k > 0 && lattice.Orient(points[v], points[starts[k-1].to], points[starts[k].to]) < 0; k-- {
				starts[k-1], starts[k] = starts[k], starts[k-1]
			}
		}
		s.pass(int32(v), starts)
	}
	return s.triangles
}

// side is an edge of a ring, from its smaller end to its greater; above tells whether the inside is above it.
type side struct {
	from, to int32 // corners
	above    bool
}

// crossed is a side under the line, and the chain between it and the next side above if the area between is inside.
type crossed struct {
	side
	chain
}

// chain lists corners from a side up to the next: its ends, and its latest corner, are links. The zero chain
// has none; only crossing rings have it.
type chain struct{ low, high, last int32 }

// link is a corner in a chain; down and up are the links next to it, 0 at the ends.
type link struct{ corner, down, up int32 }

type sweeper struct {
	points    []lattice.Point
	sides     []side
	crossed   []crossed // from the lowest up
	links     []link
	triangles [][3]int32
	events    []int32
	begin     []int32
	ends      []bool
}

// pass moves the line over the corner v, at which some sides start.
func (s *sweeper) pass(v int32, starts []side) {
	p := s.points[v]
	i, j := 0, len(s.crossed)
	for i < j {
		mid := int(uint(i+j) >> 1)
		if c := &s.crossed[mid]; lattice.Orient(s.points[c.from], s.points[c.to], p) > 0 {
			i = mid + 1
		} else {
			j = mid
		}
	}
	j = i
	for j < len(s.crossed) && s.points[s.crossed[j].to] == p {
		j++
	}
	inside := i > 0 && s.crossed[i-1].above
	var upper chain // the chain over the edges that start here
	switch {
	case j > i:
		if inside {
			s.pushHigh(&s.crossed[i-1].chain, v)
		}
		for k := i; k+1 < j; k++ {
			if s.crossed[k].above {
				s.close(s.crossed[k].chain, v)
			}
		}
		if s.crossed[j-1].above {
			upper = s.crossed[j-1].chain
			s.pushLow(&upper, v)
		}
	case inside:
		s.crossed[i-1].chain, upper = s.split(s.crossed[i-1].chain, v)
	}
	if inside && len(starts) == 0 {
		s.crossed[i-1].chain = s.join(s.crossed[i-1].chain, upper)
	}
	// Sides that start take the room of the sides that end.
	switch n := len(s.crossed); {
	case len(starts) > j-i:
		for range len(starts) - (j - i) {
			s.crossed = append(s.crossed, crossed{})
		}
		copy(s.crossed[i+len(starts):], s.crossed[j:n])
	case len(starts) < j-i:
		s.crossed = s.crossed[:i+len(starts)+copy(s.crossed[i+len(starts):], s.crossed[j:])]
	}
	for k, x := range starts {
		c := crossed{side: x}
		switch {
		case x.above && k+1 < len(starts):
			c.chain = s.start(v)
		case x.above:
			c.chain = upper
		}
		s.crossed[i+k] = c
	}
}

func (s *sweeper) link(v, down, up int32) int32 {
	n := int32(len(s.links))
	s.links = append(s.links, link{v, down, up})
	if down > 0 {
		s.links[down].up = n
	}
	if up > 0 {
		s.links[up].down = n
	}
	return n
}

func (s *sweeper) start(v int32) chain {
	n := s.link(v, 0, 0)
	return chain{n, n, n}
}

// cut makes a triangle of two links, the lower first, and a corner on their right, if it has an area.
func (s *sweeper) cut(down, up, v int32) bool {
	a, b := s.links[down].corner, s.links[up].corner
	if lattice.Orient(s.points[a], s.points[v], s.points[b]) <= 0 {
		return false
	}
	s.triangles = append(s.triangles, [3]int32{a, v, b})
	return true
}

// seenUp cuts off the part of a chain in v's view from a link up, and returns the last visible link; seenDown, down.
func (s *sweeper) seenUp(at, v int32) int32 {
	for up := s.links[at].up; up > 0 && s.cut(at, up, v); up = s.links[at].up {
		at = up
	}
	return at
}

func (s *sweeper) seenDown(at, v int32) int32 {
	for down := s.links[at].down; down > 0 && s.cut(down, at, v); down = s.links[at].down {
		at = down
	}
	return at
}

// pushLow and pushHigh add a corner at the end of a chain.
func (s *sweeper) pushLow(c *chain, v int32) {
	if c.low == 0 {
		*c = s.start(v)
		return
	}
	c.low = s.link(v, 0, s.seenUp(c.low, v))
	c.last = c.low
}

func (s *sweeper) pushHigh(c *chain, v int32) {
	if c.low == 0 {
		*c = s.start(v)
		return
	}
	c.high = s.link(v, s.seenDown(c.high, v), 0)
	c.last = c.high
}

// close cuts up all that is left behind where a corner ends both sides.
func (s *sweeper) close(c chain, v int32) {
	for at := c.low; s.links[at].up > 0; at = s.links[at].up {
		s.cut(at, s.links[at].up, v)
	}
}

// split divides a chain at a corner between its sides. The latest corner is visible from the new corner.
func (s *sweeper) split(c chain, v int32) (lower, upper chain) {
	if c.low == 0 {
		return s.start(v), s.start(v)
	}
	down, up := s.seenDown(c.last, v), s.seenUp(c.last, v)
	if down == up {
		// Both go on from the new corner.
		up = s.link(s.links[down].corner, 0, s.links[down].up)
		if c.high == down {
			c.high = up
		}
	}
	lower = chain{low: c.low, high: s.link(v, down, 0)}
	upper = chain{low: s.link(v, 0, up), high: c.high}
	lower.last, upper.last = lower.high, upper.low
	return lower, upper
}

// join joins two chains where one ends and the other starts.
func (s *sweeper) join(lower, upper chain) chain {
	up := s.links[upper.low].up
	s.links[lower.high].up = up
	if up == 0 {
		return chain{lower.low, lower.high, lower.high}
	}
	s.links[up].down = lower.high
	return chain{lower.low, upper.high, lower.high}
}
