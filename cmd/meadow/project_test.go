package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestProjectPaths: every flag of build that names a file is a path of the project's folder, by its placeholder, and links out of the
// folder are refused.
func TestProjectPaths(t *testing.T) {
	var c commands
	parser, err := grammar(&c, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for _, node := range parser.Model.Children {
		if node.Name != "build" {
			continue
		}
		for _, f := range node.Flags {
			names := strings.Contains(strings.ToLower(f.Help), "file to write") || strings.Contains(f.Help, "FILE") || f.Name == "terrain"
			if names != (f.PlaceHolder == "FILE") {
				t.Errorf("--%s names a file: %v, by its placeholder %s: %v", f.Name, names, f.PlaceHolder, !names)
			}
			if names {
				files++
			}
		}
	}
	if files < 3 {
		t.Errorf("only %d flags name files", files)
	}

	folder, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(folder, "link")); err != nil {
		t.Skip("no links here")
	}
	for path, inside := range map[string]bool{
		"a.obj": true, "b/a.obj": true, "tiles/": true, "./a.obj": true,
		"link": false, "link/a.obj": false, "../a.obj": false, "b/../../a": false, "/a": false, "": false,
	} {
		if _, err := inFolder(folder, path); (err == nil) != inside {
			t.Errorf("%q: %v, want inside: %v", path, err, inside)
		}
	}
}
