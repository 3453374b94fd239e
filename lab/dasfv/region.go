package dasfv

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// ID names an obstacle. No two obstacles of a world ever have the same.
type ID int32

// RegionID names a region. A region never changes: a region that grows over another's floor has a new ID.
type RegionID int32

// Edge names an edge of an obstacle: from corner Index of [World.Obstacle] to the next.
type Edge struct {
	Obstacle ID
	Index    int
}

// NoEdge is the Edge of a corner at an exact place.
var NoEdge = Edge{-1, -1}

// Corner is a corner of a region.
type Corner struct {
	lattice.Point
	// On is the slanted edge that the corner stands for a place on, rounded towards the free side; NoEdge for exact corners.
	On Edge
}

// Portal is a common stretch of border with region To. Left and Right are its ends as seen on the way out.
type Portal struct {
	To          RegionID
	Left, Right lattice.Point
}

// Region is a convex region of free floor.
type Region struct {
	ID      RegionID
	Corners []Corner // counter-clockwise, no three on a line
	Portals []Portal // in ascending order of To
	// Obstacles are those that the region has a stretch of border with, ascending.
	Obstacles []ID

	ring lattice.Ring
	box  lattice.Box
}

// obstacle is an obstacle that stands in the world.
type obstacle struct {
	id   ID
	ring lattice.Ring // strictly convex, counter-clockwise
	box  lattice.Box
}

// slanted tells whether edge i is parallel to no axis.
func (o *obstacle) slanted(i int) bool {
	a, b := o.edge(i)
	return isSlanted(a, b)
}

// edge returns the ends of edge i.
func (o *obstacle) edge(i int) (a, b lattice.Point) { return o.ring[i], o.ring[(i+1)%len(o.ring)] }

func isSlanted(a, b lattice.Point) bool { return a.X != b.X && a.Y != b.Y }

// newRegion returns the region with some corners, without an ID and without neighbours.
func newRegion(corners []Corner) *Region {
	r := &Region{Corners: corners, ring: make(lattice.Ring, len(corners))}
	for i, c := range corners {
		r.ring[i] = c.Point
	}
	r.box = r.ring.Box()
	return r
}

// meet tells whether the interiors of two convex polygons have a common point: no side of either has the other on its right.
func meet(a, b lattice.Ring) bool { return !parted(a, b) && !parted(b, a) }

// parted tells whether all of b lies on a side of a or to its right.
func parted(a, b lattice.Ring) bool {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		if !slices.ContainsFunc(b, func(c lattice.Point) bool { return lattice.Orient(p, q, c) > 0 }) {
			return true
		}
	}
	return false
}

// The growth of an obstacle by which the source finds neighbours: 0.1 percent, away from the mean of its corners.
const (
	grownPart  = 1001
	grownWhole = 1000
)

// meetGrown tells whether the interior of r has a point in the interior of the obstacle o, grown by 0.1 percent: the
// obstacle with corners m + (p - m)·1001/1000 for corners p with the mean m.
//
// Both tests multiply by 1000·n for n corners. A grown corner is left of the side from a to b where
// 1001·n·Orient(a, b, p) exceeds the sum of Orient(a, b, ·) over all corners; and a point c is left of a grown edge
// from p to q where 1000·n·Orient(p, q, c) exceeds minus the sum of Orient(p, q, ·). A division in place of the product
// keeps both within 64 bits.
func meetGrown(o, r lattice.Ring) bool {
	n := int64(len(o))
	for i, a := range r {
		b := r[(i+1)%len(r)]
		sum := sumOrient(a, b, o)
		if !slices.ContainsFunc(o, func(p lattice.Point) bool { return lattice.Orient(a, b, p) > lattice.FloorDiv(sum, grownPart*n) }) {
			return false
		}
	}
	for i, p := range o {
		q := o[(i+1)%len(o)]
		sum := sumOrient(p, q, o)
		if !slices.ContainsFunc(r, func(c lattice.Point) bool { return lattice.Orient(p, q, c) > lattice.FloorDiv(-sum, grownWhole*n) }) {
			return false
		}
	}
	return true
}

func sumOrient(a, b lattice.Point, ring lattice.Ring) (sum int64) {
	for _, p := range ring {
		sum += lattice.Orient(a, b, p)
	}
	return sum
}

// border returns the stretch that two convex polygons without a common inner point have in common, in the direction of
// a's side; ok is false where there is none, or a single point.
func border(a, b lattice.Ring) (from, to lattice.Point, ok bool) {
	for i, p := range a {
		q := a[(i+1)%len(a)]
		for j, c := range b {
			d := b[(j+1)%len(b)]
			if lattice.Orient(p, q, c) != 0 || lattice.Orient(p, q, d) != 0 || lattice.Dot(p, q, c) <= lattice.Dot(p, q, d) {
				continue
			}
			// b's side runs from c back to d.
			from, to = p, q
			if lattice.Dot(p, q, d) > 0 {
				from = d
			}
			if lattice.Dot(p, q, c) < lattice.Dot(p, q, q) {
				to = c
			}
			if lattice.Dot(p, q, from) < lattice.Dot(p, q, to) {
				return from, to, true
			}
		}
	}
	return from, to, false
}

// along tells whether r has a stretch of border with an obstacle. Rounded corners count as on their edge. A side between
// two places on slanted edges of a convex obstacle runs along the obstacle, around a corner of less than a unit if need be.
func (r *Region) along(o *obstacle) bool {
	if !r.box.Overlaps(widened(o.box, farthest)) {
		return false
	}
	for k, c := range r.Corners {
		if d := r.Corners[(k+1)%len(r.Corners)]; isSlanted(c.Point, d.Point) && o.holds(c) && o.holds(d) {
			return true
		}
	}
	_, _, ok := border(r.ring, o.ring)
	return ok
}

// away returns the squared distance of a corner from an edge.
func (c Corner) away(standing []*obstacle, e Edge) lattice.Ratio {
	a, b := find(standing, e.Obstacle).edge(e.Index)
	return lattice.SegmentDistance2(c.Point, a, b)
}

// near tells whether a corner of r is near an edge.
func (r *Region) near(standing []*obstacle, e Edge) bool {
	return slices.ContainsFunc(r.Corners, func(c Corner) bool { return c.away(standing, e).CompareInt(farthest*farthest) <= 0 })
}

// forget takes the names of obstacles that are gone from a region that stays. One of its corners may be on their border.
func (r *Region) forget(freed []*obstacle) {
	r.Obstacles = slices.DeleteFunc(r.Obstacles, func(id ID) bool { return find(freed, id) != nil })
	for i, c := range r.Corners {
		if c.On != NoEdge && find(freed, c.On.Obstacle) != nil {
			r.Corners[i].On = NoEdge
		}
	}
}

// holds tells whether a corner is on a slanted edge, or stands for a place there.
func (o *obstacle) holds(c Corner) bool {
	if c.On != NoEdge {
		return c.On.Obstacle == o.id
	}
	for i := range o.ring {
		if a, b := o.edge(i); o.slanted(i) && lattice.OnSegment(c.Point, a, b) {
			return true
		}
	}
	return false
}

// widened returns a box with some units more on every side.
func widened(b lattice.Box, by int32) lattice.Box {
	return lattice.Box{
		Min: lattice.Point{X: b.Min.X - by, Y: b.Min.Y - by},
		Max: lattice.Point{X: b.Max.X + by, Y: b.Max.Y + by},
	}
}

// unite returns the corners of the union of two regions that share a whole side of both, nil where the union is not
// convex. Straight corners are left out.
func unite(r, o *Region) []Corner {
	for i, from := range r.Corners {
		k := (i + 1) % len(r.Corners)
		to := r.Corners[k]
		j := slices.IndexFunc(o.Corners, func(c Corner) bool { return c.Point == to.Point })
		if j < 0 || o.Corners[(j+1)%len(o.Corners)].Point != from.Point {
			continue
		}
		// r from the end of the side around to its start, then the rest of o.
		var all []Corner
		for n := range r.Corners {
			all = append(all, r.Corners[(k+n)%len(r.Corners)])
		}
		for n := 2; n < len(o.Corners); n++ {
			all = append(all, o.Corners[(j+n)%len(o.Corners)])
		}
		return convexCorners(all)
	}
	return nil
}

// convexCorners returns the corners without straight ones, or nil where one turns right.
func convexCorners(all []Corner) []Corner {
	var kept []Corner
	for i, c := range all {
		switch turn := lattice.Orient(all[(i+len(all)-1)%len(all)].Point, c.Point, all[(i+1)%len(all)].Point); {
		case turn < 0:
			return nil
		case turn > 0:
			kept = append(kept, c)
		}
	}
	return kept
}

// insert adds x to an ascending list once.
func insert[T cmp.Ordered](list []T, x T) []T {
	if i, found := slices.BinarySearch(list, x); !found {
		return slices.Insert(list, i, x)
	}
	return list
}
