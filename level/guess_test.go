package level_test

import (
	"math"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// TestGuess doubts no generated level as it is, and most of them in another unit or with another axis up.
func TestGuess(t *testing.T) {
	kinds := 0
	told := map[string]int{}
	for _, kind := range levelgen.Kinds() {
		lvl, err := levelgen.Generate(kind.Name, levelgen.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		kinds++
		right := slices.Clone(lvl.Vertices)
		guess := func(move func(geom.Vec) geom.Vec) level.Guess {
			for i, v := range right {
				lvl.Vertices[i] = move(v)
			}
			return lvl.Guess(math.Pi / 4)
		}
		if g := guess(func(v geom.Vec) geom.Vec { return v }); g.Up() != 0 || g.Unit() != "" || g.Facing[1] == 0 {
			t.Errorf("%s as it is: up %q, unit %q, %+v", kind.Name, g.Up(), g.Unit(), g)
		}
		for _, up := range []byte{'x', 'z'} {
			g := guess(func(v geom.Vec) geom.Vec {
				if up == 'z' {
					return geom.Vec{X: v.X, Y: -v.Z, Z: v.Y}
				}
				return geom.Vec{X: v.Y, Y: -v.X, Z: v.Z}
			})
			if got := g.Up(); got == up {
				told["up "+string(up)]++
			} else if got != 0 {
				t.Errorf("%s with %c up: %c", kind.Name, up, got)
			}
		}
		for unit, metres := range map[string]float64{"mm": 0.001, "cm": 0.01, "in": 0.0254, "ft": 0.3048} {
			if got := guess(func(v geom.Vec) geom.Vec { return v.Scale(1 / metres) }).Unit(); got == unit {
				told[unit]++
			} else if unit == "ft" && got != "" {
				t.Errorf("%s in feet: %s", kind.Name, got)
			}
		}
	}
	t.Logf("told of %d levels: %v", kinds, told)
	for what, least := range map[string]int{"up z": kinds - 3, "up x": kinds - 3, "mm": kinds - 1, "cm": kinds - 3} {
		if told[what] < least {
			t.Errorf("%s told of %d of %d levels", what, told[what], kinds)
		}
	}
}

// TestGuessOfFewTriangles takes a floor that stands upright, a floor from below, and levels without any area.
func TestGuessOfFewTriangles(t *testing.T) {
	square := func(a, b, c, d geom.Vec) *level.Level {
		return &level.Level{
			Vertices:  []geom.Vec{a, b, c, d},
			Triangles: []level.Triangle{{A: 0, B: 1, C: 2, Material: level.NoMaterial}, {A: 0, B: 2, C: 3, Material: level.NoMaterial}},
		}
	}
	for _, c := range []struct {
		name string
		lvl  *level.Level
		up   byte
		down int
	}{
		{"z up", square(geom.Vec{}, geom.Vec{X: 4}, geom.Vec{X: 4, Y: 4}, geom.Vec{Y: 4}), 'z', 0},
		{"x up", square(geom.Vec{}, geom.Vec{Y: 4}, geom.Vec{Y: 4, Z: 4}, geom.Vec{Z: 4}), 'x', 0},
		{"y up", square(geom.Vec{}, geom.Vec{Z: 4}, geom.Vec{X: 4, Z: 4}, geom.Vec{X: 4}), 0, 0},
		{"upside down", square(geom.Vec{}, geom.Vec{X: 4}, geom.Vec{X: 4, Z: 4}, geom.Vec{Z: 4}), 0, 2},
		{"no area", square(geom.Vec{}, geom.Vec{}, geom.Vec{}, geom.Vec{}), 0, 0},
		{"huge", square(geom.Vec{}, geom.Vec{X: 1e300}, geom.Vec{X: 1e300, Y: 1e300}, geom.Vec{Y: 1e300}), 0, 0},
		{"nothing", nil, 0, 0},
	} {
		g := c.lvl.Guess(math.Pi / 4)
		if g.Up() != c.up || g.Down != c.down || g.Unit() != "" {
			t.Errorf("%s: up %q, %d down, unit %q", c.name, g.Up(), g.Down, g.Unit())
		}
	}
	// A high wall over a narrow floor is no level on its side.
	wall := square(geom.Vec{}, geom.Vec{X: 20}, geom.Vec{X: 20, Y: 20}, geom.Vec{Y: 20})
	wall.Vertices = append(wall.Vertices, geom.Vec{}, geom.Vec{Z: 11}, geom.Vec{X: 5, Z: 11})
	wall.Triangles = append(wall.Triangles, level.Triangle{A: 4, B: 5, C: 6, Material: level.NoMaterial})
	if g := wall.Guess(math.Pi / 4); g.Up() != 0 || g.Area[2] < 4*g.Area[1] {
		t.Errorf("a wall over a floor: up %q, %+v", g.Up(), g)
	}
	if m, ok := level.UnitOf("in"); m != 0.0254 || !ok {
		t.Errorf("an inch of %g m", m)
	}
	if _, ok := level.UnitOf("yd"); ok {
		t.Error("yards are known")
	}
}

// TestGuessInward has generated levels and a room of faces that look inward: Guess doubts none of them. Guess doubts most levels of solids after all
// faces are turned.
func TestGuessInward(t *testing.T) {
	kinds, told := 0, 0
	for _, kind := range levelgen.Kinds() {
		lvl, err := levelgen.Generate(kind.Name, levelgen.Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		kinds++
		g := lvl.Guess(math.Pi / 4)
		if text := g.InwardDoubt(); text != "" {
			t.Errorf("%s: %s", kind.Name, text)
		}
		for i, f := range lvl.Triangles {
			lvl.Triangles[i].B, lvl.Triangles[i].C = f.C, f.B
		}
		if turned := lvl.Guess(math.Pi / 4); turned.InwardDoubt() != "" {
			told++
		}
	}
	if t.Logf("told of %d of %d levels", told, kinds); told < kinds-6 { // ground of some kinds is thicker than a room is high
		t.Errorf("told of %d of %d levels", told, kinds)
	}
	box := func(size geom.Vec) *level.Level {
		l := &level.Level{}
		for i := range 8 {
			l.Vertices = append(l.Vertices, geom.Vec{X: 1e5 + size.X*float64(i&1), Y: size.Y * float64(i>>1&1), Z: size.Z * float64(i>>2)})
		}
		for _, q := range [][4]uint32{{0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
			l.Triangles = append(l.Triangles, level.Triangle{A: q[0], B: q[1], C: q[2], Material: level.NoMaterial}, level.Triangle{A: q[0], B: q[2], C: q[3], Material: level.NoMaterial})
		}
		return l
	}
	for _, test := range []struct {
		size    geom.Vec
		outward float64
		doubt   bool
	}{
		{geom.Vec{X: 8, Y: 3, Z: 6}, 144, false},
		{geom.Vec{X: 8, Y: 0.5, Z: 6}, 24, true},
	} {
		l := box(test.size)
		if g := l.Guess(math.Pi / 4); math.Abs(g.Volume-test.outward) > 1e-6 || g.InwardDoubt() != "" {
			t.Errorf("%v: volume %g, doubt %q", test.size, g.Volume, g.InwardDoubt())
		}
		for i, f := range l.Triangles {
			l.Triangles[i].B, l.Triangles[i].C = f.C, f.B
		}
		if g := l.Guess(math.Pi / 4); math.Abs(g.Volume+test.outward) > 1e-6 || (g.InwardDoubt() != "") != test.doubt {
			t.Errorf("%v turned: volume %g, doubt %q", test.size, g.Volume, g.InwardDoubt())
		}
		l.Triangles = l.Triangles[1:]
		if g := l.Guess(math.Pi / 4); g.Volume != 0 {
			t.Errorf("%v with a hole: volume %g", test.size, g.Volume)
		}
	}
}
