package join

import (
	"testing"

	"github.com/meadow-nav/meadow/navmesh"
)

func TestSplitSquare(t *testing.T) {
	w := splitSquare()
	m, report := w.build(t, Options{})
	want := Report{Regions: 2, Vertices: 6, Portals: 1}
	if report != want {
		t.Errorf("report %+v, want %+v", report, want)
	}
	tile := &m.Tiles[0]
	p := tile.Portals[0]
	if got := tile.Vertices[p.Right]; got.X != 5 || got.Y != 0 {
		t.Errorf("right end at %v", got)
	}
	if got := tile.Vertices[p.Left]; got.X != 5 || got.Y != 10 {
		t.Errorf("left end at %v", got)
	}
	if p.LeftCorner || p.RightCorner {
		t.Errorf("a path bends in the middle of a straight wall: %+v", p)
	}
	if p.Clearance != 5 || p.To != 1 || p.Back != 1 || m.Components != 1 {
		t.Errorf("portal %+v, %d components", p, m.Components)
	}
}

// TestTJunction has a long edge that meets two short ones: the T-vertex at (20, 4) has free space all around, and the
// path bends only at (20, 10).
func TestTJunction(t *testing.T) {
	w := corner()
	m, report := w.build(t, Options{})
	if report.Portals != 3 || report.Vertices != 9 {
		t.Errorf("report %+v", report)
	}
	corners := map[int32]bool{}
	tile := &m.Tiles[0]
	for i, p := range tile.Portals {
		if p.LeftCorner {
			corners[tile.Vertices[p.Left].Y] = true
		}
		if p.RightCorner {
			corners[tile.Vertices[p.Right].Y] = true
		}
		if b := tile.Portals[p.Back]; int(b.Back) != i || b.LeftCorner != p.RightCorner || b.RightCorner != p.LeftCorner {
			t.Errorf("portal %d %+v and its back %+v differ", i, p, b)
		}
	}
	if len(corners) != 1 || !corners[10] {
		t.Errorf("corners at y = %v, want 10 only", corners)
	}
}

func TestRing(t *testing.T) {
	w := ring()
	m, report := w.build(t, Options{})
	if report.Regions != 4 || report.Portals != 4 || m.Components != 1 {
		t.Errorf("report %+v, %d components", report, m.Components)
	}
	bends := 0
	for _, p := range m.Tiles[0].Portals {
		if p.LeftCorner {
			bends++
		}
		if p.RightCorner {
			bends++
		}
	}
	if bends != 8 { // the hole's corners, seen by both sides of a portal each
		t.Errorf("%d portal ends at corners, want 8", bends)
	}
}

// TestBridge has a deck and a ramp cut at different heights of the seam: three portals cross the seam.
func TestBridge(t *testing.T) {
	w := bridge(t)
	m, report := w.build(t, Options{KeepSeams: true})
	if report.SeamPortals != 3 || report.Portals != 5 || m.Components != 2 {
		t.Errorf("report %+v, %d components", report, m.Components)
	}
	tile := &m.Tiles[0]
	for i, p := range tile.Portals {
		b := tile.Portals[p.Back]
		if tile.Vertices[p.Left].Point != tile.Vertices[b.Right].Point {
			t.Errorf("portal %d and its back have different ends", i)
		}
		for _, v := range []uint32{p.Left, p.Right} {
			if tile.Vertices[v].X == 0 && tile.Vertices[v].Z != 40 {
				t.Errorf("vertex %v at height %d on the seam", tile.Vertices[v].Point, tile.Vertices[v].Z)
			}
		}
	}
	if tile.Regions[2].Component != 1 {
		t.Errorf("the road is in component %d", tile.Regions[2].Component)
	}
}

func TestEmptyPlan(t *testing.T) {
	w := world{}
	m, _ := w.build(t, Options{})
	if len(m.Tiles) != 1 || m.RegionCount() != 0 {
		t.Errorf("%d tiles, %d regions", len(m.Tiles), m.RegionCount())
	}
	var _ *navmesh.Mesh = m
}
