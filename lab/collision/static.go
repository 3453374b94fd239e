package collision

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Static finds the discs that touch any of some boxes that never move.
type Static interface {
	Name() string
	// Hits sets hit[i] for each disc that touches a box, and returns the number of tests of a disc and a box.
	Hits(hit []bool, discs []Disc) (tests int)
}

// AllBoxes tests every box.
type AllBoxes struct{ Boxes []lattice.Box }

// Name returns "all-pairs".
func (AllBoxes) Name() string { return "all-pairs" }

// Hits implements [Static].
func (s AllBoxes) Hits(hit []bool, discs []Disc) (tests int) {
	for i := range discs {
		hit[i] = false
		for k := range s.Boxes {
			tests++
			if discs[i].TouchesBox(&s.Boxes[k]) {
				hit[i] = true
				break
			}
		}
	}
	return tests
}

// BoxTree is a k-d tree over boxes, made once.
type BoxTree struct {
	boxes []lattice.Box
	nodes []boxNode
}

// boxNode is an inner node with a cut, or a leaf with boxes.
type boxNode struct {
	cut    int32
	across bool // the cut is along X
	kids   [2]int32
	boxes  []int32
}

// NewBoxTree makes a tree of a depth, cut at the medians of the middles of the boxes.
func NewBoxTree(boxes []lattice.Box, depth int) *BoxTree {
	t := &BoxTree{boxes: boxes}
	all := make([]int32, len(boxes))
	for i := range all {
		all[i] = int32(i)
	}
	t.grow(all, depth, false)
	return t
}

func (t *BoxTree) grow(members []int32, depth int, across bool) int32 {
	at := int32(len(t.nodes))
	t.nodes = append(t.nodes, boxNode{across: across, kids: [2]int32{-1, -1}})
	if depth == 0 || len(members) < 2 {
		t.nodes[at].boxes = members
		return at
	}
	ends := func(i int32) (low, high int32) {
		b := &t.boxes[i]
		if across {
			return b.Min.Y, b.Max.Y
		}
		return b.Min.X, b.Max.X
	}
	middle := func(i int32) int64 { low, high := ends(i); return int64(low) + int64(high) }
	order := slices.Clone(members)
	slices.SortFunc(order, func(a, b int32) int { return int(middle(a) - middle(b)) })
	cut := int32(middle(order[len(order)/2]) >> 1)
	var sides [2][]int32
	for _, i := range members {
		low, high := ends(i)
		if low <= cut {
			sides[0] = append(sides[0], i)
		}
		if high >= cut {
			sides[1] = append(sides[1], i)
		}
	}
	t.nodes[at].cut = cut
	for k, side := range sides {
		kid := t.grow(side, depth-1, !across)
		t.nodes[at].kids[k] = kid
	}
	return at
}

// Name returns "kd-tree".
func (t *BoxTree) Name() string { return "kd-tree" }

// Leaves returns the number of leaves.
func (t *BoxTree) Leaves() (n int) {
	for i := range t.nodes {
		if t.nodes[i].kids[0] < 0 {
			n++
		}
	}
	return n
}

// Hits implements [Static].
func (t *BoxTree) Hits(hit []bool, discs []Disc) (tests int) {
	for i := range discs {
		hit[i] = t.hits(0, &discs[i], &tests)
	}
	return tests
}

func (t *BoxTree) hits(at int32, d *Disc, tests *int) bool {
	n := &t.nodes[at]
	if n.kids[0] < 0 {
		for _, k := range n.boxes {
			*tests++
			if d.TouchesBox(&t.boxes[k]) {
				return true
			}
		}
		return false
	}
	x := d.At.X
	if n.across {
		x = d.At.Y
	}
	return x-d.Radius <= n.cut && t.hits(n.kids[0], d, tests) || x+d.Radius >= n.cut && t.hits(n.kids[1], d, tests)
}

// BoxGrid is a grid of cells with lists of boxes, made once: the spatial hash of the source with few cells, a modern grid
// with cells about as wide as two discs.
type BoxGrid struct {
	name          string
	boxes         []lattice.Box
	over          lattice.Box
	columns, rows int32
	cells         [][]int32
}

// NewBoxGrid makes a grid over a box.
func NewBoxGrid(name string, boxes []lattice.Box, over lattice.Box, columns, rows int32) *BoxGrid {
	g := &BoxGrid{name: name, boxes: boxes, over: over, columns: columns, rows: rows, cells: make([][]int32, columns*rows)}
	for i := range boxes {
		g.each(boxes[i], func(c int32) bool {
			g.cells[c] = append(g.cells[c], int32(i))
			return false
		})
	}
	return g
}

// Name returns the name of the grid.
func (g *BoxGrid) Name() string { return g.name }

// each visits the cells that a box meets, until a visit returns true.
func (g *BoxGrid) each(b lattice.Box, visit func(c int32) bool) bool {
	x0, x1 := cut(b.Min.X, g.over.Min.X, g.over.Max.X, g.columns), cut(b.Max.X, g.over.Min.X, g.over.Max.X, g.columns)
	y0, y1 := cut(b.Min.Y, g.over.Min.Y, g.over.Max.Y, g.rows), cut(b.Max.Y, g.over.Min.Y, g.over.Max.Y, g.rows)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if visit(y*g.columns + x) {
				return true
			}
		}
	}
	return false
}

// Hits implements [Static].
func (g *BoxGrid) Hits(hit []bool, discs []Disc) (tests int) {
	for i := range discs {
		d := &discs[i]
		hit[i] = g.each(d.box(), func(c int32) bool {
			for _, k := range g.cells[c] {
				tests++
				if d.TouchesBox(&g.boxes[k]) {
					return true
				}
			}
			return false
		})
	}
	return tests
}
