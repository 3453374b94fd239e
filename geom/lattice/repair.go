package lattice

import (
	"cmp"
	"slices"
)

// Repair of a simplification: finding and splitting inconsistent chords.

// chord is a segment of the output: the run from vertex i to vertex j of a line, j beyond the
// line's length where it closes a ring.
type chord struct {
	line, i, j int
	a, b       Point
	box        Box // of the whole run
	fresh      bool
	bad        bool
	// worst is the vertex at which to split, -1 if unknown, and deviation its distance.
	worst     int
	deviation Ratio
}

// original reports whether the chord is an edge of the input.
func (c *chord) original() bool { return c.j == c.i+1 }

// sharedPoint is a position of several vertices.
type sharedPoint struct {
	at       Point
	vertices []vertexRef
	// spokes are the outgoing edges, counter-clockwise.
	spokes []spoke
}

type vertexRef struct{ line, index int }

// spoke is the edge that leaves vertex index of a line forwards or backwards.
type spoke struct {
	vertexRef
	forward bool
	to      Point // the next vertex of the input
}

// findShared returns the positions that occur more than once, in the order of points.
func findShared(lines []Line, base []int) []sharedPoint {
	type placed struct {
		Point
		vertexRef
	}
	all := make([]placed, 0, base[len(lines)])
	for l, line := range lines {
		for k, p := range line.Points {
			all = append(all, placed{p, vertexRef{l, k}})
		}
	}
	slices.SortFunc(all, func(p, q placed) int {
		return cmp.Or(p.Compare(q.Point), cmp.Compare(p.line, q.line), cmp.Compare(p.index, q.index))
	})
	var shared []sharedPoint
	for i, j := 0, 0; i < len(all); i = j {
		for j = i; j < len(all) && all[j].Point == all[i].Point; j++ {
		}
		if j-i < 2 {
			continue
		}
		s := sharedPoint{at: all[i].Point}
		for _, v := range all[i:j] {
			s.vertices = append(s.vertices, v.vertexRef)
			points, closed := lines[v.line].Points, lines[v.line].Closed
			n := len(points)
			if next := points[(v.index+1)%n]; next != s.at && (closed || v.index+1 < n) {
				s.spokes = append(s.spokes, spoke{v.vertexRef, true, next})
			}
			if previous := points[(v.index+n-1)%n]; previous != s.at && (closed || v.index > 0) {
				s.spokes = append(s.spokes, spoke{v.vertexRef, false, previous})
			}
		}
		slices.SortStableFunc(s.spokes, func(x, y spoke) int { return compareAround(s.at, x.to, y.to) })
		shared = append(shared, s)
	}
	return shared
}

// compareAround orders the directions from v to p and to q counter-clockwise, beginning east.
func compareAround(v, p, q Point) int {
	if c := cmp.Compare(half(v, p), half(v, q)); c != 0 {
		return c
	}
	return -cmp.Compare(Orient(v, p, q), 0)
}

// half returns 0 for directions from east to just before west, 1 for the others.
func half(v, p Point) int {
	if dx, dy := p.Sub(v); dy > 0 || dy == 0 && dx > 0 {
		return 0
	}
	return 1
}

// repair splits inconsistent chords until none is left. Each round examines only the changes of the last.
func (s *simplifier) repair() {
	for {
		chords := s.chords()
		var long []int // chords other than edges of the input: only these may be split
		for i := range chords {
			if !chords[i].original() {
				long = append(long, i)
			}
		}
		if len(long) == 0 {
			return
		}
		const few = 128
		if len(long) <= few {
			s.findContactsOf(long, chords)
			s.findPassedBy(long, chords)
		} else {
			index := newGrid(len(chords), func(i int) Box { return chords[i].box }, nil)
			s.findContacts(chords, index)
			s.findPassed(chords, index)
		}
		s.findTurned(chords)
		if !anyBad(chords) {
			s.findFlipped(chords)
		}
		if !anyBad(chords) {
			return
		}
		clear(s.fresh)
		for i := range chords {
			if c := &chords[i]; c.bad {
				s.measure(c)
				s.keep(c.line, c.worst)
				s.split(c.line, c.i, c.worst)
				s.split(c.line, c.worst, c.j)
			}
		}
	}
}

func anyBad(chords []chord) bool {
	return slices.ContainsFunc(chords, func(c chord) bool { return c.bad })
}

// chords lists the output segments, line after line.
func (s *simplifier) chords() []chord {
	var chords []chord
	for l := range s.lines {
		n := len(s.lines[l].Points)
		for _, r := range s.runsOf(l) {
			if r[1] == r[0]+n && n == 1 {
				continue // a ring of a single point
			}
			c := chord{line: l, i: r[0], j: r[1], a: s.point(l, r[0]), b: s.point(l, r[1]), worst: -1}
			c.fresh = s.fresh[s.base[l]+r[0]] || s.fresh[s.base[l]+r[1]%n]
			c.box = BoxOf(c.a)
			for k := r[0] + 1; k <= r[1]; k++ {
				c.box = c.box.Extend(s.point(l, k))
			}
			chords = append(chords, c)
		}
	}
	return chords
}

// condemn marks a chord for splitting, if it can be split.
func (c *chord) condemn() { c.bad = c.bad || !c.original() }

// findContacts condemns chords that meet where the input did not meet.
func (s *simplifier) findContacts(chords []chord, index *grid) {
	index.forPairs(
		func(i int) Box { return BoxOf(chords[i].a, chords[i].b) }, nil,
		func(i, k int) bool {
			if c, d := &chords[i], &chords[k]; c.fresh || d.fresh {
				s.judge(c, d)
			}
			return true
		})
}

// findContactsOf is findContacts for few chords that are no edges of the input: it compares each with all others.
func (s *simplifier) findContactsOf(long []int, chords []chord) {
	for _, i := range long {
		c := &chords[i]
		box := BoxOf(c.a, c.b)
		for k := range chords {
			d := &chords[k]
			if (c.fresh || d.fresh) && box.Overlaps(d.box) && (k < i || d.original()) {
				s.judge(c, d)
			}
		}
	}
}

// judge condemns c and d if they meet where the input did not.
func (s *simplifier) judge(c, d *chord) {
	switch SegmentContact(c.a, c.b, d.a, d.b) {
	case ProperCrossing, Overlap:
		s.condemnOne(c, d)
	case EndOnInterior:
		s.judgeTouch(c, d, c.a, c.i+1, c.b)
		s.judgeTouch(c, d, c.b, c.j-1, c.a)
		s.judgeTouch(d, c, d.a, d.i+1, d.b)
		s.judgeTouch(d, c, d.b, d.j-1, d.a)
	}
}

// condemnOne condemns the chord that deviates more from its run: the other may be right. If one of the pair
// is already condemned, the pair comes up again in the next round if they still meet.
func (s *simplifier) condemnOne(c, d *chord) {
	switch {
	case c.bad || d.bad:
	case d.original():
		c.condemn()
	case c.original():
		d.condemn()
	default:
		s.measure(c)
		s.measure(d)
		if c.deviation.Compare(d.deviation) >= 0 {
			c.condemn()
		} else {
			d.condemn()
		}
	}
}

// measure finds out where c splits.
func (s *simplifier) measure(c *chord) {
	if c.worst < 0 {
		c.worst, _ = s.farthest(c.line, c.i, c.j)
		c.deviation = SegmentDistance2(s.point(c.line, c.worst), c.a, c.b)
	}
}

// judgeTouch handles the end of c at p, where the run continues to vertex next and the chord to far. It
// condemns c or d if p newly lies on d. If d is an edge of the input, the contact is old; then the chord must
// leave d on the same side as the run.
func (s *simplifier) judgeTouch(c, d *chord, p Point, next int, far Point) {
	switch {
	case p == d.a || p == d.b || !OnSegment(p, d.a, d.b):
	case !d.original():
		d.condemn()
	case !sameSign(Orient(d.a, d.b, s.point(c.line, next)), Orient(d.a, d.b, far)):
		c.condemn()
	}
}

func sameSign(a, b int64) bool { return a > 0 && b > 0 || a < 0 && b < 0 }

// findPassed condemns chords that passed over a kept vertex: the run and the chord, taken as a closed curve,
// wind around it.
func (s *simplifier) findPassed(chords []chord, index *grid) {
	for l := range s.lines {
		for k, p := range s.lines[l].Points {
			v := s.base[l] + k
			if !s.kept[v] {
				continue
			}
			for level, levels := uint(0), index.levels; levels != 0; level, levels = level+1, levels>>1 {
				if levels&1 == 0 {
					continue
				}
				for _, i := range index.at(level, p.X>>level, p.Y>>level) {
					c := &chords[i]
					if (c.fresh || s.fresh[v]) && !c.original() && !c.bad && s.passes(c, p) {
						c.condemn()
					}
				}
			}
		}
	}
}

// findPassedBy is findPassed where few chords are no edges of the input.
func (s *simplifier) findPassedBy(long []int, chords []chord) {
	for _, i := range long {
		c := &chords[i]
		for l := range s.lines {
			for k, p := range s.lines[l].Points {
				v := s.base[l] + k
				if !c.bad && c.box.Contains(p) && s.kept[v] && (c.fresh || s.fresh[v]) && s.passes(c, p) {
					c.condemn()
				}
			}
		}
	}
}

// passes reports whether p is on the run of c, or the run and the chord wind around it.
func (s *simplifier) passes(c *chord, p Point) bool {
	if !c.box.Contains(p) || p == c.a || p == c.b {
		return false
	}
	// The run is within the tolerance of the chord, and so is everything inside the curve.
	if SegmentDistance2(p, c.a, c.b).CompareInt(s.limit2) > 0 {
		return false
	}
	winding := 0
	from := c.b
	for k := c.i; k <= c.j; k++ {
		to := s.point(c.line, k)
		switch crossesRay(p, from, to) {
		case rayOn:
			return true
		case rayCrossed:
			if from.Y < to.Y {
				winding++
			} else {
				winding--
			}
		}
		from = to
	}
	return winding != 0
}

// findTurned condemns chords at shared positions where the order of chords differs from the order of the
// input's edges.
func (s *simplifier) findTurned(chords []chord) {
	if len(s.shared) == 0 {
		return
	}
	leaving, arriving := make([]*chord, len(s.kept)), make([]*chord, len(s.kept))
	for i := range chords {
		c := &chords[i]
		leaving[s.base[c.line]+c.i] = c
		arriving[s.base[c.line]+c.j%len(s.lines[c.line].Points)] = c
	}
	var ends []Point
	var spokes []*chord
	for i := range s.shared {
		at := &s.shared[i]
		ends, spokes = ends[:0], spokes[:0]
		for _, e := range at.spokes {
			v := s.base[e.line] + e.index
			if e.forward {
				spokes, ends = append(spokes, leaving[v]), append(ends, leaving[v].b)
			} else {
				spokes, ends = append(spokes, arriving[v]), append(ends, arriving[v].a)
			}
		}
		descents := 0
		for k, p := range ends {
			if compareAround(at.at, p, ends[(k+1)%len(ends)]) > 0 {
				descents++
			}
		}
		if descents > 1 {
			for _, c := range spokes {
				c.condemn()
			}
		}
	}
}

// findFlipped condemns the chords of rings that have changed their orientation or lost their area.
func (s *simplifier) findFlipped(chords []chord) {
	for i, j := 0, 0; i < len(chords); i = j {
		l := chords[i].line
		fresh := false
		var area int64
		for j = i; j < len(chords) && chords[j].line == l; j++ {
			area += Orient(chords[i].a, chords[j].a, chords[j].b)
			fresh = fresh || chords[j].fresh
		}
		if !s.lines[l].Closed || !fresh {
			continue
		}
		if before := Ring(s.lines[l].Points).Area2(); before != 0 && !sameSign(before, area) {
			for k := i; k < j; k++ {
				chords[k].condemn()
			}
		}
	}
}
