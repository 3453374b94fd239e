package smooth

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// dropCorners is algorithm 10 in plan: it leaves out a corner if the direction from the last kept corner to the next
// deviates by at most an angle.
func (s *Smoother) dropCorners(most float64) {
	s.kept = append(s.kept[:0], s.corners[0])
	for i := 0; i+1 < len(s.corners); {
		pivot, along := &s.corners[i], &s.corners[i+1]
		k := i + 1
		for k+1 < len(s.corners) && !s.corners[k].fixed && straightOn(pivot, along, &s.corners[k+1], most) {
			k++
		}
		s.kept = append(s.kept, s.corners[k])
		i = k
	}
}

// straightOn reports whether the directions from a to c and from a to b differ by at most an angle. For an angle of 0 the
// decision is exact. Corners above each other form a step, which has no direction.
func straightOn(a, b, c *corner, most float64) bool {
	if a.Point == b.Point || b.Point == c.Point {
		return false
	}
	turn, ahead := lattice.Orient(a.Point, b.Point, c.Point), lattice.Dot(a.Point, b.Point, c.Point)
	if turn == 0 {
		return ahead >= lattice.Dot(a.Point, b.Point, b.Point)
	}
	return most > 0 && math.Atan2(math.Abs(float64(turn)), float64(ahead)) <= most
}

// bump is the crossing of a straight piece with an edge, relative to the start of the piece, in lattice units: so it
// is the same in any frame.
type bump struct {
	x, y, z float64
	along   float64 // the way there, seen from above
	edge    int
}

// near reports whether two bumps are within two lattice units of each other.
func (b *bump) near(o *bump) bool {
	return math.Abs(b.x-o.x) < 2 && math.Abs(b.y-o.y) < 2 && math.Abs(b.z-o.z) < 2
}

// slope returns the angle in radians by which the way from b to another bump rises.
func (b *bump) slope(o *bump) float64 { return math.Atan2(o.z-b.z, o.along-b.along) }

// emit is algorithm 4 for all pieces, and algorithm 10 in height: it fills s.points with the corners, and the
// bumps between them where the slope changes by more than an angle.
func (s *Smoother) emit(most float64) {
	if most == 0 || math.IsNaN(most) {
		most = DefaultRise
	}
	s.points = append(s.points[:0], s.kept[0].waypoint())
	for i := 1; i < len(s.kept); i++ {
		from, to := &s.kept[i-1], &s.kept[i]
		s.findBumps(from, to)
		s.dropBumps(most)
		for _, b := range s.bumps[1 : len(s.bumps)-1] {
			s.points = append(s.points, Waypoint{float64(from.X) + b.x, float64(from.Y) + b.y, float64(from.Z) + b.z, b.edge, false})
		}
		s.points = append(s.points, to.waypoint())
	}
}

// waypoint returns a corner as a Waypoint.
func (c *corner) waypoint() Waypoint {
	return Waypoint{float64(c.X), float64(c.Y), float64(c.Z), c.edge, true}
}

// findBumps fills s.bumps with the bumps of a piece, its ends included.
func (s *Smoother) findBumps(from, to *corner) {
	dx, dy := to.Sub(from.Point)
	long := from.Distance(to.Point)
	end := bump{float64(dx), float64(dy), diff(to.Z, from.Z), long, to.edge}
	s.bumps = append(s.bumps[:0], bump{edge: from.edge})
	for k := from.edge + 1; k <= to.edge && k < len(s.edges)-1; k++ {
		e := &s.edges[k]
		// The distances of the ends from the plane have different signs, or are zero.
		dl, dr := float64(lattice.Orient(from.Point, to.Point, e.Left.Point)), float64(lattice.Orient(from.Point, to.Point, e.Right.Point))
		u := 0.0
		switch {
		case dl != dr:
			u = min(max(dl/(dl-dr), 0), 1)
		case from.Distance2(e.Right.Point) < from.Distance2(e.Left.Point):
			u = 1 // along the edge: over its near end
		}
		b := bump{
			x:    diff(e.Left.X, from.X) + float64(u*diff(e.Right.X, e.Left.X)),
			y:    diff(e.Left.Y, from.Y) + float64(u*diff(e.Right.Y, e.Left.Y)),
			z:    diff(e.Left.Z, from.Z) + float64(u*diff(e.Right.Z, e.Left.Z)),
			edge: k,
		}
		if long > 0 {
			b.along = (float64(b.x*float64(dx)) + float64(b.y*float64(dy))) / long
		}
		// A corner moved by rounding is no bump: it would look steep.
		if last := &s.bumps[len(s.bumps)-1]; !b.near(last) && !b.near(&end) {
			s.bumps = append(s.bumps, b)
		}
	}
	s.bumps = append(s.bumps, end)
}

// dropBumps leaves out bumps at which the way deviates in height by at most an angle from the direction in which the bump
// kept last looks at the next.
func (s *Smoother) dropBumps(most float64) {
	n := 1
	for i := 0; i+1 < len(s.bumps); {
		pivot := s.bumps[i]
		along := pivot.slope(&s.bumps[i+1])
		k := i + 1
		for k+1 < len(s.bumps) && math.Abs(pivot.slope(&s.bumps[k+1])-along) <= most {
			k++
		}
		s.bumps[n] = s.bumps[k]
		n++
		i = k
	}
	s.bumps = s.bumps[:n]
}
