package navmesh_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/build/join"
	"github.com/meadow-nav/meadow/build/plan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// spot is a corner of a floor in metres: to the east, to the north, up.
type spot [3]float64

// sheetOf makes a floor of convex polygons in metres, each of its own vertices, and turns it.
func sheetOf(turn float64, polygons ...[]spot) lattice.TIN {
	var tin lattice.TIN
	for _, p := range polygons {
		first := uint32(len(tin.Vertices))
		for _, s := range p {
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: turned(turn, s[0], s[1]), Z: int32(math.Round(s[2] * lattice.UnitsPerMetre))})
		}
		for k := 2; k < len(p); k++ {
			tin.Triangles = append(tin.Triangles, [3]uint32{first, first + uint32(k) - 1, first + uint32(k)})
		}
	}
	return tin
}

// turned returns a point in metres after a turn about the origin, in degrees.
func turned(turn, x, y float64) lattice.Point {
	sin, cos := math.Sincos(geom.Degrees(turn))
	return lattice.Point{
		X: int32(math.Round((x*cos - y*sin) * lattice.UnitsPerMetre)),
		Y: int32(math.Round((x*sin + y*cos) * lattice.UnitsPerMetre)),
	}
}

// patchOf returns a rectangle of floor with the heights of its corners, counter-clockwise from the south-west.
func patchOf(x0, y0, x1, y1, z0, z1, z2, z3 float64) []spot {
	return []spot{{x0, y0, z0}, {x1, y0, z1}, {x1, y1, z2}, {x0, y1, z3}}
}

// level returns a rectangle of level floor.
func level(x0, y0, x1, y1, z float64) []spot { return patchOf(x0, y0, x1, y1, z, z, z, z) }

// court is a mesh of two square regions of 20 m that meet at x = 0, each a layer with a floor of its own. Heights of the
// plan are 0. Errors are stated in lattice units.
func court(t *testing.T, turn float64, errorUnits int32, west, east [][]spot) *navmesh.Mesh {
	t.Helper()
	ring := func(x0, y0, x1, y1 float64) lattice.Ring {
		return lattice.Ring{turned(turn, x0, y0), turned(turn, x1, y0), turned(turn, x1, y1), turned(turn, x0, y1)}
	}
	left, right := ring(-20, -10, 0, 10), ring(0, -10, 20, 10)
	domain := func(r lattice.Ring, chains ...plan.ChainID) []plan.Domain {
		return []plan.Domain{{Polygon: lattice.Polygon{Rings: []lattice.Ring{r}}, Edges: [][]plan.ChainID{chains}}}
	}
	p := &plan.Plan{
		Agent: geom.Agent{}.WithDefaults(),
		Layers: []plan.Layer{
			{Domains: domain(left, plan.Wall, 0, plan.Wall, plan.Wall), Floor: sheetOf(turn, west...)},
			{Domains: domain(right, plan.Wall, plan.Wall, plan.Wall, 0), Floor: sheetOf(turn, east...)},
		},
		Chains: []plan.Chain{{Points: []lattice.Point{left[1], left[2]}, Left: plan.DomainID{}, Right: plan.DomainID{Layer: 1}}},
	}
	for l := range p.Layers {
		p.Layers[l].Floor.Error = errorUnits
	}
	m, _, err := join.Build(context.Background(), p, [][][]plan.Cell{{cells(left)}, {cells(right)}}, join.Options{KeepSeams: true})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestFloorLaws plants one fault at a time in a floor known on paper, and a similar case just within the law. The agent
// climbs 0.4 m and walks up 45 degrees.
func TestFloorLaws(t *testing.T) {
	flat := [][]spot{level(-20, -10, 0, 10, 0)}
	east := func(more ...[]spot) [][]spot { return append([][]spot{level(0, -10, 20, 10, 0)}, more...) }
	stepped := func(z float64) [][]spot {
		return [][]spot{level(0, -10, 9, 10, 0), level(9, -10, 20, 10, z)}
	}
	// ramp leads from x = 2 up to the given height by a slope in degrees, and is level beyond.
	ramp := func(degrees, height float64) [][]spot {
		end := 2 + height/math.Tan(geom.Degrees(degrees))
		return [][]spot{
			level(0, -10, 2, 10, 0), patchOf(2, -10, end, 10, 0, height, height, 0), level(end, -10, 20, 10, height),
		}
	}
	// crack is a gap around x = 9 in a floor, through which another 3 m below shows.
	crack := func(width, beyond float64) [][]spot {
		return [][]spot{level(0, -10, 9-width/2, 10, 0), level(9+width/2, -10, 20, 10, beyond), level(0, -10, 20, 10, -3)}
	}
	// crackOver is a gap of 2 cm around x = 9 in a floor, given the heights before the gap, in the gap and beyond.
	crackOver := func(before, in, beyond float64) [][]spot {
		return [][]spot{level(0, -10, 8.99, 10, before), level(9.01, -10, 20, 10, beyond), level(0, -10, 20, 10, in)}
	}
	// kerb is a steep face of the given height along a floor that rises by slope to the north.
	kerb := func(height, slope float64) [][]spot {
		low, high := -10*slope, 10*slope
		return [][]spot{
			patchOf(0, -10, 9, 10, low, low, high, high), patchOf(9, -10, 9.1, 10, low, low+height, high+height, high),
			patchOf(9.1, -10, 20, 10, low+height, low+height, high+height, high+height),
		}
	}
	// filled is a step with a gap that a steep strip fills, and a steep patch of 0.3 m beyond the step.
	filled := func(width, step float64) [][]spot {
		x := 9 + width
		return [][]spot{
			level(0, -10, 9, 10, 0), patchOf(9, -10, x, 10, 0, step, step, 0),
			patchOf(x, -10, x+0.25, 10, step, step+0.3, step+0.3, step), level(x+0.25, -10, 20, 10, step+0.3),
		}
	}
	// strips is a steep patch of 20 strips of 1 mm.
	strips := func(height float64) [][]spot {
		floor := [][]spot{level(0, -10, 9, 10, 0), level(9.02, -10, 20, 10, height)}
		for k := range 20 {
			low, high := height*float64(k)/20, height*float64(k+1)/20
			floor = append(floor, patchOf(9+0.001*float64(k), -10, 9.001+0.001*float64(k), 10, low, high, high, low))
		}
		return floor
	}
	// leaning is the side of a box that leans by 3 degrees. The side begins half a millimetre before the portal, at a height.
	leaning := func(height float64) [][]spot {
		return [][]spot{
			patchOf(-0.0005, -10, 0.009, 10, height, height+0.18, height+0.18, height), level(0.009, -10, 20, 10, height+0.18),
		}
	}
	tent := func(height float64) [][]spot {
		return [][]spot{
			{{0, -10, 0}, {20, -10, 0}, {0, 0, height}}, {{20, -10, 0}, {20, 10, 0}, {0, 0, height}}, {{20, 10, 0}, {0, 10, 0}, {0, 0, height}},
		}
	}
	for _, test := range []struct {
		name   string
		floor  [][]spot // of the eastern region
		error  int32
		kind   navmesh.FaultKind // "" for none
		detail string
	}{
		{"level", east(), 0, "", ""},
		{"step of a climb", stepped(0.4), 0, "", ""},
		{"step of more", stepped(0.45), 0, navmesh.FloorJump, "a step of 0.450 m inside of it"},
		{"step down", stepped(-0.45), 0, navmesh.FloorJump, "a step of 0.450 m"},
		{"step within the error", stepped(0.45), 103, "", ""},
		{"step beyond the error", stepped(0.5), 103, navmesh.FloorJump, "a step of 0.500 m"},
		{"another storey", east(level(5, -3, 8, 3, 3)), 0, navmesh.FloorJump, "a step of 3.000 m"},
		{"a triangle of another storey", east([]spot{{5, -3, 3}, {8, -3, 3}, {6, 3, 3}}), 0, navmesh.FloorJump, "a step of 3.000 m"},
		{"another storey below", east(level(5, -3, 8, 3, -3)), 0, "", ""},
		{"a step that grows", [][]spot{level(0, -10, 9, 10, 0), patchOf(9, -10, 20, 10, 0, 0, 0.6, 0.6)}, 0, navmesh.FloorJump, "a step of 0.600 m"},
		{"a crack", crack(0.04, 0), 0, "", ""},
		{"a crack with a step", crack(0.04, 0.4), 0, "", ""},
		{"a crack with too high a step", crack(0.04, 0.5), 0, navmesh.FloorJump, "a step of 0.500 m"},
		{"too wide a crack", crack(0.06, 0), 0, navmesh.FloorJump, "a step of 3.000 m"},
		{"a crack with hardly more than a step on its other side", crackOver(0, -0.405, -0.0035), 0, "", ""},
		{"a crack in simplified floor", crackOver(0, -0.48, -0.07), 103, "", ""},
		{"a tread as narrow as a crack", crackOver(0, -0.48, -0.18), 103, navmesh.FloorJump, "a step of 0.480 m"},
		{"a hairline beside another storey", [][]spot{
			level(0, -10, 20, 10-6*lattice.Unit, 0), level(0, 10-5*lattice.Unit, 20, 10-3*lattice.Unit, 0), level(5, 10-3*lattice.Unit, 15, 10, 3),
		}, 0, "", ""},
		{"a hole with a step", [][]spot{level(0, -10, 9, 10, 0), level(9.1, -10, 20, 10, 1)}, 0, navmesh.FloorJump, "a step of 1.000 m"},
		{"ramp at the limit", ramp(45, 10), 0, "", ""},
		{"ramp within the tolerance", ramp(45.04, 10), 0, "", ""},
		{"ramp beyond it", ramp(45.2, 10), 0, navmesh.FloorSteep, "rises by 10.000 m"},
		{"steep ramp", ramp(60, 3), 0, navmesh.FloorSteep, "rises by 3.000 m over 1.73"},
		{"steep patch of a climb", ramp(60, 0.4), 0, "", ""},
		{"steep patch of more", ramp(60, 0.45), 0, navmesh.FloorSteep, "rises by 0.450 m"},
		{"step and steep patch", filled(0.001, 0.35), 0, "", ""},
		{"too high a step at a steep patch", filled(0.001, 0.45), 0, navmesh.FloorSteep, "the floor rises by 0.750 m"},
		{"bridge and steep patch", filled(0.19, 0.35), 0, "", ""},
		{"too steep a bridge at a steep patch", filled(0.19, 0.45), 0, navmesh.FloorSteep, "the floor rises by 0.750 m"},
		{"too long a bridge at a steep patch", filled(0.21, 0.35), 0, navmesh.FloorSteep, "the floor rises by 0.650 m"},
		{"steep patch of strips", strips(0.4), 0, "", ""},
		{"steep patch of strips, of more", strips(0.6), 0, navmesh.FloorSteep, "the floor rises by 0.600 m"},
		{"ramp within the error", ramp(46, 5), 205, "", ""},
		{"ramp beyond the error", ramp(46, 14), 205, navmesh.FloorSteep, "rises by 14.000 m"},
		{"kerb on a hill", kerb(0.38, 0.5), 0, "", ""},
		{"too high a kerb on a hill", kerb(0.6, 0.5), 0, navmesh.FloorSteep, "the floor rises by"},
		{"portal that steps in the middle", tent(0.4), 0, "", ""},
		{"portal that steps too high in the middle", tent(1), 0, navmesh.PortalStep, "a step of 1.000 m between its ends"},
		{"portal beside another storey", east([]spot{{0, -3, 3}, {0.0005, -3, 3}, {0.0005, 3, 3}, {0, 3, 3}}), 0, "", ""},
		{"portal inside of a steep patch", leaning(0.39), 0, "", ""},
		{"portal inside of a steep patch that begins too high", leaning(0.42), 0, navmesh.PortalStep, "has a step of"},
	} {
		for _, turn := range []float64{0, 90, 33} {
			t.Run(fmt.Sprintf("%s, turned by %g", test.name, turn), func(t *testing.T) {
				west := flat
				if strings.Contains(test.name, "on a hill") {
					west = [][]spot{patchOf(-20, -10, 0, 10, -5, -5, 5, 5)}
				}
				m := court(t, turn, test.error, west, test.floor)
				faults := m.Validate()
				if len(faults) == 0 && test.kind != "" {
					t.Fatalf("no fault, want %s", test.kind)
				}
				for _, f := range faults {
					if f.Kind != test.kind || !strings.Contains(f.Detail, test.detail) {
						t.Errorf("%v, want %q with %q", f, test.kind, test.detail)
					}
				}
			})
		}
	}
}

// TestFloorLawsNeedAFloor verifies that a planar map keeps the laws of the floor.
func TestFloorLawsNeedAFloor(t *testing.T) {
	for _, f := range court(t, 0, 0, nil, nil).Validate() {
		t.Error(f)
	}
}

// TestCornerOnPortal has four floors around a corner on a portal. Opposite floors, of more than a step, face each other over the portal
// beside the corner. There is a way around where each floor is a step of the next.
func TestCornerOnPortal(t *testing.T) {
	for _, c := range []struct {
		heights [4]float64 // of the south-west, north-west, north-east and south-east
		wrong   bool
	}{
		{[4]float64{0, 0.3, 0.6, 0.3}, false},
		{[4]float64{0, -0.3, -0.6, -0.3}, false},
		{[4]float64{0, 0, 0.6, 0.3}, true},
		{[4]float64{0, 0.3, 0.75, 0.3}, true},
		{[4]float64{0, 0.45, 0.6, 0.3}, true},
	} {
		for _, turn := range []float64{0, 33} {
			at := func(z float64, xy ...float64) (out []spot) {
				for i := 0; i < len(xy); i += 2 {
					out = append(out, spot{xy[i], xy[i+1], z})
				}
				return out
			}
			west := [][]spot{at(c.heights[0], -20, -10, 0, -10, 0, 0, -9, 10, -20, 10), at(c.heights[1], 0, 0, 0, 10, -9, 10)}
			east := [][]spot{at(c.heights[3], 0, 0, 0, -10, 9, -10), at(c.heights[2], 0, 0, 9, -10, 20, -10, 20, 10, 0, 10)}
			if faults := court(t, turn, 0, west, east).Validate(); len(faults) > 0 != c.wrong {
				t.Errorf("heights %v, turned by %g: %v", c.heights, turn, faults)
			}
		}
	}
}
