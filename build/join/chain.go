package join

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// crossing is an edge of a chain with the banks on both sides of it.
type crossing struct{ left, right *bank }

// joinChains finds the contacts across the plan's chains. The left and right sides of a chain's edge are cut at
// different places; every overlap of two sides is a contact.
func (j *join) joinChains() error {
	chains := j.plan.Chains
	crossings := make([][]crossing, len(chains))
	index := make([]map[[2]lattice.Point]int, len(chains))
	for c := range chains {
		points := chains[c].Points
		crossings[c] = make([]crossing, max(len(points)-1, 0))
		index[c] = make(map[[2]lattice.Point]int, len(crossings[c]))
		for k := range crossings[c] {
			key := [2]lattice.Point{points[k], points[k+1]}
			if _, twice := index[c][key]; twice || key[0] == key[1] {
				return fmt.Errorf("build: chain %d: edge %d from %v to %v has no length or is there twice", c, k, key[0], key[1])
			}
			index[c][key] = k
		}
	}
	for i := range j.domains {
		d := &j.domains[i]
		for b := range d.banks {
			bank := &d.banks[b]
			if bank.chain < 0 || int(bank.chain) >= len(chains) {
				return fmt.Errorf("build: %v: the edge from %v to %v is of chain %d, which does not exist", d, bank.from, bank.to, bank.chain)
			}
			ch := &chains[bank.chain]
			along, isLeft := index[bank.chain][[2]lattice.Point{bank.from, bank.to}]
			against, isRight := index[bank.chain][[2]lattice.Point{bank.to, bank.from}]
			switch {
			case isLeft && ch.Left == d.id:
				crossings[bank.chain][along].left = bank
			case isRight && ch.Right == d.id:
				crossings[bank.chain][against].right = bank
			default:
				return fmt.Errorf("build: %v: the edge from %v to %v is not one of chain %d, to which it belongs", d, bank.from, bank.to, bank.chain)
			}
		}
	}
	for c := range crossings {
		for k, x := range crossings[c] {
			if x.left == nil || x.right == nil {
				id := chains[c].Left
				if x.left != nil {
					id = chains[c].Right
				}
				return fmt.Errorf("build: chain %d: edge %d from %v to %v is not an edge of layer %d, domain %d",
					c, k, chains[c].Points[k], chains[c].Points[k+1], id.Layer, id.Domain)
			}
		}
	}
	j.cross(crossings)
	return nil
}

// cross records the contacts across the edges of all chains. A vertex of a chain that is no corner of the adjacent
// pieces does not divide their contact.
func (j *join) cross(crossings [][]crossing) {
	var sides []side
	var lines []planar.Side
	for c, chain := range crossings {
		for _, x := range chain {
			for _, s := range append(slices.Clone(x.left.sides), x.right.sides...) {
				sides = append(sides, s)
				lines = append(lines, planar.Side{A: s.a, B: s.b, Group: int32(c)})
			}
		}
	}
	planar.Match(lines, func(i, k int, a, b lattice.Point) {
		s, o := sides[i], sides[k]
		c := contact{p: s.piece, q: o.piece, pe: s.edge, qe: o.edge, a: a, b: b, chain: plan.ChainID(lines[i].Group)}
		if n := len(j.contacts); n > 0 {
			if last := &j.contacts[n-1]; last.p == c.p && last.pe == c.pe && last.q == c.q && last.qe == c.qe && last.b == a {
				last.b = b
				return
			}
		}
		j.contacts = append(j.contacts, c)
	}, nil)
}
