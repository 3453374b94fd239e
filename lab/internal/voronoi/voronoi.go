// Package voronoi is the Voronoi diagram of points in a box, as the borders between their cells.
//
// Source: Voronoi (1908) and Dirichlet (1850) as in Okabe, Boots, Sugihara and Chiu, Spatial Tessellations (2nd
// edition, 2000), sections 2.1 and 2.2: the diagram is the dual of the Delaunay triangulation.
//
// Guarantees:
//  1. common borders of points are decided exactly, up to the grain of huge boxes; the ends of borders are
//     rounded to the lattice, so a place nearer to one point than to all others by more than some units is on
//     its side of all borders (TestNearest);
//  2. borders begin and end at each other or on the box (TestBorders);
//  3. moving points and box moves the borders (TestTranslation).
//
// Degenerate cases: four points on a circle have borders that all meet in a place; one point, and points at the
// same place, have no border.
//
// Cost: O(n log n) expected for n points.
package voronoi

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// Border is the common border of two points: all places on it are as far from one as from the other and
// farther from the rest.
type Border struct {
	From, To lattice.Point
	A, B     int32 // the points, by their place in the list
}

// ghosts is the distance outside the box, in sides of the box, of the points that close the triangulation:
// far enough to be nearest to no place in the box.
const ghosts = 4

// Borders returns the borders of the cells of points, which lie in the box, in the box, for all pairs that
// differ tells apart by their places in the list.
func Borders(points []lattice.Point, box lattice.Box, differ func(a, b int32) bool) []Border {
	if len(points) < 2 {
		return nil
	}
	d := diagram{box: box}
	d.triangulate(points)
	d.findCentres()
	var all []Border
	for e, h := range d.t.H {
		a, b := d.first[h.V], d.first[d.t.Head(int32(e))]
		if int32(e) > h.Opp || a < 0 || b < 0 || !differ(a, b) {
			continue
		}
		p, q, ok := clip(d.centre[e/3], d.centre[h.Opp/3], d.width, d.height)
		if !ok {
			continue
		}
		if from, to := d.round(p), d.round(q); from != to {
			all = append(all, Border{From: from, To: to, A: a, B: b})
		}
	}
	return all
}

// diagram is the triangulation that a Voronoi diagram is dual to. Its plane has the corner of the box at the
// origin.
type diagram struct {
	box           lattice.Box
	width, height float64
	grain         float64 // lattice units per unit of the triangulation
	origin        lattice.Point
	t             *cdt.Triangulation
	first         []int32      // of a vertex: the first of the points there, -1 for the corners outside
	centre        [][2]float64 // of the circle around a triangle
}

// triangulate makes the triangulation. Huge boxes leave no room for the points outside, so that all coordinates are
// divided by a power of two.
func (d *diagram) triangulate(points []lattice.Point) {
	w, h := d.box.Size()
	d.width, d.height, d.grain = float64(w), float64(h), 1
	side, shift := max(w, h, 1), 0
	for side>>shift > lattice.MaxCoord/(ghosts+1) {
		shift++
		d.grain *= 2
	}
	far := int32(ghosts * (side>>shift + 1))
	half := int32(side >> shift / 2)
	d.origin = lattice.Point{X: -half, Y: -half}
	all := make([]lattice.Point, 0, len(points)+4)
	for _, p := range points {
		x, y := p.Sub(d.box.Min)
		all = append(all, lattice.Point{X: int32(x>>shift) - half, Y: int32(y>>shift) - half})
	}
	all = append(all, lattice.Point{X: -far, Y: -far}, lattice.Point{X: far, Y: -far}, lattice.Point{X: far, Y: far}, lattice.Point{X: -far, Y: far})
	t, ids := cdt.New(all)
	d.t, d.first = t, make([]int32, len(t.P))
	for v := range d.first {
		d.first[v] = -1
	}
	for i := len(points) - 1; i >= 0; i-- {
		d.first[ids[i]] = int32(i)
	}
}

// findCentres computes the centre of the circle around every triangle, in lattice units from the corner of the box.
func (d *diagram) findCentres() {
	d.centre = make([][2]float64, len(d.t.H)/3)
	for i := range d.centre {
		a, b, c := d.t.P[d.t.H[3*i].V], d.t.P[d.t.H[3*i+1].V], d.t.P[d.t.H[3*i+2].V]
		bx, by := floats(b.Sub(a))
		cx, cy := floats(c.Sub(a))
		bb, cc := float64(a.Distance2(b)), float64(a.Distance2(c))
		den := 2 * float64(lattice.Orient(a, b, c))
		ax, ay := floats(a.Sub(d.origin))
		d.centre[i] = [2]float64{
			d.grain * (ax + (float64(cy*bb)-float64(by*cc))/den),
			d.grain * (ay + (float64(bx*cc)-float64(cx*bb))/den),
		}
	}
}

func floats(x, y int64) (float64, float64) { return float64(x), float64(y) }

// round returns the lattice point nearest to a place given from the corner of the box.
func (d *diagram) round(p [2]float64) lattice.Point {
	return lattice.Point{
		X: d.box.Min.X + int32(int64(math.Floor(min(max(p[0], 0), d.width)+0.5))),
		Y: d.box.Min.Y + int32(int64(math.Floor(min(max(p[1], 0), d.height)+0.5))),
	}
}

// clip returns the part of the segment from p to q between 0, 0 and w, h.
func clip(p, q [2]float64, w, h float64) (from, to [2]float64, ok bool) {
	lo, hi := 0.0, 1.0
	for i, limit := range [...]float64{w, h} {
		step := q[i] - p[i]
		if step == 0 {
			if p[i] < 0 || p[i] > limit {
				return from, to, false
			}
			continue
		}
		s, t := -p[i]/step, (limit-p[i])/step
		lo, hi = max(lo, min(s, t)), min(hi, max(s, t))
	}
	if lo >= hi {
		return from, to, false
	}
	at := func(t float64) [2]float64 {
		switch t {
		case 0:
			return p
		case 1:
			return q
		}
		return [2]float64{p[0] + float64(t*(q[0]-p[0])), p[1] + float64(t*(q[1]-p[1]))}
	}
	return at(lo), at(hi), true
}
