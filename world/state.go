package world

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/world/internal/footprint"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// cell is a convex piece of a region of the base.
type cell struct {
	Ring  []lattice.Vertex // counter-clockwise
	Sides []int32          // labels of package repair
	Area  uint8
	Flags uint32
}

// state is the state of a region of the base: the footprints that reach it, and the rest of its floor.
type state struct {
	hits   []hit
	closed int    // the number of its marks that are closed
	cells  []cell // convex pieces of the rest
	cut    bool   // cells replace the region
}

// whole reports whether the region is as in the base.
func (s *state) whole() bool { return !s.cut && s.closed == 0 }

// free reports whether a cell of a changed region contains a point, border included.
func (s *state) free(p lattice.Point) bool {
	return slices.ContainsFunc(s.cells, func(c cell) bool {
		for i := range c.Ring {
			if lattice.Orient(c.Ring[i].Point, c.Ring[(i+1)%len(c.Ring)].Point, p) < 0 {
				return false
			}
		}
		return true
	})
}

// hit is a footprint that reaches a region.
type hit struct {
	id     ID
	thing  *thing
	print  *footprint.Footprint
	rings  []lattice.Ring
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
	// reached lists for every radius the regions that the thing acts on or divides.
	reached [][]uint32
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

// cut finds the cells of a region with the given hits, in order; whole tells that the region is as in the base.
func (s *sheet) cut(w *whole, c *repair.Cutter, region uint32, hits []hit) (cells []cell, whole bool) {
	if len(hits) == 0 {
		return nil, true
	}
	shape := s.shape(region)
	outlines := make([]repair.Outline, len(hits))
	var painters []*thing
	for i := range hits {
		o := &outlines[i]
		o.Rings = hits[i].rings
		switch hits[i].effect {
		case takes:
			o.Kind = repair.Obstacle
		case divides:
			o.Kind = repair.Foreign
		case paints:
			o.Kind = int32(len(painters))
			painters = append(painters, hits[i].thing)
		}
	}
	_, t, i := s.tile(region)
	base := &t.Regions[i]
	cut := c.Cut(shape, outlines)
	if len(cut) == 1 && cut[0].Modifier == repair.None && s.same(region, cut[0].Ring) {
		return nil, true
	}
	cells = make([]cell, len(cut))
	for k := range cut {
		out := cell{Ring: make([]lattice.Vertex, len(cut[k].Ring)), Sides: cut[k].Sides, Area: base.Area, Flags: base.Flags}
		for j, p := range cut[k].Ring {
			out.Ring[j] = lattice.Vertex{Point: p, Z: s.height(region, p)}
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
	return cells, false
}

// same reports whether a ring is the border of a region, up to points in the middle of straight sides.
func (s *sheet) same(region uint32, ring []lattice.Point) bool {
	_, t, i := s.tile(region)
	corners := t.RegionCorners(i)
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
		bends(len(ring), func(k int) lattice.Point { return ring[k] }),
		bends(len(corners), func(k int) lattice.Point { return t.Vertices[corners[k]].Point }))
}
