package query

import (
	"math"

	"github.com/meadow-nav/meadow/lattice"
)

// HeightError is how far the straight pieces of a path may be above or below the floor, in metres.
// It holds wherever the path crosses a portal and at samples in between. These are at most half the
// agent's radius (at least 0.1 m) apart, and where neighbours differ by more than HeightError,
// closer, down to a centimetre: a step is found to a centimetre, a bump may be missed if it is
// narrower than the distance of samples.
const HeightError = 0.1

// minSampling is the least distance of height samples in metres on smooth floors, stepSampling the
// least at steps.
const (
	minSampling  = 0.1
	stepSampling = 0.01
)

// sample is the height of the floor at a point of a straight piece of a path.
type sample struct {
	t float64 // 0 at the start of the piece, 1 at its end
	z float64 // lattice units
}

// profile is the memory of [Query.raise].
type profile struct {
	samples []sample
	wait    [][2]int32 // spans of samples that are still to be looked at
}

// raise lifts a way from the plane to the floor and appends it to q.points: between the bends it adds
// points where the floor would otherwise be more than [HeightError] away. first is the region of the
// start and z its height, goalZ that of the goal; crossed are the portals behind the gates. It notes the marks and the ground on the way and
// returns the length along the points in metres.
//
// Every straight piece is walked from region to region and sampled, except in regions that are
// level; what the samples say is simplified by splitting at the farthest one, again and again
// (U. Ramer, 1972; D. H. Douglas and T. K. Peucker, 1973), with distances measured vertically.
// Time O(s·p) for a piece with s samples of which p are kept.
func (q *Query) raise(first uint32, z, goalZ float64, bends []Bend, crossed []uint32) (surface float64) {
	ix, f := q.ix, &q.profile
	if q.OnlyBends && ix.marked == nil {
		return q.raiseBends(first, z, goalZ, bends, crossed)
	}
	points := append(q.points, ix.world(bends[0].Point, z))
	region, last := first, z
	if ix.marked != nil {
		q.enterMarks(region, points[len(points)-1])
	}
	walked := 0.0
	if ix.area != nil {
		q.enterGround(region, points[len(points)-1], 0)
	}
	for i := 1; i < len(bends); i++ {
		a, b := bends[i-1], bends[i]
		from, to := q.placeOf(bends, i-1), q.placeOf(bends, i)
		piece := stretch{x: from[0], y: from[1], dx: to[0] - from[0], dy: to[1] - from[1]}
		piece.run = length(piece.dx, piece.dy)
		f.samples = f.samples[:0]
		t := 0.0
		for g := a.Gate + 1; g <= b.Gate && g < len(crossed); g++ {
			p := &ix.portals[crossed[g]]
			next := 0.0
			if len(q.exact) == 0 {
				next = meeting(a.Point, b.Point, p.left, p.right)
			} else {
				next = q.along(from, to, g)
			}
			next = max(t, next) // rounding must not lead backwards
			if !q.OnlyBends {
				q.sampleRegion(region, &piece, t, next, f.height(last))
			}
			t, region = next, p.to
			if ix.marked != nil || ix.area != nil {
				x, y := piece.at(t)
				at := ix.mesh.Frame.FromLocal(x, y, f.height(last))
				if ix.marked != nil {
					q.enterMarks(region, at)
				}
				if ix.area != nil {
					q.enterGround(region, at, walked+float64(t*piece.run))
				}
			}
		}
		if q.OnlyBends {
			end := goalZ
			if i+1 < len(bends) {
				end = ix.cornerHeight(region, b.Point)
			}
			f.samples = append(f.samples, sample{0, last}, sample{1, end})
		} else {
			q.sampleRegion(region, &piece, t, 1, f.height(last))
		}

		walked += piece.run
		at := 0.0
		emit := func(s sample) {
			surface += length((s.t-at)*piece.run, s.z-last)
			at, last = s.t, s.z
			x, y := piece.at(s.t)
			if s.t == 1 {
				x, y = to[0], to[1]
			}
			points = append(points, ix.mesh.Frame.FromLocal(x, y, s.z))
		}
		if math.Abs(f.samples[0].z-last) > HeightError*lattice.UnitsPerMetre {
			emit(f.samples[0]) // a step at the bend
		}
		f.simplify(emit)
	}
	q.points = points
	if ix.area != nil {
		q.leaveGround(points[len(points)-1], walked)
	}
	return surface * lattice.Unit
}

// raiseBends is raise where only the bends are asked for.
func (q *Query) raiseBends(first uint32, z, goalZ float64, bends []Bend, crossed []uint32) (surface float64) {
	ix := q.ix
	q.points = append(q.points, ix.world(bends[0].Point, z))
	for i := 1; i < len(bends); i++ {
		b := bends[i]
		end := goalZ
		if i+1 < len(bends) {
			if b.Gate >= 0 {
				first = ix.portals[crossed[b.Gate]].to
			}
			end = ix.cornerHeight(first, b.Point)
		}
		surface += length(distance(bends[i-1].Point, b.Point), end-z)
		z = end
		q.points = append(q.points, ix.world(b.Point, z))
	}
	return surface * lattice.Unit
}

// cornerHeight returns the height of the floor at an end of a portal of region r.
func (ix *Index) cornerHeight(r uint32, at lattice.Point) float64 {
	reg := &ix.regions[r]
	for _, v := range ix.corners[reg.firstCorner:reg.endCorner] {
		if v.Point == at {
			return float64(v.Z)
		}
	}
	return ix.heightAt(r, float64(at.X), float64(at.Y))
}

// placeOf returns the place of a bend, in lattice units: of the way over uneven ground where it is, else the lattice
// point.
func (q *Query) placeOf(bends []Bend, i int) [2]float64 {
	if len(q.exact) > 0 {
		return q.exact[i]
	}
	return floats(bends[i].Point)
}

// stretch is a straight piece of a path, and the region that the part of it is in that is looked at.
type stretch struct {
	region      uint32
	x, y        float64 // where the piece begins, in lattice units
	dx, dy, run float64 // from there to its end, and its length
}

// at returns a place of the piece, 0 for its start and 1 for its end.
func (s *stretch) at(t float64) (x, y float64) { return s.x + float64(t*s.dx), s.y + float64(t*s.dy) }

// sampleRegion adds samples of the floor of region r between the places t0 and t1 of a piece, both included,
// starting near the given height.
func (q *Query) sampleRegion(r uint32, s *stretch, t0, t1, near float64) {
	reg := &q.ix.regions[r]
	if reg.low == reg.high {
		z := float64(reg.low)
		q.profile.add(sample{t0, z})
		q.profile.add(sample{t1, z})
		return
	}
	s.region = r
	before := q.sampleAt(s, t0, near)
	q.profile.add(before)
	n := max(1, int(math.Ceil((t1-t0)*s.run/q.ix.sampling)))
	for i := 1; i <= n; i++ {
		t := t1
		if i < n {
			t = t0 + float64((t1-t0)*(float64(i)/float64(n)))
		}
		next := q.sampleAt(s, t, before.z)
		q.findStep(s, before, next)
		q.profile.add(next)
		before = next
	}
}

// findStep adds samples between two that differ by more than [HeightError], closing in on where the
// floor rises or falls.
func (q *Query) findStep(s *stretch, a, b sample) {
	if math.Abs(a.z-b.z) <= HeightError*lattice.UnitsPerMetre || (b.t-a.t)*s.run <= stepSampling*lattice.UnitsPerMetre {
		return
	}
	middle := q.sampleAt(s, a.t+float64((b.t-a.t)/2), a.z)
	q.findStep(s, a, middle)
	q.profile.add(middle)
	q.findStep(s, middle, b)
}

// sampleAt returns a sample of the floor. Beside a seam the floor of a layer may go on under or over
// another storey of it, and in a crack between two treads a storey below may show; the path stays
// on the one that it is on, near the given height.
func (q *Query) sampleAt(s *stretch, t, near float64) sample {
	ix := q.ix
	x, y := s.at(t)
	z, reach := ix.heightAt(s.region, x, y), ix.height/2
	if floor := ix.regions[s.region].floor; z > near+reach && int(floor) < len(ix.floors) {
		if lower, ok := ix.floors[floor].HeightBelow(x, y, near+reach, 0); ok {
			z = lower
		}
	}
	if math.Abs(z-near) > reach {
		z = near
	}
	return sample{t, z}
}

// height returns the height of the last sample, or the given one before the first.
func (f *profile) height(before float64) float64 {
	if k := len(f.samples); k > 0 {
		return f.samples[k-1].z
	}
	return before
}

// add appends a sample unless it is there.
func (f *profile) add(s sample) {
	if k := len(f.samples); k == 0 || f.samples[k-1] != s {
		f.samples = append(f.samples, s)
	}
}

// meeting returns the place on the piece from a to b where it meets the portal from l to r.
func meeting(a, b, l, r lattice.Point) float64 {
	// The distances of a and b from the line of the portal; they have different signs.
	da, db := float64(lattice.Orient(r, l, a)), float64(lattice.Orient(r, l, b))
	if da == db {
		return 0 // along the portal
	}
	return min(max(da/(da-db), 0), 1)
}

// simplify calls emit for the samples to keep, in order, without the first one.
func (f *profile) simplify(emit func(sample)) {
	f.wait = append(f.wait[:0], [2]int32{0, int32(len(f.samples) - 1)})
	for len(f.wait) > 0 {
		span := f.wait[len(f.wait)-1]
		f.wait = f.wait[:len(f.wait)-1]
		a, b := f.samples[span[0]], f.samples[span[1]]
		worst, at := HeightError*lattice.UnitsPerMetre, int32(none)
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
		if at == none {
			emit(b)
			continue
		}
		f.wait = append(f.wait, [2]int32{at, span[1]}, [2]int32{span[0], at})
	}
}
