package project

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said returns the settings of a mesh as flags.
func said(m Mesh) string {
	var b strings.Builder
	for _, s := range m.Settings {
		fmt.Fprintf(&b, "%s=%s ", s.Key, strings.Join(s.Values, ","))
	}
	return strings.TrimSpace(b.String())
}

// TestParseLayers: a mesh's own settings count before those of its agent, and these before those for all.
func TestParseLayers(t *testing.T) {
	meshes, err := Parse([]byte(`
meshes:
  - {level: a.obj, out: a.mesh, agent: cart, slope: 7}
  - {level: b.obj, out: b.mesh}
  - level: c.obj
    keep: ["1,2,3", all]
    cleanup: true
radius: 0.3
slope: 30
agent: person
agents:
  cart: {radius: 0.9, climb: 0, slope: 8}
  person: {height: 1.8}
`), "x.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range meshes {
		got = append(got, said(m))
	}
	want := []string{
		"climb=0 level=a.obj out=a.mesh radius=0.9 slope=7",
		"height=1.8 level=b.obj out=b.mesh radius=0.3 slope=30",
		"cleanup=true height=1.8 keep=1,2,3,all level=c.obj radius=0.3 slope=30",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if meshes[2].Line != 5 {
		t.Errorf("the third mesh is in line %d", meshes[2].Line)
	}
}

// TestParseFaults: every fault has its line and names the key.
func TestParseFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml: is empty"},
		{"meshes", "x.yaml:1: the project is no mapping of keys to values"},
		{"radius: 1", "x.yaml: has no list of meshes"},
		{"meshes: []", "x.yaml:1: meshes is no list with a mesh for each line"},
		{"meshes:\n  a: b", "x.yaml:2: meshes is no list with a mesh for each line"},
		{"meshes:\n  - level", "x.yaml:2: a mesh is no mapping of keys to values"},
		{"meshes:\n  - {out: }", "x.yaml:2: out has no value"},
		{"meshes:\n  - {out: a.mesh,\n     out: b.mesh}", `x.yaml:3: a mesh has "out" twice`},
		{"meshes:\n  - {agent: cat}", `x.yaml:2: agent "cat" is not among the agents`},
		{"meshes:\n  - {agent: [a, b]}", "x.yaml:2: agent is a list, and a mesh has one agent"},
		{"meshes:\n  - {agent: []}", "x.yaml:2: agent is a list, and a mesh has one agent"},
		{"agents: [a]\nmeshes:\n  - {}", "x.yaml:1: agents is no mapping of keys to values"},
		{"agents: {a: 1}\nmeshes:\n  - {}", `x.yaml:1: agent "a" is no mapping of keys to values`},
		{"a: &x 1\nmeshes:\n  - {radius: *x}", "x.yaml:3: radius has no value"},
		{"meshes: [\n", "is invalid YAML"},
		{"a\x00", "x.yaml:1: is not text"},
		{strings.Repeat("[", 5000), "x.yaml:1: is nested deeper than 4000"},
		{"meshes:\n" + strings.Repeat("  - {}\n", MaxMeshes+1), "meshes has 1001 meshes, more than 1000"},
		{strings.Repeat(" ", MaxFile+1), "x.yaml: is larger than 1048576 bytes"},
	} {
		_, err := Parse([]byte(c.text), "x.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: %v, want %s", c.text, err, c.want)
		}
	}
}

// FuzzParse: no file does harm, and settings of a mesh never repeat a key.
func FuzzParse(f *testing.F) {
	f.Add([]byte("meshes:\n  - {level: a, out: b}\n"))
	f.Add([]byte("agents: {a: {x: [1, 2]}}\nagent: a\nmeshes: [{}]"))
	f.Add([]byte("a: &a [*a]\nmeshes: [*a]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		meshes, err := Parse(data, "x.yaml")
		if err != nil {
			return
		}
		for _, m := range meshes {
			seen := map[string]bool{}
			for _, s := range m.Settings {
				if seen[s.Key] {
					t.Fatalf("%q twice in %q", s.Key, data)
				}
				seen[s.Key] = true
			}
		}
	})
}
