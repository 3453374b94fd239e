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
// ToMany finds few goals one after the other. Nodes wait for one goal; once the goal is found, waiting nodes get
// estimates for the next goal. Expanded nodes have final ways for every goal and are not expanded again. Where too many
// nodes wait, a new search for the next goal is cheaper. Many goals lie in all directions, and estimates for each in turn
// cost more than they save: nodes then wait with their distance from the start.
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

	"github.com/meadow-nav/meadow/geom/lattice"
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
	regions  []uint32 // of the goal that is added
	// The goals in region r are the list of entries from first[r] on, if marks[r] equals the stamp.
	first   []int32
	marks   []uint32
	Stamp   uint32
	entries []manyEntry
	Open    int     // goals without a known way
	Over    bool    // a search became too large; ways may be longer than the shortest
	left    []int32 // the goals that a way may lead to
	parked  []int32 // nodes that cannot lead to a shorter way to the current goal

	// Of a search for all goals.
	Expanded  int  // nodes
	around    bool // nodes wait with their distance from the start
	from      lattice.Point
	turn      int  // the current goal, in left
	aimed     bool // the waiting nodes have keys for the current goal
	anew      bool // the search for the current goal began anew
	nodes     int  // of the current goal
	owed      int  // work that is done and not yet counted
	nodesAnew int  // nodes of the searches that began anew,
	searches  int  // and their number
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
	m.Expanded, m.around, m.turn, m.aimed, m.owed, m.nodesAnew, m.searches = 0, false, 0, false, 0, 0, 0
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
	m.regions = ix.RegionsAround(m.regions[:0], at)
	for _, r := range m.regions {
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
	m.plant(t, ix, from)
	switch {
	case nearest && ix.HasShortcuts():
		return m.together(ctx, from, m.LeastWay, t.queueByDistance)
	case nearest:
		return m.together(ctx, from, m.LeastWay, m.queueByAll)
	case ix.HasShortcuts():
		return m.together(ctx, from, m.longestWay, t.queueByDistance)
	}
	m.beginAll(from)
	for done := false; !done; _, done = m.AdvanceAll(route.SliceNodes) {
		if err := route.Cancelled(ctx); err != nil {
			return m.Expanded, err
		}
	}
	return m.Expanded, nil
}

// BeginAll starts the search for the ways to all goals in the tree t. The Index must have no shortcuts.
func (m *Many) BeginAll(t *Tree, ix *index.Index, from index.Place) {
	m.plant(t, ix, from)
	m.beginAll(from)
}

// plant empties the tree t for a search from a place.
func (m *Many) plant(t *Tree, ix *index.Index, from index.Place) {
	m.t = t
	t.reset(ix, from)
	slices.Sort(m.branches)
	t.others = append(t.others, m.branches...)
	if len(m.branches) > 0 {
		t.toward = m.branches[0]
	}
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

// manyGoals is the least number of goals for a search by distance. Beside a search in turn, 16 goals take 1.0 to 1.4 times
// as long on generated cities, mazes and rooms, 64 goals 0.5 to 1.1 times, and 256 goals 0.3 to 0.9 times; on open ground
// with scattered obstacles, 64 goals take 1.5 times as long.
const manyGoals = 48

// beginAll starts the search: in turn, where each search for a goal builds on the nodes of earlier searches, or by
// distance.
func (m *Many) beginAll(from index.Place) {
	m.from, m.parked = from.At, m.parked[:0]
	if m.around = len(m.left) >= manyGoals; m.around {
		m.t.start(from.At)
		m.meet()
		m.t.lookFrom(m.t.from, m.t.startSet)
		m.t.queueByDistance()
	}
}

// meet records ways to the goals in the regions that the last step has entered. Waiting nodes farther than the farthest
// goal are of no use.
func (m *Many) meet() {
	if m.arrive() && m.Open == 0 {
		m.t.Best = m.longestWay()
	}
}

// keysPerNode is the number of new keys that take the time of one expanded node.
const keysPerNode = 4

// AdvanceAll expands at most budget nodes, and reports whether the ways to all goals are known. A node has a unit of work,
// and so have keysPerNode nodes with keys for a new goal. Work above the budget counts in the next call.
func (m *Many) AdvanceAll(budget int) (work int, done bool) {
	if m.around {
		return m.advanceAround(budget)
	}
	t := m.t
	for work < budget {
		switch {
		case m.owed > 0:
			n := min(m.owed, budget-work)
			m.owed -= n
			work += n
		case m.turn == len(m.left):
			return work, true
		case !m.aimed:
			m.aim()
		case t.heap.Least() >= m.goal().G:
			m.arrived()
		case t.Over:
			m.Over = true
			m.arrived()
		case t.useful() && t.step():
			work++
			m.nodes++
			m.arrive()
			t.queueTo(m.goal().At)
		}
	}
	return work, m.owed == 0 && m.turn == len(m.left)
}

// advanceAround is AdvanceAll for a search by distance.
func (m *Many) advanceAround(budget int) (work int, done bool) {
	t := m.t
	for work < budget && t.useful() {
		if t.step() {
			work++
			m.Expanded++
			m.meet()
			t.queueByDistance()
		}
	}
	m.Over = t.Over
	return work, !t.useful()
}

// goal returns the current goal.
func (m *Many) goal() *Goal { return &m.Goals[m.left[m.turn]] }

// aim gives the waiting nodes keys for the current goal, or begins the search anew.
func (m *Many) aim() {
	t, goal := m.t, m.goal()
	m.parked = t.heap.Drain(m.parked)
	m.aimed, m.nodes = true, 0
	m.anew = m.searches == 0 || t.Over || len(m.parked)*m.searches > waitingPerNode*m.nodesAnew
	if !m.anew {
		m.owed += len(m.parked) / keysPerNode
		m.waitFor(goal)
		return
	}
	m.parked = m.parked[:0]
	t.forget()
	t.start(m.from)
	m.arrive()
	t.lookFrom(t.from, t.startSet)
	t.queueTo(goal.At)
}

// arrived goes on to the next goal.
func (m *Many) arrived() {
	m.Expanded += m.nodes
	if m.anew {
		m.nodesAnew, m.searches = m.nodesAnew+m.nodes, m.searches+1
	}
	m.turn, m.aimed = m.turn+1, false
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
