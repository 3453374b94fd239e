package repair

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// divider is the memory of the division of floor into convex cells.
type divider struct {
	points  []lattice.Point // the vertices of the arrangement, in ascending order
	passes  []int32         // how often rings pass each vertex
	runs    []run
	begin   []int32 // the runs from each vertex on are byStart[begin[v]:begin[v+1]]
	byStart []int32
	kept    []int32
	borders []overlay.Side // the ends of runs
	halves  []halfEdge
	latest  []int32 // by vertex: the latest half from there without a twin when it was made, none for none
	wait    []int32
	ring    []corner
	sweep   overlay.Triangulator
	keys    []diagonal

	// The rings and sides of the cells of a cut.
	rings   []lattice.Point
	letters []int32
}

// corner is a corner of a cell, and the label of the side from there on.
type corner struct{ vertex, label int32 }

// diagonal is a diagonal with the key of its order.
type diagonal struct {
	length    uint64
	low, high int32 // its ends
	half      int32
}

// run is a straight run of a border: from a point of a ring on, over all points in its middle, to vertex to.
type run struct {
	ring, first, count, to int32
}

// halfEdge is a side of a triangle, later of a cell: counter-clockwise around the cell.
type halfEdge struct {
	from       int32 // point
	next, prev int32
	twin       int32 // the same line from the other side, or none on the border
	gone       bool
	before     int32 // see divider.latest: the half before this one from the same point
}

const none int32 = -1

// divide appends the convex cells of the floor inside the rings over some vertices.
func (d *divider) divide(cells []Cell, class int32, rings []ring, points []lattice.Point) []Cell {
	d.points = points
	d.straighten(rings)
	d.order()
	d.triangulate()
	d.flip()
	d.merge()
	return d.collect(cells, class, rings)
}

// straighten lists the straight runs of the rings.
func (d *divider) straighten(rings []ring) {
	d.runs, d.borders = d.runs[:0], d.borders[:0]
	d.passes = resize(d.passes, len(d.points))
	clear(d.passes)
	for _, r := range rings {
		for _, v := range r.vertices {
			d.passes[v]++
		}
	}
	points := d.points
	for k := range rings {
		r := &rings[k]
		n := len(r.vertices)
		// Points in the middle of a straight run go, except where rings touch.
		kept := d.kept[:0]
		before, at := points[r.vertices[n-1]], points[r.vertices[0]]
		for i, v := range r.vertices {
			next := r.vertices[0]
			if i+1 < n {
				next = r.vertices[i+1]
			}
			after := points[next]
			if d.passes[v] > 1 || lattice.Orient(before, at, after) != 0 {
				kept = append(kept, int32(i))
			}
			before, at = at, after
		}
		for j, i := range kept {
			after := kept[0]
			if j+1 < len(kept) {
				after = kept[j+1]
			}
			steps := after - i
			if steps <= 0 {
				steps += int32(n)
			}
			from, to := r.vertices[i], r.vertices[after]
			d.runs = append(d.runs, run{int32(k), i, steps, to})
			d.borders = append(d.borders, overlay.Side{From: from, To: to})
		}
		d.kept = kept
	}
}

// order lists the runs from every vertex on.
func (d *divider) order() {
	d.begin = resize(d.begin, len(d.points)+2)
	clear(d.begin)
	for _, s := range d.borders {
		d.begin[s.From+2]++
	}
	for v := range d.points {
		d.begin[v+2] += d.begin[v+1]
	}
	d.byStart = resize(d.byStart, len(d.borders))
	for i, s := range d.borders {
		d.byStart[d.begin[s.From+1]] = int32(i)
		d.begin[s.From+1]++
	}
}

// runFrom returns the run between two vertices, nil for none.
func (d *divider) runFrom(from, to int32) *run {
	for _, i := range d.byStart[d.begin[from]:d.begin[from+1]] {
		if d.runs[i].to == to {
			return &d.runs[i]
		}
	}
	return nil
}

// triangulate fills d.halves with triangles. Halves without a twin are on the border.
func (d *divider) triangulate() {
	d.latest = resize(d.latest, len(d.points))
	for v := range d.latest {
		d.latest[v] = none
	}
	triangles := d.sweep.Sides(d.points, d.borders)
	d.halves = resize(d.halves, 3*len(triangles))
	halves, latest := d.halves, d.latest
	after, before := [3]int32{1, 2, 0}, [3]int32{2, 0, 1}
	for i := range triangles {
		t, first := &triangles[i], int32(3*i)
		for k, p := range t {
			n, q := first+int32(k), t[after[k]]
			h := &halves[n]
			*h = halfEdge{from: p, next: first + after[k], prev: first + before[k], twin: none}
			other := latest[q]
			for other != none && halves[halves[other].next].from != p {
				other = halves[other].before
			}
			if other != none && halves[other].twin == none {
				h.twin = other
				halves[other].twin = n
			} else {
				h.before, latest[p] = latest[p], n
			}
		}
	}
}

// flip turns diagonals until the triangulation is Delaunay.
func (d *divider) flip() {
	wait, halves, points := d.wait[:0], d.halves, d.points
	for h := range halves {
		if halves[h].twin > int32(h) {
			wait = append(wait, int32(h))
		}
	}
	for len(wait) > 0 {
		h := wait[len(wait)-1]
		wait = wait[:len(wait)-1]
		one := &halves[h]
		t := one.twin
		if t == none {
			continue
		}
		// h leads from a to b with c on its left and e on its right.
		two := &halves[t]
		hn, hp, tn, tp := one.next, one.prev, two.next, two.prev
		ci, ei := halves[hp].from, halves[tp].from
		a, b, c, e := points[one.from], points[two.from], points[ci], points[ei]
		if lattice.Orient(c, e, b) <= 0 || lattice.Orient(e, c, a) <= 0 || lattice.InCircle(a, b, c, e) <= 0 {
			continue
		}
		// The new diagonal leads from e to c as h, with b on its right; back as t.
		one.from, two.from = ei, ci
		d.triangle(h, hp, tn) // e to c, c to a, a to e
		d.triangle(t, tp, hn) // c to e, e to b, b to c
		wait = append(wait, hp, tn, tp, hn)
	}
	d.wait = wait
}

// triangle links three halves to a triangle.
func (d *divider) triangle(x, y, z int32) {
	d.halves[x].next, d.halves[y].next, d.halves[z].next = y, z, x
	d.halves[x].prev, d.halves[y].prev, d.halves[z].prev = z, x, y
}

// merge takes the diagonals away that convexity does not need, the longest first.
func (d *divider) merge() {
	keys, halves, points := d.keys[:0], d.halves, d.points
	for h := range halves {
		if t := halves[h].twin; t > int32(h) {
			a, b := halves[h].from, halves[t].from
			keys = append(keys, diagonal{points[a].Distance2(points[b]), min(a, b), max(a, b), int32(h)})
		}
	}
	d.keys = keys
	slices.SortFunc(keys, func(g, h diagonal) int {
		switch {
		case g.length != h.length:
			return cmp.Compare(h.length, g.length)
		case g.low != h.low:
			return cmp.Compare(g.low, h.low)
		}
		return cmp.Compare(g.high, h.high)
	})
	for i := range keys {
		one := &halves[keys[i].half]
		two := &halves[one.twin]
		hn, hp, tn, tp := &halves[one.next], &halves[one.prev], &halves[two.next], &halves[two.prev]
		from, to := points[one.from], points[two.from]
		if lattice.Orient(points[hp.from], from, points[halves[tn.next].from]) < 0 || lattice.Orient(points[tp.from], to, points[halves[hn.next].from]) < 0 {
			continue
		}
		hp.next, tn.prev = two.next, one.prev
		tp.next, hn.prev = one.next, two.prev
		one.gone, two.gone = true, true
	}
}

// collect appends the cells, each from its least point on, in the order of their rings.
func (d *divider) collect(cells []Cell, class int32, rings []ring) []Cell {
	first := len(cells)
	halves, ring := d.halves, d.ring
	for h := range halves {
		if halves[h].gone {
			continue
		}
		ring = ring[:0]
		g := int32(h)
		for {
			e := &halves[g]
			e.gone = true
			var s *run
			if e.twin == none {
				s = d.runFrom(e.from, halves[e.next].from)
			}
			if s == nil {
				ring = append(ring, corner{e.from, Inner})
			} else {
				r := &rings[s.ring]
				n := s.first
				for range s.count {
					ring = append(ring, corner{r.vertices[n], r.labels[n]})
					if n++; int(n) == len(r.vertices) {
						n = 0
					}
				}
			}
			if g = e.next; g == int32(h) {
				break
			}
		}
		least, vertex := 0, ring[0].vertex
		for i := range ring {
			if v := ring[i].vertex; v < vertex {
				least, vertex = i, v
			}
		}
		cells = append(cells, d.cell(class, ring, least))
	}
	d.ring = ring
	slices.SortFunc(cells[first:], func(a, b Cell) int {
		if c := a.Ring[0].Compare(b.Ring[0]); c != 0 {
			return c
		}
		return slices.CompareFunc(a.Ring, b.Ring, lattice.Point.Compare)
	})
	return cells
}

// cell returns the cell of a ring without the points that part no labels in the middle of a straight side, from its least
// point on.
func (d *divider) cell(class int32, ring []corner, least int) Cell {
	points, out, letters := d.points, d.rings, d.letters
	first := len(out)
	before := len(ring) - 1
	if least > 0 {
		before = least - 1
	}
	p, q := points[ring[before].vertex], points[ring[least].vertex]
	label, next := ring[before].label, ring[least].label
	k := least
	for range ring {
		if k++; k == len(ring) {
			k = 0
		}
		r := points[ring[k].vertex]
		if label != next || lattice.Orient(p, q, r) != 0 {
			out, letters = append(out, q), append(letters, next)
		}
		p, q, label, next = q, r, next, ring[k].label
	}
	d.rings, d.letters = out, letters
	end := len(out)
	return Cell{out[first:end:end], letters[first:end:end], class}
}

func (c *Cell) add(p lattice.Point, label int32) {
	c.Ring, c.Sides = append(c.Ring, p), append(c.Sides, label)
}

// tidy returns a cell without the points that part no labels in the middle of a straight side, from its least point on.
func (d *divider) tidy(c Cell) Cell {
	n := len(c.Ring)
	least := 0
	for i, p := range c.Ring {
		if p.Compare(c.Ring[least]) < 0 {
			least = i
		}
	}
	first := len(d.rings)
	for k := range n {
		i := (least + k) % n
		before, after := (i+n-1)%n, (i+1)%n
		if c.Sides[before] == c.Sides[i] && lattice.Orient(c.Ring[before], c.Ring[i], c.Ring[after]) == 0 {
			continue
		}
		d.rings, d.letters = append(d.rings, c.Ring[i]), append(d.letters, c.Sides[i])
	}
	end := len(d.rings)
	c.Ring, c.Sides = d.rings[first:end:end], d.letters[first:end:end]
	return c
}
