package ground_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/exact"
	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/ground"
	"github.com/meadow-nav/meadow/build/internal/divide"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/corpus"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/lab/brep"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
)

type extractor func(context.Context, *level.Level, geom.Agent, floorplan.Options) (*plan.Plan, error)

var extractors = []struct {
	name    string
	extract extractor
}{{"exact", exact.Extract}, {"raster", raster.Extract}, {"brep", brep.Extract}}

// byMaterial gives a level ground by the first word of its materials' names.
func byMaterial(lvl *level.Level) *level.Level {
	g := &level.Ground{Names: []string{"ground"}}
	areas := make([]uint8, len(lvl.Materials))
	for i, m := range lvl.Materials {
		word, _, _ := strings.Cut(m.Name, "_")
		k := slices.Index(g.Names, word)
		if k < 0 {
			k = len(g.Names)
			g.Names = append(g.Names, word)
		}
		areas[i] = uint8(k)
	}
	for _, t := range lvl.Triangles {
		a := uint8(0)
		if t.Material != level.NoMaterial {
			a = areas[t.Material]
		}
		g.Triangles = append(g.Triangles, a)
	}
	lvl.Ground = g
	return lvl
}

func generate(t *testing.T, kind string, opt levelgen.Options) *level.Level {
	t.Helper()
	lvl, err := levelgen.Generate(kind, opt)
	if err != nil {
		t.Fatal(err)
	}
	return byMaterial(lvl)
}

func extract(t *testing.T, f extractor, lvl *level.Level, agent geom.Agent) *plan.Plan {
	t.Helper()
	p, err := f(context.Background(), lvl, agent, floorplan.Options{KeepAll: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func apply(t *testing.T, p *plan.Plan, lvl *level.Level) *plan.Plan {
	t.Helper()
	out, warnings, err := ground.Apply(context.Background(), p, lvl, ground.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range warnings {
		t.Error(w)
	}
	return out
}

// valid checks that domains are valid polygons, cover the same floor as before, and have the points of the chain on
// both sides.
func valid(t *testing.T, old, p *plan.Plan) {
	t.Helper()
	seen := make([][2]int, len(p.Chains))
	for l := range p.Layers {
		var before, after, around float64
		for d := range old.Layers[l].Domains {
			before += float64(old.Layers[l].Domains[d].Area2())
		}
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			after += float64(domain.Area2())
			if err := domain.Validate(); err != nil {
				t.Fatalf("layer %d, domain %d: %v", l, d, err)
			}
			id := plan.DomainID{Layer: int32(l), Domain: int32(d)}
			for r, ring := range domain.Rings {
				for k, a := range ring {
					around += a.Distance(ring[(k+1)%len(ring)])
					c := domain.Edges[r][k]
					if c == plan.Wall {
						continue
					}
					chain, b := &p.Chains[c], ring[(k+1)%len(ring)]
					side, on := 0, chain.Points
					if chain.Right == id && chain.Left != id {
						side, a, b = 1, b, a
					}
					ok := false
					for i := 1; i < len(on); i++ {
						ok = ok || on[i-1] == a && on[i] == b
					}
					if !ok {
						t.Fatalf("layer %d, domain %d: chain %d does not go from %v to %v", l, d, c, a, b)
					}
					seen[c][side]++
				}
			}
		}
		if math.Abs(before-after) > around { // rounded crossings move borders by less than a unit
			t.Errorf("layer %d: domains cover %.0f of %.0f", l, after, before)
		}
	}
	for c, n := range seen {
		if e := len(p.Chains[c].Points) - 1; n != [2]int{e, e} {
			t.Errorf("chain %d of kind %d with %d edges: %v on its sides", c, p.Chains[c].Kind, e, n)
		}
	}
}

// sample calls visit for random places of a plan, with their domains and heights.
func sample(p *plan.Plan, n int, seed uint64, visit func(id plan.DomainID, at geom.Vec)) {
	rng := rand.New(rand.NewPCG(seed, 5))
	heights := divide.NewHeights(p)
	for l := range p.Layers {
		box := lattice.EmptyBox()
		for d := range p.Layers[l].Domains {
			box = box.Union(p.Layers[l].Domains[d].Box())
		}
		w, h := box.Size()
		for range n {
			q := lattice.Point{X: box.Min.X + int32(rng.Int64N(w)), Y: box.Min.Y + int32(rng.Int64N(h))}
			for d := range p.Layers[l].Domains {
				if !p.Layers[l].Domains[d].Contains(q) {
					continue
				}
				z := heights.At(int32(l), &p.Layers[l].Domains[d], q)
				visit(plan.DomainID{Layer: int32(l), Domain: int32(d)}, p.Frame.ToWorld(q, z))
				break
			}
		}
	}
}

func TestPlacesAreOfTheirArea(t *testing.T) {
	race.Skip(t)
	agent := geom.Agent{}.WithDefaults()
	for _, kind := range []string{"rts", "urban", "bridge"} {
		for _, ex := range extractors {
			if kind != "bridge" && ex.name != "exact" {
				continue // the small one will do
			}
			t.Run(kind+"/"+ex.name, func(t *testing.T) {
				lvl := generate(t, kind, levelgen.Options{Seed: 3})
				whole := extract(t, ex.extract, lvl, agent)
				p := apply(t, whole, lvl)
				valid(t, whole, p)
				o := corpus.NewGround(lvl)
				asked, wrong := 0, 0
				areas := map[uint8]int{}
				sample(p, 8000, 1, func(id plan.DomainID, at geom.Vec) {
					want, ok := o.Sure(at.X, at.Z, at.Y-0.9, at.Y+0.9, ground.Tolerance)
					if !ok {
						return
					}
					asked++
					areas[want]++
					if got := p.Layers[id.Layer].Domains[id.Domain].Area; got != want {
						if wrong++; wrong < 4 {
							t.Errorf("%v is %s, want %s", at, p.Areas[got], p.Areas[want])
						}
					}
				})
				if asked < 3000 || len(areas) < 2 {
					t.Errorf("only %d places of %d areas asked", asked, len(areas))
				}
				n := 0
				for l := range p.Layers {
					n += len(p.Layers[l].Domains)
				}
				t.Logf("%d wrong of %d, %d areas, %d domains, %d chains", wrong, asked, len(areas), n, len(p.Chains))
			})
		}
	}
}

// flat returns a level of one square floor from (0, 0) to (side, side), of area 0, with ground named grass and mud.
func flat(side float64) *level.Level {
	lvl := &level.Level{Name: "flat", Ground: &level.Ground{Names: []string{"grass", "mud", "road"}}}
	quad(lvl, 0, 0, side, side, 0, 0)
	return lvl
}

// quad adds a level rectangle of an area at a height: x and y to the east and to the north.
func quad(lvl *level.Level, x0, y0, x1, y1, h float64, area uint8) {
	corners := [][2]float64{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}
	ring(lvl, corners, h, area)
}

// ring adds a level convex polygon.
func ring(lvl *level.Level, corners [][2]float64, h float64, area uint8) {
	n := uint32(len(lvl.Vertices))
	for i, c := range corners {
		lvl.Vertices = append(lvl.Vertices, geom.FromGround(c[0], c[1], h))
		if i >= 2 {
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: n, B: n + uint32(i) - 1, C: n + uint32(i), Material: level.NoMaterial})
			lvl.Ground.Triangles = append(lvl.Ground.Triangles, area)
		}
	}
}

// areasOf returns the square metres of each area in a plan.
func areasOf(p *plan.Plan) []float64 {
	m2 := make([]float64, len(p.Areas))
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			domain := &p.Layers[l].Domains[d]
			m2[domain.Area] += lattice.SquareMetres(domain.Area2())
		}
	}
	return m2
}

// thin is an agent too thin to erode a floor.
var thin = geom.Agent{Radius: geom.PointRadius, Height: 1.8, MaxClimb: 0.4}.WithDefaults()

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestBordersAreThoseOfTheTriangles(t *testing.T) {
	// A slanted road over a floor of two halves, all at one height, as a designer draws it.
	lvl := flat(16)
	lvl.Triangles, lvl.Ground.Triangles = nil, nil
	quad(lvl, 0, 0, 8, 16, 0, 0)
	quad(lvl, 8, 0, 16, 16, 0, 0)
	road := [][2]float64{{0, 2}, {16, 9}, {16, 12}, {0, 5}}
	ring(lvl, road, 1.0/64, 2)
	for _, agent := range []geom.Agent{thin, geom.Agent{}.WithDefaults()} {
		whole := extract(t, exact.Extract, lvl, agent)
		p := apply(t, whole, lvl)
		valid(t, whole, p)
		corners := map[lattice.Point]bool{}
		for l := range whole.Layers {
			for _, d := range whole.Layers[l].Domains {
				for _, r := range d.Rings {
					for _, q := range r {
						corners[q] = true
					}
				}
			}
		}
		// The points added by the cut lie on the long sides of the road, within the rounding of a crossing.
		on := 0
		for _, c := range p.Chains {
			if c.Kind != plan.Terrain {
				t.Errorf("a chain of kind %d", c.Kind)
			}
			for _, q := range c.Points {
				v := p.Frame.ToWorld(q, 0)
				x, y := v.X, -v.Z
				off := math.Min(math.Abs(y-2-7*x/16), math.Abs(y-5-7*x/16))
				if off > 1.5*lattice.Unit {
					t.Errorf("radius %g: %v is %g m beside the road's border", agent.Radius, v, off)
				}
				on++
			}
		}
		if on != 4 || len(p.Chains) != 2 {
			t.Errorf("radius %g: %d points of %d chains, want both sides of the road with two each", agent.Radius, on, len(p.Chains))
		}
	}
	m2 := areasOf(apply(t, extract(t, exact.Extract, lvl, thin), lvl))
	if !near(m2[2], 48, 0.02) || !near(m2[0], 256-48, 0.02) {
		t.Errorf("%v m², want 48 of the road", m2)
	}
}

func TestOverlappingGround(t *testing.T) {
	tests := []struct {
		name string
		make func(lvl *level.Level)
		want []float64
	}{
		{"nothing over it", func(*level.Level) {}, []float64{256, 0, 0}},
		{"a patch at the same height", func(l *level.Level) { quad(l, 4, 4, 8, 8, 0, 1) }, []float64{240, 16, 0}},
		{"of two patches at the same height the later area", func(l *level.Level) {
			quad(l, 4, 4, 8, 8, 0, 2)
			quad(l, 6, 4, 10, 8, 0, 1)
		}, []float64{232, 8, 16}},
		{"of two at different heights the higher one", func(l *level.Level) {
			quad(l, 4, 4, 8, 8, 0.01, 2)
			quad(l, 6, 4, 10, 8, 0.03, 1)
		}, []float64{232, 16, 8}},
		{"the same triangle twice", func(l *level.Level) { quad(l, 0, 0, 16, 16, 0, 2) }, []float64{0, 0, 256}},
		{"a step higher", func(l *level.Level) { quad(l, 4, 4, 8, 8, 0.3, 1) }, []float64{240, 16, 0}},
		{"a storey lower", func(l *level.Level) { quad(l, 4, 4, 8, 8, -3, 1) }, []float64{256, 16, 0}},
		{"narrower than any ground", func(l *level.Level) { quad(l, 4, 0, 4.001, 16, 0, 1) }, []float64{256, 0, 0}},
		{"as narrow as a line on a road", func(l *level.Level) { quad(l, 4, 0, 4.05, 16, 0, 1) }, []float64{255.2, 0.8, 0}},
		{"a hole", func(l *level.Level) {
			quad(l, 2, 2, 14, 14, 0, 1)
			quad(l, 6, 6, 10, 10, 0, 2)
		}, []float64{112, 128, 16}},
		{"painted over", func(l *level.Level) {
			quad(l, 2, 2, 14, 14, 0, 1)
			l.Ground.Painted = []level.Painted{
				{Area: 2, Rings: [][][2]float64{{{0, 0}, {8, 0}, {8, 8}, {0, 8}}}},
				{Area: 0, Rings: [][][2]float64{{{4, 4}, {6, 4}, {6, 6}, {4, 6}}}},
				{Area: 1, Rings: [][][2]float64{{{-50, -50}, {-40, -50}, {-40, -40}}}},
			}
		}, []float64{256 - 144 - 28 + 4, 144 - 36, 60}},
		{"painted with a hole, beyond the floor", func(l *level.Level) {
			l.Ground.Painted = []level.Painted{{Area: 1, Rings: [][][2]float64{
				{{-8, 8}, {40, 8}, {40, 40}, {-8, 40}}, {{4, 10}, {4, 12}, {6, 12}, {6, 10}},
			}}}
		}, []float64{132, 124, 0}},
	}
	for _, tt := range tests {
		lvl := flat(16)
		tt.make(lvl)
		whole := extract(t, exact.Extract, lvl, thin)
		p := apply(t, whole, lvl)
		valid(t, whole, p)
		m2 := areasOf(p)
		for a := range tt.want {
			if !near(m2[a], tt.want[a], 0.05) {
				t.Errorf("%s: %.2f m², want %v", tt.name, m2, tt.want)
				break
			}
		}
	}
}

// hillside returns random ground: a bumpy floor of small triangles with random areas, planks of any area thrown over
// it, and storeys above.
func hillside(seed uint64) *level.Level {
	rng := rand.New(rand.NewPCG(seed, 9))
	lvl := &level.Level{Name: "hillside", Ground: &level.Ground{Names: []string{"grass", "mud", "road", "water"}}}
	const n = 8
	for j := range n + 1 {
		for i := range n + 1 {
			lvl.Vertices = append(lvl.Vertices, geom.FromGround(2*float64(i), 2*float64(j), 0.4*rng.Float64()))
		}
	}
	for j := range n {
		for i := range n {
			v := uint32(j*(n+1) + i)
			lvl.Triangles = append(lvl.Triangles, level.Triangle{A: v, B: v + 1, C: v + n + 2, Material: -1}, level.Triangle{A: v, B: v + n + 2, C: v + n + 1, Material: -1})
			a := uint8(0)
			if rng.IntN(3) == 0 {
				a = uint8(rng.IntN(4))
			}
			lvl.Ground.Triangles = append(lvl.Ground.Triangles, a, a)
		}
	}
	for range 4 {
		x, y, turn := 16*rng.Float64(), 16*rng.Float64(), rng.Float64()
		h := []float64{0.1, 0.3, 3}[rng.IntN(3)]
		var corners [][2]float64
		for k := range 5 {
			s, c := math.Sincos(2 * math.Pi * (turn + float64(k)/5))
			corners = append(corners, [2]float64{x + 3*c, y + 1.5*s})
		}
		ring(lvl, corners, h, uint8(rng.IntN(4)))
	}
	return lvl
}

func TestPlansAreValid(t *testing.T) {
	race.Skip(t)
	agent := geom.Agent{Radius: 0.2, Height: 1.8, MaxClimb: 0.4}.WithDefaults()
	asked, wrong, whole := 0, 0, 0
	for seed := range uint64(24) {
		lvl := hillside(seed)
		before := extract(t, exact.Extract, lvl, agent)
		p, warnings, err := ground.Apply(context.Background(), before, lvl, ground.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again := extract(t, exact.Extract, lvl, agent); !reflect.DeepEqual(before, again) {
			t.Fatalf("seed %d: the plan has changed", seed)
		}
		valid(t, before, p)
		if whole += len(warnings); len(warnings) > 0 {
			continue
		}
		o := corpus.NewGround(lvl)
		sample(p, 400, seed, func(id plan.DomainID, at geom.Vec) {
			// Floors within a step of each other cover one another.
			want, ok := o.Sure(at.X, at.Z, at.Y-0.9, at.Y+0.9, 4*ground.Tolerance)
			if !ok {
				return
			}
			asked++
			if got := p.Layers[id.Layer].Domains[id.Domain].Area; got != want {
				if wrong++; wrong < 4 {
					t.Errorf("seed %d: %v is %s, want %s", seed, at, p.Areas[got], p.Areas[want])
				}
			}
		})
	}
	if asked < 3000 || whole > 1 {
		t.Errorf("%d places asked, %d grounds stayed whole", asked, whole)
	}
}

func TestDoesNotDependOn(t *testing.T) {
	agent := geom.Agent{}.WithDefaults()
	ctx := context.Background()
	for seed := range uint64(3) {
		lvl := hillside(seed)
		lvl.Ground.Painted = []level.Painted{{Area: 3, Rings: [][][2]float64{{{1, 1}, {7, 2}, {3, 9}}}}}
		before := extract(t, exact.Extract, lvl, agent)
		want := apply(t, before, lvl)
		if got, _, err := ground.Apply(ctx, before, lvl, ground.Options{Jobs: 1}); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: another plan with one job, error %v", seed, err)
		}
		rng := rand.New(rand.NewPCG(seed, 3))
		shuffled := *lvl
		shuffled.Triangles, shuffled.Ground = slices.Clone(lvl.Triangles), &level.Ground{Names: lvl.Ground.Names, Triangles: slices.Clone(lvl.Ground.Triangles), Painted: lvl.Ground.Painted}
		rng.Shuffle(len(shuffled.Triangles), func(i, k int) {
			shuffled.Triangles[i], shuffled.Triangles[k] = shuffled.Triangles[k], shuffled.Triangles[i]
			shuffled.Ground.Triangles[i], shuffled.Ground.Triangles[k] = shuffled.Ground.Triangles[k], shuffled.Ground.Triangles[i]
		})
		if got := apply(t, before, &shuffled); !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: another plan for another order of triangles", seed)
		}
		moved := *lvl
		moved.Vertices = nil
		by := geom.Vec{X: 1024, Y: -64, Z: 4096}
		for _, v := range lvl.Vertices {
			moved.Vertices = append(moved.Vertices, v.Add(by))
		}
		moved.Ground = &level.Ground{Names: lvl.Ground.Names, Triangles: lvl.Ground.Triangles}
		for _, p := range lvl.Ground.Painted {
			ring := slices.Clone(p.Rings[0])
			for i := range ring {
				ring[i][0] += by.X
				ring[i][1] -= by.Z
			}
			moved.Ground.Painted = append(moved.Ground.Painted, level.Painted{Area: p.Area, Rings: [][][2]float64{ring}})
		}
		got := apply(t, extract(t, exact.Extract, &moved, agent), &moved)
		got.Frame = want.Frame
		for i := range got.Dropped {
			got.Dropped[i] = want.Dropped[i]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: another plan at another place", seed)
		}
	}
}

func TestPaint(t *testing.T) {
	lvl := flat(16)
	lvl.Ground = nil
	p := extract(t, exact.Extract, lvl, thin)
	names := []string{"floor", "lawn"}
	square := [][][2]float64{{{2, 2}, {6, 2}, {6, 6}, {2, 6}}}
	out, warnings, err := ground.Paint(context.Background(), p, names, []level.Painted{{Area: 1, Rings: square}}, ground.Options{})
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	valid(t, p, out)
	if m2 := areasOf(out); !near(m2[0], 240, 0.1) || !near(m2[1], 16, 0.01) {
		t.Errorf("%v m²", m2)
	}
	if _, _, err := ground.Paint(context.Background(), p, names, []level.Painted{{Area: 2, Rings: square}}, ground.Options{}); err == nil || err.Error() != "ground: patch 0: area 2 of 2" {
		t.Errorf("error %v", err)
	}
	far := [][][2]float64{{{0, 0}, {1e300, 0}, {0, 1}}}
	if _, _, err := ground.Paint(context.Background(), p, names, []level.Painted{{Area: 1, Rings: far}}, ground.Options{}); err == nil || !strings.Contains(err.Error(), "ring 0: point 1 at (1e+300, 0) is outside of the lattice") {
		t.Errorf("error %v", err)
	}
}

func TestNoGround(t *testing.T) {
	lvl := flat(4)
	lvl.Ground = nil
	p := extract(t, exact.Extract, lvl, thin)
	if out, _, err := ground.Apply(context.Background(), p, lvl, ground.Options{}); err != nil || out != p {
		t.Errorf("another plan without ground, error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	lvl = hillside(1)
	if _, _, err := ground.Apply(ctx, p, lvl, ground.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
