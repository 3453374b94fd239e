package levelgen

import "math/rand/v2"

const (
	mazeCorridor = 2.5
	mazeWall     = 0.5
	mazeHeight   = 2.5
)

// makeMaze carves a maze by a random walk that backs out of dead ends and so reaches every cell; then every
// twelfth wall is opened, for several ways. Work and memory are linear in the number of cells.
func makeMaze(b *builder, opt Options, r *rand.Rand) {
	n := max(int((opt.Size-mazeWall)/(mazeCorridor+mazeWall)), 2)
	// solid is a grid of walls and cells alternately: odd rows and columns are cells.
	m := 2*n + 1
	solid := make([][]bool, m)
	for j := range solid {
		solid[j] = make([]bool, m)
		for i := range solid[j] {
			solid[j][i] = true
		}
	}
	steps := [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	stack := [][2]int{{1, 1}}
	solid[1][1] = false
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		var ways [][2]int
		for _, s := range steps {
			i, j := at[0]+2*s[0], at[1]+2*s[1]
			if i > 0 && j > 0 && i < m && j < m && solid[j][i] {
				ways = append(ways, s)
			}
		}
		if len(ways) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		s := ways[r.IntN(len(ways))]
		solid[at[1]+s[1]][at[0]+s[0]] = false
		next := [2]int{at[0] + 2*s[0], at[1] + 2*s[1]}
		solid[next[1]][next[0]] = false
		stack = append(stack, next)
	}
	for range n * n / 12 {
		i, j := 2+2*r.IntN(n-1), 1+2*r.IntN(n)
		if r.IntN(2) == 0 {
			i, j = j, i
		}
		solid[j][i] = false
	}

	// edge is the west (or south) side of grid column (or row) k.
	edge := func(k int) float64 {
		return float64(k/2)*(mazeWall+mazeCorridor) + float64(k%2)*mazeWall
	}
	side := edge(m)
	b.object("floor")
	b.box(0, 0, -0.25, side, side, 0, skin{"gravel", "stone"})
	b.object("walls")
	// Walls are drawn as few long boxes: the widest run of a row, as far north as it fits.
	for j := range m {
		for i := range m {
			if !solid[j][i] {
				continue
			}
			right := i
			for right < m && solid[j][right] {
				right++
			}
			upper := j
			for upper < m && allSolid(solid[upper][i:right]) {
				upper++
			}
			for y := j; y < upper; y++ {
				clear(solid[y][i:right])
			}
			b.box(edge(i), edge(j), 0, edge(right), edge(upper), mazeHeight, skin{"hedge", "foliage_dark"})
		}
	}
}

func allSolid(row []bool) bool {
	for _, s := range row {
		if !s {
			return false
		}
	}
	return true
}
