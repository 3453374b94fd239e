package brep

import (
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/level"
)

// pond is a floor of 20 by 20 m with a low plate of 4 by 4 m and a marker of 4 by 4 m.
func pond() *floortest.Scene {
	s := &floortest.Scene{Level: level.Level{Name: "pond", Materials: []level.Material{{Name: "stone"}, {Name: "ice"}}}}
	s.Box(0, 0, -1, 20, 20, 0)
	floor := len(s.Triangles)
	s.Box(2, 2, -0.5, 6, 6, 0.125)
	s.Objects = []level.Object{{Name: "floor", Count: floor}, {Name: "Glass", First: floor, Count: len(s.Triangles) - floor}}
	for i := range s.Triangles {
		s.Triangles[i].Material = 0
		if i >= floor {
			s.Triangles[i].Material = 1
		}
	}
	m := level.Marker{Name: "lake", Kind: "Water"}
	for _, p := range [4][2]float64{{12, 12}, {16, 12}, {16, 16}, {12, 16}} {
		m.Hull = append(m.Hull, geom.FromGround(p[0], p[1], 0), geom.FromGround(p[0], p[1], 1))
	}
	s.Markers = []level.Marker{m}
	return s
}

// Things that are avoided take their own floor and the agent's radius around them; in Brand's mesh, for a point, their own
// floor.
func TestAvoid(t *testing.T) {
	const r = 0.4
	whole := (20 - 2*r) * (20 - 2*r)
	hole := 4*4 + 4*4*r + math.Pi*r*r
	for _, c := range []struct {
		avoid []string
		holes float64
	}{
		{nil, 0},
		{[]string{"glass"}, 1},
		{[]string{"ice"}, 1},
		{[]string{"lake"}, 1},
		{[]string{"water"}, 1},
		{[]string{"WATER", "glass"}, 2},
	} {
		s := pond()
		p, err := (Extractor{Avoid: c.avoid}).Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		floortest.CheckPlan(t, p)
		if got, want := floortest.Area(p), whole-c.holes*hole; math.Abs(got-want) > 0.05 {
			t.Errorf("avoid %v: %.3f m², want %.3f", c.avoid, got, want)
		}
		agent := floortest.Agent
		agent.Radius = 0
		m, err := NewMesh(t.Context(), &s.Level, agent, MeshOptions{Avoid: c.avoid, Rule: Body})
		if err != nil {
			t.Fatal(err)
		}
		area := 0.0
		for _, g := range m.Regions {
			area += g.Area
		}
		if want := 400 - c.holes*16; math.Abs(area-want) > 0.01 {
			t.Errorf("avoid %v: %.3f m² in regions, want %.3f", c.avoid, area, want)
		}
	}
}

func TestAvoidErrors(t *testing.T) {
	for _, c := range []struct {
		avoid string
		hull  []geom.Vec
		want  string
	}{
		{"lava", nil, `brep: level "pond": no object, material or marker to avoid is called "lava"`},
		{"", nil, `the name of a thing to avoid is empty`},
		{"lake", []geom.Vec{{X: 1}, {X: 2}, {X: 2, Y: 1}}, `marker 0 "lake": it has no volume`},
		{"lake", []geom.Vec{{X: 1}, {X: 2}, {X: 2, Z: 1}}, `marker 0 "lake": it has no volume`},
		{"lake", []geom.Vec{{X: math.Inf(1)}, {X: 2, Y: 1}, {X: 2, Z: 1}}, `outside of the lattice`},
		{"lake", []geom.Vec{}, `it has no volume`},
	} {
		s := pond()
		if c.hull != nil {
			s.Markers[0].Hull = c.hull
		}
		_, err := Extractor{Avoid: []string{c.avoid}}.Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("avoid %q: got %v, want %q", c.avoid, err, c.want)
		}
	}
}
