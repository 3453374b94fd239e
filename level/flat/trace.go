package flat

import (
	"cmp"
	"slices"
	"sort"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// arc is a directed edge. No two arcs of a set cross, overlap in part, or are equal.
type arc struct{ from, to lattice.Point }

// walks are arcs joined to closed walks, each around the left side of its arcs.
type walks struct {
	arcs  []arc   // by origin, around each counter-clockwise from east
	next  []int32 // the arc that follows on the same walk
	walk  []int32 // the walk of each arc
	first []int32 // the first arc of each walk; walks are in the order of their first arcs
	area2 []int64 // twice the area of each walk, negative where it goes around a face from outside
	outer []int32 // the walk around the face that each walk borders, -1 for the unbounded face
}

// trace joins arcs to walks. At every vertex a walk takes the first arc clockwise from its arrival, and so
// stays around one face: faces with only a point in common are separate.
func trace(arcs []arc) *walks {
	slices.SortFunc(arcs, func(a, b arc) int {
		if c := a.from.Compare(b.from); c != 0 {
			return c
		}
		return compareDirections(a.from, a.to, b.to)
	})
	w := &walks{arcs: arcs, next: make([]int32, len(arcs)), walk: make([]int32, len(arcs))}
	for i, a := range arcs {
		at := sort.Search(len(arcs), func(k int) bool { return arcs[k].from.Compare(a.to) >= 0 })
		around := arcs[at:]
		around = around[:sort.Search(len(around), func(k int) bool { return around[k].from != a.to })]
		k := sort.Search(len(around), func(k int) bool { return compareDirections(a.to, around[k].to, a.from) >= 0 })
		if k == 0 {
			k = len(around)
		}
		w.next[i] = int32(at + k - 1)
		w.walk[i] = -1
	}
	for i := range arcs {
		if w.walk[i] >= 0 {
			continue
		}
		id, area := int32(len(w.first)), int64(0)
		for k := int32(i); w.walk[k] < 0; k = w.next[k] {
			w.walk[k] = id
			area += lattice.Orient(arcs[i].from, arcs[k].from, arcs[k].to)
		}
		w.first = append(w.first, int32(i))
		w.area2 = append(w.area2, area)
	}
	w.nest()
	return w
}

// compareDirections orders the directions from at to p and to q counter-clockwise from east.
func compareDirections(at, p, q lattice.Point) int {
	if c := cmp.Compare(lowerHalf(at, p), lowerHalf(at, q)); c != 0 {
		return c
	}
	return cmp.Compare(0, lattice.Orient(at, p, q))
}

// lowerHalf is 0 for directions from east up to west, west excluded, and 1 for the others.
func lowerHalf(at, p lattice.Point) int {
	if p.Y > at.Y || p.Y == at.Y && p.X > at.X {
		return 0
	}
	return 1
}

// each visits the arcs of a walk in order.
func (w *walks) each(walk int32, visit func(i int32, a arc)) {
	for i, start := w.first[walk], w.first[walk]; ; {
		visit(i, w.arcs[i])
		if i = w.next[i]; i == start {
			return
		}
	}
}

// nest finds the face beside each walk. A walk of positive area is the outer border of its own face. Any
// other walk goes around a hole: straight down from its westernmost vertex comes first its face's border, or
// nothing at all.
func (w *walks) nest() {
	w.outer = make([]int32, len(w.first))
	type hole struct {
		walk int32
		low  arc // the lowest of its arcs at its westernmost vertex, directed to the east
	}
	var holes []hole
	for i := range w.first {
		if w.area2[i] > 0 {
			w.outer[i] = int32(i)
			continue
		}
		holes = append(holes, hole{int32(i), w.lowest(int32(i))})
	}
	if len(holes) == 0 {
		return
	}
	// Anything below belongs to a walk that begins farther west, or as far west and farther down.
	slices.SortFunc(holes, func(a, b hole) int { return a.low.from.Compare(b.low.from) })
	index := newUnderlay(w.arcs)
	for _, h := range holes {
		w.outer[h.walk] = -1
		if below := index.below(h.low); below >= 0 {
			w.outer[h.walk] = w.outer[w.walk[below]]
		}
	}
}

// lowest returns the lowest arc of a walk at its westernmost vertex, directed to the east. Of several
// westernmost vertices it takes the southernmost, from which no arc goes straight down.
func (w *walks) lowest(walk int32) arc {
	var low arc
	found := false
	w.each(walk, func(_ int32, a arc) {
		if a.from.X > a.to.X {
			a.from, a.to = a.to, a.from
		}
		switch c := a.from.Compare(low.from); {
		case a.from.X == a.to.X:
			// Upright: its vertices have other arcs too.
		case !found || c < 0 || c == 0 && lattice.Orient(low.from, low.to, a.to) < 0:
			low, found = a, true
		}
	})
	return low
}
