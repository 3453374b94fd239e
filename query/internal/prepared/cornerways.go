package prepared

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/graph"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// passage is the straight way from a corner to a visible corner: the passage begins in region first and crosses
// portals.
type passage struct {
	from, to int32
	distance float64
	first    uint32
	portals  []uint32
}

// cornerWays are the passages of the edges of prepared.graph. Edge e of corner a is passage which[first[a]+e]/2, taken
// from the other end if which is odd.
type cornerWays struct {
	first   []uint32
	which   []uint32
	begin   []uint32 // the first region of a passage
	start   []uint32 // portals of passage i are portals[start[i]:start[i+1]]
	portals []uint32
}

// connect makes the graph of the corners. Most passages were found in both directions; where a corner only touches the
// other corner's view, the single passage still gives edges in both directions.
func (w *Corners) connect(ix *index.Index, passages []passage) (err error) {
	ends := func(p passage) (a, b int32) { return min(p.from, p.to), max(p.from, p.to) }
	order := func(p, q passage) int {
		a, b := ends(p)
		c, d := ends(q)
		return cmp.Or(cmp.Compare(a, c), cmp.Compare(b, d))
	}
	slices.SortStableFunc(passages, order)
	passages = slices.CompactFunc(passages, func(p, q passage) bool { return order(p, q) == 0 })
	c := &w.ways
	c.start = []uint32{0}
	edges := make([]graph.Edge, 0, 2*len(passages))
	for _, p := range passages {
		edges = append(edges, graph.Edge{From: p.from, To: p.to, Cost: p.distance})
		c.begin = append(c.begin, p.first)
		c.portals = append(c.portals, p.portals...)
		c.start = append(c.start, uint32(len(c.portals)))
	}
	for _, p := range passages {
		edges = append(edges, graph.Edge{From: p.to, To: p.from, Cost: p.distance})
	}
	c.first = make([]uint32, len(w.At)+1)
	for _, e := range edges {
		c.first[e.From+1]++
	}
	for t := range w.At {
		c.first[t+1] += c.first[t]
	}
	c.which = make([]uint32, len(edges))
	next := slices.Clone(c.first)
	for i, e := range edges {
		// Edges of a corner keep their order in the graph.
		n := uint32(2 * i)
		if i >= len(passages) {
			n = uint32(2*(i-len(passages)) + 1)
		}
		c.which[next[e.From]] = n
		next[e.From]++
	}
	w.graph, err = graph.New(len(w.At), edges)
	return err
}

// of returns the first region of passage n/2, its portals, and whether the passage is taken backwards, as its portals are then.
func (c *cornerWays) of(ix *index.Index, n uint32) (first uint32, portals []uint32, back bool) {
	first, portals = c.begin[n/2], c.portals[c.start[n/2]:c.start[n/2+1]]
	if back = n%2 != 0; back && len(portals) > 0 {
		first = ix.Portal(portals[len(portals)-1]).To
	}
	return first, portals, back
}

// bytes returns the memory size of the passages.
func (c *cornerWays) bytes() int {
	return 4 * (len(c.first) + len(c.which) + len(c.begin) + len(c.start) + len(c.portals))
}

// fans are the regions around each corner, from one wall to the other clockwise. The regions of corner t are
// list[first[t]:first[t+1]]; a corner without two walls has none.
type fans struct {
	first []uint32
	list  []fanRegion
}

// fanRegion is a region of a fan, with the portal to the next region.
type fanRegion struct{ region, portal uint32 }

// add adds the fan of the next corner, given the regions around the corner.
func (f *fans) add(ix *index.Index, around []uint32, at lattice.Point) {
	if len(f.first) == 0 {
		f.first = append(f.first, 0)
	}
	begin := len(f.list)
	r := around[0]
	for range around {
		portal, ok := besideCorner(ix, r, at, true)
		if !ok {
			break
		}
		r = ix.Portal(portal).To
	}
	for range around {
		portal, ok := besideCorner(ix, r, at, false)
		f.list = append(f.list, fanRegion{r, portal})
		if !ok {
			break
		}
		r = ix.Portal(portal).To
	}
	if last := f.list[len(f.list)-1]; len(f.list)-begin != len(around) || last.portal != noPortal {
		f.list = f.list[:begin]
	}
	f.first = append(f.first, uint32(len(f.list)))
}

// noPortal is the portal of the last region of a fan.
const noPortal = 1<<32 - 1

// besideCorner returns the portal of region r with its left end at a corner, which leads counter-clockwise to the next
// region around the corner; or the portal with its right end there, clockwise. ok is false at a wall.
func besideCorner(ix *index.Index, r uint32, at lattice.Point, left bool) (portal uint32, ok bool) {
	for k := ix.Region(r).FirstPortal; k < ix.Region(r).EndPortal; k++ {
		if p := ix.Portal(k); left && p.Left == at || !left && p.Right == at {
			return k, true
		}
	}
	return noPortal, false
}

// turn appends the portals around a corner from one region to another; ok is false for a corner without a fan.
func (f *fans) turn(ix *index.Index, list []uint32, turn int32, from, to uint32) (portals []uint32, ok bool) {
	if from == to {
		return list, true
	}
	fan := f.list[f.first[turn]:f.first[turn+1]]
	a := slices.IndexFunc(fan, func(r fanRegion) bool { return r.region == from })
	b := slices.IndexFunc(fan, func(r fanRegion) bool { return r.region == to })
	if a < 0 || b < 0 {
		return list, false
	}
	for ; a < b; a++ {
		list = append(list, fan[a].portal)
	}
	for ; a > b; a-- {
		list = append(list, ix.Portal(fan[a-1].portal).Back)
	}
	return list, true
}

// bytes returns the memory size of the fans.
func (f *fans) bytes() int { return 4*len(f.first) + 8*len(f.list) }
