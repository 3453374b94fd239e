package brep

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// corners numbers places: corners of any planes at one place have one number.
type corners struct {
	space *solid.Space
	at    []solid.Vertex
	by    map[[3]int64][]int32
}

func newCorners(s *solid.Space) *corners { return &corners{space: s, by: make(map[[3]int64][]int32)} }

// number returns the number of a place, a new number at the first mention.
func (c *corners) number(v *solid.Vertex) int32 {
	key := bucket(v.At, v.Error)
	var keys [8][3]int64
	n := spread(key, &keys)
	for _, k := range keys[:n] {
		for _, i := range c.by[k] {
			if c.space.Same(v, &c.at[i]) {
				return i
			}
		}
	}
	id := int32(len(c.at))
	c.at = append(c.at, *v)
	for _, k := range keys[:n] {
		c.by[k] = append(c.by[k], id)
	}
	return id
}

// bucket returns the lowest and the highest cube of a unit that a place may be in, on every axis. Errors are below half a
// unit (see [solid.Vertex]), so no cube lies between the two; corners at the same place share its cube.
func bucket(at [3]float64, off float64) (span [3][2]int64) {
	for k, x := range at {
		span[k] = [2]int64{int64(math.Floor(x - off)), int64(math.Floor(x + off))}
	}
	return span
}

// spread lists the cubes of a span, at most two on an axis.
func spread(span [3][2]int64, keys *[8][3]int64) int {
	n := 0
	for i := range 8 {
		var key [3]int64
		again := false
		for k := range 3 {
			side := i >> k & 1
			key[k] = span[k][side]
			again = again || side == 1 && span[k][0] == span[k][1]
		}
		if !again {
			keys[n] = key
			n++
		}
	}
	return n
}

// region is a convex piece of a surface.
type region struct {
	solid.Polygon
	ids   []int32 // the numbers of its corners
	body  int32   // the body of the surface
	label int32   // only regions with the same are merged
	gone  bool
}

func (c *corners) region(p solid.Polygon, body, label int32) region {
	r := region{Polygon: p, body: body, label: label, ids: make([]int32, len(p.Corners))}
	for k := range p.Corners {
		r.ids[k] = c.number(&p.Corners[k])
	}
	return r
}

// directed is an edge from one corner to another. Each region has the surface on its left.
type directed struct{ from, to int32 }

func (d directed) turned() directed { return directed{d.to, d.from} }

// merger merges regions.
type merger struct {
	*corners
	regions []region
	edges   map[directed][]use
	starts  map[int32][]use // edges by their first corner, including removed ones
}

// use is an edge of a region.
type use struct{ region, edge int32 }

// merge is Brand's algorithm 1: two regions of one plane with a common whole edge become one if the union is convex.
// Longer edges go first, where Brand takes any order. It changes the regions and returns the remaining ones, in order.
// Time O(n log n) for n edges times the few passes.
func (c *corners) merge(regions []region) []region {
	m := merger{corners: c, regions: regions}
	m.run()
	return m.left()
}

func (m *merger) left() []region {
	return slices.DeleteFunc(m.regions, func(r region) bool { return r.gone })
}

// run merges until nothing can be.
func (m *merger) run() {
	m.edges, m.starts = make(map[directed][]use), make(map[int32][]use)
	for i := range m.regions {
		if !m.regions[i].gone {
			m.enter(int32(i))
		}
	}
	for {
		type candidate struct {
			length float64
			directed
			plane int32
		}
		var order []candidate
		for i := range m.regions {
			r := &m.regions[i]
			if r.gone {
				continue
			}
			for k := range r.ids {
				d := r.directed(k)
				if d.from < d.to && m.across(int32(i), k) >= 0 {
					order = append(order, candidate{m.length2(d), d, r.Plane})
				}
			}
		}
		slices.SortFunc(order, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.length, a.length), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to), cmp.Compare(a.plane, b.plane))
		})
		merged := false
		for _, o := range order {
			for _, u := range slices.Clone(m.edges[o.directed]) {
				if m.regions[u.region].Plane != o.plane {
					continue
				}
				if other := m.across(u.region, int(u.edge)); other >= 0 && m.join(u.region, int(u.edge), other) {
					merged = true
				}
				break
			}
		}
		if !merged {
			return
		}
	}
}

func (r *region) directed(k int) directed { return directed{r.ids[k], r.ids[(k+1)%len(r.ids)]} }

func (m *merger) length2(d directed) float64 {
	s := 0.0
	for k := range 3 {
		e := m.at[d.from].At[k] - m.at[d.to].At[k]
		s += float64(e * e)
	}
	return s
}

func (m *merger) enter(i int32) {
	r := &m.regions[i]
	for k := range r.ids {
		d := r.directed(k)
		m.edges[d] = append(m.edges[d], use{i, int32(k)})
		m.starts[d.from] = append(m.starts[d.from], use{i, int32(k)})
	}
}

func (m *merger) remove(i int32) {
	r := &m.regions[i]
	for k := range r.ids {
		d := r.directed(k)
		m.edges[d] = slices.DeleteFunc(m.edges[d], func(u use) bool { return u.region == i })
	}
}

// across returns the region that has the whole of edge k of region i as well, on the same plane and with the same label,
// or -1.
func (m *merger) across(i int32, k int) int32 {
	r := &m.regions[i]
	d := r.directed(k)
	for _, u := range m.edges[d.turned()] {
		if o := &m.regions[u.region]; o.Plane == r.Plane && o.label == r.label {
			return u.region
		}
	}
	return -1
}

// join merges region j into region i over edge k of i where the result is convex.
func (m *merger) join(i int32, k int, j int32) bool {
	joined, ok := m.joined(&m.regions[i], k, &m.regions[j])
	if !ok {
		return false
	}
	m.remove(i)
	m.remove(j)
	m.regions[j].gone = true
	m.regions[i] = joined
	m.enter(i)
	return true
}

// joined returns the union of a and b, which share edge k of a; ok is false if the union is not convex.
func (m *merger) joined(a *region, k int, b *region) (region, bool) {
	d := a.directed(k)
	l := slices.Index(b.ids, d.to) // the edge of b starts where that of a ends
	na, nb := len(a.ids), len(b.ids)
	if l < 0 || b.ids[(l+1)%nb] != d.from {
		return region{}, false
	}
	// Around: a after the edge, then b after the edge.
	before, after := a.Edges[(k+na-1)%na], b.Edges[(l+1)%nb]
	atFrom := m.space.Turn(a.Plane, before, after)
	beforeB, afterA := b.Edges[(l+nb-1)%nb], a.Edges[(k+1)%na]
	atTo := m.space.Turn(a.Plane, beforeB, afterA)
	if atFrom < 0 || atTo < 0 {
		return region{}, false
	}
	r := region{body: a.body, label: a.label}
	r.Plane = a.Plane
	add := func(p *region, at int) {
		r.ids = append(r.ids, p.ids[at])
		r.Edges = append(r.Edges, p.Edges[at])
		r.Corners = append(r.Corners, p.Corners[at])
	}
	// Where the outline goes straight on, the corner is none, and the edge before it goes on.
	for s := 1; s < na; s++ {
		if s > 1 || atTo != 0 {
			add(a, (k+s)%na)
		}
	}
	for s := 1; s < nb; s++ {
		if s > 1 || atFrom != 0 {
			add(b, (l+s)%nb)
		}
	}
	return r, len(r.ids) >= 3
}
