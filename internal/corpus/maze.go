package corpus

import (
	"math/rand/v2"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/unionfind"
)

// maze returns the border of a random maze of unit cells. Rooms are the cells with two even coordinates,
// doors the cells with one; cells with two odd coordinates stay closed, so that no two open cells meet in a
// corner only and every ring is simple. A spanning tree of doors has no hole and every door more adds one.
func maze(r *rand.Rand, rooms, holes int) lattice.Polygon {
	width := 1
	for width*width < rooms {
		width++
	}
	height := (rooms + width - 1) / width
	// A grid of w·h rooms has (w-1)·(h-1) doors more than a tree.
	for (width-1)*(height-1) < holes {
		width, height = width+1, height+1
	}
	m := &grid{width: 2*width - 1, height: 2*height - 1}
	m.open = make([]bool, m.width*m.height)

	// Kruskal's algorithm on shuffled doors.
	type door struct{ cell, a, b int }
	var doors []door
	for y := range m.height {
		for x := range m.width {
			switch cell := y*m.width + x; {
			case x%2 == 0 && y%2 == 0:
				m.open[cell] = true
			case x%2 == 1 && y%2 == 0:
				doors = append(doors, door{cell, cell - 1, cell + 1})
			case x%2 == 0 && y%2 == 1:
				doors = append(doors, door{cell, cell - m.width, cell + m.width})
			}
		}
	}
	r.Shuffle(len(doors), func(i, j int) { doors[i], doors[j] = doors[j], doors[i] })
	joined := unionfind.New(len(m.open))
	for _, d := range doors {
		if joined.Union(int32(d.a), int32(d.b)) {
			m.open[d.cell] = true
		} else if holes > 0 {
			holes--
			m.open[d.cell] = true
		}
	}
	return m.border()
}

// grid is a set of open cells.
type grid struct {
	width, height int
	open          []bool
}

func (g *grid) at(x, y int) bool {
	return x >= 0 && y >= 0 && x < g.width && y < g.height && g.open[y*g.width+x]
}

// border traces the border of the open cells, open cells on the left: the outer ring first, for it holds the
// lowest leftmost edge, then the holes. Every unit edge has vertices at both ends.
func (g *grid) border() lattice.Polygon {
	// Directions east, north, west, south from the grid point x, y, and the cells to both sides.
	step := [4][2]int{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	isBorder := func(x, y, d int) bool {
		var left, right bool
		switch d {
		case 0:
			left, right = g.at(x, y), g.at(x, y-1)
		case 1:
			left, right = g.at(x-1, y), g.at(x, y)
		case 2:
			left, right = g.at(x-1, y-1), g.at(x-1, y)
		case 3:
			left, right = g.at(x, y-1), g.at(x-1, y-1)
		}
		return left && !right
	}
	var p lattice.Polygon
	seen := make([]bool, (g.width+1)*(g.height+1))
	for y := range g.height {
		for x := range g.width {
			if seen[y*(g.width+1)+x] || !isBorder(x, y, 0) {
				continue
			}
			var ring lattice.Ring
			for px, py, d := x, y, 0; !seen[py*(g.width+1)+px]; {
				seen[py*(g.width+1)+px] = true
				ring = append(ring, lattice.Point{X: int32(px), Y: int32(py)})
				px, py = px+step[d][0], py+step[d][1]
				for _, turn := range [...]int{3, 0, 1} {
					if isBorder(px, py, (d+turn)%4) {
						d = (d + turn) % 4
						break
					}
				}
			}
			p.Rings = append(p.Rings, ring)
		}
	}
	return p
}
