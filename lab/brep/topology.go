package brep

import (
	"slices"

	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// topology is the adjacency of regions: every edge is cut at all corners on it, so neighbours share whole edges.
type topology struct {
	*corners
	regions []region
	// around holds the corners along the border of each region, its own and others' corners on its edges, and planes
	// the plane of each stretch from one to the next.
	around, planes [][]int32
	uses           map[directed][]use // by stretch: its region, and its place around the region
}

// newTopology cuts edges where corners of others lie on them. Time O(n log n) for n corners, as long as few boxes of
// edges have many corners.
func newTopology(c *corners, regions []region) *topology {
	t := &topology{
		corners: c, regions: regions,
		around: make([][]int32, len(regions)), planes: make([][]int32, len(regions)), uses: make(map[directed][]use),
	}
	used := make([]bool, len(c.at))
	for i := range regions {
		for _, id := range regions[i].ids {
			used[id] = true
		}
	}
	var ids []int32
	var boxes []solid.Box
	for id := range c.at {
		if used[id] {
			ids = append(ids, int32(id))
			boxes = append(boxes, boxOf(&c.at[id]))
		}
	}
	tree := boxtree.New(boxes, nil)
	var found []int32
	for i := range regions {
		r := &regions[i]
		for k := range r.ids {
			d := r.directed(k)
			box := boxes[search(ids, d.from)].Union(boxes[search(ids, d.to)])
			found = tree.IDs(&box, found[:0])
			on := []int32{d.from}
			for _, f := range found {
				if t.between(r.Plane, r.Edges[k], d, ids[f]) {
					on = append(on, ids[f])
				}
			}
			slices.SortFunc(on[1:], func(v, w int32) int { return t.along(d, v, w) })
			for _, id := range on {
				t.around[i] = append(t.around[i], id)
				t.planes[i] = append(t.planes[i], r.Edges[k])
			}
		}
		for k := range t.around[i] {
			d := t.stretch(i, k)
			t.uses[d] = append(t.uses[d], use{int32(i), int32(k)})
		}
	}
	return t
}

func search(ids []int32, id int32) int {
	i, _ := slices.BinarySearch(ids, id)
	return i
}

func boxOf(v *solid.Vertex) solid.Box {
	b := solid.Box{Low: v.At, High: v.At}
	for k := range 3 {
		b.Low[k] -= v.Error
		b.High[k] += v.Error
	}
	return b
}

// stretch returns stretch k of the border of region i.
func (t *topology) stretch(i, k int) directed {
	a := t.around[i]
	return directed{a[k], a[(k+1)%len(a)]}
}

// between reports whether corner v lies on the edge d, where two planes meet, and is none of its ends.
func (t *topology) between(plane, edge int32, d directed, v int32) bool {
	if v == d.from || v == d.to {
		return false
	}
	at := &t.at[v]
	if t.space.Side(at, plane) != 0 || t.space.Side(at, edge) != 0 {
		return false
	}
	_, side := t.transversal(d, v)
	return side != 0
}

// transversal returns a plane through corner v that has the ends of d on either side, and the side that d starts on; 0 where
// there is none. For a v on the line of d, there is one if and only if v is between the ends.
func (t *topology) transversal(d directed, v int32) (plane int32, side int) {
	for _, p := range t.at[v].Planes {
		if a := t.space.Side(&t.at[d.from], p); a != 0 && t.space.Side(&t.at[d.to], p) == -a {
			return p, a
		}
	}
	return -1, 0
}

// along orders two corners between the ends of d, from its start on.
func (t *topology) along(d directed, v, w int32) int {
	if v == w {
		return 0
	}
	p, start := t.transversal(d, v)
	if t.space.Side(&t.at[w], p) == start {
		return 1
	}
	return -1
}
