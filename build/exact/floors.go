package exact

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// directed is an edge of a whole triangle on its layer's border, or along other floors of the layer.
type directed struct {
	layer    int32
	from, to uint32 // vertices
	at       lattice.Point
}

// addFloors adds the floors of all layers to their territories. Whole triangles, nearly all triangles of most terrain,
// add the borders of their union along shared edges. Other triangles add their free parts.
func (e *extraction) addFloors(ts []territory) {
	n := len(e.layer)
	whole := make([]bool, n)
	for i, l := range e.layer {
		if !e.matters(int32(i)) {
			continue
		}
		if whole[i] = e.whole(int32(i)); !whole[i] {
			ts[l].floor = append(ts[l].floor, e.rings(int32(i))...)
		}
	}
	inner := make([][3]bool, n)
	for _, j := range e.joints {
		if s, t := j.from>>2, j.to>>2; whole[s] && whole[t] && e.layer[s] == e.layer[t] {
			inner[s][j.from&3], inner[t][j.to&3] = true, true
		}
	}
	var edges []directed
	for i := range inner {
		if !whole[i] || inner[i] == [3]bool{true, true, true} {
			continue
		}
		t := &e.soup.Triangles[i]
		for k := range 3 {
			if !inner[i][k] {
				edges = append(edges, directed{e.layer[i], t.ID[k], t.ID[(k+1)%3], t.V[k].Point})
			}
		}
	}
	slices.SortStableFunc(edges, directed.compare)
	// As many edges lead into a vertex as out, so every walk closes.
	done := make([]bool, len(edges))
	for i := range edges {
		var ring lattice.Ring
		for at := i; !done[at]; {
			done[at] = true
			ring = append(ring, edges[at].at)
			next := directed{layer: edges[at].layer, from: edges[at].to}
			k, _ := slices.BinarySearchFunc(edges, next, directed.compare)
			for k+1 < len(edges) && done[k] && edges[k+1].compare(next) == 0 {
				k++
			}
			at = k
		}
		if ring != nil {
			l := edges[i].layer
			ts[l].floor = append(ts[l].floor, ring)
		}
	}
}

func (d directed) compare(o directed) int {
	return cmp.Or(cmp.Compare(d.layer, o.layer), cmp.Compare(d.from, o.from))
}
