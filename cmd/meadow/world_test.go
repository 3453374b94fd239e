package main

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/world"
)

// TestSurfacesOfSolids measures the tops of drawn solids: their areas are those of the outlines.
func TestSurfacesOfSolids(t *testing.T) {
	ell := []geom.Vec{{}, {X: 3}, {X: 3, Z: -1}, {X: 1, Z: -1}, {X: 1, Z: -3}, {Z: -3}}
	var clockwise []geom.Vec
	for i := range ell {
		clockwise = append(clockwise, ell[len(ell)-1-i])
	}
	for name, c := range map[string]struct {
		solid world.Solid
		area  float64
	}{
		"box":       {world.Box{Base: geom.Vec{X: 5}, Size: geom.Vec{X: 2, Y: 1, Z: 3}, Yaw: 1}, 6},
		"cylinder":  {world.Cylinder{Radius: 1, Height: 1}, sidesOfCylinder / 2 * math.Sin(2*math.Pi/sidesOfCylinder)},
		"prism":     {world.Prism{Outline: ell, Top: 1}, 5},
		"clockwise": {world.Prism{Outline: clockwise, Top: 1}, 5},
		"mesh":      {world.TriangleMesh{Vertices: []geom.Vec{{Y: 1}, {X: 1, Y: 1}, {Y: 1, Z: -1}}, Triangles: [][3]int32{{0, 1, 2}}, Yaw: 2}, 0.5},
	} {
		s := surfaceOf(c.solid)
		area := 0.0
		for _, f := range s.Triangles {
			p, q, r := s.Vertices[f[0]], s.Vertices[f[1]], s.Vertices[f[2]]
			if p.Y == 1 && q.Y == 1 && r.Y == 1 {
				area += q.Sub(p).Cross(r.Sub(p)).Y / 2
			}
		}
		if math.Abs(area-c.area) > 1e-9 {
			t.Errorf("%s: the top has %g m², want %g", name, area, c.area)
		}
	}
	if n := len(surfacesOf([]world.Thing{world.Put{Solid: world.Box{}}, world.Paint{Solid: world.Box{}}})); n != 1 {
		t.Errorf("%d surfaces of an obstacle and a modifier", n)
	}
}
