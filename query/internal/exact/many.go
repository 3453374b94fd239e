package exact

// Shortest paths from one start to many goals.
//
// Source: S. Zhao, D. Taniar and D. D. Harabor, Fast k-nearest neighbor on a navigation mesh, SoCS 2018: the paper's
// target heuristic, and its interval heuristic where links cost less than their length, on the search of tree.go.
//
// Idea: The search for the nearest of many goals works as for one goal. The key of a node is the least length of a way
// through the node to any goal. Entering a region gives a way to every visible goal in the region. The way is the
// shortest once no waiting node is shorter.
//
// ToMany finds the goals one after the other. Nodes wait for one goal; once the goal is found, waiting nodes get
// estimates for the next goal. Expanded nodes have final ways for every goal and are not expanded again. Where too many
// nodes wait, a new search for the next goal is cheaper.
//
// Input: as in tree.go, and any number of goals.
//
// Guarantees:
//  1. Every cost equals the cost of Path to the goal, up to rounding (TestToManyAgainstPath, TestToManyAgainstOracle),
//     and the paths are equal too (TestToManyAgainstPath).
//  2. NearestOf finds the goal of the least cost (TestNearestOfAgainstPaths).
//
// Degenerate cases: a goal on a portal or at a vertex is met in each of its regions. Goals may coincide with each other
// and with the start. A goal hidden from the search by missing corner flags is left to the corridor search, as in Path.
// Wide links have the costs of the hops tried, see index.Index.Hops; the final path is moved along them and may be
// shorter.
//
// Over uneven ground every goal has a search of its own, see package weighted.
//
// Cost: at most the nodes of the searches for each goal, plus a pass over the waiting nodes per goal, at most about
// half a search. For NearestOf each node costs time O(g) for g goals. With links cheaper than their length, and for
// [Regions], nodes wait with the distance from the start to their portal, as in Dijkstra's algorithm. The
// search then knows no direction, and among many obstacles its overlapping views become many.
//
// Departures: the paper finds the nearest targets in order of distance. ToMany takes the goals in the given order
// instead. In order of distance nodes were queued repeatedly, with 64 goals on open ground four times each. ToMany then
// took four times as long as single searches.

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// Goal is a goal among many and the best way to the goal so far.
type Goal struct {
	index.Place
	Joined     bool // a way may lead to the goal
	G          float64
	Root, View int32 // as One.bestRoot and One.bestView
	In         uint32
}

// Many finds the shortest ways from one start to many goals. The tree of the search is the caller's.
type Many struct {
	t        *Tree
	Goals    []Goal
	branches []uint32 // branches of the goals' regions, see index.Region.Branch
	around   []uint32
	// The goals in region r are the list of entries from first[r] on, if marks[r] equals the stamp.
	first   []int32
	marks   []uint32
	Stamp   uint32
	entries []manyEntry
	Open    int     // goals without a known way
	Over    bool    // a search became too large; ways may be longer than the shortest
	left    []int32 // the goals that a way may lead to
	parked  []int32 // nodes that cannot lead to a shorter way to the current goal
}

type manyEntry struct{ goal, next int32 }

// Begin removes all goals.
func (m *Many) Begin(regions int) {
	m.Stamp++
	if len(m.marks) < regions || m.Stamp == 0 {
		m.marks, m.first = make([]uint32, roomFor(regions)), make([]int32, roomFor(regions))
		m.Stamp = 1
	}
	m.Goals, m.branches, m.entries, m.left = m.Goals[:0], m.branches[:0], m.entries[:0], m.left[:0]
	m.Open, m.Over = 0, false
}

// Add adds a goal.
func (m *Many) Add(ix *index.Index, at index.Place, joined bool) {
	n := int32(len(m.Goals))
	m.Goals = append(m.Goals, Goal{Place: at, Joined: joined, G: math.Inf(1), Root: index.None})
	if !joined {
		return
	}
	m.Open++
	m.left = append(m.left, n)
	m.around = ix.RegionsAround(m.around[:0], at)
	for _, r := range m.around {
		next := int32(index.None)
		if m.marks[r] == m.Stamp {
			next = m.first[r]
		} else {
			m.branches = append(m.branches, ix.Region(r).Branch)
		}
		m.marks[r], m.first[r] = m.Stamp, int32(len(m.entries))
		m.entries = append(m.entries, manyEntry{n, next})
	}
}

// Find finds the ways to all goals, in the tree t, or to the nearest goal only.
func (m *Many) Find(ctx context.Context, t *Tree, ix *index.Index, from index.Place, nearest bool) (expanded int, err error) {
	m.t = t
	t.reset(ix, from)
	slices.Sort(m.branches)
	t.others = append(t.others, m.branches...)
	if len(m.branches) > 0 {
		t.toward = m.branches[0]
	}
	switch {
	case nearest && ix.HasShortcuts():
		return m.together(ctx, from, m.LeastWay, t.queueByDistance)
	case nearest:
		return m.together(ctx, from, m.LeastWay, m.queueByAll)
	case ix.HasShortcuts():
		return m.together(ctx, from, m.longestWay, t.queueByDistance)
	}
	return m.inTurn(ctx, from)
}

// together finds ways to all goals at once, up to a limit that sinks as ways are found. queue queues the nodes of a
// step.
func (m *Many) together(ctx context.Context, from index.Place, limit func() float64, queue func()) (expanded int, err error) {
	t := m.t
	t.start(from.At)
	if m.arrive() {
		t.Best = limit()
	}
	t.lookFrom(t.from, t.startSet)
	queue()
	for t.useful() {
		if expanded%route.SliceNodes == 0 {
			if err := route.Cancelled(ctx); err != nil {
				return expanded, err
			}
		}
		if !t.step() {
			continue
		}
		expanded++
		if m.arrive() {
			t.Best = limit()
		}
		queue()
	}
	m.Over = t.Over
	return expanded, nil
}

// LeastWay returns the length of the shortest way to a goal.
func (m *Many) LeastWay() float64 {
	least := math.Inf(1)
	for _, k := range m.left {
		least = min(least, m.Goals[k].G)
	}
	return least
}

// longestWay returns the length of the longest of the shortest ways, +Inf while a way is unknown.
func (m *Many) longestWay() float64 {
	most := 0.0
	for _, k := range m.left {
		most = max(most, m.Goals[k].G)
	}
	return most
}

// arrive records ways to the goals in the regions that the last step has entered, and reports whether any way is
// shorter than before.
func (m *Many) arrive() (shorter bool) {
	t := m.t
	r := &t.Roots[t.from]
	for _, e := range t.entered {
		if m.marks[e.in] != m.Stamp {
			continue
		}
		for k := m.first[e.in]; k != index.None; k = m.entries[k].next {
			goal := &m.Goals[m.entries[k].goal]
			way := index.Towards(r.At, goal.At)
			if !t.sees(t.through, way) {
				continue
			}
			if g := r.g + way.Norm(); g < goal.G {
				if goal.Root == index.None {
					m.Open--
				}
				goal.G, goal.Root, goal.View, goal.In = g, t.from, t.through, e.in
				shorter = true
			}
		}
	}
	return shorter
}

// queueByAll queues the nodes of the last step with the least length of a way to any goal.
func (m *Many) queueByAll() {
	t := m.t
	for _, id := range t.fresh {
		least := math.Inf(1)
		var g float64
		if id%2 == 0 {
			v := &t.Views[id/2]
			r := &t.Roots[v.Root]
			g = r.g
			for _, k := range m.left {
				goal := m.Goals[k].At
				if dx, dy := index.Sub(goal, r.At); float64(dx*dx)+float64(dy*dy) < float64(least*least) {
					least = min(least, t.estimate(v, goal))
				}
			}
		} else {
			r := &t.Roots[id/2]
			g = r.g
			for _, k := range m.left {
				least = min(least, index.Distance(r.At, m.Goals[k].At))
			}
		}
		if key := g + least; key < t.Best {
			t.heap.Add(key, id)
		}
	}
}

// waitingPerNode limits the waiting nodes that searchInTurn keeps for the next goal, per node of a search for one goal.
// The nodes save work, but each needs a new key, and four keys cost as much time as one expansion. Beyond the limit, as
// on open ground, where ways to different goals have little in common, a new search is cheaper. Measured with
// BenchmarkToMany, where factors 1 to 4 instead of 2 are within a tenth.
const waitingPerNode = 2

// inTurn finds one goal after the other. Each search builds on the nodes of earlier searches.
func (m *Many) inTurn(ctx context.Context, from index.Place) (expanded int, err error) {
	t := m.t
	m.parked = m.parked[:0]
	nodesAnew, searches := 0, 0 // number of searches that began anew, and their nodes
	for _, k := range m.left {
		goal := &m.Goals[k]
		m.parked = t.heap.Drain(m.parked)
		anew := searches == 0 || t.Over || len(m.parked)*searches > waitingPerNode*nodesAnew
		if anew {
			m.parked = m.parked[:0]
			t.forget()
			t.start(from.At)
			m.arrive()
			t.lookFrom(t.from, t.startSet)
			t.queueTo(goal.At)
		} else {
			m.waitFor(goal)
		}
		nodes, err := m.advanceTo(ctx, goal)
		if expanded += nodes; err != nil {
			return expanded, err
		}
		if anew {
			nodesAnew, searches = nodesAnew+nodes, searches+1
		}
	}
	return expanded, nil
}

// advanceTo expands nodes until the shortest way to a goal is known.
func (m *Many) advanceTo(ctx context.Context, goal *Goal) (nodes int, err error) {
	t := m.t
	for t.heap.Least() < goal.G {
		if nodes%route.SliceNodes == 0 {
			if err := route.Cancelled(ctx); err != nil {
				return nodes, err
			}
		}
		for t.useful() {
			if t.step() {
				nodes++
				m.arrive()
				t.queueTo(goal.At)
				break
			}
		}
		if t.Over {
			m.Over = true
			break
		}
	}
	return nodes, nil
}

// waitFor queues the parked nodes for a goal, except nodes that cannot lead to a shorter way than the known one.
func (m *Many) waitFor(goal *Goal) {
	t := m.t
	parked := m.parked[:0]
	for _, id := range m.parked {
		if id%2 != 0 && t.stale(&t.Roots[id/2]) {
			continue
		}
		if key := t.keyTo(id, goal.At); key < goal.G {
			t.heap.Add(key, id)
		} else {
			parked = append(parked, id)
		}
	}
	m.parked = parked
}
