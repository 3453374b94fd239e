package growth

import (
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/gen"
	"github.com/meadow-nav/meadow/gen/gentest"
	"github.com/meadow-nav/meadow/lattice"
	"github.com/meadow-nav/meadow/plan"
)

// anyBox grows a box beside half-edge e by chance: fronts go any part of the way to their event, any
// number of times and in any order.
func anyBox(w *World, e int32, rng *rand.Rand) Box {
	from, to := w.Ends(e)
	b := Box{
		East: int64(max(from.X, to.X)), North: int64(max(from.Y, to.Y)),
		West: -int64(min(from.X, to.X)), South: -int64(min(from.Y, to.Y)),
	}
	for range rng.IntN(12) {
		d := rng.IntN(4)
		at := w.Sweep(e/3, b, d, Never).At
		if rng.IntN(2) == 0 {
			at = b[d] + rng.Int64N(at-b[d]+1)
		}
		b[d] = at
	}
	return b
}

func TestAnyBoxes(t *testing.T) {
	cells, triangles := 0, 0
	gentest.EachWorld(t, func(t *testing.T, rng *rand.Rand, d *plan.Domain) {
		w, err := New(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		for seeds := w.Exposed(); len(seeds) > 0; seeds = w.Exposed() {
			for range 1 + rng.IntN(len(seeds)) {
				e := w.Beside(seeds[rng.IntN(len(seeds))])
				if e < 0 {
					continue
				}
				if b := anyBox(w, e, rng); rng.IntN(8) > 0 && w.Claim(e/3, b) {
					continue
				}
				w.ClaimTriangle(e)
			}
		}
		if rng.IntN(2) == 0 {
			w.Combine()
		}
		res := w.Result(d)
		if err := gentest.Check(d, res); err != nil {
			t.Fatalf("%v\n%v", err, d.Rings)
		}
		cells += len(res.Cells)
		triangles += res.Report.Counts["triangles"]
	})
	t.Logf("%d cells, %d of them triangles", cells, triangles)
}

func TestTurned(t *testing.T) {
	p := lattice.Point{X: 3, Y: 5}
	for d, want := range [4][2]int64{East: {3, 5}, North: {5, -3}, West: {-3, -5}, South: {-5, 3}} {
		u, v := Turned(d, p)
		if u != want[0] || v != want[1] || TurnedBack(d, u, v) != p {
			t.Errorf("direction %d: %d, %d, and back %v", d, u, v, TurnedBack(d, u, v))
		}
	}
}

// TestSweep has an L of 20 × 20 with a notch at (10, 10).
func TestSweep(t *testing.T) {
	w, err := New(gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), nil)
	if err != nil {
		t.Fatal(err)
	}
	// The bottom edge is the first one from (0, 0) in its direction.
	e := int32(-1)
	for _, s := range w.Exposed() {
		if from, to := w.Ends(w.Beside(s)); from.Y == 0 && to.Y == 0 {
			e = w.Beside(s)
		}
	}
	for _, c := range []struct {
		name  string
		box   Box
		d     int
		limit int64
		want  int64
	}{
		{"wide box upwards stops at the notch", Box{East: 20}, North, Never, 10},
		{"narrow box upwards goes to the wall", Box{East: 10}, North, Never, 20},
		{"a limit before the event", Box{East: 20}, North, 7, 7},
		{"to the east below the notch", Box{East: 5, North: 10}, East, Never, 20},
		{"to the east above it", Box{East: 5, North: 11}, East, Never, 10},
		{"to the west", Box{East: 5, North: 11}, West, Never, 0},
	} {
		if got := w.Sweep(e/3, c.box, c.d, c.limit).At; got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestFaults(t *testing.T) {
	if _, err := New(gentest.Domain(gentest.Ring(0, 0, 10, 0, 0, 10, 10, 10)), nil); err == nil {
		t.Error("a domain that crosses itself is no error")
	}
	var _ gen.Observer = (*counter)(nil)
	c := counter(0)
	w, err := New(gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 0, 10)), &c)
	if err != nil {
		t.Fatal(err)
	}
	e := w.Beside(w.Exposed()[0])
	if !w.Claim(e/3, Box{East: 20, North: 10}) || c != 1 {
		t.Errorf("%d regions seen", c)
	}
	if w.ClaimTriangle(e) || w.Claim(e/3, Box{East: 20, North: 10}) || len(w.Exposed()) != 0 {
		t.Error("what is claimed can be claimed again")
	}
}

type counter int

func (c *counter) Step(string, [][2]lattice.Point) { *c++ }
