package query

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/plane"
	"github.com/meadow-nav/meadow/query/internal/route"
)

// manyGoal is a goal among many and the best way to the goal so far.
type manyGoal struct {
	index.Place
	joined     bool // a way may lead to the goal
	g          float64
	root, view int32 // as intervalSearch.bestRoot and bestView
	in         uint32
}

// manySearch finds the shortest ways from one start to many goals. The tree of the search is the caller's.
type manySearch struct {
	t        *tree
	goals    []manyGoal
	branches []uint32 // branches of the goals' regions, see index.Region.Branch
	around   []uint32
	// The goals in region r are the list of entries from first[r] on, if marks[r] equals the stamp.
	first   []int32
	marks   []uint32
	stamp   uint32
	entries []manyEntry
	open    int     // goals without a known way
	over    bool    // a search became too large; ways may be longer than the shortest
	left    []int32 // the goals that a way may lead to
	parked  []int32 // nodes that cannot lead to a shorter way to the current goal
}

type manyEntry struct{ goal, next int32 }

// begin removes all goals.
func (m *manySearch) begin(regions int) {
	m.stamp++
	if len(m.marks) != regions || m.stamp == 0 {
		m.marks, m.first = make([]uint32, regions), make([]int32, regions)
		m.stamp = 1
	}
	m.goals, m.branches, m.entries, m.left = m.goals[:0], m.branches[:0], m.entries[:0], m.left[:0]
	m.open, m.over = 0, false
}

// add adds a goal.
func (m *manySearch) add(ix *index.Index, at index.Place, joined bool) {
	n := int32(len(m.goals))
	m.goals = append(m.goals, manyGoal{Place: at, joined: joined, g: math.Inf(1), root: index.None})
	if !joined {
		return
	}
	m.open++
	m.left = append(m.left, n)
	m.around = ix.RegionsAround(m.around[:0], at)
	for _, r := range m.around {
		next := int32(index.None)
		if m.marks[r] == m.stamp {
			next = m.first[r]
		} else {
			m.branches = append(m.branches, ix.Regions[r].Branch)
		}
		m.marks[r], m.first[r] = m.stamp, int32(len(m.entries))
		m.entries = append(m.entries, manyEntry{n, next})
	}
}

// find finds the ways to all goals, in the tree t, or to the nearest goal only.
func (m *manySearch) find(ctx context.Context, t *tree, ix *index.Index, from index.Place, nearest bool) (expanded int, err error) {
	m.t = t
	t.reset(ix, from)
	slices.Sort(m.branches)
	t.others = append(t.others, m.branches...)
	if len(m.branches) > 0 {
		t.toward = m.branches[0]
	}
	switch {
	case nearest && ix.HasShortcuts():
		return m.together(ctx, from, m.leastWay, t.queueByDistance)
	case nearest:
		return m.together(ctx, from, m.leastWay, m.queueByAll)
	case ix.HasShortcuts():
		return m.together(ctx, from, m.longestWay, t.queueByDistance)
	}
	return m.inTurn(ctx, from)
}

// together finds ways to all goals at once, up to a limit that sinks as ways are found. queue queues the nodes of a step.
func (m *manySearch) together(ctx context.Context, from index.Place, limit func() float64, queue func()) (expanded int, err error) {
	t := m.t
	t.start(from.At)
	if m.arrive() {
		t.best = limit()
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
			t.best = limit()
		}
		queue()
	}
	m.over = t.over
	return expanded, nil
}

// leastWay returns the length of the shortest way to a goal.
func (m *manySearch) leastWay() float64 {
	least := math.Inf(1)
	for _, k := range m.left {
		least = min(least, m.goals[k].g)
	}
	return least
}

// longestWay returns the length of the longest of the shortest ways, +Inf while a way is unknown.
func (m *manySearch) longestWay() float64 {
	most := 0.0
	for _, k := range m.left {
		most = max(most, m.goals[k].g)
	}
	return most
}

// arrive records ways to the goals in the regions that the last step has entered, and reports whether any way is shorter
// than before.
func (m *manySearch) arrive() (shorter bool) {
	t := m.t
	r := &t.roots[t.from]
	for _, e := range t.entered {
		if m.marks[e.in] != m.stamp {
			continue
		}
		for k := m.first[e.in]; k != index.None; k = m.entries[k].next {
			goal := &m.goals[m.entries[k].goal]
			way := plane.Towards(r.at, goal.At)
			if !t.sees(t.through, way) {
				continue
			}
			if g := r.g + way.Norm(); g < goal.g {
				if goal.root == index.None {
					m.open--
				}
				goal.g, goal.root, goal.view, goal.in = g, t.from, t.through, e.in
				shorter = true
			}
		}
	}
	return shorter
}

// queueByAll queues the nodes of the last step with the least length of a way to any goal.
func (m *manySearch) queueByAll() {
	t := m.t
	for _, id := range t.fresh {
		least := math.Inf(1)
		var g float64
		if id%2 == 0 {
			v := &t.views[id/2]
			r := &t.roots[v.root]
			g = r.g
			for _, k := range m.left {
				goal := m.goals[k].At
				if dx, dy := plane.Sub(goal, r.at); float64(dx*dx)+float64(dy*dy) < float64(least*least) {
					least = min(least, t.estimate(v, goal))
				}
			}
		} else {
			r := &t.roots[id/2]
			g = r.g
			for _, k := range m.left {
				least = min(least, plane.Distance(r.at, m.goals[k].At))
			}
		}
		if key := g + least; key < t.best {
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
func (m *manySearch) inTurn(ctx context.Context, from index.Place) (expanded int, err error) {
	t := m.t
	m.parked = m.parked[:0]
	nodesAnew, searches := 0, 0 // number of searches that began anew, and their nodes
	for _, k := range m.left {
		goal := &m.goals[k]
		m.parked = t.heap.Drain(m.parked)
		anew := searches == 0 || t.over || len(m.parked)*searches > waitingPerNode*nodesAnew
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
func (m *manySearch) advanceTo(ctx context.Context, goal *manyGoal) (nodes int, err error) {
	t := m.t
	for t.heap.Least() < goal.g {
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
		if t.over {
			m.over = true
			break
		}
	}
	return nodes, nil
}

// waitFor queues the parked nodes for a goal, except nodes that cannot lead to a shorter way than the known one.
func (m *manySearch) waitFor(goal *manyGoal) {
	t := m.t
	parked := m.parked[:0]
	for _, id := range m.parked {
		if id%2 != 0 && t.stale(&t.roots[id/2]) {
			continue
		}
		if key := t.keyTo(id, goal.At); key < goal.g {
			t.heap.Add(key, id)
		} else {
			parked = append(parked, id)
		}
	}
	m.parked = parked
}
