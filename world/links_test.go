package world

import (
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// TestLinksAlongSides shortens a wide link to a piece with a side that is nearly parallel to the link: the link ends on the
// piece, and little of the link goes.
func TestLinksAlongSides(t *testing.T) {
	from := lattice.Ring{{X: 0, Y: 1000}, {X: 4000, Y: 1000}, {X: 4000, Y: 2000}, {X: 0, Y: 2000}}
	to := lattice.Ring{{X: 0, Y: 0}, {X: 4000, Y: 0}, {X: 4000, Y: 100}, {X: 0, Y: 140}}
	for y := int32(101); y < 140; y++ {
		l := navmesh.Link{
			Start: [2]lattice.Vertex{{Point: lattice.Point{X: 0, Y: 1000}}, {Point: lattice.Point{X: 4000, Y: 1000}}},
			End:   [2]lattice.Vertex{{Point: lattice.Point{X: 0, Y: y}}, {Point: lattice.Point{X: 4000, Y: y}}},
		}
		list := parts(nil, &l, []end{{ring: from}}, []end{{ring: to}})
		if len(list) != 1 {
			t.Errorf("%d links at %d, want 1", len(list), y)
			continue
		}
		width := int32(100 * (140 - y)) // that is on the piece
		for _, e := range list[0].End {
			if to.Locate(e.Point) == lattice.Outside {
				t.Errorf("the link at %d ends at %v, outside", y, e)
			}
		}
		if got := list[0].End[1].X - list[0].End[0].X; got < width*9/10-100 || got > width+100 {
			t.Errorf("the link at %d has a width of %d, want %d", y, got, width)
		}
	}
}
