package exact

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/internal/rows"
	"github.com/meadow-nav/meadow/internal/soup"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Detailed levels have many tops of ornaments, pipes and lamps, far from all other floors and narrower than the agent. Such floors would
// cost as much as others. But no step leads to them, and they have no place.
//
// Source: none, these are connected parts of a graph of boxes.
//
// Idea: triangles with a common vertex are a sheet. A narrow sheet takes in all sheets within reach of a step or a bridge, until the
// part is wide or nothing else is near. A part that stays narrow is roomless. Where other floors lie a short way above or below, the part
// hides and divides these floors as before, but needs no obstacles and no erosion. All other roomless parts count as hidden.
//
// Input: the merged floors of a level, before any overlay.
//
// Guarantees: the places on other floors are the same as with roomless parts as floor: TestRoomless.
//
// Degenerate cases: a tile has no roomless parts, because it may hold less than a part. A point has room everywhere.
//
// Cost: O(t + n log t) for t floors, n of them in narrow sheets, as long as few floors are near each other. Terrain is one wide sheet.

// findRoomless finds the triangles of roomless parts.
func (e *extraction) findRoomless() {
	least := 2 * (e.radius - e.gap - 4*touching) // the width of a part with a place
	if least <= 0 || e.window != nil {
		return
	}
	s := e.connected()
	narrow := func(sheet int32) bool { return s.spreads[sheet].width() < least }
	if !slices.ContainsFunc(s.spreads, func(w spread) bool { return w.width() < least }) {
		return // as on terrain
	}
	members := rows.New(len(s.spreads), func(add func(sheet, t int32)) {
		for _, i := range e.floors.Items() {
			if sheet := s.of(i.ID); narrow(sheet) {
				add(sheet, i.ID)
			}
		}
	})
	part := make([]int32, len(s.spreads)) // of each sheet, one more than the first sheet of the part; 0 if unknown
	var own []int32                       // the triangles of the part at hand
	var near []item
	for first := range int32(len(part)) {
		if part[first] != 0 || !narrow(first) {
			continue
		}
		part[first] = first + 1
		own = append(own[:0], members.Of(first)...)
		whole, alone := s.spreads[first], true
		for k := 0; k < len(own) && alone; k++ {
			box := e.withinSteps(own[k])
			near = e.floors.Search(&box, near[:0])
			for i := 0; i < len(near) && alone; i++ {
				sheet := s.of(near[i].ID)
				if part[sheet] == first+1 {
					continue
				}
				whole.take(&s.spreads[sheet])
				// A sheet that is known already is in a wide part.
				alone = part[sheet] == 0 && whole.width() < least
				part[sheet] = first + 1
				own = append(own, members.Of(sheet)...)
			}
		}
		if !alone {
			continue
		}
		kind := lone
		if e.isStacked(own, func(t int32) bool { return part[s.of(t)] == first+1 }) {
			kind = stacked
		}
		if e.rooms == nil {
			e.rooms = make([]room, len(e.soup.Triangles))
		}
		for _, t := range own {
			e.rooms[t] = kind
		}
	}
}

// room tells whether a floor may have a place.
type room uint8

const (
	ample   room = iota
	lone         // no place, and no other floor less than the agent's height above or below
	stacked      // no place, but the floor and its bridges may hide and divide other floors
)

// roomOf returns whether a triangle may have a place.
func (e *extraction) roomOf(t int32) room {
	if e.rooms == nil {
		return ample
	}
	return e.rooms[t]
}

// isStacked reports whether a floor that is not here lies less than the agent's height above or below some triangles or bridges between them.
func (e *extraction) isStacked(triangles []int32, here func(t int32) bool) bool {
	return slices.ContainsFunc(triangles, func(t int32) bool {
		box := e.withinSteps(t)
		box.Low[2], box.High[2] = min(box.Low[2], lowered(e.box(t).Low[2], e.height)), max(box.High[2], raised(e.box(t).High[2], e.height))
		return e.floors.Any(&box, func(o int32) bool { return !here(o) })
	})
}

// withinSteps returns the box of all floors that may continue a floor, by a step or a bridge. A floor in the way of a bridge is within a
// step of the higher or of the lower end of the bridge.
func (e *extraction) withinSteps(t int32) box3 {
	const margin = reach / 4 // more than any look beyond an edge
	box := e.box(t).Grown(int32(e.maxGap) + margin)
	box.Low[2], box.High[2] = lowered(box.Low[2], e.climb+margin), raised(box.High[2], e.climb+margin)
	return box
}

// connected are the floors that common vertices connect.
type connected struct {
	soup    *soup.Soup
	forest  unionfind.Forest // of vertices
	number  []int32          // of the sheet of each root
	spreads []spread
}

func (e *extraction) connected() *connected {
	s := &connected{soup: e.soup, forest: unionfind.New(e.soup.Vertices), number: make([]int32, e.soup.Vertices)}
	items := e.floors.Items()
	for i := range items {
		id := &s.soup.Triangles[items[i].ID].ID
		s.forest.Union(int32(id[0]), int32(id[1]))
		s.forest.Union(int32(id[1]), int32(id[2]))
	}
	for i := range s.number {
		s.number[i] = unassigned
	}
	for i := range items {
		t := items[i].ID
		root := s.forest.Find(int32(s.soup.Triangles[t].ID[0]))
		if s.number[root] == unassigned {
			s.number[root] = int32(len(s.spreads))
			s.spreads = append(s.spreads, noSpread)
		}
		s.spreads[s.number[root]].add(&s.soup.Triangles[t])
	}
	return s
}

// of returns the sheet of a floor.
func (s *connected) of(t int32) int32 {
	return s.number[s.forest.Find(int32(s.soup.Triangles[t].ID[0]))]
}

// spread is how far a part of the plan spreads along both axes and both diagonals, which are longer by √2.
type spread struct{ low, high [4]int64 }

// noSpread is the spread of nothing.
var noSpread = spread{
	low:  [4]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64},
	high: [4]int64{math.MinInt64, math.MinInt64, math.MinInt64, math.MinInt64},
}

func (s *spread) add(t *soup.Triangle) {
	for _, v := range t.V {
		x, y := int64(v.X), int64(v.Y)
		for k, at := range [4]int64{x, y, x + y, x - y} {
			s.low[k], s.high[k] = min(s.low[k], at), max(s.high[k], at)
		}
	}
}

func (s *spread) take(o *spread) {
	for k := range s.low {
		s.low[k], s.high[k] = min(s.low[k], o.low[k]), max(s.high[k], o.high[k])
	}
}

// width returns the least width of a strip that holds the part, along the axes and the diagonals.
func (s *spread) width() float64 {
	straight := float64(min(s.high[0]-s.low[0], s.high[1]-s.low[1]))
	return min(straight, float64(min(s.high[2]-s.low[2], s.high[3]-s.low[3]))/math.Sqrt2)
}
