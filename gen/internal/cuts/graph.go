package cuts

import "github.com/meadow-nav/meadow/lattice"

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

// Chains returns the segments in rows, each as long as possible without a point inside of it that has other
// than two segments. A row that closes has its first point again at its end. Rows are in the order of
// their first segments.
func (g *Graph) Chains() [][]int32 {
	degree := g.Degrees()
	first := make([]int32, len(g.Points)+1)
	for i, n := range degree {
		first[i+1] = first[i] + n
	}
	around := make([]int32, 2*len(g.Segments)) // segments at a point
	fill := append([]int32(nil), first[:len(g.Points)]...)
	for i, s := range g.Segments {
		for _, v := range s {
			around[fill[v]] = int32(i)
			fill[v]++
		}
	}
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
