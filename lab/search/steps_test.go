package search_test

import (
	"container/list"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/search"
)

// The tests here hold searchers against plain models of the published algorithms, step by step: path, expanded nodes and
// passes must be equal. docs/algorithms/search.md lists the steps.

// open and closed are the marks of a node in a model.
const (
	open   = 1
	closed = 2
)

// model is algorithm 18 with maps and lists, in one direction.
type model struct {
	graph            *search.Graph
	rest             func(n int32) float64
	relax            float64
	reopens          bool
	scans            bool // the least f is looked for in the list, as printed
	cost             map[int32]float64
	parent           map[int32]int32
	mark             map[int32]int
	visited          map[int32]bool // closed at any time, and the root: the collision buffer
	now, later       *list.List
	least, threshold float64
	expanded, passes int
}

func newModel(g *search.Graph, root int32, relax float64, rest func(n int32) float64) *model {
	m := &model{
		graph: g, rest: rest, relax: max(relax, 0), cost: map[int32]float64{root: 0}, parent: map[int32]int32{root: root},
		mark: map[int32]int{root: open}, visited: map[int32]bool{root: true}, now: list.New(), later: list.New(), least: rest(root),
	}
	m.later.PushBack(root)
	return m
}

func (m *model) f(n int32) float64 { return m.cost[n] + m.rest(n) }

// pass swaps the lists and sets the threshold; it reports false without any node left.
func (m *model) pass() bool {
	if m.later.Len() == 0 {
		return false
	}
	m.passes++
	m.now, m.later = m.later, list.New()
	if m.scans {
		m.least = math.Inf(1)
		for e := m.now.Front(); e != nil; e = e.Next() {
			m.least = min(m.least, m.f(e.Value.(int32)))
		}
	}
	m.threshold = max(m.threshold, m.least+m.relax)
	m.least = math.Inf(1)
	return true
}

// take removes the first node of the list and closes the node, or puts the node off and reports false.
func (m *model) take() (int32, bool) {
	u := m.now.Remove(m.now.Front()).(int32)
	if f := m.f(u); f > m.threshold {
		m.later.PushBack(u)
		m.least = min(m.least, f)
		return u, false
	}
	m.mark[u], m.visited[u] = closed, true
	return u, true
}

// follow processes the neighbours of a closed node.
func (m *model) follow(u int32) {
	m.expanded++
	targets, costs := m.graph.From(u)
	for i, v := range targets {
		cost := m.cost[u] + costs[i]
		known, mark := m.cost[v], m.mark[v]
		if mark != 0 && cost >= known || mark == closed && !m.reopens {
			continue
		}
		m.cost[v], m.parent[v], m.mark[v] = cost, u, open
		m.least = min(m.least, m.f(v))
		if mark != open {
			m.later.PushBack(v)
		}
	}
}

// back returns the nodes from n to the root.
func (m *model) back(n int32) []int32 {
	nodes := []int32{n}
	for m.parent[n] != n {
		n = m.parent[n]
		nodes = append(nodes, n)
	}
	return nodes
}

// path returns the nodes from the root to n.
func (m *model) path(n int32) []int32 {
	nodes := m.back(n)
	slices.Reverse(nodes)
	return nodes
}

// run is algorithm 18 up to the goal; it returns nil without a path.
func (m *model) run(goal int32) []int32 {
	for m.pass() {
		for m.now.Len() > 0 {
			u, ok := m.take()
			if !ok {
				continue
			}
			if u == goal {
				return m.path(goal)
			}
			m.follow(u)
		}
	}
	return nil
}

// orZero makes a nil estimate callable.
func orZero(e search.Estimate) search.Estimate {
	if e == nil {
		return func(_, _ int32) float64 { return 0 }
	}
	return e
}

// astarModel is algorithm 17 without a heap: the first of the open nodes by f, the last by number among equals, is closed
// until it is the goal. A closed node with a cheaper way is opened again. It returns nil without a path.
func astarModel(g *search.Graph, from, goal int32, rest func(n int32) float64) (path []int32, expanded int) {
	m := newModel(g, from, 0, rest)
	m.reopens = true
	for {
		next := int32(-1)
		for n := range int32(g.Nodes()) {
			if m.mark[n] == open && (next < 0 || m.f(n) <= m.f(next)) {
				next = n
			}
		}
		if next < 0 {
			return nil, m.expanded
		}
		m.mark[next] = closed
		if next == goal {
			return m.path(goal), m.expanded
		}
		m.follow(next)
	}
}

// TestAStarStepByStep: A* does as algorithm 17 does, and without an estimate Dijkstra's algorithm does the same.
func TestAStarStepByStep(t *testing.T) {
	eachQuery(t, 800, func(w world, from, to int32, _ float64) {
		for _, e := range []search.Estimate{w.estimate, nil} {
			rest := func(n int32) float64 { return orZero(e)(n, to) }
			want, expanded := astarModel(w.graph, from, to, rest)
			all := []search.Search{search.NewAStar(w.graph, e)}
			if e == nil {
				all = append(all, search.NewDijkstra(w.graph))
			}
			for _, s := range all {
				if r := find(t, s, from, to); !slices.Equal(r.Nodes, want) || r.Expanded != expanded {
					t.Fatalf("%s: %T: from %d to %d: %v, %d expanded; the model %v, %d", w.name, s, from, to, r.Nodes, r.Expanded, want, expanded)
				}
			}
		}
	})
}

// TestFringeStepByStep: fringe search does as algorithm 18 does, also with an estimate that is not consistent.
func TestFringeStepByStep(t *testing.T) {
	race.Skip(t)
	for _, relax := range []float64{0, 0.5, 2, 5, 40} {
		eachQuery(t, 400, func(w world, from, to int32, _ float64) {
			whole := orZero(w.estimate)
			uneven := func(a, b int32) float64 {
				if a%3 != 0 {
					return 0
				}
				return whole(a, b)
			}
			for _, e := range []search.Estimate{whole, uneven} {
				r := find(t, search.NewFringe(w.graph, e, search.FringeOptions{Relax: relax, Published: true}), from, to)
				m := newModel(w.graph, from, relax, func(n int32) float64 { return e(n, to) })
				want := m.run(to)
				if !slices.Equal(r.Nodes, want) || r.Expanded != m.expanded || r.Passes != m.passes {
					t.Fatalf("%s: relaxation %v: from %d to %d: %v, %d expanded, %d passes; the model %v, %d, %d", w.name, relax, from, to, r.Nodes, r.Expanded, r.Passes, want, m.expanded, m.passes)
				}
			}
			if relax > 0 {
				return
			}
			// As printed, with a scan for the least f: the same nodes, and no idle passes.
			r := find(t, search.NewFringe(w.graph, whole, search.FringeOptions{Relax: relax, Published: true}), from, to)
			m := newModel(w.graph, from, relax, func(n int32) float64 { return whole(n, to) })
			m.scans = true
			if want := m.run(to); !slices.Equal(r.Nodes, want) || r.Expanded != m.expanded || r.Passes < m.passes {
				t.Fatalf("%s: from %d to %d: %v, %d expanded, %d passes; as printed %v, %d, %d", w.name, from, to, r.Nodes, r.Expanded, r.Passes, want, m.expanded, m.passes)
			}
		})
	}
}

// meet is algorithm 19: two models that close a node each in turn, until a node is closed by both. It returns nil without
// a path.
func meet(sides [2]*model) []int32 {
	hit := [2]int32{-1, -1}
	for d, over := 0, false; !over; d = 1 - d {
		a, b := sides[d], sides[1-d]
		for {
			if a.now.Len() == 0 && !a.pass() {
				over = true
				break
			}
			u, ok := a.take()
			if !ok {
				continue
			}
			if over = b.visited[u]; over {
				hit[d] = u
				break
			}
			a.follow(u)
			break
		}
	}
	if hit[0] < 0 && hit[1] < 0 {
		return nil
	}
	// All that was discovered near the collision counts.
	best, where := math.Inf(1), int32(-1)
	for d, a := range sides {
		b := sides[1-d]
		nodes := []int32{hit[d]}
		for _, l := range []*list.List{a.now, a.later} {
			for e := l.Front(); e != nil; e = e.Next() {
				nodes = append(nodes, e.Value.(int32))
			}
		}
		for _, n := range nodes {
			if n >= 0 && b.mark[n] != 0 && a.cost[n]+b.cost[n] < best {
				best, where = a.cost[n]+b.cost[n], n
			}
		}
	}
	return append(sides[0].path(where), sides[1].back(where)[1:]...)
}

// TestParallelStepByStep: the published parallel search in turn does as algorithm 19 does.
func TestParallelStepByStep(t *testing.T) {
	for _, relax := range []float64{0, 1, 5} {
		eachQuery(t, 500, func(w world, from, to int32, _ float64) {
			if from == to {
				return
			}
			e := orZero(w.estimate)
			r := find(t, inTurn{search.NewParallelPublished(w.graph, w.estimate, relax).PathInTurn}, from, to)
			sides := [2]*model{
				newModel(w.graph, from, relax, func(n int32) float64 { return e(n, to) }),
				newModel(w.graph.Reversed(), to, relax, func(n int32) float64 { return e(from, n) }),
			}
			for _, m := range sides {
				m.reopens = true
			}
			want := meet(sides)
			expanded, passes := sides[0].expanded+sides[1].expanded, sides[0].passes+sides[1].passes
			if !slices.Equal(r.Nodes, want) || r.Expanded != expanded || r.Passes != passes || r.Busiest != max(sides[0].expanded, sides[1].expanded) {
				t.Fatalf("%s: relaxation %v: from %d to %d: %v, %d expanded, %d passes; the model %v, %d, %d", w.name, relax, from, to, r.Nodes, r.Expanded, r.Passes, want, expanded, passes)
			}
		})
	}
}

// hierarchyModel is algorithm 21 on one core, with the limit of two rounds of its text. It returns the path, nil without one,
// the expanded nodes, and how the path was found.
func hierarchyModel(t *testing.T, g *search.Graph, e search.Estimate, o *search.Overview, relax float64, from, to int32) ([]int32, int, string) {
	t.Helper()
	e = orZero(e)
	low := search.NewFringe(g, e, search.FringeOptions{Relax: relax})
	high := search.NewAStar(o.Graph, func(a, b int32) float64 { return e(o.Anchor[a], o.Anchor[b]) })
	if from == to {
		return []int32{from}, 0, "one node"
	}
	if o.Of[from] < 0 || o.Of[to] < 0 {
		return nil, 0, "no way"
	}
	way := find(t, high, o.Of[from], o.Of[to])
	expanded := way.Expanded
	if !way.Found() {
		return nil, expanded, "no way"
	}
	points := []int32{from}
	if len(way.Nodes) > 2 {
		for _, c := range way.Nodes[1 : len(way.Nodes)-1] {
			points = append(points, o.Anchor[c])
		}
	}
	points = distinct(append(points, to))
	known := map[[2]int32][]int32{} // the sub-paths of the last round
	connect := func() [][]int32 {
		paths, next := make([][]int32, len(points)-1), map[[2]int32][]int32{}
		for i := range paths {
			key := [2]int32{points[i], points[i+1]}
			p, ok := known[key]
			if !ok {
				r := find(t, low, key[0], key[1])
				expanded += r.Expanded
				p = slices.Clone(r.Nodes)
			}
			next[key], paths[i] = p, p
		}
		known = next
		return paths
	}
	if len(points) > 2 {
		middles := []int32{from}
		for _, p := range connect() {
			if p != nil {
				middles = append(middles, p[len(p)/2])
			}
		}
		points = distinct(append(middles, to))
	}
	for range 2 {
		if len(points) == 2 {
			break
		}
		whole, path, kept := true, []int32{from}, []int32{from}
		for i, p := range connect() {
			switch {
			case p != nil:
				path, kept = append(path, p[1:]...), append(kept, points[i+1])
			case i+2 == len(points):
				whole, kept = false, append(kept, to)
			default:
				whole = false
			}
		}
		if points = kept; whole {
			return path, expanded, "guided"
		}
	}
	r := find(t, low, from, to)
	return slices.Clone(r.Nodes), expanded + r.Expanded, "plain"
}

// distinct leaves out points equal to the one before, and to the last.
func distinct(points []int32) []int32 {
	last := points[len(points)-1]
	kept := points[:1]
	for _, p := range points[1 : len(points)-1] {
		if p != kept[len(kept)-1] && p != last {
			kept = append(kept, p)
		}
	}
	return append(kept, last)
}

// TestHierarchyStepByStep: hierarchy search does as algorithm 21 does, also where the overview lies.
func TestHierarchyStepByStep(t *testing.T) {
	race.Skip(t)
	how := map[string]int{}
	check := func(w world, o *search.Overview, relax float64, from, to int32) {
		s := newHierarchy(t, w.graph, w.estimate, o, search.HierarchyOptions{Workers: 1, Relax: relax})
		r := find(t, s, from, to)
		path, expanded, found := hierarchyModel(t, w.graph, w.estimate, o, relax, from, to)
		how[found]++
		if !slices.Equal(r.Nodes, path) || r.Expanded != expanded || r.Busiest != expanded {
			t.Fatalf("%s: from %d to %d, %s: %v, %d expanded, %d busiest; the model %v, %d", w.name, from, to, found, r.Nodes, r.Expanded, r.Busiest, path, expanded)
		}
	}
	for seed := range uint64(800) {
		w := randomWorld(t, seed)
		o := overview(t, w.graph, seed)
		n := int32(w.graph.Nodes())
		for k := range int32(4) {
			check(w, o, float64(seed%3), (k*7)%n, (k*13+5)%n)
		}
	}
	for seed := range uint64(2) {
		c, err := search.RandomClosets(60, 60, 2, seed)
		if err != nil {
			t.Fatal(err)
		}
		g, e, err := c.Graph()
		if err != nil {
			t.Fatal(err)
		}
		o, err := c.Overview()
		if err != nil {
			t.Fatal(err)
		}
		w := world{name: fmt.Sprintf("closets %d", seed), graph: g, estimate: e}
		for k := range int32(60) {
			check(w, o, 1, (k*977+11)%3600, (k*1613+1700)%3600)
		}
	}
	for _, found := range []string{"one node", "no way", "guided", "plain"} {
		if how[found] == 0 {
			t.Errorf("no path was found as %q", found)
		}
	}
}

// sharedModel is algorithm 20 with a list per worker, in the order of writing. The workers of a pair write away from their
// common middle (figure 65): the lists of a pair, the first turned around, are one row.
type sharedModel struct {
	graph            *search.Graph
	rest             func(n int32) float64
	cost             map[int32]float64
	parent           map[int32]int32
	now, later       [][]int32
	threshold        float64
	expanded, passes int
	busiest          int
	levelled, cycled int
}

func (m *sharedModel) f(n int32) float64 { return m.cost[n] + m.rest(n) }

// run returns the path to the goal, nil without one.
func (m *sharedModel) run(from, goal int32, o search.DistributedOptions, workers int) []int32 {
	m.cost, m.parent = map[int32]float64{from: 0}, map[int32]int32{from: from}
	m.now, m.later = make([][]int32, workers), make([][]int32, workers)
	m.later[0] = append(m.later[0], from)
	for {
		least, nodes, idle := math.Inf(1), 0, false
		for _, l := range m.later {
			for _, n := range l {
				least = min(least, m.f(n))
			}
			nodes += len(l)
			idle = idle || len(l) == 0
		}
		if nodes == 0 {
			return nil
		}
		if o.Reseed && !idle {
			m.cycle()
		}
		for m.level() {
			m.levelled++
		}
		m.passes++
		relax := 0.0
		if o.Relax > 0 {
			relax = o.Relax
		}
		m.threshold = max(m.threshold, least+relax)
		m.split()
		found := false
		most := 0
		for w := range m.now {
			before := m.expanded
			found = m.pass(w, goal) || found
			most = max(most, m.expanded-before)
		}
		m.busiest += most
		if found {
			nodes := []int32{goal}
			for n := goal; m.parent[n] != n; {
				n = m.parent[n]
				nodes = append(nodes, n)
			}
			slices.Reverse(nodes)
			return nodes
		}
	}
}

// cycle hands the node with the least f of each worker to the next worker.
func (m *sharedModel) cycle() {
	m.cycled++
	best := make([]int, len(m.later))
	seeds := make([]int32, len(m.later))
	for w, l := range m.later {
		for i, n := range l {
			if m.f(n) < m.f(l[best[w]]) {
				best[w] = i
			}
		}
		seeds[w] = l[best[w]]
	}
	for w := range m.later {
		next := (w + 1) % len(m.later)
		m.later[next][best[next]] = seeds[w]
	}
}

// level moves nodes between the fullest and the emptiest pair, if they differ by more than 8, until they differ by one at most:
// each node from the outer end of the longer list to the inner end of the shorter.
func (m *sharedModel) level() bool {
	size := func(p int) int { return len(m.later[2*p]) + len(m.later[2*p+1]) }
	most, fewest := 0, 0
	for p := range len(m.later) / 2 {
		if size(p) > size(most) {
			most = p
		}
		if size(p) < size(fewest) {
			fewest = p
		}
	}
	if len(m.later) < 4 || size(most)-size(fewest) <= 8 {
		return false
	}
	for size(most)-size(fewest) > 1 {
		a, b := 2*most, 2*fewest
		if len(m.later[a+1]) > len(m.later[a]) {
			a++
		}
		if len(m.later[b+1]) < len(m.later[b]) {
			b++
		}
		last := len(m.later[a]) - 1
		m.later[b] = append(m.later[b], m.later[a][last])
		m.later[a] = m.later[a][:last]
	}
	return true
}

// split swaps the lists, and gives each worker of a pair half of their row.
func (m *sharedModel) split() {
	if len(m.later) == 1 {
		m.now[0], m.later[0] = m.later[0], nil
		return
	}
	for p := range len(m.later) / 2 {
		row := slices.Clone(m.later[2*p])
		slices.Reverse(row)
		row = append(row, m.later[2*p+1]...)
		half := len(row) / 2
		left := slices.Clone(row[:half])
		slices.Reverse(left)
		m.now[2*p], m.now[2*p+1] = left, row[half:]
		m.later[2*p], m.later[2*p+1] = nil, nil
	}
}

// pass takes up the nodes of a worker and reports whether the goal is among them. A node keeps its first way.
func (m *sharedModel) pass(w int, goal int32) bool {
	for _, u := range m.now[w] {
		if m.f(u) > m.threshold {
			m.later[w] = append(m.later[w], u)
			continue
		}
		if u == goal {
			return true
		}
		m.expanded++
		targets, costs := m.graph.From(u)
		for i, v := range targets {
			if _, ok := m.cost[v]; !ok {
				m.cost[v], m.parent[v] = m.cost[u]+costs[i], u
				m.later[w] = append(m.later[w], v)
			}
		}
	}
	return false
}

// TestDistributedStepByStep: distributed search in turn does as algorithm 20 does, with lists balanced in pairs and between
// pairs, and with reseeding.
func TestDistributedStepByStep(t *testing.T) {
	levelled, cycled := 0, 0
	check := func(w world, o search.DistributedOptions, workers int, from, to int32) {
		e := orZero(w.estimate)
		r := find(t, inTurn{search.NewDistributed(w.graph, w.estimate, o).PathInTurn}, from, to)
		m := &sharedModel{graph: w.graph, rest: func(n int32) float64 { return e(n, to) }}
		want := m.run(from, to, o, workers)
		levelled, cycled = levelled+m.levelled, cycled+m.cycled
		if !slices.Equal(r.Nodes, want) || r.Expanded != m.expanded || r.Passes != m.passes || r.Busiest != m.busiest {
			t.Fatalf("%s: %+v: from %d to %d: %v, %d expanded, %d passes, %d busiest; the model %v, %d, %d, %d", w.name, o, from, to,
				r.Nodes, r.Expanded, r.Passes, r.Busiest, want, m.expanded, m.passes, m.busiest)
		}
	}
	workers := []int{2, 1, 2, 4, 4, 4, 8} // of distributions
	for i, o := range distributions {
		eachQuery(t, 60, func(w world, from, to int32, _ float64) { check(w, o, workers[i], from, to) })
	}
	distributedOnGrid(t, func(o search.DistributedOptions, w world, _ *search.Distributed) {
		i := slices.IndexFunc(distributions, func(p search.DistributedOptions) bool { return fmt.Sprint(p) == fmt.Sprint(o) })
		for k := range int32(3) {
			check(w, o, workers[i], (k*977)%4200, (k*1613+2400)%4200)
		}
		o.Reseed = true
		check(w, o, workers[i], 30, 4100)
	})
	if levelled == 0 || cycled == 0 {
		t.Errorf("lists were levelled %d times and reseeded %d times", levelled, cycled)
	}
}

// rippleModel is the proposal of section 7.5, where the ripples close a node each in turn. It returns the path, nil without
// one, the number of ripples, and the expanded nodes.
func rippleModel(t *testing.T, w world, o *search.Overview, opt search.RippleOptions, from, to int32) ([]int32, int, int) {
	t.Helper()
	if from == to {
		return []int32{from}, 0, 0
	}
	if o.Of[from] < 0 || o.Of[to] < 0 {
		return nil, 0, 0
	}
	e := orZero(w.estimate)
	way := find(t, search.NewAStar(o.Graph, func(a, b int32) float64 { return e(o.Anchor[a], o.Anchor[b]) }), o.Of[from], o.Of[to])
	if !way.Found() {
		return nil, 0, way.Expanded
	}
	roots := rippleRoots(way, o, opt.Ripples, from, to)
	ripples := make([]*model, len(roots))
	for r, root := range roots {
		rest := func(n int32) float64 { return min(e(from, n), e(n, to)) }
		switch r {
		case 0:
			rest = func(n int32) float64 { return e(n, to) }
		case len(roots) - 1:
			rest = func(n int32) float64 { return e(from, n) }
		}
		ripples[r] = newModel(w.graph, root, opt.Relax, rest)
	}
	cost, meeting := meetings(ripples, roots)
	expanded := way.Expanded
	for _, m := range ripples {
		expanded += m.expanded
	}
	chain := cheapestChain(cost)
	if chain == nil {
		return nil, len(roots), expanded
	}
	low := search.NewFringe(w.graph, w.estimate, search.FringeOptions{Relax: opt.Relax})
	var path []int32
	for i := 1; i < len(chain); i++ {
		a, b := chain[i-1], chain[i]
		if i == 1 {
			path = ripples[a].path(meeting[a][b])
			continue
		}
		between := find(t, low, path[len(path)-1], meeting[a][b])
		path, expanded = append(path, between.Nodes[1:]...), expanded+between.Expanded
	}
	return append(path, ripples[len(roots)-1].back(path[len(path)-1])[1:]...), len(roots), expanded
}

// rippleRoots returns start, goal, and the anchors at equal parts of the way's cost between both.
func rippleRoots(way search.Result, o *search.Overview, ripples int, from, to int32) []int32 {
	if ripples == 0 {
		ripples = 4
	}
	roots, parts := []int32{from}, max(ripples, 2)-1
	taken := 1
	for i := 1; i < len(way.Nodes)-1; i++ {
		gone := o.Graph.Sum(way.Nodes[:i+1])
		if taken >= parts || gone < way.Cost*float64(taken)/float64(parts) {
			continue
		}
		for taken < parts && gone >= way.Cost*float64(taken)/float64(parts) {
			taken++
		}
		if a := o.Anchor[way.Nodes[i]]; a != to && !slices.Contains(roots, a) {
			roots = append(roots, a)
		}
	}
	return append(roots, to)
}

// meetings lets the ripples grow until start and goal are joined, or cannot be, and returns cost and node of the cheapest
// meeting of each two.
func meetings(ripples []*model, roots []int32) ([][]float64, [][]int32) {
	n := len(ripples)
	cost, node, owner := make([][]float64, n), make([][]int32, n), map[int32]int{}
	for r := range n {
		cost[r], node[r] = make([]float64, n), make([]int32, n)
		for q := range n {
			cost[r][q] = math.Inf(1)
		}
		owner[roots[r]] = r
	}
	done := make([]bool, n)
	joined := func(a, b int) bool {
		seen := make([]bool, n)
		var visit func(r int)
		visit = func(r int) {
			seen[r] = true
			for q := range n {
				if !seen[q] && !math.IsInf(cost[r][q], 1) {
					visit(q)
				}
			}
		}
		visit(a)
		return seen[b]
	}
	// cut reports whether all ripples joined with an end have no nodes left.
	cut := func(end int) bool {
		for r := range n {
			if joined(end, r) && !done[r] {
				return false
			}
		}
		return true
	}
	grow := func(r int) {
		m := ripples[r]
		for {
			if m.now.Len() == 0 && !m.pass() {
				done[r] = true
				return
			}
			u, ok := m.take()
			if !ok {
				continue
			}
			q, taken := owner[u]
			if !taken || q == r {
				owner[u] = r
				m.follow(u)
			} else if both := m.cost[u] + ripples[q].cost[u]; both < cost[r][q] {
				cost[r][q], cost[q][r], node[r][q], node[q][r] = both, both, u, u
			}
			return
		}
	}
	for {
		for r := range n {
			if !done[r] {
				grow(r)
			}
			if joined(0, n-1) || cut(0) || cut(n-1) {
				return cost, node
			}
		}
	}
}

// cheapestChain returns the ripples of the cheapest chain from the first to the last, nil without a chain.
func cheapestChain(cost [][]float64) []int {
	n := len(cost)
	sum, before := make([]float64, n), make([]int, n)
	for r := range sum {
		sum[r] = math.Inf(1)
	}
	sum[0] = 0
	for range n {
		for r := range n {
			for q := range n {
				if c := sum[r] + cost[r][q]; c < sum[q] {
					sum[q], before[q] = c, r
				}
			}
		}
	}
	if math.IsInf(sum[n-1], 1) {
		return nil
	}
	chain := []int{n - 1}
	for r := n - 1; r != 0; r = before[r] {
		chain = append(chain, before[r])
	}
	slices.Reverse(chain)
	return chain
}

// TestRippleStepByStep: ripple search in turn does as proposed.
func TestRippleStepByStep(t *testing.T) {
	most := 0
	check := func(w world, o *search.Overview, opt search.RippleOptions, from, to int32) {
		s, err := search.NewRipple(w.graph, w.estimate, o, opt)
		if err != nil {
			t.Fatal(err)
		}
		r := find(t, inTurn{s.PathInTurn}, from, to)
		path, ripples, expanded := rippleModel(t, w, o, opt, from, to)
		if !slices.Equal(r.Nodes, path) || r.Expanded != expanded {
			t.Fatalf("%s: %+v: from %d to %d: %v, %d expanded; the model %v, %d", w.name, opt, from, to, r.Nodes, r.Expanded, path, expanded)
		}
		most = max(most, ripples)
	}
	for seed := range uint64(600) {
		w := symmetric(t, seed)
		o := overview(t, w.graph, seed)
		n := int32(w.graph.Nodes())
		for k := range int32(4) {
			check(w, o, search.RippleOptions{Ripples: int(seed % 7), Relax: float64(seed % 3)}, (k*7)%n, (k*13+5)%n)
		}
	}
	w, o := chambers(t, 60, 3)
	for k := range int32(20) {
		check(w, o, search.RippleOptions{Ripples: 2 + int(k%6), Relax: 5}, (k*977+11)%3600, (k*1613+1700)%3600)
	}
	if most < 5 {
		t.Errorf("at most %d ripples took part", most)
	}
}
