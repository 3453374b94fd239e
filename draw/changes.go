package draw

import (
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

var (
	freshColor   = Color{255, 112, 0, 150}
	changedColor = Color{196, 26, 120, 255}
)

// Changes highlights the regions of a mesh that another mesh of the same frame does not have, and the boxes where a change
// took or gave floor. Regions are equal if their corners are. A nil mesh has no regions.
func Changes(now, before *navmesh.Mesh, boxes []geom.Box) List {
	var list List
	if now == nil {
		return list
	}
	known := map[string]bool{}
	eachRegion(before, func(d *meshDrawer, i int, ring []lattice.Vertex) {
		known[ringKey(ring, d.tile.Regions[i].Layer)] = true
	})
	eachRegion(now, func(d *meshDrawer, i int, ring []lattice.Vertex) {
		if known[ringKey(ring, d.tile.Regions[i].Layer)] {
			return
		}
		d.floor(i).fill(ring, func(a, b, c geom.Vec) {
			list.Triangles = append(list.Triangles, Triangle{P: [3]geom.Vec{a, b, c}, Fill: freshColor, Bias: 2 * overlayBias})
		})
	})
	for _, b := range boxes {
		if b.IsEmpty() {
			continue
		}
		p := func(x, z float64) geom.Vec { return geom.Vec{X: x, Y: b.Max.Y, Z: z} }
		list.Lines = append(list.Lines, Line{
			P:     []geom.Vec{p(b.Min.X, b.Min.Z), p(b.Max.X, b.Min.Z), p(b.Max.X, b.Max.Z), p(b.Min.X, b.Max.Z), p(b.Min.X, b.Min.Z)},
			Color: changedColor, Width: 2, OnTop: true,
		})
	}
	return list
}

// eachRegion visits the regions with sound indices.
func eachRegion(m *navmesh.Mesh, visit func(d *meshDrawer, i int, ring []lattice.Vertex)) {
	if m == nil {
		return
	}
	for t := range m.Tiles {
		d := meshDrawer{tile: &m.Tiles[t]}
		for j := range d.tile.Layers {
			d.floors = append(d.floors, newSurface(m.Frame, &d.tile.Layers[j].Floor, lift(0, 0.05)))
		}
		d.bare = newSurface(m.Frame, &lattice.TIN{}, lift(0, 0.05))
		for i := range d.tile.Regions {
			if ring := d.corners(i); len(ring) >= 3 {
				visit(&d, i, ring)
			}
		}
	}
}

// ringKey is equal for regions of equal corners, whatever the first one is.
func ringKey(ring []lattice.Vertex, layer uint16) string {
	first := 0
	for i, v := range ring {
		w := ring[first]
		if v.X != w.X && v.X < w.X || v.X == w.X && v.Y < w.Y {
			first = i
		}
	}
	b := []byte{byte(layer), byte(layer >> 8)}
	for _, v := range slices.Concat(ring[first:], ring[:first]) {
		for _, c := range [3]int32{v.X, v.Y, v.Z} {
			b = append(b, byte(c), byte(c>>8), byte(c>>16), byte(c>>24))
		}
	}
	return string(b)
}

// Solid is a closed or open surface to draw, such as a box that stands in a level.
type Solid struct {
	Vertices  []geom.Vec
	Triangles [][3]int32
}

// Solids draws surfaces, lit. Triangles with wrong indices are left out. The zero Color is a dark grey.
func Solids(solids []Solid, color Color) List {
	if color == (Color{}) {
		color = Color{112, 117, 128, 255}
	}
	var list List
	for _, s := range solids {
		for _, t := range s.Triangles {
			var p [3]geom.Vec
			sound := true
			for i, v := range t {
				if sound = sound && v >= 0 && int(v) < len(s.Vertices); sound {
					p[i] = s.Vertices[v]
				}
			}
			if sound {
				list.Triangles = append(list.Triangles, Triangle{P: p, Fill: color, Lit: true})
			}
		}
	}
	return list
}
