package search

import (
	"context"
	"slices"

	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// NewContraction prepares a hierarchy. Errors: the context's.
func NewContraction(ctx context.Context, g *Graph) (*Contraction, error) {
	c := newContractor(g)
	c.order()
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.hierarchy(), nil
}

// contractor removes nodes from a graph. While it runs, the arcs of a node lead to remaining nodes; afterwards to nodes
// removed later.
type contractor struct {
	graph    *Graph
	one      bool    // symmetric: in is out
	out, in  [][]arc // arcs of each node, in turned around
	height   []int32 // of the hierarchy below a node
	sequence []int32
	open     pq.Heap // nodes by importance; when in doubt less than they have
	witness  witness
	short    []shortcut
}

// shortcut is an arc that takes the place of two.
type shortcut struct {
	from, to int32
	cost     float64
}

func newContractor(g *Graph) *contractor {
	n := g.Nodes()
	c := &contractor{
		graph: g, one: symmetric(g) == nil,
		out: make([][]arc, n), height: make([]int32, n), sequence: make([]int32, 0, n),
		witness: newWitness(n),
	}
	c.out = simple(g)
	c.in = c.out
	if !c.one {
		c.in = simple(g.Reversed())
	}
	return c
}

// simple returns the arcs of a graph: the cheapest edge from each node to each other.
func simple(g *Graph) [][]arc {
	arcs := make([][]arc, g.Nodes())
	for u := range arcs {
		targets, costs := g.From(int32(u))
		row := make([]arc, 0, len(targets))
		for i, v := range targets {
			if int(v) != u {
				row = put(row, arc{to: v, over: -1, cost: costs[i]})
			}
		}
		arcs[u] = row
	}
	return arcs
}

// put adds an arc, or reduces the cost of the existing arc to the same node.
func put(row []arc, a arc) []arc {
	for i := range row {
		if row[i].to == a.to {
			if a.cost < row[i].cost {
				row[i] = a
			}
			return row
		}
	}
	return append(row, a)
}

// drop removes the arc to a node, if any. The others keep their order.
func drop(row []arc, to int32) []arc {
	if i := slices.IndexFunc(row, func(a arc) bool { return a.to == to }); i >= 0 {
		return slices.Delete(row, i, i+1)
	}
	return row
}

// order gives each node its first importance.
func (c *contractor) order() {
	for n := range int32(c.graph.Nodes()) {
		c.open.Push(c.importance(n), n)
	}
}

// importance returns the importance of a node: the cheaper its removal now, the lower.
func (c *contractor) importance(n int32) float64 {
	c.shortcuts(n, glance)
	out, in := len(c.out[n]), len(c.in[n])
	added := len(c.short)
	if c.one {
		in = 0
	}
	return float64(c.height[n]) + weight*float64(added)/float64(max(out+in, 1))
}

// shortcuts finds the shortcuts that node n would need, with witnesses that take up to a number of nodes.
func (c *contractor) shortcuts(n int32, limit int) {
	c.short = c.short[:0]
	for k, a := range c.in[n] {
		targets := c.out[n]
		if c.one {
			targets = targets[k+1:] // the others are the same from the other end
		}
		c.witness.search(c.out, a.to, n, a.cost, targets, limit)
		for _, b := range targets {
			if cost := a.cost + b.cost; b.to != a.to && !c.witness.found(b.to, cost) {
				c.short = append(c.short, shortcut{a.to, b.to, cost})
			}
		}
	}
}

// run takes out all nodes.
func (c *contractor) run(ctx context.Context) error {
	for c.open.Len() > 0 {
		item := c.open.Pop()
		n := item.ID
		// Importance may have risen since its computation; then another may be next.
		key := c.importance(n)
		if c.open.Len() > 0 && key > c.open.Min().Key {
			c.open.Push(key, n)
			continue
		}
		if len(c.sequence)%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.shortcuts(n, thorough)
		c.takeOut(n)
	}
	return nil
}

// takeOut removes node n and adds the shortcuts in c.short.
func (c *contractor) takeOut(n int32) {
	c.sequence = append(c.sequence, n)
	for _, a := range c.out[n] {
		c.in[a.to] = drop(c.in[a.to], n)
		c.height[a.to] = max(c.height[a.to], c.height[n]+1)
	}
	if !c.one {
		for _, a := range c.in[n] {
			c.out[a.to] = drop(c.out[a.to], n)
			c.height[a.to] = max(c.height[a.to], c.height[n]+1)
		}
	}
	for _, s := range c.short {
		c.out[s.from] = put(c.out[s.from], arc{to: s.to, over: n, cost: s.cost})
		c.in[s.to] = put(c.in[s.to], arc{to: s.from, over: n, cost: s.cost})
	}
}

// hierarchy numbers the nodes by importance, the most important first.
func (c *contractor) hierarchy() *Contraction {
	n := c.graph.Nodes()
	h := &Contraction{graph: c.graph, number: make([]int32, n), node: make([]int32, n), component: make([]int32, n)}
	for i, v := range c.sequence {
		h.node[n-1-i] = v
		h.number[v] = int32(n - 1 - i)
	}
	h.up = h.rows(c.out)
	h.down = h.up
	if !c.one {
		h.down = h.rows(c.in)
	}
	f := unionfind.New(n)
	for u := range int32(n) {
		targets, _ := c.graph.From(u)
		for _, v := range targets {
			f.Union(u, v)
		}
	}
	for u := range int32(n) {
		h.component[u] = f.Find(u)
	}
	return h
}

// rows puts arcs into one array, by node.
func (h *Contraction) rows(arcs [][]arc) climb {
	total := 0
	for _, row := range arcs {
		total += len(row)
	}
	c := climb{first: make([]int32, 1, len(arcs)+1), arcs: make([]arc, 0, total)}
	for _, v := range h.node {
		for _, a := range arcs[v] {
			a.to = h.number[a.to]
			if a.over >= 0 {
				a.over = h.number[a.over]
			}
			c.arcs = append(c.arcs, a)
		}
		c.first = append(c.first, int32(len(c.arcs)))
	}
	return c
}

// witness looks for ways around a node.
type witness struct {
	labels labels
	open   pq.Heap
	most   []float64 // of each target: a way that costs no more is as good as the one over the node
	wanted []uint32  // the number of the search for the targets that are still looked for
}

func newWitness(n int) witness {
	return witness{labels: newLabels(n), most: make([]float64, n), wanted: make([]uint32, n)}
}

const (
	// weight is the weight of the share of shortcuts in the importance of a node, relative to a level of height: of
	// 2, 4 and 10 the last has the fewest shortcuts in chambers and on strewn ground.
	weight = 10
	// thorough is the number of nodes a witness search takes up before a removal. With 50 there are a third more shortcuts on
	// open ground; with 2000 there are equally many.
	thorough = 500
	// glance is how many it takes up to find the importance of a node. With 500 preparation takes three times as long
	// on open ground, for a tenth fewer shortcuts.
	glance = 20
)

// search looks for ways from a root to targets that avoid one node and cost no more than the way over it, where the root's arc to
// it has the given cost. It ends when nothing is left, or after a number of nodes.
func (w *witness) search(out [][]arc, root, without int32, cost float64, targets []arc, limit int) {
	w.labels.begin()
	w.open.Reset()
	at, gen := w.labels.at, w.labels.gen
	if gen == 2 {
		clear(w.wanted) // the numbers have started again
	}
	most, left := 0.0, 0
	for _, b := range targets {
		if b.to != root {
			w.most[b.to], w.wanted[b.to] = cost+b.cost, gen
			most = max(most, cost+b.cost)
			left++
		}
	}
	at[root] = label{parent: root, stamp: gen}
	w.open.Push(0, root)
	for taken := 0; w.open.Len() > 0 && left > 0 && taken < limit; taken++ {
		item := w.open.Pop()
		u := item.ID
		if at[u].stamp != gen {
			continue
		}
		if item.Key > most {
			return
		}
		at[u].stamp = gen | 1
		if w.wanted[u] == gen {
			w.wanted[u] = 0 // the cheapest way to it costs too much
			left--
		}
		for _, a := range out[u] {
			g := item.Key + a.cost
			if a.to == without || g > most {
				continue
			}
			l := &at[a.to]
			if l.stamp|1 == gen|1 && g >= l.g {
				continue
			}
			*l = label{g: g, parent: u, stamp: gen}
			if w.wanted[a.to] == gen && g <= w.most[a.to] {
				w.wanted[a.to] = 0
				left--
			}
			w.open.Push(g, a.to)
		}
	}
}

// found reports whether a way to a node within a given cost is known.
func (w *witness) found(n int32, cost float64) bool {
	return w.labels.known(n) && w.labels.at[n].g <= cost
}
