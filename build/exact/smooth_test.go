package exact

import (
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/overlay"
)

// Two rooms of layers 0 and 1 have a seam that rounding has bent. The seam ends at a third room.
func TestSmoothSeams(t *testing.T) {
	square := func(label func(p, q lattice.Point) int32, points ...lattice.Point) overlay.Outline {
		labels := make([]int32, len(points))
		for k, p := range points {
			labels[k] = label(p, points[(k+1)%len(points)])
		}
		return overlay.Outline{Polygon: lattice.Polygon{Rings: []lattice.Ring{points}}, Labels: [][]int32{labels}}
	}
	const middle = 1000
	near := func(p lattice.Point) bool { return p.X >= middle-1 && p.X <= middle+1 }
	seam := func(to int32) func(p, q lattice.Point) int32 {
		return func(p, q lattice.Point) int32 {
			switch {
			case near(p) && near(q):
				return to
			case p.Y == 2000 && q.Y == 2000:
				return 2
			}
			return wall
		}
	}
	bends := []lattice.Point{{X: middle, Y: 0}, {X: middle + 1, Y: 500}, {X: middle - 1, Y: 510}, {X: middle, Y: 2000}}
	reversed := slices.Clone(bends)
	slices.Reverse(reversed)
	left := slices.Concat([]lattice.Point{{X: 0, Y: 0}}, bends, []lattice.Point{{X: 0, Y: 2000}})
	right := slices.Concat([]lattice.Point{{X: 2000, Y: 0}, {X: 2000, Y: 2000}}, reversed)
	// The third room has the end of the seam on its border only, and the border goes straight on.
	above := []lattice.Point{{X: 0, Y: 2000}, {X: 2000, Y: 2000}, {X: 2000, Y: 3000}, {X: 0, Y: 3000}}
	outlines := [][]overlay.Outline{
		{square(seam(1), left...)},
		{square(seam(0), right...)},
		{square(func(p, q lattice.Point) int32 {
			if p.Y == 2000 && q.Y == 2000 {
				return 0
			}
			return wall
		}, above...)},
	}
	smoothSeams([]int32{0, 1, 2}, outlines)
	for l, want := range []struct {
		ring   lattice.Ring
		labels []int32
	}{
		{lattice.Ring{{X: 0, Y: 0}, {X: middle, Y: 0}, {X: middle, Y: 2000}, {X: 0, Y: 2000}}, []int32{wall, 1, 2, wall}},
		{lattice.Ring{{X: 2000, Y: 0}, {X: 2000, Y: 2000}, {X: middle, Y: 2000}, {X: middle, Y: 0}}, []int32{wall, 2, 0, wall}},
		{lattice.Ring{{X: 0, Y: 2000}, {X: middle, Y: 2000}, {X: 2000, Y: 2000}, {X: 2000, Y: 3000}, {X: 0, Y: 3000}}, []int32{0, 0, wall, wall, wall}},
	} {
		o := outlines[l][0]
		if !slices.Equal(o.Rings[0], want.ring) || !slices.Equal(o.Labels[0], want.labels) {
			t.Errorf("layer %d: %v %v, want %v %v", l, o.Rings[0], o.Labels[0], want.ring, want.labels)
		}
	}
}

// A room inside of another room has a closed seam.
func TestSmoothSeamsAllAround(t *testing.T) {
	inner := lattice.Ring{{X: 100, Y: 100}, {X: 500, Y: 99}, {X: 900, Y: 100}, {X: 900, Y: 900}, {X: 100, Y: 900}}
	hole := slices.Clone(inner)
	slices.Reverse(hole)
	all := func(n int, l int32) []int32 { return slices.Repeat([]int32{l}, n) }
	outlines := [][]overlay.Outline{
		{{Polygon: lattice.Polygon{Rings: []lattice.Ring{{{X: 0, Y: 0}, {X: 1000, Y: 0}, {X: 1000, Y: 1000}, {X: 0, Y: 1000}}, hole}}, Labels: [][]int32{all(4, wall), all(5, 1)}}},
		{{Polygon: lattice.Polygon{Rings: []lattice.Ring{inner}}, Labels: [][]int32{all(5, 0)}}},
	}
	smoothSeams([]int32{0, 1}, outlines)
	want := lattice.Ring{{X: 100, Y: 100}, {X: 900, Y: 100}, {X: 900, Y: 900}, {X: 100, Y: 900}}
	if got := outlines[1][0].Rings[0]; !slices.Equal(got, want) {
		t.Errorf("inside: %v, want %v", got, want)
	}
	slices.Reverse(want)
	if got := outlines[0][0].Rings[1]; !slices.Equal(got, want) {
		t.Errorf("around: %v, want %v", got, want)
	}
}
