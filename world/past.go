package world

// Portals past the tips of regions. Where a footprint crosses both portals at an acute corner of a region, rounding may lead both
// along one edge: nothing is left of the region's tip, and the regions beside the tip meet. Their sides on this edge have the
// labels of their portals to the region of the tip, and find each other past this region.

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

// mostPast bounds the regions in a row of which rounding leaves nothing along one side.
const mostPast = 4

// past is a search for sides that coincide, past regions of the base.
type past struct {
	*composer
	on     map[int32][]int // the sides with places where no other meets them, by their portals
	tips   []uint32        // regions of the base
	passed []int32         // the portals of the base between them
}

// joinPast finds the portals past regions of which rounding leaves nothing between two others, as the index does. open tells of
// every side how much meets no other.
func (c *composer) joinPast(open []int64) {
	p := past{composer: c, on: map[int32][]int{}}
	for i, o := range c.owners {
		if open[i] > 0 && o.portal >= 0 {
			p.on[o.portal] = append(p.on[o.portal], i)
		}
	}
	for i, o := range c.owners {
		if open[i] > 0 && o.portal >= 0 {
			p.tips, p.passed = append(p.tips[:0], c.pieces[o.piece].base), p.passed[:0]
			p.look(i, o.portal)
		}
	}
}

// look joins side i with sides beyond the region behind a portal. All portals between the two are near the stretch that both
// have.
func (p *past) look(i int, portal int32) {
	side := p.sides[i]
	tip := p.base.Portals[portal].To
	p.tips, p.passed = append(p.tips, tip), append(p.passed, portal)
	first := int32(p.base.Regions[tip].FirstPortal)
	for q := first; q < first+int32(p.base.Regions[tip].PortalCount); q++ {
		right, left := p.endsOf(q)
		if slices.Contains(p.tips, p.base.Portals[q].To) || !grown(lattice.BoxOf(side.A, side.B)).Overlaps(lattice.BoxOf(right, left)) {
			continue
		}
		p.passed = append(p.passed, q)
		found := false
		for _, k := range p.on[int32(p.base.Portals[q].Back)] {
			pair := [2]int{i, k}
			planar.Match([]planar.Side{{A: side.A, B: side.B}, {A: p.sides[k].A, B: p.sides[k].B}}, func(x, y int, a, b lattice.Point) {
				if !p.allNear(a) || !p.allNear(b) {
					return
				}
				found = true
				if p.pieces[p.owners[i].piece].base < p.pieces[p.owners[k].piece].base {
					p.portal(pair[x], pair[y], a, b)
				}
			}, nil)
		}
		p.passed = p.passed[:len(p.passed)-1]
		if !found && len(p.passed) < mostPast {
			p.look(i, q)
		}
	}
	p.passed = p.passed[:len(p.passed)-1]
}

// endsOf returns the ends of a portal of the base.
func (c *composer) endsOf(portal int32) (right, left lattice.Point) {
	p := &c.base.Portals[portal]
	return c.base.Vertices[p.Right].Point, c.base.Vertices[p.Left].Point
}

// allNear reports whether all passed portals come within reach of a point.
func (p *past) allNear(at lattice.Point) bool {
	for _, n := range p.passed {
		right, left := p.endsOf(n)
		if lattice.SegmentDistance2(at, right, left).CompareInt(reach*reach) > 0 {
			return false
		}
	}
	return true
}
