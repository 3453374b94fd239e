package weighted

// The cheapest way through a row of gates.
//
// Source: for a given row the cost is a convex function of the crossing places on the gates, and the minimum is
// refracted by Snell's law: J. S. B. Mitchell and C. H. Papadimitriou, The weighted region problem, Journal of the ACM
// 38 (1991), section 3. Minimised by a primal-dual method: S. Boyd and L. Vandenberghe, Convex Optimization, Cambridge
// 2004, section 11.7.
//
// Idea: A logarithm for each end of a gate keeps the way off the ends, and each end has a multiplier, the force of the
// end on the way. A tiny length is added to every piece at a right angle. The cost is then smooth where pieces shrink
// to nothing, as around a corner. Newton's method moves the places and the multipliers together; both additions shrink
// with the product of multipliers and distances from the ends. Only neighbours on the way depend on each other; a step
// solves a tridiagonal system.
//
// Input: gates with finite ends, positive weights.
//
// Guarantees:
//  1. The cost is the least up to tautError times itself (TestTautIsTheLeast, TestSnell).
//  2. Pieces through ground of one weight are straight and form the funnel's path (TestTautIsTheFunnel).
//  3. Both hold for rows of equal gates, which a way crosses there and back (TestTautRepeats, see fold.go).
//
// Degenerate cases: a gate of zero length is a point to pass through. Gates with a common end may be crossed there, all
// in one point.
//
// Cost: time O(n) for a step, with about 20 steps, and up to 200 more for ways along gates.
//
// Departures: the line search looks at the slope of the cost and not at the residual. Places next to an end of their
// gate are moved onto the end if the cost does not rise.

import (
	"math"

	"github.com/meadow-nav/meadow/query/internal/index"
)

// TautError is the maximum relative excess cost of a way through given gates.
const TautError = 1e-9

// Crossing is a gate to cross, in lattice units: the way arrives at the place t of in and continues from the same place
// of out. A place is 0 for the start of a segment and 1 for its end.
type Crossing struct {
	In, Out Segment
	Weight  float64 // of the ground before the gate
	T       float64
}

// Taut is the memory of the method.
type Taut struct {
	X, Y  float64    // start of the way
	Gates []Crossing // the last gate is the goal, a segment of zero length
	t     []float64  // trial places
	step  []float64
	// Derivatives of the cost with the barrier: first and second by each place, and mixed by each place and its
	// predecessor.
	slope, bend, beside []float64
	low, high           []float64 // multipliers of the ends 0 and 1 of each gate,
	lowStep, highStep   []float64 // and their steps
	rows                []Crossing
	folds               []folded // of the gates, see fold.go
}

// Cost returns the cost of the way.
func (s *Taut) Cost() (sum float64) {
	x, y := s.X, s.Y
	for i := range s.Gates {
		g := &s.Gates[i]
		gx, gy := g.In.At(g.T)
		sum += float64(g.Weight * index.Length(gx-x, gy-y))
		x, y = g.Out.At(g.T)
	}
	return sum
}

// length returns the length of the way.
func (s *Taut) length() (sum float64) {
	x, y := s.X, s.Y
	for i := range s.Gates {
		g := &s.Gates[i]
		gx, gy := g.In.At(g.T)
		sum += index.Length(gx-x, gy-y)
		x, y = g.Out.At(g.T)
	}
	return sum
}

// free reports whether the crossing place of a gate matters.
func (g *Crossing) free() bool { return g.In.length > 0 || g.Out.length > 0 }

// Pull moves the places of s.gates to the cheapest way and returns its cost.
func (s *Taut) Pull() float64 {
	if !s.repeats() {
		cost, _ := s.pull(swift, most)
		return cost
	}
	given := s.Gates
	s.fold()
	s.Gates = s.rows
	if _, done := s.pull(swift, few); !done {
		s.pull(steady, most)
	}
	s.unfold(given)
	return s.Cost()
}

// The factor of the barrier between steps: steady for ways with pieces along gates, where swift ends after a few steps or not at all. With
// 0.5 in place of 0.7, 12 of 20,000 random ways stayed above the least cost.
const (
	swift, steady = 0.1, 0.7
	few, most     = 40, 200 // steps
)

// pull is Pull for gates without rows of three; done says that the steps have led to the least cost.
func (s *Taut) pull(factor float64, steps int) (cost float64, done bool) {
	n := len(s.Gates)
	s.t, s.step = grown(s.t, n), grown(s.step, n)
	s.slope, s.bend, s.beside = grown(s.slope, n), grown(s.bend, n), grown(s.beside, n)
	s.low, s.high = grown(s.low, n), grown(s.high, n)
	s.lowStep, s.highStep = grown(s.lowStep, n), grown(s.highStep, n)
	for i := range s.Gates {
		s.Gates[i].T = 0.5
		s.t[i] = 0.5
	}
	all := s.Cost()
	if n == 1 || all == 0 {
		return all, true
	}
	weight := 0.0
	for i := range s.Gates {
		weight = max(weight, s.Gates[i].Weight)
	}
	done = s.settle(all/float64(n), weight, factor, steps)
	for i := range s.Gates {
		s.Gates[i].T = s.t[i]
	}
	return s.snap(), done
}

// grown returns a slice of n numbers, in the memory of list if large enough.
func grown(list []float64, n int) []float64 {
	if cap(list) < n {
		return make([]float64, n+n/2)[:n]
	}
	return list[:n]
}

// settle takes Newton steps to the least cost; done is false if it is not reached. piece is the mean cost of a piece, weight the largest
// weight, and factor that of the barrier.
func (s *Taut) settle(piece, weight, factor float64, steps int) (done bool) {
	const (
		last    = 1e-11 // of piece: the products of multipliers and distances at the end
		shortly = 1e-8  // the least length added to a piece, as a part of the mean length
	)
	barrier := 0.1 * piece
	for i := range s.t {
		s.low[i], s.high[i] = 2*barrier, 2*barrier
	}
	longer := max(barrier, shortly*piece) / weight
	s.derive(longer)
	for range steps {
		s.addBarrier(barrier)
		s.solve()
		reach, both := s.multipliers(barrier)
		fall, reach := s.walk(reach, barrier, longer)
		gap, ends := 0.0, 0
		for i := range s.t {
			if s.Gates[i].free() {
				s.low[i] += float64(both * s.lowStep[i])
				s.high[i] += float64(both * s.highStep[i])
				gap += float64(s.low[i]*s.t[i]) + float64(s.high[i]*(1-s.t[i]))
				ends += 2
			}
		}
		if gap <= last*piece*float64(ends) && fall <= last*piece {
			return true
		}
		// The derivatives at the end of the walk serve for the next step: the added length follows the barrier one step later.
		longer = max(barrier, shortly*piece) / weight
		// The barrier waits for the places where they are far from the least cost, and shrinks slowly after short steps.
		switch gap /= float64(ends); {
		case fall > 10*barrier*float64(ends):
		case min(reach, both) < 0.5:
			barrier = min(barrier, max(factor, 0.5)*gap)
		default:
			barrier = min(barrier, factor*gap)
		}
		barrier = max(barrier, 0.1*last*piece)
	}
	return false
}

// addBarrier adds the derivatives of the barrier to the derivatives of the cost.
func (s *Taut) addBarrier(barrier float64) {
	for i := range s.t {
		if !s.Gates[i].free() {
			continue
		}
		a, b := 1/s.t[i], 1/(1-s.t[i])
		s.slope[i] += float64(barrier * (b - a))
		s.bend[i] += float64(s.low[i]*a) + float64(s.high[i]*b)
	}
}

// multipliers finds the steps of the multipliers, and the parts of the steps of places and of multipliers that stay
// inside.
func (s *Taut) multipliers(barrier float64) (reach, both float64) {
	const inside = 0.99
	reach, both = 1, 1
	for i, d := range s.step {
		if !s.Gates[i].free() {
			continue
		}
		a, b := s.t[i], 1-s.t[i]
		if d > 0 {
			reach = min(reach, inside*b/d)
		} else if d < 0 {
			reach = min(reach, -inside*a/d)
		}
		s.lowStep[i] = barrier/a - float64(s.low[i]*(1+d/a))
		s.highStep[i] = barrier/b - float64(s.high[i]*(1-d/b))
		if s.lowStep[i] < 0 {
			both = min(both, -inside*s.low[i]/s.lowStep[i])
		}
		if s.highStep[i] < 0 {
			both = min(both, -inside*s.high[i]/s.highStep[i])
		}
	}
	return reach, both
}

// walk moves the places by the part reach of the step, or by less, and returns the slope before and the part.
func (s *Taut) walk(reach, barrier, longer float64) (fall, moved float64) {
	const most = 30
	for i, d := range s.step {
		fall -= float64(s.slope[i] * d)
	}
	// The cost is convex: the step does not raise the cost as long as the slope behind the step is at most the slope of
	// the fall before.
	for range most {
		for i := range s.t {
			s.t[i] += float64((reach - moved) * s.step[i])
		}
		moved = reach
		s.derive(longer)
		rise := 0.0
		for i, d := range s.step {
			slope := s.slope[i]
			if s.Gates[i].free() {
				slope += float64(barrier * (1/(1-s.t[i]) - 1/s.t[i]))
			}
			rise += float64(slope * d)
		}
		if rise <= 0.5*fall {
			break
		}
		reach *= max(fall/(fall+rise), 0.1)
	}
	return fall, moved
}

// derive computes the derivatives of the cost at s.t.
func (s *Taut) derive(longer float64) {
	longer2 := float64(longer * longer)
	x, y := s.X, s.Y
	// The direction in which the point moves with the place of the previous gate.
	bx, by := 0.0, 0.0
	for i := range s.Gates {
		g := &s.Gates[i]
		t := s.t[i]
		s.slope[i], s.bend[i], s.beside[i] = 0, 0, 0
		if !g.free() {
			s.bend[i] = 1
		}
		gx, gy := g.In.At(t)
		ax, ay := g.In.length*g.In.ux, g.In.length*g.In.uy
		dx, dy := gx-x, gy-y
		over := 1 / math.Sqrt(float64(dx*dx)+float64(dy*dy)+longer2)
		dx, dy = dx*over, dy*over
		pull := g.Weight * over
		alongA, alongB := float64(dx*ax)+float64(dy*ay), float64(dx*bx)+float64(dy*by)
		s.slope[i] += float64(g.Weight * alongA)
		s.bend[i] += float64(pull * (float64(ax*ax) + float64(ay*ay) - float64(alongA*alongA)))
		if i > 0 {
			s.slope[i-1] -= float64(g.Weight * alongB)
			s.bend[i-1] += float64(pull * (float64(bx*bx) + float64(by*by) - float64(alongB*alongB)))
			s.beside[i] = -pull * (float64(ax*bx) + float64(ay*by) - float64(alongA*alongB))
		}
		x, y = g.Out.At(t)
		bx, by = g.Out.length*g.Out.ux, g.Out.length*g.Out.uy
	}
}

// solve finds the Newton step by elimination: the matrix of second derivatives is positive definite.
func (s *Taut) solve() {
	for i := range s.step {
		s.step[i] = -s.slope[i]
		if i > 0 {
			f := s.beside[i] / s.bend[i-1]
			s.bend[i] -= float64(f * s.beside[i])
			s.step[i] -= float64(f * s.step[i-1])
		}
	}
	for i := len(s.step) - 1; i >= 0; i-- {
		if i+1 < len(s.step) {
			s.step[i] -= float64(s.beside[i+1] * s.step[i+1])
		}
		s.step[i] /= s.bend[i]
	}
}

// snap moves places next to gate ends onto the ends, where the cost does not rise, and returns the cost. Places around
// one corner must move together; snap tries all places together, then one by one.
func (s *Taut) snap() float64 {
	const near = 1.0 / 64 // lattice units
	before := s.Cost()
	ends := func(g *Crossing) (end float64, isNear bool) {
		end = math.Floor(g.T + 0.5)
		return end, math.Abs(g.T-end)*max(g.In.length, g.Out.length) < near
	}
	for i := range s.Gates {
		g := &s.Gates[i]
		s.t[i] = g.T
		if end, isNear := ends(g); isNear {
			g.T = end
		}
	}
	if after := s.Cost(); after <= before*(1+TautError) {
		return after
	}
	for i := range s.Gates {
		s.Gates[i].T = s.t[i]
	}
	spare := before * TautError / float64(len(s.Gates))
	x, y := s.X, s.Y
	for i := range s.Gates[:len(s.Gates)-1] {
		g := &s.Gates[i]
		if end, isNear := ends(g); isNear {
			least := s.around(i, x, y)
			if g.T = end; s.around(i, x, y) > least+spare {
				g.T = s.t[i]
			}
		}
		x, y = g.Out.At(g.T)
	}
	return s.Cost()
}

// around returns the cost of the pieces before and behind a gate, for a way from (x, y).
func (s *Taut) around(i int, x, y float64) float64 {
	g, next := &s.Gates[i], &s.Gates[i+1]
	ax, ay := g.In.At(g.T)
	bx, by := g.Out.At(g.T)
	nx, ny := next.In.At(next.T)
	return float64(g.Weight*index.Length(ax-x, ay-y)) + float64(next.Weight*index.Length(nx-bx, ny-by))
}
