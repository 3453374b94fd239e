package query

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/meadow-nav/meadow/navmesh"
)

// Method returns the filter for agents that move by a method of the mesh. Areas closed to the method are closed, other
// areas have the method's costs. Boundaries that the method has crossings for are closed except at the crossings.
// Callers may change the filter before use. For an unknown name the error lists the methods of the mesh.
//
// A path of the Index derived by [Index.With] never touches ground closed to the method. A path over a boundary takes a
// crossing and lists the crossing in its Crossings.
func (x *Index) Method(name string) (Filter, error) {
	ix := x.ready().geo
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

// Methods returns the names of the methods that may use an area, in the order of the mesh.
func (x *Index) Methods(area uint8) []string {
	ix := x.ready().geo
	var names []string
	for i := range ix.mesh.Methods {
		k := &ix.mesh.Methods[i]
		if int(area) < len(k.Costs) && !math.IsInf(float64(k.Costs[area]), 1) {
			names = append(names, k.Name)
		}
	}
	return names
}

// withoutCrossings returns a predicate for the links open to agents without a method; nil if all links are open.
func (ix *geometry) withoutCrossings() func(link int) bool {
	links := ix.mesh.Links
	if !slices.ContainsFunc(links, func(l navmesh.Link) bool { return l.Kind == navmesh.Boundary }) {
		return nil
	}
	return func(i int) bool { return links[i].Kind != navmesh.Boundary }
}

// crossed returns a set of marks, by number: the marks of the given crossings.
func (ix *geometry) crossed(crossings []int) ([]bool, error) {
	marks := make([]bool, len(ix.mesh.Marks))
	for _, c := range crossings {
		if c < 0 || c >= len(ix.mesh.Crossings) {
			return nil, fmt.Errorf("query: filter: crossing %d of %d", c, len(ix.mesh.Crossings))
		}
		marks[ix.mesh.Crossings[c].Mark] = true
	}
	return marks, nil
}

// close adds pairs of areas to the closed boundaries.
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
