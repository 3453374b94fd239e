package search

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrNode is wrapped by the error for a start or goal that the graph does not have.
var ErrNode = errors.New("no such node")

// Search is any of the searchers of this package.
type Search interface {
	// Path returns a path from one node to another. A missing path is a Result that is not Found, no error.
	// Errors: [ErrNode], and the context's error, checked every few hundred nodes.
	Path(ctx context.Context, from, to int32) (Result, error)
}

// Result is the answer of a search and its effort.
type Result struct {
	// Nodes are the nodes of the path from start to goal, both included; nil without a path. The
	// slice belongs to the searcher and is overwritten by its next search.
	Nodes []int32
	// Cost is the sum of the costs of the path's edges; +Inf without a path.
	Cost float64
	// Expanded counts the nodes with followed edges; a node that was followed from both sides, or again after a
	// correction, counts each time.
	Expanded int
	// Busiest is the share of Expanded that no other goroutine could take over: Expanded for searchers on one
	// goroutine, the larger side's for searchers on two, and for searchers with common passes the sum over
	// passes of the largest share. Expanded of A* over Busiest is the ideal speed-up with enough cores and free
	// communication.
	Busiest int
	// Passes counts the passes over the lists of fringe searches (of both sides together), and is
	// 0 for the others.
	Passes int
}

// Found reports whether a path exists.
func (r Result) Found() bool { return r.Nodes != nil }

// Estimate is a lower bound of the cost of any path from one node to another, not negative, +Inf only where there is none.
//
// It is admissible if it never exceeds the cost of the cheapest path, and consistent if besides Estimate(a,
// c) ≤ Estimate(a, b) + Estimate(b, c). Straight distance is consistent where no edge costs less than its
// length. Each searcher states its requirement. Searchers on two goroutines call it from both. A nil Estimate
// stands for zero, which is always consistent.
type Estimate func(from, to int32) float64

// Euclid returns the straight distance between nodes and keeps the coordinates: the slices, one element per
// node, must not change. It is consistent, up to rounding, for a graph where no edge costs less than the
// distance of its ends.
func Euclid(x, y []float64) Estimate {
	return func(a, b int32) float64 {
		dx, dy := x[a]-x[b], y[a]-y[b]
		return math.Sqrt(float64(dx*dx) + float64(dy*dy))
	}
}

// zero is the Estimate 0.
func zero(_, _ int32) float64 { return 0 }

// orZero makes a nil estimate callable.
func orZero(e Estimate) Estimate {
	if e == nil {
		return zero
	}
	return e
}

// checkEvery is how many nodes a search takes up between two looks at its context. A power of two.
const checkEvery = 256

// begin checks the arguments of Path.
func begin(ctx context.Context, g *Graph, from, to int32) error {
	for _, n := range [2]int32{from, to} {
		if n < 0 || int(n) >= g.Nodes() {
			return fmt.Errorf("search: node %d of a graph with %d: %w", n, g.Nodes(), ErrNode)
		}
	}
	return ctx.Err()
}

// none is the answer without a path.
func none(expanded, passes int) Result {
	return Result{Cost: math.Inf(1), Expanded: expanded, Busiest: expanded, Passes: passes}
}
