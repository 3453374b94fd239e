package flat

import (
	"fmt"
	"math"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// grid is a map of cells, rows from the north.
type grid struct {
	width, height int
	open          []bool // walkable, row by row
	limits        level.Limits
}

// maxCells bounds the cells of a grid.
const maxCells = 1 << 24

// checkGridSize tells a size that does not fit into the given number of bytes or is too large.
func checkGridSize(width, height, held int) error {
	if width > held || height > held || uint64(width)*uint64(height) > uint64(held) {
		return fmt.Errorf("header declares %d × %d cells; file has %d bytes", width, height, held)
	}
	return checkCells(width, height)
}

// checkCells tells a size that is too large.
func checkCells(width, height int) error {
	if width > maxCells || height > maxCells || width*height > maxCells {
		return fmt.Errorf("%d × %d cells; the limit is %d", width, height, maxCells)
	}
	return nil
}

// plan traces the open cells. Cells join over their sides; cells that meet only in a corner do not, as nobody
// steps between two blocked cells there. A cell is cellWidth by cellHeight metres.
func (g *grid) plan(cellWidth, cellHeight float64) (*plan.Plan, error) {
	limit := float64(lattice.MaxCoord) * lattice.Unit
	if w, h := float64(g.width)*cellWidth, float64(g.height)*cellHeight; !(max(w, h) < limit) {
		return nil, fmt.Errorf("the map is %.6g × %.6g m; the limit is %.6g m; check the scale", w, h, limit)
	}
	// Cells are at least a lattice unit wide, so rounding keeps their order and the pattern.
	round := func(i int, size float64) int32 {
		return int32(math.Floor(float64(float64(i)*size)*lattice.UnitsPerMetre + 0.5))
	}
	at := func(x, y int) lattice.Point {
		return lattice.Point{X: round(x, cellWidth), Y: round(g.height, cellHeight) - round(y, cellHeight)}
	}
	var border []arc
	for y := range g.height {
		for x := range g.width {
			if !g.isOpen(x, y) {
				continue
			}
			if !g.isOpen(x, y+1) {
				border = append(border, arc{at(x, y+1), at(x+1, y+1)})
			}
			if !g.isOpen(x+1, y) {
				border = append(border, arc{at(x+1, y+1), at(x+1, y)})
			}
			if !g.isOpen(x, y-1) {
				border = append(border, arc{at(x+1, y), at(x, y)})
			}
			if !g.isOpen(x-1, y) {
				border = append(border, arc{at(x, y), at(x, y+1)})
			}
		}
		if err := g.limits.CheckPoints(len(border)); err != nil {
			return nil, fmt.Errorf("row %d: %w, the sides between open and blocked cells", y, err)
		}
	}
	frame := lattice.Frame{North: -int64(round(g.height, cellHeight))}
	return newPlan(frame, domains(border))
}

func (g *grid) isOpen(x, y int) bool {
	return x >= 0 && x < g.width && y >= 0 && y < g.height && g.open[y*g.width+x]
}
