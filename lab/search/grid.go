package search

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Grid is a world of square cells, each free or blocked: the 8-way connected grid ("octiles") on
// which Brand, section 7.4, measures. Cell (x, y) is node y*Width + x.
type Grid struct {
	Width, Height int
	Blocked       []bool // one per cell
}

// RandomGrid returns a grid of width times height cells, about a third of them blocked: single cells, blocks,
// and walls with openings that long paths have to lead around. The same seed gives the same grid everywhere.
// Brand shows his random maps in pictures and does not say how they were drawn; these are similar in kind.
// Space O(width * height).
func RandomGrid(width, height int, seed uint64) (*Grid, error) {
	if width < 1 || height < 1 || width > math.MaxInt32/height/16 {
		return nil, fmt.Errorf("search: a grid of %d × %d cells", width, height)
	}
	r := rand.New(rand.NewPCG(seed, 57))
	g := &Grid{Width: width, Height: height, Blocked: make([]bool, width*height)}
	block := func(x, y, w, h int) {
		for j := max(y, 0); j < min(y+h, height); j++ {
			for i := max(x, 0); i < min(x+w, width); i++ {
				g.Blocked[j*width+i] = true
			}
		}
	}
	area := width * height
	for range area / 10 {
		block(r.IntN(width), r.IntN(height), 1, 1)
	}
	for range area / 400 {
		block(r.IntN(width), r.IntN(height), 2+r.IntN(8), 2+r.IntN(8))
	}
	for range area / 1000 {
		long := 10 + r.IntN(1+max(width, height)/3)
		if r.IntN(2) == 0 {
			block(r.IntN(width), r.IntN(height), long, 1)
		} else {
			block(r.IntN(width), r.IntN(height), 1, long)
		}
	}
	return g, nil
}

// Graph returns the graph of the free cells and the straight distance between cells, a consistent estimate. A
// step to one of the eight neighbours costs its length, 1 or √2; a diagonal step needs both cells beside it
// to be free. Blocked cells are nodes without edges.
func (g *Grid) Graph() (*Graph, Estimate, error) {
	if g.Width < 1 || g.Height < 1 || len(g.Blocked) != g.Width*g.Height {
		return nil, nil, fmt.Errorf("search: a grid of %d × %d with %d cells", g.Width, g.Height, len(g.Blocked))
	}
	free := func(x, y int) bool {
		return x >= 0 && y >= 0 && x < g.Width && y < g.Height && !g.Blocked[y*g.Width+x]
	}
	n := len(g.Blocked)
	xs, ys := make([]float64, n), make([]float64, n)
	edges := make([]Edge, 0, 8*n)
	for i := range n {
		x, y := i%g.Width, i/g.Width
		xs[i], ys[i] = float64(x), float64(y)
		if g.Blocked[i] {
			continue
		}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if dx == 0 && dy == 0 || !free(x+dx, y+dy) || !free(x+dx, y) || !free(x, y+dy) {
					continue
				}
				edges = append(edges, Edge{
					From: int32(i), To: int32(i + dy*g.Width + dx),
					Cost: math.Sqrt(float64(dx*dx + dy*dy)),
				})
			}
		}
	}
	graph, err := NewGraph(n, edges)
	return graph, Euclid(xs, ys), err
}

// PathClass is a class of paths by the number of their nodes, as in Brand, section 7.4.
type PathClass int

// The classes end below 50, at or below 100, 150 and 200 nodes; VeryLong has no end.
const (
	VeryShort PathClass = iota
	Short
	Medium
	Long
	VeryLong
)

// ClassOf returns the class of a path of so many nodes.
func ClassOf(nodes int) PathClass {
	switch {
	case nodes < 50:
		return VeryShort
	case nodes <= 100:
		return Short
	case nodes <= 150:
		return Medium
	case nodes <= 200:
		return Long
	}
	return VeryLong
}

// String returns the published name.
func (c PathClass) String() string {
	names := [...]string{"very short", "short", "medium", "long", "very long"}
	if c < 0 || int(c) >= len(names) {
		return fmt.Sprintf("PathClass(%d)", int(c))
	}
	return names[c]
}
