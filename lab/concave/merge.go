package concave

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/cdt"
	"github.com/meadow-nav/meadow/internal/pq"
)

// region is a union of cells while they are merged.
type region struct {
	ring  []int32 // vertices, counter-clockwise; every vertex on the border is in it
	cells []int
	gone  bool // merged into another one
}

// side is a directed piece of border between two vertices, with the region on its left.
type side [2]int32

// merger is the regions and their neighbours.
type merger struct {
	at      []lattice.Point // of every vertex
	regions []region
	of      map[side]int32 // the region on the left of a side
	seen    []int32        // of every vertex: the union that came by last
	unions  int32
	pairs   [][2]int32 // of every number in the queue: two regions that may be merged
}

// newMap finds where the cells meet: the corners of all become vertices, and a side is cut at every
// vertex on it.
func newMap(cells []plan.Cell) (*merger, error) {
	var points []lattice.Point
	for i, c := range cells {
		if len(c.Corners) < 3 {
			return nil, fmt.Errorf("concave: cell %d has %d corners, a cell needs 3", i, len(c.Corners))
		}
		for _, k := range c.Corners {
			if min(k.X, k.Y) < -lattice.MaxCoord || max(k.X, k.Y) > lattice.MaxCoord {
				return nil, fmt.Errorf("concave: cell %d: corner at %v is outside of the frame", i, k.Point)
			}
			points = append(points, k.Point)
		}
	}
	// Without constraints, a ray first meets the next vertex on it.
	tri, ids := cdt.New(points)
	m := &merger{at: tri.P, of: make(map[side]int32, 2*len(points)), seen: make([]int32, len(tri.P))}
	first := 0
	for i, c := range cells {
		corners := ids[first : first+len(c.Corners)]
		first += len(c.Corners)
		var ring []int32
		for k, u := range corners {
			for v := corners[(k+1)%len(corners)]; u != v; {
				ring = append(ring, u)
				u = tri.Shoot(u, tri.P[v]).Vertex
			}
		}
		for k, u := range ring {
			s := side{u, ring[(k+1)%len(ring)]}
			if o, ok := m.of[s]; ok {
				return nil, fmt.Errorf("concave: cells %d and %d overlap at the side from %v to %v", o, i, m.at[s[0]], m.at[s[1]])
			}
			m.of[s] = int32(i)
		}
		m.regions = append(m.regions, region{ring: ring, cells: []int{i}})
	}
	return m, nil
}

// points returns the places of the vertices of a ring.
func (m *merger) points(ring []int32) lattice.Ring {
	r := make(lattice.Ring, len(ring))
	for i, v := range ring {
		r[i] = m.at[v]
	}
	return r
}

// left returns the region on the left of the side from u to v, or -1.
func (m *merger) left(u, v int32) int32 {
	if i, ok := m.of[side{u, v}]; ok {
		return i
	}
	return -1
}

// neighbours returns the regions with a side in common with region i, in the order of its border.
func (m *merger) neighbours(i int32) []int32 {
	ring := m.regions[i].ring
	var all []int32
	for k, u := range ring {
		if j := m.left(ring[(k+1)%len(ring)], u); j >= 0 && !slices.Contains(all, j) {
			all = append(all, j)
		}
	}
	return all
}

// unite returns the border of regions i and j together, and the ends of the stretch that they share.
// ok is false where the union is not a simple polygon.
func (m *merger) unite(i, j int32) (ring []int32, ends side, ok bool) {
	a, b := m.regions[i].ring, m.regions[j].ring
	shared := func(k int) bool { return m.left(a[(k+1)%len(a)], a[k%len(a)]) == j }
	// The stretch begins where a shared side follows an unshared one.
	begin := 0
	for begin < len(a) && !(shared(begin) && !shared(begin+len(a)-1)) {
		begin++
	}
	if begin == len(a) {
		return nil, side{}, false
	}
	end := begin + 1
	for shared(end) {
		end++
	}
	ends = side{a[begin], a[end%len(a)]}
	for k := end; k < begin+len(a); k++ {
		ring = append(ring, a[k%len(a)])
	}
	// Walking around b, the stretch goes from its end to its start.
	from := slices.Index(b, ends[0])
	for k := from; b[k%len(b)] != ends[1]; k++ {
		ring = append(ring, b[k%len(b)])
	}
	// Cells do not overlap and all vertices on a border are in it: the ring is simple unless it comes
	// to a vertex twice, where the regions touch once more.
	m.unions++
	for _, v := range ring {
		if m.seen[v] == m.unions {
			return nil, side{}, false
		}
		m.seen[v] = m.unions
	}
	return ring, ends, true
}

// merge merges regions as long as there are two whose union has at most the squared concavity bound2.
func (m *merger) merge(ctx context.Context, bound2 uint64) error {
	var queue pq.Heap
	offer := func(i, j int32) {
		ring, ends, ok := m.unite(i, j)
		if !ok {
			return
		}
		depth := Concavity2(m.points(ring))
		if depth.CompareInt(bound2) > 0 {
			return
		}
		// Convex unions come before all others: their common border is straight, and the longest comes first.
		key := depth.Float()
		if depth.IsZero() {
			key = -float64(m.at[ends[0]].Distance2(m.at[ends[1]]))
		}
		queue.Push(key, int32(len(m.pairs)))
		m.pairs = append(m.pairs, [2]int32{i, j})
	}
	for i := range m.regions {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, j := range m.neighbours(int32(i)) {
			if int32(i) < j {
				offer(int32(i), j)
			}
		}
	}
	for queue.Len() > 0 {
		pair := m.pairs[queue.Pop().ID]
		if m.regions[pair[0]].gone || m.regions[pair[1]].gone {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		i := m.join(pair[0], pair[1])
		for _, j := range m.neighbours(i) {
			offer(i, j)
		}
	}
	return nil
}

// join merges two regions into a new region.
func (m *merger) join(i, j int32) int32 {
	ring, _, _ := m.unite(i, j)
	n := int32(len(m.regions))
	for _, k := range [...]int32{i, j} {
		old := &m.regions[k]
		old.gone = true
		for s, u := range old.ring {
			delete(m.of, side{u, old.ring[(s+1)%len(old.ring)]})
		}
	}
	for s, u := range ring {
		m.of[side{u, ring[(s+1)%len(ring)]}] = n
	}
	cells := append(slices.Clone(m.regions[i].cells), m.regions[j].cells...)
	slices.Sort(cells)
	m.regions = append(m.regions, region{ring: ring, cells: cells})
	return n
}

// sortRegions brings regions into the order of their first cells.
func sortRegions(regions []Region) {
	slices.SortFunc(regions, func(a, b Region) int { return cmp.Compare(a.Cells[0], b.Cells[0]) })
}
