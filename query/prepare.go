package query

// Shortest paths over corners that see each other, known beforehand.
//
// Source: the tangent graph of Y.-H. Liu and S. Arimoto, Path planning using a tangent graph for mobile robots
// among polygonal and curved obstacles, International Journal of Robotics Research 11 (1992); ends that look around
// as in B. Shen, M. A. Cheema, D. D. Harabor and P. J. Stuckey, Euclidean pathfinding with compressed path
// databases, IJCAI 2020.
//
// Idea: A shortest path that is not straight leads from the start to a corner that it sees, from there over
// corners to one that the goal sees, and to the goal. Which corners see each other is known
// beforehand, but only where a path can turn around both; and where they are few, all distances
// between corners. So a path takes two looks around, from both ends. Each first looks where a
// straight way through what it sees would be the shortest, and both stop when nothing can be shorter than
// the best way over a corner that one sees and a corner that the other sees. Without a table of distances, A*
// goes from corner to corner in between, in the same order.
//
// Input: an Index without links, all ground of which costs the same.
//
// Guarantees:
//  1. Paths are as long as those of the search without preparation (TestPreparedPaths,
//     TestPreparedStoreys, TestPreparedPublished), which is asked where a corner found is not reached straight.
//  2. Nothing is allocated after the first few answers (TestPreparedAllocatesNothing).
//
// Degenerate cases: an end at a corner sees it around the corner's regions, not as a corner. Corners that are the
// same point on different storeys, or touch, are different corners, as in polyanya.go.
//
// Cost: preparing takes O(c·v) for c corners that see v portals each, and O(c·e log c) for a table with e edges. A
// path takes O(v log v + s²) for v portals and s corners that the ends see, without a table
// O(v log v + e log e) for the edges nearer than the goal.
//
// Departures: hub labels, which J. Du, B. Shen and M. A. Cheema (AAAI 2023) put on this graph, are not there: on open
// ground a corner has hundreds of hubs, and merging them takes longer than a search of so few edges.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/search"
)

// ErrUnprepared is the error of preparing an Index with links, or with ground of different costs; the error that
// wraps it says which.
var ErrUnprepared = errors.New("query: paths cannot be prepared")

// prepared is what [Index.Prepare] adds to an Index.
type prepared struct {
	at    []lattice.Point // the corners, by portal.leftTurn and portal.rightTurn
	walls []wedge         // what is not free there
	graph *search.Graph   // which see each other
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
	Table   bool // of the distances between all corners
	Bytes   int  // that the Index has become larger by
}

// Prepared says what is prepared; ok is false if nothing is.
func (ix *Index) Prepared() (p Preparation, ok bool) {
	if ix.prepared == nil {
		return p, false
	}
	w := ix.prepared
	p = Preparation{Corners: len(w.at), Edges: w.graph.Edges() / 2, Bytes: 24*len(w.at) + 4*(len(w.at)+1) + 12*w.graph.Edges() + 8*len(w.table)}
	p.Table = w.table != nil
	return p, true
}

// Prepare returns an Index that answers [Query.Path] and [Query.PathBetween] from what its corners see of each
// other: the same shortest paths, sooner, mostly by far where they turn around many corners. All other queries
// are those of ix, whose memory is shared. [Index.With] starts from the mesh again: what it returns is not
// prepared, unless it is ix itself. The error is [ErrUnprepared] where links are open or
// ground costs differently, or that of ctx.
//
// It takes milliseconds on levels of hundreds of regions, and seconds where many thousands of corners see each
// other over open ground; up to 2048 corners a table takes 8 bytes for every two, see docs/algorithms/query.md.
func (ix *Index) Prepare(ctx context.Context) (*Index, error) { return ix.prepare(ctx, maxTable) }

// prepare is Prepare with a table for at most so many corners.
func (ix *Index) prepare(ctx context.Context, corners int) (*Index, error) {
	if len(ix.hops) > 0 {
		return nil, fmt.Errorf("%w: there are links, %d is open", ErrUnprepared, ix.hops[0].link)
	}
	if ix.ground.uneven {
		return nil, fmt.Errorf("%w: the ground of regions costs differently", ErrUnprepared)
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
	var edges []search.Edge
	var s sight
	w.walls = make([]wedge, ix.turns)
	for t := range w.at {
		w.walls[t] = ix.wedgeAt(ix.regionsAround(nil, place{region: in[t], at: w.at[t]}), w.at[t])
	}
	for t := range w.at {
		if t%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("query: prepare: %w", ctx.Err())
		}
		s.begin(ix, place{region: in[t], at: w.at[t]})
		s.everywhere = true
		s.lookAround(ix)
		for s.heap.least() < math.Inf(1) {
			s.expand(ix, s.heap.take())
		}
		for _, c := range s.seen {
			if way := towards(w.at[t], w.at[c.turn]); c.turn != int32(t) && !w.walls[t].hides(way) && !w.walls[c.turn].hides(way.back()) {
				edges = append(edges, search.Edge{From: min(c.turn, int32(t)), To: max(c.turn, int32(t)), Cost: c.distance})
			}
		}
	}
	// Most see each other; where one only touches what the other sees, both do.
	slices.SortFunc(edges, func(a, b search.Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	edges = slices.CompactFunc(edges, func(a, b search.Edge) bool { return a.From == b.From && a.To == b.To })
	for _, e := range edges {
		edges = append(edges, search.Edge{From: e.To, To: e.From, Cost: e.Cost})
	}
	var err error
	if w.graph, err = search.NewGraph(ix.turns, edges); err != nil {
		return nil, err
	}
	if ix.turns <= corners {
		if w.table, err = search.AllCosts(ctx, w.graph); err != nil {
			return nil, fmt.Errorf("query: prepare: %w", err)
		}
	}
	out := *ix
	out.prepared = w
	return &out, nil
}

// wedge is what is not free at a corner: counter-clockwise from one wall to the other, less than half a turn.
// Where that is not known both are zero.
type wedge struct{ from, to direction }

// back returns the direction back.
func (d direction) back() direction { return direction{-d.x, -d.y} }

// hides reports whether no shortest path that leaves the corner in a direction has turned around it: what is
// straight before the corner is not free, so that the path comes from beside, and the way that cuts the
// corner is shorter.
func (w wedge) hides(away direction) bool {
	back := away.back()
	return cross(w.from, back) > 0 && cross(back, w.to) > 0
}

// side returns the side of a direction that the wedge is on: positive on the left, negative on the right, and 0
// where it is on both or not known.
func (w wedge) side(d direction) int {
	from, to := cross(d, w.from), cross(d, w.to)
	switch {
	case from == 0 && to == 0:
		return 0
	case from >= 0 && to >= 0:
		return 1
	case from <= 0 && to <= 0:
		return -1
	}
	return 0
}

// taut reports whether a path that comes to the corner in one direction and goes on in another may be a
// shortest one: it turns around the wedge, or goes straight on.
func (w wedge) taut(in direction, inSide int, out direction) bool {
	switch turn := cross(in, out); {
	case turn > 0:
		return inSide >= 0 && w.side(out) >= 0
	case turn < 0:
		return inSide <= 0 && w.side(out) <= 0
	}
	return true
}

// wedgeAt returns the wedge at a corner that some regions are around: the walls are those borders of them that no
// other one of them goes on behind.
func (ix *Index) wedgeAt(regions []uint32, at lattice.Point) (w wedge) {
	var begin, end []direction // of the regions, counter-clockwise around the corner
	for _, r := range regions {
		ring := ix.corners[ix.regions[r].firstCorner:ix.regions[r].endCorner]
		for i := range ring {
			from, to := ring[i].Point, ring[(i+1)%len(ring)].Point
			if from == at || to != at && lattice.OnSegment(at, from, to) {
				begin = append(begin, towards(at, to))
			}
			if to == at || from != at && lattice.OnSegment(at, from, to) {
				end = append(end, towards(at, from))
			}
		}
	}
	open := func(list, others []direction) (alone direction, count int) {
		for _, d := range list {
			if !slices.ContainsFunc(others, func(o direction) bool { return cross(d, o) == 0 && (d.x > 0) == (o.x > 0) && (d.y > 0) == (o.y > 0) }) {
				alone = d
				count++
			}
		}
		return alone, count
	}
	to, n := open(begin, end)
	from, m := open(end, begin)
	if n != 1 || m != 1 || cross(from, to) <= 0 {
		return wedge{}
	}
	return wedge{from, to}
}
