package index

// The floor of replaced regions, in blocks: see editor.go.
//
// Source: the path copying of Driscoll and others, see pages.go, on a tree of boxes.
//
// Idea: a region with many pieces has its floor in blocks. A block is two halves, or a leaf with cells. A change hands over
// the tree of blocks. A block in its place of before keeps its pieces, and the change walks down to the other leaves only.
// An Index holds the same tree with the numbers and boxes of the pieces: readers find the pieces near a place.
//
// Input: blocks whose cells do not overlap and lie in the region of the base.
//
// Guarantees:
//  1. The Index is the one of a region with the same cells and no blocks (TestBlocksAgainstScratch).
//  2. Pieces of blocks that stay keep their numbers and Refs, and their borders where no neighbour changes
//     (TestBlocksAgainstScratch).
//  3. Blocks without end, halves without a twin and too many blocks are errors (TestBlockErrors).
//
// Degenerate cases: a block without cells is a hole; a leaf may become halves, and halves a leaf.
//
// Cost: O(d) time and 112 bytes for d blocks above each leaf that differs; d is O(log n) for n leaves of like numbers in
// both halves.

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Block is the floor of a part of a region of the base: of two halves, or convex cells. A Block never changes. Where a
// region has the same Block in the same place before and after a change, the regions of its cells stay.
type Block struct {
	Halves [2]*Block // both or none
	Cells  []Cell    // without halves
}

// maxDepth bounds the halves of halves of a region, and maxBlocks the new blocks of a change.
const maxDepth, maxBlocks = 64, 1 << 22

// floor is a Block with the numbers of its pieces. A floor never changes.
type floor struct {
	block  *Block
	box    lattice.Box // around the pieces, seen from above
	halves [2]*floor   // both or none
	pieces []uint32    // without halves
}

// anyIn calls is for the pieces of all leaves whose boxes meet a box, until is returns true.
func (f *floor) anyIn(box lattice.Box, is func(r uint32) bool) bool {
	if f == nil || !f.box.Overlaps(box) {
		return false
	}
	if f.halves[0] != nil {
		return f.halves[0].anyIn(box, is) || f.halves[1].anyIn(box, is)
	}
	return slices.ContainsFunc(f.pieces, is)
}

// nearest calls try for the pieces of all leaves whose boxes come within a distance of (x, y), given by its square,
// nearer halves first. try may lessen the square.
func (f *floor) nearest(x, y float64, limit2 *float64, try func(r uint32)) {
	if f == nil || f.distance2(x, y) > *limit2 {
		return
	}
	if f.halves[0] == nil {
		for _, r := range f.pieces {
			try(r)
		}
		return
	}
	a, b := f.halves[0], f.halves[1]
	if b.distance2(x, y) < a.distance2(x, y) {
		a, b = b, a
	}
	a.nearest(x, y, limit2, try)
	b.nearest(x, y, limit2, try)
}

// distance2 returns the squared distance of (x, y) from the box of f.
func (f *floor) distance2(x, y float64) float64 {
	if f.box.IsEmpty() {
		return math.Inf(1)
	}
	dx := max(float64(f.box.Min.X)-x, 0, x-float64(f.box.Max.X))
	dy := max(float64(f.box.Min.Y)-y, 0, y-float64(f.box.Max.Y))
	return float64(dx*dx) + float64(dy*dy)
}

// all calls visit for all pieces.
func (f *floor) all(visit func(r uint32)) {
	if f == nil {
		return
	}
	f.halves[0].all(visit)
	f.halves[1].all(visit)
	for _, r := range f.pieces {
		visit(r)
	}
}

// anyOf calls is for a region, or for the pieces of a split region that may meet a box, until is returns true.
func (ix *Index) anyOf(r uint32, box lattice.Box, is func(r uint32) bool) bool {
	if !ix.Region(r).Split {
		return is(r)
	}
	return ix.fringeOf(r).floor.anyIn(box, is)
}

// stays reports whether a floor is that of a block.
func (f *floor) stays(b *Block) bool { return f != nil && b != nil && f.block == b }

// halvesWith returns the halves of a floor, to be compared with the halves of a block, none if the block has none.
func (f *floor) halvesWith(b *Block) (halves [2]*floor) {
	if f != nil && b != nil && b.Halves[0] != nil {
		return f.halves
	}
	return halves
}

// leaveUnder notes the pieces of a floor that goes where a block comes; nil for no floor and no block.
func (w *work) leaveUnder(f *floor, b *Block) {
	switch halves := f.halvesWith(b); {
	case f == nil || f.stays(b):
	case halves[0] != nil:
		w.leaveUnder(halves[0], b.Halves[0])
		w.leaveUnder(halves[1], b.Halves[1])
	default:
		f.all(w.left.add)
	}
}

// grow makes the floor of a block from the floor before, with piece for every new cell.
func (w *work) grow(f *floor, b *Block, piece func(c *Cell) uint32) *floor {
	if f.stays(b) {
		return f
	}
	out := &floor{block: b, box: lattice.EmptyBox()}
	if b.Halves[0] != nil {
		halves := f.halvesWith(b)
		for k := range halves {
			out.halves[k] = w.grow(halves[k], b.Halves[k], piece)
			out.box = out.box.Union(out.halves[k].box)
		}
		return out
	}
	out.pieces = make([]uint32, len(b.Cells))
	came := lattice.EmptyBox()
	for i := range b.Cells {
		out.pieces[i] = piece(&b.Cells[i])
		box := lattice.EmptyBox()
		for _, v := range b.Cells[i].Ring {
			box = box.Extend(v.Point)
		}
		out.box = out.box.Union(box)
		if !w.stays.has(out.pieces[i]) {
			came = came.Union(box)
		}
	}
	w.leaves = append(w.leaves, came)
	return out
}

// comingCells calls visit for the cells that [work.grow] makes pieces of.
func (w *work) comingCells(f *floor, b *Block, visit func(c *Cell)) {
	switch {
	case b == nil || f.stays(b):
	case b.Halves[0] != nil:
		halves := f.halvesWith(b)
		for k := range halves {
			w.comingCells(halves[k], b.Halves[k], visit)
		}
	default:
		for i := range b.Cells {
			visit(&b.Cells[i])
		}
	}
}

// checkBlocks returns the first fault of the blocks that differ from a floor.
func (e *Editor) checkBlocks(base uint32, f *floor, b *Block, depth int, cells, blocks *int) error {
	if f.stays(b) {
		return nil
	}
	switch *blocks++; {
	case b == nil || (b.Halves[0] == nil) != (b.Halves[1] == nil):
		return fmt.Errorf("query: editor: region %d has a block with one half", base)
	case b.Halves[0] != nil && len(b.Cells) > 0:
		return fmt.Errorf("query: editor: region %d has a block with halves and %d cells", base, len(b.Cells))
	case depth > maxDepth || *blocks > maxBlocks:
		return fmt.Errorf("query: editor: region %d has more than %d blocks, or blocks within more than %d others", base, maxBlocks, maxDepth)
	case b.Halves[0] != nil:
		halves := f.halvesWith(b)
		for k := range halves {
			if err := e.checkBlocks(base, halves[k], b.Halves[k], depth+1, cells, blocks); err != nil {
				return err
			}
		}
	}
	for k := range b.Cells {
		if fault := e.faultOf(base, &b.Cells[k]); fault != "" {
			return fmt.Errorf("query: editor: region %d, cell %d: %s", base, *cells, fault)
		}
		*cells++
	}
	return nil
}
