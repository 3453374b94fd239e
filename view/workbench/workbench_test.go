package workbench_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/view/workbench"
)

// do asks a bench and reads the answer into to, unless to is nil.
func do(t testing.TB, b *workbench.Bench, name string, args any, body []byte, to any) []byte {
	t.Helper()
	reply, err := try(t, b, name, args, body)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if to != nil {
		text, err := json.Marshal(reply.Answer)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, to); err != nil {
			t.Fatal(err)
		}
	}
	return reply.Body
}

func try(t testing.TB, b *workbench.Bench, name string, args any, body []byte) (workbench.Reply, error) {
	t.Helper()
	text, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	return b.Do(t.Context(), workbench.Request{Name: name, Args: text, Body: body}, nil)
}

func file(name string, data []byte) map[string]any {
	return map[string]any{"files": []map[string]any{{"name": name, "size": len(data)}}}
}

// TestFromFileToPath: a level is opened from bytes, built, asked for a path and saved; the saved mesh opens again and gives the
// same path.
func TestFromFileToPath(t *testing.T) {
	level, err := os.ReadFile("testdata/plate.obj")
	if err != nil {
		t.Fatal(err)
	}
	b := workbench.New()
	var opened workbench.Opened
	scene := do(t, b, "open", file("plate.obj", level), level, &opened)
	if opened.Kind != "level" || opened.Triangles == 0 || len(scene) == 0 {
		t.Fatalf("opened %+v with a scene of %d bytes", opened, len(scene))
	}
	var built workbench.Built
	do(t, b, "build", map[string]any{"radius": 0.3}, nil, &built)
	if built.Regions == 0 || built.Area <= 0 {
		t.Fatalf("built %+v", built)
	}
	ask := map[string]any{"from": []float64{1, 0, 1}, "to": []float64{9, 0, 9}, "reach": 2}
	type path struct {
		Complete bool
		Length   float64
	}
	var first, second path
	do(t, b, "path", ask, nil, &first)
	if !first.Complete || first.Length < 11 {
		t.Fatalf("path %+v", first)
	}
	saved := do(t, b, "save", nil, nil, nil)
	other := workbench.New()
	do(t, other, "open", file("plate.mesh", saved), saved, &opened)
	if opened.Kind != "mesh" {
		t.Fatalf("opened %+v", opened)
	}
	do(t, other, "path", ask, nil, &second)
	if first != second {
		t.Errorf("the path is %+v, and %+v after saving", first, second)
	}
}

// TestFaultsLeaveTheBench: a wrong request is an error that names its fault, and the mesh stays.
func TestFaultsLeaveTheBench(t *testing.T) {
	b := workbench.New()
	do(t, b, "generate", map[string]any{"kind": "arch"}, nil, nil)
	do(t, b, "build", nil, nil, nil)
	mesh := do(t, b, "save", nil, nil, nil)
	for _, c := range []struct {
		name, want string
		args       any
		body       string
	}{
		{"no such", `no request is called "no such"`, nil, ""},
		{"generate", "moon", map[string]any{"kind": "moon"}, ""},
		{"build", "sped", map[string]any{"sped": 1}, ""},
		{"build", "radius", map[string]any{"radius": 1e9}, ""},
		{"build", "nobody", map[string]any{"generator": "nobody"}, ""},
		{"open", "broken.obj", map[string]any{"files": []map[string]any{{"name": "broken.obj", "size": 6}}}, "v 1 x\n"},
		{"open", "are left", map[string]any{"files": []map[string]any{{"name": "a.obj", "size": 600}}}, "v 1 1 1\n"},
		{"open", "not the name", map[string]any{"files": []map[string]any{{"name": "../a.obj", "size": 0}}}, ""},
		{"open", "no file", map[string]any{"files": []any{}}, ""},
	} {
		_, err := try(t, b, c.name, c.args, []byte(c.body))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %v: the error is %v, want one with %q", c.name, c.args, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Do(ctx, workbench.Request{Name: "build"}, nil); err == nil {
		t.Error("a build goes on after its context has ended")
	}
	if got := do(t, b, "save", nil, nil, nil); string(got) != string(mesh) {
		t.Error("the mesh is another one after wrong requests")
	}
}

// headOf is the part of a scene's head that names and places its arrays.
type headOf struct {
	Level    string
	Sections map[string]struct{ Start, Count int }
}

func readHead(t *testing.T, scene []byte) (h headOf) {
	t.Helper()
	if err := json.Unmarshal(scene[4:4+binary.LittleEndian.Uint32(scene)], &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// TestLevelComesOnce: a build leaves out the triangles of the level that the page says to draw, and no others; their storeys come with each mesh.
func TestLevelComesOnce(t *testing.T) {
	b := workbench.New()
	opened := readHead(t, do(t, b, "generate", map[string]any{"kind": "tower"}, nil, nil))
	arrays := []string{"levelPoints", "levelCorners", "levelColors"}
	has := func(h headOf) (n int) {
		for _, name := range arrays {
			if h.Sections[name].Count > 0 {
				n++
			}
		}
		return n
	}
	if has(opened) != len(arrays) || opened.Level == "" {
		t.Fatalf("the opened level is called %q, and has %d of %d arrays", opened.Level, has(opened), len(arrays))
	}
	short := do(t, b, "build", map[string]any{"drawn": opened.Level}, nil, nil)
	whole := do(t, b, "build", map[string]any{}, nil, nil)
	for _, c := range []struct {
		about string
		scene []byte
		want  int
	}{
		{"the level that is drawn", short, 0},
		{"no level", whole, len(arrays)},
		{"another level", do(t, b, "build", map[string]any{"drawn": "x"}, nil, nil), len(arrays)},
	} {
		h := readHead(t, c.scene)
		if has(h) != c.want || h.Level != opened.Level || h.Sections["levelStoreys"].Count != opened.Sections["levelStoreys"].Count {
			t.Errorf("%s: the scene of %q has %d arrays and %d storeys, want %d of %q", c.about, h.Level, has(h), h.Sections["levelStoreys"].Count, c.want, opened.Level)
		}
	}
	of := func(scene []byte) string {
		at := readHead(t, scene).Sections["levelStoreys"]
		body := scene[4+binary.LittleEndian.Uint32(scene):]
		return string(body[at.Start : at.Start+at.Count])
	}
	if of(short) != of(whole) || strings.Count(of(short), "\x00") == len(of(short)) {
		t.Error("storeys differ, or all triangles are in the lowest")
	}
	if other := readHead(t, do(t, b, "generate", map[string]any{"kind": "arch"}, nil, nil)); other.Level == opened.Level || has(other) != len(arrays) {
		t.Errorf("another level is called %q, too, or has %d of %d arrays", other.Level, has(other), len(arrays))
	}
}
