package growth

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/gen"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/gentest"
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
	// The bottom edge is the first from (0, 0) in its direction.
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

// TestCombine has a rectangle of two cells, and an L of three.
func TestCombine(t *testing.T) {
	for _, c := range []struct {
		name   string
		domain *plan.Domain
		boxes  []Box
		want   int
	}{
		{"two halves", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 0, 10)), []Box{{East: 10, North: 10}, {East: 20, North: 10, West: -10}}, 1},
		{"three thirds", gentest.Domain(gentest.Ring(0, 0, 21, 0, 21, 10, 0, 10)), []Box{{East: 7, North: 10}, {East: 21, North: 10, West: -14}, {East: 14, North: 10, West: -7}}, 1},
		{"L", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20)), []Box{{East: 10, North: 10}, {East: 20, North: 10, West: -10}, {East: 10, North: 20, South: -10}}, 2},
		{"T of halves of a side", gentest.Domain(gentest.Ring(0, 0, 20, 0, 20, 20, 0, 20)), []Box{{East: 20, North: 10}, {East: 10, North: 20, South: -10}, {East: 20, North: 20, West: -10, South: -10}}, 1},
	} {
		w, err := New(c.domain, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range c.boxes {
			done := false
			for _, s := range w.Exposed() {
				e := w.Beside(s)
				if done || e < 0 {
					continue
				}
				from, to := w.Ends(e)
				// The middle of the edge, doubled, is on the border of the box.
				x, y := int64(from.X)+int64(to.X), int64(from.Y)+int64(to.Y)
				if -2*b[West] <= x && x <= 2*b[East] && -2*b[South] <= y && y <= 2*b[North] {
					done = w.Claim(e/3, b)
				}
			}
			if !done {
				t.Fatalf("%s: %v is not claimed", c.name, b)
			}
		}
		w.Combine()
		res := w.Result(c.domain)
		if err := gentest.Check(c.domain, res); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if len(res.Cells) != c.want || res.Report.Counts["combined"] != len(c.boxes)-c.want {
			t.Errorf("%s: %d cells, want %d; %v", c.name, len(res.Cells), c.want, res.Report.Counts)
		}
	}
}

// TestArea has the areas of a box without walls, of one that a slanted wall cuts off, and far from the origin.
func TestArea(t *testing.T) {
	for _, far := range []int32{0, lattice.MaxCoord - 1000} {
		move := func(p lattice.Point) lattice.Point { return lattice.Point{X: p.X + far, Y: p.Y - far} }
		d := gentest.Map(gentest.Domain(gentest.Ring(0, 0, 100, 0, 100, 40, 40, 100, 0, 100)), move)
		w, err := New(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		e := w.Beside(w.Exposed()[0])
		x, y := int64(far), -int64(far)
		for _, c := range []struct {
			box  Box
			want float64
		}{
			{Box{East: 20, North: 10}, 200},
			{Box{East: 100, North: 100}, 100*100 - 60*60/2},
			{Box{East: 100, North: 50}, 100*50 - 10*10/2},
			{Box{East: 90, North: 90}, 90*90 - 40*40/2},
		} {
			b := Box{East: c.box[East] + x, North: c.box[North] + y, West: -x, South: -y}
			if got := w.Area(e/3, b); got != c.want {
				t.Errorf("%v, moved by %d: area %g, want %g", c.box, far, got, c.want)
			}
		}
	}
}

// TestEnters compares with rational numbers.
func TestEnters(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	entered := 0
	for range 20000 {
		n := func() int64 { return rng.Int64N(12) }
		s := span{u0: n(), v0: n()}
		s.u1, s.v1 = s.u0+n()+1, s.v0+n()+1
		au, av, bu, bv := n(), n(), n(), n()
		// The part of the segment with a parameter from t0 to t1 is strictly between v0 and v1, and then u0 and u1.
		cut := func(t0, t1 *big.Rat, a, b, lo, hi int64) bool {
			if a == b {
				return lo < a && a < hi
			}
			x, y := big.NewRat(lo-a, b-a), big.NewRat(hi-a, b-a)
			if a > b {
				x, y = y, x
			}
			if x.Cmp(t0) > 0 {
				t0.Set(x)
			}
			if y.Cmp(t1) < 0 {
				t1.Set(y)
			}
			return t0.Cmp(t1) < 0
		}
		t0, t1 := big.NewRat(0, 1), big.NewRat(1, 1)
		want := cut(t0, t1, av, bv, s.v0, s.v1)
		u := func(t *big.Rat) *big.Rat {
			x := new(big.Rat).Mul(t, big.NewRat(bu-au, 1))
			return x.Add(x, big.NewRat(au, 1))
		}
		lowest := u(t0)
		if x := u(t1); x.Cmp(lowest) < 0 {
			lowest = x
		}
		floor := new(big.Int).Div(lowest.Num(), lowest.Denom()).Int64()
		want = want && cut(t0, t1, au, bu, s.u0, s.u1)
		least, got := s.enters(au, av, bu, bv)
		// Rounding lets a segment in that passes a corner of the box by less than a unit.
		if want && (!got || least != floor) {
			t.Fatalf("%v, %d, %d to %d, %d: %v from %d, want %v from %d", s, au, av, bu, bv, got, least, want, floor)
		}
		if got {
			entered++
			if least >= s.u1 || max(au, bu) <= s.u0 || max(av, bv) <= s.v0 || min(av, bv) >= s.v1 {
				t.Fatalf("%v, %d, %d to %d, %d: from %d", s, au, av, bu, bv, least)
			}
		}
	}
	if entered < 1000 {
		t.Errorf("only %d segments entered", entered)
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
