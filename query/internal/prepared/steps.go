package prepared

// Steps: the next corner between every two corners, of meshes on open ground, where labels are too many.
//
// Source: the first moves of A. Botea, Ultra-fast optimal pathfinding without runtime search, AIIDE 2011. Ends and the corners that
// they see, as in B. Shen, M. A. Cheema, D. D. Harabor and P. J. Stuckey, Euclidean pathfinding with compressed path databases,
// IJCAI 2020. Bucket queues: R. B. Dial, Algorithm 360, Communications of the ACM 12 (1969).
//
// Idea: For every two corners Prepare keeps the next corner on a shortest way, only from the corner of the higher number. A walk
// between two corners moves the end of the higher number, until the ends meet. Thus few bits for each pair give all ways
// and distances. A path first looks from both ends, through views with ways shorter than a bound. The pairs of corners in sight are
// tried in the order of straight ways. A walk ends early if the rest, taken straight, is too long, or if the way cannot turn on to the end of
// the path. A bound grows until the best way is within.
//
// Input: as for a table, see prepare.go.
//
// Guarantees:
//  1. The steps between two corners lead along a shortest way (TestStepsAgainstDijkstra).
//  2. Paths are as long as without preparation (TestPreparedPaths, TestPreparedStoreys, TestPreparedPublished).
//  3. The same bytes for any number of goroutines (TestStepsAgainstDijkstra).
//
// Degenerate cases: corners without a way between them have step 0. Ends on borders between regions are cast, as with a table. A look
// through too many views leaves the path to the search. Rounding may choose other equally long ways at different corners; each step
// still shortens the rest by more than rounding.
//
// Cost: preparing takes O(c·e) for c corners and e edges, shared by all cores, and half a step of O(log e/c) bits for each ordered pair of
// corners. A path takes O(v + s²·k) for v views, s corners in sight and ways of k corners.
//
// Departures: moves of the paper are lists of runs for each source, found by binary search. Here every move is in place, for half
// of the pairs.

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// steps are the edges of corners towards all corners of lower numbers. The edge of corner a towards corner b has width[a] bits, the
// b-th of those from byte first[a] on.
//
// Corners with steps have numbers along a curve: the steps towards the corners in sight of an end lie near each other then. With the
// numbers of the Index, the slowest of a hundred paths took 1.04 to 1.24 times as long on seven levels. A table along a curve was no sooner.
type steps struct {
	first []uint32
	width []uint8
	bits  []byte
}

// mostStepBits is the most bits of a step: two bytes hold a step that begins anywhere in the first.
const mostStepBits = 9

// newSteps returns room for the steps of a graph, of at most the given number of bytes.
func newSteps(g *graph.Graph, most int) (*steps, error) {
	n := g.Nodes()
	most = min(most, math.MaxInt32) // first has 32 bits
	s := &steps{first: make([]uint32, n), width: make([]uint8, n)}
	size := 2 // the last step is read with two bytes
	for a := range int32(n) {
		targets, _ := g.From(a)
		s.first[a], s.width[a] = uint32(size-2), uint8(bits.Len(uint(len(targets))))
		if size += (int(a)*int(s.width[a]) + 7) / 8; s.width[a] > mostStepBits || size+5*n > most {
			return nil, ErrNoRoom
		}
	}
	s.bits = make([]byte, size)
	return s, nil
}

// of returns the edge of corner a towards corner b < a, plus 1, 0 without a way.
func (s *steps) of(a, b int32) uint32 {
	at, width := uint32(b)*uint32(s.width[a]), s.width[a]
	return uint32(binary.LittleEndian.Uint16(s.bits[s.first[a]+at/8:])) >> (at % 8) & (1<<width - 1)
}

// set keeps the steps of corner a, one for each corner of a lower number.
func (s *steps) set(a int32, edges []uint16) {
	row := s.bits[s.first[a]:]
	at := 0
	for _, e := range edges {
		for k := range s.width[a] {
			row[at/8] |= byte(e>>k&1) << (at % 8)
			at++
		}
	}
}

// bytes returns the memory size of the steps.
func (s *steps) bytes() int { return 5*len(s.first) + len(s.bits) }

// makeSteps finds the steps of all nodes of a graph. The error is ErrNoRoom for more than most bytes.
func makeSteps(ctx context.Context, g *graph.Graph, most int) (*steps, error) {
	s, err := newSteps(g, most)
	if err != nil {
		return nil, err
	}
	const rows = 64 // of a piece of work
	n := g.Nodes()
	err = par.For(ctx, 0, (n+rows-1)/rows, func(k int) error {
		t := newStepTree(g)
		for a := int32(k * rows); a < int32(min((k+1)*rows, n)); a++ {
			t.grow(g, a)
			s.set(a, t.first[:a])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// stepTree is the memory for trees of shortest ways from a corner. Corners wait in buckets by their distance, and the buckets form a
// ring. A corner whose distance shrinks while its bucket is open is expanded anew.
type stepTree struct {
	far     []float64 // the distances from the root
	done    []float64 // the distances with which corners were expanded last
	first   []uint16  // the first edge on the way, plus 1, 0 for the root and without a way
	buckets [][]int32
	width   float64
}

// bucketsOfEdge is the number of buckets in the mean length of an edge.
const bucketsOfEdge = 4

func newStepTree(g *graph.Graph) *stepTree {
	n := g.Nodes()
	t := &stepTree{far: make([]float64, n), done: make([]float64, n), first: make([]uint16, n)}
	longest := 0.0
	for a := range int32(n) {
		_, costs := g.From(a)
		for _, c := range costs {
			longest, t.width = max(longest, c), t.width+c
		}
	}
	if g.Edges() == 0 {
		t.width = 1
	}
	t.width /= float64(max(g.Edges(), 1)) * bucketsOfEdge
	t.buckets = make([][]int32, int(longest/t.width)+2)
	return t
}

// grow finds the first edges on the ways from a root to all corners.
func (t *stepTree) grow(g *graph.Graph, root int32) {
	for i := range t.far {
		t.far[i], t.done[i], t.first[i] = math.Inf(1), math.Inf(1), 0
	}
	t.far[root] = 0
	t.buckets[0] = append(t.buckets[0], root)
	waiting := 1
	for k := 0; waiting > 0; k++ {
		bucket := &t.buckets[k%len(t.buckets)]
		for len(*bucket) > 0 {
			c := (*bucket)[len(*bucket)-1]
			*bucket = (*bucket)[:len(*bucket)-1]
			waiting--
			far := t.far[c]
			if t.done[c] <= far {
				continue
			}
			t.done[c] = far
			targets, costs := g.From(c)
			for i, to := range targets {
				d := far + costs[i]
				if d >= t.far[to] {
					continue
				}
				if t.far[to], t.first[to] = d, t.first[c]; c == root {
					t.first[to] = uint16(i + 1)
				}
				at := &t.buckets[int(d/t.width)%len(t.buckets)]
				*at = append(*at, to)
				waiting++
			}
		}
	}
}

// PrepareSteps is Prepare by steps.
func PrepareSteps(ctx context.Context, ix *index.Index, bytes int) (*Corners, error) {
	if err := Refuses(ix); err != nil {
		return nil, err
	}
	if pairs := float64(ix.Turns) * float64(ix.Turns); ix.Turns > mostLabelled || pairs/leastStep > float64(bytes) {
		return nil, ErrNoRoom
	}
	w, in := survey(ix, alongCurve)
	passages, err := w.lookAround(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	if err := w.connect(ix, passages); err != nil {
		return nil, err
	}
	g := w.graph
	w.forgetGraph()
	_, _, _, taken := w.Size()
	if w.steps, err = makeSteps(ctx, g, bytes-taken); err != nil {
		return nil, fmt.Errorf("query: prepare: %w", err)
	}
	return w, nil
}

// leastStep is the number of ordered pairs of corners in a byte, if steps have 2 bits.
const leastStep = 8

// The bound of a look, as the excess over the straight line: at first, and the excess from which on nothing bounds the look. With a
// first bound of 1/64, paths on rts took 1.5 times as long.
const (
	firstDetour = 1.0 / 1024
	lastDetour  = 16
)

// joinBySteps finds the best way between two places over a corner in sight of each.
func (s *Search) joinBySteps(w *Corners, from, to index.Place) {
	s.places = [2]lattice.Point{from.At, to.At}
	s.lookFor(w, 0, from, to.At)
	s.lookFor(w, 1, to, from.At)
	straight, before := index.Distance(from.At, to.At), 0.0
	for detour := firstDetour; ; detour *= 4 {
		most := s.best
		if detour <= lastDetour {
			most = min(most, straight+straight*detour)
		}
		if !s.lookWithinBound(w, 0, to.At, most) || !s.lookWithinBound(w, 1, from.At, most) {
			s.best = math.Inf(1)
			return
		}
		if s.joinWithin(w, before, most); s.best <= most {
			return
		}
		before = most
	}
}

// lookFor begins a look from an end for ways to the other end.
func (s *Search) lookFor(w *Corners, end int, from index.Place, other lattice.Point) {
	branch, mask := uint32(0), uint32(0)
	if others := s.Regions[1-end]; len(others) == 1 {
		branch, mask = w.ix.Region(others[0]).Branch, math.MaxUint32
	}
	s.looks[end].lookFor(w.ix, from, other, branch, mask)
	s.Seen[end], s.met[end] = s.Seen[end][:0], 0
}

// lookWithinBound goes on with the look from an end, and sorts the corners met into those in sight, the straightest way first.
// ok is false for a look through too many views.
func (s *Search) lookWithinBound(w *Corners, end int, other lattice.Point, most float64) (ok bool) {
	l := &s.looks[end]
	l.widen(w.ix, most)
	for ; s.met[end] < len(l.seen); s.met[end]++ {
		c := &l.seen[s.met[end]]
		turn := w.Number[c.turn]
		at := w.At[turn]
		if w.Walls[turn].Hides(index.Towards(at, l.at)) {
			continue
		}
		least := c.distance + index.Distance(at, other)
		list := append(s.Seen[end], seenFrom{})
		k := len(list) - 1
		for ; k > 0 && list[k-1].least > least; k-- {
			list[k] = list[k-1]
		}
		list[k] = seenFrom{Turn: turn, beam: uint32(s.met[end]), Distance: c.distance, least: least}
		s.Seen[end] = list
	}
	return len(l.views) <= w.ix.Most
}

// joinWithin finds the best way among those whose corners have straight ways from before up to most.
func (s *Search) joinWithin(w *Corners, before, most float64) {
	for i := range s.Seen[0] {
		a := &s.Seen[0][i]
		if a.least >= min(most, s.best) {
			return
		}
		at := w.At[a.Turn]
		for k := range s.Seen[1] {
			b := &s.Seen[1][k]
			if b.least >= min(most, s.best) {
				break
			}
			straight := a.Distance + index.Distance(at, w.At[b.Turn]) + b.Distance
			if straight < before || straight >= min(most, s.best) {
				continue
			}
			if d, ok := s.walkBetween(w, a.Turn, b.Turn, s.best-a.Distance-b.Distance); ok {
				s.best, s.ends = a.Distance+d+b.Distance, [2]seenFrom{*a, *b}
			}
		}
	}
}

// step returns the edge of corner a towards corner b < a.
func (w *Corners) step(a, b int32) (edge uint32, ok bool) {
	e := w.steps.of(a, b)
	return w.ways.first[a] + e - 1, e > 0
}

// walkBetween returns the length of the way between two corners in sight of the ends. ok is false if the way is not shorter than most,
// or if no shortest way goes on from the way to the ends.
func (s *Search) walkBetween(w *Corners, a, b int32, most float64) (d float64, ok bool) {
	left, other := &s.places[0], &s.places[1] // the ends from which a and b are in sight, nil after the first step from a or b
	for a != b {
		if a < b {
			a, b, left, other = b, a, other, left
		}
		e, ok := w.step(a, b)
		if !ok {
			return 0, false
		}
		at, next := w.At[a], int32(w.far[e])
		to := w.At[next]
		if left != nil && !w.Walls[a].bends(index.Towards(*left, at), index.Towards(at, to)) {
			return 0, false
		}
		a, left = next, nil
		if d += index.Distance(at, to); d+index.Distance(to, w.At[b]) >= most {
			return 0, false
		}
	}
	return d, d < most
}

// followSteps appends the corners of the best way to s.hops: from the first corner on, and from the last one backwards.
func (s *Search) followSteps(w *Corners) {
	s.hops, s.behind = s.hops[:0], s.behind[:0]
	a, b := s.ends[0].Turn, s.ends[1].Turn
	for a != b {
		if a > b {
			e, _ := w.step(a, b)
			s.hops = append(s.hops, cornerHop{a, w.ways.which[e]})
			a = int32(w.far[e])
		} else {
			e, _ := w.step(b, a)
			s.behind = append(s.behind, cornerHop{b, w.ways.which[e] ^ 1})
			b = int32(w.far[e])
		}
	}
	s.hops = append(s.hops, cornerHop{turn: a})
	for k := len(s.behind) - 1; k >= 0; k-- {
		s.hops[len(s.hops)-1].passage = s.behind[k].passage
		s.hops = append(s.hops, cornerHop{turn: s.behind[k].turn})
	}
}
