package navmesh_test

import (
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

// TestWarnings spoils the geometry of a good mesh in every way visible in a single region or portal. The mesh keeps its
// structure and would load.
func TestWarnings(t *testing.T) {
	if faults := good(t).Warnings(); faults != nil || !good(t).IsSound() {
		t.Fatalf("a good mesh: sound is %v, %v", good(t).IsSound(), faults)
	}
	end := func(m *navmesh.Mesh, p int, right bool, v uint32) {
		ports := m.Tiles[0].Portals
		if back := ports[p].Back; right {
			ports[p].Right, ports[back].Left = v, v
		} else {
			ports[p].Left, ports[back].Right = v, v
		}
	}
	tests := []struct {
		name  string
		spoil func(m *navmesh.Mesh)
		kind  navmesh.FaultKind
		sound bool
	}{
		{"a corner inside", func(m *navmesh.Mesh) {
			c := m.Tiles[0].RegionCorners(0)
			a, b := m.Tiles[0].Vertices[c[0]], m.Tiles[0].Vertices[c[2]]
			v := &m.Tiles[0].Vertices[c[1]]
			v.X, v.Y = (3*a.X+b.X)/4, (a.Y+3*b.Y)/4
		}, navmesh.BadShape, false},
		{"a portal to another corner", func(m *navmesh.Mesh) {
			end(m, portal(t, m, 0, 2), true, m.Tiles[0].RegionCorners(5)[0])
		}, navmesh.PortalOffEdge, false},
		{"a portal without length", func(m *navmesh.Mesh) {
			p := portal(t, m, 0, 2)
			end(m, p, true, m.Tiles[0].Portals[p].Left)
		}, navmesh.PortalOffEdge, false},
		{"a step", func(m *navmesh.Mesh) {
			c := m.Tiles[0].RegionCorners(6)
			m.Tiles[0].Vertices[c[0]].Z += 4000
		}, navmesh.PortalStep, true},
		{"a corner flag", func(m *navmesh.Mesh) {
			p := &m.Tiles[0].Portals[portal(t, m, 2, 4)]
			p.LeftCorner = !p.LeftCorner
		}, navmesh.BadCorner, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := good(t)
			test.spoil(m)
			if err := m.Check(); err != nil {
				t.Fatalf("the structure is spoiled: %v", err)
			}
			faults := m.Warnings()
			text := navmesh.Summary(faults)
			found := false
			for _, f := range faults {
				found = found || f.Kind == test.kind
				if f.Kind.Spoils() == "" || !strings.Contains(text, f.Kind.Spoils()) || !strings.Contains(text, string(f.Kind)) {
					t.Errorf("%q says nothing of %s", text, f.Kind)
				}
			}
			if !found || m.IsSound() != test.sound {
				t.Errorf("sound is %v, %v, want %v and %s", m.IsSound(), faults, test.sound, test.kind)
			}
			if strings.Contains(text, "\n") {
				t.Errorf("more than a line: %q", text)
			}
		})
	}
}
