package search

import (
	"context"
	"math"

	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Landmarks are nodes whose distances to and from all others are known, for a better Estimate.
//
// Source: A. V. Goldberg and C. Harrelson, Computing the shortest path: A* search meets graph theory, SODA 2005.
//
// Idea: By the triangle inequality the way from a to b costs at least d(L, b) − d(L, a) and d(a, L) − d(b, L) for
// every landmark L. Where walls make straight distance a bad estimate, a landmark behind the goal gives a better
// one. Each landmark is the node farthest from the earlier ones.
//
// Input: any unchanging Graph.
//
// Guarantees:
//  1. The estimate is admissible and consistent, up to rounding (TestLandmarksAreConsistent).
//  2. The same landmarks every time (TestLandmarksAreConsistent).
//
// Degenerate cases: if they prove that no path exists, the estimate is +Inf. Components that are small for the number of
// landmarks get none; of the others, components without a landmark come first, as unreached nodes are the farthest.
//
// Cost: a search over the whole graph per landmark and direction; one number per node and landmark, two if the graph is not
// symmetric. An estimate looks at all landmarks.
type Landmarks struct {
	nodes     []int32
	symmetric bool
	// away are the costs from the landmarks to each node, node after node; back the costs from each node to the
	// landmarks, the same memory for symmetric graphs. +Inf without a way.
	away, back []float64
}

// NewLandmarks finds landmarks; a count below 1 means 1, a count above the number of nodes all nodes. Errors: the
// context's.
func NewLandmarks(ctx context.Context, g *Graph, count int) (*Landmarks, error) {
	n := g.Nodes()
	count = min(max(count, 1), n)
	m := &Landmarks{symmetric: symmetric(g) == nil, away: make([]float64, n*count)}
	m.back = m.away
	if n == 0 {
		return m, nil
	}
	there := NewDijkstra(g)
	var here *Dijkstra
	if !m.symmetric {
		m.back = make([]float64, n*count)
		here = NewDijkstra(g.Reversed())
	}
	// near is the cost to each node from the landmark that is the nearest.
	near := make([]float64, n)
	for i := range near {
		near[i] = math.Inf(1)
	}
	large := largeComponents(g, count)
	next := there.flood(large[0], func(int32) bool { return true })
	for k := range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.nodes = append(m.nodes, next)
		there.distances(next, m.away[k:], count)
		if !m.symmetric {
			here.distances(next, m.back[k:], count)
		}
		for i := range near {
			near[i] = min(near[i], m.away[i*count+k])
		}
		next = large[0]
		for _, i := range large {
			if near[i] > near[next] {
				next = i
			}
		}
	}
	return m, nil
}

// largeComponents returns the nodes of the components large enough for a landmark: all nodes if every component
// is small.
func largeComponents(g *Graph, count int) []int32 {
	n := g.Nodes()
	f := unionfind.New(n)
	for u := range int32(n) {
		targets, _ := g.From(u)
		for _, v := range targets {
			f.Union(u, v)
		}
	}
	size := make([]int, n)
	largest := 0
	for u := range int32(n) {
		size[f.Find(u)]++
		largest = max(largest, size[f.Find(u)])
	}
	var large []int32
	for u := range int32(n) {
		if 2*count*size[f.Find(u)] >= largest {
			large = append(large, u)
		}
	}
	return large
}

// distances writes the cost of each node from a root to every step-th place.
func (s *Dijkstra) distances(root int32, to []float64, step int) {
	s.flood(root, func(int32) bool { return true })
	for i := range s.labels.at {
		to[i*step] = math.Inf(1)
		if s.labels.known(int32(i)) {
			to[i*step] = s.labels.at[i].g
		}
	}
}

// Nodes returns the landmarks. The slice must not be changed.
func (m *Landmarks) Nodes() []int32 { return m.nodes }

// Bytes is the memory of the distances.
func (m *Landmarks) Bytes() int {
	if m.symmetric {
		return 8 * len(m.away)
	}
	return 16 * len(m.away)
}

// Estimate is an [Estimate]: the best of all landmarks and of another estimate, which may be nil.
func (m *Landmarks) Estimate(other Estimate) Estimate {
	other = orZero(other)
	k := len(m.nodes)
	return func(from, to int32) float64 {
		best := other(from, to)
		a, b := m.away[int(from)*k:int(from+1)*k], m.away[int(to)*k:int(to+1)*k]
		c, d := m.back[int(from)*k:int(from+1)*k], m.back[int(to)*k:int(to+1)*k]
		for i := range a {
			// Infinite less infinite is no number, and larger than nothing.
			if x := b[i] - a[i]; x > best {
				best = x
			}
			if x := c[i] - d[i]; x > best {
				best = x
			}
		}
		return best
	}
}
