package query

import (
	"context"

	"github.com/meadow-nav/meadow/query/internal/prepared"
)

// ErrUnprepared reports an Index that Prepare refuses: with links, with ground of different costs, or of an unsound
// mesh, see [navmesh.Mesh.IsSound]. The wrapping error gives the reason.
var ErrUnprepared = prepared.ErrUnprepared

// Preparation describes the result of [Index.Prepare].
type Preparation struct {
	Corners int  // number of corners that paths turn around
	Edges   int  // number of pairs of mutually visible corners where paths turn around both
	Beams   int  // number of beams from corners into regions
	Table   bool // whether the distances between all corners are stored
	Bytes   int  // additional size of the Index
}

// Prepared returns the description of the preparation; ok is false for an Index without preparation.
func (x *Index) Prepared() (p Preparation, ok bool) {
	w := x.ready().prepared
	if w == nil {
		return p, false
	}
	p.Corners, p.Edges, p.Beams, p.Bytes = w.Size()
	p.Table = w.Table != nil
	return p, true
}

// Prepare returns an Index that answers [Query.Path] and [Query.PathBetween] from precomputed pairs of corners: the
// same shortest paths, sooner, mostly by far where paths turn around many corners. All other queries work as with ix,
// and the memory of ix is shared. [Index.With] starts from the mesh again: its result is not prepared, unless the
// result is ix itself. The error is [ErrUnprepared] for open links or ground of different costs, or the error of ctx.
//
// Prepare takes milliseconds on levels of hundreds of regions, and a second or more where many thousands of corners see
// each other over open ground. For up to 2048 corners a table takes 8 bytes for every pair of corners; beams take about
// a hundred bytes each, see docs/algorithms/query.md.
func (ix *Index) Prepare(ctx context.Context) (*Index, error) {
	return ix.ready().prepare(ctx, prepared.MaxTable)
}

// prepare is Prepare with a table for at most the given number of corners.
func (ix *Index) prepare(ctx context.Context, corners int) (*Index, error) {
	if err := begin(ctx, "prepare"); err != nil {
		return nil, err
	}
	if ix.prepared != nil {
		return ix, nil
	}
	w, err := prepared.Prepare(ctx, ix.geo, corners)
	if err != nil {
		return nil, err
	}
	out := *ix
	out.prepared = w
	return &out, nil
}
