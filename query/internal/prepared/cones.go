package prepared

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// cones are beams in a third of the memory, for meshes with labels. Paths over labels are walked from corner to corner, and need
// no ways of beams. Blocks of cones from neighbouring corners have a box: on open ground few blocks are on the way to a goal.
type cones struct {
	list   []cone
	turn   []uint16        // the corner of each cone
	points []lattice.Point // on the sides of cones
	first  []uint32        // the groups of region r are those from first[r] up to first[r+1]
	groups []coneBlock     // blocks of blocks
	blocks []coneBlock
}

// cone is a beam: the points on its right and left sides.
type cone struct{ right, left uint32 }

// coneBlock is a block of the cones from begin up to the begin of the next block, or of blocks, and the box of their corners.
type coneBlock struct {
	box   lattice.Box
	begin uint32
}

const (
	// coneBytes bounds the size of a cone with its part of a block.
	coneBytes = 13
	// inBlock is the most cones of a block, and the most blocks of a group.
	inBlock = 8
)

// newCones returns the cones of beams.
func newCones(ix *index.Index, b *beams) *cones {
	c := &cones{first: make([]uint32, 1, ix.RegionLimit()+1)}
	first := b.order(ix)
	for r := range uint32(ix.RegionLimit()) {
		begin := len(c.blocks)
		c.addBlocks(b.list[first[r]:first[r+1]], first[r])
		for ; begin < len(c.blocks); begin += inBlock {
			g := coneBlock{box: lattice.EmptyBox(), begin: uint32(begin)}
			for _, k := range c.blocks[begin:min(begin+inBlock, len(c.blocks))] {
				g.box = g.box.Union(k.box)
			}
			c.groups = append(c.groups, g)
		}
		c.first = append(c.first, uint32(len(c.groups)))
	}
	c.groups = append(c.groups, coneBlock{begin: uint32(len(c.blocks))})
	c.blocks = append(c.blocks, coneBlock{begin: uint32(len(b.list))})
	number := map[lattice.Point]uint32{}
	pointAt := func(p lattice.Point, d index.Direction) uint32 {
		// Sums may wrap around; differences do not.
		at := lattice.Point{X: p.X + d.X, Y: p.Y + d.Y}
		n, ok := number[at]
		if !ok {
			n = uint32(len(c.points))
			number[at] = n
			c.points = append(c.points, at)
		}
		return n
	}
	c.list, c.turn = make([]cone, len(b.list)), make([]uint16, len(b.list))
	for i := range b.list {
		o := &b.list[i]
		c.list[i], c.turn[i] = cone{pointAt(o.from, o.right), pointAt(o.from, o.left)}, uint16(o.turn)
	}
	return c
}

// addBlocks orders beams of a region, so that a block has neighbouring corners, and adds the blocks. The first beam is
// cone begin.
func (c *cones) addBlocks(list []beam, begin uint32) {
	if len(list) == 0 {
		return
	}
	box := lattice.EmptyBox()
	for i := range list {
		box = box.Extend(list[i].from)
	}
	if len(list) <= inBlock {
		c.blocks = append(c.blocks, coneBlock{box, begin})
		return
	}
	width, height := box.Size()
	slices.SortStableFunc(list, func(a, b beam) int {
		if width > height {
			return cmp.Compare(a.from.X, b.from.X)
		}
		return cmp.Compare(a.from.Y, b.from.Y)
	})
	half := (len(list)/2 + inBlock - 1) / inBlock * inBlock
	c.addBlocks(list[:half], begin)
	c.addBlocks(list[half:], begin+uint32(half))
}

// bytes returns the memory size of the cones.
func (c *cones) bytes() int {
	return 10*len(c.list) + 8*len(c.points) + 4*len(c.first) + 20*(len(c.groups)+len(c.blocks))
}

// ahead is a block of cones, or a group of blocks, in the region of an end, with a lower bound of the ways from the end over its
// corners to the other end.
type ahead struct {
	least float64
	block uint32
}

// face finds the groups of blocks in the regions of an end.
func (s *Search) face(w *Corners, end int, at, other lattice.Point) {
	c, folded := w.cones, s.folded[end][:0]
	for _, r := range s.Regions[end] {
		for k := c.first[r]; k < c.first[r+1]; k++ {
			folded = append(folded, ahead{leastOver(&c.groups[k].box, at, other), k})
		}
	}
	s.folded[end], s.ahead[end] = folded, s.ahead[end][:0]
}

// lookAhead finds the corner in sight of an end with the straightest way to the other end; ok is false if the end sees no corner.
func (s *Search) lookAhead(w *Corners, end int, at, other lattice.Point) (straightest seenFrom, ok bool) {
	s.face(w, end, at, other)
	straightest.least = math.Inf(1)
	straight := index.Distance(at, other)
	// Blocks near the straight way come first, and rule out most others.
	from := 0.0
	for to, detour := straight, 1.0/64; from < straightest.least && !math.IsInf(from, 1); from, detour = to, 4*detour {
		if to = straight + straight*detour; detour > 16 {
			to = math.Inf(1)
		}
		s.unfold(w, end, at, other, floats.Min(to, straightest.least))
		for i := range s.ahead[end] {
			a := &s.ahead[end][i]
			if a.least < from || a.least >= to || a.least >= straightest.least {
				continue
			}
			s.Seen[end] = s.Seen[end][:0]
			s.lookInto(w, end, a.block, at, other, straightest.least)
			for _, n := range s.Seen[end] {
				if n.least < straightest.least {
					straightest, ok = n, true
				}
			}
		}
	}
	return straightest, ok
}

// unfold replaces the groups of an end with ways shorter than most by their blocks.
func (s *Search) unfold(w *Corners, end int, at, other lattice.Point, most float64) {
	c, folded := w.cones, s.folded[end][:0]
	for _, g := range s.folded[end] {
		if g.least >= most {
			folded = append(folded, g)
			continue
		}
		for k := c.groups[g.block].begin; k < c.groups[g.block+1].begin; k++ {
			s.ahead[end] = append(s.ahead[end], ahead{leastOver(&c.blocks[k].box, at, other), k})
		}
	}
	s.folded[end] = folded
}

// lookWithin finds the corners in sight of an end whose straight ways to the other end are shorter than most.
func (s *Search) lookWithin(w *Corners, end int, at, other lattice.Point, most float64) {
	s.unfold(w, end, at, other, most)
	s.Seen[end] = s.Seen[end][:0]
	for i := range s.ahead[end] {
		if a := &s.ahead[end][i]; a.least < most {
			s.lookInto(w, end, a.block, at, other, most)
		}
	}
}

// lookInto adds the corners of a block whose cones contain an end, to those in sight of the end, if the straight way over
// the corner to the other end is shorter than most.
func (s *Search) lookInto(w *Corners, end int, block uint32, at, other lattice.Point, most float64) {
	c := w.cones
	for i := c.blocks[block].begin; i < c.blocks[block+1].begin; i++ {
		turn := c.turn[i]
		from := w.At[turn]
		way := index.Towards(from, at)
		d := way.Norm()
		least := d + index.Distance(from, other)
		if least >= most {
			continue
		}
		o := &c.list[i]
		if index.Cross(index.Towards(from, c.points[o.right]), way)|index.Cross(way, index.Towards(from, c.points[o.left])) >= 0 {
			s.Seen[end] = append(s.Seen[end], seenFrom{Turn: int32(turn), Distance: d, least: least})
		}
	}
}

// leastOver returns a lower bound of the ways from one point over a box to another.
func leastOver(b *lattice.Box, p, q lattice.Point) float64 {
	return distanceFrom(b, p) + distanceFrom(b, q)
}

// distanceFrom returns the distance of a point from a box.
func distanceFrom(b *lattice.Box, p lattice.Point) float64 {
	x := floats.Max(0, floats.Max(float64(b.Min.X)-float64(p.X), float64(p.X)-float64(b.Max.X)))
	y := floats.Max(0, floats.Max(float64(b.Min.Y)-float64(p.Y), float64(p.Y)-float64(b.Max.Y)))
	return index.Length(x, y)
}
