package world

import (
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// watchGrid finds boxes that come and go.
//
// Source: M. Eitz and G. Lixu, Hierarchical spatial hashing for real-time collision detection, Shape Modeling International
// 2007.
//
// Idea: level k has square cells of 2ᵏ m, seen from above. A box lies in the first level whose cells are at least as wide as the
// box, in the one to four cells under the box. A lookup visits the cells of each level that has boxes; where more
// cells lie under the looked-up box than have boxes, the lookup visits the cells with boxes instead. Boxes wider than all
// cells lie in one list.
type watchGrid struct {
	cells [maxWatchLevel + 1]map[watchCell][]*watchPart
	some  uint32 // bit k for a level k with boxes
	wide  []*watchPart
}

const (
	minWatchLevel = 3  // 8 m: as wide as usual changes
	maxWatchLevel = 20 // 1000 km
	// maxWatchCell bounds the coordinates of cells. The outermost cells hold all boxes beyond.
	maxWatchCell = 1 << 30
)

// watchCell is the coordinates of a cell along X and Z.
type watchCell struct{ x, z int32 }

// watchRange returns the cells of a level under a box.
func watchRange(b geom.Box, level int) (low, high watchCell) {
	cell := func(v float64) int32 {
		return int32(math.Floor(max(-maxWatchCell, min(maxWatchCell, math.Ldexp(v, -level)))))
	}
	return watchCell{cell(b.Min.X), cell(b.Min.Z)}, watchCell{cell(b.Max.X), cell(b.Max.Z)}
}

// place returns the level and the cells of a box; ok is false for boxes of the list.
func (g *watchGrid) place(b geom.Box) (level int, low, high watchCell, ok bool) {
	width := max(b.Max.X-b.Min.X, b.Max.Z-b.Min.Z)
	if !(width <= 1<<maxWatchLevel) {
		return 0, low, high, false
	}
	level = minWatchLevel
	for width > math.Ldexp(1, level) {
		level++
	}
	low, high = watchRange(b, level)
	return level, low, high, true
}

// add adds a part.
func (g *watchGrid) add(p *watchPart) {
	level, low, high, ok := g.place(p.box)
	if !ok {
		g.wide = append(g.wide, p)
		return
	}
	if g.cells[level] == nil {
		g.cells[level] = map[watchCell][]*watchPart{}
	}
	g.some |= 1 << level
	for x := low.x; x <= high.x; x++ {
		for z := low.z; z <= high.z; z++ {
			c := watchCell{x, z}
			g.cells[level][c] = append(g.cells[level][c], p)
		}
	}
}

// remove removes a part that was added.
func (g *watchGrid) remove(p *watchPart) {
	level, low, high, ok := g.place(p.box)
	if !ok {
		g.wide = without(g.wide, p)
		return
	}
	for x := low.x; x <= high.x; x++ {
		for z := low.z; z <= high.z; z++ {
			c := watchCell{x, z}
			if list := without(g.cells[level][c], p); len(list) > 0 {
				g.cells[level][c] = list
			} else {
				delete(g.cells[level], c)
			}
		}
	}
	if len(g.cells[level]) == 0 {
		g.some &^= 1 << level
		g.cells[level] = nil
	}
}

// without returns a list without an element. The last element takes the free place.
func without(list []*watchPart, p *watchPart) []*watchPart {
	i := slices.Index(list, p)
	n := len(list) - 1
	list[i], list[n] = list[n], nil
	return list[:n]
}

// near calls visit with all parts whose boxes may meet a box: each at least once.
func (g *watchGrid) near(b geom.Box, visit func(*watchPart)) {
	for some := g.some; some != 0; some &= some - 1 {
		level := bits.TrailingZeros32(some)
		cells := g.cells[level]
		low, high := watchRange(b, level)
		wide, deep := int64(high.x)-int64(low.x)+1, int64(high.z)-int64(low.z)+1
		if wide*deep > int64(len(cells)) {
			for _, list := range cells {
				visitAll(list, visit)
			}
			continue
		}
		for x := low.x; x <= high.x; x++ {
			for z := low.z; z <= high.z; z++ {
				visitAll(cells[watchCell{x, z}], visit)
			}
		}
	}
	visitAll(g.wide, visit)
}

func visitAll(list []*watchPart, visit func(*watchPart)) {
	for _, p := range list {
		visit(p)
	}
}
