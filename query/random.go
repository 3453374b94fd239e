package query

import (
	"errors"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// RandomPoint returns a place on the mesh, drawn uniformly by area as seen from above and rounded to a lattice point of
// its region. The result depends only on the mesh and the numbers from rng. ok is false for a mesh without area, and
// for a nil rng. Time O(log n + m) for n regions and m corners of the drawn region. Nothing is allocated.
func (q *Query) RandomPoint(rng *rand.Rand) (pos Position, ok bool) {
	q = q.ready()
	ix := q.ix
	total := ix.Areas[len(ix.Areas)-1]
	if total == 0 || rng == nil {
		return Position{}, false
	}
	for range maxDraws {
		u := rng.Uint64N(total)
		r := uint32(sort.Search(len(ix.Areas)-1, func(i int) bool { return ix.Areas[i+1] > u }))
		x, y := ix.DrawIn(r, rng)
		if r, ok = ix.PieceAt(r, x, y); ok {
			return position(ix, ix.PlaceNear(r, x, y)), true
		}
	}
	// Nearly all ground is gone.
	total = 0
	for r := range uint32(ix.RegionLimit()) {
		total += ix.FloorArea(r)
	}
	if total == 0 {
		return Position{}, false
	}
	u, r := rng.Uint64N(total), uint32(0)
	for ; ix.FloorArea(r) <= u; r++ {
		u -= ix.FloorArea(r)
	}
	x, y := ix.DrawIn(r, rng)
	return position(ix, ix.PlaceNear(r, x, y)), true
}

// maxDraws bounds the draws of RandomPoint and RandomPointInCircle. A draw in the disc succeeds with the probability of ground in the
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
	q.spread.Over(q.ix, from.Region, from.At, uint64(float64(reach*reach)))
	covered := uint64(0)
	for _, r := range s.Regions {
		covered += ix.TwiceArea(r)
	}
	for range maxDraws {
		// Draw from the smaller of two sets: all regions, or one disc per region.
		r, x, y := uint32(0), 0.0, 0.0
		if disc := 2 * math.Pi * float64(reach*reach) * float64(len(s.Regions)); float64(covered) < disc {
			if covered == 0 {
				break
			}
			u := rng.Uint64N(covered)
			for _, r = range s.Regions {
				area := ix.TwiceArea(r)
				if u < area {
					break
				}
				u -= area
			}
			x, y = ix.DrawIn(r, rng)
			if index.Length(x-float64(from.At.X), y-float64(from.At.Y)) > reach {
				continue
			}
		} else {
			r = s.Regions[rng.IntN(len(s.Regions))]
			x, y = (2*rng.Float64()-1)*reach, (2*rng.Float64()-1)*reach
			if index.Length(x, y) > reach {
				continue
			}
			x, y = float64(from.At.X)+x, float64(from.At.Y)+y
			if !ix.Inside(r, x, y) {
				continue
			}
		}
		return position(ix, ix.PlaceNear(r, x, y)), nil
	}
	return centre, nil
}
