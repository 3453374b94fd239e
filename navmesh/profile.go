package navmesh

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// line is a straight piece of the plane in lattice units: the start is (x, y), the unit direction (dx, dy) and the
// length run. Places on the line are distances from its start.
//
// Coordinates are below 2³⁰ and have at least 22 bits behind the point; the error of a place is below 10⁻⁶ units.
type line struct{ x, y, dx, dy, run float64 }

// lineBetween returns the line from a to b, two different points.
func lineBetween(a, b lattice.Point) line {
	dx, dy := b.Sub(a)
	return newLine(float64(a.X), float64(a.Y), float64(dx), float64(dy))
}

// newLine returns the line from (x, y) to (x+dx, y+dy).
func newLine(x, y, dx, dy float64) line {
	run := math.Sqrt(float64(dx*dx) + float64(dy*dy))
	return line{x, y, dx / run, dy / run, run}
}

// at returns the point at a place of l.
func (l *line) at(s float64) (x, y float64) { return l.x + float64(s*l.dx), l.y + float64(s*l.dy) }

// moved returns l moved to the left by some units.
func (l line) moved(left float64) line {
	l.x, l.y = l.x-float64(left*l.dy), l.y+float64(left*l.dx)
	return l
}

// within returns the part of l in a convex ring whose sides are moved inwards by inset units; ok is false if the part
// is empty.
func (l *line) within(ring []lattice.Point, inset float64) (from, to float64, ok bool) {
	from, to = 0, l.run
	a := ring[len(ring)-1]
	for _, b := range ring {
		ix, iy := b.Sub(a)
		ex, ey := float64(ix), float64(iy)
		from, to = l.leftOf(from, to, float64(a.X), float64(a.Y), ex, ey, inset)
		a = b
	}
	return from, to, to-from > tiny
}

// leftOf returns the part of [from, to] at least inset units to the left of a side. The side starts at (ax, ay) and
// runs along (ex, ey).
func (l *line) leftOf(from, to, ax, ay, ex, ey, inset float64) (float64, float64) {
	length := 0.0
	if inset != 0 {
		length = inset * math.Sqrt(float64(ex*ex)+float64(ey*ey))
	}
	at := float64(ex*(l.y-ay)) - float64(ey*(l.x-ax)) - length
	rate := float64(ex*l.dy) - float64(ey*l.dx)
	switch {
	case rate > 0:
		from = max(from, -at/rate)
	case rate < 0:
		to = min(to, -at/rate)
	case at < 0:
		to = from - 1
	}
	return from, to
}

// piece is a part of a line over which the floor is a single plane: between two places, with the heights there.
type piece struct {
	from, to, low, high float64
	triangle            int32 // of the layer's floor
}

// at returns the height at a place of the piece.
func (p *piece) at(s float64) float64 {
	return p.low + float64((p.high-p.low)*((s-p.from)/(p.to-p.from)))
}

// tiny is the length in lattice units below which a part of a line is rounding.
const tiny = 1e-4

// sheet is the floor of a layer with an index of its triangles.
type sheet struct {
	tin   *lattice.TIN
	index *planar.Index
}

func newSheet(tin *lattice.TIN) *sheet {
	boxes := make([]lattice.Box, len(tin.Triangles))
	for i := range boxes {
		t := tin.Triangles[i]
		a, b, c := tin.Vertices[t[0]], tin.Vertices[t[1]], tin.Vertices[t[2]]
		boxes[i] = lattice.BoxOf(a.Point, b.Point, c.Point)
	}
	return &sheet{tin, planar.NewIndex(boxes)}
}

// along appends the heights of the highest triangles along the part of l between two places, in order. Parts without
// floor have no piece.
//
// Time O(k log k) for the k triangles with boxes near the line, if few triangles lie over others.
func (s *sheet) along(l line, from, to float64, pieces []piece) []piece {
	first := len(pieces)
	x0, y0 := l.at(from)
	x1, y1 := l.at(to)
	s.index.Along(x0, y0, x1, y1, func(i int) {
		if p, ok := s.over(i, &l, from, to); ok {
			pieces = append(pieces, p)
		}
	})
	found := pieces[first:]
	slices.SortFunc(found, func(p, q piece) int {
		return cmp.Or(cmp.Compare(p.from, q.from), cmp.Compare(p.to, q.to), cmp.Compare(p.low, q.low), cmp.Compare(p.high, q.high))
	})
	for i := 1; i < len(found); i++ {
		if found[i].from < found[i-1].to-tiny {
			return append(pieces[:first], highest(slices.Clone(found))...)
		}
	}
	return pieces
}

// planeOf returns the plane of triangle i.
func (s *sheet) planeOf(i int) slope {
	t := s.tin.Triangles[i]
	return planeOf(&s.tin.Vertices[t[0]], &s.tin.Vertices[t[1]], &s.tin.Vertices[t[2]])
}

// over returns the part of a line over triangle i.
func (s *sheet) over(i int, l *line, from, to float64) (p piece, ok bool) {
	t := s.tin.Triangles[i]
	c := [3]*lattice.Vertex{&s.tin.Vertices[t[0]], &s.tin.Vertices[t[1]], &s.tin.Vertices[t[2]]}
	for k, a := range c {
		ex, ey := c[(k+1)%3].Sub(a.Point)
		if from, to = l.leftOf(from, to, float64(a.X), float64(a.Y), float64(ex), float64(ey), 0); to-from <= tiny {
			return piece{}, false
		}
	}
	plane := planeOf(c[0], c[1], c[2])
	x0, y0 := l.at(from)
	x1, y1 := l.at(to)
	return piece{from, to, plane.at(x0, y0), plane.at(x1, y1), int32(i)}, true
}

// highest returns the upper envelope of some pieces, which are in the order of their starts.
func highest(pieces []piece) []piece {
	var out []piece
	for len(pieces) > 0 {
		n, end := 1, pieces[0].to
		for n < len(pieces) && pieces[n].from < end-tiny {
			end = max(end, pieces[n].to)
			n++
		}
		if n == 1 {
			out = append(out, pieces[0])
		} else {
			out = appendHighest(out, pieces[:n])
		}
		pieces = pieces[n:]
	}
	return out
}

// appendHighest is highest for overlapping pieces. Time O(k³) for k pieces.
func appendHighest(out, pieces []piece) []piece {
	var cuts []float64
	for i := range pieces {
		p := &pieces[i]
		cuts = append(cuts, p.from, p.to)
		for k := range pieces[:i] {
			q := &pieces[k]
			from, to := max(p.from, q.from), min(p.to, q.to)
			if from >= to {
				continue
			}
			// Where p and q cross, the higher piece changes.
			if d, e := p.at(from)-q.at(from), p.at(to)-q.at(to); d < 0 && e > 0 || d > 0 && e < 0 {
				cuts = append(cuts, from+float64((to-from)*(d/(d-e))))
			}
		}
	}
	slices.Sort(cuts)
	for i := 1; i < len(cuts); i++ {
		from, to := cuts[i-1], cuts[i]
		if to-from <= tiny {
			cuts[i] = from
			continue
		}
		middle, top := from+(to-from)/2, -1
		for k := range pieces {
			p := &pieces[k]
			if p.from < middle && middle < p.to && (top < 0 || p.at(middle) > pieces[top].at(middle)) {
				top = k
			}
		}
		if top >= 0 {
			out = append(out, piece{from, to, pieces[top].at(from), pieces[top].at(to), pieces[top].triangle})
		}
	}
	return out
}

// slope is the plane of a triangle: a corner, and the slopes to the east and to the north.
type slope struct {
	corner    *lattice.Vertex
	x, y      float64
	low, high float64 // the heights of its lowest and highest corners
}

func planeOf(a, b, c *lattice.Vertex) slope {
	bx, by := b.Sub(a.Point)
	cx, cy := c.Sub(a.Point)
	bz, cz := float64(int64(b.Z)-int64(a.Z)), float64(int64(c.Z)-int64(a.Z))
	double := float64(lattice.Orient(a.Point, b.Point, c.Point))
	return slope{
		corner: a,
		x:      (float64(bz*float64(cy)) - float64(cz*float64(by))) / double,
		y:      (float64(cz*float64(bx)) - float64(bz*float64(cx))) / double,
		low:    float64(min(a.Z, b.Z, c.Z)), high: float64(max(a.Z, b.Z, c.Z)),
	}
}

// at returns the height at (x, y), a point over the triangle up to rounding.
func (p *slope) at(x, y float64) float64 {
	z := float64(p.corner.Z) + float64(p.x*(x-float64(p.corner.X))) + float64(p.y*(y-float64(p.corner.Y)))
	return min(max(z, p.low), p.high)
}
