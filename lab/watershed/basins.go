package watershed

import (
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/grid"
)

// none is the basin of a cell that has none yet, or is not open.
const none int32 = -1

// flooding is the state of the transform over one grid.
type flooding struct {
	*grid.Grid
	dist  []int32
	basin []int32
	size  []int // cells of every basin
	cells []int // scratch
}

// flood divides the open cells into basins. Water rises from the cells that are farthest from all walls, a
// cell's width at a time. New water belongs to the adjacent basins, up to a number of cells away; farther
// water springs from its own hole.
func flood(g *grid.Grid) *flooding {
	f := &flooding{Grid: g, dist: blur(g, g.Distances()), basin: make([]int32, len(g.Open))}
	levels := f.byLevel()
	for k := range f.basin {
		f.basin[k] = none
	}
	var dry []int // reached by the water and without a basin
	for level := len(levels) - 1; level >= 0; level-- {
		dry = append(dry, levels[level]...)
		dry = f.expand(dry, maxExpand)
		for _, k := range dry {
			if f.basin[k] == none && f.nearest(k) == none {
				f.spring(k, int32(2*level))
			}
		}
		dry = slices.DeleteFunc(dry, func(k int) bool { return f.basin[k] != none })
	}
	f.expand(dry, len(dry))
	return f
}

// maxExpand is the growth of a basin at one level, in cells, before the rest springs anew.
const maxExpand = 8

// blur takes the mean of every cell and its eight neighbours, except at walls, to keep small bumps of the
// border from springing basins.
func blur(g *grid.Grid, d []int32) []int32 {
	out := slices.Clone(d)
	for y := 1; y < g.H-1; y++ {
		for x := 1; x < g.W-1; x++ {
			k := y*g.W + x
			if d[k] <= 2 {
				continue
			}
			sum := int32(0)
			for _, row := range [...]int{k - g.W, k, k + g.W} {
				sum += d[row-1] + d[row] + d[row+1]
			}
			out[k] = (sum + 5) / 9
		}
	}
	return out
}

// byLevel returns the open cells by half their distance, in the order of their numbers.
func (f *flooding) byLevel() [][]int {
	highest := int32(0)
	for _, d := range f.dist {
		highest = max(highest, d)
	}
	count := make([]int, highest/2+1)
	open := 0
	for k, d := range f.dist {
		if f.Open[k] {
			count[d/2]++
			open++
		}
	}
	all, levels := make([]int, open), make([][]int, len(count))
	for i, n := range count {
		levels[i], all = all[:0:n], all[n:]
	}
	for k, d := range f.dist {
		if f.Open[k] {
			levels[d/2] = append(levels[d/2], k)
		}
	}
	return levels
}

// expand lets the basins grow into the dry cells, all at the same speed, for a number of steps, and returns the
// cells that are still dry.
func (f *flooding) expand(dry []int, steps int) []int {
	type claim struct {
		cell  int
		basin int32
	}
	var claims []claim
	for range steps {
		claims = claims[:0]
		for _, k := range dry {
			if b := f.nearest(k); b != none {
				claims = append(claims, claim{k, b})
			}
		}
		if len(claims) == 0 {
			break
		}
		for _, c := range claims {
			f.claim(c.cell, c.basin)
		}
		dry = slices.DeleteFunc(dry, func(k int) bool { return f.basin[k] != none })
	}
	return dry
}

func (f *flooding) claim(k int, b int32) {
	f.basin[k] = b
	f.size[b]++
}

// nearest returns the basin of the deepest neighbour of cell k, the first of equals.
func (f *flooding) nearest(k int) int32 {
	b, deepest := none, int32(-1)
	f.cells = f.Neighbours(k, f.cells[:0])
	for _, n := range f.cells {
		if f.basin[n] != none && f.dist[n] > deepest {
			b, deepest = f.basin[n], f.dist[n]
		}
	}
	return b
}

// spring starts a basin at cell k: all dry cells that are connected with it at least as deep as the water has
// come, and not beside another basin. Cells beside another basin are left for growth.
func (f *flooding) spring(k int, level int32) {
	b := int32(len(f.size))
	f.size = append(f.size, 0)
	f.claim(k, b)
	var around [4]int
	todo := []int{k}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range f.Neighbours(at, around[:0]) {
			if f.basin[n] != none || f.dist[n] < level || f.besideOther(n, b) {
				continue
			}
			f.claim(n, b)
			todo = append(todo, n)
		}
	}
}

// besideOther tells whether cell k has a neighbour in another basin than b.
func (f *flooding) besideOther(k int, b int32) bool {
	f.cells = f.Neighbours(k, f.cells[:0])
	return slices.ContainsFunc(f.cells, func(n int) bool { return f.basin[n] != none && f.basin[n] != b })
}
