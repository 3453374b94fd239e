package repair

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// segment is a line between two points of the input.
type segment struct {
	a, b  lattice.Point
	box   lattice.Box
	label int32 // of a side of the region, else Inner
	kind  uint8
	group int32 // the winding number that changes: 0 the region, 1 obstacles, 2+m modifier m; none without
	// Of a footprint: the number of the first later segment that may cross this segment. The sides of a convex ring do not.
	after int32
}

// The kinds of segments.
const (
	own uint8 = iota
	near
	foot
)

// noGroup marks segments without windings.
const noGroup int32 = -1

// edge is a piece of a segment between two neighbouring hot points, from the lesser vertex to the greater. label names
// the side of the region that leads along the edge.
type edge struct {
	from, to int32
	label    int32
	next     int32 // another edge with the same lesser vertex, -1 for none
}

// half is an edge as seen from one of its ends.
type half struct {
	edge int32
	back bool // from the greater vertex
}

// arrangement is the plane around a region, cut up by its sides and by footprints. Vertices have numbers in the order of
// their points.
type arrangement struct {
	base      *groundwork
	segments  []segment // of the footprints
	modifiers int32
	sweep     []int32 // edges from left to right
	active    []int32
	near      []*segment  // the segments that may cross a footprint
	hot       []uint64    // the keys of hot points, sorted
	box       lattice.Box // around the footprints, and so around the hot points
	keys      []uint64    // of all points where a segment may bend, sorted
	points    []lattice.Point
	latest    int32  // the latest answer of vertex
	isHot     []bool // by point
	isCorner  []bool // by point: of the region or of a side near the region
	edges     []edge
	known     []int32 // by vertex: the latest edge whose lesser vertex it is, -1 for none
	turns     []int32 // windings gained when one crosses an edge from right to left: stride groups, edge after edge
	left      []int32 // windings on the left of each edge, likewise
	done      []bool
	reached   []bool // by vertex: all edges around it have windings
	stride    int
	first     []int32 // the halves of vertex v are halves[first[v]:first[v+1]]
	halves    []half
	pass      []onPath
	onFoot    []onPath // the points on the segments of footprints, segment after segment
	footEnd   []int32  // and where those of each segment end
	stack     []int32
	reach     int64 // width of the widest edge in sweep while windings are found
	component []int32
	sides     []int32 // the class on the left of every half, see half.index
	border    []borderHalf
	rings     []ring
	crossings []meeting // of obstacles apart from each other
	bends     []meeting // of their sides amid the region
	amid      []int32   // those amid the region
}

// onPath is a point on a segment, by its number.
type onPath struct {
	along int64
	v     int32
}

// groundwork is all that the cuts of a region have in common.
type groundwork struct {
	segments []segment // the sides of the region, and those near
	own      int       // the number of sides of the region
	keys     []uint64  // of the ends of all these, sorted
	corners  []uint64  // of the corners of the region, sorted
}

// Prepare does what all cuts of a region have in common, else the first cut does. The region must not change afterwards. Near is
// known then, and takes no memory any more.
func (r *Region) Prepare() {
	r.groundwork()
	r.Near = nil
}

// groundwork returns the groundwork of a region, which must not change any more.
func (r *Region) groundwork() *groundwork {
	if r.work == nil {
		g := &groundwork{
			segments: make([]segment, 0, len(r.Ring)+len(r.Near)), keys: make([]uint64, 0, len(r.Ring)+2*len(r.Near)),
		}
		for i, p := range r.Ring {
			g.add(p, r.Ring[(i+1)%len(r.Ring)], r.Label[i], own, 0)
			g.keys = append(g.keys, keyOf(p))
		}
		g.own = len(g.segments)
		g.corners = slices.Clone(g.keys)
		slices.Sort(g.corners)
		g.corners = slices.Compact(g.corners)
		for _, s := range r.Near {
			g.add(s[0], s[1], Inner, near, noGroup)
			g.keys = append(g.keys, keyOf(s[0]), keyOf(s[1]))
		}
		slices.Sort(g.keys)
		g.keys = slices.Compact(g.keys)
		r.work = g
	}
	return r.work
}

func (g *groundwork) add(p, q lattice.Point, label int32, kind uint8, group int32) {
	if p != q {
		g.segments = append(g.segments, segment{a: p, b: q, box: lattice.BoxOf(p, q), label: label, kind: kind, group: group})
	}
}

// key packs two numbers.
func key(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// signs turned make the order of keys that of the points.
const signs = 1<<63 | 1<<31

func keyOf(p lattice.Point) uint64 { return key(p.X, p.Y) ^ signs }

func pointOf(k uint64) lattice.Point {
	k ^= signs
	return lattice.Point{X: int32(uint32(k >> 32)), Y: int32(uint32(k))}
}

// arrange cuts the plane around r up.
func (a *arrangement) arrange(r *Region, outlines []Outline) {
	a.collect(r, outlines)
	a.heat()
	a.number()
	a.route()
	a.link()
	a.wind()
}

// collect lists the segments.
func (a *arrangement) collect(r *Region, outlines []Outline) {
	a.base = r.groundwork()
	a.segments, a.modifiers = a.segments[:0], 0
	for _, o := range outlines {
		group := noGroup
		if o.Kind != Foreign {
			group = 2 + o.Kind
			a.modifiers = max(a.modifiers, o.Kind+1)
		}
		for _, ring := range o.Rings {
			first := len(a.segments)
			p := ring[len(ring)-1]
			for _, q := range ring {
				if p != q {
					n := int32(len(a.segments))
					a.segments = append(a.segments, segment{a: p, b: q, box: boxOf(p, q), label: Inner, kind: foot, group: group, after: n + 1})
				}
				p = q
			}
			if isConvex(ring) {
				for i := range a.segments[first:] {
					a.segments[first+i].after = int32(len(a.segments))
				}
			}
		}
	}
	a.stride = int(2 + a.modifiers)
}

func boxOf(p, q lattice.Point) lattice.Box {
	return lattice.Box{
		Min: lattice.Point{X: min(p.X, q.X), Y: min(p.Y, q.Y)}, Max: lattice.Point{X: max(p.X, q.X), Y: max(p.Y, q.Y)},
	}
}

// isConvex reports whether a ring turns left at each point, and once around in all.
func isConvex(ring lattice.Ring) bool {
	if len(ring) < 3 {
		return false
	}
	a, b := ring[len(ring)-2], ring[len(ring)-1]
	turned := 0
	for _, c := range ring {
		if lattice.Orient(a, b, c) <= 0 {
			return false
		}
		// The direction of the sides passes from down to up once on the way around.
		if b.Compare(a) < 0 && c.Compare(b) > 0 {
			turned++
		}
		a, b = b, c
	}
	return turned == 1
}

// few is a number of segments or edges up to which looking at all of them costs less than sorting them.
const few = 64

// heat finds the hot points: corners of footprints and crossings with footprints.
func (a *arrangement) heat() {
	a.hot, a.near = a.hot[:0], a.near[:0]
	box := lattice.EmptyBox()
	for i := range a.segments {
		s := &a.segments[i]
		a.hot = append(a.hot, keyOf(s.a))
		a.near = append(a.near, s)
		box = box.Union(s.box)
	}
	a.box = box
	for i := range a.base.segments {
		if s := &a.base.segments[i]; s.box.Overlaps(box) {
			a.near = append(a.near, s)
		}
	}
	if len(a.near) <= few {
		for i := range a.segments {
			s := &a.segments[i]
			for _, t := range a.near[s.after:] {
				if s.box.Overlaps(t.box) {
					a.meet(s, t)
				}
			}
		}
	} else {
		a.sweepOver()
	}
	slices.Sort(a.hot)
	a.hot = slices.Compact(a.hot)
}

// sweepOver moves a line over the segments in the order of their left ends, for heat.
func (a *arrangement) sweepOver() {
	a.keys = resize(a.keys, len(a.near))
	for i, s := range a.near {
		a.keys[i] = key(s.box.Min.X, int32(i)) ^ signs
	}
	slices.Sort(a.keys)
	a.active = a.active[:0]
	for _, k := range a.keys {
		i := int32(uint32(k ^ signs))
		s := a.near[i]
		live := 0
		for _, j := range a.active {
			t := a.near[j]
			if t.box.Max.X < s.box.Min.X {
				continue
			}
			a.active[live] = j
			live++
			if (s.kind == foot || t.kind == foot) && s.box.Overlaps(t.box) {
				a.meet(s, t)
			}
		}
		a.active = append(a.active[:live], i)
	}
}

// meet heats the crossing of two segments, of which a footprint has at least one. Their boxes meet.
func (a *arrangement) meet(s, t *segment) {
	if s.a == t.a || s.a == t.b || s.b == t.a || s.b == t.b {
		return // a corner of a footprint is hot without
	}
	if !crosses(s, t) {
		return
	}
	if p, ok := lattice.LineIntersection(s.a, s.b, t.a, t.b); ok {
		a.hot = append(a.hot, keyOf(p))
	}
}

// crosses reports whether two segments that are not parallel have a common point.
func crosses(s, t *segment) bool {
	o1, o2 := lattice.Orient(s.a, s.b, t.a), lattice.Orient(s.a, s.b, t.b)
	if o1 > 0 && o2 > 0 || o1 < 0 && o2 < 0 || o1 == 0 && o2 == 0 {
		return false
	}
	o3, o4 := lattice.Orient(t.a, t.b, s.a), lattice.Orient(t.a, t.b, s.b)
	return !(o3 > 0 && o4 > 0 || o3 < 0 && o4 < 0)
}

// number gives the hot points and the corners numbers.
func (a *arrangement) number() {
	hot, corners := a.hot, a.base.keys
	most := len(hot) + len(corners)
	a.keys, a.points, a.isHot, a.isCorner = resize(a.keys, most), resize(a.points, most), resize(a.isHot, most), resize(a.isCorner, most)
	n, i, j := 0, 0, 0
	for ; i < len(hot) || j < len(corners); n++ {
		isHot := j == len(corners) || i < len(hot) && hot[i] <= corners[j]
		isCorner := i == len(hot) || j < len(corners) && corners[j] <= hot[i]
		if isHot {
			a.keys[n] = hot[i]
			i++
		}
		if isCorner {
			a.keys[n] = corners[j]
			j++
		}
		a.points[n], a.isHot[n], a.isCorner[n] = pointOf(a.keys[n]), isHot, isCorner
	}
	a.keys, a.points, a.isHot, a.isCorner = a.keys[:n], a.points[:n], a.isHot[:n], a.isCorner[:n]
}

// vertex returns the number of a point. Most segments start where the one before ends.
func (a *arrangement) vertex(p lattice.Point) int32 {
	if int(a.latest) >= len(a.points) || a.points[a.latest] != p {
		a.latest = int32(a.search(keyOf(p)))
	}
	return a.latest
}

// search returns the number of the first key that is not less.
func (a *arrangement) search(key uint64) int {
	low, high := 0, len(a.keys)
	for low < high {
		if middle := (low + high) / 2; a.keys[middle] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// route leads every segment through the hot points whose unit squares the segment meets, and adds the edges between.
func (a *arrangement) route() {
	a.known = resize(a.known, len(a.points))
	for v := range a.known {
		a.known[v] = -1
	}
	a.edges, a.turns = a.edges[:0], a.turns[:0]
	// Around the hot points and their squares.
	near := lattice.Box{Min: lattice.Point{X: a.box.Min.X - 1, Y: a.box.Min.Y - 1}, Max: lattice.Point{X: a.box.Max.X + 1, Y: a.box.Max.Y + 1}}
	a.footprintsPass()
	for i := range a.base.own {
		s := &a.base.segments[i]
		a.pass = a.pass[:0]
		if s.box.Overlaps(near) && a.passing(s, a.isHot) {
			a.sortPass(a.pass)
			a.swept(s)
		}
		a.lead(s, a.pass)
	}
	from := int32(0)
	for i := range a.segments {
		a.lead(&a.segments[i], a.onFoot[from:a.footEnd[i]])
		from = a.footEnd[i]
	}
}

// footprintsPass finds the points on the segments of footprints. Corners among them are hot from then on: a side of the region
// beside such a corner leads through the corner, as the footprint does.
func (a *arrangement) footprintsPass() {
	other := a.pass
	a.pass, a.footEnd = a.onFoot[:0], a.footEnd[:0]
	for i := range a.segments {
		first := len(a.pass)
		if a.passing(&a.segments[i], nil) {
			found := a.pass[first:]
			a.sortPass(found)
			for _, p := range found {
				a.isHot[p.v] = true
			}
		}
		a.footEnd = append(a.footEnd, int32(len(a.pass)))
	}
	a.onFoot, a.pass = a.pass, other
}

// lead adds the edges of a segment that passes some points.
func (a *arrangement) lead(s *segment, pass []onPath) {
	from := a.vertex(s.a)
	for _, p := range pass {
		a.piece(s, from, p.v)
		from = p.v
	}
	a.piece(s, from, a.vertex(s.b))
}

// sortPass sorts the points on a segment along it.
func (a *arrangement) sortPass(pass []onPath) {
	if len(pass) > 1 {
		slices.SortFunc(pass, func(x, y onPath) int {
			if c := cmp.Compare(x.along, y.along); c != 0 {
				return c
			}
			return cmp.Compare(x.v, y.v)
		})
	}
}

// swept adds the corners that a side sweeps over where hot points bend the side, and those on the side: the bent side
// leads through them. All other corners stay on the same hand of the side, and keep their distance.
func (a *arrangement) swept(s *segment) {
	n := len(a.pass)
	end := lattice.Dot(s.a, s.b, s.b)
	for v := a.firstFrom(s.box.Min.X - 1); v < len(a.points) && a.points[v].X <= s.box.Max.X+1; v++ {
		c := a.points[v]
		if !a.isCorner[v] || c.Y < s.box.Min.Y-1 || c.Y > s.box.Max.Y+1 {
			continue
		}
		along := lattice.Dot(s.a, s.b, c)
		if along <= 0 || along >= end {
			continue
		}
		before := cmp.Compare(lattice.Orient(s.a, s.b, c), 0)
		i, known := slices.BinarySearchFunc(a.pass[:n], along, func(x onPath, along int64) int { return cmp.Compare(x.along, along) })
		if known && a.pass[i].v == int32(v) {
			continue
		}
		from, to := s.a, s.b
		if i > 0 {
			from = a.points[a.pass[i-1].v]
		}
		if i < n {
			to = a.points[a.pass[i].v]
		}
		if before == 0 || cmp.Compare(lattice.Orient(from, to, c), 0) != before {
			a.pass = append(a.pass, onPath{along, int32(v)})
		}
	}
	if len(a.pass) > n {
		a.sortPass(a.pass)
	}
}

// firstFrom returns the number of the first point whose X is at least x.
func (a *arrangement) firstFrom(x int32) int {
	return a.search(keyOf(lattice.Point{X: x, Y: math.MinInt32}))
}

// passing appends the points whose squares a segment meets, without its ends, and reports whether any was found: the points
// that are chosen, nil for all.
func (a *arrangement) passing(s *segment, chosen []bool) (found bool) {
	dx, dy := s.b.Sub(s.a)
	// The line meets no square of a point whose cross product is larger.
	most := uint64(max(dx, -dx) + max(dy, -dy))
	low, right := s.box.Min.Y-1, s.box.Max.X+1
	height := uint32(s.box.Max.Y + 1 - low)
	for v := a.firstFrom(s.box.Min.X - 1); v < len(a.points); v++ {
		p := a.points[v]
		if p.X > right {
			break
		}
		if uint32(p.Y-low) > height {
			continue
		}
		px, py := p.Sub(s.a)
		if uint64(dx*py-dy*px)+most > 2*most || chosen != nil && !chosen[v] {
			continue
		}
		along := dx*px + dy*py
		if along <= 0 || along >= dx*dx+dy*dy || !meetsSquare(s.a, s.b, p) {
			// The square of a point beside an end: the end itself is the vertex there.
			continue
		}
		a.pass = append(a.pass, onPath{along, int32(v)})
		found = true
	}
	return found
}

// meetsSquare reports whether the segment from a to b meets the unit square around p: left and lower sides belong to the
// square, right and upper sides do not.
func meetsSquare(a, b, p lattice.Point) bool {
	dx, dy := b.Sub(a)
	px, py := p.Sub(a)
	if max(0, 2*dx) < 2*px-1 || min(0, 2*dx) > 2*px+1 || max(0, 2*dy) < 2*py-1 || min(0, 2*dy) > 2*py+1 {
		return false
	}
	// Twice the cross product of the direction with the centre, and with the corners around it.
	centre := 2 * (dx*py - dy*px)
	side := func(cx, cy int64) int {
		v := centre + dx*cy - dy*cx
		if v != 0 {
			return cmp.Compare(v, 0)
		}
		// The corner on an excluded side is a hair nearer to the centre.
		t := int64(0)
		if cx > 0 {
			t += dy
		}
		if cy > 0 {
			t -= dx
		}
		return cmp.Compare(t, 0)
	}
	s := side(-1, -1)
	return s == 0 || side(1, -1) != s || side(-1, 1) != s || side(1, 1) != s
}

// piece adds a piece of a segment.
func (a *arrangement) piece(s *segment, from, to int32) {
	if from == to {
		return
	}
	turn := int32(1) // a ring has its inside on the left
	if from > to {
		from, to, turn = to, from, -1
	}
	e := a.known[from]
	for e >= 0 && a.edges[e].to != to {
		e = a.edges[e].next
	}
	if e < 0 {
		e = int32(len(a.edges))
		a.edges = append(a.edges, edge{from, to, Wall, a.known[from]})
		a.known[from] = e
		for range a.stride {
			a.turns = append(a.turns, 0)
		}
	}
	if s.kind == own {
		a.edges[e].label = s.label
	}
	if s.group != noGroup {
		a.turns[int(e)*a.stride+int(s.group)] += turn
	}
}

// link lists the edges around every vertex, counter-clockwise.
func (a *arrangement) link() {
	n := len(a.points)
	a.first = resize(a.first, n+1)
	clear(a.first)
	for i := range a.edges {
		a.first[a.edges[i].from+1]++
		a.first[a.edges[i].to+1]++
	}
	for v := range n {
		a.first[v+1] += a.first[v]
	}
	a.halves = resize(a.halves, 2*len(a.edges))
	fill := resize(a.component, n)
	copy(fill, a.first[:n])
	for i := range a.edges {
		e := &a.edges[i]
		a.halves[fill[e.from]] = half{int32(i), false}
		fill[e.from]++
		a.halves[fill[e.to]] = half{int32(i), true}
		fill[e.to]++
	}
	a.component = fill
	for v := range n {
		list := a.halves[a.first[v]:a.first[v+1]]
		const little = 8 // most vertices have two
		if len(list) > little {
			slices.SortFunc(list, func(g, h half) int { return a.turnOrder(int32(v), a.head(g), a.head(h)) })
			continue
		}
		for i := 1; i < len(list); i++ {
			for k := i; k > 0 && a.turnOrder(int32(v), a.head(list[k-1]), a.head(list[k])) > 0; k-- {
				list[k-1], list[k] = list[k], list[k-1]
			}
		}
	}
}

// turnOrder orders the directions from vertex p to q and to r counter-clockwise, from the direction just past straight down.
func (a *arrangement) turnOrder(p, q, r int32) int {
	// Lesser points are on the second half of the turn.
	qBack, rBack := q < p, r < p
	if qBack != rBack {
		if rBack {
			return -1
		}
		return 1
	}
	return -cmp.Compare(lattice.Orient(a.points[p], a.points[q], a.points[r]), 0)
}

// head returns the vertex that a half leads to.
func (a *arrangement) head(h half) int32 {
	if h.back {
		return a.edges[h.edge].from
	}
	return a.edges[h.edge].to
}

// resize returns a slice of length n, with the memory of s where enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n+n/2)[:n]
	}
	return s[:n]
}

// wind finds the winding numbers on the left of every edge.
func (a *arrangement) wind() {
	n := len(a.edges)
	a.left = resize(a.left, n*a.stride)
	a.done = resize(a.done, n)
	clear(a.done)
	a.reached = resize(a.reached, len(a.points))
	clear(a.reached)
	a.group()
	a.list()
	for i := range a.edges {
		if a.done[i] {
			continue
		}
		a.seed(int32(i))
		for len(a.stack) > 0 {
			e := a.stack[len(a.stack)-1]
			a.stack = a.stack[:len(a.stack)-1]
			for _, v := range [2]int32{a.edges[e].from, a.edges[e].to} {
				if !a.reached[v] {
					a.reached[v] = true
					a.spread(e, v)
				}
			}
		}
	}
}

// group finds the least vertex of the component of every vertex.
func (a *arrangement) group() {
	c := resize(a.component, len(a.points))
	for i := range c {
		c[i] = int32(i)
	}
	root := func(v int32) int32 {
		for c[v] != v {
			c[v] = c[c[v]]
			v = c[v]
		}
		return v
	}
	for i := range a.edges {
		u, v := root(a.edges[i].from), root(a.edges[i].to)
		if u == v {
			continue
		}
		if u > v {
			u, v = v, u
		}
		c[v] = u
	}
	for i := range c {
		c[i] = root(int32(i))
	}
	a.component = c
}

// seed finds the windings of an edge at the least vertex of the component of edge e.
func (a *arrangement) seed(e int32) {
	v := a.component[a.edges[e].from]
	p := a.points[v]
	// All edges at v lead to greater points. The place just below v, to the right of its first edge, is outside of the
	// component: edges of other components below p count.
	h := a.halves[a.first[v]]
	w := a.left[int(h.edge)*a.stride:][:a.stride]
	clear(w)
	below := func(i int32) {
		f := &a.edges[i]
		from, to := a.points[f.from], a.points[f.to]
		// The vertical line through p, a hair to the left.
		if from.X < p.X && to.X >= p.X && a.component[f.from] != v && lattice.Orient(from, to, p) > 0 {
			for g := range w {
				w[g] += a.turns[int(i)*a.stride+g]
			}
		}
	}
	for _, i := range a.active { // the long edges
		below(i)
	}
	k, _ := slices.BinarySearchFunc(a.sweep, p.X, func(i, x int32) int { return cmp.Compare(a.points[a.edges[i].from].X, x) })
	for k--; k >= 0 && int64(p.X)-int64(a.points[a.edges[a.sweep[k]].from].X) <= a.reach; k-- {
		below(a.sweep[k])
	}
	for g := range w {
		w[g] += a.turns[int(h.edge)*a.stride+g]
	}
	a.done[h.edge] = true
	a.stack = append(a.stack[:0], h.edge)
}

// list sorts the edges from left to right, and apart from them the few that are much longer than most, so that the
// edges below a point are near in the list. All of a few edges count as long.
func (a *arrangement) list() {
	a.sweep, a.active = a.sweep[:0], a.active[:0]
	if len(a.edges) <= few {
		for i := range a.edges {
			a.active = append(a.active, int32(i))
		}
		return
	}
	sum := int64(0)
	for i := range a.edges {
		sum += int64(a.points[a.edges[i].to].X) - int64(a.points[a.edges[i].from].X)
	}
	a.reach = 4 * sum / int64(max(len(a.edges), 1))
	// Vertices are in order already.
	for _, i := range a.known {
		for ; i >= 0; i = a.edges[i].next {
			if int64(a.points[a.edges[i].to].X)-int64(a.points[a.edges[i].from].X) > a.reach {
				a.active = append(a.active, i)
			} else {
				a.sweep = append(a.sweep, i)
			}
		}
	}
}

// spread carries the windings of edge e to the edges around a vertex of e.
func (a *arrangement) spread(e, v int32) {
	list := a.halves[a.first[v]:a.first[v+1]]
	k := 0
	for list[k].edge != e {
		k++
	}
	for range len(list) - 1 {
		next := k + 1
		if next == len(list) {
			next = 0
		}
		g, h := list[k], list[next]
		if a.done[h.edge] {
			k = next
			continue
		}
		from, to := a.left[int(g.edge)*a.stride:][:a.stride], a.left[int(h.edge)*a.stride:][:a.stride]
		gained, lost := a.turns[int(h.edge)*a.stride:][:a.stride], a.turns[int(g.edge)*a.stride:][:a.stride]
		for i := range to {
			// Counter-clockwise of g: its left on the way out.
			w := from[i]
			if g.back {
				w -= lost[i]
			}
			// Clockwise of h: its right on the way out.
			if !h.back {
				w += gained[i]
			}
			to[i] = w
		}
		a.done[h.edge] = true
		a.stack = append(a.stack, h.edge)
		k = next
	}
}

// outside is the class of places without floor.
const outside int32 = -2

// classify finds the classes on both sides of every edge.
func (a *arrangement) classify() {
	a.sides = resize(a.sides, 2*len(a.edges))
	for e := range a.edges {
		w, turn := a.left[e*a.stride:][:a.stride], a.turns[e*a.stride:][:a.stride]
		if a.stride == 2 { // no modifiers: most cuts
			a.sides[2*e], a.sides[2*e+1] = outside, outside
			if w[0] > 0 && w[1] <= 0 {
				a.sides[2*e] = None
			}
			if w[0]-turn[0] > 0 && w[1]-turn[1] <= 0 {
				a.sides[2*e+1] = None
			}
			continue
		}
		a.sides[2*e] = classOf(w, nil)
		a.sides[2*e+1] = classOf(w, turn)
	}
}

// classOf returns the class of places by their windings less those of turn: a modifier, None or outside.
func classOf(w, turn []int32) int32 {
	if turn == nil {
		turn = zeros[:min(len(w), len(zeros))]
		if len(w) > len(zeros) {
			turn = make([]int32, len(w))
		}
	}
	if w[0]-turn[0] <= 0 || w[1]-turn[1] > 0 {
		return outside
	}
	for m := 2; m < len(w); m++ {
		if w[m]-turn[m] > 0 {
			return int32(m - 2)
		}
	}
	return None
}

var zeros [64]int32

// ring is a part of the border of a class of places, which are on the left.
type ring struct {
	vertices []int32
	labels   []int32 // of the side from vertex i on
}

// borderHalf is a half of an edge with a class on its left only.
type borderHalf struct {
	class int32
	h     half
}

// classes calls f with the border of every class of floor, in the order of the classes. The rings are valid until f
// returns.
func (a *arrangement) classes(f func(class int32, rings []ring)) {
	a.classify()
	a.border = a.border[:0]
	for i := range a.edges {
		l, r := a.sides[2*i], a.sides[2*i+1]
		if l == r {
			continue
		}
		if l != outside {
			a.border = append(a.border, borderHalf{l, half{int32(i), false}})
		}
		if r != outside {
			a.border = append(a.border, borderHalf{r, half{int32(i), true}})
		}
	}
	if a.modifiers > 0 {
		slices.SortStableFunc(a.border, func(x, y borderHalf) int { return cmp.Compare(x.class, y.class) })
	}
	a.done = resize(a.done, 2*len(a.edges))
	clear(a.done)
	for first := 0; first < len(a.border); {
		class := a.border[first].class
		end := first
		n := 0
		for end < len(a.border) && a.border[end].class == class {
			if h := a.border[end].h; !a.done[h.index()] {
				if n == len(a.rings) {
					a.rings = append(a.rings, ring{})
				}
				a.trace(&a.rings[n], h, class)
				n++
			}
			end++
		}
		f(class, a.rings[:n])
		first = end
	}
}

// index numbers the halves of all edges.
func (h half) index() int32 {
	if h.back {
		return 2*h.edge + 1
	}
	return 2 * h.edge
}

// leftOf returns the class on the left of a half, on the way out.
func (a *arrangement) leftOf(h half) int32 { return a.sides[h.index()] }

// rightOf returns the class on the right.
func (a *arrangement) rightOf(h half) int32 { return a.sides[h.index()^1] }

// trace walks around a border from half h on.
func (a *arrangement) trace(r *ring, h half, class int32) {
	r.vertices, r.labels = r.vertices[:0], r.labels[:0]
	for !a.done[h.index()] {
		a.done[h.index()] = true
		e := &a.edges[h.edge]
		tail := e.from
		if h.back {
			tail = e.to
		}
		label := Inner
		if a.rightOf(h) == outside {
			label = Wall
			if a.beyond(h) {
				label = e.label
			}
		}
		r.vertices = append(r.vertices, tail)
		r.labels = append(r.labels, label)
		h = a.next(h, class)
	}
}

// beyond reports whether the place on the right of a half is outside of the region.
func (a *arrangement) beyond(h half) bool {
	g := int(h.edge) * a.stride
	w := a.left[g]
	if !h.back {
		w -= a.turns[g]
	}
	return w <= 0
}

// next returns the border half of a class that follows half h around the class: the first clockwise from the way back.
func (a *arrangement) next(h half, class int32) half {
	v := a.head(h)
	list := a.halves[a.first[v]:a.first[v+1]]
	k := 0
	for list[k].edge != h.edge {
		k++
	}
	for range list {
		if k--; k < 0 {
			k = len(list) - 1
		}
		if g := list[k]; a.leftOf(g) == class && a.rightOf(g) != class {
			return g
		}
	}
	return h
}
