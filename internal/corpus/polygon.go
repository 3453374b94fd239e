// Package corpus makes inputs for tests: random simple polygons with holes of many characters,
// the same for the same seed on every machine.
package corpus

import (
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Shape is the character of a polygon.
type Shape uint8

// The shapes. All but Star and Comb are mazes: corridors of a random spanning tree of a grid of
// rooms, with one more door for every hole.
const (
	// Slanted: every vertex of the maze is moved a little, so no two edges are parallel.
	Slanted Shape = iota
	// AxisAligned: straight walls, corners only.
	AxisAligned
	// Collinear: straight axis-parallel walls with vertices in the middle of their runs.
	Collinear
	// Sheared: as Collinear, but no run is axis-parallel, and all are exactly straight.
	Sheared
	// Needle: corridors and walls a few units wide and thousands long.
	Needle
	// Rough: walls with many small random steps, as contours of rasters have them.
	Rough
	// Star: a star-shaped outer ring with long and short spikes, and holes of the same kind.
	Star
	// Comb: slits of a unit's width from both sides, with holes between them.
	Comb

	shapes // their number
)

// Shapes lists all shapes.
func Shapes() []Shape {
	all := make([]Shape, shapes)
	for i := range all {
		all[i] = Shape(i)
	}
	return all
}

// String returns the name of the shape, for the names of subtests.
func (s Shape) String() string {
	names := [...]string{"slanted", "axis-aligned", "collinear", "sheared", "needle", "rough", "star", "comb"}
	if int(s) < len(names) {
		return names[s]
	}
	return "unknown"
}

// Polygon returns a simple polygon with about the given number of points and exactly the given number of
// holes (at least as many points as the holes need are taken). The seed also chooses the shape: consecutive
// seeds have different shapes.
func Polygon(seed uint64, points, holes int) lattice.Polygon {
	return Make(Shape(seed%uint64(shapes)), seed, points, holes)
}

// Make is [Polygon] for a given shape.
func Make(shape Shape, seed uint64, points, holes int) lattice.Polygon {
	r := rand.New(rand.NewPCG(seed, uint64(shape)))
	points, holes = max(points, 8), max(holes, 0)
	switch shape {
	case Star:
		return star(r, points, holes)
	case Comb:
		return comb(r, points, holes)
	}
	return shapeMaze(r, shape, points, holes)
}

// shapeMaze gives a maze of unit cells its character.
func shapeMaze(r *rand.Rand, shape Shape, points, holes int) lattice.Polygon {
	perRoom := 4 // unit edges of border per room of a tree
	switch shape {
	case AxisAligned, Needle:
		perRoom = 3 // corners per room, about
	case Rough:
		perRoom = 4 * 8
	}
	rooms := max((points+perRoom-1)/perRoom, 2*holes+4)
	p := maze(r, rooms, holes)
	switch shape {
	case AxisAligned:
		return place(merge(p), func(q lattice.Point) lattice.Point {
			return lattice.Point{X: q.X * 4096, Y: q.Y * 4096}
		})
	case Collinear:
		return place(p, func(q lattice.Point) lattice.Point {
			return lattice.Point{X: q.X * 2048, Y: q.Y * 2048}
		})
	case Sheared:
		return place(p, func(q lattice.Point) lattice.Point {
			return lattice.Point{X: q.X*500 + q.Y*173, Y: q.Y*490 - q.X*91}
		})
	case Needle:
		return place(merge(p), func(q lattice.Point) lattice.Point {
			return lattice.Point{X: q.X*9000 + jitter(r, 1500), Y: q.Y*9 + jitter(r, 1)}
		})
	case Rough:
		return place(roughen(p, 8), func(q lattice.Point) lattice.Point {
			return lattice.Point{X: q.X*64 + jitter(r, 25), Y: q.Y*64 + jitter(r, 25)}
		})
	}
	return place(p, func(q lattice.Point) lattice.Point {
		return lattice.Point{X: q.X*1000 + jitter(r, 240), Y: q.Y*1000 + jitter(r, 240)}
	})
}

// jitter returns a random number within ±size.
func jitter(r *rand.Rand, size int32) int32 { return r.Int32N(2*size+1) - size }

// place moves every point.
func place(p lattice.Polygon, move func(lattice.Point) lattice.Point) lattice.Polygon {
	for _, ring := range p.Rings {
		for i, q := range ring {
			ring[i] = move(q)
		}
	}
	return p
}

// merge drops the vertices in the middle of straight runs.
func merge(p lattice.Polygon) lattice.Polygon {
	for k, ring := range p.Rings {
		var corners lattice.Ring
		for i, q := range ring {
			if lattice.Orient(ring[(i+len(ring)-1)%len(ring)], q, ring[(i+1)%len(ring)]) != 0 {
				corners = append(corners, q)
			}
		}
		p.Rings[k] = corners
	}
	return p
}

// roughen splits every unit edge into n and scales the polygon by n, so that the edges have unit
// length again.
func roughen(p lattice.Polygon, n int32) lattice.Polygon {
	for k, ring := range p.Rings {
		fine := make(lattice.Ring, 0, len(ring)*int(n))
		for i, a := range ring {
			b := ring[(i+1)%len(ring)]
			for t := range n {
				fine = append(fine, lattice.Point{X: a.X*n + (b.X-a.X)*t, Y: a.Y*n + (b.Y-a.Y)*t})
			}
		}
		p.Rings[k] = fine
	}
	return p
}
