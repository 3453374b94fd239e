// Package view writes pages that show a mesh in a browser: a single file that opens without a server and asks nobody for
// anything. The page draws the level and the mesh, and answers questions by Meadow's own queries, as WebAssembly.
//
// The folder client holds the page's program in TypeScript, wasm the queries in Go, dist what `make view` makes of both.
package view

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// Page is the content of a page.
type Page struct {
	Context context.Context
	Title   string
	Mesh    *navmesh.Mesh
	Level   *level.Level // nil for a page without its level
	Facts   []Fact       // a table about the mesh
	Notes   []string     // commands to try, one a line
	// Path asks for a path on the page from the beginning, from Start to Goal.
	Path        bool
	Start, Goal geom.Vec
	// Picture is a PNG for browsers that cannot draw the scene, and Alt its description. Files are links below the picture.
	Picture []byte
	Alt     string
	Files   []File
}

// Fact is a row of the table about a mesh.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// File is a link to a file beside the page.
type File struct{ Name, Text string }

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed boot.js
	bootScript string
	//go:embed dist/client.js.gz
	clientScript []byte
	//go:embed dist/worker.js.gz
	workerScript []byte
	//go:embed dist/query.wasm.gz
	queryModule []byte
)

// Write writes a page. The Context stops a long preparation. Errors are a missing mesh, those of navfile.Encode, and those of w.
// Time O(n log n) for n triangles of the level and corners of the mesh, and O(n) for regions without overlap.
func Write(w io.Writer, p Page) error {
	if p.Mesh == nil || p.Context == nil {
		return errors.New("view: a page without a mesh or a context")
	}
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	scene, err := pack(p)
	if err != nil {
		return err
	}
	mesh, err := navfile.Encode(p.Mesh.WithoutRecord())
	if err != nil {
		return err
	}
	if scene, err = squeeze(scene); err != nil {
		return err
	}
	if mesh, err = squeeze(mesh); err != nil {
		return err
	}
	if err := p.Context.Err(); err != nil {
		return err
	}
	return page.Execute(w, struct {
		Page
		Policy, Image template.URL
		Style         template.CSS
		Boot          template.HTML
		Blocks        []block
	}{
		Page:   p,
		Policy: template.URL(policy()),
		Image:  template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(p.Picture)),
		Style:  template.CSS(pageStyle),
		Boot:   template.HTML("<script>" + bootScript + "</script>"),
		Blocks: []block{
			newBlock("meadow-scene", scene), newBlock("meadow-mesh", mesh), newBlock("meadow-query", queryModule),
			newBlock("meadow-worker", workerScript), newBlock("meadow-client", clientScript),
		},
	})
}

// policy is the content security policy of a page: its own style and start, programs and workers that the page makes of its
// blocks, and no request to anywhere.
func policy() string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; script-src %s blob: 'wasm-unsafe-eval'; worker-src blob:; style-src %s; img-src data:; "+
		"connect-src 'none'; base-uri 'none'; form-action 'none'", hash(bootScript), hash(pageStyle))
}

// block is data inside of a page: gzip in base64.
type block struct {
	ID   string
	Data template.HTML
}

func newBlock(id string, gz []byte) block {
	return block{id, template.HTML(`<script type="application/octet-stream" id="` + id + `">` + base64.StdEncoding.EncodeToString(gz) + `</script>`)}
}

// squeeze compresses data, the same way at all times.
func squeeze(data []byte) ([]byte, error) {
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
