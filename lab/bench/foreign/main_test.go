package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTable reads two packages: one row a file, the first of each extension, errors without the folder.
func TestTable(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/x/one.obj": "v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\nf 1 2\n", "a/two.obj": "v 0 0 0\n", "a/x/three.obj": "f", "a/read.txt": "",
		"b/plan.svg": `<svg><rect width="2" height="3"/></svg>`, "b/boat.fbx": "Kaydara", "b/picture.png": "", "loose.obj": "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	if err := table(&out, root, 2); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"| package | file | bytes | outcome |", "|---|---|---|---|",
		"| a | `two.obj` | 8 | refused: obj: no face in 1 lines |",
		"| a | `x/one.obj` | 38 | 1 triangles, 1 × 0 × 1 m; a warning |",
		"| b | `boat.fbx` | 7 | refused: meshio: not read: FBX: export glTF (.glb), or convert it: Blender, FBX2glTF |",
		"| b | `plan.svg` | 39 | 6 m², parts: 1 |", "", "4 files: 2 read, 2 refused.", "",
	}, "\n")
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err := table(&out, t.TempDir(), 1); err == nil {
		t.Error("a table without files")
	}
}
