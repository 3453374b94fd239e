package brep

import (
	"slices"

	"github.com/meadow-nav/meadow/lattice/solid"
)

// mergeThree is Brand's algorithm 2, until it finds nothing any more: where two regions A and B lie side by side on one edge
// of a third, C, the taller of both is cut along the far edge of the other, and what is beside it becomes one region with A
// and C. Three regions are two then. Merging by algorithm 1 comes first and again after.
func (c *corners) mergeThree(regions []region) []region {
	m := merger{corners: c, regions: regions}
	m.run()
	for {
		found := false
		for i := range m.regions {
			for k := 0; !m.regions[i].gone && k < len(m.regions[i].ids); k++ {
				if m.three(int32(i), k) {
					found = true
					k = -1 // another region now
				}
			}
		}
		if !found {
			return m.left()
		}
		m.run()
	}
}

// three tries edge k of region i as the edge that two others lie on.
func (m *merger) three(i int32, k int) bool {
	c := &m.regions[i]
	d := c.directed(k)
	for _, u := range m.starting(d.to, c) {
		// One lies on the end of the edge, the other on its start, and they meet at y.
		first := &m.regions[u.region]
		y := first.directed(int(u.edge)).to
		if y == d.from || m.space.Turn(c.Plane, c.Edges[k], first.Edges[u.edge]) != 0 {
			continue
		}
		second := m.same(directed{y, d.from}, c)
		if second < 0 || second == u.region || second == i || u.region == i {
			continue
		}
		if m.cutAndJoin(u.region, second, i, y) || m.cutAndJoin(second, u.region, i, y) {
			return true
		}
	}
	return false
}

// starting lists the edges from a corner of regions like r.
func (m *merger) starting(from int32, r *region) []use {
	var out []use
	for _, u := range m.starts[from] {
		if o := &m.regions[u.region]; !o.gone && o.Plane == r.Plane && o.label == r.label && int(u.edge) < len(o.ids) && o.ids[u.edge] == from {
			out = append(out, u)
		}
	}
	return out
}

// same returns the region like r that has an edge, or -1.
func (m *merger) same(d directed, r *region) int32 {
	for _, u := range m.edges[d] {
		if o := &m.regions[u.region]; o.Plane == r.Plane && o.label == r.label {
			return u.region
		}
	}
	return -1
}

// cutAndJoin makes one region of a, of c, and of what of b is beside a, if that is convex. They meet in corner y.
func (m *merger) cutAndJoin(a, b, c, y int32) bool {
	ra, rb, rc := &m.regions[a], &m.regions[b], &m.regions[c]
	// The edge of a that goes along b begins or ends at y; the one after or before it is where b is cut.
	at := slices.Index(ra.ids, y)
	n := len(ra.ids)
	for _, far := range [2]int{(at + 1) % n, (at + n - 2) % n} {
		plane := ra.Edges[far]
		if m.space.Where(&rb.Polygon, plane) != solid.Across {
			continue
		}
		near, rest := m.space.Split(&rb.Polygon, plane, m.space.Number(m.space.Plane(plane).Opposite()))
		side := m.region(near, rb.body, rb.label)
		one, ok := m.touching(ra, &side)
		if !ok {
			continue
		}
		whole, ok := m.touching(rc, &one)
		if !ok {
			continue
		}
		left := m.region(rest, rb.body, rb.label)
		for _, r := range [3]int32{a, b, c} {
			m.remove(r)
		}
		m.regions[a].gone = true
		m.regions[b] = left
		m.regions[c] = whole
		m.enter(b)
		m.enter(c)
		return true
	}
	return false
}

// touching returns two regions that share a whole edge as one, if that is convex.
func (m *merger) touching(a, b *region) (region, bool) {
	for k := range a.ids {
		d := a.directed(k)
		for l := range b.ids {
			if b.directed(l) == d.turned() {
				return m.joined(a, k, b)
			}
		}
	}
	return region{}, false
}
