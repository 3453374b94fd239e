package query

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/navmesh"
)

// Method returns the filter of those who move by a method of the mesh: areas where it may not go are closed, the others
// cost what they cost it, and boundaries that it has crossings for are closed but for these. The filter may be
// changed further before it is used. The error lists the methods that there are.
//
// A path of the Index that [Index.With] makes of it never touches ground that the method may not use; where it goes
// over a boundary by a crossing, the crossing is in its Crossings.
func (ix *Index) Method(name string) (Filter, error) {
	m := ix.mesh
	i, ok := m.Method(name)
	if !ok {
		names := make([]string, len(m.Methods))
		for k := range m.Methods {
			names[k] = m.Methods[k].Name
		}
		if len(names) == 0 {
			return Filter{}, fmt.Errorf("query: no method %q, the mesh knows none", name)
		}
		return Filter{}, fmt.Errorf("query: no method %q, the mesh knows %s", name, strings.Join(names, ", "))
	}
	k := &m.Methods[i]
	f := Filter{AreaCosts: make(map[uint8]float64, len(k.Costs))}
	for a, c := range k.Costs {
		f.AreaCosts[uint8(a)] = float64(c)
	}
	for _, c := range k.Crossings {
		f.Crossings = append(f.Crossings, int(c))
		f.Boundaries = append(f.Boundaries, [2]uint8{m.Crossings[c].From, m.Crossings[c].To})
	}
	return f, nil
}

// Methods returns what moves by which method may be where: the names of the methods that may use an area, in the
// order of the mesh.
func (ix *Index) Methods(area uint8) []string {
	var names []string
	for i := range ix.mesh.Methods {
		k := &ix.mesh.Methods[i]
		if int(area) < len(k.Costs) && !math.IsInf(float64(k.Costs[area]), 1) {
			names = append(names, k.Name)
		}
	}
	return names
}

// withoutCrossings returns which links are open to those who name no method; nil where all are.
func (ix *Index) withoutCrossings() func(link int) bool {
	links := ix.mesh.Links
	if !slices.ContainsFunc(links, func(l navmesh.Link) bool { return l.Kind == navmesh.Boundary }) {
		return nil
	}
	return func(i int) bool { return links[i].Kind != navmesh.Boundary }
}

// crossed returns the marks of crossings, by number.
func (ix *Index) crossed(crossings []int) ([]bool, error) {
	marks := make([]bool, len(ix.mesh.Marks))
	for _, c := range crossings {
		if c < 0 || c >= len(ix.mesh.Crossings) {
			return nil, fmt.Errorf("query: filter: crossing %d of %d", c, len(ix.mesh.Crossings))
		}
		marks[ix.mesh.Crossings[c].Mark] = true
	}
	return marks, nil
}

// close adds pairs of areas to those whose boundaries are closed.
func (c *closing) close(pairs [][2]uint8) {
	for _, p := range pairs {
		p = [2]uint8{min(p[0], p[1]), max(p[0], p[1])}
		if i, known := slices.BinarySearchFunc(c.boundaries, p, comparePairs); !known {
			c.boundaries = slices.Insert(c.boundaries, i, p)
		}
	}
}

func comparePairs(a, b [2]uint8) int { return slices.Compare(a[:], b[:]) }

// boundary reports whether portals between two areas are closed.
func (c *closing) boundary(a, b uint8) bool {
	if len(c.boundaries) == 0 || a == b {
		return false
	}
	_, closed := slices.BinarySearchFunc(c.boundaries, [2]uint8{min(a, b), max(a, b)}, comparePairs)
	return closed
}
