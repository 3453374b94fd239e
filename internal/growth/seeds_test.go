package growth

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// TestAway has the left normals of segments from the origin, and of the diagonals, which are between two directions.
func TestAway(t *testing.T) {
	for _, c := range []struct {
		x, y int32
		want int
	}{
		{5, 0, North},
		{5, 2, North},
		{5, -2, North},
		{-5, 0, South},
		{-5, 2, South},
		{-5, -2, South},
		{0, 5, West},
		{2, 5, West},
		{-2, 5, West},
		{0, -5, East},
		{2, -5, East},
		{-2, -5, East},
		{5, 5, North},
		{5, -5, North},
		{-5, 5, South},
		{-5, -5, South},
	} {
		if got := Away(lattice.Point{}, lattice.Point{X: c.x, Y: c.y}); got != c.want {
			t.Errorf("away from (0, 0) to (%d, %d): %d, want %d", c.x, c.y, got, c.want)
		}
	}
}

// TestGridLimit has a strip with two rows of the grid: a grid may have MaxGrid points and no more.
func TestGridLimit(t *testing.T) {
	const width = MaxGrid / 2 // with a spacing of 1, columns 0 to width: one column too many
	w, err := New(gentest.Domain(gentest.Ring(0, 0, width, 0, width, 1, 0, 1)), nil)
	if err != nil {
		t.Fatal(err)
	}
	box := lattice.Box{Max: lattice.Point{X: width, Y: 1}}
	if _, err := w.Grid(box, 1); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a grid of %d points: %v", 2*(width+1), err)
	}
	box.Max.X = 1
	if _, err := w.Grid(box, 1); err != nil {
		t.Errorf("a grid of 4 points: %v", err)
	}
}

// TestTouchingCorners: a vertex in the middle of an edge, where a ring touches another, is a corner on that edge in all
// cells there, also beside a slanted edge and where a ring touches itself.
func TestTouchingCorners(t *testing.T) {
	for _, c := range []struct {
		domain *plan.Domain
		at     lattice.Point
		on     plan.EdgeID
	}{
		{
			gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 100, 0, 100), gentest.Ring(50, 0, 30, 40, 70, 40)),
			lattice.Point{X: 50},
			plan.EdgeID{Ring: 0, Index: 0},
		},
		{
			gentest.Domain(gentest.Ring(0, 0, 100, 50, 100, 200, 0, 200), gentest.Ring(50, 25, 29, 81, 71, 83)),
			lattice.Point{X: 50, Y: 25},
			plan.EdgeID{Ring: 0, Index: 0},
		},
		{
			gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 100, 60, 100, 50, 0, 40, 100, 0, 100)),
			lattice.Point{X: 50},
			plan.EdgeID{Ring: 0, Index: 0},
		},
	} {
		w, err := New(c.domain, nil)
		if err != nil {
			t.Fatal(err)
		}
		for seeds := w.Exposed(); len(seeds) > 0; seeds = w.Exposed() {
			for _, s := range seeds {
				if e := w.Beside(s); e >= 0 {
					w.ClaimTriangle(e)
				}
			}
		}
		corners := 0
		for _, cell := range w.Result(c.domain).Cells {
			for _, k := range cell.Corners {
				if k.Point != c.at {
					continue
				}
				if corners++; k.On != c.on {
					t.Errorf("the corner at %v is on edge %v, want %v", c.at, k.On, c.on)
				}
			}
		}
		if corners < 2 {
			t.Errorf("%d corners at %v, want 2 or more", corners, c.at)
		}
	}
}
