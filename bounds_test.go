package meadow_test

import (
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// TestNarrowDropBesideAStep has a floor at 0.5 m whose edge leads onto a step at 0.3 m, and for 2 mm at the side of the
// step onto a floor at 0 m, which is too low for a climb of 0.4 m. Paper says that all three floors are one, by way of
// the step, and that no portal joins the highest to the lowest.
//
// In front of the edge where it leads onto the step, package exact takes a strip off the lowest floor: the bottom of a crack is no
// floor. The strip is outward deep and reaches past the step by 2 units. So the lowest floor keeps 4 units, 1 mm, from
// the edge there. With 2 units it keeps no more than rounding may move a border, and a portal appears with a step
// of 0.5 m.
func TestNarrowDropBesideAStep(t *testing.T) {
	lvl := &level.Level{Name: "narrow drop"}
	for _, f := range [][5]float64{{1.998, 2, 3, 4, 0}, {1, 1, 2.02, 2.05, 0.5}, {2, 1, 3, 3, 0.3}} {
		n := uint32(len(lvl.Vertices))
		lvl.Vertices = append(lvl.Vertices, geom.FromGround(f[0], f[1], f[4]), geom.FromGround(f[2], f[1], f[4]), geom.FromGround(f[2], f[3], f[4]), geom.FromGround(f[0], f[3], f[4]))
		lvl.Triangles = append(lvl.Triangles,
			level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial}, level.Triangle{A: n, B: n + 2, C: n + 3, Material: level.NoMaterial})
	}
	agent := meadow.Agent{Radius: meadow.PointRadius, Height: 1.8, MaxClimb: 0.4}
	mesh, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mesh.Validate() {
		t.Error(f)
	}
	if n := mesh.Report().Components; n != 1 {
		t.Errorf("%d components, want 1", n)
	}
}
