package levelcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/footing"
	"github.com/meadow-nav/meadow/internal/groundtruth"
	"github.com/meadow-nav/meadow/internal/race"
	"github.com/meadow-nav/meadow/internal/slow"
	"github.com/meadow-nav/meadow/lab/catalog"
	"github.com/meadow-nav/meadow/lab/raster"
	"github.com/meadow-nav/meadow/level"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/navmesh"
	"github.com/meadow-nav/meadow/query"
)

var agent = geom.Agent{Radius: 0.4, Height: 1.8, MaxClimb: 0.4, MaxSlope: geom.Degrees(45), MaxGap: 0.05}

// scene builds levels.
type scene struct{ level.Level }

func (s *scene) quad(a, b, c, d geom.Vec) {
	n := uint32(len(s.Vertices))
	s.Vertices = append(s.Vertices, a, b, c, d)
	for _, t := range [2][3]uint32{{n, n + 1, n + 2}, {n, n + 2, n + 3}} {
		s.Triangles = append(s.Triangles, level.Triangle{A: t[0], B: t[1], C: t[2], Material: level.NoMaterial})
	}
}

// floor adds a rectangle over ground coordinates.
func (s *scene) floor(x0, y0, x1, y1, h float64) {
	s.quad(geom.FromGround(x0, y0, h), geom.FromGround(x1, y0, h), geom.FromGround(x1, y1, h), geom.FromGround(x0, y1, h))
}

// wall adds an upright rectangle.
func (s *scene) wall(x0, y0, x1, y1, h0, h1 float64) {
	s.quad(geom.FromGround(x0, y0, h0), geom.FromGround(x1, y1, h0), geom.FromGround(x1, y1, h1), geom.FromGround(x0, y0, h1))
}

// room is a rectangular region of a mesh that is made by hand, in ground coordinates and metres. Rooms stand in a row
// along x.
type room struct{ x0, y0, x1, y1, h float64 }

// meshOf makes a mesh of rooms, each in a layer of its own. With joined each room has a portal to the next.
func meshOf(t *testing.T, joined bool, rooms ...room) *navmesh.Mesh {
	t.Helper()
	units := func(v float64) int32 { return int32(math.Round(v * lattice.UnitsPerMetre)) }
	tile := navmesh.Tile{Generation: 1}
	for i, r := range rooms {
		n := uint32(len(tile.Vertices))
		var corners []lattice.Vertex
		for _, p := range [4][2]float64{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}} {
			corners = append(corners, lattice.Vertex{Point: lattice.Point{X: units(p[0]), Y: units(p[1])}, Z: units(r.h)})
		}
		tile.Vertices = append(tile.Vertices, corners...)
		tile.Corners = append(tile.Corners, n, n+1, n+2, n+3)
		region := navmesh.Region{First: n, Count: 4, FirstPortal: uint32(len(tile.Portals)), Layer: uint16(i), Flags: navmesh.DefaultFlags}
		add := func(to int, edge, right, left uint32) {
			tile.Portals = append(tile.Portals, navmesh.Portal{To: uint32(to), Edge: edge, Right: n + right, Left: n + left})
			region.PortalCount++
		}
		if joined && i+1 < len(rooms) {
			add(i+1, 1, 1, 2)
		}
		if joined && i > 0 {
			add(i-1, 3, 3, 0)
		}
		region.FirstPassage = uint32(len(tile.Passages))
		tile.Passages = append(tile.Passages, make([]navmesh.Passage, max(region.PortalCount, 1)-1)...)
		tile.Regions = append(tile.Regions, region)
		tile.Layers = append(tile.Layers, navmesh.Layer{Floor: lattice.TIN{Vertices: corners, Triangles: [][3]uint32{{0, 1, 2}, {0, 2, 3}}}})
	}
	for i := range tile.Portals {
		for k := range tile.Portals {
			if i != k && tile.Vertices[tile.Portals[i].Left].Point == tile.Vertices[tile.Portals[k].Right].Point &&
				tile.Vertices[tile.Portals[i].Right].Point == tile.Vertices[tile.Portals[k].Left].Point {
				tile.Portals[i].Back = uint32(k)
			}
		}
	}
	tile.Derive()
	m := &navmesh.Mesh{Agent: agent, Tiles: []navmesh.Tile{tile}}
	m.Connect()
	if faults := m.Validate(); !Fit(faults) {
		t.Fatal(faults)
	}
	return m
}

var options = Options{Places: 60, Paths: 10, Near: DefaultNear, Simplify: DefaultSimplify, KeepAll: true}

func check(t *testing.T, m *navmesh.Mesh, lvl *level.Level, opt Options) ([]navmesh.Fault, Coverage) {
	t.Helper()
	faults, c, err := Check(t.Context(), m, lvl, opt)
	if err != nil {
		t.Fatal(err)
	}
	return faults, c
}

// kinds counts faults.
func kinds(faults []navmesh.Fault) map[navmesh.FaultKind]int {
	n := map[navmesh.FaultKind]int{}
	for _, f := range faults {
		n[f.Kind]++
	}
	return n
}

// expect fails unless the faults are of the given kinds.
func expect(t *testing.T, name string, faults []navmesh.Fault, want ...navmesh.FaultKind) {
	t.Helper()
	got := kinds(faults)
	for _, k := range want {
		if got[k] == 0 {
			t.Errorf("%s: no fault of kind %q: %v", name, k, faults)
		}
		delete(got, k)
	}
	if len(got) > 0 {
		t.Errorf("%s: other faults than %q: %v", name, want, faults)
	}
}

// square is a floor of 10 m, and rooms that a good mesh of it has.
func square() *scene {
	s := &scene{}
	s.floor(0, 0, 10, 10, 0)
	return s
}

var left, right = room{0.4, 0.4, 5, 9.6, 0}, room{5, 0.4, 9.6, 9.6, 0}

// TestGoodRooms has no fault, and coverage counts the samples.
func TestGoodRooms(t *testing.T) {
	faults, c := check(t, meshOf(t, true, left, right), &square().Level, options)
	expect(t, "rooms", faults)
	if c.Regions != 2 || c.Portals != 1 || c.Places != 120 || c.Walkable < 30 || c.LeftOut != 0 || math.Abs(c.Border-36.8) > 1e-3 ||
		c.Behind < 36 || c.Parts != 1 || c.Paths != 10 || c.PathPoints < 100 || c.PathMetres < 10 {
		t.Errorf("coverage %+v", c)
	}
	if _, c := check(t, meshOf(t, true, left, right), nil, options); c.Paths != 10 || c.Regions != 0 {
		t.Errorf("without a level: %+v", c)
	}
}

// TestBorderTooNear moves a border by 2 cm, and puts a post beside the middle of a long one.
func TestBorderTooNear(t *testing.T) {
	near := left
	near.y0 -= 0.02
	faults, _ := check(t, meshOf(t, true, near, room{5, 0.38, 9.6, 9.6, 0}), &square().Level, options)
	expect(t, "ledge", faults, NearBorder)
	for _, c := range []struct {
		off  float64
		want []navmesh.FaultKind
	}{{0.38, []navmesh.FaultKind{NearBorder}}, {0.394, []navmesh.FaultKind{NearBorder}}, {0.396, nil}, {0.41, nil}} {
		s := &scene{}
		s.floor(-1, -1, 11, 11, 0)
		s.wall(0, 0, 10, 0, 0, 3)
		s.wall(10, 0, 10, 10, 0, 3)
		s.wall(0, 0, 0, 10, 0, 3)
		s.wall(0, 10, 10, 10, 0, 3)
		// A post of 5 mm.
		x, y := 3.1417, 0.4-c.off
		s.wall(x, y, x+0.005, y, 1, 3)
		s.wall(x, y, x, y-0.005, 1, 3)
		opt := options
		opt.KeepAll = false // the outside is another part
		faults, _ := check(t, meshOf(t, true, left, right), &s.Level, opt)
		expect(t, fmt.Sprintf("post at %g m", c.off), faults, c.want...)
	}
}

// TestOffLevel puts the level below the mesh, and a ceiling above.
func TestOffLevel(t *testing.T) {
	s := &scene{}
	s.floor(0, 0, 10, 10, -0.2)
	faults, _ := check(t, meshOf(t, true, left, right), &s.Level, options)
	if kinds(faults)[OffLevel] == 0 {
		t.Errorf("level below: %v", faults)
	}
	s = square()
	s.floor(1, 2, 1.7, 9, 1.7) // too narrow to stand on
	opt := options
	opt.Places = 300
	faults, _ = check(t, meshOf(t, true, left, right), &s.Level, opt)
	expect(t, "ceiling", faults, Blocked)
}

// TestLostFloor takes a region away, in the middle of others and at the end, and a whole part.
func TestLostFloor(t *testing.T) {
	opt := options
	opt.KeepAll = false
	faults, _ := check(t, meshOf(t, true, left), &square().Level, opt)
	expect(t, "one half", faults, LostFloor)
	s := square()
	s.floor(20, 0, 30, 10, 0)
	faults, c := check(t, meshOf(t, true, left, right), &s.Level, opt)
	expect(t, "another part", faults)
	if c.LeftOut == 0 {
		t.Errorf("nothing was left out: %+v", c)
	}
	faults, _ = check(t, meshOf(t, true, left, right), &s.Level, options)
	expect(t, "another part that was to be kept", faults, LostFloor)
	// As much as borders may be simplified is not lost.
	small := right
	small.x1 -= 0.08
	faults, _ = check(t, meshOf(t, true, left, small), &square().Level, opt)
	expect(t, "simplified", faults)
	small.x1 -= 0.05
	faults, _ = check(t, meshOf(t, true, left, small), &square().Level, opt)
	expect(t, "simplified too much", faults, LostFloor)
}

// TestStoreysJoined joins two floors that are 3 m apart.
func TestStoreysJoined(t *testing.T) {
	s := &scene{}
	s.floor(0, 0, 10, 10, 0)
	s.floor(4.6, 0, 10, 10, 3)
	upper := room{5, 0.4, 9.6, 9.6, 3}
	opt := options
	opt.KeepAll, opt.Paths = false, 0
	faults, c := check(t, meshOf(t, true, left, upper), &s.Level, opt)
	if n := kinds(faults); n[Apart] != 1 || n[Parts] != 1 || c.Parts != 2 {
		t.Errorf("%d parts, %v", c.Parts, faults)
	}
	// A step that can be climbed joins them.
	s = &scene{}
	s.floor(0, 0, 5, 10, 0)
	s.floor(5, 0, 10, 10, 0.39)
	upper.h = 0.39
	faults, _ = check(t, meshOf(t, true, left, upper), &s.Level, opt)
	expect(t, "step", faults)
}

// TestPartSplit takes a portal away.
func TestPartSplit(t *testing.T) {
	faults, c := check(t, meshOf(t, false, left, right), &square().Level, options)
	expect(t, "without a portal", faults, Parts)
	if c.Parts != 1 {
		t.Errorf("%d parts", c.Parts)
	}
	s := square()
	s.wall(5, -1, 5, 11, 0, 3)
	l, r := left, right
	l.x1, r.x0 = 4.6, 5.4
	faults, c = check(t, meshOf(t, false, l, r), &s.Level, options)
	expect(t, "with a wall", faults)
	if c.Parts != 2 {
		t.Errorf("%d parts", c.Parts)
	}
}

// bentPath is a path as a test bends it.
type bentPath struct {
	points    []geom.Vec
	crossings []query.Crossing
}

// walkOf compares a path with the floors of two rooms.
func walkOf(t *testing.T, s *scene, bend func(*bentPath)) []navmesh.Fault {
	t.Helper()
	m := meshOf(t, true, left, right)
	q := query.NewIndex(m).NewQuery()
	path, err := q.Path(t.Context(), geom.FromGround(1, 1, 0), geom.FromGround(9, 8, 0))
	if err != nil || !path.Complete {
		t.Fatal(err)
	}
	w := bentPath{slices.Clone(path.Surface()), slices.Clone(path.Crossings)}
	bend(&w)
	c := &checker{ctx: t.Context(), opt: options, floor: newFloor(m), footing: footing.New(m)}
	var j *groundtruth.Judge
	if s != nil {
		c.lvl, j = &s.Level, groundtruth.New(&s.Level, agent)
	}
	l := &look{}
	c.walkPath(w.points, w.crossings, query.Position{Ref: navmesh.MakeRef(0, 0, 1)}, j, l)
	return l.faults
}

// TestPathLifted lifts a point of a path, and the middle of a piece; and lowers the level below a path.
func TestPathLifted(t *testing.T) {
	last := func(p *bentPath) *geom.Vec { return &p.points[len(p.points)-1] }
	expect(t, "as it was", walkOf(t, square(), func(*bentPath) {}))
	expect(t, "4 cm", walkOf(t, nil, func(p *bentPath) { last(p).Y += 0.04 }))
	expect(t, "6 cm", walkOf(t, nil, func(p *bentPath) { last(p).Y += 0.06 }), PathHeight)
	expect(t, "a piece in the air", walkOf(t, nil, func(p *bentPath) {
		middle := p.points[0].Add(*last(p)).Scale(0.5)
		middle.Y = 3
		p.points = []geom.Vec{p.points[0], middle, *last(p)}
	}), PathHeight)
	expect(t, "beside the mesh", walkOf(t, nil, func(p *bentPath) { last(p).X = 9.7 }), PathHeight)
	s := &scene{}
	s.floor(0, 0, 10, 10, -0.15)
	expect(t, "above the level", walkOf(t, s, func(*bentPath) {}), PathHeight)
	// Links lead through the air.
	expect(t, "link", walkOf(t, nil, func(p *bentPath) {
		up := geom.FromGround(1.5, 1.5, 0)
		over := geom.FromGround(8, 8, 0)
		p.points = []geom.Vec{p.points[0], up, over, *last(p)}
		p.crossings = []query.Crossing{{Link: 0, Mark: -1, From: up, To: over}}
	}))
}

// TestTurnsAlike compares the turns of a path with those of ways back.
func TestTurnsAlike(t *testing.T) {
	there := []geom.Vec{{X: 1, Y: 2, Z: 3}, {X: 2}, {X: 4}}
	if back := []geom.Vec{{X: 4}, {X: 2, Y: 0.1}, {X: 1, Z: 3}}; !turnsAlike(there, back) {
		t.Error("the way back is told another")
	}
	for _, back := range [][]geom.Vec{{{X: 4}, {X: 1, Z: 3}}, {{X: 4}, {X: 2, Z: 1}, {X: 1, Z: 3}}, there} {
		if turnsAlike(there, back) {
			t.Errorf("%v and %v turn alike", there, back)
		}
	}
}

// TestPathLengths gives a path another length than the way back.
func TestPathLengths(t *testing.T) {
	same, surface := [2]float64{100, 100}, [2]float64{120, 120}
	if s := differ(same, surface); s != "" {
		t.Error(s)
	}
	if s := differ([2]float64{100, 100.01}, surface); !strings.Contains(s, "100.010000") {
		t.Errorf("length: %q", s)
	}
	if s := differ(same, [2]float64{120, 117}); !strings.Contains(s, "117.000") {
		t.Errorf("surface: %q", s)
	}
}

// TestNoFalseAlarms checks generated levels, all but "demo", which takes long and has a script of the command;
// the quick form takes every third kind.
func TestNoFalseAlarms(t *testing.T) {
	race.Skip(t)
	for i, k := range levelgen.Kinds() {
		name := k.Name
		if name == "demo" || !slow.Enabled() && i%3 != 0 {
			continue
		}
		lvl, err := levelgen.Generate(name, levelgen.Options{Size: min(k.Size, max(k.MinSize, 12))})
		if err != nil {
			t.Fatal(err)
		}
		m, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		faults, c := check(t, m.Mesh, lvl, Options{Places: 40, Near: DefaultNear, Simplify: DefaultSimplify, KeepAll: true})
		expect(t, name, faults)
		if c.Parts != m.Components || c.Border == 0 || c.Walkable == 0 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// TestThinAgents checks generated levels for narrow agents: walls that walks graze, and cracks.
func TestThinAgents(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct {
		kind   string
		radius float64
	}{{"halls", geom.PointRadius}, {"rts", 0.1}} {
		lvl, err := levelgen.Generate(c.kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		thin := agent
		thin.Radius = c.radius
		m, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: thin, KeepAll: true}, meadow.MeshOptions{})
		if err != nil {
			t.Fatal(err)
		}
		faults, _ := check(t, m.Mesh, lvl, Options{Near: DefaultNear, Simplify: DefaultSimplify})
		expect(t, c.kind, faults)
	}
}

// TestInLineWithAStep has a ramp of the limit's slope beside a floor. The side of the ramp becomes too high for a step along a line
// that leads straight away from a border.
func TestInLineWithAStep(t *testing.T) {
	s := &scene{}
	triangle := func(a, b, c geom.Vec) { s.quad(a, b, c, c) }
	at := geom.FromGround
	triangle(at(12, 24, 9.25), at(12, 23, 8.25), at(12.5, 23, 8.25))
	triangle(at(16, 23, 8.25), at(12, 24.5, 8.25), at(12, 23, 8.25))
	triangle(at(18.25, 22.25, 7.75), at(12, 24.5, 7.75), at(9.75, 22.25, 7.75))
	triangle(at(29.5, 17.75, 7.75), at(29.5, 22.25, 7.75), at(-29.5, 22.25, 7.75))
	s.quad(at(48, 0, 8), at(48, 12.5, 8), at(26, 12.5, 8), at(26, 0, 8)) // moves the lattice, and the border by less than a unit
	wide := geom.Agent{Radius: 0.6, Height: 2, MaxClimb: 0.9, MaxSlope: geom.Degrees(45), MaxGap: 0.45}
	m, err := meadow.BuildWith(t.Context(), &s.Level, meadow.FloorOptions{Agent: wide, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	faults, c := check(t, m.Mesh, &s.Level, Options{Places: 200, Near: DefaultNear, Simplify: DefaultSimplify, KeepAll: true})
	expect(t, "in line with a step", faults)
	if c.Behind == 0 {
		t.Error("nobody looked behind a border")
	}
}

// TestNarrowPortals builds for a point around a corner into a slot of 3 cm. Portals there are as narrow, and the middle of the region
// before the corner is far to the side.
func TestNarrowPortals(t *testing.T) {
	const wide = 0.03
	s := square()
	s.wall(5, 5, 8, 5, 0, 3)
	s.wall(4.7, 5+wide, 8, 5+wide, 0, 3)
	s.wall(5, 1, 5, 5, 0, 3)
	s.wall(4.7, 1, 4.7, 5+wide, 0, 3)
	thin := agent
	thin.Radius = geom.PointRadius
	for _, method := range []string{"anavmg", "best"} {
		generator, err := catalog.Generator(method)
		if err != nil {
			t.Fatal(err)
		}
		m, err := meadow.BuildWith(t.Context(), &s.Level, meadow.FloorOptions{Agent: thin, KeepAll: true}, meadow.MeshOptions{Generator: generator})
		if err != nil {
			t.Fatal(err)
		}
		faults, c := check(t, m.Mesh, &s.Level, Options{Near: DefaultNear, Simplify: DefaultSimplify})
		expect(t, method, faults)
		if c.Portals == 0 {
			t.Error("no portal")
		}
	}
}

// TestRidge has a mesh over the ridge of a roof, in a layer that has the floor under the roof as well.
func TestRidge(t *testing.T) {
	const eaves, slope = 3.0, 0.75
	roof := func(y float64) float64 { return eaves + slope*min(y, 10-y) }
	s := &scene{}
	s.floor(0, 0, 10, 10, eaves)
	for _, y := range [2]float64{0, 5} {
		s.quad(geom.FromGround(0, y, roof(y)), geom.FromGround(10, y, roof(y)), geom.FromGround(10, y+5, roof(y+5)), geom.FromGround(0, y+5, roof(y+5)))
	}
	l, r := left, right
	l.h, r.h = roof(l.y0), roof(r.y0)
	m := meshOf(t, true, l, r)
	for i := range m.Tiles[0].Layers {
		tin := lattice.TIN{}
		for _, v := range s.Vertices {
			p, h, _ := m.Frame.FromWorld(v)
			tin.Vertices = append(tin.Vertices, lattice.Vertex{Point: p, Z: h})
		}
		for _, c := range s.Triangles {
			tin.Triangles = append(tin.Triangles, [3]uint32{c.A, c.B, c.C})
		}
		m.Tiles[0].Layers[i].Floor = tin
	}
	opt := options
	opt.KeepAll, opt.Paths = false, 0
	faults, c := check(t, m, &s.Level, opt)
	expect(t, "roof", faults)
	if c.Portals != 1 || c.Parts != 1 {
		t.Errorf("%+v", c)
	}
}

// TestFit tells faults that forbid walks over a mesh from others.
func TestFit(t *testing.T) {
	if !Fit(nil) || !Fit([]navmesh.Fault{{Kind: navmesh.PortalStep}, {Kind: navmesh.Overlapping}}) {
		t.Error("heights and overlaps forbid walks")
	}
	if Fit([]navmesh.Fault{{Kind: navmesh.PortalStep}, {Kind: navmesh.PortalMismatch}}) {
		t.Error("a portal without a way back does not forbid walks")
	}
}

// TestFaultsOfARegion tells three of a kind at most.
func TestFaultsOfARegion(t *testing.T) {
	s := square()
	s.floor(0, 0, 10, 10, 1.5)
	opt := options
	opt.KeepAll, opt.Paths = false, 0
	faults, _ := check(t, meshOf(t, true, left, right), &s.Level, opt)
	if n := kinds(faults)[Blocked]; n != 2*most {
		t.Errorf("%d faults told of two regions, want %d", n, 2*most)
	}
}

// TestJobsDoNotMatter compares faults and coverage.
func TestJobsDoNotMatter(t *testing.T) {
	m, s := meshOf(t, true, left), square()
	opt := options
	opt.Jobs = 1
	faults, c := check(t, m, &s.Level, opt)
	opt.Jobs = 5
	again, d := check(t, m, &s.Level, opt)
	if !reflect.DeepEqual(faults, again) || c != d || len(faults) == 0 {
		t.Errorf("%v %+v\n%v %+v", faults, c, again, d)
	}
}

// TestGapOfTheMesh checks a mesh that leads over a gap of 15 cm: the agent of the mesh says whether the mesh may.
func TestGapOfTheMesh(t *testing.T) {
	var lvl level.Level
	for _, x := range []float64{0, 5.15} {
		n := uint32(len(lvl.Vertices))
		lvl.Vertices = append(lvl.Vertices, geom.FromGround(x, 0, 0), geom.FromGround(x+5, 0, 0), geom.FromGround(x+5, 6, 0), geom.FromGround(x, 6, 0))
		lvl.Triangles = append(lvl.Triangles, level.Triangle{A: n, B: n + 1, C: n + 2, Material: level.NoMaterial}, level.Triangle{A: n, B: n + 2, C: n + 3, Material: level.NoMaterial})
	}
	wide := agent
	wide.MaxGap = 0.2
	m, err := meadow.BuildWith(t.Context(), &lvl, meadow.FloorOptions{Agent: wide, Extractor: raster.Extractor{}, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Places: 200, Paths: 20, Near: 0.06, Simplify: 0.06, KeepAll: true}
	faults, c := check(t, m.Mesh, &lvl, opt)
	expect(t, "the gap of the mesh", faults)
	if c.Parts != 1 {
		t.Errorf("%d parts", c.Parts)
	}
	m.Agent.MaxGap = 0.1
	faults, _ = check(t, m.Mesh, &lvl, opt)
	if got := kinds(faults); got[OffLevel] == 0 || got[Blocked] == 0 {
		t.Errorf("for a narrower gap: %v", faults)
	}
}

// TestCancelled stops.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Check(ctx, meshOf(t, true, left), &square().Level, options); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestEmptyMesh looks at a mesh of nothing.
func TestEmptyMesh(t *testing.T) {
	faults, _ := check(t, &navmesh.Mesh{Agent: agent}, &square().Level, Options{Places: 10, Paths: 10})
	expect(t, "nothing", faults)
}
