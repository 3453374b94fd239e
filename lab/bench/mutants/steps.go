package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// step is a step of a published search, with a fault that spoils the step, and the test that notices.
type step struct {
	search, step string
	file         string
	from, to     string // of the source, once in the file, and the fault in its place
	test         string
}

const (
	aStar       = "A* (algorithm 17)"
	fringe      = "Fringe Search (algorithm 18)"
	parallel    = "Parallel Bidirectional Search (algorithm 19)"
	optimal     = "the same, made optimal (section 7.5)"
	distributed = "Distributed Fringe Search (algorithm 20)"
	hierarchy   = "Parallel Hierarchy Search (algorithms 21, 22)"
	ripple      = "Parallel Ripple Search (section 7.5)"
	beam        = "beam search of the uniform grid (section 8.2)"
)

// steps lists the steps of the searches of S. Brand, Efficient Obstacle Avoidance using Autonomously Generated Navigation Meshes,
// thesis, 2009. docs/algorithms/search.md has the same list.
var steps = []step{
	{
		aStar, "the open node of least g + h is next", "lab/search/astar.go",
		"\t\t\ts.open.Push(g+l.h, v)\n", "\t\t\ts.open.Push(g, v)\n", "TestAStarStepByStep",
	},
	{
		aStar, "persistence: the search ends when the goal is closed, not when it is found", "lab/search/astar.go",
		"\t\t\ts.open.Push(g+l.h, v)\n\t\t}\n",
		"\t\t\tif v == to {\n\t\t\t\ts.path = s.labels.path(s.path, to)\n\t\t\t\treturn Result{Nodes: s.path, Cost: g, Expanded: expanded}, nil\n\t\t\t}\n\t\t\ts.open.Push(g+l.h, v)\n\t\t}\n", "TestAStarStepByStep",
	},
	{aStar, "correction: an open node takes a cheaper way", "lab/search/astar.go", "\t\t\tcase g >= l.g:\n", "\t\t\tdefault:\n", "TestAStarStepByStep"},
	{aStar, "correction of closed nodes, for directed graphs", "lab/search/astar.go", "\t\t\tcase g >= l.g:\n", "\t\t\tcase g >= l.g || l.stamp != gen:\n", "TestAStarInconsistent"},
	{aStar, "a better way links the node to its new parent", "lab/search/astar.go", "l.g, l.parent, l.stamp = g, u, gen", "l.g, l.stamp = g, gen", "TestAStarStepByStep"},

	{fringe, "the threshold is the least f of the list and the relaxation", "lab/search/fringe.go", "s.least+s.relax", "s.least", "TestFringeStepByStep"},
	{fringe, "the threshold never falls", "lab/search/fringe.go", "max(s.threshold, s.least+s.relax)", "s.least + s.relax", "TestFringeStepByStep"},
	{fringe, "a node beyond the threshold goes to the back of the later list", "lab/search/fringe.go", "s.later = append(s.later, n)\n", "s.later = append([]int32{n}, s.later...)\n", "TestFringeStepByStep"},
	{fringe, "the least f counts nodes that were put off", "lab/search/fringe.go", "\ts.least = min(s.least, f)\n", "", "TestFringeStepByStep"},
	{
		fringe, "persistence: the search ends when the goal is closed, not when it is found", "lab/search/fringe.go",
		"\t\t\tif u == s.goal {\n\t\t\t\treturn true, nil\n\t\t\t}\n", "\t\t\tif s.labels.known(s.goal) {\n\t\t\t\treturn true, nil\n\t\t\t}\n", "TestFringeStepByStep",
	},
	{fringe, "a closed node stays closed", "lab/search/fringe.go", "\t\tcase s.reopens: // closed\n", "\t\tdefault:\n", "TestFringeStepByStep"},
	{fringe, "correction: a node in a list takes a cheaper way", "lab/search/fringe.go", "\t\t\tl.g, l.parent = g, u\n\t\t\ts.least", "\t\t\ts.least", "TestFringeStepByStep"},
	{fringe, "a new node goes to the later list", "lab/search/fringe.go", "\t\t\t*l = label{g: g, h: s.rest(v), parent: u, stamp: gen}\n\t\t\ts.leave(v, g+l.h)\n", "\t\t\t*l = label{g: g, h: s.rest(v), parent: u, stamp: gen}\n", "TestFringeStepByStep"},
	{fringe, "the lists are swapped after a pass", "lab/search/fringe.go", "s.now, s.later = s.later, s.now[:0]", "s.now, s.later = append(s.now[:0], s.later...), s.now[:0]", "TestFringeStepByStep"},

	{parallel, "the second side searches from the goal against the edges", "lab/search/published.go", "[2]*Graph{g, g.Reversed()}", "[2]*Graph{g, g}", "TestParallelStepByStep"},
	{parallel, "each side marks what it closes", "lab/search/published.go", "\t\ta.mark[u].Store(s.search)\n", "", "TestParallelStepByStep"},
	{
		parallel, "the first node that both have closed ends the search", "lab/search/published.go",
		"\t\t\ta.hit = u\n\t\t\treturn true\n", "\t\t\tif a.hit >= 0 {\n\t\t\t\treturn true\n\t\t\t}\n\t\t\ta.hit = u\n", "TestParallelStepByStep",
	},
	{parallel, "nodes that both have discovered near the collision count", "lab/search/published.go", "[3][]int32{{a.hit}, a.now[a.place:], a.later}", "[3][]int32{{a.hit}, nil, nil}", "TestParallelStepByStep"},
	{parallel, "the path goes through the cheapest of them", "lab/search/published.go", "both < best {", "both > best || meet < 0 {", "TestParallelStepByStep"},
	{parallel, "away from the collision nodes are processed correctly", "lab/search/published.go", "s.side[d].reopens = d == 1, true", "s.side[d].reopens = d == 1, false", "TestParallelStepByStep"},
	{parallel, "a side without nodes ends the other", "lab/search/published.go", "\t\t\tif len(a.later) == 0 {\n\t\t\t\treturn true\n", "\t\t\tif len(a.later) == 0 {\n\t\t\t\treturn len(b.later) == 0 && b.place == len(b.now)\n", "TestParallelStepByStep"},

	{optimal, "the search goes on after the collision", "lab/search/parallelfringe.go", "\t\t\t\ts.offer(both, v)\n", "\t\t\t\ts.offer(both, v)\n\t\t\t\ts.stop.Store(true)\n", "TestInTurn"},
	{optimal, "the path found is the bound of what follows", "lab/search/duel.go", "\t\ts.best.store(cost)\n", "", "TestInTurn"},
	{optimal, "every node that both sides know may be the meeting", "lab/search/parallelfringe.go", "if b.mark[v].Load() == theirs {", "if b.mark[v].Load() == theirs && s.meet < 0 {", "TestInTurn"},
	{optimal, "the same with heaps", "lab/search/parallel.go", "\t\t\t\ts.offer(both, v)\n", "\t\t\t\ts.offer(both, v)\n\t\t\t\ts.stop.Store(true)\n", "TestAllAgreeOnGrids"},

	{distributed, "the lists of a pair grow from their middle in two directions (figure 65)", "lab/search/distributed.go", "func side(w int) int { return 2*(w&1) - 1 }", "func side(w int) int { return 1 - 2*(w&1) }", "TestDistributedStepByStep"},
	{distributed, "both workers of a pair get half of their nodes", "lab/search/balance.go", "part := from + (b.write-from)/2", "part := s.middle(w + 1)", "TestDistributedStepByStep"},
	{distributed, "the lists are swapped after a pass", "lab/search/balance.go", "\ts.now = 1 - s.now\n", "", "TestDistributedStepByStep"},
	{distributed, "the threshold comes of the least f of all workers", "lab/search/balance.go", "\t\tleast = min(least, a.least)\n", "\t\tleast = a.least\n", "TestDistributedStepByStep"},
	{distributed, "the relaxation is added", "lab/search/balance.go", "least+s.relax", "least", "TestDistributedStepByStep"},
	{distributed, "pairs are levelled", "lab/search/balance.go", "\t\ts.level()\n", "", "TestDistributedStepByStep"},
	{distributed, "from a difference of more than eight", "lab/search/balance.go", "if more <= skew {", "if more <= skew+1 {", "TestDistributedStepByStep"},
	{distributed, "the nodes come from the outer end of the fullest list", "lab/search/balance.go", "s.longer(most, 1)", "s.longer(most, -1)", "TestDistributedStepByStep"},
	{distributed, "and go to the inner end of the emptiest list", "lab/search/balance.go", "s.longer(fewest, -1)", "s.longer(fewest, 1)", "TestDistributedStepByStep"},
	{distributed, "a node is opened by a single worker, and its way is not corrected", "lab/search/distributed.go", "if old == s.search || ", "if ", "TestDistributedStepByStep"},
	{distributed, "cyclic reseeding hands the most promising node of each worker to the next", "lab/search/balance.go", "\t\tcarried, *p = *p, carried\n", "\t\tcarried, *p = carried, *p\n", "TestDistributedStepByStep"},
	{distributed, "the most promising node is the node of least f", "lab/search/distributed.go", "a.least, a.best = f, a.write", "a.least = f", "TestDistributedStepByStep"},
	{distributed, "reseeding only when all workers have nodes", "lab/search/balance.go", "s.reseed && !idle", "s.reseed && nodes > 2*len(s.workers)", "TestDistributedStepByStep"},
	{distributed, "the search ends at the goal", "lab/search/balance.go", "s.found = s.found || a.found", "s.found = a.found", "TestDistributedStepByStep"},

	{hierarchy, "no way through the overview: no search below", "lab/search/hierarchy.go", "\tif !way.Found() {\n\t\treturn none(way.Expanded, 0), nil\n\t}\n", "", "TestHierarchyEndsEarly"},
	{hierarchy, "the anchors of the way are the first points, without the first and the last", "lab/search/hierarchy.go", "way.Nodes[1:max(len(way.Nodes)-1, 1)]", "way.Nodes[1:]", "TestHierarchyStepByStep"},
	{hierarchy, "the halfway node of each segment is the next point", "lab/search/hierarchy.go", "m := nodes[len(nodes)/2]", "m := nodes[len(nodes)/3]", "TestHierarchyStepByStep"},
	{hierarchy, "a segment without a path gives no point", "lab/search/hierarchy.go", "\t\tif nodes == nil {\n\t\t\tcontinue\n\t\t}\n", "\t\tif nodes == nil {\n\t\t\tnodes = []int32{s.errands.jobs[i].from}\n\t\t}\n", "TestHierarchyStepByStep"},
	{hierarchy, "beautification: points are taken anew once", "lab/search/hierarchy.go", "\t\ts.halve()\n", "", "TestHierarchyStepByStep"},
	{hierarchy, "a point that cannot be reached is left out", "lab/search/hierarchy.go", "if j.nodes != nil || i+1 == last {", "if true || i+1 == last {", "TestHierarchyStepByStep"},
	{hierarchy, "the goal is never left out", "lab/search/hierarchy.go", "if j.nodes != nil || i+1 == last {", "if j.nodes != nil && last > 0 {", "TestHierarchyStepByStep"},
	{hierarchy, "sub-paths of the round before are not searched again", "lab/search/crew.go", "\t\t\t\tj = old\n", "", "TestHierarchyStepByStep"},
	{hierarchy, "after two rounds a plain search takes over", "lab/search/hierarchy.go", "const rounds = 2\n", "const rounds = 3\n", "TestHierarchyStepByStep"},
	{hierarchy, "the sub-paths make one path, head to tail", "lab/search/hierarchy.go", "s.path = append(s.path, j.nodes[1:]...)", "s.path = append(s.path, j.nodes...)", "TestHierarchyStepByStep"},
	{hierarchy, "any core takes the next segment", "lab/search/crew.go", "int(s.next.Add(1)) - 1", "int(s.next.Add(1)) - 1 + w", "TestHierarchyDoesNotDependOnWorkers"},

	{ripple, "ripples begin at start, goal and places at equal distances along the way", "lab/search/ripple.go", "if gone < way.Cost*float64(k)/float64(between+1) {", "if gone < way.Cost*float64(k)/float64(between+2) {", "TestRippleStepByStep"},
	{ripple, "the essential ripples grow towards each other", "lab/search/ripple.go", "\t\treturn s.estimate(n, s.to)\n", "\t\treturn 0\n", "TestRippleStepByStep"},
	{ripple, "the others grow towards the nearer of start and goal", "lab/search/ripple.go", "return min(s.estimate(s.from, n), s.estimate(n, s.to))", "return s.estimate(s.from, n)", "TestRippleStepByStep"},
	{ripple, "a node belongs to the first ripple that closes it", "lab/search/ripple.go", "old>>8 == s.search || ", "", "TestRippleStepByStep"},
	{ripple, "of the meetings of two ripples the cheapest counts", "lab/search/ripple.go", "cost < m.cost {", "m.node < 0 {", "TestRippleStepByStep"},
	{ripple, "a chain of meetings from start to goal ends the search", "lab/search/ripple.go", "\tif s.group.Find(0) == s.group.Find(int32(s.live-1)) {\n\t\ts.stop.Store(true)\n\t}\n", "", "TestRippleStepByStep"},
	{ripple, "ripples that meet nobody do no harm, and no path is known when an end has none left", "lab/search/ripple.go", "\t\tif !left {\n\t\t\ts.stop.Store(true)\n\t\t}\n", "", "TestRippleStepByStep"},
	{ripple, "the path follows the cheapest chain of meetings", "lab/search/ripple.go", "c.cost[r]+m.cost < c.cost[q]", "c.before[q] < 0 && c.cost[r]+m.cost < c.cost[q]", "TestRippleStepByStep"},
	{ripple, "inside of a ripple the path is a cheapest path from meeting to meeting", "lab/search/crew.go", "FringeOptions{Relax: relax}", "FringeOptions{Relax: 40, Published: true}", "TestRippleStepByStep"},

	{beam, "the estimate is the Manhattan distance", "lab/experiment/beam.go", "+ math.Abs(float64(p[1]-q[1]))", "", "TestBeamStepByStep"},
	{beam, "a full list loses its worst node", "lab/experiment/beam.go", "return a > b })", "return a < b })", "TestBeamStepByStep"},
	{beam, "a new node that is worst is not taken", "lab/experiment/beam.go", "if s.at[s.open[worst]].f <= l.f {", "if s.at[s.open[worst]].f < 0 {", "TestBeamStepByStep"},
	{beam, "the search gives up after so many nodes", "lab/experiment/beam.go", "if expanded == s.cap {", "if expanded == s.cap+1 {", "TestBeamStepByStep"},
}

// plant returns the source of a file with the fault of a step.
func (p *step) plant(source []byte) ([]byte, error) {
	if n := bytes.Count(source, []byte(p.from)); n != 1 {
		return nil, fmt.Errorf("%d times %q, want one", n, p.from)
	}
	return bytes.Replace(source, []byte(p.from), []byte(p.to), 1), nil
}

// row is the line of a step in the table of the documentation.
func (p *step) row() string { return fmt.Sprintf("| %s | %s | `%s` |", p.search, p.step, p.test) }

// plantAll plants the faults of the steps whose search or step contains a text, and prints the table. It ends with an error
// if a test passes with a fault.
func (l *lab) plantAll(ctx context.Context, only string, out, log io.Writer) error {
	fmt.Fprintln(out, "| search | step | test that fails without it |")
	fmt.Fprintln(out, "|---|---|---|")
	planted, survivors := 0, 0
	for i := range steps {
		p := &steps[i]
		if !strings.Contains(p.search+": "+p.step, only) {
			continue
		}
		dies, err := l.dies(ctx, p)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.search, p.step, err)
		}
		planted++
		if !dies {
			survivors++
			fmt.Fprintf(log, "%s: %s: %s passes\n", p.search, p.step, p.test)
			continue
		}
		fmt.Fprintln(out, p.row())
	}
	switch {
	case planted == 0:
		return fmt.Errorf("no step contains %q", only)
	case survivors > 0:
		return fmt.Errorf("%d of %d faults pass their tests", survivors, planted)
	}
	return nil
}

// dies reports whether the test of a step fails with the step's fault.
func (l *lab) dies(ctx context.Context, p *step) (bool, error) {
	path, err := filepath.Abs(filepath.Join(l.root, filepath.FromSlash(p.file)))
	if err != nil {
		return false, err
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	changed, err := p.plant(source)
	if err != nil {
		return false, err
	}
	if err := l.replace(path, changed); err != nil {
		return false, err
	}
	test := exec.CommandContext(ctx, "go", "test", "-timeout", "60s", "-overlay", l.overlay(), "-run", "^"+p.test+"$", "./"+filepath.ToSlash(filepath.Dir(p.file)))
	test.Dir = l.root
	text, err := test.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, err
	}
	if err == nil {
		return false, nil
	}
	// A fault may lead to a panic, or to a search without end.
	if !broken.Match(text) || ctx.Err() != nil {
		return false, fmt.Errorf("%s", bytes.TrimSpace(text))
	}
	return true, nil
}

// broken finds a failed test in the output of go test.
var broken = regexp.MustCompile(`(?m)^\s*--- FAIL: |^panic: `)
