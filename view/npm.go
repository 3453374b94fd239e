package view

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"io"
	"strings"
)

//go:embed npm/index.js npm/index.d.ts npm/README.md npm/package.json
var npmFiles embed.FS

// NPM returns the files of the npm package meadow-nav by their names: all of Meadow as WebAssembly, with types. The version is
// three numbers with points, such as 0.1.0. The licence is the caller's to add.
func NPM(version string) (map[string][]byte, error) {
	files := map[string][]byte{"meadow.wasm.gz": buildModule}
	entries, err := npmFiles.ReadDir("npm")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		data, err := npmFiles.ReadFile("npm/" + e.Name())
		if err != nil {
			return nil, err
		}
		files[e.Name()] = data
	}
	files["package.json"] = bytes.Replace(files["package.json"], []byte(`"0.0.0"`), []byte(`"`+version+`"`), 1)
	// The worker is Go's own file, and then the page's.
	z, err := gzip.NewReader(bytes.NewReader(workerScript))
	if err != nil {
		return nil, err
	}
	worker, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	program, _, found := strings.Cut(string(worker), workerBegins)
	if !found {
		return nil, errors.New("view: the worker of pages has no beginning")
	}
	files["go.js"] = []byte(program)
	return files, nil
}

// workerBegins is the first line of view/client/src/worker.js.
const workerBegins = "// The worker of a page:"
