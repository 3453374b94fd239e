// Package prepared finds shortest paths over precomputed pairs of mutually visible corners.
package prepared

// Shortest paths over precomputed pairs of mutually visible corners.
//
// Source: the tangent graph of Y.-H. Liu and S. Arimoto, Path planning using a tangent graph for mobile robots among
// polygonal and curved obstacles, International Journal of Robotics Research 11 (1992). Precomputed corners that an end
// may see, as in B. Shen, M. A. Cheema, D. D. Harabor and P. J. Stuckey, Euclidean pathfinding with compressed path
// databases, IJCAI 2020.
//
// Idea: A shortest path with bends leads from the start to a visible corner, and over further corners to the goal,
// which sees the last corner. Prepare finds the pairs of mutually visible corners where a path can turn around both,
// and all distances between corners of one part of the floor, with the next corner on each way. Prepare also finds beams: for a corner and a region, the angles at
// the corner that see the region. An end sees exactly the corners whose beams contain the end, by two signs for each
// beam in the end's region. A beam keeps only directions that lead past the walls at the corner, not straight into the
// walls. The portals of each beam and of each edge are stored; no part of a path is walked again.
//
// Input: an Index without links, whose ground has equal cost everywhere. Later links, edits and filters: see elsewhere.go.
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
// corners, as in package exact. A corner without exactly two walls has whole beams.
//
// Cost: preparing takes O(c·v) for c corners that see v portals each, and O(c·e log c) for a table with e edges. A path
// takes O(b + s²) for b beams in the regions of its ends and s visible corners. Without room for a full table, each pair
// of corners is kept once; preparing then still needs the memory of the full table. Without room for a table, corners have
// labels, see labels.go, and a path takes O(b + s·k) for k labels a corner. On open ground they have steps, see steps.go.
//
// Departures: the paper of 2020 keeps the visible corners of grid cells and checks for each end whether the corner is
// visible. Meshes with links, and those without room, have lists of sights, see package exact.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// ErrUnprepared is query.ErrUnprepared.
var ErrUnprepared = errors.New("query: paths cannot be prepared")

// Size describes the size of a preparation, see query.Preparation.
func (w *Corners) Size() (corners, edges, beams, bytes int) {
	edges = len(w.ways.which)
	bytes = 28*len(w.At) + 4*(len(w.At)+1) + 2*len(w.far) + w.table.bytes() + w.fans.bytes() + w.beams.bytes() + w.ways.bytes()
	if w.cones != nil {
		bytes += w.cones.bytes()
		beams = len(w.cones.list)
	}
	if w.labels != nil {
		bytes += w.labels.bytes()
	}
	if w.steps != nil {
		bytes += w.steps.bytes()
	}
	if w.graph != nil {
		bytes += 12 * edges
	}
	return len(w.At), edges / 2, beams + len(w.beams.list), bytes
}

// Corners holds the data that query.Index.Prepare adds to an Index.
type Corners struct {
	ix *index.Index
	// Number has the numbers of the corners, by index.Portal.LeftTurn and index.Portal.RightTurn, see survey.
	Number []int32
	At     []lattice.Point // of the corners
	Walls  []wedge         // the blocked angles at the corners
	fans   fans
	beams  beams
	graph  *graph.Graph // mutually visible corners, nil with labels or steps
	ways   cornerWays   // ways along the edges of graph
	table  table

	// Of labels or steps in place of a table:
	labels *labels
	cones  *cones // with labels
	steps  *steps
	far    []uint16 // the corners at the far ends of edges, as in ways.which
}

// forgetGraph keeps the far ends of the edges of the graph alone.
func (w *Corners) forgetGraph() {
	g := w.graph
	w.graph, w.far = nil, make([]uint16, 0, g.Edges())
	for t := range int32(g.Nodes()) {
		targets, _ := g.From(t)
		for _, c := range targets {
			w.far = append(w.far, uint16(c))
		}
	}
}

// Labels returns the number of labels, 0 for a table.
func (w *Corners) Labels() int {
	if w.labels == nil {
		return 0
	}
	return len(w.labels.distance)
}

// Steps returns the number of pairs of corners with a step, 0 without steps.
func (w *Corners) Steps() int {
	if w.steps == nil {
		return 0
	}
	return len(w.At) * (len(w.At) - 1) / 2
}

// ErrNoRoom reports a preparation larger than its bound.
var ErrNoRoom = errors.New("query: no room for a table")

// Refuses returns the reason why no paths of a geometry can be prepared, or nil.
func Refuses(ix *index.Index) error {
	if ix.Ground.Uneven {
		return fmt.Errorf("%w: the ground of regions costs differently", ErrUnprepared)
	}
	if !ix.Sound {
		return fmt.Errorf("%w: regions are not convex, or portals are off their edges", ErrUnprepared)
	}
	return nil
}

// Prepare returns the preparation of a geometry without links, by a table of at most the given number of bytes.
func Prepare(ctx context.Context, ix *index.Index, bytes int) (*Corners, error) {
	if err := Refuses(ix); err != nil {
		return nil, err
	}
	parts, pairs, most := partsOf(ix)
	if halfPair*pairs > float64(bytes) || most > math.MaxUint16 {
		return nil, ErrNoRoom
	}
	w, in := survey(ix, byPart)
	passages, err := w.lookAround(ctx, in, func() bool { return halfPair*pairs+float64(w.beams.bytes()) <= float64(bytes) })
	if err != nil {
		return nil, err
	}
	w.beams.sort(ix)
	if err := w.connect(ix, passages); err != nil {
		return nil, err
	}
	if w.table, err = newTable(ctx, w.graph, parts); err != nil {
		return nil, fmt.Errorf("query: prepare: %w", err)
	}
	if fullPair*pairs+float64(w.beams.bytes()) > float64(bytes) {
		w.Halve()
	}
	return w, nil
}

// PrepareLabels is Prepare by labels, in the mean at most mean labels a corner. Open ground is refused, see open.
func PrepareLabels(ctx context.Context, ix *index.Index, bytes, mean int) (*Corners, error) {
	if err := Refuses(ix); err != nil {
		return nil, err
	}
	if ix.Turns > mostLabelled || ix.Turns*cornerBytes > bytes {
		return nil, ErrNoRoom
	}
	w, in := survey(ix, byPart)
	if w.open(in, mean) {
		return nil, ErrNoRoom
	}
	passages, err := w.lookAround(ctx, in, func() bool { return coneBytes*len(w.beams.list)+cornerBytes*ix.Turns <= bytes })
	if err != nil {
		return nil, err
	}
	if err := w.connect(ix, passages); err != nil {
		return nil, err
	}
	seen := w.beams
	w.beams = beams{}
	w.cones = newCones(ix, &seen)
	g := w.graph
	w.forgetGraph()
	_, _, _, taken := w.Size()
	most := max(bytes-taken, 0) / labelBytes
	if mean < most/max(ix.Turns, 1) {
		most = mean * ix.Turns
	}
	if w.labels, err = makeLabels(ctx, g, most); err != nil {
		return nil, fmt.Errorf("query: prepare: %w", err)
	}
	return w, nil
}

// MostLabels is the most labels a corner, in the mean. On open ground corners have hundreds, and reading them takes as long as a
// search: with 160 a corner the median was 1.1 times that of lists, with 78 and fewer 0.5 to 0.95 times.
const MostLabels = 100

// open looks from a few corners, and reports whether the ground is so open that corners will have more than mean labels. On five
// open meshes, where seconds passed before more than 100 labels were given up, corners had 31 to 307 beams. On nine meshes for which 100 sufficed,
// they had 7 to 15. The look takes a millisecond indoors and up to twenty on open ground.
func (w *Corners) open(in []uint32, mean int) bool {
	const sample, labelsOfBeam = 128, 4
	var s sight
	var seen beams
	corners := min(sample, len(w.At))
	for k := range corners {
		t := k * len(w.At) / corners
		s.look(w.ix, index.Place{Region: in[t], At: w.At[t]})
		if seen.add(w.ix, int32(t), &s, w.Walls[t]); labelsOfBeam*len(seen.list)/corners > mean {
			return true
		}
	}
	return false
}

// cornerBytes is the size of a corner without labels.
const cornerBytes = 32

// corner is a corner with its number in the Index, one of its regions, and the part of the floor around it.
type corner struct {
	at       lattice.Point
	turn     int32
	in, part uint32
}

// place returns the place of a corner along the curve.
func (c corner) place() uint64 {
	const half = 1 << 31
	return lattice.Interleave(uint32(c.at.X)+half, uint32(c.at.Y)+half)
}

// The orders of corners: by the part of the floor and then by the number in the Index, or along a curve.
func byPart(a, b corner) int { return cmp.Or(cmp.Compare(a.part, b.part), cmp.Compare(a.turn, b.turn)) }

func alongCurve(a, b corner) int {
	return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(a.turn, b.turn))
}

// survey finds the corners of a geometry with their walls and fans, and a region of each corner. The corners have numbers in an order.
func survey(ix *index.Index, order func(a, b corner) int) (w *Corners, in []uint32) {
	w, in = &Corners{ix: ix, Number: make([]int32, ix.Turns), At: make([]lattice.Point, ix.Turns)}, make([]uint32, ix.Turns)
	corners := make([]corner, ix.Turns)
	for i := range uint32(ix.PortalLimit()) {
		p := ix.Portal(i)
		if p.LeftTurn != index.NoTurn {
			corners[p.LeftTurn] = corner{p.Left, p.LeftTurn, p.To, ix.Region(p.To).Part}
		}
		if p.RightTurn != index.NoTurn {
			corners[p.RightTurn] = corner{p.Right, p.RightTurn, p.To, ix.Region(p.To).Part}
		}
	}
	slices.SortFunc(corners, order)
	for n, c := range corners {
		w.Number[c.turn], w.At[n], in[n] = int32(n), c.at, c.in
	}
	w.Walls = make([]wedge, ix.Turns)
	var around []uint32
	for t := range w.At {
		around = ix.RegionsAround(around[:0], index.Place{Region: in[t], At: w.At[t]})
		w.Walls[t] = wedgeAt(ix, around, w.At[t])
		w.fans.add(ix, around, w.At[t])
	}
	return w, in
}

// lookAround looks from all corners: it finds the passages between corners, and the beams as long as there is room; nil stands for no
// beams.
func (w *Corners) lookAround(ctx context.Context, in []uint32, room func() bool) (passages []passage, err error) {
	var s sight
	var crossed []uint32
	for t := range w.At {
		if t%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("query: prepare: %w", ctx.Err())
		}
		if s.look(w.ix, index.Place{Region: in[t], At: w.At[t]}); len(s.views) > w.ix.Most {
			return nil, fmt.Errorf("query: prepare: corner %d: %w", t, index.ErrTooLarge)
		}
		if room != nil {
			if w.beams.add(w.ix, int32(t), &s, w.Walls[t]); !room() {
				return nil, ErrNoRoom
			}
		}
		for _, c := range s.seen {
			to := w.Number[c.turn]
			if way := index.Towards(w.At[t], w.At[to]); to == int32(t) || w.Walls[t].Hides(way) || w.Walls[to].Hides(way.Back()) {
				continue
			}
			p := passage{from: int32(t), to: to, distance: c.distance, first: c.in}
			begin := len(crossed)
			crossed = s.crossed(crossed, c.through)
			if p.portals = crossed[begin:]; len(p.portals) > 0 {
				p.first = w.ix.Portal(w.ix.Portal(p.portals[0]).Back).To
			}
			passages = append(passages, p)
		}
	}
	return passages, nil
}
