package growth

import "github.com/meadow-nav/meadow/geom/lattice"

// side is a side of a cell that starts at a vertex: its end, and the cell.
type side struct{ to, cell int32 }

// sides holds the sides of all cells by their first vertex. The sides from vertex v are
// all[first[v]:first[v+1]].
type sides struct {
	first []int32
	all   []side
	// part maps a cell to the cell that absorbed it, at first itself.
	part []int32
}

// newSides lists the sides of cells whose corners are n vertices. Time O(n) for n corners.
func newSides(cells []cell, n int) *sides {
	s := &sides{first: make([]int32, n+1), part: make([]int32, len(cells))}
	for _, c := range cells {
		for _, v := range c {
			s.first[v+1]++
		}
	}
	for v := range n {
		s.first[v+1] += s.first[v]
	}
	s.all = make([]side, s.first[n])
	next := make([]int32, n)
	copy(next, s.first)
	for i, c := range cells {
		s.part[i] = int32(i)
		for k, v := range c {
			s.all[next[v]] = side{c[(k+1)%len(c)], int32(i)}
			next[v]++
		}
	}
	return s
}

// owner returns the cell that has a side, or had it before growing, -1 for none.
func (s *sides) owner(from, to int32) int32 {
	for _, o := range s.all[s.first[from]:s.first[from+1]] {
		if o.to == to {
			i := o.cell
			for s.part[i] != i {
				s.part[i] = s.part[s.part[i]]
				i = s.part[i]
			}
			return i
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
