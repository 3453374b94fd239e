package footprints

// Footprints on sectors of a reference grid.
//
// Source: S. Brand, thesis, 2009, section 8.3.2 and figure 86, a sketch that the source leaves to future work.
//
// Idea: a grid lies under all polygons, in sectors of 8 by 8 places. Each polygon knows its places as a run for each row. A sector
// cuts a polygon to a block, and a block is coarse or fine as a whole. A fine block is a matrix of 64 places, all in memory of
// one size, with no edges in memory: neighbours are the next places. Polygons are linked by pairs of places along their
// common borders, known beforehand.
//
// Input: as for a Field.
//
// Guarantees:
//  1. The places of a polygon are exactly the grid's places inside, border included (TestRunsAgainstBruteForce).
//  2. Ways cost what Dijkstra's algorithm finds over the same nodes, and polygons that links join stay joined, whichever blocks are fine
//     (TestSectorWays). Ways take no solid place (TestSectorSolid).
//  3. After a session no place has a weight; blocks that no session has needed for the delay are coarse again
//     (TestSectorsCleanUp).
//  4. The same calls give the same ways on every machine (TestSectorsAreTheSameAgain).
//
// Degenerate cases: polygons without places, or with places that do not hang together, stay one node.
//
// Cost: a session opens O(A + p/S) blocks for footprints of area A and outline p in sectors of side S, each at once.
//
// Departures: the source has no algorithm here. A polygon without fine blocks is one node; a polygon with fine blocks is a node for
// each coarse block and 64 for each fine block. Ways lock nothing: they are places, and stay valid when blocks become
// coarse.

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/pq"
)

// sectorSide is the number of places along the side of a sector.
const sectorSide = 8

const sectorPlaces = sectorSide * sectorSide

// SectorOptions of Sectors. The zero value has the source's grid.
type SectorOptions struct {
	Spacing float64 // metres between places, LeastSmallest or more; 0 stands for 0.5
	Reach   float64 // as of Options
	Delay   int64   // ticks that a fine block stays without need
}

// run is a row of places of a polygon.
type run struct{ first, last int32 }

// rows are the places of a polygon.
type rows struct {
	node
	bottom int32 // the first row
	runs   []run
	blocks map[[2]int32]int32 // by sector; only for look-ups
	fine   int                // fine blocks
	links  []int32
}

// cell is a place in a block; the block is -1 in polygons without blocks.
type cell struct {
	block int32
	local int32
}

// pair is a pair of places beside each other on both sides of a link.
type pair struct{ a, b cell }

// block is the part of a polygon in a sector.
type block struct {
	polygon int32
	sector  [2]int32
	middle  lattice.Vertex
	page    int32 // -1: coarse
	used    int64
	doors   []int32 // pairs with a place here
}

// page is the memory of a fine block.
type page struct {
	block  int32
	mask   uint64
	z      [sectorPlaces]int32
	weight [sectorPlaces]float64
	solid  [sectorPlaces]bool
}

// Sectors is a mesh of polygons with a reference grid. Sectors belong to one goroutine.
type Sectors struct {
	polygons []rows
	links    []Link
	pairs    []pair
	linkOf   []int32 // by pair
	first    []int32 // of each link, in pairs
	blocks   []block
	pages    []page
	free     []int32
	weighted []int32 // pages
	tree     *boxtree.Tree[int32]
	spacing  int64
	reach    float64
	delay    int64
	opened   int

	labels []label
	stamp  uint32
	open   pq.Heap
	found  []int32
	next   []int32
	points []lattice.Vertex
}

// NewSectors returns Sectors of polygons and links. Errors are as of New, or a grid of more than MaxNodes places. Time O(n log n + k)
// for k rows.
func NewSectors(polygons [][]lattice.Vertex, links []Link, opt SectorOptions) (*Sectors, error) {
	f, err := New(polygons, links, Options{Smallest: opt.Spacing, Reach: opt.Reach, Delay: opt.Delay})
	if err != nil {
		return nil, err
	}
	s := &Sectors{links: f.links, tree: f.tree, spacing: f.smallest, reach: f.reach, delay: f.delay, polygons: make([]rows, len(polygons))}
	places := int64(0)
	for i := range s.polygons {
		p := &s.polygons[i]
		p.node, p.links = f.nodes[i], f.roots[i].links
		if places += (int64(p.high[0]-p.low[0])/s.spacing + 1) * (int64(p.high[1]-p.low[1])/s.spacing + 1); places > MaxNodes {
			return nil, fmt.Errorf("%w: more than %d places of the grid, at polygon %d", ErrTooLarge, MaxNodes, i)
		}
		p.bottom, p.runs = s.runsOf(p.ring, p.low[1], p.high[1])
		if !hangTogether(p.runs) {
			p.runs = nil
		}
		s.cutBlocks(int32(i))
	}
	for i := range s.links {
		s.first = append(s.first, int32(len(s.pairs)))
		s.pairUp(int32(i))
	}
	s.first = append(s.first, int32(len(s.pairs)))
	return s, nil
}

// runsOf returns the rows of a ring, without empty rows below and above.
func (s *Sectors) runsOf(ring []lattice.Vertex, low, high int32) (bottom int32, runs []run) {
	bottom = int32(lattice.CeilDiv(int64(low), s.spacing))
	for row := int64(bottom); row*s.spacing <= int64(high); row++ {
		r := run{math.MinInt32, math.MaxInt32}
		for k, p := range ring {
			q := ring[(k+1)%len(ring)]
			y, py, qy := row*s.spacing, int64(p.Y), int64(q.Y)
			switch {
			case qy < py && qy <= y && y <= py: // the left side goes down
				d := py - qy
				r.first = max(r.first, int32(lattice.CeilDiv(int64(p.X)*d+(py-y)*(int64(q.X)-int64(p.X)), d*s.spacing)))
			case py < qy && py <= y && y <= qy:
				d := qy - py
				r.last = min(r.last, int32(lattice.FloorDiv(int64(p.X)*d+(y-py)*(int64(q.X)-int64(p.X)), d*s.spacing)))
			}
		}
		switch {
		case r.first <= r.last:
			runs = append(runs, r)
		case len(runs) > 0:
			runs = append(runs, run{0, -1})
		default:
			bottom++
		}
	}
	for len(runs) > 0 && runs[len(runs)-1].first > runs[len(runs)-1].last {
		runs = runs[:len(runs)-1]
	}
	return bottom, runs
}

// hangTogether reports whether each row has places next to places of the row before.
func hangTogether(runs []run) bool {
	for k := 1; k < len(runs); k++ {
		if a, b := runs[k-1], runs[k]; b.first > b.last || b.first > a.last+1 || a.first > b.last+1 {
			return false
		}
	}
	return true
}

// has reports whether a polygon has a place.
func (p *rows) has(x, y int32) bool {
	k := y - p.bottom
	return k >= 0 && int(k) < len(p.runs) && p.runs[k].first <= x && x <= p.runs[k].last
}

// sectorOf returns the sector of a place, and the place in the sector.
func sectorOf(x, y int32) (sector [2]int32, local int32) {
	return [2]int32{x >> 3, y >> 3}, (y&7)*sectorSide + x&7
}

// cutBlocks cuts a polygon by sectors, in rows of sectors.
func (s *Sectors) cutBlocks(i int32) {
	p := &s.polygons[i]
	p.blocks = map[[2]int32]int32{}
	for k, r := range p.runs {
		y := p.bottom + int32(k)
		for sx := r.first >> 3; sx <= r.last>>3; sx++ {
			sector := [2]int32{sx, y >> 3}
			if _, ok := p.blocks[sector]; !ok {
				p.blocks[sector] = int32(len(s.blocks))
				s.blocks = append(s.blocks, block{polygon: i, sector: sector, page: -1})
			}
		}
	}
	for b := int32(len(s.blocks) - len(p.blocks)); int(b) < len(s.blocks); b++ {
		var x, y, count int64
		s.each(b, func(cx, cy, _ int32) { x, y, count = x+int64(cx), y+int64(cy), count+1 })
		at := lattice.Point{X: mean(x*s.spacing, count), Y: mean(y*s.spacing, count)}
		s.blocks[b].middle = lattice.Vertex{Point: at, Z: int32(p.heightAt(at))}
	}
}

// each calls visit for the places of a block.
func (s *Sectors) each(b int32, visit func(x, y, local int32)) {
	k := &s.blocks[b]
	p := &s.polygons[k.polygon]
	for y := k.sector[1] * sectorSide; y < (k.sector[1]+1)*sectorSide; y++ {
		row := y - p.bottom
		if row < 0 || int(row) >= len(p.runs) {
			continue
		}
		r := p.runs[row]
		for x := max(r.first, k.sector[0]*sectorSide); x <= min(r.last, k.sector[0]*sectorSide+sectorSide-1); x++ {
			_, local := sectorOf(x, y)
			visit(x, y, local)
		}
	}
}

// nearest returns the place of a polygon nearest to a point.
func (s *Sectors) nearest(p *rows, at lattice.Point) cell {
	best, least := cell{-1, 0}, uint64(math.MaxUint64)
	for k, r := range p.runs {
		x := min(max(int32(lattice.FloorDiv(int64(at.X)+s.spacing/2, s.spacing)), r.first), r.last)
		y := p.bottom + int32(k)
		if d := s.at(x, y).Distance2(at); d < least {
			sector, local := sectorOf(x, y)
			best, least = cell{p.blocks[sector], local}, d
		}
	}
	return best
}

// at returns the point of a place.
func (s *Sectors) at(x, y int32) lattice.Point {
	return lattice.Point{X: int32(int64(x) * s.spacing), Y: int32(int64(y) * s.spacing)}
}

// pairUp lists the pairs of places along a link, one for each half spacing.
func (s *Sectors) pairUp(i int32) {
	l := &s.links[i]
	steps := int(math.Ceil(2*metres(l.At[0], l.At[1])*lattice.UnitsPerMetre/float64(s.spacing))) | 1
	for k := range steps {
		share := (float64(k) + 0.5) / float64(steps)
		e := pair{
			s.nearest(&s.polygons[l.A], between(l.At[0], l.At[1], share).Point),
			s.nearest(&s.polygons[l.B], between(l.Over[1], l.Over[0], share).Point),
		}
		if first := s.first[i]; slices.Contains(s.pairs[first:], e) {
			continue
		}
		id := int32(len(s.pairs))
		s.pairs, s.linkOf = append(s.pairs, e), append(s.linkOf, i)
		for _, c := range [2]cell{e.a, e.b} {
			if c.block >= 0 {
				s.blocks[c.block].doors = append(s.blocks[c.block].doors, id)
			}
		}
	}
}

// Nodes: polygons, then blocks, then the places of pages.

func (s *Sectors) blockNode(b int32) int32 { return int32(len(s.polygons)) + b }

func (s *Sectors) placeNode(page, local int32) int32 {
	return int32(len(s.polygons)+len(s.blocks)) + page*sectorPlaces + local
}

// parts returns the polygon of a node, the block of a place or block, and the page of a place; -1 where a node has none.
func (s *Sectors) parts(n int32) (polygon, block, page, local int32) {
	if n < int32(len(s.polygons)) {
		return n, -1, -1, 0
	}
	if n -= int32(len(s.polygons)); n < int32(len(s.blocks)) {
		return s.blocks[n].polygon, n, -1, 0
	}
	n -= int32(len(s.blocks))
	page, local = n/sectorPlaces, n%sectorPlaces
	block = s.pages[page].block
	return s.blocks[block].polygon, block, page, local
}

// node returns the node of a place as it is now.
func (s *Sectors) node(polygon int32, c cell) int32 {
	switch {
	case c.block < 0 || s.polygons[polygon].fine == 0:
		return polygon
	case s.blocks[c.block].page < 0:
		return s.blockNode(c.block)
	}
	return s.placeNode(s.blocks[c.block].page, c.local)
}

// middle returns the middle of a node, and the weight and closure of a place.
func (s *Sectors) middle(n int32) (at lattice.Vertex, weight float64, solid bool) {
	polygon, block, page, local := s.parts(n)
	switch {
	case block < 0:
		return s.polygons[polygon].middle, 0, false
	case page < 0:
		return s.blocks[block].middle, 0, false
	}
	x, y := s.placeOf(block, local)
	k := &s.pages[page]
	return lattice.Vertex{Point: s.at(x, y), Z: k.z[local]}, k.weight[local], k.solid[local]
}

func (s *Sectors) placeOf(block, local int32) (x, y int32) {
	sector := s.blocks[block].sector
	return sector[0]*sectorSide + local%sectorSide, sector[1]*sectorSide + local/sectorSide
}

// neighbours appends the neighbours of a node to a list.
func (s *Sectors) neighbours(list []int32, n int32) []int32 {
	polygon, b, page, local := s.parts(n)
	p := &s.polygons[polygon]
	switch {
	case b < 0:
		for _, l := range p.links {
			for k := s.first[l]; k < s.first[l+1]; k++ {
				list = append(list, s.across(polygon, k))
			}
		}
		return list
	case page < 0:
		list = s.besideBlock(list, b)
	default:
		x, y := s.placeOf(b, local)
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				if (dx != 0 || dy != 0) && p.has(x+dx, y+dy) {
					sector, to := sectorOf(x+dx, y+dy)
					list = append(list, s.node(polygon, cell{p.blocks[sector], to}))
				}
			}
		}
	}
	for _, k := range s.blocks[b].doors {
		own := s.pairs[k].a
		if s.links[s.linkOf[k]].A != polygon {
			own = s.pairs[k].b
		}
		if page < 0 || own.local == local {
			list = append(list, s.across(polygon, k))
		}
	}
	return list
}

// across returns the node on the other side of a pair.
func (s *Sectors) across(polygon, k int32) int32 {
	l := &s.links[s.linkOf[k]]
	if l.A == polygon {
		return s.node(l.B, s.pairs[k].b)
	}
	return s.node(l.A, s.pairs[k].a)
}

// besideBlock appends the blocks around a coarse block, or their places next to places of the block. The polygon is convex, so a
// way between any two of its points is free.
func (s *Sectors) besideBlock(list []int32, b int32) []int32 {
	k := &s.blocks[b]
	p := &s.polygons[k.polygon]
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			o, ok := p.blocks[[2]int32{k.sector[0] + dx, k.sector[1] + dy}]
			if !ok || o == b {
				continue
			}
			if s.blocks[o].page < 0 {
				list = append(list, s.blockNode(o))
				continue
			}
			for mask := s.pages[s.blocks[o].page].mask; mask != 0; mask &= mask - 1 {
				local := int32(bits.TrailingZeros64(mask))
				x, y := s.placeOf(o, local)
				if s.touches(p, k.sector, x, y) {
					list = append(list, s.placeNode(s.blocks[o].page, local))
				}
			}
		}
	}
	return list
}

// touches reports whether a place has a neighbour in a sector of a polygon.
func (s *Sectors) touches(p *rows, sector [2]int32, x, y int32) bool {
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			if of, _ := sectorOf(x+dx, y+dy); of == sector && p.has(x+dx, y+dy) {
				return true
			}
		}
	}
	return false
}

// begin makes the blocks under spheres fine, and lays weights on their places.
func (s *Sectors) begin(now int64, spheres []sphere) error {
	for i := range spheres {
		b := &spheres[i]
		box := b.box()
		s.found = s.tree.IDs(&box, s.found[:0])
		for _, root := range s.found {
			if !s.polygons[root].node.touches(b) {
				continue
			}
			if err := s.beginIn(now, root, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// beginIn is begin in a polygon.
func (s *Sectors) beginIn(now int64, root int32, b *sphere) error {
	p := &s.polygons[root]
	side := s.spacing * sectorSide
	for sy := lattice.FloorDiv(max(int64(b.at.Y)-b.radius, int64(p.low[1])), side); sy*side <= min(int64(b.at.Y)+b.radius, int64(p.high[1])); sy++ {
		for sx := max(lattice.FloorDiv(int64(b.at.X)-b.radius, side), lattice.FloorDiv(int64(p.low[0]), side)); sx*side <= min(int64(b.at.X)+b.radius, int64(p.high[0])); sx++ {
			if k, ok := p.blocks[[2]int32{int32(sx), int32(sy)}]; ok {
				if err := s.makeFine(k); err != nil {
					return err
				}
				s.blocks[k].used = max(s.blocks[k].used, now)
				s.weigh(s.blocks[k].page, b)
			}
		}
	}
	return nil
}

// Begin makes the blocks under the volumes near a traveller fine, and lays weights, which stay until End. Errors are as of
// Traveller.Find.
func (s *Sectors) Begin(now int64, from lattice.Vertex, others []Volume) error {
	spheres, err := near(from, others, s.reach)
	if err == nil {
		err = s.begin(now, spheres)
	}
	if err != nil {
		s.End()
	}
	return err
}

// Fine calls visit for each place of a fine block, in the order of blocks, with its weight.
func (s *Sectors) Fine(visit func(at lattice.Vertex, weight float64, solid bool)) {
	for b := range s.blocks {
		if k := &s.blocks[b]; k.page >= 0 {
			s.each(int32(b), func(_, _, local int32) { visit(s.middle(s.placeNode(k.page, local))) })
		}
	}
}

// makeFine gives a block a page.
func (s *Sectors) makeFine(b int32) error {
	k := &s.blocks[b]
	if k.page >= 0 {
		return nil
	}
	if n := len(s.free) - 1; n >= 0 {
		k.page, s.free = s.free[n], s.free[:n]
	} else {
		if len(s.pages)*sectorPlaces > MaxNodes {
			return ErrTooLarge
		}
		k.page = int32(len(s.pages))
		s.pages = append(s.pages, page{})
	}
	s.opened++
	p := &s.polygons[k.polygon]
	p.fine++
	g := &s.pages[k.page]
	*g = page{block: b}
	s.each(b, func(x, y, local int32) {
		g.mask |= 1 << local
		g.z[local] = int32(p.heightAt(s.at(x, y)))
	})
	return nil
}

// weigh lays the weight of a sphere on the places of a page.
func (s *Sectors) weigh(id int32, b *sphere) {
	g := &s.pages[id]
	some := false
	for mask := g.mask; mask != 0; mask &= mask - 1 {
		local := int32(bits.TrailingZeros64(mask))
		x, y := s.placeOf(g.block, local)
		weight, in := b.weight(lattice.Vertex{Point: s.at(x, y), Z: g.z[local]})
		if !in {
			continue
		}
		some = true
		if b.solid {
			g.solid[local] = true
		} else {
			g.weight[local] += weight
		}
	}
	if some {
		s.weighted = append(s.weighted, id)
	}
}

// End takes all weights away.
func (s *Sectors) End() {
	for _, id := range s.weighted {
		s.pages[id].weight, s.pages[id].solid = [sectorPlaces]float64{}, [sectorPlaces]bool{}
	}
	s.weighted = s.weighted[:0]
}

// Clean makes blocks coarse again that no session has needed for the delay, and returns their number. Time O(n) for n blocks.
func (s *Sectors) Clean(now int64) int {
	count := 0
	for b := range s.blocks {
		if k := &s.blocks[b]; k.page >= 0 && now-k.used >= s.delay {
			s.free = append(s.free, k.page)
			s.pages[k.page].mask = 0
			s.polygons[k.polygon].fine--
			k.page = -1
			count++
		}
	}
	return count
}

// Find returns a cheapest way around the footprints of others that are near. Now is a time of the caller in ticks that does not fall. The
// points of the way belong to s and are valid until the next call. Errors are as of Traveller.Find.
func (s *Sectors) Find(ctx context.Context, now int64, from, to lattice.Vertex, others []Volume) (Way, []lattice.Vertex, error) {
	spheres, err := near(from, others, s.reach)
	if err != nil {
		return Way{}, nil, err
	}
	if err := ctx.Err(); err != nil {
		return Way{}, nil, fmt.Errorf("footprints: %w", err)
	}
	defer s.End()
	if err := s.begin(now, spheres); err != nil {
		return Way{}, nil, err
	}
	ends := [2]int32{}
	for k, at := range [2]lattice.Vertex{from, to} {
		p := s.locate(at)
		if p < 0 {
			return Way{}, nil, fmt.Errorf("%w: %v", ErrOffMesh, at)
		}
		ends[k] = s.node(p, s.nearest(&s.polygons[p], at.Point))
	}
	way := Way{}
	if err := s.search(ctx, ends[0], ends[1], &way); err != nil || !way.Found {
		return way, nil, err
	}
	s.points = append(s.points[:0], from)
	for k := 1; k+1 < len(way.Nodes); k++ {
		at, _, _ := s.middle(way.Nodes[k])
		s.points = append(s.points, at)
	}
	s.points = append(s.points, to)
	for k := 1; k < len(s.points); k++ {
		way.Length += metres(s.points[k-1], s.points[k])
	}
	return way, s.points, nil
}

// locate returns the polygon with a place, nearest in height; -1 off the polygons.
func (s *Sectors) locate(at lattice.Vertex) int32 {
	over := column(at.Point)
	s.found = s.tree.IDs(&over, s.found[:0])
	best, least := int32(-1), int64(0)
	for _, root := range s.found {
		p := &s.polygons[root]
		if !p.contains(at.Point) {
			continue
		}
		off := p.heightAt(at.Point) - int64(at.Z)
		if off = max(off, -off); best < 0 || off < least {
			best, least = root, off
		}
	}
	return best
}

// search is A* over the nodes as they are now.
func (s *Sectors) search(ctx context.Context, start, goal int32, way *Way) error {
	if more := len(s.polygons) + len(s.blocks) + len(s.pages)*sectorPlaces - len(s.labels); more > 0 {
		s.labels = append(s.labels, make([]label, more)...)
	}
	if s.stamp > math.MaxUint32-4 {
		clear(s.labels)
		s.stamp = 0
	}
	s.stamp += 2
	s.open.Reset()
	end, _, _ := s.middle(goal)
	at, _, _ := s.middle(start)
	s.labels[start] = label{parent: -1, stamp: s.stamp}
	s.open.Push(metres(at, end), start)
	for s.open.Len() > 0 {
		u := s.open.Pop().ID
		if s.labels[u].stamp != s.stamp {
			continue
		}
		s.labels[u].stamp |= 1
		if u == goal {
			for n := goal; n >= 0; n = s.labels[n].parent {
				way.Nodes = append(way.Nodes, n)
			}
			slices.Reverse(way.Nodes)
			way.Found, way.Cost = true, s.labels[goal].g
			return nil
		}
		if way.Expanded++; way.Expanded%256 == 0 && ctx.Err() != nil {
			return fmt.Errorf("footprints: %w", ctx.Err())
		}
		at, _, _ := s.middle(u)
		s.next = s.neighbours(s.next[:0], u)
		for _, v := range s.next {
			l := &s.labels[v]
			if l.stamp == s.stamp|1 {
				continue
			}
			to, weight, solid := s.middle(v)
			if solid && v != goal {
				continue
			}
			g := s.labels[u].g + float64(metres(at, to)*(1+weight))
			if l.stamp == s.stamp && g >= l.g {
				continue
			}
			*l = label{g: g, parent: u, stamp: s.stamp}
			s.open.Push(g+metres(to, end), v)
		}
	}
	return nil
}

// Nodes returns the numbers of nodes now, and of blocks made fine since the beginning.
func (s *Sectors) Nodes() (nodes, opened int) {
	for i := range s.polygons {
		p := &s.polygons[i]
		if p.fine == 0 {
			nodes++
		}
	}
	for b := range s.blocks {
		switch k := &s.blocks[b]; {
		case k.page >= 0:
			nodes += bits.OnesCount64(s.pages[k.page].mask)
		case s.polygons[k.polygon].fine > 0:
			nodes++
		}
	}
	return nodes, s.opened
}

// Bytes returns the size of all that Sectors have beside the mesh, in a plain layout. Known: 4 bytes for each run, 12 for each block, 8 for each pair
// of places. Fine: 8 bytes and 64 times 4 for each fine block, as the uniform grid of the source has 4 bytes a node.
func (s *Sectors) Bytes() (known, fine int) {
	for i := range s.polygons {
		known += 4 * len(s.polygons[i].runs)
	}
	known += 12*len(s.blocks) + 8*len(s.pairs)
	return known, (len(s.pages) - len(s.free)) * (8 + 4*sectorPlaces)
}
