package index

// Links in searches.
//
// A link between points is a hop, from its start to its end at its cost. A link between segments is a row of hops, at
// both ends of the segments and at most hopSpacing apart. The best hop is then moved along the link to make the way
// through the same regions as short as possible. A way over wide links is longer than the shortest by less than
// hopSpacing per link. If the hop next to the best place leads through the same regions, the link adds no excess.

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// hopSpacing is the distance of hops along a link, in lattice units.
const hopSpacing = lattice.UnitsPerMetre / 4

// Hop is a place to take a link.
type Hop struct {
	Start, End   lattice.Point
	StartZ, EndZ float64 // lattice units
	From, To     uint32
	ends         []uint32 // the regions around the end
	Link         int32    // in Mesh.Links
	Cost         float64  // lattice units
	// Of a wide link: t is the relative position along the link, and step the relative distance of hops. Both are 0 for
	// a link between points.
	T, Step float64
	own     float64 // T of the hop without obstacles, see gaps.go
}

// addHops adds the hops of the open links; a nil open means all links.
func (ix *Index) addHops(open func(link int) bool) {
	m := ix.Mesh
	var list []int32
	for i := range m.Links {
		l := &m.Links[i]
		if open != nil && !open(i) {
			continue
		}
		if _, _, ok := m.Region(l.From); !ok {
			continue
		}
		if _, _, ok := m.Region(l.To); !ok {
			continue
		}
		list = append(list, int32(i))
	}
	spacing := hopSpacingFor(m, list)
	for _, i := range list {
		ix.addLink(i, &m.Links[i], spacing)
	}
	if len(ix.Hops) == 0 {
		return
	}
	// Each hop is listed in all regions around its start.
	var around []uint32
	for i := range ix.Hops {
		h := &ix.Hops[i]
		if h.Closed() {
			continue
		}
		around = ix.RegionsAround(around[:0], Place{Region: h.From, At: h.Start})
		for _, r := range around {
			f := ix.fringeOf(r)
			f.hops = append(f.hops, int32(i))
		}
		h.ends = ix.RegionsAround(nil, Place{Region: h.To, At: h.End})
	}
	ix.boundShortcuts()
}

// widthOf returns the width of a link at its wider end.
func widthOf(l *navmesh.Link) float64 {
	return max(Distance(l.Start[0].Point, l.Start[1].Point), Distance(l.End[0].Point, l.End[1].Point))
}

// hopSpacingFor returns the distance of hops along wide links, in lattice units: hopSpacing, or more to limit the
// number of hops of all links, see limits.go.
func hopSpacingFor(m *navmesh.Mesh, links []int32) float64 {
	all := 0.0
	for _, i := range links {
		all += widthOf(&m.Links[i])
	}
	return max(hopSpacing, all/float64(hopStart+hopsOver*len(links)))
}

func (ix *Index) addLink(number int32, l *navmesh.Link, spacing float64) {
	n := math.Ceil(widthOf(l) / spacing)
	step := 0.0
	if n > 0 {
		step = 1 / n
	}
	for i := 0.0; i <= n; i++ {
		ix.Hops = append(ix.Hops, ix.hopNear(number, min(float64(i*step), 1), step))
	}
}

// HopAt returns the hop at relative position t along a link, whose two regions are regions of the base. The hop is
// closed if an end has no floor.
func (ix *Index) HopAt(link int32, t float64) Hop {
	l := &ix.Mesh.Links[link]
	from, to := ix.Number(l.From), ix.Number(l.To)
	start, startZ := between(l.Start, t)
	end, endZ := between(l.End, t)
	h := Hop{StartZ: startZ, EndZ: endZ, Link: link, T: t, Cost: ix.Closed.cost(l) * lattice.UnitsPerMetre / ix.Ground.Metre}
	h.Start, h.From = ix.floorBy(from, start[0], start[1])
	h.End, h.To = ix.floorBy(to, end[0], end[1])
	if ix.Changed && !h.Closed() && (ix.Closed.Region(h.From) || ix.Closed.Region(h.To)) {
		h.From = nowhere
	}
	straight := max(Distance(l.Start[0].Point, l.End[0].Point), Distance(l.Start[1].Point, l.End[1].Point))
	if h.Cost >= straight {
		h.Cost = max(h.Cost, Distance(h.Start, h.End)) // rounding makes no shortcuts
	}
	return h
}

// Number returns the number of an existing region.
func (ix *Index) Number(r navmesh.Ref) uint32 {
	if r.Slot() >= firstPieceSlot {
		return ix.base + uint32((r.Slot()-firstPieceSlot)*(navmesh.MaxIndex+1)+r.Index())
	}
	return ix.First[r.Slot()] + uint32(r.Index())
}

// Find returns the number of the region with a Ref, if the region has floor.
func (ix *Index) Find(r navmesh.Ref) (number uint32, ok bool) {
	if r.Slot() >= firstPieceSlot {
		if n := uint64(ix.base) + uint64(r.Slot()-firstPieceSlot)*(navmesh.MaxIndex+1) + uint64(r.Index()); n < uint64(ix.regionLimit) {
			return uint32(n), ix.Region(uint32(n)).Ref == r
		}
		return 0, false
	}
	if _, _, ok := ix.Mesh.Region(r); !ok {
		return 0, false
	}
	n := ix.First[r.Slot()] + uint32(r.Index())
	return n, !ix.Region(n).Split
}

// between returns the place at relative position t along a segment.
func between(s [2]lattice.Vertex, t float64) (at [2]float64, z float64) {
	mix := func(a, b int32) float64 { return float64(a) + float64(t*float64(int64(b)-int64(a))) }
	return [2]float64{mix(s[0].X, s[1].X), mix(s[0].Y, s[1].Y)}, mix(s[0].Z, s[1].Z)
}

// WithoutHops returns an Index of the same floor without links.
func (ix *Index) WithoutHops() *Index {
	if len(ix.Hops) == 0 {
		return ix
	}
	out := *ix
	out.Hops, out.Shortcuts, out.chains, out.Scale, out.Reach, out.linked = nil, nil, nil, 1, reachable{}, nil
	return &out
}

// HopBases returns the regions of the mesh at the ends of a hop.
func (ix *Index) HopBases(h *Hop) (from, to uint32) {
	l := &ix.Mesh.Links[h.Link]
	return ix.Number(l.From), ix.Number(l.To)
}

// HopsOf returns the hops with a start in region r.
func (ix *Index) HopsOf(r uint32) []int32 {
	if len(ix.Hops) == 0 {
		return nil
	}
	return ix.fringeOf(r).hops
}

// HasHops reports whether any link is open.
func (ix *Index) HasHops() bool { return len(ix.Hops) > 0 }

// EndsOf returns the regions around the end of hop h.
func (ix *Index) EndsOf(h *Hop) []uint32 { return h.ends }
