package overlay

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/par"
)

const (
	// few segments in a cell are compared with each other instead of dividing it again.
	few = 80
	// patience is how many divisions in a row may each leave as many pairs to compare as there were,
	// before a cell is taken as it is: many segments meet there in a point or run along each other.
	patience = 3
)

// cells divide the plane into boxes, each with few segments nearby.
type cells struct {
	nodes []cell
	near  []int32  // of all leaves
	boxes []extent // of the segments that are near
}

// extent is the box of a segment.
type extent struct{ left, right, low, high int32 }

func (s *segment) extent() extent {
	return extent{s.a.X, s.b.X, min(s.a.Y, s.b.Y), max(s.a.Y, s.b.Y)}
}

// passing is the state of a leaf while points go by from left to right: the boxes up to next have begun, and count of them have not
// ended. They are in a list of all leaves, from one less than first on; first is 0 for leaves without points so far. No box in the list ends
// left of least.
type passing struct{ first, next, count, least int32 }

// begun is a box that has begun, and its number.
type begun struct{ right, low, high, box int32 }

// appendVisits appends the passages of segments through the hot squares of some ascending points, by point. The first point has the
// number first. Each leaf keeps a list of the boxes that have begun left of the last point and do not end left of it. The answers
// of comparisons are unpredictable, so the code does not branch on them: differences of coordinates do not overflow, and
// their signs are added up.
func (c *cells) appendVisits(visits []visit, segs []segment, points []lattice.Point, first int32, s *scratch) []visit {
	s.passing = zeros(s.passing, len(c.nodes))
	s.begun = s.begun[:0]
	for i, p := range points {
		at := c.at(p)
		state := &s.passing[at]
		near, boxes := c.leaf(&c.nodes[at])
		if state.first == 0 {
			state.first, state.least = int32(len(s.begun))+1, math.MaxInt32
			s.begun = slices.Grow(s.begun, len(boxes))[:len(s.begun)+len(boxes)]
			s.found = sized(s.found, max(len(s.found), len(boxes)))
		}
		list, found := s.begun[state.first-1:], s.found
		if state.least < p.X {
			kept, least := 0, int32(math.MaxInt32)
			for _, b := range list[:state.count] {
				list[kept] = b
				if open := inside(b.right - p.X); open > 0 {
					kept++
					least = min(least, b.right)
				}
			}
			state.count, state.least = int32(kept), least
		}
		for next := int(state.next); next < len(boxes) && boxes[next].left <= p.X; next++ {
			b := &boxes[next]
			if b.right >= p.X {
				list[state.count] = begun{b.right, b.low, b.high, int32(next)}
				state.count++
				state.least = min(state.least, b.right)
			}
			state.next++
		}
		n := 0
		list = list[:state.count]
		for k := range list {
			b := &list[k]
			found[n] = b.box
			n += inside((p.Y - b.low) | (b.high - p.Y))
		}
		for _, k := range found[:n] {
			if segs[near[k]].passes(p) {
				visits = append(visits, visit{near[k], first + int32(i)})
			}
		}
	}
	return visits
}

// meeting writes the numbers of the boxes after box k that meet box k to found, and returns their count; the boxes are from left to
// right.
func meeting(boxes []extent, k int, found []int32) int {
	b := boxes[k]
	n := 0
	for l := k + 1; l < len(boxes); l++ {
		c := &boxes[l]
		if c.left > b.right {
			break
		}
		found[n] = int32(l)
		n += inside((b.high - c.low) | (c.high - b.low))
	}
	return n
}

// inside is 1 where no sign is set, else 0.
func inside(signs int32) int { return int(^uint32(signs) >> 31) }

// cell is a box divided in two, or a leaf.
type cell struct {
	vertical    bool  // divided by X, not by Y
	at          int32 // the greatest coordinate of the lower part
	lower       int32 // its number, the upper part's is the next; 0 for a leaf
	first, last int32 // for a leaf: near[first:last] are the segments that come within a unit of the box
}

// leaf returns the segments that come within a unit of a leaf, ascending and so from left to right by their left
// ends, and their boxes; none for other cells.
func (c *cells) leaf(n *cell) ([]int32, []extent) {
	return c.near[n.first:n.last], c.boxes[n.first:n.last]
}

// divider makes cells.
type divider struct {
	cells
	segs    []segment
	extents []extent // of the segments
	stack   []int32  // the segments near the parts of the boxes that are being divided
	// Cells with no more segments than small are put off, for several goroutines to divide.
	small  int
	putOff []branch
}

// branch is a cell that is yet to be divided.
type branch struct {
	at      int32
	box     lattice.Box
	near    []int32
	retries int
}

// run returns cells for the segments.
func (d *divider) run(segs []segment, jobs int) *cells {
	d.segs, d.nodes, d.near, d.boxes, d.stack = segs, append(d.nodes[:0], cell{}), d.near[:0], d.boxes[:0], d.stack[:0]
	d.extents, d.stack = slices.Grow(d.extents[:0], len(segs)), slices.Grow(d.stack, len(segs))
	box := lattice.EmptyBox()
	for i := range segs {
		d.stack = append(d.stack, int32(i))
		d.extents = append(d.extents, segs[i].extent())
		box = box.Extend(segs[i].a).Extend(segs[i].b)
	}
	if jobs != 1 {
		d.small = len(segs) / parts
	}
	d.divide(0, box, d.stack, patience)
	if d.small > 0 {
		d.divideRest(jobs)
	}
	shed(&d.extents)
	shed(&d.stack)
	return &d.cells
}

// divideRest divides the postponed cells in parallel, and appends their parts.
func (d *divider) divideRest(jobs int) {
	made := make([]divider, len(d.putOff))
	_ = par.For(context.Background(), jobs, len(made), func(i int) error {
		b := &d.putOff[i]
		made[i] = divider{segs: d.segs, extents: d.extents, cells: cells{nodes: make([]cell, 1)}}
		made[i].divide(0, b.box, b.near, b.retries)
		made[i].stack = nil
		return nil
	})
	for i, m := range made {
		nodes, near := int32(len(d.nodes))-1, int32(len(d.near))
		for k, c := range m.nodes {
			if c.lower > 0 {
				c.lower += nodes
			} else {
				c.first, c.last = c.first+near, c.last+near
			}
			if k == 0 {
				d.nodes[d.putOff[i].at] = c
			} else {
				d.nodes = append(d.nodes, c)
			}
		}
		d.near, d.boxes = append(d.near, m.near...), append(d.boxes, m.boxes...)
		made[i] = divider{}
	}
	d.small, d.putOff = 0, nil
}

// shed drops the memory of large cells, and the scratch memory for them.
func (d *divider) shed() {
	shed(&d.extents)
	shed(&d.stack)
	shed(&d.segs)
	shed(&d.nodes)
	shed(&d.near)
	shed(&d.boxes)
}

// divide divides a cell, given the segments nearby. retries is the number of unsuccessful divisions still allowed.
func (d *divider) divide(at int32, box lattice.Box, near []int32, retries int) {
	w, h := box.Size()
	n := len(near)
	if n > few && n <= d.small {
		d.putOff = append(d.putOff, branch{at, box, slices.Clone(near), retries})
		return
	}
	if n <= few || retries == 0 || w == 0 && h == 0 {
		first := int32(len(d.near))
		d.near = append(d.near, near...)
		for _, i := range near {
			d.boxes = append(d.boxes, d.extents[i])
		}
		d.nodes[at] = cell{first: first, last: int32(len(d.near))}
		return
	}
	mark := len(d.stack)
	best, pairs := halves{}, -1
	for _, vertical := range [2]bool{w >= h, w < h} {
		if vertical && w == 0 || !vertical && h == 0 {
			continue
		}
		t := d.halve(near, box, vertical)
		l, u := len(t.lowerSegs), len(t.upperSegs)
		if p := l*l + u*u; pairs < 0 || p < pairs {
			best, pairs = t, p
		}
		if pairs <= n*n*2/3 {
			break // good enough not to try the other way
		}
	}
	if pairs < n*n {
		retries = patience
	} else {
		retries--
	}
	lower := int32(len(d.nodes))
	d.nodes[at] = cell{vertical: best.vertical, at: best.at, lower: lower}
	d.nodes = append(d.nodes, cell{}, cell{})
	d.divide(lower, best.lower, best.lowerSegs, retries)
	d.divide(lower+1, best.upper, best.upperSegs, retries)
	d.stack = d.stack[:mark]
}

// halves are the two parts of a box and the segments near each.
type halves struct {
	vertical             bool
	at                   int32
	lower, upper         lattice.Box
	lowerSegs, upperSegs []int32
}

// halve divides a box. The lists of segments are on the stack.
func (d *divider) halve(near []int32, box lattice.Box, vertical bool) halves {
	t := halves{vertical: vertical, lower: box, upper: box}
	t.at = d.median(near, box, vertical)
	if vertical {
		t.lower.Max.X, t.upper.Min.X = t.at, t.at+1
	} else {
		t.lower.Max.Y, t.upper.Min.Y = t.at, t.at+1
	}
	n := len(near)
	start := len(d.stack)
	d.stack = slices.Grow(d.stack, 2*n)[:start+2*n]
	lowers, uppers := d.stack[start:start+n], d.stack[start+n:]
	lower, upper := grown(t.lower), grown(t.upper)
	l, u := 0, 0
	for _, i := range near {
		b := &d.extents[i]
		least, most := b.left, b.right
		if !vertical {
			least, most = b.low, b.high
		}
		// All segments are near the box, so a segment beyond the dividing line is near the other part. Each is written
		// to both lists, and counts in its own lists only.
		lowers[l], uppers[u] = i, i
		switch {
		case most < t.at:
			l++
		case least > t.at+1:
			u++
		default:
			if least <= t.at+1 && d.meets(i, &lower) {
				l++
			}
			if most >= t.at && d.meets(i, &upper) {
				u++
			}
		}
	}
	t.lowerSegs, t.upperSegs = lowers[:l], uppers[:u]
	return t
}

// median returns a coordinate at which to divide a box, with about equally many ends of segments on both
// sides, from a sample of the ends inside; the middle if there are none.
func (d *divider) median(near []int32, box lattice.Box, vertical bool) int32 {
	low, high := box.Min.X, box.Max.X
	if !vertical {
		low, high = box.Min.Y, box.Max.Y
	}
	var sample [2 * 8]int32
	n := 0
	step := max(1, len(near)/8)
	for i := 0; i < len(near) && n < len(sample)-1; i += step {
		b := &d.extents[near[i]]
		ends := [2]int32{b.left, b.right}
		if !vertical {
			ends = [2]int32{b.low, b.high}
		}
		for _, x := range ends {
			if low <= x && x < high {
				at := n
				for ; at > 0 && sample[at-1] > x; at-- {
					sample[at] = sample[at-1]
				}
				sample[at] = x
				n++
			}
		}
	}
	if n < 4 {
		return int32((int64(low) + int64(high)) >> 1)
	}
	return sample[n/2]
}

// grown returns the box with a unit around it, as far as coordinates go.
func grown(b lattice.Box) lattice.Box {
	const most = lattice.MaxCoord
	return lattice.Box{
		Min: lattice.Point{X: max(b.Min.X-1, -most), Y: max(b.Min.Y-1, -most)},
		Max: lattice.Point{X: min(b.Max.X+1, most), Y: min(b.Max.Y+1, most)},
	}
}

// meets reports whether a segment meets the box.
func (d *divider) meets(i int32, b *lattice.Box) bool {
	e := &d.extents[i]
	if e.right < b.Min.X || e.left > b.Max.X || e.high < b.Min.Y || e.low > b.Max.Y {
		return false
	}
	if e.left >= b.Min.X && e.right <= b.Max.X || e.low >= b.Min.Y && e.high <= b.Max.Y {
		return true // it crosses the box from side to side, or is inside
	}
	// The corners farthest above and below a rising line are the upper left and the lower right.
	above, below := lattice.Point{X: b.Min.X, Y: b.Max.Y}, lattice.Point{X: b.Max.X, Y: b.Min.Y}
	s := &d.segs[i]
	if s.b.Y < s.a.Y {
		above, below = b.Max, b.Min
	}
	return lattice.Orient(s.a, s.b, above) >= 0 && lattice.Orient(s.a, s.b, below) <= 0
}

// at returns the number of the leaf that a point is in.
func (c *cells) at(p lattice.Point) int32 {
	for n := int32(0); ; {
		cell := &c.nodes[n]
		if cell.lower == 0 {
			return n
		}
		n = cell.lower
		if cell.vertical && p.X > cell.at || !cell.vertical && p.Y > cell.at {
			n++
		}
	}
}
