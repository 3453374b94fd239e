package growth

import (
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
)

// TestCuts has an obstacle with a corner at (0, 0), in the middle of a square, and asks for the cuts to the east, north, west and south.
func TestCuts(t *testing.T) {
	const none = -1.0
	for _, c := range []struct {
		name     string
		obstacle lattice.Ring
		want     Cuts
		sharp    [4]int // ahead of a front to the east, north, west and south
	}{
		{
			"corner of a box to the north-east: both cuts along its sides",
			gentest.Ring(0, 0, 0, 30, 30, 30, 30, 0),
			Cuts{none, none, 1, 1},
			[4]int{},
		},
		{
			"square on its corner: one cut, away from it",
			gentest.Ring(0, 0, -30, 30, 0, 60, 30, 30),
			Cuts{none, none, none, 1.5},
			[4]int{},
		},
		{
			"sharp, between east and north",
			gentest.Ring(0, 0, 10, 30, 30, 10),
			Cuts{none, none, none, none},
			[4]int{1, -1, 0, 0},
		},
		{
			"sharp, between west and south",
			gentest.Ring(0, 0, -10, -30, -30, -10),
			Cuts{none, none, none, none},
			[4]int{0, 0, 1, -1},
		},
		{
			"one side to the east, behind the other: not sharp, a cut to the west goes on along it",
			gentest.Ring(0, 0, 10, 30, 30, 0),
			Cuts{none, none, 1.25, none},
			[4]int{},
		},
		{
			"one side to the east, before the other",
			gentest.Ring(0, 0, 30, 0, 10, -30),
			Cuts{none, none, 1.25, none},
			[4]int{},
		},
		{
			"flat, upper side to the north-west, lower side to the east: cuts to the west and south",
			gentest.Ring(0, 0, -30, 30, 50, 50, 50, 0),
			Cuts{none, none, 0.5, 1},
			[4]int{},
		},
	} {
		w, err := New(gentest.Domain(gentest.Ring(-100, -100, 100, -100, 100, 100, -100, 100), c.obstacle), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range w.Exposed() {
			e := w.Beside(s)
			if p, _ := w.Ends(e); p != (lattice.Point{}) {
				continue
			}
			if !w.isNotch(e) {
				t.Errorf("%s: no notch", c.name)
			}
			for d := range 4 {
				var want Cuts
				for k := range want {
					want[k] = c.want[(d+k)%4]
				}
				if got := w.CutsFrom(e, d); got != want {
					t.Errorf("%s: front %d has cuts %v, want %v", c.name, d, got, want)
				}
				if got := w.Sharp(e, d); got != c.sharp[d] {
					t.Errorf("%s: front %d has it sharp to %d, want %d", c.name, d, got, c.sharp[d])
				}
			}
		}
	}
}

// TestCutsJoin has two boxes with a side on a common line: the cut between them has the greatest worth.
func TestCutsJoin(t *testing.T) {
	w, err := New(gentest.Domain(gentest.Ring(-100, -100, 100, -100, 100, 100, -100, 100),
		gentest.Ring(-50, 0, -50, 30, -20, 30, -20, 0), gentest.Ring(20, 0, 20, 50, 70, 50, 70, 0)), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range w.Exposed() {
		e := w.Beside(s)
		p, _ := w.Ends(e)
		want := Cuts{}
		switch p {
		case lattice.Point{X: -20, Y: 0}:
			want = Cuts{1 + joins, -1, -1, 1}
		case lattice.Point{X: -20, Y: 30}:
			want = Cuts{1, 1, -1, -1}
		default:
			continue
		}
		if got := w.CutsFrom(e, East); got != want || want.Best() != want[0] {
			t.Errorf("cuts from %v: %v, want %v", p, got, want)
		}
	}
}

// TestLongCuts has a box with a corner near the wall to the west and far from the wall to the south.
func TestLongCuts(t *testing.T) {
	for _, c := range []struct {
		name string
		west int32 // the distance to the wall there; 40 to that in the south
		want Cuts
	}{
		{"a tenth", 4, Cuts{-1, -1, 1, 0.01}},
		{"a quarter", 10, Cuts{-1, -1, 1, 1}},
		{"as long", 40, Cuts{-1, -1, 1, 1}},
		{"more than eight times", 321, Cuts{-1, -1, 0.01, 1}},
	} {
		w, err := New(gentest.Domain(gentest.Ring(-c.west, -40, 100, -40, 100, 100, -c.west, 100), gentest.Ring(0, 0, 0, 30, 30, 30, 30, 0)), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range w.Exposed() {
			e := w.Beside(s)
			if p, _ := w.Ends(e); p != (lattice.Point{}) {
				continue
			}
			if got := w.CutsFrom(e, East); got != c.want {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
			}
		}
	}
}
