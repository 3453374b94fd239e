package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// seal returns the floor without the hairlines from rounding, and the hairlines. Hairlines lie between two edges of the
// floor that run against each other less than a gap apart. Holes nowhere wider, and pinholes, are
// hairlines, too. The floor is of the triangles that here accepts.
func (e *extraction) seal(floor []lattice.Polygon, here func(triangle int32) bool) (sealed, cracks []lattice.Polygon, err error) {
	fills := e.cracks(floor)
	isPinhole := func(hole lattice.Ring) bool { return e.isPinhole(hole) && !e.isCovered(hole, here) }
	if len(fills) == 0 && !slices.ContainsFunc(floor, func(p lattice.Polygon) bool { return slices.ContainsFunc(p.Rings[1:], isPinhole) }) {
		return floor, nil, nil
	}
	a, err := overlay.ArrangeOn(e.jobs, ringsOf(floor), fills)
	if err != nil {
		return nil, nil, err
	}
	defer a.Release()
	cracks = slices.DeleteFunc(a.Polygons(func(w overlay.Winding) bool { return w[0] <= 0 && w[1] > 0 }), hairline)
	sealed = a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 || w[1] > 0 })
	for i := range sealed {
		rings := sealed[i].Rings[:1]
		for _, r := range sealed[i].Rings[1:] {
			if e.narrow(r) || isPinhole(r) {
				cracks = append(cracks, lattice.Polygon{Rings: []lattice.Ring{inside(r)}})
			} else {
				rings = append(rings, r)
			}
		}
		sealed[i].Rings = rings
	}
	return sealed, cracks, nil
}

// narrow reports whether a hole is no wider than a gap, in X or in Y.
func (e *extraction) narrow(hole lattice.Ring) bool {
	w, h := hole.Box().Size()
	return float64(min(w, h)) <= e.gap
}

// isPinhole reports whether the sides of a hole are too short for brinks, so that no pocket fills the hole (pockets.go). A floor a
// drop lower may border on the hole too, and then a slit leads to the hole: the fill joins nothing. A point would pass between the slits.
func (e *extraction) isPinhole(hole lattice.Ring) bool {
	w, h := hole.Box().Size()
	return max(w, h) <= pinhole && float64(pinhole) <= e.maxGap && !e.isPoint()
}

// isCovered reports whether floor that here accepts lies in a hole, and floor that is not here covers it: the hole is no gap.
func (e *extraction) isCovered(hole lattice.Ring, here func(triangle int32) bool) bool {
	at := insideOf(hole, -1)
	box := boxOf(lattice.Vertex{Point: at})
	box.Low[2], box.High[2] = math.MinInt32, math.MaxInt32
	near := e.floors.Search(&box, nil)
	height := func(t int32) float64 {
		p := planeOf(&e.soup.Triangles[t].V)
		return p.height(float64(at.X), float64(at.Y))
	}
	return slices.ContainsFunc(near, func(lower item) bool {
		v := &e.soup.Triangles[lower.ID].V
		own := lattice.Ring{v[0].Point, v[1].Point, v[2].Point}
		if _, distance := e.nearest(lower.ID, at); !here(lower.ID) || own.Locate(at) == lattice.Outside || distance == 0 {
			return false
		}
		low := height(lower.ID)
		return slices.ContainsFunc(near, func(upper item) bool {
			if here(upper.ID) || !e.shows(upper.ID) {
				return false
			}
			_, distance := e.nearest(upper.ID, at)
			high := height(upper.ID)
			return distance == 0 && high > low && high < low+e.height
		})
	})
}

// insideOf returns a place a few units beside the longest edge of a ring: on the left if left is positive, else on the
// right. On a border itself, the floor beyond is as near.
func insideOf(ring lattice.Ring, left float64) lattice.Point {
	longest, from, to := uint64(0), lattice.Point{}, lattice.Point{}
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if d := a.Distance2(b); d > longest {
			longest, from, to = d, a, b
		}
	}
	return beside(from, to, left*touching)
}

// inside returns the inside of a hole as a ring.
func inside(hole lattice.Ring) lattice.Ring {
	r := slices.Clone(hole)
	slices.Reverse(r)
	return r
}

// side is an edge of a floor's border, with the floor on its left: its ends, direction and length.
type side struct {
	a, b           lattice.Point
	dx, dy, length float64
}

// cracks returns rings that fill the cracks of a floor and cover its border by a unit or two.
func (e *extraction) cracks(floor []lattice.Polygon) []lattice.Ring {
	var fills []lattice.Ring
	var sides []side
	for _, p := range floor {
		for k, r := range p.Rings {
			if k > 0 && e.narrow(r) {
				fills = append(fills, inside(r))
				continue
			}
			for i, a := range r {
				sides = append(sides, edgeOf(a, r[(i+1)%len(r)]))
			}
		}
	}
	least := -1.0
	if e.isPoint() {
		least = touching
	}
	return appendFills(fills, sides, e.gap, least)
}

// hairlines returns rings that fill the hairlines between the covers of a triangle, and most of them lap over the covers. The rings at hand are
// the free part of the triangle. Beyond the triangle's own sides lie no covers.
func (e *extraction) hairlines(own lattice.Ring, free []lattice.Ring) []lattice.Ring {
	var fills []lattice.Ring
	var sides []side
	for _, r := range free {
		first := len(sides)
		for i, a := range r {
			if b := r[(i+1)%len(r)]; !alongside(own, a, b) {
				sides = append(sides, edgeOf(b, a))
			}
		}
		if len(sides)-first == len(r) && r.Area2() > 0 && e.narrow(r) {
			sides = sides[:first]
			fills = append(fills, r)
		}
	}
	return appendFills(fills, sides, e.gap, e.gap)
}

// strips returns rings that fill the strips between covers of the triangle at hand and a stage at a side of the triangle: a floor of a cover is a step
// up, and the stage is two. A look outward from the stage ends on the cover, so nobody stands in the strip. The rings at hand are the free part of the
// triangle. Some says that covers are near enough to a side, whatever is beyond the side.
func (e *extraction) strips(s *surroundings, own lattice.Ring, free []lattice.Ring) (fills []lattice.Ring, some bool) {
	if thin(&s.of.V) {
		return nil, false // all of it is as narrow as a strip
	}
	var whole [3]side
	for k, p := range own {
		whole[k] = edgeOf(own[next3[k]], p)
	}
	var stages [3][]side
	var known [3]bool
	for _, r := range free {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			cover := edgeOf(b, a)
			for k := range whole {
				if cover.crack(&whole[k], strip, strip) == nil || alongside(own, a, b) {
					continue
				}
				if !known[k] {
					known[k], stages[k], some = true, e.stagesBeside(s, k), true
				}
				for i := range stages[k] {
					if fill := cover.crack(&stages[k][i], strip, strip); fill != nil {
						fills = append(fills, fill)
					}
				}
			}
		}
	}
	return fills, some
}

// stagesBeside returns the stretches of a side of the triangle at hand beyond which a floor is between one step and two steps up, and none is within a
// step. The triangle is on their right.
func (e *extraction) stagesBeside(s *surroundings, k int) []side {
	r := rim{a: s.of.V[k], b: s.of.V[next3[k]]}
	from := r.sight()
	box := boxOf(r.a, r.b).Grown(strip)
	box.Low[2], box.High[2] = lowered(box.Low[2], e.climb+strip), raised(box.High[2], 2*e.climb+strip)
	var stages, steps []stretch
	s.found = e.floors.Search(&box, s.found[:0])
	for i := range s.found {
		t := s.found[i].ID
		if t == s.triangle {
			continue
		}
		p := from.see(t, s.prisms.of(e.soup, t), outward)
		if p.in.from >= p.in.to {
			continue
		}
		if in, ok := p.in.band(&p.over, outward, -e.climb-touching, e.climb+touching); ok {
			steps = append(steps, in)
		}
		if in, ok := p.in.band(&p.over, outward, -2*(e.climb+touching), -e.climb-touching); ok {
			stages = append(stages, in)
		}
	}
	slices.SortFunc(steps, stretch.compare)
	var beside []side
	for _, in := range without(merged(stages), steps, touching/from.length) {
		if a, b := r.at(in.from).Point, r.at(in.to).Point; a != b {
			beside = append(beside, edgeOf(b, a))
		}
	}
	return beside
}

// surrounded reports whether a part of a triangle has no edge on a side of the triangle.
func surrounded(triangle, part lattice.Ring) bool {
	for i, a := range part {
		if alongside(triangle, a, part[(i+1)%len(part)]) {
			return false
		}
	}
	return part.Area2() > 0
}

// alongside reports whether an edge lies on a side of a triangle, but for rounding.
func alongside(triangle lattice.Ring, a, b lattice.Point) bool {
	for i, p := range triangle {
		q := triangle[(i+1)%len(triangle)]
		if lattice.SegmentDistance2(a, p, q).CompareInt(2) <= 0 && lattice.SegmentDistance2(b, p, q).CompareInt(2) <= 0 {
			return true
		}
	}
	return false
}

func edgeOf(a, b lattice.Point) side {
	dx, dy := b.Sub(a)
	s := side{a: a, b: b, dx: float64(dx), dy: float64(dy)}
	s.length = math.Sqrt(float64(s.dx*s.dx) + float64(s.dy*s.dy))
	s.dx /= s.length
	s.dy /= s.length
	return s
}

// appendFills appends the fills between sides that face each other less than a gap apart and along more than a least length.
func appendFills(fills []lattice.Ring, sides []side, gap, least float64) []lattice.Ring {
	if len(sides) < 2 {
		return fills
	}
	boxes := make([]box3, len(sides))
	for i := range sides {
		boxes[i] = boxOf(lattice.Vertex{Point: sides[i].a}, lattice.Vertex{Point: sides[i].b})
	}
	t := boxtree.New(boxes, nil)
	var near []item
	for i := range sides {
		s := &sides[i]
		box := boxes[i].Grown(int32(gap))
		near = t.Search(&box, near[:0])
		for _, n := range near {
			if int(n.ID) > i {
				if fill := s.crack(&sides[n.ID], gap, least); fill != nil {
					fills = append(fills, fill)
				}
			}
		}
	}
	return fills
}

// crack returns the fill between two sides that face each other, where the sides are less than a gap apart. A wedge is
// a crack below 60°, and only as deep as a mitre of half a gap does not reach: the wider the wedge, the shallower the
// crack. Sides that face each other along no more than the least length have no crack between them; below 0 a point is enough.
func (s *side) crack(o *side, gap, least float64) lattice.Ring {
	cosine := -float64(s.dx*o.dx) - float64(s.dy*o.dy)
	if cosine < 0.5 {
		return nil
	}
	gap *= 1 - math.Sqrt(max(0, 1-cosine)/2)
	if least >= 0 {
		if a, b, ok := s.facing(o, gap, 0); !ok || a.Distance(b) <= least {
			return nil
		}
	}
	a, b, ok := s.facing(o, gap, gap/2)
	if !ok {
		return nil
	}
	c, d, ok := o.facing(s, gap, gap/2)
	if !ok {
		return nil
	}
	points := make([]lattice.Point, 0, 16)
	for _, p := range [4]lattice.Point{a, b, c, d} {
		points = appendAround(points, p, 2)
	}
	return lattice.Hull(points)
}

// facing returns the part of s on the right of o: at most a gap away, and at most farther units past the ends of o.
func (s *side) facing(o *side, gap, farther float64) (a, b lattice.Point, ok bool) {
	ax, ay := s.a.Sub(o.a)
	bx, by := s.b.Sub(o.a)
	// Distances along o and to the right of o, at the two ends of s.
	along := [2]float64{float64(float64(ax)*o.dx) + float64(float64(ay)*o.dy), float64(float64(bx)*o.dx) + float64(float64(by)*o.dy)}
	right := [2]float64{float64(float64(ax)*o.dy) - float64(float64(ay)*o.dx), float64(float64(bx)*o.dy) - float64(float64(by)*o.dx)}
	from, to := 0.0, 1.0
	clip := func(at [2]float64, low, high float64) {
		for _, c := range [2][2]float64{{at[0] - low, at[1] - low}, {high - at[0], high - at[1]}} {
			switch {
			case c[0] < 0 && c[1] < 0:
				to = -1
			case c[0] < 0:
				from = max(from, c[0]/(c[0]-c[1]))
			case c[1] < 0:
				to = min(to, c[0]/(c[0]-c[1]))
			}
		}
	}
	clip(along, -farther, o.length+farther)
	clip(right, -1, gap)
	if from > to {
		return a, b, false
	}
	at := func(t float64) lattice.Point {
		return lattice.Point{
			X: rounded(float64(s.a.X) + float64(t*float64(s.length*s.dx))),
			Y: rounded(float64(s.a.Y) + float64(t*float64(s.length*s.dy))),
		}
	}
	return at(from), at(to), true
}
