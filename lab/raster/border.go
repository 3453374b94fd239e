package raster

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/soup"
)

// borderSegment is a stretch of the edge of accessible floor, seen from above: the foot of a wall, the
// outline of something in the way of the agent's body, or the edge of the floor itself. Its points are
// relative to the corner of its piece's column.
type borderSegment struct{ a, b planar }

// distance returns the distance from p to s.
func (s borderSegment) distance(p planar) float64 {
	ux, uy := s.b.x-s.a.x, s.b.y-s.a.y
	vx, vy := p.x-s.a.x, p.y-s.a.y
	along := float64(ux*vx) + float64(uy*vy)
	if length := float64(ux*ux) + float64(uy*uy); length > 0 {
		t := min(1, max(0, along/length))
		vx, vy = vx-float64(t*ux), vy-float64(t*uy)
	}
	return math.Sqrt(float64(vx*vx) + float64(vy*vy))
}

// borderFinder finds the borders of a piece: for every open side of one of its cells, the obstructing
// triangles in the cell beyond, else the edges of the floor between the two centres, else, if sampling missed
// both, the side itself.
type borderFinder struct {
	surface *surface
	piece   pieceRef
	x, y    int32 // the piece's column
	causes  []borderCause
	sides   []borderSegment
}

// borderCause is a triangle or rim edge that ends a piece, with its effective part.
type borderCause struct {
	class    voxelClass
	source   int32
	lo, hi   [2]float64 // the cells in which it does, as a box in the plane
	low, top float64    // the heights between which it obstructs
}

func (f *borderFinder) reset(r pieceRef) {
	f.piece, f.causes, f.sides = r, f.causes[:0], f.sides[:0]
	f.x, f.y = f.surface.columnOf(r)
}

// find notes the ends of the floor at the open sides in direction d.
func (f *borderFinder) find(open uint64, d int) {
	g := f.surface.grid
	for cell := range cellsOf(open) {
		z := f.surface.height(f.piece, cell)
		cx, cy := int32(cell)%side, int32(cell)/side
		nx, ny := f.x, f.y
		bx, by := cx+stepX[d], cy+stepY[d]
		if atSide(cell, d) {
			nx, ny = nx+stepX[d], ny+stepY[d]
		}
		here := f.surface.voxelsOf(f.x, f.y)
		beyond := f.surface.voxelsOf(nx, ny)
		found := false
		for _, v := range beyond {
			if v.class != rim && v.hi > z+g.climb && v.lo < z+g.height {
				found = f.obstructs(v.source, bx, by, z) || found
			}
		}
		if found {
			continue
		}
		for _, v := range here {
			found = f.ends(v, cx, cy, bx, by, z) || found
		}
		if nx != f.x || ny != f.y {
			for _, v := range beyond {
				found = f.ends(v, cx, cy, bx, by, z) || found
			}
		}
		if !found {
			f.sides = append(f.sides, f.sideSegment(cx, cy, d))
		}
	}
}

// cellBox returns the box of the cell (x, y), counted from the piece's column, in lattice units.
func (f *borderFinder) cellBox(x, y int32) (lo, hi [2]float64) {
	g := f.surface.grid
	c := float64(g.cell)
	lo = [2]float64{float64(f.x*g.column) + float64(x)*c, float64(f.y*g.column) + float64(y)*c}
	return lo, [2]float64{lo[0] + c, lo[1] + c}
}

// obstructs notes triangle t if it intrudes on the body of an agent that stands at height z
// beside the cell (x, y).
func (f *borderFinder) obstructs(t, x, y, z int32) bool {
	g := f.surface.grid
	lo, hi := f.cellBox(x, y)
	p := polygonOf(&f.surface.soup.Triangles[t].V)
	for axis := range 2 {
		if p = p.slab(axis, lo[axis]-1, hi[axis]+1); p.n == 0 {
			return false
		}
	}
	low, top := p.heights()
	if top <= z+g.climb || low >= z+g.height {
		return false
	}
	f.note(borderCause{negative, t, lo, hi, float64(z + g.climb), float64(z + g.height)})
	return true
}

// ends notes a rim edge if it passes between the centres of two neighbouring cells at about the
// height z.
func (f *borderFinder) ends(v columnVoxel, x0, y0, x1, y1, z int32) bool {
	g := f.surface.grid
	if v.class != rim || v.lo > z+g.climb || v.hi < z-g.climb {
		return false
	}
	e := &f.surface.soup.Rim[v.source]
	centre := func(x, y int32) lattice.Point {
		return lattice.Point{X: f.x*g.column + x*g.cell + g.cell/2, Y: f.y*g.column + y*g.cell + g.cell/2}
	}
	if lattice.SegmentContact(e.A.Point, e.B.Point, centre(x0, y0), centre(x1, y1)) == lattice.Disjoint {
		return false
	}
	lo, _ := f.cellBox(min(x0, x1), min(y0, y1))
	_, hi := f.cellBox(max(x0, x1), max(y0, y1))
	f.note(borderCause{rim, v.source, lo, hi, math.Inf(-1), math.Inf(1)})
	return true
}

// note adds a cause, or widens the known cause of the same source. A triangle and a band of heights are
// convex, so the box around two obstructed cells adds no false obstruction between them.
func (f *borderFinder) note(c borderCause) {
	for i := range f.causes {
		k := &f.causes[i]
		if k.class != c.class || k.source != c.source {
			continue
		}
		for axis := range 2 {
			k.lo[axis], k.hi[axis] = min(k.lo[axis], c.lo[axis]), max(k.hi[axis], c.hi[axis])
		}
		k.low, k.top = min(k.low, c.low), max(k.top, c.top)
		return
	}
	f.causes = append(f.causes, c)
}

// sideSegment returns the side of a cell in direction d.
func (f *borderFinder) sideSegment(x, y int32, d int) borderSegment {
	c := float64(f.surface.grid.cell)
	x0, y0 := float64(x)*c, float64(y)*c
	corners := [5]planar{{x0 + c, y0}, {x0 + c, y0 + c}, {x0, y0 + c}, {x0, y0}, {x0 + c, y0}}
	return borderSegment{corners[d], corners[d+1]}
}

// appendSegments returns the outlines of everything noted, seen from above.
func (f *borderFinder) appendSegments(segments []borderSegment) []borderSegment {
	g := f.surface.grid
	x0, y0 := float64(f.x*g.column), float64(f.y*g.column)
	segments = append(segments, f.sides...)
	for _, c := range f.causes {
		var p polygon
		if c.class == rim {
			e := &f.surface.soup.Rim[c.source]
			p.n = 2
			p.v[0] = point3{float64(e.A.X), float64(e.A.Y), float64(e.A.Z)}
			p.v[1] = point3{float64(e.B.X), float64(e.B.Y), float64(e.B.Z)}
		} else {
			p = polygonOf(&f.surface.soup.Triangles[c.source].V)
			p = p.slab(2, c.low, c.top)
		}
		for axis := range 2 {
			p = p.slab(axis, c.lo[axis]-1, c.hi[axis]+1)
		}
		at := func(v point3) planar { return planar{v[0] - x0, v[1] - y0} }
		if c.class == rim || soup.Normal(f.surface.soup.Triangles[c.source].V)[2] == 0 {
			if p.n > 0 {
				a, b := p.planEnds()
				segments = append(segments, borderSegment{at(a), at(b)})
			}
			continue
		}
		for i := range p.n {
			segments = append(segments, borderSegment{at(p.v[i]), at(p.v[(i+1)%p.n])})
		}
	}
	return segments
}
