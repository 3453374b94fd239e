package exact

import (
	"context"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/par"
)

// divide cuts the eroded floors along the borders of their layers, labels edges with the layers beyond, and simplifies
// walls.
func (e *extraction) divide(ctx context.Context, jobs int, floors []eroded, claims []claim) ([]area, error) {
	outlines := make([][]overlay.Outline, e.layers)
	crossed := e.crossed()
	var joint []int32 // the layers with seams
	for l := range floors {
		if crossed[l] {
			joint = append(joint, int32(l))
			continue
		}
		free, err := e.window.clip(floors[l].free)
		if err != nil {
			return nil, err
		}
		for _, p := range free {
			outlines[l] = append(outlines[l], overlay.Outline{Polygon: p})
		}
	}
	if err := e.cutAtSeams(ctx, jobs, joint, floors, claims, outlines); err != nil {
		return nil, err
	}
	for _, l := range joint {
		outlines[l] = slices.DeleteFunc(outlines[l], e.isSpeck)
	}
	smoothSeams(joint, outlines)
	err := par.For(ctx, jobs, len(outlines), func(l int) error {
		outlines[l] = e.straighten(outlines[l])
		return nil
	})
	if err != nil {
		return nil, err
	}
	var areas []area
	for l, os := range outlines {
		for _, o := range os {
			areas = append(areas, area{Outline: o, layer: int32(l), number: int32(len(areas))})
		}
	}
	return areas, nil
}

// isSpeck reports whether an outline is an island smaller than the tolerance of borders around corners. At the end of a
// seam two erosions of one corner differ by as much.
func (e *extraction) isSpeck(o overlay.Outline) bool {
	return !e.isPoint() && float64(o.Area2()) < e.arcs*e.arcs && !hasSeam(&o) && !e.window.meets(&o)
}

// isSliver reports whether an outline is as narrow as the slivers that rounding leaves of a covered floor. An outline along a window may go on
// beyond.
func (e *extraction) isSliver(o overlay.Outline) bool {
	if e.window.meets(&o) {
		return false
	}
	width := meanWidth(o.Polygon)
	return width < leastWidth || e.isPoint() && width < leastIsland && !hasSeam(&o)
}

// hasSeam reports whether an outline borders on another layer.
func hasSeam(o *overlay.Outline) bool {
	return slices.ContainsFunc(o.Labels, func(labels []int32) bool {
		return slices.ContainsFunc(labels, func(l int32) bool { return l != wall })
	})
}

// cutAtSeams finds the outlines of the layers with seams, and labels their edges with the layers beyond.
func (e *extraction) cutAtSeams(ctx context.Context, jobs int, joint []int32, floors []eroded, claims []claim, outlines [][]overlay.Outline) error {
	const free, claimed, yielded, each = 0, 1, 2, 3
	var inputs [][]lattice.Ring
	for _, l := range joint {
		inputs = append(inputs, ringsOf(floors[l].free), claims[l].free, claims[l].yield)
	}
	n := len(joint)
	if e.window != nil {
		inputs = append(inputs, []lattice.Ring{e.window.ring()})
	}
	a, err := overlay.ArrangeOn(jobs, inputs...)
	if err != nil {
		return err
	}
	// First the floor of each layer, then the claimed part of the floor.
	rules := make([]overlay.Rule, 2*n)
	for k := range joint {
		rules[k] = func(w overlay.Winding) bool {
			v := w[each*k:]
			return (v[claimed] > 0 || v[free] > 0) && v[yielded] <= 0 && (e.window == nil || w[each*n] > 0)
		}
		rules[n+k] = func(w overlay.Winding) bool { return w[each*k+claimed] > 0 && rules[k](w) }
	}
	a.Reduce(rules...)
	shared, err := e.shared(ctx, jobs, joint, a)
	if err != nil {
		return err
	}
	if shared != nil {
		inputs = inputs[:0]
		for k := range joint {
			inputs = append(inputs, ringsOf(a.Polygons(overlay.Positive(k))))
		}
		if a, err = overlay.ArrangeOn(jobs, append(inputs, shared...)...); err != nil {
			return err
		}
		for k := range joint {
			rules[k] = func(w overlay.Winding) bool { return w[k] > 0 && w[n+k] <= 0 }
		}
		a.Reduce(rules[:n]...)
	}
	links := e.linkIndex()
	links.label(joint, a, outlines)
	// The receiver of a splinter may be a splinter itself, hence several rounds. From now on edges meet in vertices:
	// nothing is rounded again.
	for range 4 {
		shapes, err := handOver(joint, outlines, e.isOneStorey)
		if err != nil {
			return err
		}
		if shapes == nil {
			break
		}
		if a, err = overlay.ArrangeOn(jobs, shapes...); err != nil {
			return err
		}
		links.label(joint, a, outlines)
	}
	return e.fuse(ctx, jobs, joint, a, outlines)
}

// shared returns, by layer, its overlap, at equal height, with an earlier layer, nil without any overlap. The claims of
// two seams may differ by rounding, or give a crack to different layers. Beside a seam two layers may also share a floor at
// one height that no seam claims. The inputs of a are the floors of the layers, and then the claimed
// parts.
func (e *extraction) shared(ctx context.Context, jobs int, joint []int32, a *overlay.Arrangement) ([][]lattice.Ring, error) {
	n := len(joint)
	pairs := a.Pairs(n)
	found := make([][]lattice.Ring, len(pairs))
	err := par.For(ctx, jobs, len(pairs), func(i int) error {
		found[i] = e.sharedBy(joint, a, pairs[i])
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out [][]lattice.Ring
	for i, rings := range found {
		if rings == nil {
			continue
		}
		if out == nil {
			out = make([][]lattice.Ring, n)
		}
		m := pairs[i].M
		out[m] = append(out[m], rings...)
	}
	return out, nil
}

// sharedBy returns the overlap, at equal height, of a pair of layers.
func (e *extraction) sharedBy(joint []int32, a *overlay.Arrangement, pair overlay.Pair) []lattice.Ring {
	var near []item
	n, k, m := len(joint), pair.K, pair.M
	common := func(claimed bool) []lattice.Polygon {
		return a.Common(pair, func(w overlay.Winding) bool { return w[k] > 0 && w[m] > 0 && (w[n+k] > 0 || w[n+m] > 0) == claimed })
	}
	alike := func(at lattice.Point) bool {
		var one, other float64
		var found, known bool
		one, near, found = e.heightAt(joint[k], at, near)
		other, near, known = e.heightAt(joint[m], at, near)
		return found && known && math.Abs(one-other) <= e.climb+touching
	}
	var rings []lattice.Ring
	for _, p := range common(true) {
		if alike(insideOf(p.Rings[0], 1)) {
			rings = append(rings, p.Rings...)
		}
	}
	for _, p := range common(false) {
		corner := 0
		for corner < len(p.Rings[0]) && alike(within(p.Rings[0], corner)) {
			corner++
		}
		if corner == len(p.Rings[0]) {
			rings = append(rings, p.Rings...)
		}
	}
	return rings
}

// label makes the outlines of layers from a, whose input k is layer joint[k]. The label of an edge is the layer beyond,
// to which the nearest link leads.
func (j *linkIndex) label(joint []int32, a *overlay.Arrangement, outlines [][]overlay.Outline) {
	each := a.OutlinesEach(len(joint), func(k int, from, to lattice.Point, across overlay.Winding) int32 {
		best, least := int32(wall), float64(beyondLink)
		middle := beside(from, to, 0)
		known := false
		for m := range joint {
			if m == k || across[m] <= 0 {
				continue
			}
			if !known {
				j.near = j.tree.Search(around3(middle, beyondLink), j.near[:0])
				known = true
			}
			if d := j.distance(joint[k], joint[m], middle); d < least {
				best, least = joint[m], d
			}
		}
		return best
	})
	for k, l := range joint {
		outlines[l] = each[k]
	}
}

// linkIndex finds the links between layers near a place.
type linkIndex struct {
	of   *extraction
	tree *tree
	near []item // scratch: the links near a place
}

func (e *extraction) linkIndex() *linkIndex { return &linkIndex{of: e, tree: e.crossingTree()} }

// distance returns the distance in the plan, in units, from a place to the nearest of the links at hand between two
// layers, or infinity. A link counts only if both layers have a floor of the link's storey at the place. Beside a drop
// of less than the agent's height a layer has two storeys, and a link of one storey says nothing about the other.
func (j *linkIndex) distance(k, m int32, p lattice.Point) float64 {
	least := math.Inf(1)
	for _, n := range j.near {
		l := &j.of.crossings[n.ID]
		if f, t := j.of.layer[l.from], j.of.layer[l.to]; !(f == k && t == m || f == m && t == k) {
			continue
		}
		d := lattice.SegmentDistance2(p, l.a.Point, l.b.Point).Sqrt()
		if d >= least {
			continue
		}
		rise := j.of.climb + floorReach + d
		low, high := lowered(min(l.a.Z, l.b.Z), rise), raised(max(l.a.Z, l.b.Z), rise)
		if j.of.hasFloor(k, p, low, high) && j.of.hasFloor(m, p, low, high) {
			least = d
		}
	}
	return least
}

// hasFloor reports whether a layer has a floor between two heights within a hairline of a place.
func (e *extraction) hasFloor(layer int32, p lattice.Point, low, high int32) bool {
	box := around3(p, hairs)
	box.Low[2], box.High[2] = low, high
	return e.floors.Any(box, func(t int32) bool {
		if e.layer[t] != layer {
			return false
		}
		at, d := e.nearest(t, p)
		plane := planeOf(&e.soup.Triangles[t].V)
		z := plane.height(at.x, at.y)
		return d <= hairs && z >= float64(low) && z <= float64(high)
	})
}

// handOver gives each splinter to the layer beyond its longest seam edge, and returns the new rings of each layer of
// joint, nil without splinters. No two layers give splinters to each other. No layer gets a splinter over or under its
// own floor: beside narrow flights a whole landing is a splinter. isOneStorey reports whether an outline of one layer keeps its heights in another.
func handOver(joint []int32, outlines [][]overlay.Outline, isOneStorey func(o *overlay.Outline, from, to int32) bool) ([][]lattice.Ring, error) {
	type pair struct{ from, to int32 }
	given := map[pair]bool{}
	shapes, handed := make(map[int32][]lattice.Ring), make(map[int32][]overlay.Outline)
	for _, l := range joint {
		for _, o := range outlines[l] {
			to := l
			if around, longest := longestSeam(&o); longest != wall && float64(o.Area2()) < splinter*around && !given[pair{longest, l}] && isOneStorey(&o, l, longest) {
				bare, err := isBare(&o, outlines[longest], handed[longest])
				if err != nil {
					return nil, err
				}
				if bare {
					to = longest
					given[pair{l, to}] = true
					handed[to] = append(handed[to], o)
				}
			}
			shapes[to] = append(shapes[to], o.Rings...)
		}
	}
	if len(given) == 0 {
		return nil, nil
	}
	out := make([][]lattice.Ring, len(joint))
	for k, l := range joint {
		out[k] = shapes[l]
	}
	return out, nil
}

// isOneStorey reports whether another layer has no floor more than a step above or below an outline of a layer. The other storey may be too low
// or too narrow for the agent, but would give its heights to the outline.
func (e *extraction) isOneStorey(o *overlay.Outline, from, to int32) bool {
	var near []item
	for _, ring := range o.Rings {
		for k := range ring {
			var own, other float64
			var found, known bool
			p := within(ring, k)
			own, near, found = e.heightAt(from, p, near)
			other, near, known = e.heightAt(to, p, near)
			if found && known && math.Abs(own-other) > e.climb+touching {
				return false
			}
		}
	}
	return true
}

// isBare reports whether other outlines leave the place of an outline empty. All edges meet in vertices, so nothing is
// rounded.
func isBare(o *overlay.Outline, others ...[]overlay.Outline) (bool, error) {
	box := o.Box()
	b := boxOf(lattice.Vertex{Point: box.Min}, lattice.Vertex{Point: box.Max})
	var rings []lattice.Ring
	for _, some := range others {
		for i := range some {
			rings = append(rings, nearby(some[i].Rings, &b)...)
		}
	}
	found, err := overlay.Intersection(o.Rings, rings)
	return len(found) == 0, err
}

// longestSeam returns the length of all borders of an outline, and the layer beyond its longest seam edge, wall without
// seams.
func longestSeam(o *overlay.Outline) (around float64, to int32) {
	to = wall
	longest := 0.0
	for r, ring := range o.Rings {
		for i, p := range ring {
			length := p.Distance(ring[(i+1)%len(ring)])
			around += length
			if label := o.Labels[r][i]; label != wall && length > longest {
				to, longest = label, length
			}
		}
	}
	return around, to
}

// straighten simplifies the walls of a layer. First the corners and dead ends from rounding go, then walls move
// inwards. Borders with other layers stay.
func (e *extraction) straighten(outlines []overlay.Outline) []overlay.Outline {
	for i, o := range outlines {
		if o.Labels == nil {
			for _, ring := range o.Rings {
				labels := make([]int32, len(ring))
				for k := range labels {
					labels[k] = wall
				}
				outlines[i].Labels = append(outlines[i].Labels, labels)
			}
		}
	}
	e.window.label(outlines, wall, beyond)
	if e.isPoint() {
		// The slit of a wall with two free ends loses a corner, and is then as narrow as what rounding leaves. A filled notch of a slit would
		// be a wall without width.
		fillHairlines(outlines)
		outlines = simplified(outlines, wideSlit-1)
		outlines = slices.DeleteFunc(outlines, e.isSliver)
	} else {
		outlines = simplified(outlines, 2*touching)
		outlines = slices.DeleteFunc(outlines, e.isSliver)
		fillHairlines(outlines)
	}
	for i, o := range outlines {
		outlines[i] = withoutSpikes(o)
	}
	if e.simplify > 0 {
		outlines = straightened(e.jobs, outlines, e.simplify)
	}
	e.window.label(outlines, beyond, wall)
	return outlines
}

// fillHairlines removes holes narrower than a unit. Rounding leaves such holes: the slit of a wall is two units wide.
func fillHairlines(outlines []overlay.Outline) {
	for i := range outlines {
		o := &outlines[i]
		n := 1
		for r := 1; r < len(o.Rings); r++ {
			if math.Abs(meanWidth(lattice.Polygon{Rings: o.Rings[r : r+1]})) < 1 && !slices.ContainsFunc(o.Labels[r], func(l int32) bool { return l != wall }) {
				continue
			}
			o.Rings[n], o.Labels[n] = o.Rings[r], o.Labels[r]
			n++
		}
		o.Rings, o.Labels = o.Rings[:n], o.Labels[:n]
	}
}

func simplified(outlines []overlay.Outline, tolerance float64) []overlay.Outline {
	var lines []lattice.Line
	for _, o := range outlines {
		for r, ring := range o.Rings {
			keep := make([]bool, len(ring))
			for i, l := range o.Labels[r] {
				if l != wall {
					keep[i], keep[(i+1)%len(ring)] = true, true
				}
			}
			lines = append(lines, lattice.Line{Points: ring, Closed: true, Keep: keep})
		}
	}
	simple := lattice.Simplify(lines, tolerance)
	out := make([]overlay.Outline, len(outlines))
	for i, o := range outlines {
		for r := range o.Rings {
			labels := make([]int32, len(simple[0].Kept))
			for k, v := range simple[0].Kept {
				labels[k] = o.Labels[r][v]
			}
			out[i].Rings = append(out[i].Rings, simple[0].Points)
			out[i].Labels = append(out[i].Labels, labels)
			simple = simple[1:]
		}
	}
	return out
}
