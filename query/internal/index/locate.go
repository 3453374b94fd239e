package index

import (
	"math"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/floats"
)

// Place is a Position with the region number and lattice coordinates of the Index.
type Place struct {
	Region uint32
	At     lattice.Point
	Z      float64 // height above the frame in lattice units
}

// World returns the world position of a lattice point at height z.
func (ix *Index) World(at lattice.Point, z float64) geom.Vec {
	return ix.Mesh.Frame.FromLocal(float64(at.X), float64(at.Y), z)
}

// Locator is the memory of searches for places.
type Locator struct {
	search boxtree.Nearest
}

// Locate is query.Query.Locate.
func (l *Locator) Locate(ix *Index, p geom.Vec) (found Place, ok bool) {
	at, _, inFrame := ix.Mesh.Frame.FromWorld(p)
	if !inFrame {
		return Place{}, false
	}
	_, _, z := ix.Mesh.Frame.Local(p)
	// One unit of margin keeps floors at exactly the limit despite rounding.
	low, high := z-ix.Height-1, z+ix.Climb+1
	column := box{
		Low:  [3]int32{at.X, at.Y, int32(math.Max(math.Floor(low), math.MinInt32))},
		High: [3]int32{at.X, at.Y, int32(math.Min(math.Ceil(high), math.MaxInt32))},
	}
	best := math.Inf(1)
	try := func(id int32) bool {
		r := uint32(id)
		if ix.Closed.Region(r) || !ix.Contains(r, at) {
			return false
		}
		h := ix.HeightAt(r, float64(at.X), float64(at.Y))
		if h < low || h > high {
			return false
		}
		if d := math.Abs(h - z); d < best || d == best && r < found.Region {
			best, found, ok = d, Place{r, at, h}, true
		}
		return false
	}
	if !ix.Changed { // no region is split
		ix.tree.Any(&column, try)
		return found, ok
	}
	within := lattice.Box{Min: at, Max: at}
	is := func(r uint32) bool { return try(int32(r)) }
	ix.tree.Any(&column, func(id int32) bool { return ix.anyOf(uint32(id), within, is) })
	return found, ok
}

// SnapLimits are additional limits of candidate places, in lattice units.
type SnapLimits struct {
	Across, Below, Above float64
	Among                *ReachSet // the reachable regions; nil for all regions
}

// Anywhere allows all places.
var Anywhere = SnapLimits{Across: math.Inf(1), Below: math.Inf(1), Above: math.Inf(1)}

// Nearest is query.Query.Nearest for places within limits.
func (l *Locator) Nearest(ix *Index, p geom.Vec, reach float64, limits *SnapLimits) (found Place, ok bool) {
	x, y, z := ix.Mesh.Frame.Local(p)
	if !p.IsFinite() || !(reach >= 0) {
		return Place{}, false
	}
	// One unit of margin makes up for rounding to the lattice.
	limit := float64(reach*lattice.UnitsPerMetre) + 1
	best2 := float64(limit * limit)
	try := func(r uint32) {
		if ix.Closed.Region(r) || limits.Among != nil && !limits.Among.Has(ix, r) {
			return
		}
		at := ix.NearestIn(r, x, y)
		dx, dy := float64(at.X)-x, float64(at.Y)-y
		plan2 := float64(dx*dx) + float64(dy*dy)
		// The floor of the region lies between low and high.
		reg := ix.Region(r)
		if away := floats.Max(floats.Max(float64(reg.Low)-z, z-float64(reg.High)), 0); plan2+float64(away*away) > best2 || plan2 > float64(limits.Across*limits.Across) {
			return
		}
		h := ix.HeightAt(r, float64(at.X), float64(at.Y))
		if h < z-limits.Below || h > z+limits.Above {
			return
		}
		d2 := plan2 + float64((h-z)*(h-z))
		if d2 < best2 || d2 == best2 && (!ok || r < found.Region) {
			best2, found, ok = d2, Place{r, at, h}, true
		}
	}
	if limits.Among != nil {
		if regions, few := limits.Among.few(ix); few {
			for _, r := range regions {
				try(r)
			}
			return found, ok
		}
	}
	l.search.Start(&ix.tree, [3]float64{x, y, z})
	for id, more := l.search.Next(best2); more; id, more = l.search.Next(best2) {
		if r := uint32(id); ix.Region(r).Split {
			ix.fringeOf(r).floor.nearest(x, y, &best2, try)
		} else {
			try(r)
		}
	}
	return found, ok
}

// NearestIn returns a lattice point of region r near the point of r that is nearest to (x, y).
func (ix *Index) NearestIn(r uint32, x, y float64) lattice.Point {
	if ix.inCore(r, x, y, 1) {
		return lattice.Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
	}
	ring := ix.Ring(r)
	inside := true
	best2 := math.Inf(1)
	var nx, ny float64
	a := ring[len(ring)-1].Point
	for i := range ring {
		b := ring[i].Point
		abx, aby := Sub(b, a)
		px, py := x-float64(a.X), y-float64(a.Y)
		if float64(abx*py)-float64(aby*px) < 0 {
			inside = false
			t := (float64(px*abx) + float64(py*aby)) / (float64(abx*abx) + float64(aby*aby))
			t = floats.Part(t)
			ex, ey := float64(t*abx), float64(t*aby)
			if d2 := float64((px-ex)*(px-ex)) + float64((py-ey)*(py-ey)); d2 < best2 {
				best2, nx, ny = d2, float64(a.X)+ex, float64(a.Y)+ey
			}
		}
		a = b
	}
	if inside {
		nx, ny = x, y
	}
	return ix.RoundInto(r, nx, ny)
}

// RoundInto returns the lattice point of region r nearest to (x, y), a point of r up to rounding. Only lattice points
// around (x, y) are tried; if none is in r, the result is the nearest corner.
func (ix *Index) RoundInto(r uint32, x, y float64) lattice.Point {
	p := lattice.Point{X: int32(math.Floor(x + 0.5)), Y: int32(math.Floor(y + 0.5))}
	if ix.Contains(r, p) {
		return p
	}
	// Only p is nearer than the nearest neighbour on either axis.
	dx, dy := x-float64(p.X), y-float64(p.Y)
	second, third := p, p
	second.X += int32(math.Copysign(1, dx))
	third.Y += int32(math.Copysign(1, dy))
	if math.Abs(dx) < math.Abs(dy) {
		second, third = third, second
	}
	if ix.Contains(r, second) {
		return second
	}
	if ix.Contains(r, third) {
		return third
	}
	best2 := math.Inf(1)
	var best lattice.Point
	for j := p.Y - 1; j <= p.Y+1; j++ {
		for i := p.X - 1; i <= p.X+1; i++ {
			at := lattice.Point{X: i, Y: j}
			if d2 := planeDistance2(at, x, y); d2 < best2 && ix.Contains(r, at) {
				best2, best = d2, at
			}
		}
	}
	if !math.IsInf(best2, 1) {
		return best
	}
	for _, v := range ix.Ring(r) {
		if d2 := planeDistance2(v.Point, x, y); d2 < best2 {
			best2, best = d2, v.Point
		}
	}
	return best
}

// planeDistance2 returns the squared distance of p and (x, y).
func planeDistance2(p lattice.Point, x, y float64) float64 {
	dx, dy := float64(p.X)-x, float64(p.Y)-y
	return float64(dx*dx) + float64(dy*dy)
}

// InBox appends the regions that meet a box in plan and overlap the box in height.
func (ix *Index) InBox(low, high lattice.Point, zLow, zHigh int32, list []uint32) []uint32 {
	corners := [4]lattice.Point{low, {X: high.X, Y: low.Y}, high, {X: low.X, Y: high.Y}}
	within := box{Low: [3]int32{low.X, low.Y, zLow}, High: [3]int32{high.X, high.Y, zHigh}}
	ix.tree.Any(&within, func(id int32) bool {
		return ix.anyOf(uint32(id), lattice.Box{Min: low, Max: high}, func(r uint32) bool {
			if !ix.Closed.Region(r) && ix.touches(r, &corners) {
				list = append(list, r)
			}
			return false
		})
	})
	return list
}
