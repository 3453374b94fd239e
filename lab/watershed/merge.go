package watershed

import (
	"cmp"
	"slices"

	"github.com/meadow-nav/meadow/lab/internal/cuts"
)

// side is a border between two basins of so many cells' sides.
type side struct {
	a, b int32
	long int
}

// sides returns how much border every two basins share, ordered by their numbers.
func (f *flooding) sides() []side {
	var all []side
	add := func(a, b int32) {
		if a != b && a != none && b != none {
			all = append(all, side{min(a, b), max(a, b), 1})
		}
	}
	for y := range f.H {
		for x := range f.W {
			k := y*f.W + x
			if x > 0 {
				add(f.basin[k-1], f.basin[k])
			}
			if y > 0 {
				add(f.basin[k-f.W], f.basin[k])
			}
		}
	}
	slices.SortFunc(all, func(s, t side) int { return cmp.Or(cmp.Compare(s.a, t.a), cmp.Compare(s.b, t.b)) })
	n := 0
	for _, s := range all {
		if n > 0 && all[n-1].a == s.a && all[n-1].b == s.b {
			all[n-1].long++
			continue
		}
		all[n] = s
		n++
	}
	return all[:n]
}

// merge joins every basin of fewer than least cells to the neighbour with the longest common border, round
// after round, until none has a neighbour or all are large enough. It returns the number of basins.
func (f *flooding) merge(least int) int {
	for {
		into := make([]int32, len(f.size))
		longest := make([]int, len(f.size))
		for b := range into {
			into[b] = int32(b)
		}
		for _, s := range f.sides() {
			for _, t := range [...]side{s, {s.b, s.a, s.long}} {
				if f.size[t.a] < least && t.long > longest[t.a] {
					into[t.a], longest[t.a] = t.b, t.long
				}
			}
		}
		// Of two that chose each other, and of every ring of choices, the one with the lowest number stays.
		merged := false
		to := make([]int32, len(into))
		for b := range into {
			to[b] = follow(into, int32(b))
			merged = merged || to[b] != int32(b)
		}
		if !merged {
			break
		}
		for k, b := range f.basin {
			if b != none {
				f.basin[k] = to[b]
			}
		}
		for b, t := range to {
			if t != int32(b) {
				f.size[t] += f.size[b]
				f.size[b] = 0
			}
		}
	}
	n := 0
	for _, size := range f.size {
		if size > 0 {
			n++
		}
	}
	return n
}

// follow returns where the choices lead from b: to a basin that chose none, or to the lowest of a ring.
func follow(into []int32, b int32) int32 {
	slow, fast := b, into[b]
	for slow != fast {
		slow, fast = into[slow], into[into[fast]]
	}
	lowest := slow
	for at := into[slow]; at != slow; at = into[at] {
		lowest = min(lowest, at)
	}
	return lowest
}

// borders returns the sides between open cells of different basins as a graph of grid corners.
func (f *flooding) borders() *cuts.Graph {
	g := &cuts.Graph{}
	number := make([]int32, (f.W+1)*(f.H+1))
	corner := func(x, y int) int32 {
		k := y*(f.W+1) + x
		if number[k] == 0 {
			g.Points = append(g.Points, f.Corner(x, y))
			number[k] = int32(len(g.Points))
		}
		return number[k] - 1
	}
	differ := func(k, l int) bool {
		return f.basin[k] != none && f.basin[l] != none && f.basin[k] != f.basin[l]
	}
	for y := range f.H {
		for x := range f.W {
			k := y*f.W + x
			if x > 0 && differ(k, k-1) {
				g.Segments = append(g.Segments, [2]int32{corner(x, y), corner(x, y+1)})
			}
			if y > 0 && differ(k, k-f.W) {
				g.Segments = append(g.Segments, [2]int32{corner(x, y), corner(x+1, y)})
			}
		}
	}
	return g
}
