package draw

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

func TestAppendKeepsOrder(t *testing.T) {
	var l List
	a := List{Points: []Point{{Radius: 1}}, Labels: []Label{{Text: "a"}}}
	b := List{Points: []Point{{Radius: 2}, {Radius: 3}}, Lines: []Line{{Width: 4}}, Triangles: make([]Triangle, 2)}
	l.Append(&a, &b, &List{})
	if len(l.Triangles) != 2 || len(l.Lines) != 1 || len(l.Labels) != 1 || len(l.Points) != 3 {
		t.Fatalf("%+v", l)
	}
	for i, p := range l.Points {
		if p.Radius != float64(i+1) {
			t.Errorf("point %d has radius %g", i, p.Radius)
		}
	}
}

func TestLevel(t *testing.T) {
	lvl := &level.Level{
		Vertices: []geom.Vec{{}, {X: 1}, {Z: -1}},
		Triangles: []level.Triangle{
			{A: 0, B: 1, C: 2, Material: 0},
			{A: 0, B: 1, C: 2, Material: level.NoMaterial},
			{A: 0, B: 1, C: 3, Material: 0}, // no such vertex
			{A: 2, B: 1, C: 0, Material: 7}, // no such material
		},
		Materials: []level.Material{{Name: "red", Color: [4]float32{1, 0, 0, 0.5}}},
	}
	for _, c := range []struct {
		name  string
		opt   LevelOptions
		fills []Color
	}{
		{"default", LevelOptions{}, []Color{stone, stone, stone}},
		{"one colour", LevelOptions{Color: Color{1, 2, 3, 255}}, []Color{{1, 2, 3, 255}, {1, 2, 3, 255}, {1, 2, 3, 255}}},
		{"materials", LevelOptions{Materials: true}, []Color{{255, 0, 0, 255}, stone, stone}},
		{"washed", LevelOptions{Materials: true, Color: Color{55, 100, 200, 255}, Wash: 0.5}, []Color{{155, 50, 100, 255}, {55, 100, 200, 255}, {55, 100, 200, 255}}},
		{"washed out", LevelOptions{Materials: true, Wash: 9}, []Color{stone, stone, stone}},
	} {
		list := Level(lvl, c.opt)
		if len(list.Triangles) != len(c.fills) {
			t.Fatalf("%s: %d triangles", c.name, len(list.Triangles))
		}
		for i, tri := range list.Triangles {
			if tri.Fill != c.fills[i] || !tri.Lit || tri.OneSided {
				t.Errorf("%s: triangle %d: %+v", c.name, i, tri)
			}
		}
	}
	if list := Level(lvl, LevelOptions{OneSided: true}); !list.Triangles[0].OneSided {
		t.Error("not one-sided")
	}
	if list := Level(&level.Level{}, LevelOptions{}); len(list.Triangles) != 0 {
		t.Error("an empty level draws something")
	}
}

func TestPath(t *testing.T) {
	if list := Path(nil, PathOptions{}); len(list.Lines)+len(list.Points) != 0 {
		t.Errorf("no points draw %+v", list)
	}
	points := []geom.Vec{{X: 1}, {X: 2, Y: 1}, {X: 4, Z: 3}}
	list := Path(points, PathOptions{Width: 4, Lift: 0.5})
	if len(list.Lines) != 3 || len(list.Points) != 4 {
		t.Fatalf("%d lines, %d points", len(list.Lines), len(list.Points))
	}
	for _, l := range list.Lines {
		for i, p := range l.P {
			if p != points[i].Add(geom.Vec{Y: 0.5}) {
				t.Errorf("point %d at %v", i, p)
			}
		}
	}
	// The last layer is bold and in front; the others are pale and thin.
	bold, faint := list.Lines[2], list.Lines[0]
	if bold.Color != pathRed || bold.Width != 4 || bold.OnTop || !faint.OnTop || faint.Color.A > 128 || faint.Width >= bold.Width {
		t.Errorf("bold %+v, faint %+v", bold, faint)
	}
	if list.Points[1].Color != startMark || list.Points[3].Color != pathRed || list.Points[1].P.X != 1 || list.Points[3].P.X != 4 {
		t.Errorf("marks %+v", list.Points)
	}
	if single := Path(points[:1], PathOptions{}); len(single.Lines) != 0 || len(single.Points) != 4 {
		t.Errorf("a single point draws %+v", single)
	}
	if flat := Path(points, PathOptions{Lift: -1}); flat.Lines[0].P[0] != points[0] {
		t.Error("a negative lift lifts")
	}
}

func TestFaults(t *testing.T) {
	list := Faults([]Note{{At: geom.Vec{X: 1}, Text: "not convex"}, {At: geom.Vec{X: math.NaN()}}})
	if len(list.Points) != 4 || len(list.Labels) != 1 || list.Labels[0].Text != "not convex" || !list.Points[0].OnTop {
		t.Errorf("%+v", list)
	}
}
