// Package gaps finds the gaps between floors that an agent steps over, in float64, straight from the triangles. The faces over
// gaps are called bridges. The judge and the raster extractor take the bridges as floor; exact extraction finds bridges on its
// own.
//
// Source: the definition of a gap is the project's own (docs/algorithms/build.md).
//
// Idea: a brink is a stretch of an edge at which a floor ends: no floor just outside is within a step, and no floor lies
// low over the edge. A step is a stretch outside of which a floor lies lower, within a step. The normals of a brink lead out to the brinks
// and steps that face the edge, and the normals of a step to brinks, or to steps over a crack. Between both ends of such normals a
// quadrilateral is floor, if the gap is at most [geom.Agent.MaxGap] wide and both ends are within a step. A floor that
// is within a step of the quadrilateral and of both edges is in between: the normals across that floor have no bridge. Where gaps meet
// or turn, the normals leave a pocket. The remaining brinks and steps and the sides of bridges go around the pocket. A pocket in
// which no disc as wide as the widest gap fits is filled.
//
// Input: any triangles that are floors.
//
// Guarantees, with tests in package judge:
//  1. A gap is crossed iff the gap is at most MaxGap wide, within 2 mm, in any direction, level and with a step: TestGapWidths.
//  2. The bridges are the places that the definition names, place by place: TestBridgesFollowTheDefinition.
//  3. Corners of gaps, crossings and turns leave no holes: TestGapCorners, TestGapCornersOverSteps; nor do steep bridges: TestGapAtAPillar, nor twisted
//     bridges that cross: TestBridgesThatCross.
//  4. Treads have no bridges, nor has a trench that one steps into: TestNoBridges.
//  5. A floor over a bridge hides the bridge, and a bridge hides the lower floor: TestBridgesHide.
//  6. A rest of an edge beside a link has no bridges along other edges: TestRestsOfEdges.
//  7. A gap above a floor that only one side steps on has a bridge: TestGapsOverAStep. Hence a bridge over a crack between ramps begins
//     where either ramp is more than a step above the floor beneath: TestShrunkLevels of internal/levelcheck.
//  8. A gap of at most 2 cm between two steps has a bridge, whatever lies beneath, also where the steps rise apart: TestNarrowGaps,
//     TestShrunkLevels of internal/levelcheck.
//  9. Two bridges between the same edges hide no side of each other, and the tip of a thin face has brinks. Floors that touch in a corner
//     beside a pocket, and collapsed faces, leave no hole. Two pockets may lie beside the same bridges: TestShrunkLevels of
//     internal/levelcheck.
//  10. A hole between floors without room for a disc of 2 cm is a pocket, also without a bridge beside the hole. A pocket ends where the lines of
//     its brinks and steps cross: TestShrunkLevels of internal/levelcheck.
//
// Degenerate cases: repeated faces have the same brinks. Floors less than [Hair] apart touch. A link, or a floor in between,
// on less than a few millimetres of a brink does not count. Bridges make no further bridges.
//
// Cost: O(e·k) for e edges at which floors end, with k faces within MaxGap of each.
//
// Departures: lengths are measured in float64 with a slack of a millimetre. Products are rounded before sums, so
// every machine finds the same bridges.
package gaps

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
)

// Hair is how far apart floors touch that share no edge, in metres.
const Hair = 2e-3

// slack is the allowed error of lengths, in metres.
const slack = 1e-3

// joint is how far apart the ends of two stretches may be that go around a pocket, in metres. Stretches end up to three
// hairs early, and up to six where the bridges of two brinks cross at a small angle.
const joint = 8 * Hair

// inset is how far, in metres, the corners of a way around a pocket may be inside of the pocket: three hairs, by which stretches end early.
const inset = 3 * Hair

// stub is the length in metres of a brink from which on the brink's normals make a bridge. A bridge that ends where the gap gets too wide is at
// least half as wide. Rounding of the coordinates to a millimetre turns shorter brinks by 10° and more.
const stub = 3 * Hair

// sameRise is the greatest difference in height, along a metre, between a brink and a step that run along each other over more than a crack.
const sameRise = 0.1

// crack is the width in metres of the widest gap with a bridge whatever lies beneath.
const crack = 0.02

// longest is the largest number of stretches around a pocket.
const longest = 64

// Face is a triangle that is floor, counter-clockwise seen from above.
type Face struct {
	V [3]geom.Vec
	// Of is the number of the floor. Of a bridge, Of is the number of a floor beside the gap.
	Of int
	// Rim says which edges of a bridge are sides, where the bridge ends though the gap may go on.
	Rim [3]bool
	// Pocket says that the face is a part of a pocket, whose border is between the heights Low and High, in metres. The floor of a
	// pocket may be at any of these heights.
	Pocket    bool
	Low, High float64
}

func (f *Face) normal() geom.Vec {
	a, b := f.V[1].Sub(f.V[0]), f.V[2].Sub(f.V[0])
	return geom.Vec{
		X: float64(a.Y*b.Z) - float64(a.Z*b.Y),
		Y: float64(a.Z*b.X) - float64(a.X*b.Z),
		Z: float64(a.X*b.Y) - float64(a.Y*b.X),
	}
}

// Gaps are the bridges of a level.
type Gaps struct {
	// Bridges are faces over gaps. Bridges of one gap may overlap at nearly the same height.
	Bridges []Face
	work    bridging
}

// point is a place seen from above, in ground coordinates: x to the east, y to the north, z up.
type point struct{ x, y, z float64 }

func pointOf(v geom.Vec) point { return point{v.X, -v.Z, v.Y} }

func (p point) vec() geom.Vec { return geom.Vec{X: p.x, Y: p.z, Z: -p.y} }

// toward returns the place a part t of the way from p to q.
func (p point) toward(q point, t float64) point {
	return point{p.x + float64(t*(q.x-p.x)), p.y + float64(t*(q.y-p.y)), p.z + float64(t*(q.z-p.z))}
}

// turn is positive where c is on the left of the way from a to b: twice the area of the triangle.
func turn(a, b, c point) float64 {
	return float64((b.x-a.x)*(c.y-a.y)) - float64((b.y-a.y)*(c.x-a.x))
}

// hypot is the length of a way, the same on every machine.
func hypot(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// part is a stretch of an edge, or of something else that has a begin and an end.
type part struct{ from, to float64 }

// keep cuts the part down to where a linear function is not negative, with the values a and b at 0 and 1.
func (p *part) keep(a, b float64) {
	switch {
	case a < 0 && b < 0:
		p.to = math.Inf(-1)
	case a < 0:
		p.from = max(p.from, a/(a-b))
	case b < 0:
		p.to = min(p.to, a/(a-b))
	}
}

// without returns parts less others, where the others together are longer than least.
func without(parts, others []part, least float64) []part {
	slices.SortFunc(others, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	for i := 0; i < len(others); {
		hole := others[i]
		for i++; i < len(others) && others[i].from <= hole.to+least/8; i++ {
			hole.to = max(hole.to, others[i].to)
		}
		if hole.to-hole.from <= least {
			continue
		}
		var left []part
		for _, p := range parts {
			if before := (part{p.from, min(p.to, hole.from)}); before.to > before.from {
				left = append(left, before)
			}
			if after := (part{max(p.from, hole.to), p.to}); after.to > after.from {
				left = append(left, after)
			}
		}
		parts = left
	}
	return parts
}

// brink is an edge where a floor ends: the floor is on the left. Parts are the brinks along the edge, and steps are the stretches from which
// the agent steps down. Below lists the steps by the floor below.
type brink struct {
	a, b  point
	face  int // the face with this edge
	parts []part
	steps []part
	below []below
}

// below is a stretch from which the agent steps down onto a face.
type below struct {
	part
	face int32
}

func (b *brink) length() float64 { return hypot(b.b.x-b.a.x, b.b.y-b.a.y) }

// bridging is the work on the gaps of a level.
type bridging struct {
	agent  geom.Agent
	gap    float64 // with the slack
	opt    Options
	faces  []Face // the floors, then the bridges
	floors int
	grid   Grid
	stamp  []int32
	now    int32
	near   []int32
	edges  []brink
	ofFace [][3]int32 // the edges of each floor, -1 for an edge that goes on in another floor
	sides  []brink    // the sides of bridges
	quads  []int32    // of each bridge, the number of its quadrilateral
	quad   int32
	pairs  [][2]int32 // of each bridge, the two edges beside the gap, the lower number first
	pair   [2]int32
	// bridgeCrack says that the bridges at hand are over cracks, which have no floor in between.
	bridgeCrack bool
}

// Options change the bridges of [Find].
type Options struct {
	// Overlap is the length in metres by which bridges lap over the floors beside them.
	Overlap float64
	// Ease is added to the greatest angle between two edges that run along each other, in radians, and to the difference of their rises.
	Ease float64
	// Look is how far beside an edge, outwards and inwards, the floors say what the edge is, in metres: [Hair] for 0. A floor farther out does not
	// continue the edge, and a floor over a place farther in does not hide the edge.
	Look float64
}

// Find finds the gaps between floors that the agent steps over.
func Find(floors []Face, agent geom.Agent, opt Options) *Gaps {
	opt.Look = cmp.Or(opt.Look, Hair)
	g := &Gaps{work: bridging{agent: agent, gap: agent.MaxGap + slack, opt: opt, faces: slices.Clone(floors), floors: len(floors)}}
	b := &g.work
	b.index()
	b.findEdges()
	for i := range b.edges {
		b.find(&b.edges[i])
	}
	if agent.MaxGap > 0 {
		for i := range b.edges {
			b.cross(int32(i))
		}
	}
	b.pair = [2]int32{} // pockets are between no two edges
	if agent.MaxGap > 0 {
		b.index()
		for _, p := range b.pockets() {
			b.fill(&p)
		}
		b.index()
	}
	g.Bridges = b.faces[b.floors:]
	return g
}

func (b *bridging) index() {
	b.grid = NewGrid(len(b.faces), func(i int) geom.Box {
		v := &b.faces[i].V
		return geom.EmptyBox().Extend(v[0]).Extend(v[1]).Extend(v[2])
	})
}

// rounded is a place in quarters of a millimetre, about.
func rounded(v geom.Vec) [3]int64 {
	const perMetre = 4096
	return [3]int64{int64(math.Round(v.X * perMetre)), int64(math.Round(v.Y * perMetre)), int64(math.Round(v.Z * perMetre))}
}

// findEdges lists the edges of floors that no other floor has in the opposite direction.
func (b *bridging) findEdges() {
	number := make(map[[3]int64]uint64, len(b.faces)) // looked up only
	corners := make([][3]uint64, len(b.faces))
	edges := make([]uint64, 0, 3*len(b.faces))
	// A face that collapses has one edge in both directions, and ends no other face.
	collapses := func(c *[3]uint64) bool { return c[0] == c[1] || c[1] == c[2] || c[2] == c[0] }
	for i := range b.faces {
		for k, v := range b.faces[i].V {
			at := rounded(v)
			n, known := number[at]
			if !known {
				n = uint64(len(number))
				number[at] = n
			}
			corners[i][k] = n
		}
		if collapses(&corners[i]) {
			continue
		}
		for k, c := range corners[i] {
			edges = append(edges, c<<32|corners[i][(k+1)%3])
		}
	}
	slices.Sort(edges)
	b.ofFace = make([][3]int32, len(b.faces))
	for i := range b.faces {
		f := &b.faces[i]
		b.ofFace[i] = [3]int32{-1, -1, -1}
		if collapses(&corners[i]) {
			continue
		}
		for k, c := range corners[i] {
			if _, shared := slices.BinarySearch(edges, corners[i][(k+1)%3]<<32|c); shared {
				continue
			}
			if e := (brink{a: pointOf(f.V[k]), b: pointOf(f.V[(k+1)%3]), face: i}); e.length() >= Hair {
				b.ofFace[i][k] = int32(len(b.edges))
				b.edges = append(b.edges, e)
			}
		}
	}
}

// around lists the floors whose boxes are within a distance of the box of some points.
func (b *bridging) around(reach float64, points ...point) []int32 {
	if len(b.stamp) < len(b.faces) {
		b.stamp = append(b.stamp, make([]int32, len(b.faces)-len(b.stamp))...)
	}
	b.now++
	b.near = b.near[:0]
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, p := range points {
		x0, y0, x1, y1 = min(x0, p.x-reach), min(y0, p.y-reach), max(x1, p.x+reach), max(y1, p.y+reach)
	}
	b.grid.Visit(x0, -y1, x1, -y0, func(i int32) {
		if b.stamp[i] == b.now {
			return
		}
		b.stamp[i] = b.now
		v := &b.faces[i].V
		if min(v[0].X, v[1].X, v[2].X) <= x1 && max(v[0].X, v[1].X, v[2].X) >= x0 &&
			min(v[0].Z, v[1].Z, v[2].Z) <= -y0 && max(v[0].Z, v[1].Z, v[2].Z) >= -y1 {
			b.near = append(b.near, i)
		}
	})
	return b.near
}

// find finds the brinks and the steps along an edge.
func (b *bridging) find(e *brink) {
	l := e.length()
	from, to := e.outside(b.opt.Look)
	climb, height := b.agent.MaxClimb+slack, b.agent.Height-slack
	inside := b.inside(e)
	var gone, down, level []part
	e.below = nil
	for _, i := range b.around(Hair, e.a, e.b) {
		if int(i) == e.face || b.isTwin(int(i), e.face) {
			continue
		}
		f := &b.faces[i]
		if p := f.under(from, to, -climb, climb); p.to > p.from {
			gone = append(gone, p)
		}
		if p := f.under(from, to, -climb, -Hair); p.to > p.from {
			down = append(down, p)
			e.below = append(e.below, below{p, i})
		}
		if p := f.under(from, to, -Hair, climb); p.to > p.from {
			level = append(level, p)
		}
		if b.isBeside(int(i), e.face) {
			continue
		}
		for _, l := range inside {
			if p := f.under(l.from, l.to, slack, height); p.to > p.from {
				covered := part{l.of.from + float64(p.from*(l.of.to-l.of.from)), l.of.from + float64(p.to*(l.of.to-l.of.from))}
				gone, level = append(gone, covered), append(level, covered)
			}
		}
	}
	// A rest beside the end of a link is no brink: the normals of the rest may run along another edge, and lead far. Half of an edge of a few
	// millimetres is a link.
	short := func(p part) bool { return (p.to-p.from)*l < Hair }
	e.parts = slices.DeleteFunc(without([]part{{0, 1}}, gone, min(3*Hair/l, 0.5)), short)
	var shown []below
	for _, d := range e.below {
		for _, p := range without([]part{d.part}, level, Hair/l) {
			if !short(p) {
				shown = append(shown, below{p, d.face})
			}
		}
	}
	e.below = shown
	e.steps = slices.DeleteFunc(without(merged(down), level, Hair/l), short)
}

// merged sorts parts, and unites parts that overlap.
func merged(parts []part) []part {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
	out := parts[:0]
	for _, p := range parts {
		if n := len(out); n > 0 && p.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, p.to)
			continue
		}
		out = append(out, p)
	}
	return out
}

// line is a way beside a part of an edge.
type line struct {
	from, to point
	of       part
}

// thin is the width in metres of a face below which a look inwards goes no deeper than half of the face.
const thin = 4 * Hair

// inside returns the way along an edge, [Options.Look] inwards, on the face of the edge, which may be steep. In a thin face the way leads over the
// half of the depth at the third corner, so that the tip of the face has a part of the way too. In a sharp corner the way goes over the half of
// the depth there: as far inwards another floor may begin, which lies over the plane of the face.
func (b *bridging) inside(e *brink) []line {
	f := &b.faces[e.face]
	l := e.length()
	ux, uy := (e.b.x-e.a.x)/l, (e.b.y-e.a.y)/l
	begin, end := 0.0, l // where the way is deepest
	deep := b.opt.Look
	if third := f.third(e); third != nil {
		x, y := third.x-e.a.x, third.y-e.a.y
		depth, foot := float64(ux*y)-float64(uy*x), float64(ux*x)+float64(uy*y)
		if depth < thin {
			at := min(max(foot/l, 0), 1)
			m := e.a.toward(e.b, at).toward(*third, min(0.5, deep/depth))
			return slices.DeleteFunc([]line{{e.a, m, part{0, at}}, {m, e.b, part{at, 1}}}, func(l line) bool { return l.of.from >= l.of.to })
		}
		if foot > depth {
			begin = 2 * deep * foot / depth
		}
		if l-foot > depth {
			end = l - 2*deep*(l-foot)/depth
		}
		if begin > l || end < 0 { // the third corner is beyond an end of the edge
			deep *= l / max(begin, l-end)
			begin, end = min(begin, l), max(end, 0)
		}
	}
	beside := func(along float64) point {
		p := e.a.toward(e.b, along/l)
		p = point{x: p.x - float64(uy*deep), y: p.y + float64(ux*deep)}
		p.z = f.heightOver(p)
		return p
	}
	p, q := beside(begin), beside(end)
	ways := []line{{p, q, part{begin / l, end / l}}}
	if begin > 0 {
		ways = append(ways, line{e.a, p, part{0, begin / l}})
	}
	if end < l {
		ways = append(ways, line{q, e.b, part{end / l, 1}})
	}
	return slices.DeleteFunc(ways, func(l line) bool { return l.of.from >= l.of.to })
}

// third returns the corner of a floor opposite of an edge of the floor, nil for another edge.
func (f *Face) third(e *brink) *point {
	for k := range f.V {
		if p := pointOf(f.V[(k+2)%3]); pointOf(f.V[k]) == e.a && pointOf(f.V[(k+1)%3]) == e.b {
			return &p
		}
	}
	return nil
}

// isTwin reports whether two faces are the halves of one quadrilateral between two brinks. The halves of a twisted quadrilateral
// are in two planes, and neither half hides the other.
func (b *bridging) isTwin(i, k int) bool {
	return i >= b.floors && k >= b.floors && b.quads[i-b.floors] == b.quads[k-b.floors]
}

// isBeside reports whether two faces are bridges between the same two edges. The normals of either edge make a quadrilateral, and the
// diagonals of the two differ: near a common side one of them lies a little above the other, and does not hide the side.
func (b *bridging) isBeside(i, k int) bool {
	return i >= b.floors && k >= b.floors && b.pairs[i-b.floors] == b.pairs[k-b.floors] && b.pairs[i-b.floors] != [2]int32{}
}

// heightOver returns the height of the plane of a floor over a place.
func (f *Face) heightOver(p point) float64 {
	n := f.normal()
	return f.V[0].Y - (float64(n.X*(p.x-f.V[0].X))+float64(n.Z*(-p.y-f.V[0].Z)))/n.Y
}

// under returns the part of the way from a to b above which a floor lies between low and high.
func (f *Face) under(a, b point, low, high float64) part {
	p := part{0, 1}
	for k := range 3 {
		c, d := pointOf(f.V[k]), pointOf(f.V[(k+1)%3])
		p.keep(turn(c, d, a), turn(c, d, b))
	}
	from, to := f.heightOver(a)-a.z, f.heightOver(b)-b.z
	p.keep(from-low, to-low)
	p.keep(high-from, high-to)
	return p
}

// cross adds the bridges along the normals of a brink, and along those of a step to brinks.
func (b *bridging) cross(from int32) {
	e := &b.edges[from]
	if len(e.parts)+len(e.steps) == 0 {
		return
	}
	// The list of near faces is used again within.
	for _, i := range slices.Clone(b.around(b.gap, e.a, e.b)) {
		if int(i) >= b.floors {
			continue
		}
		for _, k := range b.ofFace[i] {
			if k < 0 {
				continue
			}
			if o := &b.edges[k]; len(o.parts)+len(o.steps) > 0 {
				b.pair = [2]int32{min(from, k), max(from, k)}
				b.crossTo(e, o)
			}
		}
	}
}

// crossTo adds the bridges from one brink to another along the normals of the first.
func (b *bridging) crossTo(e, o *brink) {
	l := e.length()
	ux, uy := (e.b.x-e.a.x)/l, (e.b.y-e.a.y)/l
	place := func(p point) (along, out float64) {
		x, y := p.x-e.a.x, p.y-e.a.y
		return (float64(x*ux) + float64(y*uy)) / l, float64(x*uy) - float64(y*ux)
	}
	along0, out0 := place(o.a)
	along1, out1 := place(o.b)
	if along0-along1 < 1e-9 || max(out0, out1) < Hair || min(out0, out1) > b.gap {
		return // it faces another way, or is too far
	}
	// All along the other edge: where the normal begins, how far out and how much higher it ends.
	p := part{0, 1}
	p.keep(along0, along1)
	p.keep(1-along0, 1-along1)
	cracked := p
	cracked.keep(crack-out0, crack-out1)
	widens := max(out0+float64(p.from*(out1-out0)), out0+float64(p.to*(out1-out0))) > b.gap
	p.keep(out0, out1)
	p.keep(b.gap-out0, b.gap-out1)
	climb := b.agent.MaxClimb + slack
	rise0, rise1 := o.a.z-e.a.toward(e.b, along0).z, o.b.z-e.a.toward(e.b, along1).z
	p.keep(climb-rise0, climb-rise1)
	p.keep(climb+rise0, climb+rise1)
	if p.to <= p.from {
		return
	}
	b.crossParts(e, o, p, along0, along1, widens, e.parts, o.parts)
	if !runsAlong(e, o, b.opt.Ease) {
		return
	}
	// A crack is too narrow to step into, however the rises differ.
	narrow := part{max(p.from, cracked.from), min(p.to, cracked.to)}
	if !risesAlong(e, o, b.opt.Ease) {
		p, b.bridgeCrack = narrow, true
	}
	b.crossParts(e, o, p, along0, along1, widens, e.parts, b.stepsBeside(o, e.face))
	b.crossParts(e, o, p, along0, along1, widens, b.stepsBeside(e, o.face), o.parts)
	b.bridgeCrack = true
	b.crossParts(e, o, narrow, along0, along1, widens, b.stepsBeside(e, o.face), b.stepsBeside(o, e.face))
	b.bridgeCrack = false
}

// runsAlong reports whether two edges run against each other within 11°, eased.
func runsAlong(e, o *brink, ease float64) bool {
	const cosine, sine = 0.98, 0.199
	along := (float64((e.b.x-e.a.x)*(o.b.x-o.a.x)) + float64((e.b.y-e.a.y)*(o.b.y-o.a.y))) / float64(e.length()*o.length())
	return along < float64(sine*ease)-cosine
}

// risesAlong reports whether the rises of two edges that run against each other differ by sameRise at most, eased.
func risesAlong(e, o *brink, ease float64) bool {
	return math.Abs((e.b.z-e.a.z)/e.length()+(o.b.z-o.a.z)/o.length()) <= sameRise+ease
}

// stepsBeside returns the steps of an edge that do not lead down onto a face.
func (b *bridging) stepsBeside(e *brink, face int) []part {
	if len(e.steps) == 0 {
		return nil
	}
	from, to := e.outside(b.opt.Look)
	onto := b.faces[face].under(from, to, -b.agent.MaxClimb-slack, 0)
	if onto.to <= onto.from {
		return e.steps
	}
	l := e.length()
	return slices.DeleteFunc(without(e.steps, []part{onto}, 0), func(p part) bool { return (p.to-p.from)*l < Hair })
}

// outside returns the ends of the way along an edge, some metres outwards.
func (b *brink) outside(out float64) (from, to point) {
	l := b.length()
	nx, ny := (b.b.y-b.a.y)/l*out, -(b.b.x-b.a.x)/l*out
	return point{b.a.x + nx, b.a.y + ny, b.a.z}, point{b.b.x + nx, b.b.y + ny, b.b.z}
}

// crossParts adds the bridges between parts of two edges, over the part p of the other edge. The normals of the first edge begin at along0 and
// along1, where the other edge begins and ends. Where the gap gets too wide, narrow bridges are left out. Less than a millimetre of an edge makes
// no bridge anywhere, so edges at a right angle have none.
func (b *bridging) crossParts(e, o *brink, p part, along0, along1 float64, widens bool, own, others []part) {
	along := func(t float64) float64 { return along0 + float64(t*(along1-along0)) }
	for _, there := range others {
		for _, here := range own {
			if (here.to-here.from)*e.length() < stub {
				continue
			}
			q := part{max(p.from, there.from), min(p.to, there.to)}
			q.keep(along0-here.from, along1-here.from)
			q.keep(here.to-along0, here.to-along1)
			wide := (q.to - q.from) * (along0 - along1) * e.length()
			if min((q.to-q.from)*o.length(), wide) < slack || widens && wide < stub/2 {
				continue
			}
			for _, q := range b.open(e, o, q, along) {
				b.span(e, o, q, along)
			}
		}
	}
}

// quad returns the corners of a bridge, counter-clockwise: back along the first brink, then back along the other.
func quad(e, o *brink, q part, along func(float64) float64) [4]point {
	return [4]point{
		e.a.toward(e.b, along(q.from)), e.a.toward(e.b, along(q.to)), o.a.toward(o.b, q.to), o.a.toward(o.b, q.from),
	}
}

// open returns the parts of a bridge without a floor that is within a step of the bridge and of both edges. A part is a part of the other edge.
func (b *bridging) open(e, o *brink, q part, along func(float64) float64) []part {
	if b.bridgeCrack {
		return []part{q}
	}
	v := quad(e, o, q, along)
	var gone []part
	ox, oy := o.b.x-o.a.x, o.b.y-o.a.y
	ux, uy := e.b.x-e.a.x, e.b.y-e.a.y
	slope := float64(ox*ux) + float64(oy*uy)
	for _, w := range untwisted(v) {
		for _, t := range [2][3]point{{w[0], w[1], w[2]}, {w[0], w[2], w[3]}} {
			for _, i := range b.around(0, t[:]...) {
				if int(i) >= b.floors || int(i) == e.face || int(i) == o.face {
					continue
				}
				f := &b.faces[i]
				common := f.within(&t, b.agent.MaxClimb)
				for _, side := range [2]*brink{e, o} {
					common = clip(common, func(p point) float64 { return b.agent.MaxClimb + f.heightOver(p) - side.beside(p) })
					common = clip(common, func(p point) float64 { return b.agent.MaxClimb - f.heightOver(p) + side.beside(p) })
				}
				// A strip no wider than a hair may belong to a floor beside the gap, and ends no bridge. A strip farther from both edges does.
				if area(common) < slack*Hair || widest(common) <= Hair && (e.touches(common) || o.touches(common)) {
					continue
				}
				g := part{math.Inf(1), math.Inf(-1)}
				for _, c := range common {
					// The part of the other brink whose normal goes over the place.
					s := (float64((c.x-o.a.x)*ux) + float64((c.y-o.a.y)*uy)) / slope
					g.from, g.to = min(g.from, s), max(g.to, s)
				}
				gone = append(gone, g)
			}
		}
	}
	return without([]part{q}, gone, slack/o.length())
}

// touches reports whether a place is no farther out from an edge than a hair.
func (b *brink) touches(places []point) bool {
	return slices.ContainsFunc(places, func(p point) bool { return turn(b.a, b.b, p) >= -Hair*b.length() })
}

// beside returns the height of an edge straight beside a place.
func (b *brink) beside(p point) float64 {
	ux, uy := b.b.x-b.a.x, b.b.y-b.a.y
	part := (float64((p.x-b.a.x)*ux) + float64((p.y-b.a.y)*uy)) / (float64(ux*ux) + float64(uy*uy))
	return b.a.z + float64(part*(b.b.z-b.a.z))
}

// within returns the part of a triangle that has the floor above or below by at most a distance.
func (f *Face) within(t *[3]point, distance float64) []point {
	poly := t[:]
	for k := range 3 {
		c, d := pointOf(f.V[k]), pointOf(f.V[(k+1)%3])
		poly = clip(poly, func(p point) float64 { return turn(c, d, p) })
	}
	poly = clip(poly, func(p point) float64 { return f.heightOver(p) - p.z + distance })
	return clip(poly, func(p point) float64 { return p.z - f.heightOver(p) + distance })
}

// clip returns the part of a convex polygon where a linear function is not negative.
func clip(poly []point, side func(point) float64) []point {
	var out []point
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		a, b := side(p), side(q)
		if a >= 0 {
			out = append(out, p)
		}
		if (a >= 0) != (b >= 0) {
			out = append(out, p.toward(q, a/(a-b)))
		}
	}
	return out
}

func area(poly []point) float64 {
	sum := 0.0
	for i := 1; i+1 < len(poly); i++ {
		sum += turn(poly[0], poly[i], poly[i+1]) / 2
	}
	return sum
}

// span adds a bridge.
func (b *bridging) span(e, o *brink, q part, along func(float64) float64) {
	v := quad(e, o, q, along)
	w := b.lapped(v, e)
	b.quad++
	parts := untwisted(w)
	for i, u := range parts {
		first, last := i == 0, i == len(parts)-1
		if b.add(e.face, u[0], u[1], u[2], [3]bool{1: last}) && last {
			b.addSide(v[1], v[2])
		}
		if b.add(e.face, u[0], u[2], u[3], [3]bool{2: first}) && first {
			b.addSide(v[3], v[0])
		}
	}
}

// twist is how far, in metres, the triangles of a bridge may be from the ways across the gap. Where the gap is narrower than tip,
// all of it is beside both floors.
const twist, tip = 0.01, 0.05

// untwisted divides a bridge across the gap, so often that the two triangles of each part are near the ways from brink to brink.
func untwisted(v [4]point) [][4]point {
	rise := [2]float64{v[3].z - v[0].z, v[2].z - v[1].z}
	width := [2]float64{max(tip, hypot(v[3].x-v[0].x, v[3].y-v[0].y)), max(tip, hypot(v[2].x-v[1].x, v[2].y-v[1].y))}
	// In the middle between four corners the two diagonals pass each other at half the difference of the rises.
	step := 1 / max(1, math.Ceil(math.Abs(rise[1]-rise[0])/(4*twist)))
	// Where the gap grows by a ratio in a part, a diagonal is off by (ratio − 1) / 2(ratio + 1) of the rise.
	off := min(0.25, twist/max(math.Abs(rise[0]), math.Abs(rise[1]), twist))
	ratio := (1 + 2*off) / (1 - 2*off)
	if width[0] > width[1] {
		ratio = 1 / ratio
	}
	var parts [][4]point
	for from := 0.0; from < 1; {
		to := from + step
		if grown := width[1] - width[0]; grown != 0 {
			w := width[0] + float64(from*grown)
			to = min(to, (float64(w*ratio)-width[0])/grown)
		}
		if to > 1-step/8 {
			to = 1
		}
		parts = append(parts, [4]point{
			v[0].toward(v[1], from), v[0].toward(v[1], to), v[3].toward(v[2], to), v[3].toward(v[2], from),
		})
		from = to
	}
	return parts
}

// addSide adds a side of the bridge that was added last.
func (b *bridging) addSide(from, to point) {
	if side := (brink{a: from, b: to, face: len(b.faces) - 1}); side.length() >= Hair {
		b.sides = append(b.sides, side)
	}
}

// lapped returns a bridge from a brink, extended by the overlap.
func (b *bridging) lapped(v [4]point, e *brink) [4]point {
	if b.opt.Overlap == 0 {
		return v
	}
	l := e.length()
	ux, uy := (e.b.x-e.a.x)/l*b.opt.Overlap, (e.b.y-e.a.y)/l*b.opt.Overlap
	for i, s := range [4][2]float64{{1, -1}, {-1, -1}, {-1, 1}, {1, 1}} { // along the brink, and out
		v[i].x += float64(s[0]*ux) + float64(s[1]*uy)
		v[i].y += float64(s[0]*uy) - float64(s[1]*ux)
	}
	return v
}

// add adds a face of a bridge, and reports whether the face has an area.
func (b *bridging) add(of int, v0, v1, v2 point, rim [3]bool) bool {
	if turn(v0, v1, v2) < 1e-9 {
		return false
	}
	b.faces = append(b.faces, Face{V: [3]geom.Vec{v0.vec(), v1.vec(), v2.vec()}, Of: b.faces[of].Of, Rim: rim})
	b.quads = append(b.quads, b.quad)
	b.pairs = append(b.pairs, b.pair)
	return true
}

// stretch is a brink or a step that bridges have left over, or the open side of a bridge.
type stretch struct {
	a, b   point
	below  *Face // the floor that the agent steps down onto from a step, else nil
	bridge bool
	slot   bool // a brink that faces another edge over no more than a crack
}

// ground returns the greatest height of the floor below a step, -Inf for a brink.
func (s *stretch) ground() float64 {
	if s.below == nil {
		return math.Inf(-1)
	}
	return max(s.below.heightOver(s.a), s.below.heightOver(s.b))
}

// pocket is a place without a floor and the way around it, counter-clockwise. The floors and bridges beside the way are between two heights, and
// floors that the agent steps down onto from the way are no higher than ground.
type pocket struct {
	ring              []point
	early             [][]point // by corner, the ends of the stretches there, and the place where their lines cross near both ends
	low, high, ground float64
	narrow            bool // no wider than a crack, which nobody steps into
}

// slots reports which edges have a brink that faces or meets another edge with a brink or a step over no more than a crack.
func (b *bridging) slots() []bool {
	slots := make([]bool, len(b.edges))
	for i := range b.edges {
		e := &b.edges[i]
		slots[i] = slices.ContainsFunc(e.parts, func(p part) bool {
			s := brink{a: e.a.toward(e.b, p.from), b: e.a.toward(e.b, p.to)}
			return slices.ContainsFunc(b.around(crack, s.a, s.b), func(f int32) bool {
				return int(f) < b.floors && slices.ContainsFunc(b.ofFace[f][:], func(k int32) bool {
					return k >= 0 && int(k) != i && len(b.edges[k].parts)+len(b.edges[k].steps) > 0 && s.faces(&b.edges[k], crack, b.agent.MaxClimb+slack)
				})
			})
		})
	}
	return slots
}

// pockets returns the loops of stretches that go around places without a floor. At least one stretch of each is the side of a bridge, or the pocket
// is no wider than a crack. The ends of a loop are within a step of each other, and no disc as wide as the widest gap fits in.
func (b *bridging) pockets() []pocket {
	var all []stretch
	slots := b.slots()
	take := func(e brink, slot bool) {
		b.find(&e)
		bridge := e.face >= b.floors
		for _, p := range e.parts {
			all = append(all, stretch{e.a.toward(e.b, p.from), e.a.toward(e.b, p.to), nil, bridge, slot})
		}
		for _, p := range e.below {
			all = append(all, stretch{e.a.toward(e.b, p.from), e.a.toward(e.b, p.to), &b.faces[p.face], bridge, false})
		}
	}
	taken := make([]bool, len(b.edges))
	takeNear := func(e *brink) {
		for _, f := range slices.Clone(b.around(2*b.gap, e.a, e.b)) {
			if int(f) >= b.floors {
				continue
			}
			for _, k := range b.ofFace[f] {
				if k >= 0 && !taken[k] && len(b.edges[k].parts)+len(b.edges[k].steps) > 0 {
					taken[k] = true
					take(b.edges[k], slots[k])
				}
			}
		}
	}
	for i := range b.sides {
		take(b.sides[i], false)
		takeNear(&b.sides[i])
	}
	for i, slot := range slots {
		if slot {
			takeNear(&b.edges[i])
		}
	}
	all = b.split(all)
	starts := make(map[[2]int][]int) // looked up only
	for i := range all {
		c := cell(all[i].a)
		starts[c] = append(starts[c], i)
	}
	// next returns the stretches that may follow stretch i, the best first. Where two bridges cross, four stretches end and four start.
	// The two around one of the four corners are the nearest, seen from above, at whatever heights. Where two floors touch in a corner, and
	// where two stretches cross, two start at the same place, to a hair. The way then turns right as far as possible: no floor is on its right.
	type follower struct {
		k   int
		off float64 // from the end of the stretch to the start of the follower
		d   [3]float64
	}
	followers, known := make([][]follower, len(all)), make([]bool, len(all))
	next := func(i int) []follower {
		if known[i] {
			return followers[i]
		}
		known[i] = true
		var found []follower
		c := cell(all[i].b)
		for dx := -1; dx <= 1; dx++ {
			for dy := -1; dy <= 1; dy++ {
				for _, k := range starts[[2]int{c[0] + dx, c[1] + dy}] {
					off, z := hypot(all[k].a.x-all[i].b.x, all[k].a.y-all[i].b.y), math.Abs(all[k].a.z-all[i].b.z)
					if k != i && off <= joint && z <= b.agent.MaxClimb+slack {
						found = append(found, follower{k, off, [3]float64{math.Floor(off / Hair), turned(&all[i], &all[k]), z}})
					}
				}
			}
		}
		slices.SortStableFunc(found, func(f, g follower) int { return slices.Compare(f.d[:], g.d[:]) })
		followers[i] = found
		return found
	}
	var pockets []pocket
	done := make([]bool, len(all))
	// closed continues a loop until the loop comes back to its first stretch, and goes another way where a way ends: an edge over a
	// bridge is a brink too.
	steps, reach, far, again := 0, joint, 0.0, false // again: also along stretches that belong to a pocket
	var closed func(loop []int, w way) []int
	closed = func(loop []int, w way) []int {
		last := &all[loop[len(loop)-1]]
		w = w.on(last)
		back := hypot(all[loop[0]].a.x-last.b.x, all[loop[0]].a.y-last.b.y)
		if !w.goesAround(b.agent.MaxClimb+slack) || w.length+back > far {
			return nil
		}
		for _, f := range next(loop[len(loop)-1]) {
			k := f.k
			if f.off > reach {
				continue
			}
			if steps++; steps > 4*longest || len(loop) == longest {
				return nil
			}
			if k == loop[0] && len(loop) > 1 {
				if p := pocketOf(all, loop); b.small(&p) && (p.narrow || slices.ContainsFunc(loop, func(k int) bool { return all[k].bridge })) {
					return loop
				}
				continue
			}
			if done[k] && !again || slices.ContainsFunc(loop, func(m int) bool { return m == k || all[m].repeats(&all[k]) }) {
				continue
			}
			if whole := closed(append(loop, k), w); whole != nil {
				return whole
			}
		}
		return nil
	}
	// Where pockets lie over each other, a stretch may belong to two. The way around the second leads along stretches of the first, but not for
	// the most part.
	for _, again = range [2]bool{false, true} {
		for i := range all {
			if done[i] || !all[i].bridge && !all[i].slot {
				continue
			}
			// Most stretches end near each other. Among those that end farther apart, small holes have many ways around. Most pockets are small,
			// and many ways lead far away from a small pocket.
			var loop []int
			for k := 0; k < 8 && loop == nil; k++ {
				reach, far = [2]float64{2 * Hair, joint}[k/4], float64(b.gap*float64(int(1)<<(k%4)))+joint
				steps = 0
				loop = closed([]int{i}, newWay())
			}
			own := 0.0
			for _, k := range loop {
				if l := hypot(all[k].b.x-all[k].a.x, all[k].b.y-all[k].a.y); done[k] {
					own -= l
				} else {
					own += l
				}
			}
			if own <= 0 {
				continue
			}
			for _, k := range loop {
				done[k] = true
			}
			p := pocketOf(all, loop)
			b.small(&p)
			pockets = append(pockets, p)
		}
	}
	return pockets
}

// way is the part of a way around a pocket that is known: its length, the heights of its lowest and highest place, and of the highest floor that
// the agent steps down onto.
type way struct{ length, low, high, ground float64 }

func newWay() way { return way{0, math.Inf(1), math.Inf(-1), math.Inf(-1)} }

// on returns the way with another stretch.
func (w way) on(s *stretch) way {
	return way{w.length + hypot(s.b.x-s.a.x, s.b.y-s.a.y), min(w.low, s.a.z, s.b.z), max(w.high, s.a.z, s.b.z), max(w.ground, s.ground())}
}

// goesAround reports whether the rest of a way may close it around a hole: its places are within a step of each other, and the highest may be
// more than a step above the ground.
func (w way) goesAround(climb float64) bool { return w.high-w.low <= climb && w.ground < w.low }

// pocketOf returns the pocket with a loop of stretches around it.
func pocketOf(all []stretch, loop []int) pocket {
	p := pocket{low: math.Inf(1), high: math.Inf(-1), ground: math.Inf(-1)}
	for n, k := range loop {
		// An end in the middle of both stretches, which end a little early. The heights are those of the floors, on either side of the middle.
		s, before := &all[k], &all[loop[(n+len(loop)-1)%len(loop)]]
		first, last := s.a, before.b
		p.ring = append(p.ring, last.toward(first, 0.5))
		p.early = append(p.early, before.corner(s))
		p.low, p.high = min(p.low, first.z, last.z), max(p.high, first.z, last.z)
		p.ground = max(p.ground, s.ground())
	}
	slices.Reverse(p.ring)
	slices.Reverse(p.early)
	return p
}

// corner returns the places where the way around a pocket may turn from a stretch to the next: their ends, and the place where their lines cross,
// if no farther than joint from both ends.
func (s *stretch) corner(next *stretch) []point {
	places := []point{s.b, next.a}
	dx, dy := s.b.x-s.a.x, s.b.y-s.a.y
	ex, ey := next.b.x-next.a.x, next.b.y-next.a.y
	if across := float64(dx*ey) - float64(dy*ex); across != 0 {
		at := s.a.toward(s.b, (float64((next.a.x-s.a.x)*ey)-float64((next.a.y-s.a.y)*ex))/across)
		if max(hypot(at.x-s.b.x, at.y-s.b.y), hypot(at.x-next.a.x, at.y-next.a.y)) <= joint {
			places = append(places, at)
		}
	}
	return places
}

// turned grows with the angle from the way back along a stretch to the way on along the next, counter-clockwise: from 0 to 4.
func turned(s, next *stretch) float64 {
	bx, by, x, y := s.a.x-s.b.x, s.a.y-s.b.y, next.b.x-next.a.x, next.b.y-next.a.y
	along, left := float64(bx*x)+float64(by*y), float64(bx*y)-float64(by*x)
	length := float64(hypot(bx, by) * hypot(x, y))
	switch {
	case length == 0:
		return 4
	case left >= 0:
		return 1 - along/length
	default:
		return 3 + along/length
	}
}

// cell returns the square of a grid over the ends of stretches.
func cell(p point) [2]int { return [2]int{int(math.Floor(p.x / joint)), int(math.Floor(p.y / joint))} }

// split cuts stretches where others begin, end or cross. A narrow bridge that crosses the side of another bridge ends no brink there, nor does a
// bridge narrower than a few millimetres that meets a brink. The way around the pocket beside both leads on along the rest of the side or of the
// brink; so does the way along a brink that begins before a bridge ends.
func (b *bridging) split(all []stretch) []stretch {
	side := max(b.gap, joint) // of a square of the grid over the sides of bridges and the ends of brinks
	square := func(p point) [2]int { return [2]int{int(math.Floor(p.x / side)), int(math.Floor(p.y / side))} }
	near := make(map[[2]int][]int) // looked up only
	for i := range all {
		first, last := square(all[i].a), square(all[i].b)
		near[first] = append(near[first], i)
		if first != last {
			near[last] = append(near[last], i)
		}
	}
	var cut []stretch
	var at []float64
	for i, s := range all {
		length := hypot(s.b.x-s.a.x, s.b.y-s.a.y)
		if length < 2*Hair {
			cut = append(cut, s)
			continue
		}
		at = at[:0]
		take := func(along, z float64) {
			if along > Hair && along < length-Hair && math.Abs(s.a.toward(s.b, along/length).z-z) <= b.agent.MaxClimb+slack {
				at = append(at, along)
			}
		}
		seen := map[[2]int]bool{} // looked up only
		for r := 0.0; r < length+side; r += side {
			middle := square(s.a.toward(s.b, min(r/length, 1)))
			for k := range 9 {
				c := [2]int{middle[0] + k/3 - 1, middle[1] + k%3 - 1}
				if seen[c] {
					continue
				}
				seen[c] = true
				for _, k := range near[c] {
					o := &all[k]
					if k == i {
						continue
					}
					from, to := turn(s.a, s.b, o.a)/length, turn(s.a, s.b, o.b)/length
					if math.Abs(from) <= Hair {
						take(s.along(o.a), o.a.z)
					}
					if math.Abs(to) <= Hair {
						take(s.along(o.b), o.b.z)
					}
					if (s.bridge || o.bridge) && (from > 0) != (to > 0) && max(math.Abs(from), math.Abs(to)) > Hair {
						p := o.a.toward(o.b, from/(from-to))
						take(s.along(p), p.z)
					}
				}
			}
		}
		slices.Sort(at)
		from := s.a
		for _, along := range slices.CompactFunc(at, func(s, t float64) bool { return math.Abs(t-s) < Hair/8 }) {
			to := s.a.toward(s.b, along/length)
			cut = append(cut, stretch{from, to, s.below, s.bridge, s.slot})
			from = to
		}
		cut = append(cut, stretch{from, s.b, s.below, s.bridge, s.slot})
	}
	return cut
}

// along returns the place of a point along a stretch, in metres from the begin.
func (s *stretch) along(p point) float64 {
	x, y := s.b.x-s.a.x, s.b.y-s.a.y
	return (float64((p.x-s.a.x)*x) + float64((p.y-s.a.y)*y)) / hypot(x, y)
}

// repeats reports whether two stretches lead the same way along the same line, one beside the other: sides of two bridges between the same edges, or
// one side over floors at two heights. No way around a pocket follows both.
func (s *stretch) repeats(o *stretch) bool {
	length := hypot(s.b.x-s.a.x, s.b.y-s.a.y)
	if length == 0 || math.Abs(turn(s.a, s.b, o.a)) > Hair/2*length || math.Abs(turn(s.a, s.b, o.b)) > Hair/2*length {
		return false
	}
	from, to := s.along(o.a), s.along(o.b)
	return min(to, length)-max(from, 0) > Hair/2
}

// small reports whether the way around a pocket is counter-clockwise, its ends are within a step of each other, no floor below is a step from
// all of it, and no disc as wide as the widest gap fits in the pocket.
func (b *bridging) small(p *pocket) bool {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	twice := 0.0
	for i, c := range p.ring {
		d := p.ring[(i+1)%len(p.ring)]
		twice += turn(p.ring[0], c, d)
		x0, y0, x1, y1 = min(x0, c.x), min(y0, c.y), max(x1, c.x), max(y1, c.y)
	}
	if twice < slack*slack || p.high-p.low > b.agent.MaxClimb+slack {
		return false
	}
	p.narrow = !holds(p.ring, (x0+x1)/2, (y0+y1)/2, max(x1-x0, y1-y0)/2, crack/2)
	if !p.narrow && p.high-p.ground <= b.agent.MaxClimb+slack {
		return false
	}
	return !holds(p.ring, (x0+x1)/2, (y0+y1)/2, max(x1-x0, y1-y0)/2, b.gap/2)
}

// holds reports whether a disc of a radius fits in a ring, with its centre in a square of half a side around a place.
func holds(ring []point, x, y, half, radius float64) bool {
	const near = 2.5e-4
	in := depth(ring, x, y)
	switch {
	case in >= radius:
		return true
	case in+float64(half*math.Sqrt2) < radius || half < near:
		return false
	}
	half /= 2
	return holds(ring, x-half, y-half, half, radius) || holds(ring, x+half, y-half, half, radius) ||
		holds(ring, x-half, y+half, half, radius) || holds(ring, x+half, y+half, half, radius)
}

// away returns the distance of a place from the straight way between two others, seen from above.
func away(p, q point, x, y float64) float64 {
	dx, dy := q.x-p.x, q.y-p.y
	t := 0.0
	if square := float64(dx*dx) + float64(dy*dy); square > 0 {
		t = min(max((float64((x-p.x)*dx)+float64((y-p.y)*dy))/square, 0), 1)
	}
	return hypot(p.x+float64(t*dx)-x, p.y+float64(t*dy)-y)
}

// depth returns how far a place is inside of a ring, negative outside.
func depth(ring []point, x, y float64) float64 {
	in, best := false, math.Inf(1)
	for i, p := range ring {
		q := ring[(i+1)%len(ring)]
		if (p.y > y) != (q.y > y) && x < p.x+float64((y-p.y)/(q.y-p.y)*(q.x-p.x)) {
			in = !in
		}
		best = min(best, away(p, q, x, y))
	}
	if !in {
		return -best
	}
	return best
}

// fill covers a pocket with triangles, unless a floor is within a step of them and of all the border.
func (b *bridging) fill(p *pocket) {
	triangles := ears(p.ring)
	for i := range triangles {
		for _, f := range b.around(0, triangles[i][:]...) {
			g := &b.faces[f]
			common := g.within(&triangles[i], b.agent.MaxClimb)
			common = clip(common, func(c point) float64 { return g.heightOver(c) - p.high + b.agent.MaxClimb })
			common = clip(common, func(c point) float64 { return p.low + b.agent.MaxClimb - g.heightOver(c) })
			// The floors around the pocket overlap by as much as the stretches end early.
			if !p.narrow && area(common) > 4*joint*joint && widest(common) > joint {
				return
			}
		}
	}
	of := b.floorAt(p.ring[0])
	// The corners of the ring are in the middle between stretches that end early.
	if wide := ears(p.widened(b.opt.Overlap)); len(wide) == len(triangles) {
		triangles = wide
	}
	b.quad++
	for _, t := range triangles {
		if b.add(of, t[0], t[1], t[2], [3]bool{}) {
			f := &b.faces[len(b.faces)-1]
			f.Pocket, f.Low, f.High = true, p.low, p.high
		}
	}
}

// widened returns the ring with its sides moved out at every corner as far as the stretches there may lead, by inset at most and by least at least.
// No corner moves more than twice as far.
func (k *pocket) widened(least float64) []point {
	ring, out := k.ring, slices.Clone(k.ring)
	for i, p := range ring {
		before, after := ring[(i+len(ring)-1)%len(ring)], ring[(i+1)%len(ring)]
		la, lc := hypot(p.x-before.x, p.y-before.y), hypot(after.x-p.x, after.y-p.y)
		if la == 0 || lc == 0 {
			continue
		}
		a, c := least, least // how far the sides before and after the corner move
		for _, q := range k.early[i] {
			a, c = max(a, min(inset, -turn(before, p, q)/la)), max(c, min(inset, -turn(p, after, q)/lc))
		}
		// The normals of both sides, to the right.
		ax, ay, cx, cy := (p.y-before.y)/la, (before.x-p.x)/la, (after.y-p.y)/lc, (p.x-after.x)/lc
		x, y := float64(max(a, c)*ax), float64(max(a, c)*ay)
		if sine := float64(ax*cy) - float64(ay*cx); math.Abs(sine) > 0.1 {
			x, y = (float64(a*cy)-float64(c*ay))/sine, (float64(c*ax)-float64(a*cx))/sine
		}
		if far := hypot(x, y); far > 2*max(a, c) {
			x, y = x*2*max(a, c)/far, y*2*max(a, c)/far
		}
		out[i].x += x
		out[i].y += y
	}
	return out
}

// widest returns twice the radius, about, of the widest disc in a convex polygon: twice its area by half its outline.
func widest(poly []point) float64 {
	outline := 0.0
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		outline += hypot(q.x-p.x, q.y-p.y)
	}
	return 4 * area(poly) / outline
}

// floorAt returns the first face near a place, seen from above.
func (b *bridging) floorAt(p point) int {
	if near := b.around(joint, p); len(near) > 0 {
		return int(near[0])
	}
	return 0
}

// ears cuts a ring, counter-clockwise, into triangles.
func ears(ring []point) [][3]point {
	ring = slices.Clone(ring)
	var out [][3]point
	for len(ring) > 2 {
		n := len(ring)
		best := -1
		for i, p := range ring {
			before, after := ring[(i+n-1)%n], ring[(i+1)%n]
			if turn(before, p, after) < 0 || slices.ContainsFunc(ring, func(q point) bool {
				return q != before && q != p && q != after && turn(before, p, q) >= 0 && turn(p, after, q) >= 0 && turn(after, before, q) >= 0
			}) {
				continue
			}
			best = i
			out = append(out, [3]point{before, p, after})
			break
		}
		if best < 0 {
			break // not simple
		}
		ring = slices.Delete(ring, best, best+1)
	}
	return out
}

// Ledges returns the stretches of brinks without a bridge that face another edge of a floor within reach metres, seen from
// above, and within a step: extractors with cells as large as reach would step over the gap.
func (g *Gaps) Ledges(reach float64) [][2]geom.Vec {
	b := &g.work
	climb := b.agent.MaxClimb + slack
	var found [][2]geom.Vec
	for i := range b.edges {
		if len(b.edges[i].parts) == 0 {
			continue
		}
		e := b.edges[i]
		b.find(&e)
		for _, p := range e.parts {
			s := brink{a: e.a.toward(e.b, p.from), b: e.a.toward(e.b, p.to)}
			if s.length() < Hair {
				continue
			}
			if slices.ContainsFunc(b.around(reach, s.a, s.b), func(f int32) bool {
				return int(f) < b.floors && slices.ContainsFunc(b.ofFace[f][:], func(k int32) bool {
					return k >= 0 && int(k) != i && s.faces(&b.edges[k], reach, climb)
				})
			}) {
				found = append(found, [2]geom.Vec{s.a.vec(), s.b.vec()})
			}
		}
	}
	return found
}

// faces reports whether two edges are within a distance of each other, each in part outside of the other, and within a step.
func (b *brink) faces(o *brink, reach, climb float64) bool {
	if min(b.a.z, b.b.z) > max(o.a.z, o.b.z)+climb || min(o.a.z, o.b.z) > max(b.a.z, b.b.z)+climb {
		return false
	}
	outside := func(e, f *brink) bool { return min(turn(e.a, e.b, f.a), turn(e.a, e.b, f.b)) < -Hair*e.length() }
	if !outside(b, o) || !outside(o, b) {
		return false
	}
	return min(away(b.a, b.b, o.a.x, o.a.y), away(b.a, b.b, o.b.x, o.b.y), away(o.a, o.b, b.a.x, b.a.y), away(o.a, o.b, b.b.x, b.b.y)) <= reach
}
