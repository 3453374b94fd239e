package navmesh

import "slices"

// Connect numbers the components: regions joined by a chain of portals and links, in either direction, get the same
// number, in the order of their first regions. Links with stale ends join no regions. Makers of a mesh call Connect
// before sharing the mesh. Time is all but linear in the number of regions, portals and links.
func (m *Mesh) Connect() {
	all := m.connected()
	all.number(func(slot, region int, component uint32) { m.Tiles[slot].Regions[region].Component = component })
	m.Components = all.count
}

// parts is a forest of connected regions; the root of a part is its first region.
type parts struct {
	base   []int // of each tile, the number of regions in the tiles before
	parent []uint32
	count  int // number of parts
}

func (m *Mesh) connected() *parts {
	p := &parts{base: make([]int, len(m.Tiles))}
	n := 0
	for i := range m.Tiles {
		p.base[i] = n
		n += len(m.Tiles[i].Regions)
	}
	p.begin(n)
	for s := range m.Tiles {
		t := &m.Tiles[s]
		for i := range t.Regions {
			for _, portal := range t.RegionPortals(i) {
				p.join(p.base[s]+i, p.base[s]+int(portal.To))
			}
		}
	}
	for _, l := range m.Links {
		_, _, from := m.Region(l.From)
		_, _, to := m.Region(l.To)
		if from && to {
			p.join(p.base[l.From.Slot()]+l.From.Index(), p.base[l.To.Slot()]+l.To.Index())
		}
	}
	return p
}

func (p *parts) root(i int) uint32 {
	r := uint32(i)
	for p.parent[r] != r {
		p.parent[r] = p.parent[p.parent[r]] // halves the path for the next call
		r = p.parent[r]
	}
	return r
}

// join merges the parts of i and k; it returns false if they are already the same part.
func (p *parts) join(i, k int) bool {
	a, b := p.root(i), p.root(k)
	if a == b {
		return false
	}
	p.parent[max(a, b)] = min(a, b)
	p.count--
	return true
}

// begin resets to n parts of one element each.
func (p *parts) begin(n int) {
	p.parent = slices.Grow(p.parent[:0], n)[:n]
	for i := range p.parent {
		p.parent[i] = uint32(i)
	}
	p.count = n
}

// number calls set with every region and the number of its part.
func (p *parts) number(set func(slot, region int, component uint32)) {
	numbers := make([]uint32, len(p.parent))
	var next uint32
	slot := 0
	for i := range p.parent {
		for slot+1 < len(p.base) && p.base[slot+1] <= i {
			slot++
		}
		r := p.root(i)
		if int(r) == i {
			numbers[i] = next
			next++
		}
		numbers[i] = numbers[r]
		set(slot, i-p.base[slot], numbers[i])
	}
}
