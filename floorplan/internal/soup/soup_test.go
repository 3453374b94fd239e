package soup

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/lattice"
)

func TestSlopeLimitIsExact(t *testing.T) {
	limit := newSlopeLimit(geom.Degrees(45))
	const big = 1 << 61 // far beyond what float64 tells apart
	for _, c := range []struct {
		n    [3]int64
		want bool
	}{
		{[3]int64{1, 0, 1}, true},
		{[3]int64{2, 0, 1}, false},
		{[3]int64{3, 4, 5}, true},
		{[3]int64{big, 0, big}, true},
		{[3]int64{big, 0, big - 1}, false},
		{[3]int64{big - 1, 0, big}, true},
	} {
		if got := limit.admits(c.n); got != c.want {
			t.Errorf("%v: %v", c.n, got)
		}
	}
	if newSlopeLimit(0).admits([3]int64{1, 0, 1 << 40}) || !newSlopeLimit(0).admits([3]int64{0, 0, 1}) {
		t.Error("a limit of 0 admits level faces only")
	}
}

// TestUpright tells walls that rounding makes lean from steep floors.
func TestUpright(t *testing.T) {
	at := func(x, y, z int32) lattice.Vertex { return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z} }
	for _, c := range []struct {
		name string
		v    [3]lattice.Vertex
		want bool
	}{
		{"a wall", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 0, 4000)}, true},
		{"a wall that rounding leans", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 1, 4000)}, true},
		{"a low one", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 2, 200)}, true},
		{"a high one that leans by one in a thousand", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 20, 20000)}, true},
		{"a batter", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 40, 4000)}, false},
		{"a bevel", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 600, 1200)}, false},
		{"a narrow floor", [3]lattice.Vertex{at(0, 0, 0), at(4000, 0, 0), at(4000, 100, 100)}, false},
	} {
		if got := (&Triangle{V: c.v}).upright(); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
