// Package collision finds pairs of discs that may collide by the structures that the source compares: all pairs, a k-d tree, a
// spatial hash, and a navigation mesh as published; and by a modern grid. Package agents/presence is the product's own way.
package collision

// Rivals of collision detection by a navigation mesh.
//
// Source: D. H. Hale, A Growth-Based Approach to the Automatic Generation of Navigation Meshes, dissertation, 2011,
// appendix D: a k-d tree of depth 5 made anew from the present places, a spatial hash of about 30 cells, and algorithms
// D.1 to D.4. J. L. Bentley, Multidimensional binary search trees, CACM 18 (1975). M. Müller and others, Ten Minute
// Physics 11, for the grid in sorted arrays.
//
// Idea: Each structure puts discs into cells, and tests the pairs of a cell.
//
// Input: discs on the lattice; radii below 2²⁰ units.
//
// Guarantees:
//  1. All structures but the mesh as published find every pair once (TestRivalsAgainstAllPairs).
//  2. The mesh as published finds every pair of discs whose regions are the same or neighbours (TestPublishedMesh).
//
// Degenerate cases: discs in one place, discs on the border between cells, no discs.
//
// Cost: O(n²/c) for c cells, of even density.
//
// Departures: the source does not say how a pair that two cells share is found once. Here the cell with the south-western
// corner of the common part of two boxes reports the pair.

import (
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Disc is an object seen from above, in lattice units.
type Disc struct {
	At     lattice.Point
	Radius int32
}

func (d *Disc) box() lattice.Box {
	return lattice.Box{
		Min: lattice.Point{X: d.At.X - d.Radius, Y: d.At.Y - d.Radius},
		Max: lattice.Point{X: d.At.X + d.Radius, Y: d.At.Y + d.Radius},
	}
}

// Touches reports exactly whether two discs have a common point.
func (d *Disc) Touches(e *Disc) bool {
	sum := uint64(d.Radius + e.Radius)
	return d.At.Distance2(e.At) <= sum*sum
}

// TouchesBox reports exactly whether a disc and a box have a common point.
func (d *Disc) TouchesBox(b *lattice.Box) bool {
	near := lattice.Point{X: min(max(d.At.X, b.Min.X), b.Max.X), Y: min(max(d.At.Y, b.Min.Y), b.Max.Y)}
	return d.At.Distance2(near) <= uint64(d.Radius)*uint64(d.Radius)
}

// Pair is the indices of two discs, the smaller one first.
type Pair struct{ A, B int32 }

// Finder finds the pairs of discs that have a common point.
type Finder interface {
	Name() string
	// Pairs appends the pairs to a list, and returns the number of tests of two discs. A Finder keeps its memory from call
	// to call.
	Pairs(list []Pair, discs []Disc) (pairs []Pair, tests int)
}

// AllPairs tests every pair.
type AllPairs struct{}

// Name returns "all-pairs".
func (AllPairs) Name() string { return "all-pairs" }

// Pairs implements [Finder].
func (AllPairs) Pairs(list []Pair, discs []Disc) ([]Pair, int) {
	for i := range discs {
		for j := i + 1; j < len(discs); j++ {
			if discs[i].Touches(&discs[j]) {
				list = append(list, Pair{int32(i), int32(j)})
			}
		}
	}
	return list, len(discs) * (len(discs) - 1) / 2
}

// owns reports whether a cell holds the south-western corner of the common part of two boxes. Cells are half-open.
func owns(cell lattice.Box, a, b *Disc) bool {
	x, y := max(a.At.X-a.Radius, b.At.X-b.Radius), max(a.At.Y-a.Radius, b.At.Y-b.Radius)
	return cell.Min.X <= x && x < cell.Max.X && cell.Min.Y <= y && y < cell.Max.Y
}

// inside tests all pairs of a cell.
func inside(list []Pair, discs []Disc, members []int32, cell lattice.Box) ([]Pair, int) {
	for i, a := range members {
		for _, b := range members[i+1:] {
			if discs[a].Touches(&discs[b]) && owns(cell, &discs[a], &discs[b]) {
				list = append(list, Pair{min(a, b), max(a, b)})
			}
		}
	}
	return list, len(members) * (len(members) - 1) / 2
}

// everywhere is a cell without a border in reach.
var everywhere = lattice.Box{Min: lattice.Point{X: -1 << 31, Y: -1 << 31}, Max: lattice.Point{X: 1<<31 - 1, Y: 1<<31 - 1}}

// Tree is a k-d tree of a given depth, made anew for the discs of each call. A node is divided at the median of the centres,
// across its longer side of centres by turns; discs on the border go to both sides.
type Tree struct {
	Depth int
	order []int32
}

// Name returns "kd-tree".
func (t *Tree) Name() string { return "kd-tree" }

// Pairs implements [Finder].
func (t *Tree) Pairs(list []Pair, discs []Disc) ([]Pair, int) {
	members := make([]int32, len(discs))
	for i := range members {
		members[i] = int32(i)
	}
	return t.node(list, discs, members, everywhere, t.Depth)
}

func (t *Tree) node(list []Pair, discs []Disc, members []int32, cell lattice.Box, depth int) ([]Pair, int) {
	if depth == 0 || len(members) < 2 {
		return inside(list, discs, members, cell)
	}
	along := func(i int32) int32 {
		if (t.Depth-depth)%2 == 0 {
			return discs[i].At.X
		}
		return discs[i].At.Y
	}
	t.order = append(t.order[:0], members...)
	slices.SortFunc(t.order, func(a, b int32) int { return int(along(a)) - int(along(b)) })
	cut := along(t.order[len(t.order)/2])
	var low, high []int32
	for _, i := range members {
		if along(i)-discs[i].Radius < cut {
			low = append(low, i)
		}
		if along(i)+discs[i].Radius >= cut {
			high = append(high, i)
		}
	}
	lower, upper := cell, cell
	if (t.Depth-depth)%2 == 0 {
		lower.Max.X, upper.Min.X = cut, cut
	} else {
		lower.Max.Y, upper.Min.Y = cut, cut
	}
	list, a := t.node(list, discs, low, lower, depth-1)
	list, b := t.node(list, discs, high, upper, depth-1)
	return list, a + b
}

// Hash is a spatial hash of Columns × Rows cells over a box; discs beside the box belong to its outer cells.
type Hash struct {
	Over          lattice.Box
	Columns, Rows int32
	cells         [][]int32
}

// Name returns "spatial-hash".
func (h *Hash) Name() string { return "spatial-hash" }

// cut returns the number of the stripe of a coordinate.
func cut(x, low, high, n int32) int32 {
	return int32(min(max(lattice.FloorDiv(int64(x-low)*int64(n), int64(high-low)), 0), int64(n-1)))
}

// Pairs implements [Finder].
func (h *Hash) Pairs(list []Pair, discs []Disc) ([]Pair, int) {
	if h.cells == nil {
		h.cells = make([][]int32, h.Columns*h.Rows)
	}
	for i := range h.cells {
		h.cells[i] = h.cells[i][:0]
	}
	column := func(x int32) int32 { return cut(x, h.Over.Min.X, h.Over.Max.X, h.Columns) }
	row := func(y int32) int32 { return cut(y, h.Over.Min.Y, h.Over.Max.Y, h.Rows) }
	for i := range discs {
		b := discs[i].box()
		for y := row(b.Min.Y); y <= row(b.Max.Y); y++ {
			for x := column(b.Min.X); x <= column(b.Max.X); x++ {
				h.cells[y*h.Columns+x] = append(h.cells[y*h.Columns+x], int32(i))
			}
		}
	}
	tests := 0
	for k, members := range h.cells {
		for i, a := range members {
			for _, b := range members[i+1:] {
				tests++
				p, q := &discs[a], &discs[b]
				if p.Touches(q) && column(max(p.At.X-p.Radius, q.At.X-q.Radius)) == int32(k)%h.Columns &&
					row(max(p.At.Y-p.Radius, q.At.Y-q.Radius)) == int32(k)/h.Columns {
					list = append(list, Pair{min(a, b), max(a, b)})
				}
			}
		}
	}
	return list, tests
}

// Grid is a grid of square cells, twice as wide as the widest disc, in one sorted array: a disc belongs to the cell of its
// centre, and is tested against the rest of its cell and four of the cells beside.
type Grid struct {
	first, members []int32
	cells          []int32
}

// Name returns "grid".
func (g *Grid) Name() string { return "grid" }

// Pairs implements [Finder].
func (g *Grid) Pairs(list []Pair, discs []Disc) ([]Pair, int) {
	if len(discs) == 0 {
		return list, 0
	}
	over, widest := lattice.EmptyBox(), int32(1)
	for i := range discs {
		over = over.Extend(discs[i].At)
		widest = max(widest, discs[i].Radius)
	}
	width, height := over.Size()
	side := int64(4 * widest)
	for (width/side+3)*(height/side+3) > int64(16*len(discs)+64) {
		side *= 2 // no more cells than memory for the discs
	}
	columns, rows := int32(width/side)+3, int32(height/side)+3 // with an empty border
	cell := func(p lattice.Point) int32 {
		return (int32(int64(p.Y-over.Min.Y)/side)+1)*columns + int32(int64(p.X-over.Min.X)/side) + 1
	}
	g.first = slices.Grow(g.first[:0], int(columns*rows)+1)[:columns*rows+1]
	clear(g.first)
	g.cells = g.cells[:0]
	for i := range discs {
		c := cell(discs[i].At)
		g.cells = append(g.cells, c)
		g.first[c]++
	}
	sum := int32(0)
	for c := range g.first {
		sum += g.first[c]
		g.first[c] = sum
	}
	g.members = slices.Grow(g.members[:0], len(discs))[:len(discs)]
	for i := len(discs) - 1; i >= 0; i-- {
		c := g.cells[i]
		g.first[c]--
		g.members[g.first[c]] = int32(i)
	}
	tests := 0
	against := func(a int32, others []int32) {
		for _, b := range others {
			tests++
			if discs[a].Touches(&discs[b]) {
				list = append(list, Pair{min(a, b), max(a, b)})
			}
		}
	}
	in := func(from, to int32) []int32 { return g.members[g.first[from]:g.first[to+1]] }
	for k, a := range g.members {
		c := g.cells[a]
		against(a, g.members[k+1:g.first[c+1]])
		against(a, in(c+1, c+1))
		against(a, in(c+columns-1, c+columns+1))
	}
	return list, tests
}

// Mesh is algorithms D.1 to D.4 as published: an object has one region, that of its centre, and is tested against the
// objects of the region and of its neighbours.
type Mesh struct {
	// Lost counts the discs of the last call whose centres are in no region.
	Lost       int
	regions    []lattice.Ring
	boxes      []lattice.Box
	neighbours [][]int32
	of         []int32 // the region of each disc, -1 for none
	cells      [][]int32
	marks      []int32
	queue      []int32
	stamp      int32
}

// NewMesh returns the structure over the regions of a mesh of one tile.
func NewMesh(m *navmesh.Mesh) *Mesh {
	s := &Mesh{}
	for i := range m.Tiles {
		t, first := &m.Tiles[i], int32(len(s.regions))
		for r := range t.Regions {
			var ring lattice.Ring
			for _, v := range t.RegionCorners(r) {
				ring = append(ring, t.Vertices[v].Point)
			}
			var beside []int32
			for _, p := range t.RegionPortals(r) {
				if to := first + int32(p.To); !slices.Contains(beside, to) {
					beside = append(beside, to)
				}
			}
			s.regions, s.boxes, s.neighbours = append(s.regions, ring), append(s.boxes, ring.Box()), append(s.neighbours, beside)
		}
	}
	s.cells, s.marks = make([][]int32, len(s.regions)), make([]int32, len(s.regions))
	return s
}

// Name returns "mesh-published".
func (s *Mesh) Name() string { return "mesh-published" }

func (s *Mesh) contains(r int32, p lattice.Point) bool {
	if !s.boxes[r].Contains(p) {
		return false
	}
	ring := s.regions[r]
	last := ring[len(ring)-1]
	for _, q := range ring {
		if lattice.Orient(last, q, p) < 0 {
			return false
		}
		last = q
	}
	return true
}

// Locate returns the region of a point: by a breadth-first search from a region that is known, else by a look at all. The
// result is -1 in no free space.
func (s *Mesh) Locate(p lattice.Point, known int32) int32 {
	if known < 0 {
		for r := range s.regions {
			if s.contains(int32(r), p) {
				return int32(r)
			}
		}
		return -1
	}
	s.stamp++
	s.queue = append(s.queue[:0], known)
	s.marks[known] = s.stamp
	for i := 0; i < len(s.queue); i++ {
		r := s.queue[i]
		if s.contains(r, p) {
			return r
		}
		for _, n := range s.neighbours[r] {
			if s.marks[n] != s.stamp {
				s.marks[n] = s.stamp
				s.queue = append(s.queue, n)
			}
		}
	}
	return -1
}

// Place updates the regions of discs, each from its region of the call before.
func (s *Mesh) Place(discs []Disc) {
	if len(s.of) != len(discs) {
		s.of = make([]int32, len(discs))
		for i := range s.of {
			s.of[i] = -1
		}
	}
	s.Lost = 0
	for i := range discs {
		s.of[i] = s.Locate(discs[i].At, s.of[i])
		if s.of[i] < 0 {
			s.Lost++
		}
	}
}

// Free reports whether the centre of disc i was in free space at the last Place: the source's test against static objects.
func (s *Mesh) Free(i int) bool { return s.of[i] >= 0 }

// Pairs implements [Finder].
func (s *Mesh) Pairs(list []Pair, discs []Disc) ([]Pair, int) {
	s.Place(discs)
	for r := range s.cells {
		s.cells[r] = s.cells[r][:0]
	}
	for i, r := range s.of {
		if r >= 0 {
			s.cells[r] = append(s.cells[r], int32(i))
		}
	}
	tests := 0
	for r, members := range s.cells {
		for i, a := range members {
			for _, b := range members[i+1:] {
				if discs[a].Touches(&discs[b]) {
					list = append(list, Pair{a, b})
				}
			}
			tests += len(members) - 1 - i
			for _, n := range s.neighbours[r] {
				if int(n) < r {
					continue // the pair is the neighbour's
				}
				for _, b := range s.cells[n] {
					if discs[a].Touches(&discs[b]) {
						list = append(list, Pair{min(a, b), max(a, b)})
					}
				}
				tests += len(s.cells[n])
			}
		}
	}
	return list, tests
}
