// Package detail makes a height surface of fewer triangles that is nowhere farther from the original than
// a stated error.
//
// Source: vertices are removed one by one as by W. Schroeder, J. Zarge and W. Lorensen, Decimation of
// triangle meshes, SIGGRAPH 1992; that each triangle carries a bound of how far the original is, kept up
// by the overlay of what is removed and what fills the hole, is from C. Bajaj and D. Schikore,
// Error-bounded reduction of triangle meshes with multivariate data, SPIE 2656, 1996.
//
// Idea: a vertex is removed with the triangles around it, and the hole is filled by triangles from one
// of the neighbours to all others. Both surfaces are linear on what an old and a new triangle have in
// common, so that their difference is extreme at its corners (fan.go). To what is known of an old
// triangle, from how far below to how far above it the original is, this difference is added; what the
// new triangle has in common with several counts together. Of the neighbours the one is taken by which
// the least is added, and vertices go in the order of what that is, as long as it is within the limit.
//
// Input: any triangles. They may lie over each other, go through each other, repeat, share edges or not,
// and have corners in the middle of each other's edges.
//
// Guarantees:
//  1. Every place of the new surface is within the error above or below one of the original, and every
//     place of the original within the error above or below one of the new surface, or at most a unit
//     beside its border: TestWithinError by rational arithmetic, TestFewTrianglesInABlock, TestSoups.
//     Error of the result is the original's plus what was bounded, which is at most what was asked for.
//  2. Sheets stay over their own places: nothing lies over a place where nothing did, and borders move
//     inwards by a unit at most: TestSheetsDoNotBeginToOverlap, TestBorderKeepsItsPlace.
//  3. Exactly planar floors become the triangles of their outline with an error of 0, however many
//     triangles they were made of: TestFlat.
//  4. A hole is filled by the best fan, and its error is exact: TestOneVertex.
//  5. With Keep, what is within a unit of a polygon of it is kept and nothing else, so that a polygon keeps what it
//     lies over where a border has moved: TestKeep, TestKeepTips.
//  6. The result depends neither on the order of triangles and vertices, nor on which of them share
//     vertices, nor on the number of jobs: TestDoesNotDependOn.
//
// Degenerate cases: triangles that are clockwise, without area or with vertices that do not exist are left
// out, as [lattice.NewSampler] does; equal vertices are one, and so are equal triangles. Vertices stay
// where more than two triangles meet at an edge, where triangles around a vertex go around twice or are
// no single fan, and at corners of borders. On a border only what lies on a line, or no more than a unit
// outside of it, goes. Vertices are never moved.
//
// Cost: time O(n) for n triangles, but O(d log d) for a vertex with d of them, where vertices are not
// crowded (order.go); memory O(n). A vertex with more than maxRing neighbours is not looked at, what is
// done for one is bounded, and a vertex is looked at again only when a neighbour was removed or its turn
// comes. Blocks of triangles are independent and run in parallel.
//
// Departures: the order is by queues of equal steps of error instead of by a heap, errors have a sign, so
// that what is below and what is above do not add up, and holes are filled by fans only.
package detail

import (
	"context"
	"fmt"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Options say how far a surface may be simplified and how to work.
type Options struct {
	// Error is how far heights may be from the original ones, in lattice units, from 0 to MaxError.
	Error int32
	// Keep are polygons that do not overlap: triangles farther than a unit from all of them are left out. Nil keeps
	// all.
	Keep []lattice.Polygon
	// Jobs is the number of goroutines, 0 for one per core. The surface does not depend on it.
	Jobs int
}

// MaxError is the largest error that can be asked for, in lattice units: 256 m.
const MaxError = 1 << 20

// Simplify returns a surface of fewer triangles, made of vertices of t, whose heights are at most opt.Error
// from those of t. Its Error bounds the distance from what t was made from. An error tells of an option
// out of range, of a vertex outside of the frame, or that ctx was cancelled.
func Simplify(ctx context.Context, t *lattice.TIN, opt Options) (lattice.TIN, error) {
	return simplify(ctx, t, opt, blockSize)
}

func simplify(ctx context.Context, t *lattice.TIN, opt Options, block int) (lattice.TIN, error) {
	if opt.Error < 0 || opt.Error > MaxError {
		return lattice.TIN{}, fmt.Errorf("detail: the error is %d units, must be from 0 to %d", opt.Error, MaxError)
	}
	for i, v := range t.Vertices {
		if max(v.X, v.Y, v.Z) > lattice.MaxCoord || min(v.X, v.Y, v.Z) < -lattice.MaxCoord {
			return lattice.TIN{}, fmt.Errorf("detail: vertex %d at (%d, %d, %d) is outside of the frame", i, v.X, v.Y, v.Z)
		}
	}
	m := read(t)
	m.limit = opt.Error << fixedBits
	if err := m.join(ctx, opt.Jobs); err != nil {
		return lattice.TIN{}, err
	}
	if err := m.reduce(ctx, block, opt.Jobs); err != nil {
		return lattice.TIN{}, err
	}
	if opt.Keep != nil {
		if err := m.trim(ctx, newRegion(opt.Keep), opt.Jobs); err != nil {
			return lattice.TIN{}, err
		}
	}
	return m.surface(t.Error), nil
}

// surface returns what is left, with its own error and that of the original.
func (m *mesh) surface(was int32) lattice.TIN {
	number := make([]uint32, len(m.at)) // plus one, of those in use
	var t lattice.TIN
	left := 0
	for i := range m.triangles {
		if c := m.triangles[i].corners; c != removed {
			left++
			number[c[0]], number[c[1]], number[c[2]] = 1, 1, 1
		}
	}
	count := uint32(0)
	for v, n := range number {
		count += n
		number[v] = count
	}
	t.Vertices, t.Triangles = make([]lattice.Vertex, count), make([][3]uint32, 0, left)
	var most int32
	for i := range m.triangles {
		c := m.triangles[i].corners
		if c == removed {
			continue
		}
		for k, v := range c {
			c[k] = number[v] - 1
			t.Vertices[c[k]] = m.at[v]
		}
		t.Triangles = append(t.Triangles, c)
		most = max(most, -m.triangles[i].low, m.triangles[i].high)
	}
	t.Error = was + (most+1<<fixedBits-1)>>fixedBits
	return t
}
