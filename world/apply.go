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
	changed := c.w.changed
	for k := range c.w.sheets {
		var err error
		if changed[k], err = c.cut(ctx, k, changed[k][:0]); err != nil {
			return nil, Change{}, err
		}
	}
	out, meshes := Change{Sequence: c.next.sequence}, make([]lazyMesh, len(c.w.sheets))
	for k, s := range c.w.sheets {
		outcome, err := c.reindex(k, changed[k], &meshes[k])
		if err != nil {
			c.rollBackAll(changed[:k+1])
			return nil, Change{}, fmt.Errorf("world: %w", err)
		}
		out.Boxes = slices.Grow(out.Boxes, len(outcome.Boxes)*(len(c.w.sheets)-k))
		for i := range outcome.Boxes {
			out.Boxes = append(out.Boxes, s.bounds(&outcome.Boxes[i]))
		}
		if k == 0 {
			out.Stale, out.Fresh = outcome.Gone, outcome.New
		}
	}
	if c.links {
		out.Ends = c.ends()
	}
	if err := c.w.log.append(c.next.sequence, c.edits); err != nil {
		c.rollBackAll(changed)
		return nil, Change{}, err
	}
	return c.next, out, nil
}

// cut finds the new states of a radius, and appends the regions with other cells to a list.
func (c *change) cut(ctx context.Context, k int, changed []uint32) ([]uint32, error) {
	s := c.w.sheets[k]
	states := c.old.floors[k].states.edit()
	work := cutting{ctx: ctx, w: c.next, s: s, cutter: &c.w.cutter, painted: c.painted}
	touched := c.touch(k, s)
	left, come := c.hits[0], c.hits[1]
	for n, region := range touched {
		if n%16 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("world: %w", ctx.Err())
		}
		old := states.at(region)
		st, gone, came := *old, takeOn(&left, region), takeOn(&come, region)
		if len(gone) > 0 || len(came) > 0 || c.painted {
			work.region = region
			if err := work.recut(&st, gone, came); err != nil {
				return nil, err
			}
		}
		before, after := c.old.replacement(s, region, old), c.next.replacement(s, region, &st)
		if before.Whole != after.Whole || before.Block != after.Block {
			changed = append(changed, region)
		}
		if st != *old {
			states.set(region, st)
		}
	}
	c.next.floors[k].states = states.vector
	return changed, nil
}

// reindex makes the index of new states. mesh is for the mesh that somebody may ask for.
func (c *change) reindex(k int, changed []uint32, mesh *lazyMesh) (outcome query.Outcome, err error) {
	f := &c.next.floors[k]
	if len(changed) == 0 && !c.links && !c.painted && len(c.doors) == 0 {
		return outcome, nil
	}
	list := c.w.replacements[:0]
	for _, region := range changed {
		list = append(list, c.next.replacement(c.w.sheets[k], region, f.states.at(region)))
	}
	defer func() { // no change keeps the floor of another
		clear(list)
		c.w.replacements = list
	}()
	if len(c.doors) > 0 && c.links {
		c.w.editors[k].CloseLinks(c.next.shut(k))
	}
	if c.painted {
		if err := c.w.editors[k].SetCosts(c.next.costs()); err != nil {
			return query.Outcome{}, err
		}
	}
	var ix *query.Index
	if c.links {
		ix, outcome, err = c.w.editors[k].ApplyLinks(list, c.next.linksOf(k))
	} else {
		ix, outcome, err = c.w.editors[k].Apply(list)
	}
	if err != nil {
		return outcome, err
	}
	f.index, f.mesh = ix, mesh
	return outcome, nil
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

// ends returns bounds of the start and of the end of each link that the change brings, takes, opens or closes.
func (c *change) ends() (list []geom.Box) {
	for k, s := range c.w.sheets {
		for i, mark := range c.doors {
			if c.old.marks[mark] != c.next.marks[mark] && !slices.Contains(c.doors[:i], mark) {
				list = append(slices.Grow(list, (len(c.w.sheets)-k)*len(s.ends[mark])), s.ends[mark]...)
			}
		}
		for _, pair := range [2][2][]*thing{{c.old.links, c.next.links}, {c.next.links, c.old.links}} {
			for _, t := range pair[0] {
				if slices.Contains(pair[1], t) {
					continue
				}
				for i := range t.links[k] {
					list = s.appendEnds(list, &t.links[k][i])
				}
			}
		}
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
		list[i] = c.old.replacement(c.w.sheets[k], region, c.old.floors[k].states.at(region))
	}
	// What stood before stands again: no error is possible.
	c.w.editors[k].CloseLinks(c.old.shut(k))
	_ = c.w.editors[k].SetCosts(c.old.costs())
	_, _, _ = c.w.editors[k].ApplyLinks(list, c.old.linksOf(k))
}

// touch lists the hits of the things that went and of the things that came, and returns the changing regions in order.
func (c *change) touch(k int, s *sheet) []uint32 {
	list := c.w.touched[:0]
	for _, t := range c.fresh {
		t.reached[k] = s.hits(t, t.prints[k])
	}
	for i, things := range [2][]*thing{c.gone, c.fresh} {
		c.hits[i] = hitsOf(things, k)
		for j := range c.hits[i] {
			list = append(list, c.hits[i][j].region)
		}
	}
	for _, mark := range c.doors {
		list = append(list, s.marks[mark]...)
	}
	if c.painted {
		for _, t := range c.next.things.all() {
			if t.brush == nil {
				continue
			}
			for i := range t.reached[k] {
				list = append(list, t.reached[k][i].region)
			}
		}
	}
	slices.Sort(list)
	c.w.touched = slices.Compact(list)
	return c.w.touched
}

// hitsOf returns the hits of things for a radius, by region.
func hitsOf(things []*thing, k int) (hits []hit) {
	if len(things) == 1 {
		return things[0].reached[k] // by region already
	}
	for _, t := range things {
		hits = append(hits, t.reached[k]...)
	}
	sortByRegion(hits)
	return hits
}

// sortByRegion sorts hits by region, and keeps the order of the hits on a region.
func sortByRegion(hits []hit) {
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(a.region, b.region) })
}

// takeOn takes the hits on a region off a list by region. No hit is on a region before.
func takeOn(hits *[]hit, region uint32) []hit {
	n := 0
	for n < len(*hits) && (*hits)[n].region == region {
		n++
	}
	taken := (*hits)[:n:n]
	*hits = (*hits)[n:]
	return taken
}

// isShut reports whether a region has a closed mark.
func (s *sheet) isShut(region uint32, marks []bool) bool {
	return len(marks) > 0 && slices.ContainsFunc(s.marked[region], func(m navmesh.Marked) bool { return marks[m.Mark] })
}

// layerFloor is a layer under a footprint: the heights of its floor there, and the outline that the footprint takes.
type layerFloor struct {
	layer     uint32
	low, high int32
	outline   []lattice.Ring
}

// hits returns the hits of a thing on the regions that the thing acts on or divides, region by region.
func (s *sheet) hits(t *thing, print *footprint.Footprint) []hit {
	if print == nil || print.Box.IsEmpty() || print.Low >= math.MaxInt32-1 || print.High <= math.MinInt32+1 || print.Low+1 > print.High-1 {
		return nil
	}
	var room [16]int32
	var roomForHits [8]hit
	out := roomForHits[:0]
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
		if !meets(s.shapes[region].Ring, outline) {
			return
		}
		box := lattice.EmptyBox()
		for _, ring := range outline {
			box = box.Union(lattice.BoxOf(ring...))
		}
		out = append(out, hit{region: region, id: id, thing: t, print: print, rings: outline, box: box, effect: e})
	}
	for _, n := range near {
		if f := outlineOf(uint32(n)); len(f.outline) > 0 {
			add(uint32(n), f.outline, acts)
		}
	}
	// Outlines that end at a portal, because the floor behind is too high or too low, divide the floor behind as well, and
	// the floor behind that: both sides of a portal know the same lines.
	for n := 0; n < len(out); n++ {
		region, outline := out[n].region, out[n].rings
		slot, tile, i := s.tile(region)
		for _, p := range tile.RegionPortals(i) {
			other := s.firstRegion[slot] + p.To
			known := slices.ContainsFunc(out, func(h hit) bool { return h.region == other && &h.rings[0] == &outline[0] })
			if !known {
				add(other, outline, divides)
			}
		}
	}
	sortByRegion(out)
	return slices.Clone(out)
}

// meets reports whether rings may come within reach of a convex region, seen from above.
func meets(border []lattice.Point, rings []lattice.Ring) bool {
	for _, r := range rings {
		apart := false
		a := border[len(border)-1]
		for _, b := range border {
			// A side separates where all points are farther outside than reach.
			nearest := int64(math.MinInt64)
			for k := 0; k < len(r) && nearest < 0; k++ {
				nearest = max(nearest, lattice.Orient(a, b, r[k]))
			}
			if nearest < 0 && nearest < -int64(math.Ceil(reach*a.Distance(b))) {
				apart = true
				break
			}
			a = b
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

// bounds returns an area in metres.
func (s *sheet) bounds(area *query.Area) geom.Box {
	at := func(p [3]int32) geom.Vec { return s.mesh.Frame.ToWorld(lattice.Point{X: p[0], Y: p[1]}, p[2]) }
	a, b := at(area.Low), at(area.High)
	return geom.Box{
		Min: geom.Vec{X: min(a.X, b.X), Y: a.Y, Z: min(a.Z, b.Z)},
		Max: geom.Vec{X: max(a.X, b.X), Y: b.Y, Z: max(a.Z, b.Z)},
	}
}

// appendEnds appends bounds of the start and of the end of a link, in metres.
func (s *sheet) appendEnds(list []geom.Box, l *navmesh.Link) []geom.Box {
	for _, e := range [2][2]lattice.Vertex{l.Start, l.End} {
		a, b := s.mesh.Frame.ToWorld(e[0].Point, e[0].Z), s.mesh.Frame.ToWorld(e[1].Point, e[1].Z)
		list = append(list, geom.EmptyBox().Extend(a).Extend(b))
	}
	return list
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
