package raster

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
)

// surface is the accessible floor of the whole level: the pieces of all blocks and their continuations.
type surface struct {
	soup   *soup.Soup
	grid   *grid
	blocks []block
	// near lists for every block, piece after piece, the pieces that continue a piece.
	near      [][]nearPiece
	nearStart [][]int32
}

// pieceRef is the block of a piece and its place there.
type pieceRef struct{ block, index int32 }

// nearPiece is a piece that continues another across the side of their columns in a direction.
type nearPiece struct {
	pieceRef
	dir uint8
}

func (s *surface) piece(r pieceRef) *piece { return &s.blocks[r.block].pieces[r.index] }

// columnOf returns the column of a piece in the grid.
func (s *surface) columnOf(r pieceRef) (x, y int32) {
	b := &s.blocks[r.block]
	c := int32(b.pieces[r.index].column)
	return b.x + c%blockSide, b.y + c/blockSide
}

// piecesOf returns the block of column (x, y) and the span of its pieces there.
func (s *surface) piecesOf(x, y int32) (block, first, end int32) {
	if x < 0 || y < 0 || x >= s.grid.columns[0] || y >= s.grid.columns[1] {
		return 0, 0, 0
	}
	block = y/blockSide*s.grid.blocks[0] + x/blockSide
	start := s.blocks[block].start
	if start == nil {
		return block, 0, 0
	}
	c := y%blockSide*blockSide + x%blockSide
	return block, start[c], start[c+1]
}

// voxelsOf returns the voxels of the column (x, y), none for a column that is all interior.
func (s *surface) voxelsOf(x, y int32) []columnVoxel {
	if x < 0 || y < 0 || x >= s.grid.columns[0] || y >= s.grid.columns[1] {
		return nil
	}
	b := &s.blocks[y/blockSide*s.grid.blocks[0]+x/blockSide]
	if b.voxelStart == nil {
		return nil
	}
	c := y%blockSide*blockSide + x%blockSide
	return b.voxels[b.voxelStart[c]:b.voxelStart[c+1]]
}

// height returns the floor height of a piece at the centre of one of its cells.
func (s *surface) height(r pieceRef, cell int) int32 {
	b := &s.blocks[r.block]
	p := &b.pieces[r.index]
	if p.samples != noSamples {
		return b.heights[int(p.samples)+cell]
	}
	floor := b.floorOf(p)
	x, y := s.columnOf(r)
	c := s.grid.cell
	at := lattice.Point{
		X: x*s.grid.column + int32(cell)%side*c + c/2,
		Y: y*s.grid.column + int32(cell)/side*c + c/2,
	}
	highest := p.lo
	for _, i := range floor {
		t := &s.soup.Triangles[i].V
		if len(floor) == 1 || covers(t, at) {
			highest = max(highest, int32(math.Floor(planeOf(t).at(float64(at.X), float64(at.Y))+0.5)))
		}
	}
	return highest
}

// sideCell returns the k-th cell along the side of a column in direction d, counter-clockwise.
func sideCell(d, k int) int {
	switch d {
	case east:
		return k*side + side - 1
	case north:
		return (side-1)*side + k
	case west:
		return k * side
	default:
		return k
	}
}

// facing returns the cell across the side of a column in direction d from a cell at that side.
func facing(cell, d int) int {
	switch d {
	case east:
		return cell - (side - 1)
	case north:
		return cell - (side-1)*side
	case west:
		return cell + side - 1
	default:
		return cell + (side-1)*side
	}
}

// atSide reports whether a cell lies at the side of its column in direction d.
func atSide(cell, d int) bool {
	switch d {
	case east:
		return cell%side == side-1
	case north:
		return cell/side == side-1
	case west:
		return cell%side == 0
	default:
		return cell/side == 0
	}
}

// cellStep is the difference of bit numbers from a cell to its neighbour within the column.
var cellStep = [4]int{1, side, -1, -side}

// findNear finds the pieces that continue each other.
func (s *surface) findNear(ctx context.Context, jobs int) error {
	s.near = make([][]nearPiece, len(s.blocks))
	s.nearStart = make([][]int32, len(s.blocks))
	return par.For(ctx, jobs, len(s.blocks), func(i int) error {
		b := &s.blocks[i]
		start := make([]int32, len(b.pieces)+1)
		var near []nearPiece
		for k := range b.pieces {
			r := pieceRef{int32(i), int32(k)}
			x, y := s.columnOf(r)
			for d := range 4 {
				block, first, end := s.piecesOf(x+stepX[d], y+stepY[d])
				for q := first; q < end; q++ {
					if other := (pieceRef{block, q}); s.continues(r, other, d) {
						near = append(near, nearPiece{other, uint8(d)})
					}
				}
			}
			start[k+1] = int32(len(near))
		}
		s.near[i], s.nearStart[i] = near, start
		return nil
	})
}

// nearOf returns the pieces that continue r.
func (s *surface) nearOf(r pieceRef) []nearPiece {
	start := s.nearStart[r.block]
	return s.near[r.block][start[r.index]:start[r.index+1]]
}

// continues reports whether q, in the column next to r's in direction d, continues r: somewhere
// along the common side the two are within a step of each other.
func (s *surface) continues(r, q pieceRef, d int) bool {
	p, o := s.piece(r), s.piece(q)
	if p.lo > o.hi+s.grid.climb || o.lo > p.hi+s.grid.climb {
		return false
	}
	if p.samples == noSamples && o.samples == noSamples {
		// Neither has a rim at the common side, so one cell represents all.
		cell := sideCell(d, side/2)
		return abs32(s.height(r, cell)-s.height(q, facing(cell, d))) <= s.grid.climb
	}
	for k := range side {
		cell := sideCell(d, k)
		if s.meets(r, cell, q, facing(cell, d)) {
			return true
		}
	}
	return false
}

// meets reports whether both pieces cover their cell, at heights within a step.
func (s *surface) meets(r pieceRef, cell int, q pieceRef, other int) bool {
	return s.piece(r).mask>>cell&1 != 0 && s.piece(q).mask>>other&1 != 0 &&
		abs32(s.height(r, cell)-s.height(q, other)) <= s.grid.climb
}

// neighbour returns the piece and the cell that continue a piece's cell in direction d.
func (s *surface) neighbour(r pieceRef, cell, d int) (q pieceRef, other int, ok bool) {
	if atSide(cell, d) {
		other = facing(cell, d)
		for _, n := range s.nearOf(r) {
			if int(n.dir) != d {
				continue
			}
			if s.piece(r).samples == noSamples && s.piece(n.pieceRef).samples == noSamples || s.meets(r, cell, n.pieceRef, other) {
				return n.pieceRef, other, true
			}
		}
		return pieceRef{}, 0, false
	}
	other = cell + cellStep[d]
	if s.piece(r).samples == noSamples || s.meets(r, cell, r, other) {
		return r, other, true
	}
	x, y := s.columnOf(r)
	block, first, end := s.piecesOf(x, y)
	for i := first; i < end; i++ {
		if q := (pieceRef{block, i}); q != r && s.meets(r, cell, q, other) {
			return q, other, true
		}
	}
	return pieceRef{}, 0, false
}
