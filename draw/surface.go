package draw

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/rows"
)

// surface drapes lines and polygons over a floor.
type surface struct {
	frame   lattice.Frame
	tin     *lattice.TIN
	sampler *lattice.Sampler
	lift    float64 // lattice units

	// Triangles in square buckets, row by row.
	box           lattice.Box
	size          int64
	columns, rows int
	members       rows.Rows[int32]
	stamp         []int32 // by triangle: the last question that reached it
	question      int32
}

// sampleStep is how far apart the heights along a draped line are taken, in lattice units: 0.2 m,
// less than a tread is deep.
const sampleStep = lattice.UnitsPerMetre / 5

func newSurface(frame lattice.Frame, tin *lattice.TIN, liftMetres float64) *surface {
	s := &surface{frame: frame, tin: tin, sampler: lattice.NewSampler(tin), lift: liftMetres * lattice.UnitsPerMetre}
	s.box = lattice.EmptyBox()
	n := uint32(len(tin.Vertices))
	usable := func(t [3]uint32) bool { return t[0] < n && t[1] < n && t[2] < n }
	for _, t := range tin.Triangles {
		if usable(t) {
			s.box = s.box.Union(s.triangleBox(t))
		}
	}
	if s.box.IsEmpty() {
		return s
	}
	// About one triangle a bucket for an even spread.
	w, h := int64(s.box.Max.X)-int64(s.box.Min.X)+1, int64(s.box.Max.Y)-int64(s.box.Min.Y)+1
	s.size = max(1, int64(math.Sqrt(float64(w)*float64(h)/float64(len(tin.Triangles)))), max(w, h)/4096)
	s.columns, s.rows = int((w-1)/s.size)+1, int((h-1)/s.size)+1
	s.stamp = make([]int32, len(tin.Triangles))
	s.members = rows.New(s.columns*s.rows, func(add func(bucket, triangle int32)) {
		for i, t := range tin.Triangles {
			if usable(t) {
				s.buckets(s.triangleBox(t), func(k int) { add(int32(k), int32(i)) })
			}
		}
	})
	return s
}

func (s *surface) triangleBox(t [3]uint32) lattice.Box {
	v := s.tin.Vertices
	return lattice.BoxOf(v[t[0]].Point, v[t[1]].Point, v[t[2]].Point)
}

// buckets calls f with the buckets under b.
func (s *surface) buckets(b lattice.Box, f func(k int)) {
	at := func(c, least int32, n int) int {
		k := (int64(c) - int64(least)) / s.size
		return int(max(0, min(k, int64(n-1))))
	}
	for j := at(b.Min.Y, s.box.Min.Y, s.rows); j <= at(b.Max.Y, s.box.Min.Y, s.rows); j++ {
		for i := at(b.Min.X, s.box.Min.X, s.columns); i <= at(b.Max.X, s.box.Min.X, s.columns); i++ {
			f(j*s.columns + i)
		}
	}
}

// world returns the lifted position of local coordinates.
func (s *surface) world(x, y, z float64) geom.Vec { return s.frame.FromLocal(x, y, z+s.lift) }

// stepUp is how much higher than the last sample a floor may be to count as the same floor, in lattice
// units: 1 m, more than agents climb and slopes rise within a step, less than they need to stand under.
// A layer may hold floors above each other, where one is continued beyond a seam.
const stepUp = lattice.UnitsPerMetre

// line drapes the segment from a to b: heights are sampled along it, and points that a straight line would
// pass within 2 cm are left out again. Where the floor has no height, the line interpolates between a and b.
// Samples are taken a millimetre to the left and away from the ends, because borders have the floor on their
// left and end at rounded positions just outside of it.
func (s *surface) line(a, b lattice.Vertex) []geom.Vec {
	ax, ay, az := float64(a.X), float64(a.Y), float64(a.Z)
	dx, dy, dz := float64(b.X)-ax, float64(b.Y)-ay, float64(b.Z)-az
	length := math.Hypot(dx, dy)
	n := int(math.Min(length/sampleStep, 1<<16)) + 1
	samples := make([]float64, n+1)
	last := az
	inset := 4 / math.Max(length, 8) // of the length
	for i := range samples {
		t := math.Max(inset, math.Min(1-inset, float64(i)/float64(n)))
		x, y := ax+float64(t*dx)-float64(inset*dy), ay+float64(t*dy)+float64(inset*dx)
		z, ok := s.floorAt(x, y, last)
		if !ok {
			z = az + float64(t*dz)
		}
		samples[i], last = z, z
	}
	at := func(i int) geom.Vec {
		t := float64(i) / float64(n)
		return s.world(ax+float64(t*dx), ay+float64(t*dy), samples[i])
	}
	out := []geom.Vec{at(0)}
	from := 0
	for from < n {
		to := from + 1
		for to < n && straight(samples[from:to+2]) {
			to++
		}
		out = append(out, at(to))
		from = to
	}
	return out
}

// straight reports whether evenly spaced heights stay within 2 cm of the chord from the first to the last. A
// chord has at most 64 heights, which bounds the work.
func straight(z []float64) bool {
	last := len(z) - 1
	if last > 64 {
		return false
	}
	for i := range z {
		t := float64(i) / float64(last)
		if math.Abs(z[i]-z[0]-t*(z[last]-z[0])) > 0.02*lattice.UnitsPerMetre {
			return false
		}
	}
	return true
}

// floorAt returns the height of the floor at a place next to one of a known height: the highest floor less
// than a storey above it, there or a few units aside, or else, at the foot of a cliff, the highest floor.
func (s *surface) floorAt(x, y, last float64) (z float64, ok bool) {
	const aside = 8
	if z, ok = s.sampler.HeightBelow(x, y, last+stepUp, 0); ok {
		return z, true
	}
	if z, ok = s.sampler.HeightBelow(x, y, last+stepUp, aside); ok {
		return z, true
	}
	return s.sampler.Height(x, y)
}

// corner is a corner of a polygon that is being clipped, in lattice units.
type corner struct{ x, y float64 }

// fill drapes a convex polygon: it is cut along the triangles of the floor, and every piece lies in its
// triangle's plane. Where the floor covers less than nine tenths of the polygon, it is drawn between the
// heights of its own corners instead. emit is called with triangles, counter-clockwise from above.
func (s *surface) fill(ring []lattice.Vertex, emit func(a, b, c geom.Vec)) {
	polygon := make([]corner, len(ring))
	for i, v := range ring {
		polygon[i] = corner{float64(v.X), float64(v.Y)}
	}
	area := area2(polygon)
	pieces, covered := s.cut(polygon)
	if covered < 0.9*area {
		at := func(v lattice.Vertex) geom.Vec { return s.world(float64(v.X), float64(v.Y), float64(v.Z)) }
		for i := 2; i < len(ring); i++ {
			emit(at(ring[0]), at(ring[i-1]), at(ring[i]))
		}
		return
	}
	// Pieces of another floor lie over or under the polygon's own, which are then more than the polygon. Looking at each costs as much as the cut.
	if covered > (1+onceCovered)*area {
		pieces = slices.DeleteFunc(pieces, func(p piece) bool { return s.foreign(p, ring) })
	}
	s.emit(pieces, emit)
}

// onceCovered is the share of a polygon by which rounding may make its pieces larger than the polygon.
const onceCovered = 1e-9

// foreign reports whether a piece belongs to another floor of the layer, above or below that of the
// polygon: it is far from the height between the polygon's corners, and whoever walks to it from the first corner
// arrives at another height. The walk is straight, because the polygon is convex.
func (s *surface) foreign(p piece, ring []lattice.Vertex) bool {
	var c corner
	for _, q := range p.ring {
		c.x += q.x / float64(len(p.ring))
		c.y += q.y / float64(len(p.ring))
	}
	z := s.planeHeight(p.tri, c)
	if math.Abs(z-fanHeight(ring, c)) <= stepUp {
		return false
	}
	from := corner{float64(ring[0].X), float64(ring[0].Y)}
	last := float64(ring[0].Z)
	n := int(math.Min(math.Hypot(c.x-from.x, c.y-from.y)/sampleStep, 1<<16)) + 1
	for i := 1; i <= n; i++ {
		t := float64(i) / float64(n)
		if h, ok := s.floorAt(from.x+float64(t*(c.x-from.x)), from.y+float64(t*(c.y-from.y)), last); ok {
			last = h
		}
	}
	return math.Abs(last-z) > stepUp
}

// fanHeight is the height at c of the fan of triangles over a convex ring.
func fanHeight(ring []lattice.Vertex, c corner) float64 {
	at := func(v lattice.Vertex) corner { return corner{float64(v.X), float64(v.Y)} }
	for i := 2; i < len(ring); i++ {
		a, b, d := ring[0], ring[i-1], ring[i]
		whole := turn(at(a), at(b), at(d))
		if whole > 0 && (i == len(ring)-1 || turn(at(a), c, at(d)) >= 0) {
			return heightAt(a, b, d, c)
		}
	}
	return float64(ring[0].Z)
}

// heightAt is the height at c of the plane through three points that do not lie on a line in plan.
func heightAt(a, b, d lattice.Vertex, c corner) float64 {
	at := func(v lattice.Vertex) corner { return corner{float64(v.X), float64(v.Y)} }
	whole := turn(at(a), at(b), at(d))
	u, w := turn(at(a), c, at(d))/whole, turn(at(a), at(b), c)/whole
	return float64(a.Z) + float64(u*(float64(b.Z)-float64(a.Z))) + float64(w*(float64(d.Z)-float64(a.Z)))
}

// piece is the part of a polygon over one triangle of the floor.
type piece struct {
	ring []corner
	tri  int32
}

// area2 is twice the area of a convex counter-clockwise polygon.
func area2(polygon []corner) float64 {
	area := 0.0
	for i := 2; i < len(polygon); i++ {
		area += turn(polygon[0], polygon[i-1], polygon[i])
	}
	return area
}

// emit hands out the triangles of pieces in the planes of their floor.
func (s *surface) emit(pieces []piece, emit func(a, b, c geom.Vec)) {
	for _, p := range pieces {
		at := func(c corner) geom.Vec { return s.world(c.x, c.y, s.planeHeight(p.tri, c)) }
		for i := 2; i < len(p.ring); i++ {
			emit(at(p.ring[0]), at(p.ring[i-1]), at(p.ring[i]))
		}
	}
}

// cut returns the pieces of a convex polygon over the triangles of the floor, in the order of the triangles'
// buckets, and twice the area that they cover.
func (s *surface) cut(polygon []corner) (pieces []piece, covered float64) {
	box := lattice.EmptyBox()
	for _, c := range polygon {
		box = box.Extend(lattice.Point{X: int32(math.Floor(c.x)), Y: int32(math.Floor(c.y))})
		box = box.Extend(lattice.Point{X: int32(math.Ceil(c.x)), Y: int32(math.Ceil(c.y))})
	}
	if s.columns > 0 && box.Overlaps(s.box) {
		s.question++
		s.buckets(box, func(k int) {
			for _, i := range s.members.Of(int32(k)) {
				if s.stamp[i] == s.question {
					continue
				}
				s.stamp[i] = s.question
				cut := polygon
				t := s.tin.Triangles[i]
				for e := range 3 {
					p, q := s.tin.Vertices[t[e]], s.tin.Vertices[t[(e+1)%3]]
					cut = clip(cut, corner{float64(p.X), float64(p.Y)}, corner{float64(q.X), float64(q.Y)})
				}
				if len(cut) > 2 {
					covered += area2(cut)
					pieces = append(pieces, piece{cut, i})
				}
			}
		})
	}
	return pieces, covered
}

// planeHeight is the height of the plane of triangle i at c.
func (s *surface) planeHeight(i int32, c corner) float64 {
	t, v := s.tin.Triangles[i], s.tin.Vertices
	return heightAt(v[t[0]], v[t[1]], v[t[2]], c)
}

// turn is twice the signed area of the triangle a, b, c.
func turn(a, b, c corner) float64 {
	return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
}

// clip returns the part of a convex polygon on the left of the line from p to q. (One plane of Sutherland and
// Hodgman.)
func clip(polygon []corner, p, q corner) []corner {
	var out []corner
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		da, db := turn(p, q, a), turn(p, q, b)
		if da >= 0 {
			out = append(out, a)
		}
		if da > 0 && db < 0 || da < 0 && db > 0 {
			t := da / (da - db)
			out = append(out, corner{a.x + float64(t*(b.x-a.x)), a.y + float64(t*(b.y-a.y))})
		}
	}
	return out
}
