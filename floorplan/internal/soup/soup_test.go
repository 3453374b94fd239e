package soup

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
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
