package detour

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/polymesh"
	"github.com/meadow-nav/meadow/navmesh"
)

// Source: the structures of Detour's public header DetourNavMesh.h, version 7. The pieces of regions are our own.
//
// Idea: Detour's polygons have at most six corners and meet along whole edges. The ends of portals inside an edge become corners, and
// regions of more than six corners are cut along short diagonals. A mesh that came from Detour goes back to its tiles and cells.
//
// Input: a mesh that passes [navmesh.Mesh.Check].
//
// Guarantees:
//  1. Detour loads the files, and paths on a mesh that was read and written cost what they cost on the original (TestAgainstDetour).
//  2. Reading a written file gives the regions back: cut regions are joined where the union is convex (TestRoundTrip).
//  3. Every polygon is convex on the numbers of the file (TestWrittenPolygonsAreConvex).
//
// Degenerate cases: 4 km from the origin a float32 is coarser than the lattice; corners that bend a border the wrong way move by a
// step, or their polygon is cut. Links of kind boundary, names and methods have no place in the file and are left out.
//
// Cost: O(n log n) time for n corners, O(k²) for a region with k points of the floor inside.
//
// Departures: links and polygons of off-mesh connections follow Detour's order; the tree of boxes is our own.

// Write writes a mesh as a set of tiles, as RecastDemo saves and loads: the tiles of the file that the mesh came from, or else one
// tile; a mesh that is too large for one tile becomes square tiles, see [WriteTiles]. A tile holds 32,766 polygons and 65,534 vertices. The error names
// the region or area that Detour has no room for: areas are below 64.
func Write(w io.Writer, m *navmesh.Mesh) error {
	s, err := fromMesh(w, m)
	if large := (tooLarge{}); errors.As(err, &large) && recordOf(m) == nil {
		s, err = inTiles(m)
	}
	if err != nil {
		return fmt.Errorf("detour: %w", err)
	}
	e := encoder{order: binary.LittleEndian}
	e.encodeSet(s)
	_, err = w.Write(e.data)
	return err
}

// WriteTile writes a mesh as the data of a single tile, as dtNavMesh::init takes. Meshes of several tiles are an error.
func WriteTile(w io.Writer, m *navmesh.Mesh) error {
	s, err := fromMesh(w, m)
	if err != nil {
		return fmt.Errorf("detour: %w", err)
	}
	if len(s.tiles) != 1 {
		return fmt.Errorf("detour: the mesh has %d tiles, tile data is one: write a set", len(s.tiles))
	}
	e := encoder{order: binary.LittleEndian}
	e.encodeTile(&s.tiles[0], s.wide)
	_, err = w.Write(e.data)
	return err
}

// fromMesh converts a mesh.
func fromMesh(w io.Writer, m *navmesh.Mesh) (*set, error) {
	if w == nil {
		return nil, errors.New("the writer is nil")
	}
	if err := writable(m); err != nil {
		return nil, err
	}
	if r := recordOf(m); r != nil {
		// Without a place for a portal between tiles the mesh becomes one tile.
		if s, err := newWriter(m, r).set(); !errors.Is(err, errNotTiles) {
			return s, err
		}
	}
	return newWriter(m, nil).set()
}

// writable returns the error of a mesh that no file can hold.
func writable(m *navmesh.Mesh) error {
	if err := m.Check(); err != nil {
		return err
	}
	if m.RegionCount() == 0 {
		return errors.New("the mesh has no regions")
	}
	return nil
}

// errNotTiles tells that portals lead between tiles that are no neighbours.
var errNotTiles = errors.New("the record of the mesh does not fit its portals")

// writer is an unfinished file.
type writer struct {
	*navmesh.Mesh
	record *record // nil for a mesh from elsewhere
	out    set
	first  []int       // of each slot, the number of its first region; one more entry at the end
	tileOf []int       // of each region
	walls  []wallIndex // of each tile, edges on its border that lead nowhere
	pieces []cut       // of all regions, in order
	byTile [][]int     // of each tile, its pieces
	tiling *tiling     // nil for one tile, or for those of the record
	// at is the piece and its edge of every portal in a tile; a portal towards another tile has none.
	at map[portalIn]edgeOf
}

// portalIn is a portal of a slot, or its part in a tile.
type portalIn struct{ slot, portal, tile int }

// cut is a convex piece of a region.
type cut struct {
	region int // in all slots
	tile   int
	poly   int // in the tile
	split  bool
	ring   []bend
}

// bend is a corner of a piece with the edge that begins here.
type bend struct {
	at     lattice.Vertex
	portal int // of the slot, or none
	side   int // of the tile for an edge towards a neighbouring tile, or none
}

const none = -1

// edgeOf is an edge of a piece.
type edgeOf struct{ piece, edge int }

func newWriter(m *navmesh.Mesh, r *record) *writer {
	w := &writer{Mesh: m, record: r, at: map[portalIn]edgeOf{}}
	n := 0
	for i := range m.Tiles {
		w.first = append(w.first, n)
		n += len(m.Tiles[i].Regions)
	}
	w.first = append(w.first, n)
	return w
}

// set makes the file.
func (w *writer) set() (*set, error) {
	w.layout()
	if err := w.cuts(); err != nil {
		return nil, err
	}
	for i := range w.out.tiles {
		if err := w.fill(i); err != nil {
			return nil, err
		}
	}
	if err := w.connections(); err != nil {
		return nil, err
	}
	for i := range w.out.tiles {
		t := &w.out.tiles[i]
		if len(t.polys) > maxPolys || len(t.vertices) > maxCorners {
			return nil, tooLarge{len(t.polys), len(t.vertices)}
		}
		edges, borders := 0, 0
		for k := range t.polys {
			edges += int(t.polys[k].count)
			for _, n := range t.polys[k].beside[:t.polys[k].count] {
				if n&external != 0 {
					borders++
				}
			}
		}
		t.maxLink = int32(edges + 2*borders + 4*len(t.connections))
	}
	return &w.out, nil
}

// world returns a lattice vertex in metres.
func (w *writer) world(v lattice.Vertex) geom.Vec { return w.Frame.ToWorld(v.Point, v.Z) }

// wallIndex finds segments by their first ends, up to a few lattice units.
type wallIndex map[lattice.Point][][2]lattice.Point

const (
	wallSquare = 5 // squares of 2⁵ lattice units
	wallMoved  = 4 // lattice units that a repair may move a corner
)

func (w wallIndex) add(a, b lattice.Point) {
	square := lattice.Point{X: a.X >> wallSquare, Y: a.Y >> wallSquare}
	w[square] = append(w[square], [2]lattice.Point{a, b})
}

func (w wallIndex) has(a, b lattice.Point) bool {
	same := func(p, q lattice.Point) bool { return p.Distance2(q) <= wallMoved*wallMoved }
	for x := (a.X - wallMoved) >> wallSquare; x <= (a.X+wallMoved)>>wallSquare; x++ {
		for y := (a.Y - wallMoved) >> wallSquare; y <= (a.Y+wallMoved)>>wallSquare; y++ {
			if slices.ContainsFunc(w[lattice.Point{X: x, Y: y}], func(s [2]lattice.Point) bool { return same(s[0], a) && same(s[1], b) }) {
				return true
			}
		}
	}
	return false
}

// local returns the lattice point of a point of the file.
func (w *writer) local(v [3]float32) (lattice.Point, bool) {
	p, _, ok := w.Frame.FromWorld(geom.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])})
	return p, ok
}

// layout makes the tiles, without content.
func (w *writer) layout() {
	if w.tiling != nil {
		w.tiling.layout(w)
		return
	}
	if r := w.record; r != nil {
		w.out = set{wide: r.Wide, single: r.Single, origin: r.Origin, width: r.Width, depth: r.Depth, maxTiles: r.MaxTiles, maxPolys: r.MaxPolys}
		for i, t := range r.Tiles {
			w.out.tiles = append(w.out.tiles, tile{
				x: t.X, y: t.Y, layer: t.Layer, userID: t.UserID, height: t.Height, radius: t.Radius, climb: t.Climb, min: t.Min, max: t.Max, perCell: t.PerCell,
			})
			for range t.Regions {
				w.tileOf = append(w.tileOf, i)
			}
			walls := wallIndex{}
			for _, ends := range t.Walls {
				a, okA := w.local(ends[0])
				b, okB := w.local(ends[1])
				if okA && okB {
					walls.add(a, b)
					walls.add(b, a)
				}
			}
			w.walls = append(w.walls, walls)
		}
		return
	}
	low, high := geom.Vec{X: math.Inf(1), Y: math.Inf(1), Z: math.Inf(1)}, geom.Vec{X: math.Inf(-1), Y: math.Inf(-1), Z: math.Inf(-1)}
	grow := func(p geom.Vec) {
		low = geom.Vec{X: min(low.X, p.X), Y: min(low.Y, p.Y), Z: min(low.Z, p.Z)}
		high = geom.Vec{X: max(high.X, p.X), Y: max(high.Y, p.Y), Z: max(high.Z, p.Z)}
	}
	for i := range w.Tiles {
		for _, v := range w.Tiles[i].Vertices {
			grow(w.world(v))
		}
		for l := range w.Tiles[i].Layers {
			for _, v := range w.Tiles[i].Layers[l].Floor.Vertices {
				grow(geom.Vec{X: low.X, Y: w.world(v).Y, Z: low.Z})
			}
		}
	}
	t := tile{userID: ownTile, height: float32(w.Agent.Height), radius: float32(w.Agent.Radius), climb: float32(w.Agent.MaxClimb)}
	t.min = [3]float32{below(low.X), below(low.Y), below(low.Z)}
	t.max = [3]float32{-below(-high.X), -below(-high.Y), -below(-high.Z)}
	t.perCell = 1 / float32(max(leastCell, max(high.X-low.X, high.Y-low.Y, high.Z-low.Z)/60000))
	w.out = set{single: true, origin: t.min, width: max(t.max[0]-t.min[0], leastCell), depth: max(t.max[2]-t.min[2], leastCell), maxTiles: 1}
	w.out.tiles = []tile{t}
	w.tileOf = make([]int, w.RegionCount())
}

// leastCell is the side in metres of the cells in which boxes around polygons are measured.
const leastCell = 0.1

// below returns the largest float32 that is not above v.
func below(v float64) float32 {
	f := float32(v)
	if float64(f) > v {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// cuts makes the pieces of all regions.
func (w *writer) cuts() error {
	for slot := range w.Tiles {
		t := &w.Tiles[slot]
		var rings [][]bend
		var owners []patch // of each ring, its tile; the ring of the patch is not used
		var regions []int
		for i := range t.Regions {
			ring, err := w.outline(slot, i)
			if err != nil {
				return err
			}
			if w.tiling == nil {
				rings, regions, owners = append(rings, ring), append(regions, i), append(owners, patch{tile: w.tileOf[w.first[slot]+i]})
				continue
			}
			parts, err := w.tiling.cut(w, ring)
			if err != nil {
				return err
			}
			w.tiling.onFloor(w, slot, i, ring, parts)
			for _, p := range parts {
				rings, regions, owners = append(rings, p.ring), append(regions, i), append(owners, p)
			}
		}
		w.snap(slot, rings)
		for k, ring := range rings {
			i := regions[k]
			region := w.first[slot] + i
			parts := pieces(ring)
			if parts == nil && w.tiling != nil && math.Abs(float64(pointsOf(ring).Area2())) < sliver {
				continue
			}
			if parts == nil {
				return fmt.Errorf("region %d at %v: no convex polygons of at most %d corners", region, w.world(t.Vertices[t.RegionCorners(i)[0]]), cornersPerPoly)
			}
			for _, part := range parts {
				w.pieces = append(w.pieces, cut{region: region, tile: owners[k].tile, split: len(parts) > 1 || len(ring) > int(t.Regions[i].Count), ring: part})
			}
		}
	}
	w.byTile = make([][]int, len(w.out.tiles))
	for i := range w.pieces {
		p := &w.pieces[i]
		p.poly = len(w.byTile[p.tile])
		w.byTile[p.tile] = append(w.byTile[p.tile], i)
		slot := w.slotOf(p.region)
		for e, b := range p.ring {
			if b.portal >= 0 {
				w.at[portalIn{slot, b.portal, p.tile}] = edgeOf{i, e}
			}
		}
	}
	return nil
}

// sliver is twice the largest area in square lattice units of a part of a region that may be left out: a square of 4 cm.
const sliver = 2 * 164 * 164

func (w *writer) slotOf(region int) int {
	slot, found := slices.BinarySearch(w.first, region)
	if !found {
		slot--
	}
	for len(w.Tiles[slot].Regions) == 0 {
		slot++
	}
	return slot
}

// outline returns the corners of a region with the ends of its portals. An edge towards other tiles keeps its length.
func (w *writer) outline(slot, i int) ([]bend, error) {
	t := &w.Tiles[slot]
	region := w.first[slot] + i
	var ring []bend
	corners := t.RegionCorners(i)
	portals := t.RegionPortals(i)
	number := int(t.Regions[i].FirstPortal)
	for e, c := range corners {
		from, to := t.Vertices[c], t.Vertices[corners[(e+1)%len(corners)]]
		count := 0
		for count < len(portals) && int(portals[count].Edge) == e {
			count++
		}
		here := portals[:count]
		side, err := w.side(slot, region, from, to, here)
		if err != nil {
			return nil, err
		}
		ring = append(ring, bend{at: from, portal: none, side: side})
		for k, p := range here {
			if side != none {
				break
			}
			if right := t.Vertices[p.Right]; right.Point != from.Point && right.Point != ring[len(ring)-1].at.Point {
				ring = append(ring, bend{at: right, portal: none, side: none})
			}
			ring[len(ring)-1].portal = number + k
			if left := t.Vertices[p.Left]; left.Point != to.Point {
				ring = append(ring, bend{at: left, portal: none, side: none})
			}
		}
		portals = portals[count:]
		number += count
	}
	return ring, nil
}

// side returns the side of its tile on which an edge leads to other tiles, none for an edge inside of the tile.
func (w *writer) side(slot, region int, from, to lattice.Vertex, portals []navmesh.Portal) (int, error) {
	if w.tiling != nil || len(w.out.tiles) == 1 {
		return none, nil
	}
	here, away := w.tileOf[region], 0
	for _, p := range portals {
		if w.tileOf[w.first[slot]+int(p.To)] != here {
			away++
		}
	}
	side := none
	switch dx, dy := to.Sub(from.Point); {
	case dx == 0 && dy > 0:
		side = 0
	case dx == 0 && dy < 0:
		side = 4
	case dy == 0 && dx > 0: // south is outside
		side = 2
	case dy == 0 && dx < 0:
		side = 6
	}
	if away == 0 {
		if side == none || !w.onBorder(here, side, from) {
			return none, nil
		}
		if len(portals) > 0 || w.walls != nil && w.walls[here].has(from.Point, to.Point) {
			return none, nil // a border inside of the tile, or one that the file has closed
		}
		return side, nil
	}
	if side == none || away != len(portals) {
		return none, errNotTiles
	}
	t := &w.out.tiles[here]
	next := location{t.x, t.y}.step(uint8(side))
	for _, p := range portals {
		u := &w.out.tiles[w.tileOf[w.first[slot]+int(p.To)]]
		if at := (location{u.x, u.y}); at != next && at != (location{t.x, t.y}) {
			return none, errNotTiles
		}
	}
	return side, nil
}

// onBorder reports whether a point is on the line on a side of a tile.
func (w *writer) onBorder(tile, side int, v lattice.Vertex) bool {
	t := &w.out.tiles[tile]
	p := w.world(v)
	at, line := p.X, t.max[0]
	switch side {
	case 2:
		at, line = p.Z, t.max[2]
	case 4:
		line = t.min[0]
	case 6:
		at, line = p.Z, t.min[2]
	}
	return math.Abs(at-float64(line)) <= slabApart
}

// coarse returns the distance in lattice units of the numbers that a float32 has near a coordinate.
func coarse(units int64) int64 {
	step := int64(1)
	for units = max(units, -units); units > 1<<24; units >>= 1 {
		step *= 2
	}
	return step
}

// snap moves corners to numbers that a float32 has, and repairs the rings. Corners of Recast's cells and corners near the origin
// stay.
func (w *writer) snap(slot int, rings [][]bend) {
	if w.record != nil {
		return
	}
	index := map[lattice.Point]uint32{}
	var points []lattice.Vertex
	lists := make([][]uint32, len(rings))
	far := false
	for i, ring := range rings {
		for _, b := range ring {
			p := b.at.Point
			n, ok := index[p]
			if !ok {
				n = uint32(len(points))
				index[p] = n
				east, north := w.Frame.East+int64(p.X), w.Frame.North+int64(p.Y)
				sx, sy := coarse(east), coarse(north)
				far = far || sx > 1 || sy > 1
				points = append(points, lattice.Vertex{Point: lattice.Point{
					X: int32(lattice.FloorDiv(2*east+sx, 2*sx)*sx - w.Frame.East), Y: int32(lattice.FloorDiv(2*north+sy, 2*sy)*sy - w.Frame.North),
				}})
			}
			lists[i] = append(lists[i], n)
		}
	}
	if !far {
		return
	}
	polymesh.Repair(points, nil, lists, func(p lattice.Point) (x, y int32) {
		return int32(coarse(w.Frame.East + int64(p.X))), int32(coarse(w.Frame.North + int64(p.Y)))
	})
	for i, ring := range rings {
		for k := range ring {
			ring[k].at.Point = points[lists[i][k]].Point
		}
		// Corners that meet are one corner.
		rings[i] = slices.CompactFunc(ring, func(a, b bend) bool { return a.at.Point == b.at.Point })
	}
}

// marked begins the mark of polygons that are parts of a region of more or other corners. Detour overwrites the field with the
// number of a link, which is lower, or with all ones.
const marked = 1 << 31

// fill fills the ground of a tile.
func (w *writer) fill(number int) error {
	t := &w.out.tiles[number]
	index := map[lattice.Vertex]uint16{}
	for _, i := range w.byTile[number] {
		p := &w.pieces[i]
		slot := w.slotOf(p.region)
		r := &w.Tiles[slot].Regions[p.region-w.first[slot]]
		if r.Area >= maxAreas {
			return fmt.Errorf("region %d is of area %d, Detour has areas 0 to %d", p.region, r.Area, maxAreas-1)
		}
		q := poly{count: uint8(len(p.ring)), area: r.Area, typeOf: typeGround, flags: flagsOf(r.Flags)}
		if p.split {
			q.mark = marked | uint32(p.region)
		}
		for k := range p.ring {
			b := &p.ring[k]
			v, ok := index[b.at]
			if !ok {
				if len(t.vertices) > maxCorners {
					return tooLarge{len(w.byTile[number]), len(t.vertices)}
				}
				v = uint16(len(t.vertices))
				index[b.at] = v
				t.vertices = append(t.vertices, w.point(number, b.at))
			}
			q.corners[k] = v
			switch {
			case b.side != none:
				q.beside[k] = external | uint16(b.side)
			case b.portal >= 0:
				back := w.Tiles[slot].Portals[b.portal].Back
				if other, ok := w.at[portalIn{slot, int(back), number}]; ok {
					q.beside[k] = uint16(w.pieces[other.piece].poly + 1)
				}
			case b.portal < none: // a cut: the number of the piece beside it, counted from the first piece of the region
				q.beside[k] = uint16(w.pieces[w.firstPiece(i)+cutTo(b.portal)].poly + 1)
			}
		}
		t.polys = append(t.polys, q)
	}
	if len(t.polys) > maxPolys {
		return tooLarge{len(t.polys), len(t.vertices)}
	}
	return w.heights(number)
}

// firstPiece returns the first piece of the region of piece i.
func (w *writer) firstPiece(i int) int {
	for i > 0 && w.pieces[i-1].region == w.pieces[i].region && w.pieces[i-1].tile == w.pieces[i].tile {
		i--
	}
	return i
}

// flagsOf returns the 16 flags of Detour: see [tile.flags].
func flagsOf(flags uint32) uint16 {
	if high := flags >> flagShift; high != 0 {
		return uint16(high)
	}
	return uint16(flags)
}

// point returns a vertex as the file of a tile has it: a multiple of the tile's cells within the rounding of the lattice, or the
// nearest number.
func (w *writer) point(tile int, v lattice.Vertex) [3]float32 {
	p := w.world(v)
	out := [3]float32{float32(p.X), float32(p.Y), float32(p.Z)}
	if w.record == nil {
		return out
	}
	t := &w.record.Tiles[tile]
	for axis, c := range [3]float64{p.X, p.Y, p.Z} {
		cell := t.Cell[0]
		if axis == 1 {
			cell = t.Cell[1]
		}
		if cell > 0 {
			// Repairs move corners by some units.
			if on := onCell(float32(c), t.Min[axis], cell); math.Abs(float64(on)-c) <= 8*lattice.Unit {
				out[axis] = on
			}
		}
	}
	return out
}

// connections adds the off-mesh connections.
func (w *writer) connections() error {
	list := w.recorded()
	if list == nil {
		list = w.fromLinks()
	}
	slices.SortStableFunc(list, func(a, b recordedLink) int { return cmp.Compare(a.Tile, b.Tile) })
	for i := range w.out.tiles {
		w.out.tiles[i].connectionBase = int32(len(w.out.tiles[i].polys))
	}
	for i, l := range list {
		if l.Area >= maxAreas {
			return fmt.Errorf("connection %d is of area %d, Detour has areas 0 to %d", i, l.Area, maxAreas-1)
		}
		t := &w.out.tiles[l.Tile]
		p := poly{count: 2, flags: l.Flags, area: l.Area, typeOf: typeOffMesh}
		for k, v := range l.At {
			p.corners[k] = uint16(len(t.vertices))
			t.vertices = append(t.vertices, v)
		}
		c := connection{at: l.At, radius: l.Radius, poly: uint16(len(t.polys)), userID: l.UserID, side: t.sideOf(l.At[1])}
		if l.Both {
			c.flags = bothWays
		}
		t.polys, t.connections = append(t.polys, p), append(t.connections, c)
	}
	return nil
}

// sideOf returns the side of the tile beyond which a point lies, inTile inside.
func (t *tile) sideOf(p [3]float32) uint8 {
	x, z := 0, 0
	switch {
	case p[0] >= t.max[0]:
		x = 1
	case p[0] < t.min[0]:
		x = -1
	}
	switch {
	case p[2] >= t.max[2]:
		z = 1
	case p[2] < t.min[2]:
		z = -1
	}
	for side, s := range steps {
		if int(s[0]) == x && int(s[1]) == z {
			return uint8(side)
		}
	}
	return inTile
}

// inTile is the side of points inside of a tile.
const inTile = 0xff

// recorded returns the connections of the file that the mesh came from, if every link of the mesh belongs to one; else nil.
func (w *writer) recorded() []recordedLink {
	if w.record == nil {
		return nil
	}
	near := func(at [3]float32, v lattice.Vertex, radius float32) bool {
		p := w.world(v)
		return math.Hypot(p.X-float64(at[0]), p.Z-float64(at[2])) <= float64(radius)+8*lattice.Unit
	}
	for _, l := range w.Links {
		known := slices.ContainsFunc(w.record.Links, func(c recordedLink) bool {
			return near(c.At[0], l.Start[0], c.Radius) && near(c.At[1], l.End[0], c.Radius) ||
				c.Both && near(c.At[1], l.Start[0], c.Radius) && near(c.At[0], l.End[0], c.Radius)
		})
		if !known {
			return nil
		}
	}
	return slices.DeleteFunc(slices.Clone(w.record.Links), func(l recordedLink) bool { return l.Tile < 0 || l.Tile >= len(w.out.tiles) })
}

// fromLinks makes connections of links. Two links between the same places are one connection for both ways.
func (w *writer) fromLinks() []recordedLink {
	radius := max(float32(w.Agent.Radius), leastCell)
	var out []recordedLink
	type ends struct{ a, b [2]lattice.Vertex }
	known := map[ends]int{}
	for _, l := range w.Links {
		if l.Kind == navmesh.Boundary {
			continue
		}
		if i, ok := known[ends{l.End, l.Start}]; ok && out[i].Flags == flagsOf(l.Flags) && !out[i].Both {
			out[i].Both = true
			continue
		}
		known[ends{l.Start, l.End}] = len(out)
		c := recordedLink{Tile: w.tileOfLink(&l), Radius: radius, Flags: flagsOf(l.Flags), UserID: uint32(len(out))}
		for k, e := range [2][2]lattice.Vertex{l.Start, l.End} {
			a, b := w.world(e[0]), w.world(e[1])
			c.At[k] = [3]float32{float32((a.X + b.X) / 2), float32((a.Y + b.Y) / 2), float32((a.Z + b.Z) / 2)}
		}
		out = append(out, c)
	}
	return out
}

// tileOfLink returns the tile in which a link starts.
func (w *writer) tileOfLink(l *navmesh.Link) int {
	if w.tiling == nil {
		return w.tileOf[w.first[l.From.Slot()]+l.From.Index()]
	}
	g := w.tiling
	x, y := (int64(l.Start[0].X)+int64(l.Start[1].X))/2, (int64(l.Start[0].Y)+int64(l.Start[1].Y))/2
	if n, ok := g.number[cellAt{lattice.FloorDiv(x-g.west, g.size), lattice.FloorDiv(g.north-y, g.size)}]; ok {
		return n
	}
	region := w.first[l.From.Slot()] + l.From.Index()
	i := slices.IndexFunc(w.pieces, func(p cut) bool { return p.region == region })
	return w.pieces[max(i, 0)].tile
}

// pieces cuts a convex ring into convex rings of at most six corners, nil if rounding made the ring so bad that no cuts help.
func pieces(ring []bend) [][]bend {
	var out [][]bend
	next := 0 // cuts made
	type open struct{ ring []bend }
	todo := []open{{ring}}
	for len(todo) > 0 {
		r := todo[len(todo)-1].ring
		todo = todo[:len(todo)-1]
		i, k, ok := cutOf(r)
		if !ok {
			if fault, _ := planar.Fault(pointsOf(r)); fault != "" || len(r) > cornersPerPoly {
				return nil
			}
			out = append(out, r)
			continue
		}
		// Both sides of a cut have its number.
		next++
		var a, b []bend
		a = append(a, r[i:k+1]...)
		a[len(a)-1].portal, a[len(a)-1].side = -1-next, none
		b = append(append(b, r[k:]...), r[:i+1]...)
		b[len(b)-1].portal, b[len(b)-1].side = -1-next, none
		todo = append(todo, open{b}, open{a})
	}
	// Numbers of cuts become numbers of the pieces on the other side.
	sides := map[int][]int{}
	for i, r := range out {
		for _, b := range r {
			if b.portal < none {
				sides[b.portal] = append(sides[b.portal], i)
			}
		}
	}
	for i, r := range out {
		for k := range r {
			if s := sides[r[k].portal]; r[k].portal < none {
				r[k].portal = cutFrom(s[0] + s[1] - i)
			}
		}
	}
	return out
}

// cutFrom and cutTo convert the number of a piece beside a cut to a portal and back.
func cutFrom(piece int) int { return none - 1 - piece }
func cutTo(portal int) int  { return none - 1 - portal }

func pointsOf(ring []bend) lattice.Ring {
	out := make(lattice.Ring, len(ring))
	for i := range ring {
		out[i] = ring[i].at.Point
	}
	return out
}

// cutOf returns the ends i < k of the best cut of a ring. A corner that bends the wrong way is cut first. Otherwise the shortest cut
// with five corners on one side leaves few pieces. ok is false for a ring without need of a cut, or without a cut.
func cutOf(ring []bend) (i, k int, ok bool) {
	n := len(ring)
	points := pointsOf(ring)
	try := func(from, to int) {
		a, b := min(from, to), max(from, to)
		if a == b || b-a < 2 || a+n-b < 2 {
			return
		}
		one := points[a : b+1]
		other := slices.Concat(points[b:], points[:a+1])
		if lattice.Ring(one).Area2() <= 0 || other.Area2() <= 0 {
			return
		}
		if !ok || points[a].Distance2(points[b]) < points[i].Distance2(points[k]) {
			i, k, ok = a, b, true
		}
	}
	for at := range n {
		before, after := points[(at+n-1)%n], points[(at+1)%n]
		if lattice.Orient(before, points[at], after) >= 0 {
			continue
		}
		for to := range n {
			if lattice.StrictlyInCone(points[to], before, points[at], after) {
				try(at, to)
			}
		}
		return i, k, ok
	}
	for size := cornersPerPoly - 1; n > cornersPerPoly && size >= 2 && !ok; size-- {
		for at := range n {
			try(at, (at+size)%n)
		}
	}
	return i, k, ok
}
