package concave

import (
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
)

// box is a cell with sides along the axes.
func box(x0, y0, x1, y1 int32) plan.Cell { return cell(x0, y0, x1, y0, x1, y1, x0, y1) }

// TestUnion: the border of an L in any order of its boxes, corners in the middle of sides included, and unions that are no
// simple polygon.
func TestUnion(t *testing.T) {
	want := []lattice.Point{{}, {X: 20}, {X: 20, Y: 10}, {X: 10, Y: 10}, {X: 10, Y: 20}, {Y: 20}}
	cells := []plan.Cell{box(0, 0, 10, 10), box(10, 0, 20, 4), box(10, 4, 20, 10), box(0, 10, 10, 20)}
	for range cells {
		cells = append(cells[1:], cells[0])
		ring, err := Union(cells)
		if err != nil {
			t.Fatal(err)
		}
		first := slices.Index(ring, lattice.Point{})
		if first < 0 || !slices.Equal(slices.Concat(ring[first:], ring[:first]), want) {
			t.Errorf("the border is %v", ring)
		}
	}
	for _, c := range []struct {
		cells []plan.Cell
		want  string
	}{
		{nil, "no cells"},
		{[]plan.Cell{box(0, 0, 30, 10), box(0, 10, 10, 20), box(20, 10, 30, 20), box(0, 20, 30, 30)}, "hole"},
		{[]plan.Cell{box(0, 0, 10, 10), box(10, 10, 20, 20)}, "meets itself at (0.002, 0.002)"},
		{[]plan.Cell{box(0, 0, 10, 10), box(20, 0, 30, 10)}, "several parts"},
		{[]plan.Cell{box(0, 0, 10, 10), box(0, 0, 10, 20)}, "overlap"},
	} {
		if _, err := Union(c.cells); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
