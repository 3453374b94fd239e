package ground

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// directed is an edge as a ring walks it.
type directed struct{ from, to lattice.Point }

func (d directed) compare(o directed) int { return cmp.Or(d.from.Compare(o.from), d.to.Compare(o.to)) }

// border returns closed lines around the visible floors of an area: at every place in box the lines wind as
// often as visible floors of the area cover the place. Floors more than a storey above or below reach are left
// out. Edges walked in both directions cancel; on most ground nothing remains.
func (w *work) border(area int, box lattice.Box, reach [2]int32) []lattice.Ring {
	var edges []directed
	for k, i := range w.at[area] {
		if !w.shows[area][k].Overlaps(box) {
			continue
		}
		f := &w.floors[i]
		bottom, top := min(f.V[0].Z, f.V[1].Z, f.V[2].Z), max(f.V[0].Z, f.V[1].Z, f.V[2].Z)
		if float64(top) < float64(reach[0])-w.storey || float64(bottom) > float64(reach[1])+w.storey {
			continue
		}
		for _, r := range f.Rings {
			for k, a := range r {
				edges = append(edges, directed{a, r[(k+1)%len(r)]})
			}
		}
	}
	return closed(cancelled(edges))
}

// cancelled removes pairs of opposite edges, as many as possible, and returns the rest in order.
func cancelled(edges []directed) []directed {
	lesser := func(d directed) directed {
		if d.to.Compare(d.from) < 0 {
			return directed{d.to, d.from}
		}
		return d
	}
	slices.SortFunc(edges, func(d, e directed) int { return cmp.Or(lesser(d).compare(lesser(e)), d.compare(e)) })
	left := edges[:0]
	for i := 0; i < len(edges); {
		key := lesser(edges[i])
		surplus := 0
		for ; i < len(edges) && lesser(edges[i]) == key; i++ {
			if edges[i] == key {
				surplus++
			} else {
				surplus--
			}
		}
		for ; surplus > 0; surplus-- {
			left = append(left, key)
		}
		for ; surplus < 0; surplus++ {
			left = append(left, directed{key.to, key.from})
		}
	}
	slices.SortFunc(left, directed.compare)
	return left
}

// closed joins sorted edges to closed lines; at every point as many edges arrive as leave.
func closed(edges []directed) []lattice.Ring {
	next := make([]int, len(edges)) // by the first edge from a point: the first that is not walked yet
	for i := range next {
		next[i] = i
	}
	first := func(p lattice.Point) int {
		i, _ := slices.BinarySearchFunc(edges, p, func(d directed, p lattice.Point) int { return d.from.Compare(p) })
		return i
	}
	var rings []lattice.Ring
	done := make([]bool, len(edges))
	for i := range edges {
		if done[i] {
			continue
		}
		var ring lattice.Ring
		for from := edges[i].from; ; {
			k := first(from)
			at := next[k]
			if at == len(edges) || edges[at].from != from {
				break // all are walked: the start is reached
			}
			next[k]++
			done[at] = true
			ring = append(ring, from)
			from = edges[at].to
		}
		rings = append(rings, ring)
	}
	return rings
}
