package index

import (
	"math"
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// sumAreas makes ix.areas: areas[r+1]-areas[r] is twice the area of region r in square lattice units. The sums are
// exact for meshes of less than 2⁶³ square units, 549,000 km².
func (ix *Index) sumAreas() {
	ix.Areas = make([]uint64, ix.RegionLimit()+1)
	for i := range uint32(ix.RegionLimit()) {
		ring := ix.Ring(i)
		area := uint64(0)
		for k := 1; k+1 < len(ring) && !ix.Closed.Region(uint32(i)) && !ix.Region(uint32(i)).Split; k++ {
			area += uint64(max(0, lattice.Orient(ring[0].Point, ring[k].Point, ring[k+1].Point)))
		}
		ix.Areas[i+1] = ix.Areas[i] + area
	}
}

// TwiceArea returns twice the area of region r in square lattice units, 0 for a closed region.
func (ix *Index) TwiceArea(r uint32) (area uint64) {
	if int(r)+1 < len(ix.Areas) && !ix.Region(r).Split {
		return ix.Areas[r+1] - ix.Areas[r]
	}
	ring := ix.Ring(r)
	for k := 1; k+1 < len(ring); k++ {
		area += uint64(max(0, lattice.Orient(ring[0].Point, ring[k].Point, ring[k+1].Point)))
	}
	return area
}

// FloorArea is TwiceArea for any number below [Index.RegionLimit]: 0 without a region of floor.
func (ix *Index) FloorArea(r uint32) uint64 {
	if ix.Region(r).Split || ix.Closed.Region(r) {
		return 0
	}
	return ix.TwiceArea(r)
}

// PieceAt returns the region of floor at a place of a region of the base: the region itself, or a piece.
func (ix *Index) PieceAt(r uint32, x, y float64) (piece uint32, ok bool) {
	if !ix.Region(r).Split {
		return r, true
	}
	at := lattice.Box{
		Min: lattice.Point{X: int32(math.Floor(x)), Y: int32(math.Floor(y))}, Max: lattice.Point{X: int32(math.Ceil(x)), Y: int32(math.Ceil(y))},
	}
	ok = ix.fringeOf(r).floor.anyIn(at, func(p uint32) bool {
		piece = p
		return ix.Inside(p, x, y)
	})
	return piece, ok
}

// AppendPieces appends the Refs of the floor of a region of the base: the region itself, or its pieces in the order of their blocks and cells.
func (ix *Index) AppendPieces(list []navmesh.Ref, r uint32) []navmesh.Ref {
	if !ix.Region(r).Split {
		return append(list, ix.Region(r).Ref)
	}
	ix.fringeOf(r).floor.all(func(p uint32) { list = append(list, ix.Region(p).Ref) })
	return list
}

// DrawIn draws a point of region r, which must have an area: a triangle of its fan by area, and a point of the
// triangle.
func (ix *Index) DrawIn(r uint32, rng *rand.Rand) (x, y float64) {
	ring := ix.Ring(r)
	u := rng.Uint64N(ix.TwiceArea(r))
	k := 1
	for ; k+2 < len(ring); k++ {
		area := uint64(max(0, lattice.Orient(ring[0].Point, ring[k].Point, ring[k+1].Point)))
		if u < area {
			break
		}
		u -= area
	}
	// Points in the far half of the parallelogram are mirrored into the triangle.
	s, t := rng.Float64(), rng.Float64()
	if s+t > 1 {
		s, t = 1-s, 1-t
	}
	ax, ay := Sub(ring[k].Point, ring[0].Point)
	bx, by := Sub(ring[k+1].Point, ring[0].Point)
	return float64(ring[0].X) + float64(s*ax) + float64(t*bx), float64(ring[0].Y) + float64(s*ay) + float64(t*by)
}

// Inside reports whether (x, y) is in region r, in float64.
func (ix *Index) Inside(r uint32, x, y float64) bool {
	ring := ix.Ring(r)
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		dx, dy := Sub(b, a)
		if float64(dx*(y-float64(a.Y)))-float64(dy*(x-float64(a.X))) < 0 {
			return false
		}
		a = b
	}
	return true
}
