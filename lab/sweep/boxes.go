package sweep

import (
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

// room is a rectangle of boxes: those in columns x0 to x1 and rows y0 to y1, without the last of both.
type room struct{ x0, y0, x1, y1 int }

// combining joins the boxes of a grid to rooms.
type combining struct {
	*grid.Grid
	taken []bool
	rooms []room
}

// combine makes rooms of all open boxes. A room begins with the first box that has none, row by row, and takes
// whole rows and columns of boxes in turn on all sides, as long as all of them are free.
func combine(g *grid.Grid) *combining {
	c := &combining{Grid: g, taken: make([]bool, len(g.Open))}
	for k, open := range g.Open {
		if open && !c.taken[k] {
			x, y := k%g.W, k/g.W
			c.rooms = append(c.rooms, c.grow(room{x, y, x + 1, y + 1}))
		}
	}
	return c
}

// grow extends the room as far as possible and takes its boxes.
func (c *combining) grow(r room) room {
	east, north, west, south := true, true, true, true
	for east || north || west || south {
		if east = east && c.free(room{r.x1, r.y0, r.x1 + 1, r.y1}); east {
			r.x1++
		}
		if north = north && c.free(room{r.x0, r.y1, r.x1, r.y1 + 1}); north {
			r.y1++
		}
		if west = west && c.free(room{r.x0 - 1, r.y0, r.x0, r.y1}); west {
			r.x0--
		}
		if south = south && c.free(room{r.x0, r.y0 - 1, r.x1, r.y0}); south {
			r.y0--
		}
	}
	for y := r.y0; y < r.y1; y++ {
		for x := r.x0; x < r.x1; x++ {
			c.taken[y*c.W+x] = true
		}
	}
	return r
}

// free tells whether all boxes of a rectangle are open and in no room.
func (c *combining) free(r room) bool {
	if r.x0 < 0 || r.y0 < 0 || r.x1 > c.W || r.y1 > c.H {
		return false
	}
	for y := r.y0; y < r.y1; y++ {
		for x := r.x0; x < r.x1; x++ {
			if k := y*c.W + x; !c.Open[k] || c.taken[k] {
				return false
			}
		}
	}
	return true
}

// boxes returns how many boxes fit.
func (c *combining) boxes() (n int) {
	for _, r := range c.rooms {
		n += (r.x1 - r.x0) * (r.y1 - r.y0)
	}
	return n
}
