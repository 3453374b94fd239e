package experiment

import (
	"math"

	"github.com/meadow-nav/meadow/internal/pq"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// via says which points a navigation map joins.
type via uint8

const (
	viaBoth      via = iota // every region's centroid and the middles of its portals: the source's navigation map
	viaMidpoints            // the middles of the portals of a region with each other
	viaCentroids            // the centroids of neighbours; such an edge may leave the two regions
)

// navMap is the source's navigation map: a graph over the regions and portals of a mesh of one tile. The first nodes are the
// centroids of the regions, those behind them the middles of the portals; both sides of a portal share one.
type navMap struct {
	tile  *navmesh.Tile
	at    []vec      // lattice units
	gates [][]int32  // of every region, the nodes of its portals
	sides [][2]int32 // of every portal, in order of the nodes, its regions
}

// newNavMap prepares the nodes of a mesh. Time O(size of the mesh).
func newNavMap(m *navmesh.Mesh) *navMap {
	t := &m.Tiles[0]
	w := &navMap{tile: t, gates: make([][]int32, len(t.Regions))}
	for r := range t.Regions {
		w.at = append(w.at, centroid(t, r))
	}
	for r := range t.Regions {
		for _, p := range t.RegionPortals(r) {
			if int(p.To) < r {
				continue
			}
			node := int32(len(w.at))
			a, b := t.Vertices[p.Left], t.Vertices[p.Right]
			w.at = append(w.at, vec{(float64(a.X) + float64(b.X)) / 2, (float64(a.Y) + float64(b.Y)) / 2})
			w.gates[r] = append(w.gates[r], node)
			w.gates[p.To] = append(w.gates[p.To], node)
			w.sides = append(w.sides, [2]int32{int32(r), int32(p.To)})
		}
	}
	return w
}

// centroid returns the centre of gravity of a region.
func centroid(t *navmesh.Tile, r int) vec {
	corners := t.RegionCorners(r)
	o := t.Vertices[corners[0]].Point
	var x, y, sum float64
	for i := 1; i+1 < len(corners); i++ {
		a, b := t.Vertices[corners[i]].Point, t.Vertices[corners[i+1]].Point
		area := float64(lattice.Orient(o, a, b))
		// Relative to the first corner, three times the centroid of the triangle.
		x += float64(area * (float64(a.X) + float64(b.X) - float64(2*float64(o.X))))
		y += float64(area * (float64(a.Y) + float64(b.Y) - float64(2*float64(o.Y))))
		sum += area
	}
	return vec{float64(o.X) + x/(3*sum), float64(o.Y) + y/(3*sum)}
}

// route returns the shortest path through the graph from a place in region from to one in region to. The two places
// take the part of their regions' centroids. It is nil where none leads there.
func (w *navMap) route(start vec, from int, goal vec, to int, by via) []vec {
	if from == to {
		return []vec{start, goal}
	}
	// The nodes of the graph, with the places in place of the centroids.
	at := func(n int32) vec {
		switch int(n) {
		case from:
			return start
		case to:
			return goal
		}
		return w.at[n]
	}
	best := make([]float64, len(w.at))
	prev := make([]int32, len(w.at))
	for i := range best {
		best[i] = math.Inf(1)
	}
	best[from] = 0
	prev[from] = -1
	var open pq.Heap
	open.Push(0, int32(from))
	for open.Len() > 0 {
		item := open.Pop()
		n := item.ID
		if item.Key > best[n] {
			continue // pushed again with less
		}
		if int(n) == to {
			break
		}
		for _, next := range w.neighbours(n, to, by) {
			if d := best[n] + distance(at(n), at(next)); d < best[next] {
				best[next], prev[next] = d, n
				open.Push(d, next)
			}
		}
	}
	if math.IsInf(best[to], 1) {
		return nil
	}
	var path []vec
	for n := int32(to); n >= 0; n = prev[n] {
		path = append(path, at(n))
	}
	for i, j := 0, len(path)-1; i < j; i, j = i+1, j-1 {
		path[i], path[j] = path[j], path[i]
	}
	return path
}

// neighbours lists the nodes that n is joined to on the way to a region.
func (w *navMap) neighbours(n int32, to int, by via) []int32 {
	var out []int32
	if regions := len(w.gates); int(n) >= regions {
		for _, side := range w.sides[int(n)-regions] {
			if by == viaBoth || int(side) == to {
				out = append(out, side)
			}
			if by == viaMidpoints {
				out = append(out, w.gates[side]...)
			}
		}
		return out
	}
	if by != viaCentroids {
		return w.gates[n]
	}
	for _, g := range w.gates[n] {
		for _, side := range w.sides[int(g)-len(w.gates)] {
			if side != n {
				out = append(out, side)
			}
		}
	}
	return out
}

func distance(a, b vec) float64 {
	return math.Sqrt(float64((a.x-b.x)*(a.x-b.x)) + float64((a.y-b.y)*(a.y-b.y)))
}

// length returns the length of a path in metres.
func length(path []vec) float64 {
	sum := 0.0
	for i := 1; i < len(path); i++ {
		sum += distance(path[i-1], path[i])
	}
	return sum * lattice.Unit
}

// sharpTurns counts the turns of a path by more than 90 degrees.
func sharpTurns(path []vec) int {
	turns := 0
	for i := 1; i+1 < len(path); i++ {
		a, b, c := path[i-1], path[i], path[i+1]
		if float64((b.x-a.x)*(c.x-b.x))+float64((b.y-a.y)*(c.y-b.y)) < 0 {
			turns++
		}
	}
	return turns
}
