package query

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// HeightError is the maximum distance, in metres, of the straight pieces of a path above or below the floor, for a
// floor of any roughness. Over a crack of the floor the path goes straight from edge to edge.
const HeightError = 0.05

// keptError is the tolerance of [profile.simplify] in lattice units. The remaining millimetre is for rounding and for
// samples joined by [profile.add].
const keptError = (HeightError - 0.001) * lattice.UnitsPerMetre

// sample is the height of the floor at a place of a straight piece of a path. Two samples at one place are the ends of
// a step.
type sample struct {
	t float64 // 0 at the start of the piece, 1 at its end
	z float64 // lattice units
}

// profile is the memory of [Query.raise].
type profile struct {
	samples []sample
	wait    [][2]int32 // spans of samples still to simplify
	spans   []lattice.Span
	z       float64 // the height of the path at the last sample
	left    int     // remaining comparisons of spans for the path
	lost    float64 // length walked since then without floor near the path's height, in lattice units
}

// raise lifts a way from the plane to the floor and appends the way to q.points. Between the bends, raise adds points
// to keep the floor within [HeightError]. first is the region of the start and z its height, goalZ the height of the
// goal; crossed are the portals behind the gates. raise records the marks and the ground on the way and returns the
// length over the floor in metres.
//
// Every straight piece is followed from region to region, see [Query.followFloor]. The profile of the floor is then
// simplified by repeated splitting at the farthest sample (U. Ramer, 1972; D. H. Douglas and T. K. Peucker, 1973), with
// distances measured vertically. Time O(s·p) for a piece with s samples and p kept samples.
func (q *Query) raise(first uint32, z, goalZ float64, bends []route.Bend, crossed []uint32) (surface float64) {
	ix, f := q.ix, &q.profile
	if q.OnlyBends && ix.Marked == nil {
		return q.raiseBends(first, z, goalZ, bends, crossed)
	}
	points := append(q.points, ix.World(bends[0].Point, z))
	region := first
	f.z, f.lost = z, 0
	if ix.Marked != nil {
		q.enterMarks(region, points[len(points)-1])
	}
	walked := 0.0
	if ix.Varied {
		q.enterGround(region, points[len(points)-1], 0)
	}
	for before, i := 0, 1; i < len(bends); before, i = i, i+1 {
		if len(q.exact) == 0 {
			i = straightTo(bends, before)
		}
		a, b := bends[before], bends[i]
		from, to := q.placeOf(bends, before), q.placeOf(bends, i)
		piece := stretch{x: from[0], y: from[1], dx: to[0] - from[0], dy: to[1] - from[1]}
		piece.run = index.Length(piece.dx, piece.dy)
		f.samples = append(f.samples[:0], sample{0, f.z})
		t := 0.0
		for g := a.Gate + 1; g <= b.Gate && g < len(crossed); g++ {
			next := 0.0
			if len(q.exact) == 0 {
				more := g < min(b.Gate, len(crossed)-1)
				behind := crossed[g]
				if more {
					behind = crossed[g+1]
				}
				next = crossedAt(a.Point, b.Point, route.GateOf(ix, crossed[g]), route.GateOf(ix, behind), more)
			} else {
				next = q.along(from, to, g)
			}
			next = min(max(t, next), 1) // rounding must not lead backwards
			if !q.OnlyBends {
				q.followFloor(region, &piece, t, next)
			}
			t, region = next, ix.Portal(crossed[g]).To
			if ix.Marked != nil || ix.Varied {
				x, y := piece.at(t)
				at := ix.Mesh.Frame.FromLocal(x, y, f.z)
				if ix.Marked != nil {
					q.enterMarks(region, at)
				}
				if ix.Varied {
					q.enterGround(region, at, walked+float64(t*piece.run))
				}
			}
		}
		if q.OnlyBends {
			f.z = goalZ
			if i+1 < len(bends) {
				f.z = ix.CornerHeight(region, b.Point)
			}
			f.samples = append(f.samples, sample{1, f.z})
		} else {
			q.followFloor(region, &piece, t, 1)
			q.endPiece(region, to, i+1 == len(bends), goalZ)
			if before == 0 {
				f.settle()
			}
		}

		walked += piece.run
		surface += f.length(piece.run)
		if i+1 == len(bends) {
			f.samples[len(f.samples)-1].z = goalZ
		}
		f.simplify(func(s sample) {
			x, y := piece.at(s.t)
			if s.t == 1 {
				x, y = to[0], to[1]
			}
			points = append(points, ix.Mesh.Frame.FromLocal(x, y, s.z))
		})
	}
	q.points = points
	if ix.Varied {
		q.leaveGround(points[len(points)-1], walked)
	}
	return surface * lattice.Unit
}

// straightTo returns the last bend that the way reaches straight from another bend. The way passes the bends between
// straight; their presence depends on the direction of the way.
func straightTo(bends []route.Bend, from int) int {
	a, i := bends[from].Point, from+1
	for ; i+1 < len(bends); i++ {
		b, c := bends[i].Point, bends[i+1].Point
		if lattice.Orient(a, b, c) != 0 || lattice.Dot(b, a, c) > 0 {
			break
		}
	}
	return i
}

// raiseBends is raise for the bends only.
func (q *Query) raiseBends(first uint32, z, goalZ float64, bends []route.Bend, crossed []uint32) (surface float64) {
	ix := q.ix
	q.points = append(q.points, ix.World(bends[0].Point, z))
	for i := 1; i < len(bends); i++ {
		b := bends[i]
		end := goalZ
		if i+1 < len(bends) {
			if b.Gate >= 0 {
				first = ix.Portal(crossed[b.Gate]).To
			}
			end = ix.CornerHeight(first, b.Point)
		}
		surface += index.Length(index.Distance(bends[i-1].Point, b.Point), end-z)
		z = end
		q.points = append(q.points, ix.World(b.Point, z))
	}
	return surface * lattice.Unit
}

// placeOf returns the place of a bend, in lattice units: the exact place for a way over uneven ground, else the lattice
// point.
func (q *Query) placeOf(bends []route.Bend, i int) [2]float64 {
	if len(q.exact) > 0 {
		return q.exact[i]
	}
	return index.Floats(bends[i].Point)
}

// stretch is a straight piece of a path.
type stretch struct {
	x, y        float64 // start of the piece, in lattice units
	dx, dy, run float64 // vector from start to end, and its length
}

// at returns a place of the piece, 0 for its start and 1 for its end.
func (s *stretch) at(t float64) (x, y float64) { return s.x + float64(t*s.dx), s.y + float64(t*s.dy) }

// crossedAt returns the place on the piece from a to b where the piece crosses a gate; next is the gate behind, if more
// is set.
//
// A piece along the gate may cross anywhere, because the gate lies on both floors. The crossing is then at the lesser
// end of the gate, which makes the way and the way back cross at the same place. If the next gate comes before the
// lesser end, the crossing is at the nearer end.
func crossedAt(a, b lattice.Point, g, next route.Gate, more bool) float64 {
	if t, ok := meeting(a, b, g.Left, g.Right); ok {
		return t
	}
	l, r := placeAlong(a, b, g.Left), placeAlong(a, b, g.Right)
	t := r
	if g.Left.Compare(g.Right) < 0 {
		t = l
	}
	if near := min(l, r); t > near && more {
		u, ok := meeting(a, b, next.Left, next.Right)
		if !ok {
			u = min(placeAlong(a, b, next.Left), placeAlong(a, b, next.Right))
		}
		const rounding = 1e-9 // of places
		if u < t-rounding {
			return near
		}
	}
	return t
}

// meeting returns the place on the piece from a to b where the piece meets the portal from l to r; ok is false for a
// piece along the portal.
func meeting(a, b, l, r lattice.Point) (t float64, ok bool) {
	// The distances of a and b from the line of the portal; they have different signs.
	da, db := lattice.Orient(r, l, a), lattice.Orient(r, l, b)
	if da == db {
		return 0, false
	}
	return min(max(float64(da)/(float64(da)-float64(db)), 0), 1), true
}

// placeAlong returns the place on the piece from a to b nearest to p.
func placeAlong(a, b, p lattice.Point) float64 {
	run := float64(lattice.Dot(a, b, b))
	if run == 0 {
		return 0
	}
	return min(max(float64(lattice.Dot(a, b, p))/run, 0), 1)
}

// rounded is the maximum distance, in lattice units, of the height of a start or goal from the floor there; the length
// over the floor ignores such small steps.
const rounded = 1

// endPiece adds the last sample of a piece that ends at a place of region r.
func (q *Query) endPiece(r uint32, at [2]float64, goal bool, goalZ float64) {
	f := &q.profile
	last := f.samples[len(f.samples)-1]
	switch {
	case goal && (last.t < 1 || math.Abs(last.z-goalZ) > rounded):
		f.add(sample{1, goalZ})
	case last.t < 1:
		z := last.z
		if h := q.ix.HeightAt(r, at[0], at[1]); math.Abs(h-z) <= q.ix.Height/2 {
			z = h
		}
		f.add(sample{1, z})
	}
}

// settle drops the first sample if its height is within rounded of the floor there.
func (f *profile) settle() {
	if len(f.samples) > 2 && f.samples[1].t == f.samples[0].t && math.Abs(f.samples[1].z-f.samples[0].z) <= rounded {
		f.samples = slices.Delete(f.samples, 0, 1)
	}
}

// add appends a sample. Three samples in a line become two.
func (f *profile) add(s sample) {
	f.z, f.lost = s.z, 0
	k := len(f.samples)
	if k > 0 && f.samples[k-1] == s {
		return
	}
	if k > 1 {
		const straight = 1.0 / 64 // lattice units
		a, b := &f.samples[k-2], &f.samples[k-1]
		if s.t > b.t && b.t > a.t && math.Abs(a.z+float64((s.z-a.z)*((b.t-a.t)/(s.t-a.t)))-b.z) <= straight {
			*b = s
			return
		}
	}
	f.samples = append(f.samples, s)
}

// length returns the length of the profile of a piece.
func (f *profile) length(run float64) float64 {
	sum := 0.0
	for i := 1; i < len(f.samples); i++ {
		a, b := &f.samples[i-1], &f.samples[i]
		sum += index.Length((b.t-a.t)*run, b.z-a.z)
	}
	return sum
}

// simplify calls emit for the samples to keep, in order, without the first one.
func (f *profile) simplify(emit func(sample)) {
	f.wait = f.wait[:0]
	last := len(f.samples) - 1
	for ; last > index.MaxSpan; last = (last - 1) / index.MaxSpan * index.MaxSpan {
		f.wait = append(f.wait, [2]int32{int32((last - 1) / index.MaxSpan * index.MaxSpan), int32(last)})
	}
	f.wait = append(f.wait, [2]int32{0, int32(last)})
	for len(f.wait) > 0 {
		span := f.wait[len(f.wait)-1]
		f.wait = f.wait[:len(f.wait)-1]
		a, b := f.samples[span[0]], f.samples[span[1]]
		worst, at := keptError, int32(index.None)
		for i := span[0] + 1; i < span[1]; i++ {
			s := f.samples[i]
			line := b.z
			if b.t > a.t {
				line = a.z + float64((b.z-a.z)*((s.t-a.t)/(b.t-a.t)))
			}
			if d := math.Abs(s.z - line); d > worst {
				worst, at = d, i
			}
		}
		if at == index.None {
			emit(b)
			continue
		}
		f.wait = append(f.wait, [2]int32{at, span[1]}, [2]int32{span[0], at})
	}
}
