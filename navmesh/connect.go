package navmesh

import (
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Connect numbers the components: regions joined by a chain of portals and links, in either direction, get the same
// number, in the order of their first regions. Links with stale ends join no regions. Makers of a mesh call Connect
// before sharing the mesh. Time is all but linear in the number of regions, portals and links.
func (m *Mesh) Connect() {
	if m == nil {
		return
	}
	all := m.connected()
	all.number(func(slot, region int, component uint32) { m.Tiles[slot].Regions[region].Component = component })
	m.Components = all.count
}

// parts is a forest of connected regions; the root of a part is its first region.
type parts struct {
	unionfind.Forest
	base  []int // of each tile, the number of regions in the tiles before
	count int   // number of parts
}

func (m *Mesh) connected() *parts {
	p := &parts{base: make([]int, len(m.Tiles))}
	n := 0
	for i := range m.Tiles {
		p.base[i] = n
		n += len(m.Tiles[i].Regions)
	}
	p.Forest, p.count = unionfind.New(n), n
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

// join merges the parts of regions i and k.
func (p *parts) join(i, k int) {
	if p.Union(int32(i), int32(k)) {
		p.count--
	}
}

// number calls set with every region and the number of its part.
func (p *parts) number(set func(slot, region int, component uint32)) {
	numbers := make([]uint32, len(p.Forest))
	var next uint32
	slot := 0
	for i := range p.Forest {
		for slot+1 < len(p.base) && p.base[slot+1] <= i {
			slot++
		}
		r := p.Find(int32(i))
		if int(r) == i {
			numbers[i] = next
			next++
		}
		numbers[i] = numbers[r]
		set(slot, i-p.base[slot], numbers[i])
	}
}
