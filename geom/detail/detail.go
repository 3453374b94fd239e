// Package detail makes a height surface of fewer triangles that is nowhere farther from the original than
// a stated error.
//
// Source: removing vertices one by one comes from W. Schroeder, J. Zarge and W. Lorensen, Decimation of
// triangle meshes, SIGGRAPH 1992; bounds per triangle of the distance from the original, kept up by the
// overlay of removed and new triangles, come from C. Bajaj and D. Schikore, Error-bounded reduction of
// triangle meshes with multivariate data, SPIE 2656, 1996.
//
// Idea: a vertex is removed with the triangles around it, and the hole is filled by triangles from one of the
// neighbours to all others. Over the intersection of an old and a new triangle both surfaces are linear, so
// the difference is extreme at its corners (fan.go). Each old triangle carries bounds, how far below and
// above it the original is. The difference is added to the bounds; a new triangle over several old ones takes
// the extremes of all. Each vertex uses the neighbour with the smallest increase, and vertices go in the
// order of increase, within the limit.
//
// Input: any triangles. They may lie over each other, go through each other, repeat, share edges or not,
// and have corners in the middle of each other's edges.
//
// Guarantees:
//  1. Every place of the new surface is within the error above or below a place of the original. Every place
//     of the original is within the error above or below a place of the new surface, or at most a unit beside
//     its border: TestWithinError by rational arithmetic, TestFewTrianglesInABlock, TestSoups. The error of
//     the result is the original's plus the bounds, at most the given error.
//  2. Sheets stay over their own places: nothing lies over a place where nothing did, and borders move
//     inwards by a unit at most: TestSheetsDoNotBeginToOverlap, TestBorderKeepsItsPlace.
//  3. Exactly planar floors become the triangles of their outline with an error of 0, however many
//     triangles they were made of: TestFlat.
//  4. A hole is filled by the best fan, and its error is exact: TestOneVertex.
//  5. With Keep, exactly the triangles within a unit of a kept polygon stay, so a polygon keeps its support where a
//     border has moved: TestKeep, TestKeepTips.
//  6. The result depends neither on the order of triangles and vertices, nor on which of them share
//     vertices, nor on the number of jobs: TestDoesNotDependOn.
//
// Degenerate cases: clockwise triangles, triangles without area and triangles with invalid vertices are left
// out, as in [lattice.NewSampler]; equal vertices are merged, and so are equal triangles. Vertices stay where
// more than two triangles meet at an edge, where triangles around a vertex go around twice or are no single
// fan, and at corners of borders. On a border only vertices on a line, or at most a unit outside it, are
// removed. Vertices are never moved.
//
// Cost: time O(n) for n triangles, but O(d log d) for a vertex with d of them, where vertices are not crowded
// (order.go); memory O(n). A vertex with more than maxRing neighbours is skipped, the work for any other is
// bounded, and a vertex is examined again only after the removal of a neighbour or in its turn. Blocks of
// triangles are independent and run in parallel.
//
// Departures: the order uses queues of equal steps of error instead of a heap, errors are signed, so errors
// below and above do not add up, and holes are filled by fans only.
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
	// Keep are disjoint polygons: triangles farther than a unit from all of them are left out. Nil keeps all.
	Keep []lattice.Polygon
	// Jobs is the number of goroutines, 0 for one per core. The surface is the same for every number.
	Jobs int
}

// MaxError is the largest error that can be asked for, in lattice units: 256 m.
const MaxError = 1 << 20

// Simplify returns a surface of fewer triangles, made of vertices of t, whose heights are at most opt.Error
// from those of t. Its Error bounds the distance from the original of t. Errors: an option out of range, a
// vertex outside the frame, or a cancelled ctx.
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

// surface returns the remaining surface, with its own error plus the original's.
func (m *mesh) surface(was int32) lattice.TIN {
	number := make([]uint32, len(m.at)) // plus one; 0 for unused vertices
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
