package query

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// WallPoint is the result of [Query.DistanceToWall].
type WallPoint struct {
	// Found says that a wall is within reach. Otherwise all other fields are zero.
	Found bool
	// Distance is the horizontal distance of the wall in metres.
	Distance float64
	// Nearest is the nearest point of the wall, rounded to a lattice point of its region, on the floor unless
	// Query.Flat is set.
	Nearest Position
	// Normal is the horizontal unit vector from Nearest towards the position; for a position at the wall, Normal is
	// perpendicular to the wall.
	Normal geom.Vec
}

// wallSearch is the memory of DistanceToWall: portals by their distance.
type wallSearch struct{ heap pq.Heap }

// DistanceToWall returns the nearest wall within reach metres of a position, seen from above: the nearest visible point
// of the mesh border. Walls of other storeys do not count. The choice of the nearest wall is exact; of equally near
// walls the first region entered wins. The error is [ErrOffMesh] if the position is not a position of this mesh. A
// reach that is negative or NaN finds nothing; an infinite reach searches everywhere.
//
// The search enters regions by the distance of their portals, until a wall is nearer than all remaining portals. A disc
// that meets no wall is free of holes; hence the search inside the disc meets only points visible from the centre. Time
// O(m log m) for the m corners and portals of the regions nearer than the wall. Nothing is allocated after the first
// few answers.
func (q *Query) DistanceToWall(at Position, reach float64) (WallPoint, error) {
	q = q.ready()
	ix := q.ix
	from, err := stand(ix, at)
	if err != nil {
		return WallPoint{}, err
	}
	if !(reach >= 0) {
		return WallPoint{}, nil
	}
	nearest, region, best2, found := q.nearestWall(from, squareUnits(reach))
	if !found {
		return WallPoint{}, nil
	}
	x, y := float64(from.At.X), float64(from.At.Y)
	wx, wy := nearestOn(nearest, x, y)
	out := WallPoint{
		Found:    true,
		Distance: best2.Sqrt() * lattice.Unit,
		Nearest:  q.endOf(from, region, ix.RoundInto(region, wx, wy)),
		Normal:   nearest.Normal(),
	}
	if l := index.Length(x-wx, y-wy); !best2.IsZero() && l > 0 {
		out.Normal = geom.FromGround((x-wx)/l, (y-wy)/l, 0)
	}
	return out, nil
}

// squareUnits returns the square in lattice units of a length in metres, rounded down. The result is capped above all
// squared distances on the lattice.
func squareUnits(metres float64) uint64 {
	const most = 1 << 63
	units := metres * lattice.UnitsPerMetre
	if square := float64(units * units); square < most {
		return uint64(square)
	}
	return most
}

// nearestWall returns the nearest wall to a place, its region, and its squared distance, at most limit2.
func (q *Query) nearestWall(from index.Place, limit2 uint64) (nearest index.Wall, region uint32, best2 lattice.Ratio, found bool) {
	ix, s, h := q.ix, &q.spread, &q.walls.heap
	near := func(d2 lattice.Ratio) bool {
		return found && d2.Compare(best2) < 0 || !found && d2.CompareInt(limit2) <= 0
	}
	within := limit2 // squared; anything with a box farther away is not near
	s.Begin(ix.RegionLimit(), from.Region)
	h.Reset()
	for r := from.Region; ; {
		for _, w := range ix.WallsOf(r) {
			if boxDistance2(from.At, w.From, w.To) > within {
				continue
			}
			if d2 := lattice.SegmentDistance2(from.At, w.From, w.To); near(d2) {
				nearest, region, best2, found = w, r, d2, true
				within = min(within, uint64(d2.Float()*(1+1e-12))+1)
			}
		}
		reg := ix.Region(r)
		for k := reg.FirstPortal; k < reg.EndPortal; k++ {
			p := ix.Portal(k)
			if s.Marks[p.To] == s.Stamp || boxDistance2(from.At, p.Left, p.Right) > within {
				continue
			}
			if d2 := lattice.SegmentDistance2(from.At, p.Left, p.Right); near(d2) {
				h.Push(d2.Float(), int32(k))
			}
		}
		for {
			if h.Len() == 0 || found && h.Min().Key > best2.Float() {
				return nearest, region, best2, found
			}
			if r = ix.Portal(uint32(h.Pop().ID)).To; s.Marks[r] != s.Stamp {
				break
			}
		}
		s.Add(r, index.None)
	}
}

// boxDistance2 returns the squared distance of p and the box around a and b.
func boxDistance2(p, a, b lattice.Point) uint64 {
	dx := max(int64(min(a.X, b.X))-int64(p.X), int64(p.X)-int64(max(a.X, b.X)), 0)
	dy := max(int64(min(a.Y, b.Y))-int64(p.Y), int64(p.Y)-int64(max(a.Y, b.Y)), 0)
	return uint64(dx*dx) + uint64(dy*dy)
}

// nearestOn returns the point of w nearest to (x, y).
func nearestOn(w index.Wall, x, y float64) (wx, wy float64) {
	ax, ay := float64(w.From.X), float64(w.From.Y)
	dx, dy := index.Sub(w.To, w.From)
	t := (float64((x-ax)*dx) + float64((y-ay)*dy)) / (float64(dx*dx) + float64(dy*dy))
	t = math.Min(math.Max(t, 0), 1)
	return ax + float64(t*dx), ay + float64(t*dy)
}
