package repair

import (
	"cmp"
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
}

// half is an edge as seen from one of its ends.
type half struct {
	edge int32
	back bool // from the greater vertex
}

// arrangement is the plane around a region, cut up by its sides and by footprints.
type arrangement struct {
	segments  []segment
	modifiers int32
	sweep     []int32 // segments, and later edges, from left to right
	active    []int32
	keys      []uint64 // of what is being sorted
	hot       []lattice.Point
	corners   []lattice.Point // of the region and of the sides near the region, sorted
	at        table           // of vertices by place
	points    []lattice.Point // the vertices
	edges     []edge
	known     table   // of edges by their ends
	turns     []int32 // windings gained when one crosses an edge from right to left: stride groups, edge after edge
	left      []int32 // windings on the left of each edge, likewise
	done      []bool
	stride    int
	first     []int32 // the halves of vertex v are halves[first[v]:first[v+1]]
	halves    []half
	pass      []onPath
	stack     []int32
	reach     int64 // width of the widest edge in sweep while windings are found
	component []int32
	sides     []int32 // the class on the left of every half, see half.index
	border    []borderHalf
	rings     []ring
}

// onPath is a hot point on a segment.
type onPath struct {
	along int64
	p     lattice.Point
}

// arrange cuts the plane around r up.
func (a *arrangement) arrange(r *Region, outlines []Outline) {
	a.collect(r, outlines)
	a.heat()
	a.route()
	a.link()
	a.wind()
}

// collect lists the segments.
func (a *arrangement) collect(r *Region, outlines []Outline) {
	a.segments, a.corners, a.modifiers = a.segments[:0], a.corners[:0], 0
	add := func(p, q lattice.Point, label int32, kind uint8, group int32) {
		if p != q {
			a.segments = append(a.segments, segment{a: p, b: q, box: lattice.BoxOf(p, q), label: label, kind: kind, group: group})
		}
	}
	for i, p := range r.Ring {
		q := r.Ring[(i+1)%len(r.Ring)]
		add(p, q, r.Label[i], own, 0)
		a.corners = append(a.corners, p)
	}
	for _, s := range r.Near {
		add(s[0], s[1], Inner, near, noGroup)
		a.corners = append(a.corners, s[0], s[1])
	}
	a.corners = a.sorted(a.corners)
	for _, o := range outlines {
		group := noGroup
		if o.Kind != Foreign {
			group = 2 + o.Kind
			a.modifiers = max(a.modifiers, o.Kind+1)
		}
		for _, ring := range o.Rings {
			for i, p := range ring {
				add(p, ring[(i+1)%len(ring)], Inner, foot, group)
			}
		}
	}
	a.stride = int(2 + a.modifiers)
}

// sorted sorts points and removes equal ones.
func (a *arrangement) sorted(list []lattice.Point) []lattice.Point {
	// Keys with the signs turned are in the order of the points.
	const signs = 1<<63 | 1<<31
	a.keys = a.keys[:0]
	for _, p := range list {
		a.keys = append(a.keys, key(p.X, p.Y)^signs)
	}
	slices.Sort(a.keys)
	list = list[:0]
	for i, k := range a.keys {
		if i == 0 || k != a.keys[i-1] {
			k ^= signs
			list = append(list, lattice.Point{X: int32(uint32(k >> 32)), Y: int32(uint32(k))})
		}
	}
	return list
}

// few is a number of segments or edges up to which looking at all of them costs less than sorting them.
const few = 64

// heat finds the hot points: corners of footprints and crossings with footprints.
func (a *arrangement) heat() {
	a.hot = a.hot[:0]
	if len(a.segments) <= few {
		for i := range a.segments {
			s := &a.segments[i]
			if s.kind == foot {
				a.hot = append(a.hot, s.a)
			}
			for j := range i {
				a.meet(s, &a.segments[j])
			}
		}
	} else {
		a.sweepOver()
	}
	a.hot = a.sorted(a.hot)
}

// sweepOver moves a line over the segments in the order of their left ends, for heat.
func (a *arrangement) sweepOver() {
	a.sweep = resize(a.sweep, len(a.segments))
	for i := range a.sweep {
		a.sweep[i] = int32(i)
	}
	slices.SortFunc(a.sweep, func(x, y int32) int {
		return cmp.Or(cmp.Compare(a.segments[x].box.Min.X, a.segments[y].box.Min.X), cmp.Compare(x, y))
	})
	a.active = a.active[:0]
	for _, i := range a.sweep {
		s := &a.segments[i]
		if s.kind == foot {
			a.hot = append(a.hot, s.a)
		}
		live := 0
		for _, j := range a.active {
			t := &a.segments[j]
			if t.box.Max.X < s.box.Min.X {
				continue
			}
			a.active[live] = j
			live++
			a.meet(s, t)
		}
		a.active = append(a.active[:live], i)
	}
}

// meet heats the crossing of two segments, one of them of a footprint.
func (a *arrangement) meet(s, t *segment) {
	if s.kind != foot && t.kind != foot || !s.box.Overlaps(t.box) || !crosses(s, t) {
		return
	}
	if p, ok := lattice.LineIntersection(s.a, s.b, t.a, t.b); ok {
		a.hot = append(a.hot, p)
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

// route leads every segment through the hot points whose unit squares the segment meets, and adds the edges between.
func (a *arrangement) route() {
	a.at.reset()
	a.known.reset()
	a.points, a.edges, a.turns = a.points[:0], a.edges[:0], a.turns[:0]
	for i := range a.segments {
		s := &a.segments[i]
		if s.kind == near {
			continue // these only heat points
		}
		a.pass = a.pass[:0]
		touched := a.passing(s, a.hot)
		switch {
		case s.kind == foot:
			a.passing(s, a.corners)
			a.sortPass()
		case touched:
			a.sortPass()
			a.swept(s)
		}
		from := a.vertex(s.a)
		for k := range a.pass {
			to := a.vertex(a.pass[k].p)
			a.piece(s, from, to)
			from = to
		}
		a.piece(s, from, a.vertex(s.b))
	}
}

// sortPass sorts the hot points on a segment along it.
func (a *arrangement) sortPass() {
	slices.SortFunc(a.pass, func(x, y onPath) int {
		if c := cmp.Compare(x.along, y.along); c != 0 {
			return c
		}
		return x.p.Compare(y.p)
	})
}

// swept adds the corners that a side sweeps over where hot points bend the side, and those on the side: the bent side
// leads through them. All other corners stay on the same hand of the side, and keep their distance.
func (a *arrangement) swept(s *segment) {
	n := len(a.pass)
	end := lattice.Dot(s.a, s.b, s.b)
	k, _ := slices.BinarySearchFunc(a.corners, s.box.Min.X-1, func(p lattice.Point, x int32) int { return cmp.Compare(p.X, x) })
	for ; k < len(a.corners) && a.corners[k].X <= s.box.Max.X+1; k++ {
		c := a.corners[k]
		along := lattice.Dot(s.a, s.b, c)
		if c.Y < s.box.Min.Y-1 || c.Y > s.box.Max.Y+1 || along <= 0 || along >= end {
			continue
		}
		before := cmp.Compare(lattice.Orient(s.a, s.b, c), 0)
		i, known := slices.BinarySearchFunc(a.pass[:n], along, func(x onPath, along int64) int { return cmp.Compare(x.along, along) })
		if known && a.pass[i].p == c {
			continue
		}
		from, to := s.a, s.b
		if i > 0 {
			from = a.pass[i-1].p
		}
		if i < n {
			to = a.pass[i].p
		}
		if before == 0 || cmp.Compare(lattice.Orient(from, to, c), 0) != before {
			a.pass = append(a.pass, onPath{along, c})
		}
	}
	if len(a.pass) > n {
		a.sortPass()
	}
}

// passing appends the points of a sorted list whose squares a segment meets, without its ends; found tells whether any
// was found.
func (a *arrangement) passing(s *segment, list []lattice.Point) (found bool) {
	k, _ := slices.BinarySearchFunc(list, s.box.Min.X-1, func(p lattice.Point, x int32) int { return cmp.Compare(p.X, x) })
	for ; k < len(list) && list[k].X <= s.box.Max.X+1; k++ {
		p := list[k]
		if p.Y < s.box.Min.Y-1 || p.Y > s.box.Max.Y+1 || p == s.a || p == s.b || !meetsSquare(s.a, s.b, p) {
			continue
		}
		along := lattice.Dot(s.a, s.b, p)
		if along <= 0 || along >= lattice.Dot(s.a, s.b, s.b) {
			// The square of a point beside an end: the end itself is the vertex there.
			continue
		}
		a.pass = append(a.pass, onPath{along, p})
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

// vertex returns the number of a point.
func (a *arrangement) vertex(p lattice.Point) int32 {
	k := key(p.X, p.Y)
	if v, ok := a.at.get(k); ok {
		return v
	}
	v := int32(len(a.points))
	a.at.set(k, v)
	a.points = append(a.points, p)
	return v
}

// piece adds a piece of a segment.
func (a *arrangement) piece(s *segment, from, to int32) {
	if from == to {
		return
	}
	turn := int32(1) // a ring has its inside on the left
	if a.points[from].Compare(a.points[to]) > 0 {
		from, to, turn = to, from, -1
	}
	k := key(from, to)
	e, ok := a.known.get(k)
	if !ok {
		e = int32(len(a.edges))
		a.known.set(k, e)
		a.edges = append(a.edges, edge{from, to, Wall})
		a.turns = append(a.turns, make([]int32, a.stride)...)
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
		if len(list) > 1 {
			p := a.points[v]
			slices.SortFunc(list, func(g, h half) int { return turnOrder(p, a.points[a.head(g)], a.points[a.head(h)]) })
		}
	}
}

// turnOrder orders the directions from p to q and to r counter-clockwise, from the direction just past straight down.
func turnOrder(p, q, r lattice.Point) int {
	// Lesser points are on the second half of the turn.
	qBack, rBack := q.Compare(p) < 0, r.Compare(p) < 0
	if qBack != rBack {
		if rBack {
			return -1
		}
		return 1
	}
	return -cmp.Compare(lattice.Orient(p, q, r), 0)
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
			a.spread(e, a.edges[e].from)
			a.spread(e, a.edges[e].to)
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
		if a.points[u].Compare(a.points[v]) > 0 {
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
	for i := range a.edges {
		if int64(a.points[a.edges[i].to].X)-int64(a.points[a.edges[i].from].X) > a.reach {
			a.active = append(a.active, int32(i))
		} else {
			a.sweep = append(a.sweep, int32(i))
		}
	}
	slices.SortFunc(a.sweep, func(x, y int32) int {
		return cmp.Or(cmp.Compare(a.points[a.edges[x].from].X, a.points[a.edges[y].from].X), cmp.Compare(x, y))
	})
}

// spread carries the windings of edge e to the edges around a vertex of e.
func (a *arrangement) spread(e, v int32) {
	list := a.halves[a.first[v]:a.first[v+1]]
	k := slices.IndexFunc(list, func(h half) bool { return h.edge == e })
	for range len(list) - 1 {
		next := (k + 1) % len(list)
		g, h := list[k], list[next]
		if a.done[h.edge] {
			k = next
			continue
		}
		from, to := a.left[int(g.edge)*a.stride:][:a.stride], a.left[int(h.edge)*a.stride:][:a.stride]
		for i := range to {
			// Counter-clockwise of g: its left on the way out.
			w := from[i]
			if g.back {
				w -= a.turns[int(g.edge)*a.stride+i]
			}
			// Clockwise of h: its right on the way out.
			if !h.back {
				w += a.turns[int(h.edge)*a.stride+i]
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
	k := slices.Index(list, half{h.edge, !h.back})
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
