package growth

import "github.com/meadow-nav/meadow/lattice"

// side is a side of a cell by the vertices that it runs from and to.
type side struct{ from, to int32 }

// Combine joins cells that share a whole side where the union is convex, in the order of the cells
// and of their sides. A cell that became a part of another is nil afterwards.
func (w *World) Combine() {
	owner := make(map[side]int32, 4*len(w.cells))
	for i, c := range w.cells {
		w.own(owner, c, int32(i))
	}
	for i := range w.cells {
		for k := 0; k < len(w.cells[i]); k++ {
			c := w.cells[i]
			from, to := c[k], c[(k+1)%len(c)]
			j, ok := owner[side{to, from}]
			if !ok {
				continue
			}
			union := w.unite(c, w.cells[j], from, to)
			if union == nil {
				continue
			}
			w.cells[i], w.cells[j] = union, nil
			w.own(owner, union, int32(i))
			w.Counts["combined"]++
			k = -1
		}
	}
}

// own makes cell i, whose corners are c, the owner of its sides. Sides that a cell had before it
// became larger stay in owner: nothing looks for them, because the cells that did are gone too or
// find, in unite, that the side is no more.
func (w *World) own(owner map[side]int32, c cell, i int32) {
	for k, v := range c {
		owner[side{v, c[(k+1)%len(c)]}] = i
	}
}

// unite returns the union of two cells that share the side of c from one vertex to another, without
// corners that are straight in it, or nil if it is not convex.
func (w *World) unite(c, o cell, from, to int32) cell {
	start := find(o, from)
	if start < 0 || o[(start+len(o)-1)%len(o)] != to {
		return nil
	}
	var union cell
	// c from the end of the side around to its start, then the rest of o.
	first := find(c, to)
	for k := range c {
		union = append(union, c[(first+k)%len(c)])
	}
	for k := 1; k < len(o)-1; k++ {
		union = append(union, o[(start+k)%len(o)])
	}
	n := len(union)
	var corners cell
	for k, v := range union {
		if v != from && v != to {
			corners = append(corners, v)
			continue
		}
		switch turn := lattice.Orient(w.P[union[(k+n-1)%n]], w.P[v], w.P[union[(k+1)%n]]); {
		case turn < 0:
			return nil
		case turn > 0:
			corners = append(corners, v)
		}
	}
	return corners
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
