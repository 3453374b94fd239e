package raster

import (
	"context"

	"github.com/meadow-nav/meadow/internal/par"
)

// erosion holds the distance of cells to the border of the connected floor, for the pieces that a
// border is near to.
type erosion struct {
	surface  *surface
	segments [][]borderSegment // by block, piece after piece
	start    [][]int32         // by block: spans of segments
	bordered [][]uint64        // by block: columns with a border, as bits
	distance [][]float32       // by block: 64 for every piece that has a place in it, lattice units
	place    [][]int32         // by block and piece: index into distance, or far
	limit    float64           // distances from here on count as far
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
		distance: make([][]float32, n), place: make([][]int32, n),
	}
	e.limit = s.grid.radius + float64(s.grid.cell)
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
	f := borderFinder{surface: s}
	for k := range b.pieces {
		r := pieceRef{block, int32(k)}
		p := &b.pieces[k]
		before := len(e.segments[block])
		f.reset(r)
		for d := range 4 {
			f.find(e.openSides(r, d), d)
		}
		e.segments[block] = f.appendSegments(e.segments[block])
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
		var cells [side * side]float32
		for i := range cells {
			cells[i] = float32(e.limit)
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
func (e *erosion) stamp(cells *[side * side]float32, r pieceRef, window []pieceRef) bool {
	s := e.surface
	x, y := s.columnOf(r)
	mask := s.piece(r).mask
	c, column := float64(s.grid.cell), float64(s.grid.column)
	any := false
	for _, q := range window {
		qx, qy := s.columnOf(q)
		dx, dy := column*float64(qx-x), column*float64(qy-y)
		start := e.start[q.block]
		for _, seg := range e.segments[q.block][start[q.index]:start[q.index+1]] {
			seg = borderSegment{planar{seg.a.x + dx, seg.a.y + dy}, planar{seg.b.x + dx, seg.b.y + dy}}
			lo, hi := min(seg.a.y, seg.b.y)-e.limit, max(seg.a.y, seg.b.y)+e.limit
			left, right := min(seg.a.x, seg.b.x)-e.limit, max(seg.a.x, seg.b.x)+e.limit
			for cy := range side {
				py := float64(cy)*c + c/2
				if py < lo || py > hi {
					continue
				}
				for cx := range side {
					px := float64(cx)*c + c/2
					bit := cellBit(int32(cx), int32(cy))
					if px < left || px > right || mask>>bit&1 == 0 {
						continue
					}
					if d := float32(seg.distance(planar{px, py})); d < cells[bit] {
						cells[bit] = d
						any = true
					}
				}
			}
		}
	}
	return any
}

// at returns the distance of a cell's centre from the border in lattice units, at most the limit.
func (e *erosion) at(r pieceRef, cell int) float64 {
	p := e.place[r.block][r.index]
	if p == far {
		return e.limit
	}
	return float64(e.distance[r.block][int(p)+cell])
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
