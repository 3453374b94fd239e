package exact

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// The search for obstacles over a triangle starts when the layers are known, and stops as soon as the triangle proves
// barren (barren.go). Most barren triangles are left out, and the search is completed for the others. Triangles that
// others cover in part have their obstacles at once, because the same overlay cuts covers and obstacles (exposed.go).

// block finds the obstacles over the triangles in layers, and the triangles that the obstacles make barren. Where the
// search stopped early, e.looked is the number of the next face near the leaf, counted from 1.
func (e *extraction) block(ctx context.Context, jobs int, barren []bool) error {
	return e.eachLeaf(ctx, jobs, func(leaf *leaf, s *surroundings) error {
		items := leaf.Items
		for i := range items {
			t := items[i].ID
			if e.layer[t] == unassigned {
				continue
			}
			if e.roomOf(t) != ample {
				barren[t] = true
				continue
			}
			barren[t], e.looked[t] = e.blockOne(&items[i], s)
		}
		return nil
	})
}

// complete finds the remaining obstacles over the chosen triangles.
func (e *extraction) complete(ctx context.Context, jobs int, chosen func(t int32) bool) error {
	return e.eachLeaf(ctx, jobs, func(leaf *leaf, s *surroundings) error {
		items := leaf.Items
		for i := range items {
			t := items[i].ID
			if e.looked[t] == 0 || !chosen(t) {
				continue
			}
			e.findSolids(s)
			e.appendBlocks(&items[i], s, e.looked[t]-1, nil)
			e.finish(t)
			e.looked[t] = 0
		}
		return nil
	})
}

// findSolids lists the faces that may be in the way over the triangles of a leaf.
func (e *extraction) findSolids(s *surroundings) {
	if s.listed {
		return
	}
	s.listed = true
	b := overhead(s.leaf.Box)
	low, high := e.headroomOf(s.leaf)
	b.Low[2], b.High[2] = max(b.Low[2], low), high
	s.solids = e.solids.Search(&b, s.solids[:0])
}

// headroomOf returns the least and greatest bounds of the headrooms of a leaf's triangles.
func (e *extraction) headroomOf(leaf *leaf) (low, high int32) {
	low, high = math.MaxInt32, math.MinInt32
	items := leaf.Items
	for i := range items {
		p := planeOf(&e.soup.Triangles[items[i].ID].V)
		l, h := e.headroom(&items[i], &p)
		low, high = min(low, l), max(high, h)
	}
	return low, high
}

// headroom returns the least and greatest heights of obstacles over a walkable triangle in a plane, or right beside the
// triangle.
func (e *extraction) headroom(at *item, p *plane) (low, high int32) {
	beside := touching * (1 + math.Abs(p.slope.x) + math.Abs(p.slope.y))
	// Beyond a sharp corner the plane may go down farther.
	return raised(at.Box.Low[2], e.climb-8*beside-2), raised(at.Box.High[2], e.height+beside)
}

// blockOne finds the obstacles over a triangle, and whether the triangle is barren. The search may stop as soon as the
// triangle proves barren, and looked is then the next face near the leaf, counted from 1.
func (e *extraction) blockOne(at *item, s *surroundings) (barren bool, looked int32) {
	f := at.ID
	x := e.exposed[f]
	if x.settled {
		s.bars = e.appendBars(s.bars[:0], f)
		return e.barren(f, s.bars), 0
	}
	s.bars = e.appendRimBars(s.bars[:0], f)
	e.findSolids(s)
	if len(s.solids) == 0 {
		return e.barren(f, s.bars), 0
	}
	next := 1 // the number of bars that is worth the next test
	enough := func() bool {
		if len(s.bars) < next {
			return false
		}
		next = 2 * len(s.bars)
		return e.barren(f, s.bars)
	}
	if enough() {
		return true, 1
	}
	if looked = e.appendBlocks(at, s, 0, enough); looked > 0 {
		return true, looked
	}
	e.finish(f)
	return e.barren(f, s.bars), 0
}

// finish tidies the obstacles over a triangle when all obstacles are known.
func (e *extraction) finish(t int32) {
	x := e.exposed[t]
	if x == clearSky {
		return // nothing is in the way
	}
	x.settled = true
	x.blocked = surroundedBy(x.blocked)
	if len(x.blocked) > 0 && len(x.walls) > 0 {
		x.walls = outerWalls(x.walls, x.blocked)
	}
}

// appendBlocks adds the obstacles over a triangle, starting at face s.solids[from]. If enough stops the search, the result is
// the next face, counted from 1, else 0. The bars of the obstacles are added where enough asks for them, and enough is nil
// where all obstacles count.
func (e *extraction) appendBlocks(at *item, s *surroundings, from int32, enough func() bool) int32 {
	s.stand(&e.soup.Triangles[at.ID], at.ID)
	s.ends, s.barred = borders{cracks: s.ends.cracks[:0]}, enough != nil
	b := overhead(at.Box)
	low, high := e.headroom(at, &s.plane)
	b.Low[2], b.High[2] = max(b.Low[2], low), high
	steep := math.Abs(s.plane.slope.x)+math.Abs(s.plane.slope.y) > splinterSlope
	for i := int(from); i < len(s.solids); i++ {
		if !s.solids[i].Box.Meets(&b) {
			continue
		}
		other := &e.faces[s.solids[i].ID]
		if s.finds(other.v(), other.ids(), false, e.climb, e.height) {
			e.blockPart(s, at, other, steep)
		}
		for k := range e.cracksNear(s, other) {
			if s.ends.cracks[k].part(other.v(), &s.part) {
				e.blockPart(s, at, other, steep)
			}
		}
		if enough != nil && enough() {
			return int32(i) + 2
		}
	}
	return 0
}

// blockPart adds the obstacle that a part of a face is over the triangle at hand, if any. A plane that is steep says little about heights beside the
// triangle.
func (e *extraction) blockPart(s *surroundings, at *item, of *face, steep bool) {
	above, below := s.over.layers(e.climb, e.height)
	s.part.cut(&above)
	s.part.cut(&below)
	if steep {
		e.cutHeights(&s.part, &at.Box)
	}
	if s.part.n == 0 || s.covers != nil && e.isBuried(s) {
		return
	}
	along, stretches, all := e.inTheWay(s)
	if all {
		s.pieces = e.pastSteps(s, at, append(s.pieces[:0], s.part))
		for k := range s.pieces {
			e.blockBy(s, of, &s.pieces[k])
		}
	}
	for _, k := range stretches {
		if part := along.between(s.part, k); part.n > 0 {
			e.blockBy(s, of, &part)
		}
	}
}

// cutHeights leaves of a part of a face the heights at which an agent on a floor in a box has its body.
func (e *extraction) cutHeights(part *piece, floor *box3) {
	low, high := float64(floor.Low[2])+e.climb, float64(floor.High[2])+e.height
	part.cut(&halfspace{c: 1, d: low})
	part.cut(&halfspace{c: -1, d: -high})
}

// isBuried reports whether covers hide the floor beneath the part of a face over the triangle at hand.
func (e *extraction) isBuried(s *surroundings) bool {
	v := &s.of.V
	own := [3]lattice.Point{v[0].Point, v[1].Point, v[2].Point}
	m := s.part.middle()
	middle := [1]lattice.Point{{X: rounded(m.x), Y: rounded(m.y)}}
	under := !holds(own[:], middle[:])
	for k := 0; k < len(s.covers) && !under; k++ {
		under = s.coverBoxes[k].Contains(middle[0]) && holds(s.covers[k], middle[:])
	}
	if !under {
		return false // as for most obstacles beside covers
	}
	var corners [2 * len(s.part.v)]lattice.Point
	s.moved = appendMovedOut(s.moved[:0], s.part.outline(corners[:0]), 1)
	return s.rest.buried(s.moved, own[:], s.covers, s.coverBoxes)
}

// blockBy adds an obstacle, a part of a face, to the triangle at hand, and appends the obstacle's bars where these are asked for.
func (e *extraction) blockBy(s *surroundings, of *face, part *piece) {
	x := e.ownExposure(s.triangle)
	if w, ok := uprightOf(of.v(), part); ok {
		x.walls = append(x.walls, w)
		if s.barred {
			s.bars = append(s.bars, w.bar())
		}
		return
	}
	var corners [2 * len(part.v)]lattice.Point
	r := part.outline(corners[:0])
	x.blocked = append(x.blocked, slices.Clone(r))
	if s.barred {
		s.moved = appendMovedOut(s.moved[:0], r, 1)
		s.bars = appendRing(s.bars, s.moved)
	}
}

// surroundedBy returns the footprints of obstacles, given the plans of their faces: joined where faces meet, a unit around
// them, and none inside of another. The faces of a round pillar have one footprint. The result reuses the slice.
func surroundedBy(plans []lattice.Ring) []lattice.Ring {
	flat := 0 // faces without an area come first
	for i, r := range plans {
		if len(r) < 3 {
			plans[i], plans[flat] = plans[flat], r
			flat++
		}
	}
	joined := joinedConvex(outermost(plans[flat:], nil))
	plans = plans[:flat+len(joined)]
	for i, r := range plans {
		plans[i] = movedOut(fromLeast(r), 1)
	}
	return outermost(plans, nil)
}

// fromLeast returns a ring that starts at its least point, as a ring from [hull].
func fromLeast(r lattice.Ring) lattice.Ring {
	least := 0
	for i, p := range r {
		if p.Compare(r[least]) < 0 {
			least = i
		}
	}
	if least == 0 {
		return r
	}
	return slices.Concat(r[least:], r[:least])
}

// inTheWay tells where the part of a face over the triangle at hand is in the way: everywhere, or along some stretches
// of a side.
//
// A part over a side may be beside the triangle only. Where the floor ends at the side and no other floor is near, the
// side itself is as good. Where the floor continues on another floor by a step, the part has to be in the way of both.
// The edge of a ceiling over a stair is in the way of the tread beneath the ceiling, if at all. Stretches decide for
// each pair of floors.
func (e *extraction) inTheWay(s *surroundings) (along sight, stretches []stretch, all bool) {
	part, ends, v, p := &s.part, &s.ends, &s.of.V, &s.over
	if !ends.made {
		ends.inner, ends.made = prismOn(&s.plane, v, -touching), true
	}
	middle := part.middle()
	if ends.inner.holds(&middle) {
		return along, nil, true // as for nearly all obstacles
	}
	var in piece
	in.copy(part)
	if ends.inner.trim(&in); in.n > 0 {
		return along, nil, true
	}
	// Out over the nearest side.
	best := math.Inf(1)
	side := 0
	for i := range p.sides {
		if d := p.sides[i].side(&middle); d < best {
			best, side = d, i
		}
	}
	if p.sides[side].holdsNear(part) && e.ends(s, side) {
		return along, nil, false
	}
	r := rim{a: v[side], b: v[next3[side]]}
	along = r.sight()
	own := along.extent(part)
	least := 4 * outward / along.length // ends of stretches of two floors differ by rounding
	if own.to-own.from <= least && (e.stepsOver(s, &middle) || e.stepsOff(s, &middle)) {
		return along, nil, false
	}
	continued, both := s.stretches[0][:0], s.stretches[1][:0]
	s.beyond = s.beyond[:0]
	from, to := r.at(own.from), r.at(own.to)
	beyond := int32(outward)
	if ends.sides[side].cracked {
		beyond = hairs
	}
	box := boxOf(from, to).Grown(beyond + touching)
	box.Low[2], box.High[2] = lowered(box.Low[2], e.climb), raised(box.High[2], e.climb)
	near := s.near(e, &box)
	for i := range near {
		q := s.prisms.of(e.soup, near[i].ID)
		step, ok := along.above(q, float64(beyond), -e.climb, e.climb)
		if !ok || step.to-step.from <= touching/along.length { // a corner of the floor, moved out
			continue
		}
		step = stretch{max(step.from, own.from), min(step.to, own.to)}
		if step.from > step.to {
			continue
		}
		continued = append(continued, step)
		// Beside the step the lower floor has the headroom, so a slanting lintel is in the way of both floors only along the stretch
		// where the lintel blocks the other floor too.
		var there piece
		there.copy(part)
		q.band(&there, e.climb, e.height)
		other := continuing{plane: q.plane, step: step, blocked: stretch{1, 0}}
		if there.n > 0 {
			k := along.extent(&there)
			other.blocked = stretch{max(k.from, step.from), min(k.to, step.to)}
		}
		s.beyond = append(s.beyond, other)
	}
	for i := range s.beyond {
		both = e.appendBlocked(both, &along, s.beyond, i)
	}
	s.stretches[0], s.stretches[1] = continued, both
	switch {
	case len(continued) == 0:
		return along, nil, true
	case own.to-own.from <= least:
		return along, nil, len(both) > 0
	}
	slices.SortFunc(continued, stretch.compare)
	both = append(both, without([]stretch{own}, continued, least)...)
	slices.SortFunc(both, stretch.compare)
	for _, k := range both {
		if n := len(stretches); n > 0 && k.from <= stretches[n-1].to+least {
			stretches[n-1].to = max(stretches[n-1].to, k.to)
			continue
		}
		stretches = append(stretches, k)
	}
	if n := len(stretches); n > 0 {
		if stretches[0].from <= own.from+least {
			stretches[0].from = own.from
		}
		if stretches[n-1].to >= own.to-least {
			stretches[n-1].to = own.to
		}
		if n == 1 && stretches[0] == own {
			return along, nil, true
		}
	}
	return along, stretches, false
}

// continuing is a floor that continues the triangle at hand over a side.
type continuing struct {
	plane
	step    stretch // where the floor is no more than a step higher or lower
	blocked stretch // where a part of a face is in the way of the floor, too: of negative length for nowhere
}

// appendBlocked appends the stretches of a side along which a part is in the way of floor i of some floors beyond the side. A floor
// counts where no other of the floors hides it: nobody steps onto a hidden floor.
func (e *extraction) appendBlocked(both []stretch, along *sight, beyond []continuing, i int) []stretch {
	q := &beyond[i]
	if q.blocked.from > q.blocked.to {
		return both
	}
	rise := func(o *plane, p *point3) float64 {
		x, y := p.x+float64(outward*along.ox), p.y+float64(outward*along.oy)
		return o.height(x, y) - q.height(x, y)
	}
	var hidden []stretch
	for k := range beyond {
		o := &beyond[k]
		over := stretch{max(o.step.from, q.blocked.from), min(o.step.to, q.blocked.to)}
		if over.from >= over.to {
			continue
		}
		a, b := rise(&o.plane, &along.a), rise(&o.plane, &along.b)
		in := stretch{0, 1}
		in.keep(a-hiding, b-hiding)
		in.keep(e.height-a, e.height-b)
		if in = (stretch{max(in.from, over.from), min(in.to, over.to)}); in.from < in.to {
			hidden = append(hidden, in)
		}
	}
	if hidden == nil {
		return append(both, q.blocked)
	}
	slices.SortFunc(hidden, stretch.compare)
	return appendWithout(both, q.blocked, hidden, 0)
}

// upperStep is a floor that rests on the triangle at hand and is a step higher somewhere.
type upperStep struct {
	over prism // moved out by some units
	// within bounds the places over the floor, moved out by some units, where the floor is a step higher than the triangle.
	within [5]halfspace
}

// nearSteps are the floors that rest on a triangle or touch it, and are a step higher: they may be upper steps. Few of them are under an
// obstacle.
type nearSteps struct {
	of    int32 // one more than the triangle, 0 for none
	list  []nearStep
	boxes boxList     // of the floors, moved out by some units
	made  []upperStep // those that were asked for
}

// nearStep is a floor that may be an upper step.
type nearStep struct {
	triangle int32
	number   int32 // of the step, -1 until made
}

// findSteps lists the floors that may be upper steps of the triangle at hand.
func (e *extraction) findSteps(s *surroundings, at *item) {
	n := &s.steps
	if n.of == at.ID+1 {
		return
	}
	*n = nearSteps{of: at.ID + 1, list: n.list[:0], made: n.made[:0], boxes: boxList{boxes: n.boxes.boxes[:0]}}
	box := at.Box.Grown(outward)
	box.High[2] = raised(at.Box.High[2], e.climb)
	near := s.near(e, &box)
	slices.SortFunc(near, func(a, b item) int { return cmp.Compare(a.ID, b.ID) }) // the order of cuts moves corners
	for i := range near {
		t := near[i].ID
		if t == at.ID {
			continue
		}
		v := &e.soup.Triangles[t].V
		if s.plane.beyond(v[:], hiding, e.climb+touching) || apart(s.of, v[:], e.soup.Triangles[t].ID[:], true) {
			continue
		}
		b := near[i].Box.Grown(outward)
		n.list = append(n.list, nearStep{t, -1})
		n.boxes.boxes = append(n.boxes.boxes, lattice.Box{Min: lattice.Point{X: b.Low[0], Y: b.Low[1]}, Max: lattice.Point{X: b.High[0], Y: b.High[1]}})
	}
	n.boxes = boxListOf(n.boxes.boxes)
}

// step returns an upper step of the triangle at hand, valid until the next call.
func (e *extraction) step(s *surroundings, i int32) *upperStep {
	n := &s.steps.list[i]
	if n.number < 0 {
		n.number = int32(len(s.steps.made))
		step := upperStep{over: prismOf(&e.soup.Triangles[n.triangle].V, outward)}
		copy(step.within[:], step.over.sides[:])
		q, p := &step.over.plane, &s.plane
		h := q.first.z - p.height(q.first.x, q.first.y)
		a, b := q.slope.x-p.slope.x, q.slope.y-p.slope.y
		step.within[3] = halfspace{from: q.first, a: a, b: b, d: hiding - h}
		step.within[4] = halfspace{from: q.first, a: -a, b: -b, d: h - e.climb - touching}
		s.steps.made = append(s.steps.made, step)
	}
	return &s.steps.made[n.number]
}

// pastSteps returns the parts of some pieces over the triangle at hand that block all floors on the triangle a step
// higher. At the edge of an upper floor the triangle continues in the floor, and an obstacle at the edge has to block
// both.
func (e *extraction) pastSteps(s *surroundings, at *item, pieces []piece) []piece {
	e.findSteps(s, at)
	if len(s.steps.list) == 0 {
		return pieces
	}
	s.underPart = s.steps.boxes.overlapping(s.underPart[:0], s.part.box())
	for _, i := range s.underPart {
		step := e.step(s, i)
		for k := len(pieces) - 1; k >= 0; k-- {
			pieces = e.pastStep(step, pieces, k)
		}
	}
	return pieces
}

// pastStep takes off piece k of a list the part that is over or beside an upper step and does not block the step. Up to six
// pieces remain.
func (e *extraction) pastStep(step *upperStep, pieces []piece, k int) []piece {
	const most = 8 // corners, so that no cut has too many
	if pieces[k].n > most {
		return pieces
	}
	inside := pieces[k]
	for i := range step.within {
		if inside.cut(&step.within[i]); !inside.reaches(&step.within[i]) {
			return pieces
		}
	}
	above, below := step.over.layers(e.climb, e.height)
	there := inside
	there.cut(&above)
	if touched := there; there.n > 0 {
		if touched.cut(&below); touched.n == 0 {
			there.n = 0
		}
	}
	if there.n > 0 && there.covers(&inside) {
		return pieces
	}
	left := pieces[k]
	pieces = slices.Delete(pieces, k, k+1)
	if there.n > 0 {
		pieces = append(pieces, there)
	}
	for i := range step.within {
		out := left
		h := step.within[i]
		h.a, h.b, h.d = -h.a, -h.b, -h.d
		if out.cut(&h); out.reaches(&h) {
			pieces = append(pieces, out)
		}
		left.cut(&step.within[i])
	}
	return pieces
}

// reaches reports whether a piece goes beyond the border of a half-space into it. A piece along the border is a hair that cuts leave, and cuts
// of hairs double them.
func (p *piece) reaches(h *halfspace) bool {
	const hair = 1.0 / 8
	for i := range p.n {
		if h.side(&p.v[i]) > hair {
			return true
		}
	}
	return false
}

// covers reports whether a part of a piece is as large as the piece, seen from above.
func (p *piece) covers(whole *piece) bool {
	a, b := p.box(), whole.box()
	return a.Contains(b.Min) && a.Contains(b.Max) && p.area2() >= whole.area2()-overlapping
}

// box returns the box of a piece, on the ground.
func (p *piece) box() lattice.Box {
	b := lattice.EmptyBox()
	for i := range p.n {
		b = b.Extend(lattice.Point{X: rounded(p.v[i].x), Y: rounded(p.v[i].y)})
	}
	return b
}

// middle returns the mean of the corners of a piece, on the ground.
func (p *piece) middle() point3 {
	var m point3
	for i := range p.n {
		m.x, m.y = m.x+p.v[i].x/float64(p.n), m.y+p.v[i].y/float64(p.n)
	}
	return m
}

// stepsOver reports whether a higher floor, a step above the triangle at hand, touches a corner, and the part blocks
// nobody on the higher floor. Around a corner floors meet at several sides.
func (e *extraction) stepsOver(s *surroundings, corner *point3) bool {
	z := s.over.height(corner.x, corner.y)
	box := box3{
		Low:  [3]int32{rounded(corner.x) - outward, rounded(corner.y) - outward, rounded(z)},
		High: [3]int32{rounded(corner.x) + outward, rounded(corner.y) + outward, raised(rounded(z), e.climb)},
	}
	near := s.near(e, &box)
	for i := range near {
		q := s.prisms.of(e.soup, near[i].ID)
		if h := q.height(corner.x, corner.y); h <= z+hiding || h > z+e.climb+touching {
			continue
		}
		if !slices.ContainsFunc(q.sides[:], func(h halfspace) bool { return h.side(corner) < -outward }) {
			var over piece
			over.copy(&s.part)
			if q.band(&over, e.climb, e.height); over.n == 0 {
				return true
			}
		}
	}
	return false
}

// stepsOff reports whether a lower floor, a step below the triangle at hand, shows at a corner, and the part blocks nobody on the
// lower floor. The edge of a ceiling beside a stair touches the corners of all treads.
func (e *extraction) stepsOff(s *surroundings, corner *point3) bool {
	z := s.over.height(corner.x, corner.y)
	at := lattice.Point{X: rounded(corner.x), Y: rounded(corner.y)}
	box := box3{
		Low:  [3]int32{at.X - 2*outward, at.Y - 2*outward, lowered(rounded(z), e.climb)},
		High: [3]int32{at.X + 2*outward, at.Y + 2*outward, raised(rounded(z), e.climb)},
	}
	near := s.near(e, &box)
	for i := range near {
		q := *s.prisms.of(e.soup, near[i].ID)
		if h := q.height(corner.x, corner.y); h >= z-hiding || h < z-e.climb-touching {
			continue
		}
		var over piece
		over.copy(&s.part)
		if q.band(&over, e.climb, e.height); over.n == 0 && e.showsBeside(s, corner, &q, near) {
			return true
		}
	}
	return false
}

// showsBeside reports whether a floor shows in one of eight places around a corner: none of some floors near the corner hides
// the floor there.
func (e *extraction) showsBeside(s *surroundings, corner *point3, floor *prism, near []item) bool {
	for _, d := range [8][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.7, 0.7}, {-0.7, 0.7}, {-0.7, -0.7}, {0.7, -0.7}} {
		p := point3{corner.x + 2*outward*d[0], corner.y + 2*outward*d[1], 0}
		if !floor.holds(&p) {
			continue
		}
		h := floor.height(p.x, p.y)
		if !slices.ContainsFunc(near, func(i item) bool {
			o := s.prisms.of(e.soup, i.ID)
			above := o.height(p.x, p.y) - h
			return above > hiding && above < e.height && o.holds(&p)
		}) {
			return true
		}
	}
	return false
}

// extent returns the stretch of a rim beside a piece. The stretch may lead beyond the ends of the rim.
func (s *sight) extent(p *piece) stretch {
	in := stretch{math.Inf(1), math.Inf(-1)}
	for i := range p.n {
		t := s.along(&p.v[i])
		in.from, in.to = min(in.from, t), max(in.to, t)
	}
	return in
}

// along returns the position of a place along a rim.
func (s *sight) along(p *point3) float64 {
	return (float64((p.y-s.a.y)*s.ox) - float64((p.x-s.a.x)*s.oy)) / s.length
}

// between returns the part of a piece beside a stretch of a rim.
func (s *sight) between(p piece, in stretch) piece {
	p.cut(&halfspace{from: s.a, a: -s.oy, b: s.ox, d: float64(in.from * s.length)})
	p.cut(&halfspace{from: s.a, a: s.oy, b: -s.ox, d: -float64(in.to * s.length)})
	return p
}
