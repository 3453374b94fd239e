package mosaic

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/shape"
)

// New returns the planar map of the cells of d. Regions are near-degenerate by limits.
func New(d *plan.Domain, cells []plan.Cell, limits shape.Limits) *Map {
	corners := 0
	for _, c := range cells {
		corners += len(c.Corners)
	}
	m := &Map{
		h: make([]half, 0, corners+corners/4), f: make([]face, 0, len(cells)), cells: len(cells),
		limits: limits, floor: shape.Straight, joints: true, walls: walls{d: d},
	}
	ids := newTable(corners)
	for i, c := range cells {
		first := int32(len(m.h))
		n := int32(len(c.Corners))
		m.f = append(m.f, face{first: first})
		for k, corner := range c.Corners {
			v, made := ids.enter(m, corner.Point)
			if made {
				m.P = append(m.P, corner.Point)
				m.on = append(m.on, corner.On)
			} else if m.on[v] == plan.NoEdge {
				m.on[v] = corner.On
			}
			e := int32(k)
			m.h = append(m.h, half{v: v, twin: none, next: first + (e+1)%n, prev: first + (e+n-1)%n, face: int32(i)})
		}
	}
	m.corners = make([]int32, len(m.P))
	m.match()
	m.node()
	for e := range m.h {
		m.count(int32(e), 1)
		if m.turns(int32(e)) {
			m.corners[m.h[e].v]++
		}
	}
	for e := range int32(len(m.h)) {
		if m.h[e].face != none {
			m.smooth(m.h[e].v, e)
		}
	}
	return m
}

// table leads from points to their vertices: a hash table with open addresses.
type table struct {
	slots []int32 // one more than the vertex, 0 for none
	shift int     // how far the hash goes down to a slot
}

// newTable returns a table for some corners, up to two thirds full where no two are at one place.
func newTable(corners int) table {
	n := bits.Len(uint(corners + corners/2))
	return table{make([]int32, 1<<n), 64 - n}
}

// enter returns the vertex at a point. Where there is none, it is the next vertex of the map, and made is true.
func (t *table) enter(m *Map, p lattice.Point) (v int32, made bool) {
	const golden = 0x9E3779B97F4A7C15 // a multiplicative hash spreads evenly
	for at := (uint64(uint32(p.X))<<32 | uint64(uint32(p.Y))) * golden >> t.shift; ; at = (at + 1) & uint64(len(t.slots)-1) {
		switch v := t.slots[at] - 1; {
		case v < 0:
			t.slots[at] = int32(len(m.P)) + 1
			return int32(len(m.P)), true
		case m.P[v] == p:
			return v, false
		}
	}
}

// FewestFirst allows steps that save a cell to sharpen corners, down to the angle floor.
func (m *Map) FewestFirst(floor shape.Corner) { m.floor = floor }

// match makes the halves that run between the same two vertices twins.
func (m *Map) match() {
	type key struct {
		ends uint64 // both vertices
		e    int32
	}
	order := make([]key, len(m.h))
	for e := range order {
		u, v := m.h[e].v, m.head(int32(e))
		order[e] = key{uint64(min(u, v))<<32 | uint64(max(u, v)), int32(e)}
	}
	slices.SortFunc(order, func(a, b key) int {
		if a.ends != b.ends {
			return cmp.Compare(a.ends, b.ends)
		}
		return cmp.Compare(a.e, b.e)
	})
	for i := 0; i+1 < len(order); i++ {
		if a, b := order[i], order[i+1]; a.ends == b.ends {
			m.h[a.e].twin, m.h[b.e].twin = b.e, a.e
			i++
		}
	}
}

// line identifies the segments on one line: the direction in lowest terms, to the right or straight up, and
// the moment, which tells parallel lines apart.
type line struct{ dx, dy, moment int64 }

func (m *Map) line(e int32) line {
	p, q := m.P[m.h[e].v], m.P[m.head(e)]
	dx, dy := q.Sub(p)
	g := lattice.GCD(dx, dy)
	if dx < 0 || dx == 0 && dy < 0 {
		g = -g
	}
	dx, dy = dx/g, dy/g
	return line{dx, dy, dx*int64(p.Y) - dy*int64(p.X)}
}

// node cuts sides without twin at the ends of other sides on the same line, and pairs the parts. A corner in
// the middle of a side is the end of a side of the cell behind, so only sides without twin matter.
func (m *Map) node() {
	type lone struct {
		line
		e int32
	}
	var all []lone
	for e := range int32(len(m.h)) {
		if m.h[e].twin == none {
			all = append(all, lone{m.line(e), e})
		}
	}
	slices.SortFunc(all, func(a, b lone) int {
		switch {
		case a.dx != b.dx:
			return cmp.Compare(a.dx, b.dx)
		case a.dy != b.dy:
			return cmp.Compare(a.dy, b.dy)
		case a.moment != b.moment:
			return cmp.Compare(a.moment, b.moment)
		}
		return cmp.Compare(a.e, b.e)
	})
	for i := 0; i < len(all); {
		j := i
		var stops []int32
		for ; j < len(all) && all[j].line == all[i].line; j++ {
			stops = append(stops, m.h[all[j].e].v, m.head(all[j].e))
		}
		if j-i > 1 {
			slices.SortFunc(stops, func(u, v int32) int { return m.P[u].Compare(m.P[v]) })
			stops = slices.Compact(stops)
			var parts []int32
			for _, l := range all[i:j] {
				parts = m.divide(parts, l.e, stops)
			}
			m.pair(parts)
		}
		i = j
	}
}

// divide cuts a side without twin at the vertices of its line between its ends, and appends the parts. The
// stops are in order along the line.
func (m *Map) divide(parts []int32, e int32, stops []int32) []int32 {
	u, v := m.h[e].v, m.head(e)
	forward := m.P[u].Compare(m.P[v]) < 0
	lo, hi := u, v
	if !forward {
		lo, hi = v, u
	}
	find := func(w int32) int {
		i, _ := slices.BinarySearchFunc(stops, w, func(a, b int32) int { return m.P[a].Compare(m.P[b]) })
		return i
	}
	between := stops[find(lo)+1 : find(hi)]
	parts = append(parts, e)
	for k := range between {
		w := between[k]
		if !forward {
			w = between[len(between)-1-k]
		}
		x := int32(len(m.h))
		m.h = append(m.h, half{v: w, twin: none, face: m.h[e].face})
		m.link(x, m.h[e].next)
		m.link(e, x)
		parts = append(parts, x)
		e = x
	}
	return parts
}

// pair makes the parts that run between the same vertices of a line twins.
func (m *Map) pair(parts []int32) {
	low := func(e int32) lattice.Point {
		p, q := m.P[m.h[e].v], m.P[m.head(e)]
		if q.Compare(p) < 0 {
			return q
		}
		return p
	}
	slices.SortFunc(parts, func(a, b int32) int { return cmp.Or(low(a).Compare(low(b)), cmp.Compare(a, b)) })
	for i := 0; i+1 < len(parts); i++ {
		if a, b := parts[i], parts[i+1]; low(a) == low(b) && m.h[a].v != m.h[b].v {
			m.h[a].twin, m.h[b].twin = b, a
			i++
		}
	}
}

// walls finds the edge of the domain that a piece of border lies on.
type walls struct {
	d     *plan.Domain
	first map[lattice.Point]plan.EdgeID // the first edge that starts at a point, nil until somebody asks
}

// at returns the first edge of the domain that starts at a point, if one does.
func (w *walls) at(p lattice.Point) (id plan.EdgeID, ok bool) {
	if w.first == nil {
		w.list()
	}
	id, ok = w.first[p]
	return id, ok
}

// list lists the first edges.
func (w *walls) list() {
	w.first = make(map[lattice.Point]plan.EdgeID, w.d.Len())
	for r, ring := range w.d.Rings {
		for i, p := range ring {
			if _, ok := w.first[p]; !ok {
				w.first[p] = plan.EdgeID{Ring: int32(r), Index: int32(i)}
			}
		}
	}
}

// wallAt returns the edge of the domain exactly under p, a point inside of border half e, if known.
func (m *Map) wallAt(e int32, p lattice.Point) (plan.EdgeID, bool) {
	u, v := m.h[e].v, m.head(e)
	candidates := [...]plan.EdgeID{m.on[u], m.on[v], plan.NoEdge}
	if id, ok := m.walls.at(m.P[u]); ok {
		candidates[2] = id
	}
	for _, id := range candidates {
		if id == plan.NoEdge {
			continue
		}
		ring := m.walls.d.Rings[id.Ring]
		a, b := ring[id.Index], ring[(int(id.Index)+1)%len(ring)]
		if lattice.Orient(a, b, m.P[u]) == 0 && lattice.Orient(a, b, m.P[v]) == 0 &&
			lattice.Dot(a, b, p) > 0 && lattice.Dot(b, a, p) > 0 {
			return id, true
		}
	}
	return plan.NoEdge, false
}
