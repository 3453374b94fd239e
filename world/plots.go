package world

// Plots: the floor of a region with many footprints.
//
// Source: J. L. Bentley, Multidimensional binary search trees used for associative searching, CACM 18 (1975), for the halving;
// the copying of paths as in persist.go.
//
// Idea: a plot is a region of the base, or a half of a larger plot. A plot with more than crowd footprints that a chord can
// halve has two halves; other plots are leaves, and each is cut by itself. Chords depend on the region alone, see
// [repair.Region.Halve]. So the leaves depend on the region and its footprints, and on no history. A change walks down to the
// leaves that its footprints reach, and shares all others with the plot before.
//
// Input: the footprints that go, the footprints that come, and the plot of a region before.
//
// Guarantees:
//  1. The cells of a region depend on its footprints alone (TestCrowdHasNoHistory, TestRandomChanges).
//  2. A change tells of floor near its footprints only (TestCrowdIsLocal), and its memory is no more in large crowds
//     (TestCrowdCosts).
//
// Degenerate cases: a footprint on a chord is on both sides; leaves without footprints are one cell; leaves of 8 m, and leaves
// between portals without lattice points, stay crowded.
//
// Cost: O(log n) plots for a footprint among n of like distances, and the cuts of its leaves.

import (
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// crowd is the number of hits above which a plot is halved.
const crowd = 6

// plot is a region of the base, or a part of a region, with the footprints that reach the floor there. A plot never changes.
type plot struct {
	part   *part
	count  int // the hits, on all halves together
	halves [2]*plot
	hits   []hit        // of a leaf, in order
	floor  *query.Block // what the footprints leave
}

// part is the border of a plot. The sheet makes those of whole regions, and the writer others when a change first meets the plot.
type part struct {
	repair.Region
	box    lattice.Box
	halves [2]*part
	lines  [][2]lattice.Point // that the halves bring: the chord, and walls that bend to its ends
	halved bool               // the halves are known; nil if no chord halves the part
	ready  bool               // the sides near the part are known
}

func newPart(r repair.Region) *part { return &part{Region: r, box: lattice.BoxOf(r.Ring...)} }

// split returns the halves of a part, nil if no chord halves the part.
func (p *part) split() [2]*part {
	if !p.halved {
		p.halved = true
		if a, b, chord, ok := p.Halve(); ok {
			a.Thin, b.Thin = p.Thin, p.Thin
			p.halves = [2]*part{newPart(a), newPart(b)}
			p.lines = append(p.lines, chord)
			for _, half := range p.halves {
				p.lines = append(p.lines, half.bent(p, chord)...)
			}
		}
	}
	return p.halves
}

// bent lists the sides of a half at ends of the chord, where these are on no side of the whole.
func (p *part) bent(whole *part, chord [2]lattice.Point) (list [][2]lattice.Point) {
	for _, end := range chord {
		on := false
		for i, q := range whole.Ring {
			on = on || lattice.OnSegment(end, q, whole.Ring[(i+1)%len(whole.Ring)])
		}
		for i, q := range p.Ring {
			next := p.Ring[(i+1)%len(p.Ring)]
			if !on && (q == end || next == end) && p.Label[i] != repair.Inner {
				list = append(list, [2]lattice.Point{q, next})
			}
		}
	}
	return list
}

// reaches reports whether a hit comes within reach of a part.
func (h *hit) reaches(p *part) bool { return grown(p.box).Overlaps(h.box) && meets(p.Ring, h.rings) }

// grown returns a box with reach on all sides.
func grown(b lattice.Box) lattice.Box {
	return lattice.Box{Min: lattice.Point{X: b.Min.X - reach, Y: b.Min.Y - reach}, Max: lattice.Point{X: b.Max.X + reach, Y: b.Max.Y + reach}}
}

// same reports whether two hits are the same one.
func (h *hit) same(o *hit) bool {
	return h.thing == o.thing && h.effect == o.effect && &h.rings[0] == &o.rings[0]
}

// leaves calls visit for all leaves near a box.
func (p *plot) leaves(box lattice.Box, visit func(leaf *plot)) {
	switch {
	case p == nil || !grown(p.part.box).Overlaps(box):
	case p.halves[0] != nil:
		p.halves[0].leaves(box, visit)
		p.halves[1].leaves(box, visit)
	default:
		visit(p)
	}
}

// cutting makes the plots of a region after a change.
type cutting struct {
	ctx     context.Context
	w       *whole
	s       *sheet
	cutter  *cutter
	region  uint32
	painted bool // the numbers of areas have changed
	cuts    int
}

// renew returns a plot after hits have gone and come; all of them reach the plot. The plot before is nil for a new one.
func (c *cutting) renew(old *plot, p *part, gone, came []hit) (*plot, error) {
	if old != nil && len(gone) == 0 && len(came) == 0 && !c.painted {
		return old, nil
	}
	now := &plot{part: p, count: len(came) - len(gone)}
	var before [2]*plot
	var hits []hit // if the halves are new, or there are none
	if old != nil {
		now.count += old.count
		before = old.halves
	}
	halves := [2]*part{}
	if now.count > crowd {
		halves = p.split()
	}
	if before[0] == nil || halves[0] == nil {
		hits = old.without(gone, came)
	}
	if halves[0] == nil {
		return now, c.cut(now, old, hits)
	}
	if before[0] == nil {
		gone, came = nil, hits
	}
	var floor query.Block
	for k, half := range halves {
		var err error
		if now.halves[k], err = c.renew(before[k], half, reaching(gone, half), reaching(came, half)); err != nil {
			return nil, err
		}
		floor.Halves[k] = now.halves[k].floor
	}
	if now.floor = &floor; before[0] != nil && old.floor.Halves == floor.Halves {
		now.floor = old.floor
	}
	return now, nil
}

// reaching lists the hits that reach a part.
func reaching(hits []hit, p *part) (list []hit) {
	for i := range hits {
		if hits[i].reaches(p) {
			list = append(list, hits[i])
		}
	}
	return list
}

// without returns the hits of a plot without some, and with others, in order.
func (p *plot) without(gone, came []hit) []hit {
	list := slices.Clone(came)
	first := len(list)
	is := func(list []hit, h *hit) bool {
		return slices.ContainsFunc(list, func(o hit) bool { return h.same(&o) })
	}
	if p != nil {
		p.leaves(p.part.box, func(leaf *plot) {
			for i := range leaf.hits {
				// A hit may be on several leaves.
				if h := &leaf.hits[i]; !is(gone, h) && (p == leaf || !is(list[first:], h)) {
					list = append(list, *h)
				}
			}
		})
	}
	order(list)
	return list
}

// cut finds the floor of a leaf.
func (c *cutting) cut(now, old *plot, hits []hit) error {
	if c.cuts++; c.cuts%16 == 0 && c.ctx.Err() != nil {
		return fmt.Errorf("world: %w", c.ctx.Err())
	}
	now.hits = hits
	c.s.makeReady(now.part)
	var before []cell
	isLeaf := old != nil && old.halves[0] == nil
	if isLeaf {
		before = old.floor.Cells
	}
	cells, err := c.s.cells(c.w, c.cutter, c.region, &now.part.Region, hits, before)
	if err != nil {
		return err
	}
	if isLeaf && sameCells(cells, before) {
		now.floor = old.floor
	} else {
		now.floor = &query.Block{Cells: cells}
	}
	return nil
}
