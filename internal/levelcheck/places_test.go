package levelcheck

import (
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/groundtruth"
)

// TestRoomAroundACorner asks for the room where the corners of four floors meet. Two that meet in the corner alone are more than a step apart,
// and both are steps of the others. A post of 3 mm beside the corner takes the room away.
func TestRoomAroundACorner(t *testing.T) {
	agent := geom.Agent{Radius: 0.3, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45)}
	for _, post := range []bool{false, true} {
		s := &scene{}
		for _, f := range [4][3]float64{{-4, -4, 0.5}, {0, -4, 1}, {-4, 0, 0}, {0, 0, 0.5}} {
			x, z, y := f[0], f[1], f[2]
			s.quad(geom.Vec{X: x, Y: y, Z: z}, geom.Vec{X: x, Y: y, Z: z + 4}, geom.Vec{X: x + 4, Y: y, Z: z + 4}, geom.Vec{X: x + 4, Y: y, Z: z})
		}
		if post {
			s.quad(geom.Vec{X: 0.1, Y: -1, Z: 0.1}, geom.Vec{X: 0.103, Y: -1, Z: 0.1}, geom.Vec{X: 0.103, Y: 3, Z: 0.1}, geom.Vec{X: 0.1, Y: 3, Z: 0.1})
		}
		if v := roomAround(groundtruth.New(&s.Level, agent), geom.Vec{Y: 0.5}); v.Walkable == post {
			t.Errorf("post %v: %+v", post, v)
		}
	}
}
