package exact

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/lattice/overlay"
)

// ringArea makes an area of one ring, given its corners and the layers beyond its edges.
func ringArea(layer int32, ring lattice.Ring, labels ...int32) area {
	return area{Outline: overlay.Outline{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Labels: [][]int32{labels}}, layer: layer}
}

// TestSeamsOfUnlikeCorners matches borders of which one goes straight on where the other has a corner.
func TestSeamsOfUnlikeCorners(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	areas := []area{
		ringArea(0, lattice.Ring{p(0, 0), p(100, 0), p(100, 90), p(0, 90)}, wall, 1, wall, wall),
		ringArea(1, lattice.Ring{p(100, 0), p(200, 0), p(200, 90), p(100, 60), p(100, 30)}, wall, wall, wall, 0, 0),
	}
	seams := matchSeams(areas)
	want := []lattice.Point{p(100, 0), p(100, 30), p(100, 60)}
	if len(seams) != 1 || !slices.Equal(seams[0].points, want) || seams[0].left != 0 || seams[0].right != 1 {
		t.Fatalf("seams %v, want one along %v", seams, want)
	}
	if got := areas[0].Labels[0]; !slices.Equal(got, []int32{wall, 0, 0, wall, wall, wall}) {
		t.Errorf("labels %v", got)
	}
	if got := areas[0].Rings[0]; !slices.Equal(got, lattice.Ring{p(0, 0), p(100, 0), p(100, 30), p(100, 60), p(100, 90), p(0, 90)}) {
		t.Errorf("corners %v", got)
	}
}

// TestHandOver gives a splinter to the layer that it borders on longest, but not back in the same round.
func TestHandOver(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	wide := ringArea(0, lattice.Ring{p(0, 0), p(900, 0), p(900, 900), p(0, 900)}, wall, 1, wall, wall).Outline
	thin := ringArea(1, lattice.Ring{p(900, 0), p(910, 0), p(910, 900), p(900, 900)}, wall, 2, wall, 0).Outline
	other := ringArea(2, lattice.Ring{p(910, 0), p(920, 0), p(920, 900), p(910, 900)}, wall, wall, wall, 1).Outline
	outlines := [][]overlay.Outline{{wide}, {thin}, {other}}
	shapes := handOver([]int32{0, 1, 2}, outlines)
	if len(shapes) != 3 || len(shapes[0]) != 1 || len(shapes[1]) != 0 || len(shapes[2]) != 2 {
		t.Errorf("%v", shapes)
	}
	if shapes := handOver([]int32{0}, outlines[:1]); shapes != nil {
		t.Errorf("no splinter, but %v", shapes)
	}
}
