package footprint

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Uneven returns the places that the footprint takes from a floor of triangles, those that touch its Box: the union, over the
// triangles, of the places where the height is in the band. Places up to 4 units beyond the floor's border are taken with the
// border, because the region of a floor may be that much larger. Triangles may face either way; upright ones are no floor.
// The rings are as those of [Footprint.Level], and the caller must not change them. Time O(n log n) for n corners in all.
func (f *Footprint) Uneven(floor [][3]lattice.Vertex) []lattice.Ring {
	b := band{f.Low, f.High}
	if f.volume {
		b = band{f.shape.low, f.shape.high}
	}
	var c cutting
	all := true
	for i := range floor {
		t := upward(&floor[i])
		if t == nil || !lattice.BoxOf(t[0].Point, t[1].Point, t[2].Point).Overlaps(f.Box) {
			continue
		}
		low, high := heightsOf(t)
		if high <= f.Low || low >= f.High {
			all = false
			continue
		}
		all = all && b.low <= low && high <= b.high
		c.add(t, b)
	}
	switch {
	case len(c.parts) == 0:
		return nil
	case all:
		return f.outline
	}
	return common(f.outline, c.withBorders())
}

// beyond is how far the floor of a region may go on beyond its triangles, in lattice units: floorReach of build/exact.
const beyond = 4

// upward returns a triangle that is counter-clockwise from above, nil without an area from above.
func upward(t *[3]lattice.Vertex) *[3]lattice.Vertex {
	switch o := lattice.Orient(t[0].Point, t[1].Point, t[2].Point); {
	case o > 0:
		return t
	case o < 0:
		return &[3]lattice.Vertex{t[0], t[2], t[1]}
	}
	return nil
}

func heightsOf(t *[3]lattice.Vertex) (low, high int32) {
	return min(t[0].Z, t[1].Z, t[2].Z), max(t[0].Z, t[1].Z, t[2].Z)
}

// band is a range of heights in lattice units, both ends included.
type band struct{ low, high int32 }

// of returns the part of an edge within the band. Both triangles of an edge find the same points.
func (b band) of(from, to *lattice.Vertex) (p, q lattice.Point, ok bool) {
	if max(from.Z, to.Z) < b.low || min(from.Z, to.Z) > b.high {
		return p, q, false
	}
	return b.end(from, to), b.end(to, from), true
}

// end returns the end of the part within the band that is nearer to from.
func (b band) end(from, to *lattice.Vertex) lattice.Point {
	switch {
	case from.Z < b.low:
		return crossing(from, to, b.low)
	case from.Z > b.high:
		return crossing(to, from, b.high)
	}
	return from.Point
}

// crossing returns the place of a height between those of a lower and a higher end.
func crossing(low, high *lattice.Vertex, z int32) lattice.Point {
	dx, dy := high.Sub(low.Point)
	share := float64(int64(z)-int64(low.Z)) / float64(int64(high.Z)-int64(low.Z))
	return lattice.Point{
		X: low.X + int32(math.Floor(float64(float64(dx)*share)+0.5)),
		Y: low.Y + int32(math.Floor(float64(float64(dy)*share)+0.5)),
	}
}

// clip appends the corners of the part of a triangle within the band, in the triangle's direction.
func (b band) clip(t *[3]lattice.Vertex, corners lattice.Ring) lattice.Ring {
	first := len(corners)
	for k := range t {
		p, q, ok := b.of(&t[k], &t[(k+1)%3])
		if !ok {
			continue
		}
		if n := len(corners); n == first || corners[n-1] != p {
			corners = append(corners, p)
		}
		if corners[len(corners)-1] != q {
			corners = append(corners, q)
		}
	}
	if n := len(corners); n > first+1 && corners[n-1] == corners[first] {
		corners = corners[:n-1]
	}
	return corners
}

// cutting collects the parts of floor triangles within bands of heights.
type cutting struct {
	parts []lattice.Ring
	sides []floorSide
}

// floorSide is the side of a floor triangle, from a to b with the floor on the left, and the part of it within a band.
type floorSide struct {
	a, b     lattice.Point
	from, to lattice.Point
	in       bool
}

// add appends the part of a triangle within a band.
func (c *cutting) add(t *[3]lattice.Vertex, b band) {
	for k := range t {
		s := floorSide{a: t[k].Point, b: t[(k+1)%3].Point}
		s.from, s.to, s.in = b.of(&t[k], &t[(k+1)%3])
		c.sides = append(c.sides, s)
	}
	if r := b.clip(t, nil); len(r) > 2 {
		c.parts = append(c.parts, r)
	}
}

// withBorders returns the parts, and a strip along every part of the floor's border.
func (c *cutting) withBorders() []lattice.Ring {
	ends := func(s *floorSide) (low, high lattice.Point) {
		if s.a.Compare(s.b) < 0 {
			return s.a, s.b
		}
		return s.b, s.a
	}
	order := func(x, y *floorSide) int {
		a, b := ends(x)
		p, q := ends(y)
		return cmp.Or(a.Compare(p), b.Compare(q))
	}
	slices.SortFunc(c.sides, func(x, y floorSide) int { return cmp.Or(order(&x, &y), x.from.Compare(y.from), x.to.Compare(y.to)) })
	for i := 0; i < len(c.sides); {
		end := i + 1
		for end < len(c.sides) && order(&c.sides[i], &c.sides[end]) == 0 {
			end++
		}
		if s := &c.sides[i]; end == i+1 && s.in {
			if r := s.strip(); r != nil {
				c.parts = append(c.parts, r)
			}
		}
		i = end
	}
	return c.parts
}

// strip returns the places right beside a side of a floor, on the outside. It widens at the corners of the floor and nowhere
// else, so the strips of two sides close the corner between them.
func (s *floorSide) strip() lattice.Ring {
	if s.from == s.to {
		return nil
	}
	dx, dy := s.b.Sub(s.a)
	length := s.a.Distance(s.b)
	ux, uy := beyond*float64(dx)/length, beyond*float64(dy)/length
	out := func(p lattice.Point, along float64) lattice.Point {
		return lattice.Point{
			X: p.X + int32(math.Floor(uy+float64(along*ux)+0.5)),
			Y: p.Y + int32(math.Floor(float64(along*uy)-ux+0.5)),
		}
	}
	back, ahead := 0.0, 0.0
	if s.from == s.a {
		back = -1
	}
	if s.to == s.b {
		ahead = 1
	}
	return lattice.Ring{s.to, s.from, clamped(out(s.from, back)), clamped(out(s.to, ahead))}
}

func clamped(p lattice.Point) lattice.Point {
	const most = lattice.MaxCoord
	return lattice.Point{X: min(max(p.X, -most), most), Y: min(max(p.Y, -most), most)}
}

// common returns the places that both rings wind around.
func common(a, b []lattice.Ring) []lattice.Ring {
	polygons, err := overlay.Intersection(a, b)
	if err != nil {
		return a // a floor beyond the frame, which no mesh has
	}
	return ringsOf(polygons)
}
