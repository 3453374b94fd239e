package exact

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/par"
	"github.com/meadow-nav/meadow/internal/soup"
)

// Gaps that the agent steps over become floor: triangles in space between the borders of floors.
//
// Source: the definition of a gap is the project's own (docs/algorithms/build.md).
//
// Idea: a brink is a stretch of a rim from which the agent steps onto no floor and which no floor covers. A step is a stretch from which the
// agent steps down. A brink and another brink or a step that face each other have a bridge between them, along the normals of either. So have
// two steps over a crack of 2 cm. The bridge goes as far as the gap is no wider than [geom.Agent.MaxGap] and the heights differ by at most a
// step. A floor in the gap that the agent steps on from both sides ends the bridge, but over a crack. Two brinks that meet in a vertex have a
// flat wedge in between: two triangles hold the normals of both brinks. Where bridges meet in a corner, their ends and the brinks and steps
// between them go around a pocket (pockets.go). A pocket no wider than a gap is a bridge, too. Bridges join the soup as walkable triangles,
// and all later stages treat bridges as floor.
//
// Input: the exposed floors and their rims.
//
// Guarantees:
//  1. A gap is bridged iff it is no wider than MaxGap, within a millimetre, in all directions and at all steps: TestGaps.
//  2. Corners of gaps and crossings of gaps leave no holes: TestGapCorners; nor do those above a floor that the agent steps on from some of
//     the sides: TestGapCornersOverSteps.
//  3. Treads of stairs have no bridges over other treads, and no bridge leads over a floor that the agent steps on from the
//     brink: TestGapsOnStairs, TestTrench.
//  4. A wedge is a bridge as far as its normals are no longer than MaxGap: TestGapWedge. Between level floors a wedge is a
//     bridge down to its tip: TestTipsOfWedges. A wedge of nearly 90° stays open: TestGapNearARightAngle.
//  5. A floor over a bridge hides the bridge, and a bridge hides the lower floor: TestPlankOverGap, TestTrench.
//  6. Floors, rims and joints are the same as if bridges had been floors of the level: TestBridgesAsFloors, TestBridgeAtAJoint.
//  7. A bridge is at most a 24th of a step off the straight ways over a gap that gets wider: TestGapThatWidens.
//  8. A gap of at most 2 cm between two steps has a bridge, whatever lies beneath, and a wider one has none: TestNarrowGaps. Nor does a floor beneath
//     end a bridge between brinks over so narrow a gap: TestShrunkLevels of internal/levelcheck.
//  9. A bridge over a crack between ramps begins where either ramp is more than a step above the floor beneath:
//     TestShrunkLevels of internal/levelcheck. A crack between edges that rise apart has a bridge: TestCrackBesideARamp. A gap above a floor
//     that only one side steps on has a bridge: TestGapsOverAStep.
//  10. A floor ends a bridge however narrow the floor is, so bars of a grating have bridges to the next bars only: TestThinBars.
//
// Degenerate cases: brinks at a right angle have no bridge. A gap narrower than a few units is no gap. Bridges make no
// further bridges, except pockets.
//
// Cost: O(b log b + k) for b brinks of which k pairs are as near each other as a gap is wide. Floors that no bridge hides or
// crosses stay as exposed, and rims look at bridges only.

// brink is a stretch of a rim that leads outwards. Its floor is on the left.
type brink struct {
	triangle int32
	stepped  bool  // the agent steps down onto another floor: a step, no brink of its own
	ground   int32 // below a step, the height of the floor that the agent steps down onto, where it is highest
	a, b     lattice.Vertex
	ends     [2]uint32 // the vertices of the level at a and b, noVertex for others
	rim      [2]corner // the ends of the rim
}

// noVertex marks a place that is no vertex of the level.
const noVertex = math.MaxUint32

// corner is a corner of a bridge: a place, and the vertex of the level there or noVertex.
type corner struct {
	lattice.Vertex
	id uint32
}

// span is a triangle of a bridge, counter-clockwise, and the floor whose ground the bridge continues.
type span struct {
	corners [3]corner
	beside  int32
}

// bridge adds the bridges over gaps to the soup. The floors near bridges are exposed again, and the rims there found again.
func (e *extraction) bridge(ctx context.Context, jobs int) error {
	if e.maxGap == 0 {
		return nil
	}
	e.firstBridge = int32(len(e.soup.Triangles))
	defer func() {
		for _, x := range e.exposed {
			if x.raw != nil {
				x.raw = nil
			}
		}
	}()
	spans, err := e.spans(ctx, jobs, e.brinks(), e.steps(false))
	if err != nil {
		return err
	}
	if len(spans) > 0 {
		if err := e.add(ctx, jobs, spans); err != nil {
			return err
		}
	}
	if spans, err = e.pockets(ctx, jobs); err != nil || len(spans) == 0 {
		return err
	}
	return e.add(ctx, jobs, spans)
}

// brinks lists the brinks.
func (e *extraction) brinks() []brink {
	var all []brink
	var joined []stretch
	for i := range e.rims {
		r := &e.rims[i]
		if r.a.Point == r.b.Point || !e.shows(r.triangle) {
			continue
		}
		joined = joined[:0]
		for _, j := range r.joined {
			joined = append(joined, j.stretch)
		}
		for _, s := range without([]stretch{{0, 1}}, joined, 2*outward/r.a.Distance(r.b.Point)) {
			if b := e.brinkOn(r, s); b.a.Point != b.b.Point {
				all = append(all, b)
			}
		}
	}
	return all
}

// brinkOn returns the brink on a stretch of a rim. Places near an end of the rim are the end.
func (e *extraction) brinkOn(r *rim, s stretch) brink {
	t := &e.soup.Triangles[r.triangle]
	k := slices.Index(t.V[:], r.a)
	ids := [2]uint32{t.ID[k], t.ID[next3[k]]}
	b := brink{triangle: r.triangle, a: r.a, b: r.b, ends: ids, rim: [2]corner{{r.a, ids[0]}, {r.b, ids[1]}}}
	near := outward / r.a.Distance(r.b.Point)
	if s.from > near {
		b.a, b.ends[0] = r.at(s.from), noVertex
	}
	if s.to < 1-near {
		b.b, b.ends[1] = r.at(s.to), noVertex
	}
	return b
}

// steps lists the stretches of rims from which the agent steps down, and onto no floor as high as the rim. A stretch ends with the floor below
// where each is asked for.
func (e *extraction) steps(each bool) []brink {
	var all []brink
	var down []step
	var others []stretch
	for i := range e.rims {
		r := &e.rims[i]
		if len(r.joined) == 0 || r.a.Point == r.b.Point || !e.shows(r.triangle) {
			continue
		}
		down, others = down[:0], others[:0]
		for _, j := range r.joined {
			s := j.stretch
			if j.triangle != unassigned {
				floor := planeOf(&e.soup.Triangles[j.triangle].V)
				drop := func(part float64) float64 {
					at := r.at(part)
					return float64(at.Z) - floor.height(float64(at.X), float64(at.Y)) - touching
				}
				if s.keep(drop(0), drop(1)); s.from < s.to {
					down = append(down, step{j.triangle, s})
				}
				others = append(others, stretch{j.from, min(s.from, j.to)}, stretch{max(s.to, j.from), j.to})
				continue
			}
			others = append(others, s)
		}
		others = slices.DeleteFunc(others, func(s stretch) bool { return s.from >= s.to })
		slices.SortFunc(others, stretch.compare)
		if !each {
			whole := merged(stretchesOf(down))
			down = down[:0]
			for _, s := range whole {
				down = append(down, step{unassigned, s})
			}
		}
		covered := math.Inf(-1)
		for _, d := range down {
			if d.to > covered { // the next begins where the one before ends
				d.from, covered = max(d.from, covered), d.to
			}
			for _, s := range appendWithout(nil, d.stretch, others, 2*outward/r.a.Distance(r.b.Point)) {
				b := e.brinkOn(r, s)
				if b.a.Point == b.b.Point {
					continue
				}
				b.stepped = true
				if d.triangle != unassigned {
					floor := planeOf(&e.soup.Triangles[d.triangle].V)
					b.ground = rounded(max(floor.height(float64(b.a.X), float64(b.a.Y)), floor.height(float64(b.b.X), float64(b.b.Y))))
				}
				all = append(all, b)
			}
		}
	}
	return all
}

// spans returns the bridges between brinks, between brinks and steps, and over cracks between steps.
func (e *extraction) spans(ctx context.Context, jobs int, brinks, steps []brink) ([]span, error) {
	brinks = append(brinks, steps...)
	pairs, err := e.pairs(ctx, jobs, brinks)
	if err != nil {
		return nil, err
	}
	const chunk = 64
	found := make([][]span, (len(pairs)+chunk-1)/chunk)
	err = par.For(ctx, jobs, len(found), func(c int) error {
		b := builder{extraction: e}
		for _, p := range pairs[c*chunk : min(len(pairs), (c+1)*chunk)] {
			if p[0] != b.first {
				b.first, b.ended = p[0], b.ended[:0]
			}
			b.join(&brinks[p[0]], &brinks[p[1]])
		}
		found[c] = b.spans
		return nil
	})
	return slices.Concat(found...), err
}

// pairs returns the pairs of brinks that may have a bridge between them, by their numbers, the lower number first.
func (e *extraction) pairs(ctx context.Context, jobs int, brinks []brink) ([][2]int32, error) {
	boxes, courses := make([]box3, len(brinks)), make([]course, len(brinks))
	for i := range brinks {
		boxes[i], courses[i] = boxOf(brinks[i].a, brinks[i].b), brinks[i].course()
	}
	t, err := boxtree.Grow(ctx, boxes, nil, jobs)
	if err != nil {
		return nil, err
	}
	const chunk = 64
	found := make([][][2]int32, (len(brinks)+chunk-1)/chunk)
	err = par.For(ctx, jobs, len(found), func(c int) error {
		for i := int32(c * chunk); int(i) < min(len(brinks), (c+1)*chunk); i++ {
			b, way := &brinks[i], &courses[i]
			front := e.front(&boxes[i], way)
			t.Any(&front, func(k int32) bool {
				o := &brinks[k]
				if k != i && (e.mayFace(b, o, way) || mayTip(b, o, way, &courses[k]) || mayTip(o, b, &courses[k], way)) {
					found[c] = append(found[c], [2]int32{min(i, k), max(i, k)})
				}
				return false
			})
		}
		return nil
	})
	pairs := slices.Concat(found...)
	slices.SortFunc(pairs, func(p, q [2]int32) int { return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1])) })
	return slices.Compact(pairs), err
}

// front returns the box of the places that a bridge leads to from a brink with a box and a course, and of the tips of narrow wedges at the brink.
func (e *extraction) front(brink *box3, c *course) box3 {
	dx, dy := int32(math.Round(e.maxGap*c.dy)), int32(math.Round(-e.maxGap*c.dx))
	front := *brink
	front.Low[0], front.High[0] = front.Low[0]+min(dx, 0), front.High[0]+max(dx, 0)
	front.Low[1], front.High[1] = front.Low[1]+min(dy, 0), front.High[1]+max(dy, 0)
	front = front.Grown(hairs)
	front.Low[2], front.High[2] = lowered(brink.Low[2], e.climb+touching), raised(brink.High[2], e.climb+touching)
	return front
}

// builder makes the bridges of some brinks.
type builder struct {
	*extraction
	spans []span
	near  []item
	first int32   // the first brink of the last pair
	ended []int32 // floors that ended bridges from the first brink to others
}

// course is the direction of a brink in the plan, and the brink's length.
type course struct {
	dx, dy, length float64
}

func (b *brink) course() course {
	dx, dy := b.b.Sub(b.a.Point)
	x, y := float64(dx), float64(dy)
	length := math.Sqrt(float64(x*x) + float64(y*y))
	return course{x / length, y / length, length}
}

// place returns the position of a point along a brink, and the distance outwards.
func (c *course) place(from, p lattice.Point) (along, out float64) {
	dx, dy := p.Sub(from)
	x, y := float64(dx), float64(dy)
	return float64(x*c.dx) + float64(y*c.dy), float64(x*c.dy) - float64(y*c.dx)
}

// stretch returns the stretch of a brink beside a part.
func (c *course) stretch(from lattice.Point, part *piece) stretch {
	on := stretch{math.Inf(1), math.Inf(-1)}
	for i := range part.n {
		x, y := part.v[i].x-float64(from.X), part.v[i].y-float64(from.Y)
		at := float64(x*c.dx) + float64(y*c.dy)
		on.from, on.to = min(on.from, at), max(on.to, at)
	}
	return on
}

// view is the stretch of a brink whose normals lead to another brink, and the stretch of the latter. Both are lengths
// along the brinks, in the same order. A crack says that the gap is nowhere wider than one, and nobody steps onto a floor in between.
type view struct {
	own, other [2]float64
	crack      bool
}

// mayTip reports whether [brink.tip] may move the start of b and the end of o, which have the courses c and d.
func mayTip(b, o *brink, c, d *course) bool {
	_, wide := d.place(o.b.Point, b.a.Point)
	_, out := c.place(b.a.Point, o.b.Point)
	return wide > 0 && wide <= hairs && out > 0 && out <= hairs
}

// mayFace reports whether o is near the normals of b, whose course is c, as far as [extraction.facing] asks for.
func (e *extraction) mayFace(b, o *brink, c *course) bool {
	widest := e.maxGap
	if b.stepped && o.stepped {
		widest = min(widest, crack)
	}
	aAlong, aOut := c.place(b.a.Point, o.a.Point)
	bAlong, bOut := c.place(b.a.Point, o.b.Point)
	return aAlong > bAlong && max(aOut, bOut) >= 0 && min(aOut, bOut) <= widest && max(0, bAlong) < min(c.length, aAlong)
}

// facing returns where the normals of b lead to o over no more than a gap, and to a height within a step. Between two steps, and between a brink
// and a step that rise apart, the normals lead over no more than a crack. A brink shorter than stub leads nowhere, and neither does a part of half
// that length where the gap gets too wide, or a part shorter than outward, as of brinks at a right angle.
func (e *extraction) facing(b, o *brink) (v view, ok bool) {
	widest := e.maxGap
	if b.stepped && o.stepped || (b.stepped || o.stepped) && !risesAlong(b, o) {
		widest = min(widest, crack)
	}
	c := b.course()
	if c.length < stub {
		return v, false
	}
	aAlong, aOut := c.place(b.a.Point, o.a.Point)
	bAlong, bOut := c.place(b.a.Point, o.b.Point)
	if aAlong <= bAlong || aOut < 0 && bOut < 0 || aOut > widest && bOut > widest {
		return v, false
	}
	from, to := max(0, bAlong), min(c.length, aAlong)
	if from >= to {
		return v, false
	}
	// Linear from a place to the other: how far out o is, and how much higher.
	part := func(along float64) float64 { return (aAlong - along) / (aAlong - bAlong) }
	out := func(along float64) float64 { return aOut + float64(part(along)*(bOut-aOut)) }
	rise := func(along float64) float64 {
		z := float64(b.a.Z) + float64(along/c.length*(float64(b.b.Z)-float64(b.a.Z)))
		return float64(o.a.Z) + float64(part(along)*(float64(o.b.Z)-float64(o.a.Z))) - z
	}
	s := stretch{0, 1}
	climb := e.climb + touching
	outs, rises := [2]float64{out(from), out(to)}, [2]float64{rise(from), rise(to)}
	s.keep(outs[0], outs[1])
	s.keep(widest-outs[0], widest-outs[1])
	s.keep(climb-rises[0], climb-rises[1])
	s.keep(climb+rises[0], climb+rises[1])
	if s.from >= s.to {
		return v, false
	}
	length := o.a.Distance(o.b.Point)
	for k, t := range [2]float64{s.from, s.to} {
		along := from + float64(t*(to-from))
		v.own[k], v.other[k] = along, float64(part(along)*length)
	}
	wide := v.own[1] - v.own[0]
	v.crack = b.stepped && o.stepped || max(out(v.own[0]), out(v.own[1])) <= crack
	return v, wide >= outward && (max(outs[0], outs[1]) <= widest || wide >= stub/2)
}

// join adds the bridge between two brinks.
func (b *builder) join(p, q *brink) {
	first, second := *p, *q
	p, q = &first, &second
	p.tip(q)
	q.tip(p)
	v, there := b.facing(p, q)
	w, back := b.facing(q, p)
	if !there && !back || (p.stepped || q.stepped) && !parallel(p, q) {
		return
	}
	if there && back {
		var spans []span
		if p.meets(q) {
			spans = b.wedge(p, q, &v, &w)
		} else if q.meets(p) {
			spans = b.wedge(q, p, &w, &v)
		}
		if spans != nil && (v.crack && w.crack || !b.stops(spans, p, q)) {
			b.spans = append(b.spans, spans...)
			return
		}
	}
	// Normals of nearly parallel brinks cover nearly the same place: one ring goes as far as the normals of either.
	if whole := (view{}); there && back && parallel(p, q) {
		whole.own = [2]float64{min(v.own[0], w.other[1]), max(v.own[1], w.other[0])}
		whole.other = [2]float64{max(v.other[0], w.own[1]), min(v.other[1], w.own[0])}
		if spans := b.appendSpans(nil, p, q, &whole); v.crack && w.crack || !b.stops(spans, p, q) {
			b.spans = append(b.spans, spans...)
			return
		}
	}
	if there {
		b.along(p, q, &v)
	}
	if back {
		b.along(q, p, &w)
	}
}

// sameRise is the greatest difference in height, along a length of 1, between a brink and a step that run along each other over more than a crack.
const sameRise = 0.1

// risesAlong reports whether two brinks that run against each other rise alike.
func risesAlong(p, q *brink) bool {
	rise := func(b *brink) float64 { return (float64(b.b.Z) - float64(b.a.Z)) / b.a.Distance(b.b.Point) }
	return math.Abs(rise(p)+rise(q)) <= sameRise
}

// parallel reports whether two brinks run against each other at a small angle. Chords beyond the last normals are then
// longer than the normals by a hundredth at most.
func parallel(p, q *brink) bool {
	const cosine = 0.98
	d, o := p.course(), q.course()
	return float64(d.dx*o.dx)+float64(d.dy*o.dy) < -cosine
}

// tip moves the start of a brink and the end of another brink to the place where their rims meet. Near the place a
// floor is within outward of either rim and joins the rim, so both brinks stop where the wedge between them is wider.
func (b *brink) tip(o *brink) {
	c, d := b.course(), o.course()
	_, wide := d.place(o.b.Point, b.a.Point)
	from, out := c.place(b.a.Point, o.b.Point)
	to, beyond := c.place(b.a.Point, o.rim[1].Point)
	if wide <= 0 || wide > hairs || out <= 0 || out > hairs || beyond > touching {
		return
	}
	part := out / (out - min(beyond, 0))
	before, after := float64(part*(to-from))+from, float64(part*o.b.Distance(o.rim[1].Point))
	start := b.a.Distance(b.rim[0].Point) + before
	p, q := b.onRim(start), o.onRim(o.rim[0].Distance(o.b.Point)+after)
	// Beside a step a bridge down to the tip would be as steep as the step.
	if before <= outward && start >= -touching && math.Abs(float64(p.Z)-float64(q.Z)) < hairs {
		b.a, b.ends[0], o.b, o.ends[1] = p.Vertex, p.id, q.Vertex, q.id
	}
}

// onRim returns the place at a length along a brink's rim.
func (b *brink) onRim(along float64) corner {
	whole := brink{a: b.rim[0].Vertex, b: b.rim[1].Vertex, ends: [2]uint32{b.rim[0].id, b.rim[1].id}}
	return whole.corner(along, whole.a.Distance(whole.b.Point), 0)
}

// meets reports whether a brink begins at the vertex of the level at which another brink ends.
func (b *brink) meets(o *brink) bool {
	return b.ends[0] != noVertex && b.ends[0] == o.ends[1]
}

// wedge returns the bridge between two brinks that meet in a vertex: p leads away from the vertex, and q leads to it.
// The views are those of p and of q. Both brinks are in one plane with the vertex, so two triangles hold the normals of
// either. The triangles reach from the vertex to the last normals of both brinks, and to the place where these normals
// cross.
func (e *extraction) wedge(p, q *brink, v, w *view) []span {
	lengths := [2]float64{p.a.Distance(p.b.Point), q.a.Distance(q.b.Point)}
	last := func(inside float64) (ends [2][2]corner) {
		for k, along := range [2][2]float64{{v.own[1], v.other[1]}, {w.other[0], w.own[0]}} {
			ends[k] = [2]corner{p.corner(along[0], lengths[0], inside), q.corner(along[1], lengths[1], inside)}
		}
		return ends
	}
	ends := last(0)
	if flat(&ends[0][0], &ends[0][1]) && flat(&ends[1][0], &ends[1][1]) {
		ends = last(touching) // as in appendSpan
	}
	tip, far := corner{p.a, p.ends[0]}, [2]corner{ends[0][0], ends[0][1]}
	fartherOnP, fartherOnQ := w.other[0] > v.own[1], w.own[0] < v.other[1]
	if fartherOnP {
		far[0] = ends[1][0]
	}
	if fartherOnQ {
		far[1] = ends[1][1]
	}
	middle, cross := crossingOf(&ends[0], &ends[1])
	if !cross {
		if fartherOnP != fartherOnQ {
			return nil // near a right angle the normals run along the brinks, and cross nearer to the vertex than a corner is
		}
		// The last normals of one brink lead farther on both sides.
		if lattice.Orient(far[0].Point, tip.Point, far[1].Point) <= 0 {
			return nil
		}
		return []span{{[3]corner{far[0], tip, far[1]}, p.triangle}}
	}
	if lattice.Orient(far[0].Point, tip.Point, middle.Point) <= 0 || lattice.Orient(middle.Point, tip.Point, far[1].Point) <= 0 {
		return nil
	}
	return []span{{[3]corner{far[0], tip, middle}, p.triangle}, {[3]corner{middle, tip, far[1]}, q.triangle}}
}

// crossingOf returns the place where two ways between corners cross each other, seen from above.
func crossingOf(s, t *[2]corner) (c corner, ok bool) {
	side := func(r *[2]corner, p *corner) float64 { return float64(lattice.Orient(r[0].Point, r[1].Point, p.Point)) }
	from, to := side(t, &s[0]), side(t, &s[1])
	if from*to >= 0 || side(s, &t[0])*side(s, &t[1]) >= 0 {
		return c, false
	}
	at := from / (from - to)
	along := func(a, b int32) int32 { return rounded(float64(a) + float64(at*(float64(b)-float64(a)))) }
	a, b := &s[0], &s[1]
	return corner{lattice.Vertex{Point: lattice.Point{X: along(a.X, b.X), Y: along(a.Y, b.Y)}, Z: along(a.Z, b.Z)}, noVertex}, true
}

// along adds the bridge over those normals of p to q that no floor crosses.
func (b *builder) along(p, q *brink, v *view) {
	if v.crack {
		b.spans = b.appendSpans(b.spans, p, q, v)
		return
	}
	rest := []stretch{{v.own[0], v.own[1]}}
	c := p.course()
	b.onWay(b.appendSpans(nil, p, q, v), p, q, func(part *piece) bool {
		// The part is less by outward on either side, and a bridge of the rest would be as narrow.
		rest = without(rest, []stretch{c.stretch(p.a.Point, part)}, 2*outward)
		return len(rest) == 0
	})
	at := func(own float64) float64 {
		return v.other[0] + float64((own-v.own[0])/(v.own[1]-v.own[0])*(v.other[1]-v.other[0]))
	}
	for _, s := range rest {
		b.spans = b.appendSpans(b.spans, p, q, &view{own: [2]float64{s.from, s.to}, other: [2]float64{at(s.from), at(s.to)}})
	}
}

// stops reports whether a floor is on the way over a bridge: within a step of the bridge and of both brinks.
func (b *builder) stops(spans []span, p, q *brink) bool {
	return b.onWay(spans, p, q, func(*piece) bool { return true })
}

// onWay calls f with the parts of a bridge within a step of a floor that is within a step of both brinks, too, until f returns true, and
// reports whether a call did.
func (b *builder) onWay(spans []span, p, q *brink, f func(part *piece) bool) bool {
	return b.eachFloor(spans, true, func(t int32, over *prism, part *piece) bool {
		if t == p.triangle || t == q.triangle {
			return false
		}
		for _, side := range [2]*brink{p, q} {
			for _, h := range over.aStepFrom(side, b.climb) {
				part.cut(&h)
			}
		}
		area := part.area2()
		if area <= overlapping || b.isBar(t) && area <= outward*part.circumference() && (p.touches(part) || q.touches(part)) {
			return false // the bridge overlaps the floors beside a brink a little
		}
		if !slices.Contains(b.ended, t) {
			b.ended = append(b.ended, t)
		}
		return f(part)
	})
}

// touches reports whether a part of a floor is as near to the line of a brink as floors that continue the brink.
func (b *brink) touches(part *piece) bool {
	c := b.course()
	for i := range part.n {
		x, y := part.v[i].x-float64(b.a.X), part.v[i].y-float64(b.a.Y)
		if float64(x*c.dy)-float64(y*c.dx) <= hairs {
			return true
		}
	}
	return false
}

// fills reports whether a floor is in a pocket: within a step of the pocket and of all its border.
func (b *builder) fills(p *pocket) bool {
	return b.eachFloor(p.spans, false, func(t int32, over *prism, part *piece) bool {
		for _, h := range over.between(float64(p.high)-b.climb, float64(p.low)+b.climb) {
			part.cut(&h)
		}
		// The pocket overlaps the floors around it a little.
		area := part.area2()
		return area > overlapping && (!slices.Contains(p.beside, t) || area > 2*meeting*part.circumference())
	})
}

// eachFloor calls f with the floors within a step of triangles of a bridge, and the part of a triangle there, until f returns true, and
// reports whether a call did. Floors count less a margin at their sides, but bars count whole where asked for.
func (b *builder) eachFloor(spans []span, bars bool, f func(t int32, over *prism, part *piece) bool) bool {
	box := nowhere3
	for i := range spans {
		v := spans[i].vertices()
		box = box.Union(boxOf(v[:]...))
	}
	box.Low[2], box.High[2] = lowered(box.Low[2], b.climb), raised(box.High[2], b.climb)
	// Behind a floor that ended the last bridge are many brinks, as in a grating.
	for _, t := range b.ended {
		if b.eachPart(t, spans, bars, f) {
			return true
		}
	}
	b.near = b.floors.Search(&box, b.near[:0])
	for i := range b.near {
		if t := b.near[i].ID; b.shows(t) && b.eachPart(t, spans, bars, f) {
			return true
		}
	}
	return false
}

// eachPart calls f with the parts of triangles of a bridge within a step of a floor until f returns true, and reports whether a call did.
func (b *builder) eachPart(t int32, spans []span, bars bool, f func(t int32, over *prism, part *piece) bool) bool {
	floor := &b.soup.Triangles[t]
	var over prism
	made := false
	for k := range spans {
		v, ids := spans[k].vertices(), spans[k].ids()
		if apart(floor, v[:], ids[:], true) || separate(&floor.V, &v) {
			continue
		}
		if !made {
			margin := float64(-outward)
			if bars && b.isBar(t) {
				margin = 0
			}
			over, made = prismOf(&floor.V, margin), true
		}
		part := pieceOf(&v)
		over.trim(&part)
		if part.n == 0 {
			continue
		}
		if over.band(&part, -b.climb, b.climb); part.area2() > overlapping && f(t, &over, &part) {
			return true
		}
	}
	return false
}

// isBar reports whether a floor is no wider than widestBar.
func (e *extraction) isBar(t int32) bool { return slim(&e.soup.Triangles[t].V, widestBar) }

// separate reports whether a side of one of two triangles divides the triangles, seen from above.
func separate(s, t *[3]lattice.Vertex) bool {
	divides := func(s, t *[3]lattice.Vertex) bool {
		for i, a := range s {
			b := s[next3[i]].Point
			if lattice.Orient(a.Point, b, t[0].Point) <= 0 && lattice.Orient(a.Point, b, t[1].Point) <= 0 && lattice.Orient(a.Point, b, t[2].Point) <= 0 {
				return true
			}
		}
		return false
	}
	return divides(s, t) || divides(t, s)
}

// between returns the half-spaces over and under the parts of a floor that are from low to high.
func (p *prism) between(low, high float64) [2]halfspace {
	return [2]halfspace{
		{from: p.first, a: p.slope.x, b: p.slope.y, d: low - p.first.z},
		{from: p.first, a: -p.slope.x, b: -p.slope.y, d: p.first.z - high},
	}
}

// aStepFrom returns the half-spaces over and under the parts of a floor that are within a step of a brink. The height of the brink is the height
// straight beside the brink.
func (p *prism) aStepFrom(b *brink, climb float64) [2]halfspace {
	c := b.course()
	rise := (float64(b.b.Z) - float64(b.a.Z)) / c.length
	x, y := p.slope.x-float64(rise*c.dx), p.slope.y-float64(rise*c.dy)
	along := float64((p.first.x-float64(b.a.X))*c.dx) + float64((p.first.y-float64(b.a.Y))*c.dy)
	above := p.first.z - float64(b.a.Z) - float64(rise*along)
	return [2]halfspace{{from: p.first, a: x, b: y, d: -climb - above}, {from: p.first, a: -x, b: -y, d: above - climb}}
}

func (s *span) vertices() [3]lattice.Vertex {
	return [3]lattice.Vertex{s.corners[0].Vertex, s.corners[1].Vertex, s.corners[2].Vertex}
}

func (s *span) ids() [3]uint32 {
	return [3]uint32{s.corners[0].id, s.corners[1].id, s.corners[2].id}
}

// flat reports whether a bridge from one corner to another rises by no more than it is long.
func flat(c, d *corner) bool {
	dz := int64(c.Z) - int64(d.Z)
	return uint64(dz*dz) <= c.Distance2(d.Point)
}

// corner returns the place at a length along a brink, some units inside of the floor. Places near an end are the end.
func (b *brink) corner(along, length, inside float64) corner {
	switch {
	case along <= outward:
		return corner{b.a, b.ends[0]}
	case along >= length-outward:
		return corner{b.b, b.ends[1]}
	}
	t, d := along/length, direction(b.a.Point, b.b.Point)
	dx, dy := b.b.Sub(b.a.Point)
	return corner{lattice.Vertex{
		Point: lattice.Point{
			X: rounded(float64(b.a.X) + float64(t*float64(dx)) - float64(inside*d.y)),
			Y: rounded(float64(b.a.Y) + float64(t*float64(dy)) + float64(inside*d.x)),
		},
		Z: rounded(float64(b.a.Z) + float64(t*(float64(b.b.Z)-float64(b.a.Z)))),
	}, noVertex}
}

// twists limits the distance of a bridge from the straight way between two floors, to a step divided by twists. The
// distance arises where one of the floors rises along the gap.
const twists = 16

// tip is the width of a gap up to which all of the gap is within reach of either floor, and a bridge need not taper. Parts are no shorter than a
// quarter of tip: a bridge between the corner of a floor and an edge that points at the corner is a splinter already.
const tip = reach

// appendSpans appends the triangles of a bridge between two brinks, in so many parts along the gap that no part is twisted or
// tapers.
func (e *extraction) appendSpans(spans []span, p, q *brink, v *view) []span {
	lengths := [2]float64{p.a.Distance(p.b.Point), q.a.Distance(q.b.Point)}
	var rise, width [2]float64
	for k := range 2 {
		from, to := p.corner(v.own[k], lengths[0], 0), q.corner(v.other[k], lengths[1], 0)
		rise[k], width[k] = float64(to.Z)-float64(from.Z), from.Distance(to.Point)
	}
	// In the middle between four corners the two diagonals pass each other at half the difference of the rises.
	step := 1 / max(1, math.Ceil(twists*math.Abs(rise[1]-rise[0])/(4*e.climb)))
	least := tip / 4 / min(math.Abs(v.own[1]-v.own[0]), math.Abs(v.other[1]-v.other[0]))
	at := func(ends [2]float64, part float64) float64 {
		return ends[0] + float64(part*(ends[1]-ends[0]))
	}
	for part := 0.0; part < 1; {
		next := part + step
		if width[0] != width[1] {
			w := e.tapered(at(width, part), width[1], max(math.Abs(rise[0]), math.Abs(rise[1])))
			next = min(next, max(part+least, (w-width[0])/(width[1]-width[0])))
		}
		if next > 1-step/8 {
			next = 1 // the last part is no splinter
		}
		spans = appendSpan(spans, p, q, &view{
			own: [2]float64{at(v.own, part), at(v.own, next)}, other: [2]float64{at(v.other, part), at(v.other, next)},
		})
		part = next
	}
	return spans
}

// tapers limits the distance of a bridge from the straight way between two floors, to a step divided by tapers. The distance arises where the
// gap gets wider.
const tapers = 24

// tapered returns the width at which a part of a bridge with a rise ends that begins at a width, before a last width. The triangles of a part are
// off the straight ways by the rise times (ratio − 1) / 2(ratio + 1), for a ratio of the widths at its ends.
func (e *extraction) tapered(width, last, rise float64) float64 {
	share := e.climb / (tapers / 2 * rise)
	if share >= 1 {
		return last
	}
	ratio := (1 + share) / (1 - share)
	switch {
	case width < last && width < tip:
		return tip
	case width < last:
		return width * ratio
	case width <= tip:
		return last
	}
	return max(width/ratio, tip)
}

// appendSpan appends the two triangles of a part of a bridge.
func appendSpan(spans []span, p, q *brink, v *view) []span {
	lengths := [2]float64{p.a.Distance(p.b.Point), q.a.Distance(q.b.Point)}
	// Counter-clockwise, back along p and then back along q.
	ring := [4]corner{
		p.corner(v.own[1], lengths[0], 0), p.corner(v.own[0], lengths[0], 0),
		q.corner(v.other[0], lengths[1], 0), q.corner(v.other[1], lengths[1], 0),
	}
	if flat(&ring[0], &ring[3]) && flat(&ring[1], &ring[2]) {
		// Rounding leaves no hairline between a bridge and its floors where they overlap a little.
		ring = [4]corner{
			p.corner(v.own[1], lengths[0], touching), p.corner(v.own[0], lengths[0], touching),
			q.corner(v.other[0], lengths[1], touching), q.corner(v.other[1], lengths[1], touching),
		}
	}
	orient := func(i, j, k int) int64 { return lattice.Orient(ring[i].Point, ring[j].Point, ring[k].Point) }
	add := func(i, j, k int, beside int32) {
		if orient(i, j, k) > 0 {
			spans = append(spans, span{[3]corner{ring[i], ring[j], ring[k]}, beside})
		}
	}
	// The diagonal from corner 0 to 2, or from 1 to 3.
	first := orient(0, 1, 2) >= 0 && orient(0, 2, 3) >= 0
	second := orient(0, 1, 3) >= 0 && orient(1, 2, 3) >= 0
	if first && second {
		first = cmp.Or(cmp.Compare(ring[0].Distance2(ring[2].Point), ring[1].Distance2(ring[3].Point)),
			min(ring[0].Compare(ring[2].Point), 0)-min(ring[1].Compare(ring[3].Point), 0)) <= 0
	}
	if first {
		add(0, 1, 2, p.triangle)
		add(0, 2, 3, q.triangle)
		return spans
	}
	add(0, 1, 3, p.triangle)
	add(1, 2, 3, q.triangle)
	return spans
}

// add appends bridges to the soup. The floors under bridges are exposed again, and the rims beside bridges are followed again.
func (e *extraction) add(ctx context.Context, jobs int, spans []span) error {
	first := int32(len(e.soup.Triangles))
	e.append(spans)
	boxes := make([]box3, len(e.soup.Triangles)-int(first))
	for i := range boxes {
		boxes[i] = *e.box(first + int32(i))
	}
	bridges := boxtree.New(boxes, nil)
	bridges.Renumber(func(id int32) int32 { return first + id })
	e.floors = e.floors.Graft(bridges)
	old := rimList{e.rims, e.firstRim}
	e.rims, e.firstRim = nil, nil
	exposed := make([]*exposure, len(e.soup.Triangles))
	for i := range exposed[copy(exposed, e.exposed):] {
		exposed[int(first)+i] = clearSky
	}
	e.exposed = exposed
	hidden, err := e.exposeBeneath(ctx, jobs, bridges, first)
	if err != nil {
		return err
	}
	return e.findRimsAgain(ctx, jobs, &old, &change{first, hidden})
}

// append appends the triangles of bridges to the soup, each once.
func (e *extraction) append(spans []span) {
	own := *e.soup // the caller may use the soup once more
	s := &own
	s.Triangles = append(make([]soup.Triangle, 0, len(s.Triangles)+len(spans)), s.Triangles...)
	e.soup = s
	made := map[lattice.Vertex]uint32{} // looked up only
	for i := range spans {
		for _, c := range spans[i].corners {
			if c.id != noVertex {
				made[c.Vertex] = c.id
			}
		}
	}
	first := len(s.Triangles)
	for i := range spans {
		t := soup.Triangle{V: spans[i].vertices(), Area: s.Triangles[spans[i].beside].Area, Walkable: true}
		for k, v := range t.V {
			id, ok := made[v]
			if !ok {
				id = uint32(s.Vertices)
				s.Vertices++
				made[v] = id
			}
			t.ID[k] = id
		}
		s.Triangles = append(s.Triangles, t)
	}
	same := map[[3]uint32]bool{} // looked up only
	kept := s.Triangles[:first]
	for i, t := range s.Triangles[first:] {
		k := 0
		for j := range t.ID {
			if t.ID[j] < t.ID[k] {
				k = j
			}
		}
		l, m := (k+1)%3, (k+2)%3
		t.V, t.ID = [3]lattice.Vertex{t.V[k], t.V[l], t.V[m]}, [3]uint32{t.ID[k], t.ID[l], t.ID[m]}
		if !same[t.ID] {
			same[t.ID] = true
			kept = append(kept, t)
			if e.rooms != nil {
				e.rooms = append(e.rooms, e.rooms[spans[i].beside])
			}
		}
	}
	s.Triangles = kept
}

// exposeBeneath exposes the bridges from a triangle on, and once more the floors that bridges may hide in part. The
// result is a list of these floors.
func (e *extraction) exposeBeneath(ctx context.Context, jobs int, bridges *tree, first int32) ([]int32, error) {
	var lock sync.Mutex
	var hidden []int32
	err := e.eachLeaf(ctx, jobs, func(leaf *leaf, s *surroundings) error {
		reach := e.gap + 2*outward
		around := func(b box3) *box3 {
			b = b.Grown(int32(reach))
			b.Low[2], b.High[2] = lowered(b.Low[2], e.height), math.MaxInt32
			return &b
		}
		if !bridges.Meets(around(leaf.Box)) {
			return nil
		}
		near := func(at *item) bool {
			var part piece
			made, p := false, prism{}
			return bridges.Any(around(at.Box), func(bridge int32) bool {
				if !made {
					made, p = true, prismOf(&e.soup.Triangles[at.ID].V, reach+touching)
				}
				return p.part(e.soup.Triangles[bridge].V[:], &part)
			})
		}
		e.findFloors(s, bridges)
		own := true // the list of floors is the list of bridges
		items := leaf.Items
		for i := range items {
			t := items[i].ID
			if e.roomOf(t) == lone {
				continue
			}
			if t < first && !e.changes(&items[i], s, first) {
				// Where a wall or a strip ends may depend on a bridge beside it.
				x := e.exposed[t]
				if !x.strips && !x.settled || !near(&items[i]) || !x.strips && e.sameObstacles(&items[i], s) {
					continue
				}
			}
			if own {
				e.findFloors(s, e.floors)
				own = false
			}
			e.exposed[t] = clearSky
			if err := e.exposeOne(&items[i], s); err != nil {
				return err
			}
			if t < first {
				lock.Lock()
				hidden = append(hidden, t)
				lock.Unlock()
			}
		}
		return nil
	})
	slices.Sort(hidden)
	return hidden, err
}

// changes reports whether one of the bridges from a triangle on, among the floors nearby, hides a part of a floor or goes through the floor.
func (e *extraction) changes(at *item, s *surroundings, first int32) bool {
	s.stand(&e.soup.Triangles[at.ID], at.ID)
	own := lattice.Ring{s.of.V[0].Point, s.of.V[1].Point, s.of.V[2].Point}
	b := overhead(at.Box)
	_, b.High[2] = e.headroom(at, &s.plane)
	for i := range s.floors {
		t := s.floors[i].ID
		if t < first || !s.floors[i].Box.Meets(&b) {
			continue
		}
		other := &e.soup.Triangles[t]
		if !s.finds(other.V[:], other.ID[:], true, hiding, e.height) {
			continue
		}
		for _, above := range endsAbove {
			if _, _, through := s.over.meets(&s.part, above); through {
				return true
			}
		}
		if low, high := s.over.over(&s.part); e.cover(s, own, low, high) != nil {
			return true
		}
	}
	return false
}

// sameObstacles reports whether the obstacles over a triangle, found once more, are those of the triangle's exposure.
func (e *extraction) sameObstacles(at *item, s *surroundings) bool {
	x := e.exposed[at.ID]
	e.exposed[at.ID] = clearSky
	e.appendUncovered(at, s, x.raw.covers)
	found := e.exposed[at.ID]
	e.exposed[at.ID] = x
	return slices.EqualFunc(found.blocked, x.raw.blocked, slices.Equal) && slices.Equal(found.walls, x.raw.walls)
}

// isBridge reports whether a triangle is a bridge.
func (e *extraction) isBridge(triangle int32) bool { return e.maxGap > 0 && triangle >= e.firstBridge }
