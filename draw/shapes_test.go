package draw_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestMeshShapes: the triangles of each region cover its area, and every portal and border of the mesh is there once.
func TestMeshShapes(t *testing.T) {
	lvl, err := levelgen.Generate("arch", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	s := draw.MeshShapes(mesh.Mesh, 0.03)
	total := 0.0
	for i, r := range s.Regions {
		covered := 0.0
		for _, c := range r.Triangles {
			u, v := c[1].Sub(c[0]), c[2].Sub(c[0])
			covered += u.Cross(v).Y / 2
		}
		if math.Abs(covered-r.Area) > 0.01*r.Area+0.001 {
			t.Errorf("region %d: triangles of %.4f m², area %.4f m²", i, covered, r.Area)
		}
		total += r.Area
	}
	if math.Abs(total-mesh.Area()) > 1e-6 {
		t.Errorf("areas come to %v m², the mesh has %v", total, mesh.Area())
	}
	portals := 0
	for _, e := range s.Edges {
		if e.Behind >= 0 {
			portals++
		}
	}
	both := 0
	for i := range mesh.Tiles {
		both += len(mesh.Tiles[i].Portals)
	}
	if 2*portals != both || len(s.Edges) <= portals {
		t.Errorf("%d edges, %d of them portals; the mesh has %d sides of portals", len(s.Edges), portals, both)
	}
	if none := draw.MeshShapes(nil, 0); none.Regions != nil || none.Edges != nil {
		t.Errorf("no mesh has shapes: %+v", none)
	}
}
