package navmesh

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// Bounds returns the smallest box around all vertices, the empty box for a mesh without vertices.
func (m *Mesh) Bounds() geom.Box {
	if m == nil {
		return geom.EmptyBox()
	}
	b := geom.EmptyBox()
	for i := range m.Tiles {
		for _, v := range m.Tiles[i].Vertices {
			b = b.Extend(m.Frame.ToWorld(v.Point, v.Z))
		}
	}
	return b
}

// Area returns the projected area of all regions in square metres.
func (m *Mesh) Area() float64 {
	if m == nil {
		return 0
	}
	var sum float64
	for i := range m.Tiles {
		t := &m.Tiles[i]
		for r := range t.Regions {
			sum += float64(t.regionRing(r).Area2())
		}
	}
	return lattice.SquareMetres(sum)
}

// Center returns the mean of the corners of region r, at the mean of their heights: a point inside the region up to
// rounding; ok is false for a stale or foreign r.
func (m *Mesh) Center(r Ref) (center geom.Vec, ok bool) {
	t, _, ok := m.Region(r)
	if !ok {
		return geom.Vec{}, false
	}
	corners := t.RegionCorners(r.Index())
	if len(corners) == 0 {
		return geom.Vec{}, false
	}
	var x, y, z int64
	for _, c := range corners {
		v := t.Vertices[c]
		x, y, z = x+int64(v.X), y+int64(v.Y), z+int64(v.Z)
	}
	n := float64(len(corners))
	return m.Frame.FromLocal(float64(x)/n, float64(y)/n, float64(z)/n), true
}

// RegionArea returns the projected area of region i in square metres.
func (t *Tile) RegionArea(i int) float64 {
	return lattice.SquareMetres(t.regionRing(i).Area2())
}

// regionRing returns the corners of region i as points.
func (t *Tile) regionRing(i int) lattice.Ring {
	corners := t.RegionCorners(i)
	ring := make(lattice.Ring, len(corners))
	for j, c := range corners {
		ring[j] = t.Vertices[c].Point
	}
	return ring
}
