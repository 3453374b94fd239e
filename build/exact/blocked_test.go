package exact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/soup"
)

// Walls on the border of two floors are in the way along the stretch where the wall is in the way of both. The floor in
// the west is level, the floor in the east rises by a tenth from the south to the north.
func TestWallsAreInTheWayOfBoth(t *testing.T) {
	const climb, long = 0.4, 4.0 // metres
	for _, c := range []struct {
		name             string
		south, north     float64 // the ends of the wall
		top              float64
		rise             float64 // of the floor in the east, in metres a metre
		wantFrom, wantTo float64 // the ends of the obstacle, none if equal
	}{
		{"a wall along all of the border", 0, long, 1, 0.01, 0, long},
		{"a wall that the floor in the east rises above", 0, long, 0.7, 0.1, 0, 3},
		{"a wall that is a step in the east", 2.5, long, 0.65, 0.1, 2.5, 2.5},
		{"a post", 1, 1.002, 1, 0.01, 1, 1.002},
		{"a post that is a step in the east", 3, 3.002, 0.65, 0.1, 3, 3},
		{"a floor in the east with sharp corners", 0, long, 1, 0.01, 0, long},
		{"no floor in the east within a step", 0, long, 1, 9, 0, long},
	} {
		for _, degrees := range []float64{0, 30, 75} {
			sin, cos := math.Sincos(degrees * math.Pi / 180)
			at := func(x, y, h float64) geom.Vec { return geom.FromGround(20+cos*x-sin*y, 20+sin*x+cos*y, h) }
			s := &floortest.Scene{}
			s.Triangle(at(-4, 0, 0), at(0, 0, 0), at(0, long, 0))
			s.Triangle(at(-4, 0, 0), at(0, long, 0), at(-4, long, 0))
			low := 0.0
			if c.rise > 1 {
				low = -c.rise
			}
			high := low
			if c.rise <= 1 {
				high = long * c.rise
			}
			if c.name == "a floor in the east with sharp corners" {
				s.Triangle(at(0, 0, low), at(0.6, long/2, high/2), at(0, long, high))
			} else {
				s.Triangle(at(0, 0, low), at(4, 0, low), at(4, long, high))
				s.Triangle(at(0, 0, low), at(4, long, high), at(0, long, high))
			}
			s.Triangle(at(0, c.south, -1), at(0, c.north, -1), at(0, c.north, c.top))
			s.Triangle(at(0, c.south, -1), at(0, c.north, c.top), at(0, c.south, c.top))
			read, err := soup.Read(&s.Level, floortest.Agent)
			if err != nil {
				t.Fatal(err)
			}
			e := layered(t, read, geom.Agent{Radius: 0.1, Height: 1.8, MaxClimb: climb})
			if err := e.leaveOut(t.Context(), 1); err != nil {
				t.Fatal(err)
			}
			// The obstacles over the floor in the west, along the border.
			from, to := math.Inf(1), math.Inf(-1)
			for i := range e.exposed {
				if v := e.soup.Triangles[i].V; v[0].Z != v[1].Z || v[1].Z != v[2].Z || c.rise > 1 && v[0].Z < lattice.UnitsPerMetre {
					continue
				}
				x := e.exposed[i]
				places := joined(x.walls)
				for _, ring := range append(places, x.blocked...) {
					for _, p := range ring {
						w := read.Frame.ToWorld(p, 0)
						east, north := w.X-20, -w.Z-20
						y := cos*north - sin*east
						from, to = min(from, y), max(to, y)
					}
				}
			}
			const few = 0.004
			// A wall that reaches an end is in the way up to the very end, or a crack would be left.
			if c.wantFrom < c.wantTo && c.wantFrom == c.south && from > c.south || c.wantFrom < c.wantTo && c.wantTo == c.north && to < c.north {
				t.Errorf("%s, turned by %g°: in the way from %g to %g m, and not up to the end of the wall", c.name, degrees, from, to)
			}
			if c.wantFrom == c.wantTo {
				if from <= to {
					t.Errorf("%s, turned by %g°: in the way from %g to %g m, want none", c.name, degrees, from, to)
				}
			} else if math.Abs(from-c.wantFrom) > few || math.Abs(to-c.wantTo) > few {
				t.Errorf("%s, turned by %g°: in the way from %g to %g m, want %g to %g m", c.name, degrees, from, to, c.wantFrom, c.wantTo)
			}
		}
	}
}

// TestSurroundedBy compares footprints of joined faces with the footprints of all faces: grids of triangles, with corners moved in
// some, triangles left out and repeated, and faces without an area.
func TestSurroundedBy(t *testing.T) {
	before, after := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 5))
		const wide = 4
		var at [wide + 1][wide + 1]lattice.Point
		for x := range at {
			for y := range at[x] {
				at[x][y] = lattice.Point{X: int32(40*x) - 70, Y: int32(40*y) - 50}
				if seed%2 == 1 {
					at[x][y].X += rng.Int32N(17) - 8
					at[x][y].Y += rng.Int32N(17) - 8
				}
			}
		}
		var plans, each []lattice.Ring
		add := func(v ...lattice.Point) {
			var corners [6]lattice.Point
			r := lattice.Ring(slices.Clone(hull(v, corners[:0])))
			plans, each = append(plans, r), append(each, movedOut(r, 1))
		}
		for x := range wide {
			for y := range wide {
				c := [4]lattice.Point{at[x][y], at[x+1][y], at[x+1][y+1], at[x][y+1]}
				k := rng.IntN(4)
				for range rng.IntN(3) {
					add(c[k], c[(k+1)%4], c[(k+2)%4])
					add(c[(k+2)%4], c[(k+3)%4], c[k])
				}
				if rng.IntN(4) == 0 {
					add(c[k], c[(k+1)%4])
				}
			}
		}
		before += len(plans)
		got := surroundedBy(plans)
		after += len(got)
		a, err := overlay.Arrange(each, got)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range a.Polygons(func(w overlay.Winding) bool { return w[0] > 0 != (w[1] > 0) }) {
			t.Errorf("seed %d: only one of the two has %v", seed, p.Rings)
		}
	}
	if after > before/2 {
		t.Errorf("%d footprints of %d faces", after, before)
	}
}

// Cuts of an obstacle at the same upper step, again and again, remove the same part. Hairs along the border of the part would
// double with each cut, and a level of crossing pipes would never end.
func TestCutsLeaveFewPieces(t *testing.T) {
	unit := func(metres float64) int32 { return int32(metres * lattice.UnitsPerMetre) }
	at := func(x, y, z float64) lattice.Vertex {
		return lattice.Vertex{Point: lattice.Point{X: unit(x), Y: unit(y)}, Z: unit(z)}
	}
	for _, degrees := range []float64{0, 17, 45, 80} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		turned := func(x, y, z float64) lattice.Vertex { return at(x*cos-y*sin, x*sin+y*cos, z) }
		ground := soup.Triangle{V: [3]lattice.Vertex{at(-9, -9, 0), at(9, -9, 0), at(0, 9, 0)}, ID: [3]uint32{0, 1, 2}, Walkable: true}
		upper := soup.Triangle{V: [3]lattice.Vertex{turned(-1, 0, 0.3), turned(1, 0, 0.35), turned(0, 0.5, 0.31)}, ID: [3]uint32{3, 4, 5}, Walkable: true}
		e := newExtraction(&soup.Soup{Triangles: []soup.Triangle{ground, upper}}, floortest.Agent)
		s := &surroundings{steps: nearSteps{list: []nearStep{{triangle: 1, number: -1}}}}
		s.stand(&e.soup.Triangles[0], 0)
		step := e.step(s, 0)
		face := [3]lattice.Vertex{at(-2, -2, 0.5), at(2, -2, 0.55), at(0, 2, 0.6)}
		pieces := []piece{pieceOf(&face)}
		for range 40 {
			for k := len(pieces) - 1; k >= 0; k-- {
				pieces = e.pastStep(step, pieces, k)
			}
			if n := len(pieces); n < 2 || n > 6 {
				t.Fatalf("%g°: %d pieces of an obstacle around an upper step, want 2 to 6", degrees, n)
			}
		}
	}
}
