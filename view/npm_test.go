package view_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/view"
	"github.com/meadow-nav/meadow/view/gallery"
)

// baseline makes node compile WebAssembly once and fast: the programs of the test are too short for its optimiser, which takes more
// processor time than the programs. `make golden` runs optimised WebAssembly.
const baseline = "--liftoff-only"

// TestNPMPackage packs the npm package, and installs it in an empty project without a network. A program there builds a level, asks for
// paths, and saves the mesh and opens it again.
func TestNPMPackage(t *testing.T) {
	plainOnly(t)
	t.Parallel()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("SKIPPED: no %s on this machine; the npm package is not tested", program)
		}
	}
	source, project := t.TempDir(), t.TempDir()
	files, err := view.NPM("1.2.3")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(source, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run := func(dir, program string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			text := ""
			if e, ok := err.(*exec.ExitError); ok {
				text = string(e.Stderr)
			}
			t.Fatalf("%s %v: %v\n%s%s", program, args, err, out, text)
		}
		return string(out)
	}
	archive := strings.TrimSpace(run(source, "npm", "pack", "--silent", "--pack-destination", project))
	if archive != "meadow-nav-1.2.3.tgz" {
		t.Fatalf("npm packs %q", archive)
	}
	for name, text := range map[string]string{"package.json": `{"name":"try","private":true,"type":"module"}`, "try.js": npmProgram} {
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run(project, "npm", "install", "--offline", "--no-audit", "--no-fund", "--silent", "./"+archive)
	const want = "17 regions, complete true\nsame true\nerror broken.obj\nanother bench 0\n"
	if got := run(project, "node", baseline, "try.js"); got != want {
		t.Errorf("the program says %q, want %q", got, want)
	}

	// The examples in JavaScript print what those in Go print.
	var imports, prints strings.Builder
	for _, e := range gallery.List() {
		if e.JS == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(project, e.Name+".js"), []byte(e.JS), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&imports, "await import('./%s.js');\n", e.Name)
		if err := e.Run(t.Context(), &prints); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(project, "examples.js"), []byte(imports.String()+"process.exit(0);\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := run(project, "node", baseline, "examples.js"); got != prints.String() || got == "" {
		t.Errorf("the examples print %q in JavaScript, and %q in Go", got, prints.String())
	}
}

const npmProgram = `import { start } from "meadow-nav";
const bench = await start();
bench.generate("arch");
const mesh = bench.build({ radius: 0.4 });
const path = bench.path([-8, 0, -4], [8, 0, 4], 30);
console.log(mesh.regions + " regions, complete " + path.complete);
const other = await start();
other.open({ name: "a.mesh", data: bench.save() });
const again = other.path([-8, 0, -4], [8, 0, 4], 30);
console.log("same " + (again.length === path.length && path.length > 5));
try {
  bench.open({ name: "broken.obj", data: "v 1 x\n" });
} catch (error) {
  console.log("error " + String(error.message).split(":")[0]);
}
console.log("another bench " + (other.at([1000, 0, 1000]) === null ? 0 : 1));
process.exit(0);
`
