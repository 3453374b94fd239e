package exact

import (
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
)

// exposure is the free part of a walkable triangle, and the floors and faces above. Most triangles of a terrain are
// free and have nothing above, and share one exposure to save memory.
type exposure struct {
	// cut tells whether rings are the free part: the places without a cover of another floor, as counter-clockwise
	// outer rings and clockwise holes, nil if nothing is left. Without cut, the whole triangle is free.
	cut   bool
	rings []lattice.Ring
	sides *sides // of many rings, else nil

	strips  bool // floors beyond the sides decide about strips between covers and sides
	settled bool // blocked and walls are known
	// blocked are the footprints of obstacles to the agent's body, over the border by up to two units. walls are
	// upright faces in the way. Both are complete once settled (blocked.go). Until then, blocked are the plans of faces.
	blocked []lattice.Ring
	walls   []upright
	// raw are the obstacles before the overlay with covers, as long as bridges may change them; nil for none.
	raw *obstacles
	// through lists walkable triangles that go through this triangle, and where. Floor continues from either triangle
	// to the other along a line that is no edge of the two.
	through []link
}

// obstacles are the plans of faces and the upright faces in the way of a triangle, as found beside covers.
type obstacles struct {
	blocked []lattice.Ring
	walls   []upright
	covers  []lattice.Ring
}

// endsAbove are the heights above a floor at which another floor through it ends: where the two meet, and where the other is just high
// enough to hide.
var endsAbove = [2]float64{0, hiding}

// clearSky is the exposure of free triangles with nothing above, and unseen the exposure of triangles without a free
// part. Nobody writes to either.
var clearSky, unseen = new(exposure), &exposure{cut: true}

// ownExposure returns an unshared exposure of a triangle, to write to.
func (e *extraction) ownExposure(t int32) *exposure {
	if x := e.exposed[t]; x == clearSky || x == unseen {
		own := *x
		e.exposed[t] = &own
	}
	return e.exposed[t]
}

// hide leaves no free part of a triangle. Nobody asks what goes through the triangle then.
func (e *extraction) hide(t int32) { e.exposed[t] = unseen }

// shows reports whether a triangle has a free part.
func (e *extraction) shows(t int32) bool {
	x := e.exposed[t]
	return !x.cut || x.rings != nil
}

// rings returns the free part of a triangle.
func (e *extraction) rings(t int32) []lattice.Ring {
	if x := e.exposed[t]; x.cut {
		return x.rings
	}
	v := &e.soup.Triangles[t].V
	return []lattice.Ring{{v[0].Point, v[1].Point, v[2].Point}}
}

// expose finds the free part of every walkable triangle, without covers of other floors.
func (e *extraction) expose(ctx context.Context, jobs int) error {
	e.exposed = make([]*exposure, len(e.soup.Triangles))
	for i := range e.exposed {
		e.exposed[i] = unseen
	}
	for _, i := range e.floors.Items() {
		if e.roomOf(i.ID) != lone {
			e.exposed[i.ID] = clearSky
		}
	}
	return e.eachLeaf(ctx, jobs, func(leaf *leaf, s *surroundings) error {
		e.findFloors(s, e.floors)
		items := leaf.Items
		for i := range items {
			if e.roomOf(items[i].ID) == lone {
				continue
			}
			if err := e.exposeOne(&items[i], s); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachLeaf calls f with every leaf of floors, and scratch. The triangles of a leaf are near each other and search
// together, except that a large triangle is a leaf of its own.
func (e *extraction) eachLeaf(ctx context.Context, jobs int, f func(leaf *leaf, s *surroundings) error) error {
	var large []leaf
	leaves := e.floors.Leaves()
	if jobs != 1 {
		large, leaves = partedLeaves(leaves)
	}
	// Large triangles take most time and come first.
	chunk := min(1+len(leaves)/64, 16)
	search := searches.Add(1)
	return par.For(ctx, jobs, len(large)+(len(leaves)+chunk-1)/chunk, func(c int) error {
		s := memory.Get().(*surroundings)
		s.begin(search)
		defer s.release()
		share, from, to := large, c, c+1
		if c >= len(large) {
			share, from = leaves, (c-len(large))*chunk
			to = min(from+chunk, len(leaves))
		}
		for k := from; k < to; k++ {
			leaf := &share[k]
			s.leaf, s.known, s.listed = leaf, false, false
			if err := f(leaf, s); err != nil {
				return err
			}
		}
		return nil
	})
}

// partedLeaves takes large triangles out of leaves, for several goroutines to share. A triangle is large if its box covers a quarter of
// the box of all leaves.
func partedLeaves(leaves []leaf) (large, rest []leaf) {
	const part = 4
	size := func(b *box3) float64 {
		return (float64(b.High[0]) - float64(b.Low[0])) * (float64(b.High[1]) - float64(b.Low[1]))
	}
	all := nowhere3
	for i := range leaves {
		all = all.Union(leaves[i].Box)
	}
	least := size(&all) / part
	rest = make([]leaf, 0, len(leaves))
	for _, l := range leaves {
		if len(l.Items) < 2 || size(&l.Box) < least {
			rest = append(rest, l)
			continue
		}
		for from := 0; from < len(l.Items); {
			to, box := from+1, l.Items[from].Box
			if size(&box) >= least {
				large = append(large, leaf{Box: box, Items: l.Items[from:to]})
				from = to
				continue
			}
			for ; to < len(l.Items) && size(&l.Items[to].Box) < least; to++ {
				box = box.Union(l.Items[to].Box)
			}
			rest = append(rest, leaf{Box: box, Items: l.Items[from:to]})
			from = to
		}
	}
	return large, rest
}

// memory holds surroundings for all extractions: their tables are large beside a small level. searches counts the searches
// that use them, because what is known of a triangle is only right within one search.
var (
	memory   = sync.Pool{New: func() any { return new(surroundings) }}
	searches atomic.Int64
)

// begin forgets the triangles of other searches.
func (s *surroundings) begin(search int64) {
	if s.search != search {
		s.search, s.steps.of = search, 0
		s.prisms.forget()
	}
}

// release passes the memory on.
func (s *surroundings) release() {
	s.leaf, s.standing.of, s.steps = nil, nil, nearSteps{list: s.steps.list, made: s.steps.made}
	memory.Put(s)
}

// surroundings are the floors and faces near the triangles of a leaf, and the triangle at hand.
type surroundings struct {
	standing
	search int64
	leaf   *leaf
	floors []item // that may hide the triangles
	solids []item // faces that may be in the way, once listed
	listed bool
	ends   borders
	prisms prisms
	bars   []bar
	barred bool // obstacles add their bars

	stretches [2][]stretch // memory of [extraction.inTheWay]
	beyond    []continuing // the same
	pieces    []piece      // memory of [extraction.appendBlocks]
	moved     lattice.Ring // memory of [extraction.blockBy]
	steps     nearSteps    // of the triangle at hand, once asked for
	underPart []int32      // memory of [extraction.pastSteps]
	rest      remainder
	// covers are those of the triangle at hand, where they are known before its obstacles.
	covers     []lattice.Ring
	coverBoxes []lattice.Box

	// The floors beside the triangles within a step, in besideBox: once known.
	known     bool
	besideBox box3
	beside    []item
	found     []item
}

// near returns the floors whose boxes meet b, a box beside the triangles. The slice is valid until the next call.
func (s *surroundings) near(e *extraction, b *box3) []item {
	if !s.known {
		s.known = true
		s.besideBox = s.leaf.Box.Grown(int32(e.gap) + 2*outward)
		s.besideBox.Low[2], s.besideBox.High[2] = lowered(s.besideBox.Low[2], e.climb), raised(s.besideBox.High[2], e.climb)
		s.beside = e.floors.Search(&s.besideBox, s.beside[:0])
	}
	if !s.besideBox.Holds(b) {
		s.found = e.floors.Search(b, s.found[:0])
		return s.found
	}
	s.found = s.found[:0]
	for i := range s.beside {
		if s.beside[i].Box.Meets(b) {
			s.found = append(s.found, s.beside[i])
		}
	}
	return s.found
}

// overhead returns the space over a box, and a margin for obstacles in hairlines.
func overhead(b box3) box3 {
	b = b.Grown(halfCrack)
	b.Low[2] += 2 * touching
	b.High[2] = math.MaxInt32
	return b
}

// standing is the walkable triangle at hand.
type standing struct {
	triangle int32
	of       *soup.Triangle
	plane    plane
	over     prism // once made: most neighbours of triangles are not over the triangle
	made     bool
	part     piece // of the face at hand, the part over the triangle
}

// stand makes a triangle the triangle at hand.
func (s *standing) stand(of *soup.Triangle, triangle int32) {
	s.triangle, s.of, s.plane, s.made = triangle, of, planeOf(&of.V), false
}

// finds sets part to the part of another face over the triangle, and reports whether any is left. Only heights from low
// to high above the triangle's plane matter.
func (s *standing) finds(other []lattice.Vertex, ids []uint32, floor bool, low, high float64) bool {
	if s.plane.beyond(other, low-1, high+1) || apart(s.of, other, ids, floor) {
		return false
	}
	s.makeOver()
	return s.over.part(other, &s.part)
}

// makeOver makes the prism of the triangle at hand, once.
func (s *standing) makeOver() {
	if !s.made {
		s.over, s.made = prismOn(&s.plane, &s.of.V, 1), true
	}
}

// findFloors lists the floors of a tree that may hide the triangles of a leaf.
func (e *extraction) findFloors(s *surroundings, floors *tree) {
	b := overhead(s.leaf.Box)
	_, b.High[2] = e.headroomOf(s.leaf)
	s.floors = floors.Search(&b, s.floors[:0])
}

// exposeOne finds the free part of one triangle, given what is near.
func (e *extraction) exposeOne(at *item, s *surroundings) error {
	f := at.ID
	s.stand(&e.soup.Triangles[f], f)
	own := lattice.Ring{s.of.V[0].Point, s.of.V[1].Point, s.of.V[2].Point}
	b := overhead(at.Box)
	_, b.High[2] = e.headroom(at, &s.plane)
	var covers, aloft []lattice.Ring
	part, p := &s.part, &s.over
	for i := range s.floors {
		t := s.floors[i].ID
		if t == f || !s.floors[i].Box.Meets(&b) {
			continue
		}
		if other := &e.soup.Triangles[t]; !s.finds(other.V[:], other.ID[:], true, hiding, e.height) {
			continue
		}
		low, high := p.over(part)
		// Floors that go through each other join along a line, and a floor ends along a second line.
		if low < hiding+2*touching {
			for _, above := range endsAbove {
				if a, b, ok := p.meets(part, above); ok {
					o := e.ownExposure(f)
					o.through = append(o.through, link{from: f, to: t, a: a, b: b})
				}
			}
		}
		if c := e.cover(s, own, low, high); c != nil {
			if holds(c, own) {
				e.hide(f)
				return nil
			}
			covers = append(covers, c)
			if high > e.climb+touching {
				aloft = append(aloft, c)
			}
		}
	}
	if len(covers) == 0 {
		return nil
	}
	if s.rest.hidden(own, covers) {
		e.hide(f)
		return nil
	}
	covers = outermost(joinedConvex(covers), nil)
	x := e.ownExposure(f)
	var far remote
	var blocks []lattice.Ring
	if e.roomOf(f) == ample {
		// The same covers cut the obstacles under covers, in the same overlay.
		e.appendUncovered(at, s, covers)
		x.settled = true
		if e.maxGap > 0 {
			x.raw = &obstacles{slices.Clone(x.blocked), x.walls, covers}
		}
		far, blocks = parted(own, covers, surroundedBy(x.blocked), x.walls)
		blocks = outermost(blocks, covers)
		x.blocked, x.walls = nil, nil
	}
	a, err := overlay.Arrange([]lattice.Ring{own}, covers, blocks)
	if err != nil {
		return err
	}
	defer func() { a.Release() }()
	isFree := func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 }
	free := a.Polygons(isFree)
	var fills []lattice.Ring
	if fills, x.strips = e.strips(s, own, ringsOf(free)); len(fills) > 0 {
		covers = append(covers, fills...)
		again, err := overlay.Arrange([]lattice.Ring{own}, covers, blocks)
		if err != nil {
			return err
		}
		a.Release()
		a = again
		free = a.Polygons(isFree)
	}
	var tips []lattice.Polygon
	if len(aloft) > 0 && len(covers) > 1 {
		if len(blocks) > 0 {
			tips = tipsAmong(free) // the fills leave no free part there
		}
		// Covers that touch hide the floor in hairlines and pinholes between the covers, where some cover is more than a step above.
		// A floor within a step of all covers may show: the hairline is a step down and up again.
		around := boxesAround(aloft)
		beside := func(f lattice.Ring) bool {
			return around.any(f.Box(), func(k int32) bool { return !separated(aloft[k], f, touching) })
		}
		fills := slices.DeleteFunc(e.hairlines(own, ringsOf(free)), func(f lattice.Ring) bool { return !beside(f) })
		if len(fills) > 0 {
			left, err := overlay.Difference(ringsOf(free), fills)
			if err != nil {
				return err
			}
			free = slices.DeleteFunc(left, hairline)
			covers = append(covers, fills...)
		}
		free = slices.DeleteFunc(free, func(p lattice.Polygon) bool {
			r := p.Rings[0]
			if !e.isPinhole(r) || !surrounded(own, r) || !beside(r) {
				return false
			}
			covers = append(covers, lattice.Hull(slices.Clone(r)))
			return true
		})
	}
	x.cut, x.rings = true, ringsOf(free)
	x.sides = sidesOf(x.rings, manySides)
	if x.rings == nil {
		return nil
	}
	x.blocked, x.walls = far.blocked, far.walls
	if len(blocks) == 0 {
		return nil
	}
	tips = append(tips, tipsAmong(free)...)
	beside := slices.DeleteFunc(a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 && w[1] <= 0 && w[2] > 0 }), func(p lattice.Polygon) bool {
		return crumb(p) || isInTip(p, tips)
	})
	if len(covers) < 2 {
		x.blocked = append(x.blocked, ringsOf(beside)...)
		return nil
	}
	left, err := withoutHairlines(beside, covers)
	x.blocked = append(x.blocked, left...)
	return err
}

// cover returns the place of the triangle at hand, a ring, that the part of another floor hides, nil for none. The part is from low to high above
// the triangle. A floor above hides the triangle, even from only a step above, up to the upper floor's border and no farther.
func (e *extraction) cover(s *surroundings, own lattice.Ring, low, high float64) lattice.Ring {
	if low >= e.height || high < hiding {
		return nil
	}
	if low < hiding || high > e.height {
		s.over.band(&s.part, hiding, e.height)
	}
	if s.part.area2() <= 0 {
		return nil
	}
	c := s.part.footprint(0)
	if touch(own, c) || touch(c, own) {
		return nil // as the next step of a stair, and the support of the step
	}
	return c
}

// crumb reports whether an obstacle beside covers sticks out from under them by no more than rounding, in X and in Y. A wall along
// the edge of a floor, and a bridge that begins at the edge, end where the edge is a step above the floor beneath, and each rounds the place.
func crumb(p lattice.Polygon) bool {
	w, h := p.Box().Size()
	return max(w, h) <= hairs
}

// tipsAmong returns the free parts between a cover and a side of the triangle where nobody steps, because a floor beyond the side goes on from the
// cover: tips of wedges, no larger than a pinhole and as narrow as a touch, and hairlines, where the cover's edge lies on the side but for rounding.
func tipsAmong(free []lattice.Polygon) (tips []lattice.Polygon) {
	for _, f := range free {
		w, h := f.Box().Size()
		if hairline(f) || max(w, h) <= pinhole && meanWidth(f) <= outward {
			tips = append(tips, f)
		}
	}
	return tips
}

// isInTip reports whether an obstacle is in one of some tips.
func isInTip(p lattice.Polygon, tips []lattice.Polygon) bool {
	box := p.Box()
	return slices.ContainsFunc(tips, func(tip lattice.Polygon) bool {
		around := tip.Box()
		return around.Contains(box.Min) && around.Contains(box.Max) && !slices.ContainsFunc(p.Rings[0], func(v lattice.Point) bool {
			return tip.Rings[0].Locate(v) == lattice.Outside
		})
	})
}

// fewCovers is up to how many covers every obstacle is compared with all covers.
const fewCovers = 32

// appendUncovered adds the obstacles over a triangle, except those beneath which convex covers hide the triangle.
func (e *extraction) appendUncovered(at *item, s *surroundings, covers []lattice.Ring) {
	e.findSolids(s)
	s.coverBoxes = s.coverBoxes[:0]
	if len(covers) <= fewCovers {
		s.covers = covers
		for _, c := range covers {
			s.coverBoxes = append(s.coverBoxes, c.Box())
		}
	}
	e.appendBlocks(at, s, 0, nil)
	s.covers = nil
}

// meets returns the segment where a part goes through the plane some units above p; ok is false if the part only
// touches the plane.
func (p *prism) meets(part *piece, above float64) (a, b lattice.Vertex, ok bool) {
	var d [len(part.v)]float64
	low, high := 0.0, 0.0
	for i := range part.n {
		v := &part.v[i]
		d[i] = v.z - p.height(v.x, v.y) - above
		low, high = min(low, d[i]), max(high, d[i])
	}
	if low > -touching || high < touching {
		return a, b, false
	}
	var ends [2]lattice.Vertex
	n := 0
	k := part.n - 1
	for i := range part.n {
		if (d[i] < 0) != (d[k] < 0) && n < 2 {
			u, v, t := &part.v[k], &part.v[i], d[k]/(d[k]-d[i])
			at := func(a, b float64) int32 { return rounded(a + float64(t*(b-a))) }
			ends[n] = lattice.Vertex{Point: lattice.Point{X: at(u.x, v.x), Y: at(u.y, v.y)}, Z: at(u.z, v.z)}
			n++
		}
		k = i
	}
	return ends[0], ends[1], n == 2
}

// apart reports whether a triangle that faces up and another face lie on two sides of a line through a common corner,
// seen from above. Then only common points of the two are over each other. The face has the corners other at the
// vertices ids, and floor tells whether the face is a floor. The answer is quick, for neighbours in a surface, and
// false when in doubt.
func apart(up *soup.Triangle, other []lattice.Vertex, ids []uint32, floor bool) bool {
	shared := 0
	var i, j int // a common corner, in the triangle and in the face
	var own bool // the next corner of the triangle is common, too, not the corner before
	for k, id := range up.ID {
		for m, o := range ids {
			if id != o {
				continue
			}
			if shared++; shared == 1 {
				i, j = k, m
			} else {
				own = k == i+1
			}
			break
		}
	}
	switch shared {
	case 1:
		return aside(&up.V, other, i, j, floor)
	case 2:
		// On the right of the common edge.
		a, b := up.V[i].Point, up.V[next3[i]].Point
		if !own {
			a, b = up.V[next3[next3[i]]].Point, a
		}
		out := false
		for k := range other {
			if c := other[k].Point; c != a && c != b {
				if out = lattice.Orient(a, b, c) < 0; !out {
					break
				}
			}
		}
		return out
	}
	return false
}

// next3 is the next corner of a triangle.
var next3 = [3]int{1, 2, 0}

// aside reports whether a triangle that faces up and another face lie on two sides of a line through a common corner
// along an edge. The corner is number i of the triangle and number j of the face. An edge of a floor may go on in the
// line beyond the corner.
func aside(up *[3]lattice.Vertex, other []lattice.Vertex, i, j int, floor bool) bool {
	c := up[i].Point
	a, b := up[next3[i]].Point, up[next3[next3[i]]].Point
	p, q := other[(j+1)%len(other)].Point, other[(j+len(other)-1)%len(other)].Point
	turn := lattice.Orient(c, p, q)
	// The sides of the triangle's edges where the corners of the face may be.
	side := func(edge, at lattice.Point) (left, right bool) {
		o := lattice.Orient(c, edge, at)
		if o == 0 && floor && lattice.Dot(c, edge, at) < 0 {
			return true, true
		}
		return o > 0, o < 0
	}
	apLeft, apRight := side(a, p)
	aqLeft, aqRight := side(a, q)
	if apRight && aqRight {
		return true
	}
	bpLeft, bpRight := side(b, p)
	bqLeft, bqRight := side(b, q)
	switch {
	case bpLeft && bqLeft:
		return true
	case turn > 0: // a corner on the left of an edge has the edge on its right
		return apLeft && bpLeft || aqRight && bqRight
	case turn < 0:
		return apRight && bpRight || aqLeft && bqLeft
	}
	return false
}
