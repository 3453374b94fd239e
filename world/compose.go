package world

// A whole mesh from the regions of a base and the cells of changed regions: the plain way, for files and pictures and as
// the reference of the index that changes in place.

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
	"github.com/meadow-nav/meadow/world/internal/repair"
)

// piece is a region of a composed tile.
type piece struct {
	base    uint32 // index in the base tile
	corners []uint32
	area    uint8
	flags   uint32
}

// stretch is a side of a piece that may lead to another piece, over a portal of the base or within a region.
type stretch struct {
	piece, edge int32
	portal      int32 // within the tile, repair.Inner for none
}

// domainVertex is a vertex of a domain: regions of different domains share none.
type domainVertex struct {
	lattice.Vertex
	domain uint32
}

// composer makes the tile of a changed world.
type composer struct {
	s        *sheet
	slot     int
	base     *navmesh.Tile
	out      navmesh.Tile
	pieces   []piece
	sides    []planar.Side // of which each group is one region, for inner sides, or one portal
	owners   []stretch
	vertices map[domainVertex]uint32 // new vertices
	domains  []uint32                // of each base region: the least vertex that its domain shares
	intact   []int32                 // piece of each base region that is whole, -1 for others
	portals  []navmesh.Portal
	from     []int32 // piece of each portal
}

// compose returns the mesh of a world for a radius. Links of regions that are gone go.
func (w *whole) compose(radius int, states *vector[state]) *navmesh.Mesh {
	s := w.world.sheets[radius]
	m := *s.mesh
	m.Record = nil
	addAreas(&m, w.areas)
	m.Tiles = make([]navmesh.Tile, len(s.mesh.Tiles))
	composers := make([]*composer, len(m.Tiles))
	for slot := range m.Tiles {
		c := &composer{s: s, slot: slot, base: &s.mesh.Tiles[slot], vertices: map[domainVertex]uint32{}}
		c.divide()
		m.Tiles[slot] = c.compose(w, states)
		composers[slot] = c
	}
	m.Links = nil
	for i := range s.mesh.Links {
		l := &s.mesh.Links[i]
		if l.Mark > 0 && w.marks[l.Mark-1] {
			continue
		}
		m.Links = parts(m.Links, l, composers[l.From.Slot()].ends(l.From), composers[l.To.Slot()].ends(l.To))
	}
	for _, t := range w.links {
		for i := range t.links[radius] {
			l := &t.links[radius][i]
			m.Links = parts(m.Links, l, composers[l.From.Slot()].ends(l.From), composers[l.To.Slot()].ends(l.To))
		}
	}
	slices.SortStableFunc(m.Links, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
	for slot := range m.Tiles {
		m.Tiles[slot].Derive()
	}
	m.Connect()
	return &m
}

func (c *composer) compose(w *whole, states *vector[state]) navmesh.Tile {
	t := c.base
	c.out = navmesh.Tile{Generation: t.Generation, Vertices: slices.Clone(t.Vertices), Layers: t.Layers}
	c.intact = make([]int32, len(t.Regions))
	first := c.s.firstRegion[c.slot]
	for i := range t.Regions {
		c.intact[i] = -1
		switch r := w.replacement(c.s, first+uint32(i), states.at(first+uint32(i))); {
		case r.Whole:
			c.addIntact(uint32(i))
		case r.Block != nil:
			c.addCells(uint32(i), r.Block)
		}
	}
	c.sidesOfIntact()
	c.join()
	c.finish()
	return c.out
}

// divide finds the domains of the base: the regions that share vertices.
func (c *composer) divide() {
	forest := unionfind.New(len(c.base.Vertices))
	for i := range c.base.Regions {
		corners := c.base.RegionCorners(i)
		for _, v := range corners {
			forest.Union(int32(corners[0]), int32(v))
		}
		for _, p := range c.base.RegionPortals(i) {
			forest.Union(int32(corners[0]), int32(p.Left))
			forest.Union(int32(corners[0]), int32(p.Right))
		}
	}
	c.domains = make([]uint32, len(c.base.Regions))
	for i := range c.base.Regions {
		c.domains[i] = uint32(forest.Find(int32(c.base.RegionCorners(i)[0])))
	}
}

// addIntact adds a region of the base as it is.
func (c *composer) addIntact(i uint32) {
	r := &c.base.Regions[i]
	c.intact[i] = int32(len(c.pieces))
	c.pieces = append(c.pieces, piece{i, c.base.RegionCorners(int(i)), r.Area, r.Flags})
}

// addCells adds the cells of a changed region, or of a part.
func (c *composer) addCells(i uint32, floor *query.Block) {
	if floor.Halves[0] != nil {
		c.addCells(i, floor.Halves[0])
		c.addCells(i, floor.Halves[1])
		return
	}
	region := c.s.firstRegion[c.slot] + i
	for k := range floor.Cells {
		cell := &floor.Cells[k]
		p := piece{base: i, area: cell.Area, flags: cell.Flags}
		for _, v := range cell.Ring {
			p.corners = append(p.corners, c.vertex(i, v))
		}
		n := int32(len(c.pieces))
		for e, label := range cell.Sides {
			switch {
			case label == repair.Inner:
				c.side(cell.Ring[e].Point, cell.Ring[(e+1)%len(cell.Ring)].Point, int32(region), stretch{n, int32(e), label})
			case label >= 0:
				portal := label - int32(c.s.firstPortal[c.slot])
				c.side(cell.Ring[e].Point, cell.Ring[(e+1)%len(cell.Ring)].Point, c.group(portal), stretch{n, int32(e), portal})
			}
		}
		c.pieces = append(c.pieces, p)
	}
}

// group returns the group of sides on a portal: one for both directions, apart from the groups of regions.
func (c *composer) group(portal int32) int32 {
	return -1 - min(portal, int32(c.base.Portals[portal].Back))
}

func (c *composer) side(a, b lattice.Point, group int32, owner stretch) {
	c.sides = append(c.sides, planar.Side{A: a, B: b, Group: group})
	c.owners = append(c.owners, owner)
}

// sidesOfIntact adds the portals of whole regions as sides.
func (c *composer) sidesOfIntact() {
	t := c.base
	for i := range t.Regions {
		if c.intact[i] < 0 {
			continue
		}
		for k, p := range t.RegionPortals(i) {
			n := int32(t.Regions[i].FirstPortal) + int32(k)
			c.side(t.Vertices[p.Right].Point, t.Vertices[p.Left].Point, c.group(n), stretch{c.intact[i], int32(p.Edge), n})
		}
	}
}

// vertex returns the vertex of a cell of region i: a corner of the region, or a new vertex.
func (c *composer) vertex(i uint32, v lattice.Vertex) uint32 {
	t := c.base
	for _, k := range t.RegionCorners(int(i)) {
		if t.Vertices[k].Point == v.Point {
			return k
		}
	}
	for _, p := range t.RegionPortals(int(i)) {
		for _, k := range [2]uint32{p.Left, p.Right} {
			if t.Vertices[k].Point == v.Point {
				return k
			}
		}
	}
	key := domainVertex{v, c.domains[i]}
	n, ok := c.vertices[key]
	if !ok {
		n = uint32(len(c.out.Vertices))
		c.out.Vertices = append(c.out.Vertices, v)
		c.vertices[key] = n
	}
	return n
}

// join finds the portals.
func (c *composer) join() {
	open := make([]int64, len(c.sides)) // how much of every side meets no other, times its length
	for i, s := range c.sides {
		open[i] = int64(s.A.Distance2(s.B))
	}
	planar.Match(c.sides, func(i, k int, a, b lattice.Point) {
		if c.owners[i].piece != c.owners[k].piece {
			c.portal(i, k, a, b)
		}
		for _, n := range [2]int{i, k} {
			s := c.sides[n]
			length := lattice.Dot(s.A, s.B, b) - lattice.Dot(s.A, s.B, a)
			open[n] -= max(length, -length)
		}
	}, nil)
	c.joinPast(open)
}

// portal adds the portals between the pieces of two sides, from a to b along the first.
func (c *composer) portal(i, k int, a, b lattice.Point) {
	p, q := c.owners[i], c.owners[k]
	n := uint32(len(c.portals))
	c.portals = append(c.portals,
		navmesh.Portal{To: uint32(q.piece), Edge: uint32(p.edge), Right: c.end(p, a), Left: c.end(p, b), Back: n + 1},
		navmesh.Portal{To: uint32(p.piece), Edge: uint32(q.edge), Right: c.end(q, b), Left: c.end(q, a), Back: n})
	c.from = append(c.from, p.piece, q.piece)
}

// end returns the vertex of a piece at the end of a portal on one of its sides.
func (c *composer) end(s stretch, at lattice.Point) uint32 {
	p := &c.pieces[s.piece]
	n := int32(len(p.corners))
	from, to := p.corners[s.edge], p.corners[(s.edge+1)%n]
	a, b := c.out.Vertices[from], c.out.Vertices[to]
	switch at {
	case a.Point:
		return from
	case b.Point:
		return to
	}
	region := c.s.firstRegion[c.slot] + p.base
	return c.vertex(p.base, lattice.Vertex{Point: at, Z: c.s.height(region, at)})
}

// finish fills in regions, portals, marks and corners.
func (c *composer) finish() {
	order := make([]int, len(c.portals))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int {
		if k := cmp.Or(cmp.Compare(c.from[x], c.from[y]), cmp.Compare(c.portals[x].Edge, c.portals[y].Edge)); k != 0 {
			return k
		}
		p := &c.pieces[c.from[x]]
		at := c.out.Vertices[p.corners[c.portals[x].Edge]].Point
		return cmp.Compare(at.Distance2(c.out.Vertices[c.portals[x].Right].Point), at.Distance2(c.out.Vertices[c.portals[y].Right].Point))
	})
	number := make([]uint32, len(order))
	for k, i := range order {
		number[i] = uint32(k)
	}
	for _, i := range order {
		p := c.portals[i]
		p.Back = number[p.Back]
		c.out.Portals = append(c.out.Portals, p)
	}
	k := 0
	for n, p := range c.pieces {
		r := navmesh.Region{
			First: uint32(len(c.out.Corners)), Count: uint32(len(p.corners)), FirstPortal: uint32(k),
			Layer: c.base.Regions[p.base].Layer, Area: p.area, Flags: p.flags,
		}
		for k < len(order) && c.from[order[k]] == int32(n) {
			k++
		}
		r.PortalCount = uint32(k) - r.FirstPortal
		c.out.Corners = append(c.out.Corners, p.corners...)
		c.out.Regions = append(c.out.Regions, r)
		for _, mark := range c.base.MarksOf(int(p.base)) {
			c.out.Marked = append(c.out.Marked, navmesh.Marked{Region: uint32(n), Mark: mark.Mark})
		}
	}
}

// ends returns the pieces of a region of the base.
func (c *composer) ends(ref navmesh.Ref) (list []end) {
	for n := range c.pieces {
		p := &c.pieces[n]
		if int(p.base) != ref.Index() {
			continue
		}
		ring := make(lattice.Ring, len(p.corners))
		for k, v := range p.corners {
			ring[k] = c.out.Vertices[v].Point
		}
		list = append(list, end{navmesh.MakeRef(c.slot, n, c.out.Generation), ring})
	}
	return list
}
