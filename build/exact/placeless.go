package exact

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Dense props are full of links between layers, and most of these links are in folds and nooks where no agent has a place. The floor around
// a crossing costs an overlay, so links without a place nearby go first.
//
// Source: none, this is a cover of a grid by the places near segments.
//
// Idea: a grid lies over the floor around some links. A cell is closed if all of the cell is nearer than the radius to one obstacle or edge, as
// for barren triangles (barren.go), or if no floor is in the cell. A link with only closed cells within the margin has no place nearby. The
// erosion of each layer then knows already that nothing is free there.
//
// Input: links of one crossing, and the floor that steps lead to from the links.
//
// Guarantees: the places stay the same: TestPlaceless.
//
// Degenerate cases: a point has no closed cells. Obstacles of a triangle with another storey above or below in the same floor do not
// count, because the crossing may have the other storey there.
//
// Cost: O(b·k + f·c) for b bars of k cells each and f floors of c cells each.

// cellsAcross is how many cells are in the agent's radius.
const cellsAcross = 8

// grid tells which cells around some links may have places.
type grid struct {
	low        lattice.Point
	side       int32
	wide, high int32
	cells      []cellState
	asked      int     // how many cells are neither closed nor open
	limit      float64 // how far the places of a closed cell are from a bar at most
	bars       []bar   // scratch
}

var grids = sync.Pool{New: func() any { return new(grid) }}

type cellState uint8

const (
	unasked cellState = iota // no link is within the margin
	asked
	closed // no place is in the cell
	open   // floor is in the cell
)

// dropPlaceless returns crossings without placeless links.
func (e *extraction) dropPlaceless(ctx context.Context, jobs int, groups []crossing, settlers *sync.Pool) ([]crossing, error) {
	return settledBy(ctx, jobs, len(groups), settlers, func(t *settler, i int) []crossing { return t.withPlaces(groups[i], nil) })
}

// withPlaces appends to out the crossing without its placeless links, as crossings that are settled again. Other storeys take no parts of the
// floor yet, so whole triangles alone close cells.
func (e *settler) withPlaces(c crossing, out []crossing) []crossing {
	g := &e.grid
	if !g.begin(e.extraction, &c) {
		return append(out, c)
	}
	for i := range c.floor {
		if f := &c.floor[i]; f.whole() {
			g.bars = e.appendBars(g.bars[:0], f.triangle)
			g.closeAll(g.bars)
		}
	}
	links := g.linked(e.extraction, &c)
	switch len(links) {
	case 0:
		return out
	case len(c.links):
		return append(out, c)
	}
	for _, c := range e.settle(links, nil) {
		out = e.withPlaces(c, out)
	}
	return out
}

// linksIn returns those links of a crossing that may have a place nearby on the floor around the crossing.
func (e *extraction) linksIn(c *crossing, around *territory) []link {
	g := grids.Get().(*grid)
	defer grids.Put(g)
	if !g.begin(e, c) {
		return c.links
	}
	for i := range around.walls {
		g.close(around.walls[i].bar())
	}
	g.bars = g.bars[:0]
	for _, r := range around.blocked {
		g.bars = appendRing(g.bars, r)
	}
	for i := range c.floor {
		if f := &c.floor[i]; f.whole() {
			g.bars = e.appendRimBars(g.bars, f.triangle)
		}
	}
	g.closeAll(g.bars)
	return g.linked(e, c)
}

// linked returns the links of a crossing with an open cell within the margin, once all bars have closed their cells.
func (g *grid) linked(e *extraction, c *crossing) []link {
	if g.asked == 0 {
		return nil
	}
	for i := range c.floor {
		t := c.floor[i].triangle
		for _, r := range e.rings(t) {
			g.open(r.Box(), &e.soup.Triangles[t].V, int32(e.gap)+touching)
		}
	}
	var links []link
	for i := range c.links {
		if k := &c.links[i]; g.isOpen(linkBox(k, e.margin())) {
			links = append(links, *k)
		}
	}
	return links
}

// linkBox returns the box of the places within a reach of a link.
func linkBox(k *link, reach int32) lattice.Box {
	return lattice.BoxOf(k.a.Point, k.b.Point).Grown(reach)
}

// begin lays cells over a crossing, and asks for the cells within the margin of a link. The result is false for a point, whose cells stay open.
func (g *grid) begin(e *extraction, c *crossing) bool {
	g.side = int32(e.radius / cellsAcross)
	g.limit = e.radius - e.gap - 4*touching - g.half()
	if g.side < 1 || g.limit <= 0 {
		return false
	}
	g.low = lattice.Point{X: c.box.Low[0], Y: c.box.Low[1]}
	g.wide, g.high = (c.box.High[0]-c.box.Low[0])/g.side+1, (c.box.High[1]-c.box.Low[1])/g.side+1
	n := int(g.wide) * int(g.high)
	g.cells = slices.Grow(g.cells[:0], n)[:n]
	clear(g.cells)
	g.asked = 0
	for i := range c.links {
		x0, y0, x1, y1 := g.within(linkBox(&c.links[i], e.margin()))
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				if at := &g.cells[y*g.wide+x]; *at == unasked {
					*at = asked
					g.asked++
				}
			}
		}
	}
	return true
}

// within returns the numbers of the first and last cells of a box along both axes. Beyond the grid, the box has the cells along the side of
// the grid.
func (g *grid) within(b lattice.Box) (x0, y0, x1, y1 int32) {
	x := func(at int32) int32 { return min(max((at-g.low.X)/g.side, 0), g.wide-1) }
	y := func(at int32) int32 { return min(max((at-g.low.Y)/g.side, 0), g.high-1) }
	return x(b.Min.X), y(b.Min.Y), x(b.Max.X), y(b.Max.Y)
}

// middle returns the middle of a cell.
func (g *grid) middle(x, y int32) point3 {
	return point3{float64(g.low.X) + float64((float64(x)+0.5)*float64(g.side)), float64(g.low.Y) + float64((float64(y)+0.5)*float64(g.side)), 0}
}

// half returns how far a corner of a cell is from the middle.
func (g *grid) half() float64 { return float64(g.side) * math.Sqrt2 / 2 }

func (g *grid) closeAll(bars []bar) {
	for _, b := range bars {
		g.close(b)
	}
}

// close closes the cells whose places are all near a bar.
func (g *grid) close(b bar) {
	if g.asked == 0 {
		return
	}
	from, to := lattice.Point{X: int32(b.x), Y: int32(b.y)}, lattice.Point{X: int32(b.x + b.dx), Y: int32(b.y + b.dy)}
	x0, y0, x1, y1 := g.within(lattice.BoxOf(from, to).Grown(int32(g.limit)))
	for y := y0; y <= y1; y++ {
		row := g.cells[y*g.wide : (y+1)*g.wide]
		for x := x0; x <= x1; x++ {
			if row[x] != asked {
				continue
			}
			if middle := g.middle(x, y); b.near(&middle, g.limit*g.limit) {
				row[x] = closed
				g.asked--
			}
		}
	}
}

// open opens the cells of the part of a floor in a box, with a margin, unless these cells are closed.
func (g *grid) open(b lattice.Box, v *[3]lattice.Vertex, margin int32) {
	x0, y0, x1, y1 := g.within(b.Grown(margin))
	p := prismOf(v, float64(margin)+g.half())
	for y := y0; y <= y1; y++ {
		row := g.cells[y*g.wide : (y+1)*g.wide]
		for x := x0; x <= x1; x++ {
			if row[x] != asked {
				continue
			}
			if middle := g.middle(x, y); p.holds(&middle) {
				row[x] = open
			}
		}
	}
}

// isOpen reports whether a cell of a box is open.
func (g *grid) isOpen(b lattice.Box) bool {
	x0, y0, x1, y1 := g.within(b)
	for y := y0; y <= y1; y++ {
		if slices.Contains(g.cells[y*g.wide+x0:y*g.wide+x1+1], open) {
			return true
		}
	}
	return false
}
