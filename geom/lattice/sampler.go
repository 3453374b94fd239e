package lattice

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/floats"
)

// Sampler answers height questions on a TIN. It is immutable and safe for concurrent use; a question
// allocates nothing.
//
// Questions take local coordinates in lattice units, see [Frame.Local], rounded to 2⁻¹⁶ units first. The
// choice of the triangle under a point is then exact, so no point between two adjacent triangles is lost.
// Heights are interpolated in float64 without fused operations, so they are the same on every machine.
type Sampler struct {
	triangles [][3]Vertex // the usable ones
	cells     cellTable
	small     bool  // no triangle and no cell is larger than a kilometre
	grid      *grid // of the triangles in cells with too many, nil without such cells
}

// fraction is the number of fractional bits of a question's coordinates.
const fraction = 16

// NewSampler indexes t; do not change t afterwards. Triangles that are clockwise, without area or with
// invalid vertices are left out. Time and memory O(n).
func NewSampler(t *TIN) *Sampler {
	s := &Sampler{small: true, triangles: make([][3]Vertex, 0, len(t.Triangles))}
	for _, tri := range t.Triangles {
		n := uint32(len(t.Vertices))
		if tri[0] >= n || tri[1] >= n || tri[2] >= n {
			continue
		}
		a, b, c := t.Vertices[tri[0]], t.Vertices[tri[1]], t.Vertices[tri[2]]
		if Orient(a.Point, b.Point, c.Point) > 0 {
			s.triangles = append(s.triangles, [3]Vertex{a, b, c})
			w, h := BoxOf(a.Point, b.Point, c.Point).Size()
			s.small = s.small && max(w, h) <= kilometre
		}
	}
	s.cells = newCellTable(s.triangles)
	s.small = s.small && 1<<s.cells.shift <= kilometre
	if s.cells.crowded {
		crowded := s.cells.inCrowdedCells(len(s.triangles))
		box := func(i int) Box {
			if !crowded[i] {
				return EmptyBox()
			}
			a, b, c := s.corners(uint32(i))
			return BoxOf(a.Point, b.Point, c.Point)
		}
		touches := func(i int, cell Box) bool {
			a, b, c := s.corners(uint32(i))
			return touchesTriangle(a.Point, b.Point, c.Point, cell)
		}
		s.grid = newGrid(len(s.triangles), box, touches)
	}
	return s
}

// Triangle returns a triangle by its number. The numbers are those of the TIN if every triangle there is counter-clockwise
// and of positive area; otherwise the triangles left out have none.
func (s *Sampler) Triangle(i uint32) [3]Vertex { return s.triangles[i] }

// Near appends the numbers of the triangles that touch a box as seen from above, and of some beside the box, in ascending
// order. Time O(k log k) for k entries of triangles in the cells of the table that meet the box.
func (s *Sampler) Near(box Box, list []uint32) []uint32 {
	if box.IsEmpty() || len(s.triangles) == 0 {
		return list
	}
	t := &s.cells
	first, last, none := t.meeting(int64(box.Min.X), int64(box.Max.X), int64(box.Min.Y), int64(box.Max.Y))
	if none {
		return list
	}
	touches := func(i uint32) bool {
		a, b, c := s.corners(i)
		return min(a.X, b.X, c.X) <= box.Max.X && max(a.X, b.X, c.X) >= box.Min.X && min(a.Y, b.Y, c.Y) <= box.Max.Y && max(a.Y, b.Y, c.Y) >= box.Min.Y
	}
	if (last[0]-first[0]+1)*(last[1]-first[1]+1) > int64(len(s.triangles)) {
		// Looking at every triangle is cheaper than at every cell.
		for i := range uint32(len(s.triangles)) {
			if touches(i) {
				list = append(list, i)
			}
		}
		return list
	}
	from := len(list)
	for cy := first[1]; cy <= last[1]; cy++ {
		k := cy * int64(t.width)
		for _, i := range t.items[t.start[k+first[0]]:t.start[k+last[0]+1]] {
			if !touches(i) {
				continue
			}
			// Most boxes touch few triangles: each takes its place among those before.
			at := len(list)
			if at-from > fewNear {
				list = append(list, i)
				continue
			}
			for at > from && list[at-1] > i {
				at--
			}
			if at == from || list[at-1] != i {
				list = slices.Insert(list, at, i)
			}
		}
	}
	if len(list)-from > fewNear {
		slices.Sort(list[from:])
		list = list[:from+len(slices.Compact(list[from:]))]
	}
	return list
}

// fewNear is the number of triangles up to which sorting by insertion is quick.
const fewNear = 32

func (s *Sampler) corners(i uint32) (a, b, c *Vertex) {
	tri := &s.triangles[i]
	return &tri[0], &tri[1], &tri[2]
}

// kilometre in lattice units, rounded up to a power of two.
const kilometre = 1 << 22

// Height returns the height of the highest triangle at (x, y), borders included, in lattice units. ok is
// false if there is none.
func (s *Sampler) Height(x, y float64) (z float64, ok bool) {
	return s.HeightBelow(x, y, math.Inf(1), 0)
}

// HeightBelow returns the highest height at (x, y) that is at most limit. If no triangle has one, it returns
// the height at the nearest point of a triangle's border within reach. Each edge offers its nearest point if
// the height there is at most limit; of equally near points the highest counts. Points on the border of a
// layer sit at rounded positions, and a reach of one or two units finds their height. All in lattice units.
//
// Time O(1) if at most maxInCell triangles touch a cell of a table with O(n) cells, else O(k) for the k
// triangles with boxes nearby, over at most 32 levels of size; with a reach, at most O(n).
func (s *Sampler) HeightBelow(x, y, limit, reach float64) (z float64, ok bool) {
	// Outside of this range nothing is within any sensible reach, and int64 ends.
	const far = 4 * float64(MaxCoord)
	if !(math.Abs(x) < far && math.Abs(y) < far) {
		return 0, false
	}
	qx := int64(math.Floor(float64(x*(1<<fraction)) + 0.5))
	qy := int64(math.Floor(float64(y*(1<<fraction)) + 0.5))
	z = math.Inf(-1)
	if few, all := s.cells.at(int32(qx>>fraction), int32(qy>>fraction)); all && s.small {
		for _, i := range few {
			if h, in := heightOver(&s.triangles[i], qx, qy); in && h <= limit && h > z {
				z = h
			}
		}
	} else if all {
		z = s.highest(few, qx, qy, limit, z)
	} else {
		for levels, l := s.grid.levels, uint(0); levels != 0; levels, l = levels>>1, l+1 {
			if levels&1 != 0 {
				z = s.highest(s.grid.at(l, int32(qx>>(fraction+l)), int32(qy>>(fraction+l))), qx, qy, limit, z)
			}
		}
	}
	switch {
	case !math.IsInf(z, -1):
		return z, true
	case reach > 0:
		return s.nearest(qx, qy, limit, reach)
	}
	return 0, false
}

// highest returns the highest height at most limit of some triangles at the point in 2⁻¹⁶ units, or z
// where that is higher.
func (s *Sampler) highest(triangles []uint32, qx, qy int64, limit, z float64) float64 {
	for _, i := range triangles {
		if h, in := s.heightIn(i, qx, qy); in && h <= limit && h > z {
			z = h
		}
	}
	return z
}

// heightIn returns the height of triangle i at the point in 2⁻¹⁶ units; in is false when the
// closed triangle does not hold it.
func (s *Sampler) heightIn(i uint32, qx, qy int64) (z float64, in bool) {
	a, b, c := s.corners(i)
	ax, ay := int64(a.X)<<fraction, int64(a.Y)<<fraction
	bx, by := int64(b.X)<<fraction, int64(b.Y)<<fraction
	cx, cy := int64(c.X)<<fraction, int64(c.Y)<<fraction
	left, right := min(ax, bx, cx), max(ax, bx, cx)
	low, high := min(ay, by, cy), max(ay, by, cy)
	if qx < left || qx > right || qy < low || qy > high {
		return 0, false
	}
	if right-left <= kilometre<<fraction && high-low <= kilometre<<fraction {
		return heightOver(&s.triangles[i], qx, qy)
	}
	sa := wideSide(b.Point, c.Point, qx-bx, qy-by)
	sb := wideSide(c.Point, a.Point, qx-cx, qy-cy)
	sc := wideSide(a.Point, b.Point, qx-ax, qy-ay)
	if sa.sign() < 0 || sb.sign() < 0 || sc.sign() < 0 {
		return 0, false
	}
	return mixHeights(a, b, c, sa.float(), sb.float(), sc.float()), true
}

// heightOver is heightIn for a triangle of at most a kilometre, and a point at most as far from its box: a
// product of a difference in units and one in 2⁻¹⁶ units is below 2⁶¹.
func heightOver(t *[3]Vertex, qx, qy int64) (z float64, in bool) {
	a, b, c := &t[0], &t[1], &t[2]
	sa := int64(c.X-b.X)*(qy-int64(b.Y)<<fraction) - int64(c.Y-b.Y)*(qx-int64(b.X)<<fraction)
	if sa < 0 {
		return 0, false
	}
	sb := int64(a.X-c.X)*(qy-int64(c.Y)<<fraction) - int64(a.Y-c.Y)*(qx-int64(c.X)<<fraction)
	if sb < 0 {
		return 0, false
	}
	sc := int64(b.X-a.X)*(qy-int64(a.Y)<<fraction) - int64(b.Y-a.Y)*(qx-int64(a.X)<<fraction)
	if sc < 0 {
		return 0, false
	}
	return mixHeights(a, b, c, float64(sa), float64(sb), float64(sc)), true
}

// mixHeights returns the weighted mean of the heights of three corners; at least one weight is not 0.
func mixHeights(a, b, c *Vertex, wa, wb, wc float64) float64 {
	lift := float64(wb*float64(int64(b.Z)-int64(a.Z))) + float64(wc*float64(int64(c.Z)-int64(a.Z)))
	z := float64(a.Z) + lift/(wa+wb+wc)
	// Rounding may leave the triangle's range by the last bit.
	return floats.Min(floats.Max(z, float64(min(a.Z, b.Z, c.Z))), float64(max(a.Z, b.Z, c.Z)))
}

// wideSide is the orientation of a, b and a point dx, dy away from a in 2⁻¹⁶ units.
func wideSide(a, b Point, dx, dy int64) wide {
	abx, aby := b.Sub(a)
	return mulSigned(abx, dy).sub(mulSigned(aby, dx))
}

// nearest returns the height at the nearest point of the surface within reach. It examines only triangles
// beside the point, or too high there.
func (s *Sampler) nearest(qx, qy int64, limit, reach float64) (z float64, ok bool) {
	x, y := float64(qx)/(1<<fraction), float64(qy)/(1<<fraction)
	found := nearestSurface{x: x, y: y, limit: limit, distance2: float64(reach * reach)}
	left, right := inside(x-reach), inside(x+reach)
	low, high := inside(y-reach), inside(y+reach)
	if s.nearestInCells(&found, left, right, low, high) {
		s.nearestInGrid(&found, left, right, low, high)
	}
	return found.z, found.ok
}

// nearestInGrid looks at the triangles of the grid whose cells meet a box.
func (s *Sampler) nearestInGrid(found *nearestSurface, left, right, low, high int64) {
	for levels, l := s.grid.levels, uint(0); levels != 0; levels, l = levels>>1, l+1 {
		if levels&1 == 0 {
			continue
		}
		cells := ((right >> l) - (left >> l) + 1) * ((high >> l) - (low >> l) + 1)
		if cells > int64(len(s.triangles)) {
			// Looking at every triangle is cheaper than at every cell.
			for i := range s.triangles {
				if uint(s.grid.level[i]) == l {
					found.look(s.corners(uint32(i)))
				}
			}
			continue
		}
		for cy := low >> l; cy <= high>>l; cy++ {
			for cx := left >> l; cx <= right>>l; cx++ {
				for _, i := range s.grid.at(l, int32(cx), int32(cy)) {
					found.look(s.corners(i))
				}
			}
		}
	}
}

// nearestInCells looks at the triangles in the cells that meet a box, and reports whether one of the cells has too many.
func (s *Sampler) nearestInCells(found *nearestSurface, left, right, low, high int64) (crowded bool) {
	t := &s.cells
	first, last, none := t.meeting(left, right, low, high)
	switch {
	case none:
		return false
	case (last[0]-first[0]+1)*(last[1]-first[1]+1) > int64(len(s.triangles)):
		// Looking at every triangle is cheaper than at every cell.
		for i := range s.triangles {
			found.look(s.corners(uint32(i)))
		}
		return false
	}
	for cy := first[1]; cy <= last[1]; cy++ {
		row := cy * int64(t.width)
		for k := row + first[0]; k <= row+last[0]; k++ {
			items := t.items[t.start[k]:t.start[k+1]]
			if len(items) > maxInCell {
				crowded = true
				continue
			}
			for _, i := range items {
				found.look(s.corners(i))
			}
		}
	}
	return crowded
}

// inside returns the integer below c, or the nearest that a coordinate of a frame can have.
func inside(c float64) int64 { return int64(math.Floor(min(max(c, -MaxCoord), MaxCoord))) }

// nearestSurface keeps the nearest point of the examined triangles.
type nearestSurface struct {
	x, y, limit  float64
	distance2, z float64
	ok           bool
}

// look considers the border of a triangle that does not hold the point.
func (n *nearestSurface) look(a, b, c *Vertex) {
	n.lookEdge(a, b)
	n.lookEdge(b, c)
	n.lookEdge(c, a)
}

func (n *nearestSurface) lookEdge(a, b *Vertex) {
	// One order for both triangles of an edge, so both round alike.
	if b.Compare(a.Point) < 0 {
		a, b = b, a
	}
	abx, aby := float64(int64(b.X)-int64(a.X)), float64(int64(b.Y)-int64(a.Y))
	px, py := n.x-float64(a.X), n.y-float64(a.Y)
	t := (float64(px*abx) + float64(py*aby)) / (float64(abx*abx) + float64(aby*aby))
	t = floats.Part(t)
	dx, dy := px-float64(t*abx), py-float64(t*aby)
	distance2 := float64(dx*dx) + float64(dy*dy)
	z := float64(a.Z) + float64(t*float64(int64(b.Z)-int64(a.Z)))
	if z <= n.limit && (distance2 < n.distance2 || distance2 == n.distance2 && (!n.ok || z > n.z)) {
		n.distance2, n.z, n.ok = distance2, z, true
	}
}
