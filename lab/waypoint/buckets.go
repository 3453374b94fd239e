package waypoint

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/rows"
)

// buckets finds the nodes near a place: a square grid over the box of all nodes with about one node
// for each cell.
type buckets struct {
	nodes  []spot
	min    lattice.Point
	size   int64            // of a cell
	w, h   int64            // cells
	within rows.Rows[int32] // of each cell
}

func newBuckets(nodes []spot) *buckets {
	box := lattice.EmptyBox()
	for _, p := range nodes {
		box = box.Extend(p.Point)
	}
	b := &buckets{nodes: nodes, min: box.Min, size: 1, w: 1, h: 1}
	if len(nodes) > 0 {
		w, h := box.Size()
		b.size = max(1, int64(math.Sqrt(float64(w+1)*float64(h+1)/float64(len(nodes)))), max(w, h)/int64(4*len(nodes)))
		b.w, b.h = w/b.size+1, h/b.size+1
	}
	b.within = rows.New(int(b.w*b.h), func(add func(cell, node int32)) {
		for i := range nodes {
			add(int32(b.cell(nodes[i].Point)), int32(i))
		}
	})
	return b
}

func (b *buckets) cell(p lattice.Point) int64 {
	x, y := p.Sub(b.min)
	return y/b.size*b.w + x/b.size
}

// nearest returns the pairs of node i with its nearest other nodes, at most most.
func (b *buckets) nearest(i int32, most int) []candidate {
	x, y := b.nodes[i].Sub(b.min)
	cx, cy := x/b.size, y/b.size
	var found []candidate
	for ring := int64(0); ; ring++ {
		if x0, y0, x1, y1 := cx-ring, cy-ring, cx+ring, cy+ring; x0 < 0 && y0 < 0 && x1 >= b.w && y1 >= b.h {
			break
		}
		// All nodes nearer than the reach of the rings are found.
		if reach := uint64(max(0, ring-1) * b.size); len(found) >= most {
			sortCandidates(found)
			if found = found[:most]; found[most-1].length2 <= reach*reach {
				break
			}
		}
		b.ring(cx, cy, ring, func(j int32) {
			if j != i {
				found = append(found, candidate{b.nodes[i].Distance2(b.nodes[j].Point), [2]int32{min(i, j), max(i, j)}})
			}
		})
	}
	sortCandidates(found)
	return found[:min(most, len(found))]
}

func sortCandidates(all []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.length2, b.length2), cmp.Compare(a.pair[0], b.pair[0]), cmp.Compare(a.pair[1], b.pair[1]))
	})
}

// ring calls visit with the nodes of the cells that are so many steps away from a cell.
func (b *buckets) ring(cx, cy, ring int64, visit func(int32)) {
	for y := max(0, cy-ring); y <= min(b.h-1, cy+ring); y++ {
		step := int64(1)
		if y != cy-ring && y != cy+ring && ring > 0 {
			step = 2 * ring
		}
		for x := cx - ring; x <= cx+ring; x += step {
			if x < 0 || x >= b.w {
				continue
			}
			c := y*b.w + x
			for _, j := range b.within.Of(int32(c)) {
				visit(j)
			}
		}
	}
}
