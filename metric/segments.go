package metric

import (
	"math"

	"github.com/meadow-nav/meadow/internal/rows"
)

// spot is a point of the plane in lattice units of a frame, in float64, which holds all lattice points exactly.
type spot struct{ x, y float64 }

func (p spot) to(q spot) float64 {
	dx, dy := q.x-p.x, q.y-p.y
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// at returns the point at the share t of the way from p to q.
func (p spot) at(q spot, t float64) spot {
	return spot{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y))}
}

// span is a straight piece of a border.
type span struct{ a, b spot }

// distance returns the distance of p from the nearest point of s.
func (s span) distance(p spot) float64 {
	dx, dy := s.b.x-s.a.x, s.b.y-s.a.y
	length2 := float64(dx*dx) + float64(dy*dy)
	if length2 == 0 {
		return p.to(s.a)
	}
	t := (float64((p.x-s.a.x)*dx) + float64((p.y-s.a.y)*dy)) / length2
	return p.to(s.a.at(s.b, min(max(t, 0), 1)))
}

// spans finds the nearest of many spans by a square grid: each span is entered, piece by piece, into the cells that it
// passes. Memory O(n) for n spans; a query examines the cells around its point, ring by ring.
type spans struct {
	list          []span
	low           spot
	cell          float64
	columns, rows int
	members       rows.Rows[int32] // of each cell
}

// gridSide bounds the cells along a side of the grid.
const gridSide = 1024

func newSpans(list []span) *spans {
	s := &spans{list: list, columns: 1, rows: 1, cell: 1}
	if len(list) == 0 {
		return s
	}
	high, total := list[0].a, 0.0
	s.low = list[0].a
	for _, l := range list {
		total += l.a.to(l.b)
		for _, p := range [2]spot{l.a, l.b} {
			s.low = spot{min(s.low.x, p.x), min(s.low.y, p.y)}
			high = spot{max(high.x, p.x), max(high.y, p.y)}
		}
	}
	extent := max(high.x-s.low.x, high.y-s.low.y)
	// The grid has about as many pieces as spans.
	s.cell = max(total/float64(len(list)), extent/gridSide, 1)
	s.columns, s.rows = int((high.x-s.low.x)/s.cell)+1, int((high.y-s.low.y)/s.cell)+1
	s.members = rows.New(s.columns*s.rows, s.eachCell)
	return s
}

// eachCell calls enter with every span and the cells of the boxes of its pieces.
func (s *spans) eachCell(enter func(cell, i int32)) {
	for i, l := range s.list {
		n := int(l.a.to(l.b)/s.cell) + 1
		for k := range n {
			a, b := l.a.at(l.b, float64(k)/float64(n)), l.a.at(l.b, float64(k+1)/float64(n))
			c0, r0 := s.cellOf(spot{min(a.x, b.x), min(a.y, b.y)})
			c1, r1 := s.cellOf(spot{max(a.x, b.x), max(a.y, b.y)})
			for r := r0; r <= r1; r++ {
				for c := c0; c <= c1; c++ {
					enter(int32(r*s.columns+c), int32(i))
				}
			}
		}
	}
}

func (s *spans) cellOf(p spot) (column, row int) {
	at := func(d float64, n int) int { return int(min(max(d/s.cell, 0), float64(n-1))) }
	return at(p.x-s.low.x, s.columns), at(p.y-s.low.y, s.rows)
}

// nearest returns the span nearest to p, of equally near spans the first met, and its distance; -1 for no spans.
func (s *spans) nearest(p spot) (best int, distance float64) {
	best, distance = -1, math.Inf(1)
	if len(s.list) == 0 {
		return best, distance
	}
	column, row := s.cellOf(p)
	look := func(c, r int) {
		if c < 0 || c >= s.columns || r < 0 || r >= s.rows {
			return
		}
		for _, i := range s.members.Of(int32(r*s.columns + c)) {
			if d := s.list[i].distance(p); d < distance {
				best, distance = int(i), d
			}
		}
	}
	// A span in none of the rings up to k is at least k cells away. The bound also holds for p outside the grid: the
	// nearest grid point of p is in the middle cell, and is nearer than p to every span.
	for k := 0; k <= max(s.columns, s.rows) && distance > float64(k-1)*s.cell; k++ {
		for c := column - k; c <= column+k; c++ {
			look(c, row-k)
			if k > 0 {
				look(c, row+k)
			}
		}
		for r := row - k + 1; r < row+k; r++ {
			look(column-k, r)
			look(column+k, r)
		}
	}
	return best, distance
}
