package optimal

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// impossible is the cost of a ring without a decomposition by the given edges.
const impossible = math.MaxInt32

// edge joins two places of a ring, from < to: a step along the ring, or a diagonal.
type edge struct {
	from, to int32
	cost     int32 // how many cells the polygon behind it takes at the least; 0 for a step
	chain    int32 // where the cell behind it begins in fold.corners
	length   int32 // how many corners the cell has
}

// chain is a convex chain of edges from the present place: a part of a cell's border, with the polygons
// behind its edges solved.
type chain struct {
	cost  int32 // the number of cells behind its edges
	first int32 // the end of its first edge; the later, the narrower the angle at the start
	edge  int32 // its last edge
	prev  int32 // the chain without its last edge, or -1
}

// fold is the dynamic program over one ring of places, numbered along the ring. The zero fold is ready;
// memory is reused for the next ring.
type fold struct {
	at      []lattice.Point // of every place
	edges   []edge          // by from, then by to
	outs    []int32         // edges[outs[i]:outs[i+1]] leave place i
	into    []int32         // the edges that reach a place, by from: into[ins[j]:ins[j+1]]
	ins     []int32
	corners []int32 // of the cells behind edges, as places

	chains []chain
	begin  []int32 // of every edge: its chains are chains[begin:end]
	end    []int32
	live   []int32 // the edges that chains come by to the place that is looked at
	best   []chain // the best chains before the next edge
}

// load prepares f for a ring of places and the diagonals among them, as pairs from < to.
func (f *fold) load(at []lattice.Point, diagonals []edge) {
	n := len(at)
	f.at = at
	f.edges = append(f.edges[:0], diagonals...)
	for i := range n - 1 {
		f.edges = append(f.edges, edge{from: int32(i), to: int32(i + 1)})
	}
	slices.SortFunc(f.edges, func(a, b edge) int { return int(a.from-b.from)*n + int(a.to-b.to) })
	f.outs, f.ins = resized(f.outs, n+1), resized(f.ins, n+1)
	f.into = resized(f.into, len(f.edges))
	f.begin, f.end = resized(f.begin, len(f.edges)), resized(f.end, len(f.edges))
	clear(f.outs)
	clear(f.ins)
	for _, e := range f.edges {
		f.outs[e.from+1]++
		f.ins[e.to]++
	}
	for i := range n {
		f.outs[i+1] += f.outs[i]
		f.ins[i+1] += f.ins[i]
	}
	// Backwards, so that from and ins list the edges into a place by their starts.
	for k := len(f.edges) - 1; k >= 0; k-- {
		to := f.edges[k].to
		f.ins[to]--
		f.into[f.ins[to]] = int32(k)
	}
	f.corners = f.corners[:0]
}

func resized(s []int32, n int) []int32 { return slices.Grow(s[:0], n)[:n] }

// solve returns the least number of convex cells of the ring with its diagonals, or impossible. Afterwards
// each edge has the number of cells behind it.
//
// It works from the last place down to the first. At place i, every edge among later places is solved. Chains
// from i grow from place to place; a diagonal from i is solved by the cheapest chain to its end that makes a
// convex cell with it.
func (f *fold) solve() int32 {
	n := int32(len(f.at))
	for i := n - 1; i >= 0; i-- {
		f.chains = f.chains[:0]
		clear(f.begin)
		clear(f.end)
		own := f.outs[i]
		for b := i + 1; b < n; b++ {
			f.collect(b)
			if i == 0 && b == n-1 {
				// The step from the last place to the first closes the ring like a diagonal.
				f.edges = append(f.edges, edge{from: 0, to: b})
				f.close(int32(len(f.edges) - 1))
				return f.edges[len(f.edges)-1].cost
			}
			// Edges from i are by their ends, as b is.
			if own < f.outs[i+1] && f.edges[own].to == b {
				f.start(own)
				own++
			}
			f.grow(b)
		}
	}
	return impossible
}

// collect puts into f.live the edges into b with a chain, by their starts.
func (f *fold) collect(b int32) {
	f.live = f.live[:0]
	for _, k := range f.into[f.ins[b]:f.ins[b+1]] {
		if f.begin[k] < f.end[k] {
			f.live = append(f.live, k)
		}
	}
}

// start begins a chain with the edge k, solved first if it is a diagonal.
func (f *fold) start(k int32) {
	e := &f.edges[k]
	if e.to > e.from+1 {
		f.close(k)
	}
	if e.cost == impossible {
		return
	}
	f.begin[k] = int32(len(f.chains))
	f.chains = append(f.chains, chain{cost: e.cost, first: e.to, edge: k, prev: -1})
	f.end[k] = int32(len(f.chains))
	f.live = slices.Insert(f.live, 0, k)
}

// close solves the edge k, a diagonal from the place at hand, by the cheapest chain that makes a
// convex cell with it, and notes the cell.
func (f *fold) close(k int32) {
	e := &f.edges[k]
	p, q := f.at[e.from], f.at[e.to]
	e.cost = impossible
	best := int32(-1)
	for _, l := range f.live {
		if lattice.Orient(f.at[f.edges[l].from], q, p) < 0 {
			continue
		}
		for c := f.begin[l]; c < f.end[l]; c++ {
			if h := f.chains[c]; h.cost+1 < e.cost && lattice.Orient(q, p, f.at[h.first]) >= 0 {
				e.cost, best = h.cost+1, c
			}
		}
	}
	if best < 0 {
		return
	}
	e.chain = int32(len(f.corners))
	f.corners = append(f.corners, e.to)
	for c := best; c >= 0; c = f.chains[c].prev {
		f.corners = append(f.corners, f.edges[f.chains[c].edge].from)
	}
	e.length = int32(len(f.corners)) - e.chain
	slices.Reverse(f.corners[e.chain:])
}

// grow extends the chains that end at b by every edge from b. Around b, as the places that edges come from
// and lead to increase, both turn counter-clockwise: the next edges without a right turn are the first ones,
// and more of them the later the last edge ends.
func (f *fold) grow(b int32) {
	into := f.live
	if len(into) == 0 {
		return
	}
	f.best = f.best[:0]
	for k := f.outs[b]; k < f.outs[b+1]; k++ {
		for len(into) > 0 && lattice.Orient(f.at[f.edges[into[0]].from], f.at[b], f.at[f.edges[k].to]) >= 0 {
			for c := f.begin[into[0]]; c < f.end[into[0]]; c++ {
				f.best = keep(f.best, chain{cost: f.chains[c].cost, first: f.chains[c].first, prev: c})
			}
			into = into[1:]
		}
		f.begin[k] = int32(len(f.chains))
		if cost := f.edges[k].cost; cost != impossible {
			for _, c := range f.best {
				c.cost, c.edge = c.cost+cost, k
				f.chains = append(f.chains, c)
			}
		}
		f.end[k] = int32(len(f.chains))
	}
}

// keep adds c to chains, none better than another: neither cheaper and as narrow, nor as cheap and narrower.
func keep(best []chain, c chain) []chain {
	kept := best[:0]
	for i, b := range best {
		if b.cost <= c.cost && b.first >= c.first {
			return append(kept, best[i:]...)
		}
		if b.cost < c.cost || b.first > c.first {
			kept = append(kept, b)
		}
	}
	return append(kept, c)
}

// cells returns the cells of the minimum that solve has found, as places, the first at the last edge.
func (f *fold) cells() [][]int32 {
	var cells [][]int32
	todo := []int32{int32(len(f.edges) - 1)}
	for len(todo) > 0 {
		e := f.edges[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		corners := f.corners[e.chain : e.chain+e.length]
		cells = append(cells, slices.Clone(corners))
		for i := range len(corners) - 1 {
			if k := f.find(corners[i], corners[i+1]); f.edges[k].length > 0 {
				todo = append(todo, k)
			}
		}
	}
	return cells
}

// find returns the edge between two places.
func (f *fold) find(from, to int32) int32 {
	all := f.edges[f.outs[from]:f.outs[from+1]]
	k, _ := slices.BinarySearchFunc(all, to, func(e edge, to int32) int { return int(e.to - to) })
	return f.outs[from] + int32(k)
}
