package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Hub labels: exact distances by merging two short lists.
//
// Source: T. Akiba, Y. Iwata and Y. Yoshida, Fast exact shortest-path distance queries on large networks
// by pruned landmark labeling, SIGMOD 2013; that hubs by how many shortest paths go over them keep labels
// short: D. Delling, A. V. Goldberg, T. Pajor and R. F. Werneck, Robust distance queries on massive
// networks, ESA 2014.
//
// Idea: The label of a node is a list of hubs with the distance to each, such that on a shortest path between
// any two nodes there is a hub of both. Hubs are taken in the order of their rank: Dijkstra's search from
// each puts it into the labels of the nodes that it comes to, but turns back where the labels so far
// already say the distance.
//
// Input: a Graph whose edges go both ways at the same cost.
//
// Guarantees:
//  1. The least sum over common hubs is the distance, up to rounding, and there is none exactly if no path
//     joins the nodes (TestHubLabelsAgainstDijkstra).
//  2. AppendPath gives a cheapest path (TestHubLabelsAgainstDijkstra).
//
// Degenerate cases: nodes without edges have themselves as their only hub. Edges of cost 0 and parallel
// edges need no care.
//
// Cost: time O(n·(l·m/n + l²)) and memory O(n·l) for n nodes, m edges and labels of l hubs: some tens on
// visibility graphs of thousands of corners.
//
// Departures: hubs are ranked by a sample of shortest path trees, not by all.
type HubLabels struct {
	first []int32 // the label of node n is hubs[first[n]:first[n+1]]
	hubs  []Hub
	rank  []int32 // of the nodes
}

// Hub is an entry of a label.
type Hub struct {
	Rank int32   // of the hub: labels are sorted by it
	Next int32   // the node after the labelled one on the way to the hub; the hub itself is its own
	Cost float64 // of that way
}

// hubSample is how many shortest path trees rank the hubs.
const hubSample = 48

// NewHubLabels makes the labels. The error is that of ctx, or names an edge that does not go both ways.
func NewHubLabels(ctx context.Context, g *Graph) (*HubLabels, error) {
	if err := symmetric(g); err != nil {
		return nil, fmt.Errorf("%w, hub labels need one", err)
	}
	n := g.Nodes()
	order, err := rankHubs(ctx, g)
	if err != nil {
		return nil, err
	}
	h := &HubLabels{first: make([]int32, n+1), rank: make([]int32, n)}
	labels := make([][]Hub, n)
	toHub := make([]float64, n) // by rank, of the label of the hub in turn
	for i := range toHub {
		toHub[i] = math.Inf(1)
	}
	t := newTree(n)
	for rank, hub := range order {
		if rank%64 == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("search: hub labels: %w", ctx.Err())
		}
		h.rank[hub] = int32(rank)
		for _, e := range labels[hub] {
			toHub[e.Rank] = e.Cost
		}
		t.grow(g, hub, func(v int32) bool {
			known := math.Inf(1)
			for _, e := range labels[v] {
				known = min(known, e.Cost+toHub[e.Rank])
			}
			// Sums of the same edges in another order may differ in the last bits.
			if d := t.cost[v]; known > d*(1+1e-13) {
				labels[v] = append(labels[v], Hub{int32(rank), t.parent[v], d})
				return true
			}
			return false
		})
		for _, e := range labels[hub] {
			toHub[e.Rank] = math.Inf(1)
		}
	}
	for v := range labels {
		h.first[v] = int32(len(h.hubs))
		h.hubs = append(h.hubs, labels[v]...)
		labels[v] = nil
	}
	h.first[n] = int32(len(h.hubs))
	h.hubs = slices.Clip(h.hubs)
	return h, nil
}

// rankHubs returns the nodes, those first that most shortest paths of a sample of trees go over.
func rankHubs(ctx context.Context, g *Graph) ([]int32, error) {
	n := g.Nodes()
	through := make([]int64, n)
	below := make([]int64, n)
	t := newTree(n)
	var order []int32
	for k := range min(hubSample, n) {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("search: hub labels: %w", ctx.Err())
		}
		order = order[:0]
		t.grow(g, int32(k*n/min(hubSample, n)), func(v int32) bool {
			order = append(order, v)
			below[v] = 1
			return true
		})
		for _, v := range slices.Backward(order) {
			through[v] += below[v]
			if p := t.parent[v]; p != v {
				below[p] += below[v]
			}
		}
	}
	nodes := make([]int32, n)
	for i := range nodes {
		nodes[i] = int32(i)
	}
	slices.SortFunc(nodes, func(a, b int32) int { return cmp.Or(cmp.Compare(through[b], through[a]), cmp.Compare(a, b)) })
	return nodes, nil
}

// Of returns the label of a node, by rising rank. It belongs to h and must not be changed.
func (h *HubLabels) Of(node int32) []Hub { return h.hubs[h.first[node]:h.first[node+1]] }

// Len returns the number of entries of all labels.
func (h *HubLabels) Len() int { return len(h.hubs) }

// Bytes returns the memory of the labels.
func (h *HubLabels) Bytes() int { return 16*len(h.hubs) + 4*len(h.first) + 4*len(h.rank) }

// Cost returns the cost of a cheapest path, +Inf where there is none.
func (h *HubLabels) Cost(from, to int32) float64 {
	cost, _ := h.meet(from, to)
	return cost
}

// meet returns the cost of a cheapest path and the rank of a hub on it.
func (h *HubLabels) meet(from, to int32) (cost float64, rank int32) {
	a, b := h.Of(from), h.Of(to)
	cost, rank = math.Inf(1), -1
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].Rank < b[0].Rank:
			a = a[1:]
		case a[0].Rank > b[0].Rank:
			b = b[1:]
		default:
			if c := a[0].Cost + b[0].Cost; c < cost {
				cost, rank = c, a[0].Rank
			}
			a, b = a[1:], b[1:]
		}
	}
	return cost, rank
}

// AppendToHub appends the nodes from one on to the hub of a rank in its label.
func (h *HubLabels) AppendToHub(path []int32, node, rank int32) []int32 {
	for {
		path = append(path, node)
		label := h.Of(node)
		i, found := slices.BinarySearchFunc(label, rank, func(e Hub, r int32) int { return cmp.Compare(e.Rank, r) })
		if !found || label[i].Next == node {
			return path
		}
		node = label[i].Next
	}
}

// AppendPath appends the nodes of a cheapest path; nothing where there is none.
func (h *HubLabels) AppendPath(path []int32, from, to int32) []int32 {
	_, rank := h.meet(from, to)
	if rank < 0 {
		return path
	}
	path = h.AppendToHub(path, from, rank)
	middle := len(path)
	path = h.AppendToHub(path, to, rank)
	slices.Reverse(path[middle:])
	return append(path[:middle], path[middle+1:]...) // the hub is there twice
}
