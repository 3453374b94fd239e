package search

import "github.com/meadow-nav/meadow/internal/graph"

// Edge is one directed edge.
type Edge = graph.Edge

// Graph is a directed graph in compressed rows.
type Graph = graph.Graph

// NewGraph returns the graph with the nodes 0..nodes-1 and the given edges: see [graph.New].
func NewGraph(nodes int, edges []Edge) (*Graph, error) { return graph.New(nodes, edges) }
