package floortest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/level"
)

// Extractor is an extraction to test.
type Extractor func(context.Context, *level.Level, geom.Agent, floorplan.Options) (*plan.Plan, error)

// plan extracts the floor of a scene and checks the promises of every plan.
func (extract Extractor) plan(t testing.TB, s *Scene, agent geom.Agent, opt floorplan.Options) *plan.Plan {
	t.Helper()
	p, err := extract(t.Context(), &s.Level, agent, opt)
	if err != nil {
		t.Fatal(err)
	}
	CheckPlan(t, p)
	return p
}

// CheckPlan verifies the promises of every plan: valid domains, and seams with the same points on both sides.
func CheckPlan(t testing.TB, p *plan.Plan) {
	t.Helper()
	type use struct{ forward, backward int }
	uses := make([]use, len(p.Chains))
	for l, layer := range p.Layers {
		for d, dom := range layer.Domains {
			if err := dom.Validate(); err != nil {
				t.Fatalf("layer %d, domain %d: %v", l, d, err)
			}
			for r, ring := range dom.Rings {
				for i, id := range dom.Edges[r] {
					if id == plan.Wall {
						continue
					}
					a, b := ring[i], ring[(i+1)%len(ring)]
					side := chainSide(&p.Chains[id], a, b)
					here := plan.DomainID{Layer: int32(l), Domain: int32(d)}
					switch {
					case side > 0 && p.Chains[id].Left == here:
						uses[id].forward++
					case side < 0 && p.Chains[id].Right == here:
						uses[id].backward++
					default:
						t.Fatalf("layer %d, domain %d: edge %v %v is no edge of chain %d on that side", l, d, a, b, id)
					}
				}
			}
		}
	}
	for id, u := range uses {
		if n := len(p.Chains[id].Points) - 1; u.forward != n || u.backward != n {
			t.Fatalf("chain %d of %d edges is used by %d and %d edges", id, n, u.forward, u.backward)
		}
	}
}

// chainSide returns 1 when the chain has the edge from a to b, -1 when from b to a, else 0.
func chainSide(c *plan.Chain, a, b lattice.Point) int {
	for i := range len(c.Points) - 1 {
		switch {
		case c.Points[i] == a && c.Points[i+1] == b:
			return 1
		case c.Points[i] == b && c.Points[i+1] == a:
			return -1
		}
	}
	return 0
}

// Area returns the area of all domains in square metres.
func Area(p *plan.Plan) float64 {
	sum := int64(0)
	for _, l := range p.Layers {
		for _, d := range l.Domains {
			sum += d.Area2()
		}
	}
	return lattice.SquareMetres(sum)
}

func holes(p *plan.Plan) int {
	n := 0
	for _, l := range p.Layers {
		for _, d := range l.Domains {
			n += len(d.Rings) - 1
		}
	}
	return n
}

// ExtractSquare tests a square without anything on it.
func ExtractSquare(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 10, 10, 0)
	p := extract.plan(t, s, Agent, floorplan.Options{})
	if len(p.Layers) != 1 || len(p.Layers[0].Domains) != 1 || p.Components != 1 || len(p.Dropped) != 0 {
		t.Fatalf("%d layers, %d components, dropped %v", len(p.Layers), p.Components, p.Dropped)
	}
	if got := p.Layers[0].Domains[0].Len(); got != 4 {
		t.Errorf("an eroded square has %d corners", got)
	}
	if got, want := Area(p), 9.2*9.2; math.Abs(got-want) > 0.04*4*9.2 {
		t.Errorf("area %.3f, want about %.3f", got, want)
	}
}

// BorderDistance samples borders and compares their distance from obstacles with the radius: straight walls
// and ledges are exact to the lattice; around corners the border is never nearer, and farther by no more than
// a tolerance (m).
func BorderDistance(t *testing.T, extract Extractor, tolerance float64) {
	for _, turn := range [][2]float64{{1, 0}, {0.8, 0.6}, {0.96, 0.28}, {-0.28, 0.96}} {
		s := &Scene{}
		s.Turned(0, 0, -1, 20, 20, 0, turn[1], turn[0])
		s.Turned(8, 8, 0, 12, 11, 3, turn[0], turn[1])
		p := extract.plan(t, s, Agent, floorplan.Options{})
		dom := p.Layers[0].Domains[0]
		if len(dom.Rings) != 2 || len(dom.Rings[0]) != 4 {
			t.Fatalf("turned by %v: %d rings, the outer one with %d corners", turn, len(dom.Rings), len(dom.Rings[0]))
		}
		// local turns a ground point back around the centre that both boxes were turned around.
		local := func(q geom.Vec, my, cos, sin float64) (x, y float64) {
			gx, gy := geom.Ground(q)
			gx, gy = gx-10, gy-my
			return gx*cos + gy*sin, -gx*sin + gy*cos
		}
		for _, q := range dom.Rings[0] {
			x, y := local(p.Frame.ToWorld(q, 0), 10, turn[1], turn[0])
			if d := math.Max(math.Abs(math.Abs(x)-9.6), math.Abs(math.Abs(y)-9.6)); d > 0.002 {
				t.Errorf("turned by %v: outer corner %v is %.4f m off", turn, q, d)
			}
		}
		ring := dom.Rings[1]
		for i := range ring {
			a, b := p.Frame.ToWorld(ring[i], 0), p.Frame.ToWorld(ring[(i+1)%len(ring)], 0)
			for k := range 20 {
				x, y := local(a.Add(b.Sub(a).Scale(float64(k)/20)), 9.5, turn[0], turn[1])
				dx, dy := math.Max(0, math.Abs(x)-2), math.Max(0, math.Abs(y)-1.5)
				off := math.Hypot(dx, dy) - Agent.Radius
				// Beside a wall, away from the start of its arcs.
				straight := dx == 0 && math.Abs(y) < 1.3 || dy == 0 && math.Abs(x) < 1.8
				straight = straight && math.Max(dx, dy) > 0
				if off < -0.004 || off > tolerance || straight && math.Abs(off) > 0.002 {
					t.Errorf("turned by %v: the border is %.4f m off at (%.2f, %.2f) of the box", turn, off, x, y)
				}
			}
		}
	}
}

// ThinWallsSeparate tests that walls without thickness close the floor, at any angle and place.
func ThinWallsSeparate(t *testing.T, extract Extractor) {
	for _, end := range []float64{10, 7.3, 3.1} { // along an axis, slanted, steep
		for _, shift := range []float64{0, 0.0285, 0.2, 1.0 / 3} {
			s := &Scene{}
			s.Floor(0, 0, 10, 10, 0)
			s.Wall(5+shift, -1, end-5+shift, 11, 0, 3)
			p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
			if p.Components != 2 {
				t.Errorf("wall to %g, shifted %g: %d components", end, shift, p.Components)
			}
		}
	}
}

// FreeWallEnd has a wall with an end in the room: the way around it stays open.
func FreeWallEnd(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 10, 10, 0)
	s.Wall(5, 0, 5, 6, 0, 3)
	if p := extract.plan(t, s, Agent, floorplan.Options{}); p.Components != 1 || len(p.Dropped) != 0 {
		t.Errorf("%d components, dropped %v", p.Components, p.Dropped)
	}
}

// PassageWidth tests passages a little narrower and wider than the agent.
func PassageWidth(t *testing.T, extract Extractor) {
	for _, c := range []struct {
		width      float64
		components int
	}{{0.7, 2}, {1.0, 1}} {
		s := &Scene{}
		s.Floor(0, 0, 10, 10, 0)
		s.Box(4, 0, 0, 5, 5-c.width/2, 1.5) // too low to stand in, too narrow to stand on
		s.Box(4, 5+c.width/2, 0, 5, 10, 1.5)
		if p := extract.plan(t, s, Agent, floorplan.Options{KeepArea: 1}); p.Components != c.components {
			t.Errorf("passage of %g m for a radius of 0.4: %d components", c.width, p.Components)
		}
	}
}

// StepsAndClimb tests steps a little lower and higher than the agent climbs.
func StepsAndClimb(t *testing.T, extract Extractor) {
	for _, c := range []struct {
		step       float64
		components int
	}{{0.3, 1}, {0.39, 1}, {0.45, 2}} {
		s := &Scene{}
		s.Floor(0, 0, 10, 10, 0)
		s.Box(5, 0, 0, 10, 10, c.step)
		p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
		if p.Components != c.components {
			t.Errorf("step of %g m: %d components, want %d", c.step, p.Components, c.components)
		}
	}
}

// TreadsNarrowerThanTheAgent climbs a stair whose treads are 0.25 m deep.
func TreadsNarrowerThanTheAgent(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 5, 4, 0)
	for k := range 10 {
		x := 5 + 0.25*float64(k)
		s.Box(x, 0, 0, x+0.25, 4, 0.18*float64(k+1))
	}
	s.Box(7.5, 0, 0, 12, 4, 1.8)
	p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
	if p.Components != 1 || len(p.Layers) != 1 {
		t.Fatalf("%d components, %d layers", p.Components, len(p.Layers))
	}
	sampler := lattice.NewSampler(&p.Layers[0].Floor)
	for k := range 10 {
		q, _, _ := p.Frame.FromWorld(geom.FromGround(5.125+0.25*float64(k), 2, 0))
		z, ok := sampler.Height(float64(q.X), float64(q.Y))
		if want := 0.18 * float64(k+1); !ok || math.Abs(z*lattice.Unit-want) > 0.001 {
			t.Errorf("tread %d is %.3f m high, %v, want %.3f", k, z*lattice.Unit, ok, want)
		}
	}
}

// BevelIsAStep bevels the edge of a kerb at 63 degrees.
func BevelIsAStep(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 5, 6, 0)
	s.Quad(geom.FromGround(5, 0, 0), geom.FromGround(5.15, 0, 0.3), geom.FromGround(5.15, 6, 0.3), geom.FromGround(5, 6, 0))
	s.Floor(5.15, 0, 10, 6, 0.3)
	s.Quad(geom.FromGround(5, 6, 0), geom.FromGround(5.15, 6, 0.3), geom.FromGround(5.15, 0, 0.3), geom.FromGround(5, 0, 0))
	if p := extract.plan(t, s, Agent, floorplan.Options{}); len(p.Dropped) != 0 {
		t.Errorf("dropped %v", p.Dropped)
	}
}

// Headroom tests slabs a little lower and higher than the agent.
func Headroom(t *testing.T, extract Extractor) {
	for _, c := range []struct {
		ceiling float64
		holes   int
	}{{1.7, 1}, {1.9, 0}} {
		s := &Scene{}
		s.Floor(0, 0, 10, 10, 0)
		s.Box(4, 4, c.ceiling, 6, 6, c.ceiling+0.5)
		if p := extract.plan(t, s, Agent, floorplan.Options{}); holes(p) != c.holes {
			t.Errorf("slab at %g m over an agent of 1.8: %d holes", c.ceiling, holes(p))
		}
	}
}

// BridgeLayers builds a road under a bridge that is reached by a ramp.
func BridgeLayers(t *testing.T, extract Extractor) {
	s := bridgeScene()
	p := extract.plan(t, s, Agent, floorplan.Options{})
	if len(p.Layers) != 2 || len(p.Chains) == 0 || p.Components != 1 {
		t.Fatalf("%d layers, %d seams, %d components", len(p.Layers), len(p.Chains), p.Components)
	}
}

func bridgeScene() *Scene {
	s := &Scene{}
	s.Floor(0, 0, 30, 10, 0)
	s.Box(12, 3, 2.7, 22, 7, 3)                                                                                                   // deck
	s.Quad(geom.FromGround(4, 3, 0), geom.FromGround(12, 3, 3), geom.FromGround(12, 7, 3), geom.FromGround(4, 7, 0))              // ramp
	s.Quad(geom.FromGround(4, 7, -0.01), geom.FromGround(12, 7, 2.99), geom.FromGround(12, 3, 2.99), geom.FromGround(4, 3, -.01)) // its underside
	return s
}

// LayersDoNotOverlap tests that each layer covers a point at most once.
func LayersDoNotOverlap(t *testing.T, extract Extractor) {
	scenes := map[string]*Scene{"bridge": bridgeScene()}
	for seed := range uint64(4) {
		scenes[fmt.Sprintf("random %d", seed)] = RandomScene(seed, 12, 14)
	}
	for name, s := range scenes {
		p := extract.plan(t, s, Agent, floorplan.Options{KeepAll: true})
		r := rand.New(rand.NewPCG(7, 7))
		for range 2000 {
			q := lattice.Point{X: r.Int32N(12 << 12), Y: r.Int32N(12 << 12)}
			for l, layer := range p.Layers {
				in := 0
				for _, d := range layer.Domains {
					if d.Locate(q) == lattice.Inside {
						in++
					}
				}
				if in > 1 {
					t.Fatalf("%s: layer %d covers %v %d times", name, l, q, in)
				}
			}
		}
	}
}

// ExtractValidPlans tests plans of random scenes for various agents.
func ExtractValidPlans(t *testing.T, extract Extractor) {
	// The first seeds have borders that would meet: in cells without floor, or at the end of a spike.
	seeds := []uint64{43, 191, 1323, 1915}
	for seed := range uint64(slow.Count(12, 40)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		s := RandomScene(seed, 14, 5+int(seed%25))
		agent := Agent
		switch seed % 4 {
		case 1:
			agent.Radius, agent.MaxClimb = 0, 0
		case 2:
			agent.Radius, agent.Height = 0.9, 1
		case 3:
			agent.MaxClimb = 0.7
		}
		p, err := extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) { CheckPlan(t, p) })
	}
}

// ExtractDoesNotDependOn makes changes that must not affect a plan.
func ExtractDoesNotDependOn(t *testing.T, extract Extractor) {
	ramps := RandomScene(3, 20, 30)
	for i, v := range ramps.Vertices { // a lattice level, so that moving it is exact
		e, n, u, _ := lattice.Snap(v)
		ramps.Vertices[i] = lattice.Frame{East: e, North: n, Up: u}.ToWorld(lattice.Point{}, 0)
	}
	want := extract.plan(t, ramps, Agent, floorplan.Options{KeepAll: true, Jobs: 1})
	t.Run("jobs", func(t *testing.T) {
		got := extract.plan(t, ramps, Agent, floorplan.Options{KeepAll: true, Jobs: 8})
		if !reflect.DeepEqual(want, got) {
			t.Error("another plan")
		}
	})
	t.Run("order of triangles", func(t *testing.T) {
		s := *ramps
		s.Triangles = append([]level.Triangle(nil), ramps.Triangles...)
		s.Shuffle(5)
		for i, tri := range s.Triangles {
			s.Triangles[i].A, s.Triangles[i].B, s.Triangles[i].C = tri.B, tri.C, tri.A
		}
		if !reflect.DeepEqual(want, extract.plan(t, &s, Agent, floorplan.Options{KeepAll: true})) {
			t.Error("another plan")
		}
	})
	t.Run("duplicates and degenerate triangles", func(t *testing.T) {
		s := *ramps
		s.Triangles = append(append([]level.Triangle(nil), ramps.Triangles...), ramps.Triangles[10:30]...)
		s.Triangles = append(s.Triangles, level.Triangle{A: 3, B: 3, C: 4, Material: level.NoMaterial})
		if !reflect.DeepEqual(want, extract.plan(t, &s, Agent, floorplan.Options{KeepAll: true})) {
			t.Error("another plan")
		}
	})
	t.Run("place", func(t *testing.T) {
		s := *ramps
		s.Vertices = append([]geom.Vec(nil), ramps.Vertices...)
		for i := range s.Vertices {
			s.Vertices[i] = s.Vertices[i].Add(geom.Vec{X: 1e6, Y: -1e6, Z: 1e6})
		}
		got := extract.plan(t, &s, Agent, floorplan.Options{KeepAll: true})
		const million = 1e6 * lattice.UnitsPerMetre
		moved := lattice.Frame{East: want.Frame.East + million, North: want.Frame.North - million, Up: want.Frame.Up - million}
		if got.Frame != moved {
			t.Errorf("frame %v, want %v", got.Frame, moved)
		}
		if !reflect.DeepEqual(want.Layers, got.Layers) {
			t.Error("another plan")
		}
		if !reflect.DeepEqual(want.Chains, got.Chains) {
			t.Error("another plan")
		}
	})
}

// KeepAndSeeds tests the choice of kept parts of a floor.
func KeepAndSeeds(t *testing.T, extract Extractor) {
	s := &Scene{}
	s.Floor(0, 0, 10, 10, 0)
	s.Floor(20, 0, 26, 6, 0)
	s.Floor(40, 0, 42, 2, 0)
	for _, c := range []struct {
		name           string
		opt            floorplan.Options
		kept, dropped  int
		area, arealess float64
	}{
		{"largest", floorplan.Options{}, 1, 2, 80, 90},
		{"all", floorplan.Options{KeepAll: true}, 3, 0, 105, 120},
		{"area", floorplan.Options{KeepArea: 10}, 2, 1, 105, 119},
		{"place", floorplan.Options{Keep: []geom.Vec{geom.FromGround(41, 1, 0.5)}}, 1, 2, 1, 2},
		{"start", floorplan.Options{Starts: []geom.Vec{geom.FromGround(41, 1, 0.5), geom.FromGround(99, 1, 0), geom.FromGround(41, 0.2, 0)}}, 1, 2, 1, 2},
		{"start without floor", floorplan.Options{Starts: []geom.Vec{geom.FromGround(99, 1, 0)}}, 1, 2, 80, 90},
		{"start and place", floorplan.Options{Keep: []geom.Vec{geom.FromGround(5, 5, 0)}, Starts: []geom.Vec{geom.FromGround(41, 1, 0)}}, 1, 2, 80, 90},
		{"start and area", floorplan.Options{KeepArea: 10, Starts: []geom.Vec{geom.FromGround(41, 1, 0)}}, 2, 1, 105, 119},
		{"place and area", floorplan.Options{KeepArea: 50, Keep: []geom.Vec{geom.FromGround(41, 1, 0)}}, 2, 1, 80, 92},
	} {
		p := extract.plan(t, s, Agent, c.opt)
		if a := Area(p); p.Components != c.kept || len(p.Dropped) != c.dropped || a < c.area || a > c.arealess {
			t.Errorf("%s: kept %d, dropped %d, area %.2f", c.name, p.Components, len(p.Dropped), a)
		}
	}
	p := extract.plan(t, s, Agent, floorplan.Options{})
	if len(p.Dropped) == 2 && (p.Dropped[0].Area < p.Dropped[1].Area || math.Abs(p.Dropped[0].At.X-23) > 3) {
		t.Errorf("dropped %v", p.Dropped)
	}
}

// ExtractErrors tests the errors for levels without a floor for the agent.
func ExtractErrors(t *testing.T, extract Extractor) {
	square := &Scene{Level: level.Level{Name: "square"}}
	square.Floor(0, 0, 10, 10, 0)
	square.Box(4, 4, 0, 6, 6, 3)
	down := &Scene{Level: level.Level{Name: "down"}}
	down.Quad(geom.FromGround(0, 0, 0), geom.FromGround(0, 9, 0), geom.FromGround(9, 9, 0), geom.FromGround(9, 0, 0))
	walls := &Scene{Level: level.Level{Name: "walls"}}
	walls.Wall(0, 0, 5, 5, 0, 3)
	narrow := &Scene{Level: level.Level{Name: "narrow"}}
	narrow.Floor(0, 0, 0.5, 10, 0)
	low := &Scene{Level: level.Level{Name: "low"}}
	low.Floor(0, 0, 5, 5, 0)
	low.Quad(geom.FromGround(0, 0, 1), geom.FromGround(0, 5, 1), geom.FromGround(5, 5, 1), geom.FromGround(5, 0, 1))
	lines := &Scene{Level: level.Level{Name: "lines"}}
	lines.Triangle(geom.Vec{}, geom.Vec{X: 1}, geom.Vec{X: 2})
	nan := &Scene{Level: level.Level{Name: "nan"}}
	nan.Triangle(geom.Vec{}, geom.Vec{X: math.NaN()}, geom.Vec{Z: 1})
	distant := &Scene{Level: level.Level{Name: "distant"}}
	distant.Floor(0, 0, 1, 1, 0)
	distant.Floor(300000, 0, 300001, 1, 0)
	for _, c := range []struct {
		s    *Scene
		opt  floorplan.Options
		want string
	}{
		{&Scene{Level: level.Level{Name: "empty"}}, floorplan.Options{}, `level "empty" has no triangles`},
		{down, floorplan.Options{}, "2 face down: is it inside out"},
		{walls, floorplan.Options{}, "faces up within 45.0 degrees"},
		{narrow, floorplan.Options{}, "no place for the agent's radius of 0.4 m: the widest"},
		{low, floorplan.Options{}, "no floor with room for the agent's height"},
		{lines, floorplan.Options{}, "all 1 triangles are degenerate"},
		{nan, floorplan.Options{}, "triangle 0: vertex 1"},
		{distant, floorplan.Options{}, "the lattice holds"},
		{square, floorplan.Options{Keep: []geom.Vec{{X: 99}}}, "place (99.000, 0.000, 0.000)"},
		{square, floorplan.Options{Keep: []geom.Vec{geom.FromGround(0.1, 5, 0)}}, "nearer than the agent's radius"},
		{square, floorplan.Options{Keep: []geom.Vec{geom.FromGround(2, 2, 5)}}, "no walkable floor"},
		{square, floorplan.Options{KeepArea: 1e6}, "no part of the floor is larger"},
	} {
		_, err := extract(t.Context(), &c.s.Level, Agent, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.s.Name, err, c.want)
		}
	}
}

// Benchmark times an extractor on random scenes.
func Benchmark(b *testing.B, extract Extractor) {
	for _, boxes := range []int{25, 100, 400} {
		b.Run(fmt.Sprintf("boxes=%d", boxes), func(b *testing.B) {
			s := RandomScene(1, 10*math.Sqrt(float64(boxes)/4), boxes)
			points := 0
			for b.Loop() {
				p, err := extract(b.Context(), &s.Level, Agent, floorplan.Options{})
				if err != nil {
					b.Fatal(err)
				}
				points = p.Layers[0].Domains[0].Len()
			}
			b.ReportMetric(float64(points), "points")
		})
	}
}
