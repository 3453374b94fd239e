package cdt

import "github.com/meadow-nav/meadow/geom/lattice"

// border is an edge of the polygon beside a new constraint.
type border struct {
	from, opp, mark int32
	half            int32 // the half-edge beside it in the end
}

// ear is a triangle of three consecutive vertices in the rest of a chain, given by their places: vertex i of
// the chain has place i; the closing vertex has the last place.
type ear struct{ a, b, c int32 }

// filling is the memory of fill.
type filling struct {
	vertex []int32 // of every place
	places []int32 // the rest of the chain
	ears   []ear
	half   []int32 // the half-edge inside the polygon to a place from the remaining place before
	stack  []int32
}

// load completes a chain whose border.from holds the half-edge of the old triangle.
func (t *Triangulation) load(chain []border) {
	for i := range chain {
		h := t.H[chain[i].from]
		chain[i] = border{from: h.V, opp: h.Opp, mark: h.Mark, half: chain[i].from}
	}
	// An edge may border on the polygon with both sides. Its old halves are then twins: leave there the number
	// of their border.
	for i := range chain {
		t.H[chain[i].half].Opp = ^int32(i) - 1
	}
	for i := range chain {
		if o := chain[i].opp; o >= 0 && t.H[o].Opp < -1 {
			chain[i].opp = t.H[o].Opp
		}
	}
}

// fill triangulates the polygon with the counter-clockwise border chain, closed by an edge from the vertex
// last to the first vertex, and returns the half-edge of the closing edge. It uses the triangles of t.free.
// Time O(n log n) for a chain of n in all known cases.
//
// Every point of the chain sees the closing edge, because the old triangles reach it. In such a polygon every
// convex vertex of the chain is an ear, and cutting the ear off leaves another such polygon. All ears are cut
// off first and put back in the opposite order, each made Delaunay at once. They are cut off in passes, never
// two neighbours in a pass, so that they are put back in rounds of growing size, as the points of [New] are.
// A triangulation of the whole chain at once would take flips for each pair of points where these are on a
// smooth curve.
func (t *Triangulation) fill(chain []border, last int32) int32 {
	f := &t.filling
	f.vertex, f.places, f.half = f.vertex[:0], f.places[:0], f.half[:0]
	for i := range chain {
		f.vertex = append(f.vertex, chain[i].from)
	}
	f.vertex = append(f.vertex, last)
	for i := range f.vertex {
		f.places, f.half = append(f.places, int32(i)), append(f.half, -1)
	}
	t.cutEars()
	for k := len(f.ears) - 1; k >= 0; k-- {
		t.putBack(f.ears[k])
	}
	for i := range chain {
		b := &chain[i]
		b.half = f.half[i+1]
		if b.opp >= -1 {
			t.join(b.half, b.opp, b.mark)
		}
	}
	for i := range chain {
		if o := chain[i].opp; o < -1 {
			t.join(chain[i].half, chain[^(o+1)].half, chain[i].mark)
		}
	}
	return f.half[0]
}

// cutEars finds ears until only the closing edge is left: in passes, of neighbours only the first one,
// as long as a pass takes many, and then by the scan of Graham, which takes the rest in linear time.
func (t *Triangulation) cutEars() {
	f := &t.filling
	f.ears = f.ears[:0]
	for n := len(f.places); n > 2; n = len(f.places) {
		k := 1
		for i := 1; i < n; i++ {
			if i+1 < n && t.cut(f.places[k-1], f.places[i], f.places[i+1]) {
				i++
			}
			f.places[k] = f.places[i]
			k++
		}
		if f.places = f.places[:k]; k > n-n/8 {
			break
		}
	}
	k := 1
	for _, c := range f.places[1:] {
		for k > 1 && t.cut(f.places[k-2], f.places[k-1], c) {
			k--
		}
		f.places[k] = c
		k++
	}
}

// cut notes the ear at place b, if the chain is convex there.
func (t *Triangulation) cut(a, b, c int32) bool {
	f := &t.filling
	if lattice.Orient(t.P[f.vertex[a]], t.P[f.vertex[b]], t.P[f.vertex[c]]) <= 0 {
		return false
	}
	f.ears = append(f.ears, ear{a, b, c})
	return true
}

// putBack puts an ear behind the edge to its last place, and flips until the triangles there are Delaunay.
func (t *Triangulation) putBack(r ear) {
	f := &t.filling
	s := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	t.put(s, f.vertex[r.a], f.vertex[r.b], f.vertex[r.c])
	t.wait(s, r.b)
	if inner := f.half[r.c]; inner >= 0 {
		t.join(s+2, inner, Free)
	} else {
		t.wait(s+2, 0) // the first one, on the closing edge
	}
	t.wait(s+1, r.c)
	f.stack = append(f.stack[:0], s+2)
	for len(f.stack) > 0 {
		e := f.stack[len(f.stack)-1]
		f.stack = f.stack[:len(f.stack)-1]
		if !t.illegal(e) {
			continue
		}
		o := t.H[e].Opp
		t.flip(e)
		for _, h := range [...]int32{Next(e), Prev(e), Next(o), Prev(o)} {
			if place := -2 - t.H[h].Opp; place >= 0 {
				f.half[place] = h
			}
		}
		f.stack = append(f.stack, Prev(e), Next(o))
	}
}

// wait makes h the half-edge to a place, with nothing on its other side yet. When h is flipped, the place
// moves with it.
func (t *Triangulation) wait(h, place int32) {
	t.H[h].Opp, t.H[h].Mark = -2-place, Free
	t.filling.half[place] = h
}
