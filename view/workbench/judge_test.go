package workbench_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/view/workbench"
)

// TestMeasure: every chart has a value and a bar for each region, bars count the regions in them, and the values are those of the
// distribution.
func TestMeasure(t *testing.T) {
	b := workbench.New()
	do(t, b, "generate", map[string]any{"kind": "arch"}, nil, nil)
	do(t, b, "build", map[string]any{"radius": 0.3}, nil, nil)
	var m struct {
		Regions int
		Rows    []struct{ Name, Text, Verdict string }
		Charts  []struct {
			Name    string
			Trouble int
			Bars    []struct {
				Text  string
				Count int
			}
			Box struct {
				Mean, Min, Max *float64
				Count          int
			}
		}
	}
	body := do(t, b, "measure", nil, nil, &m)
	if m.Regions < 3 || len(m.Charts) != 6 || len(m.Rows) < 12 {
		t.Fatalf("measured %+v", m)
	}
	for _, c := range m.Charts {
		counts := make([]int, len(c.Bars))
		sum, least, most := 0.0, math.Inf(1), math.Inf(-1)
		for i := range m.Regions {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(body[4*i:])))
			sum, least, most = sum+v, min(least, v), max(most, v)
			bar := body[4*m.Regions+i]
			counts[bar]++
			var low, high float64
			if n, _ := fmt.Sscanf(c.Bars[bar].Text, "%g to %g", &low, &high); n == 2 && (v < low-1e-6 || v > high+1e-6) {
				t.Errorf("%s: %v is in the bar %q", c.Name, v, c.Bars[bar].Text)
			}
		}
		body = body[(5*m.Regions+3)/4*4:]
		for k, bar := range c.Bars {
			if bar.Count != counts[k] || bar.Text == "" {
				t.Errorf("%s: bar %d is %+v, and %d regions are in it", c.Name, k, bar, counts[k])
			}
		}
		if c.Box.Count == 0 {
			continue
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-5*(1+math.Abs(b)) }
		if mean := sum / float64(m.Regions); !near(mean, *c.Box.Mean) || !near(least, *c.Box.Min) || !near(most, *c.Box.Max) {
			t.Errorf("%s: the values are %v to %v, mean %v; the box says %v to %v, mean %v", c.Name, least, most, mean, *c.Box.Min, *c.Box.Max, *c.Box.Mean)
		}
	}
	if len(body) != 0 {
		t.Errorf("%d bytes are left over", len(body))
	}
}

// TestRival: a second mesh stands beside the first by another method or from a file, has paths of its own, and goes with the first.
func TestRival(t *testing.T) {
	b := workbench.New()
	do(t, b, "generate", map[string]any{"kind": "arch"}, nil, nil)
	if _, err := try(t, b, "rival", map[string]any{"generator": "delaunay"}, nil); err == nil {
		t.Error("a second mesh without a first")
	}
	var built, other struct {
		Name    string
		Regions int
		Area    float64
	}
	do(t, b, "build", map[string]any{"radius": 0.3}, nil, &built)
	file := do(t, b, "save", nil, nil, nil)
	ends := map[string]any{"from": []float64{-2, 3, -12}, "to": []float64{0, 5, 0}, "reach": 6}
	if scene := do(t, b, "rival", map[string]any{"generator": "delaunay"}, nil, &other); len(scene) == 0 || other.Name != "delaunay" || other.Regions == built.Regions {
		t.Fatalf("the second mesh is %+v beside %+v", other, built)
	}
	if math.Abs(other.Area-built.Area) > 0.01*built.Area {
		t.Errorf("the second mesh has %v m², the first %v m²", other.Area, built.Area)
	}
	var first, second struct {
		Complete bool
		Length   float64
	}
	do(t, b, "path", ends, nil, &first)
	do(t, b, "rivalPath", ends, nil, &second)
	if !first.Complete || !second.Complete || math.Abs(first.Length-second.Length) > 0.01 {
		t.Errorf("the path is %+v on the first mesh and %+v on the second", first, second)
	}
	do(t, b, "rival", map[string]any{"file": "first.mesh"}, file, &other)
	if other.Regions != built.Regions {
		t.Errorf("the file of the first mesh has %d regions, want %d", other.Regions, built.Regions)
	}
	if _, err := try(t, b, "rival", map[string]any{"file": "x.mesh"}, file[:len(file)/2]); err == nil || !strings.Contains(err.Error(), "x.mesh") {
		t.Errorf("half of a file: %v", err)
	}
	if _, err := try(t, b, "rival", map[string]any{"generator": "nobody"}, nil); err == nil || !strings.Contains(err.Error(), "nobody") {
		t.Errorf("an unknown method: %v", err)
	}
	do(t, b, "rivalPath", ends, nil, nil)
	do(t, b, "build", nil, nil, nil)
	if _, err := try(t, b, "rivalPath", ends, nil); err == nil {
		t.Error("the second mesh outlives the first")
	}
}

// TestFindings: parts left out are listed with their places, the mesh of Meadow passes the judgement by the whole floor, and a mesh
// for a wider agent of the same level, which lacks floor, does not.
func TestFindings(t *testing.T) {
	b := workbench.New()
	if _, err := try(t, b, "verify", nil, nil); err == nil {
		t.Error("a judgement without a mesh")
	}
	level, err := os.ReadFile("testdata/plate.obj")
	if err != nil {
		t.Fatal(err)
	}
	// Two plates far apart: the smaller one is left out.
	level = append(level, "\nv 100 0 100\nv 102 0 100\nv 102 0 102\nv 100 0 102\nf -1 -2 -3 -4\n"...)
	do(t, b, "open", file("plates.obj", level), level, nil)
	do(t, b, "build", map[string]any{"radius": 0.3}, nil, nil)
	var found workbench.Findings
	do(t, b, "faults", nil, nil, &found)
	if len(found.List) != 1 || found.Count != 1 || found.List[0].Kind != "dropped" || found.List[0].At == nil || found.List[0].At[0] < 99 {
		t.Fatalf("findings %+v, want the plate that is left out", found)
	}
	do(t, b, "verify", nil, nil, &found)
	for _, row := range found.Rows {
		if row.Verdict != "pass" {
			t.Errorf("%s: %s", row.Name, row.Text)
		}
	}
	if len(found.Rows) < 6 || len(found.List) != 0 {
		t.Errorf("the mesh of the level is judged %+v", found)
	}
	other := workbench.New()
	do(t, other, "open", file("plates.obj", level), level, nil)
	do(t, other, "build", map[string]any{"radius": 0.3, "keepAll": true}, nil, nil)
	whole := do(t, other, "save", nil, nil, nil)
	do(t, b, "rival", map[string]any{"file": "whole.mesh"}, whole, nil)
	do(t, b, "verify", map[string]any{"rival": true}, nil, &found)
	text, _ := json.Marshal(found)
	if !bytes.Contains(text, []byte(`"parts"`)) {
		t.Errorf("the second mesh is judged %s", text)
	}
	// The other way round: half of the floor is missing.
	small := do(t, b, "save", nil, nil, nil)
	do(t, other, "rival", map[string]any{"file": "small.mesh"}, small, nil)
	do(t, other, "verify", map[string]any{"rival": true}, nil, &found)
	if len(found.List) == 0 || found.List[0].At == nil || found.List[0].At[0] < 99 {
		t.Errorf("the mesh without the second plate is judged %+v", found)
	}
}
