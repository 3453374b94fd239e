package search

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Overview is a graph over a graph: clusters of nodes, an anchor node for each cluster, and the edges between
// clusters. Brand calls it the high-level graph.
type Overview struct {
	// Of is the cluster of each node, -1 for a node in none, which has no edges but to itself.
	Of []int32
	// Anchor is a node of each cluster, preferably in its middle.
	Anchor []int32
	// Graph has a node per cluster, and an edge where a path may lead directly from one to the other. If the
	// graph below has a path between nodes of two clusters, Graph must have a path between the clusters, or
	// searchers that use it will miss the first. An edge should cost about as much as the path between the
	// anchors.
	Graph *Graph
}

// check returns all that is wrong with an overview over a graph of n nodes.
func (o *Overview) check(n int) error {
	var faults []error
	if len(o.Of) != n {
		faults = append(faults, fmt.Errorf("search: an overview of %d nodes on a graph with %d", len(o.Of), n))
	}
	if o.Graph == nil || o.Graph.Nodes() != len(o.Anchor) {
		return errors.Join(append(faults, fmt.Errorf("search: an overview with %d anchors whose graph has not as many nodes", len(o.Anchor)))...)
	}
	for i, c := range o.Of {
		if c < -1 || int(c) >= len(o.Anchor) {
			faults = append(faults, fmt.Errorf("search: node %d in cluster %d of %d", i, c, len(o.Anchor)))
		}
	}
	for c, a := range o.Anchor {
		if a < 0 || int(a) >= n {
			faults = append(faults, fmt.Errorf("search: cluster %d has node %d of %d as its anchor", c, a, n))
		}
	}
	return errors.Join(faults...)
}

// NewOverview returns the overview of a clustering: of has the number of each node's cluster, 0 and up without gaps, or -1 for a
// node without edges but to itself. The anchor of a cluster lies midway on a long path through it. An edge costs as much as the
// cheapest path between anchors within the two clusters, or without one the cheapest edge between them; clusters need not be
// connected. Errors: numbers out of range, gaps, edges at a node in no cluster. Time O(m log m) for m edges as long as clusters
// have few neighbours.
func NewOverview(g *Graph, of []int32) (*Overview, error) {
	n := g.Nodes()
	if len(of) != n {
		return nil, fmt.Errorf("search: clusters of %d nodes for a graph with %d", len(of), n)
	}
	count := int32(0)
	for i, c := range of {
		if c < -1 || int(c) >= n {
			return nil, fmt.Errorf("search: node %d is in cluster %d, want -1 to %d", i, c, n-1)
		}
		count = max(count, c+1)
	}
	o := &Overview{Of: append([]int32(nil), of...), Anchor: make([]int32, count)}
	for c := range o.Anchor {
		o.Anchor[c] = -1
	}
	for i, c := range of {
		if c >= 0 && o.Anchor[c] < 0 {
			o.Anchor[c] = int32(i)
		}
		targets, _ := g.From(int32(i))
		for _, t := range targets {
			if t != int32(i) && (c < 0 || of[t] < 0) {
				return nil, fmt.Errorf("search: an edge from node %d to %d, in clusters %d and %d", i, t, c, of[t])
			}
		}
	}
	for c, a := range o.Anchor {
		if a < 0 {
			return nil, fmt.Errorf("search: no node is in cluster %d of %d", c, count)
		}
	}
	s := NewDijkstra(g)
	for c := range o.Anchor {
		s.centre(o, int32(c))
	}
	edges, err := s.between(o)
	if err != nil {
		return nil, err
	}
	o.Graph, err = NewGraph(int(count), edges)
	return o, err
}

// centre moves the anchor of a cluster to the middle of a path from a node far away from any to a node far away from that.
func (s *Dijkstra) centre(o *Overview, c int32) {
	inside := func(n int32) bool { return o.Of[n] == c }
	far := s.flood(o.Anchor[c], inside)
	far = s.flood(far, inside)
	half := s.labels.at[far].g / 2
	for s.labels.at[far].g > half {
		far = s.labels.at[far].parent
	}
	o.Anchor[c] = far
}

// flood labels all nodes within reach through inside nodes and returns the last one taken up.
func (s *Dijkstra) flood(from int32, inside func(int32) bool) int32 {
	s.labels.begin()
	s.open.Reset()
	at, gen := s.labels.at, s.labels.gen
	at[from] = label{parent: from, stamp: gen}
	s.open.Push(0, from)
	last := from
	for s.open.Len() > 0 {
		u := s.open.Pop().ID
		if at[u].stamp != gen {
			continue
		}
		at[u].stamp = gen | 1
		last = u
		targets, costs := s.graph.From(u)
		for i, v := range targets {
			g := at[u].g + costs[i]
			if l := &at[v]; inside(v) && (l.stamp|1 != gen|1 || g < l.g) {
				*l = label{g: g, parent: u, stamp: gen}
				s.open.Push(g, v)
			}
		}
	}
	return last
}

// between returns the edges of the overview, one for each pair of clusters with an edge between their nodes.
func (s *Dijkstra) between(o *Overview) ([]Edge, error) {
	// The cheapest edge from each cluster to each of its neighbours, in the order of the first such edge.
	least := map[[2]int32]int{}
	var edges []Edge
	for u := range int32(s.graph.Nodes()) {
		targets, costs := s.graph.From(u)
		for i, v := range targets {
			a, b := o.Of[u], o.Of[v]
			if a == b {
				continue
			}
			k, ok := least[[2]int32{a, b}]
			if !ok {
				k = len(edges)
				least[[2]int32{a, b}] = k
				edges = append(edges, Edge{From: a, To: b, Cost: costs[i]})
			}
			edges[k].Cost = min(edges[k].Cost, costs[i])
		}
	}
	for k := range edges {
		a, b := edges[k].From, edges[k].To
		s.flood(o.Anchor[a], func(n int32) bool { return o.Of[n] == a || o.Of[n] == b })
		if l := s.labels.at[o.Anchor[b]]; s.labels.closed(o.Anchor[b]) {
			edges[k].Cost = l.g
		}
	}
	return edges, nil
}

// Overview returns the graph of rooms: its edges are the doors in both directions at the distance of the centres, open or
// closed by blocked cells, as in Brand. The estimate of [Grid.Graph] between centres is consistent for it.
func (c *Chambers) Overview() (*Overview, error) {
	return c.overview(func([2]int32) float64 { return 1 })
}

// shutCost is the factor on the cost of a closed door in [Chambers.OverviewOfOpenDoors]: more than any way around.
const shutCost = 1e6

// OverviewOfOpenDoors is [Chambers.Overview], but a way takes a door that blocked cells have closed only where no other way
// exists. A door is open if the graph of the chambers joins the centres inside of both rooms. Time O(cells) per door.
func (c *Chambers) OverviewOfOpenDoors(g *Graph) (*Overview, error) {
	if g.Nodes() != len(c.Room) {
		return nil, fmt.Errorf("search: chambers of %d cells and a graph of %d nodes", len(c.Room), g.Nodes())
	}
	s := NewDijkstra(g)
	return c.overview(func(d [2]int32) float64 {
		s.flood(c.Centre[d[0]], func(n int32) bool { return c.Room[n] == d[0] || c.Room[n] == d[1] })
		if s.labels.closed(c.Centre[d[1]]) {
			return 1
		}
		return shutCost
	})
}

// overview returns the graph of rooms, with the cost of each door times a factor of at least 1.
func (c *Chambers) overview(factor func(door [2]int32) float64) (*Overview, error) {
	o := &Overview{Of: c.Room, Anchor: c.Centre}
	var edges []Edge
	for _, d := range c.Doors {
		a, b := c.Centre[d[0]], c.Centre[d[1]]
		w := int32(c.Width)
		cost := math.Hypot(float64(a%w-b%w), float64(a/w-b/w)) * factor(d)
		edges = append(edges, Edge{From: d[0], To: d[1], Cost: cost}, Edge{From: d[1], To: d[0], Cost: cost})
	}
	var err error
	o.Graph, err = NewGraph(len(o.Anchor), edges)
	return o, err
}

// guide finds ways through an overview.
type guide struct {
	*Overview
	search *AStar
}

// newGuide returns a guide through an overview of a graph with n nodes. The estimate is for the graph.
func newGuide(o *Overview, n int, e Estimate) (guide, error) {
	if err := o.check(n); err != nil {
		return guide{}, err
	}
	return guide{o, NewAStar(o.Graph, func(a, b int32) float64 { return e(o.Anchor[a], o.Anchor[b]) })}, nil
}

// way returns the clusters from one node's to another's, both included. The result is not Found if none
// exists; nodes in no cluster have none.
func (g *guide) way(ctx context.Context, from, to int32) (Result, error) {
	a, b := g.Of[from], g.Of[to]
	if a < 0 || b < 0 {
		return none(0, 0), nil
	}
	return g.search.Path(ctx, a, b)
}
