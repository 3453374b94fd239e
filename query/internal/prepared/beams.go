package prepared

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// beam is the part of a region that a corner sees between two directions from the corner, both included. The directions
// are at most half a turn apart. A beam contains only points from which a shortest path may turn around the corner.
type beam struct {
	from        lattice.Point
	right, left index.Direction
	turn        int32 // the corner
	way         int32 // index in beams.ways, none for a region around the corner
}

// lights reports whether the point at offset way from the corner is in the beam, for points of its region.
func (b *beam) lights(way index.Direction) bool {
	return index.Cross(b.right, way)|index.Cross(way, b.left) >= 0 // neither is negative; one branch is faster than two
}

// litBy returns 1 if the beam lights the point at offset way, else 0.
func (b *beam) litBy(way index.Direction) int {
	return 1 + int((index.Cross(b.right, way)|index.Cross(way, b.left))>>63)
}

// beamWay is the portal through which a beam enters a region, and the previous way of the beam: its index in
// beams.ways, or none for a portal of a region around the corner.
type beamWay struct {
	portal uint32
	before int32
}

// beams are all beams of an Index, in the order of their regions. Regions with many beams have many square cells: the
// beams that meet cell k are list[i] for the i in meets[first[k]:first[k+1]].
type beams struct {
	list  []beam
	cells []beamCells // of each region
	first []uint32
	meets []uint32
	ways  []beamWay

	in   []uint32 // the region of each beam, until the beams are sorted
	kept []int32  // for each view of the last corner, its index in ways, or none
}

// beamCells are the cells of a region: 1<<shift units wide, counted from a corner of its box, columns to a row.
type beamCells struct {
	corner         lattice.Point
	first, columns uint32
	shift          uint
}

// at returns the cell of a point of the region.
func (c *beamCells) at(p lattice.Point) uint32 {
	dx, dy := p.Sub(c.corner)
	return c.first + uint32(dy>>c.shift)*c.columns + uint32(dx>>c.shift)
}

// add adds the beams of a corner after its look around.
func (b *beams) add(ix *index.Index, turn int32, s *sight, walls wedge) {
	for _, r := range s.from {
		right, left := angleAt(ix, r, s.at)
		b.addWithin(beam{s.at, right, left, turn, index.None}, r, walls)
	}
	b.kept = b.kept[:0]
	for i := range s.views {
		v := &s.views[i]
		way := int32(len(b.ways))
		if !b.addWithin(beam{s.at, v.right, v.left, turn, way}, ix.Portal(v.portal).To, walls) {
			b.kept = append(b.kept, index.None)
			continue
		}
		// A view sees no more than the view before; hence the earlier beam has been kept.
		before := v.before
		if before != index.None {
			before = b.kept[before]
		}
		b.ways = append(b.ways, beamWay{v.portal, before})
		b.kept = append(b.kept, way)
	}
}

// addWithin adds the parts of a beam from which paths can turn around the corner: all directions but those that look
// straight through the corner at the walls' wedge.
func (b *beams) addWithin(all beam, r uint32, walls wedge) (any bool) {
	add := func(right, left index.Direction) {
		part := all
		part.right, part.left = right, left
		b.list, b.in = append(b.list, part), append(b.in, r)
		any = true
	}
	first, last := walls.from.Back(), walls.to.Back() // the excluded directions are between them, counter-clockwise
	out := func(d index.Direction) bool { return index.Cross(first, d) > 0 && index.Cross(d, last) > 0 }
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

// order brings the beams into the order of their regions, stably. The beams of region r are those from first[r] up to first[r+1].
func (b *beams) order(ix *index.Index) (first []uint32) {
	first = make([]uint32, ix.RegionLimit()+1)
	for _, r := range b.in {
		first[r+1]++
	}
	for r := range uint32(ix.RegionLimit()) {
		first[r+1] += first[r]
	}
	sorted := make([]beam, len(b.list))
	next := slices.Clone(first)
	for i, r := range b.in {
		sorted[next[r]] = b.list[i]
		next[r]++
	}
	b.list, b.in, b.kept, b.ways = sorted, nil, nil, slices.Clone(b.ways)
	return first
}

// sort brings the beams into the order of their regions, and makes the cells.
func (b *beams) sort(ix *index.Index) {
	first := b.order(ix)
	b.first = append(b.first, 0)
	b.cells = make([]beamCells, ix.RegionLimit())
	// Cells take more memory than all other data; with more beams, cells become larger.
	few := max(2, len(b.list)>>17)
	for r := range uint32(ix.RegionLimit()) {
		b.addCells(ix, uint32(r), first[r], first[r+1], uint32(few))
	}
}

// addCells adds the cells of region r, whose beams are the range from begin to end.
func (b *beams) addCells(ix *index.Index, r, begin, end, few uint32) {
	c, boxes := cellsOf(ix, r, uint32(len(b.first)-1), end-begin, few)
	b.cells[r] = c
	for _, box := range boxes {
		for i := begin; i < end; i++ {
			if b.list[i].meets(box) {
				b.meets = append(b.meets, i)
			}
		}
		b.first = append(b.first, uint32(len(b.meets)))
	}
}

// cellsOf returns the cells of region r with a number of beams: one cell for few beams, otherwise up to sixteen by sixteen, of
// which a beam across meets a few. The cells are numbered from first on.
func cellsOf(ix *index.Index, r, first, count, few uint32) (c beamCells, boxes []lattice.Box) {
	box := lattice.EmptyBox()
	for _, v := range ix.Ring(r) {
		box = box.Extend(v.Point)
	}
	width, height := box.Size()
	c = beamCells{corner: box.Min, first: first}
	across := int64(1)
	for n := count; n > few && across < 16; n /= 4 {
		across *= 2
	}
	for max(width, height)>>c.shift >= across {
		c.shift++
	}
	rows := height>>c.shift + 1
	c.columns = uint32(width>>c.shift + 1)
	side := int64(1) << c.shift
	for y := range rows {
		for x := range int64(c.columns) {
			low := lattice.Point{X: box.Min.X + int32(x*side), Y: box.Min.Y + int32(y*side)}
			boxes = append(boxes, lattice.Box{Min: low, Max: lattice.Point{X: int32(min(int64(low.X)+side, int64(box.Max.X))), Y: int32(min(int64(low.Y)+side, int64(box.Max.Y)))}})
		}
	}
	return c, boxes
}

// meets reports whether a beam may meet a box: the box is neither all on the right of the beam nor all on the left.
func (b *beam) meets(c lattice.Box) bool {
	right, left := false, false
	for _, p := range [4]lattice.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}} {
		way := index.Towards(b.from, p)
		right = right || index.Cross(b.right, way) >= 0
		left = left || index.Cross(way, b.left) >= 0
	}
	return right && left
}

// angleAt returns the angle of region r at a point of its border: the region is between right and left,
// counter-clockwise.
func angleAt(ix *index.Index, r uint32, at lattice.Point) (right, left index.Direction) {
	ring := ix.Ring(r)
	before := ring[len(ring)-1].Point
	for i := range ring {
		corner, after := ring[i].Point, ring[(i+1)%len(ring)].Point
		if corner == at {
			return index.Towards(at, after), index.Towards(at, before)
		}
		if before != at && lattice.OnSegment(at, before, corner) {
			return index.Towards(at, corner), index.Towards(at, before)
		}
		before = corner
	}
	return right, left
}

// bytes returns the memory size of the beams.
func (b *beams) bytes() int {
	return 32*(len(b.list)+len(b.cells)) + 4*(len(b.first)+len(b.meets)) + 8*len(b.ways)
}
