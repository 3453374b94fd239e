package world

import (
	"cmp"
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
			c.rollBackAll(changed[:k+1])
			return nil, Change{}, fmt.Errorf("world: %w", err)
		}
		for _, region := range changed[k] {
			out.Boxes = append(out.Boxes, s.bounds(region))
		}
		if k == 0 {
			out.Stale, out.Fresh = gone, fresh
		}
	}
	if err := c.w.log.append(c.next.sequence, c.edits); err != nil {
		c.rollBackAll(changed)
		return nil, Change{}, err
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

// rollBackAll takes the replacements of the first radii back.
func (c *change) rollBackAll(changed [][]uint32) {
	for k := range changed {
		c.rollBack(k, changed[k])
	}
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

// reached is a hit on a region.
type reached struct {
	region uint32
	hit    hit
}

// touch takes the things that went from the states of their regions, adds the things that came, and returns the regions
// of both in order.
func (c *change) touch(k int, s *sheet, states *editing[state]) []uint32 {
	var list []uint32
	c.hits = c.hits[:0]
	for _, t := range c.gone {
		id := t.edit.thing()
		for _, region := range t.reached[k] {
			st := *states.at(region)
			left := make([]hit, 0, len(st.hits))
			for _, h := range st.hits {
				if h.id == id {
					c.hits = append(c.hits, reached{region, h})
				} else {
					left = append(left, h)
				}
			}
			st.hits = left
			states.set(region, st)
			list = append(list, region)
		}
	}
	for _, t := range c.fresh {
		came := s.hits(t, t.prints[k])
		t.reached[k] = make([]uint32, 0, len(came))
		c.hits = append(c.hits, came...)
		for len(came) > 0 {
			region := came[0].region
			st := *states.at(region)
			st.hits = slices.Clone(st.hits)
			for len(came) > 0 && came[0].region == region {
				st.hits = append(st.hits, came[0].hit)
				came = came[1:]
			}
			order(st.hits)
			states.set(region, st)
			t.reached[k] = append(t.reached[k], region)
			list = append(list, region)
		}
	}
	for mark := range c.doors {
		for _, region := range s.marks[mark] {
			st := *states.at(region)
			st.closed = s.closed(region, c.next.marks)
			states.set(region, st)
			list = append(list, region)
		}
	}
	if c.painted {
		for _, t := range c.next.things.all() {
			if t.brush != nil {
				list = append(list, t.reached[k]...)
			}
		}
	}
	slices.Sort(list)
	slices.SortStableFunc(c.hits, func(a, b reached) int { return cmp.Compare(a.region, b.region) })
	return slices.Compact(list)
}

// near returns the hits of a region that a change takes or brings; nil for all hits.
func (c *change) near(region uint32) []hit {
	if c.painted {
		return nil
	}
	list := []hit{}
	first, _ := slices.BinarySearchFunc(c.hits, region, func(r reached, region uint32) int { return cmp.Compare(r.region, region) })
	for _, r := range c.hits[first:] {
		if r.region != region {
			break
		}
		list = append(list, r.hit)
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

// layerFloor is a layer under a footprint: the heights of its floor there, and the outline that the footprint takes.
type layerFloor struct {
	layer     uint32
	low, high int32
	outline   []lattice.Ring
}

// hits returns the hits of a thing on the regions that the thing acts on or divides, region by region.
func (s *sheet) hits(t *thing, print *footprint.Footprint) (out []reached) {
	if print == nil || print.Box.IsEmpty() || print.Low >= math.MaxInt32-1 || print.High <= math.MinInt32+1 || print.Low+1 > print.High-1 {
		return nil
	}
	var room [16]int32
	near := s.around(room[:0], print.Box, print.Low+1, print.High-1)
	// The floor of a layer has one outline.
	var layers []layerFloor
	outlineOf := func(region uint32) *layerFloor {
		l := s.layer(region)
		k := slices.IndexFunc(layers, func(f layerFloor) bool { return f.layer == l })
		if k < 0 {
			k = len(layers)
			layers = append(layers, layerFloor{layer: l, low: s.low[region], high: s.high[region]})
		}
		return &layers[k]
	}
	for _, n := range near {
		f := outlineOf(uint32(n))
		f.low, f.high = min(f.low, s.low[n]), max(f.high, s.high[n])
	}
	for i := range layers {
		f := &layers[i]
		var ok bool
		if f.outline, ok = print.Level(f.low, f.high); !ok {
			f.outline = print.Uneven(s.floor(f.layer))
		}
	}
	acts := takes
	if t.brush != nil && !t.brush.closes() {
		acts = paints
	}
	id := t.edit.thing()
	add := func(region uint32, outline []lattice.Ring, e effect) {
		if meets(s.shape(region).Ring, outline) {
			out = append(out, reached{region, hit{id: id, thing: t, print: print, rings: outline, effect: e}})
		}
	}
	for _, n := range near {
		if f := outlineOf(uint32(n)); len(f.outline) > 0 {
			add(uint32(n), f.outline, acts)
		}
	}
	// Outlines that end at a portal, because the floor behind is too high or too low, divide the floor behind as well, and
	// the floor behind that: both sides of a portal know the same lines.
	for n := 0; n < len(out); n++ {
		region, outline := out[n].region, out[n].hit.rings
		slot, tile, i := s.tile(region)
		for _, p := range tile.RegionPortals(i) {
			other := s.firstRegion[slot] + p.To
			known := slices.ContainsFunc(out, func(r reached) bool { return r.region == other && &r.hit.rings[0] == &outline[0] })
			if !known {
				add(other, outline, divides)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b reached) int { return cmp.Compare(a.region, b.region) })
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
