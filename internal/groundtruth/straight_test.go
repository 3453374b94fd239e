package groundtruth_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/groundtruth"
)

// TestWalk follows floors for several metres.
func TestWalk(t *testing.T) {
	ground := func(add func(*floortest.Scene)) func(*floortest.Scene) {
		return func(s *floortest.Scene) {
			s.Floor(-5, -5, 5, 5, 0)
			add(s)
		}
	}
	ramp := func(s *floortest.Scene) {
		s.Quad(geom.FromGround(-4, -1, 0), geom.FromGround(0, -1, 3), geom.FromGround(0, 1, 3), geom.FromGround(-4, 1, 0))
		s.Floor(0, -1, 5, 1, 3)
	}
	for _, c := range []struct {
		name  string
		make  func(*floortest.Scene)
		from  geom.Vec
		cause groundtruth.Cause
		x, h  float64 // the end
	}{
		{"flat", ground(func(*floortest.Scene) {}), geom.Vec{X: -4.5}, groundtruth.None, 4.5, 0},
		{"edge", func(s *floortest.Scene) { s.Floor(-5, -5, 3, 5, 0) }, geom.Vec{X: -4.5}, groundtruth.Ledge, 3, 0},
		{"wall", ground(func(s *floortest.Scene) { s.Box(2, -1, 0, 2.1, 1, 1) }), geom.Vec{X: -4.5}, groundtruth.Step, 2, 1},
		{"up a ramp", ground(ramp), geom.Vec{X: -4.5}, groundtruth.None, 4.5, 3},
		{"under a ramp", ground(ramp), geom.Vec{X: -1}, groundtruth.None, 4.5, 0},
		{"on a ramp", ground(ramp), geom.Vec{X: -1, Y: 2.2}, groundtruth.None, 4.5, 3},
		{"stairs", ground(func(s *floortest.Scene) {
			for k := range 10 {
				s.Box(-2+0.5*float64(k), -1, 0, 5, 1, 0.3*float64(k+1))
			}
		}), geom.Vec{X: -4.5}, groundtruth.None, 4.5, 3},
		{"crack", func(s *floortest.Scene) { s.Floor(-5, -5, 1, 5, 0); s.Floor(1.04, -5, 5, 5, 0.2) }, geom.Vec{X: -4.5}, groundtruth.None, 4.5, 0.2},
		{"nothing", func(s *floortest.Scene) { s.Floor(10, 10, 11, 11, 0) }, geom.Vec{X: -4.5}, groundtruth.NoFloor, -4.5, 0},
	} {
		s := &floortest.Scene{}
		c.make(s)
		got := groundtruth.New(&s.Level, floortest.Agent).Walk(c.from, 4.5, 0)
		if got.Cause != c.cause || math.Abs(got.At.X-c.x) > 1e-3 || math.Abs(got.At.Y-c.h) > 1e-2 {
			t.Errorf("%s: %+v, want %v at x %g, height %g", c.name, got, c.cause, c.x, c.h)
		}
	}
}

// TestPlacesOnEdges judges places exactly on edges and corners of triangles, and exactly on the edge of a step.
func TestPlacesOnEdges(t *testing.T) {
	s := &floortest.Scene{}
	for k := range 9 {
		x, y := float64(k%3), float64(k/3)
		s.Floor(x, y, x+1, y+1, 0)
	}
	s.Floor(3, 0, 6, 3, 0.3)
	for _, p := range [][2]float64{{1, 1}, {2, 1}, {1.5, 1}, {1, 1.5}, {1.5, 1.5}, {1.25, 1.25}, {3, 1.5}} {
		if v := at(s, p[0], p[1], 0); !v.Walkable || math.Abs(v.Clearance-0.7) > 1e-3 {
			t.Errorf("%v: %+v", p, v)
		}
	}
	if v := at(s, 3, 0.2, 0); v.Walkable || math.Abs(v.Clearance-0.2) > 1e-3 {
		t.Errorf("on a step beside a ledge: %+v", v)
	}
}

// TestContact measures borders against walls, posts, ledges and ceilings at known distances.
func TestContact(t *testing.T) {
	const off = 1e-3
	for _, turn := range [][2]float64{{1, 0}, {0.8, 0.6}, {0.96, 0.28}, {-0.28, 0.96}} {
		place := func(x, y, h float64) geom.Vec { return geom.FromGround(x*turn[0]-y*turn[1], x*turn[1]+y*turn[0], h) }
		quad := func(s *floortest.Scene, x0, y0, x1, y1, h0, h1 float64) { // slopes along y
			s.Quad(place(x0, y0, h0), place(x1, y0, h0), place(x1, y1, h1), place(x0, y1, h1))
		}
		for _, c := range []struct {
			name     string
			make     func(*floortest.Scene)
			distance float64 // from the border along the x axis, 0 for nothing there
			cause    groundtruth.Cause
		}{
			{"wall without thickness", func(s *floortest.Scene) {
				s.Quad(place(-10, 0.37, 0), place(10, 0.37, 0), place(10, 0.37, 2), place(-10, 0.37, 2))
			}, 0.37, groundtruth.Body},
			{"post in the middle of nowhere", func(s *floortest.Scene) {
				s.Quad(place(3.217, 0.25, 0), place(3.222, 0.25, 0), place(3.222, 0.25, 3), place(3.217, 0.25, 3))
				s.Quad(place(3.217, 0.25, 0), place(3.217, 0.255, 0), place(3.217, 0.255, 3), place(3.217, 0.25, 3))
			}, 0.25, groundtruth.Body},
			{"post of 3 mm through the edge of a kerb", func(s *floortest.Scene) {
				quad(s, 1, 0.3, 5, 2, 0.3, 0.3)
				s.Quad(place(3.217, 0.298, 0.3), place(3.219, 0.298, 0.3), place(3.219, 0.298, 3), place(3.217, 0.298, 3))
				s.Quad(place(3.217, 0.298, 0.3), place(3.217, 0.301, 0.3), place(3.217, 0.301, 3), place(3.217, 0.298, 3))
			}, 0.298, groundtruth.Body},
			{"beam that comes down into the band", func(s *floortest.Scene) {
				quad(s, 1, 0.1, 2, 4.1, 2, 0) // at 1.8 m, the agent's height, at y = 0.5
			}, 0.5, groundtruth.Step},
			{"steps of a metre", func(s *floortest.Scene) { quad(s, 1, 0.3, 2, 2, 1, 1) }, 0.3, groundtruth.Step},
			{"kerb", func(s *floortest.Scene) { quad(s, 1, 0.3, 2, 2, 0.4, 0.4) }, 0, groundtruth.None},
			{"ceiling", func(s *floortest.Scene) { quad(s, 1, -1, 2, 2, 1.8, 1.8) }, 0, groundtruth.None},
			{"wall of another storey", func(s *floortest.Scene) {
				quad(s, -10, 0.01, 10, 5, 4, 4)
				s.Quad(place(-10, 0.2, 4), place(10, 0.2, 4), place(10, 0.2, 6), place(-10, 0.2, 6))
			}, 0, groundtruth.None},
		} {
			s := &floortest.Scene{}
			quad(s, -12, -8, 12, 8, 0, 0)
			c.make(s)
			j := groundtruth.New(&s.Level, floortest.Agent)
			find := func(distance float64) (groundtruth.Contact, bool) {
				return j.Contact(place(-9, 0, 0), place(9, 0, 0), distance, 0.1, func(_, _ float64) float64 { return 0 })
			}
			if c.distance == 0 {
				if got, ok := find(0.6); ok {
					t.Errorf("%s, turned by %v: %+v", c.name, turn, got)
				}
				continue
			}
			if got, ok := find(c.distance - off); ok {
				t.Errorf("%s, turned by %v: %+v, want none within %g", c.name, turn, got, c.distance-off)
			}
			got, ok := find(c.distance + 0.1)
			if !ok || got.Cause != c.cause || math.Abs(got.Distance-c.distance) > 3*off {
				t.Errorf("%s, turned by %v: %v %+v, want %v at %g", c.name, turn, ok, got, c.cause, c.distance)
			}
			if _, ok := find(c.distance + 3*off); !ok {
				t.Errorf("%s, turned by %v: nothing within %g", c.name, turn, c.distance+3*off)
			}
		}
		s := &floortest.Scene{}
		quad(s, -12, -8, 12, 0.41, 0, 0)
		j := groundtruth.New(&s.Level, floortest.Agent)
		for _, c := range []struct {
			distance float64
			want     bool
		}{{0.409, false}, {0.412, true}} {
			if got, ok := j.Contact(place(-9, 0, 0), place(9, 0, 0), c.distance, 0.1, func(_, _ float64) float64 { return 0 }); ok != c.want {
				t.Errorf("ledge, turned by %v, within %g: %v %+v", turn, c.distance, ok, got)
			}
		}
	}
}

// TestWalkFromASeam begins walks exactly where two floors meet, over a floor a step beneath that both hide.
func TestWalkFromASeam(t *testing.T) {
	const low, high = -0.38, 0.3
	for _, degrees := range []float64{0, 22.6, 71} {
		for _, c := range []struct {
			name  string
			crack float64 // between the two floors
			rise  float64 // of the second floor
		}{{"one floor", 0, 0}, {"a crack", 1e-3, 0}, {"a step", 0, high}} {
			s := floortest.NewTurned(degrees)
			for _, x := range [2][3]float64{{-5, 0, 0}, {c.crack, 5, c.rise}} {
				s.Quad(s.At(x[0], -5, x[2]), s.At(x[1], -5, x[2]), s.At(x[1], 5, x[2]), s.At(x[0], 5, x[2]))
			}
			s.Quad(s.At(-5, -5, low), s.At(5, -5, low), s.At(5, 5, low), s.At(-5, 5, low))
			j := groundtruth.New(&s.Level, floortest.Agent)
			for _, from := range [3]float64{0, c.crack / 2, c.crack} {
				for _, to := range [][2]float64{{from, 4}, {from, -4}, {3, 3}, {-3, 3}} {
					at := s.At(to[0], to[1], 0)
					got := j.Walk(s.At(from, 0, 0), at.X, at.Z)
					if got.Cause != groundtruth.None && got.Cause != groundtruth.NoFloor || got.Cause == groundtruth.None && got.At.Y < -0.1 {
						t.Errorf("%s, turned by %g°, from %g to %v: %+v", c.name, degrees, from, to, got)
					}
				}
			}
		}
	}
}

// TestWalkBesideABody walks along the foot of a wall that stands on the line between a floor and a ramp that leads down. The wall
// is in the way where it rises more than a step above both.
func TestWalkBesideABody(t *testing.T) {
	const slope, climb, top = 0.5, 0.4, 0.45 // of the ramp; the highest step; of the wall over the floor
	for _, degrees := range []float64{0, 63.4, 180} {
		s := floortest.NewTurned(degrees)
		s.Quad(s.At(0, 0, 0), s.At(5, 0, 0), s.At(5, 5, 0), s.At(0, 5, 0))
		s.Quad(s.At(0, -5, 0), s.At(5, -5, -5*slope), s.At(5, 0, -5*slope), s.At(0, 0, 0))
		// The wall rises along the way, to more than a step above the floor at 0.6 m, and above the ramp at 0.36 m.
		s.Quad(s.At(0, 0, 0), s.At(0.6, 0, 0), s.At(0.6, 0, climb), s.At(0, 0, climb-top))
		s.Quad(s.At(0.6, 0, 0), s.At(5, 0, 0), s.At(5, 0, 1.5), s.At(0.6, 0, climb))
		j := groundtruth.New(&s.Level, floortest.Agent)
		for _, c := range []struct{ y, want float64 }{{0, 0.6}, {-1e-4, 0.6}} {
			to := s.At(0.75, c.y, 0)
			got := j.Walk(s.At(0.1, c.y, -0.05), to.X, to.Z)
			if got.Cause != groundtruth.Body {
				t.Errorf("turned by %g°, %g m beside the wall: %+v", degrees, c.y, got)
				continue
			}
			begin := s.At(0, 0, 0)
			if x := math.Hypot(got.At.X-begin.X, got.At.Z-begin.Z); math.Abs(x-c.want) > 0.02 {
				t.Errorf("turned by %g°, %g m beside the wall: the walk ends after %.3f m, want %g", degrees, c.y, x, c.want)
			}
		}
	}
}

// TestHeights lists the floors around a place.
func TestHeights(t *testing.T) {
	s := &floortest.Scene{}
	s.Floor(0, 0, 1, 1, 0)
	s.Floor(1.02, 0, 2, 1, 0.5)
	j := groundtruth.New(&s.Level, floortest.Agent)
	for _, c := range []struct {
		x, reach  float64
		low, high float64
	}{{0.5, 0.1, 0, 0}, {1.5, 0.1, 0.5, 0.5}, {0.99, 0.05, 0, 0.5}, {1.01, 0.005, math.Inf(1), math.Inf(-1)}, {1.01, 0.02, 0, 0.5}} {
		low, high := math.Inf(1), math.Inf(-1)
		j.Heights(geom.FromGround(c.x, 0.5, 0), c.reach, func(h float64) { low, high = min(low, h), max(high, h) })
		if low != c.low || high != c.high {
			t.Errorf("x %g within %g: from %g to %g, want %g to %g", c.x, c.reach, low, high, c.low, c.high)
		}
	}
}

// TestContactOverStep has a body with its edge exactly over a step of 6 cm, low enough to be in the way of the upper floor
// only. Over the middle of the upper floor the same body is in the way.
func TestContactOverStep(t *testing.T) {
	for _, c := range []struct {
		over float64 // how far the body reaches over the upper floor, in metres
		want bool
	}{{0, false}, {0.1, true}} {
		s := &floortest.Scene{}
		s.Floor(0, 0, 4, 4, 0)
		s.Floor(0, 4, 4, 8, 0.06)
		s.Wall(2, 4+c.over, 4, 4+c.over, 1.81, 3)
		agent := floortest.Agent // 1.8 m high
		j := groundtruth.New(&s.Level, agent)
		from, to := geom.FromGround(1.8, 4+c.over, 0.06), geom.FromGround(1.8, 4+c.over+0.001, 0.06)
		got, found := j.Contact(from, to, agent.Radius, groundtruth.Spacing, func(_, _ float64) float64 { return 0.06 })
		if found != c.want {
			t.Errorf("a body %g m over the upper floor: contact %+v, %t", c.over, got, found)
		}
	}
}

// TestContactBesideAStorey has a border over a lower storey of many strips, under as many beams across the strips. Nobody walks from the
// border down to the strips, so no part of a beam over a strip costs a walk; each walk asks for the height of its start.
func TestContactBesideAStorey(t *testing.T) {
	const strips, width = 30, 0.02
	s := &floortest.Scene{}
	s.Floor(0, 0, 4, 4, 4)
	for i := range strips {
		at := 0.5 + width*float64(i)
		s.Floor(0.5, at, 0.5+strips*width, at+width, 1)
		s.Floor(at, 0.5, at+width, 0.5+strips*width, 2)
	}
	j := groundtruth.New(&s.Level, floortest.Agent)
	asked := 0
	got, found := j.Contact(geom.FromGround(0.7, 0.7, 4), geom.FromGround(0.9, 0.7, 4), floortest.Agent.Radius, 0.1, func(_, _ float64) float64 {
		asked++
		return 4
	})
	if found || asked > 1000 {
		t.Errorf("contact %t %+v after %d walks, want none after at most 1000", found, got, asked)
	}
}

// TestContactBesideSteps has a border over a stack of slabs of many strips, each slab a step below the last. All slabs look alike from
// above, so the strips of one slab cost walks, and the others none.
func TestContactBesideSteps(t *testing.T) {
	const slabs, strips, width = 12, 10, 0.02
	s := &floortest.Scene{}
	s.Floor(0, 0, 4, 4, 4)
	for k := range slabs {
		for i := range strips {
			at := 0.5 + width*float64(i)
			s.Floor(0.5, at, 0.5+strips*width, at+width, 4-0.3*float64(k))
		}
	}
	j := groundtruth.New(&s.Level, floortest.Agent)
	asked := 0
	got, found := j.Contact(geom.FromGround(0.6, 0.6, 4), geom.FromGround(0.7, 0.6, 4), floortest.Agent.Radius, 0.1, func(_, _ float64) float64 {
		asked++
		return 4
	})
	if found || asked > 500 {
		t.Errorf("contact %t %+v after %d walks, want none after at most 500", found, got, asked)
	}
}

// TestStoreyOverStep has a storey with its edge over a step, low enough to be in the way of the upper floor only. The storey is in
// nobody's way there, and in the way a centimetre farther in.
func TestStoreyOverStep(t *testing.T) {
	const height = 1.9 // of the storey over the ground
	for _, degrees := range []float64{0, 32.3} {
		for _, c := range []struct {
			over float64 // how far the storey hangs over the tread
			want groundtruth.Cause
		}{{0, groundtruth.None}, {0.01, groundtruth.Step}} {
			s := floortest.NewTurned(degrees)
			s.Quad(s.At(-3, -3, 0), s.At(3, -3, 0), s.At(3, 0, 0), s.At(-3, 0, 0))
			s.Quad(s.At(-3, 0, 0.3), s.At(3, 0, 0.3), s.At(3, 3, 0.3), s.At(-3, 3, 0.3))
			s.Quad(s.At(-3, -3, height), s.At(3, -3, height), s.At(3, c.over, height), s.At(-3, c.over, height))
			j := groundtruth.New(&s.Level, floortest.Agent)
			to := s.At(0.2, -0.5, 0)
			if got := j.Walk(s.At(0, 0.5, 0.3), to.X, to.Z); got.Cause != c.want {
				t.Errorf("turned by %g°, %g m over the tread: %+v, want %v", degrees, c.over, got, c.want)
			}
		}
	}
}
