package lattice

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/internal/par"
)

const (
	// Costs of a corner of more than 180°, of any corner, and of lost area in squares of the tolerance: the last
	// two only decide between lines with equally many of the first.
	reflexCost = 1e6
	cornerCost = 0.05
	areaCost   = 0.01
	// window is how many points a line or a join may pass over.
	window = 24
	// deep is how many of these may be farther back from the join's second line than the tolerance.
	deep = 6
	// reach is how far the new border may be from the old one, in tolerances.
	reach = 2
)

// straightener is the state of one call of Straighten. Edges are numbered through all borders.
type straightener struct {
	borders   []Border
	tolerance float64
	base      []int
	pinned    []bool         // points that must stay, numbered like edges
	stays     map[Point]bool // where borders touch
	chains    []borderChain
	index     *grid
	ofLevel   [32][]uint32 // the edges of each level of the index
	seen      []int32      // by edge, its last query
	query     int32

	// The present chain: its points, relative to its first point.
	chain    *borderChain
	origin   Point
	points   []Point
	at       []vec
	sweep    []float64 // twice the area between the first point and the chain up to a point
	supports []support
	lastWith [][]int // the supports by the last point that they touch
}

// borderChain is a part of a border between points that must stay, or a whole border.
type borderChain struct {
	border, start, edges int
	closed               bool
	// The result, without the last point, which is the next chain's first.
	points   []Point
	from     []int
	restored bool
}

// support is a line that touches the chain from its point first to its point last.
type support struct {
	first, last int
	a, b        Point // on the line
	edge        int   // of the border, or -1
	// unit is the direction; a join may be no farther back than before from last, and no farther on than
	// after from first.
	unit          vec
	before, after float64
	cost          float64
}

func newStraightener(borders []Border, tolerance float64) *straightener {
	s := &straightener{borders: borders, tolerance: max(tolerance, 0), base: make([]int, len(borders)+1)}
	if math.IsNaN(tolerance) {
		s.tolerance = 0
	}
	s.tolerance = min(s.tolerance, 1<<31)
	lines := make([]Line, len(borders))
	for b := range borders {
		s.base[b+1] = s.base[b] + len(borders[b].Ring)
		lines[b] = Line{Points: borders[b].Ring, Closed: true}
	}
	n := s.base[len(borders)]
	s.pinned, s.seen = make([]bool, n), make([]int32, n)
	for b := range borders {
		for i := range borders[b].Ring {
			if s.fixed(b, i) {
				s.pinned[s.base[b]+i], s.pinned[s.base[b]+(i+1)%len(borders[b].Ring)] = true, true
			}
		}
	}
	s.stays = map[Point]bool{}
	for _, p := range findShared(lines, s.base) {
		s.stays[p.at] = true
		for _, v := range p.vertices {
			s.pinned[s.base[v.line]+v.index] = true
		}
	}
	// Cells are at least as large as the tolerance, so only few are near an edge.
	least := int32(min(s.tolerance/2, MaxCoord))
	border := 0
	s.index = newGrid(n, func(e int) Box {
		for e < s.base[border] || e >= s.base[border+1] {
			border = (border + 1) % len(borders)
		}
		return BoxOf(s.edge(border, e-s.base[border])).Grown(least)
	}, nil)
	s.ofLevel = s.index.byLevel()
	return s
}

func (s *straightener) fixed(b, i int) bool { f := s.borders[b].Fixed; return i < len(f) && f[i] }

func (s *straightener) edge(b, i int) (p, q Point) {
	r := s.borders[b].Ring
	return r[i], r[(i+1)%len(r)]
}

// findChains cuts a border at the points that must stay.
func (s *straightener) findChains(b int) {
	n := len(s.borders[b].Ring)
	first, longest := -1, 0
	for i := range n {
		if s.pinned[s.base[b]+i] && first < 0 {
			first = i
		}
		p, q := s.edge(b, i)
		lp, lq := s.edge(b, longest)
		if p.Distance2(q) > lp.Distance2(lq) {
			longest = i
		}
	}
	if first < 0 {
		if n > 0 {
			s.chains = append(s.chains, borderChain{border: b, start: longest, edges: n, closed: true})
		}
		return
	}
	for i := 0; i < n; {
		c := borderChain{border: b, start: (first + i) % n}
		for c.edges == 0 || i < n && !s.pinned[s.base[b]+(first+i)%n] {
			c.edges++
			i++
		}
		s.chains = append(s.chains, c)
	}
}

// restore returns a chain to its old state.
func (s *straightener) restore(c *borderChain) {
	c.points, c.from, c.restored = nil, nil, true
	r := s.borders[c.border].Ring
	for k := range c.edges {
		i := (c.start + k) % len(r)
		c.points, c.from = append(c.points, r[i]), append(c.from, i)
	}
}

// load makes c the present chain: a closed chain goes from its first edge to its first edge again.
func (s *straightener) load(c *borderChain) {
	r := s.borders[c.border].Ring
	s.chain, s.origin = c, r[c.start]
	s.points, s.at, s.sweep = s.points[:0], s.at[:0], append(s.sweep[:0], 0)
	last := c.edges
	if c.closed {
		last++
	}
	for k := range last + 1 {
		p := r[(c.start+k)%len(r)]
		s.points, s.at = append(s.points, p), append(s.at, s.vec(p))
		if k > 0 {
			s.sweep = append(s.sweep, s.sweep[k-1]+s.at[k-1].cross(s.at[k]))
		}
	}
	s.findSupports()
}

func (s *straightener) vec(p Point) vec {
	dx, dy := p.Sub(s.origin)
	return vec{float64(dx), float64(dy)}
}

// findSupports lists the lines that touch the chain in the order of contact, from its first edge to its last
// or, for a closed chain, to the first again.
func (s *straightener) findSupports() {
	c := s.chain
	s.supports = s.supports[:0]
	s.addEdge(0)
	to := c.edges - 1
	if c.closed {
		to++
	}
	for v := 1; v <= to; v++ {
		if Orient(s.points[v-1], s.points[v], s.points[v+1]) < 0 {
			s.addTangents(v)
		}
		s.addEdge(v)
		for q := v + 2; v < to && q <= min(v+window, c.edges); q++ {
			s.addChord(v, q)
		}
	}
	if !c.closed {
		// The ends stay; everything else of the first and the last edge may be cut off.
		first, last := &s.supports[0], &s.supports[len(s.supports)-1]
		first.before *= 2
		last.after *= 2
	}
	s.lastWith = make([][]int, len(s.points))
	for i := range s.supports {
		v := s.supports[i].last
		s.lastWith[v] = append(s.lastWith[v], i)
	}
}

func (s *straightener) addEdge(v int) {
	s.add(support{first: v, last: v + 1, b: s.points[v+1], edge: (s.chain.start + v) % len(s.borders[s.chain.border].Ring)})
}

// add adds a line and derives its remaining fields.
func (s *straightener) add(x support) {
	x.a = s.points[x.first]
	d := s.vec(x.b).sub(s.vec(x.a))
	l := d.length()
	x.unit = vec{d.x / l, d.y / l}
	if x.last > x.first {
		x.before, x.after = l/2, l/2
	}
	s.supports = append(s.supports, x)
}

// addTangents adds lines through a corner that sticks out, at about a third and two thirds of its turn:
// circles of eight edges then get squares around them.
func (s *straightener) addTangents(v int) {
	in, out := s.at[v].sub(s.at[v-1]), s.at[v+1].sub(s.at[v])
	li, lo := in.length(), out.length()
	p := s.points[v]
	for _, f := range [...]float64{1.0 / 3, 2.0 / 3} {
		d := vec{float64(in.x/li*(1-f)) + float64(out.x/lo*f), float64(in.y/li*(1-f)) + float64(out.y/lo*f)}
		l := d.length()
		if l < 0.1 {
			continue // a spike: its direction across is undefined
		}
		scale := min(max(li+lo, 1<<12), 1<<24) / l
		q := Point{p.X + int32(math.Round(d.x*scale)), p.Y + int32(math.Round(d.y*scale))}
		if inFrame(int64(q.X)) && inFrame(int64(q.Y)) && Orient(s.points[v-1], p, q) <= 0 && Orient(p, q, s.points[v+1]) <= 0 {
			s.add(support{first: v, last: v, b: q, edge: -1})
		}
	}
}

// addChord adds the line from point p to point q if it is a chord over a receding part.
func (s *straightener) addChord(p, q int) {
	a, b := s.points[p], s.points[q]
	if a == b {
		return
	}
	loss := 0.0
	for k := p + 1; k < q; k++ {
		if Orient(a, b, s.points[k]) > 0 {
			return
		}
	}
	if !s.saves(p, q) {
		return
	}
	limit := s.tolerance * s.tolerance
	far := 0.0
	for k := p + 1; k < q; k++ {
		_, d := s.at[k].nearest(s.at[p], s.at[q])
		if d > limit {
			return
		}
		far = max(far, d)
		loss -= s.at[k].sub(s.at[p]).cross(s.at[k+1].sub(s.at[p]))
	}
	loss = -loss
	if loss < 0 || !s.clear(a, b, &replaced{from: p, to: q, first: p, last: q, far: far}) {
		return
	}
	s.add(support{first: p, last: q, b: b, edge: -1, cost: s.lossCost(loss)})
}

// saves reports whether a chord leaves fewer corners of more than 180°, or is tangent at both ends, so that a
// saving chord may follow.
func (s *straightener) saves(p, q int) bool {
	before, after := 0, 0
	for k := max(p, 1); k <= min(q, len(s.points)-2); k++ {
		if Orient(s.points[k-1], s.points[k], s.points[k+1]) < 0 {
			before++
		}
	}
	if p > 0 && Orient(s.points[p-1], s.points[p], s.points[q]) < 0 {
		after++
	}
	if q+1 < len(s.points) && Orient(s.points[p], s.points[q], s.points[q+1]) < 0 {
		after++
	}
	return after == 2 || after < before
}

// lossCost returns the cost of a lost area, given twice the area.
func (s *straightener) lossCost(area2 float64) float64 {
	return areaCost * 0.5 * area2 / max(s.tolerance*s.tolerance, 1)
}

// shortenAll shortens the chains. Chains are independent: conflicts between them are undone afterwards.
func (s *straightener) shortenAll(jobs int) {
	const run = 64
	runs := (len(s.chains) + run - 1) / run
	if jobs == 1 || runs < 2 {
		for c := range s.chains {
			s.shorten(&s.chains[c])
		}
		return
	}
	helpers := sync.Pool{New: func() any {
		// Each goroutine has its own scratch memory.
		return &straightener{
			borders: s.borders, tolerance: s.tolerance, base: s.base, pinned: s.pinned, stays: s.stays, index: s.index, ofLevel: s.ofLevel,
			seen: make([]int32, len(s.seen)),
		}
	}}
	_ = par.For(context.Background(), jobs, runs, func(i int) error {
		h := helpers.Get().(*straightener)
		defer helpers.Put(h)
		for c := i * run; c < min((i+1)*run, len(s.chains)); c++ {
			h.shorten(&s.chains[c])
		}
		return nil
	})
}

// shorten finds the best sequence of lines for a chain.
func (s *straightener) shorten(c *borderChain) {
	n := len(s.borders[c.border].Ring)
	if c.edges < 2 || c.closed && c.edges < 4 {
		s.restore(c)
		return
	}
	for k := range c.edges {
		if p, q := s.edge(c.border, (c.start+k)%n); p == q {
			s.restore(c)
			return
		}
	}
	s.load(c)
	if math.IsInf(s.run(c), 1) || s.points[0] == s.points[c.edges] && len(c.points) < 3 {
		s.restore(c)
	}
}

// run finds the best sequence of lines from the first to the last, and returns its cost.
func (s *straightener) run(c *borderChain) float64 {
	type reached struct {
		cost float64
		from int
		at   Point
	}
	best := make([]reached, len(s.supports))
	end := len(s.supports) - 1
	var joins []joint
	for i := 1; i <= end; i++ {
		y, to := &s.supports[i], &best[i]
		to.cost = math.Inf(1)
		joins = joins[:0]
		far := 0
		for v := y.first; v >= max(y.first-window, 0) && far <= deep; v-- {
			for _, k := range s.lastWith[v] {
				if k >= i || best[k].cost >= to.cost {
					continue
				}
				j, ok := s.tryJoin(&s.supports[k], y)
				j.from = k
				j.cost += best[k].cost
				switch {
				case !ok || j.cost >= to.cost:
				case v < y.first:
					if s.isNear((v+y.first)/2, &s.supports[k], y, &j) {
						joins = append(joins, j)
					}
				case s.join(&s.supports[k], y, &j): // at a point of the chain, which is soon told
					*to = reached{j.cost, k, j.at}
				}
			}
			if d := -y.unit.cross(s.at[v].sub(s.at[y.first])); d > s.tolerance {
				far++
			}
		}
		// One of the cheapest joins is often allowed, so the others need no order.
		heap := jointHeap(joins)
		heap.order()
		for len(heap) > 0 {
			if j := &heap[0]; s.join(&s.supports[j.from], y, j) {
				*to = reached{j.cost, j.from, j.at}
				break
			}
			heap.pop()
		}
	}
	if math.IsInf(best[end].cost, 1) {
		return best[end].cost
	}
	for i := end; i != 0; i = best[i].from {
		c.points, c.from = append(c.points, best[i].at), append(c.from, s.supports[i].edge)
	}
	if !c.closed {
		c.points, c.from = append(c.points, s.points[0]), append(c.from, s.supports[0].edge)
	}
	slices.Reverse(c.points)
	slices.Reverse(c.from)
	c.dropRepeated(s.points[c.edges])
	return best[end].cost
}

// dropRepeated takes out edges of no length; end is the next chain's first point.
func (c *borderChain) dropRepeated(end Point) {
	if c.closed {
		end = c.points[0]
	}
	kept := 0
	for k, p := range c.points {
		next := end
		if k+1 < len(c.points) {
			next = c.points[k+1]
		}
		if p != next {
			c.points[kept], c.from[kept] = p, c.from[k]
			kept++
		}
	}
	c.points, c.from = c.points[:kept], c.from[:kept]
}
