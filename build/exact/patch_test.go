package exact

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/meadow-nav/meadow/build/floorplan"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/internal/overlay"
	"github.com/meadow-nav/meadow/internal/soup"
)

// TestSharpCornersInCracks verifies that the surface of a layer reaches into every sharp corner of a domain in a crack,
// with seams and without. Rounding collapses parts narrower than a unit.
func TestSharpCornersInCracks(t *testing.T) {
	scene := &floortest.Scene{}
	sheet(scene, 2, 2, 5, 8, 0.9, 0, 0)
	sheet(scene, 5+outward*lattice.Unit, 2, 8, 8, 0.9, 0, 0)
	s, err := soup.Read(&scene.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e, ctx := layered(t, s, floortest.Agent), t.Context()
	if err := e.leaveOut(ctx, 1); err != nil {
		t.Fatal(err)
	}
	floors, _, err := e.erode(ctx, 1)
	if err != nil || len(floors) != 1 || len(floors[0].cracks) != 1 {
		t.Fatalf("%d layers, %v", len(floors), err)
	}
	box := floors[0].cracks[0].Box()
	w, h := box.Size()
	rng := rand.New(rand.NewPCG(6, 1))
	for n := range 400 {
		if n == 200 {
			// As if there were a seam.
			floor := int32(slices.Index(e.layer, 0))
			e.crossings = []link{{from: floor, to: floor}}
		}
		in := func(low int32, size int64) int32 { return low + 1 + rng.Int32N(int32(size)-2) }
		tip := lattice.Point{X: in(box.Min.X, w), Y: in(box.Min.Y+1000, h-2000)}
		base := lattice.Point{X: box.Min.X - 1000 - rng.Int32N(2000), Y: tip.Y + rng.Int32N(600) - 300}
		ring := lattice.Ring{tip, {X: base.X, Y: base.Y + 1 + rng.Int32N(20)}, base}
		if ring.Area2() <= 0 {
			continue
		}
		areas := []area{{Outline: overlay.Outline{Polygon: lattice.Polygon{Rings: []lattice.Ring{ring}}}}}
		if err := e.patch(ctx, 1, floors, areas); err != nil {
			t.Fatal(err)
		}
		tins, err := e.surfaces(ctx, 1, areas)
		if err != nil {
			t.Fatal(err)
		}
		sampler := lattice.NewSampler(&tins[0])
		for k, a := range ring {
			b := ring[(k+1)%3]
			for f := 0.0; f <= 1; f += 1.0 / 64 {
				x, y := float64(a.X)+f*float64(b.X-a.X), float64(a.Y)+f*float64(b.Y-a.Y)
				z, ok := sampler.HeightBelow(x, y, math.Inf(1), floorReach)
				if at := s.Frame.ToWorld(lattice.Point{X: rounded(x), Y: rounded(y)}, rounded(z)); !ok || math.Abs(at.Y-0.9) > 0.001 {
					t.Fatalf("%v: the floor is %v, %v", ring, at, ok)
				}
			}
		}
	}
}

// TestPatchesBendWithFloors makes patches as wide as borders are off, along a level floor and a ramp that goes on from the floor.
// The outer edge of a patch runs past the foot of the ramp, and the heights along the edge are those of the two floors.
func TestPatchesBendWithFloors(t *testing.T) {
	scene := &floortest.Scene{}
	sheet(scene, 2, 2, 5, 8, 0, 0, 0)
	sheet(scene, 5, 2, 8, 8, 0, 0.9, 0)
	s, err := soup.Read(&scene.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e := layered(t, s, floortest.Agent)
	at := func(x, y float64) lattice.Vertex {
		p, z, ok := s.Frame.FromWorld(geom.FromGround(x, y, 0))
		if !ok {
			t.Fatalf("(%g, %g) is off the lattice", x, y)
		}
		return lattice.Vertex{Point: p, Z: z}
	}
	west, foot, east := at(3, 2), at(5, 2), at(7, 2)
	for wide := int32(1); wide <= floorReach; wide++ {
		p, err := e.patchOf(0, lattice.Polygon{Rings: []lattice.Ring{{
			{X: west.X, Y: west.Y - wide}, {X: east.X, Y: east.Y - wide}, east.Point, foot.Point, west.Point,
		}}})
		if err != nil {
			t.Fatal(err)
		}
		sampler := lattice.NewSampler(&lattice.TIN{Vertices: p.vertices, Triangles: appendTriangles(nil, 0, p.triangles)})
		for x := west.X; x <= east.X; x += 64 {
			z, ok := sampler.HeightBelow(float64(x), float64(west.Y-wide), math.Inf(1), floorReach)
			if want := float64(west.Z) + 0.9*float64(max(0, x-foot.X)); !ok || math.Abs(z-want) > 2*floorReach {
				t.Fatalf("%d units beside the floor, %d units east of the foot: height %g, %v, want %g", wide, x-foot.X, z, ok, want)
			}
		}
	}
}

// TestPatchesTurnBetweenFloors makes a patch along the sides of two boards at a right angle, a hand apart in height, over the ground. The patch
// comes to the height of either board a few units behind the corner between the boards.
func TestPatchesTurnBetweenFloors(t *testing.T) {
	scene := &floortest.Scene{}
	sheet(scene, 2, 1, 9, 9, 0, 0, 0)
	sheet(scene, 4, 2, 5, 8, 0.39, 0, 0)
	sheet(scene, 5, 2, 8, 3, 0.3, 0, 0)
	s, err := soup.Read(&scene.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e := layered(t, s, floortest.Agent)
	at := func(x, y float64) lattice.Point {
		p, _, _ := s.Frame.FromWorld(geom.FromGround(x, y, 0))
		return p
	}
	north, corner, east := at(5, 8), at(5, 3), at(8, 3)
	for wide := int32(1); wide <= floorReach; wide++ {
		p, err := e.patchOf(0, lattice.Polygon{Rings: []lattice.Ring{{
			north, corner, east, {X: east.X, Y: east.Y + wide}, {X: corner.X + wide, Y: corner.Y + wide}, {X: north.X + wide, Y: north.Y},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		sampler := lattice.NewSampler(&lattice.TIN{Vertices: p.vertices, Triangles: appendTriangles(nil, 0, p.triangles)})
		for d := int32(2 * along); d < 2*lattice.UnitsPerMetre; d += along {
			for _, side := range []struct {
				at     lattice.Point
				height float64
			}{{lattice.Point{X: corner.X, Y: corner.Y + d}, 0.39}, {lattice.Point{X: corner.X + d, Y: corner.Y}, 0.3}} {
				z, ok := sampler.HeightBelow(float64(side.at.X), float64(side.at.Y), math.Inf(1), floorReach)
				if v := s.Frame.ToWorld(side.at, rounded(z)); !ok || math.Abs(v.Y-side.height) > 0.002 {
					t.Fatalf("%d units wide, %d units from the corner: height %g, %v, want %g", wide, d, v.Y, ok, side.height)
				}
			}
		}
	}
}

// TestNeedlesLieOnTheirFloor has floor of two triangles with boards on their common edge. The free parts of the triangles are rounded
// apart, and the needle between the parts lies as low as the floor, though the ends of the needle touch the boards.
func TestNeedlesLieOnTheirFloor(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	needles := 0
	for range 30 {
		var s floortest.Scene
		corner := func(x, y float64) geom.Vec { return geom.FromGround(x, y, 0) }
		s.Quad(corner(0, 0), corner(36, 0), corner(36, 24), corner(0, 24))
		for k := range 8 {
			along := (float64(k) + 0.3 + 0.4*rng.Float64()) / 8
			sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
			at := func(x, y float64) geom.Vec { return geom.FromGround(36*along+x*cos-y*sin, 24*along+x*sin+y*cos, 0.27) }
			s.Quad(at(-0.6, -0.08), at(0.6, -0.08), at(0.6, 0.08), at(-0.6, 0.08))
		}
		p, err := Extract(t.Context(), &s.Level, floortest.Agent, floorplan.Options{KeepAll: true, Detail: -1})
		if err != nil {
			t.Fatal(err)
		}
		for l := range p.Layers {
			tin := &p.Layers[l].Floor
			for _, c := range tin.Triangles {
				a, b, c := tin.Vertices[c[0]], tin.Vertices[c[1]], tin.Vertices[c[2]]
				longest := max(a.Distance(b.Point), b.Distance(c.Point), c.Distance(a.Point))
				if width := float64(lattice.Orient(a.Point, b.Point, c.Point)) / longest; longest < 1.5*lattice.UnitsPerMetre || width > floorReach {
					continue
				}
				needles++
				if a.Z != b.Z || b.Z != c.Z || p.Frame.ToWorld(a.Point, a.Z).Y > 0.1 {
					t.Errorf("a needle of %.2f m begins at %v, and rises to %v and %v", longest*lattice.Unit, p.Frame.ToWorld(a.Point, a.Z), p.Frame.ToWorld(b.Point, b.Z), p.Frame.ToWorld(c.Point, c.Z))
				}
			}
		}
	}
	if needles < 10 {
		t.Errorf("%d needles, too few", needles)
	}
}

// TestFirstPatchCounts verifies that a place takes its height from the first patch over the place, in whatever order the
// search finds patches. Bare places have no height.
func TestFirstPatchCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	var patches []patch
	for i := range 300 {
		x, y := rng.Int32N(4000), rng.Int32N(4000)
		v := []lattice.Vertex{
			{Point: lattice.Point{X: x, Y: y}, Z: int32(i)},
			{Point: lattice.Point{X: x + 500, Y: y}, Z: int32(i)},
			{Point: lattice.Point{X: x, Y: y + 500}, Z: int32(i)},
		}
		patches = append(patches, patch{lattice.BoxOf(v[0].Point, v[1].Point, v[2].Point), v, [][3]int32{{0, 1, 2}}})
	}
	e := &extraction{patches: [][]patch{nil, patches}, patchTrees: []*tree{nil, patchTree(patches)}}
	covered, bare := 0, 0
	for range 2000 {
		at := lattice.Point{X: rng.Int32N(4600), Y: rng.Int32N(4600)}
		want := slices.IndexFunc(patches, func(p patch) bool { _, ok := p.height(at); return ok })
		z, ok := e.patchHeight(1, at)
		if ok != (want >= 0) || ok && z != int32(want) {
			t.Fatalf("at %v height %d, %v, want that of patch %d", at, z, ok, want)
		}
		if ok {
			covered++
		} else {
			bare++
		}
	}
	if covered < 500 || bare < 100 {
		t.Errorf("%d places are covered and %d bare, too few of either", covered, bare)
	}
	if _, ok := e.patchHeight(0, lattice.Point{}); ok {
		t.Error("a layer without patches has a height")
	}
}

// TestShortEdgesFollowTheirFloor has patches of 5 and 6 mm on a floor, beside the corner of a board. The edges follow the floor, and the board only
// touches a corner: the patches are level.
func TestShortEdgesFollowTheirFloor(t *testing.T) {
	scene := &floortest.Scene{}
	scene.Floor(0, 0, 4, 4, 0)
	scene.Floor(1, 1, 2, 2, 0.2)
	s, err := soup.Read(&scene.Level, floortest.Agent)
	if err != nil {
		t.Fatal(err)
	}
	e := layered(t, s, floortest.Agent)
	corner, z, ok := s.Frame.FromWorld(geom.FromGround(2, 2, 0))
	if !ok {
		t.Fatal("the corner is off the lattice")
	}
	for _, size := range []int32{20, 24} {
		p, err := e.patchOf(0, lattice.Polygon{Rings: []lattice.Ring{{
			corner, {X: corner.X + size, Y: corner.Y}, {X: corner.X + size, Y: corner.Y + size}, {X: corner.X, Y: corner.Y + size},
		}}})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range p.vertices {
			if v.Z != z {
				t.Errorf("a patch of %d units is %d units high at %v", size, v.Z-z, v.Point)
			}
		}
	}
}
