package index

// The corners around a change: see editor.go, and navmesh/derive.go for whole meshes.
//
// Idea: a portal end and the free space around the end are a fan of portals, each with its right end there. Portal p is
// followed by the back portal of the portal whose left end meets the right end of p. The fan is a corner if its regions
// fill more than 180 degrees and no region closes the circle. All portal ends of a fan share the corner's number.
//
// A corner of the base has its number of the base exactly while all regions around the corner are as on the base. Other corners
// have other numbers. So lists of corners of the base need no other numbers.
//
// Guarantees: the corners are those of numberTurns, numbers aside (TestEditorAgainstScratch). Numbers of the base stand for the
// corners of the base (TestCornersOfBase).
//
// Cost: O(k·m) for fans of k portals among regions of m portals and corners.

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// turn finds the corners at the ends of portals that the change has made or removed.
func (w *work) turn() {
	for i := range w.doors {
		d := &w.doors[i]
		if d.old == None || w.dirty.has(d.right) {
			w.turnAround(d.number)
		}
		if d.old == None || w.dirty.has(d.left) {
			back := d.back
			if d.mate != None {
				back = w.doors[d.mate].number
			}
			w.turnAround(back)
		}
	}
}

// turnAround finds the corner at the right end of a portal.
func (w *work) turnAround(p uint32) {
	if w.walked.has(p) {
		return
	}
	ix := w.next
	turn := int32(NoTurn)
	if closed := w.fan.around(ix, p); !closed && w.fan.isCorner(ix.Portal(p).Right) {
		turn = w.turnOf(&w.fan)
	}
	for _, p := range w.fan.portals {
		w.walked.add(p.number)
		before, back := p.RightTurn, p.Back
		w.freeTurn(before)
		if before != turn {
			w.portal(p.number).RightTurn = turn
		}
		if back != p.number && ix.Portal(back).LeftTurn != turn {
			w.portal(back).LeftTurn = turn
		}
	}
}

// turnOf returns a number for the corner of an open fan. A corner as on the base has its number of the base. Another corner keeps its
// number, and portals elsewhere stay as they are. The number is new if the corner had none, or if another fan of the change has kept
// it. Of a fan around the post of a spiral stair, more than one part may be a corner.
func (w *work) turnOf(f *fan) int32 {
	ix, e := w.next, w.e
	if t := w.turnOnBase(f); t != NoTurn {
		if !w.kept.has(uint32(t)) {
			w.kept.add(uint32(t))
		}
		return t
	}
	for _, p := range f.portals {
		if t := p.RightTurn; int(t) >= e.base.Turns && !w.kept.has(uint32(t)) {
			w.kept.add(uint32(t))
			return t
		}
	}
	n, ok := e.turns.take()
	if !ok {
		n = uint32(ix.Turns)
		ix.Turns++
	}
	w.took = append(w.took, n)
	return int32(n)
}

// turnOnBase returns the number of an open fan's corner on the base, NoTurn if the fan is another one on the base or no corner.
func (w *work) turnOnBase(f *fan) int32 {
	e := w.e
	for _, r := range f.regions {
		if e.isPiece(r.number) {
			return NoTurn
		}
	}
	turn := int32(NoTurn)
	for i, p := range f.portals {
		portals := e.base.PortalsOf(e.base.Region(f.regions[i+1].number))
		k := slices.IndexFunc(portals, func(o Portal) bool { return o.To == p.To && o.Right == p.Right })
		if k < 0 || i > 0 && portals[k].RightTurn != turn {
			return NoTurn
		}
		turn = portals[k].RightTurn
	}
	if turn == NoTurn || int(e.fans[turn]) != len(f.portals) {
		return NoTurn
	}
	return turn
}

// countFans counts the portals of the base around every corner.
func (e *Editor) countFans() {
	e.fans = make([]int32, e.base.Turns)
	for _, n := range e.numbers {
		if t := e.base.Portal(n).RightTurn; t != NoTurn {
			e.fans[t]++
		}
	}
}

// putTurn takes a number back that no corner has. Numbers of the base wait for their corners.
func (e *Editor) putTurn(t uint32) {
	if int(t) >= e.base.Turns {
		e.turns.put(t)
	}
}

// fan is the portals around a point, in order, and the regions around the point from the region behind the first portal on. Portal i leads
// from region i+1 to region i.
type fan struct {
	portals []fanPortal
	regions []fanRegion
}

type fanPortal struct {
	number uint32
	*Portal
}

type fanRegion struct {
	number uint32
	*Region
}

// around lists the fan around the right end of portal p. closed says that the free space goes all the way around; the list of regions
// ends early then.
func (f *fan) around(ix *Index, p uint32) (closed bool) {
	first := ix.Portal(p)
	v := first.Right
	f.portals, f.regions = append(f.portals[:0], fanPortal{p, first}), f.regions[:0]
	for r := first.To; ; {
		reg := ix.Region(r)
		f.regions = append(f.regions, fanRegion{r, reg})
		portals := ix.PortalsOf(reg)
		k := 0
		for k < len(portals) && portals[k].Right != v {
			k++
		}
		if k == len(portals) {
			break
		}
		n := reg.FirstPortal + uint32(k)
		if slices.ContainsFunc(f.portals, func(p fanPortal) bool { return p.number == n }) {
			return true
		}
		f.portals, r = append(f.portals, fanPortal{n, &portals[k]}), portals[k].To
	}
	slices.Reverse(f.portals)
	slices.Reverse(f.regions)
	for r := ix.Portal(first.Back).To; ; {
		reg := ix.Region(r)
		f.regions = append(f.regions, fanRegion{r, reg})
		portals := ix.PortalsOf(reg)
		k := 0
		for k < len(portals) && portals[k].Left != v {
			k++
		}
		if k == len(portals) {
			return false
		}
		back := portals[k].Back
		f.portals, r = append(f.portals, fanPortal{back, ix.Portal(back)}), portals[k].To
	}
}

// isCorner reports whether the regions of an open fan around v fill more than 180 degrees.
func (f *fan) isCorner(v lattice.Point) bool {
	start, end := wedge(f.regions[0].Ring, v)
	for _, r := range f.regions[1:] {
		if turnPassed(v, start, end) {
			return true
		}
		_, end = wedge(r.Ring, v)
	}
	return turnPassed(v, start, end)
}

// wedge returns points in the directions that bound a region at a point v of its border; the region is
// counter-clockwise from start to end.
func wedge(ring []lattice.Vertex, v lattice.Point) (start, end lattice.Point) {
	n := len(ring)
	for i := range ring {
		if ring[i].Point == v {
			if i == 0 {
				return ring[1].Point, ring[n-1].Point
			}
			return ring[following(i, n)].Point, ring[i-1].Point
		}
	}
	for i := range ring {
		if a, b := ring[i].Point, ring[following(i, n)].Point; lattice.OnSegment(v, a, b) {
			return b, a
		}
	}
	return v, v
}

// turnPassed reports whether the counter-clockwise turn around v from a to b is more than 180 degrees. The turn must be
// above 0 and at most 360 degrees.
func turnPassed(v, a, b lattice.Point) bool {
	o := lattice.Orient(v, a, b)
	return o < 0 || o == 0 && lattice.Dot(v, a, b) > 0
}
