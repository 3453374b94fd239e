package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// pockets returns bridges over what the bridges so far leave between them in the corners of gaps: loops of brinks in which
// no disc as wide as a gap fits, with a bridge at one of them at least.
func (e *extraction) pockets() ([]span, error) {
	var around box3
	some := false
	grown := int32(2*e.maxGap) + 4*outward
	boxes := make([]box3, 0, len(e.soup.Triangles)-int(e.firstBridge))
	for i := e.firstBridge; int(i) < len(e.soup.Triangles); i++ {
		b := e.box(i).grown(grown)
		boxes = append(boxes, b)
		if !some {
			around, some = b, true
		}
		around = around.union(b)
	}
	bridges := newTree(boxes, all)
	brinks := e.brinks(func(t int32) bool {
		box := e.box(t)
		return e.isBridge(t) || around.meets(box) && bridges.any(box, all32)
	})
	next := e.continuations(brinks)
	done := make([]bool, len(brinks))
	b := builder{extraction: e}
	for i := range brinks {
		if done[i] || !e.isBridge(brinks[i].triangle) {
			continue
		}
		loop := loopFrom(brinks, next, int32(i), 4*e.maxGap)
		if loop == nil {
			continue
		}
		for _, k := range loop {
			done[k] = true
		}
		spans, err := e.fill(brinks, loop)
		if err != nil {
			return nil, err
		}
		if !b.stops(spans, &brinks[loop[0]], &brinks[loop[0]]) {
			b.spans = append(b.spans, spans...)
		}
	}
	return b.spans, nil
}

// meeting is how far apart, in units, the end of a brink and the start of the next one may be: stretches end some units
// before the floors on which they end.
const meeting = 4 * outward

// continuations finds for each brink the one that starts nearest to its end, or -1.
func (e *extraction) continuations(brinks []brink) []int32 {
	boxes := make([]box3, len(brinks))
	for i := range brinks {
		boxes[i] = boxOf(brinks[i].a)
	}
	starts := newTree(boxes, all)
	next := make([]int32, len(brinks))
	var near []item
	for i := range brinks {
		end := brinks[i].b
		box := boxOf(end).grown(meeting)
		box.low[2], box.high[2] = lowered(end.Z, e.climb), raised(end.Z, e.climb)
		near = starts.search(&box, near[:0])
		next[i] = -1
		best := [2]uint64{math.MaxUint64, math.MaxUint64}
		for _, n := range near {
			k := n.triangle
			dz := int64(brinks[k].a.Z) - int64(end.Z)
			at := [2]uint64{end.Distance2(brinks[k].a.Point) + uint64(dz*dz), uint64(k)}
			if int(k) != i && slices.Compare(at[:], best[:]) < 0 {
				next[i], best = k, at
			}
		}
	}
	return next
}

// loopFrom returns the loop of brinks from one on, nil where the way does not come back within a length.
func loopFrom(brinks []brink, next []int32, first int32, longest float64) []int32 {
	length := 0.0
	var loop []int32
	for at := first; at >= 0 && len(loop) < 64; at = next[at] {
		if at == first && len(loop) > 0 {
			return loop
		}
		loop = append(loop, at)
		if length += brinks[at].a.Distance(brinks[at].b.Point); length > 2*longest {
			return nil
		}
	}
	return nil
}

// fill returns a bridge over a loop of brinks, nil where the loop goes around floor or is wider than a gap.
func (e *extraction) fill(brinks []brink, loop []int32) ([]span, error) {
	var ring lattice.Ring
	var corners []corner
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	// Floors are on the left: seen from the pocket, the way goes back.
	for _, k := range slices.Backward(loop) {
		b := &brinks[k]
		for _, c := range [2]corner{{b.b, b.ends[1]}, {b.a, b.ends[0]}} {
			low, high = min(low, c.Z), max(high, c.Z)
			if n := len(ring); n > 0 && (ring[n-1].Distance2(c.Point) <= meeting*meeting || ring[0].Distance2(c.Point) <= meeting*meeting) {
				continue
			}
			ring, corners = append(ring, c.Point), append(corners, c)
		}
	}
	if len(ring) < 3 || ring.Area2() <= 0 || float64(high)-float64(low) > e.climb+touching {
		return nil, nil
	}
	pocket := lattice.Polygon{Rings: []lattice.Ring{ring}}
	if pocket.Validate() != nil {
		return nil, nil
	}
	if w, h := ring.Box().Size(); float64(max(w, h)) > e.maxGap {
		fits, err := (overlay.Offset{Distance: -e.maxGap/2 - touching, Join: overlay.Mitre}).Polygons([]lattice.Polygon{pocket})
		if err != nil || len(fits) > 0 {
			return nil, err
		}
	}
	var spans []span
	for _, t := range overlay.Triangulate(pocket.Rings) {
		spans = append(spans, span{[3]corner{corners[t[0]], corners[t[1]], corners[t[2]]}, brinks[loop[0]].triangle})
	}
	return spans, nil
}
