package index

// The straight walk over a mesh.
//
// Source: the walk of O. Devillers, S. Pion and M. Teillaud, Walking in a triangulation, SoCG 2001, section "straight
// walk", on convex regions whose portals need not fill an edge.
//
// Idea: A line leaves a convex region once. If the line leaves strictly inside a portal, the walk continues behind the
// portal. If the line leaves over an end of a rim, the walk continues in the region around this point that the line
// enters next; without such a region the line has hit a wall.
//
// Input: a mesh without faults by Validate, a place on the mesh, and a lattice point as target.
//
// Guarantees:
//  1. The target is reached exactly if the closed free space contains the straight way (TestRaycastAgainstOracle,
//     FuzzRaycast).
//  2. Otherwise the hit is the first point where the way leaves the free space (TestRaycastAgainstOracle).
//  3. Every region is a neighbour of the region before (TestRaycastAgainstOracle).
//  4. The storey changes only through portals (TestRaycastKeepsTheStorey).
//
// Degenerate cases: touching a wall, or going along a wall, is free. A point where free space touches only across is a
// hit. No way leads between two walls that touch along the way. A way along the common edge of two regions goes through
// one of the regions; where a step or ledge separates them, the earlier region counts.
//
// Cost: time O(m) for the m corners and portals of the regions entered.
//
// Departures: the paper starts at a vertex, and turns around the vertex; this walk starts anywhere, and turns around
// points only where the line meets them.

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floats"
)

// aroundPoint is a list of regions around a point. Each region has the list index of its predecessor and the portal
// from the predecessor.
type aroundPoint struct {
	Regions []uint32
	From    []int32
	portals []uint32
}

// stop is the end of a straight walk: after the part t of the way, at a wall or at the target.
type stop struct {
	Hit  bool
	T    float64
	Wall Wall
}

// Caster is the memory of straight walks.
type Caster struct {
	Trail  []uint32    // regions on the way
	Passed []uint32    // portals between them
	Shared aroundPoint // regions at a point of the way
	// Touched is false only for a way that could go through no other regions: over no vertex and along no edge.
	Touched bool
}

// Cast walks from a place to a target, leaving the regions on the way in c.trail and the portals between them in
// c.passed.
func (c *Caster) Cast(ix *Index, start Place, target lattice.Point) stop {
	r := start.Region
	c.Trail, c.Passed, c.Touched = append(c.Trail[:0], r), c.Passed[:0], false
	if target == start.At || ix.Region(r).Core.Contains(target) {
		c.Touched = true
		return stop{T: 1}
	}
	dx, dy := target.Sub(start.At)
	// Points on the left of the way have larger values than line. Sums may wrap around; differences do not.
	line := dx*int64(start.At.Y) - dy*int64(start.At.X)
	trail, passed := c.Trail, c.Passed
	for {
		// The way leaves between a point on its right and the next point, on its left.
		border := ix.RimsOf(r)
		k, right := None, false
		for i := range border {
			p := &border[i].From
			side := dx*int64(p.Y) - dy*int64(p.X) - line
			if side > 0 && right {
				k = i
				break
			}
			right = side < 0
		}
		if k == None {
			// The way leaves over a point.
			c.Trail, c.Passed = trail, passed
			if ix.Contains(r, target) {
				c.Touched = true
				return stop{T: 1}
			}
			over, ok := exit(border, start.At, target), false
			if r, ok = c.around(ix, r, over, Towards(start.At, target)); !ok || len(c.Trail) >= ix.RayLimit() {
				t := float64(lattice.Dot(start.At, target, over)) / float64(lattice.Dot(start.At, target, target))
				return stop{true, floats.Part(t), c.facing(ix, over, Towards(start.At, target))}
			}
			trail, passed = c.Trail, c.Passed
			c.Touched = c.Touched || over != start.At || ix.along(r, over, Towards(start.At, target))
			continue
		}
		out := &border[k-1]
		behind := lattice.Orient(out.From, border[k].From, target)
		if behind < 0 && out.Portal != None && len(trail) < ix.RayLimit() {
			r = out.To
			trail, passed = append(trail, r), append(passed, uint32(out.Portal))
			continue
		}
		c.Trail, c.Passed = trail, passed
		if behind >= 0 {
			return stop{T: 1}
		}
		at := float64(lattice.Orient(out.From, border[k].From, start.At))
		// In a region that is not convex the quotient may be out of range.
		return stop{true, floats.Part(at / (at - float64(behind))), Wall{out.From, border[k].From}}
	}
}

// exit returns the end of a rim where the line from a to b leaves a region for good.
func exit(border Rims, a, b lattice.Point) (over lattice.Point) {
	farthest := int64(math.MinInt64)
	for i := range border {
		if p := border[i].From; lattice.Orient(a, b, p) == 0 {
			if along := lattice.Dot(a, b, p); along > farthest {
				over, farthest = p, along
			}
		}
	}
	return over
}

// around finds the region that the direction d enters at a point of r, among the regions reachable around the point.
// c.trail gets the regions up to the new region.
func (c *Caster) around(ix *Index, r uint32, over lattice.Point, d Direction) (next uint32, ok bool) {
	s := &c.Shared
	s.Regions, s.From, s.portals = append(s.Regions[:0], r), append(s.From[:0], None), append(s.portals[:0], 0)
	for i := 0; i < len(s.Regions); i++ {
		if i > 0 && ix.enters(s.Regions[i], over, d) {
			begin, first := len(c.Trail), len(c.Passed)
			for k := int32(i); k > 0; k = s.From[k] {
				c.Trail, c.Passed = append(c.Trail, s.Regions[k]), append(c.Passed, s.portals[k])
			}
			slices.Reverse(c.Trail[begin:])
			slices.Reverse(c.Passed[first:])
			return s.Regions[i], true
		}
		reg := ix.Region(s.Regions[i])
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			p := ix.Portal(k)
			if lattice.OnSegment(over, p.Left, p.Right) && !slices.Contains(s.Regions, p.To) {
				s.Regions, s.From, s.portals = append(s.Regions, p.To), append(s.From, int32(i)), append(s.portals, k)
			}
		}
	}
	return 0, false
}

// enters reports whether a way from a border point of r in direction d starts inside r.
func (ix *Index) enters(r uint32, at lattice.Point, d Direction) bool {
	ring := ix.Ring(r)
	last := ring[len(ring)-1].Point
	for i := range ring {
		corner := ring[i].Point
		if Cross(Towards(last, corner), d) < 0 && lattice.OnSegment(at, last, corner) {
			return false
		}
		last = corner
	}
	return true
}

// along reports whether a way from a border point of r in direction d goes along an edge of r.
func (ix *Index) along(r uint32, at lattice.Point, d Direction) bool {
	ring := ix.Ring(r)
	last := ring[len(ring)-1].Point
	for i := range ring {
		corner := ring[i].Point
		if Cross(Towards(last, corner), d) == 0 && lattice.OnSegment(at, last, corner) {
			return true
		}
		last = corner
	}
	return false
}

// facing returns the wall at a point, among the walls crossed outwards by the direction d, that faces d most. The
// candidate regions are the last result of around.
func (c *Caster) facing(ix *Index, at lattice.Point, d Direction) (facing Wall) {
	most := 0.0
	for _, r := range c.Shared.Regions {
		for _, w := range ix.WallsOf(r) {
			out := Cross(d, Towards(w.From, w.To))
			if out <= 0 || !lattice.OnSegment(at, w.From, w.To) {
				continue
			}
			if f := float64(out) / Towards(w.From, w.To).Norm(); f > most {
				most, facing = f, w
			}
		}
	}
	return facing
}
