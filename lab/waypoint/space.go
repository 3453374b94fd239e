package waypoint

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/lab/delaunay"
)

// space is the free space of a domain as triangles whose corners are points of the domain. It is
// never changed.
//
// Every corner lies on a wall. So a segment without contact to a wall passes triangles only through their
// edges, one after the other, and one exact sign tells the next.
type space struct {
	corners []lattice.Point // three of each triangle, counter-clockwise
	behind  []int32         // of the edge from corner k to the next, k the index in corners: the corner that the edge starts at on its other side, -1 for a wall
	upTo    []uint64        // twice the area of all triangles up to and including this one
}

// newSpace triangulates d. Time O(n log n).
func newSpace(ctx context.Context, d *plan.Domain) (*space, error) {
	res, err := delaunay.Generator{}.Decompose(ctx, gen.Input{Domain: d})
	if err != nil {
		return nil, fmt.Errorf("waypoint: %w", err)
	}
	n := len(res.Cells)
	s := &space{corners: make([]lattice.Point, 0, 3*n), behind: make([]int32, 3*n), upTo: make([]uint64, n)}
	edges := make(map[[2]lattice.Point]int32, 3*n)
	sum := uint64(0)
	for t, c := range res.Cells {
		for k := range c.Corners {
			edges[[2]lattice.Point{c.Corners[k].Point, c.Corners[(k+1)%3].Point}] = int32(len(s.corners))
			s.corners = append(s.corners, c.Corners[k].Point)
		}
		sum += uint64(lattice.Orient(c.Corners[0].Point, c.Corners[1].Point, c.Corners[2].Point))
		s.upTo[t] = sum
	}
	for e := range s.corners {
		s.behind[e] = -1
		if o, ok := edges[[2]lattice.Point{s.corners[after(int32(e))], s.corners[e]}]; ok {
			s.behind[e] = o
		}
	}
	return s, nil
}

// after returns the next corner around the triangle of e.
func after(e int32) int32 {
	if e%3 == 2 {
		return e - 2
	}
	return e + 1
}

// triangles returns the number of triangles.
func (s *space) triangles() int { return len(s.upTo) }

// area2 returns twice the area.
func (s *space) area2() uint64 {
	if len(s.upTo) == 0 {
		return 0
	}
	return s.upTo[len(s.upTo)-1]
}

// size2 returns twice the area of triangle t.
func (s *space) size2(t int) uint64 {
	if t == 0 {
		return s.upTo[0]
	}
	return s.upTo[t] - s.upTo[t-1]
}

// spot is a point with a triangle around it, border included.
type spot struct {
	lattice.Point
	triangle int32
}

// holds tells whether p lies in triangle t, and strictly so.
func (s *space) holds(t int32, p lattice.Point) (in, strictly bool) {
	strictly = true
	for e := 3 * t; e < 3*t+3; e++ {
		switch o := lattice.Orient(s.corners[e], s.corners[after(e)], p); {
		case o < 0:
			return false, false
		case o == 0:
			strictly = false
		}
	}
	return true, strictly
}

// find returns p with each triangle around it, borders included. Time O(n).
func (s *space) find(p lattice.Point) []spot {
	var all []spot
	for t := range int32(s.triangles()) {
		if in, _ := s.holds(t, p); in {
			all = append(all, spot{p, t})
		}
	}
	return all
}

// sees reports whether the inside of the segment from a to b touches no wall, or a and b lie in one triangle.
// Time O(k) for k triangles on the segment.
//
// Where several triangles have a, the segment has to set out in a's or to leave it at once.
func (s *space) sees(a spot, b lattice.Point) bool {
	if in, _ := s.holds(a.triangle, b); in {
		return true
	}
	// The segment leaves the triangle by the edge with its start on the right and its end on the left. A corner
	// straight ahead stops it.
	exit := int32(-1)
	for e := 3 * a.triangle; e < 3*a.triangle+3; e++ {
		u, v := lattice.Orient(a.Point, b, s.corners[e]), lattice.Orient(a.Point, b, s.corners[after(e)])
		if u == 0 && lattice.Dot(a.Point, b, s.corners[e]) > 0 {
			return false
		}
		if u < 0 && v > 0 {
			exit = e
		}
	}
	for exit >= 0 && s.behind[exit] >= 0 {
		e := s.behind[exit]
		if in, _ := s.holds(e/3, b); in {
			return true
		}
		switch o := lattice.Orient(a.Point, b, s.corners[after(after(e))]); {
		case o == 0:
			return false
		case o > 0:
			exit = after(e)
		default:
			exit = after(after(e))
		}
	}
	return false
}

// draw returns a random point strictly inside a triangle, uniform except for rounding. ok is false if the
// drawn triangle has no room for a point.
func (s *space) draw(rng *rand.Rand) (p spot, ok bool) {
	k, _ := slices.BinarySearch(s.upTo, 1+rng.Uint64N(s.area2()))
	a, b, c := s.corners[3*k], s.corners[3*k+1], s.corners[3*k+2]
	bx, by := b.Sub(a)
	cx, cy := c.Sub(a)
	for range 8 {
		u, v := rng.Float64(), rng.Float64()
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		p := lattice.Point{
			X: a.X + int32(float64(u*float64(bx))+float64(v*float64(cx))),
			Y: a.Y + int32(float64(u*float64(by))+float64(v*float64(cy))),
		}
		if _, inside := s.holds(int32(k), p); inside {
			return spot{p, int32(k)}, true
		}
	}
	return spot{}, false
}
