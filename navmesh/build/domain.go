package build

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/plan"
)

// wallTolerance is how far a corner may lie from the wall that it was constructed on, in lattice
// units: rounding to the lattice moves it by less than one, towards free space by less than two.
const wallTolerance = 2

// domain is a domain of the plan with its pieces [base, end) and what was found out about them.
type domain struct {
	*plan.Domain
	id        plan.DomainID
	base, end int
	contacts  []contact // between its own pieces
	sides     []side    // the edges of its pieces that are no other piece's edge reversed
	banks     []bank    // its edges that belong to chains, in the order of its rings
}

// bank is an edge of a domain that belongs to a chain, with the sides of pieces along it.
type bank struct {
	chain    plan.ChainID
	from, to lattice.Point
	sides    []stretch // in the order of their line
}

func (d *domain) String() string { return fmt.Sprintf("layer %d, domain %d", d.id.Layer, d.id.Domain) }

// check looks at what the plan says about the domain's edges.
func (d *domain) check() error {
	if len(d.Edges) != 0 && len(d.Edges) != len(d.Rings) {
		return fmt.Errorf("build: %v: %d rings, edges of %d", d, len(d.Rings), len(d.Edges))
	}
	for r := range d.Edges {
		if len(d.Edges[r]) != len(d.Rings[r]) {
			return fmt.Errorf("build: %v: ring %d has %d points and %d edges", d, r, len(d.Rings[r]), len(d.Edges[r]))
		}
	}
	return nil
}

// edge returns the ends of an edge of the domain's rings and the chain it belongs to.
func (d *domain) edge(r, i int) (from, to lattice.Point, chain plan.ChainID) {
	ring := d.Rings[r]
	chain = plan.Wall
	if len(d.Edges) != 0 {
		chain = d.Edges[r][i]
	}
	return ring[i], ring[(i+1)%len(ring)], chain
}

// cell checks cell c of the domain and returns its corners.
func (d *domain) cell(c int, cell plan.Cell) ([]lattice.Point, error) {
	points := make([]lattice.Point, len(cell.Corners))
	for i, corner := range cell.Corners {
		points[i] = corner.Point
		if max(corner.X, -corner.X, corner.Y, -corner.Y) > lattice.MaxCoord {
			return nil, fmt.Errorf("build: %v, cell %d: corner %d at %v is outside of the frame", d, c, i, corner.Point)
		}
		if corner.On == plan.NoEdge {
			continue
		}
		r, e := corner.On.Ring, corner.On.Index
		if r < 0 || int(r) >= len(d.Rings) || e < 0 || int(e) >= len(d.Rings[r]) {
			return nil, fmt.Errorf("build: %v, cell %d: corner %d at %v is on edge %d of ring %d, which does not exist", d, c, i, corner.Point, e, r)
		}
		from, to, chain := d.edge(int(r), int(e))
		if chain != plan.Wall && !lattice.OnSegment(corner.Point, from, to) {
			return nil, fmt.Errorf("build: %v, cell %d: corner %d at %v is not exactly on the edge %v to %v of chain %d",
				d, c, i, corner.Point, from, to, chain)
		}
		if chain == plan.Wall && lattice.SegmentDistance2(corner.Point, from, to).CompareInt(wallTolerance*wallTolerance) > 0 {
			return nil, fmt.Errorf("build: %v, cell %d: corner %d at %v is more than %d units from its wall %v to %v",
				d, c, i, corner.Point, wallTolerance, from, to)
		}
	}
	if fault, at := navmesh.ConvexFault(points); fault != "" {
		if len(points) == 0 {
			return nil, fmt.Errorf("build: %v, cell %d: no corners", d, c)
		}
		return nil, fmt.Errorf("build: %v, cell %d: %s at corner %d, %v", d, c, fault, at, points[at])
	}
	return points, nil
}

// match finds the contacts between the pieces of the domain and their banks on its chains.
func (d *domain) match(pieces []piece) error {
	if err := d.matchWhole(pieces); err != nil {
		return err
	}
	return d.matchLines()
}

// side is an edge of a piece: the inside is on its left.
type side struct {
	piece, edge int32
	a, b        lattice.Point
}

// matchWhole joins edges that are each other reversed, by far the most, and keeps the others.
func (d *domain) matchWhole(pieces []piece) error {
	var sides []side
	index := make(map[[2]lattice.Point]int32)
	for i := d.base; i < d.end; i++ {
		points := pieces[i].points
		for e, a := range points {
			s := side{piece: int32(i), edge: int32(e), a: a, b: points[(e+1)%len(points)]}
			key := [2]lattice.Point{s.a, s.b}
			if other, ok := index[key]; ok {
				return d.overlap(sides[other], s)
			}
			index[key] = int32(len(sides))
			sides = append(sides, s)
		}
	}
	for i, s := range sides {
		o, ok := index[[2]lattice.Point{s.b, s.a}]
		switch {
		case !ok:
			d.sides = append(d.sides, s)
		case int(o) > i:
			d.join(s, sides[o], s.a, s.b)
		}
	}
	return nil
}

// join notes that s and o meet between a and b, in the direction of s.
func (d *domain) join(s, o side, a, b lattice.Point) {
	if o.piece < s.piece {
		s, o, a, b = o, s, b, a
	}
	d.contacts = append(d.contacts, contact{p: s.piece, q: o.piece, pe: s.edge, qe: o.edge, a: a, b: b})
}

// overlap is the error for two sides that have their pieces on the same side of them.
func (d *domain) overlap(s, o side) error {
	lo := s.a
	if s.a.Compare(s.b) > 0 {
		lo = s.b
	}
	return fmt.Errorf("build: %v: cells %d and %d overlap at an edge near %v", d, int(s.piece)-d.base, int(o.piece)-d.base, lo)
}

// line is a straight line through lattice points: the smallest step along it, to the east or due
// north, and the cross product of that step with any point on it. Equal lines have equal fields.
type line struct {
	dx, dy int32
	c      int64
}

// lineOf returns the line through a and b, which differ. All products stay below 2⁶².
func lineOf(a, b lattice.Point) line {
	if a.Compare(b) > 0 {
		a, b = b, a
	}
	dx, dy := b.Sub(a)
	g := gcd(dx, max(dy, -dy))
	dx, dy = dx/g, dy/g
	return line{int32(dx), int32(dy), dx*int64(a.Y) - dy*int64(a.X)}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (l line) compare(m line) int {
	return cmp.Or(cmp.Compare(l.dx, m.dx), cmp.Compare(l.dy, m.dy), cmp.Compare(l.c, m.c))
}

// lane tells the three kinds of segment on a line apart.
type lane uint8

const (
	onward   lane = iota // sides of pieces along the line
	backward             // sides of pieces against it
	chained              // edges of the domain that belong to a chain
)

// stretch is a segment on a line, from lo to hi along it.
type stretch struct {
	line   line
	lane   lane
	lo, hi lattice.Point
	index  int32 // into the sides or the banks of the domain
}

// matchLines joins sides that overlap in part, and finds the sides along the banks.
// Time O(n log n).
func (d *domain) matchLines() error {
	stretches := make([]stretch, 0, len(d.sides))
	add := func(a, b lattice.Point, l lane, index int) {
		s := stretch{line: lineOf(a, b), lane: l, lo: a, hi: b, index: int32(index)}
		if a.Compare(b) > 0 {
			s.lo, s.hi = b, a
		}
		stretches = append(stretches, s)
	}
	for i, s := range d.sides {
		add(s.a, s.b, laneOf(s.a, s.b), i)
	}
	for r := range d.Rings {
		for i := range d.Rings[r] {
			if from, to, chain := d.edge(r, i); chain != plan.Wall && from != to {
				add(from, to, chained, len(d.banks))
				d.banks = append(d.banks, bank{chain: chain, from: from, to: to})
			}
		}
	}
	slices.SortFunc(stretches, func(s, o stretch) int {
		return cmp.Or(s.line.compare(o.line), cmp.Compare(s.lane, o.lane), s.lo.Compare(o.lo), cmp.Compare(s.index, o.index))
	})
	for len(stretches) > 0 {
		n := 1
		for n < len(stretches) && stretches[n].line == stretches[0].line {
			n++
		}
		if err := d.matchLine(stretches[:n]); err != nil {
			return err
		}
		stretches = stretches[n:]
	}
	return nil
}

// laneOf returns the lane of a side from a to b.
func laneOf(a, b lattice.Point) lane {
	if a.Compare(b) > 0 {
		return backward
	}
	return onward
}

// matchLine does the work of matchLines for the stretches of one line.
func (d *domain) matchLine(all []stretch) error {
	var lanes [chained + 1][]stretch
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].lane == all[0].lane {
			n++
		}
		lanes[all[0].lane] = all[:n]
		all = all[n:]
	}
	for _, l := range []lane{onward, backward} {
		for i := 1; i < len(lanes[l]); i++ {
			if lanes[l][i-1].hi.Compare(lanes[l][i].lo) > 0 {
				return d.overlap(d.sides[lanes[l][i-1].index], d.sides[lanes[l][i].index])
			}
		}
	}
	overlaps(lanes[onward], lanes[backward], func(s, o stretch, lo, hi lattice.Point) {
		d.join(d.sides[s.index], d.sides[o.index], lo, hi)
	})
	for _, c := range lanes[chained] {
		b := &d.banks[c.index]
		along := after(lanes[laneOf(b.from, b.to)], c.lo)
		overlaps([]stretch{c}, along, func(_, s stretch, lo, hi lattice.Point) {
			s.lo, s.hi = lo, hi
			b.sides = append(b.sides, s)
		})
	}
	return nil
}

// after returns the stretches that do not end at or before p.
func after(list []stretch, p lattice.Point) []stretch {
	i := sort.Search(len(list), func(i int) bool { return list[i].hi.Compare(p) > 0 })
	return list[i:]
}

// overlaps calls f for every pair of stretches that share more than a point, from lo to hi. Both
// lists are in order along their line and free of overlaps. Time O(len(s) + what is met of o).
func overlaps(s, o []stretch, f func(s, o stretch, lo, hi lattice.Point)) {
	for i, k := 0, 0; i < len(s) && k < len(o); {
		lo, hi := s[i].lo, s[i].hi
		if o[k].lo.Compare(lo) > 0 {
			lo = o[k].lo
		}
		if o[k].hi.Compare(hi) < 0 {
			hi = o[k].hi
		}
		if lo.Compare(hi) < 0 {
			f(s[i], o[k], lo, hi)
		}
		if s[i].hi.Compare(o[k].hi) < 0 {
			i++
		} else {
			k++
		}
	}
}
