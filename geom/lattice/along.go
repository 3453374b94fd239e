package lattice

// The triangles along a straight piece.
//
// Source: J. Amanatides and A. Woo, A fast voxel traversal algorithm for ray tracing, Eurographics 1987, for the
// idea of walking a uniform grid; the clipping comes from M. Cyrus and J. Beck, Computers & Graphics 3 (1978).
//
// Idea: The table of cells that answers questions of height lists the triangles near a place. The walk goes through
// the cells along the piece, row by row, and clips the piece to each triangle of these cells. Heights over a triangle
// are linear, so two places with their heights describe the floor along the whole part.
//
// Input: a piece in local coordinates in lattice units.
//
// Guarantees:
//  1. The spans are the parts of the piece over each triangle, up to slack units beside it, with the heights there
//     (TestAlongAgainstEveryTriangle).
//  2. No triangle is listed twice, and spans are in order along the piece (TestAlongAgainstEveryTriangle).
//  3. A piece along an edge has the triangles on both sides (TestAlongAnEdge).
//  4. Nothing is allocated where the slice has room (TestAlongAllocatesNothing).
//
// Degenerate cases: a piece of no length has the triangles at its place, each with a span of no length. Places beside
// the table have no triangles (TestAlongBesideTheTable). Triangles that are only touched may be listed, with a span of
// no length.
//
// Cost: time O(c + k log k) for c cells along the piece and k triangles in them. Spans come nearly sorted, and then
// the time is O(c + k).
//
// Departures: rows of cells are cut out by floats and widened by slack, so rounding loses no cell.

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/floats"
)

// Piece is a straight piece over the plane, from (X, Y) to (X+DX, Y+DY) in lattice units.
type Piece struct{ X, Y, DX, DY float64 }

// Span is the part of a [Piece] over one triangle, from place From to place To; 0 is the start of the piece and 1
// its end. The height in lattice units is linear from FromZ to ToZ.
type Span struct {
	From, To   float64
	FromZ, ToZ float64
	Triangle   uint32 // tells triangles of one sampler apart
}

// slack is how far beside a triangle its span may go, in lattice units: far below any measurement, and above the
// rounding of places.
const slack = 1.0 / 1024

// Along appends the spans of the piece between the places from and to, in order of From and then of Triangle.
func (s *Sampler) Along(p Piece, from, to float64, spans []Span) []Span {
	t := &s.cells
	first := len(spans)
	if len(s.triangles) == 0 || !(from <= to) {
		return spans
	}
	size := float64(int64(1) << t.shift)
	// In cells, from the corner of the table.
	x0 := (p.X+float64(from*p.DX))/size - float64(t.corner.X)
	y0 := (p.Y+float64(from*p.DY))/size - float64(t.corner.Y)
	x1 := (p.X+float64(to*p.DX))/size - float64(t.corner.X)
	y1 := (p.Y+float64(to*p.DY))/size - float64(t.corner.Y)
	if !(max(math.Abs(x0), math.Abs(x1), math.Abs(y0), math.Abs(y1)) < 1<<40) {
		return spans
	}
	pad := slack / size
	low, high := rowsBetween(floats.Min(y0, y1)-pad, floats.Max(y0, y1)+pad, t.height)
	row, end, step := low, high+1, 1
	if y1 < y0 {
		row, end, step = high, low-1, -1
	}
	for ; row != end; row += step {
		// The places between which the piece is in this row, for a piece along a row all of it.
		xa, xb := x0, x1
		if y0 != y1 {
			slope := (x1 - x0) / (y1 - y0)
			bottom, top := float64(row)-pad, float64(row+1)+pad
			if y1 < y0 {
				bottom, top = top, bottom
			}
			if (bottom-y0)*float64(step) > 0 {
				xa = x0 + float64((bottom-y0)*slope)
			}
			if (y1-top)*float64(step) > 0 {
				xb = x0 + float64((top-y0)*slope)
			}
		}
		left, right := rowsBetween(floats.Min(xa, xb)-pad, floats.Max(xa, xb)+pad, t.width)
		column, stop, ahead := left, right+1, 1
		if x1 < x0 {
			column, stop, ahead = right, left-1, -1
		}
		for ; column != stop; column += ahead {
			k := uint32(row)*t.width + uint32(column)
			for _, i := range t.items[t.start[k]:t.start[k+1]] {
				spans = s.clip(i, p, from, to, spans, first)
			}
		}
	}
	return inOrder(spans, first)
}

// rowsBetween returns the first and the last of n rows between two coordinates; beside the rows last is first - 1, so
// walks in both directions end at once.
func rowsBetween(low, high float64, n uint32) (first, last int) {
	return int(math.Floor(floats.Min(floats.Max(low, 0), float64(n)))), int(math.Floor(floats.Min(floats.Max(high, -1), float64(n)-1)))
}

// lately is how many spans back a triangle of the cell before is found mostly.
const lately = 6

// clip appends the span of triangle i, unless the triangle is beside the piece or among the latest spans.
func (s *Sampler) clip(i uint32, p Piece, from, to float64, spans []Span, first int) []Span {
	for j := len(spans) - 1; j >= max(first, len(spans)-lately); j-- {
		if spans[j].Triangle == i {
			return spans
		}
	}
	if span, ok := p.Over(&s.triangles[i], from, to); ok {
		span.Triangle = i
		spans = append(spans, span)
	}
	return spans
}

// Over returns the part of the piece between two places that is over a counter-clockwise triangle, up to slack units
// beside it; ok is false if there is none. Time O(1).
func (p Piece) Over(tri *[3]Vertex, from, to float64) (span Span, ok bool) {
	// The sides of the start, and how they change to the end of the piece.
	var side, change [3]float64
	for k := range 3 {
		a, b := &tri[k], &tri[(k+1)%3]
		ex, ey := float64(int64(b.X)-int64(a.X)), float64(int64(b.Y)-int64(a.Y))
		px, py := p.X-float64(a.X), p.Y-float64(a.Y)
		side[k] = float64(ex*py) - float64(ey*px)
		change[k] = float64(ex*p.DY) - float64(ey*p.DX)
		beside := float64(slack * (math.Abs(ex) + math.Abs(ey)))
		at0, at1 := side[k]+float64(from*change[k])+beside, side[k]+float64(to*change[k])+beside
		switch {
		case at0 < 0 && at1 < 0:
			return span, false
		case at0 < 0:
			from = floats.Max(from, -(side[k]+beside)/change[k])
		case at1 < 0:
			to = floats.Min(to, -(side[k]+beside)/change[k])
		}
		if from > to {
			return span, false
		}
	}
	a, b, c := &tri[0], &tri[1], &tri[2]
	height := func(t float64) float64 {
		return mixHeights(a, b, c, side[1]+float64(t*change[1]), side[2]+float64(t*change[2]), side[0]+float64(t*change[0]))
	}
	return Span{From: from, To: to, FromZ: height(from), ToZ: height(to)}, true
}

// inOrder sorts the spans from number first on and drops repeated spans.
func inOrder(spans []Span, first int) []Span {
	ordered := true
	for i := first + 1; i < len(spans) && ordered; i++ {
		a, b := &spans[i-1], &spans[i]
		ordered = a.From < b.From || a.From == b.From && a.Triangle < b.Triangle
	}
	if ordered {
		return spans
	}
	order := func(a, b Span) int {
		if a.From != b.From {
			return cmp.Compare(a.From, b.From)
		}
		return cmp.Compare(a.Triangle, b.Triangle)
	}
	all := spans[first:]
	slices.SortFunc(all, order)
	return spans[:first+len(slices.CompactFunc(all, func(a, b Span) bool { return a.From == b.From && a.Triangle == b.Triangle }))]
}
