package query

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// floors is the floor of a changed mesh in plain words: the cells of every replaced region.
type floors map[uint32][]index.Cell

// cellOf returns the border of a region of the base as a cell: each side is on one portal, or a wall.
func cellOf(ix *index.Index, numbers map[uint32]int32, r uint32) index.Cell {
	var c index.Cell
	rims := ix.RimsOf(r)
	ring := ix.Ring(r)
	heights := map[lattice.Point]int32{}
	for _, v := range ring {
		heights[v.Point] = v.Z
	}
	add := func(at lattice.Point, label int32) {
		z, ok := heights[at]
		if !ok {
			z = int32(math.Round(ix.HeightAt(r, float64(at.X), float64(at.Y))))
		}
		c.Ring = append(c.Ring, lattice.Vertex{Point: at, Z: z})
		c.Sides = append(c.Sides, label)
	}
	for i := range rims[:len(rims)-1] {
		label := int32(index.SideWall)
		if rims[i].Portal != index.None {
			label = numbers[uint32(rims[i].Portal)]
		}
		add(rims[i].From, label)
	}
	return c
}

// cut divides a cell by a chord between two lattice points of its border; ok is false if the chord runs along a side.
func cut(rng *rand.Rand, ix *index.Index, base uint32, c index.Cell) (a, b index.Cell, ok bool) {
	n := len(c.Ring)
	type spot struct {
		side int
		at   lattice.Vertex
	}
	draw := func() spot {
		i := rng.IntN(n)
		from, to := c.Ring[i], c.Ring[(i+1)%n]
		dx, dy := to.Point.Sub(from.Point)
		g := lattice.GCD(max(dx, -dx), max(dy, -dy))
		k := int64(0)
		if rng.IntN(3) > 0 && g > 1 {
			k = rng.Int64N(g)
		}
		at := lattice.Point{X: from.X + int32(dx/g*k), Y: from.Y + int32(dy/g*k)}
		z := from.Z
		if k > 0 {
			z = int32(math.Round(ix.HeightAt(base, float64(at.X), float64(at.Y))))
		}
		return spot{i, lattice.Vertex{Point: at, Z: z}}
	}
	p, q := draw(), draw()
	if p.side > q.side {
		p, q = q, p
	}
	if p.side == q.side {
		return a, b, false
	}
	take := func(from, to spot) (out index.Cell) {
		out.Ring, out.Sides = append(out.Ring, from.at), append(out.Sides, c.Sides[from.side])
		for i := (from.side + 1) % n; ; i = (i + 1) % n {
			if c.Ring[i].Point != to.at.Point && c.Ring[i].Point != from.at.Point {
				out.Ring, out.Sides = append(out.Ring, c.Ring[i]), append(out.Sides, c.Sides[i])
			}
			if i == to.side {
				break
			}
		}
		out.Ring, out.Sides = append(out.Ring, to.at), append(out.Sides, index.SideInner)
		out.Area, out.Flags = c.Area, c.Flags
		return out
	}
	a, b = take(p, q), take(q, p)
	positive := func(c index.Cell) bool {
		area := int64(0)
		for i := 1; i+1 < len(c.Ring); i++ {
			area += lattice.Orient(c.Ring[0].Point, c.Ring[i].Point, c.Ring[i+1].Point)
		}
		return len(c.Ring) >= 3 && area > 0
	}
	return a, b, positive(a) && positive(b)
}

// draw draws cells of a region of the base: some chords, and holes.
func drawCells(rng *rand.Rand, ix *index.Index, numbers map[uint32]int32, r uint32) []index.Cell {
	cells := []index.Cell{cellOf(ix, numbers, r)}
	cells[0].Flags = navmesh.DefaultFlags
	for range rng.IntN(8) {
		k := rng.IntN(len(cells))
		if a, b, ok := cut(rng, ix, r, cells[k]); ok {
			cells[k] = a
			cells = append(cells, b)
		}
	}
	holes := rng.Float64()
	return slices.DeleteFunc(cells, func(index.Cell) bool { return rng.Float64() < holes*holes })
}

// scratch makes a mesh from the regions of a base and the cells of replaced regions: every pair of sides is compared.
type scratch struct {
	base  *navmesh.Mesh
	tile  navmesh.Tile
	owner []uint32 // region of the base of each region
	sides []scratchSide
	at    map[scratchVertex]uint32
}

type scratchSide struct {
	region, edge int
	from, to     lattice.Vertex
	label        int32
}

type scratchVertex struct {
	region int
	at     lattice.Point
}

func (s *scratch) vertex(region int, v lattice.Vertex) uint32 {
	key := scratchVertex{region, v.Point}
	n, ok := s.at[key]
	if !ok {
		n = uint32(len(s.tile.Vertices))
		s.at[key] = n
		s.tile.Vertices = append(s.tile.Vertices, v)
	}
	return n
}

func (s *scratch) add(base uint32, c *index.Cell, layer uint16) {
	r := len(s.tile.Regions)
	s.tile.Regions = append(s.tile.Regions, navmesh.Region{First: uint32(len(s.tile.Corners)), Count: uint32(len(c.Ring)), Layer: layer, Area: c.Area, Flags: c.Flags})
	s.owner = append(s.owner, base)
	for i, v := range c.Ring {
		s.tile.Corners = append(s.tile.Corners, s.vertex(r, v))
		s.sides = append(s.sides, scratchSide{r, i, v, c.Ring[(i+1)%len(c.Ring)], c.Sides[i]})
	}
}

// addIntact adds a region of the base with its own corners.
func (s *scratch) addIntact(ix *index.Index, numbers map[uint32]int32, i uint32, reg navmesh.Region) {
	r := len(s.tile.Regions)
	ring := ix.Ring(i)
	reg.First, reg.FirstPortal, reg.PortalCount = uint32(len(s.tile.Corners)), 0, 0
	s.tile.Regions = append(s.tile.Regions, reg)
	s.owner = append(s.owner, i)
	for _, v := range ring {
		s.tile.Corners = append(s.tile.Corners, s.vertex(r, v))
	}
	c := cellOf(ix, numbers, i)
	for k, v := range c.Ring {
		to := c.Ring[(k+1)%len(c.Ring)]
		for e := range ring {
			if a, b := ring[e].Point, ring[(e+1)%len(ring)].Point; lattice.OnSegment(v.Point, a, b) && lattice.OnSegment(to.Point, a, b) {
				s.sides = append(s.sides, scratchSide{r, e, v, to, c.Sides[k]})
			}
		}
	}
}

// compose returns the mesh, and the region of the base of each of its regions. The base has one tile.
func compose(ix *index.Index, changed floors, links []navmesh.Link) (*navmesh.Mesh, []uint32) {
	base := ix.Mesh
	t := &base.Tiles[0]
	s := &scratch{base: base, at: map[scratchVertex]uint32{}}
	s.tile.Generation, s.tile.Layers = t.Generation, t.Layers
	numbers := portalNumbers(ix)
	for i := range t.Regions {
		cells, ok := changed[uint32(i)]
		if !ok {
			s.addIntact(ix, numbers, uint32(i), t.Regions[i])
			continue
		}
		for k := range cells {
			s.add(uint32(i), &cells[k], t.Regions[i].Layer)
		}
	}
	s.join(t)
	m := *base
	m.Tiles = []navmesh.Tile{s.tile}
	m.Links = nil
	for _, l := range slices.Concat(base.Links, links) {
		from, to := s.regionAt(ix, ix.Number(l.From), l.Start[0].Point), s.regionAt(ix, ix.Number(l.To), l.End[0].Point)
		if from >= 0 && to >= 0 {
			l.From, l.To = navmesh.MakeRef(0, from, t.Generation), navmesh.MakeRef(0, to, t.Generation)
			m.Links = append(m.Links, l)
		}
	}
	m.Tiles[0].Derive()
	m.Connect()
	return &m, s.owner
}

// regionAt returns the first region of a region of the base at a point, -1 for none.
func (s *scratch) regionAt(ix *index.Index, base uint32, at lattice.Point) int {
	at = ix.RoundInto(base, float64(at.X), float64(at.Y))
	for i := range s.tile.Regions {
		if s.owner[i] != base {
			continue
		}
		inside := true
		corners := s.tile.RegionCorners(i)
		for k, v := range corners {
			inside = inside && lattice.Orient(s.tile.Vertices[v].Point, s.tile.Vertices[corners[(k+1)%len(corners)]].Point, at) >= 0
		}
		if inside {
			return i
		}
	}
	return -1
}

// edgeStart returns the corner where the edge of a side starts.
func (s *scratch) edgeStart(a *scratchSide) lattice.Point {
	return s.tile.Vertices[s.tile.RegionCorners(a.region)[a.edge]].Point
}

// join compares all sides with all others.
func (s *scratch) join(t *navmesh.Tile) {
	type found struct {
		navmesh.Portal
		region      int
		along       uint64
		mate        int
		left, right lattice.Vertex
	}
	var list []found
	for i := range s.sides {
		for j := range s.sides[:i] {
			a, b := &s.sides[i], &s.sides[j]
			switch {
			case a.region == b.region, a.label == index.SideWall, b.label == index.SideWall:
				continue
			case a.label == index.SideInner && (b.label != index.SideInner || s.owner[a.region] != s.owner[b.region]):
				continue
			case a.label >= 0 && (b.label < 0 || t.Portals[a.label].Back != uint32(b.label)):
				continue
			}
			if lattice.Orient(a.from.Point, a.to.Point, b.from.Point) != 0 || lattice.Orient(a.from.Point, a.to.Point, b.to.Point) != 0 {
				continue
			}
			along := func(v lattice.Vertex) int64 { return lattice.Dot(a.from.Point, a.to.Point, v.Point) }
			if along(b.to) >= along(b.from) {
				continue
			}
			right, left := a.from, a.to
			if along(b.to) > along(right) {
				right = b.to
			}
			if along(b.from) < along(left) {
				left = b.from
			}
			if along(right) >= along(left) {
				continue
			}
			n := len(list)
			list = append(list,
				found{navmesh.Portal{To: uint32(b.region), Edge: uint32(a.edge)}, a.region, s.edgeStart(a).Distance2(right.Point), n + 1, left, right},
				found{navmesh.Portal{To: uint32(a.region), Edge: uint32(b.edge)}, b.region, s.edgeStart(b).Distance2(left.Point), n, right, left})
		}
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &list[i], &list[j]
		if a.region != b.region {
			return a.region - b.region
		}
		if a.Edge != b.Edge {
			return int(a.Edge) - int(b.Edge)
		}
		if a.along < b.along {
			return -1
		}
		return 1
	})
	place := make([]uint32, len(list))
	for n, i := range order {
		place[i] = uint32(n)
	}
	k := 0
	for r := range s.tile.Regions {
		s.tile.Regions[r].FirstPortal = uint32(k)
		for ; k < len(order) && list[order[k]].region == r; k++ {
			f := &list[order[k]]
			f.Left, f.Right, f.Back = s.vertex(r, f.left), s.vertex(r, f.right), place[f.mate]
			s.tile.Portals = append(s.tile.Portals, f.Portal)
			s.tile.Regions[r].PortalCount++
		}
	}
}

// portalNumbers returns the numbers in the mesh of the portals of an Index.
func portalNumbers(ix *index.Index) map[uint32]int32 {
	numbers := map[uint32]int32{}
	for r := range uint32(ix.RegionLimit()) {
		for p := ix.Region(r).FirstPortal; p < ix.Region(r).EndPortal; p++ {
			numbers[p] = int32(len(numbers))
		}
	}
	return numbers
}

// live lists the regions of floor by their base and border.
func live(ix *index.Index, base func(r uint32) uint32) map[string]uint32 {
	out := map[string]uint32{}
	for r := range uint32(ix.RegionLimit()) {
		if ix.Region(r).Split || len(ix.Ring(r)) == 0 {
			continue
		}
		out[nameOf(ix, r, base(r))] = r
	}
	return out
}

// nameOf names a region by its base and its border without straight corners, from the least corner on.
func nameOf(ix *index.Index, r, base uint32) string {
	ring := ix.Ring(r)
	var points []lattice.Point
	for i := range ring {
		if lattice.Orient(ring[(i+len(ring)-1)%len(ring)].Point, ring[i].Point, ring[(i+1)%len(ring)].Point) != 0 {
			points = append(points, ring[i].Point)
		}
	}
	least := slices.IndexFunc(points, func(p lattice.Point) bool { return p == slices.MinFunc(points, lattice.Point.Compare) })
	return fmt.Sprintf("%d %d", base, append(slices.Clone(points[least:]), points[:least]...)) // in units: %v rounds to millimetres
}

// sameIndex compares an edited Index with an Index from scratch.
func sameIndex(got, want *index.Index, owner []uint32) error {
	g, w := live(got, got.Base), live(want, func(r uint32) uint32 { return owner[r] })
	if len(g) != len(w) {
		return fmt.Errorf("%d regions, want %d", len(g), len(w))
	}
	toWant := map[uint32]uint32{}
	for name, r := range g {
		o, ok := w[name]
		if !ok {
			return fmt.Errorf("region %d, %s, is not in the mesh from scratch", r, name)
		}
		toWant[r] = o
	}
	turns, parts := map[int32]int32{}, map[uint32]uint32{}
	turnsBack, partsBack := map[int32]int32{}, map[uint32]uint32{}
	sameTurn := func(a, b int32) bool {
		if a == index.NoTurn || b == index.NoTurn {
			return a == b
		}
		if _, ok := turns[a]; !ok {
			turns[a] = b
		}
		if _, ok := turnsBack[b]; !ok {
			turnsBack[b] = a
		}
		return turns[a] == b && turnsBack[b] == a
	}
	for r, o := range toWant {
		if got.Region(r).Area != want.Region(o).Area || got.Region(r).Floor != want.Region(o).Floor {
			return fmt.Errorf("region %d has another area or floor", r)
		}
		pa, pb := got.PartOf(r), want.PartOf(o)
		if _, ok := parts[pa]; !ok {
			parts[pa] = pb
		}
		if _, ok := partsBack[pb]; !ok {
			partsBack[pb] = pa
		}
		if parts[pa] != pb || partsBack[pb] != pa {
			return fmt.Errorf("region %d is in part %d, from scratch %d: %v %v", r, pa, pb, parts, partsBack)
		}
		ps, qs := got.PortalsOf(got.Region(r)), want.PortalsOf(want.Region(o))
		if len(ps) != len(qs) {
			return fmt.Errorf("region %d has %d portals, want %d", r, len(ps), len(qs))
		}
		for i := range ps {
			p := &ps[i]
			k := slices.IndexFunc(qs, func(q index.Portal) bool {
				return q.Left == p.Left && q.Right == p.Right && q.To == toWant[p.To]
			})
			if k < 0 {
				return fmt.Errorf("region %d: no portal %+v", r, *p)
			}
			if !sameTurn(p.LeftTurn, qs[k].LeftTurn) || !sameTurn(p.RightTurn, qs[k].RightTurn) {
				return fmt.Errorf("region %d: portal %+v, from scratch %+v", r, *p, qs[k])
			}
			back := got.Portal(p.Back)
			if back.To != r || back.Left != p.Right || back.Right != p.Left || back.Back != got.Region(r).FirstPortal+uint32(i) {
				return fmt.Errorf("region %d: the back portal of %+v is %+v", r, *p, *back)
			}
		}
		if err := sameRims(got, r, want, o); err != nil {
			return err
		}
		if n, ok := got.Find(got.Region(r).Ref); !ok || n != r {
			return fmt.Errorf("region %d is called %v: %d, %v", r, got.Region(r).Ref, n, ok)
		}
	}
	return nil
}

// sameRims compares the borders of two regions.
func sameRims(got *index.Index, r uint32, want *index.Index, o uint32) error {
	walls := func(ix *index.Index, r uint32) map[index.Wall]bool {
		set := map[index.Wall]bool{}
		for _, w := range ix.WallsOf(r) {
			set[w] = true
		}
		return set
	}
	a, b := walls(got, r), walls(want, o)
	if len(a) != len(b) {
		return fmt.Errorf("region %d has %d walls, want %d", r, len(a), len(b))
	}
	rims := got.RimsOf(r)
	if portals := got.PortalsOf(got.Region(r)); len(rims) != len(portals)+len(a)+1 || rims[0].From != rims[len(rims)-1].From {
		return fmt.Errorf("region %d has %d portals and %d walls on a border of %d rims", r, len(portals), len(a), len(rims)-1)
	}
	for w := range a {
		if !b[w] {
			return fmt.Errorf("region %d: no wall %v", r, w)
		}
	}
	for i := range rims[:len(rims)-1] {
		if rims[i].Portal != index.None {
			p := got.Portal(uint32(rims[i].Portal))
			if p.Right != rims[i].From || p.Left != rims[i+1].From || p.To != rims[i].To {
				return fmt.Errorf("region %d: rim %v is portal %+v", r, rims[i], *p)
			}
		}
	}
	return nil
}

// sameAnswers compares the answers of two Indexes to random questions.
func sameAnswers(t *testing.T, rng *rand.Rand, got, want *Index, n int) error {
	a, b := got.NewQuery(), want.NewQuery()
	for range n {
		from, ok := b.RandomPoint(rng)
		if _, okGot := a.RandomPoint(rng); ok != okGot {
			return fmt.Errorf("a random point is %v, want %v", okGot, ok)
		}
		if !ok {
			return nil
		}
		to, _ := b.RandomPoint(rng)
		beside := from.Point.Add(geom.Vec{X: rng.Float64()*4 - 2, Y: rng.Float64()*2 - 1, Z: rng.Float64()*4 - 2})
		for _, p := range []geom.Vec{from.Point, beside} {
			x, okX := a.Locate(p)
			y, okY := b.Locate(p)
			if okX != okY || x.Point != y.Point {
				return fmt.Errorf("%v is located at %v %v, want %v %v", p, x, okX, y, okY)
			}
			x, okX = a.Nearest(p, 3)
			y, okY = b.Nearest(p, 3)
			if okX != okY || math.Abs(x.Point.Distance(p)-y.Point.Distance(p)) > 1e-9 {
				return fmt.Errorf("%v is nearest to %v %v, want %v %v", p, x, okX, y, okY)
			}
		}
		x, errX := a.Path(t.Context(), from.Point, to.Point)
		y, errY := b.Path(t.Context(), from.Point, to.Point)
		if (errX == nil) != (errY == nil) || x.Complete != y.Complete || math.Abs(x.Cost-y.Cost) > 1e-9*max(1, y.Cost) {
			return fmt.Errorf("from %v to %v: %v %v %v, want %v %v %v", from.Point, to.Point, x.Complete, x.Cost, errX, y.Complete, y.Cost, errY)
		}
		start, _ := a.Locate(from.Point)
		here, _ := b.Locate(from.Point)
		rayX, errX := a.Raycast(start, to.Point)
		rayY, errY := b.Raycast(here, to.Point)
		if errX != nil || errY != nil || rayX.Hit != rayY.Hit || math.Abs(rayX.Fraction-rayY.Fraction) > 1e-9 {
			return fmt.Errorf("ray from %v to %v: %v %v, want %v %v", from.Point, to.Point, rayX.Fraction, errX, rayY.Fraction, errY)
		}
	}
	return nil
}

// editorMesh returns a mesh for tests of changes: a random world, a bridge or a spiral of several storeys.
func editorMesh(t *testing.T, rng *rand.Rand, i int) *navmesh.Mesh {
	switch i % 8 {
	case 3:
		return bridge(t, lattice.Frame{})
	case 7:
		return spiral(t, lattice.Frame{})
	}
	return randomWorld(t, rng).theMesh()
}

// drawLinks draws links between places of a mesh, some cheaper than their length.
func drawLinks(rng *rand.Rand, ix *Index) (list []navmesh.Link) {
	q := ix.NewQuery()
	for range rng.IntN(4) {
		from, _ := q.RandomPoint(rng)
		to, ok := q.RandomPoint(rng)
		if !ok {
			break
		}
		end := func(p Position) [2]lattice.Vertex {
			at, z, _ := ix.geo.Mesh.Frame.FromWorld(p.Point)
			return [2]lattice.Vertex{{Point: at, Z: z}, {Point: at, Z: z}}
		}
		list = append(list, navmesh.Link{
			From: from.Ref, To: to.Ref, Start: end(from), End: end(to), Kind: navmesh.Jump, Flags: navmesh.DefaultFlags,
			Cost: float32(from.Point.Distance(to.Point) * 2 * rng.Float64()),
		})
	}
	slices.SortStableFunc(list, func(a, b navmesh.Link) int { return cmp.Compare(a.From, b.From) })
	return list
}

// drawChange draws replacements of some regions.
func drawChange(rng *rand.Rand, ix *index.Index, numbers map[uint32]int32, changed floors) []index.Replacement {
	var list []index.Replacement
	seen := map[uint32]bool{}
	for range 1 + rng.IntN(4) {
		r := rng.Uint32N(uint32(ix.RegionLimit()))
		if seen[r] {
			continue
		}
		seen[r] = true
		switch _, is := changed[r]; {
		case is && rng.IntN(2) == 0:
			delete(changed, r)
			list = append(list, index.Replacement{Base: r, Whole: true})
		default:
			cells := drawCells(rng, ix, numbers, r)
			if old := changed[r]; is && len(old) > 0 && rng.IntN(2) == 0 {
				cells = slices.Delete(slices.Clone(old), 0, 1) // most pieces stay
			}
			changed[r] = cells
			list = append(list, index.Replacement{Base: r, Cells: cells})
		}
	}
	return list
}

// TestEditorAgainstScratch compares edited Indexes with Indexes of meshes made from scratch, after every change.
func TestEditorAgainstScratch(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 1))
	for i := range 40 {
		m := editorMesh(t, rng, i)
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		if i%2 == 1 {
			withLinks := *m
			withLinks.Links = drawLinks(rng, NewIndex(m))
			withLinks.Connect()
			m = &withLinks
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		changed := floors{}
		gone := map[navmesh.Ref]bool{}
		var links []navmesh.Link
		for step := range 12 {
			change := drawChange(rng, base.geo, numbers, changed)
			if step%4 == 3 {
				links = drawLinks(rng, base)
			}
			now, out, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
			for _, r := range out.Gone {
				gone[r] = true
			}
			for _, r := range out.New {
				delete(gone, r)
			}
			for r := range gone {
				if _, err := now.Named(r); err == nil {
					t.Fatalf("world %d, step %d: %v is gone and has a region", i, step, r)
				}
			}
			mesh, owner := compose(base.geo, changed, links)
			want := NewIndex(mesh)
			if err := sameIndex(now, want.geo, owner); err != nil {
				t.Fatalf("world %d, step %d: %v\n%+v", i, step, err, change)
			}
			if err := sameAnswers(t, rng, &Index{geo: now}, want, 8); err != nil {
				t.Fatalf("world %d, step %d: %v", i, step, err)
			}
		}
	}
}

// TestOldSnapshotsStay checks that Indexes keep their answers while the editor goes on, with readers at work.
func TestOldSnapshotsStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 2))
	for i := range 6 {
		m := editorMesh(t, rng, i)
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		changed := floors{}
		type snapshot struct {
			ix   *index.Index
			want string
		}
		var kept []snapshot
		var wait sync.WaitGroup
		faults := make(chan string, 1000)
		for range 20 {
			now, _, err := e.Apply(drawChange(rng, base.geo, numbers, changed))
			if err != nil {
				t.Fatal(err)
			}
			wait.Go(func() { describe(now) }) // two ask first
			s := snapshot{now, describe(now)}
			kept = append(kept, s)
			wait.Go(func() {
				for range 5 {
					if describe(s.ix) != s.want {
						faults <- "a snapshot has changed"
					}
				}
			})
		}
		wait.Wait()
		for k, s := range kept {
			if describe(s.ix) != s.want {
				t.Errorf("world %d: snapshot %d has changed", i, k)
			}
		}
		select {
		case f := <-faults:
			t.Error(f)
		default:
		}
	}
}

// describe prints all that an Index holds.
func describe(ix *index.Index) string {
	var b strings.Builder
	fmt.Fprintln(&b, ix.Turns, ix.RegionLimit(), ix.PortalLimit(), ix.Hops)
	for r := range uint32(ix.RegionLimit()) {
		reg := ix.Region(r)
		fmt.Fprintf(&b, "%#v %v %v %#v %#v %v\n", *reg, ix.Base(r), ix.PartOf(r), ix.PortalsOf(reg), ix.RimsOf(r), ix.HopsOf(r))
	}
	return b.String()
}

// TestPortalsLieTogether checks the portals of regions side by side, by their numbers, also of regions with more portals
// than a page, before and after changes.
func TestPortalsLieTogether(t *testing.T) {
	m := comb(t, 150)
	base := NewIndex(m)
	check := func(ix *index.Index) {
		t.Helper()
		most := 0
		for r := range uint32(ix.RegionLimit()) {
			reg := ix.Region(r)
			portals := ix.PortalsOf(reg)
			most = max(most, len(portals))
			if len(portals) != int(reg.EndPortal-reg.FirstPortal) {
				t.Fatalf("region %d: %d portals from %d to %d", r, len(portals), reg.FirstPortal, reg.EndPortal)
			}
			for i := range portals {
				if p := ix.Portal(reg.FirstPortal + uint32(i)); *p != portals[i] || ix.Portal(p.Back).To != r {
					t.Fatalf("region %d: portal %d is %+v and %+v", r, i, *p, portals[i])
				}
			}
		}
		if most < 128 {
			t.Fatalf("no region has more than %d portals", most)
		}
	}
	check(base.geo)
	e := index.NewEditor(base.geo)
	numbers := portalNumbers(base.geo)
	rng := rand.New(rand.NewPCG(17, 3))
	changed := floors{}
	for step := range 30 {
		r := 1 + rng.Uint32N(150)
		change := index.Replacement{Base: r, Whole: true}
		if _, is := changed[r]; is {
			delete(changed, r)
		} else {
			change = index.Replacement{Base: r, Cells: drawCells(rng, base.geo, numbers, r)}
			changed[r] = change.Cells
		}
		now, _, err := e.Apply([]index.Replacement{change})
		if err != nil {
			t.Fatal(err)
		}
		check(now)
		if step%10 == 9 {
			mesh, owner := compose(base.geo, changed, nil)
			if err := sameIndex(now, NewIndex(mesh).geo, owner); err != nil {
				t.Fatalf("step %d: %v", step, err)
			}
		}
	}
}

// comb returns a mesh of a long hall and teeth along one side.
func comb(t *testing.T, teeth int) *navmesh.Mesh {
	t.Helper()
	s := &scratch{at: map[scratchVertex]uint32{}}
	s.tile.Generation = 1
	width := int32(teeth) * metre
	at := func(x, y int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}} }
	hall := index.Cell{Ring: []lattice.Vertex{at(0, -metre), at(width, -metre)}, Sides: []int32{index.SideWall, index.SideWall}, Flags: 1}
	for k := teeth; k >= 0; k-- {
		hall.Ring = append(hall.Ring, at(int32(k)*metre, 0))
		hall.Sides = append(hall.Sides, index.SideInner)
	}
	hall.Sides[len(hall.Sides)-1] = index.SideWall
	s.add(0, &hall, 0)
	for k := range int32(teeth) {
		tooth := index.Cell{
			Ring:  []lattice.Vertex{at(k*metre, 0), at((k+1)*metre, 0), at((k+1)*metre, metre), at(k*metre, metre)},
			Sides: []int32{index.SideInner, index.SideWall, index.SideWall, index.SideWall}, Flags: 1,
		}
		s.add(0, &tooth, 0)
	}
	s.join(&s.tile)
	s.tile.Layers = []navmesh.Layer{{}}
	m := &navmesh.Mesh{Tiles: []navmesh.Tile{s.tile}}
	m.Tiles[0].Derive()
	m.Connect()
	return m
}

// TestEditorErrors checks that bad changes are errors that name the region, and change nothing.
func TestEditorErrors(t *testing.T) {
	base := NewIndex(comb(t, 4))
	e := index.NewEditor(base.geo)
	numbers := portalNumbers(base.geo)
	good := func() index.Cell { return cellOf(base.geo, numbers, 1) }
	with := func(change func(c *index.Cell)) []index.Replacement {
		c := good()
		change(&c)
		return []index.Replacement{{Base: 1, Cells: []index.Cell{c}}}
	}
	portal := slices.IndexFunc(good().Sides, func(s int32) bool { return s >= 0 })
	for _, test := range []struct {
		change []index.Replacement
		want   string
	}{
		{[]index.Replacement{{Base: 5}}, "region 5 of 5"},
		{[]index.Replacement{{Base: 1}, {Base: 1, Whole: true}}, "region 1 is replaced twice"},
		{[]index.Replacement{{Base: 1, Whole: true, Cells: []index.Cell{good()}}}, "region 1 is whole and has 1 cells"},
		{with(func(c *index.Cell) { c.Ring, c.Sides = c.Ring[:2], c.Sides[:2] }), "region 1, cell 0: fewer than three corners"},
		{with(func(c *index.Cell) { c.Sides = c.Sides[1:] }), "region 1, cell 0: 3 sides for 4 corners"},
		{with(func(c *index.Cell) { slices.Reverse(c.Ring) }), "region 1, cell 0: not convex"},
		{with(func(c *index.Cell) { c.Ring[1] = c.Ring[0] }), "region 1, cell 0: not convex"},
		{with(func(c *index.Cell) { c.Ring[0], c.Ring[1] = c.Ring[1], c.Ring[0] }), "region 1, cell 0: not convex"},
		{with(func(c *index.Cell) { c.Sides[0] = 99 }), "region 1, cell 0: side 0 is on portal 99 of 8"},
		{with(func(c *index.Cell) { c.Sides[0] = -3 }), "region 1, cell 0: side 0 is on portal -3 of 8"},
		{with(func(c *index.Cell) { c.Sides[portal] = 7 }), fmt.Sprintf("region 1, cell 0: side %d is on portal 7 of another region", portal)},
		{with(func(c *index.Cell) { c.Sides[(portal+1)%4] = c.Sides[portal] }), "is beside portal"},
	} {
		_, _, err := e.Apply(test.change)
		if err == nil || !strings.HasPrefix(err.Error(), "query: editor: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.change, err, test.want)
		}
	}
	now, out, err := e.Apply([]index.Replacement{{Base: 2, Whole: true}})
	if err != nil || len(out.Gone) > 0 || len(out.New) > 0 {
		t.Errorf("after the errors: %v, %v", out, err)
	}
	if err := sameIndex(now, base.geo, []uint32{0, 1, 2, 3, 4}); err != nil {
		t.Error(err)
	}
	narrow, err := base.With(Filter{Include: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := index.NewEditor(narrow.geo).Apply(nil); err == nil {
		t.Error("an editor of an index with a filter applies changes")
	}
}

// TestNumbersComeAgain checks that numbers without a region, a portal or a corner are given again, and that the mesh is
// as before once all regions are whole again.
func TestNumbersComeAgain(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 6))
	base := NewIndex(randomWorld(t, rng).theMesh())
	for base.geo.RegionLimit() < 20 {
		base = NewIndex(randomWorld(t, rng).theMesh())
	}
	numbers := portalNumbers(base.geo)
	e := index.NewEditor(base.geo)
	changed := floors{}
	var early [4]int
	limits := func() [4]int {
		ix := e.Now()
		labels := uint32(0)
		for r := range uint32(ix.RegionLimit()) {
			if !ix.Region(r).Split && len(ix.Ring(r)) > 0 {
				labels = max(labels, ix.PartOf(r))
			}
		}
		return [4]int{ix.RegionLimit(), ix.PortalLimit(), ix.Turns, int(labels)}
	}
	owner := make([]uint32, base.geo.RegionLimit())
	for r := range owner {
		owner[r] = uint32(r)
	}
	for round := range 160 {
		for range 20 {
			if _, _, err := e.Apply(drawChange(rng, base.geo, numbers, changed)); err != nil {
				t.Fatal(err)
			}
		}
		var back []index.Replacement
		for r := range uint32(base.geo.RegionLimit()) {
			back = append(back, index.Replacement{Base: r, Whole: true})
		}
		now, _, err := e.Apply(back)
		if err != nil {
			t.Fatal(err)
		}
		clear(changed)
		if err := sameIndex(now, base.geo, owner); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		for i, n := range limits() {
			if round < 60 {
				early[i] = max(early[i], n)
			} else if n > early[i]*5/4+8 {
				t.Fatalf("round %d: limits %v, within 60 rounds %v", round, limits(), early)
			}
		}
	}
}

// TestFilterOnChanged compares filters on edited Indexes with filters on meshes from scratch.
func TestFilterOnChanged(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 4))
	closed := 0
	for i := range 40 {
		m := editorMesh(t, rng, i)
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		for range 4 {
			change := drawChange(rng, base.geo, numbers, changed)
			for k := range change {
				for c := range change[k].Cells {
					change[k].Cells[c].Area, change[k].Cells[c].Flags = uint8(rng.IntN(3)), uint32(rng.IntN(3)+1)
				}
			}
			now, _, err := e.Apply(change)
			if err != nil {
				t.Fatal(err)
			}
			var f Filter
			switch rng.IntN(5) {
			case 0:
				f.Exclude = 2
			case 1:
				f.AreaCosts = map[uint8]float64{1: math.Inf(1)}
			case 2:
				f.Radius = m.Agent.Radius + rng.Float64()
			case 3:
				f.Boundaries = [][2]uint8{{0, 1}}
			case 4:
				f.AreaCosts = map[uint8]float64{0: 2, 1: 2, 2: 2}
			}
			mesh, owner := compose(base.geo, changed, nil)
			want, err := NewIndex(mesh).With(f)
			if err != nil {
				t.Fatal(err)
			}
			got, err := now.With(f)
			if err != nil {
				t.Fatal(err)
			}
			if err := sameIndex(got.geo, want.geo, owner); err != nil {
				t.Fatalf("world %d, %+v: %v", i, f, err)
			}
			if err := sameAnswers(t, rng, got, want, 8); err != nil {
				t.Fatalf("world %d, %+v: %v", i, f, err)
			}
			if got != now {
				closed++
			}
		}
	}
	if closed < 50 {
		t.Errorf("%d filters close something", closed)
	}
}

// TestCorridorEpochs compares Valid with a walk over all of the corridor, while the mesh changes near and far, agents
// move, and queries of older Indexes ask, too.
func TestCorridorEpochs(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 5))
	valid, gone, quick := 0, 0, 0
	for i := range 60 {
		m := editorMesh(t, rng, i)
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := NewEditor(base)
		changed := floors{}
		queries := []*Query{base.NewQuery()}
		corridors := make([]Corridor, 4)
		plan := func(c *Corridor, q *Query) {
			from, ok := q.RandomPoint(rng)
			to, _ := q.RandomPoint(rng)
			if !ok {
				return
			}
			c.Reset(from)
			if err := c.Plan(t.Context(), q, to.Point); err != nil {
				t.Fatal(err)
			}
		}
		for range 40 {
			change := drawChange(rng, base.geo, numbers, changed)[:1]
			var links []navmesh.Link
			if rng.IntN(10) == 0 {
				links = drawLinks(rng, base)
			}
			now, _, err := e.ApplyLinks(change, links)
			if err != nil {
				t.Fatal(err)
			}
			queries = append(queries, now.NewQuery())
			for k := range corridors {
				c := &corridors[k]
				q := queries[max(0, len(queries)-1-rng.IntN(2)*rng.IntN(4))]
				if len(c.steps) == 0 {
					plan(c, q)
				}
				for _, regions := range []int{1 << 20, 0, 2} {
					again := *c
					again.known = known{}
					want := again.Valid(q, regions)
					if c.unchanged(q.ix) {
						quick++
					}
					if got := c.Valid(q, regions); got != want {
						t.Fatalf("world %d: %d regions of %d: valid is %v, a walk says %v", i, regions, len(c.steps), got, want)
					}
					if want {
						valid++
					} else {
						gone++
					}
				}
				if rng.IntN(2) == 0 {
					aim := c.Position().Point.Add(geom.Vec{X: rng.Float64()*2 - 1, Z: rng.Float64()*2 - 1})
					switch rng.IntN(5) {
					case 0:
						_ = c.MoveTarget(q, aim)
					case 1:
						_, _ = c.OptimizeTopology(q, 4, 100)
					case 2:
						_ = c.OptimizeVisibility(q, aim, 5)
					default:
						_ = c.MovePosition(q, aim)
					}
				}
				if !c.Valid(queries[len(queries)-1], 1<<20) {
					plan(c, queries[len(queries)-1])
				}
			}
		}
	}
	if min(valid, gone, quick) < 300 {
		t.Errorf("valid %d, gone %d, known without a walk %d", valid, gone, quick)
	}
}

// TestUnchangedPiecesKeepBorders changes the cells of a region. Pieces of equal cells keep their borders in memory, except beside new
// and lost pieces.
func TestUnchangedPiecesKeepBorders(t *testing.T) {
	race.Skip(t)
	rng := rand.New(rand.NewPCG(17, 7))
	kept := 0
	for i := range 240 {
		m := editorMesh(t, rng, i)
		if m.RegionCount() == 0 || len(m.Tiles) != 1 {
			continue
		}
		base := NewIndex(m)
		numbers := portalNumbers(base.geo)
		e := index.NewEditor(base.geo)
		r := rng.Uint32N(uint32(base.geo.RegionLimit()))
		cells := drawCells(rng, base.geo, numbers, r)
		for range 6 {
			before, _, err := e.Apply([]index.Replacement{{Base: r, Cells: cells}})
			if err != nil {
				t.Fatal(err)
			}
			if len(cells) == 0 {
				break
			}
			cells = slices.Clone(cells)[1:]
			now, out, err := e.Apply([]index.Replacement{{Base: r, Cells: cells}})
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Gone) != 1 || len(out.New) != 0 {
				t.Fatalf("world %d: %v are gone and %v new, of one cell that goes", i, out.Gone, out.New)
			}
			gone, _ := before.Find(out.Gone[0])
			for p := range uint32(now.RegionLimit()) {
				if len(now.Ring(p)) == 0 || now.Region(p).Split || int(p) >= before.RegionLimit() {
					continue
				}
				beside := slices.ContainsFunc(before.PortalsOf(before.Region(p)), func(q index.Portal) bool { return q.To == gone })
				if a, b := before.RimsOf(p), now.RimsOf(p); !beside && &a[0] != &b[0] {
					t.Fatalf("world %d: region %d is far from the change and has another border", i, p)
				} else if !beside && now.Base(p) == r {
					kept++
				}
			}
			if mesh, owner := compose(base.geo, floors{r: cells}, nil); sameIndex(now, NewIndex(mesh).geo, owner) != nil {
				t.Fatalf("world %d: %v", i, sameIndex(now, NewIndex(mesh).geo, owner))
			}
		}
	}
	if kept < 50 {
		t.Errorf("%d pieces kept their borders", kept)
	}
}
