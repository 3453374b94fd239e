package exact

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// pockets returns bridges over the holes between bridges in the corners of gaps: loops of brinks too narrow for a disc
// as wide as a gap. At least one brink of a loop is on a bridge.
func (e *extraction) pockets(ctx context.Context, jobs int) ([]span, error) {
	around := nowhere3
	for i := e.firstBridge; int(i) < len(e.soup.Triangles); i++ {
		around = around.Union(*e.box(i))
	}
	around = around.Grown(int32(4*e.maxGap) + 4*outward) // a loop is no longer
	brinks := e.brinks(func(r *rim) bool {
		box := boxOf(r.a, r.b)
		return around.Meets(&box)
	})
	next := continuationsOf(e, brinks)
	done := make([]bool, len(brinks))
	var loops [][]int32
	for i := range brinks {
		if done[i] || !e.isBridge(brinks[i].triangle) {
			continue
		}
		if loop := next.loopFrom(int32(i), 4*e.maxGap); loop != nil {
			for _, k := range loop {
				done[k] = true
			}
			loops = append(loops, loop)
		}
	}
	const chunk = 64
	found := make([][]span, (len(loops)+chunk-1)/chunk)
	err := par.For(ctx, jobs, len(found), func(c int) error {
		b := builder{extraction: e}
		for _, loop := range loops[c*chunk : min(len(loops), (c+1)*chunk)] {
			spans, err := e.fill(brinks, loop)
			if err != nil {
				return err
			}
			if !b.stops(spans, &brinks[loop[0]], &brinks[loop[0]]) {
				b.spans = append(b.spans, spans...)
			}
		}
		found[c] = b.spans
		return nil
	})
	return slices.Concat(found...), err
}

// meeting is the greatest distance, in units, from the end of a brink to the start of the next brink. Stretches end
// some units before the floors at their ends.
const meeting = 4 * outward

// continuations finds for a brink the next brink, with the start nearest to the end of the first.
type continuations struct {
	*extraction
	brinks []brink
	// crossing is the greatest distance where two rims cross at a small angle: near the crossing either rim has a floor within outward.
	crossing int32
	starts   *tree
	next     []int32 // known continuations, unasked for other brinks
	near     []item
}

// unasked marks a brink whose continuation nobody has asked for.
const unasked = -2

func continuationsOf(e *extraction, brinks []brink) *continuations {
	boxes, next := make([]box3, len(brinks)), make([]int32, len(brinks))
	for i := range brinks {
		boxes[i], next[i] = boxOf(brinks[i].a), unasked
	}
	return &continuations{extraction: e, brinks: brinks, crossing: int32(e.maxGap / 4), starts: boxtree.New(boxes, nil), next: next}
}

// of returns the continuation of a brink, or -1.
func (c *continuations) of(i int32) int32 {
	if c.next[i] == unasked {
		c.next[i] = c.startNear(i, meeting)
		if c.next[i] < 0 {
			if k := c.startNear(i, c.crossing); k >= 0 && c.isFloor(c.brinks[i].b, c.brinks[k].a) {
				c.next[i] = k
			}
		}
	}
	return c.next[i]
}

// startNear returns the brink whose start is nearest to the end of another one, seen from above and at most reach away in X and in Y, or -1. Where
// two bridges cross, several brinks end and as many start. The two around one corner of the crossing are the nearest, though the sides
// of the two bridges are at different heights there.
func (c *continuations) startNear(i, reach int32) int32 {
	end := c.brinks[i].b
	box := boxOf(end).Grown(reach)
	box.Low[2], box.High[2] = lowered(end.Z, c.climb), raised(end.Z, c.climb)
	c.near = c.starts.Search(&box, c.near[:0])
	found, best := int32(-1), [3]uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}
	for _, n := range c.near {
		k := n.ID
		dz := int64(c.brinks[k].a.Z) - int64(end.Z)
		at := [3]uint64{end.Distance2(c.brinks[k].a.Point), uint64(dz * dz), uint64(k)}
		if k != i && slices.Compare(at[:], best[:]) < 0 {
			found, best = k, at
		}
	}
	return found
}

// isFloor reports whether there is floor all along the way between two places, at heights within half a step of the places. A brink also ends
// where the floor beneath it comes within a step. That floor is a whole step below, and the way along the brink ends there.
func (c *continuations) isFloor(a, b lattice.Vertex) bool {
	const parts = 4
	low, high := float64(min(a.Z, b.Z))-c.climb/2, float64(max(a.Z, b.Z))+c.climb/2
	for k := 1; k < parts; k++ {
		t := float64(k) / parts
		p := lattice.Point{X: a.X + rounded(t*float64(b.X-a.X)), Y: a.Y + rounded(t*float64(b.Y-a.Y))}
		box := boxOf(lattice.Vertex{Point: p, Z: a.Z}, lattice.Vertex{Point: p, Z: b.Z}).Grown(hairs)
		box.Low[2], box.High[2] = rounded(low), rounded(high)
		c.near = c.floors.Search(&box, c.near[:0])
		if !slices.ContainsFunc(c.near, func(n item) bool {
			if !c.shows(n.ID) {
				return false
			}
			at, distance := c.nearest(n.ID, p)
			if distance > hairs {
				return false
			}
			q := planeOf(&c.soup.Triangles[n.ID].V)
			z := q.height(at.x, at.y)
			return z >= low && z <= high
		}) {
			return false
		}
	}
	return true
}

// loopFrom returns the loop of brinks from the first on, nil if the way does not come back within a length.
func (c *continuations) loopFrom(first int32, longest float64) []int32 {
	length := 0.0
	var loop []int32
	for at := first; at >= 0 && len(loop) < 64; at = c.of(at) {
		if at == first && len(loop) > 0 {
			return loop
		}
		loop = append(loop, at)
		if length += c.brinks[at].a.Distance(c.brinks[at].b.Point); length > 2*longest {
			return nil
		}
	}
	return nil
}

// fill returns a bridge over a loop of brinks, nil if the loop goes around floor or is wider than a gap.
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
	if float64(high)-float64(low) > e.climb+touching {
		return nil, nil
	}
	ring, corners = withoutLoops(ring, corners)
	if len(ring) < 3 || ring.Area2() <= 0 || roomy(ring, e.maxGap/2+2*touching) {
		return nil, nil
	}
	pocket := lattice.Polygon{Rings: []lattice.Ring{ring}}
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

// withoutLoops returns a ring that does not cross itself, none where neither short sides nor turns back are the cause. One brink may
// end some units beyond the start of the next, on the other side of it, and two brinks may share a stretch. Of the corners at sides no
// longer than twice meeting and those where the ring turns back, the corner goes without which the ring has the largest area, until the
// ring is valid: a pocket rather overlaps the floors around it than leaves a hole.
func withoutLoops(ring lattice.Ring, corners []corner) (lattice.Ring, []corner) {
	for len(ring) >= 3 {
		if (&lattice.Polygon{Rings: []lattice.Ring{ring}}).Validate() == nil {
			return ring, corners
		}
		least, largest := -1, int64(math.MinInt64)
		n := len(ring)
		for i, p := range ring {
			before, after := ring[(i+n-1)%n], ring[(i+1)%n]
			if min(p.Distance2(before), p.Distance2(after)) > 4*meeting*meeting && !turnsBack(before, p, after) {
				continue
			}
			// Twice the area that goes with the corner, negated.
			if area := -lattice.Orient(before, p, after); area > largest {
				least, largest = i, area
			}
		}
		if least < 0 {
			break
		}
		ring, corners = slices.Delete(ring, least, least+1), slices.Delete(corners, least, least+1)
	}
	return nil, nil
}

// turnsBack reports whether the way from a to c over b comes back along itself, meeting beside itself at most.
func turnsBack(a, b, c lattice.Point) bool {
	ax, ay := a.Sub(b)
	cx, cy := c.Sub(b)
	across := float64(lattice.Orient(a, b, c))
	longer := float64(max(a.Distance2(b), c.Distance2(b)))
	return float64(ax)*float64(cx)+float64(ay)*float64(cy) > 0 && across*across <= meeting*meeting*longer
}

// roomy reports whether a disc around the middle of a ring's corners is on the left of all edges. Where the answer is false,
// another disc may fit.
func roomy(ring lattice.Ring, radius float64) bool {
	x, y := 0.0, 0.0
	for _, p := range ring {
		x, y = x+float64(p.X), y+float64(p.Y)
	}
	x, y = x/float64(len(ring)), y/float64(len(ring))
	for i, p := range ring {
		d := direction(p, ring[(i+1)%len(ring)])
		if float64(d.x*(y-float64(p.Y)))-float64(d.y*(x-float64(p.X))) < radius {
			return false
		}
	}
	return true
}
