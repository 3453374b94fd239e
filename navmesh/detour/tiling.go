package detour

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Limits of tiles of meshes from elsewhere.
const (
	leastTile = 1       // metres
	mostPatch = 1 << 20 // parts of regions in tiles
)

// tooLarge tells that a tile has no room for so many polygons or vertices.
type tooLarge struct{ polys, vertices int }

func (t tooLarge) Error() string {
	return fmt.Sprintf("%d polygons and %d vertices, a tile holds at most %d and %d", t.polys, t.vertices, maxPolys, maxCorners)
}

// WriteTiles writes a mesh as a set of square tiles with sides of size metres, at least 1 m, whatever the mesh came from. Regions are cut
// along the borders of tiles, and Detour joins the parts again where they share at least 2 cm. The error names the count or area that Detour has no room
// for. Time O(n log n) for n corners of parts.
func WriteTiles(w io.Writer, m *navmesh.Mesh, size float64) error {
	if !(size >= leastTile) || size > lattice.MaxCoord*lattice.Unit {
		return fmt.Errorf("detour: tiles of %g m, must be %d to %g m", size, leastTile, lattice.MaxCoord*lattice.Unit)
	}
	if w == nil {
		return errors.New("detour: the writer is nil")
	}
	if err := writable(m); err != nil {
		return fmt.Errorf("detour: %w", err)
	}
	s, err := newTiledWriter(m, size).set()
	if err != nil {
		return fmt.Errorf("detour: %w", err)
	}
	e := encoder{order: binary.LittleEndian}
	e.encodeSet(s)
	_, err = w.Write(e.data)
	return err
}

// inTiles returns a mesh as tiles of half its extent, or a quarter and so on, until every tile has room for its polygons.
func inTiles(m *navmesh.Mesh) (*set, error) {
	size := float64(leastTile)
	for i := range m.Tiles {
		box := lattice.EmptyBox()
		for _, v := range m.Tiles[i].Vertices {
			box = box.Extend(v.Point)
		}
		size = max(size, float64(box.Max.X-box.Min.X)*lattice.Unit, float64(box.Max.Y-box.Min.Y)*lattice.Unit)
	}
	for size /= 2; ; size /= 2 {
		s, err := newTiledWriter(m, max(size, leastTile)).set()
		if large := (tooLarge{}); size > leastTile && errors.As(err, &large) {
			continue
		}
		return s, err
	}
}

// tiling cuts a mesh into square tiles. Their borders are lines of the lattice.
type tiling struct {
	size      int64          // of a tile, in lattice units
	west      int64          // border of column 0, in the frame
	north     int64          // border of row 0
	low, high float64        // heights in metres
	number    map[cellAt]int // of each column and row, its tile; looked up only
	parts     int
	floors    map[[2]int]*lattice.Sampler // by slot and layer; looked up only
}

// cellAt is the column and the row of a tile.
type cellAt struct{ column, row int64 }

func newTiledWriter(m *navmesh.Mesh, size float64) *writer {
	w := newWriter(m, nil)
	g := &tiling{size: int64(math.Round(size * lattice.UnitsPerMetre)), number: map[cellAt]int{}, floors: map[[2]int]*lattice.Sampler{}, west: math.MaxInt64, north: math.MinInt64, low: math.Inf(1), high: math.Inf(-1)}
	grow := func(v lattice.Vertex) {
		g.low, g.high = min(g.low, w.world(v).Y), max(g.high, w.world(v).Y)
	}
	for i := range m.Tiles {
		for _, v := range m.Tiles[i].Vertices {
			g.west, g.north = min(g.west, int64(v.X)), max(g.north, int64(v.Y))
			grow(v)
		}
		for l := range m.Tiles[i].Layers {
			for _, v := range m.Tiles[i].Layers[l].Floor.Vertices {
				grow(v)
			}
		}
	}
	w.tiling = g
	return w
}

// layout describes the tiles, of which there are none yet.
func (g *tiling) layout(w *writer) {
	origin := w.world(lattice.Vertex{Point: lattice.Point{X: int32(g.west), Y: int32(g.north)}})
	w.out = set{origin: [3]float32{float32(origin.X), below(g.low), float32(origin.Z)}, width: float32(float64(g.size) * lattice.Unit), depth: float32(float64(g.size) * lattice.Unit), maxTiles: 1}
}

// tile returns the tile at a column and row, which is made at its first use.
func (g *tiling) tile(w *writer, at cellAt) int {
	if n, ok := g.number[at]; ok {
		return n
	}
	n := len(w.out.tiles)
	g.number[at] = n
	t := tile{x: int32(at.column), y: int32(at.row), userID: ownTile, height: float32(w.Agent.Height), radius: float32(w.Agent.Radius), climb: float32(w.Agent.MaxClimb)}
	corner := func(column, row int64) geom.Vec {
		x, y := g.west+column*g.size, g.north-row*g.size
		return w.Frame.ToWorld(lattice.Point{}, 0).Add(geom.Vec{X: float64(x) * lattice.Unit, Z: -float64(y) * lattice.Unit})
	}
	a, b := corner(at.column, at.row), corner(at.column+1, at.row+1)
	t.min = [3]float32{float32(a.X), below(g.low), float32(a.Z)}
	t.max = [3]float32{float32(b.X), -below(-g.high), float32(b.Z)}
	t.perCell = 1 / float32(max(leastCell, max(b.X-a.X, g.high-g.low)/60000))
	w.out.tiles = append(w.out.tiles, t)
	return n
}

// patch is the part of a region in a tile.
type patch struct {
	tile int
	ring []bend
}

// onFloor moves the corners of parts that cuts have made onto the floor of the region: Detour joins parts in different tiles by the
// heights of their corners.
func (g *tiling) onFloor(w *writer, slot, region int, ring []bend, parts []patch) {
	key := [2]int{slot, int(w.Tiles[slot].Regions[region].Layer)}
	floor := g.floors[key]
	if floor == nil {
		floor = lattice.NewSampler(&w.Tiles[slot].Layers[key[1]].Floor)
		g.floors[key] = floor
	}
	old := map[lattice.Point]bool{}
	for _, b := range ring {
		old[b.at.Point] = true
	}
	const reach = 2 // lattice units that rounding may move a corner off the floor
	for _, p := range parts {
		for i := range p.ring {
			at := &p.ring[i].at
			if old[at.Point] {
				continue
			}
			if z, ok := floor.HeightBelow(float64(at.X), float64(at.Y), math.Inf(1), reach); ok {
				at.Z = int32(math.Round(z))
			}
		}
	}
}

// cut cuts a convex ring along the borders of tiles.
func (g *tiling) cut(w *writer, ring []bend) ([]patch, error) {
	var out []patch
	low, high := ring[0].at.Point, ring[0].at.Point
	for _, b := range ring {
		low, high = lattice.Point{X: min(low.X, b.at.X), Y: min(low.Y, b.at.Y)}, lattice.Point{X: max(high.X, b.at.X), Y: max(high.Y, b.at.Y)}
	}
	from, to := lattice.FloorDiv(int64(low.X)-g.west, g.size), lattice.FloorDiv(int64(high.X)-g.west-1, g.size)
	for column := from; column <= max(from, to); column++ {
		var strip []bend
		if strip, ring = split(ring, true, g.west+(column+1)*g.size); len(strip) == 0 {
			continue
		}
		top, bottom := int64(strip[0].at.Y), int64(strip[0].at.Y)
		for _, b := range strip {
			top, bottom = max(top, int64(b.at.Y)), min(bottom, int64(b.at.Y))
		}
		first, last := lattice.FloorDiv(g.north-top, g.size), lattice.FloorDiv(g.north-bottom-1, g.size)
		for row := first; row <= max(first, last); row++ {
			var part []bend
			// Lines across the north are lines of south coordinates.
			if strip, part = split(strip, false, g.north-(row+1)*g.size); len(part) == 0 {
				continue
			}
			if g.parts++; g.parts > mostPatch {
				return nil, fmt.Errorf("tiles of %g m cut the mesh into more than %d parts", float64(g.size)*lattice.Unit, mostPatch)
			}
			g.borders(part, column, row)
			part = slices.CompactFunc(part, func(a, b bend) bool { return a.at.Point == b.at.Point })
			if area := pointsOf(part).Area2(); len(part) < 3 || area <= 0 {
				continue
			}
			out = append(out, patch{g.tile(w, cellAt{column, row}), part})
		}
	}
	return out, nil
}

// borders marks edges of a part with portals that lie on the border of their tile: they lead to other tiles.
func (g *tiling) borders(part []bend, column, row int64) {
	west, north := g.west+column*g.size, g.north-row*g.size
	for i := range part {
		a, b := &part[i], part[(i+1)%len(part)]
		if a.portal < 0 {
			continue
		}
		x, y := int64(a.at.X), int64(a.at.Y)
		switch {
		case a.at.X == b.at.X && x == west:
			a.side = 4
		case a.at.X == b.at.X && x == west+g.size:
			a.side = 0
		case a.at.Y == b.at.Y && y == north:
			a.side = 6
		case a.at.Y == b.at.Y && y == north-g.size:
			a.side = 2
		}
	}
}

// split cuts a convex ring along a line x = at, or y = at. Both parts share the crossings, which are rounded to the lattice in
// the same way for both rings at an edge. A part without a corner off the line is nil.
func split(ring []bend, vertical bool, at int64) (low, high []bend) {
	off := func(b bend) int64 {
		if vertical {
			return int64(b.at.X) - at
		}
		return int64(b.at.Y) - at
	}
	below, above := false, false
	for _, b := range ring {
		below, above = below || off(b) < 0, above || off(b) > 0
	}
	switch {
	case !above && !below:
		return nil, nil
	case !above:
		return ring, nil
	case !below:
		return nil, ring
	}
	// A column lies east of the next, so that its border is side 0; rows go south, so that the lower part is the next row.
	lowSide, highSide := 0, 4
	if !vertical {
		lowSide, highSide = 6, 2
	}
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		u, v := off(a), off(b)
		switch {
		case u < 0:
			low = append(low, a)
		case u > 0:
			high = append(high, a)
		default:
			l, h := a, a
			if v > 0 {
				l.portal, l.side = none, lowSide
			} else if v < 0 {
				h.portal, h.side = none, highSide
			}
			low, high = append(low, l), append(high, h)
		}
		if u < 0 && v > 0 || u > 0 && v < 0 {
			c := bend{at: crossing(a.at, b.at, vertical, at), portal: a.portal, side: a.side}
			l, h := c, c
			if u < 0 {
				l.portal, l.side = none, lowSide
			} else {
				h.portal, h.side = none, highSide
			}
			low, high = append(low, l), append(high, h)
		}
	}
	return low, high
}

// crossing returns the point where a segment crosses a line, rounded alike for both directions of the segment.
func crossing(a, b lattice.Vertex, vertical bool, at int64) lattice.Vertex {
	if a.X > b.X || a.X == b.X && a.Y > b.Y {
		a, b = b, a
	}
	from, to := int64(a.X), int64(b.X)
	if !vertical {
		from, to = int64(a.Y), int64(b.Y)
	}
	between := func(u, v int32) int32 {
		n, d := (int64(v)-int64(u))*(at-from), to-from
		if d < 0 {
			n, d = -n, -d
		}
		q := lattice.FloorDiv(n, d)
		if 2*(n-q*d) >= d {
			q++
		}
		return u + int32(q)
	}
	c := lattice.Vertex{Point: lattice.Point{X: between(a.X, b.X), Y: between(a.Y, b.Y)}, Z: between(a.Z, b.Z)}
	if vertical {
		c.X = int32(at)
	} else {
		c.Y = int32(at)
	}
	return c
}
