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
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/view/ask"
	"github.com/meadow-nav/meadow/view/scene"
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
type Fact = scene.Fact

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
	//go:embed dist/build.wasm.gz
	buildModule []byte
)

// Write writes a page. The Context stops a long preparation. Errors are a missing mesh, those of navfile.Encode, and those of w.
// Time O(n log n) for n triangles of the level and corners of the mesh, and O(n) for regions without overlap.
func Write(w io.Writer, p Page) error {
	if p.Mesh == nil || p.Context == nil {
		return errors.New("view: a page without a mesh or a context")
	}
	data, err := p.scene()
	if err != nil {
		return err
	}
	mesh, err := navfile.Encode(p.Mesh.WithoutRecord())
	if err != nil {
		return err
	}
	if mesh, err = squeeze(mesh); err != nil {
		return err
	}
	if err := p.Context.Err(); err != nil {
		return err
	}
	_, err = write(w, p, "connect-src 'none'", newBlock("meadow-scene", data), newBlock("meadow-mesh", mesh), newBlock("meadow-query", queryModule))
	return err
}

// scene returns what the page draws, compressed.
func (p Page) scene() ([]byte, error) {
	src := scene.Source{Title: p.Title, Mesh: p.Mesh, Level: p.Level, Facts: p.Facts, Notes: p.Notes}
	if p.Path {
		path, err := ask.New(p.Mesh).Path(p.Context, triple(p.Start), triple(p.Goal), p.Mesh.Agent.Radius+p.Mesh.Agent.MaxClimb)
		if err != nil {
			return nil, err
		}
		src.Path = &path
	}
	data, err := scene.Pack(src)
	if err != nil {
		return nil, err
	}
	return squeeze(data)
}

// Begin says what a page that builds begins with: a level by its kind, or the bytes of a file and of the files that it names, or neither.
type Begin struct {
	Kind  string
	File  string
	Data  []byte
	Parts []Part
	// Scale is the length of the file's unit in metres, 0 for the default of the format. Up is x, y or z, empty for the format's own.
	Scale float64
	Up    string
}

// Part is a file that another file names.
type Part struct {
	Name string
	Data []byte
}

// start is the block meadow-begin: it tells the page's program what to open.
type start struct {
	Kind  string   `json:"kind,omitempty"`
	Files []sizeOf `json:"files,omitempty"` // of which the block meadow-level has the bytes
	Scale float64  `json:"scale,omitempty"`
	Up    string   `json:"up,omitempty"`
	Token string   `json:"token,omitempty"`
	Begun bool     `json:"opened,omitempty"` // the server has something to open
	Most  int64    `json:"most,omitempty"`   // bytes of files
}

type sizeOf struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// block returns the block. JSON of Go has no character that ends a script.
func (s start) block() (block, error) {
	text, err := json.Marshal(s)
	return block{"meadow-begin", template.HTML(`<script type="application/json" id="meadow-begin">` + string(text) + `</script>`)}, err
}

// WriteBench writes a page that opens and builds levels: all of Meadow in one file, which asks nobody for anything. Of p it uses the title,
// the texts for browsers that cannot draw, and, if p has a mesh, the mesh and level to show until the page has built its own. Errors are
// those of w and of [Write].
func WriteBench(w io.Writer, p Page, begin Begin) error {
	first := start{Kind: begin.Kind, Scale: begin.Scale, Up: begin.Up}
	blocks := []block{newBlock("meadow-build", buildModule)}
	if begin.File != "" {
		var data []byte
		for _, f := range append([]Part{{begin.File, begin.Data}}, begin.Parts...) {
			first.Files, data = append(first.Files, sizeOf{f.Name, len(f.Data)}), append(data, f.Data...)
		}
		data, err := squeeze(data)
		if err != nil {
			return err
		}
		blocks = append(blocks, newBlock("meadow-level", data))
	}
	if p.Mesh != nil {
		data, err := p.scene()
		if err != nil {
			return err
		}
		blocks = append(blocks, newBlock("meadow-scene", data))
	}
	at, err := first.block()
	if err != nil {
		return err
	}
	_, err = write(w, p, "connect-src 'none'", append(blocks, at)...)
	return err
}

// Served says how the page of a server asks.
type Served struct {
	Token string // goes with each request
	Begun bool   // the server has something to open
	Most  int64  // how many bytes files may have together
}

// WriteServed writes the page of a server, which answers its requests, and returns the page's content security policy. Errors are those of
// w.
func WriteServed(w io.Writer, p Page, by Served) (policy string, err error) {
	at, err := start{Token: by.Token, Begun: by.Begun, Most: by.Most}.block()
	if err != nil {
		return "", err
	}
	return write(w, p, "connect-src 'self'", at)
}

// write fills the frame of all pages; connect says whom a page may ask. It returns the page's policy.
func write(w io.Writer, p Page, connect string, blocks ...block) (string, error) {
	page, err := template.New("page").Parse(pageText)
	if err != nil {
		return "", err
	}
	policy := policy(connect)
	return policy, page.Execute(w, struct {
		Page
		Policy, Image template.URL
		Style         template.CSS
		Boot          template.HTML
		Blocks        []block
	}{
		Page:   p,
		Policy: template.URL(policy),
		Image:  template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(p.Picture)),
		Style:  template.CSS(pageStyle),
		Boot:   template.HTML("<script>" + bootScript + "</script>"),
		Blocks: append(blocks, newBlock("meadow-worker", workerScript), newBlock("meadow-client", clientScript)),
	})
}

// policy is the content security policy of a page: its own style and start, programs and workers that the page makes of its
// blocks, and requests as connect says.
func policy(connect string) string {
	hash := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	return fmt.Sprintf("default-src 'none'; script-src %s blob: 'wasm-unsafe-eval'; worker-src blob:; style-src %s; img-src data:; "+
		"%s; base-uri 'none'; form-action 'none'", hash(bootScript), hash(pageStyle), connect)
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

func triple(v geom.Vec) ask.Point { return ask.Point{v.X, v.Y, v.Z} }
