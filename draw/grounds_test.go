package draw

import (
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

// TestAreaColors verifies that names give colours, once each and not for unused areas, and that the other areas have
// their own hues.
func TestAreaColors(t *testing.T) {
	m := &navmesh.Mesh{Areas: []string{"ground", "Grass_01", "river", "grass_02", "earth", "mud"}, Tiles: make([]navmesh.Tile, 1)}
	areas := []uint8{0, 1, 2, 3, 5, 200}
	for _, a := range areas {
		m.Tiles[0].Regions = append(m.Tiles[0].Regions, navmesh.Region{Area: a})
	}
	colors := areaColors(m)
	for a, ground := range map[int]string{1: "grass", 2: "water", 5: "mud"} {
		if want := grounds[groundOf(ground)].color; colors[a] != want {
			t.Errorf("area %d is %v, want %v, as %s", a, colors[a], want, ground)
		}
	}
	of := map[Color]uint8{}
	for _, a := range areas {
		if other, ok := of[colors[a]]; ok || colors[a] == (Color{}) {
			t.Errorf("areas %d and %d are both %v", a, other, colors[a])
		}
		of[colors[a]] = a
	}
}
