package gaps

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/rows"
)

// Grid lists for every square of the ground the boxes that touch the square.
type Grid struct {
	x, z, cell    float64
	width, height int
	items         rows.Rows[int32] // of each square
}

// NewGrid returns the grid of n boxes. Time O(n) for boxes that are not much larger than a square: about as many
// squares as boxes, of half a metre at least.
func NewGrid(n int, box func(i int) geom.Box) Grid {
	b := geom.EmptyBox()
	for i := range n {
		c := box(i)
		b = b.Extend(c.Min).Extend(c.Max)
	}
	size := b.Size()
	squares := float64(n + 64)
	g := Grid{x: b.Min.X, z: b.Min.Z, cell: max(0.5, math.Sqrt(size.X*size.Z/squares), max(size.X, size.Z)/4096)}
	g.width, g.height = int(size.X/g.cell)+1, int(size.Z/g.cell)+1
	g.items = rows.New(g.width*g.height, func(add func(cell, i int32)) {
		for i := range n {
			c := box(i)
			x0, z0, x1, z1 := g.span(c.Min.X, c.Min.Z, c.Max.X, c.Max.Z)
			for z := z0; z <= z1; z++ {
				for x := x0; x <= x1; x++ {
					add(int32(z*g.width+x), int32(i))
				}
			}
		}
	})
	return g
}

// Visit calls f with the boxes of the squares that a rectangle of the ground touches; a box may come several times.
func (g *Grid) Visit(xl, zl, xh, zh float64, f func(i int32)) {
	x0, z0, x1, z1 := g.span(xl, zl, xh, zh)
	for z := z0; z <= z1; z++ {
		for x := x0; x <= x1; x++ {
			for _, i := range g.items.Of(int32(z*g.width + x)) {
				f(i)
			}
		}
	}
}

// span returns the squares that a rectangle touches.
func (g *Grid) span(xl, zl, xh, zh float64) (x0, z0, x1, z1 int) {
	at := func(c float64, n int) int { return int(min(max(math.Floor(c/g.cell), 0), float64(n-1))) }
	return at(xl-g.x, g.width), at(zl-g.z, g.height), at(xh-g.x, g.width), at(zh-g.z, g.height)
}
