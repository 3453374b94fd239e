package query

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Position is a point on the floor of a mesh. Seen from above the point is a lattice point, and the region of Ref
// contains the point exactly, border included.
type Position struct {
	Ref   navmesh.Ref
	Point geom.Vec
}

// stand returns the place of a Position of this mesh.
func stand(ix *index.Index, p Position) (index.Place, error) { return ix.StandOn(p.Ref, p.Point) }

// position converts a place to a Position.
func position(ix *index.Index, p index.Place) Position {
	return Position{ix.Region(p.Region).Ref, ix.World(p.At, p.Z)}
}

// Center returns the mean of a region's corners, on the floor of the region; ok is false for a stale or foreign Ref.
func (x *Index) Center(r navmesh.Ref) (pos Position, ok bool) {
	ix := x.ready().geo
	i, ok := ix.Find(r)
	if !ok {
		return Position{}, false
	}
	c := ix.Region(i).Center
	at := ix.RoundInto(i, float64(c.X), float64(c.Y))
	return position(ix, index.Place{Region: i, At: at, Z: ix.HeightAt(i, float64(at.X), float64(at.Y))}), true
}

// Pieces appends the Refs of the floor that a region of [Index.Mesh] has: its own, or those of the pieces that an [Editor] has put in its
// place, in the order of blocks and cells. A stale or foreign Ref has none. Time O(n) for n pieces.
func (x *Index) Pieces(list []navmesh.Ref, r navmesh.Ref) []navmesh.Ref {
	ix := x.ready().geo
	if _, _, ok := ix.Mesh.Region(r); !ok {
		return list
	}
	return ix.AppendPieces(list, ix.Number(r))
}

// Locate returns the place on the mesh at p. Locate rounds p to the lattice and considers the floors there, from the
// agent's height below p to its MaxClimb above. The floor with the smallest vertical distance wins; of equally near
// floors the region of the lowest number. Borders belong to their regions, and the test is exact. ok is false without a
// floor.
//
// Time O(log n + k) for k regions whose boxes contain the point.
func (q *Query) Locate(p geom.Vec) (pos Position, ok bool) {
	q = q.ready()
	at, ok := q.places.Locate(q.ix, p)
	if !ok {
		return Position{}, false
	}
	return position(q.ix, at), true
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
	at, ok := q.places.Nearest(q.ix, p, reach, &index.Anywhere)
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
	limits := index.SnapLimits{Across: across*lattice.UnitsPerMetre + 1, Below: below*lattice.UnitsPerMetre + 1, Above: above*lattice.UnitsPerMetre + 1}
	at, ok := q.places.Nearest(q.ix, p, far, &limits)
	if !ok {
		return Position{}, false
	}
	return position(q.ix, at), true
}
