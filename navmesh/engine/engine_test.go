package engine

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

// unity is the triangulation of a floor with a wall in its middle, as Unity gives it: vertices of triangles in different tiles are
// not shared, edges at the border of two tiles (x = 4) do not match, and there is a floor above.
const unity = "# triangulation\ng navmesh\n" +
	"v 0 0 0\nv 4 0 0\nv 4 0 4\nv 0 0 4\n" + "v 4 0.05 0\nv 8 0 0\nv 8 0 3\nv 4 0 3\nv 4 0 3\nv 8 0 3\nv 8 0 8\nv 4 0 8\n" +
	"v 0 5 0\nv 4 5 0\nv 4 5 4\n" +
	"vt 0 0\nf 3/1 2/1 1/1\nf 1 4 3\nf 7 6 5\nf 5 8 7\nf -5 -6 -7\nf -7 -4 -5\nf 15 14 13\nf 1 2 5\n"

const godot = "[gd_resource type=\"NavigationMesh\" format=3 uid=\"uid://b\"]\n\n[resource]\n" +
	"vertices = PackedVector3Array(0, 0.5, 0, 4, 0.5, 0, 4, 0.5, 4, 0, 0.5, 4, 8, 1.5, 0, 8, 1.5, 4, 2, 0.5, 2)\n" +
	"polygons = [PackedInt32Array(0, 1, 2, 3), PackedInt32Array(1, 4, 5, 2)]\nagent_height = 2.0\nagent_radius = 0.25\nagent_max_climb = 0.5\n"

func obj(t testing.TB, text string, opt Options) *navmesh.Mesh {
	t.Helper()
	m, err := ReadOBJ(strings.NewReader(text), opt)
	if err != nil {
		t.Fatal(err)
	}
	if faults := m.Validate(); len(faults) > 0 {
		t.Fatal(faults[0])
	}
	return m
}

func TestReadOBJ(t *testing.T) {
	m := obj(t, unity, Options{})
	if m.RegionCount() != 7 || m.Components != 2 || m.Area() != 16+12+20+8 {
		t.Errorf("%d regions, %d components, %g m²", m.RegionCount(), m.Components, m.Area())
	}
	if n := len(m.Tiles[0].Layers); n != 2 {
		t.Errorf("%d layers", n)
	}
	scaled := obj(t, unity, Options{Scale: 0.5})
	if scaled.Area() != m.Area()/4 {
		t.Errorf("half the scale: %g m², want %g", scaled.Area(), m.Area()/4)
	}
}

// TestLeftHanded reads the mirror image: x changes its sign, and all else stays.
func TestLeftHanded(t *testing.T) {
	m, mirror := obj(t, unity, Options{}), obj(t, unity, Options{LeftHanded: true})
	if mirror.RegionCount() != m.RegionCount() || mirror.Area() != m.Area() || mirror.Components != m.Components {
		t.Errorf("%d regions, %g m²", mirror.RegionCount(), mirror.Area())
	}
	for _, v := range mirror.Tiles[0].Vertices {
		if p := mirror.Frame.ToWorld(v.Point, v.Z); p.X > 0 || p.X < -8 || p.Z < 0 || p.Z > 8 {
			t.Errorf("a vertex at %v", p)
		}
	}
}

func TestReadGodot(t *testing.T) {
	for _, names := range [][2]string{{"Packed", "Packed"}, {"Pool", "Pool"}, {"", ""}} {
		text := strings.ReplaceAll(strings.ReplaceAll(godot, "PackedVector3Array", names[0]+"Vector3Array"), "PackedInt32Array", map[string]string{"Packed": "PackedInt32Array", "Pool": "PoolIntArray", "": "IntArray"}[names[1]])
		m, err := ReadGodot(strings.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := m.Validate(); len(faults) > 0 {
			t.Error(faults[0])
		}
		if m.RegionCount() != 2 || len(m.Tiles[0].Portals) != 2 || m.Area() != 32 || m.Agent.Radius != 0.25 || m.Agent.Height != 2 || m.Agent.MaxClimb != 0.5 {
			t.Errorf("%d regions, %d portals, %g m², %+v", m.RegionCount(), len(m.Tiles[0].Portals), m.Area(), m.Agent)
		}
		top := -math.MaxFloat64
		for _, v := range m.Tiles[0].Vertices {
			top = max(top, m.Frame.ToWorld(v.Point, v.Z).Y)
		}
		if top != 1.5 {
			t.Errorf("the highest vertex is at %g m", top)
		}
	}
	if !IsGodot([]byte(godot)[:64]) || IsGodot([]byte(`[gd_resource type="Mesh"`)) || IsGodot(nil) {
		t.Error("IsGodot is wrong")
	}
}

func TestFaults(t *testing.T) {
	readOBJ := func(text string) error { _, err := ReadOBJ(strings.NewReader(text), Options{}); return err }
	readGodot := func(text string) error { _, err := ReadGodot(strings.NewReader(text), Options{}); return err }
	for _, c := range []struct {
		name           string
		read           func(string) error
		text, old, new string
		want           string
	}{
		{"empty", readOBJ, unity, unity, "", "obj: 0 vertices and 0 polygons"},
		{"text", readOBJ, unity, "v 4 0 0", "v 4 x 0", `obj: line 4: "x" is no number`},
		{"NaN", readOBJ, unity, "v 4 0 0", "v 4 nan 0", `obj: line 4: "nan" is no number`},
		{"two coordinates", readOBJ, unity, "v 4 0 0", "v 4 0", "obj: line 4: a vertex of 2 coordinates"},
		{"far", readOBJ, unity, "v 4 0 0", "v 4e30 0 0", "obj: the mesh lies between"},
		{"corner", readOBJ, unity, "f 1 4 3", "f 1 4 99", `obj: line 20: corner "99" of 15 vertices`},
		{"corner 0", readOBJ, unity, "f 1 4 3", "f 1 4 0", `obj: line 20: corner "0" of 15 vertices`},
		{"two corners", readOBJ, unity, "f 1 4 3", "f 1 4", "obj: line 20: a polygon of 2 corners"},
		{"crossing", readOBJ, unity, "f 1 4 3", "f 1 3 4 10", "obj: line 20: the polygon at"},
		{"only upright", readOBJ, unity, unity, "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "obj: no polygon of 0 has an area"},
		{"another resource", readGodot, godot, "NavigationMesh", "Mesh", "godot: starts otherwise"},
		{"no vertices", readGodot, godot, "vertices", "points", "godot: there are no vertices"},
		{"no polygons", readGodot, godot, "polygons", "faces", "godot: there are no polygons"},
		{"kind of list", readGodot, godot, "PackedVector3Array", "Array", `godot: vertices: "Array(0`},
		{"odd list", readGodot, godot, "0.5, 0, 4,", "0.5, 4,", "godot: vertices: 20 coordinates"},
		{"no number", readGodot, godot, "0.5, 0, 4,", "0.5, zero, 4,", `godot: vertices: "zero" is no number`},
		{"no end", readGodot, godot, ", 2)]\nagent_height = 2.0\nagent_radius = 0.25\nagent_max_climb = 0.5\n", ", 2", "godot: polygon 1: the list has no end"},
		{"corner of a polygon", readGodot, godot, "(1, 4, 5, 2)", "(1, 4, 5, 7)", "godot: polygon 1: corner 7 of 7 vertices"},
		{"part of a corner", readGodot, godot, "(1, 4, 5, 2)", "(1, 4, 5, 1.5)", "godot: polygon 1: corner 1.5 of"},
		{"agent", readGodot, godot, "agent_radius = 0.25", "agent_radius = -1", "godot: agent: radius is -1"},
		{"text of the agent", readGodot, godot, "agent_radius = 0.25", "agent_radius = wide", `godot: agent_radius: "wide" is no number`},
	} {
		text := strings.Replace(c.text, c.old, c.new, 1)
		if text == c.text {
			t.Fatalf("%s: nothing replaced", c.name)
		}
		if err := c.read(text); err == nil || !strings.HasPrefix(err.Error(), "engine: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	for _, opt := range []Options{{Scale: -1}, {Scale: math.Inf(1)}, {Scale: math.NaN()}, {Climb: -1}, {Climb: math.NaN()}} {
		if _, err := ReadOBJ(strings.NewReader(unity), opt); err == nil {
			t.Errorf("%+v: no error", opt)
		}
	}
	if _, err := ReadOBJ(nil, Options{}); err == nil {
		t.Error("no reader is no error")
	}
}

func FuzzReadOBJ(f *testing.F) {
	f.Add(unity)
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := ReadOBJ(strings.NewReader(text), Options{}); err == nil && (m.Check() != nil || !m.IsSound()) {
			t.Error(m.Check(), m.Warnings())
		}
	})
}

func FuzzReadGodot(f *testing.F) {
	f.Add(godot)
	f.Fuzz(func(t *testing.T, text string) {
		if m, err := ReadGodot(strings.NewReader(text), Options{}); err == nil && (m.Check() != nil || !m.IsSound()) {
			t.Error(m.Check(), m.Warnings())
		}
	})
}

// TestLevelIsNoMesh: a level in place of a mesh is told by its walls, and a mesh with a few turned polygons is read.
func TestLevelIsNoMesh(t *testing.T) {
	floor := "v 0 0 0\nv 9 0 0\nv 9 0 -9\nv 0 0 -9\nv 0 3 0\nv 9 3 0\n"
	_, err := ReadOBJ(strings.NewReader(floor+"f 1 2 3 4\nf 1 2 6 5\n"), Options{})
	if err == nil || !strings.Contains(err.Error(), "1 of 2 polygons are walls or face down, the first in line 8") {
		t.Errorf("a floor with a wall: %v", err)
	}
	var rows strings.Builder
	n := 0
	for i := range 30 {
		fmt.Fprintf(&rows, "v %d 0 0\nv %d 0 0\nv %d 0 -1\nv %d 0 -1\n", i, i+1, i+1, i)
		if i == 7 {
			fmt.Fprintf(&rows, "f %d %d %d %d\n", n+4, n+3, n+2, n+1)
		} else {
			fmt.Fprintf(&rows, "f %d %d %d %d\n", n+1, n+2, n+3, n+4)
		}
		n += 4
	}
	m, err := ReadOBJ(strings.NewReader(rows.String()), Options{})
	if err != nil || m.RegionCount() != 29 {
		t.Errorf("a row of squares with a turned one: %v", err)
	}
}
