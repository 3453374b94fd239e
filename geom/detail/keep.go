package detail

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

// region is the part of the plane that needs the surface: polygons, with their edges in the cells of a grid.
type region struct {
	box     lattice.Box
	cell    int64 // width of a cell in units
	columns int64
	rows    int64
	edges   [][2]lattice.Point
	start   []int32  // by cell, row after row
	entries []uint32 // twice the number of an edge; plus one in the edge's first cell of a row
}

// newRegion indexes disjoint polygons. Time and memory O(n) for edges of similar length: an edge is in each
// of its cells, about four.
func newRegion(polygons []lattice.Polygon) *region {
	r := &region{box: lattice.EmptyBox()}
	for _, p := range polygons {
		for _, ring := range p.Rings {
			for i, a := range ring {
				r.edges = append(r.edges, [2]lattice.Point{a, ring[(i+1)%len(ring)]})
				r.box = r.box.Extend(a)
			}
		}
	}
	if len(r.edges) == 0 {
		return r
	}
	w, h := r.box.Size()
	r.cell = int64(math.Sqrt(float64(w+1)*float64(h+1)/float64(4*len(r.edges)))) + 1
	r.cell = max(r.cell, (max(w, h)+1)/int64(4*len(r.edges))+1) // also where the box is a strip
	r.columns, r.rows = w/r.cell+1, h/r.cell+1
	r.start = make([]int32, r.columns*r.rows+1)
	for i := range r.edges {
		r.cellsOf(i, func(cell int64, _ uint32) { r.start[cell]++ })
	}
	sum := int32(0)
	for i, n := range r.start {
		sum += n
		r.start[i] = sum
	}
	// From the last to the first, which leaves start at the starts.
	r.entries = make([]uint32, sum)
	for i := len(r.edges) - 1; i >= 0; i-- {
		r.cellsOf(i, func(cell int64, first uint32) {
			r.start[cell]--
			r.entries[r.start[cell]] = uint32(i)<<1 | first
		})
	}
	return r
}

// cellsOf visits the cells of an edge, and some cells beside it.
func (r *region) cellsOf(i int, visit func(cell int64, first uint32)) {
	a, b := r.edges[i][0], r.edges[i][1]
	if a.Y > b.Y {
		a, b = b, a
	}
	ax, ay := a.Sub(r.box.Min)
	bx, by := b.Sub(r.box.Min)
	for row := ay / r.cell; row <= by/r.cell; row++ {
		// Where the edge enters and leaves the row, rounded outward by a unit.
		low, high := min(ax, bx), max(ax, bx)
		if by > ay {
			at := func(y int64) int64 {
				y = min(max(y, ay), by)
				return ax + int64(float64(bx-ax)*float64(y-ay)/float64(by-ay))
			}
			p, q := at(row*r.cell), at((row+1)*r.cell)
			low, high = max(low, min(p, q)-1), min(high, max(p, q)+1)
		}
		first := uint32(1)
		for column := low / r.cell; column <= high/r.cell; column++ {
			visit(row*r.columns+column, first)
			first = 0
		}
	}
}

// meets reports whether an edge comes within a unit of the triangle. Time O(k) for k cells and edges in its box.
func (r *region) meets(a, b, c lattice.Point) bool {
	box := grown(lattice.BoxOf(a, b, c))
	if len(r.edges) == 0 || !box.Overlaps(r.box) {
		return false
	}
	lx, ly := box.Min.Sub(r.box.Min)
	hx, hy := box.Max.Sub(r.box.Min)
	for row := max(ly, 0) / r.cell; row <= min(hy/r.cell, r.rows-1); row++ {
		for column := max(lx, 0) / r.cell; column <= min(hx/r.cell, r.columns-1); column++ {
			cell := row*r.columns + column
			for _, n := range r.entries[r.start[cell]:r.start[cell+1]] {
				if e := &r.edges[n>>1]; box.Overlaps(lattice.BoxOf(e[0], e[1])) && near(e[0], e[1], a, b, c) {
					return true
				}
			}
		}
	}
	return false
}

// grown returns a box with a unit around it.
func grown(b lattice.Box) lattice.Box {
	return lattice.Box{Min: lattice.Point{X: b.Min.X - maxDrift, Y: b.Min.Y - maxDrift}, Max: lattice.Point{X: b.Max.X + maxDrift, Y: b.Max.Y + maxDrift}}
}

// near reports whether the segment pq comes within a unit of the counter-clockwise triangle abc: a border may have
// moved so far from its old place, and a polygon in its tip then has no contact with it. Two convex shapes are farther
// apart if all of one lies farther beyond a side of the other; and two that have nothing in common are as near as a
// corner of one to a side of the other.
func near(p, q, a, b, c lattice.Point) bool {
	sides := [3][2]lattice.Point{{a, b}, {b, c}, {c, a}}
	touch := true
	for _, side := range sides {
		o := max(lattice.Orient(side[0], side[1], p), lattice.Orient(side[0], side[1], q))
		if o < -unitBeyond(side[0], side[1]) {
			return false
		}
		touch = touch && o >= 0
	}
	x, y, z := lattice.Orient(p, q, a), lattice.Orient(p, q, b), lattice.Orient(p, q, c)
	low, high := min(x, y, z), max(x, y, z)
	if unit := unitBeyond(p, q); low > unit || high < -unit {
		return false
	}
	if touch && low <= 0 && high >= 0 {
		return true
	}
	within := func(v, from, to lattice.Point) bool {
		return lattice.SegmentDistance2(v, from, to).CompareInt(maxDrift*maxDrift) <= 0
	}
	for _, side := range sides {
		if within(p, side[0], side[1]) || within(q, side[0], side[1]) || within(side[0], p, q) {
			return true
		}
	}
	return false
}

// unitBeyond returns at least the orientation of a place a unit beside a segment.
func unitBeyond(a, b lattice.Point) int64 {
	dx, dy := b.Sub(a)
	return maxDrift * (max(dx, -dx) + max(dy, -dy))
}

// holds reports whether a point on no edge is in the region. Time O(k) for the k edges in its row.
func (r *region) holds(p lattice.Point) bool {
	if !r.box.Contains(p) {
		return false
	}
	_, y := p.Sub(r.box.Min)
	row := y / r.cell * r.columns
	inside := false
	for _, n := range r.entries[r.start[row]:r.start[row+r.columns]] {
		a, b := r.edges[n>>1][0], r.edges[n>>1][1]
		if n&1 == 0 || (a.Y <= p.Y) == (b.Y <= p.Y) {
			continue
		}
		if (lattice.Orient(a, b, p) > 0) == (b.Y > a.Y) {
			inside = !inside
		}
	}
	return inside
}

// trim removes triangles farther than a unit from all polygons. Triangles without contact to an edge are inside a
// polygon or outside all, like their neighbours across an edge.
func (m *mesh) trim(ctx context.Context, r *region, jobs int) error {
	const (
		unknown = iota
		touched
		inside
		outside
	)
	states := make([]uint8, len(m.triangles))
	n := len(m.triangles)
	err := par.For(ctx, jobs, (n+chunk-1)/chunk, func(i int) error {
		for t := i * chunk; t < min((i+1)*chunk, n); t++ {
			if c := m.triangles[t].corners; c != removed && r.meets(m.at[c[0]].Point, m.at[c[1]].Point, m.at[c[2]].Point) {
				states[t] = touched
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	var stack []int32
	for i := range m.triangles {
		if m.triangles[i].corners == removed || states[i] != unknown {
			continue
		}
		state := uint8(outside)
		if r.holds(m.at[m.triangles[i].corners[0]].Point) {
			state = inside
		}
		states[i] = state
		for stack = append(stack[:0], int32(i)); len(stack) > 0; {
			t := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for h := 4 * t; h < 4*t+3; h++ {
				if o := m.opposite[h]; o != none && states[o>>2] == unknown {
					states[o>>2] = state
					stack = append(stack, o>>2)
				}
			}
		}
	}
	for i := range m.triangles {
		if states[i] == outside {
			m.triangles[i].corners = removed
		}
	}
	return nil
}
