package brep

import (
	"cmp"
	"slices"
)

// cullVisits bounds how many regions are visited to see whether the neighbours of one hang together without it.
const cullVisits = 4096

// sortLinks puts links into order.
func (m *Mesh) sortLinks() {
	slices.SortFunc(m.Links, func(a, b Link) int {
		return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.Kind, b.Kind), slices.Compare(a.At[:], b.At[:]), slices.Compare(a.Over[:], b.Over[:]))
	})
	m.Links = slices.Compact(m.Links)
}

// cull leaves out regions smaller than an area that connect nothing (section 4.4.1.3), the smallest first: without a
// culled region its neighbours still reach each other, for every traveller of the region.
func (m *Mesh) cull(area float64) {
	near := make([][]int32, len(m.Regions)) // links
	for i, l := range m.Links {
		near[l.A] = append(near[l.A], int32(i))
		near[l.B] = append(near[l.B], int32(i))
	}
	var order []int32
	for i := range m.Regions {
		if m.Regions[i].Area < area {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(i, j int32) int { return cmp.Compare(m.Regions[i].Area, m.Regions[j].Area) })
	gone := make([]bool, len(m.Regions))
	for _, i := range order {
		gone[i] = true
		if !m.joinedWithout(i, near, gone) {
			gone[i] = false
		}
	}
	before := len(m.Regions)
	m.drop(gone)
	m.Stats.Culled = before - len(m.Regions)
}

// keepLargest keeps only the regions of the largest part, the first of equal ones.
func (m *Mesh) keepLargest() {
	parts, count := m.Components(0)
	area := make([]float64, count)
	for i, p := range parts {
		area[p] += m.Regions[i].Area
	}
	best := int32(0)
	for p, a := range area {
		if a > area[best] {
			best = int32(p)
		}
	}
	gone := make([]bool, len(m.Regions))
	for i, p := range parts {
		gone[i] = p != best
	}
	m.drop(gone)
}

// other returns the other end of a link.
func (l *Link) other(i int32) int32 {
	if l.A == i {
		return l.B
	}
	return l.A
}

// joinedWithout reports whether the neighbours of region i reach each other over remaining regions by links as wide as
// the links to i.
func (m *Mesh) joinedWithout(i int32, near [][]int32, gone []bool) bool {
	for widest := range len(m.Radii) {
		var ends []int32
		for _, l := range near[i] {
			if o := m.Links[l].other(i); !gone[o] && int(m.Links[l].Widest) >= widest && !slices.Contains(ends, o) {
				ends = append(ends, o)
			}
		}
		if len(ends) <= 1 {
			continue
		}
		seen := map[int32]bool{ends[0]: true}
		queue := []int32{ends[0]}
		left := len(ends) - 1
		for len(queue) > 0 && left > 0 && len(seen) < cullVisits {
			at := queue[0]
			queue = queue[1:]
			for _, l := range near[at] {
				o := m.Links[l].other(at)
				if gone[o] || seen[o] || int(m.Links[l].Widest) < widest {
					continue
				}
				seen[o] = true
				queue = append(queue, o)
				if slices.Contains(ends, o) {
					left--
				}
			}
		}
		if left > 0 {
			return false
		}
	}
	return true
}

// drop removes regions with their links and their own vertices.
func (m *Mesh) drop(gone []bool) {
	place := make([]int32, len(m.Regions))
	var kept []Region
	for i, r := range m.Regions {
		place[i] = int32(len(kept))
		if !gone[i] {
			kept = append(kept, r)
		}
	}
	m.Regions = kept
	m.Links = slices.DeleteFunc(m.Links, func(l Link) bool { return gone[l.A] || gone[l.B] })
	for i := range m.Links {
		m.Links[i].A, m.Links[i].B = place[m.Links[i].A], place[m.Links[i].B]
	}
	m.compact()
}

// compact removes unused vertices.
func (m *Mesh) compact() {
	number := make([]int32, len(m.Vertices))
	use := func(ids []int32) {
		for _, v := range ids {
			number[v] = 1
		}
	}
	for i := range m.Regions {
		use(m.Regions[i].Corners)
	}
	for i := range m.Links {
		use(m.Links[i].At[:])
		use(m.Links[i].Over[:])
	}
	kept := m.Vertices[:0]
	for i, v := range m.Vertices {
		if number[i] > 0 {
			number[i] = int32(len(kept))
			kept = append(kept, v)
		}
	}
	m.Vertices = kept
	rename := func(ids []int32) {
		for k, v := range ids {
			ids[k] = number[v]
		}
	}
	for i := range m.Regions {
		rename(m.Regions[i].Corners)
	}
	for i := range m.Links {
		rename(m.Links[i].At[:])
		rename(m.Links[i].Over[:])
	}
}

// Bytes returns the size of the mesh in plain storage, as Brand counts.
func (m *Mesh) Bytes() int {
	vertices, regions, links := m.BytesByPart()
	return vertices + regions + links
}

// BytesByPart returns the parts of Bytes: per vertex three coordinates of 4 bytes; per region its middle (12), the widest
// traveller (1), the number of its corners (1) and an index for each; per link two regions, kind and traveller (2), and the
// stretch, a welded one on both sides. Indices take 2 bytes up to 65,536 things, else 4.
func (m *Mesh) BytesByPart() (vertices, regions, links int) {
	index := func(n int) int {
		if n > 1<<16 {
			return 4
		}
		return 2
	}
	v, r := index(len(m.Vertices)), index(len(m.Regions))
	vertices = 12 * len(m.Vertices)
	for i := range m.Regions {
		regions += 14 + v*len(m.Regions[i].Corners)
	}
	for _, l := range m.Links {
		links += 2*r + 2 + 2*v
		if l.Kind != Shared {
			links += 2 * v
		}
	}
	return vertices, regions, links
}

// Components returns the number of connected parts of the mesh for the traveller with radius index widest, and the part of
// each region, -1 for regions too narrow for it. Parts are numbered by their first regions.
func (m *Mesh) Components(widest int) (parts []int32, count int) {
	parts = make([]int32, len(m.Regions))
	near := make([][]int32, len(m.Regions))
	for _, l := range m.Links {
		if int(l.Widest) >= widest {
			near[l.A] = append(near[l.A], l.B)
			near[l.B] = append(near[l.B], l.A)
		}
	}
	for i := range parts {
		parts[i] = -1
	}
	for i := range m.Regions {
		if parts[i] >= 0 || int(m.Regions[i].Widest) < widest {
			continue
		}
		queue := []int32{int32(i)}
		parts[i] = int32(count)
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			for _, o := range near[at] {
				if parts[o] < 0 {
					parts[o] = int32(count)
					queue = append(queue, o)
				}
			}
		}
		count++
	}
	return parts, count
}
