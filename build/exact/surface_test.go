package exact

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/race"
)

// sheet adds a rectangle at ground coordinates with given slopes to the east and north, and an underside a decimetre
// below.
func sheet(s *floortest.Scene, x0, y0, x1, y1, h, east, north float64) {
	at := func(x, y, drop float64) geom.Vec {
		return geom.FromGround(x, y, h+float64(east*(x-x0))+float64(north*(y-y0))-drop)
	}
	s.Quad(at(x0, y0, 0), at(x1, y0, 0), at(x1, y1, 0), at(x0, y1, 0))
	s.Quad(at(x0, y0, 0.1), at(x0, y1, 0.1), at(x1, y1, 0.1), at(x1, y0, 0.1))
}

// sheets are scenes in which floors of a layer lie beside, above, beneath and through each other.
var sheets = []struct {
	name string
	make func(s *floortest.Scene)
	// The heights of the floor at x, y, from the lowest up, in metres.
	x, y    float64
	heights []float64
}{
	{"a crack over a lower floor", func(s *floortest.Scene) {
		sheet(s, 2, 2, 4.99, 8, 0.9, 0, 0)
		sheet(s, 5.02, 2, 8, 8, 0.9, 0, 0)
	}, 5, 5, []float64{0.9}},
	{"a crack over a storey", func(s *floortest.Scene) {
		sheet(s, 2, 2, 4.99, 8, 3, 0, 0)
		sheet(s, 5.02, 2, 8, 8, 3, 0, 0)
	}, 5, 5, []float64{0, 3}},
	{"a crack with a step", func(s *floortest.Scene) {
		sheet(s, 2, 2, 4.98, 8, 0.9, 0, 0)
		sheet(s, 5.02, 2, 8, 8, 1.2, 0, 0)
	}, 5, 5, []float64{1.05}},
	{"a crack that ends over a lower floor", func(s *floortest.Scene) {
		sheet(s, 2, 2, 5, 8, 0.9, 0, 0)
		sheet(s, 5.01, 4, 8, 6, 0.9, 0, 0)
	}, 5.005, 5, []float64{0.9}},
	{"a wedge over a lower floor", func(s *floortest.Scene) {
		sheet(s, 2, 2, 5, 8, 0.9, 0, 0)
		s.Quad(geom.FromGround(5, 2, 0.9), geom.FromGround(8, 2, 0.9), geom.FromGround(8, 8, 0.9), geom.FromGround(5.04, 8, 0.9))
	}, 5.01, 5, []float64{0.9}},
	{"a crack between rising floors", func(s *floortest.Scene) {
		sheet(s, 2, 2, 4.98, 8, 0.6, 0, 0.25)
		sheet(s, 5.02, 2, 8, 8, 0.6, 0, 0.25)
	}, 5, 5, []float64{1.35}},
	{"a crack beside stairs", func(s *floortest.Scene) {
		for k := range 12 {
			s.Box(2, 2+0.5*float64(k), 0, 4.98, 2.5+0.5*float64(k), 0.3+0.25*float64(k))
		}
		sheet(s, 5.01, 2, 8, 8, 0.3, 0, 0.5)
	}, 4, 4.25, []float64{1.3}},
	{"floors through each other", func(s *floortest.Scene) {
		sheet(s, 2, 2, 8, 8, -0.6, 0.2, 0)
		sheet(s, 2, 2, 8, 8, -0.6, 0, 0.2)
	}, 6.5, 4, []float64{0.3}},
	{"a floor through the edge of another", func(s *floortest.Scene) {
		sheet(s, 2, 2, 6, 8, 0.3, 0, 0)
		sheet(s, 4, 1, 9, 9, -0.3, 0.25, 0.02)
	}, 3, 5, []float64{0.3}},
	{"a spiral of two turns", func(s *floortest.Scene) {
		for k := range 8 {
			h := 0.75 * float64(k)
			switch k % 4 {
			case 0:
				sheet(s, 2, 2, 6, 4, h, 0.1875, 0)
			case 1:
				sheet(s, 6, 2, 8, 6, h, 0, 0.1875)
			case 2:
				sheet(s, 4, 6, 8, 8, h+0.75, -0.1875, 0)
			case 3:
				sheet(s, 2, 4, 4, 8, h+0.75, 0, -0.1875)
			}
		}
	}, 7, 4, []float64{1.125, 4.125}},
	{"the end of a crack over a storey of the layer of one side", endOverStorey, 4.006, 4.99, []float64{2.1}},
	{"tilted slabs in a heap", func(s *floortest.Scene) { heap(s, 3, 25) }, 0.5, 0.5, nil},
	{"tilted slabs in another heap", func(s *floortest.Scene) { heap(s, 8, 25) }, 0.5, 0.5, nil},
	{"tilted slabs in a small heap", func(s *floortest.Scene) { heap(s, 12, 12) }, 0.5, 0.5, nil},
}

// endOverStorey adds a crack between two platforms. Stairs lead from the floor beneath to one platform, and the other
// lies over the floor. The crack ends at the slanting edge of a third platform, and in the corner the floor beneath
// shows.
func endOverStorey(s *floortest.Scene) {
	for k := range 4 {
		out := 0.37 * float64(4-k)
		s.Box(4.5, 2-out, 0, 8+out, 4.975, 0.35*float64(k+1))
	}
	sheet(s, 4, 2, 8, 4.975, 1.75, 0, 0)
	sheet(s, 4.4, 4.9, 4.6, 4.995, 1.75, 0, 0) // a tooth, so that most of the border of the crack is the platform's
	sheet(s, 2, 5, 5, 8, 2.1, 0, 0)
	s.Quad(geom.FromGround(2, 4, 2.1), geom.FromGround(4.4, 4, 2.1), geom.FromGround(4, 5, 2.1), geom.FromGround(2, 5, 2.1))
}

// heap adds sheets at random.
func heap(s *floortest.Scene, seed uint64, n int) {
	r := rand.New(rand.NewPCG(seed, 6))
	step := func(low, n int) float64 { return float64(low+r.IntN(n)) / 64 }
	for range n {
		x, y := step(0, 9*64), step(0, 9*64)
		sheet(s, x, y, x+step(20, 200), y+step(20, 200), step(-20, 120), step(-20, 41), step(-20, 41))
	}
}

// TestOneHeight verifies that the surface of a layer has one height wherever a domain lies, even in cracks. The height
// agrees with the heights of the domain's corners, and with the other side of a seam but for a step. No other storey
// touches a border.
func TestOneHeight(t *testing.T) {
	race.Skip(t)
	for _, c := range sheets {
		for _, radius := range []float64{0.1, 0.3} {
			t.Run(fmt.Sprintf("%s, radius %g", c.name, radius), func(t *testing.T) {
				s := &floortest.Scene{}
				s.Floor(0, 0, 10, 10, 0)
				c.make(s)
				agent := floortest.Agent
				agent.Radius = radius
				p, err := Extract(t.Context(), &s.Level, agent, floorplan.Options{KeepAll: true, Detail: -1})
				if err != nil {
					t.Fatal(err)
				}
				floortest.CheckPlan(t, p)
				checkHeights(t, p)
				if c.heights != nil {
					checkPlace(t, p, c.x, c.y, c.heights)
				}
			})
		}
	}
}

// few is the greatest difference between heights of one place, in units. Floors that cross are both floor within hiding
// of each other, and rounding moves borders along sloping floors.
const few = hiding + 2*floorReach

// checkHeights verifies the heights of a plan.
func checkHeights(t *testing.T, p *plan.Plan) {
	t.Helper()
	samplers := make([]*lattice.Sampler, len(p.Layers))
	at := make([]map[lattice.Point]int32, len(p.Layers))
	for l := range p.Layers {
		layer := &p.Layers[l]
		samplers[l], at[l] = lattice.NewSampler(&layer.Floor), map[lattice.Point]int32{}
		for d := range layer.Domains {
			dom := &layer.Domains[d]
			var corners []lattice.Point
			for r, ring := range dom.Rings {
				corners = append(corners, ring...)
				for k, q := range ring {
					z := dom.Heights[r][k]
					at[l][q] = z
					got, ok := nearestHeight(samplers[l], q, z)
					if !ok || math.Abs(got-float64(z)) > few {
						t.Errorf("layer %d, domain %d: %d units at its corner %v, where the floor is %g, %v", l, d, z, q, got, ok)
					}
				}
			}
			for _, ring := range dom.Rings {
				for k, q := range ring {
					middle := beside(q, ring[(k+1)%len(ring)], 0)
					if low, high := heightsOf(&layer.Floor, middle); high-low > p.Agent.MaxClimb*lattice.UnitsPerMetre+few {
						t.Errorf("layer %d, domain %d: heights from %g to %g at %v of the border", l, d, low, high, middle)
					}
				}
			}
			for _, c := range overlay.Triangulate(dom.Rings) {
				a, b, c := corners[c[0]], corners[c[1]], corners[c[2]]
				if lattice.Orient(a, b, c) < 64*64 {
					continue
				}
				middle := lattice.Point{X: (a.X + b.X + c.X) / 3, Y: (a.Y + b.Y + c.Y) / 3}
				if low, high := heightsOf(&layer.Floor, middle); high-low > few {
					t.Errorf("layer %d, domain %d: heights from %g to %g at %v", l, d, low, high, middle)
				}
			}
		}
	}
	for i, c := range p.Chains {
		for _, q := range c.Points {
			left, right := at[c.Left.Layer][q], at[c.Right.Layer][q]
			if step := math.Abs(float64(left) - float64(right)); step > p.Agent.MaxClimb*lattice.UnitsPerMetre+few {
				t.Errorf("chain %d: heights of %d and %d units at %v", i, left, right, q)
			}
		}
	}
}

// nearestHeight returns the height nearest to z within floorReach of a point.
func nearestHeight(s *lattice.Sampler, p lattice.Point, z int32) (height float64, ok bool) {
	x, y := float64(p.X), float64(p.Y)
	for _, d := range [][2]float64{{0, 0}, {2, 0}, {-2, 0}, {0, 2}, {0, -2}} {
		if h, found := s.HeightBelow(x+d[0], y+d[1], float64(z)+few, floorReach); found && (!ok || math.Abs(h-float64(z)) < math.Abs(height-float64(z))) {
			height, ok = h, true
		}
	}
	return height, ok
}

// heightsOf returns the lowest and highest heights of the triangles over a point.
func heightsOf(tin *lattice.TIN, p lattice.Point) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, c := range tin.Triangles {
		v := [3]lattice.Vertex{tin.Vertices[c[0]], tin.Vertices[c[1]], tin.Vertices[c[2]]}
		if (lattice.Ring{v[0].Point, v[1].Point, v[2].Point}).Locate(p) == lattice.Outside {
			continue
		}
		plane := planeOf(&v)
		z := plane.height(float64(p.X), float64(p.Y))
		low, high = min(low, z), max(high, z)
	}
	return low, high
}

// checkPlace compares the heights of all floor at a place.
func checkPlace(t *testing.T, p *plan.Plan, x, y float64, want []float64) {
	t.Helper()
	q, _, ok := p.Frame.FromWorld(geom.FromGround(x, y, 0))
	if !ok {
		t.Fatal("out of the frame")
	}
	var got []float64
	for l := range p.Layers {
		for d := range p.Layers[l].Domains {
			if p.Layers[l].Domains[d].Contains(q) {
				_, z := heightsOf(&p.Layers[l].Floor, q)
				got = append(got, p.Frame.ToWorld(q, rounded(z)).Y)
			}
		}
	}
	if len(got) != len(want) {
		t.Fatalf("heights %v at %g, %g, want %v", got, x, y, want)
	}
	for _, z := range want {
		found := false
		for _, g := range got {
			found = found || math.Abs(g-z) < 0.01
		}
		if !found {
			t.Errorf("heights %v at %g, %g, want %v", got, x, y, want)
		}
	}
}

// TestCornersOverEachOther verifies that two floors are in different layers if only a corner of one floor, a square of
// 2 mm, lies over the other floor.
func TestCornersOverEachOther(t *testing.T) {
	s := &floortest.Scene{}
	sheet(s, 2, 2, 5, 5, 0, 0, 0)
	sheet(s, 4.998, 4.998, 8, 8, 3, 0, 0)
	p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{KeepAll: true, Detail: -1})
	if err != nil {
		t.Fatal(err)
	}
	q, _, _ := p.Frame.FromWorld(geom.FromGround(4.999, 4.999, 0))
	for l := range p.Layers {
		if low, high := heightsOf(&p.Layers[l].Floor, q); high-low > few {
			t.Errorf("layer %d has heights of %g and %g units", l, low, high)
		}
	}
	if len(p.Layers) != 2 {
		t.Errorf("%d layers", len(p.Layers))
	}
}
