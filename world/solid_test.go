package world

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
)

var (
	triangle = []geom.Vec{{X: 1}, {X: 2, Z: 1}, {X: 1, Z: 2}}
	tetra    = TriangleMesh{
		Vertices:  []geom.Vec{{}, {X: 1}, {Z: 1}, {Y: 1}},
		Triangles: [][3]int32{{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}},
	}
)

// TestSolids makes shapes of all solids.
func TestSolids(t *testing.T) {
	for _, s := range []Solid{
		Box{Size: geom.Vec{X: 1, Y: 1, Z: 1}, Yaw: 1},
		Cylinder{Radius: 1, Height: 1},
		Prism{Outline: triangle, Top: 1},
		Prism{Outline: append(triangle[:3:3], triangle[0]), Top: 1}, // closed by hand
		tetra,
	} {
		if _, err := shapeOf(s, lattice.Frame{}); err != nil {
			t.Errorf("%#v: %v", s, err)
		}
	}
}

// TestBadSolids checks that every fault of a solid has an error with the names of the solid and of the field.
func TestBadSolids(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(-1)
	unit := geom.Vec{X: 1, Y: 1, Z: 1}
	with := func(m TriangleMesh, change func(*TriangleMesh)) TriangleMesh {
		m = copyOf(m).(TriangleMesh)
		change(&m)
		return m
	}
	for _, c := range []struct {
		solid Solid
		names []string
	}{
		{nil, []string{"nil"}},
		{&Box{}, []string{"*world.Box"}},
		{Box{Base: geom.Vec{X: nan}, Size: unit}, []string{"box", "Base"}},
		{Box{Size: geom.Vec{X: 1, Y: 0, Z: 1}}, []string{"box", "Size"}},
		{Box{Size: geom.Vec{X: 1, Y: nan, Z: 1}}, []string{"box", "Size"}},
		{Box{Size: geom.Vec{X: 1, Y: 1, Z: math.Inf(1)}}, []string{"box", "Size"}},
		{Box{Size: unit, Yaw: inf}, []string{"box", "Yaw"}},
		{Box{Base: geom.Vec{X: 3e5}, Size: unit}, []string{"box", "frame"}},
		{Box{Base: geom.Vec{Y: 3e5}, Size: unit}, []string{"box", "frame"}},
		{Box{Size: geom.Vec{X: 1, Y: math.MaxFloat64, Z: 1}}, []string{"box", "frame"}},
		{Box{Size: geom.Vec{X: math.MaxFloat64, Y: 1, Z: 1}, Yaw: 1}, []string{"box", "frame"}},
		{Cylinder{Base: geom.Vec{Z: inf}, Radius: 1, Height: 1}, []string{"cylinder", "Base"}},
		{Cylinder{Radius: -1, Height: 1}, []string{"cylinder", "Radius"}},
		{Cylinder{Radius: nan, Height: 1}, []string{"cylinder", "Radius"}},
		{Cylinder{Radius: 1}, []string{"cylinder", "Height"}},
		{Cylinder{Radius: 3e5, Height: 1}, []string{"cylinder", "frame"}},
		{Cylinder{Base: geom.Vec{X: -262143}, Radius: 5, Height: 1}, []string{"cylinder", "frame"}},
		{Prism{Top: 1}, []string{"prism", "Outline", "0 different points"}},
		{Prism{Outline: triangle, Bottom: 1, Top: 1}, []string{"prism", "Top"}},
		{Prism{Outline: triangle, Top: nan}, []string{"prism", "Top"}},
		{Prism{Outline: triangle, Bottom: inf}, []string{"prism", "Bottom"}},
		{Prism{Outline: triangle, Bottom: -3e5}, []string{"prism", "frame"}},
		{Prism{Outline: []geom.Vec{{}, {X: 1}, {X: nan}}, Top: 1}, []string{"prism", "point 2"}},
		{Prism{Outline: []geom.Vec{{}, {X: 1}, {Z: 1e6}}, Top: 1}, []string{"prism", "point 2", "frame"}},
		{Prism{Outline: []geom.Vec{{}, {X: 1}, {X: 2}}, Top: 1}, []string{"prism", "Outline"}},
		{Prism{Outline: []geom.Vec{{}, {}, {X: 1}, {X: 1e-5}}, Top: 1}, []string{"prism", "2 different points"}},
		{Prism{Outline: []geom.Vec{{}, {X: 1, Z: 1}, {X: 4, Z: 4}, {X: 4}, {Z: 2}}, Top: 1}, []string{"prism", "cross", "points 1 and 3 ", "x 1.333"}},
		{Prism{Outline: []geom.Vec{{Z: 2}, {X: 4}, {X: 4, Z: 4}, {X: 1, Z: 1}, {}}, Top: 1}, []string{"prism", "cross", "points 0 and 2 ", "z 1.333"}},
		{Prism{Outline: []geom.Vec{{}, {X: 2}, {X: 2, Z: 2}, {X: 1}, {Z: 2}}, Top: 1}, []string{"prism", "touch", "x 1.000"}},
		{Prism{Outline: []geom.Vec{{}, {X: 2}, {X: 1, Z: 1}, {X: 2, Z: 2}, {Z: 2}, {X: 1, Z: 1}}, Top: 1}, []string{"prism", "points 2 and 5", "same place"}},
		{Prism{Outline: []geom.Vec{{}, {X: 2}, {X: 1}, {Z: 1}}, Top: 1}, []string{"prism", "turns back", "point 1"}},
		{Prism{Outline: make([]geom.Vec, 1<<16+1), Top: 1}, []string{"prism", "65537"}},
		{TriangleMesh{Vertices: tetra.Vertices}, []string{"mesh", "Triangles"}},
		{with(tetra, func(m *TriangleMesh) { m.Triangles[2][1] = 4 }), []string{"mesh", "triangle 2", "vertex 4"}},
		{with(tetra, func(m *TriangleMesh) { m.Triangles[2][1] = -1 }), []string{"mesh", "triangle 2", "vertex -1"}},
		{with(tetra, func(m *TriangleMesh) { m.Vertices[3].Z = nan }), []string{"mesh", "vertex 3"}},
		{with(tetra, func(m *TriangleMesh) { m.Vertices[3].Y = 3e5 }), []string{"mesh", "vertex 3", "frame"}},
		{with(tetra, func(m *TriangleMesh) { m.At.X = -3e5 }), []string{"mesh", "vertex 0", "frame"}},
		{with(tetra, func(m *TriangleMesh) { m.At.X = nan }), []string{"mesh", "At"}},
		{with(tetra, func(m *TriangleMesh) { m.Yaw = nan }), []string{"mesh", "Yaw"}},
		{TriangleMesh{Triangles: make([][3]int32, 1<<20+1)}, []string{"mesh", "1048577"}},
		{TriangleMesh{Triangles: make([][3]int32, 1), Vertices: make([]geom.Vec, 1<<20+1)}, []string{"mesh", "1048577"}},
	} {
		_, err := shapeOf(c.solid, lattice.Frame{})
		if err == nil {
			t.Errorf("%.80v: no error", c.solid)
			continue
		}
		for _, name := range c.names {
			if text := err.Error(); !strings.Contains(text, name) || strings.Contains(text, "\n") || len(text) > 200 {
				t.Errorf("error %q, want %q in it", err, name)
			}
		}
	}
}

// TestCopies checks that a copied solid is the same and does not change with the caller's.
func TestCopies(t *testing.T) {
	outline := append([]geom.Vec(nil), triangle...)
	mesh := TriangleMesh{Vertices: append([]geom.Vec(nil), tetra.Vertices...), Triangles: append([][3]int32(nil), tetra.Triangles...)}
	for _, s := range []Solid{Box{Yaw: 1}, Cylinder{Radius: 2}, Prism{Outline: outline, Top: 1}, mesh} {
		c := copyOf(s)
		if !reflect.DeepEqual(c, s) {
			t.Errorf("a copy of %v is %v", s, c)
		}
		outline[0].X++
		mesh.Vertices[0].X++
		mesh.Triangles[0][0]++
		switch s.(type) {
		case Prism, TriangleMesh:
			if reflect.DeepEqual(c, s) {
				t.Errorf("a copy of a %T changes with it", s)
			}
		}
	}
}
