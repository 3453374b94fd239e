// Package overlay computes with many polygons at once: union, difference, intersection and offset.
//
// Source: snap rounding after J. D. Hobby, Practical segment intersection with finite precision
// output, Computational Geometry 13 (1999), and L. J. Guibas, D. H. Marimont, Rounding arrangements
// dynamically, 11th Symposium on Computational Geometry (1995); winding numbers by a plane sweep.
//
// Idea: every end of an edge and every crossing is rounded to its lattice point, whose unit square is called
// hot. An edge is led through the centres of all hot squares in its way, in order. After that edges meet only
// in vertices, so one sweep finds the winding number of every input beneath and above each edge, and a rule
// on winding numbers selects the border of the result.
//
// Input: rings that may cross themselves and each other, overlap, repeat, turn either way and have no
// area; coordinates within ±[lattice.MaxCoord].
//
// Guarantees:
//  1. Every polygon of a result has no [lattice.Fault]: TestResultsAreValid.
//  2. Polygons of one result do not overlap, nor do results of mutually exclusive rules; exhaustive rules
//     together cover the union of the inputs: TestRulesPartition.
//  3. A point that is farther than a unit from all edges is in the result exactly when the rule holds
//     for its winding numbers in the input: TestAgainstWindingNumbers.
//  4. An edge moves by less than a unit, and points of the input that are vertices of the result
//     stay where they are: TestVerticesAreInputsOrCrossings.
//  5. The order of the rings and where they start do not matter: TestOrderDoesNotMatter.
//
// Degenerate cases: coincident edges are one edge with added windings, and vanish at 0. Features thinner than
// the lattice may collapse; nothing ever turns over. Polygons with a common point are separate, holes with a
// common point are separate rings.
//
// Cost: O((n + k) log n) time for n edges that pass k hot squares in all, as long as few edges are
// near each other at the scale of their distances; memory O(n + k). [ArrangeOn] finds crossings and hot squares on several
// goroutines, and winding numbers on one.
//
// Departures: crossings are found by dividing the plane until few edges are left in a cell, not by a sweep
// over unrounded edges: the division needs no order of crossings, which takes 192 bits, and its cells also
// find the hot squares in the way of an edge.
package overlay

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Winding is how often each input winds around a place, by the number of the input.
type Winding []int32

// Rule decides by winding numbers whether a place belongs to a result.
type Rule func(Winding) bool

// Positive is the rule for the area of input i: places where i winds counter-clockwise more often than
// clockwise.
func Positive(i int) Rule { return func(w Winding) bool { return w[i] > 0 } }

// Union returns the area of the rings: the places with more counter-clockwise than clockwise windings. On its
// polygons see [Arrangement.Polygons].
func Union(rings []lattice.Ring) ([]lattice.Polygon, error) { return UnionOn(1, rings) }

// UnionOn is [Union] on up to jobs goroutines, see [ArrangeOn].
func UnionOn(jobs int, rings []lattice.Ring) ([]lattice.Polygon, error) {
	a, err := ArrangeOn(jobs, rings)
	if err != nil {
		return nil, err
	}
	defer a.Release()
	return a.Polygons(Positive(0)), nil
}

// Intersection returns the common area of both inputs.
func Intersection(a, b []lattice.Ring) ([]lattice.Polygon, error) {
	return combine(1, a, b, func(w Winding) bool { return w[0] > 0 && w[1] > 0 })
}

// Difference returns the area of a outside b.
func Difference(a, b []lattice.Ring) ([]lattice.Polygon, error) { return DifferenceOn(1, a, b) }

// DifferenceOn is [Difference] on up to jobs goroutines, see [ArrangeOn].
func DifferenceOn(jobs int, a, b []lattice.Ring) ([]lattice.Polygon, error) {
	return combine(jobs, a, b, func(w Winding) bool { return w[0] > 0 && w[1] <= 0 })
}

func combine(jobs int, a, b []lattice.Ring, r Rule) ([]lattice.Polygon, error) {
	arr, err := ArrangeOn(jobs, a, b)
	if err != nil {
		return nil, err
	}
	defer arr.Release()
	return arr.Polygons(r), nil
}

// Arrangement is the plane cut up by the edges of all inputs: vertices, and edges that meet only in vertices.
// It is immutable until [Arrangement.Release].
type Arrangement struct {
	inputs int
	points []lattice.Point // ascending
	edges  []edge          // by from, then counter-clockwise from straight down
	// below holds the winding numbers beneath each edge, inputs at a time; across holds the change across the
	// edge.
	below, across []int32
	// under is the edge next beneath the left end of each edge, -1 for none. Its number is smaller.
	under []int32
}

// edge goes from a vertex to a greater one.
type edge struct{ from, to int32 }

// Arrange cuts the plane up by the edges of the inputs. Each input is a number of rings: the rings of one
// polygon or of many.
func Arrange(inputs ...[]lattice.Ring) (*Arrangement, error) { return ArrangeOn(1, inputs...) }

// ArrangeOn is [Arrange] on up to jobs goroutines, one per core for 0, where there are edges enough to be worth the
// trouble. The arrangement is the same for any number: TestJobsDoNotMatter.
func ArrangeOn(jobs int, inputs ...[]lattice.Ring) (*Arrangement, error) {
	s := scratches.Get().(*scratch)
	defer s.release()
	n := 0
	for _, rings := range inputs {
		for _, ring := range rings {
			n += len(ring)
		}
	}
	segs := slices.Grow(s.segs[:0], n)
	for i, rings := range inputs {
		for r, ring := range rings {
			for k, p := range ring {
				if !inFrame(p) {
					return nil, fmt.Errorf("overlay: input %d, ring %d: point %d at %v is out of range", i, r, k, p)
				}
				segs = appendSegment(segs, int32(i), p, ring[(k+1)%len(ring)])
			}
		}
	}
	s.segs = segs
	a := arrangements.Get().(*Arrangement)
	a.inputs = len(inputs)
	segs = s.unite(segs)
	shed(&s.segs)
	if len(segs) < manySegments {
		jobs = 1
	}
	a.node(segs, s, jobs)
	a.sweep(s)
	return a, nil
}

// manySegments is from how many segments on several goroutines are worth the trouble.
const manySegments = 1 << 14

func inFrame(p lattice.Point) bool {
	const most = lattice.MaxCoord
	return -most <= p.X && p.X <= most && -most <= p.Y && p.Y <= most
}
