package erode

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/planar"
)

// footprint is the part of the floor that a wall takes: the rectangle beside the wall, or the sector around its end.
type footprint struct {
	ring   lattice.Ring // convex
	starts []int32      // the regions beside the wall
	rays   func(visit func(region int32, between [2]halfplane))
}

// cut is a part to remove from a layer.
type cut struct {
	layer int32
	ring  lattice.Ring
}

// cutter finds the parts that walls take from the layers.
type cutter struct {
	*surface
	reach   float64 // maximum distance of a footprint from its wall, in lattice units
	offset  overlay.Offset
	divided int // footprints divided among regions
}

// cuts returns the cuts of every layer, in the order of the walls.
func (c *cutter) cuts(ctx context.Context, jobs int) ([][]lattice.Ring, error) {
	var edges [][2]*edge // each with the next edge around the floor
	for _, b := range c.bounds() {
		for i := range b.edges {
			edges = append(edges, [2]*edge{&b.edges[i], &b.edges[(i+1)%len(b.edges)]})
		}
	}
	const chunk = 64
	found := make([][]cut, (len(edges)+chunk-1)/chunk)
	divided := make([]int, len(found))
	err := par.For(ctx, jobs, len(found), func(k int) error {
		for _, e := range edges[k*chunk : min((k+1)*chunk, len(edges))] {
			feet, err := c.footprints(e[0], e[1])
			if err != nil {
				return err
			}
			for i := range feet {
				if layers, ok := c.undivided(&feet[i]); ok {
					for _, l := range layers {
						found[k] = append(found[k], cut{l, feet[i].ring})
					}
				} else {
					divided[k]++
					found[k] = c.divide(&feet[i], found[k])
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := make([][]lattice.Ring, len(c.layers))
	for k, list := range found {
		c.divided += divided[k]
		for _, x := range list {
			out[x.layer] = append(out[x.layer], x.ring)
		}
	}
	return out, nil
}

// footprints returns the footprints of an edge and of the corner between the edge and the next.
func (c *cutter) footprints(e, next *edge) ([]footprint, error) {
	side, err := c.offset.Beside(e.b, e.a)
	if err != nil {
		return nil, err
	}
	f := footprint{ring: side, rays: func(visit func(int32, [2]halfplane)) { c.beams(e, visit) }}
	for _, w := range e.walls {
		f.starts = append(f.starts, c.items[w].region)
	}
	feet := []footprint{f}
	starts := []int32{c.items[e.walls[len(e.walls)-1]].region}
	for _, p := range e.fan {
		starts = append(starts, c.items[p].to)
	}
	corner := func(before, after segment) error {
		ring, err := c.offset.Corner(after.b, before.b, before.a)
		feet = append(feet, footprint{ring, starts, func(visit func(int32, [2]halfplane)) { c.fan(before, after, starts, visit) }})
		return err
	}
	turn := lattice.Orient(e.a, e.b, next.b)
	switch {
	case turn < 0 || turn == 0 && lattice.Dot(e.b, e.a, next.b) > 0:
		err = corner(e.segment, next.segment)
	case turn > 0 && c.floorAround(e) > math.Pi:
		// Rounding has folded the tip of a wall between two layers over itself: the tip has floor all around.
		if err = corner(e.segment, segment{e.b, e.a}); err == nil {
			err = corner(segment{next.b, next.a}, next.segment)
		}
	}
	return feet, err
}

// floorAround returns the angle of the floor around the end of an edge, in radians.
func (c *cutter) floorAround(e *edge) float64 {
	sum := 0.0
	enter := e.walls[len(e.walls)-1]
	for i := 0; ; i++ {
		leave := c.after(enter)
		v := at(c.items[leave].a)
		from, to := at(c.items[leave].b).sub(v), at(c.items[enter].a).sub(v)
		sum += math.Abs(math.Atan2(from.cross(to), from.dot(to)))
		if i == len(e.fan) {
			return sum
		}
		enter = c.items[leave].back
	}
}

// undivided returns the layers that lose the whole footprint; ok is false if a whole cut would also remove floor out of
// the wall's sight.
//
// Consider the straight line from a place in the footprint to the wall. If the line reaches the wall, or ends at
// another wall before, the place is lost anyway. A line inside the footprint, which is convex, leaves a layer only at
// walls and at seams. Hence the footprint may be taken whole if no seam is near. Near a seam two conditions are needed.
// The regions joined to the wall inside the footprint must not overlap. Other regions of their layers inside the
// footprint must have walls around them there.
func (c *cutter) undivided(f *footprint) (layers []int32, ok bool) {
	own := c.regions[f.starts[0]].layer
	wide := around(f.ring, 2*slack) // rounding and straightened walls may have moved the footprint beside a seam
	box := wide.Box()
	near := false
	c.seams.Each(box, func(i int) bool {
		near = touches(wide, c.crossed[i])
		return !near
	})
	if !near {
		return []int32{own}, true
	}
	joined := c.joined(wide, f.starts)
	for _, r := range joined {
		if l := c.regions[r].layer; !slices.Contains(layers, l) {
			layers = append(layers, l)
		}
	}
	slices.Sort(layers)
	ok = true
	c.index.Each(box, func(i int) bool {
		r := &c.regions[i]
		if r.from < r.end && slices.Contains(layers, r.layer) && !slices.Contains(joined, int32(i)) && planar.Overlap(f.ring, r.ring) {
			ok = len(layers) == 1 && !slices.ContainsFunc(c.joined(wide, []int32{int32(i)}), func(k int32) bool { return c.regions[k].layer != own })
		}
		return ok
	})
	for i, r := range joined {
		for _, k := range joined[:i] {
			ok = ok && (c.regions[r].layer == c.regions[k].layer || !c.overlap(f.ring, r, k))
		}
	}
	return layers, ok
}

// around returns the hull of the squares around points, with the given distance along the axes.
func around(points []lattice.Point, by int32) lattice.Ring {
	var all []lattice.Point
	for _, p := range points {
		for _, d := range [4][2]int32{{-by, -by}, {by, -by}, {by, by}, {-by, by}} {
			all = append(all, lattice.Point{X: floor(float64(p.X) + float64(d[0])), Y: floor(float64(p.Y) + float64(d[1]))})
		}
	}
	return lattice.Hull(all)
}

// joined returns the regions connected to some regions inside a convex ring, including these regions.
func (c *cutter) joined(ring lattice.Ring, from []int32) []int32 {
	var out []int32
	for _, r := range from {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for i := 0; i < len(out); i++ {
		r := &c.regions[out[i]]
		for _, k := range c.items[r.from:r.end] {
			if k.to >= 0 && !slices.Contains(out, k.to) && touches(ring, k.segment) {
				out = append(out, k.to)
			}
		}
	}
	return out
}

// touches reports exactly whether a segment and a convex ring have a common point.
func touches(ring lattice.Ring, s segment) bool {
	last := ring[len(ring)-1]
	left, right := false, false
	for _, p := range ring {
		if lattice.Orient(last, p, s.a) < 0 && lattice.Orient(last, p, s.b) < 0 {
			return false
		}
		last = p
		o := lattice.Orient(s.a, s.b, p)
		left, right = left || o >= 0, right || o <= 0
	}
	return left && right
}

// sliver is the apparent overlap, in square units, that rounding may give to polygons that only meet.
const sliver = 1.0 / 16

// overlap reports whether two regions lie over each other inside a convex ring.
func (c *cutter) overlap(ring lattice.Ring, r, k int32) bool {
	a, b := &c.regions[r], &c.regions[k]
	if !a.box.Overlaps(b.box) || !planar.Overlap(a.ring, b.ring) {
		return false
	}
	common := places(ring)
	for _, of := range [2][]lattice.Point{a.ring, b.ring} {
		for i, p := range of {
			common = halfplaneOf(p, of[(i+1)%len(of)]).clip(common)
		}
	}
	return areaOf(common) > sliver
}

// slack is the overlap, in units, of neighbouring parts of footprints; without slack rounding would leave gaps.
const slack = 2

// divide adds the parts of a footprint in sight of the wall, region by region.
func (c *cutter) divide(f *footprint, list []cut) []cut {
	f.rays(func(region int32, between [2]halfplane) {
		r := &c.regions[region]
		part := places(f.ring)
		for _, h := range between {
			part = h.moved(slack).clip(part)
		}
		for i, p := range r.ring {
			part = halfplaneOf(p, r.ring[(i+1)%len(r.ring)]).moved(slack).clip(part)
		}
		var points []lattice.Point
		for _, p := range part {
			points = append(points, p.rounded())
		}
		if hull := lattice.Hull(points); len(hull) > 2 {
			list = append(list, cut{r.layer, hull})
		}
	})
	return list
}
