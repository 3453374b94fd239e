package overlay

import (
	"slices"

	"github.com/meadow-nav/meadow/lattice"
)

const (
	// few segments in a cell are compared with each other instead of dividing it again.
	few = 12
	// patience is how many divisions in a row may each leave as many pairs to compare as there were,
	// before a cell is taken as it is: many segments meet there in a point or run along each other.
	patience = 3
)

// cells divide the plane into boxes, so that few segments come near each.
type cells struct {
	nodes  []cell
	leaves [][]int32 // the segments that come within a unit of the box
}

// cell is a box divided in two, or a leaf.
type cell struct {
	vertical bool  // divided by X, not by Y
	at       int32 // the greatest coordinate of the lower part
	lower    int32 // its number, the upper part's is the next; -1 for a leaf
	leaf     int32
}

// divide returns cells for the segments.
func divide(segs []segment) *cells {
	c := &cells{}
	if len(segs) == 0 {
		return c
	}
	box := lattice.EmptyBox()
	all := make([]int32, len(segs))
	for i, s := range segs {
		all[i] = int32(i)
		box = box.Extend(s.a).Extend(s.b)
	}
	type task struct {
		cell    int32
		box     lattice.Box
		segs    []int32
		retries int
	}
	c.nodes = append(c.nodes, cell{})
	tasks := []task{{0, box, all, patience}}
	for len(tasks) > 0 {
		t := tasks[len(tasks)-1]
		tasks = tasks[:len(tasks)-1]
		w, h := t.box.Size()
		if len(t.segs) <= few || t.retries == 0 || w == 0 && h == 0 {
			c.nodes[t.cell] = cell{lower: -1, leaf: int32(len(c.leaves))}
			c.leaves = append(c.leaves, t.segs)
			continue
		}
		best, pairs := halves{}, -1
		for _, vertical := range [2]bool{w >= h, w < h} {
			if vertical && w == 0 || !vertical && h == 0 {
				continue
			}
			d := halve(segs, t.segs, t.box, vertical)
			l, u := len(d.lowerSegs), len(d.upperSegs)
			if n := l*l + u*u; pairs < 0 || n < pairs {
				best, pairs = d, n
			}
			if pairs <= len(t.segs)*len(t.segs)*2/3 {
				break // good enough not to try the other way
			}
		}
		retries := patience
		if pairs >= len(t.segs)*len(t.segs) {
			retries = t.retries - 1
		}
		n := int32(len(c.nodes))
		c.nodes[t.cell] = cell{vertical: best.vertical, at: best.at, lower: n}
		c.nodes = append(c.nodes, cell{}, cell{})
		tasks = append(tasks, task{n + 1, best.upper, best.upperSegs, retries}, task{n, best.lower, best.lowerSegs, retries})
	}
	return c
}

// halves are the two parts of a box and the segments near each.
type halves struct {
	vertical             bool
	at                   int32
	lower, upper         lattice.Box
	lowerSegs, upperSegs []int32
}

func halve(segs []segment, near []int32, box lattice.Box, vertical bool) halves {
	d := halves{vertical: vertical, lower: box, upper: box}
	if vertical {
		d.at = median(segs, near, box.Min.X, box.Max.X, func(p lattice.Point) int32 { return p.X })
		d.lower.Max.X, d.upper.Min.X = d.at, d.at+1
	} else {
		d.at = median(segs, near, box.Min.Y, box.Max.Y, func(p lattice.Point) int32 { return p.Y })
		d.lower.Max.Y, d.upper.Min.Y = d.at, d.at+1
	}
	lower, upper := grown(d.lower), grown(d.upper)
	for _, s := range near {
		if segs[s].near(lower) {
			d.lowerSegs = append(d.lowerSegs, s)
		}
		if segs[s].near(upper) {
			d.upperSegs = append(d.upperSegs, s)
		}
	}
	return d
}

// median returns a coordinate in [low, high) with about as many ends of segments on one side as on the
// other, of a sample of those within; the middle where there are none.
func median(segs []segment, near []int32, low, high int32, of func(lattice.Point) int32) int32 {
	var sample [2 * 16]int32
	n := 0
	step := max(1, len(near)/16)
	for i := 0; i < len(near) && n < len(sample)-1; i += step {
		for _, p := range [2]lattice.Point{segs[near[i]].a, segs[near[i]].b} {
			if x := of(p); low <= x && x < high {
				sample[n] = x
				n++
			}
		}
	}
	if n < 8 {
		return int32((int64(low) + int64(high)) >> 1)
	}
	slices.Sort(sample[:n])
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

// near reports whether s meets the box.
func (s segment) near(b lattice.Box) bool {
	low, high := min(s.a.Y, s.b.Y), max(s.a.Y, s.b.Y)
	if s.b.X < b.Min.X || s.a.X > b.Max.X || high < b.Min.Y || low > b.Max.Y {
		return false
	}
	if s.a.X >= b.Min.X && s.b.X <= b.Max.X || low >= b.Min.Y && high <= b.Max.Y {
		return true // it crosses the box from side to side, or is inside
	}
	// The corners farthest above and below a rising line are the upper left and the lower right.
	above, below := lattice.Point{X: b.Min.X, Y: b.Max.Y}, lattice.Point{X: b.Max.X, Y: b.Min.Y}
	if s.b.Y < s.a.Y {
		above, below = b.Max, b.Min
	}
	return lattice.Orient(s.a, s.b, above) >= 0 && lattice.Orient(s.a, s.b, below) <= 0
}

// at returns the segments that come within a unit of p.
func (c *cells) at(p lattice.Point) []int32 {
	for n := int32(0); ; {
		cell := &c.nodes[n]
		if cell.lower < 0 {
			return c.leaves[cell.leaf]
		}
		n = cell.lower
		if cell.vertical && p.X > cell.at || !cell.vertical && p.Y > cell.at {
			n++
		}
	}
}
