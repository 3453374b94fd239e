package levelgen

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// convexSolids adds the convex parts of a loft: one between every two rings, if convex, else one over every triangle
// of the ends, else the pyramids from the middle to every face. For a boulder, all pyramids lie around the middle.
func (b *builder) convexSolids(rings [][]vec, end [][3]int, s skin) {
	n := len(rings[0])
	for k := range len(rings) - 1 {
		low, high := rings[k], rings[k+1]
		slab := append(append([]vec(nil), low...), high...)
		var faces [][3]int
		for _, t := range end {
			faces = append(faces, [3]int{t[0], t[2], t[1]}, [3]int{n + t[0], n + t[1], n + t[2]})
		}
		for i := range n {
			j := (i + 1) % n
			faces = append(faces, [3]int{i, j, n + j}, [3]int{i, n + j, n + i})
		}
		if b.convexSolid(slab, faces, s) {
			continue
		}
		prisms := make([][]vec, len(end))
		convex := true
		for i, t := range end {
			prisms[i] = []vec{low[t[0]], low[t[1]], low[t[2]], high[t[0]], high[t[1]], high[t[2]]}
			planes := b.planes(prisms[i], prismFaces, s)
			convex = convex && planes != nil
		}
		if convex {
			for _, p := range prisms {
				b.convexSolid(p, prismFaces, s)
			}
			continue
		}
		var middle vec
		for _, c := range slab {
			middle = vec{middle.x + c.x/float64(2*n), middle.y + c.y/float64(2*n), middle.h + c.h/float64(2*n)}
		}
		for _, f := range faces {
			b.convexSolid([]vec{middle, slab[f[0]], slab[f[1]], slab[f[2]]}, pyramidFaces, s)
		}
	}
}

var (
	prismFaces   = [][3]int{{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}}
	pyramidFaces = [][3]int{{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}}
)

// convexSolid adds the solid with some faces; false if it is not convex.
func (b *builder) convexSolid(corners []vec, faces [][3]int, s skin) bool {
	planes := b.planes(corners, faces, s)
	if planes == nil {
		return false
	}
	b.lvl.Solids = append(b.lvl.Solids, level.Solid{Planes: planes})
	return true
}

// planes returns the planes of a solid, each once, or nil if it is not convex up to the lattice unit of snapped corners.
// If all faces look inwards, planes turns them.
func (b *builder) planes(corners []vec, faces [][3]int, s skin) []level.Plane {
	var volume float64
	o := corners[0]
	for _, f := range faces {
		volume += corners[f[0]].sub(o).dot(corners[f[1]].sub(o).cross(corners[f[2]].sub(o)))
	}
	var planes []level.Plane
	var normals []vec
	for _, f := range faces {
		n := corners[f[1]].sub(corners[f[0]]).cross(corners[f[2]].sub(corners[f[0]]))
		length := math.Sqrt(n.dot(n))
		if length < lattice.Unit*lattice.Unit {
			continue
		}
		if volume < 0 {
			length = -length
		}
		n = vec{n.x / length, n.y / length, n.h / length}
		offset := n.dot(corners[f[0]])
		again := false
		for i, m := range normals {
			again = again || m.dot(n) > 1-1e-6 && onPlane(corners, f, m, planes[i].Offset)
		}
		if again {
			continue
		}
		for _, c := range corners {
			if n.dot(c)-offset > lattice.Unit {
				return nil
			}
		}
		name := s.side
		if n.h > 0 && float64(n.h*n.h) >= 0.5 {
			name = s.top
		}
		normals = append(normals, n)
		planes = append(planes, level.Plane{Normal: geom.FromGround(n.x, n.y, n.h), Offset: offset, Material: b.material(name)})
	}
	if len(planes) < 4 {
		return nil
	}
	return planes
}

// onPlane reports whether the corners of a face are on a plane, up to a lattice unit.
func onPlane(corners []vec, f [3]int, n vec, offset float64) bool {
	for _, k := range f {
		if math.Abs(n.dot(corners[k])-offset) > lattice.Unit {
			return false
		}
	}
	return true
}
