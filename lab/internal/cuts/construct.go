package cuts

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
)

// beside is how many lattice lines on each side of a place on a wall are tried for a corner.
const beside = 4

// construct makes a corner where the segment from start to end crosses the wall at half-edge e, or as near to
// it as the lattice allows on the free side. Without room it returns -1.
func (d *Domain) construct(start, end lattice.Point, e int32) int32 {
	if !d.Inside[e/3] {
		e = d.H[e].Opp
	}
	at, ok := lattice.LineIntersection(start, end, d.P[d.H[e].V], d.P[d.Head(e)])
	if !ok {
		return -1
	}
	v := d.Corner(e, at)
	if v >= 0 && d.P[v].Distance2(at) > 4*beside*beside {
		d.Led++ // lattice points on a chain may be far from each other
	}
	return v
}

// Corner makes a corner on the wall at half-edge e, with the domain on its left, as near to a place as the
// lattice allows on the free side. Without room it returns -1.
func (d *Domain) Corner(e int32, at lattice.Point) int32 {
	mark := d.H[e].Mark
	wall := d.Walls[mark]
	var sites []site
	if wall.Chain == plan.Wall {
		sites = d.beside(e, at)
	} else {
		sites = d.along(e, at)
	}
	for _, s := range sites {
		switch {
		case !d.fits(e, s, wall):
		case s.off == 0:
			return d.note(d.Split(e, s.Point), mark)
		default:
			d.Lost += s.off
			return d.note(d.Dent(e, s.Point), mark)
		}
	}
	return -1
}

// site is a lattice point where a corner might be made.
type site struct {
	lattice.Point
	off  int64 // twice the area that the wall would lose
	away int64 // from the place that was asked for
}

// along returns the nearest lattice point to a place on the edge of e, if any lies between the ends.
func (d *Domain) along(e int32, at lattice.Point) []site {
	u, v := d.P[d.H[e].V], d.P[d.Head(e)]
	dx, dy := v.Sub(u)
	g := lattice.GCD(dx, dy)
	if g == 1 {
		return nil
	}
	off, _ := at.Sub(u)
	step := dx / g
	if max(dy, -dy) > max(dx, -dx) {
		_, off = at.Sub(u)
		step = dy / g
	}
	k := lattice.FloorDiv(2*off+step, 2*step) // rounded
	k = min(max(k, 1), g-1)
	return []site{{Point: lattice.Point{X: u.X + int32(dx/g*k), Y: u.Y + int32(dy/g*k)}}}
}

// beside returns the lattice points nearest to the edge of e on its left, on some lattice lines around a
// place, the least area first.
func (d *Domain) beside(e int32, at lattice.Point) []site {
	u, v := d.P[d.H[e].V], d.P[d.Head(e)]
	run, rise := v.Sub(u)
	r, _ := at.Sub(u)
	steep := max(rise, -rise) > max(run, -run)
	if steep {
		run, rise = rise, -run // the plane turned by a right angle: left of the edge stays left
		_, r = at.Sub(u)
	}
	sites := make([]site, 0, 2*beside+1)
	for i := int64(-beside); i <= beside; i++ {
		s := r + i
		if s <= min(run, 0) || s >= max(run, 0) {
			continue
		}
		// The free side is on the left: above an edge that runs to positive values.
		h := lattice.FloorDiv(rise*s, run)
		if run > 0 {
			h = -lattice.FloorDiv(-rise*s, run)
		}
		p := lattice.Point{X: u.X + int32(s), Y: u.Y + int32(h)}
		if steep {
			p = lattice.Point{X: u.X - int32(h), Y: u.Y + int32(s)}
		}
		sites = append(sites, site{Point: p, off: h*run - s*rise, away: max(i, -i)})
	}
	slices.SortStableFunc(sites, func(a, b site) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.away, b.away))
	})
	return sites
}

// fits reports whether two half-edges over s, on e or to its left, may replace half-edge e of a wall: nothing
// is in between, s stays near the wall, and the wall's corners stay in order.
func (d *Domain) fits(e int32, s site, wall cdt.Wall) bool {
	u, v, apex := d.P[d.H[e].V], d.P[d.Head(e)], d.P[d.Apex(e)]
	from, to := d.P[wall.From], d.P[wall.To]
	if along := lattice.Dot(from, to, s.Point); lattice.Dot(from, to, u) >= along || along >= lattice.Dot(from, to, v) {
		return false
	}
	return s.off == 0 || lattice.Orient(v, apex, s.Point) > 0 && lattice.Orient(apex, u, s.Point) > 0 &&
		lattice.LineDistance2(s.Point, from, to).CompareInt(4) <= 0
}
