package verify_test

import (
	"math"
	"testing"

	"github.com/meadow-nav/meadow"
	"github.com/meadow-nav/meadow/build/hertelmehlhorn"
	"github.com/meadow-nav/meadow/build/wavefront"
	"github.com/meadow-nav/meadow/internal/floortest"
	"github.com/meadow-nav/meadow/level/levelgen"
	"github.com/meadow-nav/meadow/metric/verify"
)

// scene returns a level with a floor of 20 m by 10 m and more.
func scene(more func(s *floortest.Scene)) *floortest.Scene {
	s := &floortest.Scene{}
	s.Name = "scene"
	s.Floor(0, 0, 20, 10, 0)
	if more != nil {
		more(s)
	}
	return s
}

var agent = meadow.Agent{Radius: 0.5, Height: 2, MaxClimb: 0.4, MaxSlope: meadow.Degrees(45)}

// truthOf returns the floor of a level.
func truthOf(t *testing.T, s *floortest.Scene) verify.Truth {
	t.Helper()
	return truthFrom(t, s, meadow.FloorOptions{Agent: agent, KeepAll: true})
}

func truthFrom(t *testing.T, s *floortest.Scene, opt meadow.FloorOptions) verify.Truth {
	t.Helper()
	reachable, err := meadow.FindFloor(t.Context(), &s.Level, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.KeepAll = true
	all, err := meadow.FindFloor(t.Context(), &s.Level, opt)
	if err != nil {
		t.Fatal(err)
	}
	mesh, err := reachable.Mesh(t.Context(), meadow.MeshOptions{Generator: hertelmehlhorn.Generator{}})
	if err != nil {
		t.Fatal(err)
	}
	return verify.Truth{All: all.Plan, Reachable: reachable.Plan, Mesh: mesh.Mesh}
}

func meshOf(t *testing.T, s *floortest.Scene) *meadow.Mesh {
	t.Helper()
	m, err := meadow.BuildWith(t.Context(), &s.Level, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{Generator: wavefront.Generator{}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func judge(t *testing.T, m *meadow.Mesh, truth verify.Truth) *verify.Report {
	t.Helper()
	r, err := verify.Measure(t.Context(), m.Mesh, truth, verify.Options{Pairs: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestOwnMesh: a mesh of the floor itself is complete, with optimal paths and without any fault.
func TestOwnMesh(t *testing.T) {
	for _, kind := range []string{"rooms", "tower", "carpark", "spiral", "bridge"} {
		lvl, err := levelgen.Generate(kind, levelgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s := &floortest.Scene{Level: *lvl}
		r := judge(t, meshOf(t, s), truthOf(t, s))
		c := r.Components
		if r.Coverage < 1-1e-4 || r.Lost.Area+r.Outside.Area+r.Overlap.Area > 1e-2 || r.Unreachable > 1e-3 || c.Floor != c.Mesh ||
			len(c.Lost)+len(c.Invented)+len(c.Split)+len(c.Joined) > 0 || r.Border.Value > 2e-3 || r.Height.Most > 1e-3 {
			t.Errorf("%s: %+v", kind, r)
		}
		if p := r.Paths; p.Pairs < 20 || p.Missing > 0 || p.Shorter > 0 || p.Max > 1+1e-3 || p.Min < 1-1e-3 {
			t.Errorf("%s: paths %+v", kind, p)
		}
	}
}

// TestLost: floor that the mesh lacks, since its level has a pillar more, is told to the square millimetre; TestOutside is the reverse.
func TestLost(t *testing.T) {
	pillar := scene(func(s *floortest.Scene) { s.Box(8, 4, 0, 10, 4.8, 3) })
	r := judge(t, meshOf(t, pillar), truthOf(t, scene(nil)))
	want := truthArea(t, scene(nil)) - truthArea(t, pillar)
	if math.Abs(r.Lost.Area-want) > 1e-3 || r.Lost.Count != 1 || r.Outside.Area > 1e-3 || math.Abs(r.Coverage-(1-want/r.Floor)) > 1e-6 {
		t.Errorf("lost %.4f m² in %d pieces, want %.4f; outside %.4f, coverage %.4f", r.Lost.Area, r.Lost.Count, want, r.Outside.Area, r.Coverage)
	}
	if at := r.Lost.Largest[0].At; at.X < 7 || at.X > 11 || at.Z < -7 || at.Z > -3 || at.Y != 0 {
		t.Errorf("the lost piece is at %v", at)
	}
	if r.Border.Value < 1.5 {
		t.Errorf("the border of the pillar is %g m from any border", r.Border.Value)
	}
}

// TestMiddle: the middle of a lost piece is deep inside of the piece, and on the piece's own floor: on a ramp, and on one of two storeys.
func TestMiddle(t *testing.T) {
	plain := scene(func(s *floortest.Scene) { s.Floor(0, 0, 20, 10, 5) })
	pillar := scene(func(s *floortest.Scene) {
		s.Floor(0, 0, 20, 10, 5)
		s.Box(8, 4, 5, 10, 4.8, 8)
	})
	r := judge(t, meshOf(t, pillar), truthOf(t, plain))
	at, inside, ok := r.Lost.Largest[0].Middle()
	if !ok || at.Y != 5 || math.Abs(at.Z+4.4) > 0.05 || at.X < 8.3 || at.X > 9.7 || math.Abs(inside-0.9) > 0.05 {
		t.Errorf("the middle of the ground of a pillar is %v, %.3f m inside, %v", at, inside, ok)
	}
	lvl, err := levelgen.Generate("carpark", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ramps := &floortest.Scene{Level: *lvl}
	truth := truthOf(t, ramps)
	r = judge(t, meshOf(t, scene(nil)), truth) // of another level: nearly all of the floor is lost
	on, err := meadow.BuildWith(t.Context(), lvl, meadow.FloorOptions{Agent: agent, KeepAll: true}, meadow.MeshOptions{})
	if err != nil {
		t.Fatal(err)
	}
	q := on.NewQuery()
	for _, piece := range r.Lost.Largest {
		at, _, ok := piece.Middle()
		if floor, found := q.Nearest(at, 0.05); !ok || !found || math.Abs(floor.Point.Y-at.Y) > 0.03 {
			t.Errorf("the middle of %.1f m² at %v is %v, %v: the floor there is %v", piece.Area, piece.At, at, ok, floor.Point)
		}
	}
	if _, _, ok := (verify.Piece{Area: 1}).Middle(); ok {
		t.Error("a piece without ground has a middle")
	}
}

// truthArea returns the area of the floor of a level.
func truthArea(t *testing.T, s *floortest.Scene) float64 { return meshOf(t, s).Area() }

func TestOutside(t *testing.T) {
	pillar := scene(func(s *floortest.Scene) { s.Box(8, 4, 0, 10, 4.8, 3) })
	r := judge(t, meshOf(t, scene(nil)), truthOf(t, pillar))
	want := truthArea(t, scene(nil)) - truthArea(t, pillar)
	if math.Abs(r.Outside.Area-want) > 1e-3 || r.Lost.Area > 1e-3 || r.Coverage < 1-1e-6 {
		t.Errorf("outside %.4f m², want %.4f; lost %.4f", r.Outside.Area, want, r.Lost.Area)
	}
}

// TestComponents plants four faults: a missing part, an invented part, a split part, and two joined parts.
func TestComponents(t *testing.T) {
	one := scene(nil)
	two := scene(func(s *floortest.Scene) { s.Floor(30, 0, 40, 10, 0) })
	bridged := scene(func(s *floortest.Scene) {
		s.Floor(30, 0, 40, 10, 0)
		s.Floor(20, 4, 30, 6, 0)
	})
	count := func(mesh, level *floortest.Scene) [4]int {
		c := judge(t, meshOf(t, mesh), truthOf(t, level)).Components
		return [4]int{len(c.Lost), len(c.Invented), len(c.Split), len(c.Joined)}
	}
	for _, c := range []struct {
		name        string
		mesh, level *floortest.Scene
		want        [4]int
	}{
		{"lost", one, two, [4]int{1, 0, 0, 0}},
		{"invented", two, one, [4]int{0, 1, 0, 0}},
		{"split", two, bridged, [4]int{0, 0, 1, 0}},
		{"joined", bridged, two, [4]int{0, 0, 0, 1}},
		{"right", two, two, [4]int{}},
	} {
		if got := count(c.mesh, c.level); got != c.want {
			t.Errorf("%s: lost, invented, split and joined are %v, want %v", c.name, got, c.want)
		}
	}
}

// TestUnreachable: a mesh of all parts covers floor that nobody reaches.
func TestUnreachable(t *testing.T) {
	two := scene(func(s *floortest.Scene) { s.Floor(30, 0, 40, 10, 0) })
	truth := truthFrom(t, two, meadow.FloorOptions{Agent: agent})
	r := judge(t, meshOf(t, two), truth)
	if math.Abs(r.Unreachable-81) > 1e-2 || r.Coverage < 1-1e-6 || r.Outside.Area > 1e-3 {
		t.Errorf("%.3f m² are not reachable, want 81; coverage %.6f, outside %.4f", r.Unreachable, r.Coverage, r.Outside.Area)
	}
}

// TestOverlap: a region that a mesh has twice is told with its area.
func TestOverlap(t *testing.T) {
	s := scene(func(s *floortest.Scene) { s.Box(8, 4, 0, 10, 4.8, 3) })
	m := meshOf(t, s)
	faulty := *m.Mesh
	tile := faulty.Tiles[0]
	twin := tile.Regions[0]
	twin.First, twin.FirstPortal, twin.PortalCount, twin.FirstPassage = uint32(len(tile.Corners)), uint32(len(tile.Portals)), 0, uint32(len(tile.Passages))
	tile.Corners = append(append([]uint32(nil), tile.Corners...), tile.RegionCorners(0)...)
	tile.Regions = append(append(tile.Regions[:0:0], tile.Regions...), twin)
	twin.Component = uint32(faulty.Components)
	tile.Regions[len(tile.Regions)-1] = twin
	faulty.Components++
	faulty.Tiles = append(faulty.Tiles[:0:0], tile)
	r, err := verify.Measure(t.Context(), &faulty, truthOf(t, s), verify.Options{Pairs: -1})
	if err != nil {
		t.Fatal(err)
	}
	if want := tile.RegionArea(0); math.Abs(r.Overlap.Area-want) > 1e-3 || r.Overlap.Count != 1 {
		t.Errorf("%.4f m² are covered twice, want %.4f", r.Overlap.Area, want)
	}
}

// TestHeight: a floor that is 12.5 cm too high is told, and a bump with its place.
func TestHeight(t *testing.T) {
	raised := &floortest.Scene{}
	raised.Name = "raised"
	raised.Floor(0, 0, 20, 10, 0.125)
	r := judge(t, meshOf(t, raised), truthOf(t, scene(nil)))
	if h := r.Height; math.Abs(h.Mean-0.125) > 1e-3 || math.Abs(h.Max-0.125) > 1e-3 || r.Coverage < 1-1e-6 {
		t.Errorf("heights %+v, coverage %g", h, r.Coverage)
	}
	bumpy := &floortest.Scene{}
	bumpy.Name = "bumpy"
	peak := meadow.Vec{X: 10, Y: 0.5, Z: -5}
	corner := []meadow.Vec{{}, {X: 20}, {X: 20, Z: -10}, {Z: -10}}
	for i := range corner {
		bumpy.Triangle(corner[i], corner[(i+1)%4], peak)
	}
	r = judge(t, meshOf(t, bumpy), truthOf(t, scene(nil)))
	if h := r.Height; math.Abs(h.Max-0.5) > 0.06 || math.Hypot(h.At.X-10, h.At.Z+5) > 0.5 || h.Mean < 0.03 {
		t.Errorf("heights %+v, want 0.5 m at (10, -5)", h)
	}
	storey := &floortest.Scene{}
	storey.Name = "storey"
	storey.Floor(0, 0, 20, 10, 3)
	if r = judge(t, meshOf(t, storey), truthOf(t, scene(nil))); r.Coverage > 1e-9 || r.Height.Samples > 0 {
		t.Errorf("another storey covers %g of the floor", r.Coverage)
	}
}

// TestShortcut: a mesh that leads through a wall has paths shorter than the optimum; one with a wall too many has detours.
func TestShortcut(t *testing.T) {
	walled := scene(func(s *floortest.Scene) { s.Box(9.5, 0, 0, 10.5, 8, 3) })
	r := judge(t, meshOf(t, scene(nil)), truthOf(t, walled))
	if p := r.Paths; p.Shorter < 20 || p.Min > 0.9 || p.Max > 1+1e-6 || p.Missing > 0 {
		t.Errorf("through a wall: %+v", p)
	}
	r = judge(t, meshOf(t, walled), truthOf(t, scene(nil)))
	if p := r.Paths; p.Shorter > 0 || p.Max < 1.1 || p.Min < 1-1e-6 {
		t.Errorf("around a wall: %+v", p)
	}
	closed := scene(func(s *floortest.Scene) { s.Box(9.5, 0, 0, 10.5, 10, 3) })
	r = judge(t, meshOf(t, closed), truthOf(t, scene(nil)))
	if p := r.Paths; p.Missing < 20 || p.Lost == nil {
		t.Errorf("without a way: %+v", p)
	}
}

// TestDiffSelf: a mesh does not differ from itself, nor in ground from another decomposition in another frame.
func TestDiffSelf(t *testing.T) {
	lvl, err := levelgen.Generate("tower", levelgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &floortest.Scene{Level: *lvl}
	m := meshOf(t, s)
	d, err := verify.Diff(t.Context(), m.Mesh, m.Mesh)
	if err != nil || !d.Equal(verify.Tolerance{}) {
		t.Errorf("%+v, %v", d, err)
	}
	other := truthOf(t, s).Mesh
	if d, err = verify.Diff(t.Context(), m.Mesh, other); err != nil || !d.Equal(verify.Tolerance{Area: 1e-3, Height: 1e-6}) || d.Regions[0] == d.Regions[1] {
		t.Errorf("another decomposition: %+v, %v", d, err)
	}
}

// TestDiff: ground that was won and lost is told, and decides with components and links.
func TestDiff(t *testing.T) {
	a := scene(func(s *floortest.Scene) { s.Box(4, 4, 0, 6, 4.8, 3) })
	b := scene(func(s *floortest.Scene) { s.Box(14, 4, 0, 16, 4.8, 3); s.Floor(30, 0, 34, 4, 0) })
	d, err := verify.Diff(t.Context(), meshOf(t, a).Mesh, meshOf(t, b).Mesh)
	if err != nil {
		t.Fatal(err)
	}
	hole := truthArea(t, scene(nil)) - truthArea(t, a)
	if math.Abs(d.Only[0].Area-hole) > 1e-3 || math.Abs(d.Only[1].Area-hole-9) > 1e-2 || d.Components != [2]int{1, 2} {
		t.Errorf("lost %.4f, won %.4f, want %.4f and %.4f; components %v", d.Only[0].Area, d.Only[1].Area, hole, hole+9, d.Components)
	}
	if d.Equal(verify.Tolerance{Area: 1e9, Height: 1e9}) {
		t.Error("meshes with unequal components are equal")
	}
	d.Components[1] = 1
	for tolerance, want := range map[float64]bool{hole - 0.01: false, 9.01: true} {
		if d.Equal(verify.Tolerance{Area: max(tolerance, 0), Height: 1}) != want {
			t.Errorf("within %.2f m²: %v", tolerance, !want)
		}
	}
}
