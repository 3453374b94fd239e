package index

// Wide links that obstacles stand on.
//
// Idea: the hops of a wide link are a quarter of a metre apart, and a gap between two obstacles may be narrower. A hop
// without floor at an end so moves along its link, by at most half a step, to the nearest place with floor at both ends.
//
// Guarantees: a gap in front of a hop that has no floor is found, and the hop is at its own place again when the floor is
// (TestGapsOfWideLinks).
//
// Degenerate cases: gaps narrower than the lattice have no place. Of two gaps in front of one hop only the nearer has a hop.
//
// Cost: O(k·l) for k pieces around one end of the link and l around the other, for hops without floor only.

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// hopNear returns the hop at a relative position along a link, or else at the nearest position with floor at both ends, at most
// half a step away. Without such a position the hop is closed.
func (ix *Index) hopNear(link int32, t, step float64) Hop {
	h := ix.HopAt(link, t)
	h.Step, h.own = step, t
	if !h.Closed() || step == 0 {
		return h
	}
	l := &ix.Mesh.Links[link]
	starts, ends := ix.floorOn(ix.Number(l.From), l.Start), ix.floorOn(ix.Number(l.To), l.End)
	nearest := step / 2
	for _, s := range starts {
		for _, e := range ends {
			low, high := max(s[0], e[0]), min(s[1], e[1])
			if away := max(low-t, t-high); away > nearest || low > high {
				continue
			}
			if try, ok := ix.hopWithin(link, t, low, high); ok && math.Abs(try.T-t) < nearest {
				h, nearest = try, math.Abs(try.T-t)
				h.Step, h.own = step, t
			}
		}
	}
	return h
}

// floorOn returns the parts of a segment on the floor of a region of the base, as positions along the segment.
func (ix *Index) floorOn(base uint32, s [2]lattice.Vertex) (list [][2]float64) {
	box := lattice.EmptyBox().Extend(s[0].Point).Extend(s[1].Point).Grown(growth)
	ix.anyOf(base, box, func(r uint32) bool {
		var ring lattice.Ring
		for _, v := range ix.Ring(r) {
			ring = append(ring, v.Point)
		}
		if from, to, ok := ring.ClipConvex(s[0].Point, s[1].Point, growth); ok {
			list = append(list, [2]float64{from, to})
		}
		return false
	})
	return list
}

// hopWithin returns the open hop in a stretch of a link that is nearest to a position. Rounded ends of the stretch may be
// off the floor, so further places are tried, each twice as far inside, up to the middle.
func (ix *Index) hopWithin(link int32, t, low, high float64) (Hop, bool) {
	middle := low + (high-low)/2
	for inside := 1 / max(1, widthOf(&ix.Mesh.Links[link])); ; inside *= 2 {
		from, to := min(low+inside, middle), max(high-inside, middle)
		if h := ix.HopAt(link, min(max(t, from), to)); !h.Closed() || from == middle {
			return h, !h.Closed()
		}
	}
}

// concerns reports whether a change of the floor in an area may open, close or move a hop: the area comes near an end, or near a
// place that the end may move to.
func (ix *Index) concerns(a *Area, h *Hop) bool {
	l := &ix.Mesh.Links[h.Link]
	for _, s := range [2][2]lattice.Vertex{l.Start, l.End} {
		from, _ := between(s, max(h.own-h.Step/2, 0))
		to, _ := between(s, min(h.own+h.Step/2, 1))
		meets := true
		for k := range 2 {
			low, high := min(from[k], to[k])-growth, max(from[k], to[k])+growth
			meets = meets && low <= float64(a.High[k]) && float64(a.Low[k]) <= high
		}
		if meets {
			return true
		}
	}
	return false
}

// nearMoved appends the hops away from their own places that a change of a region of the base may concern: those with an end
// beside the region.
func (e *Editor) nearMoved(list []int32, ix *Index, region uint32) []int32 {
	if len(e.moved) == 0 {
		return list
	}
	box := lattice.EmptyBox()
	for _, v := range e.base.Ring(region) {
		box = box.Extend(v.Point)
	}
	for _, n := range e.moved {
		if h := &ix.Hops[n]; near(&box, h.Start) || near(&box, h.End) {
			list = append(list, n)
		}
	}
	return list
}

// near reports whether a point is in a box of a region, whose pieces may stick out.
func near(box *lattice.Box, p lattice.Point) bool {
	return box.Min.X-growth <= p.X && p.X <= box.Max.X+growth && box.Min.Y-growth <= p.Y && p.Y <= box.Max.Y+growth
}

// noteMoved notes the hops away from their own places. If a hop of less than its length is or was among them, the chains of
// such hops are bounded anew.
func (w *work) noteMoved() {
	e, ix := w.e, w.next
	cheap := false
	note := func(list []int32, ix *Index) []int32 {
		for n := range ix.Hops {
			if h := &ix.Hops[n]; h.T != h.own {
				list = append(list, int32(n))
				cheap = cheap || h.Cost < Distance(h.Start, h.End)
			}
		}
		return list
	}
	e.moved = note(note(e.moved[:0], w.old)[:0], ix)
	if cheap {
		ix.Shortcuts = nil
		ix.boundShortcuts()
	}
}

// floorBy returns the lattice point of the floor of a region of the base next to (x, y), and the region: the region of the base
// itself, or a piece. Pieces count up to growth units away, as their borders may be rounded.
func (ix *Index) floorBy(base uint32, x, y float64) (lattice.Point, uint32) {
	at := ix.RoundInto(base, x, y)
	if !ix.Region(base).Split {
		return at, base
	}
	piece, point, best2 := uint32(nowhere), at, float64(growth*growth)
	ix.anyOf(base, lattice.Box{Min: at, Max: at}.Grown(growth), func(r uint32) bool {
		if ix.Contains(r, at) {
			piece, point = r, at
			return true
		}
		p := ix.RoundInto(r, x, y)
		if d2 := planeDistance2(p, x, y); d2 < best2 || d2 == best2 && p.Compare(point) < 0 {
			piece, point, best2 = r, p, d2
		}
		return false
	})
	return point, piece
}
