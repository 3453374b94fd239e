package query

// Shortest paths over corners that see each other, known beforehand.
//
// Source: the tangent graph of Y.-H. Liu and S. Arimoto, Path planning using a tangent graph for mobile robots
// among polygonal and curved obstacles, International Journal of Robotics Research 11 (1992); ends that know beforehand which
// corners they may see as in B. Shen, M. A. Cheema, D. D. Harabor and P. J. Stuckey, Euclidean pathfinding with compressed path
// databases, IJCAI 2020.
//
// Idea: A shortest path that is not straight leads from the start to a corner that it sees, from there over
// corners to one that the goal sees, and to the goal. Which corners see each other is known
// beforehand, but only where a path can turn around both; and where they are few, all distances
// between corners. What a corner sees of a region are beams: angles at the corner. So an end sees those corners in whose
// beams it is, which two signs tell for each beam in its region; of an angle only the directions are kept that lead past
// the walls at the corner, and not straight into them. Without a table of distances, A* goes from corner to corner in between.
// The portals of each beam and of each edge are known, too, so that nothing is walked again.
//
// Input: an Index without links, all ground of which costs the same.
//
// Guarantees:
//  1. Paths are as long as those of the search without preparation (TestPreparedPaths,
//     TestPreparedStoreys, TestPreparedPublished), which is asked where a corner found is not reached straight.
//  2. An end is in a beam of a corner exactly if it sees it and a path may turn there (TestBeamsAgainstSight).
//  3. Nothing is allocated after the first few answers (TestPreparedAllocatesNothing).
//
// Degenerate cases: an end on the border between regions is looked for in the beams of all of them, and its corridor is found by
// casting from corner to corner. Corners that are the same point on different storeys, or touch, are different corners, as in
// polyanya.go. Where the walls at a corner are not two, its beams are whole.
//
// Cost: preparing takes O(c·v) for c corners that see v portals each, and O(c·e log c) for a table with e edges. A
// path takes O(b + s²) for b beams in the regions of its ends and s corners that these see, without a table
// O(b + e log e) for the edges nearer than the goal.
//
// Departures: the paper of 2020 keeps the visible corners of grid cells, some of which an end in the cell does not see, and looks
// whether it does. Hub labels, which J. Du, B. Shen and M. A. Cheema (AAAI 2023) put on this graph, are not there: on open
// ground a corner has hundreds of hubs, and merging them takes longer than a search of so few edges.

import (
	"context"
	"errors"
	"fmt"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/search"
)

// ErrUnprepared is the error of preparing an Index with links, with ground of different costs, or of a mesh that is not
// sound, see [navmesh.Mesh.IsSound]. The error that wraps it gives the reason.
var ErrUnprepared = errors.New("query: paths cannot be prepared")

// prepared is what [Index.Prepare] adds to an Index.
type prepared struct {
	at    []lattice.Point // the corners, by portal.leftTurn and portal.rightTurn
	walls []wedge         // what is not free there
	fans  fans
	beams beams
	graph *search.Graph // which see each other
	ways  cornerWays    // how one comes from one to the other
	// The distance between corners a and b is table[a·n+b] for n of them. Where they are too many for a table
	// it is nil, and the graph is searched.
	table []float64
}

// maxTable is for how many corners a table is made. It takes 32 MiB.
const maxTable = 2048

// Preparation says what [Index.Prepare] has made.
type Preparation struct {
	Corners int  // that paths turn around
	Edges   int  // pairs of corners that see each other and that paths turn around both of
	Beams   int  // what corners see of regions
	Table   bool // of the distances between all corners
	Bytes   int  // that the Index has become larger by
}

// Prepared says what is prepared; ok is false if nothing is.
func (ix *Index) Prepared() (p Preparation, ok bool) {
	if ix.prepared == nil {
		return p, false
	}
	w := ix.prepared
	p = Preparation{Corners: len(w.at), Edges: w.graph.Edges() / 2, Beams: len(w.beams.list), Table: w.table != nil}
	p.Bytes = 24*len(w.at) + 4*(len(w.at)+1) + 12*w.graph.Edges() + 8*len(w.table) + w.fans.bytes() + w.beams.bytes() + w.ways.bytes()
	return p, true
}

// Prepare returns an Index that answers [Query.Path] and [Query.PathBetween] from what its corners see of each
// other: the same shortest paths, sooner, mostly by far where they turn around many corners. All other queries
// are those of ix, whose memory is shared. [Index.With] starts from the mesh again: what it returns is not
// prepared, unless it is ix itself. The error is [ErrUnprepared] where links are open or
// ground costs differently, or that of ctx.
//
// It takes milliseconds on levels of hundreds of regions, and a second or more where many thousands of corners see each
// other over open ground; up to 2048 corners a table takes 8 bytes for every two, and what corners see of regions some hundred
// bytes for each of those, see docs/algorithms/query.md.
func (ix *Index) Prepare(ctx context.Context) (*Index, error) { return ix.prepare(ctx, maxTable) }

// prepare is Prepare with a table for at most so many corners.
func (ix *Index) prepare(ctx context.Context, corners int) (*Index, error) {
	if len(ix.hops) > 0 {
		return nil, fmt.Errorf("%w: there are links, %d is open", ErrUnprepared, ix.hops[0].link)
	}
	if ix.ground.uneven {
		return nil, fmt.Errorf("%w: the ground of regions costs differently", ErrUnprepared)
	}
	if !ix.sound {
		return nil, fmt.Errorf("%w: regions are not convex, or portals are off their edges", ErrUnprepared)
	}
	if ix.prepared != nil {
		return ix, nil
	}
	w := &prepared{at: make([]lattice.Point, ix.turns)}
	in := make([]uint32, ix.turns)
	for i := range ix.portals {
		p := &ix.portals[i]
		if p.leftTurn != noTurn {
			w.at[p.leftTurn], in[p.leftTurn] = p.left, p.to
		}
		if p.rightTurn != noTurn {
			w.at[p.rightTurn], in[p.rightTurn] = p.right, p.to
		}
	}
	w.walls = make([]wedge, ix.turns)
	var around []uint32
	for t := range w.at {
		around = ix.regionsAround(around[:0], place{region: in[t], at: w.at[t]})
		w.walls[t] = ix.wedgeAt(around, w.at[t])
		w.fans.add(ix, around, w.at[t])
	}
	var s sight
	var passages []passage
	var portals []uint32
	for t := range w.at {
		if t%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("query: prepare: %w", ctx.Err())
		}
		if s.look(ix, place{region: in[t], at: w.at[t]}); len(s.views) > ix.most {
			return nil, fmt.Errorf("query: prepare: corner %d: %w", t, ErrTooLarge)
		}
		w.beams.add(ix, int32(t), &s, w.walls[t])
		for _, c := range s.seen {
			if way := towards(w.at[t], w.at[c.turn]); c.turn != int32(t) && !w.walls[t].hides(way) && !w.walls[c.turn].hides(way.back()) {
				begin := len(portals)
				portals = s.crossed(portals, c.through)
				p := passage{from: int32(t), to: c.turn, distance: c.distance, first: c.in, portals: portals[begin:]}
				if len(p.portals) > 0 {
					p.first = ix.portals[ix.portals[p.portals[0]].back].to
				}
				passages = append(passages, p)
			}
		}
	}
	w.beams.sort(ix)
	if err := w.connect(ix, passages); err != nil {
		return nil, err
	}
	if ix.turns <= corners {
		var err error
		if w.table, err = search.AllCosts(ctx, w.graph); err != nil {
			return nil, fmt.Errorf("query: prepare: %w", err)
		}
	}
	out := *ix
	out.prepared = w
	return &out, nil
}
