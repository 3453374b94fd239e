package polymesh

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom"
	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/navmesh"
)

func at(x, y, z int32) lattice.Vertex {
	return lattice.Vertex{Point: lattice.Point{X: x, Y: y}, Z: z}
}

func soup(points []lattice.Vertex, rings ...[]uint32) *Soup {
	s := &Soup{Agent: geom.Agent{}.WithDefaults(), Points: points}
	for _, r := range rings {
		s.Polygons = append(s.Polygons, Polygon{Corners: r, Flags: navmesh.DefaultFlags})
	}
	return s
}

// build builds a soup and fails for a mesh with faults.
func build(t *testing.T, s *Soup) (*navmesh.Mesh, Report) {
	t.Helper()
	m, report, err := Build(s)
	if err != nil {
		t.Fatal(err)
	}
	if faults := m.Validate(); len(faults) > 0 {
		t.Fatalf("%d faults, the first: %v", len(faults), faults[0])
	}
	return m, report
}

// TestRepair builds fans around a point that rounding has pushed over a straight border by a unit.
func TestRepair(t *testing.T) {
	// Two squares side by side, with a common third polygon beneath; the corner between the squares bends down into the third.
	points := []lattice.Vertex{at(0, 0, 0), at(1000, 1, 0), at(2000, 0, 0), at(2000, 1000, 0), at(1000, 1000, 0), at(0, 1000, 0), at(0, -900, 0), at(2000, -900, 0)}
	s := soup(points, []uint32{0, 1, 4, 5}, []uint32{1, 2, 3, 4}, []uint32{6, 7, 2, 1, 0})
	s.Points[1].Y = -1 // reflex for the polygon beneath
	s.Meetings = []Meeting{{0, 1, 1, 3}, {0, 2, 0, 3}, {1, 2, 0, 2}}
	m, report := build(t, s)
	if m.RegionCount() != 3 || report.Moved != 1 || report.Split != 0 || len(m.Tiles[0].Portals) != 6 {
		t.Errorf("%d regions, %d portals, %+v", m.RegionCount(), len(m.Tiles[0].Portals), report)
	}
}

// TestFixedPointsStay forbids the move of TestRepair: the polygon is cut instead.
func TestFixedPointsStay(t *testing.T) {
	points := []lattice.Vertex{at(0, 0, 0), at(1000, -1, 0), at(2000, 0, 0), at(2000, -900, 0), at(0, -900, 0)}
	s := soup(points, []uint32{4, 3, 2, 1, 0})
	s.Fixed = make([]Axes, len(points))
	for i := range s.Fixed {
		s.Fixed[i] = East | North
	}
	m, report := build(t, s)
	if m.RegionCount() != 2 || report.Moved != 0 || report.Split != 1 || len(m.Tiles[0].Portals) != 2 {
		t.Errorf("%d regions, %d portals, %+v", m.RegionCount(), len(m.Tiles[0].Portals), report)
	}
}

// TestSplit cuts a comb: the pieces keep the order, the area and the neighbours.
func TestSplit(t *testing.T) {
	points := []lattice.Vertex{
		at(0, 0, 0), at(700, 0, 0), at(700, 500, 0), at(600, 500, 0), at(600, 100, 0), at(400, 100, 0), at(400, 500, 0), at(300, 500, 0),
		at(300, 100, 0), at(100, 100, 0), at(100, 500, 0), at(0, 500, 0), at(700, -300, 0), at(0, -300, 0),
	}
	s := soup(points, []uint32{13, 12, 1, 0}, []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	s.Meetings = []Meeting{{0, 1, 2, 0}}
	m, report := build(t, s)
	if report.Split != 1 || m.RegionCount() < 4 || m.Components != 1 {
		t.Errorf("%d regions, %d components, %+v", m.RegionCount(), m.Components, report)
	}
	if want := lattice.SquareMetres(int64(2 * (700*100 + 3*100*400 + 700*300))); m.Area() != want {
		t.Errorf("%g m², want %g", m.Area(), want)
	}
	for i, p := range report.Of {
		if i > 0 && p < report.Of[i-1] {
			t.Errorf("regions of polygons %v", report.Of)
		}
	}
}

// TestMeetings joins edges of which one is longer, and leaves out meetings without a common stretch and stretches that are taken.
func TestMeetings(t *testing.T) {
	points := []lattice.Vertex{
		at(0, 0, 0), at(100, 0, 0), at(100, 100, 0), at(0, 100, 0),
		at(100, 20, 0), at(200, 20, 0), at(200, 60, 0), at(100, 60, 0),
		at(100, 60, 0), at(200, 60, 0), at(200, 90, 0), at(100, 90, 0),
		at(100, 30, 900), at(200, 30, 900), at(200, 50, 900), at(100, 50, 900),
	}
	s := soup(points, []uint32{0, 1, 2, 3}, []uint32{4, 5, 6, 7}, []uint32{8, 9, 10, 11}, []uint32{12, 13, 14, 15})
	s.Meetings = []Meeting{{0, 1, 1, 3}, {0, 2, 1, 3}, {0, 3, 1, 3}, {1, 2, 1, 1}}
	m, report := build(t, s)
	if len(m.Tiles[0].Portals) != 4 || report.Apart != 2 || m.Components != 2 {
		t.Fatalf("%d portals, %d components, %+v", len(m.Tiles[0].Portals), m.Components, report)
	}
	for _, p := range m.Tiles[0].RegionPortals(0) {
		right, left := m.Tiles[0].Vertices[p.Right], m.Tiles[0].Vertices[p.Left]
		if right.Y != [3]int32{0, 20, 60}[p.To] || left.Y != [3]int32{0, 60, 90}[p.To] {
			t.Errorf("to region %d from %v to %v", p.To, right, left)
		}
	}
}

// TestLayers puts a floor over another and a third through both: three layers without overlaps.
func TestLayers(t *testing.T) {
	points := []lattice.Vertex{
		at(0, 0, 0), at(100, 0, 0), at(100, 100, 0), at(0, 100, 0),
		at(0, 0, 9000), at(100, 0, 9000), at(100, 100, 9000), at(0, 100, 9000),
		at(50, 50, 18000), at(150, 50, 18000), at(150, 150, 18000), at(50, 150, 18000),
	}
	m, _ := build(t, soup(points, []uint32{0, 1, 2, 3}, []uint32{4, 5, 6, 7}, []uint32{8, 9, 10, 11}))
	if len(m.Tiles[0].Layers) != 3 {
		t.Errorf("%d layers", len(m.Tiles[0].Layers))
	}
	for i, r := range m.Tiles[0].Regions {
		if h, ok := lattice.NewSampler(&m.Tiles[0].Layers[r.Layer].Floor).Height(60, 60); !ok || h != float64(9000*i) {
			t.Errorf("region %d: height %g, %v", i, h, ok)
		}
	}
}

// TestCliff lets two polygons share vertices and a border without a meeting: a wall between them.
func TestCliff(t *testing.T) {
	points := []lattice.Vertex{at(0, 0, 0), at(100, 0, 0), at(200, 0, 0), at(200, 100, 0), at(100, 100, 0), at(0, 100, 0), at(0, -50, 0), at(200, -50, 0)}
	s := soup(points, []uint32{0, 1, 4, 5}, []uint32{1, 2, 3, 4}, []uint32{6, 7, 2, 1, 0})
	s.Meetings = []Meeting{{0, 2, 0, 3}, {1, 2, 0, 2}}
	if m, _ := build(t, s); len(m.Tiles[0].Portals) != 4 || m.Components != 1 {
		t.Errorf("%d portals, %d components", len(m.Tiles[0].Portals), m.Components)
	}
}

func TestFaults(t *testing.T) {
	square := []lattice.Vertex{at(0, 0, 0), at(100, 0, 0), at(100, 100, 0), at(0, 100, 0)}
	for _, c := range []struct {
		name string
		soup *Soup
		want string
	}{
		{"nothing", soup(square), "no polygon of 0 has an area"},
		{"flat", soup([]lattice.Vertex{at(0, 0, 0), at(0, 0, 0), at(0, 0, 0)}, []uint32{0, 1, 2}), "no polygon of 1 has an area"},
		{"crossing", soup(append(square, at(-40, 50, 0), at(300, 40, 0)), []uint32{0, 5, 1, 2, 4, 3}), "polygon 0 at "},
		{"clockwise", soup(square, []uint32{3, 2, 1, 0}), "polygon 0 at "},
	} {
		if _, _, err := Build(c.soup); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// TestRandom bends regular grids by up to two units and rebuilds them: every mesh is valid and has all portals.
func TestRandom(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := 2 + rng.IntN(8)
		s := &Soup{Agent: geom.Agent{}.WithDefaults()}
		for y := range n + 1 {
			for x := range n + 1 {
				s.Points = append(s.Points, at(int32(500*x+rng.IntN(3)-1), int32(500*y+rng.IntN(3)-1), 0))
			}
		}
		// Cells of two squares side by side have corners in the middle of straight sides.
		for y := range n {
			for x := 0; x+2 <= n; x += 2 {
				k := uint32(y*(n+1) + x)
				s.Polygons = append(s.Polygons, Polygon{Corners: []uint32{k, k + 1, k + 2, k + uint32(n) + 3, k + uint32(n) + 2, k + uint32(n) + 1}})
			}
		}
		s.Meetings = Meet(s, 0)
		want := len(s.Meetings)
		m, report := build(t, s)
		if got := len(m.Tiles[0].Portals)/2 - (m.RegionCount() - len(s.Polygons)); got != want || report.Apart != 0 || report.Dropped != 0 {
			t.Errorf("seed %d: %d portals between polygons, want %d; %+v", seed, got, want, report)
		}
		if report.Split > 0 && seed == 0 {
			t.Logf("split %d of %d", report.Split, len(s.Polygons))
		}
	}
}
