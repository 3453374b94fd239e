package gltf

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestDraco reads a level that the npm packages gltf-transform 4.5.1 (edgebreaker and sequential, 14 bits) and gltf-pipeline 4.3.1
// (default settings, 11 bits) have compressed.
func TestDraco(t *testing.T) {
	want, err := levelgen.Generate("arch", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantBox, up := want.Bounds(), faceUp(want)
	for _, name := range []string{"draco-transform.glb", "draco-sequential.glb", "draco-pipeline.glb"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		lvl := decode(t, data)
		box := lvl.Bounds()
		if len(lvl.Triangles) != len(want.Triangles) || box.Min.Distance(wantBox.Min) > 0.02 || box.Max.Distance(wantBox.Max) > 0.02 {
			t.Errorf("%s: %d triangles in %v, want %d in %v", name, len(lvl.Triangles), box, len(want.Triangles), wantBox)
		}
		if a := faceUp(lvl); math.Abs(a-up) > 0.002*up {
			t.Errorf("%s: %g m² face up, want %g", name, a, up)
		}
		for i, tri := range lvl.Triangles {
			if tri.Material != want.Triangles[i].Material && len(lvl.Materials) != len(want.Materials) {
				t.Errorf("%s: triangle %d has material %d", name, i, tri.Material)
				break
			}
		}
	}
}

// faceUp returns the area that faces up.
func faceUp(lvl *level.Level) (sum float64) {
	for _, tri := range lvl.Triangles {
		a := lvl.Vertices[tri.A]
		sum += max(lvl.Vertices[tri.B].Sub(a).Cross(lvl.Vertices[tri.C].Sub(a)).Y/2, 0)
	}
	return sum
}

// TestDracoFaults damages the extension and the compressed data.
func TestDracoFaults(t *testing.T) {
	data, err := os.ReadFile("testdata/draco-transform.glb")
	if err != nil {
		t.Fatal(err)
	}
	text, bin, err := splitGLB(data)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), `"KHR_draco_mesh_compression":{`)
	for _, c := range []struct{ old, new, want string }{
		{`"POSITION":0`, `"POSITION":7`, "KHR_draco_mesh_compression: draco: no positions among the attributes"},
		{`"POSITION":0`, `"PLACE":0`, "KHR_draco_mesh_compression: no POSITION"},
		{`"bufferView":0`, `"bufferView":99`, "KHR_draco_mesh_compression: buffer view 99 of"},
	} {
		bad := string(text[:at]) + strings.Replace(string(text[at:]), c.old, c.new, 1)
		if bad == string(text) {
			t.Fatalf("%s is not in the file", c.old)
		}
		if _, err := Decode(strings.NewReader(string(glb(bad, bin))), nil, "a.glb", level.Limits{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.new, err, c.want)
		}
	}
	broken := bytes.Replace(data, []byte("DRACO\x02\x02"), []byte("DRACO\x02\x01"), 1)
	if _, err := Decode(bytes.NewReader(broken), nil, "a.glb", level.Limits{}); err == nil || !strings.Contains(err.Error(), "version 2.1, only 2.2 is read") {
		t.Errorf("another version: %v", err)
	}
	if _, err := Decode(bytes.NewReader(data), nil, "a.glb", level.Limits{Triangles: 100}); err == nil {
		t.Error("more triangles than the limit are no error")
	}
}
