package dirichlet

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/internal/grid"
)

// placing puts control points into the open cells of a grid. Cells near a point, without a wall between, are
// covered and take no other point.
type placing struct {
	*grid.Grid
	covered []bool
	seen    []int32 // the last point whose cover came to a cell, from 1
	queue   []int
	points  []lattice.Point
}

func newPlacing(g *grid.Grid) *placing {
	return &placing{Grid: g, covered: make([]bool, len(g.Open)), seen: make([]int32, len(g.Open))}
}

// centres puts a point at each local maximum of the distance to the walls: the middle of rooms, and the middle line
// of corridors, the widest first. A point covers spread times its distance to the walls, and at least some cells, so
// that long corridors do not get too many points.
func (p *placing) centres(spread, least float64) {
	dist := p.Distances()
	var tops []int
	for k, d := range dist {
		if p.Open[k] && p.isTop(dist, k, d) {
			tops = append(tops, k)
		}
	}
	slices.SortStableFunc(tops, func(a, b int) int { return cmp.Compare(dist[b], dist[a]) })
	for _, k := range tops {
		if !p.covered[k] {
			p.put(k, max(spread*float64(dist[k])/2, least))
		}
	}
}

// isTop tells whether no cell around cell k is farther from the walls.
func (p *placing) isTop(dist []int32, k int, d int32) bool {
	x, y := k%p.W, k/p.W
	for v := max(y-1, 0); v <= min(y+1, p.H-1); v++ {
		for u := max(x-1, 0); u <= min(x+1, p.W-1); u++ {
			if dist[v*p.W+u] > d {
				return false
			}
		}
	}
	return true
}

// darts throws points at open cells, each as likely as any other, that are not nearer to each other than apart,
// until there is room for no more.
func (p *placing) darts(rng *rand.Rand, apart float64) {
	type lot struct {
		key  uint64
		cell int
	}
	// Whole words are the same on every machine; rand's ints are not.
	var lots []lot
	for k, o := range p.Open {
		if o {
			lots = append(lots, lot{rng.Uint64(), k})
		}
	}
	slices.SortFunc(lots, func(a, b lot) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.cell, b.cell))
	})
	for _, l := range lots {
		if !p.covered[l.cell] {
			p.put(l.cell, apart)
		}
	}
}

// put makes the middle of cell k a control point, and covers the cells connected with it within a disc of radius
// cells.
func (p *placing) put(k int, radius float64) {
	x, y := k%p.W, k/p.W
	c := p.Corner(x, y)
	p.points = append(p.points, lattice.Point{X: c.X + int32(p.Size/2), Y: c.Y + int32(p.Size/2)})
	stamp := int32(len(p.points))
	p.queue = append(p.queue[:0], k)
	p.seen[k] = stamp
	p.covered[k] = true
	var around [4]int
	for i := 0; i < len(p.queue); i++ {
		for _, n := range p.Neighbours(p.queue[i], around[:0]) {
			dx, dy := float64(n%p.W-x), float64(n/p.W-y)
			if p.seen[n] != stamp && float64(dx*dx)+float64(dy*dy) <= float64(radius*radius) {
				p.seen[n] = stamp
				p.covered[n] = true
				p.queue = append(p.queue, n)
			}
		}
	}
}
