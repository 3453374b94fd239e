package shape

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
)

func ring(xy ...int32) []lattice.Point {
	var r []lattice.Point
	for i := 0; i < len(xy); i += 2 {
		r = append(r, lattice.Point{X: xy[i], Y: xy[i+1]})
	}
	return r
}

// TestCompareIsExact compares angles with cotangents as fractions, in the whole frame and in a small one
// where equal angles are frequent.
func TestCompareIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range []int32{3, lattice.MaxCoord} {
		point := func() lattice.Point {
			return lattice.Point{X: rng.Int32N(2*size) - size, Y: rng.Int32N(2*size) - size}
		}
		equal := 0
		for range 20000 {
			c, d := At(point(), point(), point()), At(point(), point(), point())
			if c.Cross == 0 || d.Cross == 0 {
				continue
			}
			want := big.NewRat(d.Dot, d.Cross).Cmp(big.NewRat(c.Dot, c.Cross))
			if got := c.Compare(d); got != want || d.Compare(c) != -got {
				t.Fatalf("%+v to %+v compares as %d, want %d", c, d, got, want)
			}
			if want == 0 {
				equal++
			}
		}
		if size == 3 && equal == 0 {
			t.Error("no two angles were equal")
		}
	}
}

func TestCompareFlatAngles(t *testing.T) {
	zero, right, straight := Corner{Dot: 5}, Corner{Cross: 7}, Corner{Dot: -3}
	for i, c := range []Corner{zero, right, straight} {
		for j, d := range []Corner{zero, right, straight} {
			if got, want := c.Compare(d), min(1, max(-1, i-j)); got != want {
				t.Errorf("%+v to %+v compares as %d, want %d", c, d, got, want)
			}
		}
	}
}

func TestDegrees(t *testing.T) {
	p := ring(0, 0)[0]
	for _, c := range []struct {
		before, after []lattice.Point
		want          float64
	}{
		{ring(0, 5), ring(9, 0), 90},
		{ring(9, 0), ring(0, 5), 90},
		{ring(9, 0), ring(5, 5), 45},
		{ring(9, 0), ring(-4, 4), 135},
		{ring(9, 0), ring(-2, 0), 180},
	} {
		if got := At(c.before[0], p, c.after[0]).Degrees(); got != c.want {
			t.Errorf("between %v and %v are %v°, want %v°", c.before[0], c.after[0], got, c.want)
		}
	}
	if got := Sharpest(ring(0, 0, 10, 0, 10, 10)).Degrees(); got != 45 {
		t.Errorf("half a square has %v°, want 45°", got)
	}
}

func TestSliver(t *testing.T) {
	l := Limits{SliverRatio: 5}
	for _, c := range []struct {
		name string
		ring []lattice.Point
		want bool
	}{
		{"a square", ring(0, 0, 10, 0, 10, 10, 0, 10), false},
		{"a long box", ring(0, 0, 60, 0, 60, 10, 0, 10), true},
		{"turned by 45°", ring(0, 0, 60, 60, 50, 70, -10, 10), true},
		{"short enough", ring(0, 0, 48, 0, 48, 10, 0, 10), false},
		{"exactly the ratio", ring(0, 0, 40, 30, 34, 38, -6, 8)[:3], true},
		{"a triangle like a needle", ring(0, 0, 100, 1, 0, 2), true},
	} {
		if got := l.IsSliver(c.ring); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestKinds(t *testing.T) {
	l := Limits{FanRegions: 6, FanAngle: 30, NarrowWidth: 100}
	sharp, blunt := At(ring(9, 0)[0], ring(0, 0)[0], ring(9, 3)[0]), Corner{Cross: 1}
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"a sharp corner among six", l.IsFan(6, sharp), true},
		{"among five", l.IsFan(5, sharp), false},
		{"a blunt corner among six", l.IsFan(6, blunt), false},
		{"a narrow edge", l.IsNarrow(2, 99), true},
		{"an edge that is wide enough", l.IsNarrow(1, 100), false},
		{"no edge at all is not narrow", l.IsNarrow(0, 0), false},
		{"no neighbour", IsDisjoint(0, 3), true},
		{"nobody else", IsDisjoint(0, 0), false},
		{"a neighbour", IsDisjoint(1, 3), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestObjectRadius(t *testing.T) {
	for agent, want := range map[float64]float64{0.6: 0.6, MinObjectRadius: MinObjectRadius, 0: 0.5, math.NaN(): 0.5} {
		if got := ObjectRadius(agent); got != want {
			t.Errorf("for an agent of %v m: %v m, want %v m", agent, got, want)
		}
	}
}

func TestRoot(t *testing.T) {
	for _, n := range []uint64{0, 1, 2, 3, 4, 99, 100, 101, 1<<62 - 1, 1 << 62, 1<<63 - 1, 1 << 63} {
		r := new(big.Int).Sqrt(new(big.Int).SetUint64(n))
		if got := Root(n); got != r.Int64() {
			t.Errorf("the root of %d is %d, want %v", n, got, r)
		}
	}
}

// TestIsThin turns boxes of known width, and moves the limit by a unit.
func TestIsThin(t *testing.T) {
	for _, c := range []struct {
		name  string
		ring  []lattice.Point
		width int64 // the least for which the ring is thin
	}{
		{"a square", ring(0, 0, 10, 0, 10, 10, 0, 10), 11},
		{"a long box", ring(0, 0, 60, 0, 60, 10, 0, 10), 11},
		{"a box turned by 3 to 4", ring(0, 0, 400, 300, 370, 340, -30, 40), 51},
		{"a triangle", ring(0, 0, 100, 0, 50, 20), 21},
		{"a needle across the frame", ring(-lattice.MaxCoord, 0, lattice.MaxCoord, 0, lattice.MaxCoord, 3), 3},
	} {
		if IsThin(c.ring, c.width-1) || !IsThin(c.ring, c.width) {
			t.Errorf("%s: at %d %v, at %d %v", c.name, c.width-1, IsThin(c.ring, c.width-1), c.width, IsThin(c.ring, c.width))
		}
	}
	if IsThin(ring(0, 0, 1, 0, 0, 1), 0) {
		t.Error("nothing is thinner than no width")
	}
}
