package anavmg

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// site is a lattice point where a corner might be constructed.
type site struct {
	lattice.Point
	off int64 // twice the area that the wall would lose
}

// toEdge connects n to a new corner on the closest wall or chain.
//
// The point of the edge that is closest to n in the cone, one of the five candidates of the thesis, is seldom
// a lattice point. The corner is a lattice point near it, on the edge or with the least loss of free space;
// on a chain it has to lie on the edge.
func (w *work) toEdge(n int32, c cone, at sight) bool {
	e := at.half
	wall := w.Walls[w.H[e].Mark]
	if wall.Chain != plan.Wall {
		w.onEdge(c, at)
	} else {
		w.nearEdge(c, at)
	}
	for _, s := range w.sites {
		if !w.fits(n, e, wall, s) {
			continue
		}
		var v int32
		if s.off == 0 {
			v = w.Split(e, s.Point)
		} else {
			v = w.Dent(e, s.Point)
		}
		w.constructed = append(w.constructed, wall.EdgeID)
		w.counts["constructed"]++
		return w.connect(n, v)
	}
	return false
}

// onEdge collects the lattice points that lie exactly on the edge, nearest to the closest point.
func (w *work) onEdge(c cone, at sight) {
	w.sites = w.sites[:0]
	u := w.P[w.H[at.half].V]
	d := w.vector(w.H[at.half].V, w.Head(at.half))
	g := lattice.GCD(d.x, d.y)
	k := int64(math.Floor(float64(at.t*float64(g)) + 0.5))
	for _, i := range [...]int64{k, k - 1, k + 1} {
		if i <= 0 || i >= g {
			continue
		}
		p := lattice.Point{X: u.X + int32(d.x/g*i), Y: u.Y + int32(d.y/g*i)}
		if c.has(p) {
			w.sites = append(w.sites, site{Point: p})
		}
	}
}

// maxAway bounds how many lattice lines on each side of the closest point are tried, and enough how
// near to the edge is near enough: a corner 1/256 unit from it takes a few square centimetres from
// a hundred kilometres of wall.
const maxAway, enough = 256, 256

// nearEdge collects lattice points on the edge or within a unit on the free side. Each takes less area than
// all points nearer to the closest point; the least area comes first. The farther the notch, the farther the
// corner may be along the edge.
func (w *work) nearEdge(c cone, at sight) {
	w.sites = w.sites[:0]
	pu := w.P[w.H[at.half].V]
	d := w.vector(w.H[at.half].V, w.Head(at.half))
	far := max(1, min(int64(math.Sqrt(at.d2)/8), maxAway))
	steep := max(d.y, -d.y) > max(d.x, -d.x)
	run, rise := d.x, d.y
	if steep {
		run, rise = d.y, -d.x // the plane turned by a right angle: left of the edge stays left
	}
	middle := int64(math.Floor(float64(at.t*float64(run)) + 0.5))
	for i := int64(0); i <= 2*far; i++ {
		r := middle + (i+1)/2
		if i%2 == 0 {
			r = middle - i/2
		}
		if !between(r, run) {
			continue
		}
		// The free side is on the left: above an edge that runs to positive values.
		h := lattice.FloorDiv(rise*r, run)
		if run > 0 {
			h = -lattice.FloorDiv(-rise*r, run)
		}
		off := h*run - r*rise
		if n := len(w.sites); n > 0 && w.sites[n-1].off <= off {
			continue
		}
		p := lattice.Point{X: pu.X + int32(r), Y: pu.Y + int32(h)}
		if steep {
			p = lattice.Point{X: pu.X - int32(h), Y: pu.Y + int32(r)}
		}
		if !c.has(p) {
			continue
		}
		w.sites = append(w.sites, site{p, off})
		if off <= max(run, -run)/enough {
			break
		}
	}
	slices.Reverse(w.sites)
}

// between tells whether r lies strictly between 0 and run.
func between(r, run int64) bool {
	if run < 0 {
		return run < r && r < 0
	}
	return 0 < r && r < run
}

// fits reports whether a corner at s may replace the edge of half-edge e and be connected to n: the corner
// stays near its wall and passes nothing, its two angles are convex, and n sees it.
func (w *work) fits(n, e int32, wall cdt.Wall, s site) bool {
	u, v, pn := w.P[w.H[e].V], w.P[w.Head(e)], w.P[n]
	if s.Point == u || s.Point == v || lattice.Dot(u, v, s.Point) <= 0 || lattice.Dot(v, u, s.Point) <= 0 {
		return false
	}
	if s.off > 0 {
		// Strictly inside the triangle at the edge, so the strip that the wall gains is empty.
		a := w.P[w.Apex(e)]
		if lattice.Orient(v, a, s.Point) <= 0 || lattice.Orient(a, u, s.Point) <= 0 {
			return false
		}
		if lattice.LineDistance2(s.Point, w.P[wall.From], w.P[wall.To]).CompareInt(4) > 0 {
			return false
		}
	}
	return lattice.Orient(u, s.Point, pn) > 0 && lattice.Orient(s.Point, v, pn) > 0 &&
		w.Sees(n, s.Point, e) == cdt.Clear
}
