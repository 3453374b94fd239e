package cut

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// edge is an edge of a graph in the open.
type edge struct {
	u, v       int32
	cost, back int64
}

// TestAgainstAllDivisions compares with the smallest of the cheapest divisions, which is contained in all the
// others.
func TestAgainstAllDivisions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cuts := 0
	for try := range 3000 {
		n := 1 + rng.IntN(9)
		source, sink := make([]int64, n), make([]int64, n)
		for i := range n {
			if rng.IntN(3) == 0 {
				source[i] = rng.Int64N(20)
			}
			if rng.IntN(3) == 0 {
				sink[i] = rng.Int64N(20)
			}
		}
		var edges []edge
		for range rng.IntN(3 * n) {
			edges = append(edges, edge{rng.Int32N(int32(n)), rng.Int32N(int32(n)), rng.Int64N(12), rng.Int64N(12)})
		}
		cost := func(side int) int64 {
			sum := int64(0)
			in := func(v int32) bool { return side>>v&1 == 1 }
			for v := range int32(n) {
				if in(v) {
					sum += sink[v]
				} else {
					sum += source[v]
				}
			}
			for _, e := range edges {
				if in(e.u) && !in(e.v) {
					sum += e.cost
				}
				if in(e.v) && !in(e.u) {
					sum += e.back
				}
			}
			return sum
		}
		best := 0
		for side := range 1 << n {
			if c, b := cost(side), cost(best); c < b || c == b && bits.OnesCount(uint(side)) < bits.OnesCount(uint(best)) {
				best = side
			}
		}
		for range 2 {
			g := New(n)
			for v := range n {
				g.Source(int32(v), source[v])
				g.Sink(int32(v), sink[v])
			}
			for _, e := range edges {
				g.Edge(e.u, e.v, e.cost, e.back)
			}
			got := 0
			for v, beside := range g.Cut() {
				if beside {
					got |= 1 << v
				}
			}
			if got != best {
				t.Fatalf("try %d: side %b costs %d, side %b costs %d", try, got, cost(got), best, cost(best))
			}
			slices.Reverse(edges)
		}
		if best != 0 && best != 1<<n-1 {
			cuts++
		}
	}
	if cuts < 1000 {
		t.Errorf("only %d of 3000 graphs were cut", cuts)
	}
}

// TestLongChain verifies that deep graphs need no recursion.
func TestLongChain(t *testing.T) {
	const n = 200_000
	g := New(n)
	for v := range int32(n - 1) {
		cost := int64(5)
		if v == n/2 {
			cost = 2
		}
		g.Edge(v, v+1, cost, cost)
	}
	g.Source(0, 10)
	g.Sink(n-1, 10)
	side := g.Cut()
	for v := range side {
		if side[v] != (v <= n/2) {
			t.Fatalf("node %d beside the source: %v", v, side[v])
		}
	}
}

// TestAgainstPlainFlow compares larger graphs, one after the other in the same memory, with the nodes within reach of
// the source after a plain maximal flow.
func TestAgainstPlainFlow(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var g Graph
	divided := 0
	for try := range 60 {
		n := int32(2 + rng.IntN(150))
		// The source is node n, the sink n+1.
		left := make([]map[int32]int64, n+2)
		for v := range left {
			left[v] = map[int32]int64{}
		}
		g.Reset(int(n))
		for v := range n {
			switch cost := 1 + rng.Int64N(60); rng.IntN(12) {
			case 0:
				g.Source(v, cost)
				left[n][v] += cost
			case 1:
				g.Sink(v, cost)
				left[v][n+1] += cost
			}
			// A strip of floor, with some ways across.
			for range 2 {
				u := min(n-1, v+1+rng.Int32N(4))
				if rng.IntN(20) == 0 {
					u = rng.Int32N(n)
				}
				if cost, back := rng.Int64N(12), rng.Int64N(12); u != v {
					g.Edge(v, u, cost, back)
					left[v][u] += cost
					left[u][v] += back
				}
			}
		}
		before := make([]int32, n+2)
		reach := func() {
			for v := range before {
				before[v] = none
			}
			before[n] = n
			for front := []int32{n}; len(front) > 0; front = front[1:] {
				for u, c := range left[front[0]] {
					if c > 0 && before[u] == none {
						before[u] = front[0]
						front = append(front, u)
					}
				}
			}
		}
		for reach(); before[n+1] != none; reach() {
			for v := n + 1; v != n; v = before[v] {
				left[before[v]][v]--
				left[v][before[v]]++
			}
		}
		some := false
		for v, beside := range g.Cut() {
			if beside != (before[v] != none) {
				t.Fatalf("try %d: node %d of %d beside the source: %v", try, v, n, beside)
			}
			some = some || beside
		}
		if some {
			divided++
		}
	}
	if divided < 20 {
		t.Errorf("only %d of 60 graphs are divided", divided)
	}
}
