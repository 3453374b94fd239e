package brep

import (
	"math"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/lab/internal/solid"
)

// stretch is a stretch of border with nothing beyond, in lattice units. The region lies on its left.
type stretch struct {
	region   int32
	from, to [3]float64
	natural  bool // the floor ends there; else a solid is in the way of the traveller
}

// parallel is the cosine of the angle by which edges may be turned against each other and still be welded: 15 degrees.
const parallel = 0.9659

// weld links regions over gaps and steps (section 3.3.5): stretches of border that are nearly opposite to each other, no
// farther apart than the gap and no higher than a step, where no solid is between. With jumps, stretches farther apart
// or higher are linked by jumps. Lengths are measured in float64: welding is a rule about how near is near enough.
func (b *meshBuilder) weld() {
	var open []stretch
	t := b.top
	for i := range t.regions {
		for k := range t.around[i] {
			d := t.stretch(i, k)
			if len(t.uses[d.turned()]) > 0 {
				continue
			}
			plane := int(t.planes[i][k])
			open = append(open, stretch{int32(i), t.at[d.from].At, t.at[d.to].At, plane < len(b.natural) && b.natural[plane]})
		}
	}
	boxes := make([]solid.Box, len(open))
	for i, s := range open {
		boxes[i] = solid.Box{Low: s.from, High: s.from}.Union(solid.Box{Low: s.to, High: s.to})
	}
	tree := boxtree.New(boxes, nil)
	const unit = lattice.UnitsPerMetre
	reach, high := max(b.opt.Gap, b.opt.JumpReach, Overlap)*unit, b.agent.MaxClimb*unit
	if b.opt.JumpReach > 0 {
		high = max(high, b.opt.JumpHeight*unit)
	}
	var found []int32
	for i := range open {
		box := boxes[i]
		for k, by := range [3]float64{reach, reach, high} {
			box.Low[k] -= by + 1
			box.High[k] += by + 1
		}
		found = tree.IDs(&box, found[:0])
		for _, j := range found {
			if int(j) > i && open[j].region != open[i].region {
				b.weldPair(&open[i], &open[j])
			}
		}
	}
}

// weldPair links two stretches where they face each other.
func (b *meshBuilder) weldPair(s, o *stretch) {
	const unit = lattice.UnitsPerMetre
	dx, dy := s.to[0]-s.from[0], s.to[1]-s.from[1]
	ex, ey := o.to[0]-o.from[0], o.to[1]-o.from[1]
	ls, lo := math.Sqrt(float64(dx*dx)+float64(dy*dy)), math.Sqrt(float64(ex*ex)+float64(ey*ey))
	if ls == 0 || lo == 0 || -(float64(dx*ex)+float64(dy*ey)) < parallel*ls*lo {
		return
	}
	dx, dy = dx/ls, dy/ls
	// Along s, and how far beyond its right side.
	along := func(p [3]float64) float64 { return float64((p[0]-s.from[0])*dx) + float64((p[1]-s.from[1])*dy) }
	beyond := func(p [3]float64) float64 { return float64((p[0]-s.from[0])*dy) - float64((p[1]-s.from[1])*dx) }
	a0, a1 := along(o.to), along(o.from) // ascending, for it runs the other way
	low, high := max(0, a0), min(ls, a1)
	if high-low < 1 {
		return
	}
	onS := func(t float64) [3]float64 { return mix(s.from, s.to, t/ls) }
	onO := func(t float64) [3]float64 { return mix(o.to, o.from, (t-a0)/(a1-a0)) }
	rise := func(t float64) float64 { return onO(t)[2] - onS(t)[2] }
	apart := func(t float64) float64 { return beyond(onO(t)) }

	// facing returns where the stretches are at most so far apart, and over each other by no more than the overlap, and at
	// most so much higher or lower.
	lap, gap := Overlap*unit, b.opt.Gap*unit
	facing := func(reach, rise0 float64) (from, to float64) {
		from, to = within(low, high, rise(low), rise(high), rise0)
		middle := (reach - lap) / 2
		return within(from, to, apart(from)-middle, apart(to)-middle, (reach+lap)/2)
	}
	kind := Step
	from, to := facing(gap, b.agent.MaxClimb*unit+0.5)
	// A step goes over the end of a floor on both sides; a jump may end where a solid only keeps the traveller away from it.
	if to-from < 1 || !s.natural || !o.natural {
		if b.opt.JumpReach == 0 || !s.natural && !o.natural {
			return
		}
		kind = Jump
		if from, to = facing(b.opt.JumpReach*unit, b.opt.JumpHeight*unit); to-from < 1 {
			return
		}
	}
	if b.blocked(onS(from), onS(to), onO(from), onO(to)) {
		return
	}
	at := [2]int32{b.place(onS(from)), b.place(onS(to))}
	over := [2]int32{b.place(onO(to)), b.place(onO(from))}
	b.link(s.region, o.region, kind, at, over)
}

// within returns the part of an interval in which a value that goes evenly from u to v is at most limit from 0.
func within(low, high, u, v, limit float64) (from, to float64) {
	from, to = low, high
	for _, side := range [2]float64{1, -1} {
		// side·(u + (v-u)·x) ≤ limit for x in [0, 1]
		a, d := float64(side*u)-limit, side*(v-u)
		switch x := -a / d; {
		case a <= 0 && a+d <= 0:
		case a > 0 && a+d > 0:
			return low, low
		case a <= 0:
			to = min(to, low+float64(x*(high-low)))
		default:
			from = max(from, low+float64(x*(high-low)))
		}
	}
	return from, to
}

// place returns the number of the lattice point nearest to a place.
func (b *meshBuilder) place(at [3]float64) int32 {
	r := func(x float64) int32 { return int32(math.Floor(x + 0.5)) }
	return b.number(lattice.Vertex{Point: lattice.Point{X: r(at[0]), Y: r(at[1])}, Z: r(at[2])})
}

// blocked reports whether a solid is in the way between two stretches, from s to t and from u to v: in the upright strip in
// the middle between them, from a step above the higher end to the agent's height above it, or from the lower end up to
// there.
func (b *meshBuilder) blocked(s, t, u, v [3]float64) bool {
	const unit = lattice.UnitsPerMetre
	p, q := mix(s, t, 0.5), mix(u, v, 0.5)
	if p[2] < q[2] {
		p, q = q, p
	}
	low, high := b.agent.MaxClimb*unit, b.agent.Height*unit
	up := func(at [3]float64, h float64) [3]float64 { return [3]float64{at[0], at[1], h} }
	strip := [][3]float64{up(p, p[2]+low), up(q, p[2]+low), up(q, p[2]+high), up(p, p[2]+high)}
	fall := [][3]float64{up(q, q[2]+low), up(q, p[2]+high)}
	box := solid.EmptyBox()
	for _, c := range append(strip, fall...) {
		box = box.Union(solid.Box{Low: c, High: c})
	}
	for _, k := range b.w.tree.IDs(&box, nil) {
		if b.w.meets(k, strip) || b.w.meets(k, fall) {
			return true
		}
	}
	return false
}

// meets reports whether a polygon, or a segment, has a part more than two units deep in a body.
func (w *world) meets(k int32, polygon [][3]float64) bool {
	const deep = 2
	left := polygon
	for _, id := range w.bodies[k].planes {
		p := w.space.Plane(id)
		var next [][3]float64
		for i, a := range left {
			c := left[(i+1)%len(left)]
			da, dc := above(p, a)+deep, above(p, c)+deep
			if da <= 0 {
				next = append(next, a)
			}
			if da < 0 && dc > 0 || da > 0 && dc < 0 {
				next = append(next, mix(a, c, da/(da-dc)))
			}
		}
		if left = next; len(left) == 0 {
			return false
		}
	}
	return true
}
