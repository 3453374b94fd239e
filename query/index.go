package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/prepared"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// Index holds the mesh data that all queries share: the geometry of the mesh, and the results of searches that later
// searches build on. An Index is immutable and safe for any number of goroutines. A zero or nil Index is the index of a
// mesh without regions.
type Index struct {
	geo       *index.Index
	landmarks exact.Landmarks
	sights    exact.Sights
	listed    bool              // the sights are those of a preparation
	prepared  *prepared.Corners // see [Index.Prepare]
	gates     *weighted.Gates   // nil over even ground
}

// NewIndex prepares a mesh for queries. The mesh must pass [navmesh.Mesh.Check]. If [navmesh.Mesh.Validate] finds other
// faults, answers may be wrong, but every query ends: see limits.go. A nil mesh counts as empty. Time O(n log n) for a
// mesh with n corners, portals and floor triangles, plus O(l²) for l links. If walks are much longer than straight
// lines, and at most 32 places of links exist, landmarks add the time of searches over the whole mesh, and 150 to 200 bytes
// for each corner: 17 searches for up to 8192 corners, 5 for up to 16384, and none for more, see [Index.Prepare].
// The lists of corners in sight of corners take time O(n) more, and 100 to 700 bytes for each corner, see [Index.Prepare].
func NewIndex(m *navmesh.Mesh) *Index {
	ix, err := NewIndexWith(context.Background(), m)
	if err != nil {
		return emptyIndex()
	}
	return ix
}

// emptyIndex returns the Index of a mesh without regions.
func emptyIndex() *Index { return NewIndex(new(navmesh.Mesh)) }

// ready returns ix, or the Index of the empty mesh for a zero or nil Index.
func (ix *Index) ready() *Index {
	if ix == nil || ix.geo == nil {
		return emptyIndex()
	}
	return ix
}

// NewIndexWith is [NewIndex] with a context. Errors are a nil mesh, and a nil or ended context.
func NewIndexWith(ctx context.Context, m *navmesh.Mesh) (*Index, error) {
	if err := begin(ctx, "index"); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, errors.New("query: index: the mesh is nil")
	}
	geo, err := index.New(ctx, m)
	if err != nil {
		return nil, err
	}
	ix := &Index{geo: geo}
	if err := ix.sights.Choose(ctx, geo, exact.Usual()); err != nil {
		return nil, fmt.Errorf("query: index: %w", err)
	}
	if err := ix.landmarks.Choose(ctx, geo, &ix.sights, exact.UsualLandmarks(geo.Turns)); err != nil {
		return nil, err
	}
	ix.sights.Forget()
	return ix, nil
}

// begin returns the error of a context that is nil, or that has ended before any work.
func begin(ctx context.Context, task string) error {
	if ctx == nil {
		return fmt.Errorf("query: %s: the context is nil: use context.Background()", task)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("query: %s: %w", task, err)
	}
	return nil
}
