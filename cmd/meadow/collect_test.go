package main

import "testing"

// TestCollectPercent verifies the growth of memory after which a level is collected: the default for small levels, less for
// large levels, and never nothing.
func TestCollectPercent(t *testing.T) {
	for _, c := range []struct{ triangles, want int }{
		{0, 200}, {12, 200}, {80_000, 200}, {1 << 18, 64}, {1 << 19, 32}, {1_100_000, 16}, {1 << 30, 16},
	} {
		if got := collectPercent(c.triangles); got != c.want {
			t.Errorf("%d triangles: collected after a growth of %d %%, want %d %%", c.triangles, got, c.want)
		}
	}
}
