package detour

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/meadow-nav/meadow/geom/lattice"
	"github.com/meadow-nav/meadow/internal/polymesh"
	"github.com/meadow-nav/meadow/navmesh"
)

func tiledFile(t testing.TB, m *navmesh.Mesh, size float64) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteTiles(&out, m, size); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestWriteTiles writes meshes in tiles of many sizes and reads the files: the ground, its parts and the links stay, every polygon is
// inside of its tile, and neighbours in other tiles are at borders.
func TestWriteTiles(t *testing.T) {
	for _, name := range []string{"house.mset", "house-tiles.mset", "house.tset", "house-navcat.json"} {
		m := read(t, file(t, name))
		for _, size := range []float64{3, 4.7, 10, 1000} {
			data := tiledFile(t, m, size)
			s := decoded(t, data)
			for i := range s.tiles {
				x := &s.tiles[i]
				for k := range x.polys {
					p := &x.polys[k]
					if p.typeOf != typeGround {
						continue
					}
					for _, c := range p.corners[:p.count] {
						if v := x.vertices[c]; v[0] < x.min[0]-1e-3 || v[0] > x.max[0]+1e-3 || v[2] < x.min[2]-1e-3 || v[2] > x.max[2]+1e-3 {
							t.Fatalf("%s in tiles of %g m: tile %d, polygon %d has a corner at %v outside of %v to %v", name, size, i, k, v, x.min, x.max)
						}
					}
				}
			}
			if want := 1; size == 1000 && len(s.tiles) != want || size == 3 && len(s.tiles) < 40 {
				t.Errorf("%s in tiles of %g m: %d tiles", name, size, len(s.tiles))
			}
			back := read(t, data)
			if faults := back.Validate(); len(faults) > 0 {
				t.Errorf("%s in tiles of %g m: %d faults, the first: %v", name, size, len(faults), faults[0])
			}
			// Detour knows connections to the next tile only: those of the house have up to 5 m.
			if back.Components != m.Components || math.Abs(back.Area()-m.Area()) > 0.01 || size > 4.5 && len(back.Links) != len(m.Links) {
				t.Errorf("%s in tiles of %g m: %d components, %g m², %d links; want %d, %g, %d", name, size,
					back.Components, back.Area(), len(back.Links), m.Components, m.Area(), len(m.Links))
			}
		}
		for _, size := range []float64{0, -1, 0.5, math.NaN(), math.Inf(1)} {
			if err := WriteTiles(&bytes.Buffer{}, m, size); err == nil || !strings.Contains(err.Error(), "must be 1 to") {
				t.Errorf("tiles of %g m: %v", size, err)
			}
		}
	}
}

// TestLargeMesh writes a mesh of more polygons than a tile holds: Write makes tiles on its own.
func TestLargeMesh(t *testing.T) {
	const side, step = 190, 4096
	s := &polymesh.Soup{Agent: read(t, file(t, "house.bin")).Agent}
	for y := range int32(side + 1) {
		for x := range int32(side + 1) {
			s.Points = append(s.Points, lattice.Vertex{Point: lattice.Point{X: x * step, Y: y * step}})
		}
	}
	for y := range uint32(side) {
		for x := range uint32(side) {
			i := y*(side+1) + x
			s.Polygons = append(s.Polygons, polymesh.Polygon{Corners: []uint32{i, i + 1, i + side + 2, i + side + 1}, Flags: navmesh.DefaultFlags})
		}
	}
	for y := range side {
		for x := range side {
			p := int32(y*side + x)
			if x+1 < side {
				s.Meetings = append(s.Meetings, polymesh.Meeting{P: p, Q: p + 1, PEdge: 1, QEdge: 3})
			}
			if y+1 < side {
				s.Meetings = append(s.Meetings, polymesh.Meeting{P: p, Q: p + side, PEdge: 2, QEdge: 0})
			}
		}
	}
	m, _, err := polymesh.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	data := written(t, m)
	if n := len(decoded(t, data).tiles); n != 4 {
		t.Errorf("%d tiles, want 4", n)
	}
	if back := read(t, data); back.Components != 1 || math.Abs(back.Area()-side*side) > 1e-6 {
		t.Errorf("%d components, %g m²", back.Components, back.Area())
	}
	if err := WriteTile(&bytes.Buffer{}, m); err == nil || !strings.Contains(err.Error(), "a tile holds at most 32766 and 65534") {
		t.Errorf("one tile: %v", err)
	}
}

// TestTilesOnFloor cuts a region whose corners are level and whose floor is a roof with a ridge of 4 m: corners that cuts make lie on the
// roof, so that Detour joins the parts with each other and not with the ground below.
func TestTilesOnFloor(t *testing.T) {
	s := &polymesh.Soup{Agent: read(t, file(t, "house.bin")).Agent}
	for _, p := range [][3]int32{{0, 0, 0}, {20, 0, 0}, {20, 4, 0}, {0, 4, 0}, {10, 0, 4}, {10, 4, 4}} {
		s.Points = append(s.Points, lattice.Vertex{Point: lattice.Point{X: 4096 * p[0], Y: 4096 * p[1]}, Z: 4096 * p[2]})
	}
	s.Polygons = []polymesh.Polygon{{
		Corners: []uint32{0, 1, 2, 3}, Flags: navmesh.DefaultFlags,
		Floor: [][3]uint32{{0, 4, 5}, {0, 5, 3}, {4, 1, 2}, {4, 2, 5}},
	}}
	m, _, err := polymesh.Build(s)
	if err != nil {
		t.Fatal(err)
	}
	tiles := decoded(t, tiledFile(t, m, 5))
	if len(tiles.tiles) != 4 {
		t.Fatalf("%d tiles, want 4", len(tiles.tiles))
	}
	for i := range tiles.tiles {
		for _, v := range tiles.tiles[i].vertices {
			if want := 4 - 0.4*math.Abs(float64(v[0])-10); math.Abs(float64(v[1])-want) > 0.001 {
				t.Errorf("a corner at %v, want height %g", v, want)
			}
		}
	}
}
