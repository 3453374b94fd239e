package meadow

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/detour"
	"github.com/meadow-nav/meadow/navmesh/engine"
	"github.com/meadow-nav/meadow/navmesh/gltfmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/navmesh/polyfile"
	"github.com/meadow-nav/meadow/navmesh/streamfile"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world"
)

// Mesh is a navigation mesh with what queries need. A Mesh is immutable, and any number of goroutines may share it.
// The zero Mesh is empty: queries find nothing on it, and its methods with errors say that it is empty.
type Mesh struct {
	*navmesh.Mesh
	report  Report // of the build; Report adds the sizes
	fault   error  // of a wrapped mesh
	checked bool   // false for a mesh that a caller put into the struct
	index   lazyIndex
}

// lazyIndex is the index of a mesh, made by the first call that needs the index.
type lazyIndex struct {
	making sync.Mutex
	made   *query.Index
}

var errEmpty = errors.New("meadow: the mesh is empty: build or load one")

// Wrap returns a Mesh for a mesh that other packages built or read. Where [navmesh.Mesh.Check] finds a fault, or the record is
// damaged, queries find nothing, and the methods with errors return the fault.
func Wrap(m *navmesh.Mesh) *Mesh {
	if m == nil {
		return new(Mesh)
	}
	err := m.Check()
	if err == nil {
		var out *Mesh
		if out, err = noted(m); err == nil {
			return out
		}
	}
	return &Mesh{Mesh: m, fault: fmt.Errorf("meadow: the mesh cannot be used: %w", err), checked: true}
}

func (m *Mesh) isEmpty() bool { return m == nil || m.Mesh == nil }

// usable returns the error of a mesh that no function can work on.
func (m *Mesh) usable() error {
	if m.isEmpty() {
		return errEmpty
	}
	if !m.checked {
		return errors.New("meadow: the mesh was not built, read or wrapped: use Wrap")
	}
	return m.fault
}

// Index returns the index that all queries of the mesh share. The first call builds the index. [query.Index.With] makes an
// index for agents who may not pass everywhere: see [query.Filter].
func (m *Mesh) Index() *query.Index {
	if ix, err := m.IndexWith(context.Background()); err == nil {
		return ix
	}
	return query.NewIndex(new(navmesh.Mesh)) // no mesh to ask
}

// IndexWith is [Mesh.Index] with a context for the first call, which builds the index. After an error the next call begins
// anew.
func (m *Mesh) IndexWith(ctx context.Context) (*query.Index, error) {
	if err := begin(ctx); err != nil {
		return nil, err
	}
	if err := m.usable(); err != nil {
		return nil, err
	}
	m.index.making.Lock()
	defer m.index.making.Unlock()
	if m.index.made == nil {
		ix, err := query.NewIndexWith(ctx, m.Mesh)
		if err != nil {
			return nil, err
		}
		m.index.made = ix
	}
	return m.index.made, nil
}

// NewQuery returns a query with memory of its own, for one goroutine at a time. The first call builds the index that all
// queries of the mesh share.
func (m *Mesh) NewQuery() *query.Query { return m.Index().NewQuery() }

// Refs lists all regions, tile after tile. Reports and pictures number regions by their places in this list.
func (m *Mesh) Refs() []navmesh.Ref {
	if m.usable() != nil {
		return nil
	}
	refs := make([]navmesh.Ref, 0, m.RegionCount())
	for t := range m.Tiles {
		for r := range m.Tiles[t].Regions {
			refs = append(refs, navmesh.MakeRef(t, r, m.Tiles[t].Generation))
		}
	}
	return refs
}

// Report tells the sizes of the mesh and how the mesh was built. A loaded mesh has the report of its build without the times.
// The lists of the report must not be changed. Time O(n) for n corners of regions.
func (m *Mesh) Report() Report {
	if m.usable() != nil {
		return Report{}
	}
	r := m.report
	r.count(m.Mesh)
	return r
}

// Write writes the mesh in the format of docs/formats.
func (m *Mesh) Write(w io.Writer) error {
	if err := m.usable(); err != nil {
		return err
	}
	if w == nil {
		return errors.New("meadow: the writer is nil")
	}
	return navfile.Write(w, m.Mesh)
}

// WriteFor writes the mesh in the format that the extension of a file's name asks for: Detour's set of tiles for .mset, Detour's tile
// data for .bin, glTF with an extension for .glb and .gltf, or else as [Mesh.Write]. See [detour.Write] and [gltfmesh.Write].
func (m *Mesh) WriteFor(w io.Writer, name string) error {
	if err := m.usable(); err != nil {
		return err
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".mset":
		return detour.Write(w, m.Mesh)
	case ".bin":
		return detour.WriteTile(w, m.Mesh)
	case ".glb":
		return gltfmesh.Write(w, m.Mesh)
	case ".gltf":
		return gltfmesh.WriteText(w, m.Mesh)
	}
	return m.Write(w)
}

// Save writes the mesh to the file at path, in the format of its extension: see [Mesh.WriteFor]. After an error, the file is as before.
func (m *Mesh) Save(path string) error {
	if err := m.usable(); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error { return m.WriteFor(w, path) })
}

// foreign returns the reader of another program's mesh file with the given start, and the format in words; nil for other files.
func foreign(start []byte) (read func(io.Reader) (*navmesh.Mesh, error), format string) {
	switch {
	case polyfile.IsMesh(start):
		return polyfile.Read, "polygon mesh in text"
	case detour.IsFile(start):
		return detour.Read, "tiles of Detour"
	case gltfmesh.IsFile(start):
		return gltfmesh.Read, "glTF with " + gltfmesh.Extension
	case engine.IsGodot(start):
		return func(r io.Reader) (*navmesh.Mesh, error) { return engine.ReadGodot(r, engine.Options{}) }, "navigation mesh of Godot"
	}
	return nil, ""
}

// ForeignFormat returns the format of a mesh file of another program with the given start, in words, or an empty text for other
// files. 64 bytes are enough.
func ForeignFormat(start []byte) string {
	_, format := foreign(start)
	return format
}

// IsMesh reports whether a file with the given start is a mesh file, of Meadow or of another program, and not a level. 64 bytes
// are enough.
func IsMesh(start []byte) bool {
	return bytes.HasPrefix(start, []byte("MEADOW")) || ForeignFormat(start) != ""
}

// Read reads a mesh that [Mesh.Write] or [Mesh.WriteStreamed] wrote, or a mesh of another program: see [polyfile.Read],
// [detour.Read], [engine.ReadGodot] and [gltfmesh.Read]. Read verifies every checksum
// and the whole structure: see [navmesh.Mesh.Check]. The error names the section and the element, or the line. Geometric
// faults are no error: [navmesh.Mesh.Warnings] lists the faults of single regions and portals, [navmesh.Mesh.Validate] lists
// all faults. Queries end on meshes with geometric faults, too.
func Read(r io.Reader) (*Mesh, error) {
	if r == nil {
		return nil, errors.New("meadow: the reader is nil")
	}
	in := bufio.NewReader(r)
	start, _ := in.Peek(64) // short files are meshes, too
	if world.IsSaved(start) {
		return nil, errors.New("meadow: a saved world, not a mesh: use OpenWorld or LoadWorld")
	}
	read := navfile.Read
	if streamfile.IsFile(start) {
		read = streamfile.Read
	} else if other, _ := foreign(start); other != nil {
		read = other
	}
	m, err := read(in)
	if err != nil {
		return nil, err
	}
	out, err := noted(m)
	if err != nil {
		return nil, fmt.Errorf("meadow: %w", err)
	}
	return out, nil
}

// readBy returns a reader that adds what queries need.
func readBy(read func(io.Reader) (*navmesh.Mesh, error)) func(io.Reader) (*Mesh, error) {
	return func(r io.Reader) (*Mesh, error) {
		m, err := read(r)
		if err != nil {
			return nil, err
		}
		return noted(m)
	}
}

// Load reads the mesh file at path. An OBJ file is read as a mesh of polygons to walk on: see [engine.ReadOBJ] and [LoadEngine].
func Load(path string) (*Mesh, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := Read
	switch strings.ToLower(filepath.Ext(path)) {
	case ".obj":
		read = readBy(func(r io.Reader) (*navmesh.Mesh, error) { return engine.ReadOBJ(r, engine.Options{}) })
	case ".glb", ".gltf":
		read = readBy(gltfmesh.Read)
	}
	m, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// LoadEngine reads a mesh of Unity (OBJ) or Godot (.tres) at path whose axes or units differ from those that [Load] expects.
func LoadEngine(path string, opt engine.Options) (*Mesh, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := engine.ReadOBJ
	if strings.ToLower(filepath.Ext(path)) != ".obj" {
		read = engine.ReadGodot
	}
	m, err := readBy(func(r io.Reader) (*navmesh.Mesh, error) { return read(r, opt) })(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
