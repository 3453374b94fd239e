package draw

import (
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Shapes is a mesh in parts for a viewer that picks, colours and moves the parts. Regions are numbered tile after tile.
type Shapes struct {
	Regions []RegionShape
	Edges   []EdgeShape
}

// RegionShape is a region as triangles that follow the floor of its layer.
type RegionShape struct {
	Triangles [][3]geom.Vec // counter-clockwise from above
	Color     Color         // different from the neighbours' colours
	Middle    geom.Vec      // a place on the region, with room around it
	Area      float64       // square metres in plan
}

// EdgeShape is a stretch of a region's edge, on the floor: a portal, drawn once for its two regions, or a border.
type EdgeShape struct {
	Line           []geom.Vec
	Region, Behind int // Behind is -1 for a border
}

// MeshShapes returns the parts of a mesh, at the height of the floor plus up metres. Faulty indices are skipped, as in Mesh; a
// region with faulty indices has no triangles. Time O(n) for the n corners, portals and floor triangles, if few of them overlap.
func MeshShapes(m *navmesh.Mesh, up float64) Shapes {
	var s Shapes
	if m == nil {
		return s
	}
	opt := MeshOptions{Lift: up, Seams: true}
	if up <= 0 {
		opt.Lift = -1
	}
	for i := range m.Tiles {
		d := newMeshDrawer(m, &m.Tiles[i], opt)
		first := len(s.Regions)
		colors := d.colors()
		for r := range d.tile.Regions {
			shape := RegionShape{Color: hues[colors[r]%len(hues)]}
			if ring := d.corners(r); len(ring) >= 3 {
				d.floor(r).fill(ring, func(a, b, c geom.Vec) { shape.Triangles = append(shape.Triangles, [3]geom.Vec{a, b, c}) })
				shape.Middle = d.middle(r, ring)
				shape.Area = areaOf(ring) / 2 / (lattice.UnitsPerMetre * lattice.UnitsPerMetre)
			}
			s.Regions = append(s.Regions, shape)
		}
		d.eachEdge(func(line []geom.Vec, r, behind int) {
			edge := EdgeShape{Line: line, Region: first + r, Behind: -1}
			if behind >= 0 {
				edge.Behind = first + behind
			}
			s.Edges = append(s.Edges, edge)
		})
	}
	return s
}

// LinkArc returns the arc that stands for an off-mesh link: it rises above the higher end.
func LinkArc(m *navmesh.Mesh, k *navmesh.Link, up float64) []geom.Vec {
	if m == nil || k == nil {
		return nil
	}
	return arc(m.Frame, k, up)
}
