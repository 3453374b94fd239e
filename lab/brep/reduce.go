package brep

import (
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// mostBeside is how many regions on one edge are taken together.
const mostBeside = 16

// mergeRows is Brand's algorithm 2, 3→2 merging, for rows of any length, until no step is left: if regions lie side by side
// on one whole edge of another region C, all are cut along the far edge of one of them, and the parts below become one
// region with C. Of a row of two, A and B, one is cut, and three regions become two; of n, at most n-1 are cut and n+1
// regions are n at most. Merging by algorithm 1 comes first and again after.
func (c *corners) mergeRows(regions []region) []region {
	m := merger{corners: c, regions: regions}
	m.run()
	for {
		found := false
		for i := range m.regions {
			for k := 0; !m.regions[i].gone && k < len(m.regions[i].ids); k++ {
				if m.row(int32(i), k) {
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

// row tries edge k of region i as the base of a row.
func (m *merger) row(i int32, k int) bool {
	c := &m.regions[i]
	d := c.directed(k)
	var row []use
	for at := d.to; at != d.from; {
		next := m.onLine(at, c, c.Edges[k])
		if next.region < 0 || next.region == i || len(row) == mostBeside {
			return false
		}
		row = append(row, next)
		at = m.regions[next.region].directed(int(next.edge)).to
	}
	if len(row) < 2 {
		return false
	}
	for _, u := range row {
		r := &m.regions[u.region]
		n := len(r.ids)
		// The far edges: neither the edge on the line nor its neighbours.
		for f := 2; f < n-1; f++ {
			if m.cutRow(i, row, r.Edges[(int(u.edge)+f)%n]) {
				return true
			}
		}
	}
	return false
}

// onLine returns the edge from a corner that lies on the same line as an edge of r, of a region like r on the other side of it.
func (m *merger) onLine(from int32, r *region, edge int32) use {
	for _, u := range m.starts[from] {
		o := &m.regions[u.region]
		if o.gone || o.Plane != r.Plane || o.label != r.label || int(u.edge) >= len(o.ids) || o.ids[u.edge] != from {
			continue
		}
		if m.space.Turn(r.Plane, edge, o.Edges[u.edge]) == 0 {
			return u
		}
	}
	return use{-1, -1}
}

// cutRow cuts the regions of a row along a plane and merges the parts behind it with region i, if the union is convex.
func (m *merger) cutRow(i int32, row []use, plane int32) bool {
	var whole region
	other := m.space.Number(m.space.Plane(plane).Opposite())
	rest := make([]*region, len(row))
	for k, u := range row {
		r := &m.regions[u.region]
		near := *r
		switch m.space.Where(&r.Polygon, plane) {
		case solid.Behind:
		case solid.Across:
			behind, front := m.space.Split(&r.Polygon, plane, other)
			near = m.region(behind, r.body, r.label)
			left := m.region(front, r.body, r.label)
			rest[k] = &left
		default:
			return false
		}
		if k == 0 {
			whole = near
			continue
		}
		var ok bool
		if whole, ok = m.touching(&whole, &near); !ok {
			return false
		}
	}
	whole, ok := m.touching(&m.regions[i], &whole)
	if !ok {
		return false
	}
	m.remove(i)
	for _, u := range row {
		m.remove(u.region)
	}
	m.regions[i] = whole
	m.enter(i)
	for k, u := range row {
		if rest[k] == nil {
			m.regions[u.region].gone = true
			continue
		}
		m.regions[u.region] = *rest[k]
		m.enter(u.region)
	}
	return true
}

// touching returns the union of two regions with a common whole edge, if it is convex.
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
