package meadow_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

// TestLargeSimplify builds a fan of floors around a ramp, turned and mirrored, with borders that move far. Where borders of
// two layers have become straight together the mesh has no fault.
func TestLargeSimplify(t *testing.T) {
	race.Skip(t)
	scene, err := meadow.Open("testdata/scenes/S4.obj")
	if err != nil {
		t.Fatal(err)
	}
	opt := meadow.FloorOptions{Agent: meadow.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9}, KeepAll: true}
	for _, opt.Simplify = range []float64{0.2, 0.3, 0.39, 0.5} {
		for k := range 8 {
			mesh, err := meadow.BuildWith(t.Context(), turned(scene, 2*math.Pi*float64(k/2)/16, k%2 == 1), opt, meadow.MeshOptions{Generator: generator(t, "best")})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range mesh.Validate() {
				t.Errorf("borders moved by %g m, position %d: %v", opt.Simplify, k, f)
			}
		}
	}
}

// turned returns a level turned about the vertical axis, and mirrored before that.
func turned(lvl *level.Level, angle float64, mirrored bool) *level.Level {
	sin, cos := math.Sincos(angle)
	out := *lvl
	out.Vertices, out.Triangles = make([]geom.Vec, len(lvl.Vertices)), make([]level.Triangle, len(lvl.Triangles))
	for i, v := range lvl.Vertices {
		if mirrored {
			v.X = -v.X
		}
		out.Vertices[i] = geom.Vec{X: float64(v.X*cos) - float64(v.Z*sin), Y: v.Y, Z: float64(v.X*sin) + float64(v.Z*cos)}
	}
	for i, tri := range lvl.Triangles {
		if mirrored {
			tri.B, tri.C = tri.C, tri.B
		}
		out.Triangles[i] = tri
	}
	return &out
}
