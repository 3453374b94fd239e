package query

import (
	"fmt"
	"math"
	"strings"
)

// Method returns the filter for agents that move by a method of the mesh. Areas closed to the method are closed, other
// areas have the method's costs. Boundaries that the method has crossings for are closed except at the crossings.
// Callers may change the filter before use. For an unknown name the error lists the methods of the mesh.
//
// A path of the Index derived by [Index.With] never touches ground closed to the method. A path over a boundary takes a
// crossing and lists the crossing in its Crossings.
func (x *Index) Method(name string) (Filter, error) {
	ix := x.ready().geo
	m := ix.Mesh
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
	for i := range ix.Mesh.Methods {
		k := &ix.Mesh.Methods[i]
		if int(area) < len(k.Costs) && !math.IsInf(float64(k.Costs[area]), 1) {
			names = append(names, k.Name)
		}
	}
	return names
}
