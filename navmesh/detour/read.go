package detour

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/planar"
	"github.com/meadow-nav/meadow/internal/polymesh"
	"github.com/meadow-nav/meadow/navmesh"
)

// Source: the structures of Detour's public header DetourNavMesh.h, version 7, and its rules for links between tiles.
//
// Idea: polygons become regions, and their corners are rounded to the lattice. Neighbours inside a tile come from the file.
// Neighbours in other tiles come from borders that lie on each other within Detour's own tolerances. Height surfaces become the
// floor. The record of the mesh keeps the grid of tiles and cells, so that a writer finds the file's own numbers again.
//
// Input: a file from anywhere.
//
// Guarantees:
//  1. Polygons, areas, flags, heights, links between tiles and off-mesh connections are those of Detour (TestRead, TestAreasFlagsLinks, TestHeights).
//  2. A file cut short or with a number out of range is an error that names tile, element and value (TestFaults, FuzzRead).
//
// Degenerate cases: polygons that rounding leaves without area vanish; concave polygons are cut; a connection without ground
// at both ends within its radius is left out, as in Detour.
//
// Cost: O(n log n) time for n corners; some 20 times the file in memory.
//
// Departures: a tile border is a straight line of the lattice, where Detour allows a centimetre between both sides.

// Detour's tolerances.
const (
	slabApart   = 0.01 // metres between two borders that meet
	slabOverlap = 0.02 // least common stretch in metres
)

// noSlope is the slope of agents of files that state no slope: the steepest that an agent may have.
const noSlope = 89.8

// flagShift is the place of Detour's 16 flags among the flags of regions and links. See docs/formats/detour.md.
const flagShift = 16

// ownTile is the number of the user in tiles of meshes that Meadow has built: their flags are the low 16 bits of Meadow's.
const ownTile = 'M'<<24 | 'D'<<16 | 'O'<<8 | 'W'

// most bounds comparisons at borders and connections.
const most = 1 << 26

// Read reads tile data, a set or a tile cache as a mesh of metres: x is east, y is up, z is south, as Meadow has them. Reading rounds corners to
// multiples of 2⁻¹² m. The error names the tile and the element. At most [MaxBytes] are read. Time O(n log n) for n corners.
func Read(r io.Reader) (*navmesh.Mesh, error) {
	if r == nil {
		return nil, errors.New("detour: the reader is nil")
	}
	s, err := decode(r)
	if err != nil {
		return nil, fmt.Errorf("detour: %w", err)
	}
	m, err := s.mesh()
	if err != nil {
		return nil, fmt.Errorf("detour: %w", err)
	}
	return m, nil
}

// reader is an unfinished mesh.
type reader struct {
	*set
	soup  polymesh.Soup
	first []int                     // of each tile, the number of its first point
	index [][]int32                 // of each tile and polygon, the polygon in the soup, -1 for a connection
	edges [][][cornersPerPoly]int32 // of each tile, polygon and edge, the edge of the polygon in the soup, -1 inside of a region
	names []place                   // of each polygon of the soup
}

// place is a polygon of the file.
type place struct{ tile, poly int }

// mesh converts the file.
func (s *set) mesh() (*navmesh.Mesh, error) {
	r := &reader{set: s}
	if err := r.points(); err != nil {
		return nil, err
	}
	if err := r.agent(); err != nil {
		return nil, err
	}
	r.polygons()
	r.inside()
	if err := r.across(); err != nil {
		return nil, err
	}
	if err := r.connect(); err != nil {
		return nil, err
	}
	r.soup.Name = func(p int) string { return fmt.Sprintf("tile %d, polygon %d", r.names[p].tile, r.names[p].poly) }
	m, report, err := polymesh.Build(&r.soup)
	if err != nil {
		return nil, err
	}
	m.Record, err = r.record(report.Of)
	return m, err
}

// world returns the lattice coordinates of a point of the file.
func world(v [3]float32) (east, north, up int64, ok bool) {
	return lattice.Snap(geom.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])})
}

// points rounds the vertices of the ground to a frame in the middle of the mesh. Other vertices, the ends of connections, may be
// anywhere and stay at the origin.
func (r *reader) points() error {
	low, high := [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}, [3]int64{math.MinInt64, math.MinInt64, math.MinInt64}
	ground := make([][]bool, len(r.tiles))
	for i := range r.tiles {
		t := &r.tiles[i]
		ground[i] = make([]bool, len(t.vertices)+len(t.detailVertices))
		for k := range t.polys {
			for _, c := range t.polys[k].corners[:t.polys[k].count] {
				ground[i][c] = ground[i][c] || t.polys[k].typeOf == typeGround
			}
		}
		for k := range t.detailVertices {
			ground[i][len(t.vertices)+k] = true
		}
		before := 0
		for _, list := range [2][][3]float32{t.vertices, t.detailVertices} {
			for k, v := range list {
				if !ground[i][before+k] {
					continue
				}
				e, n, u, ok := world(v)
				if !ok {
					return fmt.Errorf("tile %d: vertex %d is at %g, %g, %g: too far away", i, k, v[0], v[1], v[2])
				}
				for axis, c := range [3]int64{e, n, u} {
					low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
				}
			}
			before = len(t.vertices)
		}
	}
	if low[0] > high[0] {
		return errors.New("no vertices")
	}
	for axis := range low {
		const margin = 1 << 16 // for corners that move
		if high[axis]-low[axis] > 2*(lattice.MaxCoord-margin) {
			return fmt.Errorf("the mesh extends over %g m, at most %d", float64(high[axis]-low[axis])*lattice.Unit, 2*(lattice.MaxCoord-margin)/lattice.UnitsPerMetre)
		}
	}
	middle := func(axis int) int64 { return low[axis] + (high[axis]-low[axis])/2 }
	r.soup.Frame = lattice.Frame{East: middle(0), North: middle(1), Up: middle(2)}
	for i := range r.tiles {
		r.first = append(r.first, len(r.soup.Points))
		for _, list := range [2][][3]float32{r.tiles[i].vertices, r.tiles[i].detailVertices} {
			for _, v := range list {
				var at lattice.Vertex
				if ground[i][len(r.soup.Points)-r.first[i]] {
					at, _ = r.local(v)
				}
				r.soup.Points = append(r.soup.Points, at)
			}
		}
	}
	r.soup.Fixed = make([]polymesh.Axes, len(r.soup.Points))
	return nil
}

// local returns a point of the file in the frame; ok is false outside of the frame.
func (r *reader) local(v [3]float32) (at lattice.Vertex, ok bool) {
	at.Point, at.Z, ok = r.soup.Frame.FromWorld(geom.Vec{X: float64(v[0]), Y: float64(v[1]), Z: float64(v[2])})
	return at, ok
}

// agent takes the agent of the first tile.
func (r *reader) agent() error {
	t := &r.tiles[0]
	a := geom.Agent{Radius: decimal(t.radius), Height: decimal(t.height), MaxClimb: decimal(t.climb), MaxSlope: geom.Degrees(noSlope)}
	if a.Height == 0 {
		a.Height = geom.Agent{}.WithDefaults().Height
	}
	if a.Height <= a.MaxClimb {
		a.Height = 2 * a.MaxClimb // a climb is lower than the agent
	}
	r.soup.Agent = a
	if err := a.Validate(); err != nil {
		return fmt.Errorf("tile 0: %w", err)
	}
	return nil
}

// decimal returns the number that people wrote for a number of a file: 0.6 and not 0.6000000238418579.
func decimal(v float32) float64 {
	d, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64) // finite, and in the range of a float64
	return d
}

// polygons lists the ground polygons of all tiles, counter-clockwise as Meadow sees them. Parts of a region of Meadow follow each
// other and have a common mark; they become one polygon again.
func (r *reader) polygons() {
	for i := range r.tiles {
		t := &r.tiles[i]
		r.index, r.edges = append(r.index, make([]int32, len(t.polys))), append(r.edges, make([][cornersPerPoly]int32, len(t.polys)))
		for k := 0; k < len(t.polys); {
			end := k + 1
			if t.polys[k].isMarked() {
				for end < len(t.polys) && t.polys[end].mark == t.polys[k].mark && t.polys[end].typeOf == typeGround {
					end++
				}
				if r.join(i, k, end) {
					k = end
					continue
				}
			}
			for ; k < end; k++ {
				r.polygon(i, k)
			}
		}
	}
}

// add appends a polygon of the soup for polygon k of a tile, and returns its number.
func (r *reader) add(tile, k int, corners []uint32) int32 {
	p := &r.tiles[tile].polys[k]
	n := int32(len(r.soup.Polygons))
	r.soup.Polygons = append(r.soup.Polygons, polymesh.Polygon{Corners: corners, Area: p.area, Flags: r.tiles[tile].flags(p.flags)})
	r.names = append(r.names, place{tile, k})
	return n
}

// ring returns the points of a polygon of a tile counter-clockwise, and whether the file has them in reverse.
func (r *reader) ring(tile, k int) (corners []uint32, turned bool) {
	p := &r.tiles[tile].polys[k]
	var ring lattice.Ring
	for _, c := range p.corners[:p.count] {
		corners = append(corners, uint32(r.first[tile]+int(c)))
		ring = append(ring, r.soup.Points[corners[len(corners)-1]].Point)
	}
	if turned = ring.Area2() < 0; turned {
		slices.Reverse(corners)
	}
	return corners, turned
}

// fileEdge returns the edge in the file of edge e of a polygon of n corners.
func fileEdge(e, n int, turned bool) int {
	if turned {
		return (2*n - 2 - e) % n
	}
	return e
}

// polygon takes polygon k of a tile as it is.
func (r *reader) polygon(tile, k int) {
	t := &r.tiles[tile]
	if t.polys[k].typeOf != typeGround {
		r.index[tile][k] = -1
		return
	}
	corners, turned := r.ring(tile, k)
	n := r.add(tile, k, corners)
	r.index[tile][k] = n
	for e := range corners {
		r.edges[tile][k][fileEdge(e, len(corners), turned)] = int32(e)
	}
	if k < len(t.details) {
		r.soup.Polygons[n].Floor = r.floor(tile, k)
	}
}

// join takes polygons k to end of a tile as one polygon, without corners on straight sides, if their union is convex.
func (r *reader) join(tile, k, end int) bool {
	t := &r.tiles[tile]
	type edge struct {
		to      uint32
		poly, e int
	}
	from := map[uint32]edge{}
	count := 0
	var start uint32
	all := map[[2]uint32]bool{}
	for i := k; i < end; i++ {
		if t.polys[i].area != t.polys[k].area || t.polys[i].flags != t.polys[k].flags {
			return false
		}
		corners, _ := r.ring(tile, i)
		for e, p := range corners {
			all[[2]uint32{p, corners[(e+1)%len(corners)]}] = true
		}
	}
	for i := k; i < end; i++ {
		corners, turned := r.ring(tile, i)
		for e, p := range corners {
			q := corners[(e+1)%len(corners)]
			r.edges[tile][i][fileEdge(e, len(corners), turned)] = -1
			if all[[2]uint32{q, p}] {
				continue
			}
			if _, ok := from[p]; ok {
				return false
			}
			if count++; count == 1 {
				start = p
			}
			from[p] = edge{q, i, fileEdge(e, len(corners), turned)}
		}
	}
	// Around the union from a corner that stays.
	var ring lattice.Ring
	var corners []uint32
	for p := start; len(corners) < count; {
		x, ok := from[p]
		if !ok {
			return false
		}
		corners, ring = append(corners, p), append(ring, r.soup.Points[p].Point)
		p = x.to
	}
	if count < 3 || from[corners[count-1]].to != start {
		return false
	}
	if fault, _ := planar.Fault(ring); fault != "" {
		return false
	}
	straight := func(i int) bool {
		return lattice.Orient(ring[(i+count-1)%count], ring[i], ring[(i+1)%count]) == 0
	}
	first := 0
	for straight(first) {
		first++
	}
	var kept, between []uint32
	for i := range count {
		c := (first + i) % count
		if straight(c) {
			between = append(between, corners[c])
		} else {
			kept = append(kept, corners[c])
		}
		x := from[corners[c]]
		r.edges[tile][x.poly][x.e] = int32(len(kept) - 1)
	}
	n := r.add(tile, k, kept)
	r.soup.Polygons[n].Border = between
	for i := k; i < end; i++ {
		r.index[tile][i] = n
		if i < len(t.details) {
			r.soup.Polygons[n].Floor = append(r.soup.Polygons[n].Floor, r.floor(tile, i)...)
		}
	}
	return true
}

// isMarked reports whether a polygon is a part of a region that a writer has cut or given further corners.
func (p *poly) isMarked() bool {
	return p.typeOf == typeGround && p.mark >= marked && p.mark != math.MaxUint32
}

// flags returns the flags of a region with Detour's flags: bit 0 opens the region if any of the flags is set, because Detour
// closes polygons without flags to everybody. Files of meshes that Meadow has built have Meadow's flags.
func (t *tile) flags(flags uint16) uint32 {
	switch {
	case flags == 0 || t.userID == ownTile:
		return uint32(flags)
	}
	return uint32(flags)<<flagShift | navmesh.DefaultFlags
}

// floor returns the triangles of the height surface of polygon k of a tile; nil for a surface without triangles.
func (r *reader) floor(tile, k int) [][3]uint32 {
	t := &r.tiles[tile]
	p, d := &t.polys[k], &t.details[k]
	var out [][3]uint32
	for _, f := range t.detailTriangles[d.triangles : d.triangles+uint32(d.triangleCount)] {
		var triangle [3]uint32
		for k, v := range f[:3] {
			if v < p.count {
				triangle[k] = uint32(r.first[tile] + int(p.corners[v]))
			} else {
				triangle[k] = uint32(r.first[tile]+len(t.vertices)) + d.vertices + uint32(v-p.count)
			}
		}
		out = append(out, triangle)
	}
	return out
}

// inside joins neighbours of each tile, along edges between the same two places.
func (r *reader) inside() {
	for i := range r.tiles {
		t := &r.tiles[i]
		same := func(a, b uint16) bool {
			return a == b || t.vertices[a][0] == t.vertices[b][0] && t.vertices[a][2] == t.vertices[b][2]
		}
		for k := range t.polys {
			p := &t.polys[k]
			for e := range int(p.count) {
				n := p.beside[e]
				if n == 0 || n&external != 0 || r.index[i][k] < 0 || r.index[i][n-1] < 0 || r.index[i][k] == r.index[i][n-1] {
					continue
				}
				other := int(n - 1)
				q := &t.polys[other]
				a, b := p.corners[e], p.corners[(e+1)%int(p.count)]
				for f := range int(q.count) {
					if !same(q.corners[f], b) || !same(q.corners[(f+1)%int(q.count)], a) {
						continue
					}
					// A pair that names each other is listed once.
					if k < other || int(q.beside[f]) != k+1 {
						r.meet(place{i, k}, e, place{i, other}, f)
					}
					break
				}
			}
		}
	}
}

// meet joins two polygons of the file at edges of the file.
func (r *reader) meet(p place, e int, q place, f int) {
	pe, qe := r.edges[p.tile][p.poly][e], r.edges[q.tile][q.poly][f]
	if pe >= 0 && qe >= 0 {
		r.soup.Meetings = append(r.soup.Meetings, polymesh.Meeting{P: r.index[p.tile][p.poly], Q: r.index[q.tile][q.poly], PEdge: pe, QEdge: qe})
	}
}

// rim is an edge on the border of a tile.
type rim struct {
	polygon place
	edge    int
	line    int32 // coordinate across the border
	low     int32 // along the border
	high    int32
	lowZ    int32 // heights at both ends
	highZ   int32
}

// steps lists the neighbouring tile of each side.
var steps = [8][2]int32{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

type location struct{ x, y int32 }

// step returns the place of the tile on a side.
func (l location) step(side uint8) location {
	return location{l.x + steps[side][0], l.y + steps[side][1]}
}

// byPlace lists the tiles at each place.
func (r *reader) byPlace() map[location][]int {
	out := map[location][]int{}
	for i := range r.tiles {
		l := location{r.tiles[i].x, r.tiles[i].y}
		out[l] = append(out[l], i)
	}
	return out
}

// across joins neighbours in different tiles, as Detour does when it adds a tile.
func (r *reader) across() error {
	at := r.byPlace()
	rims := make([][8][]rim, len(r.tiles))
	for i := range r.tiles {
		r.rims(i, &rims[i])
	}
	work := 0
	for i := range r.tiles {
		here := location{r.tiles[i].x, r.tiles[i].y}
		for _, side := range [2]uint8{0, 2} {
			others := at[here.step(side)]
			for _, k := range at[here] {
				if k != i {
					others = append(slices.Clip(others), k)
				}
			}
			for _, k := range others {
				for _, p := range rims[i][side] {
					for _, q := range rims[k][side+4] {
						if work++; work > most {
							return fmt.Errorf("tile %d: more than %d pairs of edges at borders", i, most)
						}
						if p.meets(&q, r.tiles[k].climb) {
							r.meet(p.polygon, p.edge, q.polygon, q.edge)
						}
					}
				}
			}
		}
	}
	return nil
}

// rims lists the edges on the sides of a tile, and moves their ends onto the lines between tiles.
func (r *reader) rims(tile int, to *[8][]rim) {
	t := &r.tiles[tile]
	lines := [8]float64{
		0: float64(r.origin[0]) + float64(float64(t.x+1)*float64(r.width)), 4: float64(r.origin[0]) + float64(float64(t.x)*float64(r.width)),
		2: float64(r.origin[2]) + float64(float64(t.y+1)*float64(r.depth)), 6: float64(r.origin[2]) + float64(float64(t.y)*float64(r.depth)),
	}
	each := func(f func(side uint8, polygon place, e int, a, b *lattice.Vertex, i, k int)) {
		for k := range t.polys {
			p := &t.polys[k]
			for e := range int(p.count) {
				side := uint8(p.beside[e])
				if p.beside[e]&external == 0 || r.index[tile][k] < 0 || side > 6 || side%2 != 0 {
					continue
				}
				a, b := r.first[tile]+int(p.corners[e]), r.first[tile]+int(p.corners[(e+1)%int(p.count)])
				f(side, place{tile, k}, e, &r.soup.Points[a], &r.soup.Points[b], a, b)
			}
		}
	}
	each(func(side uint8, _ place, _ int, a, b *lattice.Vertex, i, k int) {
		axis, line := polymesh.East, lattice.FloorDiv(int64(math.Round(2*lines[side]*lattice.UnitsPerMetre))+1, 2)-r.soup.Frame.East
		if side == 2 || side == 6 {
			axis, line = polymesh.North, -lattice.FloorDiv(int64(math.Round(2*lines[side]*lattice.UnitsPerMetre))+1, 2)-r.soup.Frame.North
		}
		for n, v := range [2]*lattice.Vertex{a, b} {
			c := &v.X
			if axis == polymesh.North {
				c = &v.Y
			}
			if d := int64(*c) - line; math.Abs(float64(d)) <= slabApart*lattice.UnitsPerMetre {
				*c = int32(line)
				r.soup.Fixed[[2]int{i, k}[n]] |= axis
			}
		}
	})
	each(func(side uint8, polygon place, e int, a, b *lattice.Vertex, _, _ int) {
		x := rim{polygon: polygon, edge: e, line: a.X, low: a.Y, high: b.Y, lowZ: a.Z, highZ: b.Z}
		across := b.X
		if side == 2 || side == 6 {
			x.line, x.low, x.high, across = a.Y, a.X, b.X, b.Y
		}
		if x.low > x.high {
			x.low, x.high, x.lowZ, x.highZ = x.high, x.low, x.highZ, x.lowZ
		}
		if x.line == across {
			to[side] = append(to[side], x)
		}
	})
}

// meets reports whether two edges on the same line have a common stretch at heights that an agent can climb between: Detour's rule.
func (p *rim) meets(q *rim, climb float32) bool {
	low, high := max(p.low, q.low), min(p.high, q.high)
	if p.line != q.line || float64(high)-float64(low) < slabOverlap*lattice.UnitsPerMetre {
		return false
	}
	at := func(r *rim, x int32) float64 {
		t := (float64(x) - float64(r.low)) / (float64(r.high) - float64(r.low))
		return float64(r.lowZ) + float64(t*(float64(r.highZ)-float64(r.lowZ)))
	}
	from, to := at(q, low)-at(p, low), at(q, high)-at(p, high)
	step := 2 * float64(climb) * lattice.UnitsPerMetre
	return from < 0 && to > 0 || from > 0 && to < 0 || math.Abs(from) <= step || math.Abs(to) <= step
}

// connect finds the ground at both ends of every off-mesh connection.
func (r *reader) connect() error {
	at := r.byPlace()
	work := 0
	for i := range r.tiles {
		t := &r.tiles[i]
		for k := range t.connections {
			c := &t.connections[k]
			ends := [2]int32{-1, -1}
			for n, tiles := range [2][]int{{i}, {i}} {
				if n == 1 && int(c.side) < len(steps) {
					tiles = at[location{t.x, t.y}.step(c.side)]
				}
				near := math.Inf(1)
				for _, tile := range tiles {
					if work += len(r.tiles[tile].polys); work > most {
						return fmt.Errorf("tile %d: connections look at more than %d polygons", i, most)
					}
					if p, d := r.ground(tile, c.at[n], c.radius); d < near {
						ends[n], near = p, d
					}
				}
			}
			start, okStart := r.local(c.at[0])
			end, okEnd := r.local(c.at[1])
			if ends[0] < 0 || ends[1] < 0 || !okStart || !okEnd {
				continue
			}
			p := &t.polys[c.poly]
			l := polymesh.Link{
				From: ends[0], To: ends[1], Start: start, End: end, Kind: navmesh.Jump,
				Flags: t.flags(p.flags), Cost: float32(length(c.at[0], c.at[1])),
			}
			r.soup.Links = append(r.soup.Links, l)
			if c.flags&bothWays != 0 {
				l.From, l.To, l.Start, l.End = l.To, l.From, l.End, l.Start
				r.soup.Links = append(r.soup.Links, l)
			}
		}
	}
	return nil
}

func length(a, b [3]float32) float64 {
	x, y, z := float64(a[0])-float64(b[0]), float64(a[1])-float64(b[1]), float64(a[2])-float64(b[2])
	return math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
}

// ground returns the polygon of a tile nearest to a point, and its distance; no farther than radius in the plane, and the climb up or down.
func (r *reader) ground(tile int, at [3]float32, radius float32) (polygon int32, distance float64) {
	t := &r.tiles[tile]
	polygon, distance = -1, math.Inf(1)
	for k := range t.polys {
		n := r.index[tile][k]
		if n < 0 {
			continue
		}
		p := &t.polys[k]
		corner := func(i int) [3]float32 { return t.vertices[p.corners[i%int(p.count)]] }
		out, heights, flat := 0, [2]float64{math.Inf(1), math.Inf(-1)}, math.Inf(1)
		for e := range int(p.count) {
			a, b := corner(e), corner(e+1)
			ax, az := float64(at[0])-float64(a[0]), float64(at[2])-float64(a[2])
			dx, dz := float64(b[0])-float64(a[0]), float64(b[2])-float64(a[2])
			if side := float64(dx*az) - float64(dz*ax); side > 0 {
				out++
			} else if side < 0 {
				out--
			}
			s := max(0, min(1, (float64(ax*dx)+float64(az*dz))/max(float64(dx*dx)+float64(dz*dz), 1e-30)))
			flat = min(flat, math.Hypot(ax-float64(s*dx), az-float64(s*dz)))
			heights[0], heights[1] = min(heights[0], float64(a[1])), max(heights[1], float64(a[1]))
		}
		if out == int(p.count) || out == -int(p.count) {
			flat = 0
		}
		above := max(0, heights[0]-float64(at[1]), float64(at[1])-heights[1])
		if flat > float64(radius) || above > float64(t.climb) {
			continue
		}
		if d := math.Hypot(flat, above); d < distance {
			polygon, distance = n, d
		}
	}
	return polygon, distance
}
