package level

import (
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
)

func triangleLevel() Level {
	return Level{
		Name:      "one",
		Vertices:  []geom.Vec{{X: 1}, {X: 3, Y: 2}, {Z: -4}, {X: 99}},
		Triangles: []Triangle{{0, 1, 2, NoMaterial}},
		Solids:    []Solid{{}, {Planes: []Plane{{Normal: geom.Vec{Y: 1}, Offset: 2, Material: NoMaterial}}}},
	}
}

func TestBoundsOfUsedVertices(t *testing.T) {
	l := triangleLevel()
	if got, want := l.Bounds(), (geom.Box{Min: geom.Vec{Z: -4}, Max: geom.Vec{X: 3, Y: 2}}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if b := (&Level{}).Bounds(); !b.IsEmpty() {
		t.Errorf("the box of an empty level is %v", b)
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(l *Level)
		want   string // empty: no fault
	}{
		{"fine", func(*Level) {}, ""},
		{"unused vertex is not finite", func(l *Level) { l.Vertices[3].Y = math.NaN() }, ""},
		{"degenerate triangle", func(l *Level) { l.Triangles[0].B = 0 }, ""},
		{"no triangles", func(l *Level) { l.Triangles = nil }, `level "one" has no triangles`},
		{"index too large", func(l *Level) { l.Triangles[0].C = 4 }, "triangle 0: vertex 4 of 4"},
		{"not a number", func(l *Level) { l.Vertices[1].X = math.NaN() }, "triangle 0: vertex 1 at (NaN, 2.000, 0.000) is not finite"},
		{"infinite", func(l *Level) { l.Vertices[2].Z = math.Inf(1) }, "triangle 0: vertex 2"},
		{"material too large", func(l *Level) { l.Triangles[0].Material = 0 }, "triangle 0: material 0 of 0; NoMaterial is -1"},
		{"material too small", func(l *Level) { l.Triangles[0].Material = -2 }, "triangle 0: material -2 of 0"},
		{"plane without a place", func(l *Level) { l.Solids[1].Planes[0].Offset = math.Inf(-1) }, "solid 1: plane 0 of normal (0.000, 1.000, 0.000) and offset -Inf is not finite"},
		{"plane without a direction", func(l *Level) { l.Solids[1].Planes[0].Normal.X = math.NaN() }, "solid 1: plane 0 of normal (NaN, 1.000, 0.000) and offset 2 is not finite"},
		{"material of a plane", func(l *Level) { l.Solids[1].Planes[0].Material = 0 }, "solid 1: plane 0: material 0 of 0"},
	} {
		l := triangleLevel()
		c.change(&l)
		switch err := l.Validate(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
