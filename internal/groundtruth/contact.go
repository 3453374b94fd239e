package groundtruth

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Contact is a place of a border from which a walk of less than the distance asked for ends.
type Contact struct {
	From     geom.Vec // on the border
	At       geom.Vec // the end of the walk
	Distance float64  // between both, seen from above
	Cause    Cause
	Triangle int // the triangle in the way, or the floor that ends; -1 for none
}

// Contact returns the nearest place at which something keeps an agent from a border, if any is nearer than
// distance metres. The border runs straight from a to b; floor returns its height over a point of the border.
//
// Two kinds of shapes can be in the way: parts of triangles in the body band above a floor, cut out of
// their triangle by the floor's outline and by the two planes of the band; and outer edges of floors. The distance
// between border and shape decides, computed over the whole length. A shape that is too near counts if a walk along
// the floor from the border towards the shape ends within distance, because the shape may belong to another
// storey. Walks start at the border's point nearest to the shape, at both ends of the part of the border that is too
// near, and between them every spacing metres.
//
// Time O(k²) for k triangles within distance of the border, plus the walks: at most one row for each pair of a triangle and a floor that a walk
// from the border may come to.
func (j *Judge) Contact(a, b geom.Vec, distance, spacing float64, floor func(x, z float64) float64) (Contact, bool) {
	if distance <= 0 {
		return Contact{}, false
	}
	length := math.Hypot(b.X-a.X, b.Z-a.Z)
	n := max(1, int(math.Ceil(length/maxPiece)))
	best := Contact{Distance: distance}
	for i := range n {
		s, t := float64(i)/float64(n), float64(i+1)/float64(n)
		best = j.nearerContact(best, mix(a, b, s), mix(a, b, t), spacing, floor)
	}
	return best, best.Cause != None
}

// maxPiece is the longest part of a border that is looked at at once, in metres.
const maxPiece = 2.0

func mix(a, b geom.Vec, t float64) geom.Vec { return a.Add(b.Sub(a).Scale(t)) }

// shape is a convex polygon, or a segment, seen from above: coordinates relative to a place.
type shape struct {
	x, z     []float64
	distance float64 // from the piece of border
	t        float64 // the parameter of the nearest point of the border
}

// nearerContact returns the nearest contact of a short piece of border, or best if none is nearer.
func (j *Judge) nearerContact(best Contact, a, b geom.Vec, spacing float64, floor func(x, z float64) float64) Contact {
	distance := best.Distance
	middle := mix(a, b, 0.5)
	middle.Y = floor(middle.X, middle.Z)
	half := math.Hypot(b.X-a.X, b.Z-a.Z) / 2
	j.collect(middle.X, middle.Z, middle.Y, half+distance)
	piece := segment{a.X - middle.X, a.Z - middle.Z, b.X - middle.X, b.Z - middle.Z}
	low, high := middle.Y, middle.Y
	for k := range heightsOfPiece {
		p := mix(a, b, float64(k)/(heightsOfPiece-1))
		h := floor(p.X, p.Z)
		low, high = min(low, h), max(high, h)
	}
	j.connect(piece, low, high)
	shapes := j.shapes(piece, distance)
	slices.SortFunc(shapes, func(s, t shape) int { return cmp.Compare(s.distance, t.distance) })
	for i := range shapes {
		s := &shapes[i]
		if s.distance >= best.Distance {
			break
		}
		from, to := piece.within(s, distance)
		n := max(1, int(math.Ceil((to-from)*2*half/spacing)))
		for k := -1; k <= n; k++ {
			t := s.t
			if k >= 0 {
				t = from + (to-from)*float64(k)/float64(n)
			}
			if c, ok := j.touch(piece, t, s, middle, best.Distance, floor); ok {
				best = c
			}
		}
	}
	return best
}

// heightsOfPiece is at how many places of a piece of border its height is asked for.
const heightsOfPiece = 9

// connect marks the collected floors that a walk from a piece of border may come to. Such a walk begins on a floor near the piece, at a height
// from low to high or a step off. The walk goes on to floors that touch, at most a step higher or lower. Boxes of floors decide, so some more
// floors are marked. Floors of other storeys are not, and their obstacles are no shapes: a stack of many floors would make very many.
func (j *Judge) connect(piece segment, low, high float64) {
	g := &j.gather
	g.connected = append(g.connected[:0], make([]bool, len(g.faces))...)
	off, step := j.agent.MaxClimb+heightSlack, j.agent.MaxClimb+2*slack+j.above
	g.every = g.every[:0] // marked floors whose neighbours are still to be marked
	for i := range g.faces {
		if f := &g.faces[i]; f.floor && f.low <= high+off && f.high >= low-off && !piece.beyond(f, beside) {
			g.connected[i] = true
			g.every = append(g.every, int32(i))
		}
	}
	for len(g.every) > 0 {
		f := &g.faces[g.every[len(g.every)-1]]
		g.every = g.every[:len(g.every)-1]
		for i := range g.faces {
			if t := &g.faces[i]; t.floor && !g.connected[i] && t.low <= f.high+step && t.high >= f.low-step && boxesNear(f, t, beside) {
				g.connected[i] = true
				g.every = append(g.every, int32(i))
			}
		}
	}
}

// touch walks from a point of a piece of border towards a shape.
func (j *Judge) touch(piece segment, t float64, s *shape, middle geom.Vec, distance float64, floor func(x, z float64) float64) (Contact, bool) {
	px, pz := piece.at(t)
	x, z, off := s.nearest(px, pz)
	if off >= distance {
		return Contact{}, false
	}
	// Rays that graze a corner miss: aim a little beside.
	const beside = 2e-3
	mx, mz := s.middle()
	if m := math.Hypot(mx-x, mz-z); m > 0 {
		w := min(1, beside/m)
		x, z = x+w*(mx-x), z+w*(mz-z)
	}
	aim := math.Hypot(x-px, z-pz)
	if aim == 0 {
		return Contact{}, false
	}
	d := [2]float64{(x - px) / aim, (z - pz) / aim}
	from := geom.Vec{X: middle.X + px, Z: middle.Z + pz}
	from.Y = floor(from.X, from.Z)
	w := j.step(from, d, distance)
	if w.cause == None || w.cause == NoFloor || w.r >= distance {
		return Contact{}, false
	}
	r := max(w.r, 0)
	at := geom.Vec{X: from.X + r*d[0], Y: w.z, Z: from.Z + r*d[1]}
	if w.cause == Body {
		if j.clearsStep(at) {
			return Contact{}, false
		}
		if up, ok := j.stepBeside(at); ok {
			if w = j.step(up, d, distance-r); w.cause == None || w.cause == NoFloor || w.r >= distance-r {
				return Contact{}, false
			}
			at = geom.Vec{X: up.X + max(w.r, 0)*d[0], Y: w.z, Z: up.Z + max(w.r, 0)*d[1]}
			r += max(w.r, 0)
		}
	}
	return Contact{From: from, At: at, Distance: r, Cause: w.cause, Triangle: j.triangle(w.triangle)}, true
}

// besideBody is how far from a body its other floor may begin, in metres. Rounding moves the edge of a step and the
// faces over the edge by less.
const besideBody = 3e-3

// roomOnStep is the least distance in metres between a place on a step and the bodies over the step's own floor. It is more
// than twice besideBody, and a thin post on the edge of a step stays a body.
const roomOnStep = 0.02

// stepBeside looks for a step beside a body that is too low to be a body over the step. Where faces rise through the edge of a step,
// a part of a millimetre may lie outside the edge, over the lower floor. Such a part is in the way only if it is in the way of
// both floors. The answer is a place on the step with room around it.
func (j *Judge) stepBeside(at geom.Vec) (geom.Vec, bool) {
	for _, d := range [4][2]float64{{besideBody, 0}, {-besideBody, 0}, {0, besideBody}, {0, -besideBody}} {
		up := geom.Vec{X: at.X + d[0], Y: math.Inf(-1), Z: at.Z + d[1]}
		j.Heights(geom.Vec{X: up.X, Y: at.Y, Z: up.Z}, 0, func(h float64) {
			if h <= at.Y+slack && h > at.Y-j.agent.MaxClimb {
				up.Y = max(up.Y, h)
			}
		})
		if !math.IsInf(up.Y, -1) && j.At(up.X, up.Z, up.Y).Clearance >= roomOnStep {
			return up, true
		}
	}
	return geom.Vec{}, false
}

// clearsStep reports whether a body begins exactly over a step and has room for the agent beneath it on the lower side. Such
// a body is over both floors of the step, and in the way only if it is in the way of both.
func (j *Judge) clearsStep(at geom.Vec) bool {
	clears := false
	for _, d := range [4][2]float64{{besideBody, 0}, {-besideBody, 0}, {0, besideBody}, {0, -besideBody}} {
		under := geom.Vec{X: at.X + d[0], Y: at.Y - j.agent.Height, Z: at.Z + d[1]}
		j.Heights(under, besideBody, func(h float64) {
			clears = clears || h < at.Y && at.Y >= h+j.agent.Height-slack && at.Y < h+j.agent.Height+j.agent.MaxClimb
		})
	}
	return clears
}

// shapes lists the possible obstacles of a piece of border, among the collected faces: all rims, and bodies over floors that are connected.
func (j *Judge) shapes(piece segment, distance float64) []shape {
	g := &j.gather
	var out []shape
	seen := map[outline]bool{}
	add := func(x, z []float64) {
		if o, ok := outlineOf(x, z); ok {
			if seen[o] {
				return
			}
			seen[o] = true
		}
		s := shape{x: x, z: z}
		if s.distance, s.t = piece.distance(&s); s.distance < distance {
			out = append(out, s)
		}
	}
	low, high := j.agent.MaxClimb+slack, j.agent.Height-slack
	for i := range g.faces {
		f := &g.faces[i]
		if piece.beyond(f, distance) {
			continue
		}
		for k := range 3 {
			if f.floor && f.rim[k] {
				l := (k + 1) % 3
				add([]float64{f.x[k], f.x[l]}, []float64{f.z[k], f.z[l]})
			}
		}
		for n := range g.faces {
			if under := &g.faces[n]; g.connected[n] && n != i && f.high > under.low+low && f.low < under.high+high && boxesMeet(f, under) {
				if x, z := bandPart(f, under, low, high); len(x) > 0 {
					add(x, z)
				}
			}
		}
	}
	return out
}

// outline is a shape's corners in order of their coordinates, in micrometres. Shapes with one outline are in the way of the same walks: where
// the same form comes again at many heights, one of the shapes will do.
type outline struct {
	corners int
	at      [8][2]int64 // a triangle that five planes cut has eight corners, but for rounding
}

// outlineOf returns the outline of a shape, and whether the shape has one.
func outlineOf(x, z []float64) (outline, bool) {
	o := outline{corners: len(x)}
	if len(x) > len(o.at) {
		return o, false
	}
	for k := range x {
		o.at[k] = [2]int64{int64(math.Round(x[k] * 1e6)), int64(math.Round(z[k] * 1e6))}
	}
	slices.SortFunc(o.at[:len(x)], func(a, b [2]int64) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return o, true
}

func boxesMeet(a, b *near) bool { return boxesNear(a, b, 0) }

// boxesNear reports whether the boxes of two faces, seen from above, are no farther apart than distance along both axes.
func boxesNear(a, b *near, distance float64) bool {
	return min(a.x[0], a.x[1], a.x[2]) <= max(b.x[0], b.x[1], b.x[2])+distance && min(b.x[0], b.x[1], b.x[2]) <= max(a.x[0], a.x[1], a.x[2])+distance &&
		min(a.z[0], a.z[1], a.z[2]) <= max(b.z[0], b.z[1], b.z[2])+distance && min(b.z[0], b.z[1], b.z[2]) <= max(a.z[0], a.z[1], a.z[2])+distance
}

// bandPart cuts a face down to its part over a floor that is between low and high above the floor.
func bandPart(f, under *near, low, high float64) (x, z []float64) {
	const touching = 1e-9 // a wall on the outline of its floor stays
	poly := make([][3]float64, 3, 8)
	for k := range 3 {
		poly[k] = [3]float64{f.x[k], f.z[k], f.y[k]}
	}
	turn := (under.x[1]-under.x[0])*(under.z[2]-under.z[0]) - (under.z[1]-under.z[0])*(under.x[2]-under.x[0])
	if turn == 0 {
		return nil, nil
	}
	for k := range 5 {
		side := func(p [3]float64) float64 {
			switch above := p[2] - (under.ah + under.ax*p[0] + under.az*p[1]); k {
			case 3:
				return above - low
			case 4:
				return high - above
			}
			l := (k + 1) % 3
			dx, dz := under.x[l]-under.x[k], under.z[l]-under.z[k]
			return math.Copysign(1, turn)*(dx*(p[1]-under.z[k])-dz*(p[0]-under.x[k]))/max(math.Hypot(dx, dz), touching) + touching
		}
		var cut [][3]float64
		for i, p := range poly {
			q := poly[(i+1)%len(poly)]
			a, b := side(p), side(q)
			if a >= 0 {
				cut = append(cut, p)
			}
			if (a >= 0) != (b >= 0) {
				t := a / (a - b)
				cut = append(cut, [3]float64{p[0] + t*(q[0]-p[0]), p[1] + t*(q[1]-p[1]), p[2] + t*(q[2]-p[2])})
			}
		}
		if poly = cut; len(poly) == 0 {
			return nil, nil
		}
	}
	for _, p := range poly {
		x, z = append(x, p[0]), append(z, p[1])
	}
	return x, z
}

// segment is a piece of border, relative to a place.
type segment struct{ ax, az, bx, bz float64 }

func (s segment) at(t float64) (x, z float64) { return s.ax + t*(s.bx-s.ax), s.az + t*(s.bz-s.az) }

// beyond reports whether the box of a face is farther away than distance.
func (s segment) beyond(f *near, distance float64) bool {
	return min(f.x[0], f.x[1], f.x[2]) > max(s.ax, s.bx)+distance || max(f.x[0], f.x[1], f.x[2]) < min(s.ax, s.bx)-distance ||
		min(f.z[0], f.z[1], f.z[2]) > max(s.az, s.bz)+distance || max(f.z[0], f.z[1], f.z[2]) < min(s.az, s.bz)-distance
}

// distance returns how far the segment is from a shape, and the parameter of its nearest point.
func (s segment) distance(sh *shape) (best, at float64) {
	best = math.Inf(1)
	try := func(t float64) {
		px, pz := s.at(t)
		if _, _, d := sh.nearest(px, pz); d < best {
			best, at = d, t
		}
	}
	try(0)
	try(1)
	for i := range sh.x {
		try(nearestOn(s.ax, s.az, s.bx, s.bz, sh.x[i], sh.z[i]))
		// Where they cross.
		k := (i + 1) % len(sh.x)
		ex, ez := sh.x[k]-sh.x[i], sh.z[k]-sh.z[i]
		dx, dz := s.bx-s.ax, s.bz-s.az
		if det := dx*ez - dz*ex; det != 0 {
			if t := ((sh.x[i]-s.ax)*ez - (sh.z[i]-s.az)*ex) / det; t > 0 && t < 1 {
				try(t)
			}
		}
	}
	return best, at
}

// within returns the part of the segment that is nearer than distance to a shape. The distance from a convex shape
// is convex along the segment. Hence the part is an interval around the nearest point.
func (s segment) within(sh *shape, distance float64) (from, to float64) {
	end := func(out float64) float64 {
		in := sh.t
		for range 20 {
			middle := (in + out) / 2
			px, pz := s.at(middle)
			if _, _, d := sh.nearest(px, pz); d < distance {
				in = middle
			} else {
				out = middle
			}
		}
		return in
	}
	return end(0), end(1)
}

// nearest returns the point of the shape nearest to p, and its distance: 0 for a point inside.
func (sh *shape) nearest(px, pz float64) (x, z, distance float64) {
	distance = math.Inf(1)
	left, right := false, false
	for i := range sh.x {
		k := (i + 1) % len(sh.x)
		ax, az, bx, bz := sh.x[i], sh.z[i], sh.x[k], sh.z[k]
		switch turn := (bx-ax)*(pz-az) - (bz-az)*(px-ax); {
		case turn > 0:
			left = true
		case turn < 0:
			right = true
		}
		t := nearestOn(ax, az, bx, bz, px, pz)
		qx, qz := ax+t*(bx-ax), az+t*(bz-az)
		if d := math.Hypot(qx-px, qz-pz); d < distance {
			x, z, distance = qx, qz, d
		}
	}
	if left != right {
		return px, pz, 0
	}
	return x, z, distance
}

func (sh *shape) middle() (x, z float64) {
	n := float64(len(sh.x))
	for i := range sh.x {
		x, z = x+sh.x[i]/n, z+sh.z[i]/n
	}
	return x, z
}
