package repair

import (
	"fmt"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// Floor is a connected piece of floor to divide into convex cells: an outer ring and holes, which may touch in points.
type Floor struct {
	Rings []lattice.Ring
	// Shared tells for the side from point i on whether floor is behind the side: a cell may have a corner inside the side
	// only at a lattice point exactly on the side.
	Shared [][]bool
}

// Corner is a corner of a cell. Ring and Side tell the side of the floor that the corner was made on; both are -1 for
// points of the floor's rings and for inner points.
type Corner struct {
	lattice.Point
	Ring, Side int32
}

// Generator divides floor into convex cells that cover the floor, counter-clockwise. It must give the same cells for
// the same floor.
type Generator func(Floor) ([][]Corner, error)

// generate appends the cells of a generator for the floor inside the rings.
func (c *Cutter) generate(cells []Cell, class int32, rings []ring) ([]Cell, error) {
	for _, f := range c.floors(rings) {
		list, err := c.Generator(f.Floor)
		if err != nil {
			return nil, err
		}
		for _, corners := range list {
			cell, err := f.cell(corners)
			if err != nil {
				return nil, err
			}
			cell.Modifier = class
			cells = append(cells, c.tidy(cell))
		}
	}
	return cells, nil
}

// labelled is a floor with the labels of its sides.
type labelled struct {
	Floor
	labels [][]int32
	at     map[lattice.Point][][2]int32 // ring and number of every point
}

// floors groups rings by the pieces of floor that they bound.
func (c *Cutter) floors(rings []ring) []*labelled {
	var out []*labelled
	type hole struct {
		ring   lattice.Ring
		labels []int32
	}
	var holes []hole
	for _, r := range rings {
		points := make(lattice.Ring, len(r.vertices))
		for i, v := range r.vertices {
			points[i] = c.arrangement.points[v]
		}
		if points.Area2() > 0 {
			f := &labelled{at: map[lattice.Point][][2]int32{}}
			f.add(points, r.labels)
			out = append(out, f)
		} else {
			holes = append(holes, hole{points, r.labels})
		}
	}
	for _, h := range holes {
		for _, f := range out {
			if inside(f.Rings[0], h.ring) {
				f.add(h.ring, h.labels)
				break
			}
		}
	}
	return out
}

// inside reports whether a hole is inside of an outer ring that does not cross it.
func inside(outer, hole lattice.Ring) bool {
	for _, p := range hole {
		switch outer.Locate(p) {
		case lattice.Inside:
			return true
		case lattice.Outside:
			return false
		}
	}
	return false
}

func (f *labelled) add(points lattice.Ring, labels []int32) {
	n := int32(len(f.Rings))
	shared := make([]bool, len(labels))
	for i, label := range labels {
		shared[i] = label != Wall
		f.at[points[i]] = append(f.at[points[i]], [2]int32{n, int32(i)})
	}
	f.Rings, f.Shared, f.labels = append(f.Rings, points), append(f.Shared, shared), append(f.labels, append([]int32(nil), labels...))
}

// cell returns a cell with the labels of its sides.
func (f *labelled) cell(corners []Corner) (Cell, error) {
	var c Cell
	if len(corners) < 3 {
		return c, fmt.Errorf("a cell has %d corners", len(corners))
	}
	for i, from := range corners {
		f.side(&c, from, corners[(i+1)%len(corners)])
	}
	return c, nil
}

// side appends the side from a corner to the next, with the points of the floor on the side.
func (f *labelled) side(c *Cell, from, to Corner) {
	starts := f.at[from.Point]
	if from.Ring >= 0 {
		starts = [][2]int32{{from.Ring, from.Side}}
	}
	for _, s := range starts {
		ring, labels := f.Rings[s[0]], f.labels[s[0]]
		n := int32(len(ring))
		first := len(c.Ring)
		at := from.Point
		for k := s[1]; ; {
			next := (k + 1) % n
			if to.Ring == s[0] && to.Side == k && lattice.Dot(ring[k], ring[next], to.Point) > lattice.Dot(ring[k], ring[next], at) {
				c.add(at, labels[k])
				return
			}
			if ring[next] == to.Point && to.Ring < 0 {
				c.add(at, labels[k])
				return
			}
			// A straight run of the border may go on behind the point.
			if ring[next] == at || !lattice.OnSegment(ring[next], from.Point, to.Point) || lattice.Dot(at, to.Point, ring[next]) <= 0 {
				break
			}
			c.add(at, labels[k])
			at, k = ring[next], next
		}
		c.Ring, c.Sides = c.Ring[:first], c.Sides[:first]
	}
	c.add(from.Point, Inner)
}
