package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFaultsOfTargets plants faults of a single machine, and faults of all machines.
func TestFaultsOfTargets(t *testing.T) {
	for _, c := range []struct{ name, file, text, target, want string }{
		{"sound", "a.go", "import \"os\"\n\nfunc F() string { return os.Args[0] }", "windows/amd64", ""},
		{"type on windows", "a_windows.go", "var n int = \"\"", "windows/amd64", "cannot use"},
		{"type elsewhere", "a_windows.go", "var n int = \"\"", "linux/amd64", ""},
		{"by constraint", "a.go", "", "js/wasm", "undefined: other"},
		{"word of 32 bits", "a.go", "const big int = 1 << 40", "linux/386", "overflow"},
		{"word of 64 bits", "a.go", "const big int = 1 << 40", "linux/arm64", ""},
		{"unused import", "a.go", "import \"os\"", "darwin/arm64", "imported and not used"},
		{"inside a function", "a.go", "func f() { x := 1 }", "darwin/arm64", "declared and not used"},
		{"no body", "a.go", "func f()", "darwin/arm64", "f has no body"},
		{"syntax", "a.go", "func f( {", "darwin/arm64", "expected"},
		{"no such package", "a.go", "import _ \"no/such\"", "darwin/arm64", "no/such"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"go.mod": "module planted\n\ngo 1.26\n", "inner/" + c.file: "package inner\n\n" + c.text + "\n",
				"inner/all.go": "package inner\n\nvar Got = system()\n", "inner/unlike.go": "//go:build !js\n\npackage inner\n\nfunc system() int { return 1 }\n",
				"inner/x_js.go": "package inner\n\nfunc system() int { return " + map[bool]string{true: "other", false: "2"}[c.name == "by constraint"] + " }\n",
				"outer.go":      "package outer\n\nimport \"planted/inner\"\n\nvar Twice = 2 * inner.Got\n",
			} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			t.Chdir(dir)
			var out bytes.Buffer
			err := run(t.Context(), []string{c.target}, &out)
			switch {
			case c.want == "" && (err != nil || !strings.Contains(out.String(), c.target+": the types of 2 packages are right")):
				t.Errorf("printed %q, error %v", out.String(), err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
	for _, args := range [][]string{nil, {"windows"}, {"windows/none"}, {"none/amd64"}} {
		if err := run(t.Context(), args, &bytes.Buffer{}); err == nil {
			t.Errorf("no fault of the targets %q", args)
		}
	}
}
