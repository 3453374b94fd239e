package exact

import (
	"fmt"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
)

// pointPlan extracts a scene for a point of 1.8 m that climbs 0.4 m.
func pointPlan(t *testing.T, s *floortest.Scene) *plan.Plan {
	t.Helper()
	agent := floortest.Agent
	agent.Radius = 0
	p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Detail: -1})
	if err != nil {
		t.Fatal(err)
	}
	floortest.CheckPlan(t, p)
	return p
}

// TestLedgeUnderASlope verifies that the lower edge of a ramp stays apart from a floor a metre above or below. Package
// exact compares the edge, at its own height, with floors outward units behind the edge. There the ramp's other triangle
// is outward · tan 45° = 4 units higher. With a hiding of 4 units this triangle counts as a floor that covers the edge.
// The ledge then ends before the ramp's corner, and the floors join in the hole.
func TestLedgeUnderASlope(t *testing.T) {
	for _, c := range []struct{ gap, rise float64 }{{0.001, 1}, {0.001, -1}, {0.01, 1}, {0.01, -1}} {
		for turn := range 2 {
			t.Run(fmt.Sprintf("gap %g, rise %g, diagonal %d", c.gap, c.rise, turn), func(t *testing.T) {
				s := &floortest.Scene{}
				ramp := [4]geom.Vec{geom.FromGround(0, 0, 1.5), geom.FromGround(1, 0, 1.5), geom.FromGround(1, 0.5, 1), geom.FromGround(0, 0.5, 1)}
				s.Quad(ramp[turn], ramp[turn+1], ramp[turn+2], ramp[(turn+3)%4])
				s.Floor(-1, 0.5+c.gap, 2, 1.5, 1+c.rise)
				if p := pointPlan(t, s); p.Components != 2 {
					t.Errorf("%d components, want 2", p.Components)
				}
			})
		}
	}
}

// TestCrackBesideADropIsLevel has two level floors 0.5 m apart in height, with a crack of 5 cm between them. A surface
// made of level floors has to be level. A slit of 3 units keeps a point off the edge of the lower floor. The strip in
// the crack ends 2 units past the floors, and the strip's far corners are √(3² + 2²) = 3.6 units from the floors. With
// a floorReach of 2 the far corners find no floor, and one end of the strip falls to the lower floor.
func TestCrackBesideADropIsLevel(t *testing.T) {
	s := &floortest.Scene{}
	s.Floor(-3, -1.3, -1.15, -1, 2.5)
	s.Floor(-1.1, -2, 1, -1.3, 3)
	s.Floor(-1.1, -1.3, 1, -1, 3)
	p := pointPlan(t, s)
	if p.Components != 2 {
		t.Errorf("%d components, want 2", p.Components)
	}
	for l := range p.Layers {
		floor := &p.Layers[l].Floor
		for _, c := range floor.Triangles {
			a, b, c := floor.Vertices[c[0]], floor.Vertices[c[1]], floor.Vertices[c[2]]
			if max(a.Z, b.Z, c.Z)-min(a.Z, b.Z, c.Z) > few {
				t.Errorf("layer %d: the triangle %v %v %v is not level", l, a, b, c)
			}
		}
	}
}
