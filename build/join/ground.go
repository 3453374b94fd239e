package join

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/navmesh"
)

// ground gives the mesh its methods, and crossings a link for every portal they lead over. Every portal has a back
// portal; the link of the other direction comes from there.
func (j *join) ground(m *navmesh.Mesh, opt Options) error {
	m.Methods = slices.Clone(opt.Methods)
	for _, c := range opt.Crossings {
		c.Mark = uint32(len(m.Marks))
		m.Marks = append(m.Marks, navmesh.Mark{Name: c.Name, Kind: navmesh.Boundary.String(), Flags: navmesh.Boundary.Flag()})
		m.Crossings = append(m.Crossings, c)
	}
	if err := m.CheckGround(); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	if len(m.Crossings) == 0 {
		return nil
	}
	over := map[[2]uint8][]int{} // looked up only
	for i, c := range m.Crossings {
		over[[2]uint8{c.From, c.To}] = append(over[[2]uint8{c.From, c.To}], i)
	}
	t := &m.Tiles[0]
	ref := func(region uint32) navmesh.Ref { return navmesh.MakeRef(0, int(region), firstGeneration) }
	for i := range t.Regions {
		for _, p := range t.RegionPortals(i) {
			for _, k := range over[[2]uint8{t.Regions[i].Area, t.Regions[p.To].Area}] {
				c, back := &m.Crossings[k], &t.Portals[p.Back]
				l := navmesh.Link{
					From: ref(uint32(i)), To: ref(p.To), Kind: navmesh.Boundary, Flags: navmesh.Boundary.Flag(),
					Cost: c.Cost, Mark: c.Mark + 1, Clearance: p.Clearance,
				}
				l.Start[0], l.Start[1] = t.Vertices[p.Right], t.Vertices[p.Left]
				l.End[0], l.End[1] = t.Vertices[back.Left], t.Vertices[back.Right]
				m.Links = append(m.Links, l)
			}
		}
	}
	slices.SortStableFunc(m.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
	return nil
}
