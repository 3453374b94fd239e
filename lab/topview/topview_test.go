package topview

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

// scene builds a level of faces in metres: east, north, up, counter-clockwise from above.
type scene struct{ level.Level }

func (s *scene) face(corners ...[3]float64) {
	first := uint32(len(s.Vertices))
	for _, c := range corners {
		s.Vertices = append(s.Vertices, geom.FromGround(c[0], c[1], c[2]))
	}
	for k := uint32(2); k < uint32(len(corners)); k++ {
		s.Triangles = append(s.Triangles, level.Triangle{A: first, B: first + k - 1, C: first + k, Material: level.NoMaterial})
	}
}

// profile is a strip from south to north, 6 m wide from x on, along points (north, up).
func (s *scene) profile(x float64, points ...[2]float64) {
	for k := 1; k < len(points); k++ {
		a, b := points[k-1], points[k]
		s.face([3]float64{x, a[0], a[1]}, [3]float64{x + 6, a[0], a[1]}, [3]float64{x + 6, b[0], b[1]}, [3]float64{x, b[0], b[1]})
	}
}

// box has a top and upright sides.
func (s *scene) box(x0, y0, low, x1, y1, high float64) {
	s.face([3]float64{x0, y0, high}, [3]float64{x1, y0, high}, [3]float64{x1, y1, high}, [3]float64{x0, y1, high})
	for _, e := range [][4]float64{{x0, y0, x1, y0}, {x1, y0, x1, y1}, {x1, y1, x0, y1}, {x0, y1, x0, y0}} {
		s.face([3]float64{e[0], e[1], low}, [3]float64{e[2], e[3], low}, [3]float64{e[2], e[3], high}, [3]float64{e[0], e[1], high})
	}
}

func walker() geom.Agent { return geom.Agent{}.WithDefaults() }

func point() geom.Agent {
	return geom.Agent{Radius: geom.PointRadius, MaxGap: geom.LeastGap}.WithDefaults()
}

func extract(t *testing.T, s *scene, agent geom.Agent, cell float64, opt floorplan.Options) *plan.Plan {
	t.Helper()
	p, err := Extractor{CellSize: cell}.Extract(t.Context(), &s.Level, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	valid(t, p)
	return p
}

// valid checks what every plan promises, and the heights at the corners of domains.
func valid(t *testing.T, p *plan.Plan) {
	t.Helper()
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if len(p.Layers) != 1 || p.Components != len(p.Layers[0].Domains) || len(p.Chains) != 0 {
		t.Errorf("%d layers, %d components, %d chains", len(p.Layers), p.Components, len(p.Chains))
	}
	for d := range p.Layers[0].Domains {
		dom := &p.Layers[0].Domains[d]
		for _, f := range dom.Faults(1) {
			t.Errorf("domain %d: %v", d, f)
		}
		if dom.Area2() <= 0 {
			t.Errorf("domain %d has no area", d)
		}
		sampler := lattice.NewSampler(&p.Layers[0].Floor)
		for k, ring := range dom.Rings {
			for i, at := range ring {
				z, ok := sampler.HeightBelow(float64(at.X), float64(at.Y), math.Inf(1), 256)
				if off := math.Abs(z-float64(dom.Heights[k][i])) * lattice.Unit; !ok || off > 0.5 {
					t.Fatalf("domain %d: the floor is %g m off at %v", d, off, at)
				}
			}
		}
	}
}

func area(p *plan.Plan) (sum float64) {
	for d := range p.Layers[0].Domains {
		sum += lattice.SquareMetres(p.Layers[0].Domains[d].Area2())
	}
	return sum
}

// TestAngleBetweenNormals: the flood passes where the angle of neighbouring normals is within the slope, whatever the slope itself.
func TestAngleBetweenNormals(t *testing.T) {
	slope := func(degrees float64) float64 { return math.Tan(degrees * math.Pi / 180) }
	var dome [][2]float64
	for k := range 13 { // a quarter of a cylinder, 6° from face to face, up to 72°
		a := float64(k) * 6 * math.Pi / 180
		dome = append(dome, [2]float64{8 * math.Sin(a), 8 * math.Cos(a)})
	}
	for _, c := range []struct {
		name    string
		profile [][2]float64
		parts   int
	}{
		{"a level floor", [][2]float64{{0, 0}, {10, 0}}, 1},
		{"a ramp of 30° on a floor", [][2]float64{{0, 0}, {5, 0}, {10, 5 * slope(30)}}, 1},
		{"a ramp of 50° on a floor: the crease parts", [][2]float64{{0, 0}, {5, 0}, {10, 5 * slope(50)}}, 2},
		{"a ramp of 65° alone: steeper than the agent walks, and let through", [][2]float64{{0, 0}, {5, 5 * slope(65)}}, 1},
		{"a ridge of 20° and 20°", [][2]float64{{0, 0}, {5, 5 * slope(20)}, {10, 0}}, 1},
		{"a ridge of 30° and 30°, both within the slope, parts", [][2]float64{{0, 0}, {5, 5 * slope(30)}, {10, 0}}, 2},
		{"a dome up to 72°, let through", dome, 1},
		{"a step of 30 cm", [][2]float64{{0, 0}, {5, 0}, {5, 0.3}, {10, 0.3}}, 1},
		{"a step of 60 cm", [][2]float64{{0, 0}, {5, 0}, {5, 0.6}, {10, 0.6}}, 2},
	} {
		s := &scene{}
		// A post far away makes the range of depths that of a real level, so that 8 bits are coarse.
		s.box(20, 0, 0, 21, 1, 8)
		s.profile(0, c.profile...)
		p := extract(t, s, point(), 0.1, floorplan.Options{KeepAll: true})
		parts := 0
		for d := range p.Layers[0].Domains {
			if box := p.Layers[0].Domains[d].Box(); float64(box.Min.X)*lattice.Unit < 10 && p.Layers[0].Domains[d].Area2() > 1<<24 {
				parts++
			}
		}
		if parts != c.parts {
			t.Errorf("%s: %d parts, want %d", c.name, parts, c.parts)
		}
	}
}

// TestBorder: around a post on a floor, and along the rim of the floor.
func TestBorder(t *testing.T) {
	const cell = 0.1
	for _, agent := range []geom.Agent{point(), walker(), (geom.Agent{Radius: 0.9}).WithDefaults()} {
		s := &scene{}
		s.face([3]float64{0, 0, 0}, [3]float64{12, 0, 0}, [3]float64{12, 10, 0}, [3]float64{0, 10, 0})
		s.box(4, 5, 0, 5.03, 6.57, 1)
		p := extract(t, s, agent, cell, floorplan.Options{Keep: []geom.Vec{geom.FromGround(2, 2, 0)}, Simplify: -1})
		radius := agent.Radius
		d := &p.Layers[0].Domains[0]
		if len(p.Layers[0].Domains) != 1 || len(d.Rings) != 2 {
			t.Fatalf("radius %g: %d domains, %d rings", radius, len(p.Layers[0].Domains), len(d.Rings))
		}
		for k, ring := range d.Rings {
			for i, at := range ring {
				v := p.Frame.ToWorld(at, d.Heights[k][i])
				x, y := geom.Ground(v)
				// The distance to the rim of the floor, or to the post.
				away := min(x, y, 12-x, 10-y)
				if k == 1 {
					away = math.Hypot(max(4-x, 0, x-5.03), max(5-y, 0, y-6.57))
				}
				if away < radius-1e-3 || away > radius+4*cell {
					t.Errorf("radius %g, ring %d: (%g, %g) is %g m away", radius, k, x, y, away)
				}
				if math.Abs(v.Y) > 1e-3 {
					t.Errorf("the floor is at %g m", v.Y)
				}
			}
		}
	}
}

// TestSides: floors side by side at different heights, joined by a ramp elsewhere, have an obstacle between them.
func TestSides(t *testing.T) {
	s := &scene{}
	s.face([3]float64{0, 0, 0}, [3]float64{6, 0, 0}, [3]float64{6, 12, 0}, [3]float64{0, 12, 0})
	s.profile(6, [2]float64{0, 0}, [2]float64{2, 0}, [2]float64{8, 3}, [2]float64{12, 3})
	p := extract(t, s, point(), 0.125, floorplan.Options{Simplify: -1, Detail: -1})
	d := &p.Layers[0].Domains[0]
	if len(p.Layers[0].Domains) != 1 {
		t.Fatalf("%d domains", len(p.Layers[0].Domains))
	}
	// Without simplification every triangle of the floor is half a pixel.
	for _, c := range p.Layers[0].Floor.Triangles {
		v := p.Layers[0].Floor.Vertices
		if a := lattice.Orient(v[c[0]].Point, v[c[1]].Point, v[c[2]].Point); a != 512*512 {
			t.Fatalf("a triangle of %d units at %v", a, v[c[0]])
		}
	}
	inside := func(x, y float64) bool {
		q := lattice.Point{X: int32(x * lattice.UnitsPerMetre), Y: int32(y * lattice.UnitsPerMetre)}
		for k, r := range d.Rings {
			if (r.Locate(q) == lattice.Outside) == (k == 0) {
				return false
			}
		}
		return true
	}
	for _, c := range []struct {
		x, y float64
		want bool
	}{{3, 6, true}, {9, 6, true}, {9, 11, true}, {6, 1, true}, {6, 6, false}, {6, 11, false}} {
		if got := inside(c.x, c.y); got != c.want {
			t.Errorf("(%g, %g) is floor: %v", c.x, c.y, got)
		}
	}
}

// TestSmallObstacles: an obstacle of a pixel becomes a square of two pixels' width, and corners that touch close.
func TestSmallObstacles(t *testing.T) {
	const cell = 0.125 // a power of two: centres of pixels lie on no border
	s := &scene{}
	s.face([3]float64{0, 0, 0}, [3]float64{4, 0, 0}, [3]float64{4, 4, 0}, [3]float64{0, 4, 0})
	s.box(2.01, 2.01, 0, 2.12, 2.12, 1)
	p := extract(t, s, point(), cell, floorplan.Options{Keep: []geom.Vec{geom.FromGround(1, 1, 0)}, Simplify: -1})
	d := &p.Layers[0].Domains[0]
	if len(d.Rings) != 2 || len(d.Rings[1]) != 4 || d.Rings[1].Area2() != -2*1024*1024 {
		t.Errorf("rings %v", d.Rings[1:])
	}
	s.box(2.26, 2.26, 0, 2.37, 2.37, 1) // two pixels along and two up: the squares touch in a corner
	p = extract(t, s, point(), cell, floorplan.Options{Keep: []geom.Vec{geom.FromGround(1, 1, 0)}, Simplify: -1})
	if d = &p.Layers[0].Domains[0]; len(d.Rings) != 2 || d.Rings[1].Area2() >= -4*1024*1024 {
		t.Errorf("rings %v", d.Rings[1:])
	}
}

// TestValidPlans: generated levels and random scenes, all parts, in several resolutions.
func TestValidPlans(t *testing.T) {
	race.Skip(t)
	for _, kind := range []string{"rooms", "maze", "arch", "bridge", "spiral", "carpark", "pillars", "terrain"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, err := Extractor{CellSize: 0.25}.Extract(t.Context(), lvl, walker(), floorplan.Options{KeepAll: true})
		if err != nil {
			t.Errorf("%s: %v", kind, err)
			continue
		}
		valid(t, p)
	}
	rng := rand.New(rand.NewPCG(5, 1))
	for range 60 {
		s := &scene{}
		s.face([3]float64{0, 0, 0}, [3]float64{8, 0, 0}, [3]float64{8, 8, 0}, [3]float64{0, 8, 0})
		for range 3 + rng.IntN(30) {
			x, y := 8*rng.Float64(), 8*rng.Float64()
			s.box(x, y, 0, x+2*rng.Float64()*rng.Float64()+0.01, y+2*rng.Float64()*rng.Float64()+0.01, rng.Float64())
		}
		agent := walker()
		if rng.IntN(2) == 0 {
			agent = point()
		}
		p, err := Extractor{CellSize: 0.05 + 0.2*rng.Float64()}.Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Simplify: float64(rng.IntN(3)-1) * 0.1})
		if err != nil {
			if !strings.Contains(err.Error(), "has no floor for the agent's radius") {
				t.Error(err)
			}
			continue
		}
		valid(t, p)
	}
}

// TestDoesNotDependOn the order of triangles or on the place.
func TestDoesNotDependOn(t *testing.T) {
	lvl, err := levelgen.Generate("rooms", levelgen.Options{Seed: 2, Size: 12})
	if err != nil {
		t.Fatal(err)
	}
	build := func() *plan.Plan {
		p, err := Extractor{CellSize: 0.1}.Extract(t.Context(), lvl, walker(), floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	before := build()
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(lvl.Triangles), func(i, j int) { lvl.Triangles[i], lvl.Triangles[j] = lvl.Triangles[j], lvl.Triangles[i] })
	for i := range lvl.Vertices {
		lvl.Vertices[i] = lvl.Vertices[i].Add(geom.Vec{X: 4096, Y: 17, Z: -1000.25})
	}
	lvl.Objects = nil
	after := build()
	if len(before.Layers[0].Domains) != len(after.Layers[0].Domains) || area(before) != area(after) {
		t.Fatalf("%d domains, %g m²; moved %d, %g m²", len(before.Layers[0].Domains), area(before), len(after.Layers[0].Domains), area(after))
	}
	for d := range before.Layers[0].Domains {
		a, b := &before.Layers[0].Domains[d], &after.Layers[0].Domains[d]
		for k := range a.Rings {
			for i := range a.Rings[k] {
				if a.Rings[k][i] != b.Rings[k][i] || a.Heights[k][i] != b.Heights[k][i] {
					t.Fatalf("domain %d, ring %d: %v is %v", d, k, a.Rings[k][i], b.Rings[k][i])
				}
			}
		}
	}
}

// TestHidesWhatIsBelow: the share of the floor of all storeys that a view without a cutting shape has.
func TestHidesWhatIsBelow(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct {
		kind        string
		least, most float64
	}{{"pillars", 0.85, 0.95}, {"bridge", 0.9, 0.99}, {"carpark", 0.2, 0.35}} {
		lvl, err := levelgen.Generate(c.kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		view, err := Extractor{CellSize: 0.1}.Extract(t.Context(), lvl, walker(), floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		whole, err := raster.Extractor{CellSize: 0.1}.Extract(t.Context(), lvl, walker(), floorplan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for l := range whole.Layers {
			for d := range whole.Layers[l].Domains {
				sum += lattice.SquareMetres(whole.Layers[l].Domains[d].Area2())
			}
		}
		if share := area(view) / sum; share < c.least || share > c.most {
			t.Errorf("%s: %.0f of %.0f m², %.3f", c.kind, area(view), sum, share)
		}
	}
}

// TestFaults: the input's errors.
func TestFaults(t *testing.T) {
	floor := &scene{}
	floor.face([3]float64{0, 0, 0}, [3]float64{10, 0, 0}, [3]float64{10, 10, 0}, [3]float64{0, 10, 0})
	floor.box(4, 4, 0, 6, 6, 1)
	narrow := &scene{}
	narrow.face([3]float64{0, 0, 0}, [3]float64{0.5, 0, 0}, [3]float64{0.5, 10, 0}, [3]float64{0, 10, 0})
	stopped, stop := context.WithCancel(t.Context())
	stop()
	at := func(x, y, z float64) floorplan.Options {
		return floorplan.Options{Keep: []geom.Vec{geom.FromGround(x, y, z)}}
	}
	for _, c := range []struct {
		ctx   context.Context
		scene *scene
		cell  float64
		opt   floorplan.Options
		want  string
	}{
		{t.Context(), floor, 0.001, floorplan.Options{}, "must be 0.00"},
		{t.Context(), floor, math.NaN(), floorplan.Options{}, "cell size is NaN"},
		{t.Context(), floor, 0.004, floorplan.Options{}, "a cell size of 0.0054 m or more fits"},
		{t.Context(), floor, 0.1, at(2, 2, 5), "no floor within"},
		{t.Context(), floor, 0.1, at(2, 2, -1), "no floor within"},
		{t.Context(), floor, 0.1, at(0.2, 2, 0), "nearer to an obstacle"},
		{t.Context(), floor, 0.1, at(-9, 2, 0), "outside of the level"},
		{t.Context(), floor, 0.1, at(1e300, 2, 0), "outside of the level"},
		{t.Context(), floor, 0.1, floorplan.Options{KeepArea: 1e6}, "no part of the floor is larger"},
		{t.Context(), floor, 0.1, floorplan.Options{Simplify: math.NaN()}, "Simplify is NaN"},
		{t.Context(), narrow, 0.1, floorplan.Options{}, "no floor for the agent's radius"},
		{stopped, floor, 0.1, floorplan.Options{}, "canceled"},
	} {
		p, err := Extractor{CellSize: c.cell}.Extract(c.ctx, &c.scene.Level, walker(), c.opt)
		if err == nil || p != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v: error %v, want %q", c.cell, c.opt, err, c.want)
		}
	}
	if p, err := (Extractor{}).Extract(t.Context(), &floor.Level, geom.Agent{Radius: -1}, floorplan.Options{}); err == nil || p != nil {
		t.Error("an agent of a negative radius")
	}
	// A giant finds no room, soon and in little memory.
	if _, err := (Extractor{CellSize: 0.006}).Extract(t.Context(), &floor.Level, (geom.Agent{Radius: 100, Height: 100}).WithDefaults(), floorplan.Options{}); err == nil || !strings.Contains(err.Error(), "no floor for the agent's radius") {
		t.Error(err)
	}
	// Without a size, pixels are a seventh of the radius, or of a twentieth of the height.
	for _, c := range []struct{ radius, height, want float64 }{{0.7, 2, 0.1}, {0.07, 2.8, 0.02}} {
		agent := (geom.Agent{Radius: c.radius, Height: c.height}).WithDefaults()
		given, err1 := Extractor{CellSize: c.want}.Extract(t.Context(), &floor.Level, agent, floorplan.Options{})
		own, err2 := Extractor{}.Extract(t.Context(), &floor.Level, agent, floorplan.Options{})
		if err1 != nil || err2 != nil || area(given) != area(own) {
			t.Errorf("radius %g: %v, %v", c.radius, err1, err2)
		}
	}
	// The error's own advice fits.
	if _, err := (Extractor{CellSize: 0.0054}).Extract(t.Context(), &floor.Level, point(), floorplan.Options{Detail: -1}); err != nil {
		t.Error(err)
	}
}
