package workbench_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/meadow-nav/meadow/view/workbench"
)

// drawn is a layer as a page reads it.
type drawn struct {
	workbench.Drawn
	area  float64 // of its triangles in plan, m²
	left  int     // bytes that no part of the layer has
	least float64 // least height of a triangle
}

func readDrawn(t *testing.T, b *workbench.Bench, name string) drawn {
	t.Helper()
	var d drawn
	body := do(t, b, "layer", map[string]any{"name": name}, nil, &d.Drawn)
	number := func(i int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:]))) }
	d.least = math.Inf(1)
	for i := range d.Triangles {
		x, z := func(k int) float64 { return number(9*i + 3*k) }, func(k int) float64 { return number(9*i + 3*k + 2) }
		d.area += math.Abs((x(1)-x(0))*(z(2)-z(0))-(x(2)-x(0))*(z(1)-z(0))) / 2
		d.least = min(d.least, number(9*i+1))
	}
	used := d.Triangles*40 + (d.Triangles+3)/4*4
	for _, l := range d.Lines {
		used += 24*l.Strokes + (2*l.Strokes+3)/4*4
	}
	d.left = len(body) - used
	return d
}

func (d *drawn) number(t *testing.T, name string) (v float64) {
	t.Helper()
	for _, c := range d.Counts {
		if c.Name == name {
			if _, err := fmt.Sscan(c.Text, &v); err != nil {
				t.Fatalf("%s: %q", name, c.Text)
			}
			return v
		}
	}
	t.Fatalf("no count %q in %+v", name, d.Counts)
	return 0
}

// TestLayers: every layer of a level is drawn in whole; what the stages say adds up: the floor of the agent, the border that is moved
// in and the blocked floor together are the sheets of a flat level.
func TestLayers(t *testing.T) {
	b := workbench.New()
	// A floor of 20 m × 20 m, with a table 1 m above it, and a plate apart.
	level := []byte(`v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
f 1 2 3 4
v 8 1 8
v 8 1 12
v 12 1 12
v 12 1 8
f 8 7 6 5
v 30 0 0
v 30 0 4
v 34 0 4
v 34 0 0
f 9 10 11 12
`)
	do(t, b, "open", file("table.obj", level), level, nil)
	if _, err := try(t, b, "layer", map[string]any{"name": "outline"}, nil); err == nil {
		t.Error("a layer without a mesh")
	}
	var built workbench.Built
	do(t, b, "build", map[string]any{"radius": 0.5, "simplify": 0}, nil, &built)
	var list []struct {
		Name string
		Has  bool
	}
	do(t, b, "layers", nil, nil, &list)
	layers := map[string]drawn{}
	for _, l := range list {
		d := readDrawn(t, b, l.Name)
		if d.left != 0 || !l.Has {
			t.Errorf("%s: %d bytes are left over, has %v", l.Name, d.left, l.Has)
		}
		layers[l.Name] = d
	}
	near := func(name string, got, want, off float64) {
		t.Helper()
		if math.Abs(got-want) > off {
			t.Errorf("%s: %.2f, want %.2f", name, got, want)
		}
	}
	for _, name := range []string{"sheets", "blocked", "border", "dropped"} {
		d := layers[name]
		near("triangles of "+name, d.area, d.number(t, "area"), 0.1)
	}
	sheets, blocked, border, dropped := layers["sheets"], layers["blocked"], layers["border"], layers["dropped"]
	near("sheets", sheets.number(t, "area"), 20*20+4*4, 0.2)
	near("blocked, under the table", blocked.number(t, "area"), 4*4, 0.2)
	near("dropped", dropped.number(t, "area"), 3*3, 0.2)
	// Around the table the border is round at the corners.
	near("border", border.number(t, "area"), 20*20-19*19+4*4*0.5+math.Pi/4, 0.5)
	near("all", built.Area+blocked.number(t, "area")+border.number(t, "area"), 20*20, 0.3)
	heights, terrain, clearance := layers["heights"], layers["terrain"], layers["clearance"]
	for name, d := range map[string]drawn{"heights": heights, "terrain": terrain, "clearance": clearance} {
		near(name, d.area, built.Area, 0.1)
	}
	widths := layers["widths"]
	if len(widths.Labels) != built.Portals || built.Portals == 0 {
		t.Errorf("%d labels for %d portals", len(widths.Labels), built.Portals)
	}
	if outline := layers["outline"]; outline.number(t, "holes") != 1 || len(outline.Lines) != 1 {
		t.Errorf("the outline is %+v", outline.Drawn)
	}
	if _, err := try(t, b, "layer", map[string]any{"name": "moon"}, nil); err == nil {
		t.Error("a layer that nobody knows")
	}
	saved := do(t, b, "save", nil, nil, nil)
	do(t, b, "open", file("a.mesh", saved), saved, nil)
	if _, err := try(t, b, "layer", map[string]any{"name": "border"}, nil); err == nil {
		t.Error("a stage of a mesh from a file")
	}
	if d := readDrawn(t, b, "heights"); d.Triangles == 0 {
		t.Error("no heights of a mesh from a file")
	}
}
