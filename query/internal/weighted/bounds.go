package weighted

// Lower bounds of the costs between pieces of gates, measured in advance, as estimates for the first round of a search.
//
// Source: nested dissection is from A. George, Nested dissection of a regular finite element mesh, SIAM Journal on
// Numerical Analysis 10 (1973); distances from separators as in P. N. Klein, S. Mozes and O. Weimann, Shortest paths in
// directed planar graphs with negative lengths, ACM Transactions on Algorithms 6 (2010).
//
// Idea: The regions are a node. A node is cut in two halves, again nodes, down to single regions. The gates between the
// halves are cut into pieces, the sources of the node. From each source one round of the search, without a goal, bounds
// the cost of ways inside the node to all cells, and backward from all cells. A way between two regions passes a source
// of the node that separates the regions, or leaves the node and passes a source of a larger node. The least
// sum of the bounds before and behind the sources is thus a bound of the way. Where memory or time is short, large nodes have
// sources longer than cells: cells count for the bounds far more than sources. While a round measures, cells are cut into
// parts, and the memory holds a line below the lines of the parts.
//
// Input: gates of a sound mesh over uneven ground.
//
// Guarantees:
//  1. No bound is above the least cost, but for rounding (TestPreparedGround).
//  2. The bounds depend only on mesh, filter and cell length, not on the number of processors
//     (TestPreparedGroundIsTheSame).
//
// Degenerate cases: a node whose halves have no gate between them has no sources. A link is a source by both its sides;
// its toll belongs to the ways before it. Ways inside a region, and those out of the region of the goal and back, have the
// straight line as their bound.
//
// Cost: one round for each source, see Gates.Prepare; 18 bytes for each source and each cell of its node.
//
// Departures: the papers have exact distances of vertices. Here lines bound the costs of ways to a cell from any place
// of the source, so that a sum may lack the cost of a way along the source.

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Bounds are lower bounds of the costs between the cells of all gates and the sources.
type Bounds struct {
	pieces     []uint8  // cells of each gate
	chainFirst []int32  // the nodes of region r are chain[chainFirst[r]:chainFirst[r+1]], the whole mesh first
	chain      []int32  // numbers of nodes
	nodes      []node   // of two regions or more
	sources    []source // of all nodes
	from, to   lows     // of ways from sources to the near sides of gates, and from the far sides to sources
}

// node is a set of regions, cut in two. Its sources are count sources from first on.
type node struct{ first, count int32 }

// source is a piece of a gate, between two places.
type source struct {
	gate   int32
	lo, hi float64
}

// lows are bounds between cells and sources. Those of gate g in the node at level l of its region begin at at[first[g]+l]:
// for each cell, the bounds at the two ends of the cell for each source of the node.
type lows struct {
	first []int32
	at    []int
	list  [][2]float32
	// next is the gate beside the cell on the way of the bound, by its number among the gates of the region between, see
	// Gates.eachFrom and Gates.eachTo.
	next []uint8
}

// last stands in lows.next for a way straight between the cell and the source, and for a gate of a number too large.
const last = math.MaxUint8

const (
	// parts is the number of parts of a cell while bounds are measured. Bounds of short parts are higher; the memory holds a
	// line below the parts.
	parts = 4
	// mostCells bounds the cells of a gate in Bounds.
	mostCells = 32
	// mostOffers bounds the work of Prepare: cells offered to cells, by an estimate.
	mostOffers = 320_000_000
	// sourcesAcross is the number of long sources across a node. A sum of bounds lacks the cost of a way along its source; long
	// ways through large nodes can spare more of the cost than short ways.
	sourcesAcross = 12
	// finestFew is the length of cells, in lattice units, down to which Prepare tries long sources. Shorter cells make searches
	// longer by more than their bounds save.
	finestFew = 1 << 13
	// finestCell and coarsestCell are the lengths of cells, in lattice units, that Prepare tries.
	finestCell   = 1 << 12
	coarsestCell = 1 << 17
)

// ErrNoRoom reports bounds that would take too much memory or time.
var ErrNoRoom = errors.New("query: no room for bounds")

// Prepare returns gates with bounds. The cells of the bounds are as short as memory in bytes and the time of some seconds
// allow. Without room for the longest cells the error is ErrNoRoom.
func (g *Gates) Prepare(ctx context.Context, bytes int) (*Gates, error) {
	if g.bounds != nil {
		return g, nil
	}
	var best *dissection
	for long := float64(coarsestCell); long >= finestCell; long /= 2 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d := newDissection(g, long, math.Inf(1))
		if !d.fits(bytes) && long >= finestFew {
			d = newDissection(g, long, sourcesAcross)
		}
		if !d.fits(bytes) {
			break
		}
		best = d
	}
	if best == nil {
		return nil, ErrNoRoom
	}
	return best.gates(ctx)
}

// PrepareCells returns gates with bounds of cells at most long, in lattice units; a gate has at most mostCells. Sources are
// as long as the cells of their node; a node with more of them than across gets longer sources. Links keep short sources.
func (g *Gates) PrepareCells(ctx context.Context, long, across float64) (*Gates, error) {
	return newDissection(g, long, across).gates(ctx)
}

// fits reports whether bounds take at most a number of bytes, and not too long.
func (d *dissection) fits(bytes int) bool {
	return d.bytes <= float64(bytes) && d.offers <= mostOffers
}

// gates measures the bounds, and returns gates with them.
func (d *dissection) gates(ctx context.Context) (*Gates, error) {
	if err := d.measure(ctx); err != nil {
		return nil, err
	}
	out := *d.g
	out.bounds = &d.bounds
	return &out, nil
}

// Size returns the number of sources and the size of the bounds in bytes, 0 without bounds.
func (g *Gates) Size() (sources, bytes int) {
	if g == nil || g.bounds == nil {
		return 0, 0
	}
	b := g.bounds
	return len(b.sources), 9*(len(b.from.list)+len(b.to.list)) + 8*(len(b.from.at)+len(b.to.at)) +
		4*(len(b.from.first)+len(b.to.first)+len(b.chain)+len(b.chainFirst)) + 24*len(b.sources) + 8*len(b.nodes) + len(b.pieces)
}

// chainOf returns the nodes of a region, the largest first.
func (b *Bounds) chainOf(r uint32) []int32 { return b.chain[b.chainFirst[r]:b.chainFirst[r+1]] }

// shared returns the number of nodes that two regions share.
func (b *Bounds) shared(p, q uint32) int {
	a, c := b.chainOf(p), b.chainOf(q)
	n := 0
	for n < len(a) && n < len(c) && a[n] == c[n] {
		n++
	}
	return n
}

// dissection is the work of cutting the regions into nodes.
type dissection struct {
	bounds        Bounds
	g             *Gates
	across        float64    // number of sources across a node
	all           []uint32   // the regions with gates
	chains        [][]int32  // of each region
	regions       [][]uint32 // of each node
	level         []int      // of each node
	side          []int      // the last cut that put a region on its first side
	cuts          int
	inside        []int32 // the last node of each region
	cells         []int   // of the gates out of each region
	bytes, offers float64 // estimates of what the bounds take
}

// newDissection cuts the regions into nodes, and the gates into cells of a greatest length. For across see PrepareCells.
func newDissection(g *Gates, long, across float64) *dissection {
	n := g.ix.RegionLimit()
	d := &dissection{
		g: g, across: across, bounds: Bounds{pieces: make([]uint8, g.count())}, chains: make([][]int32, n),
		side: make([]int, n), inside: make([]int32, n), cells: make([]int, n),
	}
	for r := range uint32(n) {
		d.inside[r] = index.None
		gates := 0
		g.eachFrom(r, func(gate int32) {
			pieces := uint8(1)
			in, _ := g.sidesOf(gate)
			for rest := in.length; pieces < mostCells && rest > long; rest /= 2 {
				pieces *= 2
			}
			d.bounds.pieces[gate] = pieces
			d.cells[r] += int(pieces)
			gates++
		})
		g.eachTo(r, func(int32) { gates++ })
		if gates > 0 {
			d.all = append(d.all, r)
		}
	}
	d.cut(d.all)
	return d
}

// eachFrom calls f for the gates out of a region.
func (g *Gates) eachFrom(r uint32, f func(gate int32)) {
	reg := g.ix.Region(r)
	for k := reg.FirstPortal; k < reg.EndPortal; k++ {
		f(int32(k))
	}
	for _, l := range g.linksFrom[r] {
		f(int32(g.ix.PortalLimit()) + l)
	}
}

// eachTo calls f for the gates into a region.
func (g *Gates) eachTo(r uint32, f func(gate int32)) {
	reg := g.ix.Region(r)
	for k := reg.FirstPortal; k < reg.EndPortal; k++ {
		f(int32(g.ix.Portal(k).Back))
	}
	for _, l := range g.linksTo[r] {
		f(int32(g.ix.PortalLimit()) + l)
	}
}

// directions are the orders of regions that a cut may follow.
var directions = [...]func(r *index.Region) int64{
	func(r *index.Region) int64 { return int64(r.Center.X) },
	func(r *index.Region) int64 { return int64(r.Center.Y) },
	func(r *index.Region) int64 { return int64(r.Center.X) + int64(r.Center.Y) },
	func(r *index.Region) int64 { return int64(r.Center.X) - int64(r.Center.Y) },
	func(r *index.Region) int64 { return int64(r.Low) },
}

// cut makes nodes of a set of regions.
func (d *dissection) cut(regions []uint32) {
	if len(regions) < 2 {
		return
	}
	n := int32(len(d.bounds.nodes))
	d.regions, d.level = append(d.regions, regions), append(d.level, len(d.chains[regions[0]]))
	cells, offers := 0.0, 0.0
	for _, r := range regions {
		d.inside[r] = n
		d.chains[r] = append(d.chains[r], n)
		cells += float64(d.cells[r])
		offers += float64(parts * parts * float64(d.cells[r]) * float64(d.cells[r]))
	}
	order, at := d.halve(regions, n)
	first := len(d.bounds.sources)
	long := d.extent(regions) / d.across
	for i, r := range order {
		d.g.eachFrom(r, func(gate int32) {
			to := d.g.after(gate)
			if d.inside[to] != n || (d.side[to] == d.cuts) == (i < at) || i >= at && d.g.linkOf(gate) == nil {
				return
			}
			pieces := d.bounds.pieces[gate]
			for side, _ := d.g.sidesOf(gate); d.g.linkOf(gate) == nil && pieces > 1 && 2*side.length <= float64(long*float64(pieces)); {
				pieces /= 2
			}
			for k := range pieces {
				d.bounds.sources = append(d.bounds.sources, source{gate, float64(k) / float64(pieces), float64(k+1) / float64(pieces)})
			}
		})
	}
	count := len(d.bounds.sources) - first
	d.bounds.nodes = append(d.bounds.nodes, node{int32(first), int32(count)})
	d.bytes += float64(18 * float64(count) * cells)
	d.offers += float64(float64(count) * offers)
	d.cut(order[:at])
	d.cut(order[at:])
}

// extent returns the greater side of the box around a set of regions.
func (d *dissection) extent(regions []uint32) float64 {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, r := range regions {
		for _, v := range d.g.ix.Ring(r) {
			for k, at := range index.Floats(v.Point) {
				low[k], high[k] = min(low[k], at), max(high[k], at)
			}
		}
	}
	return max(high[0]-low[0], high[1]-low[1])
}

// halve returns the regions of a node in an order, and the number of those in the first half. The halves have at least
// three tenths of the regions each, and few cells of gates between them. The sides are those of the halves.
func (d *dissection) halve(regions []uint32, n int32) (best []uint32, at int) {
	least := max(1, len(regions)*3/10)
	fewest := math.MaxInt
	for _, key := range directions {
		order := slices.Clone(regions)
		slices.SortFunc(order, func(p, q uint32) int {
			return cmp.Or(cmp.Compare(key(d.g.ix.Region(p)), key(d.g.ix.Region(q))), cmp.Compare(p, q))
		})
		d.cuts++
		between := 0
		for i, r := range order[:len(order)-least] {
			d.side[r] = d.cuts
			count := func(gate int32, other uint32) {
				switch {
				case d.inside[other] != n || other == r:
				case d.side[other] == d.cuts:
					between -= int(d.bounds.pieces[gate])
				default:
					between += int(d.bounds.pieces[gate])
				}
			}
			d.g.eachFrom(r, func(gate int32) { count(gate, d.g.after(gate)) })
			d.g.eachTo(r, func(gate int32) { count(gate, d.g.before(gate)) })
			if i+1 >= least && between < fewest {
				best, at, fewest = order, i+1, between
			}
		}
	}
	d.cuts++
	for _, r := range best[:at] {
		d.side[r] = d.cuts
	}
	return best, at
}

// measure fills in the bounds, with a search for each source.
func (d *dissection) measure(ctx context.Context) error {
	b := &d.bounds
	b.chainFirst = make([]int32, len(d.chains)+1)
	for r, chain := range d.chains {
		b.chain = append(b.chain, chain...)
		b.chainFirst[r+1] = int32(len(b.chain))
	}
	d.reserve(&b.from, d.g.eachFrom)
	d.reserve(&b.to, d.g.eachTo)
	var owner []int32
	for n := range b.nodes {
		for range b.nodes[n].count {
			owner = append(owner, int32(n))
		}
	}
	pool := sync.Pool{New: func() any { return newSounding(d) }}
	return par.For(ctx, 0, len(b.sources), func(i int) error {
		w := pool.Get().(*sounding)
		w.enter(owner[i])
		w.sound(i, false)
		if len(d.g.links) > 0 {
			w.sound(i, true)
		} else {
			w.turn(i)
		}
		pool.Put(w)
		return nil
	})
}

// reserve makes room for the bounds of the gates that each tells for a region.
func (d *dissection) reserve(l *lows, each func(r uint32, f func(gate int32))) {
	l.first = make([]int32, d.g.count())
	room := 0
	for _, r := range d.all {
		each(r, func(gate int32) {
			l.first[gate] = int32(len(l.at))
			for _, n := range d.chains[r] {
				l.at = append(l.at, room)
				room += int(d.bounds.pieces[gate]) * int(d.bounds.nodes[n].count)
			}
		})
	}
	l.list, l.next = make([][2]float32, room), make([]uint8, room)
}

// sounding is the memory of searches from sources.
type sounding struct {
	d       *dissection
	s       Search
	node    int32
	cells   [2][]cell // of the node, for ways forward and backward: parts of the cells of the bounds
	spans   [2][]span
	numbers [2][]uint8 // of gates out of their near regions, and into their far regions
}

func newSounding(d *dissection) *sounding {
	w := &sounding{d: d, node: index.None}
	w.s.g, w.s.stamp = d.g, 1
	w.s.limit, w.s.floor = math.Inf(1), math.Inf(1)
	for way, each := range [2]func(uint32, func(int32)){d.g.eachFrom, d.g.eachTo} {
		w.numbers[way] = make([]uint8, d.g.count())
		for _, r := range d.all {
			n := 0
			each(r, func(gate int32) {
				w.numbers[way][gate] = uint8(min(n, last))
				n++
			})
		}
	}
	for way := range w.spans {
		// Gates outside the node have no cells.
		w.spans[way] = make([]span, d.g.count())
		for i := range w.spans[way] {
			w.spans[way][i].made = w.s.stamp
		}
	}
	return w
}

// enter makes the cells of a node.
func (w *sounding) enter(n int32) {
	if n == w.node {
		return
	}
	for way, each := range [2]func(uint32, func(int32)){w.d.g.eachFrom, w.d.g.eachTo} {
		for _, c := range w.cells[way] {
			w.spans[way][c.gate] = span{made: w.s.stamp}
		}
		list := w.cells[way][:0]
		for _, r := range w.d.regions[n] {
			each(r, func(gate int32) {
				at := &w.spans[way][gate]
				at.first = int32(len(list))
				pieces := float64(w.d.bounds.pieces[gate])
				for i := range parts * int(w.d.bounds.pieces[gate]) {
					list = append(list, newCell(gate, float64(i)/(parts*pieces), float64(i+1)/(parts*pieces)))
				}
				at.end = int32(len(list))
			})
		}
		w.cells[way] = list
	}
	w.node = n
}

// sound stores the bounds of the ways from a source of the node, or backward of the ways to the source.
func (w *sounding) sound(number int, backward bool) {
	s, g, x := &w.s, w.d.g, &w.d.bounds.sources[number]
	way, l := 0, &w.d.bounds.from
	if backward {
		way, l = 1, &w.d.bounds.to
	}
	s.backward, s.spans = backward, w.spans[way]
	s.cells, s.steps = append(s.cells[:0], w.cells[way]...), s.steps[:0]
	s.heap.Reset()
	in, out := g.sidesOf(x.gate)
	link := g.linkOf(x.gate) != nil
	if backward {
		w.spread(x, in, g.before(x.gate), g.tollOf(x.gate))
	} else {
		w.spread(x, out, g.after(x.gate), 0)
	}
	if !link && backward {
		w.spread(x, in, g.after(x.gate), 0)
	} else if !link {
		w.spread(x, in, g.before(x.gate), 0)
	}
	for s.heap.Len() > 0 {
		item := s.heap.Pop()
		if c := &s.cells[item.ID]; c.queued && item.Key == c.least {
			s.expandCell(item.ID)
		}
	}
	if link {
		// No way comes to the source itself, as ways begin behind a link.
		first := s.spans[x.gate].first + parts*int32(x.lo*float64(w.d.bounds.pieces[x.gate]))
		for i := range int32(parts) {
			s.cells[first+i].low = [2]float64{}
		}
	}
	at := w.places(l, number)
	for i := 0; i < len(s.cells); i += parts {
		c := &s.cells[i]
		k := at(c.gate, (i-int(s.spans[c.gate].first))/parts)
		low := lineBelow(s.cells[i : i+parts])
		l.list[k], l.next[k] = [2]float32{below(low[0]), below(low[1])}, w.nextOf(&s.cells[i+parts/2], way)
	}
}

// nextOf returns the number of the gate from which the bound of the first end of a cell comes.
func (w *sounding) nextOf(c *cell, way int) uint8 {
	from := c.from[0]
	if from == index.None {
		return last
	}
	return w.numbers[1-way][w.s.cells[w.s.steps[from/2].cell].gate]
}

// lineBelow returns a line nowhere above the lines of consecutive cells of the same length, as high as possible in the
// middle. Cells out of reach have infinite lines.
func lineBelow(cells []cell) [2]float64 {
	n := len(cells)
	var low [parts + 1]float64 // at the ends of the cells
	for i := range low {
		low[i] = math.Inf(1)
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i := range cells {
		c := &cells[i]
		low[i], low[i+1] = min(low[i], c.low[0]), min(low[i+1], c.low[1])
		least, most = min(least, c.low[0], c.low[1]), max(most, c.low[0], c.low[1])
	}
	if math.IsInf(most, 1) {
		return [2]float64{least, least}
	}
	middle, best := math.Inf(-1), [2]float64{}
	for a := range n/2 + 1 {
		for b := max(a+1, (n+1)/2); b <= n; b++ {
			rise := (low[b] - low[a]) / float64(b-a)
			first := low[a] - float64(rise*float64(a))
			for i, v := range low {
				first = min(first, v-float64(rise*float64(i)))
			}
			if at := first + float64(0.5*rise*float64(n)); at > middle {
				middle, best = at, [2]float64{first, first + float64(rise*float64(n))}
			}
		}
	}
	return best
}

// spread spreads the ways from a side of a source into a region.
func (w *sounding) spread(x *source, side *Segment, r uint32, toll float64) {
	at := side.part(x.lo, x.hi)
	from := newWave(&at, toll, toll, w.d.g.ix.Weight(r))
	w.s.spreadWave(&from, r, index.None, index.None, [2]bool{})
}

// turn stores the bounds of the ways to a source after those from the source: without links, ways back cost the same.
func (w *sounding) turn(number int) {
	s, l := &w.s, &w.d.bounds.to
	at := w.places(l, number)
	back := w.places(&w.d.bounds.from, number)
	for i := 0; i < len(s.cells); i += parts {
		c := &s.cells[i]
		k := (i - int(s.spans[c.gate].first)) / parts
		from := back(c.gate, k)
		to := at(int32(w.d.g.ix.Portal(uint32(c.gate)).Back), int(w.d.bounds.pieces[c.gate])-1-k)
		low := w.d.bounds.from.list[from]
		l.list[to], l.next[to] = [2]float32{low[1], low[0]}, w.d.bounds.from.next[from]
	}
}

// places returns a function from the cells of gates to their bounds for a source of the node.
func (w *sounding) places(l *lows, number int) func(gate int32, cell int) int {
	nd, level := w.d.bounds.nodes[w.node], w.d.level[w.node]
	return func(gate int32, cell int) int {
		return l.at[int(l.first[gate])+level] + cell*int(nd.count) + number - int(nd.first)
	}
}

// below returns the largest float32 that is not above a cost.
func below(cost float64) float32 {
	f := float32(cost)
	if float64(f) > cost {
		return math.Nextafter32(f, 0)
	}
	return f
}
