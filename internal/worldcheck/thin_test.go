package worldcheck

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

// TestThin looks at a wedge of floor of 40 units by 4000.
func TestThin(t *testing.T) {
	tile := navmesh.Tile{
		Regions: []navmesh.Region{{Count: 3, Flags: navmesh.DefaultFlags}}, Corners: []uint32{0, 1, 2}, Layers: make([]navmesh.Layer, 1),
		Vertices: []lattice.Vertex{{Point: lattice.Point{X: -20}}, {Point: lattice.Point{X: 20}}, {Point: lattice.Point{Y: 4000}}},
	}
	tile.Derive()
	m := &navmesh.Mesh{Tiles: []navmesh.Tile{tile}}
	m.Connect()
	q := query.NewIndex(m).NewQuery()
	for y, want := range map[float64]bool{100: false, 3000: false, 3900: true, 3990: true} {
		at := geom.FromGround(0, y*lattice.Unit, 0)
		if _, ok := q.Locate(at); !ok {
			t.Fatalf("no floor at %v", at)
		}
		if got := thin(q, at); got != want {
			t.Errorf("the wedge is thin %g units from its wide end: %t", y, got)
		}
	}
}
