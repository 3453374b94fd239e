package planar

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Side is a directed side of a polygon on its left. Only sides of the same group are compared.
type Side struct {
	A, B  lattice.Point
	Group int32
}

// Match calls meet for every common stretch of positive length of two sides i and j of one group in opposite
// directions. The direction from a to b is the direction of side i, to the east or due north. The order of the calls
// depends only on the sides.
//
// Sides of one group with a common stretch in the same direction belong to overlapping polygons, and Match calls clash
// for such pairs. If clash is nil, or more than two such sides share a stretch, some meetings may be missing. Sides
// without length are left out.
//
// Time O(n log n + m) for n sides and m meetings. All tests are exact: sides meet only on a common line, identified by
// two integers and a cross product.
func Match(sides []Side, meet func(i, j int, a, b lattice.Point), clash func(i, j int, at lattice.Point)) {
	stretches := make([]stretch, 0, len(sides))
	for i, s := range sides {
		switch c := s.A.Compare(s.B); {
		case c < 0:
			stretches = append(stretches, stretch{line: lineOf(s.A, s.B), lo: s.A, hi: s.B, side: int32(i), group: s.Group})
		case c > 0:
			stretches = append(stretches, stretch{line: lineOf(s.B, s.A), lo: s.B, hi: s.A, side: int32(i), group: s.Group, backward: true})
		}
	}
	slices.SortFunc(stretches, func(s, o stretch) int { return s.compare(&o) })
	for len(stretches) > 0 {
		n := 1
		for n < len(stretches) && stretches[n].sameLine(&stretches[0]) {
			n++
		}
		matchLine(stretches[:n], meet, clash)
		stretches = stretches[n:]
	}
}

// line is a straight line through lattice points: the smallest step along the line, to the east or due north, and the
// cross product of the step with any point of the line. Equal lines have equal fields.
type line struct {
	dx, dy int32
	c      int64
}

// lineOf returns the line through a and b, where a comes first. All products stay below 2⁶².
func lineOf(a, b lattice.Point) line {
	dx, dy := b.Sub(a)
	g := lattice.GCD(dx, max(dy, -dy))
	dx, dy = dx/g, dy/g
	return line{int32(dx), int32(dy), dx*int64(a.Y) - dy*int64(a.X)}
}

// stretch is a side on its line, from lo to hi along it.
type stretch struct {
	line     line
	group    int32
	backward bool // the side runs against the line
	side     int32
	lo, hi   lattice.Point
}

func (s *stretch) compare(o *stretch) int {
	switch {
	case s.line.dx != o.line.dx:
		return cmp.Compare(s.line.dx, o.line.dx)
	case s.line.dy != o.line.dy:
		return cmp.Compare(s.line.dy, o.line.dy)
	case s.line.c != o.line.c:
		return cmp.Compare(s.line.c, o.line.c)
	case s.group != o.group:
		return cmp.Compare(s.group, o.group)
	case s.backward != o.backward:
		if o.backward {
			return -1
		}
		return 1
	}
	return cmp.Or(s.lo.Compare(o.lo), cmp.Compare(s.side, o.side))
}

func (s *stretch) sameLine(o *stretch) bool { return s.line == o.line && s.group == o.group }

// matchLine matches the stretches of one line and group. The stretches are sorted: stretches along the line before
// stretches against the line, each kind by its start.
func matchLine(all []stretch, meet func(i, j int, a, b lattice.Point), clash func(i, j int, at lattice.Point)) {
	n := 0
	for n < len(all) && !all[n].backward {
		n++
	}
	onward, backward := all[:n], all[n:]
	if clash != nil {
		reportClashes(onward, clash)
		reportClashes(backward, clash)
	}
	for i, k := 0, 0; i < len(onward) && k < len(backward); {
		f, b := &onward[i], &backward[k]
		lo, hi := f.lo, f.hi
		if b.lo.Compare(lo) > 0 {
			lo = b.lo
		}
		if b.hi.Compare(hi) < 0 {
			hi = b.hi
		}
		if lo.Compare(hi) < 0 {
			meet(int(f.side), int(b.side), lo, hi)
		}
		if f.hi.Compare(b.hi) < 0 {
			i++
		} else {
			k++
		}
	}
}

// reportClashes reports neighbours with a common stretch.
func reportClashes(list []stretch, clash func(i, j int, at lattice.Point)) {
	for i := 1; i < len(list); i++ {
		if list[i-1].hi.Compare(list[i].lo) > 0 {
			clash(int(list[i-1].side), int(list[i].side), list[i].lo)
		}
	}
}
