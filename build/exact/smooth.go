package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// smoothSeams removes the corners that rounding left in seams. All outlines come from one arrangement, so a common edge
// of two outlines is the same on both sides, and must stay the same. Each run between the ends of seams and walls is
// simplified once for all outlines. Walls near seams stay: the walls of each layer are simplified on their own.
func smoothSeams(joint []int32, outlines [][]overlay.Outline) {
	areas := areasOf(joint, outlines)
	splitSeams(areas)
	halves := halvesOf(areas)
	if len(halves) == 0 {
		return
	}
	lines := runsOf(halves)
	gone := map[lattice.Point]bool{} // looked up only
	for _, l := range lines {
		for _, p := range l.Points {
			gone[p] = true
		}
	}
	lines = append(lines, wallsBeside(areas, halves, 2*touching)...)
	for _, s := range lattice.Simplify(lines, 2*touching) {
		for _, p := range s.Points {
			delete(gone, p)
		}
	}
	for _, a := range areas {
		for r, ring := range a.Rings {
			var points lattice.Ring
			var labels []int32
			for k, p := range ring {
				if !gone[p] {
					points, labels = append(points, p), append(labels, a.Labels[r][k])
				}
			}
			a.Rings[r], a.Labels[r] = points, labels
		}
	}
}

// areasOf lists the outlines of layers. Changes to the rings of areas change the outlines.
func areasOf(joint []int32, outlines [][]overlay.Outline) []area {
	var areas []area
	for _, l := range joint {
		for _, o := range outlines[l] {
			areas = append(areas, area{Outline: o, layer: l})
		}
	}
	return areas
}

// wallsBeside lists the walls of areas near seams, each edge as a line of its own.
func wallsBeside(areas []area, seams []half, reach int32) []lattice.Line {
	boxes := make([]box3, len(seams))
	for i, s := range seams {
		boxes[i] = boxOf(lattice.Vertex{Point: s.at}, lattice.Vertex{Point: s.to}).Grown(reach)
	}
	tree := boxtree.New(boxes, nil)
	var lines []lattice.Line
	for i := range areas {
		for r, ring := range areas[i].Rings {
			for k, p := range ring {
				if areas[i].Labels[r][k] != wall {
					continue
				}
				q := ring[(k+1)%len(ring)]
				box := boxOf(lattice.Vertex{Point: p}, lattice.Vertex{Point: q})
				if tree.Meets(&box) {
					lines = append(lines, lattice.Line{Points: []lattice.Point{p, q}})
				}
			}
		}
	}
	return lines
}

// half is an edge seen from one of its ends, with the layers beside the edge.
type half struct {
	at, to lattice.Point
	sides  []sideOf
}

// sideOf is a layer with an edge on its border, on the left or on the right of the edge, and the layer beyond.
type sideOf struct {
	layer, label int32
	left         bool
}

// halvesOf returns the seam edges of all areas, each once from either end, in the order of the ends.
func halvesOf(areas []area) []half {
	var all []half
	for i := range areas {
		for r, ring := range areas[i].Rings {
			for k, p := range ring {
				q := ring[(k+1)%len(ring)]
				label := areas[i].Labels[r][k]
				if label == wall {
					continue
				}
				all = append(all,
					half{p, q, []sideOf{{areas[i].layer, label, true}}},
					half{q, p, []sideOf{{areas[i].layer, label, false}}})
			}
		}
	}
	slices.SortFunc(all, func(a, b half) int {
		x, y := a.sides[0], b.sides[0]
		if c := cmp.Or(a.at.Compare(b.at), a.to.Compare(b.to), cmp.Compare(x.layer, y.layer), cmp.Compare(x.label, y.label)); c != 0 || x.left == y.left {
			return c
		}
		if x.left {
			return -1
		}
		return 1
	})
	merged := all[:0]
	for _, h := range all {
		if n := len(merged); n > 0 && merged[n-1].at == h.at && merged[n-1].to == h.to {
			merged[n-1].sides = append(merged[n-1].sides, h.sides...)
		} else {
			merged = append(merged, h)
		}
	}
	return merged
}

// runsOf returns the lines of halves. A line goes on through a point where exactly two edges meet, both between the
// same layers.
func runsOf(halves []half) []lattice.Line {
	first := map[lattice.Point]int{} // looked up only
	for i := len(halves) - 1; i >= 0; i-- {
		first[halves[i].at] = i
	}
	// on returns the half that continues the run of half i at i's end.
	on := func(i int) (int, bool) {
		k := first[halves[i].to]
		if k+1 >= len(halves) || halves[k+1].at != halves[k].at || k+2 < len(halves) && halves[k+2].at == halves[k].at {
			return 0, false
		}
		back, next := k, k+1
		if halves[back].to != halves[i].at {
			back, next = next, back
		}
		return next, halves[back].to == halves[i].at && slices.Equal(halves[i].sides, halves[next].sides)
	}
	var lines []lattice.Line
	done := make([]bool, len(halves))
	walk := func(i int) {
		l := lattice.Line{Points: []lattice.Point{halves[i].at}}
		for start := i; ; {
			done[i] = true
			done[reverse(halves, first, i)] = true
			next, ok := on(i)
			if ok && next == start {
				l.Closed = true
				break
			}
			l.Points = append(l.Points, halves[i].to)
			if !ok {
				break
			}
			i = next
		}
		lines = append(lines, l)
	}
	// First the runs with ends, then the closed runs.
	for i := range halves {
		if _, goes := on(reverse(halves, first, i)); !done[i] && !goes {
			walk(i)
		}
	}
	for i := range halves {
		if !done[i] {
			walk(i)
		}
	}
	return lines
}

// reverse returns the number of the half from the other end, which always exists.
func reverse(halves []half, first map[lattice.Point]int, i int) int {
	k := first[halves[i].to]
	for halves[k].to != halves[i].at {
		k++
	}
	return k
}
