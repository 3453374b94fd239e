package world

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/meadow-nav/meadow/geom"
)

// Watchers: who hears of a change.
//
// Idea: watched boxes lie in a grid of several cell sizes, see watchGrid. A change looks up the boxes of its floor and links in
// the grid and leaves a notice in the channel of each watcher near by. The channel holds one notice; a notice that nobody has
// read is taken back and merged. No watcher has a goroutine.
//
// Guarantees:
//  1. A watcher hears of exactly the changes whose boxes meet the watched place: TestWatchAgainstBruteForce,
//     TestWatchPathAgainstBruteForce.
//  2. The writer never waits for a reader, and unread notices take bounded memory: TestWatchMerges, TestTellAllocatesNothing.
//  3. A change visits only watchers near by: TestTellVisitsFew.
//  4. A closed watcher leaves nothing in the world: TestWatchClosed.
//  5. Any number of goroutines watch, read and close while the world changes: TestWatchersAtOnce.
//
// Degenerate cases: an endless box hears of every change, a box without extent of changes that contain the point. A
// change without boxes tells nobody.
//
// Cost: O(c + n) time for a change with c grid cells under its boxes and n watched boxes in these cells; no allocation.

// Notice tells a watcher of one change or several.
type Notice struct {
	First, Last uint64   // sequence numbers of the first and the last change
	Box         geom.Box // around all changed boxes that meet the watched place
}

// Watcher tells of changes near a place: see [World.Watch]. All methods are safe for any number of goroutines.
type Watcher struct {
	owner  *watchers
	since  uint64
	out    chan Notice
	parts  []watchPart
	closed bool

	// While a change is told: the number of the telling, and the bounds of the changed boxes that meet the place.
	told uint64
	near geom.Box
}

// watchPart is a box in the grid, or a straight piece of a path with the box around the piece.
type watchPart struct {
	watcher  *Watcher
	box      geom.Box
	path     bool
	from, to geom.Vec
	radius   float64
}

// watchers are the watchers of a world. The zero value is ready.
type watchers struct {
	mu      sync.Mutex
	last    uint64 // sequence number of the last change told
	telling uint64
	grid    watchGrid
	hits    []*Watcher // memory of tell
}

// Watch returns a [Watcher] of a box: the watcher hears of each change whose Boxes or Ends meet the box, borders included. The
// box may be infinite.
//
// The error is for a box that is empty or not a number. Close the watcher when you need it no more: the world holds the
// watcher until then.
func (w *World) Watch(box geom.Box) (*Watcher, error) {
	if w == nil {
		return nil, errors.New("world: watch: the world is nil")
	}
	low, high := [3]float64{box.Min.X, box.Min.Y, box.Min.Z}, [3]float64{box.Max.X, box.Max.Y, box.Max.Z}
	for axis, name := range []string{"x", "y", "z"} {
		if !(low[axis] <= high[axis]) {
			return nil, fmt.Errorf("world: watch: the box reaches from %v to %v along %s", low[axis], high[axis], name)
		}
	}
	return w.watchers.add([]watchPart{{box: box}}), nil
}

// WatchPath returns a [Watcher] of the way along points: the watcher hears of each change with one of its Boxes or Ends within
// radius metres of the way, borders included. Points are the way over the floor, see [query.Path.Surface]; between two points the
// way is straight. Heights count too: a box more than radius metres above or below a piece of the way does not meet the piece.
//
// The changes from the snapshot of the path up to [Watcher.Since] stay untold. So plan the path anew if Since is larger than
// the sequence number of the snapshot.
//
// The errors are for a way without points, a point that is not finite, and a radius that is negative or not finite.
func (w *World) WatchPath(points []geom.Vec, radius float64) (*Watcher, error) {
	if w == nil {
		return nil, errors.New("world: watch: the world is nil")
	}
	if len(points) == 0 {
		return nil, errors.New("world: watch: a way without points")
	}
	if !(radius >= 0) || math.IsInf(radius, 0) {
		return nil, fmt.Errorf("world: watch: radius %v m: must be finite and not negative", radius)
	}
	for i, p := range points {
		if !finite(p.X) || !finite(p.Y) || !finite(p.Z) {
			return nil, fmt.Errorf("world: watch: point %d at %v is not finite", i, p)
		}
	}
	margin := geom.Vec{X: radius, Y: radius, Z: radius}
	parts := make([]watchPart, max(1, len(points)-1))
	for i := range parts {
		from, to := points[i], points[min(i+1, len(points)-1)]
		box := geom.EmptyBox().Extend(from).Extend(to)
		parts[i] = watchPart{box: geom.Box{Min: box.Min.Sub(margin), Max: box.Max.Add(margin)}, path: true, from: from, to: to, radius: radius}
	}
	return w.watchers.add(parts), nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// C returns the channel of notices. The channel holds one notice: changes that come before somebody has read the notice
// are merged into it. [Watcher.Close] closes the channel.
func (v *Watcher) C() <-chan Notice {
	if v == nil {
		return nil
	}
	return v.out
}

// Since returns the sequence number of the last change before the watcher began: later ones are told.
func (v *Watcher) Since() uint64 {
	if v == nil {
		return 0
	}
	return v.since
}

// Close ends the watcher. A notice that nobody has read stays in the channel. A second Close does nothing.
func (v *Watcher) Close() {
	if v == nil || v.owner == nil {
		return
	}
	v.owner.mu.Lock()
	defer v.owner.mu.Unlock()
	if v.closed {
		return
	}
	v.closed = true
	for i := range v.parts {
		v.owner.grid.remove(&v.parts[i])
	}
	close(v.out)
}

// add makes a watcher of parts.
func (s *watchers) add(parts []watchPart) *Watcher {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := &Watcher{owner: s, since: s.last, out: make(chan Notice, 1), parts: parts}
	for i := range parts {
		parts[i].watcher = v
		s.grid.add(&parts[i])
	}
	return v
}

// tell leaves notices of a change. Changes come in the order of their sequence numbers, one at a time.
func (s *watchers) tell(c Change) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = c.Sequence
	s.telling++
	s.hits = s.hits[:0]
	s.near(c.Boxes)
	s.near(c.Ends)
	for _, v := range s.hits {
		n := Notice{First: c.Sequence, Last: c.Sequence, Box: v.near}
		select {
		case old := <-v.out:
			n.First, n.Box = old.First, n.Box.Extend(old.Box.Min).Extend(old.Box.Max)
		default:
		}
		v.out <- n // never waits: only tell sends, and the channel is empty now
	}
	clear(s.hits)
}

// near lists the watchers that hear of boxes.
func (s *watchers) near(boxes []geom.Box) {
	for _, box := range boxes {
		s.grid.near(box, func(p *watchPart) {
			if !p.meets(box) {
				return
			}
			v := p.watcher
			if v.told != s.telling {
				v.told, v.near = s.telling, box
				s.hits = append(s.hits, v)
				return
			}
			v.near = v.near.Extend(box.Min).Extend(box.Max)
		})
	}
}

// meets reports whether a changed box meets the watched box, or comes within the radius of the piece of a path.
func (p *watchPart) meets(b geom.Box) bool {
	if !boxesMeet(p.box, b) {
		return false
	}
	return !p.path || flatDistance(p.from, p.to, b) <= p.radius
}

// boxesMeet reports whether two closed boxes have a common point.
func boxesMeet(a, b geom.Box) bool {
	return a.Min.X <= b.Max.X && b.Min.X <= a.Max.X && a.Min.Y <= b.Max.Y && b.Min.Y <= a.Max.Y && a.Min.Z <= b.Max.Z && b.Min.Z <= a.Max.Z
}

// flatDistance returns the distance of a segment from a box, both seen from above. The distance of two convex polygons apart
// is the distance from a corner of one of them.
func flatDistance(from, to geom.Vec, b geom.Box) float64 {
	if crossesFlat(from, to, b) {
		return 0
	}
	beside := func(p geom.Vec) float64 {
		return math.Hypot(max(b.Min.X-p.X, 0, p.X-b.Max.X), max(b.Min.Z-p.Z, 0, p.Z-b.Max.Z))
	}
	least := min(beside(from), beside(to))
	for _, x := range [2]float64{b.Min.X, b.Max.X} {
		for _, z := range [2]float64{b.Min.Z, b.Max.Z} {
			least = min(least, flatPointSegment(x, z, from, to))
		}
	}
	return least
}

// flatPointSegment returns the distance of a point from a segment, seen from above.
func flatPointSegment(x, z float64, from, to geom.Vec) float64 {
	dx, dz := to.X-from.X, to.Z-from.Z
	t := 0.0
	if square := float64(dx*dx) + float64(dz*dz); square > 0 {
		t = min(1, max(0, (float64((x-from.X)*dx)+float64((z-from.Z)*dz))/square))
	}
	return math.Hypot(x-(from.X+float64(t*dx)), z-(from.Z+float64(t*dz)))
}

// crossesFlat reports whether a segment has a point in a box, both seen from above: the part of the segment between the box's
// sides along X, cut by the sides along Z.
func crossesFlat(from, to geom.Vec, b geom.Box) bool {
	first, last := 0.0, 1.0
	for _, axis := range [2][4]float64{{from.X, to.X, b.Min.X, b.Max.X}, {from.Z, to.Z, b.Min.Z, b.Max.Z}} {
		at, step, low, high := axis[0], axis[1]-axis[0], axis[2], axis[3]
		if step == 0 {
			if at < low || at > high {
				return false
			}
			continue
		}
		enter, leave := (low-at)/step, (high-at)/step
		first, last = max(first, min(enter, leave)), min(last, max(enter, leave))
	}
	return first <= last
}
