package level

import (
	"math"
	"strings"
	"testing"
)

// grounded is a level of two triangles with a ground that fits.
func grounded() *Level {
	l := triangleLevel()
	l.Triangles = append(l.Triangles, Triangle{2, 1, 0, 0})
	l.Materials = []Material{{Name: "grass"}}
	l.Ground = &Ground{
		Names: []string{"ground", "grass", "road"}, Triangles: []uint8{2, 1},
		Painted: []Painted{{Area: 2, Rings: [][][2]float64{{{0, 0}, {1, 0}, {0, 1}}}}},
	}
	return &l
}

func TestGroundOf(t *testing.T) {
	g := grounded().Ground
	if a, b := g.Of(0), g.Of(1); a != 2 || b != 1 {
		t.Errorf("triangles: got %d and %d", a, b)
	}
	for _, g := range []*Ground{nil, {}} {
		if g.Of(7) != 0 {
			t.Errorf("%v is not plain", g)
		}
	}
}

func TestValidateGround(t *testing.T) {
	many := make([]string, MaxAreas+1)
	for _, c := range []struct {
		name   string
		change func(g *Ground)
		want   string // empty: no fault
	}{
		{"fine", func(*Ground) {}, ""},
		{"nothing", func(g *Ground) { *g = Ground{} }, ""},
		{"nothing but names", func(g *Ground) { *g = Ground{Names: g.Names} }, ""},
		{"a patch without rings", func(g *Ground) { g.Painted[0].Rings = nil }, ""},
		{"too many names", func(g *Ground) { g.Names = many }, "ground: 257 names; the limit is 256 areas"},
		{"no name", func(g *Ground) { g.Names[1] = "" }, "ground: area 1 has no name"},
		{"a name twice", func(g *Ground) { g.Names[2] = "ground" }, `ground: areas 0 and 2 have the same name, "ground"`},
		{"triangles without names", func(g *Ground) { g.Names = nil }, "ground: triangle 0: area 2 of 0"},
		{"too few triangles", func(g *Ground) { g.Triangles = []uint8{} }, "ground: areas for 0 triangles; the level has 2"},
		{"area of a triangle", func(g *Ground) { g.Triangles[1] = 3 }, "ground: triangle 1: area 3 of 3"},
		{"area of a patch", func(g *Ground) { g.Painted[0].Area = 3 }, "ground: patch 0: area 3 of 3"},
		{"a ring of two points", func(g *Ground) { r := &g.Painted[0].Rings[0]; *r = (*r)[:2] }, "ground: patch 0: ring 0 has 2 points"},
		{"not a number", func(g *Ground) { g.Painted[0].Rings[0][1][1] = math.NaN() }, "ground: patch 0: ring 0: point 1 at (1, NaN) is not finite"},
		{"infinite", func(g *Ground) { g.Painted[0].Rings[0][2][0] = math.Inf(-1) }, "ground: patch 0: ring 0: point 2 at (-Inf, 1) is not finite"},
	} {
		l := grounded()
		c.change(l.Ground)
		switch err := l.Validate(); {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), `level "one": `)):
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
