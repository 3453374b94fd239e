package lattice

import (
	"errors"
	"fmt"
	"slices"
)

// FaultKind is a kind of fault of a polygon.
type FaultKind uint8

// The kinds of fault, in the order of the search: a kind is searched only in the absence of the kinds before.
const (
	// NoRings: the polygon has no outer ring.
	NoRings FaultKind = iota
	// TooFewPoints: a ring has fewer than three points.
	TooFewPoints
	// OutOfRange: a coordinate is beyond ±MaxCoord.
	OutOfRange
	// RepeatedPoint: a ring visits a point twice.
	RepeatedPoint
	// Spike: a ring reverses: the edge after the point runs along the edge before.
	Spike
	// Crossing: two edges cross inside of both, or two rings cross in a vertex of both.
	Crossing
	// Overlapping: two edges run along each other.
	Overlapping
	// Touching: a vertex lies inside another edge.
	Touching
	// WrongOrientation: the outer ring is clockwise or a hole counter-clockwise.
	WrongOrientation
	// HoleOutside: a hole is not inside of the outer ring.
	HoleOutside
	// NestedHole: a hole is inside of another hole.
	NestedHole
	// Disconnected: rings that touch in vertices cut the inside in two; At is the vertex that closes the cut.
	Disconnected
)

// String returns the name of the kind as a word for reports.
func (k FaultKind) String() string {
	names := [...]string{
		"no rings", "too few points", "out of range", "repeated point", "spike", "crossing",
		"overlapping", "touching", "wrong orientation", "hole outside", "nested hole", "disconnected",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown fault"
}

// Fault is one fault of a polygon. Edge i of a ring goes from its point i to the next point. Unused fields
// are -1.
type Fault struct {
	Kind                 FaultKind
	Ring, Edge           int // for single points, Edge is the number of the point
	OtherRing, OtherEdge int
	// At is the place; a crossing that is not a lattice point is rounded to the nearest.
	At Point
}

// Error returns a line with rings, edges and place.
func (f Fault) Error() string {
	switch f.Kind {
	case NoRings:
		return "lattice: polygon without rings"
	case TooFewPoints:
		return fmt.Sprintf("lattice: ring %d has fewer than 3 points", f.Ring)
	case OutOfRange:
		return fmt.Sprintf("lattice: ring %d, point %d is out of range: %d, %d", f.Ring, f.Edge, f.At.X, f.At.Y)
	case RepeatedPoint:
		return fmt.Sprintf("lattice: ring %d visits %v twice, as points %d and %d", f.Ring, f.At, f.Edge, f.OtherEdge)
	case Spike:
		return fmt.Sprintf("lattice: ring %d turns back on itself in point %d at %v", f.Ring, f.Edge, f.At)
	case Crossing, Overlapping, Touching:
		verb := [...]string{"crosses", "runs along", "touches"}[f.Kind-Crossing]
		return fmt.Sprintf("lattice: ring %d, edge %d %s ring %d, edge %d at %v", f.Ring, f.Edge, verb, f.OtherRing, f.OtherEdge, f.At)
	case WrongOrientation:
		if f.Ring == 0 {
			return fmt.Sprintf("lattice: ring 0, the outer ring, is clockwise at %v", f.At)
		}
		return fmt.Sprintf("lattice: ring %d, a hole, is counter-clockwise at %v", f.Ring, f.At)
	case HoleOutside:
		return fmt.Sprintf("lattice: ring %d, a hole, is outside of the outer ring at %v", f.Ring, f.At)
	case NestedHole:
		return fmt.Sprintf("lattice: ring %d, a hole, is inside of ring %d, another hole, at %v", f.Ring, f.OtherRing, f.At)
	case Disconnected:
		return fmt.Sprintf("lattice: ring %d, point %d closes a chain of touching rings that cuts the polygon in two at %v", f.Ring, f.Edge, f.At)
	}
	return fmt.Sprintf("lattice: ring %d: unknown fault at %v", f.Ring, f.At)
}

// maxFaults is how many faults Validate lists before it gives up.
const maxFaults = 100

// Validate reports the faults of p, joined, at most 100: see [Polygon.Faults].
func (p Polygon) Validate() error {
	faults := p.Faults(maxFaults)
	all := make([]error, len(faults))
	for i, f := range faults {
		all[i] = f
	}
	return errors.Join(all...)
}

// Faults returns the faults of p, in an order that depends only on p; it stops after limit faults, because n
// edges can cross in n² places. A polygon without faults is a connected piece of the plane:
//  1. every ring has three points or more, visits none twice, neither crosses nor touches itself,
//     and has a positive area;
//  2. the outer ring is counter-clockwise, the holes are clockwise;
//  3. rings do not cross, and touch only where each has a vertex;
//  4. the holes are inside of the outer ring and not of each other;
//  5. touching rings do not cut the inside in two.
//
// Vertices in the middle of a straight run are allowed. A kind of fault is searched only in the absence of
// faults that make the search meaningless.
//
// Time O(n log n) if few edges are near each other at the scale of their own length, and for every hole O(k)
// for k edges across its horizontal.
func (p Polygon) Faults(limit int) []Fault {
	v := validator{p: p, limit: limit}
	for _, steps := range [][]func(){
		{v.points},
		{v.meetings, v.contacts},
		{v.orientations},
		{v.nesting},
		{v.connection},
	} {
		for _, step := range steps {
			step()
		}
		if len(v.faults) > 0 {
			break
		}
	}
	slices.SortFunc(v.faults, compareFaults)
	return v.faults
}
