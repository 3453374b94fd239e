package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
)

// TestLDtkLevels builds all levels of a project, one level by name, and none for a name that is not there.
func TestLDtkLevels(t *testing.T) {
	race.Skip(t)
	t.Chdir(t.TempDir())
	const project = `{"jsonVersion":"1.5.3","worldLayout":"Free","defaultGridSize":16,"defs":{"layers":[],"tilesets":[]},"levels":[
{"identifier":"A","worldX":0,"worldY":0,"worldDepth":0,"pxWid":160,"pxHei":160,"layerInstances":[]},
{"identifier":"B","worldX":160,"worldY":0,"worldDepth":0,"pxWid":320,"pxHei":160,"layerInstances":[]}]}`
	if err := os.WriteFile("a.ldtk", []byte(project), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"", "300.0 m²", exitDone},
		{" --ldtk B", "200.0 m²", exitDone},
		{" --ldtk C", `a.ldtk: ldtk: no level "C"; the first of 2 is "A"`, exitBad},
	} {
		os.Remove("a.mesh")
		var out bytes.Buffer
		code := run(t.Context(), strings.Fields("build a.ldtk -o a.mesh --radius 0"+c.args), &out, &out)
		_, err := os.Stat("a.mesh")
		if code != c.code || !strings.Contains(out.String(), c.want) || (err == nil) != (code == exitDone) {
			t.Errorf("%q: exit %d, %v: %s", c.args, code, err, &out)
		}
	}
}
