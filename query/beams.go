package query

import (
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

// beam is what a corner sees of a region: the points of the region between two directions from the corner, less than half a turn
// apart or just that much, both included. Of these only the ones are in a beam from which a shortest path may turn around the corner.
type beam struct {
	from        lattice.Point
	right, left direction
	turn        int32 // the corner
	way         int32 // in beams.ways, none for a region around the corner
}

// lights reports whether the point a way from the corner is in the beam, for points of its region.
func (b *beam) lights(way direction) bool {
	return cross(b.right, way)|cross(way, b.left) >= 0 // neither is negative; one branch is faster than two
}

// beamWay is a portal that a beam comes through into a region, and where the beam was before: in beams.ways, or none where the
// portal is one of a region around the corner.
type beamWay struct {
	portal uint32
	before int32
}

// beams are all beams of an Index, in the order of their regions. Regions are parted into square cells, the more the more beams
// there are in them: those that meet cell k are list[i] for the i in meets[first[k]:first[k+1]].
type beams struct {
	list  []beam
	cells []beamCells // of each region
	first []uint32
	meets []uint32
	ways  []beamWay

	in   []uint32 // the region of each beam, until they are sorted
	kept []int32  // of each view of the corner that was added last, its place in ways, or none
}

// beamCells are the cells of a region: 1<<shift units wide, from the one at a corner of its box on, columns to a row.
type beamCells struct {
	corner         lattice.Point
	first, columns uint32
	shift          uint
}

// at returns the cell that a point of the region is in.
func (c *beamCells) at(p lattice.Point) uint32 {
	dx, dy := p.Sub(c.corner)
	return c.first + uint32(dy>>c.shift)*c.columns + uint32(dx>>c.shift)
}

// add adds the beams of a corner that has looked around.
func (b *beams) add(ix *Index, turn int32, s *sight, walls wedge) {
	for _, r := range s.from {
		right, left := ix.angleAt(r, s.at)
		b.addWithin(beam{s.at, right, left, turn, none}, r, walls)
	}
	b.kept = b.kept[:0]
	for i := range s.views {
		v := &s.views[i]
		way := int32(len(b.ways))
		if !b.addWithin(beam{s.at, v.right, v.left, turn, way}, ix.portals[v.portal].to, walls) {
			b.kept = append(b.kept, none)
			continue
		}
		// What a view sees is seen by the one before it, too: that one has been kept.
		before := v.before
		if before != none {
			before = b.kept[before]
		}
		b.ways = append(b.ways, beamWay{v.portal, before})
		b.kept = append(b.kept, way)
	}
}

// addWithin adds those parts of a beam that paths from it can turn around the corner from: all but the directions that look
// back at the walls' wedge straight through the corner.
func (b *beams) addWithin(all beam, r uint32, walls wedge) (any bool) {
	add := func(right, left direction) {
		part := all
		part.right, part.left = right, left
		b.list, b.in = append(b.list, part), append(b.in, r)
		any = true
	}
	first, last := walls.from.back(), walls.to.back() // between them, counter-clockwise, are those that are left out
	out := func(d direction) bool { return cross(first, d) > 0 && cross(d, last) > 0 }
	firstIn, lastIn := all.lights(first), all.lights(last)
	switch {
	case walls == wedge{} || !firstIn && !lastIn && !out(all.right):
		add(all.right, all.left)
		return
	}
	if firstIn && !out(all.right) {
		add(all.right, first)
	}
	if lastIn && !out(all.left) {
		add(last, all.left)
	}
	return any
}

// sort brings the beams into the order of their regions, where they keep theirs, and makes the cells.
func (b *beams) sort(ix *Index) {
	first := make([]uint32, len(ix.regions)+1)
	for _, r := range b.in {
		first[r+1]++
	}
	for r := range ix.regions {
		first[r+1] += first[r]
	}
	sorted := make([]beam, len(b.list))
	next := slices.Clone(first)
	for i, r := range b.in {
		sorted[next[r]] = b.list[i]
		next[r]++
	}
	b.list, b.in, b.kept, b.ways = sorted, nil, nil, slices.Clone(b.ways)
	b.first = append(b.first, 0)
	b.cells = make([]beamCells, len(ix.regions))
	// The more beams there are, the larger cells are: they take more memory than all else.
	few := max(2, len(b.list)>>17)
	for r := range ix.regions {
		b.addCells(ix, uint32(r), first[r], first[r+1], uint32(few))
	}
}

// addCells adds the cells of the next region, whose beams are those from begin to end: up to sixteen by sixteen, of which a beam that goes
// across meets a few, and one for few beams.
func (b *beams) addCells(ix *Index, r, begin, end, few uint32) {
	box := lattice.EmptyBox()
	for _, v := range ix.ring(r) {
		box = box.Extend(v.Point)
	}
	width, height := box.Size()
	c := beamCells{corner: box.Min, first: uint32(len(b.first) - 1)}
	across := int64(1)
	for n := end - begin; n > few && across < 16; n /= 4 {
		across *= 2
	}
	for max(width, height)>>c.shift >= across {
		c.shift++
	}
	rows := height>>c.shift + 1
	c.columns = uint32(width>>c.shift + 1)
	b.cells[r] = c
	side := int64(1) << c.shift
	for y := range rows {
		for x := range int64(c.columns) {
			low := lattice.Point{X: box.Min.X + int32(x*side), Y: box.Min.Y + int32(y*side)}
			cell := lattice.Box{Min: low, Max: lattice.Point{X: int32(min(int64(low.X)+side, int64(box.Max.X))), Y: int32(min(int64(low.Y)+side, int64(box.Max.Y)))}}
			for i := begin; i < end; i++ {
				if b.list[i].meets(cell) {
					b.meets = append(b.meets, i)
				}
			}
			b.first = append(b.first, uint32(len(b.meets)))
		}
	}
}

// meets reports whether a beam may meet a box: that is not all on the right of it, or all on the left.
func (b *beam) meets(c lattice.Box) bool {
	right, left := false, false
	for _, p := range [4]lattice.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}} {
		way := towards(b.from, p)
		right = right || cross(b.right, way) >= 0
		left = left || cross(way, b.left) >= 0
	}
	return right && left
}

// angleAt returns the angle of region r at a point of its border: its points are those from right to left, counter-clockwise.
func (ix *Index) angleAt(r uint32, at lattice.Point) (right, left direction) {
	ring := ix.ring(r)
	before := ring[len(ring)-1].Point
	for i := range ring {
		corner, after := ring[i].Point, ring[(i+1)%len(ring)].Point
		if corner == at {
			return towards(at, after), towards(at, before)
		}
		if before != at && lattice.OnSegment(at, before, corner) {
			return towards(at, corner), towards(at, before)
		}
		before = corner
	}
	return right, left
}

// bytes returns how much memory the beams take.
func (b *beams) bytes() int {
	return 32*(len(b.list)+len(b.cells)) + 4*(len(b.first)+len(b.meets)) + 8*len(b.ways)
}
