package raster

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

const (
	// side is the number of fine cells along a column. A column's cells are the bits of a uint64.
	side = 8
	// blockSide is the number of columns along a block, the unit of parallel work.
	blockSide = 64
	// cellsPerRadius makes a column, 8 fine cells, wider than the agent's radius and a cell
	// together, so that erosion never looks past the next column.
	cellsPerRadius = 7
	// maxBlocks bounds the table of blocks: a square of about 120 km at the default cell size.
	maxBlocks = 1 << 24
)

// grid divides the frame into fine cells, columns and blocks. Cell (0, 0) starts at (0, 0).
type grid struct {
	cell           int32 // edge of a fine cell in lattice units, even so that centres are lattice points
	column         int32 // edge of a column
	columns        [2]int32
	blocks         [2]int32
	radius         float64 // of erosion, lattice units
	ring           int32   // how many columns away a border can matter
	climb, height  int32   // of the agent, lattice units; climb covers the rise of a slope in a cell
	simplify, seam float64 // tolerances of borders and of seams, lattice units
}

// defaultCellSize is the documented rule: a seventh of the radius, and for agents thinner than a
// twentieth of their height what an agent of that radius would get.
func defaultCellSize(radius, height float64) float64 {
	return max(radius, height/20) / cellsPerRadius
}

// newGrid returns the grid over a level, with the default cells for a cell size of 0. simplify is [floorplan.Options].Simplify.
func newGrid(s *soup.Soup, agent geom.Agent, cellSize, simplify float64) (grid, error) {
	if cellSize == 0 {
		cellSize = defaultCellSize(agent.Radius, agent.Height)
	}
	if !(cellSize >= 8*lattice.Unit && cellSize <= 1000) {
		return grid{}, fmt.Errorf("raster: cell size is %g m, must be %g to 1000 m", cellSize, 8*lattice.Unit)
	}
	g := grid{cell: 2 * int32(math.Ceil(cellSize*lattice.UnitsPerMetre/2))}
	g.column = side * g.cell
	c := float64(g.cell)
	// Two floors that end side by side must not share a border, so even a point agent keeps a
	// quarter of a cell away.
	g.radius = max(agent.Radius*lattice.UnitsPerMetre, c/4)
	g.ring = int32(math.Ceil((g.radius + c) / float64(g.column)))
	g.height = int32(math.Ceil(agent.Height * lattice.UnitsPerMetre))
	g.climb = int32(max(math.Floor(agent.MaxClimb*lattice.UnitsPerMetre), math.Ceil(c*agent.SlopeLimit().Tangent())+2))
	g.simplify = max(0, simplify) * lattice.UnitsPerMetre
	if simplify == 0 {
		g.simplify = c
	}
	g.seam = 0.75 * float64(g.column)
	// Accessible floors in one cell are at least a height apart, so a step below half a height leads to at most
	// one.
	g.climb = min(g.climb, g.height/2-1)
	extent := [2]int64{int64(s.Size.X), int64(s.Size.Y)}
	for k, e := range extent {
		g.columns[k] = int32(e/int64(g.column)) + 1
		g.blocks[k] = (g.columns[k] + blockSide - 1) / blockSide
	}
	if n := int64(g.blocks[0]) * int64(g.blocks[1]); n > maxBlocks {
		return grid{}, fmt.Errorf("raster: a level of %.0f × %.0f m needs %d blocks of cells of %.3f m, at most %d are possible: use a larger cell size",
			float64(extent[0])*lattice.Unit, float64(extent[1])*lattice.Unit, n, c*lattice.Unit, maxBlocks)
	}
	return g, nil
}

// The four directions in counter-clockwise order. Walking along the side of a cell in direction d
// with the cell on the left leads in direction d+1.
const (
	east = iota
	north
	west
	south
)

var (
	stepX = [4]int32{1, 0, -1, 0}
	stepY = [4]int32{0, 1, 0, -1}
)

// cellBit returns the bit number of the fine cell (x, y) of a column, 0 ≤ x, y < side.
func cellBit(x, y int32) int { return int(y*side + x) }
