package brep

import (
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// cutter is a convex volume to cut with: the points behind all planes. opposites are the reverse planes, one by one.
type cutter struct {
	planes, opposites []int32
	box               solid.Box
}

func (b *body) cutter() cutter { return cutter{b.planes, b.opposites, b.Box} }

// surface finds the outer surface of the union, the part of every face outside all other bodies. Of coincident faces
// with the same direction the smaller material name stays, else the first body's; faces that lie on each other and
// look at each other vanish. The pieces of face f of body i are at place first[i]+f. Time O(k log k) splits for k
// pairs of a face and a body whose boxes meet, as long as few bodies meet in one place.
func (w *world) surface(ctx context.Context, jobs int) ([][]solid.Polygon, error) {
	out := make([][]solid.Polygon, w.first[len(w.bodies)])
	err := par.For(ctx, jobs, len(w.bodies), func(i int) error {
		b := &w.bodies[i]
		near := w.tree.IDs(&b.Box, nil)
		near = slices.DeleteFunc(near, func(k int32) bool { return int(k) == i })
		for f := range b.Faces {
			c := carver{w: w, cutters: func(k int32) cutter { return w.bodies[k].cutter() }, wins: func(k int32, plane int) bool {
				return w.wins(int32(i), f, k, plane)
			}}
			c.carve(b.Faces[f], near)
			out[w.first[i]+f] = c.outside
		}
		return nil
	})
	return out, err
}

// wins reports whether face f of body i stays where it lies on face g of body k.
func (w *world) wins(i int32, f int, k int32, g int) bool {
	a, b := w.bodies[i].materials[f].name, w.bodies[k].materials[g].name
	if a != b {
		return a < b
	}
	return i < k
}

// carver cuts polygons by volumes.
type carver struct {
	w       *world
	cutters func(k int32) cutter
	// wins reports whether the polygon stays where it coincides with a plane of cutter k of the same direction.
	wins func(k int32, plane int) bool
	// open makes cutters end short of their planes: nothing on a plane is cut.
	open bool
	// outside receives the parts outside all cutters. inside receives the rest, if wanted.
	outside, inside []solid.Polygon
	keepInside      bool
}

// carve cuts p by all of some cutters. Only a cutter that removes a part of a polygon cuts it. Cutters nearer to the
// middle of the polygon come first, so its pieces get small soon and have few cutters left.
func (c *carver) carve(p solid.Polygon, near []int32) {
	box := p.Box()
	here := make([]int32, 0, len(near))
	for _, k := range near {
		if cut := c.cutters(k); cut.box.Meets(&box) {
			here = append(here, k)
		}
	}
	for len(here) > 0 {
		at := c.nearest(&p, here)
		k := here[at]
		here = slices.Delete(here, at, at+1)
		pieces, rest, cut := c.cut(&p, k)
		if !cut {
			continue
		}
		if c.keepInside {
			c.inside = append(c.inside, rest)
		}
		for _, q := range pieces {
			c.carve(q, here)
		}
		return
	}
	c.outside = append(c.outside, p)
}

// nearest returns the place in here of the cutter whose box's middle is nearest to that of p's.
func (c *carver) nearest(p *solid.Polygon, here []int32) int {
	m := p.Middle()
	best, least := 0, 0.0
	for i, k := range here {
		b := c.cutters(k).box
		d := 0.0
		for a := range 3 {
			e := (b.Low[a]+b.High[a])/2 - m[a]
			d += float64(e * e)
		}
		if i == 0 || d < least {
			best, least = i, d
		}
	}
	return best
}

// cut cuts p by cutter k: the pieces outside it, and the rest inside. cut is false where nothing is inside.
func (c *carver) cut(p *solid.Polygon, k int32) (pieces []solid.Polygon, rest solid.Polygon, cut bool) {
	s, by := c.w.space, c.cutters(k)
	// Most pairs are apart: some plane has all of the polygon in front.
	for g, plane := range by.planes {
		switch s.Where(p, plane) {
		case solid.Front:
			return nil, rest, false
		case solid.On:
			if c.open || s.Facing(p.Plane, plane) > 0 && c.wins(k, g) {
				return nil, rest, false
			}
		}
	}
	rest = *p
	for g, plane := range by.planes {
		switch s.Where(&rest, plane) {
		case solid.Front:
			return nil, rest, false
		case solid.Across:
			behind, front := s.Split(&rest, plane, by.opposites[g])
			pieces = append(pieces, front)
			rest = behind
		}
	}
	return pieces, rest, true
}
