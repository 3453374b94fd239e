package join

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// wallTolerance is the maximum distance of a corner from its wall, in lattice units: rounding to the lattice moves the
// corner by less than one, rounding towards free space by less than two.
const wallTolerance = 2

// domain is a domain of the plan with its pieces [base, end) and their contacts.
type domain struct {
	*plan.Domain
	id        plan.DomainID
	base, end int
	made      []made     // corners of its pieces constructed on its edges
	points    pointTable // of the corners of its pieces, and more
	contacts  []contact  // between its own pieces
	banks     []bank     // its edges that belong to chains, in the order of its rings
}

// made is a corner that was constructed on an edge.
type made struct {
	lattice.Point
	on plan.EdgeID
}

// bank is an edge of a domain that belongs to a chain, with the sides of pieces along it.
type bank struct {
	chain    plan.ChainID
	from, to lattice.Point
	sides    []side // the parts of pieces' sides on it, in the order of their line
}

func (d *domain) String() string { return fmt.Sprintf("layer %d, domain %d", d.id.Layer, d.id.Domain) }

// check looks at what the plan says about the domain's edges.
func (d *domain) check() error {
	if len(d.Edges) != 0 && len(d.Edges) != len(d.Rings) {
		return fmt.Errorf("build: %v: %d rings, edges of %d", d, len(d.Rings), len(d.Edges))
	}
	if len(d.Heights) != 0 && len(d.Heights) != len(d.Rings) {
		return fmt.Errorf("build: %v: %d rings, heights of %d", d, len(d.Rings), len(d.Heights))
	}
	for r := range d.Heights {
		if len(d.Heights[r]) != len(d.Rings[r]) {
			return fmt.Errorf("build: %v: ring %d has %d points and %d heights", d, r, len(d.Rings[r]), len(d.Heights[r]))
		}
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

// cell checks cell c of the domain and writes down its corners.
func (d *domain) cell(c int, cell plan.Cell, points []lattice.Point) error {
	for i, corner := range cell.Corners {
		points[i] = corner.Point
		if max(corner.X, -corner.X, corner.Y, -corner.Y) > lattice.MaxCoord {
			return fmt.Errorf("build: %v, cell %d: corner %d at %v is outside of the frame", d, c, i, corner.Point)
		}
		if corner.On == plan.NoEdge {
			continue
		}
		r, e := corner.On.Ring, corner.On.Index
		if r < 0 || int(r) >= len(d.Rings) || e < 0 || int(e) >= len(d.Rings[r]) {
			return fmt.Errorf("build: %v, cell %d: corner %d at %v is on edge %d of ring %d, which does not exist", d, c, i, corner.Point, e, r)
		}
		from, to, chain := d.edge(int(r), int(e))
		if chain != plan.Wall && !lattice.OnSegment(corner.Point, from, to) {
			return fmt.Errorf("build: %v, cell %d: corner %d at %v is not exactly on the edge %v to %v of chain %d",
				d, c, i, corner.Point, from, to, chain)
		}
		if chain == plan.Wall && lattice.SegmentDistance2(corner.Point, from, to).CompareInt(wallTolerance*wallTolerance) > 0 {
			return fmt.Errorf("build: %v, cell %d: corner %d at %v is more than %d units from its wall %v to %v",
				d, c, i, corner.Point, wallTolerance, from, to)
		}
		d.made = append(d.made, made{corner.Point, corner.On})
	}
	if fault, at := planar.Fault(points); fault != "" {
		if len(points) == 0 {
			return fmt.Errorf("build: %v, cell %d: no corners", d, c)
		}
		return fmt.Errorf("build: %v, cell %d: %s at corner %d, %v", d, c, fault, at, points[at])
	}
	return nil
}

// match finds the contacts between the pieces of the domain and the sides along its banks.
func (d *domain) match(pieces []piece) error {
	sides, err := d.matchWhole(pieces)
	if err != nil {
		return err
	}
	// The remaining sides overlap in part, or lie on the border. The edges of chains are added from the other side:
	// sides that meet them are on the bank.
	lines := make([]planar.Side, len(sides))
	for i, s := range sides {
		lines[i] = planar.Side{A: s.a, B: s.b}
	}
	for r := range d.Rings {
		for i := range d.Rings[r] {
			if from, to, chain := d.edge(r, i); chain != plan.Wall {
				lines = append(lines, planar.Side{A: to, B: from})
				d.banks = append(d.banks, bank{chain: chain, from: from, to: to})
			}
		}
	}
	planar.Match(lines, func(i, j int, a, b lattice.Point) {
		switch n := len(sides); {
		case i < n && j < n:
			d.join(sides[i], sides[j], a, b)
		case i < n:
			d.moor(j-n, sides[i], a, b)
		case j < n:
			d.moor(i-n, sides[j], b, a)
		}
	}, func(i, j int, at lattice.Point) {
		if err == nil && i < len(sides) && j < len(sides) {
			err = d.overlap(sides[i], sides[j])
		}
	})
	return err
}

// moor records that s lies along a bank from a to b.
func (d *domain) moor(bank int, s side, a, b lattice.Point) {
	s.a, s.b = a, b
	d.banks[bank].sides = append(d.banks[bank].sides, s)
}

// side is an edge of a piece, or a part of an edge, with the inside on its left.
type side struct {
	piece, edge int32
	a, b        lattice.Point
}

// matchWhole joins edges that are each other's reverse, by far the most, and returns the others.
func (d *domain) matchWhole(pieces []piece) (rest []side, err error) {
	n := 0
	for i := d.base; i < d.end; i++ {
		n += len(pieces[i].points)
	}
	sides, ends := make([]side, 0, n), make([]int32, 0, n) // ends[i] is the number of the end point of sides[i]
	next := make([]int32, 0, n)                            // another side from the same start, -1 for none
	first := make([]int32, 0, n)                           // by the number of a point, a side that starts at the point
	d.points = newPointTable(n)
	number := func(p lattice.Point) int32 {
		k, isNew := d.points.number(p)
		if isNew {
			first = append(first, -1)
		}
		return k
	}
	leading := func(from, to int32) int32 {
		k := first[from]
		for k >= 0 && ends[k] != to {
			k = next[k]
		}
		return k
	}
	for i := d.base; i < d.end; i++ {
		points := pieces[i].points
		start := number(points[0])
		from := start
		for e, a := range points {
			b, to := points[0], start
			if e+1 < len(points) {
				b = points[e+1]
				to = number(b)
			}
			s := side{piece: int32(i), edge: int32(e), a: a, b: b}
			if other := leading(from, to); other >= 0 {
				return nil, d.overlap(sides[other], s)
			}
			next, first[from] = append(next, first[from]), int32(len(sides))
			sides, ends = append(sides, s), append(ends, to)
			from = to
		}
	}
	// The sides of a piece are consecutive: each starts at the end of the previous side.
	d.contacts = slices.Grow(d.contacts, n/2)
	for k := 0; k < len(sides); {
		m := len(pieces[sides[k].piece].points)
		from := ends[k+m-1]
		for range m {
			switch o := leading(ends[k], from); {
			case o < 0:
				rest = append(rest, sides[k])
			case int(o) > k:
				d.join(sides[k], sides[o], sides[k].a, sides[k].b)
			}
			from = ends[k]
			k++
		}
	}
	return rest, nil
}

// join records that s and o meet between a and b, in the direction of s.
func (d *domain) join(s, o side, a, b lattice.Point) {
	if o.piece < s.piece {
		s, o, a, b = o, s, b, a
	}
	d.contacts = append(d.contacts, contact{p: s.piece, q: o.piece, pe: s.edge, qe: o.edge, a: a, b: b, chain: plan.Wall})
}

// overlap returns the error for two sides with their pieces on the same side.
func (d *domain) overlap(s, o side) error {
	lo := s.a
	if s.a.Compare(s.b) > 0 {
		lo = s.b
	}
	return fmt.Errorf("build: %v: cells %d and %d overlap at an edge near %v", d, int(s.piece)-d.base, int(o.piece)-d.base, lo)
}
