package draw_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/draw"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/world"
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

// TestShaper: the shapes of a mesh that changes are those of the same mesh anew, and regions that stay are not draped again.
func TestShaper(t *testing.T) {
	lvl, err := levelgen.Generate("city", levelgen.Options{Size: 60})
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := meadow.Build(t.Context(), lvl, meadow.Agent{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := meadow.NewWorld(t.Context(), mesh, meadow.WorldOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var shaper draw.Shaper
	before := shaper.Shapes(w.Now().Mesh(), 0.03)
	for step := range 4 {
		middle := before.Regions[(7*step)%len(before.Regions)].Middle
		if _, err := w.Apply(t.Context(), world.Put{ID: world.ID(fmt.Sprintf("crate %d", step)), Solid: world.Box{Base: middle, Size: geom.Vec{X: 1, Y: 2, Z: 1}}}); err != nil {
			t.Fatal(err)
		}
		m := w.Now().Mesh()
		got, want := shaper.Shapes(m, 0.03), draw.MeshShapes(m, 0.03)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("step %d: the shapes differ from those of the mesh anew", step)
		}
		lines := map[*geom.Vec]bool{}
		for _, e := range before.Edges {
			lines[&e.Line[0]] = true
		}
		same := 0
		for _, e := range got.Edges {
			if lines[&e.Line[0]] {
				same++
			}
		}
		if 10*same < 9*len(got.Edges) {
			t.Errorf("step %d: %d of %d edges are those of the mesh before, want nine tenths", step, same, len(got.Edges))
		}
		before = got
	}
	if up := shaper.Shapes(w.Now().Mesh(), 0.5); !reflect.DeepEqual(up, draw.MeshShapes(w.Now().Mesh(), 0.5)) {
		t.Error("another height gives the shapes of the height before")
	}
}
