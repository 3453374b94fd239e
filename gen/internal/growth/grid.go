package growth

import "github.com/meadow-nav/meadow/lattice"

// Grid makes vertices of the points of a grid that lie strictly inside of the unclaimed space, and
// returns them row by row. The first point is half of the spacing away from the lower corner of
// the box of the domain.
func (w *World) Grid(box lattice.Box, spacing int64) (vertices []int32) {
	near := w.Edge[w.Corner[0]]
	for y, right := int64(box.Min.Y)+spacing/2, true; y < int64(box.Max.Y); y, right = y+spacing, !right {
		first := int64(box.Min.X) + spacing/2
		n := (int64(box.Max.X) - first + spacing - 1) / spacing // points of the row
		begin := len(vertices)
		for i := range max(n, 0) {
			// Every other row is walked backwards, so that the next point is never far.
			x := first + i*spacing
			if !right {
				x = first + (n-1-i)*spacing
			}
			p := lattice.Point{X: int32(x), Y: int32(y)}
			e, on := w.locate(p, near)
			near = e
			if v := w.vertexAt(p, e, on); v >= 0 {
				vertices = append(vertices, v)
				near = w.Edge[v]
			}
		}
		if !right {
			row := vertices[begin:]
			for i, j := 0, len(row)-1; i < j; i, j = i+1, j-1 {
				row[i], row[j] = row[j], row[i]
			}
		}
	}
	return vertices
}
