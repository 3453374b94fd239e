package streamfile

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/boxtree"
	"github.com/meadow-nav/meadow/internal/rows"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/navmesh/navfile"
)

// DefaultRegions is the default of Options.Regions.
const DefaultRegions = 256

// near is how far from a region the height triangles of its tile reach, in lattice units: farther than any height question
// about places in the region looks.
const near = lattice.UnitsPerMetre/4 + 4

// Options of a file. The zero value is usable.
type Options struct {
	// Regions is the wanted number of regions in a tile, 1 to 2²⁰; 0 stands for [DefaultRegions].
	Regions int
}

// Write writes a mesh in tiles. A mesh that mesh files refuse, a mesh without regions, or with several tiles of package
// navmesh, is an error, and no bytes are written. Time O(n log n) for n elements.
func Write(w io.Writer, m *navmesh.Mesh, opt Options) error {
	if w == nil {
		return errors.New("streamfile: the writer is nil")
	}
	data, err := Encode(m, opt)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

// Encode returns a mesh in tiles as a file, see [Write].
func Encode(m *navmesh.Mesh, opt Options) ([]byte, error) {
	if opt.Regions == 0 {
		opt.Regions = DefaultRegions
	}
	if opt.Regions < 1 || opt.Regions > navmesh.MaxIndex+1 {
		return nil, fmt.Errorf("streamfile: Regions is %d, must be 1 to %d", opt.Regions, navmesh.MaxIndex+1)
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("streamfile: %w", err)
	}
	if len(m.Tiles) != 1 || len(m.Tiles[0].Regions) == 0 {
		return nil, fmt.Errorf("streamfile: a mesh with %d tiles and %d regions, must be one tile with regions", len(m.Tiles), m.RegionCount())
	}
	head, err := navfile.Encode(&navmesh.Mesh{
		Frame: m.Frame, Agent: m.Agent, Marks: m.Marks, Areas: m.Areas, Methods: m.Methods, Crossings: m.Crossings, Record: m.Record,
	})
	if err != nil {
		return nil, fmt.Errorf("streamfile: %w", err)
	}
	wr := writer{m: m, t: &m.Tiles[0]}
	wr.tile, wr.tiles = cluster(wr.t, opt.Regions)
	wr.regions = wr.byTile(len(wr.t.Regions), func(r int32) int32 { return wr.tile[r] })
	wr.links = wr.byTile(len(m.Links), func(l int32) int32 { return wr.tile[m.Links[l].From.Index()] })
	wr.findVertices()
	wr.findFloors()
	return wr.file(head), nil
}

// writer makes the file of a mesh.
type writer struct {
	m        *navmesh.Mesh
	t        *navmesh.Tile
	tile     []int32 // of every region
	tiles    int
	regions  rows.Rows[int32] // of every tile, ascending
	links    rows.Rows[int32] // of every tile, ascending
	vertices [][]uint32       // of every tile, ascending
	floors   [][]layerPart    // of every tile, by layer
}

// layerPart is the part of a layer's height surface in a tile.
type layerPart struct {
	layer               int
	vertices, triangles []uint32 // ascending
}

// byTile lists the numbers 0 to n-1 by tile.
func (w *writer) byTile(n int, tile func(i int32) int32) rows.Rows[int32] {
	return rows.New(w.tiles, func(add func(row, item int32)) {
		for i := range int32(n) {
			add(tile(i), i)
		}
	})
}

// findVertices lists the vertices of every tile. Vertices of no region are in the first tile.
func (w *writer) findVertices() {
	w.vertices = make([][]uint32, w.tiles)
	used := make([]bool, len(w.t.Vertices))
	for k := range w.vertices {
		var list []uint32
		for _, r := range w.regions.Of(int32(k)) {
			list = append(list, w.t.RegionCorners(int(r))...)
			for _, p := range w.t.RegionPortals(int(r)) {
				list = append(list, p.Left, p.Right)
			}
		}
		for _, v := range list {
			used[v] = true
		}
		w.vertices[k] = ascending(list)
	}
	for v := range used {
		if !used[v] {
			w.vertices[0] = append(w.vertices[0], uint32(v))
		}
	}
	w.vertices[0] = ascending(w.vertices[0])
}

// ascending sorts a list and removes what is twice in it.
func ascending(list []uint32) []uint32 {
	slices.Sort(list)
	return slices.Compact(list)
}

// findFloors lists the height triangles of every tile: those near its regions. A triangle far from all regions of its layer
// is in the tile of the nearest region.
func (w *writer) findFloors() {
	w.floors = make([][]layerPart, w.tiles)
	boxes := make([]boxtree.Box[int32], len(w.t.Regions))
	for i := range boxes {
		b, _, _ := boxOf(w.t, i)
		boxes[i] = boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}
	}
	all := boxtree.New(boxes, func(int) bool { return true })
	for l := range w.t.Layers {
		f := &w.t.Layers[l].Floor
		tree := boxtree.New(boxes, func(i int) bool { return int(w.t.Regions[i].Layer) == l })
		var found []int32
		var tiles []int32
		for i, tri := range f.Triangles {
			corners := [3]lattice.Point{f.Vertices[tri[0]].Point, f.Vertices[tri[1]].Point, f.Vertices[tri[2]].Point}
			b := lattice.BoxOf(corners[:]...)
			box := boxtree.Box[int32]{Low: [3]int32{b.Min.X, b.Min.Y}, High: [3]int32{b.Max.X, b.Max.Y}}
			grown := box.Grown(near)
			found, tiles = tree.IDs(&grown, found[:0]), tiles[:0]
			for _, r := range found {
				if w.isNear(corners[:], r) {
					tiles = append(tiles, w.tile[r])
				}
			}
			if len(tiles) == 0 {
				var nearest boxtree.Nearest
				nearest.Start(all, [3]float64{float64(b.Min.X), float64(b.Min.Y), 0})
				r, _ := nearest.Next(math.Inf(1)) // some region exists
				tiles = append(tiles, w.tile[r])
			}
			slices.Sort(tiles)
			for _, k := range slices.Compact(tiles) {
				part := w.part(k, l)
				part.triangles = append(part.triangles, uint32(i))
				part.vertices = append(part.vertices, tri[:]...)
			}
		}
		w.finishLayer(l)
	}
}

// part returns the part of a layer in a tile, which is the last part of the tile.
func (w *writer) part(tile int32, layer int) *layerPart {
	parts := &w.floors[tile]
	if n := len(*parts); n == 0 || (*parts)[n-1].layer != layer {
		*parts = append(*parts, layerPart{layer: layer})
	}
	return &(*parts)[len(*parts)-1]
}

// finishLayer puts the vertices of a layer in order. Vertices of no triangle are in the first tile.
func (w *writer) finishLayer(l int) {
	used := make([]bool, len(w.t.Layers[l].Floor.Vertices))
	for k := range w.floors {
		if n := len(w.floors[k]); n > 0 && w.floors[k][n-1].layer == l {
			part := &w.floors[k][n-1]
			part.vertices = ascending(part.vertices)
			for _, v := range part.vertices {
				used[v] = true
			}
		}
	}
	for v := range used {
		if !used[v] {
			part := w.part(0, l)
			part.vertices = append(part.vertices, uint32(v))
		}
	}
	if n := len(w.floors[0]); n > 0 && w.floors[0][n-1].layer == l {
		w.floors[0][n-1].vertices = ascending(w.floors[0][n-1].vertices)
	}
}

// isNear reports whether a triangle may be within near units of a region: no edge of one has the other farther away on its
// outer side.
func (w *writer) isNear(triangle []lattice.Point, region int32) bool {
	var ring []lattice.Point
	for _, v := range w.t.RegionCorners(int(region)) {
		ring = append(ring, w.t.Vertices[v].Point)
	}
	return !apart(triangle, ring) && !apart(ring, triangle)
}

// apart reports whether some edge of the counter-clockwise ring a has all of b more than near units away on its outer side.
func apart(a, b []lattice.Point) bool {
	last := a[len(a)-1]
	for _, p := range a {
		dx, dy := float64(int64(p.X)-int64(last.X)), float64(int64(p.Y)-int64(last.Y))
		limit := -near * math.Sqrt(float64(dx*dx)+float64(dy*dy))
		if !slices.ContainsFunc(b, func(q lattice.Point) bool { return float64(lattice.Orient(last, p, q)) >= limit }) {
			return true
		}
		last = p
	}
	return false
}

// file returns the bytes of the file.
func (w *writer) file(head []byte) []byte {
	borders := w.borders()
	index := make([]byte, 0, entrySize*w.tiles+borderSize*len(borders)+layerSize*len(w.t.Layers)+len(head)+8)
	offset := pad(headerSize + uint64(cap(index)) - 8)
	var tiles []byte
	for k := range int32(w.tiles) {
		tile := w.encodeTile(k)
		index = w.appendEntry(index, k, offset+uint64(len(tiles)), tile)
		tiles = append(tiles, tile...)
		tiles = append(tiles, make([]byte, pad(uint64(len(tile)))-uint64(len(tile)))...)
	}
	for _, b := range borders {
		index = appendBorder(index, b)
	}
	for i := range w.t.Layers {
		index = le.AppendUint32(index, uint32(w.t.Layers[i].Floor.Error))
	}
	index = append(index, head...)
	indexLength := len(index)
	for uint64(headerSize+len(index)) < offset {
		index = append(index, 0)
	}
	out := make([]byte, 0, offset+uint64(len(tiles)))
	out = append(out, magic...)
	for _, n := range []int{Version, w.tiles, len(borders), len(w.t.Layers), len(w.t.Regions), int(w.t.Generation)} {
		out = le.AppendUint32(out, uint32(n))
	}
	out = le.AppendUint64(out, offset+uint64(len(tiles)))
	out = le.AppendUint64(out, uint64(indexLength))
	out = appendInts(out, truth(slices.ContainsFunc(w.m.Links, func(l navmesh.Link) bool { return isShortcut(&l) })), 0)
	out = le.AppendUint32(out, sum(index))
	out = le.AppendUint32(out, sum(out))
	return append(append(out, index...), tiles...)
}

func (w *writer) appendEntry(b []byte, k int32, offset uint64, tile []byte) []byte {
	box, low, high := lattice.EmptyBox(), int32(math.MaxInt32), int32(math.MinInt32)
	for _, r := range w.regions.Of(k) {
		bb, l, h := boxOf(w.t, int(r))
		box, low, high = box.Union(bb), min(low, l), max(high, h)
	}
	for _, part := range w.floors[k] {
		for _, v := range part.vertices {
			z := w.t.Layers[part.layer].Floor.Vertices[v].Z
			low, high = min(low, z), max(high, z)
		}
	}
	shortcuts := uint32(0)
	for _, l := range w.links.Of(k) {
		if link := &w.m.Links[l]; w.tile[link.To.Index()] == k && isShortcut(link) {
			shortcuts = 1
		}
	}
	b = le.AppendUint64(b, offset)
	b = le.AppendUint64(b, uint64(len(tile)))
	b = le.AppendUint32(b, sum(tile))
	b = appendInts(b, uint32(len(w.regions.Of(k))), shortcuts, 0)
	return appendInts(b, uint32(box.Min.X), uint32(box.Min.Y), uint32(low), uint32(box.Max.X), uint32(box.Max.Y), uint32(high))
}

// isShortcut reports whether a link costs less than its length. Other links cost at least their length after rounding, too:
// see package query.
func isShortcut(l *navmesh.Link) bool {
	straight := max(distance(l.Start[0].Point, l.End[0].Point), distance(l.Start[1].Point, l.End[1].Point))
	return float64(l.Cost)*lattice.UnitsPerMetre < straight
}

// rounding is how far rounding moves the ends of a link, in lattice units.
const rounding = 4

func distance(a, b lattice.Point) float64 {
	dx, dy := float64(int64(b.X)-int64(a.X)), float64(int64(b.Y)-int64(a.Y))
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// borders lists the borders between tiles in order.
func (w *writer) borders() []Border {
	type key struct {
		from, to int32
		link     bool
	}
	all := map[key]*Border{}
	at := func(k key) *Border {
		if all[k] == nil {
			all[k] = &Border{
				Tiles: [2]int{int(k.from), int(k.to)}, Boxes: [2]lattice.Box{lattice.EmptyBox(), lattice.EmptyBox()},
				OneWay: k.link, Cost: math.Inf(1),
			}
		}
		return all[k]
	}
	for r := range w.t.Regions {
		for _, p := range w.t.RegionPortals(r) {
			if a, b := w.tile[r], w.tile[p.To]; a < b {
				border := at(key{a, b, false})
				box := border.Boxes[0].Extend(w.t.Vertices[p.Left].Point).Extend(w.t.Vertices[p.Right].Point)
				border.Boxes, border.Cost = [2]lattice.Box{box, box}, 0
			}
		}
	}
	for i := range w.m.Links {
		l := &w.m.Links[i]
		if a, b := w.tile[l.From.Index()], w.tile[l.To.Index()]; a != b {
			border := at(key{a, b, true})
			for e, ends := range [2][2]lattice.Vertex{l.Start, l.End} {
				border.Boxes[e] = border.Boxes[e].Union(grown(lattice.BoxOf(ends[0].Point, ends[1].Point)))
			}
			border.Cost = min(border.Cost, float64(l.Cost)*lattice.UnitsPerMetre)
		}
	}
	out := make([]Border, 0, len(all))
	for _, b := range all {
		out = append(out, *b)
	}
	slices.SortFunc(out, func(a, b Border) int {
		return cmp.Or(cmp.Compare(a.Tiles[0], b.Tiles[0]), cmp.Compare(a.Tiles[1], b.Tiles[1]), cmp.Compare(truth(a.OneWay), truth(b.OneWay)))
	})
	return out
}

// grown returns a box that holds the ends of a link after rounding.
func grown(b lattice.Box) lattice.Box {
	return lattice.Box{
		Min: lattice.Point{X: b.Min.X - rounding, Y: b.Min.Y - rounding}, Max: lattice.Point{X: b.Max.X + rounding, Y: b.Max.Y + rounding},
	}
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func appendBorder(b []byte, border Border) []byte {
	b = appendInts(b, uint32(border.Tiles[0]), uint32(border.Tiles[1]))
	for _, box := range border.Boxes {
		b = appendInts(b, uint32(box.Min.X), uint32(box.Min.Y), uint32(box.Max.X), uint32(box.Max.Y))
	}
	b = le.AppendUint64(b, math.Float64bits(border.Cost))
	return appendInts(b, truth(border.OneWay), 0)
}

func appendInts(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = le.AppendUint32(b, v)
	}
	return b
}

// encodeTile returns the bytes of a tile.
func (w *writer) encodeTile(k int32) []byte {
	var n [counts]int
	vertices := w.vertices[k]
	local := func(v uint32) uint32 {
		i, _ := slices.BinarySearch(vertices, v)
		return uint32(i)
	}
	var corners, portals, passages, exits, marked, links, floors, floorVertices, triangles []byte
	regions := make([]byte, 0, regionSize*len(w.regions.Of(k)))
	for i, r := range w.regions.Of(k) {
		reg := &w.t.Regions[r]
		regions = appendInts(regions, uint32(r), reg.Count, reg.PortalCount, uint32(reg.Layer)|uint32(reg.Area)<<16, reg.Flags)
		for _, v := range w.t.RegionCorners(int(r)) {
			corners = appendInts(corners, local(v))
		}
		for _, p := range w.t.RegionPortals(int(r)) {
			if to := w.tile[p.To]; to != k {
				exits = appendInts(exits, uint32(len(portals)/portalSize), uint32(to))
			}
			portals = appendInts(portals, p.To, p.Back-w.t.Regions[p.To].FirstPortal, p.Edge, local(p.Left), local(p.Right),
				truth(p.LeftCorner)|truth(p.RightCorner)<<1, uint32(p.Clearance))
		}
		for _, p := range w.t.Passages[reg.FirstPassage:][:max(reg.PortalCount, 1)-1] {
			passages = appendInts(passages, p.A, p.B, uint32(p.Clearance))
		}
		for _, m := range w.t.MarksOf(int(r)) {
			marked = appendInts(marked, uint32(i), m.Mark)
		}
	}
	for _, l := range w.links.Of(k) {
		links = w.appendLink(links, k, l)
	}
	for _, part := range w.floors[k] {
		f := &w.t.Layers[part.layer].Floor
		floors = appendInts(floors, uint32(part.layer), uint32(len(part.vertices)), uint32(len(part.triangles)))
		for _, v := range part.vertices {
			floorVertices = appendVertex(appendInts(floorVertices, v), f.Vertices[v])
		}
		for _, i := range part.triangles {
			triangles = appendInts(triangles, i)
			for _, v := range f.Triangles[i] {
				at, _ := slices.BinarySearch(part.vertices, v)
				triangles = appendInts(triangles, uint32(at))
			}
		}
	}
	var verts []byte
	for _, v := range vertices {
		verts = appendVertex(appendInts(verts, v), w.t.Vertices[v])
	}
	lists := [...][]byte{regions, verts, corners, portals, passages, exits, marked, links, floors, floorVertices, triangles}
	size := tileHead
	for i, list := range lists {
		n[i] = len(list) / int(recordSizes[i])
		size += len(list)
	}
	out := make([]byte, 0, size)
	for _, v := range n {
		out = le.AppendUint32(out, uint32(v))
	}
	for _, list := range lists {
		out = append(out, list...)
	}
	return out
}

func (w *writer) appendLink(b []byte, k, number int32) []byte {
	l := &w.m.Links[number]
	from, _ := slices.BinarySearch(w.regions.Of(k), int32(l.From.Index()))
	b = appendInts(b, uint32(number), uint32(from), uint32(l.To.Index()), uint32(w.tile[l.To.Index()]))
	for _, v := range []lattice.Vertex{l.Start[0], l.Start[1], l.End[0], l.End[1]} {
		b = appendVertex(b, v)
	}
	return appendInts(b, uint32(l.Kind), l.Flags, math.Float32bits(l.Cost), l.Mark, uint32(l.Clearance))
}

func appendVertex(b []byte, v lattice.Vertex) []byte {
	return appendInts(b, uint32(v.X), uint32(v.Y), uint32(v.Z))
}
