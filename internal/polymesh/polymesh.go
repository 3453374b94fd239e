// Package polymesh makes navigation meshes from the polygons of other programs' files.
//
// Source: own.
//
// Idea: a file has floating-point corners, and rounding to the lattice bends straight borders by up to a unit. A bend to the wrong
// side moves a corner by a unit or two, where every polygon around the corner stays convex; else the polygon is cut in two at the
// bend. Neighbours come from the file, because floors above each other share borders in the plane. Polygons that overlap in the
// plane go to different layers.
//
// Input: polygons in counter-clockwise order over points on the lattice, and the pairs of edges where polygons meet.
//
// Guarantees:
//  1. Every region is convex and simple (TestRepair, TestSplit).
//  2. Two regions share a portal if and only if the file lets their polygons meet along a stretch of positive length (TestMeetings).
//  3. Regions of one layer do not overlap unless a polygon crosses itself, which is an error (TestLayers).
//  4. Regions are in the order of the polygons; the pieces of a polygon follow each other (TestSplit).
//
// Degenerate cases: polygons that rounding leaves without area vanish; corners at the same place are one corner; of two neighbours
// that want the same stretch of an edge the first keeps the stretch. Report counts all three.
//
// Cost: O(n log n) time for n corners if few polygons overlap each other, O(n²) for a concave polygon of n corners.
//
// Departures: none.
package polymesh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
)

// Soup is a set of polygons that meet along edges.
type Soup struct {
	Frame lattice.Frame
	Agent geom.Agent
	// Points are the corners of polygons and floors. Build moves some points by up to two units.
	Points []lattice.Vertex
	// Fixed tells of each point along which axes it must not move; nil for none.
	Fixed    []Axes
	Polygons []Polygon
	Meetings []Meeting
	Links    []Link
	// Name describes a polygon in errors; nil for its number.
	Name func(polygon int) string
}

// Axes is a set of axes of the plane.
type Axes uint8

// The axes.
const (
	East Axes = 1 << iota
	North
)

// Polygon is a polygon of a file.
type Polygon struct {
	Corners []uint32 // indices of points, counter-clockwise
	// Border lists further points on straight sides, for their heights.
	Border []uint32
	Area   uint8
	Flags  uint32
	// Floor lists triangles of points, in any orientation; nil for a fan over the corners.
	Floor [][3]uint32
}

// Meeting is a pair of edges of polygons P and Q where one can walk over. An edge has the number of its first corner. Build finds
// the common stretch of the edges.
type Meeting struct{ P, Q, PEdge, QEdge int32 }

// Link is a way from polygon From to polygon To without walking.
type Link struct {
	From, To   int32
	Start, End lattice.Vertex
	Kind       navmesh.LinkKind
	Flags      uint32
	Cost       float32 // in metres
}

// Report counts the changes that Build made.
type Report struct {
	Moved   int     // corners that moved to keep polygons convex
	Split   int     // polygons in several regions
	Dropped int     // polygons without area
	Apart   int     // meetings without a portal
	Of      []int32 // the polygon of each region
}

// Limits of a soup.
const (
	maxConcave  = 1 << 10 // corners of a concave polygon
	maxOverlaps = 1 << 22 // pairs of polygons over each other
	maxTouching = 1 << 26 // pairs of boxes that touch
)

// generation is the generation of the only tile.
const generation = 1

// Build makes a mesh of one tile. The error names a polygon that crosses itself or goes around twice, or tells the count that is
// too large. Points may move; Build keeps no other part of s.
func Build(s *Soup) (*navmesh.Mesh, Report, error) {
	b := &builder{Soup: s}
	if len(s.Polygons) > navmesh.MaxIndex+1 {
		return nil, Report{}, fmt.Errorf("%d polygons, a mesh holds at most %d", len(s.Polygons), navmesh.MaxIndex+1)
	}
	b.prepare()
	if err := b.divide(); err != nil {
		return nil, Report{}, err
	}
	if len(b.pieces) == 0 {
		return nil, Report{}, fmt.Errorf("no polygon of %d has an area", len(s.Polygons))
	}
	if len(b.pieces) > navmesh.MaxIndex+1 {
		return nil, Report{}, fmt.Errorf("%d convex polygons, a mesh holds at most %d", len(b.pieces), navmesh.MaxIndex+1)
	}
	if err := b.storeys(); err != nil {
		return nil, Report{}, err
	}
	b.meet()
	b.domains()
	for _, p := range b.pieces {
		b.report.Of = append(b.report.Of, p.polygon)
	}
	t := b.tile()
	t.Derive()
	m := &navmesh.Mesh{Frame: s.Frame, Agent: s.Agent, Tiles: []navmesh.Tile{t}}
	b.links(m)
	m.Connect()
	return m, b.report, nil
}

// builder is an unfinished mesh.
type builder struct {
	*Soup
	rings    [][]corner // of each polygon, without repeated corners; nil for a polygon without area
	pieces   []piece
	first    []int32 // of each polygon, the index of its first piece; one more entry at the end
	contacts []contact
	layer    []int32 // of each polygon
	layers   int
	domain   []int32 // of each piece
	report   Report
}

// corner is a corner of a piece, with the polygon's edge that begins here; inner for a cut.
type corner struct {
	point uint32
	edge  int32
}

const inner = -1

// piece is a convex part of a polygon.
type piece struct {
	polygon int32
	corners []corner
}

// contact is a stretch where two pieces meet, from a to b counter-clockwise around piece p.
type contact struct {
	p, q, pe, qe int32
	a, b         lattice.Point
	whole        bool // the stretch is an edge between the same two points on both sides
	dropped      bool
}

func (b *builder) at(c corner) lattice.Point { return b.Points[c.point].Point }

func (b *builder) ring(corners []corner) lattice.Ring {
	out := make(lattice.Ring, len(corners))
	for i, c := range corners {
		out[i] = b.at(c)
	}
	return out
}

func (b *builder) name(polygon int32) string {
	if b.Name != nil {
		return b.Name(int(polygon))
	}
	return fmt.Sprintf("polygon %d", polygon)
}

// place returns a point of the plane in metres, for an error.
func (b *builder) place(p lattice.Vertex) string { return b.Frame.ToWorld(p.Point, p.Z).String() }

// prepare moves corners and removes repeated ones.
func (b *builder) prepare() {
	b.rings = make([][]corner, len(b.Polygons))
	rings := make([][]uint32, len(b.Polygons))
	for i := range b.Polygons {
		rings[i] = b.Polygons[i].Corners
	}
	b.report.Moved = Repair(b.Points, b.Fixed, rings, nil)
	for i := range b.Polygons {
		all := b.Polygons[i].Corners
		var ring []corner
		for k, p := range all {
			if b.Points[p].Point != b.Points[all[(k+1)%len(all)]].Point {
				ring = append(ring, corner{p, int32(k)})
			}
		}
		if len(ring) < 3 || b.ring(ring).Area2() == 0 {
			b.report.Dropped++
			continue
		}
		b.rings[i] = ring
	}
}

// divide makes the pieces.
func (b *builder) divide() error {
	for i, ring := range b.rings {
		b.first = append(b.first, int32(len(b.pieces)))
		if ring == nil {
			continue
		}
		if fault, at := planar.Fault(b.ring(ring)); fault == "" {
			b.pieces = append(b.pieces, piece{int32(i), ring})
			continue
		} else if len(ring) > maxConcave || b.ring(ring).Area2() < 0 || b.crosses(ring) {
			return fmt.Errorf("%s at %s: %s", b.name(int32(i)), b.place(b.Points[ring[at].point]), fault)
		}
		parts, ok := b.split(ring, nil)
		if !ok {
			return fmt.Errorf("%s at %s: no cut makes it convex", b.name(int32(i)), b.place(b.Points[ring[0].point]))
		}
		b.report.Split++
		for _, p := range parts {
			b.pieces = append(b.pieces, piece{int32(i), p})
		}
	}
	b.first = append(b.first, int32(len(b.pieces)))
	return nil
}

// crosses reports whether two edges of a ring without a common corner touch.
func (b *builder) crosses(ring []corner) bool {
	n := len(ring)
	for i := range n {
		for k := i + 2; k < n; k++ {
			if i == 0 && k == n-1 {
				continue
			}
			if lattice.SegmentContact(b.at(ring[i]), b.at(ring[i+1]), b.at(ring[k]), b.at(ring[(k+1)%n])) != lattice.Disjoint {
				return true
			}
		}
	}
	return false
}

// split cuts a simple ring into convex parts: from each reflex corner along the shortest inner diagonal.
func (b *builder) split(ring []corner, to [][]corner) (parts [][]corner, ok bool) {
	n := len(ring)
	at := func(i int) lattice.Point { return b.at(ring[(i+n)%n]) }
	for i := range n {
		if lattice.Orient(at(i-1), at(i), at(i+1)) >= 0 {
			continue
		}
		best := -1
		for k := range n {
			if k == i || k == (i+1)%n || k == (i+n-1)%n {
				continue
			}
			if best >= 0 && at(i).Distance2(at(k)) >= at(i).Distance2(at(best)) {
				continue
			}
			if lattice.StrictlyInCone(at(k), at(i-1), at(i), at(i+1)) && lattice.StrictlyInCone(at(i), at(k-1), at(k), at(k+1)) && b.sees(ring, i, k) {
				best = k
			}
		}
		if best < 0 {
			return nil, false
		}
		for _, ends := range [2][2]int{{i, best}, {best, i}} {
			var part []corner
			for k := ends[0]; ; k = (k + 1) % n {
				c := ring[k]
				if k == ends[1] {
					c.edge = inner
				}
				if part = append(part, c); k == ends[1] {
					break
				}
			}
			if to, ok = b.split(part, to); !ok {
				return nil, false
			}
		}
		return to, true
	}
	if fault, _ := planar.Fault(b.ring(ring)); fault != "" {
		return nil, false
	}
	return append(to, ring), true
}

// sees reports whether the diagonal from corner i to corner k touches no edge besides its own.
func (b *builder) sees(ring []corner, i, k int) bool {
	n := len(ring)
	for e := range n {
		f := (e + 1) % n
		if e == i || e == k || f == i || f == k {
			continue
		}
		if lattice.SegmentContact(b.at(ring[i]), b.at(ring[k]), b.at(ring[e]), b.at(ring[f])) != lattice.Disjoint {
			return false
		}
	}
	return true
}

// storeys gives every polygon the first layer where it overlaps no polygon; layers of neighbours come first.
func (b *builder) storeys() error {
	boxes := make([]lattice.Box, len(b.pieces))
	rings := make([]lattice.Ring, len(b.pieces))
	for i := range b.pieces {
		rings[i] = b.ring(b.pieces[i].corners)
		boxes[i] = rings[i].Box()
	}
	over := make([][]int32, len(b.Polygons))
	overlaps, touching := 0, 0
	planar.NewIndex(boxes).Pairs(func(i, k int) bool {
		p, q := b.pieces[i].polygon, b.pieces[k].polygon
		if p != q && planar.Overlap(rings[i], rings[k]) {
			over[p], over[q] = append(over[p], q), append(over[q], p)
			overlaps++
		}
		touching++
		return overlaps <= maxOverlaps && touching <= maxTouching
	})
	if overlaps > maxOverlaps || touching > maxTouching {
		return fmt.Errorf("more than %d pairs of polygons lie over each other", overlaps-1)
	}
	beside := make([][]int32, len(b.Polygons))
	for _, m := range b.Meetings {
		beside[m.P], beside[m.Q] = append(beside[m.P], m.Q), append(beside[m.Q], m.P)
	}
	b.layer = make([]int32, len(b.Polygons))
	for i := range b.layer {
		b.layer[i] = -1
	}
	var taken []bool
	place := func(p, wish int32) error {
		taken = append(taken[:0], make([]bool, b.layers+1)...)
		for _, q := range over[p] {
			if b.layer[q] >= 0 {
				taken[b.layer[q]] = true
			}
		}
		if wish < 0 || taken[wish] {
			wish = int32(slices.Index(taken, false))
		}
		b.layer[p] = wish
		if b.layers = max(b.layers, int(wish)+1); b.layers > math.MaxUint16 {
			return fmt.Errorf("more than %d floors lie over each other", math.MaxUint16)
		}
		return nil
	}
	for start := range b.Polygons {
		if b.rings[start] == nil || b.layer[start] >= 0 {
			continue
		}
		if err := place(int32(start), -1); err != nil {
			return err
		}
		for queue := []int32{int32(start)}; len(queue) > 0; queue = queue[1:] {
			for _, q := range beside[queue[0]] {
				if b.rings[q] == nil || b.layer[q] >= 0 {
					continue
				}
				if err := place(q, b.layer[queue[0]]); err != nil {
					return err
				}
				queue = append(queue, q)
			}
		}
	}
	return nil
}

// meet finds the stretches where pieces meet.
func (b *builder) meet() {
	for _, m := range b.Meetings {
		p, pe, okP := b.edge(m.P, m.PEdge)
		q, qe, okQ := b.edge(m.Q, m.QEdge)
		if !okP || !okQ || p == q {
			b.report.Apart++
			continue
		}
		b.touch(p, pe, q, qe)
	}
	// The cuts of a polygon are edges of two of its pieces.
	for i := range b.Polygons {
		cuts := map[[2]uint32][2]int32{}
		for p := b.first[i]; p < b.first[i+1]; p++ {
			corners := b.pieces[p].corners
			for e, c := range corners {
				if c.edge != inner {
					continue
				}
				next := corners[(e+1)%len(corners)].point
				if o, ok := cuts[[2]uint32{next, c.point}]; ok {
					b.touch(o[0], o[1], p, int32(e))
				}
				cuts[[2]uint32{c.point, next}] = [2]int32{p, int32(e)}
			}
		}
	}
	b.clear()
}

// edge returns the piece with an edge of a polygon.
func (b *builder) edge(polygon, edge int32) (p, e int32, ok bool) {
	for p = b.first[polygon]; p < b.first[polygon+1]; p++ {
		for k, c := range b.pieces[p].corners {
			if c.edge == edge {
				return p, int32(k), true
			}
		}
	}
	return 0, 0, false
}

// ends returns the ends of an edge of a piece.
func (b *builder) ends(p, e int32) (from, to uint32) {
	corners := b.pieces[p].corners
	return corners[e].point, corners[(int(e)+1)%len(corners)].point
}

// touch adds the contact of two edges.
func (b *builder) touch(p, pe, q, qe int32) {
	p0, p1 := b.ends(p, pe)
	q0, q1 := b.ends(q, qe)
	from, to, ok := Stretch(b.Points[p0].Point, b.Points[p1].Point, b.Points[q0].Point, b.Points[q1].Point)
	if !ok {
		b.report.Apart++
		return
	}
	b.contacts = append(b.contacts, contact{p: p, q: q, pe: pe, qe: qe, a: from, b: to, whole: p0 == q1 && p1 == q0})
}

// Stretch returns the common stretch of the segment from a to b and the segment from c to d of the opposite direction; from leads
// to to as a leads to b. ok is false without a common stretch of positive length.
func Stretch(a, b, c, d lattice.Point) (from, to lattice.Point, ok bool) {
	if lattice.Orient(a, b, c) != 0 || lattice.Orient(a, b, d) != 0 {
		return from, to, false
	}
	swap := a.Compare(b) > 0
	if swap {
		a, b, c, d = b, a, d, c
	}
	if d.Compare(c) > 0 || a == b || c == d {
		return from, to, false
	}
	from, to = a, b
	if d.Compare(from) > 0 {
		from = d
	}
	if c.Compare(to) < 0 {
		to = c
	}
	if from.Compare(to) >= 0 {
		return from, to, false
	}
	if swap {
		from, to = to, from
	}
	return from, to, true
}

// side is a contact as seen from one of its pieces.
type side struct {
	piece, edge int32
	from, to    uint64 // squared distances of the ends from the start of the edge
	contact     int32
	first       bool // the side of the contact's p
}

// sides returns the sides of all contacts around their pieces.
func (b *builder) sides() []side {
	var out []side
	for i, c := range b.contacts {
		p, _ := b.ends(c.p, c.pe)
		q, _ := b.ends(c.q, c.qe)
		s, t := b.Points[p].Point, b.Points[q].Point
		out = append(out,
			side{c.p, c.pe, s.Distance2(c.a), s.Distance2(c.b), int32(i), true},
			side{c.q, c.qe, t.Distance2(c.b), t.Distance2(c.a), int32(i), false})
	}
	slices.SortFunc(out, func(s, o side) int {
		return cmp.Or(cmp.Compare(s.piece, o.piece), cmp.Compare(s.edge, o.edge), cmp.Compare(s.from, o.from), cmp.Compare(s.contact, o.contact))
	})
	return out
}

// clear drops contacts that want a stretch of an edge that another contact has.
func (b *builder) clear() {
	var last side
	for i, s := range b.sides() {
		c := &b.contacts[s.contact]
		if c.dropped {
			continue
		}
		if i > 0 && last.piece == s.piece && last.edge == s.edge && s.from < last.to {
			c.dropped = true
			b.report.Apart++
			continue
		}
		last = s
	}
	b.contacts = slices.DeleteFunc(b.contacts, func(c contact) bool { return c.dropped })
}

// domains numbers groups of pieces that may share vertices: they are joined by whole edges in one layer, and all their common
// borders are portals.
func (b *builder) domains() {
	joined := unionfind.New(len(b.pieces))
	for _, c := range b.contacts {
		if c.whole && b.layerOf(c.p) == b.layerOf(c.q) {
			joined.Union(c.p, c.q)
		}
	}
	b.domain = make([]int32, len(b.pieces))
	for i := range b.domain {
		b.domain[i] = joined.Find(int32(i))
	}
	all := b.sides()
	var walls []planar.Side
	var owner []int32
	for i := range b.pieces {
		corners := b.pieces[i].corners
		for e, c := range corners {
			at := b.at(c)
			add := func(to lattice.Point) {
				if at != to {
					walls = append(walls, planar.Side{A: at, B: to, Group: b.domain[i]})
					owner = append(owner, int32(i))
				}
			}
			for len(all) > 0 && int(all[0].piece) == i && int(all[0].edge) == e {
				k := &b.contacts[all[0].contact]
				right, left := k.a, k.b
				if !all[0].first {
					right, left = left, right
				}
				add(right)
				at, all = left, all[1:]
			}
			add(b.at(corners[(e+1)%len(corners)]))
		}
	}
	apart := func(i, k int) {
		for _, p := range [2]int32{owner[i], owner[k]} {
			b.domain[p] = int32(len(b.pieces)) + p
		}
	}
	planar.Match(walls, func(i, k int, _, _ lattice.Point) { apart(i, k) }, func(i, k int, _ lattice.Point) { apart(i, k) })
}

func (b *builder) layerOf(piece int32) int32 { return b.layer[b.pieces[piece].polygon] }

// key is a vertex of a domain.
type key struct {
	domain int32
	at     lattice.Vertex
}

// tile lays regions, portals and floors out.
func (b *builder) tile() navmesh.Tile {
	t := navmesh.Tile{Generation: generation, Layers: make([]navmesh.Layer, b.layers)}
	index := map[key]uint32{}
	vertex := func(p int32, v lattice.Vertex) uint32 {
		k := key{b.domain[p], v}
		n, ok := index[k]
		if !ok {
			n = uint32(len(t.Vertices))
			index[k] = n
			t.Vertices = append(t.Vertices, v)
		}
		return n
	}
	for i := range b.pieces {
		p := &b.pieces[i]
		polygon := &b.Polygons[p.polygon]
		r := navmesh.Region{First: uint32(len(t.Corners)), Count: uint32(len(p.corners)), Layer: uint16(b.layerOf(int32(i))), Area: polygon.Area, Flags: polygon.Flags}
		for _, c := range p.corners {
			t.Corners = append(t.Corners, vertex(int32(i), b.Points[c.point]))
		}
		t.Regions = append(t.Regions, r)
	}
	sides := b.sides()
	number := make([][2]uint32, len(b.contacts))
	for i, s := range sides {
		if s.first {
			number[s.contact][0] = uint32(i)
		} else {
			number[s.contact][1] = uint32(i)
		}
	}
	for _, s := range sides {
		c := &b.contacts[s.contact]
		p := navmesh.Portal{To: uint32(c.q), Edge: uint32(s.edge), Back: number[s.contact][1]}
		right, left := c.a, c.b
		if !s.first {
			p.To, p.Back = uint32(c.p), number[s.contact][0]
			right, left = left, right
		}
		from, to := b.ends(s.piece, s.edge)
		p.Right = vertex(s.piece, b.onEdge(s.piece, from, to, right))
		p.Left = vertex(s.piece, b.onEdge(s.piece, from, to, left))
		t.Portals = append(t.Portals, p)
		t.Regions[s.piece].PortalCount++
	}
	var next uint32
	for i := range t.Regions {
		t.Regions[i].FirstPortal = next
		next += t.Regions[i].PortalCount
	}
	b.floors(&t)
	return t
}

// onEdge returns a point of an edge of a piece with its height: as the file has it, or else between the ends.
func (b *builder) onEdge(piece int32, from, to uint32, p lattice.Point) lattice.Vertex {
	if p != b.Points[from].Point && p != b.Points[to].Point {
		for _, n := range b.Polygons[b.pieces[piece].polygon].Border {
			if b.Points[n].Point == p {
				return b.Points[n]
			}
		}
	}
	return between(b.Points[from], b.Points[to], p)
}

// between returns a point of the segment from a to b with its height.
func between(a, b lattice.Vertex, p lattice.Point) lattice.Vertex {
	switch p {
	case a.Point:
		return a
	case b.Point:
		return b
	}
	t := a.Distance(p) / a.Distance(b.Point)
	return lattice.Vertex{Point: p, Z: int32(math.Floor(float64(a.Z) + float64(t*float64(int64(b.Z)-int64(a.Z))) + 0.5))}
}

// floors fills the floors of the layers.
func (b *builder) floors(t *navmesh.Tile) {
	index := make([]map[lattice.Vertex]uint32, b.layers)
	for l := range index {
		index[l] = map[lattice.Vertex]uint32{}
		t.Layers[l].Floor.Error = 1 // rounding
	}
	add := func(layer int32, points [3]lattice.Vertex) {
		switch area := lattice.Orient(points[0].Point, points[1].Point, points[2].Point); {
		case area == 0:
			return
		case area < 0:
			points[1], points[2] = points[2], points[1]
		}
		floor := &t.Layers[layer].Floor
		var triangle [3]uint32
		for k, v := range points {
			n, ok := index[layer][v]
			if !ok {
				n = uint32(len(floor.Vertices))
				index[layer][v] = n
				floor.Vertices = append(floor.Vertices, v)
			}
			triangle[k] = n
		}
		floor.Triangles = append(floor.Triangles, triangle)
	}
	for i := range b.Polygons {
		for _, f := range b.Polygons[i].Floor {
			if b.rings[i] != nil {
				add(b.layer[i], [3]lattice.Vertex{b.Points[f[0]], b.Points[f[1]], b.Points[f[2]]})
			}
		}
		if b.Polygons[i].Floor != nil {
			continue
		}
		for _, p := range b.pieces[b.first[i]:b.first[i+1]] {
			for k := 2; k < len(p.corners); k++ {
				add(b.layer[i], [3]lattice.Vertex{b.Points[p.corners[0].point], b.Points[p.corners[k-1].point], b.Points[p.corners[k].point]})
			}
		}
	}
}

// links adds the links with ends at polygons that still exist.
func (b *builder) links(m *navmesh.Mesh) {
	for _, l := range b.Links {
		from, start, okFrom := b.into(l.From, l.Start)
		to, end, okTo := b.into(l.To, l.End)
		if !okFrom || !okTo || from == to {
			b.report.Apart++
			continue
		}
		m.Links = append(m.Links, navmesh.Link{
			From: navmesh.MakeRef(0, int(from), generation), To: navmesh.MakeRef(0, int(to), generation),
			Start: [2]lattice.Vertex{start, start}, End: [2]lattice.Vertex{end, end}, Kind: l.Kind, Flags: l.Flags, Cost: l.Cost,
		})
	}
	slices.SortStableFunc(m.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
}

// into returns the piece of a polygon nearest to a point, and the point moved into the piece.
func (b *builder) into(polygon int32, v lattice.Vertex) (p int32, at lattice.Vertex, ok bool) {
	best := uint64(math.MaxUint64)
	for i := b.first[polygon]; i < b.first[polygon+1]; i++ {
		q := Inside(b.ring(b.pieces[i].corners), v.Point)
		if d := q.Distance2(v.Point); d < best {
			best, p, at, ok = d, i, lattice.Vertex{Point: q, Z: v.Z}, true
		}
	}
	return p, at, ok
}

// Inside returns the lattice point of a convex ring nearest to p, but for some units of rounding.
func Inside(ring lattice.Ring, p lattice.Point) lattice.Point {
	if ring.Locate(p) != lattice.Outside {
		return p
	}
	near, corner := ring[0], ring[0]
	for i, a := range ring {
		if q := lattice.Nearest(p, a, ring[(i+1)%len(ring)]); q.Distance2(p) < near.Distance2(p) {
			near = q
		}
		if a.Distance2(p) < corner.Distance2(p) {
			corner = a
		}
	}
	for _, o := range offsets {
		if q := (lattice.Point{X: near.X + o.X, Y: near.Y + o.Y}); ring.Locate(q) != lattice.Outside {
			return q
		}
	}
	return corner
}
