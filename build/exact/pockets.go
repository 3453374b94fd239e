package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// pockets returns bridges over the holes between bridges in the corners of gaps: loops of brinks and steps too narrow for a disc
// as wide as a gap. Elsewhere pockets are over holes no wider than a crack.
func (e *extraction) pockets(ctx context.Context, jobs int) ([]span, error) {
	brinks := append(e.brinks(), e.steps(true)...)
	next := continuationsOf(e, brinks)
	done := make([]bool, len(brinks))
	var loops [][]int32
	for i := range brinks {
		if done[i] || brinks[i].stepped && !e.isBridge(brinks[i].triangle) {
			continue
		}
		if loop := next.loopFrom(int32(i), 8*e.maxGap); loop != nil {
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
			p, err := e.fill(brinks, loop)
			if err != nil {
				return err
			}
			if p.narrow || !b.fills(&p) {
				b.spans = append(b.spans, p.spans...)
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

// continuations finds for a brink the brinks that start near its end.
type continuations struct {
	*extraction
	brinks []brink
	// crossing is the greatest distance where two rims cross at a small angle: near the crossing either rim has a floor within outward.
	crossing int32
	starts   *tree
	next     [][]int32 // known continuations, nil for other brinks
	beyond   [][]int32 // the same across a crossing
	// floorsAcross holds the heights of the lowest and the highest floor on the way across a crossing.
	floorsAcross [][2]int32
	near         []item
	found        []start
}

func continuationsOf(e *extraction, brinks []brink) *continuations {
	boxes := make([]box3, len(brinks))
	for i := range brinks {
		boxes[i] = boxOf(brinks[i].a)
	}
	return &continuations{
		extraction: e, brinks: brinks, crossing: int32(e.maxGap / 4), starts: boxtree.New(boxes, nil), next: make([][]int32, len(brinks)),
		beyond: make([][]int32, len(brinks)), floorsAcross: make([][2]int32, len(brinks)),
	}
}

// of returns the brinks that start at the end of a brink, the best first.
func (c *continuations) of(i int32) []int32 {
	if c.next[i] == nil {
		found := c.startsNear(i, meeting)
		slices.SortFunc(found, start.compare)
		c.next[i] = make([]int32, len(found))
		for k, s := range found {
			c.next[i][k] = s.brink
		}
	}
	return c.next[i]
}

// across returns the brink that goes on where the side of a bridge and another rim cross at a small angle, in a list of its own, if any. A second
// brink may start beside the first, before the end of the first, and goes on along it. Two floors then end on one line, and the way between them turns back.
func (c *continuations) across(i int32) []int32 {
	if c.beyond[i] != nil {
		return c.beyond[i]
	}
	c.beyond[i] = []int32{}
	known := c.of(i)
	others := slices.DeleteFunc(c.startsNear(i, c.crossing), func(s start) bool { return slices.Contains(known, s.brink) })
	if len(others) == 0 {
		return c.beyond[i]
	}
	k := slices.MinFunc(others, start.compare).brink
	before, after := &c.brinks[i], &c.brinks[k]
	if lattice.SegmentDistance2(after.a.Point, before.a.Point, before.b.Point).CompareInt(outward*outward) <= 0 {
		c.beyond[i], c.floorsAcross[i] = []int32{k}, [2]int32{min(before.b.Z, after.a.Z), max(before.b.Z, after.a.Z)}
		return c.beyond[i]
	}
	if c.isBridge(c.brinks[i].triangle) || c.isBridge(c.brinks[k].triangle) {
		if heights, ok := c.floorsBetween(c.brinks[i].b, c.brinks[k].a); ok {
			c.beyond[i], c.floorsAcross[i] = []int32{k}, heights
		}
	}
	return c.beyond[i]
}

// start is a brink that starts near the end of another one.
type start struct {
	brink    int32
	stepped  bool
	distance uint64 // squared, seen from above
	height   uint64 // the square of the difference in height
}

// compare orders brinks before steps, and the nearest seen from above first.
func (s start) compare(o start) int {
	if s.stepped != o.stepped {
		if o.stepped {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(s.distance, o.distance), cmp.Compare(s.height, o.height), cmp.Compare(s.brink, o.brink))
}

// startsNear returns the brinks that start at most reach away from the end of another one, in X and in Y. Where two bridges cross, several
// brinks end and as many start. The two around one corner of the crossing are the nearest, though the sides of the two bridges are at different
// heights there. The result is valid until the next call.
func (c *continuations) startsNear(i, reach int32) []start {
	end := c.brinks[i].b
	box := boxOf(end).Grown(reach)
	box.Low[2], box.High[2] = lowered(end.Z, c.climb), raised(end.Z, c.climb)
	c.near = c.starts.Search(&box, c.near[:0])
	c.found = c.found[:0]
	for _, n := range c.near {
		if n.ID != i {
			b := &c.brinks[n.ID]
			dz := int64(b.a.Z) - int64(end.Z)
			c.found = append(c.found, start{n.ID, b.stepped, end.Distance2(b.a.Point), uint64(dz * dz)})
		}
	}
	return c.found
}

// floorsBetween returns the heights of the lowest and the highest floor on the way between two places, if there is floor all along the way, at heights
// within half a step of the places: within outward of the way, and within outward of a way hairs beside it. Farther from the floor a way leads back
// beside a bridge, and goes around a needle. Nearer to an edge than outward another floor may hide the floor, and the strip along the edge is no floor
// to go along, as for rims. A brink also ends where the floor beneath it comes within a step. That floor is a whole step below, and the way along the
// brink ends there.
func (c *continuations) floorsBetween(a, b lattice.Vertex) (heights [2]int32, ok bool) {
	if heights, ok = c.floorsAlong(a, b, 0); !ok {
		return heights, false
	}
	if _, ok = c.floorsAlong(a, b, hairs); !ok {
		_, ok = c.floorsAlong(a, b, -hairs)
	}
	return heights, ok
}

// floorsAlong returns the heights of the lowest and the highest floor within outward of a way, moved to the left by some units. Of the floors at a place
// of the way, the floor nearest in height counts.
func (c *continuations) floorsAlong(a, b lattice.Vertex, left float64) (heights [2]int32, ok bool) {
	const parts = 4
	low, high := float64(min(a.Z, b.Z))-c.climb/2, float64(max(a.Z, b.Z))+c.climb/2
	way := direction(a.Point, b.Point)
	heights = [2]int32{math.MaxInt32, math.MinInt32}
	for k := 1; k < parts; k++ {
		t := float64(k) / parts
		x, y := float64(a.X)+float64(t*float64(b.X-a.X)), float64(a.Y)+float64(t*float64(b.Y-a.Y))
		z, ok := c.floorNear(x-float64(left*way.y), y+float64(left*way.x), float64(a.Z)+float64(t*float64(b.Z-a.Z)), low, high)
		if !ok {
			return heights, false
		}
		heights = [2]int32{min(heights[0], rounded(z)), max(heights[1], rounded(z))}
	}
	return heights, true
}

// floorNear returns the height of the floor within outward of a place, from low to high, that is nearest to a height.
func (c *continuations) floorNear(x, y, height, low, high float64) (z float64, ok bool) {
	p := lattice.Point{X: rounded(x), Y: rounded(y)}
	box := boxOf(lattice.Vertex{Point: p}).Grown(hairs)
	box.Low[2], box.High[2] = rounded(low), rounded(high)
	c.near = c.floors.Search(&box, c.near[:0])
	for _, n := range c.near {
		if !c.shows(n.ID) {
			continue
		}
		at, distance := c.nearest(n.ID, p)
		if distance > outward {
			continue
		}
		q := planeOf(&c.soup.Triangles[n.ID].V)
		if h := q.height(at.x, at.y); h >= low && h <= high && (!ok || math.Abs(h-height) < math.Abs(z-height)) {
			z, ok = h, true
		}
	}
	return z, ok
}

// loopFrom returns a loop of brinks from the first on, nil if no way comes back within a length. Where a way ends, or goes around no pocket,
// the loop goes another way.
func (c *continuations) loopFrom(first int32, longest float64) []int32 {
	const most = 64
	ways := []func(int32) []int32{c.of}
	if c.isBridge(c.brinks[first].triangle) {
		ways = append(ways, c.across) // sides of bridges cross
	}
	steps := 0
	var loop []int32
	var closes func(at int32, w trail) bool
	closes = func(at int32, w trail) bool {
		w = w.on(&c.brinks[at])
		back := c.brinks[at].b.Distance(c.brinks[first].a.Point)
		if len(loop) == most || w.length+back > longest || !w.goesAround(c.climb+touching) {
			return false
		}
		loop = append(loop, at)
		for n, starts := range ways {
			for _, k := range starts(at) {
				if steps++; steps > 4*most {
					break
				}
				w := w
				if n > 0 {
					w = w.over(c.floorsAcross[at])
				}
				if k == first {
					if c.isAround(loop, &w) {
						return true
					}
					continue
				}
				if !slices.Contains(loop, k) && closes(k, w) {
					return true
				}
			}
		}
		loop = loop[:len(loop)-1]
		return false
	}
	if closes(first, trail{low: math.MaxInt32, high: math.MinInt32, ground: math.MinInt32}) {
		return loop
	}
	return nil
}

// trail is the known part of a loop. Length is in units; low, high and ground are the heights of the lowest place, of the highest place, and of
// the highest floor below a step.
type trail struct {
	length            float64
	low, high, ground int32
}

// on returns the trail with another brink.
func (w trail) on(b *brink) trail {
	w.length += b.a.Distance(b.b.Point)
	w.low, w.high = min(w.low, b.a.Z, b.b.Z), max(w.high, b.a.Z, b.b.Z)
	if b.stepped {
		w.ground = max(w.ground, b.ground)
	}
	return w
}

// over returns the trail with the lowest and the highest floor on the way to the next brink.
func (w trail) over(heights [2]int32) trail {
	w.low, w.high = min(w.low, heights[0]), max(w.high, heights[1])
	return w
}

// goesAround reports whether the rest of a way may close it around a hole: its places are within a step of each other, and the highest may be
// more than a step above the ground.
func (w *trail) goesAround(climb float64) bool {
	return float64(w.high)-float64(w.low) <= climb && w.ground < w.low
}

// isAround reports whether a loop goes around a hole: the hole is no wider than a crack, or beside a bridge, and no floor below a step of the
// loop is a step from all of the loop.
func (c *continuations) isAround(loop []int32, w *trail) bool {
	var ring lattice.Ring
	bridged := false
	for _, k := range slices.Backward(loop) {
		ring = append(ring, c.brinks[k].b.Point, c.brinks[k].a.Point)
		bridged = bridged || c.isBridge(c.brinks[k].triangle)
	}
	return ring.Area2() > 0 && w.goesAround(c.climb+touching) && (bridged && float64(w.high)-float64(w.ground) > c.climb+touching || isCrack(ring))
}

// isCrack reports whether no disc as wide as a crack fits in a ring. All places of such a ring are within half a crack's width of the border, so the
// area is at most half a crack's width times the length of the border.
func isCrack(ring lattice.Ring) bool {
	length := 0.0
	for i, p := range ring {
		length += p.Distance(ring[(i+1)%len(ring)])
	}
	if float64(ring.Area2()) > (crack+2*touching)*length {
		return false
	}
	ring, _ = withoutLoops(ring, make([]corner, len(ring)))
	if len(ring) < 3 {
		return false
	}
	wide, err := holdsDisc(ring, crack)
	return err == nil && !wide
}

// pocket is a bridge over a loop of brinks and steps, whose heights are from low to high.
type pocket struct {
	spans     []span
	beside    []int32 // the floors around
	low, high int32
	narrow    bool // no wider than a crack: floors below do not count
}

// fill returns the bridge over a loop of brinks, without triangles if the loop goes around floor or is wider than a gap.
func (e *extraction) fill(brinks []brink, loop []int32) (pocket, error) {
	ring, corners := cornersOf(brinks, loop)
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	for _, k := range loop {
		low, high = min(low, brinks[k].a.Z, brinks[k].b.Z), max(high, brinks[k].a.Z, brinks[k].b.Z)
	}
	if float64(high)-float64(low) > e.climb+touching {
		return pocket{}, nil
	}
	ring, corners = withoutLoops(ring, corners)
	if len(ring) < 3 || ring.Area2() <= 0 {
		return pocket{}, nil
	}
	if wide, err := holdsDisc(ring, e.maxGap); wide || err != nil {
		return pocket{}, err
	}
	inside := lattice.Polygon{Rings: []lattice.Ring{ring}}
	if meanWidth(inside) <= outward && slices.ContainsFunc(loop, func(k int32) bool { return brinks[k].stepped }) {
		return pocket{}, nil // two floors beside each other
	}
	p := pocket{low: low, high: high, narrow: isCrack(ring)}
	for _, k := range loop {
		p.beside = append(p.beside, brinks[k].triangle)
	}
	for _, t := range overlay.Triangulate(inside.Rings) {
		p.spans = append(p.spans, span{[3]corner{corners[t[0]], corners[t[1]], corners[t[2]]}, brinks[loop[0]].triangle})
	}
	return p, nil
}

// cornersOf returns the corners of a loop. Floors are on the left of the brinks: seen from the pocket, the way goes back.
func cornersOf(brinks []brink, loop []int32) (ring lattice.Ring, corners []corner) {
	for _, k := range slices.Backward(loop) {
		b := &brinks[k]
		for _, c := range [2]corner{{b.b, b.ends[1]}, {b.a, b.ends[0]}} {
			if n := len(ring); n > 0 && ring[n-1] == c.Point {
				continue
			}
			ring, corners = append(ring, c.Point), append(corners, c)
		}
	}
	if n := len(ring) - 1; n > 0 && ring[n] == ring[0] {
		ring, corners = ring[:n], corners[:n]
	}
	return ring, corners
}

// withoutLoops returns a ring that does not cross itself, none where neither short sides nor turns back are the cause. One brink may
// end some units beyond the start of the next, on the other side of it, and two brinks may share a stretch. Of the corners at sides no
// longer than twice meeting and those where the ring turns back, the corner goes without which the ring has the largest area, until the
// ring is valid: a pocket rather overlaps the floors around it than leaves a hole.
func withoutLoops(ring lattice.Ring, corners []corner) (lattice.Ring, []corner) {
	var known []knot // faults of the ring that no corner took along
	for len(ring) >= 3 {
		if len(known) == 0 {
			faults := (&lattice.Polygon{Rings: []lattice.Ring{ring}}).Faults(manyKnots)
			if len(faults) == 0 {
				return ring, corners
			}
			for i := range faults {
				known = append(known, knotOf(&faults[i], len(ring)))
			}
		}
		least := largestWithout(ring)
		if least < 0 {
			break
		}
		ring, corners = slices.Delete(ring, least, least+1), slices.Delete(corners, least, least+1)
		known = slices.DeleteFunc(known, func(k knot) bool { return k.n == 0 || slices.Contains(k.points[:k.n], least) })
		for i := range known {
			known[i].pass(least)
		}
	}
	return nil, nil
}

// largestWithout returns the corner at a short side or where a ring turns back without which the ring has the largest area, -1 if there is none.
func largestWithout(ring lattice.Ring) int {
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
	return least
}

// manyKnots is the number of faults of a ring that are known at a time.
const manyKnots = 64

// knot is the points of a ring that make a fault: the ring is at fault as long as it has all of them beside each other as now.
type knot struct {
	n      int
	points [4]int
}

// knotOf returns the knot of a fault of a ring of some points, without points if the fault is one of the whole ring.
func knotOf(f *lattice.Fault, points int) knot {
	switch e, o := f.Edge, f.OtherEdge; f.Kind {
	case lattice.Crossing, lattice.Overlapping, lattice.Touching:
		return knot{4, [4]int{e, (e + 1) % points, o, (o + 1) % points}}
	case lattice.RepeatedPoint:
		return knot{2, [4]int{e, o}}
	case lattice.Spike:
		return knot{3, [4]int{(e + points - 1) % points, e, (e + 1) % points}}
	default:
		return knot{}
	}
}

// pass numbers the points of a knot again, after another point of the ring went.
func (k *knot) pass(gone int) {
	for i := range k.points[:k.n] {
		if k.points[i] > gone {
			k.points[i]--
		}
	}
}

// turnsBack reports whether the way from a to c over b comes back along itself, meeting beside itself at most.
func turnsBack(a, b, c lattice.Point) bool {
	ax, ay := a.Sub(b)
	cx, cy := c.Sub(b)
	across := float64(lattice.Orient(a, b, c))
	longer := float64(max(a.Distance2(b), c.Distance2(b)))
	return float64(ax)*float64(cx)+float64(ay)*float64(cy) > 0 && across*across <= meeting*meeting*longer
}

// holdsDisc reports whether a disc of a diameter fits in a ring.
func holdsDisc(ring lattice.Ring, diameter float64) (bool, error) {
	if roomy(ring, diameter/2+2*touching) {
		return true, nil
	}
	if w, h := ring.Box().Size(); float64(max(w, h)) <= diameter {
		return false, nil
	}
	fits, err := (overlay.Offset{Distance: -diameter/2 - touching, Join: overlay.Mitre}).Polygons([]lattice.Polygon{{Rings: []lattice.Ring{ring}}})
	return len(fits) > 0, err
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
