package navmesh

// The laws of the floor: the height that queries answer leads along every straight piece as an agent can go.
//
// Source: the definition of walkable floor (docs/algorithms/build.md). Floors connect by steps of at most MaxClimb and
// are no steeper than MaxSlope. A steep patch no higher than MaxClimb is floor to cross.
//
// Idea: the floor of a layer is linear on each triangle and jumps only at edges of triangles. Heights beside an edge
// are extreme where a triangle begins or ends (profile.go). An edge of exactly two triangles with the same two vertices
// has no jump, unless a third triangle lies over the edge. The heights on both sides of every other edge are compared
// over its whole extent in the region. A place steeper than MaxSlope lies on a steep triangle. From the corners of the
// triangle's part in the region, the floor is followed along the fall line as long as the floor stays steep. At a
// portal, the floors of the two regions are compared along its whole length.
//
// Input: the floor of a region is the floor of its layer: at each place of the plan the highest triangle, as
// [lattice.Sampler.Height] answers. Queries ask the same surface. A path stays on its storey where the surface leaps by
// more than half of the agent's height. A start of a path does not know its storey. Layers without triangles are planar
// maps, and no law looks at them.
//
// Guarantees:
//  1. A jump inside of a region is at most MaxClimb wherever the jump is longer than edging: TestFloorLaws.
//  2. A steep patch is within the height error of a floor that rises by at most MaxClimb in one place, and is no
//     steeper than MaxSlope elsewhere. A bridge over a gap of at most MaxGap may lead to the patch: TestFloorLaws,
//     TestProfileAgainstDefinition.
//  3. The floors of the regions of a portal are within MaxClimb of each other all along it: TestFloorLaws.
//  4. Heights along a line are the heights of the highest triangle: TestAlongAgainstSampler.
//  5. Meshes of generated levels keep the laws: TestGeneratedLevelsKeepTheFloorLaws in the root package.
//
// Degenerate cases: a border lies up to edging units from its true place, because its points were rounded. So a strip
// of this width along the border of a region may show another floor. Jumps are looked for inside of the strip only. At
// a portal the floors beyond the two strips are compared, a steep patch where the patch begins. The portal of a region narrower than two strips is compared
// at its ends alone. Slivers of floor narrower than edging are rounding. Bridges over gaps are floor. Agents step over
// cracks no wider than crackWidth, whatever floor shows there. Beside a place without floor the next floor counts, no
// farther than bareReach.
//
// Cost: O(n log n) for n triangles and corners of regions, if few triangles lie over each other and few long lines
// cross many boxes.
//
// Departures: a steep patch is followed within one region. Consecutive patches are judged singly, and so are a patch
// and a step, as extraction does.

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
)

const (
	// edging is how far from its true place a border or a corner of a floor may be, in lattice units: constructed
	// points are rounded in extraction, in straightening and in building.
	edging = floorReach
	// beside is how far from an edge, in lattice units, the heights on its sides are taken: far more than what floats
	// err by, far less than the least distance of two lattice points from a line.
	beside = 1.0 / 64
	// crackWidth is how wide a crack may be, in lattice units, that simplified heights and rounded ends of bridges leave in
	// the floor.
	crackWidth = lattice.UnitsPerMetre / 20
	// bareReach is how far from a place without floor queries look for some, in lattice units.
	bareReach = lattice.UnitsPerMetre / 4
	// slopeTolerance is how much steeper than the agent's limit a triangle may be, in radians, for the rounding of
	// the level's coordinates.
	slopeTolerance = 0.05 * math.Pi / 180
	// steepest is the slope from which on a limit of slope limits nothing.
	steepest = 89 * math.Pi / 180
)

// floorLaws checks the floor of the regions and portals of a tile.
type floorLaws struct {
	*validator
	sheets  []*sheet  // by layer, nil where nothing is to be looked at
	slack   []float64 // by layer: how far heights may be from those of the level, in units
	climb   float64   // in units
	gap     float64   // the widest gap with a bridge, in units
	tangent float64   // of the steepest slope, with its tolerance
	rings   []lattice.Ring
	// Scratch of compare.
	breaks      []float64
	left, right []told
}

// floorLaws looks at the floor of the current tile, whose regions and portals are good.
func (v *validator) floorLaws() {
	w := &floorLaws{
		validator: v, sheets: make([]*sheet, len(v.Layers)), slack: make([]float64, len(v.Layers)),
		climb:   max(v.mesh.Agent.MaxClimb, 0) * lattice.UnitsPerMetre,
		gap:     max(v.mesh.Agent.MaxGap, 0)*lattice.UnitsPerMetre + edging,
		tangent: math.Tan(min(max(v.mesh.Agent.MaxSlope, 0)+slopeTolerance, steepest)),
		rings:   make([]lattice.Ring, len(v.Regions)),
	}
	for i := range w.rings {
		w.rings[i] = v.regionRing(i)
	}
	for l, regions := range v.layers {
		floor := &v.Layers[l].Floor
		if len(floor.Triangles) == 0 || len(regions) == 0 {
			continue
		}
		w.sheets[l] = newSheet(floor)
		// The stated error, a unit for the rounding of heights, and the height that a border gains or loses where it
		// was moved along a slope.
		w.slack[l] = float64(floor.Error) + 1 + float64(edging*w.tangent)
		w.inside(l, regions)
	}
	for i := range v.Portals {
		if int(v.Portals[i].Back) > i {
			w.portalFloors(i)
		}
	}
}

// worst is the worst break of a law that a region or portal has.
type worst struct {
	over float64 // by how much more than the law allows, 0 for none
	size float64 // the jump or the rise, in units
	run  float64 // how long the rise is in the plane
	at   lattice.Vertex
}

// inside looks at the floor of the regions of a layer.
func (w *floorLaws) inside(layer int, regions []int) {
	boxes := make([]lattice.Box, len(regions))
	for k, i := range regions {
		boxes[k] = w.rings[i].Box()
	}
	index := planar.NewIndex(boxes)
	jumps, steeps := make([]worst, len(regions)), make([]worst, len(regions))
	tin := w.sheets[layer].tin
	over := w.sheets[layer].stacked()
	for e := range unpaired(tin, over) {
		t := tin.Triangles[e.triangle]
		a, b := &tin.Vertices[t[e.corner]], &tin.Vertices[t[(e.corner+1)%3]]
		index.Each(lattice.BoxOf(a.Point, b.Point), func(k int) bool {
			w.jumps(layer, regions[k], a.Point, b.Point, &jumps[k])
			return true
		})
	}
	if w.mesh.Agent.MaxSlope+slopeTolerance < steepest {
		for i, t := range tin.Triangles {
			a, b, c := &tin.Vertices[t[0]], &tin.Vertices[t[1]], &tin.Vertices[t[2]]
			plane := planeOf(a, b, c)
			if !w.isSteepPlane(&plane) {
				continue
			}
			index.Each(lattice.BoxOf(a.Point, b.Point, c.Point), func(k int) bool {
				w.steep(layer, regions[k], i, plane, &steeps[k])
				return true
			})
		}
	}
	for k, i := range regions {
		if j := &jumps[k]; j.over > 0 {
			w.add(FloorJump, i, j.at, "the floor has a step of %.3f m inside of it, more than %.3f m",
				j.size*lattice.Unit, (j.size-j.over)*lattice.Unit)
		}
		if s := &steeps[k]; s.over > 0 {
			w.add(FloorSteep, i, s.at, "the floor rises by %.3f m over %.3f m, steeper than %.2f degrees and more than a step of %.3f m",
				s.size*lattice.Unit, s.run*lattice.Unit, w.mesh.Agent.MaxSlope/geom.Degrees(1), w.climb*lattice.Unit)
		}
	}
}

// halfEdge is an edge of a triangle, from corner to the next corner.
type halfEdge struct{ triangle, corner int32 }

// unpaired yields the edges of triangles at which the floor may jump. It leaves out an edge that exactly two triangles
// have, in opposite directions, if no other triangle lies over the two. An edge of several triangles is yielded once for
// each of them.
func unpaired(tin *lattice.TIN, stacked []bool) func(yield func(halfEdge) bool) {
	number := numbered(tin.Vertices)
	type keyed struct {
		key uint64
		halfEdge
		reversed bool
	}
	edges := make([]keyed, 0, 3*len(tin.Triangles))
	for i, t := range tin.Triangles {
		for k := range 3 {
			a, b := number[t[k]], number[t[(k+1)%3]]
			edges = append(edges, keyed{uint64(min(a, b))<<32 | uint64(max(a, b)), halfEdge{int32(i), int32(k)}, a > b})
		}
	}
	slices.SortFunc(edges, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.triangle, b.triangle))
	})
	return func(yield func(halfEdge) bool) {
		for first := 0; first < len(edges); {
			last := first + 1
			for last < len(edges) && edges[last].key == edges[first].key {
				last++
			}
			group := edges[first:last]
			first = last
			if len(group) == 2 && group[0].reversed != group[1].reversed && !stacked[group[0].triangle] && !stacked[group[1].triangle] {
				continue
			}
			for _, e := range group {
				if !yield(e.halfEdge) {
					return
				}
			}
		}
	}
}

// numbered gives vertices at the same place the same number.
func numbered(vertices []lattice.Vertex) []uint32 {
	order := make([]uint32, len(vertices))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, j uint32) int {
		return cmp.Or(vertices[i].Compare(vertices[j].Point), cmp.Compare(vertices[i].Z, vertices[j].Z))
	})
	number := make([]uint32, len(vertices))
	for k, i := range order {
		number[i] = i
		if k > 0 && vertices[i] == vertices[order[k-1]] {
			number[i] = number[order[k-1]]
		}
	}
	return number
}

// stacked marks the triangles with a part of another triangle over or under them.
func (s *sheet) stacked() []bool {
	out := make([]bool, len(s.tin.Triangles))
	points := func(i int) []lattice.Point {
		t := s.tin.Triangles[i]
		return []lattice.Point{s.tin.Vertices[t[0]].Point, s.tin.Vertices[t[1]].Point, s.tin.Vertices[t[2]].Point}
	}
	s.index.Pairs(func(i, j int) bool {
		if !(out[i] && out[j]) && planar.Overlap(points(i), points(j)) {
			out[i], out[j] = true, true
		}
		return true
	})
	return out
}

// heights are those of the floor along a line at some distance from it.
type heights struct {
	away   float64
	pieces []piece
}

// told is the height of a side at a place: a piece, and how far away its floor is.
type told struct {
	*piece
	away float64
}

// tellers appends the heights of a side at place s, the nearest first: all heights at most crackWidth away, else the
// nearest.
func tellers(side []heights, s float64, out []told) []told {
	for i := range side {
		h := &side[i]
		if len(out) > 0 && h.away > crackWidth {
			break
		}
		k, _ := slices.BinarySearchFunc(h.pieces, s, func(p piece, s float64) int { return cmp.Compare(p.to, s) })
		if k < len(h.pieces) && h.pieces[k].from < s {
			out = append(out, told{&h.pieces[k], h.away})
		}
	}
	return out
}

// difference is the difference in height between the floors of the two sides of a line.
type difference struct {
	over, size float64 // by how much more than the law allows, and all of it
	place, z   float64 // where on the line, and the height of its left side
}

// compare looks for the place of a line where the floors of its two sides differ most beyond limit, over a length of
// at least twice edging. A height of a side at most near away from the line counts; of several heights those that differ
// least count. A corner of several floors on the line is passed over. bare tells that a side has no floor somewhere.
//
// Between two breaks all heights are linear, so that differences are extreme at the breaks.
func (w *floorLaws) compare(left, right []heights, from, to, near, limit float64) (most difference, bare bool) {
	breaks := append(w.breaks[:0], from, to)
	for _, side := range [2][]heights{left, right} {
		for i := range side {
			for _, p := range side[i].pieces {
				breaks = append(breaks, p.from, p.to)
			}
		}
	}
	slices.Sort(breaks)
	w.breaks = breaks
	var here excess
	var before pair // the heights at the end of the stretch before, if known
	known, start := false, from
	for _, end := range breaks {
		if end-start <= tiny || end > to {
			continue
		}
		middle := start + (end-start)/2
		w.left, w.right = tellers(left, middle, w.left[:0]), tellers(right, middle, w.right[:0])
		if len(w.left) == 0 || len(w.right) == 0 {
			bare = bare || end-start > 1
			start = end
			here.close(&most, false)
			known = false
			continue
		}
		a, b := w.least(start, near, limit), w.least(end, near, limit)
		first, last := pair{w.left[0].at(start), w.right[0].at(start)}, pair{w.left[0].at(end), w.right[0].at(end)}
		around := known && first.follows(before, limit)
		if a.over <= 0 {
			here.close(&most, around && first.steps(limit))
		} else if here.length == 0 {
			here.corner = known && before.steps(limit)
		}
		here.corner = here.corner && around
		for _, d := range [2]difference{a, b} {
			if d.over > here.worst.over {
				here.worst = d
			}
		}
		switch {
		case a.over > 0 && b.over > 0:
			here.length += end - start
		case a.over > 0:
			here.length += (end - start) * (a.over / (a.over - b.over))
		case b.over > 0:
			here.length += (end - start) * (b.over / (b.over - a.over))
		}
		if b.over <= 0 {
			here.close(&most, last.steps(limit))
		}
		before, known, start = last, true, end
	}
	here.close(&most, false)
	return most, bare
}

// pair is a height of the floor on either side of a line.
type pair struct{ left, right float64 }

// steps reports whether the two sides are a step of each other.
func (p pair) steps(limit float64) bool { return math.Abs(p.left-p.right) <= limit }

// follows reports whether either side is a step of itself before.
func (p pair) follows(before pair, limit float64) bool {
	return max(math.Abs(p.left-before.left), math.Abs(p.right-before.right)) <= limit
}

// excess is a stretch of a line along which the floors of the two sides differ too much.
type excess struct {
	length float64
	worst  difference
	corner bool // floors before the stretch and in it are each a step of the next: the stretch may be at a corner
}

// close ends the stretch. The worst place of the stretch counts, unless the stretch is a corner or shorter than its two ends may be off. At a corner four floors meet, each a step
// from the next, and two opposite floors are no step of each other: there is a way around, whatever the line (groundtruth,
// TestCornersAreNoBorders). around tells that the floors go on by steps
// behind the stretch, too.
func (e *excess) close(most *difference, around bool) {
	const corner = 16 * edging
	if e.length >= 2*edging && e.worst.over > most.over && !(e.corner && around && e.length <= corner) {
		*most = e.worst
	}
	e.length, e.worst = 0, difference{}
}

// least returns the least difference between a height of one side and a height of the other at a place. The excess is
// beyond limit and beyond the height that a slope explains. Both heights are at most near from the line, or the height
// of the lower side is beyond a crack: beyond a part of the floor from which the floor rises by more than a step again.
// Heights that are off by as much as limit allows above a step make the rise smaller by the same amount.
func (w *floorLaws) least(place, near, limit float64) difference {
	left, right := w.left[0].at(place), w.right[0].at(place)
	again := max(0, 2*w.climb-limit)
	out := difference{over: math.Inf(1), place: place, z: left}
	for i, p := range w.left {
		l := p.at(place)
		if i > 0 && p.away > near && !(left < right && l > left+again) {
			continue
		}
		for k, q := range w.right {
			r := q.at(place)
			if k > 0 && q.away > near && !(right < left && r > right+again) {
				continue
			}
			d := math.Abs(l - r)
			if over := d - limit - float64(w.tangent*(p.away+q.away)); over < out.over {
				out.over, out.size = over, d
			}
		}
	}
	return out
}

// beside returns the heights of a layer's floor along a line moved to the left. Only the part inside a ring counts,
// whose sides are moved inwards.
func (w *floorLaws) beside(layer int, l line, left, from, to float64, ring lattice.Ring, inset float64) heights {
	l = l.moved(left)
	h := heights{away: math.Abs(left)}
	low, high, ok := l.within(ring, inset)
	if from, to = max(from, low), min(to, high); ok && to-from > tiny {
		h.pieces = w.sheets[layer].along(l, from, to, nil)
	}
	return h
}

// aways are the distances from a line, in lattice units, for further searches of floor: beside the line may be no
// floor, a sliver or a crack. Two borders that simplified heights moved in by a unit each leave a hairline of 2 units,
// so the first distances are 1 and 2.
var aways = [...]float64{1, 2, edging, 2 * edging, 4 * edging, 16 * edging, crackWidth, bareReach}

// jumps looks for jumps of the floor at the part of an edge that lies in a region.
func (w *floorLaws) jumps(layer, region int, a, b lattice.Point, found *worst) {
	l, ring := lineBetween(a, b), w.rings[region]
	from, to, ok := l.within(ring, edging)
	if !ok || to-from < edging {
		return
	}
	limit := w.climb + 2*w.slack[layer]
	left := []heights{w.beside(layer, l, beside, from, to, ring, 0)}
	right := []heights{w.beside(layer, l, -beside, from, to, ring, 0)}
	most, bare := w.compare(left, right, from, to, edging, limit)
	if most.over <= 0 && !bare {
		return
	}
	for _, away := range aways {
		if away > crackWidth && !bare {
			break
		}
		left = append(left, w.beside(layer, l, away, from, to, ring, 0))
		right = append(right, w.beside(layer, l, -away, from, to, ring, 0))
	}
	if most, _ = w.compare(left, right, from, to, edging, limit); most.over > found.over {
		*found = worst{over: most.over, size: most.size, at: l.vertex(most.place, most.z)}
	}
}

// vertex returns the vertex next to a place of l at a height.
func (l *line) vertex(place, z float64) lattice.Vertex {
	x, y := l.at(place)
	rounded := func(c float64) int32 { return int32(math.Floor(c + 0.5)) }
	return lattice.Vertex{Point: lattice.Point{X: rounded(x), Y: rounded(y)}, Z: rounded(z)}
}

// portalFloors compares the floors of the two regions of a portal all along it.
func (w *floorLaws) portalFloors(i int) {
	p := &w.Portals[i]
	here, there := int(w.owner[i]), int(p.To)
	own, other := int(w.Regions[here].Layer), int(w.Regions[there].Layer)
	right, left := w.Vertices[p.Right].Point, w.Vertices[p.Left].Point
	if w.sheets[own] == nil || w.sheets[other] == nil {
		return
	}
	l := lineBetween(right, left)
	from, to := float64(edging), l.run-edging
	if to-from < edging {
		return
	}
	var ours, theirs []heights
	limit := w.climb + w.slack[own] + w.slack[other]
	// Most portals need no more than the floor right beside them.
	for _, reach := range [2][]float64{aways[2:4], aways[4:7]} {
		for _, away := range reach {
			ours = append(ours, w.beside(own, l, away, from, to, w.rings[here], edging-beside))
			theirs = append(theirs, w.beside(other, l, -away, from, to, w.rings[there], edging-beside))
		}
		if most, _ := w.compare(ours, theirs, from, to, 2*edging, limit); most.over <= 0 {
			return
		}
	}
	// A steep patch is floor from its foot on, and the foot is within edging of the portal.
	for k := range 2 {
		ours = append(ours, w.foot(own, l, &ours[k], 1))
		theirs = append(theirs, w.foot(other, l, &theirs[k], -1))
	}
	if most, _ := w.compare(ours, theirs, from, to, 2*edging, limit); most.over > 0 {
		w.add(PortalStep, here, l.vertex(most.place, most.z), "portal %d, to region %d, has a step of %.3f m between its ends, more than %.3f m",
			i, there, most.size*lattice.Unit, (most.size-most.over)*lattice.Unit)
	}
}

// foot returns heights of a layer's floor beside a line, those of a steep patch where the patch begins: on the way back over the line, and
// edging beyond. The heights are those on one side, 1 for the left and -1 for the right.
func (w *floorLaws) foot(layer int, l line, h *heights, side float64) heights {
	out := heights{away: h.away, pieces: slices.Clone(h.pieces)}
	beside, back := l.moved(side*h.away), h.away+edging
	for i := range out.pieces {
		p := &out.pieces[i]
		begin := func(place, height float64) float64 {
			x, y := beside.at(place)
			way := newLine(x, y, float64(side*back*l.dy), -float64(side*back*l.dx))
			for _, q := range w.sheets[layer].along(way, 0, back, nil) {
				if plane := w.sheets[layer].planeOf(int(q.triangle)); !w.isSteepPlane(&plane) || math.Abs(q.low-height) > 2*w.slack[layer] {
					break
				}
				height = q.high
			}
			return height
		}
		p.low, p.high = begin(p.from, p.low), begin(p.to, p.high)
	}
	return out
}

// steep follows the floor along the fall lines of a steep triangle in a region.
func (w *floorLaws) steep(layer, region, triangle int, plane slope, found *worst) {
	tin, ring := w.sheets[layer].tin, w.rings[region]
	t := tin.Triangles[triangle]
	part := make([]place, 0, 3)
	for _, v := range t {
		part = append(part, place{float64(tin.Vertices[v].X), float64(tin.Vertices[v].Y)})
	}
	part = clipped(part, ring, edging)
	if len(part) < 3 {
		return
	}
	var middle place
	for _, q := range part {
		middle.x, middle.y = middle.x+q.x/float64(len(part)), middle.y+q.y/float64(len(part))
	}
	gradient := math.Sqrt(float64(plane.x*plane.x) + float64(plane.y*plane.y))
	dx, dy := plane.x/gradient, plane.y/gradient
	width, height := ring.Box().Size()
	far := float64(width + height)
	for _, q := range part {
		// A little inwards, so that the line is not along a side.
		mx, my := middle.x-q.x, middle.y-q.y
		in := min(0.5, 4*beside/max(math.Abs(mx), math.Abs(my), 1e-9))
		x, y := q.x+float64(in*mx), q.y+float64(in*my)
		l := newLine(x-float64(far*dx), y-float64(far*dy), 2*float64(far*dx), 2*float64(far*dy))
		from, to, ok := l.within(ring, edging)
		if !ok {
			continue
		}
		stretch := w.follow(layer, l, from, to, far)
		over := w.beyondPatchAndStep(layer, stretch, found.over)
		if over <= found.over {
			continue
		}
		first, last := stretch[0], stretch[len(stretch)-1]
		*found = worst{over: over, size: last.high - first.low, run: last.to - first.from, at: l.vertex(first.from, first.low)}
	}
}

// follow returns the pieces of floor around a place of a line, as far as the floor is steep. The line leads up at the
// place. Pieces shorter than edging do not end a steep stretch.
func (w *floorLaws) follow(layer int, l line, from, to, seed float64) []piece {
	for reach := 64.0; ; reach *= 4 {
		low, high := max(from, seed-reach), min(to, seed+reach)
		pieces := w.sheets[layer].along(l, low, high, nil)
		k := slices.IndexFunc(pieces, func(p piece) bool { return p.from <= seed && seed <= p.to && w.isSteep(&p) })
		if k < 0 {
			return nil // another floor lies over it
		}
		first, last := k, k
		for i := k - 1; i >= 0 && w.joined(layer, &pieces[i], &pieces[i+1]); i-- {
			if w.isSteep(&pieces[i]) {
				first = i
			} else if pieces[i].to-pieces[i].from > edging {
				break
			}
		}
		for i := k + 1; i < len(pieces) && w.joined(layer, &pieces[i-1], &pieces[i]); i++ {
			if w.isSteep(&pieces[i]) {
				last = i
			} else if pieces[i].to-pieces[i].from > edging {
				break
			}
		}
		if (first > 0 || low <= from) && (last+1 < len(pieces) || high >= to) {
			return pieces[first : last+1]
		}
	}
}

// isSteepPlane reports whether a plane is steeper than agents walk.
func (w *floorLaws) isSteepPlane(p *slope) bool {
	return float64(p.x*p.x)+float64(p.y*p.y) > w.tangent*w.tangent
}

func (w *floorLaws) isSteep(p *piece) bool { return p.high-p.low > w.tangent*(p.to-p.from) }

// beyondPatchAndStep returns by how much a stretch of floor leads higher than a steep patch and a step may together. The surface
// of a layer fills a hairline at a step with a steep triangle, and a bridge over a gap is two triangles that may rise by a step. So one part of
// the stretch may be the step: a part no longer than a hairline, or one or two pieces no longer than a gap is wide. The rest is judged without the
// step. Of all parts the best one counts, and the search ends at a part that leaves no more than enough.
func (w *floorLaws) beyondPatchAndStep(layer int, stretch []piece, enough float64) float64 {
	beyond := func(part []piece) float64 { return beyondSteep(part, w.tangent, w.climb, w.slack[layer]) }
	over := beyond(stretch)
	for i := range stretch {
		if over <= enough {
			break
		}
		for k := i; k < len(stretch); k++ {
			run, rise := stretch[k].to-stretch[i].from, stretch[k].high-stretch[i].low
			if run > 2*edging && (run > w.gap || k > i+1) {
				break
			}
			step := beyond(stretch[i : k+1])
			if step >= over {
				continue
			}
			rest := slices.Clone(stretch[:i])
			for _, p := range stretch[k+1:] {
				rest = append(rest, piece{p.from - run, p.to - run, p.low - rise, p.high - rise, p.triangle})
			}
			over = min(over, max(step, beyond(rest)))
		}
	}
	return over
}

// joined tells whether a piece goes on in another without a step.
func (w *floorLaws) joined(layer int, p, q *piece) bool {
	return q.from-p.to <= edging && math.Abs(q.low-p.high) <= 2*w.slack[layer]
}

// beyondSteep returns by how much a stretch of floor that is steeper than tangent leads higher than the law allows. The
// result is 0 or less if a legal profile lies within slack of the stretch: a profile that is nowhere steeper than
// tangent, but for one rise of at most climb.
//
// Let u be the height less that of a slope of tangent from the start; it rises from u₀ to u₁. A profile within slack
// that is nowhere steep may begin slack above and end slack below, which makes up for a rise of u by 2·slack. So the
// profile may stay on one slope from the start to the last place a with u ≤ u₀+2·slack. From the first place b with u ≥
// u₁-2·slack to the end, the profile may stay on another slope. In between it has to gain u₁-u₀-2·slack, and the height
// of the slope over b-a besides.
func beyondSteep(stretch []piece, tangent, climb, slack float64) float64 {
	if len(stretch) == 0 {
		return 0
	}
	start := stretch[0].from
	u := func(s, z float64) float64 { return z - float64(tangent*(s-start)) }
	last := stretch[len(stretch)-1]
	u0, u1 := stretch[0].low, u(last.to, last.high)
	if u1-u0 <= 2*slack {
		return 0
	}
	// where returns the place at which u passes a value, the first or the last.
	where := func(value float64) float64 {
		for _, p := range stretch {
			low, high := u(p.from, p.low), u(p.to, p.high)
			if low >= value {
				return p.from
			}
			if high >= value {
				return p.from + float64((p.to-p.from)*((value-low)/(high-low)))
			}
		}
		return last.to
	}
	a, b := where(u0+2*slack), where(u1-2*slack)
	return u1 - u0 - 2*slack + float64(tangent*max(0, b-a)) - climb
}

// place is a point of the plane between lattice points.
type place struct{ x, y float64 }

// clipped returns the part of a convex polygon in a convex ring whose sides are moved inwards, by I. Sutherland and
// G. Hodgman.
func clipped(polygon []place, ring lattice.Ring, inset float64) []place {
	for i, a := range ring {
		ix, iy := ring[(i+1)%len(ring)].Sub(a)
		ex, ey := float64(ix), float64(iy)
		length := inset * math.Sqrt(float64(ex*ex)+float64(ey*ey))
		side := func(q place) float64 {
			return float64(ex*(q.y-float64(a.Y))) - float64(ey*(q.x-float64(a.X))) - length
		}
		var out []place
		for k, q := range polygon {
			next := polygon[(k+1)%len(polygon)]
			s, t := side(q), side(next)
			if s >= 0 {
				out = append(out, q)
			}
			if s > 0 && t < 0 || s < 0 && t > 0 {
				at := s / (s - t)
				out = append(out, place{q.x + float64(at*(next.x-q.x)), q.y + float64(at*(next.y-q.y))})
			}
		}
		if polygon = out; len(polygon) < 3 {
			return nil
		}
	}
	return polygon
}
