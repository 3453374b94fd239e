package main

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// oracle knows shortest paths in a polygon from the visibility graph of its vertices. The code is plain and
// independent of regions and portals.
type oracle struct {
	polygon lattice.Polygon
	double  lattice.Polygon // twice as large, so that the middle of two points is a point
	nodes   []lattice.Point
	sees    [][]bool
}

func newOracle(p lattice.Polygon) *oracle {
	o := &oracle{polygon: p}
	for _, ring := range p.Rings {
		var twice lattice.Ring
		for _, v := range ring {
			twice = append(twice, lattice.Point{X: 2 * v.X, Y: 2 * v.Y})
		}
		o.double.Rings = append(o.double.Rings, twice)
		o.nodes = append(o.nodes, ring...)
	}
	o.sees = make([][]bool, len(o.nodes))
	for i := range o.nodes {
		o.sees[i] = make([]bool, len(o.nodes))
		for j := range i {
			o.sees[i][j] = o.visible(o.nodes[i], o.nodes[j])
			o.sees[j][i] = o.sees[i][j]
		}
	}
	return o
}

// visible reports whether the segment from a to b stays in the closed polygon: no edge is crossed, and between
// vertices on the segment its points are inside.
func (o *oracle) visible(a, b lattice.Point) bool {
	stops := []lattice.Point{a, b}
	for _, ring := range o.polygon.Rings {
		last := ring[len(ring)-1]
		for _, v := range ring {
			if lattice.OnSegment(v, a, b) {
				stops = append(stops, v)
			}
			c, d := lattice.Orient(a, b, last), lattice.Orient(a, b, v)
			e, f := lattice.Orient(last, v, a), lattice.Orient(last, v, b)
			if (c > 0 && d < 0 || c < 0 && d > 0) && (e > 0 && f < 0 || e < 0 && f > 0) {
				return false
			}
			last = v
		}
	}
	slices.SortFunc(stops, func(p, q lattice.Point) int { return cmp.Compare(a.Distance2(p), a.Distance2(q)) })
	for i := 1; i < len(stops); i++ {
		p, q := stops[i-1], stops[i]
		if !o.double.Contains(lattice.Point{X: p.X + q.X, Y: p.Y + q.Y}) {
			return false
		}
	}
	return true
}

// length returns the length of the shortest path in lattice units, +Inf where there is none.
func (o *oracle) length(start, goal lattice.Point) float64 {
	if o.visible(start, goal) {
		return distance(start, goal)
	}
	n := len(o.nodes)
	dist, rest, done := make([]float64, n), make([]float64, n), make([]bool, n)
	for i, v := range o.nodes {
		dist[i], rest[i] = math.Inf(1), math.Inf(1)
		if o.visible(start, v) {
			dist[i] = distance(start, v)
		}
		if o.visible(v, goal) {
			rest[i] = distance(v, goal)
		}
	}
	best := math.Inf(1)
	for {
		next := -1
		for i := range dist {
			if !done[i] && dist[i] < best && (next < 0 || dist[i] < dist[next]) {
				next = i
			}
		}
		if next < 0 {
			return best
		}
		done[next] = true
		best = min(best, dist[next]+rest[next])
		for i, sees := range o.sees[next] {
			if sees && !done[i] {
				dist[i] = min(dist[i], dist[next]+distance(o.nodes[next], o.nodes[i]))
			}
		}
	}
}

func distance(a, b lattice.Point) float64 {
	x, y := b.Sub(a)
	return math.Hypot(float64(x), float64(y))
}
