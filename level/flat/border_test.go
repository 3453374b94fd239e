package flat

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/level"
)

// gridStep is how many lattice units apart the grid points of random sketches are.
const gridStep = 16

// randomSketch is a few small shapes on so few grid points that most degeneracies occur.
func randomSketch(rng *rand.Rand) *sketch {
	s := &sketch{scale: lattice.Unit}
	size := 2 + rng.IntN(4)
	at := func() point {
		return point{float64(gridStep * rng.IntN(size+1)), float64(gridStep * rng.IntN(size+1))}
	}
	for i := range 1 + rng.IntN(4) {
		f := feature{where: fmt.Sprintf("shape %d", i), obstacle: rng.IntN(3) == 0}
		for range 1 + rng.IntN(2) {
			var ring []point
			if rng.IntN(2) == 0 {
				a, b := at(), at()
				ring = []point{a, {b.x, a.y}, b, {a.x, b.y}}
			} else {
				for range 3 + rng.IntN(4) {
					ring = append(ring, at())
				}
			}
			f.rings = append(f.rings, ring)
		}
		s.features = append(s.features, f)
	}
	return s
}

// covers tells by even-odd how many free shapes and how many obstacles p is inside of; ok is false on
// a border.
func (s *sketch) covers(f lattice.Frame, p lattice.Point) (free, obstacles int, ok bool) {
	for _, shape := range s.features {
		inside := false
		for _, points := range shape.rings {
			var ring lattice.Ring
			for _, q := range points {
				w, _ := s.snap(q)
				ring = append(ring, lattice.Point{X: int32(w.east - f.East), Y: int32(w.north - f.North)})
			}
			switch ring.Locate(p) {
			case lattice.OnBoundary:
				return 0, 0, false
			case lattice.Inside:
				inside = !inside
			}
		}
		switch {
		case inside && shape.obstacle:
			obstacles++
		case inside:
			free++
		}
	}
	return free, obstacles, true
}

// samples are lattice points beside and between the grid points.
func samples(visit func(lattice.Point)) {
	for x := int32(-5); x < 5*gridStep+5; x += 3 {
		for y := int32(-5); y < 5*gridStep+5; y += 3 {
			visit(lattice.Point{X: x, Y: y})
		}
	}
}

// clone copies a sketch, because making a plan may change it.
func (s *sketch) clone() *sketch {
	c := *s
	c.features = slices.Clone(s.features)
	return &c
}

// TestAreaAgainstEvenOdd compares the domains of random sketches with the rule, point by point.
func TestAreaAgainstEvenOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	made, overlapped := 0, 0
	for range 6000 {
		s := randomSketch(rng)
		if s.crossings(t) > 0 {
			continue
		}
		p, err := s.clone().plan()
		if err != nil {
			continue
		}
		made++
		twice := false
		samples(func(q lattice.Point) {
			free, obstacles, ok := s.covers(p.Frame, q)
			if !ok {
				return
			}
			twice = twice || free > 1
			in := 0
			for _, d := range p.Layers[0].Domains {
				if d.Contains(q) {
					in++
				}
			}
			if want := free > 0 && obstacles == 0; in > 1 || (in == 1) != want {
				t.Fatalf("%+v: %v is in %d domains, %d free shapes, %d obstacles", s.features, q, in, free, obstacles)
			}
		})
		if twice {
			overlapped++
		}
	}
	t.Logf("%d made, %d overlapped", made, overlapped)
	if made < 500 || overlapped < 50 {
		t.Errorf("the sketches are too much alike: %d made, %d overlapped", made, overlapped)
	}
}

// crossings counts the crossings of the borders of a sketch.
func (s *sketch) crossings(t *testing.T) int {
	t.Helper()
	_, edges, _, err := s.clone().edges()
	if err != nil {
		t.Fatal(err)
	}
	_, crossings, ok := node(edges)
	if !ok {
		t.Fatal("too many pairs")
	}
	return crossings
}

// isNear reports whether p is within two units of an edge.
func isNear(p lattice.Point, edges []edge) bool {
	return slices.ContainsFunc(edges, func(e edge) bool {
		return lattice.BoxOf(e.from, e.to).Grown(2).Contains(p) && lattice.SegmentDistance2(p, e.from, e.to).CompareInt(4) <= 0
	})
}

// TestCrossingShapesAgainstEvenOdd compares the domains of random sketches with crossing borders with the rule, at points
// away from all borders.
func TestCrossingShapesAgainstEvenOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	made, compared := 0, 0
	for made < 400 {
		s := randomSketch(rng)
		if s.crossings(t) == 0 {
			continue
		}
		p, err := s.clone().plan()
		if err != nil {
			if !strings.Contains(err.Error(), "obstacles; the free space") && err.Error() != "nothing is walkable" {
				t.Fatalf("%+v: %v", s.features, err)
			}
			continue
		}
		made++
		checkDomains(t, p)
		_, edges, _, err := s.clone().edges()
		if err != nil {
			t.Fatal(err)
		}
		samples(func(q lattice.Point) {
			free, obstacles, ok := s.covers(p.Frame, q)
			if !ok || isNear(q, edges) {
				return
			}
			in := 0
			for _, d := range p.Layers[0].Domains {
				if d.Contains(q) {
					in++
				}
			}
			compared++
			if want := free > 0 && obstacles == 0; in > 1 || (in == 1) != want {
				t.Fatalf("%+v: %v is in %d domains, %d free shapes, %d obstacles", s.features, q, in, free, obstacles)
			}
		})
	}
	if compared < 100_000 {
		t.Errorf("only %d points compared", compared)
	}
}

// checkDomains checks the promises of Decode for a plan.
func checkDomains(t *testing.T, p *plan.Plan) {
	t.Helper()
	if len(p.Layers) != 1 || len(p.Chains) != 0 || p.Components != len(p.Layers[0].Domains) {
		t.Fatalf("%d layers, %d chains, %d components", len(p.Layers), len(p.Chains), p.Components)
	}
	sides := map[arc]int{}
	for i, d := range p.Layers[0].Domains {
		if err := d.Validate(); err != nil {
			t.Fatalf("domain %d: %v: %v", i, d.Rings, err)
		}
		if d.Component != int32(i) || d.Area != 0 || len(d.Edges) != len(d.Rings) {
			t.Fatalf("domain %d: component %d, area %d, edges of %d rings", i, d.Component, d.Area, len(d.Edges))
		}
		for r, ring := range d.Rings {
			if !slices.Equal(d.Edges[r], slices.Repeat([]plan.ChainID{plan.Wall}, len(ring))) {
				t.Fatalf("domain %d, ring %d: edges %v", i, r, d.Edges[r])
			}
			for k, a := range ring {
				e := arc{a, ring[(k+1)%len(ring)]}
				if other, shared := sides[arc{e.to, e.from}]; shared {
					t.Fatalf("domains %d and %d share the edge %v", other, i, e)
				}
				sides[e] = i
			}
		}
	}
	floor := lattice.NewSampler(&p.Layers[0].Floor)
	for _, d := range p.Layers[0].Domains {
		for _, q := range d.Rings[0] {
			if h, ok := floor.HeightBelow(float64(q.X), float64(q.Y), 1, 1); !ok || h != 0 {
				t.Fatalf("the floor is at %g, %v at %v", h, ok, q)
			}
		}
	}
}

// TestDomainsAreValid looks at the domains of random sketches and grids.
func TestDomainsAreValid(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 7))
	made := 0
	for range 6000 {
		if p, err := randomSketch(rng).plan(); err == nil {
			checkDomains(t, p)
			made++
		}
	}
	if made < 500 {
		t.Errorf("only %d plans", made)
	}
}

// TestOrderDoesNotMatter mixes features, rings and their first points, and turns rings around.
func TestOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 7))
	made := 0
	for range 4000 {
		s := randomSketch(rng)
		p, err := s.clone().plan()
		mixed := s.clone()
		rng.Shuffle(len(mixed.features), func(i, k int) {
			mixed.features[i], mixed.features[k] = mixed.features[k], mixed.features[i]
		})
		for i := range mixed.features {
			rings := slices.Clone(mixed.features[i].rings)
			rng.Shuffle(len(rings), func(i, k int) { rings[i], rings[k] = rings[k], rings[i] })
			for r, ring := range rings {
				k := rng.IntN(len(ring))
				rings[r] = append(slices.Clone(ring[k:]), ring[:k]...)
				if rng.IntN(2) == 0 {
					slices.Reverse(rings[r])
				}
			}
			mixed.features[i].rings = rings
		}
		q, err2 := mixed.plan()
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%+v: %v, mixed: %v", s.features, err, err2)
		}
		if err != nil {
			continue
		}
		made++
		if diff := cmp.Diff(p, q); diff != "" {
			t.Fatalf("%+v: the order matters: %s", s.features, diff)
		}
	}
	if made < 300 {
		t.Errorf("only %d plans", made)
	}
}

func box(x0, y0, x1, y1 float64) []point { return []point{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}} }

// TestShapes walks through the degenerate cases by name.
func TestShapes(t *testing.T) {
	free := func(rings ...[]point) feature { return feature{where: "free", rings: rings} }
	blocked := func(rings ...[]point) feature {
		return feature{where: "blocked", obstacle: true, rings: rings}
	}
	for _, test := range []struct {
		name     string
		features []feature
		rings    []int // of each domain
		area     float64
	}{
		{"a square", []feature{free(box(0, 0, 4, 4))}, []int{1}, 16},
		{"a hole by even-odd", []feature{free(box(0, 0, 4, 4), box(1, 1, 2, 2))}, []int{2}, 15},
		{"an island in a hole", []feature{free(box(0, 0, 9, 9), box(1, 1, 8, 8), box(2, 2, 3, 3))}, []int{2, 1}, 81 - 49 + 1},
		{"an obstacle", []feature{free(box(0, 0, 4, 4)), blocked(box(1, 1, 2, 2))}, []int{2}, 15},
		{"an obstacle with a hole", []feature{free(box(0, 0, 9, 9)), blocked(box(1, 1, 8, 8), box(2, 2, 3, 3))}, []int{2, 1}, 33},
		{"an obstacle in an obstacle", []feature{free(box(0, 0, 9, 9)), blocked(box(1, 1, 8, 8)), blocked(box(2, 2, 3, 3))}, []int{2}, 32},
		{"an obstacle outside", []feature{free(box(0, 0, 4, 4)), blocked(box(5, 5, 6, 6))}, []int{1}, 16},
		{"an obstacle around a shape", []feature{free(box(0, 0, 4, 4)), free(box(6, 6, 7, 7)), blocked(box(5, 5, 8, 8))}, []int{1}, 16},
		{"two shapes apart", []feature{free(box(0, 0, 1, 1)), free(box(5, 0, 6, 1))}, []int{1, 1}, 2},
		{"two shapes with a common side", []feature{free(box(0, 0, 2, 2)), free(box(2, 0, 4, 2))}, []int{1}, 8},
		{"two shapes with a part of a side", []feature{free(box(0, 0, 2, 2)), free(box(2, 1, 4, 5))}, []int{1}, 12},
		{"two shapes that meet in a corner", []feature{free(box(0, 0, 2, 2)), free(box(2, 2, 4, 4))}, []int{1, 1}, 8},
		{"an obstacle along the border", []feature{free(box(0, 0, 4, 4)), blocked(box(0, 1, 2, 2))}, []int{1}, 14},
		{"an obstacle from border to border", []feature{free(box(0, 0, 4, 4)), blocked(box(1, 0, 2, 4))}, []int{1, 1}, 12},
		{"a hole that touches the border with a corner", []feature{free(box(0, 0, 4, 4), []point{{0, 2}, {2, 1}, {2, 3}})}, []int{2}, 14},
		{"a hole that cuts the shape in two", []feature{free(box(0, 0, 4, 4), []point{{0, 2}, {2, 1}, {4, 2}, {2, 3}})}, []int{1, 1}, 12},
		{"two holes that meet in a corner", []feature{free(box(0, 0, 9, 9), box(1, 1, 3, 3), box(3, 3, 5, 5))}, []int{3}, 81 - 8},
		{
			"a ring of four holes around an island",
			[]feature{free(box(0, 0, 9, 9),
				[]point{{1, 4}, {4, 7}, {1, 7}}, []point{{4, 7}, {7, 4}, {7, 7}}, []point{{7, 4}, {4, 1}, {7, 1}}, []point{{4, 1}, {1, 4}, {1, 1}})},
			[]int{2, 1},
			81 - 18,
		},
		{"a bridge to a hole", []feature{free([]point{{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 2}, {2, 2}, {2, 1}, {1, 1}})}, []int{2}, 15},
		{"an eight", []feature{free([]point{{0, 0}, {2, 2}, {4, 0}, {4, 4}, {2, 2}, {0, 4}})}, []int{1, 1}, 8},
		{"a spike", []feature{free([]point{{0, 0}, {4, 0}, {4, 2}, {9, 2}, {4, 2}, {4, 4}, {0, 4}})}, []int{1}, 16},
		{"a ring twice is nothing", []feature{free(box(0, 0, 4, 4), box(1, 1, 2, 2), box(1, 1, 2, 2))}, []int{1}, 16},
		{"repeated and straight points", []feature{free([]point{{0, 0}, {2, 0}, {2, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}})}, []int{1}, 16},
		{"two shapes whose borders cross", []feature{free(box(0, 0, 4, 4)), free(box(2, 1, 6, 3))}, []int{1}, 20},
		{"two bars across each other", []feature{free(box(0, 1, 6, 2)), free(box(2, 0, 3, 6)), free(box(0, 4, 6, 5))}, []int{1}, 16},
		{"four bars around a yard", []feature{free(box(0, 1, 6, 2)), free(box(2, 0, 3, 6)), free(box(0, 4, 6, 5)), free(box(4, 0, 5, 6))}, []int{2}, 20},
		{"an obstacle leaves", []feature{free(box(0, 0, 4, 4)), blocked(box(1, 1, 9, 2))}, []int{1}, 13},
		{"an obstacle across", []feature{free(box(0, 0, 4, 4)), blocked(box(-1, 1, 9, 2))}, []int{1, 1}, 12},
		{"a bow tie", []feature{free([]point{{0, 0}, {4, 4}, {4, 0}, {0, 4}})}, []int{1, 1}, 8},
		{"one inside of the other", []feature{free(box(0, 0, 4, 4)), free(box(1, 1, 2, 2))}, []int{1}, 16},
		{"one around the other", []feature{free(box(1, 1, 2, 2)), free(box(0, 0, 4, 4))}, []int{1}, 16},
		{"one twice", []feature{free(box(0, 0, 4, 4)), free(box(0, 0, 4, 4))}, []int{1}, 16},
		{"a shape over the hole of another", []feature{free(box(0, 0, 4, 4), box(1, 1, 3, 3)), free(box(1, 1, 3, 3))}, []int{1}, 16},
		{"a ring without area beside one", []feature{free(box(0, 0, 4, 4), []point{{5, 5}, {6, 6}, {7, 7}})}, []int{1}, 16},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &sketch{scale: 1, features: test.features}
			p, err := s.plan()
			if err != nil {
				t.Fatal(err)
			}
			checkDomains(t, p)
			var rings []int
			var area2 int64
			for _, d := range p.Layers[0].Domains {
				rings = append(rings, len(d.Rings))
				area2 += d.Area2()
			}
			if area := lattice.SquareMetres(area2); !slices.Equal(rings, test.rings) || area != test.area {
				t.Errorf("rings %v, area %g; want %v, %g", rings, area, test.rings, test.area)
			}
		})
	}
}

// TestSketchErrors reads the messages about shapes that make no map.
func TestSketchErrors(t *testing.T) {
	shape := func(name string, points ...point) feature {
		return feature{where: name, rings: [][]point{points}}
	}
	wall := shape("wall", box(1, 1, 9, 2)...)
	wall.obstacle = true
	for _, test := range []struct {
		name     string
		features []feature
		want     string
	}{
		{"nothing", nil, "no polygon"},
		{"only obstacles", []feature{wall}, "all polygons are obstacles"},
		{"no area", []feature{shape("line", point{0, 0}, point{4, 4}, point{2, 2})}, "nothing is walkable"},
		{"too far away", []feature{shape("hall", point{0, 0}, point{1e15, 0}, point{0, 1})}, "hall: invalid point 1 at (1e+15, 0)"},
		{"too large", []feature{shape("hall", point{0, 0}, point{3e5, 0}, point{0, 1})}, "the map is 300000 × 1 m"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &sketch{scale: 1, features: test.features}
			if _, err := s.plan(); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// TestManyCrossings refuses more crossings than a map may have points.
func TestManyCrossings(t *testing.T) {
	bars := func(n int) *sketch {
		s := &sketch{scale: 1, limits: level.Limits{Triangles: 1000}}
		for i := range n {
			d := float64(2 * i)
			s.features = append(s.features, feature{where: "bar", rings: [][]point{box(-1, d, float64(2*n), d+1)}},
				feature{where: "bar", rings: [][]point{box(d, -1, d+1, float64(2*n))}})
		}
		return s
	}
	p, err := bars(10).plan()
	if err != nil || len(p.Layers[0].Domains) != 1 || len(p.Layers[0].Domains[0].Rings) != 82 {
		t.Errorf("10 and 10 bars: %v", err)
	}
	if _, err := bars(20).plan(); err == nil || err.Error() != "more than 1000 points in the map: 160, and 1600 crossings of borders" {
		t.Errorf("20 and 20 bars: %v", err)
	}
}

// TestNames tells the names of obstacles from others.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"obstacle": true, "Wall": true, "WALLS": true, " hole-12 ": true, "wall_3.1": true, "collision": true,
		"": false, "12": false, "wallpaper": false, "Wall Street": false, "floor": false,
	} {
		if isObstacleName(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// TestManyShapes has sizes at which a quadratic step would be felt, and shapes nested deeply.
func TestManyShapes(t *testing.T) {
	s := &sketch{scale: 1}
	yard := feature{where: "yard", rings: [][]point{box(-1, -1, 300, 300)}}
	for x := range 100 {
		for y := range 100 {
			a, b := float64(3*x), float64(3*y)
			yard.rings = append(yard.rings, []point{{a, b}, {a + 1, b + 0.5}, {a + 2, b}, {a + 1, b + 2}})
		}
	}
	nest := feature{where: "nest"}
	for i := range 2000 {
		d := float64(i)
		nest.rings = append(nest.rings, box(1000+d, d, 6000-d, 5000-d))
	}
	s.features = []feature{yard, nest}
	p, err := s.plan()
	if err != nil {
		t.Fatal(err)
	}
	domains := p.Layers[0].Domains
	if len(domains) != 1001 || len(domains[0].Rings) != 10001 {
		t.Fatalf("%d domains, the first of %d rings", len(domains), len(domains[0].Rings))
	}
	for i, d := range domains[1:] {
		if len(d.Rings) != 2 {
			t.Fatalf("domain %d of %d rings", i+1, len(d.Rings))
		}
	}
}
