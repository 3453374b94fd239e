package index

import (
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// DistanceTo returns the distance of a point from region r in metres, seen from above.
func (ix *Index) DistanceTo(r uint32, p lattice.Point) float64 {
	if ix.Contains(r, p) {
		return 0
	}
	ring := ix.Ring(r)
	last := ring[len(ring)-1].Point
	best := lattice.SegmentDistance2(p, last, ring[0].Point)
	for i := 1; i < len(ring); i++ {
		if d := lattice.SegmentDistance2(p, ring[i-1].Point, ring[i].Point); d.Compare(best) < 0 {
			best = d
		}
	}
	return best.Sqrt() * lattice.Unit
}

// overlap reports whether two regions share more than their border, seen from above.
func (ix *Index) overlap(a, b uint32) bool {
	return !divides(ix.Ring(a), ix.Ring(b)) && !divides(ix.Ring(b), ix.Ring(a))
}

// divides reports whether some edge of a has all of b on its outer side or on its line.
func divides(a, b []lattice.Vertex) bool {
	last := a[len(a)-1].Point
	for i := range a {
		if !slices.ContainsFunc(b, func(v lattice.Vertex) bool { return lattice.Orient(last, a[i].Point, v.Point) > 0 }) {
			return true
		}
		last = a[i].Point
	}
	return false
}

// OnFloor returns the world position of a point on the border of region r, at floor height.
func (ix *Index) OnFloor(r uint32, at lattice.Point) geom.Vec {
	return ix.World(at, ix.CornerHeight(r, at))
}

// Named returns the number of the region named by a Ref, if the region is open.
func (ix *Index) Named(r navmesh.Ref) (uint32, error) {
	i, ok := ix.Find(r)
	if !ok {
		return 0, fmt.Errorf("%w: no region is called %v", ErrOffMesh, r)
	}
	if ix.Closed.Region(i) {
		return 0, fmt.Errorf("%w: region %v is closed", ErrOffMesh, r)
	}
	return i, nil
}

// Touches reports whether region r and a box that meets the box of r have a common point: no edge of r has the whole
// box strictly on its outer side.
func (ix *Index) touches(r uint32, corners *[4]lattice.Point) bool {
	ring := ix.Ring(r)
	last := ring[len(ring)-1].Point
	for i := range ring {
		beyond := true
		for _, c := range corners {
			beyond = beyond && lattice.Orient(last, ring[i].Point, c) < 0
		}
		if beyond {
			return false
		}
		last = ring[i].Point
	}
	return true
}

// RegionsAround appends the regions of a place: the place's own region, and all regions behind portals that contain the
// place.
func (ix *Index) RegionsAround(list []uint32, p Place) []uint32 {
	list = append(list, p.Region)
	for i := 0; i < len(list); i++ {
		portals := ix.PortalsOf(ix.Region(list[i]))
		for k := range portals {
			o := &portals[k]
			if lattice.OnSegment(p.At, o.Left, o.Right) && !slices.Contains(list, o.To) {
				list = append(list, o.To)
			}
		}
	}
	return list
}

// Around returns the next portal around the left or right end of p, seen from the region behind p; ok is false at the
// border of the mesh.
func (ix *Index) Around(p uint32, left bool) (next uint32, ok bool) {
	r := ix.Region(ix.Portal(p).To)
	from := ix.Portal(p)
	for i, portals := uint32(0), ix.PortalsOf(r); int(i) < len(portals); i++ {
		o := &portals[i]
		if k := r.FirstPortal + i; k != from.Back && (left && o.Left == from.Left || !left && o.Right == from.Right) {
			return k, true
		}
	}
	return 0, false
}

// Behind returns the region behind a node of A*.
func (ix *Index) Behind(node int32) uint32 {
	if h := int(node) - ix.PortalLimit(); h >= 0 {
		return ix.Hops[h].To
	}
	return ix.Portal(uint32(node)).To
}

// CornerHeight returns the height of the floor at an end of a portal of region r.
func (ix *Index) CornerHeight(r uint32, at lattice.Point) float64 {
	reg := ix.Region(r)
	for _, v := range reg.Ring {
		if v.Point == at {
			return float64(v.Z)
		}
	}
	return ix.HeightAt(r, float64(at.X), float64(at.Y))
}
