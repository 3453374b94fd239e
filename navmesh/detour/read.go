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

// most bounds comparisons at borders and connections.
const most = 1 << 26

// Read reads tile data or a set as a mesh of metres: x is east, y is up, z is south, as Meadow has them. Reading rounds corners to
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
	soup   polymesh.Soup
	first  []int      // of each tile, the number of its first point
	from   []int      // of each tile, its first polygon in the soup; one more entry at the end
	index  [][]int32  // of each tile and polygon, the polygon in the soup, -1 for a connection
	turned []bool     // polygons of the soup with the corners of the file in reverse
	origin []polyName // of each polygon of the soup
}

type polyName struct{ tile, poly int }

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
	r.soup.Name = func(p int) string { return fmt.Sprintf("tile %d, polygon %d", r.origin[p].tile, r.origin[p].poly) }
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

// points rounds all vertices to a frame in the middle of the mesh.
func (r *reader) points() error {
	low, high := [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}, [3]int64{math.MinInt64, math.MinInt64, math.MinInt64}
	for i := range r.tiles {
		for _, list := range [2][][3]float32{r.tiles[i].vertices, r.tiles[i].detailVertices} {
			for k, v := range list {
				e, n, u, ok := world(v)
				if !ok {
					return fmt.Errorf("tile %d: vertex %d is at %g, %g, %g: too far away", i, k, v[0], v[1], v[2])
				}
				for axis, c := range [3]int64{e, n, u} {
					low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
				}
			}
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
				r.soup.Points = append(r.soup.Points, r.local(v))
			}
		}
	}
	r.soup.Fixed = make([]polymesh.Axes, len(r.soup.Points))
	return nil
}

// local returns a point of the file in the frame. The point is near the vertices.
func (r *reader) local(v [3]float32) lattice.Vertex {
	e, n, u, _ := world(v)
	f := &r.soup.Frame
	return lattice.Vertex{Point: lattice.Point{X: int32(e - f.East), Y: int32(n - f.North)}, Z: int32(u - f.Up)}
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

// polygons lists the ground polygons of all tiles, counter-clockwise as Meadow sees them.
func (r *reader) polygons() {
	for i := range r.tiles {
		t := &r.tiles[i]
		r.from = append(r.from, len(r.soup.Polygons))
		index := make([]int32, len(t.polys))
		for k := range t.polys {
			p := &t.polys[k]
			if index[k] = -1; p.typeOf != typeGround {
				continue
			}
			index[k] = int32(len(r.soup.Polygons))
			q := polymesh.Polygon{Area: p.area, Flags: regionFlags(p.flags)}
			var ring lattice.Ring
			for _, c := range p.corners[:p.count] {
				q.Corners = append(q.Corners, uint32(r.first[i]+int(c)))
				ring = append(ring, r.soup.Points[r.first[i]+int(c)].Point)
			}
			turned := ring.Area2() < 0
			r.turned, r.origin = append(r.turned, turned), append(r.origin, polyName{i, k})
			if k < len(t.details) {
				q.Floor = r.floor(i, &t.details[k], q.Corners)
			}
			if turned {
				slices.Reverse(q.Corners)
			}
			r.soup.Polygons = append(r.soup.Polygons, q)
		}
		r.index = append(r.index, index)
	}
	r.from = append(r.from, len(r.soup.Polygons))
}

// regionFlags returns the flags of a region with Detour's flags: bit 0 opens the region if any of the flags is set, because Detour
// closes polygons without flags to everybody.
func regionFlags(flags uint16) uint32 {
	if flags == 0 {
		return 0
	}
	return uint32(flags)<<flagShift | navmesh.DefaultFlags
}

// floor returns the triangles of a height surface; nil for a surface without triangles.
func (r *reader) floor(tile int, d *detail, corners []uint32) [][3]uint32 {
	t := &r.tiles[tile]
	var out [][3]uint32
	for _, f := range t.detailTriangles[d.triangles : d.triangles+uint32(d.triangleCount)] {
		var triangle [3]uint32
		for k, v := range f[:3] {
			if int(v) < len(corners) {
				triangle[k] = corners[v]
			} else {
				triangle[k] = uint32(r.first[tile]+len(t.vertices)) + d.vertices + uint32(int(v)-len(corners))
			}
		}
		out = append(out, triangle)
	}
	return out
}

// edge returns the number in the soup of an edge of a polygon of the file.
func (r *reader) edge(polygon int32, edge int) int32 {
	n := len(r.soup.Polygons[polygon].Corners)
	if r.turned[polygon] {
		edge = (2*n - 2 - edge) % n
	}
	return int32(edge)
}

// inside joins neighbours of each tile, along edges between the same two vertices.
func (r *reader) inside() {
	for i := range r.tiles {
		t := &r.tiles[i]
		for k := range t.polys {
			p := &t.polys[k]
			for e := range int(p.count) {
				n := p.beside[e]
				if n == 0 || n&external != 0 || r.index[i][k] < 0 || r.index[i][n-1] < 0 {
					continue
				}
				other := int(n - 1)
				q := &t.polys[other]
				a, b := p.corners[e], p.corners[(e+1)%int(p.count)]
				for f := range int(q.count) {
					if q.corners[f] != b || q.corners[(f+1)%int(q.count)] != a {
						continue
					}
					// A pair that names each other is listed once.
					if k < other || int(q.beside[f]) != k+1 {
						r.meet(r.index[i][k], e, r.index[i][other], f)
					}
					break
				}
			}
		}
	}
}

func (r *reader) meet(p int32, e int, q int32, f int) {
	r.soup.Meetings = append(r.soup.Meetings, polymesh.Meeting{P: p, Q: q, PEdge: r.edge(p, e), QEdge: r.edge(q, f)})
}

// rim is an edge on the border of a tile.
type rim struct {
	polygon int32
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
		0: float64(r.set.origin[0]) + float64(float64(t.x+1)*float64(r.width)), 4: float64(r.set.origin[0]) + float64(float64(t.x)*float64(r.width)),
		2: float64(r.set.origin[2]) + float64(float64(t.y+1)*float64(r.depth)), 6: float64(r.set.origin[2]) + float64(float64(t.y)*float64(r.depth)),
	}
	each := func(f func(side uint8, polygon int32, e int, a, b *lattice.Vertex, i, k int)) {
		for k := range t.polys {
			p := &t.polys[k]
			for e := range int(p.count) {
				side := uint8(p.beside[e])
				if p.beside[e]&external == 0 || r.index[tile][k] < 0 || side > 6 || side%2 != 0 {
					continue
				}
				a, b := r.first[tile]+int(p.corners[e]), r.first[tile]+int(p.corners[(e+1)%int(p.count)])
				f(side, r.index[tile][k], e, &r.soup.Points[a], &r.soup.Points[b], a, b)
			}
		}
	}
	each(func(side uint8, _ int32, _ int, a, b *lattice.Vertex, i, k int) {
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
	each(func(side uint8, polygon int32, e int, a, b *lattice.Vertex, _, _ int) {
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
			if ends[0] < 0 || ends[1] < 0 {
				continue
			}
			p := &t.polys[c.poly]
			l := polymesh.Link{
				From: ends[0], To: ends[1], Start: r.local(c.at[0]), End: r.local(c.at[1]), Kind: navmesh.Jump,
				Flags: regionFlags(p.flags), Cost: float32(length(c.at[0], c.at[1])),
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
