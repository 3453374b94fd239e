package query

import (
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// Regions returns the regions on the path, in order. The list belongs to the Path; the first call makes the list, in time
// O(n) for n regions. A path that is no longer valid, see [Path], has no regions.
func (p Path) Regions() []navmesh.Ref {
	t := p.trail
	if t == nil {
		return nil
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.mark != p.mark {
		return nil
	}
	if len(t.regions) == 0 {
		t.list()
	}
	return t.regions
}

// Surface returns the path over the floor: Points, and between them the points that keep the floor within [HeightError]
// of the path everywhere except along links. Two points above each other are a step. The list belongs to the Path. The
// first call follows the floor, in time O(k) for k triangles of the floor along the path; the way back has the same points.
// A path that is no longer valid, see [Path], has no surface.
func (p Path) Surface() []geom.Vec {
	surface, _ := p.overFloor()
	return surface
}

// SurfaceLength returns the length over the floor in metres, with all bumps and steps, even those missing from
// [Path.Surface], and with the lengths of links. The way back is as long. The first call of SurfaceLength or Surface
// follows the floor. A path without points, or no longer valid, see [Path], has length 0.
func (p Path) SurfaceLength() float64 {
	_, length := p.overFloor()
	return length
}

func (p Path) overFloor() (surface []geom.Vec, length float64) {
	t := p.trail
	if t == nil {
		return nil, 0
	}
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.mark != p.mark {
		return nil, 0
	}
	if len(t.surface) == 0 {
		t.followFloor()
	}
	return t.surface, t.length
}

// Clone returns a copy of p that stays valid. The copy makes its regions and its floor like any Path, on the Index that
// found the path, and keeps the Index in memory.
func (p Path) Clone() Path {
	p.Points = slices.Clone(p.Points)
	p.Crossings = slices.Clone(p.Crossings)
	p.Grounds = slices.Clone(p.Grounds)
	if t := p.trail; t != nil {
		t.lock.Lock()
		defer t.lock.Unlock()
		if p.trail = nil; t.mark == p.mark {
			p.trail = t.copy()
		}
	}
	return p
}

// trail is a way as its Path keeps it: enough to make the regions and the floor along the way later.
type trail struct {
	ix   *index.Index
	mark uint64 // the number of the way, which tells an old Path that its way is gone
	kept bool   // the trail has one way for ever

	legs      []trailLeg
	crossed   []uint32     // portals of all legs
	bends     []route.Bend // where the way turns, of all legs; gates are counted from the start of the leg
	exact     [][2]float64 // over uneven ground: the places of bends,
	crossings [][2]float64 // and where the way crosses each portal

	lock    sync.Mutex // guards the fields below
	regions []navmesh.Ref
	surface []geom.Vec
	length  float64 // over the floor, in metres
	scratch floorScratch
}

// trailLeg is a leg of a trail.
type trailLeg struct {
	first          uint32  // the first region
	bends, crossed int32   // the ends of the leg's bends and portals in the trail
	z, goalZ       float64 // heights of the ends
	link           float64 // length in metres of the link before the leg
}

// floorScratch is the memory for following the floor.
type floorScratch struct {
	profile profile
	lane    lane
}

// begin drops the way of the last path.
func (t *trail) begin(ix *index.Index) {
	t.ix = ix
	t.mark++
	t.legs, t.crossed, t.bends = t.legs[:0], t.crossed[:0], t.bends[:0]
	t.exact, t.crossings = t.exact[:0], t.crossings[:0]
	t.regions, t.surface, t.length = t.regions[:0], t.surface[:0], 0
}

// add adds a leg whose bends the trail has, between places of given heights.
func (t *trail) add(l *route.Leg, crossed []uint32, z, goalZ float64) *trailLeg {
	t.crossed = append(t.crossed, crossed...)
	leg := trailLeg{first: l.First, bends: int32(len(t.bends)), crossed: int32(len(t.crossed)), z: z, goalZ: goalZ}
	if h := &l.Taken; l.Hop != index.None {
		leg.link = t.ix.World(h.Start, h.StartZ).Distance(t.ix.World(h.End, h.EndZ))
	}
	t.legs = append(t.legs, leg)
	return &t.legs[len(t.legs)-1]
}

// copy returns a copy that keeps its way.
func (t *trail) copy() *trail {
	return &trail{
		ix: t.ix, mark: t.mark, kept: true, legs: slices.Clone(t.legs), crossed: slices.Clone(t.crossed), bends: slices.Clone(t.bends),
		exact: slices.Clone(t.exact), crossings: slices.Clone(t.crossings),
		regions: slices.Clone(t.regions), surface: slices.Clone(t.surface), length: t.length,
	}
}

// list makes the regions.
func (t *trail) list() {
	first := int32(0)
	for i := range t.legs {
		l := &t.legs[i]
		t.regions = append(t.regions, t.ix.Region(l.first).Ref)
		for _, p := range t.crossed[first:l.crossed] {
			t.regions = append(t.regions, t.ix.Region(t.ix.Portal(p).To).Ref)
		}
		first = l.crossed
	}
}

// followFloor makes the way over the floor.
func (t *trail) followFloor() {
	t.scratch.profile.left = index.MaxCompared
	for i := range t.legs {
		n := &t.scratch.lane
		t.length += t.legs[i].link
		n.take(t, i)
		// A way and its way back follow the floor in the same direction, and so step and round alike.
		back := n.bends[len(n.bends)-1].Compare(n.bends[0].Point) < 0
		if back {
			n.turn()
		}
		n.settle(t.ix)
		from := len(t.surface)
		t.length += t.raise(n)
		if back {
			slices.Reverse(t.surface[from:])
		}
	}
	if len(t.legs) > 1 {
		t.surface = slices.Compact(t.surface) // some links have no length
	}
	if t.kept {
		t.scratch = floorScratch{}
	}
}

// lane is a leg of a trail in one of its directions.
type lane struct {
	through   []uint32 // regions
	gates     []uint32 // the portals between the regions
	bends     []route.Bend
	exact     [][2]float64 // as of the trail
	crossings [][2]float64
	z, goalZ  float64
}

// take copies leg i of a trail.
func (n *lane) take(t *trail, i int) {
	l, bends, crossed := &t.legs[i], int32(0), int32(0)
	if i > 0 {
		bends, crossed = t.legs[i-1].bends, t.legs[i-1].crossed
	}
	n.gates = append(n.gates[:0], t.crossed[crossed:l.crossed]...)
	n.through = append(n.through[:0], l.first)
	for _, p := range n.gates {
		n.through = append(n.through, t.ix.Portal(p).To)
	}
	n.bends = append(n.bends[:0], t.bends[bends:l.bends]...)
	if n.exact, n.crossings = n.exact[:0], n.crossings[:0]; len(t.exact) > 0 {
		n.exact = append(n.exact, t.exact[bends:l.bends]...)
		n.crossings = append(n.crossings, t.crossings[crossed:l.crossed]...)
	}
	n.z, n.goalZ = l.z, l.goalZ
}

// turn reverses the lane.
func (n *lane) turn() {
	slices.Reverse(n.through)
	slices.Reverse(n.gates)
	slices.Reverse(n.exact)
	slices.Reverse(n.crossings)
	last := len(n.bends) - 1
	for i := range n.bends {
		n.bends[i].Gate = len(n.gates) - 1 - n.bends[i].Gate
	}
	slices.Reverse(n.bends)
	n.bends[0].Gate, n.bends[last].Gate = -1, len(n.gates)
	n.z, n.goalZ = n.goalZ, n.z
}

// settle puts every bend at the first of the gates that end in the bend's corner. A search may name another one on the way back, and
// the regions between the gates differ in height by fractions of a unit.
func (n *lane) settle(ix *index.Index) {
	if len(n.exact) > 0 {
		return
	}
	for i := 1; i+1 < len(n.bends); i++ {
		b := &n.bends[i]
		for b.Gate-1 > n.bends[i-1].Gate {
			if g := route.GateOf(ix, n.gates[b.Gate-1]); g.Left != b.Point && g.Right != b.Point {
				break
			}
			b.Gate--
		}
	}
}

// place returns the place of a bend, in lattice units: the exact place for a way over uneven ground, else the lattice
// point.
func (n *lane) place(i int) [2]float64 {
	if len(n.exact) > 0 {
		return n.exact[i]
	}
	return index.Floats(n.bends[i].Point)
}

// piece returns the straight piece between bends i and i+1, and the gates that the piece crosses: from first to before
// end.
func (n *lane) piece(i int) (s stretch, first, end int) {
	from, to := n.place(i), n.place(i+1)
	s = stretch{x: from[0], y: from[1], dx: to[0] - from[0], dy: to[1] - from[1]}
	s.run = index.Length(s.dx, s.dy)
	last := len(n.gates)
	return s, min(n.bends[i].Gate+1, last), min(n.bends[i+1].Gate+1, last)
}

// crossing returns the position on the piece between bends i and i+1 where the piece crosses gate g, one of the gates
// before end.
func (n *lane) crossing(ix *index.Index, i, g, end int) float64 {
	if len(n.exact) > 0 {
		p := weighted.SegmentBetween(n.exact[i], n.exact[i+1])
		return p.Place(n.crossings[g][0], n.crossings[g][1])
	}
	more, behind := g+1 < end, n.gates[g]
	if more {
		behind = n.gates[g+1]
	}
	return crossedAt(n.bends[i].Point, n.bends[i+1].Point, route.GateOf(ix, n.gates[g]), route.GateOf(ix, behind), more)
}

// addBends adds the points of the trail's last leg.
func (q *Query) addBends(l *trailLeg) {
	ix, t := q.ix, &q.trail
	first, crossed := int32(0), int32(0)
	if k := len(t.legs) - 2; k >= 0 {
		first, crossed = t.legs[k].bends, t.legs[k].crossed
	}
	r := l.first
	for i := first; i < l.bends; i++ {
		b, z := &t.bends[i], l.z
		switch {
		case i+1 == l.bends && i > first:
			z = l.goalZ
		case i > first:
			if b.Gate >= 0 {
				r = ix.Portal(t.crossed[int(crossed)+b.Gate]).To
			}
			z = ix.CornerHeight(r, b.Point)
		}
		x, y := float64(b.X), float64(b.Y)
		if len(t.exact) > 0 {
			x, y = t.exact[i][0], t.exact[i][1]
		}
		q.points = append(q.points, ix.Mesh.Frame.FromLocal(x, y, z))
	}
}

// addStretches adds the marks and the stretches of ground along the trail's last leg, whose points end the list.
func (q *Query) addStretches(l *trailLeg) {
	ix, n := q.ix, &q.trail.scratch.lane
	n.take(&q.trail, len(q.trail.legs)-1)
	start, goal := q.points[len(q.points)-len(n.bends)], q.points[len(q.points)-1]
	if ix.Marked != nil {
		q.enterMarks(l.first, start)
	}
	if ix.Varied {
		q.enterGround(l.first, start, 0)
	}
	walked := 0.0
	for i := 0; i+1 < len(n.bends); i++ {
		s, g, end := n.piece(i)
		for t := 0.0; g < end; g++ {
			before, r := n.through[g], n.through[g+1]
			if !q.enters(before, r) {
				continue
			}
			t = floats.Min(floats.Max(t, n.crossing(ix, i, g, end)), 1) // rounding must not lead backwards
			x, y := s.at(t)
			at := ix.Mesh.Frame.FromLocal(x, y, ix.HeightAt(before, x, y))
			if ix.Marked != nil {
				q.enterMarks(r, at)
			}
			if ix.Varied {
				q.enterGround(r, at, walked+float64(t*s.run))
			}
		}
		walked += s.run
	}
	q.leaveMarks(goal)
	if ix.Varied {
		q.leaveGround(goal, walked)
	}
}

// enters reports whether marks or ground change from one region to the next.
func (q *Query) enters(before, r uint32) bool {
	ix := q.ix
	if ix.Varied && ix.Region(before).Area != ix.Region(r).Area {
		return true
	}
	return ix.Marked != nil && (len(ix.MarksOf(before)) > 0 || len(ix.MarksOf(r)) > 0)
}

// stretch is a straight piece of a path.
type stretch struct {
	x, y        float64 // start of the piece, in lattice units
	dx, dy, run float64 // vector from start to end, and its length
}

// at returns a place of the piece, 0 for its start and 1 for its end.
func (s *stretch) at(t float64) (x, y float64) { return s.x + float64(t*s.dx), s.y + float64(t*s.dy) }

// straightTo returns the last bend that the way reaches straight from another bend. The way passes the bends between
// straight; their presence depends on the direction of the way.
func straightTo(bends []route.Bend, from int) int {
	a, i := bends[from].Point, from+1
	for ; i+1 < len(bends); i++ {
		b, c := bends[i].Point, bends[i+1].Point
		if lattice.Orient(a, b, c) != 0 || lattice.Dot(b, a, c) > 0 {
			break
		}
	}
	return i
}

// crossedAt returns the place on the piece from a to b where the piece crosses a gate; next is the gate behind, if more
// is set.
//
// A piece along the gate may cross anywhere, because the gate lies on both floors. The crossing is then at the lesser
// end of the gate, which makes the way and the way back cross at the same place. If the next gate comes before the
// lesser end, the crossing is at the nearer end.
func crossedAt(a, b lattice.Point, g, next route.Gate, more bool) float64 {
	if t, ok := meeting(a, b, g.Left, g.Right); ok {
		return t
	}
	l, r := placeAlong(a, b, g.Left), placeAlong(a, b, g.Right)
	t := r
	if g.Left.Compare(g.Right) < 0 {
		t = l
	}
	if near := min(l, r); t > near && more {
		u, ok := meeting(a, b, next.Left, next.Right)
		if !ok {
			u = min(placeAlong(a, b, next.Left), placeAlong(a, b, next.Right))
		}
		const rounding = 1e-9 // of places
		if u < t-rounding {
			return near
		}
	}
	return t
}

// meeting returns the place on the piece from a to b where the piece meets the portal from l to r; ok is false for a
// piece along the portal.
func meeting(a, b, l, r lattice.Point) (t float64, ok bool) {
	// The distances of a and b from the line of the portal; they have different signs.
	da, db := lattice.Orient(r, l, a), lattice.Orient(r, l, b)
	if da == db {
		return 0, false
	}
	return floats.Part(float64(da) / (float64(da) - float64(db))), true
}

// placeAlong returns the place on the piece from a to b nearest to p.
func placeAlong(a, b, p lattice.Point) float64 {
	run := float64(lattice.Dot(a, b, b))
	if run == 0 {
		return 0
	}
	return floats.Part(float64(lattice.Dot(a, b, p)) / run)
}
