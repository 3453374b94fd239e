package draw

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestChanges highlights the regions that the other mesh lacks, whatever their first corner is.
func TestChanges(t *testing.T) {
	square := func(x, first int32) []lattice.Vertex {
		ring := []lattice.Vertex{{Point: lattice.Point{X: x}}, {Point: lattice.Point{X: x + 4096}}, {Point: lattice.Point{X: x + 4096, Y: 4096}}, {Point: lattice.Point{X: x, Y: 4096}}}
		return append(ring[first:], ring[:first]...)
	}
	mesh := func(rings ...[]lattice.Vertex) *navmesh.Mesh {
		var tile navmesh.Tile
		for _, ring := range rings {
			tile.Regions = append(tile.Regions, navmesh.Region{First: uint32(len(tile.Corners)), Count: uint32(len(ring))})
			for _, v := range ring {
				tile.Corners = append(tile.Corners, uint32(len(tile.Vertices)))
				tile.Vertices = append(tile.Vertices, v)
			}
		}
		return &navmesh.Mesh{Tiles: []navmesh.Tile{tile}}
	}
	before := mesh(square(0, 0), square(5*4096, 0))
	now := mesh(square(0, 2), square(9*4096, 0))
	list := Changes(now, before, []geom.Box{{Min: geom.Vec{X: 1}, Max: geom.Vec{X: 2, Z: 1}}, geom.EmptyBox()})
	if len(list.Lines) != 1 || len(list.Lines[0].P) != 5 {
		t.Errorf("lines %v, want the outline of one box", list.Lines)
	}
	if len(list.Triangles) != 2 {
		t.Errorf("%d triangles, want 2 of the new square", len(list.Triangles))
	}
	for _, tri := range list.Triangles {
		for _, p := range tri.P {
			if p.X < 9 || p.X > 10 {
				t.Errorf("corner %v, want one of the new square", p)
			}
		}
	}
	if all := Changes(now, nil, nil); len(all.Triangles) != 4 {
		t.Errorf("%d triangles without a mesh before, want 4", len(all.Triangles))
	}
	if none := Changes(nil, now, nil); len(none.Triangles)+len(none.Lines) != 0 {
		t.Errorf("a nil mesh draws %+v", none)
	}
}

// TestSolids leaves out triangles with wrong indices.
func TestSolids(t *testing.T) {
	corners := []geom.Vec{{}, {X: 1}, {Y: 1}}
	list := Solids([]Solid{{corners, [][3]int32{{0, 1, 2}, {0, 1, 3}, {0, -1, 2}}}, {}}, Color{})
	if len(list.Triangles) != 1 || list.Triangles[0].P != [3]geom.Vec{{}, {X: 1}, {Y: 1}} || !list.Triangles[0].Lit {
		t.Errorf("triangles %+v, want one", list.Triangles)
	}
}
