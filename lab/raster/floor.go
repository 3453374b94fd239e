package raster

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// floorBuilder collects the height surface of one layer at a time: the level's own walkable triangles, so heights are exact on
// slopes and steps. A triangle over a lower floor of the same layer is cut down to the cells whose floor it is. Floor beyond the
// seams of the layer is cut alike.
type floorBuilder struct {
	*patches
	stamp  []int32 // by triangle: its last layer, plus one
	number map[lattice.Vertex]uint32
	tin    lattice.TIN
}

func newFloorBuilder(ps *patches) *floorBuilder {
	return &floorBuilder{patches: ps, stamp: make([]int32, len(ps.surface.soup.Triangles))}
}

// claim is the cells of a piece that are floor of a layer.
type claim struct {
	pieceRef
	mask uint64
}

// spot is a cell of a piece.
type spot struct {
	pieceRef
	cell int
}

// fine is a fine cell, counted from the origin.
type fine struct{ x, y int32 }

// claims divides the cells of a layer among the pieces, in the order of the pieces. No cell has two floors. Cells of patches
// come first, cells under borders of the domains second. Other cells go to the storey from which the fewest steps lead to the
// cell, as far as simplification moves borders and seams. Steps lead along rows and columns, so a straight way of some cells
// takes more steps by a factor of √2 at most.
//
// A cell with two storeys is in no claim, and is listed as shared.
func (f *floorBuilder) claims(members []int32, domains []plan.Domain) (claims []claim, shared []fine) {
	s := f.surface
	g := s.grid
	type place struct{ x, y int32 }
	taken, found := map[place]uint64{}, map[pieceRef]uint64{}
	take := func(r pieceRef, mask uint64) bool {
		x, y := s.columnOf(r)
		at := place{x, y}
		if taken[at]&mask == mask {
			return false
		}
		taken[at] |= mask
		found[r] |= mask
		return true
	}
	for _, i := range members {
		take(f.list[i].pieceRef, f.list[i].mask)
	}
	var front []spot
	torn := map[place]uint64{}
	for i := range domains {
		s.alongBorders(&domains[i], func(_ border, at spot) {
			if take(at.pieceRef, 1<<at.cell) {
				front = append(front, at)
			} else if found[at.pieceRef]>>at.cell&1 == 0 {
				x, y := s.columnOf(at.pieceRef)
				torn[place{x, y}] |= 1 << at.cell
			}
		})
	}
	for _, i := range members {
		if f.whole(i) {
			continue
		}
		for cell := range cellsOf(f.list[i].mask) {
			front = append(front, spot{f.list[i].pieceRef, cell})
		}
	}
	for range int(math.Ceil(math.Sqrt2 * (1 + max(g.simplify, g.seam)/float64(g.cell)))) {
		var next []spot
		for _, at := range front {
			for d := range 4 {
				if q, other, ok := s.neighbour(at.pieceRef, at.cell, d); ok && take(q, 1<<other) {
					next = append(next, spot{q, other})
				}
			}
		}
		front = next
	}
	for r, mask := range found {
		x, y := s.columnOf(r)
		claims = append(claims, claim{r, mask &^ torn[place{x, y}]})
	}
	slices.SortFunc(claims, func(a, b claim) int { return cmp.Or(cmp.Compare(a.block, b.block), cmp.Compare(a.index, b.index)) })
	for at, mask := range torn {
		for cell := range cellsOf(mask) {
			shared = append(shared, fine{at.x*side + int32(cell)%side, at.y*side + int32(cell)/side})
		}
	}
	slices.SortFunc(shared, func(a, b fine) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	return claims, shared
}

// border is an edge of a domain.
type border struct{ a, b lattice.Point }

// alongBorders visits the cells under the borders of a domain, with the piece there. A border begins at the height of its end.
// From cell to cell the floor continues by steps, so of several pieces the border's own is nearest in height to the last cell,
// and a piece half of the agent's height away is on another storey.
func (s *surface) alongBorders(d *plan.Domain, visit func(e border, at spot)) {
	for r, ring := range d.Rings {
		for k, a := range ring {
			b, height := ring[(k+1)%len(ring)], d.Heights[r][k]
			for _, c := range s.grid.cellsAlong(a, b) {
				at, ok := s.pieceAt(c, height)
				if !ok {
					continue
				}
				if z := s.height(at.pieceRef, at.cell); abs32(z-height) < s.grid.height/2 {
					height = z
					visit(border{a, b}, at)
				}
			}
		}
	}
}

// pieceAt returns the piece over a cell, of several the nearest to a height.
func (s *surface) pieceAt(c fine, height int32) (found spot, ok bool) {
	block, first, end := s.piecesOf(c.x/side, c.y/side)
	cell := cellBit(c.x%side, c.y%side)
	least := int32(math.MaxInt32)
	for q := first; q < end; q++ {
		r := pieceRef{block, q}
		if s.piece(r).mask>>cell&1 == 0 {
			continue
		}
		if off := abs32(s.height(r, cell) - height); off < least {
			found, least, ok = spot{r, cell}, off, true
		}
	}
	return found, ok
}

// centre returns the centre of a fine cell.
func (g *grid) centre(c fine) lattice.Point {
	return lattice.Point{X: c.x*g.cell + g.cell/2, Y: c.y*g.cell + g.cell/2}
}

// cellsAlong returns the fine cells within a unit of a segment, from its start to its end.
func (g *grid) cellsAlong(from, to lattice.Point) []fine {
	a, b := from, to
	if a.Y > b.Y {
		a, b = b, a
	}
	at := func(y int32) float64 { // the X of the segment at a height, and at its ends beyond
		t := (float64(y) - float64(a.Y)) / (float64(b.Y) - float64(a.Y))
		return float64(a.X) + float64(min(max(t, 0), 1)*(float64(b.X)-float64(a.X)))
	}
	var cells []fine
	for y := max(a.Y-1, 0) / g.cell; y <= (b.Y+1)/g.cell; y++ {
		p, q := float64(a.X), float64(b.X)
		if a.Y != b.Y {
			p, q = at(y*g.cell-1), at((y+1)*g.cell+1)
		}
		low, high := int32(math.Floor(min(p, q)))-1, int32(math.Ceil(max(p, q)))+1
		for x := max(low, 0) / g.cell; x <= high/g.cell; x++ {
			cells = append(cells, fine{x, y})
		}
	}
	slices.SortFunc(cells, func(c, d fine) int {
		return cmp.Or(cmp.Compare(lattice.Dot(from, to, g.centre(c)), lattice.Dot(from, to, g.centre(d))), cmp.Compare(c.y, d.y), cmp.Compare(c.x, d.x))
	})
	return cells
}

// build returns the surface of the layer that consists of the given patches and has the given domains.
func (f *floorBuilder) build(layer int32, members []int32, domains []plan.Domain) (lattice.TIN, error) {
	f.number, f.tin = map[lattice.Vertex]uint32{}, lattice.TIN{Error: 1}
	s := f.surface
	var triangles []int32
	addTriangle := func(t int32) {
		if f.stamp[t] != layer+1 {
			f.stamp[t] = layer + 1
			triangles = append(triangles, t)
		}
	}
	add := func(r pieceRef) {
		for _, t := range s.blocks[r.block].floorOf(s.piece(r)) {
			addTriangle(t)
		}
	}
	for _, i := range members {
		r := f.list[i].pieceRef
		add(r)
		if f.whole(i) {
			continue
		}
		// Borders reach a little beyond the columns of their patches, into the eroded part.
		for _, n := range s.nearOf(r) {
			add(n.pieceRef)
		}
		// Triangles too thin for a sample are floor all the same.
		p := s.piece(r)
		for _, h := range s.blocks[r.block].hiddenIn(p.column) {
			v := &s.soup.Triangles[h.tri].V
			if max(v[0].Z, v[1].Z, v[2].Z) >= p.lo-s.grid.climb && min(v[0].Z, v[1].Z, v[2].Z) <= p.hi+s.grid.climb {
				addTriangle(h.tri)
			}
		}
	}
	var claims []claim
	var shared []fine
	if f.stacked(layer, members) {
		claims, shared = f.claims(members, domains)
	}
	hiding := map[int32]bool{}
	for _, c := range claims {
		f.findHiding(layer, c.pieceRef, hiding)
	}
	slices.Sort(triangles)
	for _, t := range triangles {
		if !hiding[t] {
			f.addTriangle(s.soup.Triangles[t].V)
		}
	}
	cut := func(t int32) bool { return hiding[t] || f.stamp[t] != layer+1 }
	for _, c := range claims {
		f.eachFloor(c.pieceRef, func(t int32) {
			if cut(t) {
				f.addCells(t, c)
			}
		})
	}
	if len(shared) == 0 {
		return f.tin, nil
	}
	return f.tin, f.addShared(shared, domains, cut)
}

// eachFloor visits the triangles that are the floor of a piece. Some triangles have a part in the column that is too small for a
// sample, within a step of the piece. They are visited too.
func (f *floorBuilder) eachFloor(r pieceRef, visit func(t int32)) {
	s := f.surface
	b, p := &s.blocks[r.block], s.piece(r)
	for _, t := range b.floorOf(p) {
		visit(t)
	}
	x, y := s.columnOf(r)
	for _, h := range b.hiddenIn(p.column) {
		if part := s.inColumn(h.tri, x, y); part.n > 0 {
			if low, high := part.heights(); high >= p.lo-s.grid.climb && low <= p.hi+s.grid.climb {
				visit(h.tri)
			}
		}
	}
}

// sharing is a border through a cell with floor of two storeys, and the border's own piece there.
type sharing struct {
	border
	at spot
}

// addShared adds the floors of cells with floor of two storeys: each as far as domains of its storey go. cut tells which
// triangles are not in the surface yet.
func (f *floorBuilder) addShared(shared []fine, domains []plan.Domain, cut func(t int32) bool) error {
	s := f.surface
	isShared := map[fine]bool{}
	for _, c := range shared {
		isShared[c] = true
	}
	size := s.grid.cell
	for i := range domains {
		borders := map[fine][]sharing{} // looked up only
		s.alongBorders(&domains[i], func(e border, at spot) {
			x, y := s.columnOf(at.pieceRef)
			if c := (fine{x*side + int32(at.cell)%side, y*side + int32(at.cell)/side}); isShared[c] {
				borders[c] = append(borders[c], sharing{e, at})
			}
		})
		for _, c := range shared {
			if borders[c] == nil {
				continue
			}
			low := lattice.Point{X: c.x * size, Y: c.y * size}
			square := lattice.Ring{low, {X: low.X + size, Y: low.Y}, {X: low.X + size, Y: low.Y + size}, {X: low.X, Y: low.Y + size}}
			parts, err := overlay.Intersection([]lattice.Ring{square}, domains[i].Rings)
			if err != nil {
				return err
			}
			for _, p := range parts {
				// The border nearest to a place of a domain is the domain's own.
				corners := p.Rings[0]
				middle := lattice.Point{X: (corners[0].X + corners[1].X) / 2, Y: (corners[0].Y + corners[1].Y) / 2}
				var own pieceRef
				least := math.Inf(1)
				for _, e := range borders[c] {
					if d := lattice.SegmentDistance2(middle, e.a, e.b).Sqrt(); d < least {
						own, least = e.at.pieceRef, d
					}
				}
				f.eachFloor(own, func(t int32) {
					if err == nil && cut(t) {
						err = f.addWithin(t, p.Rings)
					}
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// addWithin adds the part of triangle t in a polygon.
func (f *floorBuilder) addWithin(t int32, rings []lattice.Ring) error {
	v := &f.surface.soup.Triangles[t].V
	plane := planeOf(v)
	parts, err := overlay.Intersection([]lattice.Ring{{v[0].Point, v[1].Point, v[2].Point}}, rings)
	for _, p := range parts {
		var corners []lattice.Vertex
		for _, ring := range p.Rings {
			for _, q := range ring {
				corners = append(corners, lattice.Vertex{Point: q, Z: int32(math.Floor(plane.at(float64(q.X), float64(q.Y)) + 0.5))})
			}
		}
		for _, k := range overlay.Triangulate(p.Rings) {
			f.addTriangle([3]lattice.Vertex{corners[k[0]], corners[k[1]], corners[k[2]]})
		}
	}
	return err
}

// stacked reports whether a layer continues in another layer, or a floor lies over or under another within reach of the layer.
func (f *floorBuilder) stacked(layer int32, members []int32) bool {
	const around = 2 // columns, more than claims reach
	found := false
	for _, i := range members {
		x, y := f.surface.columnOf(f.list[i].pieceRef)
		for dy := int32(-around); dy <= around; dy++ {
			for dx := int32(-around); dx <= around; dx++ {
				_, first, end := f.surface.piecesOf(x+dx, y+dy)
				found = found || end > first+1
			}
		}
		f.contacts(i, func(j int32, _ int) { found = found || f.list[j].layer != layer })
		if found {
			return true
		}
	}
	return false
}

// findHiding marks the triangles of the layer that pass more than a step above the floor of a piece.
func (f *floorBuilder) findHiding(layer int32, r pieceRef, hiding map[int32]bool) {
	s := f.surface
	p := s.piece(r)
	x, y := s.columnOf(r)
	check := func(t int32) {
		if f.stamp[t] != layer+1 {
			return
		}
		part := s.inColumn(t, x, y)
		if part.n == 0 {
			return
		}
		if _, highest := part.heights(); highest > p.hi+s.grid.climb {
			hiding[t] = true
		}
	}
	b := &s.blocks[r.block]
	for _, h := range b.hiddenIn(p.column) {
		check(h.tri)
	}
	block, first, end := s.piecesOf(x, y)
	for q := first; q < end; q++ {
		if q == r.index {
			continue
		}
		for _, t := range s.blocks[block].floorOf(&s.blocks[block].pieces[q]) {
			check(t)
		}
	}
}

func (f *floorBuilder) vertex(v lattice.Vertex) uint32 {
	n, ok := f.number[v]
	if !ok {
		n = uint32(len(f.tin.Vertices))
		f.number[v] = n
		f.tin.Vertices = append(f.tin.Vertices, v)
	}
	return n
}

func (f *floorBuilder) addTriangle(v [3]lattice.Vertex) {
	if lattice.Orient(v[0].Point, v[1].Point, v[2].Point) > 0 {
		f.tin.Triangles = append(f.tin.Triangles, [3]uint32{f.vertex(v[0]), f.vertex(v[1]), f.vertex(v[2])})
	}
}

// inCells returns the part of triangle t in the cells of a column from (x0, y0) to (x1, y1), the last ones not included.
func (s *surface) inCells(t, x, y, x0, y0, x1, y1 int32) polygon {
	size, cell := float64(s.grid.column), float64(s.grid.cell)
	left, low := float64(x)*size, float64(y)*size
	p := polygonOf(&s.soup.Triangles[t].V)
	p = p.slab(1, low+float64(float64(y0)*cell), low+float64(float64(y1)*cell))
	return p.slab(0, left+float64(float64(x0)*cell), left+float64(float64(x1)*cell))
}

// inColumn returns the part of triangle t in the column (x, y).
func (s *surface) inColumn(t, x, y int32) polygon { return s.inCells(t, x, y, 0, 0, side, side) }

// addCells adds the parts of triangle t that lie in claimed cells, in rectangles as large as may be.
func (f *floorBuilder) addCells(t int32, c claim) {
	x, y := f.surface.columnOf(c.pieceRef)
	for mask := c.mask; mask != 0; {
		first := int32(bits.TrailingZeros64(mask))
		x0, y0 := first%side, first/side
		x1, y1 := x0, y0
		for x1 < side && mask>>cellBit(x1, y0)&1 != 0 {
			x1++
		}
		row := uint64(1)<<(x1-x0) - 1
		for y1 < side && mask>>cellBit(x0, y1)&row == row {
			mask &^= row << cellBit(x0, y1)
			y1++
		}
		part := f.surface.inCells(t, x, y, x0, y0, x1, y1)
		var corners [8]lattice.Vertex
		for k := range part.n {
			q := part.v[k]
			corners[k] = lattice.Vertex{Point: planar{q[0], q[1]}.round(), Z: int32(math.Floor(q[2] + 0.5))}
		}
		for k := 2; k < part.n; k++ {
			f.addTriangle([3]lattice.Vertex{corners[0], corners[k-1], corners[k]})
		}
	}
}
