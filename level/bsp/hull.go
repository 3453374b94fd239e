package bsp

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
)

// huller turns the planes of a brush into its faces.
//
// Idea: on each plane a square that is larger than the world is cut by all other planes; the face remains. A
// plane that only touches the brush along an edge or in a corner leaves nothing. Compilers add planes of this
// kind for collisions (bevels). The common corners of faces are then made equal.
//
// Guarantees:
//  1. Every corner is behind every plane, or within weldDistance of it (TestHullsOfRandomBrushes).
//  2. Faces close: every edge has an opposite edge, unless corners nearly coincide; then there may be gaps as
//     wide as weldDistance (TestHullsOfRandomBrushes).
//  3. The planes of whole boxes come out as their exact corners (TestHullTable).
//
// Degenerate cases: a plane twice counts once; planes that touch from outside have no face; a brush without
// volume, or without an end in some direction, has no faces (TestHullTable).
//
// Cost: O(n²) cuts for n planes, each linear in the corners of a face.
type huller struct {
	planes  []plane
	corners []geom.Vec // of the whole brush, each once

	arena    []geom.Vec // corners of all faces
	faces    []polygon
	work, to []geom.Vec
}

// polygon is a convex face, counter-clockwise seen from its front.
type polygon struct {
	plane   int
	corners []geom.Vec
}

const (
	// slack is how far a point may be from a plane and still be on it. The normals of the format are
	// float32 and leave corners of four planes and more a hundredth of a unit apart, far from the
	// middle of the world.
	slack = 1.0 / 64
	// weldDistance is how far the same corner may be from itself in two faces.
	weldDistance = 1.0 / 16
	// grid is the raster for corners within slack of it. Authors build on whole units and their simple
	// fractions.
	grid = 8
)

// polygons returns the faces of the solid behind all planes. Faces, h.planes and h.corners are valid until
// the next call.
func (h *huller) polygons(planes []plane) []polygon {
	h.planes = planes
	h.corners, h.arena, h.faces = h.corners[:0], h.arena[:0], h.faces[:0]
	for i := range planes {
		corners := h.cut(i)
		if len(corners) < 3 {
			continue
		}
		start := len(h.arena)
		for _, v := range corners {
			if !within(v) {
				return nil // goes on to the end of the square
			}
			w := h.corner(v)
			if len(h.arena) == start || h.arena[len(h.arena)-1] != w {
				h.arena = append(h.arena, w)
			}
		}
		if last := len(h.arena) - 1; last > start && h.arena[last] == h.arena[start] {
			h.arena = h.arena[:last]
		}
		if len(h.arena)-start < 3 {
			h.arena = h.arena[:start]
			continue
		}
		h.faces = append(h.faces, polygon{plane: i, corners: h.arena[start:len(h.arena):len(h.arena)]})
	}
	if len(h.faces) < 4 {
		return nil
	}
	return h.faces
}

// cut returns the part of plane i behind all others.
func (h *huller) cut(i int) []geom.Vec {
	h.work = square(h.work[:0], h.planes[i])
	for k, p := range h.planes {
		if k == i {
			continue
		}
		var front, behind bool
		for _, v := range h.work {
			d := p.distance(v)
			front = front || d > slack
			behind = behind || d < -slack
		}
		switch {
		case !front && !behind: // the same plane, or its back: then the brush has no volume
			if k < i || p.normal.Dot(h.planes[i].normal) < 0 {
				return nil
			}
		case !behind:
			return nil
		case front:
			h.to = clip(h.to[:0], h.work, p)
			h.work, h.to = h.to, h.work
		}
	}
	return h.work
}

// corner returns the corner of the brush that v is, within weldDistance.
func (h *huller) corner(v geom.Vec) geom.Vec {
	for _, c := range h.corners {
		if math.Abs(c.X-v.X) < weldDistance && math.Abs(c.Y-v.Y) < weldDistance && math.Abs(c.Z-v.Z) < weldDistance {
			return c
		}
	}
	v = geom.Vec{X: snap(v.X), Y: snap(v.Y), Z: snap(v.Z)}
	h.corners = append(h.corners, v)
	return v
}

// snap moves x to the raster if x is within slack of it. It never returns -0.
func snap(x float64) float64 {
	if r := math.Round(x*grid) / grid; math.Abs(x-r) < slack {
		return r + 0
	}
	return x
}

// distance returns how far v is in front of p.
func (p plane) distance(v geom.Vec) float64 { return p.normal.Dot(v) - p.offset }

// square returns a square on p that is larger than the world, counter-clockwise seen from the
// front.
func square(to []geom.Vec, p plane) []geom.Vec {
	n := p.normal
	ax, ay, az := math.Abs(n.X), math.Abs(n.Y), math.Abs(n.Z)
	up := geom.Vec{Z: 1}
	if az > ax && az > ay {
		up = geom.Vec{X: 1}
	}
	right := up.Cross(n).Unit().Scale(4 * maxCoord)
	up = n.Cross(right)
	middle := n.Scale(p.offset)
	return append(to,
		middle.Sub(right).Sub(up), middle.Add(right).Sub(up),
		middle.Add(right).Add(up), middle.Sub(right).Add(up),
	)
}

// clip appends the part of a convex polygon behind p or within slack of p.
func clip(to, corners []geom.Vec, p plane) []geom.Vec {
	a := corners[len(corners)-1]
	da := p.distance(a)
	for _, b := range corners {
		db := p.distance(b)
		if da > slack && db < -slack || da < -slack && db > slack {
			to = append(to, p.crossing(a, b, da, db))
		}
		if db <= slack {
			to = append(to, b)
		}
		a, da = b, db
	}
	return to
}

// crossing returns where the edge from a to b, which are da and db in front of p, meets p. It is the
// same place for the edge from b to a.
func (p plane) crossing(a, b geom.Vec, da, db float64) geom.Vec {
	if da < db {
		a, b, da, db = b, a, db, da
	}
	t := da / (da - db)
	// On a plane across an axis that coordinate needs no arithmetic.
	at := func(n, x, y float64) float64 {
		if n == 1 || n == -1 {
			return n * p.offset
		}
		return x + float64(t*(y-x))
	}
	return geom.Vec{X: at(p.normal.X, a.X, b.X), Y: at(p.normal.Y, a.Y, b.Y), Z: at(p.normal.Z, a.Z, b.Z)}
}
