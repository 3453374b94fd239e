package meadow

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/meadow-nav/meadow/internal/atomicfile"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
	"github.com/meadow-nav/meadow/navmesh/polyfile"
	"github.com/meadow-nav/meadow/query"
)

// Mesh is a navigation mesh with what is needed to ask it. It is immutable: any number of
// goroutines may share it.
type Mesh struct {
	*navmesh.Mesh
	report Report
	index  *lazyIndex
}

// lazyIndex is the index of a mesh, made by whoever asks first.
type lazyIndex struct {
	making sync.Mutex
	made   *query.Index
}

// Wrap makes a Mesh of a mesh that was built or read by other means.
func Wrap(m *navmesh.Mesh) *Mesh {
	return &Mesh{Mesh: m, index: new(lazyIndex)}
}

// Index returns what all queries of the mesh share, built by the first call. Its method With makes another
// one for those who may not pass everything: see [query.Filter].
func (m *Mesh) Index() *query.Index {
	ix, _ := m.IndexWith(context.Background()) // nothing else is an error
	return ix
}

// IndexWith is [Mesh.Index] with a context for the first call, which makes the index. Its only error is the
// error of a context that ended; the next call begins anew.
func (m *Mesh) IndexWith(ctx context.Context) (*query.Index, error) {
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

// NewQuery returns a query with memory of its own, for one goroutine at a time. The first call
// builds the index that all queries of the mesh share.
func (m *Mesh) NewQuery() *query.Query { return m.Index().NewQuery() }

// Refs names all regions, tile after tile. The place of a region in this list is the number that
// reports and pictures give it.
func (m *Mesh) Refs() []navmesh.Ref {
	refs := make([]navmesh.Ref, 0, m.RegionCount())
	for t := range m.Tiles {
		for r := range m.Tiles[t].Regions {
			refs = append(refs, navmesh.MakeRef(t, r, m.Tiles[t].Generation))
		}
	}
	return refs
}

// Report tells how the mesh was built. It is the zero Report for a mesh that was loaded.
func (m *Mesh) Report() Report { return m.report }

// Write writes the mesh in the format of docs/formats.
func (m *Mesh) Write(w io.Writer) error { return navfile.Write(w, m.Mesh) }

// Save writes the mesh to the file at path. The file is there whole or, after an error, as before.
func (m *Mesh) Save(path string) error { return atomicfile.Write(path, m.Write) }

// Read reads a mesh that [Mesh.Write] wrote, or a polygon mesh in text, see [polyfile.Read]. Every checksum
// and the whole structure are verified, see [navmesh.Mesh.Check]; the error names the section and the
// element, or the line. Geometric faults are no error: [navmesh.Mesh.Warnings] lists the faults of single
// regions and portals, and [navmesh.Mesh.Validate] all faults. Queries end whatever the faults.
func Read(r io.Reader) (*Mesh, error) {
	in := bufio.NewReader(r)
	start, _ := in.Peek(64) // a file that is shorter is one, too
	read := navfile.Read
	if polyfile.IsMesh(start) {
		read = polyfile.Read
	}
	m, err := read(in)
	if err != nil {
		return nil, err
	}
	return Wrap(m), nil
}

// Load reads the mesh file at path.
func Load(path string) (*Mesh, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
