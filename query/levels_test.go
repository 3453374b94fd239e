package query

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

// Levels with more than one floor, whose shortest paths are known.

// at returns a vertex, in metres.
func at(x, y, z float64) lattice.Vertex {
	unit := func(c float64) int32 { return int32(math.Round(c * metre)) }
	return lattice.Vertex{Point: lattice.Point{X: unit(x), Y: unit(y)}, Z: unit(z)}
}

// slab returns a rectangle whose height goes from z0 at x0 to z1 at x1.
func slab(layer int, x0, y0, x1, y1, z0, z1 float64) patch {
	return patch{[]lattice.Vertex{at(x0, y0, z0), at(x1, y0, z1), at(x1, y1, z1), at(x0, y1, z0)}, layer}
}

// bridge is a road on a floor of 20 by 20 m, and a bridge over the road from x = 2 to 18, y = 9 to 11. Its ramps reach
// the deck, 3 m up, at x = 8 and 12. Below the ramps up to 2 m there is no room.
//
//	       2     6  8    12  14    18
//	       .  ramp  .deck .  ramp  .
//	       /~~~~~~~~======~~~~~~~~\
//	______/######             ######\______
func bridge(tb testing.TB, frame lattice.Frame) *navmesh.Mesh {
	tb.Helper()
	patches := []patch{
		slab(0, 0, 0, 20, 9, 0, 0), slab(0, 0, 11, 20, 20, 0, 0),
		slab(0, 0, 9, 2, 11, 0, 0), slab(0, 6, 9, 14, 11, 0, 0), slab(0, 18, 9, 20, 11, 0, 0),
		slab(1, 2, 9, 8, 11, 0, 3), slab(1, 8, 9, 12, 11, 3, 3), slab(1, 12, 9, 18, 11, 3, 0),
	}
	return stitch(tb, frame, testAgent, patches, []lattice.TIN{floorOf(patches, 0), floorOf(patches, 1)})
}

const (
	spiralSides = 12 // to a turn
	spiralTurns = 3
	spiralRise  = 3.0 // metres to a turn
)

// spiral is a ramp that winds around a column three times, each turn a layer of its own above the turn before. Its
// inner border is a polygon with a corner every 30 degrees at 2 m.
func spiral(tb testing.TB, frame lattice.Frame) *navmesh.Mesh {
	tb.Helper()
	var patches []patch
	for i := range spiralSides * spiralTurns {
		patches = append(patches, patch{
			[]lattice.Vertex{spiralPoint(i, 2), spiralPoint(i, 5), spiralPoint(i+1, 5), spiralPoint(i+1, 2)}, i / spiralSides,
		})
	}
	var floors []lattice.TIN
	for i := range spiralTurns {
		floors = append(floors, floorOf(patches, i))
	}
	return stitch(tb, frame, testAgent, patches, floors)
}

// spiralPoint returns the vertex of spoke i at the given radius.
func spiralPoint(i int, radius float64) lattice.Vertex {
	sin, cos := math.Sincos(2 * math.Pi * float64(i%spiralSides) / spiralSides)
	return at(radius*cos, radius*sin, spiralRise*float64(i)/spiralSides)
}

// stairs is a flight of 17 steps, 0.3 m deep and 0.17 m high, between two landings of 3 m. All of the flight is one
// region: only the floor has the steps, with risers a lattice unit deep.
func stairs(tb testing.TB) *navmesh.Mesh {
	tb.Helper()
	const steps, tread, riser = 17, 0.3, 0.17
	var tin lattice.TIN
	strip := func(x0, z0, x1, z1 float64) {
		n := uint32(len(tin.Vertices))
		tin.Vertices = append(tin.Vertices, at(x0, 0, z0), at(x1, 0, z1), at(x1, 2, z1), at(x0, 2, z0))
		tin.Triangles = append(tin.Triangles, [3]uint32{n, n + 1, n + 2}, [3]uint32{n, n + 2, n + 3})
	}
	strip(-3, 0, 0, 0)
	for i := range steps {
		x, z := float64(i)*tread, float64(i)*riser
		strip(x, z, x+lattice.Unit, z+riser)
		strip(x+lattice.Unit, z+riser, x+tread, z+riser)
	}
	strip(steps*tread, steps*riser, steps*tread+3, steps*riser)
	whole := patch{ring: []lattice.Vertex{at(-3, 0, 0), at(steps*tread+3, 0, steps*riser), at(steps*tread+3, 2, steps*riser), at(-3, 2, 0)}}
	return stitch(tb, lattice.Frame{}, testAgent, []patch{whole}, []lattice.TIN{tin})
}

// hills is a square of 30 m, cut into regions, over a rough floor of waves up to 2 m high.
func hills(tb testing.TB, rng *rand.Rand) *navmesh.Mesh {
	tb.Helper()
	const side, cells = 30.0, 60
	height := func(x, y float64) float64 {
		return 1 + math.Sin(x*0.7)*math.Cos(y*0.9) + 0.05*rng.Float64()
	}
	var tin lattice.TIN
	for j := range cells + 1 {
		for i := range cells + 1 {
			x, y := side*float64(i)/cells, side*float64(j)/cells
			tin.Vertices = append(tin.Vertices, at(x, y, height(x, y)))
		}
	}
	for j := range uint32(cells) {
		for i := range uint32(cells) {
			a := j*(cells+1) + i
			b, c, d := a+1, a+cells+2, a+cells+1
			tin.Triangles = append(tin.Triangles, [3]uint32{a, b, c}, [3]uint32{a, c, d})
		}
	}
	// Regions of 10 m, the middle one missing, with corners on the floor.
	corner := func(i, j uint32) lattice.Vertex { return tin.Vertices[j*20*(cells+1)+i*20] }
	var patches []patch
	for j := range uint32(3) {
		for i := range uint32(3) {
			if i != 1 || j != 1 {
				patches = append(patches, patch{ring: []lattice.Vertex{corner(i, j), corner(i+1, j), corner(i+1, j+1), corner(i, j+1)}})
			}
		}
	}
	return stitch(tb, lattice.Frame{}, testAgent, patches, []lattice.TIN{tin})
}

// ground returns the point of space at x, y, height in the mesh's own frame, in metres.
func ground(m *navmesh.Mesh, v lattice.Vertex) geom.Vec { return m.Frame.ToWorld(v.Point, v.Z) }
