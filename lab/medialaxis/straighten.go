package medialaxis

import (
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
	"github.com/meadow-nav/meadow/lab/internal/cuts"
)

// straighten returns the branches of the axis between its corners and junctions, each with as few points as the
// tolerance allows. Junctions nearer to each other than the tolerance become one.
func straighten(g *cuts.Graph, clearance []float64, tolerance float64) (branches [][]lattice.Point) {
	chains := g.Chains()
	degree := g.Degrees()
	same := unionfind.New(len(g.Points))
	isShort := func(chain []int32) bool {
		u, v := chain[0], chain[len(chain)-1]
		if u == v || degree[u] < 3 || degree[v] < 3 {
			return false
		}
		long := 0.0
		for i := 1; i < len(chain); i++ {
			long += g.Points[chain[i-1]].Distance(g.Points[chain[i]])
		}
		return long < tolerance*min(clearance[u], clearance[v])
	}
	for _, chain := range chains {
		if isShort(chain) {
			same.Union(chain[0], chain[len(chain)-1])
		}
	}
	for _, chain := range chains {
		u, v := same.Find(chain[0]), same.Find(chain[len(chain)-1])
		if u == v && chain[0] != chain[len(chain)-1] {
			continue
		}
		chain[0], chain[len(chain)-1] = u, v
		branch := []lattice.Point{g.Points[u]}
		var divide func(i, k int)
		divide = func(i, k int) {
			if far, worst := farthest(g, clearance, chain, i, k); worst > tolerance {
				divide(i, far)
				divide(far, k)
				return
			}
			branch = append(branch, g.Points[chain[k]])
		}
		divide(0, len(chain)-1)
		branches = append(branches, branch)
	}
	return branches
}

// farthest returns the point of a chain between places i and k farthest from the straight line between them,
// and its distance in distances to its nearest wall.
func farthest(g *cuts.Graph, clearance []float64, chain []int32, i, k int) (far int, worst float64) {
	p, q := g.Points[chain[i]], g.Points[chain[k]]
	for j := i + 1; j < k; j++ {
		at := g.Points[chain[j]]
		off := p.Distance(at) // of a ring
		if p != q {
			off = lattice.SegmentDistance2(at, p, q).Sqrt()
		}
		if off /= max(clearance[chain[j]], 1); off > worst {
			far, worst = j, off
		}
	}
	return far, worst
}
