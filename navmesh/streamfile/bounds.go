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
// their boxes, and from its start as long as the straight way. So the shortest way over boxes is a lower bound for all paths
// through a tile. A tile whose bound is not below the cost of a known path holds no cheaper path.
//
// Guarantees: no path that visits a tile costs less than the tile's bound, for costs of at least scale per metre
// (TestBoundsAreLower).
//
// Degenerate cases: a tile with a link that costs less than its length may be crossed at no cost, and straight ways do not
// count in a file with such a link. Tiles with more than crowded borders are crossed at no cost, too.
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

// End is an end of a path: a place, and the tile with its region, or all tiles that may have the region.
type End struct {
	Place geom.Vec
	Tiles []int
}

// Bounds are lower bounds for the cost of paths between two ends, in metres of plain ground.
type Bounds struct {
	// Tiles has for every tile a bound for paths that visit the tile; +Inf for a tile that no path visits.
	Tiles []float64

	file  *File
	goal  End
	scale float64
	back  []float64 // from every side to the goal
}

// Bounds returns lower bounds for paths between two ends. A metre of any ground costs at least scale metres of plain ground,
// and links have their own costs.
func (f *File) Bounds(start, goal End, scale float64) *Bounds {
	b := &Bounds{Tiles: make([]float64, len(f.entries)), file: f, goal: goal, scale: scale}
	there := f.spread(start, scale, false)
	b.back = f.spread(goal, scale, true)
	for t := range b.Tiles {
		best := math.Inf(1)
		for _, s := range f.sidesOf[t] {
			best = min(best, there[s]+b.back[s])
		}
		b.Tiles[t] = max(best*lattice.Unit, b.straight(start.Place))
	}
	for _, t := range start.Tiles {
		b.Tiles[t] = min(b.Tiles[t], b.Onward(t, start.Place))
	}
	return b
}

// Onward returns a bound for paths from a place in a tile to the goal; +Inf where there is none.
func (b *Bounds) Onward(tile int, place geom.Vec) float64 {
	x, y, _ := b.file.head.Frame.Local(place)
	best := math.Inf(1)
	if slices.Contains(b.goal.Tiles, tile) {
		best = 0
	}
	for _, s := range b.file.sidesOf[tile] {
		best = min(best, b.file.within(tile, b.scale*toBox(&b.file.sides[s].box, x, y))+b.back[s])
	}
	return max(best*lattice.Unit, b.straight(place))
}

// straight returns the least cost of the straight way from a place to the goal, 0 where links may be cheaper.
func (b *Bounds) straight(place geom.Vec) float64 {
	if b.file.cheap {
		return 0
	}
	d := b.goal.Place.Sub(place)
	return b.scale * math.Sqrt(float64(d.X*d.X)+float64(d.Z*d.Z))
}

// Below lists the tiles whose bound is below a cost, least bound first.
func (b *Bounds) Below(cost float64) []int {
	var out []int
	for t, bound := range b.Tiles {
		if bound < cost {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(x, y int) int { return cmp.Compare(b.Tiles[x], b.Tiles[y]) })
	return out
}

// spread returns the least cost from an end to every side, standing in the side's tile, in lattice units; from every side to
// the end where backward is set.
func (f *File) spread(from End, scale float64, backward bool) []float64 {
	best := make([]float64, len(f.sides))
	for i := range best {
		best[i] = math.Inf(1)
	}
	var queue pq.Heap
	crossed := make([]bool, len(f.entries)) // crowded tiles
	x, y, _ := f.head.Frame.Local(from.Place)
	reach := func(s int32, cost float64) {
		if !f.cheap {
			cost = max(cost, scale*toBox(&f.sides[s].box, x, y))
		}
		if cost < best[s] {
			best[s] = cost
			queue.Push(cost, s)
		}
	}
	for _, t := range from.Tiles {
		for _, s := range f.sidesOf[t] {
			reach(s, f.within(t, scale*toBox(&f.sides[s].box, x, y)))
		}
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
