package soup

import (
	"math"
	"slices"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Part returns the soup of some triangles of s, given by ascending indices, in a frame of their own: the frame's origin is the
// corner of their box. A triangle keeps its order, its area and whether it is walkable. Time O(n log n) for n indices.
func (s *Soup) Part(triangles []int32) *Soup {
	low := [3]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}
	high := [3]int32{math.MinInt32, math.MinInt32, math.MinInt32}
	used := make([]uint32, 0, 3*len(triangles))
	for _, i := range triangles {
		t := &s.Triangles[i]
		for k, v := range t.V {
			for axis, c := range [3]int32{v.X, v.Y, v.Z} {
				low[axis], high[axis] = min(low[axis], c), max(high[axis], c)
			}
			used = append(used, t.ID[k])
		}
	}
	out := &Soup{Frame: s.Frame}
	if len(triangles) == 0 {
		return out
	}
	number := renumbered(used)
	out.Vertices = len(number)
	out.Frame.East += int64(low[0])
	out.Frame.North += int64(low[1])
	out.Frame.Up += int64(low[2])
	out.Size = lattice.Vertex{Point: lattice.Point{X: high[0] - low[0], Y: high[1] - low[1]}, Z: high[2] - low[2]}
	out.Triangles = make([]Triangle, len(triangles))
	for n, i := range triangles {
		t := s.Triangles[i]
		for k := range t.V {
			v := &t.V[k]
			v.X, v.Y, v.Z = v.X-low[0], v.Y-low[1], v.Z-low[2]
			t.ID[k] = number[t.ID[k]]
		}
		out.Triangles[n] = t
	}
	return out
}

// renumbered returns the rank of each different id.
func renumbered(ids []uint32) map[uint32]uint32 {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	rank := make(map[uint32]uint32, len(sorted)) // looked up only
	for i, id := range sorted {
		rank[id] = uint32(i)
	}
	return rank
}
