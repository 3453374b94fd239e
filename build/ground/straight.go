package ground

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// rounding is the largest distance, in units, between a rounded corner and its straight border.
const rounding = 2

// between is a directed edge between two areas.
type between struct {
	directed
	left, right int
}

func (b between) reverse() between { return between{directed{b.to, b.from}, b.right, b.left} }

// rings returns closed lines around each area's part of the ground. Where edges of triangles inside one area end at a
// border, rounding makes corners in the border, and each corner costs regions; rings leaves them out. Corners at
// walls, and where more than two areas meet, stay.
func (fs faces) rings() [256][]lattice.Ring {
	var edges [256][]directed
	var walls, shared []between
	fs.borders(&walls, &shared)
	lines := make([]lattice.Line, 0, len(walls))
	for _, w := range walls {
		edges[w.left] = append(edges[w.left], w.directed)
		lines = append(lines, lattice.Line{Points: []lattice.Point{w.from, w.to}})
	}
	fixed := len(lines)
	var sides [][2]int
	for _, run := range runs(shared, walls) {
		l := lattice.Line{Points: []lattice.Point{run[0].from}}
		for _, e := range run {
			l.Points = append(l.Points, e.to)
		}
		if n := len(l.Points) - 1; l.Points[n] == l.Points[0] {
			l.Points, l.Closed = l.Points[:n], true
		}
		lines, sides = append(lines, l), append(sides, [2]int{run[0].left, run[0].right})
	}
	for i, s := range lattice.Simplify(lines, rounding)[fixed:] {
		points := s.Points
		if lines[fixed+i].Closed {
			points = append(slices.Clip(points), points[0])
		}
		for k := 1; k < len(points); k++ {
			a, b := points[k-1], points[k]
			edges[sides[i][0]] = append(edges[sides[i][0]], directed{a, b})
			edges[sides[i][1]] = append(edges[sides[i][1]], directed{b, a})
		}
	}
	var rings [256][]lattice.Ring
	for a := range edges {
		slices.SortFunc(edges[a], directed.compare)
		rings[a] = closed(edges[a])
	}
	return rings
}

// borders lists the edges of faces without a neighbour, and, from both sides, the edges between faces of
// different areas.
func (fs faces) borders(walls, shared *[]between) {
	at := map[directed]int{} // looked up only
	for i := range fs {
		for _, ring := range fs[i].Rings {
			for k, a := range ring {
				at[directed{a, ring[(k+1)%len(ring)]}] = i
			}
		}
	}
	for i := range fs {
		for _, ring := range fs[i].Rings {
			for k, a := range ring {
				e := between{directed{a, ring[(k+1)%len(ring)]}, fs[i].area, unknown}
				if o, ok := at[directed{e.to, e.from}]; !ok {
					*walls = append(*walls, e)
				} else if e.right = fs[o].area; e.right != e.left {
					*shared = append(*shared, e)
				}
			}
		}
	}
}

// runs joins shared edges, given from both sides, to runs between walls and places where a third area meets. Every edge is
// in one run, from one of its sides.
func runs(shared, walls []between) [][]between {
	slices.SortFunc(shared, func(a, b between) int { return a.compare(b.directed) })
	from := func(p lattice.Point) (first, end int) {
		first, _ = slices.BinarySearchFunc(shared, p, func(e between, p lattice.Point) int { return e.from.Compare(p) })
		for end = first; end < len(shared) && shared[end].from == p; end++ {
		}
		return first, end
	}
	ends := map[lattice.Point]bool{} // looked up only
	for _, w := range walls {
		ends[w.from], ends[w.to] = true, true
	}
	next := func(i int) (int, bool) {
		first, end := from(shared[i].to)
		if ends[shared[i].to] || end-first != 2 {
			return 0, false
		}
		k := first
		if shared[k].to == shared[i].from {
			k++
		}
		return k, shared[k].left == shared[i].left && shared[k].right == shared[i].right
	}
	back := func(i int) int {
		k, _ := slices.BinarySearchFunc(shared, shared[i].reverse(), func(a, b between) int { return a.compare(b.directed) })
		return k
	}
	var out [][]between
	done := make([]bool, len(shared))
	walk := func(i int) {
		var run []between
		for ok := true; ok && !done[i]; {
			done[i], done[back(i)] = true, true
			run = append(run, shared[i])
			i, ok = next(i)
		}
		out = append(out, run)
	}
	// First the runs with a beginning; the rest are closed.
	for i := range shared {
		if _, goes := next(back(i)); !done[i] && !goes {
			walk(i)
		}
	}
	for i := range shared {
		if !done[i] {
			walk(i)
		}
	}
	return out
}
