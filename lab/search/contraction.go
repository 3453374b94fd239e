package search

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/pq"
)

// Contraction Hierarchies.
//
// Source: R. Geisberger, P. Sanders, D. Schultes and D. Delling, Contraction hierarchies: faster and simpler
// hierarchical routing in road networks, WEA 2008. Brand, section 4.4.4, asks for a hierarchy over the mesh; his
// (see ParallelHierarchy) gives no cheapest paths.
//
// Idea: Nodes are taken out one after the other, the least important first. Where the cheapest way between two neighbours
// leads over a node that goes, an edge takes its place: a shortcut. Any two connected nodes then have a cheapest path
// that first climbs to ever more important nodes and then descends, so two small climbing searches, one from each end,
// meet at its top.
//
// Input: any unchanging Graph.
//
// Guarantees:
//  1. The path is a cheapest one (TestAllAgree, TestAllAgreeOnGrids, TestContractionAgainstDijkstra): a shortcut is left out only
//     for a path that is no dearer and does not use the node.
//  2. Where start and goal are in different components, that is known at once (TestContractionEndsEarly).
//  3. The same hierarchy every time (TestContractionIsTheSameAgain).
//  4. No allocation after the memory has grown (TestNoAllocations).
//
// Degenerate cases: as for Dijkstra. Edges from a node to itself and all but the cheapest of several edges between two
// nodes are left out.
//
// Cost: where small passages divide the world, preparation grows somewhat faster than the graph and a search looks at some
// hundreds of nodes. On wide open ground, where no node is more important than another, the hierarchy is dense at its top,
// and preparation takes much longer: docs/algorithms/search.md has figures. Bytes returns the memory.
//
// Departures: the importance of a node is the ratio of edges added and removed with it, and the height of the hierarchy
// below it; the search for other ways ends after some nodes, which costs needless shortcuts and no correctness. Nodes are
// numbered by importance, so the tops of all searches are close in memory.
type Contraction struct {
	graph     *Graph
	number    []int32 // of a node by importance
	node      []int32 // the node with a number
	component []int32 // of a node of the graph
	up        climb   // edges to more important nodes
	down      climb   // edges from more important nodes, turned around; the same as up for symmetric graphs
}

// climb has the edges of a hierarchy in one direction, in compressed rows by number.
type climb struct {
	first []int32
	arcs  []arc
}

// arc is an edge or a shortcut over a less important node.
type arc struct {
	to   int32
	over int32 // -1 for an edge
	cost float64
}

// from returns the edges at the node with number n.
func (c *climb) from(n int32) []arc { return c.arcs[c.first[n]:c.first[n+1]] }

// Bytes is the memory that the hierarchy takes besides the graph.
func (c *Contraction) Bytes() int {
	arcs := len(c.up.arcs)
	first := len(c.up.first)
	if !c.symmetric() {
		arcs += len(c.down.arcs)
		first += len(c.down.first)
	}
	return 16*arcs + 4*(first+len(c.number)+len(c.node)+len(c.component))
}

// Shortcuts is the number of edges that the graph does not have.
func (c *Contraction) Shortcuts() int {
	n := 0
	for _, arcs := range [2][]arc{c.up.arcs, c.down.arcs} {
		for i := range arcs {
			if arcs[i].over >= 0 {
				n++
			}
		}
	}
	return n
}

// symmetric reports whether both directions have the same memory.
func (c *Contraction) symmetric() bool {
	return len(c.up.first) == len(c.down.first) && &c.up.first[0] == &c.down.first[0]
}

// Connected reports whether two nodes are in the same component, the directions of edges aside. It takes no search. For
// a symmetric graph the answer is whether a path exists.
func (c *Contraction) Connected(a, b int32) bool { return c.component[a] == c.component[b] }

// Climber searches in a Contraction. Climbers may share a Contraction.
type Climber struct {
	*Contraction
	side [2]climber
	ends [2]End
	path []int32
	work []step
}

// climber is one direction of a Climber.
type climber struct {
	labels labels
	open   pq.Heap
}

// step is an arc on the way down from the top of a path, in numbers.
type step struct{ from, to, over int32 }

// NewClimber returns a searcher. It has one label per node and side.
func (c *Contraction) NewClimber() *Climber {
	s := &Climber{Contraction: c}
	for d := range s.side {
		s.side[d].labels = newLabels(c.graph.Nodes())
	}
	return s
}

// End is a node where a path may start or end, at a cost: a portal of the region that a place is in, say.
type End struct {
	Node int32
	Cost float64 // not negative
}

// Path implements [Search].
func (s *Climber) Path(ctx context.Context, from, to int32) (Result, error) {
	s.ends = [2]End{{Node: from}, {Node: to}}
	return s.Between(ctx, s.ends[:1], s.ends[1:])
}

// Between returns a cheapest path from any of some nodes to any of others, with the costs of the two ends it has in
// its Cost. Errors as for Path, and a cost that is negative or no number.
func (s *Climber) Between(ctx context.Context, from, to []End) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	for d, ends := range [2][]End{from, to} {
		a := &s.side[d]
		a.labels.begin()
		a.open.Reset()
		for _, e := range ends {
			if err := begin(ctx, s.graph, e.Node, e.Node); err != nil {
				return Result{}, err
			}
			if !(e.Cost >= 0) {
				return Result{}, fmt.Errorf("search: cost %v at node %d, want a number ≥ 0", e.Cost, e.Node)
			}
			if !s.joined(e.Node, [2][]End{to, from}[d]) {
				continue
			}
			n := s.number[e.Node]
			if l := &a.labels.at[n]; !a.labels.known(n) || e.Cost < l.g {
				*l = label{g: e.Cost, parent: n, stamp: a.labels.gen}
				a.open.Push(e.Cost, n)
			}
		}
	}
	best, meet := math.Inf(1), int32(-1)
	expanded, d := 0, 0
	for {
		// In turn, as long as a side has something below the bound.
		if d = 1 - d; !s.side[d].below(best) {
			if d = 1 - d; !s.side[d].below(best) {
				break
			}
		}
		u := s.side[d].open.Pop().ID
		at, gen := s.side[d].labels.at, s.side[d].labels.gen
		if at[u].stamp != gen {
			continue // an older entry
		}
		at[u].stamp = gen | 1
		if expanded++; expanded%checkEvery == 0 && ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		if other := &s.side[1-d].labels; other.known(u) && at[u].g+other.at[u].g < best {
			best, meet = at[u].g+other.at[u].g, u
		}
		s.climb(d, u)
	}
	if meet < 0 {
		return none(expanded, 0), nil
	}
	up, down := s.unpack(meet)
	return Result{Nodes: s.path, Cost: up + s.graph.Sum(s.path) + down, Expanded: expanded, Busiest: expanded}, nil
}

// joined reports whether a node is in the component of one of the ends.
func (s *Climber) joined(n int32, ends []End) bool {
	for _, e := range ends {
		if e.Node >= 0 && int(e.Node) < len(s.component) && s.Connected(n, e.Node) {
			return true
		}
	}
	return false
}

// below reports whether a side has a node below the bound.
func (a *climber) below(best float64) bool { return a.open.Len() > 0 && a.open.Min().Key < best }

// climb takes the edges of the node with number u upwards.
func (s *Climber) climb(d int, u int32) {
	up, down := &s.up, &s.down
	if d == 1 {
		up, down = down, up
	}
	a := &s.side[d]
	at, gen := a.labels.at, a.labels.gen
	g := at[u].g
	// A node with a cheaper way from a more important node is on no climbing cheapest path.
	for _, e := range down.from(u) {
		if a.labels.known(e.to) && at[e.to].g+e.cost < g {
			return
		}
	}
	for _, e := range up.from(u) {
		if l := &at[e.to]; l.stamp|1 != gen|1 || g+e.cost < l.g {
			*l = label{g: g + e.cost, parent: u, stamp: gen}
			a.open.Push(g+e.cost, e.to)
		}
	}
}

// unpack makes the path over the node with number meet one of nodes of the graph, and returns the costs of its ends.
func (s *Climber) unpack(meet int32) (from, to float64) {
	up := s.side[0].labels.path(s.path, meet)
	climbed := len(up)
	s.path = s.side[1].labels.appendTo(up[:climbed-1], meet)
	from, to = s.side[0].labels.at[s.path[0]].g, s.side[1].labels.at[s.path[len(s.path)-1]].g
	// The steps in reverse, to do the first step first.
	s.work = s.work[:0]
	for i := len(s.path) - 1; i > 0; i-- {
		from, to := s.path[i-1], s.path[i]
		if i < climbed {
			s.work = append(s.work, step{from, to, cheapest(s.up.from(from), to).over})
		} else {
			s.work = append(s.work, step{from, to, cheapest(s.down.from(to), from).over})
		}
	}
	s.path = append(s.path[:0], s.node[s.path[0]])
	for len(s.work) > 0 {
		e := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		if e.over < 0 {
			s.path = append(s.path, s.node[e.to])
			continue
		}
		s.work = append(s.work,
			step{e.over, e.to, cheapest(s.up.from(e.over), e.to).over},
			step{e.from, e.over, cheapest(s.down.from(e.over), e.from).over})
	}
	return from, to
}

// cheapest returns the only arc to a node; it must exist.
func cheapest(arcs []arc, to int32) arc {
	i := slices.IndexFunc(arcs, func(a arc) bool { return a.to == to })
	return arcs[i]
}
