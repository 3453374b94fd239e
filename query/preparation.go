package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/query/internal/exact"
	"github.com/meadow-nav/meadow/query/internal/prepared"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// ErrUnprepared reports an Index that Prepare refuses: of an unsound mesh, see [navmesh.Mesh.IsSound], or with ground of
// different costs and without room. The wrapping error gives the reason.
var ErrUnprepared = prepared.ErrUnprepared

// Preparation describes the result of [Index.Prepare]: a table, labels, steps, lists, or bounds.
type Preparation struct {
	Corners int  // number of corners that paths turn around
	Table   bool // whether the distances between all corners of a part of the floor are stored
	// Of a table, labels or steps: the number of pairs of mutually visible corners where paths turn around both, and of beams from
	// corners into regions.
	Edges, Beams int
	// Labels is the number of distances of corners from hubs, 0 without labels. Every two connected corners share a hub on a
	// shortest way between them.
	Labels int
	// Steps is the number of pairs of corners with a known next corner on the way between them, 0 without steps.
	Steps int
	// Of lists: the number of corners and links in sight of corners, and whether every corner has its list.
	Sights int
	Whole  bool
	// The number of landmarks: corners with known distances to all others. 0 where walks are about as long as straight lines.
	Landmarks int
	// Bounds is the number of places with lower bounds of the costs of all ways from there, over ground of different costs.
	Bounds int
	Bytes  int // size of the table, the labels or the steps, or of the lists and distances, or of the bounds
}

// Prepared returns the description of the preparation; ok is false for an Index without preparation.
func (x *Index) Prepared() (p Preparation, ok bool) {
	x = x.ready()
	if x.geo.Ground.Uneven {
		p.Bounds, p.Bytes = x.gates.Size()
		return p, p.Bounds > 0
	}
	if w := x.prepared; w != nil {
		p.Corners, p.Edges, p.Beams, p.Bytes = w.Size()
		p.Labels = w.Labels()
		p.Steps = w.Steps()
		p.Table = p.Labels == 0 && p.Steps == 0
		return p, true
	}
	if !x.listed {
		return p, false
	}
	p.Landmarks, p.Bytes = x.landmarks.Size()
	p.Corners, p.Bytes = x.geo.Turns, p.Bytes+x.sights.Bytes()
	p.Sights, p.Whole = x.sights.Size()
	return p, true
}

// The size of a preparation that Prepare allows, in bytes: for each corner, and at least.
const (
	preparedCorner = 1000
	preparedLeast  = 32_000_000
)

// Prepare is [Index.PrepareWithin] for the larger of 32 MB and 1 kB a corner.
func (ix *Index) Prepare(ctx context.Context) (*Index, error) {
	ix = ix.ready()
	return ix.PrepareWithin(ctx, max(preparedLeast, preparedCorner*ix.geo.Turns))
}

// PrepareWithin returns an Index that answers [Query.Path] and [Query.PathBetween] sooner, with the same shortest paths.
// All other queries work as with ix, and the memory of ix is shared. The error is [ErrUnprepared] for an
// unsound mesh and for ground of different costs without room, or the error of ctx.
//
// A mesh without links gets a table of the distances between all corners of a part of its floor, if the table and its beams take at most
// the given number of bytes: about 2200 corners of one part in 32 MB. Larger meshes get labels, the distances of corners from a few others, if in
// the mean 100 labels a corner suffice: indoors they do, on open ground not. Other meshes get steps, the next corner on the way between
// every two corners, if their few bits for each pair have room. Paths need no search with either. Every other mesh
// gets the lists of corners in sight that [NewIndex] leaves out, as far as the bytes go; searches read them and look through fewer
// portals. Searches over lists are never longer. Where walks are much longer than straight lines, the mesh also gets the distances
// from 16 landmarks, if some 200 bytes for each corner are left. [Index.Prepared] tells the choice.
//
// [Index.With] and [Editor] keep a table, labels and steps: paths away from closed floor, from changed floor and from links still need no
// search. Searches find the other paths, and all paths while more than one region in 32 is closed or changed. An
// [Editor] keeps the lists that no change concerns, a filter keeps none.
//
// An Index with ground of different costs gets lower bounds of the costs between pieces of portals, as fine as the bytes and
// some seconds allow. Searches begin with these bounds: the proved ratio is the same, and which path within the ratio is found may
// differ. Only the returned Index has the bounds, see docs/algorithms/weights.md.
//
// Preparing takes milliseconds on levels of hundreds of regions, and ten seconds of processor time or more, on all cores, where many
// thousands of corners see each other over open ground; see docs/algorithms/query.md.
func (ix *Index) PrepareWithin(ctx context.Context, bytes int) (*Index, error) {
	return ix.ready().prepare(ctx, bytes, bytes)
}

// prepare is PrepareWithin with bounds of their own for a table and for lists.
func (ix *Index) prepare(ctx context.Context, table, lists int) (*Index, error) {
	if err := begin(ctx, "prepare"); err != nil {
		return nil, err
	}
	if ix.prepared != nil && ix.prepared.Of(ix.geo) || ix.listed {
		return ix, nil
	}
	out := *ix
	if ix.geo.Ground.Uneven && ix.geo.Sound {
		gates, err := ix.gates.Prepare(ctx, table)
		switch {
		case errors.Is(err, weighted.ErrNoRoom):
			return nil, fmt.Errorf("%w: bounds of the costs of ways would take more than %d bytes, or too long", ErrUnprepared, table)
		case err != nil:
			return nil, fmt.Errorf("query: prepare: %w", err)
		}
		out.gates = gates
		return &out, nil
	}
	out.prepared = nil
	if len(ix.geo.Hops) == 0 {
		w, err := prepared.Prepare(ctx, ix.geo, table)
		if errors.Is(err, prepared.ErrNoRoom) {
			w, err = prepared.PrepareLabels(ctx, ix.geo, table, prepared.MostLabels)
		}
		if errors.Is(err, prepared.ErrNoRoom) {
			w, err = prepared.PrepareSteps(ctx, ix.geo, table)
		}
		if out.prepared = w; !errors.Is(err, prepared.ErrNoRoom) {
			if err != nil {
				return nil, err
			}
			return &out, nil
		}
	}
	if err := prepared.Refuses(ix.geo); err != nil {
		return nil, err
	}
	more := exact.Sights{}
	if err := more.Choose(ctx, ix.geo, exact.Limits{Bytes: max(lists, 1)}); err != nil {
		return nil, fmt.Errorf("query: prepare: %w", err)
	}
	sights, whole := more.Size()
	if before, _ := ix.sights.Size(); !ix.sights.Lists(ix.geo) || whole || sights > before {
		out.sights = more
	}
	out.listed = true
	// An Index without lists of its own keeps the landmarks of its base.
	if more.Bytes()+exact.LandmarkBytes(ix.geo) <= lists && ix.sights.Lists(ix.geo) {
		if err := out.landmarks.Choose(ctx, ix.geo, &more, exact.LandmarkCount); err != nil {
			return nil, err
		}
	}
	out.sights.Forget()
	return &out, nil
}
