package query

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// Position is a point on the floor of a mesh. Seen from above the point is a lattice point, and the region of Ref
// contains the point exactly, border included.
type Position struct {
	Ref   navmesh.Ref
	Point geom.Vec
}

// place is a Position with the region number and lattice coordinates of the Index.
type place struct {
	region uint32
	at     lattice.Point
	z      float64 // height above the frame in lattice units
}

// stand returns the place of a Position of this mesh.
func stand(ix *geometry, p Position) (place, error) { return ix.standOn(p.Ref, p.Point) }

// position converts a place to a Position.
func position(ix *geometry, p place) Position {
	return Position{ix.regions[p.region].ref, ix.world(p.at, p.z)}
}

// world returns the world position of a lattice point at height z.
func (ix *geometry) world(at lattice.Point, z float64) geom.Vec {
	return ix.mesh.Frame.FromLocal(float64(at.X), float64(at.Y), z)
}

// Center returns the mean of a region's corners, on the floor of the region; ok is false for a stale or foreign Ref.
func (x *Index) Center(r navmesh.Ref) (pos Position, ok bool) {
	ix := x.ready().geo
	if _, _, ok := ix.mesh.Region(r); !ok {
		return Position{}, false
	}
	i := ix.first[r.Slot()] + uint32(r.Index())
	c := ix.regions[i].center
	at := ix.roundInto(i, float64(c.X), float64(c.Y))
	return position(ix, place{i, at, ix.heightAt(i, float64(at.X), float64(at.Y))}), true
}

// Locate returns the place on the mesh at p. Locate rounds p to the lattice and considers the floors there, from the
// agent's height below p to its MaxClimb above. The floor with the smallest vertical distance wins; of equally near
// floors the region of the lowest number. Borders belong to their regions, and the test is exact. ok is false without a
// floor.
//
// Time O(log n + k) for k regions whose boxes contain the point.
func (q *Query) Locate(p geom.Vec) (pos Position, ok bool) {
	q = q.ready()
	at, ok := q.places.at(q.ix, p)
	if !ok {
		return Position{}, false
	}
	return position(q.ix, at), true
}

// locator is the memory of searches for places.
type locator struct {
	search boxtree.Nearest
}

// at is [Query.Locate].
func (l *locator) at(ix *geometry, p geom.Vec) (found place, ok bool) {
	at, _, inFrame := ix.mesh.Frame.FromWorld(p)
	if !inFrame {
		return place{}, false
	}
	_, _, z := ix.mesh.Frame.Local(p)
	// One unit of margin keeps floors at exactly the limit despite rounding.
	low, high := z-ix.height-1, z+ix.climb+1
	column := box{
		Low:  [3]int32{at.X, at.Y, int32(math.Max(math.Floor(low), math.MinInt32))},
		High: [3]int32{at.X, at.Y, int32(math.Min(math.Ceil(high), math.MaxInt32))},
	}
	best := math.Inf(1)
	ix.tree.Any(&column, func(id int32) bool {
		r := uint32(id)
		if ix.closed.region(r) || !ix.contains(r, at) {
			return false
		}
		h := ix.heightAt(r, float64(at.X), float64(at.Y))
		if h < low || h > high {
			return false
		}
		if d := math.Abs(h - z); d < best || d == best && r < found.region {
			best, found, ok = d, place{r, at, h}, true
		}
		return false
	})
	return found, ok
}

// Nearest returns the nearest place on the mesh within reach metres. For every region the candidate is the point
// nearest seen from above, at its floor height; the candidate nearest in space wins. On level floors the winner is the
// nearest point of all; on a slope the winner is straight below or beside p, as a mover wants. The place is rounded to
// a lattice point of its region, which moves the place by about a lattice unit; a region too thin for a lattice point
// gives its nearest corner. ok is false without a place within reach.
//
// Time O(log n + k) for the k regions whose boxes are nearer than the answer.
func (q *Query) Nearest(p geom.Vec, reach float64) (pos Position, ok bool) {
	q = q.ready()
	at, ok := q.places.nearest(q.ix, p, reach, &anywhere)
	if !ok {
		return Position{}, false
	}
	return position(q.ix, at), true
}

// NearestWithin is [Query.Nearest] with separate horizontal and vertical reach in metres. The place is at most across
// metres away horizontally, and its floor at most below metres under p and at most above metres over p. To find the
// floor nearest to a height, give p the height. ok is false without a place, and for lengths that are negative or NaN.
func (q *Query) NearestWithin(p geom.Vec, across, below, above float64) (pos Position, ok bool) {
	q = q.ready()
	if !(across >= 0 && below >= 0 && above >= 0) {
		return Position{}, false
	}
	far := math.Hypot(across, max(below, above))
	// One unit of margin makes up for rounding to the lattice.
	limits := snapLimits{across: across*lattice.UnitsPerMetre + 1, below: below*lattice.UnitsPerMetre + 1, above: above*lattice.UnitsPerMetre + 1}
	at, ok := q.places.nearest(q.ix, p, far, &limits)
	if !ok {
		return Position{}, false
	}
	return position(q.ix, at), true
}

// snapLimits are additional limits of candidate places, in lattice units.
type snapLimits struct {
	across, below, above float64
	among                *reachSet // the reachable regions; nil for all regions
}

// anywhere allows all places.
var anywhere = snapLimits{across: math.Inf(1), below: math.Inf(1), above: math.Inf(1)}

// nearest is [Query.Nearest] for places within limits.
func (l *locator) nearest(ix *geometry, p geom.Vec, reach float64, limits *snapLimits) (found place, ok bool) {
	x, y, z := ix.mesh.Frame.Local(p)
	if !p.IsFinite() || !(reach >= 0) {
		return place{}, false
	}
	// One unit of margin makes up for rounding to the lattice.
	limit := float64(reach*lattice.UnitsPerMetre) + 1
	best2 := float64(limit * limit)
	l.search.Start(&ix.tree, [3]float64{x, y, z})
	for id, more := l.search.Next(best2); more; id, more = l.search.Next(best2) {
		r := uint32(id)
		if ix.closed.region(r) || limits.among != nil && !limits.among.has(ix, r) {
			continue
		}
		at := ix.nearestIn(r, x, y)
		dx, dy := float64(at.X)-x, float64(at.Y)-y
		plan2 := float64(dx*dx) + float64(dy*dy)
		// The floor of the region lies between low and high.
		reg := &ix.regions[r]
		if away := max(float64(reg.low)-z, z-float64(reg.high), 0); plan2+float64(away*away) > best2 || plan2 > float64(limits.across*limits.across) {
			continue
		}
		h := ix.heightAt(r, float64(at.X), float64(at.Y))
		if h < z-limits.below || h > z+limits.above {
			continue
		}
		d2 := plan2 + float64((h-z)*(h-z))
		if d2 < best2 || d2 == best2 && (!ok || r < found.region) {
			best2, found, ok = d2, place{r, at, h}, true
		}
	}
	return found, ok
}

// nearestIn returns a lattice point of region r near the point of r that is nearest to (x, y).
func (ix *geometry) nearestIn(r uint32, x, y float64) lattice.Point {
	if ix.inCore(r, x, y, 1) {
		return lattice.Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
	}
	ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
	inside := true
	best2 := math.Inf(1)
	var nx, ny float64
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		abx, aby := plane.Sub(b, a)
		px, py := x-float64(a.X), y-float64(a.Y)
		if float64(abx*py)-float64(aby*px) < 0 {
			inside = false
			t := (float64(px*abx) + float64(py*aby)) / (float64(abx*abx) + float64(aby*aby))
			t = min(max(t, 0), 1)
			ex, ey := float64(t*abx), float64(t*aby)
			if d2 := float64((px-ex)*(px-ex)) + float64((py-ey)*(py-ey)); d2 < best2 {
				best2, nx, ny = d2, float64(a.X)+ex, float64(a.Y)+ey
			}
		}
		a = b
	}
	if inside {
		nx, ny = x, y
	}
	return ix.roundInto(r, nx, ny)
}

// roundInto returns the lattice point of region r nearest to (x, y), a point of r up to rounding. Only lattice points
// around (x, y) are tried; if none is in r, the result is the nearest corner.
func (ix *geometry) roundInto(r uint32, x, y float64) lattice.Point {
	p := lattice.Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
	if ix.contains(r, p) {
		return p
	}
	// Only p is nearer than the nearest neighbour on either axis.
	dx, dy := x-float64(p.X), y-float64(p.Y)
	second, third := p, p
	second.X += int32(math.Copysign(1, dx))
	third.Y += int32(math.Copysign(1, dy))
	if math.Abs(dx) < math.Abs(dy) {
		second, third = third, second
	}
	if ix.contains(r, second) {
		return second
	}
	if ix.contains(r, third) {
		return third
	}
	best2 := math.Inf(1)
	var best lattice.Point
	for j := p.Y - 1; j <= p.Y+1; j++ {
		for i := p.X - 1; i <= p.X+1; i++ {
			at := lattice.Point{X: i, Y: j}
			if d2 := planeDistance2(at, x, y); d2 < best2 && ix.contains(r, at) {
				best2, best = d2, at
			}
		}
	}
	if !math.IsInf(best2, 1) {
		return best
	}
	for _, v := range ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner] {
		if d2 := planeDistance2(v.Point, x, y); d2 < best2 {
			best2, best = d2, v.Point
		}
	}
	return best
}

// planeDistance2 returns the squared distance of p and (x, y).
func planeDistance2(p lattice.Point, x, y float64) float64 {
	dx, dy := float64(p.X)-x, float64(p.Y)-y
	return float64(dx*dx) + float64(dy*dy)
}
