package prepared

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// table has the distances between all corners of a part of the floor, one square for each part: no way leads from part to part.
type table struct {
	squares []square
	of      []uint32 // the square of each corner
	half    bool     // squares have each pair of corners once
}

// square is the part of a table for the corners first to first+count-1, by rows of count corners. Corners a and b have the numbers a-first
// and b-first in the square.
type square struct {
	first, count int32
	// distances[a·count+b] is the distance between corners a and b. With each pair once it is at a·(a+1)/2+b, for b ≤ a.
	distances []float64
	toward    []uint16 // toward[b·count+a] is the edge of corner a on a shortest way to corner b
}

// The bytes of a table for each ordered pair of corners: a distance and an edge, or half a distance and an edge.
const (
	fullPair = 10
	halfPair = 6
)

// partsOf returns the numbers of corners of all parts of the floor, in the order of byPart, the number of pairs of corners of the same
// part, and the number of corners of the largest part.
func partsOf(ix *index.Index) (counts []int32, pairs float64, most int32) {
	part := make([]uint32, ix.Turns)
	for i := range uint32(ix.PortalLimit()) {
		p := ix.Portal(i)
		for _, turn := range [2]int32{p.LeftTurn, p.RightTurn} {
			if turn != index.NoTurn {
				part[turn] = ix.Region(p.To).Part
			}
		}
	}
	slices.Sort(part)
	for i := 0; i < len(part); {
		n := 1
		for i+n < len(part) && part[i+n] == part[i] {
			n++
		}
		counts, pairs, most = append(counts, int32(n)), pairs+float64(n)*float64(n), max(most, int32(n))
		i += n
	}
	return counts, pairs, most
}

// newTable returns the table of corners in the order of byPart, given the numbers of corners of the parts.
func newTable(ctx context.Context, g *graph.Graph, counts []int32) (t table, err error) {
	t.of = make([]uint32, 0, g.Nodes())
	for _, count := range counts {
		s := square{first: int32(len(t.of)), count: count}
		if s.distances, err = graph.AllCosts(ctx, g, int(s.first), int(s.first+count)); err != nil {
			return t, err
		}
		if err := s.direct(ctx, g); err != nil {
			return t, err
		}
		for range count {
			t.of = append(t.of, uint32(len(t.squares)))
		}
		t.squares = append(t.squares, s)
	}
	return t, nil
}

// direct finds the edges toward each corner. The next corner is the corner with the shortest way over it; every edge is
// longer than zero.
func (q *square) direct(ctx context.Context, g *graph.Graph) error {
	n := int(q.count)
	q.toward = make([]uint16, n*n)
	for b := range n {
		if b%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row, toward := q.distances[b*n:(b+1)*n], q.toward[b*n:(b+1)*n]
		for a := range toward {
			least := math.Inf(1)
			targets, costs := g.From(q.first + int32(a))
			for i, v := range targets {
				if way := costs[i] + row[v-q.first]; way < least {
					toward[a], least = uint16(i), way
				}
			}
		}
	}
	return nil
}

// Halve keeps each pair of the table once. Rows of a full table are read in order, and hence sooner.
func (w *Corners) Halve() {
	for i := range w.table.squares {
		q := &w.table.squares[i]
		n := int(q.count)
		half := make([]float64, 0, n*(n+1)/2)
		for a := range n {
			half = append(half, q.distances[a*n:a*n+a+1]...)
		}
		q.distances = half
	}
	w.table.half = true
}

// between returns the distance between two corners of a square with each pair once.
func (q *square) between(a, b int32) float64 {
	low, high := int(min(a, b)), int(max(a, b))
	return q.distances[high*(high+1)/2+low]
}

// bytes returns the memory size of the table.
func (t *table) bytes() int {
	sum := 4*len(t.of) + 64*len(t.squares)
	for i := range t.squares {
		sum += 8*len(t.squares[i].distances) + 2*len(t.squares[i].toward)
	}
	return sum
}

// joinByTable finds the best way over a corner that the start sees and a corner that the goal sees. The corner with the
// straightest way to the goal comes first: after it, most others are too far aside.
func (s *Search) joinByTable(w *Corners, goal lattice.Point) {
	s.best = math.Inf(1)
	seen, straightest := s.Seen[0], 0
	for i := range seen {
		seen[i].least = seen[i].Distance + index.Distance(w.At[seen[i].Turn], goal)
		if seen[i].least < seen[straightest].least {
			straightest = i
		}
	}
	if len(seen) > 0 {
		s.joinFrom(w, &seen[straightest])
	}
	for i := range seen {
		if seen[i].least < s.best && i != straightest {
			s.joinFrom(w, &seen[i])
		}
	}
}

// joinFrom finds the best way over a corner that the start sees. All corners that the ends see are in the part of the ends.
func (s *Search) joinFrom(w *Corners, a *seenFrom) {
	rest, last := s.best-a.Distance, -1
	q := &w.table.squares[w.table.of[a.Turn]]
	n, from := int(q.count), a.Turn-q.first
	if w.table.half {
		for k := range s.Seen[1] {
			b := &s.Seen[1][k]
			if way := q.between(from, b.Turn-q.first) + b.Distance; way < rest {
				rest, last = way, k
			}
		}
	} else {
		row := q.distances[int(from)*n : int(from+1)*n]
		for k := range s.Seen[1] {
			b := &s.Seen[1][k]
			if way := row[b.Turn-q.first] + b.Distance; way < rest {
				rest, last = way, k
			}
		}
	}
	if last >= 0 {
		s.best, s.ends = a.Distance+rest, [2]seenFrom{*a, s.Seen[1][last]}
	}
}

// appendHops appends the corners of the best way to s.hops.
func (s *Search) appendHops(w *Corners) {
	a, b := s.ends[0].Turn, s.ends[1].Turn
	q := &w.table.squares[w.table.of[b]]
	n := int(q.count)
	toward := q.toward[int(b-q.first)*n : int(b-q.first+1)*n]
	for a != b && len(s.hops) <= n {
		e := uint32(toward[a-q.first])
		s.hops = append(s.hops, cornerHop{a, w.ways.which[w.ways.first[a]+e]})
		a = farEnd(w, a, e)
	}
	s.hops = append(s.hops, cornerHop{turn: b})
}

// farEnd returns the corner at the far end of an edge.
func farEnd(w *Corners, turn int32, edge uint32) int32 {
	targets, _ := w.graph.From(turn)
	return targets[edge]
}
