// Package grid lays a grid of square cells over a domain and finds the free cells.
//
// Guarantees:
//  1. a cell is open exactly if its interior lies inside of the domain, decided exactly (TestOpen);
//  2. the common side of two open cells has no wall on it, except at its ends, so a border between cells runs
//     through free space;
//  3. there are at most as many cells as asked for, whatever the size of the domain (TestSize);
//  4. moving the domain moves the grid.
//
// Cost: O(n + cells), because the cells are so large that all walls together pass at most four times as many cells
// as the grid has.
package grid

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Grid is the cells over a polygon. Cell x, y is number y·W + x.
type Grid struct {
	Min  lattice.Point // a corner of the first cell
	Size int64         // of a cell, in lattice units
	W, H int
	Open []bool
}

// Budget returns how many cells are sensible for a polygon of n points: a fixed number, and some for every
// point, up to a limit. The size of the polygon does not matter.
func Budget(n int) int { return min(1<<14+64*n, 1<<22) }

// New lays a grid of at most budget cells over p. Cells are size units wide, or wider to stay within the
// budget; a size of 0 makes them as small as the budget allows.
func New(p lattice.Polygon, size int64, budget int) *Grid {
	box := p.Box()
	w, h := box.Size()
	round := int64(0) // how far it is around all rings, along the axes
	for _, r := range p.Rings {
		for i, a := range r {
			dx, dy := r[(i+1)%len(r)].Sub(a)
			round += max(dx, -dx) + max(dy, -dy)
		}
	}
	b := int64(max(budget, 1))
	least := max(size, 1, round/(4*b), int64(math.Sqrt(float64(w)/float64(b)*float64(h))))
	for lattice.CeilDiv(w, least)*lattice.CeilDiv(h, least) > b {
		least += least/64 + 1
	}
	g := &Grid{Min: box.Min, Size: least, W: int(lattice.CeilDiv(w, least)), H: int(lattice.CeilDiv(h, least))}
	g.Open = make([]bool, g.W*g.H)
	g.fill(p)
	return g
}

// Corner returns the corner of the grid at the lower left of cell x, y, at most one beyond the last. The
// corner may lie outside the box of the domain.
func (g *Grid) Corner(x, y int) lattice.Point {
	return lattice.Point{
		X: int32(int64(g.Min.X) + int64(x)*g.Size),
		Y: int32(int64(g.Min.Y) + int64(y)*g.Size),
	}
}

// fill finds the open cells: every wall first notes its crossing with the lower border of a row, or just
// above, and then closes the cells whose interior it passes.
func (g *Grid) fill(p lattice.Polygon) {
	inside := g.Open
	for _, r := range p.Rings {
		for i := range r {
			ax, ay, bx, by := g.local(r[i], r[(i+1)%len(r)])
			for row := lattice.CeilDiv(ay, g.Size); row*g.Size < by; row++ {
				// Cells at or right of the crossing change sides.
				if x := lattice.CeilDiv(ceilAt(ax, ay, bx, by, row*g.Size), g.Size); x < int64(g.W) {
					k := row*int64(g.W) + x
					inside[k] = !inside[k]
				}
			}
		}
	}
	for y := range g.H {
		in := false
		for k := y * g.W; k < (y+1)*g.W; k++ {
			in = in != inside[k]
			inside[k] = in
		}
	}
	for _, r := range p.Rings {
		for i := range r {
			g.shut(g.local(r[i], r[(i+1)%len(r)]))
		}
	}
}

// local returns a segment as seen from the corner of the grid, its lower end first.
func (g *Grid) local(a, b lattice.Point) (ax, ay, bx, by int64) {
	ax, ay = a.Sub(g.Min)
	bx, by = b.Sub(g.Min)
	if by < ay {
		return bx, by, ax, ay
	}
	return ax, ay, bx, by
}

// shut closes the cells whose interior the segment from ax, ay up to bx, by passes.
func (g *Grid) shut(ax, ay, bx, by int64) {
	if ay == by {
		if ay%g.Size != 0 {
			g.shutRow(ay/g.Size, min(ax, bx), max(ax, bx))
		}
		return
	}
	for row := ay / g.Size; row*g.Size < by; row++ {
		// The part of the segment in the row: the ends rounded outwards give the columns, because they stay on the
		// same side of every corner of the grid.
		lo, hi := max(ay, row*g.Size), min(by, (row+1)*g.Size)
		x0, x1 := floorAt(ax, ay, bx, by, lo), ceilAt(ax, ay, bx, by, hi)
		if bx < ax {
			x0, x1 = floorAt(ax, ay, bx, by, hi), ceilAt(ax, ay, bx, by, lo)
		}
		if ax == bx && ax%g.Size == 0 {
			continue // along a border between cells
		}
		g.shutRow(row, x0, x1)
	}
}

// shutRow closes the cells of a row between x0 and x1.
func (g *Grid) shutRow(row, x0, x1 int64) {
	k := row * int64(g.W)
	from, to := x0/g.Size, min(max(lattice.CeilDiv(x1, g.Size), x0/g.Size+1), int64(g.W))
	for x := from; x < to; x++ {
		g.Open[k+x] = false
	}
}

// floorAt and ceilAt return the rounded x of a non-level segment at height y. Differences are below 2³¹, so
// products fit 62 bits.
func floorAt(ax, ay, bx, by, y int64) int64 { return ax + lattice.FloorDiv((bx-ax)*(y-ay), by-ay) }
func ceilAt(ax, ay, bx, by, y int64) int64  { return ax - lattice.FloorDiv((ax-bx)*(y-ay), by-ay) }

// Distances returns for every cell the distance to the next closed cell, or to the outside of the grid, in
// steps of 2 to the side and 3 across corners: 0 for closed cells, 2 for cells beside one.
//
// Source: Borgefors, Distance transformations in digital images, Computer Vision, Graphics, and Image
// Processing 34 (1986), as used by Recast.
func (g *Grid) Distances() []int32 {
	d := make([]int32, len(g.Open))
	relax := func(k, x, y, dx, dy int) {
		near, step := int32(0), int32(2)
		if dx != 0 && dy != 0 {
			step = 3
		}
		if x+dx >= 0 && x+dx < g.W && y+dy >= 0 && y+dy < g.H {
			near = d[k+dy*g.W+dx]
		}
		d[k] = min(d[k], near+step)
	}
	for y := range g.H {
		for x := range g.W {
			if k := y*g.W + x; g.Open[k] {
				d[k] = math.MaxInt32
				relax(k, x, y, -1, 0)
				relax(k, x, y, -1, -1)
				relax(k, x, y, 0, -1)
				relax(k, x, y, 1, -1)
			}
		}
	}
	for y := g.H - 1; y >= 0; y-- {
		for x := g.W - 1; x >= 0; x-- {
			if k := y*g.W + x; g.Open[k] {
				relax(k, x, y, 1, 0)
				relax(k, x, y, 1, 1)
				relax(k, x, y, 0, 1)
				relax(k, x, y, -1, 1)
			}
		}
	}
	return d
}

// Neighbours appends the open cells that share a side with cell k to list: west, east, south, north.
func (g *Grid) Neighbours(k int, list []int) []int {
	x := k % g.W
	if x > 0 && g.Open[k-1] {
		list = append(list, k-1)
	}
	if x+1 < g.W && g.Open[k+1] {
		list = append(list, k+1)
	}
	if k >= g.W && g.Open[k-g.W] {
		list = append(list, k-g.W)
	}
	if k+g.W < len(g.Open) && g.Open[k+g.W] {
		list = append(list, k+g.W)
	}
	return list
}
