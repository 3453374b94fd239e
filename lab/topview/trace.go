package topview

import (
	"fmt"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// trace makes a domain of every part (5.4): the rings go through the centres of the obstacles' contour pixels, floors to the left.
func (v *view) trace(parts int, tolerance float64) (plan.Layer, error) {
	heights := map[lattice.Point]int32{}
	var lines []lattice.Line
	var owner []int32
	visited := map[[2]int32]bool{}
	v.each(func(i int32) {
		if v.part[i] == none {
			return
		}
		for d := range int32(4) {
			if v.part[i+v.ahead(d)] == none && !visited[[2]int32{i, d}] {
				lines = append(lines, lattice.Line{Points: v.walk(i, d, visited, heights), Closed: true})
				owner = append(owner, v.part[i])
			}
		}
	})
	number := make([]int, parts)
	for k := range number {
		number[k] = -1
	}
	var layer plan.Layer
	for k, simple := range lattice.Simplify(lines, tolerance) {
		ring := lattice.Ring(simple.Points)
		if len(ring) < 3 {
			return layer, fmt.Errorf("topview: the contour at %v has %d corners; this is a fault of the program", lines[k].Points[0], len(ring))
		}
		n := number[owner[k]]
		if n < 0 {
			n = len(layer.Domains)
			number[owner[k]] = n
			layer.Domains = append(layer.Domains, plan.Domain{Component: int32(n)})
		}
		d := &layer.Domains[n]
		edges, z := make([]plan.ChainID, len(ring)), make([]int32, len(ring))
		for c, p := range ring {
			edges[c], z[c] = plan.Wall, heights[p]
		}
		d.Rings, d.Edges, d.Heights = append(d.Rings, ring), append(d.Edges, edges), append(d.Heights, z)
		if last := len(d.Rings) - 1; ring.Area2() > 0 {
			d.Rings[0], d.Rings[last] = d.Rings[last], d.Rings[0]
			d.Edges[0], d.Edges[last] = d.Edges[last], d.Edges[0]
			d.Heights[0], d.Heights[last] = d.Heights[last], d.Heights[0]
		}
	}
	for n := range layer.Domains {
		for _, fault := range layer.Domains[n].Faults(1) {
			return layer, fmt.Errorf("topview: domain %d: %w", n, fault)
		}
	}
	layer.Floor = v.floor()
	return layer, nil
}

// ahead is the step to the neighbour in a direction: east, north, west, south.
func (v *view) ahead(d int32) int32 { return [4]int32{1, v.wide, -1, -v.wide}[d&3] }

// walk follows the sides between walkable pixels and an obstacle once around, with the walkable pixels on its left, and returns the centres
// of the obstacle's pixels.
func (v *view) walk(i, d int32, visited map[[2]int32]bool, heights map[lattice.Point]int32) []lattice.Point {
	var ring []lattice.Point
	add := func(black, white int32) {
		p := v.at(black)
		if n := len(ring); n == 0 || ring[n-1] != p {
			ring = append(ring, p)
			heights[p] = v.pixels[white].z
		}
	}
	// The side of pixel i towards d; the walk goes along the side to the direction d+1.
	for !visited[[2]int32{i, d}] {
		visited[[2]int32{i, d}] = true
		add(i+v.ahead(d), i)
		along := v.ahead(d + 1)
		switch {
		case v.part[i+along] == none: // a corner of the walkable pixels
			add(i+v.ahead(d)+along, i)
			d = (d + 1) & 3
		case v.part[i+along+v.ahead(d)] == none: // straight on
			i += along
		default: // a corner of the obstacle
			i += along + v.ahead(d)
			d = (d + 3) & 3
		}
	}
	if n := len(ring); n > 1 && ring[0] == ring[n-1] {
		ring = ring[:n-1]
	}
	return ring
}

// beyond is the number of pixels by which a surface goes on behind its border.
const beyond = 3

// floor is the surface between the centres of pixels. Beyond the walkable pixels the surface goes on level for some pixels, so that borders
// which simplification moves are on it.
func (v *view) floor() lattice.TIN {
	z := make([]int32, len(v.pixels))
	known := make([]bool, len(v.pixels))
	var front []int32
	v.each(func(i int32) {
		if v.part[i] != none {
			z[i], known[i] = v.pixels[i].z, true
			front = append(front, i)
		}
	})
	around := v.around()
	for range beyond {
		var next []int32
		for _, i := range front {
			for _, d := range around {
				j := i + d
				if j < 0 || int(j) >= len(known) || known[j] {
					continue
				}
				z[j], known[j] = z[i], true
				next = append(next, j)
			}
		}
		front = next
	}
	var t lattice.TIN
	number := make([]uint32, len(v.pixels))
	for i := range known {
		if known[i] {
			number[i] = uint32(len(t.Vertices))
			t.Vertices = append(t.Vertices, lattice.Vertex{Point: v.at(int32(i)), Z: z[i]})
		}
	}
	for y := range v.high - 1 {
		for x := range v.wide - 1 {
			i := y*v.wide + x
			a, b, c, d := i, i+1, i+1+v.wide, i+v.wide
			if known[a] && known[b] && known[c] {
				t.Triangles = append(t.Triangles, [3]uint32{number[a], number[b], number[c]})
			}
			if known[a] && known[c] && known[d] {
				t.Triangles = append(t.Triangles, [3]uint32{number[a], number[c], number[d]})
			}
		}
	}
	return t
}
