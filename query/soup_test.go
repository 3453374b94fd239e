package query

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query/internal/index"
)

// soup is a level floor in general position: a grid with moved vertices, cut into triangles. Some triangles are
// blocked, and free triangles are joined to convex regions.
type soup struct {
	frame         lattice.Frame
	free, blocked [][3]lattice.Point
	mesh          *navmesh.Mesh
	walls         map[[2]lattice.Point]bool // directed edges of blocked triangles
	sectors       map[lattice.Point][]sector
	nodes         []soupNode
	sees          [][]bool
}

// sector is a connected part of the free space around a vertex: triangles.
type sector [][3]lattice.Point

// soupNode is a place where an oracle's path may turn. Sector is nil for starts and goals.
type soupNode struct {
	at     lattice.Point
	sector sector
}

func newSoup(tb testing.TB, rng *rand.Rand, width, height int, density float64, frame lattice.Frame) *soup {
	tb.Helper()
	w := &soup{frame: frame, walls: map[[2]lattice.Point]bool{}}
	const moved = 1300 // units in each direction: 0.32 of a cell
	points := make([]lattice.Point, (width+1)*(height+1))
	for i := range points {
		points[i] = lattice.Point{
			X: int32(i%(width+1))*metre + rng.Int32N(2*moved+1) - moved,
			Y: int32(i/(width+1))*metre + rng.Int32N(2*moved+1) - moved,
		}
	}
	for y := range height {
		for x := range width {
			i := y*(width+1) + x
			a, b, c, d := points[i], points[i+1], points[i+width+2], points[i+width+1]
			pair := [2][3]lattice.Point{{a, b, c}, {a, c, d}}
			if lattice.Orient(a, b, c) <= 0 || lattice.Orient(a, c, d) <= 0 || rng.IntN(2) == 0 && lattice.Orient(a, b, d) > 0 && lattice.Orient(b, c, d) > 0 {
				pair = [2][3]lattice.Point{{a, b, d}, {b, c, d}}
			}
			border := x == 0 || y == 0 || x == width-1 || y == height-1
			for _, tri := range pair {
				if border || rng.Float64() < density {
					w.blocked = append(w.blocked, tri)
					for k := range 3 {
						w.walls[[2]lattice.Point{tri[k], tri[(k+1)%3]}] = true
					}
				} else {
					w.free = append(w.free, tri)
				}
			}
		}
	}
	patches := w.join(rng)
	w.mesh = stitch(tb, frame, testAgent, patches, []lattice.TIN{floorOf(patches, 0)})
	w.findSectors()
	return w
}

// join joins free triangles over random edges as long as the union is convex.
func (w *soup) join(rng *rand.Rand) []patch {
	rings := make([][]lattice.Point, len(w.free))
	for i, tri := range w.free {
		rings[i] = tri[:]
	}
	for range 2 * len(rings) {
		i := rng.IntN(len(rings))
		if len(rings[i]) == 0 {
			continue
		}
		k := rng.IntN(len(rings[i]))
		from, to := rings[i][k], rings[i][(k+1)%len(rings[i])]
		for j := range rings {
			at := slices.Index(rings[j], to)
			if j == i || at < 0 || rings[j][(at+1)%len(rings[j])] != from {
				continue
			}
			union := slices.Concat(rings[i][k+1:], rings[i][:k+1])
			// Up to here the ring goes from to around to from. The way back is around the other ring.
			for m := 2; m < len(rings[j]); m++ {
				union = append(union, rings[j][(at+m)%len(rings[j])])
			}
			convex := true
			for m := range union {
				convex = convex && lattice.Orient(union[m], union[(m+1)%len(union)], union[(m+2)%len(union)]) >= 0
				convex = convex && !slices.Contains(union[m+1:], union[m])
			}
			if convex {
				rings[i], rings[j] = union, nil
			}
			break
		}
	}
	var patches []patch
	for _, ring := range rings {
		if len(ring) > 0 {
			p := patch{}
			for _, at := range ring {
				p.ring = append(p.ring, lattice.Vertex{Point: at})
			}
			patches = append(patches, p)
		}
	}
	return patches
}

// findSectors groups the free triangles around every vertex. Groups where a shortest path may turn, or may pass a point
// where free space is pinched, become nodes.
func (w *soup) findSectors() {
	w.sectors = map[lattice.Point][]sector{}
	var order []lattice.Point
	for _, tri := range w.free {
		for _, p := range tri {
			if w.sectors[p] == nil {
				order = append(order, p)
			}
			joined := sector{tri}
			var apart []sector
			for _, s := range w.sectors[p] {
				if slices.ContainsFunc(s, func(o [3]lattice.Point) bool { return shareEdgeAt(p, tri, o) }) {
					joined = append(joined, s...)
				} else {
					apart = append(apart, s)
				}
			}
			w.sectors[p] = append(apart, joined)
		}
	}
	for _, p := range order {
		for _, s := range w.sectors[p] {
			w.nodes = append(w.nodes, soupNode{p, s})
		}
	}
}

// shareEdgeAt reports whether two triangles have a common edge that starts or ends at p.
func shareEdgeAt(p lattice.Point, a, b [3]lattice.Point) bool {
	common := 0
	for _, v := range a {
		if slices.Contains(b[:], v) {
			common++
		}
	}
	return common == 2 && slices.Contains(a[:], p) && slices.Contains(b[:], p)
}

func (w *soup) theMesh() *navmesh.Mesh { return w.mesh }

func (w *soup) point(p lattice.Point) geom.Vec { return w.frame.ToWorld(p, 0) }

// draw returns a point inside a free triangle, on its border or at its corner, unless the free space is pinched there.
func (w *soup) draw(rng *rand.Rand) (p lattice.Point, ok bool) {
	if len(w.free) == 0 {
		return lattice.Point{}, false
	}
	for range 1000 {
		tri := w.free[rng.IntN(len(w.free))]
		switch rng.IntN(3) {
		case 0:
			p = tri[rng.IntN(3)]
		default:
			u, v := rng.Float64(), rng.Float64()
			if u+v > 1 {
				u, v = 1-u, 1-v
			}
			p.X = tri[0].X + int32(u*float64(tri[1].X-tri[0].X)+v*float64(tri[2].X-tri[0].X))
			p.Y = tri[0].Y + int32(u*float64(tri[1].Y-tri[0].Y)+v*float64(tri[2].Y-tri[0].Y))
			if !inTriangle(p, tri) {
				continue
			}
		}
		if len(w.sectors[p]) < 2 {
			return p, true
		}
	}
	return lattice.Point{}, false
}

func inTriangle(p lattice.Point, tri [3]lattice.Point) bool {
	return lattice.Orient(tri[0], tri[1], p) >= 0 && lattice.Orient(tri[1], tri[2], p) >= 0 && lattice.Orient(tri[2], tri[0], p) >= 0
}

// leaves reports whether a way from the node can start towards p.
func (n soupNode) leaves(p lattice.Point) bool {
	if n.sector == nil {
		return true
	}
	for _, tri := range n.sector {
		i := slices.Index(tri[:], n.at)
		if lattice.Orient(n.at, tri[(i+1)%3], p) >= 0 && lattice.Orient(n.at, p, tri[(i+2)%3]) >= 0 {
			return true
		}
	}
	return false
}

// visible reports whether the straight way between two nodes is free and passes no vertex where free space is pinched:
// such vertices are nodes.
func (w *soup) visible(m, n soupNode) bool {
	a, b := m.at, n.at
	if a == b {
		return m.sector == nil || n.sector == nil
	}
	if !m.leaves(b) || !n.leaves(a) {
		return false
	}
	for _, tri := range w.blocked {
		apart := false
		lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
		for k := range 3 {
			s, e := tri[k], tri[(k+1)%3]
			apart = apart || lattice.Orient(s, e, a) <= 0 && lattice.Orient(s, e, b) <= 0
			o := lattice.Orient(a, b, s)
			lo, hi = min(lo, o), max(hi, o)
			// No way leads along an edge with obstacles on both sides.
			if w.walls[[2]lattice.Point{e, s}] && lattice.Orient(a, b, s) == 0 && lattice.Orient(a, b, e) == 0 {
				t0, t1 := lattice.Dot(a, b, s), lattice.Dot(a, b, e)
				if max(t0, t1) > 0 && min(t0, t1) < lattice.Dot(a, b, b) {
					return false
				}
			}
		}
		if !apart && lo < 0 && hi > 0 {
			return false
		}
	}
	for p, s := range w.sectors {
		if len(s) > 1 && p != a && p != b && lattice.OnSegment(p, a, b) {
			return false
		}
	}
	return true
}

// shortest is Dijkstra's algorithm on the visibility graph.
func (w *soup) shortest(a, b lattice.Point) float64 {
	n := len(w.nodes)
	if w.sees == nil {
		w.sees = make([][]bool, n)
		for i := range w.sees {
			w.sees[i] = make([]bool, n)
			for j := range i {
				w.sees[i][j] = w.visible(w.nodes[i], w.nodes[j])
				w.sees[j][i] = w.sees[i][j]
			}
		}
	}
	nodes := append(slices.Clone(w.nodes), soupNode{at: a}, soupNode{at: b})
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
		if best == n+1 || math.IsInf(dist[best], 1) {
			return dist[n+1] / metre
		}
		done[best] = true
		for i := range dist {
			if done[i] {
				continue
			}
			if best < n && i < n && w.sees[best][i] || (best >= n || i >= n) && w.visible(nodes[best], nodes[i]) {
				dist[i] = min(dist[i], dist[best]+index.Distance(nodes[best].at, nodes[i].at))
			}
		}
	}
}
