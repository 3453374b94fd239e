package repair

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

// TestWallsKeepOut cuts regions whose walls are thin: points on walls are in the region, cells are within those of a cut
// that does not move points, and lose no more than a strip of two units. A point of several cells moves in all of them.
func TestWallsKeepOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var plain, thin Cutter
	moved, left, together := 0, 0, 0
	for i := range 3000 {
		size := int32(128) << rng.IntN(8)
		r := randomRegion(rng, size)
		outlines := randomOutlines(rng, size, 4)
		before := cut(t, &plain, &r, outlines)
		r.Thin = true
		after := cut(t, &thin, &r, outlines)
		checkCells(t, after)
		if len(before) != len(after) {
			t.Fatalf("world %d: %d cells become %d", i, len(before), len(after))
		}
		for k := range after {
			was, is := lattice.Ring(before[k].Ring), lattice.Ring(after[k].Ring)
			for _, p := range is {
				if !slices.ContainsFunc(before, func(c Cell) bool { return lattice.Ring(c.Ring).Locate(p) != lattice.Outside }) {
					t.Fatalf("world %d, cell %d: %v is outside of all cells, this one was %v", i, k, p, was)
				}
			}
			for j, p := range was {
				n := len(was)
				sides := [2]int32{before[k].Sides[(j+n-1)%n], before[k].Sides[j]}
				if max(sides[0], sides[1]) >= 0 || r.holds(p) {
					if !slices.Contains(is, p) {
						t.Fatalf("world %d: %v, at a portal or in the region, is moved", i, p)
					}
					continue
				}
				if sides != [2]int32{Wall, Wall} {
					if slices.Contains(is, p) {
						continue
					}
					together++
					for _, c := range after {
						if slices.Contains(c.Ring, p) {
							t.Fatalf("world %d: %v is moved in one cell and stays in another", i, p)
						}
					}
				}
				far := uint64(1 << 62)
				for m, q := range is {
					far = min(far, uint64(lattice.SegmentDistance2(p, q, is[(m+1)%len(is)]).Float()))
				}
				switch {
				case is.Locate(p) == lattice.Outside && far > 8:
					t.Fatalf("world %d: %v moved too far, cell %v becomes %v", i, p, was, is)
				case slices.Contains(is, p):
					if len(thin.around(p)) == 1 {
						left++
					}
				default:
					moved++
				}
			}
		}
	}
	if moved < 100 || left > moved/10 || together < 20 {
		t.Errorf("%d points moved, %d of them in several cells, %d outside of the region stay", moved, together, left)
	}
}

// TestWithoutKeepsAnArea takes the point off a cell whose other points are on one line, and off a cell with a point beside the line.
func TestWithoutKeepsAnArea(t *testing.T) {
	for _, test := range []struct {
		ring lattice.Ring
		want bool
	}{
		{lattice.Ring{{X: 0, Y: 0}, {X: 8, Y: -1}, {X: 16, Y: 0}, {X: 7, Y: 0}}, false},
		{lattice.Ring{{X: 0, Y: 0}, {X: 8, Y: -1}, {X: 16, Y: 0}, {X: 7, Y: 1}}, true},
	} {
		c := Cell{Ring: test.ring, Sides: make([]int32, len(test.ring))}
		if got := c.without(1); got != test.want || got != (len(c.Ring) == 3) {
			t.Errorf("%v: %t, and %v is left", test.ring, got, c.Ring)
		}
	}
}
