package navmesh

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/lattice"
)

// LinkKind tells how a link is crossed.
type LinkKind uint8

// The kinds of link.
const (
	Jump LinkKind = iota
	Drop
	Climb
	Ladder
	Door
	Lift
	Teleport
	// Boundary is a special way over a boundary between two areas, for some methods only: see [Crossing]. It starts
	// and ends on a portal.
	Boundary

	linkKinds = iota
)

var linkKindNames = [linkKinds]string{"jump", "drop", "climb", "ladder", "door", "lift", "teleporter", "boundary"}

// String returns the kind in one word.
func (k LinkKind) String() string {
	if k >= linkKinds {
		return "link"
	}
	return linkKindNames[k]
}

// Flag returns the flag that builders give to links of the kind, and for [Door] to regions in a
// doorway besides [DefaultFlags]: a bit of its own for every kind, from bit 1 on. Bits from 9 on are
// for users.
func (k LinkKind) Flag() uint32 { return DefaultFlags << (1 + k) }

// Link is a way from one region to another that is not walked. Each direction is a link of its own.
type Link struct {
	From, To Ref
	// Start is a segment in From, End one in To; where both ends are equal, points. A link taken at
	// some part of the way along Start arrives at the same part of the way along End.
	Start, End [2]lattice.Vertex
	Kind       LinkKind
	Flags      uint32
	Cost       float32 // in metres of plain ground
	// Mark is one more than the place of the link's mark in Mesh.Marks, 0 for a link without one.
	Mark uint32
	// Clearance is the radius of the widest disc that fits through, in lattice units, beyond the
	// agent that the mesh was made for, as in Portal: half of the width that its centre has.
	Clearance int32
}

// Mark is a named thing of the level that something depends on: a door, a ladder, an area.
type Mark struct {
	Name string // may be empty, and need not be the only one of its name
	Kind string // in one word, such as "door"
	// Flags are what its regions and links have because of it besides [DefaultFlags], 0 for an area
	// that everybody may enter.
	Flags uint32
}

// Marked says that a region of a tile lies inside of a mark. A region may have several.
type Marked struct{ Region, Mark uint32 }

func (m Marked) compare(o Marked) int {
	return cmp.Or(cmp.Compare(m.Region, o.Region), cmp.Compare(m.Mark, o.Mark))
}

// LinksFrom returns the links that start in the region that r names. Time O(log n) for n links.
func (m *Mesh) LinksFrom(r Ref) []Link {
	first, _ := slices.BinarySearchFunc(m.Links, r, func(l Link, r Ref) int { return cmp.Compare(l.From, r) })
	end := first
	for end < len(m.Links) && m.Links[end].From == r {
		end++
	}
	return m.Links[first:end]
}

// MarksOf returns the places in Mesh.Marks of what region i of t lies in, as a part of Tile.Marked.
// Time O(log n) for n entries there.
func (t *Tile) MarksOf(i int) []Marked {
	first, _ := slices.BinarySearchFunc(t.Marked, uint32(i), func(m Marked, i uint32) int { return cmp.Compare(m.Region, i) })
	end := first
	for end < len(t.Marked) && t.Marked[end].Region == uint32(i) {
		end++
	}
	return t.Marked[first:end]
}

// MarksCalled returns the places in Mesh.Marks of those whose name or kind is the given one, whatever
// the case of its letters.
func (m *Mesh) MarksCalled(name string) []int {
	var found []int
	for i, k := range m.Marks {
		if strings.EqualFold(k.Name, name) || strings.EqualFold(k.Kind, name) {
			found = append(found, i)
		}
	}
	return found
}

// Without returns t as it is for paths while some of its portals are closed: they are walls, from both sides
// if from one, and the corner flags are those that follow from that. Regions keep their numbers, and
// portals their clearances, though there may be less now; there are no Passages. The arrays that do
// not change are shared. Time O(n) for n regions and portals.
func (t *Tile) Without(closed []bool) Tile {
	out := *t
	out.Regions = slices.Clone(t.Regions)
	out.Portals, out.Passages = make([]Portal, 0, len(t.Portals)), nil
	number := make([]uint32, len(t.Portals))
	for i := range out.Regions {
		r := &out.Regions[i]
		first := uint32(len(out.Portals))
		for k := r.FirstPortal; k < r.FirstPortal+r.PortalCount; k++ {
			if !closed[k] && !closed[t.Portals[k].Back] {
				number[k] = uint32(len(out.Portals))
				out.Portals = append(out.Portals, t.Portals[k])
			}
		}
		r.FirstPortal, r.PortalCount = first, uint32(len(out.Portals))-first
	}
	for i := range out.Portals {
		out.Portals[i].Back = number[out.Portals[i].Back]
	}
	f := out.fans()
	for i := range out.Portals {
		p := &out.Portals[i]
		p.RightCorner, p.LeftCorner = f.corner[i], f.corner[p.Back]
	}
	return out
}
