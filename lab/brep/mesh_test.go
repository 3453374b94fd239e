package brep

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/level"
)

func newMesh(t testing.TB, s *scene, agent geom.Agent, opt MeshOptions) *Mesh {
	t.Helper()
	m, err := NewMesh(t.Context(), &s.Level, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkMesh(t, m)
	return m
}

// checkMesh verifies the promises on indices of a mesh.
func checkMesh(t testing.TB, m *Mesh) {
	t.Helper()
	used := make([]bool, len(m.Vertices))
	for i, r := range m.Regions {
		if len(r.Corners) < 3 || int(r.Widest) >= len(m.Radii) || r.Area <= 0 {
			t.Fatalf("region %d: %+v", i, r)
		}
		for _, v := range r.Corners {
			used[v] = true
		}
	}
	for i, l := range m.Links {
		if l.A >= l.B || int(l.B) >= len(m.Regions) || l.Widest != min(m.Regions[l.A].Widest, m.Regions[l.B].Widest) {
			t.Fatalf("link %d: %+v", i, l)
		}
		// A gap may be thinner than the lattice.
		if l.Kind == Shared && l.At != [2]int32{l.Over[1], l.Over[0]} {
			t.Fatalf("link %d, %v, from %v over %v", i, l.Kind, l.At, l.Over)
		}
		for _, v := range [4]int32{l.At[0], l.At[1], l.Over[0], l.Over[1]} {
			used[v] = true
		}
	}
	if i := slices.Index(used, false); i >= 0 {
		t.Fatalf("vertex %d is not used", i)
	}
}

func (m *Mesh) area(widest int) float64 {
	sum := 0.0
	for _, r := range m.Regions {
		if int(r.Widest) >= widest {
			sum += r.Area
		}
	}
	return sum
}

// Merging changes neither the surface nor its connections, and leaves fewer regions every time.
func TestMergingKeepsTheSurface(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 8)) {
		s := scattered(seed, 20+int(seed*7%60))
		opt := MeshOptions{Rule: Rule(seed % 3), Fractured: true}
		whole := newMesh(t, s, floortest.Agent, opt)
		opt.Fractured = false
		merged := newMesh(t, s, floortest.Agent, opt)
		if a, b := whole.area(0), merged.area(0); math.Abs(a-b) > 1e-6*a {
			t.Errorf("scene %d: area %.6f, merged %.6f", seed, a, b)
		}
		_, before := whole.Components(0)
		_, after := merged.Components(0)
		// Pieces with less than a lattice unit in common are separate until merging.
		if after > before || after < before-2 {
			t.Errorf("scene %d: %d components, merged %d", seed, before, after)
		}
		st := merged.Stats
		if st.Pieces > len(whole.Regions) || st.Merged > st.Pieces || st.Reduced >= len(whole.Regions) || st.Reduced > st.Merged || st.Reduced != len(merged.Regions) {
			t.Errorf("scene %d: %+v, %d regions", seed, st, len(merged.Regions))
		}
		if merged.Bytes() >= whole.Bytes() {
			t.Errorf("scene %d: %d bytes, merged %d", seed, whole.Bytes(), merged.Bytes())
		}
	}
}

// Merged regions are convex polygons on their planes.
func TestMergedRegionsAreConvex(t *testing.T) {
	race.Skip(t)
	for seed := range uint64(scenes(t, 8)) {
		s := scattered(seed, 20+int(seed*7%60))
		w, err := readWorld(t.Context(), &s.Level, reading{})
		if err != nil {
			t.Fatal(err)
		}
		pieces, err := w.surface(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		c, regions := w.merged(pieces)
		regions = c.mergeRows(regions)
		if err := checkRegions(w.space, c, regions); err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
		if err := checkClosed(c, regions); err != nil {
			t.Fatalf("scene %d: %v", seed, err)
		}
	}
}

// Three tiles as in figure 32 become two regions, and even tiles become one.
func TestMergeThree(t *testing.T) {
	agent := geom.Agent{Radius: 0, Height: 1, MaxClimb: 0.1, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	tiles := func(b float64) *scene {
		s := &scene{level.Level{Name: "tiles"}}
		s.block(0, 0, -1, 4, 2, 0)
		s.block(0, 2, -1, 2, 3, 0)
		s.block(2, 2, -1, 4, 3+b, 0)
		return s
	}
	if m := newMesh(t, tiles(1), agent, MeshOptions{}); len(m.Regions) != 2 {
		t.Errorf("%+v", m.Stats)
	}
	if m := newMesh(t, tiles(0), agent, MeshOptions{}); len(m.Regions) != 1 {
		t.Errorf("even: %+v", m.Stats)
	}
	// A row of any length: four tiles beside one, each higher than the one before.
	row := &scene{level.Level{Name: "row"}}
	row.block(0, 0, -1, 8, 2, 0)
	for k := range 4 {
		row.block(2*float64(k), 2, -1, 2*float64(k+1), 3+float64(k), 0)
	}
	if m := newMesh(t, row, agent, MeshOptions{Fractured: true}); len(m.Regions) != 5 {
		t.Errorf("row: %+v", m.Stats)
	}
	if m := newMesh(t, row, agent, MeshOptions{}); len(m.Regions) != 4 {
		t.Errorf("row: %+v", m.Stats)
	}
	// Where A is wider than its side of C nothing can be done.
	s := tiles(1)
	s.block(-1, 2, -1, 0, 3, 0)
	if m := newMesh(t, s, agent, MeshOptions{}); len(m.Regions) != 3 {
		t.Errorf("wide: %+v", m.Stats)
	}
}

// A floor with a wall: by each rule the border is where the rule says.
func TestRules(t *testing.T) {
	agent := geom.Agent{Radius: 0.5, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	for rule, want := range map[Rule]float64{Published: 0.5 * math.Sqrt2, Sphere: 0.5, Body: 0.5} {
		s := &scene{level.Level{Name: "wall"}}
		s.block(0, 0, -1, 10, 10, 0)
		s.block(9, -5, -1, 10, 15, 3) // too high for a step; its top is walkable
		m := newMesh(t, s, agent, MeshOptions{Rule: rule})
		area := 0.0
		for _, r := range m.Regions {
			if r.Middle.Z < int32(m.Vertices[0].Z)+4*4096 && m.Frame.ToWorld(r.Middle.Point, r.Middle.Z).Y < 1 {
				area += r.Area
			}
		}
		if want := 10 * (9 - want); math.Abs(area-want) > 0.01 {
			t.Errorf("%v: area %.3f, want %.3f", rule, area, want)
		}
	}
}

// The cylinder of an agent on a region by the rule of its body is in no solid.
func TestBodyRuleKeepsBodiesFree(t *testing.T) {
	race.Skip(t)
	agent := floortest.Agent
	for seed := range uint64(scenes(t, 4)) {
		s := scattered(seed, 20+int(seed*7%40))
		m := newMesh(t, s, agent, MeshOptions{Rule: Body})
		r := rand.New(rand.NewPCG(seed, 9))
		for range 300 {
			region := m.Regions[r.IntN(len(m.Regions))]
			// A place on the region.
			weights, sum := make([]float64, len(region.Corners)), 0.0
			for k := range weights {
				weights[k] = r.ExpFloat64()
				sum += weights[k]
			}
			var at geom.Vec
			for k, c := range region.Corners {
				v := m.Vertices[c]
				at = at.Add(m.Frame.ToWorld(v.Point, v.Z).Scale(weights[k] / sum))
			}
			for range 40 {
				sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
				off := agent.Radius * math.Sqrt(r.Float64())
				p := at.Add(geom.FromGround(off*cos, off*sin, agent.MaxClimb+r.Float64()*(agent.Height-agent.MaxClimb)))
				for k := range s.Solids {
					// The solid under it may rise beside it: a slope is no obstacle to its own floor.
					if inside(&s.Solids[k], at.Add(geom.Vec{Y: -0.001})) > -0.002 {
						continue
					}
					if d := inside(&s.Solids[k], p); d > 4*lattice.Unit {
						t.Fatalf("scene %d: an agent at %v has %v, %.4f m deep in solid %d", seed, at, p, d, k)
					}
				}
			}
		}
	}
}

// A mesh for several radii is, for each of them, the mesh for that radius.
func TestSeveralRadii(t *testing.T) {
	race.Skip(t)
	radii := []float64{0, 0.2, 0.4, 0.7}
	for seed := range uint64(scenes(t, 3)) {
		s := scattered(seed, 20+int(seed*7%40))
		rule := Rule(seed % 3)
		all := newMesh(t, s, floortest.Agent, MeshOptions{Radii: radii, Rule: rule})
		for k, radius := range radii {
			one := newMesh(t, s, floortest.Agent, MeshOptions{Radii: []float64{radius}, Rule: rule})
			if a, b := all.area(k), one.area(0); math.Abs(a-b) > 1e-4*b {
				t.Errorf("scene %d, radius %g: area %.4f, alone %.4f", seed, radius, a, b)
			}
		}
	}
}

// A doorway lets narrower travellers through (figures 20 to 24).
func TestDoorwayByRadius(t *testing.T) {
	s := &scene{level.Level{Name: "doorway"}}
	s.block(0, 0, -1, 20, 10, 0)
	s.block(9.5, 0, 0, 10.5, 4, 3)
	s.block(9.5, 6, 0, 10.5, 10, 3)
	agent := geom.Agent{Radius: 0.5, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	radii := []float64{0, 0.5, 0.9, 1.1}
	m := newMesh(t, s, agent, MeshOptions{Radii: radii, Rule: Sphere})
	for k, want := range []int{3, 3, 3, 4} { // the tops of the walls are two
		if _, n := m.Components(k); n != want {
			t.Errorf("radius %g: %d components, want %d", radii[k], n, want)
		}
	}
	// The rule as published makes walls thicker by √2.
	m = newMesh(t, s, agent, MeshOptions{Radii: radii})
	for k, want := range []int{3, 3, 4, 4} {
		if _, n := m.Components(k); n != want {
			t.Errorf("radius %g as published: %d components, want %d", radii[k], n, want)
		}
	}
}

func TestWelding(t *testing.T) {
	agent := geom.Agent{Radius: 0.3, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	two := func(gap, rise float64) *scene {
		s := &scene{level.Level{Name: "two"}}
		s.block(0, 0, -1, 4, 4, 0)
		s.block(4+gap, 1, -1, 8, 5, rise)
		return s
	}
	stairs := &scene{level.Level{Name: "stairs"}}
	stairs.block(0, 0, -1, 4, 2, 0)
	for k := range 8 {
		stairs.block(4+0.3*float64(k), 0, -1, 4.3+0.3*float64(k), 2, 0.2*float64(k+1))
	}
	screen := two(0.04, 0)
	screen.block(4.015, -1, -1, 4.025, 6, 3)
	ramp := &scene{level.Level{Name: "ramp"}}
	ramp.block(0, 0, -1, 10, 2, 0)
	sin, cos := math.Sincos(0.15) // rises beside the floor until it is too high to step on
	ramp.box(geom.FromGround(5, 3, 0), [3]float64{5, 1, 0.2}, [3]geom.Vec{geom.FromGround(cos, 0, sin), geom.FromGround(0, 1, 0), geom.FromGround(-sin, 0, cos)}, level.NoMaterial)
	for _, c := range []struct {
		name                 string
		s                    *scene
		opt                  MeshOptions
		shared, steps, jumps int
	}{
		{"tiles that touch", two(0, 0), MeshOptions{}, 1, 0, 0},
		{"a gap of 3 cm", two(0.03, 0), MeshOptions{}, 0, 1, 0},
		{"an overlap of 3 cm under a step", two(-0.03, 0.3), MeshOptions{}, 1, 2, 0},
		{"a gap of 10 cm", two(0.1, 0), MeshOptions{}, 0, 0, 0},
		{"a gap of 10 cm, allowed", two(0.1, 0), MeshOptions{Gap: 0.15}, 0, 1, 0},
		{"a step", two(0, 0.35), MeshOptions{}, 0, 1, 0},
		{"a step over a gap", two(0.03, -0.35), MeshOptions{}, 0, 1, 0},
		{"too high a step", two(0, 0.45), MeshOptions{}, 1, 0, 0},
		{"a jump over a gap", two(0.8, 0), MeshOptions{JumpReach: 1}, 0, 0, 1},
		{"a jump down", two(0.2, -0.9), MeshOptions{JumpReach: 1, JumpHeight: 1}, 1, 0, 1},
		{"too far a jump", two(1.2, 0), MeshOptions{JumpReach: 1}, 0, 0, 0},
		{"stairs", stairs, MeshOptions{}, 0, 8, 0},
		{"a screen in the gap", screen, MeshOptions{Radii: []float64{0}}, 0, 0, 0},
	} {
		m := newMesh(t, c.s, agent, c.opt)
		if m.Stats.Shared != c.shared || m.Stats.Steps != c.steps || m.Stats.Jumps != c.jumps {
			t.Errorf("%s: %+v", c.name, m.Stats)
		}
	}
	// The agent says how wide a gap is, where the options do not.
	for _, c := range []struct {
		width, gap float64
		steps      int
	}{{0.1, 0.102, 1}, {0.1, 0.098, 0}, {0.03, 0, 0}, {0, 0, 1}} {
		own := agent
		own.MaxGap = c.gap
		rise := 0.2
		m, err := NewMesh(t.Context(), &two(c.width, rise).Level, own, MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Stats.Steps != c.steps {
			t.Errorf("a gap of %g m, stepped over up to %g m: %+v", c.width, c.gap, m.Stats)
		}
	}
	// Beside the ramp, the step is as long as it is low enough.
	m := newMesh(t, ramp, agent, MeshOptions{})
	if m.Stats.Steps != 1 {
		t.Fatalf("ramp: %+v", m.Stats)
	}
	l := m.Links[slices.IndexFunc(m.Links, func(l Link) bool { return l.Kind == Step })]
	for k := range 2 {
		a, b := m.Vertices[l.At[k]], m.Vertices[l.Over[1-k]]
		if rise := math.Abs(float64(a.Z-b.Z)) * lattice.Unit; rise > agent.MaxClimb+0.001 || a.Point != b.Point {
			t.Errorf("ramp: the step goes from %v to %v", a, b)
		}
	}
}

// A small region on the only way stays, a small region in a corner goes (figure 34).
func TestCull(t *testing.T) {
	s := &scene{level.Level{Name: "figure 34"}}
	s.block(0, 0, -1, 4, 4, 0)
	s.block(4, 1, -1, 4.2, 1.3, 0) // E: narrow, and vital
	s.block(4.2, 0, -1, 8, 4, 0)
	s.block(1, 4, -1, 1.2, 4.2, 0) // A: leads nowhere
	agent := geom.Agent{Radius: 0, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}
	m := newMesh(t, s, agent, MeshOptions{})
	if len(m.Regions) != 4 {
		t.Fatalf("%d regions", len(m.Regions))
	}
	m = newMesh(t, s, agent, MeshOptions{Cull: 0.1})
	if _, n := m.Components(0); len(m.Regions) != 3 || m.Stats.Culled != 1 || n != 1 {
		t.Errorf("%d regions, %d components, %+v", len(m.Regions), n, m.Stats)
	}
	// Two ways around each other: one way may go.
	s.block(4, 2, -1, 4.2, 2.3, 0)
	if m = newMesh(t, s, agent, MeshOptions{Cull: 0.1}); len(m.Regions) != 3 {
		t.Errorf("two ways: %d regions", len(m.Regions))
	}
}

func TestMeshDoesNotDependOn(t *testing.T) {
	s := scattered(5, 50)
	opt := MeshOptions{Radii: []float64{0.1, 0.4}, Cull: 0.05, JumpReach: 1, JumpHeight: 1, Jobs: 1}
	want := newMesh(t, s, floortest.Agent, opt)
	r := rand.New(rand.NewPCG(1, 1))
	r.Shuffle(len(s.Solids), func(i, j int) { s.Solids[i], s.Solids[j] = s.Solids[j], s.Solids[i] })
	opt.Jobs = 4
	opt.Radii = []float64{0.4, 0.1, 0.4}
	if got := newMesh(t, s, floortest.Agent, opt); !reflect.DeepEqual(want, got) {
		t.Error("another mesh")
	}
}

func TestMeshErrors(t *testing.T) {
	s := &scene{level.Level{Name: "steep"}}
	s.box(geom.Vec{}, [3]float64{1, 1, 1}, leaning(rand.New(rand.NewPCG(1, 1)), 0), level.NoMaterial)
	narrow := &scene{level.Level{Name: "covered"}}
	narrow.block(0, 0, 0, 1, 1, 1)
	narrow.block(-1, -1, 1, 2, 2, 9)
	narrow.block(-2, -2, 9, 3, 3, 10)
	narrow.block(-2, -2, 10.5, 3, 3, 12)
	steep := floortest.Agent
	steep.MaxSlope = 1e-9
	for _, c := range []struct {
		opt  MeshOptions
		want string
	}{
		{MeshOptions{Radii: []float64{-1}}, "a length or area of -1"},
		{MeshOptions{Gap: math.NaN()}, "a length or area of NaN"},
		{MeshOptions{Rule: Body + 1}, "unknown rule 3"},
		{MeshOptions{Radii: []float64{900}}, ""},
	} {
		_, err := NewMesh(t.Context(), &s.Level, floortest.Agent, c.opt)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: got %v, want %q", c.opt, err, c.want)
		}
	}
	if got := fmt.Sprint(Body, Body+1, Jump, Jump+1); got != "body Rule(3) jump LinkKind(3)" {
		t.Errorf("names of rules and links: %s", got)
	}
	tilted := &scene{level.Level{Name: "tilted"}}
	tilted.box(geom.Vec{}, [3]float64{1, 1, 1}, turned(rand.New(rand.NewPCG(3, 1))), level.NoMaterial)
	if _, err := NewMesh(t.Context(), &tilted.Level, steep, MeshOptions{}); err == nil || !strings.Contains(err.Error(), `level "tilted": no solid has a face`) {
		t.Errorf("tilted: %v", err)
	}
}

// Tiles side by side, turned by any angle, are one region: nothing has to be snapped. Tiles with gaps that nobody sees are
// welded, all of them, and the plan goes over the gaps.
func TestTurnedTiles(t *testing.T) {
	race.Skip(t)
	for _, angle := range []float64{0, 0.1, 0.3, math.Pi / 8, 0.77, 1.234} {
		for _, gap := range []float64{0, 0.0004, 0.001, 0.03, -0.01} {
			s := &scene{level.Level{Name: "tiles"}}
			axes := about(angle)
			for i := range 5 {
				for j := range 5 {
					at := axes[0].Scale((2 + gap) * float64(i)).Add(axes[1].Scale((2 + gap) * float64(j)))
					s.box(at, [3]float64{1, 1, 0.5}, axes, level.NoMaterial)
				}
			}
			m := newMesh(t, s, floortest.Agent, MeshOptions{})
			if _, n := m.Components(0); n != 1 || gap <= 0 && len(m.Regions) != 1 || gap > 0 && m.Stats.Steps != 40 {
				t.Errorf("angle %g, gap %g: %d components, %+v", angle, gap, n, m.Stats)
			}
			p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{})
			if err != nil {
				t.Fatal(err)
			}
			side := 10 + 4*gap - 2*floortest.Agent.Radius
			if a := floortest.Area(p); math.Abs(a-side*side) > 0.1 {
				t.Errorf("angle %g, gap %g: area %.3f, want %.3f", angle, gap, a, side*side)
			}
		}
	}
}
