package world

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/footprint"
)

// finish makes the snapshot of a change.
func (c *change) finish(ctx context.Context) (*whole, Change, error) {
	if err := c.repaint(); err != nil {
		return nil, Change{}, err
	}
	c.next.floors = slices.Clone(c.old.floors)
	// First all cells, because a change may stop here; then the indexes.
	changed := make([][]uint32, len(c.w.sheets))
	for k := range c.w.sheets {
		var err error
		if changed[k], err = c.cut(ctx, k); err != nil {
			return nil, Change{}, err
		}
	}
	out := Change{Sequence: c.next.sequence}
	for k, s := range c.w.sheets {
		gone, fresh, err := c.reindex(k, changed[k])
		if err != nil {
			for j := range k + 1 {
				c.rollBack(j, changed[j])
			}
			return nil, Change{}, fmt.Errorf("world: %w", err)
		}
		for _, region := range changed[k] {
			out.Boxes = append(out.Boxes, s.bounds(region))
		}
		if k == 0 {
			out.Stale, out.Fresh = gone, fresh
		}
	}
	return c.next, out, nil
}

// cut finds the new states of a radius, and lists the regions with other cells.
func (c *change) cut(ctx context.Context, k int) (changed []uint32, err error) {
	s := c.w.sheets[k]
	states := c.old.floors[k].states.edit()
	for n, region := range c.touch(k, s, &states) {
		if n%16 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("world: %w", ctx.Err())
		}
		old := c.old.floors[k].states.at(region)
		st, err := s.cut(c.next, &c.w.cutter, region, states.at(region), states.at(region).hits, c.near(region))
		if err != nil {
			return nil, err
		}
		if st.cut != old.cut || (st.closed > 0) != (old.closed > 0) || !sameCells(st.cells, old.cells) {
			changed = append(changed, region)
		}
		states.set(region, st)
	}
	c.next.floors[k].states = states.vector
	return changed, nil
}

// reindex makes the index of new states, and returns the regions that are gone and those that are new.
func (c *change) reindex(k int, changed []uint32) (gone, fresh []navmesh.Ref, err error) {
	f := &c.next.floors[k]
	if len(changed) == 0 && !c.links && !c.painted && c.doors == nil {
		return nil, nil, nil
	}
	list := make([]query.Replacement, len(changed))
	for i, region := range changed {
		list[i] = f.states.at(region).replacement(region)
	}
	if c.doors != nil {
		c.w.editors[k].CloseLinks(c.next.shut(k))
	}
	var ix *query.Index
	var outcome query.Outcome
	if c.links {
		ix, outcome, err = c.w.editors[k].ApplyLinks(list, c.next.linksOf(k))
	} else {
		ix, outcome, err = c.w.editors[k].Apply(list)
	}
	if costs := c.next.costs(); err == nil && costs != nil {
		ix, err = ix.With(query.Filter{AreaCosts: costs})
	}
	if err != nil {
		return nil, nil, err
	}
	f.index, f.mesh = ix, new(lazyMesh)
	return outcome.Gone, outcome.New, nil
}

// shut returns the links of a base whose marks are closed, nil for none.
func (w *whole) shut(k int) []bool {
	links := w.world.sheets[k].mesh.Links
	if !slices.Contains(w.marks, true) || len(links) == 0 {
		return nil
	}
	list := make([]bool, len(links))
	for i := range links {
		list[i] = links[i].Mark > 0 && w.marks[links[i].Mark-1]
	}
	return list
}

// linksOf returns the links of a radius that are things.
func (w *whole) linksOf(k int) (list []navmesh.Link) {
	for _, t := range w.links {
		list = append(list, t.links[k]...)
	}
	return list
}

// rollBack takes the replacements of a radius back.
func (c *change) rollBack(k int, changed []uint32) {
	list := make([]query.Replacement, len(changed))
	for i, region := range changed {
		list[i] = c.old.floors[k].states.at(region).replacement(region)
	}
	// What stood before stands again: no error is possible.
	c.w.editors[k].CloseLinks(c.old.shut(k))
	_, _, _ = c.w.editors[k].ApplyLinks(list, c.old.linksOf(k))
}

// touch takes the things that went from the states of their regions, adds the things that came, and returns the regions
// of both in order.
func (c *change) touch(k int, s *sheet, states *editing[state]) []uint32 {
	touched := map[uint32]bool{}
	c.hits = map[uint32][]hit{}
	for _, t := range c.gone {
		id := t.edit.thing()
		for _, region := range t.reached[k] {
			st := *states.at(region)
			st.hits = slices.DeleteFunc(slices.Clone(st.hits), func(h hit) bool {
				if h.id == id {
					c.hits[region] = append(c.hits[region], h)
				}
				return h.id == id
			})
			states.set(region, st)
			touched[region] = true
		}
	}
	for _, t := range c.fresh {
		hits := s.hits(t, t.prints[k])
		t.reached[k] = make([]uint32, 0, len(hits))
		for region, list := range hits {
			st := *states.at(region)
			c.hits[region] = append(c.hits[region], list...)
			st.hits = slices.Concat(st.hits, list)
			order(st.hits)
			states.set(region, st)
			t.reached[k] = append(t.reached[k], region)
			touched[region] = true
		}
		slices.Sort(t.reached[k])
	}
	if c.doors != nil {
		for region := range s.marked(c.doors) {
			st := *states.at(region)
			st.closed = s.closed(region, c.next.marks)
			states.set(region, st)
			touched[region] = true
		}
	}
	if c.painted {
		for _, t := range c.next.things.all() {
			if t.brush != nil {
				for _, region := range t.reached[k] {
					touched[region] = true
				}
			}
		}
	}
	list := make([]uint32, 0, len(touched))
	for region := range touched {
		list = append(list, region)
	}
	slices.Sort(list)
	return list
}

// near returns the hits of a region that a change takes or brings; nil for all hits.
func (c *change) near(region uint32) []hit {
	if c.painted {
		return nil
	}
	return append([]hit{}, c.hits[region]...)
}

// marked returns the regions that have one of some marks.
func (s *sheet) marked(marks map[int]bool) map[uint32]bool {
	list := map[uint32]bool{}
	for k := range marks {
		for _, region := range s.marks[k] {
			list[region] = true
		}
	}
	return list
}

// closed returns the number of closed marks of a region.
func (s *sheet) closed(region uint32, marks []bool) (n int) {
	_, t, i := s.tile(region)
	for _, m := range t.MarksOf(i) {
		if marks[m.Mark] {
			n++
		}
	}
	return n
}

// hits returns the regions that a thing acts on, or divides.
func (s *sheet) hits(t *thing, print *footprint.Footprint) map[uint32][]hit {
	if print == nil || print.Box.IsEmpty() || print.Low >= math.MaxInt32-1 || print.High <= math.MinInt32+1 || print.Low+1 > print.High-1 {
		return nil
	}
	near := s.around(nil, print.Box, print.Low+1, print.High-1)
	// The floor of a layer has one outline.
	type span struct{ low, high int32 }
	spans := map[uint32]span{}
	for _, id := range near {
		l := s.layer(uint32(id))
		b, ok := spans[l]
		if !ok {
			b = span{s.low[id], s.high[id]}
		}
		spans[l] = span{min(b.low, s.low[id]), max(b.high, s.high[id])}
	}
	rings := map[uint32][]lattice.Ring{}
	for l, b := range spans {
		if outline, ok := print.Level(b.low, b.high); ok {
			rings[l] = outline
		} else {
			rings[l] = print.Uneven(s.floorUnder(l, print.Box))
		}
	}
	out := map[uint32][]hit{}
	acts := takes
	if t.brush != nil && !t.brush.closes() {
		acts = paints
	}
	id := t.edit.thing()
	add := func(region uint32, outline []lattice.Ring, e effect) {
		if meets(s.shape(region).Ring, outline) {
			out[region] = append(out[region], hit{id: id, thing: t, print: print, rings: outline, effect: e})
		}
	}
	for _, n := range near {
		if outline := rings[s.layer(uint32(n))]; len(outline) > 0 {
			add(uint32(n), outline, acts)
		}
	}
	// Outlines that end at a portal, because the floor behind is too high or too low, divide the floor behind as well.
	for _, n := range near {
		region := uint32(n)
		outline := rings[s.layer(region)]
		if len(outline) == 0 {
			continue
		}
		slot, tile, i := s.tile(region)
		for _, p := range tile.RegionPortals(i) {
			other := s.firstRegion[slot] + p.To
			known := slices.ContainsFunc(out[other], func(h hit) bool { return &h.rings[0] == &outline[0] })
			if !known {
				add(other, outline, divides)
			}
		}
	}
	return out
}

// meets reports whether rings may come within reach of a convex region, seen from above.
func meets(border []lattice.Point, rings []lattice.Ring) bool {
	for _, r := range rings {
		apart := false
		for k, a := range border {
			b := border[(k+1)%len(border)]
			// A side separates where all points are farther outside than reach.
			limit := -int64(math.Ceil(reach * a.Distance(b)))
			apart = !slices.ContainsFunc(r, func(p lattice.Point) bool { return lattice.Orient(a, b, p) >= limit })
			if apart {
				break
			}
		}
		if !apart {
			return true
		}
	}
	return false
}

// sameCells reports whether two lists hold the same cells.
func sameCells(a, b []cell) bool {
	return slices.EqualFunc(a, b, func(x, y cell) bool {
		return x.Area == y.Area && x.Flags == y.Flags && slices.Equal(x.Ring, y.Ring) && slices.Equal(x.Sides, y.Sides)
	})
}

// bounds returns the box of a region.
func (s *sheet) bounds(region uint32) geom.Box {
	_, t, i := s.tile(region)
	box := lattice.EmptyBox()
	for _, v := range t.RegionCorners(i) {
		box = box.Extend(t.Vertices[v].Point)
	}
	a, b := s.mesh.Frame.ToWorld(box.Min, s.low[region]), s.mesh.Frame.ToWorld(box.Max, s.high[region])
	return geom.Box{
		Min: geom.Vec{X: min(a.X, b.X), Y: a.Y, Z: min(a.Z, b.Z)},
		Max: geom.Vec{X: max(a.X, b.X), Y: b.Y, Z: max(a.Z, b.Z)},
	}
}

// regionsOfMarks lists the regions of every mark.
func regionsOfMarks(m *navmesh.Mesh) [][]uint32 {
	list := make([][]uint32, len(m.Marks))
	first := uint32(0)
	for slot := range m.Tiles {
		for _, k := range m.Tiles[slot].Marked {
			list[k.Mark] = append(list[k.Mark], first+k.Region)
		}
		first += uint32(len(m.Tiles[slot].Regions))
	}
	return list
}
