package prepared

// Hub labels: distances between corners of meshes too large for a table.
//
// Source: the pruned labels of T. Akiba, Y. Iwata and Y. Yoshida, Fast exact shortest-path distance queries on large
// networks by pruned landmark labeling, SIGMOD 2013. Labels on the graph of visible corners, as in J. Du, B. Shen and
// M. A. Cheema, Ultrafast Euclidean shortest path computation using hub labeling, AAAI 2023.
//
// Idea: Each corner knows its distances from a few corners, its hubs. Every two corners share a hub on a shortest
// way between them. The corners become hubs one after the other, those on most ways first. A search from a hub labels the
// corners that it reaches, and goes no further where earlier hubs give an equally short way. Each label has the next corner
// towards the hub, which has a label of the same hub.
//
// Input: a graph with the same edges in both directions.
//
// Guarantees:
//  1. The least sum over common hubs is the distance, within sameWay, and the steps of a label lead to its hub
//     (TestLabelsAgainstDijkstra).
//  2. Paths are as long as without labels (TestPreparedPaths, TestPreparedStoreys, TestPreparedPublished).
//
// Degenerate cases: corners without a way between them share no hub.
//
// Cost: with k labels a corner, time O(k·e log c + c·k²) for c corners and e edges, and 14 bytes a label. Measured k are in
// docs/algorithms/query.md: tens indoors, hundreds on open ground.
//
// Departures: labels are in the order of their distances, not of their hubs: a query stops where the rest is too far. The
// paper of 2023 keeps for each grid cell the labels of all corners in sight; here the corners in sight are found first, and
// most are outdone before their labels are read.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/internal/pq"
)

// labels are the distances of corners from hubs. The labels of corner c are those from first[c] up to first[c+1], the nearest
// hub first: the distance from the hub, the hub by its rank, and the step to the next corner on the way to the hub. The first
// label of a corner is its own as a hub.
type labels struct {
	first    []uint32
	distance []float64
	hub      []uint16
	steps    []labelStep
}

// labelStep is an edge of the corner, and the number of the hub's label among the labels of the corner at its end.
type labelStep struct{ edge, at uint16 }

const (
	// sameWay is the ratio of lengths within which ways count as equally long: above rounding, below differences that count.
	sameWay = 1e-12
	// mostLabelled is the most corners that labels can name.
	mostLabelled = math.MaxUint16
	// labelBytes is the size of a label.
	labelBytes = 14
	// hubTrees is the number of trees of shortest ways that order the hubs.
	hubTrees = 256
	// firstHubs is the number of hubs that tell whether the labels will be too many: of fewer labels in the end, less than 3/8 are
	// labels of the first hubs. Measured were 18 to 30 a corner where 42 to 78 are allowed, and 42 to 90 where 164 to 670 would be.
	firstHubs = 128
)

// newLabel is a label while labels are made.
type newLabel struct {
	distance  float64
	hub, next uint16 // next is a corner
}

// labelMaker is the memory for making labels.
type labelMaker struct {
	g     *graph.Graph
	tree  *hubTree
	of    [][]newLabel // of corners
	byHub []float64    // the distances of the root from hubs
	total int
}

// makeLabels finds the labels of all nodes of a graph, at most the given number. The error is ErrNoRoom for more, and as soon as
// the first hubs show that there will be more.
func makeLabels(ctx context.Context, g *graph.Graph, most int) (*labels, error) {
	n := g.Nodes()
	m := &labelMaker{g: g, tree: newHubTree(n), of: make([][]newLabel, n), byHub: make([]float64, n)}
	for i := range m.byHub {
		m.byHub[i] = math.Inf(1)
	}
	order, err := hubOrder(ctx, g, m.tree)
	if err != nil {
		return nil, err
	}
	for rank, root := range order {
		if rank%64 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.from(root, func(c int32, d float64) {
			m.of[c] = append(m.of[c], newLabel{d, uint16(rank), uint16(m.tree.from[c])})
			m.total++
		})
		if m.total > most || rank < firstHubs && m.total > most/8*3 && n > firstHubs {
			return nil, ErrNoRoom
		}
	}
	l := &labels{first: make([]uint32, n+1), distance: make([]float64, 0, m.total), hub: make([]uint16, 0, m.total), steps: make([]labelStep, 0, m.total)}
	for c, list := range m.of {
		slices.SortFunc(list, func(a, b newLabel) int { return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.hub, b.hub)) })
		for _, o := range list {
			l.distance, l.hub = append(l.distance, o.distance), append(l.hub, o.hub)
		}
		l.first[c+1] = uint32(len(l.distance))
	}
	for c, list := range m.of {
		targets, _ := g.From(int32(c))
		for _, o := range list {
			step := labelStep{}
			if int(o.next) != c {
				_, hub := l.of(int32(o.next))
				step = labelStep{uint16(slices.Index(targets, int32(o.next))), uint16(slices.Index(hub, o.hub))}
			}
			l.steps = append(l.steps, step)
		}
	}
	return l, nil
}

// from calls settle for the nodes whose shortest ways from a root lead over no hub, in the order of their distances.
func (m *labelMaker) from(root int32, settle func(c int32, d float64)) {
	for _, l := range m.of[root] {
		m.byHub[l.hub] = l.distance
	}
	m.tree.grow(m.g, root, func(c int32, d float64) (further bool) {
		known := d * (1 + sameWay)
		list := m.of[c]
		for i := range list {
			if m.byHub[list[i].hub]+list[i].distance <= known {
				return false
			}
		}
		settle(c, d)
		return true
	})
	for _, l := range m.of[root] {
		m.byHub[l.hub] = math.Inf(1)
	}
}

// hubTree is the memory of searches from hubs.
type hubTree struct {
	far     []float64 // the distances from the root
	from    []int32   // the nodes before on the way
	reached []int32
	queue   pq.Heap
}

func newHubTree(n int) *hubTree {
	t := &hubTree{far: make([]float64, n), from: make([]int32, n)}
	for i := range t.far {
		t.far[i] = math.Inf(1)
	}
	return t
}

// grow calls settle for nodes in the order of their distances from the root. The search goes no further where settle returns
// false.
func (t *hubTree) grow(g *graph.Graph, root int32, settle func(c int32, d float64) (further bool)) {
	t.queue.Reset()
	t.reached = append(t.reached[:0], root)
	t.far[root], t.from[root] = 0, root
	t.queue.Push(0, root)
	for t.queue.Len() > 0 {
		it := t.queue.Pop()
		if it.Key > t.far[it.ID] || !settle(it.ID, it.Key) {
			continue
		}
		targets, costs := g.From(it.ID)
		for i, c := range targets {
			d := it.Key + costs[i]
			if d >= t.far[c] {
				continue
			}
			if math.IsInf(t.far[c], 1) {
				t.reached = append(t.reached, c)
			}
			t.far[c], t.from[c] = d, it.ID
			t.queue.Push(d, c)
		}
	}
	for _, c := range t.reached {
		t.far[c] = math.Inf(1)
	}
}

// hubOrder returns the nodes by the number of shortest ways over them from a sample of roots, the most first.
func hubOrder(ctx context.Context, g *graph.Graph, t *hubTree) ([]int32, error) {
	n := g.Nodes()
	ways, below := make([]int, n), make([]int, n)
	var settled []int32
	roots := min(hubTrees, n)
	for k := range roots {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		root := int32(k * n / roots)
		settled = settled[:0]
		t.grow(g, root, func(c int32, _ float64) bool {
			settled, below[c] = append(settled, c), 1
			return true
		})
		for _, c := range slices.Backward(settled) {
			if c != root {
				below[t.from[c]] += below[c]
			}
			ways[c] += below[c]
		}
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(ways[b], ways[a]) })
	return order, nil
}

// of returns the labels of a corner.
func (l *labels) of(c int32) (distance []float64, hub []uint16) {
	begin, end := l.first[c], l.first[c+1]
	return l.distance[begin:end], l.hub[begin:end]
}

// atHub reports whether a label is that of a hub itself.
func (l *labels) atHub(c atLabel) bool { return c.label == l.first[c.turn] }

// bytes returns the memory size of the labels.
func (l *labels) bytes() int { return 4*len(l.first) + labelBytes*len(l.distance) }
