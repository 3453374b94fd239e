package exact

import (
	"math"
	"slices"
	"sync/atomic"
)

// Floors over each other in dense props are in the floors of many crossings, and again in both halves of a crossing that is divided. The
// place where one floor is over the other stays the same (TestOverlaps). So each pair of storeys has its place made once, when a crossing first asks.

// overlap is the part of the upper floor of a pair of storeys that is over the lower floor, as corners of a piece.
type overlap struct {
	whole  []point3   // at any height
	roomy  []point3   // high enough to walk below, none for no more than a touch
	bounds [4]float64 // of whole, in the plan: the least x and y, then the greatest
}

// noOverlap is the overlap of storeys beside each other.
var noOverlap = new(overlap)

// overlapTable holds the overlaps of pairs that were asked for, by pair.
type overlapTable []atomic.Pointer[overlap]

// overlapOf returns the overlap of a pair of storeys. Goroutines that ask at the same time make the same overlap.
func (e *extraction) overlapOf(pair int32) *overlap {
	at := &e.overlaps[pair]
	if o := at.Load(); o != nil {
		return o
	}
	o := e.newOverlap(e.storeys[pair][0], e.storeys[pair][1])
	at.Store(o)
	return o
}

func (e *extraction) newOverlap(lower, upper int32) *overlap {
	p := prismOf(&e.soup.Triangles[lower].V, 0)
	v := &e.soup.Triangles[upper].V
	if p.beyond(v[:], e.height, math.Inf(1)) {
		return noOverlap
	}
	part := pieceOf(v)
	p.trim(&part)
	roomy := part
	e.keepRoom(&p.plane, &roomy)
	if roomy.n == 0 {
		return noOverlap
	}
	o := &overlap{whole: slices.Clone(part.v[:part.n]), bounds: [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}}
	if o.roomy = o.whole; !slices.Equal(o.whole, roomy.v[:roomy.n]) {
		o.roomy = slices.Clone(roomy.v[:roomy.n])
	}
	b := &o.bounds
	for _, v := range o.whole {
		b[0], b[1], b[2], b[3] = min(b[0], v.x), min(b[1], v.y), max(b[2], v.x), max(b[3], v.y)
	}
	return o
}

// keepRoom leaves the part of a piece high enough over a plane to walk below, and nothing of a touch.
func (e *extraction) keepRoom(p *plane, part *piece) {
	over := prism{plane: *p}
	over.band(part, e.height, math.Inf(1))
	if part.area2() <= overlapping {
		part.n = 0
	}
}

// overlapIn returns the plane of the lower floor of a pair, and the part of the upper floor in a box that is over the lower floor, high
// enough to walk between.
func (e *extraction) overlapIn(pair int32, box *box3) (p plane, part piece) {
	o := e.overlapOf(pair)
	if len(o.roomy) == 0 {
		return p, part
	}
	p = planeOf(&e.soup.Triangles[e.storeys[pair][0]].V)
	b := &o.bounds
	low, high := [2]float64{float64(box.Low[0]), float64(box.Low[1])}, [2]float64{float64(box.High[0]), float64(box.High[1])}
	switch {
	case b[0] >= high[0] || b[1] >= high[1] || b[2] <= low[0] || b[3] <= low[1]:
	case b[0] >= low[0] && b[1] >= low[1] && b[2] <= high[0] && b[3] <= high[1]:
		part.take(o.roomy)
	default:
		part.take(o.whole)
		part = part.within(box)
		e.keepRoom(&p, &part)
	}
	return p, part
}

// take gives the piece corners.
func (p *piece) take(corners []point3) { p.n = copy(p.v[:], corners) }

// pairOf returns the number of a pair of storeys, -1 for floors beside each other.
func (e *extraction) pairOf(lower, upper int32) int32 {
	for _, pair := range e.over.Of(lower) {
		if e.storeys[pair] == [2]int32{lower, upper} {
			return pair
		}
	}
	return -1
}
