package world

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/footprint"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// cell is a convex piece of a region of the base; the labels of its sides are those of package repair.
type cell = query.Cell

// state is the state of a region of the base: the footprints that reach it, and the rest of its floor.
type state struct {
	plot *plot // nil if no footprint reaches the region
	cut  bool  // the floor of the plot replaces the region
}

// replacement returns the floor of a region of the base: the region as it is, a block of cells, or none behind a closed mark.
func (w *whole) replacement(s *sheet, region uint32, st *state) query.Replacement {
	switch {
	case s.isShut(region, w.marks):
		return query.Replacement{Base: region}
	case st.cut:
		return query.Replacement{Base: region, Block: st.plot.floor}
	}
	return query.Replacement{Base: region, Whole: true}
}

// free reports whether a cell of a changed region contains a point, border included.
func (s *state) free(p lattice.Point) (free bool) {
	if !s.cut {
		return false
	}
	s.plot.leaves(lattice.Box{Min: p, Max: p}, func(leaf *plot) {
		free = free || slices.ContainsFunc(leaf.floor.Cells, func(c cell) bool {
			for i := range c.Ring {
				if lattice.Orient(c.Ring[i].Point, c.Ring[(i+1)%len(c.Ring)].Point, p) < 0 {
					return false
				}
			}
			return true
		})
	})
	return free
}

// hit is a footprint that reaches a region.
type hit struct {
	region uint32
	id     ID
	thing  *thing
	print  *footprint.Footprint
	rings  []lattice.Ring
	box    lattice.Box // around the rings
	effect effect
}

// effect tells the effect of a footprint on a region.
type effect uint8

const (
	takes   effect = iota // takes floor
	paints                // changes floor
	divides               // divides the border, because the footprint acts on a neighbour
)

// thing is a thing in a world, as its writer keeps it. Things never change.
type thing struct {
	edit   Thing
	solid  Solid
	brush  *Brush // of a modifier
	prints []*footprint.Footprint
	// reached lists for every radius the hits of the thing, by region.
	reached [][]hit
	links   [][]navmesh.Link // of a connection, for every radius
}

// order sorts hits by their things, obstacles first and modifiers by the rule of [Paint].
func order(hits []hit) {
	slices.SortFunc(hits, func(a, b hit) int { return compareHits(&a, &b) })
}

func compareHits(a, b *hit) int {
	if a.thing.brush != nil && b.thing.brush != nil && a.thing.brush.Priority != b.thing.brush.Priority {
		if a.thing.brush.Priority > b.thing.brush.Priority {
			return -1
		}
		return 1
	}
	switch {
	case a.thing.brush == nil && b.thing.brush != nil:
		return -1
	case a.thing.brush != nil && b.thing.brush == nil:
		return 1
	case a.id < b.id:
		return -1
	case a.id > b.id:
		return 1
	}
	return int(a.effect) - int(b.effect)
}

// recut finds the floor of a region after hits have gone and come.
func (c *cutting) recut(st *state, gone, came []hit) (err error) {
	s := c.s
	if st.plot == nil && len(came) == 0 || st.plot != nil && st.plot.count+len(came) == len(gone) {
		st.plot, st.cut = nil, false
		return nil
	}
	if st.plot, err = c.renew(st.plot, s.shapes[c.region], gone, came); err != nil {
		return err
	}
	if st.cut = true; st.plot.halves[0] == nil {
		base, cells := s.region(c.region), st.plot.floor.Cells
		st.cut = len(cells) != 1 || cells[0].Area != base.Area || cells[0].Flags != base.Flags || !s.same(c.region, cells[0].Ring)
	}
	return nil
}

// cells returns the cells of a region, or of a block of a region. Corners of the cells before keep their heights.
func (s *sheet) cells(w *whole, c *cutter, region uint32, part *repair.Region, hits []hit, before []cell) ([]cell, error) {
	outlines := c.outlines[:0]
	var painters []*thing
	for i := range hits {
		o := repair.Outline{Rings: hits[i].rings}
		switch hits[i].effect {
		case takes:
			o.Kind = repair.Obstacle
		case divides:
			o.Kind = repair.Foreign
		case paints:
			o.Kind = int32(len(painters))
			painters = append(painters, hits[i].thing)
		}
		outlines = append(outlines, o)
	}
	base := s.region(region)
	cut, err := c.Cut(part, outlines)
	c.forget()
	if s.low[region] != s.high[region] {
		c.remember(before)
	}
	clear(outlines) // no cut keeps the outlines of another
	c.outlines = outlines
	if err != nil {
		return nil, fmt.Errorf("world: region %v of the base: %w", s.refs[region], err)
	}
	cells := make([]cell, len(cut))
	n := 0
	for k := range cut {
		n += len(cut[k].Ring)
	}
	ring, sides := make([]lattice.Vertex, n), make([]int32, n)
	for k := range cut {
		n := len(cut[k].Ring)
		out := cell{Ring: ring[:n:n], Sides: sides[:n:n], Area: base.Area, Flags: base.Flags}
		ring, sides = ring[n:], sides[n:]
		copy(out.Sides, cut[k].Sides)
		for j, p := range cut[k].Ring {
			out.Ring[j] = lattice.Vertex{Point: p, Z: c.height(s, region, &base, p)}
		}
		if m := cut[k].Modifier; m != repair.None {
			b := painters[m].brush
			out.Flags = out.Flags&^b.Clear | b.Set
			if n, ok := w.number(b); ok {
				out.Area = n
			}
		}
		cells[k] = out
	}
	return cells, nil
}

// cutter is the memory of the writer for cuts: of the division, and of heights, because a corner belongs to several cells.
type cutter struct {
	repair.Cutter
	outlines []repair.Outline
	heights  [256]cornerHeight
	round    uint32 // from 1 on
}

// cornerHeight is a corner with its height, known in one round.
type cornerHeight struct {
	lattice.Vertex
	round uint32
}

// forget forgets all heights.
func (c *cutter) forget() {
	if c.round++; c.round == 0 {
		clear(c.heights[:])
		c.round = 1
	}
}

// remember makes the heights of the corners of cells known.
func (c *cutter) remember(cells []cell) {
	for i := range cells {
		for _, v := range cells[i].Ring {
			*c.heightAt(v.Point) = cornerHeight{v, c.round}
		}
	}
}

// heightAt returns the place for the height at a point.
func (c *cutter) heightAt(p lattice.Point) *cornerHeight {
	return &c.heights[(uint32(p.X)*0x9e3779b1^uint32(p.Y)*0x85ebca6b)>>24]
}

// height is sheet.heightIn. All questions since forget are for one region.
func (c *cutter) height(s *sheet, region uint32, base *baseRegion, p lattice.Point) int32 {
	h := c.heightAt(p)
	if h.round != c.round || h.Point != p {
		h.Vertex, h.round = lattice.Vertex{Point: p, Z: s.heightIn(region, base, p)}, c.round
	}
	return h.Z
}

// same reports whether a ring is the border of a region, up to points in the middle of straight sides.
func (s *sheet) same(region uint32, ring []lattice.Vertex) bool {
	r := s.region(region)
	corners := r.corners
	// Both are convex: equal where each has the bends of the other.
	bends := func(n int, at func(int) lattice.Point) (list []lattice.Point) {
		for k := range n {
			if lattice.Orient(at((k+n-1)%n), at(k), at((k+1)%n)) != 0 {
				list = append(list, at(k))
			}
		}
		slices.SortFunc(list, lattice.Point.Compare)
		return list
	}
	return slices.Equal(
		bends(len(ring), func(k int) lattice.Point { return ring[k].Point }),
		bends(len(corners), func(k int) lattice.Point { return r.tile.Vertices[corners[k]].Point }))
}
