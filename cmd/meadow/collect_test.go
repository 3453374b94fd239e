package main

import "testing"

// TestCollectPercent verifies that small levels are collected as all else, that larger ones are collected more often,
// and that none is collected all the time.
func TestCollectPercent(t *testing.T) {
	for _, c := range []struct{ triangles, want int }{
		{0, 200}, {12, 200}, {80_000, 200}, {1 << 18, 64}, {1 << 19, 32}, {1_100_000, 16}, {1 << 30, 16},
	} {
		if got := collectPercent(c.triangles); got != c.want {
			t.Errorf("%d triangles: collected after a growth of %d %%, want %d %%", c.triangles, got, c.want)
		}
	}
}
