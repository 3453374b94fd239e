package exact

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// ringArea makes an area of one ring, given the corners and the layers beyond the edges.
func ringArea(layer int32, ring lattice.Ring, labels ...int32) area {
	return area{Outline: overlay.Outline{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}, Labels: [][]int32{labels}}, layer: layer}
}

// TestSeamsOfUnlikeCorners matches two borders. The first goes straight on where the second has a corner.
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

// TestHandOver gives a splinter to the layer across the splinter's longest edge, but not back in the same round.
func TestHandOver(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	wide := ringArea(0, lattice.Ring{p(0, 0), p(900, 0), p(900, 900), p(0, 900)}, wall, 1, wall, wall).Outline
	thin := ringArea(1, lattice.Ring{p(900, 0), p(910, 0), p(910, 900), p(900, 900)}, wall, 2, wall, 0).Outline
	other := ringArea(2, lattice.Ring{p(910, 0), p(920, 0), p(920, 900), p(910, 900)}, wall, wall, wall, 1).Outline
	outlines := [][]overlay.Outline{{wide}, {thin}, {other}}
	shapes, err := handOver([]int32{0, 1, 2}, outlines, oneStorey)
	if err != nil || len(shapes) != 3 || len(shapes[0]) != 1 || len(shapes[1]) != 0 || len(shapes[2]) != 2 {
		t.Errorf("%v, %v", shapes, err)
	}
	if shapes, err := handOver([]int32{0}, outlines[:1], oneStorey); err != nil || shapes != nil {
		t.Errorf("shapes without a splinter: %v, %v", shapes, err)
	}
}

// TestHandOverKeepsStoreysApart has two splinters of two layers in the same place, both beside a third layer. The third
// layer gets one splinter, and none where the layer has a floor already.
func TestHandOverKeepsStoreysApart(t *testing.T) {
	p := func(x, y int32) lattice.Point { return lattice.Point{X: x, Y: y} }
	wide := ringArea(0, lattice.Ring{p(0, 0), p(900, 0), p(900, 900), p(0, 900)}, wall, 1, wall, wall).Outline
	splinter := func(layer int32) overlay.Outline {
		return ringArea(layer, lattice.Ring{p(900, 0), p(910, 0), p(910, 900), p(900, 900)}, wall, wall, wall, 0).Outline
	}
	shapes, err := handOver([]int32{0, 1, 2}, [][]overlay.Outline{{wide}, {splinter(1)}, {splinter(2)}}, oneStorey)
	if err != nil || len(shapes) != 3 || len(shapes[0]) != 2 || len(shapes[1]) != 0 || len(shapes[2]) != 1 {
		t.Errorf("%v, %v", shapes, err)
	}
	over := ringArea(0, lattice.Ring{p(905, 0), p(1200, 0), p(1200, 900), p(905, 900)}, wall, wall, wall, wall).Outline
	if shapes, err := handOver([]int32{0, 1}, [][]overlay.Outline{{wide, over}, {splinter(1)}}, oneStorey); err != nil || shapes != nil {
		t.Errorf("a splinter went to a layer with a floor in its place: %v, %v", shapes, err)
	}
}

// oneStorey says that no layer has another storey beside an outline.
func oneStorey(*overlay.Outline, int32, int32) bool { return true }
