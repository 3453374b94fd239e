package flat

import (
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// domains makes the domains of a plan from the border of the walkable area, arcs with the area on their left.
// Each domain is one face: areas with only points in common are separate.
func domains(border []arc) []plan.Domain {
	w := trace(border)
	at := make([]int, len(w.first)) // the domain of each walk that is an outer border
	var out []plan.Domain
	for i := range w.first {
		if w.outer[i] == int32(i) {
			at[i] = len(out)
			out = append(out, plan.Domain{Component: int32(len(out))})
		}
	}
	degree := make(map[lattice.Point]int, len(w.arcs))
	for _, a := range w.arcs {
		degree[a.from]++
	}
	for i := range w.first {
		var walk lattice.Ring
		w.each(int32(i), func(_ int32, a arc) { walk = append(walk, a.from) })
		d := &out[at[w.outer[i]]]
		for _, r := range simpleRings(walk) {
			r = straighten(r, degree)
			if d.Rings = append(d.Rings, r); r.Area2() > 0 {
				// A face has one counter-clockwise ring.
				last := len(d.Rings) - 1
				d.Rings[0], d.Rings[last] = d.Rings[last], d.Rings[0]
			}
		}
	}
	for i := range out {
		d := &out[i]
		slices.SortFunc(d.Rings[1:], func(a, b lattice.Ring) int {
			// Rings may begin in the same point, never with the same edge.
			if c := a[0].Compare(b[0]); c != 0 {
				return c
			}
			return a[1].Compare(b[1])
		})
		d.Edges = plan.Walls(d.Polygon)
	}
	return out
}

// simpleRings cuts a walk where it returns to a point: each part visits no point twice.
func simpleRings(walk lattice.Ring) []lattice.Ring {
	var rings []lattice.Ring
	var open lattice.Ring
	place := make(map[lattice.Point]int, len(walk))
	for _, p := range walk {
		if k, again := place[p]; again {
			rings = append(rings, slices.Clone(open[k:]))
			for _, q := range open[k+1:] {
				delete(place, q)
			}
			open = open[:k]
		}
		place[p] = len(open)
		open = append(open, p)
	}
	return append(rings, open)
}

// straighten leaves out the points in the middle of straight runs that no other ring touches, and
// lets the ring begin at the first of its points.
func straighten(r lattice.Ring, degree map[lattice.Point]int) lattice.Ring {
	var out lattice.Ring
	for i, p := range r {
		prev, next := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
		if degree[p] > 1 || lattice.Orient(prev, p, next) != 0 {
			out = append(out, p)
		}
	}
	first := 0
	for i, p := range out {
		if p.Compare(out[first]) < 0 {
			first = i
		}
	}
	return append(out[first:len(out):len(out)], out[:first]...)
}
