package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
)

// Shortest paths over precomputed pairs of mutually visible corners.
//
// Source: the tangent graph of Y.-H. Liu and S. Arimoto, Path planning using a tangent graph for mobile robots among
// polygonal and curved obstacles, International Journal of Robotics Research 11 (1992). Precomputed corners that an end
// may see, as in B. Shen, M. A. Cheema, D. D. Harabor and P. J. Stuckey, Euclidean pathfinding with compressed path
// databases, IJCAI 2020.
//
// Idea: A shortest path with bends leads from the start to a visible corner, and over further corners to the goal,
// which sees the last corner. Prepare finds the pairs of mutually visible corners where a path can turn around both,
// and for few corners all distances between corners. Prepare also finds beams: for a corner and a region, the angles at
// the corner that see the region. An end sees exactly the corners whose beams contain the end, by two signs for each
// beam in the end's region. A beam keeps only directions that lead past the walls at the corner, not straight into the
// walls. Without a table of distances, A* goes from corner to corner. The portals of each beam and of each edge are
// stored; no part of a path is walked again.
//
// Input: an Index without links, whose ground has equal cost everywhere.
//
// Guarantees:
//  1. Paths are as long as without preparation (TestPreparedPaths, TestPreparedStoreys, TestPreparedPublished). Where a
//     chosen corner is not reached straight, the ordinary search answers.
//  2. An end is in a beam of a corner exactly if the end sees the corner and a path may turn there
//     (TestBeamsAgainstSight).
//  3. Nothing is allocated after the first few answers (TestPreparedAllocatesNothing).
//
// Degenerate cases: for an end on the border between regions the beams of all these regions count. Casting from corner
// to corner then gives the corridor. Corners at the same point on different storeys, or touching corners, are different
// corners, as in polyanya.go. A corner without exactly two walls has whole beams.
//
// Cost: preparing takes O(c·v) for c corners that see v portals each, and O(c·e log c) for a table with e edges. A path
// takes O(b + s²) for b beams in the regions of its ends and s visible corners; without a table O(b + e log e) for the
// e edges nearer than the goal.
//
// Departures: the paper of 2020 keeps the visible corners of grid cells and checks for each end whether the corner is
// visible. Hub labels, which J. Du, B. Shen and M. A. Cheema (AAAI 2023) put on this graph, are absent: on open ground
// a corner has hundreds of hubs, and merging them takes longer than a search of so few edges.

// ErrUnprepared reports an Index that Prepare refuses: with links, with ground of different costs, or of an unsound
// mesh, see [navmesh.Mesh.IsSound]. The wrapping error gives the reason.
var ErrUnprepared = errors.New("query: paths cannot be prepared")

// prepared holds the data that [Index.Prepare] adds to an Index.
type prepared struct {
	ix    *index.Index
	at    []lattice.Point // the corners, by index.Portal.LeftTurn and index.Portal.RightTurn
	walls []wedge         // the blocked angles at the corners
	fans  fans
	beams beams
	graph *graph.Graph // mutually visible corners
	ways  cornerWays   // ways along the edges of graph
	// The distance between corners a and b is table[a·n+b] for n corners. With too many corners for a table, table is
	// nil and queries search the graph.
	table []float64
}

// maxTable is the maximum number of corners for a table. The table then takes 32 MiB.
const maxTable = 2048

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
	p = Preparation{Corners: len(w.at), Edges: w.graph.Edges() / 2, Beams: len(w.beams.list), Table: w.table != nil}
	p.Bytes = 24*len(w.at) + 4*(len(w.at)+1) + 12*w.graph.Edges() + 8*len(w.table) + w.fans.bytes() + w.beams.bytes() + w.ways.bytes()
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
	return ix.ready().prepare(ctx, maxTable)
}

// prepare is Prepare with a table for at most the given number of corners.
func (ix *Index) prepare(ctx context.Context, corners int) (*Index, error) {
	if err := begin(ctx, "prepare"); err != nil {
		return nil, err
	}
	if ix.prepared != nil {
		return ix, nil
	}
	w, err := prepare(ctx, ix.geo, corners)
	if err != nil {
		return nil, err
	}
	out := *ix
	out.prepared = w
	return &out, nil
}

// prepare returns the preparation of a geometry.
func prepare(ctx context.Context, ix *index.Index, corners int) (*prepared, error) {
	if len(ix.Hops) > 0 {
		return nil, fmt.Errorf("%w: there are links, %d is open", ErrUnprepared, ix.Hops[0].Link)
	}
	if ix.Ground.Uneven {
		return nil, fmt.Errorf("%w: the ground of regions costs differently", ErrUnprepared)
	}
	if !ix.Sound {
		return nil, fmt.Errorf("%w: regions are not convex, or portals are off their edges", ErrUnprepared)
	}
	w := &prepared{ix: ix, at: make([]lattice.Point, ix.Turns)}
	in := make([]uint32, ix.Turns)
	for i := range ix.Portals {
		p := &ix.Portals[i]
		if p.LeftTurn != index.NoTurn {
			w.at[p.LeftTurn], in[p.LeftTurn] = p.Left, p.To
		}
		if p.RightTurn != index.NoTurn {
			w.at[p.RightTurn], in[p.RightTurn] = p.Right, p.To
		}
	}
	w.walls = make([]wedge, ix.Turns)
	var around []uint32
	for t := range w.at {
		around = ix.RegionsAround(around[:0], index.Place{Region: in[t], At: w.at[t]})
		w.walls[t] = wedgeAt(ix, around, w.at[t])
		w.fans.add(ix, around, w.at[t])
	}
	var s sight
	var passages []passage
	var portals []uint32
	for t := range w.at {
		if t%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("query: prepare: %w", ctx.Err())
		}
		if s.look(ix, index.Place{Region: in[t], At: w.at[t]}); len(s.views) > ix.Most {
			return nil, fmt.Errorf("query: prepare: corner %d: %w", t, ErrTooLarge)
		}
		w.beams.add(ix, int32(t), &s, w.walls[t])
		for _, c := range s.seen {
			if way := plane.Towards(w.at[t], w.at[c.turn]); c.turn != int32(t) && !w.walls[t].hides(way) && !w.walls[c.turn].hides(way.Back()) {
				begin := len(portals)
				portals = s.crossed(portals, c.through)
				p := passage{from: int32(t), to: c.turn, distance: c.distance, first: c.in, portals: portals[begin:]}
				if len(p.portals) > 0 {
					p.first = ix.Portals[ix.Portals[p.portals[0]].Back].To
				}
				passages = append(passages, p)
			}
		}
	}
	w.beams.sort(ix)
	if err := w.connect(ix, passages); err != nil {
		return nil, err
	}
	if ix.Turns <= corners {
		var err error
		if w.table, err = graph.AllCosts(ctx, w.graph); err != nil {
			return nil, fmt.Errorf("query: prepare: %w", err)
		}
	}
	return w, nil
}
