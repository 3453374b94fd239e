package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// sumAreas makes ix.areas: areas[r+1]-areas[r] is twice the area of region r in square lattice units. The sums are
// exact for meshes of less than 2⁶³ square units, 549,000 km².
func (ix *geometry) sumAreas() {
	ix.areas = make([]uint64, len(ix.regions)+1)
	for i := range ix.regions {
		ring := ix.corners[ix.regions[i].firstCorner:ix.regions[i].endCorner]
		area := uint64(0)
		for k := 1; k+1 < len(ring) && !ix.closed.region(uint32(i)); k++ {
			area += uint64(max(0, lattice.Orient(ring[0].Point, ring[k].Point, ring[k+1].Point)))
		}
		ix.areas[i+1] = ix.areas[i] + area
	}
}

// RandomPoint returns a place on the mesh, drawn uniformly by area as seen from above and rounded to a lattice point of
// its region. The result depends only on the mesh and the numbers from rng. ok is false for a mesh without area, and for a nil rng. Time
// O(log n + m) for n regions and m corners of the drawn region. Nothing is allocated.
func (q *Query) RandomPoint(rng *rand.Rand) (pos Position, ok bool) {
	q = q.ready()
	ix := q.ix
	total := ix.areas[len(ix.regions)]
	if total == 0 || rng == nil {
		return Position{}, false
	}
	u := rng.Uint64N(total)
	r := uint32(sort.Search(len(ix.regions), func(i int) bool { return ix.areas[i+1] > u }))
	x, y := ix.drawIn(r, rng)
	return position(ix, ix.placeNear(r, x, y)), true
}

// drawIn draws a point of region r, which must have an area: a triangle of its fan by area, and a point of the
// triangle.
func (ix *geometry) drawIn(r uint32, rng *rand.Rand) (x, y float64) {
	ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
	u := rng.Uint64N(ix.areas[r+1] - ix.areas[r])
	k := 1
	for ; k+2 < len(ring); k++ {
		area := uint64(max(0, lattice.Orient(ring[0].Point, ring[k].Point, ring[k+1].Point)))
		if u < area {
			break
		}
		u -= area
	}
	// Points in the far half of the parallelogram are mirrored into the triangle.
	s, t := rng.Float64(), rng.Float64()
	if s+t > 1 {
		s, t = 1-s, 1-t
	}
	ax, ay := plane.Sub(ring[k].Point, ring[0].Point)
	bx, by := plane.Sub(ring[k+1].Point, ring[0].Point)
	return float64(ring[0].X) + float64(s*ax) + float64(t*bx), float64(ring[0].Y) + float64(s*ay) + float64(t*by)
}

// maxDraws bounds the draws of RandomPointInCircle. A draw in the disc succeeds with the probability of ground in the
// disc.
const maxDraws = 1 << 14

// RandomPointInCircle returns a place within radius metres of a position, seen from above. The place is in a region
// reachable from the position through portals that meet the disc. The place is drawn uniformly by area and rounded to a
// lattice point of its region; where storeys overlap, each storey counts. The result depends only on the mesh, the
// position, the radius and the numbers from rng. If the ground is so thin that 16,384 draws from the disc miss, or the
// radius is not positive, the result is the position itself. The error is [ErrOffMesh] if the position is not a
// position of this mesh; a nil rng is an error, too.
//
// Time O(m) for the m corners and portals of the regions that the disc meets. If the regions cover the k-th part of the
// disc, the time is k times as much. Nothing is allocated after the first few answers.
func (q *Query) RandomPointInCircle(centre Position, radius float64, rng *rand.Rand) (Position, error) {
	q = q.ready()
	ix, s := q.ix, &q.spread
	from, err := stand(ix, centre)
	if err != nil {
		return Position{}, err
	}
	// No two points of the frame are farther apart.
	if rng == nil {
		return Position{}, errors.New("query: random point: rng is nil")
	}
	reach := math.Min(radius*lattice.UnitsPerMetre, 2*math.Sqrt2*lattice.MaxCoord)
	if !(reach >= 1) {
		return centre, nil
	}
	q.spread.over(q.ix, from.region, from.at, uint64(float64(reach*reach)))
	covered := uint64(0)
	for _, r := range s.regions {
		covered += ix.areas[r+1] - ix.areas[r]
	}
	for range maxDraws {
		// Draw from the smaller of two sets: all regions, or one disc per region.
		r, x, y := uint32(0), 0.0, 0.0
		if disc := 2 * math.Pi * float64(reach*reach) * float64(len(s.regions)); float64(covered) < disc {
			if covered == 0 {
				break
			}
			u := rng.Uint64N(covered)
			for _, r = range s.regions {
				area := ix.areas[r+1] - ix.areas[r]
				if u < area {
					break
				}
				u -= area
			}
			x, y = ix.drawIn(r, rng)
			if plane.Length(x-float64(from.at.X), y-float64(from.at.Y)) > reach {
				continue
			}
		} else {
			r = s.regions[rng.IntN(len(s.regions))]
			x, y = (2*rng.Float64()-1)*reach, (2*rng.Float64()-1)*reach
			if plane.Length(x, y) > reach {
				continue
			}
			x, y = float64(from.at.X)+x, float64(from.at.Y)+y
			if !ix.inside(r, x, y) {
				continue
			}
		}
		return position(ix, ix.placeNear(r, x, y)), nil
	}
	return centre, nil
}

// inside reports whether (x, y) is in region r, in float64.
func (ix *geometry) inside(r uint32, x, y float64) bool {
	ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		dx, dy := plane.Sub(b, a)
		if float64(dx*(y-float64(a.Y)))-float64(dy*(x-float64(a.X))) < 0 {
			return false
		}
		a = b
	}
	return true
}
