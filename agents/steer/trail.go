package steer

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/query"
)

// Following on a mesh.
//
// Source: S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes, thesis, 2009, section
// 5.2.2, option 3: the route is followed as it is.
//
// Idea: The bends of a shortest path see each other over the mesh. A traveller needs no corridor of regions then: it goes
// straight to the next bend by exact steps. A step that meets a wall slides along the wall, and says so.
//
// Input: the points of a path on the mesh of the query, and a position of the same mesh.
//
// Guarantees:
//  1. The traveller stands on a lattice point of the mesh after each step (TestTrailStaysOnTheMesh).
//  2. A traveller that nobody pushes arrives, by a walk as long as the path up to a millimetre a bend
//     (TestTrailIsAsLongAsThePath).
//  3. A step into a closed door reports the bump, and never passes (TestBump).
//
// Degenerate cases: a path without points has arrived. Points twice in a row take no time. A step of a length that is NaN,
// negative or zero stands still.
//
// Cost: O(m) for the m corners of the regions that the step meets, most often a single region. Nothing is allocated.
//
// Departures: none; the source gives no algorithm.

// Trail is the way of a traveller over a mesh: the bends of a path. A Trail holds no memory of its own besides the bends, which
// belong to the caller.
type Trail struct {
	// Bends are the points of the path, such as [query.Path.Points].
	Bends []geom.Vec
	// Next is the index of the bend that the traveller goes to.
	Next int
}

// Progress is the outcome of a step.
type Progress struct {
	// Walked is the length of the step in metres, seen from above.
	Walked float64
	// Bumped says that something that the path did not know of stopped the traveller, or made it slide.
	Bumped bool
	// Arrived says that the traveller stands at the last bend.
	Arrived bool
}

// touch in metres is how near a bend counts as reached: places are rounded to the lattice.
const touch = 0.0005

// Step moves the traveller from its position along the trail by a number of metres, seen from above, and returns the new
// position. Rounding to the lattice may make the step longer by up to 2 mm. The error is [query.ErrOffMesh] for a position of another mesh; nothing has changed then.
func (t *Trail) Step(q *query.Query, at query.Position, metres float64) (query.Position, Progress, error) {
	var p Progress
	start := *t
	from := at
	for t.Next < len(t.Bends) {
		bend := t.Bends[t.Next]
		dx, dz := bend.X-at.Point.X, bend.Z-at.Point.Z
		d := math.Sqrt(float64(dx*dx) + float64(dz*dz))
		if d <= touch {
			t.Next++
			continue
		}
		left := metres - p.Walked
		if !(left > 0) {
			break
		}
		to := bend
		if left < d {
			share := left / d
			to = geom.Vec{X: at.Point.X + float64(dx*share), Y: at.Point.Y, Z: at.Point.Z + float64(dz*share)}
		}
		ray, err := q.Raycast(at, to)
		if err != nil {
			*t = start
			return from, Progress{}, err
		}
		end := ray.End
		if ray.Hit {
			// Places are off the straight way by a part of a lattice unit, so a corner at the way may be touched: no bump.
			move, err := q.MoveAlongSurface(at, to)
			if err != nil {
				*t = start
				return from, Progress{}, err
			}
			end = move.End
			p.Bumped = far(end.Point, to, 4*touch)
			if d := end.Point.DistXZ(at.Point); d > left+4*touch {
				// Sliding comes nearest to the target, which may be farther than the step.
				ray, err = q.Raycast(at, at.Point.Lerp(end.Point, left/d))
				if err != nil {
					*t = start
					return from, Progress{}, err
				}
				end = ray.End
			}
		}
		x, z := end.Point.X-at.Point.X, end.Point.Z-at.Point.Z
		p.Walked += math.Sqrt(float64(x*x) + float64(z*z))
		at = end
		if p.Bumped || left <= d {
			break
		}
		if to == bend {
			t.Next++
		}
	}
	if t.Next == len(t.Bends)-1 && !far(at.Point, t.Bends[t.Next], touch) {
		t.Next++
	}
	p.Arrived = t.Next >= len(t.Bends)
	return at, p, nil
}

// far reports whether two places are farther apart than a distance, seen from above.
func far(a, b geom.Vec, d float64) bool {
	x, z := a.X-b.X, a.Z-b.Z
	return float64(x*x)+float64(z*z) > float64(d*d)
}
