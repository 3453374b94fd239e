package footing

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// floors makes a mesh of rectangles x0, y0, x1, y1 that rise from z0 to z1 along x, all in metres.
func floors(rectangles ...[6]float64) *navmesh.Mesh {
	var tin lattice.TIN
	at := func(x, y, z float64) lattice.Vertex {
		unit := func(c float64) int32 { return int32(math.Round(c * lattice.UnitsPerMetre)) }
		return lattice.Vertex{Point: lattice.Point{X: unit(x), Y: unit(y)}, Z: unit(z)}
	}
	for _, r := range rectangles {
		n := uint32(len(tin.Vertices))
		tin.Vertices = append(tin.Vertices, at(r[0], r[1], r[4]), at(r[2], r[1], r[5]), at(r[2], r[3], r[5]), at(r[0], r[3], r[4]))
		tin.Triangles = append(tin.Triangles, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
	}
	return &navmesh.Mesh{
		Agent: geom.Agent{Height: 2, MaxClimb: 0.5},
		Tiles: []navmesh.Tile{{Layers: []navmesh.Layer{{Floor: tin}}}},
	}
}

// way makes points of x, y, z.
func way(xyz ...[3]float64) (points []geom.Vec) {
	for _, p := range xyz {
		points = append(points, geom.FromGround(p[0], p[1], p[2]))
	}
	return points
}

const tolerance = 0.05

// house is a ramp up to a landing with a roof over it, a step to a terrace, and a flight of 40 small rectangles.
func house() *navmesh.Mesh {
	all := [][6]float64{
		{0, 0, 10, 4, 0, 3}, {10, 0, 14, 4, 3, 3}, {8, 0, 14, 4, 6, 6}, {14, 0, 20, 4, 3.3, 3.3},
	}
	for i := range 40 {
		x := 20 + float64(i)/10
		all = append(all, [6]float64{x, 0, x + 0.1, 4, 3.3, 3.3})
	}
	return floors(all...)
}

// TestPathsOnTheFloor checks that ways on slopes, steps and storeys are accepted, also those within the tolerance.
func TestPathsOnTheFloor(t *testing.T) {
	f := New(house())
	for name, points := range map[string][]geom.Vec{
		"up, over the step, and on": way([3]float64{1, 2, 0.3}, [3]float64{10, 2, 3}, [3]float64{14, 2, 3}, [3]float64{14, 2, 3.3}, [3]float64{23.9, 2, 3.3}),
		"across":                    way([3]float64{0, 0, 0}, [3]float64{10, 4, 3}),
		"on the rim":                way([3]float64{0, 4, 0}, [3]float64{10, 4, 3}),
		"a little off":              way([3]float64{1, 2, 0.34}, [3]float64{9, 2, 2.66}),
		"on the roof":               way([3]float64{8.5, 1, 6}, [3]float64{13, 3, 6}),
		"a point":                   way([3]float64{5, 2, 1.5}),
		"nothing":                   nil,
	} {
		if r := f.Check(points, tolerance); r.Off != 0 || r.Bridged != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestFloatingPathsAreFound checks that ways above and below the floor are found, with distance and place.
func TestFloatingPathsAreFound(t *testing.T) {
	f := New(house())
	for _, tt := range []struct {
		name   string
		points []geom.Vec
		off    float64
		x      float64
	}{
		{"above the landing", way([3]float64{10, 2, 3.2}, [3]float64{14, 2, 3.2}), 0.2, -1},
		{"below the terrace", way([3]float64{15, 2, 3.1}, [3]float64{19, 2, 3.1}), 0.2, -1},
		{"through the bend of the ramp", way([3]float64{6, 2, 1.8}, [3]float64{14, 2, 3}), 0.6, 10},
		{"through the step", way([3]float64{13, 2, 3}, [3]float64{15, 2, 3.3}), 0.15, 14},
		{"a point", way([3]float64{5, 2, 1.8}), 0.3, 5},
		{"between landing and roof, nearer to the landing", way([3]float64{11, 2, 3.9}, [3]float64{13, 2, 3.9}), 0.9, -1},
	} {
		r := f.Check(tt.points, tolerance)
		if math.Abs(r.Off-tt.off) > 0.05*tt.off || tt.x >= 0 && math.Abs(r.OffAt.X-tt.x) > 0.4 {
			t.Errorf("%s: %+v, want %v m at x = %v", tt.name, r, tt.off, tt.x)
		}
	}
}

// TestShortBumpsAreFound plants a bump of 6 cm into a straight way, narrower and narrower.
func TestShortBumpsAreFound(t *testing.T) {
	f := New(house())
	for _, wide := range []float64{1, 0.1, 0.02, 0.01} {
		r := f.Check(way([3]float64{10.5, 2, 3}, [3]float64{12, 2, 3}, [3]float64{12, 2, 3.06}, [3]float64{12 + wide, 2, 3.06},
			[3]float64{12 + wide, 2, 3}, [3]float64{13.5, 2, 3}), tolerance)
		if math.Abs(r.Off-0.06) > 1e-3 {
			t.Errorf("a bump of %v m: %+v", wide, r)
		}
	}
}

// TestCracks checks that a crack is reported with its length, and that a floor of another storey is no floor.
func TestCracks(t *testing.T) {
	f := New(floors([6]float64{0, 0, 4, 4, 3, 3}, [6]float64{4.1, 0, 8, 4, 3, 3}, [6]float64{3, 0, 5, 4, 0, 0}))
	r := f.Check(way([3]float64{1, 2, 3}, [3]float64{7, 2, 3}), tolerance)
	if r.Off != 0 || math.Abs(r.Bridged-0.1) > 0.003 || math.Abs(r.BridgedAt.X-4) > 0.003 {
		t.Errorf("%+v", r)
	}
	if r = f.Check(way([3]float64{7, 2, 3}, [3]float64{10, 2, 3}), tolerance); math.Abs(r.Bridged-2) > 0.003 {
		t.Errorf("beyond the rim: %+v", r)
	}
	if r = f.Check(way([3]float64{20, 2, 3}), tolerance); r.Bridged == 0 {
		t.Errorf("a point beside everything: %+v", r)
	}
}

// TestStepsAreMeasured checks the heights of vertical pieces, and that their ends must be on the floor.
func TestStepsAreMeasured(t *testing.T) {
	f := New(house())
	r := f.Check(way([3]float64{13, 2, 3}, [3]float64{14, 2, 3}, [3]float64{14, 2, 3.3}, [3]float64{15, 2, 3.3}), tolerance)
	if math.Abs(r.Step-0.3) > 1e-9 || math.Abs(r.StepAt.X-14) > 1e-9 || r.Off != 0 {
		t.Errorf("%+v", r)
	}
	if r = f.Check(way([3]float64{12, 2, 3}, [3]float64{12, 2, 3.4}), tolerance); math.Abs(r.Step-0.4) > 1e-9 || math.Abs(r.Off-0.4) > 1e-3 {
		t.Errorf("a step into the air: %+v", r)
	}
	var sum Report
	sum.Worse(Report{Off: 1, OffAt: geom.Vec{X: 1}, Step: 2})
	sum.Worse(Report{Off: 0.5, Bridged: 3, BridgedAt: geom.Vec{X: 2}, Step: 4, StepAt: geom.Vec{X: 3}})
	if want := (Report{1, geom.Vec{X: 1}, 3, geom.Vec{X: 2}, 4, geom.Vec{X: 3}}); sum != want {
		t.Errorf("the worse of two: %+v, want %+v", sum, want)
	}
}

// TestSteepStrips has a step of 80 cm that is a strip of floor 3 mm wide, and ways that go up within a millimetre of the strip or
// farther beside the strip.
func TestSteepStrips(t *testing.T) {
	f := New(floors([6]float64{0, 0, 4, 4, 0, 0}, [6]float64{4, 0, 4.003, 4, 0, 0.8}, [6]float64{4.003, 0, 8, 4, 0.8, 0.8}))
	for _, tt := range []struct {
		at  float64
		off bool
	}{{4, false}, {4.0008, false}, {3.9992, false}, {3.99, true}, {4.02, true}} {
		r := f.Check(way([3]float64{1, 2, 0}, [3]float64{tt.at, 2, 0}, [3]float64{tt.at + 0.003, 2, 0.8}, [3]float64{7, 2, 0.8}), tolerance)
		if (r.Off > 0) != tt.off || r.Bridged > 0 {
			t.Errorf("up the step at %g m: %+v", tt.at, r)
		}
	}
}

// TestStepsCrossedAslant has a step with a crack of half a millimetre, and a way that meets the step at a small angle: the way rises
// over 2 cm. A step that is higher than a climb is none.
func TestStepsCrossedAslant(t *testing.T) {
	for _, high := range []float64{0.4, 0.6} {
		f := New(floors([6]float64{0, 0, 4, 4, 0, 0}, [6]float64{4.0005, 0, 8, 4, high, high}))
		r := f.Check(way([3]float64{3, 1, 0}, [3]float64{4, 2, 0}, [3]float64{4.0005, 2.02, high}, [3]float64{5, 3, high}), tolerance)
		if (r.Off > 0) != (high > 0.5) {
			t.Errorf("up a step of %g m: %+v", high, r)
		}
	}
}

// TestFloorOfRegions checks that regions without floor triangles are their own floor.
func TestFloorOfRegions(t *testing.T) {
	m := floors()
	tile := &m.Tiles[0]
	for _, c := range [][3]int32{{0, 0, 0}, {1, 0, 1}, {1, 1, 1}, {0, 1, 0}} {
		tile.Corners = append(tile.Corners, uint32(len(tile.Vertices)))
		tile.Vertices = append(tile.Vertices, lattice.Vertex{
			Point: lattice.Point{X: c[0] * lattice.UnitsPerMetre, Y: c[1] * lattice.UnitsPerMetre}, Z: c[2] * lattice.UnitsPerMetre,
		})
	}
	tile.Regions = []navmesh.Region{{Count: 4}}
	points := way([3]float64{0, 0.5, 0}, [3]float64{1, 0.5, 1})
	if r := New(m).Check(points, tolerance); r != (Report{}) {
		t.Errorf("%+v", r)
	}
	tile.Regions = nil
	if r := New(m).Check(points, tolerance); r.Bridged == 0 {
		t.Errorf("no floor at all: %+v", r)
	}
}
