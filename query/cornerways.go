package query

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/search"
)

// passage is the straight way from one corner to another that it sees: it begins in region first and crosses portals.
type passage struct {
	from, to int32
	distance float64
	first    uint32
	portals  []uint32
}

// cornerWays are the passages of the edges of prepared.graph: that of edge e of corner a is number which[first[a]+e]/2, from
// its other end if which is odd.
type cornerWays struct {
	first   []uint32
	which   []uint32
	sides   []int8   // of the edges: on which side of them the walls at their first corner are, see wedge.side
	begin   []uint32 // the region that a passage begins in
	start   []uint32 // its portals are portals[start[i]:start[i+1]]
	portals []uint32
}

// connect makes the graph of the corners. Most pass each other in both directions; where one only touches what the other sees,
// both see each other.
func (w *prepared) connect(ix *Index, passages []passage) (err error) {
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
	edges := make([]search.Edge, 0, 2*len(passages))
	for _, p := range passages {
		edges = append(edges, search.Edge{From: p.from, To: p.to, Cost: p.distance})
		c.begin = append(c.begin, p.first)
		c.portals = append(c.portals, p.portals...)
		c.start = append(c.start, uint32(len(c.portals)))
	}
	for _, p := range passages {
		edges = append(edges, search.Edge{From: p.to, To: p.from, Cost: p.distance})
	}
	c.first = make([]uint32, len(w.at)+1)
	for _, e := range edges {
		c.first[e.From+1]++
	}
	for t := range w.at {
		c.first[t+1] += c.first[t]
	}
	c.which, c.sides = make([]uint32, len(edges)), make([]int8, len(edges))
	next := slices.Clone(c.first)
	for i, e := range edges {
		// Edges of a corner keep their order in the graph.
		n := uint32(2 * i)
		if i >= len(passages) {
			n = uint32(2*(i-len(passages)) + 1)
		}
		c.which[next[e.From]] = n
		c.sides[next[e.From]] = int8(w.walls[e.From].side(towards(w.at[e.From], w.at[e.To])))
		next[e.From]++
	}
	w.graph, err = search.NewGraph(len(w.at), edges)
	return err
}

// of returns the region that edge e of a corner begins in, its portals, and whether they are to be taken backwards.
func (c *cornerWays) of(ix *Index, turn int32, e int) (first uint32, portals []uint32, back bool) {
	n := c.which[c.first[turn]+uint32(e)]
	first, portals = c.begin[n/2], c.portals[c.start[n/2]:c.start[n/2+1]]
	if back = n%2 != 0; back && len(portals) > 0 {
		first = ix.portals[portals[len(portals)-1]].to
	}
	return first, portals, back
}

// bytes returns how much memory the passages take.
func (c *cornerWays) bytes() int {
	return 4*(len(c.first)+len(c.which)+len(c.begin)+len(c.start)+len(c.portals)) + len(c.sides)
}

// fans are the regions around each corner, from one wall to the other clockwise: those of corner t are list[first[t]:first[t+1]]. A
// corner that is not between two walls has none.
type fans struct {
	first []uint32
	list  []fanRegion
}

// fanRegion is a region of a fan, and the portal to the next one.
type fanRegion struct{ region, portal uint32 }

// add adds the fan of the next corner, whose regions are known.
func (f *fans) add(ix *Index, around []uint32, at lattice.Point) {
	if len(f.first) == 0 {
		f.first = append(f.first, 0)
	}
	begin := len(f.list)
	r := around[0]
	for range around {
		portal, ok := ix.besideCorner(r, at, true)
		if !ok {
			break
		}
		r = ix.portals[portal].to
	}
	for range around {
		portal, ok := ix.besideCorner(r, at, false)
		f.list = append(f.list, fanRegion{r, portal})
		if !ok {
			break
		}
		r = ix.portals[portal].to
	}
	if last := f.list[len(f.list)-1]; len(f.list)-begin != len(around) || last.portal != noPortal {
		f.list = f.list[:begin]
	}
	f.first = append(f.first, uint32(len(f.list)))
}

// noPortal is the portal of the last region of a fan.
const noPortal = 1<<32 - 1

// besideCorner returns the portal of region r whose left end is at a corner, which leads to the next region around it counter-clockwise, or
// its right end, clockwise; ok is false where a wall is there.
func (ix *Index) besideCorner(r uint32, at lattice.Point, left bool) (portal uint32, ok bool) {
	for k := ix.regions[r].firstPortal; k < ix.regions[r].endPortal; k++ {
		if p := &ix.portals[k]; left && p.left == at || !left && p.right == at {
			return k, true
		}
	}
	return noPortal, false
}

// turn appends the portals that lead around a corner from one region to another; ok is false where they are not known.
func (f *fans) turn(ix *Index, list []uint32, turn int32, from, to uint32) (portals []uint32, ok bool) {
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
		list = append(list, ix.portals[fan[a-1].portal].back)
	}
	return list, true
}

// bytes returns how much memory the fans take.
func (f *fans) bytes() int { return 4*len(f.first) + 8*len(f.list) }
