package query

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// Worlds for tests: meshes made here from convex polygons, without the packages that make real meshes.

const metre = lattice.UnitsPerMetre

// patch is a future region: a convex counter-clockwise ring on a layer.
type patch struct {
	ring  []lattice.Vertex
	layer int
}

// side is an edge of a patch.
type side struct {
	patch, edge int
	a, b        lattice.Vertex
	from, to    int64 // positions of a and b along their line
}

// line identifies the line of a side: its direction, shortened and turned upwards, and its offset.
type line struct{ dx, dy, c int64 }

// lineOf returns the line through a and b and the positions of both along the line.
func lineOf(a, b lattice.Point) (l line, from, to int64) {
	dx, dy := b.Sub(a)
	g := gcd(dx, dy)
	dx, dy = dx/g, dy/g
	if dy < 0 || dy == 0 && dx < 0 {
		dx, dy = -dx, -dy
	}
	place := func(p lattice.Point) int64 { return dx*int64(p.X) + dy*int64(p.Y) }
	return line{dx, dy, dx*int64(a.Y) - dy*int64(a.X)}, place(a), place(b)
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// heightOn returns the height of a side at a position along its line.
func (s side) heightOn(at int64) float64 {
	t := float64(at-s.from) / float64(s.to-s.from)
	return float64(s.a.Z) + t*float64(s.b.Z-s.a.Z)
}

// stitch makes a mesh of one tile from patches. Overlapping edges of opposite directions become a portal if their
// heights differ by at most the agent's climb.
func stitch(tb testing.TB, frame lattice.Frame, agent geom.Agent, patches []patch, floors []lattice.TIN) *navmesh.Mesh {
	tb.Helper()
	var tile navmesh.Tile
	tile.Generation = 1
	numbers := map[lattice.Vertex]uint32{}
	number := func(v lattice.Vertex) uint32 {
		n, ok := numbers[v]
		if !ok {
			n = uint32(len(tile.Vertices))
			numbers[v] = n
			tile.Vertices = append(tile.Vertices, v)
		}
		return n
	}
	lines := map[line][]side{}
	var order []line
	for i, p := range patches {
		tile.Regions = append(tile.Regions, navmesh.Region{
			First: uint32(len(tile.Corners)), Count: uint32(len(p.ring)),
			Layer: uint16(p.layer), Flags: navmesh.DefaultFlags,
		})
		points := make([]lattice.Point, len(p.ring))
		for j, v := range p.ring {
			points[j] = v.Point
			tile.Corners = append(tile.Corners, number(v))
			w := p.ring[(j+1)%len(p.ring)]
			l, from, to := lineOf(v.Point, w.Point)
			if _, ok := lines[l]; !ok {
				order = append(order, l)
			}
			lines[l] = append(lines[l], side{i, j, v, w, from, to})
		}
		for j := range points {
			if lattice.Orient(points[j], points[(j+1)%len(points)], points[(j+2)%len(points)]) < 0 {
				tb.Fatalf("patch %d is not convex at %v", i, points[(j+1)%len(points)])
			}
		}
	}

	type joint struct {
		s, other    side
		right, left lattice.Vertex // seen from s
		back        int            // index of the joint in the other direction
	}
	var joints []joint
	climb := agent.MaxClimb * metre
	for _, l := range order {
		var up, down []side
		for _, s := range lines[l] {
			if s.from < s.to {
				up = append(up, s)
			} else {
				down = append(down, s)
			}
		}
		slices.SortStableFunc(down, func(a, b side) int { return cmp.Compare(a.to, b.to) })
		longest := int64(0)
		for _, s := range down {
			longest = max(longest, s.from-s.to)
		}
		for _, s := range up {
			first, _ := slices.BinarySearchFunc(down, s.from-longest, func(d side, at int64) int { return cmp.Compare(d.to, at) })
			for _, o := range down[first:] {
				if o.to >= s.to {
					break
				}
				lo, hi := max(s.from, o.to), min(s.to, o.from)
				if lo >= hi || math.Abs(s.heightOn(lo)-o.heightOn(lo)) > climb || math.Abs(s.heightOn(hi)-o.heightOn(hi)) > climb {
					continue
				}
				right, left := s.a, s.b
				if lo != s.from {
					right = o.b
				}
				if hi != s.to {
					left = o.a
				}
				n := len(joints)
				joints = append(joints, joint{s, o, right, left, n + 1}, joint{o, s, left, right, n})
			}
		}
	}
	byPlace := make([]int, len(joints))
	for i := range byPlace {
		byPlace[i] = i
	}
	slices.SortFunc(byPlace, func(i, j int) int {
		a, b := joints[i], joints[j]
		return cmp.Or(cmp.Compare(a.s.patch, b.s.patch), cmp.Compare(a.s.edge, b.s.edge),
			cmp.Compare(a.s.a.Distance2(a.right.Point), b.s.a.Distance2(b.right.Point)), cmp.Compare(i, j))
	})
	rank := make([]uint32, len(joints))
	for r, i := range byPlace {
		rank[i] = uint32(r)
	}
	for _, i := range byPlace {
		j := joints[i]
		r := &tile.Regions[j.s.patch]
		if r.PortalCount == 0 {
			r.FirstPortal = uint32(len(tile.Portals))
		}
		r.PortalCount++
		tile.Portals = append(tile.Portals, navmesh.Portal{
			To: uint32(j.other.patch), Edge: uint32(j.s.edge),
			Left: number(j.left), Right: number(j.right), Back: rank[j.back],
		})
	}
	for _, f := range floors {
		tile.Layers = append(tile.Layers, navmesh.Layer{Floor: f})
	}
	tile.Derive()
	return &navmesh.Mesh{Frame: frame, Agent: agent, Tiles: []navmesh.Tile{tile}}
}

// floorOf returns the floor made of the patches of a layer.
func floorOf(patches []patch, layer int) lattice.TIN {
	var tin lattice.TIN
	for _, p := range patches {
		if p.layer != layer {
			continue
		}
		first := uint32(len(tin.Vertices))
		tin.Vertices = append(tin.Vertices, p.ring...)
		for i := uint32(1); int(i)+1 < len(p.ring); i++ {
			if lattice.Orient(p.ring[0].Point, p.ring[i].Point, p.ring[i+1].Point) > 0 {
				tin.Triangles = append(tin.Triangles, [3]uint32{first, first + i, first + i + 1})
			}
		}
	}
	return tin
}

// world is a mesh with an independent answer for the length of shortest paths.
type world interface {
	theMesh() *navmesh.Mesh
	// draw returns a point of the world's own plane, in the free space or on its border.
	draw(rng *rand.Rand) (p lattice.Point, ok bool)
	// point maps a point of the world's plane to space.
	point(p lattice.Point) geom.Vec
	// shortest returns the length of the shortest path in metres, +Inf if no path exists.
	shortest(a, b lattice.Point) float64
}

// randomWorld makes a small world of a random kind.
func randomWorld(tb testing.TB, rng *rand.Rand) world {
	tb.Helper()
	if rng.IntN(3) == 0 {
		return newSoup(tb, rng, 3+rng.IntN(7), 3+rng.IntN(7), 0.05+0.4*rng.Float64(), lattice.Frame{})
	}
	return newGrid(tb, rng, 2+rng.IntN(11), 2+rng.IntN(11), 0.1+0.4*rng.Float64(), style(rng.IntN(int(styles))), lattice.Frame{})
}

// testAgent is the agent of the test worlds.
var testAgent = geom.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}

// gridWorld is a level floor of square cells, some blocked, under a linear map of the lattice to itself.
type gridWorld struct {
	width, height int
	blocked       []bool
	cell          int32    // units along the side of a cell before the map
	m             [4]int32 // row-major, of positive determinant
	patches       []patch
	mesh          *navmesh.Mesh
	oracle        *oracle // made on first use
}

func (w *gridWorld) theMesh() *navmesh.Mesh { return w.mesh }

func (w *gridWorld) shortest(a, b lattice.Point) float64 {
	if w.oracle == nil {
		w.oracle = newOracle(w)
	}
	return w.oracle.length(a, b)
}

// at reports whether a cell is blocked; all cells outside are.
func (w *gridWorld) at(x, y int) bool {
	return x < 0 || y < 0 || x >= w.width || y >= w.height || w.blocked[y*w.width+x]
}

// vertex maps a point of the plain grid, in units.
func (w *gridWorld) vertex(x, y int32) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: w.m[0]*x + w.m[1]*y, Y: w.m[2]*x + w.m[3]*y}}
}

// point maps a point of the plain grid to the world.
func (w *gridWorld) point(p lattice.Point) geom.Vec {
	return w.mesh.Frame.ToWorld(w.vertex(p.X, p.Y).Point, 0)
}

// maps are the linear maps of grid worlds: unchanged, turned, sheared, mirrored twice.
var maps = [][4]int32{{1, 0, 0, 1}, {3, -4, 4, 3}, {2, 1, 0, 1}, {-1, 0, 0, -1}, {5, 2, 1, 3}}

// style is a way to join the free cells of a gridWorld to regions.
type style int

const (
	cells      style = iota // one region for each cell
	rectangles              // grown greedily from random cells, with T-junctions
	triangles               // rectangles cut along a diagonal
	styles
)

// newGrid makes a world; blocked cells are drawn with the given probability.
func newGrid(tb testing.TB, rng *rand.Rand, width, height int, density float64, s style, frame lattice.Frame) *gridWorld {
	tb.Helper()
	blocked := make([]bool, width*height)
	for i := range blocked {
		blocked[i] = rng.Float64() < density
	}
	return gridOf(tb, rng, width, height, blocked, s, maps[rng.IntN(len(maps))], frame)
}

// gridOf makes the world of the given cells.
func gridOf(tb testing.TB, rng *rand.Rand, width, height int, blocked []bool, s style, m [4]int32, frame lattice.Frame) *gridWorld {
	tb.Helper()
	w := &gridWorld{width: width, height: height, blocked: blocked, cell: metre, m: m}
	taken := slices.Clone(blocked)
	free := func(x0, y0, x1, y1 int) bool {
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				if x < 0 || y < 0 || x >= width || y >= height || taken[y*width+x] {
					return false
				}
			}
		}
		return true
	}
	for _, i := range rng.Perm(width * height) {
		if taken[i] {
			continue
		}
		x0, y0 := i%width, i/width
		x1, y1 := x0+1, y0+1
		for s != cells {
			switch {
			case free(x1, y0, x1+1, y1) && rng.IntN(2) == 0:
				x1++
				continue
			case free(x0, y1, x1, y1+1):
				y1++
				continue
			case free(x0-1, y0, x0, y1):
				x0--
				continue
			case free(x0, y0-1, x1, y0):
				y0--
				continue
			case free(x1, y0, x1+1, y1):
				x1++
				continue
			}
			break
		}
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				taken[y*width+x] = true
			}
		}
		c := w.cell
		a, b := w.vertex(int32(x0)*c, int32(y0)*c), w.vertex(int32(x1)*c, int32(y0)*c)
		d, e := w.vertex(int32(x1)*c, int32(y1)*c), w.vertex(int32(x0)*c, int32(y1)*c)
		switch {
		case s == triangles && rng.IntN(2) == 0:
			w.patches = append(w.patches, patch{ring: []lattice.Vertex{a, b, d}}, patch{ring: []lattice.Vertex{a, d, e}})
		case s == triangles:
			w.patches = append(w.patches, patch{ring: []lattice.Vertex{b, d, e}}, patch{ring: []lattice.Vertex{b, e, a}})
		default:
			w.patches = append(w.patches, patch{ring: []lattice.Vertex{a, b, d, e}})
		}
	}
	w.mesh = stitch(tb, frame, testAgent, w.patches, []lattice.TIN{floorOf(w.patches, 0)})
	return w
}

// draw draws a point of the plain grid in or on the border of a free cell: often a corner of a cell or a point on an
// edge, for degenerate cases. Points where free cells touch only across a corner are not drawn, because their side
// would be ambiguous.
func (w *gridWorld) draw(rng *rand.Rand) (p lattice.Point, ok bool) {
	for range 1000 {
		x, y := rng.IntN(w.width), rng.IntN(w.height)
		if w.at(x, y) {
			continue
		}
		dx, dy := rng.Int32N(w.cell+1), rng.Int32N(w.cell+1)
		switch rng.IntN(4) {
		case 0:
			dx = w.cell * rng.Int32N(2)
			dy = w.cell * rng.Int32N(2)
		case 1:
			dx = w.cell * rng.Int32N(2)
		}
		p := lattice.Point{X: int32(x)*w.cell + dx, Y: int32(y)*w.cell + dy}
		if !w.pinched(p) {
			return p, true
		}
	}
	return lattice.Point{}, false
}

// pinched reports whether p is a corner where two blocked cells meet across.
func (w *gridWorld) pinched(p lattice.Point) bool {
	if p.X%w.cell != 0 || p.Y%w.cell != 0 {
		return false
	}
	x, y := int(p.X/w.cell), int(p.Y/w.cell)
	sw, se, nw, ne := w.at(x-1, y-1), w.at(x, y-1), w.at(x-1, y), w.at(x, y)
	return sw == ne && se == nw && sw != se
}

// oracle finds the shortest path on a gridWorld from the cells alone, by Dijkstra's algorithm on the visibility graph,
// without regions and portals.
type oracle struct {
	w     *gridWorld
	nodes []lattice.Point // the corners of obstacles
	sees  [][]bool
}

func newOracle(w *gridWorld) *oracle {
	o := &oracle{w: w}
	for y := range w.height + 1 {
		for x := range w.width + 1 {
			n := 0
			for _, b := range []bool{w.at(x-1, y-1), w.at(x, y-1), w.at(x-1, y), w.at(x, y)} {
				if b {
					n++
				}
			}
			if n == 1 {
				o.nodes = append(o.nodes, lattice.Point{X: int32(x) * w.cell, Y: int32(y) * w.cell})
			}
		}
	}
	o.sees = make([][]bool, len(o.nodes))
	for i := range o.nodes {
		o.sees[i] = make([]bool, len(o.nodes))
		for j := range i {
			o.sees[i][j] = o.visible(o.nodes[i], o.nodes[j])
			o.sees[j][i] = o.sees[i][j]
		}
	}
	return o
}

// visible reports whether the segment from a to b stays in the closed free space. The segment must not squeeze through
// points where free cells touch across, or between obstacles along an edge.
func (o *oracle) visible(a, b lattice.Point) bool {
	w, c := o.w, int64(o.w.cell)
	ax, ay, bx, by := int64(a.X), int64(a.Y), int64(b.X), int64(b.Y)
	side := func(x, y int64) int64 { return (bx-ax)*(y-ay) - (by-ay)*(x-ax) }
	for y := min(ay, by)/c - 1; y <= max(ay, by)/c; y++ {
		for x := min(ax, bx)/c - 1; x <= max(ax, bx)/c; x++ {
			x0, y0, x1, y1 := x*c, y*c, (x+1)*c, (y+1)*c
			if w.at(int(x), int(y)) && max(ax, bx) > x0 && min(ax, bx) < x1 && max(ay, by) > y0 && min(ay, by) < y1 {
				s := []int64{side(x0, y0), side(x1, y0), side(x0, y1), side(x1, y1)}
				if slices.Min(s) < 0 && slices.Max(s) > 0 {
					return false
				}
			}
			// The lower and the left edge of the cell, with obstacles on both sides.
			if ay == y0 && by == y0 && max(ax, bx) > x0 && min(ax, bx) < x1 && w.at(int(x), int(y)) && w.at(int(x), int(y-1)) {
				return false
			}
			if ax == x0 && bx == x0 && max(ay, by) > y0 && min(ay, by) < y1 && w.at(int(x), int(y)) && w.at(int(x-1), int(y)) {
				return false
			}
			corner := lattice.Point{X: int32(x0), Y: int32(y0)}
			if corner != a && corner != b && w.pinched(corner) && lattice.OnSegment(corner, a, b) {
				return false
			}
		}
	}
	return true
}

// length returns the length of the shortest path in metres, +Inf if no path exists.
func (o *oracle) length(start, goal lattice.Point) float64 {
	n := len(o.nodes)
	points := append(slices.Clone(o.nodes), start, goal)
	sees := func(i, j int) bool {
		if i < n && j < n {
			return o.sees[i][j]
		}
		return o.visible(points[i], points[j])
	}
	dist := make([]float64, n+2)
	done := make([]bool, n+2)
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[n] = 0
	for {
		best := -1
		for i := range dist {
			if !done[i] && (best < 0 || dist[i] < dist[best]) {
				best = i
			}
		}
		if best == n+1 || best < 0 || math.IsInf(dist[best], 1) {
			return dist[n+1] / metre
		}
		done[best] = true
		for i := range dist {
			if !done[i] && sees(best, i) {
				p, q := o.w.vertex(points[best].X, points[best].Y), o.w.vertex(points[i].X, points[i].Y)
				dist[i] = min(dist[i], dist[best]+math.Hypot(index.Sub(p.Point, q.Point)))
			}
		}
	}
}
