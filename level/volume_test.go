package level

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

// The corners of a volume are the eight of its box, each once.
func TestVolume(t *testing.T) {
	m := Volume("door", "gate", geom.Vec{X: 1, Y: 2, Z: 3}, geom.Vec{X: -1, Y: 5, Z: 7})
	if m.Kind != "door" || m.Name != "gate" {
		t.Errorf("%+v", m)
	}
	seen := map[geom.Vec]bool{}
	for _, c := range m.Hull {
		if (c.X != 1 && c.X != -1) || (c.Y != 2 && c.Y != 5) || (c.Z != 3 && c.Z != 7) {
			t.Errorf("corner %v", c)
		}
		seen[c] = true
	}
	if len(m.Hull) != 8 || len(seen) != 8 {
		t.Errorf("%d corners, %d different", len(m.Hull), len(seen))
	}
}
