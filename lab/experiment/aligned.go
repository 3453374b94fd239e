package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Worlds of chapter 6 with walls in line.
//
// Source: H tables 6.1 to 6.8, for the numbers of obstacles and corners and for the free floor, as in [LakesWorlds];
// H section 3.1, for seeds and steps of one world unit.
//
// Idea: all walls are parallel to the axes and all corners lie on the grid of units, so many corners face each other
// along a common line. A cut along such a line serves two corners, and the number of regions falls.
//
// Guarantees: 11 obstacles, 58 corners, 363 to 371 square units of floor, the range of the source's tables, and a unit
// or more between obstacles (TestAlignedWorlds); [LeastByAxes] bounds the regions of every generator with cuts parallel
// to the axes from below (TestLeastByAxes, TestLeastByAxesHolds).
//
// Departures: the tables of the source speak of slanted walls as well, and its figure 6.1 shows them.

// The numbers of aligned worlds, in units.
const (
	alignedSide  = 21
	alignedBoxes = 4
	alignedElls  = 7
	alignedLong  = 5 // the longest side of a box; ells are up to a unit longer
	alignedFloor = 367
	alignedSlack = 4
)

// AlignedWorlds returns n worlds with the numbers of [LakesWorlds], and all corners on a grid of units. A unit is a
// metre.
func AlignedWorlds(n int) ([]World, error) {
	worlds := make([]World, n)
	for i := range worlds {
		rng := rand.New(rand.NewPCG(uint64(i)+1, 0x616c69676e))
		d, err := drawAligned(rng)
		if err != nil {
			return nil, fmt.Errorf("experiment: aligned %d: %w", i+1, err)
		}
		worlds[i] = World{Name: fmt.Sprintf("aligned %d", i+1), Domain: d}
	}
	return worlds, nil
}

// block is an obstacle of whole units: a box, or an ell without its corner beyond (cutX, cutY).
type block struct{ x, y, w, h, cutX, cutY int }

// drawAligned draws worlds until one has the right floor.
func drawAligned(rng *rand.Rand) (*plan.Domain, error) {
	for range worldsTried * worldsTried {
		var taken [alignedSide][alignedSide]bool
		free := alignedSide * alignedSide
		rings := []lattice.Ring{block{w: alignedSide, h: alignedSide, cutX: alignedSide, cutY: alignedSide}.outline()}
		slices.Reverse(rings[0])
		for k := range alignedElls + alignedBoxes {
			b, ok := drawBlock(rng, k < alignedElls, &taken)
			if !ok {
				break
			}
			free -= b.take(&taken)
			rings = append(rings, b.outline())
		}
		if len(rings) == 1+alignedElls+alignedBoxes && free >= alignedFloor-alignedSlack && free <= alignedFloor+alignedSlack {
			d := domainOf(rings)
			return d, d.Validate()
		}
	}
	return nil, errNoRoom
}

// drawBlock draws an obstacle at a place a unit or more away from the border and from all others.
func drawBlock(rng *rand.Rand, ell bool, taken *[alignedSide][alignedSide]bool) (block, bool) {
	for range placesTried {
		b := block{w: 1 + rng.IntN(alignedLong), h: 1 + rng.IntN(alignedLong)}
		if ell {
			b.w, b.h = max(b.w, 2)+1, max(b.h, 2)+1
		}
		b.x, b.y = 1+rng.IntN(alignedSide-1-b.w), 1+rng.IntN(alignedSide-1-b.h)
		b.cutX, b.cutY = b.w, b.h
		if ell {
			b.cutX, b.cutY = 1+rng.IntN(b.w-1), 1+rng.IntN(b.h-1)
		}
		if b.hasRoom(taken) {
			return b, true
		}
	}
	return block{}, false
}

// hasRoom tells whether no taken square lies within a unit of the block's.
func (b block) hasRoom(taken *[alignedSide][alignedSide]bool) bool {
	for i := range b.w {
		for j := range b.h {
			if !b.has(i, j) {
				continue
			}
			for x := b.x + i - 1; x <= b.x+i+1; x++ {
				for y := b.y + j - 1; y <= b.y+j+1; y++ {
					if taken[x][y] {
						return false
					}
				}
			}
		}
	}
	return true
}

// take marks the squares of the block and returns their number.
func (b block) take(taken *[alignedSide][alignedSide]bool) (n int) {
	for i := range b.w {
		for j := range b.h {
			if b.has(i, j) {
				taken[b.x+i][b.y+j] = true
				n++
			}
		}
	}
	return n
}

// has tells whether a square, counted from the block's corner, is a part of it.
func (b block) has(i, j int) bool { return i < b.cutX || j < b.cutY }

// outline returns the block as a hole, clockwise.
func (b block) outline() lattice.Ring {
	at := func(i, j int) lattice.Point {
		return lattice.Point{X: int32(b.x+i) * lattice.UnitsPerMetre, Y: int32(b.y+j) * lattice.UnitsPerMetre}
	}
	if b.cutX == b.w {
		return lattice.Ring{at(0, 0), at(0, b.h), at(b.w, b.h), at(b.w, 0)}
	}
	return lattice.Ring{at(0, 0), at(0, b.h), at(b.cutX, b.h), at(b.cutX, b.cutY), at(b.w, b.cutY), at(b.w, 0)}
}

// LeastByAxes returns a number of regions that no decomposition with cuts parallel to the axes goes below. Every notch
// of the floor needs a cut that ends at the notch, c cuts around h holes leave 1 + c - h regions or more, and a cut
// serves two notches only along a free line between them. Of lines that meet, one counts. The bound is the least
// number itself where all walls are parallel to the axes, as W. Lipski and others found in 1979. Time O(n³).
func LeastByAxes(d *plan.Domain) int {
	var notches []lattice.Point
	for _, ring := range d.Rings {
		for k, p := range ring {
			if lattice.Orient(ring[(k+len(ring)-1)%len(ring)], p, ring[(k+1)%len(ring)]) < 0 {
				notches = append(notches, p)
			}
		}
	}
	var across, up [][2]lattice.Point
	for _, p := range notches {
		for _, q := range notches {
			switch {
			case p.Y == q.Y && p.X < q.X && freeLine(d, p, q):
				across = append(across, [2]lattice.Point{p, q})
			case p.X == q.X && p.Y < q.Y && freeLine(d, p, q):
				up = append(up, [2]lattice.Point{p, q})
			}
		}
	}
	meet := make([][]int, len(across))
	for i, a := range across {
		for j, u := range up {
			if a[0].X <= u[0].X && u[0].X <= a[1].X && u[0].Y <= a[0].Y && a[0].Y <= u[1].Y {
				meet[i] = append(meet[i], j)
			}
		}
	}
	lines := len(across) + len(up) - matching(meet, len(up))
	return 1 + len(notches) - (len(d.Rings) - 1) - lines
}

// freeLine tells whether a line from p east or north to q has nothing but free floor between its ends.
func freeLine(d *plan.Domain, p, q lattice.Point) bool {
	step := lattice.Point{X: p.X + min(1, q.X-p.X), Y: p.Y + min(1, q.Y-p.Y)}
	for r, ring := range d.Rings {
		if inside := ring.Locate(step) == lattice.Inside; inside != (r == 0) {
			return false
		}
		for k, a := range ring {
			if between(a, ring[(k+1)%len(ring)], p, q) {
				return false
			}
		}
	}
	return true
}

// between tells whether the segment from a to b has a point strictly between p and q, which lie east or north of each
// other.
func between(a, b, p, q lattice.Point) bool {
	if p.X == q.X {
		a, b, p, q = lattice.Point{X: a.Y, Y: a.X}, lattice.Point{X: b.Y, Y: b.X}, lattice.Point{X: p.Y, Y: p.X}, lattice.Point{X: q.Y, Y: q.X}
	}
	if a.Y == p.Y && b.Y == p.Y {
		return min(a.X, b.X) < q.X && max(a.X, b.X) > p.X
	}
	if min(a.Y, b.Y) > p.Y || max(a.Y, b.Y) < p.Y {
		return false
	}
	west, east := lattice.Orient(a, b, p), lattice.Orient(a, b, q)
	return west > 0 && east < 0 || west < 0 && east > 0
}

// matching returns the size of a largest matching of a bipartite graph, by augmenting paths.
func matching(next [][]int, right int) (size int) {
	of := make([]int, right) // the left partner, plus 1
	var seen []bool
	var augment func(i int) bool
	augment = func(i int) bool {
		for _, j := range next[i] {
			if seen[j] {
				continue
			}
			seen[j] = true
			if of[j] == 0 || augment(of[j]-1) {
				of[j] = i + 1
				return true
			}
		}
		return false
	}
	for i := range next {
		seen = make([]bool, right)
		if augment(i) {
			size++
		}
	}
	return size
}
