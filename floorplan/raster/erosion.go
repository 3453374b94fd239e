package raster

import (
	"context"
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/internal/par"
)

// borderSegment is a straight stretch of the border of the accessible floor, in cells from the
// corner of its column.
type borderSegment struct{ x0, y0, x1, y1 int32 }

// erosion holds the exact squared distance of cells to the border of the connected floor, in half
// cells squared, for the pieces that a border is near to.
type erosion struct {
	surface  *surface
	segments [][]borderSegment // by block, piece after piece
	start    [][]int32         // by block: spans of segments
	bordered [][]uint64        // by block: columns with a border, as bits
	distance [][]int32         // by block: 64 for every piece that has a place in it
	place    [][]int32         // by block and piece: index into distance, or far
	limit    int32             // distances from here on count as far
}

// far is the place of a piece that no border is near to.
const far = -1

// erode measures how far the cells near a border are from it. The floor is followed over steps, so
// a border on another storey does not count, and there is no bound on the radius.
func erode(ctx context.Context, s *surface, jobs int) (*erosion, error) {
	n := len(s.blocks)
	e := &erosion{
		surface:  s,
		segments: make([][]borderSegment, n), start: make([][]int32, n), bordered: make([][]uint64, n),
		distance: make([][]int32, n), place: make([][]int32, n),
	}
	reach := (s.grid.radius + float64(s.grid.cell)) * 2 / float64(s.grid.cell)
	e.limit = int32(math.Ceil(reach * reach))
	if err := par.For(ctx, jobs, n, func(i int) error { e.findBorders(int32(i)); return nil }); err != nil {
		return nil, err
	}
	err := par.For(ctx, jobs, n, func(i int) error { e.measure(int32(i)); return nil })
	return e, err
}

// findBorders collects the border segments of the pieces of a block.
func (e *erosion) findBorders(block int32) {
	s := e.surface
	b := &s.blocks[block]
	e.start[block] = make([]int32, len(b.pieces)+1)
	e.bordered[block] = make([]uint64, blockSide*blockSide/64)
	for k := range b.pieces {
		r := pieceRef{block, int32(k)}
		p := &b.pieces[k]
		before := len(e.segments[block])
		for d := range 4 {
			open := e.openSides(r, d)
			e.segments[block] = appendSegments(e.segments[block], open, d)
		}
		if len(e.segments[block]) > before {
			e.bordered[block][p.column/64] |= 1 << (p.column % 64)
		}
		e.start[block][k+1] = int32(len(e.segments[block]))
	}
}

// openSides returns the cells of a piece that nothing continues in direction d.
func (e *erosion) openSides(r pieceRef, d int) uint64 {
	s := e.surface
	p := s.piece(r)
	candidates := p.mask
	if p.samples == noSamples {
		for _, n := range s.nearOf(r) {
			if int(n.dir) == d && s.piece(n.pieceRef).samples == noSamples {
				return 0
			}
		}
		candidates = 0
		for k := range side {
			candidates |= 1 << sideCell(d, k)
		}
	}
	var open uint64
	for cell := range cellsOf(candidates) {
		if _, _, ok := s.neighbour(r, cell, d); !ok {
			open |= 1 << cell
		}
	}
	return open
}

// appendSegments joins the open sides in direction d to straight segments.
func appendSegments(segments []borderSegment, open uint64, d int) []borderSegment {
	upright := d == east || d == west
	along := 1
	if upright {
		along = side
	}
	for open != 0 {
		first := bits.TrailingZeros64(open)
		last := first
		open &^= 1 << first
		for {
			next := last + along
			if next >= side*side || !upright && next%side == 0 || open>>next&1 == 0 {
				break
			}
			open &^= 1 << next
			last = next
		}
		x0, y0 := int32(first)%side, int32(first)/side
		x1, y1 := int32(last)%side+1, int32(last)/side+1
		switch d {
		case east:
			x0 = x1
		case west:
			x1 = x0
		case north:
			y0 = y1
		case south:
			y1 = y0
		}
		segments = append(segments, borderSegment{x0, y0, x1, y1})
	}
	return segments
}

// measure computes the distances of the pieces of a block to the border segments around them.
func (e *erosion) measure(block int32) {
	s := e.surface
	b := &s.blocks[block]
	e.place[block] = make([]int32, len(b.pieces))
	var window []pieceRef
	for k := range b.pieces {
		r := pieceRef{block, int32(k)}
		e.place[block][k] = far
		if !e.borderNear(r) {
			continue
		}
		window = e.window(window[:0], r)
		var cells [side * side]int32
		for i := range cells {
			cells[i] = e.limit
		}
		if e.stamp(&cells, r, window) {
			e.place[block][k] = int32(len(e.distance[block]))
			e.distance[block] = append(e.distance[block], cells[:]...)
		}
	}
}

// borderNear reports whether a column within the ring around r has a border at all.
func (e *erosion) borderNear(r pieceRef) bool {
	s := e.surface
	x, y := s.columnOf(r)
	ring := s.grid.ring
	for cy := max(0, y-ring); cy <= min(s.grid.columns[1]-1, y+ring); cy++ {
		for cx := max(0, x-ring); cx <= min(s.grid.columns[0]-1, x+ring); cx++ {
			bordered := e.bordered[cy/blockSide*s.grid.blocks[0]+cx/blockSide]
			c := cy%blockSide*blockSide + cx%blockSide
			if bordered[c/64]>>(c%64)&1 != 0 {
				return true
			}
		}
	}
	return false
}

// window appends the pieces that the floor reaches from r without leaving the ring of columns
// around it.
func (e *erosion) window(found []pieceRef, r pieceRef) []pieceRef {
	s := e.surface
	x, y := s.columnOf(r)
	found = append(found, r)
	for i := 0; i < len(found); i++ {
	neighbours:
		for _, n := range s.nearOf(found[i]) {
			cx, cy := s.columnOf(n.pieceRef)
			if abs32(cx-x) > s.grid.ring || abs32(cy-y) > s.grid.ring {
				continue
			}
			for _, f := range found {
				if f == n.pieceRef {
					continue neighbours
				}
			}
			found = append(found, n.pieceRef)
		}
	}
	return found
}

// stamp lowers the distances of r's cells to those of the border segments of the pieces in window;
// false when none of them is nearer than the limit.
func (e *erosion) stamp(cells *[side * side]int32, r pieceRef, window []pieceRef) bool {
	s := e.surface
	x, y := s.columnOf(r)
	mask := s.piece(r).mask
	any := false
	for _, q := range window {
		qx, qy := s.columnOf(q)
		dx, dy := 2*side*(qx-x), 2*side*(qy-y)
		start := e.start[q.block]
		for _, seg := range e.segments[q.block][start[q.index]:start[q.index+1]] {
			// In half cells from the corner of r's column; cell centres are odd.
			x0, x1 := 2*seg.x0+dx, 2*seg.x1+dx
			y0, y1 := 2*seg.y0+dy, 2*seg.y1+dy
			for cy := range int32(side) {
				v := max(0, y0-(2*cy+1), 2*cy+1-y1)
				if v*v >= e.limit {
					continue
				}
				for cx := range int32(side) {
					h := max(0, x0-(2*cx+1), 2*cx+1-x1)
					c := cy*side + cx
					if d := v*v + h*h; d < cells[c] && mask>>c&1 != 0 {
						cells[c] = d
						any = true
					}
				}
			}
		}
	}
	return any
}

// at returns the distance of a cell from the border in lattice units, at most the limit.
func (e *erosion) at(r pieceRef, cell int) float64 {
	d := e.limit
	if p := e.place[r.block][r.index]; p != far {
		d = e.distance[r.block][int(p)+cell]
	}
	return math.Sqrt(float64(d)) * float64(e.surface.grid.cell) / 2
}

// inside returns the cells of a piece whose centres keep the agent's radius from every border.
func (e *erosion) inside(r pieceRef) uint64 {
	mask := e.surface.piece(r).mask
	if e.place[r.block][r.index] == far {
		return mask
	}
	for cell := range cellsOf(mask) {
		if e.at(r, cell) < e.surface.grid.radius {
			mask &^= 1 << cell
		}
	}
	return mask
}
