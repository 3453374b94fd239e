package growth

import (
	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/rows"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// side is a side of a cell that starts at a vertex: its end, and the cell.
type side struct{ to, cell int32 }

// sides holds the sides of all cells by their first vertex.
type sides struct {
	all  rows.Rows[side]  // by the vertex where a side begins
	part unionfind.Forest // cells that have become parts of other cells
}

// newSides lists the sides of cells whose corners are n vertices. Time O(n) for n corners.
func newSides(cells []cell, n int) *sides {
	return &sides{part: unionfind.New(len(cells)), all: rows.New(n, func(add func(from int32, s side)) {
		for i, c := range cells {
			for k, v := range c {
				add(v, side{c[(k+1)%len(c)], int32(i)})
			}
		}
	})}
}

// owner returns the cell that has a side, or had it before growing, -1 for none.
func (s *sides) owner(from, to int32) int32 {
	for _, o := range s.all.Of(from) {
		if o.to == to {
			return s.part.Find(o.cell)
		}
	}
	return -1
}

// Combine joins cells that share a whole side where the union is convex, in the order of the cells
// and of their sides.
func (w *World) Combine() {
	s := newSides(w.cells, len(w.P))
	for i := range w.cells {
		for k := 0; k < len(w.cells[i]); k++ {
			c := w.cells[i]
			from, to := c[k], c[(k+1)%len(c)]
			j := s.owner(to, from)
			if j < 0 || int(j) == i {
				continue
			}
			union := w.unite(c, w.cells[j], from, to)
			if union == nil {
				continue
			}
			w.cells[i], w.cells[j] = union, nil
			s.part[j] = int32(i)
			w.Counts["combined"]++
			if w.trace.to != nil {
				w.trace.to.Trace(gen.Event{Kind: gen.Combined, Region: w.trace.names[i], Other: w.trace.names[j], Points: w.points(union)})
			}
			k = -1
		}
	}
}

// unite returns the union of two cells with a common side of c between two vertices, without straight
// corners, or nil if the union is not convex. Former sides of a grown cell do not count.
func (w *World) unite(c, o cell, from, to int32) cell {
	start, first := find(o, from), find(c, to)
	if start < 0 || o[(start+len(o)-1)%len(o)] != to {
		return nil
	}
	// The corners at the ends of the side; only there may the union be concave.
	atTo := lattice.Orient(w.P[o[(start+2*len(o)-2)%len(o)]], w.P[to], w.P[c[(first+1)%len(c)]])
	atFrom := lattice.Orient(w.P[c[(first+2*len(c)-2)%len(c)]], w.P[from], w.P[o[(start+1)%len(o)]])
	if atTo < 0 || atFrom < 0 {
		return nil
	}
	// c from the end of the side around to its start, then the rest of o.
	var union cell
	if atTo > 0 {
		union = append(union, to)
	}
	for k := 1; k < len(c)-1; k++ {
		union = append(union, c[(first+k)%len(c)])
	}
	if atFrom > 0 {
		union = append(union, from)
	}
	for k := 1; k < len(o)-1; k++ {
		union = append(union, o[(start+k)%len(o)])
	}
	return union
}

// find returns the place of v in c, or -1.
func find(c cell, v int32) int {
	for k, u := range c {
		if u == v {
			return k
		}
	}
	return -1
}
