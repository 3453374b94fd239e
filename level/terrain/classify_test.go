package terrain

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/level"
)

// strip is a level of squares of 1 m in a row, each of two triangles, one for every material, plus one without a
// material.
func strip(materials ...string) *level.Level {
	l := &level.Level{Name: "strip"}
	for i := range len(materials) + 1 {
		m := int32(level.NoMaterial)
		if i < len(materials) {
			m = int32(i)
			name, texture, _ := strings.Cut(materials[i], "|")
			l.Materials = append(l.Materials, level.Material{Name: name, Texture: texture})
		}
		x, n := float64(i), uint32(len(l.Vertices))
		l.Vertices = append(l.Vertices, geom.Vec{X: x}, geom.Vec{X: x + 1}, geom.Vec{X: x + 1, Z: -1}, geom.Vec{X: x, Z: -1})
		l.Triangles = append(l.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: m}, level.Triangle{A: n, B: n + 2, C: n + 3, Material: m})
	}
	return l
}

func warnings(r Report) string {
	var b strings.Builder
	for _, w := range r.Warnings {
		b.WriteString(w.In("f") + "\n")
	}
	return b.String()
}

func TestClassify(t *testing.T) {
	l := strip("asphalt_road", "grass", "Material.1|tex/road_07.png", "concrete_wall", "xyzzy")
	r := parse(t, `terrain: 1
guess: 0.5
groups:
  - name: road
    patterns: ["*road*"]
  - name: grass
methods:
  - {name: drive, on: road}
`)
	g, report := Classify(l, r)
	l.Ground = g
	if err := l.Validate(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&level.Ground{
		Names: []string{"ground", "road", "grass"}, Triangles: []uint8{1, 1, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0},
	}, g); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]Row{
		{Material: 0, Name: "asphalt_road", Area: 1, How: ByPattern, Word: "*road*", Confidence: 1, Triangles: 2, Ground: 1},
		{Material: 1, Name: "grass", Area: 2, How: ByWord, Word: "grass", Confidence: 1, Triangles: 2, Ground: 1},
		{Material: 2, Name: "Material.1", Texture: "tex/road_07.png", Area: 1, How: ByPattern, Word: "*road*", Confidence: 1, Triangles: 2, Ground: 1},
		{Material: 3, Name: "concrete_wall", Word: "wall", Concept: "wall", Confidence: 0.95, Triangles: 2, Ground: 1},
		{Material: 4, Name: "xyzzy", Triangles: 2, Ground: 1},
		{Material: level.NoMaterial, Triangles: 2, Ground: 1},
	}, report.Rows); d != "" {
		t.Error(d)
	}
	if want := []float64{3, 2, 1}; !slices.Equal(report.Areas, want) {
		t.Errorf("areas %v, want %v", report.Areas, want)
	}
	want := `terrain: f: no group takes "concrete_wall", "xyzzy", surfaces without a name: 3.0 m² are "ground", which nobody may use
terrain: f:6:5: group "grass": no method may use its 1.0 m²
`
	if got := warnings(report); got != want {
		t.Errorf("warnings:\n%swant:\n%s", got, want)
	}
}

func TestClassifyWarnsOfPatterns(t *testing.T) {
	l := strip("road_grass", "grass_road_2", "stone")
	_, report := Classify(l, parse(t, `terrain: 1
plain: stone
groups:
  - name: road
    patterns: ["*road*", "*tarmac*"]
  - name: grass
    patterns: ["*grass*", grass*]
  - name: stone
    patterns: [stone]
methods:
  - {name: walk, on: [road, grass, stone]}
`))
	want := `terrain: f: no group takes surfaces without a name: 1.0 m² are "stone", which walk may use
terrain: f:5:26: group "road": pattern "*tarmac*" matches nothing in level "strip": it has no effect
terrain: f:7:16: group "grass": pattern "*grass*" overlaps "*road*" of group "road": "road_grass" and 1 more stays with "road", which comes first
`
	if got := warnings(report); got != want {
		t.Errorf("warnings:\n%swant:\n%s", got, want)
	}
	if report.Rows[2].Area != 0 || report.Rows[2].How != ByPattern {
		t.Errorf("a pattern for the plain group: %+v", report.Rows[2])
	}
}

// TestClassifyTheFirstGroupTakes checks that the order of groups decides, not the order of patterns or materials.
func TestClassifyTheFirstGroupTakes(t *testing.T) {
	r := &Rules{Groups: []Group{
		{Name: "a", Patterns: []Pattern{{Glob: "none"}, {Glob: "x*"}}},
		{Name: "b", Patterns: []Pattern{{Glob: "xy"}}},
	}}
	g, _ := Classify(strip("xy", "x", "y"), r)
	if want := []uint8{1, 1, 1, 1, 0, 0, 0, 0}; !slices.Equal(g.Triangles, want) {
		t.Errorf("got %v, want %v", g.Triangles, want)
	}
	slices.Reverse(r.Groups)
	g, _ = Classify(strip("xy", "x", "y"), r)
	if want := []uint8{1, 1, 2, 2, 0, 0, 0, 0}; !slices.Equal(g.Triangles, want) {
		t.Errorf("got %v, want %v", g.Triangles, want)
	}
}

// TestClassifyShuffled checks that a triangle keeps its area in any order of triangles.
func TestClassifyShuffled(t *testing.T) {
	l := strip("grass", "mud", "water", "road")
	want, _ := Classify(l, Default())
	back := *l
	back.Triangles = slices.Clone(l.Triangles)
	slices.Reverse(back.Triangles)
	got, _ := Classify(&back, Default())
	slices.Reverse(got.Triangles)
	if !slices.Equal(got.Triangles, want.Triangles) {
		t.Errorf("got %v, want %v", got.Triangles, want.Triangles)
	}
}

func TestGroundFacesUp(t *testing.T) {
	l := strip("grass", "grass")
	l.Triangles[0].B, l.Triangles[0].C = l.Triangles[0].C, l.Triangles[0].B // faces down
	l.Vertices[6].Y, l.Vertices[7].Y = 1.01, 1.01                           // steeper than 45°
	_, report := Classify(l, Default())
	if got := []float64{report.Rows[0].Ground, report.Rows[1].Ground}; !slices.Equal(got, []float64{0.5, 0}) {
		t.Errorf("got %v", got)
	}
}

func TestClassifyByVertexColors(t *testing.T) {
	const rules = `terrain: 1
guess: 0.5
groups:
  - {name: grass, colors: [green, "#9c9"]}
  - {name: road, colors: gray, patterns: road}
  - {name: mud, colors: "#654321"}
`
	l := strip("paint", "road", "grass")
	green, grey, magenta := [4]float32{0, 0.2159, 0, 1}, [4]float32{0.2159, 0.2159, 0.2159, 1}, [4]float32{1, 0, 1, 1}
	brown := [4]float32{0.1301, 0.0561, 0.0152, 1}
	l.Colors = [][4]float32{
		green, green, green, grey, // a triangle of green, one of two greens and a grey
		green, green, green, green, // a pattern is surer than colours
		magenta, magenta, magenta, magenta, // far from all: the name decides
		brown, brown, brown, grey, // without a material
	}
	g, report := Classify(l, parse(t, rules))
	if want := []uint8{1, 1, 2, 2, 1, 1, 3, 3}; !slices.Equal(g.Triangles, want) {
		t.Errorf("got %v, want %v", g.Triangles, want)
	}
	if r := report.Rows[0]; r.Colored != 1 || r.How != Unknown {
		t.Errorf("%+v", r)
	}
	if got := warnings(report); strings.Contains(got, "no group takes") {
		t.Errorf("what colours took is told as taken by none:\n%s", got)
	}
	l.Colors = nil
	g, _ = Classify(l, parse(t, rules))
	if want := []uint8{0, 0, 2, 2, 1, 1, 0, 0}; !slices.Equal(g.Triangles, want) {
		t.Errorf("without colours: got %v, want %v", g.Triangles, want)
	}
}

func TestColors(t *testing.T) {
	for _, c := range []struct {
		text string
		want rgb
	}{{"#102030", rgb{16, 32, 48}}, {"#Fff", rgb{255, 255, 255}}, {"Red", rgb{255, 0, 0}}} {
		if got, err := parseColor(c.text); err != nil || got != c.want {
			t.Errorf("%q: %v, %v", c.text, got, err)
		}
	}
	for _, s := range []string{"", "#", "#12", "#1234567", "#gggggg", "123456", "rouge", "#-12345"} {
		if _, err := parseColor(s); err == nil {
			t.Errorf("%q is a colour", s)
		}
	}
	for _, name := range ColorNames() {
		if _, err := parseColor(name); err != nil {
			t.Error(err)
		}
	}
	if got := encoded([3]float64{0, 0.5, 1}); got != (rgb{0, 188, 255}) {
		t.Errorf("got %v", got)
	}
	if got := encoded([3]float64{-1, 0.002, math.Inf(1)}); got != (rgb{0, 7, 255}) {
		t.Errorf("got %v", got)
	}
}

// TestSettle checks that settled rules reproduce the guesses without guessing.
func TestSettle(t *testing.T) {
	l := strip("grass", "what*ever_mud", "asphalt", "wall", "|tex/gravel_1.png")
	r := Default()
	want, report := Classify(l, r)
	settled := Settle(r, report, true)
	var b bytes.Buffer
	if err := settled.Write(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(&b, "settled")
	if err != nil {
		t.Fatal(err)
	}
	got, second := Classify(l, again)
	name := func(g *level.Ground) (names []string) {
		for _, a := range g.Triangles {
			names = append(names, g.Names[a])
		}
		return names
	}
	if !slices.Equal(name(got), name(want)) {
		t.Errorf("got %q, want %q", name(got), name(want))
	}
	if want := []string{"ground", "road", "grass", "mud", "gravel"}; !slices.Equal(again.Areas(), want) || again.Guess != 0 {
		t.Errorf("areas %q, want %q; guess %g", again.Areas(), want, again.Guess)
	}
	for _, row := range second.Rows {
		if row.How == ByWord {
			t.Errorf("%q is guessed again", row.Name)
		}
	}
	if len(r.Groups[1].Patterns) != 0 || len(Default().Groups[0].Patterns) != 0 {
		t.Error("the rules themselves were changed")
	}
	if all := Settle(r, report, false); len(all.Groups) != len(r.Groups) {
		t.Errorf("%d of %d groups are left without trim", len(all.Groups), len(r.Groups))
	}
}

// TestPlainGroundByName checks that a material with the name of plain ground counts as taken plain ground.
func TestPlainGroundByName(t *testing.T) {
	_, report := Classify(strip("ground", "field_02"), Default())
	if r := report.Rows[0]; r.Area != 0 || r.How != ByWord || r.Confidence != plainConfidence {
		t.Errorf("%+v", r)
	}
	r := &Rules{Plain: "Field", Guess: 0.5}
	_, report = Classify(strip("field_02", "grass"), r)
	for _, row := range report.Rows[:2] {
		if row.How != ByWord {
			t.Errorf("%+v", row)
		}
	}
}
