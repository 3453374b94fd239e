package query

import "github.com/meadow-nav/meadow/lattice"

// beam is what a corner sees of a region: the points of the region between two directions from the corner, less than half a turn
// apart or just that much, both included. Of these only the ones are in a beam from which a shortest path may turn around the corner.
type beam struct {
	from        lattice.Point
	right, left direction
	turn        int32 // the corner
	way         int32 // in beams.ways, none for a region around the corner
}

// lights reports whether the point a way from the corner is in a beam of the region that it is in.
func (b *beam) lights(way direction) bool {
	return cross(b.right, way)|cross(way, b.left) >= 0 // neither is negative; one branch is faster than two
}

// beamWay is a portal that a beam comes through into a region, and where the beam was before: in beams.ways, or none where the
// portal is one of a region around the corner.
type beamWay struct {
	portal uint32
	before int32
}

// beams are all beams of an Index: those in region r are list[first[r]:first[r+1]].
type beams struct {
	list  []beam
	first []uint32
	ways  []beamWay

	in   []uint32 // the region of each beam, until they are sorted
	kept []int32  // of each view of the corner that was added last, its place in ways, or none
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

// sort brings the beams into the order of their regions; those of a region keep theirs.
func (b *beams) sort(regions int) {
	b.first = make([]uint32, regions+1)
	for _, r := range b.in {
		b.first[r+1]++
	}
	for r := range regions {
		b.first[r+1] += b.first[r]
	}
	sorted := make([]beam, len(b.list))
	next := append([]uint32(nil), b.first[:regions]...)
	for i, r := range b.in {
		sorted[next[r]] = b.list[i]
		next[r]++
	}
	b.list, b.in, b.kept = sorted, nil, nil
	b.ways = append([]beamWay(nil), b.ways...)
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
func (b *beams) bytes() int { return 32*len(b.list) + 4*len(b.first) + 8*len(b.ways) }
