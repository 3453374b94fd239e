package index

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Filter has the fields of query.Filter.
type Filter struct {
	Include, Exclude uint32
	Closed           []int
	Radius           float64
	AreaCosts        map[uint8]float64
	MarkCosts        map[int]float64
	Boundaries       [][2]uint8
	Crossings        []int
}

// With returns the geometry for agents that a filter allows: ix itself if the filter closes nothing.
func (ix *Index) With(f Filter) (*Index, error) {
	m := ix.Mesh
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
	ground, err := ix.Ground.with(f.AreaCosts)
	if err != nil {
		return nil, err
	}
	allows := func(flags uint32) bool {
		return (f.Include == 0 || flags&f.Include != 0) && flags&f.Exclude == 0
	}
	c := closing{
		regions: slices.Clone(ix.Closed.regions), narrower: ix.Closed.narrower, boundaries: slices.Clone(ix.Closed.boundaries),
		costs: ix.Closed.costs,
	}
	c.close(f.Boundaries)
	crossed, err := ix.crossed(f.Crossings)
	if err != nil {
		return nil, err
	}
	if c.regions == nil {
		c.regions = make([]bool, ix.RegionLimit())
	}
	if wider := (f.Radius - m.Agent.Radius) * lattice.UnitsPerMetre; wider > c.narrower {
		c.narrower = wider
	}
	changed := ground.Costs != ix.Ground.Costs
	if len(f.MarkCosts) > 0 {
		if c.costs, err = ix.markCosts(f.MarkCosts); err != nil {
			return nil, err
		}
		changed = true
	}
	for r := range uint32(ix.RegionLimit()) {
		reg := ix.Region(r)
		if reg.Split || len(reg.Ring) == 0 {
			continue
		}
		closed := !allows(ix.fringeOf(r).flags) || math.IsInf(ground.Costs[reg.Area], 1)
		for k := 0; ix.Marked != nil && k < len(ix.MarksOf(r)); k++ {
			closed = closed || shut[ix.MarksOf(r)[k].Mark]
		}
		if closed && !c.regions[r] {
			c.regions[r], changed = true, true
			if r < ix.base {
				c.fresh++
			}
		}
	}
	changed = changed || len(c.boundaries) > len(ix.Closed.boundaries) || ix.Changed && c.narrower > max(0, ix.Closed.narrower)
	for slot := range m.Tiles {
		t := &m.Tiles[slot]
		for i := 0; i < len(t.Portals) && !ix.Changed; i++ {
			changed = changed || c.narrow(t.Portals[i].Clearance) && !ix.Closed.narrow(t.Portals[i].Clearance)
		}
	}
	open := make([]bool, len(m.Links))
	for i := range ix.Hops {
		h := &ix.Hops[i]
		open[h.Link] = open[h.Link] || !h.Closed()
	}
	for i := range open {
		l := &m.Links[i]
		was := open[i]
		if !was && !(l.Kind == navmesh.Boundary && l.Mark > 0 && crossed[l.Mark-1]) {
			continue
		}
		// A named crossing is open even if it lacks the flags required of links.
		open[i] = (!was || allows(l.Flags)) && !c.narrow(l.Clearance) && (l.Mark == 0 || !shut[l.Mark-1]) &&
			(ix.Changed || !c.regions[ix.Number(l.From)] && !c.regions[ix.Number(l.To)])
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
	costs      []float64  // of links, by mark, in metres of plain ground; below 0 for the cost in the mesh; nil for none
	fresh      int        // number of regions of the mesh that the Index before leaves open
}

func (c *closing) narrow(clearance int32) bool { return float64(clearance) < c.narrower }

// markCosts returns the costs of links by mark, after changes.
func (ix *Index) markCosts(changes map[int]float64) ([]float64, error) {
	costs := slices.Clone(ix.Closed.costs)
	if costs == nil {
		costs = slices.Repeat([]float64{-1}, len(ix.Mesh.Marks))
	}
	for _, k := range slices.Sorted(maps.Keys(changes)) {
		if k < 0 || k >= len(costs) {
			return nil, fmt.Errorf("query: filter: cost of mark %d of %d", k, len(costs))
		}
		if c := changes[k]; !(c >= 0 && c <= maxMarkCost) {
			return nil, fmt.Errorf("query: filter: mark %d costs %g, must be 0 to %g metres", k, c, maxMarkCost)
		}
		costs[k] = changes[k]
	}
	return costs, nil
}

// maxMarkCost bounds the cost of a link, in metres.
const maxMarkCost = 1e9

// cost returns the cost of a link in metres of plain ground.
func (c *closing) cost(l *navmesh.Link) float64 {
	if c.costs != nil && l.Mark > 0 && c.costs[l.Mark-1] >= 0 {
		return c.costs[l.Mark-1]
	}
	return float64(l.Cost)
}

// Region reports whether region r is closed.
func (c *closing) Region(r uint32) bool { return c.regions != nil && c.regions[r] }

// without returns ix without closed parts of the mesh.
func (ix *Index) without(c closing, open []bool, g *Ground) *Index {
	out := &Index{
		Mesh: ix.Mesh, Floors: ix.Floors, tree: ix.tree, First: ix.First, Marked: ix.Marked, Varied: ix.Varied,
		Height: ix.Height, Climb: ix.Climb, SnapReach: ix.SnapReach, Scale: 1, Closed: c, Sound: ix.Sound,
		Rough: ix.Rough, Taken: ix.Taken + c.fresh,
	}
	if ix.Changed {
		ix.withoutChanged(out, &c, open, g)
		return out
	}
	var b builder
	for slot := range ix.Mesh.Tiles {
		t := ix.Mesh.Tiles[slot]
		cut := make([]bool, len(t.Portals))
		closed := c.regions[ix.First[slot]:]
		for i := range t.Regions {
			for k, p := range t.RegionPortals(i) {
				cut[int(t.Regions[i].FirstPortal)+k] = closed[i] || closed[p.To] || c.narrow(p.Clearance) ||
					c.boundary(t.Regions[i].Area, t.Regions[p.To].Area)
			}
		}
		if slices.Contains(cut, true) {
			t = t.Without(cut)
		}
		b.addRegions(slot, &t)
	}
	for i := range b.regions {
		r, o := ix.Region(uint32(i)), &b.regions[i]
		o.Ring, o.Floor, o.Area = r.Ring, r.Floor, r.Area
		o.Center, o.Core, o.Low, o.High = r.Center, r.Core, r.Low, r.High
	}
	out.fill(&b)
	out.Ground = g
	out.levelOut()
	out.join(func(link int) bool { return open[link] })
	out.sumAreas()
	return out
}

// withoutChanged is without for a changed Index.
func (ix *Index) withoutChanged(out *Index, c *closing, open []bool, g *Ground) {
	out.Changed = true
	var clearances []int32
	if c.narrower > 0 {
		clearances = ix.clearances()
	}
	ix.withoutPortals(out, func(r, n uint32) bool {
		to := ix.Portal(n).To
		return c.regions[r] || c.regions[to] || clearances != nil && c.narrow(clearances[n]) || c.boundary(ix.Region(r).Area, ix.Region(to).Area)
	})
	out.Ground = g
	out.levelOut()
	out.join(func(link int) bool { return open[link] })
	out.sumAreas()
}

// withoutCrossings returns a predicate for the links open to agents without a method; nil if all links are open.
func (ix *Index) withoutCrossings() func(link int) bool {
	links := ix.Mesh.Links
	if !slices.ContainsFunc(links, func(l navmesh.Link) bool { return l.Kind == navmesh.Boundary }) {
		return nil
	}
	return func(i int) bool { return links[i].Kind != navmesh.Boundary }
}

// crossed returns a set of marks, by number: the marks of the given crossings.
func (ix *Index) crossed(crossings []int) ([]bool, error) {
	marks := make([]bool, len(ix.Mesh.Marks))
	for _, c := range crossings {
		if c < 0 || c >= len(ix.Mesh.Crossings) {
			return nil, fmt.Errorf("query: filter: crossing %d of %d", c, len(ix.Mesh.Crossings))
		}
		marks[ix.Mesh.Crossings[c].Mark] = true
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

// Unfiltered returns ix with its closed regions open to the questions of a [Locator]. Searches need ix itself.
func (ix *Index) Unfiltered() *Index {
	out := *ix
	out.Closed = closing{}
	return &out
}
