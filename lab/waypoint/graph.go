package waypoint

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
)

// Graph is a waypoint graph. It is never changed and is safe for concurrent use.
type Graph struct {
	// Nodes lie inside of the free space, not on walls.
	Nodes []lattice.Point
	// Edges join nodes, the lower number first, in order. The inside of an edge touches no wall.
	Edges [][2]int32
	// Boxes are the free rectangles around the nodes that [PathNodes] finds, nil for a roadmap.
	Boxes []lattice.Box

	space *space
	spots []spot
	first []int32 // of the neighbours of node i: next[first[i]:first[i+1]]
	next  []int32
}

// newGraph returns the graph of nodes and of edges in any order, none twice.
func newGraph(s *space, nodes []spot, edges [][2]int32) *Graph {
	g := &Graph{Nodes: make([]lattice.Point, len(nodes)), Edges: edges, space: s, spots: nodes, first: make([]int32, len(nodes)+2)}
	for i, p := range nodes {
		g.Nodes[i] = p.Point
	}
	slices.SortFunc(edges, func(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	for _, e := range edges {
		g.first[e[0]+2]++
		g.first[e[1]+2]++
	}
	for i := range nodes {
		g.first[i+2] += g.first[i+1]
	}
	g.next = make([]int32, 2*len(edges))
	for _, e := range edges {
		for k := range e {
			g.next[g.first[e[k]+1]] = e[1-k]
			g.first[e[k]+1]++
		}
	}
	return g
}

// Neighbours returns the nodes next to node i; do not change the slice.
func (g *Graph) Neighbours(i int32) []int32 { return g.next[g.first[i]:g.first[i+1]] }

// Components returns into how many parts the graph falls.
func (g *Graph) Components() int {
	seen := make([]bool, len(g.Nodes))
	n := 0
	var todo []int32
	for i := range g.Nodes {
		if seen[i] {
			continue
		}
		n++
		seen[i] = true
		for todo = append(todo, int32(i)); len(todo) > 0; {
			at := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, k := range g.Neighbours(at) {
				if !seen[k] {
					seen[k] = true
					todo = append(todo, k)
				}
			}
		}
	}
	return n
}

// Sees reports whether the straight way from a to b, points of the free space or of its border, is free: the
// inside of the segment touches no wall, or both lie in one triangle of the triangulation. It is false for
// points outside. Time O(n).
func (g *Graph) Sees(a, b lattice.Point) bool {
	return slices.ContainsFunc(g.space.find(a), func(s spot) bool { return g.space.sees(s, b) })
}

// Path is a way along a graph.
type Path struct {
	Points []lattice.Point // with start and goal
	Length float64         // in metres
}

// Path returns the shortest way from start to goal along the graph. Start and goal each walk to one of their
// links nearest visible nodes; the sources use 1. With straight true, start and goal in sight of each other
// need no graph. ok is false where no way leads along the graph. Time O(n + m log m) for n triangles and
// nodes and m edges.
func (g *Graph) Path(start, goal lattice.Point, links int, straight bool) (path Path, ok bool) {
	from, to := g.space.find(start), g.space.find(goal)
	if straight && slices.ContainsFunc(from, func(s spot) bool { return g.space.sees(s, goal) }) {
		return Path{[]lattice.Point{start, goal}, metres(start, goal)}, true
	}
	n := int32(len(g.Nodes)) // the number of the goal
	best := make([]float64, n+1)
	prev := make([]int32, n+1)
	last := make([]float64, n) // from the nodes that the goal is linked to
	for i := range best {
		best[i], prev[i] = math.Inf(1), -1
	}
	for i := range last {
		last[i] = math.Inf(1)
	}
	var open pq.Heap
	reach := func(to, by int32, length float64) {
		if length < best[to] {
			best[to], prev[to] = length, by
			open.Push(length, to)
		}
	}
	for _, i := range g.linked(to, links) {
		last[i] = metres(g.Nodes[i], goal)
	}
	for _, i := range g.linked(from, links) {
		reach(i, -1, metres(start, g.Nodes[i]))
	}
	for open.Len() > 0 {
		at := open.Pop()
		if at.ID == n {
			break
		}
		if at.Key > best[at.ID] {
			continue // it was reached on a shorter way since
		}
		for _, k := range g.Neighbours(at.ID) {
			reach(k, at.ID, at.Key+metres(g.Nodes[at.ID], g.Nodes[k]))
		}
		reach(n, at.ID, at.Key+last[at.ID])
	}
	if math.IsInf(best[n], 1) {
		return Path{}, false
	}
	path = Path{Points: []lattice.Point{goal}, Length: best[n]}
	for i := prev[n]; i >= 0; i = prev[i] {
		path.Points = append(path.Points, g.Nodes[i])
	}
	path.Points = append(path.Points, start)
	slices.Reverse(path.Points)
	return path, true
}

// linked returns the nearest nodes that a point sees, at most links; spots are its triangles.
func (g *Graph) linked(spots []spot, links int) []int32 {
	if len(spots) == 0 {
		return nil
	}
	var linked []int32
	for _, i := range nearestFirst(g.Nodes, spots[0].Point) {
		if len(linked) == links {
			break
		}
		if slices.ContainsFunc(spots, func(s spot) bool { return g.space.sees(s, g.Nodes[i]) }) {
			linked = append(linked, i)
		}
	}
	return linked
}

// nearestFirst returns the numbers of all nodes by their distance to p.
func nearestFirst(nodes []lattice.Point, p lattice.Point) []int32 {
	order := make([]int32, len(nodes))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(nodes[i].Distance2(p), nodes[j].Distance2(p)), cmp.Compare(i, j))
	})
	return order
}

// metres returns the distance of two points.
func metres(p, q lattice.Point) float64 {
	dx, dy := p.Sub(q)
	return math.Sqrt(float64(float64(dx)*float64(dx))+float64(float64(dy)*float64(dy))) * lattice.Unit
}

// Coverage is how much of the free space a graph serves, as shares of its area.
type Coverage struct {
	Seen  float64 // sees a node
	Boxed float64 // is inside of a box or on its border
}

// Coverage measures by a number of random samples: the error is about 1/√samples at most. Without samples it
// is zero. Time O(samples · n log n) for n nodes, times the triangles passed by [Graph.Sees].
func (g *Graph) Coverage(samples int, seed uint64) Coverage {
	rng := rand.New(rand.NewPCG(seed, 0))
	seen, boxed, drawn := 0, 0, 0
	for range samples {
		p, ok := g.space.draw(rng)
		if !ok {
			continue
		}
		drawn++
		if len(g.linked([]spot{p}, 1)) > 0 {
			seen++
		}
		if slices.ContainsFunc(g.Boxes, func(b lattice.Box) bool { return b.Contains(p.Point) }) {
			boxed++
		}
	}
	if drawn == 0 {
		return Coverage{}
	}
	return Coverage{Seen: float64(seen) / float64(drawn), Boxed: float64(boxed) / float64(drawn)}
}
