package query

import (
	"fmt"

	"github.com/meadow-nav/meadow/query/internal/index"
	"github.com/meadow-nav/meadow/query/internal/weighted"
)

// MinAreaCost and MaxAreaCost bound the cost of a metre of ground, see [Filter].AreaCosts.
const (
	MinAreaCost = index.MinAreaCost
	MaxAreaCost = index.MaxAreaCost
)

// Filter describes the allowed regions and links. The zero Filter allows everything.
type Filter struct {
	// Include lists flags of which a region or link needs at least one; 0 requires none. Exclude lists flags that close
	// a region or link. Builders give regions navmesh.DefaultFlags, plus the door flag in doorways; links have only the
	// flag of their kind.
	Include, Exclude uint32
	// Closed are indices in Mesh.Marks: the regions and links of these marks are closed.
	Closed []int
	// Radius in metres closes portals and links too narrow for an agent of this radius, if larger than the mesh's agent
	// radius. Regions may still be too narrow inside, see [navmesh.Passage], and paths keep no distance from walls: for
	// both, derive a wider mesh (Mesh.Widen in package meadow).
	Radius float64
	// AreaCosts is the cost of a metre of ground, by navmesh.Region.Area: from [MinAreaCost] to [MaxAreaCost], or +Inf
	// to close the area. Areas without an entry keep their cost in the Index, by default 1.
	AreaCosts map[uint8]float64
	// MarkCosts is the cost of links by the index of their mark in Mesh.Marks, in metres of plain ground, from 0 to 1e9: the
	// wait for a lift, for example. Links of other marks keep their cost in the Index, by default the cost in the mesh.
	MarkCosts map[int]float64
	// Boundaries are pairs of areas whose portals are closed in both directions. Crossings are the indices in
	// Mesh.Crossings of the open crossings over boundaries, see [Index.Method]. All other crossings stay closed.
	Boundaries [][2]uint8
	Crossings  []int
}

// With returns an Index for queries that f allows. Forbidden regions are treated as absent: no position is located in
// them, and their portals are walls; paths turn around the ends of these walls and are the shortest allowed paths.
// Links from or to forbidden regions are closed as well.
//
// Make an Index once per filter, when a door opens or closes, and share the Index among all users; most of its memory
// is shared with ix. If f closes nothing, With returns ix itself. A mark that does not exist or an invalid cost is an
// error. Time O(n log n) for n corners and portals, but less than [NewIndex], because floors are shared.
func (ix *Index) With(f Filter) (*Index, error) {
	ix = ix.ready()
	switch geo, err := ix.geo.With(index.Filter(f)); {
	case err != nil:
		return nil, err
	case geo == ix.geo:
		return ix, nil
	default:
		return &Index{geo: geo, landmarks: ix.landmarks.On(geo, &ix.landmarks), prepared: ix.prepared, gates: weighted.NewGates(geo, nil)}, nil
	}
}

// Names returns the filter for agents that may not pass marks called by a name in deny. If allow is not empty, agents
// may pass only marks called by a name in allow. A mark is called by its name and by its kind; case is ignored. Areas,
// which have no flags, are closed only by deny. Unknown names are errors.
func (x *Index) Names(allow, deny []string) (Filter, error) {
	ix := x.ready().geo
	m := ix.Mesh
	closed := make([]bool, len(m.Marks))
	if len(allow) > 0 {
		for k := range m.Marks {
			closed[k] = m.Marks[k].Flags != 0
		}
	}
	for _, list := range []struct {
		names []string
		shut  bool
	}{{allow, false}, {deny, true}} {
		for _, name := range list.names {
			called, err := m.MarksCalled(name)
			if err != nil {
				return Filter{}, fmt.Errorf("query: filter: %w", err)
			}
			for _, k := range called {
				closed[k] = list.shut
			}
		}
	}
	var f Filter
	for k, shut := range closed {
		if shut {
			f.Closed = append(f.Closed, k)
		}
	}
	return f, nil
}
