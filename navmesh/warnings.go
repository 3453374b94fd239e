package navmesh

import (
	"fmt"
	"slices"
	"strings"
)

// Warnings returns the geometric faults of single elements: concave regions, portals off their edge, overlapping
// portals, steps at portals, and wrong corner flags. [Mesh.Check] accepts these faults, because meshes of other
// programs have them. Queries on a faulty mesh end and stay small, but some answers may be wrong: see
// [FaultKind.Spoils].
//
// [Mesh.Validate] also finds faults between elements, such as regions that overlap. The list has at most [MaxFaults]
// faults, and corner flags are only compared in tiles without another fault. The mesh must pass Check. Time O(size of
// the mesh).
func (m *Mesh) Warnings() []Fault {
	if m == nil {
		return nil
	}
	v := &validator{mesh: m}
	for i := range m.Tiles {
		v.slot, v.Tile = i, &m.Tiles[i]
		v.elements()
	}
	return v.faults
}

// IsSound reports whether every region is convex and every portal is a stretch of its own edge. On a sound mesh a
// straight line enters each region at most once; hence every search ends. The mesh must pass [Mesh.Check]. Time O(size
// of the mesh).
func (m *Mesh) IsSound() bool {
	if m == nil {
		return false
	}
	v := &validator{mesh: m}
	for i := range m.Tiles {
		v.slot, v.Tile = i, &m.Tiles[i]
		v.shaped = make([]bool, len(v.Regions))
		for r := range v.Regions {
			v.shape(r)
			v.edges(r)
			if len(v.faults) > 0 {
				return false
			}
		}
	}
	return true
}

// elements checks the regions and portals of the tile singly, and reports whether they have no fault.
func (v *validator) elements() bool {
	v.owner = v.owners()
	v.shaped = make([]bool, len(v.Regions))
	before := len(v.faults)
	for i := range v.Regions {
		v.shape(i)
		v.edges(i)
	}
	for i := range v.Portals {
		v.portal(i)
	}
	// A step at a portal does not prevent later checks.
	whole := func() bool {
		return !slices.ContainsFunc(v.faults[before:], func(f Fault) bool { return f.Kind != PortalStep })
	}
	if !whole() {
		return false
	}
	v.corners()
	return whole()
}

// corners compares the corner flags of the portals with the angles of the free space around them.
func (v *validator) corners() {
	f := v.fans()
	for i := range v.Portals {
		p := &v.Portals[i]
		if want := f.corner[p.Back]; p.LeftCorner != want {
			v.add(BadCorner, int(v.owner[i]), v.Vertices[p.Left], "the left end of portal %d, to region %d: corner is %v, must be %v", i, p.To, p.LeftCorner, want)
		}
		if want := f.corner[i]; p.RightCorner != want {
			v.add(BadCorner, int(v.owner[i]), v.Vertices[p.Right], "the right end of portal %d, to region %d: corner is %v, must be %v", i, p.To, p.RightCorner, want)
		}
	}
}

// spoils lists the answers that faults of single elements may spoil.
var spoils = map[FaultKind]string{
	BadShape:      "places on the region may be missed, and paths and rays through it may be wrong",
	PortalOffEdge: "paths may leave the floor at the portal or be longer than the shortest",
	PortalOverlap: "rays may stop at the portal, and paths may be longer than the shortest",
	PortalStep:    "paths may climb more than the agent at the portal",
	BadCorner:     "paths may be longer than the shortest",
}

// Spoils returns the answers that a fault of this kind may spoil, as half a sentence. The text is empty
// for kinds that [Mesh.Warnings] does not return.
func (k FaultKind) Spoils() string { return spoils[k] }

// Summary returns faults as one line: the number of faults of each kind with the answers they may spoil, and the first
// fault in full. The text is empty for no faults.
func Summary(faults []Fault) string {
	if len(faults) == 0 {
		return ""
	}
	count := map[FaultKind]int{}
	var kinds []FaultKind
	for _, f := range faults {
		if count[f.Kind]++; count[f.Kind] == 1 {
			kinds = append(kinds, f.Kind)
		}
	}
	slices.Sort(kinds)
	var parts, effects []string
	for _, k := range kinds {
		parts = append(parts, fmt.Sprintf("%d of kind %s", count[k], k))
		if s := k.Spoils(); s != "" {
			effects = append(effects, s)
		}
	}
	most := ""
	if len(faults) >= MaxFaults {
		most = "at least "
	}
	text := fmt.Sprintf("%s%d faults (%s): ", most, len(faults), strings.Join(parts, ", "))
	if len(effects) > 0 {
		text += strings.Join(effects, "; ") + "; "
	}
	return text + "the first: " + faults[0].Error()
}
