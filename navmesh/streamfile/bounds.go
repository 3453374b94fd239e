package streamfile

import (
	"cmp"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/pq"
)

// Source: own; Dijkstra's algorithm on the borders between tiles.
//
// Idea: a path from place to place crosses borders. From one border to the next it is at least as long as the distance of
// their boxes, so the shortest way over boxes is a lower bound for all paths through a tile. A tile whose bound is not below
// the cost of a known path holds no cheaper path.
//
// Guarantees: no path that visits a tile costs less than the tile's bound, for costs of at least scale per metre
// (TestBoundsAreLower).
//
// Degenerate cases: a tile with a link that costs less than its length may be crossed at no cost.
//
// Tiles with more than crowded borders are crossed at no cost, too.
//
// Cost: O(s·(log s + crowded)) for s sides.

// side is a border as seen from one of its tiles.
type side struct {
	tile int
	box  lattice.Box
	back int32 // the same border in the other tile
	// out and in are the costs of leaving and entering the tile here, in lattice units; +Inf for never.
	out, in float64
}

// linkSides lists the sides of all borders.
func (f *File) linkSides() {
	f.sidesOf = make([][]int32, len(f.entries))
	for _, b := range f.borders {
		n := int32(len(f.sides))
		back := b.Cost
		if b.OneWay {
			back = math.Inf(1)
		}
		f.sides = append(f.sides, side{b.Tiles[0], b.Boxes[0], n + 1, b.Cost, back}, side{b.Tiles[1], b.Boxes[1], n, back, b.Cost})
		for i, t := range b.Tiles {
			f.sidesOf[t] = append(f.sidesOf[t], n+int32(i))
		}
	}
}

// crowded is the largest number of borders of a tile whose distances count.
const crowded = 256

// End is an end of a path: a place, and the tile with its region.
type End struct {
	Place geom.Vec
	Tile  int
}

// Bounds returns for every tile a lower bound for the cost of paths between two ends that visit the tile, in metres of plain
// ground; +Inf for a tile that no path visits. A metre of any ground costs at least scale, and links have their own costs.
func (f *File) Bounds(start, goal End, scale float64) []float64 {
	there, back := f.spread(start, scale, false), f.spread(goal, scale, true)
	bounds := make([]float64, len(f.entries))
	for t := range bounds {
		bounds[t] = math.Inf(1)
		for _, s := range f.sidesOf[t] {
			bounds[t] = min(bounds[t], (there[s]+back[s])*lattice.Unit)
		}
	}
	// The tiles of the ends are on every path between the ends.
	whole := math.Inf(1)
	if start.Tile == goal.Tile {
		whole = 0
	}
	whole = min(whole, bounds[start.Tile], bounds[goal.Tile])
	bounds[start.Tile], bounds[goal.Tile] = whole, whole
	return bounds
}

// spread returns the least cost from an end to every side, standing in the side's tile, in lattice units; from every side to the
// end where backward is set.
func (f *File) spread(from End, scale float64, backward bool) []float64 {
	best := make([]float64, len(f.sides))
	for i := range best {
		best[i] = math.Inf(1)
	}
	var queue pq.Heap
	crossed := make([]bool, len(f.entries)) // crowded tiles
	reach := func(s int32, cost float64) {
		if cost < best[s] {
			best[s] = cost
			queue.Push(cost, s)
		}
	}
	x, y, _ := f.head.Frame.Local(from.Place)
	for _, s := range f.sidesOf[from.Tile] {
		reach(s, f.within(from.Tile, scale*toBox(&f.sides[s].box, x, y)))
	}
	for queue.Len() > 0 {
		next := queue.Pop()
		s := &f.sides[next.ID]
		if next.Key > best[next.ID] {
			continue
		}
		cost := s.out
		if backward {
			cost = s.in
		}
		if !math.IsInf(cost, 1) {
			reach(s.back, next.Key+cost)
		}
		others := f.sidesOf[s.tile]
		if len(others) > crowded {
			if crossed[s.tile] {
				continue // all sides have been reached at no greater cost
			}
			crossed[s.tile] = true
		}
		for _, o := range others {
			way := 0.0
			if len(others) <= crowded {
				way = f.within(s.tile, scale*apartBy(&s.box, &f.sides[o].box))
			}
			reach(o, next.Key+way)
		}
	}
	return best
}

// within returns the least cost of a way within a tile between places some distance apart.
func (f *File) within(tile int, distance float64) float64 {
	if f.entries[tile].shortcuts {
		return 0
	}
	return distance
}

// apartBy returns the distance of two boxes.
func apartBy(a, b *lattice.Box) float64 {
	dx := max(float64(a.Min.X)-float64(b.Max.X), 0, float64(b.Min.X)-float64(a.Max.X))
	dy := max(float64(a.Min.Y)-float64(b.Max.Y), 0, float64(b.Min.Y)-float64(a.Max.Y))
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// Below lists the tiles whose bound is below a cost, least bound first.
func Below(bounds []float64, cost float64) []int {
	var out []int
	for t, b := range bounds {
		if b < cost && !math.IsInf(b, 1) {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(bounds[a], bounds[b]) })
	return out
}
