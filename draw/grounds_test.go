package draw

import (
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

// TestAreaColors verifies that names give colours, once each, and that areas without one still have theirs.
func TestAreaColors(t *testing.T) {
	colors := areaColors(&navmesh.Mesh{Areas: []string{"ground", "Grass_01", "river", "grass_02"}})
	for a, want := range map[int]Color{0: hues[0], 1: grounds[2].color, 2: grounds[1].color, 3: hues[1], 200: hues[198%len(hues)]} {
		if colors[a] != want {
			t.Errorf("area %d is %v, want %v", a, colors[a], want)
		}
	}
}
