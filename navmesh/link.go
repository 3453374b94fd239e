package navmesh

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// LinkKind is the way of crossing a link.
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
	// Boundary is a special way over a boundary between two areas, for some methods only: see [Crossing]. Its links
	// start and end on a portal.
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

// Flag returns the flag that builders give to links of the kind, and for [Door] also to regions in a doorway, in
// addition to [DefaultFlags]. Every kind has a bit of its own, from bit 1 on. Bits from 9 on are for users.
func (k LinkKind) Flag() uint32 { return DefaultFlags << (1 + k) }

// Link is a way from one region to another without walking. Each direction is a link of its own.
type Link struct {
	From, To Ref
	// Start is a segment in From, End a segment in To; a segment with equal ends is a point. A link taken at some part
	// of the way along Start arrives at the same part of the way along End.
	Start, End [2]lattice.Vertex
	Kind       LinkKind
	Flags      uint32
	Cost       float32 // in metres of plain ground
	// Mark is the index of the link's mark in Mesh.Marks plus one, 0 for a link without a mark.
	Mark uint32
	// Clearance is the radius of the widest disc that fits through, in lattice units, beyond the mesh's agent, as in
	// Portal: half of the width available to the agent's centre.
	Clearance int32
}

// Mark is a named object of the level that regions or links depend on: a door, a ladder, an area.
type Mark struct {
	Name string // may be empty or shared
	Kind string // in a single word, such as "door"
	// Flags are the flags of the mark's regions and links in addition to [DefaultFlags], 0 for an area open to all.
	Flags uint32
}

// Marked is a region of a tile inside a mark. A region may have several marks.
type Marked struct{ Region, Mark uint32 }

func (m Marked) compare(o Marked) int {
	return cmp.Or(cmp.Compare(m.Region, o.Region), cmp.Compare(m.Mark, o.Mark))
}

// LinksFrom returns the links that start in the region that r names. Time O(log n) for n links.
func (m *Mesh) LinksFrom(r Ref) []Link {
	if m == nil {
		return nil
	}
	first, _ := slices.BinarySearchFunc(m.Links, r, func(l Link, r Ref) int { return cmp.Compare(l.From, r) })
	end := first
	for end < len(m.Links) && m.Links[end].From == r {
		end++
	}
	return m.Links[first:end]
}

// MarksOf returns the part of Tile.Marked for region i of t. Time O(log n) for n entries.
func (t *Tile) MarksOf(i int) []Marked {
	first, _ := slices.BinarySearchFunc(t.Marked, uint32(i), func(m Marked, i uint32) int { return cmp.Compare(m.Region, i) })
	end := first
	for end < len(t.Marked) && t.Marked[end].Region == uint32(i) {
		end++
	}
	return t.Marked[first:end]
}

// MarksCalled returns the indices in Mesh.Marks of the marks with the given name or kind, ignoring case. A name without
// marks is an error that lists the names of the mesh.
func (m *Mesh) MarksCalled(name string) ([]int, error) {
	if m == nil {
		return nil, errNil
	}
	var found []int
	for i, k := range m.Marks {
		if strings.EqualFold(k.Name, name) || strings.EqualFold(k.Kind, name) {
			found = append(found, i)
		}
	}
	if found == nil {
		return nil, fmt.Errorf("navmesh: no mark is called %.80q, there are %s", name, m.markNames())
	}
	return found, nil
}

// markNames lists the first names and kinds of the marks.
func (m *Mesh) markNames() string {
	const most = 10
	var names []string
	for _, k := range m.Marks {
		for _, name := range [2]string{k.Name, k.Kind} {
			text := fmt.Sprintf("%.80q", name)
			if name == "" || slices.Contains(names, text) {
				continue
			}
			if len(names) == most {
				return strings.Join(names, ", ") + " and others"
			}
			names = append(names, text)
		}
	}
	if len(names) == 0 {
		return "no marks"
	}
	return strings.Join(names, ", ")
}

// Without returns t for paths while some of its portals are closed. A portal closed on one side is a wall on both
// sides, and corner flags change accordingly. Regions keep their numbers, and portals their clearances, even where the
// true clearance is now smaller; Passages is empty. Unchanged arrays are shared. Time O(n) for n regions and portals.
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
