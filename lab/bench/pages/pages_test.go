package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCommandsOf(t *testing.T) {
	text := "meadow none\n```go\nnot this\n```\n\n<!-- not run, go test: elsewhere -->\n```sh\ngo run ./x   # a remark\n\n# only a remark\ngo test ./...\n```\n" +
		"```text\nnor this\n```\n<!-- not run: needs a map -->\n\n```sh\nmeadow build a#b.map\n```\n```sh\nmeadow last\n```\n"
	got, err := commandsOf(page{"p.md", text})
	want := []command{{8, "go run ./x", ""}, {11, "go test ./...", "elsewhere"}, {19, "meadow build a#b.map", "needs a map"}, {22, "meadow last", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	for name, text := range map[string]string{
		"comment without a block": "<!-- not run: no block -->\nwords\n",
		"two lines":               "```sh\nmeadow build \\\n  x\n```\n",
	} {
		if _, err := commandsOf(page{"p.md", text}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Commands that fail and commands that are unknown are reported, the others run, and no page sees the files of another.
func TestRunCommandsReports(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kept"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	w := &workplace{dir, map[string]bool{"kept": true}}
	var out strings.Builder
	text := "```sh\necho x >made\ncat made\nfalse\nmeado gen stairs\n```\n<!-- not run: for the test -->\n```sh\nfalse\n```\n"
	err := w.runCommands(t.Context(), []page{{"p.md", text}, {"q.md", "```sh\ncat kept\ncat made\n```\n"}}, &out)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"p.md:4: false", "p.md:5: meado gen", "q.md:3: cat made"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not tell of %s: %v", want, err)
		}
	}
	if !strings.Contains(out.String(), "6 commands run, 3 failed; 1 not run:") {
		t.Errorf("printed %s", &out)
	}
}

const exampleRecipe = "for kind in rooms maze\nmeadow gen $kind -o $kind.obj\nmeadow build $kind.obj -o $kind.mesh --json\n" +
	"column level = $kind\ncolumn area = area_m2 %.1f m²\ncolumn share = shares.1 %.0f%%\ninputs 0\n"

func TestRecipe(t *testing.T) {
	r, err := parseRecipe(exampleRecipe)
	if err != nil || r.String() != exampleRecipe {
		t.Fatalf("got %v, %v", r, err)
	}
	rows, err := r.read(`{"area_m2": 1.25, "shares": [0, 0.5]}`, "maze")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := r.markdown(rows), "| level | area | share |\n|---|---|---|\n| maze | 1.2 m² | 50% |\n"; got != want {
		t.Errorf("got %s", got)
	}
	if _, err := r.read(`{"area": 1}`, "maze"); err == nil {
		t.Error("a path to nothing is no error")
	}
	for _, bad := range []string{"", "rows x\n", "rm -r x\n", "for x\nmeadow gen demo\n", "column x\nmeadow gen demo\n"} {
		if _, err := parseRecipe(bad); err == nil {
			t.Errorf("%q is a recipe", bad)
		}
	}
}

// The hash changes with the recipe, the golden hashes, named files and the code that measures, and with no comment or test.
func TestInputsOf(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	hash := func(recipe string) string {
		t.Helper()
		r, err := parseRecipe(recipe)
		if err != nil {
			t.Fatal(err)
		}
		h, err := inputsOf(root, r)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	const compare = "meadow compare testdata/x.obj --json\ninputs 0\n"
	write(golden, "a 1\n")
	write("testdata/x.obj", "v 0 0 0\n")
	write("metric/metric.go", "package metric\n\nvar x = 1 // one\n")
	before := hash(compare)
	for _, c := range []struct {
		name, text string
		changes    bool
	}{
		{"metric/metric.go", "package metric\n\n// X is one.\nvar x = 1\n", false},
		{"metric/metric_test.go", "package metric\n", false},
		{"elsewhere/x.go", "package elsewhere\n", false},
		{"metric/metric.go", "package metric\n\nvar x = 2\n", true},
		{"testdata/x.obj", "v 0 0 1\n", true},
		{golden, "a 2\n", true},
	} {
		write(c.name, c.text)
		after := hash(compare)
		if (after != before) != c.changes {
			t.Errorf("%s: %q: the hash changes: %v, want %v", c.name, c.text, after != before, c.changes)
		}
		before = after
	}
	if hash("meadow compare testdata/x.obj --json\ninputs 1\n") != before || hash("meadow compare testdata/x.obj\ninputs 0\n") == before {
		t.Error("the hash is not that of the recipe without its hash")
	}
	var out strings.Builder
	text := "<!-- table\n" + strings.Replace(compare, "inputs 0", "inputs "+before, 1) + "-->\n| x |\n<!-- end of table -->\n"
	if err := findStale(root, []page{{"p.md", text}}, &out); err != nil {
		t.Errorf("a fresh table: %v: %s", err, &out)
	}
	write(golden, "a 3\n")
	if err := findStale(root, []page{{"p.md", text}}, &out); err == nil || !strings.Contains(out.String(), "p.md:1: stale") {
		t.Errorf("a stale table: %v: %s", err, &out)
	}
	if err := findStale(root, []page{{"p.md", strings.TrimSuffix(text, "<!-- end of table -->\n")}}, &out); err == nil {
		t.Error("a table without an end is fresh")
	}
}

// A program that only asks links some packages, and far fewer than a program that builds.
func TestLinked(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	var packages, lines [2]int
	for i, m := range measured {
		if packages[i], lines[i], err = linked(t.Context(), root, m.folder); err != nil {
			t.Fatal(err)
		}
	}
	if packages[1] < 5 || 2*packages[1] > packages[0] || lines[1] < 5000 || 2*lines[1] > lines[0] {
		t.Errorf("%d and %d packages, %d and %d lines", packages[0], packages[1], lines[0], lines[1])
	}
}
