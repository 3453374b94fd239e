package growth

import (
	"fmt"
	"math"
	"slices"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// MaxGrid bounds the points of a grid.
const MaxGrid = 1 << 24

// Spacing returns the spacing of a grid with perVertex points for every vertex of d on average, if d were as
// thin as its area says, and at most twice as many in its box.
func Spacing(d *plan.Domain, perVertex float64) int64 {
	width, height := d.Box().Size()
	n := perVertex * float64(d.Len())
	return int64(max(1, math.Sqrt(float64(d.Area2())/2/n), math.Sqrt(float64(width)*float64(height)/2/n)))
}

// Grid makes vertices of the points of a grid that lie strictly inside of the unclaimed space, and
// returns them row by row. The first point is half of the spacing away from the lower left corner of
// the box of the domain. A grid of more than MaxGrid points is an error.
func (w *World) Grid(box lattice.Box, spacing int64) (vertices []int32, err error) {
	width, height := box.Size()
	if n := (width/spacing + 1) * (height/spacing + 1); n > MaxGrid {
		return nil, fmt.Errorf("a grid with a spacing of %d has %d points in a domain of %d × %d units, more than %d", spacing, n, width, height, MaxGrid)
	}
	near := w.Edge[w.Corner[0]]
	leftwards := false
	for y := int64(box.Min.Y) + spacing/2; y < int64(box.Max.Y); y += spacing {
		// Every other row is walked backwards, so the next point is never far.
		first, step, begin := int64(box.Min.X)+spacing/2, spacing, len(vertices)
		if leftwards {
			first, step = first+(width-1-spacing/2)/spacing*spacing, -spacing
		}
		for x := first; int64(box.Min.X) < x && x < int64(box.Max.X); x += step {
			p := lattice.Point{X: int32(x), Y: int32(y)}
			e, on := w.locate(p, near)
			near = e
			if v := w.vertexAt(p, e, on); v >= 0 {
				vertices = append(vertices, v)
				near = w.Edge[v]
			}
		}
		if leftwards {
			slices.Reverse(vertices[begin:])
		}
		leftwards = !leftwards
	}
	return vertices, nil
}
