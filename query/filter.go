package query

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// MinAreaCost and MaxAreaCost bound the cost of a metre of ground, see [Filter].AreaCosts.
const (
	MinAreaCost = minAreaCost
	MaxAreaCost = maxAreaCost
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
// is shared with ix. If f closes nothing, With returns ix itself. A mark that does not exist or an invalid area cost is
// an error. Time O(n log n) for n corners and portals, but less than [NewIndex], because floors are shared.
func (ix *Index) With(f Filter) (*Index, error) {
	ix = ix.ready()
	switch geo, err := ix.geo.with(filter(f)); {
	case err != nil:
		return nil, err
	case geo == ix.geo:
		return ix, nil
	default:
		return &Index{geo: geo, gates: newGates(geo)}, nil
	}
}

// filter has the fields of query.Filter.
type filter struct {
	Include, Exclude uint32
	Closed           []int
	Radius           float64
	AreaCosts        map[uint8]float64
	Boundaries       [][2]uint8
	Crossings        []int
}

// with returns the geometry for agents that a filter allows: ix itself if the filter closes nothing.
func (ix *geometry) with(f filter) (*geometry, error) {
	m := ix.mesh
	shut := make([]bool, len(m.Marks))
	for _, k := range f.Closed {
		if k < 0 || k >= len(m.Marks) {
			return nil, fmt.Errorf("query: filter: mark %d of %d", k, len(m.Marks))
		}
		shut[k] = true
	}
	if math.IsNaN(f.Radius) || math.IsInf(f.Radius, 0) {
		return nil, fmt.Errorf("query: filter: Radius is %g, must be a finite number of metres", f.Radius)
	}
	ground, err := ix.ground.with(f.AreaCosts)
	if err != nil {
		return nil, err
	}
	allows := func(flags uint32) bool {
		return (f.Include == 0 || flags&f.Include != 0) && flags&f.Exclude == 0
	}
	c := closing{regions: slices.Clone(ix.closed.regions), narrower: ix.closed.narrower, boundaries: slices.Clone(ix.closed.boundaries)}
	c.close(f.Boundaries)
	crossed, err := ix.crossed(f.Crossings)
	if err != nil {
		return nil, err
	}
	if c.regions == nil {
		c.regions = make([]bool, len(ix.regions))
	}
	if wider := (f.Radius - m.Agent.Radius) * lattice.UnitsPerMetre; wider > c.narrower {
		c.narrower = wider
	}
	changed := ground.costs != ix.ground.costs
	for slot := range m.Tiles {
		t, closed := &m.Tiles[slot], c.regions[ix.first[slot]:]
		for i := range t.Regions {
			if !closed[i] && (!allows(t.Regions[i].Flags) || math.IsInf(ground.costs[t.Regions[i].Area], 1)) {
				closed[i], changed = true, true
			}
		}
		for _, k := range t.Marked {
			if !closed[k.Region] && shut[k.Mark] {
				closed[k.Region], changed = true, true
			}
		}
		changed = changed || len(c.boundaries) > len(ix.closed.boundaries)
		for i := range t.Portals {
			changed = changed || c.narrow(t.Portals[i].Clearance) && !ix.closed.narrow(t.Portals[i].Clearance)
		}
	}
	open := make([]bool, len(m.Links))
	for i := range ix.hops {
		open[ix.hops[i].link] = true
	}
	for i := range open {
		l := &m.Links[i]
		was := open[i]
		if !was && !(l.Kind == navmesh.Boundary && l.Mark > 0 && crossed[l.Mark-1]) {
			continue
		}
		// A named crossing is open even if it lacks the flags required of links.
		open[i] = (!was || allows(l.Flags)) && !c.narrow(l.Clearance) && (l.Mark == 0 || !shut[l.Mark-1]) && !c.regions[ix.number(l.From)] && !c.regions[ix.number(l.To)]
		changed = changed || open[i] != was
	}
	if !changed {
		return ix, nil
	}
	return ix.without(c, open, ground), nil
}

// closing lists the parts of the mesh that an Index leaves out. The zero closing leaves nothing out.
type closing struct {
	regions    []bool     // by number; nil for none
	boundaries [][2]uint8 // pairs of areas, the lesser first, in order
	narrower   float64    // closes portals and links of less clearance, in lattice units
}

func (c *closing) narrow(clearance int32) bool { return float64(clearance) < c.narrower }

// region reports whether region r is closed.
func (c *closing) region(r uint32) bool { return c.regions != nil && c.regions[r] }

// without returns ix without closed parts of the mesh.
func (ix *geometry) without(c closing, open []bool, g *groundCosts) *geometry {
	out := &geometry{
		mesh: ix.mesh, corners: ix.corners, floors: ix.floors, tree: ix.tree, first: ix.first, marked: ix.marked,
		height: ix.height, climb: ix.climb, snapReach: ix.snapReach,
		firstWall: []uint32{0}, firstRim: []uint32{0}, scale: 1, closed: c, sound: ix.sound,
	}
	for slot := range ix.mesh.Tiles {
		t := ix.mesh.Tiles[slot]
		cut := make([]bool, len(t.Portals))
		closed := c.regions[ix.first[slot]:]
		for i := range t.Regions {
			for k, p := range t.RegionPortals(i) {
				cut[int(t.Regions[i].FirstPortal)+k] = closed[i] || closed[p.To] || c.narrow(p.Clearance) ||
					c.boundary(t.Regions[i].Area, t.Regions[p.To].Area)
			}
		}
		if slices.Contains(cut, true) {
			t = t.Without(cut)
		}
		out.addRegions(slot, &t)
	}
	for i := range out.regions {
		r := &ix.regions[i]
		out.regions[i].firstCorner, out.regions[i].endCorner, out.regions[i].floor = r.firstCorner, r.endCorner, r.floor
		out.regions[i].center, out.regions[i].core, out.regions[i].low, out.regions[i].high = r.center, r.core, r.low, r.high
	}
	out.area, out.ground = ix.area, g
	out.levelOut()
	out.join(func(link int) bool { return open[link] })
	out.sumAreas()
	return out
}

// Names returns the filter for agents that may not pass marks called by a name in deny. If allow is not empty, agents
// may pass only marks called by a name in allow. A mark is called by its name and by its kind; case is ignored. Areas,
// which have no flags, are closed only by deny. Unknown names are errors.
func (x *Index) Names(allow, deny []string) (Filter, error) {
	ix := x.ready().geo
	m := ix.mesh
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
