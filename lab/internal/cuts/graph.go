package cuts

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// Graph is a set of segments between numbered points: the borders of cells.
type Graph struct {
	Points   []lattice.Point
	Segments [][2]int32
}

// Lines returns the segments by their ends.
func (g *Graph) Lines() [][2]lattice.Point {
	lines := make([][2]lattice.Point, len(g.Segments))
	for i, s := range g.Segments {
		lines[i] = [2]lattice.Point{g.Points[s[0]], g.Points[s[1]]}
	}
	return lines
}

// Degrees returns of every point how many segments end there.
func (g *Graph) Degrees() []int32 {
	degree := make([]int32, len(g.Points))
	for _, s := range g.Segments {
		degree[s[0]]++
		degree[s[1]]++
	}
	return degree
}

// Chains returns the segments in rows, each as long as possible without an inner point of other than two
// segments. A closed row repeats its first point at its end. Rows are in the order of their first segments.
func (g *Graph) Chains() [][]int32 {
	degree := g.Degrees()
	first, around := g.around(degree)
	done := make([]bool, len(g.Segments))
	var chains [][]int32
	walk := func(v, seg int32) {
		chain := []int32{v}
		for {
			done[seg] = true
			s := g.Segments[seg]
			if v == s[0] {
				v = s[1]
			} else {
				v = s[0]
			}
			chain = append(chain, v)
			if degree[v] != 2 {
				break
			}
			next := around[first[v]]
			if next == seg {
				next = around[first[v]+1]
			}
			if done[next] {
				break
			}
			seg = next
		}
		chains = append(chains, chain)
	}
	for i, s := range g.Segments {
		for _, v := range s {
			if !done[i] && degree[v] != 2 {
				walk(v, int32(i))
			}
		}
	}
	for i, s := range g.Segments {
		if !done[i] {
			walk(s[0], int32(i)) // only rings are left
		}
	}
	return chains
}

// NewGraph returns the graph of segments, with one point for all ends at the same place. The ends of a segment
// shorter than short become one, the first of them, unless one is a loose end.
func NewGraph(segments [][2]lattice.Point, short float64) *Graph {
	g := &Graph{}
	number := map[lattice.Point]int32{}
	at := func(p lattice.Point) int32 {
		i, ok := number[p]
		if !ok {
			i = int32(len(g.Points))
			number[p] = i
			g.Points = append(g.Points, p)
		}
		return i
	}
	for _, s := range segments {
		g.Segments = append(g.Segments, [2]int32{at(s[0]), at(s[1])})
	}
	g.unite(func(i int32) int32 { return i })
	same := unionfind.New(len(g.Points))
	degree := g.Degrees()
	for _, s := range g.Segments {
		if degree[s[0]] > 1 && degree[s[1]] > 1 && g.Points[s[0]].Distance(g.Points[s[1]]) < short {
			same.Union(s[0], s[1])
		}
	}
	g.unite(same.Find)
	return g
}

// unite replaces every point by another, and drops empty and repeated segments.
func (g *Graph) unite(by func(i int32) int32) {
	seen := make(map[[2]int32]bool, len(g.Segments))
	all := g.Segments[:0]
	for _, s := range g.Segments {
		a, b := by(s[0]), by(s[1])
		key := [2]int32{min(a, b), max(a, b)}
		if a != b && !seen[key] {
			seen[key] = true
			all = append(all, [2]int32{a, b})
		}
	}
	g.Segments = all
}

// Prune removes segments with loose ends, again and again, except where keep allows a loose end.
func (g *Graph) Prune(keep func(i int32) bool) {
	degree := g.Degrees()
	first, around := g.around(degree)
	gone := make([]bool, len(g.Segments))
	for i := range g.Points {
		for at := int32(i); degree[at] == 1 && !keep(at); {
			next := at
			for _, seg := range around[first[at]:first[at+1]] {
				if s := g.Segments[seg]; !gone[seg] {
					gone[seg] = true
					degree[s[0]]--
					degree[s[1]]--
					next = s[0] + s[1] - at
				}
			}
			at = next
		}
	}
	all := g.Segments[:0]
	for i, s := range g.Segments {
		if !gone[i] {
			all = append(all, s)
		}
	}
	g.Segments = all
}

// around returns the segments at every point: those of point i are around[first[i]:first[i+1]].
func (g *Graph) around(degree []int32) (first, around []int32) {
	first = make([]int32, len(g.Points)+1)
	for i, n := range degree {
		first[i+1] = first[i] + n
	}
	around = make([]int32, 2*len(g.Segments))
	fill := append([]int32(nil), first[:len(g.Points)]...)
	for i, s := range g.Segments {
		for _, v := range s {
			around[fill[v]] = int32(i)
			fill[v]++
		}
	}
	return first, around
}
