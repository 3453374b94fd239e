package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

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

// Ray is the result of [Query.Raycast]. Regions belongs to the Query and is valid until the next question to the Query.
type Ray struct {
	// Hit says that a wall is in the way. Otherwise End is below or above the target.
	Hit bool
	// End is the end of the ray, rounded to a lattice point of its region, on the floor unless Query.Flat is set.
	End Position
	// Fraction is the free part of the way: from 0 to 1, and 1 without a hit.
	Fraction float64
	// Normal is the horizontal unit vector from the wall towards its free side. At a corner Normal belongs to the wall
	// that faces the ray most. Without a hit Normal is zero.
	Normal geom.Vec
	// Regions are the regions on the ray, in order.
	Regions []navmesh.Ref
}

// aroundPoint is a list of regions around a point. Each region has the list index of its predecessor and the portal
// from the predecessor.
type aroundPoint struct {
	regions []uint32
	from    []int32
	portals []uint32
}

// Raycast walks straight over the mesh from a position towards the point above or below a target, up to the target or a
// wall. Both ends are lattice points, and hits are decided exactly: the target is reached if and only if the way stays
// within the closed free space. The error is [ErrOffMesh] if the position is not a position of this mesh, or the target
// is not finite or outside the frame.
//
// Time O(m) for the m corners and portals of the regions on the way. Nothing is allocated after the first few answers.
func (q *Query) Raycast(from Position, to geom.Vec) (Ray, error) {
	q = q.ready()
	ix := q.ix
	start, err := stand(ix, from)
	if err != nil {
		return Ray{}, err
	}
	target, err := ix.aim(to)
	if err != nil {
		return Ray{}, err
	}
	stop := q.ray.cast(q.ix, start, target)
	ray := Ray{Hit: stop.hit, Fraction: stop.t, Regions: q.refs(q.ray.trail)}
	last := q.ray.trail[len(q.ray.trail)-1]
	if stop.hit {
		dx, dy := plane.Sub(target, start.at)
		target = ix.roundInto(last, float64(start.at.X)+float64(stop.t*dx), float64(start.at.Y)+float64(stop.t*dy))
		ray.Normal = stop.wall.normal()
	}
	ray.End = q.endOf(start, last, target)
	return ray, nil
}

// endOf returns the final position in region r of a walk from start.
func (q *Query) endOf(start place, r uint32, at lattice.Point) Position {
	if !q.Flat {
		start.z = q.ix.heightAt(r, float64(at.X), float64(at.Y))
	}
	return position(q.ix, place{r, at, start.z})
}

// refs returns the Refs of regions, in memory of the Query.
func (q *Query) refs(regions []uint32) []navmesh.Ref {
	q.regions = q.regions[:0]
	for _, r := range regions {
		q.regions = append(q.regions, q.ix.regions[r].ref)
	}
	return q.regions
}

// stop is the end of a straight walk: after the part t of the way, at a wall or at the target.
type stop struct {
	hit  bool
	t    float64
	wall wall
}

// caster is the memory of straight walks.
type caster struct {
	trail  []uint32    // regions on the way
	passed []uint32    // portals between them
	shared aroundPoint // regions at a point of the way
}

// cast walks from a place to a target, leaving the regions on the way in c.trail and the portals between them in
// c.passed.
func (c *caster) cast(ix *geometry, start place, target lattice.Point) stop {
	r := start.region
	c.trail, c.passed = append(c.trail[:0], r), c.passed[:0]
	if target == start.at || ix.regions[r].core.Contains(target) {
		return stop{t: 1}
	}
	dx, dy := target.Sub(start.at)
	// Points on the left of the way have larger values than line. Sums may wrap around; differences do not.
	line := dx*int64(start.at.Y) - dy*int64(start.at.X)
	trail, passed := c.trail, c.passed
	for {
		// The way leaves between a point on its right and the next point, on its left.
		border := ix.rims[ix.firstRim[r]:ix.firstRim[r+1]]
		k, right := none, false
		for i := range border {
			p := &border[i].from
			side := dx*int64(p.Y) - dy*int64(p.X) - line
			if side > 0 && right {
				k = i
				break
			}
			right = side < 0
		}
		if k == none {
			// The way leaves over a point.
			c.trail, c.passed = trail, passed
			if ix.contains(r, target) {
				return stop{t: 1}
			}
			over, ok := exit(border, start.at, target), false
			if r, ok = c.around(ix, r, over, plane.Towards(start.at, target)); !ok || len(c.trail) >= ix.rayLimit() {
				t := float64(lattice.Dot(start.at, target, over)) / float64(lattice.Dot(start.at, target, target))
				return stop{true, min(max(t, 0), 1), c.facing(ix, over, plane.Towards(start.at, target))}
			}
			trail, passed = c.trail, c.passed
			continue
		}
		out := &border[k-1]
		behind := lattice.Orient(out.from, border[k].from, target)
		if behind < 0 && out.portal != none && len(trail) < ix.rayLimit() {
			r = out.to
			trail, passed = append(trail, r), append(passed, uint32(out.portal))
			continue
		}
		c.trail, c.passed = trail, passed
		if behind >= 0 {
			return stop{t: 1}
		}
		at := float64(lattice.Orient(out.from, border[k].from, start.at))
		// In a region that is not convex the quotient may be out of range.
		return stop{true, min(max(at/(at-float64(behind)), 0), 1), wall{out.from, border[k].from}}
	}
}

// exit returns the end of a rim where the line from a to b leaves a region for good.
func exit(border []rim, a, b lattice.Point) (over lattice.Point) {
	farthest := int64(math.MinInt64)
	for i := range border {
		if p := border[i].from; lattice.Orient(a, b, p) == 0 {
			if along := lattice.Dot(a, b, p); along > farthest {
				over, farthest = p, along
			}
		}
	}
	return over
}

// around finds the region that the direction d enters at a point of r, among the regions reachable around the point.
// c.trail gets the regions up to the new region.
func (c *caster) around(ix *geometry, r uint32, over lattice.Point, d plane.Direction) (next uint32, ok bool) {
	s := &c.shared
	s.regions, s.from, s.portals = append(s.regions[:0], r), append(s.from[:0], none), append(s.portals[:0], 0)
	for i := 0; i < len(s.regions); i++ {
		if i > 0 && ix.enters(s.regions[i], over, d) {
			begin, first := len(c.trail), len(c.passed)
			for k := int32(i); k > 0; k = s.from[k] {
				c.trail, c.passed = append(c.trail, s.regions[k]), append(c.passed, s.portals[k])
			}
			slices.Reverse(c.trail[begin:])
			slices.Reverse(c.passed[first:])
			return s.regions[i], true
		}
		reg := &ix.regions[s.regions[i]]
		for k := reg.firstPortal; k < reg.endPortal; k++ {
			p := &ix.portals[k]
			if lattice.OnSegment(over, p.left, p.right) && !slices.Contains(s.regions, p.to) {
				s.regions, s.from, s.portals = append(s.regions, p.to), append(s.from, int32(i)), append(s.portals, k)
			}
		}
	}
	return 0, false
}

// enters reports whether a way from a border point of r in direction d starts inside r.
func (ix *geometry) enters(r uint32, at lattice.Point, d plane.Direction) bool {
	ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
	last := ring[len(ring)-1].Point
	for i := range ring {
		corner := ring[i].Point
		if plane.Cross(plane.Towards(last, corner), d) < 0 && lattice.OnSegment(at, last, corner) {
			return false
		}
		last = corner
	}
	return true
}

// facing returns the wall at a point, among the walls crossed outwards by the direction d, that faces d most. The
// candidate regions are the last result of around.
func (c *caster) facing(ix *geometry, at lattice.Point, d plane.Direction) (facing wall) {
	most := 0.0
	for _, r := range c.shared.regions {
		for _, w := range ix.wallsOf(r) {
			out := plane.Cross(d, plane.Towards(w.from, w.to))
			if out <= 0 || !lattice.OnSegment(at, w.from, w.to) {
				continue
			}
			if f := float64(out) / plane.Towards(w.from, w.to).Norm(); f > most {
				most, facing = f, w
			}
		}
	}
	return facing
}
